from __future__ import annotations

import csv
import io
import json
import sys

import click
import pytest
from long_cases import sampled
from PIL import Image
from program import Program

import juggle_anim
from juggle_anim.cli.app import OTHER_WORDS, app


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[juggle_anim.Animation]:
    """What would have been shown in a window."""
    animations: list[juggle_anim.Animation] = []
    monkeypatch.setattr("juggle_anim.api.show", lambda animation, **_: animations.append(animation))
    return animations


SMALL = ("--size", "32x24", "--seconds", "0.1", "--fps", "10", "-q")


@pytest.mark.parametrize(
    "words", [("help",), ("help", "export"), ("export", "-h"), ("531", "help")]
)
def test_help_is_a_command_too(program: Program, words: tuple[str, ...]) -> None:
    ran = program(*words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Usage: ")
    assert ("--supersampling" in ran.out) == ("export" in words)


def test_a_server_is_told_its_port(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    ports: list[int] = []
    monkeypatch.setattr(
        "juggle_anim.server.serve.serve", lambda _host, port, **_others: ports.append(port)
    )
    assert program("serve", "8080").code == program("server", "8081").code == 0
    assert ports == [8080, 8081]


def test_the_version_is_shown_by_each_of_its_names(program: Program) -> None:
    shown = {program(word) for word in ("version", "-V", "-v", "--version")}
    assert shown == {(0, f"juggle-anim {juggle_anim.__version__}\n", "")}


@pytest.mark.parametrize(
    "words",
    [
        ("export", "531", "x.gif", *SMALL),
        ("export", "531", "-o", "x.gif", *SMALL),
        ("export", "--output=x.gif", "531", *SMALL),
        ("531", "x.gif", *SMALL),
        ("531", "-o", "x.gif", *SMALL),
        ("-o", "x.gif", *SMALL, "mills", "mess"),
        ("show", "531", "--out", "x.gif", *SMALL),
    ],
)
def test_a_pattern_and_a_file_are_an_export(program: Program, words: tuple[str, ...]) -> None:
    assert program(*words) == (0, "", "")
    with Image.open(program.folder / "x.gif") as picture:
        assert picture.size == (32, 24)


def test_a_pattern_file_is_converted_to(program: Program) -> None:
    assert program("531", "a.jml").code == 0
    assert (program.folder / "a.jml").read_text().startswith("<?xml")


def test_a_file_that_is_there_is_replaced_only_with_force(program: Program) -> None:
    assert program("531", "a.csv").code == 0
    before = (program.folder / "a.csv").read_bytes()
    refused = program("441", "a.csv")
    assert refused.code == 1
    assert "--force" in refused.err
    assert (program.folder / "a.csv").read_bytes() == before
    assert program("441", "a.csv", "--force").code == 0
    assert (program.folder / "a.csv").read_bytes() != before


def test_a_film_that_is_not_there_yet_is_told_how_to_make(program: Program) -> None:
    ran = program("531.gif")
    assert ran.code == 1
    assert "juggle-anim export 531 531.gif" in ran.err


@pytest.mark.parametrize(
    ("words", "size"),
    [
        (("--width", "320"), (320, 180)),
        (("--height", "90"), (160, 90)),
        (("--width", "50", "--height", "60"), (50, 60)),
        (("--size", "40x40", "--width", "20"), (20, 20)),
    ],
)
def test_width_and_height_of_a_picture_are_pixels(
    program: Program, words: tuple[str, ...], size: tuple[int, int]
) -> None:
    assert program("export", "531", "a.png", "-q", *words).code == 0
    with Image.open(program.folder / "a.png") as picture:
        assert picture.size == size


@pytest.mark.parametrize(
    ("words", "pattern", "prop"),
    [
        (("--clubs", "5"), "5", "club"),
        (("--balls=4",), "4", "ball"),
        (("531", "--rings"), "531", "ring"),
        (("531", "--prop", "clubs"), "531", "club"),
        (("5", "--balls", "5"), "5", "ball"),
    ],
)
def test_props_have_flags_of_their_own(
    program: Program, shown: list[juggle_anim.Animation], words: tuple[str, ...], pattern: str,
    prop: str,
) -> None:  # fmt: skip
    assert program(*words) == (0, "", "")
    (animation,) = shown
    assert animation.text.partition(";")[0].removeprefix("pattern=") == pattern
    assert animation.score.staging.props.kinds == (prop,)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("531", "--balls", "5"), "the throws of 531 set the number of props"),
        (("random", "4"), "`juggle-anim generate 4 7 5` finds all patterns"),
        (("ladder", "531", "441", "a.svg"), "`juggle-anim batch` saves many"),
        (("optimise", "5", "--objective", "effort"), "Options: --goal, --budget, "),
        (("list", "--difficulty", "tricky"), "must be easy, medium, hard, 1–10"),
        (("draw", "531", "x.svg"), "juggle-anim draw ladder 531 x.svg`"),
        (("draw", "laddr", "531", "x.svg"), "Did you mean ladder?"),
        (("423", "--throw", "2"), "--throws: there is no throw called 2"),
        (("3", "--export", "obj"), "cannot save .obj files; use "),
        (("colisions", "97531"), "Did you mean analyse?"),
        (("completion", "cmd.exe"), "must be bash, zsh, fish"),
        (("export", "3", "a.png", "--prop", "--size", "9x9"), "--prop KINDS: ball, club, ring"),
        (("3", "--bps"), "--bps beats/s: How often hands throw"),
        (("3", "--mirror", "maybe"), "--mirror is 'maybe': there are off, on"),
        (("convert", "3", "a.txt", "b.jml"), "One file at a time, not a.txt and b.jml"),
        (("list", "mess", "--csv"), "Did you mean -o NAME.csv?"),
        (("learn", "3", "-o", "a.pdf"), "must be a file that ends in .txt, .md, .html or .json"),
    ],
)
def test_what_is_meant_is_named(program: Program, words: tuple[str, ...], said: str) -> None:
    ran = program(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Usage" not in ran.err
    assert list(program.folder.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_what_a_shell_reads(program: Program, shell: str) -> None:
    ran = program("completion", shell)
    assert ran.code == 0
    assert "juggle-anim" in ran.out
    assert program("--install-completion", shell) == ran


@pytest.mark.parametrize("words", ["shower", "Slow cascade", "under the leg --clubs"])
def test_a_name_of_the_library_is_no_misspelt_command(
    program: Program, shown: list[juggle_anim.Animation], words: str
) -> None:
    assert program(*words.split()) == (0, "", "")
    assert len(shown) == 1


def test_american_spelling_runs(program: Program) -> None:
    assert program("analyze", "3") == program("analyse", "3")


def test_standard_input_is_checked(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("531\n\n543\n"))
    ran = program("check", "-")
    assert ran.code == 1
    assert "531: valid" in ran.out
    assert "543: not valid" in ran.out
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert program("check", "-").code == 2


def test_a_transition_without_throws_says_so(program: Program) -> None:
    ran = program("transition", "3", "531")
    assert ran == (0, "(3^2)(531^2)\n", "No throws are needed between them.\n")


def test_throws_into_generated_patterns_are_labelled(program: Program) -> None:
    ran = program("generate", "3", "5", "3", "-n")
    assert "4  450  2\n4 patterns\n" in ran.out
    assert ran.err == "Throws into the pattern  Pattern  Throws out of it\n"
    assert program("generate", "3", "5", "3", "-se").err == ""


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("info", "531"), ("check", "531")),
        (("validate", "531", "543"), ("check", "531", "543")),
        (("gen", "3", "5", "3"), ("generate", "3", "5", "3")),
        (("generate", "-b", "3", "--max", "5", "-p", "3"), ("generate", "3", "5", "3")),
        (
            ("generate", "--props=3", "--max-height=5", "--period=3", "--ground", "--limit", "2"),
            ("generate", "3", "5", "3", "-g", "--most", "2"),
        ),
        (("generate", "3", "5", "3", "--no-zeros"), ("generate", "3", "5", "3", "-x", "0")),
        (("trans", "3", "51"), ("transition", "3", "51")),
        (("search", "shower"), ("list", "shower")),
        (("--list", "--balls", "7"), ("list", "--props", "7")),
        (("list-patterns", "shower"), ("list", "shower")),
        (("ls", "mess"), ("list", "mess")),
        (("period", "531"), ("check", "531")),
        (("is-valid", "543"), ("check", "543")),
        (("generate-siteswaps", "3", "5", "3"), ("generate", "3", "5", "3")),
        (("generate", "--props", "3", "--height", "5", "--length", "3"), ("gen", "3", "5", "3")),
        (("gen", "3", "5", "3", "-n", "2"), ("generate", "3", "5", "3", "--most", "2")),
        (("from", "531", "to", "51"), ("transition", "531", "51")),
        (("531", "to", "51"), ("transition", "531", "51")),
        (("export", "help"), ("export", "--help")),
    ],
)
def test_other_words_do_what_they_mean(
    program: Program, words: tuple[str, ...], meant: tuple[str, ...]
) -> None:
    assert program(*words) == program(*meant)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (("531", "--bpm", "180"), "pattern=531;bps=3"),
        (("531", "--bpm=180"), "pattern=531;bps=3"),
        (("531", "--gravity", "1.6"), "pattern=531;gravity=160"),
        (("531", "--elbow_angle", "45"), "pattern=531;chickenwing=45"),
        (("3", "--color", "red"), "pattern=3;colors=red"),
        (("3", "--no-floor", "--slow"), "pattern=3;showground=off;speed=0.5"),
        (("play", "531", "--loop"), "pattern=531"),
        (("531", "--arms", "two-link"), "pattern=531;arms=two-link"),
        (("3", "--trick", "under the leg"), "pattern=3;throws=underleg"),
        (("3", "--throw", "backcross"), "pattern=3;throws=backcross"),
        (("531", "--ball-radius", "0.05"), "pattern=531;propdiam=10"),
        (("play", "--playlist", "531"), "pattern=531"),
        (("passing", "<3p|3p>", "--distance", "2"), "pattern=<3p|3p>;body=(90,100).|(270,-100)."),
        (("531", "--chicken-wing", "right=10,left=30"), "pattern=531;leftwing=30;rightwing=10"),
        (("531", "--mirror", "--bps", "2"), "pattern=531;bps=2;mirror=on"),
        (("--mirror", "531", "--no-ground"), "pattern=531;showground=off;mirror=on"),
        (("531", "--mirror", "off"), "pattern=531"),
        (("531", "--flip"), "pattern=531;mirror=on"),
        (("531", "--bpm", "90bpm"), "pattern=531;bps=1.5"),
        (("531", "--tempo", "120"), "pattern=531;bps=2"),
        (("531", "--gravity", "moon"), "pattern=531;gravity=162"),
        (("531", "--gravity", "9.81m/s2", "--speed", "50%"), "pattern=531;gravity=981;speed=0.5"),
        (("531", "--chicken-wing", "45°", "--dark"), "pattern=531;chickenwing=45;stage=dark"),
        (("531", "--loop", "3"), "pattern=531"),
    ],
)
def test_everyday_names_of_settings_are_taken(
    program: Program, shown: list[juggle_anim.Animation], words: tuple[str, ...], settings: str
) -> None:
    assert program(*words) == (0, "", "")
    assert shown[0].settings == settings


