"""Diagrams with a row for each juggler: the causal diagram, whose arrows lead from each throw to
the throw that it causes, and that of flights, whose arrows lead to the catch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil, exp, floor

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, Score, holds
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
    Pill,
    Point,
    bezier_weights,
    heading,
    node,
    node_width,
    orbit_colours,
    prop_inks,
)
from juggle_anim.diagrams.timeline import (
    DEFAULT_OPTIONS,
    NO_ORBIT,
    NO_PROP,
    DiagramOptions,
    HandLines,
    TimeLayout,
    Timeline,
    TimePoint,
    curve_piece,
    empty_turns,
    hand_lines,
    hand_names,
    orbit_of_throw,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import catching_hand, grouped, hand_of

_TIME_TOLERANCE = 1e-7  # s; a throw that is no earlier than this before a catch does not precede it
_CURVE_WEIGHTS = bezier_weights(121)

_ARROW_CLEARANCE = 0.9  # mm, between an arrow and a frame
_TIP_GAP = 0.35  # mm, from the tip of an arrow to the frame at its end
_LEAST_THROW_DISTANCE = NODE_HEIGHT + 1.0  # mm, between centres of throws on a common line
_SAME_PLACE = 0.1  # mm; places closer than this are one
_LETTER_CLEARANCE = 1.9  # mm, between a letter and an arrow


@dataclass(frozen=True)
class ThrowNode:
    """All that a hand throws at one time of the loop.

    Args:
        time: time of the beat, [s]; without beats, of the throw.
        hand: 2 · juggler + side.
        text: text in siteswap; empty for a pattern without beats.
        orbits: orbits of the thrown props, each once; empty for an empty hand.
        throws: numbers of the throws, as of `Timeline.prop_thrown`; empty for an empty hand.
    """

    time: float
    hand: int
    text: str
    orbits: tuple[int, ...]
    throws: tuple[int, ...]


@dataclass(frozen=True)
class Cause:
    """A throw, and the throw that it causes: the one that empties the catching hand.

    Args:
        time, hand: time and hand of the throw.
        to_time, to_hand: time and hand of the throw that it causes, which may be in an earlier or a
            later loop.
        orbit: orbit of the thrown prop.
        throw: number of the throw, as of `Timeline.prop_thrown`.
        loop_index: number of the loop in which it is thrown.
    """

    time: float
    hand: int
    to_time: float
    to_hand: int
    orbit: int
    throw: int
    loop_index: int = 0

    @property
    def passes(self) -> bool:
        """Whether it goes to another juggler."""
        return self.hand // 2 != self.to_hand // 2


def throw_nodes(timeline: Timeline) -> list[ThrowNode]:
    """Return all throws of one loop, sorted by hand and time; those of a multiplex are one node."""
    multiplexes = grouped(((throw.hand, throw.time), throw) for throw in _timeline_throws(timeline))
    return [
        ThrowNode(
            time=time,
            hand=hand,
            text=_text(throws),
            orbits=_orbits(throws),
            throws=tuple(throw.number for throw in throws if throw.orbit != NO_ORBIT),
        )
        for (hand, time), throws in sorted(multiplexes.items())
    ]


def causes(timeline: Timeline) -> list[Cause]:
    """Return the causal links of one loop: each throw with the throw that it causes.

    A hand must throw before it can catch, so a throw causes the last throw of the catching hand
    before the catch. If hands take turns, this is `value` − 2 beats after the causing throw. Throws
    that would cause themselves, such as a 2, are left out.

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
    """
    loop = timeline.choreography.duration
    # Times of throws of each hand within the loop, sorted, [s].
    times_of_hand = grouped((node.hand, node.time) for node in throw_nodes(timeline))
    all_causes = []
    for throw in _timeline_throws(timeline):
        # An empty hand causes nothing, and a hand that never throws has no throw to be caused.
        if throw.orbit != NO_ORBIT and throw.to_hand in times_of_hand:
            to_time = _last_before(times_of_hand[throw.to_hand], throw.landing_time, loop)
            # The same hand at the same time, up to rounding, is the throw itself.
            if (throw.to_hand, round(to_time - throw.time, 6)) != (throw.hand, 0.0):
                all_causes.append(
                    Cause(
                        time=throw.time,
                        hand=throw.hand,
                        to_time=to_time,
                        to_hand=throw.to_hand,
                        orbit=throw.orbit,
                        throw=throw.number,
                    )
                )
    return all_causes


def handovers(timeline: Timeline) -> list[Cause]:
    """Return the throws of one loop that leave the hand, each with the throw that goes on from it.

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
    """
    return [
        Cause(
            time=throw.time,
            hand=throw.hand,
            to_time=throw.landing_time,
            to_hand=throw.to_hand,
            orbit=throw.orbit,
            throw=throw.number,
        )
        for throw in _timeline_throws(timeline)
        if throw.orbit != NO_ORBIT and not throw.is_held
    ]


@dataclass(frozen=True)
class _Throw:
    """A throw: its time and landing [s], hands as 2·juggler + side, orbit of the prop, and text.

    `number` is as of `Timeline.prop_thrown`; −1 for an empty hand.
    """

    time: float
    hand: int
    landing_time: float
    to_hand: int
    orbit: int
    text: str
    number: int = -1
    is_held: bool = False


def _text(multiplex: list[_Throw]) -> str:
    """Return the siteswap of throws of a hand at one time; several are in brackets."""
    text = "".join(throw.text for throw in multiplex)
    return f"[{text}]" if text and len(multiplex) > 1 else text


def _orbits(multiplex: list[_Throw]) -> tuple[int, ...]:
    """Return the orbits of thrown props, each once, in the order of the throws."""
    return tuple(dict.fromkeys(throw.orbit for throw in multiplex if throw.orbit != NO_ORBIT))


def _timeline_throws(timeline: Timeline) -> Iterator[_Throw]:
    """Yield all throws of one loop: at beats of the pattern, or at times of flights without one.

    For each turn of a pattern on which a hand throws nothing, a throw with the text "0" and no
    orbit is yielded; its landing has no meaning.

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
    """
    pattern = timeline.pattern
    choreography = timeline.choreography
    if pattern is None:
        # Flights of a time line are those of several loops, of which one is taken.
        for flight in timeline.flights:
            if 0 <= flight.throw_time < choreography.duration:
                yield _Throw(
                    time=flight.throw_time,
                    hand=flight.hand,
                    landing_time=flight.catch_time,
                    to_hand=flight.to_hand,
                    orbit=flight.orbit,
                    text="",
                    number=flight.index,
                )
        return
    orbits = orbit_of_throw(pattern)
    is_held = holds(pattern)
    for index, throw in enumerate(pattern.throws):
        yield _Throw(
            time=timeline.time_of(throw.beat),
            hand=hand_of(throw),
            landing_time=timeline.time_of(throw.beat + throw.value),
            to_hand=catching_hand(throw),
            orbit=orbits[index],
            text=timeline.text(throw),
            number=index,
            is_held=is_held[index],
        )
    for beat, hand in empty_turns(pattern):
        yield _Throw(
            timeline.time_of(beat), hand, landing_time=0.0, to_hand=0, orbit=NO_ORBIT, text="0"
        )


def _last_before(times: list[float], moment: float, loop: float) -> float:
    """Return the last time before a moment, of times that repeat in every loop, [s].

    Args:
        times: within one loop, sorted, at least one.
        moment: moment in any loop.
        loop: duration of a loop.
    """
    # A throw less than `_TIME_TOLERANCE`, [s], before the moment counts as simultaneous.
    loops, time_in_loop = divmod(moment - _TIME_TOLERANCE, loop)
    index = bisect_left(times, time_in_loop)
    if index == 0:
        # Before the first time of a loop comes the last one of the loop before.
        return times[-1] + (loops - 1) * loop
    return times[index - 1] + loops * loop


class ArrowRouter:
    """Routes arrows around the frames of all throws, as if all time were drawn in a single row.

    Points on the paper are (along time, across time), [mm]; a `TimePoint` has a time [s] instead.

    Args:
        frames: shape (N, 4): the centre of each, along and across time, and its length and depth,
            [mm].
        scale: scale of time, [mm/s].
    """

    def __init__(self, frames: Floats, scale: float) -> None:
        self._frames = frames[np.argsort(frames[:, 0], kind="stable")]
        self._reach = float(frames[:, 2].max(initial=0.0)) + 2 * _ARROW_CLEARANCE
        self._scale = scale

    def arrow(self, start: TimePoint, end: TimePoint, bows: Sequence[float]) -> Sequence[TimePoint]:
        """Return the curve of an arrow from one throw to another: four points of a cubic Bézier.

        A point is a time [s] and a distance across the row [mm]. The arrow ends at the edge of the
        frame around the second throw.

        Args:
            start, end: centres of the frames of both throws, as such points.
            bows: distances by which the curve may bend aside, in order of preference, [mm]; the
                first that stays clear of other throws is taken, else the one that stays farthest
                away.
        """
        curves = [_bowed_curve(start, end, bow, self._scale) for bow in bows]
        gaps = [self._gap(self.sample(curve)) for curve in curves]
        return self._up_to_frame(curves[_first_clear(gaps, _ARROW_CLEARANCE)])

    def sample(self, curve: Sequence[TimePoint]) -> Floats:
        """Return points along a cubic Bézier curve, shape (121, 2), along and across time, [mm]."""
        points = np.array(curve) * (self._scale, 1.0)
        return _CURVE_WEIGHTS @ points

    def _gap(self, points: Floats) -> float:
        """Return the least distance of a curve from all frames but those at its ends, [mm].

        Args:
            points: N points on the curve, from its start to its end, shape (N, 2): along and across
                time, [mm].
        """
        near = self._near(points)
        # Shape (frames, 2 ends).
        from_ends = np.abs(near[:, None, :2] - points[[0, -1]]).max(axis=2)
        others = near[(from_ends > _SAME_PLACE).all(axis=1)]
        return float(_distances_from_frames(points, others).min(initial=np.inf))

    def _up_to_frame(self, curve: Sequence[TimePoint]) -> Sequence[TimePoint]:
        """Return the part of a curve up to the frame of the throw at its end."""
        points = self.sample(curve)
        near = self._near(points)
        target = near[np.abs(near[:, :2] - points[-1]).max(axis=1) < _SAME_PLACE][:1]
        outside = np.flatnonzero((_distances_from_frames(points, target) > _TIP_GAP).all(axis=1))
        # A curve that lies within the frame altogether stays unchanged.
        return curve_piece(curve, 0.0, outside[-1] / (len(points) - 1)) if len(outside) else curve

    def _near(self, points: Floats) -> Floats:
        """Return the frames that lie near some points along time, a slice of all frames."""
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
        """Index of the first place with space for a letter, or else of that with the most space.

        Args:
            places: centres of the letter to try, along and across time, [mm].
        """
        return _first_clear([self._gap(place) for place in places], _LETTER_CLEARANCE)

    def _gap(self, place: tuple[float, float]) -> float:
        """Return the distance of a place from the nearest arrow, [mm]; infinite if none is near."""
        first, last = np.searchsorted(
            self._points[:, 0], (place[0] - _LETTER_CLEARANCE, place[0] + _LETTER_CLEARANCE)
        )
        return float(np.linalg.norm(self._points[first:last] - place, axis=1).min(initial=np.inf))


def _first_clear(gaps: Sequence[float], enough: float) -> int:
    """Return the index of the first gap that is wide enough, or else of the widest."""
    return next((index for index, gap in enumerate(gaps) if gap > enough), int(np.argmax(gaps)))


def _bowed_curve(start: TimePoint, end: TimePoint, bow: float, scale: float) -> list[TimePoint]:
    """Return a cubic Bézier curve between two points, bent away from the straight line.

    Its four points are evenly spaced in time, so that time is linear in the curve's parameter. It
    is bent across time, or along time if both ends are at the same time.

    Args:
        start, end: time [s] and distance across it [mm].
        bow: greatest distance from the straight line, with a sign, [mm].
        scale: scale of time, [mm/s].
    """
    start_time, start_across = start
    end_time, end_across = end
    time_third = (end_time - start_time) / 3
    across_third = (end_across - start_across) / 3
    # In its middle a cubic is 3/4 as far from the straight line as its inner points are.
    bend = bow * 4 / 3
    if end_time == start_time:
        bent_time = start_time + bend / scale
        return [
            start,
            (bent_time, start_across + across_third),
            (bent_time, end_across - across_third),
            end,
        ]
    return [
        start,
        (start_time + time_third, start_across + across_third + bend),
        (end_time - time_third, end_across - across_third + bend),
        end,
    ]


def _distances_from_frames(places: Floats, frames: Floats) -> Floats:
    """Return the distances of places from frames with round ends, negative inside.

    Args:
        places: shape (M, 2), [mm].
        frames: shape (N, 4): centre and size, [mm].

    Returns:
        shape (M, N), [mm].
    """
    # A frame is all points within half its thickness from a straight line, its core.
    thickness = frames[:, 2:].min(axis=1)
    half_core = (frames[:, 2:] - thickness[:, None]) / 2
    from_core = np.maximum(np.abs(places[:, None] - frames[:, :2]) - half_core, 0.0)
    distance: Floats = np.linalg.norm(from_core, axis=-1) - thickness / 2
    return distance


# Lengths are in [mm].
_BEAT_LENGTH = 13.0
_ROOM_BESIDE_LINE = 12.0
_BETWEEN_HANDS = 18.0
_LINE_WIDTH = 0.3
_SELF_WIDTH = 0.4
_PASS_WIDTH = 0.75
_LEAST_BOW = 2.2
_MOST_BOW = 38.0
_BOW_LENGTH = 240.0  # length of an arrow at which it bows by 1 - 1/e of the most
_MORE_BOW = 2.0  # by which an arrow bows more to avoid a frame
_ROOM_ABOVE_BOW = 2.0
_HAND_LETTERS = "LR"  # of left and right hands, in all languages
_HAND_LETTER_SIZE = 2.2
_LETTER_ASIDE = 1.0
_LETTER_BELOW = 2.7
_THROWS_PER_JUGGLER = 10


def causal(
    score: Score, choreography: Choreography, options: DiagramOptions = DEFAULT_OPTIONS
) -> Diagram:
    """Draw the causal diagram of a pattern, as passers know it.

    An arrow leads from a throw to the throw that it makes necessary: it spans the throw's value
    less two beats. Where both hands of a juggler throw at one time, each has its own row. Each
    orbit has a colour; passes are bold.

    Args:
        score: the pattern or events.
        choreography: choreography of the score.
        options: direction, length and colours.

    Raises:
        ParameterError: the number of loops is below 1 or too large, or the loop is too long to be
            drawn.
    """
    return _diagram(score, choreography, options, causes, _OrbitInks)


def who_to_whom(
    score: Score, choreography: Choreography, options: DiagramOptions = DEFAULT_OPTIONS
) -> Diagram:
    """Draw who throws to whom: an arrow leads from each throw to the next one of its prop.

    Rows and widths of lines are those of the causal diagram. Each prop has its colour all along.

    Args:
        score, choreography, options: the arguments of `causal`.

    Raises:
        ParameterError: as by `causal`.
    """
    return _diagram(score, choreography, options, handovers, _PropInks)


def _diagram(
    score: Score,
    choreography: Choreography,
    options: DiagramOptions,
    arrows_of: Callable[[Timeline], list[Cause]],
    inks_of: type[_OrbitInks | _PropInks],
) -> Diagram:
    """Draw throws on rows of jugglers or hands, and arrows between them.

    Args:
        score, choreography, options: the arguments of `causal`.
        arrows_of: returns the arrows of one loop.
        inks_of: the class of the colours.
    """
    # By default, enough loops to show `_THROWS_PER_JUGGLER` throws of each juggler.
    timeline = Timeline.for_diagram(
        score,
        choreography,
        loops=options.loops,
        enough=_THROWS_PER_JUGGLER * choreography.jugglers,
    )
    throws = throw_nodes(timeline)
    arrows = arrows_of(timeline)
    scale = _time_scale(timeline, throws)
    rows = _Rows(choreography, throws, arrows, scale)
    layout = TimeLayout.of_timeline(
        timeline, options, scale=scale, depth=rows.lines.depth, names=rows.names
    )
    inks = inks_of(timeline, options)
    marks = _marks(timeline, throws, arrows, layout, rows, inks)
    title, subtitle = heading(score, choreography)
    return layout.diagram(title, subtitle, list(marks))


class _OrbitInks:
    """Colours of arrows and nodes by the orbits of their props."""

    def __init__(self, timeline: Timeline, options: DiagramOptions) -> None:
        self._colours = orbit_colours(timeline.choreography, options.palette)

    def arrow(self, cause: Cause) -> tuple[Colour, int]:
        """Return the colour of an arrow, and no prop."""
        return self._colours[cause.orbit], NO_PROP

    def node(self, throw: ThrowNode, _loop_index: int) -> tuple[Colour | None, int]:
        """Return the colour of a node, and no prop: black for several orbits, None for none."""
        if len(throw.orbits) == 1:
            return self._colours[throw.orbits[0]], NO_PROP
        return PRINT_INK if throw.orbits else None, NO_PROP


class _PropInks:
    """Colours of arrows and nodes by their props, which have one colour all along."""

    def __init__(self, timeline: Timeline, options: DiagramOptions) -> None:
        self._timeline = timeline
        self._colours = prop_inks(timeline.choreography, options.palette)

    def arrow(self, cause: Cause) -> tuple[Colour, int]:
        """Return the colour of an arrow, and its prop."""
        prop = self._timeline.prop_thrown(cause.throw, cause.loop_index)
        return self._colours[prop], prop

    def node(self, throw: ThrowNode, loop_index: int) -> tuple[Colour | None, int]:
        """Return the colour of a node and its prop: black for several props, None for none."""
        props = {self._timeline.prop_thrown(number, loop_index) for number in throw.throws}
        if len(props) == 1 and (prop := props.pop()) != NO_PROP:
            return self._colours[prop], prop
        return PRINT_INK if throw.throws else None, NO_PROP


class _Rows:
    """The positions of the lines of jugglers, or of hands, across time.

    Attributes:
        by_hand: whether each hand has a line of its own, else each juggler.
        lines: places of the lines, by hand, [mm].
        names: place [mm] and name of each line.
    """

    def __init__(
        self,
        choreography: Choreography,
        throws: Sequence[ThrowNode],
        arrows: Sequence[Cause],
        scale: float,
    ) -> None:
        """Place the lines of hands, or of jugglers, across time.

        Args:
            choreography: choreography with the hands.
            throws: throws of one loop.
            arrows: causes of one loop.
            scale: scale of time, [mm/s].
        """
        # Each hand has its own line if throws of both hands would touch on a common one.
        self.by_hand = _hands_meet(throws, choreography.duration, scale)
        jugglers = choreography.jugglers
        # How far arrows bow beyond the lines, [mm].
        outside = self._room_beside_lines(arrows, jugglers, scale)
        # Both hands of a juggler share a place, unless each has its own line.
        between_hands = _BETWEEN_HANDS if self.by_hand else 0.0
        self.lines: HandLines = hand_lines(outside, between=between_hands, apart=0.0)
        if self.by_hand:
            self.names = list(zip(self.lines.places, hand_names(jugglers), strict=True))
        else:
            # The only line of a single juggler needs no name.
            names = [f"{juggler + 1}" if jugglers > 1 else "" for juggler in range(jugglers)]
            self.names = list(zip(self.lines.places[::2], names, strict=True))

    def across(self, hand: int) -> float:
        """Return where a hand's row lies, [mm]."""
        return self.lines.places[hand]

    def side(self, hand: int) -> int:
        """Return the side of a hand's line to which forward arrows bow: away from the other hand.

        −1 is up, or left where time runs down; 1 is the opposite.
        """
        return 1 if self.by_hand and hand % 2 else -1

    def _room_beside_lines(
        self, arrows: Sequence[Cause], jugglers: int, scale: float
    ) -> list[float]:
        """Return the room beyond the line of each hand, by hand, for arrows along it, [mm].

        An arrow leads from a throw to the throw that it makes necessary (a cause). One between two
        throws on the same line bows away from it, the more the longer it is.

        Args:
            arrows: causes of one loop.
            jugglers: number of jugglers.
            scale: scale of time, [mm/s].
        """
        # To avoid a throw, an arrow may have to bow by `_MORE_BOW`, [mm], more.
        outside = [_ROOM_BESIDE_LINE] * 2 * jugglers
        for cause in arrows:
            is_along_line = cause.hand == cause.to_hand or (not self.by_hand and not cause.passes)
            if is_along_line:
                hand = cause.hand
                if not self.by_hand:
                    # A juggler's line counts as that of the left hand, which has an even number.
                    hand -= hand % 2
                bow = _bow(abs(cause.to_time - cause.time) * scale)
                outside[hand] = max(outside[hand], bow + _MORE_BOW + _ROOM_ABOVE_BOW)
        return outside


