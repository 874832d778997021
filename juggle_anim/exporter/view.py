"""Views of an export: from where the camera looks, by name, by angles or along a path."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from juggle_anim.animation import AZIMUTH, Animation
from juggle_anim.arrays import Floats
from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.exporter.options import TURNTABLE
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera
from juggle_anim.scene.camera import CAMERA_PRESETS, EYE_VIEW, LOWEST
from juggle_anim.scene.framing import circling
from juggle_anim.scene.viewpoint import Viewpoint

MAX_KEYS = 100
"""The most keys of a camera path."""

Angles = tuple[float | None, float | None]
"""Azimuth and elevation, [°]; None for the default."""

_KEY = re.compile(r"(\S+)@(\d{1,6}(?:\.\d{1,6})?)", re.ASCII)
_FRAMING_SAMPLES = 73  # of a camera path, from each of which everything must be seen

_MAX_ELEVATION = 85  # °, of a view by angles


@dataclass(frozen=True)
class CameraPath:
    """The path of a camera while a film plays.

    Its distance is always the same, from which it sees the whole pattern everywhere on the path.

    Args:
        times: of the keys, strictly ascending, since the beginning of the film, [s]; empty for a
            turntable: once around in the time of the film, at an even pace.
        angles: of each key, [°], as many as times; between keys the camera starts and stops
            gently.
    """

    times: tuple[float, ...] = ()
    angles: tuple[Angles, ...] = ()

    def cameras(
        self, animation: Animation, aspect: float, film_times: Floats, duration: float
    ) -> list[Camera]:
        """Return a camera for each of N times, all at the same distance from the same target.

        Args:
            animation: what is to be seen.
            aspect: width of the picture over its height.
            film_times: times since the beginning of the film, shape (N,), [s].
            duration: of the film, [s].
        """
        # At samples of the path, cameras are placed as near as they can be to see all. `circling`
        # gives the mean of their targets and a distance from which all that they see is seen.
        sample_times = np.linspace(0.0, duration, _FRAMING_SAMPLES)
        # To place a camera takes time, so views that are equal but for rounding get only one.
        samples = np.unique(np.round(self._angles(animation, sample_times, duration), 6), axis=0)
        nearest = [animation.camera(aspect, *angles) for angles in samples.tolist()]
        target, distance = circling(nearest)
        return [
            replace(nearest[0], eye=_eye(target, distance, azimuth, elevation), target=target)
            for azimuth, elevation in self._angles(animation, film_times, duration).tolist()
        ]

    def _angles(self, animation: Animation, film_times: Floats, duration: float) -> Floats:
        """Return azimuth and elevation at N times, shape (N, 2), [rad].

        Args:
            animation: whose default view stands for angles that are not given.
            film_times: times since the beginning of the film, shape (N,), [s].
            duration: of the film, [s].
        """
        azimuth = float(AZIMUTH)
        elevation = animation.elevation
        if not self.times:
            # A turntable: once around, from the default view on.
            azimuths = azimuth + 2 * np.pi * film_times / duration
            return np.stack([azimuths, np.full(len(film_times), elevation)], axis=-1)
        return self.angles_between(film_times, (azimuth, elevation))

    def angles_between(self, film_times: Floats, usual: tuple[float, float]) -> Floats:
        """Return azimuth and elevation between the keys of the path, shape (N, 2), [rad].

        Before the first key and after the last one the camera stands still.

        Args:
            film_times: times since the beginning of the film, shape (N,), [s].
            usual: default azimuth and elevation, for keys in which these are None, [rad].
        """
        times = np.array(self.times)
        # In an array of floating-point numbers None becomes NaN.
        typed = np.radians(np.array(self.angles, dtype=float))
        angles = np.where(np.isnan(typed), usual, typed)
        if len(times) == 1:
            return np.tile(angles, (len(film_times), 1))
        # The key before each time, and the share of the time to the next key that has passed. Both
        # are clipped: before the first key the share is 0, and behind the last one it is 1.
        before = np.clip(np.searchsorted(times, film_times, side="right") - 1, 0, len(times) - 2)
        progress = np.clip(
            (film_times - times[before]) / (times[before + 1] - times[before]), 0.0, 1.0
        )
        # Smooth step 3s² - 2s³: a gentle start and stop at each key.
        progress = progress**2 * (3 - 2 * progress)
        interpolated: Floats = angles[before] + progress[:, None] * (
            angles[before + 1] - angles[before]
        )
        return interpolated


def read_camera_path(text: str, angles_of: Callable[[str], Angles]) -> CameraPath | None:
    """Read `turntable`, or keys of a path such as `front@0 left@2 60,20@4`.

    A key is a view and, behind @, the time in the film at which it is reached, [s].

    Args:
        text: as it was typed.
        angles_of: reads the view of a key, as azimuth and elevation [°].

    Returns:
        The path; None if the text is neither, as it has no @.

    Raises:
        ParameterError: keys are misspelt, too many or not ascending, or `angles_of` raises it.
    """
    if text.strip().casefold() == TURNTABLE:
        return CameraPath()
    if "@" not in text:
        return None
    # Words that are no keys drop out here, so that fewer keys than words mean an error.
    keys = [key for key in map(_KEY.fullmatch, text.split()) if key]
    if len(keys) != len(text.split()) or len(keys) > MAX_KEYS:
        accepted = _(
            "up to {number} views, each with its time in seconds, such as front@0 left@2 60,20@4",
            number=MAX_KEYS,
        )
        raise ParameterError.of("camera", text, accepted)
    times = tuple(float(key[2]) for key in keys)
    # The camera cannot be at two places at once.
    if any(later <= time for time, later in pairwise(times)):
        reason = _(
            "camera is {text!r}: each view needs a later time than the one before",
            text=printable(text, 40),
        )
        raise ParameterError(reason, "camera")
    return CameraPath(times, tuple(angles_of(key[1]) for key in keys))


def _eye(
    target: tuple[float, float, float], distance: float, azimuth: float, elevation: float
) -> tuple[float, float, float]:
    """Return the position of a camera by distance and angles, x, y and z in the world, [m].

    Args:
        target: where the camera looks, [m].
        distance: from the target, [m].
        azimuth: 0 is on the side of +z, growing towards +x, [rad].
        elevation: above the level of the target, negative below it, [rad].
    """
    x, y, z = target
    horizontal = distance * math.cos(elevation)
    # A camera may not stand below `LOWEST`, in the floor; it then stays at that height.
    eye_y = max(y + distance * math.sin(elevation), LOWEST)
    return x + horizontal * math.sin(azimuth), eye_y, z + horizontal * math.cos(azimuth)


@dataclass(frozen=True)
class View:
    """A direction to look from; the camera stands where it sees the whole pattern.

    Args:
        name: one word that is safe in a file name.
        azimuth, elevation: as for `Animation.camera`, [°]; None for the default.
        path: how it moves; None for a camera that stands still.
        moment: the only time at which it sees the whole pattern, [s] of that; None for all.
        free: whether it may be another for a still picture, as nobody has chosen it.
    """

    name: str
    azimuth: float | None = None
    elevation: float | None = None
    path: CameraPath | None = None
    moment: float | None = None
    free: bool = False

    def camera(self, animation: Animation, aspect: float) -> Camera:
        """Return the camera of this view, which stands still.

        Args:
            animation: what is to be seen.
            aspect: width of the picture over its height.

        Raises:
            ParameterError: the view moves, as a juggler's eyes or a camera path do.
        """
        if self.name == EYE_VIEW or self.path:
            moves = _("with a head") if self.name == EYE_VIEW else _("while a video plays")
            raise ParameterError(
                _(
                    "camera {camera} moves {how}, so it works only for pictures and videos; "
                    "choose another",
                    camera=self.name,
                    how=moves,
                )
            )
        azimuth = AZIMUTH if self.azimuth is None else math.radians(self.azimuth)
        elevation = None if self.elevation is None else math.radians(self.elevation)
        return animation.camera(aspect, azimuth, elevation, moment=self.moment)


VIEWS = tuple(View(name, *angles) for name, angles in CAMERA_PRESETS.items())
"""The named views."""

EYES = View(EYE_VIEW)
"""What the first juggler sees."""

DEFAULT_VIEW = VIEWS[0]
"""The initial view of the viewer."""

FREE_VIEW = replace(DEFAULT_VIEW, free=True)
"""The same where a still picture may have a better one."""


def compose(
    animation: Animation, view: View, start: float | None, aspect: float
) -> tuple[View, float]:
    """Return the view and the time of a still picture, the best where they are not chosen.

    A free view sees what there is at that moment alone, so that people are large.

    Args:
        animation: what is to be seen.
        view: of the picture; one that moves is left as it is.
        start: time of the picture, [s] of the pattern; None for the best, or for 0 in a view that
            moves.
        aspect: width of the picture over its height.
    """
    if view.name == EYE_VIEW or view.path or (start is not None and not view.free):
        return view, start or 0.0
    azimuth = AZIMUTH if view.azimuth is None else math.radians(view.azimuth)
    elevation = animation.elevation if view.elevation is None else math.radians(view.elevation)
    times = None if start is None else np.array([start])
    best = animation.viewpoint(aspect, times, None if view.free else (azimuth, elevation))
    return _from(view, best) if view.free else view, best.time


def steady(animation: Animation, view: View, times: Floats, aspect: float) -> View:
    """Return the view, the best where it is free, of a picture of several moments.

    Args:
        animation, view, aspect: as of `compose`.
        times: of the moments, shape (T,), [s] of the pattern.
    """
    if not view.free:
        return view
    return replace(_from(view, animation.viewpoint(aspect, times)), moment=None)


def _from(view: View, viewpoint: Viewpoint) -> View:
    """A view of the same name from a viewpoint, which sees all that is there at its time."""
    angles = math.degrees(viewpoint.azimuth), math.degrees(viewpoint.elevation)
    return View(view.name, *angles, moment=viewpoint.time)


def read_view(text: str) -> View:
    """Read a view from its name, from azimuth and elevation [°] as 30,10, or from a camera path.

    Case and spaces around the text do not matter.

    Raises:
        ParameterError: the text is none of these, or the elevation is not from −85 to 85°.
    """
    if path := read_camera_path(text, _angles_of):
        return View(" ".join(text.split()).casefold(), path=path)
    return _standing_view(text)


def _angles_of(text: str) -> Angles:
    """Read a view of a camera path as azimuth and elevation, [°]; None for a default angle.

    Raises:
        ParameterError: it is no view, or moves with a head.
    """
    view = _standing_view(text)
    if view == EYES:
        reason = _(
            "camera {camera} moves with the head, so it cannot be part of a camera path",
            camera=EYE_VIEW,
        )
        raise ParameterError(reason, "camera")
    return view.azimuth, view.elevation


def _standing_view(text: str) -> View:
    """Read a view without a camera path: a name, or azimuth and elevation such as 30,10, [°].

    The name may be that of a juggler's eyes, which do move.

    Raises:
        ParameterError: the text is neither, or the elevation is out of range.
    """
    for view in (*VIEWS, EYES):
        if view.name == text.strip().casefold():
            return view
    # No name: two numbers, with a comma between them.
    angles = re.fullmatch(
        r" *(-?\d{1,3}(?:\.\d{1,6})?) *, *(-?\d{1,3}(?:\.\d{1,6})?) *", text, re.ASCII
    )
    if not angles:
        near = did_you_mean(
            text.strip().casefold(), [*(view.name for view in (*VIEWS, EYES)), TURNTABLE]
        )
        name = _("camera is {text!r}", text=printable(text, 40))
        raise ParameterError(
            _("{name}: {near}, or azimuth and elevation such as 30,10", name=name, near=near),
            "camera",
        )
    azimuth = float(angles[1])
    elevation = float(angles[2])
    if abs(elevation) > _MAX_ELEVATION:
        accepted = _(
            "azimuth and elevation, with elevation from -{max_elevation} to {max_elevation}°",
            max_elevation=_MAX_ELEVATION,
        )
        raise ParameterError.of("camera", text.strip(), accepted)
    return View(f"{azimuth:g},{elevation:g}", azimuth, elevation)
