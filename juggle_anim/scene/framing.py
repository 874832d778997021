"""Framing: what a picture must show, and the nearest camera that sees all of it."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import Joint
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.aids import REACH
from juggle_anim.scene.camera import FARTHEST, LOWEST, NEAREST, Camera, EyeRange
from juggle_anim.scene.scene import Cone
from juggle_anim.vectors import as_point, cross

MARGIN = 0.05
"""Share of the picture's width and height that stays free at each edge but the lower one."""

STANDING = 0.10
"""Share of its height that stays free below people who are seen from the side: their feet are in
its lowest sixth, the radius of what is framed included.
"""

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
        """Return the camera's unit vectors in the world, shape (3,) each.

        Returns:
            Right, which is level; up, as in the picture; and back, from what is seen to the camera,
            as azimuth and elevation have it.
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

    Coordinates are along the camera's axes (x right, y up, z back), and (cx, cy, cz) is the eye. If
    lines of sight to the left and right edge of the picture have the slopes low and high, a point
    is inside when (cz − z)·low ≤ x − cx ≤ (cz − z)·high; and likewise for y and the edges below and
    above. So cz is at least the sum of max(x + z·high) and max(−x − z·low), over high − low. An
    orthographic camera stands there too, or farther back where it does not see all.

    Args:
        points: centres of the balls in the world, shape (N, 3), one or more, [m].
        radius: of all balls, above 0, [m].
        framing: direction, field of view and shape of the picture.
    """
    # The centres along the camera's axes, measured from the origin of the world.
    right, up, back = framing.axes()
    x = points @ right
    y = points @ up
    z = points @ back
    aspect = framing.aspect
    orthographic = framing.orthographic
    # The inner part of the picture, without the margins, in which all must be. From the side people
    # stand near its lower edge; from above they lie in the middle. In an orthographic picture lines
    # of sight are alike everywhere, so `aside` has no effect.
    half_view = np.tan(framing.field_of_view / 2)
    offset_right, offset_up = (0.0, 0.0) if orthographic else framing.aside
    level = np.cos(framing.elevation) ** 2
    below = MARGIN + level * (STANDING - MARGIN)
    half_height = half_view * (1 - MARGIN - below)

    def edges(depth: Floats) -> tuple[_Edges, _Edges]:
        """Left and right, and lower and upper edges around the balls at depths, shape (N,)."""
        return _Edges.around_balls(
            x,
            depth,
            radius,
            middle_slope=half_view * offset_right,
            half_slope=half_view * aspect * (1 - 2 * MARGIN),
        ), _Edges.around_balls(
            y,
            depth,
            radius,
            middle_slope=half_view * (offset_up + below - MARGIN),
            half_slope=half_height,
        )

    # The eye stands as far back as the pair of edges that needs more distance wants. An
    # orthographic picture shows everything at the scale that a perspective one has at the target,
    # halfway between the nearest and the farthest centre.
    middle_depth = (z.max() + z.min()) / 2
    horizontal, vertical = edges(z)
    cz = max(horizontal.least_depth, vertical.least_depth)
    if orthographic:
        horizontal, vertical = edges(np.full_like(z, middle_depth))
        cz = max(cz, horizontal.least_depth, vertical.least_depth)
    # What is shown is in the middle from left to right; height that is left over is above people.
    ahead = half_view * (cz - middle_depth)
    cx = horizontal.middle(cz) + ahead * offset_right
    cy = vertical.middle(cz) + ahead * offset_up
    cy += level * half_height * (cz - vertical.least_depth)

    eye = cx * right + cy * up + cz * back
    target = eye + (middle_depth - cz) * back
    far = max(FARTHEST, 4 * (cz - z.min()))
    # A near plane close to the eye would cost depth precision where the balls are far away. So it
    # is at half the depth of the nearest ball less `_NEAR_PLANE_ROOM`, if that is in front.
    near = max(NEAREST, 0.5 * (cz - z.max()) - _NEAR_PLANE_ROOM)
    return Camera(
        eye=as_point(eye),
        target=as_point(target),
        field_of_view=framing.field_of_view,
        near=float(near),
        far=float(far),
        orthographic=orthographic,
    )


def frame_above_floor(points: Floats, radius: float, framing: Framing) -> Camera:
    """Return the camera of `frame_points`, with an elevation at which its eye is above the floor.

    A camera that looks up from below the height `LOWEST` gets a greater elevation, by as little as
    needed, found by bisection.

    Args:
        points, radius, framing: as of `frame_points`; the points are above the floor.
    """

    def framed(elevation: float) -> Camera:
        """The camera with this elevation, [rad], instead of the framing's own."""
        return frame_points(points, radius, replace(framing, elevation=elevation))

    if framing.orthographic:
        # Parallel lines of sight that rise come from below the floor, wherever the eye is.
        return framed(max(framing.elevation, 0.0))
    camera = framed(framing.elevation)
    if framing.elevation >= 0 or camera.eye[1] >= LOWEST:
        return camera
    # A level view of points above the floor is high enough.
    too_low = framing.elevation
    high_enough = 0.0
    for _ in range(_BISECTIONS):
        middle = (too_low + high_enough) / 2
        if framed(middle).eye[1] >= LOWEST:
            high_enough = middle
        else:
            too_low = middle
    return framed(high_enough)


