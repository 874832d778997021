"""The palette of commands in the real window."""

import shutil
from collections.abc import Callable

import pytest
from driven_window import DrivenWindow, State

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def first_is(name: str) -> Callable[[State], bool]:
    return lambda state: bool(state["palette"] and state["palette"]["found"][:1] == [name])


def _asks(state: State, ending: str) -> bool:
    return bool(state["desk"]["prompt"] == "SAVE" and state["desk"]["prompt_text"].endswith(ending))


def test_whatever_is_sought_is_found_and_done(open_window: Opener) -> None:
    window = open_window()
    tasks: tuple[tuple[str, str, Callable[[State], bool]], ...] = (
        ("routine", "Routine", lambda state: state["desk"]["routine"]),
        ("split", "Split", lambda state: bool(state["beside"])),
        ("prop club", "Prop: club", lambda state: state["given"]["prop"] == "club"),
        ("tempo", "Throwing tempo", lambda state: state["chosen"] == "bps"),
        ("mills mess", "Mills mess", lambda state: state["pattern"] == "Mills mess"),
        ("facts", "Facts", lambda state: state["facts"]),
        ("sheet", "Sheet to print as PDF", lambda state: _asks(state, ".pdf")),
    )
    for words, name, done in tasks:
        window.keys("ctrl+k")
        window.wait(lambda state: state["palette"] and state["typing"])
        window.type(words)
        window.wait(first_is(name))
        window.keys("Return")
        window.wait(lambda state, done=done: done(state) and state["palette"] is None)
    window.keys("Escape", "ctrl+z")
    window.wait(lambda state: "531" in state["pattern"])


def test_it_is_as_high_as_what_is_found(open_window: Opener) -> None:
    window = open_window(size=(1280, 800))
    window.keys("ctrl+k")
    window.wait(lambda state: state["palette"] and state["typing"])
    whole = window.drawn()["controls"]["palette sheet"][3]
    window.type("collide")
    window.wait(first_is("Find collisions"))
    found = window.drawn()
    rows = len(found["palette"]["found"])
    row_height = found["controls"]["palette command 0"][3]
    assert whole - found["controls"]["palette sheet"][3] == (12 - rows) * row_height
    window.type("qqq")
    window.wait(lambda state: state["palette"]["found"] == [])
    assert window.drawn()["controls"]["palette sheet"][3] < whole / 2


def test_more_lists_all_commands_and_escape_or_a_click_beside_leaves_them(
    open_window: Opener,
) -> None:
    window = open_window()
    left, top, width, height = window.wait(lambda state: "PALETTE" in state["spots"])["spots"][
        "PALETTE"
    ]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    state = window.wait(lambda state: state["palette"])
    assert {"Hide panels", "Transitions", "Video", "Playback speed", "First person"} <= set(
        state["palette"]["found"]
    )
    window.keys("Escape")
    window.wait(lambda state: state["palette"] is None and not state["typing"])
    window.keys("question")
    window.wait(lambda state: state["palette"])
    window.mouse("move", 5, 5, "drawn", "click", 1)
    state = window.wait(lambda state: state["palette"] is None)
    assert state["pattern"] == "531"


def test_arrow_keys_choose_and_nothing_is_done_where_nothing_is_found(open_window: Opener) -> None:
    window = open_window()
    window.keys("ctrl+k")
    window.type("view from")
    window.wait(first_is("View from the front"))
    window.keys("Down", "Down", "Return")
    window.wait(lambda state: state["view"] == "right")
    window.keys("ctrl+k")
    window.type("xqxq")
    window.wait(lambda state: state["palette"] and state["palette"]["found"] == [])
    window.keys("Return")
    window.wait(lambda state: state["palette"] is None)


def test_undo_all_names_what_it_undid_and_its_button_does_it_again(open_window: Opener) -> None:
    window = open_window(size=(1280, 800))
    window.keys("slash")
    window.type("441")
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "441")
    window.keys("ctrl+w", "Right")
    window.wait(lambda state: state["parameters"]["chicken_wing"] > 30)
    lifted = window.state()["parameters"]["chicken_wing"]
    window.keys("ctrl+k")
    window.type("undo all")
    window.wait(lambda state: state["palette"] and state["palette"]["found"][:1] == ["Undo all"])
    window.keys("Return")
    window.wait(lambda state: state["said"] == "Undone: Pattern 441, Elbow lift")
    window.wait(
        lambda state: (state["pattern"], state["parameters"]["chicken_wing"]) == ("531", 30)
    )
    left, top, width, height = window.drawn()["controls"]["notice offer"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(
        lambda state: (state["pattern"], state["parameters"]["chicken_wing"]) == ("441", lifted)
    )
