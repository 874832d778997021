"""Times of hands in a ring of tosses: when each throws and catches, and which other points it has
time to pass between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, EventKind, Events
from juggle_anim.choreography.places import rest_positions
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import catching_hand, hand_of
from juggle_anim.tosses.toss_ring import TossRing, Waypoint

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
        time: when, [s]; from which start, the user says.
        position: the position of the hand then, as in `Events`, [m].
        around_body: whether it is known to be around the body; False also where it is not known.
    """

    time: float
    position: Floats
    around_body: bool = False

    def is_like(self, other: HandEvent, tolerance: float) -> bool:
        """Whether another event is nearer than a tolerance [s] in time, and nearly at one place."""
        distance = np.linalg.norm(self.position - other.position)
        return abs(self.time - other.time) < tolerance and bool(distance < _SAME_POSITION)

    def leaves_time(self, point: Waypoint) -> bool:
        """Whether the hand can go from this event to a point, or from the point to it, without
        haste.
        """
        time = abs(point.time - self.time)
        distance = np.linalg.norm(point.position - self.position)
        return time > _LEAST_TIME and bool(distance < _MAX_SPEED * time)


class PointOfLoop(NamedTuple):
    """A point that a hand passes in a choreography by itself.

    Attributes:
        point: at its time within the loop, [s].
        neighbours: the last event of the hand before and the next after it, at times since the
            point, [s]; empty if the hand throws and catches nothing.
        time_to_throw: from the point to the throw to which it belongs, [s]. That is the next throw
            where the hand carries a prop, so 0 or above; else the last one, which left the hand
            empty, so below 0. It is 0 if the hand throws nothing.
    """

    point: Waypoint
    neighbours: list[HandEvent]
    time_to_throw: float


def points_of_loop(choreography: Choreography) -> Iterator[PointOfLoop]:
    """Yield the points that hands pass between throws and catches, in the order of events.

    Args:
        choreography: its events are throws, catches and the points themselves.

    Yields:
        A point at its time in the loop; the throw or catch of its hand before it and that after it,
        at times since the point; and how long it is until the throw to which it belongs; all in
        [s].
    """
    events = choreography.events
    loop_duration = choreography.duration
    # The kinds of events from HOLD on are points; those before are throws and catches.
    for row in np.flatnonzero(events.kind >= EventKind.HOLD).tolist():
        point = Waypoint(
            float(events.time[row]),
            int(events.hand[row]),
            int(events.kind[row]),
            events.position[row],
        )
        yield PointOfLoop(
            point,
            _neighbours(events, row, loop_duration),
            _time_to_throw(events, row, loop_duration),
        )


def _neighbours(events: Events, row: int, loop_duration: float) -> list[HandEvent]:
    """The throws or catches of a hand just before and just after one of its points.

    Args:
        events: events of a loop, at times from its start, [s].
        row: index of the point among the events.
        loop_duration: duration of the loop, [s].

    Returns:
        The event before and that after, at times since the point, [s]: the first is below 0. If the
        hand has a single event in the loop, both are that event, a loop apart. Empty for a hand
        that neither throws nor catches.
    """
    is_event_of_hand = (events.hand == events.hand[row]) & (events.kind <= EventKind.CATCH)
    rows = np.flatnonzero(is_event_of_hand)
    if not len(rows):
        return []
    # Time from the point until each event comes next, [s], from 0 to the loop. The event with the
    # longest such time has just been: it is the one before the point, a loop earlier than that.
    until = (events.time[rows] - events.time[row]) % loop_duration
    before = int(until.argmax())
    after = int(until.argmin())

    def event(index: int, time: float) -> HandEvent:
        """The event of `rows` at an index, with its time since the point."""
        event_row = rows[index]
        is_around_body = bool(events.manners[event_row, 1])
        return HandEvent(time, events.position[event_row], is_around_body)

    return [event(before, float(until[before]) - loop_duration), event(after, float(until[after]))]


def _time_to_throw(events: Events, row: int, loop_duration: float) -> float:
    """The time from a point to the throw to which it belongs, [s].

    That is the next throw if the hand carries a prop: 0 or above. Else it is the last throw, which
    left the hand empty: below 0. It is 0 if the hand throws nothing.

    Args:
        events: events of a loop, at times from its start, [s].
        row: index of the point among the events.
        loop_duration: duration of the loop, [s].
    """
    times = events.time[(events.hand == events.hand[row]) & (events.kind == EventKind.THROW)]
    if not len(times):
        return 0.0
    until = (times - events.time[row]) % loop_duration
    # Of all throws the last one comes again the latest, and it was one loop before that.
    if events.kind[row] == EventKind.HOLD:
        return float(until.min())
    return float(until.max()) - loop_duration


