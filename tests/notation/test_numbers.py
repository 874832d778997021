from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.limits import decimals, mixed_number, whole_number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (-0.0, "0"),
        (-1e-9, "0"),
        (100.0, "100"),
        (1 / 3, "0.33333"),
        (-2.5, "-2.5"),
        (1e7, "10000000"),
    ],
)
def test_numbers_are_written_without_noise(value: float, text: str) -> None:
    assert decimals(value, 5) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("3", "3"),
        ("0", "0"),
        ("1/2", "½"),
        ("8/3", "2⅔"),
        ("37/11", "3 4/11"),
        ("4/11", "4/11"),
        ("23/4", "5¾"),
    ],
)
def test_broken_numbers_are_written_as_people_do(number: str, text: str) -> None:
    assert mixed_number(Fraction(number)) == text


@given(st.integers(min_value=0, max_value=3000), st.integers(min_value=0, max_value=3000))
def test_a_number_up_to_the_most_is_read(number: int, most: int) -> None:
    assert whole_number(str(number), most) == (number if number <= most else None)


def test_zeros_before_a_number_mean_nothing() -> None:
    assert whole_number("000012", 12) == 12
    assert whole_number("0000", 12) == 0


@pytest.mark.parametrize("digits", ["9" * 5_000, "9" * 1_000_000])
def test_a_number_of_any_length_is_too_great(digits: str) -> None:
    assert whole_number(digits, 1_000) is None
