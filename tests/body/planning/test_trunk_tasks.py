"""Tasks and limits of trunks: satisfied alone, without effect where far, smooth in the channels."""

import numpy as np
import pytest

from juggle_anim.arrays import Floats
from juggle_anim.body.arm import from_shoulders_to_wrists
from juggle_anim.body.planning.trunk_plan import (
    CHANNEL_UNITS,
    Balance,
    ReachFeet,
    ReachHands,
    StayAtEase,
    StayInRange,
    Task,
    TrunkState,
)
from juggle_anim.body.trunk_and_legs import (
    ANKLES,
    HIP_ROLL,
    HIP_TURN,
    MIDDLE_OF_FOOT,
    PELVIS,
    PELVIS_LEFT,
    SHOULDER_TURN,
    TOES_AHEAD,
    TRUNK_CHANNELS,
    pose_trunk,
    trunk_jacobian,
)
from juggle_anim.motion.palms import CHANNELS

MOMENTS = 5
NEAR = np.array([[0.2, 1.0, 0.35], [-0.2, 1.0, 0.35]])
FAR = np.array([[0.2, 1.0, 1.2], [-0.2, 1.0, 0.35]])
CENTRE = (ANKLES[:, ::2] + MIDDLE_OF_FOOT * TOES_AHEAD[:, ::2]).mean(axis=0)


def hands_at(places: Floats) -> Floats:
    return np.broadcast_to(places, (MOMENTS, 1, 2, 3)).copy()


def state_of(channels: Floats, hands: Floats) -> TrunkState:
    channels = np.broadcast_to(channels, (MOMENTS, 1, TRUNK_CHANNELS))
    trunk = pose_trunk(hands, channels)
    turns = np.zeros((MOMENTS, 1, 2, CHANNELS))
    to_wrists = from_shoulders_to_wrists(hands, turns, trunk.shoulders)
    ankles = np.broadcast_to(ANKLES, hands.shape)
    return TrunkState.standing(channels, trunk, to_wrists, ankles)


def tasks(hands: Floats) -> dict[str, Task]:
    at_ease = np.zeros((MOMENTS, 1, TRUNK_CHANNELS))
    return {
        "ease": StayAtEase(at_ease, np.broadcast_to(CHANNEL_UNITS[:TRUNK_CHANNELS], at_ease.shape)),
        "range": StayInRange(at_ease),
        "balance": Balance(hands, np.broadcast_to(CENTRE, (MOMENTS, 1, 2))),
        "hands": ReachHands(),
        "feet": ReachFeet(),
    }


@pytest.mark.parametrize("name", ["ease", "range", "hands"])
def test_a_juggler_at_ease_has_nothing_to_do(name: str) -> None:
    hands = hands_at(NEAR)
    residuals = tasks(hands)[name].residuals(state_of(np.zeros(TRUNK_CHANNELS), hands))
    assert np.abs(residuals).max() < 1e-9


def test_the_weight_of_a_juggler_at_ease_is_nearly_over_the_feet() -> None:
    hands = hands_at(NEAR)
    residuals = tasks(hands)["balance"].residuals(state_of(np.zeros(TRUNK_CHANNELS), hands))
    assert np.abs(residuals).max() < 1.0


def test_a_far_hand_pulls_its_own_arm_alone() -> None:
    hands = hands_at(FAR)
    residuals = tasks(hands)["hands"].residuals(state_of(np.zeros(TRUNK_CHANNELS), hands))
    far_left, far_right, *near = residuals[0, 0]
    assert far_left > 5.0
    assert far_right == 0.0
    assert near == [0.0, 0.0]


def test_a_pelvis_that_comes_down_frees_stretched_legs() -> None:
    hands = hands_at(NEAR)
    channels = np.zeros(TRUNK_CHANNELS)
    channels[PELVIS] = 0.1, 0.05, 0.0
    feet = tasks(hands)["feet"]
    assert feet.residuals(state_of(channels, hands)).max() > 5.0
    channels[PELVIS] = 0.1, -0.1, 0.0
    assert feet.residuals(state_of(channels, hands)).max() == 0.0


@pytest.mark.parametrize("name", ["ease", "range", "balance", "hands", "feet"])
def test_what_a_mirrored_body_lacks_is_mirrored(name: str) -> None:
    random = np.random.default_rng(5)
    channels = random.uniform(-0.2, 0.2, TRUNK_CHANNELS)
    mirrored = channels[[*range(8), 10, 11, 8, 9]].copy()
    mirrored[[PELVIS_LEFT, HIP_TURN, HIP_ROLL, 5, SHOULDER_TURN]] *= -1.0
    other_hands = FAR[::-1] * (-1.0, 1.0, 1.0)
    sizes = [
        np.sort(np.abs(tasks(hands)[name].residuals(state_of(values, hands))[0, 0]))
        for values, hands in ((channels, hands_at(FAR)), (mirrored, hands_at(other_hands)))
    ]
    if name == "range":  # ranges differ to both sides where bodies do
        sizes = [size[size > 0.0] for size in sizes]
    if name == "ease":
        sizes = [np.sort(np.round(size, 9)) for size in sizes]
    assert sizes[0] == pytest.approx(sizes[1], abs=1e-9)


@pytest.mark.parametrize("name", ["ease", "balance", "hands", "feet"])
def test_residuals_have_the_slopes_that_differences_from_both_sides_agree_on(name: str) -> None:
    random = np.random.default_rng(7)
    hands = hands_at(FAR)
    task = tasks(hands)[name]
    channels = random.uniform(-0.1, 0.1, TRUNK_CHANNELS)
    for channel in range(TRUNK_CHANNELS):
        step = np.zeros(TRUNK_CHANNELS)
        step[channel] = 1e-5
        at = task.residuals(state_of(channels, hands))
        ahead = (task.residuals(state_of(channels + step, hands)) - at) / 1e-5
        behind = (at - task.residuals(state_of(channels - step, hands))) / 1e-5
        assert ahead == pytest.approx(behind, rel=2e-2, abs=0.5)


def test_joints_move_as_their_slopes_say_but_for_how_far_shoulders_rise() -> None:
    hands = hands_at(NEAR)
    channels = np.random.default_rng(7).uniform(-0.1, 0.1, (MOMENTS, 1, TRUNK_CHANNELS))
    trunk = pose_trunk(hands, channels)
    jacobian = trunk_jacobian(trunk, channels)
    step = 1e-6
    for channel in range(TRUNK_CHANNELS):
        moved = pose_trunk(hands, channels + step * np.eye(TRUNK_CHANNELS)[channel])
        for name, tolerance in (("spine", 1e-5), ("hips", 1e-5), ("shoulders", 0.12)):
            differences = (getattr(moved, name) - getattr(trunk, name)) / step
            assert getattr(jacobian, name)[:, :, channel] == pytest.approx(
                differences, abs=tolerance
            )
