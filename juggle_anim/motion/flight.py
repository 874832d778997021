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
    """The parts of F flights under gravity alone: L parabolas, sorted by flight and time.

    A flight's first parabola begins with the throw, and each further one with a bounce.

    Args:
        flight: shape (L,), index of the flight that each parabola is a part of.
        since: shape (L,), start of the parabola, as time since the throw of its flight, [s]; 0 for
            the first.
        duration: shape (L,), [s].
        position: shape (L, 3), of the prop at the start of the parabola, in the world, [m].
        velocity: shape (L, 3), at that start, [m/s].
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
        """Index of the first parabola of each flight, shape (F,)."""
        return np.flatnonzero(self.since == 0.0)

    def apexes(self) -> Floats:
        """The highest point of each parabola, shape (L, 3), in the world, [m].

        Where a parabola only falls or only rises, that is its start or its end.
        """
        # The prop stops rising after v_y / g, which may lie outside the parabola's duration.
        gravity = self.gravity[:, None]
        rise_speed = np.maximum(self.velocity[:, 1:2], 0.0)
        time = np.minimum(rise_speed / gravity, self.duration[:, None])
        return self.position + self.velocity * time - gravity * time**2 / 2 * (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FlightPaths:
    """The F flights of a choreography; vectors have shape (F, 3).

    Args:
        start: position of the prop's centre at the throw, in the world, [m].
        launch: velocity of the centre at the throw, in the world, [m/s].
        arrival: velocity of the centre at the catch, in the world, [m/s].
        grip_launch, grip_arrival: velocities of the gripped point of the prop at throw and catch,
            in the frames of the throwing and the catching body, [m/s].
        parabolas: the parabolas of all flights; a flight with n bounces has n + 1.
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
    """Solve for the parabolas that take each prop from throw to catch in the given flight time.

    Args:
        choreography: the events (throws and catches, in body frames), and F flights, each with the
            index of its throw event and of its catch event.
        bodies: bodies of the jugglers, which convert points and velocities to the world and back.
        grips: places of props in hands after each flight, as offsets from the hand.
        radius: height of centres above the floor, or another plane, at bounces, [m].
        centres: centres of the props relative to where they are gripped; None for balls, which are
            gripped at their centres.

    Returns:
        For each flight its velocities at throw and catch, and its parabolas.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its flight time.
    """
    flights = choreography.flights
    # The ends of all flights, shape (2F, …): first their throws, then their catches.
    flight_count = len(flights.throw)
    event = np.concatenate([flights.throw, flights.catch])
    time = choreography.events.time.take(event)
    juggler = choreography.events.juggler.take(event)
    centre = _centres_at_ends(choreography, event, grips, centres)
    end_in_world = bodies.to_world([centre], juggler, time)
    start = end_in_world[:flight_count]
    end = end_in_world[flight_count:]

    # Without bounces the velocity is Δx / t + g t / 2 at the throw and Δx / t − g t / 2 at the
    # catch, with the terms of gravity upward.
    gravity = _gravities(choreography)
    mean_velocity = (end - start) / flights.duration[:, None]
    velocity = np.concatenate([mean_velocity, mean_velocity])
    launch = velocity[:flight_count]
    arrival = velocity[flight_count:]
    climb = gravity / 2 * flights.duration
    launch[:, 1] += climb
    arrival[:, 1] -= climb

    # Flights with bounces get other velocities.
    bounces = _bounce_flights(choreography, (start, end), launch, arrival, gravity, radius)
    parabolas = _all_parabolas(start, launch, bounces, gravity, flights.duration)

    # Velocity of the gripped point, in body frames: that of the centre, less that of the centre
    # relative to the grip.
    grip_velocity = bodies.from_world(velocity, centre, juggler, time)
    if centres:
        grip_velocity = grip_velocity - np.concatenate([centres.throw_rate, centres.catch_rate])
    return FlightPaths(
        start=start,
        launch=launch,
        arrival=arrival,
        grip_launch=grip_velocity[:flight_count],
        grip_arrival=grip_velocity[flight_count:],
        parabolas=parabolas,
        duration=flights.duration,
        grips=grips,
    )


