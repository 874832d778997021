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
    who_to_whom,
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


LADDER = "ladder"
WHO_TO_WHOM = "who to whom"
CAUSAL = "causal"

_DRAWN_BY = {LADDER: ladder, WHO_TO_WHOM: who_to_whom, CAUSAL: causal}

MAX_CAUSAL_THROWS = 10_000
"""Throws of a loop times jugglers, at most: every arrow is bent around throws of all of them."""

_TIME_WIDTH = 7.5  # mm; of a time below a ladder, with a gap
_HALF_LETTER = 1.3  # mm; half the width of a letter beside a node
_LIT_TIME = 0.2  # s; how long a throw is highlighted in patterns without beats
_MAX_SPACING = 22.0  # mm, between lines
_SAME_PLACE = 1e-4  # mm; places nearer to each other are one
_SAME_X = 1e-6  # mm, for rounding errors of sums
_STROKE_MARGIN = 3.0  # mm; more than the thickness of any mark


@dataclass(frozen=True)
class LoopDiagram:
    """A diagram of one loop.

    Args:
        kind: one of `KINDS`.
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

        A diagram consists of marks: lines, boxes and texts. A node is the frame around the number
        of a throw.

        Args:
            kind: one of `KINDS`.
            animation: animation whose throws are drawn.

        Raises:
            ParameterError: the diagram is too large to draw.
        """
        score = animation.score
        choreography = animation.choreography
        palette = animation.palette
        if kind != LADDER:
            _check_size(choreography.jugglers, len(choreography.flights.throw))
        options = DiagramOptions(loops=1, longest=inf, palette=palette)
        diagram = _DRAWN_BY[kind](score, choreography, options)
        # As rows have no greatest length, the loop is in one. Its upper left corner becomes the
        # origin of all marks. The title and names, which are drawn once, are left out.
        (row,) = diagram.rows
        corner_x, corner_y = row.corner
        step_to_origin = -corner_x, -corner_y
        marks = tuple(
            moved_mark(mark, step_to_origin)
            for mark in diagram.drawing.marks
            if _is_in_every_loop(row, mark)
        )
        # The places of the nodes, [mm], and the index of each mark's node (−1 for none).
        nodes, node_of = _nodes_of_marks(marks)
        timeline = Timeline(score, choreography, 1)
        curves = prop_curves(marks, timeline, palette) if kind == LADDER else None
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
        """Return by how many places the props of an orbit have moved on in a later loop.

        The props of an orbit follow each other, so that in each loop every prop takes the place of
        the one before it.

        Args:
            prop: any prop of the orbit; −1, for no prop, does not move.
            loop_number: number of the loop, from 0.
        """
        if prop < 0:
            return 0
        _first_prop, prop_count = self.orbits[prop]
        return loop_number % prop_count

    def ink(self, prop: int, loop_number: int) -> Colour:
        """Return the colour at the place of `prop` in a later loop; grey for no prop."""
        if prop < 0:
            return GREY
        first_prop, prop_count = self.orbits[prop]
        return self.inks[first_prop + (prop - first_prop - loop_number) % prop_count]

    def mark_in(self, index: int, loop_number: int) -> Mark:
        """Return a mark (a line, box or text) in the colour that it has in a loop.

        That is the colour of the prop whose throw or hold the mark shows. From loop to loop another
        prop of the same orbit takes its place.

        Args:
            index: index of the mark.
            loop_number: number of the loop, from 0.
        """
        mark = self.marks[index]
        prop = self.prop_of[index]
        # The mark belongs to no prop, or the props are in the same places as in the first loop.
        if self.orbit_shift(prop, loop_number) == 0:
            return mark
        ink = self.ink(prop, loop_number)
        if isinstance(mark, Stroke):
            return replace(mark, colour=ink)
        if isinstance(mark, Pill):
            return replace(mark, outline=ink) if mark.outline else replace(mark, fill=ink)
        return mark  # texts keep their colour

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

        A mark is a line, box or text; a node is the frame around the number of a throw, centred at
        its time. The reach is the greatest of

        - half the width of the widest node;
        - the distance of the far end of a hand's letter, L or R, from its node;
        - how far the box behind a word begins before the loop.
        """
        # The letter of a hand stands beside the node that is nearest to it.
        letters_x = [
            mark.at[0] for mark in self.marks if isinstance(mark, Label) and mark.text in ("L", "R")
        ]
        letter_reach = np.zeros(1)
        if letters_x:
            distances = np.abs(np.array(letters_x)[:, None] - self.nodes[:, 0])  # letters × nodes
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


def _check_size(juggler_count: int, throw_count: int) -> None:
    """Raise an error for a diagram with arrows that is too large to draw.

    Every arrow is bent around the throws of all jugglers, so the limit is on throws times jugglers.

    Args:
        juggler_count: number of jugglers.
        throw_count: number of throws in a loop.

    Raises:
        ParameterError: jugglers times throws are more than `MAX_CAUSAL_THROWS`.
    """
    max_throw_count = MAX_CAUSAL_THROWS // juggler_count
    if throw_count > max_throw_count:
        raise ParameterError(
            _(
                "This diagram is too large: a loop has {throws:,} throws; the limit for "
                "{jugglers} is {most:,}",
                throws=throw_count,
                most=max_throw_count,
                jugglers=counted(juggler_count, "juggler"),
            )
        )


def _is_in_every_loop(row: Row, mark: Mark) -> bool:
    """Return whether a mark (a line, box or text) is drawn again in each loop of a diagram.

    The title, the names of lines and the dashed line at the end of the loop are not.

    Args:
        row: the row of the diagram that shows the whole loop: its upper left corner and its length,
            [mm].
        mark: mark of the diagram; x along time, y downward, [mm].
    """
    left, top = row.corner
    end = left + row.length
    if isinstance(mark, Label):
        # The title is above the row, and names of lines are at its left.
        x, y = mark.at
        # The letter of a hand, unlike these names, may stand at the left of the first throw.
        is_right_of_names = x >= left - _SAME_X or mark.align == "middle"
        is_within_row = is_right_of_names and y >= top
        # The text of a time, such as "1.5 s", just before the end of the loop would overlap that of
        # the start of the next loop.
        is_crowded = mark.text.endswith(" s") and x > end - _TIME_WIDTH
        return is_within_row and not is_crowded
    if isinstance(mark, Stroke) and mark.dashed:
        # A dashed line marks the start and the end of the loop; the end is the next start.
        x, _y = mark.points[0]
        return abs(x - end) >= _SAME_X
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
    """Return a box around a mark, with a margin for its thickness: left, top, right, bottom, [mm].

    Args:
        mark: a line or curve, a pill (a box with or without round ends), or a text, whose width is
            not measured: it counts as wide as the widest text of its length.
    """
    margin = _STROKE_MARGIN
    if isinstance(mark, Stroke):
        # A Bézier curve lies within the convex hull of its points.
        xs, ys = zip(*mark.points, strict=True)
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
    assert isinstance(mark, Pill | Label)
    if isinstance(mark, Pill):
        x, y = mark.centre
        half_width = mark.width / 2
    else:
        x, y = mark.at
        # No letter is wider than the font size; a text may begin or end at x, so this is its width.
        half_width = len(mark.text) * mark.size
    half_height = margin  # no pill or text is higher than two margins
    return (
        x - half_width - margin,
        y - half_height - margin,
        x + half_width + margin,
        y + half_height + margin,
    )


def _nodes_of_marks(marks: Sequence[Mark]) -> tuple[Floats, tuple[int, ...]]:
    """Return the positions of the nodes of a diagram, and the node to which each mark belongs.

    A node is the frame around the number of a throw, a pill with round ends. Its outline, its text
    and the arrow that leaves it belong to it, since they all are at the same place.

    Args:
        marks: the lines, pills and texts of one loop.

    Returns:
        nodes: positions, shape (M, 2), [mm].
        node_of: for each mark the index of its node; −1 for none.
    """
    node_at_place: dict[Point, int] = {}
    for mark in marks:
        if _is_node(mark):
            node_at_place.setdefault(_rounded_place(mark.centre), len(node_at_place))
    # A throw off its beat leaves where the line to its node begins.
    node_of_release = {
        _rounded_place(mark.points[0]): mark.points[-1]
        for mark in marks
        if isinstance(mark, Stroke) and _rounded_place(mark.points[-1]) in node_at_place
    }
    node_of = []
    for mark in marks:
        place = None
        if _is_node(mark):
            place = mark.centre
        elif _is_flight(mark):
            start = mark.points[0]
            place = node_of_release.get(_rounded_place(start), start)
        elif isinstance(mark, Label):
            place = mark.at
        node_of.append(node_at_place.get(_rounded_place(place), -1) if place else -1)
    return np.array(list(node_at_place)).reshape(-1, 2), tuple(node_of)


def _props_of(
    marks: Sequence[Mark], nodes: Floats, node_of: Sequence[int], curves: PropCurves | None
) -> tuple[int, ...]:
    """Return the prop of each mark in the first loop; −1 for marks without one.

    On a ladder, the marks of a prop are its throws (curves) and holds (bars), and the nodes on
    these, which are frames around the numbers of throws.

    Args:
        marks: marks of one loop, in drawing order.
        nodes: positions of the nodes, shape (M, 2), [mm].
        node_of: the index of each mark's node, −1 for none.
        curves: along which props move; None for other diagrams, whose marks know their props.
    """
    if curves is None:
        return tuple(mark.prop if isinstance(mark, Stroke | Pill) else -1 for mark in marks)
    prop_by_node = [_prop_at(node, curves) for node in nodes]
    flight_indices = [index for index, mark in enumerate(marks) if _is_flight(mark)]
    hold_indices = [index for index, mark in enumerate(marks) if _is_hold(mark)]
    # `prop_curves` lists flights and then holds, in the order in which they are drawn.
    prop_by_curve = dict(zip([*flight_indices, *hold_indices], curves.props.tolist(), strict=True))
    for index in reversed(flight_indices):  # so that the first of a multiplex stands for all
        if node_of[index] >= 0:
            prop_by_node[node_of[index]] = prop_by_curve[index]
    # First the frames of nodes; other marks at the same place, such as texts, have no prop.
    prop_by_mark = [
        prop_by_node[node] if node >= 0 and isinstance(mark, Pill) else -1
        for mark, node in zip(marks, node_of, strict=True)
    ]
    for index, prop in prop_by_curve.items():
        prop_by_mark[index] = prop
    return tuple(prop_by_mark)


def _prop_at(node: Floats, curves: PropCurves) -> int:
    """Return the prop at a node: that of the throw that starts there, or else of a hold over it.

    Args:
        node: position of the node, a frame around the value of a throw, shape (2,), [mm]: x along
            time, y that of the line of its hand.
        curves: along which N props move in flights and holds.

    Returns:
        The number of the prop; −1 for none.
    """
    node_x, node_y = node
    # The four points of each Bézier curve, shape (N, 4) each, [mm].
    x = curves.curves[..., 0]
    is_on_line = np.abs(curves.curves[..., 1] - node_y) < _SAME_PLACE
    starts_at_node = is_on_line[:, 0] & (np.abs(x[:, 0] - node_x) < _SAME_PLACE)
    # A hold stays on the line of its hand; a throw to the same hand leaves it in between.
    covers_x = (x[:, 0] < node_x + _SAME_PLACE) & (x[:, 3] > node_x - _SAME_PLACE)
    holds_over_node = is_on_line.all(axis=1) & covers_x
    matches = np.flatnonzero(starts_at_node if starts_at_node.any() else holds_over_node)
    # Several match where a hand throws or holds several props at once: the first stands for all.
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
        """Return the places of the K props at an x, that is at a time, within a loop.

        Args:
            x: x from the start of the loop, [mm].
            loop_number: the number of the loop, since props exchange places from loop to loop.

        Returns:
            places: shape (K, 2), [mm].
            props: the numbers of the props at these places, shape (K,).
        """
        start_x = self.curves[:, 0, 0]
        end_x = self.curves[:, 3, 0]
        # A prop's next curve begins where the one before ends. A little after x, but before the end
        # of the loop, each prop is on exactly one curve.
        inner_x = min(x + _EPSILON, float(end_x.max(initial=_EPSILON)) - _EPSILON)
        rows = np.flatnonzero((start_x <= inner_x) & (inner_x < end_x))
        # Bézier curves by Bernstein polynomials of degree 3. x is linear in the parameter s, as the
        # inner points of the curves divide time evenly.
        s = ((inner_x - start_x[rows]) / (end_x[rows] - start_x[rows]))[:, None]
        r = 1 - s
        basis = np.stack([r**3, 3 * r**2 * s, 3 * r * s**2, s**3], axis=1)
        places: Floats = np.sum(basis * self.curves[rows], axis=1)
        # In the next loop each prop takes the place of the one before it in its orbit.
        first_props = self.firsts[rows]
        places_later = (self.props[rows] - first_props - loop_number) % self.counts[rows]
        return places, first_props + places_later


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
    # Flights and holds that last longer than an instant within the time shown, 0 to `span`, [s]:
    # the ladder draws one mark for each of them, in the same order.
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
    prop_by_curve = [flight.prop for flight in flights] + [hold.prop for hold in holds]
    assert len(curves) == len(prop_by_curve), "a ladder draws each flight and each hold once"
    # For each curve the first prop of its prop's orbit, and how many props that orbit has.
    orbit_by_curve = np.array([orbits[prop] for prop in prop_by_curve], dtype=int).reshape(-1, 2)
    firsts, counts = orbit_by_curve.T
    return PropCurves(
        curves=np.array(curves).reshape(-1, 4, 2),
        props=np.array(prop_by_curve, dtype=int),
        firsts=firsts,
        counts=counts,
        colours=drawn_colours(timeline.choreography, palette),
    )


def _bar_as_curve(mark: Pill) -> tuple[Point, ...]:
    """Return a bar as a Bézier curve along which a prop moves evenly."""
    x, y = mark.centre
    half = mark.width / 2
    return tuple((x + half * share, y) for share in (-1.0, -1 / 3, 1 / 3, 1.0))


def orbits_of_props(timeline: Timeline) -> list[tuple[int, int]]:
    """Return for each prop the first prop of its orbit, and how many props are in that orbit.

    Props of an orbit exchange places from loop to loop. A prop that is never thrown keeps its
    place, and counts as an orbit of its own.

    Args:
        timeline: timeline whose choreography has the orbits. Props are numbered from 0 in the order
            of the orbits.
    """
    orbit_by_prop: list[tuple[int, int]] = []
    for orbit in timeline.choreography.orbits:
        first_prop = len(orbit_by_prop)
        if orbit.flights:
            orbit_by_prop += [(first_prop, orbit.props)] * orbit.props
        else:
            # Props that are never thrown do not exchange places, even if one orbit has several.
            orbit_by_prop += [(first_prop + index, 1) for index in range(orbit.props)]
    return orbit_by_prop


@dataclass(frozen=True)
class ThrowInfo:
    """A throw, or a beat without one.

    Args:
        time: time in the loop, [s]: that of its beat, if there are beats.
        release: time at which it is thrown, [s].
        hand: 2 · juggler + side.
        text: its siteswap value; empty in patterns without beats.
        description: a sentence for the tooltip.
        times: times of throw and catch; empty for what is not thrown.
    """

    time: float
    release: float
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
        juggler_count = timeline.choreography.jugglers
        name_by_hand = hand_names(juggler_count)
        throws = []
        for flight in timeline.flights:
            # Flights that began before the loop are repeats of those at its end.
            if 0.0 <= flight.throw_time < timeline.span:
                words = _(
                    "{hand} throws{value} to {to_hand}",
                    hand=name_by_hand[flight.hand],
                    value=f" {flight.text}" if flight.text else "",
                    to_hand=name_by_hand[flight.to_hand],
                )
                throws.append(
                    ThrowInfo(
                        time=flight.beat_time,
                        release=flight.throw_time,
                        hand=flight.hand,
                        text=flight.text,
                        description=sentence(words),
                        times=f"{flight.throw_time:.2f} s – {flight.catch_time:.2f} s",
                    )
                )
        # Beats without a throw: the hand is empty, or holds a prop.
        for rest in timeline.rests:
            is_empty = rest.orbit == NO_ORBIT
            name = name_by_hand[rest.hand]
            words = (
                _("{names} is empty", names=name)
                if is_empty
                else _("{names} holds {text}", names=name, text=rest.text)
            )
            throws.append(
                ThrowInfo(
                    time=rest.time,
                    release=rest.time,
                    hand=rest.hand,
                    text=rest.text,
                    description=sentence(words),
                )
            )
        return cls(tuple(throws), juggler_count, timeline.span)

    def at_node(self, time: float, *, line: int, line_count: int, text: str) -> list[ThrowInfo]:
        """Return the throws of a node: the one nearest in time, or all of a multiplex throw.

        A node is the frame around the text of a throw in a diagram; a multiplex throw is several
        props thrown by one hand at once.

        Args:
            time: time of the node in the loop, [s].
            line: the index of the line that the node is on.
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
        candidates = (
            [throw for throw in on_line if throw.text == text]
            or [throw for throw in on_line if throw.text in text]
            or on_line
        )
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

        Along time (x) as many whole loops are shown as come near to the default scale; if one loop
        would be too small, only a part of it. Across time (y) lines are as far apart as the height
        permits, but no nearer than nodes, the frames of throws, need; what does not fit is
        scrolled.

        Args:
            diagram: diagram to draw.
            width, height: size of the area, [pixels].
            scale: scale of the user interface.
        """
        # All scales are in [pixels/mm].
        default_scale = DEFAULT_SCALE * scale
        min_scale = MIN_SCALE * scale
        # Along time: as many whole loops as come nearest to the default scale.
        loop_count = max(round(width / (diagram.length * default_scale)), 1)
        while loop_count > 1 and width / (diagram.length * loop_count) < min_scale:
            loop_count -= 1
        x_scale = width / (diagram.length * loop_count)
        # One loop that would be too small is shown in part, and scrolls.
        if x_scale < min_scale:
            x_scale = default_scale
        # Across time: as large as the height permits, but lines are at least `_NODE_ROOM` heights
        # of a node apart, so that nodes of neighbouring lines do not touch.
        node_room = _NODE_ROOM * NODE_HEIGHT  # mm
        margins = MARGIN_ABOVE + MARGIN_BELOW  # mm
        min_y_scale = max(_MIN_Y_SCALE * scale, min_scale * node_room / diagram.min_spacing)
        fitting_y_scale = (height - margins * default_scale) / diagram.depth
        y_scale = min(max(fitting_y_scale, min_y_scale), default_scale)
        # Nodes and texts are as large as the distance of lines permits, within the same limits, and
        # no larger than the scale along time, in which they would overlap.
        fitting_mark_scale = y_scale * diagram.min_spacing / node_room
        mark_scale = min(max(fitting_mark_scale, min_scale), default_scale, max(x_scale, min_scale))
        return cls(
            x_scale=x_scale,
            y_scale=y_scale,
            mark_scale=mark_scale,
            loops=width / (diagram.length * x_scale),
            height=y_scale * diagram.depth + margins * mark_scale,
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

        If whole loops fit into the view, it changes like a page; if not, the diagram glides along.

        Args:
            now: the present time, [loops].
            fit: the scale, and how many loops fit into the view.
            elapsed: time since the last call, [s].
            still: whether to scroll only if the present is outside the view, as during a press or
                while time is paused.
        """
        if fit.loops > 1 - _EPSILON:
            page_length = round(fit.loops)  # loops
            is_at_page_start = self.start % page_length == 0
            is_in_view = is_at_page_start and self.start <= now <= self.start + page_length
            if not (still and is_in_view):
                self.start = float(floor(now / page_length) * page_length)
            return
        # The offset of the present from the left edge, [loops], approaches its target
        # exponentially, but at once if the present is outside the view.
        offset = now - self.start
        target_offset = _PRESENT_AT * fit.loops
        if not 0 <= offset <= fit.loops:
            offset = target_offset
        elif not still:
            offset += (target_offset - offset) * (1 - exp(-_EASE * elapsed))
        self.start = now - offset

    def center_on(self, juggler: int | None, middle: float, fit: DiagramFit, height: float) -> None:
        """Scroll to the lines of a juggler when the camera begins to follow that juggler.

        Called in each frame.

        Args:
            juggler: whom the camera follows; None for all.
            middle: middle of the juggler's lines, from the upper edge of the diagram, [pixels].
            fit: the scale.
            height: height of the visible area, [pixels].
        """
        # Only when the followed juggler changes, so that users can scroll away again.
        if juggler != self._followed and juggler is not None:
            self.scroll(middle - height / 2 - self.scrolled, fit, height)
        self._followed = juggler

    def scroll(self, pixels: float, fit: DiagramFit, height: float) -> None:
        """Scroll vertically, within the diagram."""
        self.scrolled = min(max(self.scrolled + pixels, 0.0), max(fit.height - height, 0.0))


