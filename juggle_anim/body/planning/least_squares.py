"""Nonlinear least squares over a periodic B-spline, by the Gauss–Newton method.

The residuals of a moment depend on the values of the spline at that moment alone, so on four
successive control values. The normal matrix is therefore cyclic and banded, and is solved in a time
proportional to the length of the loop.
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
"""How many control values after one influence a moment that it influences, too: the bandwidth."""

# Marquardt's damping of a first step, as a share of the diagonal of the normal matrix.
_DAMPING = 1e-3

# The damping is divided by this factor after a step that helps, and multiplied by its square after
# one that does not.
_DAMPING_STEP = 4.0

_SOFTENING_SIZE = 10.0  # residual of a limit from which on it grows with the square root only

_MAX_FAILURES = 3  # steps in a row that do not help, after which the search ends for a juggler

_MIRROR_SIGNS = np.array([-1.0, 1.0, 1.0])
_MIRROR_TOLERANCE = 1e-6  # m or rad, by which an image may be off


def _basis(samples: int) -> Floats:
    """B-spline weights of four control values at even moments of an interval, (`samples`, 4)."""
    return _basis_at(np.arange(samples) / samples)


def _basis_at(share: Floats) -> Floats:
    """Return the weights of control values in a uniform cubic B-spline, at N places of an interval.

    Args:
        share: shape (N,), each place in the interval between knots k and k + 1, from 0 to 1.

    Returns:
        Shape (N, 4): weights of the control values of knots k − 1 to k + 2, whose sum is 1.
    """
    # The standard basis polynomials; that of knot k − 1 mirrors that of knot k + 2.
    remaining = 1.0 - share
    return (
        np.stack(
            [
                remaining**3,
                4.0 - 6.0 * share**2 + 3.0 * share**3,
                1.0 + 3.0 * (share + share**2 - share**3),
                share**3,
            ],
            axis=1,
        )
        / 6.0
    )


class Mirror(NamedTuple):
    """Maps channels and points of a body to those of its mirror image, with left and right swapped.

    Of a loop whose second half is the mirror image of the first, only the first half is planned;
    the spline goes on as the image of its first half.

    Args:
        channels: shape (C,): channel k of the image is `signs[k]` times channel `channels[k]`.
        signs: shape (C,), 1 or −1.
        points: slice that puts E points in the order of their images: reversed for a mirror, as
            left and right change.
        axes: signs of the coordinates x, y and z of points, shape (3,).
    """

    channels: Integers
    signs: Floats
    points: slice = slice(None, None, -1)
    axes: Floats = _MIRROR_SIGNS

    @staticmethod
    def none(channels: int) -> Mirror:
        """The identity map of C channels, for a loop that is planned as a whole."""
        return Mirror(np.arange(channels), np.ones(channels), slice(None), np.ones(3))

    @property
    def is_mirror(self) -> bool:
        """Whether the map is a mirror image: False for the identity."""
        return self.points.step == -1

    def image_of_channels(self, values: Floats) -> Floats:
        """Mirror images of channels, shape (..., C)."""
        if not self.is_mirror:
            return values
        return values[..., self.channels] * self.signs

    def image_of_points(self, places: Floats) -> Floats:
        """Mirror images of points, shape (..., E, 3)."""
        if not self.is_mirror:
            return places
        return places[..., self.points, :] * self.axes

    def image_of_jacobian(self, jacobian: Floats) -> Floats:
        """Mirror images of derivatives of points by channels, shape (..., C, E, 3)."""
        by_channel = jacobian[..., self.channels, :, :] * self.signs[:, None, None]
        return self.image_of_points(by_channel)

    def whole(self, controls: Floats) -> Floats:
        """Append the mirror image to control values of half a loop, (N, J, C) to (2N, J, C).

        Without a mirror, `controls` are those of the whole loop already.
        """
        if not self.is_mirror:
            return controls
        return np.concatenate([controls, self.image_of_channels(controls)])

    def extended(self, values: Floats, before: int, after: int) -> Floats:
        """Pad values periodically beyond both ends; if a half of the loop is planned, with images.

        Args:
            values: values of C channels at N even times of the loop, or of its first half, shape
                (N, ..., C).
            before, after: how many of the last values are put before the first, and how many of the
                first values after the last; in half a loop their mirror images.

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
    """Return whether the second half of each body's loop mirrors the first, shape (J,).

    Args:
        points: E points of each of J bodies at T even times, shape (T, J, E, 3), [m]; reversing
            their order must exchange left and right.
        turns: R numbers for each point that mirroring does not change, such as yaw outward, pitch
            and roll of a hand, shape (T, J, E, R).
    """
    # Compare each moment of the second half with the image of the same moment of the first.
    half = len(points) // 2
    point_error = np.abs(points[half:] - points[:half, :, ::-1] * _MIRROR_SIGNS)
    turn_error = np.abs(turns[half:] - turns[:half, :, ::-1])
    largest = np.maximum(point_error.max(axis=(0, 2, 3)), turn_error.max(axis=(0, 2, 3)))
    return largest < _MIRROR_TOLERANCE


