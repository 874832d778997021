"""Paths of hands around bodies: the points before and after body throws, and where hands wait in long gaps.

Times are in units of the pattern; points are outward, up and forward of the middle between the hands, [m].
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Set

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.body_throws import BODY_THROWS
from juggle_anim.choreography.choreography import CATCH
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.hand_points import HandSpan
from juggle_anim.choreography.score import Point

LONG = 1.5
"""In a gap of more beats beside a point around its body, a hand waits before the body."""

SLOWEST_BEAT = 0.7
"""At a slower tempo paths take no longer than at this one, and hands wait for the rest of the time, [s]."""

# The longest time that a path takes before or after its throw or catch, [beats].
_LONGEST_PATH = 1.4

# A hand that does nothing else passes no point so soon after it threw or caught, or so soon before, [beats].
_SOON_AFTER, _SOON_BEFORE = 0.25, 0.39

CLOSE = 0.15
"""A hand passes no point for what the other one does so soon before or after a point of its own path, [beats]."""

# For so long before and after an event around the body the other hand throws and catches elsewhere, [s].
_MEANWHILE = 0.6

# Where a hand waits in a long gap, and how far from both ends, as a share of it and at most, [beats].
_WAITING, _FROM_ENDS, _MOST_FROM_ENDS = (0.18, 0.08, 0.03), 0.35, 0.6

# Likewise for a hand that makes room for the other one: the longer it has from there to a usual throw, the farther it
# swings down for it, [beats].
_ASIDE_FROM_ENDS = 0.4


def paths_around_bodies(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> Iterator[tuple[float, int, Point]]:
    """Yield the times, hands and points of the paths to and from body throws and catches.

    Args:
        spans: from turn to turn of each hand.
        thrown, caught: rows of `BODY_THROWS` counted from 1, 0 for none, of what is thrown on a turn, and of the catch
            of what is thrown on a turn.
        beat: how long it is.
    """
    for hand, start, end, before, after in _gaps(spans, thrown, caught):
        # Two paths share the time: their points would stand among each other.
        lasts = (end - start) / _shares(before, after)
        yield from ((time, hand, point) for time, point in path_after(before, start, lasts, beat))
        yield from ((time, hand, point) for time, point in path_before(after, end, lasts, beat))


def path_after(row: int | None, start: float, lasts: float, beat: float) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes after its event around the body, and before its next event.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for no event around the body.
        start: when it is.
        lasts: how long until the next.
        beat: how long a beat is.
    """
    lasts = min(lasts, _LONGEST_PATH * beat)
    yield from ((start + share * lasts, point) for share, point in (BODY_THROWS[row - 1].goes if row else ()))


def path_before(row: int | None, end: float, lasts: float, beat: float) -> Iterator[tuple[float, Point]]:
    """Yield what a hand passes before its event around the body, likewise, after the event before."""
    lasts = min(lasts, _LONGEST_PATH * beat)
    yield from ((end - (1.0 - share) * lasts, point) for share, point in (BODY_THROWS[row - 1].comes if row else ()))


def path_of_other_hand(
    row: int, time: float, busy: Collection[float], period: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield what the other hand passes meanwhile, but no point that is near to what that hand does.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 for no event around the body.
        time: of the event.
        busy: when the other hand throws and catches, and passes points that are written.
        period: how long the loop is.
        beat: how long a beat is.
    """
    for beats, point in BODY_THROWS[row - 1].other if row else ():
        passes = time + beats * beat
        after, before = (min(((sign * (passes - each)) % period for each in busy), default=period) for sign in (1, -1))
        if after > _SOON_AFTER * beat and before > _SOON_BEFORE * beat:
            yield passes, point


def offsets_meanwhile(time: Floats, hand: Integers, kind: Integers, rows: Integers, loop: float) -> Floats:
    """How far from its usual places a hand throws and catches while the other one is around the body.

    Args:
        time, hand, kind: of all events, each of shape (E,), as in `Events`, [s].
        rows: of `BODY_THROWS`, counted from 1; 0 for no event around the body.
        loop: how long it is, [s].

    Returns:
        Shape (E, 3), outward, up and forward, [m].
    """
    moved, shares = np.zeros((len(time), 3)), np.zeros(len(time))
    for event in np.flatnonzero(rows):
        away = np.array(BODY_THROWS[rows[event] - 1].meanwhile)
        if not away.any():
            continue
        apart = np.abs((time - time[event] + loop / 2) % loop - loop / 2)
        share = np.cos(np.minimum(apart / _MEANWHILE, 1.0) * (np.pi / 2)) ** 2
        share *= (hand == hand[event] ^ 1) & (kind <= CATCH) & (rows == 0)
        moved += share[:, None] * away
        shares += share
    return moved / np.maximum(shares, 1.0)[:, None]


def fastest_tempo(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> float:
    """The highest tempo at which hands have time for their paths, [beats/s]; arguments as of `paths_around_bodies`."""
    fastest = math.inf
    for _, start, end, before, after in _gaps(spans, thrown, caught):
        needs = BODY_THROWS[before - 1].takes[1] if before else 0.0
        needs = max(needs, BODY_THROWS[after - 1].takes[0] if after else 0.0) * _shares(before, after)
        if needs:
            fastest = min(fastest, (end - start) / beat / needs)
    return fastest


def _shares(before: int | None, after: int | None) -> int:
    """How many paths, of the rows of the events at both ends, a gap has time for: two, or one that has all of it."""
    return 2 if before and after and BODY_THROWS[before - 1].goes and BODY_THROWS[after - 1].comes else 1


def _gaps(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int]
) -> Iterator[tuple[int, float, float, int | None, int | None]]:
    """Yield hands, starts and ends of times between throws and catches, and the rows of the events at both ends."""
    for span in spans:
        hand, rows = span.turn[0], (thrown.get(span.turn), caught.get(span.following), thrown.get(span.following))
        yield hand, span.throws, span.catches[0], rows[0], rows[1]
        yield hand, span.catches[-1], span.again, rows[1], rows[2]


def waits_in_gaps(
    times: Mapping[int, Collection[float]],
    around: Set[tuple[float, int]],
    aside: Set[tuple[float, int]],
    period: float,
    beat: float,
) -> Iterator[tuple[float, int, Point]]:
    """Yield when and where hands wait that have long until they go around, and would swing out before.

    Args:
        times: of all events of each hand.
        around: times and hands of those that are points around bodies.
        aside: those among them that a hand passes for what the other one does.
        period: of the loop.
        beat: how long one is.
    """
    for hand in {hand for _, hand in around}:
        moments = sorted(times[hand])
        for start, end in zip(moments, [*moments[1:], moments[0]], strict=True):
            # A hand with a single event has the whole loop until the next.
            lasts = (end - start) % period or period
            ends = {(start, hand), (end, hand)} & around
            if ends and lasts > LONG * beat:
                usual = _ASIDE_FROM_ENDS if ends <= aside else _MOST_FROM_ENDS
                first, last = (
                    min(_FROM_ENDS * lasts, (_MOST_FROM_ENDS if (time, hand) in ends else usual) * beat)
                    for time in (start, end)
                )
                yield start + first, hand, _WAITING
                yield start + lasts - last, hand, _WAITING
