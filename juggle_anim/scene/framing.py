"""Framing: what a picture must show, and the nearest camera that sees all of it.

Viewpoints: when, and from where, a still picture shows a pattern best.

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
from numpy.typing import NDArray

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import Joint, Pose
from juggle_anim.choreography import EventKind
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Frames, Motion, aim_directions, ring_axes
from juggle_anim.scene.camera import FARTHEST, LOWEST, NEAREST, Camera, EyeRange
from juggle_anim.scene.scene import REACH, Cone
from juggle_anim.vectors import as_point, cross, unit

MARGIN = 0.05
"""Share of the picture's width and height that stays free at each edge but the lower one."""

FREE_BELOW = 0.10
"""Share of its height that stays free below people who are seen from the side: their feet are in
its lowest sixth, the radius of what is framed included.
"""

_NEAR_PLANE_ROOM = 20.0  # m, that the near plane stays in front of the nearest point at most

# In small batches the products stay in the cache and in one thread, which is faster than to wake
# others.
_BATCH_SIZE = 256

_DIRECTIONS = 256  # in which extreme points are sought
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))  # from one of them to the next, [rad]
_BISECTIONS = 20  # of the elevation at which an eye is above the floor


_AXIS_DIRECTIONS = np.concatenate([np.eye(3), -np.eye(3)])


@dataclass(frozen=True)
class Framing:
    """The direction from which something is framed, and the proportions of the picture.

    Args:
        aspect: width of the picture over its height.
        azimuth: the camera's place around +y, 0 in front (at +z), positive toward +x, [rad].
        elevation: its angle above the horizon, [rad].
        field_of_view: vertical, [rad].
        orthographic: whether lines of sight are parallel; if not, they meet in the eye.
        aside: offset of the picture's middle if it is a part of a larger one, right of and above
            what is straight ahead of the camera, in half heights of the picture; the camera that
            frames is still to be moved by as much to the left and down, with its target.
        free_below: share of the picture's height that stays free below people.
    """

    aspect: float
    azimuth: float
    elevation: float
    field_of_view: float
    orthographic: bool = False
    aside: tuple[float, float] = (0.0, 0.0)
    free_below: float = FREE_BELOW

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """Return the camera's unit vectors in the world, whose y is up, shape (3,) each.

        Azimuth (around +y, from +z toward +x) and elevation (above the horizon) are in radians.

        Returns:
            Right, which is level; up, as in the picture; and back, from the scene to the camera,
            which is +z where azimuth and elevation are 0.
        """
        back = np.array(
            [
                np.sin(self.azimuth) * np.cos(self.elevation),
                np.sin(self.elevation),
                np.cos(self.azimuth) * np.cos(self.elevation),
            ]
        )
        right = np.array([np.cos(self.azimuth), 0.0, -np.sin(self.azimuth)])
        return right, cross(back, right), back


def frame_points(points: Floats, radius: float, framing: Framing) -> Camera:
    """Return the nearest camera that sees given balls completely from a given direction.

    An orthographic camera stands where a perspective one does, or farther back where it would not
    see all from there.

    Args:
        points: centres of the balls in the world, shape (N, 3) for N balls, one or more, [m].
        radius: radius of all balls, above 0, [m].
        framing: direction, field of view and shape of the picture.
    """
    # Rows right, up and back. Along these: `centres` of the balls, shape (N, 3), `eye_position` of
    # the eye, shape (3,), and their last coordinates as depths, positive toward the camera.
    axes = np.array(framing.axes())
    centres = points @ axes.T
    eye_position, target_depth = _place_eyes(
        centres, radius, framing, framing.elevation, framing.free_below
    )
    depths = centres[:, 2]
    eye_depth = float(eye_position[2])
    eye = eye_position @ axes
    target = eye + (float(target_depth) - eye_depth) * axes[2]
    # The far plane leaves room behind the farthest ball, where the stage goes on.
    far = max(FARTHEST, 4 * (eye_depth - depths.min()))
    # A near plane close to the eye would cost depth precision where the balls are far away. So it
    # is at half the distance of the nearest ball less `_NEAR_PLANE_ROOM`, if that is in front.
    near_plane = max(NEAREST, 0.5 * (eye_depth - depths.max()) - _NEAR_PLANE_ROOM)
    return Camera(
        eye=as_point(eye),
        target=as_point(target),
        field_of_view=framing.field_of_view,
        near=float(near_plane),
        far=float(far),
        orthographic=framing.orthographic,
    )


def _place_eyes(
    centres: Floats,
    radius: float,
    framing: Framing,
    elevation: float | Floats,
    free_below: float | Floats,
) -> tuple[Floats, Floats]:
    """Return the nearest positions of cameras that see all of their balls within the margins.

    - From left to right the balls are in the middle.
    - Seen from the side, people stand near the lower edge, and height that is left over is above
      them; seen from above they lie in the middle.
    - If the picture is a part of a larger one, its middle is `aside` of what is straight ahead,
      right and up, in half heights of the picture. The caller then still has to move the camera by
      as much to the left and down.

    All coordinates are along the axes of each camera (x right, y up, z back), from the origin of
    the world, [m]; a depth is a coordinate z.

    Args:
        centres: centres of the N balls of each camera, shape (…, N, 3).
        radius: radius of all balls, above 0, [m].
        framing: aspect, field of view, projection and `aside` are used, as the same for all.
        elevation: elevation of each camera above the horizon, any shape that broadcasts to (…),
            [rad].
        free_below: share of each picture's height that stays free below people who are seen from
            the side, of such a shape, too.

    Returns:
        The positions of the cameras, shape (…, 3); and the depths of their targets, shape (…).
    """
    depths = centres[..., 2]
    # The slope of a line of sight is the tangent of its angle to straight ahead; that of the
    # picture's upper edge is `half_view`.
    half_view = np.asarray(math.tan(framing.field_of_view / 2))
    # In an orthographic picture lines of sight are alike everywhere, so `aside` has no effect.
    aside_right, aside_up = (0.0, 0.0) if framing.orthographic else framing.aside
    # The share of the height that is free below: `free_below` from the side, MARGIN from above.
    from_side = np.square(np.cos(elevation))  # 1 from the side, 0 from above
    share_below = MARGIN + from_side * (free_below - MARGIN)
    # From the picture's middle, in half heights, the part within the margins goes from −1 + 2 below
    # up to 1 − 2 MARGIN. So half its extent is 1 − MARGIN − below, and its middle is at
    # below − MARGIN. Times `half_view` these are slopes.
    half_slope_up = half_view * (1 - MARGIN - share_below)
    half_slopes = half_view * framing.aspect * (1 - 2 * MARGIN), half_slope_up
    middle_slopes = half_view * aside_right, half_view * (aside_up + share_below - MARGIN)

    # Two opposite edges of a picture just hold all balls if the camera stands where their planes
    # meet. Of the two pairs of edges, the one that needs more distance decides. An orthographic
    # picture shows all balls at the scale that a perspective one has at the target, that is, as if
    # they were all at the target's depth.
    target_depth = (depths.max(axis=-1) + depths.min(axis=-1)) / 2
    sides, top_and_bottom = _edge_planes(centres, radius, middle_slopes, half_slopes)
    eye_z = np.maximum(sides.meeting_depth, top_and_bottom.meeting_depth)
    if framing.orthographic:
        flattened = centres.copy()
        flattened[..., 2] = target_depth[..., None]
        sides, top_and_bottom = _edge_planes(flattened, radius, middle_slopes, half_slopes)
        eye_z = np.maximum(eye_z, np.maximum(sides.meeting_depth, top_and_bottom.meeting_depth))
    eye_x = sides.centred_position(eye_z)
    eye_y = top_and_bottom.centred_position(eye_z)
    # So far the eye is where it sees the balls in a picture whose middle is `aside` of straight
    # ahead. The caller will move the camera there (see `Framing.aside`), by `aside` half heights of
    # the picture at the target's depth, to the left and down. So the camera that is returned is
    # placed as far to the right and up.
    half_height_at_target = half_view * (eye_z - target_depth)
    eye_x = eye_x + half_height_at_target * aside_right
    eye_y = eye_y + half_height_at_target * aside_up
    # If the left and right edges decided, height is left over, half of it below the balls. Seen
    # from the side, the eye is raised by that half, so that the lowest ball is just at the lower
    # margin.
    eye_y += from_side * half_slope_up * (eye_z - top_and_bottom.meeting_depth)
    return np.stack([eye_x, eye_y, eye_z], axis=-1), target_depth


