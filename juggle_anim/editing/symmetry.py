"""Events that do the same: at another time, in the other hand or by another juggler, or in another
choreography.

What an edit may ask for: which events, times and places, so that hands and props can follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    HOLD,
    Choreography,
    Score,
    repeat_to_full_loop,
    solve_bounce,
    to_body_frame,
)
from juggle_anim.errors import EditError
from juggle_anim.language import _

SAME_TIME = 5e-6
"""Throws and catches of two choreographies that differ by less are at one time, [s]."""

# Events of one loop whose times, [s], and places, [m], differ by less do the same.
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
        """Return the images of hands, each 2 · juggler + side, in an array of any shape."""
        image: Integers = 2 * ((hand // 2 + self.juggler_shift) % jugglers) + (
            hand % 2 ^ self.swaps_sides
        )
        return image


def outward_places(choreography: Choreography) -> Floats:
    """Return places of events from the middle between the hands, with outward in place of left.

    So mirror images, in hands of both sides, have the same place.

    Returns:
        Outward, up and forward, shape (E, 3) for E events, [m].
    """
    events = choreography.events
    offsets = events.position - to_body_frame([(0.0, 0.0, 0.0)] * len(events.hand), events.hand)
    offsets[:, 0] *= side_signs(events.hand)
    return offsets


def side_signs(hand: Integers) -> Floats:
    """Return 1 for left hands, whose outward is to the left, and −1 for right ones.

    Args:
        hand: 2 · juggler + side, of any shape, which is that of the result.
    """
    return np.where(hand % 2 == 0, 1.0, -1.0)


def symmetries(
    choreography: Choreography,
    places: Floats | None,
    mirror_only: bool = False,
    step: float | None = None,
) -> Iterator[tuple[Symmetry, Integers]]:
    """Yield each symmetry of a loop but the identity, and the image of each event, shape (E,).

    A symmetry maps each event of the loop to one that does the same later, perhaps by another
    juggler or hand. The image is given as a row of the table of events.

    They come in order of their delays, then of their shifts of jugglers.

    Args:
        choreography: E events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        places: places of events as seen from the middle between the hands, from
            `outward_places`: outward, up and forward, shape (E, 3), [m]; None where places may
            differ.
        mirror_only: whether to yield only the symmetry by which each juggler does in the second
            half of the loop what the other hand did in the first.
        step: yield only symmetries whose delay is a multiple of this, [s]; None for any delay.
    """
    events = choreography.events
    loop = choreography.duration
    jugglers = choreography.jugglers
    if not len(events.time):
        return
    # A symmetry takes the first event to some event of its kind, so each of these makes a
    # candidate: the delay, the shift of jugglers and whether sides are exchanged, as hands are
    # 2 · juggler + side. Delays are rounded, so that each comes once.
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
        # The delay may be off a multiple of the step by `_SAME_TIME`, [s].
        is_on_step = not step or abs(delay / step - round(delay / step)) < _SAME_TIME / step
        if is_identity or not is_on_step or (mirror_only and not mirrors_half):
            continue
        symmetry = Symmetry(delay, juggler_shift, swaps_sides)
        image = _images_of_events(choreography, places, symmetry)
        if image is not None:
            yield symmetry, image


def _images_of_events(
    choreography: Choreography, outward: Floats | None, symmetry: Symmetry
) -> Integers | None:
    """Find the event to which a symmetry maps each event, shape (E,); None if it is no symmetry.

    A candidate is a symmetry of the loop if

    - each event, delayed, is at the time of an event of the mapped hand and the same kind;
    - both are at the same place, where `outward` is given;
    - images of flights are flights of the same duration.

    Args:
        choreography: E events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        outward: places of events as seen from the middle between the hands: outward, up and
            forward, shape (E, 3), [m]; None where places may differ.
        symmetry: the candidate: a delay, [s], and a map of hands to hands.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration

    def in_units(time: Floats) -> Integers:
        """Return times in the loop as whole multiples of `_SAME_TIME`, which sort exactly.

        Half a unit is added first, so that rounding cannot put equal times at both ends of the
        loop.
        """
        units: Integers = np.round((time + _SAME_TIME / 2) % loop / _SAME_TIME).astype(np.int64)
        return units

    # Delayed events and events as they are, both sorted by time, hand and kind, have to be the
    # same in pairs. Rounded times may differ by a unit.
    delayed_time = in_units(events.time + symmetry.delay)
    delayed_hand = symmetry.hand(events.hand, choreography.jugglers)
    time = in_units(events.time)
    delayed_rows = np.lexsort((events.kind, delayed_hand, delayed_time))
    rows = np.lexsort((events.kind, events.hand, time))
    is_same = np.abs(delayed_time[delayed_rows] - time[rows]) <= 1
    is_same &= delayed_hand[delayed_rows] == events.hand[rows]
    is_same &= events.kind[delayed_rows] == events.kind[rows]
    if outward is not None:
        is_same &= np.abs(outward[delayed_rows] - outward[rows]).max(axis=1) < _SAME_PLACE
    if not is_same.all():
        return None
    image = np.empty(len(rows), dtype=np.intp)
    image[delayed_rows] = rows

    # The images of flights (pairs of a throw and a catch) have to be flights of the same duration.
    milliseconds = np.round(flights.duration * 1e3).astype(np.int64).tolist()
    own_flights = sorted(
        zip(flights.throw.tolist(), flights.catch.tolist(), milliseconds, strict=True)
    )
    image_flights = sorted(
        zip(image[flights.throw].tolist(), image[flights.catch].tolist(), milliseconds, strict=True)
    )
    return image if own_flights == image_flights else None


