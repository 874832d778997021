import shutil
from collections.abc import Callable

import pytest
from driven_window import DrivenWindow, State

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

FASTEST = 8.0  # m/s; no prop of these patterns flies faster


def juggles(text: str) -> Callable[[State], bool]:
    """Whether a pattern plays alone."""
    return lambda state: state["pattern"] == text and not state["way"]


def test_a_pattern_typed_while_one_plays_follows_without_a_jump_and_is_undone_so(
    open_window: Opener,
) -> None:
    window = open_window(pattern="3", paused=False)
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type("51")
    window.keys("Return")
    state = window.wait(lambda state: ["51", True] in state["way"])
    assert [text for text, _ in state["way"]] == ["3", "4", "51"]
    window.wait(juggles("51"))
    window.keys("ctrl+z")
    window.wait(lambda state: ["3", True] in state["way"])
    state = window.wait(juggles("3"))
    assert state["followed"] == ["3", "51", "3"]
    assert 1.0 < state["fastest"] < FASTEST
    window.keys("space")
    before = window.wait(
        lambda state: (
            state["paused"] and state["settled"] and not state["awake"] and not state["said"]
        )
    )
    seen = window.pixels()
    presses = 6
    window.keys(*["comma"] * presses)
    window.wait(lambda state: state["clock"] < before["clock"] - (presses - 0.5) / 60)
    window.keys(*["period"] * presses)
    window.wait(lambda state: abs(state["clock"] - before["clock"]) < 1e-9 and not state["awake"])
    assert (window.pixels() == seen).all()
