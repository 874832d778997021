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
    events_by_hand: list[JmlEvent] = []
    for image in (image for event in pattern.events for image in images.of(event)):
        if len(events_by_hand) == MAX_JML_EVENTS:
            raise pattern.location.error(
                _(
                    "the pattern has more than {max_jml_events} events",
                    max_jml_events=MAX_JML_EVENTS,
                ),
                _("shorten it"),
            )
        events_by_hand.append(image)
    events_by_hand.sort(key=lambda event: (event.hand, event.time))
    merged = [
        event
        for _, events in groupby(events_by_hand, key=lambda event: event.hand)
        for event in _merged(events)
    ]
    return tuple(sorted(merged, key=lambda event: (event.time, event.hand)))


# A hand and a part of the loop.
_Place = tuple[int, int, int]


class EventImages:
    """The images of the events of a pattern; they follow from the hand of an event alone."""

    def __init__(self, pattern: JmlPattern) -> None:
        """Divide the loop into parts: the least common multiple of the symmetries' orders."""
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
        # An image is so many parts of the loop later, on moved paths.
        for (juggler, side, step), paths in self._places(event.juggler, event.side).items():
            time = event.time + step * delay / self.steps
            # Back into the loop; a time just before its end is the start of the next one.
            loops = int(time // delay)
            if (loops + 1) * delay - time < SAME_TIME:
                loops += 1
            transitions = tuple(
                replace(transition, path=self.powers.of(int(paths[transition.path]), -loops))
                for transition in event.transitions
            )
            # A symmetry that exchanges the hands is a reflection: right becomes left.
            right, forward, up = event.place
            place = (right if side == event.side else -right, forward, up)
            within = max(0.0, time - loops * delay)
            yield JmlEvent(
                within, juggler, side, place, transitions, event.manner, event.idle, event.location
            )

    def _places(self, juggler: int, side: int) -> dict[_Place, Integers]:
        """Return the images of a hand's events: place and part of the loop, with moved paths."""
        if (juggler, side) in self.known:
            return self.known[juggler, side]
        places: dict[_Place, Integers] = {(juggler, side, 0): np.arange(len(self.pattern.props))}
        # Orbit of the place under the generators of the group, depth first.
        fresh = [(juggler, side, 0)]
        while fresh:
            place = fresh.pop()
            for symmetry, moved, shift in self.moves:
                juggler_image = symmetry.jugglers[place[0]]
                if juggler_image is None:
                    continue
                image_place = (
                    juggler_image[0],
                    place[1] ^ juggler_image[1],
                    (place[2] + shift) % self.steps,
                )
                paths = moved[places[place]]
                if place[2] + shift >= self.steps:
                    paths = self.back[paths]
                if image_place not in places:
                    self.work += len(paths) + 100
                    if self.work > MAX_SYMMETRY_WORK:
                        reason = _("the symmetries of the pattern make too many images")
                        raise self.pattern.location.error(reason, _("simpler ones"))
                    places[image_place] = paths
                    fresh.append(image_place)
                elif not np.array_equal(places[image_place], paths):
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


def _joined(first: JmlEvent, later: JmlEvent) -> JmlEvent:
    """Return one event for two of a hand at the same time; they must agree."""
    if max(abs(a - b) for a, b in zip(first.place, later.place, strict=True)) > SAME_PLACE:
        where = _(
            "at two places at the time {time:.6g}, here and in line {line}",
            time=first.time,
            line=first.location.line,
        )
        raise later.location.error(
            _("{hand} is {where}", hand=hand_name(first.hand), where=where),
            _("one place at a time"),
        )
    transitions: dict[tuple[int, int], Transition] = {
        (transition.kind, transition.path): transition for transition in first.transitions
    }
    for transition in later.transitions:
        same_transition = transitions.setdefault((transition.kind, transition.path), transition)
        if same_transition != transition:
            where = _("goes two ways, here and in line {line}", line=first.location.line)
            reason = _(
                "at the time {time:.6g} path {path} {where}",
                time=first.time,
                path=same_transition.path + 1,
                where=where,
            )
            raise later.location.error(reason, _("one throw or catch of a path at a time"))
    manner = max(first.manner, later.manner)
    idle = first.idle and later.idle
    return replace(first, transitions=tuple(transitions.values()), manner=manner, idle=idle)


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
    loop = _Loop(pattern)
    best = pattern
    highest_order = min(2 * pattern.jugglers, MAX_SYMMETRY_ORDER)
    # The ones that save most come first; a switch can have any order.
    for delayed, size in product((True, False), range(highest_order, 1, -1)):
        for jugglers in loop.candidates(delayed, size):
            # One delay is enough: the other symmetries of the pattern follow from the longest and
            # from switches.
            if delayed and best.symmetries:
                break
            paths = loop.paths(jugglers, delayed, size)
            if paths is None:
                continue
            symmetry = Symmetry(jugglers, paths, delayed)
            smaller = loop.listed(replace(pattern, symmetries=(*best.symmetries, symmetry)))
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
        other_juggler, crossed = turn
        return all(
            self.matches(2 * juggler + side, 2 * other_juggler + (side ^ crossed), shift)
            is not None
            for side in (0, 1)
        )

    def matches(self, hand: int, other_hand: int, shift: float) -> list[_Match] | None:
        """Return for each event of a hand the one of another, a shift later; None without one."""
        indices = self.of_hand[hand]
        other_indices = self.of_hand[other_hand]
        if len(indices) != len(other_indices):
            return None
        pairs = []
        for index in indices:
            match = self._match(index, other_hand, shift)
            if match is None:
                return None
            pairs.append(match)
        return pairs

    def _match(self, index: int, other_hand: int, shift: float) -> _Match | None:
        """Return the event of another hand that does the same later; None where there is none."""
        event = self.events[index]
        delay = self.pattern.delay
        time = event.time + shift
        # 1 where the image lies in the next loop.
        loops = int(time >= delay - NEAR_TIME)
        away = np.abs(self.times[other_hand] - (time - loops * delay))
        if not len(away) or away.min() > NEAR_TIME:
            return None
        image = self.of_hand[other_hand][int(away.argmin())]
        # Between a left and a right hand, places are mirrored.
        mirror = -1 if event.hand % 2 != other_hand % 2 else 1
        mirrored = (mirror * event.place[0], *event.place[1:])
        same_place = all(
            abs(a - b) <= NEAR_PLACE
            for a, b in zip(mirrored, self.events[image].place, strict=True)
        )
        return (image, loops) if same_place and self.labels[index] == self.labels[image] else None

    def paths(
        self, jugglers: JugglerPermutation, delayed: bool, size: int
    ) -> PathPermutation | None:
        """The permutation of paths that goes with one of jugglers; None where there is none."""
        shift = self.pattern.delay / size if delayed else 0.0
        # Parts of each path as they are, and as the symmetry's images have them.
        images = self._images(jugglers, shift)
        parts: list[list[PathStep]] = [[] for _ in self.pattern.props]
        image_parts: list[list[PathStep]] = [[] for _ in self.pattern.props]
        for index, (image, loops) in images.items():
            for transition in self.events[index].transitions:
                parts[transition.path].append((index, _kind(transition)))
            for transition in self.events[image].transitions:
                path = self.pattern.paths[transition.path] if loops else transition.path
                image_parts[path].append((index, _kind(transition)))
        permutation = match_paths(parts, image_parts, self.pattern.paths)
        # Applied as often as that of the jugglers, it must be a whole loop, or nothing.
        full_turn = self.pattern.paths if delayed else tuple(range(len(self.pattern.paths)))
        powers = Powers(permutation or ())
        return (
            permutation
            if all(powers.of(path, size) == to for path, to in enumerate(full_turn))
            else None
        )

    def _images(self, jugglers: JugglerPermutation, shift: float) -> dict[int, _Match]:
        images: dict[int, _Match] = {}
        for juggler, turn in enumerate(jugglers):
            assert turn is not None, "all jugglers take part"
            for side in (0, 1):
                hand = 2 * juggler + side
                other_hand = 2 * turn[0] + (side ^ turn[1])
                images.update(
                    zip(
                        self.of_hand[hand], self.matches(hand, other_hand, shift) or [], strict=True
                    )
                )
        return images

    def listed(self, pattern: JmlPattern) -> JmlPattern | None:
        """Return the pattern with one event of each set of images; None if others are missing."""
        chosen: list[JmlEvent] = []
        covered: set[tuple[int, float]] = set()
        try:
            images = EventImages(pattern)
            for event in self.events:
                if (event.hand, event.time) not in covered:
                    chosen.append(event)
                    covered |= {key for image in images.of(event) for key in self._near(image)}
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
            expanded = expand_symmetries(smaller)
        except FileError:
            return False
        if len(expanded) != len(self.events):
            return False
        return all(self._is_there(event) for event in expanded)

    def _is_there(self, event: JmlEvent) -> bool:
        # An event at the seam of the loop may have come to stand on its other side, where paths
        # have other numbers.
        for loops, moved in ((0, None), (1, self.back), (-1, self.pattern.paths)):
            distances = np.abs(self.times[event.hand] - (event.time + loops * self.pattern.delay))
            if len(distances) and distances.min() <= NEAR_TIME:
                same_event = self.events[self.of_hand[event.hand][int(distances.argmin())]]
                return set(event.transitions) == {
                    replace(transition, path=moved[transition.path]) if moved else transition
                    for transition in same_event.transitions
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
    """Yield permutations of jugglers that fit, first those in which all move alike."""
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
    used = {juggler for juggler, _ in chosen}
    for turn in product(range(jugglers), (True, False)):
        if turn[0] not in used and fits(len(chosen), turn):
            yield from _extended((*chosen, turn), jugglers, fits)


def match_paths(
    mine: Sequence[Sequence[PathStep]], theirs: Sequence[Sequence[PathStep]], paths: PathPermutation
) -> PathPermutation | None:
    """Return a permutation of paths to paths with the same parts, in this loop and all later ones.

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
    """Number the classes of paths with the same parts for ever, by partition refinement.

    The first list is of the paths as they are, the second of the images.
    """
    numbers: dict[object, int] = {}
    numbers_of_paths, numbers_of_images = (
        [numbers.setdefault(frozenset(parts), len(numbers)) for parts in side]
        for side in (mine, theirs)
    )
    count = 0
    # Split classes by the class of the path a loop before, until none splits any more.
    while len(set(numbers_of_paths)) > count:
        count = len(set(numbers_of_paths))
        refined: dict[object, int] = {}
        numbers_of_paths, numbers_of_images = (
            [
                refined.setdefault((side[path], side[back[path]]), len(refined))
                for path in range(len(side))
            ]
            for side in (numbers_of_paths, numbers_of_images)
        )
    return numbers_of_paths, numbers_of_images


def _paired(numbers: list[int], image_numbers: list[int], powers: Powers) -> PathPermutation | None:
    """Return for each path one of its class, whole cycles to whole cycles; None without one."""
    waiting: dict[int, list[int]] = {}
    for path, class_index in enumerate(image_numbers):
        waiting.setdefault(class_index, []).append(path)
    partners = [-1] * len(numbers)
    used: set[int] = set()
    for path, class_index in enumerate(numbers):
        if partners[path] >= 0:
            continue
        length = len(powers.place[path][0])
        free_paths = (
            partner
            for partner in waiting.get(class_index, [])
            if partner not in used and len(powers.place[partner][0]) == length
        )
        partner = next(free_paths, None)
        if partner is None:
            return None
        # The whole cycles go together, loop by loop.
        for loops in range(length):
            partners[powers.of(path, loops)] = powers.of(partner, loops)
            used.add(powers.of(partner, loops))
    return tuple(partners)
