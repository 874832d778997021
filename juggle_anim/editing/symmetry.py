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
_SAME_TIME = 1e-6
_SAME_PLACE = 1e-4


class Symmetry(NamedTuple):
    """A symmetry of a loop: every event happens again later, perhaps by another juggler or hand.

    Attributes:
        delay: how much later, [s]; below the duration of the loop.
        juggler_shift: juggler j does what juggler j − shift did, modulo the number of jugglers.
        swaps_sides: 1 if left and right are exchanged, 0 if not.
    """

    delay: float
    juggler_shift: int
    swaps_sides: int

    def hand(self, hand: Integers, jugglers: int) -> Integers:
        """The images of hands, each 2 · juggler + side, in an array of any shape."""
        image: Integers = 2 * ((hand // 2 + self.juggler_shift) % jugglers) + (
            hand % 2 ^ self.swaps_sides
        )
        return image


def outward_places(choreography: Choreography) -> Floats:
    """Places of events as seen from the middle between the hands, so that both sides compare.

    Returns:
        Outward, up and forward, shape (E, 3), [m].
    """
    events = choreography.events
    offsets = events.position - to_body_frame([(0.0, 0.0, 0.0)] * len(events.hand), events.hand)
    offsets[:, 0] *= side_signs(events.hand)
    return offsets


def side_signs(hand: Integers) -> Floats:
    """1 where outward is to the body's left, −1 where it is to the right, shape of `hand`."""
    return np.where(hand % 2 == 0, 1.0, -1.0)


def symmetries(
    choreography: Choreography,
    outward: Floats | None,
    mirror_only: bool = False,
    step: float | None = None,
) -> Iterator[tuple[Symmetry, Integers]]:
    """Yield each symmetry of a loop but the identity, and which event becomes which, shape (E,).

    They come in order of their delays, then of their shifts of jugglers.

    Args:
        choreography: the events.
        outward: as from `outward_places`; None where places may differ.
        mirror_only: whether only the one counts in which the second half of the loop mirrors the
            first.
        step: of which delays are multiples, [s]; None for any delay.
    """
    events = choreography.events
    loop = choreography.duration
    jugglers = choreography.jugglers
    if not len(events.time):
        return
    # A symmetry takes the first event to some event of its kind, so each of these makes a
    # candidate. Delays are rounded, so that each comes once.
    first_time = events.time[0]
    first_hand = events.hand[0]
    first_kind = events.kind[0]
    candidates = {
        (
            round(float(time - first_time) % loop, 9),
            int(hand // 2 - first_hand // 2) % jugglers,
            int((hand ^ first_hand) & 1),
        )
        for time, hand, kind in zip(events.time, events.hand, events.kind, strict=True)
        if kind == first_kind
    }
    for delay, juggler_shift, swaps_sides in sorted(candidates):
        is_identity = not (delay or juggler_shift or swaps_sides)
        is_half_loop = abs(delay - loop / 2) < _SAME_TIME
        mirrors_half = is_half_loop and swaps_sides and not juggler_shift
        is_on_step = not step or abs(delay / step - round(delay / step)) < _SAME_TIME / step
        if is_identity or not is_on_step or (mirror_only and not mirrors_half):
            continue
        symmetry = Symmetry(delay, juggler_shift, swaps_sides)
        image = _images_of_events(choreography, outward, symmetry)
        if image is not None:
            yield symmetry, image


def _images_of_events(
    choreography: Choreography, outward: Floats | None, symmetry: Symmetry
) -> Integers | None:
    """The event that each event becomes by a symmetry, shape (E,); None if it is no symmetry.

    It is one if delayed events meet events of the same hands and kinds, at the same places where
    `outward` is given, and if the images of flights are flights of the same duration.

    Args:
        choreography: the events and flights.
        outward: as from `outward_places`; None where places may differ.
        symmetry: a candidate.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration

    # Delayed events and events, both sorted by time, hand and kind, have to be the same. Times are
    # whole multiples of `_SAME_TIME`; half a unit is added first, so that rounding cannot put equal
    # times at both ends of the loop.
    delayed_time = np.round(
        (events.time + symmetry.delay + _SAME_TIME / 2) % loop / _SAME_TIME
    ).astype(np.int64)
    delayed_hand = symmetry.hand(events.hand, choreography.jugglers)
    time = np.round((events.time + _SAME_TIME / 2) % loop / _SAME_TIME).astype(np.int64)
    delayed_rows = np.lexsort((events.kind, delayed_hand, delayed_time))
    rows = np.lexsort((events.kind, events.hand, time))
    same = np.abs(delayed_time[delayed_rows] - time[rows]) <= 1
    same &= delayed_hand[delayed_rows] == events.hand[rows]
    same &= events.kind[delayed_rows] == events.kind[rows]
    if outward is not None:
        same &= np.abs(outward[delayed_rows] - outward[rows]).max(axis=1) < _SAME_PLACE
    if not same.all():
        return None
    image = np.empty(len(rows), dtype=np.intp)
    image[delayed_rows] = rows

    # The images of flights have to be flights of the same duration, too.
    milliseconds = np.round(flights.duration * 1e3).astype(np.int64).tolist()
    own_flights = sorted(
        zip(flights.throw.tolist(), flights.catch.tolist(), milliseconds, strict=True)
    )
    image_flights = sorted(
        zip(image[flights.throw].tolist(), image[flights.catch].tolist(), milliseconds, strict=True)
    )
    return image if own_flights == image_flights else None


def written_symmetries(choreography: Choreography, delay: float | None) -> list[Symmetry]:
    """Return the symmetries of throws and catches, wherever they are made.

    Args:
        choreography: the events.
        delay: the pattern is written to repeat after this time, [s]; None where nothing says so,
            and any symmetry counts.
    """
    return [symmetry for symmetry, _ in symmetries(_without_points(choreography), None, step=delay)]


def _image_of(
    choreography: Choreography, outward: Floats, event: int, symmetry: Symmetry
) -> int | None:
    """The event that one becomes by a symmetry, at the same or the mirrored place; None if there is
    none.

    Args:
        choreography: the events.
        outward: as from `outward_places`.
        event: number of the event.
        symmetry: of the throws and catches.
    """
    events = choreography.events
    loop = choreography.duration
    apart = (events.time - events.time[event] - symmetry.delay + loop / 2) % loop - loop / 2
    is_same = (np.abs(apart) < 2 * _SAME_TIME) & (events.kind == events.kind[event])
    is_same &= events.hand == symmetry.hand(events.hand[event : event + 1], choreography.jugglers)
    is_same &= np.abs(outward - outward[event]).max(axis=1) < _SAME_PLACE
    rows = np.flatnonzero(is_same)
    return int(rows[0]) if len(rows) else None


def repeat_time(base: Score | None, choreography: Choreography) -> float | None:
    """Return the time after which a pattern is written to repeat, [s]; None for events without
    one.
    """
    if base is None or base.pattern is None:
        return None
    full = repeat_to_full_loop(base.pattern, base.staging)
    return choreography.duration * base.pattern.written_period / full.period


def images_of_event(
    choreography: Choreography, event: int, symmetries: Iterable[Symmetry]
) -> list[int]:
    """Return an event and its images under symmetries, at the same or mirrored places.

    Args:
        choreography: the events.
        event: number of the event.
        symmetries: of the throws and catches.
    """
    rows = [event]
    outward = outward_places(choreography)
    for symmetry in symmetries:
        image = _image_of(choreography, outward, event, symmetry)
        if image is not None and image not in rows:
            rows.append(image)
    return rows


def symmetries_around(
    choreography: Choreography, hand: int, time: float, candidates: Iterable[Symmetry]
) -> list[Symmetry]:
    """Return those symmetries that map the events of a hand around a time to other events.

    These are its last throw or catch before the time and the first one after it; each must have an
    image at the same or the mirrored place.

    Args:
        choreography: the events.
        hand: 2 · juggler + side.
        time: [s].
        candidates: the symmetries.
    """
    events = choreography.events
    outward = outward_places(choreography)
    rows = np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
    # The last event before the time, and the first one after it, which in the loop is also the one
    # that was longest ago.
    since = (time - events.time[rows]) % choreography.duration
    beside = {int(rows[since.argmin()]), int(rows[since.argmax()])} if len(rows) else set[int]()
    return [
        symmetry
        for symmetry in candidates
        if all(_image_of(choreography, outward, event, symmetry) is not None for event in beside)
    ]


def matching_events(one: Choreography, other: Choreography) -> Integers | None:
    """Match the throws and catches of two choreographies of the same pattern.

    Those of each hand are matched in their order. As one may have moved over the end of the loop,
    the order may be shifted by one, whichever makes the times of the hand fit best.

    Args:
        one: the choreography whose events are found.
        other: the choreography for whose events they are found.

    Returns:
        For each event of `other` the row of its counterpart in `one`, shape (E,); −1 for points
        that hands pass. None if a hand does not make the same throws and catches.
    """
    match = np.full(len(other.events.time), -1, dtype=np.intp)
    # The usual, fast case: all events are in the same order.
    all_rows = _rows_by_hand(one)
    all_other_rows = _rows_by_hand(other)
    if _in_same_order(one, all_rows, other, all_other_rows):
        match[all_other_rows] = all_rows
        return match

    for hand in range(2 * other.jugglers):
        rows, other_rows = (
            np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
            for events in (one.events, other.events)
        )
        if len(rows) != len(other_rows):
            return None
        rows = rows[np.argsort(one.events.time[rows])]
        other_rows = other_rows[np.argsort(other.events.time[other_rows])]
        least_away = math.inf  # s, total of all events
        for shift in range(-1, 2) if len(rows) else ():
            shifted = np.roll(rows, shift)
            if (one.events.kind[shifted] != other.events.kind[other_rows]).any():
                continue
            away = float(
                np.abs(
                    time_apart(
                        one.events.time[shifted], other.events.time[other_rows], one.duration
                    )
                ).sum()
            )
            if away < least_away - SAME_TIME:
                least_away = away
                match[other_rows] = shifted
        if len(rows) and least_away == math.inf:
            return None
    return match


def _rows_by_hand(choreography: Choreography) -> Integers:
    """Rows of the throws and catches, sorted by hand and then by time."""
    events = choreography.events
    rows = np.flatnonzero(events.kind < HOLD)
    return rows[np.lexsort((events.time[rows], events.hand[rows]))]


def _in_same_order(
    one: Choreography, rows: Integers, other: Choreography, other_rows: Integers
) -> bool:
    """Whether throws and catches match pairwise when sorted by hand and time, as they mostly do.

    They match if hands and kinds are the same, and if the times of each hand differ by less than
    half a loop in total.

    Args:
        one, other: the choreographies.
        rows, other_rows: rows of their throws and catches, sorted by hand and time.
    """
    events = one.events
    other_events = other.events
    if len(rows) != len(other_rows) or (events.hand[rows] != other_events.hand[other_rows]).any():
        return False
    if (events.kind[rows] != other_events.kind[other_rows]).any():
        return False
    # Shifted by one event, the times of a hand would differ by a loop in total.
    away = np.abs(time_apart(events.time[rows], other_events.time[other_rows], one.duration))
    return bool((np.bincount(events.hand[rows], away) < one.duration / 2).all())


def time_apart(one: Floats, other: Floats, loop: float) -> Floats:
    """How much later times are than others, the shorter direction around the loop, [s]."""
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


def mirrored_places(
    choreography: Choreography, event: int, moved: Sequence[int], place: Floats
) -> Floats:
    """Return the places of all events, with some of them put at a given place.

    For events of hands of the other side the place is mirrored: left becomes right.

    Args:
        choreography: the events.
        event: for whose hand the place is given.
        moved: numbers of the events that are put there.
        place: shape (3,), m, in the frame of the body.

    Returns:
        Shape (E, 3), [m].
    """
    hand = choreography.events.hand
    places = choreography.events.position.copy()
    places[moved] = place
    places[moved, 0] *= side_signs(hand[list(moved)]) * side_signs(hand[event : event + 1])
    return places


def _without_points(choreography: Choreography) -> Choreography:
    """The choreography with its throws and catches alone, as usual ones; they are numbered anew."""
    events = choreography.events
    flights = choreography.flights
    stays = events.kind < HOLD
    # The number of an event that stays is how many stay before it.
    new_number = np.cumsum(stays) - 1
    return replace(
        choreography,
        events=Events(
            events.time[stays], events.hand[stays], events.kind[stays], events.position[stays]
        ),
        flights=replace(flights, throw=new_number[flights.throw], catch=new_number[flights.catch]),
    )
