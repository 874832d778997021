"""The causal diagram: a row for each juggler, and an arrow from each throw to the throw that it
causes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, exp, floor

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.diagrams.causes import (
    ArrowRouter,
    Cause,
    LabelPlacer,
    ThrowNode,
    causes,
    throw_nodes,
)
from juggle_anim.diagrams.drawing import (
    DOT_SIZE,
    FAINT,
    GREY,
    NODE_HEIGHT,
    PRINT_INK,
    Colour,
    Diagram,
    Label,
    Mark,
    Point,
    heading,
    node,
    node_width,
    orbit_colours,
)
from juggle_anim.diagrams.time_layout import (
    DEFAULT_OPTIONS,
    DiagramOptions,
    HandLines,
    TimeLayout,
    TimePoint,
    hand_lines,
    hand_names,
)
from juggle_anim.diagrams.timeline import Timeline

# Lengths are in [mm].
_BEAT_LENGTH = 13.0
_OUTSIDE = 12.0
_BETWEEN_HANDS = 18.0
_LINE = 0.3
_SELF = 0.4
_PASS = 0.75
_LEAST_BOW = 2.2
_MOST_BOW = 38.0
_LONG = 240.0
_MORE_BOW = 2.0
_ABOVE_BOW = 2.0
_HAND = 2.2
_ASIDE = 1.0
_BELOW = 2.7
_THROWS_PER_JUGGLER = 10


def causal(
    score: Score, choreography: Choreography, options: DiagramOptions = DEFAULT_OPTIONS
) -> Diagram:
    """Draw the causal diagram of a pattern, as passers know it: an arrow spans its throw's value
    less two beats.

    Where both hands of a juggler throw at one time, each has its own row. Each orbit has a colour;
    passes are bold.

    Args:
        score: what is juggled.
        choreography: of the score.
        options: direction, length and colours.

    Raises:
        ParameterError: the number of loops is below 1 or too large, or the loop is too long to be
            drawn.
    """
    timeline = Timeline.of(
        score, choreography, options.loops, _THROWS_PER_JUGGLER * choreography.jugglers
    )
    throws = throw_nodes(timeline)
    arrows = causes(timeline)
    scale = _scale(timeline, throws)
    rows = _Rows(choreography, throws, arrows, scale)
    layout = TimeLayout.of(timeline, options, scale, rows.lines.depth, rows.names)
    colours = orbit_colours(choreography, options.palette)
    marks = _marks(timeline, throws, arrows, layout, rows, colours)
    return layout.diagram(*heading(score, choreography), list(marks))


class _Rows:
    """The positions of the rows of jugglers or hands."""

    def __init__(
        self,
        choreography: Choreography,
        throws: Sequence[ThrowNode],
        arrows: Sequence[Cause],
        scale: float,
    ) -> None:
        self.by_hand = _hands_meet(throws, choreography.duration, scale)
        jugglers = choreography.jugglers
        outside = self._outside(arrows, jugglers, scale)
        self.lines: HandLines = hand_lines(outside, _BETWEEN_HANDS if self.by_hand else 0.0, 0.0)
        names = (
            hand_names(jugglers)
            if self.by_hand
            else [f"{number + 1}" for number in range(jugglers)]
        )
        places = self.lines.places if self.by_hand else self.lines.places[::2]
        self.names = list(zip(places, names if self.by_hand or jugglers > 1 else [""], strict=True))

    def across(self, hand: int) -> float:
        """Return where a hand's row lies, [mm]."""
        return self.lines.places[hand]

    def side(self, hand: int) -> int:
        """Return to which side of a hand's row arrows along it bow, −1 or 1."""
        return 1 if self.by_hand and hand % 2 else -1

    def _outside(self, arrows: Sequence[Cause], jugglers: int, scale: float) -> list[float]:
        """Room beyond each line for arrows along it, [mm]."""
        outside = [_OUTSIDE] * 2 * jugglers
        for cause in arrows:
            if cause.hand == cause.to_hand or (not self.by_hand and not cause.passes):
                hand = cause.hand if self.by_hand else cause.hand // 2 * 2
                bow = _bow(abs(cause.to_time - cause.time) * scale)
                outside[hand] = max(outside[hand], bow + _MORE_BOW + _ABOVE_BOW)
        return outside


def _marks(
    timeline: Timeline,
    throws: Sequence[ThrowNode],
    arrows: Sequence[Cause],
    layout: TimeLayout,
    rows: _Rows,
    colours: Sequence[Colour],
) -> Iterator[Mark]:
    for across, _ in rows.names:
        yield from layout.curve([(0.0, across), (timeline.span, across)], FAINT, _LINE)
    router = _router(timeline, throws, layout, rows)
    curves = []
    for cause in _in_all_loops(arrows, timeline):
        points = router.arrow(*_ends(cause, rows), _bows(cause, rows, layout.scale))
        curves.append(router.sample(points))
        yield from layout.curve(
            points, colours[cause.orbit], _PASS if cause.passes else _SELF, arrow=True
        )
    placer = LabelPlacer(curves)
    for throw in throws:
        letter = None if rows.by_hand else _beside(throw, rows, placer, layout)
        for lap in range(timeline.loops):
            if at := layout.spot(throw.time + lap * layout.loop, rows.across(throw.hand)):
                yield from _throws(at, throw, colours)
                if letter:
                    place = at[0] + letter[0], at[1] + letter[1]
                    yield Label(place, "LR"[throw.hand % 2], _HAND, GREY)


