import json
from pathlib import Path

import pytest
from program import Program

import juggle_anim as ja


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(monkeypatch, capsys, tmp_path)


def test_it_says_what_room_there_was_and_is_and_writes_the_result(program: Program) -> None:
    ran = program("optimise", "3B", "--out", "better.jml")
    assert ran.code == 0
    assert "clearance   -4.2 cm → " in ran.out
    assert ran.out.endswith("better.jml\n")
    settings = next(line.split()[-1] for line in ran.out.splitlines() if "settings" in line)
    assert ja.animate("better.jml").settings == ja.animate(settings).settings
    assert program("optimise", "3B", "--out", "better.jml").code == 1


def test_json_has_both_rooms_and_juggling_labs_places(program: Program) -> None:
    ran = program(
        "optimise", "3", "--bps", "2.9", "--prop-diameter", "10", "--like-juggling-lab", "--json"
    )
    data = json.loads(ran.out)
    assert (round(data["before"]["margin"], 2), round(data["after"]["margin"], 2)) == (4.42, 5.78)
    assert data["settings"].endswith("hands=(3)(30).")


def test_a_goal_that_cannot_be_is_refused(program: Program) -> None:
    ran = program("optimise", "3", "--goal", "0")
    assert ran.code == 2
    assert "goal is 0 cm" in ran.err