def _marks(
    timeline: Timeline,
    throws: Sequence[ThrowNode],
    arrows: Sequence[Cause],
    layout: TimeLayout,
    rows: _Rows,
    inks: _OrbitInks | _PropInks,
) -> Iterator[Mark]:
    """Yield the marks of a causal diagram, from back to front: lines, arrows, and throws.

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
        throws: throws of one loop.
        arrows: causes of one loop.
        layout: converts times to places on the paper, where time may run over several lines, as
            text does.
        rows: places of hands or jugglers across time.
        inks: colours of arrows and nodes.
    """
    for across, _name in rows.names:
        yield from layout.curve([(0.0, across), (timeline.span, across)], FAINT, _LINE_WIDTH)
    # Arrows (causes) are routed around throws. Samples of their curves show where letters fit.
    router = _router(timeline, throws, layout, rows)
    curves = []
    for cause in _in_all_loops(arrows, timeline):
        start, end = _arrow_ends(cause, rows)
        points = router.arrow(start, end, _bows_to_try(cause, rows, layout.scale))
        curves.append(router.sample(points))
        width = _PASS_WIDTH if cause.passes else _SELF_WIDTH
        colour, prop = inks.arrow(cause)
        for stroke in layout.curve(points, colour, width, arrow=True):
            yield replace(stroke, prop=prop)
    placer = LabelPlacer(curves)
    for throw in throws:
        letter_offset = None if rows.by_hand else _letter_offset(throw, rows, placer, layout)
        for loop_index in range(timeline.loops):
            time = throw.time + loop_index * layout.loop
            if centre := layout.point_at(time, rows.across(throw.hand)):
                colour_and_prop = inks.node(throw, loop_index)
                yield from _throw_marks(centre, throw, letter_offset, *colour_and_prop)