class Stretch(NamedTuple):
    """The time span of a plan: a whole loop, or a part of one that is planned as if it were a loop.

    Args:
        knots: number of knots of the splines.
        duration: [s].
        start: when the span begins, [s].
        closing: number of intervals between knots, at the end, in which the splines of a part only
            return to their beginning, and no residual counts. 0 for a whole loop.
    """

    knots: int
    duration: float
    start: float = 0.0
    closing: int = 0

    def times(self, samples: int) -> Floats:
        """Even times with `samples` in each interval, from its knot on, (knots · samples,), [s]."""
        count = self.knots * samples
        return self.start + np.arange(float(count)) * (self.duration / count)

    def finer(self, factor: int) -> Stretch:
        """Return the same time span with `factor` times as many knots."""
        return self._replace(knots=factor * self.knots, closing=factor * self.closing)

    def counted(self, samples: int) -> Booleans:
        """At which of `times(samples)` residuals count, shape (knots · samples,).

        That is at all times of a whole loop. Of a part, neither the closing intervals count nor the
        first moment, since the moment before it is not the one before it in the loop.
        """
        counted = np.ones(self.knots * samples, dtype=bool)
        if self.closing:
            counted[0] = False
            counted[-self.closing * samples :] = False
        return counted


class Residuals(NamedTuple):
    """Residuals of J jugglers at T moments, and the points whose accelerations are limited.

    Args:
        tasks: residuals of tasks, shape (T, J, R).
        limits: residuals of limits, shape (T, J, L), 0 within a limit; not yet multiplied by the
            weight of the limits.
        points: places of E points whose acceleration is limited, shape (T, J, E, 3), [m]; None if
            there are none.
    """

    tasks: Floats
    limits: Floats
    points: Floats | None = None

    def for_jugglers(self, jugglers: Integers) -> Residuals:
        """Select the residuals of K jugglers by their indices, shape (K,)."""
        points = None if self.points is None else self.points[:, jugglers]
        return Residuals(self.tasks[:, jugglers], self.limits[:, jugglers], points)

    def with_jugglers(self, jugglers: Integers, others: Residuals) -> Residuals:
        """Return a copy in which the residuals of K jugglers are replaced.

        Args:
            jugglers: indices of these jugglers, shape (K,).
            others: their new residuals, in the same order.
        """
        points = self.points
        if points is not None and others.points is not None:
            points = _with_replaced_jugglers(points, jugglers, others.points)
        return Residuals(
            _with_replaced_jugglers(self.tasks, jugglers, others.tasks),
            _with_replaced_jugglers(self.limits, jugglers, others.limits),
            points,
        )


def _with_replaced_jugglers(values: Floats, jugglers: Integers, others: Floats) -> Floats:
    """Copy an array and replace `[:, jugglers]`, shape (T, K, ...), by `others`."""
    replaced = values.copy()
    replaced[:, jugglers] = others
    return replaced


class NormalTerms(NamedTuple):
    """Terms of the normal equations at each moment, with respect to C channels.

    D is the transposed Jacobian, channels by residuals, and r the residuals; rows of limits are
    multiplied by their weight in both.

    Args:
        hessian: D Dᵀ, the Gauss–Newton approximation of half the Hessian, shape (T, J, C, C).
        gradient: D r, half the gradient of the sum of squares, shape (T, J, C).
        point_jacobian: derivatives of the points by the channels, shape (T, J, C, E, 3), [m]; None
            if no accelerations are limited.
    """

    hessian: Floats
    gradient: Floats
    point_jacobian: Floats | None = None


class Problem(Protocol):
    """A function from C channels of J jugglers at T even moments of a loop to residuals."""

    def residuals(self, values: Floats) -> Residuals:
        """Residuals, whose squares are summed, for values of the channels, shape (T, J, C)."""

    def normal_terms(
        self, values: Floats, residuals: Residuals, limit_weight: float, over_accelerated: Booleans
    ) -> NormalTerms:
        """Return the terms of the normal equations, from the derivatives of the residuals.

        Args:
            values: values of C channels of J jugglers at T moments, shape (T, J, C).
            residuals: the residuals at these values.
            limit_weight: factor of the residuals of limits, 0 to 1.
            over_accelerated: shape (T, J), where a point accelerates beyond its limit, or the point
                before or after does: there the derivatives of points are needed.
        """

    def for_jugglers(self, jugglers: Integers) -> Problem:
        """Select the problem of K jugglers by their indices, shape (K,)."""


class AccelerationLimit(NamedTuple):
    """Largest acceleration of points, and the excess over it that is a residual of 1, [m/s²]."""

    most: float
    excess: float


class Stage(NamedTuple):
    """Gauss–Newton steps with one weight of the limits.

    Args:
        limit_weight: factor of the residuals of limits, 0 to 1.
        steps: largest number of steps.
        min_gain: the search ends for a juggler when a step gains less, or is expected to gain
            less, than this share of (1 + the juggler's cost).
    """

    limit_weight: float
    steps: int
    min_gain: float


def soften(residuals: Floats, size: float = _SOFTENING_SIZE) -> Floats:
    """Residuals r as L (√(1 + 2 r / L) − 1), of any shape; the sign of r is kept.

    That is nearly r while r is far below L = `size`, and grows with the square root of r beyond, so
    that a limit that cannot be kept bends arms little farther than one that just can.
    """
    share = np.abs(residuals) / size
    return np.sign(residuals) * size * (np.sqrt(1.0 + 2.0 * share) - 1.0)


