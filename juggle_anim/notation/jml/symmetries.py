"""Symmetries of a JML document: from listed events to all of a loop, and back to a few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, groupby, islice, product
from math import lcm
from typing import NamedTuple

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
from juggle_anim.notation.rewriting import (
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
    """Return all events of one loop, sorted by time and hand.

    A JML document lists some of them, from which the others (images) follow by symmetries. The
    symmetries generate a group, and an event has an image under each of its members, as in Juggling
    Lab 1.7.7. Events of a hand at the same time are merged.

    Args:
        pattern: the document: its events and symmetries.

    Raises:
        FileError: symmetries contradict each other, a hand is at two places at once, or there are
            too many events.
    """
    images = EventImages(pattern)
    events_by_hand: list[JmlEvent] = []
    for image in chain.from_iterable(map(images.images_of, pattern.events)):
        if len(events_by_hand) == MAX_JML_EVENTS:
            raise pattern.location.error(
                _(
                    "the pattern has more than {max_jml_events} events",
                    max_jml_events=MAX_JML_EVENTS,
                ),
                _("shorten it"),
            )
        events_by_hand.append(image)
    # Events of one hand at the same time become one, since some events are their own images.
    events_by_hand.sort(key=lambda event: (event.hand, event.time))
    merged = [
        event
        for _, events in groupby(events_by_hand, key=lambda event: event.hand)
        for event in _merged(events)
    ]
    return tuple(sorted(merged, key=lambda event: (event.time, event.hand)))


# Juggler, side (0 left, 1 right), and by how many of `EventImages.steps` an image is delayed.
_DelayedHand = tuple[int, int, int]


class _Generator(NamedTuple):
    """A symmetry, as a generator of the group of all symmetries of a pattern.

    Attributes:
        jugglers: its permutation of jugglers.
        paths: its permutation of paths, shape (paths,).
        shift: its delay in steps of the loop.
    """

    jugglers: JugglerPermutation
    paths: Integers
    shift: int


class EventImages:
    """Images of the events of a pattern under its symmetries.

    All events of a hand have their images at the same hands, delays and paths.

    Attributes:
        steps: number of equal parts of the loop by which images are delayed against each other.
        generators: one for each symmetry.
        path_powers: powers of the path permutation of the loop.
        paths_a_loop_before: its inverse: the path that a path was a loop before.
        images_by_hand: cached images of the events of each (juggler, side).
        work: about the number of array elements made so far, for the limit.
    """

    def __init__(self, pattern: JmlPattern) -> None:
        """Divide the loop into steps, so that each delayed symmetry shifts events by whole steps.

        A symmetry maps events of some jugglers to those of others (images), perhaps later in the
        loop. Its order is the number of applications that map each juggler to itself.

        Args:
            pattern: a parsed JML pattern: events, paths of props, symmetries and positions of
                jugglers.

        Raises:
            FileError: there would be too many steps.
        """
        self.pattern = pattern
        # A delayed symmetry of order n shifts events by 1/n of the loop, which must be whole steps.
        orders = [order(symmetry.jugglers) for symmetry in pattern.symmetries]
        delayed_orders = [
            symmetry_order
            for symmetry_order, symmetry in zip(orders, pattern.symmetries, strict=True)
            if symmetry.delayed
        ]
        self.steps = lcm(*delayed_orders)
        if self.steps > MAX_SYMMETRY_STEPS:
            raise pattern.location.error(
                _("the symmetries of the pattern divide its loop too often"), _("simpler ones")
            )
        self.generators = [
            _Generator(
                symmetry.jugglers,
                np.array(symmetry.paths, dtype=np.intp),
                shift=self.steps // symmetry_order if symmetry.delayed else 0,
            )
            for symmetry_order, symmetry in zip(orders, pattern.symmetries, strict=True)
        ]
        # The permutation of paths after any number of loops, and for each path the one on which its
        # prop was a loop earlier.
        self.path_powers = Powers(pattern.paths)
        self.paths_a_loop_before = np.array(inverse(pattern.paths), dtype=np.intp)
        self.images_by_hand: dict[tuple[int, int], dict[_DelayedHand, Integers]] = {}
        self.work = 0

    def images_of(self, event: JmlEvent) -> Iterable[JmlEvent]:
        """Yield an event and all its images under the symmetries, the event itself first.

        Images beyond the end of the loop are moved back into it.
        """
        delay = self.pattern.delay
        for (juggler, side, step), paths in self._images_of_hand(event.juggler, event.side).items():
            time = event.time + step * delay / self.steps
            # Number of loops by which the image is moved back. A time within `SAME_TIME` [s] before
            # the end of a loop counts as the start of the next one.
            loops = int(time // delay)
            if (loops + 1) * delay - time < SAME_TIME:
                loops += 1
            # So its props are on the paths on which they were that many loops before.
            transitions = tuple(
                replace(
                    transition, path=self.path_powers.image(int(paths[transition.path]), -loops)
                )
                for transition in event.transitions
            )
            # A symmetry that exchanges the hands is a reflection: right becomes left.
            right, forward, up = event.place
            place = (right if side == event.side else -right, forward, up)
            yield replace(
                event,
                time=max(0.0, time - loops * delay),
                juggler=juggler,
                side=side,
                place=place,
                transitions=transitions,
            )

    def _images_of_hand(self, juggler: int, side: int) -> dict[_DelayedHand, Integers]:
        """Return where all symmetries together map the events of a hand.

        A symmetry maps the events of a hand to those of another hand, perhaps later in the loop,
        and the paths of their props to other paths. The symmetries of the file generate a group:
        all that arises by applying them one after another. Results are cached.

        Args:
            juggler: index of the juggler.
            side: 0 left, 1 right.

        Returns:
            For each image (juggler, side, delay in steps of the loop) the path onto which each
            path is moved, shape (paths,).

        Raises:
            FileError: one image is reached with different paths, or there are too many images.
        """
        if (juggler, side) in self.images_by_hand:
            return self.images_by_hand[juggler, side]
        # The identity is the first member of the group.
        identity = (juggler, side, 0)
        images: dict[_DelayedHand, Integers] = {identity: np.arange(len(self.pattern.props))}
        # Apply each generator to each image, depth first, until there are no new images.
        unvisited = [identity]
        while unvisited:
            hand = unvisited.pop()
            hand_juggler, hand_side, hand_step = hand
            for generator in self.generators:
                juggler_image = generator.jugglers[hand_juggler]
                # The symmetry may leave this juggler out.
                if juggler_image is None:
                    continue
                # `crossed` says whether left and right hands are exchanged.
                image_juggler, crossed = juggler_image
                image_side = 1 - hand_side if crossed else hand_side
                step = hand_step + generator.shift
                image = (image_juggler, image_side, step % self.steps)
                paths = generator.paths[images[hand]]
                # If the image is moved back into the loop, props are on the paths of a loop before.
                if step >= self.steps:
                    paths = self.paths_a_loop_before[paths]
                if image not in images:
                    # A rough measure of work: the elements of the array, and 100 for the rest.
                    self.work += len(paths) + 100
                    if self.work > MAX_SYMMETRY_WORK:
                        reason = _("the symmetries of the pattern make too many copies")
                        raise self.pattern.location.error(reason, _("simpler ones"))
                    images[image] = paths
                    unvisited.append(image)
                elif not np.array_equal(images[image], paths):
                    reason = _("the symmetries of the pattern contradict each other")
                    raise self.pattern.location.error(reason, _("pperm and jperm that go together"))
        self.images_by_hand[juggler, side] = images
        return images


def _merged(events: Iterable[JmlEvent]) -> list[JmlEvent]:
    """Merge the events of one hand that are less than SAME_TIME [s] apart.

    Args:
        events: the events of the hand, sorted by time.

    Raises:
        FileError: such events contradict each other.
    """
    merged: list[JmlEvent] = []
    for event in events:
        if merged and event.time - merged[-1].time < SAME_TIME:
            merged[-1] = _merged_event(merged[-1], event)
        else:
            merged.append(event)
    return merged


def _merged_event(first: JmlEvent, later: JmlEvent) -> JmlEvent:
    """Merge two events of a hand at the same time, with the transitions of both.

    A transition is a throw, a catch or a hold of one prop (path). The merged event is idle (without
    any task) if both events are, and made in the manner (such as under a leg) that is not the usual
    one; its other fields are those of the first event.

    Args:
        first: the event whose other fields are kept.
        later: an event of the same hand within `SAME_TIME`. An error points to it, and names the
            line of the first.

    Raises:
        FileError: the events are at different places, or have different transitions of one kind for
            the same path.
    """
    # `SAME_PLACE` is in [cm], as places in JML are.
    if max(abs(a - b) for a, b in zip(first.place, later.place, strict=True)) > SAME_PLACE:
        places = _(
            "in two places at time {time:.6g}, here and on line {line}",
            time=first.time,
            line=first.location.line,
        )
        raise later.location.error(
            _("{hand} is {where}", hand=hand_name(first.hand), where=places),
            _("one place at a time"),
        )
    # Transitions by kind and path, so that equal ones are kept once.
    transitions: dict[tuple[int, int], Transition] = {
        (transition.kind, transition.path): transition for transition in first.transitions
    }
    for transition in later.transitions:
        previous = transitions.setdefault((transition.kind, transition.path), transition)
        if previous != transition:
            ways = _("goes two ways, here and on line {line}", line=first.location.line)
            reason = _(
                "at time {time:.6g} path {path} {where}",
                time=first.time,
                path=transition.path + 1,
                where=ways,
            )
            raise later.location.error(reason, _("one throw or catch per path at a time"))
    # Any manner outranks the usual one, which is the smallest.
    manner = max(first.manner, later.manner)
    idle = first.idle and later.idle
    return replace(first, transitions=tuple(transitions.values()), manner=manner, idle=idle)


NEAR_TIME = 1e-7
"""Events whose times differ by less from those of a symmetry follow it, [s]."""

NEAR_PLACE = 1e-5
"""Likewise their places, [cm]."""

_Match = tuple[int, int]
"""Row of the event that is the image of another, and 1 where it lies in the next loop, else 0."""

PathStep = tuple[int, object]
"""Row of an event, and the transition of a path in it."""


def with_symmetries(pattern: JmlPattern) -> JmlPattern:
    """Return a pattern with symmetries, and without the events that follow from them.

    The search is greedy: it keeps each symmetry that shortens the list of events.

    Args:
        pattern: the pattern with every event of its loop, and no symmetry except that the loop
            repeats.

    Returns:
        The same pattern with symmetries and fewer listed events; the argument itself if no symmetry
        saves any event.
    """
    loop = _Loop(pattern)
    # One delayed symmetry is enough: the others follow from that of the highest order and from
    # symmetries without delay.
    shortened = (loop.shortened_by(symmetry, pattern) for symmetry in loop.symmetries(delayed=True))
    best = next(filter(None, shortened), pattern)
    for symmetry in loop.symmetries(delayed=False):
        best = loop.shortened_by(symmetry, best) or best
    return best


class _Loop:
    """The events of one loop, by hand, to be compared under possible symmetries.

    Attributes:
        rows_of_hand: for each hand, 2·juggler + side, its rows in `events`.
        times: the times of these rows, [s].
        labels: for each event all that its image must have in common with it, except its place.
        paths_a_loop_before: inverse of the path permutation of the loop.
    """

    def __init__(self, pattern: JmlPattern) -> None:
        self.pattern = pattern
        self.events = pattern.events
        self.rows_of_hand: list[list[int]] = [[] for _ in range(2 * pattern.jugglers)]
        for row, event in enumerate(self.events):
            self.rows_of_hand[event.hand].append(row)
        self.times = [
            np.array([self.events[row].time for row in rows]) for rows in self.rows_of_hand
        ]
        self.labels = [_label(event) for event in self.events]
        self.paths_a_loop_before = inverse(pattern.paths)

    def symmetries(self, *, delayed: bool) -> Iterator[Symmetry]:
        """Yield the symmetries of the loop, from the highest order to the lowest.

        A symmetry of order n leaves about 1/n of the events to list, so high orders are worth most.
        Not every set of them goes together: `reduced` tells.

        Args:
            delayed: whether the symmetries shift events by a part of the loop; if not, they keep
                their times.
        """
        # J jugglers in a cycle come back to their places after J steps, and their hands, if they
        # are exchanged once around, after 2 J.
        highest_order = min(2 * self.pattern.jugglers, MAX_SYMMETRY_ORDER)
        for symmetry_order in range(highest_order, 1, -1):
            for permutation in self.candidates(symmetry_order, delayed=delayed):
                paths = self.paths(permutation, symmetry_order, delayed=delayed)
                if paths is not None:
                    yield Symmetry(permutation, paths, delayed)

    def shortened_by(self, symmetry: Symmetry, pattern: JmlPattern) -> JmlPattern | None:
        """Return the pattern with one more symmetry; None if that does not save any event.

        Args:
            symmetry: one of `symmetries`.
            pattern: the pattern of this loop, perhaps with other symmetries.
        """
        symmetries = (*pattern.symmetries, symmetry)
        shortened = self.reduced(replace(self.pattern, symmetries=symmetries))
        if shortened is None or len(shortened.events) >= len(pattern.events):
            return None
        return shortened

    def candidates(self, symmetry_order: int, *, delayed: bool) -> Iterator[JugglerPermutation]:
        """Yield permutations of jugglers under which times and places of events agree.

        A permutation gives for each juggler the image: a juggler, and whether left and right are
        exchanged.

        Args:
            symmetry_order: the order of the permutations: the number of applications after which
                all jugglers are mapped to themselves.
            delayed: whether the symmetry shifts events by 1/`symmetry_order` of the loop; if not,
                it keeps their times.
        """
        shift = self.pattern.delay / symmetry_order if delayed else 0.0
        # Many permutations ask for the same juggler and image.
        fits = cache(lambda juggler, image: self._fits(juggler, image, shift))
        for permutation in islice(_permutations(self.pattern.jugglers, fits), MAX_PERMUTATIONS):
            if order(permutation) == symmetry_order:
                yield permutation

    def _fits(self, juggler: int, image: JugglerImage, shift: float) -> bool:
        """Return whether the hands of a juggler's image do the same as his own, `shift` s later."""
        image_juggler, crossed = image
        return all(
            self.matches(2 * juggler + side, 2 * image_juggler + (side ^ crossed), shift)
            is not None
            for side in (0, 1)
        )

    def matches(self, hand: int, image_hand: int, shift: float) -> list[_Match] | None:
        """Return for each event of a hand an equal event of another hand, `shift` seconds later.

        Args:
            hand: 2·juggler + side.
            image_hand: the other hand, numbered likewise.
            shift: delay of the symmetry, less than the loop, [s].

        Returns:
            For each event the row of the equal one, and 1 if that lies in the next loop, else 0;
            None if any event has no equal, or the hands have different numbers of events.
        """
        rows = self.rows_of_hand[hand]
        if len(rows) != len(self.rows_of_hand[image_hand]):
            return None
        event_matches = []
        for row in rows:
            match = self._match(row, image_hand, shift)
            if match is None:
                return None
            event_matches.append(match)
        return event_matches

    def _row_at(self, hand: int, time: float) -> int | None:
        """Return the row of a hand's nearest event in time; None without one within `NEAR_TIME`."""
        distances = np.abs(self.times[hand] - time)
        if not len(distances) or distances.min() > NEAR_TIME:
            return None
        return self.rows_of_hand[hand][int(distances.argmin())]

    def _match(self, row: int, image_hand: int, shift: float) -> _Match | None:
        """Find the image of an event in another hand: an equal event `shift` seconds later.

        Equal events have the same transitions at the same place, or at the mirrored place between a
        left and a right hand.

        Args:
            row: the row of the event in `self.events`.
            image_hand: the other hand, 2·juggler + side.
            shift: delay of the symmetry, less than the loop, [s].

        Returns:
            The row of the equal event, and 1 if it lies in the next loop, else 0. None if there is
            no such event.
        """
        event = self.events[row]
        delay = self.pattern.delay
        time = event.time + shift
        # Images may differ from events by `NEAR_TIME`, [s], and `NEAR_PLACE`, [cm].
        loops = 1 if time >= delay - NEAR_TIME else 0
        image_row = self._row_at(image_hand, time - loops * delay)
        if image_row is None:
            return None
        # Between a left and a right hand, places are mirrored: right becomes left.
        mirror = -1 if event.hand % 2 != image_hand % 2 else 1
        right, forward, up = event.place
        same_place = all(
            abs(a - b) <= NEAR_PLACE
            for a, b in zip(
                (mirror * right, forward, up), self.events[image_row].place, strict=True
            )
        )
        # Labels have all that equal events share, except the place: transitions and manners.
        if same_place and self.labels[row] == self.labels[image_row]:
            return image_row, loops
        return None

    def paths(
        self, jugglers: JugglerPermutation, symmetry_order: int, *, delayed: bool
    ) -> PathPermutation | None:
        """Return the permutation of paths that belongs to a permutation of jugglers.

        In JML each prop has a path, and `paths` of the pattern says on which path it continues in
        the next loop. Under a symmetry the prop of one path does what that of another does, perhaps
        later.

        Args:
            jugglers: one of `candidates`.
            symmetry_order: the order of `jugglers`.
            delayed: whether the symmetry shifts events by 1/`symmetry_order` of the loop; if not,
                it keeps their times.

        Returns:
            For each path its image; None if no permutation makes this a symmetry of the pattern.
        """
        shift = self.pattern.delay / symmetry_order if delayed else 0.0
        images = self._images(jugglers, shift)
        # The steps (throws, catches and holds) of each path, and of each path in the image. Steps
        # of the image also have the row of the event of which it is the image, so that
        # corresponding steps are equal.
        steps: list[list[PathStep]] = [[] for _ in self.pattern.props]
        image_steps: list[list[PathStep]] = [[] for _ in self.pattern.props]
        for row, (image_row, loops) in images.items():
            for transition in self.events[row].transitions:
                steps[transition.path].append((row, _content(transition)))
            for transition in self.events[image_row].transitions:
                # An image that lies in the next loop is brought back into this one, where its prop
                # is on another path.
                path = self.pattern.paths[transition.path] if loops else transition.path
                image_steps[path].append((row, _content(transition)))
        permutation = match_paths(steps, image_steps, self.pattern.paths)
        if permutation is None:
            return None
        # Applied as often as its order says, a delayed symmetry shifts everything by a whole loop,
        # and any other is the identity. The same must hold for paths.
        full_round = self.pattern.paths if delayed else tuple(range(len(self.pattern.paths)))
        powers = Powers(permutation)
        closes = all(
            powers.image(path, symmetry_order) == path_after
            for path, path_after in enumerate(full_round)
        )
        return permutation if closes else None

    def _images(self, jugglers: JugglerPermutation, shift: float) -> dict[int, _Match]:
        """Return for each event, by its row, its image under a symmetry.

        The image is the equal event of the image of its hand, `shift` later.

        Args:
            jugglers: for each juggler the image: a juggler, and whether left and right are
                exchanged. One of `candidates`, so each event has an image.
            shift: delay of the symmetry, [s].
        """
        images: dict[int, _Match] = {}
        for juggler, juggler_image in enumerate(jugglers):
            assert juggler_image is not None, "all jugglers take part"
            image_juggler, crossed = juggler_image
            for side in (0, 1):
                hand = 2 * juggler + side
                image_side = 1 - side if crossed else side
                image_hand = 2 * image_juggler + image_side
                matches = self.matches(hand, image_hand, shift) or []
                images.update(zip(self.rows_of_hand[hand], matches, strict=True))
        return images

    def reduced(self, pattern: JmlPattern) -> JmlPattern | None:
        """Return a pattern that lists only one of the events that are images of each other.

        Args:
            pattern: the pattern of this loop, with the symmetries to try.

        Returns:
            The pattern with these events; None if from them its symmetries do not make exactly
            the events of the loop.
        """
        representatives: list[JmlEvent] = []
        # Hand and time of all events that are images of the representatives so far.
        covered: set[tuple[int, float]] = set()
        try:
            images = EventImages(pattern)
            for event in self.events:
                if (event.hand, event.time) not in covered:
                    representatives.append(event)
                    for image in images.images_of(event):
                        covered.update(self._near(image))
        except FileError:
            # The symmetries contradict each other.
            return None
        smaller = replace(pattern, events=tuple(representatives))
        return smaller if self._expands_to_all(smaller) else None

    def _near(self, image: JmlEvent) -> Iterator[tuple[int, float]]:
        """Yield hand and time of the events of the loop that an image coincides with.

        An image near the seam of the loop may be an event on the other side of it.
        """
        for loops in (-1, 0, 1):
            time = image.time + loops * self.pattern.delay
            nearby_events = np.flatnonzero(np.abs(self.times[image.hand] - time) <= NEAR_TIME)
            for index in nearby_events:
                yield image.hand, self.events[self.rows_of_hand[image.hand][int(index)]].time

    def _expands_to_all(self, smaller: JmlPattern) -> bool:
        """Return whether the symmetries of a pattern make exactly the events of this loop."""
        try:
            expanded = expand_symmetries(smaller)
        except FileError:
            return False
        if len(expanded) != len(self.events):
            return False
        return all(self._is_event_of_loop(event) for event in expanded)

    def _is_event_of_loop(self, event: JmlEvent) -> bool:
        """Return whether the loop has an event of the same hand, time and transitions.

        A transition is what happens to a prop in an event: a throw, a catch or a hold. It names the
        prop by the number of its path; paths are permuted from each loop to the next.

        Args:
            event: an event; its time may differ by up to `NEAR_TIME` from that of the equal one.
        """
        # An event near the end of the loop may equal one near its start, or the reverse. Then each
        # prop there is on the path of a loop before, or of a loop later.
        new_paths_by_loops = {0: None, 1: self.paths_a_loop_before, -1: self.pattern.paths}
        for loops, new_paths in new_paths_by_loops.items():
            time = event.time + loops * self.pattern.delay
            row = self._row_at(event.hand, time)
            if row is None:
                continue
            transitions = set(self.events[row].transitions)
            if new_paths:
                transitions = {
                    replace(transition, path=new_paths[transition.path])
                    for transition in transitions
                }
            return set(event.transitions) == transitions
        return False


