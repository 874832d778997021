"""A pattern is learnt in the real window, from the keyboard alone."""

import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow, State

from juggle_anim.sound import BEAT, CATCH
from juggle_anim.viewer.layout import arrange

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

FASTEST = 12.0  # m/s; no prop of a cascade of seven flies faster
HIGH = (BEAT + CATCH) / 2  # Hz; the metronome is higher, and catches are lower


def at(row: int) -> Callable[[State], bool]:
    """Whether a row of the lesson is juggled."""
    return lambda state: bool(
        state["lesson"] and state["lesson"]["row"] == row and not state["way"]
    )


def learning(window: DrivenWindow, row: int = 0) -> State:
    """Open the lesson, and go to a row."""
    window.keys("ctrl+j", *["Down"] * row)
    return window.wait(at(row))


def test_steps_go_on_and_back_and_repeat_until_one_goes_on_and_the_pattern_comes_back(
    open_window: Opener,
) -> None:
    window = open_window(paused=False)
    before = window.state()
    state = learning(window)
    assert state["pattern"] == "531"
    assert state["lesson"]["words"].startswith("The highest throw, the 5")
    window.keys("Return")
    state = window.wait(at(1))
    assert (state["pattern"], state["lesson"]["props"]) == ("531: One ball", 1)
    window.wait(lambda state: state["time"] > 1.2 * state["loop"])
    assert at(1)(window.state())
    window.keys("Down", "Down", "Up")
    window.wait(at(2))
    window.keys("Escape")
    state = window.wait(lambda state: state["lesson"] is None and state["pattern"] == "531")
    assert state["given"] == before["given"]
    assert state["desk"]["recent"] == ["531"]


def test_a_lesson_is_slow_first_and_the_bar_shows_and_changes_its_speed(
    open_window: Opener,
) -> None:
    window = open_window()
    state = learning(window, 1)
    assert state["parameters"]["speed"] == pytest.approx(0.632, abs=0.001)
    assert state["lesson"]["speeds"][0] == state["parameters"]["speed"]
    assert state["parameters"]["gravity"] == 980
    window.keys("minus")
    state = window.wait(lambda state: state["parameters"]["speed"] == 0.5)
    assert state["lesson"]["speeds"][0] == 0.5
    window.keys("Home")
    state = window.wait(lambda state: state["parameters"]["speed"] == 1)
    window.keys(*["Down"] * 6)
    state = window.wait(at(7))
    assert state["parameters"]["speed"] == 1


def test_what_the_hands_throw_next_stands_at_them(open_window: Opener) -> None:
    window = open_window(at=0.05)
    bare = window.pixels()
    state = learning(window)
    assert state["lesson"]["next"] == [[0, "3", True], [1, "1", False]]
    window.wait(lambda state: not state["awake"])
    marked = window.pixels()
    free = arrange(640, 480, 1.0, shown=True, beats=True).free
    inside = np.s_[int(free.top) + 90 : int(free.bottom), int(free.left) :]
    changed = (bare[inside] != marked[inside]).any(axis=2).sum()
    assert 600 < changed < 6_000, "two badges, and nothing else"


def test_where_people_are_small_what_they_throw_next_is_smaller(open_window: Opener) -> None:
    sizes = []
    for keys in ((), ("y",)):
        window = open_window(at=0.05)
        window.keys(*keys)
        state = window.wait(lambda state: state["settled"] and not state["awake"])
        bottom = state["strip"][1] if state["strip"] else 400
        bare = window.pixels()
        learning(window)
        window.wait(lambda state: not state["awake"])
        inside = np.s_[90 : int(bottom), 240:]
        sizes.append((bare[inside] != window.pixels()[inside]).any(axis=2).sum())
    assert 200 < sizes[1] < 0.6 * sizes[0]


def test_a_step_has_a_metronome_and_without_a_device_all_else_goes_on(open_window: Opener) -> None:
    window = open_window(paused=False, ear=True)
    learning(window, 4)
    window.keys("m")
    window.wait(lambda state: state["sound"] and any(pitch > HIGH for pitch, _ in state["heard"]))
    window = open_window(paused=False)
    learning(window, 4)
    window.keys("m")
    window.wait(lambda state: "no audio device" in state["said"])
    window.keys("Return")
    window.wait(at(5))


@pytest.mark.long
def test_many_props_are_slowed_and_the_steps_follow_without_a_jump(open_window: Opener) -> None:
    window = open_window(pattern="pattern=7;speed=5", paused=False)
    state = learning(window, 1)
    assert "up to five props" in state["lesson"]["about"]
    assert state["lesson"]["steps"] == ["In slow motion", "Faster", "Keep going"]
    window.keys("Return")
    window.wait(lambda state: at(2)(state) and len(state["followed"]) > 2)
    window.keys("Return")
    state = window.wait(lambda state: at(3)(state) and len(state["followed"]) > 3)
    assert 1.0 < state["fastest"] < FASTEST


def test_the_chosen_entry_of_the_library_is_learnt(open_window: Opener) -> None:
    window = open_window()
    window.keys("e")
    window.wait(lambda state: state["desk"]["ready"])
    window.type("441")
    window.wait(lambda state: state["desk"]["found"][:1] == ["441"])
    window.keys("Down")
    window.wait(lambda state: state["pattern"] == "441")
    window.keys("ctrl+j")
    state = window.wait(at(0))
    assert not state["desk"]["browsing"]
    assert state["lesson"]["words"].startswith("The two outside columns")


def test_another_lesson_begins_by_a_click_in_the_library(open_window: Opener) -> None:
    window = open_window(size=(1280, 800))
    window.keys("e")
    window.wait(lambda state: state["desk"]["ready"])
    window.type("passing")
    window.wait(lambda state: state["desk"]["words"] == "passing")
    window.keys("ctrl+j")
    window.wait(at(0))

    def click(state: State, control: str) -> None:
        left, top, width, height = state["controls"][control]
        window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)

    click(
        window.wait(lambda state: "lesson other lessons" in state["controls"]),
        "lesson other lessons",
    )
    state = window.wait(lambda state: state["desk"]["browsing"] and state["desk"]["ready"])
    assert not state["desk"]["words"], "all of the library is listed"
    row = [name for name in state["controls"] if name.startswith("browser row ")][3]
    learnt = state["desk"]["found"][int(row.split()[-1])]
    assert learnt != "531"
    click(state, row)
    state = window.wait(lambda state: at(0)(state) and state["lesson"]["card"])
    assert not state["desk"]["browsing"]
    assert state["pattern"] == learnt


def test_the_mouse_learns_too(open_window: Opener) -> None:
    window = open_window(size=(1280, 800))
    learning(window)
    window.wait(lambda state: not state["awake"])
    window.mouse("move", 120, 106, "drawn", "click", 1)
    window.wait(at(1))
    window.mouse("move", 120, 150, "drawn", "click", 1)
    window.wait(at(3))
    window.mouse("move", 292, 33, "drawn", "click", 1)
    window.wait(lambda state: state["lesson"] is None and state["pattern"] == "531")


def test_a_button_starts_the_lesson_and_goes_on_to_its_end(open_window: Opener) -> None:
    window = open_window()
    learning(window)
    state = window.wait(lambda state: "lesson next step" in state["controls"])
    places = []
    for row in range(1, 9):
        left, top, width, height = state["controls"]["lesson next step"]
        places.append((left, top, width, height))
        window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
        if row < 8:
            state = window.wait(at(row))
            state = window.drawn()
    window.wait(lambda state: state["lesson"] is None and state["pattern"] == "531")
    assert len(set(places)) == 1, "it stays under the mouse"