def _bounce_flights(
    choreography: Choreography,
    ends: tuple[Floats, Floats],
    launch: Floats,
    arrival: Floats,
    gravity: Floats,
    radius: float,
) -> list[_Bounce]:
    """Overwrite the velocities of flights with bounces, in place, and return all their bounces.

    Args:
        choreography: F flights, of which those whose style has bounces are solved.
        ends: places of the prop's centre at throw and catch, in the world, shape (F, 3) each, [m].
        launch, arrival: velocities at throw and catch, in the world, shape (F, 3), [m/s]; changed
            in place.
        gravity: acceleration by gravity in each flight, downward positive, shape (F,), [m/s²].
        radius: height of centres above the floor, or another plane, at bounces, [m].

    Raises:
        ChoreographyError: a prop cannot bounce as required in its flight time.
    """
    flights = choreography.flights
    start, end = ends
    bounces: list[_Bounce] = []
    # A list of the special manners of each flight, empty if no flight has any.
    for flight, style in enumerate(flights.style):
        if not style.bounces:
            continue
        launch[flight], bounces_of_flight = _solve_bounces(
            choreography,
            flight,
            start=start[flight],
            end=end[flight],
            gravity=float(gravity[flight]),
            radius=radius,
        )
        # At the catch the prop has the velocity after the last bounce, less the speed that gravity
        # has taken since then.
        last_bounce = bounces_of_flight[-1]
        time_since_bounce = float(flights.duration[flight]) - last_bounce.since
        lost_to_gravity = (0.0, time_since_bounce * gravity[flight], 0.0)
        arrival[flight] = last_bounce.velocity - lost_to_gravity
        bounces += bounces_of_flight
    return bounces


def _centres_at_ends(
    choreography: Choreography, event: Integers, grips: Grips, centres: Centres | None
) -> Floats:
    """Return the centres of props at the throws of F flights, and then at their catches.

    A centre is the sum of three vectors: the place of the hand, the offset of the grip from the
    hand, and the offset of the centre from the grip.

    Args:
        choreography: its events and flights are read.
        event: the events of the throws and then of the catches, shape (2F,).
        grips: places of props in hands after each flight.
        centres: centres of the props relative to their grips; None where they are the same.

    Returns:
        Shape (2F, 3), in the frames of the throwing and the catching bodies, [m].
    """
    centre = choreography.events.position.take(event, axis=0)
    # Mostly all grips are 0, as no hand has two props at once. A prop is caught in the first of its
    # places in the hand, and thrown from the last one that it reached after its previous flight.
    if np.count_nonzero(grips.places):
        place_at_throw = grips.last_place.take(choreography.flight_links.previous_flight)
        place_rows = np.concatenate([place_at_throw, grips.first_place])
        centre += grips.places.take(place_rows, axis=0)
    if centres:
        centre += np.concatenate([centres.at_throw, centres.at_catch])
    return centre


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


