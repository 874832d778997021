"""Other loops of a choreography: several as one, so that each may then differ, and one mirrored,
later or backward.
"""

from __future__ import annotations

import dataclasses
from math import gcd

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import (
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

_ROUNDING = 1e-9  # [s]


def unroll(choreography: Choreography, loops: int) -> Choreography:
    """Return a choreography whose loop goes through that of another several times.

    Event `e` of loop `n` becomes event `n · E + e`, flight `f` flight `n · F + f`. An orbit becomes
    as many as the greatest common divisor of its props and the loops says. Where that is all of
    them, props keep their order.

    Args:
        choreography: whose loop is repeated.
        loops: how often, 1 or more.
    """
    events = choreography.events
    flights = choreography.flights
    duration = choreography.duration
    count = len(events.time)
    flown = len(flights.throw)
    lap = np.repeat(np.arange(loops), flown)
    later = _laps(
        events.time[flights.throw] + flights.duration - events.time[flights.catch], duration
    )
    orbits, order = _unrolled_orbits(choreography, loops)
    return dataclasses.replace(
        choreography,
        duration=loops * duration,
        bodies=_unrolled_bodies(choreography.bodies, duration, loops),
        events=dataclasses.replace(
            events.taken(np.tile(np.arange(count), loops)),
            time=np.tile(events.time, loops) + np.repeat(np.arange(loops), count) * duration,
        ),
        flights=Flights(
            throw=lap * count + np.tile(flights.throw, loops),
            catch=(lap + np.tile(later, loops)) % loops * count + np.tile(flights.catch, loops),
            duration=np.tile(flights.duration, loops),
            carry=np.tile(flights.carry, loops),
            style=flights.style * loops,
        ),
        orbits=orbits,
        looks=tuple(choreography.looks[prop] for prop in order) if choreography.looks else (),
    )


def mirrored(choreography: Choreography, *, bodies: bool = True) -> Choreography:
    """Return what a mirror shows: left hands do what right hands did.

    Args:
        choreography: what is mirrored.
        bodies: whether bodies stand and turn on the other side, too.
    """
    events = choreography.events
    keys = choreography.bodies
    left_right = np.array([-1.0, 1.0, 1.0])
    if bodies:
        keys = dataclasses.replace(keys, position=keys.position * left_right, facing=-keys.facing)
    return dataclasses.replace(
        choreography,
        bodies=keys,
        rest=(choreography.rest.reshape(-1, 2, 3)[:, ::-1] * left_right).reshape(-1, 3),
        events=dataclasses.replace(
            events, hand=events.hand ^ 1, position=events.position * left_right
        ),
        orbits=tuple(
            dataclasses.replace(orbit, hand=orbit.hand ^ 1) for orbit in choreography.orbits
        ),
    )


def delayed(choreography: Choreography, seconds: float) -> Choreography:
    """Return a loop that begins some time later; its events are neither in their order nor within
    the loop.
    """
    events = choreography.events
    bodies = choreography.bodies
    later = dataclasses.replace(
        choreography,
        events=dataclasses.replace(
            events, time=_snapped(events.time - seconds, choreography.duration)
        ),
        bodies=_at_times(bodies, bodies.time - seconds, choreography.duration),
    )
    return _with_flights_in_order(later)


def reversed_in_time(choreography: Choreography) -> Choreography:
    """Return a choreography with time reversed; its events are not in the order of their times.

    Throws become catches and catches throws. A prop that was carried from a catch to a throw is
    carried back, and what was forced down comes back rising.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    time = _snapped(-events.time, loop) % loop
    rounds = choreography.rounds
    kind = np.select([events.kind == THROW, events.kind == CATCH], [CATCH, THROW], events.kind)
    kind[flights.throw] = CATCH
    kind[flights.catch] = THROW
    orbits = []
    order = list[int]()
    first = 0
    for orbit in choreography.orbits:
        if orbit.flights:
            start, *rest = orbit.flights
            # Prop number k is ahead by k loops, which is behind by as many when time runs backward.
            lands = events.time[flights.throw[start]] + flights.duration[start]
            laps = int(_laps(np.array([time[flights.catch[start]] + lands]), loop)[0])
            order += [first + (laps - ahead) % orbit.props for ahead in range(orbit.props)]
            orbits.append(
                PropOrbit(
                    (start, *reversed(rest)), orbit.props, int(events.hand[flights.catch[start]])
                )
            )
        else:
            order += range(first, first + orbit.props)
            orbits.append(orbit)
        first += orbit.props
    back = dataclasses.replace(
        choreography,
        bodies=_at_times(choreography.bodies, -choreography.bodies.time, loop),
        events=dataclasses.replace(events, time=time, kind=kind),
        flights=Flights(
            throw=flights.catch,
            catch=flights.throw,
            duration=flights.duration,
            # What a prop was carried before a flight, it is carried after it.
            carry=flights.carry[rounds.before],
            style=tuple(map(_reversed_style, flights.style)),
        ),
        orbits=tuple(orbits),
        looks=tuple(choreography.looks[prop] for prop in order) if choreography.looks else (),
    )
    return _with_flights_in_order(back)


def _with_flights_in_order(choreography: Choreography) -> Choreography:
    """The same with flights in the order of their throws, as they are where events are made or
    read.
    """
    flights = choreography.flights
    events = choreography.events
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
    choreography: Choreography, one: int, other: int, later: float = 0.0
) -> Choreography:
    """Return a choreography in which two flights land, and stay in the hand, where the other one
    did.

    Props look as before where their next throws are the same.

    Args:
        choreography: whose flights they are.
        one, other: their numbers.
        later: how much later than in this loop the other one is made, a multiple of the loop, [s].
    """
    events = choreography.events
    flights = choreography.flights
    thrown = events.time[flights.throw]
    lasts = flights.duration.copy()
    apart = thrown[other] + later - thrown[one]
    lasts[one], lasts[other] = flights.duration[other] + apart, flights.duration[one] - apart
    order = np.arange(len(lasts))
    order[[one, other]] = other, one
    following = choreography.rounds.following[order]
    carry = flights.carry[order]
    found = []
    for cycle in cycles(following.tolist()):
        props = int(_laps((lasts[list(cycle)] + carry[list(cycle)]).sum(), choreography.duration))
        found.append(PropOrbit(cycle, props, int(events.hand[flights.throw[cycle[0]]])))
    held = [orbit for orbit in choreography.orbits if not orbit.flights]
    changed = dataclasses.replace(
        choreography,
        flights=dataclasses.replace(
            flights, catch=flights.catch[order], duration=lasts, carry=carry
        ),
        orbits=(*found, *held),
    )
    return (
        dataclasses.replace(changed, looks=_looks_by_throws(choreography, changed))
        if changed.looks
        else changed
    )


def _looks_by_throws(before: Choreography, after: Choreography) -> tuple[PropLook, ...]:
    """The looks of props after a change: of those with the same next throws, else of any that are
    left.
    """
    known: dict[object, list[PropLook]] = {}
    for throw, look in zip(_next_throws(before), before.looks, strict=True):
        known.setdefault(throw, []).append(look)
    found = [known[throw].pop() if known.get(throw) else None for throw in _next_throws(after)]
    left = [look for looks in known.values() for look in looks]
    return tuple(look or left.pop() for look in found)


def _next_throws(choreography: Choreography) -> list[object]:
    """For each prop the first flight that it begins from the start of the loop on, and in which
    loop.
    """
    rounds = choreography.rounds
    found = list[object]()
    for orbit in choreography.orbits:
        for ahead in range(orbit.props):
            # The prop is where the first one of its orbit is so many loops later.
            starts = [
                (
                    int((rounds.thrown[flight] // choreography.duration - ahead) % orbit.props),
                    flight,
                )
                for flight in orbit.flights
            ]
            laps = min((lap for lap, _ in starts), default=0)
            mine = [flight for lap, flight in starts if lap == laps]
            times = (
                choreography.events.time[choreography.flights.throw[mine]] if mine else np.zeros(0)
            )
            found.append((laps, mine[int(times.argmin())]) if mine else ("held", orbit.hand))
    return found


def _reversed_style(style: FlightStyle) -> FlightStyle:
    if not style.bounces:
        return dataclasses.replace(style, caught=CatchStyle.NATURAL)
    return dataclasses.replace(
        style, forced=not style.falling, falling=not style.forced, caught=CatchStyle.NATURAL
    )


def _at_times(bodies: BodyKeyframes, times: Floats, loop: float) -> BodyKeyframes:
    """The keyframes of bodies at other times, in their order."""
    # That of a body that never moves means nothing.
    alone = np.bincount(bodies.juggler)[bodies.juggler] == 1
    times = np.where(alone, bodies.time, _snapped(times, loop) % loop)
    rows = np.lexsort((times, bodies.juggler))
    return BodyKeyframes(
        times[rows], bodies.juggler[rows], bodies.position[rows], bodies.facing[rows]
    )


def _snapped(times: Floats, loop: float) -> Floats:
    """Times of which those that rounding has moved away from where a loop begins are there."""
    starts = np.rint(times / loop) * loop
    return np.where(np.abs(times - starts) < _ROUNDING, starts, times)


def _laps(times: Floats, duration: float) -> Integers:
    return np.rint(times / duration).astype(np.intp)


def _unrolled_bodies(bodies: BodyKeyframes, duration: float, loops: int) -> BodyKeyframes:
    lap = np.repeat(np.arange(loops), len(bodies.time))
    juggler = np.tile(bodies.juggler, loops)
    # A body that never moves has one keyframe.
    rows = np.flatnonzero((lap == 0) | (np.bincount(bodies.juggler)[juggler] > 1))
    time = np.tile(bodies.time, loops) + lap * duration
    rows = rows[np.lexsort((time[rows], juggler[rows]))]
    source = rows % len(bodies.time)
    return dataclasses.replace(
        bodies,
        time=time[rows],
        juggler=juggler[rows],
        position=bodies.position[source],
        facing=bodies.facing[source],
    )


def _unrolled_orbits(
    choreography: Choreography, loops: int
) -> tuple[tuple[PropOrbit, ...], list[int]]:
    """Return the orbits, and for each of their props in order the one that it was."""
    events = choreography.events
    flights = choreography.flights
    thrown = events.time[flights.throw]
    flown = len(flights.throw)
    again = thrown + flights.duration + flights.carry
    found = []
    order = list[int]()
    first = 0
    for orbit in choreography.orbits:
        if not orbit.flights:
            found.append(orbit)
            order += range(first, first + orbit.props)
        else:
            row = np.array(orbit.flights)
            ahead = np.cumsum(_laps(again[row] - np.roll(thrown[row], -1), choreography.duration))
            lap = np.concatenate([[0], ahead[:-1]])
            parts = gcd(orbit.props, loops)
            rounds = np.arange(loops // parts)[:, None] * orbit.props
            for part in range(parts):
                # Of the props, number `part` comes first to the first flight of this part.
                start = -part % parts
                steps = (start + rounds + lap) % loops * flown + row
                found.append(
                    PropOrbit(tuple(steps.ravel().tolist()), orbit.props // parts, orbit.hand)
                )
                order += [
                    first + (ahead * loops - start) % orbit.props
                    for ahead in range(orbit.props // parts)
                ]
        first += orbit.props
    return tuple(found), order