class Solution(NamedTuple):
    """The splines of J jugglers that a search has found.

    Args:
        controls: control values, shape (N, J, C).
        residuals: those of these splines.
        cost: the minimised sum of squares of each juggler, shape (J,).
        has_converged: for which jugglers the search ended as steps gained too little, shape (J,).
    """

    controls: Floats
    residuals: Residuals
    cost: Floats
    has_converged: Booleans

    def for_jugglers(self, jugglers: Integers) -> Solution:
        """Select the solutions of K jugglers by their indices, shape (K,), which may repeat."""
        return Solution(
            self.controls[:, jugglers],
            self.residuals.for_jugglers(jugglers),
            self.cost[jugglers],
            self.has_converged[jugglers],
        )

    def with_jugglers(self, jugglers: Integers, others: Solution) -> Solution:
        """Return a copy in which the solutions of K jugglers are replaced.

        Args:
            jugglers: indices of these jugglers, shape (K,).
            others: their new solutions, in the same order.
        """
        cost = self.cost.copy()
        cost[jugglers] = others.cost
        has_converged = self.has_converged.copy()
        has_converged[jugglers] = others.has_converged
        return Solution(
            _with_replaced_jugglers(self.controls, jugglers, others.controls),
            self.residuals.with_jugglers(jugglers, others.residuals),
            cost,
            has_converged,
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
    counted: Booleans | None = None,
) -> Solution:
    """Find the periodic cubic B-spline of each juggler with the least sum of squared residuals.

    An interval is the time from a knot of the spline to the next. Its cost is the mean of the
    squared residuals over its moments, plus weighted squares of second derivatives. The sum over
    the intervals is lowered by Gauss–Newton steps with Marquardt's damping.

    Args:
        problem: the residuals at `samples` moments in each interval, from the first knot on.
        controls: initial control values, shape (N, J, C) for N knots, a multiple of `BANDS`, J
            jugglers and C channels.
        duration: duration of the loop, or of the half of it that is planned, [s].
        acceleration_costs: weights of the square of the second derivative of each channel, shape
            (C,).
        stages: stages of the search, carried out one after another, each with its number of steps.
        limit: limit of the accelerations of the problem's points; None for no limit.
        samples: number of moments in each interval.
        damping: Marquardt's damping of the first step of each stage.
        largest_step: the most by which a step changes a control value.
        mirror: the mirror image as which the spline goes on after half a loop; None for a whole
            loop.
        counted: at which of the T moments residuals count, shape (T,); None for all.

    Returns:
        The control values, with their residuals and costs, and for which jugglers the search has
        converged.
    """
    knot_count, juggler_count, channel_count = controls.shape
    mirror = mirror or Mirror.none(channel_count)
    search = _Search(
        problem=problem,
        smoothness_bands=_smoothness(acceleration_costs, knot_count, duration),
        basis=_basis(samples),
        period=duration / (knot_count * samples),
        limit=limit,
        largest_step=largest_step,
        mirror=mirror,
        moment_weights=(
            None if counted is None or counted.all() else counted[:, None].astype(float)
        ),
    )
    solution = Solution(
        controls,
        residuals=problem.residuals(search.values(controls)),
        cost=np.zeros(juggler_count),  # not read by `descend`, as the flags are
        has_converged=np.zeros(juggler_count, dtype=bool),
    )
    for stage in stages:
        dampings = np.full((knot_count, juggler_count), damping)
        solution = search.descend(solution, dampings, stage)
    return solution


