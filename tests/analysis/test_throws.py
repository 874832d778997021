import pytest

import juggle_anim as ja
from juggle_anim.analysis.measures import prop_intervals

PATTERNS = [
    "531",
    "[34]23",
    "5B",
    "pattern=531;prop=club",
    "pattern=<3p|3p>;body=(90).(0,0,50).|(270,-150).",
]


@pytest.mark.parametrize("text", PATTERNS)
def test_stretches_say_who_holds_what_through_all_loops(text: str) -> None:
    motion = ja.animate(text).motion
    stretches = prop_intervals(motion, loops_before=2, loops_after=2)
    middle = stretches.start + stretches.duration / 2
    assert motion.places(stretches.prop, middle).holders.tolist() == stretches.holder.tolist()
    inside = (stretches.start > -2 * motion.duration) & (stretches.start < 2 * motion.duration)
    assert inside.sum() > 0
