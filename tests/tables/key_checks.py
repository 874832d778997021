"""What each key is to do, as the real window shows it: a row for every action that has a key.

Whoever gives a key to a new action adds a row here: `Check(effect)`, where `effect` tells from the
state of the window before and after (`viewer_driver.DrivenViewer.state`) whether the key has done
what the help says. It must not hold already before the key is pressed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.parameters import ROWS
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.playback import throw_times

State = dict[str, Any]
Effect = Callable[[State, State], Any]


@dataclass(frozen=True)
class Check:
    """How to see that a key does what it says.

    Args:
        effect: whether it has, from the state before and the state after.
        lead: the actions whose keys are pressed before, each with what is waited for then.
        pattern: that is juggled.
        types: what is typed once the key has brought a field.
        film: whether a film is dropped on the window before.
    """

    effect: Effect
    lead: tuple[tuple[Action, Callable[[State], Any]], ...] = ()
    pattern: str = "531"
    types: str = ""
    film: bool = False


def _given(name: str, change: float) -> Effect:
    return lambda before, now: now["given"][name] == before["given"][name] + change


def _now(name: str, wanted: object) -> Effect:
    return lambda before, now: now[name] == wanted


def _desk(name: str, wanted: object) -> Effect:
    return lambda before, now: now["desk"][name] == wanted


def _film(name: str, wanted: object) -> Effect:
    return lambda before, now: now["film"][name] == wanted


def _filter(number: int) -> Effect:
    return lambda before, now: (now["drop_down"] or {}).get("name") == f"filter {number}"


def _distance(state: State) -> float:
    return float(np.linalg.norm(np.subtract(state["eye"], state["target"])))


def _view(name: str) -> Effect:
    return lambda before, now: (
        now["view"] == name and now["settled"] and now["eye"] != before["eye"]
    )


def _lines(ways: int) -> Effect:
    def effect(before: State, now: State) -> bool:
        lines = now["lines"]
        return bool(
            lines.index(now["chosen"]) == (lines.index(before["chosen"]) + ways) % len(lines)
        )

    return effect


def _found(ways: int) -> Effect:
    """The browser's choice goes so far, and is juggled."""

    def effect(before: State, now: State) -> bool:
        found = now["desk"]["found"]
        way = found.index(now["desk"]["chosen"]) - found.index(before["desk"]["chosen"])
        return way == ways and now["pattern"] != before["pattern"]

    return effect


def _steps(frames: int) -> Effect:
    return lambda before, now: abs(now["time"] - before["time"] - frames / 60) < 1e-9


def _throws(ways: int) -> Effect:
    animation = animate("531")
    phases = throw_times(animation) / animation.duration

    def effect(before: State, now: State) -> bool:
        on_throw = np.abs(phases - now["time"] / animation.duration % 1).min() < 1e-6
        return bool(on_throw and ways * (now["time"] - before["time"]) > 0)

    return effect


def _goal(right: int, up: int, away: int) -> Effect:
    """The goal goes 2 cm that way, as the camera sees it."""

    def effect(before: State, now: State) -> bool:
        ahead = np.subtract(now["target"], now["eye"])
        aside = np.cross(ahead, (0.0, 1.0, 0.0))
        axes = np.array([aside, np.cross(aside, ahead), ahead])
        axes /= np.linalg.norm(axes, axis=1)[:, None]
        moved = axes @ np.subtract(now["lab"]["goal"], before["lab"]["goal"])
        return bool(np.allclose(moved, np.multiply(0.02, (right, up, away)), atol=1e-4))

    return effect


def _all_default(before: State, now: State) -> bool:
    return all(now["given"][row.name] == row.default for row in ROWS)


def _wing(wanted: float) -> Callable[[State], bool]:
    return lambda state: bool(state["given"]["chicken_wing"] == wanted)


def _at_rest(state: State) -> bool:
    return state["lab"] is not None and not state["lab"]["busy"] and state["settled"]


def _in_browser(state: State) -> bool:
    return bool(state["desk"]["browsing"] and state["desk"]["ready"])


