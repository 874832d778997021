from pathlib import Path

import pytest

from juggle_anim.errors import FileError, NotationError
from juggle_anim.notation import open_first, open_pattern, open_patterns, read_settings
from juggle_anim.notation.files import FileReference, find_file_reference

LIST = "# words\n3  # Cascade\n\nbroken = 3\n51  # Shower, fast\n441\npattern=423;title=Mess\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tricks.txt").write_text(LIST)
    return tmp_path


def refusal(text: str) -> str:
    with pytest.raises(FileError) as caught:
        open_pattern(text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text", ["531", " 531", "Box", "pattern=3;dwell=1", "pattern=3;title=a.jml", "[34/]23", "3/"]
)
def test_what_is_no_file_is_a_pattern(folder: Path, text: str) -> None:
    assert find_file_reference(text) is None
    assert open_pattern(text) == read_settings(text)


@pytest.mark.parametrize(
    ("choice", "siteswap"),
    [
        ("", "3"),
        ("#1", "3"),
        ("#3", "51"),
        ("# 5 ", "423"),
        ("#shower, FAST", "51"),
        ("#441", "441"),
        ("#mess", "423"),
    ],
)
def test_a_pattern_of_a_file_is_chosen_by_number_or_name(
    folder: Path, choice: str, siteswap: str
) -> None:
    for file in ("tricks.txt", "./tricks.txt", str(folder / "tricks.txt")):
        pattern = open_pattern(file + choice).score.pattern
        assert pattern is not None
        assert pattern.text == siteswap


def test_without_a_choice_it_is_known_of_how_many_it_is_the_first(folder: Path) -> None:
    assert open_first("tricks.txt").total == 5
    assert open_first("tricks.txt#3").total == 1
    assert open_first("531").total == 1


def test_all_patterns_of_a_file_are_opened_with_their_words(folder: Path) -> None:
    assert len(open_patterns("tricks.txt").entries) == 7
    chosen = open_patterns("tricks.txt#3")
    assert (chosen.single, [entry.text for entry in chosen.entries]) == (True, ["51"])
    typed = open_patterns(" 531 ")
    assert (typed.single, [entry.text for entry in typed.entries]) == (True, ["531"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tricks.txt#9", "tricks.txt has no pattern #9; there are #1 to #5"),
        ("tricks.txt#0", "tricks.txt has no pattern #0; there are #1 to #5"),
        ("tricks.txt#", "tricks.txt has no pattern #; there are #1 to #5"),
        ("tricks.txt#cascad", "tricks.txt has no pattern #cascad; did you mean #Cascade?"),
        ("tricks.txt#" + "9" * 5, "tricks.txt has no pattern #99999; there are #1 to #5"),
        ("trick.txt#3", "trick.txt: there is no such file; did you mean tricks.txt?"),
        ("trick.txt", "trick.txt: there is no such file; did you mean tricks.txt?"),
        ("none/tricks.txt", "none/tricks.txt: there is no folder none"),
        ("./nothing", "nothing: there is no such file"),
        (".", ". is a folder; name a file in it"),
    ],
)
def test_what_is_not_there_is_named_with_the_nearest(folder: Path, text: str, said: str) -> None:
    assert refusal(text) == said


def test_a_broken_pattern_is_told_with_file_and_line(folder: Path) -> None:
    said = refusal("tricks.txt#2")
    assert said.startswith("tricks.txt, line 4: there is no setting 'broken'")
    assert said.splitlines()[1:3] == ["  broken = 3", "  ^"]


def test_a_file_of_mere_words_holds_no_patterns(folder: Path) -> None:
    (folder / "words.txt").write_text("# words")
    assert (
        refusal("words.txt")
        == "words.txt has no patterns: no line is, starts with or ends with one"
    )
    assert refusal("words.txt#1") == "words.txt has no pattern #1; it has none"


def test_a_siteswap_wins_over_a_file_of_its_name_and_an_ending_over_a_siteswap(
    folder: Path,
) -> None:
    (folder / "531").write_text("441")
    (folder / "notes").write_text("441")
    (folder / "a#1.txt").write_text("441")
    assert find_file_reference("531") is None
    assert find_file_reference("./531") == FileReference(Path("531"))
    assert find_file_reference("notes") == FileReference(Path("notes"))
    assert find_file_reference("notes#1") == FileReference(Path("notes"), "1")
    assert find_file_reference("a#1.txt") == FileReference(Path("a#1.txt"))


def test_a_tilde_is_the_home_of_the_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert open_pattern("~/tricks.txt#cascade").score.name == "Cascade"
    assert (
        refusal("~/trick.txt")
        == f"{folder}/trick.txt: there is no such file; did you mean {folder}/tricks.txt?"
    )
    assert (
        refusal("~nobody-at-all/a.jml") == "~nobody-at-all/a.jml: there is no folder ~nobody-at-all"
    )


WRONG = ["", "5 3 2", "cascad", "notes", "532#1", "#", "[34]4/", "\0", "3" * 5001, "pattern=a.jml"]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_neither_pattern_nor_file_has_a_caret(folder: Path, text: str) -> None:
    with pytest.raises(NotationError):
        open_pattern(text)


@pytest.mark.parametrize("text", ["~\0", "~\ud800"])
def test_a_home_that_no_system_can_name_is_a_clear_error(text: str) -> None:
    with pytest.raises(NotationError, match="~ is not part of a siteswap"):
        open_pattern(text)
