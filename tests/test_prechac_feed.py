from fractions import Fraction

import pytest
from work import ONE_SECOND, at_most

from juggle_anim.errors import NotationError
from juggle_anim.notation.prechac import read_prechac
from juggle_anim.notation.prechac.matching import SearchBudget
from juggle_anim.notation.prechac.parser import parse_prechac
from juggle_anim.notation.prechac.read import resolve_feed


def test_the_feeder_is_the_last_juggler_and_passes_to_all_by_turns() -> None:
    pattern = read_prechac("3p 3 3 3 fed by 3p 3")
    assert (pattern.jugglers, pattern.props, pattern.period, pattern.division) == (3, 9, 4, 1)
    assert [throw.to_juggler for throw in pattern.throws if throw.juggler == 2] == [0, 2, 1, 2]
    assert {throw.to_juggler for throw in pattern.throws if throw.juggler == 0} == {0, 2}


def test_those_who_are_fed_share_out_their_line_and_the_feeder_begins_where_passes_fit() -> None:
    fed, feeder = parse_prechac("4 0 3p 0 2 0 fed by 4 2 3p").lines
    cast = resolve_feed(fed, feeder, 3, SearchBudget(1_000))
    assert cast is not None
    assert [part.start for part in cast.parts[:2]] == [0, 3]
    assert cast.parts[2].start == Fraction(0)


def test_three_can_be_fed() -> None:
    pattern = read_prechac("3p 3 3 3 3 3 fed by 3p 3", 4)
    assert (pattern.jugglers, pattern.props) == (4, 12)
    assert read_prechac("3p 3 3 3 3 3 fed by 3p 3").jugglers == 4


def test_a_feeder_may_say_whom_a_pass_is_for() -> None:
    pattern = read_prechac("3p 3 3 3 fed by 3p2 3 3p1 3")
    assert sorted({throw.to_juggler for throw in pattern.throws if throw.juggler == 2}) == [0, 1, 2]


@pytest.mark.parametrize("text", ["3p 3 3 3 fed by 3p 4", "3 3 fed by 3p 3", "3p 3 fed by 3 3", "2.5p 3 fed by 3p 3"])
def test_a_feed_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_prechac(text)
    assert caught.value.accepted


def test_a_long_feeder_that_fits_nowhere_is_refused_at_once() -> None:
    with at_most(ONE_SECOND), pytest.raises(NotationError):
        read_prechac("92 0 4 03p 0 fed " + "by 4 2 3pd " * 3 + "xy 4 2 3pd " + "by 4 2 3pd " * 16 + "by 4 2 3p")
