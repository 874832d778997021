"""Which diagram or state graph is shown, and the threads that draw them beside the pictures.

Diagram of one loop, drawn repeatedly along time: marks, curves of props, scale, visible part.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from math import ceil, comb, exp, floor, inf
from threading import Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.diagrams import (
    GREY,
    NO_ORBIT,
    NODE_HEIGHT,
    WHITE,
    Colour,
    DiagramOptions,
    Label,
    Mark,
    Pill,
    Point,
    Row,
    Stroke,
    Timeline,
    causal,
    hand_names,
    ladder,
    moved_mark,
    node_width,
    prop_inks,
)
from juggle_anim.errors import JuggleError, ParameterError, counted, sentence
from juggle_anim.language import N_, _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import LEFT
from juggle_anim.scene import STANDARD, Palette, drawn_colours
from juggle_anim.viewer.state.beats import uneven_beat
from juggle_anim.viewer.state.keymap import OpenCards

if TYPE_CHECKING:
    from juggle_anim.diagrams import StateDiagram
    from juggle_anim.pattern import Pattern, StateEdge, StateGraph


MAX_CAUSAL_THROWS = 10_000
"""Throws of a loop times jugglers, at most: every arrow is bent around throws of all of them."""

_TIME_WIDTH = 7.5  # mm; of a time below a ladder, with a gap
_HALF_LETTER = 1.3  # mm; half the width of a letter beside a node
_LIT_TIME = 0.2  # s; how long a throw is highlighted in patterns without beats
_MAX_SPACING = 22.0  # mm, between lines
_SAME_PLACE = 1e-4  # mm; places nearer to each other are one
_STROKE_MARGIN = 3.0  # mm; more than the thickness of any mark


@dataclass(frozen=True)
class LoopDiagram:
    """A ladder or causal diagram of one loop.

    Args:
        kind: "ladder" or "causal".
        marks: marks of one loop, in drawing order; x from the start of the loop, y from the upper
            edge, [mm].
        edges: bounding box of each mark, shape (N, 4): left, top, right and bottom, [mm].
        length: length of the loop along x, [mm].
        depth: extent along y, [mm].
        lines: y, [mm], and name of the line of each hand or juggler.
        nodes: positions of throws, shape (M, 2), [mm].
        texts: texts of the nodes.
        node_of: the node that each mark belongs to; −1 for none.
        above_present: whether each mark is drawn over the line of the present.
        lit_share: fraction of the loop for which a throw is highlighted.
        prop_curves: curves along which props move; None for causal diagrams.
        throws: descriptions of the throws.
        prop_of: the prop in the first loop that each mark belongs to; −1 for none.
        inks: the colour of each prop.
        orbits: for each prop the first one of its orbit, and how many exchange places in it.
    """

    kind: str
    marks: tuple[Mark, ...]
    edges: Floats
    length: float
    depth: float
    lines: tuple[tuple[float, str], ...]
    nodes: Floats
    texts: tuple[str, ...]
    node_of: tuple[int, ...]
    above_present: tuple[bool, ...]
    lit_share: float
    prop_curves: PropCurves | None
    throws: DiagramThrows
    prop_of: tuple[int, ...] = ()
    inks: tuple[Colour, ...] = ()
    orbits: tuple[tuple[int, int], ...] = ()

    @classmethod
    def from_animation(cls, kind: str, animation: Animation) -> LoopDiagram:
        """Draw one loop of an animation as a diagram that can be repeated along time.

        A diagram consists of marks: lines, boxes and texts. A node is the frame of a throw.

        Args:
            kind: "ladder" or "causal".
            animation: animation whose throws are drawn.

        Raises:
            ParameterError: the diagram is too large to draw.
        """
        score = animation.score
        choreography = animation.choreography
        palette = animation.palette
        if kind == "causal":
            _check_size(choreography.jugglers, len(choreography.flights.throw))
        options = DiagramOptions(loops=1, longest=inf, palette=palette)
        draw_diagram = ladder if kind == "ladder" else causal
        diagram = draw_diagram(score, choreography, options)
        # One loop is one row. Its corner becomes the origin of all marks.
        (row,) = diagram.rows
        corner_x, corner_y = row.corner
        to_origin = -corner_x, -corner_y
        marks = tuple(
            moved_mark(mark, to_origin)
            for mark in diagram.drawing.marks
            if _is_in_every_loop(row, mark)
        )
        # A node is a throw in the diagram: its places, and the node of each mark (−1 for none).
        nodes, node_of = _nodes_of_marks(marks)
        timeline = Timeline(score, choreography, 1)
        curves = prop_curves(marks, timeline, palette) if kind == "ladder" else None
        return cls(
            kind=kind,
            marks=marks,
            edges=np.array([_bounding_box(mark) for mark in marks]).reshape(-1, 4),
            length=row.length,
            depth=row.depth,
            lines=diagram.lines,
            nodes=nodes,
            texts=_node_texts(marks, node_of, len(nodes)),
            node_of=node_of,
            above_present=tuple(_is_node(mark) for mark in marks),
            # A throw is lit for a little less than a beat, so that the next is not lit with it.
            lit_share=0.95 * (timeline.beat or _LIT_TIME) / choreography.duration,
            prop_curves=curves,
            throws=DiagramThrows.from_timeline(timeline),
            prop_of=_props_of(marks, nodes, node_of, curves),
            inks=tuple(prop_inks(choreography, palette)),
            orbits=tuple(orbits_of_props(timeline)),
        )

    def orbit_shift(self, prop: int, loop_number: int) -> int:
        """Return the shift of the props of an orbit in a later loop, in places of the orbit.

        The place of prop p is then taken by the prop that is `shift` places before p. 0 if `prop`
        is −1, for no prop.
        """
        if prop < 0:
            return 0
        _first, count = self.orbits[prop]
        return loop_number % count

    def ink(self, prop: int, loop_number: int) -> Colour:
        """Return the colour at the place of `prop` in a later loop; grey for no prop."""
        if prop < 0:
            return GREY
        first, count = self.orbits[prop]
        return self.inks[first + (prop - first - loop_number) % count]

    def mark_in(self, index: int, loop_number: int) -> Mark:
        """Return a mark in its colour in a loop.

        From loop to loop another prop of the same orbit takes its place.

        Args:
            index: index of the mark.
            loop_number: number of the loop, from 0.
        """
        mark = self.marks[index]
        prop = self.prop_of[index]
        # With a shift of 0 the mark has the prop of the first loop.
        if self.orbit_shift(prop, loop_number) == 0:
            return mark
        ink = self.ink(prop, loop_number)
        if isinstance(mark, Stroke):
            return replace(mark, colour=ink)
        if isinstance(mark, Pill):
            return replace(mark, outline=ink) if mark.outline else replace(mark, fill=ink)
        return mark

    @cached_property
    def min_spacing(self) -> float:
        """The least distance between lines of throws, [mm]."""
        between = np.diff(np.unique(np.round(self.nodes[:, 1], 3)))
        return float(between[between > 1.0].min(initial=_MAX_SPACING))

    @cached_property
    def max_width(self) -> float:
        """The width of the widest node, [mm]."""
        return max((node_width(word) for word in self.texts), default=0.0)

    @cached_property
    def reach(self) -> float:
        """How far the marks of a throw reach beyond its time, to either side, [mm].

        It is the greatest of

        - half the width of a node, the frame of a throw;
        - the distance of the far end of a hand's letter from its node;
        - how far the box of a word begins before the loop.
        """
        # Letters of hands stand beside the nodes nearest to them.
        letters_x = [
            mark.at[0] for mark in self.marks if isinstance(mark, Label) and mark.text in ("L", "R")
        ]
        letter_reach = np.zeros(1)
        if letters_x:
            distances = np.abs(np.array(letters_x)[:, None] - self.nodes[:, 0])
            letter_reach = distances.min(axis=1) + _HALF_LETTER
        box_reaches = [
            mark.width / 2 - mark.centre[0]
            for mark in self.marks
            if isinstance(mark, Pill) and not mark.round_ends
        ]
        return max(self.max_width / 2, float(letter_reach.max()), *box_reaches)

    def lit(self, phase: float) -> Integers:
        """Return the indices of the nodes highlighted at a phase of the loop, from 0 to 1."""
        loops_since = (phase - self.nodes[:, 0] / self.length + 1e-9) % 1.0
        return np.flatnonzero(loops_since < self.lit_share)

    def marks_within(self, left: float, right: float, upper: float, lower: float) -> Integers:
        """Return the indices of the marks that overlap a rectangle, [mm]."""
        lefts, tops, rights, bottoms = self.edges.T
        overlaps = (lefts <= right) & (rights >= left) & (tops <= lower) & (bottoms >= upper)
        return np.flatnonzero(overlaps)

    def line_near(self, y: float) -> int:
        """Return the index of the line nearest to a y in the diagram, [mm]."""
        return int(np.abs(np.array([line_y for line_y, _name in self.lines]) - y).argmin())


def _check_size(jugglers: int, throws: int) -> None:
    """Raise an error for a causal diagram that is too large to draw.

    Args:
        jugglers: number of jugglers.
        throws: number of throws in a loop.

    Raises:
        ParameterError: jugglers times throws are more than `MAX_CAUSAL_THROWS`.
    """
    most = MAX_CAUSAL_THROWS // jugglers
    if throws > most:
        raise ParameterError(
            _(
                "The causal diagram is too large: a loop has {throws:,} throws; the limit for "
                "{jugglers} is {most:,}",
                throws=throws,
                most=most,
                jugglers=counted(jugglers, "juggler"),
            )
        )


def _is_in_every_loop(row: Row, mark: Mark) -> bool:
    """Return whether a mark is drawn in each loop.

    The title, the names of lines and the end of the loop are not.

    Args:
        row: row of the whole loop, with its corner and length, [mm].
        mark: mark of the diagram.
    """
    left, top = row.corner
    end = left + row.length
    if isinstance(mark, Label):
        # The title and names of lines are above or at the left of the row.
        x, y = mark.at
        is_within_row = x >= left - 1e-6 and y >= top
        # A time just before the end of the loop would meet the 0 s of the next one.
        is_crowded = mark.text.endswith(" s") and x > end - _TIME_WIDTH
        return is_within_row and not is_crowded
    if isinstance(mark, Stroke) and mark.dashed:
        # The end of the loop is a dashed line.
        x, _y = mark.points[0]
        return abs(x - end) >= 1e-6
    return True


def _is_node(mark: Mark) -> TypeGuard[Pill]:
    """Return whether a mark is a node of a throw: a pill with round ends."""
    return isinstance(mark, Pill) and mark.round_ends


def _is_flight(mark: Mark) -> TypeGuard[Stroke]:
    """Return whether a mark is a throw from line to line: a Bézier curve, of four points."""
    return isinstance(mark, Stroke) and len(mark.points) == 4


def _is_hold(mark: Mark) -> TypeGuard[Pill]:
    """Return whether a mark is the bar of a hold; white ones are boxes behind words."""
    return isinstance(mark, Pill) and not mark.round_ends and mark.fill != WHITE


def _bounding_box(mark: Mark) -> tuple[float, float, float, float]:
    """Bounding box of a mark, with a margin for its thickness: left, top, right, bottom, [mm].

    Args:
        mark: a line or curve, a pill, or a text, which counts as wide as the widest of its length.
    """
    margin = _STROKE_MARGIN
    if isinstance(mark, Stroke):
        # A Bézier curve lies within the hull of its points.
        xs, ys = zip(*mark.points, strict=True)
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
    assert isinstance(mark, Pill | Label)
    if isinstance(mark, Pill):
        x, y = mark.centre
        half_width = mark.width / 2
    else:
        x, y = mark.at
        half_width = len(mark.text) * mark.size  # wider than any text, however it is aligned
    # No pill or text is higher than two margins.
    half_height = margin
    return (
        x - half_width - margin,
        y - half_height - margin,
        x + half_width + margin,
        y + half_height + margin,
    )


def _nodes_of_marks(marks: Sequence[Mark]) -> tuple[Floats, tuple[int, ...]]:
    """Return positions of throws, and the node to which each mark belongs.

    A node is a pill with round ends. To it belong its outline, its text and the arrow that leaves
    it, which all are at the same place.

    Args:
        marks: marks of one loop.

    Returns:
        Positions, shape (M, 2), [mm], and for each mark the index of its node, −1 for none.
    """
    node_at_place: dict[Point, int] = {}
    for mark in marks:
        if _is_node(mark):
            node_at_place.setdefault(_rounded_place(mark.centre), len(node_at_place))
    node_of = []
    for mark in marks:
        place = None
        if _is_node(mark):
            place = mark.centre
        elif _is_flight(mark):
            place = mark.points[0]
        elif isinstance(mark, Label):
            place = mark.at
        node_of.append(node_at_place.get(_rounded_place(place), -1) if place else -1)
    return np.array(list(node_at_place)).reshape(-1, 2), tuple(node_of)


def _props_of(
    marks: Sequence[Mark], nodes: Floats, node_of: Sequence[int], curves: PropCurves | None
) -> tuple[int, ...]:
    """Return the prop of each mark of a ladder in the first loop; −1 for marks without one.

    Marks of a prop are its throws (curves) and holds (bars), and the nodes on them.

    Args:
        marks: marks of one loop, in drawing order.
        nodes: positions of the throws, shape (M, 2), [mm].
        node_of: the node of each mark, −1 for none.
        curves: along which props move; None for a causal diagram, which shows no props.
    """
    if curves is None:
        return (-1,) * len(marks)
    prop_at_node = [_prop_at(node, curves) for node in nodes]
    props = [
        prop_at_node[node] if node >= 0 and isinstance(mark, Pill) else -1
        for mark, node in zip(marks, node_of, strict=True)
    ]
    # `prop_curves` lists flights and then holds, in the order in which they are drawn.
    flights = [index for index, mark in enumerate(marks) if _is_flight(mark)]
    holds = [index for index, mark in enumerate(marks) if _is_hold(mark)]
    for index, prop in zip([*flights, *holds], curves.props.tolist(), strict=True):
        props[index] = prop
    return tuple(props)


def _prop_at(node: Floats, curves: PropCurves) -> int:
    """Return the prop at a node: that of the throw that starts there, or else of a hold over it.

    Args:
        node: position of the node, shape (2,), [mm].
        curves: along which props move.

    Returns:
        The number of the prop; −1 for none.
    """
    # First and last points of the curves.
    start_x, start_y = curves.curves[:, 0].T
    end_x, end_y = curves.curves[:, 3].T
    x, y = node
    starts_on_line = np.abs(start_y - y) < _SAME_PLACE
    ends_on_line = np.abs(end_y - y) < _SAME_PLACE
    is_start = starts_on_line & (np.abs(start_x - x) < _SAME_PLACE)
    covers_x = (start_x < x + _SAME_PLACE) & (end_x > x - _SAME_PLACE)
    is_hold = starts_on_line & ends_on_line & covers_x
    matches = np.flatnonzero(is_start if is_start.any() else is_hold)
    return int(curves.props[matches[0]]) if len(matches) else -1


def _node_texts(marks: Sequence[Mark], node_of: Sequence[int], count: int) -> tuple[str, ...]:
    """Return the text in each node."""
    texts = [""] * count
    for mark, node in zip(marks, node_of, strict=True):
        if isinstance(mark, Label) and node >= 0:
            texts[node] = mark.text
    return tuple(texts)


def _rounded_place(place: Point) -> Point:
    """Return a place as a key that rounding errors do not change."""
    return round(place[0], 6), round(place[1], 6)


_SIMULTANEOUS = 0.05  # s; throws of a hand within this time are one multiplex throw


@dataclass(frozen=True)
class PropCurves:
    """The curves along which props move through one loop of a ladder.

    Args:
        curves: cubic Bézier curves whose inner points divide time evenly, shape (N, 4, 2), [mm].
        props: the prop on each curve in the first loop, shape (N,).
        firsts: the first prop of its orbit, shape (N,).
        counts: the number of props in that orbit, shape (N,).
        colours: colours of all props, shape (P, 3), sRGB from 0 to 1.
    """

    curves: Floats
    props: Integers
    firsts: Integers
    counts: Integers
    colours: Singles

    def at(self, x: float, loop_number: int = 0) -> tuple[Floats, Integers]:
        """Return places of the props at an x within a loop.

        Args:
            x: x from the start of the loop, [mm].
            loop_number: the number of the loop, since props exchange places from loop to loop.

        Returns:
            Positions of shape (K, 2), [mm], and the numbers of their props, shape (K,).
        """
        starts = self.curves[:, 0, 0]
        ends = self.curves[:, 3, 0]
        # At a catch, at a throw and where loops meet, each prop is on exactly one curve.
        x = min(x + _EPSILON, float(ends.max(initial=_EPSILON)) - _EPSILON)
        present = np.flatnonzero((starts <= x) & (x < ends))
        # Bernstein polynomials of degree 3; time is linear in the parameter.
        s = ((x - starts[present]) / (ends[present] - starts[present]))[:, None]
        r = 1 - s
        basis = np.stack([r**3, 3 * r**2 * s, 3 * r * s**2, s**3], axis=1)
        places: Floats = np.sum(basis * self.curves[present], axis=1)
        # In the next loop each prop takes the place of the one before it in its orbit.
        first = self.firsts[present]
        return places, first + (self.props[present] - first - loop_number) % self.counts[present]


def prop_curves(
    marks: Sequence[Mark], timeline: Timeline, palette: Palette = STANDARD
) -> PropCurves:
    """Collect the curves along which props move on a ladder, from its drawn marks.

    A ladder is the diagram of throws over time: a prop moves along a curve in a flight, and along
    the bar of a hold in between.

    Args:
        marks: marks of one loop of the ladder, in drawing order.
        timeline: flights and holds that the ladder shows.
        palette: colours of props without one of their own.
    """
    # Flights and holds that have a length within the time shown (`span`, [s]): the ladder draws one
    # mark for each of them, in the same order.
    flights = [
        flight
        for flight in timeline.flights
        if min(flight.catch_time, timeline.span) - max(flight.throw_time, 0.0) > _EPSILON
    ]
    holds = [
        hold
        for hold in timeline.holds
        if min(hold.end, timeline.span) - max(hold.start, 0.0) > _EPSILON
    ]
    curves: list[Sequence[Point]] = [mark.points for mark in marks if _is_flight(mark)]
    curves += [_bar_as_curve(mark) for mark in marks if _is_hold(mark)]
    orbits = orbits_of_props(timeline)
    props = [flight.prop for flight in flights] + [hold.prop for hold in holds]
    # For each prop the number of its orbit's first prop, and how many props that orbit has.
    first, count = np.array([orbits[prop] for prop in props], dtype=int).reshape(-1, 2).T
    assert len(curves) == len(props), "a ladder draws each flight and each hold once"
    return PropCurves(
        curves=np.array(curves).reshape(-1, 4, 2),
        props=np.array(props, dtype=int),
        firsts=first,
        counts=count,
        colours=drawn_colours(timeline.choreography, palette),
    )


def _bar_as_curve(mark: Pill) -> tuple[Point, ...]:
    """Return a bar as a Bézier curve along which a prop moves evenly."""
    x, y = mark.centre
    half = mark.width / 2
    return tuple((x + half * share, y) for share in (-1.0, -1 / 3, 1 / 3, 1.0))


def orbits_of_props(timeline: Timeline) -> list[tuple[int, int]]:
    """For each prop, the index of the first prop of its orbit, and how many props are in it.

    Props of an orbit exchange places from loop to loop. A prop that is never thrown keeps its
    place, and counts as an orbit of its own.

    Args:
        timeline: timeline whose choreography has the orbits, in the order of the props.
    """
    spans: list[tuple[int, int]] = []
    for orbit in timeline.choreography.orbits:
        first = len(spans)
        if orbit.flights:
            spans += [(first, orbit.props)] * orbit.props
        else:
            # Props that are never thrown do not exchange places, even if one orbit has several.
            spans += [(first + index, 1) for index in range(orbit.props)]
    return spans


@dataclass(frozen=True)
class ThrowInfo:
    """A throw, or a beat without one.

    Args:
        time: time in the loop, [s].
        hand: 2 · juggler + side.
        text: its siteswap value; empty in patterns without beats.
        description: a sentence for the tooltip.
        times: times of throw and catch; empty for what is not thrown.
    """

    time: float
    hand: int
    text: str
    description: str
    times: str = ""


@dataclass(frozen=True)
class DiagramThrows:
    """All throws of a loop.

    Args:
        throws: the throws with the beats at which nothing is thrown.
        jugglers: number of jugglers.
        loop: its duration, [s].
    """

    throws: tuple[ThrowInfo, ...]
    jugglers: int
    loop: float

    @classmethod
    def from_timeline(cls, timeline: Timeline) -> DiagramThrows:
        """Describe all throws of one loop of a timeline, and the beats at which nothing is thrown.

        Args:
            timeline: timeline of one loop or more; only what is thrown within its span counts.
        """
        jugglers = timeline.choreography.jugglers
        names = hand_names(jugglers)
        descriptions = []
        for flight in timeline.flights:
            if 0.0 <= flight.throw_time < timeline.span:
                value = f" {flight.text}" if flight.text else ""
                hand = names[flight.hand]
                to_hand = names[flight.to_hand]
                words = _(
                    "{hand} throws{value} to {to_hand}", hand=hand, value=value, to_hand=to_hand
                )
                times = f"{flight.throw_time:.2f} s – {flight.catch_time:.2f} s"
                descriptions.append(
                    ThrowInfo(
                        time=flight.throw_time,
                        hand=flight.hand,
                        text=flight.text,
                        description=sentence(words),
                        times=times,
                    )
                )
        # Beats without a throw: the hand is empty, or holds a prop.
        for rest in timeline.rests:
            is_empty = rest.orbit == NO_ORBIT
            words = (
                _("{names} is empty", names=names[rest.hand])
                if is_empty
                else _("{names} holds {text}", names=names[rest.hand], text=rest.text)
            )
            descriptions.append(
                ThrowInfo(
                    time=rest.time, hand=rest.hand, text=rest.text, description=sentence(words)
                )
            )
        return cls(tuple(descriptions), jugglers, timeline.span)

    def at_node(self, time: float, *, line: int, line_count: int, text: str) -> list[ThrowInfo]:
        """Return the throws of a node: the one nearest in time, or all of a multiplex throw.

        Args:
            time: time of the node in the loop, [s].
            line: the index of its line.
            line_count: the number of lines: one for each hand, or one for each juggler.
            text: text of the node; for a multiplex throw that of all its throws.

        Returns:
            The throws; empty if the line has none.
        """
        hands_per_line = 1 if line_count == 2 * self.jugglers else 2
        on_line = [throw for throw in self.throws if throw.hand // hands_per_line == line]
        if not on_line:
            return []
        # Throws with the text of the node, else parts of a multiplex throw, else any on the line.
        candidates = [throw for throw in on_line if throw.text == text]
        if not candidates:
            candidates = [throw for throw in on_line if throw.text in text]
        if not candidates:
            candidates = on_line
        nearest = min(candidates, key=lambda throw: self._separation(throw.time, time))
        # A node whose text is longer than that of one throw shows a multiplex throw.
        if len(text) <= len(nearest.text):
            return [nearest]
        return [
            throw
            for throw in candidates
            if throw.hand == nearest.hand
            and self._separation(throw.time, nearest.time) < _SIMULTANEOUS
        ]

    def _separation(self, first: float, second: float) -> float:
        """Return the time between two times of the loop, whichever way around, [s]."""
        difference = abs(first - second) % self.loop
        return min(difference, self.loop - difference)


_NODE_ROOM = 1.05  # least distance of lines, in heights of a node, so that nodes do not touch
_MIN_Y_SCALE = 1.6  # pixels; least size of a millimetre across time, at scale 1
_PRESENT_AT = 1 / 3  # of the width; where the present is shown if the loop does not fit
_EASE = 4.0  # 1/s; how fast the view scrolls there

DEFAULT_SCALE = 3.7
MIN_SCALE = 3.1
"""Default and least size of a millimetre of nodes and text, at scale 1, [pixels]."""

MARGIN_ABOVE = 1.4
MARGIN_BELOW = 5.0
"""Margins above the rows and, with room for the numbers of beats, below them, [mm]."""


@dataclass(frozen=True)
class DiagramFit:
    """The scale at which a diagram is drawn.

    Args:
        x_scale, y_scale: pixels for 1 mm of the diagram x_scale x (time) and x_scale y.
        mark_scale: pixels for 1 mm of nodes, texts and line widths.
        loops: how many loops fit: a whole number, or less than 1.
        height: height of the whole diagram, [pixels].
    """

    x_scale: float
    y_scale: float
    mark_scale: float
    loops: float
    height: float

    @classmethod
    def for_area(
        cls, diagram: LoopDiagram, width: float, height: float, scale: float
    ) -> DiagramFit:
        """Choose the scale at which a diagram fits into an area.

        Along time as many whole loops are shown as come near to the default size; if one loop would
        be too small, only a part of it. Across time lines are as far apart as the height permits,
        but no nearer than nodes need; what does not fit is scrolled.

        Args:
            diagram: diagram to draw.
            width, height: size of the area, [pixels].
            scale: scale of the user interface.
        """
        usual = DEFAULT_SCALE * scale
        least = MIN_SCALE * scale
        # Along time: as many whole loops as come nearest to the usual scale.
        loops = max(round(width / (diagram.length * usual)), 1)
        while loops > 1 and width / (diagram.length * loops) < least:
            loops -= 1
        x_scale = width / (diagram.length * loops)
        # One loop that would be too small is shown in part, and scrolls.
        if x_scale < least:
            x_scale = usual
        # Across time: as large as the height permits, but lines are at least `_NODE_ROOM` heights
        # of a node apart, so that nodes of neighbouring lines do not touch.
        node_room = _NODE_ROOM * NODE_HEIGHT
        min_y_scale = max(_MIN_Y_SCALE * scale, least * node_room / diagram.min_spacing)
        fitting_y_scale = (height - (MARGIN_ABOVE + MARGIN_BELOW) * usual) / diagram.depth
        y_scale = min(max(fitting_y_scale, min_y_scale), usual)
        # Nodes and texts as large as the distance of lines permits, within the same limits.
        fitting_mark_scale = y_scale * diagram.min_spacing / node_room
        mark_scale = min(max(fitting_mark_scale, least), usual, max(x_scale, least))
        return cls(
            x_scale=x_scale,
            y_scale=y_scale,
            mark_scale=mark_scale,
            loops=width / (diagram.length * x_scale),
            height=y_scale * diagram.depth + (MARGIN_ABOVE + MARGIN_BELOW) * mark_scale,
        )

    def y_of(self, diagram: LoopDiagram, y: float) -> float:
        """Return the y in the card, from its upper edge, [pixels], of a y in the diagram, [mm]."""
        return self.y_scale * min(y, diagram.depth) + self.mark_scale * (
            MARGIN_ABOVE + max(y - diagram.depth, 0.0)
        )


class DiagramView:
    """The visible part of a diagram: its scroll positions."""

    def __init__(self) -> None:
        self.start = 0.0
        """The time at the left edge, [loops]."""
        self.scrolled = 0.0
        """The height that is scrolled off above, [pixels]."""
        self._followed: int | None = None

    def scroll_to_present(
        self, now: float, fit: DiagramFit, elapsed: float, *, still: bool
    ) -> None:
        """Scroll along time so that the present is visible; called in each frame.

        Args:
            now: the present time, [loops].
            fit: the scale.
            elapsed: time since the last call, [s].
            still: whether to scroll only if the present is outside the view, as during a press or
                while time is paused.
        """
        if fit.loops > 1 - _EPSILON:
            # Views of whole loops change like pages.
            page_length = round(fit.loops)  # loops
            is_whole_page = self.start % page_length == 0
            is_in_view = is_whole_page and self.start <= now <= self.start + page_length
            if not (still and is_in_view):
                self.start = float(floor(now / page_length) * page_length)
            return
        # The offset of the present from the left edge approaches its target exponentially, [loops].
        offset = now - self.start
        target_offset = _PRESENT_AT * fit.loops
        # Outside the view, scroll at once.
        if not 0 <= offset <= fit.loops:
            offset = target_offset
        elif not still:
            offset += (target_offset - offset) * (1 - exp(-_EASE * elapsed))
        self.start = now - offset

    def center_on(self, juggler: int | None, middle: float, fit: DiagramFit, height: float) -> None:
        """Scroll to the lines of a juggler, when the camera begins to follow that juggler.

        Args:
            juggler: whom the camera follows; None for all.
            middle: middle of the juggler's lines, from the upper edge of the diagram, [pixels].
            fit: the scale.
            height: height of the visible area, [pixels].
        """
        # Only once, so that users can scroll away again.
        if juggler != self._followed and juggler is not None:
            self.scroll(middle - height / 2 - self.scrolled, fit, height)
        self._followed = juggler

    def scroll(self, pixels: float, fit: DiagramFit, height: float) -> None:
        """Scroll vertically, within the diagram."""
        self.scrolled = min(max(self.scrolled + pixels, 0.0), max(fit.height - height, 0.0))


LADDER = "ladder"
CAUSAL = "causal"

KINDS = (LADDER, CAUSAL)
"""Kinds of diagrams, in the order of the key."""

STATES = "states"
"""The state graph, which has a key of its own."""

DRAWING = N_("Drawing diagram …")


class Diagrams:
    """Which diagram is shown, and its drawing as soon as it is made.

    Args:
        cards: cards of the window, of which one in the strip shows the diagram.
    """

    def __init__(self, cards: OpenCards) -> None:
        self._cards = cards
        self.view = DiagramView()
        self.graphs = StateGraphs()
        self.clicked = ClickedThrows()
        self.last = KINDS[0]
        """The one of `KINDS` that was shown last."""
        self._most_jugglers = 1  # since a diagram was opened
        self._job: _Job | None = None
        self._done: tuple[_Job, ...] = ()

    @property
    def kind(self) -> str:
        """The diagram in the strip, one of `KINDS` or `STATES`; empty if none is there."""
        card = self._cards.strip
        return card if card in (*KINDS, STATES) else ""

    @property
    def is_waiting(self) -> bool:
        """Whether a diagram is being drawn."""
        return (
            self.graphs.is_waiting
            if self.kind == STATES
            else bool(self.kind) and self._job is not None
        )

    @property
    def card_height(self) -> float:
        """Preferred height of the card at scale 1, [pixels]; 0 if no diagram is shown.

        The card is never lowered while it is open, so that its buttons stay under the mouse.
        """
        if self.kind == STATES:
            return _GRAPH_HEIGHT
        more = _HEIGHT_PER_JUGGLER * (self._most_jugglers - 1)
        return _CARD_HEIGHT + more if self.kind else 0.0

    def show(self, kind: str) -> None:
        """Show one of `KINDS` or `STATES` in the strip."""
        self._cards.strip = kind
        self.restart()

    def restart(self) -> None:
        """Scroll to the start of the diagram that is now in the strip; forget them if none is."""
        self.view.scrolled = 0.0
        if self.kind in KINDS:
            self.last = self.kind
        if not self.kind:
            self._done = ()  # frees memory: a diagram of a hundred jugglers is large
            self._most_jugglers = 1

    def of(
        self, animation: Animation, ahead: Sequence[Animation] = (), *, at_once: bool = False
    ) -> LoopDiagram | str:
        """Return the diagram of an animation, or a message; start to draw it if it is missing.

        A thread draws diagrams, one at a time, which may take seconds. Meanwhile the last diagram
        of the same score is returned, if there is one.

        Args:
            animation: the present animation.
            ahead: animations that follow; their diagrams are drawn in advance.
            at_once: whether to draw in the calling thread, as in the editor.
        """
        self._most_jugglers = max(self._most_jugglers, animation.num_jugglers)
        # Newest first; the oldest ones are dropped.
        if self._job and not self._job.is_alive():
            self._done = (self._job, *self._done[: _MAX_DRAWN - 1])
            self._job = None
        missing = [
            candidate
            for candidate in (animation, *ahead)
            if not any(done.is_for(self.kind, candidate) for done in self._done)
        ]
        if missing and at_once:
            job = _Job(self.kind, missing[0])
            job.run()
            self._done = job, *self._done[: _MAX_DRAWN - 1]
        elif missing and self._job is None:
            self._job = _Job(self.kind, missing[0])
            self._job.start()
        # The diagram itself, or else one of the same score.
        for done in self._done:
            if done.is_for(self.kind, animation):
                return done.result
        for done in self._done:
            if done.is_like(self.kind, animation):
                return done.result
        return DRAWING


_MAX_DRAWN = 3  # diagrams: of a pattern, of the transition to another one, and of that

# Heights of the card at scale 1, [pixels]. It is as high for all patterns of as many jugglers, so
# that nothing moves under the mouse: high enough for ladders on which a hand holds two props.
_CARD_HEIGHT = 196.0
_HEIGHT_PER_JUGGLER = 110.0


class _Job(Thread):
    """Draws a diagram."""

    def __init__(self, kind: str, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.result: LoopDiagram | str = _("Cannot draw this diagram")
        self._kind = kind
        self._animation = animation
        self._drawn = animation.choreography, animation.palette
        self._language = language()

    def is_for(self, kind: str, animation: Animation) -> bool:
        """Return whether it shows the animation as it would be drawn now."""
        choreography, palette = self._drawn
        same = animation.choreography is choreography and animation.palette == palette
        return same and kind == self._kind and language() == self._language

    def is_like(self, kind: str, animation: Animation) -> bool:
        """Return whether it shows the same score, perhaps with another tempo, hand or colours."""
        return kind == self._kind and animation.score is self._animation.score

    def run(self) -> None:
        """Draw the diagram, or tell why that is impossible."""
        try:
            self.result = LoopDiagram.from_animation(self._kind, self._animation)
        except JuggleError as error:
            self.result = sentence(str(error))


_GRAPH_HEIGHT = 300.0  # of the card of the state graph, [pixels]
_MIN_EXTRA_HEIGHT = 2  # beats by which throws of an asynchronous graph exceed its props, at least
_MAX_CAREFUL_STATES = 60  # of a graph that is laid out by stress, which takes longer
_MIN_LETTER_SIZE = 8.5  # of states that are written, at scale 1, [pixels]


@dataclass(frozen=True, eq=False)
class ShownStates:
    """A state graph, and what the running pattern does in it.

    Args:
        graph: the graph with the states of the pattern; of all its props' states unless it is of a
            kind of its own.
        diagram: its layout.
        walk: the states of the pattern, one after another, in a circle.
    """

    graph: StateGraph
    diagram: StateDiagram
    walk: tuple[int, ...]


class Step(NamedTuple):
    """What happens in a state graph at one time.

    Attributes:
        state, next_state: before and after the present throws; -1 where they are not in the graph.
        share_passed: passed share of the time between the two, 0 to 1.
    """

    state: int
    next_state: int
    share_passed: float


NO_STEP = Step(state=-1, next_state=-1, share_passed=0.0)
"""Where a pattern is not in the graph."""


def round_text(throws: Sequence[StateEdge]) -> str:
    """Return throws that lead back to where they begin as a siteswap.

    It begins in the state nearest to the ground state.
    """
    first = min(range(len(throws)), key=lambda index: throws[index].source, default=0)
    return "".join(throw.throws for throw in (*throws[first:], *throws[:first]))


class ClickedThrows:
    """Throws of a state graph that are clicked one after another, and the pattern they make.

    It begins with the throw that was clicked last and goes back by the fewest throws to where the
    first one began, so it is legal and endless. A throw from the state in which the last one ended
    goes on from there; others restart.
    """

    def __init__(self) -> None:
        self._clicked: tuple[StateEdge, ...] = ()
        self._graph: StateGraph | None = None
        self._chosen = ""

    def text(self, graph: StateGraph, throw: StateEdge, chosen: Animation) -> str:
        """Return the siteswap that a click on a throw would make.

        If the siteswap depends on its first hand, this is the hand that throws in that state in the
        chosen pattern, if it is unique.

        Args:
            graph: the state graph.
            throw: the edge of the graph that is pointed at.
            chosen: the pattern that is juggled, or will be next.
        """
        # The throws clicked one after the other, which this one goes on from, and it itself. The
        # pattern begins with this one, comes back to the state before the first of them by the
        # shortest way, and then makes those before this one.
        before = self._throws_before(graph, throw, chosen)
        first = before[0] if before else throw
        throws = (*graph.shortest_round(first.source, throw), *before)
        siteswap = "".join(edge.throws for edge in throws)
        # A synchronous pattern, or one of odd length, is the same from either hand.
        is_same_from_either_hand = graph.rows > 1 or len(throws) % 2 == 1
        if is_same_from_either_hand or chosen.pattern is None:
            return siteswap
        starts_left = _hands_in_state(graph, throw.source, chosen) == {LEFT}
        return f"L{siteswap}" if starts_left else siteswap

    def click(self, graph: StateGraph, throw: StateEdge, chosen: Animation) -> None:
        """Go on with a throw."""
        self._clicked = (*self._throws_before(graph, throw, chosen), throw)
        self._graph = graph

    def note_result(self, chosen: Animation) -> None:
        """Note the pattern that the last click has opened; the next click may go on from it."""
        self._chosen = chosen.text

    def _throws_before(
        self, graph: StateGraph, throw: StateEdge, chosen: Animation
    ) -> tuple[StateEdge, ...]:
        """Return the throws clicked before, if a throw goes on from them."""
        if self._graph is not graph or chosen.text != self._chosen or throw.source == throw.target:
            return ()
        last = self._clicked[-1]
        goes_on = last.target == throw.source and last.target != last.source
        return self._clicked if goes_on else ()


def _hands_in_state(graph: StateGraph, state: int, animation: Animation) -> set[int]:
    """Hands whose turn it is to throw when an asynchronous pattern is in a state, as a set.

    Args:
        graph: the state graph.
        state: index of the state.
        animation: animation of an asynchronous pattern.
    """
    pattern = animation.pattern
    assert pattern is not None
    first = min(pattern.throws, key=lambda throw: throw.beat)
    return {
        (first.hand + beat - first.beat) % 2
        for beat, visited in graph.visits(pattern)
        if visited == state
    }


class StateGraphs:
    """The state graph of the pattern, laid out once for each graph and room, by a thread."""

    def __init__(self) -> None:
        self._job: _GraphJob | None = None
        self._done: _GraphJob | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether a graph is being laid out."""
        return self._job is not None

    def of(self, pattern: Pattern | None, room: tuple[float, float]) -> ShownStates | str:
        """Return the state graph of a pattern as laid out for the card, or a message instead.

        A state says on which coming beats props land; throws lead from one state to the next. A
        thread lays graphs out, one at a time; meanwhile the last graph is returned. A graph that
        also contains the states of the next pattern is used again.

        Args:
            pattern: pattern that is juggled; None for events.
            room: width and height of the card's paper at scale 1, [pixels].
        """
        if self._job and not self._job.is_alive():
            self._done = self._job
            self._job = None
        done = self._done
        # Another pattern, room or language needs another layout, perhaps of the same graph.
        if self._job is None and (done is None or not done.is_for(pattern, room)):
            graph_before = (
                done.result.graph if done and isinstance(done.result, ShownStates) else None
            )
            self._job = _GraphJob(pattern, room, graph_before)
            self._job.start()
        return done.result if done else DRAWING


