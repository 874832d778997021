"""Distances between round cones and discs.

A round cone is the union of all balls whose centre and radius change linearly from one end to the
other. Rings count as thin discs, without a hole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers

THICKNESS = 0.0044
"""Thickness of a disc, [m]."""

# After as many, a limb's length has shrunk below a micrometre; the distance changes by far less.
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

    def of(self, row: Integers | Booleans) -> RoundCones:
        """Return some of them."""
        return RoundCones(
            self.start[row], self.start_radius[row], self.end[row], self.end_radius[row]
        )


def round_cone_distance(points: Floats, cones: RoundCones) -> Floats:
    """Return distances from points to the surfaces of round cones, negative inside, shape (N,),
    [m].

    With x along the axis, y across it, length l and m = (r₁ − r₀) / l, the nearest ball is at
    x + y·m / √(1 − m²), or at an end.

    Args:
        points: shape (N, 3), [m].
        cones: N.
    """
    axis = cones.end - cones.start
    from_start = points - cones.start
    length = np.maximum(np.sqrt(_dot(axis, axis)), 1e-9)  # a ball has none

    # x and y of the points, and m; limited where one ball is inside the other.
    along = _dot(from_start, axis) / length
    across = np.sqrt(np.maximum(_dot(from_start, from_start) - along**2, 0.0))
    growth = np.clip((cones.end_radius - cones.start_radius) / length, -0.999, 0.999)

    # The centre of the nearest ball, as its distance from the start, and its radius.
    centre = np.clip(along + across * growth / np.sqrt(1 - growth**2), 0.0, length)
    to_centre = np.sqrt((along - centre) ** 2 + across**2)
    return (
        to_centre - cones.start_radius - (cones.end_radius - cones.start_radius) * centre / length
    )


def _dot(some: Floats, others: Floats) -> Floats:
    """Dot products of rows, shape (N, 3) to (N,), several times as fast as a sum along the short
    axis.
    """
    products = some * others
    return products[:, 0] + products[:, 1] + products[:, 2]


def round_cones_distance(cones: RoundCones, other_cones: RoundCones) -> Floats:
    """Return distances between the surfaces of round cones, negative where they overlap, shape
    (N,), [m].

    A round cone is a line of balls; the distance of two balls is convex in their positions along
    both lines. So it is least with a ball at one of the four ends, or where it is least on the
    infinite lines.

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
    """Distances of the balls that are nearest on both axes' lines, or of end balls where those are
    beyond the cones, shape (N,), [m].

    With unit axes u and v, growths k and g of the radii, and w from a ball at t of the other axis
    to one at s: at the minimum w·u = k·|w| and w·v = −g·|w|. With h the part of w across both axes,
    and p the part of w/|w| in their plane, |w| = h / √(1 − p²).

    Args:
        cones, other_cones: N round cones each, compared row by row.
    """
    u, length, k = _axes_and_growth(cones)
    v, other_length, g = _axes_and_growth(other_cones)
    between_starts = cones.start - other_cones.start

    # Gram matrix of u and v: (1, cosine; cosine, 1). Nearly parallel axes are limited; there the
    # ends decide.
    cosine = _dot(u, v)
    determinant = np.maximum(1 - cosine**2, 1e-9)

    # h: `between_starts` less its part in the plane of u and v.
    along_u = _dot(between_starts, u)
    along_v = _dot(between_starts, v)
    in_plane_squared = (along_u**2 - 2 * cosine * along_u * along_v + along_v**2) / determinant
    h = np.sqrt(np.maximum(_dot(between_starts, between_starts) - in_plane_squared, 0.0))

    # |w|, limited where one ball always contains the other.
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
    """Unit vectors along cones, their lengths, and the growth of the radius with the length."""
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

    def of(self, row: Integers | Booleans) -> Discs:
        """Return some of them."""
        return Discs(self.centre[row], self.across[row], self.radius[row])


def cone_disc_distance(cones: RoundCones, discs: Discs) -> Floats:
    """Return distances between the surfaces of round cones and discs, negative where they overlap,
    shape (N,), [m].

    The distance is convex along a cone, so golden section finds its minimum.

    Args:
        cones: N of them.
        discs: N upright discs, of equal thickness.
    """
    axis = cones.end - cones.start
    growth = cones.end_radius - cones.start_radius

    def ball_distance(share: Floats) -> Floats:
        """From the balls at a share of the axes, shape (N,), to the thin discs, [m]."""
        return (
            _distance_to_thin_discs(cones.start + share[:, None] * axis, discs)
            - cones.start_radius
            - share * growth
        )

    start = np.zeros(len(growth))
    end = np.ones(len(growth))
    least = ball_distance(start)
    # If all are balls, that is all.
    if axis.any():
        _share, between = minimise(ball_distance, start, end, _GOLDEN_SECTIONS)
        least = np.minimum.reduce([least, ball_distance(end), between])
    return least - THICKNESS / 2


