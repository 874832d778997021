"""Export an animation: the path decides which files of which format are written.

The estimated cost of an export: its first frames are written to a temporary folder.
"""

from __future__ import annotations

import contextlib
import math
import os.path
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write, refuse_existing
from juggle_anim.errors import ExportError, ParameterError, printable, require_library
from juggle_anim.exporter.options import (
    ALL_PROPS,
    DEFAULT_OPTIONS,
    ExportOptions,
    Progress,
    WriteOptions,
    check_options,
)
from juggle_anim.exporter.overlapped import WAITING, WRITERS
from juggle_anim.exporter.resume import CAMERA, Template, claim, is_complete, read_template
from juggle_anim.exporter.view import (
    DEFAULT_VIEW,
    FREE_VIEW,
    MIN_VIDEO_SECONDS,
    FrameRequest,
    View,
    loops_until_props_return,
    read_view,
)
from juggle_anim.formats import (
    BY_ENDING,
    EXPORTS,
    MODELS,
    PAGES,
    STILLS,
    SUBTITLES,
    VIDEOS,
    Format,
    load,
)
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.formats import WRITTEN

DEFAULT_FPS = 60.0
"""The default frame rate, [frames/s]."""

MIN_EDGE = 64
"""The shortest edge to which a picture is made smaller, [pixels]."""

_MIN_FPS = 20.0  # frames/s, at which motion is still even
_SIZE_MARGIN = 0.95  # of the bytes allowed, since files do not shrink just as their pixels do
_MAX_SIZE_TRIALS = 8  # whole films that are written to keep a limit of size


def export(animation: Animation, path: Path, options: ExportOptions) -> list[Path]:
    """Write an animation to files, as `juggle_anim.api.export` describes.

    A job writes the files of one camera; jobs run one after another. Progress is reported over the
    frames of all jobs.

    Args:
        animation: the animation to export.
        path: path of the file, or of frames; jobs add their cameras to its name.
        options: options of the export.

    Returns:
        All files, job by job.
    """
    options = fit_to_max_size(animation, path, options)
    jobs = export_jobs(animation, path, options)
    written: list[Path] = []
    # Frames of all jobs that are done, as last reported.
    all_done = 0

    def report(done: int, total: int, *, frames_before: int, frames_later: int) -> None:
        """Report the progress of one job as that of all.

        Args:
            done: frames of this job that are done.
            total: all frames of this job that are to be written.
            frames_before: number of frames of the jobs before this one.
            frames_later: number of frames of the jobs after this one.
        """
        nonlocal all_done
        all_done = frames_before + done
        if options.progress:
            options.progress(all_done, frames_before + total + frames_later)

    for job_count, job in enumerate(jobs, 1):
        later = sum(later_job.request.frames for later_job in jobs[job_count:])
        progress = partial(report, frames_before=all_done, frames_later=later)
        written += job.write(
            force=options.force, progress=progress if options.progress else None, options=options
        )
    return written