def _solve_bounces(
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
        start, end: the prop's centre at the throw and at the catch, in the world, shape (3,) each,
            [m].
        gravity: acceleration by gravity, downward positive, [m/s²].
        radius: height of the prop's centre above the plane when it touches the plane, [m].

    Returns:
        The velocity at the throw, shape (3,), in the world, [m/s], and one or more bounces in order
        of time.

    Raises:
        ChoreographyError: the prop cannot bounce as required in its time.
    """
    style = choreography.flights.style[flight]
    # Share of its energy, and so of its height, that a prop keeps at a bounce: as the flight's own
    # style says, or else as everywhere.
    kept_energy = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(
        start=float(start[1]),
        end=float(end[1]),
        duration=duration,
        gravity=gravity,
        kept_energy=kept_energy,
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
    horizontal_velocity = (end - start) / duration * (1.0, 0.0, 1.0)
    below_start = np.array([start[0], bounce.height, start[2]])
    bounces = [
        _Bounce(
            flight=flight,
            since=since,
            position=below_start + horizontal_velocity * since,
            velocity=horizontal_velocity + (0.0, rise_speed, 0.0),
        )
        for since, rise_speed in zip(bounce.hits, bounce.rises, strict=True)
    ]
    return horizontal_velocity + (0.0, bounce.launch, 0.0), bounces


def _all_parabolas(
    start: Floats, launch: Floats, bounces: list[_Bounce], gravity: Floats, duration: Floats
) -> Parabolas:
    """Join the parabolas that begin with throws and those that begin with bounces.

    Args:
        start: positions of centres at the throws of F flights, in the world, shape (F, 3), [m].
        launch: velocities at the throws, shape (F, 3), [m/s].
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
    # A parabola lasts until the next one of its flight begins, which is in the next row; the last
    # one of a flight until the catch. All times are since the throw. (`np.roll` gives the last row
    # the start of the first one, which is not read.)
    is_last_of_flight = np.append(flight[1:] != flight[:-1], True)
    end = np.where(is_last_of_flight, duration[flight], np.roll(since, -1))
    return Parabolas(
        flight=flight,
        since=since,
        duration=end - since,
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
        hand: N hands, each 2 · juggler + side (0 left, 1 right), shape (N,).
        times: time of each, shape (N,), in the loop, [s]; a throw or catch at that time has
            happened.
    """
    # Arrays are by flight, F of them. The carry before a flight begins with the catch of the prop's
    # previous flight, and ends with the throw of this one. Both times are taken within the loop, so
    # that the catch may come out later than the throw.
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    previous_flight = choreography.flight_links.previous_flight
    catch_time = events.time[flights.catch[previous_flight]]
    throw_time = events.time[flights.throw]
    holder = events.hand[flights.throw]

    # A carry that lasts over n starts of a loop puts n props into its hand at each of them, as one
    # such carry begins in each loop. The time of the catch plus the duration of the carry is the
    # time of the throw plus n loops, except for rounding, which `rint` removes.
    catch_plus_carry = catch_time + flights.carry[previous_flight]
    loop_starts_in_carry = np.rint((catch_plus_carry - throw_time) / loop).astype(np.intp)
    # By hand; `rest` has a row for each.
    held_at_loop_start = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(held_at_loop_start, holder, loop_starts_in_carry)
    for orbit in choreography.orbits:
        if not orbit.flights:
            # An orbit (the closed path of some props) without flights: its props are never thrown.
            held_at_loop_start[orbit.hand] += orbit.props

    catches = _count_since_loop_start(holder, catch_time, hand, times, loop)
    throws = _count_since_loop_start(holder, throw_time, hand, times, loop)
    held: Integers = held_at_loop_start[hand] + catches - throws
    return held


def _count_since_loop_start(
    event_hand: Integers, event_time: Floats, counted_hand: Integers, end_times: Floats, loop: float
) -> Integers:
    """Count a hand's events from the start of the loop to a given time, both included.

    Args:
        event_hand: shape (M,), the hand of each of M events.
        event_time: shape (M,), when it happens, in the loop, [s].
        counted_hand, end_times: the hand whose events are counted, and up to when, in the loop,
            [s]; shapes that broadcast.
        loop: duration of the loop, [s].

    Returns:
        Counts, of the shape to which `counted_hand` and `end_times` broadcast.
    """
    # One search serves all hands: each has its own stretch of a common axis of time, twice as long
    # as the loop, so that no event of one hand lies at the end of another's stretch. "right" counts
    # an event at the time itself, and "left" keeps one at the start of the loop from being
    # subtracted.
    stretch = 2 * loop
    events_on_axis = np.sort(event_hand * stretch + event_time)
    up_to_time = np.searchsorted(events_on_axis, counted_hand * stretch + end_times, side="right")
    before_loop = np.searchsorted(events_on_axis, counted_hand * stretch, side="left")
    count: Integers = up_to_time - before_loop
    return count


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
    """Paths of P props, of S pieces in all.

    An orbit is the closed path that some props share, one loop apart. There is a path for each
    orbit and kind of prop.

    Args:
        paths: for all orbits with the first kind of prop, then with the next. In flight a path is
            that of the prop's centre in the world; while the prop is held, that of its grip
            relative to the hand, in the frame of the body.
        holder_of_piece: shape (S,), the hand that holds the prop on each piece, −1 in flight.
        orbit_of_prop: shape (P,).
        path_of_prop: shape (P,), the path that each prop follows, an index in `paths`.
        lead: shape (P,), how far each prop is ahead on its path, [s].
    """

    paths: PiecewisePolynomial
    holder_of_piece: Integers
    orbit_of_prop: Integers
    path_of_prop: Integers
    lead: Floats

    def contacts(self, prop: int, start: float, end: float) -> Floats:
        """Times at which a prop is thrown, caught or bounces within a span.

        Args:
            prop: index of the prop.
            start, end: start and end of the span, both included, [s]; any values, as the motion
                repeats with the loop.

        Returns:
            Shape (N,), [s], ascending; empty for a prop that is always held.
        """
        # A path repeats after its period. A prop that is `lead` ahead is at the time t where its
        # path is at t + lead.
        period = self.paths.periods[self.path_of_prop[prop]]
        lead = self.lead[prop]
        first_repeat = np.floor((start + lead) / period)
        last_repeat = np.floor((end + lead) / period)
        repeat_starts = np.arange(first_repeat, last_repeat + 1) * period
        # The contacts of all repeats that touch the span, shape (repeats, contacts), made flat; and
        # of these the ones within the span.
        times = (repeat_starts[:, None] + self._contacts_in_period(prop)).ravel() - lead
        times_in_span: Floats = times[(times >= start) & (times <= end)]
        return times_in_span

    def contact_rate(self, prop: int) -> float:
        """Rate of throws, catches and bounces of a prop, [1/s]."""
        period = float(self.paths.periods[self.path_of_prop[prop]])
        return len(self._contacts_in_period(prop)) / period

    def _contacts_in_period(self, prop: int) -> Floats:
        """Times of throws, catches and bounces in one period of a prop's path.

        Returns:
            Shape (N,), since the start of the period, [s], ascending.
        """
        path = self.path_of_prop[prop]
        pieces = slice(self.paths.first[path], self.paths.last[path] + 1)
        # Contacts are at the starts of pieces: a piece in flight starts with a throw or a bounce,
        # and a piece after one in flight with a catch or a bounce. The piece before the first is
        # the last, as the path repeats.
        is_in_flight = self.holder_of_piece[pieces] < 0
        starts: Floats = self.paths.start[pieces][is_in_flight | np.roll(is_in_flight, 1)]
        return starts


def prop_paths(
    choreography: Choreography,
    flight_paths: Sequence[FlightPaths],
    kind_of_prop: Integers,
    hand_velocities: Floats,
) -> PropPaths:
    """Return the paths of all props, through flights and carries.

    An orbit is the closed path that its props share, one loop apart. If props have several kinds
    (which fly differently), each orbit has a path for each kind. A carry is the time from the catch
    of a prop to its next throw.

    Args:
        choreography: E events, and the flights and orbits of P props.
        flight_paths: flight paths of each kind of prop, one or more.
        kind_of_prop: shape (P,), index in `flight_paths` of the kind of each prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].
    """
    # For each kind the paths along all O orbits, and the hands that hold props on their pieces. The
    # paths of all kinds are joined, so path o + O · k of the result is that of kind k along orbit
    # o.
    orbits = choreography.orbits
    loop = choreography.duration
    paths_and_holders_by_kind = [
        _orbit_paths(choreography, flights_of_kind, hand_velocities)
        for flights_of_kind in flight_paths
    ]
    # Props are in the order of their orbits; on one orbit, prop i is i loops ahead of prop 0.
    orbit_of_prop = np.repeat(np.arange(len(orbits)), choreography.props_of_orbits)
    return PropPaths(
        paths=concatenate([paths for paths, _holders in paths_and_holders_by_kind]),
        holder_of_piece=np.concatenate([holders for _paths, holders in paths_and_holders_by_kind]),
        orbit_of_prop=orbit_of_prop,
        path_of_prop=orbit_of_prop + len(orbits) * kind_of_prop,
        # The empty array is for a choreography without props.
        lead=np.concatenate([np.arange(orbit.props) * loop for orbit in orbits] or [np.zeros(0)]),
    )


class _Pieces(NamedTuple):
    """N pieces of the paths of props.

    Args:
        orbit: shape (N,), index of the orbit that each piece is on.
        start: shape (N,), when the prop that makes the orbit's first flight in this loop reaches
            the piece, [s]; may be later than the first round of the orbit.
        holder: shape (N,), the hand that holds the prop, −1 in flight.
        coefficients: shape (N, 5, 3), of quartics in the time since the start, as from `_quartics`.
    """

    orbit: Integers
    start: Floats
    holder: Integers
    coefficients: Floats


def _orbit_paths(
    choreography: Choreography, flight_paths: FlightPaths, hand_velocities: Floats
) -> tuple[PiecewisePolynomial, Integers]:
    """Return the paths of one kind of prop along all orbits, and which hand holds it on each piece.

    An orbit is the closed path that its props share, one loop apart. So a prop needs as many loops
    as the orbit has props to come back to its start.

    Args:
        choreography: E events, and the flights and orbits of the props.
        flight_paths: flight paths of this kind of prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].

    Returns:
        Paths with S pieces, one path for each orbit; and the hand on each piece, 2 · juggler +
        side, or −1 in flight, shape (S,).
    """
    periods = choreography.periods_of_orbits

    # A prop that is never thrown has one constant piece: its grip in the hand.
    held_orbits = choreography.held_orbits
    always_held = _Pieces(
        orbit=held_orbits,
        start=np.zeros(len(held_orbits)),
        holder=choreography.hands_of_orbits[held_orbits],
        coefficients=_quartics(flight_paths.grips.held[held_orbits]),
    )

    # Flights: position + velocity · u − ½ g u² upward, in the world, u the time since the throw or
    # bounce with which a parabola begins. `throw_time` is when the orbit's first prop makes the
    # flight, which may be in a later loop, [s]. The holder −1 stands for no hand.
    flight_links = choreography.flight_links
    parabolas = flight_paths.parabolas
    half_gravity = parabolas.gravity[:, None] / 2 * (0.0, -1.0, 0.0)
    in_flight = _Pieces(
        orbit=flight_links.orbit[parabolas.flight],
        start=flight_links.throw_time[parabolas.flight] + parabolas.since,
        holder=np.full(len(parabolas.flight), -1),
        coefficients=_quartics(parabolas.position, parabolas.velocity, half_gravity),
    )

    carries = _carry_pieces(choreography, flight_paths, hand_velocities)
    piece_tables = [always_held, *carries, in_flight]
    orbit = np.concatenate([pieces.orbit for pieces in piece_tables])
    start = np.concatenate([pieces.start for pieces in piece_tables])
    holder = np.concatenate([pieces.holder for pieces in piece_tables])
    coefficients = np.concatenate([pieces.coefficients for pieces in piece_tables])
    # Paths repeat after their periods, so later starts are moved back into the first period.
    start %= periods[orbit]
    order = np.lexsort((start, orbit))
    paths = PiecewisePolynomial(periods, orbit[order], start[order], coefficients[order])
    return paths, holder[order]


class _Carries(NamedTuple):
    """C carries: times from the catch of a prop to its next throw. All arrays have shape (C,).

    Args:
        orbit: index of the orbit of the prop.
        hand: the hand that carries it.
        catch_time: when the prop that makes the orbit's first flight in this loop is caught, not
            modulo the loop, [s].
        duration: [s].
        first_place, last_place: rows in `Grips.places` of the prop's first and last place in the
            hand; it stays equally long in each from the one to the other.
    """

    orbit: Integers
    hand: Integers
    catch_time: Floats
    duration: Floats
    first_place: Integers
    last_place: Integers

    @property
    def stay(self) -> Floats:
        """How long the prop stays in each of its places, [s]."""
        return self.duration / (self.last_place - self.first_place + 1)

    def pieces(self, start: Floats, coefficients: Floats) -> _Pieces:
        """Return a piece of each carry.

        Args:
            start: when the pieces start, as `catch_time`, shape (C,), [s].
            coefficients: shape (C, 5, 3), as in `_Pieces`.
        """
        return _Pieces(self.orbit, start, self.hand, coefficients)


def _carry_pieces(
    choreography: Choreography, flight_paths: FlightPaths, hand_velocities: Floats
) -> Iterator[_Pieces]:
    """Yield the pieces of carries: where props lie relative to the hands, in body frames.

    An orbit is the closed path that some props share, one loop apart. A carry is the time from the
    catch of a prop to its next throw. The prop sinks into the hand and comes back to its place
    there, and then lies still. If the carry is so long that the prop must make room for others, it
    has several places: it glides from one to the next and lies still in each. At the end it sinks
    in once more and leaves with the velocity of its throw. Props that are hit, and not carried,
    have no pieces.

    Args:
        choreography: E events, and F flights with the carry after each.
        flight_paths: flight paths of one kind of prop.
        hand_velocities: shape (E, 3), of the hands at throws and catches, in the frames of their
            bodies, [m/s].

    Yields:
        The sinking in of all carries, then the rests after it, then (if there are any) all glides
        and the rests after them, and last the rises of all carries; not sorted by orbit or time.
    """
    # Arrays are by carry. Each of the F flights is followed by a carry; C of them are longer than
    # `MIN_CARRY`. First the flight that ends with the catch of each, the flight that begins with
    # its throw, and the events of its catch and its throw.
    flights = choreography.flights
    flight_links = choreography.flight_links
    flight_of_carry = (flights.carry > MIN_CARRY).nonzero()[0]
    next_flight = flight_links.next_flight[flight_of_carry]
    catch_event = flights.catch[flight_of_carry]
    throw_event = flights.throw[next_flight]
    places = flight_paths.grips.places
    carries = _Carries(
        orbit=flight_links.orbit[flight_of_carry],
        hand=choreography.events.hand[catch_event],
        catch_time=flight_links.catch_time[flight_of_carry],
        duration=flights.carry[flight_of_carry],
        first_place=flight_paths.grips.first_place[flight_of_carry],
        last_place=flight_paths.grips.last_place[flight_of_carry],
    )
    # Velocities of props relative to the hands, at the catch and at the throw, shape (C, 3).
    arrival = flight_paths.grip_arrival[flight_of_carry] - hand_velocities[catch_event]
    departure = flight_paths.grip_launch[next_flight] - hand_velocities[throw_event]

    # Sinking in after the catch, then rest in the first place; `stay` is the time that a prop has
    # in each of its places. Palms of jugglers who throw around the body (`body_throw` is not None)
    # are firm: props hardly sink into them.
    max_sink = MAX_SINK if choreography.events.body_throw is None else _FIRM_SINK  # m
    sink_time, rise_time = _sink_times(np.array([arrival, departure]), carries.stay, max_sink)
    first_place = places[carries.first_place]
    sinking = _quartics(first_place, *_sinking(arrival, sink_time[:, None]))
    yield carries.pieces(carries.catch_time, sinking)
    yield carries.pieces(carries.catch_time + sink_time, _quartics(first_place))
    yield from _glide_pieces(carries, places)
    # From the last place, sinking in and rising to leave, up to the end of the carry.
    last_place = places[carries.last_place]
    rising = _quartics(last_place, *_rising(departure, rise_time[:, None]))
    yield carries.pieces(carries.catch_time + carries.duration - rise_time, rising)


def _glide_pieces(carries: _Carries, places: Floats) -> Iterator[_Pieces]:
    """Yield the glides of props in hands from place to place, and the rests after them.

    A carry is the time from the catch of a prop to its next throw. A prop that has several places
    in a carry begins the next stay with a rest there. The glide to that place takes the last
    `_GLIDE_SHARE` of the stay before, by the smooth step 3x² − 2x³.

    Args:
        carries: C carries.
        places: all S places of props in hands, as in `Grips`, shape (S, 3), [m].

    Yields:
        All glides, then all rests; nothing if all props stay in one place.
    """
    carries_with_glides = (carries.last_place > carries.first_place).nonzero()[0]
    if not carries_with_glides.size:
        return
    # Arrays are by glide: the index of its carry, and its rank within that carry, counted from 1
    # (glides are sorted by carry, so `searchsorted` finds the first one of each carry). So glide n
    # goes from place n − 1 to place n of the carry, and ends after n stays, which are all of the
    # duration `stay`, [s].
    glide_count = carries.last_place - carries.first_place
    carry = np.repeat(carries_with_glides, glide_count[carries_with_glides])
    rank = 1 + np.arange(len(carry)) - np.searchsorted(carry, carry)
    first_place = carries.first_place[carry]
    from_place = places[first_place + rank - 1]
    to_place = places[first_place + rank]
    shift = to_place - from_place
    stay = carries.stay[carry]
    glide_end = carries.catch_time[carry] + rank * stay
    glide_time = _GLIDE_SHARE * stay
    # With x = u / duration, the glide is from_place + shift · (3x² − 2x³); it has no linear term.
    duration = glide_time[:, None]
    yield _Pieces(
        orbit=carries.orbit[carry],
        start=glide_end - glide_time,
        holder=carries.hand[carry],
        coefficients=_quartics(
            from_place, np.zeros_like(shift), 3 * shift / duration**2, -2 * shift / duration**3
        ),
    )
    yield _Pieces(
        orbit=carries.orbit[carry],
        start=glide_end,
        holder=carries.hand[carry],
        coefficients=_quartics(to_place),
    )


def _quartics(*coefficients: Floats) -> Floats:
    """Return quartics with given first coefficients, and 0 for the others.

    Args:
        coefficients: coefficients of 1, u, u² …, one to five of them, for N curves: shape
            (N, 3) each.

    Returns:
        Shape (N, 5, 3), powers ascending along axis 1.
    """
    quartics = np.zeros((len(coefficients[0]), 5, 3))
    for order, values in enumerate(coefficients):
        quartics[:, order] = values
    return quartics


def _sink_times(relative_velocity: Floats, stay: Floats, max_sink: float) -> Floats:
    """Time in which props come to rest in a hand, or rise from it, shape (…, N), [s].

    A prop of relative speed w that comes to rest within τ sinks in by `_SINK_PEAK` · w · τ at most,
    by the curve of `_sinking`. So τ is chosen such that this is `max_sink`; but it is no longer
    than `_MAX_SINK_TIME`, nor than half of the prop's stay.

    Args:
        relative_velocity: velocities of the props relative to the hand, shape (…, N, 3) for N
            props, [m/s].
        stay: duration of each prop's stay in one place of the hand, shape (N,), [s].
        max_sink: greatest distance by which props sink in, [m].
    """
    speed = np.sqrt(np.einsum("...i,...i", relative_velocity, relative_velocity))
    # A carry in one place has both a sinking and a rise, hence half. It is a little less, as
    # rounding must not put the start of the rise before the end of the sinking.
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
        relative_velocity: w, shape (N, 3) for N props, [m/s].
        duration: τ, shape (N, 1), above 0, [s].
    """
    w = relative_velocity
    return 0 * w, 0 * w, -w / duration**2, w / duration**3


