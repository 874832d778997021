"""The flight that each prop is on, or made last, at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography
from juggle_anim.motion.paths import Paths


@dataclass(frozen=True)
class LastThrows:
    """When the props of a choreography are thrown; `last_throws` makes it.

    Args:
        paths: a piece of an orbit from each throw to the next.
        flight: shape (S,), the flight that begins with each piece, −1 where nothing ever is thrown.
        duration: shape (S,), how long that flight is, [s].
    """

    paths: Paths
    flight: Integers
    duration: Floats

    def at(self, orbit: Integers, lead: Floats, times: Floats) -> tuple[Integers, Floats, Floats]:
        """The last throw of P props at T times.

        Args:
            orbit, lead: shape (P,), as in `PropPaths`.
            times: shape (T,), [s].

        Returns:
            Of shape (T, P): the flight, −1 for a prop that never flies; how long ago it began, [s]; and how much of the
            flight is over, 0 at the throw, 1 at the catch, and more in the hand.
        """
        piece, elapsed = self.paths.locate(orbit, times[:, None] + lead)
        return self.flight[piece], elapsed, elapsed / self.duration[piece]


def last_throws(choreography: Choreography) -> LastThrows:
    """When the props of a choreography are thrown."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    rows: list[tuple[int, float, int, float]] = []
    for number, orbit in enumerate(choreography.orbits):
        time = float(events.time[flights.throw[orbit.flights[0]]]) if orbit.flights else 0.0
        for flight in orbit.flights:
            lasts = float(flights.duration[flight])
            rows.append((number, time % (orbit.props * loop), flight, lasts))
            time += lasts + float(flights.carry[flight])
        if not orbit.flights:
            # It lasts for ever, and so never is on its way.
            rows.append((number, 0.0, -1, 1e-9))
    rows.sort(key=lambda row: row[:2])
    orbit_of, start, flight_of, duration = (np.array(column) for column in zip(*rows, strict=True)) if rows else _NONE
    periods = np.array([orbit.props * loop for orbit in choreography.orbits])
    paths = Paths(periods, orbit_of.astype(np.intp), start, np.zeros((len(rows), 1, 0)))
    return LastThrows(paths, flight_of.astype(np.intp), duration)


_NONE = (np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0))
