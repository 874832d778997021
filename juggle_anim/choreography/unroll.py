"""Transformations of the loop of a choreography: repeated, mirrored, delayed, reversed in time, and
with the catches of two flights exchanged.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
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
from juggle_anim.pattern import cycles, grouped
from juggle_anim.vectors import inverse_permutation

_ROUNDING = 1e-9  # s; times that differ by less are equal but for rounding errors


def unroll(choreography: Choreography, loops: int) -> Choreography:
    """Return the same motion written as one loop that is several times as long.

    An orbit is the closed path that its props share, one loop apart. Of the E events in the loop,
    event `e` becomes event `n · E + e` in the nth repeat, counted from 0; and likewise for the F
    flights. An orbit of P props splits into gcd(P, loops) orbits; if that is P, each has one prop
    and props keep their order.

    Args:
        choreography: the choreography whose loop is repeated. `flights.throw` and `flights.catch`
            are indices of events; a catch may be in a later loop than its throw.
        loops: how often the loop is repeated, 1 or more.
    """
    events = choreography.events
    flights = choreography.flights
    duration = choreography.duration
    event_count = len(events.time)
    flight_count = len(flights.throw)
    # The repeat in which each flight of the longer loop is thrown, and in which each event is.
    throw_loop = np.repeat(np.arange(loops), flight_count)
    event_loop = np.repeat(np.arange(loops), event_count)

    # How many loops after the loop of its throw each flight is caught: its end, less the time of
    # the catch within the loop, is a whole number of loops but for rounding. The longer loop
    # repeats, so a catch after its end is the same event as one at its beginning.
    loops_to_catch = _whole_loops(
        events.time[flights.throw] + flights.duration - events.time[flights.catch], duration
    )
    catch_loop = (throw_loop + np.tile(loops_to_catch, loops)) % loops
    # The split orbits, and for each of their props its index in the single loop.
    orbits, former_props = _unrolled_orbits(choreography, loops)
    return dataclasses.replace(
        choreography,
        duration=loops * duration,
        bodies=_unrolled_bodies(choreography.bodies, duration, loops),
        events=dataclasses.replace(
            events.taken(np.tile(np.arange(event_count), loops)),
            time=np.tile(events.time, loops) + event_loop * duration,
        ),
        flights=Flights(
            throw=throw_loop * event_count + np.tile(flights.throw, loops),
            catch=catch_loop * event_count + np.tile(flights.catch, loops),
            duration=np.tile(flights.duration, loops),
            carry=np.tile(flights.carry, loops),
            style=flights.style * loops,
        ),
        orbits=orbits,
        looks=_looks_of(choreography, former_props),
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
    # The first coordinate changes its sign: x in the world, the left in body frames.
    mirror = np.array([-1.0, 1.0, 1.0])
    if bodies:
        keyframes = dataclasses.replace(
            keyframes, position=keyframes.position * mirror, facing=-keyframes.facing
        )
    # Rest positions are by hand, 2 · juggler + side: `[:, ::-1]` swaps the two hands of each
    # juggler, and so does `^ 1` in the number of a hand.
    rest_by_juggler = choreography.rest.reshape(-1, 2, 3)
    return dataclasses.replace(
        choreography,
        bodies=keyframes,
        rest=(rest_by_juggler[:, ::-1] * mirror).reshape(-1, 3),
        events=dataclasses.replace(events, hand=events.hand ^ 1, position=events.position * mirror),
        orbits=tuple(
            dataclasses.replace(orbit, hand=orbit.hand ^ 1) for orbit in choreography.orbits
        ),
    )


def with_later_start(choreography: Choreography, seconds: float) -> Choreography:
    """Return the same motion in a loop whose start is `seconds` later than that of the old loop.

    Events keep their indices; their times, less `seconds`, may lie outside the loop and are not
    sorted. Keyframes of bodies are moved into the loop and sorted, and flights are sorted.

    Args:
        choreography: one loop of events.
        seconds: below 0 for an earlier start.
    """
    events = choreography.events
    bodies = choreography.bodies
    # Times within rounding of the start of any loop are set to it exactly. Otherwise rounding would
    # decide whether flights thrown then are sorted first or last.
    times = _snapped_to_loop_start(events.time - seconds, choreography.duration)
    retimed = dataclasses.replace(
        choreography,
        events=dataclasses.replace(events, time=times),
        bodies=_retimed_keyframes(bodies, bodies.time - seconds, choreography.duration),
    )
    return _with_flights_in_order(retimed)


def reversed_in_time(choreography: Choreography) -> Choreography:
    """Return a choreography with time reversed: t becomes −t.

    Throws become catches and catches throws. A prop that was carried from a catch to a throw is
    carried back, and one that was thrown down is caught rising. Flights are sorted by their new
    throws. Events keep their indices; their times are within the loop and no longer sorted.

    Args:
        choreography: one loop of E events and F flights; `flights.throw` and `flights.catch` are
            indices of events.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration  # s
    previous_flight = choreography.flight_links.previous_flight  # of the same prop, shape (F,)

    # Time −t within the loop. Throws and catches are exchanged; an event that both throws and
    # catches has the kind of a throw, forward and backward, so the new throws are set last.
    time = _snapped_to_loop_start(-events.time, loop) % loop
    kind = np.select([events.kind == THROW, events.kind == CATCH], [CATCH, THROW], events.kind)
    kind[flights.throw] = CATCH
    kind[flights.catch] = THROW

    # Flights keep their indices here, and are sorted at the end.
    orbits, former_props = _reversed_orbits(choreography, time)
    backward = dataclasses.replace(
        choreography,
        bodies=_retimed_keyframes(choreography.bodies, -choreography.bodies.time, loop),
        events=dataclasses.replace(events, time=time, kind=kind),
        flights=Flights(
            throw=flights.catch,
            catch=flights.throw,
            duration=flights.duration,
            # `carry` is the time in the hand after a flight. The time after it in reversed time is
            # the time before it in forward time: the carry after the prop's previous flight.
            carry=flights.carry[previous_flight],
            style=tuple(map(_reversed_style, flights.style)),
        ),
        orbits=orbits,
        looks=_looks_of(choreography, former_props),
    )
    return _with_flights_in_order(backward)


