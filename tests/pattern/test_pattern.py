import dataclasses

import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.errors import PatternError
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw
from juggle_anim.pattern.pattern import find_landings


def test_an_impossible_pattern_cannot_be_made() -> None:
    with pytest.raises(PatternError):
        Pattern("3", (Throw(0, 0, RIGHT, 3, 0, LEFT),), period=1, written_period=1)


def test_a_pattern_is_frozen_and_compares_by_what_is_thrown() -> None:
    pattern = read_siteswap("51")
    assert pattern == read_siteswap("51")
    assert hash(pattern) == hash(read_siteswap("51"))
    assert pattern != read_siteswap("15")
    with pytest.raises(dataclasses.FrozenInstanceError):
        pattern.period = 3  # type: ignore[misc]


def test_a_pattern_without_throws_has_no_props() -> None:
    pattern = read_siteswap("0")
    assert (pattern.props, pattern.throws, pattern.landings, pattern.orbits) == (0, (), (), ())


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_throws_stand_in_the_order_of_their_beats_and_hands(text: str) -> None:
    throws = read_siteswap(text).throws
    assert [throw[:3] for throw in throws] == sorted(throw[:3] for throw in throws)
    assert all(throw.value > 0 for throw in throws)


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_props_in_the_air_or_held_are_as_many_on_every_beat(text: str) -> None:
    """A throw of value v is under way on v beats, so each beat meets ⌊v / period⌋ laps of it or one
    more.
    """
    pattern = read_siteswap(text)
    for beat in range(pattern.period):
        under_way = sum(
            (throw.value - (beat - throw.beat) % pattern.period - 1) // pattern.period + 1
            for throw in pattern.throws
        )
        assert under_way == pattern.props


def _throw(beat: int, value: int, hand: int = RIGHT, to_hand: int = RIGHT) -> Throw:
    return Throw(beat, 0, hand, value, 0, to_hand)


def test_531_lands_where_its_values_say() -> None:
    assert read_siteswap("531").landings == (5, 4, 3, 2, 1, 0)


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_a_prop_lands_in_the_hand_and_on_the_beat_of_its_next_throw(text: str) -> None:
    pattern = read_siteswap(text)
    assert sorted(pattern.landings) == list(range(len(pattern.throws)))
    for throw, landing in zip(pattern.throws, pattern.landings, strict=True):
        following = pattern.throws[landing]
        assert following.beat == (throw.beat + throw.value) % pattern.period
        assert (following.juggler, following.hand) == (throw.to_juggler, throw.to_hand)


def test_of_several_props_in_one_hand_the_one_thrown_first_makes_the_throw_written_first() -> None:
    assert find_landings([_throw(0, 1), _throw(0, 3), _throw(0, 2)], period=1) == (2, 0, 1)
    assert find_landings([_throw(0, 2), _throw(0, 2)], period=1) == (0, 1)


def test_two_props_for_one_throw_blame_the_throw_written_last() -> None:
    with pytest.raises(
        PatternError,
        match="two props would land in the same hand at once: the 4 thrown on beat 1 and the "
        "3 thrown on beat 2, in the right hand on beat 5",
    ) as caught:
        find_landings([_throw(0, 4), _throw(1, 3), _throw(2, 2)], period=3)
    assert caught.value.throw == 1


def test_a_throw_of_an_earlier_repetition_is_named_by_the_beat_on_which_both_can_be_seen() -> None:
    with pytest.raises(
        PatternError,
        match="two props would land in the same hand at once: the 5 thrown on beat 1 and the "
        "1 thrown on beat 5, in the right hand on beat 6",
    ):
        find_landings([_throw(0, 5), _throw(1, 1), _throw(2, 3)], period=3)


def test_three_props_for_two_throws_are_told() -> None:
    with pytest.raises(
        PatternError, match="the 2 thrown on beat 1, the 2 thrown on beat 1 and the 1 thrown on"
    ) as caught:
        find_landings([_throw(0, 2), _throw(0, 2), _throw(1, 1)], period=2)
    assert caught.value.throw == 2


def test_a_prop_for_an_empty_hand_is_told() -> None:
    with pytest.raises(
        PatternError,
        match="the 3 thrown on beat 1 lands in the left hand on beat 4, but that hand throws "
        "nothing",
    ) as caught:
        find_landings([_throw(0, 3, RIGHT, LEFT)], period=1)
    assert caught.value.throw == 0


def test_among_several_jugglers_those_who_throw_and_catch_are_named() -> None:
    expected = "the 3 thrown by juggler 1 on beat 1 lands in the left hand of juggler 2 on beat 4"
    with pytest.raises(PatternError, match=expected):
        find_landings([Throw(0, 0, RIGHT, 3, 1, LEFT)], period=1, jugglers=2)


def test_the_orbits_of_531() -> None:
    orbits = read_siteswap("531").orbits
    assert [orbit.throws for orbit in orbits] == [(0, 5), (1, 4), (2, 3)]
    assert [(orbit.beats, orbit.props) for orbit in orbits] == [(6, 1), (6, 1), (6, 1)]


def test_a_cascade_is_one_orbit_of_all_props() -> None:
    (orbit,) = read_siteswap("5").orbits
    assert (orbit.throws, orbit.beats, orbit.props) == ((0, 1), 10, 5)


def test_a_fountain_is_one_orbit_per_hand() -> None:
    assert [orbit.props for orbit in read_siteswap("4").orbits] == [2, 2]


@given(valid_siteswaps())
def test_orbits_share_out_all_throws_and_all_props(text: str) -> None:
    pattern = read_siteswap(text)
    throws = [throw for orbit in pattern.orbits for throw in orbit.throws]
    assert sorted(throws) == list(range(len(pattern.throws)))
    assert sum(orbit.props for orbit in pattern.orbits) == pattern.props


@given(valid_siteswaps())
def test_an_orbit_follows_the_landings_round_and_begins_with_its_first_throw(text: str) -> None:
    pattern = read_siteswap(text)
    for orbit in pattern.orbits:
        following = (*orbit.throws[1:], orbit.throws[0])
        assert tuple(pattern.landings[throw] for throw in orbit.throws) == following
        assert orbit.beats == orbit.props * pattern.period
        assert orbit.throws[0] == min(orbit.throws)
    firsts = [orbit.throws[0] for orbit in pattern.orbits]
    assert firsts == sorted(firsts)
