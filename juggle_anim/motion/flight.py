"""Flights: the parabolas of props from throw to catch, bounces included.

Paths of props in flight and in hands, and the last throw of each prop at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, solve_bounce
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate
from juggle_anim.motion.prop_shapes import Grips


@dataclass(frozen=True)
class Parabolas:
    """The parts of F flights under gravity alone, L rows sorted by flight and time.

    A flight's first parabola begins with the throw, and each further one with a bounce.

    Args:
        flight: shape (L,), the flight of each.
        since: shape (L,), when it starts, since the throw of the flight, [s]; 0 for the first.
        duration: shape (L,), [s].
        position: shape (L, 3), of the prop at its start, in the world, [m].
        velocity: shape (L, 3), then, [m/s].
        gravity: shape (L,), [m/s²].
    """

    flight: Integers
    since: Floats
    duration: Floats
    position: Floats
    velocity: Floats
    gravity: Floats

    @cached_property
    def first(self) -> Integers:
        """The first row of each flight, shape (F,)."""
        return np.flatnonzero(self.since == 0.0)

    def apexes(self) -> Floats:
        """The highest point of each parabola, shape (L, 3), in the world, [m].

        That is an end of a parabola which only falls or only rises.
        """
        # The time at which it stops rising, bounded by its start and its end.
        gravity = self.gravity[:, None]
        time = np.minimum(np.maximum(self.velocity[:, 1:2], 0.0) / gravity, self.duration[:, None])
        return self.position + self.velocity * time - gravity * time**2 / 2 * (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FlightPaths:
    """The flights of a choreography, F rows; vectors have shape (F, 3).

    Args:
        start: the start of the centre at the throw, in the world, [m].
        launch: velocity at the throw, [m/s].
        arrival: velocity at the catch, [m/s].
        grip_launch, grip_arrival: velocities of the gripped point of the prop at throw and catch,
            in the frames of the throwing and the catching body.
        parabolas: the parabolas of all flights, one more than bounces of each.
        duration: shape (F,), [s].
        grips: places of props in hands after the catch.
    """

    start: Floats
    launch: Floats
    arrival: Floats
    grip_launch: Floats
    grip_arrival: Floats
    parabolas: Parabolas
    duration: Floats
    grips: Grips


@dataclass(frozen=True)
class Centres:
    """Centres of props relative to where hands grip them at F flights, shape (F, 3) each.

    Args:
        at_throw, at_catch: in the frames of the throwing and the catching body, [m].
        throw_rate, catch_rate: their velocities, in the same frames, [m/s].
    """

    at_throw: Floats
    at_catch: Floats
    throw_rate: Floats
    catch_rate: Floats


def solve_flights(
    choreography: Choreography,
    bodies: Bodies,
    grips: Grips,
    radius: float = 0.0,
    centres: Centres | None = None,
) -> FlightPaths:
    """Solve for the parabolas that take each prop from throw to catch in its time.

    Args:
        choreography: the events (throws and catches, whose positions are seen from the bodies), and
            F flights, whose `throw` and `catch` are rows of events.
        bodies: bodies of the jugglers; they take points and velocities to the world and back.
        grips: places of props in hands: offsets from the hand (`places`), of which those of flight
            f are from `first[f]` to `last[f]`.
        radius: height of centres above the floor, or another plane, at bounces, [m].
        centres: centres of the props relative to where they are gripped; None for balls, which are
            gripped at their centres.

    Returns:
        Positions and velocities at throws and catches, and all parabolas, F rows or more.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its time.
    """
    events = choreography.events
    flights = choreography.flights
    thrown = flights.throw
    caught = flights.catch

    # Ends of flights are the centre of the prop: hand + grip + way from grip to centre in body
    # frames, then in the world. A prop is thrown from the last place in the hand to which the
    # flight before led (`rounds.before`), and caught at the first place after the catch. A hand is
    # 2 · juggler + side, so hand // 2 is the juggler.
    throw_point = events.position[thrown] + grips.places[grips.last[choreography.rounds.before]]
    catch_point = events.position[caught] + grips.places[grips.first]
    if centres:
        throw_point = throw_point + centres.at_throw
        catch_point = catch_point + centres.at_catch
    start = bodies.to_world([throw_point], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([catch_point], events.hand[caught] // 2, events.time[caught])

    # Without bounces the velocity is Δx / t + g t / 2 at the throw and Δx / t − g t / 2 at the
    # catch, with the terms of gravity upward.
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean_velocity = (end - start) / duration
    climb = gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    launch = mean_velocity + climb
    arrival = mean_velocity - climb

    # Those of flights with bounces are replaced. (`flights.style` is empty if no flight has any.)
    bounces: list[_Bounce] = []
    for flight, style in enumerate(flights.style):
        if style.bounces:
            launch[flight], bounces_of_flight = _bounces(
                choreography,
                flight,
                start=start[flight],
                end=end[flight],
                gravity=float(gravity[flight]),
                radius=radius,
            )
            # At the catch the prop has the velocity after the last bounce, less the speed that
            # gravity has taken since then.
            last_bounce = bounces_of_flight[-1]
            time_since_bounce = float(flights.duration[flight]) - last_bounce.since
            lost_to_gravity = (0.0, time_since_bounce * gravity[flight], 0.0)
            arrival[flight] = last_bounce.velocity - lost_to_gravity
            bounces += bounces_of_flight
    parabolas = _all_parabolas(start, launch, bounces, gravity, flights.duration)

    # Velocities of the gripped points, in body frames: those of centres, less those of centres
    # relative to the grips.
    grip_launch = bodies.from_world(
        launch, throw_point, events.hand[thrown] // 2, events.time[thrown]
    )
    grip_arrival = bodies.from_world(
        arrival, catch_point, events.hand[caught] // 2, events.time[caught]
    )
    if centres:
        grip_launch = grip_launch - centres.throw_rate
        grip_arrival = grip_arrival - centres.catch_rate
    return FlightPaths(
        start=start,
        launch=launch,
        arrival=arrival,
        grip_launch=grip_launch,
        grip_arrival=grip_arrival,
        parabolas=parabolas,
        duration=flights.duration,
        grips=grips,
    )


class _Bounce(NamedTuple):
    """A bounce of a flight.

    Args:
        flight: index of the flight.
        since: time since its throw, [s].
        position: the position of the centre then, in the world, shape (3,), [m].
        velocity: the velocity of the centre after the bounce, in the world, shape (3,), [m/s].
    """

    flight: int
    since: float
    position: Floats
    velocity: Floats


def _bounces(
    choreography: Choreography,
    flight: int,
    *,
    start: Floats,
    end: Floats,
    gravity: float,
    radius: float,
) -> tuple[Floats, list[_Bounce]]:
    """Solve for the velocity at the throw and for all bounces of a flight.

    Args:
        choreography: its flights are read.
        flight: index of a flight that bounces.
        start, end: its centre at the start and at the end, in the world, shape (3,) each, [m].
        gravity: acceleration by gravity, downward positive, [m/s²].
        radius: height of the prop's centre above the plane when it touches the plane, [m].

    Returns:
        The velocity at the throw, shape (3,), in the world, [m/s], and one or more bounces in order
        of time.

    Raises:
        ChoreographyError: the prop cannot bounce as required in its time.
    """
    style = choreography.flights.style[flight]
    # Share of its energy, and so of its height, that a prop keeps at a bounce.
    fraction = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(
        start=float(start[1]),
        end=float(end[1]),
        duration=duration,
        gravity=gravity,
        kept_energy=fraction,
        style=style,
        radius=radius,
        slow=choreography.slow_bounces,
    )
    if bounce is None:
        raise ChoreographyError(
            _(
                "a prop cannot bounce {bounces} times in {duration:.2f} s",
                bounces=style.bounces,
                duration=duration,
            )
        )
    # Bounces change the vertical velocity only; the horizontal one is constant. `below_start` is
    # the point straight below the start at the height at which the centre bounces. In the solution
    # `hits` are the times of the bounces since the throw, [s], `rises` the vertical speeds after
    # them and `launch` that at the throw, upward positive, [m/s].
    horizontal = (end - start) / duration * (1.0, 0.0, 1.0)
    below_start = np.array([start[0], bounce.height, start[2]])
    bounces = [
        _Bounce(flight, since, below_start + horizontal * since, horizontal + (0.0, speed, 0.0))
        for since, speed in zip(bounce.hits, bounce.rises, strict=True)
    ]
    return horizontal + (0.0, bounce.launch, 0.0), bounces


def _all_parabolas(
    start: Floats, launch: Floats, bounces: list[_Bounce], gravity: Floats, duration: Floats
) -> Parabolas:
    """Join the parabolas that begin with throws and those that begin with bounces.

    Args:
        start: places of centres at the throws, in the world, shape (F, 3), [m].
        launch: velocities there, shape (F, 3), [m/s].
        bounces: bounces of all flights, in any order; may be empty.
        gravity: gravity of each flight, shape (F,), [m/s²].
        duration: duration of each flight, shape (F,), [s].

    Returns:
        Parabolas sorted by flight and time.
    """
    flight = np.arange(len(start))
    since = np.zeros(len(start))
    if not bounces:
        return Parabolas(
            flight=flight,
            since=since,
            duration=duration,
            position=start,
            velocity=launch,
            gravity=gravity,
        )
    flight = np.concatenate([flight, [bounce.flight for bounce in bounces]])
    since = np.concatenate([since, [bounce.since for bounce in bounces]])
    position = np.concatenate([start, [bounce.position for bounce in bounces]])
    velocity = np.concatenate([launch, [bounce.velocity for bounce in bounces]])
    order = np.lexsort((since, flight))
    flight = flight[order]
    since = since[order]
    # Each lasts until the next of its flight begins, which is the next row, and the last one until
    # the catch. Times are since the throw.
    is_last = np.append(flight[1:] != flight[:-1], True)
    ends = np.where(is_last, duration[flight], np.roll(since, -1))
    return Parabolas(
        flight=flight,
        since=since,
        duration=ends - since,
        position=position[order],
        velocity=velocity[order],
        gravity=gravity[flight],
    )


def _gravities(choreography: Choreography) -> Floats:
    """Gravity of each flight, shape (F,), downward, [m/s²]: its style's, or else the usual one."""
    usual = choreography.gravity
    if not choreography.flights.style:
        return np.full(len(choreography.flights.throw), usual)
    return np.array(
        [usual if style.gravity is None else style.gravity for style in choreography.flights.style]
    )