KINDS = (LADDER, WHO_TO_WHOM, CAUSAL)
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
        # A click in the head of the card may have closed it in this very frame, or changed it to
        # the state graph.
        if self.kind not in KINDS:
            return DRAWING
        self._most_jugglers = max(self._most_jugglers, animation.num_jugglers)
        # A finished job becomes the newest of those done, which come first; the oldest is dropped.
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

        The state graph has an edge for each throw, from one state of the props in the air to the
        next. The siteswap is a round trip through the throws that were clicked one after the other
        and this one. If it depends on its first hand, that is the hand that throws in that state in
        the chosen pattern, if it is unique.

        Args:
            graph: the state graph.
            throw: the edge of the graph that is pointed at.
            chosen: the pattern that is juggled, or will be next.
        """
        # The siteswap begins with this throw, comes back by the shortest way to the state in which
        # the first clicked throw began, and then makes the clicked throws again.
        clicked_before = self._throws_before(graph, throw, chosen)
        first = clicked_before[0] if clicked_before else throw
        edges = (*graph.shortest_round(first.source, throw), *clicked_before)
        siteswap = "".join(edge.throws for edge in edges)
        # The hands of a synchronous pattern throw at once; one of odd length begins with the other
        # hand when it repeats.
        is_same_from_either_hand = graph.rows > 1 or len(edges) % 2 == 1
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
    """Return the hands whose turn it is to throw when an asynchronous pattern is in a state.

    Args:
        graph: the state graph.
        state: index of the state in the graph.
        animation: animation of an asynchronous pattern, whose hands (0 left, 1 right) throw on
            alternate beats.
    """
    pattern = animation.pattern
    assert pattern is not None
    first_throw = min(pattern.throws, key=lambda throw: throw.beat)
    return {
        (first_throw.hand + beat - first_throw.beat) % 2
        for beat, visited_state in graph.visits(pattern)
        if visited_state == state
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
            pattern: pattern that is juggled; None for timed events, which have no states.
            room: width and height of the card's paper at scale 1, [pixels].
        """
        # The job is a thread, which has ended if it is no longer alive.
        if self._job and not self._job.is_alive():
            self._done = self._job
            self._job = None
        done = self._done
        # Another pattern, room or language needs another layout, perhaps of the same graph.
        if self._job is None and (done is None or not done.is_for(pattern, room)):
            graph_before = None
            if done and isinstance(done.result, ShownStates):
                graph_before = done.result.graph
            self._job = _GraphJob(pattern, room, graph_before)
            self._job.start()
        return done.result if done else DRAWING


