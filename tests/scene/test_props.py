import numpy as np
import pytest

from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, CLUB_WIDTH
from juggle_anim.scene.props import CLUB_PARTS, club_capsules

UP = np.array([[[0.0, 1.0, 0.0]]])
RED = np.array([[0.9, 0.1, 0.1]], dtype=np.float32)


def standing(width: float = CLUB_WIDTH) -> np.ndarray:
    return club_capsules(np.array([[[0.0, CLUB_CENTRE, 0.0]]]), UP, np.array([width]), RED)[0]


def test_a_club_is_as_long_and_as_wide_as_it_should_be() -> None:
    rows = standing()
    assert len(rows) == CLUB_PARTS
    ends = np.concatenate([rows[:, 0:4], rows[:, 4:8]])
    assert (ends[:, 1] - ends[:, 3]).min() == pytest.approx(0.0, abs=1e-4)
    assert (ends[:, 1] + ends[:, 3]).max() == pytest.approx(CLUB_LENGTH, abs=1e-3)
    assert 2 * ends[:, 3].max() == pytest.approx(CLUB_WIDTH)


def test_the_body_alone_has_the_colour_and_the_width_that_are_chosen() -> None:
    usual, wide = standing(), standing(2 * CLUB_WIDTH)
    body = (usual[:, 8:11] == RED).all(axis=1)
    assert 4 < body.sum() < CLUB_PARTS
    assert usual[body, 1].min() > 0.18
    assert wide[body, 3] == pytest.approx(2 * usual[body, 3])
    assert np.array_equal(wide[~body], usual[~body])


def test_parts_join_without_a_gap_from_knob_to_top() -> None:
    rows = standing()
    body = (rows[:, 8:11] == RED).all(axis=1)
    assert rows[body][1:, :4] == pytest.approx(rows[body][:-1, 4:8])
    assert (np.diff(rows[:, 1]) > -0.03).all()
    assert (rows[1:, 1] - rows[1:, 3] <= rows[:-1, 5] + rows[:-1, 7]).all()


def test_each_club_stands_where_it_is_and_points_where_it_points() -> None:
    centres = np.random.default_rng(1).normal(size=(3, 2, 3))
    axes = np.zeros((3, 2, 3)) + (1.0, 0.0, 0.0)
    rows = club_capsules(centres, axes, np.full(2, CLUB_WIDTH), np.repeat(RED, 2, axis=0)).reshape(
        3, 2, CLUB_PARTS, 12
    )
    assert rows[..., 1:3] == pytest.approx(
        np.repeat(centres[:, :, None, 1:], CLUB_PARTS, axis=2), abs=1e-5
    )
    assert (rows[..., 4] >= rows[..., 0]).all()
