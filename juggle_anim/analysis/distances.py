"""Distances between round cones and discs.

A round cone is the union of all balls whose centre and radius change linearly from one end to the
other. Rings count as thin discs, without a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.prop_shapes import RING_THICKNESS

THICKNESS = RING_THICKNESS
"""Thickness of a disc, [m]."""

# Each step shrinks the interval by 0.618. After this many steps a limb's length has shrunk below a
# micrometre, and the distance, near its minimum, changes by far less within it.
_GOLDEN_SECTIONS = 30

_RIM_ANGLES = 32
_INVERSE_GOLDEN_RATIO = (np.sqrt(5.0) - 1) / 2


@dataclass(frozen=True)
class RoundCones:
    """N round cones; a cone without length is a ball.

    Args:
        start, end: shape (N, 3), [m].
        start_radius, end_radius: shape (N,), [m].
    """

    start: Floats
    start_radius: Floats
    end: Floats
    end_radius: Floats

    @classmethod
    def balls(cls, centres: Floats, radii: Floats) -> Self:
        """Return balls with centres, shape (N, 3), and radii, shape (N,), [m]."""
        return cls(centres, radii, centres, radii)

    def select(self, row: Integers | Booleans) -> RoundCones:
        """Return the cones of some rows: their indices, or a mask of shape (N,)."""
        return RoundCones(
            self.start[row], self.start_radius[row], self.end[row], self.end_radius[row]
        )


def round_cone_distance(points: Floats, cones: RoundCones) -> Floats:
    """Return distances from points to the surfaces of round cones, negative inside, shape (N,).

    A round cone is a line of balls with centres on its axis. For a point at a distance x along the
    axis from the start and y from the axis, and with length l and growth m = (r₁ − r₀) / l of the
    radius, the ball with the nearest surface is at x + y·m / √(1 − m²) along the axis, or at the
    nearer end where this is beyond the cone. All lengths are in metres.

    Args:
        points: shape (N, 3), [m].
        cones: N round cones, one for each point.
    """
    axis = cones.end - cones.start
    from_start = points - cones.start
    length = np.maximum(np.sqrt(_dot(axis, axis)), 1e-9)  # no division by 0 for a ball

    # x, y and m. If one end ball contains the other, |m| ≥ 1 and the root below would be of a
    # negative number; the limit moves the nearest ball toward the larger end instead.
    along = _dot(from_start, axis) / length
    across = np.sqrt(np.maximum(_dot(from_start, from_start) - along**2, 0.0))
    growth = np.clip((cones.end_radius - cones.start_radius) / length, -0.999, 0.999)

    # The place of the nearest ball along the axis, then the distance to its centre less its radius.
    centre = np.clip(along + across * growth / np.sqrt(1 - growth**2), 0.0, length)
    to_centre = np.sqrt((along - centre) ** 2 + across**2)
    return (
        to_centre - cones.start_radius - (cones.end_radius - cones.start_radius) * centre / length
    )


def _dot(vectors: Floats, other_vectors: Floats) -> Floats:
    """Dot products of rows, shape (N, 3) to (N,).

    This is several times as fast as numpy's sum along so short an axis.
    """
    products = vectors * other_vectors
    return products[:, 0] + products[:, 1] + products[:, 2]


def round_cones_distance(cones: RoundCones, other_cones: RoundCones) -> Floats:
    """Return distances between the surfaces of round cones, shape (N,), [m].

    They are negative where the cones overlap. A round cone is a line of balls; the distance of two
    balls, one of each cone, is convex in their positions along both lines. So it is least with a
    ball at one of the four ends, or where it is least on the infinite lines.

    Args:
        cones, other_cones: N round cones each, compared row by row.
    """
    # Each end ball of one cone against the whole other cone.
    from_ends = np.minimum.reduce(
        [
            round_cone_distance(cones.start, other_cones) - cones.start_radius,
            round_cone_distance(cones.end, other_cones) - cones.end_radius,
            round_cone_distance(other_cones.start, cones) - other_cones.start_radius,
            round_cone_distance(other_cones.end, cones) - other_cones.end_radius,
        ]
    )
    return np.minimum(from_ends, _distance_between_lines_of_balls(cones, other_cones))


def _distance_between_lines_of_balls(cones: RoundCones, other_cones: RoundCones) -> Floats:
    """Return the gaps between those balls that are nearest on infinite axes, shape (N,), [m].

    Where a nearest ball is beyond its cone, the end ball stands in for it; the result is then an
    upper bound of the cones' distance, as that of any two balls is.

    The balls of the first cone are at s along the unit axis u, those of the other at t along v; k
    and g are the growths of their radii, and w is the vector from the centre at t to that at s.
    Where the distance |w| less both radii is least, w·u = k·|w| and w·v = −g·|w|. With h the length
    of the part of w across both axes, and p the length of the part of w/|w| in the plane that the
    axes span, |w| = h / √(1 − p²).

    Args:
        cones, other_cones: N round cones each, compared row by row.
    """
    u, length, k = _axes_and_growth(cones)
    v, other_length, g = _axes_and_growth(other_cones)
    between_starts = cones.start - other_cones.start

    # Determinant of the Gram matrix of u and v: (1, cosine; cosine, 1). It is 0 for parallel axes,
    # whose least distance is also reached at an end, so any value above 0 will do there.
    cosine = _dot(u, v)
    determinant = np.maximum(1 - cosine**2, 1e-9)

    # h: `between_starts` less its part in the plane of u and v.
    along_u = _dot(between_starts, u)
    along_v = _dot(between_starts, v)
    in_plane_squared = (along_u**2 - 2 * cosine * along_u * along_v + along_v**2) / determinant
    h = np.sqrt(np.maximum(_dot(between_starts, between_starts) - in_plane_squared, 0.0))

    # |w|. Where the radii grow so fast that p ≥ 1 there is no minimum on the infinite lines, and
    # the limit only avoids a division by 0: the ends decide.
    p_squared = (k**2 + 2 * cosine * k * g + g**2) / determinant
    w_length = h / np.sqrt(np.maximum(1 - p_squared, 1e-6))

    # s − cosine·t = k·|w| − along_u and cosine·s − t = −g·|w| − along_v, solved for s and t.
    first = w_length * k - along_u
    second = -w_length * g - along_v
    s = np.clip((first - cosine * second) / determinant, 0.0, length)
    t = np.clip((cosine * first - second) / determinant, 0.0, other_length)
    w = between_starts + s[:, None] * u - t[:, None] * v
    return np.sqrt(_dot(w, w)) - cones.start_radius - k * s - other_cones.start_radius - g * t


def _axes_and_growth(cones: RoundCones) -> tuple[Floats, Floats, Floats]:
    """Geometry of the axes of N round cones.

    Returns:
        Unit vectors from start to end, (N, 3); lengths, (N,), [m]; and growths of the radius per
        length, (N,), [m/m]. For a ball all three are 0.
    """
    axis = cones.end - cones.start
    length = np.sqrt(_dot(axis, axis))
    least = np.maximum(length, 1e-9)
    return axis / least[:, None], length, (cones.end_radius - cones.start_radius) / least


@dataclass(frozen=True)
class Discs:
    """N upright discs.

    Args:
        centre: shape (N, 3), [m].
        across: shape (N, 3), their normals, level unit vectors.
        radius: shape (N,), [m].
    """

    centre: Floats
    across: Floats
    radius: Floats

    def select(self, row: Integers | Booleans) -> Discs:
        """Return the discs of some rows: their indices, or a mask of shape (N,)."""
        return Discs(self.centre[row], self.across[row], self.radius[row])


def cone_disc_distance(cones: RoundCones, discs: Discs) -> Floats:
    """Return distances between the surfaces of round cones and discs, shape (N,), [m].

    They are negative where the two overlap. A cone is a line of balls; the distance of a ball from
    a disc is convex in its position along the line, so golden section finds the minimum.

    Args:
        cones: N round cones.
        discs: N upright discs, one for each cone, all of thickness `THICKNESS`.
    """
    axis = cones.end - cones.start
    growth = cones.end_radius - cones.start_radius

    def ball_distance(share: Floats) -> Floats:
        """From the ball at a share of each axis, 0 start to 1 end, shape (N,), to its disc, [m]."""
        return (
            _distance_to_thin_discs(cones.start + share[:, None] * axis, discs)
            - cones.start_radius
            - share * growth
        )

    start = np.zeros(len(growth))
    end = np.ones(len(growth))
    least = ball_distance(start)
    # Balls have no length, so their starts are enough. Golden section never evaluates the ends
    # themselves, where the minimum may be.
    if axis.any():
        _share, least_between = minimise(ball_distance, start, end, _GOLDEN_SECTIONS)
        least = np.minimum.reduce([least, ball_distance(end), least_between])
    return least - THICKNESS / 2


def discs_distance(discs: Discs, other_discs: Discs) -> Floats:
    """Return distances between the surfaces of discs, shape (N,), [m].

    Where discs cross, the distance is negative: less the length of the shortest of three moves that
    separate them. These are straight up or down, or along the axis of either disc until the other
    is wholly on one side of its plane.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    crossing, move_up = _crossing_discs(discs, other_discs)

    # The gap between the plane of one disc and the other disc, negative if that is on both sides of
    # the plane; the greater for the two ways round. A disc of radius r reaches r·sin(angle between
    # the planes) from its centre toward the other plane.
    between_centres = other_discs.centre - discs.centre
    sine = np.sqrt(np.maximum(1 - _dot(discs.across, other_discs.across) ** 2, 0.0))
    beyond = np.maximum(
        np.abs(_dot(between_centres, discs.across)) - other_discs.radius * sine,
        np.abs(_dot(between_centres, other_discs.across)) - discs.radius * sine,
    )

    # Of the nearest points of discs that do not cross, one is on a rim.
    from_rims = np.minimum(_rim_distance(discs, other_discs), _rim_distance(other_discs, discs))
    return np.where(crossing, np.maximum(beyond, -move_up), from_rims) - THICKNESS


