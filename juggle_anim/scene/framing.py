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
from typing import NamedTuple

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
        standing: share of the picture's height that stays free below people.
    """

    aspect: float
    azimuth: float
    elevation: float
    field_of_view: float
    orthographic: bool = False
    aside: tuple[float, float] = (0.0, 0.0)
    standing: float = STANDING

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
    axes = np.array(framing.axes())
    places = points @ axes.T
    place, middle_depth = _stand(places, radius, framing, framing.elevation, framing.standing)
    z = places[:, 2]
    cz = float(place[2])
    eye = place @ axes
    target = eye + (float(middle_depth) - cz) * axes[2]
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
        orthographic=framing.orthographic,
    )


def _stand(
    places: Floats,
    radius: float,
    framing: Framing,
    elevation: float | Floats,
    standing: float | Floats,
) -> tuple[Floats, Floats]:
    """Return where eyes stand along the axes of their cameras, and how deep their targets are.

    Each camera stands as near as it can with all of its balls in the picture.

    Args:
        places: centres of the balls along the axes of each camera, right, up and back, measured
            from the origin of the world, shape (…, N, 3), [m].
        radius: of all balls, above 0, [m].
        framing: aspect, field of view, projection and `aside` are used, as the same for all.
        elevation: of each camera above the horizon, any shape that broadcasts to (…), [rad].
        standing: share of each picture's height that stays free below people who are seen from the
            side, likewise.

    Returns:
        The eyes along the axes of their cameras, shape (…, 3), [m]; and the depths of the targets,
        their coordinates along the axes back, shape (…), [m].
    """
    x, y, z = np.moveaxis(places, -1, 0)
    aspect = framing.aspect
    orthographic = framing.orthographic
    # The inner part of the picture, without the margins, in which all must be. From the side people
    # stand near its lower edge; from above they lie in the middle. In an orthographic picture lines
    # of sight are alike everywhere, so `aside` has no effect.
    #
    # Slopes are tangents of angles to straight ahead; that of the picture's upper edge is
    # `half_view`. In half heights of the picture, the inner part goes from −1 + 2 below up to
    # 1 − 2 MARGIN: half its extent is 1 − MARGIN − below, its middle at below − MARGIN; times
    # `half_view` they are slopes. `level` is 1 from the side and 0 from above.
    half_view = np.asarray(math.tan(framing.field_of_view / 2))
    offset_right, offset_up = (0.0, 0.0) if orthographic else framing.aside
    level = np.square(np.cos(elevation))
    below = MARGIN + level * (standing - MARGIN)
    half_height = half_view * (1 - MARGIN - below)

    def edges(depth: Floats) -> tuple[_Edges, _Edges]:
        """The inner edges of the pictures, moved so that they just show all balls.

        The balls are those of `places`, to the right by x and up by y, with other depths.

        Args:
            depth: of the balls along the axes back, shape (…, N), [m].

        Returns:
            The left and right edges, and the lower and upper edges.
        """
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
    middle_depth = (z.max(axis=-1) + z.min(axis=-1)) / 2
    horizontal, vertical = edges(z)
    cz = np.maximum(horizontal.least_depth, vertical.least_depth)
    if orthographic:
        horizontal, vertical = edges(np.broadcast_to(middle_depth[..., None], z.shape))
        cz = np.maximum(cz, np.maximum(horizontal.least_depth, vertical.least_depth))
    # What is shown is in the middle from left to right; height that is left over is above people:
    # seen from the side the eye is raised, so that the lower edge just shows the lowest ball. The
    # move by `aside`, at the depth of the target, is taken back here: the caller makes it.
    ahead = half_view * (cz - middle_depth)
    cx = horizontal.middle(cz) + ahead * offset_right
    cy = vertical.middle(cz) + ahead * offset_up
    cy += level * half_height * (cz - vertical.least_depth)
    return np.stack([cx, cy, cz], axis=-1), middle_depth


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

    low: Floats
    high: Floats
    middle_slope: Floats
    half_slope: Floats

    @classmethod
    def around_balls(
        cls,
        across: Floats,
        depth: Floats,
        radius: float,
        *,
        middle_slope: Floats,
        half_slope: Floats,
    ) -> _Edges:
        """Return the edges of given slopes that just show all balls.

        Args:
            across: centres of the balls to the right for left and right edges, or up for lower and
                upper edges, shape (…, N), [m].
            depth: centres of the balls back, toward the camera, shape (…, N), [m].
            radius: of all balls, [m].
            middle_slope, half_slope: as of the class.
        """
        low_tangent = middle_slope - half_slope
        high_tangent = middle_slope + half_slope
        # An edge touches a ball at a slant, so measured across, from the ball's centre, the edge is
        # farther than its radius r: by the cosine of the slant, r / cos = r √(1 + tan²).
        high = (across + depth * high_tangent[..., None]).max(axis=-1)
        high = high + radius * np.hypot(1.0, high_tangent)
        low = (-across - depth * low_tangent[..., None]).max(axis=-1)
        low = low + radius * np.hypot(1.0, low_tangent)
        return cls(low, high, middle_slope, half_slope)

    @property
    def least_depth(self) -> Floats:
        """The least depth at which the camera sees all, [m]: where the two planes meet."""
        return (self.high + self.low) / (2 * self.half_slope)

    def middle(self, depth: Floats) -> Floats:
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
        motion, frames, joints, stands: as of `points_at`.
    """
    points = points_at(motion, frames, joints, stands)
    return np.concatenate([points[:, :-2].reshape(-1, 3), points[0, -2:]])


