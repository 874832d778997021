"""Periodic curves: piecewise polynomials, cubic splines through points, and uniform B-splines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.vectors import inverse_permutation

# Each sweep halves the error at least, so 1e-16 of it is left.
_SWEEPS = 54

# Curves are the same if they differ by less, in metres or radians.
_ROUNDING = 1e-11


@dataclass(frozen=True)
class PiecewisePolynomial:
    """K periodic paths, of which path k repeats after `periods[k]`; a table of S pieces, sorted by
    path and start.

    Args:
        periods: shape (K,), [s].
        path: shape (S,), the path of each piece; the last piece of a path lasts until its first
            starts again.
        start: shape (S,), when the piece starts, 0 ≤ start < period, [s].
        coefficients: shape (S, N, C), of 1, u, u² …, u the time since the start [s]; [m], [m/s] …
            C is 3 for points in space.
    """

    periods: Floats
    path: Integers
    start: Floats
    coefficients: Floats

    def locate(self, path: Integers, times: Floats) -> tuple[Integers, Floats]:
        """Find the piece of each path at each time, and the time since it started.

        Args:
            path: which path, any shape that broadcasts with `times`.
            times: [s], any value.
        """
        # `take` is several times as fast as an index on small arrays.
        period = self.periods.take(path)
        within = times - np.floor(times / period) * period
        keys, offsets, first, last = self._index
        piece = keys.searchsorted(within + offsets.take(path), side="right") - 1
        # Rounding may move a time close to the end of a path into the next one.
        last = last.take(path)
        piece = np.minimum(piece, last)
        wrapped = piece < first.take(path)
        piece = np.where(wrapped, last, piece)
        return piece, within - self.start.take(piece) + wrapped * period

    def evaluate(self, piece: Integers, elapsed: Floats, derivative: int = 0) -> Floats:
        """Evaluate pieces from `locate`.

        Returns:
            Shape of `piece` + (C,): position [m], or its derivative by time, [m/s], [m/s²] …
        """
        orders = self._derivatives(derivative)
        value: Floats = orders[-1].take(piece, axis=0)
        # As many as there are values: several times as fast as one for a few columns.
        u = np.repeat(elapsed, value.shape[-1]).reshape(value.shape)
        # In place, and order by order: all orders together do not fit into the processor's caches.
        for order in orders[-2::-1]:
            value *= u
            value += order.take(piece, axis=0)
        return value

    def alike(self, size: int) -> Integers:
        """Return for each group of `size` paths the first group whose paths are the same, shape (K
        / size,).
        """
        counts = (self.last - self.first + 1).reshape(-1, size)
        ends = np.append(self.start[1:], 0.0)
        ends[self.last] = self.start[self.first] + self.periods
        # What each order amounts to by the end of its piece.
        weights = (ends - self.start)[:, None] ** np.arange(self.coefficients.shape[1])
        terms = (self.coefficients * weights[..., None]).reshape(len(ends), -1)
        rows = np.column_stack([self.start, terms])
        same = np.arange(len(counts))
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        for number, pieces in enumerate(kinds.sum(axis=1)):
            members = np.flatnonzero(kind.ravel() == number)
            mine = self.first[members * size, None] + np.arange(pieces)
            same[members] = members[alike(rows[mine].reshape(len(members), -1))]
        return same

    def _derivatives(self, derivative: int) -> tuple[Floats, ...]:
        """The coefficients of a derivative, an array for each order."""
        if derivative not in self._tables:
            table = self.coefficients
            for _ in range(derivative):
                orders = table.shape[1]
                table = table[:, 1:] * np.arange(1.0, orders)[:, None] if orders > 1 else 0 * table
            self._tables[derivative] = tuple(np.ascontiguousarray(table.transpose(1, 0, 2)))
        return self._tables[derivative]

    @cached_property
    def _tables(self) -> dict[int, tuple[Floats, ...]]:
        return {}

    @cached_property
    def _index(self) -> tuple[Floats, Floats, Integers, Integers]:
        """Starts of the pieces and of the paths, one path after another; the first and the last
        piece of each path.
        """
        counts = np.bincount(self.path, minlength=len(self.periods))
        ends = counts.cumsum()
        offsets = np.zeros(len(self.periods))
        offsets[1:] = self.periods.cumsum()[:-1]
        return self.start + offsets[self.path], offsets, ends - counts, ends - 1

    def sorted(self) -> PiecewisePolynomial:
        """The same with its pieces in order, if they were not."""
        order = np.lexsort((self.start, self.path))
        return PiecewisePolynomial(
            self.periods, self.path[order], self.start[order], self.coefficients[order]
        )

    @property
    def first(self) -> Integers:
        """Shape (K,), the first piece of each path."""
        return self._index[2]

    @property
    def last(self) -> Integers:
        """Shape (K,), the last piece of each path."""
        return self._index[3]


def alike(rows: Floats) -> Integers:
    """Return for each row the first that is the same up to rounding, shape (N, M) to (N,)."""
    same = np.arange(len(rows))
    sums = rows.sum(axis=1)
    left = same
    while len(left) > 1:
        # Sums tell most of the others apart.
        near = np.abs(sums[left] - sums[left[0]]) <= _ROUNDING * rows.shape[1]
        near[near] = (np.abs(rows[left[near]] - rows[left[0]]) <= _ROUNDING).all(axis=1)
        same[left[near]] = left[0]
        left = left[~near]
    return same


def first_with_all(same: Sequence[Integers]) -> Integers:
    """Return for each of N things the first that is the same in every respect, given that of each,
    shape (N,).
    """
    _, first, kind = np.unique(
        np.column_stack(same), axis=0, return_index=True, return_inverse=True
    )
    return first[kind.ravel()]


def concatenate(tables: Sequence[PiecewisePolynomial]) -> PiecewisePolynomial:
    """Join the paths of several tables, in their order; pieces may have different degrees.

    Args:
        tables: one or more, with the same number of columns.
    """
    if len(tables) == 1:
        return tables[0]
    terms = max(table.coefficients.shape[1] for table in tables)
    ends = np.cumsum([len(table.periods) for table in tables])
    return PiecewisePolynomial(
        periods=np.concatenate([table.periods for table in tables]),
        path=np.concatenate(
            [table.path + end - len(table.periods) for table, end in zip(tables, ends, strict=True)]
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
    periods: Floats, path: Integers, start: Floats, coefficients: Floats, rest: Floats
) -> PiecewisePolynomial:
    """The table of pieces sorted by path and start, in which paths without a piece stay at rest,
    shape (K, C).
    """
    idle = np.ones(len(periods), dtype=bool)
    idle[path] = False
    if idle.any():
        still = np.zeros((np.count_nonzero(idle), *coefficients.shape[1:]))
        still[:, 0] = rest[idle]
        path = np.concatenate([path, np.flatnonzero(idle)])
        order = np.argsort(path, kind="stable")
        path = path[order]
        start = np.concatenate([start, np.zeros(len(still))])[order]
        coefficients = np.concatenate([coefficients, still])[order]
    return PiecewisePolynomial(periods, path, start, coefficients)


def cubic(following: Integers, duration: Floats, values: Floats) -> Floats:
    """Return closed cubic splines: curves of least squared second derivative, twice continuously
    differentiable.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        values: shape (N, C), the points.

    Returns:
        Shape (N, 4, C): coefficients of 1, u, u², u³ from each point to the next, u the time since
        the point [s].
    """
    free = np.ones(len(following), dtype=bool)
    slope = passing_velocities(following, duration, values, np.zeros_like(values), free)
    step = (values[following] - values) / duration[:, None]
    bend = (3 * step - 2 * slope - slope[following]) / duration[:, None]
    twist = (slope + slope[following] - 2 * step) / duration[:, None] ** 2
    return np.stack([values, slope, bend, twist], axis=1)


def monotone(following: Integers, duration: Floats, steps: Floats) -> Floats:
    """Return closed curves that stay between neighbouring points, twice continuously
    differentiable.

    Velocities at the points are harmonic means of those of the neighbouring steps, and 0 where the
    direction changes (Fritsch and Butland, 1984); accelerations there are 0. Quintics with such
    ends are monotone.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        steps: shape (N, C), from each point to the next.

    Returns:
        Shape (N, 6, C): coefficients of 1 to u⁵ of the way from each point, u the time since the
        point [s].
    """
    rate = steps / duration[:, None]
    before = rate[inverse_permutation(following)]
    same = before * rate > 0
    velocity = np.where(same, 2 * before * rate / np.where(same, before + rate, 1.0), 0.0)
    rest = np.zeros_like(steps)
    return quintic(duration, steps, (velocity, velocity[following]), (rest, rest))


def quintic(
    duration: Floats,
    steps: Floats,
    velocities: tuple[Floats, Floats],
    accelerations: tuple[Floats, Floats],
) -> Floats:
    """Return quintic polynomials with given velocities and accelerations at both ends.

    Args:
        duration: shape (N,), above 0, [s].
        steps: shape (N, C), from start to end.
        velocities, accelerations: at start and end, shape (N, C).

    Returns:
        Shape (N, 6, C): coefficients of 1 to u⁵ of the way from the start.
    """
    h = duration[:, None]
    (v, w), (a, b) = velocities, accelerations
    p = steps - h * v - h**2 * a / 2
    q = h * (w - v) - h**2 * a
    r = h**2 * (b - a)
    cubed = 10 * p - 4 * q + r / 2
    fourth = -15 * p + 7 * q - r
    fifth = 6 * p - 3 * q + r / 2
    terms = [np.zeros_like(steps), v, a / 2, cubed / h**3, fourth / h**4, fifth / h**5]
    return np.concatenate(terms, axis=1).reshape(len(steps), 6, steps.shape[1])


def powers(values: Floats, count: int) -> Floats:
    """The powers 0, 1, 2 … of values, shape (N,) to (N, count)."""
    table = np.empty((len(values), count))
    table[:, 0], table[:, 1:] = 1.0, values[:, None]
    return np.multiply.accumulate(table, axis=1)


def successors(path: Integers, time: Floats, period: float) -> tuple[Integers, Floats]:
    """For points sorted by path and time, return the index of the next on the same closed path, and
    the time to it.
    """
    closes = np.ones(len(path), dtype=bool)
    closes[:-1] = path[1:] != path[:-1]
    last = closes.nonzero()[0]
    following = np.arange(1, len(path) + 1)
    following[last[1:]] = last[:-1] + 1
    following[last[:1]] = 0
    gap = time[following] - time
    gap[last] += period
    return following, gap


def passing_velocities(
    following: Integers, duration: Floats, position: Floats, velocity: Floats, free: Booleans
) -> Floats:
    """Return velocities at the points of curves of least squared acceleration.

    Where they are free, v₋/h₋ + 2v(1/h₋ + 1/h) + v₊/h = 3(p − p₋)/h₋² + 3(p₊ − p)/h². The matrix is
    diagonally dominant, so Jacobi sweeps converge.

    Args:
        following: shape (N,), index of the next point of the same closed curve.
        duration: shape (N,), time until it, above 0, [s].
        position: shape (N, C).
        velocity: shape (N, C); kept where it is not free.
        free: shape (N,), which velocities are unknown.
    """
    if not free.any():
        return velocity
    before = inverse_permutation(following)
    ahead = 1 / duration[:, None]
    behind = ahead[before]
    step = 3 * (position[following] - position) * ahead**2
    total = 2 * (ahead + behind)
    lowest, highest = (np.where(free[:, None], bound, velocity) for bound in (-np.inf, np.inf))
    shares = (-behind / total, -ahead / total)
    constant = (step + step[before]) / total
    return relaxed((before, following), shares, constant, lowest, highest, _SWEEPS)


def relaxed(
    neighbours: tuple[Integers, Integers],
    shares: tuple[Floats, Floats],
    constant: Floats,
    lowest: Floats,
    highest: Floats,
    sweeps: int,
) -> Floats:
    """Return the values x within bounds that are constant + shares · x of both neighbours, by
    projected Jacobi sweeps.

    Args:
        neighbours: the point before and the one after each, shape (N,).
        shares: of their values, shape (N, 1); below 1 in sum, so that the sweeps converge.
        constant, lowest, highest: shape (N, C).
        sweeps: how many.
    """
    # Flat, since that is several times as fast as rows of a few columns.
    columns = constant.shape[1]
    places = np.array(neighbours)[:, :, None] * columns + np.arange(columns)
    places = places.reshape(2, -1)
    weights = np.repeat(np.concatenate(shares, axis=1).T, columns, axis=1)
    constant = constant.ravel()
    lowest = lowest.ravel()
    highest = highest.ravel()
    values = np.minimum(np.maximum(constant, lowest), highest)
    both = np.empty_like(weights)
    before, after = both
    take = values.take
    multiply = np.multiply
    add = np.add
    maximum = np.maximum
    minimum = np.minimum
    for _ in range(sweeps - 1):
        # Indices are right, so that "clip" only spares a copy.
        take(places, None, both, "clip")
        multiply(both, weights, both)
        add(before, after, values)
        add(values, constant, values)
        maximum(values, lowest, out=values)
        minimum(values, highest, out=values)
    return values.reshape(-1, columns)


@dataclass(frozen=True)
class PeriodicSpline:
    """A periodic uniform cubic B-spline: values with continuous acceleration.

    Args:
        controls: shape (N, ...), control values at N even times of the loop, which the curve
            smooths.
        duration: of the loop, [s].
    """

    controls: Floats
    duration: float

    def at(self, times: Floats) -> Floats:
        """Evaluate at some times, shape (T,) [s]; returns shape (T, ...)."""
        count = len(self.controls)
        place = np.remainder(times / self.duration, 1.0) * count
        # Just below 1, the remainder times the count may round up to the count.
        knot = np.minimum(place.astype(int), count - 1)
        since = (place - knot).reshape(-1, *(1,) * (self.controls.ndim - 1))
        left = 1.0 - since
        square = since * since
        cube = since * since * since
        weights = (
            left * left * left,
            4.0 - 6.0 * square + 3.0 * cube,
            1.0 + 3.0 * (since + square - cube),
        )
        # Summed in a fixed order, so that a time gives the same bits alone and among others.
        value = cube * self.controls.take((knot + 2) % count, axis=0)
        for number, weight in enumerate(weights):
            value += weight * self.controls.take((knot + number - 1) % count, axis=0)
        return value / 6.0
