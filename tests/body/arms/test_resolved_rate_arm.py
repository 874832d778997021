import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.arrays import Floats
from juggle_anim.body.arms.closed_form import HOME, chicken_wing
from juggle_anim.body.arms.resolved_rate import NEARLY_STRAIGHT, _home_pose, resolved_rate
from juggle_anim.body.arms.solvers import AT_EASE, Arm, ArmPose

ORIGIN = np.zeros(3)
ARM = Arm(0.30, 0.28)
LENGTHS = st.floats(0.05, 2.0)


def random_hands(count: int, arm: Arm, seed: int = 1) -> Floats:
    """Within reach, shape (count, 3), [m]."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(count, 3))
    inner, outer = abs(arm.upper - arm.lower), arm.upper + arm.lower
    margin = 1e-3 * outer
    distances = rng.uniform(inner + margin, outer - margin, count)
    return directions * (distances / np.linalg.norm(directions, axis=1))[:, None]


def assert_bones_and_rotations_agree(pose: ArmPose, shoulder: Floats, arm: Arm) -> None:
    upper, lower = pose.rotations[..., 0, :, :], pose.rotations[..., 1, :, :]
    assert pose.elbow - shoulder == pytest.approx(arm.upper * upper[..., 0], abs=1e-9)
    assert pose.wrist - pose.elbow == pytest.approx(arm.lower * lower[..., 0], abs=1e-9)
    for rotation in (upper, lower):
        square = np.swapaxes(rotation, -1, -2) @ rotation
        assert square == pytest.approx(np.broadcast_to(np.eye(3), square.shape), abs=1e-9)
        assert np.linalg.det(rotation) == pytest.approx(1, abs=1e-9)
    assert upper[..., 2] == pytest.approx(lower[..., 2], abs=1e-12)
    # The forearm is the upper arm turned backward about the hinge, by less than half a turn.
    assert (np.einsum("...i,...i->...", upper[..., 1], lower[..., 0]) <= 1e-9).all()


@given(LENGTHS, LENGTHS, st.integers(0, 1), st.floats(-1.5, 1.5), st.integers(0, 1000))
def test_hands_are_met_and_bones_keep_their_length(
    upper: float, lower: float, side: int, swivel: float, seed: int
) -> None:
    arm = Arm(upper, lower)
    hands = random_hands(20, arm, seed)
    pose = resolved_rate(ORIGIN, hands, arm, side, swivel)
    assert pose.wrist == pytest.approx(hands, abs=1e-6 * (upper + lower))
    assert pose.gap == pytest.approx(np.linalg.norm(hands - pose.wrist, axis=1), abs=1e-12)
    assert np.linalg.norm(pose.elbow, axis=1) == pytest.approx(upper, abs=1e-9)
    assert np.linalg.norm(pose.wrist - pose.elbow, axis=1) == pytest.approx(lower, abs=1e-9)
    assert_bones_and_rotations_agree(pose, ORIGIN, arm)


def test_hands_of_an_arm_like_ours_are_met_to_rounding() -> None:
    hands = random_hands(5000, ARM)
    assert resolved_rate(ORIGIN, hands, ARM, 0, AT_EASE).gap.max() < 1e-9


def test_at_home_the_elbow_is_where_the_swivel_says() -> None:
    for distance in (0.25, 0.41036569, 0.5):
        for swivel in (-0.5, 0.0, AT_EASE, 1.2):
            ours, rule = (
                solve(ORIGIN, distance * HOME, ARM, 1, swivel)
                for solve in (resolved_rate, chicken_wing)
            )
            assert ours.elbow == pytest.approx(rule.elbow, abs=1e-9)


def test_a_swivel_lifts_the_elbow_outward_on_either_side() -> None:
    hands = random_hands(500, ARM)
    hands = hands[(hands[:, 2] > 0.2) & (hands[:, 1] < 0.1)]
    assert len(hands) > 30
    for side, out in enumerate((1, -1)):
        low, high = (resolved_rate(ORIGIN, hands, ARM, side, swivel).elbow for swivel in (0.0, 0.5))
        assert (out * (high - low)[:, 0] > 0).all()


def test_hands_out_of_reach_are_pointed_at_and_the_gap_is_told() -> None:
    arm = Arm(0.35, 0.20)
    way = random_hands(50, arm)
    way /= np.linalg.norm(way, axis=1)[:, None]
    for distance, nearest in ((2.0, 0.55), (0.05, 0.15)):
        pose = resolved_rate(ORIGIN, distance * way, arm, 0, AT_EASE)
        assert pose.wrist == pytest.approx(nearest * way, abs=2e-6)
        assert pose.gap == pytest.approx(abs(distance - nearest), abs=2 * NEARLY_STRAIGHT)
        assert np.linalg.norm(pose.elbow, axis=1) == pytest.approx(0.35, abs=1e-9)


@pytest.mark.parametrize(
    "hand",
    [
        (0, 0, 0),
        (0, 0, 1e-300),
        (1e-12, 0, 0),
        (0, -0.58, 0),
        (0, 0.4, 0),
        (0, -0.4, 0),
        tuple(-0.4 * HOME),
        (1e300, -1e308, 1e308),
        (0.0, 0.0, -0.02),
    ],
)
def test_no_hand_is_too_odd(hand: tuple[float, float, float]) -> None:
    for side in (0, 1):
        pose = resolved_rate(ORIGIN, np.array(hand, dtype=float), ARM, side, AT_EASE)
        assert np.isfinite(pose.gap)
        assert np.linalg.norm(pose.elbow) == pytest.approx(0.30, abs=1e-9)
        assert np.linalg.norm(pose.wrist - pose.elbow) == pytest.approx(0.28, abs=1e-9)
        assert_bones_and_rotations_agree(pose, ORIGIN, ARM)


def test_elbows_go_as_smoothly_as_hands_all_around_the_body() -> None:
    turn = np.linspace(0, 2 * np.pi, 2001)
    # Around, under, over and beside the shoulder, a millimetre aside of the lines through it; also
    # to full reach.
    way = np.stack([np.sin(turn), -np.cos(turn), np.full_like(turn, 0.0025)], axis=-1)
    for hands in (
        0.4 * way,
        0.4 * way[1000:, [2, 0, 1]],
        (0.45 + 0.3 * np.sin(2 * turn))[:, None] * (0.2, -0.3, 0.9),
    ):
        elbows = resolved_rate(ORIGIN, hands, ARM, 0, AT_EASE).elbow
        assert np.linalg.norm(np.diff(elbows, axis=0), axis=1).max() < 0.02


@given(st.floats(0.1, 0.9), st.floats(-3.0, 3.0))
def test_arms_set_out_from_home_with_a_right_angle_at_the_elbow(
    upper: float, swivel: float
) -> None:
    bones = np.array([upper]), np.array([1.0 - upper])
    arm = _home_pose(
        *bones, np.array([swivel]), min_flex=np.array([0.0]), max_flex=np.array([np.pi])
    )
    axes = np.stack([arm.upper_direction, arm.forearm_direction, arm.hinge])[..., 0]
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-9)
    # By Pythagoras, the hand is so far away in the direction of home.
    hand = bones[0] * arm.upper_direction[:, 0] + bones[1] * arm.forearm_direction[:, 0]
    assert hand == pytest.approx(np.hypot(*bones) * HOME, abs=1e-9)
    # Without a swivel the elbow hangs below that line; turned halfway round, above it.
    beside = arm.upper_direction[:, 0] - (arm.upper_direction[:, 0] @ HOME) * HOME
    assert beside[1] * np.cos(swivel) <= 1e-9
