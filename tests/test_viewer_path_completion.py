from pathlib import Path

import pytest

from juggle_anim.viewer.state.prompt import complete_path

ENDINGS = (".jml", ".txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tricks").mkdir()
    for name in ("tricks/one.jml", "mills-mess.jml", "mills-mess-2.TXT", "mills.zip", "wimpy.txt", ".hidden.txt"):
        (tmp_path / name).touch()
    return tmp_path


def test_a_path_is_completed_as_far_as_there_is_no_choice(folder: Path) -> None:
    assert complete_path(f"{folder}/mi", ENDINGS) == (f"{folder}/mills-mess", ("mills-mess-2.TXT", "mills-mess.jml"))
    assert complete_path(f"{folder}/w", ENDINGS) == (f"{folder}/wimpy.txt", ("wimpy.txt",))
    assert complete_path(f"{folder}/tr", ENDINGS)[0] == f"{folder}/tricks/"
    assert complete_path(f"{folder}/tricks/", ENDINGS)[0] == f"{folder}/tricks/one.jml"


def test_what_fits_nothing_stays_as_it_was_typed(folder: Path) -> None:
    for text in (f"{folder}/x", f"{folder}/nowhere/x", "~nobody-of-this-name/x", f"{folder}/mills.z"):
        assert complete_path(text, ENDINGS) == (text, ())


def test_hidden_names_come_only_after_a_dot(folder: Path) -> None:
    assert complete_path(f"{folder}/", ENDINGS)[1] == ("mills-mess-2.TXT", "mills-mess.jml", "tricks/", "wimpy.txt")
    assert complete_path(f"{folder}/.", ENDINGS)[0] == f"{folder}/.hidden.txt"


def test_paths_begin_in_the_current_folder_or_at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    assert complete_path("w", ENDINGS)[0] == "wimpy.txt"
    assert complete_path("~/w", ENDINGS)[0] == "~/wimpy.txt"
