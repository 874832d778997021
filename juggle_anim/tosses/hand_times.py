"""Times of hands in a ring of tosses: when each throws and catches, and which other points it has
time to pass between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind, Events
from juggle_anim.choreography.places import rest_positions
from juggle_anim.pattern.pattern import catching_hand, hand_of
from juggle_anim.tosses.toss import Waypoint
from juggle_anim.tosses.toss_ring import TossRing

_SHORTEST_GAP = 1.0  # s between two events of a hand; in less it does not rest
_REST_AFTER = 0.25  # s from the event before to the first point at rest
_REST_BEFORE = 0.2  # s from the last point at rest to the event after
_REST_STEP = 0.4  # s between points at rest
_CLEARANCE_OF_REST = 0.25  # s; no point at rest is so near to another point of the hand

_LEAST_TIME = 0.04  # s from an event to a point, however near that is
_MAX_SPEED = 2.5  # m/s from an event to a point, on the average
_SAME_TIME = 0.01  # s; an event so near in time to that of the pattern is the same
_SAME_TIME_MOVED = 0.15  # s; so is one that was moved so little for what stands before it
_SAME_POSITION = 0.05  # m; an event farther from that of the pattern is another one


class HandEvent(NamedTuple):
    """A throw or a catch of a hand.

    Attributes:
        time: when, [s].
        position: of the hand then, [m].
        around_body: whether it is known to be around the body.
    """

    time: float
    position: Floats
    around_body: bool = False

    def is_like(self, other: HandEvent, tolerance: float) -> bool:
        """Whether another event is as near in time as a tolerance [s], and nearly as in space."""
        distance = np.linalg.norm(self.position - other.position)
        return abs(self.time - other.time) < tolerance and bool(distance < _SAME_POSITION)

    def leaves_time(self, point: Waypoint) -> bool:
        """Whether the hand can go from here to a point, or back, without haste."""
        time = abs(point.time - self.time)
        distance = np.linalg.norm(point.position - self.position)
        return time > _LEAST_TIME and bool(distance < _MAX_SPEED * time)


class PointOfLoop(NamedTuple):
    """A point that a hand passes in a choreography by itself.

    Attributes:
        point: at its time within the loop, [s].
        neighbours: the last event of the hand before and the next after it, at times since the
            point, [s]; empty if the hand throws and catches nothing.
        to_throw: time from the point to the throw of what the hand carries there; below 0, since
            the throw after which it is empty, [s]. 0 if the hand throws nothing.
    """

    point: Waypoint
    neighbours: list[HandEvent]
    to_throw: float


def points_of_loop(choreography: Choreography) -> Iterator[PointOfLoop]:
    """Yield the points that hands pass between throws and catches, in the order of events."""
    events = choreography.events
    loop = choreography.duration
    # The kinds of events from HOLD on are points; those before are throws and catches.
    for row in np.flatnonzero(events.kind >= EventKind.HOLD).tolist():
        point = Waypoint(
            float(events.time[row]),
            int(events.hand[row]),
            int(events.kind[row]),
            events.position[row],
        )
        yield PointOfLoop(point, _neighbours(events, row, loop), _time_to_throw(events, row, loop))


def _neighbours(events: Events, row: int, loop: float) -> list[HandEvent]:
    """The throws or catches of a hand just before and just after one of its points.

    Args:
        events: of a loop.
        row: of the point.
        loop: its duration, [s].

    Returns:
        Two events, with times since the point, so that the first is below 0; none for a hand that
        neither throws nor catches.
    """
    is_event_of_hand = (events.hand == events.hand[row]) & (events.kind <= EventKind.CATCH)
    rows = np.flatnonzero(is_event_of_hand)
    if not len(rows):
        return []
    # Time from the point to the next such event, [s]: the longest is that of the event before, one
    # loop later.
    until = (events.time[rows] - events.time[row]) % loop
    before = int(until.argmax())
    after = int(until.argmin())
    times = ((before, float(until[before]) - loop), (after, float(until[after])))
    return [
        HandEvent(time, events.position[rows[neighbour]], bool(events.manners[rows[neighbour], 1]))
        for neighbour, time in times
    ]


def _time_to_throw(events: Events, row: int, loop: float) -> float:
    """The time from a point to the throw to which it belongs, as `PointOfLoop.to_throw`, [s].

    Args:
        events: of a loop.
        row: of the point.
        loop: its duration, [s].
    """
    times = events.time[(events.hand == events.hand[row]) & (events.kind == EventKind.THROW)]
    if not len(times):
        return 0.0
    until = (times - events.time[row]) % loop
    # With a prop in the hand, the next throw; else the throw that left the hand empty.
    if events.kind[row] == EventKind.HOLD:
        return float(until.min())
    return float(until.max()) - loop


@dataclass(frozen=True)
class HandTimes:
    """When each hand throws and catches in a loop.

    Args:
        times: for each hand in order, [s] since the start of the loop.
        held: how many props it holds after each of these.
        positions: of the hand then, as in `Events`, [m].
        loop: its duration, [s].
    """

    times: tuple[list[float], ...]
    held: tuple[list[int], ...]
    positions: tuple[list[Floats], ...]
    loop: float

    @classmethod
    def from_ring(cls, ring: TossRing) -> HandTimes:
        """Return the times of all hands in a ring of tosses.

        Args:
            ring: whose tosses have their times.
        """
        hands = range(2 * ring.pattern.jugglers)
        # For each hand: the times of its events, -1 for a throw and 1 for a catch, and positions.
        changes: list[list[tuple[float, int, Floats]]] = [[] for _ in hands]
        held_at_start = [0 for _ in hands]
        for toss in ring.tosses:
            thrower = hand_of(toss.throw)
            catcher = catching_hand(toss.throw)
            # A prop that is due after the end of the loop counts as in its hand at the start.
            if toss.landing >= ring.pattern.period and not toss.puts_down:
                held_at_start[catcher] += 1
            if toss.flown and not toss.throw.held:
                thrown = (toss.flown.thrown - ring.start) % ring.lasts
                caught = (toss.flown.caught - ring.start) % ring.lasts
                changes[thrower].append((thrown, -1, toss.flown.start))
                changes[catcher].append((caught, 1, toss.flown.end))

        # By time, throws before catches; positions cannot be compared.
        for rows in changes:
            rows.sort(key=lambda row: row[:2])
        held = []
        for rows, start in zip(changes, held_at_start, strict=True):
            counts = accumulate((change for _time, change, _ in rows), initial=start)
            # The first count is that before all events.
            held.append(list(counts)[1:])
        times = tuple([time for time, _, _ in rows] for rows in changes)
        positions = tuple([position for _, _, position in rows] for rows in changes)
        return cls(times, tuple(held), positions, ring.lasts)

    def fitting(
        self, points: Iterable[tuple[Waypoint, Sequence[HandEvent]]], start: float
    ) -> Iterator[Waypoint]:
        """Yield those of some points that hands have time to pass.

        Args:
            points: each with the neighbouring events of its hand in its pattern, at times of all
                time, [s].
            start: of the loop, [s] of all time.

        Yields:
            Points at times since the start of the loop, [s].
        """
        for point, neighbours in points:
            # The start of the round of the loop in which the point lies.
            round_start = start + (point.time - start) // self.loop * self.loop
            moved = point._replace(time=point.time - round_start)
            events = [event._replace(time=event.time - round_start) for event in neighbours]
            if self.fits(moved, events):
                yield moved

    def resting(
        self, rests: Sequence[tuple[float, float]], points: Sequence[Waypoint]
    ) -> list[Waypoint]:
        """Return positions at rest for hands that do nothing for long; so no hand swings then.

        Args:
            rests: start and end of each time in which hands rest, [s] since the start of the loop.
            points: that hands pass anyway; near these in time, no position at rest is added.
        """
        return [
            rest
            for rest in self._rests_in_gaps(rests)
            if all(
                point.hand != rest.hand or self._distance(point, rest) > _CLEARANCE_OF_REST
                for point in points
            )
        ]

    def _distance(self, first: Waypoint, second: Waypoint) -> float:
        """The time between two points, in the shorter direction round the loop, [s]."""
        later = (first.time - second.time) % self.loop
        return min(later, self.loop - later)

    def _rests_in_gaps(self, rests: Sequence[tuple[float, float]]) -> Iterator[Waypoint]:
        """Yield positions at rest in the long gaps between events of each hand.

        Args:
            rests: start and end of each time in which hands rest, [s] since the start of the loop.
                A gap counts if the middle of a rest lies in it.
        """
        positions = rest_positions(len(self.times) // 2)
        for hand, times in enumerate(self.times):
            if not times:
                continue
            # Gaps by the index of the event after. Several of the rests may be in one gap.
            gaps = {bisect_right(times, (start + end) / 2) for start, end in rests}
            for following in sorted(gaps):
                # A gap may reach over the start or the end of the loop.
                before = times[following - 1] - (0.0 if following else self.loop)
                after = times[following] if following < len(times) else times[0] + self.loop
                if after - before < _SHORTEST_GAP:
                    continue
                kind = EventKind.HOLD if self.held[hand][following - 1] else EventKind.MOVE
                count = 2 + int((after - before) / _REST_STEP)
                moments = np.linspace(before + _REST_AFTER, after - _REST_BEFORE, count)
                for time in moments.tolist():
                    yield Waypoint(time % self.loop, hand, int(kind), positions[hand])

    def fits(self, point: Waypoint, neighbours: Sequence[HandEvent]) -> bool:
        """Whether a hand can pass a point as it does in its pattern.

        It has something to carry there if it should; it has time to come from its last event and
        to go on to its next, or these are the same as in the pattern.

        Args:
            point: at a time since the start of the loop, [s].
            neighbours: the event of the hand before and that after the point in its pattern, at
                times since the start of the loop, [s]; empty if it has none there.
        """
        times = self.times[point.hand]
        if not times:
            return False
        following = bisect_right(times, point.time)
        carries = point.kind == EventKind.HOLD
        if carries != (self.held[point.hand][following - 1] > 0):
            return False

        before, after = self._events_around(point.hand, following)
        if not neighbours:
            return before.leaves_time(point) and after.leaves_time(point)
        before_in_pattern, after_in_pattern = neighbours
        before_is_same = before.is_like(before_in_pattern, _SAME_TIME)
        after_is_same = after.is_like(after_in_pattern, _SAME_TIME)

        # The throw is that after a point where the hand carries a prop, else that before it; the
        # point must belong to the same throw, or to the same catch around a body.
        if carries:
            same_throw = after.is_like(after_in_pattern, _SAME_TIME_MOVED)
            same_catch = before_is_same and before_in_pattern.around_body
        else:
            same_throw = before.is_like(before_in_pattern, _SAME_TIME_MOVED)
            same_catch = after_is_same and after_in_pattern.around_body
        if not (same_throw or same_catch):
            return False
        return (before_is_same or before.leaves_time(point)) and (
            after_is_same or after.leaves_time(point)
        )

    def _events_around(self, hand: int, following: int) -> tuple[HandEvent, HandEvent]:
        """The events of a hand before and after a time.

        Args:
            hand: 2 · juggler + side.
            following: index of the first event after that time; the number of events if that is in
                the next loop.
        """
        times = self.times[hand]
        positions = self.positions[hand]
        # Events wrap around: those of the loop before are earlier by its duration, those of the
        # loop after later.
        wrapped = following % len(times)
        before_time = times[following - 1] - (0.0 if following else self.loop)
        after_time = times[wrapped] + (0.0 if wrapped == following else self.loop)
        return (
            HandEvent(before_time, positions[following - 1]),
            HandEvent(after_time, positions[wrapped]),
        )
