"""Lines of sight: from points of the window into the world, and where they meet planes and
lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera
from juggle_anim.viewer.layout import Rectangle, project_points

LEFT = 0
UP = 1
FORWARD = 2
"""The axes of a body."""

ARROW_LENGTH = 44.0
"""Length of the arrow that drags in depth, at scale 1, [pixels]."""

_FROM_ABOVE = math.sin(
    math.radians(55.0)
)  # from as high up, a hand is dragged in the horizontal plane
_FLATTEST = (
    0.42  # share of its length in the picture from which on a line is dragged along as it is seen
)


class Sight(NamedTuple):
    """A line of sight.

    Attributes:
        start: shape (3,), in the world, [m].
        along: shape (3,), of length 1.
    """

    start: Floats
    along: Floats


@dataclass(frozen=True)
class View:
    """A picture in the window.

    Args:
        camera: of the picture.
        place: in the window.
        scale: of the window.
    """

    camera: Camera
    place: Rectangle
    scale: float

    @cached_property
    def _matrix(self) -> Floats:
        return self.camera.projection(self.place.width / self.place.height) @ self.camera.view()

    def seen(self, places: Floats) -> Floats:
        """Where points of the world, shape (N, 3), are in the window, shape (N, 2), [pixels]."""
        return project_points(places, self.camera, self.place, self._matrix)

    def sight(self, x: float, y: float) -> Sight:
        """The line of sight through a point of the window, [pixels]."""
        return sight_line(x, y, self.camera, self.place)

    def normal(self, axes: Floats, place: Floats) -> int:
        """The axis, of those of a body, across the plane in which a hand at a place in the world is
        dragged.
        """
        return facing_axis(axes, self.sight(*self.seen(place[None])[0]).along)


def sight_line(x: float, y: float, camera: Camera, place: Rectangle) -> Sight:
    """Return the line of sight through a point of the window, [pixels], for a picture in a place in
    it.

    It is the inverse of `project_points`.
    """
    across = 2 * (x - place.left) / place.width - 1
    up = 1 - 2 * (y - place.top) / place.height
    view = camera.view()
    projection = camera.projection(place.width / place.height)
    wide = projection[0, 0]
    tall = projection[1, 1]
    if camera.orthographic:
        start = np.array([across * projection[3, 3] / wide, up * projection[3, 3] / tall, 0.0])
        along = np.array([0.0, 0.0, -1.0])
    else:
        start = np.zeros(3)
        along = np.array([(across + projection[0, 2]) / wide, up / tall, -1.0])
    turn = view[:3, :3].T
    along = turn @ along
    return Sight(turn @ (start - view[:3, 3]), along / np.linalg.norm(along))


def facing_axis(axes: Floats, along: Floats) -> int:
    """Return the axis of a body that is the normal of the plane in which a hand is dragged.

    The plane is the vertical one, through both hands or straight ahead, that faces the camera; from
    high above it is the horizontal one.

    Args:
        axes: of the body, shape (3, 3).
        along: the line of sight, shape (3,).
    """
    faced = np.abs(axes @ along)
    if faced[UP] > _FROM_ABOVE:
        return UP
    return LEFT if faced[LEFT] > faced[FORWARD] else FORWARD


def on_plane(sight: Sight, point: Floats, normal: Floats) -> Floats | None:
    """Return where a line of sight meets a plane, shape (3,); None if it does not, in front of the
    camera.
    """
    steep = float(sight.along @ normal)
    if abs(steep) < 1e-6:
        return None
    away = float((point - sight.start) @ normal) / steep
    return sight.start + away * sight.along if away > 0 else None


def along_line(sight: Sight, point: Floats, axis: Floats) -> float | None:
    """Return how far along a line from a point it is nearest to a line of sight, [m]; None if that
    cannot be told.

    With w from the start of sight to the point, and the directions a (line) and s (sight), both of
    length 1, it is ((s·w)(a·s) − a·w) / (1 − (a·s)²).
    """
    to_point = point - sight.start
    cosine = float(axis @ sight.along)
    if 1 - cosine**2 < _FLATTEST**2:
        return None
    return float((sight.along @ to_point) * cosine - axis @ to_point) / (1 - cosine**2)


def depth_arrow(place: Floats, axes: Floats, view: View) -> Floats:
    """Return the ends in the window of an arrow from a hand along the axis of depth, shape (2, 2),
    [pixels].

    Args:
        place: of the hand, shape (3,), in the world, [m].
        axes: of its body.
        view: where it is seen.
    """
    axis = axes[view.normal(axes, place)]
    base, ahead = view.seen(np.array([place, place + 0.1 * axis]))
    cosine = float(axis @ view.sight(*base).along)
    # One that points at the camera is dragged up and down.
    seen = (
        np.array([0.0, -math.copysign(1.0, cosine)])
        if 1 - cosine**2 < _FLATTEST**2
        else ahead - base
    )
    return np.array([base, base + ARROW_LENGTH * view.scale * seen / np.hypot(*seen)])
