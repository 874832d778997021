import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow, State
from one_window import OneWindow

from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.panel.controls import PresetStore

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def wing(wanted: float) -> Callable[[State], bool]:
    return lambda state: state["parameters"]["chicken_wing"] == wanted


def place(state: State, name: str, share: float) -> tuple[float, float]:
    left, top, width, height = state["rows"][name]
    return left + 10 + share * (width - 20), top + height - 9


def ready(window: DrivenWindow) -> State:
    return window.wait(lambda state: state["settled"] and state["rows"])


def test_a_dragged_slider_is_undone_at_once_and_done_again(open_window: Opener) -> None:
    window = open_window()
    state = ready(window)
    window.drag(place(state, "chicken_wing", 0.5), place(state, "chicken_wing", (90 + 45) / 165))
    assert not window.wait(wing(90.0))["held"], "the camera is not dragged along"
    window.keys("ctrl+z")
    window.wait(wing(30.0))
    window.keys("ctrl+shift+z")
    window.wait(wing(90.0))


def test_a_pattern_is_undone_and_typing_has_its_own_undo(open_window: Opener) -> None:
    window = open_window()
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("441")
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "441" and not state["typing"])
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("5")
    window.wait(lambda state: state["line"] == "5")
    window.keys("ctrl+z")
    window.wait(lambda state: state["line"] != "5" and state["pattern"] == "441")
    window.keys("Escape")
    window.wait(lambda state: not state["typing"])
    window.keys("ctrl+z")
    window.wait(lambda state: state["pattern"] == state["line"] == "531")


def test_groups_fold_by_key_and_by_mouse(open_window: Opener) -> None:
    window = open_window()
    ready(window)
    window.keys("Up", "Left")
    window.wait(lambda state: state["chosen"] == "Arms" and "chicken_wing" not in state["lines"])
    window.keys("Right")
    state = window.wait(lambda state: "chicken_wing" in state["lines"] and not state["awake"])
    left, top, _, _ = state["rows"]["chicken_wing"]
    window.mouse("move", left + 30, top - 14, "drawn", "click", 1)
    window.wait(lambda state: "chicken_wing" not in state["lines"])


def test_the_arrow_key_goes_from_the_search_to_what_is_found(open_window: Opener) -> None:
    window = open_window(chosen="")
    ready(window)
    window.keys("q")
    window.wait(lambda state: state["typing"])
    window.type("wing")
    window.wait(lambda state: "chicken_wing" in state["lines"])
    window.keys("Down")
    window.wait(lambda state: not state["typing"] and state["chosen"] == "chicken_wing")
    window.keys("Right")
    window.wait(wing(35.0))


def test_a_preset_is_saved_by_name_applied_and_deleted(
    open_window: Opener, one_window: OneWindow
) -> None:
    window = open_window()
    ready(window)
    window.keys("Right", "Right")
    window.wait(wing(40.0))
    window.keys("ctrl+shift+p")
    window.wait(lambda state: state["presets"] == {} and state["typing"])
    window.type("wide wings")
    window.keys("Return")
    window.wait(lambda state: state["presets"] == {"wide wings": "chickenwing=40"})
    assert PresetStore(one_window.home / "settings" / "juggle-anim" / "presets.json").all() == {
        "wide wings": "chickenwing=40"
    }
    window.keys("Escape")
    window.wait(lambda state: state["presets"] is None and not state["typing"])
    window.keys("Home")
    window.wait(wing(30.0))
    window.keys("ctrl+shift+p")
    window.wait(lambda state: state["typing"])
    window.keys("Return")
    window.wait(wing(40.0))
    window.wait(lambda state: state["typing"])
    window.keys("Delete")
    window.wait(lambda state: state["presets"] == {})


def test_the_beat_that_is_thrown_is_lit_and_a_click_goes_to_another(open_window: Opener) -> None:
    window = open_window(at=0.05)
    state = ready(window)
    head = [round(number) for number in state["head"]]
    before = lit_column(window, head)
    window.mouse("move", head[0] + 30, head[1] + 18, "drawn", "click", 1)
    window.wait(lambda later: later["time"] != state["time"])
    assert lit_column(window, head) > before + 8
    window.keys("z")
    window.wait(lambda state: state["head"] is None)


def lit_column(window: DrivenWindow, head: list[int]) -> float:
    """Where in the line of beats, [pixels] from its left, something is lit."""
    left, top, width, _ = head
    pixels = window.pixels()[top + 4 : top + 34, left : left + width].astype(int)
    accent = np.abs(pixels - (0, 0x5E, 0x96)).sum(axis=2) < 12
    return float(np.flatnonzero(accent.any(axis=0)).mean())


def test_the_speed_in_the_bar_is_typed_there(
    open_window: Opener,
) -> None:
    window = open_window()
    size = ready(window)["size"]
    bar = arrange(*size, 1.0, shown=True).bar
    assert bar
    at = bar.left + bar.width - 30, bar.top + bar.height / 2
    window.mouse("mousemove", *at, "click", 1)
    window.wait(lambda state: state["entry"] and state["typing"])
    state = window.wait(lambda state: "transport number" in state["controls"])
    assert state["chosen"] == "speed"
    left, top, width, height = state["controls"]["transport number"]
    assert left < at[0] < left + width
    assert top < at[1] < top + height
    window.type("0.5")
    window.keys("Return")
    window.wait(lambda state: state["parameters"]["speed"] == 0.5)


def test_options_are_as_high_as_their_words(
    open_window: Opener,
) -> None:
    window = open_window(size=(1280, 800))
    window.keys("q")
    window.type("compare")
    window.keys("Return", "Return")
    window.wait(lambda state: state["drop_down"] and not state["awake"])
    controls = window.state()["controls"]
    rows = [controls[f"choose option {number}"] for number in range(3)]
    bottoms = [top + height for _left, top, _width, height in rows]
    assert bottoms[:2] == [top for _left, top, _width, _height in rows[1:]]
    none, natural, wing = (height for _left, _top, _width, height in rows)
    assert none < natural < wing, "no help, one line, and two"


def test_the_list_of_a_setting_stays_within_the_panel(open_window: Opener) -> None:
    window = open_window(chosen="arms")
    right = round(window.state()["head"][0]) - 4  # between panel and picture
    before = window.pixels()[:, right:]
    window.keys("Return")
    window.wait(lambda state: state["drop_down"] and not state["awake"])
    assert np.array_equal(window.pixels()[:, right:], before)
