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

# Marquardt's damping of a first step, as a share of the diagonal of the normal matrix.
_DAMPING = 1e-3

# The damping is divided by this factor after a step that helps, and multiplied by its square after
# one that does not.
_DAMPING_STEP = 4.0

_TRIES = 3  # steps in a row that do not help, after which the search ends for a juggler

_MIRROR_AXES = np.array([-1.0, 1.0, 1.0])
_SAME = 1e-6  # m or rad, by which an image may be off


def _basis(samples: int) -> Floats:
    """Weights of four control values at the moments of an interval, shape (`samples`, 4)."""
    return _basis_at(np.arange(samples) / samples)


def _basis_at(share: Floats) -> Floats:
    """Weights of four control values of a uniform cubic B-spline, shape (N,) to (N, 4).

    Args:
        share: of the interval between two knots, 0 to 1. The control values are those of the knot
            before it, of its two ends, and of the knot after it.

    Returns:
        Weights of these four, whose sum is 1: the four pieces of the cubic B-spline.
    """
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
    """How channels and points of a body change in its mirror image.

    A loop whose second half mirrors the first is planned by the first alone, after which the spline
    goes on as its mirror image.

    Args:
        channels: shape (C,): channel k of the image is, but for its sign, channel `channels[k]`.
        signs: shape (C,), the sign of each channel of the image, 1 or −1.
        points: slice that puts E points in the order of their images: reversed for a mirror, as
            left and right change.
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
    def mirrors(self) -> bool:
        """Whether it mirrors at all."""
        return self.points.step == -1

    def image_of_channels(self, values: Floats) -> Floats:
        """The image of values, shape (..., C)."""
        if not self.mirrors:
            return values
        return values[..., self.channels] * self.signs

    def image_of_points(self, places: Floats) -> Floats:
        """The image of points, shape (..., E, 3)."""
        if not self.mirrors:
            return places
        return places[..., self.points, :] * self.axes

    def image_of_slopes(self, slopes: Floats) -> Floats:
        """The image of derivatives of points by channels, shape (..., C, E, 3)."""
        by_channel = slopes[..., self.channels, :, :] * self.signs[:, None, None]
        return self.image_of_points(by_channel)

    def whole(self, controls: Floats) -> Floats:
        """Control values of the whole loop, shape (N, J, C) to (N or 2N, J, C)."""
        return (
            np.concatenate([controls, self.image_of_channels(controls)])
            if self.mirrors
            else controls
        )

    def extended(self, values: Floats, before: int, after: int) -> Floats:
        """Extend values beyond both ends of the loop by their images.

        Args:
            values: at even times, shape (N, ..., C).
            before, after: how many of the last values go before the first, and how many of the
                first ones after the last.

        Returns:
            Shape (before + N + after, ..., C).
        """
        return np.concatenate(
            [
                self.image_of_channels(values[len(values) - before :]),
                values,
                self.image_of_channels(values[:after]),
            ]
        )


def mirrored_halves(points: Floats, turns: Floats) -> Booleans:
    """Whether the second half of a loop is the mirror image of the first, for each of J bodies.

    Args:
        points: of each body at T even times, left side first, so that reversing their order
            exchanges left and right, shape (T, J, E, 3), [m].
        turns: other numbers of both sides, which are the same on both, shape (T, J, E, R).

    Returns:
        Shape (J,).
    """
    half = len(points) // 2
    point_error = np.abs(points[half:] - points[:half, :, ::-1] * _MIRROR_AXES)
    turn_error = np.abs(turns[half:] - turns[:half, :, ::-1])
    return np.maximum(point_error.max(axis=(0, 2, 3)), turn_error.max(axis=(0, 2, 3))) < _SAME


class Stretch(NamedTuple):
    """A loop that is planned as a whole, or a stretch of one that is planned as if it were a loop.

    Args:
        knots: of its splines.
        duration: [s].
        start: when it begins, [s].
        closing: how many of the last intervals between knots only lead back to the beginning:
            nothing is asked of bodies then. 0 for a whole loop.
    """

    knots: int
    duration: float
    start: float = 0.0
    closing: int = 0

    def times(self, samples: int) -> Floats:
        """Even moments, a number of them in each interval, shape (knots · samples,), [s]."""
        count = self.knots * samples
        return self.start + np.arange(float(count)) * (self.duration / count)

    def finer(self, factor: int) -> Stretch:
        """Return the same stretch with so many times as many knots."""
        return self._replace(knots=factor * self.knots, closing=factor * self.closing)

    def asked(self, samples: int) -> Booleans:
        """At which of these moments something is asked of bodies, shape (knots · samples,).

        At the first one of a stretch nothing is, as what is before it belongs to another moment.
        """
        asked = np.ones(self.knots * samples, dtype=bool)
        if self.closing:
            asked[0] = False
            asked[-self.closing * samples :] = False
        return asked


class Residuals(NamedTuple):
    """How far T moments of J jugglers are from what is asked of them.

    Args:
        tasks: residuals of tasks, shape (T, J, R).
        limits: residuals of limits, likewise with another R; they are multiplied by the firmness of
            the limits.
        points: places of E points whose acceleration is limited, shape (T, J, E, 3), [m]; None if
            there are none.
    """

    tasks: Floats
    limits: Floats
    points: Floats | None = None

    def of_jugglers(self, jugglers: Integers) -> Residuals:
        """The residuals of some jugglers, by their indices, shape (K,)."""
        points = None if self.points is None else self.points[:, jugglers]
        return Residuals(self.tasks[:, jugglers], self.limits[:, jugglers], points)

    def with_jugglers(self, jugglers: Integers, others: Residuals) -> Residuals:
        """A copy in which some jugglers, by their indices, shape (K,), have other residuals."""
        points = self.points
        if points is not None and others.points is not None:
            points = _replaced(points, jugglers, others.points)
        return Residuals(
            _replaced(self.tasks, jugglers, others.tasks),
            _replaced(self.limits, jugglers, others.limits),
            points,
        )


def _replaced(values: Floats, jugglers: Integers, others: Floats) -> Floats:
    """Copy values, with those of some jugglers, shape (K,), replaced along the second axis."""
    replaced = values.copy()
    replaced[:, jugglers] = others
    return replaced


class Products(NamedTuple):
    """Products of the derivatives of residuals by C channels, at each moment.

    With D the matrix of derivatives, channels by residuals, and r the residuals (limits times their
    firmness):

    Args:
        squares: D Dᵀ, shape (T, J, C, C).
        pull: D r, half the gradient of the sum of squares, shape (T, J, C).
        points: derivatives of the points, shape (T, J, C, E, 3), [m]; None if there are none.
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
            firmness: factor of the residuals of limits, 0 to 1.
            hurried: shape (T, J), where derivatives of points are needed, as they accelerate too
                fast.
        """

    def of_jugglers(self, jugglers: Integers) -> Problem:
        """The problem of some jugglers, by their indices, shape (K,)."""


class AccelerationLimit(NamedTuple):
    """How fast points may accelerate, and the excess that counts as 1, [m/s²]."""

    most: float
    excess: float


class Stage(NamedTuple):
    """A number of steps of the search, with limits of one firmness.

    Args:
        firmness: factor of the residuals of limits, 0 to 1.
        steps: largest number of steps.
        least_gain: the search ends for a juggler when a step gains less, or is expected to gain
            less, than this share of (1 + the juggler's cost).
    """

    firmness: float
    steps: int
    least_gain: float


class Solution(NamedTuple):
    """A spline of least squares, for J jugglers.

    Args:
        controls: its control values, shape (N, J, C).
        missed: the residuals that are left.
        cost: what is minimised, for each juggler, shape (J,).
        is_done: whether the search ended for each juggler since steps gained too little, shape
            (J,).
    """

    controls: Floats
    missed: Residuals
    cost: Floats
    is_done: Booleans

    def of_jugglers(self, jugglers: Integers) -> Solution:
        """The solution of some jugglers, by their indices, shape (K,), which may repeat."""
        return Solution(
            self.controls[:, jugglers],
            self.missed.of_jugglers(jugglers),
            self.cost[jugglers],
            self.is_done[jugglers],
        )

    def with_jugglers(self, jugglers: Integers, others: Solution) -> Solution:
        """Copy this solution, with some jugglers replaced.

        Args:
            jugglers: indices of those, shape (K,).
            others: the new solutions of these K jugglers, in the same order.
        """
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
    asked: Booleans | None = None,
) -> Solution:
    """Find the periodic cubic B-spline of least mean squared residuals.

    The cost is the sum of squares of residuals, as a mean over the moments of each interval, plus
    the weighted squares of second derivatives. Gauss–Newton steps with Marquardt's damping lower
    it.

    Args:
        problem: the residuals at `samples` moments in each interval, from the first knot on.
        controls: control values from which the search begins, shape (N, J, C), N a multiple of
            `BANDS`.
        duration: of the loop, or of its half that is mirrored, [s].
        acceleration_costs: weights of the square of the second derivative of each channel, shape
            (C,).
        stages: carried out one after another.
        limit: of the accelerations of the problem's points; None for no limit.
        samples: number of moments in each interval.
        damping: Marquardt's, of the first step of each stage.
        largest_step: the most by which a step changes a control value.
        mirror: how the spline goes on after the duration, as its mirror image; None for a whole
            loop.
        asked: at which moments residuals count, as of `Stretch`, shape (T,); None for all.
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
        share=None if asked is None or asked.all() else asked[:, None].astype(float),
    )
    missed = problem.residuals(search.values(controls))
    solution = Solution(controls, missed, np.zeros(jugglers), np.zeros(jugglers, dtype=bool))
    for stage in stages:
        solution = search.descend(solution, np.full((knots, jugglers), damping), stage)
    return solution


