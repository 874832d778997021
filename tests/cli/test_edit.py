"""The command `edit`."""

import pytest
from program import Program

import juggle_anim as ja
from juggle_anim.editing.editor import Editor, Operation


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("531 swap-landings 0 1", "pattern=441"),
        ("531 swap-landings 0 1 symmetric=false", "pattern=441531"),
        ("531 aim-throw 0 4,0,1", "pattern=441"),
        ("531 insert-beat 3 mirror", "pattern=L5313"),
        ("531 rotate -1", "pattern=153"),
        ("shower rotate 1", "pattern=15;title=Three-ball shower, rotate"),
        ("531 set_throw 0 bounces=1 bounce_style=force", "pattern=5BF31"),
        (
            "531 set-props club red orbit=0",
            "pattern=531;prop=club,ball,ball;colors={#ff0000}{default}{default}",
        ),
        ("pattern=531;dwell=1 set-props colour=255,0,0", "pattern=531;dwell=1;colors={#ff0000}"),
        ("3 move-body 0 position=0,0,0.5", "pattern=3;body=(0,0,50)."),
    ],
)
def test_operations_follow_one_another_and_settings_are_printed(
    program: Program, words: str, settings: str
) -> None:
    assert program("edit", *words.split()) == (0, f"{settings}\n", "")


def test_what_is_asked_is_answered(program: Program) -> None:
    lines = program("edit", "531", "landings-of", "0").out.splitlines()
    assert lines[3] == "4 0 1 441"
    assert program("edit", "531", "kind").out == "settings\n"


def test_events_go_to_a_file(program: Program) -> None:
    moved = ("edit", "531", "move-event", "0", "position=0.1,1.2,0.3")
    assert program(*moved, "-o", "out.jml") == (0, "out.jml\n", "")
    assert ja.animate("out.jml").choreography.events.position[0].tolist() == pytest.approx(
        [0.1, 1.2, 0.3]
    )
    ran = program(*moved, "--out", "out.jml")
    assert ran.code == 1
    assert "out.jml" in ran.err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("531", "edit needs a pattern and an operation, such as edit 531 swap-landings 0 1"),
        (
            "531 swap-landing 0 1",
            "there is no operation 'swap-landing': did you mean swap-landings?",
        ),
        (
            "531 swap-landings 0",
            "swap-landings needs other arguments: swap-landings FIRST SECOND [symmetric=true]",
        ),
        ("531 swap-landings 0 x", "swap-landings: second is 'x', but must be a whole number"),
        ("531 swap-landings 0 1 2", "swap-landings: symmetric is '2', but must be true or false"),
        ("531 mirror 2", "mirror has no argument '2': mirror"),
        (
            "531 move-body 0 position=a,1",
            "move-body: position is 'a,1', but must be numbers separated by commas",
        ),
    ],
)
def test_a_mistake_is_said_in_a_line(program: Program, words: str, error: str) -> None:
    assert program("edit", *words.split()) == (2, "", f"{error}\n")


def test_a_throw_that_is_not_there_is_told(program: Program) -> None:
    error = "there is no throw 9; the loop has 6, counted from 0\n"
    assert program("edit", "531", "swap-landings", "0", "9") == (1, "", error)


def test_operations_are_explained_in_the_language_that_is_asked_for(program: Program) -> None:
    english, german = (
        program("edit", "--operations", "--language", code).out.splitlines()
        for code in ("en", "de")
    )
    assert german[::2] == english[::2]  # what one types
    assert not set(german[1::2]) & set(english[1::2])
    assert "Vertauscht die Landungen zweier Würfe" in german[1]


def test_help_names_all_operations_and_each_is_explained(program: Program) -> None:
    shown = program("edit", "--help").out
    told = program("edit", "--operations").out
    for name in (
        name.replace("_", "-") for name, each in vars(Editor).items() if isinstance(each, Operation)
    ):
        assert name in shown
        assert f"\n{name}" in f"\n{told}"
    assert len(shown.splitlines()) < 30
    assert max(map(len, shown.splitlines())) <= 80
