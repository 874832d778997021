"""The goal of a hand in a mirrored picture: mouse and keys move it the way that one sees."""

import shutil

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


@pytest.fixture
def mirrored(window: DrivenWindow) -> DrivenWindow:
    """A window with a mirrored picture and a goal."""
    window.afresh("pattern=531;mirror=on")
    window.keys(*keys_for(Action.GOAL))
    window.wait(
        lambda state: (
            state["lab"] and not state["lab"]["busy"] and state["settled"] and state["awake"] == 0
        )
    )
    return window


def moved(before: State, now: State) -> list[float]:
    return list(np.subtract(now["lab"]["place"], before["lab"]["place"]))


WAYS = {
    Action.GOAL_LEFT: (-1, 0), Action.GOAL_RIGHT: (1, 0), Action.GOAL_UP: (0, -1),
    Action.GOAL_DOWN: (0, 1),
}  # fmt: skip


def test_keys_move_a_goal_as_the_mirror_shows_it(mirrored: DrivenWindow) -> None:
    for action, way in WAYS.items():
        before = mirrored.state()
        mirrored.keys(*keys_for(action))
        now = mirrored.wait(
            lambda state, before=before: state["lab"]["goal"] != before["lab"]["goal"]
        )
        across, down = moved(before, now)
        assert across * way[0] + down * way[1] > 1, action
        assert abs(across * way[1]) + abs(down * way[0]) < 0.5, action


def test_the_arrow_to_the_left_hand_points_left_and_is_dragged_there(
    mirrored: DrivenWindow,
) -> None:
    before = mirrored.state()
    x, y = before["lab"]["place"]
    mirrored.drag((x - 40, y), (x - 75, y))
    now = mirrored.wait(
        lambda state: state["lab"]["goal"] != before["lab"]["goal"] and state["awake"] == 0
    )
    assert moved(before, now)[0] < -20
    assert np.subtract(now["lab"]["goal"], before["lab"]["goal"])[0] > 0.1
    assert not now["held"], "the camera is not dragged along"
