"""The camera rig: frames the pattern in the free part of the window, until a hand takes the camera."""

from __future__ import annotations

import math
from dataclasses import replace

from juggle_anim.animation import Animation
from juggle_anim.scene import Camera
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.orbit import Orbit

_HASTE = 11.0  # how fast a camera goes to its goal, [1/s]


class CameraRig:
    """Holds the camera of a window. Its `camera` is what `aim` found last."""

    def __init__(self) -> None:
        self.held = False
        """Whether a hand has moved the camera, so that it no longer frames the pattern by itself."""
        self.settled = False
        """Whether the camera has come to rest."""
        self.camera: Camera = Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))
        self._orbit = Orbit.of(self.camera)
        self._shift = (0.0, 0.0)
        self._framed: tuple[Animation, Layout, Camera] | None = None
        self._size = (0, 0)

    def turn(self, across: float, down: float) -> None:
        """Turn around the target, as a hand drags, in heights of the window."""
        self._take(self._orbit.turned(across, down))

    def move(self, across: float, down: float) -> None:
        """Move sideways, as a hand drags, in heights of the window."""
        self._take(self._orbit.moved(across, down))

    def zoom(self, clicks: float) -> None:
        """Go nearer by some clicks of the wheel."""
        self._take(self._orbit.zoomed(clicks))

    def release(self) -> None:
        """Frame the pattern again."""
        self.held, self.settled = False, False

    def aim(self, animation: Animation, layout: Layout, elapsed: float) -> None:
        """Bring the camera nearer to its goal, smoothly, or at once where the window is new or has another size.

        Args:
            animation: what is to be seen.
            layout: of the window.
            elapsed: since the last time, [s].
        """
        framed = self._frame(animation, layout)
        goal = self._orbit if self.held else Orbit.of(framed)
        goal = replace(goal, field_of_view=_FIELD_OF_VIEW)
        size = layout.width, layout.height
        share = 1.0 if size != self._size else 1.0 - math.exp(-_HASTE * elapsed)
        self._size = size
        self._orbit, self._shift = self._orbit.toward(goal, share), _between(self._shift, layout.shift, share)
        self.settled = self._orbit.close_to(goal) and math.dist(self._shift, layout.shift) < 1e-3
        if self.settled:
            self._orbit, self._shift = goal, layout.shift
        # Where nothing covers the picture, it is the very camera of an export.
        bare = self.settled and not self.held and not layout.panel and not layout.bar
        self.camera = framed if bare else self._orbit.camera(self._shift)

    def _take(self, orbit: Orbit) -> None:
        self._orbit, self.held, self.settled = orbit, True, False

    def _frame(self, animation: Animation, layout: Layout) -> Camera:
        """The camera that sees the whole pattern in the free part, which it takes for the whole picture."""
        if self._framed is None or self._framed[0] is not animation or self._framed[1] != layout:
            free = layout.free
            if free.height == layout.height:
                camera = animation.camera(free.width / free.height)
            else:
                angle = 2 * math.atan(math.tan(_FIELD_OF_VIEW / 2) * free.height / layout.height)
                camera = animation.camera(free.width / free.height, field_of_view=angle)
            self._framed = animation, layout, camera
        return self._framed[2]


_FIELD_OF_VIEW = math.radians(30.0)


def _between(first: tuple[float, float], second: tuple[float, float], share: float) -> tuple[float, float]:
    return first[0] + share * (second[0] - first[0]), first[1] + share * (second[1] - first[1])
