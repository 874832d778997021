"""Encounters: when two moving solids come nearest, and when they touch.

The gap between two solids is sampled in steps and wherever its slope may jump. Each local minimum
is refined by golden section, and each crossing of zero by bisection, all at once.

Distances between round cones and discs.

A round cone is the union of all balls whose centre and radius change linearly from one end to the
other. Rings count as thin discs, without a hole.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import RING_THICKNESS

THICKNESS = RING_THICKNESS
"""Thickness of a disc, [m]."""

# Steps of golden section along a limb or a rim; each shrinks the interval to 0.618. After this many
# a limb's length has shrunk below a micrometre, and the distance, near its minimum, changes by far
# less within it.
_LENGTH_STEPS = 30

_STEEPEST_GROWTH = 0.999  # of a radius, m/m; from 1 on one end ball contains the other
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
        """Return balls with centres, shape (N, 3) for N balls, and radii, shape (N,), [m]."""
        return cls(centres, radii, centres, radii)

    def select(self, row: Integers | Booleans) -> RoundCones:
        """Return the cones of the given rows: indices, or a mask of shape (N,) for N cones."""
        return RoundCones(
            self.start[row], self.start_radius[row], self.end[row], self.end_radius[row]
        )


def round_cone_distance(points: Floats, cones: RoundCones) -> Floats:
    """Return distances from points to the surfaces of round cones, shape (N,), [m].

    They are negative inside. A round cone is a line of balls with centres on its axis, whose radii
    grow evenly from r₀ to r₁. Over the length l, the radius grows by m = (r₁ − r₀) / l. Let a point
    be at x along the axis from its start, and at y from the axis. The ball with the nearest surface
    is then at x + y·m / √(1 − m²) along the axis, or at the nearer end where this is beyond the
    cone.

    Args:
        points: shape (N, 3), [m].
        cones: N round cones, one for each point.
    """
    axis = cones.end - cones.start
    from_start = points - cones.start
    length = np.maximum(np.sqrt(_dot(axis, axis)), 1e-9)  # no division by 0 for a ball

    # x, y and m. If one end ball contains the other, |m| ≥ 1, and the root below would be of a
    # negative number; the limit moves the nearest ball toward the larger end instead.
    along = _dot(from_start, axis) / length
    across = np.sqrt(np.maximum(_dot(from_start, from_start) - along**2, 0.0))
    growth = (cones.end_radius - cones.start_radius) / length
    growth = np.clip(growth, -_STEEPEST_GROWTH, _STEEPEST_GROWTH)

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

    They are negative where the cones overlap. A round cone is a line of balls whose radii change
    evenly; the distance of two balls, one of each cone, is convex in their positions along both
    lines. So it is least with a ball at one of the four ends, or where it is least on the infinite
    lines.

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
    and g are the growths of their radii with s and t, and w is the vector from the centre at t to
    that at s. The gap is |w| − k·s − g·t, less the radii at the starts. Where it is least, its
    derivatives by s and t are 0: w·u/|w| − k = 0 and −w·v/|w| − g = 0.

    So the part of w/|w| in the plane that u and v span is known; p is its length. The part of w
    across this plane, of length h, is the same for all s and t. From |w|² = h² + p²·|w|² follows
    |w| = h / √(1 − p²), and then s and t.

    Args:
        cones, other_cones: N round cones each, compared row by row.
    """
    # Unit vectors of the axes, their lengths, m, and the growths of the radii, m/m.
    u, length, k = _axes_and_growth(cones)
    v, other_length, g = _axes_and_growth(other_cones)
    between_starts = cones.start - other_cones.start

    # Determinant of the Gram matrix of u and v: (1, cosine; cosine, 1). It is 0 for parallel axes,
    # whose least distance is also reached at an end, so any value above 0 will do there.
    cosine = _dot(u, v)
    determinant = np.maximum(1 - cosine**2, 1e-9)

    # If a = x·u and b = x·v, the part of a vector x in the plane of u and v has the squared length
    # (a² − 2·cosine·a·b + b²) / determinant. First for x = `between_starts`; the rest of it is h.
    along_u = _dot(between_starts, u)
    along_v = _dot(between_starts, v)
    in_plane_squared = (along_u**2 - 2 * cosine * along_u * along_v + along_v**2) / determinant
    h = np.sqrt(np.maximum(_dot(between_starts, between_starts) - in_plane_squared, 0.0))

    # Then for x = w/|w|, with a = k and b = −g. Where the radii grow so fast that p ≥ 1 there is no
    # minimum on the infinite lines, and the limit only avoids a division by 0: the ends decide.
    p_squared = (k**2 + 2 * cosine * k * g + g**2) / determinant
    w_length = h / np.sqrt(np.maximum(1 - p_squared, 1e-6))

    # With w = between_starts + s·u − t·v, the two conditions are s − cosine·t = `right_side_u` and
    # cosine·s − t = `right_side_v`, solved for s and t by Cramer's rule.
    right_side_u = w_length * k - along_u
    right_side_v = -w_length * g - along_v
    s = np.clip((right_side_u - cosine * right_side_v) / determinant, 0.0, length)
    t = np.clip((cosine * right_side_u - right_side_v) / determinant, 0.0, other_length)
    w = between_starts + s[:, None] * u - t[:, None] * v
    return np.sqrt(_dot(w, w)) - cones.start_radius - k * s - other_cones.start_radius - g * t


