"""Every knob of the panel, turned by keys in the real window: what is drawn, heard or timed is
another then.

A new row of the table of parameters is tried as `Turn()` says; where that changes nothing, give it
a row in `TURNS`.
"""

import shutil
from dataclasses import dataclass

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.panel.controls import CONTROLS
from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


@dataclass(frozen=True)
class Turn:
    """How a knob is turned so that one can see it.

    Args:
        pattern: that is juggled.
        at: the time of the picture, [s].
        steps: by which it is turned, down where negative.
    """

    pattern: str = "531"
    at: float = 0.4
    steps: int = 4


TURNS = {
    "arms": Turn(steps=2),
    "ghost": Turn(steps=2),
    "squeeze_beats": Turn("[33]33", 0.2),
    "seed": Turn("pattern=531;human=100;humanloops=3"),
    "human_loops": Turn("pattern=531;human=100;humanloops=3", steps=1),
    "hand_path": Turn(steps=1),
    "bounce_fraction": Turn("pattern=5BB;bouncefrac=0.7"),
    "bounce_speed": Turn("3B", steps=1),
    "spins": Turn("pattern=3;prop=club"),
    "feet": Turn("pattern=3;body=(0,0,0).......(0,0,100).......", 1.0, steps=1),
    "style": Turn(steps=1),
    "catches": Turn(steps=1),
    "prop": Turn(steps=1),
    "colors": Turn(steps=1),
    "paths": Turn(steps=1),
    "figure": Turn(steps=1),
    "stage": Turn(steps=1),
    "framing": Turn("97531", steps=1),
    "mirror": Turn(steps=1),
}
DRAWN = tuple(row for row in CONTROLS if row.name not in ("speed", "volume", "pitch", "metronome"))
"""All but those that are heard, or seen in time alone."""


def how_to_turn(row: Row) -> tuple[str, float]:
    """The pattern and the time in which a knob is seen to turn; most share a window."""
    how = TURNS.get(row.name, Turn())
    return how.pattern, how.at


def choose(window: DrivenWindow, row: Row) -> State:
    """Choose a knob by the arrow keys."""
    state = window.state()
    lines = state["lines"]
    down = lines.index(row.name) - lines.index(state["chosen"])
    way = Action.CHOOSE_NEXT if down > 0 else Action.CHOOSE_PREVIOUS
    if down:
        window.burst(*keys_for(way) * abs(down))
    return window.wait(lambda state: state["chosen"] == row.name and state["settled"])


def turn(window: DrivenWindow, row: Row, steps: int) -> State:
    """Turn a chosen knob by keys."""
    before = window.state()["given"][row.name]
    way = Action.TURN_UP if steps > 0 else Action.TURN_DOWN
    window.burst(*keys_for(way) * abs(steps))
    return window.wait(lambda state: state["given"][row.name] != before and state["settled"])


def picture(window: DrivenWindow, state: State) -> np.ndarray:
    """What is drawn of jugglers and stage, where nothing covers it."""
    left, top, width, height = (round(edge) for edge in state["head"])
    return window.pixels()[top + height + 4 : -_BAR, left + 4 : left + width - 4].astype(int)


_BAR = 70  # pixels at the lower edge, where play and pause stand


def changed(before: np.ndarray, after: np.ndarray) -> int:
    """How many pixels anybody can see to be others."""
    return int((np.abs(before - after).max(axis=2) > 8).sum())


def put_back(window: DrivenWindow, row: Row) -> None:
    """Reset a chosen knob by a key."""
    window.keys(*keys_for(Action.RESET_VALUE))
    window.wait(lambda state: state["given"][row.name] == row.default and state["settled"])


@pytest.mark.parametrize(
    ("shown", "every"),
    [
        ((Turn().pattern, Turn().at), 5),
        *(
            pytest.param(shown, 1, marks=pytest.mark.long)
            for shown in sorted({how_to_turn(row) for row in DRAWN})
        ),
    ],
    ids=str,
)
def test_each_knob_changes_what_is_drawn(
    window: DrivenWindow, shown: tuple[str, float], every: int
) -> None:
    before, alike = picture(window, window.afresh(*shown)), []
    for row in DRAWN[::every]:
        if how_to_turn(row) == shown:
            choose(window, row)
            turned = turn(window, row, TURNS.get(row.name, Turn()).steps)
            if changed(before, picture(window, turned)) <= 20:
                alike.append(row.name)
            put_back(window, row)
    assert not alike
    if shown[0] == Turn().pattern:  # others turn from a value of their own
        assert changed(before, picture(window, window.state())) <= 20, "all is as before"