def fit_to_max_size(animation: Animation, path: Path, options: ExportOptions) -> ExportOptions:
    """Return options with which no film is larger than `options.max_size`, [bytes].

    The size of a film is not known in advance, so whole films are written to a temporary folder, as
    trials: first with the requested rate and size, and then with fewer frames a second, down to
    `_MIN_FPS`, and with fewer pixels.

    Args:
        animation: the animation to show.
        path: path of the films, to which nothing is written.
        options: what to export, and how; returned unchanged if `max_size` is None.

    Returns:
        The options without `max_size`, perhaps with another size and rate.

    Raises:
        ParameterError: the path is not that of a film.
        ExportError: no trial was small enough, or pictures would be smaller than `MIN_EDGE`.
    """
    max_size = options.max_size
    if max_size is None:
        return options
    jobs = export_jobs(animation, path, options)
    if any(job.kind != "video" for job in jobs):
        kinds = ", ".join(VIDEOS)
        raise ParameterError(
            _("max_size works only for a video in a single file: {kinds}", kinds=kinds), "max_size"
        )
    rate = jobs[0].request.fps
    trial_options = replace(options, max_size=None, progress=None, resume=False, force=False)
    for _trial in range(_MAX_SIZE_TRIALS):
        size = _largest_file(animation, path, trial_options)
        if size <= max_size:
            return replace(options, max_size=None, size=trial_options.size, fps=trial_options.fps)
        # The factor by which bytes must shrink, with a margin, so that the next trial likely fits.
        byte_share = _SIZE_MARGIN * max_size / size

        # First the rate is lowered, as if bytes were proportional to frames. They shrink a little
        # less, which the next trial corrects. What is left must be achieved by fewer pixels.
        if rate > _MIN_FPS:
            lower_rate = max(_MIN_FPS, rate * byte_share)
            byte_share = byte_share * rate / lower_rate
            rate = lower_rate
            trial_options = replace(trial_options, fps=rate)

        # Then there are fewer pixels, as if bytes were proportional to the area. If the lower rate
        # is enough, the share is 1 now, and the size stays.
        if byte_share < _SIZE_MARGIN:
            width, height = (_even(edge * math.sqrt(byte_share)) for edge in trial_options.pixels)
            if min(width, height) < MIN_EDGE:
                break
            trial_options = replace(trial_options, size=(width, height))
    raise ExportError(
        _(
            "even at {edge} pixels the file is larger than {most} bytes; allow a larger file, "
            "or use fewer seconds or a lower fps",
            edge=MIN_EDGE,
            most=f"{max_size:,}",
        )
    )


def _largest_file(animation: Animation, path: Path, options: ExportOptions) -> int:
    """Write all films to a temporary folder, and return the size of the largest, [bytes].

    Args:
        animation: the animation to show.
        path: path of the films, of which only the name is used.
        options: how to write them; subtitles beside them are left out.
    """
    with tempfile.TemporaryDirectory() as folder:
        return max(
            file.stat().st_size
            for job in export_jobs(animation, path, options)
            for file in job.in_folder(Path(folder)).write(
                force=True, options=replace(options, subtitles="")
            )
        )


def _even(edge: float) -> int:
    """Round an edge down to an even number, as videos need."""
    return 2 * math.floor(edge / 2)


def export_path(path: str | Path) -> Path:
    """Return where an export goes, from a path as it was typed.

    A path that ends in a slash is a folder of frames, even if its name has an ending.
    """
    names_folder = str(path).endswith(("/", os.sep))
    return Path(path, "frame_#####.png") if names_folder and Path(path).suffix else Path(path)


@dataclass(frozen=True)
class Job:
    """A request of frames, and the files that they are written to.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        destination: a file, a folder of frames, or the template of their names.
        kind: "frames", "video", "still", "page", "model" or "subtitles".
    """

    request: FrameRequest
    destination: Path | Template
    kind: str

    def write(
        self,
        *,
        force: bool = False,
        progress: Progress | None = None,
        options: WriteOptions = DEFAULT_OPTIONS,
    ) -> list[Path]:
        """Write the files, and return their paths, a film before its subtitles.

        A request says which frames are drawn: their size, rate, times and view.

        Args:
            force: whether existing files may be replaced; if not, they are an error.
            progress: called with the number of frames done and of all frames.
            options: how to write.

        Raises:
            ParameterError: sound or subtitles are requested and this is no video; or the writer
                refuses the request.
            ExportError, RenderError: the writer fails.
        """
        if options.sound and self.kind != "video":
            raise ParameterError(
                _(
                    "{name}: pictures have no sound; use {sound_endings}",
                    name=self.name,
                    sound_endings=", ".join(ending for ending, row in VIDEOS.items() if row.sound),
                )
            )
        if options.subtitles and self.kind != "video":
            raise ParameterError(
                _("subtitles work only with a video: {kinds}", kinds=", ".join(VIDEOS))
            )
        subtitles: Path | None = None
        if options.subtitles:
            # An existing file of subtitles is refused before the film is written, which takes long.
            subtitles = Path(self.name).with_suffix(f".{options.subtitles}")
            refuse_existing(subtitles, force or options.resume)
        # The writer is loaded when it is used. Each format of page has one of its own; any other
        # kind has one for all its formats.
        is_page = self.kind == "page"
        write = load(
            PAGES[self.destination.suffix.casefold()].page if is_page else _WRITERS[self.kind]
        )
        # One file, or several.
        written: Path | list[Path] = write(
            self.request, self.destination, force=force, progress=progress, options=options
        )
        files = [written] if isinstance(written, Path) else written
        if subtitles:
            # Imported here, since it needs a library for painting, which models do not.
            from juggle_anim.exporter.captions import write_subtitles

            files.append(write_subtitles(self.request, subtitles, force=force, options=options))
        return files

    @property
    def name(self) -> str:
        """The file, the folder, or the first frame's file."""
        return str(
            self.destination.path(0) if isinstance(self.destination, Template) else self.destination
        )

    @property
    def duration(self) -> float:
        """Playing time, 0 of a still picture, [s]."""
        if self.kind == "page":
            return self.request.animation.duration / self.request.animation.parameters.speed
        return 0.0 if self.kind == "still" else self.request.duration

    @property
    def waiting(self) -> int:
        """Number of frames that may be drawn and not yet written, at most."""
        return WAITING * (WRITERS if self.kind == "frames" else 1)

    def in_folder(self, folder: Path) -> Job:
        """Return the same job, writing into another folder under the same names."""
        if isinstance(self.destination, Template):
            return replace(self, destination=replace(self.destination, folder=folder))
        return replace(self, destination=folder / self.destination.name)


