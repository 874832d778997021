"""The causal diagram: a row for each juggler, and an arrow from each throw to the throw that it
causes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, Score
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
    curve_piece,
    hand_lines,
    hand_names,
)
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline
from juggle_anim.pattern.pattern import catching_hand, hand_of

_HAIR = 1e-7
_SHARE = np.linspace(0.0, 1.0, 121)[:, None]

_BASIS = np.hstack(
    [(1 - _SHARE) ** 3, 3 * (1 - _SHARE) ** 2 * _SHARE, 3 * (1 - _SHARE) * _SHARE**2, _SHARE**3],
)

# [mm]: the space around an arrow, before the frame at its end, between places that are one, and
# around a letter.
_FREE = 0.9
_BEFORE_EDGE = 0.35
_SAME = 0.1
_LETTER = 1.9


@dataclass(frozen=True)
class ThrowNode:
    """All that a hand throws at one time of the loop.

    Args:
        time: of the beat, [s]; without beats, of the throw.
        hand: 2 · juggler + side.
        text: in siteswap; empty for a pattern without beats.
        orbits: of the thrown props, each once; empty for an empty hand.
    """

    time: float
    hand: int
    text: str
    orbits: tuple[int, ...]


@dataclass(frozen=True)
class Cause:
    """A throw, and the throw that it causes: the one that empties the catching hand.

    Args:
        time, hand: of the throw.
        to_time, to_hand: of the throw that it causes, which may be in an earlier or a later loop.
        orbit: of the thrown prop.
    """

    time: float
    hand: int
    to_time: float
    to_hand: int
    orbit: int

    @property
    def passes(self) -> bool:
        """Whether it goes to another juggler."""
        return self.hand // 2 != self.to_hand // 2


def throw_nodes(timeline: Timeline) -> list[ThrowNode]:
    """Return all throws of one loop by hand and time, those of a multiplex together."""
    found: dict[tuple[int, float], list[_Throw]] = {}
    for throw in _timeline_throws(timeline):
        found.setdefault((throw.hand, throw.time), []).append(throw)
    return [
        ThrowNode(time, hand, _text(together), _orbits(together))
        for (hand, time), together in sorted(found.items())
    ]


def causes(timeline: Timeline) -> list[Cause]:
    """Return what each throw of one loop causes.

    A hand must throw before it can catch. So a throw causes the last throw that the catching hand
    makes before the catch. Where hands take turns this is `value` − 2 beats later. A throw that
    would cause itself is left out.
    """
    loop = timeline.choreography.duration
    sites: dict[int, list[float]] = {}
    for turn in throw_nodes(timeline):
        sites.setdefault(turn.hand, []).append(turn.time)
    found = []
    for throw in _timeline_throws(timeline):
        if throw.orbit != NO_ORBIT and throw.to_hand in sites:
            before = _last_before(sites[throw.to_hand], throw.lands, loop)
            if (throw.to_hand, round(before - throw.time, 6)) != (throw.hand, 0.0):
                found.append(Cause(throw.time, throw.hand, before, throw.to_hand, throw.orbit))
    return found


@dataclass(frozen=True)
class _Throw:
    time: float
    hand: int
    lands: float
    to_hand: int
    orbit: int
    text: str


def _text(together: list[_Throw]) -> str:
    text = "".join(throw.text for throw in together)
    return f"[{text}]" if text and len(together) > 1 else text


def _orbits(together: list[_Throw]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(throw.orbit for throw in together if throw.orbit != NO_ORBIT))


def _timeline_throws(timeline: Timeline) -> Iterator[_Throw]:
    pattern = timeline.pattern
    choreography = timeline.choreography
    if pattern is None:
        for each in timeline.flights:
            if 0 <= each.thrown < choreography.duration:
                yield _Throw(each.thrown, each.hand, each.caught, each.to_hand, each.orbit, "")
        return
    orbit = {index: number for number, each in enumerate(pattern.orbits) for index in each.throws}
    for index, throw in enumerate(pattern.throws):
        lands = timeline.time_of(throw.beat + throw.value)
        to_hand = catching_hand(throw)
        yield _Throw(
            timeline.time_of(throw.beat),
            hand_of(throw),
            lands,
            to_hand,
            orbit[index],
            timeline.text(throw),
        )
    busy = {throw[:3] for throw in pattern.throws}
    for beat, juggler, side in pattern.turns:
        if (beat, juggler, side) not in busy:
            yield _Throw(timeline.time_of(beat), 2 * juggler + side, 0.0, 0, NO_ORBIT, "0")


def _last_before(times: list[float], moment: float, loop: float) -> float:
    """The last time before a moment, of times that repeat in every loop."""
    lap, within = divmod(moment - _HAIR, loop)
    place = bisect_left(times, within)
    return (times[place - 1] + lap * loop) if place else times[-1] + (lap - 1) * loop


class ArrowRouter:
    """Routes arrows around the frames of all throws, on endless paper.

    Args:
        frames: shape (N, 4): the centre of each, along and across time, and its length and depth,
            [mm].
        scale: [mm/s].
    """

    def __init__(self, frames: Floats, scale: float) -> None:
        self._frames = frames[np.argsort(frames[:, 0], kind="stable")]
        self._reach = float(frames[:, 2].max(initial=0.0)) + 2 * _FREE
        self._scale = scale

    def arrow(self, start: TimePoint, end: TimePoint, bows: Sequence[float]) -> Sequence[TimePoint]:
        """Return the curve from one throw to the edge of another's frame.

        Args:
            start, end: centres of their frames.
            bows: how far the curve may bend aside, in order of preference, [mm]; the first that
                stays clear of other throws is taken.
        """
        curves = [_bent(start, end, bow, self._scale) for bow in bows]
        return self._to_the_edge(
            curves[_first_clear([self._gap(self.sample(curve)) for curve in curves], _FREE)]
        )

    def sample(self, curve: Sequence[TimePoint]) -> Floats:
        """Return points of a cubic, shape (N, 2), along and across time, [mm]."""
        points = np.array(curve) * (self._scale, 1.0)
        return _BASIS @ points

    def _gap(self, points: Floats) -> float:
        """Return the least distance of a curve from all throws but its own two, [mm]."""
        near = self._near(points)
        others = near[(np.abs(near[:, None, :2] - points[[0, -1]]).max(axis=2) > _SAME).all(axis=1)]
        return float(_outside(points, others).min(initial=np.inf))

    def _to_the_edge(self, curve: Sequence[TimePoint]) -> Sequence[TimePoint]:
        """The curve up to the frame of the throw at its end."""
        points = self.sample(curve)
        near = self._near(points)
        target = near[np.abs(near[:, :2] - points[-1]).max(axis=1) < _SAME][:1]
        outside = np.flatnonzero((_outside(points, target) > _BEFORE_EDGE).all(axis=1))
        return curve_piece(curve, 0.0, outside[-1] / (len(points) - 1)) if len(outside) else curve

    def _near(self, points: Floats) -> Floats:
        edges = points[:, 0].min() - self._reach, points[:, 0].max() + self._reach
        first, last = np.searchsorted(self._frames[:, 0], edges)
        return self._frames[first:last]


class LabelPlacer:
    """Places letters where no arrows run.

    Args:
        arrows: points of each, shape (N, 2), along and across time, [mm].
    """

    def __init__(self, arrows: Sequence[Floats]) -> None:
        points = np.concatenate([np.zeros((0, 2)), *arrows])
        self._points = points[np.argsort(points[:, 0], kind="stable")]

    def clearest(self, places: Sequence[tuple[float, float]]) -> int:
        """Return the index of the first place [mm] with space for a letter, or of the one with most
        space.
        """
        return _first_clear([self._gap(place) for place in places], _LETTER)

    def _gap(self, place: tuple[float, float]) -> float:
        first, last = np.searchsorted(self._points[:, 0], (place[0] - _LETTER, place[0] + _LETTER))
        return float(np.linalg.norm(self._points[first:last] - place, axis=1).min(initial=np.inf))


def _first_clear(gaps: Sequence[float], enough: float) -> int:
    """The index of the first gap that is wide enough, or else of the widest."""
    return next((number for number, gap in enumerate(gaps) if gap > enough), int(np.argmax(gaps)))


def _bent(start: TimePoint, end: TimePoint, bow: float, scale: float) -> list[TimePoint]:
    """A cubic that bows by so much across its direction, [mm]; the times of its points are evenly
    spaced.
    """
    third = (end[0] - start[0]) / 3
    across = (end[1] - start[1]) / 3
    bend = bow * 4 / 3  # a cubic comes ¾ as far as its inner points
    if end[0] == start[0]:
        aside = start[0] + bend / scale
        return [start, (aside, start[1] + across), (aside, end[1] - across), end]
    return [
        start,
        (start[0] + third, start[1] + across + bend),
        (end[0] - third, end[1] - across + bend),
        end,
    ]


def _outside(places: Floats, frames: Floats) -> Floats:
    """Distances of places, shape (M, 2), from frames with round ends, shape (N, 4); shape (M, N),
    [mm].
    """
    thick = frames[:, 2:].min(axis=1)
    straight = (frames[:, 2:] - thick[:, None]) / 2
    beside = np.maximum(np.abs(places[:, None] - frames[:, :2]) - straight, 0.0)
    distance: Floats = np.linalg.norm(beside, axis=-1) - thick / 2
    return distance


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
