"""Symmetry expansion: from the listed events to all events of one loop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from math import lcm

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.language import _
from juggle_anim.notation.jml.document import JmlEvent, JmlPattern, Transition, hand_name
from juggle_anim.notation.limits import MAX_JML_EVENTS, MAX_SYMMETRY_STEPS, MAX_SYMMETRY_WORK
from juggle_anim.notation.permutations import Powers, inverse, order

SAME_TIME = 1e-9
"""Events of a hand less than this apart are one, [s]."""

SAME_PLACE = 1e-3
"""Places less than this apart are one, [cm]."""


def expand_symmetries(pattern: JmlPattern) -> tuple[JmlEvent, ...]:
    """All events of one loop, sorted by time and hand.

    The symmetries generate a group; an event has an image for each of its members, as in Juggling
    Lab 1.7.7.

    Raises:
        FileError: symmetries that contradict each other, a hand at two places at once, or too many
            events.
    """
    images = EventImages(pattern)
    found: list[JmlEvent] = []
    for image in (image for event in pattern.events for image in images.of(event)):
        if len(found) == MAX_JML_EVENTS:
            raise pattern.location.error(
                _(
                    "the pattern has more than {max_jml_events} events",
                    max_jml_events=MAX_JML_EVENTS,
                ),
                _("shorten it"),
            )
        found.append(image)
    found.sort(key=lambda event: (event.hand, event.time))
    merged = [
        event
        for _, events in groupby(found, key=lambda event: event.hand)
        for event in _merged(events)
    ]
    return tuple(sorted(merged, key=lambda event: (event.time, event.hand)))


# A hand and a part of the loop.
_Place = tuple[int, int, int]


class EventImages:
    """The images of the events of a pattern; how they follow from an event depends on nothing but
    its hand.
    """

    def __init__(self, pattern: JmlPattern) -> None:
        self.pattern = pattern
        orders = [order(symmetry.jugglers) for symmetry in pattern.symmetries]
        delayed = [
            size
            for size, symmetry in zip(orders, pattern.symmetries, strict=True)
            if symmetry.delayed
        ]
        self.steps = lcm(*delayed)
        if self.steps > MAX_SYMMETRY_STEPS:
            raise pattern.location.error(
                _("the symmetries of the pattern divide its loop too often"), _("simpler ones")
            )
        # The symmetries with their paths, and by how many parts of the loop they shift.
        self.moves = [
            (
                symmetry,
                np.array(symmetry.paths, dtype=np.intp),
                self.steps // size if symmetry.delayed else 0,
            )
            for size, symmetry in zip(orders, pattern.symmetries, strict=True)
        ]
        self.powers = Powers(pattern.paths)
        self.back = np.array(inverse(pattern.paths), dtype=np.intp)
        self.known: dict[tuple[int, int], dict[_Place, Integers]] = {}
        self.work = 0

    def of(self, event: JmlEvent) -> Iterable[JmlEvent]:
        """An event and all its images, within the loop."""
        delay = self.pattern.delay
        for (juggler, side, step), paths in self._places(event.juggler, event.side).items():
            time = event.time + step * delay / self.steps
            loops = int(time // delay)
            if (loops + 1) * delay - time < SAME_TIME:
                loops += 1
            transitions = tuple(
                replace(transition, path=self.powers.of(int(paths[transition.path]), -loops))
                for transition in event.transitions
            )
            right, forward, up = event.place
            place = (right if side == event.side else -right, forward, up)
            within = max(0.0, time - loops * delay)
            yield JmlEvent(
                within, juggler, side, place, transitions, event.manner, event.idle, event.location
            )

    def _places(self, juggler: int, side: int) -> dict[_Place, Integers]:
        """Return the images of a hand's events under the symmetries: place, time and permutation of
        paths.
        """
        if (juggler, side) in self.known:
            return self.known[juggler, side]
        places: dict[_Place, Integers] = {(juggler, side, 0): np.arange(len(self.pattern.props))}
        fresh = [(juggler, side, 0)]
        while fresh:
            here = fresh.pop()
            for symmetry, moved, shift in self.moves:
                turn = symmetry.jugglers[here[0]]
                if turn is None:
                    continue
                there = turn[0], here[1] ^ turn[1], (here[2] + shift) % self.steps
                paths = moved[places[here]]
                if here[2] + shift >= self.steps:
                    paths = self.back[paths]
                if there not in places:
                    self.work += len(paths) + 100
                    if self.work > MAX_SYMMETRY_WORK:
                        reason = _("the symmetries of the pattern make too many images")
                        raise self.pattern.location.error(reason, _("simpler ones"))
                    places[there] = paths
                    fresh.append(there)
                elif not np.array_equal(places[there], paths):
                    reason = _("the symmetries of the pattern contradict each other")
                    raise self.pattern.location.error(reason, _("pperm and jperm that go together"))
        self.known[juggler, side] = places
        return places


def _merged(events: Iterable[JmlEvent]) -> list[JmlEvent]:
    """The events of one hand, those at one time made one."""
    merged: list[JmlEvent] = []
    for event in events:
        if merged and event.time - merged[-1].time < SAME_TIME:
            merged[-1] = _joined(merged[-1], event)
        else:
            merged.append(event)
    return merged


def _joined(one: JmlEvent, other: JmlEvent) -> JmlEvent:
    if max(abs(a - b) for a, b in zip(one.place, other.place, strict=True)) > SAME_PLACE:
        where = _(
            "at two places at the time {time:.6g}, here and in line {line}",
            time=one.time,
            line=one.location.line,
        )
        raise other.location.error(
            _("{hand} is {where}", hand=hand_name(one.hand), where=where), _("one place at a time")
        )
    transitions: dict[tuple[int, int], Transition] = {
        (tr.kind, tr.path): tr for tr in one.transitions
    }
    for transition in other.transitions:
        known = transitions.setdefault((transition.kind, transition.path), transition)
        if known != transition:
            where = _("goes two ways, here and in line {line}", line=one.location.line)
            reason = _(
                "at the time {time:.6g} path {path} {where}",
                time=one.time,
                path=known.path + 1,
                where=where,
            )
            raise other.location.error(reason, _("one throw or catch of a path at a time"))
    manner = max(one.manner, other.manner)
    idle = one.idle and other.idle
    return replace(one, transitions=tuple(transitions.values()), manner=manner, idle=idle)
