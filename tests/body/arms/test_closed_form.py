import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from juggle_anim.arrays import Floats
from juggle_anim.body.arms import Arm
from juggle_anim.body.arms.closed_form import (
    HOME,
    blended_toward_lowest,
    carried_direction,
    chicken_wing,
    pose_arms,
)

axes = arrays.arrays(float, (3, 10), elements=st.floats(-1.0, 1.0)).filter(
    lambda columns: (np.linalg.norm(columns, axis=0) > 0.01).all()
)


def unit(columns: Floats) -> Floats:
    return columns / np.linalg.norm(columns, axis=0)


def test_the_elbow_lies_toward_the_side_that_the_field_says() -> None:
    pose = pose_arms(
        lambda axis: np.cross(axis, (0.0, 0.0, 1.0), axis=0),
        np.zeros(3),
        np.array((0.0, 0.4, 0.0)),
        Arm(0.3, 0.3),
        0,
        0.0,
    )
    assert pose.elbow == pytest.approx((np.sqrt(0.05), 0.2, 0.0))


@pytest.mark.parametrize("count", [0, 1, 8191, 8192, 8193, 20000])
def test_elbows_are_the_same_however_many_arms_are_posed_at_once(count: int) -> None:
    rng = np.random.default_rng(1)
    shoulder, hand = rng.normal(size=(2, count, 3))
    arm = Arm(rng.uniform(0.2, 1.0, count), 0.5)
    side, swivel = rng.integers(0, 2, count), rng.uniform(0, 1, count)
    elbows = chicken_wing(shoulder, hand, arm, side, swivel).elbow
    assert elbows.shape == (count, 3)
    some = slice(count // 2, count // 2 + 3)
    again = chicken_wing(
        shoulder[some], hand[some], Arm(arm.upper[some], 0.5), side[some], swivel[some]
    )
    assert again.elbow == pytest.approx(elbows[some], abs=1e-12)


@given(axes)
def test_the_carried_direction_is_taken_along_by_the_shortest_turn(columns: Floats) -> None:
    axis = unit(columns)
    hanging = np.array([0.0, -HOME[2], HOME[1]])
    for direction, side in zip(axis.T, carried_direction(axis).T, strict=True):
        about = np.cross(HOME, direction)
        cosine = HOME @ direction
        if cosine < -0.999:
            continue
        turned = (
            cosine * hanging + np.cross(about, hanging) + about * (about @ hanging) / (1.0 + cosine)
        )
        assert side == pytest.approx(turned, abs=1e-9)


@pytest.mark.parametrize("miss", [0.0, 1e-300, 1e-17, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3])
def test_the_carried_direction_is_at_right_angles_also_opposite_home(miss: float) -> None:
    around = np.linspace(0.0, 2 * np.pi, 9)
    beside = np.array([np.ones(9), np.zeros(9), np.zeros(9)]) * np.cos(around)
    beside = beside + np.array([[0.0], [HOME[2]], [-HOME[1]]]) * np.sin(around)
    axis = unit(-HOME[:, None] + miss * beside)
    side = carried_direction(axis)
    assert (side * side).sum(0) == pytest.approx(np.ones(9), abs=1e-11)
    assert (side * axis).sum(0) == pytest.approx(np.zeros(9), abs=1e-11)


@given(axes, arrays.arrays(float, (10,), elements=st.floats(-0.5, 1.5)))
def test_a_share_turns_from_the_carried_direction_to_the_lowest(
    columns: Floats, share: Floats
) -> None:
    axis = unit(columns)
    plain = np.hypot(axis[0], axis[2]) > 0.01
    axis, share = axis[:, plain], share[plain]
    one, other = (
        blended_toward_lowest(axis, np.ones(len(share))),
        blended_toward_lowest(axis, np.zeros(len(share))),
    )
    assert other == pytest.approx(carried_direction(axis), abs=1e-12)
    assert np.cross(axis, one, axis=0)[1] == pytest.approx(np.zeros(len(share)), abs=1e-9)
    assert (one[1] <= 0.0).all()
    between = blended_toward_lowest(axis, share)
    assert (between * axis).sum(0) == pytest.approx(np.zeros(len(share)), abs=1e-9)

    def angle(side: Floats) -> Floats:
        return np.arccos(np.clip((side * other).sum(0), -1.0, 1.0))

    inside = np.clip(share, 0.0, 1.0)
    smooth = inside**3 * (10.0 + inside * (6.0 * inside - 15.0))
    assert angle(between) == pytest.approx(smooth * angle(one), abs=1e-6)
