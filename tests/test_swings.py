import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.motion.hand_paths import MAX_DOWN, MAX_UP, swings

speeds = st.floats(0.7, 60.0)
times = st.floats(0.03, 3.0)


@given(speeds, times, times, st.floats(-20.0, 40.0))
def test_a_swing_is_one_course_that_passes_the_throw_with_its_speed(
    speed: float, before: float, after: float, slowing: float
) -> None:
    found = swings(*(np.array([value]) for value in (speed, before, after, slowing)))
    lowest, turn, highest = found.time[0]
    down, fall, up = found.height[0]
    gathers, _, slows = found.acceleration[0]
    fastest = found.velocity[0, 1]
    assert -0.99 * before < lowest < turn < 0 < highest < after
    assert found.release[0] == slows <= -max(slowing, 0.0) * (1 - 1e-9)
    assert -MAX_DOWN <= down < fall < 0 < up <= MAX_UP
    # Evenly from the lowest point to the turn, …
    rise = turn - lowest
    assert gathers * rise == pytest.approx(fastest)
    assert down + gathers * rise**2 / 2 == pytest.approx(fall, abs=1e-6)
    # … then with an acceleration that changes evenly until the throw, …
    assert fastest - (gathers + slows) / 2 * turn == pytest.approx(speed)
    assert fall - fastest * turn + (gathers / 3 + slows / 6) * turn**2 == pytest.approx(0.0, abs=1e-6)
    # … and evenly up to the highest point.
    assert speed + slows * highest == pytest.approx(0.0, abs=1e-6)
    assert speed * highest / 2 == pytest.approx(up)