@dataclass(frozen=True)
class _Search:
    """The minimisation of `least_squares`.

    Args:
        problem, limit, largest_step, mirror: arguments of `least_squares`.
        smoothness_bands: entries of the normal matrix for second derivatives, from `_smoothness`.
        basis: B-spline weights of four control values at the moments of an interval, shape
            (samples, 4).
        period: time from each moment to the next, [s].
        moment_weights: weights of the squared residuals of moments, 0 or 1, shape (T, 1); None if
            all count.
    """

    problem: Problem
    smoothness_bands: list[Floats]
    basis: Floats
    period: float
    limit: AccelerationLimit | None
    largest_step: float
    mirror: Mirror
    moment_weights: Floats | None

    def values(self, controls: Floats) -> Floats:
        """Sample the spline at all moments, `samples` in each interval between knots.

        Args:
            controls: control values, shape (N, J, C) for N knots, J jugglers and C channels.

        Returns:
            Shape (T, J, C), T = N · samples.
        """
        # The four control values on which each interval depends, from that of the knot before it to
        # that of the second knot after its start, shape (N, 4, J · C).
        knot_count = len(controls)
        extended = self.mirror.extended(controls, 1, 2).reshape(knot_count + BANDS, -1)
        controls_of_interval = extended[np.arange(knot_count)[:, None] + np.arange(BANDS + 1)]
        return (self.basis @ controls_of_interval).reshape(-1, *controls.shape[1:])

    def descend(self, start: Solution, dampings: Floats, stage: Stage) -> Solution:
        """Minimise the cost of each juggler's spline by the Gauss–Newton steps of a stage.

        A step is kept for the jugglers whose cost it does not raise. The search of a juggler ends
        when a step gains too little, or when `_MAX_FAILURES` steps in a row have not helped.

        Args:
            start: control values and their residuals; cost and flags are not read.
            dampings: Marquardt's damping at each of N knots of J jugglers, shape (N, J): a share of
                the diagonal of the normal matrix that is added to it, so that steps are shorter.
            stage: the weight of the limits, the number of steps and the least gain.

        Returns:
            The control values of the last steps that were kept. A juggler whose search ended by
            failures has not converged.
        """
        controls = start.controls
        residuals = start.residuals
        juggler_count = controls.shape[1]
        costs_by_knot = self._costs_by_knot(controls, residuals, stage.limit_weight)
        failure_count = np.zeros(juggler_count, dtype=int)  # in a row
        has_converged = np.zeros(juggler_count, dtype=bool)
        for step in range(stage.steps):
            # The cost of each juggler, and the least gain that is worth a step, shape (J,).
            cost = costs_by_knot.sum(axis=0)
            min_gain = stage.min_gain * (1.0 + cost)
            has_converged = cost < min_gain
            if (has_converged | (failure_count >= _MAX_FAILURES)).all():
                break

            # Solve the damped normal equations. After a step that helped nobody, only the damping
            # is new.
            if not failure_count.all():
                normal, gradient = self._normal_equations(controls, residuals, stage.limit_weight)
            damped = normal[0].copy()
            diagonal = np.einsum("njcc->njc", damped)  # a view, so that `damped` changes
            diagonal += dampings[..., None] * diagonal
            descent = solve_cyclic([damped, *normal[1:]], gradient)
            # The gain that the quadratic model of the cost expects: with g half the gradient and
            # the step −x it is 2 g·x − xᵀ A x, which is g·x where A x = g.
            has_converged |= (descent * gradient).sum(axis=(0, 2)) < min_gain
            if (has_converged | (failure_count >= _MAX_FAILURES)).all():
                break

            # Take the step, and see whom it has helped.
            new_controls = controls - np.clip(descent, -self.largest_step, self.largest_step)
            new_residuals = self.problem.residuals(self.values(new_controls))
            new_costs_by_knot = self._costs_by_knot(new_controls, new_residuals, stage.limit_weight)
            new_cost = new_costs_by_knot.sum(axis=0)
            is_better = new_cost <= cost
            # The next step is shorter around knots where the cost has grown, and longer elsewhere.
            has_grown = _sum_over_neighbours(new_costs_by_knot - costs_by_knot) > 0.0
            dampings = np.where(
                has_grown,
                dampings * _DAMPING_STEP**2,
                np.where(is_better, dampings / _DAMPING_STEP, dampings),
            )
            failure_count = np.where(is_better, 0, failure_count + 1)
            has_converged |= is_better & (new_cost >= cost - min_gain)

            # Keep it for these jugglers.
            controls = np.where(is_better[:, None], new_controls, controls)
            residuals = _select_by_juggler(is_better, new_residuals, residuals)
            costs_by_knot = np.where(is_better, new_costs_by_knot, costs_by_knot)
            remaining = np.flatnonzero(~has_converged & (failure_count < _MAX_FAILURES))
            if not remaining.size:
                break
            # Once half of the jugglers or fewer remain, they go on as a smaller problem, to save
            # time.
            if 2 * remaining.size <= juggler_count:
                solution = Solution(controls, residuals, costs_by_knot.sum(axis=0), has_converged)
                smaller_search = replace(self, problem=self.problem.for_jugglers(remaining))
                remaining_solution = smaller_search.descend(
                    solution.for_jugglers(remaining),
                    dampings[:, remaining],
                    stage._replace(steps=stage.steps - step - 1),
                )
                return solution.with_jugglers(remaining, remaining_solution)
        return Solution(controls, residuals, costs_by_knot.sum(axis=0), has_converged)

    def _smoothness_gradient(self, controls: Floats) -> Floats:
        """Return half the gradient of the cost of second derivatives, shape (N, J, C).

        The cost is xᵀ A x with a symmetric matrix A of five diagonals, so half of its gradient is
        A x. `smoothness_bands` has the entries a₀, a₁ and a₂ of A on and above the main diagonal.

        Args:
            controls: the control values x, shape (N, J, C) for N knots, J jugglers and C channels;
                beyond both ends they go on around the loop.
        """
        # (A x)[i] = a₀ x[i] + a₁ (x[i−1] + x[i+1]) + a₂ (x[i−2] + x[i+2]), and row i + 2 of
        # `extended` is x[i].
        extended = self.mirror.extended(controls, 2, 2)
        gradient = self.smoothness_bands[0] * controls
        for offset, entries in enumerate(self.smoothness_bands[1:], 1):
            gradient += entries * (
                extended[2 + offset :][: len(controls)] + extended[2 - offset :][: len(controls)]
            )
        return gradient

    def _costs_by_knot(self, controls: Floats, residuals: Residuals, limit_weight: float) -> Floats:
        """Return the cost of each juggler's spline, divided among the knots, shape (N, J).

        A knot has its share of the cost of second derivatives, and the mean of the squared
        residuals over the moments of the interval after it.

        Args:
            controls: control values, shape (N, J, C) for N knots, J jugglers and C channels.
            residuals: residuals at these control values.
            limit_weight: factor of the residuals of limits.
        """
        # Second derivatives cost the quadratic form xᵀ A x, in which the part of a knot is the
        # product of its control value and its row of A x.
        samples = len(self.basis)
        cost_by_knot = (controls * self._smoothness_gradient(controls)).sum(axis=2)
        # Sums of squares at each moment, shape (T, J), then means over the moments of an interval.
        by_moment = np.einsum("tjr,tjr->tj", residuals.tasks, residuals.tasks)
        by_moment += limit_weight**2 * np.einsum("tjr,tjr->tj", residuals.limits, residuals.limits)
        if self.moment_weights is not None:
            by_moment *= self.moment_weights
        cost_by_knot += by_moment.reshape(-1, samples, by_moment.shape[1]).sum(axis=1) / samples
        # Accelerations beyond their limit are residuals, too; those at moments that do not count
        # are 0 already.
        if self.limit and residuals.points is not None:
            excess = self._accelerations(residuals.points, self.limit).excess
            cost_by_knot += (excess**2).sum(axis=(1, 3)) / samples
        return np.asarray(cost_by_knot)

    def _normal_equations(
        self, controls: Floats, residuals: Residuals, limit_weight: float
    ) -> tuple[list[Floats], Floats]:
        """Return the normal matrix of a Gauss–Newton step, and half the gradient of the cost.

        Both are with respect to the control values of the splines. The matrix is banded, as a
        moment depends on four successive control values, and cyclic, as the loop repeats.

        Args:
            controls: control values, shape (N, J, C) for N knots, J jugglers and C channels.
            residuals: residuals at these control values.
            limit_weight: factor of the residuals of limits.

        Returns:
            The upper bands of the matrix, `BANDS` + 1 arrays of shape (N, J, C, C), of which array
            k has the blocks in row i and column i + k; and half the gradient, shape (N, J, C).
        """
        samples = len(self.basis)
        knot_count = len(controls)
        accelerations = None
        over_accelerated = np.zeros(residuals.tasks.shape[:2], dtype=bool)
        if self.limit and residuals.points is not None:
            accelerations = self._accelerations(residuals.points, self.limit)
            over_accelerated = accelerations.over_accelerated
        # Terms with respect to the values of the spline at each moment.
        terms = self.problem.normal_terms(
            self.values(controls), residuals, limit_weight, over_accelerated
        )
        if self.moment_weights is not None:
            weights = self.moment_weights[..., None]
            terms = NormalTerms(
                terms.hessian * weights[..., None], terms.gradient * weights, terms.point_jacobian
            )
        # The basis enters the matrix squared. Divided by √samples, it turns sums over the moments
        # of an interval into means.
        bands = _bands(terms.hessian, self.basis / np.sqrt(samples), self.mirror)
        # From moments to control values: weighted by the basis, and summed over the intervals that
        # share a control value. Control values beyond the ends are images of others.
        moment_gradient = terms.gradient.reshape(knot_count, samples, -1) / samples
        sums = _sum_by_control(self.basis.T @ moment_gradient).reshape(-1, *controls.shape[1:])
        before_first = self.mirror.image_of_channels(sums[:1])
        after_last = self.mirror.image_of_channels(sums[knot_count + 1 :])
        gradient = _fold_images_in(sums, before_first, after_last)
        gradient += self._smoothness_gradient(controls)
        if accelerations and terms.point_jacobian is not None:
            accelerations.add_to_normal_equations(
                bands, gradient, terms.point_jacobian, self.basis, self.mirror
            )
        # The cost of second derivatives is a sum over channels, so its entries are on the diagonals
        # of blocks. In rows from `wrapped` on, the column is beyond the end, where it is the image
        # of another channel.
        channels = np.arange(controls.shape[2])
        for offset, smoothness in enumerate(self.smoothness_bands):
            wrapped = knot_count - offset
            bands[offset][:wrapped, :, channels, channels] += smoothness
            bands[offset][wrapped:, :, channels, self.mirror.channels] += (
                smoothness * self.mirror.signs
            )
        return bands, gradient

    def _accelerations(self, points: Floats, limit: AccelerationLimit) -> _Accelerations:
        """Return the directions of the accelerations of points, and their excess over a limit.

        The excess is 0 at moments at which residuals do not count.

        Args:
            points: places of E points of J jugglers at all T moments, shape (T, J, E, 3), [m].
            limit: the largest acceleration.
        """
        samples = len(self.basis)
        accelerations = _Accelerations.of(points, limit, self.period, samples, self.mirror)
        if self.moment_weights is not None:
            # Weights by interval and moment, which broadcast over jugglers and points. The first
            # moment of an interval is its knot, where no acceleration is limited.
            weights = self.moment_weights.reshape(-1, samples, 1, 1)[:, 1:]
            accelerations = replace(accelerations, excess=accelerations.excess * weights)
        return accelerations