def export_jobs(animation: Animation, path: Path, options: ExportOptions) -> list[Job]:
    """Return one job for each camera, in the order of `options.cameras`, each camera once.

    Args:
        animation: the animation to show.
        path: a folder, a template for the names of frames, or a file; `{camera}` in it becomes the
            camera's name.
        options: what to export, and how.

    Raises:
        ParameterError: the ending or the camera is unknown, or `FrameRequest` refuses the options.
    """
    names = [options.cameras] if isinstance(options.cameras, str) else options.cameras
    views = list(dict.fromkeys(map(read_view, names))) or [FREE_VIEW]
    return [_job(animation, path, options, view, view_count=len(views)) for view in views]


def _job(
    animation: Animation, path: Path, options: ExportOptions, view: View, view_count: int
) -> Job:
    """Return the job of one camera: its request of frames, and the files to write.

    Args:
        animation: animation to show.
        path: a file, a folder, or a template for the names of frames; `{camera}` in it becomes the
            camera's name.
        options: what to export, and how.
        view: view of this camera.
        view_count: number of all cameras of the export.

    Raises:
        ParameterError: the ending is unknown, or options are out of range or do not suit it.
    """
    # Where to write, and what: video, still, page, frames, or others.
    destination, kind = _destination(_path_for_camera(path, view, view_count))
    # Frames in a folder, whose path has no ending, are PNG files.
    is_folder = isinstance(destination, Path) and kind == "frames"
    ending = ".png" if is_folder else destination.suffix.casefold()
    check_options(options, ending)
    default_fps = VIDEOS[ending].fps if kind == "video" else DEFAULT_FPS
    request = FrameRequest(
        animation,
        size=options.pixels,
        fps=default_fps if options.fps is None else options.fps,
        loops=_loop_count(animation, path, kind, options),
        view=view,
        start=options.start or 0.0,
        # Without a start time the request may choose the moment at which the loop begins.
        free=options.start is None,
        seconds=options.seconds,
        transparent=options.transparent,
        background=options.background,
        supersampling=options.supersampling,
        blur=options.blur,
        at=options.at,
        captions=options.captions,
        # Some formats have only 16 bits.
        depth=max(options.depth, min(EXPORTS[ending].depths)),
        bones=options.bones,
        scale=options.scale,
    )
    if options.at and kind != "frames":
        names = f"{path.stem}_##.png"
        reason = _("at works only for separate pictures, such as {names} or a folder", names=names)
        raise ParameterError(reason, "at")
    if kind in ("still", "page"):
        # The duration of a single frame.
        request = replace(request, seconds=1 / request.fps)
    return Job(request, destination, kind)


