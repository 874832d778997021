"""The spin: where each prop points at any time.

What is turned over by a throw is caught by its other end, and thrown from there. An orbit on which that happens an odd
number of times brings its props back turned over, so their spin repeats after going round it twice, though their
centres, which hands have as far away at either end, repeat each time.

MERGED: Sorts of props: those that are held and turn alike fly alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.aim import Aims, flight_aims, held_aims, pointing
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.flight import Centres, Flying, before, fly
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate
from juggle_anim.motion.prop_paths import TOUCH
from juggle_anim.motion.prop_shapes import POINTED, PropShapes
from juggle_anim.vectors import wrapped_angle

LONGEST_SWING = 0.17
"""How long a prop that is caught turns on in the hand at most, and how long it swings before it is thrown, [s]."""

Grips = tuple[tuple[Floats, ...], Floats]
"""Where props lie in hands: for each flight the places after it, and (O, 3) for orbits that never fly, [m]."""


@dataclass(frozen=True)
class Spin:
    """The aims of all orbits, for each sort of prop.

    Args:
        paths: yaw and pitch when going round for the first time; in flight in the world, else seen from the body that
            holds the prop.
        by_top: for each piece, whether the prop was last caught by its top.
        over: for each path, whether going round it turns a prop over.
    """

    paths: PiecewisePolynomial
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
    paths = PiecewisePolynomial(
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
        concatenate([spin.paths for spin in spins]),
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


@dataclass(frozen=True)
class PropKind:
    """How props of one sort fly and turn.

    Args:
        flying: the flights.
        spin: their aims, as from `spin_paths`; None where all are balls.
    """

    flying: Flying
    spin: Spin | None


def fly_prop_kinds(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, spins: float | None = None
) -> list[PropKind]:
    """The flights of each sort of prop, in the order of `PropShapes.variety`; as of balls where there are none.

    Args:
        choreography: the flights.
        bodies: who throws and catches.
        shapes: of the props.
        grips: where they lie in hands.
        spins: how often clubs turn, as for `flight_aims`.
    """
    if not shapes.pointed:
        return [PropKind(fly(choreography, bodies, grips[0]), None)]
    return [_prop_kind(choreography, bodies, shapes, grips, prop, spins) for prop in shapes.variety[0].tolist()]


def _prop_kind(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, prop: int, spins: float | None
) -> PropKind:
    if shapes.kind[prop] not in POINTED:
        still = np.zeros((len(choreography.flights.throw), 2))
        never = Aims(still, still, still, still, still, still)
        return PropKind(
            fly(choreography, bodies, grips[0]),
            spin_paths(choreography, never, np.zeros((len(choreography.orbits), 2))),
        )
    aims = _aims(choreography, bodies, shapes, grips[0], prop, spins)
    arm, low = shapes.arm[prop], np.array([0.0, -shapes.lower[prop], 0.0])
    centres = Centres(
        leaves=arm * pointing([aims.leaves]) + low,
        comes=arm * pointing([aims.comes]) + low,
        parts=arm * pointing([aims.leaves, aims.parts]),
        meets=arm * pointing([aims.comes, aims.meets]),
    )
    hands = np.array([orbit.hand for orbit in choreography.orbits], dtype=np.intp)
    held = held_aims(shapes.kind[prop], hands % 2 == 1, choreography.rest[hands], grips[1], shapes.palm)
    return PropKind(fly(choreography, bodies, grips[0], centres), spin_paths(choreography, aims, held))


def _aims(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: tuple[Floats, ...],
    prop: int,
    spins: float | None,
) -> Aims:
    events, flights = choreography.events, choreography.flights
    last = np.array([places[-1] for places in grips]).reshape(-1, 3)[before(choreography)]
    first = np.array([places[0] for places in grips]).reshape(-1, 3)
    leaves, comes = (
        held_aims(shapes.kind[prop], events.hand[event] % 2 == 1, events.position[event], grip, shapes.palm)
        for event, grip in ((flights.throw, last), (flights.catch, first))
    )
    # What bounces leaves and comes with its centre at the height of the hand, for which its tempo was chosen.
    bounces = np.array([style.bounces > 0 for style in flights.style] or [False] * len(flights.throw), dtype=bool)
    leaves[bounces, 1] = comes[bounces, 1] = np.arcsin(min(1.0, shapes.lower[prop] / max(shapes.arm[prop], 1e-9)))
    return flight_aims(choreography, bodies, shapes.kind[prop], leaves, comes, spins)
