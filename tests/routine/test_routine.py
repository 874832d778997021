"""Laws of routines: the past stays, nothing jumps, props keep their colours, and none comes after its rethrow."""

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.routine import Routine

STEP = 1e-3
PATTERNS = [
    ("3", "531", "51", "3"),
    ("5", "771", "5"),
    ("4", "(4,4)"),
    ("42", "3", "42"),
    ("<3p|3p>", "<33|33>"),
    ("51", "441"),
]


def routine(*patterns, first=2.0, apart=1.7):
    found = Routine.of(animate(patterns[0]))
    for number, pattern in enumerate(patterns[1:]):
        found = found.changed(first + apart * number, animate(pattern))
    return found


@pytest.mark.parametrize("patterns", PATTERNS, ids="→".join)
def test_nothing_jumps_in_place_or_velocity(patterns):
    found = routine(*patterns)
    times = np.arange(1.5, found.parts[-1].ends + 1.0, STEP)
    places, velocities = found.sample(times), found.sample(times, 1)
    for place, velocity in ((places.hands, velocities.hands), (places.props, velocities.props)):
        middle = (velocity[1:] + velocity[:-1]) / 2 * STEP
        assert np.abs(place[1:] - place[:-1] - middle).max() < 3e-5
        assert np.abs(np.diff(velocity, axis=0)).max() < 0.4


@pytest.mark.parametrize("patterns", PATTERNS[:3], ids="→".join)
def test_joints_do_not_jump_and_bones_keep_their_length(patterns):
    found = routine(*patterns)
    for span in found.spans[1:]:
        joints = found.pose(span.start + np.arange(-3, 4) * STEP).joints
        assert np.abs(np.diff(joints, n=2, axis=0)).max() < 5e-4


def test_the_past_stays_the_same_bit_for_bit():
    before = routine("3", "531")
    after = before.changed(3.0, animate("51"))
    times = np.linspace(-1.0, 2.999, 200)
    assert np.array_equal(before.sample(times).props, after.sample(times).props)
    assert np.array_equal(before.pose(times).joints, after.pose(times).joints)


def test_a_transition_is_as_short_as_it_can_be():
    assert routine("3", "51").parts[-1].throws == ("4",)
    assert routine("51", "3").parts[-1].throws == ("2",)
    assert routine("5", "771").parts[-1].throws == ("6", "6")
    assert routine("51", "441").parts[-1].throws == ()


def test_what_cannot_be_joined_is_cut_and_says_why():
    part = routine("3", "<3p|3p>").parts[-1]
    assert "jugglers" in part.reason
    assert part.begins == part.start
