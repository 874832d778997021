import json
import re
from dataclasses import replace

import numpy as np
import pytest
from program import Program

from juggle_anim import animate
from juggle_anim.analysis import arms_data, arms_text, compare_arms
from juggle_anim.analysis.plots import draw_arms
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.body.arms import DEFAULT_SOLVER, SOLVERS
from juggle_anim.parameters import CHOICES

PAIR = ("natural", "chicken-wing")
PASSING = "<3p 3|3p 3>"


def elbows_of(text: str, solver: str, times: Floats) -> Floats:
    return (
        animate(text, arms=solver).pose(times).joints[:, :, [Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW]]
    )


def test_every_solver_can_be_chosen_and_natural_is_usual() -> None:
    (options,) = (choice.options for choice in CHOICES if choice.name == "arms")
    assert list(options) == list(SOLVERS)
    assert animate("3").parameters.arms == DEFAULT_SOLVER == "natural"


@pytest.mark.parametrize("text", ["531", PASSING])
def test_solvers_are_apart_as_far_as_their_elbows_are(text: str) -> None:
    found = compare_arms(animate(text), PAIR)
    one, other = (elbows_of(text, name, found.times) for name in PAIR)
    apart = np.linalg.norm(one - other, axis=-1)
    assert found.distances[0, 1] == pytest.approx(apart)
    assert found.mean[0, 1] == pytest.approx(apart.mean())
    assert found.greatest[1, 0] == pytest.approx(apart.max())
    assert found.mean[0, 0] == 0.0
    assert 0.0 < found.mean[0, 1] < 0.15


def test_the_fastest_elbow_is_that_of_a_finer_look_and_the_loop_closes() -> None:
    # The bodies turn around, so a loop that did not close would have an elbow fly back at its end.
    text = "pattern=3;body=(0).(90).(180).(270)."
    (result,) = compare_arms(animate(text), ("natural",)).results
    times = np.linspace(0.0, animate(text).duration, 8001)
    steps = np.linalg.norm(np.diff(elbows_of(text, "natural", times), axis=0), axis=-1)
    assert result.fastest_speed == pytest.approx(steps.max() / times[1], rel=0.02)


def test_heights_are_seen_from_the_shoulder() -> None:
    # Elbows at ease are most of an upper arm below their shoulders.
    heights = compare_arms(animate("3"), ("natural",)).results[0].heights
    assert heights.min() > -0.33
    assert heights.max() < -0.15


def test_a_solver_compared_with_itself_at_another_angle_differs() -> None:
    usual, lifted = (
        compare_arms(animate("3", chicken_wing=angle), ("natural",)).results[0]
        for angle in (30, 60)
    )
    # A lifted elbow is higher.
    assert lifted.heights.mean() > usual.heights.mean() + 0.02


def test_hands_that_miss_are_told() -> None:
    far_away = "pattern=4;hands=(150)(200)."
    near, far = (compare_arms(animate(text), PAIR).results for text in ("4", far_away))
    assert max(result.greatest_shortfall for result in near) < 0.001
    assert min(result.greatest_shortfall for result in far) > 0.05


def test_the_solver_that_was_asked_for_comes_first() -> None:
    found = compare_arms(animate("3", arms="two-link"))
    assert [result.solver for result in found.results][:2] == ["two-link", "natural"]
    assert {result.solver for result in found.results} == set(SOLVERS)


def test_many_jugglers_are_looked_at_less_often() -> None:
    found = compare_arms(animate(f"<{'|'.join(['3'] * 200)}>"), PAIR)
    assert found.distances.shape == (2, 2, 200, 200, 2)


def test_the_command_prints_a_row_for_each_solver(program: Program) -> None:
    ran = program("arms", "compare", "3")
    assert (ran.code, ran.err) == (0, "")
    title, head, *rows, note = ran.out.splitlines()
    assert title.startswith("3: elbows over a loop of 0.733 s")
    assert "maximum in brackets" in note
    # Two spaces or more stand between columns.
    cells = [re.split(r" {2,}", row.strip()) for row in rows]
    assert re.split(r" {2,}", head.strip()) == ["cm from", *SOLVERS, "elbow m/s", "short cm"]
    assert [row[0] for row in cells] == list(SOLVERS)
    found = compare_arms(animate("3"))
    for number, (row, result) in enumerate(zip(cells, found.results, strict=True)):
        means = [f"{100 * mean:.1f}" for mean in found.mean[number]]
        means[number] = "–"
        assert [cell.split()[0] for cell in row[1:]] == [
            *means,
            f"{result.fastest_speed:.1f}",
            "0.0",
        ]
    assert cells[0][2] == f"{100 * found.mean[0, 1]:.1f} ({100 * found.greatest[0, 1]:.1f})"


def test_elbows_are_compared_at_the_angle_that_is_given(program: Program) -> None:
    ran = program("arms", "compare", "3", "--chicken-wing", "30,60")
    assert ran.out.strip() == arms_text(compare_arms(animate("3", left_wing=30, right_wing=60)))
    assert ran.out != program("arms", "compare", "3").out


def test_the_data_hold_the_same_in_metres(program: Program) -> None:
    ran = program("arms", "compare", "3", "--json")
    assert json.loads(ran.out) == json.loads(json.dumps(arms_data(compare_arms(animate("3")))))
    natural = json.loads(ran.out)["solvers"]["natural"]
    assert natural["mean_from"]["natural"] == 0.0
    assert 0.0 < natural["mean_from"]["chicken-wing"] < natural["most_from"]["chicken-wing"] < 0.2


def test_a_picture_is_written_whole_and_never_over_another(program: Program) -> None:
    assert program("arms", "compare", "3", "--plot", "arms.png", "--size", "640x480").code == 0
    assert (program.folder / "arms.png").read_bytes()[:4] == b"\x89PNG"
    ran = program("arms", "compare", "3", "--plot", "arms.png")
    assert (ran.code, "--force" in ran.err) == (1, True)


def test_the_picture_draws_the_paths_in_centimetres() -> None:
    found = compare_arms(animate(PASSING), PAIR)
    figure = draw_arms(found, (640, 640))
    heights, apart = figure.axes[0].get_lines()[1], figure.axes[3].get_lines()[1]
    assert heights.get_ydata() == pytest.approx(100 * found.results[1].heights[:, 0, 0])
    assert apart.get_ydata() == pytest.approx(100 * found.distances[0, 1, :, 0, 1])
    assert "first of 2 jugglers" in figure.get_suptitle()


def test_lines_of_very_many_solvers_can_be_seen() -> None:
    pair = compare_arms(animate("3"), PAIR)
    many = replace(
        pair, results=pair.results * 5, distances=np.tile(pair.distances, (5, 5, 1, 1, 1))
    )
    lines = draw_arms(many, (640, 640)).axes[0].get_lines()
    assert len(lines) == 10
    assert min(line.get_linewidth() for line in lines) > 0.5


def test_a_pattern_that_cannot_be_juggled_is_refused(program: Program) -> None:
    ran = program("arms", "compare", "543")
    assert (ran.code, ran.out) == (1, "")
    assert "543" in ran.err
