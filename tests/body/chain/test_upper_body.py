import numpy as np
import pytest

from juggle_anim.body.chain import Frame
from juggle_anim.body.chain.chain import LIMITS, palm, posture_at_ease, upper_body
from juggle_anim.body.skeleton import (
    FOREARM,
    HIP_HEIGHT,
    PALM,
    SHOULDER,
    SHOULDER_HEIGHT,
    SPINE,
    UPPER_ARM,
)

BODY = upper_body()


def palm_at(side: int, **degrees: float) -> np.ndarray:
    """Where a palm is when some joints are turned, from where it hangs."""
    angles = np.zeros(len(BODY))
    for name, angle in degrees.items():
        angles[BODY.index(name.replace("_", " "))] = np.radians(angle)
    place = BODY.locate(angles, palm(BODY, side))[0]
    return place - BODY.locate(np.zeros(len(BODY)), palm(BODY, side))[0]


def test_arms_hang_from_the_shoulders_of_the_skeleton() -> None:
    for side, out in enumerate((1, -1)):
        hanging = BODY.locate(np.zeros(len(BODY)), palm(BODY, side))[0]
        assert hanging == pytest.approx(
            [out * SHOULDER, SHOULDER_HEIGHT - UPPER_ARM - FOREARM - PALM, 0]
        )
    assert pytest.approx(HIP_HEIGHT + SPINE) == SHOULDER_HEIGHT


def test_there_are_three_joints_of_the_spine_and_eight_of_each_arm() -> None:
    assert len(BODY) == 19
    assert [len(upper_body((side,))) for side in (0, 1)] == [11, 11]
    moves = BODY.jacobian(posture_at_ease(BODY), palm(BODY, 0))[3:]
    assert np.flatnonzero(moves.any(axis=0)).tolist() == [*range(3), *range(3, 11)]


@pytest.mark.parametrize(
    ("joint", "seen_at", "direction"),
    [
        ("spine flexion", "left shoulder flexion", (0, 0, 1)),
        ("spine bending", "left shoulder flexion", (1, 0, 0)),
        ("left clavicle elevation", "left shoulder flexion", (0, 1, 0)),
        ("left clavicle protraction", "left shoulder flexion", (0, 0, 1)),
        ("left shoulder flexion", "left elbow flexion", (0, 0, 1)),
        ("left shoulder abduction", "left elbow flexion", (1, 0, 0)),
        ("left elbow flexion", "left wrist flexion", (0, 0, 1)),
        ("left wrist flexion", "left palm", (0, 0, 1)),
        ("left wrist deviation", "left palm", (1, 0, 0)),
    ],
)
def test_joints_turn_the_way_their_names_say(
    joint: str, seen_at: str, direction: tuple[int, int, int]
) -> None:
    frame = palm(BODY, 0) if seen_at == "left palm" else Frame(BODY.index(seen_at))
    angles = np.zeros(len(BODY))
    before = BODY.locate(angles, frame)[0]
    angles[BODY.index(joint)] = np.radians(5.0)
    moved = BODY.locate(angles, frame)[0] - before
    assert moved @ direction > 0.9 * np.linalg.norm(moved) > 0


def test_a_spine_that_turns_left_brings_the_right_hand_forward() -> None:
    assert palm_at(1, spine_rotation=20.0)[2] > 0.05
    assert palm_at(0, spine_rotation=20.0)[2] < -0.05


def test_a_bent_arm_that_is_turned_inward_brings_the_hand_before_the_belly() -> None:
    before = palm_at(0, left_elbow_flexion=90.0)
    assert palm_at(0, left_elbow_flexion=90.0, left_shoulder_rotation=40.0)[0] < before[0] - 0.1
    assert palm_at(1, right_elbow_flexion=90.0, right_shoulder_rotation=40.0)[0] > 0.1


def test_right_is_left_in_a_mirror() -> None:
    rng = np.random.default_rng(1)
    angles = rng.uniform(*BODY.limits, (20, len(BODY)))
    mirrored = angles.copy()
    mirrored[:, 3:11], mirrored[:, 11:] = angles[:, 11:], angles[:, 3:11]
    mirrored[:, [1, 2]] *= -1
    for side in (0, 1):
        there = BODY.locate(mirrored, palm(BODY, 1 - side))[0]
        assert BODY.locate(angles, palm(BODY, side))[0] * (-1, 1, 1) == pytest.approx(
            there, abs=1e-12
        )


def test_limits_are_those_of_the_table_and_a_juggler_at_ease_is_within_them() -> None:
    lower, upper = BODY.limits
    for index, joint in enumerate(BODY.joints):
        kind = joint.name.removeprefix("left ").removeprefix("right ")
        assert np.degrees([lower[index], upper[index]]) == pytest.approx(LIMITS[kind])
    ease = posture_at_ease(BODY)
    assert (lower < ease).all()
    assert (ease < upper).all()
    hands = [BODY.locate(ease, palm(BODY, side))[0] for side in (0, 1)]
    for x, y, z in hands:
        assert 0.1 < abs(x) < 0.4
        assert 1.0 < y < 1.2
        assert 0.25 < z < 0.5
