import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.diagrams.drawing import Stroke, arrow_head

PLACES = st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0))


def test_the_tip_is_where_the_stroke_ends_and_the_head_lies_behind_it() -> None:
    line, (tip, left, right) = arrow_head(
        Stroke(((0.0, 0.0), (10.0, 0.0)), (0.0, 0.0, 0.0), 0.5, arrow=True)
    )
    assert tip == (10.0, 0.0)
    assert left[0] == right[0] < line.points[-1][0] < 10.0
    assert left[1] == -right[1] != 0.0
    assert not line.arrow


@given(PLACES, PLACES, st.floats(0.1, 2.0))
def test_a_head_is_as_large_in_any_direction_and_larger_for_a_bolder_line(
    start: tuple[float, float], end: tuple[float, float], width: float
) -> None:
    _, (tip, left, right) = arrow_head(Stroke((start, end), (0.0, 0.0, 0.0), width, arrow=True))
    _, (_, thin, _) = arrow_head(Stroke((start, end), (0.0, 0.0, 0.0), width / 2, arrow=True))
    sides = [
        ((corner[0] - tip[0]) ** 2 + (corner[1] - tip[1]) ** 2) ** 0.5
        for corner in (left, right, thin)
    ]
    if start != end:
        assert sides[0] == pytest.approx(sides[1])
        assert sides[2] < sides[0]
