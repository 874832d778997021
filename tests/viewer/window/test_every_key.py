"""Every key of the table, and every way of the mouse that the help names, in the real window.

The checks are in `key_checks.py`: a key for a new action needs a row there.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from driven_keys import key_of, keys_for
from driven_window import DrivenWindow
from key_checks import CHECKS, State
from long_cases import sampled
from small_films import write_film

from juggle_anim.scene.camera import CAMERA_PRESETS
from juggle_anim.viewer.camera.camera_rig import EYE_VIEW
from juggle_anim.viewer.layout import arrange
from juggle_anim.viewer.state.keymap import BINDINGS, HELP, Action, Binding

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def test_every_action_that_has_a_key_has_a_check() -> None:
    assert {row.action for row in BINDINGS} == {*CHECKS, Action.LEAVE}, (
        "add a row to tests/tables/key_checks.py"
    )


def kind_of(binding: Binding) -> tuple[object, ...]:
    """What tells keys that reach the window in other ways, or whose check goes other ways."""
    *modifiers, key = binding.chord.split("+") if len(binding.chord) > 1 else [binding.chord]
    check = CHECKS[binding.action]
    return tuple(modifiers), len(key) == 1, check.film, bool(check.types)


BOUND = [row for row in BINDINGS if row.action is not Action.LEAVE]
ONE_OF_EACH_KIND = {kind_of(row): row for row in reversed(BOUND)}.values()


@pytest.mark.parametrize(
    "binding",
    sampled(BOUND, *ONE_OF_EACH_KIND),
    ids=lambda row: row.chord,
)
def test_each_key_does_what_it_says(window: DrivenWindow, binding: Binding, tmp_path: Path) -> None:
    check = CHECKS[binding.action]
    before = window.afresh(check.pattern, ear=True)
    if check.film:
        assert window.drop(write_film(tmp_path / "film.gif", 20, rate=10))
        before = window.wait(lambda state: state["film"]["name"] == "film.gif")
    for action, ready in check.lead:
        window.keys(*keys_for(action))
        before = window.wait(ready)
    if not check.types:
        assert not check.effect(before, before), "the check would hold without the key"
    window.keys(key_of(binding.chord))
    if check.types:
        window.wait(lambda state: state["typing"])
        window.type(check.types)
    window.wait(lambda now: check.effect(before, now))


@pytest.mark.parametrize("chord", [row.chord for row in BINDINGS if row.action is Action.LEAVE])
def test_each_key_that_leaves_leaves(window: DrivenWindow, chord: str) -> None:
    window.afresh()
    window.keys(key_of(chord))
    assert window.exit_code() == 0


@pytest.mark.long
def test_every_view_has_a_key_by_which_it_is_reached(window: DrivenWindow) -> None:
    window.afresh("<3p|3p>")
    views = [*(action for action in Action if action.name.startswith("FROM_")), Action.FRAME]
    seen = {}
    for action in views:
        before = window.state()["view"]
        window.keys(*keys_for(action))
        state = window.wait(
            lambda state, before=before: state["view"] != before and state["settled"]
        )
        seen[state["view"]] = tuple(np.round(state["eye"], 2))
    assert set(seen) == {*CAMERA_PRESETS, EYE_VIEW}
    assert len(set(seen.values())) == len(seen)


def slider(state: State, share: float) -> tuple[float, float]:
    left, top, width, height = state["rows"]["chicken_wing"]
    return left + 10 + share * (width - 20), top + height - 9


def distance(state: State) -> float:
    return float(np.linalg.norm(np.subtract(state["eye"], state["target"])))


def drags(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.drag((400, 200), (480, 230))
    return lambda now: (
        now["eye"] != before["eye"] and distance(now) == pytest.approx(distance(before))
    )


def moved_sideways(before: State, now: State) -> bool:
    moved = np.linalg.norm(np.subtract(now["target"], before["target"])) > 0.05
    ways = (np.subtract(state["eye"], state["target"]) for state in (now, before))
    return bool(moved and next(ways) == pytest.approx(next(ways)))


def drags_with_the_right_button(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.drag((400, 200), (440, 200), button=3)
    return lambda now: moved_sideways(before, now)


def turns_the_wheel(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.mouse("move", 400, 200, "click", 4)
    return lambda now: distance(now) < 0.95 * distance(before)


def clicks_a_number(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    left, top, width, _ = before["rows"]["chicken_wing"]
    window.mouse("move", left + width - 16, top + 11, "drawn", "click", 1)
    window.wait(lambda state: state["entry"] and state["typing"])
    window.type("72.5")
    window.keys("Return")
    return lambda now: now["given"]["chicken_wing"] == 72.5


def turned(window: DrivenWindow) -> None:
    window.keys(*keys_for(Action.TURN_UP))
    window.wait(lambda state: state["given"]["chicken_wing"] == 35)


def double_clicks(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    turned(window)
    window.mouse("move", *slider(before, 0.9), "drawn", "click", "--repeat", 2, "--delay", 60, 1)
    return lambda now: not now["entry"] and now["given"]["chicken_wing"] == 30


def clicks_with_the_right_button(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    turned(window)
    window.mouse("move", *slider(before, 0.5), "drawn", "click", 3)
    return lambda now: now["given"]["chicken_wing"] == 30


def shift_drag(window: DrivenWindow, start: tuple[float, float], end: tuple[float, float]) -> None:
    window.mouse("keydown", "shift", "move", *start, "mousedown", 1, "drawn")
    window.mouse("move", *end, "drawn", "mouseup", 1, "keyup", "shift")


def drags_with_shift(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    shift_drag(window, (400, 200), (440, 200))
    return lambda now: moved_sideways(before, now)


def drags_a_slider_with_shift(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    # Without Shift it goes by steps of 5.
    shift_drag(window, slider(before, 0.7), slider(before, (42.5 + 45) / 165))
    return lambda now: 41 < now["given"]["chicken_wing"] < 44


def clicks_with_ctrl(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.mouse(
        "keydown", "ctrl", "move", *slider(before, 0.9), "drawn", "click", 1, "keyup", "ctrl"
    )
    return lambda now: now["entry"] and now["typing"] and now["given"]["chicken_wing"] == 30


def turns_a_filter_back(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.keys(*keys_for(Action.SHELF), "Down", "Return")
    state = window.wait(
        lambda state: state["filters"][0] == 1 and state["filter_places"] and not state["awake"]
    )
    left, top, width, height = state["filter_places"][0]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 3)
    return lambda now: now["desk"]["browsing"] and now["filters"][0] == 0


def clicks_on_speed_with_the_right_button(
    window: DrivenWindow, before: State
) -> Callable[[State], bool]:
    window.keys(*keys_for(Action.FASTER))
    window.wait(lambda state: state["given"]["speed"] > 1)
    bar = arrange(*before["size"], 1.0, shown=True).bar
    assert bar
    window.mouse("move", bar.left + bar.width - 30, bar.top + bar.height / 2, "drawn", "click", 3)
    return lambda now: now["given"]["speed"] == 1


def asks_for_the_menu_of_a_throw(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.keys(*keys_for(Action.EDIT))
    state = window.wait(lambda state: state["ladder"] and not state["awake"])
    window.mouse("move", *state["ladder"]["throw 0"], "drawn", "click", 3)
    return lambda now: bool(now["menu"])


MOUSE = {
    ("Edit", "Right click"): asks_for_the_menu_of_a_throw,
    ("Pattern", "Right click"): turns_a_filter_back,
    ("Settings", "Shift drag"): drags_a_slider_with_shift,
    ("Settings", "Click a number"): clicks_a_number,
    ("Settings", "Ctrl click"): clicks_with_ctrl,
    ("Settings", "Double click"): double_clicks,
    ("Settings", "Right click"): clicks_with_the_right_button,
    ("Camera", "Drag"): drags,
    ("Camera", "Right drag"): drags_with_the_right_button,
    ("Camera", "Shift drag"): drags_with_shift,
    ("Camera", "Wheel"): turns_the_wheel,
    ("Play", "Right click"): clicks_on_speed_with_the_right_button,
}
"""By group and words of the help: what is done, and whether the window did as it says."""


def test_every_way_of_the_mouse_in_the_help_has_a_check() -> None:
    assert {
        (title, what) for title, lines in HELP.items() for what, _ in lines if isinstance(what, str)
    } == set(MOUSE)


@pytest.mark.parametrize("way", MOUSE, ids=": ".join)
def test_the_mouse_does_what_the_help_says(window: DrivenWindow, way: tuple[str, str]) -> None:
    window.afresh()
    before = window.wait(lambda state: state["rows"])
    window.wait(MOUSE[way](window, before))