def _axes_and_growth(cones: RoundCones) -> tuple[Floats, Floats, Floats]:
    """Return the geometry of the axes of N round cones.

    Returns:
        Unit vectors from start to end, (N, 3); lengths, (N,), [m]; and growths of the radius per
        length, (N,), [m/m]. For a ball all three are 0.
    """
    axis = cones.end - cones.start
    length = np.sqrt(_dot(axis, axis))
    divisor = np.maximum(length, 1e-9)  # balls have no length
    growth = (cones.end_radius - cones.start_radius) / divisor
    return axis / divisor[:, None], length, growth


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
        """Return the discs of the given rows: indices, or a mask of shape (N,) for N discs."""
        return Discs(self.centre[row], self.across[row], self.radius[row])


def cone_disc_distance(cones: RoundCones, discs: Discs) -> Floats:
    """Return distances between the surfaces of round cones and discs, shape (N,), [m].

    They are negative where the two overlap. A round cone is a line of balls whose radii change
    evenly; the distance of a ball from a disc is convex in its position along the line, so golden
    section finds the minimum.

    Args:
        cones: N round cones.
        discs: N upright discs, one for each cone, all of thickness `THICKNESS`.
    """
    axis = cones.end - cones.start
    growth = cones.end_radius - cones.start_radius

    def ball_distance(share: Floats) -> Floats:
        """Distance from the ball at a share of each axis, 0 to 1, shape (N,) for N pairs, to its
        disc, [m].
        """
        return (
            _distance_to_thin_discs(cones.start + share[:, None] * axis, discs)
            - cones.start_radius
            - share * growth
        )

    start = np.zeros(len(growth))
    end = np.ones(len(growth))
    distance = ball_distance(start)
    # Golden section never evaluates the ends themselves, where the minimum may be, so these are
    # compared, too. If all cones are balls, which have no length, their starts are enough.
    if axis.any():
        _share, least_between = minimise(ball_distance, start, end, _LENGTH_STEPS)
        distance = np.minimum.reduce([distance, ball_distance(end), least_between])
    return distance - THICKNESS / 2


