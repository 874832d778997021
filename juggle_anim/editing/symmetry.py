"""Events that do the same: at another time, in the other hand or by another juggler, or in another
choreography.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, Events, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.choreography import HOLD
from juggle_anim.choreography.places import to_body_frame

SAME_TIME = 5e-6
"""Throws and catches of two choreographies that differ by less are at one time, [s]."""

# s, m; within a loop
_SAME_TIME_IN_LOOP = 1e-6
_SAME_PLACE_IN_LOOP = 1e-4


class Symmetry(NamedTuple):
    """What is done again some time later, by the juggler so many places on, with left and right
    exchanged or not.

    Attributes:
        delay: [s], below the duration of the loop.
        turn: by how many jugglers it goes on.
        swap: 1 if left and right are exchanged, 0 if not.
    """

    delay: float
    turn: int
    swap: int

    def hand(self, hand: Integers, jugglers: int) -> Integers:
        """The hands that do it again, of any shape."""
        found: Integers = 2 * ((hand // 2 + self.turn) % jugglers) + (hand % 2 ^ self.swap)
        return found


def outward_places(choreography: Choreography) -> Floats:
    """Places of events outward, up and forward of the middle between the hands, shape (E, 3),
    [m].
    """
    events = choreography.events
    seen = events.position - to_body_frame([(0.0, 0.0, 0.0)] * len(events.hand), events.hand)
    seen[:, 0] *= side_signs(events.hand)
    return seen


def side_signs(hand: Integers) -> Floats:
    """1 where outward is to the body's left, −1 where it is to the right, shape of `hand`."""
    return np.where(hand % 2 == 0, 1.0, -1.0)


