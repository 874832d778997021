"""Flights: the parabolas of props from throw to catch, bounces included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

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
    """Centres of props relative to where hands grip them at F flights, shape (F, 3) each.

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
    throw_point = events.position[thrown] + grips.places[grips.last[choreography.rounds.before]]
    catch_point = events.position[caught] + grips.places[grips.first]
    if centres:
        throw_point = throw_point + centres.at_throw
        catch_point = catch_point + centres.at_catch
    start = bodies.to_world([throw_point], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([catch_point], events.hand[caught] // 2, events.time[caught])
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean = (end - start) / duration
    climb = gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    # v = Δx / t ± g t / 2 at the throw and at the catch.
    launch = mean + climb
    arrival = mean - climb
    bounced: list[_Bounced] = []
    for flight, style in enumerate(flights.style):
        if style.bounces:
            ends = start[flight], end[flight]
            launch[flight], *bounces = _bounces(
                choreography, flight, ends, float(gravity[flight]), radius
            )
            # The arrival is that of the fall since the last bounce.
            last = bounces[-1]
            falls_for = float(flights.duration[flight]) - last.since
            arrival[flight] = last.velocity - (0.0, falls_for * gravity[flight], 0.0)
            bounced += bounces
    parabolas = _joined(start, launch, bounced, gravity, flights.duration)
    grip_launch = bodies.from_world(
        launch, throw_point, events.hand[thrown] // 2, events.time[thrown]
    )
    grip_arrival = bodies.from_world(
        arrival, catch_point, events.hand[caught] // 2, events.time[caught]
    )
    if centres:
        grip_launch = grip_launch - centres.throw_rate
        grip_arrival = grip_arrival - centres.catch_rate
    return FlightPaths(
        start, launch, arrival, grip_launch, grip_arrival, parabolas, flights.duration, grips
    )


class _Bounced(NamedTuple):
    """A bounce of a flight.

    It has the flight's index, the time since its throw, [s], the place, [m], and the velocity after
    it, [m/s].
    """

    flight: int
    since: float
    place: Floats
    velocity: Floats


def _bounces(
    choreography: Choreography,
    flight: int,
    ends: tuple[Floats, Floats],
    gravity: float,
    radius: float,
) -> tuple[Floats, *tuple[_Bounced, ...]]:
    """Return the velocity at the throw, [m/s], and all bounces of a flight.

    Args:
        choreography: the flights.
        flight: index of a flight that bounces.
        ends: where it begins and ends, shape (3,) each, [m].
        gravity: [m/s²].
        radius: as of `solve_flights`.
    """
    start, end = ends
    style = choreography.flights.style[flight]
    # Share of the height that a bounce keeps.
    fraction = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(
        float(start[1]),
        float(end[1]),
        duration,
        gravity,
        fraction,
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
    bounces = [
        _Bounced(flight, since, ground + along * since, along + (0.0, speed, 0.0))
        for since, speed in rises
    ]
    return along + (0.0, bounce.launch, 0.0), *bounces


def _joined(
    start: Floats, launch: Floats, bounced: list[_Bounced], gravity: Floats, duration: Floats
) -> Parabolas:
    """The parabolas from throws, F rows, and from bounces."""
    flight = np.arange(len(start))
    since = np.zeros(len(start))
    if not bounced:
        return Parabolas(flight, since, duration, start, launch, gravity)
    flight = np.concatenate([flight, [bounce.flight for bounce in bounced]])
    since = np.concatenate([since, [bounce.since for bounce in bounced]])
    places = np.array([bounce.place for bounce in bounced])
    velocities = np.array([bounce.velocity for bounce in bounced])
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
    """Gravity of each flight, shape (F,), [m/s²]."""
    usual = choreography.gravity
    if not choreography.flights.style:
        return np.full(len(choreography.flights.throw), usual)
    return np.array(
        [usual if style.gravity is None else style.gravity for style in choreography.flights.style]
    )


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Return the means of values that share an event, shape (count, C); 0 where an event has none.

    A hand may throw or catch several props at once.

    Args:
        event: shape (N,), the event of each.
        values: shape (N, C).
        count: number of events.
    """
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, event, values)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]


def props_held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """Return the number of props that hands hold at some times of the loop, shape (N,)."""
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    previous = choreography.rounds.before
    caught = events.time[flights.catch[previous]]
    thrown = events.time[flights.throw]
    holder = events.hand[flights.throw]
    hand_span = 2 * loop
    always_held = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(
        always_held,
        holder,
        np.rint((caught + flights.carry[previous] - thrown) / loop).astype(np.intp),
    )
    for orbit in choreography.orbits:
        always_held[orbit.hand] += 0 if orbit.flights else orbit.props
    # One time axis for all hands, on which each has a span of its own.
    times_by_hand = hand * hand_span + times
    hand_start = hand * hand_span
    catch_times = np.sort(holder * hand_span + caught)
    throw_times = np.sort(holder * hand_span + thrown)
    catches, throws = (
        np.searchsorted(ends, times_by_hand, side="right")
        - np.searchsorted(ends, hand_start, side="left")
        for ends in (catch_times, throw_times)
    )
    held: Integers = always_held[hand] + catches - throws
    return held
