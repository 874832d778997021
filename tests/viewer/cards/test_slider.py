import shutil

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")

Place = tuple[float, float]


def groove(state: State, name: str, share: float) -> Place:
    left, top, width, height = state["rows"][name]
    return left + 10 + share * (width - 20), top + height - 9


def label(state: State, name: str) -> Place:
    left, top, _, _ = state["rows"][name]
    return left + 20, top + 11


def number(state: State, name: str) -> Place:
    left, top, width, _ = state["rows"][name]
    return left + width - 16, top + 11


def ready(window: DrivenWindow) -> State:
    window.afresh()
    return window.wait(lambda state: state["rows"] and state["awake"] == 0)


def double_click(window: DrivenWindow, place: Place) -> None:
    window.mouse("move", *place, "sleep", 0.1, "click", "--repeat", 2, "--delay", 60, 1)


def click(window: DrivenWindow, place: Place, button: int = 1) -> None:
    window.mouse("move", *place, "sleep", 0.1, "click", button)


def stands(window: DrivenWindow, name: str, value: float | str | None) -> State:
    """Wait until a knob was given a value, and nothing is typed or held any more."""
    return window.wait(lambda state: state["given"][name] == value and not state["entry"] and state["awake"] == 0)


def turn(window: DrivenWindow, state: State, name: str, share: float) -> float | str:
    """Turn a knob by a click on its groove, after which no other click is the second of two."""
    before = state["given"][name]
    click(window, groove(state, name, share))
    value: float | str = window.wait(lambda state: state["given"][name] != before)["given"][name]
    window.mouse("sleep", 0.5)
    return value


@pytest.mark.parametrize(("name", "where"), [("dwell", "groove"), ("left_wing", "label"), ("arms", "label")])
def test_a_double_click_resets_a_slider_in_one_step(window: DrivenWindow, name: str, where: str) -> None:
    state = ready(window)
    usual = state["given"][name]
    turned = turn(window, state, name, 0.55)
    double_click(window, groove(state, name, 0.95) if where == "groove" else label(state, name))
    stands(window, name, usual)
    window.keys(*keys_for(Action.UNDO))
    stands(window, name, turned)
    window.keys(*keys_for(Action.UNDO))
    stands(window, name, usual)


def test_a_double_click_on_what_nobody_turned_leaves_it_and_nothing_to_undo(window: DrivenWindow) -> None:
    state = ready(window)
    turn(window, state, "dwell", 0.3)
    double_click(window, groove(state, "chicken_wing", 0.9))
    window.wait(lambda state: state["chosen"] == "chicken_wing")
    stands(window, "chicken_wing", 30.0)
    window.keys(*keys_for(Action.UNDO))
    stands(window, "dwell", 1.3)


def test_a_drag_after_a_double_click_leaves_the_default(window: DrivenWindow) -> None:
    state = ready(window)
    place = groove(state, "dwell", 0.3)
    window.mouse("move", *place, "sleep", 0.1, "click", 1, "mousedown", 1, "sleep", 0.1, "move", place[0] + 8, place[1])
    window.mouse("sleep", 0.1, "mouseup", 1)
    stands(window, "dwell", 1.3)
    window.drag(groove(state, "dwell", 0.7), groove(state, "dwell", 0.1))
    window.wait(lambda state: state["given"]["dwell"] < 0.4)


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [("bps", "2.25", 2.25), ("arms", "two-link-p", "two-link-polar")],
)
def test_a_click_on_the_written_value_types_another(
    window: DrivenWindow, name: str, typed: str, value: float | str
) -> None:
    state = ready(window)
    click(window, number(state, name))
    opened = window.wait(lambda state: state["entry"] and state["typing"])
    assert (opened["chosen"], opened["given"][name]) == (name, state["given"][name])
    window.type(typed)
    window.keys("Return")
    stands(window, name, value)
    window.keys(*keys_for(Action.UNDO))
    stands(window, name, state["given"][name])


def test_a_double_click_on_the_number_types_over_all_of_it(window: DrivenWindow) -> None:
    state = ready(window)
    double_click(window, number(state, "dwell"))
    window.wait(lambda state: state["entry"] and state["typing"])
    window.type("0.8")
    window.keys("Return")
    stands(window, "dwell", 0.8)


def test_a_double_click_in_the_field_selects_digits_on_both_sides_of_the_point(window: DrivenWindow) -> None:
    state = ready(window)
    window.keys(*keys_for(Action.CHOOSE_PREVIOUS))
    click(window, number(state, "dwell"))
    window.wait(lambda state: state["entry"] and state["typing"])
    window.mouse("sleep", 0.5)
    left, top, _, height = state["rows"]["dwell"]
    double_click(window, (left + 70, top + height / 2))
    window.type("0.9")
    window.keys("Return")
    stands(window, "dwell", 0.9)


def test_a_drag_from_the_number_turns_and_types_nothing(window: DrivenWindow) -> None:
    state = ready(window)
    window.drag(number(state, "dwell"), groove(state, "dwell", 0.2))
    state = window.wait(lambda state: state["given"]["dwell"] < 0.7)
    assert stands(window, "dwell", state["given"]["dwell"])["typing"] is False
    window.keys(*keys_for(Action.UNDO))
    stands(window, "dwell", 1.3)


def test_a_click_on_the_label_only_chooses(window: DrivenWindow) -> None:
    state = ready(window)
    click(window, label(state, "dwell"))
    window.wait(lambda state: state["chosen"] == "dwell")
    stands(window, "dwell", 1.3)


def test_a_right_click_resets_in_one_step(window: DrivenWindow) -> None:
    state = ready(window)
    turned = turn(window, state, "dwell", 0.3)
    click(window, label(state, "dwell"), button=3)
    stands(window, "dwell", 1.3)
    window.keys(*keys_for(Action.UNDO))
    stands(window, "dwell", turned)
