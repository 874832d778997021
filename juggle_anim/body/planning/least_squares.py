"""Nonlinear least squares over a periodic B-spline, by the Gauss–Newton method.

What a plan wants of a body at each moment is a list of residuals, which depend on the values of the
spline there alone, so on four successive control values. The normal matrix is therefore cyclic and
banded, and is solved in a time proportional to the length of the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import norm

SAMPLES = 4
"""Moments of each interval between knots at which residuals are evaluated."""

BANDS = 3
"""Control values on each side that share a moment with one."""

# Marquardt's damping of a first step, as a share of the diagonal of the normal matrix; by which it
# is divided after a step that helps, and multiplied twice by after one that does not; and how many
# steps in a row may not help.
_DAMPING = 1e-3
_DAMPING_STEP = 4.0
_TRIES = 3

_MIRROR_AXES = np.array([-1.0, 1.0, 1.0])
_SAME = 1e-6  # m or rad, by which an image may be off


def _basis(samples: int) -> Floats:
    """Weights of four control values at the moments of an interval, shape (`samples`, 4)."""
    return _basis_at(np.arange(samples) / samples)


def _basis_at(share: Floats) -> Floats:
    """Weights of four control values at shares of an interval, shape (N,) to (N, 4)."""
    until = 1.0 - share
    return (
        np.stack(
            [
                until**3,
                4.0 - 6.0 * share**2 + 3.0 * share**3,
                1.0 + 3.0 * (share + share**2 - share**3),
                share**3,
            ],
            axis=1,
        )
        / 6.0
    )


class Mirror(NamedTuple):
    """How a body's mirror image has its channels and points: as others of them, with signs.

    A loop whose second half mirrors the first is planned by the first alone, after which the spline
    goes on as its mirror image.

    Args:
        channels: whose image each of C channels is, shape (C,).
        signs: of the channels in a mirror, shape (C,).
        points: an index of the points that are images of E points.
        axes: signs of the coordinates of points, shape (3,).
    """

    channels: Integers
    signs: Floats
    points: slice = slice(None, None, -1)
    axes: Floats = _MIRROR_AXES

    @staticmethod
    def none(channels: int) -> Mirror:
        """No mirror: a loop that is planned as a whole goes on as it began."""
        return Mirror(np.arange(channels), np.ones(channels), slice(None), np.ones(3))

    @property
    def is_one(self) -> bool:
        """Whether it mirrors at all."""
        return self.points.step == -1

    def of_channels(self, values: Floats) -> Floats:
        """The image of values, shape (..., C)."""
        if not self.is_one:
            return values
        return values[..., self.channels] * self.signs

    def of_points(self, places: Floats) -> Floats:
        """The image of points, shape (..., E, 3)."""
        if not self.is_one:
            return places
        return places[..., self.points, :] * self.axes

    def of_slopes(self, slopes: Floats) -> Floats:
        """The image of derivatives of points by channels, shape (..., C, E, 3)."""
        by_channel = slopes[..., self.channels, :, :] * self.signs[:, None, None]
        return self.of_points(by_channel)

    def whole(self, controls: Floats) -> Floats:
        """Control values of the whole loop, shape (N, J, C) to (N or 2N, J, C)."""
        return np.concatenate([controls, self.of_channels(controls)]) if self.is_one else controls

    def around(self, values: Floats, before: int, after: int) -> Floats:
        """Values around a loop, with some of its end before and of its start after them."""
        return np.concatenate(
            [
                self.of_channels(values[len(values) - before :]),
                values,
                self.of_channels(values[:after]),
            ]
        )


def mirrored_halves(points: Floats, turns: Floats) -> Booleans:
    """Who is the mirror image in the second half of a loop of the first, shape (J,).

    Args:
        points: of each body, with those of the left side first, shape (T, J, E, 3), [m].
        turns: other numbers of both sides, shape (T, J, E, R).
    """
    half = len(points) // 2
    off = points[half:] - points[:half, :, ::-1] * _MIRROR_AXES
    turned = turns[half:] - turns[:half, :, ::-1]
    return np.maximum(np.abs(off).max(axis=(0, 2, 3)), np.abs(turned).max(axis=(0, 2, 3))) < _SAME


class Residuals(NamedTuple):
    """What is asked at T moments of J jugglers.

    Args:
        tasks: shape (T, J, R).
        limits: likewise, of which their firmness takes a share.
        points: places of E points whose acceleration is limited, shape (T, J, E, 3), [m]. None
            without such.
    """

    tasks: Floats
    limits: Floats
    points: Floats | None = None

    def of_jugglers(self, jugglers: Integers) -> Residuals:
        """Those of some jugglers, shape (K,)."""
        points = None if self.points is None else self.points[:, jugglers]
        return Residuals(self.tasks[:, jugglers], self.limits[:, jugglers], points)

    def with_jugglers(self, jugglers: Integers, others: Residuals) -> Residuals:
        """With those of some jugglers, shape (K,), in place of theirs."""
        points = self.points
        if points is not None and others.points is not None:
            points = _replaced(points, jugglers, others.points)
        return Residuals(
            _replaced(self.tasks, jugglers, others.tasks),
            _replaced(self.limits, jugglers, others.limits),
            points,
        )


def _replaced(values: Floats, jugglers: Integers, others: Floats) -> Floats:
    """Values with those of some jugglers, shape (K,), replaced along the second axis."""
    replaced = values.copy()
    replaced[:, jugglers] = others
    return replaced


class Products(NamedTuple):
    """Products of the derivatives of residuals by C channels.

    Args:
        squares: with each other, shape (T, J, C, C).
        pull: with the residuals, shape (T, J, C).
        points: derivatives of the points, shape (T, J, C, E, 3), [m]; None without such.
    """

    squares: Floats
    pull: Floats
    points: Floats | None = None


class Problem(Protocol):
    """Residuals of values, shape (T, J, C), of C channels at T even moments of a loop."""

    def residuals(self, values: Floats) -> Residuals:
        """Residuals of values, whose squares are summed."""

    def products(
        self, values: Floats, missed: Residuals, firmness: float, hurried: Booleans
    ) -> Products:
        """Products of the derivatives of the residuals.

        Args:
            values: as of `residuals`.
            missed: their residuals.
            firmness: of the limits, as a share.
            hurried: shape (T, J), where derivatives of points matter.
        """

    def of_jugglers(self, jugglers: Integers) -> Problem:
        """That of some jugglers, shape (K,)."""


class AccelerationLimit(NamedTuple):
    """How fast points may accelerate, and the excess that counts as 1, [m/s²]."""

    most: float
    excess: float


class Stage(NamedTuple):
    """Steps with limits of one firmness.

    Args:
        firmness: from 0 to 1.
        steps: at most so many are tried.
        least_gain: share of its cost, and of 1, that a step must be expected to gain for a
            juggler, and gain.
    """

    firmness: float
    steps: int
    least_gain: float


class Solution(NamedTuple):
    """A spline of least squares, for J jugglers.

    Args:
        controls: its control values, shape (N, J, C).
        missed: the residuals that are left.
        cost: of each juggler, shape (J,).
        is_done: whose last steps gained no more, shape (J,).
    """

    controls: Floats
    missed: Residuals
    cost: Floats
    is_done: Booleans

    def of_jugglers(self, jugglers: Integers) -> Solution:
        """That of some jugglers, shape (K,)."""
        return Solution(
            self.controls[:, jugglers],
            self.missed.of_jugglers(jugglers),
            self.cost[jugglers],
            self.is_done[jugglers],
        )

    def with_jugglers(self, jugglers: Integers, others: Solution) -> Solution:
        """With that of some jugglers, shape (K,), in place of theirs."""
        cost = self.cost.copy()
        cost[jugglers] = others.cost
        is_done = self.is_done.copy()
        is_done[jugglers] = others.is_done
        return Solution(
            _replaced(self.controls, jugglers, others.controls),
            self.missed.with_jugglers(jugglers, others.missed),
            cost,
            is_done,
        )


def least_squares(
    problem: Problem,
    controls: Floats,
    duration: float,
    acceleration_costs: Floats,
    stages: Sequence[Stage],
    limit: AccelerationLimit | None = None,
    samples: int = SAMPLES,
    damping: float = _DAMPING,
    largest_step: float = np.inf,
    mirror: Mirror | None = None,
) -> Solution:
    """The periodic cubic B-spline of least mean squared residuals.

    Args:
        problem: the residuals at `samples` moments in each interval, from the first knot on.
        controls: from which the search begins, shape (N, J, C), N a multiple of `BANDS`.
        duration: of the loop, [s].
        acceleration_costs: of the square of the second derivative of each channel, shape (C,).
        stages: one after another.
        limit: of the accelerations of the problem's points.
        samples: moments in each interval.
        damping: Marquardt's, of the first step of each stage.
        largest_step: by which a step changes a control value.
        mirror: through which the spline goes on after the duration; None for a whole loop.
    """
    knots, jugglers, channels = controls.shape
    mirror = mirror or Mirror.none(channels)
    search = _Search(
        problem=problem,
        smooth=_smoothness(acceleration_costs, knots, duration),
        basis=_basis(samples),
        period=duration / (knots * samples),
        limit=limit,
        largest_step=largest_step,
        mirror=mirror,
    )
    missed = problem.residuals(search.values(controls))
    solution = Solution(controls, missed, np.zeros(jugglers), np.zeros(jugglers, dtype=bool))
    for stage in stages:
        solution = search.descend(solution, np.full((knots, jugglers), damping), stage)
    return solution


@dataclass(frozen=True)
class _Search:
    """The search for the spline of least squares; arguments as of `least_squares`.

    Args:
        smooth: as from `_smoothness`.
        basis: weights of control values at the moments of an interval.
        period: from each moment to the next, [s].
    """

    problem: Problem
    smooth: list[Floats]
    basis: Floats
    period: float
    limit: AccelerationLimit | None
    largest_step: float
    mirror: Mirror

    def values(self, controls: Floats) -> Floats:
        """Values at the moments, shape (N, J, C) to (T, J, C)."""
        knots = len(controls)
        ends = self.mirror.around(controls, 1, 2).reshape(knots + BANDS, -1)
        near = ends[np.arange(knots)[:, None] + np.arange(BANDS + 1)]
        return (self.basis @ near).reshape(-1, *controls.shape[1:])

    def descend(self, start: Solution, dampings: Floats, stage: Stage) -> Solution:
        """Try the steps of a stage.

        Args:
            start: cost and flags are not read.
            dampings: of each knot, shape (N, J).
            stage: with the firmness of the limits.
        """
        controls, missed = start[:2]
        jugglers = controls.shape[1]
        costs = self._costs_by_knot(controls, missed, stage.firmness)
        failures = np.zeros(jugglers, dtype=int)
        is_done = np.zeros(jugglers, dtype=bool)
        for step in range(stage.steps):
            before = costs.sum(axis=0)
            worth = stage.least_gain * (1.0 + before)
            is_done = before < worth
            if (is_done | (failures >= _TRIES)).all():
                break
            if not failures.all():
                normal, gradient = self._normal_equations(controls, missed, stage.firmness)
            damped = normal[0].copy()
            diagonal = np.einsum("njcc->njc", damped)
            diagonal += dampings[..., None] * diagonal
            change = solve_cyclic([damped, *normal[1:]], gradient)
            # What a parabola gains.
            is_done |= (change * gradient).sum(axis=(0, 2)) < worth
            if (is_done | (failures >= _TRIES)).all():
                break
            changed = controls - np.clip(change, -self.largest_step, self.largest_step)
            tried = self.problem.residuals(self.values(changed))
            reached = self._costs_by_knot(changed, tried, stage.firmness)
            after = reached.sum(axis=0)
            better = after <= before
            # Only around knots where it got worse a next step is shorter.
            worse = _summed_around(reached - costs) > 0.0
            dampings = np.where(
                worse,
                dampings * _DAMPING_STEP**2,
                np.where(better, dampings / _DAMPING_STEP, dampings),
            )
            failures = np.where(better, 0, failures + 1)
            is_done |= better & (after >= before - worth)
            controls = np.where(better[:, None], changed, controls)
            missed = _chosen(better, tried, missed)
            costs = np.where(better, reached, costs)
            rest = np.flatnonzero(~is_done & (failures < _TRIES))
            if not rest.size:
                break
            if 2 * rest.size <= jugglers:
                # The others go on alone.
                solution = Solution(controls, missed, costs.sum(axis=0), is_done)
                alone = replace(self, problem=self.problem.of_jugglers(rest)).descend(
                    solution.of_jugglers(rest),
                    dampings[:, rest],
                    stage._replace(steps=stage.steps - step - 1),
                )
                return solution.with_jugglers(rest, alone)
        return Solution(controls, missed, costs.sum(axis=0), is_done)

    def _smoothness_gradient(self, controls: Floats) -> Floats:
        """Half the derivative of the cost of acceleration by the control values, (N, J, C)."""
        ends = self.mirror.around(controls, 2, 2)
        gradient = self.smooth[0] * controls
        for offset, costs in enumerate(self.smooth[1:], 1):
            gradient += costs * (
                ends[2 + offset :][: len(controls)] + ends[2 - offset :][: len(controls)]
            )
        return gradient

    def _costs_by_knot(self, controls: Floats, missed: Residuals, firmness: float) -> Floats:
        """What the spline of each juggler costs around each knot, shape (N, J)."""
        samples = len(self.basis)
        total = (controls * self._smoothness_gradient(controls)).sum(axis=2)
        by_moment = np.einsum("tjr,tjr->tj", missed.tasks, missed.tasks)
        by_moment += firmness**2 * np.einsum("tjr,tjr->tj", missed.limits, missed.limits)
        total += by_moment.reshape(-1, samples, total.shape[1]).sum(axis=1) / samples
        if self.limit and missed.points is not None:
            excess = self._accelerations(missed.points, self.limit).excess
            total += (excess**2).sum(axis=(1, 3)) / samples
        return np.asarray(total)

    def _normal_equations(
        self, controls: Floats, missed: Residuals, firmness: float
    ) -> tuple[list[Floats], Floats]:
        """The normal matrix and its right side, as `solve_cyclic` takes them."""
        samples = len(self.basis)
        knots = len(controls)
        accelerations = None
        hurried = np.zeros(missed.tasks.shape[:2], dtype=bool)
        if self.limit and missed.points is not None:
            accelerations = self._accelerations(missed.points, self.limit)
            hurried = accelerations.hurried
        products = self.problem.products(self.values(controls), missed, firmness, hurried)
        bands = _bands(products.squares, self.basis / np.sqrt(samples), self.mirror)
        pull = products.pull.reshape(knots, samples, -1) / samples
        total = _sums(self.basis.T @ pull).reshape(-1, *controls.shape[1:])
        gradient = _folded(total, *map(self.mirror.of_channels, (total[:1], total[knots + 1 :])))
        gradient += self._smoothness_gradient(controls)
        if accelerations and products.points is not None:
            accelerations.add_to(bands, gradient, products.points, self.basis, self.mirror)
        channels = np.arange(controls.shape[2])
        for offset, smoothness in enumerate(self.smooth):
            beyond = knots - offset
            bands[offset][:beyond, :, channels, channels] += smoothness
            bands[offset][beyond:, :, channels, self.mirror.channels] += (
                smoothness * self.mirror.signs
            )
        return bands, gradient

    def _accelerations(self, points: Floats, limit: AccelerationLimit) -> _Accelerations:
        return _Accelerations.of(points, limit, self.period, len(self.basis), self.mirror)


def _summed_around(costs: Floats) -> Floats:
    """Sums over the knots whose control values share a moment with each, shape (N, J)."""
    ends = np.concatenate([costs[-BANDS:], costs, costs[:BANDS]])
    return np.sum([ends[shift : shift + len(costs)] for shift in range(2 * BANDS + 1)], axis=0)


def _chosen(better: Booleans, tried: Residuals, before: Residuals) -> Residuals:
    """Residuals of the jugglers for whom a trial is better, and those from before of the others."""
    if better.all():
        return tried

    def chosen(after: Floats, earlier: Floats) -> Floats:
        return np.where(better.reshape(-1, *(1,) * (after.ndim - 2)), after, earlier)

    points = None
    if tried.points is not None and before.points is not None:
        points = chosen(tried.points, before.points)
    return Residuals(chosen(tried.tasks, before.tasks), chosen(tried.limits, before.limits), points)


def accelerations(points: Floats, period: float, mirror: Mirror) -> Floats:
    """Sizes of the accelerations of points at even moments, (T, ..., E, 3) to (T, ..., E)."""
    return np.asarray(norm(_second_differences(points, mirror))[..., 0] / (period * period))


def _second_differences(points: Floats, mirror: Mirror) -> Floats:
    """Changes of steps of points at even moments of a loop, of the same shape."""
    before = mirror.of_points(points[-1:])
    after = mirror.of_points(points[:1])
    steps = np.diff(points, axis=0, prepend=before, append=after)
    return np.diff(steps, axis=0)


@dataclass(frozen=True)
class _Accelerations:
    """Second differences of points around the moments within intervals, not at the knots: these
    depend on four control values.

    Args:
        directions: unit vectors of the accelerations, shape (N, `samples` − 1, J, E, 3).
        excess: over the limit, in its unit, shape (N, `samples` − 1, J, E).
        scale: of a second difference in the unit of the limit, [1/m].
    """

    directions: Floats
    excess: Floats
    scale: float

    @staticmethod
    def of(
        points: Floats, limit: AccelerationLimit, period: float, samples: int, mirror: Mirror
    ) -> _Accelerations:
        """Take the accelerations of points at even moments.

        Args:
            points: shape (T, J, E, 3), [m].
            limit: that they should keep.
            period: from each moment to the next, [s].
            samples: moments in each interval.
            mirror: as of `least_squares`.
        """
        change = _second_differences(points, mirror).reshape(-1, samples, *points.shape[1:])[:, 1:]
        size = norm(change)[..., 0]
        scale = 1.0 / (period * period * limit.excess)
        excess = np.maximum(scale * size - limit.most / limit.excess, 0.0)
        return _Accelerations(change / np.maximum(size, 1e-12)[..., None], excess, scale)

    @property
    def hurried(self) -> Booleans:
        """Moments whose places an excess depends on, shape (T, J)."""
        knots, moments, jugglers = self.excess.shape[:3]
        around = np.zeros((knots, moments + 1, jugglers), dtype=bool)
        around[:, 1:] = (self.excess > 0.0).any(axis=-1)
        flat = around.reshape(-1, jugglers)
        return np.logical_or.reduce([np.roll(flat, shift, axis=0) for shift in (-1, 0, 1)])

    def add_to(
        self,
        bands: list[Floats],
        gradient: Floats,
        slopes: Floats,
        basis: Floats,
        mirror: Mirror,
    ) -> None:
        """Add what the excess asks for to a normal matrix and its right side.

        Args:
            bands: as from `_bands`; changed in place.
            gradient: shape (N, J, C); changed in place.
            slopes: of the points by the channels, shape (T, J, C, E, 3), [m].
            basis: weights of control values, as from `_basis`.
            mirror: as of `least_squares`.
        """
        samples = len(basis)
        knots = len(self.excess)
        interval, moment, juggler, point = np.nonzero(self.excess)
        if not interval.size:
            return
        excess = self.excess[interval, moment, juggler, point]
        direction = self.directions[interval, moment, juggler, point]
        channels = slopes.shape[2]
        # Derivatives by the four control values of the interval, shape (M, 4, C).
        by_control = np.zeros((len(excess), 4, channels))
        weights = np.concatenate([basis, _basis_at(np.ones(1))])
        center = interval * samples + moment + 1
        slopes = np.concatenate([slopes, mirror.of_slopes(slopes[:1])])
        for shift, factor in ((-1, 1.0), (0, -2.0), (1, 1.0)):
            slope = slopes[center + shift, juggler, :, point]
            along = factor * self.scale * (slope @ direction[..., None])[..., 0]
            by_control += weights[moment + 1 + shift, :, None] * along[:, None]
        outside = (interval[:, None] + np.arange(-1, 3)) // knots != 0
        by_control[outside] = mirror.of_channels(by_control[outside])
        for first in range(4):
            row = (interval + first - 1) % knots
            np.add.at(gradient, (row, juggler), by_control[:, first] * excess[:, None] / samples)
            for second in range(first, 4):
                block = by_control[:, first, :, None] * by_control[:, second, None, :] / samples
                np.add.at(bands[second - first], (row, juggler), block)


def _sums(parts: Floats) -> Floats:
    """Sums for control values, from one before the first to two after the last.

    Args:
        parts: for those of each interval from one before it on, shape (N, K, ...), of K control
            values, up to `BANDS` + 1.

    Returns:
        Shape (N + `BANDS`, ...).
    """
    knots = len(parts)
    total = np.zeros((knots + BANDS, *parts.shape[2:]))
    for offset in range(parts.shape[1]):
        total[offset : offset + knots] += parts[:, offset]
    return total


def _folded(total: Floats, before: Floats, after: Floats) -> Floats:
    """Sums as from `_sums`, with the one before and those after added to those they are images of,
    shape (N, ...).
    """
    knots = len(total) - BANDS
    total[knots] += before[0]
    total[1:BANDS] += after
    return total[1 : knots + 1]


def _bands(blocks: Floats, basis: Floats, mirror: Mirror) -> list[Floats]:
    """Blocks of the normal matrix for each control value and the ones `0` to `BANDS` after it.

    Args:
        blocks: products of derivatives at the moments, shape (T, J, C, C).
        basis: weights of control values at the moments, as from `_basis`.
        mirror: as of `least_squares`.

    Returns:
        `BANDS` + 1 arrays of shape (N, J, C, C).
    """
    flat = blocks.reshape(-1, len(basis), blocks[0].size)
    knots = len(flat)
    total = np.empty((BANDS + 1, knots + BANDS, *blocks.shape[1:]))
    for offset in range(BANDS + 1):
        weights = basis[:, : BANDS + 1 - offset] * basis[:, offset:]
        total[offset] = _sums(weights.T @ flat).reshape(total.shape[1:])
    # Columns, then rows, of control values outside of the loop are those of images.
    column = np.arange(BANDS + 1)[:, None] + np.arange(knots + BANDS)
    outside = (column < 1) | (column > knots)
    total[outside] = mirror.of_channels(total[outside])
    row = [0, *range(knots + 1, knots + BANDS)]
    images = mirror.of_channels(total[:, row].swapaxes(-1, -2)).swapaxes(-1, -2)
    return [_folded(sums, image[:1], image[1:]) for sums, image in zip(total, images, strict=True)]


def _smoothness(costs: Floats, knots: int, duration: float) -> list[Floats]:
    """Entries of the normal matrix for squared second differences, for 0, 1 and 2 values after."""
    scale = costs * (knots / duration) ** 4
    return [6.0 * scale, -4.0 * scale, scale]


def solve_cyclic(bands: list[Floats], right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block-banded matrix.

    Successive blocks are joined to larger ones, so that A is cyclic block tridiagonal. Every other
    one is eliminated, all of them at once, until one is left (cyclic reduction: R. W. Hockney, "A
    fast direct solution of Poisson's equation using Fourier analysis", 1965).

    Args:
        bands: as from `_bands`: `BANDS` + 1 arrays of shape (N, J, C, C).
        right: b, shape (N, J, C).
    """
    knots, jugglers, channels = right.shape
    size = BANDS * channels
    count = knots // BANDS
    right = right.reshape(count, BANDS, jugglers, channels).swapaxes(1, 2)
    diagonal = np.zeros((count, jugglers, BANDS, channels, BANDS, channels))
    upper = np.zeros_like(diagonal)
    for offset, band in enumerate(bands):
        band = band.reshape(count, BANDS, jugglers, channels, channels)
        for row in range(BANDS):
            block = band[:, row]
            column = row + offset
            if column < BANDS:
                diagonal[:, :, row, :, column] = block
                if offset:
                    diagonal[:, :, column, :, row] = block.swapaxes(-1, -2)
            else:
                upper[:, :, row, :, column - BANDS] = block
    solved = _solve_tridiagonal(
        diagonal.reshape(count, jugglers, size, size),
        upper.reshape(count, jugglers, size, size),
        right.reshape(count, jugglers, size, 1),
    )
    return (
        solved[..., 0]
        .reshape(count, jugglers, BANDS, channels)
        .swapaxes(1, 2)
        .reshape(knots, jugglers, channels)
    )


