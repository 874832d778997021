"""Export: an animation written down.

MERGED: What an export writes: the path decides.

MERGED: Estimates: what an export will cost, from the first frames of it, which are written and thrown away.
"""

from __future__ import annotations

import os.path
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError, printable
from juggle_anim.exporter.file_names import CAMERA, Template, read_template
from juggle_anim.exporter.films import write_video
from juggle_anim.exporter.frame_request import FrameRequest, loops_until_props_return
from juggle_anim.exporter.frames import write_frames
from juggle_anim.exporter.models.models import write_model
from juggle_anim.exporter.options import ALL_PROPS, ExportOptions, Progress, WriteOptions
from juggle_anim.exporter.stills import write_still
from juggle_anim.exporter.view import USUAL, View, read_view
from juggle_anim.formats import BY_ENDING, EXPORTS, FILMS, MODELS, PAGES, STILLS, load
from juggle_anim.notation.text_file import kind_of_name

FPS = 60.0
"""The usual rate of frames, [frames/s]."""

_SOME = 24


def export(animation: Animation, path: Path, options: ExportOptions) -> list[Path]:
    """Write an animation to files; see `juggle_anim.api.export`."""
    jobs = jobs_for(animation, path, options)
    written: list[Path] = []
    done = 0
    for number, job in enumerate(jobs, 1):
        later = sum(each.shots.frames for each in jobs[number:])
        counted = _Counted(options.progress, done, later)
        written += job.write(options.force, counted if options.progress else None, options)
        done = counted.done
    return written


class _Counted:
    """Progress of one job among several."""

    def __init__(self, progress: Progress | None, before: int, later: int) -> None:
        self._progress, self._before, self._later = progress, before, later
        self.done = before

    def __call__(self, done: int, total: int) -> None:
        self.done = self._before + done
        if self._progress:
            self._progress(self.done, self._before + total + self._later)


@dataclass(frozen=True)
class Job:
    """Shots, and where they go."""

    shots: FrameRequest
    place: Path | Template
    kind: str

    def write(self, force: bool, progress: Progress | None, manner: WriteOptions) -> list[Path]:
        """Write them, and give the files back.

        Raises:
            ParameterError: there is to be a sound, and this is no video; or as the writer of this kind has it.
            ExportError, RenderError: likewise.
        """
        if manner.sound and self.kind != "film":
            raise ParameterError(f"{self.name}: pictures have no sound; {_with_sound()} have one")
        if isinstance(self.place, Template) or self.kind == "frames":
            return write_frames(self.shots, self.place, force, progress, manner)
        if self.kind == "model":
            return write_model(self.shots, self.place, force, progress, manner)
        page = PAGES.get(self.place.suffix.casefold())
        write = load(page.page) if page else {"still": write_still, "film": write_video}[self.kind]
        return [write(self.shots, self.place, force, progress, manner)]

    @property
    def name(self) -> str:
        """The file or folder, or the first of several names."""
        return str(self.place.path(0) if isinstance(self.place, Template) else self.place)

    def within(self, folder: Path) -> Job:
        """The same with files that stand elsewhere."""
        if isinstance(self.place, Template):
            return replace(self, place=replace(self.place, folder=folder))
        return replace(self, place=folder / self.place.name)


def jobs_for(animation: Animation, path: Path, options: ExportOptions) -> list[Job]:
    """One job for each camera.

    Args:
        animation: what is shown.
        path: a folder, a template for the names of frames, or a file; `{camera}` in it is the camera's name.
        options: how.

    Raises:
        ParameterError: no file has such an ending, there is no such camera, or as `Shots` has it.
    """
    views = list(dict.fromkeys(map(read_view, options.cameras))) or [USUAL]
    return [_job(animation, path, options, view, len(views)) for view in views]


def _job(animation: Animation, path: Path, options: ExportOptions, view: View, views: int) -> Job:
    place, kind = _place(_of_camera(path, view, views))
    film = FILMS.get(place.suffix.casefold()) if kind == "film" else None
    shots = FrameRequest(
        animation,
        options.size,
        options.fps if options.fps is not None else film.fps if film else FPS,
        _loops(animation, path, kind, options),
        view,
        start=options.start,
        seconds=options.seconds,
        transparent=options.transparent,
        supersampling=options.supersampling,
        blur=options.blur,
    )
    return Job(replace(shots, seconds=1 / shots.fps) if kind in ("still", "page") else shots, place, kind)


