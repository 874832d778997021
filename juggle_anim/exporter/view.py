"""Views: the direction of an export's camera, by name or by angles."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from juggle_anim.animation import Animation
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import CAMERA_PRESETS


@dataclass(frozen=True)
class View:
    """A direction to look from; the camera stands where it sees the whole pattern.

    Args:
        name: one word that is safe in a file name.
        azimuth, elevation: as for `Animation.camera`, [°]; None for the default.
    """

    name: str
    azimuth: float | None = None
    elevation: float | None = None

    def camera(self, animation: Animation, aspect: float) -> Camera:
        """The camera for a picture `aspect` times as wide as high."""
        angles = {"azimuth": self.azimuth, "elevation": self.elevation}
        return animation.camera(aspect, **{name: math.radians(a) for name, a in angles.items() if a is not None})


VIEWS = tuple(View(name, *angles) for name, angles in CAMERA_PRESETS.items())
"""The named views."""

DEFAULT_VIEW = VIEWS[0]
"""The initial view of the viewer."""


def read_view(text: str) -> View:
    """Read a view from its name, or from azimuth and elevation in degrees, as 30,10.

    Raises:
        ParameterError: the text is neither, or the elevation is not from −85 to 85°.
    """
    for view in VIEWS:
        if view.name == text.strip().casefold():
            return view
    angles = re.fullmatch(r" *(-?\d{1,3}(?:\.\d{1,6})?) *, *(-?\d{1,3}(?:\.\d{1,6})?) *", text, re.ASCII)
    if not angles:
        near = did_you_mean(text.strip().casefold(), [view.name for view in VIEWS])
        raise ParameterError(f"there is no camera {printable(text, 40)!r}: {near}, or azimuth and elevation as 30,10")
    azimuth, elevation = float(angles[1]), float(angles[2])
    if abs(elevation) > _MAX_ELEVATION:
        raise ParameterError(
            f"a camera cannot look from {elevation:g}°: elevation goes from -{_MAX_ELEVATION} to {_MAX_ELEVATION}"
        )
    return View(f"{azimuth:g},{elevation:g}", azimuth, elevation)


_MAX_ELEVATION = 85
