"""Framing: what a picture must show, and the nearest camera that sees all of it."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.aids import REACH
from juggle_anim.scene.camera import FARTHEST, LOWEST, NEAREST, Camera, EyeRange
from juggle_anim.scene.scene import Cone
from juggle_anim.vectors import as_point, cross

MARGIN = 0.06
"""Share of the picture's width and height that stays free at each edge."""

_NEAR_PLANE_ROOM = 20.0  # m, that the near plane stays before the nearest point at most

# In small batches the products stay in the cache and in one thread, which is faster than to wake
# others.
_BATCH_SIZE = 256

_DIRECTIONS = 256  # in which extreme points are sought
_BISECTIONS = 20  # of the elevation at which an eye is above the floor


_AXIS_DIRECTIONS = np.concatenate([np.eye(3), -np.eye(3)])


@dataclass(frozen=True)
class Framing:
    """From where something is framed, and in what picture.

    Args:
        aspect: width of the picture over its height.
        azimuth: the camera's place around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: its angle above the horizon, [rad].
        field_of_view: vertical, [rad].
        orthographic: whether lines of sight are parallel.
        aside: where the middle of the picture lies if it is a part of a larger one, right of and
            above what is straight ahead of the camera, in half heights of the picture; the camera
            that frames is still to be moved by as much, parallel to the picture, with its target.
    """

    aspect: float
    azimuth: float
    elevation: float
    field_of_view: float
    orthographic: bool = False
    aside: tuple[float, float] = (0.0, 0.0)

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """The camera's unit vectors to its right, up and back, in the world, shape (3,) each.

        Back points from what is seen to the camera, by its azimuth and elevation; right is level.
        """
        azimuth = self.azimuth
        elevation = self.elevation
        back = np.array(
            [
                np.sin(azimuth) * np.cos(elevation),
                np.sin(elevation),
                np.cos(azimuth) * np.cos(elevation),
            ]
        )
        right = np.array([np.cos(azimuth), 0.0, -np.sin(azimuth)])
        return right, cross(back, right), back


def frame_points(points: Floats, radius: float, framing: Framing) -> Camera:
    """Return the nearest camera that sees all of some balls, looking in a given direction.

    In the camera's axes (x right, y up, z back) with edges of the picture whose tangents are low
    and high, a point is inside when (cz − z)·low ≤ x − cx ≤ (cz − z)·high, and likewise for y. So
    cz is at least the sum of max(x + z·high) and max(−x − z·low) over high − low. An orthographic
    camera stands there too, or farther back where it does not see all.

    Args:
        points: shape (N, 3), centres in the world, [m].
        radius: of all balls, above 0, [m].
        framing: direction, field of view and shape of the picture.
    """
    # The centres in the camera's axes, with the origin of the world.
    right, up, back = framing.axes()
    x = points @ right
    y = points @ up
    z = points @ back
    aspect = framing.aspect
    orthographic = framing.orthographic
    half_view = np.tan(framing.field_of_view / 2)
    tangent = half_view * (1 - 2 * MARGIN)
    offset_right, offset_up = (0.0, 0.0) if orthographic else framing.aside

    # The least distance from which both pairs of edges show all, and the middle of what they show.
    horizontal = _Edges.of(x, z, radius, half_view * offset_right, tangent * aspect)
    vertical = _Edges.of(y, z, radius, half_view * offset_up, tangent)
    cz = max(horizontal.nearest, vertical.nearest)
    middle_depth = (z.max() + z.min()) / 2
    cx = horizontal.middle(middle_depth)
    cy = vertical.middle(middle_depth)

    # An orthographic picture is as high as the view at the target, in the middle of the depths.
    if orthographic:
        half_height = radius + max(
            np.abs(y - cy).max(), (np.abs(x - cx).max() + radius) / aspect - radius
        )
        cz = max(cz, middle_depth + half_height / tangent)

    eye = cx * right + cy * up + cz * back
    target = eye + (middle_depth - cz) * back
    far = max(FARTHEST, 4 * (cz - z.min()))
    # From far away a near plane close to the eye would cost depth precision.
    near = max(NEAREST, 0.5 * (cz - z.max()) - _NEAR_PLANE_ROOM)
    return Camera(
        as_point(eye),
        as_point(target),
        framing.field_of_view,
        float(near),
        float(far),
        orthographic=orthographic,
    )


