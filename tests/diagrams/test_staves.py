import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.diagrams.timeline import LONGEST_ROW, TimeLayout, curve_piece
from juggle_anim.errors import ParameterError

MOMENTS = st.tuples(st.floats(-10.0, 10.0), st.floats(-10.0, 10.0))


def staves(loop: float, loops: int, beat: float | None = 0.5) -> TimeLayout:
    return TimeLayout(loop, loops, 20.0, 30.0, beat, [(5.0, "left"), (25.0, "right")])


@given(
    st.lists(MOMENTS, min_size=4, max_size=4),
    st.floats(0.0, 0.5),
    st.floats(0.5, 1.0),
    st.floats(0.0, 1.0),
)
def test_a_piece_of_a_curve_lies_on_the_curve(
    curve: list[tuple[float, float]], first: float, last: float, share: float
) -> None:
    piece = curve_piece(curve, first, last)
    within, whole = (
        curve_piece(piece, 0.0, share)[-1],
        curve_piece(curve, 0.0, first + (last - first) * share)[-1],
    )
    assert within == pytest.approx(whole, abs=1e-9)


def test_rows_end_with_whole_loops_or_else_whole_beats() -> None:
    assert [row.end - row.start for row in staves(2.0, 10).rows] == pytest.approx([12.0, 8.0])
    assert [row.end - row.start for row in staves(20.25, 1).rows] == pytest.approx([12.5, 7.75])
    assert all(row.length <= LONGEST_ROW for row in staves(33.3, 3, beat=None).rows)


def test_a_curve_is_cut_where_rows_end_and_goes_on_in_the_next() -> None:
    paper = staves(2.0, 10)
    one, other = paper.curve([(11.0, 5.0), (13.0, 25.0)], (0.0, 0.0, 0.0), 1.0, arrow=True)
    assert (one.arrow, other.arrow) == (False, True)
    first, second = paper.rows
    assert one.points[-1] == pytest.approx((first.corner[0] + first.length, first.corner[1] + 15.0))
    assert other.points[0] == pytest.approx((second.corner[0], second.corner[1] + 15.0))


def test_what_is_off_the_paper_is_not_drawn() -> None:
    paper = staves(2.0, 1)
    assert list(paper.curve([(-2.0, 5.0), (-1.0, 5.0)], (0.0, 0.0, 0.0), 1.0)) == []
    assert list(paper.bar(3.0, 4.0, 5.0, (0.0, 0.0, 0.0), 1.0)) == []
    assert paper.point_at(2.0, 5.0) is None
    (bar,) = paper.bar(-1.0, 1.0, 5.0, (0.0, 0.0, 0.0), 1.0)
    assert bar.width == pytest.approx(20.0)


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(ParameterError, match="needs 80 rows, but a diagram can have at most 40"):
        staves(1000.0, 1)
