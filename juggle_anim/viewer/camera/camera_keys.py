"""The camera path of a film, made by hand: views that the camera passes in turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate, islice

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.camera.camera_rig import CameraRig
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.open_cards import CAMERA_PATH, OpenCards

_DEFAULT_SECONDS = 2.0  # s, from a view to the next
_SECONDS_STEP = 0.5  # s, by which a key changes that
_MIN_SECONDS = 0.5  # s; shorter, the camera would jump
_MAX_SECONDS = 60.0  # s
_MAX_ELEVATION = 85.0  # degrees above the horizon from which exports look
_HAND_TURN_TOLERANCE = 1e-6  # radians; a camera that differs by more was turned by a hand
_PATH_SAMPLES = 25  # places on the way from which everything is seen
_MAX_AZIMUTH = 720.0  # most degrees to either side that paths may turn around


@dataclass(frozen=True)
class CameraKey:
    """A view of a camera path.

    Args:
        azimuth, elevation: from where it looks, [°].
        seconds: that the camera takes from the view before; of no meaning for the first.
    """

    azimuth: float
    elevation: float
    seconds: float = _DEFAULT_SECONDS

    @property
    def text(self) -> str:
        """As exports take it."""
        return f"{self.azimuth:.1f},{self.elevation:.1f}"


class CameraKeys:
    """The views of a camera path, of which one is chosen.

    Args:
        rig: gives the camera of the window, which shows views and previews.
        cards: of the window, of which one shows the views.
    """

    def __init__(self, rig: Callable[[], CameraRig], cards: OpenCards) -> None:
        self._rig = rig
        self._cards = cards
        self.keys: list[CameraKey] = []
        self.chosen = 0
        """The number of the chosen view, from 0."""
        self.scroll_to_chosen = False
        """Whether its card scrolls there when it is next drawn."""
        self._preview_time: float | None = None
        self._shown_azimuth = 0.0  # from which it has made the camera look, [rad]

    @property
    def times(self) -> list[float]:
        """When the camera reaches each view, [s] of the film."""
        return (
            list(accumulate((key.seconds for key in self.keys[1:]), initial=0.0))
            if self.keys
            else []
        )

    @property
    def is_path(self) -> bool:
        """Whether there are enough views for a camera to move."""
        return len(self.keys) > 1

    @property
    def text(self) -> str:
        """The path as exports take it, `0.0,8.0@0 90.0,8.0@2`."""
        return " ".join(
            f"{key.text}@{time:g}" for key, time in zip(self.keys, self.times, strict=True)
        )

    @property
    def preview_time(self) -> float | None:
        """The time of the preview, [s]; None while there is none."""
        return self._preview_time

    @property
    def card_actions(self) -> dict[Action, Callable[[], None]]:
        """What each action does while the card of the camera path takes the keys."""
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.choose(self.chosen - 1),
            Action.CHOOSE_NEXT: lambda: self.choose(self.chosen + 1),
            Action.TURN_DOWN: lambda: self.lengthen(-1),
            Action.TURN_UP: lambda: self.lengthen(1),
            Action.ADD_POINT: self.add,
            Action.REMOVE_POINT: self.remove,
            Action.TYPE_VALUE: self.preview,
            Action.BACK: self.toggle,
        }

    def restore(self, keys: Iterable[CameraKey]) -> None:
        """Replace the views by others, such as those of an earlier window.

        Args:
            keys: angles and times that no path can have are brought within bounds, and views beyond
                the greatest number are dropped.
        """
        bounded = (
            CameraKey(
                _clamped_angle(key.azimuth, _MAX_AZIMUTH),
                _clamped_angle(key.elevation, _MAX_ELEVATION),
                _clamped_seconds(key.seconds),
            )
            for key in keys
        )
        self.keys = list(islice(bounded, _most_keys()))
        self.chosen = 0
        self._preview_time = None

    def toggle(self) -> None:
        """Show the card, or hide it."""
        self._cards.toggle(CAMERA_PATH)
        self._preview_time = None

    def add(self) -> None:
        """Add where the camera of the window is, after the chosen view, and choose that.

        Where a path has as many views as it can, nothing is added.
        """
        if len(self.keys) == _most_keys():
            return
        self._preview_time = None
        orbit = self._rig().orbit
        azimuth = math.degrees(orbit.azimuth)
        elevation = _clamped_angle(math.degrees(orbit.elevation), _MAX_ELEVATION)
        index = self.chosen + 1 if self.keys else 0
        if index:
            # The camera goes there by the shorter way: within half a turn from the view before,
            # unless that leaves the azimuths that a path can have.
            previous_azimuth = self.keys[index - 1].azimuth
            azimuth = previous_azimuth + (azimuth - previous_azimuth + 180.0) % 360.0 - 180.0
            if abs(azimuth) > _MAX_AZIMUTH:
                azimuth = math.remainder(azimuth, 360.0)
        self.keys.insert(index, CameraKey(round(azimuth, 1), round(elevation, 1)))
        self.chosen = index
        self.scroll_to_chosen = True

    def remove(self) -> None:
        """Remove the chosen view."""
        if self.keys:
            self._preview_time = None
            del self.keys[self.chosen]
            self.chosen = max(min(self.chosen, len(self.keys) - 1), 0)

    def lengthen(self, steps: int) -> None:
        """Let the camera take longer to the chosen view; the first, where it starts, has no time.

        Args:
            steps: half seconds, negative to shorten.
        """
        if self.chosen and self.keys:
            self._preview_time = None
            key = self.keys[self.chosen]
            self.keys[self.chosen] = replace(
                key, seconds=_clamped_seconds(key.seconds + steps * _SECONDS_STEP)
            )

    def choose(self, number: int) -> None:
        """Choose a view by its number, from 0, and look from there."""
        if self.keys:
            self._preview_time = None
            self.scroll_to_chosen = True
            self.chosen = min(max(number, 0), len(self.keys) - 1)
            key = self.keys[self.chosen]
            self._look_from(key.azimuth, key.elevation)

    def preview(self) -> None:
        """Move the camera of the window along the path, or stop that."""
        self._preview_time = 0.0 if self._preview_time is None and self.is_path else None
        if self._preview_time is not None:
            self._look_from(self.keys[0].azimuth, self.keys[0].elevation)

    def advance(self, elapsed: float) -> bool:
        """Go on with a preview, if there is one.

        Args:
            elapsed: since the last call, [s].

        Returns:
            Whether the camera moves.
        """
        # A camera that looks from elsewhere was turned by the user, which ends the preview.
        if (
            self._preview_time is not None
            and abs(self._rig().orbit.azimuth - self._shown_azimuth) > _HAND_TURN_TOLERANCE
        ):
            self._preview_time = None
        if self._preview_time is None:
            return False
        times = self.times
        self._preview_time = min(self._preview_time + elapsed, times[-1])
        azimuth, elevation = np.degrees(self._angles_at(np.array([self._preview_time])))[0].tolist()
        self._look_from(azimuth, elevation)
        # At the end the last view is chosen.
        if self._preview_time == times[-1]:
            self._preview_time = None
            self.chosen = len(times) - 1
        return True

    def _look_from(self, azimuth: float, elevation: float) -> None:
        """Make the camera of the window look from some angles, [°], at a distance for all views."""
        self._shown_azimuth = math.radians(azimuth)
        seen_from = self._angles_at(np.linspace(0.0, self.times[-1], _PATH_SAMPLES))
        self._rig().circle(seen_from, self._shown_azimuth, math.radians(elevation))

    def _angles_at(self, times: Floats) -> Floats:
        """Return from where the camera looks at some times, shape (N, 2), [rad]."""
        from juggle_anim.exporter.view import CameraPath  # rarely needed, as below

        path = CameraPath(
            tuple(self.times), tuple((key.azimuth, key.elevation) for key in self.keys)
        )
        return path.angles_between(times, (0.0, 0.0))


def _most_keys() -> int:
    # Rarely needed, and the program starts faster without.
    from juggle_anim.exporter.view import MAX_KEYS

    return MAX_KEYS


def _clamped_angle(degrees: float, most: float) -> float:
    return min(max(degrees, -most), most)


def _clamped_seconds(seconds: float) -> float:
    return min(max(seconds, _MIN_SECONDS), _MAX_SECONDS)