def step_of(
    shown: ShownStates, animation: Animation, time: float, *, has_uneven_tempo: bool = False
) -> Step:
    """Return the two states between which a pattern is at a time, and the share of the way.

    Args:
        shown: the state graph.
        animation: animation that is juggled; a transition is one, too.
        time: time in the animation, [s].
        has_uneven_tempo: whether its tempo changes, as in a transition, so that beats follow from
            the times of its throws.

    Returns:
        The step; `NO_STEP` if the animation is not in the graph.
    """
    pattern = animation.pattern
    visits = _visits(shown.graph, pattern) if pattern else ()
    if pattern is None or not visits:
        return NO_STEP
    period = pattern.period
    beat = (
        uneven_beat(animation, pattern, time)
        if has_uneven_tempo
        else time * animation.choreography.bps * pattern.division
    )
    # A throw at exactly this time counts as made, despite rounding.
    beat = (beat + _EPSILON) % period
    # The last visit that began by now, perhaps in the loop before, and the next one, perhaps in the
    # next loop. Visits are pairs of a beat and a state.
    started_count = bisect_right([start for start, _state in visits], floor(beat))
    index = (started_count - 1) % len(visits)
    start_beat, state = visits[index]
    end_beat, next_state = visits[(index + 1) % len(visits)]
    if index + 1 == len(visits):
        end_beat += period
    share_passed = (beat - start_beat) % period / (end_beat - start_beat)
    return Step(state, next_state, min(share_passed, 1.0))