def props_held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """Return the number of props that hands hold at given times of the loop, shape (N,).

    A carry is the time from the catch of a prop to its next throw.

    Args:
        choreography: one loop of events.
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        times: time of each, shape (N,), in the loop, [s]; a throw or catch at that time has
            happened.
    """
    # A carry begins with the catch of a flight, `previous`, and ends with the throw of the next one
    # from the same hand. Both times are in the loop, so `caught` may be after `thrown`.
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    previous = choreography.rounds.before  # the flight that the same prop makes before each
    caught = events.time[flights.catch[previous]]
    thrown = events.time[flights.throw]
    holder = events.hand[flights.throw]

    # Props in each hand at the start of the loop: for each carry as many as starts of loops fall
    # into it, since each loop begins one such carry; and props that are never thrown. The catch
    # plus the carry is the throw plus a whole number of loops, except for rounding.
    held_at_start = np.zeros(len(choreography.rest), dtype=np.intp)  # by hand
    np.add.at(
        held_at_start,
        holder,
        np.rint((caught + flights.carry[previous] - thrown) / loop).astype(np.intp),
    )
    for orbit in choreography.orbits:
        held_at_start[orbit.hand] += 0 if orbit.flights else orbit.props

    # Catches and throws since the start of the loop, counted by one search for all hands: on a
    # common axis of time each hand has a span of its own, twice as long as the loop so that spans
    # never touch. "right" counts an event at the given time, and "left" counts one at the start of
    # the loop, which `held_at_start` does not include.
    hand_span = 2 * loop
    times_by_hand = hand * hand_span + times
    hand_start = hand * hand_span
    catch_times = np.sort(holder * hand_span + caught)
    throw_times = np.sort(holder * hand_span + thrown)
    catches, throws = (
        np.searchsorted(ends, times_by_hand, side="right")
        - np.searchsorted(ends, hand_start, side="left")
        for ends in (catch_times, throw_times)
    )
    held: Integers = held_at_start[hand] + catches - throws
    return held


