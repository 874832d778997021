import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from juggle_anim.animation import animate
from juggle_anim.arrays import Floats
from juggle_anim.body import BONES, JOINTS, Joint
from juggle_anim.body.arm import FREE_BEND, MAX_BEND, Hands, arm_axes, turn_hands
from juggle_anim.body.arms.solvers import SOLVERS, Arm
from juggle_anim.body.skeleton import (
    DIGIT_JOINTS,
    DIGITS,
    FOREARM,
    PALM,
    UPPER_ARM,
    closed_digits,
)
from juggle_anim.motion.palms import CHANNELS

TIMES = np.linspace(0.0, 1.0, 40)


@pytest.mark.parametrize("arms", SOLVERS)
@given(
    st.tuples(st.floats(-0.3, 0.4), st.floats(-0.4, 0.3), st.floats(0.15, 0.35)),
    st.floats(-0.5, 1.5),
)
def test_shoulder_and_elbow_are_turned_as_the_solver_says(
    arms: str, away: tuple[float, float, float], swivel: float
) -> None:
    # A straight arm turns about itself as it likes.
    assume(np.linalg.norm(away) < UPPER_ARM + FOREARM - 0.01)
    shoulders = np.array([[0.19, 1.4, 0.0], [-0.19, 1.4, 0.0]])
    hands = shoulders + away
    found = SOLVERS[arms](
        shoulders, hands, Arm(UPPER_ARM, FOREARM), np.array([0, 1]), np.full(2, swivel)
    )
    joints = np.random.default_rng(1).normal(size=(JOINTS, 3))
    joints[[Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER]] = shoulders
    joints[[Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]] = found.elbow
    joints[[Joint.LEFT_WRIST, Joint.RIGHT_WRIST]] = found.wrist
    np.testing.assert_allclose(arm_axes(joints)[:, :2], found.rotations, atol=2e-6)


def test_axes_are_right_handed_and_at_right_angles() -> None:
    axes = arm_axes(animate("<3p 3|3p 3>").pose(TIMES).joints)
    assert axes.shape == (40, 2, 2, 3, 3, 3)
    np.testing.assert_allclose(
        np.swapaxes(axes, -1, -2) @ axes, np.broadcast_to(np.eye(3), axes.shape), atol=1e-9
    )
    np.testing.assert_allclose(np.linalg.det(axes), 1.0)


def test_bones_lie_along_x_and_the_thumb_along_z() -> None:
    joints = animate("531").pose(TIMES).joints[:, 0]
    axes = arm_axes(joints)
    for side, name in enumerate(("LEFT", "RIGHT")):
        chain = [
            joints[:, Joint[f"{name}_{each}"]] for each in ("SHOULDER", "ELBOW", "WRIST", "PALM")
        ]
        for joint in range(3):
            bone = chain[joint + 1] - chain[joint]
            np.testing.assert_allclose(
                axes[:, side, joint, :, 0], bone / np.linalg.norm(bone, axis=1, keepdims=True)
            )
        thumb = joints[:, Joint[f"{name}_THUMB"]] - chain[3]
        assert ((axes[:, side, 2, :, 2] * thumb).sum(axis=1) > 0.02).all()


def test_a_straight_arm_has_axes_too() -> None:
    joints = animate("3").pose(np.zeros(1)).joints[0, 0].copy()
    joints[Joint.LEFT_WRIST] = joints[Joint.LEFT_ELBOW] + 0.7 * (
        joints[Joint.LEFT_ELBOW] - joints[Joint.LEFT_SHOULDER]
    )
    axes = arm_axes(joints)
    np.testing.assert_allclose(
        np.swapaxes(axes[0, :2], -1, -2) @ axes[0, :2], [np.eye(3)] * 2, atol=1e-9
    )


MIRROR = np.array([-1.0, 1.0, 1.0])


def some(seed: int, count: int = 60) -> tuple[Floats, Floats]:
    """Hands anywhere about a shoulder, turned anyhow, of shape (T, 1, 2, …)."""
    random = np.random.default_rng(seed)
    away = random.uniform(-0.7, 0.7, (count, 1, 2, 3))
    turns = random.uniform(-1.0, 1.0, (count, 1, 2, CHANNELS)) * (
        1.5,
        1.2,
        6.3,
        0.5,
        0.5,
        0.02,
        0.01,
        0.01,
    )
    return away, turns + (0.0, 0.0, 0.0, 0.5, 0.5, 0.03, 0.01, 0.01)


