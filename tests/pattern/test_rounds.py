"""Rounds of throws as rows make them: begun elsewhere, mirrored, shortened and looked up."""

from itertools import product
from math import lcm

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.errors import EditError
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Throw
from juggle_anim.pattern.cycle import Cycle, throw_cycle
from juggle_anim.pattern.pattern import catching_hand, hand_of, repeated

texts = valid_siteswaps() | valid_passing_siteswaps()


def bare(throws: tuple[Throw, ...]) -> list[tuple[object, ...]]:
    """Throws in a fixed order, those of a multiplex too; without `held`, which may be None."""
    return sorted(throw[:8] for throw in throws)


@given(texts)
def test_a_round_has_the_throws_and_turns_of_its_pattern(text: str) -> None:
    pattern = read_siteswap(text)
    again = throw_cycle(pattern).pattern()
    both = lcm(again.period, pattern.period)
    again, pattern = (repeated(each, both // each.period) for each in (again, pattern))
    assert bare(again.throws) == bare(pattern.throws)
    assert set(pattern.turns) <= set(again.turns)


@given(texts, st.integers(-7, 30))
def test_a_round_begun_later_has_the_same_throws_that_many_beats_earlier(
    text: str, beats: int
) -> None:
    cycle = throw_cycle(read_siteswap(text))
    whole, moved = cycle.pattern(), cycle.rotated(beats).pattern()
    assert moved.period == whole.period
    assert bare(moved.throws) == bare(
        tuple(throw._replace(beat=(throw.beat - beats) % whole.period) for throw in whole.throws)
    )
    assert set(moved.turns) == {
        ((beat - beats) % whole.period, juggler, hand) for beat, juggler, hand in whole.turns
    }
    assert cycle.rotated(beats).rotated(-beats) == cycle


@given(texts)
def test_a_mirror_swaps_the_hands_of_all_throws_and_twice_changes_nothing(text: str) -> None:
    cycle = throw_cycle(read_siteswap(text))
    whole, mirrored = cycle.pattern(), cycle.mirrored().pattern()
    swapped = (
        throw._replace(hand=1 - throw.hand, to_hand=1 - throw.to_hand) for throw in whole.throws
    )
    assert bare(mirrored.throws) == bare(tuple(swapped))
    assert cycle.mirrored().mirrored() == cycle


@given(valid_siteswaps())
def test_what_is_begun_by_the_right_hand_is_so_from_whatever_side_it_was_written(text: str) -> None:
    cycle = throw_cycle(read_siteswap(text))
    begun = cycle.right_first()
    assert begun == begun.right_first()
    if all(row.hand is None for row in cycle.rows):
        assert begun == cycle.mirrored().right_first()
        assert all(hand == RIGHT for beat, _juggler, hand in begun.pattern().turns if beat == 0)
    else:
        assert begun == cycle


@given(texts)
def test_slots_say_whose_they_are(text: str) -> None:
    pattern = read_siteswap(text)
    cycle = throw_cycle(pattern)
    for throw in pattern.throws:
        who = throw.juggler, throw.hand
        row = cycle.find_row(throw.beat, *who)
        assert row is not None
        assert row == cycle.row_of(*who)
        assert cycle.hand_at((throw.beat, row)) == who
    # Only turns are found, and a row throws with no other hand on one beat.
    for beat, juggler in product(range(pattern.period), range(pattern.jugglers)):
        for hand in (LEFT, RIGHT):
            found = cycle.find_row(beat, juggler, hand)
            assert found is None or cycle.rows[found].throws_on(beat)
            if (beat, juggler, hand) in pattern.turns:
                assert found is not None


@given(texts)
def test_as_many_props_land_in_a_slot_as_are_thrown_in_it(text: str) -> None:
    cycle = throw_cycle(read_siteswap(text))
    for slot in cycle.slots:
        landing = list(cycle.landing_in(slot))
        assert len(landing) == len(cycle.made_in(slot))
        for index, rounds in landing:
            made = cycle.later(cycle.throws[index].slot, rounds)
            assert made[0] + cycle.throws[index].value == slot[0]
    for index, throw in enumerate(cycle.throws):
        assert index in cycle.made_in(throw.slot)
        assert (index, 0) in cycle.landing_in(throw.lands)


@given(texts, st.integers(-3, 3))
def test_a_slot_of_any_round_is_one_of_the_first(text: str, rounds: int) -> None:
    cycle = throw_cycle(read_siteswap(text))
    for slot in cycle.slots:
        assert cycle.home(cycle.later(slot, rounds)) == (slot, rounds)


@given(texts, st.integers(1, 4))
def test_rounds_written_out_are_as_short_again(text: str, rounds: int) -> None:
    shortest = throw_cycle(read_siteswap(text)).shortest()
    # A round that is the first half of itself mirrored is written out as such only in pairs.
    written_out = shortest.times(rounds)
    assert written_out.shortest().period == shortest.period
    assert written_out.shortest() == shortest
    for period in range(-1, shortest.period + 2):
        assert shortest.first_round(period) is None


@given(texts, st.data())
def test_two_landings_that_are_exchanged_twice_are_as_before(
    text: str, data: st.DataObject
) -> None:
    cycle = throw_cycle(read_siteswap(text))
    assume(len(cycle.throws) > 1 and all(throw.held is None for throw in cycle.throws))
    one, other = data.draw(st.permutations(range(len(cycle.throws))))[:2]
    landings = {one: cycle.throws[other].lands, other: cycle.throws[one].lands}
    late = all(slot[0] > cycle.throws[index].beat for index, slot in landings.items())
    assume(late)
    exchanged = cycle.with_landings(landings)
    assert exchanged.props == cycle.props
    back = exchanged.with_landings({one: cycle.throws[one].lands, other: cycle.throws[other].lands})
    assert back == cycle


def cycle_of(text: str) -> Cycle:
    return throw_cycle(read_siteswap(text))


def test_a_throw_that_lands_where_it_is_made_is_none_and_none_lands_before() -> None:
    cycle = cycle_of("441")
    assert [throw.value for throw in cycle.with_landings({2: (2, 0)}).throws] == [4, 4]
    with pytest.raises(EditError, match="before it is thrown"):
        cycle.with_landings({2: (1, 0)})
    both = cycle_of("(4,4)")
    for index, throw in enumerate(both.throws):
        with pytest.raises(EditError, match="before it is thrown"):
            both.with_landings({index: (throw.beat, 1 - throw.row)})


def test_slots_are_regular_where_hands_throw_at_even_intervals() -> None:
    for text in ("3", "(6x,4)(4,6x)", "<3p 3|3p 3>", "R4L4", "40"):
        assert cycle_of(text).with_regular_slots().is_regular
    uneven = cycle_of("R3R3xL3L3x")
    assert uneven.with_regular_slots().slots == uneven.row_slots


def test_hands_are_numbered_juggler_by_juggler_left_before_right() -> None:
    hands = [(juggler, hand) for juggler in range(3) for hand in (LEFT, RIGHT)]
    for number, (juggler, hand) in enumerate(hands):
        for to_number, (to_juggler, to_hand) in enumerate(hands):
            throw = Throw(0, juggler, hand, 3, to_juggler, to_hand)
            assert (hand_of(throw), catching_hand(throw)) == (number, to_number)
            assert divmod(hand_of(throw), 2) == (juggler, hand)


@given(texts, st.integers(1, 4))
def test_a_loop_that_is_gone_through_again_and_again_has_the_same_orbits(
    text: str, times: int
) -> None:
    pattern = read_siteswap(text)
    more = repeated(pattern, times)
    assert more.period == times * pattern.period
    assert more.props == pattern.props
    assert len(more.throws) == times * len(pattern.throws)
    assert len(set(more.turns)) == times * len(set(pattern.turns))
    assert {(throw.beat % pattern.period, *throw[1:]) for throw in more.throws} == set(
        pattern.throws
    )
    assert {(beat % pattern.period, *who) for beat, *who in more.turns} == set(pattern.turns)


@given(texts)
def test_sites_are_hands_and_beats_of_throws(text: str) -> None:
    pattern = read_siteswap(text)
    assert list(pattern.sites) == [(hand_of(throw), throw.beat) for throw in pattern.throws]