def _content(transition: Transition) -> tuple[TransitionKind, object, int]:
    """Return all of a transition (a throw, catch or hold of a prop) except the path of its prop."""
    return transition.kind, transition.flight, transition.caught


def _label(event: JmlEvent) -> tuple[object, ...]:
    """Return what symmetries keep of an event: manner, idleness, transitions without paths."""
    # Sorted as text, since flight styles have no order of their own.
    contents = sorted((_content(transition) for transition in event.transitions), key=repr)
    return event.manner, event.idle, tuple(contents)


def _permutations(
    jugglers: int, fits: Callable[[int, JugglerImage], bool]
) -> Iterator[JugglerPermutation]:
    """Yield permutations of jugglers that fit, first those in which all move alike.

    Args:
        jugglers: number of jugglers.
        fits: returns whether a juggler, by index, may be mapped to an image: a juggler, and whether
            hands are exchanged.
    """
    # Rotations of the whole circle of jugglers by some places, with hands kept or exchanged.
    for places in range(min(jugglers, MAX_PLACES_MOVED)):
        for crossed in (False, True):
            is_identity = places == 0 and not crossed
            if is_identity:
                continue
            rotation = tuple(
                ((juggler + places) % jugglers, crossed) for juggler in range(jugglers)
            )
            if all(fits(juggler, image) for juggler, image in enumerate(rotation)):
                yield rotation
    # All permutations of a few jugglers; with more of them there are too many.
    if jugglers <= MAX_FREE_JUGGLERS:
        yield from _extended((), jugglers, fits)


