import shutil

import pytest
from driven_window import DrivenWindow

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


@pytest.mark.parametrize("pattern", ["0", pytest.param("<0|0>", marks=pytest.mark.long)])
def test_whatever_is_shown_of_it_a_pattern_without_props_is_borne(
    window: DrivenWindow, pattern: str
) -> None:
    window.afresh(pattern, paused=False)
    # Numbers of props and throws, facts, both diagrams, plots, beats, two pictures, and the arm
    # lab.
    for key in ("x", "ctrl+i", "y", "y", "p", "p", "p", "z", "s", "x", "d", "x", "s", "g", "g"):
        window.keys(key)
        frames = window.state()["frames"]
        window.wait(lambda state, drawn=frames: state["frames"] > drawn)
    assert window.afresh("531")["pattern"] == "531"
