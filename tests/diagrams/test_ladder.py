from collections.abc import Callable
from itertools import pairwise

import pytest
from colour_vision import USUAL, least_difference
from diagram_marks import beyond_rows, nodes, outside, overlaps, words
from hypothesis import given, settings
from siteswap_strategies import vanilla_siteswaps

import juggle_anim as ja
from juggle_anim.choreography import Score
from juggle_anim.diagrams import Diagram, Pill, Stroke, causal, ladder
from juggle_anim.diagrams.drawing import Label, orbit_colours, prop_inks
from juggle_anim.diagrams.timeline import LONGEST_ROW, DiagramOptions
from juggle_anim.errors import ParameterError
from juggle_anim.notation.lessons import lesson
from juggle_anim.scene.people import PALETTES

FEED = "<3p2 3 3p3 3 3p4 3|3p1 3 3 3 3 3|3 3 3p1 3 3 3|3 3 3 3 3p1 3>"
AROUND = "pattern=(4,4)(4x,4x);throws=underleg-other,-,chop,-;catches=palm,behind"
PATTERNS = [
    "531",
    "(6x,4)*",
    "[34]23",
    "<3p 3|3p 3>",
    FEED,
    "mills mess",
    "b97531",
    "3.5p 3 3",
    "(4,0)",
    "[543]",
    AROUND,
]


def drawn(text: str, down: bool = False, loops: int | None = None) -> Diagram:
    animation = ja.animate(text)
    return ladder(animation.score, animation.choreography, DiagramOptions(down, loops))


def events(text: str) -> Diagram:
    """As of a file that holds events and no beats."""
    choreography = ja.animate(text).choreography
    return ladder(Score(placed=choreography, title=text), choreography)


@pytest.mark.parametrize("down", [False, True], ids=["across", "down"])
@pytest.mark.parametrize("text", PATTERNS)
def test_no_word_lies_over_another_and_all_keep_to_their_place(text: str, down: bool) -> None:
    diagram = drawn(text, down)
    assert overlaps(diagram.drawing) == []
    assert outside(diagram.drawing) == []
    assert beyond_rows(diagram) == []


def time_at(diagram: Diagram, place: tuple[float, float]) -> float:
    """The moment that stands at a place, [s]."""
    for row in diagram.rows:
        x, y = place[0] - row.corner[0], place[1] - row.corner[1]
        along, across = (y, x) if diagram.down else (x, y)
        if 0 <= along <= row.length and 0 <= across <= row.depth:
            return row.start + (row.end - row.start) * along / row.length
    raise AssertionError(f"{place} is beside the rows")


def test_each_throw_stands_on_its_beat_with_a_tick_where_it_leaves_early() -> None:
    choreography = ja.animate("531").choreography
    diagram = drawn("531", loops=1)
    found = sorted((time_at(diagram, at), text) for at, text in nodes(diagram.drawing).items())
    assert [text for _, text in found] == list("531531")
    beats = [time * choreography.bps for time, _ in found]
    assert beats == pytest.approx(range(6), abs=1e-6)
    ticks = [
        time_at(diagram, mark.points[0])
        for mark in diagram.drawing.marks
        if isinstance(mark, Stroke) and mark.width == 0.55 and len(mark.points) == 2
    ]
    thrown = sorted(choreography.events.time[choreography.flights.throw].tolist())
    assert sorted(ticks) == pytest.approx([thrown[2], thrown[5]], abs=1e-6)
    left, right = (y for y in sorted({at[1] for at in nodes(diagram.drawing)}))
    first = min(nodes(diagram.drawing))
    assert first[1] == right > left


def test_throws_and_catches_around_the_body_are_told_in_a_word() -> None:
    said = words(drawn(AROUND, loops=1).drawing)
    assert sorted(set(said) & {"underleg", "chop", "behind"}) == ["behind", "chop", "underleg"]
    assert said.count("behind") == 2


def test_bars_show_how_long_hands_hold() -> None:
    animation = ja.animate("3")
    diagram = drawn("3", loops=4)
    (row,) = diagram.rows
    bars = [m for m in diagram.drawing.marks if isinstance(m, Pill) and not m.round_ends]
    inside = [m for m in bars if row.corner[0] < m.centre[0] - m.width / 2 - 0.1]
    lasts = row.length / (row.end - row.start) * animation.choreography.flights.carry[0]
    assert max(m.width for m in inside) == pytest.approx(lasts)


def test_throws_end_on_the_line_of_the_hand_that_catches() -> None:
    diagram = drawn("3", loops=4)
    ends = {round(at[1], 6) for at in nodes(diagram.drawing)}
    (row,) = diagram.rows
    for mark in diagram.drawing.marks:
        if (
            isinstance(mark, Stroke)
            and len(mark.points) == 4
            and mark.points[-1][0] < row.corner[0] + row.length
        ):
            start, end = mark.points[0], mark.points[-1]
            assert round(end[1], 6) in ends
            if start[0] > row.corner[0]:
                assert round(end[1], 6) != round(start[1], 6)


@pytest.mark.parametrize("pattern", ["531", "3", "<3p 3|3p 3>"])
def test_colours_are_those_of_props(pattern: str) -> None:
    inks = prop_inks(ja.animate(pattern).choreography)
    assert len(set(inks)) == len(inks)
    throws = [
        m for m in drawn(pattern).drawing.marks if isinstance(m, Stroke) and len(m.points) == 4
    ]
    assert {m.colour for m in throws} == set(inks)