def test_the_window_looks_from_where_it_is_told(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = []
    monkeypatch.setattr("juggle_anim.viewer.show", lambda _shown, camera: views.append(camera))
    assert program("531", "--camera", "side").code == program("3", "--camera", "top").code == 0
    assert views == ["left", "top"]
    assert "--camera is 'below': there are default, front" in program("3", "--camera", "below").err


def test_help_of_another_name_is_that_of_its_command(program: Program) -> None:
    assert program("help", "gif") == program("export", "--help")
    assert program("help", "ladder") == program("draw", "ladder", "--help")


def test_what_is_no_option_is_taken_where_it_is_meant(program: Program) -> None:
    assert program("convert", "531", "--to", "siteswap") == (0, "531\n", "")
    dot = program("graph", "3", "5", "--format", "dot")
    assert dot == program("graph", "3", "5", "--dot")
    assert dot.out.startswith("digraph states {\n")
    assert (
        program("generate", "-b", "3", "-m", "5", "-p", "3", "--exclude", "0,2").out == "441\n531\n"
    )
    clubs = program("list", "--props", "clubs", "--jugglers", "2", "--json").out
    assert clubs == program("list", "clubs", "--jugglers", "2", "--json").out
    style = program("441", "--style", "reverse-cascade").err
    assert "Reverse cascade is a pattern of the library" in style
    assert "--prop club" in program("config", "set", "prop", "club").err


def test_a_tempo_that_is_no_number_is_told(program: Program) -> None:
    assert "--bps is 'fast', but must be a number" in program("531", "--bpm", "fast").err


@pytest.mark.parametrize("words", [("3x2 441x1",), ("3x2", "441x1"), ("routine", "3x2", "441x1")])
def test_patterns_with_counts_are_a_routine(
    program: Program, shown: list[juggle_anim.Animation], words: tuple[str, ...]
) -> None:
    assert program(*words).code == 0
    assert [line.text for line in shown[0].score.routine.lines[:2]] == ["3 2 loops", "441 1 loops"]


@pytest.mark.parametrize(
    "words",
    [
        ("531", "441", "51"),
        ("531 441 51",),
        ("531,441,51",),
        ("play", "531", "then", "441", "->", "51"),
        ("531", "441x4", "51"),
    ],
)
def test_patterns_that_are_none_together_are_juggled_in_turn(
    program: Program, shown: list[juggle_anim.Animation], words: tuple[str, ...]
) -> None:
    assert program(*words).code == 0
    lines = [line.text for line in shown[0].score.routine.lines[:3]]
    assert lines == ["531 4 loops", "441 4 loops", "51 4 loops"]


@pytest.mark.parametrize("words", ["5 3 1", "531 441", "(4,2x) (2x,4)", "4p 2 3", "5 3 2"])
def test_throws_with_blanks_are_one_pattern(
    program: Program, shown: list[juggle_anim.Animation], words: str
) -> None:
    ran = program(*words.split())
    assert not any(animation.score.routine for animation in shown)
    assert (ran.code == 0) == (words != "5 3 2")


@pytest.mark.parametrize("word", ["compare", "routine"])
def test_words_like_commands_have_help_of_their_own(program: Program, word: str) -> None:
    ran = program(word, "-h")
    assert ran == program("help", word)
    assert word.title().replace("Routine", "Juggle") in ran.out


def test_a_file_of_patterns_is_a_routine_with_as_many_loops_as_are_asked_for(
    program: Program, shown: list[juggle_anim.Animation]
) -> None:
    (program.folder / "tricks.txt").write_text("3\n441\n")
    assert program("routine", "tricks.txt", "531x1", "--repeat", "2").code == 0
    assert [line.text for line in shown[0].score.routine.lines[:3]] == [
        "3 2 loops", "441 2 loops", "531 1 loops",
    ]  # fmt: skip
    assert program("routine", "3", "441", "--repeat=3").code == 0
    assert shown[1].score.routine.lines[0].text == "3 3 loops"
    assert program("routine", "3", "441", "-o", "a.jml").code == 0
    assert juggle_anim.animate("a.jml").props == 3


def test_a_body_throw_is_an_option_of_its_own(
    program: Program, shown: list[juggle_anim.Animation]
) -> None:
    assert program("3", "--backcross").code == 0
    assert program("3", "--behind-the-back").code == 0
    backcross = juggle_anim.animate("3 backcross").settings
    assert [animation.settings for animation in shown] == [backcross, backcross]


def test_a_quoted_name_is_one_pattern_of_a_routine(
    program: Program, shown: list[juggle_anim.Animation]
) -> None:
    assert program("routine", "3x2", "mills mess").code == 0
    assert [line.text for line in shown[0].score.routine.lines[:2]] == [
        "3 2 loops",
        "mills mess 4 loops",
    ]


@pytest.mark.parametrize(
    ("words", "file"),
    sampled(
        [
            (("gif", "531", *SMALL), "531.gif"),
            (("531", "--gif", *SMALL), "531.gif"),
            (("export", "531", "--format", "gif", *SMALL), "531.gif"),
            (("picture", "3", "--time", "0.5", *SMALL), "3.png"),
            (
                ("3", "--resolution", "32x24", "--duration", "0.1", "--fps", "10", "--video"),
                "3.mp4",
            ),
            (("-i", "a.jml", "-o", "a.gif", *SMALL), "a.gif"),
            (("convert", "a.jml", "a.glb", "--duration", "0.1"), "a.glb"),
            (("3", "--ladder"), "ladder.svg"),
            (("draw", "ladder", "3"), "ladder.svg"),
            (("3", "-o", "a.svg"), "a.svg"),
            (("transition", "3", "51", "-o", "b.jpg"), "b.jpg"),
        ],
        *((("gif", "531", *SMALL), "531.gif"), (("531", "--gif", *SMALL), "531.gif")),
        *((("3", "--ladder"), "ladder.svg"), (("draw", "ladder", "3"), "ladder.svg")),
        (("-i", "a.jml", "-o", "a.gif", *SMALL), "a.gif"),
        arguments=2,
    ),
)
def test_a_file_is_saved_whichever_way_it_is_asked_for(
    program: Program, words: tuple[str, ...], file: str
) -> None:
    program("convert", "531", "a.jml")
    assert program(*words).code == 0
    assert (program.folder / file).stat().st_size > 0


def test_a_pattern_comes_from_standard_input(
    program: Program, shown: list[juggle_anim.Animation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("531\n"))
    assert program("-").code == 0
    assert shown[0].text == "531"


def test_what_is_generated_can_be_checked(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(program("generate", "3", "5", "3").out))
    ran = program("check", "-")
    assert ran.code == 0
    assert "450: valid" in ran.out


def test_drawings_have_their_own_names_as_commands() -> None:
    lines = [line.split() for line in OTHER_WORDS.values()]
    commands = app.list_commands(click.Context(app))
    assert {line[0] for line in lines} <= set(commands)
    drawings = app.get_command(click.Context(app), "draw").list_commands(click.Context(app))
    assert {line[1] for line in lines if line[0] == "draw"} == set(drawings)
    assert not OTHER_WORDS.keys() & set(commands)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("to-jml", "531"), "531.jml"),
        (("531", "to", "jml"), "531.jml"),
        (("convert", "531", "to", "jif"), "531.jif"),
        (("export", "531", "--format", "jml"), "531.jml"),
        (("csv", "531", "-r", "5"), "531.csv"),
        (("export-glb", "531", "-r", "5"), "531.glb"),
        (("3", "-f", "png", "-s", "32x24"), "3.png"),
        (("3", "--solver", "two-link", "-s", "32x24", "-o", "a.png"), "a.png"),
        (("ladder-diagram", "531", "-o", "l.svg"), "l.svg"),
    ],
)
def test_files_are_named_by_their_formats(
    program: Program, words: tuple[str, ...], file: str
) -> None:
    assert program(*words).code == 0
    assert (program.folder / file).stat().st_size > 0


