"""Throws of a diagram: curves along which props move on a ladder, and a description of each
throw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.diagrams.drawing import WHITE, Mark, Pill, Point, Stroke
from juggle_anim.diagrams.time_layout import hand_names
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline
from juggle_anim.errors import sentence
from juggle_anim.language import _
from juggle_anim.scene.compose import drawn_colours
from juggle_anim.scene.palette import STANDARD, Palette

_EPSILON = 1e-6
_SIMULTANEOUS = 0.05  # s; throws of a hand within this time are one multiplex throw


@dataclass(frozen=True)
class PropCurves:
    """The curves along which props move through one loop of a ladder.

    Args:
        curves: cubic Bézier curves whose inner points divide time evenly, shape (N, 4, 2), [mm].
        props: the prop on each curve in the first loop, shape (N,).
        firsts: the first prop of its orbit, shape (N,).
        counts: the number of props in that orbit, shape (N,).
        colours: of all props, shape (P, 3), sRGB from 0 to 1.
    """

    curves: Floats
    props: Integers
    firsts: Integers
    counts: Integers
    colours: Singles

    def at(self, along: float, lap: int) -> tuple[Floats, Singles]:
        """Return where props are at an x within a loop, [mm].

        Args:
            along: x from the start of the loop, [mm].
            lap: the number of the loop, since props exchange places from loop to loop.

        Returns:
            Positions of shape (K, 2), [mm], and colours of shape (K, 3).
        """
        starts = self.curves[:, 0, 0]
        ends = self.curves[:, 3, 0]
        # At a catch, at a throw and where loops meet, each prop is on exactly one curve.
        along = min(along + _EPSILON, float(ends.max(initial=_EPSILON)) - _EPSILON)
        now = np.flatnonzero((starts <= along) & (along < ends))
        share = ((along - starts[now]) / (ends[now] - starts[now]))[:, None]
        rest = 1 - share
        basis = np.stack([rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3], axis=1)
        places: Floats = np.sum(basis * self.curves[now], axis=1)
        # In the next loop each prop takes the place of the one before it in its orbit.
        first = self.firsts[now]
        return places, self.colours[first + (self.props[now] - first - lap) % self.counts[now]]


def prop_curves(
    marks: Sequence[Mark], timeline: Timeline, palette: Palette = STANDARD
) -> PropCurves:
    """Return the curves along which props move on a ladder.

    Args:
        marks: of one loop of the ladder, in drawing order.
        timeline: that it shows.
        palette: colours of props without one of their own.
    """
    flown = [
        each
        for each in timeline.flights
        if min(each.caught, timeline.span) - max(each.thrown, 0.0) > _EPSILON
    ]
    held = [
        each
        for each in timeline.holds
        if min(each.end, timeline.span) - max(each.start, 0.0) > _EPSILON
    ]
    curves: list[Sequence[Point]] = [
        mark.points for mark in marks if isinstance(mark, Stroke) and len(mark.points) == 4
    ]
    # What is white lies behind words.
    curves += [
        _bar(mark)
        for mark in marks
        if isinstance(mark, Pill) and not mark.round_ends and mark.fill != WHITE
    ]
    orbits = orbits_of_props(timeline)
    props = [each.prop for each in flown] + [each.prop for each in held]
    first, count = np.array([orbits[prop] for prop in props], dtype=int).reshape(-1, 2).T
    assert len(curves) == len(props), "a ladder draws each flight and each hold once"
    return PropCurves(
        np.array(curves).reshape(-1, 4, 2),
        np.array(props, dtype=int),
        first,
        count,
        drawn_colours(timeline.choreography, palette),
    )


def _bar(mark: Pill) -> tuple[Point, ...]:
    (x, y), half = mark.centre, mark.width / 2
    return tuple((x + half * share, y) for share in (-1.0, -1 / 3, 1 / 3, 1.0))


def orbits_of_props(timeline: Timeline) -> list[tuple[int, int]]:
    """Return, for each prop, the first prop of its orbit and how many exchange places in it."""
    spans: list[tuple[int, int]] = []
    for orbit in timeline.choreography.orbits:
        first = len(spans)
        # Props that are never thrown do not exchange places.
        spans += [
            (first, orbit.props) if orbit.flights else (first + own, 1)
            for own in range(orbit.props)
        ]
    return spans


@dataclass(frozen=True)
class ThrowInfo:
    """A throw, or a beat without one.

    Args:
        time: in the loop, [s].
        hand: 2 · juggler + side.
        text: its siteswap value; empty in patterns without beats.
        description: a sentence for the tooltip.
        times: of throw and catch; empty for what is not thrown.
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
        throws: with the beats at which nothing is thrown.
        jugglers: their number.
        loop: its duration, [s].
    """

    throws: tuple[ThrowInfo, ...]
    jugglers: int
    loop: float

    @classmethod
    def of(cls, timeline: Timeline) -> DiagramThrows:
        """Return the throws of one loop of a timeline."""
        jugglers = timeline.choreography.jugglers
        names = hand_names(jugglers)
        infos = []
        for each in timeline.flights:
            if 0.0 <= each.thrown < timeline.span:
                value = f" {each.text}" if each.text else ""
                hand = names[each.hand]
                to_hand = names[each.to_hand]
                words = _(
                    "{hand} throws{value} to {to_hand}", hand=hand, value=value, to_hand=to_hand
                )
                times = f"{each.thrown:.2f} s – {each.caught:.2f} s"
                infos.append(ThrowInfo(each.thrown, each.hand, each.text, sentence(words), times))
        for beat in timeline.rests:
            empty = beat.orbit == NO_ORBIT
            words = (
                _("{names} is empty", names=names[beat.hand])
                if empty
                else _("{names} holds {text}", names=names[beat.hand], text=beat.text)
            )
            infos.append(ThrowInfo(beat.time, beat.hand, beat.text, sentence(words)))
        return cls(tuple(infos), jugglers, timeline.span)

    def near(self, time: float, line: int, lines: int, text: str) -> list[ThrowInfo]:
        """Return the throws of a node: one, or all of a multiplex throw.

        Args:
            time: of the node in the loop, [s].
            line: the index of its line.
            lines: the number of lines: one for each hand, or one for each juggler.
            text: of the node.
        """
        by_hand = lines == 2 * self.jugglers
        on_line = [
            each for each in self.throws if (each.hand if by_hand else each.hand // 2) == line
        ]
        fitting = (
            [each for each in on_line if each.text == text]
            or [each for each in on_line if each.text in text]
            or on_line
        )
        if not fitting:
            return []
        nearest = min(fitting, key=lambda each: self._separation(each.time, time))
        together = [
            each
            for each in fitting
            if each.hand == nearest.hand
            and self._separation(each.time, nearest.time) < _SIMULTANEOUS
        ]
        return together if len(text) > len(nearest.text) else [nearest]

    def _separation(self, one: float, other: float) -> float:
        difference = abs(one - other) % self.loop
        return min(difference, self.loop - difference)