@dataclass(frozen=True)
class _Edges:
    """Two opposite edges of a picture, left and right or lower and upper, as planes in space.

    Each plane touches the balls that it has to leave inside. Where the two planes meet, the camera
    just sees all of the balls.

    Args:
        low, high: how far on the negative and on the positive side of the axis the planes are at
            depth 0, [m].
        middle_slope: slope of the line of sight halfway between the edges: tangent of its angle to
            straight ahead.
        half_slope: half the difference of the slopes of both edges.
    """

    low: float
    high: float
    middle_slope: float
    half_slope: float

    @classmethod
    def around_balls(
        cls,
        across: Floats,
        depth: Floats,
        radius: float,
        *,
        middle_slope: float,
        half_slope: float,
    ) -> _Edges:
        """Return the edges of given slopes that just show all balls.

        Args:
            across: centres of the balls to the right for left and right edges, or up for lower and
                upper edges, shape (N,), [m].
            depth: centres of the balls back, toward the camera, shape (N,), [m].
            radius: of all balls, [m].
            middle_slope, half_slope: as of the class.
        """
        low_tangent = middle_slope - half_slope
        high_tangent = middle_slope + half_slope
        # An edge touches a ball at a slant, so measured across, from the ball's centre, the edge is
        # farther than its radius r: by the cosine of the slant, r / cos = r √(1 + tan²).
        high = float((across + depth * high_tangent).max() + radius * math.hypot(1.0, high_tangent))
        low = float((-across - depth * low_tangent).max() + radius * math.hypot(1.0, low_tangent))
        return cls(low, high, middle_slope, half_slope)

    @property
    def least_depth(self) -> float:
        """The least depth at which the camera sees all, [m]: where the two planes meet."""
        return (self.high + self.low) / (2 * self.half_slope)

    def middle(self, depth: float) -> float:
        """The coordinate across, [m], of a camera at a depth, [m], that sees what is shown halfway
        between both planes.
        """
        return (self.high - self.low) / 2 - depth * self.middle_slope


def circling(cameras: Sequence[Camera]) -> tuple[tuple[float, float, float], float]:
    """Return a circle for a camera that travels around all that some cameras see.

    Args:
        cameras: one or more.

    Returns:
        Its centre, the mean of the targets, and its radius, [m].
    """
    targets = np.array([camera.target for camera in cameras])
    # From anywhere on the circle each target is at least as far away as it was from its own camera:
    # so the radius is the greatest distance of a camera from its target, and that of the outermost
    # target from the mean.
    target = targets.mean(axis=0)
    distance = max(math.dist(camera.eye, camera.target) for camera in cameras)
    return as_point(target), distance + float(np.linalg.norm(targets - target, axis=1).max())


def with_room_below(camera: Camera, share: float) -> Camera:
    """Return a camera that shows the picture of another in its upper part, with free room below.

    As the eye moves, perspective changes a little.

    Args:
        camera: the other camera.
        share: of the picture's height that is to be free below, 0 to 0.5.
    """
    # Rows 0 to 2 of the view matrix are the camera's axes right, up and back, in the world.
    view = camera.view()
    up = view[1, :3]
    back = view[2, :3]
    # The new camera is farther away, so that the old picture takes 1 − share of the height of the
    # new one; and lower by half the free height at the target, so that the old picture is on top.
    distance = camera.distance / (1 - share)
    down = up * (-share * distance * float(np.tan(camera.field_of_view / 2)))
    target = np.asarray(camera.target) + down
    eye = target + back * distance
    # The eye does not go below the least height, nor, if it was below that already, any lower.
    eye[1] = max(eye[1], min(camera.eye[1], LOWEST))
    return replace(camera, eye=as_point(eye), target=as_point(target))


