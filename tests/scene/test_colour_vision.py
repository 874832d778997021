import numpy as np
import pytest
from colour_vision import EYES, contrast, difference, lab, least_difference

# Pairs 1, 7, 13, 17, 22 and 34 of table 1 of Sharma, Wu and Dalal (2005).
PAIRS = (
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, -0.0010, 2.4900), (50.0, 0.0009, -2.4900), 4.8045),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((50.0, 2.5, 0.0), (50.0, 3.2592, 0.3350), 1.0000),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
)


@pytest.mark.parametrize(("first", "second", "expected"), PAIRS)
def test_differences_are_those_that_were_published(
    first: object, second: object, expected: float
) -> None:
    assert difference(np.array([first]), np.array([second]))[0] == pytest.approx(expected, abs=1e-4)


def test_white_is_white_to_all_eyes_and_red_and_green_are_alike_to_some() -> None:
    for eyes in EYES.values():
        assert lab([(1, 1, 1)], eyes)[0] == pytest.approx((100, 0, 0), abs=0.1)
    red_and_green = ((0.75, 0.35, 0.2), (0.45, 0.5, 0.2))
    assert least_difference(red_and_green, EYES["usual"]) > 25
    assert least_difference(red_and_green, EYES["deuteranopia"]) < 12


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21.0)
    assert contrast((0.4667, 0.4667, 0.4667), (1, 1, 1)) == pytest.approx(4.48, abs=0.02)
