import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from juggle_anim.arrays import Floats
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.closed_form import HOME
from juggle_anim.body.arms.two_link import angle_axis, bend_limb, polar, two_link, two_link_polar

# The limb's axes, seen by a juggler: for the one turn x at home and the elbow's side hanging; for
# heading and elevation x ahead and y up.
HANGING = np.array([0.0, -HOME[2], HOME[1]])
ONE_TURN = np.stack([HOME, HANGING, np.cross(HOME, HANGING)])
UPRIGHT = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])

lengths = st.floats(0.1, 1.0)
arms = st.builds(Arm, lengths, lengths)
targets = arrays.arrays(float, (3,), elements=st.floats(-1.0, 1.0)).filter(
    lambda target: np.linalg.norm(target) > 0.01
)


@given(arms, targets, st.sampled_from([0, 1]))
def test_unswivelled_the_arm_is_the_limb_after_one_turn_from_home(
    arm: Arm, hand: Floats, side: int
) -> None:
    assume(np.linalg.norm(hand / np.linalg.norm(hand) + HOME) > 1e-3)
    limb = angle_axis(arm, ONE_TURN @ hand, bend_limb(arm, np.linalg.norm(hand)).first)
    pose = two_link(np.zeros(3), hand, arm, side, 0.0)
    assert pose.elbow == pytest.approx(limb.joint @ ONE_TURN, abs=1e-7)
    assert pose.wrist == pytest.approx(limb.end @ ONE_TURN, abs=1e-9)
    assert pose.rotations == pytest.approx(ONE_TURN.T @ limb.rotations, abs=1e-7)


@given(arms, targets, st.sampled_from([0, 1]))
def test_half_a_turn_about_its_line_makes_the_polar_limb_of_an_arm_ahead(
    arm: Arm, hand: Floats, side: int
) -> None:
    direction = hand / np.linalg.norm(hand)
    assume(np.hypot(direction[0], direction[2]) + direction[2] > 0.8)
    limb = polar(arm, UPRIGHT @ hand)
    pose = two_link_polar(np.zeros(3), hand, arm, side, np.pi)
    assert pose.elbow == pytest.approx(limb.joint @ UPRIGHT, abs=1e-7)
    assert pose.wrist == pytest.approx(limb.end @ UPRIGHT, abs=1e-9)
    assert pose.rotations == pytest.approx(UPRIGHT.T @ limb.rotations, abs=1e-7)


@given(arms, st.floats(-0.05, 0.05), st.floats(-0.05, 0.05), st.sampled_from([-1.0, 1.0]))
def test_near_the_vertical_the_polar_arm_is_almost_the_other(
    arm: Arm, left: float, ahead: float, up: float
) -> None:
    hand = 0.9 * (arm.upper + arm.lower) * np.array([left, up, ahead])
    one, other = (
        solve(np.zeros(3), hand, arm, 0, 0.5).elbow for solve in (two_link, two_link_polar)
    )
    assert np.linalg.norm(one - other) < 0.01


@pytest.mark.parametrize(
    ("hand", "elbow"),
    [
        ((0, -0.4, 0), (0, -0.2, -0.22361)),
        ((0, 0.4, 0), (0, 0.2, 0.22361)),
        ((0, 0, 0.4), (0, -0.22361, 0.2)),
    ],
)
def test_the_elbow_is_behind_for_a_hand_below_ahead_for_one_above_and_below_for_one_ahead(
    hand: tuple, elbow: tuple
) -> None:
    for solve in (two_link, two_link_polar):
        assert solve(np.zeros(3), np.array(hand), Arm(0.3, 0.3), 1, 0.0).elbow == pytest.approx(
            elbow, abs=1e-5
        )