MAX_SINK = 0.015
"""How far a prop that arrives faster than the hand moves may sink into it, [m]: as far as makes the
peak of caught balls the recorded one, 5 g. Palms give way by as much.
"""

_FIRM_SINK = 0.005  # m, likewise into hands whose palms do not give way

MIN_CARRY = 1e-9
"""A prop with a shorter carry is hit and not held, [s]."""

_MAX_SINK_TIME = 0.12  # s, in which a prop comes to rest in the hand

# The share of its time in one place of the hand that a prop takes to glide to the next.
_GLIDE_SHARE = 0.3

# Maximum of u(1−u)³, the shape of sinking in, at u = 1/4.
_SINK_PEAK = 27 / 256


@dataclass(frozen=True)
class PropPaths:
    """Paths of P props: one for each orbit and kind of prop, whose props follow it loops apart.

    Args:
        paths: all orbits for the first kind, then for the next; while a prop is held its path is
            that of its grip relative to the hand, in the frame of the body.
        holder: shape (S,), the hand that holds the prop on each piece, −1 in flight.
        orbit: shape (P,), the orbit of each prop.
        path: shape (P,), the path that each prop follows, an index in `paths`.
        lead: shape (P,), how far each prop is ahead on its path, [s].
    """

    paths: PiecewisePolynomial
    holder: Integers
    orbit: Integers
    path: Integers
    lead: Floats

    def contacts(self, prop: int, start: float, end: float) -> Floats:
        """Times at which a prop is thrown, caught or bounces within a span.

        Args:
            prop: index of the prop.
            start, end: start and end of the span, both included, [s]; any values, as the motion
                repeats.

        Returns:
            Shape (N,), [s], ascending; empty for a prop that is always held.
        """
        # A prop goes round its path again and again, each time in one period.
        contacts_in_round = self._contacts_in_round(prop)  # s since the start of the round
        period = self.paths.periods[self.path[prop]]
        lead = self.lead[prop]
        # Contacts of all rounds of the orbit that touch the span, then those within it. A prop that
        # is `lead` ahead is at the time t where its path is at t + lead.
        rounds = np.arange(np.floor((start + lead) / period), np.floor((end + lead) / period) + 1)
        times = (rounds[:, None] * period + contacts_in_round).ravel() - lead
        times_in_span: Floats = times[(times >= start) & (times <= end)]
        return times_in_span

    def contact_rate(self, prop: int) -> float:
        """Rate of throws, catches and bounces of a prop, [1/s]."""
        return len(self._contacts_in_round(prop)) / float(self.paths.periods[self.path[prop]])

    def _contacts_in_round(self, prop: int) -> Floats:
        """Times of throws, catches and bounces in one round of a prop's path.

        Returns:
            Shape (N,), since the start of the round, [s], ascending.
        """
        path = self.path[prop]
        pieces = slice(self.paths.first[path], self.paths.last[path] + 1)
        holder = self.holder[pieces]
        # Contacts are at the starts of pieces: a piece in flight (holder −1) starts with a throw or
        # a bounce, and a piece after one in flight with a catch or a bounce. Before the first piece
        # of the round comes the last one.
        starts: Floats = self.paths.start[pieces][(holder < 0) | (np.roll(holder, 1) < 0)]
        return starts


