"""Editing on the ladder in the real window, by a real mouse and by real keys."""

import shutil
from collections.abc import Callable

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def editing(
    open_window: Opener, pattern: str = "531", size: tuple[int, int] = (1280, 720)
) -> tuple[DrivenWindow, State]:
    window = open_window(pattern=pattern, at=0.0, size=size)
    window.keys(*keys_for(Action.EDIT))
    window.wait(lambda state: state["ladder"])
    # The camera begins to make room for the ladder in the next frame.
    window.drawn()
    return window, window.wait(lambda state: state["awake"] == 0 and state["settled"])


def undone(window: DrivenWindow, pattern: str) -> None:
    window.keys(*keys_for(Action.UNDO))
    window.wait(lambda state: state["pattern"] == pattern)


@pytest.mark.parametrize("size", sampled([(1280, 800), (640, 480)], (1280, 800)), ids=str)
@pytest.mark.parametrize("mark", sampled(["catch", "throw"], "throw"))
def test_an_arrow_dragged_to_another_landing_makes_441_of_531_in_one_drag(
    open_window: Opener, mark: str, size: tuple[int, int]
) -> None:
    window, state = editing(open_window, size=size)
    # The first throw is a 5. That of the fifth beat, event 8 in the order of time, is where the 3
    # lands, which the same hand caught before, in event 5.
    handle = state["ladder"][{"catch": "catch 5", "throw": "throw 8"}[mark]]
    head = state["ladder"]["landing 0"]
    window.mouse("move", *head, "drawn", "mousedown", 1, "drawn")
    patterns = []
    for share in (0.1, 0.4, 0.7, 1.0):
        x, y = (
            end * share + start * (1.0 - share) for start, end in zip(head, handle, strict=True)
        )
        window.mouse("move", x, y, "drawn")
        patterns.append(window.state()["pattern"])
    assert list(dict.fromkeys(patterns)) == ["531", "441"], "nothing else on the way"
    state = window.wait(lambda state: state["pattern"] == "441")
    assert state["line"] == "441", "the line changes while the arrow is dragged"
    window.mouse("mouseup", 1)
    window.wait(lambda state: state["pattern"] == "441" and state["awake"] == 0)
    undone(window, "531")


def test_editing_on_the_ladder_ends_with_it_but_in_the_picture_it_goes_on(
    open_window: Opener,
) -> None:
    window, state = editing(open_window)
    left, top, width, height = state["controls"]["diagram close"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    state = window.wait(lambda state: not state["editing"])
    assert state["strip"] is None
    window.keys(*keys_for(Action.EDIT, Action.HANDLE_PLACE, Action.DIAGRAM))
    state = window.wait(lambda state: state["strip"] is None and state["picture"]["handles"])
    assert state["editing"]
    window.keys(*keys_for(Action.HANDLE_PLACE))
    window.wait(lambda state: state["diagram"] == "ladder")
    window.keys(*keys_for(Action.HANDLE_PLACE, Action.DIAGRAM))
    window.wait(lambda state: state["strip"] is None)
    window.keys("Escape", "Escape")  # the first lets go of the chosen handle
    window.wait(lambda state: not state["editing"])


def test_keys_alone_make_441_of_531(open_window: Opener) -> None:
    window, _ = editing(open_window)
    window.keys(*keys_for(Action.HANDLE_AFTER, Action.HANDLE_AFTER))
    window.wait(lambda state: state["handles"] == ["ThrowHandle(throw=0)"])
    window.keys(*keys_for(Action.TURN_DOWN))
    window.wait(lambda state: state["pattern"] == "441")
    undone(window, "531")


def test_a_catch_is_dragged_to_another_time_and_escape_takes_a_drag_back(
    open_window: Opener,
) -> None:
    window, state = editing(open_window)
    name, (x, y) = next(
        (name, place) for name, place in state["ladder"].items() if name.startswith("catch")
    )
    before, shown = state["events"], window.pixels()
    window.mouse(
        "move", x, y, "drawn", "mousedown", 1, "drawn", "move", x - 5, y, "drawn", "move", x - 12, y
    )
    window.wait(lambda state: state["events"] != before)
    # What is above its foot moves down by a line, which tells that events were edited; the floor
    # beside it moves, too, when the camera makes room.
    assert (window.pixels()[-95:-20, 20:240] == shown[-95:-20, 20:240]).all(), (
        "the panel stays, also where it is not drawn"
    )
    window.keys("Escape")
    window.wait(lambda state: state["events"] == before)
    window.mouse("mouseup", 1)
    window.wait(lambda state: state["awake"] == 0 and state["settled"])
    # Of the picture, the outlines of legs: they are soft again.
    assert (window.pixels()[330:375, 740:860] == shown[330:375, 740:860]).all()
    window.drag((x, y), (x - 12, y))
    window.wait(lambda state: state["events"] != before and state["awake"] == 0)
    window.keys(*keys_for(Action.UNDO))
    window.wait(lambda state: state["events"] == before)
    assert name


def test_a_beat_is_inserted_and_deleted_from_the_menu_by_keys(open_window: Opener) -> None:
    window, _ = editing(open_window)
    for words, pattern in (("Insert beat before", "3531"), ("Delete beat", "531")):
        window.keys(
            "Escape",
            *keys_for(Action.EDIT, Action.HANDLE_AFTER, Action.HANDLE_AFTER, Action.EDIT_MENU),
        )
        state = window.wait(lambda state, words=words: words in state["menu"])
        window.keys(*["Down"] * state["menu"].index(words), "Return")
        window.wait(lambda state, pattern=pattern: state["pattern"] == pattern)
    undone(window, "3531")
    undone(window, "531")


def test_handles_chosen_with_shift_move_together(open_window: Opener) -> None:
    window, state = editing(open_window, "(4,4)")
    catches = [name for name in state["ladder"] if name.startswith("catch")]
    window.mouse("move", *state["ladder"][catches[0]], "drawn", "click", 1, "keydown", "shift")
    window.mouse("move", *state["ladder"][catches[1]], "drawn", "click", 1, "keyup", "shift")
    window.wait(lambda state: len(state["handles"]) == 2)
    before = state["events"]
    window.keys(*keys_for(Action.TURN_UP))
    state = window.wait(lambda state: state["events"] != before)
    moved = [now - then for now, then in zip(state["events"], before, strict=True)]
    assert moved.count(0.0) == len(moved) - 2
    assert max(moved) == pytest.approx(0.01, abs=1e-3)
