"""The motion: every hand and prop as a function of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import CatchStyle, Choreography, EventKind
from juggle_anim.motion.bodies import Bodies, body_paths
from juggle_anim.motion.flight import Flying, fly
from juggle_anim.motion.grip import Carry, grips
from juggle_anim.motion.hand_paths import PARTING, hand_paths
from juggle_anim.motion.paths import Paths
from juggle_anim.motion.prop_paths import PropPaths, prop_paths
from juggle_anim.parameters import Parameters

FASTEST_CATCH = 4.0
"""No hand moves along with a prop it catches faster than this, however fast that comes, [m/s]."""


_SOFTNESS = {CatchStyle.SOFT: 1.0, CatchStyle.GRAB: 0.0}


@dataclass(frozen=True)
class Frames:
    """The motion at T times, of J jugglers and P props.

    Args:
        times: shape (T,), [s].
        hands: shape (T, J, 2, 3), left then right, in the world, [m].
        props: shape (T, P, 3), centres, [m].
        holders: shape (T, P), the hand that holds each prop, 2 · juggler + side, or −1 in flight.
    """

    times: Floats
    hands: Floats
    props: Floats
    holders: Integers


@dataclass(frozen=True)
class Motion:
    """Continuous paths of one choreography; `move` makes it.

    Args:
        choreography: the events it passes.
        prop_radii: shape (P,), of each prop, [m].
        bodies: path of each juggler over the floor.
        flying: the flights.
        hands: path of each hand, seen from its body.
        props: path of each orbit of props.
    """

    choreography: Choreography
    prop_radii: Floats
    bodies: Bodies
    flying: Flying
    hands: Paths
    props: PropPaths

    @property
    def prop_radius(self) -> float:
        """Of the largest prop, [m]."""
        return float(self.prop_radii.max(initial=0.0))

    @property
    def duration(self) -> float:
        """Of one loop, [s]."""
        return self.choreography.duration

    def sample(self, times: Floats, derivative: int = 0) -> Frames:
        """Hands and props at any times.

        Args:
            times: shape (T,), [s]; negative ones and those past the loop too.
            derivative: 0 for positions; 1, 2 … for velocities [m/s], accelerations [m/s²] …
        """
        times = np.atleast_1d(np.asarray(times, dtype=float))
        orders = self.bodies.orders(derivative)
        numbers = np.arange(len(self.hands.periods))
        at = self.hands.locate(numbers, times[:, None])
        hands = [self.hands.evaluate(*at, order) for order in orders]
        piece, elapsed = self.props.paths.locate(self.props.orbit, times[:, None] + self.props.lead)
        holders = self.props.holder[piece]
        props = self.props.paths.evaluate(piece, elapsed, derivative)
        row, prop = np.nonzero(holders >= 0)
        hand, here = holders[row, prop], (piece[row, prop], elapsed[row, prop])
        carried = [
            seen[row, hand] + self.props.paths.evaluate(*here, order) for seen, order in zip(hands, orders, strict=True)
        ]
        props[row, prop] = self.bodies.to_world(carried, hand // 2, times[row], derivative)
        world = self.bodies.to_world(hands, numbers // 2, times[:, None], derivative)
        return Frames(times, world.reshape(len(times), len(numbers) // 2, 2, 3), props, holders)

    def successors(self) -> Integers:
        """Shape (P,): the prop that is, at any time t, where each prop is at t + duration."""
        orbit = self.props.orbit
        sizes = np.array([orbit.props for orbit in self.choreography.orbits], dtype=np.intp)
        first: Integers = (np.cumsum(sizes) - sizes)[orbit]
        size: Integers = sizes[orbit]
        return first + (np.arange(len(orbit), dtype=np.intp) - first + 1) % size


def move(choreography: Choreography, parameters: Parameters) -> Motion:
    """Paths through the events of a choreography.

    Args:
        choreography: what happens.
        parameters: prop diameter and catch softness are read.
    """
    radii = _radii(choreography, parameters.prop_diameter / 200)
    events = choreography.events
    gripped, held = _grips(choreography, float(radii.max(initial=0.0)))
    bodies = body_paths(choreography.bodies, choreography.jugglers, choreography.duration)
    flying = fly(choreography, bodies, gripped)
    parting = PARTING * _strongest_pull(choreography) + bodies.rise(events.hand // 2, events.time)
    hands = hand_paths(choreography, _wanted(choreography, flying, parameters.catch_softness / 100), parting)
    velocities = hands.evaluate(*hands.locate(events.hand, events.time), 1)
    props = prop_paths(choreography, flying, velocities, held)
    return Motion(choreography, radii, bodies, flying, hands, props)


def _radii(choreography: Choreography, usual: float) -> Floats:
    radii = np.full(choreography.props, usual)
    for prop, look in enumerate(choreography.looks):
        radii[prop] = usual if look.diameter is None else look.diameter / 2
    return radii


def _wanted(choreography: Choreography, flying: Flying, softness: float) -> Floats:
    """The velocity of the hand at each throw and catch, seen from its body, shape (E, 3), [m/s]."""
    events, flights = choreography.events, choreography.flights
    soft = np.full(len(flights.catch), softness)
    for flight, style in enumerate(flights.style):
        soft[flight] = _SOFTNESS.get(style.caught, softness)
    given = _mean_by_event(flights.catch, soft[:, None] * flying.seen_arrival, len(events.time))
    speed = np.linalg.norm(given, axis=1, keepdims=True)
    given *= np.minimum(1.0, FASTEST_CATCH / np.maximum(speed, 1e-9))
    thrown = _mean_by_event(flights.throw, flying.seen_launch, len(events.time))
    return np.where((events.kind == EventKind.THROW)[:, None], thrown, given)


def _strongest_pull(choreography: Choreography) -> Floats:
    """The gravity on what is thrown at each event, shape (E,), [m/s²]."""
    pull = np.full(len(choreography.events.time), choreography.gravity)
    for event, style in zip(choreography.flights.throw, choreography.flights.style, strict=False):
        pull[event] = max(pull[event], style.gravity or 0.0)
    return pull


def _grips(choreography: Choreography, radius: float) -> tuple[tuple[Floats, ...], Floats]:
    """Offsets from the hand: for each flight those of the carry after it, and (O, 3) for orbits that never fly."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    stages = np.ceil(flights.carry / loop - 1e-9).astype(int)
    carries: list[Carry] = []
    for catch, carry, count in zip(flights.catch, flights.carry, stages, strict=True):
        hand, caught, each = int(events.hand[catch]), float(events.time[catch]), float(carry / count)
        carries += [(hand, caught + number * each, caught + (number + 1) * each) for number in range(count)]
    still = [number for number, orbit in enumerate(choreography.orbits) if not orbit.flights]
    forever = [(choreography.orbits[number].hand, 0.0, 2 * loop) for number in still]
    offsets = grips(choreography, carries + forever, radius)
    held = np.zeros((len(choreography.orbits), 3))
    held[still] = offsets[len(carries) :]
    places = np.split(offsets[: len(carries)], np.cumsum(stages))[:-1] if len(stages) else []
    return tuple(places), held


def _mean_by_event(event: Integers, velocity: Floats, count: int) -> Floats:
    total = np.zeros((count, 3))
    np.add.at(total, event, velocity)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]
