import io
import sys

import pytest
from program import Program

from juggle_anim.notation import read_file

LIST = "# Three\n3  # Cascade\n532  # Broken\n<3p 3|3p 3>\n"


def test_a_list_goes_from_one_format_into_another_and_back(program: Program) -> None:
    (program.folder / "a.txt").write_text(
        "# title: Ours\n# Three\n\n3  # Cascade\npattern=531;dwell=1\n"
    )
    assert program("convert", "a.txt", "b.jml") == (0, "b.jml\n", "")
    assert program("convert", "b.jml", "c.txt") == (0, "c.txt\n", "")
    assert (program.folder / "c.txt").read_text() == (program.folder / "a.txt").read_text()


def test_a_pattern_may_be_typed_or_named_or_one_of_a_file(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    for source, siteswap in (
        ("531", "531"),
        ("Half shower", "53"),
        ("a.txt#3", "<3p 3|3p 3>"),
        ("a.txt#cascade", "3"),
    ):
        assert program("convert", source, "out.jml", "--force").code == 0
        (entry,) = read_file("out.jml").patterns
        assert entry.settings is not None
        assert entry.settings.score.pattern is not None
        assert entry.settings.score.pattern.text == siteswap


def test_events_are_written_on_demand(program: Program) -> None:
    assert program("convert", "531", "out.jml", "--events").code == 0
    read = read_file("out.jml")
    assert read.single
    score = read.patterns[0].settings.score  # type: ignore[union-attr]
    assert score.placed is not None
    assert (score.props, score.base) == (3, ("siteswap", "pattern=531"))


def test_what_cannot_be_held_is_said_and_its_pattern_written_instead(program: Program) -> None:
    program("convert", "531", "out.jml", "--events")
    ran = program("convert", "out.jml", "-", "--format", "txt")
    assert (ran.code, ran.out) == (0, "pattern=531  # 531\n")
    assert ran.err == "531: its events do not fit on one line, so the original pattern is saved\n"


@pytest.mark.parametrize("text", ["531;bps=3", "531; gravity=162", "cascade;bps=3"])
def test_in_jml_a_pattern_with_settings_has_its_key(program: Program, text: str) -> None:
    (program.folder / "a.txt").write_text(f"{text}\n")
    (program.folder / "a.csv").write_text("name,siteswap,bps\nOurs,531,3\n")
    for source in (text, "a.txt", "a.csv"):
        ran = program("convert", source, "-", "--format", "jml")
        assert "\npattern=" in ran.out
    assert read_file(program.folder / "a.csv").entries[0].settings is not None


def test_a_row_whose_comma_splits_a_pattern_is_named(program: Program) -> None:
    (program.folder / "a.csv").write_text("name,siteswap,bps\nTower,(4x,4x),3\nCascade,3,3\n")
    ran = program("convert", "a.csv", "a.jml")
    assert ran.err.startswith("line 2, Tower: ")
    assert ran.err.endswith('put it in quotes: "(4x,4x)"\n')
    assert "(4x,4x)\n" in (program.folder / "a.jml").read_text()


def test_a_broken_pattern_is_kept_and_said(program: Program) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program("convert", "a.txt", "a.jml")
    assert (ran.code, ran.out) == (0, "a.jml\n")
    sentence = "line 3, Broken: it is not valid, and is saved unchanged: average 3⅓"
    assert ran.err.startswith(sentence)
    assert ran.err.count("\n") == 1


def test_one_pattern_becomes_a_file_of_joepass_and_opens_as_one(program: Program) -> None:
    ran = program("convert", "pattern=<4.5p 3 3|3 4 3.5p>;gravity=900", "out.pass")
    assert ran.code == 0
    assert ran.err.endswith(": not saved: gravity\n")
    assert "valid" in program("check", "out.pass").out
    (program.folder / "a.txt").write_text("#sx\n#cameraMode 1\n< 3p 3 | 3p 3 >")
    ran = program("convert", "a.txt", "-", "--format", "txt")
    assert ran.out == "pattern=<3p 3|3p 3>  # <3p 3|3p 3>\n"
    assert "line 2: not shown: #cameraMode" in ran.err


def test_a_file_can_be_rewritten_in_its_place(program: Program) -> None:
    (program.folder / "a.txt").write_text("531")
    ran = program("convert", "a.txt", "a.txt")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "--force" in ran.err
    assert program("convert", "a.txt", "a.txt", "--force") == (0, "a.txt\n", "")
    assert (program.folder / "a.txt").read_text() == "531\n"


@pytest.mark.parametrize("kind", ["txt", ".TXT", "jml", "JIF"])
def test_any_format_can_be_printed(program: Program, kind: str) -> None:
    ran = program("convert", "531", "-", "--format", kind)
    assert ran.code == 0
    assert ran.out.startswith(
        {"t": "531\n", "m": "<?xml", "i": "{"}[kind.strip(".").lower()[1:2].replace("x", "t")]
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("convert", 2, "IN"),
        ("convert 531", 2, "standard output needs --format"),
        ("convert 532 b.txt", 1, "It must be a whole number"),
        ("convert b.txt c.txt", 1, "b.txt: there is no such file; did you mean a.txt?"),
        ("convert a.txt#9 c.txt", 1, "there are #1 to #3"),
        ("convert a.txt b.jif", 1, "JIF can have only one pattern, not 3"),
        ("convert a.txt#2 b.jif", 1, "it could not be read: average 3⅓"),
        ("convert a.txt b.mpeg", 1, "unknown file ending; use .jml"),
        ("convert a.txt b", 1, "unknown file ending"),
        ("convert a.txt -", 2, "standard output needs --format jml|jif|pass|csv|txt"),
        (
            "convert a.txt - --format xls",
            2,
            "--format is 'xls', but must be jml, jif, pass, csv or txt",
        ),
        ("convert a.txt b.txt --format jml", 2, "--format is for standard output (-) only"),
        ("convert . b.txt", 1, ". is a folder"),
        ("convrt 531 b.txt", 2, "Did you mean convert?"),
    ],
)
def test_bad_input_is_told_and_writes_nothing(
    program: Program, words: str, code: int, said: str
) -> None:
    (program.folder / "a.txt").write_text(LIST)
    ran = program(*words.split(" "))
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert [path.name for path in program.folder.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    "text", [LIST, '<?xml version="1.0"?><jml version="3"><patternlist></patternlist></jml>']
)
def test_patterns_come_through_a_pipe(
    program: Program, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (program.folder / "a.txt").write_text(text)
    expected = program("convert", "a.txt", "-", "--format", "jml")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert program("convert", "-", "-", "--format", "jml") == expected


def test_a_pipe_that_brings_nothing_or_no_text_is_refused(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data, reason in ((b"", "is empty"), (b"\x00\xff", "has no text")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        ran = program("convert", "-", "out.jml")
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith(f"standard input {reason}")
        assert not (program.folder / "out.jml").exists()