def written_symmetries(choreography: Choreography, delay: float | None) -> list[Symmetry]:
    """Return the symmetries of throws and catches in time, wherever in space they are made.

    A symmetry maps each event to one that does the same later, perhaps by another juggler or hand.

    Args:
        choreography: the events.
        delay: the time after which the pattern repeats as it is written, [s]: only symmetries with
            multiples of it are returned. None for all symmetries.
    """
    # Kinds below `HOLD` are throws and catches.
    without_points = with_kept_events(choreography, choreography.events.kind < HOLD)
    return [symmetry for symmetry, _ in symmetries(without_points, None, step=delay)]


def _image_of(
    choreography: Choreography, outward: Floats, event: int, symmetry: Symmetry
) -> int | None:
    """Return the row of the event to which a symmetry maps another one; None if there is none.

    Args:
        choreography: E events, flights and orbits of props.
        outward: places of events from the middle between the hands: outward, up and forward, shape
            (E, 3), [m]. An event and its mirror image have the same place.
        event: row of the event.
        symmetry: a delay, [s], and a map of hands to hands.
    """
    events = choreography.events
    loop = choreography.duration
    # How much later each event is than the image has to be, [s].
    gaps = time_apart(events.time, events.time[event] + symmetry.delay, loop)
    # The time of each event has an error of up to `_SAME_TIME`, [s], their difference twice that.
    is_same = (np.abs(gaps) < 2 * _SAME_TIME) & (events.kind == events.kind[event])
    is_same &= events.hand == symmetry.hand(events.hand[event : event + 1], choreography.jugglers)
    is_same &= np.abs(outward - outward[event]).max(axis=1) < _SAME_PLACE
    rows = np.flatnonzero(is_same)
    return int(rows[0]) if len(rows) else None


def repeat_time(base: Score | None, choreography: Choreography) -> float | None:
    """Return the time after which a pattern repeats as it is written, [s].

    Args:
        base: the score from which the events were made.
        choreography: the events, over the full loop of the pattern.

    Returns:
        None for events that were not made from a pattern.
    """
    if base is None or base.pattern is None:
        return None
    full = repeat_to_full_loop(base.pattern, base.staging)
    return choreography.duration * base.pattern.written_period / full.period


