"""From a JML document to a choreography."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import (
    AIR,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    PropLook,
    PropOrbit,
)
from juggle_anim.choreography.geometry import HAND_FORWARD, HAND_HEIGHT, at_rest
from juggle_anim.notation.jml.bodies import body_keys
from juggle_anim.notation.jml.chains import Chain, Flight, chains
from juggle_anim.notation.jml.document import Doing, JmlEvent, JmlPattern
from juggle_anim.notation.jml.expand import expand
from juggle_anim.notation.jml.kinds import event_kinds
from juggle_anim.notation.jml.modifiers import GRAVITY, KEPT
from juggle_anim.parameters import quantity_named


def place(pattern: JmlPattern) -> Choreography:
    """The choreography of a document.

    Raises:
        FileError: symmetries or events that go against each other.
    """
    events = expand(pattern)
    found = chains(pattern, events)
    flights = sorted((flight for chain in found for flight in chain.flights), key=lambda flight: flight.throw)
    number = {id(flight): place for place, flight in enumerate(flights)}
    gravity, kept, styles = _shared([flight.style for flight in flights])
    positions = _hand_places(events)
    hand = np.array([event.hand for event in events], dtype=np.intp)
    kind = event_kinds(pattern, events, found)
    return Choreography(
        duration=pattern.delay,
        bps=_tempo(pattern, events),
        gravity=gravity,
        kept=kept,
        bodies=body_keys(pattern),
        rest=_rest(pattern.jugglers, hand, kind, positions),
        events=Events(np.array([event.time for event in events], dtype=float), hand, kind, positions),
        flights=_flight_table(flights, styles),
        orbits=tuple(PropOrbit(tuple(number[id(f)] for f in c.flights), len(c.paths), c.hand) for c in found),
        looks=_looks(pattern, found),
    )


def _hand_places(events: tuple[JmlEvent, ...]) -> Floats:
    """Shape (E, 3): to the left, up and forward of the place under the feet, [m]."""
    places = np.array([event.place for event in events], dtype=float).reshape(-1, 3) / 100
    return np.stack([-places[:, 0], HAND_HEIGHT + places[:, 2], HAND_FORWARD + places[:, 1]], axis=-1)


def _flight_table(flights: list[Flight], styles: list[FlightStyle]) -> Flights:
    return Flights(
        throw=np.array([flight.throw for flight in flights], dtype=np.intp),
        catch=np.array([flight.catch for flight in flights], dtype=np.intp),
        duration=np.array([flight.duration for flight in flights], dtype=float),
        carry=np.array([flight.carry for flight in flights], dtype=float),
        style=() if all(style == AIR for style in styles) else tuple(styles),
    )


def _shared(styles: list[FlightStyle]) -> tuple[float, float, list[FlightStyle]]:
    """Gravity and bounce of the whole where all flights agree in it, and the styles that say what else is to say."""
    gravity = _common({style.gravity for style in styles}, "gravity", 100)
    kept = _common({style.kept for style in styles if style.bounces}, "bounce_fraction", 1)
    if gravity is not None:
        styles = [replace(style, gravity=None) for style in styles]
    if kept is not None:
        styles = [replace(style, kept=None) for style in styles]
    return GRAVITY if gravity is None else gravity, KEPT if kept is None else kept, styles


def _common(said: set[float | None], name: str, scale: float) -> float | None:
    """The only value that is said, if it is one that can also be turned."""
    value = said.pop() if len(said) == 1 else None
    quantity = quantity_named(name)
    return value if value is not None and quantity.low <= scale * value <= quantity.high else None


def _tempo(pattern: JmlPattern, events: tuple[JmlEvent, ...]) -> float:
    """Beats a second: as the pattern says from which this was made, or else the moments at which somebody throws."""
    if pattern.base and (said := _BPS.search(pattern.base[1])) and _LOW <= float(said[1]) <= _HIGH:
        return float(said[1])
    throws = {round(event.time, 6) for event in events if any(tr.doing is Doing.THROW for tr in event.transitions)}
    return max(1, len(throws)) / pattern.delay


def _rest(jugglers: int, hand: Integers, kind: Integers, positions: Floats) -> Floats:
    """Where hands rest: as usual, or at the one place where a hand is that does nothing."""
    rest = at_rest(jugglers)
    only, index, counts = np.unique(hand, return_index=True, return_counts=True)
    idle = (counts == 1) & (kind[index] >= EventKind.HOLD)
    rest[only[idle]] = positions[index[idle]]
    return rest


def _looks(pattern: JmlPattern, found: list[Chain]) -> tuple[PropLook, ...]:
    looks = tuple(pattern.looks[pattern.props[path]] for chain in found for path in chain.paths)
    return () if all(look == PropLook() for look in looks) else looks


_LOW, _HIGH = quantity_named("bps").low, quantity_named("bps").high
_BPS = re.compile(r"(?:^|;)\s*bps\s*=\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*(?:;|$)", re.IGNORECASE | re.ASCII)