def _extended(
    images: tuple[JugglerImage, ...], jugglers: int, fits: Callable[[int, JugglerImage], bool]
) -> Iterator[JugglerPermutation]:
    """Yield all permutations of jugglers that fit and begin with `images`, depth first.

    Args:
        images: images of the first jugglers.
        jugglers: number of all jugglers.
        fits: returns whether a juggler, by index, may be mapped to an image: a juggler, and whether
            hands are exchanged.
    """
    if len(images) == jugglers:
        yield images
        return
    used = {juggler for juggler, _crossed in images}
    for image_juggler, crossed in product(range(jugglers), (True, False)):
        if image_juggler not in used and fits(len(images), (image_juggler, crossed)):
            yield from _extended((*images, (image_juggler, crossed)), jugglers, fits)


def match_paths(
    steps: Sequence[Sequence[PathStep]],
    image_steps: Sequence[Sequence[PathStep]],
    paths: PathPermutation,
) -> PathPermutation | None:
    """Match the paths of a pattern with those of its image under a symmetry, by equal steps.

    A step of a path is a throw, catch or hold of its prop at an event. Steps must be equal in this
    and all later loops. Among paths with equal steps, the first of the pattern is mapped to the
    first of the image, and so on. Successive paths of a prop are mapped to successive paths.

    Args:
        steps: for each path its steps in a loop.
        image_steps: for each path its steps in the image of that loop.
        paths: for each path the one on which its prop is a loop later.

    Returns:
        For each path its image; None if there is no such permutation.
    """
    path_classes, image_classes = _path_classes(steps, image_steps, inverse(paths))
    return _paired(path_classes, image_classes, Powers(paths))