def _throws(at: Point, throw: ThrowNode, colours: Sequence[Colour]) -> Iterator[Mark]:
    several = PRINT_INK if throw.orbits else None
    return node(at, throw.text, colours[throw.orbits[0]] if len(throw.orbits) == 1 else several)


def _beside(throw: ThrowNode, rows: _Rows, placer: LabelPlacer, layout: TimeLayout) -> Point:
    """Return where the letter of a hand is drawn beside its throw: clear of arrows in the first
    loop.
    """
    half = node_width(throw.text) / 2 + _ASIDE
    places = [(half, _BELOW), (-half, _BELOW), (half, -_BELOW), (-half, -_BELOW)]
    along = throw.time * layout.scale
    across = rows.across(throw.hand)
    seen = [(along + y, across + x) if layout.down else (along + x, across + y) for x, y in places]
    return places[placer.clearest(seen)]


def _ends(cause: Cause, rows: _Rows) -> tuple[TimePoint, TimePoint]:
    return (cause.time, rows.across(cause.hand)), (cause.to_time, rows.across(cause.to_hand))


def _bows(cause: Cause, rows: _Rows, scale: float) -> Sequence[float]:
    """Return the bends of an arrow to try, in order of preference, [mm]."""
    start, end = _ends(cause, rows)
    if start[1] != end[1]:
        return 0.0, 5.0, -5.0, 9.0, -9.0
    # On one line, arrows back in time run on one side, and arrows forward on the other.
    bow = _bow(abs(end[0] - start[0]) * scale)
    on = rows.side(cause.hand)
    return (-on * bow,) if end[0] < start[0] else (0.0, on * bow, on * (bow + _MORE_BOW))


def _bow(length: float) -> float:
    """Return the bow of an arrow, [mm]: longer arrows bow more, so that they nest."""
    return _LEAST_BOW + _MOST_BOW * (1 - exp(-length / _LONG))


def _router(
    timeline: Timeline, throws: Sequence[ThrowNode], layout: TimeLayout, rows: _Rows
) -> ArrowRouter:
    """Routes arrows around all throws, those of the loops before and after included."""
    laps = range(-1, timeline.loops + 1)
    rows_of = [
        (
            (throw.time + lap * layout.loop) * layout.scale,
            rows.across(throw.hand),
            *_frame(throw.text, layout.down),
        )
        for throw in throws
        for lap in laps
    ]
    return ArrowRouter(np.array(rows_of).reshape(-1, 4), layout.scale)


def _frame(text: str, down: bool) -> tuple[float, float]:
    width = node_width(text)
    height = NODE_HEIGHT if text else DOT_SIZE
    return (height, width) if down else (width, height)


def _in_all_loops(arrows: Sequence[Cause], timeline: Timeline) -> Iterator[Cause]:
    """The causes in every loop that is shown, and those that reach into it."""
    loop = timeline.choreography.duration
    for cause in arrows:
        first, last = sorted((cause.time, cause.to_time))
        for lap in range(floor(-last / loop), ceil((timeline.span - first) / loop) + 1):
            if last + lap * loop > 0 and first + lap * loop < timeline.span:
                shift = lap * loop
                yield Cause(
                    cause.time + shift,
                    cause.hand,
                    cause.to_time + shift,
                    cause.to_hand,
                    cause.orbit,
                )


def _hands_meet(throws: Sequence[ThrowNode], loop: float, scale: float) -> bool:
    """Whether throws of a juggler's two hands would touch on one row."""
    by_juggler: dict[int, list[float]] = {}
    for throw in throws:
        by_juggler.setdefault(throw.hand // 2, []).append(throw.time)
    for times in by_juggler.values():
        times.sort()
        gaps = np.diff([*times, times[0] + loop])
        if len(times) > 1 and gaps.min() * scale < NODE_HEIGHT + 1:
            return True
    return False


def _scale(timeline: Timeline, throws: Sequence[ThrowNode]) -> float:
    """The scale at which throws don't touch, [mm/s]."""
    widest = max((node_width(throw.text) for throw in throws), default=NODE_HEIGHT)
    if timeline.beat:
        return max(_BEAT_LENGTH, widest + 7.0) / timeline.beat
    return (
        _BEAT_LENGTH
        * max(1, len(throws))
        / (timeline.choreography.jugglers * timeline.choreography.duration)
    )
