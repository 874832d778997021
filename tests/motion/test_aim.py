import numpy as np
import pytest

from juggle_anim.motion.spin import CLUB_PITCH, aim_directions, held_aims, steady_aims
from juggle_anim.vectors import wrap_angle

AHEAD = np.array([[0.2, 1.0, 0.3]])


def test_an_aim_is_a_turn_and_a_height() -> None:
    aims = np.radians([[0.0, 0.0], [90.0, 0.0], [0.0, 90.0], [180.0, 30.0]])
    expected = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0.5, -np.sqrt(0.75)]]
    assert aim_directions([aims]) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivatives_of_the_way_a_prop_points_are_those_of_its_aim(order: int) -> None:
    random = np.random.default_rng(1)
    terms = random.normal(size=(4, 5, 2))

    def aims(time: float) -> list[np.ndarray]:
        made = []
        for derivative in range(order + 1):
            factors = [
                np.prod(np.arange(n, n - derivative, -1)) * time ** max(n - derivative, 0)
                for n in range(4)
            ]
            made.append(sum(factor * term for factor, term in zip(factors, terms, strict=True)))
        return made

    hair = 1e-5
    by_difference = (
        aim_directions(aims(0.3 + hair)[:order]) - aim_directions(aims(0.3 - hair)[:order])
    ) / (2 * hair)
    assert aim_directions(aims(0.3)) == pytest.approx(by_difference, rel=1e-5, abs=1e-5)


def test_both_hands_hold_clubs_alike_and_above_the_way_they_point() -> None:
    none = np.zeros((1, 3))
    left = held_aims("club", np.array([0]), AHEAD, none, 0.0125)
    right = held_aims("club", np.array([1]), AHEAD * (-1, 1, 1), none, 0.0125)
    assert right == pytest.approx(left * (-1, 1))
    assert np.radians(15) < left[0, 1] < np.radians(30)
    assert left[0, 1] > CLUB_PITCH


def test_clubs_side_by_side_spread_but_not_where_there_is_room() -> None:
    left = np.array([0, 0])
    beside = np.array([[-0.0125, 0, 0], [0.0125, 0, 0]])
    narrow = held_aims("club", left, np.repeat(AHEAD, 2, axis=0), beside, 0.0125)
    wide = held_aims("club", left, np.repeat(AHEAD, 2, axis=0), 4 * beside, 0.05)
    assert narrow[1, 0] - narrow[0, 0] > np.radians(10)
    assert wide[0, 0] == wide[1, 0]


def test_angles_are_brought_near_0() -> None:
    assert wrap_angle(np.array([0.1, 2 * np.pi + 0.1, -7 * np.pi / 2])) == pytest.approx(
        [0.1, 0.1, np.pi / 2]
    )


def panel(aim: np.ndarray) -> np.ndarray:
    """The ways of three marks on a ball of eight panels, by its yaw and pitch."""
    yaw, pitch = aim
    about_y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    about_x = np.array(
        [[1, 0, 0], [0, np.cos(pitch), np.sin(pitch)], [0, -np.sin(pitch), np.cos(pitch)]]
    )
    return about_y @ about_x


def tones(aim: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Which of two tones a ball has at places on it: that of a panel is not that of those beside."""
    return np.sign(places @ panel(aim)).prod(axis=1)


def test_a_balls_aims_go_on_without_jumps_and_look_the_same() -> None:
    random = np.random.default_rng(4)
    places = random.normal(size=(200, 3))
    smooth = np.cumsum(random.uniform(-0.4, 0.4, (300, 2)), axis=0)
    # The same looks, said in other ways.
    half, turned = random.integers(0, 2, (2, 300))
    said = np.stack(
        [smooth[:, 0] + np.pi * turned, np.where(turned, -1, 1) * smooth[:, 1] + np.pi * half],
        axis=-1,
    )
    found = steady_aims(said)
    assert np.abs(np.diff(found, axis=0)).max() <= 0.4 + 1e-9
    for aim, before in zip(found, said, strict=True):
        assert np.array_equal(tones(aim, places), tones(before, places))