def step_of(
    shown: ShownStates, animation: Animation, time: float, *, has_uneven_tempo: bool = False
) -> Step:
    """Return the two states between which a pattern is at a time, and the share of the way.

    A state says on which coming beats props land; each throw leads to another one.

    Args:
        shown: the state graph.
        animation: animation that is juggled; a transition is one, too.
        time: time in the animation, [s].
        has_uneven_tempo: whether the tempo of the animation changes, as in a transition, so that
            beats follow from the times of its throws.

    Returns:
        The step; `NO_STEP` if the animation is not in the graph.
    """
    pattern = animation.pattern
    visits = _visits(shown.graph, pattern) if pattern else ()
    if pattern is None or not visits:
        return NO_STEP
    # The period of the pattern, and all beats here, are in ticks, `pattern.division` to a beat.
    period = pattern.period
    ticks_since_start = (
        uneven_beat(animation, pattern, time)
        if has_uneven_tempo
        else time * animation.choreography.bps * pattern.division
    )
    # A throw at exactly this time counts as made, despite rounding.
    tick = (ticks_since_start + _EPSILON) % period
    # Visits are pairs of the tick at which a state begins and the state, in order of time. The
    # present one is the last that began by now, perhaps in the loop before (index −1, the last).
    started_count = bisect_right([start for start, _state in visits], floor(tick))
    index = (started_count - 1) % len(visits)
    start_tick, state = visits[index]
    end_tick, next_state = visits[(index + 1) % len(visits)]
    if index + 1 == len(visits):  # the next visit is the first of the next loop
        end_tick += period
    share_passed = (tick - start_tick) % period / (end_tick - start_tick)
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
        if self._pattern is None:  # timed events have no states, as `result` says already
            return
        interval_before = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        try:
            # The graph that was shown before is used again if it has the states of the pattern.
            graph = _graph_of(self._pattern, self._before)
            # The walk is pairs of a beat and the state then.
            walk = tuple(state for _beat, state in graph.walk(self._pattern))
            diagram = _layout_of(graph, self._room)
        except JuggleError as error:
            self.result = sentence(str(error))
        else:
            self.result = ShownStates(graph, diagram, walk)
        finally:
            sys.setswitchinterval(interval_before)