def prop_paths(
    choreography: Choreography,
    flight_paths: Sequence[FlightPaths],
    kind: Integers,
    hand_velocities: Floats,
) -> PropPaths:
    """Return the paths of all props, through flights and carries.

    An orbit is the closed path that its props share. All props of an orbit follow one path, each
    one loop behind the one before. If props have several kinds (which fly differently), each orbit
    has a path for each kind.

    Args:
        choreography: its flights and orbits are read.
        flight_paths: flight paths of each kind of prop, one or more.
        kind: shape (P,), index in `flight_paths` of the kind of each prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].
    """
    # For each kind the paths along all O orbits, and the holders on their pieces. So path
    # o + O · k of the joined table is that of kind k along orbit o.
    orbits = choreography.orbits
    loop = choreography.duration
    tables = [_orbit_paths(choreography, flights, hand_velocities) for flights in flight_paths]
    # Props are in the order of their orbits; on one orbit, prop i is i loops ahead of the first.
    orbit = np.repeat(np.arange(len(orbits)), [orbit.props for orbit in orbits])
    return PropPaths(
        paths=concatenate([paths for paths, _ in tables]),
        holder=np.concatenate([holder for _, holder in tables]),
        orbit=orbit,
        path=orbit + len(orbits) * kind,
        lead=np.concatenate([np.arange(orbit.props) * loop for orbit in orbits] or [np.zeros(0)]),
    )