@dataclass(frozen=True)
class _Search:
    """The search for the spline of least squares.

    Args:
        problem, limit, largest_step, mirror: as of `least_squares`.
        smooth: weights of second differences, as from `_smoothness`.
        basis: weights of control values at the moments of an interval, as from `_basis`.
        period: time from each moment to the next, [s].
        share: by which residuals of moments count, 0 or 1, shape (T, 1); None for all.
    """

    problem: Problem
    smooth: list[Floats]
    basis: Floats
    period: float
    limit: AccelerationLimit | None
    largest_step: float
    mirror: Mirror
    share: Floats | None

    def values(self, controls: Floats) -> Floats:
        """Values of the spline at the moments, shape (N, J, C) to (T, J, C)."""
        # For each interval the four control values on which it depends, shape (N, 4, J · C).
        knots = len(controls)
        extended = self.mirror.extended(controls, 1, 2).reshape(knots + BANDS, -1)
        controls_of_interval = extended[np.arange(knots)[:, None] + np.arange(BANDS + 1)]
        return (self.basis @ controls_of_interval).reshape(-1, *controls.shape[1:])

    def descend(self, start: Solution, dampings: Floats, stage: Stage) -> Solution:
        """Carry out the steps of a stage.

        A step is kept for the jugglers whose cost it does not raise. The search of a juggler ends
        when a step gains too little, or when several in a row have not helped.

        Args:
            start: control values and their residuals; cost and flags are not read.
            dampings: Marquardt's damping at each knot, shape (N, J).
            stage: the firmness of the limits, and how many steps.
        """
        controls = start.controls
        missed = start.missed
        jugglers = controls.shape[1]
        costs = self._costs_by_knot(controls, missed, stage.firmness)
        failures = np.zeros(jugglers, dtype=int)
        is_done = np.zeros(jugglers, dtype=bool)
        for step in range(stage.steps):
            # Costs, and the least gain that is worth a step, of each juggler.
            cost = costs.sum(axis=0)
            least_gain = stage.least_gain * (1.0 + cost)
            is_done = cost < least_gain
            if (is_done | (failures >= _TRIES)).all():
                break
            # After a step that helped nobody, only the damping is new.
            if not failures.all():
                normal, gradient = self._normal_equations(controls, missed, stage.firmness)
            damped = normal[0].copy()
            diagonal = np.einsum("njcc->njc", damped)  # a view
            diagonal += dampings[..., None] * diagonal
            change = solve_cyclic([damped, *normal[1:]], gradient)
            # The gain that the quadratic model of the cost expects: with g half the gradient and
            # the step −x it is 2 g·x − xᵀ A x, which is g·x where A x = g.
            is_done |= (change * gradient).sum(axis=(0, 2)) < least_gain
            if (is_done | (failures >= _TRIES)).all():
                break
            new_controls = controls - np.clip(change, -self.largest_step, self.largest_step)
            new_missed = self.problem.residuals(self.values(new_controls))
            new_costs = self._costs_by_knot(new_controls, new_missed, stage.firmness)
            new_cost = new_costs.sum(axis=0)
            is_better = new_cost <= cost
            # The next step is shorter only around knots where the cost has grown.
            has_grown = _summed_around(new_costs - costs) > 0.0
            dampings = np.where(
                has_grown,
                dampings * _DAMPING_STEP**2,
                np.where(is_better, dampings / _DAMPING_STEP, dampings),
            )
            failures = np.where(is_better, 0, failures + 1)
            is_done |= is_better & (new_cost >= cost - least_gain)
            controls = np.where(is_better[:, None], new_controls, controls)
            missed = _chosen(is_better, new_missed, missed)
            costs = np.where(is_better, new_costs, costs)
            remaining = np.flatnonzero(~is_done & (failures < _TRIES))
            if not remaining.size:
                break
            # Once half of the jugglers or fewer remain, they go on as a problem of their own.
            if 2 * remaining.size <= jugglers:
                solution = Solution(controls, missed, costs.sum(axis=0), is_done)
                remaining_solution = replace(
                    self, problem=self.problem.of_jugglers(remaining)
                ).descend(
                    solution.of_jugglers(remaining),
                    dampings[:, remaining],
                    stage._replace(steps=stage.steps - step - 1),
                )
                return solution.with_jugglers(remaining, remaining_solution)
        return Solution(controls, missed, costs.sum(axis=0), is_done)

    def _smoothness_gradient(self, controls: Floats) -> Floats:
        """Half the derivative of the cost of second differences by the control values, (N, J, C).

        That is the symmetric matrix of `_smoothness`, times the control values.

        Args:
            controls: control values, shape (N, J, C); beyond both ends they go on as their images.
        """
        # It begins two knots before the first one. The matrix is symmetric, so that the values
        # `offset` knots after and before each count alike.
        extended = self.mirror.extended(controls, 2, 2)
        gradient = self.smooth[0] * controls
        for offset, costs in enumerate(self.smooth[1:], 1):
            gradient += costs * (
                extended[2 + offset :][: len(controls)] + extended[2 - offset :][: len(controls)]
            )
        return gradient

    def _costs_by_knot(self, controls: Floats, missed: Residuals, firmness: float) -> Floats:
        """What the spline of each juggler costs, divided among the knots, shape (N, J).

        A knot has the cost of second differences of its control value, and the mean of the squared
        residuals over the moments of the interval after it.

        Args:
            controls: control values, shape (N, J, C).
            missed: their residuals.
            firmness: factor of the residuals of limits.
        """
        # Second differences cost the quadratic form xᵀ A x, in which the part of a knot is the
        # product of its control value and its row of A x, half the gradient.
        samples = len(self.basis)
        total = (controls * self._smoothness_gradient(controls)).sum(axis=2)
        # The mean over an interval of the squared residuals, of which those of limits count
        # `firmness` times each; moments at which nothing is asked count 0.
        by_moment = np.einsum("tjr,tjr->tj", missed.tasks, missed.tasks)
        by_moment += firmness**2 * np.einsum("tjr,tjr->tj", missed.limits, missed.limits)
        if self.share is not None:
            by_moment *= self.share
        total += by_moment.reshape(-1, samples, total.shape[1]).sum(axis=1) / samples
        if self.limit and missed.points is not None:
            excess = self._accelerations(missed.points, self.limit).excess
            total += (excess**2).sum(axis=(1, 3)) / samples
        return np.asarray(total)

    def _normal_equations(
        self, controls: Floats, missed: Residuals, firmness: float
    ) -> tuple[list[Floats], Floats]:
        """Return the normal matrix of a Gauss–Newton step, and half the gradient of the cost.

        Args:
            controls: control values, shape (N, J, C).
            missed: their residuals.
            firmness: factor of the residuals of limits.

        Returns:
            The matrix in bands, as `solve_cyclic` takes it, and the gradient, shape (N, J, C).
        """
        samples = len(self.basis)
        knots = len(controls)
        accelerations = None
        hurried = np.zeros(missed.tasks.shape[:2], dtype=bool)
        if self.limit and missed.points is not None:
            accelerations = self._accelerations(missed.points, self.limit)
            hurried = accelerations.hurried
        # Products by the values of the spline at each moment; moments at which nothing is asked
        # count 0.
        products = self.problem.products(self.values(controls), missed, firmness, hurried)
        if self.share is not None:
            share = self.share[..., None]
            products = Products(
                products.squares * share[..., None], products.pull * share, products.points
            )
        # The basis enters the matrix squared. Divided by √samples, it turns sums over the moments
        # of an interval into means.
        bands = _bands(products.squares, self.basis / np.sqrt(samples), self.mirror)
        # From moments to control values: weighted by the basis, and summed over the intervals that
        # share a control value. Control values beyond the ends are images of others.
        pull = products.pull.reshape(knots, samples, -1) / samples
        total = _summed_by_control(self.basis.T @ pull).reshape(-1, *controls.shape[1:])
        gradient = _with_images_folded(
            total, *map(self.mirror.image_of_channels, (total[:1], total[knots + 1 :]))
        )
        gradient += self._smoothness_gradient(controls)
        if accelerations and products.points is not None:
            accelerations.add_to_normal_equations(
                bands, gradient, products.points, self.basis, self.mirror
            )
        # Second differences are of each channel alone. Rows from `wrapped` on have their column
        # beyond the end, where it is the image of another channel.
        channels = np.arange(controls.shape[2])
        for offset, smoothness in enumerate(self.smooth):
            wrapped = knots - offset
            bands[offset][:wrapped, :, channels, channels] += smoothness
            bands[offset][wrapped:, :, channels, self.mirror.channels] += (
                smoothness * self.mirror.signs
            )
        return bands, gradient

    def _accelerations(self, points: Floats, limit: AccelerationLimit) -> _Accelerations:
        """Accelerations of points beyond a limit, as far as they are asked for.

        Args:
            points: at the moments, shape (T, J, E, 3), [m].
            limit: that they should keep.
        """
        limited = _Accelerations.of(points, limit, self.period, len(self.basis), self.mirror)
        if self.share is not None:
            # An interval has its knot, of which no acceleration is limited, and then the moments.
            knots, moments = limited.excess.shape[:2]
            share = self.share.reshape(knots, moments + 1, 1, 1)[:, 1:]
            limited = replace(limited, excess=limited.excess * share)
        return limited


