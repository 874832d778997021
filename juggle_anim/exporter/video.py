"""A video: H.264 in MP4, which plays everywhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.shots import Shots
from juggle_anim.whole_file import cannot_write, whole_file

if TYPE_CHECKING:
    from av.container import OutputContainer

QUALITY = 18
"""Constant rate factor of x264: 18 looks the same as the original."""

# Numbers that H.264 gives to the colours of BT.709; without them players guess, and colours shift.
_BT709 = 1
_LIMITED_RANGE = 1


def write_video(shots: Shots, path: Path, force: bool, progress: Callable[[int, int], None] | None) -> Path:
    """Write the pictures as one MP4 file; it appears when it is whole.

    Args:
        shots: what to write; width and height must be even.
        path: the file; its folder is made.
        force: whether a file that is there may be replaced.
        progress: called with the number of frames written and of all frames.

    Raises:
        ParameterError: the size is odd.
        ExportError: the file exists and `force` is not given, or it cannot be written.
    """
    import av

    if shots.size[0] % 2 or shots.size[1] % 2:
        raise ParameterError(f"{shots.size[0]}x{shots.size[1]}: a video's width and height must be even")
    _prepare(path, force)
    try:
        # The container is closed, and with that complete, before the draft takes its name.
        with whole_file(path) as draft, av.open(str(draft), "w", options={"movflags": "faststart"}) as container:
            _encode(shots, container, progress)
    except av.error.FFmpegError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def _prepare(path: Path, force: bool) -> None:
    with cannot_write(path):
        if path.is_dir():
            raise ExportError(f"{path}: is a folder, and a video is a file; choose another name")
        if path.exists() and not force:
            raise ExportError(f"{path}: exists already; choose another name, or add --force to replace it")
        path.parent.mkdir(parents=True, exist_ok=True)


def _encode(shots: Shots, container: OutputContainer, progress: Callable[[int, int], None] | None) -> None:
    import av
    from av.video.reformatter import ColorRange, Colorspace, VideoReformatter

    rate = Fraction(shots.fps).limit_denominator(1001)
    stream = container.add_stream("libx264", rate=rate, options={"crf": str(QUALITY), "preset": "veryfast"})
    stream.width, stream.height = shots.size
    stream.pix_fmt = "yuv420p"
    context = stream.codec_context
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = _LIMITED_RANGE
    to_bt709 = VideoReformatter()
    for number, image in enumerate(shots.images(), 1):
        rgb = av.VideoFrame.from_ndarray(image, format="rgb24")
        frame = to_bt709.reformat(
            rgb, format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
        )
        container.mux(stream.encode(frame))
        if progress:
            progress(number, shots.frames)
    container.mux(stream.encode(None))
