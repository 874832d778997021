from fractions import Fraction

import pytest

from juggle_anim.notation.numbers import mixed_number


@pytest.mark.parametrize(
    ("number", "text"),
    [("3", "3"), ("0", "0"), ("1/2", "½"), ("8/3", "2⅔"), ("37/11", "3 4/11"), ("4/11", "4/11"), ("23/4", "5¾")],
)
def test_broken_numbers_are_written_as_people_do(number: str, text: str) -> None:
    assert mixed_number(Fraction(number)) == text
