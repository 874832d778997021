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
_GRIP_HEIGHT = 0.08

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
        """Return the allowed time that is nearest to some time, s."""
        time = min(max(time, self.earliest), self.latest)
        # Allowed spans: what the taken ones leave between the limits.
        allowed_spans = []
        low = self.earliest
        for start, end in sorted(self.taken):
            if start >= low:
                allowed_spans.append((low, start))
            low = max(low, end)
        if low <= self.latest:
            allowed_spans.append((low, self.latest))
        nearest_in_spans = (min(max(time, low), high) for low, high in allowed_spans)
        return min(nearest_in_spans, key=lambda allowed: abs(allowed - time))


def delay_limits(choreography: Choreography, moved: Sequence[int]) -> TimeLimits:
    """Return by how much some events may be later together; see `events.time_limits`.

    Args:
        choreography: events with their flights.
        moved: rows of the events.

    Returns:
        Limits of the delay, s. A delay of 0 is always allowed.
    """
    events = choreography.events
    loop = choreography.duration
    is_moved = np.zeros(len(events.time), dtype=bool)
    is_moved[moved] = True
    # Half a loop at most: beyond it, events would come nearer again from the other side.
    bounds = [(-loop / 2, loop / 2), *_path_bounds(choreography, is_moved)]
    taken: list[tuple[float, float]] = []
    for event in moved:
        is_beside = (events.hand == events.hand[event]) & ~is_moved
        gaps = events.time[is_beside] - events.time[event]
        if events.kind[event] >= HOLD:
            # A point stays between the throws and catches beside it.
            walls = (gaps[events.kind[is_beside] < HOLD] % loop).tolist()
            bounds += [(-loop, max(0.0, wall - POINT_APART)) for wall in walls]
            bounds += [(min(0.0, wall - loop + POINT_APART), loop) for wall in walls]
        throws_or_catches = (events.kind[is_beside] < HOLD) & (events.kind[event] < HOLD)
        least_gaps = np.where(throws_or_catches, THROW_APART, POINT_APART)
        for gap, least_gap in zip(gaps.tolist(), least_gaps.tolist(), strict=True):
            # The event beside is in the loops before and after, too.
            for gap_in_loop in (gap - loop, gap, gap + loop):
                # Events that are nearer already may stay as near as they are.
                apart = min(least_gap, abs(gap_in_loop))
                taken.append((gap_in_loop - apart, gap_in_loop + apart))
    earliest = max(low for low, _ in bounds)
    latest = min(high for _, high in bounds)
    spans = sorted(
        (start, end) for start, end in taken if start < latest and end > earliest and end > start
    )
    return TimeLimits(min(0.0, earliest), max(0.0, latest), tuple(_merged_spans(spans)))


def _path_bounds(choreography: Choreography, is_moved: Booleans) -> list[tuple[float, float]]:
    """Return bounds of the common delay of some events, from the order of events on props' paths.

    Each prop is to be caught after its throw, and thrown after its catch and the points at which it
    is carried.

    Args:
        choreography: E events with their flights.
        is_moved: (E,), whether each event is delayed.

    Returns:
        Least and greatest delay by each flight and carry, s. ± loop stands for no bound.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    bounds = list[tuple[float, float]]()
    next_throws = flights.throw[choreography.rounds.following]
    for flight, (throw, catch, next_throw) in enumerate(
        zip(flights.throw.tolist(), flights.catch.tolist(), next_throws.tolist(), strict=True)
    ):
        # Flight: only where one of its ends moves.
        duration = float(flights.duration[flight])
        carry = float(flights.carry[flight])
        slack = max(0.0, duration - MIN_FLIGHT)
        if is_moved[throw] != is_moved[catch]:
            bounds.append((-loop, slack) if is_moved[throw] else (-slack, loop))

        # Carry: its moved end keeps away from the points between, in each loop that it lasts.
        if is_moved[catch] != is_moved[next_throw]:
            points = np.flatnonzero(
                (events.hand == events.hand[catch]) & (events.kind == HOLD) & ~is_moved
            )
            since_catch = (events.time[points] - events.time[catch]) % loop
            since_catch = since_catch[since_catch < carry]
            last_passed = since_catch + np.floor((carry - since_catch) / loop) * loop
            to_points = since_catch if is_moved[catch] else carry - last_passed
            slack = max(0.0, min([carry - THROW_APART, *(to_points - POINT_APART)]))
            bounds.append((-loop, slack) if is_moved[catch] else (-slack, loop))
    return bounds


def _merged_spans(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Sorted open spans, those that overlap as one."""
    merged: list[tuple[float, float]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def event_at(choreography: Choreography, hand: int, time: float) -> int:
    """Return the row of the event of a hand that is nearest to a time, around the loop.

    Finds an event again after others were added, removed or sorted.

    Args:
        choreography: the events.
        hand: 2 · juggler + side (0 left, 1 right).
        time: s.

    Raises:
        EditError: the hand has no event.
    """
    events = choreography.events
    loop = choreography.duration
    rows = np.flatnonzero(events.hand == hand)
    if not len(rows):
        raise EditError(_("hand {hand} has no events", hand=hand))
    apart = np.abs((events.time[rows] - time + loop / 2) % loop - loop / 2)
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
    """Return a place as an array after a check of its numbers.

    Args:
        place: three coordinates, m.
        farthest: greatest absolute value of each coordinate, m.

    Returns:
        (3,), m.

    Raises:
        EditError: it is not three finite numbers, or too far.
    """
    coordinates = np.array(place, dtype=float)
    if coordinates.shape != (3,) or not np.isfinite(coordinates).all():
        raise EditError(_("a place is three numbers: left, up and forward, in metres"))
    if np.abs(coordinates).max() > farthest:
        raise EditError(
            _(
                "a place is up to {farthest:g} m away, but this is {max:.4g} m",
                farthest=farthest,
                max=np.abs(coordinates).max(),
            )
        )
    return coordinates


def check_bounces(before: Choreography, after: Choreography) -> None:
    """Refuse an edit after which a prop can bounce less often in its time than it should.

    Flights that could not bounce as often before the edit, as in some files, are not refused.

    Args:
        before, after: choreographies with the same flights under the same numbers.

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
    """Return how often a prop can bounce in its time, at most as often as its style asks.

    The prop may leave and land somewhat above or below the hands; the lesser number counts.
    """
    events = choreography.events
    bodies = choreography.bodies
    style = choreography.flights.style[flight]
    throw = int(choreography.flights.throw[flight])
    catch = int(choreography.flights.catch[flight])

    # Heights above the floor, m: events are given above the feet, which may be above the floor.
    start, end = (
        float(
            events.position[event, 1]
            + bodies.position[bodies.juggler == events.hand[event] // 2, 1].mean()
        )
        for event in (throw, catch)
    )
    gravity = choreography.gravity if style.gravity is None else style.gravity
    restitution = (
        choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    )
    duration = float(choreography.flights.duration[flight])
    bounces = (
        solve_bounce(start + offset, end + offset, duration, gravity, restitution, style)
        for offset in (-_GRIP_HEIGHT, _GRIP_HEIGHT)
    )
    return min(len(bounce.hits) if bounce else 0 for bounce in bounces)