def level(
    roll: float = 0.0, *, pitch: float = 0.0, yaw: float = 0.0, fingers: float = 0.0
) -> Hands:
    """Hands in front of their shoulders, where wrists are free."""
    turns = np.zeros((1, 1, 2, CHANNELS))
    turns[..., :4] = yaw, pitch, roll, fingers
    return turn_hands(np.array([[[[0.1, -0.2, 0.4], [-0.1, -0.2, 0.4]]]]), turns)


@given(st.integers(0, 2**32 - 1))
def test_fingers_palm_and_thumb_are_unit_vectors_at_right_angles(seed: int) -> None:
    hands = turn_hands(*some(seed))
    frame = np.stack([hands.fingers, hands.palm, hands.thumb], axis=-1)
    assert np.swapaxes(frame, -1, -2) @ frame == pytest.approx(
        np.broadcast_to(np.eye(3), frame.shape), abs=1e-12
    )


def test_a_left_hand_is_the_mirror_image_of_a_right_one() -> None:
    away, turns = some(3)
    hands = turn_hands(away, turns)
    swapped = turn_hands(away[:, :, ::-1] * MIRROR, turns[:, :, ::-1])
    for one, other in zip(
        (hands.fingers, hands.palm, hands.thumb),
        (swapped.fingers, swapped.palm, swapped.thumb),
        strict=True,
    ):
        assert other == pytest.approx(one[:, :, ::-1] * MIRROR, abs=1e-12)
    assert np.sign(np.linalg.det(np.stack([hands.fingers, hands.palm, hands.thumb], -1)))[
        0, 0
    ].tolist() == [-1.0, 1.0]


def test_a_roll_turns_the_palm_from_up_inward_and_then_down() -> None:
    up, inward, down = (level(roll).palm[0, 0, 0] for roll in (0.0, np.pi / 2, np.pi))
    assert up == pytest.approx((0, 1, 0), abs=1e-12)
    assert inward[0] < -0.9
    assert down == pytest.approx((0, -1, 0), abs=1e-12)
    assert level(np.pi / 2).thumb[0, 0, 0] == pytest.approx((0, 1, 0), abs=1e-12)


def test_a_pitch_lifts_the_fingers_and_a_yaw_turns_them_outward() -> None:
    assert level(pitch=0.4).fingers[0, 0, 0, 1] == pytest.approx(np.sin(0.4))
    straight, turned = level().fingers[0, 0], level(yaw=0.15).fingers[0, 0]
    assert turned[0, 0] > straight[0, 0] + 0.1
    assert turned[1, 0] < straight[1, 0] - 0.1


def test_a_wrist_deviates_only_so_far() -> None:
    straight = level().fingers[0, 0]
    for yaw in np.linspace(-1.5, 1.5, 31):
        along = (level(yaw=float(yaw)).fingers[0, 0] * straight).sum(axis=-1)
        assert along.min() > np.cos(np.radians(45.0))


@given(st.integers(0, 2**32 - 1))
def test_all_bones_of_a_hand_keep_their_length(seed: int) -> None:
    away, turns = some(seed)
    hands = turn_hands(away, turns)
    wrists = hands.wrists(away)
    palms = wrists + PALM * hands.fingers
    joints = {Joint.LEFT_PALM: palms[:, :, 0], Joint.RIGHT_PALM: palms[:, :, 1]}
    digits = np.random.default_rng(seed).uniform(-0.8, 0.8, (*palms.shape[:-1], DIGITS))
    points = hands.digit_joints(palms, digits)
    for side, names in enumerate(DIGIT_JOINTS):
        joints |= {Joint(name): points[:, :, side, row] for row, name in enumerate(names)}
    checked = [(bone, length) for bone, length in BONES.items() if joints.keys() >= {*bone}]
    assert len(checked) == 2 * 13
    for (start, end), length in checked:
        apart = np.linalg.norm(joints[end] - joints[start], axis=-1)
        assert np.abs(apart - length).max() < 1e-12


