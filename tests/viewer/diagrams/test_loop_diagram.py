from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from siteswap_strategies import vanilla_siteswaps

from juggle_anim.animation import Animation, animate
from juggle_anim.choreography import Score
from juggle_anim.diagrams import Label, Pill, Stroke
from juggle_anim.diagrams.drawing import GREY, readable_on_white
from juggle_anim.errors import ParameterError
from juggle_anim.parameters import Parameters
from juggle_anim.scene.compose import drawn_colours
from juggle_anim.viewer.diagrams.diagrams import (
    MAX_CAUSAL_THROWS,
    DiagramFit,
    DiagramView,
    LoopDiagram,
)

PATTERNS = ["531", "(6x,4)*", "[34]23", "<3p 3|3p 3>", "mills mess", "(534^20)", "2", "(4,0)"]


@pytest.mark.parametrize("kind", ["ladder", "causal"])
@pytest.mark.parametrize("text", PATTERNS)
def test_a_tape_is_one_loop_in_one_row_without_heading_and_names(kind: str, text: str) -> None:
    animation = animate(text)
    tape = LoopDiagram.from_animation(kind, animation)
    assert len(tape.lines) in (animation.num_jugglers, 2 * animation.num_jugglers)
    for mark in tape.marks:
        if isinstance(mark, Stroke):
            assert min(x for x, _ in mark.points) >= -1e-6
            # An arrow back may leave the loop between its ends, and comes back in the one before.
            assert max(mark.points[0][0], mark.points[-1][0]) <= tape.length + 1e-6
    words = [word for word in tape.texts if word]
    throws = {throw[:3] for throw in animation.pattern.throws} if animation.pattern else set()
    assert len(tape.nodes) >= len(throws)
    assert words or not throws


def test_throws_are_lit_from_when_they_are_made_for_less_than_a_beat() -> None:
    animation = animate("531")
    tape = LoopDiagram.from_animation("ladder", animation)
    beat = 1 / animation.choreography.bps / animation.duration
    for node, (along, _) in enumerate(tape.nodes):
        phase = along / tape.length
        assert node in tape.lit(phase % 1)
        assert node in tape.lit((phase + 0.9 * beat) % 1)
        assert node not in tape.lit((phase + 1.01 * beat) % 1)
        assert node not in tape.lit((phase - 0.01 * beat) % 1)


def test_a_throw_has_its_frame_its_word_and_its_arrows() -> None:
    tape = LoopDiagram.from_animation("causal", animate("<3p 3|3p 3>"))
    for node, word in enumerate(tape.texts):
        mine = [
            mark for mark, number in zip(tape.marks, tape.node_of, strict=True) if number == node
        ]
        assert sum(isinstance(mark, Pill) for mark in mine) == 1
        assert sum(isinstance(mark, Stroke) and mark.arrow for mark in mine) <= 1
        assert word in ("3", "3p")


def test_a_prop_that_flies_over_an_empty_beat_is_not_at_its_node() -> None:
    diagram = LoopDiagram.from_animation("ladder", animate("600"))
    prop_of_node = {
        diagram.node_of[index]: diagram.prop_of[index]
        for index, mark in enumerate(diagram.marks)
        if isinstance(mark, Pill) and diagram.node_of[index] >= 0
    }
    assert {
        text: {prop_of_node[node] for node in prop_of_node if diagram.texts[node] == text}
        for text in ("6", "0")
    } == {"6": {0, 1}, "0": {-1}}


def test_only_what_reaches_into_a_part_is_found() -> None:
    tape = LoopDiagram.from_animation("ladder", animate("(534^20)"))
    found = set(tape.marks_within(100.0, 150.0, 0.0, tape.depth).tolist())
    assert 0 < len(found) < len(tape.marks) / 5
    for number, mark in enumerate(tape.marks):
        if isinstance(mark, Pill):
            inside = (
                mark.centre[0] + mark.width / 2 >= 100 and mark.centre[0] - mark.width / 2 <= 150
            )
            assert not inside or number in found


@settings(max_examples=25)
@given(vanilla_siteswaps())
def test_each_prop_is_on_the_ladder_once_at_any_time(text: str) -> None:
    animation = animate(text)
    tape = LoopDiagram.from_animation("ladder", animation)
    assert tape.prop_curves
    for lap, phase in ((0, 0.0), (0, 0.37), (1, 0.81), (5, 1 - 1e-12), (-2, 0.25)):
        _, shown = tape.prop_curves.at(phase * tape.length, lap)
        assert sorted(shown.tolist()) == list(range(animation.choreography.props))


@pytest.mark.parametrize("text", ["0", "<0|0>"])
def test_where_there_are_no_props_none_are_on_the_ladder(text: str) -> None:
    tape = LoopDiagram.from_animation("ladder", animate(text))
    assert tape.prop_curves
    places, shown = tape.prop_curves.at(0.3 * tape.length, 1)
    assert places.shape == (0, 2)
    assert shown.shape == (0,)