class _RenumberedOrbits(NamedTuple):
    """Orbits of a changed choreography, with props numbered through all orbits.

    Args:
        orbits: the new orbits.
        former_props: for each prop, by its new index, the index that it had before.
    """

    orbits: tuple[PropOrbit, ...]
    former_props: list[int]


def _looks_of(choreography: Choreography, props: Sequence[int]) -> tuple[PropLook, ...]:
    """Return the looks of props, given by index; empty if all have the default look."""
    looks = choreography.looks
    return tuple(looks[prop] for prop in props) if looks else ()


def _reversed_orbits(choreography: Choreography, time: Floats) -> _RenumberedOrbits:
    """Return the orbits in reversed time: each keeps its first flight, the others are reversed.

    An orbit is the closed path that its P props share, one loop apart: prop k makes every flight k
    loops earlier than prop 0.

    Args:
        choreography: forward in time.
        time: time of each of its E events in the loop that runs backward, shape (E,), [s].
    """
    events = choreography.events
    flights = choreography.flights
    orbits = []
    former_props = list[int]()
    for orbit, props in choreography.orbits_with_props:
        if orbit.flights:
            first_flight, *later_flights = orbit.flights
            # Forward, the former prop 0 ends the first flight at `landing_time`. So backward it
            # begins the flight at −landing_time, and the former prop k begins it k loops later. The
            # new prop 0 is the one that begins it within the new loop, at time[catch]. As this is
            # `loops_later` loops after −landing_time, it is the former prop k = loops_later.
            catch = flights.catch[first_flight]
            landing_time = events.time[flights.throw[first_flight]] + flights.duration[first_flight]
            loops_later = int(_whole_loops(time[catch] + landing_time, choreography.duration))
            # A new prop is as many loops ahead of the new prop 0 as its index says, so it is the
            # former prop loops_later − index; modulo P, as props come round.
            former_props += [
                props.start + (loops_later - new_prop) % orbit.props
                for new_prop in range(orbit.props)
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
            former_props += range(props.start, props.stop)
            orbits.append(orbit)
    return _RenumberedOrbits(tuple(orbits), former_props)


def _with_flights_in_order(choreography: Choreography) -> Choreography:
    """Return the choreography with its flights sorted by the time of their throw, then its hand.

    Times are those within the loop; flights with the same time and hand keep their order. This is
    the order in which flights are made from patterns and read from files, so that equal
    choreographies compare equal. Orbits refer to flights by index, so they are changed too.

    Args:
        choreography: flights in any order; `throw` and `catch` are indices of events.
    """
    flights = choreography.flights
    events = choreography.events
    # `lexsort` takes the most important key last.
    order = np.lexsort(
        (events.hand[flights.throw], events.time[flights.throw] % choreography.duration)
    )
    rank = inverse_permutation(order)  # the new index of each flight
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
    choreography: Choreography, first: int, second: int, second_delay: float = 0.0
) -> Choreography:
    """Return a choreography in which two flights exchange their catches.

    Each flight then ends with the catch of the other, and its prop goes on as the other's did. All
    throws and catches keep their times and places. An orbit is the closed path that its props
    share, one loop apart: if both flights are on one orbit, it may split, and if they are on two,
    these may merge. A prop keeps its look if its next throw is the same as before.

    Args:
        choreography: the choreography whose flights they are; each must be thrown before the catch
            that it gets.
        first: index of the first flight, thrown in this loop.
        second: index of the second flight, not equal to `first`.
        second_delay: how much later than in this loop the second one is thrown, a multiple of the
            loop's duration, [s].
    """
    events = choreography.events
    flights = choreography.flights

    # Each flight lasts until the catch of the other. The second is thrown `lag` after the first.
    throw_times = events.time[flights.throw]
    durations = flights.duration.copy()
    lag = throw_times[second] + second_delay - throw_times[first]
    durations[first] = flights.duration[second] + lag
    durations[second] = flights.duration[first] - lag
    # By flight: the flight whose catch it gets, and with it the carry and what comes next.
    former_flight_of_catch = np.arange(len(durations))
    former_flight_of_catch[[first, second]] = second, first
    catch = flights.catch[former_flight_of_catch]
    carry = flights.carry[former_flight_of_catch]
    next_flight = choreography.flight_links.next_flight[former_flight_of_catch]

    # New orbits are the cycles from flight to next flight. If a prop takes n loops to go round one,
    # it is an orbit of n props. Orbits of props that are always held come last, unchanged; they
    # have no flights that could be exchanged.
    orbits = []
    for cycle in cycles(next_flight.tolist()):
        flights_of_orbit = list(cycle)
        round_time = (durations[flights_of_orbit] + carry[flights_of_orbit]).sum()
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
        flights=dataclasses.replace(flights, catch=catch, duration=durations, carry=carry),
        orbits=(*orbits, *held_orbits),
    )
    if not changed.looks:
        return changed
    return dataclasses.replace(changed, looks=_looks_by_throws(choreography, changed))