def _solve_tridiagonal(diagonal: Floats, upper: Floats, right: Floats) -> Floats:
    """Solve a symmetric cyclic block tridiagonal system by cyclic reduction.

    Args:
        diagonal: blocks, shape (N, ..., S, S); changed in place.
        upper: of each block row, the block of the next one's unknowns, likewise; the last row's is
            of the first one's.
        right: shape (N, ..., S, 1).
    """
    count = len(diagonal)
    if count == 1:
        whole = diagonal[0] + upper[0] + upper[0].swapaxes(-1, -2)
        return np.linalg.solve(whole, right[0])[None]
    size = diagonal.shape[-1]
    # Each odd row r is x = D⁻¹ (b − U₋ᵀ x₋ − U x₊), in terms of the even ones before and after.
    before = upper[:-1:2]
    after = upper[1::2]
    eliminated = np.linalg.solve(
        diagonal[1::2],
        np.concatenate([before.swapaxes(-1, -2), right[1::2], after], axis=-1),
    )
    of_before = eliminated[..., :size]
    of_right = eliminated[..., size : size + 1]
    of_after = eliminated[..., size + 1 :]
    less_before = before @ eliminated
    less_after = after.swapaxes(-1, -2) @ eliminated[..., size:]
    kept = diagonal[::2]
    kept_right = right[::2].copy()
    # Of an odd number of rows the last one is kept, too, and stays joined to the first one.
    kept_upper = upper[::2].copy()
    eliminations = len(eliminated)
    next_rows = np.arange(1, eliminations + 1) % len(kept)
    kept[:eliminations] -= less_before[..., :size]
    kept[next_rows] -= less_after[..., 1:]
    kept_right[:eliminations] -= less_before[..., size : size + 1]
    kept_right[next_rows] -= less_after[..., :1]
    kept_upper[:eliminations] = -less_before[..., size + 1 :]
    solved = np.empty_like(right)
    solved[::2] = _solve_tridiagonal(kept, kept_upper, kept_right)
    solved[1::2] = of_right - of_before @ solved[:-1:2] - of_after @ solved[next_rows * 2]
    return solved
