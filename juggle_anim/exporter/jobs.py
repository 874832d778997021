"""What an export writes: the path decides."""

from __future__ import annotations

import os.path
from dataclasses import dataclass, replace
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.frames import write_frames
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.models.write_model import write_model
from juggle_anim.exporter.options import ALL_PROPS, ExportOptions, Progress
from juggle_anim.exporter.shots import Shots, loops_until_props_return
from juggle_anim.exporter.still import write_still
from juggle_anim.exporter.template import CAMERA, Template, read_template
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import USUAL, View, read_view
from juggle_anim.formats import BY_ENDING, EXPORTS, FILMS, MODELS, PAGES, STILLS, load
from juggle_anim.notation.file_kind import kind_of_name
from juggle_anim.printable import printable

FPS = 60.0
"""The usual rate of frames, [frames/s]."""


@dataclass(frozen=True)
class Job:
    """Shots, and where they go."""

    shots: Shots
    place: Path | Template
    kind: str

    def write(self, force: bool, progress: Progress | None, manner: Manner) -> list[Path]:
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
    shots = Shots(
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