def symmetries(
    choreography: Choreography,
    outward: Floats | None,
    mirror_only: bool = False,
    step: float | None = None,
) -> Iterator[tuple[Symmetry, Integers]]:
    """Yield each symmetry of a loop except the identity, with the image of each event.

    Args:
        choreography: events of the loop.
        outward: (E, 3), m, as from `outward_places`; None where places may differ.
        mirror_only: whether only the symmetry counts in which the second half of the loop mirrors
            the first.
        step: unit of which delays must be multiples, s; None for any delay.

    Yields:
        The symmetry, and (E,), row of the event that each event becomes; sorted by delay.
    """
    events = choreography.events
    loop = choreography.duration
    jugglers = choreography.jugglers
    if not len(events.time):
        return
    # A symmetry takes the first event to another one of its kind, which gives all candidates.
    code = (events.hand, events.kind)
    candidates = {
        (
            round(float(time - events.time[0]) % loop, 9),
            int(hand // 2 - events.hand[0] // 2) % jugglers,
            int(swap),
        )
        for time, hand, kind, swap in zip(
            events.time, *code, (events.hand ^ events.hand[0]) & 1, strict=True
        )
        if kind == events.kind[0]
    }
    for delay, turn, swap in sorted(candidates):
        is_identity = not (delay or turn or swap)
        is_mirror = abs(delay - loop / 2) < _SAME_TIME_IN_LOOP and swap and not turn
        is_multiple = (
            not step or abs(delay / step - round(delay / step)) < _SAME_TIME_IN_LOOP / step
        )
        if not is_identity and (is_mirror or not mirror_only) and is_multiple:
            symmetry = Symmetry(delay, turn, swap)
            image = _image_rows(choreography, outward, symmetry)
            if image is not None:
                yield symmetry, image


def _image_rows(
    choreography: Choreography, outward: Floats | None, symmetry: Symmetry
) -> Integers | None:
    """Return the row of the event that each event becomes; None where this is no symmetry.

    Args:
        choreography: E events and their flights.
        outward: (E, 3), m, places that must be the same; None where they may differ.
        symmetry: candidate that is tested.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    # Times in steps of the tolerance; half a step keeps rounding from dividing events at 0 between
    # the beginning and the end of the loop.
    image_steps = np.round(
        (events.time + symmetry.delay + _SAME_TIME_IN_LOOP / 2) % loop / _SAME_TIME_IN_LOOP
    ).astype(np.int64)
    steps = np.round((events.time + _SAME_TIME_IN_LOOP / 2) % loop / _SAME_TIME_IN_LOOP).astype(
        np.int64
    )

    # Images and events in the same order must agree one by one.
    image_hand = symmetry.hand(events.hand, choreography.jugglers)
    image_order = np.lexsort((events.kind, image_hand, image_steps))
    order = np.lexsort((events.kind, events.hand, steps))
    is_same = np.abs(image_steps[image_order] - steps[order]) <= 1
    is_same &= image_hand[image_order] == events.hand[order]
    is_same &= events.kind[image_order] == events.kind[order]
    if outward is not None:
        is_same &= np.abs(outward[image_order] - outward[order]).max(axis=1) < _SAME_PLACE_IN_LOOP
    if not is_same.all():
        return None
    image = np.empty(len(order), dtype=np.intp)
    image[image_order] = order

    # Flights must become flights of the same duration, too.
    ends = np.array([flights.throw, flights.catch])
    image_ends = np.array([image[flights.throw], image[flights.catch]])
    milliseconds = np.round(flights.duration * 1e3).astype(np.int64).tolist()
    flight_set, image_flight_set = (
        sorted(zip(*pair.tolist(), milliseconds, strict=True)) for pair in (ends, image_ends)
    )
    return image if flight_set == image_flight_set else None


def written_symmetries(choreography: Choreography, delay: float | None) -> list[Symmetry]:
    """Return the symmetries of throws and catches, wherever they are made.

    Args:
        choreography: the events.
        delay: the pattern is written to repeat after this time, [s]; None where nothing says so,
            and any symmetry counts.
    """
    return [symmetry for symmetry, _ in symmetries(_without_points(choreography), None, step=delay)]


def _image_of_event(
    choreography: Choreography, outward: Floats, event: int, symmetry: Symmetry
) -> int | None:
    """Return the event that an event becomes by a symmetry, at the same or the mirrored place.

    Args:
        choreography: E events.
        outward: (E, 3), m, as from `outward_places`.
        event: row of the event.
        symmetry: by which it is moved.

    Returns:
        Row of the image; None if no event is there.
    """
    events = choreography.events
    loop = choreography.duration
    apart = (events.time - events.time[event] - symmetry.delay + loop / 2) % loop - loop / 2
    is_image = (np.abs(apart) < 2 * _SAME_TIME_IN_LOOP) & (events.kind == events.kind[event])
    is_image &= events.hand == symmetry.hand(events.hand[event : event + 1], choreography.jugglers)
    is_image &= np.abs(outward - outward[event]).max(axis=1) < _SAME_PLACE_IN_LOOP
    rows = np.flatnonzero(is_image)
    return int(rows[0]) if len(rows) else None


def repeat_time(base: Score | None, choreography: Choreography) -> float | None:
    """Return the time after which a pattern is written to repeat, [s]; None for events without
    one.
    """
    if base is None or base.pattern is None:
        return None
    full = repeat_to_full_loop(base.pattern, base.staging)
    return choreography.duration * base.pattern.written_period / full.period


def images(choreography: Choreography, event: int, known: Iterable[Symmetry]) -> list[int]:
    """Return an event and its images by symmetries, at the same or mirrored places.

    Returns:
        Rows of events, the event itself first, none twice.
    """
    rows = [event]
    outward = outward_places(choreography)
    for symmetry in known:
        image = _image_of_event(choreography, outward, event, symmetry)
        rows += [image] if image is not None and image not in rows else []
    return rows


def symmetries_around(
    choreography: Choreography, hand: int, time: float, known: Iterable[Symmetry]
) -> list[Symmetry]:
    """Return the symmetries that hold for a hand's throws or catches just before and after a time.

    Args:
        choreography: the events.
        hand: 2 · juggler + side (0 left, 1 right).
        time: s.
        known: symmetries to choose from.
    """
    events = choreography.events
    outward = outward_places(choreography)
    rows = np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
    # The event before is the shortest time ago; the event after, a loop earlier, the longest.
    since = (time - events.time[rows]) % choreography.duration
    beside = {int(rows[since.argmin()]), int(rows[since.argmax()])} if len(rows) else set[int]()
    return [
        symmetry
        for symmetry in known
        if all(
            _image_of_event(choreography, outward, event, symmetry) is not None for event in beside
        )
    ]


def matching_events(one: Choreography, other: Choreography) -> Integers | None:
    """Match the throws and catches of two choreographies, hand by hand in the order of time.

    The first of a hand may match the first, the next or the last one, since events may have crossed
    the end of the loop; the shift with the least sum of times apart is taken.

    Returns:
        (E,), for each event of `other` its row in `one.events`, −1 for points that are passed; None
        where hands throw and catch otherwise.
    """
    match = np.full(len(other.events.time), -1, dtype=np.intp)
    one_rows, other_rows = (_rows_by_hand_and_time(choreography) for choreography in (one, other))
    if _match_from_first_on(one, one_rows, other, other_rows):
        match[other_rows] = one_rows
        return match
    for hand in range(2 * other.jugglers):
        one_rows, other_rows = (
            np.flatnonzero((choreography.events.hand == hand) & (choreography.events.kind < HOLD))
            for choreography in (one, other)
        )
        if len(one_rows) != len(other_rows):
            return None
        one_rows = one_rows[np.argsort(one.events.time[one_rows])]
        other_rows = other_rows[np.argsort(other.events.time[other_rows])]
        least_apart = math.inf
        for shift in range(-1, 2) if len(one_rows) else ():
            shifted = np.roll(one_rows, shift)
            if (one.events.kind[shifted] != other.events.kind[other_rows]).any():
                continue
            apart = float(
                np.abs(
                    time_apart(
                        one.events.time[shifted], other.events.time[other_rows], one.duration
                    )
                ).sum()
            )
            # A shift that is better only by rounding does not count.
            if apart < least_apart - SAME_TIME:
                least_apart, match[other_rows] = apart, shifted
        if len(one_rows) and least_apart == math.inf:
            return None
    return match


def _rows_by_hand_and_time(choreography: Choreography) -> Integers:
    """Throws and catches, those of one hand after the other."""
    events = choreography.events
    rows = np.flatnonzero(events.kind < HOLD)
    return rows[np.lexsort((events.time[rows], events.hand[rows]))]


def _match_from_first_on(
    one: Choreography, one_rows: Integers, other: Choreography, other_rows: Integers
) -> bool:
    """Return whether two choreographies match from the first event of each hand on.

    This is the common case, which is tested for all hands at once.

    Args:
        one, other: choreographies with loops of the same length.
        one_rows, other_rows: rows of their throws and catches, sorted by hand and time.
    """
    one_events = one.events
    other_events = other.events
    if len(one_rows) != len(other_rows):
        return False
    if (one_events.hand[one_rows] != other_events.hand[other_rows]).any():
        return False
    if (one_events.kind[one_rows] != other_events.kind[other_rows]).any():
        return False
    # If they matched from the next one on, their times apart would add up to a loop for a hand.
    apart = np.abs(
        time_apart(one_events.time[one_rows], other_events.time[other_rows], one.duration)
    )
    return bool((np.bincount(one_events.hand[one_rows], apart) < one.duration / 2).all())


def time_apart(one: Floats, other: Floats, loop: float) -> Floats:
    """How much later the one is than the other, the shorter direction around the loop, [s]."""
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


def mirrored_places(
    choreography: Choreography, event: int, moved: Sequence[int], place: Floats
) -> Floats:
    """Return the places of all events, after an event and those that follow it have moved.

    Events of hands on the other side come to the mirrored place.

    Args:
        choreography: E events.
        event: row of the event that is at the place.
        moved: rows of the events that follow it.
        place: (3,), m: left, up and forward of the body.

    Returns:
        (E, 3), m.
    """
    hand = choreography.events.hand
    places = choreography.events.position.copy()
    places[moved] = place
    places[moved, 0] *= side_signs(hand[list(moved)]) * side_signs(hand[event : event + 1])
    return places


def _without_points(choreography: Choreography) -> Choreography:
    """Return a choreography of the throws and catches alone, renumbered."""
    events = choreography.events
    flights = choreography.flights
    is_kept = events.kind < HOLD
    new_row = np.cumsum(is_kept) - 1
    return replace(
        choreography,
        events=Events(
            events.time[is_kept],
            events.hand[is_kept],
            events.kind[is_kept],
            events.position[is_kept],
        ),
        flights=replace(flights, throw=new_row[flights.throw], catch=new_row[flights.catch]),
    )