def _sum_over_neighbours(costs: Floats) -> Floats:
    """Sums of costs over each knot and `BANDS` knots to either side, around the loop, (N, J)."""
    extended = np.concatenate([costs[-BANDS:], costs, costs[:BANDS]])
    shifts = range(2 * BANDS + 1)
    return np.sum([extended[shift : shift + len(costs)] for shift in shifts], axis=0)


def _select_by_juggler(takes_new: Booleans, new: Residuals, old: Residuals) -> Residuals:
    """Combine the new residuals of some jugglers with the old residuals of the others.

    Args:
        takes_new: shape (J,), True for the jugglers whose new residuals are taken.
        new, old: residuals of the same J jugglers, for two splines.
    """
    if takes_new.all():
        return new

    def chosen(new_values: Floats, old_values: Floats) -> Floats:
        """Choose along the second axis, that of the jugglers, of arrays of shape (T, J, ...)."""
        choice = takes_new.reshape(-1, *(1,) * (new_values.ndim - 2))
        return np.where(choice, new_values, old_values)

    points = None
    if new.points is not None and old.points is not None:
        points = chosen(new.points, old.points)
    return Residuals(chosen(new.tasks, old.tasks), chosen(new.limits, old.limits), points)


def accelerations(points: Floats, period: float, mirror: Mirror) -> Floats:
    """Magnitudes of the accelerations of points at even moments, shape (T, ..., E), [m/s²].

    Args:
        points: places, shape (T, ..., E, 3), [m].
        period: time from moment to moment, [s].
        mirror: the image as which the motion goes on beyond both ends.
    """
    return np.asarray(norm(_second_differences(points, mirror))[..., 0] / (period * period))


