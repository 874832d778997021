"""Times of hands in a routine: what they do besides throwing and catching, so that it fits
between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind, Events
from juggle_anim.choreography.places import rest_positions
from juggle_anim.pattern.pattern import catching_hand, hand_of
from juggle_anim.tosses.segment import Segment
from juggle_anim.tosses.toss import Clock, Waypoint
from juggle_anim.tosses.toss_ring import TossRing

_LEAST = 1.0  # s; a hand that has less time does not rest
# From its catch, to its throw, and between points in which a hand rests, [s].
_AFTER = 0.25
_BEFORE = 0.2
_STEP = 0.4

# s; from what a hand does, and from another point
_NEAR = 0.04
_BESIDE = 0.25
# s, m; what a hand does so near to when and where it does it in its pattern is the same
_ALIKE = 0.01
_NEARBY = 0.05
_SAME = 0.15  # s; so is a throw that is moved so little for what stands before it
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
        """Those of a ring, since the start of its loop."""
        found: list[list[tuple[float, int, Floats]]] = [
            [] for _ in range(2 * ring.pattern.jugglers)
        ]
        starts = [0] * len(found)
        for toss in ring.tosses:
            hands = hand_of(toss.throw), catching_hand(toss.throw)
            starts[hands[1]] += toss.landing >= ring.pattern.period and not toss.puts_down
            if toss.flown and not toss.throw.held:
                found[hands[0]].append(
                    ((toss.flown.thrown - ring.start) % ring.lasts, -1, toss.flown.start)
                )
                found[hands[1]].append(
                    ((toss.flown.caught - ring.start) % ring.lasts, 1, toss.flown.end)
                )
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
        """The points that hands pass between events of a pattern, as far as they do what they do in
        it alone.

        Args:
            segment: the pattern.
            enters, until: when it is juggled, in parts of a beat.
            shift: its first beat, likewise.
            division: parts of a beat.
            clock: when they are.
        """
        events = segment.choreography.events
        rate = segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        for row in np.flatnonzero(events.kind >= EventKind.HOLD).tolist():
            own = float(events.time[row]) * rate
            beside = events_beside(events, row, segment.choreography.duration)
            away = _to_throw(events, row, segment.choreography.duration) * rate
            for lap in range(-1, (until - shift) // loop + 2):
                beat = own + lap * loop + shift
                if not enters <= beat + away + division / 2 < until:
                    continue
                point = Waypoint(
                    clock.at(beat),
                    int(events.hand[row]),
                    int(events.kind[row]),
                    events.position[row],
                )
                if self.fits(
                    point,
                    [each._replace(time=clock.at(beat + each.time * rate)) for each in beside],
                ):
                    yield point

    def fitting(
        self, passed: Iterable[tuple[Waypoint, Sequence[HandEvent]]], start: float
    ) -> Iterator[Waypoint]:
        """Those of some points that fit, since the start of the loop, [s], where times are of all
        time; each is given with what its hand does before and after it in its pattern.
        """
        for point, beside in passed:
            since = start + (point.time - start) // self.lasts * self.lasts
            here = [each._replace(time=each.time - since) for each in beside]
            if self.fits(moved := point._replace(time=point.time - since), here):
                yield moved

    def resting(
        self, rests: Sequence[tuple[float, float]], others: Sequence[Waypoint]
    ) -> list[Waypoint]:
        """Places where hands rest with what they hold, from some times to others, [s]; not beside
        other points.
        """
        return [
            point
            for point in self._resting(rests)
            if all(each.hand != point.hand or self._apart(each, point) > _BESIDE for each in others)
        ]

    def _apart(self, one: Waypoint, other: Waypoint) -> float:
        """The time between two points, in the shorter direction round the loop, [s]."""
        apart = (one.time - other.time) % self.lasts
        return min(apart, self.lasts - apart)

    def _resting(self, rests: Sequence[tuple[float, float]]) -> Iterator[Waypoint]:
        places = rest_positions(len(self.times) // 2)
        for hand, times in enumerate(self.times):
            # Several of the rests may be in one gap.
            for following in sorted(
                {bisect_right(times, (start + end) / 2) for start, end in rests} if times else ()
            ):
                before = times[following - 1] - (0.0 if following else self.lasts)
                after = times[following] if following < len(times) else times[0] + self.lasts
                if after - before < _LEAST:
                    continue
                kind = EventKind.HOLD if self.held[hand][following - 1] else EventKind.MOVE
                steps = 2 + int((after - before) / _STEP)
                for time in np.linspace(before + _AFTER, after - _BEFORE, steps).tolist():
                    yield Waypoint(time % self.lasts, hand, int(kind), places[hand])

    def fits(self, point: Waypoint, beside: Sequence[HandEvent]) -> bool:
        """Whether a hand has something to carry there if it should, and time to come from what it
        did, and to go on.

        Args:
            point: on the way to something that the hand does, or from it.
            beside: what it does before and after the point in its pattern; nothing if it does
                nothing at all there.
        """
        times = self.times[point.hand]
        places = self.places[point.hand]
        carries = point.kind == EventKind.HOLD
        if not times:
            return False
        following = bisect_right(times, point.time)
        if carries != (self.held[point.hand][following - 1] > 0):
            return False
        last = following - 1
        then = following % len(times)
        done = (
            HandEvent(times[last] - (0.0 if following else self.lasts), places[last]),
            HandEvent(times[then] + (0.0 if then == following else self.lasts), places[then]),
        )
        if not beside:
            return all(each.leaves_time(point) for each in done)
        alike = [each.is_like(there, _ALIKE) for each, there in zip(done, beside, strict=True)]
        thrown = int(carries)
        caught = 1 - int(carries)
        if not (
            done[thrown].is_like(beside[thrown], _SAME) or (beside[caught].around and alike[caught])
        ):
            return False
        return all(same or each.leaves_time(point) for same, each in zip(alike, done, strict=True))


class HandEvent(NamedTuple):
    """A throw or a catch of a hand: when, [s], where, [m], and whether it is known to be around the
    body.
    """

    time: float
    place: Floats
    around: bool = False

    def is_like(self, other: HandEvent, within: float) -> bool:
        """Whether it is the same as another one, at most so much sooner or later, [s]."""
        return abs(self.time - other.time) < within and bool(
            np.linalg.norm(self.place - other.place) < _NEARBY
        )

    def leaves_time(self, point: Waypoint) -> bool:
        """Whether the hand can go from there to a point, or back, without haste."""
        apart = abs(point.time - self.time)
        return apart > _NEAR and bool(
            np.linalg.norm(point.position - self.place) < _QUICKEST * apart
        )


def events_beside(events: Events, row: int, lasts: float) -> list[HandEvent]:
    """What the hand of a point does last before it and next after it, by the time since it; nothing
    if nothing.
    """
    rows = np.flatnonzero((events.hand == events.hand[row]) & (events.kind <= EventKind.CATCH))
    if not len(rows):
        return []
    later = (events.time[rows] - events.time[row]) % lasts
    before = int(later.argmax())
    after = int(later.argmin())
    times = (before, float(later[before]) - lasts), (after, float(later[after]))
    return [
        HandEvent(time, events.position[rows[row]], bool(events.manners[rows[row], 1]))
        for row, time in times
    ]


def _to_throw(events: Events, row: int, lasts: float) -> float:
    """How long after a point the hand throws what it carries there; below 0, how long before it
    threw, [s].

    0 for a hand that throws nothing.
    """
    times = events.time[(events.hand == events.hand[row]) & (events.kind == EventKind.THROW)]
    if not len(times):
        return 0.0
    later = (times - events.time[row]) % lasts
    return float(later.min()) if events.kind[row] == EventKind.HOLD else float(later.max()) - lasts
