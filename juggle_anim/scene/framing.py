"""Framing: what a picture must show, and the nearest camera that sees all of it.

Viewpoints: when, and from where, a still picture shows best what is juggled.

Moments and directions are compared as a photographer would, by balls along limbs and props as they
lie in the picture; nothing is drawn.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.choreography import EventKind
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions
from juggle_anim.scene.camera import FARTHEST, LOWEST, NEAREST, Camera, EyeRange
from juggle_anim.scene.scene import REACH, Cone
from juggle_anim.vectors import as_point, cross, unit

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


MOMENT_HEADROOM = 1.1
"""Space above heads in which the props of a moment are in its picture, [m]: a person is still half
as high as the picture.
"""

_AZIMUTHS = 30  # of candidates, all around: 12° are just another view
_ELEVATIONS = 2.0, 6.0, 10.0  # °, of one or two people: the eyes of somebody near
_GROUP_ELEVATIONS = 12.0, 20.0, 28.0  # °, of more people: none hides another
_MOMENTS = 36  # of a loop
_LONGEST = 20.0  # s, of a long loop in which a moment is sought
_WORK = 2_000_000  # pairs of balls that are compared at most, in a tenth of a second

# After a throw and before a catch its hand is still there, and its prop apart, [s].
_APART = np.array([0.02, 0.05, 0.08, 0.11, 0.14])

_STANDING_HEAD = 1.6  # m, the middle of a head
_HEIGHT = 1.75  # m, of a person who stands
_FACE_RADIUS = 0.12  # m, with some room around it
_HAND_RADIUS = 0.05  # m
_CHEST_RADIUS = 0.12  # m
_ROOM = 0.35  # m, between props that stand well apart
_FAR_OUT = 0.6  # m, from its mean place, of a hand that makes a wide gesture
_CROSSED_BY = 0.1  # m, of hands on the far sides of each other
_LARGE = 0.7  # share of the picture's height, of a person who is large
_TURNED = 0.7  # cosine of the angle from which on a face is turned away
_MAX_THIN = 0.05  # m, radius of the balls along a club

# What is amiss in a picture, and how much it weighs: a face, a prop and a hand that are covered,
# and people behind others; props in one line, before a body, and crowded; people who turn away, are
# small, unlit, at rest or blinking; props outside the picture and in hands; of a throw or catch
# around the body, its hand or its prop covered, its limbs seen from their ends, and the hand gone.
_FACE_COVERED = 3.0
_PROP_COVERED = 1.5
_HAND_COVERED = 0.8
_BEHIND = 2.0
_PROPS_IN_LINE = 1.0
_PROP_BEFORE_BODY = 0.5
_CROWDED = 0.6
_TURNED_AWAY = 1.5
_SMALL = 1.5
_UNLIT = 0.4
_AT_REST = 1.0
_BLINKING = 0.5
_CROSSED = 1.5
_OUTSIDE = 1.5
_HELD = 0.4
_TRICK_COVERED = 4.0
_FORESHORTENED = 0.8
_LATE = 0.5

# Balls along limbs: two joints, without their side, the share of the way between them, and the
# radius [m].
_MIDDLE = (
    ("HEAD", "HEAD", 0.0, 0.115),
    *(("PELVIS", "CHEST", share, 0.15) for share in (0.0, 0.35, 0.7, 1.0)),
)
_SIDED = (
    *(("SHOULDER", "HIP", share, 0.06) for share in (0.2, 0.4, 0.6, 0.8)),
    ("SHOULDER", "ELBOW", 0.1, 0.09),
    ("SHOULDER", "ELBOW", 0.5, 0.07),
    ("ELBOW", "WRIST", 0.0, 0.05),
    ("ELBOW", "WRIST", 0.35, 0.045),
    ("ELBOW", "WRIST", 0.7, 0.04),
    ("WRIST", "TIPS", 0.3, 0.04),
    ("WRIST", "TIPS", 0.7, 0.03),
    ("HIP", "KNEE", 0.0, 0.15),
    ("HIP", "KNEE", 0.2, 0.11),
    ("HIP", "KNEE", 0.4, 0.10),
    ("HIP", "KNEE", 0.7, 0.09),
    ("KNEE", "ANKLE", 0.0, 0.085),
    ("KNEE", "ANKLE", 0.25, 0.075),
    ("KNEE", "ANKLE", 0.5, 0.07),
    ("KNEE", "ANKLE", 0.75, 0.055),
    ("ANKLE", "TOES", 0.3, 0.05),
)
_BALLS = _MIDDLE + tuple(
    (f"{side}_{start}", f"{side}_{end}", share, radius)
    for start, end, share, radius in _SIDED
    for side in ("LEFT", "RIGHT")
)
_STARTS = [Joint[start] for start, *_rest in _BALLS]
_ENDS = [Joint[end] for _start, end, *_rest in _BALLS]
_SHARES = np.array([share for *_joints, share, _radius in _BALLS])
_RADII = np.array([radius for *_rest, radius in _BALLS])
_IS_ARM = np.array(["ELBOW" in start + end or "WRIST" in start for start, end, *_rest in _BALLS])
_IS_HEAD = np.array([start == "HEAD" for start, *_rest in _BALLS])
_PALMS = [Joint.LEFT_PALM, Joint.RIGHT_PALM]
_SHOULDERS = [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]
_HIPS = [Joint.LEFT_HIP, Joint.RIGHT_HIP]
_KNEES = [Joint.LEFT_KNEE, Joint.RIGHT_KNEE]


@dataclass(frozen=True)
class Viewpoint:
    """When a picture is taken, and from where.

    Args:
        time: [s] of the pattern.
        azimuth, elevation: of the camera, as of `Framing`, [rad].
    """

    time: float
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class Moments:
    """Moments at which a picture can be taken.

    Args:
        times: shape (T,), [s].
        hand: of the throw or catch around the body that is shown at each, 2 · juggler + side,
            shape (T,); −1 for none.
        apart: the time from there to that throw or catch, shape (T,), [s].
    """

    times: Floats
    hand: Integers
    apart: Floats

    @classmethod
    def of_loop(cls, motion: Motion) -> Moments:
        """Return moments just after throws and before catches around the body, if there are any,
        and otherwise moments evenly over the loop.
        """
        events = motion.choreography.events
        span = min(motion.duration, _LONGEST)
        (around,) = np.nonzero((events.manners[:, 1] > 0) & (events.time < span))
        if not len(around):
            return cls.at(motion, np.linspace(0.0, span, _MOMENTS, endpoint=False))
        around = around[: _MOMENTS // len(_APART)]
        later = np.where(events.kind[around] == EventKind.THROW, 1.0, -1.0)[:, None] * _APART
        return cls.at(motion, (events.time[around, None] + later).ravel() % motion.duration)

    @classmethod
    def at(cls, motion: Motion, times: Floats) -> Moments:
        """Return moments at some times, shape (T,), [s], with throws and catches around the body
        that are near.
        """
        events = motion.choreography.events
        half = motion.duration / 2
        distance = np.abs((events.time - times[:, None] + half) % motion.duration - half)
        distance = np.where(events.manners[:, 1] > 0, distance, np.inf)
        nearest = distance.min(axis=1)
        hand = np.where(nearest < 2 * _APART[-1], events.hand[distance.argmin(axis=1)], -1)
        return cls(times, hand, nearest)


def moment_top(joints: Floats) -> Floats:
    """Return the height up to which pictures of moments show props, shape (T,), [m].

    It is above the head of somebody who stands, even if all stoop.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
    """
    top: Floats = np.maximum(joints[..., 1].max(axis=(1, 2)), _STANDING_HEAD) + MOMENT_HEADROOM
    return top


def directions(jugglers: int) -> Floats:
    """Return the azimuth and elevation of each candidate, shape (V, 2), [rad]."""
    elevations = _ELEVATIONS if jugglers < 3 else _GROUP_ELEVATIONS
    azimuths = (np.arange(_AZIMUTHS) - _AZIMUTHS // 2) * (360.0 / _AZIMUTHS)
    return np.radians([(azimuth, elevation) for azimuth in azimuths for elevation in elevations])


def best_viewpoint(
    motion: Motion,
    frames: Frames,
    pose: Pose,
    moments: Moments,
    candidates: Floats,
    light: Floats,
    aspect: float,
    *,
    steady: bool = False,
) -> Viewpoint | None:
    """Return the best of some moments and directions; None where there is too much to compare.

    Args:
        motion: of the loop.
        frames, pose: props and people at T times.
        moments: these times.
        candidates: azimuth and elevation, shape (V, 2), [rad].
        light: toward the key light, shape (3,).
        aspect: width of the picture over its height.
        steady: whether all moments are seen, from one direction; the viewpoint has any of them.
    """
    times, jugglers = pose.joints.shape[:2]
    props, radius = _prop_balls(motion, frames)
    balls = props.shape[1] + len(_BALLS) * jugglers
    pairs = (props.shape[1] + 3 * jugglers) * balls * len(candidates)
    if pairs > _WORK:
        return None
    # Of many moments as many as there is time for.
    chosen = np.unique(np.linspace(0, times - 1, min(times, _WORK // pairs)).round().astype(int))
    people = pose.joints[chosen]
    framings = (Framing(aspect, azimuth, elevation, 0.5) for azimuth, elevation in candidates)
    axes = np.array([framing.axes() for framing in framings])
    starts = people[:, :, _STARTS]
    along = starts + _SHARES[:, None] * (people[:, :, _ENDS] - starts)
    bodies = _Balls.seen(along.reshape(len(chosen), -1, 3), np.tile(_RADII, jugglers), axes)
    flying = _Balls.seen(props[chosen], radius, axes)
    cost = (
        _people_cost(people, bodies, flying, axes, light)
        + _props_cost(bodies, flying, props.shape[1] // frames.props.shape[1])
        + _frame_cost(people, props[chosen], axes, aspect)
        + _trick_cost(people, props[chosen], radius, moments.hand[chosen], bodies, axes)
    )
    # Arms that cross, as far as that is seen across the picture.
    across = people[:, :, _SHOULDERS[0]] - people[:, :, _SHOULDERS[1]]
    crossed = people[:, :, _PALMS[1]] - people[:, :, _PALMS[0]]
    share = np.clip((crossed * unit(across)).sum(axis=-1) / _CROSSED_BY, 0.0, 1.0)
    seen_across = np.abs(np.einsum("tjc,vc->tvj", unit(across), axes[:, 0]))
    cost = cost - _CROSSED * (share[:, None] * seen_across).mean(axis=-1)
    means = pose.joints[:, :, _PALMS].mean(axis=0)
    gesture = np.linalg.norm(people[:, :, _PALMS] - means, axis=-1).mean(axis=(1, 2)) / _FAR_OUT
    held = (frames.holders[chosen] >= 0).mean(axis=1)
    lids = pose.lids[chosen].mean(axis=1)
    late = np.where(moments.hand >= 0, moments.apart / _APART[-1], 0.0)[chosen]
    cost = (
        cost
        + (
            _AT_REST * (1 - np.minimum(gesture, 1.0))
            + _HELD * held
            + _BLINKING * lids
            + _LATE * late
        )[:, None]
    )
    if steady:
        cost = cost.mean(axis=0, keepdims=True)
    time, view = np.unravel_index(int(cost.round(5).argmin()), cost.shape)
    azimuth, elevation = candidates[view].tolist()
    return Viewpoint(float(frames.times[chosen[time]]), azimuth, elevation)


@dataclass(frozen=True)
class _Balls:
    """N balls at T times, as they are seen from V directions.

    Args:
        place: right, up and back, toward the camera, shape (T, V, N, 3), [m].
        radius: shape (N,), [m].
    """

    place: Singles
    radius: Singles

    @classmethod
    def seen(cls, points: Floats, radius: Floats | float, axes: Floats) -> _Balls:
        """Return balls around points, shape (T, N, 3), [m], along axes of shape (V, 3, 3)."""
        place = points.astype(np.float32)[:, None] @ np.swapaxes(axes, 1, 2).astype(np.float32)
        return cls(place, np.broadcast_to(radius, points.shape[1]).astype(np.float32))

    def over(self, others: _Balls) -> tuple[Singles, Singles]:
        """Return the shares of these balls that lie over, and that lie under, each other one.

        Returns:
            Shape (T, V, N, O) both, 0 to 1; where one is not 0, the other is.
        """
        # Component by component: a sum over so short an axis is slow.
        right, up, back = (
            others.place[..., None, :, axis] - self.place[..., axis, None] for axis in range(3)
        )
        distance = np.sqrt(right * right + up * up)
        radius = self.radius[:, None]
        less = np.minimum(radius, others.radius)
        share = np.clip((radius + others.radius - distance) / (2 * less), 0.0, 1.0)
        is_under = back > 0
        return share * ~is_under, share * is_under


def _prop_balls(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """Return balls that stand for props: places, shape (T, B, 3), and radii, shape (B,), [m].

    Of balls and rings they are around the centre; of clubs there are two, near both ends. All props
    have equally many, so that those of ball k of all props follow on those of ball k − 1.
    """
    shapes = motion.shapes
    if frames.aims is None:
        return frames.props, shapes.size / 2
    is_club = np.array([kind == "club" for kind in shapes.kind])
    radius = np.where(is_club, _MAX_THIN, shapes.size / 2)
    along = aim_directions([frames.aims]) * np.where(is_club, shapes.reach / 2, 0.0)[:, None]
    return np.concatenate([frames.props + along, frames.props - along], axis=1), np.tile(radius, 2)


def _people_cost(
    people: Floats, bodies: _Balls, props: _Balls, axes: Floats, light: Floats
) -> Floats:
    """What is amiss with people: their faces, hands and light, shape (T, V).

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        bodies, props: balls.
        axes: of the candidates, shape (V, 3, 3).
        light: toward the key light.
    """
    times, jugglers = people.shape[:2]
    numbers = np.arange(jugglers)
    owner = np.repeat(numbers, len(_BALLS))
    faces = _Balls.seen(people[:, :, Joint.FACE], _FACE_RADIUS, axes)
    of_body = np.where(
        (owner == numbers[:, None]) & np.tile(_IS_HEAD, jugglers), 0.0, faces.over(bodies)[1]
    )
    covered = np.concatenate([of_body, faces.over(props)[1]], axis=-1).max(axis=-1)
    palms = people[:, :, _PALMS].reshape(times, -1, 3)
    own_arm = (owner == np.repeat(numbers, 2)[:, None]) & np.tile(_IS_ARM, jugglers)
    hands = _Balls.seen(palms, _HAND_RADIUS, axes).over(bodies)[1]
    hidden = np.where(own_arm, 0.0, hands).max(axis=-1)
    others = owner != np.repeat(numbers, 2)[:, None]
    sides = people[:, :, [Joint.CHEST, Joint.PELVIS]].reshape(times, -1, 3)
    bodies_over = _Balls.seen(sides, _CHEST_RADIUS, axes).over(bodies)[1]
    behind = np.where(others, bodies_over, 0.0).max(axis=-1)
    # Where faces look, level, and whether the camera and the lamp are on that side.
    look = unit((people[:, :, Joint.FACE] - people[:, :, Joint.HEAD]) * (1.0, 0.0, 1.0))
    back = axes[:, 2] * (1.0, 0.0, 1.0)
    toward = np.einsum("tjc,vc->tvj", look, back)
    away = np.maximum(_TURNED - toward, 0.0) / (1 + _TURNED)
    unlit = 0.5 - 0.5 * back @ unit(light * (1.0, 0.0, 1.0))
    cost: Floats = (
        _FACE_COVERED * covered.mean(axis=-1)
        + _HAND_COVERED * hidden.mean(axis=-1)
        + _BEHIND * behind.mean(axis=-1)
        + _TURNED_AWAY * away.mean(axis=-1)
        + _UNLIT * unlit
    )
    return cost


def _props_cost(bodies: _Balls, props: _Balls, balls_each: int) -> Floats:
    """What is amiss with props among themselves and with bodies, shape (T, V).

    Args:
        bodies, props: balls.
        balls_each: of a prop.
    """
    before, covered = (part.max(axis=-1) for part in props.over(bodies))
    count = len(props.radius) // balls_each
    number = np.tile(np.arange(count), balls_each)
    is_other = number != number[:, None]
    in_line = np.where(is_other, np.add(*props.over(props)), 0.0).max(axis=-1, initial=0.0)
    level = props.place[..., :2]
    distance = np.linalg.norm(level[..., None, :, :] - level[..., None, :], axis=-1)
    nearest = np.where(is_other, distance, _ROOM).min(axis=-1, initial=_ROOM)
    cost: Floats = (
        _PROP_COVERED * covered.mean(axis=-1)
        + _PROP_BEFORE_BODY * before.mean(axis=-1)
        + _PROPS_IN_LINE * in_line.mean(axis=-1)
        + _CROWDED * (1 - nearest.mean(axis=-1) / _ROOM)
    )
    return cost


def _frame_cost(people: Floats, places: Floats, axes: Floats, aspect: float) -> Floats:
    """What is amiss with the frame: people who are small, and props outside, shape (T, V).

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        places: of balls of props, shape (T, B, 3), [m].
        axes: of the candidates, shape (V, 3, 3).
        aspect: width of the picture over its height.
    """
    joints = _Balls.seen(people.reshape(len(people), -1, 3), _HAND_RADIUS, axes)
    # Props that fly too high are left out: they count as being in the first head.
    is_outside = places[..., 1] > moment_top(people)[:, None]
    shown = np.where(is_outside[..., None], people[:, :1, Joint.HEAD], places)
    props = _Balls.seen(shown, _HAND_RADIUS, axes)
    both = np.concatenate([joints.place, props.place], axis=2)
    width = np.ptp(both[..., 0], axis=-1) + 2 * _CHEST_RADIUS
    height = np.ptp(both[..., 1], axis=-1) + 2 * _CHEST_RADIUS
    height = np.maximum(height / (1 - MARGIN - STANDING), width / (aspect * (1 - 2 * MARGIN)))
    small = np.maximum(_LARGE - _HEIGHT / height, 0.0) / _LARGE
    cost: Floats = _SMALL * small + _OUTSIDE * is_outside.mean(axis=-1)[:, None]
    return cost


def _trick_cost(
    people: Floats,
    props: Floats,
    radius: Floats,
    hand: Integers,
    bodies: _Balls,
    axes: Floats,
) -> Floats:
    """What is amiss with a throw or catch around the body, shape (T, V); 0 where there is none.

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), [m].
        props, radius: balls of props, shape (T, B, 3) and (B,), [m].
        hand: shape (T,), as of `Moments`.
        bodies: balls.
        axes: of the candidates, shape (V, 3, 3).
    """
    rows = np.arange(len(people))
    body = people[rows, hand // 2]
    side = hand % 2
    palm = body[rows, np.array(_PALMS)[side]]
    # Its prop is the nearest.
    nearest = np.linalg.norm(props - palm[:, None], axis=-1).argmin(axis=1)
    prop = _Balls.seen(props[rows, nearest][:, None], float(radius.mean()), axes)
    before, covered = (part.max(axis=(-2, -1)) for part in prop.over(bodies))
    owner = np.repeat(np.arange(people.shape[1]), len(_BALLS))
    own_arm = (owner == (hand // 2)[:, None]) & np.tile(_IS_ARM, people.shape[1])
    palms = _Balls.seen(palm[:, None], _HAND_RADIUS, axes).over(bodies)[1][:, :, 0]
    hidden = np.where(own_arm[:, None], 0.0, palms).max(axis=-1)
    # How short its arm and the thighs look.
    limbs = np.concatenate(
        [
            (palm - body[rows, np.array(_SHOULDERS)[side]])[:, None],
            body[:, _KNEES] - body[:, _HIPS],
        ],
        axis=1,
    )
    short = np.abs(np.einsum("tlc,vc->tvl", unit(limbs), axes[:, 2])).mean(axis=-1)
    cost = _TRICK_COVERED * (covered + hidden + before / 8) + _FORESHORTENED * short
    return np.where(hand[:, None] >= 0, cost, 0.0)
