"""The choreography: throws and catches in seconds and metres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from juggle_anim.arrays import Floats, Integers


class EventKind(IntEnum):
    """What a hand does at an event."""

    THROW = 0
    CATCH = 1


@dataclass(frozen=True)
class Events:
    """What the hands do in one loop, E rows; hand number = 2 · juggler + side, side 0 left and 1 right.

    A hand never has two events at one time: what it throws, or catches, at once is one event.

    Args:
        time: shape (E,), [s], from 0 up to the loop's duration.
        hand: shape (E,).
        kind: shape (E,), of `EventKind`.
        position: shape (E, 3), of the hand, in the world, [m].
    """

    time: Floats
    hand: Integers
    kind: Integers
    position: Floats


@dataclass(frozen=True)
class Flights:
    """The flights that begin in one loop, F rows. Throws that leave one hand together share their event.

    Args:
        throw: shape (F,), index of the event that throws.
        catch: shape (F,), index of the event that catches, in this loop or a later one.
        duration: shape (F,), [s], above 0.
        carry: shape (F,), how long the prop then stays in the hand that caught it, [s], above 0.
    """

    throw: Integers
    catch: Integers
    duration: Floats
    carry: Floats


@dataclass(frozen=True)
class PropOrbit:
    """The path that some props share, each one loop behind the other.

    Args:
        flights: indices of the flights in the order a prop makes them; empty for a prop that is held for ever.
        props: how many props follow each other here; the orbit takes as many loops.
        hand: the hand that holds the prop before the first flight.
    """

    flights: tuple[int, ...]
    props: int
    hand: int

    def steps(self) -> Iterator[tuple[int, int]]:
        """Each flight with the one that follows it; the first follows the last."""
        return zip(self.flights, self.flights[1:] + self.flights[:1], strict=True)


@dataclass(frozen=True)
class Choreography:
    """One loop of events, for ever repeated.

    Args:
        duration: of the loop, [s].
        bps: tempo, [beats/s].
        gravity: downward, [m/s²].
        standing: shape (J, 3), the point on the floor under each juggler, [m].
        facing: shape (J,), turn of each juggler about +y, 0 faces +z, [rad].
        rest: shape (2J, 3), where a hand stays that has nothing to do, in the world, [m].
    """

    duration: float
    bps: float
    gravity: float
    standing: Floats
    facing: Floats
    rest: Floats
    events: Events
    flights: Flights
    orbits: tuple[PropOrbit, ...]

    @property
    def jugglers(self) -> int:
        """Number of jugglers."""
        return len(self.facing)

    @property
    def props(self) -> int:
        """Number of props."""
        return sum(orbit.props for orbit in self.orbits)
