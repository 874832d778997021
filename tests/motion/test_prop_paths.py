"""What is said of the last throws agrees with where the motion has the props."""

import numpy as np
import pytest

from juggle_anim.animation import animate

PATTERNS = [
    "531",
    "b97531",
    "[34]23",
    "(6x,4)*",
    "42",
    "<3p 3|3p 3>",
    "60",
    "pattern=531;prop=ball,club,ring",
    "5B3",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_props_are_in_the_air_until_their_flight_is_over(pattern: str) -> None:
    motion = animate(pattern).motion
    times = np.random.default_rng(2).uniform(-3.0, 9.0, 400)
    flight, ago, share = motion.last_throws_at(times)
    flies = (flight >= 0) & (share < 1.0)
    np.testing.assert_array_equal(flies, motion.sample(times).holders < 0)
    assert flies.any()
    assert (ago >= 0).all()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_prop_is_where_its_flight_takes_it(pattern: str) -> None:
    motion = animate(pattern).motion
    times = np.random.default_rng(3).uniform(0.0, 9.0, 100)
    flight, ago, share = motion.last_throws_at(times)
    begun = times[:, None] - ago
    for time, prop in np.argwhere((flight >= 0) & (share < 1.0))[:40]:
        if motion.shapes.kind[prop] == "ball":
            thrown = motion.sample(begun[time, prop] + 1e-7).props[0, prop]
            np.testing.assert_allclose(
                thrown, motion.flight_paths.start[flight[time, prop]], atol=1e-4
            )


def test_what_is_held_for_ever_was_never_thrown() -> None:
    motion = animate("42").motion
    flight, _, share = motion.last_throws_at(np.linspace(0.0, 3.0, 50))
    held = (flight < 0).all(axis=0)
    assert held.sum() == 1
    assert (share[:, held] > 1).mean() > 0.9


def test_where_nothing_is_thrown_nothing_flies() -> None:
    flight, _, _ = animate("2").motion.last_throws_at(np.linspace(0.0, 3.0, 5))
    assert (flight < 0).all()
