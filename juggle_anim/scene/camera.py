"""The camera, its named views, framing (the nearest camera that sees everything) and stereo pairs."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.vectors import cross

MARGIN = 0.06
"""Share of the picture's width and height that stays free at each edge."""

LOWEST = 0.1
"""The least height of an eye: lower down, the floor would be gone, and the shadows with it, [m]."""

# Of the near plane, how far it stays before the nearest point, and of the far plane at least, [m].
_NEAREST, _NEARBY, _FARTHEST = 0.05, 20.0, 60.0

CAMERA_PRESETS: dict[str, tuple[float | None, float | None]] = {
    "default": (None, None),
    "front": (0.0, None),
    "left": (90.0, None),
    "right": (-90.0, None),
    "back": (180.0, None),
    "top": (0.0, 80.0),
}
"""Azimuth, 0 in front of the jugglers and positive toward their left, and elevation of each view, [°]; None is the
default."""

# In small batches the products stay in the cache and in one thread, which is faster than to wake others.
_BATCH = 256

_UP = np.array([0.0, 1.0, 0.0])
_DIRECTIONS = 256
_BISECTIONS = 20

EYE_VIEW = "eyes"
"""The name of the view through a juggler's eyes; all others are in `CAMERA_PRESETS`."""

EYE_FIELDS_OF_VIEW = math.radians(90.0), math.radians(118.0)
"""Range of a juggler's vertical field of view, [rad]: a wider one would stretch what is at the edges too much."""

# Above the middle of the head, from where more is seen of hands and throws than from the face; and to the target, [m].
_EYES_UP, _EYE_DISTANCE = 0.05, 2.0
_EYE_MARGIN = math.radians(8.0)  # above throws and below hands
_PITCH_SHARE = 0.6  # of a head's pitch that the camera follows

OFF, PARALLEL, CROSSED, ANAGLYPH = "off", "parallel", "crossed", "anaglyph"
"""Stereo modes: none; side by side for parallel or for crossed eyes; red and cyan."""

EYE_SEPARATION = 1 / 30
"""Distance between the eyes over the distance to the target; a greater one is tiring to look at."""


