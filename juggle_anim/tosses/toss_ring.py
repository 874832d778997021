"""Rings of tosses: a closed pattern whose throws get times, and the choreography that follows.

Tosses: throws on absolute beats, each with its flight and the prop that makes it; and the
clock that says when these beats are.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import (
    AIR,
    MIN_EMPTY,
    STYLES,
    USUAL,
    BodyKeyframes,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    HandStyle,
    PropLook,
    Score,
    orbits_of_flights,
    rest_positions,
    time_throws,
    to_body_frame,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern, States, Throw, catching_hand, hand_of

TEMPO_CHANGE = 0.5
"""How long a tempo takes to become another one, [s]."""

RESTING = FlightStyle(gravity=1e-6)
"""The flight of a prop that lies on a table or a stand: it stays where it is."""

FOREVER = 100_000
"""The value of a throw whose prop is put down and not picked up again, [beats]."""

UNKNOWN_PROP = -1
"""The index of a prop that is not yet known."""

HURRIED_SHARE = 0.95
"""Share of the usual time of a toss around a body; with less than that it is hurried."""

_LONG_AGO = 1_000  # beats since the last throw of a hand that has thrown nothing
_NEWTON_STEPS = 8  # enough for full precision from any start within a change of tempo
_BISECTIONS = 80  # from ±1e6 ticks to the last bit of a double
_FARTHEST_TICK = 1e6  # ticks; a time is sought between minus and plus this

Technique = tuple[int, int]
"""How a hand throws or catches: a grasp and a row of a body throw, as a row of `Events.manners`."""


class Juggled(Protocol):
    """A pattern with its choreography, as in an `Animation` and a `Segment`."""

    @property
    def score(self) -> Score:
        """The pattern and its staging."""
        ...

    @property
    def parameters(self) -> Parameters:
        """The parameters with which it is juggled."""
        ...

    @property
    def choreography(self) -> Choreography:
        """Its throws and catches in seconds and metres."""
        ...


class TossFlight(NamedTuple):
    """The flight of a prop, or its rest on a table or a stand.

    Times are in seconds, except in the tosses that `Segment.tosses` returns, where they are in
    ticks.

    Attributes:
        throw_time: start, [s]; −∞ for a rest that began before all known times.
        catch_time: end, [s]; ∞ for a rest that does not end.
        start: position of the throwing hand at `throw_time`, in the frame of `Events`, [m].
        end: position of the catching hand at `catch_time`, in the frame of `Events`, [m].
        techniques: the techniques of the throw and of the catch.
        style: gravity and bounces.
    """

    throw_time: float
    catch_time: float
    start: Floats
    end: Floats
    techniques: tuple[Technique, Technique]
    style: FlightStyle = AIR

    @classmethod
    def from_choreography(
        cls, choreography: Choreography, flight_row: int, throw_time: float, catch_time: float
    ) -> TossFlight:
        """Return a flight of a choreography: its positions, techniques and style, at other times.

        Args:
            choreography: the choreography to which the flight belongs.
            flight_row: row of the flight in the flights of the choreography.
            throw_time: start of the new flight, in seconds or ticks (parts of a beat).
            catch_time: end of the new flight, in the same unit.
        """
        events = choreography.events
        flights = choreography.flights
        throw_event = int(flights.throw[flight_row])
        catch_event = int(flights.catch[flight_row])
        return cls(
            throw_time,
            catch_time,
            start=events.position[throw_event],
            end=events.position[catch_event],
            techniques=(_technique(events, throw_event), _technique(events, catch_event)),
            style=flights.style[flight_row] if flights.style else AIR,
        )


def _technique(events: Events, row: int) -> Technique:
    """The technique of an event, by its row."""
    grasp, body_throw = events.manners[row].tolist()
    return grasp, body_throw


class Waypoint(NamedTuple):
    """A point that a hand passes between throws and catches.

    Attributes:
        time: absolute time, [s].
        hand: 2 · juggler + side.
        kind: HOLD or MOVE, as in `Events`.
        position: position in the frame of `Events`, [m].
    """

    time: float
    hand: int
    kind: int
    position: Floats


class Toss(NamedTuple):
    """A throw on one absolute beat: counted from one fixed start, not modulo a loop.

    Two kinds of tosses are not throws. In a toss that puts a prop down, `flight` is the prop's rest
    on a table; its value leads to the toss that picks it up again, or is `FOREVER`. A toss that
    picks a prop up is a hold until its throw (`held` is True), and `flight` is the rest before.

    Attributes:
        throw: the throw with its absolute beat.
        prop: index of the prop; `UNKNOWN_PROP` until it is known.
        flight: None for a hold, and while the flight has no times yet.
    """

    throw: Throw
    prop: int = UNKNOWN_PROP
    flight: TossFlight | None = None

    @property
    def rests(self) -> bool:
        """Whether its prop is put down or picked up."""
        return self.flight is not None and self.flight.style == RESTING

    @property
    def picks_up(self) -> bool:
        """Whether its prop is picked up; it is then held until it is thrown."""
        return self.rests and self.throw.held is True

    @property
    def puts_down(self) -> bool:
        """Whether its prop is put down."""
        return self.rests and self.throw.held is not True

    @property
    def is_around_body(self) -> bool:
        """Whether it is thrown or caught around a body."""
        return self.flight is not None and any(
            body_throw for _grasp, body_throw in self.flight.techniques
        )

    @property
    def plain(self) -> Toss:
        """The toss without a way around a body; its flight then follows from its neighbours."""
        return self._replace(flight=None) if self.is_around_body else self

    @property
    def landing(self) -> int:
        """The beat on which its prop is due again."""
        return self.throw.beat + self.throw.value

    def scaled(self, factor: int, origin_tick: int = 0) -> Toss:
        """Return the toss with its beat and value counted in parts of a beat.

        A toss is a throw, a hold or a rest on a table, of one prop on one beat. The times of its
        flight stay unchanged.

        Args:
            factor: number of parts of each beat.
            origin_tick: the number that the part at beat 0 gets.
        """
        throw = self.throw
        return self._replace(
            throw=throw._replace(beat=throw.beat * factor + origin_tick, value=throw.value * factor)
        )

    def retimed(self, time: Callable[[float], float]) -> Toss:
        """Return the toss with both times of its flight mapped by a function.

        A toss is a throw or a hold of one prop. A hold without a flight is returned unchanged.

        Args:
            time: returns the new time for an old one, as `Clock.time_at` returns seconds for beats.
        """
        if self.flight is None:
            return self
        flight = self.flight
        return self._replace(
            flight=flight._replace(
                throw_time=time(flight.throw_time), catch_time=time(flight.catch_time)
            )
        )


@dataclass(frozen=True)
class Clock:
    """Times of ticks: one tempo up to a tick, then another, with a smooth change between them.

    A tick is a beat, or an equal part of one where the user divides beats. The change takes
    `TEMPO_CHANGE` seconds. Clocks with several changes are a chain by `earlier`.

    Args:
        change_tick: the tick on which the tempo begins to change.
        change_time: the time of that tick, [s].
        initial_rate: tempo before, [ticks/s].
        final_rate: tempo afterwards, [ticks/s]; the same if the tempo is steady.
        earlier: the clock that holds up to that tick; None for a steady tempo.
    """

    change_tick: float
    change_time: float
    initial_rate: float
    final_rate: float
    earlier: Clock | None = None

    @classmethod
    def steady(cls, rate: float, start: float = 0.0) -> Clock:
        """Return a clock of one tempo [ticks/s], whose tick 0 is at a time [s]."""
        return cls(change_tick=0.0, change_time=start, initial_rate=rate, final_rate=rate)

    def changing(self, tick: float, rate: float) -> Clock:
        """Return this clock, which gives the times of ticks, with one more change of tempo.

        A tick is a part of a beat.

        Args:
            tick: the tick on which the change begins, not before the end of the last change.
            rate: the tempo after it, [ticks/s].
        """
        return Clock(
            change_tick=tick,
            change_time=self.time_at(tick),
            initial_rate=self.final_rate,
            final_rate=rate,
            earlier=self,
        )

    @property
    def change_end(self) -> tuple[float, float]:
        """The tick from which on the last tempo holds, and the time of that tick, [s]."""
        if self.initial_rate == self.final_rate:
            return self.change_tick, self.change_time
        # The tempo rises or falls symmetrically, so its mean over the change is that of both.
        ticks = TEMPO_CHANGE * (self.initial_rate + self.final_rate) / 2
        return self.change_tick + ticks, self.change_time + TEMPO_CHANGE

    def time_at(self, tick: float) -> float:
        """Return the time of a tick, a part of a beat; the tick may be a fraction, [s].

        The tempo is steady before a change and after it; in between it is a smooth step.
        """
        if tick <= self.change_tick:
            if self.earlier:
                return self.earlier.time_at(tick)
            return self.change_time + (tick - self.change_tick) / self.initial_rate
        end_tick, end_time = self.change_end
        if tick >= end_tick:
            return end_time + (tick - end_tick) / self.final_rate
        # Within the change. Let u, from 0 to 1, be the share of its time T (`TEMPO_CHANGE`, [s])
        # that is over. The tempo then is r + Δr · (3u² − 2u³), a smooth step from r to r + Δr. Its
        # integral gives the ticks since the change began:
        #   n(u) = T · (r · u + Δr · (u³ − u⁴/2)).
        # Newton's method solves n(u) = tick − change_tick. It starts from the share of ticks that
        # are over, which would be u in a steady tempo.
        ticks = tick - self.change_tick
        u = ticks / (end_tick - self.change_tick)
        rate = self.initial_rate
        rate_change = self.final_rate - rate
        for _ in range(_NEWTON_STEPS):
            ticks_at_u = TEMPO_CHANGE * (rate * u + rate_change * u**3 * (1 - u / 2))
            slope = TEMPO_CHANGE * (rate + rate_change * u * u * (3 - 2 * u))
            u -= (ticks_at_u - ticks) / slope
        return self.change_time + TEMPO_CHANGE * u

    def tick_at(self, time: float) -> float:
        """Return the tick at a time [s], a fraction: the inverse of `time_at`, found by bisection.

        A tick is a part of a beat. Times grow with ticks, so halving an interval from minus to plus
        a million ticks finds the tick to the last bit.
        """
        low = -_FARTHEST_TICK
        high = _FARTHEST_TICK
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if self.time_at(middle) <= time:
                low = middle
            else:
                high = middle
        return low

    def is_hurried(self, toss: Toss, ticks_per_beat: int) -> bool:
        """Return whether a tempo that still changes leaves a toss around a body too little time.

        Too little is less than `HURRIED_SHARE` (0.95) of its usual time, from when the hand sets
        out for its place behind the body until the catch. A toss that is neither thrown nor caught
        around a body is never hurried. A toss is a throw or a hold of one prop.

        Args:
            toss: a toss whose beat and times of flight are scaled to ticks, parts of a beat.
            ticks_per_beat: ticks in a beat, as this clock counts them.
        """
        if toss.flight is None or not toss.is_around_body:
            return False
        # The hand sets out for its place behind the body a beat before its throw, or before the
        # beat of the throw where that is earlier.
        start_tick = min(toss.throw.beat, toss.flight.throw_time) - ticks_per_beat
        catch_tick = toss.flight.catch_time
        duration_s = self.time_at(catch_tick) - self.time_at(start_tick)
        # What it takes at the last tempo, in ticks/s.
        usual_duration_s = (catch_tick - start_tick) / self.final_rate
        return duration_s < HURRIED_SHARE * usual_duration_s

    def since(self, time: float) -> Clock:
        """Return a clock that agrees with this one from a time [s] on, and forgets older changes.

        It keeps the changes of tempo after that time, and the last one that began before it.
        """
        earlier = self.earlier.since(time) if self.earlier and self.change_time > time else None
        return replace(self, earlier=earlier)

    def scaled(self, factor: int) -> Clock:
        """Return the clock that divides each tick of this one into `factor` ticks."""
        return Clock(
            change_tick=self.change_tick * factor,
            change_time=self.change_time,
            initial_rate=self.initial_rate * factor,
            final_rate=self.final_rate * factor,
            earlier=self.earlier and self.earlier.scaled(factor),
        )


class FlightProps:
    """Tells which prop of a choreography makes a flight at a time."""

    def __init__(self, choreography: Choreography) -> None:
        """Find the orbit of each flight, and when the orbit's first prop makes the flight.

        An orbit is the closed path that its props share, each one loop ahead of the one before.

        Args:
            choreography: the flights, in seconds, and the orbits, each with its flights in order.
        """
        self._loop = choreography.duration
        self._props_of_orbit = [props for _orbit, props in choreography.orbits_with_props]
        # By flight: its orbit, and when the first prop of the orbit makes it, [s]; perhaps some
        # loops after the first.
        self._orbit_of_flight = choreography.flight_links.orbit.tolist()
        self._first_throw_time = choreography.flight_links.throw_time.tolist()

    def prop(self, flight: int, throw_time: float) -> int:
        """Return the prop that makes a flight which begins at a time.

        Args:
            flight: index of the flight.
            throw_time: start of the flight, [s] since the start of the loop, in any loop. It is
                rounded to the nearest time at which the flight begins.
        """
        # The first prop of the orbit makes the flight at its first throw time, the next prop a loop
        # before that, and so on.
        props = self._props_of_orbit[self._orbit_of_flight[flight]]
        loops_before = round((self._first_throw_time[flight] - throw_time) / self._loop)
        return props.start + loops_before % (props.stop - props.start)


def prop_of_held_orbit(
    choreography: Choreography,
    pattern: Pattern,
    flying_throws: Container[int],
    throw_index: int,
    loop: int = 0,
) -> int:
    """Return which prop of a choreography makes a hold, where its orbit consists of holds only.

    An orbit is the closed path that some props share, each one loop ahead of the one before. Props
    of an orbit that consists of holds never fly, so no flight tells which is which.

    Args:
        choreography: its props are numbered orbit by orbit. It may have several loops of the
            pattern, but the same number of orbits without flights, in the same order.
        pattern: its throws and holds, and their orbits.
        flying_throws: indices of the throws of the pattern that are not holds.
        throw_index: index of the hold in the pattern.
        loop: the loop of the pattern in which it is made; below 0 before the first.
    """
    # Orbits of holds only come in the same order in the pattern and in the choreography.
    held_orbits = [
        orbit
        for orbit in pattern.orbits
        if not any(orbit_throw in flying_throws for orbit_throw in orbit.throws)
    ]
    held_props = [props for orbit, props in choreography.orbits_with_props if not orbit.flights]
    orbit, first_prop = next(
        (orbit, props.start)
        for orbit, props in zip(held_orbits, held_props, strict=True)
        if throw_index in orbit.throws
    )
    # The beat on which the orbit's first prop makes this hold, if its first throw is in loop 0.
    beat = pattern.throws[orbit.throws[0]].beat
    for earlier_throw in orbit.throws[: orbit.throws.index(throw_index)]:
        beat += pattern.throws[earlier_throw].value
    # The loop of that beat. The nth further prop of the orbit makes the hold n loops earlier.
    loop_of_first_prop = (beat - pattern.throws[throw_index].beat) // pattern.period
    return first_prop + (loop_of_first_prop - loop) % orbit.props


def states_before(
    tosses: Sequence[Toss], state_beats: Sequence[int], depth: int, hand_count: int
) -> States:
    """Return the states before the throws of given beats, from the tosses made until then.

    A toss is a throw, a hold or a rest on a table, of one prop; its landing is the beat on which
    the prop is due again.

    Args:
        tosses: in any order, at least those whose props have not landed before the given beats;
            later tosses, and those on a given beat itself, do not count for it.
        state_beats: the N beats.
        depth: how many beats ahead the states reach; props that land later are left out.
        hand_count: number of hands, H.

    Returns:
        `due`, shape (N, depth, H): numbers of props that land on each coming beat in each hand,
        first those on the given beat; and `since`, shape (N, H): how many beats ago each hand last
        made a toss of any kind, `_LONG_AGO` for longer or never.
    """
    due = np.zeros((len(state_beats), depth, hand_count), dtype=np.intp)
    since = np.full((len(state_beats), hand_count), _LONG_AGO)
    for state_row, beat in enumerate(state_beats):
        for toss in tosses:
            if toss.throw.beat >= beat:
                continue  # not yet made
            # A prop that landed before the beat is due where its next toss lands, another of these.
            if beat <= toss.landing < beat + depth:
                due[state_row, toss.landing - beat, catching_hand(toss.throw)] += 1
            hand = hand_of(toss.throw)
            since[state_row, hand] = min(since[state_row, hand], beat - toss.throw.beat)
    return States(due, since)


_MIN_CARRY = 0.03  # s, from a catch to its throw
_MIN_FLIGHT = 0.08  # s, from a throw to its catch
_ROOM_BEFORE_CATCH = 0.14  # s, comfortable time of a hand from a throw to its next catch
_EASY_CARRY = 0.12  # s, comfortable time from a catch to its throw
_RETURN_CARRY = 0.3  # s, carry before the throws that lead back to the start
_RETURN_HEIGHT = 0.6  # m, of the throws that lead back to the start
_MAX_RETURN_VALUE = 3.0  # beats; a return throw copies the positions of throws up to this value
_USUAL_GAP = 2.0  # beats between throws of a hand
_SAME_TIME = 1e-6  # s; events of a hand that are closer count as one
_TIME_DECIMALS = 9  # of times [s]: events of props thrown together get the very same one


class Present(NamedTuple):
    """The past that may no longer change.

    Attributes:
        tick: the first absolute tick that may change; tosses on earlier ticks are kept.
        time: no throw or catch is moved to a time before this, [s].
    """

    tick: int
    time: float


@dataclass(frozen=True, eq=False)
class Loop:
    """A choreography of tosses.

    Args:
        choreography: the choreography whose time 0 is that of the first beat.
        start: start of the loop, [s].
        props: for each of its props, the index that its tosses give it.
        tosses: all tosses except those that lead back, with their flights.
        pattern: all throws, including those that lead back.
    """

    choreography: Choreography
    start: float
    props: tuple[int, ...]
    tosses: tuple[Toss, ...]
    pattern: Pattern


class _EventKey(NamedTuple):
    """An event of a hand; props thrown or caught together share one."""

    time: float
    hand: int
    kind: int


class TossRing:
    """Tosses of a closed pattern: each lands where another one is made, in the same loop or later.

    A toss is a throw, a hold or a rest on a table, of one prop. Beats are ticks, parts of a beat.
    """

    def __init__(
        self,
        tosses: list[Toss],
        period: int,
        ticks_per_beat: int,
        jugglers: int,
        *,
        first_tick: int,
        start_time: float,
        duration: float,
    ) -> None:
        """Keep the tosses, and make a pattern of their throws, which finds their landings.

        A tick is the part of a beat in which all patterns are counted. A toss is a throw, a hold or
        a rest on a table, of one prop on one beat.

        Args:
            tosses: throws, holds and rests on tables, of one prop each, with ticks from 0 on. The
                times of their flights are not counted from the start of the loop, but from the same
                zero as `start_time`.
            period: length of the loop, in ticks.
            ticks_per_beat: ticks in a beat.
            jugglers: number of jugglers.
            first_tick: the absolute tick that is 0 here.
            start_time: the time of that tick, [s].
            duration: duration of the loop, [s].

        Raises:
            PatternError: throws do not land one for one where throws are made.
        """
        throws = tuple(toss.throw for toss in tosses)
        self.tosses = tosses
        self.pattern = Pattern(
            "",
            throws,
            period=period,
            written_period=period,
            jugglers=jugglers,
            division=ticks_per_beat,
        )
        self.first_tick = first_tick
        self.start_time = start_time
        self.duration = duration

    def flies(self, toss_index: int) -> bool:
        """Whether a toss begins a flight or a stay on a stand; a prop that is picked up is held."""
        toss = self.tosses[toss_index]
        return toss.flight is not None and not toss.throw.held

    def flight(self, toss_index: int) -> TossFlight:
        """The flight of a toss, by its index; the toss must have one."""
        flight = self.tosses[toss_index].flight
        assert flight is not None, "it flies"
        return flight

    def next_flight(self, toss_index: int) -> tuple[int, int]:
        """Find the next toss of the same prop that flies or rests, skipping holds.

        A toss is a throw, a hold or a rest on a table, of one prop on one beat. An orbit is the
        closed path that some props share, one loop apart.

        Args:
            toss_index: index of a toss. Its prop must fly or rest somewhere in its orbit; in an
                orbit of holds only, the search would never end.

        Returns:
            The index of the next toss, and how many loops after the loop of the given toss it is
            made: 0 in the same loop, 1 in the next one.
        """
        # `landings` has for each toss the toss that its prop makes next. `beat` is that of the
        # successor, counted from the start of the loop of the given toss, not modulo the loop.
        throws = self.pattern.throws
        beat = throws[toss_index].beat + throws[toss_index].value
        successor = self.pattern.landings[toss_index]
        while not self.flies(successor):
            beat += throws[successor].value
            successor = self.pattern.landings[successor]
        loops_later = (beat - throws[successor].beat) // self.pattern.period
        return successor, loops_later

    def arrival_times(self) -> dict[int, float]:
        """Arrival time, [s], of the prop of each toss that flies or rests, by toss index.

        A toss is a throw, a hold or a rest on a table, of one prop. Times are in the loop in which
        the toss is made, so a prop may have come before the start of the loop.
        """
        arrival_times = {}
        for toss_index in range(len(self.tosses)):
            if self.flies(toss_index):
                # The next toss of the prop, and how many loops later it is made.
                successor, loops_later = self.next_flight(toss_index)
                catch_time = self.flight(toss_index).catch_time
                arrival_times[successor] = catch_time - loops_later * self.duration
        return arrival_times

    def retime(
        self, toss_index: int, throw_time: float | None = None, catch_time: float | None = None
    ) -> None:
        """Set when a flight begins or ends, [s]; None leaves that time as it is."""
        flight = self.flight(toss_index)
        if throw_time is not None:
            flight = flight._replace(throw_time=throw_time)
        if catch_time is not None:
            flight = flight._replace(catch_time=catch_time)
        self.tosses[toss_index] = self.tosses[toss_index]._replace(flight=flight)

    def pick_up_at(self, toss_index: int, time: float) -> None:
        """Set the time at which a prop is picked up from a table.

        Two tosses store a rest on a table as their `flight`: the one that puts the prop down, and
        the one that picks it up, which holds the prop from then until it throws it. The
        `catch_time` of both is the end of the rest, which this sets.

        Args:
            toss_index: index of the toss that picks the prop up.
            time: end of the rest, [s], in the loop in which that toss is made.
        """
        self.retime(toss_index, catch_time=time)
        # `landings` has for each toss the next toss of its prop, so each toss is there once.
        source = self.pattern.landings.index(toss_index)
        if self.flies(source):  # it put the prop down; a hold has no rest that ends
            # It may be made in an earlier loop. Its own times count from there, so for it the rest
            # ends whole loops later. Its landing is the beat of the pick-up in one of the loops.
            beats_later = self.tosses[source].landing - self.tosses[toss_index].throw.beat
            loops_later = beats_later // self.pattern.period
            self.retime(source, catch_time=time + loops_later * self.duration)

    def number_props(self) -> None:
        """Number the props from 0 on, in the order in which they are thrown first.

        Each prop makes tosses (throws and holds) one after another, around a closed path. Of props
        thrown first on the same beat, that of the highest hand index comes first. The numbers are
        written into the tosses, as their `prop`.
        """
        # At the end of the loop each prop is in the air or held by exactly one toss: the one that
        # lands in a later loop. So these tosses stand for the props. Their landings are where the
        # props are first thrown, so props are numbered in the order of these.
        period = self.pattern.period
        over_the_end = [
            toss_index for toss_index, toss in enumerate(self.tosses) if toss.landing >= period
        ]
        over_the_end.sort(
            key=lambda toss_index: (
                self.tosses[toss_index].landing,
                -hand_of(self.tosses[toss_index].throw),
            )
        )
        for prop, start in enumerate(over_the_end):
            # Follow the prop from toss to toss through one loop, until it flies over the end again.
            toss_index = start
            while True:
                toss_index = self.pattern.landings[toss_index]
                self.tosses[toss_index] = self.tosses[toss_index]._replace(prop=prop)
                if self.tosses[toss_index].landing >= period:
                    break

    def time_flights(
        self,
        clock: Clock,
        juggled: Juggled,
        return_start: int,
        chosen: Collection[int] | None = None,
    ) -> None:
        """Replace tosses without a flight by tosses with one, unless they are holds.

        A toss is a throw, a hold or a rest on a table, of one prop. Throws get the flights that the
        hand style has for their values; return throws, which lead back to the start of the loop,
        get low and slow ones. Whether a toss is a hold (`throw.held`) is decided here by the timing
        of the whole ring, except for rests on tables. Rests without an end get one.

        Args:
            clock: times of ticks (parts of a beat), [s].
            juggled: the pattern whose dwell and hand style are used.
            return_start: index of the first return throw; all later tosses are return throws, too.
            chosen: indices of the only tosses that get a flight; None for all.
        """
        parameters = juggled.parameters
        style = STYLES[juggled.score.staging.style].shaped(parameters)  # with widths and heights
        # A hand usually throws every two beats and is empty for 2 - dwell of them. Where one rhythm
        # goes over into another it may throw on two beats in a row: then it is left as much time
        # without a prop, so the prop is carried for less.
        timing = time_throws(
            self.pattern,
            parameters.dwell,
            squeeze=parameters.squeeze_beats,
            dwell_gain=style.dwell_gain,
            least_empty=max(_USUAL_GAP - parameters.dwell, MIN_EMPTY),
            recorded_timing=style.recorded_timing(juggled.score.staging),
        )
        for toss_index, toss in enumerate(self.tosses):
            if chosen is not None and toss_index not in chosen:
                continue
            is_hold = timing.is_hold[toss_index]
            # For rests, `held` tells picking up from putting down: it must stay.
            if not toss.rests:
                toss = toss._replace(throw=toss.throw._replace(held=is_hold))
                self.tosses[toss_index] = toss
            if toss.flight is None and not is_hold:
                is_return = toss_index >= return_start
                flight = self._plain_flight(
                    toss_index,
                    style,
                    throw_time=clock.time_at(self.first_tick + timing.throw[toss_index]),
                    catch_time=clock.time_at(self.first_tick + timing.catch[toss_index]),
                    is_return=is_return,
                )
                if is_return:
                    flight = self._return_flight(toss_index, flight, clock)
                self.tosses[toss_index] = toss._replace(flight=flight)
        self._end_endless_rests()

    def _end_endless_rests(self) -> None:
        """Let props that were put down for good, caught at infinity, lie until they are taken back.

        In a ring each prop must get back to the start: its return throw, the next toss of the prop,
        takes it there. It is picked up `_RETURN_CARRY` (0.3 s) before that.
        """
        for toss_index, toss in enumerate(self.tosses):
            if toss.puts_down and self.flight(toss_index).catch_time == math.inf:
                return_throw = self.flight(self.pattern.landings[toss_index])
                self.retime(toss_index, catch_time=return_throw.throw_time - _RETURN_CARRY)

    def _plain_flight(
        self,
        toss_index: int,
        style: HandStyle,
        *,
        throw_time: float,
        catch_time: float,
        is_return: bool,
    ) -> TossFlight:
        """The flight of a throw between the points that a hand style has for throws of its value.

        The prop is thrown and caught with the palm up in front of the body, and does not bounce.

        Args:
            toss_index: index of the throw.
            style: the hand style, which tells where hands throw and catch.
            throw_time: start of the flight, [s].
            catch_time: end of the flight, [s].
            is_return: whether the throw leads back to the start of the loop.
        """
        throw = self.pattern.throws[toss_index]
        value = throw.value / self.pattern.division  # beats
        if is_return:
            # A return throw takes many beats but is kept low (see `_return_flight`), so the hands
            # are where they are for a lower value.
            value = min(value, _MAX_RETURN_VALUE)
        throw_point = style.throw_point(value, crosses=throw.hand != throw.to_hand)
        points = [throw_point, style.catch_point(value)]
        start, end = to_body_frame(points, np.array([hand_of(throw), catching_hand(throw)]))
        return TossFlight(throw_time, catch_time, start=start, end=end, techniques=(USUAL, USUAL))

    def _return_flight(self, toss_index: int, flight: TossFlight, clock: Clock) -> TossFlight:
        """The flight of a return throw, which leads back to the start of the loop: low and slow.

        It ends `_RETURN_CARRY` (0.3 s) before the prop is thrown in the next loop, and its gravity
        is so small that it is `_RETURN_HEIGHT` (0.6 m) high. If the next loop begins with the prop
        on a table, it does not fly but rests (lies) there from its throw time on, until it is
        picked up.

        Args:
            toss_index: index of the return throw.
            flight: the flight that a usual throw would have there.
            clock: times of ticks (parts of a beat), [s].
        """
        # The successor is made in the next loop, hence one duration of the loop later.
        successor = self.tosses[self.pattern.landings[toss_index]]
        if successor.picks_up and successor.flight is not None:
            rest = successor.flight
            return rest._replace(
                throw_time=flight.throw_time,
                catch_time=rest.catch_time + self.duration,
                end=rest.start,
                style=RESTING,
            )
        if successor.flight is None:
            # The successor is a hold: the prop must be in the hand before the beat of the hold.
            needed_time = clock.time_at(self.first_tick + successor.throw.beat)
            end = flight.end
        else:
            needed_time = successor.flight.throw_time
            end = successor.flight.start
        catch_time = needed_time - _RETURN_CARRY + self.duration
        # A flight of T seconds under gravity g is g · T² / 8 high.
        gravity = 8 * _RETURN_HEIGHT / (catch_time - flight.throw_time) ** 2
        return flight._replace(catch_time=catch_time, end=end, style=FlightStyle(gravity=gravity))

    def advance_crowded_throws(self, now: Present) -> None:
        """Make throws earlier where the hand would catch too soon afterwards.

        A throw should be made `_ROOM_BEFORE_CATCH` (0.14 s) before the next catch of its hand,
        though its prop should have been carried for `_EASY_CARRY` (0.12 s) first. Only catches of
        props that are already in the air count; later ones can be timed to fit. Props thrown
        together stay together, and nothing in the past is moved.

        Args:
            now: the tick (part of a beat) and time before which nothing may change any longer.
        """
        # Move all throws of a crowded hand on one beat together; `min`, so that none gets later.
        advanced_times = self._advanced_times(now)
        for toss_index, toss in enumerate(self.tosses):
            advanced_time = advanced_times.get((toss.throw.beat, hand_of(toss.throw)))
            if advanced_time is not None and self.flies(toss_index) and not toss.rests:
                self.retime(
                    toss_index, throw_time=min(advanced_time, self.flight(toss_index).throw_time)
                )

    def _advanced_times(self, now: Present) -> dict[tuple[int, int], float]:
        """The earlier times to which throws should move, [s], by beat and hand of the throws.

        They are left out where the hand has room before its next catch.

        Args:
            now: the tick (part of a beat) and time before which nothing may change any longer.
        """
        # When each hand catches the props thrown before `now`, [s].
        past_catches: dict[int, list[float]] = defaultdict(list)
        for toss_index, toss in enumerate(self.tosses):
            if self.flies(toss_index) and toss.throw.beat + self.first_tick < now.tick:
                past_catches[catching_hand(toss.throw)].append(self.flight(toss_index).catch_time)
        arrival_times = self.arrival_times()  # by toss: when its prop came to the hand, [s]

        # Of props thrown together the latest time holds, so that none is thrown before it can be.
        advanced_times: dict[tuple[int, int], float] = {}
        for toss_index, toss in enumerate(self.tosses):
            if not self._may_change(toss_index, now):
                continue
            hand = hand_of(toss.throw)
            throw_time = self.flight(toss_index).throw_time
            catches = [
                time
                for time in past_catches[hand]
                if throw_time < time < throw_time + _ROOM_BEFORE_CATCH
            ]
            if catches:
                # Early enough for the catch, but not too early for the prop, and never later.
                before_catch = min(catches) - _ROOM_BEFORE_CATCH
                earliest = max(arrival_times.get(toss_index, throw_time) + _EASY_CARRY, now.time)
                advanced = min(throw_time, max(before_catch, earliest))
                beat_and_hand = toss.throw.beat, hand
                latest = max(advanced_times.get(beat_and_hand, advanced), advanced)
                advanced_times[beat_and_hand] = latest
        return advanced_times

    def _may_change(self, toss_index: int, now: Present) -> bool:
        """Whether a toss is a flight, not a hold or a rest on a stand, and is not yet past."""
        toss = self.tosses[toss_index]
        return (
            self.flies(toss_index)
            and not toss.rests
            and toss.throw.beat + self.first_tick >= now.tick
        )

    def delay_early_throws(self, now: Present) -> None:
        """Delay throws and catches, so that no prop is thrown before it is caught.

        Flights that may change begin no sooner than now and take `_MIN_FLIGHT` (0.08 s) at least,
        and throws are made `_MIN_CARRY` (0.03 s) after the catch of the prop at least. Tosses
        (throws, holds and rests on tables) are gone through once in the order of beats, so a delay
        passes on to later ones.

        Args:
            now: the tick (part of a beat) and time before which nothing may change any longer.
        """
        for toss_index in range(len(self.tosses)):
            if not self.flies(toss_index):
                continue
            if self._may_change(toss_index, now):  # a flight that is not yet past
                throw_time = max(self.flight(toss_index).throw_time, now.time)
                catch_time = max(self.flight(toss_index).catch_time, throw_time + _MIN_FLIGHT)
                self.retime(toss_index, throw_time=throw_time, catch_time=catch_time)
            # The next flight of the prop, and how many loops later it is made.
            successor, loops_later = self.next_flight(toss_index)
            earliest = self.flight(toss_index).catch_time + _MIN_CARRY
            # A successor in a later loop never needs a delay: the return throws that lead there
            # take long enough.
            is_late = loops_later == 0 and self.flight(successor).throw_time < earliest
            if is_late and self.tosses[successor].throw.beat + self.first_tick >= now.tick:
                self.retime(successor, throw_time=earliest)

    def loop(
        self,
        juggled: Juggled,
        bodies: BodyKeyframes,
        looks: Sequence[PropLook],
        waypoints: Sequence[Waypoint],
        return_start: int,
    ) -> Loop:
        """Return the ring as a `Loop`: its choreography, and its tosses at absolute ticks.

        A ring is the tosses of one loop, which repeats; a toss is a throw, a hold or a rest on a
        table, of one prop on one tick, a part of a beat. All tosses that are not holds must have
        flights. Absolute times are counted from the same zero as `start_time`, and absolute ticks
        from that of `first_tick`, not from the start of the loop. Tosses that lead back to the
        start are part of the choreography, but not among the tosses of the result.

        Args:
            juggled: what is juggled, whose tempo, gravity, bounces and number of jugglers are taken
                over.
            bodies: keyframes of bodies (where each stands and faces at one time), at absolute
                times, [s].
            looks: looks (kind, size and colour) of props, by the indices that tosses give to them.
            waypoints: points that hands pass between throws and catches, at absolute times, [s].
            return_start: index of the first toss that leads back to the start; all after it do,
                too.
        """
        # Each toss that flies becomes a flight; holds are parts of the carries between them.
        flying = [toss_index for toss_index in range(len(self.tosses)) if self.flies(toss_index)]
        flight_of_toss = {toss_index: flight for flight, toss_index in enumerate(flying)}
        flights = [self.flight(toss_index) for toss_index in flying]
        # All events sorted by time, and the indices of those with which each flight begins and
        # ends.
        events, throw_events, catch_events = self._events(flying, waypoints)
        styles = tuple(flight.style for flight in flights)
        # Tempo, gravity, bounces and the manner of moving are those of what is juggled.
        source = juggled.choreography
        choreography = replace(
            source,
            duration=self.duration,
            bodies=bodies.retimed((bodies.time - self.start_time) % self.duration),
            rest=rest_positions(source.jugglers),
            events=events,
            flights=Flights(
                throw=throw_events,
                catch=catch_events,
                duration=np.array([flight.catch_time - flight.throw_time for flight in flights]),
                carry=self._carry_times(flying),
                # An empty tuple says that all flights are in plain air, without a style of their
                # own.
                style=styles if any(style != AIR for style in styles) else (),
            ),
            orbits=orbits_of_flights(self.pattern, flight_of_toss),
            looks=(),
        )
        # Props have one index in the choreography, which counts them orbit by orbit, and another in
        # the tosses. `props` has the latter for each prop of the choreography.
        props = self._props_in_tosses(choreography, flight_of_toss, return_start)
        if any(look != PropLook() for look in looks):
            choreography = replace(choreography, looks=tuple(looks[prop] for prop in props))
        # Back to absolute ticks; props that are put down, and were only taken back for the sake of
        # the loop, lie there for ever.
        tosses = tuple(
            _lying_forever(toss.scaled(1, self.first_tick)) for toss in self.tosses[:return_start]
        )
        return Loop(choreography, self.start_time, props=props, tosses=tosses, pattern=self.pattern)

    def _carry_times(self, flying: Sequence[int]) -> Floats:
        """Time from the catch of each flight to the next throw of its prop, shape (F,), [s].

        A toss is a throw, a hold or a rest on a table, of one prop.

        Args:
            flying: indices of the tosses that fly, one for each of the F flights.
        """
        carries = []
        for toss_index in flying:
            # The next flight of the prop, and how many loops later it is made.
            successor, loops_later = self.next_flight(toss_index)
            rethrow_time = self.flight(successor).throw_time + loops_later * self.duration
            carries.append(rethrow_time - self.flight(toss_index).catch_time)
        return np.array(carries)

    def _events(
        self, flying: Sequence[int], waypoints: Sequence[Waypoint]
    ) -> tuple[Events, Integers, Integers]:
        """Return the events in order, and the indices of each flight's throw and catch among them.

        A toss is a throw, a hold or a rest on a table, of one prop. Props that a hand throws, or
        catches, at the very same time share one event, at the mean of their positions: ticks give
        them equal times. Waypoints at the time of a throw or catch of their hand are left out, as a
        hand cannot be in two places at once.

        Args:
            flying: indices of the tosses that fly, one for each of the F flights.
            waypoints: points that hands pass between throws and catches, at absolute times, [s];
                equal ones count once.

        Returns:
            Three items: the throws, catches and waypoints, sorted by time within the loop, then by
            hand and kind; for each flight the index of its throw among these, shape (F,); and
            that of its catch, shape (F,).
        """
        # For each event the position and technique of every prop that takes part, and those of the
        # hand at a waypoint.
        places_of_event: dict[_EventKey, list[tuple[Floats, Technique]]] = defaultdict(list)
        throw_keys = []
        catch_keys = []
        for toss_index in flying:
            throw = self.pattern.throws[toss_index]
            flight = self.flight(toss_index)
            throw_technique, catch_technique = flight.techniques
            throw_keys.append(self._event_key(flight.throw_time, hand_of(throw), EventKind.THROW))
            places_of_event[throw_keys[-1]].append((flight.start, throw_technique))
            catch_keys.append(
                self._event_key(flight.catch_time, catching_hand(throw), EventKind.CATCH)
            )
            places_of_event[catch_keys[-1]].append((flight.end, catch_technique))

        hands_and_times = sorted((key.hand, key.time) for key in places_of_event)
        for point in waypoints:
            key = self._event_key(point.time, point.hand, point.kind)
            if not _has_event_at(hands_and_times, key.hand, key.time):
                places_of_event[key] = [(point.position, USUAL)]

        keys = sorted(places_of_event)
        events = _events_of_keys(keys, places_of_event)
        event_of_key = {key: event for event, key in enumerate(keys)}
        throw_events = np.array([event_of_key[key] for key in throw_keys], dtype=np.intp)
        catch_events = np.array([event_of_key[key] for key in catch_keys], dtype=np.intp)
        return events, throw_events, catch_events

    def _event_key(self, time: float, hand: int, kind: int) -> _EventKey:
        """Return the key of an event at an absolute time, [s]."""
        return _EventKey(self._time_in_loop(time), hand, kind)

    def _time_in_loop(self, time: float) -> float:
        """An absolute time as a time within the loop, at least 0 and below its duration, [s].

        It is rounded, so that times that differ by rounding errors only become equal. Rounding may
        give the very end of the loop, so the remainder is taken once more, which makes that 0.
        """
        return round((time - self.start_time) % self.duration, _TIME_DECIMALS) % self.duration

    def _props_in_tosses(
        self, choreography: Choreography, flight_of_toss: Mapping[int, int], return_start: int
    ) -> tuple[int, ...]:
        """Return for each prop of the choreography the index that the same prop has in the tosses.

        A toss is a throw, a hold or a rest on a table, of one prop, whose index is `Toss.prop`. The
        choreography counts props orbit by orbit instead; an orbit is the closed path that some
        props share. Both indices are known of the prop that makes a toss, so each toss tells one
        entry of the result.

        Args:
            choreography: choreography of this ring.
            flight_of_toss: for the index of each toss that flies, the index of its flight.
            return_start: index of the first toss that leads back to the start of the loop; tosses
                from there on are not read, as they may bring a prop to the place of another.

        Returns:
            Indices by prop of the choreography; −1 for a prop that makes no toss. If its tosses
            have different indices, that of the last one counts.
        """
        prop_in_tosses = [-1] * choreography.props
        flight_props = FlightProps(choreography)
        # Indices of the tosses in orbits that consist of holds only.
        tosses_of_held_orbits = set[int]()
        for orbit in self.pattern.orbits:
            if not any(toss_index in flight_of_toss for toss_index in orbit.throws):
                tosses_of_held_orbits.update(orbit.throws)
        for toss_index in range(return_start):
            if toss_index in tosses_of_held_orbits:
                prop = prop_of_held_orbit(choreography, self.pattern, flight_of_toss, toss_index)
            else:
                # The toss's flight and the time at which it begins tell the prop. A hold has no
                # flight: its prop is known by its next flight, which may be that of a toss from
                # `return_start` on.
                flying_toss = toss_index
                loops_later = 0
                if toss_index not in flight_of_toss:
                    flying_toss, loops_later = self.next_flight(toss_index)
                throw_time = self.flight(flying_toss).throw_time + loops_later * self.duration
                prop = flight_props.prop(flight_of_toss[flying_toss], throw_time - self.start_time)
            prop_in_tosses[prop] = self.tosses[toss_index].prop
        return tuple(prop_in_tosses)


def _events_of_keys(
    keys: Sequence[_EventKey],
    places_of_event: Mapping[_EventKey, Sequence[tuple[Floats, Technique]]],
) -> Events:
    """Return the events of hands that have given keys, in their order.

    Args:
        keys: time, hand and kind of each event.
        places_of_event: position, [m], and technique (grasp, and row of the body throw) of each
            prop that takes part in an event. The event is at the mean of the positions.
    """
    positions = [
        np.mean([position for position, _technique in places_of_event[key]], axis=0) for key in keys
    ]
    # An event has one technique only: the greatest, as the usual one is the least and any other was
    # asked for.
    techniques = [max(technique for _position, technique in places_of_event[key]) for key in keys]
    return Events(
        time=np.array([key.time for key in keys]),
        hand=np.array([key.hand for key in keys], dtype=np.intp),
        kind=np.array([key.kind for key in keys], dtype=np.intp),
        # Where all props are held there is no event: the empty array still needs 3 columns.
        position=np.array(positions, dtype=float).reshape(-1, 3),
    ).with_manners(np.array(techniques, dtype=np.intp).reshape(-1, 2))


def _has_event_at(hands_and_times: Sequence[tuple[int, float]], hand: int, time: float) -> bool:
    """Whether a hand has an event within `_SAME_TIME` of a time.

    Args:
        hands_and_times: hand and time [s] of all events, sorted.
        hand: 2 · juggler + side (0 left, 1 right).
        time: the time, [s].
    """
    # The first event from just before the time on, which may be one of a later hand.
    first = bisect_left(hands_and_times, (hand, time - _SAME_TIME))
    is_after_all = first == len(hands_and_times)
    return not is_after_all and hands_and_times[first] <= (hand, time + _SAME_TIME)


def _lying_forever(toss: Toss) -> Toss:
    """Return a toss that puts a prop down with a rest that never ends; other tosses unchanged.

    A toss is a throw, a hold, or the rest of a prop on a table. In a ring, whose tosses repeat,
    each rest must end, as the prop is taken back to the start; outside of it the prop lies for
    good.
    """
    if not toss.puts_down or toss.flight is None:
        return toss
    throw = toss.throw._replace(
        value=FOREVER, to_juggler=toss.throw.juggler, to_hand=toss.throw.hand
    )
    flight = toss.flight._replace(catch_time=math.inf, end=toss.flight.start)
    return toss._replace(throw=throw, flight=flight)