def test_a_folder_that_is_made_is_told(program: Program) -> None:
    for said in ("new folder: a/b\n", ""):
        ran = program("draw", "ladder", "3", "a/b/l.svg", "--force")
        assert (ran.code, ran.err) == (0, said)


def test_the_name_of_a_setting_tells_its_option(program: Program) -> None:
    ran = program("themes")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("--theme WORD: ")


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("generate", "3", "5", "--period", "3"), ("generate", "3", "5", "3")),
        (("gen", "3", "-p", "3", "--exclude", "0,1"), ("generate", "3", "-", "3", "-x", "0", "1")),
        (("generate", "3", "5", "2", "--multiplex", "3"), ("generate", "3", "5", "2", "-m", "3")),
        (("compare", "3", "51"), ("analyse", "--table", "3", "51")),
        (("analyse", "3", "--slow", "0.25"), ("analyse", "3", "--speed", "0.25")),
        (("analyse", "3", "--slow", "4"), ("analyse", "3", "--speed", "0.25")),
        (("analyse", "3", "--slow-motion=2"), ("analyse", "3", "--speed", "0.5")),
        (("analyse", "3", "--ball-size", "8cm"), ("analyse", "3", "--prop-diameter", "8")),
        (("analyse", "3", "--prop-diameter", "80 mm"), ("analyse", "3", "--ball-size", "8")),
        (("gen", "6", "8", "2", "--passing", "2"), ("generate", "6", "8", "2", "-j", "2")),
        (("check", "3;throws=under-leg,-"), ("check", "3;throws=underleg,-")),
        (("gen", "3", "7", "4", "--exclude=02"), ("generate", "3", "7", "4", "-x", "0", "2")),
        (("gen", "3", "5", "3", "--include", "5,0"), ("generate", "3", "5", "3", "-i", "5", "0")),
        (("graph", "3", "4", "--dot"), ("draw", "states", "3", "4", "-", "--dot")),
        (("states", "3", "4"), ("draw", "states", "3", "4", "-")),
        (("convert", "3", "441", "--format", "txt"), ("convert", "3", "441", "-", "--format=txt")),
    ],
)
def test_options_and_words_stand_for_the_usual_ones(
    program: Program, words: tuple[str, ...], same: tuple[str, ...]
) -> None:
    expected = program(*same)
    assert expected.code == 0
    assert program(*words).out.replace("under-leg", "underleg") == expected.out


