"""The window in other languages: the setting changes it at once and is remembered, and nothing is
cut.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from catalogues import LANGUAGES
from driven_window import DrivenWindow
from long_cases import sampled

from juggle_anim.language import choose_language
from juggle_anim.viewer.cards.key_help import COLUMN_WIDTH, KEYS_WIDTH
from juggle_anim.viewer.cards.panel import _BUTTONS
from juggle_anim.viewer.state.keymap import HELP, line_hints

BETWEEN = 8.0  # columns of the help, [pixels]
PANEL = 280.0  # width of buttons in the panel at scale 1, [pixels]
LOW_PANEL = 208.0  # width of the line of keys in a window of 640×480, [pixels]


def test_labels_of_the_panel_and_the_help_have_room_in_every_language() -> None:
    """Measured with the window's font: a line of the help beside its keys, and a button with its
    key.
    """
    from PIL import ImageFont

    from juggle_anim.language import _
    from juggle_anim.resources import resource

    font = ImageFont.truetype(
        str(resource("assets", "fonts") / "Inter-Medium.ttf"), 10.6
    )  # as high as imgui draws 12
    try:
        for code in LANGUAGES:
            choose_language(code)
            lines = [_(words) for group in HELP.values() for _keys, words in group]
            wide = [
                words
                for words in lines
                if font.getlength(words) > COLUMN_WIDTH - KEYS_WIDTH - BETWEEN
            ]
            assert wide == [], code
            assert [
                words for _action, words in _BUTTONS if font.getlength(_(words)) > PANEL / 3 - 20
            ] == [], code
            assert [
                words
                for words in line_hints(short=True).values()
                if font.getlength(words) > LOW_PANEL
            ] == [], code
    finally:
        choose_language("en")


@pytest.mark.parametrize(
    "shown", sampled(["de:640x480@96", "fr:1280x800@192"], "de:640x480@96"), ids=str
)
def test_no_words_of_any_card_are_cut_or_over_others_or_left_in_english(
    display: dict[str, str], tmp_path: Path, shown: str
) -> None:
    """The languages with the longest words, in the smallest window and in one with few places for
    its many dots.
    """
    driver = Path(__file__).parents[1] / "driving" / "words_drawn.py"
    command = [sys.executable, str(driver), shown]
    environment = {**display, "HOME": str(tmp_path), "PYGLET_AUDIO": "silent"}
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_a_window_speaks_the_language_of_its_system(
    display: dict[str, str], tmp_path: Path
) -> None:
    environment = {
        **display,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "settings"),
        "LANGUAGE": "de",
    }
    with DrivenWindow(environment, tmp_path) as window:
        window.keys("h")
        window.wait(lambda state: state["help"])
        window.keys("h", "alt+Left")
        assert window.wait(lambda state: state["said"])["said"] == "Das ist das erste Muster"
