import json
from collections.abc import Iterator

import pytest
from program import Program

from juggle_anim.cli.generate import _print_patterns
from juggle_anim.generator import Generated
from juggle_anim.notation import read_file


def test_patterns_stand_between_the_throws_into_them_and_out_of_them(program: Program) -> None:
    assert program("generate", "3", "5", "1-3").out.split("\n")[:3] == ["3", "42", "4  51  2"]
    assert program("generate", "3 5 2 -se").out == "42\n* 51 *\n"


def test_the_line_of_juggling_lab_is_taken_in_one_word_or_several(program: Program) -> None:
    ran = program("generate", "5", "7", "4", "-m", "2", "-no")
    assert ran == program("generate", "5 7 4 -m 2 -no") == (0, "277 patterns\n", "")
    assert program("generate", "3 5 2 -n").out.endswith("42\n4  51  2\n2 patterns\n")


def test_a_search_stops_after_as_many_patterns_as_are_asked_for(program: Program) -> None:
    assert len(program("generate", "3", "8", "-", "-prime", "--most", "20").out.splitlines()) == 20


def _interrupted() -> Iterator[list[Generated]]:
    yield []
    raise KeyboardInterrupt


@pytest.mark.parametrize(("options", "out"), [((), ""), (("-n",), "0 patterns\n")])
def test_a_search_that_is_interrupted_gives_no_hint(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], out: str
) -> None:
    with pytest.raises(KeyboardInterrupt):
        _print_patterns(_interrupted(), frozenset(options))
    assert capsys.readouterr() == (out, "")
    _print_patterns([], frozenset(options))
    assert ("nothing found" in capsys.readouterr().err) == (not options)


def test_json_tells_the_same(program: Program) -> None:
    found = json.loads(program("generate", "3", "5", "2", "--json").out)
    assert found == [
        {"pattern": "42", "entry": "", "exit": ""},
        {"pattern": "51", "entry": "4", "exit": "2"},
    ]


@pytest.mark.parametrize("name", ["a.txt", "a.jml", "a.json"])
def test_a_list_is_written_that_opens_again(program: Program, name: str) -> None:
    assert program("generate", "4", "6", "3", "--out", name) == (0, f"{name}\n", "")
    entries = read_file(name).patterns
    assert len(entries) == len(program("generate", "4", "6", "3").out.splitlines())
    assert all(entry.settings is not None for entry in entries)
    again = program("generate", "4", "6", "3", "--out", name)
    assert (again.code, "--force" in again.err) == (1, True)
    assert program("generate", "3", "5", "3", "--out", name, "--force").code == 0
    assert len(read_file(name).patterns) == 4


def test_bad_lines_and_files_are_refused(program: Program) -> None:
    for words, code, said in (
        (["5", "7"], 2, "period are needed"),
        (["5", "7", "5", "-q"], 2, "-q"),
        (["5", "7", "5", "--out", "a.png"], 1, ".jml"),
    ):
        ran = program("generate", *words)
        assert (ran.code, said in ran.err) == (code, True), words
