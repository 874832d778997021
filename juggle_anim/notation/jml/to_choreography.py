"""From a JML document to a choreography: the flights, carries and orbits of props, and the kinds of
events.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    AIR,
    BodyKeyframes,
    Choreography,
    EventKind,
    Events,
    Flights,
    PropLook,
    PropOrbit,
)
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT, circle, rest_positions
from juggle_anim.language import _
from juggle_anim.notation.jml.document import (
    Extension,
    JmlEvent,
    JmlPattern,
    JmlPosition,
    TransitionKind,
)
from juggle_anim.notation.jml.modifiers import GRAVITY, KEPT, shared_defaults, with_defaults
from juggle_anim.notation.jml.prop_flights import Flight, PropPath, prop_paths
from juggle_anim.notation.jml.symmetry_expansion import SAME_PLACE, SAME_TIME, expand_symmetries
from juggle_anim.notation.settings.moves import STANDING
from juggle_anim.parameters import quantity_named

_LOW = quantity_named("bps").low
_HIGH = quantity_named("bps").high

_BPS = re.compile(
    r"(?:^|;)\s*bps\s*=\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*(?:;|$)", re.IGNORECASE | re.ASCII
)


def to_choreography(pattern: JmlPattern) -> Choreography:
    """The choreography of a document.

    Raises:
        FileError: symmetries or events that go against each other.
    """
    events = expand_symmetries(pattern)
    extension = pattern.extension or Extension()
    found = prop_paths(pattern, events)
    flights = sorted(
        (flight for chain in found for flight in chain.flights), key=lambda flight: flight.throw
    )
    if len(extension.numbers) == len(flights):
        order = np.argsort(extension.numbers, kind="stable")
        flights = [flights[place] for place in order]
    number = {id(flight): place for place, flight in enumerate(flights)}
    first = {id(flights[place]) for place in extension.first if place < len(flights)}
    found = [_from_first(chain, first, events, pattern.delay) for chain in found]
    gravity, kept = shared_defaults([flight.style for flight in flights], extension.parameters)
    styles = [with_defaults(flight.style, (GRAVITY, KEPT), (gravity, kept)) for flight in flights]
    if len(extension.spins) == len(styles):
        styles = [
            replace(style, spin=spin) for style, spin in zip(styles, extension.spins, strict=True)
        ]
    positions = _positions(events)
    looks = tuple(pattern.looks[pattern.props[path]] for chain in found for path in chain.paths)
    hand = np.array([event.hand for event in events], dtype=np.intp)
    kind = event_kinds(pattern, events, found)
    busy = ~_idle(events, hand, kind)
    row = np.cumsum(busy) - 1
    manners = np.array([event.manner for event in events], dtype=np.intp).reshape(-1, 2)[busy]
    return Choreography(
        duration=pattern.delay,
        bps=_tempo(pattern, extension, events),
        gravity=gravity,
        bounce_fraction=kept,
        bodies=body_keys(pattern),
        rest=_rest(pattern.jugglers, hand, kind, positions),
        events=Events(
            time=np.array([event.time for event in events], dtype=float)[busy],
            hand=hand[busy],
            kind=kind[busy],
            position=positions[busy],
        ).with_manners(manners),
        flights=Flights(
            throw=row[[flight.throw for flight in flights]],
            catch=row[[flight.catch for flight in flights]],
            duration=np.array([flight.duration for flight in flights], dtype=float),
            carry=np.array([flight.carry for flight in flights], dtype=float),
            style=() if all(style == AIR for style in styles) else tuple(styles),
        ),
        orbits=tuple(
            PropOrbit(tuple(number[id(f)] for f in c.flights), len(c.paths), c.hand) for c in found
        ),
        looks=() if all(look == PropLook() for look in looks) else looks,
        as_juggling_lab=extension.as_juggling_lab,
    )


def _positions(events: tuple[JmlEvent, ...]) -> Floats:
    """Where hands are at events, shape (E, 3), as in `Events`, [m]."""
    places = np.array([event.place for event in events], dtype=float).reshape(-1, 3) / 100
    positions: Floats = np.stack(
        [-places[:, 0], HAND_HEIGHT + places[:, 2], HAND_FORWARD + places[:, 1]], axis=-1
    )
    return positions


def _idle(events: tuple[JmlEvent, ...], hand: Integers, kind: Integers) -> Booleans:
    """Shape (E,): which events only say where a hand rests that does nothing."""
    alone = np.bincount(hand)[hand] == 1
    return alone & (kind >= EventKind.HOLD) & np.array([event.idle for event in events], dtype=bool)


def _from_first(
    chain: PropPath, first: set[int], events: tuple[JmlEvent, ...], delay: float
) -> PropPath:
    """The same path of props with the flight in front, and the prop that makes it in the first
    loop, that comes first.

    Args:
        chain: the path.
        first: ids of flights, of which each path has one at most.
        events: of its loop.
        delay: of the loop, [s].
    """
    flights = chain.flights
    place = next((place for place, flight in enumerate(flights) if id(flight) in first), 0)
    if not place:
        return chain
    time = events[flights[0].throw].time + sum(
        flight.duration + flight.carry for flight in flights[:place]
    )
    ahead = round((time - events[flights[place].throw].time) / delay) % len(chain.paths)
    paths = (*chain.paths[ahead:], *chain.paths[:ahead])
    return PropPath(paths, (*flights[place:], *flights[:place]), events[flights[place].throw].hand)


def _tempo(pattern: JmlPattern, extension: Extension, events: tuple[JmlEvent, ...]) -> float:
    """Beats per second: those that the file or the base pattern says, or the number of throwing
    times per second.
    """
    if extension.parameters and extension.parameters.get("bps"):
        return float(extension.parameters["bps"] or 0)
    if (
        pattern.base
        and (stated := _BPS.search(pattern.base[1]))
        and _LOW <= float(stated[1]) <= _HIGH
    ):
        return float(stated[1])
    throws = {
        round(event.time, 6)
        for event in events
        if any(tr.kind is TransitionKind.THROW for tr in event.transitions)
    }
    return max(1, len(throws)) / pattern.delay


def _rest(jugglers: int, hand: Integers, kind: Integers, positions: Floats) -> Floats:
    """Return rest positions: the usual ones, or the only place of a hand that does nothing."""
    rest = rest_positions(jugglers)
    only, index, counts = np.unique(hand, return_index=True, return_counts=True)
    idle = (counts == 1) & (kind[index] >= EventKind.HOLD)
    rest[only[idle]] = positions[index[idle]]
    return rest


def event_kinds(
    pattern: JmlPattern, events: tuple[JmlEvent, ...], found: list[PropPath]
) -> Integers:
    """Shape (E,), of `EventKind`.

    Args:
        pattern: of the events.
        events: E, all of one loop, sorted by time.
        found: the paths of the props.
    """
    full = _holding(pattern, events, found)
    return np.array(
        [_kind(event, bool(full[index])) for index, event in enumerate(events)], dtype=np.intp
    )


def _kind(event: JmlEvent, full: bool) -> EventKind:
    kinds = {transition.kind for transition in event.transitions}
    if TransitionKind.THROW in kinds:
        return EventKind.THROW
    if TransitionKind.CATCH in kinds:
        return EventKind.CATCH
    return EventKind.HOLD if full else EventKind.MOVE


def _holding(pattern: JmlPattern, events: tuple[JmlEvent, ...], found: list[PropPath]) -> Booleans:
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


def body_keys(pattern: JmlPattern) -> BodyKeyframes:
    """The places of a document; a juggler without any stands where jugglers usually stand.

    Raises:
        FileError: a juggler is at two places at once.
    """
    standing, facing = circle(pattern.jugglers)
    listed: list[list[JmlPosition]] = [[] for _ in range(pattern.jugglers)]
    for position in pattern.positions:
        listed[position.juggler].append(
            replace(position, time=_wrapped(position.time, pattern.delay))
        )
    rows: list[tuple[int, float, Floats, float]] = []
    for juggler, positions in enumerate(listed):
        if not positions:
            rows.append((juggler, 0.0, standing[juggler], float(facing[juggler])))
        for position in _once(positions):
            x, y, z = position.place
            place = np.array([-x, z - STANDING, y]) / 100
            rows.append((juggler, position.time, place, np.radians(position.angle)))
    return BodyKeyframes(
        time=np.array([row[1] for row in rows]),
        juggler=np.array([row[0] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.array([row[3] for row in rows]),
    )


def _once(positions: list[JmlPosition]) -> list[JmlPosition]:
    """A juggler's positions sorted; that of the loop's end, if it is written, is that of its
    start.
    """
    kept: list[JmlPosition] = []
    for position in sorted(positions, key=lambda position: position.time):
        if not kept or position.time - kept[-1].time >= SAME_TIME:
            kept.append(position)
        elif not _same(position, kept[-1]):
            where = _(
                "at the time {time:.6g}, here and in line {line}",
                time=position.time,
                line=kept[-1].location.line,
            )
            reason = _(
                "juggler {juggler} is at two places {where}",
                juggler=position.juggler + 1,
                where=where,
            )
            raise position.location.error(reason, _("one place at a time"))
    return kept


def _wrapped(time: float, delay: float) -> float:
    within = time % delay
    return 0.0 if delay - within < SAME_TIME else within


def _same(one: JmlPosition, other: JmlPosition) -> bool:
    near = max(abs(a - b) for a, b in zip(one.place, other.place, strict=True)) < SAME_PLACE
    return near and abs((one.angle - other.angle + 180) % 360 - 180) < SAME_PLACE