def images_of_event(
    choreography: Choreography, event: int, symmetries: Iterable[Symmetry]
) -> list[int]:
    """Return the rows of an event and of its images under symmetries.

    Symmetries are those of times. An image counts only if its place is the same, or mirrored too.

    Args:
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        event: number of the event.
        symmetries: the symmetries of the throws and catches.
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
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
        hand: 2 · juggler + side.
        time: [s].
        candidates: the symmetries.
    """
    events = choreography.events
    outward = outward_places(choreography)
    # Kinds below `HOLD` are throws and catches.
    rows = np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
    # The last event before the time, and the first one after it, which in the loop is also the one
    # that was longest ago.
    time_since_event = (time - events.time[rows]) % choreography.duration
    neighbours = set[int]()
    if len(rows):
        neighbours = {int(rows[time_since_event.argmin()]), int(rows[time_since_event.argmax()])}
    return [
        symmetry
        for symmetry in candidates
        if all(
            _image_of(choreography, outward, event, symmetry) is not None for event in neighbours
        )
    ]


def matching_events(wanted: Choreography, actual: Choreography) -> Integers | None:
    """Match the throws and catches of two choreographies of the same pattern.

    The events of each hand are matched in order of time. As an event may have moved over the end of
    the loop, the order may be shifted by one, to the least total difference in time.

    Args:
        wanted: the choreography in which counterparts are found.
        actual: the choreography with E events to match.

    Returns:
        For each event of `actual` the row of its counterpart in `wanted`, shape (E,); −1 for points
        that hands pass. None if a hand does not make the same throws and catches.
    """
    match = np.full(len(actual.events.time), -1, dtype=np.intp)
    all_wanted = _rows_by_hand(wanted)
    all_actual = _rows_by_hand(actual)
    # The usual, fast case: all events are in the same order.
    if _in_same_order(wanted, all_wanted, actual, all_actual):
        match[all_actual] = all_wanted
        return match

    # Else each hand by itself; its rows are in order of time.
    for hand in range(2 * actual.jugglers):
        wanted_rows = all_wanted[wanted.events.hand[all_wanted] == hand]
        actual_rows = all_actual[actual.events.hand[all_actual] == hand]
        if len(wanted_rows) != len(actual_rows):
            return None
        if not len(wanted_rows):
            continue
        least_difference = math.inf  # s, total of all events
        for shift in (-1, 0, 1):
            shifted = np.roll(wanted_rows, shift)
            if (wanted.events.kind[shifted] != actual.events.kind[actual_rows]).any():
                continue
            delays = time_apart(
                wanted.events.time[shifted], actual.events.time[actual_rows], wanted.duration
            )
            difference = float(np.abs(delays).sum())
            # Of equal differences the first one counts, whatever the rounding.
            if difference < least_difference - SAME_TIME:
                least_difference = difference
                match[actual_rows] = shifted
        if least_difference == math.inf:
            return None
    return match


def _rows_by_hand(choreography: Choreography) -> Integers:
    """Return rows of the throws and catches, sorted by hand and then by time."""
    events = choreography.events
    rows = np.flatnonzero(events.kind < HOLD)
    return rows[np.lexsort((events.time[rows], events.hand[rows]))]


def _in_same_order(
    one: Choreography, rows: Integers, other: Choreography, other_rows: Integers
) -> bool:
    """Return whether throws and catches of two choreographies match in pairs, in the order given.

    They match if hands and kinds are the same, and if the times of the events of each hand differ
    by less than half a loop in total.

    Args:
        one, other: choreographies in loops of equal duration; hands are 2 · juggler + side.
        rows, other_rows: rows of their throws and catches, sorted by hand and then by time.
    """
    if len(rows) != len(other_rows):
        return False
    events = one.events
    other_events = other.events
    hands = events.hand[rows]
    if (hands != other_events.hand[other_rows]).any():
        return False
    if (events.kind[rows] != other_events.kind[other_rows]).any():
        return False
    # How far the times of each pair are apart, [s], by the shorter way around the loop, and their
    # sum for each hand. If the events of a hand were paired with their neighbours, the gaps between
    # them would add up to about a loop.
    gaps = np.abs(time_apart(events.time[rows], other_events.time[other_rows], one.duration))
    total_gaps = np.bincount(hands, weights=gaps)
    return bool((total_gaps < one.duration / 2).all())


def time_apart(one: Floats, other: Floats, loop: float) -> Floats:
    """Return how much later times are than others, by the shorter way around the loop, [s].

    Args:
        one, other: times, [s]; shapes that broadcast, which give the shape of the result.
        loop: duration of the loop, [s].

    Returns:
        From −loop / 2 up to loop / 2; below 0 where `one` is earlier.
    """
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