def _path_classes(
    steps: Sequence[Sequence[PathStep]],
    image_steps: Sequence[Sequence[PathStep]],
    paths_a_loop_before: PathPermutation,
) -> tuple[list[int], list[int]]:
    """Classify paths by their steps in all loops, by partition refinement.

    Initially a class has the paths with the same steps in this loop. Classes are then split by the
    classes of the paths a loop before, until they are stable.

    Args:
        steps: for each path its steps in a loop.
        image_steps: for each path its steps in the image of that loop.
        paths_a_loop_before: for each path the one on which its prop was a loop before.

    Returns:
        A class number for each path, and one for each path of the image; equal numbers mean equal
        steps.
    """

    def with_class_before(classes: list[int]) -> list[tuple[int, int]]:
        """Return the class of each path, and that of the path of its prop a loop before."""
        return [
            (class_number, classes[paths_a_loop_before[path]])
            for path, class_number in enumerate(classes)
        ]

    # The initial partition, by the steps in this loop, with common numbers for both sets of paths.
    class_of_steps: dict[object, int] = {}
    path_classes = _class_numbers(map(frozenset, steps), class_of_steps)
    image_classes = _class_numbers(map(frozenset, image_steps), class_of_steps)
    class_count = 0
    # Split classes by the class of the path a loop before, until their number is stable.
    while len(set(path_classes)) > class_count:
        class_count = len(set(path_classes))
        class_of_pair: dict[object, int] = {}
        path_classes = _class_numbers(with_class_before(path_classes), class_of_pair)
        image_classes = _class_numbers(with_class_before(image_classes), class_of_pair)
    return path_classes, image_classes


