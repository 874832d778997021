"""Every error that the window can show is shown, and the animation goes on."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from driven_keys import keys_for
from driven_window import DrivenWindow, State
from long_cases import sampled
from one_window import OneWindow

from juggle_anim.exporter.stills import encode_png
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.state.keymap import Action

pytestmark = pytest.mark.skipif(
    not shutil.which("xdotool"), reason="needs xdotool: apt-get install xdotool"
)


def in_line(state: State) -> str:
    return str(state["error"])


def in_entry(state: State) -> str:
    return state["entry"][1] if state["entry"] else ""


def in_prompt(state: State) -> str:
    return str(state["desk"]["prompt_error"])


def in_notice(state: State) -> str:
    return str(state["said"])


def in_panel(state: State) -> str:
    return str(state["trouble"])


@dataclass(frozen=True)
class Wrong:
    """Something that somebody does wrong.

    Args:
        keys: of the actions that lead there.
        types: what is typed then, and Enter pressed; `DIR` stands for a folder with the files of
            `folder`.
        drops: the file that is dropped instead.
        where: what is wrong is said.
        says: words of it.
        pattern: that is juggled.
    """

    where: Callable[[State], str]
    says: str
    keys: tuple[Action, ...] = ()
    types: str = ""
    drops: str = ""
    pattern: str = "531"


EDIT, ENTRY, OPEN, SAVE = (
    (Action.EDIT_PATTERN,),
    (Action.TYPE_VALUE,),
    (Action.OPEN_FILE,),
    (Action.SAVE_FILE,),
)

WRONG = {
    "siteswap that collides": Wrong(in_line, "land", EDIT, "543"),
    "siteswap of no whole average": Wrong(in_line, "average", EDIT, "54"),
    "throw that is none": Wrong(in_line, "5", EDIT, "5!1"),
    "synchronous throws that break off": Wrong(in_line, "", EDIT, "(4,2"),
    "setting that there is not": Wrong(in_line, "frob", EDIT, "pattern=531;frob=1"),
    "setting out of its range": Wrong(in_line, "dwell", EDIT, "pattern=531;dwell=9"),
    "setting that is not a number": Wrong(in_line, "fast", EDIT, "pattern=531;bps=fast"),
    "file that is not there": Wrong(in_line, "no such file", EDIT, "DIR/nothing.jml"),
    "pattern that a file has not": Wrong(in_line, "no pattern #9", EDIT, "DIR/good.txt#9"),
    "number that is none": Wrong(in_entry, "", ENTRY, "wide"),
    "number out of its range": Wrong(in_entry, "180", ENTRY, "900"),
    "path of no file": Wrong(in_prompt, "type the path", OPEN, " "),
    "path that is not there": Wrong(in_prompt, "does not exist", OPEN, "DIR/nothing.jml"),
    "folder in place of a file": Wrong(in_prompt, "is a folder", OPEN, "DIR/"),
    "letter in place of a file": Wrong(in_prompt, "has no patterns", OPEN, "DIR/letter.txt"),
    "place where nothing can be written": Wrong(in_prompt, "", SAVE, "/proc/a.jml"),
    "folder that is a file": Wrong(in_prompt, "", SAVE, "DIR/good.txt/a.jml"),
    "ending of no format": Wrong(in_prompt, "unknown file ending", SAVE, "DIR/a.doc"),
    "file that is there already": Wrong(in_prompt, "already exists", SAVE, "DIR/good.txt"),
    "dropped film": Wrong(in_notice, "Cannot read a video from broken.mp4: ", drops="broken.mp4"),
    "dropped letter": Wrong(in_notice, "", drops="letter.txt"),
    "dropped bytes": Wrong(in_notice, "has no text", drops="bytes.bin"),
    "dropped nothing": Wrong(in_notice, "is empty", drops="empty.txt"),
    "dropped holiday": Wrong(in_notice, "is a picture", drops="holiday.png"),
    "dropped JML that breaks off": Wrong(in_notice, "", drops="broken.jml"),
    "dropped JIF that breaks off": Wrong(in_notice, "", drops="broken.jif"),
    "dropped BVH alone": Wrong(in_notice, "without the table", drops="alone.bvh"),
    "dropped empty folder": Wrong(in_notice, "is a folder", drops="nothing"),
    "dropped list of no patterns": Wrong(in_notice, "No valid patterns", drops="wrong.txt"),
    "paste of nothing": Wrong(in_notice, "Nothing to paste", (Action.PASTE,)),
    "pattern before the first": Wrong(in_notice, "first pattern", (Action.PATTERN_BEFORE,)),
    "pattern after the last": Wrong(in_notice, "last pattern", (Action.PATTERN_AFTER,)),
    "sound without a device": Wrong(in_notice, "no audio device", (Action.SOUND,)),
    "copy of events": Wrong(in_notice, "Not copied", (Action.COPY,), pattern="DIR/events.jml"),
}


IN_THE_WINDOW = (
    *("siteswap that collides", "setting out of its range", "file that is not there"),
    *("number out of its range", "path that is not there", "folder that is a file"),
    *("dropped film", "dropped bytes", "dropped empty folder", "dropped list of no patterns"),
    *("pattern before the first", "copy of events"),
)
"""Of each place where errors are said, and of each way that leads there, some."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Files, good and wrong ones, in a folder whose path is quickly typed."""
    with TemporaryDirectory() as name:
        yield filled(Path(name))