def mirrored_places(
    choreography: Choreography, event: int, moved: Sequence[int], place: Floats
) -> Floats:
    """Return the places of all E events, with some of them moved to a given place.

    For hands of the other side the place is mirrored: left becomes right.

    Args:
        choreography: E events; hands are 2 · juggler + side.
        event: row of the event for whose hand the place is given.
        moved: rows of the events that are moved.
        place: to the left, up and forward of the body, shape (3,), [m].

    Returns:
        Shape (E, 3), [m].
    """
    hand = choreography.events.hand
    places = choreography.events.position.copy()
    places[moved] = place
    places[moved, 0] *= side_signs(hand[list(moved)]) * side_signs(hand[event : event + 1])
    return places


def with_kept_events(choreography: Choreography, is_kept: Booleans) -> Choreography:
    """Return the choreography with some of its events, and its flights with their new numbers.

    Args:
        choreography: E events, flights and orbits of props.
        is_kept: whether each event is kept, shape (E,). Only points that hands pass may be left
            out, on which no flight begins or ends; this is not checked.
    """
    flights = choreography.flights
    # The new number of an event is how many are kept before it.
    new_number = np.cumsum(is_kept) - 1
    return replace(
        choreography,
        events=choreography.events.taken(is_kept),
        flights=replace(flights, throw=new_number[flights.throw], catch=new_number[flights.catch]),
    )


THROW_APART = 0.0301
POINT_APART = 0.01
"""Least time between a throw or catch and another of that hand, and from a point to any event, [s].

Those of Juggling Lab are 0.03 and 0.01. A little more keeps hands from swinging otherwise where a
file rounds times.
"""

MAX_FAR = 10.0
"""Greatest distance of a place from its body in each direction, [m]."""

# Greatest height over or below its hand at which a prop may leave it or land in it, [m].
_GRIP_RANGE = 0.08

MIN_FLIGHT = 0.05
"""Shortest flight by hand, [s]."""


class TimeLimits(NamedTuple):
    """The times at which an event may be.

    Attributes:
        earliest, latest: [s]; they may be outside the loop, as times are taken modulo the loop
            later.
        taken: spans of time (start, end) between these at which it may not be, since other events
            of the hand are near, [s].
    """

    earliest: float
    latest: float
    taken: tuple[tuple[float, float], ...] = ()

    def nearest(self, time: float) -> float:
        """Return the allowed time that is nearest to some time, [s].

        Both ends of the limits and of the spans that are taken are allowed. Spans may overlap, but
        must leave at least one time between the limits.
        """
        within_limits = min(max(time, self.earliest), self.latest)
        # The spans between those that are taken; `free_from` is where the last of these ends.
        free_spans = []
        free_from = self.earliest
        for start, end in sorted(self.taken):
            if start >= free_from:
                free_spans.append((free_from, start))
            free_from = max(free_from, end)
        if free_from <= self.latest:
            free_spans.append((free_from, self.latest))
        nearest_in_spans = (min(max(within_limits, start), end) for start, end in free_spans)
        return min(nearest_in_spans, key=lambda allowed: abs(allowed - within_limits))