def _looks_by_throws(before: Choreography, after: Choreography) -> tuple[PropLook, ...]:
    """Return the looks of the props after a change, in their new order.

    A look is the kind, size and colour of a prop. A prop has the look of the prop with the same
    next throw before the change. Props without such a match take the looks that are left, in any
    order.

    Args:
        before: the choreography before the change, with looks.
        after: that after it, with as many props; its own looks are ignored.
    """
    # Several props that one hand always holds have equal keys; hence lists, of which each match
    # takes one look.
    looks_by_throw = grouped(zip(_next_throws(before), before.looks, strict=True))
    matching_looks = [
        looks_by_throw[next_throw].pop() if looks_by_throw.get(next_throw) else None
        for next_throw in _next_throws(after)
    ]
    looks_left = [look for looks in looks_by_throw.values() for look in looks]
    return tuple(look or looks_left.pop() for look in matching_looks)


class _NextThrow(NamedTuple):
    """The first throw of a prop from the start of a loop on.

    Args:
        loop: how many loops later it is, 0 for this one.
        time: when it is within that loop, [s].
        flight: index of the flight that begins with it; −1 for a prop that is always held.
        holder: the hand that always holds the prop; −1 for a prop that flies.
    """

    loop: int
    time: float
    flight: int
    holder: int


def _next_throws(choreography: Choreography) -> list[_NextThrow]:
    """Return for each prop its first throw from the start of the loop on.

    Props are in the order of their orbits. An orbit is the closed path that its props share, one
    loop apart, so that a prop comes back to its start after as many loops as the orbit has props.

    Args:
        choreography: one loop of events, with its flights and orbits.
    """
    # Times of throws within the loop, and the loops in which the first prop of an orbit makes them,
    # both by flight.
    time_in_loop = choreography.events.time[choreography.flights.throw].tolist()
    loop_of_first_prop = choreography.flight_links.throw_time // choreography.duration
    next_throws = list[_NextThrow]()
    for orbit in choreography.orbits:
        for loops_ahead in range(orbit.props):
            # This prop makes all flights `loops_ahead` loops earlier than the orbit's first prop,
            # and again after each round of `orbit.props` loops, hence the remainder.
            throws = (
                _NextThrow(
                    loop=int((loop_of_first_prop[flight] - loops_ahead) % orbit.props),
                    time=time_in_loop[flight],
                    flight=flight,
                    holder=-1,
                )
                for flight in orbit.flights
            )
            always_held = _NextThrow(loop=0, time=0.0, flight=-1, holder=orbit.hand)
            next_throws.append(min(throws, default=always_held))
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
    # A body that never moves has one keyframe, which holds at any time. Its time is left as it is,
    # so that equal choreographies stay equal.
    is_still = np.bincount(bodies.juggler)[bodies.juggler] == 1
    return bodies.retimed(
        np.where(is_still, bodies.time, _snapped_to_loop_start(times, loop) % loop)
    )


