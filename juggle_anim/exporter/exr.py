"""OpenEXR: pictures in linear light, as programs that compose films take them, in numbers of 16
bits with a point.

Colours have the primaries of BT.709, which are those of sRGB, and are multiplied by alpha, as the
format requires (Academy Software Foundation, "Technical Introduction to OpenEXR"). The file says
so.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from juggle_anim.arrays import Pixels, Singles
from juggle_anim.errors import require_library
from juggle_anim.language import _
from juggle_anim.metadata.images import exr_texts

CHROMATICITIES = 0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290
"""Of red, green, blue and white, x and y each (ITU-R BT.709)."""

COLOUR_SPACE = "lin_rec709_scene"
"""Its name among those that programs agree on (ASWF, "Color Interop Forum")."""


def require_exr() -> None:
    """Check that the library of OpenEXR is installed.

    Raises:
        ParameterError: it is not.
    """
    require_library("OpenEXR", "exr", _("EXR files"))


def exr(picture: Pixels, _quality: str, metadata: str) -> bytes:
    """Encode an EXR, compressed without loss, with the metadata in attributes."""
    import OpenEXR

    light = linear_light(picture)
    header = {
        "type": OpenEXR.scanlineimage,
        "compression": OpenEXR.ZIP_COMPRESSION,
        "chromaticities": CHROMATICITIES,
        "colorInteropID": COLOUR_SPACE,
        **exr_texts(metadata),
    }
    channels = {"RGB" if light.shape[2] == 3 else "RGBA": light.astype(np.float16)}
    # The library writes only to files.
    with tempfile.TemporaryDirectory(prefix="juggle-anim-") as folder:
        path = Path(folder, "picture.exr")
        with OpenEXR.File(header, channels) as file:
            file.write(str(path))
        return path.read_bytes()


def linear_light(picture: Pixels) -> Singles:
    """Light of each pixel from 0 to 1, times its alpha where it has one; same shape.

    Args:
        picture: sRGB, shape (height, width, 3; 4 with straight alpha).
    """
    light = _light_of(np.iinfo(picture.dtype).max)[picture[..., :3]]
    if picture.shape[2] == 3:
        return light
    alpha = picture[..., 3:].astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    return np.concatenate([light * alpha, alpha], axis=2)


@lru_cache(maxsize=2)
def _light_of(most: int) -> Singles:
    """Light of each number up to the greatest (IEC 61966-2-1)."""
    value = np.arange(most + 1) / most
    light: Singles = np.where(
        value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4
    ).astype(np.float32)
    return light
