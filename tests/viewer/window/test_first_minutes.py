"""What somebody does first who has read nothing, in the real window: five things, each within a
minute.

A minute is counted as people need it: five seconds to look at each new screen, two for each word
typed, key or click.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from driven_window import DrivenWindow, State

from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.notation import open_pattern
from juggle_anim.viewer.state.prompt import SAVE_KINDS

Opener = Callable[..., DrivenWindow]

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

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
    newcomer.sees(
        lambda state: (
            state["given"]["prop"] == "club" and state["head"] and "531" in state["pattern"]
        )
    )
    assert newcomer.spent <= MINUTE


@pytest.mark.long
def test_types_a_name_at_once(newcomer: Newcomer) -> None:
    for name, pattern in (("shower", "Three-ball shower"), ("mills mess", "Mills mess")):
        newcomer.types(name)
        newcomer.presses("Return")
        state = newcomer.sees(lambda state, pattern=pattern: state["pattern"] == pattern)
        assert (state["beside"], state["help"], state["desk"]["browsing"]) == (None, False, False)
    assert newcomer.spent <= MINUTE


def test_settings_stay_when_a_pattern_is_chosen(newcomer: Newcomer) -> None:
    newcomer.presses("minus", "ctrl+w", "Right")
    newcomer.types("three-ring box")
    newcomer.presses("Return")
    newcomer.sees(
        lambda state: (
            state["pattern"] != "3"
            and (state["given"]["prop"], state["given"]["width"]) == ("ring", 140)
            and (state["given"]["speed"], state["given"]["chicken_wing"]) == (0.75, 35)
        )
    )
    newcomer.types("shower")
    newcomer.presses("Return")
    newcomer.sees(
        lambda state: (
            (state["given"]["prop"], state["given"]["width"]) == ("ball", 100)
            and state["given"]["speed"] == 0.75
        )
    )
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


@pytest.mark.long
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
    newcomer.window.afresh(
        "pattern=3;bps=10", paused=False, size=(1280, 800)
    )  # a short loop is soon written
    newcomer.presses("ctrl+s")
    state = newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    assert state["desk"]["prompt_text"].endswith(".gif")
    newcomer.presses("ctrl+a")
    newcomer.types(str(path))
    newcomer.presses("Return")
    newcomer.sees(lambda state: "is being written" in state["said"] or "Saved as" in state["said"])
    newcomer.sees(lambda state: "Saved as" in state["said"])
    assert open_pattern(str(path)).score.pattern.text == "3"  # type: ignore[union-attr]
    assert newcomer.spent <= MINUTE


@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param(
            "de",
            ("Keulen", "ellbogen", "dusche 4", "Gespeichert"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "fr",
            ("massues", "coude", "douche a 4 balles", "Enregistré"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "es",
            ("mazas", "codo", "ducha de 4 pelotas", "Guardado"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_all_five_in_another_language(
    newcomer: Newcomer, language: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    clubs, elbow, shower, saved = words
    window, size = newcomer.window, (1280, 800)
    window.afresh("3", paused=False, size=size, chosen="", folded=True, language=language)
    newcomer.types(f"531 {clubs}")
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["given"]["prop"] == "club" and "531" in state["pattern"])
    newcomer.presses("minus", "minus")
    newcomer.sees(lambda state: state["given"]["speed"] == 0.5)
    newcomer.presses("q")
    newcomer.types(elbow)
    newcomer.sees(lambda state: state["sought"] == elbow and "chicken_wing" in state["lines"])
    left, top, width, height = window.drawn()["rows"]["chicken_wing"]
    newcomer.clicks(left + 0.8 * width, top + height - 9)
    newcomer.sees(lambda state: state["given"]["chicken_wing"] > 60)
    newcomer.presses("Escape", "ctrl+f")
    newcomer.sees(lambda state: state["desk"]["ready"])
    newcomer.types(shower)
    newcomer.sees(
        lambda state: (
            state["desk"]["words"] == shower and state["desk"]["found"][0] == "Four-ball shower"
        )
    )
    newcomer.presses("Down", "ctrl+d")
    newcomer.sees(lambda state: state["desk"]["favourites"] == ["Four-ball shower"])
    window.afresh(
        "pattern=3;bps=10", paused=False, size=size, language=language
    )  # a short loop is soon written
    newcomer.presses("ctrl+s")
    newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    newcomer.presses("ctrl+a")
    newcomer.types(str(tmp_path / "kaskade.gif"))
    newcomer.presses("Return")
    newcomer.sees(lambda state: saved in state["said"])
    assert newcomer.spent <= 5 * MINUTE


@pytest.mark.long
# In English all props have room beside each other.
@pytest.mark.parametrize("language", ["de", pytest.param("fr", marks=pytest.mark.long)])
def test_an_option_is_chosen_in_whichever_way_people_do(newcomer: Newcomer, language: str) -> None:
    window = newcomer.window
    window.afresh("3", size=(640, 480), chosen="", folded=True, language=language)
    state = window.wait(lambda state: "panel list prop" in state["controls"])
    left, top, width, height = state["controls"]["panel list prop"]
    x, y = left + width / 2, top + height / 2
    typed = {"de": ("k", "Keule", "Keulen"), "fr": ("m", "massue", "massues")}[language]

    def opens() -> State:
        window.mouse("move", x, y, "drawn", "click", 1)
        return window.wait(
            lambda state: state["drop_down"] and "choose option 1" in state["controls"]
        )

    def chooses() -> None:
        window.wait(lambda state: state["given"]["prop"] == "club" and not state["drop_down"])
        window.keys("Home")  # back to the default
        window.wait(lambda state: state["given"]["prop"] == "ball")

    option = opens()["controls"]["choose option 1"]
    across, down = option[0] + option[2] / 2, option[1] + option[3] / 2
    window.mouse("move", across, down, "drawn", "click", 1)
    chooses()
    window.mouse(
        "move",
        x,
        y,
        "drawn",
        "mousedown",
        1,
        "drawn",
        "move",
        across,
        down,
        "drawn",
        "mouseup",
        1,
        "drawn",
    )
    chooses()
    for word in typed:
        opens()
        window.type(word)
        window.keys("Return")
        chooses()
    opens()
    window.keys("Down", "Return")
    chooses()
    opens()
    window.type("xyz")
    window.keys("Return")
    listed = window.wait(lambda state: state["drop_down"]["error"])["drop_down"]
    assert all(words in listed["error"] for words in listed["options"])
    window.keys("Escape")


@pytest.mark.long
def test_prints_a_sheet_and_a_ladder(newcomer: Newcomer, tmp_path: Path) -> None:
    newcomer.window.afresh("531", size=(640, 480))
    for kind, name in (("Sheet", "sheet.pdf"), ("Ladder", "ladder.svg")):
        newcomer.presses("ctrl+s")
        state = newcomer.sees(lambda state: "prompt kind 0" in state["controls"])
        number = [each.name for each in SAVE_KINDS].index(kind)
        left, top, width, height = state["controls"][f"prompt kind {number}"]
        newcomer.clicks(left + width / 2, top + height / 2)
        newcomer.sees(lambda state: state["desk"]["prompt_text"].endswith("531.pdf"))
        newcomer.presses("ctrl+a")
        newcomer.types(str(tmp_path / name))
        left, top, width, height = newcomer.window.drawn()["controls"]["prompt use path"]
        newcomer.clicks(left + width / 2, top + height / 2)
        state = newcomer.sees(lambda state, name=name: state["said"].endswith(name))
        assert "notice offer" in newcomer.window.drawn()["controls"], "it shows the folder"
        record = read_record(read_metadata(tmp_path / name) or "")
        assert record
        assert record.picture["picture"] == name.partition(".")[0]
    assert newcomer.spent <= 2 * MINUTE


def test_a_film_tells_how_far_it_is_and_is_cancelled(newcomer: Newcomer, tmp_path: Path) -> None:
    window = newcomer.window
    window.afresh("531", size=(640, 480))
    newcomer.presses("ctrl+s")
    newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    newcomer.presses("ctrl+a")
    newcomer.types(str(tmp_path / "cascade.mp4"))
    newcomer.presses("Return")
    # How soon the first frames are drawn depends on the machine, so the seconds before are not
    # always seen.
    texts = set()

    def is_under_way(state: State) -> bool:
        texts.update(state["saving"])
        return "left" in "".join(state["saving"])

    state = newcomer.sees(is_under_way)
    progress = re.compile(r"Saving cascade\.mp4( … \d+ s|: \d+ of \d+|: \d+%, \d+ (s|min) left)")
    assert all(map(progress.fullmatch, texts)), texts
    left, top, width, height = state["controls"]["saving cancel 0"]
    newcomer.clicks(left + width / 2, top + height / 2)
    newcomer.sees(lambda state: state["said"] == "Cancelled; cascade.mp4 was not saved")
    assert not window.drawn()["saving"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_film_that_cannot_be_written_is_told(newcomer: Newcomer, tmp_path: Path) -> None:
    newcomer.presses("ctrl+s")
    newcomer.sees(lambda state: state["desk"]["prompt"] == "SAVE" and state["typing"])
    newcomer.presses("ctrl+a")
    (tmp_path / "no folder").write_text("")
    newcomer.types(str(tmp_path / "no folder" / "cascade.gif"))
    newcomer.presses("Return")
    newcomer.sees(lambda state: state["said"].startswith("Not saved: "))
