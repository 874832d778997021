"""Nonlinear least squares over a periodic B-spline, by the Gauss–Newton method.

What a plan wants of a body at each moment is a list of residuals, which depend on the values of the
spline there alone, so on four successive control values. The normal matrix is therefore cyclic and
banded, and is solved in a time proportional to the length of the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.vectors import norm

SAMPLES = 4
"""Moments of each interval between knots at which residuals are evaluated."""

BANDS = 3
"""Control values on each side that share a moment with one."""

_STEP = 1e-4  # of values, from which derivatives are taken
# Marquardt's damping of a first step, as a share of the diagonal of the normal matrix; by which it
# is divided after a step that helps, and multiplied twice by after one that does not; and how often
# a step is tried.
_DAMPING = 1e-3
_DAMPING_STEP = 4.0
_TRIES = 3

_ENOUGH = 1e-3  # a round that changes no value by more is the last


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


class Residuals(NamedTuple):
    """What is asked at T moments of J jugglers, or derivatives of that by C channels.

    Args:
        at_moments: shape (T, J, R); of derivatives (T, J, C, R).
        points: places of E points whose acceleration is limited, shape (T, J, E, 3), [m]; of
            derivatives (T, J, C, E, 3). None without such.
    """

    at_moments: Floats
    points: Floats | None = None


class Problem(Protocol):
    """Residuals of values, shape (T, J, C), of C channels at T even moments of a loop."""

    def residuals(self, values: Floats) -> Residuals:
        """Residuals of values, whose squares are summed."""

    def slopes(self, values: Floats, missed: Residuals, hurried: Booleans) -> Residuals:
        """Derivatives of the residuals by the channels.

        Args:
            values: as of `residuals`.
            missed: their residuals.
            hurried: shape (T, J), where those of points matter.
        """


@dataclass(frozen=True)
class ByDifferences:
    """A problem whose derivatives are differences.

    Args:
        alternatives: residuals of values of shape (K, T, J, C), K alternatives for J jugglers at T
            moments, shape (K, T, J, R).
        odd: channels that change sign in a mirror, shape (C,): their derivatives are taken from
            both sides, so that the plan of a mirrored body is the mirrored plan.
    """

    alternatives: Callable[[Floats], Floats]
    odd: Booleans

    def residuals(self, values: Floats) -> Residuals:
        """Residuals of one alternative."""
        return Residuals(self.alternatives(values[None])[0])

    def slopes(self, values: Floats, missed: Residuals, hurried: Booleans) -> Residuals:
        """Differences over small steps of each channel."""
        channels = len(self.odd)
        unit_steps = np.eye(channels)
        steps = np.concatenate([np.zeros((1, channels)), unit_steps, -unit_steps[self.odd]])
        steps *= _STEP
        widths = np.where(self.odd, 2.0 * _STEP, _STEP)
        around = self.alternatives(values + steps[:, None, None])
        before = np.repeat(around[:1], channels, axis=0)
        before[self.odd] = around[1 + channels :]
        slopes = (around[1 : 1 + channels] - before) / widths[:, None, None, None]
        return Residuals(slopes.transpose(1, 2, 0, 3))


class AccelerationLimit(NamedTuple):
    """How fast points may accelerate, and the excess that counts as 1, [m/s²]."""

    most: float
    excess: float


def least_squares(
    problem: Problem,
    controls: Floats,
    duration: float,
    acceleration_costs: Floats,
    rounds: int,
    limit: AccelerationLimit | None = None,
    samples: int = SAMPLES,
    damping: float = _DAMPING,
    largest_step: float = np.inf,
    least_gain: float = 0.0,
) -> tuple[Floats, Floats]:
    """Control values of the periodic cubic B-spline of least mean squared residuals.

    Args:
        problem: the residuals at `samples` moments in each interval, from the first knot on.
        controls: from which the search begins, shape (N, J, C), N a multiple of `BANDS`.
        duration: of the loop, [s].
        acceleration_costs: of the square of the second derivative of each channel, shape (J, C) or
            (C,).
        rounds: at most so many.
        limit: of the accelerations of the problem's points.
        samples: moments in each interval.
        damping: Marquardt's, of the first step.
        largest_step: by which a round changes a control value.
        least_gain: a round that lowers no juggler's cost by a larger share is the last.

    Returns:
        The control values, and what each juggler's still cost, shape (J,).
    """
    knots, jugglers, channels = controls.shape
    smooth = _smoothness(acceleration_costs, knots, duration)
    basis = _basis(samples)
    period = duration / (knots * samples)
    dampings = np.full((knots, jugglers), damping)

    def smoothness_gradient(controls: Floats) -> Floats:
        """Half the derivative of the cost of acceleration by the control values, (N, J, C)."""
        gradient = smooth[0] * controls
        for offset, costs in enumerate(smooth[1:], 1):
            gradient += costs * (
                np.roll(controls, -offset, axis=0) + np.roll(controls, offset, axis=0)
            )
        return gradient

    def costs_by_knot(controls: Floats, missed: Residuals) -> Floats:
        """What the spline of each juggler costs around each knot, shape (N, J)."""
        total = (controls * smoothness_gradient(controls)).sum(axis=2)
        by_moment = (missed.at_moments**2).sum(axis=2) / samples
        total += by_moment.reshape(knots, samples, jugglers).sum(axis=1)
        if limit and missed.points is not None:
            excess = _Accelerations.of(missed.points, limit, period, samples).excess
            total += (excess**2).sum(axis=(1, 3)) / samples
        return np.asarray(total)

    missed = problem.residuals(_values(controls, basis))
    costs = costs_by_knot(controls, missed)
    for _ in range(rounds):
        accelerations = None
        hurried = np.zeros(missed.at_moments.shape[:2], dtype=bool)
        if limit and missed.points is not None:
            accelerations = _Accelerations.of(missed.points, limit, period, samples)
            hurried = accelerations.hurried
        slopes = problem.slopes(_values(controls, basis), missed, hurried)
        by_channel = slopes.at_moments
        squares = np.matmul(by_channel, by_channel.swapaxes(-1, -2)) / samples
        pull = np.matmul(by_channel, missed.at_moments[..., None])[..., 0] / samples
        bands = _bands(squares.reshape(knots, samples, jugglers, channels, channels), basis)
        gradient = _gathered(pull.reshape(knots, samples, jugglers, channels), basis)
        gradient += smoothness_gradient(controls)
        if accelerations and slopes.points is not None:
            accelerations.add_to(bands, gradient, slopes.points, basis)
        for offset, smoothness in enumerate(smooth):
            bands[offset][..., range(channels), range(channels)] += smoothness
        undamped = bands[0]
        diagonal = np.einsum("njcc->njc", undamped)
        before = costs.sum(axis=0)
        for _ in range(_TRIES):
            bands[0] = undamped.copy()
            bands[0][..., range(channels), range(channels)] += dampings[..., None] * diagonal
            change = np.clip(solve_cyclic(bands, gradient), -largest_step, largest_step)
            tried = problem.residuals(_values(controls - change, basis))
            reached = costs_by_knot(controls - change, tried)
            better = reached.sum(axis=0) <= costs.sum(axis=0)
            # Only around knots where it got worse a next step is shorter.
            worse = _summed_around(reached - costs) > 0.0
            dampings = np.where(
                worse,
                dampings * _DAMPING_STEP**2,
                np.where(better, dampings / _DAMPING_STEP, dampings),
            )
            controls = np.where(better[:, None], controls - change, controls)
            missed = _chosen(better, tried, missed)
            costs = np.where(better, reached, costs)
            if better.all():
                break
        # A round whose trials all failed goes on with shorter steps.
        slow = costs.sum(axis=0) >= (1.0 - least_gain) * before
        if np.abs(change).max() < _ENOUGH or (better & slow).all():
            break
    return controls, costs.sum(axis=0)


def _summed_around(costs: Floats) -> Floats:
    """Sums over the knots whose control values share a moment with each, shape (N, J)."""
    return np.sum([np.roll(costs, shift, axis=0) for shift in range(-BANDS, BANDS + 1)], axis=0)


def _chosen(better: Booleans, tried: Residuals, before: Residuals) -> Residuals:
    """Residuals of the jugglers for whom a trial is better, and those from before of the others."""
    points = None
    if tried.points is not None and before.points is not None:
        points = np.where(better[:, None, None], tried.points, before.points)
    return Residuals(np.where(better[:, None], tried.at_moments, before.at_moments), points)


def accelerations(points: Floats, period: float) -> Floats:
    """Sizes of the accelerations of points at even moments of a loop, (T, ..., 3) to (T, ...)."""
    change = np.roll(points, -1, axis=0) - 2.0 * points + np.roll(points, 1, axis=0)
    return np.asarray(norm(change)[..., 0] / (period * period))


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
    def of(points: Floats, limit: AccelerationLimit, period: float, samples: int) -> _Accelerations:
        """Take the accelerations of points at even moments.

        Args:
            points: shape (T, J, E, 3), [m].
            limit: that they should keep.
            period: from each moment to the next, [s].
            samples: moments in each interval.
        """
        change = np.roll(points, -1, axis=0) - 2.0 * points + np.roll(points, 1, axis=0)
        change = change.reshape(-1, samples, *points.shape[1:])[:, 1:]
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

    def add_to(self, bands: list[Floats], gradient: Floats, slopes: Floats, basis: Floats) -> None:
        """Add what the excess asks for to a normal matrix and its right side.

        Args:
            bands: as from `_bands`; changed in place.
            gradient: shape (N, J, C); changed in place.
            slopes: of the points by the channels, shape (T, J, C, E, 3), [m].
            basis: weights of control values, as from `_basis`.
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
        for shift, factor in ((-1, 1.0), (0, -2.0), (1, 1.0)):
            slope = slopes[(center + shift) % len(slopes), juggler, :, point]
            along = factor * self.scale * (slope @ direction[..., None])[..., 0]
            by_control += weights[moment + 1 + shift, :, None] * along[:, None]
        for first in range(4):
            row = (interval + first - 1) % knots
            np.add.at(gradient, (row, juggler), by_control[:, first] * excess[:, None] / samples)
            for second in range(first, 4):
                block = by_control[:, first, :, None] * by_control[:, second, None, :] / samples
                np.add.at(bands[second - first], (row, juggler), block)


