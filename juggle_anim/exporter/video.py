"""Videos and animated pictures: all frames in one file, which takes its name when it is
complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.atomic_file import atomic_file
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, AddFrame, Progress, WriteOptions
from juggle_anim.exporter.overlapped import overlapped
from juggle_anim.exporter.resume import claim
from juggle_anim.exporter.stills import check_edges
from juggle_anim.formats import VIDEOS, Format, load
from juggle_anim.language import _

OpenVideo = Callable[[DrawnFrames, Path, WriteOptions, str], AbstractContextManager[AddFrame]]
"""Opens a video of frames, from the file to write, options and metadata in ASCII; gives a function
that adds frames.

The file is complete when the context has ended without an error.
"""


_BROADCAST = tuple(Fraction(1000 * whole, 1001) for whole in (24, 30, 48, 60, 120))
_ROUNDED = 0.006  # frames a second by which they differ from how they are written, 23.98 or 29.97


def open_video(
    frames: DrawnFrames, path: Path, partial: Path, options: WriteOptions, metadata: str
) -> AbstractContextManager[AddFrame]:
    """Open a video of the format that the ending of `path` names, in the file `partial`."""
    opener: OpenVideo = load(VIDEOS[path.suffix.casefold()].video)
    return opener(frames, partial, options, metadata)


def frame_ticks(request: FrameRequest, rate: int) -> Integers:
    """When each frame begins, and when the last ends, shape (frames + 1,), in ticks of 1/rate s.

    No time is off by more than half a tick: rounding errors don't add up.
    """
    times = np.arange(request.frames + 1) * (request.duration * rate / request.frames)
    whole: Integers = np.rint(times).astype(np.intp)
    return whole


def frame_rate(fps: float) -> Fraction:
    """A frame rate as a fraction that containers can store; 29.97 and its kin are those of
    television, 30000/1001.
    """
    near = (each for each in _BROADCAST if abs(fps - each) < _ROUNDED)
    return next(near, Fraction(fps).limit_denominator(1001))


def write_video(
    request: FrameRequest,
    path: Path,
    force: bool,
    progress: Progress | None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> Path:
    """Write the frames as one file of the format that its ending names.

    Args:
        request: the frames.
        path: the file; its folder is created.
        force: whether an existing file may be replaced.
        progress: called with the number of frames written and of all frames.
        options: how to write; with `resume`, an existing file is kept if it is complete and of this
            same export.

    Raises:
        ParameterError: the format cannot have such a size, rate, transparency or sound.
        ExportError: the file exists and `force` is not set, it cannot be written, or a codec is
            missing.
    """
    import av

    video = VIDEOS[path.suffix.casefold()]
    check_video(video, request, options)
    request = within_frame_rate(video, request)
    # A soft shadow in one bit would be a black stain.
    request = replace(request, shadows=not (request.transparent and video.one_bit_alpha))
    metadata = request.record(options).text
    if not claim(path, metadata, force, options.resume):
        return path
    frames = DrawnFrames(request)
    try:
        with (
            atomic_file(path, replaces=force or options.resume) as partial,
            open_video(frames, path, partial, options, metadata) as add,
        ):
            for done, _unused in enumerate(overlapped(add, frames.images()), 1):
                if progress:
                    progress(done, request.frames)
    except av.error.FFmpegError as error:
        raise ExportError(
            _("{path}: cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from error
    return path


def check_video(video: Format, request: FrameRequest, options: WriteOptions) -> None:
    """Refuse what a video format cannot hold.

    Raises:
        ParameterError: the size, rate, transparency or sound is not possible.
        ExportError: the video library lacks a codec.
    """
    width, height = request.size
    check_edges(video, request.size)
    if video.even and (width % 2 or height % 2):
        larger = f"{width + width % 2}x{height + height % 2}"
        raise ParameterError(
            _(
                "{width}x{height}: a video's width and height must be even, as those of {larger}",
                width=width,
                height=height,
                larger=larger,
            )
        )
    if request.fps > video.max_fps:
        reason = _(
            "fps is {fps:g}, but {name} shows at most {max_fps:g} frames a second",
            fps=request.fps,
            name=video.name,
            max_fps=video.max_fps,
        )
        raise ParameterError(reason, "fps")
    if request.transparent and not video.alpha:
        kinds = ", ".join(ending for ending, each in VIDEOS.items() if each.alpha)
        raise ParameterError(
            _("{name} cannot be transparent; {kinds} can", name=video.name, kinds=kinds)
        )
    if options.sound and not video.sound:
        kinds = ", ".join(ending for ending, each in VIDEOS.items() if each.sound)
        raise ParameterError(
            _("{name} cannot have a sound; {kinds} can", name=video.name, kinds=kinds)
        )
    _check_codecs(video)


def within_frame_rate(video: Format, request: FrameRequest) -> FrameRequest:
    """The request, with one frame less where rounding made it slightly faster than the format's
    clock.
    """
    limit = math.floor(request.duration * video.max_fps + 1e-6)
    if request.seconds is None and 0 < limit < request.frames:
        return replace(request, fps=limit / request.duration)
    return request


def _check_codecs(video: Format) -> None:
    import av

    for codec in video.codecs:
        if codec not in av.codecs_available:
            raise ExportError(
                _(
                    "{name} needs the codec {codec}, which this build of PyAV lacks: pip "
                    "install av",
                    name=video.name,
                    codec=codec,
                )
            )
