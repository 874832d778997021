import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis.places import prop_holders, prop_places, prop_stretches

PATTERNS = [
    "531",
    "[34]23",
    "5B",
    "pattern=531;prop=club",
    "pattern=3;prop=ring",
    "pattern=<3p|3p>;body=(90).(0,0,50).|(270,-150).",
]


@pytest.mark.parametrize("text", PATTERNS)
def test_single_props_are_where_a_sample_of_all_has_them(text: str) -> None:
    motion = ja.animate(text).motion
    times = np.random.default_rng(1).uniform(-1.0, 5.0, 200)
    frames = motion.sample(times)
    prop = np.arange(len(times)) % frames.props.shape[1]
    assert prop_places(motion, prop, times) == pytest.approx(frames.props[np.arange(len(times)), prop], abs=1e-9)
    assert prop_holders(motion, prop, times).tolist() == frames.holders[np.arange(len(times)), prop].tolist()


@pytest.mark.parametrize("text", PATTERNS)
def test_stretches_say_who_holds_what_through_all_loops(text: str) -> None:
    motion = ja.animate(text).motion
    stretches = prop_stretches(motion, 2, 2)
    middle = stretches.start + stretches.duration / 2
    assert prop_holders(motion, stretches.prop, middle).tolist() == stretches.holder.tolist()
    inside = (stretches.start > -2 * motion.duration) & (stretches.start < 2 * motion.duration)
    assert inside.sum() > 0
