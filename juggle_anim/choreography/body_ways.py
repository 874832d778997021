"""Ways of hands around bodies: what they pass before and after body throws, and where they wait in long gaps.

Times are in units of the pattern; points are outward, up and forward of the middle between the hands, [m].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set

from juggle_anim.choreography.body_throws import BODY_THROWS
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.places import HandSpan
from juggle_anim.choreography.score import Point

LONG = 1.5
"""In a gap of more beats beside a point around its body, a hand waits before the body."""

# The longest time that a way takes before or after its throw or catch, [beats].
_LONGEST_WAY = 1.4

# The shares of a long gap between which a hand waits, and where.
_WAITS, _WAITING = (0.35, 0.65), (0.18, 0.08, 0.03)


def ways_around_bodies(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> Iterator[tuple[float, int, Point]]:
    """Yield the times, hands and points of the ways to and from body throws and catches.

    Args:
        spans: from turn to turn of each hand.
        thrown, caught: rows of `BODY_THROWS` counted from 1, 0 for none, of what is thrown on a turn, and of the catch
            of what is thrown on a turn.
        beat: how long it is.
    """
    for span in spans:
        empty, full = (span.throws, span.catches[0]), (span.catches[-1], span.again)
        for (start, end), before, after in (
            (empty, thrown.get(span.turn), caught.get(span.following)),
            (full, caught.get(span.following), thrown.get(span.following)),
        ):
            lasts = min(end - start, _LONGEST_WAY * beat)
            for share, point in BODY_THROWS[before - 1].goes if before else ():
                yield start + share * lasts, span.turn[0], point
            for share, point in BODY_THROWS[after - 1].comes if after else ():
                yield end - (1.0 - share) * lasts, span.turn[0], point


def waits_in_gaps(
    times: Mapping[int, Collection[float]], around: Set[tuple[float, int]], period: float, beat: float
) -> Iterator[tuple[float, int, Point]]:
    """Yield when and where hands wait that have long until they go around, and would swing out on the way.

    Args:
        times: of all events of each hand.
        around: times and hands of those that are points around bodies.
        period: of the loop.
        beat: how long one is.
    """
    for hand in {hand for _, hand in around}:
        moments = sorted(times[hand])
        for start, end in zip(moments, [*moments[1:], moments[0]], strict=True):
            # A hand with a single event has the whole loop until the next.
            lasts = (end - start) % period or period
            if {(start, hand), (end, hand)} & around and lasts > LONG * beat:
                yield from ((start + share * lasts, hand, _WAITING) for share in _WAITS)