def discs_distance(discs: Discs, other_discs: Discs) -> Floats:
    """Return distances between the surfaces of discs, shape (N,), [m].

    Where discs cross, the distance is minus the length of the shortest of three moves that would
    separate them: of one disc straight up or down; or along the axis of either one, until the other
    is wholly on one side of its plane.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    # Which discs cross, and how far up or down one of the two must move until they don't, m.
    crossing, upright_move = _crossing_discs(discs, other_discs)

    # The gap between the plane of one disc and the other disc, negative if that is on both sides of
    # the plane: then minus the move along the axis. Of the two ways round the greater counts, the
    # shorter move. A disc of radius r reaches r·sin(angle between the planes) from its centre
    # toward the other plane.
    between_centres = other_discs.centre - discs.centre
    sine = np.sqrt(np.maximum(1 - _dot(discs.across, other_discs.across) ** 2, 0.0))
    gap_to_plane = np.maximum(
        np.abs(_dot(between_centres, discs.across)) - other_discs.radius * sine,
        np.abs(_dot(between_centres, other_discs.across)) - discs.radius * sine,
    )

    # Of the nearest points of discs that do not cross, one is on a rim.
    from_rims = np.minimum(_rim_distance(discs, other_discs), _rim_distance(other_discs, discs))
    between_thin_discs = np.where(crossing, np.maximum(gap_to_plane, -upright_move), from_rims)
    return between_thin_discs - THICKNESS  # half the thickness of each disc


def _distance_to_thin_discs(points: Floats, discs: Discs) -> Floats:
    """Distances from N points, shape (N, 3), to N discs without thickness, shape (N,), [m]."""
    from_centre = points - discs.centre
    height = _dot(from_centre, discs.across)
    beyond_rim = np.sqrt(np.maximum(_dot(from_centre, from_centre) - height**2, 0.0)) - discs.radius
    return np.hypot(height, np.maximum(beyond_rim, 0.0))


def _crossing_discs(discs: Discs, other_discs: Discs) -> tuple[Booleans, Floats]:
    """Return which discs cross, and how far up or down one must move until they don't.

    Two upright planes that are not parallel meet in an upright line. A disc that reaches the line
    has a chord on it. Discs cross if their chords overlap.

    Args:
        discs, other_discs: N upright discs each, compared row by row. Their axes `across` are level
            unit vectors; y is up.

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

    # Level distance of the common line from each centre, either positive or negative, and half the
    # length of each chord, the middle of which is as high as the centre.
    from_centre = _dot(between_centres, other_discs.across) / sine
    from_other_centre = _dot(between_centres, discs.across) / sine
    half_chord = np.sqrt(np.maximum(discs.radius**2 - from_centre**2, 0.0))
    other_half_chord = np.sqrt(np.maximum(other_discs.radius**2 - from_other_centre**2, 0.0))

    # The chords overlap by half of each, less the difference in height of their middles.
    overlap = half_chord + other_half_chord - np.abs(between_centres[:, 1])
    line_meets_both = (np.abs(from_centre) < discs.radius) & (
        np.abs(from_other_centre) < other_discs.radius
    )
    return line_meets_both & (overlap > 0) & ~is_parallel, overlap


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
    """Return distances from the rims of discs to other discs, shape (N,), [m].

    All discs count as thin. The distance along a rim may have several minima, so it is first
    computed at evenly spaced angles; the best of these is then refined by golden section.

    Args:
        discs, other_discs: N upright discs each, compared row by row.
    """
    # The rim is spanned by two unit vectors in the plane of the disc, one level and one upright.
    # Angles on it are counted from the level one, which is the axis turned by 90° about y.
    level = np.stack([-discs.across[:, 2], 0 * discs.across[:, 0], discs.across[:, 0]], axis=-1)
    upright = (0.0, 1.0, 0.0)

    def point_distance(angle: Floats) -> Floats:
        """Distances from the N rims, at angles of shape (N,), [rad], to the other discs, [m]."""
        sideways = discs.radius * np.cos(angle)
        up = discs.radius * np.sin(angle)
        return _distance_to_thin_discs(
            discs.centre + sideways[:, None] * level + up[:, None] * upright, other_discs
        )

    # The minimum lies between both neighbours of the best angle.
    spacing = 2 * np.pi / _RIM_ANGLES
    angles = np.arange(float(_RIM_ANGLES)) * spacing
    distances = [point_distance(np.full(len(level), angle)) for angle in angles]
    best = angles[np.argmin(distances, axis=0)]
    _angle, distance = minimise(point_distance, best - spacing, best + spacing, _LENGTH_STEPS)
    return distance


TOUCH = 1e-5
"""Surfaces nearer than this touch, [m]."""

GRAZE = 5e-4
"""Surfaces that overlap by more collide: skin and the covers of props give by less, [m]."""

# Numbers of steps after which an interval of 8 ms is shorter than 0.1 ns: each step of golden
# section shrinks it to 0.618, each bisection to 0.5.
_TIME_STEPS = 38
_BISECTIONS = 26

_SAME_TIME = 1e-9  # s; times nearer to each other count as one

_GAP_ROUNDING = 1e-7  # m, by which rounding may change the gap of solids at rest

# Time over which the slope of a gap is measured, as a share of the time between two samples.
_SLOPE_STEP_SHARE = 1e-3

_SAMPLES_AT_ONCE = 400_000  # memory grows with it
_BLOCK_DURATION = 0.05  # s, of a block of the time grid at most
_MIN_BLOCKS = 8  # of a loop


class Pairs(Protocol):
    """Pairs of solids that may collide; a pair is a number."""

    @abstractmethod
    def gap(self, pair: Integers, times: Floats) -> Floats:
        """Return the gap of each of N pairs, negative where the two overlap, shape (N,), [m]."""

    @abstractmethod
    def contact_allowed(self, pair: Integers, times: Floats) -> Booleans:
        """Whether a contact of each pair at that time is allowed, as between a hand and the prop it
        holds, shape (N,) for N pairs.
        """

    @abstractmethod
    def breakpoints(self, pair: Integers, start: Floats, end: Floats) -> tuple[Integers, Floats]:
        """Return the times from `start` up to `end` at which the gap's slope may jump: index of
        pair, and time [s].
        """

    @abstractmethod
    def pair_in_next_loop(self, pair: Integers) -> Integers:
        """Return the pair that is at time 0 where each pair is one loop later."""


class BlockCandidates(NamedTuple):
    """Pairs that may be near each other in a block of the time grid, N rows in any order.

    Args:
        pair: numbers of pairs, each once, shape (N,).
        bound: a lower bound of the gap within the block, shape (N,), [m].
        needed: whether any contact in the block matters, shape (N,).
    """

    pair: Integers
    bound: Floats
    needed: Booleans


