"""Files in the page: opened through the picker or dropped, and saved."""

import json
import time
from pathlib import Path

import pytest
from headless_browser import Page

import juggle_anim as ja
from juggle_anim.notation.jml import write_jml
from juggle_anim.notation.pattern_list import list_of_one
from juggle_anim.site import worker

LIST = "Tricks: 531\nclubs: pattern=441;prop=club\nbroken: 532\nMills mess\n"


@pytest.fixture
def opened(page: Page, address: str, tmp_path: Path) -> Page:
    page.resize(390, 844)
    page("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path / "saved"))
    page("Page.navigate", url=address)
    page.wait_for("window.player?.frames > 1")
    return page


def pick(page: Page, path: Path) -> None:
    """Choose a file in the picker, which the page opens."""
    document = page("DOM.getDocument")["root"]["nodeId"]
    node = page("DOM.querySelector", nodeId=document, selector="#opened")["nodeId"]
    page("DOM.setFileInputFiles", files=[str(path)], nodeId=node)


def drop(page: Page, path: Path) -> None:
    """Drag a file onto the page and let it go."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page("Input.dispatchDragEvent", type=kind, x=200, y=200, data=data)


def saved(tmp_path: Path, name: str) -> str:
    """The text of a file that the page saves."""
    path = tmp_path / "saved" / name
    end = time.monotonic() + 300
    while not path.is_file():
        assert time.monotonic() < end, "nothing was saved"
        time.sleep(0.02)
    return path.read_text("utf-8")


LISTED = "[...document.querySelectorAll('#patterns li')].map((one) => one.textContent)"


# To open a page takes longest.
def test_files_are_opened_saved_and_refused(opened: Page, tmp_path: Path) -> None:
    check_that_a_list_is_a_shelf_which_can_be_saved(opened, tmp_path)
    check_that_events_and_routines_are_juggled_and_saved_as_they_were(opened, tmp_path)
    assert opened.complaints() == []
    check_that_what_is_no_pattern_file_is_refused_in_words(opened, tmp_path)


def check_that_a_list_is_a_shelf_which_can_be_saved(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "tricks.txt"
    path.write_text(LIST)
    pick(page, path)
    page.wait_for(f"{LISTED}.length === 4")
    assert page.value(LISTED)[2].startswith("brokenaverage 3⅓.")
    page.tap("#patterns li:nth-child(2) button")
    page.wait_for("location.search.includes('pattern=441;prop=club')")
    page.tap("#save-list [data-ending=txt]")
    first, second, _third = saved(tmp_path, "juggling.txt").splitlines()
    assert (first, second) == ("pattern=531;title=Tricks", "pattern=441;prop=club;title=clubs")


def check_that_events_and_routines_are_juggled_and_saved_as_they_were(
    page: Page, tmp_path: Path
) -> None:
    later = ja.animate("531").edit().move_event(0, time=0.1)
    path = tmp_path / "later.jml"
    path.write_text(write_jml(list_of_one(later.score, later.parameters)))
    drop(page, path)
    page.wait_for("document.title.startsWith('531 ') && location.search.includes('xml')")
    assert page.value("player.loop") == pytest.approx(later.duration)
    page.tap("#tab-share")
    # What most want comes first; of other files people are told what they are.
    formats = "[...document.querySelectorAll('#files button')].map((one) => one.textContent)"
    assert page.value(formats) == ["GIF", "MP4", "PNG"]
    page.tap("details:has(#more-files) summary")
    assert page.value("document.getElementById('save-jml').textContent") == "Juggling Lab (JML)"
    page.tap("#save-jml")
    assert ja.animate(str(_written(tmp_path, saved(tmp_path, "531.jml")))).duration == (
        pytest.approx(later.duration)
    )
    path = tmp_path / "short.routine"
    path.write_text("title=Short\n3 6 catches\n531 1 loop\nstop\n")
    pick(page, path)
    page.wait_for("document.title.startsWith('Short')")
    page.tap("#tab-share")
    page.tap("#save-routine")
    assert "531 1 loop" in saved(tmp_path, "Short.routine")


def _written(folder: Path, text: str) -> Path:
    path = folder / "again.jml"
    path.write_text(text)
    return path


def check_that_what_is_no_pattern_file_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    pick(page, path)
    page.wait_for("document.getElementById('said').textContent.startsWith('picture.png')")
    assert page.value("document.getElementById('said').className") == "wrong"


def test_the_browsers_python_opens_and_saves_the_same_files() -> None:
    status, content = worker.answer("open", "name=tricks.txt", "en", LIST.encode())
    rows = json.loads(content)["patterns"]
    assert status == 200
    assert [row["name"] for row in rows] == ["Tricks", "clubs", "broken", "Mills mess"]
    assert rows[1]["settings"] == {"pattern": "441", "prop": "club", "title": "clubs"}
    lines = b"pattern=531;title=Tricks\npattern=441;prop=ring"
    status, content = worker.answer("save", "name=tricks.jml", "en", lines)
    assert status == 200
    assert b'<line display="Tricks"' in content
    status, content = worker.answer("save", "name=tricks.exe", "en", lines)
    assert status == 400
    status, content = worker.answer("open", "name=big.txt", "en", bytes(2 << 20))
    assert status == 413
    # A list without patterns, in place of a pattern.
    empty = "pattern=%3Cjml version=%223%22%3E%0A%3Cpatternlist/%3E%3C/jml%3E"
    status, content = worker.answer("curves", empty, "en")
    assert (status, content.strip()) == (400, b"there is no pattern")