def _edge_planes(
    centres: Floats,
    radius: float,
    middle_slopes: tuple[Floats, Floats],
    half_slopes: tuple[Floats, Floats],
) -> tuple[_EdgePlanes, _EdgePlanes]:
    """Return the planes through the edges of pictures that touch the outermost of some balls.

    The slope of a line of sight is the tangent of its angle to straight ahead. Slopes have any
    shape that broadcasts to (…).

    Args:
        centres: centres of N balls, to the right, up and back along the axes of each camera, shape
            (…, N, 3), [m].
        radius: radius of all balls, [m].
        middle_slopes: slopes, to the right and up, of the line of sight halfway between the edges.
        half_slopes: by how much the slopes of the right and of the upper edge are greater.

    Returns:
        The planes through the left and right edges, and those through the lower and upper ones.
    """
    right, up, back = np.moveaxis(centres, -1, 0)
    sides = _EdgePlanes.around_balls(
        right, back, radius, middle_slope=middle_slopes[0], half_slope=half_slopes[0]
    )
    top_and_bottom = _EdgePlanes.around_balls(
        up, back, radius, middle_slope=middle_slopes[1], half_slope=half_slopes[1]
    )
    return sides, top_and_bottom


def frame_above_floor(points: Floats, radius: float, framing: Framing) -> Camera:
    """Return the camera of `frame_points`, with an elevation at which its eye is above the floor.

    A camera that looks up from below the height `LOWEST` gets a greater elevation, by as little as
    needed, found by bisection.

    Args:
        points: centres of balls to be seen, all above the floor, shape (N, 3) for N balls, [m].
        radius: radius of all balls, above 0, [m].
        framing: direction, field of view and shape of the picture.
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
class _EdgePlanes:
    """Planes through two opposite edges of a picture (left and right, or lower and upper).

    Each plane touches the balls from outside. A camera where the two planes meet just sees all of
    the balls. Depths are coordinates toward the camera, and positions are coordinates across: to
    the right for left and right edges, up for lower and upper ones.

    A camera at the position c and the depth d, whose edges have the slopes a and b, sees a point at
    x and z if (d − z)·a ≤ x − c ≤ (d − z)·b, that is, if x + z·b ≤ c + d·b and −x − z·a ≤ −c − d·a.
    The planes are the greatest left sides over all points, `high` and `low`.

    Args:
        low, high: distances of the two planes from the axis at depth 0, to the negative and to the
            positive side, [m].
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
    ) -> _EdgePlanes:
        """Return the planes through two opposite edges that touch the outermost of given balls.

        A slope is the tangent of the angle from straight ahead to a line of sight, shape (…).

        Args:
            across: coordinates of the centres of N balls in the direction from the low to the high
                edge, which is right or up, shape (…, N), [m].
            depth: their coordinates toward the camera, shape (…, N), [m].
            radius: radius of all balls, [m].
            middle_slope: slope halfway between the edges.
            half_slope: by how much the slope through the high edge is greater, and that through the
                low edge less.
        """
        low_slope = middle_slope - half_slope
        high_slope = middle_slope + half_slope
        # The line of sight through a ball's centre comes to the depth 0 at across + depth · slope.
        # The planes are there for the outermost balls, measured outward to either side.
        high = (across + depth * high_slope[..., None]).max(axis=-1)
        low = (-across - depth * low_slope[..., None]).max(axis=-1)
        # They touch the balls at a slant, so measured across, a plane is r / cos = r √(1 + tan²)
        # away from a ball's centre, with the angle of the slant.
        high = high + radius * np.hypot(1.0, high_slope)
        low = low + radius * np.hypot(1.0, low_slope)
        return cls(low=low, high=high, middle_slope=middle_slope, half_slope=half_slope)

    @property
    def meeting_depth(self) -> Floats:
        """The depth where the two planes meet, [m]: the least at which a camera sees all balls."""
        # The sum of both conditions of the class is high + low ≤ d·(b − a).
        return (self.high + self.low) / (2 * self.half_slope)

    def centred_position(self, depth: Floats) -> Floats:
        """The position of a camera at a depth, [m], that is halfway between both planes."""
        return (self.high - self.low) / 2 - depth * self.middle_slope


def turntable_circle(cameras: Sequence[Camera]) -> tuple[tuple[float, float, float], float]:
    """Return a circle for a camera that travels around the targets of given cameras.

    Args:
        cameras: one or more.

    Returns:
        Its centre, the mean of the targets, and its radius, [m].
    """
    targets = np.array([camera.target for camera in cameras])
    # From anywhere on the circle each target shall be at least as far away as from its own camera.
    # So the radius is the greatest distance of a camera from its target, plus the distance of the
    # outermost target from the mean.
    target = targets.mean(axis=0)
    distance = max(math.dist(camera.eye, camera.target) for camera in cameras)
    return as_point(target), distance + float(np.linalg.norm(targets - target, axis=1).max())


def with_room_below(camera: Camera, share: float) -> Camera:
    """Return a camera that shows the picture of another in its upper part, with free room below.

    As the eye moves, perspective changes a little.

    Args:
        camera: the other camera.
        share: share of the picture's height to keep free at the bottom, 0 to 0.5.
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
    # The eye stays at or above the height `LOWEST`; one that was lower already stays at its height.
    eye[1] = max(eye[1], min(camera.eye[1], LOWEST))
    return replace(camera, eye=as_point(eye), target=as_point(target))


def extreme_points(points: Floats) -> Floats:
    """Return the points that are farthest in one of many directions: approximate convex hull.

    Args:
        points: shape (N, 3) for N points, one or more, [m].

    Returns:
        Shape (M, 3), M at most `_DIRECTIONS`, in the order of the points.
    """
    directions = _search_directions()
    all_directions = np.arange(_DIRECTIONS)
    # For each direction: how far along it the farthest point so far is, and its index.
    farthest = np.full(_DIRECTIONS, -np.inf)
    extreme_index = np.zeros(_DIRECTIONS, dtype=int)
    # In batches, whose products stay in the processor's cache. `best_in_batch` is the index, in the
    # batch, of its farthest point in each direction.
    for start in range(0, len(points), _BATCH_SIZE):
        projections = directions @ points[start : start + _BATCH_SIZE].T
        best_in_batch = projections.argmax(axis=1)
        is_farther = projections[all_directions, best_in_batch] > farthest
        farthest[is_farther] = projections[all_directions, best_in_batch][is_farther]
        extreme_index[is_farther] = start + best_in_batch[is_farther]
    return points[sorted(set(extreme_index.tolist()))]


@functools.cache
def _search_directions() -> Floats:
    """Return even directions, unit vectors of shape (`_DIRECTIONS`, 3): a Fibonacci lattice."""
    number = np.arange(_DIRECTIONS)
    height = 1 - (2 * number + 1) / _DIRECTIONS
    azimuth = number * _GOLDEN_ANGLE
    radius = np.sqrt(1 - height**2)
    return np.stack([radius * np.sin(azimuth), height, radius * np.cos(azimuth)], axis=1)


def outermost_points(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points that a camera has to see over a loop, shape (N, 3) for N points, [m].

    They are points of people, props and stands, and the apexes of flights, which may lie between
    the times of the frames. Only points on or near the convex hull are kept, and, as the last two,
    the points of `points_of` on the floor below the first juggler.

    Args:
        motion: the motion of the loop.
        frames: hands and props at T times of it.
        joints: joints of J people at these times, shape (T, J, `JOINTS`, 3), [m].
        stands: tables and stands for props, rows of `Cone`; they do not move.
    """
    apexes = motion.flight_paths.parabolas.apexes()
    if frames.aims is not None:
        # How clubs and rings point there is not known, so points are added on both sides along each
        # world axis, as far as the prop that reaches farthest.
        offsets = motion.shapes.reach.max() * _AXIS_DIRECTIONS
        apexes = (apexes[:, None] + offsets).reshape(-1, 3)
    points = points_of(motion, frames, joints, stands)
    return np.concatenate([extreme_points(np.concatenate([points[:-2], apexes])), points[-2:]])


