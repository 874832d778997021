"""Cameras that move while a film plays: once around, or from view to view."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from juggle_anim.animation import AZIMUTH, Animation
from juggle_anim.arrays import Floats
from juggle_anim.errors import ParameterError, printable
from juggle_anim.exporter.options import TURNTABLE
from juggle_anim.language import _
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import LOWEST
from juggle_anim.scene.framing import circling

MAX_KEYS = 100
"""Of a camera path."""

Angles = tuple[float | None, float | None]
"""Azimuth and elevation, [°]; None for the default."""

_KEY = re.compile(r"(\S+)@(\d{1,6}(?:\.\d{1,6})?)", re.ASCII)
_SEEN_FROM = 73  # places on the way from which everything must be seen


@dataclass(frozen=True)
class CameraPath:
    """Where a camera is while a film plays; always as far away that it sees the whole pattern from everywhere.

    Args:
        times: of the keys, ascending, [s]; empty for once around in the time of the film, at an even pace.
        angles: of each key; between keys the camera starts and stops gently.
    """

    times: tuple[float, ...] = ()
    angles: tuple[Angles, ...] = ()

    def cameras(self, animation: Animation, aspect: float, played: Floats, duration: float) -> list[Camera]:
        """Return the cameras of a film.

        Args:
            animation: what is to be seen.
            aspect: width of the picture over its height.
            played: since the beginning of the film, shape (N,), [s].
            duration: of the film, [s].
        """
        seen = self._places(animation, np.linspace(0.0, duration, _SEEN_FROM), duration)
        nearest = [animation.camera(aspect, *place) for place in np.unique(np.round(seen, 6), axis=0).tolist()]
        target, away = circling(nearest)
        return [
            replace(nearest[0], eye=_eye(target, away, azimuth, elevation), target=target)
            for azimuth, elevation in self._places(animation, played, duration).tolist()
        ]

    def _places(self, animation: Animation, played: Floats, duration: float) -> Floats:
        """Azimuth and elevation at some times, shape (N, 2), [rad]."""
        usual = float(AZIMUTH), animation.elevation
        if not self.times:
            turned = usual[0] + 2 * np.pi * played / duration
            return np.stack([turned, np.full(len(played), usual[1])], axis=-1)
        return self.angles_between(played, usual)

    def angles_between(self, played: Floats, usual: tuple[float, float]) -> Floats:
        """Azimuth and elevation of a path with keys at some times, shape (N, 2), [rad].

        Args:
            played: shape (N,), [s].
            usual: what keys without angles have, [rad].
        """
        times, given = np.array(self.times), np.radians(np.array(self.angles, dtype=float))
        angles = np.where(np.isnan(given), usual, given)
        if len(times) == 1:
            return np.tile(angles, (len(played), 1))
        before = np.clip(np.searchsorted(times, played, side="right") - 1, 0, len(times) - 2)
        share = np.clip((played - times[before]) / (times[before + 1] - times[before]), 0.0, 1.0)
        share = share**2 * (3 - 2 * share)
        found: Floats = angles[before] + share[:, None] * (angles[before + 1] - angles[before])
        return found


def read_camera_path(text: str, angles_of: Callable[[str], Angles]) -> CameraPath | None:
    """Read `turntable`, or keys such as `front@0 left@2 60,20@4`; None where the text is neither.

    Args:
        text: as it was typed.
        angles_of: reads a view.

    Raises:
        ParameterError: keys are too many or do not ascend, or `angles_of` raises it.
    """
    if text.strip().casefold() == TURNTABLE:
        return CameraPath()
    if "@" not in text:
        return None
    keys = [key for key in map(_KEY.fullmatch, text.split()) if key]
    if len(keys) != len(text.split()) or len(keys) > MAX_KEYS:
        accepted = _(
            "up to {number} views with the seconds at which they are reached, as front@0 left@2 60,20@4",
            number=MAX_KEYS,
        )
        raise ParameterError.of("camera", text, accepted)
    times = tuple(float(key[2]) for key in keys)
    if any(later <= time for time, later in pairwise(times)):
        reason = _("camera is {text!r}: each view must be reached after the one before", text=printable(text, 40))
        raise ParameterError(reason, "camera")
    return CameraPath(times, tuple(angles_of(key[1]) for key in keys))


def _eye(
    target: tuple[float, float, float], away: float, azimuth: float, elevation: float
) -> tuple[float, float, float]:
    x, y, z = target
    level = away * math.cos(elevation)
    up = max(y + away * math.sin(elevation), LOWEST)
    return x + level * math.sin(azimuth), up, z + level * math.cos(azimuth)
