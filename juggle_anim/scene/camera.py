"""The camera: where the picture is taken from.

MERGED: Framing: where the camera must stand to see everything.

MERGED: Standpoints: the directions with names that pictures are taken from.

MERGED: Extremes: the few of many points that lie outermost.

MERGED: Stereo: a scene as the left and the right eye see it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats

MARGIN = 0.06
"""Share of the picture's width and height that stays free at each edge."""

_NEAREST, _NEARBY = 0.05, 20.0  # metres

CAMERA_PRESETS: dict[str, tuple[float | None, float | None]] = {
    "usual": (None, None),
    "front": (0.0, None),
    "left": (90.0, None),
    "right": (-90.0, None),
    "back": (180.0, None),
    "top": (0.0, 80.0),
}
"""Azimuth, 0 in front of the jugglers and positive toward their left, and elevation of each, [°]; None is the usual."""

# So few at once that the products stay in the cache, and are made by one thread: to wake others takes longer.
_BATCH = 256

_DIRECTIONS = 256

OFF, PARALLEL, CROSSED, ANAGLYPH = "off", "parallel", "crossed", "anaglyph"
"""Ways to show both: not at all; side by side, to be looked at with parallel or with crossed eyes; in red and cyan."""

EYE_SEPARATION = 1 / 30
"""How far the eyes are apart, in distances from the camera to what it looks at: more is tiring to look at."""


