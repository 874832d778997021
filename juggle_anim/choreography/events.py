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
        self.bounces = bounces
        self._spins = (
            {turn: spins[number % len(spins)] for number, turn in enumerate(pattern.turns)}
            if spins
            else {}
        )
        self.pattern = pattern
        self.timing = timing
        self.dwell = dwell * pattern.division
        self._usual_throw, self._usual_catch = cache(style.throw_point), cache(style.catch_point)
        self.flown = [index for index, held in enumerate(timing.held) if not held]
        self._rows: dict[_Event, list[Point]] = {}
        self._thrown_of, self._caught_in = manners_of_throws(pattern, timing, catches, throws, prop)
        self._manners: dict[_Event, Manner] = {}
        self._rooms = {} if style.as_juggling_lab else stack_rooms(pattern, timing, prop)
        self.points = HandPoints(pattern, style.raised(hands), self.around) if hands else None
        points = self._catch_points()
        sites = pattern.sites
        self._thrown = [
            self._add(
                timing.throw[index],
                sites[index][0],
                THROW,
                self._thrown_of[index],
                self._throw_point(index),
            )
            for index in self.flown
        ]
        self._caught = [
            self._add(
                timing.catch[index], 2 * to + to_hand, CATCH, self._caught_in[index], points[index]
            )
            for index in self.flown
            for to, to_hand in [pattern.throws[index][4:6]]
        ]
        self._carried = self._carried_times()
        self._written: set[_Event] = set()
        if self.points:
            thrown = self.points.thrown_from
            caught = self.points.caught_at
            for index, throw, catch in zip(self.flown, self._thrown, self._caught, strict=True):
                self._written |= {throw} if thrown(sites[index]) else set()
                self._written |= {catch} if caught(sites[pattern.landings[index]]) else set()
            for waypoint in self.points.waypoints(self._leave, self._catch_times):
                self._pass(self._rows, waypoint.time, waypoint.hand, waypoint.point)

    def events(self, rate: float) -> tuple[Integers, Events]:
        """Return the sorted position of each row, and the sorted events.

        Args:
            rate: units of the pattern per second.
        """
        table = self._with_paths_around(rate)
        time = np.array([event.time for event in table], dtype=float)
        hand = np.array([event.hand for event in table], dtype=np.intp)
        kind = np.array([event.kind for event in table], dtype=np.intp)
        points = np.array([mean_point(points) for points in table.values()], dtype=float).reshape(
            -1, 3
        )
        rows = np.array([self._manners.get(event, USUAL).row for event in table], dtype=np.intp)
        if rows.any():
            moved = offsets_meanwhile(time / rate, hand, kind, rows, self.pattern.period / rate)
            points += np.where([[event in self._written] for event in table], 0.0, moved)
        position = to_body_frame([(x, y, z) for x, y, z in points.tolist()], hand)
        order = np.lexsort((kind, hand, time))
        grasp = body_throw = None
        if self._manners:
            manners = np.array([self._manners.get(event, USUAL) for event in table], dtype=np.intp)
            grasp, body_throw = (column if column.any() else None for column in manners.T)
        return inverse_permutation(order), Events(
            time / rate, hand, kind, position, grasp, body_throw
        ).taken(order)

    def flights(self, rank: Integers, rate: float) -> Flights:
        """Return the flights; row k of the table is event `rank[k]`."""
        # Points of paths around bodies come last in the table, and are no ends of flights.
        number = dict(zip(self._rows, rank.tolist(), strict=False))
        styles = tuple(self.style(index) for index in self.flown)
        return Flights(
            throw=np.array([number[event] for event in self._thrown], dtype=np.intp),
            catch=np.array([number[event] for event in self._caught], dtype=np.intp),
            duration=self.durations / rate,
            carry=np.array([self._carry(index) for index in self.flown], dtype=float) / rate,
            style=styles if any(style != AIR for style in styles) else (),
        )

    def slowed(self, bps: float) -> float:
        """The tempo at which body throws and catches are made where `bps` would be usual,
        [beats/s].
        """
        rows = {manner.row for manner in (*self._thrown_of, *self._caught_in)} - {0}
        if not rows:
            return bps
        usual = bps
        period = self.pattern.period
        division = self.pattern.division
        bps *= min(BODY_THROWS[row - 1].tempo for row in rows)
        bps = min(bps, fastest_tempo(self.spans(), *self._body_throw_rows(), division))
        for index, lasts in zip(self.flown, self.durations.tolist(), strict=True):
            throw = self.pattern.throws[index]
            for manner in (self._thrown_of[index], self._caught_in[index]):
                if manner.row and (
                    flies := BODY_THROWS[manner.row - 1].flies[throw[1:3] == throw[4:6]]
                ):
                    bps = min(bps, lasts / division / flies)
        for juggler in range(self.pattern.jugglers):
            mine = [index for index in self.flown if self.pattern.throws[index].juggler == juggler]
            feet = [
                (self.timing.throw[index] % period, self._standing_foot(index)) for index in mine
            ]
            alone = sorted(each for each in feet if each[1] is not None)
            for (time, foot), (later, other) in zip(alone, alone[1:] + alone[:1], strict=True):
                if foot != other and later != time:  # where both legs are up at once, people hop
                    bps = min(bps, (later - time) % period / division / FEET_CHANGE)
        return min(
            usual, max(bps, float(self.durations.max(initial=0.0)) / division / LONGEST_FLIGHT)
        )

    def _standing_foot(self, index: int) -> int | None:
        """The foot on which a throw is made, 0 for the left one; None on both."""
        row = self._thrown_of[index].row
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
        return self._end(self._thrown[flight]), self._end(self._caught[flight])

    def _end(self, event: _Event) -> tuple[int, float, float]:
        return event.hand // 2, event.time, HAND_HEIGHT + mean_point(self._rows[event])[1]

    def style(self, index: int) -> FlightStyle:
        """The flight style of a throw."""
        throw = self.pattern.throws[index]
        spin = self._spins.get(throw[:3])
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
        """The orbits of the pattern by their flights."""
        flight = {index: number for number, index in enumerate(self.flown)}
        return tuple(
            PropOrbit(
                flights=tuple(flight[index] for index in orbit.throws if index in flight),
                props=orbit.props,
                hand=self.pattern.sites[orbit.throws[0]][0],
            )
            for orbit in self.pattern.orbits
        )

    def shifts(self) -> list[int]:
        """For each orbit, how many loops before its first flight begins the prop makes the orbit's
        first throw.
        """
        shifts = []
        for orbit in self.pattern.orbits:
            beat = self.pattern.throws[orbit.throws[0]].beat
            shift = 0
            for index in orbit.throws:
                if not self.timing.held[index]:
                    throw = self.pattern.throws[index]
                    shift = int(
                        (beat + self.timing.throw[index] - throw.beat) // self.pattern.period
                    )
                    break
                beat += self.pattern.throws[index].value
            shifts.append(shift)
        return shifts

    def spans(self) -> list[HandSpan]:
        """The time from each turn of a hand to its next."""
        points = self.points or HandPoints(self.pattern, HandMoves("", ((USUAL_PATH,),)))
        return list(points.spans(self._leave, self._catch_times))

    def _add(self, beats: float, hand: int, kind: int, manner: Manner, point: Point) -> _Event:
        event = _Event(self._within(beats), hand, kind)
        if manner != USUAL:
            self._manners[event] = max(manner, self._manners.get(event, USUAL))
        self._rows.setdefault(event, []).append(point)
        return event

    def _within(self, beats: float) -> float:
        return round(beats % self.pattern.period, 9) % self.pattern.period

    def _throw_point(self, index: int) -> Point:
        throw = self.pattern.throws[index]
        written = self.points.thrown_from(self.pattern.sites[index]) if self.points else None
        # A pass from right to right is thrown like a self throw: the side of the hand decides, not
        # the juggler.
        outward, up, forward = self._usual_throw(
            throw.value / self.pattern.division, throw.hand != throw.to_hand
        )
        usual = outward, up, forward + self._rooms.get(index, NO_ROOM).forward
        manner = self._thrown_of[index]
        return written or (usual if manner == USUAL else manner.point(usual))

    def _catch_points(self) -> dict[int, Point]:
        """Return where each throw is caught; throws that land in one hand on one beat are caught at
        their mean.
        """
        points: dict[int, Point] = {}
        for site, group in self._arrivals.items():
            written = self.points.caught_at(site) if self.points else None
            points.update(
                dict.fromkeys(
                    group, written or mean_point([self._catch_point(index) for index in group])
                )
            )
        return points

    def _catch_point(self, index: int) -> Point:
        usual = self._usual_catch(self.pattern.throws[index].value / self.pattern.division)
        if room := self._rooms.get(index):
            outward, up, forward = usual
            usual = (
                max(outward, self._throw_point(index)[0] + room.span),
                up,
                forward + room.forward,
            )
        manner = self._caught_in[index]
        row = self._thrown_of[index].row
        if row and not manner.row:
            outward, up, forward = BODY_THROWS[row - 1].lands
            usual = usual[0] + outward, usual[1] + up, usual[2] + forward
        return usual if manner == USUAL else manner.point(usual)

    @cached_property
    def _arrivals(self) -> dict[Site, list[int]]:
        arrivals: dict[Site, list[int]] = {}
        for index in self.flown:
            arrivals.setdefault(self.pattern.sites[self.pattern.landings[index]], []).append(index)
        return arrivals

    def _carry(self, index: int) -> float:
        """Time from the catch of a throw to the next throw of the same prop that is not a hold."""
        throws = self.pattern.throws
        landings = self.pattern.landings
        beat = throws[index].beat + throws[index].value
        following = landings[index]
        while self.timing.held[following]:
            beat = beat + throws[following].value
            following = landings[following]
        return (
            beat + self.timing.throw[following] - throws[following].beat - self.timing.catch[index]
        )

    def _pass(
        self, table: dict[_Event, list[Point]], beats: float, hand: int, point: Point
    ) -> None:
        """Add a point that a hand passes to a table, unless it does something else then."""
        time = self._within(beats)
        if not any(_Event(time, hand, kind) in table for kind in EventKind):
            holds = any(
                (time - start) % self.pattern.period < length
                for start, length in self._carried[hand]
            )
            table[_Event(time, hand, HOLD if holds else MOVE)] = [point]

    @cached_property
    def around(self) -> Around:
        """What is thrown and caught around the body."""
        thrown, caught = (
            {site for site, row in rows.items() if row} for rows in self._body_throw_rows()
        )
        rows = {
            site: [self._thrown_of[index].row for index in group]
            for site, group in self._arrivals.items()
        }
        behind = {
            site
            for site, mine in rows.items()
            if any(row and BODY_THROWS[row - 1].from_behind for row in mine)
        }
        return Around(thrown, caught, behind)

    def _body_throw_rows(self) -> tuple[dict[Site, int], dict[Site, int]]:
        """The rows of `BODY_THROWS` of what is thrown on each turn, and of the catch of what is
        thrown on it.
        """
        sites = self.pattern.sites
        thrown = {sites[index]: self._thrown_of[index].row for index in self.flown}
        return thrown, {
            site: self._caught_in[group[0]].row for site, group in self._arrivals.items()
        }

    def _with_paths_around(self, rate: float) -> dict[_Event, list[Point]]:
        """All events with, at their end, the paths to and from body throws where `hands` gives
        none, and what the other hand does meanwhile.
        """
        if not any(manner.row for manner in (*self._thrown_of, *self._caught_in)):
            return self._rows
        pattern = self.pattern
        beat = min(self.pattern.division, SLOWEST_BEAT * rate)
        paths = self.points.hand_beats if self.points else {}
        given = {turn for turn, path in paths.items() if path.around and len(path.points) > 2}
        spans = [span for span in self.spans() if span.turn not in given]
        points = list(paths_around_bodies(spans, *self._body_throw_rows(), beat))
        aside: list[tuple[float, int, Point]] = []
        busy: dict[int, list[float]] = {hand: [] for hand in range(2 * pattern.jugglers)}
        for event in self._rows:  # also points of `hands`
            busy[event.hand].append(event.time)
        own = {hand: [time for time, goes, _ in points if goes == hand] for hand in busy}
        for event, manner in self._manners.items():
            other = event.hand ^ 1
            path = path_of_other_hand(manner.row, event.time, busy[other], pattern.period, beat)
            aside += [
                (time, other, point)
                for time, point in path
                if not self._is_close(time, own[other], beat)
            ]
        table = dict(self._rows)
        for time, hand, point in (*points, *aside):
            self._pass(table, time, hand, point)
        times: dict[int, list[float]] = {}
        for event in table:
            times.setdefault(event.hand, []).append(event.time)
        here, there = (
            {(self._within(time), hand) for time, hand, _ in passed} for passed in (points, aside)
        )
        for time, hand, point in waits_in_gaps(
            times, here | there, there - here, pattern.period, beat
        ):
            self._pass(table, time, hand, point)
        return table

    def _is_close(self, time: float, times: Iterable[float], beat: float) -> bool:
        period = self.pattern.period
        close = CLOSE * beat
        return any(min((time - each) % period, (each - time) % period) < close for each in times)

    def _carried_times(self) -> dict[int, list[tuple[float, float]]]:
        """For each hand, when it begins to carry a prop and for how long."""
        carried: dict[int, list[tuple[float, float]]] = {
            hand: [] for hand in range(2 * self.pattern.jugglers)
        }
        for index, event in zip(self.flown, self._caught, strict=True):
            carried[event.hand].append((event.time, self._carry(index)))
        for orbit in self.pattern.orbits:
            if all(self.timing.held[index] for index in orbit.throws):
                carried[self.pattern.sites[orbit.throws[0]][0]].append(
                    (0.0, float(self.pattern.period))
                )
        return carried

    @cached_property
    def _leaves(self) -> dict[Site, float]:
        return {self.pattern.sites[index]: self.timing.throw[index] for index in self.flown}

    def _leave(self, site: Site) -> float:
        return self._leaves.get(site, float(site[1]))

    def _catch_times(self, site: Site) -> list[float]:
        """When a hand catches, or would catch, what it throws on a beat."""
        hand, beat = site
        if site in self._arrivals:
            return sorted(self._caught_before(index, beat) for index in self._arrivals[site])
        beats = self._beats[hand]
        before = beats[bisect_right(beats, beat) - 2] if len(beats) > 1 else beat
        before -= self.pattern.period * (before >= beat)
        division = self.pattern.division
        window = (1.0 if beat - before <= division else 2.0) - MIN_EMPTY
        earliest = (
            self._leave((hand, before % self.pattern.period))
            + before
            - before % self.pattern.period
        )
        first = max(beat - min(self.dwell, window * division), earliest + MIN_EMPTY * division)
        return [min(first, self._leave(site) - MIN_CARRY * division)]

    def _caught_before(self, index: int, beat: int) -> float:
        """The catch time of a throw that lands on a beat of the loop, in the loop of that beat."""
        throw = self.pattern.throws[index]
        return self.timing.catch[index] - (throw.beat + throw.value - beat)

    @cached_property
    def _beats(self) -> dict[int, list[int]]:
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
    """The room of throws by their number in the pattern; those that are left out need none.

    Without a stack no throw needs room.

    Args:
        pattern: what is juggled.
        timing: when.
        prop: the kind of all props; "" if they differ.
    """
    room = _ROOM_FOR_CLUBS if prop == "club" else _ROOM_FOR_BALLS
    flown = [index for index, held in enumerate(timing.held) if not held]
    count = Counter(pattern.throws[index] for index in flown)
    stacks = {throw for throw, times in count.items() if times > 1}
    if not stacks:
        return {}
    in_hand = Counter(pattern.sites)
    # Turns of hands that throw across, and whether they throw a stack.
    changing: dict[Turn, bool] = {}
    for throw in count:
        if _changes_hands(throw):
            changing[throw[:3]] = changing.get(throw[:3], False) or throw in stacks
    rooms: dict[int, StackRoom] = {}
    for index in flown:
        throw = pattern.throws[index]
        flies = (timing.catch[index] - timing.throw[index]) / pattern.division
        rooms[index] = NO_ROOM
        if throw[1:3] == throw[4:6]:
            rooms[index] = StackRoom(span=_column_span(in_hand[pattern.sites[index]], flies, room))
        elif _changes_hands(throw):
            meeting = throw.beat, throw.juggler, 1 - throw.hand
            if meeting in changing and (changing[meeting] or changing[throw[:3]]):
                rooms[index] = StackRoom(forward=room if throw.hand == RIGHT else -room)
    return rooms


def _changes_hands(throw: Throw) -> bool:
    return throw.juggler == throw.to_juggler and throw.hand != throw.to_hand


def _column_span(props: int, flies: float, room: float) -> float:
    """How far outward of its throw a prop is caught, so that it comes down beside the next that
    rises, [m].

    Flights of T beats that begin two beats apart pass when (T/2 ± 1)/T of the way is behind them,
    with 2/T of the span between them.

    Args:
        props: in the hand before the throw; each pair of them makes a stack wider.
        flies: T, [beats].
        room: between props that pass each other, [m].
    """
    pairs = (props + 1) // 2
    return pairs * room * flies / _BEATS_OF_HAND