class _Pieces(NamedTuple):
    """N pieces of the paths of props.

    Args:
        orbit: shape (N,), on which each is.
        start: shape (N,), along the orbit, [s].
        holder: shape (N,), the hand that holds the prop, −1 in flight.
        coefficients: shape (N, 5, 3), of quartics, as from `_quartics`.
    """

    orbit: Integers
    start: Floats
    holder: Integers
    coefficients: Floats


def _orbit_paths(
    choreography: Choreography, flight_paths: FlightPaths, hand_velocities: Floats
) -> tuple[PiecewisePolynomial, Integers]:
    """Return the paths of one kind of prop along all orbits, and which hand holds it on each piece.

    An orbit is the closed path that its props share, each one loop behind the one before.

    Args:
        choreography: its flights and orbits are read.
        flight_paths: flight paths of this kind of prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].

    Returns:
        Paths with S pieces, one path for each orbit; and the hand on each piece, 2 · juggler +
        side, or −1 in flight, shape (S,).
    """
    orbits = choreography.orbits
    # For each flight its orbit, and when the orbit's first prop makes it, in a count that goes on
    # beyond the end of the loop, s.
    rounds = choreography.rounds
    parabolas = flight_paths.parabolas
    periods = np.array([orbit.props for orbit in orbits]) * choreography.duration

    # A prop that is never thrown has one constant piece: its grip in the hand.
    held_orbits = np.array(
        [index for index, orbit in enumerate(orbits) if not orbit.flights], dtype=np.intp
    )
    always_held = _Pieces(
        orbit=held_orbits,
        start=np.zeros(len(held_orbits)),
        holder=np.array([orbits[index].hand for index in held_orbits], dtype=np.intp),
        coefficients=_quartics(flight_paths.grips.held[held_orbits]),
    )

    # Flights: position + velocity · u − ½ g u² upward, in the world, u the time since the throw or
    # bounce with which a parabola begins.
    half_gravity = parabolas.gravity[:, None] / 2 * (0.0, -1.0, 0.0)
    in_flight = _Pieces(
        orbit=rounds.orbit[parabolas.flight],
        start=rounds.thrown[parabolas.flight] + parabolas.since,
        holder=np.full(len(parabolas.flight), -1),
        coefficients=_quartics(parabolas.position, parabolas.velocity, half_gravity),
    )

    carries = _carry_pieces(choreography, flight_paths, hand_velocities)
    orbit, start, holder, coefficients = (
        np.concatenate(column) for column in zip(always_held, *carries, in_flight, strict=True)
    )
    # Starts beyond the first round of an orbit are moved into it by whole rounds, as paths repeat.
    start %= periods[orbit]
    order = np.lexsort((start, orbit))
    paths = PiecewisePolynomial(periods, orbit[order], start[order], coefficients[order])
    return paths, holder[order]


