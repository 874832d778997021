"""Flight: how fast props leave the hands and come back to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography


@dataclass(frozen=True)
class Flying:
    """The flights of a choreography as parabolas, F rows; vectors have shape (F, 3).

    Args:
        start: where the prop leaves, [m].
        launch: its velocity there, [m/s].
        arrival: its velocity where it is caught, [m/s].
        grips: for each flight where the prop then lies, seen from the hand that caught it, shape (stages, 3), [m]; a
            prop that stays long moves on for the next, spending the same time in each place.
    """

    start: Floats
    launch: Floats
    arrival: Floats
    grips: tuple[Floats, ...]


def fly(choreography: Choreography, grips: tuple[Floats, ...]) -> Flying:
    """The parabolas that take each prop from throw to catch in its time, under gravity.

    Args:
        choreography: the events.
        grips: where each prop lies in the hand that catches it, as in `Flying`.
    """
    events, flights = choreography.events, choreography.flights
    last = np.array([places[-1] for places in grips]).reshape(-1, 3)
    start = events.position[flights.throw] + last[_flight_before(choreography)]
    end = events.position[flights.catch] + np.array([places[0] for places in grips]).reshape(-1, 3)
    duration = flights.duration[:, None]
    mean = (end - start) / duration
    rise = np.array([0.0, choreography.gravity / 2, 0.0]) * duration
    return Flying(start, mean + rise, mean - rise, grips)


def _flight_before(choreography: Choreography) -> Integers:
    """For each flight, the one by which its prop came."""
    before = np.zeros(len(choreography.flights.throw), dtype=np.intp)
    for orbit in choreography.orbits:
        for flight, following in orbit.steps():
            before[following] = flight
    return before
