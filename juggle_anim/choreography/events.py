"""The table of events: throws and catches of a timed pattern, and waypoints of hands between
them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import cycle
from math import inf
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography.body_throws import FEET_CHANGE, LONGEST_FLIGHT, BodyThrow
from juggle_anim.choreography.dwell import MIN_CARRY, MIN_EMPTY, Site, Timing, next_release
from juggle_anim.choreography.hand_points import (
    MIN_WAYPOINT_GAP,
    SLOWEST_BEAT,
    BodyThrowOfSite,
    BodyThrowSites,
    HandPoints,
    HandSpan,
    HandWaypoint,
    fastest_tempo,
    other_hand_offsets,
    other_hand_points,
    waiting_points,
    waypoints_around_bodies,
)
from juggle_anim.choreography.manners import (
    USUAL,
    Manner,
    foot_changes,
    manners_of_throws,
    standing_foot,
)
from juggle_anim.choreography.places import HAND_HEIGHT, HandStyle, mean_point, to_body_frame
from juggle_anim.choreography.score import (
    AIR,
    CATCH,
    HOLD,
    MOVE,
    THROW,
    USUAL_PATH,
    BodyThrows,
    Catches,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    HandMoves,
    Point,
    PropOrbit,
    orbits_of_flights,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import (
    RIGHT,
    Orbit,
    Pattern,
    Throw,
    Turn,
    catching_hand,
    grouped,
    hand_of,
    juggler_of_hand,
    other_hand_of,
)


@dataclass(frozen=True)
class BounceChanges:
    """Throws that bounce otherwise than is written, by their indices in the pattern.

    Args:
        caught_late: throws that are caught only `LATE_DWELL` before they are thrown again.
        restyled: those of `caught_late` that fly in another style than is written, with this style.
        unbounced: throws that do not bounce.
    """

    caught_late: frozenset[int] = frozenset()
    restyled: Mapping[int, FlightStyle] = field(default_factory=dict)
    unbounced: frozenset[int] = frozenset()


AS_WRITTEN = BounceChanges()
"""No changes: all throws bounce as is written."""


_KINDS = tuple(EventKind)


_Event = tuple[float, int, int]
"""The key of an event in the table: its time, in units of the pattern, from 0 up to but without the
period; its hand, 2 · juggler + side; and its kind, of `EventKind`.
"""

EventRanks = dict[_Event, int]
"""The row of each event of the table among its events sorted by time."""


class FlightEnd(NamedTuple):
    """The throw or the catch of a flight.

    Attributes:
        juggler: index of the juggler who throws or catches.
        time: within the loop, in units of the pattern.
        height: of the hand above the juggler's feet, [m].
    """

    juggler: int
    time: float
    height: float


class EventTable:
    """Events of a pattern, unsorted; throws that leave one hand together are one event.

    Times are in units of the pattern, of which `pattern.division` make a beat.
    """

    def __init__(
        self,
        pattern: Pattern,
        timing: Timing,
        *,
        hands: HandMoves | None,
        style: HandStyle,
        dwell: float,
        catch_words: Catches,
        throw_words: BodyThrows,
        spins: Sequence[float | None],
        prop_kind: str,
        bounces: BounceChanges,
    ) -> None:
        """Collect the points and manners of all throws and catches, and of the text's waypoints.

        They are stored by event in `_points` and `_manners`. A waypoint is a point that a hand
        passes with neither a throw nor a catch. The order of the steps matters: the points of hands
        depend on the manners, and the events on both and on the room for stacks.

        Args:
            pattern: what is juggled; `sites` has the hand (2 · juggler + side; 0 left, 1 right)
                and beat of each throw, `landings` the index of the throw that its prop makes next.
            timing: when each throw leaves its hand and is caught, in units of the pattern, of which
                `division` make a beat; and which throws are holds.
            hands: the paths of hands that the text gives; None for those of the style.
            style: where hands throw and catch if the text does not say.
            dwell: time from a catch to the next throw of hands that catch nothing and only move as
                if they did, [beats].
            catch_words: words for how hands catch, by side; each hand's catches take them in turn.
            throw_words: words for how hands throw, by juggler; each juggler's turns take them in
                turn.
            spins: turns of clubs in the air, by turn of hands; None for as many as usual.
            prop_kind: the kind of all props; "" if they differ.
            bounces: which throws bounce in another way than the text says.
        """
        self.bounces = bounces
        self.pattern = pattern
        self.timing = timing
        self.dwell = dwell * pattern.division  # in units of the pattern
        # Spins are listed in the order of the turns; a list that is too short begins again.
        self._spins: dict[Turn, float | None] = dict(zip(pattern.turns, cycle(spins), strict=False))
        self._style = style

        # Each flight is a throw that is no hold. Here is its index in the pattern; lists "by
        # flight" below are in this order.
        self.throw_of_flight = timing.flown
        self.bouncing = frozenset(
            throw_index
            for throw_index in self.throw_of_flight
            if pattern.throws[throw_index].bounces
        )
        # For each throw how the throwing and the catching hand do it: which way the palm faces, and
        # where the hand goes, if around the body.
        self._throw_manners, self._catch_manners = manners_of_throws(
            pattern, timing, catch_words, throw_words, prop_kind
        )
        # Room for stacks (several equal throws from one hand at once) moves throws and catches
        # apart. Juggling Lab does not do this, so its style has no rooms.
        self._stack_rooms = {} if style.as_juggling_lab else stack_rooms(pattern, timing, prop_kind)
        # `body_throw_sites`, the hands and beats of throws and catches around the body, is found
        # from the manners above.
        self.points = (
            HandPoints(pattern, style.raised(hands), self.body_throw_sites) if hands else None
        )

        # All points of each event, as several props may share it, and its manner where that is not
        # the usual one.
        self._points: dict[_Event, list[Point]] = {}
        self._manners: dict[_Event, Manner] = {}
        # The events of the throw and the catch of each flight, two lists by flight.
        self._throw_events = self._enter_throws()
        self._catch_events = self._enter_catches()

        # Throws and catches whose points the text gives, which body throws must not displace.
        self._events_at_written_points: set[_Event] = set()
        if self.points:
            self._enter_paths_of_text(self.points)

    def _enter_throws(self) -> list[_Event]:
        """Enter the throws of all flights into `_points` and `_manners`; return them by flight."""
        return [
            self._enter_event(
                time=self.timing.throw[throw_index],
                hand=self.pattern.sites[throw_index][0],  # a site is a hand and a beat
                kind=THROW,
                manner=self._throw_manners[throw_index],
                point=self._throw_point(throw_index),
            )
            for throw_index in self.throw_of_flight
        ]

    def _enter_catches(self) -> list[_Event]:
        """Enter the catches of all flights into `_points` and `_manners`; return them by flight."""
        # The point of each catch, by the index of its throw in the pattern.
        catch_points = self._catch_points()
        sites = self.pattern.sites
        return [
            self._enter_event(
                time=self.timing.catch[throw_index],
                # A prop is caught by the hand that throws it next.
                hand=sites[self.pattern.landings[throw_index]][0],
                kind=CATCH,
                manner=self._catch_manners[throw_index],
                point=catch_points[throw_index],
            )
            for throw_index in self.throw_of_flight
        ]

    def events(self, rate: float) -> tuple[EventRanks, Events]:
        """Return the E events sorted by time, and the row of each.

        Events at one time are sorted by hand and then by kind. A unit of the pattern is a beat, or
        the part of one in which the pattern counts.

        Args:
            rate: tempo, units of the pattern per second.

        Returns:
            For each event of the table its row among the sorted events; and these, with times in
            seconds and positions in body frames.
        """
        points_of_event = self._points_with_waypoints(rate)
        sorted_events = sorted(points_of_event)
        times, hands, kinds = zip(*sorted_events, strict=True) if sorted_events else ((), (), ())
        time = np.array(times, dtype=float) / rate
        hand = np.array(hands, dtype=np.intp)
        kind = np.array(kinds, dtype=np.intp)
        row_of_event = {event: row for row, event in enumerate(sorted_events)}
        # Props thrown or caught together share an event at the mean of their points.
        points: Sequence[Point] | Floats
        points = [mean_point(points_of_event[event]) for event in sorted_events]
        if not self._manners:
            return row_of_event, Events(time, hand, kind, position=to_body_frame(points, hand))

        # Manners, shape (E, 2): the grasp, and the row of the body throw in its table, which as in
        # `Events` is 0 for a usual throw, catch or waypoint.
        manners = np.array(
            [self._manners.get(event, USUAL) for event in sorted_events], dtype=np.intp
        )
        _grasps, body_throw_rows = manners.T

        # While one hand makes a body throw, the juggler's other hand throws and catches elsewhere.
        # Points that the text gives are not displaced.
        if body_throw_rows.any():
            offsets = other_hand_offsets(
                time=time,
                hand=hand,
                kind=kind,
                body_throw_rows=body_throw_rows,
                loop=self.pattern.period / rate,
            )
            is_at_written_point = [
                event in self._events_at_written_points for event in sorted_events
            ]
            offsets[is_at_written_point] = 0.0
            points = np.add(points, offsets)
        events = Events(time, hand, kind, position=to_body_frame(points, hand))
        return row_of_event, events.with_manners(manners)

    def flights(self, row_of_event: EventRanks, rate: float) -> Flights:
        """Return the flights of the throws that are not holds, in the order of the pattern.

        A unit of the pattern is a beat, or the part of one in which the pattern counts.

        Args:
            row_of_event: row of each event among the sorted events, as `events` returns it.
            rate: tempo, units of the pattern per second.

        Returns:
            Arrays of shape (F,) for F flights: the rows of their throws and catches among the
            sorted events; their durations, and the carries after them (how long the catching hand
            keeps the prop), [s]; and their styles (bounces and spin).
        """
        return Flights(
            throw=np.array([row_of_event[event] for event in self._throw_events], dtype=np.intp),
            catch=np.array([row_of_event[event] for event in self._catch_events], dtype=np.intp),
            duration=self.durations / rate,
            carry=np.array(self._carries, dtype=float) / rate,
            style=self.styles,
        )

    def tempo_for_body_throws(self, usual_bps: float) -> float:
        """Return the tempo that leaves time for the body throws of the pattern, [beats/s].

        It is `usual_bps` or slower, and equal to it without body throws. Body throws, paths of
        hands, flights and changes of feet each set an upper limit; but the tempo is not lowered so
        far that the longest flight takes more than `LONGEST_FLIGHT` seconds.

        Args:
            usual_bps: the tempo at which the pattern would usually be juggled, [beats/s].
        """
        if not self._has_body_throws:
            return usual_bps
        # People make body throws only at some share of the usual tempo, their `tempo`, from 0 to 1.
        manners = self._throw_manners + self._catch_manners
        tempo_shares = [manner.body_throw.tempo for manner in manners if manner.body_throw]
        division = self.pattern.division
        thrown, caught = self._body_throws_of_sites()
        fastest = min(
            usual_bps * min(tempo_shares),
            # From one turn to the next, a hand needs time to get around the body and back.
            fastest_tempo(self.spans(), thrown, caught, beat_length=division),
            # A prop needs time in the air to fly over the body.
            self._fastest_for_flights(),
            # A foot has to be put down before the other is lifted.
            self._fastest_for_feet(),
        )
        # The tempo at which the longest flight takes `LONGEST_FLIGHT` seconds is a lower limit, but
        # never a reason to juggle faster than usual.
        longest_flight_beats = float(self.durations.max(initial=0.0)) / division
        slowest = longest_flight_beats / LONGEST_FLIGHT
        return min(usual_bps, max(fastest, slowest))

    def _fastest_for_flights(self) -> float:
        """Highest tempo at which flights are long enough for body throws, [beats/s].

        A prop that is thrown or caught around the body must fly for a least time, [s], to come over
        the body. With the beats of its flight this limits the tempo. Infinite without such flights.
        """
        fastest = inf
        # For each flight the index of its throw, and its duration, in units of the pattern (beats,
        # or parts of one).
        for throw_index, duration in zip(
            self.throw_of_flight, self.durations.tolist(), strict=True
        ):
            throw = self.pattern.throws[throw_index]
            is_to_same_hand = hand_of(throw) == catching_hand(throw)
            # How it is thrown and how it is caught. A flight for which both are around the body
            # needs the longer time.
            for manner in (self._throw_manners[throw_index], self._catch_manners[throw_index]):
                if manner.body_throw:
                    # The least times of flights to the other and to the same hand, 0 for any time.
                    to_other_hand_s, to_same_hand_s = manner.body_throw.flies
                    least_s = to_same_hand_s if is_to_same_hand else to_other_hand_s
                    if least_s:
                        fastest = min(fastest, duration / self.pattern.division / least_s)
        return fastest

    def _fastest_for_feet(self) -> float:
        """Highest tempo with time to change feet between throws on one foot, [beats/s].

        From a throw on one foot (under a leg) to the juggler's next on the other, `FEET_CHANGE`
        seconds are needed. Infinite if nobody has to change feet.
        """
        period = self.pattern.period
        stances = []
        for throw_index in self.throw_of_flight:
            throw = self.pattern.throws[throw_index]
            time = self.timing.throw[throw_index] % period
            foot = standing_foot(self._throw_manners[throw_index].body_throw, throw.hand)
            stances.append((throw.juggler, time, foot))
        # Two such throws at the very same time lift both legs: the juggler hops, which no tempo
        # avoids, so they set no limit.
        changes = [change for change in foot_changes(stances, period) if change > 0]
        return min(changes, default=inf) / self.pattern.division / FEET_CHANGE

    @cached_property
    def durations(self) -> Floats:
        """Time from throw to catch by flight, in units of the pattern."""
        timing = self.timing
        return np.array(
            [
                timing.catch[throw_index] - timing.throw[throw_index]
                for throw_index in self.throw_of_flight
            ],
            dtype=float,
        )

    def flight_ends(self, flight: int) -> tuple[FlightEnd, FlightEnd]:
        """Return juggler, time and height of the throw and of the catch of a flight.

        Args:
            flight: index in `throw_of_flight`, not of the throw in the pattern.
        """
        throw_event = self._throw_events[flight]
        catch_event = self._catch_events[flight]
        return self._flight_end(throw_event), self._flight_end(catch_event)

    def _flight_end(self, event: _Event) -> FlightEnd:
        """Return juggler, time and height of a throw or catch."""
        # Props thrown or caught together leave or arrive at the mean of their points, whose height
        # counts from the usual height of hands.
        _outward, up, _forward = mean_point(self._points[event])
        time, hand, _kind = event
        return FlightEnd(juggler=juggler_of_hand(hand), time=time, height=HAND_HEIGHT + up)

    def style(self, throw_index: int) -> FlightStyle:
        """Return the style of a flight: number of bounces, how it is thrown and caught, and spin.

        It is the style that the pattern has, unless `bounces` gives the throw another style, or
        takes its bounce away.

        Args:
            throw_index: index of the throw in the pattern; not a hold.
        """
        if throw_index in self.bounces.restyled:
            # A whole style that was computed from the written one, spin included.
            return self.bounces.restyled[throw_index]
        throw = self.pattern.throws[throw_index]
        spin = self._spins.get(throw.turn)  # turns; None for as many as usual
        if not throw.bounces or throw_index in self.bounces.unbounced:
            return FlightStyle(spin=spin)
        # `bounce_style` is "lift" or "force", perhaps with "hyper". A forced bounce rises above the
        # hand and is caught falling; a lifted one is caught while it still rises. "hyper" exchanges
        # the two.
        forced = "force" in throw.bounce_style
        hyper = "hyper" in throw.bounce_style
        falling = not forced if hyper else forced
        return FlightStyle(bounces=throw.bounces, forced=forced, falling=falling, spin=spin)

    @cached_property
    def styles(self) -> tuple[FlightStyle, ...]:
        """The style of each flight; empty if all are `AIR`."""
        if not self.bouncing and not self._spins:
            return ()
        styles = tuple([self.style(throw_index) for throw_index in self.throw_of_flight])
        return () if all(style == AIR for style in styles) else styles

    def orbits(self) -> tuple[PropOrbit, ...]:
        """Return the orbits of the pattern, in the same order, as lists of flights.

        Flights are the throws that are no holds, numbered in the order of the pattern.
        """
        return orbits_of_flights(
            self.pattern,
            {throw_index: flight for flight, throw_index in enumerate(self.throw_of_flight)},
        )

    def loops_to_first_flight(self) -> list[int]:
        """Return for each orbit how many loops after this one its first flight begins, usually 0.

        An orbit is the closed path that its props share, one loop apart. It begins with a throw of
        this loop, which may be a hold; the prop of that hold then flies in this or a later loop. A
        first throw that leaves before its beat, and so before the start of the loop, gives −1. An
        orbit without flights gets 0.

        Looks (kinds, sizes and colours) are assigned to props in the order of their first throws,
        holds included, but a choreography numbers props by their first flights; the results convert
        one to the other.
        """
        return [self._loops_to_first_flight_of(orbit) for orbit in self.pattern.orbits]

    def _loops_to_first_flight_of(self, orbit: Orbit) -> int:
        """Return how many loops after this one the first flight of an orbit begins.

        An orbit is the closed path that some props share, one loop apart. It is 0 for an orbit of
        holds only.
        """
        # Follow the prop that makes the orbit's first throw or hold in this loop: a throw's value
        # is the time until its next one. Its beat counts on beyond the loop. Holds are passed over
        # until the first flight.
        beat = self.pattern.throws[orbit.throws[0]].beat
        for throw_index in orbit.throws:
            throw = self.pattern.throws[throw_index]
            if not self.timing.is_hold[throw_index]:
                delay = self.timing.throw[throw_index] - throw.beat  # below 0 for an early throw
                return int((beat + delay) // self.pattern.period)
            beat += throw.value
        return 0

    def spans(self) -> list[HandSpan]:
        """Return the time span from each turn of a hand to that hand's next turn, unsorted."""
        # Without paths in the text, the usual path stands for all of them: spans use no points.
        points = self.points or HandPoints(self.pattern, HandMoves("", ((USUAL_PATH,),)))
        return list(points.spans(self._throw_time, self._catch_times))

    def _enter_event(
        self, time: float, hand: int, kind: int, manner: Manner, point: Point
    ) -> _Event:
        """Enter one prop's throw or catch into the table, and return the key of its event.

        Props that are thrown or caught at one time by one hand share an event, which has one manner
        only: a grasp (palm up or down) and the way around the body, if any. If their manners
        differ, the event gets the greatest, as manners compare: palm down is greater than palm up,
        and with the same grasp the later row in the table of body throws is greater. So the usual
        manner gives way to any other, and the order of entry does not matter. A unit of the pattern
        is a beat, or the part of one in which the pattern counts.

        Args:
            time: time in units of the pattern, in any loop, rounded as in `Timing`.
            hand: 2 · juggler + side (0 left, 1 right).
            kind: `EventKind.THROW` or `EventKind.CATCH`.
            manner: how the hand throws or catches this prop.
            point: where it does so: outward, up and forward of the midpoint between the hands at
                rest, [m].
        """
        if not 0.0 < time < self.pattern.period:
            time = self._time_in_loop(time)
        event = time, hand, kind
        if manner != USUAL:
            self._manners[event] = max(manner, self._manners.get(event, USUAL))
        self._points.setdefault(event, []).append(point)
        return event

    def _enter_paths_of_text(self, points: HandPoints) -> None:
        """Enter the waypoints of the text's paths, and mark events whose points the text gives.

        A waypoint is a point that a hand passes between throws and catches.

        Args:
            points: the paths of hands that the text gives.
        """
        sites = self.pattern.sites
        for throw_index, throw_event, catch_event in zip(
            self.throw_of_flight, self._throw_events, self._catch_events, strict=True
        ):
            if points.thrown_from(sites[throw_index]):
                self._events_at_written_points.add(throw_event)
            if points.caught_at(sites[self.pattern.landings[throw_index]]):
                self._events_at_written_points.add(catch_event)
        for waypoint in points.waypoints(self._throw_time, self._catch_times):
            self._add_waypoint(self._points, waypoint)

    def _time_in_loop(self, time: float) -> float:
        # Times that differ only by rounding errors become equal. The second remainder is for those
        # that are rounded up to the period itself.
        return round(time % self.pattern.period, 9) % self.pattern.period

    def _throw_point(self, throw_index: int) -> Point:
        """Return the point at which a throw leaves its hand, in the frame of its juggler.

        A manner is a grasp (palm up or down) and, if any, the way around the body. The point is the
        first of these that there is:

        - the point that the text of the pattern gives;
        - the point of the throw's manner, such as a claw or a throw behind the back, which may
          depend on the last one;
        - the point of the style of juggling, farther forward if the throw has to pass in front of
          props that the other hand throws at once.

        Args:
            throw_index: index of the throw in the pattern.

        Returns:
            Outward, up and forward of the midpoint between the hands at rest, [m].
        """
        if self.points:
            written = self.points.thrown_from(self.pattern.sites[throw_index])
            if written is not None:
                return written
        throw = self.pattern.throws[throw_index]
        beats = throw.value / self.pattern.division
        # Sides of hands count here, not jugglers: a pass from a right hand to a right hand leaves
        # from where a throw to the same hand does.
        point = self._style.throw_point(beats, crosses=throw.hand != throw.to_hand)
        room = self._stack_rooms.get(throw_index)
        if room:
            outward, up, forward = point
            point = outward, up, forward + room.forward
        return self._throw_manners[throw_index].point(point)

    def _catch_points(self) -> dict[int, Point]:
        """Return the point where each throw that is no hold is caught, by its index in the pattern.

        Throws that land in one hand on one beat share a point: the one that the text gives, or else
        the mean of the points where each alone would be caught. Points are outward, up and forward
        of the midpoint between the hands at rest, [m].
        """
        points: dict[int, Point] = {}
        # By site, a hand and a beat, the indices of the throws that land there.
        for site, landing_throws in self.timing.arrivals.items():
            point = self.points.caught_at(site) if self.points else None
            if point is None:
                point = mean_point(
                    [self._catch_point(throw_index) for throw_index in landing_throws]
                )
            for throw_index in landing_throws:
                points[throw_index] = point
        return points

    def _catch_point(self, throw_index: int) -> Point:
        """Return the point where a throw would be caught if nothing else landed there.

        Args:
            throw_index: index of the throw in the pattern.

        Returns:
            Outward, up and forward of the midpoint between the hands at rest, [m].
        """
        # Where a throw of so many beats is caught in this style of juggling, in front of the body.
        outward, up, forward = self._style.catch_point(
            self.pattern.throws[throw_index].value / self.pattern.division
        )
        room = self._stack_rooms.get(throw_index)
        if room:
            # Props of stacks pass each other, so the catch is at least `span` farther outward than
            # the throw, and moved forward (or back, where negative) like the throw.
            thrown_outward, _up, _forward = self._throw_point(throw_index)
            outward = max(outward, thrown_outward + room.span)
            forward += room.forward

        # A prop that is thrown around the body comes down elsewhere, off by `lands`. If it is also
        # caught around the body, then only the manner of the catch says where.
        manner = self._catch_manners[throw_index]
        body_throw = self._throw_manners[throw_index].body_throw
        if body_throw and not manner.body_throw:
            offset_outward, offset_up, offset_forward = body_throw.lands
            outward += offset_outward
            up += offset_up
            forward += offset_forward
        return manner.point((outward, up, forward))

    @cached_property
    def _carries(self) -> list[float]:
        """How long the prop of each flight is carried after it, in units of the pattern."""
        return [self._carry_duration(throw_index) for throw_index in self.throw_of_flight]

    def _carry_duration(self, throw_index: int) -> float:
        """Time from the catch of a throw to the prop's next throw that is not a hold.

        It is in units of the pattern: beats, or parts of a beat.

        Args:
            throw_index: index of the throw in the pattern; not a hold.
        """
        throw = self.pattern.throws[throw_index]
        # Index of the prop's next throw that is not a hold, and the time of the holds before it.
        release, hold_time = next_release(self.pattern, self.timing.is_hold, throw_index)
        # The beat of that throw, counted as `timing.catch[index]` is: from the start of the loop of
        # this throw, and not modulo the loop.
        release_beat = throw.beat + throw.value + hold_time
        # `timing.throw` is relative to the loop of that throw; less the throw's beat in it, it
        # tells how late the throw leaves.
        return (
            release_beat
            + self.timing.throw[release]
            - self.pattern.throws[release].beat
            - self.timing.catch[throw_index]
        )

    def _add_waypoint(self, table: dict[_Event, list[Point]], waypoint: HandWaypoint) -> None:
        """Add a waypoint of a hand to a table, in place, unless the hand has an event at its time.

        The event is a `HOLD` if the hand carries a prop at that time, else a `MOVE`.

        Args:
            table: points of each event (time within the loop, hand and kind).
            waypoint: the hand, and the point that it passes at a time in any loop.
        """
        hand = waypoint.hand
        time = self._time_in_loop(waypoint.time)
        if any((time, hand, kind) in table for kind in _KINDS):
            return
        # The intervals in which the hand carries a prop, as start and length. They may run beyond
        # the end of the loop; the remainder takes care of that.
        carries = any(
            (time - start) % self.pattern.period < length
            for start, length in self._carry_intervals[hand]
        )
        table[time, hand, HOLD if carries else MOVE] = [waypoint.point]

    @cached_property
    def _has_body_throws(self) -> bool:
        """Whether any hand throws or catches around the body."""
        manners = {*self._throw_manners, *self._catch_manners}  # mostly one, the usual
        return any(manner.row for manner in manners)

    @cached_property
    def body_throw_sites(self) -> BodyThrowSites:
        """The sites (hand and beat) with throws and catches around the body.

        There are three sets: sites at which a hand throws around the body; sites of the throws
        before which it catches around the body; and sites of the throws before which it catches
        what was thrown from behind a body.
        """
        if not self._has_body_throws:
            return BodyThrowSites()
        thrown, caught = self._body_throws_of_sites()
        # Sites on which any of the props that land was thrown from behind a body.
        from_behind = set()
        for site, landing_throws in self.timing.arrivals.items():
            for throw_index in landing_throws:
                body_throw = self._throw_manners[throw_index].body_throw
                if body_throw and body_throw.from_behind:
                    from_behind.add(site)
        return BodyThrowSites(
            throws={site for site, body_throw in thrown.items() if body_throw},
            catches={site for site, body_throw in caught.items() if body_throw},
            from_behind=from_behind,
        )

    def _body_throws_of_sites(self) -> tuple[BodyThrowOfSite, BodyThrowOfSite]:
        """Return how hands throw and how they catch around the body, by site: a hand and a beat.

        Returns:
            For each site with a throw that flies, the way around the body in which the hand throws
            it; and for each site on which a prop lands, that in which the hand catches it. None
            stands for a usual throw or catch, in front of the body.
        """
        # A hand makes all its throws of a beat in the same way, and likewise its catches, so any of
        # them will do.
        thrown: dict[Site, BodyThrow | None] = {
            self.pattern.sites[throw_index]: self._throw_manners[throw_index].body_throw
            for throw_index in self.throw_of_flight
        }
        caught: dict[Site, BodyThrow | None] = {
            site: self._catch_manners[landing_throws[0]].body_throw
            for site, landing_throws in self.timing.arrivals.items()
        }
        return thrown, caught

    def _points_with_waypoints(self, rate: float) -> dict[_Event, list[Point]]:
        """Return the points of all events, followed by the waypoints that body throws need.

        These are waypoints on the way to and from body throws and catches, where the text gives no
        path; waypoints by which the juggler's other hand makes room; and waypoints where hands wait
        if there is time left.

        Args:
            rate: tempo, units of the pattern per second; below a certain tempo paths take the same
                time in seconds, not in beats.
        """
        table = dict(self._points)
        if not self._has_body_throws:
            return table
        # The beat by which the durations of paths are measured, in units of the pattern: a beat of
        # the pattern, but no more than `SLOWEST_BEAT` seconds, so that in slow patterns hands take
        # no longer around the body than they need.
        beat_length = min(self.pattern.division, SLOWEST_BEAT * rate)

        waypoints = self._waypoints_around_bodies(beat_length)
        waypoints_aside = self._other_hand_waypoints(waypoints, beat_length)
        for waypoint in (*waypoints, *waypoints_aside):
            self._add_waypoint(table, waypoint)

        # A hand waits in long gaps between the waypoints above and its other events. A point of
        # both kinds does not count as one that only makes room for the other hand.
        times_of_hand = grouped((hand, time) for time, hand, _kind in table)
        keys_around_bodies = self._times_and_hands(waypoints)
        keys_aside = self._times_and_hands(waypoints_aside)
        for waypoint in waiting_points(
            times_of_hand,
            waypoints=keys_around_bodies | keys_aside,
            waypoints_aside=keys_aside - keys_around_bodies,
            period=self.pattern.period,
            beat_length=beat_length,
        ):
            self._add_waypoint(table, waypoint)
        return table

    def _waypoints_around_bodies(self, beat_length: float) -> list[HandWaypoint]:
        """Return the waypoints of hands on their way to and from body throws and catches.

        Turns whose path in the text is marked as one around the body, and has more points than the
        throw and the catch, keep it and get none. A unit of the pattern is a beat, or the part of
        one in which the pattern counts. A waypoint is a point that a hand passes between throws and
        catches.

        Args:
            beat_length: duration of a beat, in units of the pattern.
        """
        path_of_site = self.points.paths if self.points else {}
        sites_with_path = {
            site
            for site, path in path_of_site.items()
            if path.goes_around_body and len(path.points) > 2
        }
        spans = [span for span in self.spans() if span.site not in sites_with_path]
        thrown, caught = self._body_throws_of_sites()
        return list(waypoints_around_bodies(spans, thrown, caught, beat_length))

    def _times_and_hands(self, waypoints: Iterable[HandWaypoint]) -> set[tuple[float, int]]:
        """The times of waypoints within the loop, in units of the pattern, and their hands."""
        return {(self._time_in_loop(waypoint.time), waypoint.hand) for waypoint in waypoints}

    def _other_hand_waypoints(
        self, waypoints: Iterable[HandWaypoint], beat_length: float
    ) -> list[HandWaypoint]:
        """Return waypoints by which hands make room while the juggler's other hand throws.

        They are left out where they would come too soon before or after an event of the hand or a
        waypoint of its own path around the body. A unit of the pattern is a beat, or the part of
        one in which the pattern counts. A waypoint is a point that a hand passes between throws and
        catches.

        Args:
            waypoints: waypoints of hands on their way to and from the body.
            beat_length: duration of a beat, in units of the pattern.
        """
        # Two dictionaries by hand, 2 · juggler + side, of times in units of the pattern.
        hands = range(2 * self.pattern.jugglers)
        event_times_of_hand: dict[int, list[float]] = {hand: [] for hand in hands}
        # Throws, catches, and the waypoints that the text gives.
        for time, hand, _kind in self._points:
            event_times_of_hand[hand].append(time)
        waypoint_times_of_hand: dict[int, list[float]] = {hand: [] for hand in hands}
        for waypoint in waypoints:
            waypoint_times_of_hand[waypoint.hand].append(waypoint.time)
        other_hand_waypoints: list[HandWaypoint] = []
        for (event_time, hand, _kind), manner in self._manners.items():
            other_hand = other_hand_of(hand)
            # Times and points; none if the event is not around the body.
            path = other_hand_points(
                manner.body_throw,
                time=event_time,
                busy_times=event_times_of_hand[other_hand],
                period=self.pattern.period,
                beat_length=beat_length,
            )
            other_hand_waypoints += [
                HandWaypoint(time, other_hand, point)
                for time, point in path
                if not self._is_near_any(
                    time, waypoint_times_of_hand[other_hand], MIN_WAYPOINT_GAP * beat_length
                )
            ]
        return other_hand_waypoints

    def _is_near_any(self, time: float, times: Iterable[float], distance: float) -> bool:
        """Whether a time is within `distance` of any of `times`, measured around the loop.

        A unit of the pattern is a beat, or the part of one in which the pattern counts.

        Args:
            time: time in any loop, in units of the pattern.
            times: other times, in the same units; may be empty.
            distance: in the same units.
        """
        period = self.pattern.period
        return any(
            min((time - event_time) % period, (event_time - time) % period) < distance
            for event_time in times
        )

    @cached_property
    def _carry_intervals(self) -> dict[int, list[tuple[float, float]]]:
        """The time intervals in which each hand carries a prop.

        For each hand, 2 · juggler + side (0 left, 1 right), pairs of the start of a carry, within
        the loop, and its duration, in units of the pattern. They are not sorted, may overlap, and
        may run beyond the end of the loop. A hand that never carries a prop has an empty list. A
        unit of the pattern is a beat, or the part of one in which the pattern counts.
        """
        intervals: dict[int, list[tuple[float, float]]] = {
            hand: [] for hand in range(2 * self.pattern.jugglers)
        }
        # A carry begins with the catch of a flight, and ends with the prop's next throw.
        for (time, hand, _kind), carry in zip(self._catch_events, self._carries, strict=True):
            intervals[hand].append((time, carry))
        # A prop that never flies is held for the whole loop.
        for orbit in self.pattern.orbits:
            if all(self.timing.is_hold[throw_index] for throw_index in orbit.throws):
                hand = hand_of(self.pattern.throws[orbit.throws[0]])
                intervals[hand].append((0.0, float(self.pattern.period)))
        return intervals

    @cached_property
    def _throw_times(self) -> dict[Site, float]:
        """When hands throw on beats with a throw that is no hold, in units of the pattern."""
        return {
            self.pattern.sites[throw_index]: self.timing.throw[throw_index]
            for throw_index in self.throw_of_flight
        }

    def _throw_time(self, site: Site) -> float:
        # A hand that throws nothing on the beat of its turn moves as if it threw on the beat.
        _hand, beat = site
        return self._throw_times.get(site, float(beat))

    def _catch_times(self, site: Site) -> list[float]:
        """Return the times at which a hand catches the props that it throws on a beat, ascending.

        They are in units of the pattern and relative to the loop of that beat, so they may be
        negative. Where nothing lands, the only time is that at which the hand would catch. A unit
        of the pattern is a beat, or the part of one in which the pattern counts. A site is a hand
        and a beat.

        Args:
            site: the hand, 2 · juggler + side (0 left, 1 right), and a beat of the loop that is one
                of its turns.
        """
        _hand, beat = site
        if site not in self.timing.arrivals:
            return [self._catch_time_without_prop(site)]
        return sorted(
            self._catch_time_before(throw_index, beat) for throw_index in self.timing.arrivals[site]
        )

    def _catch_time_without_prop(self, site: Site) -> float:
        """Return when a hand would catch before a turn on which no prop lands.

        A site is a hand and a beat. The empty hand moves as if it caught then. The time is in units
        of the pattern, relative to the loop of the turn's beat, so it may be negative.

        Args:
            site: the hand, 2 · juggler + side (0 left, 1 right), and the beat of its turn.
        """
        hand, beat = site
        division = self.pattern.division

        # The beat of the hand's previous turn. Before the first turn that is index −1, the last
        # turn of the loop before; its beat, relative to this loop, is below 0. A hand's only turn
        # is its own previous one.
        beats = self.pattern.beats_of_hands[hand]
        previous_beat_in_loop = beats[bisect_left(beats, beat) - 1]
        previous_beat = previous_beat_in_loop
        if previous_beat_in_loop >= beat:
            previous_beat -= self.pattern.period
        previous_throw_time = (
            self._throw_time((hand, previous_beat_in_loop)) + previous_beat - previous_beat_in_loop
        )

        # The hand would carry a prop for `dwell` until the beat. But it is empty for `MIN_EMPTY` at
        # least, so it carries for less than one beat if its previous turn is one beat before, and
        # for less than two otherwise; nor does it catch sooner after its previous throw.
        most_beats = 1.0 if beat - previous_beat <= division else 2.0
        longest_carry = (most_beats - MIN_EMPTY) * division
        catch_time = max(
            beat - min(self.dwell, longest_carry),
            previous_throw_time + MIN_EMPTY * division,
        )
        # In any case it catches `MIN_CARRY` or more before it throws.
        return min(catch_time, self._throw_time(site) - MIN_CARRY * division)

    def _catch_time_before(self, throw_index: int, beat: int) -> float:
        """Catch time of a throw that lands on a beat, relative to the loop of that beat.

        `timing.catch` is relative to the loop of the throw instead. Both are in units of the
        pattern.
        """
        throw = self.pattern.throws[throw_index]
        landing_beat = throw.beat + throw.value  # from the start of the loop of the throw
        return self.timing.catch[throw_index] - (landing_beat - beat)


