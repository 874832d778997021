import numpy as np
import pytest

from juggle_anim.scene.camera import extreme_points


@pytest.mark.parametrize("count", [1, 31, 256, 257, 20_000])
def test_what_is_farthest_in_a_direction_is_among_the_outermost(count: int) -> None:
    rng = np.random.default_rng(count)
    points = np.cumsum(rng.normal(size=(count, 3)), axis=0)
    found = extreme_points(points)
    assert len(found) <= 256
    for turn in np.random.default_rng(0).normal(size=(256, 3)):
        assert (found @ turn).max() == pytest.approx((points @ turn).max(), abs=1e-9)


def test_outermost_points_are_some_of_the_points() -> None:
    points = np.random.default_rng(5).normal(size=(9000, 3))
    assert {tuple(point) for point in extreme_points(points)} <= {tuple(point) for point in points}
