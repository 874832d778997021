"""From a choreography to a JML document that lists every event of the loop."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import (
    AIR,
    BodyKeyframes,
    Choreography,
    EventKind,
    Grasp,
    PropLook,
    Score,
)
from juggle_anim.choreography.manners import Manner
from juggle_anim.choreography.places import HAND_FORWARD, HAND_HEIGHT, circle
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Transition,
    TransitionKind,
    Triple,
)
from juggle_anim.notation.jml.modifiers import with_defaults
from juggle_anim.notation.settings.moves import STANDING

# Places and turns that differ by less are one, [m] and [rad].
_SAME = 1e-9


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
        first + (place + 1) % orbit.props for first, orbit in firsts for place in range(orbit.props)
    )


def _looks(choreography: Choreography) -> tuple[tuple[PropLook, ...], tuple[int, ...]]:
    """The looks that differ, and which each path has."""
    if not choreography.looks:
        return (PropLook(),), (0,) * choreography.props
    given = iter(choreography.looks)
    of_path: dict[int, PropLook] = {}
    firsts = _first_paths(choreography)
    for orbit, first in zip(choreography.orbits, firsts, strict=True):
        for ahead in range(orbit.props):
            of_path[first + -ahead % orbit.props] = next(given)
    kinds = list(dict.fromkeys(of_path[path] for path in range(choreography.props)))
    number = {look: place for place, look in enumerate(kinds)}
    return tuple(kinds), tuple(number[of_path[path]] for path in range(choreography.props))


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
        """Every event of the loop; also one for each hand that has none, since JML wants to know
        where it is.
        """
        for number, orbit in enumerate(self.choreography.orbits):
            (self._add_flights if orbit.flights else self._add_held)(number)
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
        busy = set(self.choreography.events.hand.tolist())
        return [
            JmlEvent(
                time=0.0,
                juggler=hand // 2,
                side=hand % 2,
                place=_seen_from_usual_place(self.choreography.rest[hand]),
                transitions=tuple(
                    Transition(TransitionKind.HOLDING, path)
                    for number, orbit in enumerate(self.choreography.orbits)
                    if not orbit.flights and orbit.hand == hand
                    for path in self._paths(number)
                ),
                idle=True,
            )
            for hand in range(2 * self.choreography.jugglers)
            if hand not in busy
        ]

    def _add_flights(self, number: int) -> None:
        events = self.choreography.events
        flights = self.choreography.flights
        usual = self.choreography.gravity, self.choreography.bounce_fraction
        orbit = self.choreography.orbits[number]
        time = float(events.time[flights.throw[orbit.flights[0]]])
        for flight in orbit.flights:
            style = with_defaults(flights.style[flight] if flights.style else AIR, usual)
            throw = int(flights.throw[flight])
            catch = int(flights.catch[flight])
            path = self._path(number, time, throw)
            self._add(
                throw,
                Transition(TransitionKind.THROW, path, flight=replace(style, caught=AIR.caught)),
            )
            time += float(flights.duration[flight])
            path = self._path(number, time, catch)
            self._add(catch, Transition(TransitionKind.CATCH, path, caught=style.caught))
            carry = float(flights.carry[flight])
            self._add_carry(number, int(events.hand[catch]), time, carry)
            time += carry

    def _paths(self, number: int) -> range:
        """All paths of an orbit."""
        return range(
            self.firsts[number], self.firsts[number] + self.choreography.orbits[number].props
        )

    def _path(self, number: int, time: float, event: int) -> int:
        """The path that comes to an event when the first prop of its orbit does so at some time."""
        loops = round(
            (time - float(self.choreography.events.time[event])) / self.choreography.duration
        )
        # There the first prop does what in the event's own loop the prop does that is as many loops
        # ahead.
        return self.firsts[number] + -loops % self.choreography.orbits[number].props

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

    def _add_held(self, number: int) -> None:
        events = self.choreography.events
        orbit = self.choreography.orbits[number]
        first = np.flatnonzero(events.hand == orbit.hand)[:1]
        for event in self.passed[orbit.hand] if len(self.passed[orbit.hand]) else first:
            for path in self._paths(number):
                self._add(int(event), Transition(TransitionKind.HOLDING, path))

    def _add(self, event: int, transition: Transition) -> None:
        self.transitions[event][transition] = None


def _seen_from_usual_place(position: Floats) -> Triple:
    left, up, forward = (float(part) for part in position)
    return -100 * left, 100 * (forward - HAND_FORWARD), 100 * (up - HAND_HEIGHT)


def positions(bodies: BodyKeyframes) -> tuple[JmlPosition, ...]:
    """The places of bodies that do not just stand where jugglers usually stand."""
    standing, facing = circle(int(bodies.juggler[-1]) + 1)
    away = np.abs(bodies.position - standing[bodies.juggler]).max(axis=1, initial=0.0) > _SAME
    away |= np.abs(bodies.facing - facing[bodies.juggler]) > _SAME
    # The only place that JML does not need is that of a juggler with no other.
    away |= (bodies.time > 0) | (np.bincount(bodies.juggler)[bodies.juggler] > 1)
    rows = np.flatnonzero(away)
    return tuple(
        _position(bodies, int(row)) for row in rows[np.argsort(bodies.time[rows], kind="stable")]
    )


def _position(bodies: BodyKeyframes, row: int) -> JmlPosition:
    left, up, forward = (float(part) for part in bodies.position[row])
    place = (-100 * left, 100 * forward, 100 * up + STANDING)
    angle = float(np.degrees(bodies.facing[row]))
    return JmlPosition(float(bodies.time[row]), int(bodies.juggler[row]), place, angle)
