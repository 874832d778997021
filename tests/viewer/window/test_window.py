import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import row_named
from juggle_anim.viewer.panel.controls import Listing
from juggle_anim.viewer.state.keymap import Action

Opener = Callable[..., DrivenWindow]

_LISTING = Listing()
_LISTING.folded.clear()
LINES = _LISTING.lines(lambda row: False)

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def value(name: str, wanted: float | None) -> Callable[[State], bool]:
    return lambda state: state["parameters"][name] == wanted


def settled(state: State) -> bool:
    return bool(state["settled"])


def down_to(name: str) -> list[str]:
    """The keys from the chicken wing to another control."""
    down = LINES.index(row_named(name)) - LINES.index(row_named("chicken_wing"))
    return ["Down" if down > 0 else "Up"] * abs(down)


def test_a_file_is_opened_from_the_line_and_its_events_are_shown_as_they_are(
    open_window: Opener, tmp_path: Path
) -> None:
    patterns, _ = with_events(open_patterns("pattern=(4,2x)(2x,4);title=My box"))
    write_file(patterns, tmp_path / "a box.jml")
    window = open_window()
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.type(f"{tmp_path}/a box.jml#my box")
    window.keys("Return")
    state = window.wait(lambda state: state["pattern"] == "My box")
    assert (state["line"], state["error"]) == (f"{tmp_path}/a box.jml#my box", "")
    assert state["caption"].startswith("My box")
    window.wait(lambda state: not state["typing"])
    window.keys(*down_to("dwell"), "Right", "Down", "Right")
    assert window.wait(value("gravity", 1000.0))["parameters"]["dwell"] == 1.3


def test_shortcuts_rest_while_text_is_typed(open_window: Opener) -> None:
    window = open_window()
    window.keys("slash")
    before = window.wait(lambda state: state["typing"])
    window.type("hf,. []")
    state = window.wait(lambda state: state["line"] == "hf,. []")
    assert not state["help"]
    assert state["paused"]
    assert state["time"] == before["time"]
    assert state["parameters"] == before["parameters"]


def test_the_bar_says_that_time_runs_backwards_until_it_runs_on(open_window: Opener) -> None:
    window = open_window()
    label = slice(425, 465), slice(550, 625)  # of the speed
    before = window.wait(settled) and window.pixels()[label]
    window.keys(*keys_for(Action.BACKWARDS))
    window.wait(lambda state: not state["paused"])
    window.keys("space")
    window.wait(lambda state: state["paused"])
    assert (window.pixels()[label] != before).any(axis=2).sum() > 50
    window.keys("space", *keys_for(Action.BACKWARDS), "space")
    window.wait(lambda state: state["paused"])
    assert (window.pixels()[label] != before).any(axis=2).sum() < 50


def test_a_click_on_the_round_arrow_plays_backwards_and_forwards_again(open_window: Opener) -> None:
    left, top, width, height = open_window().state()["controls"]["transport loop"]
    window = open_window()
    window.mouse("move", left + width / 2, top + height / 2, "drawn", "click", 1)
    window.wait(lambda state: state["backwards"] and not state["paused"])
    window.mouse("click", 1)
    window.wait(lambda state: not state["backwards"])


def test_ctrl_q_leaves_even_while_text_is_typed(open_window: Opener) -> None:
    window = open_window()
    window.keys("slash")
    window.wait(lambda state: state["typing"])
    window.keys("ctrl+q")
    assert window.exit_code() == 0


def test_the_window_can_be_resized_hidden_and_shown(open_window: Opener) -> None:
    window = open_window(paused=False)
    window.resize(900, 500)
    window.wait(lambda state: state["size"] == [900, 500])
    assert window.pixels().shape == (500, 900, 3)
    window.resize(330, 250)
    window.wait(lambda state: state["size"] == [330, 250])
    window.window_command("windowunmap")
    hidden = window.wait(lambda state: not state["shown"])
    window.window_command("windowmap")
    window.wait(lambda state: state["shown"] and state["frames"] > hidden["frames"] + 2)