def filled(folder: Path) -> Path:
    """The folder, with the files in it."""
    (folder / "good.txt").write_text("441\n")
    (folder / "wrong.txt").write_text("543\n432\n")
    (folder / "letter.txt").write_text("Dear all,\nnothing here is a pattern.\n")
    (folder / "bytes.bin").write_bytes(bytes(range(256)))
    (folder / "empty.txt").touch()
    (folder / "nothing").mkdir()
    (folder / "holiday.png").write_bytes(encode_png(np.zeros((1, 1, 3), dtype=np.uint8)))
    (folder / "broken.jml").write_text("<jml version='3'><pattern><prop ")
    (folder / "broken.mp4").write_bytes(b"\0\0\0 ftypisom")
    (folder / "broken.jif").write_text('{"jif": {"throws": [')
    (folder / "alone.bvh").write_text("HIERARCHY\nROOT hips\n")
    write_file(with_events(open_patterns("pattern=531;title=Mine"))[0], folder / "events.jml")
    return folder


def goes_on(window: DrivenWindow, state: State) -> None:
    """The same pattern is juggled, frame by frame."""
    later = window.wait(
        lambda later: (
            later["frames"] > state["frames"] + 3 and abs(later["time"] - state["time"]) > 0.05
        )
    )
    assert (later["pattern"], later["paused"]) == (state["pattern"], False)


@pytest.mark.parametrize("what", sampled(WRONG, *IN_THE_WINDOW))
def test_each_error_is_shown_and_the_animation_goes_on(
    window: DrivenWindow, folder: Path, what: str
) -> None:
    wrong = WRONG[what]
    before = window.afresh(wrong.pattern.replace("DIR", str(folder)), paused=False)
    assert not wrong.where(before)
    if wrong.drops:
        window.drop(folder / wrong.drops)
    if wrong.keys:
        window.keys(*keys_for(*wrong.keys))
    if wrong.types:
        window.wait(lambda state: state["typing"])
        window.keys("ctrl+a")
        window.type(wrong.types.replace("DIR", str(folder)))
        window.keys("Return")
    said = window.wait(wrong.where)
    assert wrong.says in wrong.where(said)
    assert said["pattern"] == before["pattern"]
    goes_on(window, said)


def test_nonsense_that_is_pasted_stays_in_the_line_to_be_mended(window: DrivenWindow) -> None:
    window.afresh(paused=False)
    window.keys(*keys_for(Action.EDIT_PATTERN))
    window.wait(lambda state: state["typing"])
    window.type("543 or so")
    window.keys("ctrl+a", "ctrl+c", "Escape")
    window.wait(lambda state: state["line"] == "531" and not state["typing"])
    window.keys(*keys_for(Action.PASTE))
    goes_on(window, window.wait(lambda state: state["error"] and state["line"] == "543 or so"))


def test_a_picture_that_cannot_be_kept_says_so(one_window: OneWindow, window: DrivenWindow) -> None:
    window.afresh(paused=False)
    pictures = one_window.home / "Pictures"
    pictures.symlink_to("/proc")
    try:
        window.keys(*keys_for(Action.PICTURE))
        goes_on(window, window.wait(lambda state: state["said"]))
    finally:
        pictures.unlink()
    assert "cannot save" in window.state()["said"]


def test_a_preset_that_cannot_be_kept_says_so(one_window: OneWindow, window: DrivenWindow) -> None:
    window.afresh(paused=False)
    settings = one_window.home / "settings"
    settings.write_text("in the way of the folder of settings")
    try:
        window.keys(*keys_for(Action.PRESETS))
        window.wait(lambda state: state["typing"])
        window.type("mine")
        window.keys("Return")
        goes_on(window, window.wait(in_panel))
    finally:
        settings.unlink()
