"""The causal diagram: a row for each juggler, and an arrow from each throw to the throw that it causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, exp, floor

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.diagrams.causes import ArrowRouter, Cause, LabelPlacer, ThrowNode, causes, throw_nodes
from juggle_anim.diagrams.drawing import Colour, Diagram, Label, Mark, Point
from juggle_anim.diagrams.nodes import (
    DOT_SIZE,
    FAINT,
    GREY,
    NODE_HEIGHT,
    PRINT_INK,
    empty_node,
    heading,
    node,
    node_width,
    orbit_colours,
)
from juggle_anim.diagrams.time_layout import LONGEST_ROW, HandLines, Moment, TimeLayout, hand_lines, hand_names
from juggle_anim.diagrams.timeline import Timeline, loops_to_show
from juggle_anim.scene.palette import STANDARD, Palette


def causal(
    score: Score,
    choreography: Choreography,
    down: bool = False,
    loops: int | None = None,
    longest: float = LONGEST_ROW,
    palette: Palette = STANDARD,
) -> Diagram:
    """The causal diagram of a pattern, as passers know it: an arrow is as long as its throw's value less two beats.

    Where both hands of a juggler throw at one time, each has a row of its own. Colours are of orbits; passes are bold.

    Args:
        score: what is juggled.
        choreography: of it.
        down: whether time runs down, and not to the right.
        loops: how often the pattern is gone through; None for as often as it takes to be seen.
        longest: that a row may be, [mm].
        palette: colours of props that nobody chose.

    Raises:
        ParameterError: there are none, or too many, or the loop is too long to be drawn.
    """
    course = Timeline(score, choreography, loops_to_show(choreography, loops, _THROWS_OF_ONE * choreography.jugglers))
    found = throw_nodes(course)
    scale = _scale(course, found)
    found_causes = causes(course)
    rows = _Rows(choreography, found, found_causes, scale)
    staves = TimeLayout(
        loop=choreography.duration,
        loops=course.loops,
        scale=scale,
        depth=rows.lines.depth,
        beat=course.beat,
        names=rows.names,
        down=down,
        longest=longest,
    )
    marks = _marks(course, found, found_causes, staves, rows, orbit_colours(choreography, palette))
    return staves.diagram(*heading(score, choreography), list(marks))


class _Rows:
    """Where jugglers, or their hands, have their rows."""

    def __init__(
        self, choreography: Choreography, found: Sequence[ThrowNode], found_causes: Sequence[Cause], scale: float
    ) -> None:
        self.by_hand = _hands_meet(found, choreography.duration, scale)
        jugglers = choreography.jugglers
        outside = self._outside(found_causes, jugglers, scale)
        self.lines: HandLines = hand_lines(outside, _BETWEEN_HANDS if self.by_hand else 0.0, 0.0)
        names = hand_names(jugglers) if self.by_hand else [f"{number + 1}" for number in range(jugglers)]
        places = self.lines.places if self.by_hand else self.lines.places[::2]
        self.names = list(zip(places, names if self.by_hand or jugglers > 1 else [""], strict=True))

    def across(self, hand: int) -> float:
        """Where a hand's row lies, [mm]."""
        return self.lines.places[hand]

    def side(self, hand: int) -> int:
        """To which side of a hand's row arrows bow that go on along it."""
        return 1 if self.by_hand and hand % 2 else -1

    def _outside(self, found: Sequence[Cause], jugglers: int, scale: float) -> list[float]:
        """Room beyond each line for arrows along it, [mm]."""
        outside = [_OUTSIDE] * 2 * jugglers
        for cause in found:
            if cause.hand == cause.to_hand or (not self.by_hand and not cause.passes):
                hand = cause.hand if self.by_hand else cause.hand // 2 * 2
                bow = _bow(abs(cause.to_time - cause.time) * scale)
                outside[hand] = max(outside[hand], bow + _MORE_BOW + _ABOVE_BOW)
        return outside


def _marks(
    course: Timeline,
    found: Sequence[ThrowNode],
    found_causes: Sequence[Cause],
    staves: TimeLayout,
    rows: _Rows,
    inks: Sequence[Colour],
) -> Iterator[Mark]:
    for across, _ in rows.names:
        yield from staves.curve([(0.0, across), (course.span, across)], FAINT, _LINE)
    frames = _frames(course, found, staves, rows)
    ways = []
    for cause in _in_all_loops(found_causes, course):
        points = frames.arrow(*_ends(cause, rows), _bows(cause, rows, staves.scale))
        ways.append(frames.sample(points))
        yield from staves.curve(points, inks[cause.orbit], _PASS if cause.passes else _SELF, arrow=True)
    clear = LabelPlacer(ways)
    for turn in found:
        letter = None if rows.by_hand else _beside(turn, rows, clear, staves)
        for lap in range(course.loops):
            if at := staves.spot(turn.time + lap * staves.loop, rows.across(turn.hand)):
                yield from _throws(at, turn, inks)
                if letter:
                    place = at[0] + letter[0], at[1] + letter[1]
                    yield Label(place, "LR"[turn.hand % 2], _HAND, GREY)