def _values(controls: Floats, basis: Floats) -> Floats:
    """Values at the moments, shape (N, J, C) to (T, J, C)."""
    near = np.stack([np.roll(controls, 1 - offset, axis=0) for offset in range(4)])
    values = np.einsum("so,onjc->nsjc", basis, near)
    return values.reshape(-1, *controls.shape[1:])


def _gathered(pull: Floats, basis: Floats) -> Floats:
    """Derivatives by control values, from those by values, (N, `samples`, J, C) to (N, J, C)."""
    parts = np.einsum("so,nsjc->onjc", basis, pull)
    return sum(
        (np.roll(part, offset - 1, axis=0) for offset, part in enumerate(parts)), 0.0 * parts[0]
    )


def _bands(blocks: Floats, basis: Floats) -> list[Floats]:
    """Blocks of the normal matrix for each control value and the ones `0` to `BANDS` after it.

    Args:
        blocks: products of derivatives at the moments, shape (N, `samples`, J, C, C).
        basis: weights of control values at the moments, as from `_basis`.

    Returns:
        `BANDS` + 1 arrays of shape (N, J, C, C).
    """
    knots, samples = blocks.shape[:2]
    flat = blocks.reshape(knots, samples, -1)
    bands = []
    for offset in range(BANDS + 1):
        band = np.zeros((knots, flat.shape[-1]))
        for first in range(4 - offset):
            weights = basis[:, first] * basis[:, first + offset]
            band += np.roll(np.einsum("s,nsx->nx", weights, flat), first - 1, axis=0)
        bands.append(band.reshape(knots, *blocks.shape[2:]))
    return bands


