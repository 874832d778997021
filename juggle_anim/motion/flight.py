"""Flights: the parabolas of props from throw to catch, bounces included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import AIR, Choreography
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.errors import ChoreographyError
from juggle_anim.motion.bodies import Bodies


@dataclass(frozen=True)
class Parabola:
    """A part of a flight under gravity alone; a bounce begins the next.

    Args:
        since: start after the throw, [s].
        position: of the prop then, in the world, shape (3,), [m].
        velocity: shape (3,), [m/s].
        gravity: [m/s²].
    """

    since: float
    position: Floats
    velocity: Floats
    gravity: float


@dataclass(frozen=True)
class FlightPaths:
    """The flights of a choreography, F rows; vectors have shape (F, 3).

    Args:
        start: of the centre at the throw, in the world, [m].
        launch: velocity at the throw, [m/s].
        arrival: velocity at the catch, [m/s].
        grip_launch, grip_arrival: velocities of the gripped point of the prop at throw and catch, in the frames of the
            throwing and the catching body.
        parabolas: of each flight, one more than bounces.
        duration: shape (F,), [s].
        grips: for each flight where the prop then lies, relative to the catching hand, shape (stages, 3), [m]; a prop
            that is carried for long moves on to make room, staying equally long in each place.
    """

    start: Floats
    launch: Floats
    arrival: Floats
    grip_launch: Floats
    grip_arrival: Floats
    parabolas: tuple[tuple[Parabola, ...], ...]
    duration: Floats
    grips: tuple[Floats, ...]

    def durations(self) -> Floats:
        """Duration of each parabola, shape (parabolas,), [s]."""
        ends = [
            end - parabola.since
            for flight, duration in zip(self.parabolas, self.duration.tolist(), strict=True)
            for parabola, end in zip(flight, (*(parabola.since for parabola in flight[1:]), duration), strict=True)
        ]
        return np.array(ends, dtype=float)

    def apexes(self) -> Floats:
        """The highest point of each parabola, shape (parabolas, 3), [m]."""
        parabolas = [parabola for flight in self.parabolas for parabola in flight]
        position = np.array([parabola.position for parabola in parabolas]).reshape(-1, 3)
        velocity = np.array([parabola.velocity for parabola in parabolas]).reshape(-1, 3)
        gravity = np.array([parabola.gravity for parabola in parabolas])[:, None]
        time = np.minimum(np.maximum(velocity[:, 1:2], 0.0) / gravity, self.durations()[:, None])
        return position + velocity * time - gravity * time**2 / 2 * (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Centres:
    """Centres of props relative to where hands grip them, at each of F flights; all of shape (F, 3).

    Args:
        at_throw, at_catch: in the frames of the throwing and the catching body, [m].
        throw_rate, catch_rate: their velocities, likewise, [m/s].
    """

    at_throw: Floats
    at_catch: Floats
    throw_rate: Floats
    catch_rate: Floats


def solve_flights(
    choreography: Choreography, bodies: Bodies, grips: tuple[Floats, ...], centres: Centres | None = None
) -> FlightPaths:
    """Solve for the parabolas that take each prop from throw to catch in its time.

    Args:
        choreography: the events.
        bodies: of the jugglers.
        grips: as in `FlightPaths`.
        centres: of the props; None where they are at the grips.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its time.
    """
    events, flights = choreography.events, choreography.flights
    last = np.array([places[-1] for places in grips]).reshape(-1, 3)
    first = np.array([places[0] for places in grips]).reshape(-1, 3)
    thrown, caught = flights.throw, flights.catch
    leaves = events.position[thrown] + last[previous_flights(choreography)]
    comes = events.position[caught] + first
    if centres:
        leaves, comes = leaves + centres.at_throw, comes + centres.at_catch
    start = bodies.to_world([leaves], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([comes], events.hand[caught] // 2, events.time[caught])
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean, rise = (end - start) / duration, gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    launch, arrival = mean + rise, mean - rise
    parabolas: list[tuple[Parabola, ...]] = [
        (Parabola(0.0, *row),) for row in zip(start, launch, gravity.tolist(), strict=True)
    ]
    for flight, style in enumerate(flights.style):
        if style.bounces:
            parabolas[flight] = _bouncing(choreography, flight, start[flight], end[flight], float(gravity[flight]))
            launch[flight] = parabolas[flight][0].velocity
            final = parabolas[flight][-1]
            falling = (float(flights.duration[flight]) - final.since) * final.gravity
            arrival[flight] = final.velocity - (0.0, falling, 0.0)
    grip_launch = bodies.from_world(launch, leaves, events.hand[thrown] // 2, events.time[thrown])
    grip_arrival = bodies.from_world(arrival, comes, events.hand[caught] // 2, events.time[caught])
    if centres:
        grip_launch, grip_arrival = grip_launch - centres.throw_rate, grip_arrival - centres.catch_rate
    return FlightPaths(start, launch, arrival, grip_launch, grip_arrival, tuple(parabolas), flights.duration, grips)


def previous_flights(choreography: Choreography) -> Integers:
    """For each flight, the one before it of the same prop."""
    came = np.zeros(len(choreography.flights.throw), dtype=np.intp)
    for orbit in choreography.orbits:
        for flight, following in orbit.steps():
            came[following] = flight
    return came


def _bouncing(
    choreography: Choreography, flight: int, start: Floats, end: Floats, gravity: float
) -> tuple[Parabola, ...]:
    style = choreography.flights.style[flight]
    kept = choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(float(start[1]), float(end[1]), duration, gravity, kept, style)
    if bounce is None:
        raise ChoreographyError(f"a prop cannot bounce {style.bounces} × in the {duration:.2f} s it has")
    along = (end - start) / duration * (1.0, 0.0, 1.0)
    parabolas = [Parabola(0.0, start, along + (0.0, bounce.launch, 0.0), gravity)]
    for since, speed in zip(bounce.hits, bounce.rises, strict=True):
        ground = np.array([start[0], style.plane, start[2]]) + along * since
        parabolas.append(Parabola(since, ground, along + (0.0, speed, 0.0), gravity))
    return tuple(parabolas)


def _gravities(choreography: Choreography) -> Floats:
    styles = choreography.flights.style or (AIR,) * len(choreography.flights.throw)
    return np.array([choreography.gravity if style.gravity is None else style.gravity for style in styles], dtype=float)


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Return the means of values that share an event: a hand may throw or catch several props at once.

    Args:
        event: shape (N,), the event of each.
        values: shape (N, C).
        count: number of events.

    Returns:
        Shape (count, C); 0 where an event has none.
    """
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, event, values)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]


def props_held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """Number of props that hands hold at some times of the loop, shape (N,)."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    came = previous_flights(choreography)
    caught, thrown = events.time[flights.catch[came]], events.time[flights.throw]
    holder, width = events.hand[flights.throw], 2 * loop
    through = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(through, holder, np.rint((caught + flights.carry[came] - thrown) / loop).astype(np.intp))
    for orbit in choreography.orbits:
        through[orbit.hand] += 0 if orbit.flights else orbit.props
    key, start = hand * width + times, hand * width
    came_in, went_out = np.sort(holder * width + caught), np.sort(holder * width + thrown)
    more, fewer = (
        np.searchsorted(ends, key, side="right") - np.searchsorted(ends, start, side="left")
        for ends in (came_in, went_out)
    )
    held: Integers = through[hand] + more - fewer
    return held
