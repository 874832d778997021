import pytest

from juggle_anim.notation.numbers import decimals


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
