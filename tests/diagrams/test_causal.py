from itertools import pairwise

import pytest
from diagram_marks import beyond_rows, nodes, outside, overlaps, words
from hypothesis import given, settings
from siteswap_strategies import vanilla_siteswaps

import juggle_anim as ja
from juggle_anim.choreography import Score, holds
from juggle_anim.diagrams import Diagram, DiagramOptions, Label, Stroke, causal, who_to_whom
from juggle_anim.diagrams.causal import causes, handovers, throw_nodes
from juggle_anim.diagrams.timeline import Timeline

FEED = "<3p2 3 3p3 3 3p4 3|3p1 3 3 3 3 3|3 3 3p1 3 3 3|3 3 3 3 3p1 3>"
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
    "4p 2 3",
]


def drawn(text: str, down: bool = False) -> Diagram:
    animation = ja.animate(text)
    return causal(animation.score, animation.choreography, DiagramOptions(down))


def timeline(text: str) -> Timeline:
    animation = ja.animate(text)
    return Timeline(animation.score, animation.choreography, 1)


def lengths(text: str) -> list[tuple[float, float]]:
    """For each throw that causes another, its beat and how many beats later that is."""
    seen = timeline(text)
    beat = seen.beat or 0.0
    return [(round(c.time / beat, 3), round((c.to_time - c.time) / beat, 3)) for c in causes(seen)]


def test_a_throw_causes_the_one_that_is_its_value_less_two_beats_later() -> None:
    assert sorted(lengths("531")) == [(0, 3), (1, 1), (2, -1), (3, 3), (4, 1), (5, -1)]
    assert sorted(lengths("[34]23")) == [(0, 1), (0, 2), (2, 1), (3, 1), (3, 2), (5, 1)]


@settings(max_examples=60)
@given(vanilla_siteswaps())
def test_so_it_is_for_any_siteswap(text: str) -> None:
    pattern = ja.animate(text).pattern
    assert pattern is not None
    expected = sorted((throw.beat, throw.value - 2) for throw in pattern.throws if throw.value != 2)
    assert sorted(lengths(text)) == expected


@settings(max_examples=60)
@given(vanilla_siteswaps())
def test_who_throws_to_whom_leads_to_the_next_throw_of_the_prop(text: str) -> None:
    seen = timeline(text)
    pattern = seen.pattern
    assert pattern is not None
    bps = seen.choreography.bps
    flights = sorted(
        (round(each.time * bps), round((each.to_time - each.time) * bps), each.hand, each.to_hand)
        for each in handovers(seen)
    )
    assert flights == sorted(
        (throw.beat, throw.value, throw.hand, throw.to_hand)
        for throw, held in zip(pattern.throws, holds(pattern), strict=True)
        if not held
    )


def test_pairs_of_throws_cause_pairs() -> None:
    assert sorted(lengths("(6x,4)*")) == [(0, 2), (0, 4), (2, 2), (2, 4)]


