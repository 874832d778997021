from fractions import Fraction

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.exporter.video import frame_rate, frame_ticks
from juggle_anim.exporter.view import FrameRequest


@pytest.mark.parametrize("fps", [7.3, 24, 29.97, 50])
@pytest.mark.parametrize("a_second", [100, 1000])
def test_no_picture_is_more_than_half_a_tick_off_and_neither_is_the_end(
    fps: float, a_second: int
) -> None:
    shots = FrameRequest(animate("531"), (8, 6), fps, loops=3)
    found = frame_ticks(shots, a_second)
    exact = np.arange(shots.frames + 1) * shots.duration * a_second / shots.frames
    assert found[0] == 0
    assert np.abs(found - exact).max() <= 0.5


@pytest.mark.parametrize(
    ("fps", "rate"),
    [
        (60, Fraction(60)),
        (100 / 3, Fraction(100, 3)),
        (29.9, Fraction(299, 10)),
        (23.976, Fraction(24000, 1001)),
        (23.98, Fraction(24000, 1001)),
        (24000 / 1001, Fraction(24000, 1001)),
        (29.97, Fraction(30000, 1001)),
        (59.94, Fraction(60000, 1001)),
    ],
)
def test_a_rate_is_a_fraction_and_those_of_television_are_theirs(
    fps: float, rate: Fraction
) -> None:
    assert frame_rate(fps) == rate
