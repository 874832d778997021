from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.prechac.syntax import PrechacThrow, fitted_value, nearest_value, rounded_text


def _throw(text: str) -> PrechacThrow:
    return PrechacThrow(text, 0, Fraction(text), len(text.partition(".")[2]))


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
def test_a_pass_stands_for_the_value_that_its_receiver_needs(text: str, later: str, value: str) -> None:
    assert fitted_value(_throw(text), Fraction(later)) == Fraction(value)


@pytest.mark.parametrize(("text", "later"), [("3", "1/2"), ("3.5", "1"), ("3.5", "2/3"), ("3.66", "3/5"), ("3.9", "0")])
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
def test_the_likeliest_value_is_a_share_of_the_jugglers_or_else_simple(text: str, jugglers: int, value: str) -> None:
    assert nearest_value(_throw(text), jugglers) == Fraction(value)


def test_a_value_that_is_no_simple_fraction_is_taken_as_written() -> None:
    assert nearest_value(_throw("3.141593"), 2) == Fraction("3.141593")


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 6), st.booleans())
def test_cut_off_or_rounded_a_value_is_found_again(part: int, parts: int, decimals: int, rounded: bool) -> None:
    value = 3 + Fraction(part, parts) % 1
    scaled = value * 10**decimals
    digits = round(scaled) if rounded else int(scaled)
    written = PrechacThrow("", 0, Fraction(digits, 10**decimals), decimals)
    if written.value < 4:
        assert fitted_value(written, value) == value


def test_values_are_shown_as_people_write_them() -> None:
    assert [rounded_text(Fraction(text)) for text in ("3", "7/2", "11/3", "13/3")] == ["3", "3.5", "3.67", "4.33"]