# Duration of the flight that stands for none, of a prop that is always held, [s].
_NO_FLIGHT = 1e-9


class LastThrow(NamedTuple):
    """The last throw of each of P props at T times, arrays of shape (T, P).

    A prop that is never thrown counts as thrown once in each round of its orbit, at the start, with
    a flight of nearly no duration, so that it is practically always held.

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
        paths: a path for each orbit, whose pieces last from one throw to the next, S in all.
        flight_of_piece: shape (S,), the flight that begins with each piece, −1 on an orbit without
            throws.
        flight_duration: shape (S,), of that flight, [s].
    """

    paths: PiecewisePolynomial
    flight_of_piece: Integers
    flight_duration: Floats

    def at(self, orbit: Integers, lead: Floats, times: Floats) -> LastThrow:
        """Find the last throw of P props at T times.

        Args:
            orbit: index of the orbit of each prop, shape (P,).
            lead: time by which each prop is ahead on its orbit, shape (P,), [s].
            times: T times, shape (T,), [s].
        """
        # A prop that is `lead` ahead is at the time t where its orbit's first prop is at t + lead.
        # The times have a row for each of T, and a column for each prop.
        piece, since = self.paths.locate(orbit, times[:, None] + lead)
        return LastThrow(self.flight_of_piece[piece], since, since / self.flight_duration[piece])


