"""The way of an empty hand from its throw to its next catch: direct, or over or under that."""

from __future__ import annotations

from math import comb

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, EventKind
from juggle_anim.motion.cubic import ring
from juggle_anim.motion.flight import before
from juggle_anim.motion.timeline import BETWEEN, Timeline

FARTHEST_DETOUR = 0.15
"""How far over or under the direct way a hand goes at most, [m]."""

HASTE = 40.0
"""It goes no farther than what this much more acceleration allows in its time, [m/s²]."""

# (4s(1 − s))³ by powers of s; its second derivative is at most 24.
_BUMP = 64.0 * np.array([0.0, 0.0, 0.0, 1.0, -3.0, 3.0, -1.0])
_STEEPEST = 24.0
_SIGN = {"direct": 0.0, "over": 1.0, "under": -1.0}


def with_detours(curves: Floats, points: Timeline, choreography: Choreography, way: str) -> Floats:
    """Curves of hands that go over or under the direct way wherever they are empty and no way is said.

    What is added is d·(4s(1 − s))³, with s from 0 at the throw to 1 at the catch: it has neither place, velocity nor
    acceleration at its ends, so throws and catches are as they were.

    Args:
        curves: shape (N, 6, 3), from each point to the next, by the time since it, [m], [m/s] …
        points: N rows.
        choreography: who holds what.
        way: "direct", "over" or "under".

    Returns:
        Shape (N, 7, 3); the curves themselves where the way is direct.
    """
    if not (sign := _SIGN[way]) or not len(points.hand):
        return curves
    event, gap = _owners(points, choreography.duration)
    rows = np.flatnonzero(_empty(points, choreography)[event])
    lasts = gap[rows, None]
    since = (points.time[rows] - points.time[event[rows]])[:, None] % choreography.duration / lasts
    far = sign * np.minimum(FARTHEST_DETOUR, HASTE / _STEEPEST * lasts**2)
    power = np.arange(7)
    # The bump by powers of the time since each point, rather than since the throw.
    choose = np.array([[comb(n, k) for n in range(7)] for k in range(7)], dtype=float)
    terms = choose * _BUMP * since[:, :, None] ** np.maximum(power - power[:, None], 0)
    bent = np.pad(curves, ((0, 0), (0, 1), (0, 0)))
    bent[rows, :, 1] += far * terms.sum(axis=2) / lasts**power
    return bent


def _owners(points: Timeline, loop: float) -> tuple[Integers, Floats]:
    """For each row, the last event up to it of the same hand, and the time from that to the next event."""
    events = np.flatnonzero(points.kind != BETWEEN)
    _, lasts = ring(points.hand[events], points.time[events], loop)
    place = np.searchsorted(events, np.arange(len(points.hand)), side="right") - 1
    # What comes before a hand's first event belongs to its last one.
    final = np.searchsorted(points.hand[events], points.hand, side="right") - 1
    other = (place < 0) | (points.hand[events[place]] != points.hand)
    place = np.where(other, final, place)
    return events[place], lasts[place]


def _empty(points: Timeline, choreography: Choreography) -> Booleans:
    """Which rows are throws after which a hand is empty until its next event, a catch or a throw."""
    loop = choreography.duration
    events = np.flatnonzero(points.kind != BETWEEN)
    following, lasts = ring(points.hand[events], points.time[events], loop)
    kind = points.kind[events]
    free = (kind == EventKind.THROW) & (kind[following] <= EventKind.CATCH)
    free &= _held(choreography, points.hand[events], (points.time[events] + lasts / 2) % loop) == 0
    empty = np.zeros(len(points.hand), dtype=bool)
    empty[events] = free
    return empty


def _held(choreography: Choreography, hand: Integers, times: Floats) -> Integers:
    """How many props hands hold at some times of the loop, shape (N,)."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    came = before(choreography)
    caught, thrown = events.time[flights.catch[came]], events.time[flights.throw]
    holder, width = events.hand[flights.throw], 2 * loop
    through = np.zeros(len(choreography.rest), dtype=np.intp)
    np.add.at(through, holder, np.rint((caught + flights.carry[came] - thrown) / loop).astype(np.intp))
    for orbit in choreography.orbits:
        through[orbit.hand] += 0 if orbit.flights else orbit.props
    key, start = hand * width + times, hand * width
    came_in, went_out = np.sort(holder * width + caught), np.sort(holder * width + thrown)
    more, fewer = (
        np.searchsorted(ends, key, side="right") - np.searchsorted(ends, start, side="left")
        for ends in (came_in, went_out)
    )
    held: Integers = through[hand] + more - fewer
    return held