@lru_cache(maxsize=4)
def _visits(graph: StateGraph, pattern: Pattern) -> tuple[tuple[int, int], ...]:
    """Return beats and states of a pattern, in order."""
    return graph.visits(pattern)


class _GraphJob(Thread):
    """Lays out the state graph of a pattern."""

    def __init__(
        self, pattern: Pattern | None, room: tuple[float, float], before: StateGraph | None
    ) -> None:
        super().__init__(daemon=True)
        self.result: ShownStates | str = _("Timed events have no beats, so there are no states")
        self._pattern = pattern
        self._room = room
        self._before = before
        self._language = language()

    def is_for(self, pattern: Pattern | None, room: tuple[float, float]) -> bool:
        """Return whether it shows a pattern in a room and in the present language."""
        return pattern is self._pattern and room == self._room and language() == self._language

    def run(self) -> None:
        """Lay out the state graph of the pattern, in a thread.

        Sets `result` to the graph with its layout and the states of the pattern, or to an error
        text. Meanwhile Python switches threads more often, so that the animation stays smooth.
        """
        if self._pattern is None:
            return
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        try:
            # `_before` is the graph shown before, which is used again if the pattern has the same
            # states.
            graph = _graph_of(self._pattern, self._before)
            walk = tuple(state for _, state in graph.walk(self._pattern))
            diagram = _layout_of(graph, self._room)
        except JuggleError as error:
            self.result = sentence(str(error))
        else:
            self.result = ShownStates(graph, diagram, walk)
        finally:
            sys.setswitchinterval(interval)


