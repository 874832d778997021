"""A GIF of pictures that a browser has drawn."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_SAMPLES = 8  # pictures whose colours are those of all


def gif(pixels: bytes, width: int, height: int, fps: float, comment: str) -> bytes:
    """Return a GIF that repeats for ever.

    Args:
        pixels: of all pictures, one after another: red, green, blue and opacity of each pixel, a
            byte each, the top row first.
        width, height: [pixels].
        fps: [pictures/s].
        comment: text for the file to carry.
    """
    from PIL import Image

    size = width, height
    count = 4 * width * height

    def pictures(step: int) -> Iterator[Picture]:
        for start in range(0, len(pixels), step * count):
            picture = Image.frombytes("RGBA", size, pixels[start : start + count])
            yield picture.convert("RGB")

    # One palette for all, so that still parts do not flicker.
    samples = list(pictures(max(1, len(pixels) // count // _SAMPLES)))
    mosaic = Image.new("RGB", (width, height * len(samples)))
    for number, picture in enumerate(samples):
        mosaic.paste(picture, (0, number * height))
    palette = mosaic.quantize(256, method=Image.Quantize.MEDIANCUT)
    first, *others = (picture.quantize(palette=palette, dither=Image.Dither.NONE)
                      for picture in pictures(1))  # fmt: skip
    packed = io.BytesIO()
    first.save(
        packed,
        "GIF",
        save_all=True,
        append_images=others,
        duration=1000 / fps,
        loop=0,
        comment=comment.encode(),
    )
    return packed.getvalue()