def _distance_to_thin_discs(points: Floats, discs: Discs) -> Floats:
    """Distances from points, (N, 3), to discs without thickness, (N,), m; 0 on a disc."""
    from_centre = points - discs.centre
    height = _dot(from_centre, discs.across)
    beyond_rim = np.sqrt(np.maximum(_dot(from_centre, from_centre) - height**2, 0.0)) - discs.radius
    return np.hypot(height, np.maximum(beyond_rim, 0.0))


def _crossing_discs(discs: Discs, other_discs: Discs) -> tuple[Booleans, Floats]:
    """Return which discs cross, and how far up or down one must move until they don't.

    Two upright planes that are not parallel meet in an upright line; each disc contains a piece of
    it, or does not reach it. Discs cross if the pieces overlap.

    Args:
        discs, other_discs: N upright discs each, compared row by row.

    Returns:
        Whether they cross, (N,), and the length of the shorter move, (N,), [m]; the latter has no
        meaning where they do not.
    """
    between_centres = other_discs.centre - discs.centre
    # Sine of the signed angle between the planes. Parallel planes never cross; 1 stands in for
    # their sine so that there is no division by 0.
    sine = (
        discs.across[:, 2] * other_discs.across[:, 0]
        - discs.across[:, 0] * other_discs.across[:, 2]
    )
    is_parallel = np.abs(sine) < 1e-9
    sine = np.where(is_parallel, 1.0, sine)

    # Signed level distances of the common line from the centres, of which only the size matters,
    # and half the lengths of the pieces, which have their middles at the heights of the centres.
    from_centre = _dot(between_centres, other_discs.across) / sine
    from_other_centre = _dot(between_centres, discs.across) / sine
    half_piece = np.sqrt(np.maximum(discs.radius**2 - from_centre**2, 0.0))
    half_other_piece = np.sqrt(np.maximum(other_discs.radius**2 - from_other_centre**2, 0.0))

    # The overlap of the two pieces along the line.
    move_up = half_piece + half_other_piece - np.abs(between_centres[:, 1])
    line_meets_both = (np.abs(from_centre) < discs.radius) & (
        np.abs(from_other_centre) < other_discs.radius
    )
    return line_meets_both & (move_up > 0) & ~is_parallel, move_up


