from fractions import Fraction

import pytest

from juggle_anim.notation.prechac import read_prechac
from juggle_anim.notation.prechac.parser import parse_prechac
from juggle_anim.notation.prechac.placement import resolve_sides


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
    assert [part.start for part in cast.parts] == [Fraction(start) for start in starts]


def test_seven_clubs_of_two_are_divided_into_half_beats() -> None:
    pattern = read_prechac("<4.5 3 3 | 3 4 3.5>")
    assert (pattern.jugglers, pattern.props, pattern.division) == (2, 7, 2)
    assert (pattern.written_period, pattern.period) == (6, 12)


def test_a_broken_pass_need_not_be_marked() -> None:
    assert read_prechac("<4.5 3 3 | 3 4 3.5>").throws == read_prechac("<4.5p 3 3 | 3 4 3.5p>").throws


def test_a_number_after_the_p_names_the_juggler() -> None:
    pattern = read_prechac("<3.5p3 | 3 | 3.5p1>")
    assert [(throw.juggler, throw.to_juggler) for throw in pattern.throws[:3]] == [(0, 2), (1, 1), (2, 0)]


def test_a_star_swaps_the_hands_of_its_side() -> None:
    pattern = read_prechac("<(3p, 4)* | (3xp, 4)*>")
    assert (pattern.props, pattern.period, pattern.written_period) == (7, 4, 4)
