"""What hands do at events, where it follows from the props they hold."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import EventKind
from juggle_anim.notation.jml.chains import Chain, Flight
from juggle_anim.notation.jml.document import Doing, JmlEvent, JmlPattern


def event_kinds(pattern: JmlPattern, events: tuple[JmlEvent, ...], found: list[Chain]) -> Integers:
    """Shape (E,), of `EventKind`.

    Args:
        pattern: of the events.
        events: E, all of one loop, sorted by time.
        found: the ways of the props.
    """
    full = _holding(pattern, events, found)
    return np.array([_kind(event, bool(full[index])) for index, event in enumerate(events)], dtype=np.intp)


def _kind(event: JmlEvent, full: bool) -> EventKind:
    doings = {transition.doing for transition in event.transitions}
    if Doing.THROW in doings:
        return EventKind.THROW
    if Doing.CATCH in doings:
        return EventKind.CATCH
    return EventKind.HOLD if full else EventKind.MOVE


def _holding(pattern: JmlPattern, events: tuple[JmlEvent, ...], found: list[Chain]) -> Booleans:
    """Shape (E,): whether the hand of each event holds a prop just then."""
    time = np.array([event.time for event in events])
    hand = np.array([event.hand for event in events], dtype=np.intp)
    full = np.isin(hand, [chain.hand for chain in found if not chain.flights])
    carries: dict[int, list[Flight]] = {}
    for flight in (flight for chain in found for flight in chain.flights):
        carries.setdefault(int(hand[flight.catch]), []).append(flight)
    for number, flights in carries.items():
        rows = np.flatnonzero(hand == number)
        starts = np.array([time[flight.catch] for flight in flights])
        lengths = np.array([flight.carry for flight in flights])
        full[rows] |= covered(time[rows], starts, lengths, pattern.delay)
    return full


def covered(times: Floats, starts: Floats, lengths: Floats, loop: float) -> Booleans:
    """Which times lie within one of some spans, all of which come again after each loop.

    Args:
        times: shape (T,), within the loop, sorted.
        starts: shape (S,), within the loop.
        lengths: shape (S,); a span that is longer than the loop covers it all.
    """
    inside = np.zeros(len(times) + 1)
    # A span may reach into the next loop, where it is seen as one that began before this one.
    for start in (starts, starts - loop):
        np.add.at(inside, np.searchsorted(times, start, side="left"), 1)
        np.add.at(inside, np.searchsorted(times, start + lengths, side="left"), -1)
    return (np.cumsum(inside)[:-1] > 0) | bool(np.any(lengths >= loop))