def points_of(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points of people, props and stands at all times together.

    The last two are below the first juggler on the floor, so that a picture always shows the floor.

    Args:
        motion: the motion of the loop.
        frames: hands and props at T times of it.
        joints: joints of J people at these times, shape (T, J, `JOINTS`, 3), [m].
        stands: tables and stands for props, rows of `Cone`; they do not move.

    Returns:
        Shape (N, 3) for N points, in the world, [m].
    """
    points = points_at(motion, frames, joints, stands)
    return np.concatenate([points[:, :-2].reshape(-1, 3), points[0, -2:]])


def points_at(motion: Motion, frames: Frames, joints: Floats, stands: Singles) -> Floats:
    """Return the points that a camera has to show at each of T times.

    They are, in this order: the joints of all people, points of the props, both ends of the stands,
    and two points on the floor below the toes of the first juggler. The last two bring the floor on
    which people stand into the picture.

    Args:
        motion: the motion of the loop.
        frames: hands and props at T times of it.
        joints: joints of J people at these times, shape (T, J, `JOINTS`, 3), [m].
        stands: tables and stands for props, rows of `Cone`; they do not move.

    Returns:
        Shape (T, N, 3) for N points, in the world, [m].
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
        motion: the motion of the loop, with the shapes of its P props.
        frames: hands and props at T times of it.

    Returns:
        Shape (T, P, 3) if all P props are balls, since a camera sees a ball around every point;
        otherwise (T, 5P, 3): centres first, [m].
    """
    if frames.aims is None:
        return frames.props
    # From the centre along the aim, a yaw and a pitch, to an end of a club or the rim of a ring. A
    # ring lies in the vertical plane through its aim, so its rim is also as far from the centre at
    # a pitch that is a quarter of a turn greater.
    reach = motion.shapes.reach[:, None]
    is_ring = np.array([kind == "ring" for kind in motion.shapes.kind])[:, None]
    along = aim_directions([frames.aims]) * reach
    across = aim_directions([frames.aims + (0.0, np.pi / 2)]) * np.where(is_ring, reach, 0.0)
    # For clubs and balls `across` is 0, so that their last two points are at their centres.
    offsets = (along, -along, across, -across)
    return np.concatenate([frames.props, *(frames.props + offset for offset in offsets)], axis=1)


def clear_of_props(limit: Floats, props: Floats, reach: Floats, room: float) -> Floats:
    """Return the heights up to which pictures must show the scene, so that no edge cuts a prop.

    A picture with the limit y must show all up to y, and its upper edge is between y and
    y · (1 + room). It cuts no prop if each is wholly below y or wholly above y · (1 + room). The
    limit becomes the nearest height with that property, if it moves by at most `_EDGE_SHIFT`, [m].

    Args:
        limit: height up to which each of T pictures would show the scene, shape (T,), [m].
        props: heights of the centres of P props, shape (T, P), [m].
        reach: from the centre of each prop to its farthest point, shape (P,), [m].
        room: share of the limit by which the upper edge of a picture may be above it.

    Returns:
        Shape (T,), [m]: the top of the highest prop below the new limit, 0 without any; or `limit`
        where no limit that is near enough cuts no prop.
    """
    # Candidates for the limit, shape (T, 1 + 2 P): as it is, at the top of each prop, or as high as
    # it may be for each prop to be above the edge.
    tops = props + reach
    highest_below = (props - reach) / (1.0 + room)
    candidates = np.concatenate([limit[:, None], tops, highest_below], axis=1)
    # Whether each prop, in the last axis, is below or above the edge: shape (T, 1 + 2 P, P).
    is_below = tops[:, None] <= candidates[..., None]
    is_above = highest_below[:, None] >= candidates[..., None]
    shift = np.abs(candidates - limit[:, None])
    is_possible = (is_below | is_above).all(axis=-1) & (shift <= _EDGE_SHIFT)
    # The nearest possible candidate of each picture, without meaning where none is possible.
    nearest = np.where(is_possible, shift, np.inf).argmin(axis=1)
    new_limit = np.take_along_axis(candidates, nearest[:, None], axis=1)
    highest_top: Floats = np.where(tops <= new_limit, tops, 0.0).max(axis=1, initial=0.0)
    return np.where(is_possible.any(axis=1), highest_top, limit)


def three_quarter_points(
    points: Floats, props: Floats, joints: Floats, margin: float
) -> tuple[Floats, Floats]:
    """Raise points of a person that are below the thighs, for pictures that end at the thighs.

    A picture ends there if the feet are on the floor, and all hands and props above its lower edge;
    otherwise it shows all points. The crown of the head is added to the points of all pictures.

    Args:
        points: points that pictures of one person must show at each of T times, shape (T, N, 3) for
            N points, [m].
        props: points of the props at these times, shape (T, P, 3) for P props, [m].
        joints: joints of the person in the world, shape (T, `JOINTS`, 3), [m].
        margin: radius of the balls around points that are framed, [m].

    Returns:
        The points of each picture, shape (T, N + 1, 3), [m]; and the share of its height that stays
        free below, shape (T,): 0 where the picture ends at the thighs, else `FREE_BELOW`.
    """
    # Heights above the floor, shape (T,), [m]: of the lower hip and knee, and of the lower edge of
    # a picture that ends at the thighs.
    heights = joints[..., 1]
    hip = heights[:, _HIPS].min(axis=1)
    knee = heights[:, _KNEES].min(axis=1)
    edge_height = hip + _CUT_SHARE_OF_THIGH * (knee - hip)
    pelvis = joints[:, Joint.PELVIS]
    handled = np.concatenate([props, joints[:, _PALMS]], axis=1)
    is_handled_above_edge = _lowest_as_seen(handled, pelvis) > edge_height + margin
    are_feet_down = heights[:, _ANKLES].max(axis=1) < _LIFTED_ANKLE
    is_cut = is_handled_above_edge & are_feet_down
    # Points lower than `lowest_height`, shape (T,), are replaced by a point between the thighs,
    # straight below the pelvis. As the ball around this is framed, it is `margin` higher than the
    # edge. If the picture is not cut, no point is lower than −∞.
    lowest_height = np.where(is_cut, edge_height + margin, -np.inf)
    between_thighs = np.stack([pelvis[:, 0], lowest_height, pelvis[:, 2]], axis=-1)
    is_lower = points[..., 1] < lowest_height[:, None]
    framed = np.where(is_lower[..., None], between_thighs[:, None], points)
    crown = joints[:, Joint.HEAD, None] + (0.0, _CROWN_ABOVE_HEAD, 0.0)
    return np.concatenate([framed, crown], axis=1), np.where(is_cut, 0.0, FREE_BELOW)


def _lowest_as_seen(points: Floats, pelvis: Floats) -> Floats:
    """Return a bound of how low points appear in pictures, as a height in line with the pelvis.

    The camera looks down, so a point that is nearer to it than the pelvis is lower in the picture
    than a point of the same height at the pelvis. The result is a bound for all cameras: every
    point counts as nearer, as seen by the camera that looks down most steeply.

    Args:
        points: shape (T, N, 3) for N points at each of T times, in the world, [m].
        pelvis: shape (T, 3), in the world, [m].

    Returns:
        Shape (T,), above the floor, [m].
    """
    level_offsets = (points - pelvis[:, None])[..., [0, 2]]
    lowered = _STEEPEST_SLOPE * np.linalg.norm(level_offsets, axis=-1)
    lowest: Floats = (points[..., 1] - lowered).min(axis=1)
    return lowest


def reach_points(joints: Floats) -> Floats:
    """Return the six extreme points along the world axes of each sphere that a wrist can reach.

    Args:
        joints: joints of J jugglers at T times in the world, shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T · J · 12, 3), six for each shoulder, [m].
    """
    shoulders = joints[:, :, [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]].reshape(-1, 1, 3)
    return (shoulders + REACH * _AXIS_DIRECTIONS).reshape(-1, 3)


def eye_ranges(motion: Motion, hands: Floats, joints: Floats) -> list[EyeRange]:
    """Return the range of elevations that the eyes of each juggler have to see over a loop.

    The list is in order of jugglers.

    Args:
        motion: the motion of the loop.
        hands: shape (T, J, 2, 3) for J jugglers, at T times of it, [m].
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