def _graph_of(pattern: Pattern, before: StateGraph | None) -> StateGraph:
    """Return the state graph for a pattern.

    It is the previous graph if that contains the states of the pattern, else a graph of all states,
    with throws a little higher than those of the pattern if it is not too large, else a graph of
    the states of the pattern alone.

    Args:
        pattern: pattern that is juggled.
        before: the graph that was shown before; None for none.
    """
    from juggle_anim.pattern import ASYNCHRONOUS, SYNCHRONOUS, StateGraph, state_cycle

    cycle = state_cycle(pattern)
    # A graph of all states has codes, and a pattern that is not in it has no walk through it.
    if before and before.codes and before.props == cycle.props and before.walk(pattern):
        return before
    # One row, of hands that take turns, or two rows, of hands that throw at once.
    row_count = len(cycle.rows)
    if cycle.props == 0 or row_count not in (ASYNCHRONOUS, SYNCHRONOUS):
        return StateGraph.of_pattern(pattern)
    # The highest throw of the graph is at least the number of props, rounded up to whole rows, and
    # if hands take turns some beats more; if that makes too many states, that of the pattern.
    extra_height = _MIN_EXTRA_HEIGHT if row_count == ASYNCHRONOUS else 0
    least_height = ceil(cycle.props / row_count) * row_count + extra_height
    for height in (max(cycle.highest, least_height), cycle.highest):
        highest = height
        if row_count == SYNCHRONOUS and comb(highest, cycle.props) < _MIN_SYNCHRONOUS_STATES:
            highest += SYNCHRONOUS
        if highest % row_count == 0 and comb(highest, cycle.props) <= _MAX_STATES:
            graph = StateGraph.of(cycle.props, highest, row_count)
            if graph.walk(pattern):
                return graph
    return StateGraph.of_pattern(pattern)


