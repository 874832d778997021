from pathlib import Path

import pytest

from juggle_anim.viewer.state.prompt import (
    NOTICE_TIME,
    SAVE_KINDS,
    Notice,
    PathPrompt,
    Purpose,
    complete_path,
)


def test_a_notice_goes_away_by_itself_and_a_long_one_later() -> None:
    short, long = Notice(), Notice()
    short.say("Saved")
    long.say("x" * 100, bad=True)
    assert not short.advance(NOTICE_TIME / 2)
    assert short.text == "Saved"
    assert short.advance(NOTICE_TIME)
    assert (short.text, short.advance(1.0)) == ("", False)
    assert not long.advance(NOTICE_TIME + 1.0)
    assert long.text
    assert long.is_error


def test_another_notice_takes_the_place_of_the_first() -> None:
    notice = Notice()
    notice.say("One", bad=True)
    notice.advance(NOTICE_TIME - 0.1)
    notice.say("Two")
    assert not notice.advance(1.0)
    assert (notice.text, notice.is_error) == ("Two", False)


ENDINGS = (".jml", ".txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tricks").mkdir()
    for name in (
        "tricks/one.jml",
        "mills-mess.jml",
        "mills-mess-2.TXT",
        "mills.zip",
        "wimpy.txt",
        ".hidden.txt",
    ):
        (tmp_path / name).touch()
    return tmp_path


def test_a_path_is_completed_as_far_as_there_is_no_choice(folder: Path) -> None:
    assert complete_path(f"{folder}/mi", ENDINGS) == (
        f"{folder}/mills-mess",
        ("mills-mess-2.TXT", "mills-mess.jml"),
    )
    assert complete_path(f"{folder}/w", ENDINGS) == (f"{folder}/wimpy.txt", ("wimpy.txt",))
    assert complete_path(f"{folder}/tr", ENDINGS)[0] == f"{folder}/tricks/"
    assert complete_path(f"{folder}/tricks/", ENDINGS)[0] == f"{folder}/tricks/one.jml"


def test_what_fits_nothing_stays_as_it_was_typed(folder: Path) -> None:
    for text in (
        f"{folder}/x",
        f"{folder}/nowhere/x",
        "~nobody-of-this-name/x",
        f"{folder}/mills.z",
    ):
        assert complete_path(text, ENDINGS) == (text, ())


def test_hidden_names_come_only_after_a_dot(folder: Path) -> None:
    assert complete_path(f"{folder}/", ENDINGS)[1] == (
        "mills-mess-2.TXT",
        "mills-mess.jml",
        "tricks/",
        "wimpy.txt",
    )
    assert complete_path(f"{folder}/.", ENDINGS)[0] == f"{folder}/.hidden.txt"


def test_paths_begin_in_the_current_folder_or_at_home(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    assert complete_path("w", ENDINGS)[0] == "wimpy.txt"
    assert complete_path("~/w", ENDINGS)[0] == "~/wimpy.txt"


def test_a_kind_gives_the_name_its_ending_and_an_ending_tells_the_kind() -> None:
    prompt = PathPrompt()
    prompt.ask(Purpose.SAVE, "/mine/v1.5 mess.jml")
    kinds = {kind.name: kind for kind in SAVE_KINDS}
    assert prompt.take_kind(kinds["Sheet"], prompt.text) == "/mine/v1.5 mess.pdf"
    assert prompt.kind_of("/mine/mess.png") is kinds["Sheet"]
    assert prompt.kind_of("/mine/mess.mp4") is kinds["Video"]
    assert prompt.take_kind(kinds["Picture"], "/mine/v1.5 mess") == "/mine/v1.5 mess.png"
    assert prompt.kind_of("/mine/mess.abc") is None
    named = "/mine/mess.png"
    for kind in (*SAVE_KINDS[4:], *SAVE_KINDS[:4]):  # round, from the picture that was chosen
        named = prompt.next_kind(1, named)
        assert prompt.kind_of(named) is kind
    prompt.ask(Purpose.OPEN, "")
    assert prompt.kinds == ()
