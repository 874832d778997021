"""Small films for tests, whose pictures tell their number by their brightness."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

STEP = 4
"""How much brighter each picture is than the one before."""


def write_film(
    path: Path,
    count: int = 60,
    rate: int = 30,
    size: tuple[int, int] = (64, 48),
    times: Sequence[float] = (),
    key_every: int = 250,
    brighter_left: bool = False,
) -> Path:
    """Write a film of grey pictures.

    Args:
        path: its ending says the format; a GIF is red where the others are grey, and transparent at
            its left.
        count: of pictures.
        rate: of pictures, [1/s].
        size: width and height, [pixels].
        times: of pictures, [s], where these are not even.
        key_every: how many pictures there are for each key frame.
        brighter_left: whether the left halves of pictures are white.
    """
    codec, form = {".gif": ("gif", "bgra"), ".webm": ("libvpx-vp9", "yuv420p")}.get(
        path.suffix, ("libx264", "yuv420p")
    )
    codec, form = ("gif", "pal8") if path.suffix == ".gif" else (codec, form)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = *size, form, key_every
        stream.options = {"crf": "4"}
        for number in range(count):
            picture = av.VideoFrame.from_ndarray(*_picture(number, size, form, brighter_left))
            if times:
                picture.pts, picture.time_base = round(1000 * times[number]), Fraction(1, 1000)
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


def _picture(
    number: int, size: tuple[int, int], form: str, brighter_left: bool
) -> tuple[object, str]:
    wide, high = size
    if form != "pal8":
        grey = np.full((high, wide, 3), STEP * number % 256, dtype=np.uint8)
        grey[:, : wide // 2 * brighter_left] = 255
        return grey, "rgb24"
    indices = np.ones((high, wide), dtype=np.uint8)
    indices[:, : wide // 2] = 0
    palette = np.zeros((256, 4), dtype=np.uint8)  # alpha, red, green, blue
    palette[1:] = 255, STEP * number % 256, 0, 0
    return (indices, palette), "pal8"


def number_of(pixels: np.ndarray) -> int:
    """Return the number of a picture, from its pixels, shape (height, width, 4)."""
    return round(float(pixels[:, pixels.shape[1] * 3 // 4, 0].mean()) / STEP)