def test_all_patterns_of_a_file_are_saved_into_a_folder_and_analysed(program: Program) -> None:
    (program.folder / "tricks.txt").write_text("3\n51\n")
    assert program("export", "tricks.txt", "--format", "png", "--outdir", "out", *SMALL).code == 0
    assert {path.name for path in (program.folder / "out").iterdir()} == {"3.png", "51.png"}
    assert program("export", "531", "--format", "csv", "-o", "data").code == 0
    assert (program.folder / "data" / "531.csv").exists()
    assert len(json.loads(program("analyse", "tricks.txt", "--json").out)) == 2
    assert "draw poster tricks.txt" in program("draw", "ladder", "tricks.txt", "a.svg").err


def test_a_value_that_a_setting_does_not_take_is_told_with_those_it_takes(program: Program) -> None:
    ran = program("export", "3", "a.png", "--gravity", "heavy")
    assert ran.code == 2
    assert "--gravity is 'heavy', but must be a number from" in ran.err


def test_an_edited_pattern_is_saved_by_any_name_of_the_option(program: Program) -> None:
    assert program("edit", "441", "mirror", "--output", "out.jml").code == 0
    assert (program.folder / "out.jml").exists()


def test_states_are_told_as_a_text_where_no_file_is_named(program: Program) -> None:
    lines = program("states", "3", "4").out.splitlines()
    assert lines[0] == "1110  3 → 1110  4 → 1101"
    assert program("states", "531").out.split() == ["111", "11001", "1011"]
    assert list(program.folder.iterdir()) == []
    assert program("states", "3", "4", "a.dot").out == "a.dot\n"
    assert (program.folder / "a.dot").read_text().startswith("digraph")
    assert program("states", "3", "4", "a.txt").code == 0
    assert (program.folder / "a.txt").read_text(encoding="utf-8").splitlines() == lines
    assert program("states", "2", "4x").out == "states.svg\n"