def _second_differences(points: Floats, mirror: Mirror) -> Floats:
    """Second differences of points at even moments, x₋ − 2x + x₊, shape (T, ..., E, 3), [m]."""
    before = mirror.image_of_points(points[-1:])
    after = mirror.image_of_points(points[:1])
    steps = np.diff(points, axis=0, prepend=before, append=after)
    return np.diff(steps, axis=0)


@dataclass(frozen=True)
class _Accelerations:
    """Accelerations of points, by second differences, and their excess over a limit.

    They are those at the moments inside each interval, without its knot, since these depend on four
    control values only.

    Args:
        directions: derivatives of `excess` by the accelerations in its unit, shape
            (N, `samples` − 1, J, E, 3): unit vectors, shorter where it is softened.
        excess: residuals, the excess of accelerations over the limit in units of
            `AccelerationLimit.excess`, softened, shape (N, `samples` − 1, J, E); 0 within the
            limit.
        scale: factor from a second difference, [m], to an acceleration in that unit, [1/m].
    """

    directions: Floats
    excess: Floats
    scale: float

    @staticmethod
    def of(
        points: Floats, limit: AccelerationLimit, period: float, samples: int, mirror: Mirror
    ) -> _Accelerations:
        """Compute the accelerations of points at even moments, and their excess over a limit.

        Args:
            points: places, shape (T, J, E, 3) for E points of J jugglers at T moments, [m].
            limit: the largest acceleration, and the unit in which an excess over it is measured.
            period: time from each moment to the next, [s].
            samples: number of moments in each interval between knots.
            mirror: the image as which the motion goes on beyond both ends.
        """
        # By interval and moment; the first moment of each interval, its knot, is left out.
        differences = _second_differences(points, mirror)
        differences = differences.reshape(-1, samples, *points.shape[1:])[:, 1:]
        size = norm(differences)[..., 0]
        # An acceleration is a second difference over the square of the period; here in units of
        # `limit.excess`.
        scale = 1.0 / (period * period * limit.excess)
        excess = np.maximum(scale * size - limit.most / limit.excess, 0.0)
        # With L = `_SOFTENING_SIZE`, an excess e is softened to L (√(1 + 2 e / L) − 1), as in
        # `soften`. Its derivative by e is 1 / √(1 + 2 e / L), by which unit vectors are shortened.
        divisor = np.maximum(size, 1e-12) * np.sqrt(1.0 + 2.0 / _SOFTENING_SIZE * excess)
        return _Accelerations(differences / divisor[..., None], soften(excess), scale)

    @property
    def over_accelerated(self) -> Booleans:
        """At which moments places of points enter an excess, shape (T, J).

        That is at each moment with an excess, and at the moments before and after it.
        """
        knots, moments, jugglers = self.excess.shape[:3]
        has_excess = np.zeros((knots, moments + 1, jugglers), dtype=bool)
        has_excess[:, 1:] = (self.excess > 0.0).any(axis=-1)
        flat = has_excess.reshape(-1, jugglers)
        return np.logical_or.reduce([np.roll(flat, shift, axis=0) for shift in (-1, 0, 1)])

    def add_to_normal_equations(
        self,
        bands: list[Floats],
        gradient: Floats,
        point_jacobian: Floats,
        basis: Floats,
        mirror: Mirror,
    ) -> None:
        """Add the terms of accelerations beyond the limit to the normal equations, in place.

        An excess e, by how much a point accelerates beyond the limit at a moment, depends on the
        point at three successive moments, and so on the four control values of its interval. With
        d_0 to d_3 its derivatives by these, it adds e d_i to the gradient of control value i, and
        d_i d_jᵀ to the block of the normal matrix in row i and column j. Both are divided by the
        number of moments of an interval, since the cost is a mean over these.

        Args:
            bands: the normal matrix, from `_bands`: array k has the blocks in row i and column i +
                k, shape (N, J, C, C) for N knots, J jugglers and C channels; changed in place.
            gradient: half the gradient of the cost, shape (N, J, C); changed in place.
            point_jacobian: derivatives of the points by the channels, shape (T, J, C, E, 3), [m].
            basis: B-spline weights of four control values, shape (samples, 4).
            mirror: the image as which the loop goes on beyond both ends.
        """
        samples = len(basis)
        knot_count = len(self.excess)
        _moments, juggler_count, channel_count, *_ = point_jacobian.shape
        # The M excesses above 0, sorted by interval and juggler.
        interval, juggler, moment, point = np.nonzero(self.excess.swapaxes(1, 2))
        if not interval.size:
            return
        excess = self.excess[interval, moment, juggler, point]
        direction = self.directions[interval, moment, juggler, point]

        # Their derivatives by the four control values of their intervals, shape (M, 4, C): the
        # second difference x₋ − 2x + x₊ along its direction, scaled, times the weights of the
        # control values at the three moments. Column k of `excess` is the moment k + 1 of the
        # interval; the moment at its end, with the last of the `weights`, is the first one of the
        # next interval.
        derivatives = np.zeros((len(excess), 4, channel_count))
        weights = np.concatenate([basis, _basis_at(np.ones(1))])
        centre = interval * samples + moment + 1
        point_jacobian = np.concatenate(
            [point_jacobian, mirror.image_of_jacobian(point_jacobian[:1])]
        )
        for shift, factor in ((-1, 1.0), (0, -2.0), (1, 1.0)):
            by_channel = point_jacobian[centre + shift, juggler, :, point]
            along = factor * self.scale * (by_channel @ direction[..., None])[..., 0]
            derivatives += weights[moment + 1 + shift, :, None] * along[:, None]
        # The four control values of interval i are i − 1 to i + 2. Those beyond the ends of the
        # loop are images of others.
        control = interval[:, None] + np.arange(-1, 3)
        is_outside = (control < 0) | (control >= knot_count)
        derivatives[is_outside] = mirror.image_of_channels(derivatives[is_outside])

        # Excesses of one interval of a juggler stand in successive rows. They are summed first, as
        # an index that occurs twice in one addition in place would count only once.
        interval_of_juggler = interval * juggler_count + juggler
        group_starts = np.flatnonzero(np.diff(interval_of_juggler, prepend=-1))
        gradient_terms = np.add.reduceat(derivatives * excess[:, None, None], group_starts)
        gradient_terms /= samples
        for first in range(4):
            index = (interval[group_starts] + first - 1) % knot_count, juggler[group_starts]
            gradient[index] += gradient_terms[:, first]
            # Only the upper half of the symmetric matrix is kept, so the second control value of a
            # pair is not before the first.
            for second in range(first, 4):
                blocks = derivatives[:, first, :, None] * derivatives[:, second, None, :]
                bands[second - first][index] += np.add.reduceat(blocks, group_starts) / samples


