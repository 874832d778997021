"""Times of hands in a routine: what they do besides throwing and catching, so that it fits between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind, Events
from juggle_anim.choreography.dwell import hand_of
from juggle_anim.choreography.places import rest_positions
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.toss import Clock, Waypoint
from juggle_anim.tosses.toss_ring import TossRing

_LEAST = 1.0  # s; a hand that has less time does not rest
# From its catch, to its throw, and between points in which a hand rests, [s].
_AFTER, _BEFORE, _STEP = 0.25, 0.2, 0.4

_NEAR, _BESIDE = 0.04, 0.25  # s; from what a hand does, and from another point
_SAME = 0.15  # s; a throw that is moved so little for what stands before it is the same
_QUICKEST = 2.5  # m/s; from a throw or catch to a point, on the average


@dataclass(frozen=True)
class HandTimes:
    """When each hand throws and catches.

    Args:
        times: for each hand in order, [s].
        held: how many props it holds after each of these.
        places: of the hand then, as in `Events`, [m].
        lasts: the loop, [s].
    """

    times: tuple[list[float], ...]
    held: tuple[list[int], ...]
    places: tuple[list[Floats], ...]
    lasts: float

    @classmethod
    def of(cls, ring: TossRing) -> HandTimes:
        """Those of a ring, whose loop begins at 0."""
        found: list[list[tuple[float, int, Floats]]] = [[] for _ in range(2 * ring.pattern.jugglers)]
        starts = [0] * len(found)
        for toss in ring.tosses:
            hands = hand_of(toss.throw), 2 * toss.throw.to_juggler + toss.throw.to_hand
            starts[hands[1]] += toss.landing >= ring.pattern.period and not toss.puts_down
            if toss.flown and not toss.throw.held:
                found[hands[0]].append((toss.flown.thrown % ring.lasts, -1, toss.flown.start))
                found[hands[1]].append((toss.flown.caught % ring.lasts, 1, toss.flown.end))
        rows = [sorted(each, key=lambda row: row[:2]) for each in found]
        held = (
            list(accumulate((change for _, change, _ in each), initial=start))[1:]
            for start, each in zip(starts, rows, strict=True)
        )
        times = tuple([time for time, _, _ in each] for each in rows)
        places = tuple([place for _, _, place in each] for each in rows)
        return cls(times, tuple(held), places, ring.lasts)

    def passing(
        self, segment: Segment, enters: int, until: int, shift: int, division: int, clock: Clock
    ) -> Iterator[Waypoint]:
        """The points that hands pass between events of a pattern, as far as they do what they do in it alone.

        Args:
            segment: the pattern.
            enters, until: when it is juggled, in parts of a beat.
            shift: its first beat, likewise.
            division: parts of a beat.
            clock: when they are.
        """
        events, rate = segment.choreography.events, segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        for row in np.flatnonzero(events.kind >= EventKind.HOLD).tolist():
            own, away = float(events.time[row]) * rate, _to_throw(events, row, segment.choreography.duration)
            to_throw = 0.0 if away is None else away * rate
            for lap in range(-1, (until - shift) // loop + 2):
                beat = own + lap * loop + shift
                if not enters <= beat + to_throw + division / 2 < until:
                    continue
                point = Waypoint(clock.at(beat), int(events.hand[row]), int(events.kind[row]), events.position[row])
                throw = None if away is None else clock.at(beat + to_throw)
                if enters + 2 * division < beat < until - 2 * division or self._fits(point, throw):
                    yield point

    def resting(self, rests: Sequence[tuple[float, float]], others: Sequence[Waypoint]) -> list[Waypoint]:
        """Places where hands rest with what they hold, from some times to others, [s]; not beside other points."""
        return [
            point
            for point in self._resting(rests)
            if all(each.hand != point.hand or abs(each.time - point.time) > _BESIDE for each in others)
        ]

    def _resting(self, rests: Sequence[tuple[float, float]]) -> Iterator[Waypoint]:
        places = rest_positions(len(self.times) // 2)
        for hand, times in enumerate(self.times):
            for start, end in rests if times else ():
                following = bisect_right(times, (start + end) / 2)
                before = times[following - 1] - (0.0 if following else self.lasts)
                after = times[following] if following < len(times) else times[0] + self.lasts
                if after - before < _LEAST:
                    continue
                kind = EventKind.HOLD if self.held[hand][following - 1] else EventKind.MOVE
                steps = 2 + int((after - before) / _STEP)
                for time in np.linspace(before + _AFTER, after - _BEFORE, steps).tolist():
                    yield Waypoint(time % self.lasts, hand, int(kind), places[hand])

    def _fits(self, point: Waypoint, throw: float | None) -> bool:
        """Whether a hand has something to carry there if it should, and time to come from what it did, and to go on.

        Args:
            point: on the way to a throw, or from one.
            throw: when that is, [s]; None for a hand that throws nothing in its pattern.
        """
        times, places, carries = self.times[point.hand], self.places[point.hand], point.kind == EventKind.HOLD
        if not times:
            return False
        following = bisect_right(times, point.time)
        for each in (following - 1, following % len(times)):
            apart = abs(point.time - times[each])
            if apart < _NEAR or np.linalg.norm(point.position - places[each]) > _QUICKEST * apart:
                return False
        beside = times[following % len(times) if carries else following - 1]
        as_there = throw is None or abs(beside - throw) < _SAME
        return as_there and carries == (self.held[point.hand][following - 1] > 0)


def _to_throw(events: Events, row: int, lasts: float) -> float | None:
    """How long after a point the hand throws what it carries there; below 0, how long before it threw, [s].

    None for a hand that throws nothing.
    """
    times = events.time[(events.hand == events.hand[row]) & (events.kind == EventKind.THROW)]
    if not len(times):
        return None
    later = (times - events.time[row]) % lasts
    return float(later.min()) if events.kind[row] == EventKind.HOLD else float(later.max()) - lasts