_TURNED = ((Action.TURN_UP, _wing(35.0)),)
_LAB = ((Action.GOAL, _at_rest),)
_CHAIN = (*_LAB, (Action.METHOD, _at_rest))
_MARKED = ((Action.MARK_BEAT, lambda state: len(state["film"]["marks"]) == 1),)
_BROWSING = ((Action.BROWSE, _in_browser),)
_PLAYED_ON = (*_BROWSING, (Action.CHOOSE_NEXT, lambda state: state["pattern"] != "531"))
_CLOSED = (
    *_PLAYED_ON,
    (Action.BACK, lambda state: not state["desk"]["browsing"] and not state["typing"]),
)
_WENT_BACK = (*_CLOSED, (Action.PATTERN_BEFORE, lambda state: state["pattern"] == "531"))
_COPIED = (
    *_TURNED,
    (Action.COPY, lambda state: "Copied" in state["said"]),
    (Action.RESET_VALUE, _wing(30.0)),
)

_IN_PICTURE = ((Action.HANDLE_PLACE, lambda state: state["picture"].get("chosen")),)


def _nudged(axis: int, step: float) -> Effect:
    """The chosen handle of a hand goes by a step along an axis of its coordinates, [cm]."""

    def effect(before: State, now: State) -> bool:
        was, is_now = (
            [float(number) for number in state["picture"]["chosen"].split(", ")]
            for state in (before, now)
        )
        return (
            abs(is_now[axis] - was[axis] - step) < 0.11 * abs(step)
            and now["pattern"] != before["pattern"]
        )

    return effect


def _points(count: int) -> Effect:
    return lambda before, now: (
        sum(name.startswith("point 1") for name in now["picture"]["handles"]) >= count
    )