def delay_limits(choreography: Choreography, moved: Sequence[int]) -> TimeLimits:
    """Return the limits of a common delay of some events, [s]; see `events.time_limits`.

    Negative delays move events earlier. A delay of 0 s is always allowed, and none beyond half a
    loop in either direction.

    Args:
        choreography: timed events (throws, catches, points that hands pass), flights and orbits of
            props.
        moved: rows of the events that move.
    """
    events = choreography.events
    loop = choreography.duration
    is_moved = np.zeros(len(events.time), dtype=bool)
    is_moved[moved] = True
    # Intervals (least and greatest delay, [s]) that must all contain the delay.
    bounds = [(-loop / 2, loop / 2), *_path_bounds(choreography, is_moved)]
    # Intervals that must not contain it, as moved events would be too near others of their hand.
    taken: list[tuple[float, float]] = []
    for event in moved:
        is_other = (events.hand == events.hand[event]) & ~is_moved
        gaps = events.time[is_other] - events.time[event]
        are_both_throws_or_catches = (events.kind[is_other] < HOLD) & (events.kind[event] < HOLD)
        if events.kind[event] >= HOLD:
            # A point stays between the throws and catches beside it; one that is too near already
            # may stay where it is.
            for gap in (gaps[events.kind[is_other] < HOLD] % loop).tolist():
                bounds.append((-loop, max(0.0, gap - POINT_APART)))
                bounds.append((min(0.0, gap - loop + POINT_APART), loop))
        # `THROW_APART` and `POINT_APART` are the least times from an event to the next one of its
        # hand, [s].
        least_gaps = np.where(are_both_throws_or_catches, THROW_APART, POINT_APART)
        for gap, least_gap in zip(gaps.tolist(), least_gaps.tolist(), strict=True):
            # The other event recurs a loop earlier and later. Events that are nearer than the least
            # gap already may keep their distance, but not come nearer.
            for recurring_gap in (gap - loop, gap, gap + loop):
                kept_gap = min(least_gap, abs(recurring_gap))
                taken.append((recurring_gap - kept_gap, recurring_gap + kept_gap))
    earliest = max(low for low, _ in bounds)
    latest = min(high for _, high in bounds)
    # Drop spans that are empty or outside the bounds.
    spans = sorted(
        (start, end) for start, end in taken if start < latest and end > earliest and end > start
    )
    return TimeLimits(
        earliest=min(0.0, earliest), latest=max(0.0, latest), taken=tuple(_merged(spans))
    )


