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
from juggle_anim.choreography import Choreography, EventKind, Events, rest_positions
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import catching_hand, hand_of
from juggle_anim.tosses.toss_ring import TossRing, Waypoint

_SHORTEST_GAP = 1.0  # s between two events of a hand; in less it does not rest
_REST_AFTER = 0.25  # s from the event before to the first point at rest
_REST_BEFORE = 0.2  # s from the last point at rest to the event after
_REST_STEP = 0.4  # s between points at rest
_CLEARANCE_OF_REST = 0.25  # s; least time between a point at rest and another point of the hand

_LEAST_TIME = 0.04  # s from an event to a point, at any distance
_MAX_SPEED = 2.5  # m/s from an event to a point, on the average
_EVENT_TOLERANCE = 0.01  # s; an event within this time of the pattern's event is the same
_THROW_TOLERANCE = 0.15  # s; the same for a throw, which may be moved to fit its neighbours
_POSITION_TOLERANCE = 0.05  # m; an event farther from the pattern's event is another one


class HandEvent(NamedTuple):
    """A throw or a catch of a hand.

    Attributes:
        time: time of the event, [s], since a start that the user chooses.
        position: the position of the hand then, as in `Events`, [m].
        around_body: whether the event is around the body; False also if unknown.
    """

    time: float
    position: Floats
    around_body: bool = False

    def coincides_with(self, other: HandEvent, tolerance: float) -> bool:
        """Whether another event is within a tolerance [s] in time and 5 cm in position."""
        distance = np.linalg.norm(self.position - other.position)
        return abs(self.time - other.time) < tolerance and bool(distance < _POSITION_TOLERANCE)

    def has_time_for(self, point: Waypoint) -> bool:
        """Whether there is time to go between this event and a point at `_MAX_SPEED` at most."""
        duration = abs(point.time - self.time)
        distance = np.linalg.norm(point.position - self.position)
        return duration > _LEAST_TIME and bool(distance < _MAX_SPEED * duration)


class PointOfLoop(NamedTuple):
    """A point that a hand passes in a choreography by itself.

    Attributes:
        point: the waypoint, at its time within the loop, [s].
        neighbours: the last event of the hand before and the next after it, at times since the
            point, [s]; empty if the hand throws and catches nothing.
        time_to_throw: time from the point to its throw, [s]. That is the next throw where the hand
            carries a prop, so 0 or above; else the last one, which left the hand empty, so below 0.
            It is 0 if the hand throws nothing.
    """

    point: Waypoint
    neighbours: list[HandEvent]
    time_to_throw: float


def points_of_loop(choreography: Choreography) -> Iterator[PointOfLoop]:
    """Yield the waypoints of hands in a choreography, each with the throws or catches around it.

    A waypoint is a point that a hand passes between throws and catches.

    Args:
        choreography: its events are throws, catches and the waypoints themselves, which are
            yielded in the order of the events.
    """
    events = choreography.events
    loop_duration = choreography.duration
    for waypoint in np.flatnonzero(~events.is_throw_or_catch).tolist():
        yield PointOfLoop(
            point=Waypoint(
                time=float(events.time[waypoint]),
                hand=int(events.hand[waypoint]),
                kind=int(events.kind[waypoint]),
                position=events.position[waypoint],
            ),
            neighbours=_neighbours(events, waypoint, loop_duration),
            time_to_throw=_time_to_throw(events, waypoint, loop_duration),
        )


def _neighbours(events: Events, waypoint: int, loop_duration: float) -> list[HandEvent]:
    """The last throw or catch of a hand before one of its waypoints, and the next one after it.

    A waypoint is a point that a hand passes between throws and catches.

    Args:
        events: events of a loop, at times from its start, [s].
        waypoint: index of the waypoint among the events.
        loop_duration: duration of the loop, [s].

    Returns:
        The event before and that after, at times since the waypoint, [s]: the first is below 0. If
        the hand has a single event in the loop, both are that event, a loop apart. Empty for a hand
        that neither throws nor catches.
    """
    events_of_hand = np.flatnonzero(
        (events.hand == events.hand[waypoint]) & events.is_throw_or_catch
    )
    if not len(events_of_hand):
        return []
    # Time from the waypoint until each event comes next, [s], from 0 to the loop. The event with
    # the longest such time has just been: it is the one before the waypoint, a loop earlier.
    time_until = (events.time[events_of_hand] - events.time[waypoint]) % loop_duration
    before = int(time_until.argmax())
    after = int(time_until.argmin())
    neighbours = []
    for nearest, time in ((before, time_until[before] - loop_duration), (after, time_until[after])):
        event = events_of_hand[nearest]
        is_around_body = bool(events.around_body[event])
        neighbours.append(HandEvent(float(time), events.position[event], is_around_body))
    return neighbours