def frame_above_floor(points: Floats, radius: float, framing: Framing) -> Camera:
    """Return the camera of `frame_points`, with an elevation at which its eye is above the floor.

    A camera that looks up from below `LOWEST` is raised as little as needed, found by bisection.

    Args:
        points, radius, framing: as of `frame_points`.
    """

    def framed(elevation: float) -> Camera:
        return frame_points(points, radius, replace(framing, elevation=elevation))

    if framing.orthographic:
        # Parallel lines of sight that rise come from below the floor, wherever the eye is.
        return framed(max(framing.elevation, 0.0))
    camera = framed(framing.elevation)
    if framing.elevation >= 0 or camera.eye[1] >= LOWEST:
        return camera
    # Between an elevation at which the eye is too low, and a level view, which is high enough.
    low = framing.elevation
    high = 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if framed(middle).eye[1] >= LOWEST else (middle, high)
    return framed(high)


@dataclass(frozen=True)
class _Edges:
    """Two opposite edges of a picture, and where a camera sees everything between them.

    Args:
        low, high: least distances of the edges to the negative and the positive side that leave
            everything between them, at depth 0, [m].
        aside, half: the tangents of their middle and of half their distance.
    """

    low: float
    high: float
    aside: float
    half: float

    @classmethod
    def of(cls, across: Floats, depth: Floats, radius: float, aside: float, half: float) -> _Edges:
        """Return the edges of the narrowest picture that shows all balls.

        Args:
            across, depth: coordinates of the balls to the right (or up) and back, shape (N,), [m].
            radius: of all balls, [m].
            aside, half: as of the class.
        """
        low_tangent = aside - half
        high_tangent = aside + half
        # An edge of the view touches a ball at a slant, so the ball needs its radius over the
        # cosine, r √(1 + tan²).
        high = float((across + depth * high_tangent).max() + radius * math.hypot(1.0, high_tangent))
        low = float((-across - depth * low_tangent).max() + radius * math.hypot(1.0, low_tangent))
        return cls(low, high, aside, half)

    @property
    def nearest(self) -> float:
        """How far back the camera must stand at least, [m]."""
        return (self.high + self.low) / (2 * self.half)

    def middle(self, depth: float) -> float:
        """What is in the middle between them at a depth, wherever the camera stands, [m]."""
        return (self.high - self.low) / 2 - depth * self.aside


def circling(cameras: Sequence[Camera]) -> tuple[tuple[float, float, float], float]:
    """Return a circle for a camera that travels around all that some cameras see.

    Args:
        cameras: one or more.

    Returns:
        Its centre, the mean of the targets, and its radius, [m].
    """
    targets = np.array([camera.target for camera in cameras])
    # The radius is the farthest camera's distance, and room for the target farthest from the mean.
    target = targets.mean(axis=0)
    distance = max(math.dist(camera.eye, camera.target) for camera in cameras)
    return as_point(target), distance + float(np.linalg.norm(targets - target, axis=1).max())


def with_room_below(camera: Camera, share: float) -> Camera:
    """Return a camera that shows the picture of another in its upper part, with free room below.

    As the eye moves, perspective changes a little.

    Args:
        camera: the other camera.
        share: of the picture's height that is free below, at most a half.
    """
    # Rows of the view matrix are the camera's axes right, up and back.
    view = camera.view()
    up = view[1, :3]
    back = view[2, :3]
    # Farther away, so that the old picture takes 1 − share of the new one, and lower, so that it is
    # in the upper part.
    distance = camera.distance / (1 - share)
    down = up * (-share * distance * float(np.tan(camera.field_of_view / 2)))
    target = np.asarray(camera.target) + down
    eye = target + back * distance
    # Not below the floor, unless the other camera is.
    eye[1] = max(eye[1], min(camera.eye[1], LOWEST))
    return replace(camera, eye=as_point(eye), target=as_point(target))


