"""Transformations of the loop of a choreography: repeated, mirrored, delayed, reversed in time, and
with the catches of two flights exchanged.
"""

from __future__ import annotations

import dataclasses
from math import gcd
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.score import (
    CATCH,
    THROW,
    BodyKeyframes,
    CatchStyle,
    Choreography,
    Flights,
    FlightStyle,
    PropLook,
    PropOrbit,
)
from juggle_anim.pattern.pattern import cycles
from juggle_anim.vectors import inverse_permutation

_ROUNDING = 1e-9  # s; times that differ by less are equal but for rounding errors


def unroll(choreography: Choreography, loops: int) -> Choreography:
    """Return the same motion written as one loop that is several times as long.

    An orbit is the closed path that its props share, each one loop behind the one before. Event `e`
    of loop `n`, counted from 0, becomes event `n · E + e`, and flight `f` becomes flight `n · F +
    f`. An orbit of P props splits into gcd(P, loops) orbits; if that is P, each has one prop and
    props keep their order.

    Args:
        choreography: the choreography whose loop is repeated; E events and F flights.
            `flights.throw` and `flights.catch` are rows of events; a catch may be in a later loop
            than its throw.
        loops: how often the loop is repeated, 1 or more.
    """
    events = choreography.events
    flights = choreography.flights
    duration = choreography.duration
    event_count = len(events.time)
    flight_count = len(flights.throw)
    flight_loop = np.repeat(np.arange(loops), flight_count)  # the loop of each flight's throw

    # How many loops after that of its throw each flight is caught: its end, less the time of the
    # catch within the loop, is a whole number of loops but for rounding.
    loops_to_catch = _whole_loops(
        events.time[flights.throw] + flights.duration - events.time[flights.catch], duration
    )
    # The longer loop repeats, so catches after its end are the same events as those at its
    # beginning.
    catch_loop = (flight_loop + np.tile(loops_to_catch, loops)) % loops
    # The split orbits, and for each of their props its number in the single loop.
    orbits, props = _unrolled_orbits(choreography, loops)
    return dataclasses.replace(
        choreography,
        duration=loops * duration,
        bodies=_unrolled_bodies(choreography.bodies, duration, loops),
        events=dataclasses.replace(
            events.taken(np.tile(np.arange(event_count), loops)),
            time=np.tile(events.time, loops) + np.repeat(np.arange(loops), event_count) * duration,
        ),
        flights=Flights(
            throw=flight_loop * event_count + np.tile(flights.throw, loops),
            catch=catch_loop * event_count + np.tile(flights.catch, loops),
            duration=np.tile(flights.duration, loops),
            carry=np.tile(flights.carry, loops),
            style=flights.style * loops,
        ),
        orbits=orbits,
        looks=tuple(choreography.looks[prop] for prop in props) if choreography.looks else (),
    )


def mirrored(choreography: Choreography, *, bodies: bool = True) -> Choreography:
    """Return the mirror image of a choreography, in which left and right hands are exchanged.

    Args:
        choreography: the choreography that is mirrored.
        bodies: whether the places and turns of bodies are also mirrored in the world's plane x = 0;
            otherwise bodies keep them, and each juggler is mirrored on the spot.
    """
    events = choreography.events
    keyframes = choreography.bodies
    # The first coordinate changes its sign: x of the world, or left as seen from a body.
    mirror = np.array([-1.0, 1.0, 1.0])
    if bodies:
        keyframes = dataclasses.replace(
            keyframes, position=keyframes.position * mirror, facing=-keyframes.facing
        )
    # Rest positions are by hand, left and right in turn, so `[:, ::-1]` exchanges the two.
    # Hand numbers are 2 · juggler + side, so `^ 1` is the juggler's other hand.
    return dataclasses.replace(
        choreography,
        bodies=keyframes,
        rest=(choreography.rest.reshape(-1, 2, 3)[:, ::-1] * mirror).reshape(-1, 3),
        events=dataclasses.replace(events, hand=events.hand ^ 1, position=events.position * mirror),
        orbits=tuple(
            dataclasses.replace(orbit, hand=orbit.hand ^ 1) for orbit in choreography.orbits
        ),
    )