def _of_camera(path: Path, view: View, views: int) -> Path:
    """The path for one camera of several."""
    if CAMERA in str(path):
        return Path(str(path).replace(CAMERA, view.name))
    if views == 1:
        return path
    _, kind = _place(path)
    if kind == "frames":
        return path / view.name if read_template(path) is None else path.parent / view.name / path.name
    return path.with_name(f"{path.stem}-{view.name}{path.suffix}")


def _place(path: Path) -> tuple[Path | Template, str]:
    template = read_template(path)
    if template:
        if template.suffix not in STILLS:
            raise ParameterError(f"{path}: frames are not written as {template.suffix or 'that'}; {_kinds()}")
        return template, "frames"
    ending = path.suffix.casefold()
    if path.name.casefold() in EXPORTS:
        raise ParameterError(f"{path}: is an ending without a name; write one before it, as in a{path.name}")
    if not ending or os.path.isdir(path):  # Path.is_dir raises where a folder above is forbidden
        return path, "frames"
    for kind, rows in (("film", FILMS), ("still", STILLS), ("page", PAGES), ("model", MODELS)):
        if ending in rows:
            return path, kind
    if ending in BY_ENDING:
        other = "draw does: line drawings, contact sheets and diagrams"
    elif kind_of_name(path):
        other = "convert does"
    else:
        raise ParameterError(f"{path}: juggle-anim does not write {path.suffix} files; {_kinds()}")
    raise ParameterError(f"{path}: export does not write {path.suffix} files, but juggle-anim {other}")


def _with_sound() -> str:
    return ", ".join(ending for ending, film in FILMS.items() if film.sound)


def _kinds() -> str:
    return (
        f"it writes {', '.join((*FILMS, *PAGES))}, models and tables ({', '.join(MODELS)}), pictures "
        f"({', '.join(STILLS)}), and a folder of frames or names such as shot_####.png"
    )


def _loops(animation: Animation, path: Path, kind: str, options: ExportOptions) -> int:
    loops = options.loops
    if loops == ALL_PROPS:
        return loops_until_props_return(animation, shortest=0.0)
    if isinstance(loops, str):
        raise ParameterError(f"loops is {printable(loops, 40)!r}, but must be a whole number from 1 up, or {ALL_PROPS}")
    if loops is not None:
        return loops
    if kind not in ("film", "model") or options.seconds is not None:
        return 1
    # A player that repeats shows the first picture after the last: then every prop should be back.
    repeats = kind == "model" or FILMS[path.suffix.casefold()].repeats
    return loops_until_props_return(animation, **({"shortest": 0.0} if repeats else {}))


@dataclass(frozen=True)
class Estimate:
    """What an export will cost.

    Args:
        frames: how many, exactly.
        duration: of what is to be seen, [s].
        size: of all files, about, [bytes].
        seconds: that it will take, about.
    """

    frames: int
    duration: float
    size: float
    seconds: float


def estimate(job: Job, manner: WriteOptions) -> Estimate:
    """What a job will cost on this machine.

    Raises:
        JuggleError: whatever the job itself would end in, but for what stands in its way on the disk.
    """
    shots = job.shots
    if shots.frames <= _SOME:
        trial = _tried(job, manner, shots.frames)
        return Estimate(shots.frames, shots.duration, trial.size, trial.seconds)
    half, whole = _tried(job, manner, _SOME // 2), _tried(job, manner, _SOME)
    left = shots.frames - _SOME
    # The first frame is the largest, and much is done once: only what the later ones add goes on.
    size = whole.size + max(whole.size - half.size, 0) / (_SOME - _SOME // 2) * left
    return Estimate(shots.frames, shots.duration, size, whole.seconds + whole.a_frame * left)


@dataclass(frozen=True)
class _Trial:
    """What the first frames cost: size [bytes], time in all and for each but the first [s]."""

    size: int
    seconds: float
    a_frame: float


def _tried(job: Job, manner: WriteOptions, some: int) -> _Trial:
    if some < job.shots.frames:
        job = replace(job, shots=replace(job.shots, seconds=some / job.shots.fps))
    moments = [time.perf_counter()]

    def note(_done: int, _total: int) -> None:
        moments.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        written = job.within(Path(folder)).write(True, note, replace(manner, resume=False))
        size = sum(path.stat().st_size for path in written)
    seconds = time.perf_counter() - moments[0]
    return _Trial(size, seconds, (moments[-1] - moments[1]) / max(some - 1, 1))
