"""Spin: where each prop points at any time, and the flights of each kind of prop.

A prop that a throw turns over is caught by its other end, and thrown from there. On an orbit where that happens an odd
number of times, the spin repeats after two rounds, while the centres, which are as far from either grip, repeat after
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, PropOrbit
from juggle_anim.motion.aim import Aims, aim_directions, flight_aims, held_aims
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.flight import Centres, FlightPaths, previous_flights, solve_flights
from juggle_anim.motion.piecewise import PiecewisePolynomial, concatenate
from juggle_anim.motion.prop_paths import MIN_CARRY
from juggle_anim.motion.prop_shapes import ORIENTED_KINDS, PropShapes
from juggle_anim.vectors import wrap_angle

MAX_SWING = 0.17
"""Longest time that a prop turns on in the hand after a catch, and swings before a throw, [s]."""

Grips = tuple[tuple[Floats, ...], Floats]
"""Where props lie in hands: for each flight the places after it, and (O, 3) for held orbits, [m]."""


@dataclass(frozen=True)
class Spin:
    """The aims of all orbits, for each kind of prop.

    Args:
        paths: yaw and pitch in the first round; in the world in flight, otherwise in the frame of the holding body.
        by_top: for each piece, whether the prop was last caught by its top.
        turned_over: for each path, whether one round turns a prop over.
    """

    paths: PiecewisePolynomial
    by_top: Booleans
    turned_over: Booleans

    def along(self, path: Integers, times: Floats, derivative: int) -> tuple[list[Floats], Booleans]:
        """Evaluate aims, [rad], and their derivatives; and whether props were last caught by their top.

        Args:
            path: which path, any shape that broadcasts with `times`.
            times: on the path, [s], any value.
            derivative: the highest.
        """
        piece, elapsed = self.paths.locate(path, times)
        aims = [self.paths.evaluate(piece, elapsed, order) for order in range(derivative + 1)]
        by_top = self.by_top.take(piece)
        if self.turned_over.any():
            began = times - elapsed - self.paths.start.take(piece)
            odd = self.turned_over.take(path) & (np.rint(began / self.paths.periods.take(path)) % 2 == 1)
            aims[0][..., 1] += np.pi * odd
            by_top ^= odd
        return aims, by_top


def spin_paths(choreography: Choreography, aims: Aims, held: Floats) -> Spin:
    """Return the spin of one kind of prop.

    Args:
        choreography: flights and orbits.
        aims: at each flight.
        held: shape (O, 2), the aims on each held orbit, [rad].
    """
    loop, orbits = choreography.duration, choreography.orbits
    over = np.array([aims.turned_over and len(orbit.flights) % 2 == 1 for orbit in orbits], dtype=bool)
    rows: list[tuple[int, float, bool, Floats]] = []
    for number, orbit in enumerate(orbits):
        legs = _legs(choreography, orbit, aims) if orbit.flights else [(0.0, False, _polynomial(held[number]))]
        for time, by_top, leg in legs:
            round_, start = divmod(time, orbit.props * loop)
            # A piece in the second round belongs to the first as seen turned over.
            again = bool(over[number] and round_ % 2)
            rows.append((number, start, by_top ^ again, _flipped(leg) if again else leg))
    rows.sort(key=lambda row: row[:2])
    paths = PiecewisePolynomial(
        periods=np.array([orbit.props * loop for orbit in orbits]),
        path=np.array([row[0] for row in rows], dtype=np.intp),
        start=np.array([row[1] for row in rows]),
        coefficients=np.array([row[3] for row in rows]).reshape(len(rows), 4, 2),
    )
    return Spin(paths, np.array([row[2] for row in rows], dtype=bool), over)


def spin_of_balls(choreography: Choreography, bodies: Bodies, radius: float) -> Spin:
    """Return the spin of balls: steady in flight, about an axis to the side, and with the hand that carries them.

    It repeats with the orbit, but for half turns, after which a ball with panels in two tones looks the same.

    Args:
        choreography: flights and orbits.
        bodies: of the jugglers.
        radius: of the largest ball, [m].
    """
    events, flights = choreography.events, choreography.flights
    hands = np.array([orbit.hand for orbit in choreography.orbits], dtype=np.intp)

    def held(hand: Integers, position: Floats) -> Floats:
        return held_aims("ball", hand % 2 == 1, position, 0 * position, radius)

    thrown, caught = (held(events.hand[event], events.position[event]) for event in (flights.throw, flights.catch))
    aims = flight_aims(choreography, bodies, "ball", thrown, caught)
    return spin_paths(choreography, aims, held(hands, choreography.rest[hands]))


def join_spins(spins: Sequence[Spin]) -> Spin | None:
    """Join the spins of several kinds of props, in their order; None if there is none."""
    if not spins:
        return None
    return Spin(
        concatenate([spin.paths for spin in spins]),
        np.concatenate([spin.by_top for spin in spins]),
        np.concatenate([spin.turned_over for spin in spins]),
    )


def _legs(choreography: Choreography, orbit: PropOrbit, aims: Aims) -> list[tuple[float, bool, Floats]]:
    """The start of each piece [s], whether the prop was last caught by its top, and the aim as a polynomial."""
    events, flights = choreography.events, choreography.flights
    time = float(events.time[flights.throw[orbit.flights[0]]])
    legs: list[tuple[float, bool, Floats]] = []
    by_top = False
    for flight, following in orbit.steps():
        duration, carry = float(flights.duration[flight]), float(flights.carry[flight])
        leg = _polynomial(aims.start[flight], aims.change[flight] / duration)
        legs.append((time, by_top, _flipped(leg) if by_top else leg))
        time += duration
        by_top ^= aims.turned_over
        if carry > MIN_CARRY:
            change = aims.at_throw[following] - aims.at_catch[flight]
            change[0] = wrap_angle(change[0])
            pieces = _carried(aims.at_catch[flight], change, aims.catch_rate[flight], aims.throw_rate[following], carry)
            legs += [(time + since, by_top, _flipped(piece) if by_top else piece) for since, piece in pieces]
        time += carry
    return legs


def _flipped(leg: Floats) -> Floats:
    """The aim of a prop that is held by its top, from that of one held by its knob."""
    return leg + [(0.0, np.pi), *[(0.0, 0.0)] * (len(leg) - 1)]


def _carried(
    start: Floats, change: Floats, catch_rate: Floats, throw_rate: Floats, carry: float
) -> list[tuple[float, Floats]]:
    """The aim of a prop in a hand: it turns on a little, turns with the hand, and swings up to its throw.

    The swings are w·τ·x(1 − x)², x = u / τ, and its time reversal.
    """
    swing = min(MAX_SWING, 0.49 * carry)
    turned = _polynomial(start, 0 * change, 3 * change / carry**2, -2 * change / carry**3)
    settles = _polynomial(0 * catch_rate, catch_rate, -2 * catch_rate / swing, catch_rate / swing**2)
    gathers = _polynomial(0 * throw_rate, 0 * throw_rate, -throw_rate / swing, throw_rate / swing**2)
    last = carry - swing
    return [(0.0, turned + settles), (swing, _shifted(turned, swing)), (last, _shifted(turned, last) + gathers)]


def _shifted(cubic: Floats, by: float) -> Floats:
    """A cubic in the time since `by`."""
    one, two, three = by, by**2, by**3
    matrix = np.array([[1, one, two, three], [0, 1, 2 * one, 3 * two], [0, 0, 1, 3 * one], [0, 0, 0, 1]])
    return matrix @ cubic


def _polynomial(*coefficients: Floats) -> Floats:
    polynomial = np.zeros((4, 2))
    polynomial[: len(coefficients)] = coefficients
    return polynomial


@dataclass(frozen=True)
class PropKind:
    """The flight and rotation of props of one kind.

    Args:
        flight_paths: the flights.
        spin: their aims, as from `spin_paths`; None if all props are balls.
    """

    flight_paths: FlightPaths
    spin: Spin | None


def solve_flights_by_kind(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, spins: float | None = None
) -> list[PropKind]:
    """Return the flights of each kind of prop, in the order of `PropShapes.flight_kinds`.

    Args:
        choreography: the flights.
        bodies: of the jugglers.
        shapes: of the props.
        grips: where they lie in hands.
        spins: turns of clubs, as for `flight_aims`.
    """
    if not shapes.has_oriented:
        return [PropKind(solve_flights(choreography, bodies, grips[0]), None)]
    return [_prop_kind(choreography, bodies, shapes, grips, prop, spins) for prop in shapes.flight_kinds[0].tolist()]


def _prop_kind(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, prop: int, spins: float | None
) -> PropKind:
    if shapes.kind[prop] not in ORIENTED_KINDS:
        still = np.zeros((len(choreography.flights.throw), 2))
        never = Aims(still, still, still, still, still, still)
        return PropKind(
            solve_flights(choreography, bodies, grips[0]),
            spin_paths(choreography, never, np.zeros((len(choreography.orbits), 2))),
        )
    aims = _aims(choreography, bodies, shapes, grips[0], prop, spins)
    arm, low = shapes.grip_to_centre[prop], np.array([0.0, -shapes.grip_drop[prop], 0.0])
    centres = Centres(
        at_throw=arm * aim_directions([aims.at_throw]) + low,
        at_catch=arm * aim_directions([aims.at_catch]) + low,
        throw_rate=arm * aim_directions([aims.at_throw, aims.throw_rate]),
        catch_rate=arm * aim_directions([aims.at_catch, aims.catch_rate]),
    )
    hands = np.array([orbit.hand for orbit in choreography.orbits], dtype=np.intp)
    held = held_aims(shapes.kind[prop], hands % 2 == 1, choreography.rest[hands], grips[1], shapes.palm_distance)
    return PropKind(solve_flights(choreography, bodies, grips[0], centres), spin_paths(choreography, aims, held))


def _aims(
    choreography: Choreography,
    bodies: Bodies,
    shapes: PropShapes,
    grips: tuple[Floats, ...],
    prop: int,
    spins: float | None,
) -> Aims:
    events, flights = choreography.events, choreography.flights
    last = np.array([places[-1] for places in grips]).reshape(-1, 3)[previous_flights(choreography)]
    first = np.array([places[0] for places in grips]).reshape(-1, 3)
    leaves, comes = (
        held_aims(shapes.kind[prop], events.hand[event] % 2 == 1, events.position[event], grip, shapes.palm_distance)
        for event, grip in ((flights.throw, last), (flights.catch, first))
    )
    # A bounced prop leaves and arrives with its centre at the height of the hand, for which the tempo was chosen.
    bounces = np.array([style.bounces > 0 for style in flights.style] or [False] * len(flights.throw), dtype=bool)
    leaves[bounces, 1] = comes[bounces, 1] = np.arcsin(
        min(1.0, shapes.grip_drop[prop] / max(shapes.grip_to_centre[prop], 1e-9))
    )
    return flight_aims(choreography, bodies, shapes.kind[prop], leaves, comes, spins)
