"""How fast hands and props are at throws and catches, and how hard gravity pulls there."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import CatchStyle, Choreography
from juggle_anim.choreography.choreography import CATCH, THROW
from juggle_anim.motion.claws import claws, onto_props, softened
from juggle_anim.motion.flight import mean_by_event
from juggle_anim.motion.prop_shapes import PropShapes
from juggle_anim.motion.spin import PropKind
from juggle_anim.vectors import norm

MAX_CATCH_SPEED = 4.0
"""Fastest motion of a hand with the prop that it catches, [m/s]."""

_PUT_DOWN = -20.0  # m/s²

_SOFTNESS = {CatchStyle.SOFT: 1.0, CatchStyle.GRAB: 0.0}


def grip_velocities(choreography: Choreography, kinds: list[PropKind], shapes: PropShapes) -> tuple[Floats, Floats]:
    """Velocities of gripped points at throws and catches, shape (F, 3), [m/s].

    Where props of several kinds share an orbit, hands move with their mean.
    """
    if len(kinds) == 1:
        return kinds[0].flight_paths.grip_launch, kinds[0].flight_paths.grip_arrival
    share = np.zeros((len(choreography.flights.throw), len(kinds)))
    prop = 0
    for orbit in choreography.orbits:
        mine = shapes.flight_kinds[1][prop : prop + orbit.props]
        share[list(orbit.flights)] = np.bincount(mine, minlength=len(kinds)) / orbit.props
        prop += orbit.props
    launch = sum((share[:, [n]] * kind.flight_paths.grip_launch for n, kind in enumerate(kinds)), start=np.zeros(3))
    arrival = sum((share[:, [n]] * kind.flight_paths.grip_arrival for n, kind in enumerate(kinds)), start=np.zeros(3))
    return launch, arrival


def target_velocities(choreography: Choreography, launch: Floats, arrival: Floats, softness: float) -> Floats:
    """Velocity of the hand at each throw and catch, in the frame of its body, shape (E, 3), [m/s]."""
    events, flights = choreography.events, choreography.flights
    soft = np.full(len(flights.catch), softness)
    for flight, style in enumerate(flights.style):
        soft[flight] = _SOFTNESS.get(style.caught, softness)
    soft = softened(soft, claws(events, CATCH)[flights.catch])
    caught = mean_by_event(flights.catch, soft[:, None] * arrival, len(events.time))
    speed = norm(caught)
    caught *= np.minimum(1.0, MAX_CATCH_SPEED / np.maximum(speed, 1e-9))
    thrown = mean_by_event(flights.throw, launch, len(events.time))
    return np.where((events.kind == THROW)[:, None], thrown, onto_props(caught, events))


def strongest_pull(choreography: Choreography) -> Floats:
    """Strongest gravity on the props thrown at each event, shape (E,), [m/s²]."""
    pull = np.full(len(choreography.events.time), choreography.gravity)
    for event, style in zip(choreography.flights.throw.tolist(), choreography.flights.style, strict=False):
        # A hand that puts a prop down goes on upward.
        pull[event] = _PUT_DOWN if style.rests else max(pull[event], style.gravity or 0.0)
    return pull