class _HeldChange(NamedTuple):
    """An event of a hand that changes how many props it holds.

    Attributes:
        time: since the start of the loop, [s].
        props_added: −1 for a throw, 1 for a catch.
        position: the position of the hand, as in `Events`, [m].
    """

    time: float
    props_added: int
    position: Floats


@dataclass(frozen=True)
class HandTimes:
    """When each hand throws and catches in a loop.

    Args:
        times: for each hand, the times of its throws and catches in ascending order, [s] since the
            start of the loop.
        held: for each hand, how many props it holds right after each of these.
        positions: for each hand, where it is at each of these, as in `Events`, [m].
        loop_duration: the duration of the loop, [s].
    """

    times: tuple[list[float], ...]
    held: tuple[list[int], ...]
    positions: tuple[list[Floats], ...]
    loop_duration: float

    @classmethod
    def from_ring(cls, ring: TossRing) -> HandTimes:
        """Return the times of all hands in a ring of tosses.

        A ring is the tosses of one loop of a pattern, which repeat; a toss is a throw or a hold of
        one prop, with its flight if it has one. Props put down count as thrown, as they leave the
        hand; props picked up count as caught.

        Args:
            ring: the ring whose flights have their times.

        Returns:
            For each hand the times, counts of props in it and positions of its throws and catches
            in the order of time, [s] since the start of the loop.
        """
        hands = range(2 * ring.pattern.jugglers)
        changes: list[list[_HeldChange]] = [[] for _hand in hands]
        held_at_start = [0 for _hand in hands]
        for toss in ring.tosses:
            thrower = hand_of(toss.throw)
            catcher = catching_hand(toss.throw)
            # A prop is in a hand at the start of the loop if the loop ends while it is carried: as
            # often as it ends up to the prop's next throw, less how often up to its catch. By the
            # beats of all throws and holds it ends `landing // period` times. The times of flights
            # correct that: a prop may be caught after the end, or thrown before the start.
            held_at_start[catcher] += toss.landing // ring.pattern.period
            if toss.flight and not toss.throw.held:
                throw_loop, thrown = divmod(toss.flight.throw_time - ring.start_time, ring.duration)
                catch_loop, caught = divmod(toss.flight.catch_time - ring.start_time, ring.duration)
                held_at_start[thrower] += int(throw_loop)
                held_at_start[catcher] -= int(catch_loop)
                changes[thrower].append(_HeldChange(thrown, -1, toss.flight.start))
                changes[catcher].append(_HeldChange(caught, 1, toss.flight.end))

        # By time; at equal times throws before catches. The positions are left out of the key,
        # since arrays cannot be compared.
        for changes_of_hand in changes:
            changes_of_hand.sort(key=lambda change: (change.time, change.props_added))
        held = []
        for changes_of_hand, at_start in zip(changes, held_at_start, strict=True):
            props_added = (change.props_added for change in changes_of_hand)
            # `accumulate` also gives the count before all events, first: it is left out.
            held.append(list(accumulate(props_added, initial=at_start))[1:])
        times = tuple([change.time for change in of_hand] for of_hand in changes)
        positions = tuple([change.position for change in of_hand] for of_hand in changes)
        return cls(times, tuple(held), positions, ring.duration)

    def fitting(
        self, points: Iterable[tuple[Waypoint, Sequence[HandEvent]]], start_time: float
    ) -> Iterator[Waypoint]:
        """Yield those of some points that hands can pass as in the pattern from which they come.

        A point is a position through which a hand goes between throws and catches. `fits` checks
        that the hand is as empty or full there as it should be, that there is time to come from the
        event before it and to go on to the event after it, and that these are as in the pattern.

        Args:
            points: each with the events (throws and catches) of its hand before and after it in the
                pattern from which it comes, or with none; at absolute times, [s].
            start_time: the absolute time at which the loop starts, [s].

        Yields:
            The fitting points in the given order, at times since the start of the loop, from 0 to
            its duration, [s].
        """
        for point, neighbours in points:
            # A point may lie in any round of the loop: this is when that round starts.
            round_start = (
                start_time + (point.time - start_time) // self.loop_duration * self.loop_duration
            )
            moved = point._replace(time=point.time - round_start)
            events = [event._replace(time=event.time - round_start) for event in neighbours]
            if self.fits(moved, events):
                yield moved

    def resting(
        self, rests: Sequence[tuple[float, float]], points: Sequence[Waypoint]
    ) -> list[Waypoint]:
        """Return positions at rest for hands that do nothing for long; so no hand swings then.

        Times are since the start of the loop, [s]; positions come hand by hand.

        Args:
            rests: start and end of each time in which hands rest; start and end may be equal.
            points: points that hands pass anyway; near these in time, no position at rest is added.
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
        later = (first.time - second.time) % self.loop_duration
        return min(later, self.loop_duration - later)

    def _rests_in_gaps(self, rests: Sequence[tuple[float, float]]) -> Iterator[Waypoint]:
        """Yield positions at rest in the long gaps between events of each hand.

        A gap of `_SHORTEST_GAP` or more, [s], gets two positions at least, more the longer it is,
        at even intervals of `_REST_STEP` or less, from `_REST_AFTER` after its beginning until
        `_REST_BEFORE` before its end, all in [s]. A position is the usual place of the hand at
        rest. Hands without any event are left out, as they rest anyway.

        Args:
            rests: start and end of each time in which hands rest, [s] since the start of the loop.
                A gap of a hand gets positions only if the middle of a rest lies in it.
        """
        positions = rest_positions(len(self.times) // 2)
        for hand, times in enumerate(self.times):
            if not times:
                continue
            # A gap is known by the index of the event after it, which is the number of events for
            # that after the last. A set, since several of the rests may be in one gap.
            gaps = {bisect_right(times, (start + end) / 2) for start, end in rests}
            for following in sorted(gaps):
                before, after = (event.time for event in self._events_around(hand, following))
                if after - before < _SHORTEST_GAP:
                    continue
                kind = EventKind.HOLD if self.held[hand][following - 1] else EventKind.MOVE
                point_count = 2 + int((after - before) / _REST_STEP)
                moments = np.linspace(before + _REST_AFTER, after - _REST_BEFORE, point_count)
                for time in moments.tolist():
                    yield Waypoint(time % self.loop_duration, hand, int(kind), positions[hand])

    def fits(self, point: Waypoint, neighbours: Sequence[HandEvent]) -> bool:
        """Whether a hand can pass a point as it does in the pattern from which the point comes.

        Three conditions must hold. The hand carries something there if and only if it should. It
        has time to come from its event before and to go on to that after, where these are not the
        same as in the pattern. And the throw to which the point belongs is made as in the pattern,
        where `neighbours` say which one that is.

        Args:
            point: a point at a time since the start of the loop, [s].
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
        # Without events to compare with, time is all that counts.
        if not neighbours:
            return before.leaves_time(point) and after.leaves_time(point)
        before_in_pattern, after_in_pattern = neighbours
        before_is_same = before.is_like(before_in_pattern, _SAME_TIME)
        after_is_same = after.is_like(after_in_pattern, _SAME_TIME)

        # The event on one side of the point is the throw to which it belongs: that after it where
        # the hand carries a prop, else that before it. The throw must be the same as in the
        # pattern, though it may have been moved a little in time, hence the larger tolerance. On
        # the other side is a catch. If that is the same catch around a body, the point is on the
        # way of the hand around the body, and is needed whatever the throw is.
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
        """The events of a hand before and after a time, at times since the start of the loop, [s].

        Args:
            hand: 2 · juggler + side; it must have at least one event.
            following: index of the first event after that time; the number of events if that is in
                the next loop.
        """
        times = self.times[hand]
        positions = self.positions[hand]
        # Events wrap around. Before the first is the last one (index -1), in the loop before, so it
        # is earlier by the duration; after the last is the first one, later by the duration.
        wrapped = following % len(times)
        before_time = times[following - 1] - (0.0 if following else self.loop_duration)
        after_time = times[wrapped] + (0.0 if wrapped == following else self.loop_duration)
        return (
            HandEvent(before_time, positions[following - 1]),
            HandEvent(after_time, positions[wrapped]),
        )
