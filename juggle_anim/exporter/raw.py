"""Raw frames for another program: pixels one after another, or YUV4MPEG2, which also says size and rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.frames import overlapped
from juggle_anim.exporter.options import Progress
from juggle_anim.exporter.video import frame_rate
from juggle_anim.language import _

RAW_FORMATS = ("y4m", "rgb24", "rgba")
"""The names of the formats, as FFmpeg has them; the first is the default."""


def write_raw(request: FrameRequest, kind: str, stream: BinaryIO, progress: Progress | None) -> None:
    """Write all frames to a stream.

    Args:
        request: the frames.
        kind: one of `RAW_FORMATS`. Rows of rgb24 and rgba go from the top, with 3 and 4 bytes a pixel; y4m has planes
            of Y, Cb and Cr, a byte each for a pixel (BT.709, limited range).
        stream: where bytes go.
        progress: called with the number of frames written and of all frames.

    Raises:
        ParameterError: there is no such format, or it has no alpha and the request is transparent.
        BrokenPipeError: the other program has ended.
    """
    if kind not in RAW_FORMATS:
        near = did_you_mean(kind, RAW_FORMATS)
        raise ParameterError(_("format is {format!r}: {near}", format=kind, near=near), "format")
    if request.depth > 8:
        raise ParameterError(_("raw frames have 8 bits a channel"), "depth")
    if request.transparent and kind != "rgba":
        raise ParameterError(_("{format} frames cannot be transparent; rgba can", format=kind))
    content: Callable[[Bytes], bytes] = _with_alpha if kind == "rgba" else np.ndarray.tobytes
    if kind == "y4m":
        stream.write(_y4m_header(request))
        content = _y4m_frame()

    def write(image: Bytes) -> None:
        stream.write(content(image))

    for done, _written in enumerate(overlapped(write, request.images()), 1):
        if progress:
            progress(done, request.frames)
    stream.flush()


def _with_alpha(image: Bytes) -> bytes:
    if image.shape[2] == 3:
        image = np.concatenate([image, np.full((*image.shape[:2], 1), 255, dtype=np.uint8)], axis=2)
    return image.tobytes()


def _y4m_header(request: FrameRequest) -> bytes:
    """The line before all frames (MJPEG tools, "YUV4MPEG2")."""
    (width, height), rate = request.size, frame_rate(request.fps)
    about = f"W{width} H{height} F{rate.numerator}:{rate.denominator} Ip A1:1 C444 XCOLORRANGE=LIMITED"
    return f"YUV4MPEG2 {about}\n".encode("ascii")


def _y4m_frame() -> Callable[[Bytes], bytes]:
    """A function from an image to its frame: a line, then three planes."""
    from juggle_anim.exporter.ffmpeg import bt709_converter

    convert = bt709_converter("yuv444p")
    return lambda image: b"FRAME\n" + convert(image).to_ndarray().tobytes()
