import dataclasses

import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.errors import PatternError
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw


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
    """A throw of value v is under way on v beats, so each beat meets ⌊v / period⌋ laps of it or one more."""
    pattern = read_siteswap(text)
    for beat in range(pattern.period):
        under_way = sum(
            (throw.value - (beat - throw.beat) % pattern.period - 1) // pattern.period + 1 for throw in pattern.throws
        )
        assert under_way == pattern.props