def _path_bounds(choreography: Choreography, is_moved: Booleans) -> list[tuple[float, float]]:
    """Return limits of the delay of moved events that keep the order of the events of each prop.

    A flight lasts at least `MIN_FLIGHT`, and a carry (the time from a catch to the next throw of
    the prop) at least `THROW_APART`, or as long as now if that is shorter. Only flights and carries
    with one moved and one fixed end are limited, as others keep their duration.

    Args:
        choreography: E events, flights and orbits of props.
        is_moved: whether each event moves, shape (E,).

    Returns:
        Pairs of the least and the greatest delay, [s]; −loop or loop where there is no limit.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    following = choreography.flight_links.next_flight
    bounds = list[tuple[float, float]]()
    next_throws = flights.throw[following]
    for flight, (throw, catch, next_throw) in enumerate(
        zip(flights.throw.tolist(), flights.catch.tolist(), next_throws.tolist(), strict=True)
    ):
        duration = float(flights.duration[flight])
        carry = float(flights.carry[flight])
        # A flight with one moved end may get shorter: a later throw or an earlier catch.
        max_shortening = max(0.0, duration - MIN_FLIGHT)
        if is_moved[throw] != is_moved[catch]:
            bounds.append((-loop, max_shortening) if is_moved[throw] else (-max_shortening, loop))
        # The carry after it, likewise; a moved end must not pass a fixed point of the hand.
        if is_moved[catch] != is_moved[next_throw]:
            points = np.flatnonzero(
                (events.hand == events.hand[catch]) & (events.kind == HOLD) & ~is_moved
            )
            times_since_catch = (events.time[points] - events.time[catch]) % loop
            times_since_catch = times_since_catch[times_since_catch < carry]
            # The time from the moved end to each point, [s]. A carry longer than the loop passes a
            # point several times: a later catch comes to the first pass, an earlier throw to the
            # last one.
            times_to_points = times_since_catch
            if not is_moved[catch]:
                last_pass = times_since_catch + np.floor((carry - times_since_catch) / loop) * loop
                times_to_points = carry - last_pass
            # `POINT_APART` is the least time from a point to any other event of its hand, [s].
            max_shortening = max(0.0, min([carry - THROW_APART, *(times_to_points - POINT_APART)]))
            bounds.append((-loop, max_shortening) if is_moved[catch] else (-max_shortening, loop))
    return bounds


def _merged(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join sorted open intervals that overlap; those that only touch stay apart."""
    merged: list[tuple[float, float]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = last_start, max(end, last_end)
        else:
            merged.append((start, end))
    return merged


def event_at(choreography: Choreography, hand: int, time: float) -> int:
    """Return the row of the event of a hand that is nearest to a time, around the loop.

    This finds an event again after a change that may have given it another number.

    Args:
        choreography: its events are throws, catches and points that hands pass.
        hand: 2 · juggler + side.
        time: time in any loop, [s].

    Raises:
        EditError: the hand has no event.
    """
    events = choreography.events
    rows = np.flatnonzero(events.hand == hand)
    if not len(rows):
        raise EditError(_("hand {hand} has no events", hand=hand))
    gaps = np.abs(time_apart(events.time[rows], np.array(time), choreography.duration))
    return int(rows[gaps.argmin()])


def check_event(choreography: Choreography, event: int) -> None:
    """Refuse a number that no event has.

    Raises:
        EditError: there is no such event.
    """
    count = len(choreography.events.time)
    if not 0 <= event < count:
        raise EditError(
            _(
                "there is no event {event}; the loop has {count}, counted from 0",
                event=event,
                count=count,
            )
        )


def check_seconds(number: float) -> None:
    """Refuse what is no number of seconds.

    Raises:
        EditError: the number is infinite or NaN.
    """
    if not math.isfinite(number):
        raise EditError(_("{number} is not a time; give it in seconds", number=number))


def checked_place(place: Sequence[float] | Floats, farthest: float = MAX_FAR) -> Floats:
    """Return a place as an array, after a check.

    Args:
        place: three numbers, [m].
        farthest: how far away it may be in each direction, [m].

    Returns:
        Shape (3,), [m].

    Raises:
        EditError: the place is not three numbers, or too far away.
    """
    position = np.array(place, dtype=float)
    if position.shape != (3,) or not np.isfinite(position).all():
        raise EditError(_("give a position as three numbers: left, up and forward, in metres"))
    if np.abs(position).max() > farthest:
        raise EditError(
            _(
                "a position can be at most {farthest:g} m away; this is {max:.4g} m",
                farthest=farthest,
                max=np.abs(position).max(),
            )
        )
    return position


def check_bounces(before: Choreography, after: Choreography) -> None:
    """Refuse an edit after which a prop can no longer bounce as often as its flight says.

    A prop needs time for its bounces. If a flight had too little of it before the edit already, the
    prop must only be able to bounce as often as before.

    Args:
        before, after: the events before and after the edit; flights keep their numbers.

    Raises:
        EditError: a prop cannot bounce as often.
    """
    for flight, style in enumerate(after.flights.style):
        if style.bounces and _possible_bounces(after, flight) < min(
            style.bounces, _possible_bounces(before, flight)
        ):
            duration = float(after.flights.duration[flight])
            raise EditError(
                _(
                    "a prop cannot bounce {bounces} × in {duration:.2f} s between hands at these "
                    "heights; "
                    "leave it more time",
                    bounces=style.bounces,
                    duration=duration,
                )
            )


def _possible_bounces(choreography: Choreography, flight: int) -> int:
    """Return how often a prop can bounce in the time of its flight, at most as its style says.

    Where exactly a prop leaves the hand and lands depends on its grip: at most `_GRIP_RANGE` below
    or above the hand. The bounce is solved for both, and the lower number is returned; 0 if one of
    them has no solution.

    Args:
        choreography: the choreography with the flight.
        flight: row of the flight; it must have a style.
    """
    events = choreography.events
    bodies = choreography.bodies
    style = choreography.flights.style[flight]

    def height_of(event: int) -> float:
        """Return the height of a hand over the floor, with the mean height of its body, [m]."""
        feet = bodies.position[bodies.juggler == events.hand[event] // 2, 1].mean()
        return float(events.position[event, 1] + feet)

    throw_height = height_of(int(choreography.flights.throw[flight]))
    catch_height = height_of(int(choreography.flights.catch[flight]))
    # Values of the flight's own style, if it has any, take precedence over the choreography's.
    gravity = choreography.gravity if style.gravity is None else style.gravity
    fraction = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounces = (
        solve_bounce(
            throw_height + offset, catch_height + offset, duration, gravity, fraction, style
        )
        for offset in (-_GRIP_RANGE, _GRIP_RANGE)
    )
    return min(len(bounce.hits) if bounce else 0 for bounce in bounces)