def points_at(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points that a camera has to show at each of T times, shape (T, N, 3), [m].

    They are, in this order, the joints of all people, points of the props, both ends of the stands,
    and two points on the floor below the toes of the first juggler, so that the floor on which
    people stand is in the picture.

    Args:
        motion: the motion of the loop.
        frames: hands and props at T times of it.
        joints: joints of J people at these times, shape (T, J, `JOINTS`, 3), [m].
        stands: what props are put down on, rows of `Cone`; they do not move.
    """
    ends = np.concatenate([stands[:, Cone.START], stands[:, Cone.END]]).astype(float)
    return np.concatenate(
        [
            joints.reshape(len(joints), -1, 3),
            prop_points(motion, frames),
            np.broadcast_to(ends, (len(joints), *ends.shape)),
            # The toes of the first juggler, moved down to the floor at y = 0.
            joints[:, 0, [Joint.LEFT_TOES, Joint.RIGHT_TOES]] * (1.0, 0.0, 1.0),
        ],
        axis=1,
    )


def prop_points(motion: Motion, frames: Frames) -> Floats:
    """Return the centres of props, both ends of clubs, and four points of the rim of each ring.

    Args:
        motion, frames: as of `points_at`.

    Returns:
        Shape (T, P, 3) if all P props are balls, since a camera sees a ball around every point;
        otherwise (T, 5P, 3): centres first, [m].
    """
    if frames.aims is None:
        return frames.props
    # A ring is in the upright plane of its aim; a quarter of a turn on there is its rim, too.
    reach = motion.shapes.reach[:, None]
    is_ring = np.array([kind == "ring" for kind in motion.shapes.kind])[:, None]
    along = aim_directions([frames.aims]) * reach
    across = aim_directions([frames.aims + (0.0, np.pi / 2)]) * np.where(is_ring, reach, 0.0)
    ways = (along, -along, across, -across)
    return np.concatenate([frames.props, *(frames.props + way for way in ways)], axis=1)


def three_quarters(
    points: Floats, props: Floats, joints: Floats, margin: float
) -> tuple[Floats, Floats]:
    """Return points whose picture ends within the thighs where that shows the person larger.

    It ends there while the feet stand, and all hands and props are above its lower edge. Points
    below the thighs are then raised to them; the crown of the head is added to all.

    Args:
        points: what pictures of one person must show at each of T times, shape (T, N, 3), [m].
        props: as of `prop_points`, shape (T, P, 3), [m].
        joints: of the person, shape (T, `JOINTS`, 3), [m].
        margin: radius of the balls around points that are framed, [m].

    Returns:
        The points of each picture, shape (T, N + 1, 3), [m]; and the share of its height that stays
        free below, shape (T,): 0 where the picture ends at the thighs, else `STANDING`.
    """
    # Heights above the floor, shape (T,), [m]: of the lower hip, of the edge within the thighs, and
    # of the lowest of props and palms. A camera looks down: what is before the thighs lies lower in
    # the picture than what is as high between them.
    heights = joints[..., 1]
    hips = heights[:, _HIPS].min(axis=1)
    edge = hips + _CUT_THIGH * (heights[:, _KNEES].min(axis=1) - hips)
    handled = np.concatenate([props, joints[:, _PALMS]], axis=1)
    from_pelvis = (handled - joints[:, Joint.PELVIS, None])[..., ::2]
    lowered = _STEEPEST * np.linalg.norm(from_pelvis, axis=-1)
    lowest_handled = (handled[..., 1] - lowered).min(axis=1)
    crown = joints[:, Joint.HEAD, None] + (0.0, _CROWN, 0.0)
    is_inside = lowest_handled > edge + margin
    is_cut = is_inside & (heights[:, _ANKLES].max(axis=1) < _LIFTED)
    # A point between the thighs, straight below the pelvis, stands for all that is lower. It is
    # `margin` higher than the edge, as the ball around it is framed.
    lowest = np.where(is_cut, edge + margin, -np.inf)[:, None]
    pelvis = joints[:, Joint.PELVIS, None]
    thighs = np.stack([pelvis[..., 0], lowest, pelvis[..., 2]], axis=-1)
    framed = np.where(points[..., 1:2] < lowest[..., None], thighs, points)
    return np.concatenate([framed, crown], axis=1), np.where(is_cut, 0.0, STANDING)


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


_CUT_THIGH = 0.7  # of the way from the hips to the knees: where a picture ends
_CROWN = 0.12  # m, from the middle of a head, up to where its picture has room
_LIFTED = 0.25  # m, above the floor, of an ankle whose foot has left it

_AZIMUTHS = 30  # of candidates, all around: 12° are just another view
_ELEVATIONS = 2.0, 6.0, 10.0  # °, of one or two people: the eyes of somebody near
_STEEPEST = math.tan(math.radians(_ELEVATIONS[-1]))  # slope of the lines of sight to them
_GROUP_ELEVATIONS = 12.0, 20.0, 28.0  # °, of more people: none hides another
_CROWD_STEP = 3  # azimuths of a crowd are 36° apart
_SAME_ANGLE = 1e-6  # rad
_MOMENTS = 36  # of a loop
_LONGEST = 20.0  # s, of a long loop in which a moment is sought
_WORK = 2_000_000  # pairs of balls that are compared at most, in a tenth of a second

# After a throw and before a catch its hand is still there, and its prop apart, [s].
_APART = np.array([0.02, 0.05, 0.08, 0.11, 0.14])

_HEIGHT = 1.75  # m, of a person who stands
_FACE_RADIUS = 0.12  # m, with some room around it
_HAND_RADIUS = 0.05  # m
_CHEST_RADIUS = 0.12  # m
_ROOM = 0.35  # m, between props that stand well apart
_FAR_OUT = 0.6  # m, from its mean place, of a hand that makes a wide gesture
_CROSSED_BY = 0.1  # m, of hands on the far sides of each other
_LARGE = 0.7  # share of the picture's height, of a person who is large
_TURNED = 0.8  # cosine of the angle from which on a face is turned away
_MAX_THIN = 0.05  # m, radius of the balls along a club

# What is amiss in a picture, and how much it weighs: a face, a prop and a hand that are covered,
# and people behind others; props in one line, before a body, and crowded; people who turn away, are
# small, unlit, at rest or blinking; props outside the picture and in hands; of a throw or catch
# around the body, its hand or its prop covered, its limbs seen from their ends, and the hand gone;
# and props of several moments behind one another.
_FACE_COVERED = 3.0
_PROP_COVERED = 1.5
_HAND_COVERED = 0.8
_BEHIND = 2.0
_PROPS_IN_LINE = 1.0
_PROP_BEFORE_BODY = 0.5
_CROWDED = 0.6
_TURNED_AWAY = 1.5
_SMALL = 6.0
_UNLIT = 0.4
_AT_REST = 1.0
_BLINKING = 0.5
_CROSSED = 1.5
_SUNK = 100.0
_HELD = 0.4
_GONE = 1.5
_TRICK_COVERED = 4.0
_TRICK_BEFORE_BODY = 0.125  # of that, for a prop that is before the body instead
_FORESHORTENED = 0.8
_LATE = 2.0
_NARROW = 2.5

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
_ANKLES = [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE]


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
        """Return moments just after throws and just before catches around the body.

        If there are no such events, the moments are evenly over the loop. There are at most
        `_MOMENTS`, in the first `_LONGEST` seconds of a longer loop.
        """
        events = motion.choreography.events
        span = min(motion.duration, _LONGEST)
        # Column 1 of manners is the way around the body, 0 for none.
        (around,) = np.nonzero((events.manners[:, 1] > 0) & (events.time < span))
        if not len(around):
            return cls.at(motion, np.linspace(0.0, span, _MOMENTS, endpoint=False))
        # Each event has as many moments as `_APART`, after a throw or before a catch.
        around = around[: _MOMENTS // len(_APART)]
        after_or_before = np.where(events.kind[around] == EventKind.THROW, 1.0, -1.0)
        moments = events.time[around, None] + after_or_before[:, None] * _APART
        return cls.at(motion, moments.ravel() % motion.duration)

    @classmethod
    def at(cls, motion: Motion, times: Floats) -> Moments:
        """Return moments at given times, each with the throw or catch around the body next to it.

        An event farther away than twice the longest of `_APART` does not count.

        Args:
            motion: of the loop, whose end meets its start.
            times: shape (T,), in the loop, [s].
        """
        events = motion.choreography.events
        half = motion.duration / 2
        # From each time to each event by the shorter way around the loop, shape (T, E), [s].
        time_apart = np.abs((events.time - times[:, None] + half) % motion.duration - half)
        is_around_body = events.manners[:, 1] > 0
        time_apart = np.where(is_around_body, time_apart, np.inf)
        nearest = time_apart.min(axis=1)
        hand = np.where(nearest < 2 * _APART[-1], events.hand[time_apart.argmin(axis=1)], -1)
        return cls(times, hand, nearest)


def directions(jugglers: int) -> Floats:
    """Return the directions from which pictures are compared, shape (V, 2), [rad].

    Columns are azimuth and elevation, as of `Framing`. Azimuths go all around, evenly; groups are
    seen from higher, as people would hide each other.

    Args:
        jugglers: number of jugglers.
    """
    elevations = _ELEVATIONS if jugglers < 3 else _GROUP_ELEVATIONS
    azimuths = (np.arange(_AZIMUTHS) - _AZIMUTHS // 2) * (360.0 / _AZIMUTHS)
    return np.radians([(azimuth, elevation) for azimuth in azimuths for elevation in elevations])


def best_viewpoint(
    motion: Motion,
    frames: Frames,
    pose: Pose,
    moments: Moments,
    points: Floats,
    margin: float,
    standing: Floats,
    candidates: Floats,
    light: Floats,
    framing: Framing,
    *,
    steady: bool = False,
) -> Viewpoint | None:
    """Return the best of some moments and views; None where there is too much to compare.

    Each moment seen from each candidate has a cost, the weighted sum of what is amiss in its
    picture. The least one is best; of equal ones (to five decimals) the first.

    Args:
        motion: of the loop.
        frames, pose: props and people at T times.
        moments: these times.
        points: what the picture of each must show, shape (T, N, 3); (1, N, 3) if every picture must
            show the same, [m].
        margin: radius of the balls around these points that are framed, above 0, [m].
        standing: share of the height of each picture that stays free below people, shape (T,), or
            (1,) for all.
        candidates: V views, columns azimuth and elevation, shape (V, 2), [rad].
        light: direction toward the key light, shape (3,).
        framing: the picture; its azimuth and elevation are replaced by those of the candidates.
        steady: whether one picture shows all moments: the mean of their costs counts then, and the
            time of the viewpoint is the first.
    """
    times, jugglers = pose.joints.shape[:2]
    props, radius = _prop_balls(motion, frames)
    compared = _what_to_compare(times, jugglers, props.shape[1], candidates)
    if compared is None:
        return None
    chosen, candidates = compared
    people = pose.joints[chosen]
    # Balls along the limbs of all people and balls of props, as they lie in the pictures.
    shown = chosen if len(points) > 1 else slice(None)
    sight = _Sight.of(points[shown], margin, standing[shown], candidates, framing)
    starts = people[:, :, _STARTS]
    along = starts + _SHARES[:, None] * (people[:, :, _ENDS] - starts)
    bodies = sight.seen(along.reshape(len(chosen), -1, 3), np.tile(_RADII, jugglers))
    flying = sight.seen(props[chosen], radius)
    cost = (
        _people_cost(people, bodies, flying, sight, light)
        + _props_cost(bodies, flying, props.shape[1] // frames.props.shape[1])
        + _frame_cost(people, sight)
        + _trick_cost(people, props[chosen], radius, moments.hand[chosen], bodies, sight)
    )
    is_ring = np.array([kind == "ring" for kind in motion.shapes.kind])
    if frames.aims is not None and is_ring.any():
        cost = cost + _ring_cost(frames.aims[chosen][:, is_ring, 0], sight)
    cost = cost - _crossed_gain(people, sight)
    cost = cost + _moment_cost(frames, pose, moments)[chosen, None]
    highest = points[shown, :, 1].max(axis=1) + margin
    cost = cost + _GONE * (frames.props[chosen, :, 1] > highest[:, None]).mean(axis=1)[:, None]
    if steady:
        # The mean over all moments; and paths of props should lie side by side in the picture, and
        # not behind one another: the narrowest view costs most.
        width = np.ptp(flying.place[..., 0], axis=(0, -1))
        cost = cost.mean(axis=0, keepdims=True) + _NARROW * (1 - width / width.max())
    time, view = np.unravel_index(int(cost.round(5).argmin()), cost.shape)
    if not steady and len(chosen) < times and len(candidates) > 1:
        # Only some of the moments were compared: now all of them are, from the best side alone.
        return best_viewpoint(
            motion,
            frames,
            pose,
            moments,
            points,
            margin,
            standing,
            candidates[[view]],
            light,
            framing,
        )
    return Viewpoint(float(frames.times[chosen[time]]), *candidates[view].tolist())


class _Compared(NamedTuple):
    """The pictures that are compared: each of some moments from each of some views.

    Args:
        moments: M indices of moments, increasing.
        candidates: V views, columns azimuth and elevation, shape (V, 2), [rad].
    """

    moments: Integers
    candidates: Floats


def _what_to_compare(
    times: int, jugglers: int, prop_balls: int, candidates: Floats
) -> _Compared | None:
    """Return as many moments and views as there is time for; None if not even a moment.

    In each picture, of a moment and a view, balls of props, and three points of each person, are
    compared with all balls.

    Args:
        times, jugglers: how many there are.
        prop_balls: number of balls that stand for all props.
        candidates: all views, columns azimuth and elevation, [rad].
    """
    all_balls = prop_balls + len(_BALLS) * jugglers
    pairs_of_picture = (prop_balls + 3 * jugglers) * all_balls
    if pairs_of_picture * len(candidates) > _WORK:
        # A crowd is seen from the highest elevation only, and compared from fewer sides.
        highest = candidates[:, 1] > candidates[:, 1].max() - _SAME_ANGLE
        candidates = candidates[highest][::_CROWD_STEP]
    pairs_of_moment = pairs_of_picture * len(candidates)
    if pairs_of_moment > _WORK:
        return None
    # Of many moments as many are compared as there is time for, evenly.
    compared_moments = np.linspace(0, times - 1, min(times, _WORK // pairs_of_moment))
    return _Compared(np.unique(compared_moments.round().astype(int)), candidates)


def _moment_cost(frames: Frames, pose: Pose, moments: Moments) -> Floats:
    """Cost of what is amiss at T moments from wherever they are seen, shape (T,).

    It is the weighted sum of the lack of wide gestures, of props in hands, of closed eyes, and of
    the time between a moment and its throw or catch around the body.

    Args:
        frames, pose, moments: as of `best_viewpoint`.
    """
    # How far hands are from their mean places; `_FAR_OUT` or farther is a wide gesture.
    palms = pose.joints[:, :, _PALMS]
    from_mean = np.linalg.norm(palms - palms.mean(axis=0), axis=-1)
    gesture = np.minimum(from_mean.mean(axis=(1, 2)) / _FAR_OUT, 1.0)
    held = (frames.holders >= 0).mean(axis=1)
    late = np.where(moments.hand >= 0, moments.apart / _APART[-1], 0.0)
    cost: Floats = (
        _AT_REST * (1 - gesture) + _HELD * held + _BLINKING * pose.lids.mean(axis=1) + _LATE * late
    )
    return cost


@dataclass(frozen=True)
class _Sight:
    """The cameras of V views at T moments, or at all moments alike if T is 1.

    Args:
        axes: unit vectors right, up and back of each view, in rows, in the world, shape (V, 3, 3).
        place: coordinates of each eye along these, shape (T, V, 3), [m].
        distance: from each eye to its target, shape (T, V), [m].
        half_view: tangent of half the field of view.
        orthographic: whether lines of sight are parallel.
    """

    axes: Floats
    place: Floats
    distance: Floats
    half_view: float
    orthographic: bool

    @classmethod
    def of(
        cls,
        points: Floats,
        margin: float,
        standing: Floats,
        candidates: Floats,
        framing: Framing,
    ) -> _Sight:
        """Return the cameras that frame some points, one for each moment and candidate.

        Args:
            points, margin, standing, candidates, framing: as of `best_viewpoint`.
        """
        angles = candidates.tolist()
        axes = np.array([replace(framing, azimuth=a, elevation=e).axes() for a, e in angles])
        # Points along the axes of each view, shape (T, V, N, 3).
        places = points[:, None] @ np.swapaxes(axes, 1, 2)
        eyes, target_depths = _stand(places, margin, framing, candidates[:, 1], standing[:, None])
        half_view = math.tan(framing.field_of_view / 2)
        return cls(axes, eyes, eyes[..., 2] - target_depths, half_view, framing.orthographic)

    @property
    def eyes(self) -> Floats:
        """Places of the eyes in the world, shape (T, V, 3), [m]."""
        eyes: Floats = np.einsum("tvk,vkc->tvc", self.place, self.axes)
        return eyes

    def seen(self, points: Floats, radius: Floats | float) -> _Balls:
        """Return balls as they lie in the pictures of all views.

        Args:
            points: centres in the world, shape (T, N, 3), [m].
            radius: of all balls, or of each, shape (N,), [m].
        """
        # Centres along the axes of each view, from its eye, in single precision: there are many.
        # Perspective shows what is at the depth −z before the eye at the scale distance / −z of
        # that at the target.
        places = points.astype(np.float32)[:, None] @ np.swapaxes(self.axes, 1, 2).astype("f4")
        places -= self.place[:, :, None].astype(np.float32)
        scale = np.ones_like(places[..., 2])
        if not self.orthographic:
            scale = (self.distance[..., None] / np.maximum(-places[..., 2], NEAREST)).astype("f4")
        places[..., :2] *= scale[..., None]
        return _Balls(places, np.asarray(radius, dtype=np.float32) * scale)


@dataclass(frozen=True)
class _Balls:
    """N balls at T times, as they lie in the pictures of V views.

    Args:
        place: coordinates from the eye to the right and up, at the scale of the target, and back,
            toward the camera (negative before it), shape (T, V, N, 3), [m].
        radius: at the scale of the target, shape (T, V, N), [m].
    """

    place: Singles
    radius: Singles

    def overlaps(self, others: _Balls) -> _Overlaps:
        """Return by how much these balls lie over, and by how much under, each of some others.

        Two discs in the picture overlap by the sum of their radii less their distance; the share is
        that over the diameter of the smaller one: 0 where they are apart, 1 where it is covered.

        Args:
            others: O balls in the same pictures.
        """
        # Component by component: a sum over so short an axis is slow.
        right, up, back = (
            others.place[..., None, :, axis] - self.place[..., axis, None] for axis in range(3)
        )
        distance = np.sqrt(right * right + up * up)
        radius = self.radius[..., None]
        other_radius = others.radius[..., None, :]
        share = np.clip(
            (radius + other_radius - distance) / (2 * np.minimum(radius, other_radius)), 0.0, 1.0
        )
        is_under = back > 0
        return _Overlaps(share * ~is_under, share * is_under)


class _Overlaps(NamedTuple):
    """Shares by which N balls and O other ones cover each other, shape (T, V, N, O), 0 to 1.

    Args:
        over: of the pairs whose first ball is nearer to the camera; 0 for the other pairs.
        under: of the pairs whose second ball is nearer; 0 for the other pairs.
    """

    over: Singles
    under: Singles


def _prop_balls(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """Return balls that stand for props: places, shape (T, B, 3), and radii, shape (B,), [m].

    If all props are balls, each is its own ball, B = P. Otherwise each prop has two, B = 2P: first
    one of every prop, then the other of every prop. The two of a club are near both of its ends;
    those of a ball or a ring are the same, around its centre.

    Args:
        motion: has the shapes of the P props.
        frames: the props at T times.
    """
    shapes = motion.shapes
    if frames.aims is None:
        return frames.props, shapes.size / 2
    is_club = np.array([kind == "club" for kind in shapes.kind])
    radius = np.where(is_club, _MAX_THIN, shapes.size / 2)
    along = aim_directions([frames.aims]) * np.where(is_club, shapes.reach / 2, 0.0)[:, None]
    return np.concatenate([frames.props + along, frames.props - along], axis=1), np.tile(radius, 2)


def _ring_cost(yaws: Floats, sight: _Sight) -> Floats:
    """Cost of rings that are seen from the side, shape (T, V).

    Rings stand upright, so their axes are level. The less an axis points to the camera (or away),
    the narrower the ring looks.

    Args:
        yaws: of P rings at T moments, shape (T, P), [rad].
        sight: the cameras of V views.
    """
    ring_axes = np.stack([np.cos(yaws), np.zeros_like(yaws), -np.sin(yaws)], axis=-1)
    facing = np.abs(np.einsum("tpc,vc->tvp", ring_axes, sight.axes[:, 2]))
    cost: Floats = _FORESHORTENED * (1 - facing.mean(axis=-1))
    return cost


def _crossed_gain(people: Floats, sight: _Sight) -> Floats:
    """Gain by crossed arms, as far as they are seen across the picture, shape (T, V).

    Arms cross where the right palm is farther to the left of the person than the left one.

    Args:
        people: joints at T moments, shape (T, J, `JOINTS`, 3), in the world, [m].
        sight: the cameras of V views.
    """
    leftward = unit(people[:, :, _SHOULDERS[0]] - people[:, :, _SHOULDERS[1]])
    from_left_palm = people[:, :, _PALMS[1]] - people[:, :, _PALMS[0]]
    crossed_share = np.clip((from_left_palm * leftward).sum(axis=-1) / _CROSSED_BY, 0.0, 1.0)
    seen_across = np.abs(np.einsum("tjc,vc->tvj", leftward, sight.axes[:, 0]))
    gain: Floats = _CROSSED * (crossed_share[:, None] * seen_across).mean(axis=-1)
    return gain


def is_face_covered(camera: Camera, faces: Floats, props: Floats, radius: float) -> bool:
    """Whether one of some props is before one of some faces.

    Args:
        camera: that sees them.
        faces, props: their middles in the world, shape (J, 3) and (P, 3), [m].
        radius: of props, [m].
    """
    view = camera.view()[:3]
    faces, props = (points @ view[:, :3].T + view[:, 3] for points in (faces, props))
    faces = faces[:, None]
    # Props as they lie in the picture at the depth of each face.
    scale = np.ones(1) if camera.orthographic else faces[..., 2] / np.minimum(props[:, 2], -NEAREST)
    apart = np.linalg.norm(props[:, :2] * scale[..., None] - faces[..., :2], axis=-1)
    is_before = props[:, 2] > faces[..., 2]
    return bool((is_before & (apart < _FACE_RADIUS + radius)).any())


def _people_cost(
    people: Floats, bodies: _Balls, props: _Balls, sight: _Sight, light: Floats
) -> Floats:
    """Cost of what is amiss with people at T moments from V views, shape (T, V).

    It is the weighted sum of the shares of faces and hands that are covered, of people who are
    behind others or turned away from the camera, and of light from behind.

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), in the world, [m].
        bodies: balls along the limbs of all people in turn, as of `_BALLS`.
        props: balls of the props.
        sight: the cameras.
        light: direction toward the key light, shape (3,).
    """
    times, jugglers = people.shape[:2]
    numbers = np.arange(jugglers)
    owner = np.repeat(numbers, len(_BALLS))  # the juggler of each ball of bodies
    # Of faces, the share that is covered by bodies, but for the own head.
    places_of_faces = people[:, :, Joint.FACE]
    faces = sight.seen(places_of_faces, _FACE_RADIUS)
    own_head = (owner == numbers[:, None]) & np.tile(_IS_HEAD, jugglers)
    face_covered = np.where(own_head, 0.0, faces.overlaps(bodies).under).max(axis=-1)
    # Of hands, two of each person, the share that is covered by bodies, but for the own arms.
    owner_of_pair = np.repeat(numbers, 2)[:, None]
    palms = people[:, :, _PALMS].reshape(times, -1, 3)
    own_arm = (owner == owner_of_pair) & np.tile(_IS_ARM, jugglers)
    hands_under = sight.seen(palms, _HAND_RADIUS).overlaps(bodies).under
    hand_covered = np.where(own_arm, 0.0, hands_under).max(axis=-1)
    # Of chests and pelvises, also two of each, the share that is covered by other people.
    trunks = people[:, :, [Joint.CHEST, Joint.PELVIS]].reshape(times, -1, 3)
    trunks_under = sight.seen(trunks, _CHEST_RADIUS).overlaps(bodies).under
    behind = np.where(owner != owner_of_pair, trunks_under, 0.0).max(axis=-1)
    # `toward` is the cosine of the angle between where a face looks and the camera; `away` is 0 up
    # to an angle of cosine `_TURNED`, and 1 for a face that looks straight away.
    look = unit(places_of_faces - people[:, :, Joint.HEAD])
    to_camera = unit(sight.eyes[:, :, None] - places_of_faces[:, None])
    toward = (look[:, None] * to_camera).sum(axis=-1)
    away = np.maximum(_TURNED - toward, 0.0) / (1 + _TURNED)
    # A prop before any face that is seen spoils a picture, however many people there are: so the
    # largest share counts, not the mean.
    before_face = np.where(toward > 0, faces.overlaps(props).under.max(axis=-1, initial=0.0), 0.0)
    # On the floor, with the lamp in the direction of the camera 0, and with the lamp opposite 1.
    back = sight.axes[:, 2] * (1.0, 0.0, 1.0)
    unlit = 0.5 - 0.5 * back @ unit(light * (1.0, 0.0, 1.0))
    cost: Floats = (
        _FACE_COVERED * (face_covered.mean(axis=-1) + before_face.max(axis=-1))
        + _HAND_COVERED * hand_covered.mean(axis=-1)
        + _BEHIND * behind.mean(axis=-1)
        + _TURNED_AWAY * away.mean(axis=-1)
        + _UNLIT * unlit
    )
    return cost


def _props_cost(bodies: _Balls, props: _Balls, balls_of_prop: int) -> Floats:
    """Cost of what is amiss with props at T moments from V views, shape (T, V).

    It is the weighted sum of props that are covered by bodies or before them, in one line with
    other props, too close to these in the picture, and seen from their ends.

    Args:
        bodies, props: balls; those of props in the order of `_prop_balls`.
        balls_of_prop: how many balls a prop has, 1 or 2.
    """
    # The largest share by which each prop covers a ball of a body, and is covered by one.
    before, covered = (shares.max(axis=-1) for shares in props.overlaps(bodies))
    # Pairs of balls of different props, shape (B, B).
    count = props.radius.shape[-1] // balls_of_prop
    prop = np.tile(np.arange(count), balls_of_prop)
    is_other = prop != prop[:, None]
    in_line = np.where(is_other, np.add(*props.overlaps(props)), 0.0).max(axis=-1, initial=0.0)
    # Distance to the nearest other prop in the picture, up to `_ROOM`, [m].
    in_picture = props.place[..., :2]
    distance = np.linalg.norm(in_picture[..., None, :, :] - in_picture[..., None, :], axis=-1)
    nearest = np.where(is_other, distance, _ROOM).min(axis=-1, initial=_ROOM)
    # How short clubs look, whose two balls lie apart: the share of the way from one to the other
    # that is toward the camera. It is 0 where the two are the same.
    along = props.place[..., :count, :] - props.place[..., -count:, :]
    length = np.maximum(np.linalg.norm(along, axis=-1), 1e-6)
    short = np.abs(along[..., 2]) / length
    cost: Floats = (
        _FORESHORTENED * short.mean(axis=-1)
        + _PROP_COVERED * covered.mean(axis=-1)
        + _PROP_BEFORE_BODY * before.mean(axis=-1)
        + _PROPS_IN_LINE * in_line.mean(axis=-1)
        + _CROWDED * (1 - nearest.mean(axis=-1) / _ROOM)
    )
    return cost


def _frame_cost(people: Floats, sight: _Sight) -> Floats:
    """Cost of people who are small in the picture and of eyes below the floor, shape (T, V).

    Args:
        people: joints at T moments, shape (T, J, `JOINTS`, 3), in the world, [m].
        sight: the cameras of V views.
    """
    # Depth of people before the eye, shape (T, V, J), at which half the picture is
    # half_view · depth high; in an orthographic picture all have the scale of the target.
    away = sight.distance[..., None]
    if not sight.orthographic:
        hips = people[:, :, Joint.PELVIS].astype(np.float32)[:, None]
        away = -((hips - sight.eyes[:, :, None]) * sight.axes[:, None, 2]).sum(axis=-1)
    height = _HEIGHT / (2 * sight.half_view * away)
    small = np.maximum(_LARGE - height, 0.0).mean(axis=-1) / _LARGE
    cost: Floats = _SMALL * small + _SUNK * (sight.eyes[..., 1] < LOWEST)
    return cost


def _trick_cost(
    people: Floats,
    props: Floats,
    radius: Floats,
    hand: Integers,
    bodies: _Balls,
    sight: _Sight,
) -> Floats:
    """Cost of throws and catches around the body that are not seen well, shape (T, V).

    It counts how far the prop and the hand are covered, and how short the limbs look. 0 at moments
    without such a throw or catch.

    Args:
        people: joints at T moments, shape (T, J, `JOINTS`, 3), in the world, [m].
        props, radius: balls of props in the world, shape (T, B, 3) and (B,), [m].
        hand: the hand that throws or catches, 2 · juggler + side, shape (T,); −1 for none.
        bodies: balls along the limbs of all people in turn, as of `_BALLS`.
        sight: the cameras of V views.
    """
    # The juggler and the palm of each moment. (Hand −1 takes those of the last one, whose cost is
    # replaced by 0 in the end.)
    rows = np.arange(len(people))
    body = people[rows, hand // 2]
    side = hand % 2
    palm = body[rows, np.array(_PALMS)[side]]
    # Its prop is the one whose ball is nearest to the palm; a mean radius will do.
    nearest = np.linalg.norm(props - palm[:, None], axis=-1).argmin(axis=1)
    prop = sight.seen(props[rows, nearest][:, None], float(radius.mean()))
    before, covered = (shares.max(axis=(-2, -1)) for shares in prop.overlaps(bodies))
    # What covers the hand, but for the own arm.
    owner = np.repeat(np.arange(people.shape[1]), len(_BALLS))
    own_arm = (owner == (hand // 2)[:, None]) & np.tile(_IS_ARM, people.shape[1])
    hand_under = sight.seen(palm[:, None], _HAND_RADIUS).overlaps(bodies).under[:, :, 0]
    hand_covered = np.where(own_arm[:, None], 0.0, hand_under).max(axis=-1)
    # How short the arm (from shoulder to palm) and both thighs look: the cosines of their angles to
    # the direction of the camera.
    limbs = np.concatenate(
        [
            (palm - body[rows, np.array(_SHOULDERS)[side]])[:, None],
            body[:, _KNEES] - body[:, _HIPS],
        ],
        axis=1,
    )
    short = np.abs(np.einsum("tlc,vc->tvl", unit(limbs), sight.axes[:, 2])).mean(axis=-1)
    cost = (
        _TRICK_COVERED * (covered + hand_covered + _TRICK_BEFORE_BODY * before)
        + _FORESHORTENED * short
    )
    return np.where(hand[:, None] >= 0, cost, 0.0)
