from fractions import Fraction

import pytest
from hypothesis import given
from prechac_strategies import Drawn, prechac_lines

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_DIVISION
from juggle_anim.notation.prechac import read_prechac
from juggle_anim.notation.prechac.parser import parse_prechac, resolve_sides
from juggle_anim.pattern import LEFT, RIGHT, Throw


def test_beats_are_divided_until_all_throw_on_whole_parts() -> None:
    pattern = read_prechac("3.6p 3", 3)
    assert (pattern.division, pattern.written_period, pattern.period) == (3, 6, 6)
    assert pattern.throws[:2] == (Throw(0, 0, RIGHT, 11, 1, LEFT), Throw(1, 2, LEFT, 9, 2, RIGHT))


def test_empty_hands_have_their_turns_too() -> None:
    assert read_prechac("3p 0", 2).turns == (
        (0, 0, RIGHT),
        (0, 1, LEFT),
        (1, 0, LEFT),
        (1, 1, RIGHT),
    )


def test_an_odd_line_swaps_hands() -> None:
    pattern = read_prechac("2.5p 1 1")
    assert (pattern.written_period, pattern.period) == (6, 12)
    passes = [throw for throw in pattern.throws if throw.juggler == 0 != throw.to_juggler]
    assert [throw.hand for throw in passes] == [RIGHT, LEFT]


def test_a_multiplex_keeps_its_order() -> None:
    throws = read_prechac("[4 3.5p] 2 1").throws
    assert [throw.value for throw in throws if throw.beat == 0 == throw.juggler] == [8, 7]


@given(prechac_lines())
def test_hands_and_throws_are_consistent(drawn: Drawn) -> None:
    pattern = read_prechac(drawn.text, drawn.jugglers)
    assert [throw[:3] for throw in pattern.throws] == sorted(throw[:3] for throw in pattern.throws)
    assert set(pattern.turns) >= {throw[:3] for throw in pattern.throws}
    assert len(pattern.turns) == drawn.jugglers * pattern.period // pattern.division
    assert pattern.period in (pattern.written_period, 2 * pattern.written_period)


def test_too_many_parts_of_a_beat_are_refused() -> None:
    assert read_prechac(f"3p for {MAX_DIVISION}").division == 1
    with pytest.raises(NotationError, match="divide each beat into 101 parts"):
        read_prechac("3.0099p for 101")


def test_too_many_props_are_refused() -> None:
    with pytest.raises(NotationError, match="this needs 6000 props"):
        read_prechac("{600}p for 10")


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("<4.5 3 3 | 3 4 3.5>", ["0", "1/2"]),
        ("<3.3p | 3.3p | 3.3p>", ["0", "1/3", "2/3"]),
        ("<3.5p2 | 3.5p1 | 3>", ["0", "1/2", "0"]),
        ("<3 3.25p3 | 3 3 | 3.75p1 3>", ["0", "0", "1/4"]),
        ("<(3p, 4)* | (3xp, 4)*>", ["0", "1"]),
    ],
)
def test_who_gets_a_broken_pass_begins_so_much_later(text: str, starts: list[str]) -> None:
    cast = resolve_sides(parse_prechac(text).lines)
    assert [part.start for part in cast.juggler_lines] == [Fraction(start) for start in starts]


def test_seven_clubs_of_two_are_divided_into_half_beats() -> None:
    pattern = read_prechac("<4.5 3 3 | 3 4 3.5>")
    assert (pattern.jugglers, pattern.props, pattern.division) == (2, 7, 2)
    assert (pattern.written_period, pattern.period) == (6, 12)


def test_a_broken_pass_need_not_be_marked() -> None:
    assert (
        read_prechac("<4.5 3 3 | 3 4 3.5>").throws == read_prechac("<4.5p 3 3 | 3 4 3.5p>").throws
    )


def test_a_number_after_the_p_names_the_juggler() -> None:
    pattern = read_prechac("<3.5p3 | 3 | 3.5p1>")
    assert [(throw.juggler, throw.to_juggler) for throw in pattern.throws[:3]] == [
        (0, 2),
        (1, 1),
        (2, 0),
    ]


def test_a_star_swaps_the_hands_of_its_side() -> None:
    pattern = read_prechac("<(3p, 4)* | (3xp, 4)*>")
    assert (pattern.props, pattern.period, pattern.written_period) == (7, 4, 4)