_BALL_ROOM = 0.083  # m, between the middles of balls of the usual size that pass each other
_CLUB_ROOM = 0.12  # m, likewise

_BEATS_OF_HAND = 2.0  # beats, from a throw of a hand to its next


class StackRoom(NamedTuple):
    """How a throw of a stack is moved so that its prop collides with no other.

    Attributes:
        span: least distance from the throw outward to the catch, [m].
        forward: how far in front of the usual places it is thrown and caught, [m].
    """

    span: float = 0.0
    forward: float = 0.0


NO_ROOM = StackRoom()
"""The room of a throw that needs none."""


def stack_rooms(pattern: Pattern, timing: Timing, prop_kind: str) -> dict[int, StackRoom]:
    """Return how throws and catches are moved apart so that props of stacks do not collide.

    A stack is several equal throws (beat, hands and value) from one hand. If the pattern has none,
    no throw is moved. If it has one, throws to the same hand are caught farther outward. Where both
    hands of a juggler throw across at once, and either throws a stack, the right hand's props go in
    front. Passes are not moved.

    Args:
        pattern: the pattern that is juggled.
        timing: when throws are made and caught, in units of the pattern, and which are holds.
        prop_kind: the kind of all props, which decides the room; "" if they differ.

    Returns:
        The room of each throw but holds, by its index in the pattern: `span`, the least distance by
        which it is caught farther outward than it is thrown, and `forward`, how far in front it
        flies. `NO_ROOM` for throws that need neither. Empty if there is no stack.
    """
    # Least distance between the middles of props that pass each other, [m].
    spacing = _CLUB_ROOM if prop_kind == "club" else _BALL_ROOM
    # Stacks: equal throws, with the same beat, hands and value.
    copies_of_throw = Counter(pattern.throws[throw_index] for throw_index in timing.flown)
    stacks = {throw for throw, copies in copies_of_throw.items() if copies > 1}
    if not stacks:
        return {}

    # The turns of hands that throw to the juggler's other hand, and those with a stack among them.
    crossing_turns = {throw.turn for throw in copies_of_throw if _changes_hands(throw)}
    stack_turns = {throw.turn for throw in stacks if _changes_hands(throw)}

    # By hand and beat, how many props are thrown or held: what the hand has before it throws.
    props_in_hand = Counter(pattern.sites)
    rooms: dict[int, StackRoom] = {}
    for throw_index in timing.flown:
        throw = pattern.throws[throw_index]
        flight_beats = (timing.catch[throw_index] - timing.throw[throw_index]) / pattern.division
        rooms[throw_index] = NO_ROOM
        if hand_of(throw) == catching_hand(throw):
            # To the same hand: the prop comes down farther outward, beside rising props, by `span`,
            # which grows with the number of props and with the time of flight.
            prop_count = props_in_hand[pattern.sites[throw_index]]
            rooms[throw_index] = StackRoom(span=_column_span(prop_count, flight_beats, spacing))
        elif _changes_hands(throw):
            # If both hands throw across on one beat, and at least one throws a stack, then the
            # right hand's props fly in front of the left hand's.
            turn = throw.turn
            opposite_turn = throw.beat, throw.juggler, 1 - throw.hand
            throws_stack = turn in stack_turns or opposite_turn in stack_turns
            if opposite_turn in crossing_turns and throws_stack:
                rooms[throw_index] = StackRoom(forward=spacing if throw.hand == RIGHT else -spacing)
    return rooms


def _changes_hands(throw: Throw) -> bool:
    """Whether a throw goes to the other hand of the same juggler."""
    return throw.juggler == throw.to_juggler and throw.hand != throw.to_hand


def _column_span(prop_count: int, flight_beats: float, spacing: float) -> float:
    """Span from a throw outward to its catch by the same hand, so that props do not collide, [m].

    A falling prop passes the prop that its hand threw next, which rises, at the distance `spacing`.
    With h = `_BEATS_OF_HAND` beats from throw to throw, two equal flights of T beats are at one
    height when the earlier has gone (T/2 + h/2)/T of its way and the later (T/2 − h/2)/T. So they
    are h/T of the span apart sideways, and the span is spacing · T/h. That is for a hand with one
    or two props. Stacks of more props are wider, so the span grows by the same amount for every two
    further props, of which an odd one counts as two.

    Args:
        prop_count: number of props that the hand throws or holds on the beat of the throw.
        flight_beats: T, [beats].
        spacing: least distance between the middles of props that pass each other, [m].
    """
    pairs = (prop_count + 1) // 2
    return pairs * spacing * flight_beats / _BEATS_OF_HAND