def _smoothness(costs: Floats, knots: int, duration: float) -> list[Floats]:
    """Entries of the normal matrix for squared second differences, for 0, 1 and 2 values after."""
    scale = costs * (knots / duration) ** 4
    return [6.0 * scale, -4.0 * scale, scale]


def solve_cyclic(bands: list[Floats], right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block-banded matrix.

    Successive blocks are joined to larger ones, so that A is block tridiagonal but for its corners;
    all but the last are eliminated in turn (the block Thomas algorithm), and with them its border.

    Args:
        bands: as from `_bands`: `BANDS` + 1 arrays of shape (N, J, C, C).
        right: b, shape (N, J, C).
    """
    knots, jugglers, channels = right.shape
    size = BANDS * channels
    count = knots // BANDS
    right = (
        right.reshape(count, BANDS, jugglers, channels)
        .swapaxes(1, 2)
        .reshape(count, jugglers, size)
    )
    diagonal = np.zeros((count, jugglers, BANDS, channels, BANDS, channels))
    upper = np.zeros_like(diagonal)
    for offset, band in enumerate(bands):
        band = band.reshape(count, BANDS, jugglers, channels, channels)
        for row in range(BANDS):
            block = band[:, row]
            column = row + offset
            if column < BANDS:
                diagonal[:, :, row, :, column] += block
                if offset:
                    diagonal[:, :, column, :, row] += block.swapaxes(-1, -2)
            else:
                upper[:, :, row, :, column - BANDS] += block
    diagonal = diagonal.reshape(count, jugglers, size, size)
    upper = upper.reshape(count, jugglers, size, size)
    if count == 1:
        whole = diagonal[0] + upper[0] + upper[0].swapaxes(-1, -2)
        solved = np.linalg.solve(whole, right[0][..., None])[None]
    else:
        solved = _solve_bordered(diagonal, upper, right[..., None])
    return (
        solved[..., 0]
        .reshape(count, jugglers, BANDS, channels)
        .swapaxes(1, 2)
        .reshape(knots, jugglers, channels)
    )


def _solve_bordered(diagonal: Floats, upper: Floats, right: Floats) -> Floats:
    """Solve a symmetric block tridiagonal system with corners, the last block as its border."""
    last = len(diagonal) - 1
    size = diagonal.shape[-1]
    # Columns: the right side, then the border's.
    columns = np.zeros((last, *right.shape[1:-1], 1 + size))
    columns[..., :1] = right[:last]
    columns[0, ..., 1:] += upper[last].swapaxes(-1, -2)
    columns[last - 1, ..., 1:] += upper[last - 1]
    border = columns[..., 1:].copy()
    # Forward elimination: pivots and what each row has of the next one.
    following = np.empty_like(upper[:last])
    for row in range(last):
        pivot = diagonal[row]
        if row:
            below = upper[row - 1].swapaxes(-1, -2)
            pivot = pivot - below @ following[row - 1]
            columns[row] -= below @ columns[row - 1]
        both = np.linalg.solve(pivot, np.concatenate([columns[row], upper[row]], axis=-1))
        columns[row] = both[..., : 1 + size]
        following[row] = both[..., 1 + size :]
    for row in range(last - 2, -1, -1):
        columns[row] -= following[row] @ columns[row + 1]
    reduced = diagonal[last].copy()
    rest = right[last].copy()
    for row in {0, last - 1}:
        reduced -= border[row].swapaxes(-1, -2) @ columns[row, ..., 1:]
        rest -= border[row].swapaxes(-1, -2) @ columns[row, ..., :1]
    end = np.linalg.solve(reduced, rest)
    inner = columns[..., :1] - columns[..., 1:] @ end
    return np.concatenate([inner, end[None]])
