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
    assert "more; --json has them all" in out


@pytest.mark.parametrize(
    ("command", "ending"), [("analyse", "png"), ("analyse", "svg"), ("arms compare", "pdf")]
)
def test_plots_are_written_in_the_format_of_their_ending_and_open_as_what_was_measured(
    program: Program, command: str, ending: str
) -> None:
    words = ("531;dwell=1.1;title=(A) half", "--plot", f"out/plots.{ending}", "--size", "320x320")
    assert program(*command.split(), *words).code == 0
    assert program.written() == [f"plots.{ending}"]
    path = program.folder / "out" / f"plots.{ending}"
    assert path.read_bytes().startswith(
        {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    )
    opened = ja.animate(str(path))
    assert (opened.score.title, opened.parameters.dwell) == ("(A) half", 1.1)


def test_plots_have_the_size_that_was_asked_for_and_show_something(program: Program) -> None:
    program("analyse", "<3p 3|3p 3>", "--plot", "plots.png", "--size", "400x320")
    with Image.open(program.folder / "plots.png") as picture:
        assert picture.size == (400, 320)
        colours = picture.convert("RGB").getcolors(1_000_000)
    assert colours is not None
    assert len(colours) > 100


def test_plots_of_the_same_pattern_are_the_same_bytes(program: Program) -> None:
    for name in ("one.svg", "two.svg"):
        program("analyse", "3", "--plot", name, "--size", "320x320")
    assert (program.folder / "one.svg").read_bytes() == (program.folder / "two.svg").read_bytes()


def test_plots_are_not_overwritten_unless_told_to(program: Program) -> None:
    path = program.folder / "plots.png"
    path.write_text("mine")
    refused = program("analyse", "3", "--plot", "plots.png")
    assert refused.code == 1
    assert "--force" in refused.err
    assert path.read_text() == "mine"
    assert program("analyse", "3", "--plot", "plots.png", "--force", "--size", "320x320").code == 0
    assert path.read_bytes().startswith(b"\x89PNG")


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