CHECKS: dict[Action, Check] = {
    Action.LIVE: Check(_now("live", False)),
    Action.KEEP_SESSION: Check(lambda before, now: "only one pattern" in now["said"]),
    Action.PAUSE: Check(
        lambda before, now: not now["paused"] and now["time"] > before["time"] + 0.05
    ),
    Action.STEP_BACK: Check(_steps(-1)),
    Action.STEP_ON: Check(_steps(1)),
    Action.SLOWER: Check(_given("speed", -0.25)),
    Action.FASTER: Check(_given("speed", 0.5)),
    Action.EDIT_PATTERN: Check(_now("line", "97"), types="97"),
    Action.BROWSE: Check(_desk("words", "box"), types="box"),
    Action.GENERATE: Check(lambda before, now: now["desk"]["generated"] > 5),
    Action.OPTIMISE: Check(lambda before, now: now["said"].startswith("Clearance"), pattern="4BF"),
    Action.CAMERA_PATH: Check(_desk("camera_path", True)),
    Action.ROUTINE: Check(_desk("routine", True)),
    Action.LEARN: Check(
        lambda before, now: now["lesson"] and now["lesson"]["card"] and now["lesson"]["row"] == 0
    ),
    Action.VARY: Check(lambda before, now: now["desk"]["versions"] == 9),
    Action.PAGE_UP: Check(_found(-8), _BROWSING),
    Action.PAGE_DOWN: Check(_found(8), _BROWSING),
    Action.SHELF: Check(_filter(0)),
    Action.PROPS: Check(_filter(1)),
    Action.LEVEL: Check(_filter(2)),
    Action.TAG: Check(_filter(3)),
    Action.STAR: Check(_desk("favourites", ["531"])),
    Action.PATTERN_BEFORE: Check(_now("pattern", "531"), _CLOSED),
    Action.PATTERN_AFTER: Check(lambda before, now: now["pattern"] != "531", _WENT_BACK),
    Action.OPEN_FILE: Check(
        lambda before, now: (now["desk"]["prompt"], now["desk"]["prompt_text"]) == ("OPEN", "a"),
        types="a",
    ),
    Action.SAVE_FILE: Check(_desk("prompt", "SAVE")),
    Action.SAVE_AS: Check(_desk("prompt", "SAVE")),
    Action.PRINT: Check(_desk("prompt", "SAVE")),
    Action.COPY: Check(_now("said", "Copied: pattern=531;chickenwing=35"), _TURNED),
    Action.PASTE: Check(_given("chicken_wing", 5.0), _COPIED),
    Action.CHOOSE_PREVIOUS: Check(_lines(-1)),
    Action.CHOOSE_NEXT: Check(_lines(1)),
    Action.TURN_DOWN: Check(_given("chicken_wing", -5.0)),
    Action.TURN_UP: Check(_given("chicken_wing", 5.0)),
    Action.TURN_DOWN_FINE: Check(_given("chicken_wing", -0.5)),
    Action.TURN_UP_FINE: Check(_given("chicken_wing", 0.5)),
    Action.TYPE_VALUE: Check(lambda before, now: now["entry"] == ["72", ""], types="72"),
    Action.RESET_VALUE: Check(_given("chicken_wing", -5.0), _TURNED),
    Action.RESET_ALL: Check(
        _all_default, (*_TURNED, (Action.SLOWER, lambda state: state["given"]["speed"] < 1))
    ),
    Action.WING: Check(
        _now("chosen", "chicken_wing"),
        ((Action.CHOOSE_NEXT, lambda s: s["chosen"] == "left_wing"),),
    ),
    Action.LARGER_TEXT: Check(_given("text_size", 10.0)),
    Action.SMALLER_TEXT: Check(_given("text_size", -10.0)),
    Action.USUAL_TEXT: Check(
        _given("text_size", -10.0),
        ((Action.LARGER_TEXT, lambda state: state["given"]["text_size"] == 110),),
    ),
    Action.FOCUS_AFTER: Check(lambda before, now: now["focus"] == now["stops"][0]),
    Action.FOCUS_BEFORE: Check(lambda before, now: now["focus"] == now["stops"][-1]),
    Action.FIND: Check(_now("sought", "dwell"), types="dwell"),
    Action.UNDO: Check(_given("chicken_wing", -5.0), _TURNED),
    Action.REDO: Check(_given("chicken_wing", 5.0), (*_TURNED, (Action.UNDO, _wing(30.0)))),
    Action.PRESETS: Check(_now("presets", {})),
    Action.BEATS: Check(_now("head", None)),
    Action.DIAGRAM: Check(_now("diagram", "ladder")),
    Action.STATE_GRAPH: Check(_now("diagram", "states")),
    Action.EDIT: Check(lambda before, now: now["editing"] and now["diagram"] == "ladder"),
    Action.EVENTS: Check(_desk("events", True)),
    Action.HANDLE_BEFORE: Check(lambda before, now: now["editing"] and len(now["handles"]) == 1),
    Action.HANDLE_AFTER: Check(
        lambda before, now: len(now["handles"]) == 1 and now["handles"] != before["handles"],
        ((Action.HANDLE_AFTER, lambda state: state["handles"]),),
    ),
    Action.EDIT_MENU: Check(
        lambda before, now: now["menu"], ((Action.HANDLE_AFTER, lambda state: state["handles"]),)
    ),
    Action.FOOTAGE: Check(_film("card", True)),
    Action.REMOVE_FILM: Check(_film("name", ""), film=True),
    Action.MARK_BEAT: Check(lambda before, now: len(now["film"]["marks"]) == 1, film=True),
    Action.UNMARK: Check(_film("marks", []), _MARKED, film=True),
    Action.USE_MARKS: Check(lambda before, now: "Mark some throws" in now["said"], film=True),
    Action.SHIFT_BEAT: Check(
        lambda before, now: now["film"]["time"] != before["film"]["time"], film=True
    ),
    Action.HANDLE_PLACE: Check(
        lambda before, now: now["picture"]["handles"] and now["picture"]["place"] == "picture"
    ),
    Action.UP_FINE: Check(_nudged(1, 0.1), _IN_PICTURE),
    Action.DOWN_FINE: Check(_nudged(1, -0.1), _IN_PICTURE),
    Action.AWAY_FINE: Check(_nudged(2, -0.1), _IN_PICTURE),
    Action.NEARER_FINE: Check(_nudged(2, 0.1), _IN_PICTURE),
    Action.ADD_POINT: Check(_points(1), _IN_PICTURE),
    Action.REMOVE_POINT: Check(
        lambda before, now: not any(name.startswith("point") for name in now["picture"]["handles"]),
        (*_IN_PICTURE, (Action.ADD_POINT, lambda state: _points(1)(state, state))),
    ),
    Action.SYMMETRIC: Check(lambda before, now: now["picture"]["symmetric"] is False, _IN_PICTURE),
    Action.COPY_PATH: Check(lambda before, now: now["picture"]["copied"] is not None, _IN_PICTURE),
    Action.PASTE_PATH: Check(
        lambda before, now: now["pattern"] != before["pattern"],
        (
            *_IN_PICTURE,
            (Action.COPY_PATH, lambda state: state["picture"]["copied"] is not None),
            (
                Action.HANDLE_AFTER,
                lambda state: state["picture"]["copied"] != state["picture"]["event"],
            ),
        ),
    ),
    Action.FACTS: Check(_now("facts", True)),
    Action.FRAME: Check(
        _view("default"),
        ((Action.FROM_LEFT, lambda state: state["view"] == "left" and state["settled"]),),
    ),
    Action.FROM_FRONT: Check(_view("front")),
    Action.FROM_LEFT: Check(_view("left")),
    Action.FROM_RIGHT: Check(_view("right")),
    Action.FROM_BACK: Check(_view("back")),
    Action.FROM_TOP: Check(_view("top")),
    Action.FROM_EYES: Check(_view("eyes")),
    Action.FRAMING: Check(
        lambda before, now: now["given"]["framing"] == "whole" and now["eye"] != before["eye"],
        pattern="97531",
    ),
    Action.ZOOM_IN: Check(lambda before, now: _distance(now) < 0.9 * _distance(before)),
    Action.ZOOM_OUT: Check(lambda before, now: _distance(now) > 1.1 * _distance(before)),
    Action.FOLLOW: Check(
        lambda before, now: (
            now["following"] == 0 and now["settled"] and now["eye"] != before["eye"]
        ),
        pattern="<3p|3p>",
    ),
    Action.BACKWARDS: Check(
        lambda before, now: now["backwards"] and now["time"] < before["time"] - 0.05
    ),
    Action.THROW_BEFORE: Check(_throws(-1)),
    Action.THROW_AFTER: Check(_throws(1)),
    Action.FULL_SCREEN: Check(
        lambda before, now: now["fullscreen"] and now["size"] == [1920, 1200]
    ),
    Action.PICTURE: Check(lambda before, now: "Saved as" in now["said"]),
    Action.RECORD: Check(
        lambda before, now: now["recording"] is None and ".mp4" in now["said"],
        ((Action.RECORD, lambda state: state["recording"]),),
    ),
    Action.NUMBERS: Check(lambda before, now: now["numbers"] != before["numbers"]),
    Action.SPLIT: Check(lambda before, now: now["beside"] and now["beside"]["arms"] != now["arms"]),
    Action.OTHER_HALF: Check(
        lambda before, now: now["half"] == 1 and now["arms"] == before["beside"]["arms"],
        ((Action.SPLIT, lambda state: state["beside"]),),
    ),
    Action.SOUND: Check(
        lambda before, now: now["sound"] and now["heard"],
        ((Action.PAUSE, lambda state: not state["paused"]),),
    ),
    Action.PLOTS: Check(_now("plots", [0, 1])),
    Action.OTHER_ARM: Check(_now("arm", [0, 1])),
    Action.GOAL: Check(lambda before, now: now["lab"] is not None),
    Action.METHOD: Check(lambda before, now: now["lab"]["method"] == "ARM", _LAB),
    Action.ITERATE: Check(
        lambda before, now: now["lab"]["held"] and now["lab"]["steps"] > before["lab"]["steps"],
        _LAB,
    ),
    Action.HOLD: Check(lambda before, now: now["lab"]["held"], _CHAIN),
    Action.TURN_GOAL: Check(_now("turning", True), _CHAIN),
    Action.GOAL_LEFT: Check(_goal(-1, 0, 0), _LAB),
    Action.GOAL_RIGHT: Check(_goal(1, 0, 0), _LAB),
    Action.GOAL_UP: Check(_goal(0, 1, 0), _LAB),
    Action.GOAL_DOWN: Check(_goal(0, -1, 0), _LAB),
    Action.GOAL_AWAY: Check(_goal(0, 0, 1), _LAB),
    Action.GOAL_NEARER: Check(_goal(0, 0, -1), _LAB),
    Action.TOGGLE_PANEL: Check(_now("panel", False)),
    Action.WELCOME: Check(lambda before, now: now["welcome"] is not None),
    Action.PALETTE: Check(lambda before, now: now["palette"] and now["palette"]["found"]),
    Action.TOGGLE_HELP: Check(_now("help", True)),
    Action.BACK: Check(_now("help", False), ((Action.TOGGLE_HELP, lambda state: state["help"]),)),
}
"""For each action but `LEAVE`, after which no window is left to ask."""