def _time_to_throw(events: Events, waypoint: int, loop_duration: float) -> float:
    """Signed time from a waypoint to the throw to which it belongs, [s].

    A waypoint is a point that a hand passes between throws and catches. It belongs to the next
    throw if the hand carries a prop: the time is 0 or above. Else it belongs to the last throw,
    which left the hand empty: the time is below 0. It is 0 if the hand throws nothing.

    Args:
        events: events of a loop, at times from its start, [s].
        waypoint: index of the waypoint among the events.
        loop_duration: duration of the loop, [s].
    """
    is_throw_of_hand = (events.hand == events.hand[waypoint]) & (events.kind == EventKind.THROW)
    throw_times = events.time[is_throw_of_hand]
    if not len(throw_times):
        return 0.0
    time_until = (throw_times - events.time[waypoint]) % loop_duration
    carries_prop = events.kind[waypoint] == EventKind.HOLD
    # The last throw is the one that comes again the latest, and it was one loop before that.
    return float(time_until.min()) if carries_prop else float(time_until.max()) - loop_duration


class _CountChange(NamedTuple):
    """A throw or catch, which changes by one the number of props in a hand.

    Attributes:
        time: time since the start of the loop, [s].
        props_added: −1 for a throw, 1 for a catch.
        position: the position of the hand, as in `Events`, [m].
    """

    time: float
    props_added: int
    position: Floats


