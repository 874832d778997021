"""Flights: the parabolas of props from throw to catch, bounces included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.prop_shapes import Grips


@dataclass(frozen=True)
class Parabolas:
    """The parts of F flights under gravity alone, in their order, L rows; a bounce begins the next.

    Args:
        flight: shape (L,), the flight of each.
        since: shape (L,), its start after the throw, [s].
        lasts: shape (L,), its duration, [s].
        position: shape (L, 3), of the prop at its start, in the world, [m].
        velocity: shape (L, 3), then, [m/s].
        gravity: shape (L,), [m/s²].
    """

    flight: Integers
    since: Floats
    lasts: Floats
    position: Floats
    velocity: Floats
    gravity: Floats

    @cached_property
    def first(self) -> Integers:
        """The first row of each flight, shape (F,)."""
        return np.flatnonzero(self.since == 0.0)

    def apexes(self) -> Floats:
        """The highest point of each, shape (L, 3), [m]."""
        gravity = self.gravity[:, None]
        time = np.minimum(np.maximum(self.velocity[:, 1:2], 0.0) / gravity, self.lasts[:, None])
        return self.position + self.velocity * time - gravity * time**2 / 2 * (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class FlightPaths:
    """The flights of a choreography, F rows; vectors have shape (F, 3).

    Args:
        start: of the centre at the throw, in the world, [m].
        launch: velocity at the throw, [m/s].
        arrival: velocity at the catch, [m/s].
        grip_launch, grip_arrival: velocities of the gripped point of the prop at throw and catch,
            in the frames of the throwing and the catching body.
        parabolas: of all flights, one more than bounces of each.
        duration: shape (F,), [s].
        grips: where the props then lie in hands.
    """

    start: Floats
    launch: Floats
    arrival: Floats
    grip_launch: Floats
    grip_arrival: Floats
    parabolas: Parabolas
    duration: Floats
    grips: Grips


@dataclass(frozen=True)
class Centres:
    """Centres of props relative to where hands grip them, at each of F flights; all of shape (F,
    3).

    Args:
        at_throw, at_catch: in the frames of the throwing and the catching body, [m].
        throw_rate, catch_rate: their velocities, likewise, [m/s].
    """

    at_throw: Floats
    at_catch: Floats
    throw_rate: Floats
    catch_rate: Floats


def solve_flights(
    choreography: Choreography,
    bodies: Bodies,
    grips: Grips,
    radius: float = 0.0,
    centres: Centres | None = None,
) -> FlightPaths:
    """Solve for the parabolas that take each prop from throw to catch in its time.

    Args:
        choreography: the events.
        bodies: of the jugglers.
        grips: where props lie in hands.
        radius: how high above the plane centres are at bounces, [m].
        centres: of the props; None where they are at the grips.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its time.
    """
    events = choreography.events
    flights = choreography.flights
    thrown = flights.throw
    caught = flights.catch
    leaves = events.position[thrown] + grips.places[grips.last[choreography.rounds.before]]
    comes = events.position[caught] + grips.places[grips.first]
    if centres:
        leaves = leaves + centres.at_throw
        comes = comes + centres.at_catch
    start = bodies.to_world([leaves], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([comes], events.hand[caught] // 2, events.time[caught])
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean = (end - start) / duration
    rise = gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    launch = mean + rise
    arrival = mean - rise
    bounced: list[_Bounced] = []
    for flight, style in enumerate(flights.style):
        if style.bounces:
            ends = start[flight], end[flight]
            launch[flight], *parts = _bounces(
                choreography, flight, ends, float(gravity[flight]), radius
            )
            _place, since, _pull, velocity = parts[-1]
            arrival[flight] = velocity - (
                0.0,
                (float(flights.duration[flight]) - since) * gravity[flight],
                0.0,
            )
            bounced += parts
    parabolas = _joined(start, launch, bounced, gravity, flights.duration)
    grip_launch = bodies.from_world(launch, leaves, events.hand[thrown] // 2, events.time[thrown])
    grip_arrival = bodies.from_world(arrival, comes, events.hand[caught] // 2, events.time[caught])
    if centres:
        grip_launch = grip_launch - centres.throw_rate
        grip_arrival = grip_arrival - centres.catch_rate
    return FlightPaths(
        start, launch, arrival, grip_launch, grip_arrival, parabolas, flights.duration, grips
    )


_Bounced = tuple[int, float, Floats, Floats]
"""The flight, the time since its throw [s], and place [m] and velocity [m/s] after a bounce."""


def _bounces(
    choreography: Choreography,
    flight: int,
    ends: tuple[Floats, Floats],
    gravity: float,
    radius: float,
) -> tuple[Floats, *tuple[_Bounced, ...]]:
    """The velocity at the throw, [m/s], and all bounces."""
    (start, end), style = ends, choreography.flights.style[flight]
    kept = choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(
        float(start[1]),
        float(end[1]),
        duration,
        gravity,
        kept,
        style,
        radius,
        slow=choreography.slow_bounces,
    )
    if bounce is None:
        raise ChoreographyError(
            _(
                "a prop cannot bounce {bounces} × in the {duration:.2f} s it has",
                bounces=style.bounces,
                duration=duration,
            )
        )
    along = (end - start) / duration * (1.0, 0.0, 1.0)
    ground = np.array([start[0], bounce.height, start[2]])
    rises = zip(bounce.hits, bounce.rises, strict=True)
    parts = [
        (flight, since, ground + along * since, along + (0.0, speed, 0.0)) for since, speed in rises
    ]
    return along + (0.0, bounce.launch, 0.0), *parts


def _joined(
    start: Floats, launch: Floats, bounced: list[_Bounced], gravity: Floats, duration: Floats
) -> Parabolas:
    """The parabolas from throws, F rows, and from bounces."""
    flight = np.arange(len(start))
    since = np.zeros(len(start))
    if not bounced:
        return Parabolas(flight, since, duration, start, launch, gravity)
    numbers, times, places, velocities = (np.array(each) for each in zip(*bounced, strict=True))
    flight = np.concatenate([flight, numbers])
    since = np.concatenate([since, times])
    order = np.lexsort((since, flight))
    flight = flight[order]
    since = since[order]
    ends = np.where(
        np.append(flight[1:] != flight[:-1], True), duration[flight], np.roll(since, -1)
    )
    position = np.concatenate([start, places])[order]
    velocity = np.concatenate([launch, velocities])[order]
    return Parabolas(flight, since, ends - since, position, velocity, gravity[flight])


def _gravities(choreography: Choreography) -> Floats:
    usual = choreography.gravity
    if not choreography.flights.style:
        return np.full(len(choreography.flights.throw), usual)
    return np.array(
        [usual if style.gravity is None else style.gravity for style in choreography.flights.style]
    )


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Return the means of values that share an event: a hand may throw or catch several props at
    once.

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
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    came = choreography.rounds.before
    caught = events.time[flights.catch[came]]
    thrown = events.time[flights.throw]
    holder = events.hand[flights.throw]
    width = 2 * loop
    through = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(
        through, holder, np.rint((caught + flights.carry[came] - thrown) / loop).astype(np.intp)
    )
    for orbit in choreography.orbits:
        through[orbit.hand] += 0 if orbit.flights else orbit.props
    key = hand * width + times
    start = hand * width
    came_in = np.sort(holder * width + caught)
    went_out = np.sort(holder * width + thrown)
    more, fewer = (
        np.searchsorted(ends, key, side="right") - np.searchsorted(ends, start, side="left")
        for ends in (came_in, went_out)
    )
    held: Integers = through[hand] + more - fewer
    return held
