"""Every key of the table, and every way of the mouse that the help names, in the real window.

The checks are in `key_checks.py`: a key for a new action needs a row there.
"""

import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_keys import key_of, keys_for
from driven_window import DrivenWindow
from key_checks import CHECKS, State

from juggle_anim.scene.standpoints import STANDPOINTS
from juggle_anim.viewer.camera_rig import EYES
from juggle_anim.viewer.keys import BINDINGS, HELP, Action, Binding

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")


def test_every_action_that_has_a_key_has_a_check() -> None:
    assert {row.action for row in BINDINGS} == {*CHECKS, Action.LEAVE}, "add a row to tests/key_checks.py"


@pytest.mark.parametrize(
    "binding", [row for row in BINDINGS if row.action is not Action.LEAVE], ids=lambda row: row.chord
)
def test_each_key_does_what_it_says(window: DrivenWindow, binding: Binding) -> None:
    check = CHECKS[binding.action]
    before = window.afresh(check.pattern, ear=True)
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


def test_escape_leaves_where_nothing_is_open(window: DrivenWindow) -> None:
    window.afresh()
    window.keys(*keys_for(Action.BACK))
    assert window.exit_code() == 0


def test_every_view_has_a_key_by_which_it_is_reached(window: DrivenWindow) -> None:
    window.afresh("<3p|3p>")
    views = [*(action for action in Action if action.name.startswith("FROM_")), Action.FRAME]
    seen = {}
    for action in views:
        before = window.state()["view"]
        window.keys(*keys_for(action))
        state = window.wait(lambda state, before=before: state["view"] != before and state["settled"])
        seen[state["view"]] = tuple(np.round(state["eye"], 2))
    assert set(seen) == {*STANDPOINTS, EYES}
    assert len(set(seen.values())) == len(seen)


def slider(state: State, share: float) -> tuple[float, float]:
    left, top, width, height = state["rows"]["chicken_wing"]
    return left + 10 + share * (width - 20), top + height - 9


def distance(state: State) -> float:
    return float(np.linalg.norm(np.subtract(state["eye"], state["target"])))


def drags(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.drag((400, 200), (480, 230))
    return lambda now: now["eye"] != before["eye"] and distance(now) == pytest.approx(distance(before))


def drags_with_the_right_button(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.drag((400, 200), (440, 200), button=3)
    return lambda now: (
        np.linalg.norm(np.subtract(now["target"], before["target"])) > 0.05
        and np.subtract(now["eye"], now["target"]) == pytest.approx(np.subtract(before["eye"], before["target"]))
    )


def turns_the_wheel(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.mouse("move", 400, 200, "click", 4)
    return lambda now: distance(now) < 0.95 * distance(before)


def double_clicks(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.mouse("move", *slider(before, 0.9), "sleep", 0.1, "click", "--repeat", 2, "--delay", 60, 1)
    return lambda now: now["entry"] and now["typing"] and now["given"]["chicken_wing"] == 30


def clicks_with_the_right_button(window: DrivenWindow, before: State) -> Callable[[State], bool]:
    window.keys(*keys_for(Action.TURN_UP))
    window.wait(lambda state: state["given"]["chicken_wing"] == 35)
    window.mouse("move", *slider(before, 0.5), "sleep", 0.1, "click", 3)
    return lambda now: now["given"]["chicken_wing"] == 30


MOUSE = {
    "Drag": drags,
    "Right drag": drags_with_the_right_button,
    "Wheel": turns_the_wheel,
    "Double click": double_clicks,
    "Right click": clicks_with_the_right_button,
}
"""By the words of the help: what is done, and whether the window did as it says."""


def test_every_way_of_the_mouse_in_the_help_has_a_check() -> None:
    assert {what for _, lines in HELP for what, _ in lines if isinstance(what, str)} == set(MOUSE)


@pytest.mark.parametrize("way", MOUSE)
def test_the_mouse_does_what_the_help_says(window: DrivenWindow, way: str) -> None:
    window.afresh()
    before = window.wait(lambda state: state["rows"])
    window.wait(MOUSE[way](window, before))
