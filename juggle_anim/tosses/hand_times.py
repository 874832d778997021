"""Times of hands in a routine: what they do besides throwing and catching, so that it fits between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind
from juggle_anim.choreography.dwell import hand_of
from juggle_anim.choreography.places import rest_positions
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.toss import Clock, Waypoint
from juggle_anim.tosses.toss_ring import TossRing

_LEAST = 1.0  # s; a hand that has less time does not rest
_AFTER, _BEFORE, _STEP = (
    0.4,
    0.2,
    0.4,
)  # s; from its catch, to its throw, and between points in which it rests
_NEAR = 0.04  # s
_QUICKEST = 4.0  # m/s; from a throw or catch to a point, on the average


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
            starts[hands[1]] += toss.landing >= ring.pattern.period
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
        rows = np.flatnonzero(events.kind >= EventKind.HOLD).tolist()
        for lap in range((until - shift) // loop + 1 if rows else 0):
            for row in rows:
                beat = float(events.time[row]) * rate + lap * loop + shift
                point = Waypoint(clock.at(beat), int(events.hand[row]), int(events.kind[row]), events.position[row])
                alone = enters + 2 * division < beat < until
                if alone or (enters - division < beat < until + division and self._fits(point)):
                    yield point

    def resting(self, rests: Sequence[tuple[float, float]], others: Sequence[Waypoint]) -> list[Waypoint]:
        """Places where hands rest with what they hold, from some times to others, [s]; not beside other points."""
        return [
            point
            for point in self._resting(rests)
            if all(each.hand != point.hand or abs(each.time - point.time) > _AFTER for each in others)
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

    def _fits(self, point: Waypoint) -> bool:
        """Whether a hand has something to carry there if it should, and time to come from what it did, and to go on."""
        times, places = self.times[point.hand], self.places[point.hand]
        if not times:
            return False
        following = bisect_right(times, point.time)
        for each in (following - 1, following % len(times)):
            apart = abs(point.time - times[each])
            if apart < _NEAR or np.linalg.norm(point.position - places[each]) > _QUICKEST * apart:
                return False
        return (self.held[point.hand][following - 1] > 0) == (point.kind == EventKind.HOLD)
