"""The desktop's own dialogs for files: here a program of the test's is in the place of zenity."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State

from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.notation import open_pattern
from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)

# It tells what it was asked, and waits for what the test chooses.
ZENITY = """#!/bin/sh
echo "$@" > "$HOME/asked.new"; mv "$HOME/asked.new" "$HOME/asked"
until [ -e "$HOME/chosen" ]; do sleep 0.02; done
cat "$HOME/chosen"; rm "$HOME/chosen" "$HOME/asked"
"""


class Desktop:
    """A desktop whose dialog a test answers."""

    def __init__(self, window: DrivenWindow, home: Path) -> None:
        self.window, self.home = window, home

    def asks(self) -> str:
        """Wait for the dialog; return the words that it was opened with."""
        self.window.wait(lambda _: (self.home / "asked").exists())
        return (self.home / "asked").read_text()

    def chooses(self, path: Path | str) -> None:
        """Choose a path in the dialog, or an empty text to cancel it."""
        (self.home / "draft").write_text(f"{path}\n" if path else "")
        (self.home / "draft").rename(self.home / "chosen")
        self.window.wait(lambda _: not (self.home / "asked").exists())


@pytest.fixture(scope="module")
def with_dialogs(
    display: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desktop]:
    home = tmp_path_factory.mktemp("desktop")
    programs = home / "bin"
    programs.mkdir()
    (programs / "zenity").write_text(ZENITY)
    (programs / "zenity").chmod(0o755)
    folders = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "settings")}
    path = f"{programs}:{display['PATH']}"
    with DrivenWindow({**display, **folders, "PATH": path, "VIEWER_DIALOGS": "on"}, home) as window:
        yield Desktop(window, home)


@pytest.fixture
def desktop(with_dialogs: Desktop) -> Iterator[Desktop]:
    yield with_dialogs
    for left in ("asked", "chosen"):
        (with_dialogs.home / left).unlink(missing_ok=True)


def shows(text: str) -> object:
    return lambda state: state["pattern"] == text


def asked(state: State) -> bool:
    return bool(state["desk"]["prompt"])


def test_a_file_is_opened_in_the_dialog_while_the_window_goes_on(desktop: Desktop) -> None:
    (desktop.home / "mine.txt").write_text("441\n")
    window = desktop.window
    window.afresh("531", paused=False)
    window.keys(*keys_for(Action.OPEN_FILE))
    words = desktop.asks()
    assert "Open a file" in words
    assert "*.jml" in words
    before = window.state()
    window.wait(
        lambda state: state["frames"] > before["frames"] + 5 and state["played"] > before["played"]
    )
    window.keys("plus")
    assert not asked(window.wait(lambda state: state["given"]["speed"] > before["given"]["speed"]))
    desktop.chooses(desktop.home / "mine.txt")
    assert not asked(window.wait(lambda state: state["pattern"] == "441"))


def test_a_cancelled_dialog_changes_nothing_and_another_opens_later(desktop: Desktop) -> None:
    window = desktop.window
    window.afresh("531")
    for _ in range(2):
        window.keys(*keys_for(Action.OPEN_FILE))
        desktop.asks()
        desktop.chooses("")
    state = window.wait(lambda state: not state["awake"])
    assert state["pattern"] == "531"
    assert not asked(state)
    assert not state["said"]


def test_a_file_that_cannot_be_opened_is_told_in_a_line_to_correct(desktop: Desktop) -> None:
    (desktop.home / "bad.routine").write_text("cascade\n53x\n")
    desktop.window.afresh("531")
    desktop.window.keys(*keys_for(Action.OPEN_FILE))
    desktop.asks()
    desktop.chooses(desktop.home / "bad.routine")
    state = desktop.window.wait(asked)
    told = state["desk"]["prompt_error"].split("\n")
    assert "line 2, column 2" in told[0]
    assert told[1] == "53x"
    assert not any("^" in line for line in told)
    desktop.window.keys("Escape")
    desktop.window.wait(lambda state: not asked(state))


def test_a_pattern_is_saved_where_the_dialog_says_also_over_a_file(desktop: Desktop) -> None:
    window, path = desktop.window, desktop.home / "kept.jml"
    for text in ("531", "b97531"):
        window.afresh(text)
        window.keys(*keys_for(Action.SAVE_FILE))
        words = desktop.asks()
        assert "--save" in words
        assert f"{text}.gif" in words
        desktop.chooses(path)
        window.wait(lambda state: "Saved to" in state["said"] and not asked(state))
        assert open_pattern(str(path)).score.pattern.text == text  # type: ignore[union-attr]


@pytest.mark.long
def test_a_page_that_may_show_several_things_is_asked_about(desktop: Desktop) -> None:
    window, path = desktop.window, desktop.home / "page.svg"
    window.afresh("531")
    window.keys(*keys_for(Action.SAVE_AS))
    desktop.asks()
    desktop.chooses(path)
    window.wait(lambda state: state["desk"]["question"] == "What to save in page.svg")
    window.keys("2")
    window.wait(lambda state: "Saved as" in state["said"])
    record = read_record(read_metadata(path) or "")
    assert record
    assert record.picture["picture"] == "causal"


def test_escape_closes_the_dialog(desktop: Desktop) -> None:
    window = desktop.window
    window.afresh("531")
    window.keys(*keys_for(Action.OPEN_FILE))
    desktop.asks()
    window.keys("Escape")
    (desktop.home / "chosen").write_text(str(desktop.home / "kept.jml"))
    state = window.wait(lambda state: not state["awake"])
    assert state["pattern"] == "531"
