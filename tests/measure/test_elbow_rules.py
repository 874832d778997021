"""How rules are fitted to measured elbows: turns, chords, weights and numbers by closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.arrays import Floats
from juggle_anim.measure.natural_elbow import (
    Arms,
    _chord_of_turn,
    _hanging_term,
    _needed_turn,
    _turn_to_elbows,
    by_person,
    natural_rule,
    ridge_coefficients,
    solver_rule,
)

COUNT = 60
RANDOM = np.random.default_rng(7)


def some_arms(turn: Floats | float = 0.3) -> tuple[Arms, Floats]:
    """Left arms that bend somewhere, and directions from which elbows were turned by some angle."""
    upper, lower = RANDOM.uniform(0.25, 0.35, (2, COUNT))
    axis = RANDOM.normal(size=(3, COUNT))
    axis /= np.linalg.norm(axis, axis=0)
    start = np.cross(axis.T, RANDOM.normal(size=3)).T
    start /= np.linalg.norm(start, axis=0)
    elbow_way = np.cos(turn) * start + np.sin(turn) * np.cross(axis.T, start.T).T
    along = RANDOM.uniform(0.6, 0.8, COUNT) * upper
    elbow = along * axis + np.sqrt(upper**2 - along**2) * elbow_way
    lower = np.maximum(lower, upper)
    reach = along + np.sqrt(lower**2 - upper**2 + along**2)
    person = np.arange(COUNT) % 3 * (np.arange(COUNT) > 9)
    hands = np.zeros((3, COUNT))
    hands[1, ::2] = 1.0
    arms = Arms(
        upper,
        lower,
        reach * axis,
        elbow,
        person,
        np.arange(COUNT) % 4 == 0,
        hands,
        hands,
        ("a", "b", "c"),
    )
    return arms, start


def coefficients(
    terms: Floats, turn: Floats, radius: Floats, weight: Floats, cost: float
) -> Floats:
    return ridge_coefficients(terms=terms, turn=turn, radius=radius, weight=weight, cost=cost)


def bent_arms() -> Arms:
    arms, _start = some_arms()
    return arms


def test_elbows_are_on_a_circle_about_the_line_to_the_wrist() -> None:
    arms = bent_arms()
    radius = arms.radius
    across = arms.across / radius
    along = (arms.elbow * arms.axis).sum(axis=0)
    assert along * arms.axis + radius * across == pytest.approx(arms.elbow)
    assert np.linalg.norm(across, axis=0) == pytest.approx(1.0)
    assert (across * arms.axis).sum(axis=0) == pytest.approx(0.0, abs=1e-12)
    assert along**2 + radius**2 == pytest.approx(arms.upper**2)


@given(st.floats(-3.1, 3.1))
def test_turns_to_elbows_are_those_by_which_they_were_turned(turn: float) -> None:
    arms, start = some_arms(turn)
    assert _turn_to_elbows(arms, start) == pytest.approx(turn)
    # Only what is across the axis counts.
    assert _turn_to_elbows(arms, 3.0 * start + 0.5 * arms.axis) == pytest.approx(turn)
    # The elbow that turns back by that is the chord of the circle away.
    radius = arms.radius
    across = arms.across / radius
    there = radius * start - radius * across
    assert _chord_of_turn(np.full(COUNT, turn), arms) == pytest.approx(
        np.linalg.norm(there, axis=0), abs=1e-12
    )


def test_people_weigh_alike_however_many_arms_of_theirs_were_measured() -> None:
    arms = bent_arms()
    for person in range(3):
        assert arms.weight[arms.person == person].sum() == pytest.approx(1.0)
    chosen = arms[arms.person == 1]
    assert chosen.names == arms.names
    assert np.array_equal(chosen.wrist, arms.wrist[:, arms.person == 1])
    assert np.array_equal(chosen.upper, arms.upper[arms.person == 1])
    assert arms.with_hands.tolist() == [number % 2 == 0 for number in range(COUNT)]


def test_errors_by_person_are_means_of_all_their_arms_and_of_those_in_the_box() -> None:
    arms = bent_arms()
    missed = RANDOM.uniform(0.0, 1.0, COUNT)
    for person, (everywhere, boxed) in enumerate(by_person(arms, missed)):
        rows = [row for row in range(COUNT) if arms.person[row] == person]
        assert everywhere == pytest.approx(sum(missed[rows]) / len(rows))
        in_box = [row for row in rows if arms.in_box[row]]
        assert boxed == pytest.approx(sum(missed[in_box]) / len(in_box))


@given(st.lists(st.floats(-0.5, 0.5), min_size=1, max_size=3), st.integers(0, 99))
def test_numbers_that_made_turns_are_found_again(numbers: list[float], seed: int) -> None:
    random = np.random.default_rng(seed)
    terms = random.normal(size=(200, len(numbers)))
    radius, weight = random.uniform(0.05, 0.3, (2, 200))
    turns = terms @ numbers
    assert coefficients(terms, turns, radius, weight, 0.0) == pytest.approx(numbers, abs=1e-6)
    # Whole turns more or less are the same elbows.
    around = turns + 2 * np.pi * random.integers(-2, 3, 200)
    near = np.abs(turns) < 2.0
    assert coefficients(
        terms[near], around[near], radius[near], weight[near], 0.0
    ) == pytest.approx(numbers, abs=1e-6)


def test_a_few_elbows_far_off_hardly_count_and_a_cost_makes_numbers_smaller() -> None:
    random = np.random.default_rng(2)
    terms = random.normal(size=(400, 2))
    radius, weight = np.full(400, 0.15), np.ones(400)
    turns = terms @ [0.2, -0.3] + random.normal(size=400) * 0.01
    clean = coefficients(terms, turns, radius, weight, 0.0)
    off = turns.copy()
    off[::20] += 2.0
    assert coefficients(terms, off, radius, weight, 0.0) == pytest.approx(clean, abs=0.02)
    costs = [np.linalg.norm(coefficients(terms, turns, radius, weight, cost)) for cost in (0, 1, 9)]
    assert costs[0] > costs[1] > costs[2] > 0
    # With terms of mean square 1 and nearly even pulls, a cost of 1 halves them.
    assert costs[1] == pytest.approx(costs[0] / 2, rel=0.1)


@pytest.mark.parametrize("hanging", [0.0, 0.4])
def test_the_rule_of_the_natural_arm_misses_by_what_its_solver_does(hanging: float) -> None:
    arms = bent_arms()
    if hanging == 0.0:
        needed = _needed_turn(arms)
        assert natural_rule(0.0)(arms) == pytest.approx(_chord_of_turn(needed, arms))
        assert np.all(np.abs(needed) <= np.pi)
    left = _needed_turn(arms) - _hanging_term(arms)[:, 0] * hanging
    radius = arms.radius
    assert natural_rule(hanging)(arms) == pytest.approx(2 * radius * np.abs(np.sin(left / 2)))


def test_a_solver_misses_no_elbow_that_it_has_placed() -> None:
    arms = bent_arms()
    missed = solver_rule("chicken-wing", 30.0)(arms)
    # Elbows are on their circle, wherever the rule puts them.
    assert np.all(missed <= 2 * arms.radius + 1e-6)
    assert missed.max() > 0.01
