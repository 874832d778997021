"""The spin: where each prop points at any time.

What is turned over by a throw is caught by its other end, and thrown from there. An orbit on which that happens an odd
number of times brings its props back turned over, so their spin repeats after going round it twice, though their
centres, which hands have as far away at either end, repeat each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.aim import Aims
from juggle_anim.motion.paths import Paths, side_by_side
from juggle_anim.motion.prop_paths import TOUCH
from juggle_anim.vectors import wrapped_angle

LONGEST_SWING = 0.17
"""How long a prop that is caught turns on in the hand at most, and how long it swings before it is thrown, [s]."""


@dataclass(frozen=True)
class Spin:
    """The aims of all orbits, for each sort of prop.

    Args:
        paths: yaw and pitch when going round for the first time; in flight in the world, else seen from the body that
            holds the prop.
        by_top: for each piece, whether the prop was last caught by its top.
        over: for each path, whether going round it turns a prop over.
    """

    paths: Paths
    by_top: Booleans
    over: Booleans

    def along(self, path: Integers, times: Floats, derivative: int) -> tuple[list[Floats], Booleans]:
        """Aims, [rad], and their derivatives up to one; and whether props were last caught by their top.

        Args:
            path: which path, any shape that broadcasts with `times`.
            times: on the path, [s], any value.
            derivative: up to which.
        """
        piece, elapsed = self.paths.locate(path, times)
        aims = [self.paths.evaluate(piece, elapsed, order) for order in range(derivative + 1)]
        by_top = self.by_top.take(piece)
        if self.over.any():
            began = times - elapsed - self.paths.start.take(piece)
            odd = self.over.take(path) & (np.rint(began / self.paths.periods.take(path)) % 2 == 1)
            aims[0][..., 1] += np.pi * odd
            by_top ^= odd
        return aims, by_top


def spin_paths(choreography: Choreography, aims: Aims, held: Floats) -> Spin:
    """The spin of one sort of prop.

    Args:
        choreography: flights and orbits.
        aims: at each flight.
        held: shape (O, 2), for each orbit that never flies, how its props are held, [rad].
    """
    loop, orbits = choreography.duration, choreography.orbits
    over = np.array([aims.turned_over and len(orbit.flights) % 2 == 1 for orbit in orbits], dtype=bool)
    rows: list[tuple[int, float, bool, Floats]] = []
    for number, orbit in enumerate(orbits):
        legs = _legs(choreography, orbit, aims) if orbit.flights else [(0.0, False, _polynomial(held[number]))]
        for time, by_top, leg in legs:
            round_, start = divmod(time, orbit.props * loop)
            # What goes on into the next round is there what was begun in the one before.
            again = bool(over[number] and round_ % 2)
            rows.append((number, start, by_top ^ again, _over(leg) if again else leg))
    rows.sort(key=lambda row: row[:2])
    paths = Paths(
        periods=np.array([orbit.props * loop for orbit in orbits]),
        path=np.array([row[0] for row in rows], dtype=np.intp),
        start=np.array([row[1] for row in rows]),
        coefficients=np.array([row[3] for row in rows]).reshape(len(rows), 4, 2),
    )
    return Spin(paths, np.array([row[2] for row in rows], dtype=bool), over)


def join_spins(spins: Sequence[Spin]) -> Spin | None:
    """The spins of several sorts of props as one, in their order; None where there is none."""
    if not spins:
        return None
    return Spin(
        side_by_side([spin.paths for spin in spins]),
        np.concatenate([spin.by_top for spin in spins]),
        np.concatenate([spin.over for spin in spins]),
    )


def _legs(choreography: Choreography, orbit: PropOrbit, aims: Aims) -> list[tuple[float, bool, Floats]]:
    """When each leg starts [s], whether the prop was caught by its top before, and the aim by time."""
    events, flights = choreography.events, choreography.flights
    time = float(events.time[flights.throw[orbit.flights[0]]])
    legs: list[tuple[float, bool, Floats]] = []
    by_top = False
    for flight, following in orbit.steps():
        duration, carry = float(flights.duration[flight]), float(flights.carry[flight])
        leg = _polynomial(aims.start[flight], aims.change[flight] / duration)
        legs.append((time, by_top, _over(leg) if by_top else leg))
        time += duration
        by_top ^= aims.turned_over
        if carry > TOUCH:
            way = aims.leaves[following] - aims.comes[flight]
            way[0] = wrapped_angle(way[0])
            pieces = _carried(aims.comes[flight], way, aims.meets[flight], aims.parts[following], carry)
            legs += [(time + since, by_top, _over(piece) if by_top else piece) for since, piece in pieces]
        time += carry
    return legs


def _over(leg: Floats) -> Floats:
    """The aim of a prop whose top is where that of its knob is given."""
    return leg + [(0.0, np.pi), *[(0.0, 0.0)] * (len(leg) - 1)]


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