def _throw_marks(
    centre: Point,
    throw: ThrowNode,
    letter_offset: Point | None,
    colour: Colour | None,
    prop: int,
) -> Iterator[Mark]:
    """Yield the marks of a throw in one loop: its node, and perhaps a letter for its hand.

    Args:
        centre: middle of the node on the paper, [mm].
        throw: the throw.
        letter_offset: offset of the letter from the centre, right and down, [mm]; None for no
            letter, where the line of the node already tells the hand.
        colour: colour of the node; None for an empty hand.
        prop: the prop that has this colour; −1 for none.
    """
    for mark in node(centre, throw.text, colour):
        yield replace(mark, prop=prop) if isinstance(mark, Pill) else mark
    if letter_offset:
        place = centre[0] + letter_offset[0], centre[1] + letter_offset[1]
        yield Label(place, _HAND_LETTERS[throw.hand % 2], _HAND_LETTER_SIZE, GREY)


def _letter_offset(throw: ThrowNode, rows: _Rows, placer: LabelPlacer, layout: TimeLayout) -> Point:
    """Return the offset of a hand's letter from the centre of its throw, right and down, [mm].

    Of the four corners around the throw, the one farthest from arrows in the first loop is taken.

    Args:
        throw: the throw of the letter.
        rows: places across time.
        placer: knows where arrows run.
        layout: converts times to places on the paper, row by row.
    """
    # Distances of the letter's middle from the throw's edge and centre, [mm].
    x = node_width(throw.text) / 2 + _LETTER_ASIDE
    y = _LETTER_BELOW
    offsets = [(x, y), (-x, y), (x, -y), (-x, -y)]
    along = throw.time * layout.scale
    across = rows.across(throw.hand)
    # The placer has points along and across time.
    places = [
        (along + down, across + right) if layout.down else (along + right, across + down)
        for right, down in offsets
    ]
    return offsets[placer.clearest(places)]