def discs_distance(discs: Discs, other_discs: Discs) -> Floats:
    """Return distances between the surfaces of discs, shape (N,), [m].

    Where discs cross, the distance is negative, by the shortest of three moves that separate them:
    straight up, or along the axis of either until the other is on one side of its plane.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    crossing, move_up = _crossing_discs(discs, other_discs)

    # How far beyond the plane of one disc the other begins; negative if it is on both sides. A
    # disc of radius r reaches r·sin(angle of the planes) to either side.
    away = other_discs.centre - discs.centre
    sine = np.sqrt(np.maximum(1 - _dot(discs.across, other_discs.across) ** 2, 0.0))
    beyond = np.maximum(
        np.abs(_dot(away, discs.across)) - other_discs.radius * sine,
        np.abs(_dot(away, other_discs.across)) - discs.radius * sine,
    )

    # Of the nearest points of discs that do not cross, one is on a rim.
    from_rims = np.minimum(_rim_distance(discs, other_discs), _rim_distance(other_discs, discs))
    return np.where(crossing, np.maximum(beyond, -move_up), from_rims) - THICKNESS


def _distance_to_thin_discs(points: Floats, discs: Discs) -> Floats:
    """Distances from points, (N, 3), to discs without thickness, (N,), m; 0 on a disc."""
    away = points - discs.centre
    height = _dot(away, discs.across)
    beyond_rim = np.sqrt(np.maximum(_dot(away, away) - height**2, 0.0)) - discs.radius
    return np.hypot(height, np.maximum(beyond_rim, 0.0))


def _crossing_discs(discs: Discs, other_discs: Discs) -> tuple[Booleans, Floats]:
    """Return which discs cross, and how far up or down one must move until they don't, [m].

    Two upright planes meet in an upright line; each disc contains a piece of it. Discs cross if the
    pieces overlap.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    away = other_discs.centre - discs.centre
    # Sine of the angle between the planes; parallel ones never cross.
    sine = (
        discs.across[:, 2] * other_discs.across[:, 0]
        - discs.across[:, 0] * other_discs.across[:, 2]
    )
    parallel = np.abs(sine) < 1e-9
    sine = np.where(parallel, 1.0, sine)

    # Level distances of that line from the centres, and half the lengths of the pieces.
    from_centre = _dot(away, other_discs.across) / sine
    from_other_centre = _dot(away, discs.across) / sine
    half_piece = np.sqrt(np.maximum(discs.radius**2 - from_centre**2, 0.0))
    half_other_piece = np.sqrt(np.maximum(other_discs.radius**2 - from_other_centre**2, 0.0))

    move_up = half_piece + half_other_piece - np.abs(away[:, 1])
    line_meets_both = (np.abs(from_centre) < discs.radius) & (
        np.abs(from_other_centre) < other_discs.radius
    )
    return line_meets_both & (move_up > 0) & ~parallel, move_up


def minimise(
    value: Callable[[Floats], Floats], start: Floats, end: Floats, steps: int
) -> tuple[Floats, Floats]:
    """Return where functions are least between two ends, by golden section, and their values there,
    both (N,).

    Args:
        value: takes the arguments of all N functions, shape (N,), and returns their values.
        start, end: the ends, shape (N,); between them each function first falls and then rises.
        steps: each makes the interval shorter by the golden ratio.
    """
    # Two inner points divide each interval in the golden ratio.
    left = end - _INVERSE_GOLDEN_RATIO * (end - start)
    right = start + _INVERSE_GOLDEN_RATIO * (end - start)
    at_left = value(left)
    at_right = value(right)
    for _step in range(steps):
        # The minimum is between `start` and `right` if the left value is lower, else between `left`
        # and `end`. One inner point stays an inner point, and only one is new.
        left_is_lower = at_left < at_right
        start = np.where(left_is_lower, start, left)
        end = np.where(left_is_lower, right, end)
        new = np.where(
            left_is_lower,
            end - _INVERSE_GOLDEN_RATIO * (end - start),
            start + _INVERSE_GOLDEN_RATIO * (end - start),
        )
        at_new = value(new)
        left, right = np.where(left_is_lower, new, right), np.where(left_is_lower, left, new)
        at_left, at_right = (
            np.where(left_is_lower, at_new, at_right),
            np.where(left_is_lower, at_left, at_new),
        )
    return np.where(at_left < at_right, left, right), np.minimum(at_left, at_right)


def _rim_distance(discs: Discs, other_discs: Discs) -> Floats:
    """Distances from the rims of some discs to others, without thickness, shape (N,), [m].

    The best of evenly spaced angles is refined by golden section.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    # Level unit vectors in the planes of the discs.
    level = np.stack([-discs.across[:, 2], 0 * discs.across[:, 0], discs.across[:, 0]], axis=-1)

    def point_distance(angle: Floats) -> Floats:
        """From the points of the rims at angles, shape (N,), [rad], to the other discs, [m]."""
        sideways = discs.radius * np.cos(angle)
        up = discs.radius * np.sin(angle)
        return _distance_to_thin_discs(
            discs.centre + sideways[:, None] * level + up[:, None] * (0.0, 1.0, 0.0), other_discs
        )

    spacing = 2 * np.pi / _RIM_ANGLES
    angles = np.arange(float(_RIM_ANGLES)) * spacing
    distances = [point_distance(np.full(len(level), angle)) for angle in angles]
    best = angles[np.argmin(distances, axis=0)]
    _angle, distance = minimise(point_distance, best - spacing, best + spacing, _GOLDEN_SECTIONS)
    return distance