@dataclass(frozen=True)
class Candidates:
    """Pairs that may be near each other, and when: N rows sorted by pair and block.

    Args:
        pair: numbers of pairs, shape (N,).
        block: number of the block of the time grid, shape (N,).
        bound: a lower bound of the gap within the block, shape (N,), [m].
        needed: whether any contact in the block matters, shape (N,), and not only as it goes on in
            the next ones.
        steps: shape (N, `TimeGrid.STEPS`), which steps of the block are searched.
    """

    pair: Integers
    block: Integers
    bound: Floats
    needed: Booleans
    steps: Booleans

    @classmethod
    def from_blocks(cls, blocks: Iterable[BlockCandidates]) -> Self:
        """Return the candidates of all blocks, sorted by pair and block, with all steps searched.

        A block is one of the equal parts of the loop that are searched one by one. A candidate is a
        pair of solids that may come near each other in a block of the loop.

        Args:
            blocks: blocks of the time grid, in order of time, at least one.
        """
        pairs_of_blocks, bounds_of_blocks, needed_of_blocks = zip(*blocks, strict=True)
        sizes = [len(pairs) for pairs in pairs_of_blocks]
        block = np.repeat(np.arange(len(sizes)), sizes)
        pair = np.concatenate(pairs_of_blocks)
        order = np.lexsort((block, pair))  # its last key, the pair, counts first
        return cls(
            pair=pair[order],
            block=block[order],
            bound=np.concatenate(bounds_of_blocks)[order],
            needed=np.concatenate(needed_of_blocks)[order],
            steps=np.broadcast_to(np.True_, (len(pair), TimeGrid.STEPS)),
        )

    def select(self, row: Integers | Booleans | slice) -> Candidates:
        """Return the candidates of the given rows: indices, a mask of shape (N,) for N candidates
        or a slice.
        """
        return Candidates(
            pair=self.pair[row],
            block=self.block[row],
            bound=self.bound[row],
            needed=self.needed[row],
            steps=self.steps[row],
        )

    @cached_property
    def are_consecutive(self) -> Booleans:
        """Whether each row and the next are of one pair, in a block and the next, (N − 1,)."""
        return (np.diff(self.pair) == 0) & (np.diff(self.block) == 1)

    def within(self, reach: float, beyond: float = -math.inf) -> Candidates:
        """Return the candidates whose gap may be within a reach, and a step before and after each.

        A candidate is a pair of solids that may come near each other in a block, one of the equal
        parts of the loop, which consist of steps. At the edge of a block, a minimum of the gap is
        recognised by a sample on either side, and a contact may go on over the edge. Both need the
        steps before and after.

        Args:
            reach: the greatest lower bound of a gap that is returned, [m].
            beyond: candidates whose bound is this or less are left out, [m].

        Returns:
            Rows in the same order, their `steps` limited to the ones to search.
        """
        is_near = self.needed & (self.bound <= reach) & (self.bound > beyond)

        # Neighbours of near rows. Rows are sorted by pair and block, so the block before or after
        # one, of the same pair, can only be the row before or after it.
        after_near = np.zeros_like(is_near)
        before_near = np.zeros_like(is_near)
        after_near[1:] = is_near[:-1] & self.are_consecutive
        before_near[:-1] = is_near[1:] & self.are_consecutive

        # All steps of near blocks are searched; of a block after a near one only its first step,
        # and of a block before a near one only its last.
        kept = is_near | after_near | before_near
        steps = np.repeat(is_near[kept, None], TimeGrid.STEPS, axis=1)
        steps[:, 0] |= after_near[kept]
        steps[:, -1] |= before_near[kept]
        return replace(self.select(kept), steps=steps)


@dataclass(frozen=True)
class ClosestApproaches:
    """Local minima of gaps outside of allowed contacts, N rows: pair, time from 0 up to the loop's
    end [s], gap [m].
    """

    pair: Integers
    time: Floats
    gap: Floats


@dataclass(frozen=True)
class ContactSpans:
    """Time spans within one loop in which pairs touch, N rows.

    Args:
        pair: numbers of pairs, shape (N,).
        start, end: shape (N,), [s].
        gap: the least, shape (N,), [m].
        time: time of the smallest gap, shape (N,), [s].
        contact_allowed: whether the contact is allowed at any time of the span, shape (N,).
    """

    pair: Integers
    start: Floats
    end: Floats
    gap: Floats
    time: Floats
    contact_allowed: Booleans