def heard_now(window: DrivenWindow) -> list[list[int]]:
    """The next four sounds, each its pitch and its loudness."""
    past = len(window.state()["heard"])
    heard: list[list[int]] = window.wait(lambda state: len(state["heard"]) >= past + 4)["heard"]
    return heard[past:]


@pytest.fixture
def loud(window: DrivenWindow) -> DrivenWindow:
    """A window that plays and is heard."""
    window.afresh("pattern=531;bps=6", paused=False, ear=True)
    window.keys(*keys_for(Action.SOUND))
    window.wait(lambda state: state["sound"])
    return window


def row_of(name: str) -> Row:
    return next(row for row in CONTROLS if row.name == name)


def test_the_volume_changes_how_loud_it_is_heard(loud: DrivenWindow) -> None:
    before = heard_now(loud)
    choose(loud, row_of("volume"))
    turn(loud, row_of("volume"), -5)
    loud.wait(lambda state: state["given"]["volume"] == 50)
    after = heard_now(loud)
    assert {pitch for pitch, _ in before} == {pitch for pitch, _ in after}
    assert max(loudness for _, loudness in after) < 0.6 * max(loudness for _, loudness in before)


def test_the_pitch_changes_how_high_it_is_heard(loud: DrivenWindow) -> None:
    choose(loud, row_of("pitch"))
    even = {pitch for pitch, _ in heard_now(loud)}
    turn(loud, row_of("pitch"), 1)
    hands = {pitch for pitch, _ in heard_now(loud)}
    turn(loud, row_of("pitch"), 1)
    heights = {pitch for pitch, _ in heard_now(loud)}
    assert len(even) == 1
    assert len(hands - even) == 2
    assert heights - even - hands


def test_the_metronome_ticks_higher_than_any_catch(loud: DrivenWindow) -> None:
    before = heard_now(loud)
    choose(loud, row_of("metronome"))
    turn(loud, row_of("metronome"), 1)
    after = heard_now(loud)
    assert max(pitch for pitch, _ in before) < 400 < 800 < max(pitch for pitch, _ in after)


def test_the_speed_changes_how_fast_time_runs(window: DrivenWindow) -> None:
    window.afresh("531", paused=False)
    choose(window, row_of("speed"))
    for steps, speed in ((10, 2.0), (-15, 0.5)):
        turn(window, row_of("speed"), steps)
        first = window.wait(lambda state, speed=speed: state["given"]["speed"] == speed)
        last = window.wait(lambda state, first=first: state["played"] > first["played"] + 0.6)
        ran = (last["time"] - first["time"]) / (last["played"] - first["played"])
        assert ran == pytest.approx(speed, rel=0.07)


DRAGGED = ("bps", "left_wing", "scoop", "ghost", "prop", "pitch")
"""Of each kind one: by default as the pattern has it, by default as another, a number, a word;
staged, and heard.
"""


def place(window: DrivenWindow, name: str) -> list[float]:
    """Where a knob stands in the panel, once nothing scrolls any more."""
    rows: dict[str, list[float]] = window.wait(
        lambda state: state["awake"] == 0 and name in state["rows"]
    )["rows"]
    return rows[name]


@pytest.mark.parametrize("name", sampled(DRAGGED, "left_wing", "scoop", "prop"))
def test_the_mouse_turns_a_knob_of_each_kind(window: DrivenWindow, name: str) -> None:
    row = row_of(name)
    window.afresh("531", 0.4)
    before = picture(window, choose(window, row))
    left, top, width, height = place(window, name)
    groove = top + height - 9
    if isinstance(row, Choice):
        window.mouse("move", left + width - 20, top + height / 2, "drawn", "click", 1)
        last = row.options[-1]
        # The options are in a list, or beside each other where there is room.
        clicked = window.wait(lambda state: state["drop_down"] or state["given"][name] == last)
        if clicked["drop_down"]:
            window.keys("End", "Return")
        after = window.wait(lambda state: state["settled"] and state["given"][name] == last)
    else:
        window.drag(
            (left + 10 + 0.3 * (width - 20), groove), (left + 10 + 0.98 * (width - 20), groove)
        )
        after = window.wait(
            lambda state: state["settled"] and state["given"][name] > 0.9 * row.slider[1]
        )
    assert name == "pitch" or changed(before, picture(window, after)) > 20