def test_fingers_that_close_come_round_to_the_palm_and_the_thumb_across_to_them() -> None:
    palm = np.zeros((1, 1, 2, 3))
    turns = np.zeros((2, 1, 2, CHANNELS))
    hands = turn_hands(np.broadcast_to(np.array([0.0, -0.35, 0.3]), (2, 1, 2, 3)), turns)
    closing = np.zeros((2, 1, 2, 2))
    closing[1] = 1.0
    joints = np.zeros((2, 1, JOINTS, 3))
    joints[:, :, DIGIT_JOINTS] = hands.digit_joints(
        np.broadcast_to(palm, (2, 1, 2, 3)), closed_digits(closing)
    )
    tips, thumb = (
        joints[:, :, [Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"]]]
        for name in ("TIPS", "THUMB_TIP")
    )
    opened, closed = np.linalg.norm(tips[:, 0, 0], axis=-1)
    assert closed < 0.055 < 0.07 < opened
    apart = np.linalg.norm(tips - thumb, axis=-1)[:, 0, 0]
    assert apart[1] < 0.045 < apart[0]


def test_a_hand_never_turns_at_once_wherever_it_goes() -> None:
    random = np.random.default_rng(5)
    starts, ends = (random.uniform(-0.6, 0.6, (40, 3)) for _ in range(2))
    share = np.linspace(0.0, 1.0, 4001)[:, None, None, None]
    turns = np.zeros((1, 1, 2, CHANNELS))
    for start, end in zip(starts, ends, strict=True):
        away = np.repeat(start + share * (end - start), 2, axis=2)
        fingers = turn_hands(away, np.broadcast_to(turns, (len(away), 1, 2, CHANNELS))).fingers
        assert np.linalg.norm(np.diff(fingers, axis=0), axis=-1).max() < 0.02


def test_elbows_move_smoothly_while_palms_that_roll_over_face_along_their_forearms() -> None:
    animation = animate("3", catches="palm|penguin,palm")
    times = np.arange(0.0, animation.duration, 0.0005)
    elbows = animation.pose(times).joints[:, 0, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
    assert np.linalg.norm(np.diff(elbows, n=2, axis=0), axis=-1).max() / 0.0005 < 1.0  # m/s


@given(st.integers(0, 2**32 - 1))
def test_no_wrist_bends_farther_than_it_can_and_free_ones_stay_as_they_are(seed: int) -> None:
    hands = turn_hands(*some(seed))
    forearm = np.random.default_rng(seed).normal(size=hands.fingers.shape)
    forearm /= np.linalg.norm(forearm, axis=-1, keepdims=True)
    before = np.arccos((hands.fingers * forearm).sum(axis=-1))
    bent = hands.with_limited_bend(forearm)
    after = np.arccos((bent.fingers * forearm).sum(axis=-1))
    assert (after < MAX_BEND + 1e-9).all()
    free = before < FREE_BEND
    for one, other in (
        (hands.fingers, bent.fingers),
        (hands.palm, bent.palm),
        (hands.thumb, bent.thumb),
    ):
        assert (one[free] == other[free]).all()
    frame = np.stack([bent.fingers, bent.palm, bent.thumb], axis=-1)
    assert np.swapaxes(frame, -1, -2) @ frame == pytest.approx(
        np.broadcast_to(np.eye(3), frame.shape), abs=1e-9
    )


def test_a_hand_is_posed_the_same_to_the_last_bit_alone_and_among_others() -> None:
    away, turns = some(11)
    forearm = np.random.default_rng(12).normal(size=away.shape)
    forearm /= np.linalg.norm(forearm, axis=-1, keepdims=True)
    together = turn_hands(away, turns).with_limited_bend(forearm)
    digits = np.random.default_rng(13).uniform(-0.8, 0.8, (*away.shape[:-1], DIGITS))
    for row in range(0, 60, 7):
        here = slice(row, row + 1)
        alone = turn_hands(away[here], turns[here]).with_limited_bend(forearm[here])
        for one, other in (
            (alone.fingers, together.fingers),
            (alone.palm, together.palm),
            (alone.thumb, together.thumb),
        ):
            assert (one[0] == other[row]).all()
        assert (alone.wrists(away[here])[0] == together.wrists(away)[row]).all()
        one, other = (
            hands.digit_joints(away[rows], digits[rows])
            for hands, rows in ((alone, here), (together, slice(None)))
        )
        assert (one[0] == other[row]).all()