def find_encounters(
    pairs: Pairs, candidates: Candidates, grid: TimeGrid
) -> tuple[ClosestApproaches, ContactSpans]:
    """Return when pairs of solids come nearest to each other, and when they touch, in one loop.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        candidates: pairs of solids, and the blocks of time to search them in, sorted by pair and
            block; may be empty.
        grid: the time grid: a loop divided into blocks, and these into steps.

    Returns:
        The closest approaches, in no particular order, and the contacts, sorted by pair and start.
    """
    results = [_search_chunk(pairs, chunk, grid) for chunk in _in_memory_sized_chunks(candidates)]
    approaches = [chunk_approaches for chunk_approaches, _spans in results]
    spans = [chunk_spans for _approaches, chunk_spans in results]
    return (
        ClosestApproaches(*_concatenated_fields(approaches)),
        ContactSpans(*_concatenated_fields(spans)),
    )


def _concatenated_fields(parts: list[ClosestApproaches] | list[ContactSpans]) -> Iterator[Any]:
    """Yield each field of the dataclass, in order, concatenated over all parts.

    Args:
        parts: one or more, all of the same class.
    """
    return (
        np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(parts[0])
    )


def _in_memory_sized_chunks(candidates: Candidates) -> Iterator[Candidates]:
    """Yield consecutive candidates in chunks of some `_SAMPLES_AT_ONCE` samples, to fit in memory.

    A candidate is a pair of solids that may come near each other in a block of the loop. The rows
    of one pair stay together, so a chunk may be larger by these. If there are no rows, one chunk
    without rows is yielded, so that callers get arrays of the right types.

    Args:
        candidates: rows sorted by pair.
    """
    # The row after the last one of each pair: a pair ends where the next row is of another. After
    # the last row −1, which is no pair, stands for another.
    ends = np.flatnonzero(np.diff(candidates.pair, append=-1)) + 1
    rows_at_once = _SAMPLES_AT_ONCE // TimeGrid.STEPS  # a row is a block of so many steps
    first = 0
    while first < len(candidates.pair):
        # A chunk ends with the first pair that ends at or after the limit, or else the last pair.
        limit = first + rows_at_once
        pair_index = int(np.searchsorted(ends, limit))
        end = int(ends[min(pair_index, len(ends) - 1)])
        yield candidates.select(slice(first, end))
        first = end
    if not first:  # nothing was yielded, as there are no rows
        yield candidates


@dataclass(frozen=True)
class _Samples:
    """Gaps at given times, N rows sorted by pair and time.

    Args:
        linked: shape (N,), whether the row before is the previous sample of the same pair.
        contact_allowed: shape (N,), whether contact is allowed between the row before and this one.
    """

    pair: Integers
    time: Floats
    gap: Floats
    linked: Booleans
    contact_allowed: Booleans


def _search_chunk(
    pairs: Pairs, candidates: Candidates, grid: TimeGrid
) -> tuple[ClosestApproaches, ContactSpans]:
    """Find the closest approaches and contacts of candidates that fit into memory together.

    A candidate is a pair of solids that may come near each other in a block, one of the equal parts
    of the loop.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        candidates: pairs and blocks of time to search, all rows of each pair.
        grid: the time grid: a loop divided into blocks, and these into steps.

    Returns:
        The local minima of the gaps, with times within the loop; and the spans of contact, sorted
        by pair and start.
    """
    # Gaps are sampled at the ends of the searched steps, and wherever their slope may jump.
    sampled_pair, sampled_time = _sample_times(pairs, candidates, grid)
    samples = _sampled(pairs, sampled_pair, sampled_time, grid)
    approaches = _local_minima(pairs, samples, grid)

    # A contact may begin and end between two samples, neither of which shows it; but the gap then
    # has a minimum there. So minima that touch become samples before contacts are sought.
    # (`_sampled` sorts samples by pair and time, so they may be given in any order.)
    touch = approaches.gap < TOUCH
    if touch.any():
        sampled_pair = np.concatenate([samples.pair, approaches.pair[touch]])
        sampled_time = np.concatenate([samples.time, approaches.time[touch]])
        gap = np.concatenate([samples.gap, approaches.gap[touch]])
        samples = _sampled(pairs, sampled_pair, sampled_time, grid, known_gap=gap)

    # A minimum that refinement has moved beyond the loop's end belongs to the next loop. There this
    # pair does what another pair does in this loop, so it is an approach of that pair, just after
    # the loop's start.
    within = approaches.time <= grid.loop
    pair = np.where(within, approaches.pair, pairs.pair_in_next_loop(approaches.pair))
    time = np.where(within, approaches.time, approaches.time - grid.loop)
    return ClosestApproaches(pair, time, approaches.gap), _contact_spans(pairs, samples, grid)


