from dataclasses import replace

import numpy as np
import pytest

from juggle_anim.motion.detours import Knots, least_jerk


def ring(seed: int, count: int = 6) -> Knots:
    random = np.random.default_rng(seed)
    free = np.full((count, 3), np.inf)
    return Knots(
        following=np.roll(np.arange(count), -1),
        duration=random.uniform(0.05, 1.0, count),
        position=random.normal(size=(count, 3)),
        velocity=random.normal(size=(count, 3)),
        min_acceleration=-free,
        max_acceleration=free,
    )


def at(curves: np.ndarray, u: np.ndarray, derivative: int) -> np.ndarray:
    out = np.zeros((len(curves), 3))
    for power in range(derivative, 6):
        factor = np.prod(np.arange(power - derivative + 1, power + 1))
        out += factor * curves[:, power] * u[:, None] ** (power - derivative)
    return out


@pytest.mark.parametrize("seed", range(5))
def test_curves_pass_the_knots_and_are_smooth_to_the_third_derivative(seed: int) -> None:
    knots = ring(seed)
    curves = least_jerk(knots)
    start, end = np.zeros(len(curves)), knots.duration
    assert at(curves, start, 0) == pytest.approx(knots.position)
    assert at(curves, start, 1) == pytest.approx(knots.velocity)
    for derivative in range(4):
        scale = 1e-9 * max(1.0, np.abs(at(curves, start, derivative)).max())
        assert at(curves, end, derivative) == pytest.approx(
            at(curves, start, derivative)[knots.following], abs=scale * 10
        )


def jerk(knots: Knots, curves: np.ndarray) -> float:
    u = np.linspace(0, 1, 2001)
    total = 0.0
    for curve, h in zip(curves, knots.duration, strict=True):
        j = (
            6 * curve[3]
            + 24 * curve[4] * (u * h)[:, None]
            + 60 * curve[5] * ((u * h) ** 2)[:, None]
        )
        total += np.trapezoid((j**2).sum(axis=1), u * h)
    return total


def test_no_other_accelerations_give_less_jerk() -> None:
    knots = ring(7)
    curves = least_jerk(knots)
    best = jerk(knots, curves)
    for knot in range(len(curves)):
        for change in (-0.5, 0.5):
            pinned = 2 * curves[:, 2].copy()
            pinned[knot] += change
            other = least_jerk(replace(knots, min_acceleration=pinned, max_acceleration=pinned))
            assert jerk(knots, other) > best


def test_bounds_on_the_acceleration_are_kept() -> None:
    knots = ring(3)
    low, high = np.full((6, 3), -2.0), np.full((6, 3), 1.0)
    acceleration = 2 * least_jerk(replace(knots, min_acceleration=low, max_acceleration=high))[:, 2]
    assert (acceleration >= -2.0 - 1e-12).all()
    assert (acceleration <= 1.0 + 1e-12).all()