def test_the_inks_of_six_props_are_told_apart() -> None:
    assert least_difference(prop_inks(ja.animate("<3p 3|3p 3>").choreography), USUAL) >= 20.0


@pytest.mark.parametrize("diagram", [ladder, causal])
def test_colours_follow_a_palette(diagram: Callable[..., Diagram]) -> None:
    animation, palette = ja.animate("531"), PALETTES["colour-blind"]
    inks = orbit_colours(animation.choreography, palette)
    found = diagram(animation.score, animation.choreography, DiagramOptions(palette=palette))
    assert set(inks).isdisjoint(orbit_colours(animation.choreography))
    assert {
        m.colour for m in found.drawing.marks if isinstance(m, Stroke) and len(m.points) == 4
    } == set(inks)


def test_a_colour_that_somebody_chose_for_an_orbit_is_taken() -> None:
    animation = ja.animate("pattern=531;colors={0,0,255}{255,0,0}{0,102,0}")
    assert set(orbit_colours(animation.choreography)) == {
        (0.0, 0.0, 1.0),
        (1.0, 0.0, 0.0),
        (0.0, 0.4, 0.0),
    }


def test_no_ink_is_too_pale_for_white_paper() -> None:
    for red, green, blue in orbit_colours(
        ja.animate("pattern=531;colors={255,255,0}{255,255,255}{255,255,200}").choreography
    ):
        luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
        assert 1.05 / (luminance + 0.05) > 2.6


def test_time_runs_down_where_that_is_wanted() -> None:
    across, down = drawn("531", loops=1), drawn("531", down=True, loops=1)
    there = sorted(
        (round(time_at(across, at), 6), text) for at, text in nodes(across.drawing).items()
    )
    here = sorted((round(time_at(down, at), 6), text) for at, text in nodes(down.drawing).items())
    assert here == there
    assert down.drawing.height > down.drawing.width
    lefts = {at[0] for at, text in nodes(down.drawing).items() if text == "3"}
    assert len(lefts) == 2


def test_beats_are_numbered_anew_in_each_loop() -> None:
    numbers = [word for word in words(drawn("531", loops=2).drawing) if word in "123456"]
    for beat in "246":
        assert numbers.count(beat) == 2


def test_a_long_loop_is_broken_into_rows_that_follow_one_another() -> None:
    diagram = drawn("531" + "3" * 38, loops=1)
    assert len(diagram.rows) > 1
    assert all(row.length <= LONGEST_ROW + 1e-6 for row in diagram.rows)
    assert all(before.end == after.start for before, after in pairwise(diagram.rows))
    assert diagram.span == pytest.approx(diagram.rows[-1].end)
    assert overlaps(diagram.drawing) == []


def test_a_loop_that_takes_too_many_rows_is_refused() -> None:
    animation = ja.animate("(534^300)")
    with pytest.raises(ParameterError, match="rows, but a diagram can have at most 40"):
        ladder(animation.score, animation.choreography, DiagramOptions(loops=3))


@pytest.mark.parametrize("text", ["531", "(6x,4)*", "mills mess"])
def test_events_without_beats_are_drawn_by_time(text: str) -> None:
    diagram = events(text)
    assert nodes(diagram.drawing) == {}
    assert any(word.endswith(" s") and word[0].isdigit() for word in words(diagram.drawing))
    counted = drawn(text, loops=round(diagram.span / ja.animate(text).duration))
    curves = [
        sum(isinstance(m, Stroke) and len(m.points) == 4 for m in d.drawing.marks)
        for d in (diagram, counted)
    ]
    assert curves[0] == curves[1]


@pytest.mark.parametrize("text", ["531", lesson("cascade").steps[0].text])
def test_times_below_events_are_apart_and_not_only_the_start_of_a_loop(text: str) -> None:
    diagram = events(text)
    loops = round(diagram.span / ja.animate(text).duration)
    times = [
        mark
        for mark in diagram.drawing.marks
        if isinstance(mark, Label) and mark.text.endswith(" s") and mark.text[0].isdigit()
    ]
    assert len(times) > 2 * loops
    for before, after in pairwise(times):
        room = after.at[0] - before.at[0]
        assert room < 0 or room > 0.55 * before.size * len(before.text)


@settings(max_examples=40)
@given(vanilla_siteswaps())
def test_any_siteswap_has_a_ladder_with_all_its_throws(text: str) -> None:
    animation = ja.animate(text)
    diagram = ladder(animation.score, animation.choreography, DiagramOptions(loops=1))
    pattern = animation.pattern
    assert pattern is not None
    assert outside(diagram.drawing) == []
    assert len(nodes(diagram.drawing)) == len(pattern.throws)


def test_a_score_of_no_flights_still_has_its_lines() -> None:
    animation = ja.animate("2")
    assert {"left", "right"} <= set(words(ladder(animation.score, animation.choreography).drawing))
    kept = animation.choreography
    assert ladder(Score(placed=kept, title="kept"), kept).span > 0


def test_without_a_heading_rows_begin_higher_and_the_sheet_is_as_much_lower() -> None:
    animation = ja.animate("531")
    headed, bare = (
        ladder(animation.score, animation.choreography, DiagramOptions(headed=headed))
        for headed in (True, False)
    )
    lower = headed.rows[0].corner[1] - bare.rows[0].corner[1]
    assert lower > 10.0
    assert headed.drawing.height - bare.drawing.height == pytest.approx(lower)
    assert bare.drawing.title == "531"
    assert len(headed.drawing.marks) - len(bare.drawing.marks) == 2