def _sample_times(pairs: Pairs, candidates: Candidates, grid: TimeGrid) -> tuple[Integers, Floats]:
    """Return the samples to take: a pair and a time for each, in no particular order.

    A block is one of the equal parts of the loop that are searched one by one. A candidate is a
    pair of solids that may come near each other in a block of the loop. Gaps are sampled at both
    ends of every searched step, and at breakpoints within such steps, where the slope of a gap may
    jump.

    Args:
        pairs: pairs of solids; they know the breakpoints of each pair.
        candidates: N rows of pair, block and searched steps, sorted by pair and block.
        grid: the time grid: a loop divided into blocks, and these into `TimeGrid.STEPS` steps.

    Returns:
        The number of the pair, and the time [s], of each sample; two arrays of equal length.
    """
    # A tick is an end of a step; a block of STEPS steps has STEPS + 1 ticks. A tick is sampled if
    # the step before or after it is searched.
    steps = candidates.steps
    sampled = np.zeros((len(steps), TimeGrid.STEPS + 1), dtype=bool)
    sampled[:, 1:] = steps
    sampled[:, :-1] |= steps

    # The last tick of a block is also the first of the pair's next block, which may be the next
    # row: sample it only once.
    is_sampled_before = candidates.are_consecutive & sampled[:-1, -1]
    sampled[1:, 0] &= ~is_sampled_before
    row, tick_of_block = np.nonzero(sampled)
    tick = candidates.block[row] * TimeGrid.STEPS + tick_of_block

    # Breakpoints in the blocks of all rows, and the row of each; only those in searched steps are
    # kept.
    start = candidates.block.astype(float) * grid.block_duration
    break_row, breaks = pairs.breakpoints(candidates.pair, start, start + grid.block_duration)
    step = ((breaks - start[break_row]) / grid.step_duration).astype(np.intp)
    # Rounding may give a breakpoint just before the block's end the number STEPS.
    searched = steps[break_row, np.minimum(step, TimeGrid.STEPS - 1)]
    break_row = break_row[searched]
    breaks = breaks[searched]

    pair = np.concatenate([candidates.pair[row], candidates.pair[break_row]])
    time = np.concatenate([tick * grid.step_duration, breaks])
    return pair, time


def _sampled(
    pairs: Pairs, pair: Integers, time: Floats, grid: TimeGrid, known_gap: Floats | None = None
) -> _Samples:
    """Sample gaps of pairs at given times; the samples are sorted by pair and time.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time, and say whether the two
            may touch then.
        pair: shape (N,) for N samples, the pair of each sample, in any order.
        time: shape (N,), [s]; times of a pair nearer than `_SAME_TIME` (1 ns) become one.
        grid: the time grid, which has the duration of a step, [s].
        known_gap: shape (N,), [m], if the gaps are known already; None to compute them.

    Returns:
        For each sample its pair, time and gap; whether the row before is the previous sample of the
        pair; and whether contact is allowed from that sample to this one.
    """
    order = np.lexsort((time, pair))  # its last key, the pair, counts first
    pair = pair[order]
    time = time[order]
    gap = pairs.gap(pair, time) if known_gap is None else known_gap[order]

    # Of samples of a pair at the same time the first is kept.
    repeated = np.zeros(len(pair), dtype=bool)
    repeated[1:] = (np.diff(pair) == 0) & (np.diff(time) < _SAME_TIME)
    pair = pair[~repeated]
    time = time[~repeated]
    gap = gap[~repeated]

    # Samples of a pair are linked if no unsearched step is between them: then they are a step apart
    # at most, with some room for rounding. Unsearched steps are several in a row.
    longest_step = 1.01 * grid.step_duration
    linked = np.zeros(len(pair), dtype=bool)
    linked[1:] = (np.diff(pair) == 0) & (np.diff(time) < longest_step)

    # Whether contact is allowed changes only at breakpoints, which are samples: so it is the same
    # from one sample to the next. It is looked up in the middle between them, as at a breakpoint
    # itself rounding would decide.
    allowed = np.zeros(len(pair), dtype=bool)
    after = np.flatnonzero(linked)
    allowed[after] = pairs.contact_allowed(pair[after], (time[after] + time[after - 1]) / 2)
    return _Samples(pair=pair, time=time, gap=gap, linked=linked, contact_allowed=allowed)


