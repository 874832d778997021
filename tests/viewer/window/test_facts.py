"""The window's card of facts: a click on the state shows it, and the present state is lit in it."""

import shutil
from collections.abc import Callable

import numpy as np
import pytest
from driven_window import DrivenWindow, State

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

LINES = 36
"""Where the lines of facts begin in the card, [pixels]."""


def lit(window: DrivenWindow, state: State) -> float:
    """Where the middle of the lit state is in the right half of the card, [pixels] from the left of
    the window.
    """
    left, top, width, height = (round(edge) for edge in state["strip"])
    card = window.pixels()[top + LINES : top + height - 8, left : left + width].astype(int)
    accent = (np.abs(card - (0x00, 0x5E, 0x96)).max(axis=2) < 40).sum(axis=0)
    accent[: width // 2 - 40] = 0
    return left + float(np.average(np.arange(width), weights=accent))


def test_a_key_shows_facts_and_a_click_on_the_dual_plays_it(
    open_window: Callable[..., DrivenWindow],
) -> None:
    window = open_window(at=0.1, size=(1280, 720))
    window.wait(lambda state: state["settled"])
    window.keys("ctrl+i")
    state = window.wait(
        lambda state: state["facts"] and state["strip"] and state["settled"] and not state["awake"]
    )
    first = lit(window, state)
    window.keys("ctrl+Right")
    state = window.wait(lambda later: later["time"] > state["time"] and not later["awake"])
    assert lit(window, state) > first + 40
    left, top, _, height = state["controls"]["facts fact dual"]
    window.mouse("move", left + 100, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["pattern"] == "420")


def test_the_cross_and_escape_close_the_card(open_window: Callable[..., DrivenWindow]) -> None:
    window = open_window(size=(1280, 720))
    window.keys("ctrl+i")
    state = window.wait(lambda state: "facts close" in state["controls"] and state["settled"])
    left, top, width, height = state["controls"]["facts close"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: not state["facts"])
    window.keys("ctrl+i")
    window.wait(lambda state: state["facts"])
    window.keys("Escape")
    window.wait(lambda state: not state["facts"])


def red(pixels: np.ndarray) -> np.ndarray:
    return np.abs(pixels.astype(int) - (0xAB, 0x23, 0x1B)).max(axis=2) < 30


def test_finding_collisions_goes_to_the_deepest_and_marks_all(
    open_window: Callable[..., DrivenWindow],
) -> None:
    window = open_window(pattern="pattern=97531;prop=club")
    before = window.pixels()
    window.keys("ctrl+k")
    window.type("collisions")
    window.wait(
        lambda state: state["palette"] and state["palette"]["found"][0] == "Find collisions"
    )
    window.keys("Return")
    state = window.wait(lambda state: state["facts"] and len(state["collisions"]) == 2)
    window.wait(lambda later: later["time"] % later["loop"] == pytest.approx(0.639, abs=1e-3))
    strip = round(window.wait(lambda state: not state["awake"])["strip"][1])
    panel = round(state["strip"][0])
    ring = red(window.pixels())[80:strip, panel:].sum()
    assert ring > 60 > red(before)[80:strip, panel:].sum()
    window.keys("y")
    state = window.wait(lambda state: state["diagram"] == "ladder" and not state["awake"])
    left, top, width, height = (round(edge) for edge in state["strip"])
    assert red(window.pixels())[top : top + height, left : left + width].sum() > 60
    window.keys("slash")
    window.type("3")
    window.keys("Return")
    window.wait(lambda state: state["pattern"] == "pattern=3;prop=club" and not state["collisions"])


def test_collisions_are_marked_above_the_time_line_clear_of_the_knob(
    open_window: Callable[..., DrivenWindow],
) -> None:
    window = open_window(pattern="pattern=97531;prop=club", size=(1280, 800))
    left, top, width, height = window.drawn()["controls"]["transport scrub"]
    above = np.s_[
        round(top) : round(top + height / 2 - 8), round(left - 4) : round(left + width + 4)
    ]

    def reds() -> int:
        red, green, _blue = np.moveaxis(window.pixels()[above].astype(int), -1, 0)
        return int((red > green + 80).sum())

    assert reds() == 0
    window.keys("ctrl+i")
    state = window.wait(lambda state: state["collisions"] and state["settled"])
    window.drawn()
    assert reds() > 10 * len(state["collisions"])
    left, top, width, height = state["controls"]["facts Collision →"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1, "drawn")
    assert reds() > 10 * len(state["collisions"]), "the knob hides none"
    assert ", overlap " in window.state()["said"]
    left, top, width, height = state["controls"]["facts more room"]
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: "room" in state["said"])