def test_several_patterns_become_a_list(program: Program) -> None:
    assert program("convert", "3", "441", "mills mess", "a.txt").code == 0
    lines = (program.folder / "a.txt").read_text().splitlines()
    assert lines[:2] == ["3", "441"]
    assert program("convert", "a.txt", "51", "a.csv").code == 0
    rows = (program.folder / "a.csv").read_text().splitlines()
    assert (rows[:3], rows[-1]) == (["name,siteswap", "3,3", "441,441"], "51,51")
    assert [entry.siteswap for entry in juggle_anim.read(program.folder / "a.csv")] == [
        "3", "441", "3", "51",
    ]  # fmt: skip
    assert program("convert", "4p", "2", "3", "b.jml").code == 0
    assert juggle_anim.read(program.folder / "b.jml").num_jugglers == 2
    assert program("generate", "3", "5", "3", "-o", "g.csv").code == 0
    assert len(juggle_anim.read(program.folder / "g.csv")) == len(
        program("generate", "3", "5", "3").out.splitlines()
    )


def test_a_pattern_is_exported_to_several_files(program: Program) -> None:
    assert program("export", "531", "a.gif", "b.png", *SMALL).code == 0
    assert program("export", "3", "-o", "c.png", "-o", "d.png", *SMALL).code == 0
    assert {path.name for path in program.folder.iterdir()} == {"a.gif", "b.png", "c.png", "d.png"}