def extreme_points(points: Floats) -> Floats:
    """Return the points that are farthest in one of many directions: about the convex hull.

    Args:
        points: shape (N, 3), [m].

    Returns:
        Shape (M, 3), M at most `_DIRECTIONS`, in the order of the points.
    """
    directions = _search_directions()
    all_directions = np.arange(_DIRECTIONS)
    # In each direction, how far the farthest point so far is, and its index.
    farthest = np.full(_DIRECTIONS, -np.inf)
    extreme = np.zeros(_DIRECTIONS, dtype=int)
    # In batches, whose products stay in the processor's cache.
    for start in range(0, len(points), _BATCH_SIZE):
        projections = directions @ points[start : start + _BATCH_SIZE].T
        best = projections.argmax(axis=1)
        is_farther = projections[all_directions, best] > farthest
        farthest[is_farther] = projections[all_directions, best][is_farther]
        extreme[is_farther] = start + best[is_farther]
    return points[np.unique(extreme)]


@functools.cache
def _search_directions() -> Floats:
    """Random directions, always the same, shape (`_DIRECTIONS`, 3); not of unit length."""
    # Made at first use: loading numpy's random numbers takes a while.
    return np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))


def outermost_points(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Points of people, props and stands that a camera has to see, shape (N, 3), [m].

    They are those near the convex hull, and the first juggler's place on the floor.

    Args:
        motion: of the loop.
        frames: hands and props at T times of it.
        joints: shape (T, J, `JOINTS`, 3), at these times, [m].
        stands: what props are put down on, rows of `Cone`.
    """
    joint_points = joints.reshape(-1, 3)
    stand_ends = stands.astype(float)
    points = np.concatenate(
        [
            joint_points,
            _prop_points(motion, frames),
            stand_ends[:, Cone.START],
            stand_ends[:, Cone.END],
        ]
    )
    # The last two joints of one juggler at one time, on the floor.
    floor = joint_points.reshape(-1, JOINTS, 3)[0, -2:] * (1.0, 0.0, 1.0)
    return np.concatenate([extreme_points(points), floor])


def _prop_points(motion: Motion, frames: Frames) -> Floats:
    """Centres, apexes and ends of props, shape (N, 3), [m].

    Apexes are added because the frames, at some times only, may miss them.

    Args:
        motion: of the loop.
        frames: props at T times of it.
    """
    # Spheres need their centres alone, since every point has a margin.
    centres = frames.props.reshape(-1, 3)
    highest = motion.flight_paths.parabolas.apexes()
    if frames.aims is None:
        return np.concatenate([centres, highest])
    # Both ends of clubs and rings; at apexes, where their aims are not known, as far as the longest
    # prop reaches along each axis.
    reach = motion.shapes.reach
    along = aim_directions([frames.aims]) * reach[:, None]
    ends = [(frames.props + side * along).reshape(-1, 3) for side in (-1, 1)]
    beyond = reach.max() * _AXIS_DIRECTIONS
    return np.concatenate([centres, *ends, (highest[:, None] + beyond).reshape(-1, 3)])


def reach_points(joints: Floats) -> Floats:
    """Extreme points along the world axes of the spheres that hands reach, shape (N, 3), [m].

    Args:
        joints: shape (T, J, 29, 3).
    """
    shoulders = joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]].reshape(-1, 1, 3)
    return (shoulders + REACH * _AXIS_DIRECTIONS).reshape(-1, 3)


def eye_ranges(motion: Motion, hands: Floats, joints: Floats) -> list[EyeRange]:
    """Return the range of elevations that the eyes of each juggler have to see over a loop.

    Args:
        motion: of the loop.
        hands: shape (T, J, 2, 3), at T times of it, [m].
        joints: shape (T, J, `JOINTS`, 3), at these times, [m].
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    paths = motion.flight_paths
    apexes = paths.parabolas.apexes()
    # Who throws and who catches each parabola's flight: a juggler looks up to both.
    flight = paths.parabolas.flight
    thrower, catcher = (events.hand[event[flight]] // 2 for event in (flights.throw, flights.catch))
    return [
        EyeRange.of(
            joints[:, juggler, Joint.HEAD],
            joints[:, juggler, Joint.FACE],
            hands[:, juggler],
            apexes[(thrower == juggler) | (catcher == juggler)],
        )
        for juggler in range(motion.choreography.jugglers)
    ]
