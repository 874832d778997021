import shutil

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

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
    window.afresh(chosen="")
    return window.wait(lambda state: state["rows"] and state["awake"] == 0)


def double_click(window: DrivenWindow, place: Place) -> None:
    window.mouse("move", *place, "drawn", "click", "--repeat", 2, "--delay", 60, 1)


def click(window: DrivenWindow, place: Place, button: int = 1) -> None:
    window.mouse("move", *place, "drawn", "click", button)


def stands(window: DrivenWindow, name: str, value: float | str | None) -> State:
    """Wait until a knob was given a value, and nothing is typed or held any more."""
    return window.wait(
        lambda state: state["given"][name] == value and not state["entry"] and state["awake"] == 0
    )


def turn(window: DrivenWindow, state: State, name: str, share: float) -> float | str:
    """Turn a knob by a click on its groove, after which no other click is the second of two."""
    before = state["given"][name]
    click(window, groove(state, name, share))
    value: float | str = window.wait(lambda state: state["given"][name] != before)["given"][name]
    window.mouse("sleep", 0.5)
    return value


@pytest.mark.parametrize(
    ("name", "where"),
    sampled([("speed", "groove"), ("bps", "label")], ("bps", "label"), arguments=2),
)
def test_a_double_click_resets_a_slider_in_one_step(
    window: DrivenWindow, name: str, where: str
) -> None:
    state = ready(window)
    usual = state["given"][name]
    turned = turn(window, state, name, 0.55)
    double_click(window, groove(state, name, 0.95) if where == "groove" else label(state, name))
    stands(window, name, usual)
    window.keys(*keys_for(Action.UNDO))
    stands(window, name, turned)
    window.keys(*keys_for(Action.UNDO))
    stands(window, name, usual)


def test_a_double_click_on_what_nobody_turned_leaves_it_and_nothing_to_undo(
    window: DrivenWindow,
) -> None:
    state = ready(window)
    turn(window, state, "speed", 0.3)
    double_click(window, groove(state, "bps", 0.9))
    window.wait(lambda state: state["chosen"] == "bps")
    stands(window, "bps", None)
    window.keys(*keys_for(Action.UNDO))
    stands(window, "speed", 1.0)


def test_a_drag_after_a_double_click_leaves_the_default(window: DrivenWindow) -> None:
    state = ready(window)
    place = groove(state, "speed", 0.3)
    window.mouse(
        "move", *place, "drawn", "click", 1, "mousedown", 1, "drawn", "move", place[0] + 8, place[1]
    )
    window.mouse("drawn", "mouseup", 1)
    stands(window, "speed", 1.0)
    window.drag(groove(state, "speed", 0.7), groove(state, "speed", 0.1))
    window.wait(lambda state: state["given"]["speed"] < 0.4)


def test_a_double_click_on_the_number_types_over_all_of_it(window: DrivenWindow) -> None:
    state = ready(window)
    double_click(window, number(state, "speed"))
    window.wait(lambda state: state["entry"] and state["typing"])
    window.type("0.8")
    window.keys("Return")
    stands(window, "speed", 0.8)


def test_a_double_click_in_the_field_selects_digits_on_both_sides_of_the_point(
    window: DrivenWindow,
) -> None:
    state = ready(window)
    window.keys(*keys_for(Action.CHOOSE_PREVIOUS))
    click(window, number(state, "speed"))
    window.wait(lambda state: state["entry"] and state["typing"])
    window.mouse("sleep", 0.5)
    left, top, _, height = state["rows"]["speed"]
    double_click(window, (left + 120, top + height / 2))
    window.type("0.9")
    window.keys("Return")
    stands(window, "speed", 0.9)


def test_a_drag_from_the_number_turns_and_types_nothing(window: DrivenWindow) -> None:
    state = ready(window)
    window.drag(number(state, "speed"), groove(state, "speed", 0.2))
    state = window.wait(lambda state: state["given"]["speed"] < 0.7)
    assert stands(window, "speed", state["given"]["speed"])["typing"] is False
    window.keys(*keys_for(Action.UNDO))
    stands(window, "speed", 1.0)