def test_a_lesson_is_saved(program: Program) -> None:
    printed = program("learn", "441").out
    assert program("learn", "441", "--output", "a.txt") == (0, "a.txt\n", "")
    assert (program.folder / "a.txt").read_text(encoding="utf-8") == printed
    assert program("learn", "441", "a.html").code == 0
    assert "Learn 441" in (program.folder / "a.html").read_text(encoding="utf-8")
    assert program("learn", "441", "-o", "a.json").code == 0
    steps = json.loads((program.folder / "a.json").read_text(encoding="utf-8"))
    assert steps == json.loads(program("learn", "441", "--json").out)


def test_measures_are_a_table(program: Program) -> None:
    table = juggle_anim.compare("3", "51")
    assert program("compare", "3", "51").out == f"{table}\n"
    printed = program("analyze", "3", "51", "--csv").out
    rows = [*csv.DictReader(printed.splitlines())]
    for row, measures in zip(rows, csv.DictReader(table.to_csv().splitlines()), strict=True):
        assert measures.items() < row.items()
    assert float(rows[1]["left speed peak"]) == juggle_anim.analyse("51").hands["left"].speed.peak
    for words, expected in (
        (("analyse", "3", "51", "a.csv"), printed),
        (("compare", "3", "51", "-o", "a.txt"), f"{table}\n"),
        (("analyse", "3", "-o", "a.json"), program("analyse", "3", "--json").out),
    ):
        assert program(*words).out == f"{words[-1]}\n"
        assert (program.folder / words[-1]).read_text(encoding="utf-8") == expected