def test_a_pass_causes_a_throw_of_who_catches_it() -> None:
    passes = [(c.hand // 2, c.to_hand // 2) for c in causes(timeline("<3p 3|3p 3>")) if c.passes]
    assert sorted(passes) == [(0, 1), (1, 0)]
    assert (0.0, 2.0) in lengths("4p 2 3")


def test_passes_between_the_beats_of_others_are_longer_by_half_a_beat() -> None:
    assert {length for _, length in lengths("3.5p 3 3")} == {1.5, 1.0}


def test_without_beats_it_is_the_last_throw_of_the_hand_that_catches() -> None:
    choreography = ja.animate("3").choreography
    found = causes(Timeline(Score(placed=choreography, title="3"), choreography, 1))
    beat = 1 / choreography.bps
    assert [round((c.to_time - c.time) / beat, 6) for c in found] == [1.0, 1.0]
    assert all(c.hand != c.to_hand for c in found)


def test_what_is_thrown_at_once_is_written_at_one_place() -> None:
    assert sorted(turn.text for turn in throw_nodes(timeline("[34]23"))) == [
        "2",
        "2",
        "3",
        "3",
        "[34]",
        "[34]",
    ]


@pytest.mark.parametrize("down", [False, True], ids=["across", "down"])
@pytest.mark.parametrize("text", PATTERNS)
def test_no_word_lies_over_another_and_all_keep_to_their_place(text: str, down: bool) -> None:
    diagram = drawn(text, down)
    assert overlaps(diagram.drawing) == []
    assert outside(diagram.drawing) == []
    assert beyond_rows(diagram) == []


def test_jugglers_have_a_row_each_and_hands_where_they_throw_together() -> None:
    assert len({at[1] for at in nodes(drawn("<3p 3|3p 3>").drawing)}) == 2
    assert len({at[1] for at in nodes(drawn("531").drawing)}) == 1
    assert len({at[1] for at in nodes(drawn("(6x,4)*").drawing)}) == 2
    assert {"left", "right"} <= set(words(drawn("(6x,4)*").drawing))


@pytest.mark.parametrize("text", ["531", "<3p 3|3p 3>", FEED, "(6x,4)*"])
def test_arrows_begin_in_a_throw_and_end_at_the_frame_of_another(text: str) -> None:
    diagram = drawn(text)
    (row,) = diagram.rows
    places = list(nodes(diagram.drawing))
    inside = row.corner[0] + 5, row.corner[0] + row.length - 12
    arrows = [m for m in diagram.drawing.marks if isinstance(m, Stroke) and m.arrow]
    arrows = [m for m in arrows if all(inside[0] < m.points[end][0] < inside[1] for end in (0, -1))]
    assert len(arrows) > 3
    for arrow in arrows:
        assert min(_distance(arrow.points[0], place) for place in places) < 1e-6
        assert 2.0 < min(_distance(arrow.points[-1], place) for place in places) < 5.0


def test_arrows_pass_beside_other_throws() -> None:
    diagram = drawn("b97531")
    places = list(nodes(diagram.drawing))
    for arrow in diagram.drawing.marks:
        if isinstance(arrow, Stroke) and len(arrow.points) == 4 and arrow.arrow:
            for share in (0.3, 0.4, 0.5, 0.6, 0.7):
                assert all(_distance(_at(arrow.points, share), place) > 2.4 for place in places)


@pytest.mark.parametrize("text", ["531", "b97531", "<3p 3|3p 3>", FEED])
def test_letters_of_hands_are_clear_of_arrows(text: str) -> None:
    marks = drawn(text).drawing.marks
    letters = [m.at for m in marks if isinstance(m, Label) and m.text in ("L", "R")]
    arrows = [m.points for m in marks if isinstance(m, Stroke) and m.arrow]
    assert len(letters) > 8
    for at in letters:
        assert (
            min(_distance(at, _at(points, share / 40)) for points in arrows for share in range(41))
            > 1.2
        )


def test_passes_are_bolder_than_selves() -> None:
    arrows = [m for m in drawn("<3p 3|3p 3>").drawing.marks if isinstance(m, Stroke) and m.arrow]
    bold = [m for m in arrows if abs(m.points[0][1] - m.points[-1][1]) > 5]
    assert min(m.width for m in bold) > max(m.width for m in arrows if m not in bold)


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def _at(points: tuple[tuple[float, float], ...], share: float) -> tuple[float, float]:
    """A point of a Bézier curve, by repeated division (P. de Casteljau)."""
    rest = list(points)
    while len(rest) > 1:
        rest = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(rest)
        ]
    return rest[0]


@pytest.mark.parametrize("text", PATTERNS)
def test_each_arrow_of_who_to_whom_has_the_prop_that_the_ladder_has(text: str) -> None:
    animation = ja.animate(text)
    seen = Timeline(animation.score, animation.choreography, 3)
    loop = animation.choreography.duration
    flown = {(round(flight.beat_time, 6), flight.hand, flight.prop) for flight in seen.flights}
    for arrow in handovers(seen):
        for loop_index in range(3):
            time = round(arrow.time + loop_index * loop, 6)
            assert (time, arrow.hand, seen.prop_thrown(arrow.throw, loop_index)) in flown


def test_who_to_whom_shows_a_prop_in_one_colour() -> None:
    animation = ja.animate("<3p 3|3p 3>")
    diagram = who_to_whom(animation.score, animation.choreography, DiagramOptions(loops=6))
    arrows = [mark for mark in diagram.drawing.marks if isinstance(mark, Stroke) and mark.arrow]
    assert {arrow.prop for arrow in arrows} == set(range(6))
    assert len({(arrow.prop, arrow.colour) for arrow in arrows}) == 6
