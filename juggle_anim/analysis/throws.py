"""Throws: how high each goes, how long it flies, and how long its prop then stays in the hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.motion import Motion


@dataclass(frozen=True)
class Flight:
    """One throw, from hand to hand.

    Args:
        time: of the throw, [s].
        thrower, catcher: hands, 2 · juggler + side.
        flight: from throw to catch, [s].
        dwell: from the catch until the prop is thrown again, [s].
        height: of the prop's highest point above where it leaves the hand, [m].
        apex: of that point above the floor, [m].
        speed: of the prop as it leaves, [m/s].
        bounces: how often it bounces.
    """

    time: float
    thrower: int
    catcher: int
    flight: float
    dwell: float
    height: float
    apex: float
    speed: float
    bounces: int


def measure_throws(motion: Motion) -> tuple[Flight, ...]:
    """Every throw of the loop, by time."""
    events, flights = motion.choreography.events, motion.choreography.flights
    throws = []
    for flight, (throw, catch, duration, dwell) in enumerate(
        zip(flights.throw, flights.catch, flights.duration, flights.carry, strict=True)
    ):
        apex = _apex(motion, flight)
        throws.append(
            Flight(
                time=float(events.time[throw]),
                thrower=int(events.hand[throw]),
                catcher=int(events.hand[catch]),
                flight=float(duration),
                dwell=float(dwell),
                height=apex - float(motion.flying.start[flight, 1]),
                apex=apex,
                speed=float(np.linalg.norm(motion.flying.launch[flight])),
                bounces=len(motion.flying.legs[flight]) - 1,
            )
        )
    return tuple(sorted(throws, key=lambda each: (each.time, each.thrower, each.flight)))


def _apex(motion: Motion, flight: int) -> float:
    """The height above the floor that a flight reaches, its bounces and both ends included, [m]."""
    legs = motion.flying.legs[flight]
    ends = [leg.since for leg in legs[1:]] + [float(motion.choreography.flights.duration[flight])]
    tops = []
    for leg, end in zip(legs, ends, strict=True):
        rise, lasts = float(leg.velocity[1]), end - leg.since
        highest = min(max(rise / leg.gravity, 0.0), lasts)
        tops += [float(leg.position[1]) + rise * u - leg.gravity / 2 * u**2 for u in (0.0, highest, lasts)]
    return max(tops)