def test_what_is_listed_is_saved(program: Program) -> None:
    listed = json.loads(program("list", "--props", "4", "mess", "--json").out)
    for file in ("a.csv", "a.txt", "a.jml"):
        assert program("list", "--props", "4", "mess", "-o", file).code == 0
        saved = juggle_anim.read(program.folder / file)
        assert [*saved.names] == [entry["name"] for entry in listed]
    assert program("list", "--props", "4", "mess", "-o", "a.json").code == 0
    assert json.loads((program.folder / "a.json").read_text()) == listed


def test_solvers_are_chosen(program: Program) -> None:
    table = program("arms", "compare", "3", "--solvers", "natural,two-link").out
    assert "two-link" in table
    assert "resolved-rate" not in table


def test_the_window_fills_the_screen(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    options = []
    monkeypatch.setattr("juggle_anim.viewer.show", lambda _shown, **given: options.append(given))
    assert program("51", "--fullscreen").code == program("--full-screen", "51").code == 0
    assert options == [{"fullscreen": True}] * 2


def test_an_error_names_the_option_as_it_was_typed(program: Program) -> None:
    ran = program("analyse", "3", "--ball-size", "90")
    assert ran.code == 2
    assert ran.err == "--ball-size is 90, but must be a number from 1 to 60 cm\n"


def test_slow_motion_is_slow(program: Program) -> None:
    for words in (("--slow", "2"), ("--slow-motion", "2"), ("--slow",), ("--slow", "0.5")):
        assert program("export", "531", "a.csv", "--fps", "5", "--force", *words).code == 0
        assert juggle_anim.read(program.folder / "a.csv")[0].parameters.speed == 0.5


def test_a_page_has_no_background(program: Program) -> None:
    ran = program("export", "423", "a.html", "--background", "white")
    assert ran.code == 2
    assert ran.err.startswith("--background is for .mp4")


@pytest.mark.usefixtures("own_solvers")
def test_elbow_methods_are_a_table(program: Program) -> None:
    words = ("arms", "compare", "3", "--solvers", "natural,two-link")
    table = program(*words, "--csv").out
    assert table.splitlines()[0].startswith("solver,fastest_elbow,short,mean_from natural")
    for out in (("--csv", "arms.csv"), ("-o", "arms.csv", "--force")):
        assert program(*words, *out).out == "arms.csv\n"
        assert (program.folder / "arms.csv").read_text(encoding="utf-8") == table
    assert program(*words, "arms.gif").code == 2


@pytest.mark.parametrize("line", ["3 x4, 441 x2", "3x4 441x2", "3x4, 441x2"])
def test_a_routine_has_commas_and_blanks(program: Program, line: str) -> None:
    assert program("export", line, "a.csv", "--fps", "5").code == 0
    assert juggle_anim.read(program.folder / "a.csv")[0].title == "3 → 441"


def test_a_state_graph_is_json(program: Program) -> None:
    graph = juggle_anim.state_graph(3, 4)
    assert json.loads(program("states", "3", "4", "--json").out) == json.loads(graph.to_json())
    assert json.loads(program("states", "531", "--json").out) == ["111", "11001", "1011"]
    assert program("draw", "states", "3", "4", "a.csv").out == "a.csv\n"
    assert (program.folder / "a.csv").read_text(encoding="utf-8") == graph.to_csv()


def test_an_unknown_option_names_those_of_its_own_command(program: Program) -> None:
    ran = program("generate", "4", "7", "3", "--bogus")
    assert "Options: --props, --max, --period, --most, --json, --force, --out" in ran.err
    assert "finds all patterns" in program("generate", "4", "7", "3", "--random").err
    assert "export" not in program("check", "3", "--gif").err
    assert program("learn", "3", "--steps").out == program("learn", "3").out


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("learn", "5", "--lang", "de"), "--language"),
        (("generate", "3", "5", "2", "--kind", "sync"), "--sync"),
        (("check", "54", "--suggest"), "--all"),
        (("3", "--mass", "3"), "--prop"),
    ],
)
def test_an_unknown_option_names_what_is_meant(
    program: Program, words: tuple[str, ...], near: str
) -> None:
    assert f" Did you mean {near}?\n" in program(*words).err