@dataclass(frozen=True)
class Camera:
    """A perspective or orthographic camera, +y up.

    An orthographic camera draws everything at the scale that a perspective camera has at its target, and also what lies
    behind its eye.

    Args:
        eye: its position, [m].
        target: the point in the middle of the picture, not straight above or below the eye, [m].
        field_of_view: vertical, [rad].
        near, far: depths of the near and far plane, [m].
        mirrored: whether left and right are exchanged in the picture.
        orthographic: whether lines of sight are parallel.
        eye_offset: how far to the right of `eye` one of two stereo eyes stands, [m]. Points as far away as the target
            stay where they are in the picture.
        inside: the juggler in whose head the eye is, counted from 0; that head is not drawn.
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    field_of_view: float = np.radians(30.0)
    near: float = 0.1
    far: float = 200.0
    mirrored: bool = False
    orthographic: bool = False
    eye_offset: float = 0.0
    inside: int | None = None

    def view(self) -> Floats:
        """Return the matrix from world to camera, shape (4, 4), for column vectors; the camera looks along −z."""
        eye = np.asarray(self.eye)
        back = eye - np.asarray(self.target)
        back = back / np.linalg.norm(back)
        right = cross(_UP, back)
        right = right / np.linalg.norm(right)
        turn = np.array([right, cross(back, right), back])
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        matrix[:3, 3] = -turn @ eye
        return self._offset_view(matrix) if self.eye_offset else matrix

    @property
    def position(self) -> tuple[float, float, float]:
        """Its position with the offset of a stereo eye, [m]."""
        if not self.eye_offset:
            return self.eye
        view = self.view()
        x, y, z = (-view[:3, :3].T @ view[:3, 3]).tolist()
        return x, y, z

    @property
    def lens_shift(self) -> float:
        """The offset of the picture's centre to the right of straight ahead, as a tangent.

        Stereo eyes look in the same direction, since turning them to the target would tilt the sides of the picture;
        their frusta are off-axis instead. An orthographic camera has no frustum, and turns about the target.
        """
        return 0.0 if self.orthographic else -self.eye_offset / self.distance

    @property
    def distance(self) -> float:
        """From the eye to the target, [m]."""
        return math.dist(self.eye, self.target)

    @property
    def looks_down(self) -> bool:
        """Whether a line of sight may reach the floor from above."""
        return self.eye[1] > (self.target[1] if self.orthographic else 0.0)

    def scales(self, aspect: float) -> tuple[float, float]:
        """Return the size of 1 m at a distance of 1 m, across and up, [half pictures].

        The picture is `aspect` times as wide as high. The first number is negative in a mirrored picture.
        """
        scale = 1.0 / float(np.tan(self.field_of_view / 2))
        return -scale / aspect if self.mirrored else scale / aspect, scale

    def projection(self, aspect: float) -> Floats:
        """Return the matrix from camera to OpenGL's clip space, shape (4, 4), for width over height `aspect`."""
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

    def _offset_view(self, view: Floats) -> Floats:
        """The view of a stereo eye, from the view of `eye`."""
        turn = np.eye(4)
        if not self.orthographic:
            turn[0, 3] = -self.eye_offset
            return turn @ view
        # Turned about the picture's vertical axis through the target, so that nothing moves up or down.
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
    aside: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """Return the nearest camera that sees all of some balls, looking in a given direction.

    In the camera's axes (x right, y up, z back) with edges of the picture whose tangents are low and high, a point is
    inside when (cz − z)·low ≤ x − cx ≤ (cz − z)·high, and likewise for y. So cz is at least the sum of max(x + z·high)
    and max(−x − z·low) over high − low. An orthographic camera stands there too, or farther back where it does not see
    all.

    Args:
        points: shape (N, 3), centres, [m].
        radius: of all balls, above 0, [m].
        aspect: width of the picture over its height.
        azimuth: the camera's place around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: its angle above the horizon, [rad].
        field_of_view: vertical, [rad].
        orthographic: whether lines of sight are parallel.
        aside: where the middle of the picture lies if it is a part of a larger one, right of and above what is straight
            ahead of the camera, in half heights of the picture; the camera that is returned is still to be moved by as
            much, parallel to the picture, with its target.
    """
    back = np.array([np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)])
    right = np.array([np.cos(azimuth), 0.0, -np.sin(azimuth)])
    up = cross(back, right)
    x, y, z = points @ right, points @ up, points @ back
    half = np.tan(field_of_view / 2)
    tangent, (right_of, above) = half * (1 - 2 * MARGIN), (0.0, 0.0) if orthographic else aside
    across = _Edges.of(x, z, radius, half * right_of, tangent * aspect)
    upward = _Edges.of(y, z, radius, half * above, tangent)
    cz = max(across.nearest, upward.nearest)
    middle = (z.max() + z.min()) / 2
    cx, cy = across.middle(middle), upward.middle(middle)
    if orthographic:
        half = radius + max(np.abs(y - cy).max(), (np.abs(x - cx).max() + radius) / aspect - radius)
        cz = max(cz, middle + half / tangent)
    eye = cx * right + cy * up + cz * back
    target = eye + (middle - cz) * back
    far = max(_FARTHEST, 4 * (cz - z.min()))
    # From far away a near plane close to the eye would cost depth precision.
    near = max(_NEAREST, 0.5 * (cz - z.max()) - _NEARBY)
    return Camera(_point(eye), _point(target), field_of_view, float(near), float(far), orthographic=orthographic)


