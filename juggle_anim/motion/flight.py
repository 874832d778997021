"""Flights: the parabolas of props from throw to catch, bounces included."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion.bodies import Bodies
from juggle_anim.motion.prop_shapes import Grips


@dataclass(frozen=True)
class Parabolas:
    """The parts of F flights under gravity alone, L rows sorted by flight and time.

    A flight's first parabola begins with the throw, and each further one with a bounce.

    Args:
        flight: shape (L,), the flight of each.
        since: shape (L,), when it starts, since the throw of the flight, [s]; 0 for the first.
        duration: shape (L,), [s].
        position: shape (L, 3), of the prop at its start, in the world, [m].
        velocity: shape (L, 3), then, [m/s].
        gravity: shape (L,), [m/s²].
    """

    flight: Integers
    since: Floats
    duration: Floats
    position: Floats
    velocity: Floats
    gravity: Floats

    @cached_property
    def first(self) -> Integers:
        """The first row of each flight, shape (F,)."""
        return np.flatnonzero(self.since == 0.0)

    def apexes(self) -> Floats:
        """The highest point of each parabola, shape (L, 3), in the world, [m].

        That is an end of a parabola which only falls or only rises.
        """
        # The time at which it stops rising, bounded by its start and its end.
        gravity = self.gravity[:, None]
        time = np.minimum(np.maximum(self.velocity[:, 1:2], 0.0) / gravity, self.duration[:, None])
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
        choreography: the events, and F flights between them.
        bodies: of the jugglers.
        grips: where props lie in hands.
        radius: height of centres above the floor, or another plane, at bounces, [m].
        centres: of the props relative to where they are gripped; None for balls, which are gripped
            at their centres.

    Raises:
        ChoreographyError: a prop cannot bounce as required in its time.
    """
    events = choreography.events
    flights = choreography.flights
    thrown = flights.throw
    caught = flights.catch

    # Ends of flights are the centre of the prop: hand + grip + way from grip to centre in body
    # frames, then in the world. A prop is thrown from the last place in the hand to which the
    # flight before led, and caught at the first place after the catch. A hand is 2 · juggler +
    # side, so hand // 2 is the juggler.
    throw_point = events.position[thrown] + grips.places[grips.last[choreography.rounds.before]]
    catch_point = events.position[caught] + grips.places[grips.first]
    if centres:
        throw_point = throw_point + centres.at_throw
        catch_point = catch_point + centres.at_catch
    start = bodies.to_world([throw_point], events.hand[thrown] // 2, events.time[thrown])
    end = bodies.to_world([catch_point], events.hand[caught] // 2, events.time[caught])

    # Without bounces the velocity is Δx / t + g t / 2 at the throw and Δx / t − g t / 2 at the
    # catch, with the terms of gravity upward.
    duration = flights.duration[:, None]
    gravity = _gravities(choreography)
    mean_velocity = (end - start) / duration
    climb = gravity[:, None] / 2 * duration * (0.0, 1.0, 0.0)
    launch = mean_velocity + climb
    arrival = mean_velocity - climb

    # Those of flights with bounces are replaced. (`flights.style` is empty if no flight has any.)
    bounces: list[_Bounce] = []
    for flight, style in enumerate(flights.style):
        if style.bounces:
            launch[flight], bounces_of_flight = _bounces(
                choreography,
                flight,
                start=start[flight],
                end=end[flight],
                gravity=float(gravity[flight]),
                radius=radius,
            )
            # At the catch the prop has the velocity after the last bounce, less what gravity has
            # taken since then.
            last = bounces_of_flight[-1]
            fall_time = float(flights.duration[flight]) - last.since
            arrival[flight] = last.velocity - (0.0, fall_time * gravity[flight], 0.0)
            bounces += bounces_of_flight
    parabolas = _all_parabolas(start, launch, bounces, gravity, flights.duration)

    # Velocities of the gripped points, in body frames: those of centres, less those of centres
    # relative to the grips.
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
        start=start,
        launch=launch,
        arrival=arrival,
        grip_launch=grip_launch,
        grip_arrival=grip_arrival,
        parabolas=parabolas,
        duration=flights.duration,
        grips=grips,
    )


class _Bounce(NamedTuple):
    """A bounce of a flight.

    Args:
        flight: index of the flight.
        since: time since its throw, [s].
        position: of the centre then, in the world, shape (3,), [m].
        velocity: after the bounce, likewise, [m/s].
    """

    flight: int
    since: float
    position: Floats
    velocity: Floats


def _bounces(
    choreography: Choreography,
    flight: int,
    *,
    start: Floats,
    end: Floats,
    gravity: float,
    radius: float,
) -> tuple[Floats, list[_Bounce]]:
    """Solve for the velocity at the throw and for all bounces of a flight.

    Args:
        choreography: the flights.
        flight: index of a flight that bounces.
        start, end: where its centre begins and ends, in the world, shape (3,) each, [m].
        gravity: downward, [m/s²].
        radius: height of the centre above the plane at bounces, [m].

    Returns:
        The velocity at the throw, shape (3,), in the world, [m/s], and one or more bounces in order
        of time.

    Raises:
        ChoreographyError: the prop cannot bounce as required in its time.
    """
    style = choreography.flights.style[flight]
    # Share of its energy, and so of its height, that a prop keeps at a bounce.
    fraction = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounce = solve_bounce(
        start=float(start[1]),
        end=float(end[1]),
        duration=duration,
        gravity=gravity,
        kept_energy=fraction,
        style=style,
        radius=radius,
        slow=choreography.slow_bounces,
    )
    if bounce is None:
        raise ChoreographyError(
            _(
                "a prop cannot bounce {bounces} times in {duration:.2f} s",
                bounces=style.bounces,
                duration=duration,
            )
        )
    # Bounces change the vertical velocity only; the horizontal one is constant. `below_start` is
    # the point straight below the start at the height at which the centre bounces.
    horizontal = (end - start) / duration * (1.0, 0.0, 1.0)
    below_start = np.array([start[0], bounce.height, start[2]])
    bounces = [
        _Bounce(flight, since, below_start + horizontal * since, horizontal + (0.0, speed, 0.0))
        for since, speed in zip(bounce.hits, bounce.rises, strict=True)
    ]
    return horizontal + (0.0, bounce.launch, 0.0), bounces


def _all_parabolas(
    start: Floats, launch: Floats, bounces: list[_Bounce], gravity: Floats, duration: Floats
) -> Parabolas:
    """Join the parabolas that begin with throws and those that begin with bounces.

    Args:
        start: places of centres at the throws, in the world, shape (F, 3), [m].
        launch: velocities there, shape (F, 3), [m/s].
        bounces: of all flights, in any order; may be empty.
        gravity: of each flight, shape (F,), [m/s²].
        duration: of each flight, shape (F,), [s].

    Returns:
        Parabolas sorted by flight and time.
    """
    flight = np.arange(len(start))
    since = np.zeros(len(start))
    if not bounces:
        return Parabolas(
            flight=flight,
            since=since,
            duration=duration,
            position=start,
            velocity=launch,
            gravity=gravity,
        )
    flight = np.concatenate([flight, [bounce.flight for bounce in bounces]])
    since = np.concatenate([since, [bounce.since for bounce in bounces]])
    position = np.concatenate([start, [bounce.position for bounce in bounces]])
    velocity = np.concatenate([launch, [bounce.velocity for bounce in bounces]])
    order = np.lexsort((since, flight))
    flight = flight[order]
    since = since[order]
    # Each lasts until the next of its flight begins, which is the next row, and the last one until
    # the catch. Times are since the throw.
    is_last = np.append(flight[1:] != flight[:-1], True)
    ends = np.where(is_last, duration[flight], np.roll(since, -1))
    return Parabolas(
        flight=flight,
        since=since,
        duration=ends - since,
        position=position[order],
        velocity=velocity[order],
        gravity=gravity[flight],
    )


def _gravities(choreography: Choreography) -> Floats:
    """Gravity of each flight, shape (F,), downward, [m/s²]: its style's, or else the usual one."""
    usual = choreography.gravity
    if not choreography.flights.style:
        return np.full(len(choreography.flights.throw), usual)
    return np.array(
        [usual if style.gravity is None else style.gravity for style in choreography.flights.style]
    )


def mean_by_event(event: Integers, values: Floats, count: int) -> Floats:
    """Return the mean of the values of each event, shape (count, C); 0 for one without values.

    A hand may throw or catch several props at once, and each of them has a row of values.

    Args:
        event: shape (N,), row of the event to which each value belongs.
        values: shape (N, C).
        count: number of events.
    """
    # `np.add.at` adds all values of an event, where an indexed += would add the last only.
    total = np.zeros((count, values.shape[1]))
    np.add.at(total, event, values)
    return total / np.maximum(1, np.bincount(event, minlength=count))[:, None]


def props_held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """Return the number of props that hands hold at some times of the loop, shape (N,).

    Args:
        choreography: one loop of events.
        hand: shape (N,), 2 · juggler + side, 0 left and 1 right.
        times: of each, shape (N,), in the loop, [s]; a throw or catch at that time has happened.
    """
    # A carry begins with the catch of a flight, `previous`, and ends with the throw of the next one
    # from the same hand. Both times are in the loop, so `caught` may be after `thrown`.
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    previous = choreography.rounds.before
    caught = events.time[flights.catch[previous]]
    thrown = events.time[flights.throw]
    holder = events.hand[flights.throw]

    # Props in each hand at the start of the loop: for each carry as many as starts of loops fall
    # into it, since each loop begins one such carry; and props that are never thrown. The catch
    # plus the carry is the throw plus a whole number of loops, but for rounding.
    held_at_start = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(
        held_at_start,
        holder,
        np.rint((caught + flights.carry[previous] - thrown) / loop).astype(np.intp),
    )
    for orbit in choreography.orbits:
        held_at_start[orbit.hand] += 0 if orbit.flights else orbit.props

    # Catches and throws since the start of the loop, counted by one search for all hands: on a
    # common axis of time each hand has a span of its own, twice as long as the loop so that spans
    # never touch. "right" counts an event at the given time, and "left" counts one at the start of
    # the loop, which `held_at_start` does not include.
    hand_span = 2 * loop
    times_by_hand = hand * hand_span + times
    hand_start = hand * hand_span
    catch_times = np.sort(holder * hand_span + caught)
    throw_times = np.sort(holder * hand_span + thrown)
    catches, throws = (
        np.searchsorted(ends, times_by_hand, side="right")
        - np.searchsorted(ends, hand_start, side="left")
        for ends in (catch_times, throw_times)
    )
    held: Integers = held_at_start[hand] + catches - throws
    return held