def _summed_around(costs: Floats) -> Floats:
    """Sum costs over `BANDS` knots to either side of each, around the loop, shape (N, J)."""
    extended = np.concatenate([costs[-BANDS:], costs, costs[:BANDS]])
    shifts = range(2 * BANDS + 1)
    return np.sum([extended[shift : shift + len(costs)] for shift in shifts], axis=0)


def _chosen(takes_new: Booleans, new: Residuals, old: Residuals) -> Residuals:
    """Take the new residuals of some jugglers, and the old ones of the others.

    Args:
        takes_new: shape (J,).
        new, old: residuals of J jugglers.
    """
    if takes_new.all():
        return new

    def chosen(new_values: Floats, old_values: Floats) -> Floats:
        """Choose along the second axis, that of the jugglers."""
        choice = takes_new.reshape(-1, *(1,) * (new_values.ndim - 2))
        return np.where(choice, new_values, old_values)

    points = None
    if new.points is not None and old.points is not None:
        points = chosen(new.points, old.points)
    return Residuals(chosen(new.tasks, old.tasks), chosen(new.limits, old.limits), points)


def accelerations(points: Floats, period: float, mirror: Mirror) -> Floats:
    """Sizes of the accelerations of points at even moments, shape (T, ..., E), [m/s²].

    Args:
        points: shape (T, ..., E, 3), [m].
        period: time from moment to moment, [s].
        mirror: how the motion goes on beyond both ends.
    """
    return np.asarray(norm(_second_differences(points, mirror))[..., 0] / (period * period))