def test_options_are_taken_by_what_they_mean(program: Program) -> None:
    sync = program("list", "--sync", "--easy", "--json")
    assert sync == program("list", "--tag", "sync", "--difficulty", "easy", "--json")
    assert program("convert", "3", "--jml") == program("convert", "3", "--format", "jml")
    assert program("list", "--names").err.startswith("There is no option --names. Options: ")
    assert program("settings", "gravity").err == program("help", "gravity").out
    assert program("cameras").err.startswith("--camera VIEW: ")
    assert program("3", "a.gif", "--start", "20ms", *SMALL[:2], "--duration", "0.1s").code == 0


def test_names_of_several_words_and_guessed_kinds_are_drawn(program: Program) -> None:
    assert program("draw", "ladder", "mills", "mess", "a.svg").code == 0
    assert program("draw", "states", "--props", "3", "--max", "4").out == "states.svg\n"
    assert program("transition", "cascade", "shower") == program("transition", "3", "51")
    assert juggle_anim.transition("cascade", "shower") == "4"
    assert "Did you mean --mirror?" in program("3", "--left-handed").err
    assert "((" not in program("export", "-h").out
    assert "[default: (" not in program("export", "-h").out


def test_patterns_are_compared_by_the_same_measures_as_in_python(program: Program) -> None:
    assert program("compare", "3", "51", "--csv").out == juggle_anim.compare("3", "51").to_csv()


def test_a_table_that_is_exported_is_no_list_of_patterns(program: Program) -> None:
    assert program("export", "3", "a.json", "--fps", "2").code == program("3", "b.json").code == 0
    exported, written = (
        json.loads((program.folder / file).read_text()) for file in ("a.json", "b.json")
    )
    assert "units" in exported
    assert "limbs" in written


def test_an_error_names_the_command_as_it_was_typed(program: Program) -> None:
    ran = program("compare", "3", "441", "--sort", "speed")
    assert ran.err.endswith("juggle-anim compare -h` for help\n")


def test_help_on_a_setting_is_its_option_and_on_nothing_an_error(program: Program) -> None:
    ran = program("help", "gravity")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("--gravity")
    assert ran.out.count("\n") == 1
    assert program("help", "zzz").err.startswith("there is no command or setting zzz")


def test_solvers_may_be_typed_as_the_setting(program: Program) -> None:
    words = ("arms", "compare", "3", "--csv")
    solvers = "natural,two-link"
    assert program(*words, "--arms", solvers) == program(*words, "--solvers", solvers)


def test_patterns_in_a_line_are_offered_in_turn(program: Program) -> None:
    ran = program("draw", "ladder", "531 441 51", "a.svg")
    assert ran.err.endswith('to juggle them in turn: juggle-anim routine "531, 441, 51"\n')
    assert "in turn" not in program("441", "432").err


def test_columns_of_settings_are_read_and_their_head_is_not_kept(program: Program) -> None:
    text = "name,siteswap,bps,speed\nSlow,3,2.5,\nShower,51,3,fast\n"
    (program.folder / "list.csv").write_text(text, encoding="utf-8")
    ran = program("convert", "list.csv", "-", "--format", "txt")
    assert ran.out == "3;bps=2.5  # Slow\n51;bps=3  # Shower\n"
    assert "line 3: ignored: speed=fast" in ran.err