def _props_at_start(ring: TossRing) -> list[int]:
    """Count the props that each hand holds at the start of the loop of a ring of tosses.

    A ring is the tosses of one loop, which repeats; a toss is a throw or a hold of one prop. The
    beats of all tosses are in loop 0; loop 1 is the next. If a prop is caught in loop a and thrown
    again in loop b, its hand holds it at the start of b − a loops: a + 1, …, b. As every loop has
    the same catch again, the hand holds b − a such props at the start of any one loop. So the count
    of a hand is the sum of b − a over all tosses to it.

    Args:
        ring: all tosses of the loop, with the times of their flights.

    Returns:
        The counts by hand, 2 · juggler + side (0 left, 1 right).
    """
    prop_counts = [0] * (2 * ring.pattern.jugglers)
    for toss in ring.tosses:
        catcher = catching_hand(toss.throw)
        # b: the loop of the beat on which the prop is due to be thrown again.
        prop_counts[catcher] += toss.landing // ring.pattern.period
        if toss.flight and not toss.throw.held:
            # a: the loop of the catch. For a hold it is loop 0, and nothing is subtracted.
            prop_counts[catcher] -= int((toss.flight.catch_time - ring.start_time) // ring.duration)
            # The prop leaves the throwing hand at the time of the throw, not on its beat. If that
            # is before the start of loop 0, in loop −1, b was one too many.
            throw_loop = int((toss.flight.throw_time - ring.start_time) // ring.duration)
            prop_counts[hand_of(toss.throw)] += throw_loop
    return prop_counts


@dataclass(frozen=True)
class HandTimes:
    """When each hand throws and catches in a loop.

    Args:
        times: for each hand, the times of its throws and catches in ascending order, [s] since the
            start of the loop.
        prop_counts: for each hand, how many props it holds right after each of these.
        positions: for each hand, where it is at each of these, as in `Events`, [m].
        loop_duration: the duration of the loop, [s].
    """

    times: tuple[list[float], ...]
    prop_counts: tuple[list[int], ...]
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
        # For each hand, its throws and catches.
        changes: list[list[_CountChange]] = [[] for _hand in range(2 * ring.pattern.jugglers)]
        for toss in ring.tosses:
            if toss.flight and not toss.throw.held:
                flight = toss.flight
                throw_time = (flight.throw_time - ring.start_time) % ring.duration
                catch_time = (flight.catch_time - ring.start_time) % ring.duration
                changes[hand_of(toss.throw)].append(
                    _CountChange(throw_time, props_added=-1, position=flight.start)
                )
                changes[catching_hand(toss.throw)].append(
                    _CountChange(catch_time, props_added=1, position=flight.end)
                )

        prop_counts = []
        for changes_of_hand, at_start in zip(changes, _props_at_start(ring), strict=True):
            # By time; at equal times throws before catches. The positions are left out of the key,
            # since arrays cannot be compared.
            changes_of_hand.sort(key=lambda change: (change.time, change.props_added))
            props_added = (change.props_added for change in changes_of_hand)
            # `accumulate` also gives the count before all events, first: it is left out.
            prop_counts.append(list(accumulate(props_added, initial=at_start))[1:])
        return cls(
            times=tuple([change.time for change in changes_of_hand] for changes_of_hand in changes),
            prop_counts=tuple(prop_counts),
            positions=tuple(
                [change.position for change in changes_of_hand] for changes_of_hand in changes
            ),
            loop_duration=ring.duration,
        )

    def feasible_waypoints(
        self, points: Iterable[tuple[Waypoint, Sequence[HandEvent]]], start_time: float
    ) -> Iterator[Waypoint]:
        """Yield the waypoints of patterns that hands can also pass in this loop, by `can_pass`.

        A waypoint is a point that a hand passes between throws and catches.

        Args:
            points: waypoints, each with the throws or catches of its hand before and after it in
                the pattern from which it comes, or with none; at absolute times, [s].
            start_time: absolute time of the loop's start, [s].

        Yields:
            The feasible waypoints in the given order, at times since the start of the loop, from 0
            to its duration, [s].
        """
        for point, neighbours in points:
            # A point may lie in any repeat of the loop; this is when that one starts.
            repeat_start = (
                start_time + (point.time - start_time) // self.loop_duration * self.loop_duration
            )
            moved = point._replace(time=point.time - repeat_start)
            events = [event._replace(time=event.time - repeat_start) for event in neighbours]
            if self.can_pass(moved, events):
                yield moved

    def rest_waypoints(
        self, rests: Sequence[tuple[float, float]], points: Sequence[Waypoint]
    ) -> list[Waypoint]:
        """Return waypoints at the rest position of hands in long gaps, so that no hand swings.

        A waypoint is a point that a hand passes between throws and catches.

        Args:
            rests: start and end of each time in which hands rest, [s] since the start of the loop;
                start and end may be equal. A gap between two events of a hand gets waypoints if
                the middle of a rest lies in it.
            points: waypoints that hands pass anyway; near these in time none is added.

        Returns:
            The waypoints hand by hand, at times since the start of the loop, [s].
        """
        return [
            rest
            for rest in self._rests_in_gaps(rests)
            if not any(
                point.hand == rest.hand and self._time_between(point, rest) <= _CLEARANCE_OF_REST
                for point in points
            )
        ]

    def _time_between(self, first: Waypoint, second: Waypoint) -> float:
        """The time between two waypoints, in the shorter direction round the loop, [s]."""
        later = (first.time - second.time) % self.loop_duration
        return min(later, self.loop_duration - later)

    def _rests_in_gaps(self, rests: Sequence[tuple[float, float]]) -> Iterator[Waypoint]:
        """Yield waypoints at the rest position in the long gaps between events of each hand.

        A waypoint is a point that a hand passes between throws and catches, its events. A gap of
        `_SHORTEST_GAP` (1 s) or more gets two or more waypoints, at even intervals of `_REST_STEP`
        (0.4 s) or less. Before the first and after the last of them (`_REST_AFTER`, `_REST_BEFORE`)
        the hand has time for its way. Hands without any event are left out, as they rest anyway.

        Args:
            rests: start and end of each time in which hands rest, [s] since the start of the loop.
                A gap of a hand gets waypoints only if the middle of a rest lies in it.
        """
        positions = rest_positions(len(self.times) // 2)
        for hand, times in enumerate(self.times):
            if not times:
                continue
            # A gap is known by the index of the event after it, which is the number of events for
            # that after the last. A set, since several of the rests may be in one gap.
            gaps = {bisect_right(times, (start + end) / 2) for start, end in rests}
            for next_index in sorted(gaps):
                # Both times belong to one gap: where it goes around the loop, one of them is before
                # the loop begins or after it ends.
                before, after = (event.time for event in self._events_around(hand, next_index))
                if after - before < _SHORTEST_GAP:
                    continue
                # The props in the hand after the event before the gap; index −1 is the last event.
                carries_prop = self.prop_counts[hand][next_index - 1] > 0
                kind = int(EventKind.HOLD if carries_prop else EventKind.MOVE)
                point_count = 2 + int((after - before) / _REST_STEP)
                rest_times = np.linspace(before + _REST_AFTER, after - _REST_BEFORE, point_count)
                for time in rest_times.tolist():
                    yield Waypoint(time % self.loop_duration, hand, kind, positions[hand])

    def can_pass(self, point: Waypoint, neighbours: Sequence[HandEvent]) -> bool:
        """Whether a hand of this loop can pass a waypoint of a pattern as it does there.

        A waypoint is a point that a hand passes between throws and catches; these are the events of
        the hand. All of these conditions must hold:

        - The hand carries a prop at the waypoint if and only if it does so in the pattern.
        - It has time to come from its last event and to go on to its next one, where these are not
          the same as in the pattern.
        - The throw to which the waypoint belongs is made as in the pattern, if `neighbours` are
          given.

        Args:
            point: a waypoint at a time since the start of the loop, [s].
            neighbours: the hand's events before and after the waypoint in its pattern, at times
                since the start of the loop, [s]; empty if the hand has no events there.
        """
        times = self.times[point.hand]
        if not times:
            return False
        next_index = bisect_right(times, point.time)
        carries_prop = point.kind == EventKind.HOLD
        if carries_prop != (self.prop_counts[point.hand][next_index - 1] > 0):
            return False

        before, after = self._events_around(point.hand, next_index)
        # Without events to compare with, only time counts.
        if not neighbours:
            return before.has_time_for(point) and after.has_time_for(point)
        before_in_pattern, after_in_pattern = neighbours
        before_is_same = before.coincides_with(before_in_pattern, _EVENT_TOLERANCE)
        after_is_same = after.coincides_with(after_in_pattern, _EVENT_TOLERANCE)

        # The waypoint belongs to a throw: the event after it where the hand carries a prop, else
        # that before it. The throw must be the same as in the pattern, though it may have been
        # moved a little in time, hence the larger tolerance. The event on the other side is a
        # catch. If that is the same catch around a body, the waypoint is on the hand's way around
        # the body, and is needed with any throw.
        if carries_prop:
            same_throw = after.coincides_with(after_in_pattern, _THROW_TOLERANCE)
            same_catch = before_is_same and before_in_pattern.around_body
        else:
            same_throw = before.coincides_with(before_in_pattern, _THROW_TOLERANCE)
            same_catch = after_is_same and after_in_pattern.around_body
        if not (same_throw or same_catch):
            return False
        return (before_is_same or before.has_time_for(point)) and (
            after_is_same or after.has_time_for(point)
        )

    def _events_around(self, hand: int, next_index: int) -> tuple[HandEvent, HandEvent]:
        """The last event of a hand and its next one, at times since the start of the loop, [s].

        Args:
            hand: 2 · juggler + side (0 left, 1 right); it must have at least one event.
            next_index: index of the next event; the number of events if that is in the next loop.
        """
        times = self.times[hand]
        positions = self.positions[hand]
        # Events wrap around. Before the first is the last one (index -1), in the loop before, so it
        # is earlier by the duration; after the last is the first one, later by the duration.
        wrapped = next_index % len(times)
        before_time = times[next_index - 1] - (self.loop_duration if next_index == 0 else 0.0)
        after_time = times[wrapped] + (0.0 if wrapped == next_index else self.loop_duration)
        return (
            HandEvent(before_time, positions[next_index - 1]),
            HandEvent(after_time, positions[wrapped]),
        )