def _carry_pieces(
    choreography: Choreography, flight_paths: FlightPaths, hand_velocities: Floats
) -> Iterator[_Pieces]:
    """Yield the pieces of carries: where props lie relative to the hands, in body frames.

    A caught prop sinks into the hand and comes back, and then lies still. If it is carried for so
    long that it must make room for others, it glides from place to place and lies still in each. In
    the end it sinks in once more and leaves with the velocity of its throw. Props that are hit, and
    not carried, have no pieces.

    Args:
        choreography: its flights and orbits are read.
        flight_paths: flight paths of one kind of prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].

    Yields:
        The sinking in of all carries, then the rests after it, then (if there are any) all glides
        and the rests after them, and last the rises of all carries; not sorted by orbit or time.
    """
    # Rows below are the carries longer than `MIN_CARRY`, in the order of the flights that they
    # follow.
    flights = choreography.flights
    rounds = choreography.rounds
    grips = flight_paths.grips
    rows = (flights.carry > MIN_CARRY).nonzero()[0]
    next_flight = rounds.following[rows]
    carry = flights.carry[rows]
    caught = rounds.caught[rows]
    # Velocities of props relative to the hands, at the catch and at the throw that ends the carry,
    # with which the next flight on the orbit begins.
    inward = (flight_paths.grip_arrival - hand_velocities[flights.catch])[rows]
    outward = (flight_paths.grip_launch - hand_velocities[flights.throw])[next_flight]
    # A prop stays equally long in each of its places in the hand: a stage for each.
    first = grips.first[rows]
    last = grips.last[rows]
    stage_time = carry / (last - first + 1)
    # Palms of jugglers who throw around the body (`body_throw` is not None) do not give way.
    max_sink = MAX_SINK if choreography.events.body_throw is None else _FIRM_SINK  # m
    # How long the prop sinks in after the catch, and rises before the throw, s.
    sink_time, rise_time = _sink_times(np.array([inward, outward]), stage_time, max_sink)
    orbit = rounds.orbit[rows]
    hand = choreography.events.hand[flights.catch[rows]]
    first_place = grips.places[first]
    last_place = grips.places[last]

    # Sinking in, then rest in the first place.
    sinking = _quartics(first_place, *_sinking(inward, sink_time[:, None]))
    yield _Pieces(orbit, caught, hand, sinking)
    yield _Pieces(orbit, caught + sink_time, hand, _quartics(first_place))

    # At the end of each stage except the last, a glide to the next place by the smooth step
    # 3x² − 2x³, then rest in it. There is a row for each glide: `carry_row` is its carry, and
    # `stage` the number, from 1, of the stage of that carry to which it leads (`searchsorted`
    # gives the first row of the carry).
    moving = (last > first).nonzero()[0]
    if moving.size:
        carry_row = np.repeat(moving, (last - first)[moving])
        stage = 1 + np.arange(len(carry_row)) - np.searchsorted(carry_row, carry_row)
        from_place = grips.places[first[carry_row] + stage - 1]
        to_place = grips.places[first[carry_row] + stage]
        shift = to_place - from_place
        arrives = caught[carry_row] + stage * stage_time[carry_row]
        glide = _GLIDE_SHARE * stage_time[carry_row]
        glide_time = glide[:, None]
        gliding = _quartics(
            from_place, 0 * shift, 3 * shift / glide_time**2, -2 * shift / glide_time**3
        )
        yield _Pieces(orbit[carry_row], arrives - glide, hand[carry_row], gliding)
        yield _Pieces(orbit[carry_row], arrives, hand[carry_row], _quartics(to_place))

    # Rising to leave, from the last place, up to the end of the carry.
    rising = _quartics(last_place, *_rising(outward, rise_time[:, None]))
    yield _Pieces(orbit, caught + carry - rise_time, hand, rising)


def _quartics(*coefficients: Floats) -> Floats:
    """Return quartics with given first coefficients, and 0 for the others.

    Args:
        coefficients: coefficients of 1, u, u² …, one to five of them, shape (N, 3) each.

    Returns:
        Shape (N, 5, 3), powers ascending along axis 1.
    """
    quartics = np.zeros((len(coefficients[0]), 5, 3))
    for order, values in enumerate(coefficients):
        quartics[:, order] = values
    return quartics


def _sink_times(relative_velocity: Floats, stay: Floats, max_sink: float) -> Floats:
    """Time in which props come to rest in a hand, or rise from it, shape (…, N), [s].

    A prop of relative speed w that comes to rest within τ sinks in by `_SINK_PEAK` · w · τ. So τ is
    the time for which that is `max_sink`, but not longer than `_MAX_SINK_TIME` or than a stay
    allows.

    Args:
        relative_velocity: velocities of the props relative to the hand, shape (…, N, 3), [m/s].
        stay: duration of each prop's stay in one place of the hand, shape (N,), [s].
        max_sink: greatest distance by which props sink in, [m].
    """
    speed = np.sqrt(np.einsum("...i,...i", relative_velocity, relative_velocity))
    # Of a stay a little less than half: a short carry in one place has both a sinking and a rise,
    # and rounding must not put the start of the rise before the end of the sinking.
    less_than_half = 0.49 * stay
    time_to_sink = max_sink / (_SINK_PEAK * np.maximum(speed, 1e-9))
    return np.minimum(np.minimum(less_than_half, _MAX_SINK_TIME), time_to_sink)


