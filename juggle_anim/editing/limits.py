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
_GRIP = 0.08

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
        """The allowed time that is nearest to some time, [s]."""
        time = min(max(time, self.earliest), self.latest)
        free = []
        low = self.earliest
        for start, end in sorted(self.taken):
            if start >= low:
                free.append((low, start))
            low = max(low, end)
        if low <= self.latest:
            free.append((low, self.latest))
        near = (min(max(time, low), high) for low, high in free)
        return min(near, key=lambda each: abs(each - time))


def delay_limits(choreography: Choreography, moved: Sequence[int]) -> TimeLimits:
    """Return by how much some events may be later together, [s]; see `events.time_limits`."""
    events = choreography.events
    loop = choreography.duration
    among = np.zeros(len(events.time), dtype=bool)
    among[moved] = True
    bounds = [(-loop / 2, loop / 2), *_path_bounds(choreography, among)]
    taken: list[tuple[float, float]] = []
    for event in moved:
        beside = (events.hand == events.hand[event]) & ~among
        gaps = events.time[beside] - events.time[event]
        both = (events.kind[beside] < HOLD) & (events.kind[event] < HOLD)
        if events.kind[event] >= HOLD:
            walls = (gaps[events.kind[beside] < HOLD] % loop).tolist()
            # A point stays between the throws and catches beside it.
            bounds += [(-loop, max(0.0, wall - POINT_APART)) for wall in walls]
            bounds += [(min(0.0, wall - loop + POINT_APART), loop) for wall in walls]
        for gap, least in zip(
            gaps.tolist(), np.where(both, THROW_APART, POINT_APART).tolist(), strict=True
        ):
            for each in (gap - loop, gap, gap + loop):
                apart = min(least, abs(each))
                taken.append((each - apart, each + apart))
    earliest = max(low for low, _ in bounds)
    latest = min(high for _, high in bounds)
    spans = sorted(
        span for span in taken if span[0] < latest and span[1] > earliest and span[1] > span[0]
    )
    return TimeLimits(min(0.0, earliest), max(0.0, latest), tuple(_merged(spans)))


def _path_bounds(choreography: Choreography, among: Booleans) -> list[tuple[float, float]]:
    """Bounds of how far events may move in time, for props to be caught after their throws and
    thrown after catches.
    """
    events = choreography.events
    flights = choreography.flights
    loop = choreography.duration
    following = choreography.rounds.following
    bounds = list[tuple[float, float]]()
    carried_to = flights.throw[following]
    for flight, (throw, catch, after) in enumerate(
        zip(flights.throw.tolist(), flights.catch.tolist(), carried_to.tolist(), strict=True)
    ):
        duration = float(flights.duration[flight])
        carry = float(flights.carry[flight])
        room = max(0.0, duration - MIN_FLIGHT)
        if among[throw] != among[catch]:
            bounds.append((-loop, room) if among[throw] else (-room, loop))
        if among[catch] != among[after]:
            points = np.flatnonzero(
                (events.hand == events.hand[catch]) & (events.kind == HOLD) & ~among
            )
            since = (events.time[points] - events.time[catch]) % loop
            since = since[since < carry]
            last = since + np.floor((carry - since) / loop) * loop
            rooms = [carry - THROW_APART, *(since if among[catch] else carry - last) - POINT_APART]
            room = max(0.0, min(rooms))
            bounds.append((-loop, room) if among[catch] else (-room, loop))
    return bounds


def _merged(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Sorted open spans, those that overlap as one."""
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def event_at(choreography: Choreography, hand: int, time: float) -> int:
    """Return the event of a hand that is nearest to a time [s]; of what was moved, its new number.

    Raises:
        EditError: the hand has no event.
    """
    events = choreography.events
    loop = choreography.duration
    mine = np.flatnonzero(events.hand == hand)
    if not len(mine):
        raise EditError(_("hand {hand} has no events", hand=hand))
    apart = np.abs((events.time[mine] - time + loop / 2) % loop - loop / 2)
    return int(mine[apart.argmin()])


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
    """Return a place as an array, shape (3,), [m]; it may be so far away in each direction [m].

    Raises:
        EditError: it is not three numbers, or too far.
    """
    found = np.array(place, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise EditError(_("a place is three numbers: left, up and forward, in metres"))
    if np.abs(found).max() > farthest:
        raise EditError(
            _(
                "a place is up to {farthest:g} m away, but this is {max:.4g} m",
                farthest=farthest,
                max=np.abs(found).max(),
            )
        )
    return found


def check_bounces(before: Choreography, after: Choreography) -> None:
    """Refuse flights that can no longer bounce as often as they should in their time.

    Args:
        before, after: the edit; flights keep their numbers.

    Raises:
        EditError: a prop cannot bounce as often.
    """
    for flight, style in enumerate(after.flights.style):
        if style.bounces and _bounces(after, flight) < min(style.bounces, _bounces(before, flight)):
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


def _bounces(choreography: Choreography, flight: int) -> int:
    """How often a prop can bounce in its time, as it is asked to at most."""
    events = choreography.events
    bodies = choreography.bodies
    style = choreography.flights.style[flight]
    ends = [int(each[flight]) for each in (choreography.flights.throw, choreography.flights.catch)]
    feet = [bodies.position[bodies.juggler == events.hand[end] // 2, 1].mean() for end in ends]
    start, end = (
        float(events.position[end, 1] + floor) for end, floor in zip(ends, feet, strict=True)
    )
    gravity = choreography.gravity if style.gravity is None else style.gravity
    kept = choreography.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
    duration = float(choreography.flights.duration[flight])
    bounces = (
        solve_bounce(start + grip, end + grip, duration, gravity, kept, style)
        for grip in (-_GRIP, _GRIP)
    )
    return min(len(bounce.hits) if bounce else 0 for bounce in bounces)