_CUT_SHARE_OF_THIGH = 0.7  # of the way from the hips to the knees: where a picture ends
_CROWN_ABOVE_HEAD = 0.12  # m, from the middle of a head, up to where its picture has room
_EDGE_SHIFT = 0.65  # m, by which a picture is higher or lower so that it cuts no prop
_LIFTED_ANKLE = 0.25  # m, above the floor, of an ankle whose foot has left it

_AZIMUTH_COUNT = 30  # of candidates, all around: 12° are just another view
_ELEVATIONS = 2.0, 6.0, 10.0  # °, of one or two people: the eyes of somebody near
_LOOKING_UP_ELEVATIONS = -16.0, -12.0, -8.0  # °, of one person whose throws are high
_STEEPEST_SLOPE = math.tan(math.radians(_ELEVATIONS[-1]))  # slope of the lines of sight to them
_GROUP_ELEVATIONS = 12.0, 20.0, 28.0  # °, of more people: none hides another
_CROWD_STEP = 3  # azimuths of a crowd are 36° apart
_SAME_ANGLE = 1e-6  # rad
_MOMENT_COUNT = 36  # of a loop
_MAX_DURATION = 20.0  # s, of a long loop in which a moment is sought
_MAX_BALL_PAIRS = 2_000_000  # pairs of balls that are compared at most, in a tenth of a second

# After a throw and before a catch its hand is still there, and its prop apart, [s].
_EVENT_OFFSETS = np.array([0.02, 0.05, 0.08, 0.11, 0.14])

_PERSON_HEIGHT = 1.75  # m, of a person who stands
_FACE_RADIUS = 0.12  # m, with some room around it
_HAND_RADIUS = 0.05  # m
_CHEST_RADIUS = 0.12  # m
_PROP_SPACING = 0.35  # m, between props that stand well apart
_WIDE_GESTURE = 0.6  # m, from its mean place, of a hand that makes a wide gesture
_CROSSED_DISTANCE = 0.1  # m, of hands on the far sides of each other
_LARGE_SHARE = 0.7  # share of the picture's height, of a person who is large
_TURNED_COSINE = 0.8  # cosine of the angle from which on a face is turned away
_CHIN_SINE = 0.5  # sine of the angle from which on a face is seen from below its chin
_CLUB_BALL_RADIUS = 0.05  # m, radius of the balls along a club

# Weights of the faults of a picture: a face, a prop and a hand that are covered, and people behind
# others; props in one line, in front of a body, and crowded; people who turn away, show their
# chins, are small, unlit, at rest or blinking; props outside the picture and in hands; of a trick,
# a throw or catch around the body: its hand or prop covered, its limbs seen from their ends, hand
# gone; and props of several moments behind one another.
_FACE_COVERED = 3.0
_PROP_COVERED = 1.5
_HAND_COVERED = 0.8
_BEHIND = 2.0
_PROPS_IN_LINE = 1.0
_PROP_IN_FRONT = 0.5
_CROWDED = 0.6
_TURNED_AWAY = 1.5
_FROM_BELOW = 2.0
_SMALL = 6.0
_UNLIT = 0.4
_AT_REST = 1.0
_BLINKING = 0.5
_CROSSED = 1.5
_EYE_TOO_LOW = 100.0
_PROPS_HELD = 0.4
_PROPS_GONE = 4.0
_TRICK_COVERED = 4.0
_TRICK_IN_FRONT = 0.125  # of that, for a prop that is in front of the body instead
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
_COMPARED_BALLS_PER_JUGGLER = 3  # of the face and the two palms
_SHOULDERS = [Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]
_HIPS = [Joint.LEFT_HIP, Joint.RIGHT_HIP]
_KNEES = [Joint.LEFT_KNEE, Joint.RIGHT_KNEE]
_ANKLES = [Joint.LEFT_ANKLE, Joint.RIGHT_ANKLE]


