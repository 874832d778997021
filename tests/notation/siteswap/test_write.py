"""Whatever is written must be read back as the same throws."""

import pytest
from hypothesis import given
from siteswap_strategies import valid_passing_siteswaps, valid_siteswaps

from juggle_anim.errors import PatternError
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.siteswap.write import throw_text, write_siteswap
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw, value_text


@given(valid_siteswaps() | valid_passing_siteswaps())
def test_what_is_written_is_read_back_as_the_same_throws(text: str) -> None:
    pattern = read_siteswap(text)
    again = read_siteswap(write_siteswap(pattern))
    assert (again.throws, again.period, again.jugglers) == (
        pattern.throws,
        pattern.period,
        pattern.jugglers,
    )


SHORT = [
    *(
        "3",
        "531",
        "441",
        "40",
        "[54]24",
        "(6x,4)*",
        "(4,4)",
        "(4x,2x)(2,4)",
        "L531",
        "R3x",
        "{36}",
        "db97531",
        "piano",
    ),
    *(
        "(4x,2x)(2,4)",
        "5B3H4T",
        "5BHF",
        "5BB",
        "5BH",
        "2T",
        "1H",
        "0",
        "([44],[22])",
        "(4,3x)!",
        "4x1(4x,3x)*",
    ),
    *(
        "<3p 3|3p 3>",
        "<R|L><4xp 3|3 4xp>",
        "<3p2|3p3|3p1>",
        "<(4xp,4xp)|(4xp,4xp)>",
        "(531^3)",
        "<5p B 3|5p 3 B>",
    ),
]


@pytest.mark.parametrize("text", SHORT)
def test_a_siteswap_of_each_kind_is_written_no_longer_than_people_write_it(text: str) -> None:
    written = write_siteswap(read_siteswap(text))
    assert read_siteswap(written).throws == read_siteswap(text).throws
    assert len(written.replace(" ", "")) <= len(text.replace(" ", "")) + 1, written


def test_repeats_are_written_as_such() -> None:
    assert write_siteswap(read_siteswap("531531")) == "531"
    assert write_siteswap(read_siteswap("(6x,4)(4,6x)")) == "(6x,4)*"
    assert write_siteswap(read_siteswap("441" * 8)) == "(441^8)"
    assert write_siteswap(read_siteswap("<3p 3|3p 3>" * 3)) == "(<3p 3|3p 3>^3)"


def test_hands_that_stand_with_a_0_keep_their_turn() -> None:
    for text in ("501", "(4,0)", "(6,0)(2,0)", "50505"):
        assert read_siteswap(write_siteswap(read_siteswap(text))).turns == read_siteswap(text).turns


def test_a_hand_that_throws_on_odd_beats_of_an_odd_period_is_named() -> None:
    throws = (Throw(1, 0, RIGHT, 3, 0, RIGHT),)
    written = write_siteswap(Pattern("", throws, 3, 3))
    assert read_siteswap(written).throws == throws
    assert read_siteswap(written).period == 3


def test_a_throw_is_written_with_its_flags() -> None:
    assert throw_text(Throw(0, 0, LEFT, 4, 1, RIGHT), 3) == "4xp2"
    assert throw_text(Throw(0, 0, LEFT, 12, 0, LEFT, 2, "force")) == "cBBF"
    assert [value_text(value) for value in (9, 10, 25, 33, 35, 36)] == [
        "9",
        "a",
        "p",
        "{33}",
        "z",
        "{36}",
    ]
    assert value_text(25, flags="xp") == "{25}"


def test_what_no_siteswap_says_is_refused() -> None:
    halves = Pattern("", (Throw(0, 0, RIGHT, 3, 0, RIGHT),), 3, 3, division=2)
    with pytest.raises(PatternError, match="parts of beats, 2"):
        write_siteswap(halves)
    wild = tuple(
        Throw(beat, 0, beat * beat // 7 % 2, 2000, 0, beat * beat // 7 % 2) for beat in range(2000)
    )
    with pytest.raises(PatternError, match="more than 5000 characters"):
        write_siteswap(Pattern("", wild, 2000, 2000))
