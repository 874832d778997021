from typing import Any

import pytest
from click.testing import CliRunner
from program import Program

from juggle_anim.cli.command import Command, flag
from juggle_anim.cli.options import PatternText, take_parameters
from juggle_anim.parameters import QUANTITIES, TEXT_SETTINGS, Quantity


def ran(*words: str) -> dict[str, Any]:
    """What a command is called with that takes a pattern and parameters."""
    calls: list[dict[str, Any]] = []

    @take_parameters
    def command(pattern: PatternText, **parameters: Any) -> None:
        calls.append({"pattern": pattern, **parameters})

    result = CliRunner().invoke(Command("command", callback=command, help=None), list(words))
    assert result.exit_code == 0, result.output
    return calls[0] if calls else {"output": result.output}


def test_only_what_is_given_is_passed_on() -> None:
    assert ran("531") == {"pattern": "531"}
    assert ran("531", "--dwell", "1") == {"pattern": "531", "dwell": 1.0}


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.name)
def test_the_key_of_settings_is_a_flag_as_well(quantity: Quantity) -> None:
    value = quantity.slider[0]
    given = {"pattern": "531", quantity.name: value}
    assert ran("531", flag(quantity.key), str(value)) == given
    assert ran("531", flag(quantity.name), str(value)) == given


def test_settings_in_words_have_flags_too() -> None:
    words = (
        "--hands",
        "(10)(32.5).",
        "--body=(0).",
        "--prop",
        "ring",
        "--colors",
        "mixed",
        "--title",
        "a; b",
    )
    given = {
        "hands": "(10)(32.5).",
        "body": "(0).",
        "prop": "ring",
        "colors": "mixed",
        "title": "a; b",
    }
    assert ran("531", *words) == {"pattern": "531", **given}
    assert ran("5", "--hss", "4", "--handspec", "(2,1)(4,3)")["handspec"] == "(2,1)(4,3)"


@pytest.mark.parametrize("name", [setting.name for setting in TEXT_SETTINGS if not setting.form])
def test_a_switch_is_turned_on_or_off_or_left(name: str) -> None:
    assert ran("5", f"--{name}")[name] is True
    assert ran("5", f"--no-{name}")[name] is False
    assert name not in ran("5")


def test_help_names_every_flag() -> None:
    shown = ran("--help")["output"]
    for row in (*QUANTITIES, *TEXT_SETTINGS):
        assert flag(row.name) in shown


def test_a_flag_of_both_sides_takes_two_numbers() -> None:
    both = {"pattern": "531", "left_wing": 30.0, "right_wing": -5.0}
    assert ran("531", "--chicken-wing", "30,-5") == both
    result = CliRunner()
    for words, reason in (
        (("--chicken-wing", "1,2,3"), "than two numbers"),
        (("--chicken-wing", "1,2", "--leftwing", "3"), "second"),
        (("--chicken-wing", "1,x"), "not a number"),
    ):
        command = take_parameters(lambda **parameters: None)
        refused = result.invoke(Command("command", callback=command, help=None), words)
        assert refused.exit_code == 2
        assert reason in " ".join(refused.output.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("3", "--json"), "There is no option --json. It is an option of "),
        (("list", "--chicken-wing", "3"), "There is no option --chicken-wing. It is an option of "),
        (("list", "--juggl", "1"), "There is no option --juggl. Did you mean --jugglers?"),
        (
            ("list", "--props", "x"),
            "--props is 'x', but must be a whole number, or one of ball, club",
        ),
        (("3", "--dwell"), "--dwell needs a value"),
        (("3", "--safe=3"), "--safe takes no value"),
        (("convert", "3"), "standard output needs --format"),
        (("serve", "4", "5"), "Unexpected arguments: 4 5"),
        (("draw", "laddr"), "There is no command laddr. Did you mean ladder?"),
        (("3", "--jugglers", "0"), "--jugglers: the number of jugglers is '0'"),
        (
            ("3", "--chicken-wing", "999"),
            "--chicken-wing is 999, but must be a number from -180 to 180",
        ),
    ],
)
def test_errors_name_the_option_that_was_typed(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    ran = program(*words)
    assert ran.code == 2
    assert said in " ".join(ran.err.split())
    assert "Usage" not in ran.err
