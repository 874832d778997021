"""The laws of motion for what people wrote: passing, bounces, multiplex, ways of hands, moving
bodies.
"""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from juggling_lab import LAYOUTS
from long_cases import sampled
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.parameters import HAND_STYLES

HAIR = 1e-6

BOUNCES = ("B", "BB", "BF", "BH", "BHF", "BL", "BHL")
BOUNCING = ("3{}", "5{}", "7{}131", "53{}1", "[3{}3]33", "(4x{},4x{})", "(4,2x{})*", "<3p{}|3p{}>")


def assert_laws(name: str, animation: Animation, samples: int) -> None:
    motion = animation.motion
    times = np.random.default_rng(7).uniform(0, motion.duration, samples)
    place, velocity, acceleration = (motion.sample(times, derivative) for derivative in (0, 1, 2))
    low, high = motion.sample(times - HAIR), motion.sample(times + HAIR)
    slower, faster = motion.sample(times - HAIR, 1), motion.sample(times + HAIR, 1)
    # Velocity and acceleration of hands are the derivatives of where they are.
    scale = 1 + np.abs(velocity.hands).max()
    assert np.abs((high.hands - low.hands) / (2 * HAIR) - velocity.hands).max() < 1e-5 * scale, name
    scale = 1 + np.abs(acceleration.hands).max()
    assert (
        np.abs((faster.hands - slower.hands) / (2 * HAIR) - acceleration.hands).max() < 1e-3 * scale
    ), name
    # No prop jumps, and what flies falls.
    furthest = 6 * HAIR * (1 + np.abs(velocity.props).max(initial=0.0))
    assert np.abs(high.props - low.props).max(initial=0.0) < furthest, name
    flying = acceleration.props[acceleration.holders < 0]
    assert (
        np.abs(flying + (0.0, animation.parameters.gravity / 100, 0.0)).max(initial=0.0) < 1e-6
    ), name
    # After a loop each prop has taken the place of the next.
    later = motion.sample(times + motion.duration)
    assert np.abs(later.hands - place.hands).max() < 1e-8, name
    assert np.abs(later.props - place.props[:, motion.successors()]).max(initial=0.0) < 1e-8, name


def test_the_laws_hold() -> None:
    for style in HAND_STYLES:
        for layout in LAYOUTS[::7]:
            assert_laws(layout["settings"], animate(layout["settings"], style=style), 100)


def test_the_laws_hold_of_people_too() -> None:
    chance = random.Random(3)
    for style in HAND_STYLES:
        for layout in LAYOUTS[::21]:
            human, seed = chance.choice([100, 200]), chance.randrange(1000)
            assert_laws(
                layout["settings"],
                animate(layout["settings"], style=style, human=human, seed=seed),
                100,
            )
        for kind in BOUNCES:
            assert_laws(
                kind, animate(bouncing(kind, chance.randrange(30)), style=style, human=200), 50
            )


@given(
    valid_siteswaps() | valid_passing_siteswaps(),
    st.sampled_from([100.0, 200.0]),
    st.integers(0, 1000),
)
@settings(max_examples=60)
def test_the_laws_hold_of_people_whatever_they_juggle(text: str, human: float, seed: int) -> None:
    assert_laws(text, animate(text, human=human, seed=seed), 100)


def bouncing(kind: str, number: int) -> str:
    chance = random.Random(f"{kind} {number}")
    settings = [
        BOUNCING[number % len(BOUNCING)].format(kind, kind),
        f"dwell={chance.uniform(0.5, 1.6):.2f}",
    ]
    if number % 2:
        settings.append(f"bps={chance.uniform(1.5, 5):.2f}")
    if number % 3:
        settings.append(
            f"bouncefrac={chance.uniform(0.5, 0.98):.2f};gravity={chance.uniform(500, 1500):.0f}"
        )
    if number % 5:
        places = [tuple(chance.randint(least, 40) for least in (-10, -10, 0)) for _ in range(4)]
        settings.append(
            "hands=({},{},{})({},{},{}).({},{},{})({},{},{}).".format(
                *(x for place in places for x in place)
            )
        )
    return ";".join(settings)


# Twelve have every pattern, and each of the settings given and left out.
@pytest.mark.parametrize("count", sampled([4, 12, 30], 4))
@pytest.mark.parametrize("kind", BOUNCES)
def test_the_laws_hold_for_each_kind_of_bounce_whatever_the_settings(kind: str, count: int) -> None:
    for number in range(count):
        settings = bouncing(kind, number)
        for style in HAND_STYLES:
            assert_laws(settings, animate(settings, style=style), 50)