def _local_minima(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ClosestApproaches:
    """Find the local minima of gaps, bracketed by samples and refined by golden section.

    Minima while a contact is allowed are left out, as a held prop is always near its hand.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        samples: gaps at given times, sorted by pair and time. `linked` says whether the row before
            is the previous sample of the same pair, `contact_allowed` whether contact is allowed
            between the two.
        grid: the time grid, of which minima are wanted from the start to the loop's end.

    Returns:
        The minima, in no particular order; a few times may be just beyond the loop's end.
    """
    # Whether the step from the sample before up to each sample is searched for minima.
    searched = samples.linked & ~samples.contact_allowed
    time = samples.time

    # Samples at 0 are left out, since the same minimum is found at the loop's end, as one of the
    # pair that comes to this pair's place there. Samples beyond the end belong to the next loop.
    lowest = _samples_below_neighbours(samples.gap, searched)
    lowest = lowest[(time[lowest] > 0.0) & (time[lowest] <= grid.loop + _SAME_TIME)]

    # A minimum beside an unsearched step lacks a sample on one side, and is found by slopes.
    dip_end = _dips_at_edges(pairs, samples, searched)
    dip_end = dip_end[time[dip_end] <= grid.loop + _SAME_TIME]

    # Golden section between both neighbours of a lowest sample, or within the step of a dip.
    start = np.concatenate([lowest - 1, dip_end - 1])
    end = np.concatenate([lowest + 1, dip_end])
    pair = samples.pair[end]
    least_time, least_gap = minimise(partial(pairs.gap, pair), time[start], time[end], _TIME_STEPS)
    return ClosestApproaches(pair, least_time, least_gap)


def _samples_below_neighbours(gap: Floats, searched: Booleans) -> Integers:
    """Find samples that are lower than the one before and no higher than the one after.

    Of two equal least samples only the first counts.

    Args:
        gap: shape (N,) for N samples, [m].
        searched: shape (N,), whether the step up to each sample is searched; a minimum counts only
            between two such steps.

    Returns:
        The rows of these samples, ascending.
    """
    middle = np.arange(1, max(1, len(gap) - 1))
    before = gap[middle - 1]
    after = gap[middle + 1]
    # Solids that move together have a constant gap up to rounding, whose small minima are left out
    # by a threshold on the second difference.
    is_least = (
        searched[middle]
        & searched[middle + 1]
        & (gap[middle] < before)
        & (gap[middle] <= after)
        & (before + after - 2 * gap[middle] > _GAP_ROUNDING)
    )
    return middle[is_least]


def _dips_at_edges(pairs: Pairs, samples: _Samples, searched: Booleans) -> Integers:
    """Find the steps beside unsearched ones in which a gap first shrinks and then grows.

    Elsewhere a minimum is a sample lower than both its neighbours. Beside an unsearched step one
    neighbour is missing, so the slopes of the gap at both ends of the step are measured instead.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        samples: N samples sorted by pair and time.
        searched: shape (N,), whether the step that ends at each sample is searched; False for the
            first sample of a pair, which ends no step. So row i − 1 is the start of a searched step
            i, and of the same pair.

    Returns:
        The row of the sample at the end of each such step, ascending.
    """
    # Before the first sample and after the last one nothing is searched.
    padded = np.pad(searched, 1)
    between_searched = padded[:-2] & padded[2:]
    step_end = np.flatnonzero(searched & ~between_searched)

    pair = samples.pair[step_end]
    start = samples.time[step_end - 1]
    end = samples.time[step_end]
    # There is a dip if the gap a short time after the start is less than at the start, and a short
    # time before the end less than at the end. In so short a time it changes little, and the
    # tolerance for rounding is smaller by the same share.
    short_time = _SLOPE_STEP_SHARE * (end - start)
    rounding = _GAP_ROUNDING * _SLOPE_STEP_SHARE
    shrinks = pairs.gap(pair, start + short_time) < samples.gap[step_end - 1] - rounding
    grows = pairs.gap(pair, end - short_time) < samples.gap[step_end] - rounding
    return step_end[shrinks & grows]


def _contact_spans(pairs: Pairs, samples: _Samples, grid: TimeGrid) -> ContactSpans:
    """Find the spans of time within the loop in which pairs of solids collide.

    Two solids collide if they overlap by more than `GRAZE` (0.5 mm, by which skin and covers give)
    while contact is not allowed. Spans that reach the start or end of the loop are included even if
    the solids only touch, or contact is allowed: if a contact goes on from one loop into the next,
    the caller joins the parts, and judges it as a whole.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time.
        samples: gaps at given times, sorted by pair and time. `linked` says whether the row before
            is the previous sample of the same pair, `contact_allowed` whether contact is allowed
            between the two.
        grid: the time grid, which has the duration of the loop.

    Returns:
        For each span its start, its end and the least gap with its time; sorted by pair and start.
    """
    # Divide the samples into stretches, each a possible contact. A sample continues the stretch of
    # the one before it if the pair touches at both, or if contact is allowed between them; any
    # other begins a stretch, maybe of this one sample.
    touch = samples.gap < TOUCH
    in_loop = samples.time <= grid.loop + _SAME_TIME
    continues = samples.linked & in_loop
    continues[1:] &= samples.contact_allowed[1:] | (touch[1:] & touch[:-1])
    first = np.flatnonzero(~continues)
    last = np.append(first, len(continues))[1:] - 1  # before the next stretch, or the last sample

    # For each stretch: whether a contact is allowed anywhere in it, and the sample of least gap.
    allowed = np.zeros(0, dtype=bool)  # without samples, for which `reduceat` would fail
    if len(first):
        allowed = np.logical_or.reduceat(samples.contact_allowed & continues, first)
    deepest = _index_of_least_per_stretch(samples.gap, first)

    # Stretches that are collisions are returned; and other contacts, allowed ones or touches, where
    # they may go on into another loop.
    is_contact = in_loop[first] & (allowed | touch[deepest])
    is_collision = ~allowed & (samples.gap[deepest] < -GRAZE)
    at_loop_start = samples.time[first] <= _SAME_TIME
    at_loop_end = samples.time[last] >= grid.loop - _SAME_TIME
    matters = is_contact & (is_collision | at_loop_start | at_loop_end)
    first = first[matters]
    last = last[matters]
    deepest = deepest[matters]
    return ContactSpans(
        pair=samples.pair[first],
        start=_contact_edge_times(pairs, samples, first, outward=-1),
        end=_contact_edge_times(pairs, samples, last, outward=+1),
        gap=samples.gap[deepest],
        time=samples.time[deepest],
        contact_allowed=allowed[matters],
    )


def _index_of_least_per_stretch(values: Floats, starts: Integers) -> Integers:
    """Return the index of the least value of each stretch: the lowest index, if several are equal.

    Args:
        values: shape (N,), divided into S stretches, one directly after the other.
        starts: shape (S,), the index at which each stretch begins, ascending from 0; a stretch ends
            before the next one begins, and the last with the last value. Empty if N is 0.

    Returns:
        Shape (S,), indices in `values`.
    """
    if not len(starts):
        return starts
    # The number of the stretch that each value is in.
    stretch = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))
    # Indices of all values that equal the least of their stretch, ascending; then the first of them
    # in each stretch.
    least_values = np.minimum.reduceat(values, starts)
    least_indices = np.flatnonzero(values == least_values[stretch])
    is_first = np.diff(stretch[least_indices], prepend=-1) > 0
    return least_indices[is_first]


