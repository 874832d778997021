"""What docs/elbows.md says is what the program does."""

import re
import shlex
import subprocess
import sys

import pytest
from paths import ROOT
from program import Program

from juggle_anim.body.arms.natural import HANGING, OF_HAND
from juggle_anim.measure import natural_elbow

COMPARE = ["arms", "compare", "pattern=3;hands=Mills mess;style=natural;title=Mills mess"]
"""The comparison that the page shows."""

PAGE = (ROOT / "docs" / "elbows.md").read_text(encoding="utf-8")


def table(text: str) -> list[list[str]]:
    """Cells of the lines that are rows of a table, or columns two spaces or more apart."""
    lines = [line.strip() for line in text.splitlines()]
    return [[cell.strip() for cell in re.split(r"\||  +", line) if cell.strip()] for line in lines]


def test_all_lines_of_python_print_what_stands_under_them() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", "docs/elbows.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert PAGE.count(">>>") > 30
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_rules_miss_measured_elbows_by_what_the_page_says() -> None:
    arms = natural_elbow.read()
    two_link = natural_elbow.solver_rule("two-link", 30.0)
    natural = natural_elbow.natural_rule(HANGING)
    with_hand = natural_elbow.hand_rule(OF_HAND)
    for name, rule, people in (
        ("`two-link`, 30° outward", two_link, arms),
        ("natural, fitted to all", natural, arms),
        ("natural, fitted to both", with_hand, arms[arms.with_hands]),
    ):
        missed = natural_elbow.by_person(people, rule(people)).mean(axis=0)
        assert f"| {name} | {' / '.join(f'{100 * error:.2f}' for error in missed)} |" in PAGE


@pytest.mark.long
def test_the_tables_of_the_fit_are_what_its_script_prints() -> None:
    script = [sys.executable, "-m", "juggle_anim.measure.natural_elbow"]
    printed = subprocess.run(
        script, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    ).stdout
    tables = re.findall(r"(?:^\|.*\n)+", printed, re.MULTILINE)
    assert len(tables) == 4
    for each in tables:
        assert each in PAGE


def test_the_comparison_shows_the_columns_that_the_command_prints_and_its_figures_to_a_centimetre(
    program: Program,
) -> None:
    printed = table(program(*COMPARE).out)
    (shown,) = re.findall(r"\n\n((?:    .+\n)+)\nWith `--json`", PAGE)
    stands = table(shown)
    assert stands[0] == printed[0]
    assert stands[1] == printed[1]
    assert [row[0] for row in stands] == [row[0] for row in printed]
    for row, expected in zip(stands[2:-1], printed[2:-1], strict=True):
        figures, wanted = (re.findall(r"\d+\.\d", " ".join(cells)) for cells in (row, expected))
        assert [float(each) for each in figures] == pytest.approx(
            [float(each) for each in wanted], abs=1.0
        )


def test_the_commands_it_names_are_there(program: Program) -> None:
    commands = re.findall(r"^    juggle-anim (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        words = shlex.split(command)
        if words != COMPARE:
            # What opens a window is analysed: its pattern and flags are read alike.
            ran = program("analyse", *words)
            assert (ran.code, ran.err) == (0, "")


def test_every_picture_and_file_it_names_is_there() -> None:
    pictures = re.findall(r"\]\((images/[^)]+)\)", PAGE)
    assert len(pictures) == 8
    assert [name for name in pictures if not (ROOT / "docs" / name).exists()] == []
    files = re.findall(
        r"`((?:body|chain|docs|measure|scripts|tests|benchmarks)/[\w/.]+\.\w+)`", PAGE
    )
    assert len(files) > 10
    places = [ROOT, ROOT / "juggle_anim", ROOT / "juggle_anim" / "body"]
    assert [name for name in files if not any((place / name).exists() for place in places)] == []


def test_formulas_are_written_as_pages_of_markdown_show_them() -> None:
    formulas = re.findall(r"\n\$\$\n(.+?)\n\$\$\n", PAGE, re.DOTALL)
    assert 2 * len(formulas) == len(re.findall(r"^\$\$$", PAGE, re.MULTILINE))
    # Markdown takes a backslash before one of its own signs away.
    assert not [each for each in formulas if re.search(r"\\[^a-zA-Z]", each)]
    assert not [each for each in formulas if each.count("{") != each.count("}")]
