"""The spin: where each prop points at any time."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.aim import Aims, wrapped
from juggle_anim.motion.paths import Paths
from juggle_anim.motion.prop_paths import TOUCH

LONGEST_SWING = 0.17
"""How long a prop that is caught turns on in the hand at most, and how long it swings before it is thrown, [s]."""


def spin_paths(choreography: Choreography, aims: Aims, held: Floats) -> Paths:
    """The aims of all orbits for one sort of prop, yaw and pitch; in flight in the world, else seen from the body.

    Args:
        choreography: flights and orbits.
        aims: at each flight.
        held: shape (O, 2), for each orbit that never flies, how its props are held, [rad].
    """
    loop = choreography.duration
    rows: list[tuple[int, float, Floats]] = []
    for number, orbit in enumerate(choreography.orbits):
        legs = _legs(choreography, orbit, aims) if orbit.flights else [(0.0, _polynomial(held[number]))]
        rows += [(number, start % (orbit.props * loop), leg) for start, leg in legs]
    rows.sort(key=lambda row: row[:2])
    return Paths(
        periods=np.array([orbit.props * loop for orbit in choreography.orbits]),
        path=np.array([row[0] for row in rows], dtype=np.intp),
        start=np.array([row[1] for row in rows]),
        coefficients=np.array([row[2] for row in rows]).reshape(len(rows), 4, 2),
    )


def _legs(choreography: Choreography, orbit: PropOrbit, aims: Aims) -> list[tuple[float, Floats]]:
    events, flights = choreography.events, choreography.flights
    time = float(events.time[flights.throw[orbit.flights[0]]])
    legs: list[tuple[float, Floats]] = []
    for flight, following in orbit.steps():
        duration, carry = float(flights.duration[flight]), float(flights.carry[flight])
        legs.append((time, _polynomial(aims.start[flight], aims.change[flight] / duration)))
        time += duration
        if carry > TOUCH:
            way = aims.leaves[following] - aims.comes[flight]
            way[0] = wrapped(way[0])
            pieces = _carried(aims.comes[flight], way, aims.meets[flight], aims.parts[following], carry)
            legs += [(time + since, piece) for since, piece in pieces]
        time += carry
    return legs


def _carried(come: Floats, way: Floats, meets: Floats, parts: Floats, carry: float) -> list[tuple[float, Floats]]:
    """A prop in a hand turns on a little, rests in the hand, which turns, and swings out to be thrown.

    The swings are w·τ·x(1 − x)², x = u / τ, and the same backwards.
    """
    swing = min(LONGEST_SWING, 0.49 * carry)
    turned = _polynomial(come, 0 * way, 3 * way / carry**2, -2 * way / carry**3)
    settles = _polynomial(0 * meets, meets, -2 * meets / swing, meets / swing**2)
    gathers = _polynomial(0 * parts, 0 * parts, -parts / swing, parts / swing**2)
    last = carry - swing
    return [(0.0, turned + settles), (swing, _shifted(turned, swing)), (last, _shifted(turned, last) + gathers)]


def _shifted(cubic: Floats, by: float) -> Floats:
    """A cubic as one of the time since `by`."""
    one, two, three = by, by**2, by**3
    matrix = np.array([[1, one, two, three], [0, 1, 2 * one, 3 * two], [0, 0, 1, 3 * one], [0, 0, 0, 1]])
    return matrix @ cubic


def _polynomial(*coefficients: Floats) -> Floats:
    polynomial = np.zeros((4, 2))
    polynomial[: len(coefficients)] = coefficients
    return polynomial
