"""Editing in the picture in the real window, by a real mouse and by real keys."""

import shutil
from collections.abc import Callable

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")


def editing(open_window: Opener, pattern: str) -> tuple[DrivenWindow, State]:
    window = open_window(pattern=pattern, at=0.0, size=(1280, 720))
    window.keys(*keys_for(Action.EDIT))
    return window, window.wait(lambda state: state["picture"]["handles"] and state["settled"] and state["awake"] == 0)


def numbers(state: State) -> list[float]:
    return [float(each) for each in state["picture"]["chosen"].split(", ")]


def test_a_throw_is_dragged_in_the_picture_and_undone(open_window: Opener) -> None:
    window, state = editing(open_window, "3")
    x, y = state["picture"]["handles"]["throw 1 0"]
    window.drag((x, y), (x - 40, y - 30))
    state = window.wait(lambda state: state["pattern"] != "3" and not state["picture"]["dragging"])
    outward, up, _ = numbers(state)
    assert outward > 15
    assert up > 10
    window.keys(*keys_for(Action.UNDO))
    window.wait(lambda state: state["pattern"] == "3")


def test_a_drag_elsewhere_turns_the_camera_and_a_click_there_lets_go(open_window: Opener) -> None:
    window, state = editing(open_window, "3")
    x, y = state["picture"]["handles"]["throw 1 0"]
    window.mouse("move", x, y, "sleep", 0.1, "click", 1)
    state = window.wait(lambda state: state["handles"])
    window.drag((x + 200, y), (x + 240, y))
    window.wait(lambda now: now["eye"] != state["eye"] and now["handles"])
    window.mouse("move", x + 200, y, "sleep", 0.1, "click", 1)
    window.wait(lambda state: not state["handles"])


def test_numbers_are_typed_for_a_handle(open_window: Opener) -> None:
    window, _ = editing(open_window, "3")
    window.keys(*keys_for(Action.HANDLE_PLACE, Action.TYPE_VALUE))
    window.wait(lambda state: state["picture"]["entry"] and state["typing"])
    window.type("12, 5, -3")
    window.keys("Return")
    state = window.wait(lambda state: state["pattern"] != "3" and not state["picture"]["entry"])
    assert numbers(state) == pytest.approx([12, 5, -3], abs=0.1)
