import numpy as np
import pytest
from arm_chain import ARM, WRIST, random_angles

from juggle_anim.arrays import Floats
from juggle_anim.body.chain.solve import move_joints, pseudoinverse

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
    wanted, pull, damping = (
        0.1 * random_columns(3, 1),
        0.1 * random_columns(4, 2),
        np.full(COUNT, 1e-4),
    )
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
    assert (
        np.abs(move_joints(jacobian, wanted, none, np.full(COUNT, 1e-12), (-tight, tight))) <= 0.05
    ).all()


def random_matrices(rows: int, columns: int, count: int) -> Floats:
    return np.random.default_rng(4).normal(size=(rows, columns, count))


def batch_first(matrices: Floats) -> Floats:
    return np.moveaxis(matrices, -1, 0)


@pytest.mark.parametrize("shape", [(3, 4), (3, 11), (6, 7), (6, 19), (12, 19)])
def test_the_iteration_ends_at_the_pseudoinverse(shape: tuple[int, int]) -> None:
    matrices = random_matrices(*shape, 50)
    expected = np.linalg.pinv(batch_first(matrices))
    assert batch_first(pseudoinverse(matrices, np.zeros(50))) == pytest.approx(expected, abs=1e-9)


def test_a_matrix_that_lacks_rank_has_one_too() -> None:
    matrices = random_matrices(3, 2, 20)
    matrices = np.concatenate([matrices, matrices[:, :1] - matrices[:, 1:]], axis=1)
    expected = np.linalg.pinv(batch_first(matrices), rcond=1e-9)
    assert batch_first(pseudoinverse(matrices, np.zeros(20))) == pytest.approx(expected, abs=1e-6)


def test_damping_is_added_to_the_squares() -> None:
    matrices, damping = random_matrices(3, 4, 30), np.linspace(0.01, 2.0, 30)
    transposed = batch_first(matrices).transpose(0, 2, 1)
    gram = batch_first(matrices) @ transposed + damping[:, None, None] * np.eye(3)
    expected = transposed @ np.linalg.inv(gram)
    assert batch_first(pseudoinverse(matrices, damping)) == pytest.approx(expected, abs=1e-9)


def test_one_singular_value_may_be_a_thousand_times_another() -> None:
    rng = np.random.default_rng(2)
    left, right = (np.linalg.qr(rng.normal(size=(size, size)))[0] for size in (3, 5))
    matrix = left @ np.diag([1.0, 0.1, 0.001]) @ right[:3]
    found = pseudoinverse(matrix[..., None], np.zeros(1))[..., 0]
    assert found == pytest.approx(np.linalg.pinv(matrix), rel=1e-7, abs=1e-7)


def test_a_matrix_of_zeros_has_zeros() -> None:
    assert not pseudoinverse(np.zeros((3, 4, 2)), np.zeros(2)).any()


def test_the_same_matrix_gives_the_same_in_any_company() -> None:
    matrices = random_matrices(3, 4, 40) * np.logspace(-3, 0, 40)
    together = pseudoinverse(matrices, np.full(40, 1e-6))
    alone = [pseudoinverse(matrices[..., [index]], np.full(1, 1e-6)) for index in range(40)]
    assert together == pytest.approx(np.concatenate(alone, axis=-1), rel=1e-9, abs=1e-9)