def extreme_points(points: Floats) -> Floats:
    """Return the points that are farthest in one of many directions: about the convex hull.

    Args:
        points: shape (N, 3), one or more, [m].

    Returns:
        Shape (M, 3), M at most `_DIRECTIONS`, in the order of the points.
    """
    directions = _search_directions()
    all_directions = np.arange(_DIRECTIONS)
    # For each direction: how far along it the farthest point so far is, and its index.
    farthest = np.full(_DIRECTIONS, -np.inf)
    extreme = np.zeros(_DIRECTIONS, dtype=int)
    # In batches, whose products stay in the processor's cache. `best` is the index in the batch of
    # the farthest point in each direction.
    for start in range(0, len(points), _BATCH_SIZE):
        projections = directions @ points[start : start + _BATCH_SIZE].T
        best = projections.argmax(axis=1)
        is_farther = projections[all_directions, best] > farthest
        farthest[is_farther] = projections[all_directions, best][is_farther]
        extreme[is_farther] = start + best[is_farther]
    return points[sorted(set(extreme.tolist()))]


@functools.cache
def _search_directions() -> Floats:
    """Random directions, always the same, shape (`_DIRECTIONS`, 3); not of unit length."""
    # Made at first use: loading numpy's random numbers takes a while.
    return np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))


def outermost_points(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points that a camera has to see over a loop, shape (N, 3), [m].

    They are those of `points_of` and the tops of flights, which the frames, at some times only, may
    miss; of these only the points on or near the convex hull, and the last two.

    Args:
        motion, frames, joints, stands: as of `points_of`.
    """
    highest = motion.flight_paths.parabolas.apexes()
    if frames.aims is not None:
        # How clubs and rings point there is not known, so points are added on both sides along each
        # world axis, as far as the prop that reaches farthest.
        beyond = motion.shapes.reach.max() * _AXIS_DIRECTIONS
        highest = (highest[:, None] + beyond).reshape(-1, 3)
    points = points_of(motion, frames, joints, stands)
    return np.concatenate([extreme_points(np.concatenate([points[:-2], highest])), points[-2:]])


def points_of(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points of people, props and stands at some times, shape (N, 3), [m].

    The last two are below the first juggler on the floor, so that a picture always shows it.

    Args:
        motion: of the loop.
        frames: hands and props at T times of it.
        joints: shape (T, J, `JOINTS`, 3), at these times, [m].
        stands: what props are put down on, rows of `Cone`.
    """
    stand_ends = stands.astype(float)
    # The toes of the first juggler at the first time, moved down to y = 0.
    floor = joints[0, 0, [Joint.LEFT_TOES, Joint.RIGHT_TOES]] * (1.0, 0.0, 1.0)
    return np.concatenate(
        [
            joints.reshape(-1, 3),
            _prop_points(motion, frames),
            stand_ends[:, Cone.START],
            stand_ends[:, Cone.END],
            floor,
        ]
    )


def _prop_points(motion: Motion, frames: Frames) -> Floats:
    """Return the centres and ends of props, shape (N, 3), in the world, [m].

    Args:
        motion: of the loop.
        frames: props at T times of it.
    """
    # If all props are balls, their centres are enough: a camera sees a ball around every point.
    centres = frames.props.reshape(-1, 3)
    if frames.aims is None:
        return centres
    # Both ends of clubs and rings, along the way that they point.
    along = aim_directions([frames.aims]) * motion.shapes.reach[:, None]
    ends = [(frames.props + side * along).reshape(-1, 3) for side in (-1, 1)]
    return np.concatenate([centres, *ends])


def reach_points(joints: Floats) -> Floats:
    """Extreme points along the world axes of the spheres around shoulders that wrists can reach.

    Args:
        joints: of J jugglers at T times, shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T · J · 12, 3), six for each shoulder, [m].
    """
    shoulders = joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]].reshape(-1, 1, 3)
    return (shoulders + REACH * _AXIS_DIRECTIONS).reshape(-1, 3)


def eye_ranges(motion: Motion, hands: Floats, joints: Floats) -> list[EyeRange]:
    """Return the range of elevations that the eyes of each juggler have to see over a loop.

    The list is in order of jugglers.

    Args:
        motion: of the loop.
        hands: shape (T, J, 2, 3), at T times of it, [m].
        joints: shape (T, J, `JOINTS`, 3), at these times, [m].
    """
    events = motion.choreography.events
    flights = motion.choreography.flights
    parabolas = motion.flight_paths.parabolas
    apexes = parabolas.apexes()
    # The jugglers who throw and who catch the flight of each parabola; a hand is 2 · juggler +
    # side. A juggler looks up to the apexes of their own throws and of those that they catch.
    thrower = events.hand[flights.throw[parabolas.flight]] // 2
    catcher = events.hand[flights.catch[parabolas.flight]] // 2
    return [
        EyeRange.over_loop(
            heads=joints[:, juggler, Joint.HEAD],
            faces=joints[:, juggler, Joint.FACE],
            hands=hands[:, juggler],
            throw_tops=apexes[(thrower == juggler) | (catcher == juggler)],
        )
        for juggler in range(motion.choreography.jugglers)
    ]
