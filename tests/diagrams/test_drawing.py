import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.diagrams.drawing import Diagram, Drawing, Row, Stroke, arrow_head

PLACES = st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0))


def test_the_tip_is_where_the_stroke_ends_and_the_head_lies_behind_it() -> None:
    line, (tip, left, right) = arrow_head(Stroke(((0.0, 0.0), (10.0, 0.0)), (0.0, 0.0, 0.0), 0.5, arrow=True))
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
    sides = [((corner[0] - tip[0]) ** 2 + (corner[1] - tip[1]) ** 2) ** 0.5 for corner in (left, right, thin)]
    if start != end:
        assert sides[0] == pytest.approx(sides[1])
        assert sides[2] < sides[0]


ROWS = (Row(0.0, 1.0, (10.0, 20.0), 100.0, 30.0), Row(1.0, 1.5, (10.0, 60.0), 50.0, 30.0))


DOWN = (Row(0.0, 1.0, (20.0, 10.0), 100.0, 30.0), Row(1.0, 1.5, (60.0, 10.0), 50.0, 30.0))


TWO = [Diagram(Drawing(200.0, 200.0, ()), ROWS), Diagram(Drawing(200.0, 200.0, ()), DOWN, down=True)]


@pytest.mark.parametrize("diagram", TWO, ids=["across", "down"])
@given(time=st.floats(0.0, 10.0), share=st.floats(0.0, 1.0))
def test_a_click_on_the_line_of_a_moment_gives_that_moment(diagram: Diagram, time: float, share: float) -> None:
    start, end = diagram.line_at(time)
    place = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
    found = diagram.time_at(place)
    assert found is not None
    assert min(abs(found - time % 1.5), 1.5 - abs(found - time % 1.5)) < 1e-6


@pytest.mark.parametrize("diagram", TWO, ids=["across", "down"])
def test_the_line_runs_across_the_row_and_along_with_time(diagram: Diagram) -> None:
    along, across = (1, 0) if diagram.down else (0, 1)
    line = diagram.line_at(0.25)
    assert [end[along] for end in line] == [35.0, 35.0]
    assert [end[across] for end in line] == [20.0, 50.0]
    assert [end[across] for end in diagram.line_at(1.25)] == [60.0, 90.0]


@pytest.mark.parametrize("diagram", TWO, ids=["across", "down"])
def test_beside_the_rows_there_is_no_time(diagram: Diagram) -> None:
    assert diagram.time_at((5.0, 5.0)) is None
    assert diagram.time_at((55.0, 55.0)) is None
    assert diagram.time_at((150.0, 150.0)) is None