def sink_depths(speed: Floats) -> Floats:
    """Greatest depth to which props sink into hands that give way, [m].

    Args:
        speed: the speed of the props to the hands, of any shape, [m/s].
    """
    return np.minimum(MAX_SINK, _SINK_PEAK * _MAX_SINK_TIME * speed)


def _sinking(relative_velocity: Floats, duration: Floats) -> tuple[Floats, ...]:
    """Coefficients of u, u², u³ and u⁴ of w·τ·x(1 − x)³, x = u/τ, shape (N, 3) each.

    The prop sinks in with velocity w at u = 0, and at τ is at rest, back at its place.

    Args:
        relative_velocity: w, shape (N, 3), [m/s].
        duration: τ, shape (N, 1), above 0, [s].
    """
    w = relative_velocity
    return w, -3 * w / duration, 3 * w / duration**2, -w / duration**3


def _rising(relative_velocity: Floats, duration: Floats) -> tuple[Floats, ...]:
    """Coefficients of u, u², u³ and u⁴ of −w·τ·(1 − x)x³, x = u/τ, shape (N, 3) each.

    That is the curve of `_sinking` reversed in time: the prop begins at rest in its place, and at
    u = τ leaves it with velocity w.

    Args:
        relative_velocity: w, shape (N, 3), [m/s].
        duration: τ, shape (N, 1), above 0, [s].
    """
    w = relative_velocity
    return 0 * w, 0 * w, -w / duration**2, w / duration**3


class LastThrow(NamedTuple):
    """The last throw of each of P props at T times, arrays of shape (T, P).

    A prop that is never thrown counts as thrown at the start of each round of its orbit, for a
    flight of nearly no duration.

    Args:
        flight: the flight that begins with the throw, −1 for a prop that is never thrown.
        since: time since the throw, [s].
        flight_share: that time over the duration of the flight: below 1 in flight, 1 at the catch
            and more in the hand.
    """

    flight: Integers
    since: Floats
    flight_share: Floats


@dataclass(frozen=True)
class LastThrows:
    """Last throws of the props of a choreography, from `last_throws`.

    Args:
        paths: each piece of an orbit lasts from a throw to the next.
        flight: shape (S,), the flight that begins with each piece, −1 on an orbit without throws.
        duration: shape (S,), of that flight, [s].
    """

    paths: PiecewisePolynomial
    flight: Integers
    duration: Floats

    def at(self, orbit: Integers, lead: Floats, times: Floats) -> LastThrow:
        """Find the last throw of P props at T times.

        Args:
            orbit: index of the orbit of each prop, shape (P,).
            lead: time by which each prop is ahead on its orbit, shape (P,), [s].
            times: T times, shape (T,), [s].
        """
        piece, since = self.paths.locate(orbit, times[:, None] + lead)
        return LastThrow(self.flight[piece], since, since / self.duration[piece])


def last_throws(choreography: Choreography) -> LastThrows:
    """Return when the props of a choreography are thrown, as a table to look up.

    It has a path for each orbit, and on it a piece from each throw to the next.

    Args:
        choreography: its orbits, each the closed path of one or more props, and F flights. An orbit
            without flights is one prop that is always held.
    """
    rounds = choreography.rounds  # for each flight its orbit, and when it is thrown along that, s
    orbits = choreography.orbits
    # The piece of a prop that is always held has the flight −1, of the duration 1e-9 s: with any
    # longer time since its start the prop counts as caught.
    held_orbits = [index for index, orbit in enumerate(orbits) if not orbit.flights]
    orbit = np.concatenate([rounds.orbit, np.array(held_orbits, dtype=np.intp)])
    flight = np.concatenate([np.arange(len(rounds.orbit)), np.full(len(held_orbits), -1)])
    duration = np.concatenate([choreography.flights.duration, np.full(len(held_orbits), 1e-9)])
    periods = np.array([orbit.props for orbit in orbits]) * choreography.duration
    start = np.concatenate([rounds.thrown, np.zeros(len(held_orbits))]) % periods[orbit]
    order = np.lexsort((start, orbit))
    # The table serves to find pieces by time, not to evaluate them: its polynomials have one
    # coefficient of no columns.
    paths = PiecewisePolynomial(periods, orbit[order], start[order], np.zeros((len(order), 1, 0)))
    return LastThrows(paths, flight[order], duration[order])