def _second_differences(points: Floats, mirror: Mirror) -> Floats:
    """Second differences of points at even moments, x₋ − 2x + x₊, of the shape (T, ..., E, 3)."""
    before = mirror.image_of_points(points[-1:])
    after = mirror.image_of_points(points[:1])
    steps = np.diff(points, axis=0, prepend=before, append=after)
    return np.diff(steps, axis=0)


@dataclass(frozen=True)
class _Accelerations:
    """Second differences of points around the moments within intervals, not at the knots: these
    depend on four control values.

    Args:
        directions: unit vectors of the accelerations, shape (N, `samples` − 1, J, E, 3).
        excess: how much faster points accelerate than the limit, over its `excess`, shape (N,
            `samples` − 1, J, E); 0 within the limit.
        scale: factor from a second difference, [m], to an acceleration in the same unit, [1/m].
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
        """Moments whose places an excess depends on, shape (T, J): its own and both neighbours."""
        knots, moments, jugglers = self.excess.shape[:3]
        has_excess = np.zeros((knots, moments + 1, jugglers), dtype=bool)
        has_excess[:, 1:] = (self.excess > 0.0).any(axis=-1)
        flat = has_excess.reshape(-1, jugglers)
        return np.logical_or.reduce([np.roll(flat, shift, axis=0) for shift in (-1, 0, 1)])

    def add_to_normal_equations(
        self,
        bands: list[Floats],
        gradient: Floats,
        slopes: Floats,
        basis: Floats,
        mirror: Mirror,
    ) -> None:
        """Add what accelerations beyond the limit contribute to the normal equations.

        An excess e depends on the point at three successive moments, and so on the four control
        values of its interval. With d_0 to d_3 its derivatives by these, it adds e d_i to the
        gradient of control value i, and the product of d_i and transposed d_j to the block of the
        normal matrix in row i and column j; each divided by the number of moments of an interval,
        over which residuals are means.

        Args:
            bands: the normal matrix, as from `_bands`: array k has the blocks in row i and column
                i + k, shape (N, J, C, C); changed in place.
            gradient: half the gradient of the cost, shape (N, J, C); changed in place.
            slopes: derivatives of the points by the channels, shape (T, J, C, E, 3), [m].
            basis: weights of control values, as from `_basis`.
            mirror: as of `least_squares`.
        """
        samples = len(basis)
        knots = len(self.excess)
        jugglers = slopes.shape[1]
        interval, juggler, moment, point = np.nonzero(self.excess.swapaxes(1, 2))
        if not interval.size:
            return
        excess = self.excess[interval, moment, juggler, point]
        direction = self.directions[interval, moment, juggler, point]
        channels = slopes.shape[2]
        # Derivatives of M excesses by the four control values of their intervals, shape (M, 4, C):
        # the second difference x₋ − 2x + x₊ along its direction, scaled, times the weights of the
        # control values at the three moments. Column k of `excess` is the moment k + 1 of the
        # interval; the moment at its end, with the last of the `weights`, is the first one of the
        # next interval.
        control_slopes = np.zeros((len(excess), 4, channels))
        weights = np.concatenate([basis, _basis_at(np.ones(1))])
        centre = interval * samples + moment + 1
        slopes = np.concatenate([slopes, mirror.image_of_slopes(slopes[:1])])
        for shift, factor in ((-1, 1.0), (0, -2.0), (1, 1.0)):
            slope = slopes[centre + shift, juggler, :, point]
            slope_along = factor * self.scale * (slope @ direction[..., None])[..., 0]
            control_slopes += weights[moment + 1 + shift, :, None] * slope_along[:, None]
        # The four control values of interval i are i − 1 to i + 2. Those beyond the ends of the
        # loop are images of others.
        is_outside = (interval[:, None] + np.arange(-1, 3)) // knots != 0
        control_slopes[is_outside] = mirror.image_of_channels(control_slopes[is_outside])
        # Excesses of one interval of a juggler stand in a row, and are summed first: so none of the
        # places in which the sums are added occurs twice.
        # Only the upper half of the symmetric matrix is kept, so the second control value of a pair
        # is not before the first.
        begins = np.flatnonzero(np.diff(interval * jugglers + juggler, prepend=-1))
        pull = np.add.reduceat(control_slopes * excess[:, None, None], begins) / samples
        for first in range(4):
            place = (interval[begins] + first - 1) % knots, juggler[begins]
            gradient[place] += pull[:, first]
            for second in range(first, 4):
                blocks = control_slopes[:, first, :, None] * control_slopes[:, second, None, :]
                bands[second - first][place] += np.add.reduceat(blocks, begins) / samples


def _summed_by_control(parts: Floats) -> Floats:
    """Sum what intervals contribute to the control values on which they depend.

    Args:
        parts: contributions of N intervals, shape (N, K, ...), K up to `BANDS` + 1: interval i
            contributes part k to control value i + k − 1.

    Returns:
        Sums for the control values −1 to N + 1, that is, from one before the first to two after the
        last, shape (N + `BANDS`, ...).
    """
    knots = len(parts)
    total = np.zeros((knots + BANDS, *parts.shape[2:]))
    for offset in range(parts.shape[1]):
        total[offset : offset + knots] += parts[:, offset]
    return total


def _with_images_folded(total: Floats, before: Floats, after: Floats) -> Floats:
    """Add the sums of control values beyond the ends to those of whose images they are.

    Args:
        total: as from `_summed_by_control`, shape (N + `BANDS`, ...); changed in place.
        before: image of the sum of the value before the first, which is that of the last, shape (1,
            ...).
        after: images of the sums of the two values after the last, which are those of the first
            two, shape (2, ...).

    Returns:
        Shape (N, ...).
    """
    knots = len(total) - BANDS
    total[knots] += before[0]
    total[1:BANDS] += after
    return total[1 : knots + 1]


def _bands(blocks: Floats, basis: Floats, mirror: Mirror) -> list[Floats]:
    """Return the blocks of the normal matrix for each control value and those up to 3 after it.

    The matrix is symmetric, so the blocks for control values before it are the transposes.

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
        total[offset] = _summed_by_control(weights.T @ flat).reshape(total.shape[1:])
    # Control values beyond the ends (index 0 and those after `knots`) are images of others: first
    # the columns of their blocks are turned into those of these, then the rows.
    column = np.arange(BANDS + 1)[:, None] + np.arange(knots + BANDS)
    is_outside = (column < 1) | (column > knots)
    total[is_outside] = mirror.image_of_channels(total[is_outside])
    outside_rows = [0, *range(knots + 1, knots + BANDS)]
    images = mirror.image_of_channels(total[:, outside_rows].swapaxes(-1, -2)).swapaxes(-1, -2)
    return [
        _with_images_folded(sums, image[:1], image[1:])
        for sums, image in zip(total, images, strict=True)
    ]


