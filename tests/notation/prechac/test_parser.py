from fractions import Fraction

import pytest

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_BOUNCES
from juggle_anim.notation.prechac.parser import parse_prechac
from juggle_anim.notation.siteswap.syntax import NEXT_JUGGLER, WrittenThrow
from juggle_anim.pattern import LEFT, RIGHT


def _thrown(text: str) -> list[WrittenThrow]:
    return [
        throw for line in parse_prechac(text).lines for slot in line.slots for throw in slot.throws
    ]


def test_a_throw_knows_where_and_how_it_is_written() -> None:
    throw = _thrown("3 4.50xp2BF")[1]
    assert (throw.text, throw.start, throw.value, throw.decimals) == (
        "4.50xp2BF",
        2,
        Fraction(9, 2),
        2,
    )
    assert (throw.crossing, throw.receiver, throw.modifier.bounce_style) == (True, 2, "force")


def test_flags_stand_in_any_order() -> None:
    assert [(throw.crossing, throw.receiver) for throw in _thrown("(4xp, 4px)")] == [
        (True, NEXT_JUGGLER)
    ] * 2
    assert _thrown("5pb 1")[0].modifier == _thrown("5bp 1")[0].modifier


def test_a_throw_bounces_as_often_as_is_allowed() -> None:
    assert _thrown(f"5p{'B' * MAX_BOUNCES} 1")[0].modifier.bounces == MAX_BOUNCES
    with pytest.raises(NotationError, match="no throw can bounce 21 times"):
        _thrown(f"5p{'B' * (MAX_BOUNCES + 1)} 1")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("15 3p", [15, 3]),
        ("15p3", [1, 5, 3]),
        ("{120}p a 3", [120, 10, 3]),
        ("[43.5p]21", [4, 3.5, 2, 1]),
        ("(10,4xp)", [10, 4]),
        ("bp 7", [11, 7]),
        ("3p / 3", [3, 3]),
    ],
)
def test_values_are_numbers_between_spaces_and_single_digits_without(
    text: str, values: list[float]
) -> None:
    assert [throw.value for throw in _thrown(text)] == values


def test_a_pair_takes_two_beats_or_one() -> None:
    assert parse_prechac("(4, 4) (3p, 3p)").lines[0].beats == 4
    assert parse_prechac("(4, 4)! 3p").lines[0].beats == 2


def test_a_line_knows_its_first_hand_and_whether_it_swaps() -> None:
    assert [line.first_hand for line in parse_prechac("<L 3.5 | R 3.5>").lines] == [LEFT, RIGHT]
    assert [line.swaps for line in parse_prechac("<(3p, 4)* | (3xp, 4)>").lines] == [True, False]


@pytest.mark.parametrize(
    ("text", "lines", "jugglers"),
    [
        ("3p 3", 1, None),
        ("3p 3 for 4", 1, 4),
        ("3p 3 FOR 4 Jugglers ", 1, 4),
        ("2 3p fed by 3p", 2, None),
        ("2 3p FED  BY 3p for 3", 2, 3),
        ("<3|3p|3>", 3, 3),
    ],
)
def test_a_text_says_who_throws(text: str, lines: int, jugglers: int | None) -> None:
    written = parse_prechac(text)
    assert (len(written.lines), written.jugglers) == (lines, jugglers)
    assert written.feeds == ("fed" in text.lower())


def test_between_sides_a_fraction_is_a_pass() -> None:
    assert [throw.receiver for throw in _thrown("<4.5 3|3 4.5>")] == [
        NEXT_JUGGLER,
        None,
        None,
        NEXT_JUGGLER,
    ]
