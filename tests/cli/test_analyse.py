import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from program import Program

import juggle_anim as ja
from juggle_anim.analysis import as_data, as_text


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(monkeypatch, capsys, tmp_path)


def test_it_tells_the_main_figures_with_their_units(program: Program) -> None:
    ran = program("analyse", "531")
    assert ran.code == 0
    assert ran.out.startswith("531: 3 props, 1 juggler, a loop of ")
    for word in ("m high", "flight", "dwell", "m/s", "m/s³", "collisions  none", "cm apart"):
        assert word in ran.out
    assert ran.out.strip() == as_text(ja.analyse("531"))


def test_flags_change_what_is_measured(program: Program) -> None:
    assert "prop 1 and" in program("analyse", "5", "--prop-diameter", "40").out
    assert program("analyse", "5", "--dwell", "1.0").out != program("analyse", "5").out


def test_json_holds_every_figure(program: Program) -> None:
    data = json.loads(program("analyse", "[34]23", "--json").out)
    assert data == json.loads(json.dumps(as_data(ja.analyse("[34]23"))))
    assert len(data["throws"]) == 6
    assert [hand["name"] for hand in data["hands"]] == ["left", "right"]
    assert data["collisions"][0]["overlap"] > 0
    assert set(data["miss"]) == {"prop", "other", "juggler", "part", "time", "gap"}


def test_hands_of_several_jugglers_are_told_apart(program: Program) -> None:
    out = program("analyse", "<3p 3|3p 3>").out
    assert all(name in out for name in ("1 left", "1 right", "2 left", "2 right"))


def test_a_long_list_is_cut_and_says_so(program: Program) -> None:
    out = program("analyse", "<" + "|".join(["3p 3"] * 9) + ">").out
    assert "more; --json lists them all" in out


@pytest.mark.parametrize(
    ("command", "ending"),
    [
        ("analyse", "png"),
        *(
            pytest.param(command, "svg", marks=pytest.mark.long)
            for command in ("analyse", "arms compare")
        ),
        ("arms compare", "pdf"),
    ],
)
def test_plots_are_written_in_the_format_of_their_ending_and_open_as_what_was_measured(
    program: Program, command: str, ending: str
) -> None:
    path = f"out/plots.{ending}"
    words = ("531;dwell=1.1;title=(A) half", "--plot", path, "--size", "400x320")
    assert program(*command.split(), *words).code == 0
    assert program.written() == [f"plots.{ending}"]
    written = Path(path).read_bytes()
    assert written.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])
    opened = ja.animate(path)
    assert (opened.score.title, opened.parameters.dwell) == ("(A) half", 1.1)
    if ending == "png":
        with Image.open(path) as picture:
            assert picture.size == (400, 320), "it has the size that was asked for"
            colours = picture.convert("RGB").getcolors(1_000_000)
        assert colours is not None
        assert len(colours) > 100, "it shows something"
    if ending == "svg":
        Path(path).write_text("mine")
        refused = program(*command.split(), *words)
        assert refused.code == 1
        assert "--force" in refused.err
        assert Path(path).read_text() == "mine"
        assert program(*command.split(), *words, "--force").code == 0
        assert Path(path).read_bytes() == written, "the same pattern gives the same bytes"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--plot", "plots.gif"), ".svg, .pdf or .png"),
        (("--plot", "plots"), ".svg, .pdf or .png"),
        (("--plot", "plots.png", "--size", "10x10"), "320"),
        (("--plot", "plots.png", "--size", "wide"), "1280x720"),
    ],
)
def test_plots_that_cannot_be_are_refused_with_what_could(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    ran = program("analyse", "3", *words)
    assert ran.code == 2
    assert said in ran.err
    assert list(program.folder.iterdir()) == []


def test_a_pattern_that_is_not_valid_is_refused_as_elsewhere(program: Program) -> None:
    ran = program("analyse", "543")
    assert ran.code == 1
    assert "543" in ran.err


def test_nothing_loads_the_plotting_library_but_plots() -> None:
    code = "import sys, juggle_anim as ja; ja.analyse('3'); print('matplotlib' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