def _contact_edge_times(pairs: Pairs, samples: _Samples, edge: Integers, *, outward: int) -> Floats:
    """Return the times at which contacts begin, or at which they end.

    A time is found by bisection between the contact's outermost sample and the one beyond it. If
    there is no sample beyond, or the solids do not touch at the outermost one, as in an allowed
    contact, it is the outermost sample's own time.

    Args:
        pairs: pairs of solids; they give the gap of each pair at any time. They touch if it is
            below `TOUCH` (0.01 mm).
        samples: gaps at given times, sorted by pair and time. `linked` says whether the row before
            is the previous sample of the same pair.
        edge: shape (C,), rows of the first sample of each contact, or of the last.
        outward: rows from `edge` to the sample beyond it: −1 from first samples, to find where
            contacts begin, and 1 from last ones, to find where they end.

    Returns:
        Shape (C,) for C contacts, [s].
    """
    # The row just beyond each contact. It is a neighbour if both rows are linked, which is stored
    # in the later one of the two, and if there is such a row at all.
    beyond = np.clip(edge + outward, 0, len(samples.pair) - 1)
    has_neighbour = (
        samples.linked[np.maximum(edge, beyond)]
        & (samples.pair[edge] == samples.pair[beyond])
        & (edge != beyond)
    )
    edge_time = samples.time[edge].copy()
    beyond_time = samples.time[beyond]
    crossing = np.flatnonzero(
        has_neighbour & (samples.gap[edge] < TOUCH) & (samples.gap[beyond] >= TOUCH)
    )

    # Bisection of all crossings at once, between a time at which the solids touch and one at which
    # they do not; either may be the earlier.
    pair = samples.pair[edge[crossing]]
    touching_time = edge_time[crossing]
    clear_time = beyond_time[crossing]
    for _bisection in range(_BISECTIONS):
        middle = (touching_time + clear_time) / 2
        is_touching = pairs.gap(pair, middle) < TOUCH
        touching_time = np.where(is_touching, middle, touching_time)
        clear_time = np.where(is_touching, clear_time, middle)
    edge_time[crossing] = touching_time
    return edge_time


@dataclass(frozen=True)
class TimeGrid:
    """The time grid of a search: a loop in blocks, and each block in steps.

    Args:
        loop: [s].
        blocks: number of blocks of the loop; one more is searched, so that an encounter at its end
            is found whole.
    """

    loop: float
    blocks: int

    STEPS = 12
    """Steps of a block, so short that no prop flies past another and back within one."""

    @property
    def block_duration(self) -> float:
        """Duration of a block, [s]."""
        return self.loop / self.blocks

    @property
    def step_duration(self) -> float:
        """Duration of a step, [s]."""
        return self.block_duration / self.STEPS


def time_grid(loop: float) -> TimeGrid:
    """Return the time grid for a loop, [s]."""
    return TimeGrid(loop, max(_MIN_BLOCKS, math.ceil(loop / _BLOCK_DURATION)))
