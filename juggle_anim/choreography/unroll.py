"""Unrolling: several loops of a choreography as one, so that each may then differ."""

from __future__ import annotations

import dataclasses
from math import gcd

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import BodyKeyframes, Choreography, Events, Flights, PropOrbit


def unroll(choreography: Choreography, loops: int) -> Choreography:
    """Return a choreography whose loop goes through that of another several times.

    Event `e` of loop `n` becomes event `n · E + e`, flight `f` flight `n · F + f`. An orbit becomes as many as the
    greatest common divisor of its props and the loops says. Where that is all of them, props keep their order.

    Args:
        choreography: whose loop is repeated.
        loops: how often, 1 or more.
    """
    events, flights, duration = choreography.events, choreography.flights, choreography.duration
    count, flown = len(events.time), len(flights.throw)
    lap = np.repeat(np.arange(loops), flown)
    later = _laps(events.time[flights.throw] + flights.duration - events.time[flights.catch], duration)
    orbits, order = _unrolled_orbits(choreography, loops)
    return dataclasses.replace(
        choreography,
        duration=loops * duration,
        bodies=_unrolled_bodies(choreography.bodies, duration, loops),
        events=Events(
            time=np.tile(events.time, loops) + np.repeat(np.arange(loops), count) * duration,
            hand=np.tile(events.hand, loops),
            kind=np.tile(events.kind, loops),
            position=np.tile(events.position, (loops, 1)),
            grasp=None if events.grasp is None else np.tile(events.grasp, loops),
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


def _unrolled_orbits(choreography: Choreography, loops: int) -> tuple[tuple[PropOrbit, ...], list[int]]:
    """Return the orbits, and for each of their props in order the one that it was."""
    events, flights = choreography.events, choreography.flights
    thrown, flown = events.time[flights.throw], len(flights.throw)
    again = thrown + flights.duration + flights.carry
    found, order, first = [], list[int](), 0
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
                found.append(PropOrbit(tuple(steps.ravel().tolist()), orbit.props // parts, orbit.hand))
                order += [first + (ahead * loops - start) % orbit.props for ahead in range(orbit.props // parts)]
        first += orbit.props
    return tuple(found), order