@dataclass(frozen=True)
class Camera:
    """A camera, +y up: of a perspective, or, if orthographic, one whose lines of sight are parallel.

    An orthographic camera shows everything as large as a perspective one shows what is as far away as its target, and
    also what lies behind its eye.

    Args:
        eye: where it stands, [m].
        target: the point in the middle of the picture, not straight above or below the eye, [m].
        field_of_view: vertical angle of view, [rad].
        near, far: depths between which things are drawn, [m].
        mirrored: whether left and right are exchanged in the picture.
        orthographic: whether what is farther looks no smaller.
        aside: how far to the right of `eye` it stands, [m], as one of two eyes does. What is as far as the target stays
            where it is in the picture.
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field_of_view: float = np.radians(30.0)
    near: float = 0.1
    far: float = 200.0
    mirrored: bool = False
    orthographic: bool = False
    eye_offset: float = 0.0

    def view(self) -> Floats:
        """Matrix from world to camera, shape (4, 4), for column vectors; the camera looks along −z."""
        eye = np.asarray(self.eye)
        back = eye - np.asarray(self.target)
        back = back / np.linalg.norm(back)
        right = np.cross((0.0, 1.0, 0.0), back)
        right = right / np.linalg.norm(right)
        turn = np.array([right, np.cross(back, right), back])
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        matrix[:3, 3] = -turn @ eye
        return self._moved_aside(matrix) if self.eye_offset else matrix

    @property
    def position(self) -> tuple[float, float, float]:
        """Where it stands, [m]: at the eye, or aside of it."""
        if not self.eye_offset:
            return self.eye
        view = self.view()
        x, y, z = (-view[:3, :3].T @ view[:3, 3]).tolist()
        return x, y, z

    @property
    def lens_shift(self) -> float:
        """How far the middle of the picture is to the right of where it looks straight ahead, as a tangent.

        Two eyes look the same way and not at each other's target, which would tilt what is left and right: the frusta
        are cut off the middle instead. Parallel sight has no frustum, and comes from another side.
        """
        return 0.0 if self.orthographic else -self.eye_offset / self.distance

    @property
    def distance(self) -> float:
        """From the eye to the target, [m]."""
        return math.dist(self.eye, self.target)

    @property
    def looks_down(self) -> bool:
        """Whether some line of sight may reach the floor from above."""
        return self.eye[1] > (self.target[1] if self.orthographic else 0.0)

    def scales(self, aspect: float) -> tuple[float, float]:
        """How large something of 1 m is at a distance of 1 m, across and up, [half pictures].

        The first is negative in a mirrored picture, which is `aspect` times as wide as high.
        """
        scale = 1.0 / float(np.tan(self.field_of_view / 2))
        return -scale / aspect if self.mirrored else scale / aspect, scale

    def projection(self, aspect: float) -> Floats:
        """Matrix from camera to clip space of OpenGL, shape (4, 4), for a picture `aspect` times as wide as high."""
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = self.scales(aspect)
        if self.orthographic:
            matrix[2, 2], matrix[3, 3] = -self.distance / self.far, self.distance
            return matrix
        depth = self.near - self.far
        matrix[2, 2:] = (self.far + self.near) / depth, 2 * self.far * self.near / depth
        matrix[3, 2] = -1.0
        matrix[0, 2] = matrix[0, 0] * self.lens_shift
        return matrix

    def _moved_aside(self, view: Floats) -> Floats:
        """The view from aside, of that from the eye."""
        turn = np.eye(4)
        if not self.orthographic:
            turn[0, 3] = -self.eye_offset
            return turn @ view
        # About the picture's own upright axis through the target, so that nothing moves up or down.
        angle = np.arctan(self.eye_offset / self.distance)
        turn[0, 0] = turn[2, 2] = np.cos(angle)
        turn[2, 0] = np.sin(angle)
        turn[0, 2] = -turn[2, 0]
        turn[:3, 3] = (turn[:3, :3] - np.eye(3)) @ (0.0, 0.0, self.distance)
        return turn @ view


def frame_points(
    points: Floats,
    radius: float,
    aspect: float,
    azimuth: float,
    elevation: float,
    field_of_view: float,
    orthographic: bool = False,
) -> Camera:
    """The nearest camera that sees all of some balls, looking in a given direction.

    In the camera's axes (x right, y up, z back) with half-angles whose tangents are tx and ty, a point is inside when
    |x − cx| ≤ (cz − z)·tx, and likewise for y. So cz is at least half of max(x + z·tx) + max(−x + z·tx) over tx, and cx
    is half of their difference. An orthographic camera stands there too, or farther back where it does not see all.

    Args:
        points: shape (N, 3), centres, [m].
        radius: of all balls, above 0, [m].
        aspect: width of the picture over its height.
        azimuth: the camera's place around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: its angle above the horizon, [rad].
        field_of_view: vertical, [rad].
        orthographic: whether what is farther looks no smaller.
    """
    back = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    right = np.array([np.cos(azimuth), 0.0, -np.sin(azimuth)])
    up = np.cross(back, right)
    x, y, z = points @ right, points @ up, points @ back
    tangent = np.tan(field_of_view / 2) * (1 - 2 * MARGIN)
    cx, from_x = _fit(x, z, radius, tangent * aspect)
    cy, from_y = _fit(y, z, radius, tangent)
    cz = max(from_x, from_y)
    middle = (z.max() + z.min()) / 2
    if orthographic:
        half = radius + max(np.abs(y - cy).max(), (np.abs(x - cx).max() + radius) / aspect - radius)
        cz = max(cz, middle + half / tangent)
    eye = cx * right + cy * up + cz * back
    target = eye + (middle - cz) * back
    far = max(60.0, 4 * (cz - z.min()))
    # From far away, little of the depth that can be told apart is to be lost on what is near.
    near = max(_NEAREST, 0.5 * (cz - z.max()) - _NEARBY)
    return Camera(_point(eye), _point(target), field_of_view, float(near), float(far), orthographic=orthographic)


def _fit(across: Floats, depth: Floats, radius: float, tangent: float) -> tuple[float, float]:
    """Where the camera stands across, and how far back it must stand at least."""
    # A ball touches the edge of the view at a slant, so it needs more than its radius.
    room = radius * np.sqrt(1 + tangent**2)
    high = float((across + depth * tangent).max() + room)
    low = float((-across + depth * tangent).max() + room)
    return (high - low) / 2, (high + low) / (2 * tangent)


def _point(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def extreme_points(points: Floats) -> Floats:
    """Those that are the farthest in some of many directions; they stand for the hull of all.

    Args:
        points: shape (N, 3).

    Returns:
        Shape (M, 3), in the order of the points.
    """
    turns, every = _search_directions(), np.arange(_DIRECTIONS)
    farthest, found = np.full(_DIRECTIONS, -np.inf), np.zeros(_DIRECTIONS, dtype=int)
    for first in range(0, len(points), _BATCH):
        reached = turns @ points[first : first + _BATCH].T
        best = reached.argmax(axis=1)
        farther = reached[every, best] > farthest
        farthest[farther], found[farther] = reached[every, best][farther], first + best[farther]
    return points[np.unique(found)]


@functools.cache
def _search_directions() -> Floats:
    # Made late: to load numpy's random numbers takes a while.
    return np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))


def stereo_cameras(camera: Camera) -> tuple[Camera, Camera]:
    """The cameras of the left and of the right eye; what is as far as the target lies in the plane of the picture."""
    aside = camera.distance * EYE_SEPARATION / 2
    # Before a mirror, left and right change places for the eyes too.
    left = aside if camera.mirrored else -aside
    return replace(camera, eye_offset=left), replace(camera, eye_offset=-left)


def side_by_side(camera: Camera, stereo: str) -> tuple[Camera, Camera]:
    """The cameras of the left and of the right half of a picture that shows the eyes side by side."""
    left, right = stereo_cameras(camera)
    return (right, left) if stereo == CROSSED else (left, right)


def is_side_by_side(stereo: str) -> bool:
    """Whether two pictures stand side by side."""
    return stereo in (PARALLEL, CROSSED)


def aspect_per_eye(stereo: str, aspect: float) -> float:
    """Width over height of what one eye sees, of that of the whole picture."""
    return aspect / 2 if is_side_by_side(stereo) else aspect
