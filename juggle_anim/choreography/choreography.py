"""The choreography: throws and catches in seconds and metres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from juggle_anim.arrays import Floats, Integers


class EventKind(IntEnum):
    """What a hand does at an event; one that throws and catches at once throws."""

    THROW = 0
    CATCH = 1
    HOLD = 2
    """It passes a place while it carries a prop."""
    MOVE = 3
    """It passes a place while it is empty."""


class Grasp(IntEnum):
    """Which way up a hand catches, and throws what it caught."""

    PALM = 0
    """The palm up, under the prop."""
    CLAW = 1
    """The palm down, over the prop."""
    PENGUIN = 2
    """The arm turned inward, beside the body: the palm up, and the fingers outward."""


@dataclass(frozen=True)
class Events:
    """What the hands do in one loop, E rows; hand number = 2 · juggler + side, side 0 left and 1 right.

    A hand never has two events at one time: what it throws, or catches, at once is one event.

    Args:
        time: shape (E,), [s], from 0 up to the loop's duration.
        hand: shape (E,).
        kind: shape (E,), of `EventKind`.
        position: shape (E, 3), of the hand, seen from its body: to the left, up and forward of the place under the
            body's feet, [m].
        grasp: shape (E,), of `Grasp`; None where all are of the palm.
    """

    time: Floats
    hand: Integers
    kind: Integers
    position: Floats
    grasp: Integers | None = None


@dataclass(frozen=True)
class BodyKeys:
    """Where bodies are at some moments of the loop, K rows, sorted by juggler and time; each juggler has at least one.

    Args:
        time: shape (K,), [s], from 0 up to the loop's duration.
        juggler: shape (K,).
        position: shape (K, 3), the place under the feet, in the world; its y is above 0 for a body that flies, [m].
        facing: shape (K,), turn about +y, 0 faces +z, [rad]; bodies turn the shorter way round between two keys.
    """

    time: Floats
    juggler: Integers
    position: Floats
    facing: Floats


class CatchStyle(IntEnum):
    """How a hand takes a prop; the words of JML."""

    NATURAL = 0
    SOFT = 1
    GRAB = 2


@dataclass(frozen=True)
class FlightStyle:
    """How a prop flies and is caught.

    Args:
        gravity: that pulls on it, [m/s²]; None is the choreography's.
        bounces: how often it comes up again.
        forced: whether it is thrown down; else it is thrown up first.
        hyper: whether it rises past the hand and is caught on its way down; else on its way up. Where only one of the
            two can be done in time, that is done.
        plane: height of what it bounces on, [m].
        kept: share of its energy that it keeps at a bounce, above 0; None is the choreography's.
        caught: how it is caught.
    """

    gravity: float | None = None
    bounces: int = 0
    forced: bool = False
    hyper: bool = False
    plane: float = 0.0
    kept: float | None = None
    caught: CatchStyle = CatchStyle.NATURAL


AIR = FlightStyle()
"""An ordinary throw through the air."""


@dataclass(frozen=True)
class PropLook:
    """What a prop looks like.

    Args:
        kind: "ball", "club", "ring", "square" or "image".
        colour: red, green and blue from 0 to 1, sRGB; None where nobody chose one.
        diameter: [m]; None where nobody chose one.
        image: where the picture of an "image" is found.
        extra: what else a file says of it, as it stands there.
    """

    kind: str = "ball"
    colour: tuple[float, float, float] | None = None
    diameter: float | None = None
    image: str = ""
    extra: str = ""


@dataclass(frozen=True)
class Flights:
    """The flights that begin in one loop, F rows. Throws that leave one hand together share their event.

    Args:
        throw: shape (F,), index of the event that throws.
        catch: shape (F,), index of the event that catches, in this loop or a later one.
        duration: shape (F,), [s], above 0.
        carry: shape (F,), how long the prop then stays in the hand that caught it, [s], 0 or more.
        style: how each flies, F of them; empty where all just fly through the air.
    """

    throw: Integers
    catch: Integers
    duration: Floats
    carry: Floats
    style: tuple[FlightStyle, ...] = ()


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
        kept: share of its energy that a prop keeps at a bounce.
        rest: shape (2J, 3), where a hand stays that has nothing to do, seen from its body as events are, [m].
        looks: of each prop, in the order of the orbits and in each of how many loops it is ahead; empty where nobody
            chose any.
    """

    duration: float
    bps: float
    gravity: float
    bodies: BodyKeys
    rest: Floats
    events: Events
    flights: Flights
    orbits: tuple[PropOrbit, ...]
    kept: float = 0.9
    looks: tuple[PropLook, ...] = ()

    @property
    def jugglers(self) -> int:
        """Number of jugglers."""
        return len(self.rest) // 2

    @property
    def props(self) -> int:
        """Number of props."""
        return sum(orbit.props for orbit in self.orbits)
