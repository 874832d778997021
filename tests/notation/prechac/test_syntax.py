from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.prechac.parser import (
    CatchSlots,
    Line,
    fitted_value,
    landing_hand,
    nearest_value,
    parse_prechac,
    rounded_text,
)
from juggle_anim.notation.siteswap.syntax import WrittenThrow
from juggle_anim.pattern import LEFT, RIGHT


def _line(text: str) -> Line:
    return parse_prechac(text).lines[0]


@pytest.mark.parametrize(
    ("text", "loop"),
    [("3p 3", 2), ("3p 3 3", 6), ("3p 3*", 2), ("(4p, 4)", 2), ("(4p, 4)*", 4), ("3p (4, 4)", 3)],
)
def test_a_line_begins_again_once_both_hands_do(text: str, loop: int) -> None:
    assert _line(text).loop == loop


def test_hands_take_turns_through_all_rounds() -> None:
    hands = [hand for _, hand, _ in _line("3p 3 3").slots_until(6)]
    assert hands == [RIGHT, LEFT] * 3
    assert [hand for _, hand, _ in _line("L3p 3 3").slots_until(6)] == [LEFT, RIGHT] * 3


def test_a_star_swaps_the_hands_of_every_second_round() -> None:
    thrown = [
        (beat, hand, slot.throws[0].text) for beat, hand, slot in _line("(4p, 2)*").slots_until(4)
    ]
    assert thrown == [(0, LEFT, "4p"), (0, RIGHT, "2"), (2, RIGHT, "4p"), (2, LEFT, "2")]


def test_zeros_are_not_thrown() -> None:
    assert [[throw.text for throw in slot.thrown] for slot in _line("0 [0 3p] 3").slots] == [
        [],
        ["3p"],
        ["3"],
    ]


def _thrown(text: str) -> tuple[CatchSlots, list[WrittenThrow]]:
    line = parse_prechac(text).lines[0]
    return CatchSlots(line, line.beats), [throw for slot in line.slots for throw in slot.throws]


def test_a_line_catches_as_many_as_it_throws() -> None:
    assert _thrown("[4 3p] 0 1")[0].capacity == {(0, None): 2, (1, None): 0, (2, None): 1}
    assert _thrown("(4, 0)")[0].capacity == {(0, LEFT): 1, (0, RIGHT): 0}


def test_where_hands_take_turns_the_next_one_catches_and_nothing_crosses() -> None:
    slots, (plain, crossing, _) = _thrown("3p 3xp 3")
    assert slots.landing_slot(4, RIGHT, plain) == (1, None)
    assert slots.landing_slot(4, RIGHT, crossing) is None


def test_where_both_hands_catch_odd_throws_and_x_go_across() -> None:
    _, throws = _thrown("(4p, 5p) (4xp, 5xp)")
    assert [landing_hand(LEFT, throw) for throw in throws] == [LEFT, RIGHT, RIGHT, LEFT]


def _throw(text: str) -> WrittenThrow:
    return WrittenThrow(Fraction(text), decimals=len(text.partition(".")[2]), text=text)


@pytest.mark.parametrize(
    ("text", "later", "value"),
    [
        ("3.5", "1/2", "7/2"),
        ("3.5", "3/2", "7/2"),
        ("3.6", "2/3", "11/3"),
        ("3.67", "2/3", "11/3"),
        ("4.3", "4/3", "13/3"),
        ("3.5", "4/7", "25/7"),
        ("3.6", "3/5", "18/5"),
        ("3", "2", "3"),
        ("3.0", "1", "3"),
    ],
)
def test_a_pass_stands_for_the_value_that_its_receiver_needs(
    text: str, later: str, value: str
) -> None:
    assert fitted_value(_throw(text), Fraction(later)) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "later"), [("3", "1/2"), ("3.5", "1"), ("3.5", "2/3"), ("3.66", "3/5"), ("3.9", "0")]
)
def test_a_pass_stands_for_no_other_value(text: str, later: str) -> None:
    assert fitted_value(_throw(text), Fraction(later)) is None


@pytest.mark.parametrize(
    ("text", "jugglers", "value"),
    [
        ("3.5", 2, "7/2"),
        ("3.5", 3, "7/2"),
        ("3.3", 3, "10/3"),
        ("3.6", 5, "18/5"),
        ("3.6", 2, "11/3"),
        ("4", 3, "4"),
        ("3.75", 2, "15/4"),
    ],
)
def test_the_likeliest_value_is_a_share_of_the_jugglers_or_else_simple(
    text: str, jugglers: int, value: str
) -> None:
    assert nearest_value(_throw(text), jugglers) == Fraction(value)


def test_a_value_that_is_no_simple_fraction_is_taken_as_written() -> None:
    assert nearest_value(_throw("3.141593"), 2) == Fraction("3.141593")


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 6), st.booleans())
def test_cut_off_or_rounded_a_value_is_found_again(
    part: int, parts: int, decimals: int, rounded: bool
) -> None:
    value = 3 + Fraction(part, parts) % 1
    scaled = value * 10**decimals
    digits = round(scaled) if rounded else int(scaled)
    written = WrittenThrow(Fraction(digits, 10**decimals), decimals=decimals)
    if written.value < 4:
        assert fitted_value(written, value) == value


def test_values_are_shown_as_people_write_them() -> None:
    assert [rounded_text(Fraction(text)) for text in ("3", "7/2", "11/3", "13/3")] == [
        "3",
        "3.5",
        "3.67",
        "4.33",
    ]
