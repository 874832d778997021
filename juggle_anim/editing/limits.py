"""What an edit may ask for: which events, times and places, so that hands and props can follow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.choreography import Choreography
from juggle_anim.choreography.bounce import solve_bounce
from juggle_anim.choreography.choreography import HOLD
from juggle_anim.errors import EditError
from juggle_anim.language import _

THROW_APART = 0.0301
POINT_APART = 0.01
"""Least time between a throw or catch and another of that hand, and from a point to any event, [s].

Those of Juggling Lab are 0.03 and 0.01. A little more keeps hands from swinging otherwise where a
file rounds times.
"""

MAX_FAR = 10.0
"""How far from the body a place may be, in each direction, [m]."""

# How much higher or lower than its hand a prop may leave and land, [m].
_GRIP_RANGE = 0.08

MIN_FLIGHT = 0.05
"""Shortest flight by hand, [s]."""


class TimeLimits(NamedTuple):
    """When an event may be.

    Attributes:
        earliest, latest: [s]; may be before or after the loop, into which times are taken.
        taken: spans between those in which it may not be, since other events of the hand are near,
            [s].
    """

    earliest: float
    latest: float
    taken: tuple[tuple[float, float], ...] = ()

    def nearest(self, time: float) -> float:
        """The allowed time that is nearest to some time, [s].

        Both ends of the limits and of the spans that are taken are allowed. Spans may overlap. At
        least one time between the limits must be free.
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
    """Return by how much some events may be later together, [s]; see `events.time_limits`.

    Delays below 0 are allowed as far as events may be earlier; 0 s is always allowed. Limits are at
    most half a loop in either direction.

    Args:
        choreography: the events.
        moved: numbers of the events that move.
    """
    events = choreography.events
    loop = choreography.duration
    is_moved = np.zeros(len(events.time), dtype=bool)
    is_moved[moved] = True
    # Intervals in which the delay has to be, all of them, and intervals around other events of the
    # hand in which it must not be.
    bounds = [(-loop / 2, loop / 2), *_path_bounds(choreography, is_moved)]
    taken: list[tuple[float, float]] = []
    for event in moved:
        beside = (events.hand == events.hand[event]) & ~is_moved
        gaps = events.time[beside] - events.time[event]
        are_both_throws_or_catches = (events.kind[beside] < HOLD) & (events.kind[event] < HOLD)
        if events.kind[event] >= HOLD:
            # A point stays between the throws and catches beside it; one that is too near already
            # may stay where it is.
            for gap in (gaps[events.kind[beside] < HOLD] % loop).tolist():
                bounds.append((-loop, max(0.0, gap - POINT_APART)))
                bounds.append((min(0.0, gap - loop + POINT_APART), loop))
        least_gaps = np.where(are_both_throws_or_catches, THROW_APART, POINT_APART)
        for gap, least in zip(gaps.tolist(), least_gaps.tolist(), strict=True):
            # The other event is also there a loop earlier and later. What is nearer than the least
            # gap already may stay so near.
            for gap_in_loop in (gap - loop, gap, gap + loop):
                apart = min(least, abs(gap_in_loop))
                taken.append((gap_in_loop - apart, gap_in_loop + apart))
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
    """Limits of the delay of some events that keep the order of throws and catches of each prop.

    A flight stays at least `MIN_FLIGHT` long, and a carry at least `THROW_APART`; what is shorter
    already may stay so. Only flights and carries of which one end moves and the other stays are
    limited.

    Args:
        choreography: the events and flights.
        is_moved: whether each event moves, shape (E,).

    Returns:
        Pairs of the least and the greatest delay, [s]; −loop or loop where there is no limit.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    following = choreography.rounds.following
    bounds = list[tuple[float, float]]()
    next_throws = flights.throw[following]
    for flight, (throw, catch, next_throw) in enumerate(
        zip(flights.throw.tolist(), flights.catch.tolist(), next_throws.tolist(), strict=True)
    ):
        duration = float(flights.duration[flight])
        carry = float(flights.carry[flight])
        # The flight gets shorter if just one of its ends moves.
        room = max(0.0, duration - MIN_FLIGHT)
        if is_moved[throw] != is_moved[catch]:
            bounds.append((-loop, room) if is_moved[throw] else (-room, loop))
        # So does the carry after it, in which points that stay are in the way, too.
        if is_moved[catch] != is_moved[next_throw]:
            points = np.flatnonzero(
                (events.hand == events.hand[catch]) & (events.kind == HOLD) & ~is_moved
            )
            since = (events.time[points] - events.time[catch]) % loop
            since = since[since < carry]
            # A carry longer than the loop passes a point several times. If the catch is moved, the
            # first time is in its way; if the throw is, the last time.
            last = since + np.floor((carry - since) / loop) * loop
            until_points = (since if is_moved[catch] else carry - last) - POINT_APART
            room = max(0.0, min([carry - THROW_APART, *until_points]))
            bounds.append((-loop, room) if is_moved[catch] else (-room, loop))
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
    """Return the event of a hand that is nearest to a time.

    So an event is found again after a change, which may have given it another number.

    Args:
        choreography: the events.
        hand: 2 · juggler + side.
        time: [s]; the loop is closed.

    Raises:
        EditError: the hand has no event.
    """
    events = choreography.events
    loop = choreography.duration
    rows = np.flatnonzero(events.hand == hand)
    if not len(rows):
        raise EditError(_("hand {hand} has no events", hand=hand))
    apart = np.abs((events.time[rows] - time + loop / 2) % loop - loop / 2)  # around the loop
    return int(rows[apart.argmin()])


def check_event(choreography: Choreography, event: int) -> None:
    """Refuse a number that no event has.

    Raises:
        EditError: there is no such event.
    """
    count = len(choreography.events.time)
    if not 0 <= event < count:
        raise EditError(
            _("there is no event {event}; the loop has {count}, from 0", event=event, count=count)
        )


def check_seconds(number: float) -> None:
    """Refuse what is no number of seconds.

    Raises:
        EditError: it is infinite or not a number.
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
        EditError: it is not three numbers, or too far.
    """
    position = np.array(place, dtype=float)
    if position.shape != (3,) or not np.isfinite(position).all():
        raise EditError(_("give a place as three numbers: left, up and forward, in metres"))
    if np.abs(position).max() > farthest:
        raise EditError(
            _(
                "a place can be at most {farthest:g} m away; this is {max:.4g} m",
                farthest=farthest,
                max=np.abs(position).max(),
            )
        )
    return position


def check_bounces(before: Choreography, after: Choreography) -> None:
    """Refuse an edit after which a prop can no longer bounce as often as it should in its time.

    A flight that could not bounce as often before the edit either may stay as it is.

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
    """How often a prop can bounce in the time of its flight, at most as often as its style says.

    A prop may leave and land up to `_GRIP_RANGE` below or above the hand. It is solved for both,
    and the lower number counts; 0 if there is no solution for one of them.

    Args:
        choreography: the events, bodies and flights.
        flight: row of the flight; it must have a style.
    """
    events = choreography.events
    bodies = choreography.bodies
    style = choreography.flights.style[flight]

    def height_of(event: int) -> float:
        """Height of a hand over the floor: over the feet, and of the feet on average, [m]."""
        feet = bodies.position[bodies.juggler == events.hand[event] // 2, 1].mean()
        return float(events.position[event, 1] + feet)

    throw_height = height_of(int(choreography.flights.throw[flight]))
    catch_height = height_of(int(choreography.flights.catch[flight]))
    # Values of the flight's own style come before those of the choreography.
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