@lru_cache(maxsize=8)
def _layout_of(graph: StateGraph, room: tuple[float, float]) -> StateDiagram:
    """Lay out a state graph for an area.

    States have texts if these are legible, else they are dots. Small graphs are laid out by stress,
    which is better and takes longer. Called in a thread, which pauses for pictures of the window.

    Args:
        graph: the states and throws.
        room: width and height of the area, at scale 1, [pixels].
    """
    from juggle_anim.diagrams import LETTERS, StateDiagram, expected_letters

    width, height = room
    by_stress = len(graph.states) <= _MAX_CAREFUL_STATES
    if by_stress and expected_letters(graph, width * height) > _MIN_LETTER_SIZE:
        diagram = StateDiagram.lay_out(graph, width / height, pause=_PauseForPictures())
        if min(width / diagram.width, height / diagram.height) * LETTERS > _MIN_LETTER_SIZE:
            return diagram
    return StateDiagram.lay_out(
        graph, width / height, with_texts=False, careful=by_stress, pause=_PauseForPictures()
    )


class _PauseForPictures:
    """Leaves pictures more time than the thread takes that calls it between its steps."""

    def __init__(self) -> None:
        self._began = perf_counter()

    def __call__(self) -> None:
        sleep(min(_REST_SHARE * (perf_counter() - self._began), _MAX_REST))
        self._began = perf_counter()


_MIN_SYNCHRONOUS_STATES = 5  # with fewer, synchronous graphs have throws a beat higher
_MAX_STATES = 260  # of a graph of all states
_EPSILON = 1e-6  # beats; a throw at exactly this time counts, despite rounding
_REST_SHARE = 1.5  # times that a layout thread rests after a step, over the time of the step
_MAX_REST = 0.02  # s
_SWITCH_INTERVAL = 5e-4  # s; how soon pictures go on while a graph is laid out