def test_a_click_on_the_label_only_chooses(window: DrivenWindow) -> None:
    state = ready(window)
    click(window, label(state, "speed"))
    window.wait(lambda state: state["chosen"] == "speed")
    stands(window, "speed", 1.0)


def test_a_double_click_on_the_name_of_a_choice_resets_it(window: DrivenWindow) -> None:
    ready(window)
    window.keys("Down", "Up", *keys_for(Action.TURN_UP))
    state = stands(window, "prop", "club")
    double_click(window, label(state, "prop"))
    stands(window, "prop", "ball")
    window.keys(*keys_for(Action.UNDO))
    stands(window, "prop", "club")


def test_the_options_of_a_choice_stand_beside_each_other_where_there_is_room(
    window: DrivenWindow,
) -> None:
    window.afresh(chosen="", size=(1280, 800))
    state = window.wait(
        lambda state: "panel prop club" in str(state["controls"]) and state["awake"] == 0
    )
    left, top, width, height = next(
        place for name, place in state["controls"].items() if name.endswith("prop ring")
    )
    click(window, (left + width / 2, top + height / 2))
    stands(window, "prop", "ring")
    window.afresh(chosen="")
    state = window.wait(lambda state: state["rows"])
    assert any(name.endswith("list prop") for name in state["controls"])
    assert not any(name.endswith("prop ring") for name in state["controls"])


def middle(state: State, name: str) -> Place:
    left, top, width, height = next(
        place for key, place in state["controls"].items() if key.endswith(name)
    )
    return left + width / 2, top + height / 2


def test_a_list_of_options_opens_by_mouse_and_a_click_chooses(window: DrivenWindow) -> None:
    state = ready(window)
    click(window, middle(state, "list colors"))
    state = window.wait(lambda state: state["drop_down"] and state["awake"] == 0)
    assert state["drop_down"]["options"] == {"standard": "default", "mixed": "", "orbits": ""}
    click(window, middle(state, "option 1"))
    stands(window, "colors", "mixed")
    assert window.state()["drop_down"] is None
    window.keys(*keys_for(Action.UNDO))
    stands(window, "colors", "default")


def test_a_list_of_options_is_gone_through_by_keys_and_letters_and_left_as_it_was(
    window: DrivenWindow,
) -> None:
    window.afresh(chosen="arms")
    window.keys(*keys_for(Action.TYPE_VALUE))
    state = window.wait(lambda state: state["drop_down"])
    assert next(iter(state["drop_down"]["options"])) == state["drop_down"]["lit"] == "natural"
    window.type("natural,")
    window.wait(lambda state: state["drop_down"]["lit"] == "natural, any hands")
    window.keys("Return")
    stands(window, "arms", "natural-place")
    window.keys(*keys_for(Action.TYPE_VALUE))
    window.wait(
        lambda state: state["drop_down"] and state["drop_down"]["lit"] == "natural, any hands"
    )
    window.keys("Up", "Up", "Escape")
    window.wait(lambda state: state["drop_down"] is None)
    stands(window, "arms", "natural-place")
    window.keys(*keys_for(Action.TYPE_VALUE))
    window.wait(lambda state: state["drop_down"])
    window.keys("End", "Up", "space")
    stands(window, "arms", "resolved-rate")


def test_several_numbers_are_typed_in_the_list_of_people_and_nonsense_is_refused(
    window: DrivenWindow,
) -> None:
    window.afresh("<3p|3p>", chosen="people")
    window.keys(*keys_for(Action.TYPE_VALUE))
    window.wait(lambda state: state["drop_down"])
    window.type("4,99")
    window.keys("Return")
    window.wait(lambda state: "4,99" in state["drop_down"]["error"])
    window.keys("BackSpace", "BackSpace")
    window.type("2")
    window.keys("Return")
    stands(window, "people", "4,2")
