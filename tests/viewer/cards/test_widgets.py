import shutil

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.parameters import row_named
from juggle_anim.viewer.cards.ui import LIGHT
from juggle_anim.viewer.panel.controls import value_of
from juggle_anim.viewer.panel.values import fraction
from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

_MUTED = tuple(int(LIGHT.muted[place : place + 2], 16) for place in (0, 2, 4))


def marked(window: DrivenWindow, state: State, name: str) -> list[float]:
    """Where a stroke stands out above the groove of a slider, from 0 at its left end to 1."""
    left, top, width, height = (round(edge) for edge in state["rows"][name])
    line = window.pixels()[top + height - 13, left + 10 : left + width - 10].astype(int)
    found = np.flatnonzero(np.abs(line - _MUTED).sum(axis=1) < 120)
    ends = np.flatnonzero(np.diff(found, prepend=-9) > 2)
    return [float(group.mean() / (width - 20)) for group in np.split(found, ends)[1:]]


@pytest.mark.parametrize("name", sampled(["speed", "bps"], "bps"))
def test_a_slider_that_was_turned_marks_its_default(window: DrivenWindow, name: str) -> None:
    window.afresh(chosen="")
    state = window.wait(lambda state: state["rows"] and state["awake"] == 0)
    assert marked(window, state, name) == []
    left, top, width, height = state["rows"][name]
    window.mouse("move", left + 0.95 * width, top + height - 9, "drawn", "click", 1)
    window.wait(lambda now: now["given"][name] != state["given"][name])
    window.mouse("move", 400, 200)
    window.wait(lambda now: now["awake"] == 0)
    row = row_named(name)
    usual = fraction(row, value_of(animate("531"), row))
    assert marked(window, state, name) == [pytest.approx(usual, abs=0.01)]
    window.keys(*keys_for(Action.RESET_VALUE))
    window.wait(lambda now: now["given"][name] == state["given"][name] and now["awake"] == 0)
    assert marked(window, state, name) == []
