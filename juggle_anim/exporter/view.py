"""Views of an export: from where the camera looks, by name, by angles or along a path."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from juggle_anim.animation import AZIMUTH, Animation
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.exporter.camera_path import CameraPath, read_camera_path
from juggle_anim.exporter.options import TURNTABLE
from juggle_anim.language import _
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import CAMERA_PRESETS, EYE_VIEW

_MAX_ELEVATION = 85  # °, of a view by angles


@dataclass(frozen=True)
class View:
    """A direction to look from; the camera stands where it sees the whole pattern.

    Args:
        name: one word that is safe in a file name.
        azimuth, elevation: as for `Animation.camera`, [°]; None for the default.
        path: how it moves; None for a camera that stands still.
    """

    name: str
    azimuth: float | None = None
    elevation: float | None = None
    path: CameraPath | None = None

    def camera(self, animation: Animation, aspect: float) -> Camera:
        """The camera for a picture `aspect` times as wide as high.

        Raises:
            ParameterError: it moves, as a juggler's eyes do.
        """
        if self.name == EYE_VIEW or self.path:
            moves = _("with a head") if self.name == EYE_VIEW else _("while a film plays")
            raise ParameterError(
                _(
                    "camera {camera} moves {how}, so it is for pictures and films only; choose another here",
                    camera=self.name,
                    how=moves,
                )
            )
        around = AZIMUTH if self.azimuth is None else math.radians(self.azimuth)
        return animation.camera(aspect, around, None if self.elevation is None else math.radians(self.elevation))


VIEWS = tuple(View(name, *angles) for name, angles in CAMERA_PRESETS.items())
"""The named views."""

EYES = View(EYE_VIEW)
"""What the first juggler sees."""

DEFAULT_VIEW = VIEWS[0]
"""The initial view of the viewer."""


def read_view(text: str) -> View:
    """Read a view from its name, from azimuth and elevation in degrees, as 30,10, or from keys of a camera path.

    Raises:
        ParameterError: the text is none of these, or the elevation is not from −85 to 85°.
    """
    if path := read_camera_path(text, _angles_of):
        return View(" ".join(text.split()).casefold(), path=path)
    return _standing_view(text)


def _angles_of(text: str) -> tuple[float | None, float | None]:
    view = _standing_view(text)
    if view == EYES:
        reason = _("camera {camera} moves with a head; a camera path goes through other views", camera=EYE_VIEW)
        raise ParameterError(reason, "camera")
    return view.azimuth, view.elevation


def _standing_view(text: str) -> View:
    for view in (*VIEWS, EYES):
        if view.name == text.strip().casefold():
            return view
    angles = re.fullmatch(r" *(-?\d{1,3}(?:\.\d{1,6})?) *, *(-?\d{1,3}(?:\.\d{1,6})?) *", text, re.ASCII)
    if not angles:
        near = did_you_mean(text.strip().casefold(), [*(view.name for view in (*VIEWS, EYES)), TURNTABLE])
        name = _("camera is {text!r}", text=printable(text, 40))
        raise ParameterError(_("{name}: {near}, or azimuth and elevation as 30,10", name=name, near=near), "camera")
    azimuth, elevation = float(angles[1]), float(angles[2])
    if abs(elevation) > _MAX_ELEVATION:
        accepted = _(
            "azimuth and elevation, and that from -{max_elevation} to {max_elevation}°", max_elevation=_MAX_ELEVATION
        )
        raise ParameterError.of("camera", text.strip(), accepted)
    return View(f"{azimuth:g},{elevation:g}", azimuth, elevation)
