"""Paths of props in flight and in hands, and the last throw of each prop at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.flight import FlightPaths, Parabola
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate

MAX_SINK = 0.015
"""How far a prop that arrives faster than the hand moves may sink into it, [m]."""

MIN_CARRY = 1e-9
"""A prop with a shorter carry is hit and not held, [s]."""

_MAX_SINK_TIME = 0.12

# The share of its time in one place of the hand that a prop takes to glide to the next.
_GLIDE = 0.3

# Maximum of u(1−u)³, the shape of sinking in, at u = 1/4.
_PEAK = 27 / 256

_NONE = (np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class PropPaths:
    """Paths of P props: one path for each orbit and kind of prop, which props follow loops apart.

    Args:
        paths: all orbits for the first kind, then for the next; while a prop is held its path is that of its grip
            relative to the hand, in the frame of the body.
        holder: shape (S,), the hand that holds the prop on each piece, −1 in flight.
        orbit: shape (P,), the orbit of each prop.
        path: shape (P,), the path that each prop follows.
        lead: shape (P,), how far each prop is ahead on its path, [s].
    """

    paths: PiecewisePolynomial
    holder: Integers
    orbit: Integers
    path: Integers
    lead: Floats


def prop_paths(
    choreography: Choreography,
    flight_paths: Sequence[FlightPaths],
    kind: Integers,
    hand_velocities: Floats,
    held: Floats,
) -> PropPaths:
    """Return the paths of all props.

    Args:
        choreography: flights and orbits.
        flight_paths: of each kind of prop, one or more.
        kind: shape (P,), which kind each prop is.
        hand_velocities: shape (E, 3), of the hands at the events, in the frames of their bodies, [m/s].
        held: shape (O, 3), for each orbit that never flies, where its props lie in the hand, [m].
    """
    orbits, loop = choreography.orbits, choreography.duration
    tables = [_paths(choreography, each, hand_velocities, held) for each in flight_paths]
    orbit = np.repeat(np.arange(len(orbits)), [orbit.props for orbit in orbits])
    return PropPaths(
        paths=concatenate([paths for paths, _ in tables]),
        holder=np.concatenate([holder for _, holder in tables]),
        orbit=orbit,
        path=orbit + len(orbits) * kind,
        lead=np.concatenate([np.arange(orbit.props) * loop for orbit in orbits] or [np.zeros(0)]),
    )


def _paths(
    choreography: Choreography, flight_paths: FlightPaths, hand_velocities: Floats, held: Floats
) -> tuple[PiecewisePolynomial, Integers]:
    """The orbits of one kind of prop, and the holder on each piece."""
    orbits, loop = choreography.orbits, choreography.duration
    periods = np.array([orbit.props * loop for orbit in orbits])
    rows: list[tuple[int, float, int, Floats]] = []
    for number, orbit in enumerate(orbits):
        if orbit.flights:
            legs = _legs(choreography, orbit, flight_paths, hand_velocities)
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
    choreography: Choreography, orbit: PropOrbit, flight_paths: FlightPaths, hand_velocities: Floats
) -> list[tuple[float, int, Floats]]:
    """The pieces of one orbit: the start of each [s], the hand that holds the prop or −1, and its polynomial."""
    events, flights = choreography.events, choreography.flights
    time = float(events.time[flights.throw[orbit.flights[0]]])
    legs: list[tuple[float, int, Floats]] = []
    for flight, following in orbit.steps():
        legs += [(time + leg.since, -1, _parabola(leg)) for leg in flight_paths.parabolas[flight]]
        time += float(flights.duration[flight])
        carry = float(flights.carry[flight])
        if carry > MIN_CARRY:
            inward = flight_paths.grip_arrival[flight] - hand_velocities[flights.catch[flight]]
            outward = flight_paths.grip_launch[following] - hand_velocities[flights.throw[following]]
            hand = int(events.hand[flights.catch[flight]])
            legs += _carried(flight_paths.grips[flight], time, carry, hand, inward, outward)
        time += carry
    return legs


def _carried(
    places: Floats, caught: float, carry: float, hand: int, inward: Floats, outward: Floats
) -> list[tuple[float, int, Floats]]:
    """The pieces of a carry: the prop sinks in, rests, makes room for others if it must, and rises to leave."""
    each = carry / len(places)
    sinks, rises = (_sink_time(relative, each) for relative in (inward, outward))
    return [
        (caught, hand, _polynomial(places[0], *_sinking(inward, sinks))),
        (caught + sinks, hand, _polynomial(places[0])),
        *_moving_on(places, caught, each, hand),
        (caught + carry - rises, hand, _polynomial(places[-1], *_rising(outward, rises))),
    ]


def _moving_on(places: Floats, caught: float, each: float, hand: int) -> list[tuple[float, int, Floats]]:
    """The pieces of a prop that makes room in its hand: at the end of each stage it glides to its next place."""
    glide = _GLIDE * each
    legs = []
    for number, (here, there) in enumerate(pairwise(places), 1):
        arrives = caught + number * each
        way = there - here
        legs.append((arrives - glide, hand, _polynomial(here, 0 * way, 3 * way / glide**2, -2 * way / glide**3)))
        legs.append((arrives, hand, _polynomial(there)))
    return legs


def _parabola(leg: Parabola) -> Floats:
    return _polynomial(leg.position, leg.velocity, np.array([0.0, -leg.gravity / 2, 0.0]))


def _polynomial(*coefficients: Floats) -> Floats:
    polynomial = np.zeros((5, 3))
    polynomial[: len(coefficients)] = coefficients
    return polynomial


def _sink_time(relative: Floats, carry: float) -> float:
    speed = float(np.linalg.norm(relative))
    # Less than half, so that rounding cannot put the rise in a short carry before the end of the sinking.
    return min(0.49 * carry, _MAX_SINK_TIME, MAX_SINK / (_PEAK * max(speed, 1e-9)))


def _sinking(relative: Floats, time: float) -> list[Floats]:
    """Coefficients from u on of w·τ·x(1−x)³, x = u/τ: the prop sinks in with velocity w and comes to rest."""
    return [relative, -3 * relative / time, 3 * relative / time**2, -relative / time**3]


def _rising(relative: Floats, time: float) -> list[Floats]:
    """Coefficients from u on of −w·τ·(1−x)x³: the time-reversed curve, so that the prop leaves with velocity w."""
    return [np.zeros(3), np.zeros(3), -relative / time**2, relative / time**3]


@dataclass(frozen=True)
class LastThrows:
    """When the props of a choreography are thrown, from `last_throws`.

    Args:
        paths: each piece of an orbit lasts from a throw to the next.
        flight: shape (S,), the flight that begins with each piece, −1 on an orbit without throws.
        duration: shape (S,), of that flight, [s].
    """

    paths: PiecewisePolynomial
    flight: Integers
    duration: Floats

    def at(self, orbit: Integers, lead: Floats, times: Floats) -> tuple[Integers, Floats, Floats]:
        """Find the last throw of P props at T times.

        Args:
            orbit, lead: shape (P,), as in `PropPaths`.
            times: shape (T,), [s].

        Returns:
            Of shape (T, P): the flight, −1 for a prop that never flies; the time since then, [s]; and that over
            the duration of the flight, 1 at the catch and more in the hand.
        """
        piece, elapsed = self.paths.locate(orbit, times[:, None] + lead)
        return self.flight[piece], elapsed, elapsed / self.duration[piece]


def last_throws(choreography: Choreography) -> LastThrows:
    """Return when the props of a choreography are thrown."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    rows: list[tuple[int, float, int, float]] = []
    for number, orbit in enumerate(choreography.orbits):
        time = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
        for flight in orbit.flights:
            lasts = float(flights.duration[flight])
            rows.append((number, time % (orbit.props * loop), flight, lasts))
            time += lasts + float(flights.carry[flight])
        if not orbit.flights:
            # A prop that is always held counts as after its flight.
            rows.append((number, 0.0, -1, 1e-9))
    rows.sort(key=lambda row: row[:2])
    orbit_of, start, flight_of, duration = (np.array(column) for column in zip(*rows, strict=True)) if rows else _NONE
    periods = np.array([orbit.props * loop for orbit in choreography.orbits])
    paths = PiecewisePolynomial(periods, orbit_of.astype(np.intp), start, np.zeros((len(rows), 1, 0)))
    return LastThrows(paths, flight_of.astype(np.intp), duration)
