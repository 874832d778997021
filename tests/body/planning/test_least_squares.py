"""Least squares over a periodic spline: the cyclic solve, and laws of the solutions."""

from collections.abc import Callable

import numpy as np
import pytest

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body.planning.least_squares import (
    BANDS,
    SAMPLES,
    AccelerationLimit,
    Mirror,
    NormalTerms,
    Residuals,
    Stage,
    least_squares,
    solve_cyclic,
)
from juggle_anim.motion.piecewise import PeriodicSpline

STAGES = (Stage(limit_weight=1.0, steps=8, min_gain=1e-9),)
STEP = 1e-5


class ByDifferences:
    """A problem without limits, whose derivatives are differences."""

    def __init__(self, tasks: Callable[[Floats], Floats]) -> None:
        self.tasks = tasks

    def residuals(self, values: Floats) -> Residuals:
        return Residuals(self.tasks(values), np.zeros((*values.shape[:2], 0)))

    def normal_terms(
        self, values: Floats, residuals: Residuals, limit_weight: float, over_accelerated: Booleans
    ) -> NormalTerms:
        steps = STEP * np.eye(values.shape[-1])
        jacobian = np.stack(
            [(self.tasks(values + s) - self.tasks(values - s)) / (2 * STEP) for s in steps], axis=2
        )
        gradient = (jacobian @ residuals.tasks[..., None])[..., 0]
        return NormalTerms(jacobian @ jacobian.swapaxes(-1, -2), gradient)


def moments(knots: int, duration: float) -> Floats:
    return np.arange(knots * SAMPLES) * (duration / (knots * SAMPLES))


@pytest.mark.parametrize("groups", [1, 2, 3, 10])
def test_a_cyclic_banded_system_is_solved_as_the_dense_one_is(groups: int) -> None:
    random = np.random.default_rng(groups)
    knots, jugglers, channels = BANDS * groups, 2, 3
    # A positive matrix with the band: sums of squares of vectors over four successive knots.
    dense = np.zeros((jugglers, knots, channels, knots, channels))
    bands = [np.zeros((knots, jugglers, channels, channels)) for _ in range(BANDS + 1)]
    for knot in range(knots):
        vectors = random.normal(size=(jugglers, BANDS + 1, channels))
        for first in range(BANDS + 1):
            for second in range(BANDS + 1):
                block = vectors[:, first, :, None] * vectors[:, second, None, :]
                block = block + (first == second) * np.eye(channels)
                row, column = (knot + first) % knots, (knot + second) % knots
                dense[:, row, :, column] += block
                if second >= first:
                    bands[second - first][row] += block
    right = random.normal(size=(knots, jugglers, channels))
    expected = np.linalg.solve(
        dense.reshape(jugglers, knots * channels, -1),
        right.swapaxes(0, 1).reshape(jugglers, -1, 1),
    )
    expected = expected.reshape(jugglers, knots, channels).swapaxes(0, 1)
    assert solve_cyclic(bands, right) == pytest.approx(expected, abs=1e-9)


def followed(wanted: Floats, duration: float, acceleration_cost: float) -> Floats:
    """The spline that follows some values at its moments, shape (T,)."""
    controls = least_squares(
        ByDifferences(lambda values: values - wanted[:, None, None]),
        np.zeros((len(wanted) // SAMPLES, 1, 1)),
        duration,
        np.array([acceleration_cost]),
        STAGES,
    ).controls
    times = moments(len(controls), duration)
    return PeriodicSpline(controls, duration).at(times)[:, 0, 0]


@pytest.mark.parametrize("frequency", [1, 2, 5])
def test_a_sine_is_followed_as_a_low_pass_filter_of_second_order_does(frequency: int) -> None:
    knots, duration, cut_off = 60, 4.0, 1.0  # s, Hz
    wave = np.sin(2 * np.pi * frequency / duration * moments(knots, duration))
    cost = 1.0 / (2 * np.pi * cut_off) ** 4
    # Of x - w and x'' / (2π f₀)², the least sum of squares has the gain 1 / (1 + (f / f₀)⁴).
    gain = 1.0 / (1.0 + (frequency / duration / cut_off) ** 4)
    assert followed(wave, duration, cost) == pytest.approx(gain * wave, abs=0.01)


def test_where_nothing_is_asked_nothing_moves() -> None:
    controls = least_squares(
        ByDifferences(lambda values: 0.0 * values),
        np.full((12, 2, 3), 0.4),
        1.0,
        np.ones(3),
        STAGES,
    ).controls
    assert controls == pytest.approx(0.4, abs=1e-12)


def test_a_mirrored_problem_has_the_mirrored_solution() -> None:
    random = np.random.default_rng(3)
    wanted = random.normal(size=(12 * SAMPLES, 1, 2))
    mirror = np.array([-1.0, 1.0])

    def residuals(values: Floats, wanted: Floats) -> Floats:
        # Neither linear nor even in the first channel.
        bent = values[..., :1] ** 3 + np.maximum(values[..., :1] * mirror[0], 0.0) * 0.0
        return np.concatenate([values - wanted, 0.5 * bent * values[..., 1:]], axis=-1)

    own, mirrored = (
        least_squares(
            ByDifferences(lambda values, goal=goal: residuals(values, goal)),
            np.zeros((12, 1, 2)),
            1.5,
            np.full(2, 1e-3),
            STAGES,
        ).controls
        for goal in (wanted, wanted * mirror)
    )
    assert mirrored == pytest.approx(own * mirror, abs=1e-10)


def test_half_of_a_loop_that_mirrors_itself_is_planned_as_the_whole_is() -> None:
    """Both sides do in turn the same, and their points, which may not hurry, mirror each other."""
    sides = Mirror(np.array([1, 0]), np.ones(2))
    limit = AccelerationLimit(most=6.0, excess=2.0)
    knots = 12
    times = np.arange(knots * SAMPLES) * (2 * np.pi / (knots * SAMPLES))
    left = np.sin(times) + 0.5 * np.sin(2 * times + 1.0) + 0.2 * np.cos(3 * times)
    wanted = np.stack([left, np.roll(left, len(left) // 2)], axis=-1)[:, None]

    class Hurried(ByDifferences):
        def residuals(self, values: Floats) -> Residuals:
            points = np.stack([values, values**2, 0.0 * values], axis=-1)
            points[..., 1, 0] *= -1.0
            return super().residuals(values)._replace(points=points)

        def normal_terms(
            self,
            values: Floats,
            residuals: Residuals,
            limit_weight: float,
            over_accelerated: Booleans,
        ) -> NormalTerms:
            jacobian = np.zeros((*values.shape, 2, 3))
            for side, sign in ((0, 1.0), (1, -1.0)):
                jacobian[:, :, side, side, 0] = sign
                jacobian[:, :, side, side, 1] = 2.0 * values[..., side]
            return (
                super()
                .normal_terms(values, residuals, limit_weight, over_accelerated)
                ._replace(point_jacobian=jacobian)
            )

    whole, half = (
        least_squares(
            Hurried(lambda values: values - wanted[: len(values)]),
            np.zeros((knots // laps, 1, 2)),
            4.0 / laps,
            np.full(2, 1e-3),
            STAGES,
            limit,
            mirror=mirror,
        ).controls
        for laps, mirror in ((1, Mirror.none(2)), (2, sides))
    )
    assert sides.whole(half) == pytest.approx(whole, abs=1e-9)
