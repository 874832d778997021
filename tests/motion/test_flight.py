import numpy as np

from juggle_anim.motion.flight import mean_by_event


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