def _smoothness(costs: Floats, knots: int, duration: float) -> list[Floats]:
    """Entries of the normal matrix for squared second derivatives of the spline.

    The second derivative at a knot is the second difference 1, −2, 1 of control values, over the
    square of the time between knots. Squares of these, summed around the loop, have the matrix
    entries 6, −4 and 1.

    Args:
        costs: weight of each channel, shape (C,).
        knots: number of knots in the duration.
        duration: [s].

    Returns:
        For a control value with itself, the next and the one after that, shape (C,) each.
    """
    scale = costs * (knots / duration) ** 4
    return [6.0 * scale, -4.0 * scale, scale]


def solve_cyclic(bands: list[Floats], right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block-banded matrix.

    `BANDS` successive blocks are joined to a larger one, so that A is cyclic block tridiagonal.
    Every other one is eliminated, all of them at once, until one is left (cyclic reduction: R. W.
    Hockney, "A fast direct solution of Poisson's equation using Fourier analysis", 1965).

    Args:
        bands: the upper half of A, as from `_bands`: `BANDS` + 1 arrays of shape (N, J, C, C), of
            which array k has the blocks in row i and column i + k. N is a multiple of `BANDS`.
        right: b, shape (N, J, C).

    Returns:
        x, shape (N, J, C).
    """
    # `count` large rows and columns of `BANDS` small ones each: a block at the small column
    # row + offset is in the same large block, on the diagonal, or in the next one to the right.
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
                # Symmetric: only the upper half is given.
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
        upper: of each block row, the block in the column of the next row, likewise; of the last
            row that in the column of the first.
        right: shape (N, ..., S, 1).

    Returns:
        The unknowns, shape (N, ..., S, 1).
    """
    count = len(diagonal)
    if count == 1:
        # A single row is its own next one and its own last one.
        whole = diagonal[0] + upper[0] + upper[0].swapaxes(-1, -2)
        return np.linalg.solve(whole, right[0])[None]
    size = diagonal.shape[-1]
    # Each odd row r is x = D⁻¹ (b − U₋ᵀ x₋ − U x₊), in terms of the even ones before and after.
    # `eliminated` has D⁻¹ U₋ᵀ, D⁻¹ b and D⁻¹ U side by side.
    before = upper[:-1:2]
    after = upper[1::2]
    eliminated = np.linalg.solve(
        diagonal[1::2],
        np.concatenate([before.swapaxes(-1, -2), right[1::2], after], axis=-1),
    )
    of_before = eliminated[..., :size]
    of_right = eliminated[..., size : size + 1]
    of_after = eliminated[..., size + 1 :]
    # What is subtracted from the even rows before and after each odd one.
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
