"""What hands do in a routine besides throwing and catching."""

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.choreography.manners import USUAL
from juggle_anim.pattern import Throw
from juggle_anim.tosses.hand_times import HandTimes
from juggle_anim.tosses.toss_ring import RESTING, Toss, TossFlight, TossRing


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


def test_a_prop_that_flies_over_the_end_of_the_loop_is_in_no_hand_at_its_start() -> None:
    beat_s = 0.3
    place = np.zeros(3)
    tosses = [
        Toss(
            Throw(beat, 0, beat % 2, 3, 0, (beat + 1) % 2),
            beat % 3,
            TossFlight(beat * beat_s, (beat + 2.3) * beat_s, place, place, (USUAL, USUAL)),
        )
        for beat in range(6)
    ]
    ring = TossRing(tosses, 6, 1, 1, first_tick=0, start_time=0.0, duration=6 * beat_s)
    hands = HandTimes.from_ring(ring)
    for times, counts in zip(hands.times, hands.prop_counts, strict=True):
        # A hand of a cascade throws on whole beats, and then holds nothing until its catch.
        is_throw = [round(time / beat_s, 6).is_integer() for time in times]
        assert counts == [0 if throws else 1 for throws in is_throw]


def test_a_prop_that_rests_on_a_stand_over_the_end_of_the_loop_is_in_no_hand_at_its_start() -> None:
    place = np.zeros(3)
    picked_up, put_down, loop = 0.6, 1.3, 1.8
    rest = place, place, (USUAL, USUAL), RESTING
    tosses = [
        Toss(
            Throw(2, 0, 0, 2, 0, 0, held=True),
            0,
            TossFlight(put_down - loop, picked_up, *rest),
        ),
        Toss(
            Throw(4, 0, 0, 4, 0, 0),
            0,
            TossFlight(put_down, picked_up + loop, *rest),
        ),
    ]
    hands = HandTimes.from_ring(
        TossRing(tosses, 6, 1, 1, first_tick=0, start_time=0.0, duration=loop)
    )
    assert hands.times[0] == pytest.approx([picked_up, put_down])
    assert tuple(hands.prop_counts) == ([1, 0], [])
