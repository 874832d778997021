"""The table of events: throws and catches of a timed pattern, and waypoints of hands between
them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.around_body import FEET_CHANGE, LONGEST_FLIGHT
from juggle_anim.choreography.choreography import (
    AIR,
    CATCH,
    HOLD,
    MOVE,
    THROW,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    PropOrbit,
)
from juggle_anim.choreography.dwell import MIN_CARRY, MIN_EMPTY, Site, Timing
from juggle_anim.choreography.hand_points import (
    CLOSE,
    SLOWEST_BEAT,
    Around,
    HandPoints,
    HandSpan,
    fastest_tempo,
    offsets_meanwhile,
    path_of_other_hand,
    paths_around_bodies,
    waits_in_gaps,
)
from juggle_anim.choreography.manners import BODY_THROWS, USUAL, Manner, manners_of_throws
from juggle_anim.choreography.places import HAND_HEIGHT, HandStyle, mean_point, to_body_frame
from juggle_anim.choreography.score import USUAL_PATH, BodyThrows, Catches, HandMoves, Point
from juggle_anim.pattern import RIGHT, Pattern, Throw, Turn
from juggle_anim.vectors import inverse_permutation


@dataclass(frozen=True)
class BounceChanges:
    """Throws that bounce otherwise than is written, by their numbers in the pattern.

    Args:
        late: they are caught late, `LATE_DWELL` before they are thrown again.
        hurried: of those, the ones that fly in another style than is written.
        left_out: they do not bounce.
    """

    late: frozenset[int] = frozenset()
    hurried: Mapping[int, FlightStyle] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()


AS_WRITTEN = BounceChanges()
"""All throws bounce as they should."""


class _Event(NamedTuple):
    time: float
    hand: int
    kind: int


class EventTable:
    """Events before they are sorted; throws that leave one hand together are one event.

    Args:
        pattern: what is juggled.
        timing: when.
        hands: where hands go, if the text says so.
        style: where they go otherwise.
        catches: how they grasp.
        dwell: of hands that catch nothing, [beats].
        spins: of clubs, as in `Staging`.
        throws: around the body, as in `Staging`.
        prop: the kind of all props; "" if they differ.
        bounces: how throws bounce that have too little time.
    """

    def __init__(
        self,
        pattern: Pattern,
        timing: Timing,
        hands: HandMoves | None,
        style: HandStyle,
        catches: Catches,
        dwell: float,
        spins: Sequence[float | None] = (),
        throws: BodyThrows = (),
        prop: str = "",
        bounces: BounceChanges = AS_WRITTEN,
    ) -> None:
        """Enter all throws, catches and waypoints that the text gives into the table."""
        self.bounces = bounces
        self.pattern = pattern
        self.timing = timing
        self.dwell = dwell * pattern.division  # in units of the pattern
        # Spins are given turn by turn and repeat.
        self._spins = (
            {turn: spins[number % len(spins)] for number, turn in enumerate(pattern.turns)}
            if spins
            else {}
        )
        self._usual_throw, self._usual_catch = cache(style.throw_point), cache(style.catch_point)

        # Throws that are not holds; lists "by flight" below are in this order.
        self.flown = [index for index, held in enumerate(timing.held) if not held]
        self._throw_manners, self._catch_manners = manners_of_throws(
            pattern, timing, catches, throws, prop
        )
        # In Juggling Lab's style stacks are not spread apart.
        self._rooms = {} if style.as_juggling_lab else stack_rooms(pattern, timing, prop)
        self.points = HandPoints(pattern, style.raised(hands), self.around) if hands else None

        # The throw and the catch of each flight; `_enter_event` enters their points and manners.
        self._points: dict[_Event, list[Point]] = {}
        self._manners: dict[_Event, Manner] = {}
        catch_points = self._catch_points()
        sites = pattern.sites
        self._throw_events = [
            self._enter_event(
                timing.throw[index],
                sites[index][0],
                THROW,
                self._throw_manners[index],
                self._throw_point(index),
            )
            for index in self.flown
        ]
        self._catch_events = [
            self._enter_event(
                timing.catch[index],
                2 * pattern.throws[index].to_juggler + pattern.throws[index].to_hand,
                CATCH,
                self._catch_manners[index],
                catch_points[index],
            )
            for index in self.flown
        ]
        self._carry_intervals = self._find_carry_intervals()

        # Waypoints that the text gives, and the events whose places it gives.
        self._events_at_written_points: set[_Event] = set()
        if self.points:
            thrown_from = self.points.thrown_from
            caught_at = self.points.caught_at
            for index, throw, catch in zip(
                self.flown, self._throw_events, self._catch_events, strict=True
            ):
                if thrown_from(sites[index]):
                    self._events_at_written_points.add(throw)
                if caught_at(sites[pattern.landings[index]]):
                    self._events_at_written_points.add(catch)
            for waypoint in self.points.waypoints(self._leave_time, self._catch_times):
                self._add_waypoint(self._points, waypoint.time, waypoint.hand, waypoint.point)

    def events(self, rate: float) -> tuple[Integers, Events]:
        """Return the events in order of time, hand and kind, and where each row of the table went.

        Args:
            rate: tempo, units of the pattern per second.

        Returns:
            For each row of the table its position among the sorted events, and these events.
        """
        table = self._with_paths_around(rate)
        time = np.array([event.time for event in table], dtype=float)
        hand = np.array([event.hand for event in table], dtype=np.intp)
        kind = np.array([event.kind for event in table], dtype=np.intp)

        # Props thrown or caught together share an event at the mean of their points. The shape
        # is given for the case that there are none.
        points = np.array([mean_point(points) for points in table.values()], dtype=float).reshape(
            -1, 3
        )

        # Body throws displace what hands do meanwhile, unless the text gives these points.
        rows = np.array([self._manners.get(event, USUAL).row for event in table], dtype=np.intp)
        if rows.any():
            offsets = offsets_meanwhile(time / rate, hand, kind, rows, self.pattern.period / rate)
            is_written = [[event in self._events_at_written_points] for event in table]
            points += np.where(is_written, 0.0, offsets)
        position = to_body_frame([(x, y, z) for x, y, z in points.tolist()], hand)
        order = np.lexsort((kind, hand, time))

        # Columns without any manner but the usual one are None.
        grasp = body_throw = None
        if self._manners:
            manners = np.array([self._manners.get(event, USUAL) for event in table], dtype=np.intp)
            grasp, body_throw = (column if column.any() else None for column in manners.T)
        return inverse_permutation(order), Events(
            time / rate, hand, kind, position, grasp, body_throw
        ).taken(order)

    def flights(self, rank: Integers, rate: float) -> Flights:
        """Return the flights of the throws that are not holds, in the order of the pattern.

        Args:
            rank: shape (E,), position of each row of the table among the sorted events, as
                `events` returns it.
            rate: tempo, units of the pattern per second.
        """
        # Points of paths around bodies come last in the table, and are no ends of flights.
        position = dict(zip(self._points, rank.tolist(), strict=False))
        styles = tuple(self.style(index) for index in self.flown)
        return Flights(
            throw=np.array([position[event] for event in self._throw_events], dtype=np.intp),
            catch=np.array([position[event] for event in self._catch_events], dtype=np.intp),
            duration=self.durations / rate,
            carry=np.array([self._carry_duration(index) for index in self.flown], dtype=float)
            / rate,
            # Empty means that all are ordinary throws.
            style=styles if any(style != AIR for style in styles) else (),
        )

    def slowed(self, bps: float) -> float:
        """Tempo at which the body throws and catches of the pattern are made, [beats/s].

        Never above `bps`; equal to it without body throws.

        Args:
            bps: the tempo that would be usual, [beats/s].
        """
        # Row 0 is the usual way to throw.
        rows = {manner.row for manner in (*self._throw_manners, *self._catch_manners)} - {0}
        if not rows:
            return bps
        usual = bps
        period = self.pattern.period
        division = self.pattern.division

        # By experience with each body throw, and by the paths of hands around bodies.
        bps *= min(BODY_THROWS[row - 1].tempo for row in rows)
        bps = min(bps, fastest_tempo(self.spans(), *self._body_throw_rows(), division))

        # Long enough flights; body throws have one time for other hands and one for the same.
        for index, duration in zip(self.flown, self.durations.tolist(), strict=True):
            throw = self.pattern.throws[index]
            to_same_hand = throw[1:3] == throw[4:6]
            for manner in (self._throw_manners[index], self._catch_manners[index]):
                if manner.row:
                    to_other, to_same = BODY_THROWS[manner.row - 1].flies  # s; 0 for any time
                    flight_time = to_same if to_same_hand else to_other
                    if flight_time:
                        bps = min(bps, duration / division / flight_time)

        # Long enough to change from one standing foot to the other.
        for juggler in range(self.pattern.jugglers):
            on_one_foot = []
            for index in self.flown:
                foot = self._standing_foot(index)
                if self.pattern.throws[index].juggler == juggler and foot is not None:
                    on_one_foot.append((self.timing.throw[index] % period, foot))
            on_one_foot.sort()
            for (time, foot), (next_time, next_foot) in zip(
                on_one_foot, on_one_foot[1:] + on_one_foot[:1], strict=True
            ):
                # Where both legs are up at once, people hop.
                if foot != next_foot and next_time != time:
                    bps = min(bps, (next_time - time) % period / division / FEET_CHANGE)

        # Not so slow that the highest throw would fly longer than `LONGEST_FLIGHT`.
        slowest = float(self.durations.max(initial=0.0)) / division / LONGEST_FLIGHT
        return min(usual, max(bps, slowest))

    def _standing_foot(self, index: int) -> int | None:
        """The foot on which a throw is made, 0 for the left one; None on both."""
        row = self._throw_manners[index].row
        return (
            BODY_THROWS[row - 1].posture.standing_foot(self.pattern.throws[index].hand)
            if row
            else None
        )

    @cached_property
    def durations(self) -> Floats:
        """Duration of each flight, in units of the pattern."""
        timing = self.timing
        return np.array(
            [timing.catch[index] - timing.throw[index] for index in self.flown], dtype=float
        )

    def ends(self, flight: int) -> tuple[tuple[int, float, float], tuple[int, float, float]]:
        """Start and end of a flight: juggler, time in units of the pattern, and height above the
        feet [m].
        """
        return self._juggler_time_height(self._throw_events[flight]), self._juggler_time_height(
            self._catch_events[flight]
        )

    def _juggler_time_height(self, event: _Event) -> tuple[int, float, float]:
        return event.hand // 2, event.time, HAND_HEIGHT + mean_point(self._points[event])[1]

    def style(self, index: int) -> FlightStyle:
        """Return the flight style of a throw, with bounces as they were changed.

        Args:
            index: of the throw in the pattern.
        """
        throw = self.pattern.throws[index]
        spin = self._spins.get(throw[:3])  # by beat, juggler and hand
        if index in self.bounces.hurried:
            return self.bounces.hurried[index]
        if not throw.bounces or index in self.bounces.left_out:
            return AIR if spin is None else FlightStyle(spin=spin)
        forced = "force" in throw.bounce_style
        # A forced bounce rises past the hand, a lifted one does not; hyper reverses this.
        return FlightStyle(
            bounces=throw.bounces,
            forced=forced,
            falling=forced != ("hyper" in throw.bounce_style),
            spin=spin,
        )

    def orbits(self) -> tuple[PropOrbit, ...]:
        """Return the orbits of the pattern, with indices of flights in place of throws; holds are
        left out.
        """
        flight_of_throw = {index: flight for flight, index in enumerate(self.flown)}
        return tuple(
            PropOrbit(
                flights=tuple(
                    flight_of_throw[index] for index in orbit.throws if index in flight_of_throw
                ),
                props=orbit.props,
                hand=self.pattern.sites[orbit.throws[0]][0],
            )
            for orbit in self.pattern.orbits
        )

    def shifts(self) -> list[int]:
        """Return, for each orbit of the pattern, how many loops separate its first throw from the
        loop in which its first flight begins.

        Props are numbered by first flights, but looks are given by first throws, which may be
        holds. An early first throw counts −1, as it leaves in the loop before.
        """
        shifts = []
        for orbit in self.pattern.orbits:
            # Add up the holds before the first flight; `beat` counts on beyond the loop.
            beat = self.pattern.throws[orbit.throws[0]].beat
            shift = 0
            for index in orbit.throws:
                if not self.timing.held[index]:
                    throw = self.pattern.throws[index]
                    # `timing` is relative to the throw's own beat in the loop.
                    leaves = beat + self.timing.throw[index] - throw.beat
                    shift = int(leaves // self.pattern.period)
                    break
                beat += self.pattern.throws[index].value
            shifts.append(shift)
        return shifts

    def spans(self) -> list[HandSpan]:
        """The time from each turn of a hand to its next."""
        points = self.points or HandPoints(self.pattern, HandMoves("", ((USUAL_PATH,),)))
        return list(points.spans(self._leave_time, self._catch_times))

    def _enter_event(
        self, beats: float, hand: int, kind: int, manner: Manner, point: Point
    ) -> _Event:
        event = _Event(self._time_in_loop(beats), hand, kind)
        if manner != USUAL:
            self._manners[event] = max(manner, self._manners.get(event, USUAL))
        self._points.setdefault(event, []).append(point)
        return event

    def _time_in_loop(self, beats: float) -> float:
        return round(beats % self.pattern.period, 9) % self.pattern.period

    def _throw_point(self, index: int) -> Point:
        """Point from which a throw leaves its hand: outward, up and forward of the middle between
        the hands' usual places, [m].

        A point that the text gives comes before the usual one.

        Args:
            index: of the throw in the pattern.
        """
        throw = self.pattern.throws[index]
        written = self.points.thrown_from(self.pattern.sites[index]) if self.points else None
        # A pass from right to right is thrown like a self throw: the side of the hand decides, not
        # the juggler.
        outward, up, forward = self._usual_throw(
            throw.value / self.pattern.division, throw.hand != throw.to_hand
        )
        usual = outward, up, forward + self._rooms.get(index, NO_ROOM).forward
        manner = self._throw_manners[index]
        return written or (usual if manner == USUAL else manner.point(usual))

    def _catch_points(self) -> dict[int, Point]:
        """Return where each throw is caught, by its index in the pattern; throws that land in one
        hand on one beat are caught at their mean.

        A point that the text gives comes before the usual one.
        """
        points: dict[int, Point] = {}
        for site, group in self._throws_by_landing.items():
            written = self.points.caught_at(site) if self.points else None
            point = written or mean_point([self._catch_point(index) for index in group])
            points.update(dict.fromkeys(group, point))
        return points

    def _catch_point(self, index: int) -> Point:
        """Point where a throw would be caught alone: outward, up and forward of the middle between
        the hands' usual places, [m].

        Args:
            index: of the throw in the pattern.
        """
        usual = self._usual_catch(self.pattern.throws[index].value / self.pattern.division)
        if room := self._rooms.get(index):
            # Props of stacks pass each other: far enough outward of the throw, and forward.
            outward, up, forward = usual
            usual = (
                max(outward, self._throw_point(index)[0] + room.span),
                up,
                forward + room.forward,
            )

        # A body throw comes down elsewhere, unless it is also caught around the body.
        manner = self._catch_manners[index]
        throw_row = self._throw_manners[index].row
        if throw_row and not manner.row:
            # Rows count from 1; 0 is the usual way.
            outward, up, forward = BODY_THROWS[throw_row - 1].lands
            usual = usual[0] + outward, usual[1] + up, usual[2] + forward
        return usual if manner == USUAL else manner.point(usual)

    @cached_property
    def _throws_by_landing(self) -> dict[Site, list[int]]:
        arrivals: dict[Site, list[int]] = {}
        for index in self.flown:
            arrivals.setdefault(self.pattern.sites[self.pattern.landings[index]], []).append(index)
        return arrivals

    def _carry_duration(self, index: int) -> float:
        """Time from the catch of a throw to the next throw of the same prop that is not a hold, in
        units of the pattern.

        Args:
            index: of the throw in the pattern; not a hold.
        """
        throws = self.pattern.throws
        landings = self.pattern.landings
        # Beats count on beyond the loop, as the times of catches do.
        beat = throws[index].beat + throws[index].value
        next_throw = landings[index]
        while self.timing.held[next_throw]:
            beat = beat + throws[next_throw].value
            next_throw = landings[next_throw]
        return (
            beat
            + self.timing.throw[next_throw]
            - throws[next_throw].beat
            - self.timing.catch[index]
        )

    def _add_waypoint(
        self, table: dict[_Event, list[Point]], beats: float, hand: int, point: Point
    ) -> None:
        """Add to a table, in place, a point that a hand passes, unless it has an event then.

        Args:
            table: points of each event.
            beats: time in units of the pattern, in any loop.
            hand: 2 · juggler + side.
            point: outward, up and forward of the middle between the hands' usual places, [m].
        """
        time = self._time_in_loop(beats)
        if any(_Event(time, hand, kind) in table for kind in EventKind):
            return
        holds = any(
            (time - start) % self.pattern.period < length
            for start, length in self._carry_intervals[hand]
        )
        table[_Event(time, hand, HOLD if holds else MOVE)] = [point]

    @cached_property
    def around(self) -> Around:
        """The turns of hands that throw around the body, that throw what was caught around it, and
        that throw what came from behind it.
        """
        thrown, caught = (
            {site for site, row in rows.items() if row} for rows in self._body_throw_rows()
        )
        from_behind = set()
        for site, group in self._throws_by_landing.items():
            for index in group:
                row = self._throw_manners[index].row  # counts from 1; 0 is the usual way
                if row and BODY_THROWS[row - 1].from_behind:
                    from_behind.add(site)
        return Around(thrown, caught, from_behind)

    def _body_throw_rows(self) -> tuple[dict[Site, int], dict[Site, int]]:
        """Rows of `BODY_THROWS`, from 1, 0 for none: of the throw at each site, and of the catch
        that ends there.
        """
        sites = self.pattern.sites
        thrown = {sites[index]: self._throw_manners[index].row for index in self.flown}
        return thrown, {
            site: self._catch_manners[group[0]].row
            for site, group in self._throws_by_landing.items()
        }

    def _with_paths_around(self, rate: float) -> dict[_Event, list[Point]]:
        """Return points of all events, with waypoints of hands on their way to and from body throws
        added at the end.

        They are added where `hands` gives no path, also for what the juggler's other hand does
        meanwhile.

        Args:
            rate: tempo, units of the pattern per second; at slow tempos, paths last no longer.
        """
        if not any(manner.row for manner in (*self._throw_manners, *self._catch_manners)):
            return self._points
        pattern = self.pattern
        beat = min(pattern.division, SLOWEST_BEAT * rate)  # in units of the pattern

        # Paths of the hands that throw or catch around the body.
        hand_paths = self.points.hand_beats if self.points else {}
        turns_with_path = {
            turn for turn, path in hand_paths.items() if path.around and len(path.points) > 2
        }
        spans = [span for span in self.spans() if span.turn not in turns_with_path]
        waypoints = list(paths_around_bodies(spans, *self._body_throw_rows(), beat))

        # Paths of the juggler's other hand, away from its own events and waypoints.
        event_times: dict[int, list[float]] = {hand: [] for hand in range(2 * pattern.jugglers)}
        for event in self._points:  # also points of `hands`
            event_times[event.hand].append(event.time)
        waypoint_times: dict[int, list[float]] = {hand: [] for hand in event_times}
        for time, hand, _point in waypoints:
            waypoint_times[hand].append(time)
        other_hand_waypoints: list[tuple[float, int, Point]] = []
        for event, manner in self._manners.items():
            other_hand = event.hand ^ 1
            path = path_of_other_hand(
                manner.row, event.time, event_times[other_hand], pattern.period, beat
            )
            other_hand_waypoints += [
                (time, other_hand, point)
                for time, point in path
                if not self._is_close(time, waypoint_times[other_hand], beat)
            ]

        table = dict(self._points)
        for time, hand, point in (*waypoints, *other_hand_waypoints):
            self._add_waypoint(table, time, hand, point)

        # In long gaps between the waypoints above and a hand's other events, the hand waits.
        table_times: dict[int, list[float]] = {}
        for event in table:
            table_times.setdefault(event.hand, []).append(event.time)
        path_keys = {(self._time_in_loop(time), hand) for time, hand, _ in waypoints}
        other_hand_keys = {
            (self._time_in_loop(time), hand) for time, hand, _ in other_hand_waypoints
        }
        for time, hand, point in waits_in_gaps(
            table_times,
            path_keys | other_hand_keys,
            other_hand_keys - path_keys,
            pattern.period,
            beat,
        ):
            self._add_waypoint(table, time, hand, point)
        return table

    def _is_close(self, time: float, times: Iterable[float], beat: float) -> bool:
        """Whether a time is within `CLOSE` beats of any of some times, around the loop.

        Args:
            time, times: in units of the pattern.
            beat: duration of a beat, in units of the pattern.
        """
        period = self.pattern.period
        close = CLOSE * beat
        return any(
            min((time - event_time) % period, (event_time - time) % period) < close
            for event_time in times
        )

    def _find_carry_intervals(self) -> dict[int, list[tuple[float, float]]]:
        """For each hand, when it begins to carry a prop, and for how long, in units of the
        pattern.
        """
        carried: dict[int, list[tuple[float, float]]] = {
            hand: [] for hand in range(2 * self.pattern.jugglers)
        }
        for index, event in zip(self.flown, self._catch_events, strict=True):
            carried[event.hand].append((event.time, self._carry_duration(index)))
        # A prop that never flies is held for the whole loop.
        for orbit in self.pattern.orbits:
            if all(self.timing.held[index] for index in orbit.throws):
                carried[self.pattern.sites[orbit.throws[0]][0]].append(
                    (0.0, float(self.pattern.period))
                )
        return carried

    @cached_property
    def _leave_times(self) -> dict[Site, float]:
        return {self.pattern.sites[index]: self.timing.throw[index] for index in self.flown}

    def _leave_time(self, site: Site) -> float:
        return self._leave_times.get(site, float(site[1]))

    def _catch_times(self, site: Site) -> list[float]:
        """Times at which a hand catches the props that it throws on a beat, in units of the
        pattern, ascending; or one time at which it would catch if nothing lands there.

        Args:
            site: the hand, 2 · juggler + side, and a beat of the loop.
        """
        hand, beat = site
        if site in self._throws_by_landing:
            return sorted(
                self._caught_before(index, beat) for index in self._throws_by_landing[site]
            )

        # The last turn of this hand, in the loop before if this is its first: then it is negative.
        beats = self._turn_beats[hand]
        last_turn = beats[bisect_right(beats, beat) - 2] if len(beats) > 1 else beat
        last_turn -= self.pattern.period * (last_turn >= beat)

        # As early as the dwell says, but in the one or two beats before, and with the hand empty
        # for a moment after its last throw and full for a moment before this one.
        division = self.pattern.division
        window = (1.0 if beat - last_turn <= division else 2.0) - MIN_EMPTY  # beats
        last_turn_in_loop = last_turn % self.pattern.period
        earliest = self._leave_time((hand, last_turn_in_loop)) + last_turn - last_turn_in_loop
        first = max(beat - min(self.dwell, window * division), earliest + MIN_EMPTY * division)
        return [min(first, self._leave_time(site) - MIN_CARRY * division)]

    def _caught_before(self, index: int, beat: int) -> float:
        """The catch time of a throw that lands on a beat of the loop, in the loop of that beat."""
        throw = self.pattern.throws[index]
        return self.timing.catch[index] - (throw.beat + throw.value - beat)

    @cached_property
    def _turn_beats(self) -> dict[int, list[int]]:
        beats: dict[int, list[int]] = {}
        for beat, juggler, side in self.pattern.turns:
            beats.setdefault(2 * juggler + side, []).append(beat)
        return beats


_ROOM_FOR_BALLS = 0.083  # m, between the middles of balls of the usual size that pass each other
_ROOM_FOR_CLUBS = 0.12  # m, likewise

_BEATS_OF_HAND = 2.0  # beats, from a throw of a hand to its next


class StackRoom(NamedTuple):
    """Where a throw goes so that it meets nothing.

    Attributes:
        span: how far outward of its throw it is caught at least, [m].
        forward: how far in front of the usual places it is thrown and caught, [m].
    """

    span: float = 0.0
    forward: float = 0.0


NO_ROOM = StackRoom()
"""The room of a throw that needs none."""


def stack_rooms(pattern: Pattern, timing: Timing, prop: str) -> dict[int, StackRoom]:
    """Return how throws are moved apart so that stacked props meet nothing in the air.

    A stack is several equal throws from one hand at once. Without a stack no throw is moved.

    Args:
        pattern: what is juggled.
        timing: when; in units of the pattern.
        prop: the kind of all props, which decides the room; "" if they differ.

    Returns:
        The room of throws by their index in the pattern; throws that are left out need none.
    """
    room = _ROOM_FOR_CLUBS if prop == "club" else _ROOM_FOR_BALLS
    flown = [index for index, held in enumerate(timing.held) if not held]

    # Stacks: equal throws, with the same beat, hands and value.
    count = Counter(pattern.throws[index] for index in flown)
    stacks = {throw for throw, copies in count.items() if copies > 1}
    if not stacks:
        return {}

    # Turns of hands that throw across, and whether they throw a stack.
    is_stack_by_crossing_turn: dict[Turn, bool] = {}
    for throw in count:
        if _changes_hands(throw):
            turn = throw[:3]
            is_stack_by_crossing_turn[turn] = (
                is_stack_by_crossing_turn.get(turn, False) or throw in stacks
            )

    props_in_hand = Counter(pattern.sites)
    rooms: dict[int, StackRoom] = {}
    for index in flown:
        throw = pattern.throws[index]
        flight_beats = (timing.catch[index] - timing.throw[index]) / pattern.division
        rooms[index] = NO_ROOM
        if throw[1:3] == throw[4:6]:
            # To the same hand: what comes down passes beside what rises.
            props = props_in_hand[pattern.sites[index]]
            rooms[index] = StackRoom(span=_column_span(props, flight_beats, room))
        elif _changes_hands(throw):
            # Both hands cross at once: the right hand's props pass in front of the left hand's.
            opposite_turn = throw.beat, throw.juggler, 1 - throw.hand
            if opposite_turn in is_stack_by_crossing_turn and (
                is_stack_by_crossing_turn[opposite_turn] or is_stack_by_crossing_turn[throw[:3]]
            ):
                rooms[index] = StackRoom(forward=room if throw.hand == RIGHT else -room)
    return rooms


def _changes_hands(throw: Throw) -> bool:
    return throw.juggler == throw.to_juggler and throw.hand != throw.to_hand


def _column_span(props: int, flight_beats: float, room: float) -> float:
    """Return how far outward of its throw a prop is caught, so that it comes down beside the next
    that rises, [m].

    Flights of T beats that begin two beats apart pass when (T/2 ± 1)/T of the way is behind them,
    with 2/T of the span between them. So the span is room · T/2, times the pairs of props.

    Args:
        props: in the hand before the throw; each pair of them makes a stack wider.
        flight_beats: T, [beats].
        room: between props that pass each other, [m].
    """
    pairs = (props + 1) // 2  # rounded up
    return pairs * room * flight_beats / _BEATS_OF_HAND