def last_throws(choreography: Choreography) -> LastThrows:
    """Return when the props of a choreography are thrown, as a table to look up.

    It has a path for each orbit, and on it a piece from each throw to the next.

    Args:
        choreography: its orbits, each the closed path of one or more props, and F flights. An orbit
            without flights is one prop that is always held.
    """
    periods = choreography.periods_of_orbits
    held_orbits = choreography.held_orbits
    # Arrays by piece: first one for each flight, which starts when the orbit's first prop is
    # thrown; then one for each prop that is always held. As no flight begins the latter, it has −1
    # for the flight's index, and so short a duration that the prop counts as caught at practically
    # all times.
    flight_links = choreography.flight_links
    orbit = np.concatenate([flight_links.orbit, held_orbits])
    flight = np.concatenate([np.arange(len(flight_links.orbit)), np.full(len(held_orbits), -1)])
    no_flight = np.full(len(held_orbits), _NO_FLIGHT)
    duration = np.concatenate([choreography.flights.duration, no_flight])
    # The first prop may make a flight in a later loop of its round, so starts go up to the period.
    start = np.concatenate([flight_links.throw_time, np.zeros(len(held_orbits))]) % periods[orbit]
    order = np.lexsort((start, orbit))
    # The table serves to find pieces by time, not to evaluate them: its polynomials have one
    # coefficient of no columns.
    paths = PiecewisePolynomial(periods, orbit[order], start[order], np.zeros((len(order), 1, 0)))
    return LastThrows(paths, flight_of_piece=flight[order], flight_duration=duration[order])