def delayed(choreography: Choreography, seconds: float) -> Choreography:
    """Return the same motion in a loop that begins at `seconds` of the old loop.

    Events keep their rows, so their times, less `seconds`, may lie outside the loop and not be
    sorted. Keyframes of bodies and flights are sorted, and keyframes are within the loop.

    Args:
        choreography: one loop of events.
        seconds: how much later the new loop begins, [s]; below 0 for earlier.
    """
    events = choreography.events
    bodies = choreography.bodies
    later = dataclasses.replace(
        choreography,
        events=dataclasses.replace(
            events, time=_snapped_to_loop_start(events.time - seconds, choreography.duration)
        ),
        bodies=_retimed_keyframes(bodies, bodies.time - seconds, choreography.duration),
    )
    return _with_flights_in_order(later)


def reversed_in_time(choreography: Choreography) -> Choreography:
    """Return a choreography with time reversed: t becomes −t.

    An orbit is the closed path that its props share, each one loop behind the one before. Events
    keep their rows, so they are no longer in the order of their times; these are within the loop.
    Throws become catches and catches throws. A prop that was carried from a catch to a throw is
    carried back, and one that was thrown down is caught rising. Flights are sorted by their new
    throws.

    Args:
        choreography: one loop of E events and F flights, whose `throw` and `catch` are rows of
            events.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration  # s
    flight_links = (
        choreography.flight_links
    )  # `flight_links.previous_flight`: the flight that the same prop makes before

    # Events: time −t, with what is only a rounding error away from the start of the loop set to it;
    # and throws and catches exchanged. An event that both throws and catches has the kind of a
    # throw, forward and backward; so the last line, for the new throws, is decisive.
    time = _snapped_to_loop_start(-events.time, loop) % loop
    kind = np.select([events.kind == THROW, events.kind == CATCH], [CATCH, THROW], events.kind)
    kind[flights.throw] = CATCH
    kind[flights.catch] = THROW

    # Flights keep their rows here, and are sorted at the end.
    orbits, former_props = _reversed_orbits(choreography, time)
    backward = dataclasses.replace(
        choreography,
        bodies=_retimed_keyframes(choreography.bodies, -choreography.bodies.time, loop),
        events=dataclasses.replace(events, time=time, kind=kind),
        flights=Flights(
            throw=flights.catch,
            catch=flights.throw,
            duration=flights.duration,
            # `carry` is the time in the hand after a flight. Backward that is the time in the hand
            # before it, after the flight that came before.
            carry=flights.carry[flight_links.previous_flight],
            style=tuple(map(_reversed_style, flights.style)),
        ),
        orbits=orbits,
        looks=tuple(choreography.looks[prop] for prop in former_props)
        if choreography.looks
        else (),
    )
    return _with_flights_in_order(backward)


class _RenumberedOrbits(NamedTuple):
    """Orbits of a changed choreography, with props numbered through all orbits.

    Args:
        orbits: the new orbits.
        former_props: for each prop, by its new number, the number that it had before.
    """

    orbits: tuple[PropOrbit, ...]
    former_props: list[int]


def _reversed_orbits(choreography: Choreography, time: Floats) -> _RenumberedOrbits:
    """Return the orbits in reversed time: each keeps its first flight, the others are reversed.

    Args:
        choreography: forward in time.
        time: time of each of its E events in the loop that runs backward, shape (E,), [s].
    """
    events = choreography.events
    flights = choreography.flights
    orbits = []
    former_props = list[int]()
    first_prop = 0
    for orbit in choreography.orbits:
        if orbit.flights:
            first_flight, *later_flights = orbit.flights
            # Prop number k of an orbit is k loops ahead of the first prop, so k loops behind it
            # when time runs backward: the sign of `loops_ahead` changes below. Backward the first
            # flight begins at minus the time of its landing. The event that is now its throw is
            # `loops_later` loops after that, as it lies within the new loop.
            catch = flights.catch[first_flight]
            landing_time = events.time[flights.throw[first_flight]] + flights.duration[first_flight]
            loops_later = int(_whole_loops(time[catch] + landing_time, choreography.duration))
            former_props += [
                first_prop + (loops_later - loops_ahead) % orbit.props
                for loops_ahead in range(orbit.props)
            ]
            orbits.append(
                PropOrbit(
                    flights=(first_flight, *reversed(later_flights)),
                    props=orbit.props,
                    hand=int(events.hand[catch]),
                )
            )
        else:
            # Props that are always held stay as they are.
            former_props += range(first_prop, first_prop + orbit.props)
            orbits.append(orbit)
        first_prop += orbit.props
    return _RenumberedOrbits(tuple(orbits), former_props)


def _with_flights_in_order(choreography: Choreography) -> Choreography:
    """Sort flights by the time within the loop, then the hand, of their throws.

    Orbits list the numbers of their flights, which change with the order. This is also the order in
    which flights are made from patterns and read from files, so that equal choreographies compare
    equal.

    Args:
        choreography: flights in any order; `throw` and `catch` are rows of events.
    """
    flights = choreography.flights
    events = choreography.events
    # `lexsort` takes the most important key last.
    order = np.lexsort(
        (events.hand[flights.throw], events.time[flights.throw] % choreography.duration)
    )
    rank = inverse_permutation(order)
    return dataclasses.replace(
        choreography,
        flights=Flights(
            throw=flights.throw[order],
            catch=flights.catch[order],
            duration=flights.duration[order],
            carry=flights.carry[order],
            style=tuple(flights.style[flight] for flight in order) if flights.style else (),
        ),
        orbits=tuple(
            dataclasses.replace(orbit, flights=tuple(int(rank[flight]) for flight in orbit.flights))
            for orbit in choreography.orbits
        ),
    )


def with_exchanged_landings(
    choreography: Choreography, first: int, second: int, later: float = 0.0
) -> Choreography:
    """Return a choreography in which two flights exchange their catches.

    Each flight then ends with the catch of the other, and its prop goes on as the other's did. An
    orbit is the closed path that its props share, each one loop behind the one before. All throws
    and catches keep their times and places. Two orbits may merge, or one may split. Props
    keep their looks if their next throws are the same.

    Args:
        choreography: the choreography whose flights they are; each must be thrown before the catch
            that it gets.
        first: row of the first flight, thrown in this loop.
        second: row of the second flight, not equal to `first`.
        later: how much later than in this loop the second one is thrown, a multiple of the loop's
            duration, [s].
    """
    events = choreography.events
    flights = choreography.flights

    # Each flight lasts until the catch of the other. The second is thrown `lag` after the first.
    throw_times = events.time[flights.throw]
    durations = flights.duration.copy()
    lag = throw_times[second] + later - throw_times[first]
    durations[first] = flights.duration[second] + lag
    durations[second] = flights.duration[first] - lag
    exchange = np.arange(len(durations))
    exchange[[first, second]] = second, first
    carry = flights.carry[exchange]

    # New orbits, each a cycle of flights of which one leads to the next: `following` has the flight
    # that the same prop makes next. An orbit that takes n loops to go round has n props. Orbits of
    # props that are always held come last, unchanged.
    next_flight = choreography.flight_links.next_flight[exchange]
    orbits = []
    for cycle in cycles(next_flight.tolist()):
        rows = list(cycle)
        round_time = (durations[rows] + carry[rows]).sum()
        orbits.append(
            PropOrbit(
                flights=cycle,
                props=int(_whole_loops(round_time, choreography.duration)),
                hand=int(events.hand[flights.throw[cycle[0]]]),
            )
        )
    held_orbits = [orbit for orbit in choreography.orbits if not orbit.flights]
    changed = dataclasses.replace(
        choreography,
        flights=dataclasses.replace(
            flights, catch=flights.catch[exchange], duration=durations, carry=carry
        ),
        orbits=(*orbits, *held_orbits),
    )
    if not changed.looks:
        return changed
    return dataclasses.replace(changed, looks=_looks_by_throws(choreography, changed))


def _looks_by_throws(before: Choreography, after: Choreography) -> tuple[PropLook, ...]:
    """Return the looks of the props after a change, in their new order.

    A prop has the look of the prop with the same next throw before the change. Props without such a
    match take the looks that are left, in any order.

    Args:
        before: the choreography before the change, with looks.
        after: that after it, with as many props; its own looks are ignored.
    """
    # Next throws are keys to compare: the loop and the flight, or the hand that always holds it.
    looks_of_throw: dict[object, list[PropLook]] = {}
    for throw, look in zip(_next_throws(before), before.looks, strict=True):
        looks_of_throw.setdefault(throw, []).append(look)
    # Several props of one hand can have equal keys if they are always held; hence lists, of which
    # each match takes one look.
    matched = [
        looks_of_throw[throw].pop() if looks_of_throw.get(throw) else None
        for throw in _next_throws(after)
    ]
    unmatched = [look for looks in looks_of_throw.values() for look in looks]
    return tuple(look or unmatched.pop() for look in matched)


def _next_throws(choreography: Choreography) -> list[object]:
    """Return for each prop its first throw from the start of the loop on, as a key to compare.

    An orbit is the closed path that its props share, each one loop behind the one before.

    Args:
        choreography: the choreography whose props are numbered by orbit, and in it by how many
            loops they are ahead.

    Returns:
        In the order of the props, pairs of the loop in which the prop is thrown first, 0 for this
        one, and the row of that flight; ("held", hand) for a prop that never flies.
    """
    flight_links = choreography.flight_links
    next_throws = list[object]()
    for orbit in choreography.orbits:
        for loops_ahead in range(orbit.props):
            # The loop in which this prop makes each flight: the loop in which the orbit's first
            # prop makes it, less `loops_ahead`, as this prop makes everything so many loops
            # earlier. An orbit takes as many loops as it has props; hence the remainder.
            throw_loops = [
                int(
                    (flight_links.throw_time[flight] // choreography.duration - loops_ahead)
                    % orbit.props
                )
                for flight in orbit.flights
            ]
            if not throw_loops:
                next_throws.append(("held", orbit.hand))
                continue
            first_loop = min(throw_loops)
            flights = [
                flight
                for flight, throw_loop in zip(orbit.flights, throw_loops, strict=True)
                if throw_loop == first_loop
            ]
            times = choreography.events.time[choreography.flights.throw[flights]]
            next_throws.append((first_loop, flights[int(times.argmin())]))
    return next_throws


def _reversed_style(style: FlightStyle) -> FlightStyle:
    """The style of a flight in reversed time.

    A prop that is caught falling is thrown up in reversed time, so not forced; one that is forced,
    thrown down, is caught rising. The kind of catch is unknown, so it becomes `NATURAL`.
    """
    if not style.bounces:
        return dataclasses.replace(style, caught=CatchStyle.NATURAL)
    return dataclasses.replace(
        style, forced=not style.falling, falling=not style.forced, caught=CatchStyle.NATURAL
    )


def _retimed_keyframes(bodies: BodyKeyframes, times: Floats, loop: float) -> BodyKeyframes:
    """Return the keyframes of bodies with other times, sorted by juggler and time.

    Args:
        bodies: K keyframes, sorted by juggler.
        times: shape (K,), the new time of each, in any loop, [s]; they are moved into the loop.
        loop: duration of the loop, [s].
    """
    # A body that never moves has one keyframe. It holds at any time, so its time is not changed,
    # which keeps equal choreographies equal. Others are moved into the loop, where a time that is
    # only a rounding error below its start becomes the start, not the end.
    alone = np.bincount(bodies.juggler)[bodies.juggler] == 1
    times_in_loop = np.where(alone, bodies.time, _snapped_to_loop_start(times, loop) % loop)
    rows = np.lexsort((times_in_loop, bodies.juggler))
    return BodyKeyframes(
        times_in_loop[rows], bodies.juggler[rows], bodies.position[rows], bodies.facing[rows]
    )


def _snapped_to_loop_start(times: Floats, loop: float) -> Floats:
    """Set times, [s], that are within rounding of the start of a loop exactly to that start.

    Otherwise, moved into the loop, a time just below 0 would become one just below its end.
    """
    starts = np.rint(times / loop) * loop
    return np.where(np.abs(times - starts) < _ROUNDING, starts, times)


def _whole_loops(times: Floats, duration: float) -> Integers:
    """Times, s, as numbers of loops of some duration, s, rounded to the nearest integers."""
    return np.rint(times / duration).astype(np.intp)


def _unrolled_bodies(bodies: BodyKeyframes, duration: float, loops: int) -> BodyKeyframes:
    """Repeat the keyframes of bodies, as one longer loop; sorted by juggler and time.

    Args:
        bodies: keyframes of one loop.
        duration: duration of that loop, [s].
        loops: how often it is repeated.
    """
    # For all repeated keyframes the loop in which each is, from 0, and whose it is.
    lap = np.repeat(np.arange(loops), len(bodies.time))
    juggler = np.tile(bodies.juggler, loops)
    # A body that never moves has one keyframe, which is not repeated: `bincount` counts the
    # keyframes of each juggler.
    rows = np.flatnonzero((lap == 0) | (np.bincount(bodies.juggler)[juggler] > 1))
    time = np.tile(bodies.time, loops) + lap * duration
    rows = rows[np.lexsort((time[rows], juggler[rows]))]
    source = rows % len(bodies.time)  # row of the keyframe in the single loop
    return dataclasses.replace(
        bodies,
        time=time[rows],
        juggler=juggler[rows],
        position=bodies.position[source],
        facing=bodies.facing[source],
    )


def _unrolled_orbits(choreography: Choreography, loops: int) -> _RenumberedOrbits:
    """Return the orbits of a longer loop that is several loops one after another.

    An orbit is the closed path that its props share, each one loop behind the one before. In n
    loops an orbit of P props splits into g = gcd(P, n) orbits of P/g props. Flight `f` of loop `k`
    is flight `k · F + f` of the longer loop.

    Args:
        choreography: F flights in a single loop.
        loops: n, how many loops become one.
    """
    flight_count = len(choreography.flights.throw)
    orbits = []
    former_props = list[int]()
    first_prop = 0
    for orbit in choreography.orbits:
        if not orbit.flights:
            # Props that are always held.
            orbits.append(orbit)
            former_props += range(first_prop, first_prop + orbit.props)
        else:
            rows = np.array(orbit.flights)
            loop_of_flight = _loops_since_first_flight(choreography, rows)
            # A prop makes the first flight again every `orbit.props` loops. `round_starts` has
            # these loops, as a column, for one prop until the longer loop repeats.
            orbit_count = gcd(orbit.props, loops)
            round_starts = np.arange(loops // orbit_count)[:, None] * orbit.props
            for new_orbit in range(orbit_count):
                # A prop that is k loops ahead makes the first flight k loops before loop 0, and
                # every P loops from then on. This orbit has the props for which k leaves the
                # remainder `new_orbit` by g; `start` is the first loop, from 0, in which one of
                # them makes the first flight: the new orbit's first prop. `new_flights` has a row
                # for each round, of flights numbered as in the longer loop.
                start = -new_orbit % orbit_count
                new_flights = (start + round_starts + loop_of_flight) % loops * flight_count + rows
                props = orbit.props // orbit_count
                orbits.append(
                    PropOrbit(
                        flights=tuple(new_flights.ravel().tolist()), props=props, hand=orbit.hand
                    )
                )
                former_props += [
                    first_prop + (loops_ahead * loops - start) % orbit.props
                    for loops_ahead in range(props)
                ]
        first_prop += orbit.props
    return _RenumberedOrbits(tuple(orbits), former_props)


def _loops_since_first_flight(choreography: Choreography, rows: Integers) -> Integers:
    """Return how many loops after an orbit's first flight a prop throws each of its flights.

    Args:
        choreography: the choreography with the orbit.
        rows: its flights, in the order in which a prop makes them, shape (N,), one or more.

    Returns:
        Shape (N,); 0 for the first.
    """
    flights = choreography.flights
    throw_times = choreography.events.time[flights.throw[rows]]
    # These count on beyond the loop. The time at which a prop makes its next throw, less that
    # throw's time in the loop, is a whole number of loops.
    next_throw_times = throw_times + flights.duration[rows] + flights.carry[rows]
    loops_to_next = _whole_loops(next_throw_times - np.roll(throw_times, -1), choreography.duration)
    return np.concatenate([[0], np.cumsum(loops_to_next)[:-1]])
