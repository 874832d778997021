"""Throws of a diagram: curves along which props move on a ladder, and a description of each throw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.diagrams.drawing import Mark, Pill, Point, Stroke
from juggle_anim.diagrams.time_layout import hand_names
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline
from juggle_anim.errors import sentence
from juggle_anim.scene.compose import drawn_colours
from juggle_anim.scene.palette import STANDARD, Palette

_LEAST = 1e-6
_SAME = 0.05  # s; what leaves a hand within it leaves together


@dataclass(frozen=True)
class PropCurves:
    """Ways of props through one loop of a ladder.

    Args:
        curves: each a cubic whose inner points divide time evenly, shape (N, 4, 2), [mm].
        props: who makes each in the first loop, shape (N,).
        firsts: the first prop of each one's orbit, shape (N,).
        counts: how many props are on it, shape (N,).
        colours: of all props, shape (P, 3), sRGB from 0 to 1.
    """

    curves: Floats
    props: Integers
    firsts: Integers
    counts: Integers
    colours: Singles

    def at(self, along: float, lap: int) -> tuple[Floats, Singles]:
        """Where props are at a place along a loop, [mm], and in which loop.

        Returns:
            Places of shape (K, 2), [mm], and their colours, shape (K, 3).
        """
        starts, ends = self.curves[:, 0, 0], self.curves[:, 3, 0]
        # Just at a catch or a throw, and at the seam of loops, each prop is on one way.
        along = min(along + _LEAST, float(ends.max(initial=_LEAST)) - _LEAST)
        now = np.flatnonzero((starts <= along) & (along < ends))
        share = ((along - starts[now]) / (ends[now] - starts[now]))[:, None]
        rest = 1 - share
        basis = np.stack([rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3], axis=1)
        places: Floats = np.sum(basis * self.curves[now], axis=1)
        # In the next loop each prop does what the one before it on its orbit did.
        first = self.firsts[now]
        return places, self.colours[first + (self.props[now] - first - lap) % self.counts[now]]


def prop_curves(marks: Sequence[Mark], course: Timeline, palette: Palette = STANDARD) -> PropCurves:
    """The props of a ladder.

    Args:
        marks: of one loop of it, in their order.
        course: that it shows.
        palette: colours of props that nobody chose.
    """
    flown = [each for each in course.flights if min(each.caught, course.span) - max(each.thrown, 0.0) > _LEAST]
    stays = [each for each in course.holds if min(each.end, course.span) - max(each.start, 0.0) > _LEAST]
    ways: list[Sequence[Point]] = [mark.points for mark in marks if isinstance(mark, Stroke) and len(mark.points) == 4]
    ways += [_bar(mark) for mark in marks if isinstance(mark, Pill) and not mark.round_ends]
    spans = _spans(course)
    props = [each.prop for each in flown] + [each.prop for each in stays]
    first, count = np.array([spans[prop] for prop in props], dtype=int).reshape(-1, 2).T
    assert len(ways) == len(props), "a ladder draws each flight and each stay once"
    return PropCurves(
        np.array(ways).reshape(-1, 4, 2),
        np.array(props, dtype=int),
        first,
        count,
        drawn_colours(course.choreography, palette),
    )


def _bar(mark: Pill) -> tuple[Point, ...]:
    (x, y), half = mark.centre, mark.width / 2
    return tuple((x + half * share, y) for share in (-1.0, -1 / 3, 1 / 3, 1.0))


def _spans(course: Timeline) -> list[tuple[int, int]]:
    """Of each prop the first one, and the number of those, with which it changes places."""
    spans: list[tuple[int, int]] = []
    for orbit in course.choreography.orbits:
        first = len(spans)
        # Those that are never thrown stay who they are.
        spans += [(first, orbit.props) if orbit.flights else (first + own, 1) for own in range(orbit.props)]
    return spans


@dataclass(frozen=True)
class ThrowInfo:
    """A throw, or a beat without one.

    Args:
        time: in the loop, [s].
        hand: 2 · juggler + side.
        text: as one writes it; empty where nobody counted beats.
        description: what it is.
        times: from when to when; empty of what does not fly.
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
        throws: each of them.
        jugglers: how many there are.
        loop: how long it is, [s].
    """

    throws: tuple[ThrowInfo, ...]
    jugglers: int
    loop: float

    @classmethod
    def of(cls, course: Timeline) -> DiagramThrows:
        """Those of one loop."""
        jugglers = course.choreography.jugglers
        names = hand_names(jugglers)
        told = []
        for each in course.flights:
            if 0.0 <= each.thrown < course.span:
                words = f"{names[each.hand]} throws {each.text}".rstrip() + f" to {names[each.to_hand]}"
                times = f"{each.thrown:.2f} s – {each.caught:.2f} s"
                told.append(ThrowInfo(each.thrown, each.hand, each.text, sentence(words), times))
        for beat in course.rests:
            empty = beat.orbit == NO_ORBIT
            words = f"{names[beat.hand]} is empty" if empty else f"{names[beat.hand]} holds {beat.text}"
            told.append(ThrowInfo(beat.time, beat.hand, beat.text, sentence(words)))
        return cls(tuple(told), jugglers, course.span)

    def near(self, time: float, line: int, lines: int, text: str) -> list[ThrowInfo]:
        """What a throw of a diagram is: one, or those of a hand that throws several at once.

        Args:
            time: at which it stands, in the loop, [s].
            line: the number of the line it stands on.
            lines: how many there are: one for each hand, or one for each juggler.
            text: what is written in it.
        """
        by_hand = lines == 2 * self.jugglers
        mine = [each for each in self.throws if (each.hand if by_hand else each.hand // 2) == line]
        fitting = [each for each in mine if each.text == text] or [each for each in mine if each.text in text] or mine
        if not fitting:
            return []
        nearest = min(fitting, key=lambda each: self._apart(each.time, time))
        together = [
            each for each in fitting if each.hand == nearest.hand and self._apart(each.time, nearest.time) < _SAME
        ]
        return together if len(text) > len(nearest.text) else [nearest]

    def _apart(self, one: float, other: float) -> float:
        between = abs(one - other) % self.loop
        return min(between, self.loop - between)
