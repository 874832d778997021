"""When events may be: limits that keep hands and props possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.choreography import HOLD

THROW_APART, POINT_APART = 0.03, 0.01
"""Least time between a throw or catch and another of that hand, and from a point to any event, [s]; as Juggling Lab."""

MIN_FLIGHT = 0.05
"""Shortest flight by hand, [s]."""


class TimeLimits(NamedTuple):
    """When an event may be.

    Attributes:
        earliest, latest: [s]; may be before or after the loop, into which times are taken.
        taken: spans between those in which it may not be, since other events of the hand are near, [s].
    """

    earliest: float
    latest: float
    taken: tuple[tuple[float, float], ...] = ()

    def nearest(self, time: float) -> float:
        """The allowed time that is nearest to some time, [s]."""
        time = min(max(time, self.earliest), self.latest)
        free, low = [], self.earliest
        for start, end in sorted(self.taken):
            if start >= low:
                free.append((low, start))
            low = max(low, end)
        if low <= self.latest:
            free.append((low, self.latest))
        near = (min(max(time, low), high) for low, high in free)
        return min(near, key=lambda each: abs(each - time))


def delay_limits(choreography: Choreography, moved: Sequence[int]) -> TimeLimits:
    """Return by how much some events may be later together, [s]; see `events.time_limits`."""
    events, loop = choreography.events, choreography.duration
    among = np.zeros(len(events.time), dtype=bool)
    among[moved] = True
    bounds = [(-loop / 2, loop / 2), *_path_bounds(choreography, among)]
    taken: list[tuple[float, float]] = []
    for event in moved:
        beside = (events.hand == events.hand[event]) & ~among
        gaps = events.time[beside] - events.time[event]
        both = (events.kind[beside] < HOLD) & (events.kind[event] < HOLD)
        if events.kind[event] >= HOLD:
            walls = (gaps[events.kind[beside] < HOLD] % loop).tolist()
            # A point stays between the throws and catches beside it.
            bounds += [(-loop, max(0.0, wall - POINT_APART)) for wall in walls]
            bounds += [(min(0.0, wall - loop + POINT_APART), loop) for wall in walls]
        for gap, least in zip(gaps.tolist(), np.where(both, THROW_APART, POINT_APART).tolist(), strict=True):
            for way in (gap - loop, gap, gap + loop):
                apart = min(least, abs(way))
                taken.append((way - apart, way + apart))
    earliest, latest = max(low for low, _ in bounds), min(high for _, high in bounds)
    spans = sorted(span for span in taken if span[0] < latest and span[1] > earliest and span[1] > span[0])
    return TimeLimits(min(0.0, earliest), max(0.0, latest), tuple(_merged(spans)))


def _path_bounds(choreography: Choreography, among: Booleans) -> list[tuple[float, float]]:
    """Bounds of how far events may move in time, for props to be caught after their throws and thrown after catches."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    following, bounds = choreography.rounds.following, list[tuple[float, float]]()
    carried_to = flights.throw[following]
    for flight, (throw, catch, after) in enumerate(
        zip(flights.throw.tolist(), flights.catch.tolist(), carried_to.tolist(), strict=True)
    ):
        duration, carry = float(flights.duration[flight]), float(flights.carry[flight])
        room = max(0.0, duration - MIN_FLIGHT)
        if among[throw] != among[catch]:
            bounds.append((-loop, room) if among[throw] else (-room, loop))
        if among[catch] != among[after]:
            points = np.flatnonzero((events.hand == events.hand[catch]) & (events.kind == HOLD) & ~among)
            since = (events.time[points] - events.time[catch]) % loop
            since = since[since < carry]
            last = since + np.floor((carry - since) / loop) * loop
            rooms = [carry - THROW_APART, *(since if among[catch] else carry - last) - POINT_APART]
            room = max(0.0, min(rooms))
            bounds.append((-loop, room) if among[catch] else (-room, loop))
    return bounds


def _merged(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Sorted open spans, those that overlap as one."""
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
