"""What somebody does first who has read nothing, in the real window: five things, each within a minute.

A minute is counted as people need it: five seconds to look at each new screen, two for each word typed, key or click.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from driven_window import DrivenWindow, State

from juggle_anim.notation import open_pattern

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool")

MINUTE, LOOK, ACT = 60.0, 5.0, 2.0  # s


class Newcomer:
    """Looks at screens and acts, and counts how long that takes a person."""

    def __init__(self, window: DrivenWindow) -> None:
        self.window, self.spent = window, LOOK

    def types(self, text: str) -> None:
        """Type a word, and Enter."""
        self.window.type(text)
        self.spent += ACT

    def presses(self, *keys: str) -> None:
        """Press keys."""
        self.window.keys(*keys)
        self.spent += ACT * len(keys)

    def clicks(self, x: float, y: float) -> None:
        """Click a place."""
        self.window.mouse("move", x, y, "drawn", "click", 1)
        self.spent += ACT

    def sees(self, condition: Callable[[State], object]) -> State:
        """Look at what has changed."""
        state = self.window.wait(condition)
        self.spent += LOOK
        return state


@pytest.fixture
def newcomer(open_window: Opener) -> Newcomer:
    return Newcomer(open_window(pattern="3", paused=False, size=(1280, 800)))


def test_sees_531_with_clubs(newcomer: Newcomer) -> None:
    newcomer.types("531 clubs")
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["given"]["prop"] == "club" and state["head"] and "531" in state["pattern"])
    assert newcomer.spent <= MINUTE


def test_makes_it_slower(newcomer: Newcomer) -> None:
    state = newcomer.window.state()
    newcomer.window.mouse("move", 1078, 764)  # over Speed, which tells the keys
    newcomer.sees(lambda state: state["frames"] > 5)
    newcomer.presses("minus", "minus")
    newcomer.sees(lambda now: now["given"]["speed"] == 0.5 < state["given"]["speed"])
    assert newcomer.spent <= MINUTE


def test_raises_the_elbows(newcomer: Newcomer) -> None:
    newcomer.presses("q")
    newcomer.types("elbow")
    state = newcomer.sees(lambda state: state["sought"] == "elbow" and not state["awake"])
    assert 140 < state["rows"]["chicken_wing"][1] < 300
    left, top, width, height = state["rows"]["chicken_wing"]
    newcomer.clicks(left + 0.8 * width, top + height - 9)
    newcomer.sees(lambda state: state["given"]["chicken_wing"] > 60)
    assert newcomer.spent <= MINUTE


def test_finds_a_shower_of_four_balls_and_stars_it(newcomer: Newcomer) -> None:
    newcomer.presses("e")
    newcomer.sees(lambda state: state["desk"]["ready"])
    newcomer.types("4 ball shower")
    state = newcomer.sees(lambda state: state["desk"]["words"] == "4 ball shower")
    assert state["desk"]["found"][0] == "Four-ball shower"
    newcomer.presses("Down")
    newcomer.sees(lambda state: state["pattern"] == "Four-ball shower")
    newcomer.presses("ctrl+d")
    newcomer.sees(lambda state: state["desk"]["favourites"] == ["Four-ball shower"])
    assert newcomer.spent <= MINUTE


def test_saves_a_gif(newcomer: Newcomer, tmp_path: Path) -> None:
    path = tmp_path / "cascade.gif"
    newcomer.window.afresh("pattern=3;bps=10", paused=False, size=(1280, 800))  # a short loop is soon written
    newcomer.presses("ctrl+s")
    state = newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    assert state["desk"]["prompt_text"].endswith(".jml")
    newcomer.presses("ctrl+a")
    newcomer.types(str(path))
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["desk"]["question"] == "The camera of cascade.gif")
    newcomer.presses("Return")
    newcomer.sees(lambda state: "is being written" in state["said"] or "Saved as" in state["said"])
    newcomer.sees(lambda state: "Saved as" in state["said"])
    assert open_pattern(str(path)).score.pattern.text == "3"  # type: ignore[union-attr]
    assert newcomer.spent <= MINUTE


def test_a_film_that_cannot_be_written_is_told(newcomer: Newcomer, tmp_path: Path) -> None:
    newcomer.presses("ctrl+s")
    newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    newcomer.presses("ctrl+a")
    (tmp_path / "no folder").write_text("")
    newcomer.types(str(tmp_path / "no folder" / "cascade.gif"))
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["desk"]["question"] == "The camera of cascade.gif")
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["said"].startswith("Not saved: "))
