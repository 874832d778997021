import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.notation.numbers import whole_number


@given(st.integers(min_value=0, max_value=3000), st.integers(min_value=0, max_value=3000))
def test_a_number_up_to_the_most_is_read(number: int, most: int) -> None:
    assert whole_number(str(number), most) == (number if number <= most else None)


def test_zeros_before_a_number_mean_nothing() -> None:
    assert whole_number("000012", 12) == 12
    assert whole_number("0000", 12) == 0


@pytest.mark.parametrize("digits", ["9" * 5_000, "9" * 1_000_000])
def test_a_number_of_any_length_is_too_great(digits: str) -> None:
    assert whole_number(digits, 1_000) is None
