import numpy as np
import pytest
from arm_chain import ARM, WRIST, random_angles

from juggle_anim.arrays import Floats
from juggle_anim.body.chain.step import move_joints

COUNT = 200
FAR = np.full((4, COUNT), 100.0)


@pytest.fixture
def jacobian() -> Floats:
    angles = random_angles(ARM, COUNT)
    angles[:, 3] = np.minimum(angles[:, 3], -0.3)
    return np.ascontiguousarray(np.moveaxis(ARM.jacobian(angles, WRIST)[:, :3], 0, -1))


def random_columns(rows: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(rows, COUNT))


def moved(jacobian: Floats, move: Floats) -> Floats:
    return np.einsum("inb,nb->ib", jacobian, move)


def test_the_hand_moves_as_wanted_and_joints_as_little_as_they_can(jacobian: Floats) -> None:
    wanted = 0.1 * random_columns(3, 1)
    move = move_joints(jacobian, wanted, np.zeros((4, COUNT)), np.zeros(COUNT), (-FAR, FAR))
    assert moved(jacobian, move) == pytest.approx(wanted, abs=1e-9)
    least = [
        np.linalg.lstsq(each, want, rcond=None)[0]
        for each, want in zip(jacobian.T.swapaxes(1, 2), wanted.T, strict=True)
    ]
    assert move == pytest.approx(np.transpose(least), abs=1e-7)


def test_the_pull_to_a_posture_does_not_move_the_hand(jacobian: Floats) -> None:
    pull = random_columns(4, 2)
    move = move_joints(jacobian, np.zeros((3, COUNT)), pull, np.zeros(COUNT), (-FAR, FAR))
    assert np.abs(move).max() > 0.1
    assert moved(jacobian, move) == pytest.approx(0, abs=1e-9)
    # It goes toward the posture, never away.
    assert (np.einsum("nb,nb->b", move, pull) >= -1e-9).all()


def test_limits_that_are_far_have_no_effect(jacobian: Floats) -> None:
    wanted, pull, damping = 0.1 * random_columns(3, 1), 0.1 * random_columns(4, 2), np.full(COUNT, 1e-4)
    free = move_joints(jacobian, wanted, pull, damping, (-np.inf * FAR, np.inf * FAR))
    just_beyond = 1.0001 * np.abs(free) + 1e-9
    assert (move_joints(jacobian, wanted, pull, damping, (-just_beyond, just_beyond)) == free).all()


def test_no_limit_is_passed_and_the_other_joints_make_up_for_it(jacobian: Floats) -> None:
    wanted, none = 0.1 * random_columns(3, 1), np.zeros((4, COUNT))
    room = np.full((4, COUNT), 100.0)
    room[2] = 0.0
    move = move_joints(jacobian, wanted, none, np.full(COUNT, 1e-12), (-room, room))
    assert not move[2].any()
    conditions = np.linalg.cond(np.delete(jacobian, 2, axis=1).transpose(2, 0, 1))
    able = conditions < 50
    assert able.sum() > 50
    assert moved(jacobian, move)[:, able] == pytest.approx(wanted[:, able], abs=1e-6)
    tight = np.full((4, COUNT), 0.05)
    assert (np.abs(move_joints(jacobian, wanted, none, np.full(COUNT, 1e-12), (-tight, tight))) <= 0.05).all()
