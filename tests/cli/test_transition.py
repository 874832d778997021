import json

import pytest
from program import Program


def test_lines_are_those_of_juggling_lab(program: Program) -> None:
    ran = program("transition", "3", "51")
    shortest, *lines = ran.out.splitlines()
    assert shortest == "(3^2)4(51^2)2"
    assert lines[:2] == ["(3^2)34(51^2)23", "(3^2)52(51^2)23"]
    assert len(lines) == 6
    assert program("transition", "3 51") == ran
    assert program("transition", "5", "771", "-m", "2", "--most", "3").out.count("\n") == 3


def test_a_long_list_stops_after_a_thousand_and_says_so(program: Program) -> None:
    ran = program("transition", "(6x,4)*", "5", "-m", "2")
    assert (ran.out.count("\n"), ran.err) == (1000, "stopped after 1000; -limits lists all\n")


def test_the_shortest_go_from_any_beat_to_any(program: Program) -> None:
    assert program("transition", "3", "51", "--shortest") == (0, "(3^2)4(51^2)2\n", "")
    assert program("transition", "5", "91", "--shortest", "--max-throw", "9").out.count("\n") == 4
    found = json.loads(program("transition", "531", "51", "--shortest", "--json").out)
    assert found[0] == {
        "pattern": "(315^2)2(51^2)25",
        "start": "315",
        "throws": "2",
        "end": "51",
        "back": "25",
        "exit": 1,
        "entry": 0,
        "length": 1,
    }


def test_a_mistake_is_shown(program: Program) -> None:
    ran = program("transition", "5", "6")
    assert (ran.code, ran.out, ran.err.startswith("the first pattern has 5 props")) == (1, "", True)


def test_the_first_one_opens_in_the_viewer(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("juggle_anim.api.show", shown.append)
    assert program("transition", "3", "51", "--shortest", "--open").code == 0
    assert shown == ["(3^2)4(51^2)2"]
