import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.viewer.state.loop_diagram import DiagramFit, DiagramView

LONG, THREE = DiagramFit(3.7, 3.7, 3.7, 0.4, 200.0), DiagramFit(3.7, 3.7, 3.7, 3.0, 200.0)


@given(st.floats(-20, 20), st.booleans())
def test_the_present_is_always_seen(now: float, still: bool) -> None:
    for fit in (LONG, THREE):
        view = DiagramView()
        view.follow(now, fit, 0.02, still)
        assert view.start <= now <= view.start + fit.loops + 1e-9


def test_short_loops_stand_still_while_the_line_runs_and_turn_like_pages() -> None:
    view = DiagramView()
    starts = []
    for step in range(130):
        view.follow(step / 20, THREE, 0.02, still=False)
        starts.append(view.start)
    assert sorted(set(starts)) == [0.0, 3.0, 6.0]


def test_a_long_loop_runs_by_and_the_present_comes_to_a_third_of_the_room() -> None:
    view = DiagramView()
    now = 0.39
    view.follow(0.0, LONG, 0.02, still=True)
    for _ in range(300):
        now += 0.001
        view.follow(now, LONG, 0.02, still=False)
    assert (now - view.start) / LONG.loops == pytest.approx(1 / 3, abs=0.05)


def test_nothing_moves_under_the_mouse() -> None:
    view = DiagramView()
    view.follow(5.1, LONG, 0.02, still=False)
    start = view.start
    for now in (5.2, 5.05, 5.3):
        view.follow(now, LONG, 0.02, still=True)
        assert view.start == pytest.approx(start)


def test_it_scrolls_as_far_as_there_is_more() -> None:
    view = DiagramView()
    view.scroll(70.0, LONG, 150.0)
    assert view.scrolled == 50.0
    view.scroll(-500.0, LONG, 150.0)
    assert view.scrolled == 0.0
    view.scroll(30.0, LONG, 300.0)
    assert view.scrolled == 0.0


def test_who_is_followed_comes_to_the_middle_once() -> None:
    view = DiagramView()
    view.center_on(None, 150.0, THREE, 80.0)
    assert view.scrolled == 0.0
    view.center_on(1, 100.0, THREE, 80.0)
    assert view.scrolled == 60.0
    view.scroll(-20.0, THREE, 80.0)
    view.center_on(1, 100.0, THREE, 80.0)
    assert view.scrolled == 40.0, "whoever scrolls on sees where they went"
    view.center_on(2, 195.0, THREE, 80.0)
    assert view.scrolled == 120.0, "as far as there is more"
    view.center_on(None, 10.0, THREE, 80.0)
    assert view.scrolled == 120.0