def _arrow_ends(cause: Cause, rows: _Rows) -> tuple[TimePoint, TimePoint]:
    """Return the ends of an arrow: time, [s], and place across it, [mm], of its two throws."""
    return (cause.time, rows.across(cause.hand)), (cause.to_time, rows.across(cause.to_hand))


def _bows_to_try(cause: Cause, rows: _Rows, scale: float) -> Sequence[float]:
    """Return the bows of an arrow to try, in order of preference, [mm].

    The bow is how far the middle of a curved arrow is from the straight line between its ends; its
    sign says to which side. In a causal diagram an arrow leads from a throw to the throw that it
    makes necessary; time runs along lines of hands or jugglers.

    Args:
        cause: both throws of the arrow.
        rows: places of the lines, across time.
        scale: scale of time, [mm/s].
    """
    (start_time, start_across), (end_time, end_across) = _arrow_ends(cause, rows)
    if start_across != end_across:
        return 0.0, 5.0, -5.0, 9.0, -9.0
    # On one line, arrows back in time run on one side, and arrows forward on the other.
    bow = _bow(abs(end_time - start_time) * scale)
    side = rows.side(cause.hand)
    if end_time < start_time:
        return (-side * bow,)
    # To avoid a throw, an arrow bows by `_MORE_BOW`, [mm], more.
    return 0.0, side * bow, side * (bow + _MORE_BOW)