def _path_for_camera(path: Path, view: View, view_count: int) -> Path:
    """Return the path for one camera of an export; no two cameras share files.

    `{camera}` in the path becomes the camera's name. Without it, the path of a single camera stays
    as it is. With several cameras, frames go to a folder named after the camera, and a file gets
    the camera's name behind its own.

    Args:
        path: the path as the user gave it.
        view: view of the camera.
        view_count: number of all cameras.
    """
    if CAMERA in str(path):
        return Path(str(path).replace(CAMERA, view.name))
    if view_count == 1:
        return path
    _unused, kind = _destination(path)
    if kind == "frames":
        in_own_folder = read_template(path) is None
        return path / view.name if in_own_folder else path.parent / view.name / path.name
    return path.with_name(f"{path.stem}-{view.name}{path.suffix}")


def _destination(path: Path) -> tuple[Path | Template, str]:
    """Return the destination and the kind of an export to a path.

    Args:
        path: the path as the user gave it, without a placeholder for the camera.

    Returns:
        destination: a template for names of frames, a folder (without an ending, or existing), or a
            file.
        kind: "frames" for a template or a folder, else "video", "still", "page", "model" or
            "subtitles".

    Raises:
        ParameterError: nothing is exported to such a path.
    """
    # A template for the names of numbered frames, such as `frame_###.png`.
    template = read_template(path)
    if template:
        if template.suffix not in STILLS:
            raise ParameterError(
                _(
                    "{path}: numbered frames are pictures; use {stills}",
                    path=path,
                    stills=", ".join(STILLS),
                )
            )
        return template, "frames"
    ending = path.suffix.casefold()
    # For Python a path such as `.mp4` is a name without ending, so it would become a folder.
    if path.name.casefold() in EXPORTS:
        raise ParameterError(
            _(
                "{path}: the file name is missing; write one before the ending, such as a{name}",
                path=path,
                name=path.name,
            )
        )
    # Path.is_dir would raise an error if a folder above it must not be read.
    if not ending or os.path.isdir(path):
        return path, "frames"
    for kind, formats in _KINDS:
        if ending in formats:
            return path, kind
    # If another command writes such files, the error names it.
    if ending in BY_ENDING:
        other = _("draw does: line drawings, contact sheets and diagrams")
    elif ending in WRITTEN:
        other = _("convert does")
    else:
        supported_kinds = _(
            "use {value}, a model or table ({models}), a picture ({stills}), a folder for "
            "frames, or numbered frames such as shot_####.png",
            value=", ".join((*VIDEOS, *PAGES)),
            models=", ".join(MODELS),
            stills=", ".join(STILLS),
        )
        raise ParameterError(
            _(
                "{path}: cannot save {suffix} files; {supported_kinds}",
                path=path,
                suffix=path.suffix,
                supported_kinds=supported_kinds,
            )
        )
    raise ParameterError(
        _(
            "{path}: export cannot save {suffix} files, but juggle-anim {other}",
            path=path,
            suffix=path.suffix,
            other=other,
        )
    )


_KINDS = (
    ("video", VIDEOS),
    ("still", STILLS),
    ("page", PAGES),
    ("model", MODELS),
    ("subtitles", SUBTITLES),
)
# Loaded when used: models and tables need no drawing code.
_WRITERS = {
    "frames": "exporter.stills:write_frames",
    "model": "exporter.jobs:write_model",
    "still": "exporter.stills:write_still",
    "video": "exporter.video:write_video",
    "subtitles": "exporter.captions:write_subtitles",
}


def _loop_count(animation: Animation, path: Path, kind: str, options: ExportOptions) -> int:
    """Return the number of loops of the pattern, as asked for or by default.

    By default, films, models and subtitles have the number of loops that brings every prop back to
    its start, and films that players do not repeat last at least `MIN_VIDEO_SECONDS`. All else has
    one loop, as do routines and spans of seconds.

    Args:
        animation: the animation to show.
        path: path of the file, whose ending names the format.
        kind: kind of the files: "frames", "video", "still", "page", "model" or "subtitles".
        options: `loops` may be None for the default, or `ALL_PROPS`: until all props are back.

    Raises:
        ParameterError: `loops` is another word.
    """
    loops = options.loops
    if loops == ALL_PROPS:
        return loops_until_props_return(animation, shortest=0.0)
    if isinstance(loops, str):
        raise ParameterError(
            _(
                "loops is {loops!r}, but must be a whole number, 1 or more, or {all_props}",
                loops=printable(loops, 40),
                all_props=ALL_PROPS,
            )
        )
    if loops is not None:
        return loops
    if kind not in ("video", "model", "subtitles") or options.seconds is not None:
        return 1
    if animation.score.routine:
        # A routine ends with all props in the hands, so it is complete, even if they are not in the
        # hands in which they began.
        return 1
    # A player that repeats a film shows the first frame after the last one, so every prop should be
    # back by then; the film may be short. The same holds for models.
    repeats = kind == "model" or (kind == "video" and VIDEOS[path.suffix.casefold()].repeats)
    return loops_until_props_return(animation, shortest=0.0 if repeats else MIN_VIDEO_SECONDS)