def _sum_by_control(parts: Floats) -> Floats:
    """Sum the contributions of intervals to the control values of a spline on which they depend.

    Args:
        parts: contributions of N intervals, shape (N, K, ...), K up to `BANDS` + 1: interval i
            contributes part k to control value i + k − 1.

    Returns:
        Sums for the control values −1 to N + 1, that is, from one before the first to two after the
        last, shape (N + `BANDS`, ...).
    """
    interval_count = len(parts)
    sums = np.zeros((interval_count + BANDS, *parts.shape[2:]))
    for offset in range(parts.shape[1]):
        sums[offset : offset + interval_count] += parts[:, offset]
    return sums


def _fold_images_in(sums: Floats, before: Floats, after: Floats) -> Floats:
    """Add the sums of control values beyond both ends to those that they repeat around the loop.

    Args:
        sums: sums for the control values −1 to N + 1, of which row 0 is for control value −1, shape
            (N + `BANDS`, ...); changed in place.
        before: image of the sum for control value −1, shape (1, ...), which is added to the last.
        after: images of the sums for control values N and N + 1, shape (2, ...), which are added to
            the first two.

    Returns:
        Sums for the control values 0 to N − 1, shape (N, ...).
    """
    knot_count = len(sums) - BANDS
    sums[knot_count] += before[0]
    sums[1:BANDS] += after
    return sums[1 : knot_count + 1]


def _bands(blocks: Floats, basis: Floats, mirror: Mirror) -> list[Floats]:
    """Return the upper bands of the normal matrix with respect to control values of a B-spline.

    The value at a moment is a weighted sum of four successive control values, so the matrix of a
    moment, times the products of two weights, is added to the blocks of all pairs of these.

    Args:
        blocks: normal matrices with respect to the C channels of J jugglers at each of T moments,
            shape (T, J, C, C).
        basis: B-spline weights of four control values at the moments of an interval, shape
            (samples, 4).
        mirror: the image as which the loop goes on beyond both ends.

    Returns:
        `BANDS` + 1 arrays of shape (N, J, C, C), of which array k has the blocks in row i and
        column i + k. The matrix is symmetric, so the lower blocks are their transposes.
    """
    by_interval = blocks.reshape(-1, len(basis), blocks[0].size)
    knot_count = len(by_interval)
    # Blocks of each band. Row i is for control value i − 1, from the one before the first to the
    # two after the last; its column in band k is for control value i + k − 1.
    block_sums = np.empty((BANDS + 1, knot_count + BANDS, *blocks.shape[1:]))
    for offset in range(BANDS + 1):
        weights = basis[:, : BANDS + 1 - offset] * basis[:, offset:]
        block_sums[offset] = _sum_by_control(weights.T @ by_interval).reshape(block_sums.shape[1:])
    # Control values beyond the ends (index 0 and those after `knot_count`) are images of others.
    # Their blocks are mirrored: the channels of columns first, then those of rows.
    column = np.arange(BANDS + 1)[:, None] + np.arange(knot_count + BANDS)
    is_outside = (column < 1) | (column > knot_count)
    block_sums[is_outside] = mirror.image_of_channels(block_sums[is_outside])
    outside_rows = [0, *range(knot_count + 1, knot_count + BANDS)]
    images = mirror.image_of_channels(block_sums[:, outside_rows].swapaxes(-1, -2))
    images = images.swapaxes(-1, -2)
    return [
        _fold_images_in(sums, image[:1], image[1:])
        for sums, image in zip(block_sums, images, strict=True)
    ]


def _smoothness(costs: Floats, knot_count: int, duration: float) -> list[Floats]:
    """Return the entries of the normal matrix for squared second derivatives of a cubic B-spline.

    The second derivative at a knot is the second difference 1, −2, 1 of control values, over the
    square of the time between knots. The sum of its squares around the loop is a quadratic form in
    the control values, whose matrix has the entries 6, −4 and 1.

    Args:
        costs: weight of the squares for each of C channels, shape (C,).
        knot_count: number of knots in the duration.
        duration: duration of the loop, or of the half of it that is planned, [s].

    Returns:
        Entries in columns i, i + 1 and i + 2 of row i, shape (C,) each. The matrix is symmetric.
    """
    scale = costs * (knot_count / duration) ** 4
    return [6.0 * scale, -4.0 * scale, scale]