@dataclass(frozen=True)
class Viewpoint:
    """Time and viewpoint of a picture.

    Args:
        time: [s] of the pattern.
        azimuth, elevation: direction from the target to the camera, [rad], as in `Framing`.
    """

    time: float
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class Moments:
    """Moments at which a picture can be taken.

    Args:
        times: shape (T,) for T moments, [s].
        hand: of the throw or catch around the body that is shown at each, 2 · juggler + side,
            shape (T,); −1 for none.
        event_distance: the time between the moment and that throw or catch, shape (T,), [s].
    """

    times: Floats
    hand: Integers
    event_distance: Floats

    @classmethod
    def of_loop(cls, motion: Motion) -> Moments:
        """Return moments just after throws and just before catches around the body.

        Without such events, the moments are spread evenly over the loop. There are at most
        `_MOMENT_COUNT` (36), in the first `_MAX_DURATION` (20) seconds of a longer loop.
        """
        events = motion.choreography.events
        considered_time = min(motion.duration, _MAX_DURATION)
        (event_rows,) = np.nonzero(events.around_body & (events.time < considered_time))
        if not len(event_rows):
            return cls.at(motion, np.linspace(0.0, considered_time, _MOMENT_COUNT, endpoint=False))
        # Each event has one moment for each of `_EVENT_OFFSETS` (0.02 to 0.14 s), after a throw or
        # before a catch: then its hand is still there, and its prop apart.
        event_rows = event_rows[: _MOMENT_COUNT // len(_EVENT_OFFSETS)]
        after_or_before = np.where(events.kind[event_rows] == EventKind.THROW, 1.0, -1.0)
        times = events.time[event_rows, None] + after_or_before[:, None] * _EVENT_OFFSETS
        # Moments before the start or past the end of the loop wrap around.
        return cls.at(motion, times.ravel() % motion.duration)

    @classmethod
    def at(cls, motion: Motion, times: Floats) -> Moments:
        """Return moments at given times, each with the nearest throw or catch around the body.

        An event farther away than twice the longest of `_EVENT_OFFSETS` does not count.

        Args:
            motion: the motion of the loop, whose end meets its start.
            times: T times, shape (T,), in the loop, [s].
        """
        events = motion.choreography.events
        half_loop = motion.duration / 2
        # From each time to each event by the shorter way around the loop, shape (T, E), [s].
        time_to_event = np.abs(
            (events.time - times[:, None] + half_loop) % motion.duration - half_loop
        )
        time_to_event = np.where(events.around_body, time_to_event, np.inf)
        time_to_nearest = time_to_event.min(axis=1)
        hand = np.where(
            time_to_nearest < 2 * _EVENT_OFFSETS[-1], events.hand[time_to_event.argmin(axis=1)], -1
        )
        return cls(times, hand, time_to_nearest)


def candidate_views(juggler_count: int, *, looks_up: bool = False) -> Floats:
    """Return the directions in which cameras stand whose pictures are compared.

    Directions are from the middle of what is shown to the camera. Azimuths go all around, evenly.
    Groups, of three people or more, are seen from higher up, as people would hide each other.

    Args:
        juggler_count: number of jugglers.
        looks_up: whether cameras are near the floor and look up to high throws; the number of
            jugglers does not count then.

    Returns:
        Azimuth (0 at +z, positive toward +x) and elevation of each of V views, shape (V, 2), [rad].
    """
    elevations = _ELEVATIONS if juggler_count < 3 else _GROUP_ELEVATIONS
    if looks_up:
        elevations = _LOOKING_UP_ELEVATIONS
    azimuths = (np.arange(_AZIMUTH_COUNT) - _AZIMUTH_COUNT // 2) * (360.0 / _AZIMUTH_COUNT)
    return np.radians([(azimuth, elevation) for azimuth in azimuths for elevation in elevations])


def best_viewpoint(
    motion: Motion,
    frames: Frames,
    pose: Pose,
    moments: Moments,
    points: Floats,
    margin: float,
    free_below: Floats,
    candidates: Floats,
    light: Floats,
    framing: Framing,
    *,
    steady: bool = False,
) -> Viewpoint | None:
    """Return the moment and view with the best picture; None where there is too much to compare.

    The picture of each moment from each view has a cost, a weighted sum of its faults. The least
    cost is best; of equal ones (to five decimals) the first.

    Args:
        motion: the motion of the loop.
        frames, pose: props and people at T times.
        moments: these times.
        points: points that the picture of each must show, shape (T, N, 3) for N points; (1, N, 3)
            if every picture must show the same, [m].
        margin: radius of the balls around these points that are framed, above 0, [m].
        free_below: share of the height of each picture that stays free below people, shape (T,), or
            (1,) for all.
        candidates: V views, columns azimuth and elevation, shape (V, 2), [rad].
        light: direction toward the key light, shape (3,).
        framing: the picture; its azimuth and elevation are replaced by those of the candidates.
        steady: whether one picture shows all moments: the mean of their costs counts then, and the
            time of the viewpoint is the first.
    """
    time_count, juggler_count = pose.joints.shape[:2]
    prop_balls = _prop_balls(motion, frames)
    prop_ball_count = prop_balls[0].shape[1]
    compared_pictures = _within_budget(time_count, juggler_count, prop_ball_count, candidates)
    if compared_pictures is None:
        return None

    # The indices of M moments; from here on there are V candidates for each of these.
    chosen_moments, candidates = compared_pictures
    # If every picture must show the same, `points` and `free_below` have one row for all moments.
    chosen_rows = chosen_moments if len(points) > 1 else slice(None)
    points_shown = points[chosen_rows]
    views = _Views.framing_points(
        points_shown, margin, free_below[chosen_rows], candidates, framing
    )
    cost, prop_width = _picture_costs(
        motion, frames, pose, moments, chosen_moments, prop_balls, views, light
    )

    # The cost of props that are above the picture: higher than everything that must be shown.
    highest = points_shown[..., 1].max(axis=1) + margin
    share_above = (frames.props[chosen_moments, :, 1] > highest[:, None]).mean(axis=1)
    cost = cost + _PROPS_GONE * share_above[:, None]
    if steady:
        # One row: the mean over all moments. Paths of props should lie side by side in the picture,
        # and not behind one another, so the narrowest view costs most.
        cost = cost.mean(axis=0, keepdims=True) + _NARROW * (1 - prop_width / prop_width.max())

    best_moment, best_view = np.unravel_index(int(cost.round(5).argmin()), cost.shape)
    if not steady and len(chosen_moments) < time_count and len(candidates) > 1:
        # Only some of the moments were compared. Now all of them are, but from the best view alone.
        return best_viewpoint(
            motion,
            frames,
            pose,
            moments,
            points,
            margin,
            free_below,
            candidates=candidates[[best_view]],
            light=light,
            framing=framing,
        )
    azimuth, elevation = candidates[best_view].tolist()
    return Viewpoint(
        time=float(frames.times[chosen_moments[best_moment]]), azimuth=azimuth, elevation=elevation
    )


def _picture_costs(
    motion: Motion,
    frames: Frames,
    pose: Pose,
    moments: Moments,
    chosen_moments: Integers,
    prop_balls: tuple[Floats, Floats],
    views: _Views,
    light: Floats,
) -> tuple[Floats, Floats]:
    """Return the cost of the faults of pictures, and how wide the paths of props are in them.

    Args:
        motion: the motion of the loop.
        frames, pose: props and people at T times.
        moments: these times.
        chosen_moments: the indices of the M of them that are compared, shape (M,).
        prop_balls: centres, shape (T, B, 3), and radii, shape (B,), of the B balls that stand for
            props, [m].
        views: the cameras of V views at these M moments.
        light: direction toward the key light, shape (3,).

    Returns:
        The cost of each picture, shape (M, V); and the width over which props are seen from each
        view, at all M moments together, shape (V,), [m].
    """
    people = pose.joints[chosen_moments]
    ball_centres, radius = prop_balls
    props = ball_centres[chosen_moments]
    bodies = views.project(_body_balls(people), np.tile(_RADII, people.shape[1]))
    projected_props = views.project(props, radius)
    balls_per_prop = len(radius) // frames.props.shape[1]
    # First the faults that depend on the view.
    cost = (
        _people_cost(people, bodies, projected_props, views, light)
        + _props_cost(bodies, projected_props, balls_per_prop)
        + _frame_cost(people, views)
        + _trick_cost(people, props, radius, moments.hand[chosen_moments], bodies, views)
    )
    is_ring = np.array([kind == "ring" for kind in motion.shapes.kind])
    if frames.aims is not None and is_ring.any():
        cost = cost + _ring_cost(frames.aims[chosen_moments][:, is_ring, 0], views)
    cost = cost - _crossed_gain(people, views)
    cost = cost + _moment_cost(frames, pose, moments)[chosen_moments, None]
    # From the leftmost to the rightmost ball of props, over all moments.
    prop_width = np.ptp(projected_props.centre[..., 0], axis=(0, -1))
    return cost, prop_width


def _body_balls(people: Floats) -> Floats:
    """Return the centres of balls along the limbs of all people in turn, see `_BALLS`.

    Args:
        people: joints of J people at T times, shape (T, J, `JOINTS`, 3), [m].

    Returns:
        Shape (T, J · balls, 3), [m]; their radii are `_RADII` for each person.
    """
    starts = people[:, :, _STARTS]
    centres = starts + _SHARES[:, None] * (people[:, :, _ENDS] - starts)
    return centres.reshape(len(people), -1, 3)


class _Compared(NamedTuple):
    """The pictures that are compared: all moments, each from all views.

    Args:
        moments: indices of M moments, increasing.
        candidates: V views, columns azimuth and elevation, shape (V, 2), [rad].
    """

    moments: Integers
    candidates: Floats


def _within_budget(
    time_count: int, juggler_count: int, prop_ball_count: int, candidates: Floats
) -> _Compared | None:
    """Choose moments and views whose pictures have no more than `_MAX_BALL_PAIRS` pairs of balls.

    A ball is here a sphere that stands for a part of a prop or of a juggler. The time that it takes
    to compare pictures, one for each moment and view, depends on the number of pairs: in each
    picture the balls of props, and those of the face and the palms of each juggler, are compared
    with all balls of props and jugglers. (The few pairs with trunks are not counted.)

    Args:
        time_count: number of moments to choose from.
        juggler_count: number of jugglers.
        prop_ball_count: number of balls that stand for all props.
        candidates: all views, columns azimuth and elevation, [rad].

    Returns:
        The indices of the moments, and the views; None if a single moment has too many pairs.
    """
    ball_count = prop_ball_count + len(_BALLS) * juggler_count
    pairs_per_picture = (prop_ball_count + _COMPARED_BALLS_PER_JUGGLER * juggler_count) * ball_count
    if pairs_per_picture * len(candidates) > _MAX_BALL_PAIRS:
        # A crowd is seen from the highest elevation only, of each azimuth, and from fewer azimuths.
        is_highest = candidates[:, 1] > candidates[:, 1].max() - _SAME_ANGLE
        candidates = candidates[is_highest][::_CROWD_STEP]
    pairs_per_moment = pairs_per_picture * len(candidates)
    if pairs_per_moment > _MAX_BALL_PAIRS:
        return None
    # Indices of evenly spaced moments, as many as there may be.
    moment_count = min(time_count, _MAX_BALL_PAIRS // pairs_per_moment)
    moments = np.unique(np.linspace(0, time_count - 1, moment_count).round().astype(int))
    return _Compared(moments, candidates)


def _moment_cost(frames: Frames, pose: Pose, moments: Moments) -> Floats:
    """Cost of the faults of T moments that do not depend on the view, shape (T,).

    It is the weighted sum of the lack of wide gestures, of props in hands, of closed eyes, and of
    the time between a moment and its throw or catch around the body.

    Args:
        frames: hands and props at these moments.
        pose: all J jugglers at these moments.
        moments: whether each is at a throw or catch around the body, and how far from it.
    """
    # How wide gestures are, 0 to 1: how far hands are from their mean places, with 1 at
    # `_WIDE_GESTURE` and farther.
    palms = pose.joints[:, :, _PALMS]
    from_mean = np.linalg.norm(palms - palms.mean(axis=0), axis=-1)
    gesture = np.minimum(from_mean.mean(axis=(1, 2)) / _WIDE_GESTURE, 1.0)
    held = (frames.holders >= 0).mean(axis=1)
    # The time between a moment and its throw or catch around the body, as a share of the longest
    # that is tried; 0 if it has none.
    event_distance = np.where(moments.hand >= 0, moments.event_distance / _EVENT_OFFSETS[-1], 0.0)
    cost: Floats = (
        _AT_REST * (1 - gesture)
        + _PROPS_HELD * held
        + _BLINKING * pose.lids.mean(axis=1)
        + _LATE * event_distance
    )
    return cost


@dataclass(frozen=True)
class _Views:
    """The cameras of V views at T moments, or at all moments alike if T is 1.

    Args:
        axes: unit vectors right, up and back of each view, in rows, in the world, shape (V, 3, 3).
        position: coordinates of each eye along these, shape (T, V, 3), [m].
        distance: distance from each eye to its target, shape (T, V), [m].
        half_view: tangent of half the field of view.
        orthographic: whether lines of sight are parallel; if not, they meet in the eye.
    """

    axes: Floats
    position: Floats
    distance: Floats
    half_view: float
    orthographic: bool

    @classmethod
    def framing_points(
        cls,
        points: Floats,
        margin: float,
        free_below: Floats,
        candidates: Floats,
        framing: Framing,
    ) -> _Views:
        """Return the cameras that frame some points, one for each moment and candidate.

        Args:
            points: points that each picture has to show, shape (T, N, 3) for N points, [m]; T is 1
                if all show the same.
            margin: how far around each point the picture must show, above 0, [m].
            free_below: share of the height of each picture that stays free below, shape (T,).
            candidates: azimuth and elevation of each view, shape (V, 2) for V candidates, [rad].
            framing: field of view and shape of the picture; its direction is not used.
        """
        # Right, up and back of each view, in rows, shape (V, 3, 3).
        axes = np.array(
            [
                replace(framing, azimuth=azimuth, elevation=elevation).axes()
                for azimuth, elevation in candidates.tolist()
            ]
        )
        # Points along the axes of each view, shape (T, V, N, 3).
        places = points[:, None] @ np.swapaxes(axes, 1, 2)
        elevations = candidates[:, 1]
        eyes, target_depths = _place_eyes(places, margin, framing, elevations, free_below[:, None])
        return cls(
            axes,
            position=eyes,
            distance=eyes[..., 2] - target_depths,
            half_view=math.tan(framing.field_of_view / 2),
            orthographic=framing.orthographic,
        )

    @property
    def eyes(self) -> Floats:
        """Places of the eyes in the world, shape (T, V, 3) for T moments and V views, [m]."""
        eyes: Floats = np.einsum("tvk,vkc->tvc", self.position, self.axes)
        return eyes

    def project(self, points: Floats, radius: Floats | float) -> _ProjectedBalls:
        """Project balls onto the pictures of all views.

        Args:
            points: centres in the world, shape (T, N, 3) for T moments and N balls, [m].
            radius: radius of all balls, or of each, shape (N,), [m].

        Returns:
            The balls of each moment in each of the V views, at the scale of the target: centres,
            shape (T, V, N, 3), and radii, shape (T, V, N).
        """
        # There are many balls, so all is in single precision.
        world_to_view = np.swapaxes(self.axes, 1, 2).astype(np.float32)
        # Centres along the axes of each view (right, up, back), from its eye.
        centres = points.astype(np.float32)[:, None] @ world_to_view
        centres -= self.position[:, :, None].astype(np.float32)
        # Perspective shows what is nearer to the eye than the target larger, by the ratio of the
        # target's distance to its own.
        scale = np.ones_like(centres[..., 2])
        if not self.orthographic:
            ahead = np.maximum(-centres[..., 2], NEAREST)
            scale = (self.distance[..., None] / ahead).astype(np.float32)
        centres[..., :2] *= scale[..., None]
        return _ProjectedBalls(centres, np.asarray(radius, dtype=np.float32) * scale)


@dataclass(frozen=True)
class _ProjectedBalls:
    """N balls at T times, as they lie in the pictures of V views.

    Args:
        centre: coordinates from the eye to the right and up, at the scale of the target, and back,
            toward the camera (negative in front of it), shape (T, V, N, 3), [m].
        radius: apparent radius at the scale of the target, shape (T, V, N), [m].
    """

    centre: Singles
    radius: Singles

    def overlaps(self, others: _ProjectedBalls) -> _Overlaps:
        """Return the shares by which these balls cover, and are covered by, each of some others.

        Two discs in the picture overlap by the sum of their radii less their distance; the share is
        that over the diameter of the smaller one: 0 where they are apart, 1 where it is covered.

        Args:
            others: O balls in the same pictures.

        Returns:
            The shares of all pairs of these N balls with the others, shape (T, V, N, O).
        """
        # From each of these balls to each other one, coordinate by coordinate: a sum over so short
        # an axis is slow.
        right = others.centre[..., None, :, 0] - self.centre[..., 0, None]
        up = others.centre[..., None, :, 1] - self.centre[..., 1, None]
        back = others.centre[..., None, :, 2] - self.centre[..., 2, None]
        distance = np.sqrt(right * right + up * up)
        radius = self.radius[..., None]
        other_radius = others.radius[..., None, :]
        smaller_diameter = 2 * np.minimum(radius, other_radius)
        share = np.clip((radius + other_radius - distance) / smaller_diameter, 0.0, 1.0)
        other_is_nearer = back > 0
        return _Overlaps(
            over=np.where(other_is_nearer, 0.0, share), under=np.where(other_is_nearer, share, 0.0)
        )


class _Overlaps(NamedTuple):
    """Shares by which N balls and O other ones cover each other, shape (T, V, N, O) for T moments
    and V views, 0 to 1.

    Args:
        over: overlap of the pairs whose first ball is nearer to the camera; 0 for the other pairs.
        under: overlap of the pairs whose second ball is nearer; 0 for the other pairs.
    """

    over: Singles
    under: Singles


def _prop_balls(motion: Motion, frames: Frames) -> tuple[Floats, Floats]:
    """Return balls that stand for props: centres, shape (T, B, 3), and radii, shape (B,), [m].

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
    radius = np.where(is_club, _CLUB_BALL_RADIUS, shapes.size / 2)
    # From the centre of a club half of the way to its farther end, and as far the other way.
    along = aim_directions([frames.aims]) * np.where(is_club, shapes.reach / 2, 0.0)[:, None]
    return np.concatenate([frames.props + along, frames.props - along], axis=1), np.tile(radius, 2)


def _ring_cost(yaws: Floats, views: _Views) -> Floats:
    """Cost of rings that are seen from the side, shape (T, V).

    Rings stand upright, so their axes are level. The less an axis points to the camera (or away),
    the narrower the ring looks.

    Args:
        yaws: yaws of P rings at T moments, shape (T, P), [rad].
        views: the cameras of V views.
    """
    # |axis · back axis of the view|, shape (T, V, P): the cosine of the angle between the ring's
    # axis and the line of sight.
    facing = np.abs(np.einsum("tpc,vc->tvp", ring_axes(yaws), views.axes[:, 2]))
    cost: Floats = _FORESHORTENED * (1 - facing.mean(axis=-1))
    return cost


def _crossed_gain(people: Floats, views: _Views) -> Floats:
    """Gain of pictures by crossed arms, as far as these are seen from the front, shape (T, V).

    Arms cross where the right palm is farther to the left of the person than the left one. Seen
    from the side, with the shoulders along the line of sight, crossed arms count nothing.

    Args:
        people: joints of J people at T moments, in the world, shape (T, J, `JOINTS`, 3), [m].
        views: the cameras of V views.
    """
    # Index 0 is the left shoulder or palm, 1 the right one. The unit vector from right to left
    # shoulder; and how far the right palm is to the left of the left one, 1 at `_CROSSED_DISTANCE`.
    leftward = unit(people[:, :, _SHOULDERS[0]] - people[:, :, _SHOULDERS[1]])
    from_left_palm = people[:, :, _PALMS[1]] - people[:, :, _PALMS[0]]
    crossed_share = np.clip((from_left_palm * leftward).sum(axis=-1) / _CROSSED_DISTANCE, 0.0, 1.0)
    # |leftward · right axis of the view|: 1 where the shoulders lie across the picture.
    seen_across = np.abs(np.einsum("tjc,vc->tvj", leftward, views.axes[:, 0]))
    gain: Floats = _CROSSED * (crossed_share[:, None] * seen_across).mean(axis=-1)
    return gain


def is_face_covered(camera: Camera, faces: Floats, props: Floats, radius: float) -> bool:
    """Whether a prop covers a face in the picture of a camera.

    Args:
        camera: the camera that sees them.
        faces, props: their middles in the world, shape (J, 3) for J faces and (P, 3) for P props,
            [m].
        radius: radius of props, [m].
    """
    # In camera space x is to the right, y up and z back. Each face is compared with each prop:
    # faces have the shape (J, 1, 3), and results the shape (J, P).
    view = camera.view()
    rotation = view[:3, :3]
    translation = view[:3, 3]
    faces = (faces @ rotation.T + translation)[:, None]
    props = props @ rotation.T + translation
    # Where the line of sight through a prop is at the depth of a face.
    at_face_depth = props[:, :2]
    if not camera.orthographic:
        scale = faces[..., 2] / np.minimum(props[:, 2], -NEAREST)
        at_face_depth = at_face_depth * scale[..., None]
    distance_in_picture = np.linalg.norm(at_face_depth - faces[..., :2], axis=-1)
    is_in_front = props[:, 2] > faces[..., 2]
    return bool((is_in_front & (distance_in_picture < _FACE_RADIUS + radius)).any())


def _people_cost(
    people: Floats, bodies: _ProjectedBalls, props: _ProjectedBalls, views: _Views, light: Floats
) -> Floats:
    """Cost of how people are seen at T moments from V views, shape (T, V).

    It is the weighted sum of the shares of faces and hands that are covered, of people who are
    behind others, turned away from the camera or seen from below the chin, and of light from
    behind.

    Args:
        people: joints of J people in the world, shape (T, J, `JOINTS`, 3), [m].
        bodies: balls along the limbs of people, as many for each (`_BALLS`), person by person.
        props: balls of the props.
        views: the cameras.
        light: direction toward the key light, shape (3,).
    """
    time_count, juggler_count = people.shape[:2]
    juggler_indices = np.arange(juggler_count)
    juggler_of_point = np.repeat(juggler_indices, 2)  # of two points of each juggler
    # The shares of faces that bodies cover, except the head of the same person.
    face_centres = people[:, :, Joint.FACE]
    faces = views.project(face_centres, _FACE_RADIUS)
    face_covered = _covered_share(
        faces, bodies, _own_balls(juggler_indices, _IS_HEAD, juggler_count)
    )
    # The shares of hands that bodies cover, except the arms of the same person.
    palms = views.project(people[:, :, _PALMS].reshape(time_count, -1, 3), _HAND_RADIUS)
    hand_covered = _covered_share(
        palms, bodies, _own_balls(juggler_of_point, _IS_ARM, juggler_count)
    )
    # The shares of chests and pelvises that other people cover.
    trunk_centres = people[:, :, [Joint.CHEST, Joint.PELVIS]].reshape(time_count, -1, 3)
    trunks = views.project(trunk_centres, _CHEST_RADIUS)
    is_any = np.ones(len(_BALLS), dtype=bool)
    behind_others = _covered_share(
        trunks, bodies, _own_balls(juggler_of_point, is_any, juggler_count)
    )
    # `turned_away` is 0 up to an angle of cosine `_TURNED_COSINE` between face and camera, and 1
    # for a face that looks straight away. `from_below` is 0 for cameras up to an angle of sine
    # `_CHIN_SINE` below the axis of the face, and 1 for one straight below the chin: people who
    # look up are seen better from the side.
    ahead_of_face, below_face = _camera_from_faces(people, views)
    turned_away = np.maximum(_TURNED_COSINE - ahead_of_face, 0.0) / (1 + _TURNED_COSINE)
    from_below = np.maximum(below_face - _CHIN_SINE, 0.0) / (1 - _CHIN_SINE)
    # A prop in front of any face that is seen spoils a picture, however many people there are: so
    # the largest share counts, not the mean.
    covered_by_prop = faces.overlaps(props).under.max(axis=-1, initial=0.0)
    in_front_of_face = np.where(ahead_of_face > 0, covered_by_prop, 0.0)
    # Seen from above: 0 if the lamp is in the direction of the camera, and 1 if it is opposite.
    back = views.axes[:, 2] * (1.0, 0.0, 1.0)
    unlit = 0.5 - 0.5 * back @ unit(light * (1.0, 0.0, 1.0))
    cost: Floats = (
        _FACE_COVERED * (face_covered.mean(axis=-1) + in_front_of_face.max(axis=-1))
        + _HAND_COVERED * hand_covered.mean(axis=-1)
        + _BEHIND * behind_others.mean(axis=-1)
        + _TURNED_AWAY * turned_away.mean(axis=-1)
        + _FROM_BELOW * from_below.mean(axis=-1)
        + _UNLIT * unlit
    )
    return cost


def _camera_from_faces(people: Floats, views: _Views) -> tuple[Floats, Floats]:
    """Return where the cameras of V views are as seen from J faces at T moments.

    Args:
        people: joints, shape (T, J, `JOINTS`, 3), in the world, [m].
        views: the cameras.

    Returns:
        Components of the unit vectors from faces to cameras, shape (T, V, J) each: ahead, where the
        face looks, and down, toward the chin at right angles to that.
    """
    # Unit vectors out of the face, shape (T, J, 3), and from it to each camera, (T, V, J, 3).
    faces = people[:, :, Joint.FACE]
    look = unit(faces - people[:, :, Joint.HEAD])
    to_camera = unit(views.eyes[:, :, None] - faces[:, None])
    ahead = (look[:, None] * to_camera).sum(axis=-1)
    # Up along the face: the direction of the neck, without its part along `look`.
    neck = people[:, :, Joint.HEAD] - people[:, :, Joint.NECK]
    crown = unit(neck - (neck * look).sum(axis=-1, keepdims=True) * look)
    down = -(crown[:, None] * to_camera).sum(axis=-1)
    return ahead, down


def _own_balls(
    owners: Integers, is_part: NDArray[np.bool_], juggler_count: int
) -> NDArray[np.bool_]:
    """Mask the balls of a part, such as the arms, of the juggler to whom each of N points belongs.

    Bodies are compared with points by balls along their limbs; `_BALLS` are those of one body.

    Args:
        owners: index of the juggler to whom each point belongs, shape (N,); −1 for nobody.
        is_part: whether each of `_BALLS` is in the part, shape (balls,).
        juggler_count: number of jugglers.

    Returns:
        True where a ball is in that part of the owner's body, shape (N, jugglers · balls).
    """
    juggler_of_ball = np.repeat(np.arange(juggler_count), len(_BALLS))
    is_own = juggler_of_ball == owners[:, None]
    return is_own & np.tile(is_part, juggler_count)


def _covered_share(
    balls: _ProjectedBalls, bodies: _ProjectedBalls, is_ignored: NDArray[np.bool_]
) -> Floats:
    """The largest share by which any ball of a body covers each of N balls, shape (T, V, N).

    Args:
        balls: the N balls at T moments in V views.
        bodies: B balls along the limbs of people in the same pictures.
        is_ignored: whether a ball of a body does not count, such as one of a person's own arm in
            front of the hand; any shape that broadcasts to (T, V, N, B).
    """
    covered: Floats = np.where(is_ignored, 0.0, balls.overlaps(bodies).under).max(axis=-1)
    return covered


def _props_cost(bodies: _ProjectedBalls, props: _ProjectedBalls, balls_of_prop: int) -> Floats:
    """Cost of how props are seen at T moments from V views, shape (T, V).

    It is the weighted sum of the shares of props that are covered by bodies or cover them, that
    overlap other props or are close to them in the picture, and of clubs seen from their ends.

    Args:
        bodies, props: balls; those of props in the order of `_prop_balls`.
        balls_of_prop: number of balls for a prop, 1 or 2.
    """
    # The largest share by which each ball of a prop covers a ball of a body, and is covered by one.
    over_bodies, under_bodies = props.overlaps(bodies)
    in_front_of_bodies = over_bodies.max(axis=-1)
    covered_by_bodies = under_bodies.max(axis=-1)
    # Whether two balls are of different props, shape (B, B) for all B balls of props.
    prop_count = props.radius.shape[-1] // balls_of_prop
    prop_of_ball = np.tile(np.arange(prop_count), balls_of_prop)
    is_other = prop_of_ball != prop_of_ball[:, None]
    # The largest share by which each ball overlaps that of another prop, over or under it.
    over_props, under_props = props.overlaps(props)
    in_line = np.where(is_other, over_props + under_props, 0.0).max(axis=-1, initial=0.0)
    # Distance from each ball to the nearest of another prop in the picture, at the scale of the
    # target, up to `_PROP_SPACING`, [m].
    in_picture = props.centre[..., :2]
    distance = np.linalg.norm(in_picture[..., None, :, :] - in_picture[..., None, :], axis=-1)
    nearest_distance = np.where(is_other, distance, _PROP_SPACING).min(
        axis=-1, initial=_PROP_SPACING
    )
    # How short clubs look, whose two balls lie apart: the share of the way from one to the other
    # that is toward the camera. It is 0 where the two are the same.
    along = props.centre[..., :prop_count, :] - props.centre[..., -prop_count:, :]
    length = np.maximum(np.linalg.norm(along, axis=-1), 1e-6)
    foreshortening = np.abs(along[..., 2]) / length
    cost: Floats = (
        _FORESHORTENED * foreshortening.mean(axis=-1)
        + _PROP_COVERED * covered_by_bodies.mean(axis=-1)
        + _PROP_IN_FRONT * in_front_of_bodies.mean(axis=-1)
        + _PROPS_IN_LINE * in_line.mean(axis=-1)
        + _CROWDED * (1 - nearest_distance.mean(axis=-1) / _PROP_SPACING)
    )
    return cost


def _frame_cost(people: Floats, views: _Views) -> Floats:
    """Cost of people who are small in the picture, and of cameras near the floor, shape (T, V).

    A person who takes the share `_LARGE_SHARE` of the picture's height or more costs nothing; a
    camera is near the floor below the height `LOWEST` (in metres).

    Args:
        people: joints of J jugglers at T moments, shape (T, J, `JOINTS`, 3), in the world, [m].
        views: the cameras of V views: `eyes`, shape (T, V, 3), `axes` (right, up and back), shape
            (V, 3, 3), and `distance` to the target, shape (T, V), [m]; or with 1 in place of T.
    """
    # The depth that sets how large each person is in the picture, shape (T, V, J), [m]: in
    # perspective the distance of their pelvis along the view, and in an orthographic picture, where
    # it does not matter where they are, the distance of the target (J is then 1).
    if views.orthographic:
        depth = views.distance[..., None]
    else:
        pelvis = people[:, :, Joint.PELVIS].astype(np.float32)[:, None]
        from_eye = pelvis - views.eyes[:, :, None]
        back_axis = views.axes[:, None, 2]
        depth = -(from_eye * back_axis).sum(axis=-1)
    # Height of a person who stands, over that of the picture at this depth.
    height_share = _PERSON_HEIGHT / (2 * views.half_view * depth)
    smallness = np.maximum(_LARGE_SHARE - height_share, 0.0).mean(axis=-1) / _LARGE_SHARE
    is_too_low = views.eyes[..., 1] < LOWEST
    cost: Floats = _SMALL * smallness + _EYE_TOO_LOW * is_too_low
    return cost


def _trick_cost(
    people: Floats,
    props: Floats,
    radius: Floats,
    hand: Integers,
    bodies: _ProjectedBalls,
    views: _Views,
) -> Floats:
    """Cost of throws and catches around the body that are not seen well, shape (T, V).

    It is the weighted sum of how far the prop and the hand are covered, how far the prop is in
    front of the body, and how short the limbs look; 0 at moments without such a throw or catch.

    Args:
        people: joints of J people at T moments, in the world, shape (T, J, `JOINTS`, 3), [m].
        props, radius: balls of props in the world, shape (T, B, 3) for B balls and (B,), [m].
        hand: the hand that throws or catches, 2 · juggler + side (0 left, 1 right), shape (T,); −1
            for none.
        bodies: balls along the limbs of people, as many for each (`_BALLS`), person by person.
        views: the cameras of V views.
    """
    # The joints and the palm of who throws or catches at each moment, shapes (T, `JOINTS`, 3) and
    # (T, 3). (Hand −1 takes the last juggler, whose cost is replaced by 0 in the end.)
    moment = np.arange(len(people))
    juggler = hand // 2
    side = hand % 2
    joints = people[moment, juggler]
    palm = joints[moment, np.array(_PALMS)[side]]
    shoulder = joints[moment, np.array(_SHOULDERS)[side]]
    # The prop is the one whose ball is nearest to the palm; a mean radius will do.
    nearest_ball = np.linalg.norm(props - palm[:, None], axis=-1).argmin(axis=1)
    prop = views.project(props[moment, nearest_ball][:, None], float(radius.mean()))
    over, under = prop.overlaps(bodies)
    in_front_of_bodies = over.max(axis=(-2, -1))
    covered_by_bodies = under.max(axis=(-2, -1))
    # The hand is covered by bodies, but not by the own arms.
    own_arms = _own_balls(juggler, _IS_ARM, people.shape[1])[:, None, None]
    palm_ball = views.project(palm[:, None], _HAND_RADIUS)
    hand_covered = _covered_share(palm_ball, bodies, own_arms)[..., 0]
    # How short the arm, from shoulder to palm, and both thighs look: the cosines of their angles to
    # the direction of the camera.
    arm = (palm - shoulder)[:, None]
    thighs = joints[:, _KNEES] - joints[:, _HIPS]
    limbs = np.concatenate([arm, thighs], axis=1)
    foreshortening = np.abs(np.einsum("tlc,vc->tvl", unit(limbs), views.axes[:, 2])).mean(axis=-1)
    cost = (
        _TRICK_COVERED * (covered_by_bodies + hand_covered + _TRICK_IN_FRONT * in_front_of_bodies)
        + _FORESHORTENED * foreshortening
    )
    return np.where(hand[:, None] >= 0, cost, 0.0)
