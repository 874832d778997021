"""Tosses: throws on absolute beats, each with its flight and the prop that makes it; and the
clock that says when these beats are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, Events, FlightStyle, Score
from juggle_anim.choreography.choreography import AIR
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.pattern.joining import States
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of

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
_BISECTIONS = 80  # from ±1e6 beats to the last bit of a double
_FARTHEST_BEAT = 1e6  # between minus and plus this many beats a time is looked for

Technique = tuple[int, int]
"""How a hand throws or catches: a grasp and a row of a body throw, as a row of `Events.manners`."""


class Juggled(Protocol):
    """A pattern with its choreography, as an `Animation` and a `Segment` have it."""

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

    Times are in seconds; only the tosses that `Segment.tosses` returns have them in ticks.

    Attributes:
        throw_time: when it begins, [s]; −∞ for a rest that began before all that is known.
        catch_time: when it ends, [s]; ∞ for a rest that does not end.
        start: position of the throwing hand then, as in `Events`, [m].
        end: position of the catching hand, likewise.
        techniques: of the throw and of the catch.
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
            choreography: to which the flight belongs.
            flight_row: row of the flight in the flights of the choreography.
            throw_time: when it begins, in the unit that the result is to have, seconds or ticks.
            catch_time: when it ends, likewise.
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
        time: when, [s], absolute.
        hand: 2 · juggler + side.
        kind: as in `Events`, HOLD or MOVE.
        position: as in `Events`, [m].
    """

    time: float
    hand: int
    kind: int
    position: Floats


class Toss(NamedTuple):
    """A throw on one absolute beat: counted from one fixed start, not modulo a loop.

    Two kinds of tosses are no throws. A toss that puts a prop down has the rest of the prop as its
    flight; its value leads to the toss that picks it up again, or is `FOREVER`. A toss that picks a
    prop up is a hold until its throw (`held` is True), and its flight is the rest before.

    Attributes:
        throw: with its absolute beat.
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
        """Whether its prop is picked up: it is held until it is thrown."""
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

    def scaled(self, factor: int, shift: int = 0) -> Toss:
        """Return the toss with its beat and value counted in parts of a beat.

        The times of its flight stay as they are.

        Args:
            factor: into how many parts each of its beats is divided.
            shift: the part that its beat 0 becomes.
        """
        throw = self.throw
        return self._replace(
            throw=throw._replace(beat=throw.beat * factor + shift, value=throw.value * factor)
        )

    def retimed(self, time: Callable[[float], float]) -> Toss:
        """Return the toss with both times of its flight mapped by a function.

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
    """Times of beats: one tempo up to some beat, then another, with a smooth change between.

    The change takes `TEMPO_CHANGE` seconds. Clocks with several changes are a chain by `earlier`.
    Where beats are divided, "beat" is such a part.

    Args:
        change_beat: on which the tempo begins to change.
        change_time: of that beat, [s].
        initial_rate: tempo before, [beats/s].
        final_rate: tempo afterwards, [beats/s]; the same if the tempo is steady.
        earlier: the clock that holds up to that beat; None for a steady tempo.
    """

    change_beat: float
    change_time: float
    initial_rate: float
    final_rate: float
    earlier: Clock | None = None

    @classmethod
    def steady(cls, rate: float, start: float = 0.0) -> Clock:
        """Return a clock of one tempo [beats/s], whose beat 0 is at a time [s]."""
        return cls(change_beat=0.0, change_time=start, initial_rate=rate, final_rate=rate)

    def changing(self, beat: float, rate: float) -> Clock:
        """Return this clock with a change to another tempo [beats/s] that begins on a beat.

        The beat must not be before the last change is over, see `settled`.
        """
        return Clock(
            change_beat=beat,
            change_time=self.time_at(beat),
            initial_rate=self.final_rate,
            final_rate=rate,
            earlier=self,
        )

    @property
    def settled(self) -> tuple[float, float]:
        """The beat from which the last tempo holds, and the time of that beat, [s]."""
        if self.initial_rate == self.final_rate:
            return self.change_beat, self.change_time
        # The tempo rises or falls symmetrically, so its mean over the change is that of both.
        beats = TEMPO_CHANGE * (self.initial_rate + self.final_rate) / 2
        return self.change_beat + beats, self.change_time + TEMPO_CHANGE

    def time_at(self, beat: float) -> float:
        """Return the time of a beat, which may be a fraction, [s].

        The tempo is steady before a change and after it; in between it is a smooth step.
        """
        if beat <= self.change_beat:
            if self.earlier:
                return self.earlier.time_at(beat)
            return self.change_time + (beat - self.change_beat) / self.initial_rate
        settled_beat, settled_time = self.settled
        if beat >= settled_beat:
            return settled_time + (beat - settled_beat) / self.final_rate
        # Within the change. Let u, from 0 to 1, be the share of its time T that is over. The tempo
        # then is r + Δr · (3u² − 2u³), a smooth step from r to r + Δr. Its integral gives the beats
        # since the change began:
        #   b(u) = T · (r · u + Δr · (u³ − u⁴/2)).
        # Newton's method solves b(u) = beat − first beat of the change. It starts from the share of
        # beats that are over, which would be u in a steady tempo.
        beats = beat - self.change_beat
        u = beats / (settled_beat - self.change_beat)
        rate = self.initial_rate
        rate_change = self.final_rate - rate
        for _ in range(_NEWTON_STEPS):
            beats_at_u = TEMPO_CHANGE * (rate * u + rate_change * u**3 * (1 - u / 2))
            slope = TEMPO_CHANGE * (rate + rate_change * u * u * (3 - 2 * u))
            u -= (beats_at_u - beats) / slope
        return self.change_time + TEMPO_CHANGE * u

    def beat_at(self, time: float) -> float:
        """Return the beat at a time [s], a fraction: the inverse of `time_at`, found by bisection.

        Times grow with beats, so halving the interval that has it finds it to the last bit. It is
        sought between minus and plus a million beats.
        """
        low = -_FARTHEST_BEAT
        high = _FARTHEST_BEAT
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if self.time_at(middle) <= time:
                low = middle
            else:
                high = middle
        return low

    def hurries(self, toss: Toss, ticks_per_beat: int) -> bool:
        """Return whether a toss around a body has much less time than in the last tempo.

        That is less than `HURRIED_SHARE` of its time there, from when the hand sets out for its
        place behind the body until the catch. A toss that is neither thrown nor caught around a
        body is never hurried.

        Args:
            toss: with the times of its flight in ticks.
            ticks_per_beat: ticks in a beat, as this clock counts them.
        """
        if toss.flight is None or not toss.is_around_body:
            return False
        # The hand sets out for its place behind the body a beat before it throws.
        start_tick = min(toss.throw.beat, toss.flight.throw_time) - ticks_per_beat
        catch_tick = toss.flight.catch_time
        # The time that this takes, as ticks of the last tempo, against its usual ticks.
        duration_s = self.time_at(catch_tick) - self.time_at(start_tick)
        return duration_s * self.final_rate < HURRIED_SHARE * (catch_tick - start_tick)

    def since(self, time: float) -> Clock:
        """Return a clock that agrees with this one from a time [s] on, and forgets older changes.

        It keeps the changes of tempo after that time, and the last one that began before it.
        """
        earlier = self.earlier.since(time) if self.earlier and self.change_time > time else None
        return replace(self, earlier=earlier)

    def scaled(self, factor: int) -> Clock:
        """Return the clock that counts parts of this one's beats, `factor` of them in each."""
        return Clock(
            change_beat=self.change_beat * factor,
            change_time=self.change_time,
            initial_rate=self.initial_rate * factor,
            final_rate=self.final_rate * factor,
            earlier=self.earlier and self.earlier.scaled(factor),
        )


