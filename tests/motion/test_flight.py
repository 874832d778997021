import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.vectors import mean_by_event


def test_what_shares_an_event_is_averaged_and_an_event_without_any_has_none() -> None:
    values = np.array([[1.0, 0.0], [3.0, 4.0], [7.0, 7.0]])
    assert mean_by_event(np.array([2, 2, 0]), values, 4).tolist() == [
        [7, 7],
        [0, 0],
        [2, 2],
        [0, 0],
    ]


def test_nothing_at_all_is_no_mistake() -> None:
    assert mean_by_event(np.zeros(0, dtype=np.intp), np.zeros((0, 3)), 2).tolist() == [
        [0, 0, 0],
        [0, 0, 0],
    ]


@pytest.mark.parametrize("text", ["531", "97531", "3B", "<3p|3p>"])
def test_no_moment_of_a_flight_is_higher_than_its_apex(text: str) -> None:
    parabolas = animate(text).motion.flight_paths.parabolas
    share = np.linspace(0.0, 1.0, 501)[:, None]
    time = share * parabolas.duration
    heights = (
        parabolas.position[:, 1] + parabolas.velocity[:, 1] * time - parabolas.gravity * time**2 / 2
    )
    np.testing.assert_allclose(parabolas.apexes()[:, 1], heights.max(axis=0), atol=1e-4)
