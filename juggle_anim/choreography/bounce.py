"""Bounce throws: the launch that brings a prop back in time, and tempos that leave enough time for bounces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from juggle_anim.choreography.choreography import BodyKeyframes, FlightStyle
from juggle_anim.choreography.events import EventTable
from juggle_anim.choreography.places import body_keyframes
from juggle_anim.choreography.score import BodyMoves
from juggle_anim.errors import ChoreographyError

_MAX_LAUNCH_RANGE = 1000.0
"""Range of launch speeds to search, [m/s]."""

_GRID = 400

_HALVINGS = 80

_SPARE = 1.01
"""Ratio of the time for a bounce to the shortest possible one; as in Juggling Lab 1.7.7."""


@dataclass(frozen=True)
class Bounce:
    """The vertical motion of one bouncing flight.

    Args:
        launch: vertical velocity with which the prop leaves the hand, upward positive, [m/s].
        hits: when it hits the plane, seconds since the throw.
        rises: the speed with which it leaves the plane then, [m/s].
        arrival: vertical velocity when it is caught, [m/s].
    """

    launch: float
    hits: tuple[float, ...]
    rises: tuple[float, ...]
    arrival: float


def solve_bounce(
    start: float, end: float, duration: float, gravity: float, fraction: float, style: FlightStyle
) -> Bounce | None:
    """Find the launch with which a prop bounces as `style` says and is caught after `duration`; None if there is none.

    The flight time is a function of the launch speed. The search goes from the slowest launch to the first that fits.
    If none fits, the prop is caught falling instead of rising, or the reverse.

    Args:
        start: height of the throw, [m].
        end: height of the catch, [m].
        duration: [s].
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.
        style: how often it bounces, and how it is thrown and caught.
    """
    for falling in (style.hyper, not style.hyper):
        if end < style.plane and not falling:
            # A catch below the bounce plane cannot be on the way up.
            continue
        course = _Trajectory(start - style.plane, end - style.plane, gravity, sqrt(fraction), style, falling)
        for slower, faster in pairwise(course.launches(duration)):
            if (course.time(slower) - duration) * (course.time(faster) - duration) <= 0:
                return course.bounce(_root(course, slower, faster, duration), duration)
    return None


def min_bounce_time(start: float, end: float, gravity: float, fraction: float, style: FlightStyle) -> float:
    """The shortest time in which a prop can bounce as `style` says, [s]."""
    course = _Trajectory(
        start - style.plane, end - style.plane, gravity, sqrt(fraction), style, falling=end < style.plane
    )
    return min(map(course.time, course.launches(0.0)))


@dataclass(frozen=True)
class _Trajectory:
    """Heights are above the plane; `share` is that of the speed kept at a bounce; caught `falling` or rising."""

    start: float
    end: float
    gravity: float
    share: float
    style: FlightStyle
    falling: bool

    def launches(self, duration: float) -> list[float]:
        """Launch speeds to try, from the slowest that rises to the catch to one that takes longer than `duration`."""
        lost = self.share ** (2 * self.style.bounces)
        # A throw from below the plane must rise to it first.
        gentlest = sqrt(2 * self.gravity * max(0.0, -self.start, self.end / lost - self.start))
        span = (
            self.gravity * duration
            + sqrt(2 * self.gravity * max(self.start, self.end, 0.1)) / self.share**self.style.bounces
        )
        sign = -1.0 if self.style.forced else 1.0
        return [sign * (gentlest + min(4 * span, _MAX_LAUNCH_RANGE) * (step / _GRID) ** 2) for step in range(_GRID + 1)]

    def time(self, launch: float) -> float:
        """Seconds from throw to catch."""
        impact = self._impact(launch)
        last = impact * self.share**self.style.bounces
        # The slowest launch just reaches the catch; rounding must not make this negative.
        room = sqrt(max(0.0, last**2 - 2 * self.gravity * self.end))
        between = sum(2 * impact * self.share**bounce for bounce in range(1, self.style.bounces))
        return (launch + impact + between + last + (room if self.falling else -room)) / self.gravity

    def _impact(self, launch: float) -> float:
        return sqrt(max(0.0, launch**2 + 2 * self.gravity * self.start))

    def bounce(self, launch: float, duration: float) -> Bounce:
        impact = self._impact(launch)
        hits, rises = [(launch + impact) / self.gravity], [impact * self.share]
        for _ in range(self.style.bounces - 1):
            hits.append(hits[-1] + 2 * rises[-1] / self.gravity)
            rises.append(rises[-1] * self.share)
        return Bounce(launch, tuple(hits), tuple(rises), rises[-1] - self.gravity * (duration - hits[-1]))


def _root(trajectory: _Trajectory, low: float, high: float, duration: float) -> float:
    rising = trajectory.time(high) >= trajectory.time(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (trajectory.time(middle) < duration) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def bounced_tempo(bps: float, table: EventTable, body: BodyMoves | None, gravity: float, fraction: float) -> float:
    """Return the tempo, slowed where a bounce needs longer than its beats.

    Args:
        bps: the tempo without bounces, [beats/s].
        table: the flights.
        body: where bodies are.
        gravity: [m/s²].
        fraction: share of the energy that a prop keeps at a bounce.
    """
    slowest = bps
    for _, style, start, end, beats in _bounces(table, body):
        needed = min_bounce_time(start, end, gravity, fraction, style)
        if needed > beats / bps:
            slowest = min(slowest, beats / (_SPARE * needed))
    return slowest


def check_bounces(bps: float, table: EventTable, body: BodyMoves | None, gravity: float, fraction: float) -> None:
    """Check that every bounce fits into its time.

    Raises:
        ChoreographyError: one does not.
    """
    for index, style, start, end, beats in _bounces(table, body):
        time = beats / bps
        if solve_bounce(start, end, time, gravity, fraction, style) is None:
            throw, needed = table.pattern.throws[index], min_bounce_time(start, end, gravity, fraction, style)
            short = (
                f", but needs {needed:.2f} s to come up again {style.bounces} ×; "
                "a slower tempo fits, or F to throw it down"
            )
            long = f", which is too long to come up {style.bounces} × at this gravity; a faster tempo fits"
            raise ChoreographyError(
                f"the {throw.value / table.pattern.division:g}B thrown by juggler {throw.juggler + 1} "
                f"on beat {throw.beat // table.pattern.division + 1} has {time:.2f} s{short if time < needed else long}"
            )


def _bounces(table: EventTable, body: BodyMoves | None) -> Iterator[tuple[int, FlightStyle, float, float, float]]:
    """Each bouncing throw: its index, style, heights of throw and catch [m], and time [beats]."""
    styles = [(number, index, table.style(index)) for number, index in enumerate(table.flown)]
    bouncing = [row for row in styles if row[2].bounces]
    if not bouncing:
        return
    keys = body_keyframes(table.pattern, body, 1.0)
    for number, index, style in bouncing:
        start, end = (_height(keys, table.pattern.period, *where) for where in table.ends(number))
        yield index, style, start, end, float(table.durations[number]) / table.pattern.division


def _height(keys: BodyKeyframes, period: int, juggler: int, time: float, above: float) -> float:
    mine = keys.juggler == juggler
    # The path of a body that moves up and down is really a curve; the motion stage solves for the exact heights.
    return above + float(np.interp(time, keys.time[mine], keys.position[mine, 1], period=period))