class _OrbitStart(NamedTuple):
    """The orbit of a flight.

    Attributes:
        first_prop: index of the first prop of the orbit.
        props: how many props the orbit has.
        since: when the first prop of the orbit begins this flight, [s]. It goes on from the time of
            the orbit's first flight, and may be loops later than in the choreography.
    """

    first_prop: int
    props: int
    since: float


class FlightProps:
    """Tells which prop of a choreography makes a flight at a time.

    Args:
        choreography: whose props, flights and orbits they are.
    """

    def __init__(self, choreography: Choreography) -> None:
        """Find the orbit of each flight, and when its first prop begins the flight."""
        self._loop = choreography.duration
        self._orbits: dict[int, _OrbitStart] = {}  # by the row of a flight
        events = choreography.events
        flights = choreography.flights
        # Props are numbered orbit by orbit. The first of an orbit makes its first flight, and each
        # next flight after the duration of the one before and the time for which it is carried.
        first_prop = 0
        for orbit in choreography.orbits:
            since = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
            for flight_row in orbit.flights:
                self._orbits[flight_row] = _OrbitStart(first_prop, orbit.props, since)
                since += float(flights.duration[flight_row] + flights.carry[flight_row])
            first_prop += orbit.props

    def prop(self, flight_row: int, throw_time: float) -> int:
        """Return the prop that makes a flight which begins at a time.

        Args:
            flight_row: row of the flight.
            throw_time: when it begins, [s] since the start of the loop, in any round. It is rounded
                to the nearest time at which the flight begins.
        """
        orbit = self._orbits[flight_row]
        # The props of an orbit make each flight one loop after another: the first prop at `since`,
        # the next one a loop before that, and so on.
        laps = round((orbit.since - throw_time) / self._loop)
        return orbit.first_prop + laps % orbit.props


def states_before(tosses: Sequence[Toss], beats: Sequence[int], depth: int, hands: int) -> States:
    """Return the states before the throws of some beats, from the tosses made until then.

    Args:
        tosses: all whose props are in the air or in hands then, in any order; those on the beats
            themselves or later are left out.
        beats: N beats.
        depth: how many beats ahead the states reach; what lands later is left out.
        hands: number of hands, H.

    Returns:
        `due` of shape (N, depth, H), props due on each coming beat in each hand, the given beat
        first; `since` of shape (N, H), how many beats ago each hand last threw, and 1000 for a hand
        that threw nothing.
    """
    due = np.zeros((len(beats), depth, hands), dtype=np.intp)
    since = np.full((len(beats), hands), _LONG_AGO)
    for row, beat in enumerate(beats):
        for toss in tosses:
            if toss.throw.beat >= beat:
                continue
            if beat <= toss.landing < beat + depth:
                due[row, toss.landing - beat, catching_hand(toss.throw)] += 1
            hand = hand_of(toss.throw)
            since[row, hand] = min(since[row, hand], beat - toss.throw.beat)
    return States(due, since)