@pytest.mark.parametrize("text", ["531", "441", "3", "<3p 3|3p 3>", "b97531"])
def test_who_is_in_a_hand_of_the_picture_is_on_its_line_in_the_ladder(text: str) -> None:
    animation = animate(text)
    tape, colours = (
        LoopDiagram.from_animation("ladder", animation),
        drawn_colours(animation.choreography),
    )
    assert tape.prop_curves
    seen, lines = 0, np.array([place for place, _ in tape.lines])
    for time in np.linspace(0.013, 4 * animation.duration, 90):
        lap, phase = divmod(time / animation.duration, 1.0)
        places, present = tape.prop_curves.at(phase * tape.length, int(lap))
        shown = tape.prop_curves.colours[present]
        frames = animation.sample(np.array([time]))
        hands = frames.hands[0].reshape(-1, 3)
        for prop, place in enumerate(frames.props[0]):
            apart = np.linalg.norm(hands - place, axis=1)
            mine = places[(shown == colours[prop]).all(axis=1)]
            # A throw may come by the other hand.
            if apart.min() < 0.02 and len(mine) == 1 and np.abs(mine[0, 1] - lines).min() < 0.1:
                assert tape.line_near(mine[0, 1]) == apart.argmin()
                seen += 1
    assert seen > 20


def test_too_large_a_causal_diagram_is_refused_with_the_limit() -> None:
    text = "<" + "|".join(["3"] * 120) + ">"
    with pytest.raises(
        ParameterError,
        match=rf"240 throws; the limit for 120 jugglers is {MAX_CAUSAL_THROWS // 120}",
    ):
        LoopDiagram.from_animation("causal", animate(text))
    assert len(LoopDiagram.from_animation("ladder", animate(text)).lines) == 240


@pytest.mark.parametrize("kind", ["ladder", "causal"])
def test_events_without_beats_have_a_tape_by_the_clock(kind: str) -> None:
    choreography = animate("531").choreography
    tape = LoopDiagram.from_animation(
        kind, Animation(Score(placed=choreography, title="events"), Parameters())
    )
    assert len(tape.nodes) == len(choreography.flights.throw)
    assert set(tape.texts) == {""}
    assert any(isinstance(mark, Label) and mark.text.endswith(" s") for mark in tape.marks)


def test_room_beside_a_tape_is_for_the_letters_of_hands_too() -> None:
    tape = LoopDiagram.from_animation("causal", animate("<3p 3|3p 3>"))
    letters = [
        mark.at[0] for mark in tape.marks if isinstance(mark, Label) and mark.text in ("L", "R")
    ]
    assert letters
    assert max(letters) + 1.0 < tape.nodes[:, 0].max() + tape.reach
    ladder = LoopDiagram.from_animation("ladder", animate("531"))
    assert ladder.reach == ladder.max_width / 2


LONG, THREE = DiagramFit(3.7, 3.7, 3.7, 0.4, 200.0), DiagramFit(3.7, 3.7, 3.7, 3.0, 200.0)


@given(st.floats(-20, 20), st.booleans())
def test_the_present_is_always_seen(now: float, still: bool) -> None:
    for fit in (LONG, THREE):
        view = DiagramView()
        view.scroll_to_present(now, fit, 0.02, still=still)
        assert view.start - 1e-9 <= now <= view.start + fit.loops + 1e-9


def test_short_loops_stand_still_while_the_line_runs_and_turn_like_pages() -> None:
    view = DiagramView()
    starts = []
    for step in range(130):
        view.scroll_to_present(step / 20, THREE, 0.02, still=False)
        starts.append(view.start)
    assert sorted(set(starts)) == [0.0, 3.0, 6.0]


def test_a_long_loop_runs_by_and_the_present_comes_to_a_third_of_the_room() -> None:
    view = DiagramView()
    now = 0.39
    view.scroll_to_present(0.0, LONG, 0.02, still=True)
    for _ in range(300):
        now += 0.001
        view.scroll_to_present(now, LONG, 0.02, still=False)
    assert (now - view.start) / LONG.loops == pytest.approx(1 / 3, abs=0.05)


def test_nothing_moves_under_the_mouse() -> None:
    view = DiagramView()
    view.scroll_to_present(5.1, LONG, 0.02, still=False)
    start = view.start
    for now in (5.2, 5.05, 5.3):
        view.scroll_to_present(now, LONG, 0.02, still=True)
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


@pytest.mark.parametrize(
    "pattern", ["3", "441", "42", "(6x,4)*", "[33]33", "<3p 3|3p 3>", "<4p 3|3 4p>"]
)
def test_lines_have_the_colours_of_the_props_on_them_in_every_loop(pattern: str) -> None:
    tape = LoopDiagram.from_animation("ladder", animate(pattern))
    assert tape.prop_curves
    for lap, share in product(range(-2, 9), (0.02, 0.4, 0.77)):
        along = share * tape.length
        _, present = tape.prop_curves.at(along, lap)
        colours = tape.prop_curves.colours[present]
        props = sorted(readable_on_white(tuple(each)) for each in colours.tolist())
        lines = [
            tape.ink(prop, lap)
            for prop, curve in zip(
                tape.prop_curves.props.tolist(), tape.prop_curves.curves, strict=True
            )
            if curve[0, 0] <= along < curve[3, 0]
        ]
        assert np.array(props) == pytest.approx(np.array(sorted(lines)), abs=1e-6)
    for index, mark in enumerate(tape.marks):
        if isinstance(mark, Pill) and mark.round_ends and mark.outline not in (None, GREY):
            assert tape.prop_of[index] >= 0, "each throw has the colour of its prop"
            assert mark.outline == tape.ink(tape.prop_of[index], 0)
