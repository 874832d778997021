"""Periodic curves: piecewise polynomials, cubic splines through points, and uniform B-splines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import inverse_permutation, norm

# Jacobi sweeps for velocities. Each halves the error at least, so 1e-16 of it is left.
_SWEEPS = 54

# Number of gradient steps of times, and how much of the shorter duration beside a point each step
# moves the point's time at most.
_STEP_COUNT = 80
_STEP_SHARE = 0.04

_ROUNDING = 1e-11  # m or rad, by which curves that are the same may differ


class _PieceIndex(NamedTuple):
    """The S pieces of K paths, which are laid end to end on a common axis of time.

    Args:
        piece_starts: starts of pieces on that axis, shape (S,), ascending, [s].
        path_starts: starts of paths on it, shape (K,), [s].
        first, last: rows of the first and of the last piece of each path, shape (K,).
    """

    piece_starts: Floats
    path_starts: Floats
    first: Integers
    last: Integers


@dataclass(frozen=True)
class PiecewisePolynomial:
    """K periodic paths as a table of S pieces, sorted by path and start.

    Path k repeats after `periods[k]`, and has one or more pieces.

    Args:
        periods: shape (K,), [s].
        path_of_piece: shape (S,); the last piece of a path lasts until its first starts again.
        start: shape (S,), when the piece starts, 0 ≤ start < period, [s].
        coefficients: shape (S, N, C), N coefficients of 1, u, u² … for each of C columns, u the
            time since the start, [s]. For points in space C is 3, and they are in [m], [m/s] …
    """

    periods: Floats
    path_of_piece: Integers
    start: Floats
    coefficients: Floats

    def locate(self, path: Integers, times: Floats) -> tuple[Integers, Floats]:
        """Find the piece of each path at each time, and the time since it started.

        Args:
            path: indices of paths, any shape that broadcasts with `times`.
            times: [s], any value; paths repeat.

        Returns:
            Rows of pieces, and [s], both of the broadcast shape.
        """
        # `take` is several times as fast as an index on small arrays.
        period = self.periods.take(path)
        time_in_period = times - np.floor(times / period) * period
        # One search for all paths, which are laid end to end on a common axis of time.
        index = self._piece_index
        axis_times = time_in_period + index.path_starts.take(path)
        piece = index.piece_starts.searchsorted(axis_times, side="right") - 1
        # Rounding may move a time close to the end of a path into the next path. (At its start, a
        # time before the first piece finds the path before, which is corrected below.)
        last = index.last.take(path)
        piece = np.minimum(piece, last)
        # Before the first piece of a period the last one of the period before still goes on: it
        # started by a period earlier than its start in this one.
        wrapped = piece < index.first.take(path)
        piece = np.where(wrapped, last, piece)
        return piece, time_in_period - self.start.take(piece) + wrapped * period

    def evaluate(self, piece: Integers, elapsed: Floats, derivative: int = 0) -> Floats:
        """Evaluate pieces at times since their starts, by Horner's rule.

        Args:
            piece: rows of pieces, as from `locate`.
            elapsed: time since each started, the same shape, [s].
            derivative: order of the time derivative, 0 for the position.

        Returns:
            Shape of `piece` + (C,): position [m], or its derivative by time, [m/s], [m/s²] …
        """
        # One array for each power of u, ascending; Horner's rule begins with the highest.
        coefficients_by_power = self._derivative_coefficients(derivative)
        value: Floats = coefficients_by_power[-1].take(piece, axis=0)
        # The time of each piece is repeated for its C columns, which is several times as fast as
        # broadcasting over so few.
        u = np.repeat(elapsed, value.shape[-1]).reshape(value.shape)
        # In place, and one power at a time: the coefficients of all powers together do not fit into
        # the processor's caches.
        for coefficients in coefficients_by_power[-2::-1]:
            value *= u
            value += coefficients.take(piece, axis=0)
        return value

    def first_equal_groups(self, size: int) -> Integers:
        """Return for each group of paths the index of the first group that is the same.

        Two groups are the same if their paths are so one by one, in order: if they have equally
        many pieces, with the same starts and coefficients, up to rounding.

        Args:
            size: number of successive paths of a group, a divisor of K, such as 2 for the hands of
                a juggler.

        Returns:
            Shape (K / size,), its own index for a group that no earlier one equals.
        """
        # Only groups with the same numbers of pieces, path by path, can be the same. Such a row of
        # numbers is the layout of a group: `layout_counts` has each different layout once, and
        # `layout` is the index of each group's layout there.
        piece_counts = (self.last - self.first + 1).reshape(-1, size)
        layout_counts, layout = np.unique(piece_counts, axis=0, return_inverse=True)
        values = self._piece_values()
        first_equal = np.arange(len(piece_counts))
        for layout_index, piece_count in enumerate(layout_counts.sum(axis=1)):
            groups = np.flatnonzero(layout.ravel() == layout_index)
            # The pieces of a group are in successive rows from the first of its first path.
            piece_rows = self.first[groups * size, None] + np.arange(piece_count)
            group_values = values[piece_rows].reshape(len(groups), -1)
            first_equal[groups] = groups[first_equal_rows(group_values)]
        return first_equal

    def _piece_values(self) -> Floats:
        """Numbers by which pieces are compared up to rounding, shape (S, 1 + N · C).

        For each of S pieces its start, [s], and its terms, [m] or [rad]. The coefficients, shape
        (S, N, C), are those of N powers 1, u, u² … of the time u since the start, for each of C
        columns, such as x, y and z. They have different units; a term, the coefficient times that
        power of the piece's duration, is by how much it moves the end of the piece. So one
        tolerance serves all.
        """
        # The last piece of a path ends when its first one starts in the next period.
        ends = np.append(self.start[1:], 0.0)
        ends[self.last] = self.start[self.first] + self.periods
        # Shape (S, N), for all columns alike.
        duration_powers = (ends - self.start)[:, None] ** np.arange(self.coefficients.shape[1])
        terms = self.coefficients * duration_powers[..., None]
        return np.column_stack([self.start, terms.reshape(len(ends), -1)])

    def _derivative_coefficients(self, derivative: int) -> tuple[Floats, ...]:
        """The coefficients of a derivative, an array of shape (S, C) for each power, ascending.

        They are computed once for each derivative, which has one power less than the one before;
        but the derivative of a constant is kept as one power, with all coefficients 0.
        """
        if derivative not in self._tables:
            table = self.coefficients
            for _ in range(derivative):
                power_count = table.shape[1]
                # The derivative of uⁿ is n uⁿ⁻¹.
                table = (
                    table[:, 1:] * np.arange(1.0, power_count)[:, None]
                    if power_count > 1
                    else np.zeros_like(table)
                )
            self._tables[derivative] = tuple(np.ascontiguousarray(table.transpose(1, 0, 2)))
        return self._tables[derivative]

    @cached_property
    def _tables(self) -> dict[int, tuple[Floats, ...]]:
        """Cache of `_derivative_coefficients`, by order of the derivative."""
        return {}

    @cached_property
    def _piece_index(self) -> _PieceIndex:
        """Index by which `locate` finds the piece of a path at a time with one sorted search.

        All paths are laid end to end on a common axis of time, each as long as its period, so that
        one number tells both the path and the time on it.
        """
        # Pieces are sorted by path: those of a path are the rows from `ends - counts` to `ends`.
        counts = np.bincount(self.path_of_piece, minlength=len(self.periods))
        ends = counts.cumsum()
        path_starts = np.zeros(len(self.periods))
        path_starts[1:] = self.periods.cumsum()[:-1]
        return _PieceIndex(
            piece_starts=self.start + path_starts[self.path_of_piece],
            path_starts=path_starts,
            first=ends - counts,
            last=ends - 1,
        )

    def sorted(self) -> PiecewisePolynomial:
        """Return the same paths with their pieces sorted by path and start, as is required."""
        order = np.lexsort((self.start, self.path_of_piece))
        return PiecewisePolynomial(
            self.periods,
            self.path_of_piece[order],
            self.start[order],
            self.coefficients[order],
        )

    @property
    def first(self) -> Integers:
        """Shape (K,), the first piece of each path."""
        return self._piece_index.first

    @property
    def last(self) -> Integers:
        """Shape (K,), the last piece of each path."""
        return self._piece_index.last


def first_equal_rows(rows: Floats) -> Integers:
    """Return for each row the index of the first row that is the same up to rounding.

    Args:
        rows: N rows of M numbers, shape (N, M), [m] or [rad].

    Returns:
        Shape (N,), its own index for a row that no earlier one equals.
    """
    first_equal = np.arange(len(rows))
    sums = rows.sum(axis=1)
    # `remaining` are the rows, ascending, that equal none of those that have been settled. Each
    # pass settles the first of them, and all rows that are the same as that one.
    remaining = first_equal
    while len(remaining) > 1:
        head = remaining[0]
        # Row sums tell most different rows apart without comparing all their columns: sums of equal
        # rows differ by no more than M times the tolerance. Only rows that pass are compared.
        matches = np.abs(sums[remaining] - sums[head]) <= _ROUNDING * rows.shape[1]
        candidates = remaining[matches]
        matches[matches] = (np.abs(rows[candidates] - rows[head]) <= _ROUNDING).all(axis=1)
        first_equal[remaining[matches]] = head
        remaining = remaining[~matches]
    return first_equal


def first_equal_in_all(first_equal: Sequence[Integers]) -> Integers:
    """Return for each of N items the index of the first that is the same in every respect, (N,).

    Args:
        first_equal: one array or more, one for each respect in which items are compared; it has for
            each item the index of the first item that is the same in that respect, shape (N,), as
            from `first_equal_rows`.
    """
    # Items are the same in every respect if their rows of these indices are equal.
    _, first_in_group, group_of_item = np.unique(
        np.column_stack(first_equal), axis=0, return_index=True, return_inverse=True
    )
    return first_in_group[group_of_item.ravel()]


def concatenate(tables: Sequence[PiecewisePolynomial]) -> PiecewisePolynomial:
    """Join the paths of several tables, in their order.

    Args:
        tables: one or more, with the same number of columns C; the degrees of their pieces may
            differ.

    Returns:
        One table, in which the indices of the second table's paths follow those of the first, and
        so on; the only table itself if there is one.
    """
    if len(tables) == 1:
        return tables[0]
    # Coefficients of lower degrees are filled up with zeros. The paths of a table that ends at
    # index `end` of the joined paths begin at `end` less their number.
    terms = max(table.coefficients.shape[1] for table in tables)
    ends = np.cumsum([len(table.periods) for table in tables])
    return PiecewisePolynomial(
        periods=np.concatenate([table.periods for table in tables]),
        path_of_piece=np.concatenate(
            [
                table.path_of_piece + end - len(table.periods)
                for table, end in zip(tables, ends, strict=True)
            ]
        ),
        start=np.concatenate([table.start for table in tables]),
        coefficients=np.concatenate(
            [
                np.pad(
                    table.coefficients, ((0, 0), (0, terms - table.coefficients.shape[1]), (0, 0))
                )
                for table in tables
            ]
        ),
    )


def with_idle(
    periods: Floats, path: Integers, start: Floats, coefficients: Floats, idle_values: Floats
) -> PiecewisePolynomial:
    """Make a table of pieces, with one constant piece for each path that has none.

    Args:
        periods: periods of K paths, shape (K,), [s].
        path: the path of each of S pieces, shape (S,), ascending; some paths may have none.
        start: start of each piece in its period, shape (S,), ascending on each path, [s].
        coefficients: shape (S, N, C), N coefficients of 1, u, u² … for each of C columns, u the
            time since the start of the piece.
        idle_values: shape (K, C), the constant value of each path without pieces; those of other
            paths are not read.
    """
    is_idle = np.ones(len(periods), dtype=bool)
    is_idle[path] = False
    if is_idle.any():
        # The constant pieces start at 0. A stable sort by path keeps the pieces of each path in
        # order of time.
        constants = np.zeros((np.count_nonzero(is_idle), *coefficients.shape[1:]))
        constants[:, 0] = idle_values[is_idle]
        path = np.concatenate([path, np.flatnonzero(is_idle)])
        order = np.argsort(path, kind="stable")
        path = path[order]
        start = np.concatenate([start, np.zeros(len(constants))])[order]
        coefficients = np.concatenate([coefficients, constants])[order]
    return PiecewisePolynomial(periods, path, start, coefficients)


def cubic(following: Integers, duration: Floats, values: Floats) -> Floats:
    """Return closed cubic splines, the curves of least squared second derivative through points.

    They are twice continuously differentiable.

    Args:
        following: shape (N,) for N points, index of the next point of the same closed curve; the
            point itself on a curve of one point.
        duration: shape (N,), time until it, above 0, [s].
        values: the points, with C coordinates, shape (N, C).

    Returns:
        Shape (N, 4, C): coefficients of 1, u, u², u³ from each point to the next, u the time since
        the point [s].
    """
    # All velocities are unknown, so the zeros given for them are not read: `passing_velocities`
    # finds those of least squared acceleration.
    free = np.ones(len(following), dtype=bool)
    slope = passing_velocities(following, duration, values, np.zeros_like(values), free)
    # Cubic Hermite polynomials between points with these slopes.
    mean_rate = (values[following] - values) / duration[:, None]
    quadratic = (3 * mean_rate - 2 * slope - slope[following]) / duration[:, None]
    cubic_term = (slope + slope[following] - 2 * mean_rate) / duration[:, None] ** 2
    return np.stack([values, slope, quadratic, cubic_term], axis=1)


def monotone(following: Integers, duration: Floats, steps: Floats) -> Floats:
    """Return closed monotone quintics, which stay between neighbouring points in each column.

    They are twice continuously differentiable. Velocities at the points are harmonic means of the
    mean velocities of the steps before and after, and 0 where these differ in sign: what Fritsch
    and Butland (1984) have for steps of equal duration. Accelerations there are 0. Quintics with
    such ends are monotone.

    Args:
        following: shape (N,) for N points, index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        steps: from each point to the next, in C coordinates, shape (N, C); the points themselves
            are not needed.

    Returns:
        Shape (N, 6, C): coefficients of 1, u, u² … u⁵ of the way from each point, u the time since
        the point [s]; that of 1 is 0.
    """
    h = duration[:, None]
    rate = steps / h
    before = rate[inverse_permutation(following)]
    same_sign = before * rate > 0
    total = np.where(same_sign, before + rate, 1.0)  # 1 keeps the unused quotients finite
    velocity = np.where(same_sign, 2 * before * rate / total, 0.0)
    # First the coefficients of powers of u / h, the share of the duration that is over.
    start = velocity * h
    end = velocity[following] * h
    c3 = 10 * steps - 6 * start - 4 * end
    c4 = 8 * start + 7 * end - 15 * steps
    c5 = 6 * steps - 3 * (start + end)
    zeros = np.zeros_like(steps)
    terms = [zeros, start, zeros, c3, c4, c5]
    return np.stack([term / h**power for power, term in enumerate(terms)], axis=1)


def quintic(
    duration: Floats,
    steps: Floats,
    velocities: tuple[Floats, Floats],
    accelerations: tuple[Floats, Floats],
) -> Floats:
    """Return quintic polynomials with given velocities and accelerations at both ends.

    Args:
        duration: durations of N pieces, above 0, shape (N,), [s].
        steps: change of position from start to end, shape (N, C) for C coordinates, [m] or [rad].
        velocities: velocities at start and end, shape (N, C) each, [m/s] or [rad/s].
        accelerations: accelerations at start and end, shape (N, C) each, [m/s²] or [rad/s²].

    Returns:
        Shape (N, 6, C): coefficients of 1, u, u² … u⁵ of the way from the start, u the time since
        the start, [s]; that of 1 is 0.
    """
    h = duration[:, None]
    v0, v1 = velocities
    a0, a1 = accelerations
    # Position, velocity and acceleration at the start give the terms up to u². Those at u = h give
    # three linear equations for the others, solved here.
    c3 = (20 * steps - (8 * v1 + 12 * v0) * h - (3 * a0 - a1) * h**2) / (2 * h**3)
    c4 = (-30 * steps + (14 * v1 + 16 * v0) * h + (3 * a0 - 2 * a1) * h**2) / (2 * h**4)
    c5 = (12 * steps - 6 * (v1 + v0) * h + (a1 - a0) * h**2) / (2 * h**5)
    terms = [np.zeros_like(steps), v0, a0 / 2, c3, c4, c5]
    return np.stack(terms, axis=1)


def powers(values: Floats, count: int) -> Floats:
    """Return the powers 0, 1, 2 … count − 1 of values.

    Args:
        values: N numbers, shape (N,).
        count: number of powers, 1 or more.

    Returns:
        Shape (N, count), powers ascending along axis 1; the power 0 of 0 is 1.
    """
    table = np.empty((len(values), count))
    table[:, 0] = 1.0
    table[:, 1:] = values[:, None]
    return np.multiply.accumulate(table, axis=1)


def successors(path: Integers, time: Floats, period: float) -> tuple[Integers, Floats]:
    """Return the next point on the same closed path for each point, and the time to it.

    Args:
        path: the path of each of N points, shape (N,).
        time: shape (N,), within one period, [s]; points are sorted by path, then by time.
        period: the same for all paths, [s].

    Returns:
        Row of the next point, shape (N,), and the time until it, shape (N,), [s], 0 or more. The
        last point of a path is followed by its first one, a period later; the only point of a path
        by itself.
    """
    is_last = np.ones(len(path), dtype=bool)
    is_last[:-1] = path[1:] != path[:-1]
    last = is_last.nonzero()[0]
    # Within a path the next row. After the last point of a path comes its first one: for the first
    # path row 0, for others the row after the last one of the path before.
    following = np.arange(1, len(path) + 1)
    following[last[1:]] = last[:-1] + 1
    following[last[:1]] = 0
    # From the last point to the first one of the next period.
    gap = time[following] - time
    gap[last] += period
    return following, gap


def passing_velocities(
    following: Integers, duration: Floats, position: Floats, velocity: Floats, free: Booleans
) -> Floats:
    """Return the smoothest velocities at N points of closed curves of cubics, shape (N, C).

    Points have C coordinates. Some velocities are given; the others, the free ones, make the
    integral of the squared acceleration over all cubics least. With positions p, velocities v and
    durations h, and the signs for the neighbours before and after, they then satisfy
    v₋/h₋ + 2v(1/h₋ + 1/h) + v₊/h = 3(p − p₋)/h₋² + 3(p₊ − p)/h². The matrix is diagonally dominant,
    so Jacobi sweeps converge.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        position: the points, shape (N, C).
        velocity: shape (N, C), returned unchanged where it is not free; not read where it is free.
        free: shape (N,), which velocities are unknown, in all columns.
    """
    if not free.any():
        return velocity
    # The equation above is divided by the factor of v, `diagonal`; 1/h is `ahead`, 1/h₋ is
    # `behind`.
    preceding = inverse_permutation(following)
    ahead = 1 / duration[:, None]
    behind = ahead[preceding]
    step = 3 * (position[following] - position) * ahead**2
    diagonal = 2 * (ahead + behind)
    # A velocity that is not free is its own lower and upper bound.
    lowest = np.where(free[:, None], -np.inf, velocity)
    highest = np.where(free[:, None], np.inf, velocity)
    return projected_jacobi(
        neighbours=(preceding, following),
        weights=(-behind / diagonal, -ahead / diagonal),
        constant=(step + step[preceding]) / diagonal,
        lowest=lowest,
        highest=highest,
        sweeps=_SWEEPS,
    )


def unhurried_delays(
    following: Integers,
    duration: Floats,
    position: Floats,
    velocity: Floats,
    way_start: Integers,
    movable: Booleans,
    max_acceleration: Floats,
) -> Floats:
    """Return how much later curves should pass points for no large acceleration, shape (N,).

    A way is the part of a closed curve from one point of given time and velocity to the next such
    point. In between the curve is that of least squared acceleration, and the times of movable
    points are changed by gradient steps toward the least integral of the squared acceleration,
    until the largest acceleration on each way is within the limit, or `_STEP_COUNT` steps are made.
    (People who draw through points choose times by such a cost, too: T. Flash and N. Hogan, "The
    coordination of arm movements", 1985.)

    Args:
        following: shape (N,) for N points, index of the next point of the same closed curve.
        duration: shape (N,), usual time until it, above 0, [s].
        position: the points, shape (N, 3), [m].
        velocity: where ways begin, shape (N, 3), [m/s]; not read elsewhere.
        way_start: shape (N,), index of the point at which the way of each point begins. A point
            that ends one way and begins the next counts to the next: its index is its own.
        movable: shape (N,), which points may change their times, all of them within ways.
        max_acceleration: shape (N,), for each point the acceleration on its way up to which its
            time stays, [m/s²].

    Returns:
        Delays, below 0 for points that are passed sooner, [s].
    """
    preceding = inverse_permutation(following)
    is_within_way = way_start != np.arange(len(way_start))
    delay = np.zeros(len(way_start))
    for _ in range(_STEP_COUNT):
        gap = duration + delay[following] - delay
        velocities = passing_velocities(following, gap, position, velocity, free=is_within_way)
        # From each point to the next the curve is a cubic, whose acceleration is linear: its values
        # at the start and at the end, and the jerk. On each way the largest one counts.
        ahead = 1.0 / gap[:, None]
        mean_velocity = (position[following] - position) * ahead
        start = (6.0 * mean_velocity - 4.0 * velocities - 2.0 * velocities[following]) * ahead
        end = (2.0 * velocities + 4.0 * velocities[following] - 6.0 * mean_velocity) * ahead
        jerk = (end - start) * ahead
        largest_on_way = np.zeros(len(way_start))
        np.maximum.at(
            largest_on_way,
            way_start,
            np.maximum(norm(start), norm(end))[:, 0],
        )
        is_moved = movable & (largest_on_way[way_start] > max_acceleration)
        if not is_moved.any():
            break
        # On each cubic a² − 2 j·v is constant, with v the velocity, a the acceleration and j the
        # jerk. Its change at a point is the derivative of the integral of a² by the point's time.
        constant = (start * start - 2.0 * jerk * velocities).sum(axis=1)
        gradient = constant - constant[preceding]
        # Against the gradient, by a share, `_STEP_SHARE` at most, of the shorter gap beside the
        # point, so that points keep their order.
        scale = np.maximum(np.abs(constant) + np.abs(constant[preceding]), 1e-9)
        shorter_gap = np.minimum(gap, gap[preceding])
        delay[is_moved] -= (_STEP_SHARE * shorter_gap * gradient / scale)[is_moved]
    return delay


def projected_jacobi(
    neighbours: tuple[Integers, Integers],
    weights: tuple[Floats, Floats],
    constant: Floats,
    lowest: Floats,
    highest: Floats,
    sweeps: int,
) -> Floats:
    """Solve x = clip(c + w₋ x₋ + w₊ x₊) for all points of closed curves, shape (N, C).

    The solution is found by projected Jacobi sweeps; x₋ and x₊ are the values at the neighbours.

    Args:
        neighbours: indices of the point before and the point after each of N points, shape (N,)
            each.
        weights: w₋ and w₊, shape (N, 1) each; |w₋| + |w₊| is below 1, so that the sweeps converge.
        constant: c, shape (N, C) for C coordinates.
        lowest, highest: bounds between which x is clipped, shape (N, C) each; may be infinite.
        sweeps: number of sweeps, 1 or more; the first one starts from x = 0.
    """
    # All arrays are flat, of length N · C, as that is several times as fast as rows of a few
    # columns. Column k of point i is at i · C + k; `flat_indices` and `flat_weights` have a row for
    # the neighbours before and one for those after, shape (2, N · C).
    columns = constant.shape[1]
    flat_indices = np.array(neighbours)[:, :, None] * columns + np.arange(columns)
    flat_indices = flat_indices.reshape(2, -1)
    flat_weights = np.repeat(np.concatenate(weights, axis=1).T, columns, axis=1)
    constant = constant.ravel()
    lowest = lowest.ravel()
    highest = highest.ravel()
    # The first sweep: the neighbours are 0. `before` and `after` are views of `weighted`, the
    # weighted values of both neighbours; all that follows is in place.
    values = np.minimum(np.maximum(constant, lowest), highest)
    weighted = np.empty_like(flat_weights)
    before, after = weighted
    for _ in range(sweeps - 1):
        # No index is out of range, so mode "clip" changes none; with the default mode "raise",
        # `take` would fill a copy first and then `weighted`.
        values.take(flat_indices, out=weighted, mode="clip")
        weighted *= flat_weights
        np.add(before, after, out=values)
        values += constant
        np.maximum(values, lowest, out=values)
        np.minimum(values, highest, out=values)
    return values.reshape(-1, columns)


@dataclass(frozen=True)
class PeriodicSpline:
    """A periodic uniform cubic B-spline: values with continuous acceleration.

    Args:
        controls: shape (N, ...), control values at N even times of the loop, which the curve
            smooths.
        duration: the duration of the loop, [s].
        start: time of the first control value, [s].
    """

    controls: Floats
    duration: float
    start: float = 0.0

    def at(self, times: Floats) -> Floats:
        """Evaluate the curve, shape (T, ...), in the unit of the controls.

        Args:
            times: T times, shape (T,), [s], any value; the curve repeats.
        """
        # Control k belongs to the share k / N of the loop, counted from `start`.
        count = len(self.controls)
        # Time counted in intervals between controls, split into the index of the control at or
        # before it and the share of the interval since that, 0 to 1; axes of size 1 let the share
        # broadcast.
        knot_time = np.remainder((times - self.start) / self.duration, 1.0) * count
        # A remainder just below 1, times the count, may round up to the count: then the last
        # interval still holds, with a share of 1.
        knot = np.minimum(knot_time.astype(int), count - 1)
        since = (knot_time - knot).reshape(-1, *(1,) * (self.controls.ndim - 1))
        until = 1.0 - since
        square = since * since
        cube = since * since * since
        # Six times the weights of the uniform cubic B-spline: here for the controls at knot − 1,
        # knot and knot + 1; that for the control at knot + 2 is the cube of the share.
        weights = (
            until * until * until,
            4.0 - 6.0 * square + 3.0 * cube,
            1.0 + 3.0 * (since + square - cube),
        )
        # Summed in a fixed order, so that a time gives the same bits alone and among others.
        value = cube * self.controls.take((knot + 2) % count, axis=0)
        for offset, weight in enumerate(weights):
            value += weight * self.controls.take((knot + offset - 1) % count, axis=0)
        return value / 6.0