def _class_numbers(keys: Iterable[object], class_of_key: dict[object, int]) -> list[int]:
    """Return the class number of each key; one that is not in `class_of_key` is added to it."""
    return [class_of_key.setdefault(key, len(class_of_key)) for key in keys]


def _paired(
    path_classes: list[int], image_classes: list[int], powers: Powers
) -> PathPermutation | None:
    """Assign to each path the first path of the image that is in its class and not yet assigned.

    Each path is on a cycle of the permutation from loop to loop. The cycles of a path and of its
    partner must be equally long, and are assigned to each other as a whole.

    Args:
        path_classes: class number of each path.
        image_classes: class number of each path of the image.
        powers: the permutation of paths from loop to loop, with its powers.

    Returns:
        For each path its partner in the image; None if any path has none.
    """
    images_of_class: dict[int, list[int]] = {}
    for path, class_index in enumerate(image_classes):
        images_of_class.setdefault(class_index, []).append(path)
    partners: dict[int, int] = {}
    assigned_images: set[int] = set()
    for path, class_index in enumerate(path_classes):
        if path in partners:
            continue
        # A cycle can only go to a cycle of the same length.
        cycle = powers.cycle(path)
        length = len(cycle)
        free_paths = (
            partner
            for partner in images_of_class.get(class_index, [])
            if partner not in assigned_images and len(powers.cycle(partner)) == length
        )
        partner = next(free_paths, None)
        if partner is None:
            return None
        # Assign the whole cycles, loop by loop.
        for loops in range(length):
            partners[powers.image(path, loops)] = powers.image(partner, loops)
            assigned_images.add(powers.image(partner, loops))
    return tuple(partners[path] for path in range(len(path_classes)))
