"""From a JML document to a choreography and back: flights, carries, orbits and kinds of events."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    AIR,
    BodyKeyframes,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    Grasp,
    PropLook,
    PropOrbit,
    Score,
)
from juggle_anim.choreography.manners import Manner
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT, circle, rest_positions
from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.jml.document import (
    Extension,
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Transition,
    TransitionKind,
    Triple,
    hand_name,
)
from juggle_anim.notation.jml.modifiers import (
    BOUNCE_FRACTION,
    GRAVITY,
    shared_defaults,
    with_defaults,
)
from juggle_anim.notation.jml.symmetries import SAME_PLACE, SAME_TIME, expand_symmetries
from juggle_anim.notation.permutations import inverse
from juggle_anim.notation.settings.moves import STANDING
from juggle_anim.parameters import quantity_named
from juggle_anim.pattern.pattern import cycles

_LOWEST_BPS = quantity_named("bps").low
_HIGHEST_BPS = quantity_named("bps").high

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
    chains = prop_paths(pattern, events)
    # Flights in the order of their throws, or as the file numbers them.
    flights = sorted(
        (flight for chain in chains for flight in chain.flights), key=lambda flight: flight.throw
    )
    if len(extension.numbers) == len(flights):
        order = np.argsort(extension.numbers, kind="stable")
        flights = [flights[index] for index in order]
    flight_index = {id(flight): index for index, flight in enumerate(flights)}
    # Flights have no keys of their own, so their identities stand for them.
    first = {id(flights[index]) for index in extension.first if index < len(flights)}
    chains = [_from_first(chain, first, events, pattern.delay) for chain in chains]
    # What most flights share becomes a parameter; the styles keep what differs from it.
    gravity, bounce_fraction = shared_defaults(
        [flight.style for flight in flights], extension.parameters
    )
    styles = [
        with_defaults(flight.style, (GRAVITY, BOUNCE_FRACTION), (gravity, bounce_fraction))
        for flight in flights
    ]
    if len(extension.spins) == len(styles):
        styles = [
            replace(style, spin=spin) for style, spin in zip(styles, extension.spins, strict=True)
        ]
    positions = _positions(events)
    looks = tuple(pattern.looks[pattern.props[path]] for chain in chains for path in chain.paths)
    hand = np.array([event.hand for event in events], dtype=np.intp)
    kind = event_kinds(pattern, events, chains)
    # Events of idle hands become rest positions, so rows of the others move up.
    busy = ~_idle(events, hand, kind)
    row = np.cumsum(busy) - 1
    manners = np.array([event.manner for event in events], dtype=np.intp).reshape(-1, 2)[busy]
    return Choreography(
        duration=pattern.delay,
        bps=_tempo(pattern, extension, events),
        gravity=gravity,
        bounce_fraction=bounce_fraction,
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
            PropOrbit(tuple(flight_index[id(f)] for f in c.flights), len(c.paths), c.hand)
            for c in chains
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
    # E events: is this the only one of its hand?
    alone = np.bincount(hand)[hand] == 1
    return alone & (kind >= EventKind.HOLD) & np.array([event.idle for event in events], dtype=bool)


def _from_first(
    chain: PropPath, first: set[int], events: tuple[JmlEvent, ...], delay: float
) -> PropPath:
    """Rotate a path of props until the flight that should come first does.

    Args:
        chain: the path.
        first: ids of flights, of which each path has one at most.
        events: of its loop.
        delay: of the loop, [s].
    """
    flights = chain.flights
    position = next((position for position, flight in enumerate(flights) if id(flight) in first), 0)
    if not position:
        return chain
    # When the first prop makes that flight, counted from the loop of its first throw.
    time = events[flights[0].throw].time + sum(
        flight.duration + flight.carry for flight in flights[:position]
    )
    # The prop that makes it in the first loop is so many loops ahead.
    ahead = round((time - events[flights[position].throw].time) / delay) % len(chain.paths)
    paths = (*chain.paths[ahead:], *chain.paths[:ahead])
    return PropPath(
        paths, (*flights[position:], *flights[:position]), events[flights[position].throw].hand
    )


def _tempo(pattern: JmlPattern, extension: Extension, events: tuple[JmlEvent, ...]) -> float:
    """Return beats per second: as the file or base pattern says, or throwing times per second."""
    if extension.parameters and extension.parameters.get("bps"):
        return float(extension.parameters["bps"] or 0)
    if (
        pattern.base
        and (stated := _BPS.search(pattern.base[1]))
        and _LOWEST_BPS <= float(stated[1]) <= _HIGHEST_BPS
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
    # The hands with events, and the first event of each.
    only, index, counts = np.unique(hand, return_index=True, return_counts=True)
    idle = (counts == 1) & (kind[index] >= EventKind.HOLD)
    rest[only[idle]] = positions[index[idle]]
    return rest


def event_kinds(
    pattern: JmlPattern, events: tuple[JmlEvent, ...], chains: list[PropPath]
) -> Integers:
    """Shape (E,), of `EventKind`.

    Args:
        pattern: of the events.
        events: E, all of one loop, sorted by time.
        chains: the paths of the props.
    """
    full = _holding(pattern, events, chains)
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


def _holding(pattern: JmlPattern, events: tuple[JmlEvent, ...], chains: list[PropPath]) -> Booleans:
    """Shape (E,): whether the hand of each event holds a prop just then."""
    time = np.array([event.time for event in events])
    hand = np.array([event.hand for event in events], dtype=np.intp)
    full = np.isin(hand, [chain.hand for chain in chains if not chain.flights])
    # Carries by the hand that catches: a hand is full from the catch to the next throw.
    carries: dict[int, list[Flight]] = {}
    for flight in (flight for chain in chains for flight in chain.flights):
        carries.setdefault(int(hand[flight.catch]), []).append(flight)
    for hand_index, flights in carries.items():
        rows = np.flatnonzero(hand == hand_index)
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
    # Number of spans that begin minus those that end before each time; its sum is > 0 inside.
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
    """Return a juggler's positions sorted; one at the loop's end is that of its start."""
    distinct: list[JmlPosition] = []
    for position in sorted(positions, key=lambda position: position.time):
        if not distinct or position.time - distinct[-1].time >= SAME_TIME:
            distinct.append(position)
        elif not _same(position, distinct[-1]):
            where = _(
                "at the time {time:.6g}, here and in line {line}",
                time=position.time,
                line=distinct[-1].location.line,
            )
            reason = _(
                "juggler {juggler} is at two places {where}",
                juggler=position.juggler + 1,
                where=where,
            )
            raise position.location.error(reason, _("one place at a time"))
    return distinct


def _wrapped(time: float, delay: float) -> float:
    within = time % delay
    return 0.0 if delay - within < SAME_TIME else within


def _same(first: JmlPosition, second: JmlPosition) -> bool:
    near = max(abs(a - b) for a, b in zip(first.place, second.place, strict=True)) < SAME_PLACE
    return near and abs((first.angle - second.angle + 180) % 360 - 180) < SAME_PLACE


@dataclass(frozen=True)
class Flight:
    """A flight that begins in the loop.

    Args:
        throw: index of the event that throws.
        catch: index of the event that catches, in this loop or a later one.
        duration: [s].
        carry: time from the catch to the next throw, [s].
        style: how it flies and is caught.
    """

    throw: int
    catch: int
    duration: float
    carry: float
    style: FlightStyle


@dataclass(frozen=True)
class PropPath:
    """The path of props that follow each other a loop apart.

    Args:
        paths: of the first prop in one loop after the other, which are those of all the props in
            the first loop.
        flights: in their order; none for props that are held for ever.
        hand: the hand that holds the first prop before its first flight.
    """

    paths: tuple[int, ...]
    flights: tuple[Flight, ...]
    hand: int


def prop_paths(pattern: JmlPattern, events: tuple[JmlEvent, ...]) -> list[PropPath]:
    """Return the path of each prop.

    Args:
        pattern: of the events.
        events: all of one loop, sorted by time.

    Raises:
        FileError: a prop that is thrown by a hand that does not hold it, caught before it is
            thrown, thrown and never caught, or nowhere at all.
    """
    # What happens on each path, in order of time and of kind at one time.
    steps: list[list[_Step]] = [[] for _ in pattern.props]
    for index, event in enumerate(events):
        for transition in sorted(event.transitions, key=lambda transition: transition.kind):
            steps[transition.path].append(_Step(event.time, index, event, transition))
    chains = []
    # A cycle of the path permutation is the way of props that follow each other.
    for cycle in cycles(inverse(pattern.paths)):
        thrown = (
            index
            for index, path in enumerate(cycle)
            if any(step.kind is TransitionKind.THROW for step in steps[path])
        )
        first = next(thrown, 0)
        chains.append(_prop_path(pattern, (*cycle[first:], *cycle[:first]), steps))
    return chains


class _Step(NamedTuple):
    """Something that happens to a prop, at a time from the loop of its first path on."""

    time: float
    row: int
    event: JmlEvent
    transition: Transition

    @property
    def kind(self) -> TransitionKind:
        return self.transition.kind


def _prop_path(pattern: JmlPattern, paths: tuple[int, ...], steps: list[list[_Step]]) -> PropPath:
    """Return the path of the props of one cycle of paths, checked step by step."""
    steps_of_prop = [
        step._replace(time=step.time + loop * pattern.delay)
        for loop, path in enumerate(paths)
        for step in steps[path]
    ]
    if not steps_of_prop:
        path = _("path {paths}", paths=min(paths) + 1)
        raise pattern.location.error(
            _("{path} is never thrown, caught or held", path=path),
            _("an event that names {path}", path=path),
        )
    for before, after in pairwise([steps_of_prop[-1], *steps_of_prop]):
        _check(before, after)
    first = next(
        (index for index, step in enumerate(steps_of_prop) if step.kind is TransitionKind.THROW),
        None,
    )
    if first is None:
        return PropPath(paths, (), steps_of_prop[0].event.hand)
    duration = len(paths) * pattern.delay
    later = [step._replace(time=step.time + duration) for step in steps_of_prop[: first + 1]]
    return PropPath(
        paths, _flights([*steps_of_prop[first:], *later]), steps_of_prop[first].event.hand
    )


def _flights(steps: list[_Step]) -> tuple[Flight, ...]:
    """Return the flights of a path that begins with a throw and ends with the same one."""
    legs = [step for step in steps if step.kind is not TransitionKind.HOLDING]
    flights = []
    for throw, catch, following in zip(legs[:-1:2], legs[1::2], legs[2::2], strict=True):
        duration = catch.time - throw.time
        if duration < SAME_TIME:
            raise _error(catch, _("is caught at the moment when it is thrown"), _("a later catch"))
        style = throw.transition.flight
        if catch.transition.caught:
            style = replace(style, caught=catch.transition.caught)
        flights.append(
            Flight(throw.row, catch.row, duration, max(0.0, following.time - catch.time), style)
        )
    return tuple(flights)


def _check(before: _Step, after: _Step) -> None:
    """Refuse an impossible sequence: props fly from throw to catch, and else stay in a hand."""
    since = _("line {line}", line=before.event.location.line)
    thrown = after.kind is TransitionKind.THROW
    if after.kind is TransitionKind.CATCH:
        if before.kind is not TransitionKind.THROW:
            raise _error(
                after,
                _("is caught, but not thrown since {since}", since=since),
                _("a throw before each catch"),
            )
    elif before.kind is TransitionKind.THROW:
        reason = (
            _("is thrown, but not caught since {since}", since=since)
            if thrown
            else _("is held, but not caught since {since}", since=since)
        )
        raise _error(after, reason, _("a catch after each throw"))
    elif before.event.hand != after.event.hand:
        hands = _(
            "by {hand}, but it is in {hand2}",
            hand=hand_name(after.event.hand),
            hand2=hand_name(before.event.hand),
        )
        reason = (
            _("is thrown {hands} since {since}", hands=hands, since=since)
            if thrown
            else _("is held {hands} since {since}", hands=hands, since=since)
        )
        raise _error(after, reason, _("a throw and a catch between"))


def _error(step: _Step, reason: str, accepted: str) -> FileError:
    return step.event.location.error(
        _("path {path} {reason}", path=step.transition.path + 1, reason=reason), accepted
    )


# Places and turns that differ by less are one, [m] and [rad].
_PLACE_TOLERANCE = 1e-9


def from_choreography(score: Score) -> JmlPattern:
    """The document of placed events, with the loop as its only symmetry."""
    choreography = score.placed
    assert choreography is not None, "only placed events are extracted"
    looks, props = _looks(choreography)
    return JmlPattern(
        jugglers=choreography.jugglers,
        looks=looks,
        props=props,
        delay=choreography.duration,
        paths=_path_permutation(choreography),
        symmetries=(),
        events=_Extraction(choreography).events(),
        positions=positions(choreography.bodies),
        title=score.title,
        about=score.about,
        tags=score.tags,
        base=score.base,
    )


def _first_paths(choreography: Choreography) -> list[int]:
    """Return the number of the first path of each orbit."""
    return [*accumulate((orbit.props for orbit in choreography.orbits), initial=0)][:-1]


def _path_permutation(choreography: Choreography) -> tuple[int, ...]:
    # The prop that is ahead comes to where the others are now; paths are so numbered that each
    # becomes the next one.
    firsts = zip(_first_paths(choreography), choreography.orbits, strict=True)
    return tuple(
        first + (ahead + 1) % orbit.props for first, orbit in firsts for ahead in range(orbit.props)
    )


def _looks(choreography: Choreography) -> tuple[tuple[PropLook, ...], tuple[int, ...]]:
    """The looks that differ, and which each path has."""
    if not choreography.looks:
        return (PropLook(),), (0,) * choreography.props
    looks = iter(choreography.looks)
    of_path: dict[int, PropLook] = {}
    firsts = _first_paths(choreography)
    for orbit, first in zip(choreography.orbits, firsts, strict=True):
        for ahead in range(orbit.props):
            of_path[first + -ahead % orbit.props] = next(looks)
    kinds = list(dict.fromkeys(of_path[path] for path in range(choreography.props)))
    kind_index = {look: index for index, look in enumerate(kinds)}
    return tuple(kinds), tuple(kind_index[of_path[path]] for path in range(choreography.props))


class _Extraction:
    """The transitions of all events, gathered along the paths of the props."""

    def __init__(self, choreography: Choreography) -> None:
        self.choreography = choreography
        self.transitions: list[dict[Transition, None]] = [{} for _ in choreography.events.time]
        self.firsts = _first_paths(choreography)
        events = choreography.events
        self.passed = [
            np.flatnonzero((events.hand == hand) & (events.kind == EventKind.HOLD))
            for hand in range(2 * choreography.jugglers)
        ]

    def events(self) -> tuple[JmlEvent, ...]:
        """Return every event of the loop, and one for each hand without any, as JML wants."""
        for index, orbit in enumerate(self.choreography.orbits):
            if orbit.flights:
                self._add_flights(index)
            else:
                self._add_held(index)
        events = self.choreography.events
        manners = [Manner(Grasp(grasp), row) for grasp, row in events.manners.tolist()]
        listed = [
            JmlEvent(
                time=float(events.time[index]),
                juggler=int(events.hand[index]) // 2,
                side=int(events.hand[index]) % 2,
                place=_seen_from_usual_place(events.position[index]),
                transitions=tuple(
                    sorted(transitions, key=lambda transition: (transition.kind, transition.path))
                ),
                manner=manners[index],
            )
            for index, transitions in enumerate(self.transitions)
        ]
        listed += self._of_idle_hands()
        return tuple(sorted(listed, key=lambda event: (event.time, event.juggler, -event.side)))

    def _of_idle_hands(self) -> list[JmlEvent]:
        """Return an event at time 0 for each hand without any, with the props that it holds."""
        busy = set(self.choreography.events.hand.tolist())
        return [
            JmlEvent(
                time=0.0,
                juggler=hand // 2,
                side=hand % 2,
                place=_seen_from_usual_place(self.choreography.rest[hand]),
                transitions=tuple(
                    Transition(TransitionKind.HOLDING, path)
                    for orbit_index, orbit in enumerate(self.choreography.orbits)
                    if not orbit.flights and orbit.hand == hand
                    for path in self._paths(orbit_index)
                ),
                idle=True,
            )
            for hand in range(2 * self.choreography.jugglers)
            if hand not in busy
        ]

    def _add_flights(self, orbit_index: int) -> None:
        """Follow the first prop of an orbit, and add its throws, catches and carries."""
        events = self.choreography.events
        flights = self.choreography.flights
        usual = self.choreography.gravity, self.choreography.bounce_fraction
        orbit = self.choreography.orbits[orbit_index]
        time = float(events.time[flights.throw[orbit.flights[0]]])
        for flight in orbit.flights:
            style = with_defaults(flights.style[flight] if flights.style else AIR, usual)
            throw = int(flights.throw[flight])
            catch = int(flights.catch[flight])
            path = self._path(orbit_index, time, throw)
            self._add(
                throw,
                Transition(TransitionKind.THROW, path, flight=replace(style, caught=AIR.caught)),
            )
            time += float(flights.duration[flight])
            path = self._path(orbit_index, time, catch)
            self._add(catch, Transition(TransitionKind.CATCH, path, caught=style.caught))
            carry = float(flights.carry[flight])
            self._add_carry(orbit_index, int(events.hand[catch]), time, carry)
            time += carry

    def _paths(self, orbit: int) -> range:
        """All paths of an orbit."""
        return range(self.firsts[orbit], self.firsts[orbit] + self.choreography.orbits[orbit].props)

    def _path(self, orbit: int, time: float, event: int) -> int:
        """The path that comes to an event when the first prop of its orbit does so at some time."""
        loops = round(
            (time - float(self.choreography.events.time[event])) / self.choreography.duration
        )
        # There the first prop does what in the event's own loop the prop does that is as many loops
        # ahead.
        return self.firsts[orbit] + -loops % self.choreography.orbits[orbit].props

    def _add_carry(self, orbit: int, hand: int, start: float, length: float) -> None:
        """Add the transition of a hand that carries a prop through a position."""
        events = self.choreography.events
        duration = self.choreography.duration
        for event in self.passed[hand]:
            passed = start + (float(events.time[event]) - start) % duration
            while passed < start + length:
                self._add(
                    int(event),
                    Transition(TransitionKind.HOLDING, self._path(orbit, passed, int(event))),
                )
                passed += duration

    def _add_held(self, orbit_index: int) -> None:
        events = self.choreography.events
        orbit = self.choreography.orbits[orbit_index]
        first = np.flatnonzero(events.hand == orbit.hand)[:1]
        for event in self.passed[orbit.hand] if len(self.passed[orbit.hand]) else first:
            for path in self._paths(orbit_index):
                self._add(int(event), Transition(TransitionKind.HOLDING, path))

    def _add(self, event: int, transition: Transition) -> None:
        self.transitions[event][transition] = None


def _seen_from_usual_place(position: Floats) -> Triple:
    left, up, forward = (float(part) for part in position)
    return -100 * left, 100 * (forward - HAND_FORWARD), 100 * (up - HAND_HEIGHT)


def positions(bodies: BodyKeyframes) -> tuple[JmlPosition, ...]:
    """The places of bodies that do not just stand where jugglers usually stand."""
    standing, facing = circle(int(bodies.juggler[-1]) + 1)
    away = (
        np.abs(bodies.position - standing[bodies.juggler]).max(axis=1, initial=0.0)
        > _PLACE_TOLERANCE
    )
    away |= np.abs(bodies.facing - facing[bodies.juggler]) > _PLACE_TOLERANCE
    # The only place that JML does not need is that of a juggler with no other.
    away |= (bodies.time > 0) | (np.bincount(bodies.juggler)[bodies.juggler] > 1)
    rows = np.flatnonzero(away)
    return tuple(
        _body_position(bodies, int(row))
        for row in rows[np.argsort(bodies.time[rows], kind="stable")]
    )


def _body_position(bodies: BodyKeyframes, row: int) -> JmlPosition:
    left, up, forward = (float(part) for part in bodies.position[row])
    place = (-100 * left, 100 * forward, 100 * up + STANDING)
    angle = float(np.degrees(bodies.facing[row]))
    return JmlPosition(float(bodies.time[row]), int(bodies.juggler[row]), place, angle)