def _snapped_to_loop_start(times: Floats, loop: float) -> Floats:
    """Set times, [s], that are within rounding of the start of a loop exactly to that start.

    Otherwise, moved into the loop, a time just below 0 would become one just below its end.
    """
    starts = np.rint(times / loop) * loop
    return np.where(np.abs(times - starts) < _ROUNDING, starts, times)


def _whole_loops(times: Floats, duration: float) -> Integers:
    """Times, [s], as numbers of loops of some duration, [s], rounded to the nearest integers."""
    return np.rint(times / duration).astype(np.intp)


def _unrolled_bodies(bodies: BodyKeyframes, duration: float, loop_count: int) -> BodyKeyframes:
    """Repeat the keyframes of bodies, as one longer loop; sorted by juggler and time.

    A keyframe is where a body stands and faces at one time.

    Args:
        bodies: keyframes of one loop.
        duration: duration of that loop, [s].
        loop_count: how often it is repeated.
    """
    # All keyframes of all repeats, and the repeat that each is in, from 0.
    repeated = bodies.taken(np.tile(np.arange(len(bodies.time)), loop_count))
    repeat = np.repeat(np.arange(loop_count), len(bodies.time))
    time = repeated.time + repeat * duration
    # A body that never moves has one keyframe, of which only the first repeat is kept.
    moves = np.bincount(bodies.juggler)[repeated.juggler] > 1
    is_kept = (repeat == 0) | moves
    return repeated.taken(is_kept).retimed(time[is_kept])


def _unrolled_orbits(choreography: Choreography, loop_count: int) -> _RenumberedOrbits:
    """Return the orbits of a longer loop that is several loops one after another.

    An orbit is the closed path that its P props share, one loop apart: prop k makes every flight k
    loops earlier than prop 0. A loop n times as long splits it into g = gcd(P, n) orbits of P/g
    props each. Flight `f` of loop `m`, from 0, is flight `m · F + f` of the longer loop.

    Args:
        choreography: F flights in a single loop.
        loop_count: n, how many loops become one.
    """
    flight_count = len(choreography.flights.throw)
    orbits = []
    former_props = list[int]()
    for orbit, props in choreography.orbits_with_props:
        if not orbit.flights:
            # Props that are always held.
            orbits.append(orbit)
            former_props += range(props.start, props.stop)
            continue

        flight = np.array(orbit.flights)
        loops_since_first = _loops_since_first_flight(choreography, flight)
        # Prop k makes the orbit's first flight in loop −k, and again after each round of P loops.
        # In the longer loop, which repeats after n loops, only −k modulo g is left of this: props
        # with the same k mod g make it in the same n/g loops, so they share a new orbit.
        orbit_count = gcd(orbit.props, loop_count)
        prop_count = orbit.props // orbit_count
        round_starts = (
            orbit.props * np.arange(loop_count // orbit_count)[:, None]
        )  # loops, a column
        for remainder in range(orbit_count):  # k mod g
            # The earliest loop from 0 on with the first flight. The new orbit's prop 0 makes it
            # there, so it is the former prop k = −start.
            start = -remainder % orbit_count
            # A row for each round of the former orbit, a column for each of its flights.
            loop_of_flight = (start + round_starts + loops_since_first) % loop_count
            new_flights = loop_of_flight * flight_count + flight
            orbits.append(
                PropOrbit(
                    flights=tuple(new_flights.ravel().tolist()),
                    props=prop_count,
                    hand=orbit.hand,
                )
            )
            # New prop i is i longer loops ahead of new prop 0, which are i · n of the former ones.
            former_props += [
                props.start + (new_prop * loop_count - start) % orbit.props
                for new_prop in range(prop_count)
            ]
    return _RenumberedOrbits(tuple(orbits), former_props)


def _loops_since_first_flight(choreography: Choreography, flight: Integers) -> Integers:
    """Return how many loops after an orbit's first flight a prop throws each of its flights.

    An orbit is the closed path that some props share, one loop apart.

    Args:
        choreography: the choreography with the orbit.
        flight: indices of the orbit's flights, in the order in which a prop makes them: N of
            them, one or more, shape (N,).

    Returns:
        Shape (N,); 0 for the first.
    """
    flights = choreography.flights
    # A prop thrown at `throw_time` within the loop goes on through a flight and a carry to its next
    # throw. The time of that, less the next flight's throw time within the loop, is a whole number
    # of loops.
    throw_time = choreography.events.time[flights.throw[flight]]
    next_throw_time = throw_time + flights.duration[flight] + flights.carry[flight]
    loops_to_next = _whole_loops(next_throw_time - np.roll(throw_time, -1), choreography.duration)
    return np.concatenate([[0], np.cumsum(loops_to_next)[:-1]])