def solve_cyclic(bands: list[Floats], right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block-banded matrix A, for each of J jugglers.

    `BANDS` successive rows and columns of blocks are joined to large ones, so that with these large
    blocks A is cyclic block tridiagonal: beside the diagonal it has one block to either side,
    around the corners of the matrix, too.

    Args:
        bands: the upper half of A: `BANDS` + 1 arrays of shape (N, J, C, C) for N rows of blocks of
            C channels, of which array k has the blocks in row i and column i + k. N is a multiple
            of `BANDS`.
        right: b, shape (N, J, C).

    Returns:
        x, shape (N, J, C).
    """
    # A block in the small row r of a large row, and in the small column r + k, is in the large
    # block on the diagonal, or in the next one to the right.
    row_count, juggler_count, channel_count = right.shape
    large_count = row_count // BANDS
    large_right = right.reshape(large_count, BANDS, juggler_count, channel_count).swapaxes(1, 2)
    # The last four axes are small row, its channels, small column, and its channels.
    diagonal = np.zeros((large_count, juggler_count, BANDS, channel_count, BANDS, channel_count))
    upper = np.zeros_like(diagonal)
    for offset, band in enumerate(bands):
        rows = band.reshape(large_count, BANDS, juggler_count, channel_count, channel_count)
        for row in range(BANDS):
            block = rows[:, row]
            column = row + offset
            if column < BANDS:
                diagonal[:, :, row, :, column] = block
                # The lower half of the matrix is not given, as it is symmetric.
                if offset:
                    diagonal[:, :, column, :, row] = block.swapaxes(-1, -2)
            else:
                upper[:, :, row, :, column - BANDS] = block
    large_size = BANDS * channel_count
    solved = _solve_tridiagonal(
        diagonal.reshape(large_count, juggler_count, large_size, large_size),
        upper.reshape(large_count, juggler_count, large_size, large_size),
        large_right.reshape(large_count, juggler_count, large_size, 1),
    )
    # From large rows back to small ones.
    by_small_row = solved.reshape(large_count, juggler_count, BANDS, channel_count).swapaxes(1, 2)
    return by_small_row.reshape(right.shape)


def _solve_tridiagonal(diagonal: Floats, upper: Floats, right: Floats) -> Floats:
    """Solve A x = b for a symmetric cyclic block tridiagonal matrix A, by cyclic reduction.

    Every other unknown is eliminated, all at once; this is repeated until one is left (R. W.
    Hockney, "A fast direct solution of Poisson's equation using Fourier analysis", 1965).

    Args:
        diagonal: diagonal blocks D of A, shape (N, ..., S, S) for N blocks of size S; changed in
            place.
        upper: blocks U to the right of the diagonal, shape (N, ..., S, S); that of the last row is
            in the first column, as the matrix is cyclic.
        right: b, shape (N, ..., S, 1).

    Returns:
        x, shape (N, ..., S, 1).
    """
    if len(diagonal) == 1:
        # The only row is next to itself on both sides.
        matrix = diagonal[0] + upper[0] + upper[0].swapaxes(-1, -2)
        return np.linalg.solve(matrix, right[0])[None]
    size = diagonal.shape[-1]
    # Odd rows are eliminated: one gives x = D⁻¹ (b − U₋ᵀ x₋ − U x₊) from the even ones before and
    # after it, where U₋ is the block U of the row before. `eliminated` has D⁻¹ U₋ᵀ, D⁻¹ b and
    # D⁻¹ U side by side.
    before = upper[:-1:2]
    after = upper[1::2]
    eliminated = np.linalg.solve(
        diagonal[1::2],
        np.concatenate([before.swapaxes(-1, -2), right[1::2], after], axis=-1),
    )
    of_before = eliminated[..., :size]
    of_right = eliminated[..., size : size + 1]
    of_after = eliminated[..., size + 1 :]
    # Inserted into the even rows before and after it, this changes their diagonal blocks and right
    # sides, and the blocks U of the rows before, which now lead to the next even rows. The column
    # D⁻¹ U₋ᵀ is not needed for the rows after, since A is symmetric.
    from_rows_before = before @ eliminated
    from_rows_after = after.swapaxes(-1, -2) @ eliminated[..., size:]
    even_diagonal = diagonal[::2]
    even_right = right[::2].copy()
    # If the number of rows is odd, the last row is even like the first one, and stays joined to it.
    even_upper = upper[::2].copy()
    eliminated_count = len(eliminated)
    next_rows = np.arange(1, eliminated_count + 1) % len(even_diagonal)
    even_diagonal[:eliminated_count] -= from_rows_before[..., :size]
    even_diagonal[next_rows] -= from_rows_after[..., 1:]
    even_right[:eliminated_count] -= from_rows_before[..., size : size + 1]
    even_right[next_rows] -= from_rows_after[..., :1]
    even_upper[:eliminated_count] = -from_rows_before[..., size + 1 :]
    solution = np.empty_like(right)
    solution[::2] = _solve_tridiagonal(even_diagonal, even_upper, even_right)
    solution[1::2] = of_right - of_before @ solution[:-1:2] - of_after @ solution[next_rows * 2]
    return solution
