import numpy as np
import pytest

from juggle_anim.arrays import Floats
from juggle_anim.body.chain.step import pseudoinverse


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