def _graph_of(pattern: Pattern, before: StateGraph | None) -> StateGraph:
    """Return the state graph for a pattern.

    A state says on which coming beats props land. The graph is the previous one if that contains
    the states of the pattern; else a graph of all states of as many props, with throws a little
    higher than those of the pattern if it is not too large; else a graph of the states of the
    pattern alone.

    Args:
        pattern: pattern that is juggled.
        before: the graph that was shown before; None for none.
    """
    from juggle_anim.pattern import ASYNCHRONOUS, SYNCHRONOUS, StateGraph, state_cycle

    cycle = state_cycle(pattern)
    # Only a graph of all states has codes, and a pattern that is not in it has no walk through it.
    if before and before.codes and before.props == cycle.props and before.walk(pattern):
        return before
    # A state has one row for hands that take turns, or two for hands that throw at once. Graphs of
    # all states are made for these two alone.
    row_count = len(cycle.rows)
    if cycle.props == 0 or row_count not in (ASYNCHRONOUS, SYNCHRONOUS):
        return StateGraph.of_pattern(pattern)
    # The highest throw of the graph is at least the number of props, rounded up to whole rows, and
    # if hands take turns some beats more. If that makes too many states, it is the highest throw of
    # the pattern.
    extra_height = _MIN_EXTRA_HEIGHT if row_count == ASYNCHRONOUS else 0
    min_height = ceil(cycle.props / row_count) * row_count + extra_height
    for height in (max(cycle.highest, min_height), cycle.highest):
        highest = height
        # The states are all choices of beats, up to the highest throw, on which the props land.
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

    States have texts if these are legible, else they are dots. Small graphs are laid out with care
    (by stress majorization), which is better and takes longer. Called in a thread, which pauses for
    pictures of the window.

    Args:
        graph: the states and throws.
        room: width and height of the area, at scale 1, [pixels].
    """
    from juggle_anim.diagrams import LETTERS, StateDiagram, expected_letters

    width, height = room
    is_careful = len(graph.states) <= _MAX_CAREFUL_STATES
    # The layout with texts is tried only if an estimate says that letters will be large enough.
    if is_careful and expected_letters(graph, width * height) > _MIN_LETTER_SIZE:
        diagram = StateDiagram.lay_out(graph, width / height, pause=_PauseForPictures())
        scale = min(width / diagram.width, height / diagram.height)  # pixels/mm
        if scale * LETTERS > _MIN_LETTER_SIZE:
            return diagram
    return StateDiagram.lay_out(
        graph, width / height, with_texts=False, careful=is_careful, pause=_PauseForPictures()
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
