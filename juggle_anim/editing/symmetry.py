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
    """Yield each symmetry of a loop, and which event becomes which, shape (E,).

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
        half = abs(delay - loop / 2) < _SAME_TIME and swap and not turn
        whole = not step or abs(delay / step - round(delay / step)) < _SAME_TIME / step
        if (delay or turn or swap) and (half or not mirror_only) and whole:
            symmetry = Symmetry(delay, turn, swap)
            image = _image(choreography, outward, symmetry)
            if image is not None:
                yield symmetry, image


def _image(
    choreography: Choreography, outward: Floats | None, symmetry: Symmetry
) -> Integers | None:
    """Which event each becomes, or None where this is no symmetry."""
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    # Far from where the loop ends, so that rounding cannot tear a moment apart.
    when = np.round((events.time + symmetry.delay + _SAME_TIME / 2) % loop / _SAME_TIME).astype(
        np.int64
    )
    hand = symmetry.hand(events.hand, choreography.jugglers)
    now = np.round((events.time + _SAME_TIME / 2) % loop / _SAME_TIME).astype(np.int64)
    there = np.lexsort((events.kind, hand, when))
    here = np.lexsort((events.kind, events.hand, now))
    same = (np.abs(when[there] - now[here]) <= 1) & (hand[there] == events.hand[here])
    same &= events.kind[there] == events.kind[here]
    if outward is not None:
        same &= np.abs(outward[there] - outward[here]).max(axis=1) < _SAME_PLACE
    if not same.all():
        return None
    image = np.empty(len(here), dtype=np.intp)
    image[there] = here
    ends = [(flights.throw, flights.catch), (image[flights.throw], image[flights.catch])]
    milliseconds = np.round(flights.duration * 1e3).astype(np.int64).tolist()
    some, others = (
        sorted(zip(*each.tolist(), milliseconds, strict=True)) for each in map(np.array, ends)
    )
    return image if some == others else None


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
    """
    events = choreography.events
    loop = choreography.duration
    apart = (events.time - events.time[event] - symmetry.delay + loop / 2) % loop - loop / 2
    same = (np.abs(apart) < 2 * _SAME_TIME) & (events.kind == events.kind[event])
    same &= events.hand == symmetry.hand(events.hand[event : event + 1], choreography.jugglers)
    same &= np.abs(outward - outward[event]).max(axis=1) < _SAME_PLACE
    found = np.flatnonzero(same)
    return int(found[0]) if len(found) else None


def repeat_time(base: Score | None, choreography: Choreography) -> float | None:
    """Return the time after which a pattern is written to repeat, [s]; None for events without
    one.
    """
    if base is None or base.pattern is None:
        return None
    full = repeat_to_full_loop(base.pattern, base.staging)
    return choreography.duration * base.pattern.written_period / full.period


def images(choreography: Choreography, event: int, known: Iterable[Symmetry]) -> list[int]:
    """Return the events that one becomes by symmetries, at the same or mirrored places, itself
    first.
    """
    found = [event]
    outward = outward_places(choreography)
    for symmetry in known:
        image = _image_of(choreography, outward, event, symmetry)
        found += [image] if image is not None and image not in found else []
    return found


def symmetries_around(
    choreography: Choreography, hand: int, time: float, known: Iterable[Symmetry]
) -> list[Symmetry]:
    """Return those symmetries that keep the throws and catches of a hand before and after a time
    [s].
    """
    events = choreography.events
    outward = outward_places(choreography)
    mine = np.flatnonzero((events.hand == hand) & (events.kind < HOLD))
    since = (time - events.time[mine]) % choreography.duration
    beside = {int(mine[since.argmin()]), int(mine[since.argmax()])} if len(mine) else set[int]()
    return [
        symmetry
        for symmetry in known
        if all(_image_of(choreography, outward, each, symmetry) is not None for each in beside)
    ]


def matching_events(one: Choreography, other: Choreography) -> Integers | None:
    """For each event of another choreography, the throw or catch of the one that it is.

    Those of each hand are matched in their order, from where their times fit best.

    Returns:
        Shape (E,), of rows of `one`, −1 for points that are passed; None where hands throw and
        catch otherwise.
    """
    found = np.full(len(other.events.time), -1, dtype=np.intp)
    ours, others = (_by_hand(each) for each in (one, other))
    if _in_same_order(one, ours, other, others):
        found[others] = ours
        return found
    for hand in range(2 * other.jugglers):
        mine, theirs = (
            np.flatnonzero((each.events.hand == hand) & (each.events.kind < HOLD))
            for each in (one, other)
        )
        if len(mine) != len(theirs):
            return None
        mine = mine[np.argsort(one.events.time[mine])]
        theirs = theirs[np.argsort(other.events.time[theirs])]
        best = math.inf
        for shift in range(-1, 2) if len(mine) else ():
            rolled = np.roll(mine, shift)
            if (one.events.kind[rolled] != other.events.kind[theirs]).any():
                continue
            away = float(
                np.abs(
                    time_apart(one.events.time[rolled], other.events.time[theirs], one.duration)
                ).sum()
            )
            if away < best - SAME_TIME:
                best, found[theirs] = away, rolled
        if len(mine) and best == math.inf:
            return None
    return found


def _by_hand(choreography: Choreography) -> Integers:
    """Throws and catches, those of one hand after the other."""
    events = choreography.events
    rows = np.flatnonzero(events.kind < HOLD)
    return rows[np.lexsort((events.time[rows], events.hand[rows]))]


def _in_same_order(
    one: Choreography, ours: Integers, other: Choreography, others: Integers
) -> bool:
    """Whether events match from the first of each hand on, as they mostly do."""
    mine = one.events
    theirs = other.events
    if len(ours) != len(others) or (mine.hand[ours] != theirs.hand[others]).any():
        return False
    if (mine.kind[ours] != theirs.kind[others]).any():
        return False
    # If they matched from the next one on, they would be away by the rest of the loop.
    away = np.abs(time_apart(mine.time[ours], theirs.time[others], one.duration))
    return bool((np.bincount(mine.hand[ours], away) < one.duration / 2).all())


def time_apart(one: Floats, other: Floats, loop: float) -> Floats:
    """How much later the one is than the other, the shorter direction around the loop, [s]."""
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


def mirrored_places(
    choreography: Choreography, event: int, moved: Sequence[int], place: Floats
) -> Floats:
    """Return places of all events, shape (E, 3), [m], some of them as one at a place, or mirrored
    in other hands.

    Args:
        choreography: the events.
        event: that is at the place.
        moved: which follow it.
        place: shape (3,), [m].
    """
    hand = choreography.events.hand
    places = choreography.events.position.copy()
    places[moved] = place
    places[moved, 0] *= side_signs(hand[list(moved)]) * side_signs(hand[event : event + 1])
    return places


def _without_points(choreography: Choreography) -> Choreography:
    """The throws and catches alone."""
    events = choreography.events
    flights = choreography.flights
    kept = events.kind < HOLD
    number = np.cumsum(kept) - 1
    return replace(
        choreography,
        events=Events(
            events.time[kept], events.hand[kept], events.kind[kept], events.position[kept]
        ),
        flights=replace(flights, throw=number[flights.throw], catch=number[flights.catch]),
    )
