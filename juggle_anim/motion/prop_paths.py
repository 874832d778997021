"""The way of each prop: free flight, and the ride in a hand.

MERGED: The flight that each prop is on, or made last, at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.flight import Flying, Leg
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate

DEEPEST_GIVE = 0.015
"""How far a prop that comes in faster than the hand may press into it, [m]."""

TOUCH = 1e-9
"""A prop that stays shorter than this is hit and not held, [s]."""

_LONGEST_GIVE = 0.12

# The share of its stay in one place that a prop takes to glide to the next.
_GLIDE = 0.3

# u(1−u)³, the course of a give, is highest at u = 1/4.
_PEAK = 27 / 256

_NONE = (np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class PropPaths:
    """Paths of P props: one path for each orbit and sort of prop, which props follow loops apart.

    Args:
        paths: all orbits for the first sort, then for the next; while a prop is held its path is that of the place
            where it lies in the hand, seen from the hand, as turned with the body.
        holder: shape (S,), the hand that holds the prop on each piece, −1 in flight.
        orbit: shape (P,), the orbit of each prop.
        course: shape (P,), the path that each prop follows.
        lead: shape (P,), by how much each prop is ahead on its path, [s].
    """

    paths: PiecewisePolynomial
    holder: Integers
    orbit: Integers
    course: Integers
    lead: Floats


def prop_paths(
    choreography: Choreography, sorts: Sequence[Flying], sort: Integers, hand_velocities: Floats, held: Floats
) -> PropPaths:
    """Paths of all props.

    Args:
        choreography: flights and orbits.
        sorts: the parabolas of each sort of prop, one or more.
        sort: shape (P,), which sort each prop is.
        hand_velocities: shape (E, 3), of the hands at the events, seen from their bodies, [m/s].
        held: shape (O, 3), for each orbit that never flies, where its props lie in the hand, [m].
    """
    orbits, loop = choreography.orbits, choreography.duration
    tables = [_paths(choreography, flying, hand_velocities, held) for flying in sorts]
    orbit = np.repeat(np.arange(len(orbits)), [orbit.props for orbit in orbits])
    return PropPaths(
        paths=concatenate([paths for paths, _ in tables]),
        holder=np.concatenate([holder for _, holder in tables]),
        orbit=orbit,
        course=orbit + len(orbits) * sort,
        lead=np.concatenate([np.arange(orbit.props) * loop for orbit in orbits] or [np.zeros(0)]),
    )


def _paths(
    choreography: Choreography, flying: Flying, hand_velocities: Floats, held: Floats
) -> tuple[PiecewisePolynomial, Integers]:
    """The orbits of one sort of prop, and the holder on each piece."""
    orbits, loop = choreography.orbits, choreography.duration
    periods = np.array([orbit.props * loop for orbit in orbits])
    rows: list[tuple[int, float, int, Floats]] = []
    for number, orbit in enumerate(orbits):
        if orbit.flights:
            legs = _legs(choreography, orbit, flying, hand_velocities)
        else:
            legs = [(0.0, orbit.hand, _polynomial(held[number]))]
        rows += [(number, start % float(periods[number]), holder, leg) for start, holder, leg in legs]
    rows.sort(key=lambda row: row[:2])
    paths = PiecewisePolynomial(
        periods=periods,
        path=np.array([row[0] for row in rows], dtype=np.intp),
        start=np.array([row[1] for row in rows]),
        coefficients=np.array([row[3] for row in rows]).reshape(len(rows), 5, 3),
    )
    return paths, np.array([row[2] for row in rows], dtype=np.intp)


def _legs(
    choreography: Choreography, orbit: PropOrbit, flying: Flying, hand_velocities: Floats
) -> list[tuple[float, int, Floats]]:
    """The legs of one orbit: when each starts [s], the hand that holds the prop or −1, and its polynomial."""
    events, flights = choreography.events, choreography.flights
    time = float(events.time[flights.throw[orbit.flights[0]]])
    legs: list[tuple[float, int, Floats]] = []
    for flight, following in orbit.steps():
        legs += [(time + leg.since, -1, _parabola(leg)) for leg in flying.legs[flight]]
        time += float(flights.duration[flight])
        carry = float(flights.carry[flight])
        if carry > TOUCH:
            inward = flying.seen_arrival[flight] - hand_velocities[flights.catch[flight]]
            outward = flying.seen_launch[following] - hand_velocities[flights.throw[following]]
            hand = int(events.hand[flights.catch[flight]])
            legs += _carried(flying.grips[flight], time, carry, hand, inward, outward)
        time += carry
    return legs


def _carried(
    places: Floats, caught: float, carry: float, hand: int, inward: Floats, outward: Floats
) -> list[tuple[float, int, Floats]]:
    """The legs of a prop in a hand: it presses in, rests, makes room where it must, and comes up to leave."""
    each = carry / len(places)
    sinks, rises = (_give_time(relative, each) for relative in (inward, outward))
    return [
        (caught, hand, _polynomial(places[0], *_sinking(inward, sinks))),
        (caught + sinks, hand, _polynomial(places[0])),
        *_moving_on(places, caught, each, hand),
        (caught + carry - rises, hand, _polynomial(places[-1], *_rising(outward, rises))),
    ]


def _moving_on(places: Floats, caught: float, each: float, hand: int) -> list[tuple[float, int, Floats]]:
    """The legs of a prop that makes room in its hand: at the end of each stage it glides to its next place."""
    glide = _GLIDE * each
    legs = []
    for number, (here, there) in enumerate(pairwise(places), 1):
        arrives = caught + number * each
        way = there - here
        legs.append((arrives - glide, hand, _polynomial(here, 0 * way, 3 * way / glide**2, -2 * way / glide**3)))
        legs.append((arrives, hand, _polynomial(there)))
    return legs


def _parabola(leg: Leg) -> Floats:
    return _polynomial(leg.position, leg.velocity, np.array([0.0, -leg.gravity / 2, 0.0]))


def _polynomial(*coefficients: Floats) -> Floats:
    polynomial = np.zeros((5, 3))
    polynomial[: len(coefficients)] = coefficients
    return polynomial


def _give_time(relative: Floats, carry: float) -> float:
    speed = float(np.linalg.norm(relative))
    # Less than half, so that rounding cannot put the rise of a short carry before the end of its sinking.
    return min(0.49 * carry, _LONGEST_GIVE, DEEPEST_GIVE / (_PEAK * max(speed, 1e-9)))


def _sinking(relative: Floats, time: float) -> list[Floats]:
    """Coefficients from u on of w·τ·x(1−x)³, x = u/τ: the prop presses in with velocity w and comes back to rest."""
    return [relative, -3 * relative / time, 3 * relative / time**2, -relative / time**3]


def _rising(relative: Floats, time: float) -> list[Floats]:
    """Coefficients from u on of −w·τ·(1−x)x³: the same backwards, so that the prop leaves with velocity w."""
    return [np.zeros(3), np.zeros(3), -relative / time**2, relative / time**3]


@dataclass(frozen=True)
class LastThrows:
    """When the props of a choreography are thrown; `last_throws` makes it.

    Args:
        paths: a piece of an orbit from each throw to the next.
        flight: shape (S,), the flight that begins with each piece, −1 where nothing ever is thrown.
        duration: shape (S,), how long that flight is, [s].
    """

    paths: PiecewisePolynomial
    flight: Integers
    duration: Floats

    def at(self, orbit: Integers, lead: Floats, times: Floats) -> tuple[Integers, Floats, Floats]:
        """The last throw of P props at T times.

        Args:
            orbit, lead: shape (P,), as in `PropPaths`.
            times: shape (T,), [s].

        Returns:
            Of shape (T, P): the flight, −1 for a prop that never flies; how long ago it began, [s]; and how much of the
            flight is over, 0 at the throw, 1 at the catch, and more in the hand.
        """
        piece, elapsed = self.paths.locate(orbit, times[:, None] + lead)
        return self.flight[piece], elapsed, elapsed / self.duration[piece]


def last_throws(choreography: Choreography) -> LastThrows:
    """When the props of a choreography are thrown."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    rows: list[tuple[int, float, int, float]] = []
    for number, orbit in enumerate(choreography.orbits):
        time = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
        for flight in orbit.flights:
            lasts = float(flights.duration[flight])
            rows.append((number, time % (orbit.props * loop), flight, lasts))
            time += lasts + float(flights.carry[flight])
        if not orbit.flights:
            # It lasts for ever, and so never is on its way.
            rows.append((number, 0.0, -1, 1e-9))
    rows.sort(key=lambda row: row[:2])
    orbit_of, start, flight_of, duration = (np.array(column) for column in zip(*rows, strict=True)) if rows else _NONE
    periods = np.array([orbit.props * loop for orbit in choreography.orbits])
    paths = PiecewisePolynomial(periods, orbit_of.astype(np.intp), start, np.zeros((len(rows), 1, 0)))
    return LastThrows(paths, flight_of.astype(np.intp), duration)