def minimise(
    function: Callable[[Floats], Floats], start: Floats, end: Floats, steps: int
) -> tuple[Floats, Floats]:
    """Find the minima of N functions, each between two ends of its own, by golden section.

    The ends themselves are never evaluated.

    Args:
        function: takes one argument for each of the N functions, shape (N,), and returns their
            values, shape (N,).
        start, end: the ends, shape (N,); between them each function first falls and then rises, or
            only does one of the two.
        steps: number of steps, each of which shrinks the intervals to 0.618 of their length.

    Returns:
        The arguments at which the functions are least, and their values there, both (N,).
    """
    # Two inner points divide each interval in the golden ratio.
    left = end - _INVERSE_GOLDEN_RATIO * (end - start)
    right = start + _INVERSE_GOLDEN_RATIO * (end - start)
    at_left = function(left)
    at_right = function(right)
    for _step in range(steps):
        # The minimum is between `start` and `right` if the left value is lower, else between `left`
        # and `end`. Thanks to the golden ratio, the inner point that is left inside the shorter
        # interval is one of its two inner points, so only one new value is computed.
        left_is_lower = at_left < at_right
        start = np.where(left_is_lower, start, left)
        end = np.where(left_is_lower, right, end)
        new = np.where(
            left_is_lower,
            end - _INVERSE_GOLDEN_RATIO * (end - start),
            start + _INVERSE_GOLDEN_RATIO * (end - start),
        )
        at_new = function(new)
        kept = np.where(left_is_lower, left, right)
        at_kept = np.where(left_is_lower, at_left, at_right)
        left = np.where(left_is_lower, new, kept)
        right = np.where(left_is_lower, kept, new)
        at_left = np.where(left_is_lower, at_new, at_kept)
        at_right = np.where(left_is_lower, at_kept, at_new)
    return np.where(at_left < at_right, left, right), np.minimum(at_left, at_right)


