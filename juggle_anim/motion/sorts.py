"""Sorts of props: those that are held and turn alike fly alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography
from juggle_anim.motion.aim import Aims, flight_aims, held_aims, pointing
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.flight import Centres, Flying, before, fly
from juggle_anim.motion.prop_shapes import POINTED, PropShapes
from juggle_anim.motion.spin import Spin, spin_paths

Grips = tuple[tuple[Floats, ...], Floats]
"""Where props lie in hands: for each flight the places after it, and (O, 3) for orbits that never fly, [m]."""


@dataclass(frozen=True)
class Sort:
    """How props of one sort fly and turn.

    Args:
        flying: the flights.
        spin: their aims, as from `spin_paths`; None where all are balls.
    """

    flying: Flying
    spin: Spin | None


def fly_sorts(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, spins: float | None = None
) -> list[Sort]:
    """The flights of each sort of prop, in the order of `PropShapes.variety`; as of balls where there are none.

    Args:
        choreography: the flights.
        bodies: who throws and catches.
        shapes: of the props.
        grips: where they lie in hands.
        spins: how often clubs turn, as for `flight_aims`.
    """
    if not shapes.pointed:
        return [Sort(fly(choreography, bodies, grips[0]), None)]
    return [_sort(choreography, bodies, shapes, grips, prop, spins) for prop in shapes.variety[0].tolist()]


def _sort(
    choreography: Choreography, bodies: Bodies, shapes: PropShapes, grips: Grips, prop: int, spins: float | None
) -> Sort:
    if shapes.kind[prop] not in POINTED:
        still = np.zeros((len(choreography.flights.throw), 2))
        never = Aims(still, still, still, still, still, still)
        return Sort(
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
    return Sort(fly(choreography, bodies, grips[0], centres), spin_paths(choreography, aims, held))


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
