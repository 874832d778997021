"""Claws: hands come from beside what they snatch, fall along with it, and pull back from what they
throw.
"""

import numpy as np
import pytest

from juggle_anim import animate
from juggle_anim.choreography.score import CATCH, THROW


def hand_and_prop(animation, kind, since):
    """The first hand that throws or catches, and its prop, some time after that, each (T, 3), seen
    from the hand's side outward, up and forward, [m].
    """
    events = animation.choreography.events
    row = np.flatnonzero(events.kind == kind)[0]
    hand, times = int(events.hand[row]), events.time[row] + np.asarray(since)
    before = animation.sample(events.time[[row]] - 1e-6).holders[0]
    after = animation.sample(events.time[[row]] + 1e-6).holders[0]
    (prop,) = np.flatnonzero(
        (before == hand) & (after < 0) if kind == THROW else (before < 0) & (after == hand)
    )
    frames = animation.sample(times)
    outward = (1.0 if hand % 2 == 0 else -1.0, 1.0, 1.0)
    return frames.hands[:, 0, hand % 2] * outward, frames.props[:, prop] * outward


@pytest.mark.parametrize("style", ["natural", "juggling-lab"])
def test_a_claw_comes_from_behind_what_it_snatches_and_falls_along_with_it(style):
    animation = animate("3", catches="claw", style=style)
    hand, prop = hand_and_prop(animation, CATCH, [-0.09, -0.01, -0.005, 0.0])
    assert prop[0, 2] - hand[0, 2] > 0.06
    assert hand[-1] == pytest.approx(prop[-1], abs=1e-6)
    down, falls = (np.diff(each[-2:, 1])[0] / 0.005 for each in (hand, prop))
    assert falls < down < 0.85 * falls


def test_a_hand_that_turns_over_comes_from_outside_of_what_it_snatches():
    animation = animate("3", catches="claw,palm")
    usual, _ = hand_and_prop(animate("3"), CATCH, [-0.12])
    hand, prop = hand_and_prop(animation, CATCH, [-0.12])
    assert hand[0, 0] - prop[0, 0] > 0.07
    assert hand[0, 0] - usual[0, 0] > 0.08


def test_a_claw_pulls_back_from_what_it_throws():
    hand, prop = hand_and_prop(animate("3", catches="claw"), THROW, [0.0, 0.03, 0.06])
    behind = prop[:, 2] - hand[:, 2]
    assert behind[0] == pytest.approx(0.0, abs=1e-6)
    assert behind[2] > behind[1] > 0.005