def frame_above_floor(
    points: Floats,
    radius: float,
    aspect: float,
    azimuth: float,
    elevation: float,
    field_of_view: float,
    orthographic: bool = False,
    aside: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """Return the camera of `frame_points`, from an elevation so much higher that its eye is above the floor."""

    def framed(angle: float) -> Camera:
        return frame_points(points, radius, aspect, azimuth, angle, field_of_view, orthographic, aside)

    if orthographic:
        # Parallel lines of sight that rise come from below the floor, wherever the eye is.
        return framed(max(elevation, 0.0))
    camera = framed(elevation)
    if elevation >= 0 or camera.eye[1] >= LOWEST:
        return camera
    low, high = elevation, 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if framed(middle).eye[1] >= LOWEST else (middle, high)
    return framed(high)


@dataclass(frozen=True)
class _Edges:
    """Two opposite edges of a picture, and where a camera sees everything between them.

    Args:
        low, high: how far to either side of everything they reach at depth 0, [m].
        aside, half: the tangents of their middle and of half their distance.
    """

    low: float
    high: float
    aside: float
    half: float

    @classmethod
    def of(cls, across: Floats, depth: Floats, radius: float, aside: float, half: float) -> _Edges:
        first, last = aside - half, aside + half
        # The edge of the view touches a ball at a slant, so the ball needs more than its radius.
        high = float((across + depth * last).max() + radius * math.hypot(1.0, last))
        low = float((-across - depth * first).max() + radius * math.hypot(1.0, first))
        return cls(low, high, aside, half)

    @property
    def nearest(self) -> float:
        """How far back the camera must stand at least, [m]."""
        return (self.high + self.low) / (2 * self.half)

    def middle(self, depth: float) -> float:
        """What is in the middle between them at a depth, wherever the camera stands, [m]."""
        return (self.high - self.low) / 2 - depth * self.aside


def _point(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


@dataclass(frozen=True)
class EyeRange:
    """What a juggler's eyes have to see, above the horizon, [rad].

    Args:
        low, high: of their hands, in the mean, and of their highest throw.
        pitch: of their head, in the mean.
    """

    low: float
    high: float
    pitch: float

    @classmethod
    def of(cls, heads: Floats, faces: Floats, hands: Floats, highest: Floats) -> EyeRange:
        """The range of a juggler with heads and faces (T, 3), hands (T, 2, 3) and tops of throws (N, 3), [m]."""
        turned = faces - heads
        low = _elevations(hands - heads[:, None] - (0.0, _EYES_UP, 0.0)).mean()
        high = _elevations(highest - heads.mean(axis=0) - (0.0, _EYES_UP, 0.0)).max(initial=0.0)
        return cls(float(low), float(high), float(_elevations(turned).mean()))

    @property
    def field_of_view(self) -> float:
        """The vertical field of view that shows all, if it can, [rad]."""
        narrowest, widest = EYE_FIELDS_OF_VIEW
        return min(max(self.high - self.low + 2 * _EYE_MARGIN, narrowest), widest)

    def elevation(self, pitch: float) -> float:
        """The elevation of the middle of the picture while a head has a pitch, [rad]; hands come before high throws."""
        middle = min((self.low + self.high) / 2, self.low - _EYE_MARGIN + self.field_of_view / 2)
        return middle + _PITCH_SHARE * (pitch - self.pitch)


def _elevations(away: Floats) -> Floats:
    elevations: Floats = np.arctan2(away[..., 1], np.hypot(away[..., 0], away[..., 2]))
    return elevations


def eye_camera(
    head: Floats, face: Floats, seen: EyeRange, juggler: int, mirrored: bool = False, aside: float = 0.0
) -> Camera:
    """Return the camera in a juggler's eyes, which turns with the head, and sees hands as well as throws.

    Args:
        head, face: the joints, shape (3,), [m].
        seen: what has to be seen.
        juggler: counted from 0.
        mirrored: whether left and right are exchanged in the picture.
        aside: angle to the left of where the head is turned, [rad].
    """
    x, y, z = (face - head).tolist()
    level = math.hypot(x, z)
    elevation, azimuth = seen.elevation(math.atan2(y, level)), math.atan2(x, z) + aside
    ahead = np.array([math.sin(azimuth), math.tan(elevation), math.cos(azimuth)]) * math.cos(elevation)
    eye = head + (0.0, _EYES_UP, 0.0)
    target = eye + _EYE_DISTANCE * ahead
    angle = seen.field_of_view
    return Camera(_point(eye), _point(target), angle, _NEAREST, _FARTHEST, mirrored=mirrored, inside=juggler)


def extreme_points(points: Floats) -> Floats:
    """Return the points that are farthest in one of many directions: about the convex hull.

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
    # Made at first use: loading numpy's random numbers takes a while.
    return np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))


def stereo_cameras(camera: Camera) -> tuple[Camera, Camera]:
    """Return the cameras of the left and the right eye; points at the target's distance lie in the picture plane."""
    offset = camera.distance * EYE_SEPARATION / 2
    # In a mirrored picture the eyes change places too.
    left = offset if camera.mirrored else -offset
    return replace(camera, eye_offset=left), replace(camera, eye_offset=-left)


def side_by_side(camera: Camera, stereo: str) -> tuple[Camera, Camera]:
    """Return the cameras of the left and the right half of a side-by-side picture."""
    left, right = stereo_cameras(camera)
    return (right, left) if stereo == CROSSED else (left, right)


def circling(cameras: Sequence[Camera]) -> tuple[tuple[float, float, float], float]:
    """Return around which point, and how far away from it, a camera circles that sees all that others see, [m]."""
    targets = np.array([camera.target for camera in cameras])
    target = targets.mean(axis=0)
    away = max(math.dist(camera.eye, camera.target) for camera in cameras)
    return _point(target), away + float(np.linalg.norm(targets - target, axis=1).max())


def with_room_below(camera: Camera, share: float) -> Camera:
    """Return a camera whose picture is that of another in its upper part, as nearly as it can be seen from there.

    Args:
        camera: the other.
        share: of the picture's height that is free below, at most a half.
    """
    view, distance = camera.view(), camera.distance / (1 - share)
    down = view[1, :3] * (-share * distance * float(np.tan(camera.field_of_view / 2)))
    target = np.asarray(camera.target) + down
    eye = target + view[2, :3] * distance
    eye[1] = max(eye[1], min(camera.eye[1], LOWEST))
    return replace(camera, eye=_point(eye), target=_point(target))


def is_side_by_side(stereo: str) -> bool:
    """Whether a stereo mode shows two pictures side by side."""
    return stereo in (PARALLEL, CROSSED)


def aspect_per_eye(stereo: str, aspect: float) -> float:
    """Return width over height of one eye's picture, given that of the whole."""
    return aspect / 2 if is_side_by_side(stereo) else aspect
