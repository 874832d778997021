"""Symmetries of a JML document: from listed events to all of a loop, and back to a few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, islice, product
from math import lcm

import numpy as np

from juggle_anim.arrays import Integers
from juggle_anim.errors import FileError
from juggle_anim.language import _
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    Symmetry,
    Transition,
    TransitionKind,
    hand_name,
)
from juggle_anim.notation.limits import (
    MAX_FREE_JUGGLERS,
    MAX_JML_EVENTS,
    MAX_PERMUTATIONS,
    MAX_PLACES_MOVED,
    MAX_SYMMETRY_ORDER,
    MAX_SYMMETRY_STEPS,
    MAX_SYMMETRY_WORK,
)
from juggle_anim.notation.permutations import (
    JugglerImage,
    JugglerPermutation,
    PathPermutation,
    Powers,
    inverse,
    order,
)

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


NEAR_TIME = 1e-7
"""Events whose times differ by less from those of a symmetry follow it, [s]."""

NEAR_PLACE = 1e-5
"""Likewise their places, [cm]."""

_Match = tuple[int, int]
"""The index of the image of an event, and 1 where it lies in the next loop, else 0."""

PathStep = tuple[int, object]
"""An event, and what happens there to a path."""


def with_symmetries(pattern: JmlPattern) -> JmlPattern:
    """A document with as few events as its symmetries allow.

    Args:
        pattern: with every event of its loop, and no symmetry but the loop.
    """
    found = _Loop(pattern)
    best = pattern
    most = min(2 * pattern.jugglers, MAX_SYMMETRY_ORDER)
    # The ones that save most come first; a switch can have any order.
    for delayed, size in product((True, False), range(most, 1, -1)):
        for jugglers in found.candidates(delayed, size):
            # One delay is enough: the other symmetries of the pattern follow from the longest and
            # from switches.
            if delayed and best.symmetries:
                break
            paths = found.paths(jugglers, delayed, size)
            if paths is None:
                continue
            symmetry = Symmetry(jugglers, paths, delayed)
            smaller = found.listed(replace(pattern, symmetries=(*best.symmetries, symmetry)))
            if smaller is not None and len(smaller.events) < len(best.events):
                best = smaller
    return best


class _Loop:
    """The events of one loop, by hand."""

    def __init__(self, pattern: JmlPattern) -> None:
        self.pattern = pattern
        self.events = pattern.events
        self.of_hand: list[list[int]] = [[] for _ in range(2 * pattern.jugglers)]
        for index, event in enumerate(self.events):
            self.of_hand[event.hand].append(index)
        self.times = [
            np.array([self.events[index].time for index in hand]) for hand in self.of_hand
        ]
        self.labels = [_label(event) for event in self.events]
        self.back = inverse(pattern.paths)

    def candidates(self, delayed: bool, size: int) -> Iterator[JugglerPermutation]:
        """Permutations of jugglers of some order under which times and places agree."""
        shift = self.pattern.delay / size if delayed else 0.0
        fits = cache(lambda juggler, turn: self._fits(juggler, turn, shift))
        for turns in islice(_permutations(self.pattern.jugglers, fits), MAX_PERMUTATIONS):
            if order(turns) == size:
                yield turns

    def _fits(self, juggler: int, turn: JugglerImage, shift: float) -> bool:
        """Whether both hands of a juggler do later what those of another do."""
        other, crossed = turn
        return all(
            self.matches(2 * juggler + side, 2 * other + (side ^ crossed), shift) is not None
            for side in (0, 1)
        )

    def matches(self, hand: int, other: int, shift: float) -> list[_Match] | None:
        """For each event of a hand the event of another that does the same later; None where they
        differ.
        """
        mine = self.of_hand[hand]
        theirs = self.of_hand[other]
        if len(mine) != len(theirs):
            return None
        found = []
        for index in mine:
            match = self._match(index, other, shift)
            if match is None:
                return None
            found.append(match)
        return found

    def _match(self, index: int, other: int, shift: float) -> _Match | None:
        event = self.events[index]
        delay = self.pattern.delay
        time = event.time + shift
        loops = int(time >= delay - NEAR_TIME)
        away = np.abs(self.times[other] - (time - loops * delay))
        if not len(away) or away.min() > NEAR_TIME:
            return None
        image = self.of_hand[other][int(away.argmin())]
        mirror = -1 if event.hand % 2 != other % 2 else 1
        place = (mirror * event.place[0], *event.place[1:])
        near = all(
            abs(a - b) <= NEAR_PLACE for a, b in zip(place, self.events[image].place, strict=True)
        )
        return (image, loops) if near and self.labels[index] == self.labels[image] else None

    def paths(
        self, jugglers: JugglerPermutation, delayed: bool, size: int
    ) -> PathPermutation | None:
        """The permutation of paths that goes with one of jugglers; None where there is none."""
        shift = self.pattern.delay / size if delayed else 0.0
        images = self._images(jugglers, shift)
        mine: list[list[PathStep]] = [[] for _ in self.pattern.props]
        theirs: list[list[PathStep]] = [[] for _ in self.pattern.props]
        for index, (image, loops) in images.items():
            for transition in self.events[index].transitions:
                mine[transition.path].append((index, _kind(transition)))
            for transition in self.events[image].transitions:
                path = self.pattern.paths[transition.path] if loops else transition.path
                theirs[path].append((index, _kind(transition)))
        found = match_paths(mine, theirs, self.pattern.paths)
        # Applied as often as that of the jugglers, it must be a whole loop, or nothing.
        whole = self.pattern.paths if delayed else tuple(range(len(self.pattern.paths)))
        powers = Powers(found or ())
        return found if all(powers.of(path, size) == to for path, to in enumerate(whole)) else None

    def _images(self, jugglers: JugglerPermutation, shift: float) -> dict[int, _Match]:
        images: dict[int, _Match] = {}
        for juggler, turn in enumerate(jugglers):
            assert turn is not None, "all jugglers take part"
            for side in (0, 1):
                hand = 2 * juggler + side
                other = 2 * turn[0] + (side ^ turn[1])
                images.update(
                    zip(self.of_hand[hand], self.matches(hand, other, shift) or [], strict=True)
                )
        return images

    def listed(self, pattern: JmlPattern) -> JmlPattern | None:
        """The pattern with the first of each set of events that are images of each other; None if
        that is not all.
        """
        chosen: list[JmlEvent] = []
        made: set[tuple[int, float]] = set()
        try:
            images = EventImages(pattern)
            for event in self.events:
                if (event.hand, event.time) not in made:
                    chosen.append(event)
                    made |= {key for image in images.of(event) for key in self._near(image)}
        except FileError:
            return None
        smaller = replace(pattern, events=tuple(chosen))
        return smaller if self._complete(smaller) else None

    def _near(self, image: JmlEvent) -> Iterator[tuple[int, float]]:
        """Hand and time of the events that an image may be."""
        for loops in (-1, 0, 1):
            time = image.time + loops * self.pattern.delay
            for index in np.flatnonzero(np.abs(self.times[image.hand] - time) <= NEAR_TIME):
                yield image.hand, self.events[self.of_hand[image.hand][int(index)]].time

    def _complete(self, smaller: JmlPattern) -> bool:
        """Whether the symmetries make just the events that there are."""
        try:
            made = expand_symmetries(smaller)
        except FileError:
            return False
        if len(made) != len(self.events):
            return False
        return all(self._is_there(event) for event in made)

    def _is_there(self, event: JmlEvent) -> bool:
        # An event at the seam of the loop may have come to stand on its other side, where paths
        # have other numbers.
        for loops, moved in ((0, None), (1, self.back), (-1, self.pattern.paths)):
            away = np.abs(self.times[event.hand] - (event.time + loops * self.pattern.delay))
            if len(away) and away.min() <= NEAR_TIME:
                known = self.events[self.of_hand[event.hand][int(away.argmin())]]
                return set(event.transitions) == {
                    replace(transition, path=moved[transition.path]) if moved else transition
                    for transition in known.transitions
                }
        return False


def _kind(transition: Transition) -> tuple[TransitionKind, object, int]:
    return transition.kind, transition.flight, transition.caught


def _label(event: JmlEvent) -> tuple[object, ...]:
    doings = sorted((_kind(transition) for transition in event.transitions), key=repr)
    return event.manner, event.idle, tuple(doings)


def _permutations(
    jugglers: int, fits: Callable[[int, JugglerImage], bool]
) -> Iterator[JugglerPermutation]:
    """Permutations in which each juggler becomes one that fits; those in which all move alike come
    first.
    """
    for step in range(min(jugglers, MAX_PLACES_MOVED)):
        for crossed in (False, True) if step else (True,):
            alike = tuple(((juggler + step) % jugglers, crossed) for juggler in range(jugglers))
            if all(fits(juggler, turn) for juggler, turn in enumerate(alike)):
                yield alike
    if jugglers <= MAX_FREE_JUGGLERS:
        yield from _extended((), jugglers, fits)


def _extended(
    chosen: tuple[JugglerImage, ...], jugglers: int, fits: Callable[[int, JugglerImage], bool]
) -> Iterator[JugglerPermutation]:
    if len(chosen) == jugglers:
        yield chosen
        return
    taken = {juggler for juggler, _ in chosen}
    for turn in product(range(jugglers), (True, False)):
        if turn[0] not in taken and fits(len(chosen), turn):
            yield from _extended((*chosen, turn), jugglers, fits)


def match_paths(
    mine: Sequence[Sequence[PathStep]], theirs: Sequence[Sequence[PathStep]], paths: PathPermutation
) -> PathPermutation | None:
    """A permutation of paths that gives to each path one with the same parts, in this loop and for
    ever after.

    Where several paths do the same for ever, the first ones go together; whole cycles of `paths` go
    to whole cycles.

    Args:
        mine: for each path its parts in a loop.
        theirs: for each path its parts in the image of that loop.
        paths: the path that takes over another's part a loop later.

    Returns:
        None where there is no such permutation.
    """
    return _paired(*_classes(mine, theirs, inverse(paths)), Powers(paths))


def _classes(
    mine: Sequence[Sequence[PathStep]], theirs: Sequence[Sequence[PathStep]], back: PathPermutation
) -> tuple[list[int], list[int]]:
    """Numbers for paths, equal where two have the same parts for ever: as they are, and as
    images.
    """
    numbers: dict[object, int] = {}
    one, other = (
        [numbers.setdefault(frozenset(parts), len(numbers)) for parts in side]
        for side in (mine, theirs)
    )
    count = 0
    while len(set(one)) > count:
        count = len(set(one))
        refined: dict[object, int] = {}
        one, other = (
            [
                refined.setdefault((side[path], side[back[path]]), len(refined))
                for path in range(len(side))
            ]
            for side in (one, other)
        )
    return one, other


def _paired(one: list[int], other: list[int], powers: Powers) -> PathPermutation | None:
    """For each path one of the same number, whole cycles to whole cycles."""
    waiting: dict[int, list[int]] = {}
    for path, number in enumerate(other):
        waiting.setdefault(number, []).append(path)
    found = [-1] * len(one)
    taken: set[int] = set()
    for path, number in enumerate(one):
        if found[path] >= 0:
            continue
        length = len(powers.place[path][0])
        free = (
            to
            for to in waiting.get(number, [])
            if to not in taken and len(powers.place[to][0]) == length
        )
        to = next(free, None)
        if to is None:
            return None
        for loops in range(length):
            found[powers.of(path, loops)] = powers.of(to, loops)
            taken.add(powers.of(to, loops))
    return tuple(found)
