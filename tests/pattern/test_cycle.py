from collections import Counter

import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps
from state_walks import cycle, vanilla

from juggle_anim.notation import read_prechac, read_siteswap
from juggle_anim.pattern.cycle import Cycle, state_cycle
from juggle_anim.pattern.states import Landings


def values(walk: Cycle) -> list[list[int]]:
    return [[throw.value for throw in throws] for throws in walk.beats]


# Prime siteswaps by period: J. Boyce's jprime; with any height OEIS A260744, A260745 and A260746.
@pytest.mark.parametrize(
    ("props", "highest", "counts"),
    [(3, 5, [1, 2, 4, 6, 7]), (2, 5, [1, 2, 4, 6, 7]), (2, 6, [1, 2, 5, 8, 15])],
)
def test_as_many_siteswaps_are_prime_as_are_known(
    props: int, highest: int, counts: list[int]
) -> None:
    for period, count in enumerate(counts, start=1):
        assert sum(len(cycle(text).parts) == 1 for text in vanilla(props, highest, period)) == count


@pytest.mark.parametrize(("props", "counts"), [(2, [1, 2, 5]), (3, [1, 3, 11]), (4, [1, 4, 19])])
def test_as_many_siteswaps_of_any_height_are_prime_as_are_known(
    props: int, counts: list[int]
) -> None:
    for period, count in enumerate(counts, start=1):
        assert (
            sum(len(cycle(text).parts) == 1 for text in vanilla(props, props * period, period))
            == count
        )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("45141", [[5, 1], [4, 4, 1]]),
        ("423", [[4, 2], [3]]),
        ("4413531", [[4, 4, 1], [5, 3, 1], [3]]),
        ("531531", [[5, 3, 1]]),
        ("97531", [[9, 7, 5, 3, 1]]),
    ],
)
def test_a_composite_siteswap_falls_into_the_prime_ones_it_is_made_of(
    text: str, parts: list[list[int]]
) -> None:
    found = [[throw for (throw,) in values(part.standard())] for part in cycle(text).parts]
    assert sorted(found) == sorted(parts)


def bare(walk: Cycle, beat: int) -> tuple[object, ...]:
    """The throws of a beat without that beat."""
    return tuple(throw[1:] for throw in walk.beats[beat])


def steps(walk: Cycle) -> Counter[object]:
    """Each state with the throws that are made from it."""
    return Counter((walk.states[turn], bare(walk, turn)) for turn in walk.turn_beats)


@given(valid_siteswaps())
def test_parts_are_prime_and_join_to_the_pattern(text: str) -> None:
    whole = cycle(text)
    for part in whole.parts:
        assert len(part.parts) == 1
        assert len({part.states[turn] for turn in part.turn_beats}) == len(part.turn_beats)
    if whole.rows and whole.phase == whole.rows[0].step:
        assert sum((steps(part) for part in whole.parts), Counter()) == steps(whole)


@given(valid_siteswaps())
def test_parts_do_not_depend_on_where_a_pattern_begins(text: str) -> None:
    whole = cycle(text)
    known = Counter(part.standard().beats for part in whole.parts)
    for turn in whole.turn_beats:
        rotated = whole.part(whole.turn_beats_from(turn))
        assert Counter(part.standard().beats for part in rotated.parts) == known


@given(valid_passing_siteswaps())
def test_parts_of_passing_patterns_hold_all_its_throws(text: str) -> None:
    whole = cycle(text)
    throws = Counter(throw[1:] for part in whole.parts for throw in part.throws)
    assert throws == Counter(throw[1:] for throw in whole.throws)
    assert {part.props for part in whole.parts} == {whole.props}


@given(valid_siteswaps())
def test_a_walk_is_the_pattern_that_it_was_made_from(text: str) -> None:
    whole = cycle(text)
    again = state_cycle(whole.pattern())
    assert again == whole
    assert whole.pattern().props == read_siteswap(text).props
    assert whole.is_same(whole.standard())


@given(valid_siteswaps())
def test_time_that_is_reversed_twice_runs_as_before(text: str) -> None:
    whole = cycle(text)
    inverse = whole.inverse()
    assert inverse.inverse() == whole
    if "[" not in text:  # which prop of a multiplex makes which throw is a convention
        reversed_orbits = sorted(least_rotation(orbit[::-1]) for orbit in orbits(whole))
        assert sorted(map(least_rotation, orbits(inverse))) == reversed_orbits


def orbits(walk: Cycle) -> list[list[int]]:
    pattern = walk.pattern()
    return [[pattern.throws[index].value for index in orbit.throws] for orbit in pattern.orbits]


def least_rotation(orbit: list[int]) -> list[int]:
    return min(orbit[first:] + orbit[:first] for first in range(len(orbit)))


@pytest.mark.parametrize("period", [1, 2, 3, 4])
def test_the_dual_of_a_dual_is_the_pattern(period: int) -> None:
    for text in vanilla(3, 7, period):
        whole = cycle(text)
        for height in (whole.dual_height(), 9):
            dual = whole.dual(height)
            assert (dual.props, dual.period) == (height - 3, period)
            assert dual.dual(height) == whole
            # A place is empty in a state of the one where a prop is due in the other, seen
            # backwards.
            empty = {tuple(1 - due for due in due_soon(state, height)) for state in whole.states}
            assert {due_soon(state, height)[::-1] for state in dual.states} == empty


def due_soon(state: Landings, beats: int) -> tuple[int, ...]:
    return tuple(count for (count,) in (*state, *[(0,)] * beats)[:beats])


def test_duals_that_are_known() -> None:
    assert cycle("531").dual(5).is_same(cycle("420"))
    assert cycle("(6x,4)*").dual(8).is_same(cycle("(4,2x)*"))
    assert cycle("(6x,4)*").dual_height() == 8  # a 0x is no throw


def test_the_reversal_of_a_lift_is_a_force() -> None:
    assert cycle("5BL55").inverse().is_same(cycle("5BF55"))
    assert cycle("5BHL55").inverse().is_same(cycle("5BHL55"))


def test_jugglers_between_each_others_beats_have_states_of_both_kinds() -> None:
    whole = state_cycle(read_prechac("4.5p 3 3"))
    assert (len(whole.rows), whole.phase, whole.period, len(whole.parts)) == (2, 2, 6, 1)