def _throws(at: Point, turn: ThrowNode, inks: Sequence[Colour]) -> Iterator[Mark]:
    if not turn.orbits:
        return empty_node(at, turn.text)
    return node(at, turn.text, inks[turn.orbits[0]] if len(turn.orbits) == 1 else PRINT_INK)


def _beside(turn: ThrowNode, rows: _Rows, clear: LabelPlacer, staves: TimeLayout) -> Point:
    """Where the letter of a hand stands, seen from its throw: where no arrow runs in the first loop."""
    half = node_width(turn.text) / 2 + _ASIDE
    places = [(half, _BELOW), (-half, _BELOW), (half, -_BELOW), (-half, -_BELOW)]
    along, across = turn.time * staves.scale, rows.across(turn.hand)
    seen = [(along + y, across + x) if staves.down else (along + x, across + y) for x, y in places]
    return places[clear.clearest(seen)]


def _ends(cause: Cause, rows: _Rows) -> tuple[Moment, Moment]:
    return (cause.time, rows.across(cause.hand)), (cause.to_time, rows.across(cause.to_hand))


def _bows(cause: Cause, rows: _Rows, scale: float) -> Sequence[float]:
    """By how much an arrow may bend, the first if it can, [mm]."""
    start, end = _ends(cause, rows)
    if start[1] != end[1]:
        return 0.0, 5.0, -5.0, 9.0, -9.0
    # On one line what goes back runs on one side; what goes on runs on the other of the throws that it passes.
    bow, on = _bow(abs(end[0] - start[0]) * scale), rows.side(cause.hand)
    return (-on * bow,) if end[0] < start[0] else (0.0, on * bow, on * (bow + _MORE_BOW))


def _bow(length: float) -> float:
    """How far an arrow of some length bows out, all [mm]: the longer the more, so that they lie in each other."""
    return _LEAST_BOW + _MOST_BOW * (1 - exp(-length / _LONG))


def _frames(course: Timeline, found: Sequence[ThrowNode], staves: TimeLayout, rows: _Rows) -> ArrowRouter:
    """All throws, of the loops before and after too."""
    laps = range(-1, course.loops + 1)
    rows_of = [
        ((turn.time + lap * staves.loop) * staves.scale, rows.across(turn.hand), *_frame(turn.text, staves.down))
        for turn in found
        for lap in laps
    ]
    return ArrowRouter(np.array(rows_of).reshape(-1, 4), staves.scale)


def _frame(text: str, down: bool) -> tuple[float, float]:
    width, height = node_width(text), NODE_HEIGHT if text else DOT_SIZE
    return (height, width) if down else (width, height)


def _in_all_loops(found: Sequence[Cause], course: Timeline) -> Iterator[Cause]:
    """As far as they are seen from 0 to the end."""
    loop = course.choreography.duration
    for cause in found:
        first, last = sorted((cause.time, cause.to_time))
        for lap in range(floor(-last / loop), ceil((course.span - first) / loop) + 1):
            if last + lap * loop > 0 and first + lap * loop < course.span:
                shift = lap * loop
                yield Cause(cause.time + shift, cause.hand, cause.to_time + shift, cause.to_hand, cause.orbit)


def _hands_meet(found: Sequence[ThrowNode], loop: float, scale: float) -> bool:
    """Whether throws of both hands of a juggler would touch on one row."""
    by_juggler: dict[int, list[float]] = {}
    for turn in found:
        by_juggler.setdefault(turn.hand // 2, []).append(turn.time)
    for times in by_juggler.values():
        times.sort()
        gaps = np.diff([*times, times[0] + loop])
        if len(times) > 1 and gaps.min() * scale < NODE_HEIGHT + 1:
            return True
    return False


def _scale(course: Timeline, found: Sequence[ThrowNode]) -> float:
    """So long that throws don't touch, [mm/s]."""
    widest = max((node_width(turn.text) for turn in found), default=NODE_HEIGHT)
    if course.beat:
        return max(_A_BEAT, widest + 7.0) / course.beat
    return _A_BEAT * max(1, len(found)) / (course.choreography.jugglers * course.choreography.duration)


_A_BEAT = 13.0
_OUTSIDE, _BETWEEN_HANDS = 12.0, 18.0
_LINE, _SELF, _PASS = 0.3, 0.4, 0.75
_LEAST_BOW, _MOST_BOW, _LONG, _MORE_BOW, _ABOVE_BOW = 2.2, 38.0, 240.0, 2.0, 2.0
_HAND, _ASIDE, _BELOW = 2.2, 1.0, 2.7
_THROWS_OF_ONE = 10
