"""The motion: every hand and prop as a function of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.motion.flight import Flying, fly
from juggle_anim.motion.grip import Carry, grips
from juggle_anim.motion.hand_paths import hand_paths
from juggle_anim.motion.paths import Paths
from juggle_anim.motion.prop_paths import PropPaths, prop_paths
from juggle_anim.parameters import Parameters

FASTEST_CATCH = 4.0
"""No hand moves along with a prop it catches faster than this, however fast that comes, [m/s]."""


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
        prop_radius: [m].
        flying: the flights.
        hands: path of each hand.
        props: path of each orbit of props.
    """

    choreography: Choreography
    prop_radius: float
    flying: Flying
    hands: Paths
    props: PropPaths

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
        numbers = np.arange(len(self.hands.periods))
        hands = self.hands.evaluate(*self.hands.locate(numbers, times[:, None]), derivative)
        piece, elapsed = self.props.paths.locate(self.props.orbit, times[:, None] + self.props.lead)
        props = self.props.paths.evaluate(piece, elapsed, derivative)
        holders = self.props.holder[piece]
        carried = holders >= 0
        rows = np.arange(len(times))[:, None]
        props += np.where(carried[..., None], hands[rows, holders], 0.0)
        return Frames(times, hands.reshape(len(times), len(numbers) // 2, 2, 3), props, holders)

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
    radius = parameters.prop_diameter / 200
    events, flights = choreography.events, choreography.flights
    gripped, held = _grips(choreography, radius)
    flying = fly(choreography, gripped)
    wanted = _mean_by_event(flights.throw, flying.launch, len(events.time))
    soft = parameters.catch_softness / 100 * _mean_by_event(flights.catch, flying.arrival, len(events.time))
    speed = np.linalg.norm(soft, axis=1, keepdims=True)
    wanted += soft * np.minimum(1.0, FASTEST_CATCH / np.maximum(speed, 1e-9))
    hands = hand_paths(choreography, wanted)
    velocities = hands.evaluate(*hands.locate(events.hand, events.time), 1)
    return Motion(choreography, radius, flying, hands, prop_paths(choreography, flying, velocities, held))


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