def write_model(
    request: FrameRequest,
    path: Path,
    *,
    force: bool,
    progress: Progress | None,
    options: WriteOptions,
) -> list[Path]:
    """Write a request as a model or table of the format that the ending names.

    Args:
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: the file; BVH has a file for each juggler, and one for the props.
        force: whether existing files may be replaced; if not, they are an error.
        progress: called with the number of frames done and of all frames.
        options: how to write; with `resume`, complete files of this same export are kept.

    Returns:
        The files.

    Raises:
        ParameterError: the format cannot hold what is requested, or the model would be too large.
        ExportError: a file exists and `force` is not set, or a file cannot be written.
    """
    model = MODELS[path.suffix.casefold()]
    _check_model(model, request, path)
    metadata = request.record(options).text
    paths: list[Path] = load(model.paths)(request, path) if model.paths else [path]
    # Of several files only the last one carries metadata, by which an export is resumed. As it is
    # created last, all others must have existed if it exists.
    *others, last = paths
    with cannot_write(path):
        # If it exists but belongs to another export, `claim` raises below.
        is_resumed = options.resume and last.exists()
    is_missing = claim(last, metadata, force=force, resume=options.resume)
    with cannot_write(path):
        is_done = not is_missing and all(other.exists() and is_complete(other) for other in others)
    if is_done:
        return paths
    # A resumed export may replace its own incomplete files. If the last file is missing, the others
    # may belong to another export, and are replaced only with `force`.
    replaces = force or is_resumed
    for other in others:
        claim(other, metadata, force=replaces, resume=False)
    with interrupts_deferred():
        write = load(model.model)
    if model.paths:
        write(request, paths, metadata, progress, replaces=replaces)
    else:
        with atomic_file(path, replaces=replaces) as draft:
            write(request, draft, metadata, progress)
    return paths


def _check_model(model: Format, request: FrameRequest, path: Path) -> None:
    """Raise an error if the format of a model or table cannot hold what is requested.

    Args:
        model: the format; `model.scene` tells whether it has a camera and a floor.
        request: the frames: their animation, times [s], size [pixels] and camera.
        path: path of the file, for messages.

    Raises:
        ParameterError: options of pixels are requested, or a camera or transparency that the format
            does not have; or a library is missing.
    """
    # Some formats need a library; its absence is an error here, before the work.
    if model.require:
        load(model.require)()
    if request.supersampling > 1 or request.blur > 1:
        raise ParameterError(
            _(
                "{path}: {name} has no pixels; leave out supersampling and blur",
                path=path,
                name=model.name,
            )
        )
    if not model.scene and request.view not in (DEFAULT_VIEW, FREE_VIEW):
        raise ParameterError(
            _(
                "{path}: {name} has no camera; use .glb, .gltf or .usdz",
                path=path,
                name=model.name,
            )
        )
    if not model.scene and request.transparent:
        raise ParameterError(
            _(
                "{path}: {name} has no background to leave out",
                path=path,
                name=model.name,
            )
        )


def require_usd() -> None:
    """Check that the USD library is installed.

    Raises:
        ParameterError: the library is not installed.
    """
    require_library("pxr", "usd", _("USD files"))


@contextlib.contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C until the context ends.

    The USD library swallows an interrupt while it loads, and the export would continue. Here the
    first interrupt that arrives is kept, and handled at the end in the usual way.
    """
    # Only the main thread can set handlers, and only it handles signals.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[tuple[Any, ...]] = []
    handler = signal.signal(signal.SIGINT, lambda *interrupt: received.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        # A handler may also be a constant, which stands for the default or for ignoring the signal.
        if received and callable(handler):
            handler(*received[0])


TRIAL_FRAMES = 24
"""Frames that are written to estimate the cost of all."""


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of an export.

    Args:
        frames: their exact number.
        duration: playing time, of a web page that of its loop; 0 of a still picture, [s].
        size: size of all files, approximately, [bytes].
        seconds: time to write them, approximately, [s].
    """

    frames: int
    duration: float
    size: float
    seconds: float