def _rim_distance(discs: Discs, other_discs: Discs) -> Floats:
    """Return distances from the rims of some discs to other discs, all thin, shape (N,), [m].

    The distance along a rim may have several minima, so it is first computed at evenly spaced
    angles; the best of these is then refined by golden section.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    # Level unit vectors in the planes of the discs; angles on the rim are counted from there.
    level = np.stack([-discs.across[:, 2], 0 * discs.across[:, 0], discs.across[:, 0]], axis=-1)

    def point_distance(angle: Floats) -> Floats:
        """From the points of the rims at angles, shape (N,), [rad], to the other discs, [m]."""
        sideways = discs.radius * np.cos(angle)
        up = discs.radius * np.sin(angle)
        return _distance_to_thin_discs(
            discs.centre + sideways[:, None] * level + up[:, None] * (0.0, 1.0, 0.0), other_discs
        )

    # The minimum lies between both neighbours of the best angle.
    spacing = 2 * np.pi / _RIM_ANGLES
    angles = np.arange(float(_RIM_ANGLES)) * spacing
    distances = [point_distance(np.full(len(level), angle)) for angle in angles]
    best = angles[np.argmin(distances, axis=0)]
    _angle, distance = minimise(point_distance, best - spacing, best + spacing, _GOLDEN_SECTIONS)
    return distance