def _bow(length: float) -> float:
    """Bow of an arrow along a line, both in mm: longer arrows bow more, so that they nest."""
    return _LEAST_BOW + _MOST_BOW * (1 - exp(-length / _BOW_LENGTH))


def _router(
    timeline: Timeline, throws: Sequence[ThrowNode], layout: TimeLayout, rows: _Rows
) -> ArrowRouter:
    """Return a router, which finds curves for arrows that cross no throw's frame.

    The frames are those of the throws shown, and of the loops before and after, into which arrows
    may reach.

    Args:
        timeline: flights, holds and empty hands over some loops, with their times.
        throws: throws of one loop.
        layout: converts times to places on the paper, row by row.
        rows: places across time.
    """
    frames = []
    for throw in throws:
        across = rows.across(throw.hand)
        size = _frame_size(throw.text, layout.down)
        for loop_index in range(-1, timeline.loops + 1):
            along = (throw.time + loop_index * layout.loop) * layout.scale
            frames.append((along, across, *size))
    return ArrowRouter(np.array(frames).reshape(-1, 4), layout.scale)


def _frame_size(text: str, down: bool) -> tuple[float, float]:
    """Return the size of the frame of a throw, along and across time, [mm]."""
    width = node_width(text)
    height = NODE_HEIGHT if text else DOT_SIZE
    return (height, width) if down else (width, height)