def estimate(job: Job, options: WriteOptions, trial: int = TRIAL_FRAMES) -> Estimate:
    """Estimate what a job will cost on this machine.

    Args:
        job: the files to write.
        options: how to write them.
        trial: number of frames that are written to measure their cost; at least 2. Jobs of no more
            frames are written whole.

    Raises:
        JuggleError: the job itself would fail; files that already exist are not checked.
    """
    request = job.request
    if request.frames <= trial:
        cost = run_trial(job, options, request.frames)
        return Estimate(request.frames, job.duration, size=cost.size, seconds=cost.seconds)

    # Two trials of different length. The first frame is the largest, and its time includes the
    # setup, so only the cost of later frames is extrapolated: the additional bytes of the longer
    # trial, and the time from frame to frame. If by chance the longer trial is not larger, later
    # frames count as 0 bytes.
    first_half = run_trial(job, options, trial // 2)
    both_halves = run_trial(job, options, trial)
    frames_left = request.frames - trial
    size_per_frame = max(both_halves.size - first_half.size, 0) / (trial - trial // 2)
    size = both_halves.size + size_per_frame * frames_left
    seconds = both_halves.seconds + both_halves.per_frame * frames_left
    return Estimate(request.frames, job.duration, size=size, seconds=seconds)


@dataclass(frozen=True)
class Trial:
    """The cost of the first frames.

    Args:
        size: size of all files, [bytes].
        seconds: time to write them, [s].
        per_frame: mean time for each frame while frames are drawn and written at once, [s].
        size_per_frame: mean size of the frames after the first, [bytes]; None if a file does not
            have one size for each frame, or there is only one.
    """

    size: int
    seconds: float
    per_frame: float
    size_per_frame: float | None


def run_trial(job: Job, options: WriteOptions, frames: int) -> Trial:
    """Write the first frames of a job to a temporary folder, and measure their time and size.

    From these the cost of the whole job is estimated.

    Args:
        job: the files to write.
        options: how to write them.
        frames: number of frames, at least 1 and at most those of the job.

    Raises:
        JuggleError: the job itself would fail.
    """
    if frames < job.request.frames:
        job = replace(job, request=replace(job.request, seconds=frames / job.request.fps))
    # The start, and then the time at which each frame is reported as done, [s].
    times = [time.perf_counter()]

    def record_time(_done: int, _total: int) -> None:
        """Note the time at which a frame is done."""
        times.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        written = job.in_folder(Path(folder)).write(
            force=True, progress=record_time, options=replace(options, resume=False, subtitles="")
        )
        seconds = time.perf_counter() - times[0]
        sizes = _sizes(written) if job.kind in ("frames", "video") else []
        size = sum(path.stat().st_size for path in written)

    # The mean time from frame to frame. The time of the first frame includes the setup. The last
    # `job.waiting` frames are drawn while they wait for the writer, so they are reported faster.
    # Both are left out, but two times are kept if there are two.
    steady_times = times[1 : max(len(times) - job.waiting, 3)]
    per_frame = (steady_times[-1] - steady_times[0]) / max(len(steady_times) - 1, 1)
    # Some formats merge or add packets, so sizes of frames are known only if there is one packet
    # for each.
    mean_size = mean(sizes[1:]) if len(sizes) == frames > 1 else None
    return Trial(size, seconds, per_frame=per_frame, size_per_frame=mean_size)


def _sizes(paths: list[Path]) -> list[int]:
    """Return the size of each file of pictures, or of each frame of a single film, [bytes].

    Args:
        paths: the files of pictures, or a single film; not empty.
    """
    if len(paths) > 1:
        return [path.stat().st_size for path in paths]
    import av

    with av.open(str(paths[0])) as container:
        return [packet.size for packet in container.demux(video=0) if packet.size]
