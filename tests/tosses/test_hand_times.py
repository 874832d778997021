"""What hands do in a routine besides throwing and catching."""

import numpy as np

from juggle_anim.animation import animate


def test_a_hand_that_holds_a_prop_all_along_stays_where_its_pattern_has_it_until_it_throws_again() -> (
    None
):
    routine = animate("441 2 loops\nyo-yo 4 s\n531 2 loops\n")
    times = np.arange(0.0, routine.duration, 0.01)
    assert routine.sample(times).hands[..., 1].min() > 0.6
    assert routine.gaps.max() < 0.01
    assert routine.score.routine is not None
    _, yo_yo, *_ = routine.score.routine.lines
    within = np.arange(yo_yo.enters + 0.6, yo_yo.ends - 0.2, 0.01)
    assert routine.sample(within).hands[:, 0, 1, 1].min() > 1.4