def _in_all_loops(arrows: Sequence[Cause], timeline: Timeline) -> Iterator[Cause]:
    """Repeat causes of one loop in all loops that are shown, and where they reach into these."""
    loop = timeline.choreography.duration
    for cause in arrows:
        # Arrows may run back in time.
        first, last = sorted((cause.time, cause.to_time))
        for loop_index in range(floor(-last / loop), ceil((timeline.span - first) / loop) + 1):
            shift = loop_index * loop
            if last + shift > 0 and first + shift < timeline.span:
                yield replace(
                    cause,
                    time=cause.time + shift,
                    to_time=cause.to_time + shift,
                    loop_index=loop_index,
                )


def _hands_meet(throws: Sequence[ThrowNode], loop: float, scale: float) -> bool:
    """Return whether throws of the two hands of a juggler would touch each other on a common line.

    Args:
        throws: throws of one loop.
        loop: its duration, [s].
        scale: scale of time, [mm/s].
    """
    times_of_juggler = grouped((throw.hand // 2, throw.time) for throw in throws)
    for times in times_of_juggler.values():
        times.sort()
        # The last throw is followed by the first one of the next loop.
        gaps = np.diff([*times, times[0] + loop])
        if len(times) > 1 and gaps.min() * scale < _LEAST_THROW_DISTANCE:
            return True
    return False


def _time_scale(timeline: Timeline, throws: Sequence[ThrowNode]) -> float:
    """Scale of time at which throws don't touch each other, [mm/s].

    Without beats, an average throw of a juggler has the length of a beat.
    """
    widest = max((node_width(throw.text) for throw in throws), default=NODE_HEIGHT)
    if timeline.beat:
        return max(_BEAT_LENGTH, widest + 7.0) / timeline.beat
    choreography = timeline.choreography
    return _BEAT_LENGTH * max(1, len(throws)) / (choreography.jugglers * choreography.duration)
