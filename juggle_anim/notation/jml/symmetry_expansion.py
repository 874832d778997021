"""Symmetry expansion: from the listed events to all events of one loop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from math import lcm

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.notation.jml.document import JmlEvent, JmlPattern, Symmetry, Transition, hand_name
from juggle_anim.notation.limits import MAX_JML_EVENTS, MAX_SYMMETRY_STEPS, MAX_SYMMETRY_WORK
from juggle_anim.notation.permutations import Powers, inverse, order

SAME_TIME = 1e-9
"""Events of a hand less than this apart are one, [s]."""

SAME_PLACE = 1e-3
"""Places less than this apart are one, [cm]."""


def expand_symmetries(pattern: JmlPattern) -> tuple[JmlEvent, ...]:
    """All events of one loop, sorted by time and hand.

    The symmetries generate a group; an event has an image for each of its members, as in Juggling Lab 1.7.7.

    Raises:
        FileError: symmetries that contradict each other, a hand at two places at once, or too many events.
    """
    images = EventImages(pattern)
    found: list[JmlEvent] = []
    for image in (image for event in pattern.events for image in images.of(event)):
        if len(found) == MAX_JML_EVENTS:
            raise pattern.location.error(f"the pattern has more than {MAX_JML_EVENTS} events", "shorten it")
        found.append(image)
    found.sort(key=lambda event: (event.hand, event.time))
    merged = [event for _, events in groupby(found, key=lambda event: event.hand) for event in _merged(events)]
    return tuple(sorted(merged, key=lambda event: (event.time, event.hand)))


# A hand and a part of the loop.
_Place = tuple[int, int, int]


class EventImages:
    """The images of the events of a pattern; how they follow from an event depends on nothing but its hand."""

    def __init__(self, pattern: JmlPattern) -> None:
        self.pattern = pattern
        self.orders = [order(symmetry.jugglers) for symmetry in pattern.symmetries]
        delayed = [size for size, symmetry in zip(self.orders, pattern.symmetries, strict=True) if symmetry.delayed]
        self.steps = lcm(*delayed)
        if self.steps > MAX_SYMMETRY_STEPS:
            raise pattern.location.error("the symmetries of the pattern divide its loop too often", "simpler ones")
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
                replace(transition, path=self._powers.of(int(paths[transition.path]), -loops))
                for transition in event.transitions
            )
            right, forward, up = event.place
            place = (right if side == event.side else -right, forward, up)
            within = max(0.0, time - loops * delay)
            yield JmlEvent(within, juggler, side, place, transitions, event.location)

    @cached_property
    def _powers(self) -> Powers:
        return Powers(self.pattern.paths)

    @cached_property
    def _moves(self) -> list[tuple[Symmetry, Integers, int]]:
        """The symmetries with their paths, and by how many parts of the loop they shift."""
        return [
            (symmetry, np.array(symmetry.paths, dtype=np.intp), self.steps // size if symmetry.delayed else 0)
            for size, symmetry in zip(self.orders, self.pattern.symmetries, strict=True)
        ]

    @cached_property
    def _back(self) -> Integers:
        return np.array(inverse(self.pattern.paths), dtype=np.intp)

    def _places(self, juggler: int, side: int) -> dict[_Place, Integers]:
        """Where and when the events of a hand have images, and what paths become there."""
        if (juggler, side) in self.known:
            return self.known[juggler, side]
        places: dict[_Place, Integers] = {(juggler, side, 0): np.arange(len(self.pattern.props))}
        fresh = [(juggler, side, 0)]
        while fresh:
            here = fresh.pop()
            for symmetry, moved, shift in self._moves:
                there = self._image(here, symmetry, shift)
                if there is None:
                    continue
                paths = moved[places[here]]
                if here[2] + shift >= self.steps:
                    paths = self._back[paths]
                if there not in places:
                    self._count_work()
                    places[there] = paths
                    fresh.append(there)
                elif not np.array_equal(places[there], paths):
                    raise self.pattern.location.error(
                        "the symmetries of the pattern contradict each other", "pperm and jperm that go together"
                    )
        self.known[juggler, side] = places
        return places

    def _image(self, place: _Place, symmetry: Symmetry, shift: int) -> _Place | None:
        juggler, side, step = place
        turn = symmetry.jugglers[juggler]
        if turn is None:
            return None
        return turn[0], side ^ turn[1], (step + shift) % self.steps

    def _count_work(self) -> None:
        self.work += len(self.pattern.props) + 100
        if self.work > MAX_SYMMETRY_WORK:
            raise self.pattern.location.error("the symmetries of the pattern make too many images", "simpler ones")


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
        reason = (
            f"{hand_name(one.hand)} is at two places at the time {one.time:.6g}, here and in line {one.location.line}"
        )
        raise other.location.error(reason, "one place at a time")
    transitions: dict[tuple[int, int], Transition] = {(tr.kind, tr.path): tr for tr in one.transitions}
    for transition in other.transitions:
        known = transitions.setdefault((transition.kind, transition.path), transition)
        if known != transition:
            reason = (
                f"at the time {one.time:.6g} path {known.path + 1} goes two ways, here and in line {one.location.line}"
            )
            raise other.location.error(reason, "one throw or catch of a path at a time")
    return replace(one, transitions=tuple(transitions.values()))
