"""Flight: how props leave the hands, and come back to them.

MERGED: Means over what happens at one event: a hand may throw, or catch, several props at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import AIR, Choreography
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.errors import ChoreographyError
from juggle_anim.motion.bodies import Bodies


@dataclass(frozen=True)
class Leg:
    """A piece of a flight with nothing but gravity.

    Args:
        since: when it begins, after the throw, [s].
        position: of the prop then, in the world, shape (3,), [m].
        velocity: shape (3,), [m/s].
        gravity: [m/s²].
    """

    since: float
    position: Floats
    velocity: Floats
    gravity: float


@dataclass(frozen=True)
class Flying:
    """The flights of a choreography, F rows; vectors have shape (F, 3).

    Args:
        start: where the prop leaves, in the world, [m].
        launch: its velocity there, [m/s].
        arrival: its velocity where it is caught, [m/s].
        seen_launch, seen_arrival: the velocities then of the place where a hand has the prop, seen from the bodies that
            throw and catch; a prop that does not turn moves as one.
        legs: of each flight, one and one more for each bounce.
        duration: shape (F,), [s].
        grips: for each flight where the prop then lies, seen from the hand that caught it, shape (stages, 3), [m]; a
            prop that stays long moves on for the next, spending the same time in each place.
    """

    start: Floats
    launch: Floats
    arrival: Floats
    seen_launch: Floats
    seen_arrival: Floats
    legs: tuple[tuple[Leg, ...], ...]
    duration: Floats
    grips: tuple[Floats, ...]

    def lasts(self) -> Floats:
        """How long each leg lasts, shape (legs,), [s]."""
        ends = [
            end - leg.since
            for flight, duration in zip(self.legs, self.duration.tolist(), strict=True)
            for leg, end in zip(flight, (*(leg.since for leg in flight[1:]), duration), strict=True)
        ]
        return np.array(ends, dtype=float)

    def apexes(self) -> Floats:
        """The highest point of each leg, shape (legs, 3), [m]."""
        legs = [leg for flight in self.legs for leg in flight]
        position = np.array([leg.position for leg in legs]).reshape(-1, 3)
        velocity = np.array([leg.velocity for leg in legs]).reshape(-1, 3)
        gravity = np.array([leg.gravity for leg in legs])[:, None]
        time = np.minimum(np.maximum(velocity[:, 1:2], 0.0) / gravity, self.lasts()[:, None])
        return position + velocity * time - gravity * time**2 / 2 * (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Centres:
    """Centres of props, from the places where hands have them, at each of F flights; all of shape (F, 3).

    Args:
        leaves, comes: at the throw and at the catch, seen from the bodies that throw and catch, [m].
        parts, meets: their velocities there, seen likewise, [m/s].
    """

    leaves: Floats
    comes: Floats
    parts: Floats
    meets: Floats


def fly(
    choreography: Choreography, bodies: Bodies, grips: tuple[Floats, ...], centres: Centres | None = None
) -> Flying:
    """The parabolas that take each prop from throw to catch in its time.

    Args:
        choreography: the events.
        bodies: who throws and catches.
        grips: where each prop lies in the hand that catches it, as in `Flying`.
        centres: of the props, where they are not there themselves.

    Raises:
        ChoreographyError: a prop cannot bounce as it should in the time it has.
    """
    events, flights = choreography.events, choreography.flights
    last = np.array([places[-1] for places in grips]).reshape(-1, 3)
    first = np.array([places[0] for places in grips]).reshape(-1, 3)
    thrown, caught = flights.throw, flights.catch
    leaves = events.position[thrown] + last[before(choreography)]
    comes = events.position[caught] + first
    if centres:
        leaves, comes = leaves + centres.leaves, comes + centres.comes
    start = bodies.to_world([leaves], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([comes], events.hand[caught] // 2, events.time[caught])
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean, rise = (end - start) / duration, gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    launch, arrival = mean + rise, mean - rise
    legs: list[tuple[Leg, ...]] = [(Leg(0.0, *row),) for row in zip(start, launch, gravity.tolist(), strict=True)]
    for flight, style in enumerate(flights.style):
        if style.bounces:
            legs[flight] = _bouncing(choreography, flight, start[flight], end[flight], float(gravity[flight]))
            launch[flight] = legs[flight][0].velocity
            final = legs[flight][-1]
            falling = (float(flights.duration[flight]) - final.since) * final.gravity
            arrival[flight] = final.velocity - (0.0, falling, 0.0)
    seen_launch = bodies.from_world(launch, leaves, events.hand[thrown] // 2, events.time[thrown])
    seen_arrival = bodies.from_world(arrival, comes, events.hand[caught] // 2, events.time[caught])
    if centres:
        seen_launch, seen_arrival = seen_launch - centres.parts, seen_arrival - centres.meets
    return Flying(start, launch, arrival, seen_launch, seen_arrival, tuple(legs), flights.duration, grips)


def before(choreography: Choreography) -> Integers:
    """For each flight, the one by which its prop came."""
    came = np.zeros(len(choreography.flights.throw), dtype=np.intp)
    for orbit in choreography.orbits:
        for flight, following in orbit.steps():
            came[following] = flight
    return came


def _bouncing(choreography: Choreography, flight: int, start: Floats, end: Floats, gravity: float) -> tuple[Leg, ...]:
    style = choreography.flights.style[flight]
    kept = choreography.kept if style.kept is None else style.kept
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(float(start[1]), float(end[1]), duration, gravity, kept, style)
    if bounce is None:
        raise ChoreographyError(f"a prop cannot bounce {style.bounces} × in the {duration:.2f} s it has")
    along = (end - start) / duration * (1.0, 0.0, 1.0)
    legs = [Leg(0.0, start, along + (0.0, bounce.launch, 0.0), gravity)]
    for since, speed in zip(bounce.hits, bounce.rises, strict=True):
        ground = np.array([start[0], style.plane, start[2]]) + along * since
        legs.append(Leg(since, ground, along + (0.0, speed, 0.0), gravity))
    return tuple(legs)


def _gravities(choreography: Choreography) -> Floats:
    styles = choreography.flights.style or (AIR,) * len(choreography.flights.throw)
    return np.array([choreography.gravity if style.gravity is None else style.gravity for style in styles], dtype=float)


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Means of the values that share an event.

    Args:
        event: shape (N,), the event of each.
        values: shape (N, C).
        count: how many events there are.

    Returns:
        Shape (count, C); 0 where an event has none.
    """
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, event, values)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]
