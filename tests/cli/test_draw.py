import io
from pathlib import Path

import pytest
from foreign_programs import page, page_words
from long_cases import sampled
from program import Program

import juggle_anim as ja
from juggle_anim.errors import ParameterError

SMALL = ("--size", "320x240")


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(monkeypatch, capsys, tmp_path)


@pytest.mark.parametrize(
    ("kind", "ending"),
    sampled(
        [
            *(("ladder", "png"), ("ladder", "pdf"), ("causal", "svg")),
            *(("lines", "pdf"), ("sheet", "svg"), ("strobe", "png"), ("poster", "pdf")),
        ],
        *(("ladder", "png"), ("causal", "svg"), ("lines", "pdf")),
        arguments=2,
    ),
)
def test_a_picture_is_written_in_each_format_and_opens_as_the_animation_that_it_is_of(
    program: Program, kind: str, ending: str
) -> None:
    title = "a (b) & <c> \\ é"
    typed = title.replace("\\", "\\\\")  # as settings have it
    settings = f"pattern=(6x,4)*;title={typed}"
    ran = program("draw", kind, settings, f"out/a.{ending}", *SMALL, "--dwell", "1.1")
    assert (ran.code, ran.out, ran.err) == (0, f"out/a.{ending}\n", "new folder: out\n")
    assert program.written() == [f"a.{ending}"]
    if ending != "png":
        assert page(program.folder / f"out/a.{ending}").min() < 100
    animation = ja.animate(f"out/a.{ending}")
    assert (animation.text, animation.title, animation.parameters.dwell) == ("(6x,4)*", title, 1.1)


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        (("3", "5", "a.svg", "--pattern", "531"), "531"),
        (("2", "4x", "a.png", "--simplified", *SMALL), "(2,2)"),
        (("[34]23", "a.pdf"), "[34]23"),
    ],
)
def test_a_state_graph_is_written_and_opens_as_a_pattern_in_it(
    program: Program, words: tuple[str, ...], opens: str
) -> None:
    ran = program("draw", "states", *words)
    path = next(word for word in words if word.startswith("a."))
    assert (ran.code, ran.out, ran.err) == (0, f"{path}\n", "")
    assert ja.animate(path).text == opens


def test_a_poster_has_all_patterns_that_are_named_or_listed_in_a_file(program: Program) -> None:
    (program.folder / "tricks.txt").write_text("441\n(4,2x)*\n")
    ran = program("poster", "3", "mills mess", "tricks.txt", "-o", "a.pdf", *SMALL)
    assert (ran.code, ran.out, ran.err) == (0, "a.pdf\n", "")
    words = _letters(program.folder / "a.pdf")
    assert all(name in words for name in ("Millsmess", "441", "(4,2x)*"))
    assert ja.animate("a.pdf").text == "3"


def _letters(path: Path) -> str:
    """The words of a PDF without the spaces between their letters."""
    return "".join("".join(page_words(path)).split())


@pytest.mark.long
def test_a_poster_takes_what_generate_prints(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(program("generate", "3", "5", "3").out))
    assert program("poster", "-", "a.pdf", *SMALL).code == 0
    words = _letters(program.folder / "a.pdf")
    assert "441" in words
    assert "531" in words


def test_a_picture_of_one_pattern_takes_no_others(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="a strobe has no option others"):
        ja.draw(["3", "441"], tmp_path / "a.svg", "strobe")


def test_python_draws_state_graphs(tmp_path: Path) -> None:
    path = ja.draw_states(3, 4, tmp_path / "a.svg")
    assert ja.draw_states(3, 4, tmp_path / "b.svg").read_text() == path.read_text()
    assert all(f">{words}<" in path.read_text() for words in ("1110", "0111", "4 states, 7 edges"))


@pytest.mark.parametrize("kind", ["ladder", "strobe"])
def test_what_is_there_is_replaced_only_by_force(program: Program, kind: str) -> None:
    (program.folder / "a.png").write_text("mine")
    ran = program("draw", kind, "3", "a.png", *SMALL)
    assert (ran.code, ran.err) == (
        1,
        "a.png already exists; choose another name, or add --force to replace it\n",
    )
    assert (program.folder / "a.png").read_text() == "mine"
    assert program("draw", kind, "3", "a.png", *SMALL, "--force").code == 0
    assert (program.folder / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ladder", "3", "a.gif"), "a.gif: this picture can be saved as .svg, .pdf or .png"),
        (("ladder", "3", "a.svg", "--size", "5x5"), "must be 16 to 12,000 pixels wide and high"),
        (
            ("ladder", "3", "a.svg", "--loops", "0"),
            "loops is 0, but must be a whole number, 1 or more",
        ),
        (("causal", "3", "a.svg", "--loops", "2000"), "a diagram can have at most"),
        (("states", "3", "a.gif"), "a.gif: this picture can be saved as .svg, .pdf or .png"),
        (
            ("states", "3", "x", "a.svg"),
            "3 x is neither a number of props and a highest throw",
        ),
        (
            ("states", "3", "2", "a.svg"),
            "a state graph of 3 props needs throws up to at least 3",
        ),
        (
            ("states", "3", "5", "a.svg", "--pattern", "7"),
            "7 does not go through this graph: it needs a pattern of 3",
        ),
        (("states", "5", "13", "a.svg"), "a drawing can show at most 1,000"),
        (("lines", "3", "a.svg", "--time", "-1"), "must be from 0"),
        (("sheet", "3", "a.png", "--frames", "0"), "from 1 to 100"),
        (("strobe", "3", "a.png", "--seconds", "0"), "must be above 0"),
        (("poster", "3", "a.pdf", "--layout", "round"), "portrait, landscape, square"),
        (("lines", "3", "a.svg", "--camera", "nowhere"), "--camera is 'nowhere'"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    ran = program("draw", *words)
    assert ran.code == 2
    assert said in ran.err
    assert list(program.folder.iterdir()) == []


def test_a_folder_is_no_place_for_a_picture(program: Program) -> None:
    (program.folder / "a.svg").mkdir()
    ran = program("draw", "ladder", "3", "a.svg")
    assert (ran.code, ran.err) == (
        1,
        "a.svg is a folder; choose a file name\n",
    )


def test_flags_of_the_pattern_change_the_picture(program: Program) -> None:
    program("draw", "ladder", "3", "a.svg")
    program("draw", "ladder", "3", "b.svg", "--dwell", "0.8")
    program("draw", "ladder", "3", "c.svg", "--down")
    program("draw", "ladder", "3", "d.svg", "--loops", "2")
    assert len({(program.folder / f"{name}.svg").read_bytes() for name in "abcd"}) == 4


def test_a_file_of_events_has_a_ladder_by_the_clock(program: Program) -> None:
    assert program("convert", "mills mess", "mess.jml", "--events").code == 0
    for kind in ("ladder", "causal"):
        assert program("draw", kind, "mess.jml", f"{kind}.pdf", *SMALL).code == 0
        assert "0.5 s" in page_words(program.folder / f"{kind}.pdf")


def test_states_are_drawn_of_props_and_a_highest_throw_given_by_name(program: Program) -> None:
    assert program("draw", "states", "3", "5", "-o", "a.svg").code == 0
    assert program("graph", "--balls", "3", "--max", "5", "-o", "b.svg").code == 0
    first, second = ((program.folder / name).read_text() for name in ("a.svg", "b.svg"))
    assert first == second
    assert program("draw", "states", "-o", "c.svg").code == 2
