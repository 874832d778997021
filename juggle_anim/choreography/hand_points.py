"""Points that hands pass: those that a text gives to the turns of a pattern, and those before and
after body throws.

Times are in units of the pattern; points are outward, up and forward of the middle between the
hands, [m].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import CATCH
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.manners import BODY_THROWS
from juggle_anim.choreography.score import HandBeat, HandMoves, Point
from juggle_anim.pattern import Pattern

_LONG = 1.5
"""In a gap of more beats beside a point around its body, a hand waits before the body."""

SLOWEST_BEAT = 0.7
"""At a slower tempo paths take no longer than at this one, and hands wait for the rest of the time,
[s].
"""

LONGEST_PATH = 1.4
"""The longest time that a path takes before or after its throw or catch, [beats]."""

# A hand that does nothing else passes no point so soon after it threw or caught, or so soon before,
# [beats].
_SOON_AFTER = 0.25
_SOON_BEFORE = 0.39

CLOSE = 0.15
"""A hand passes no point for what the other one does so soon before or after a point of its own
path, [beats].
"""

# For so long before and after an event around the body the other hand throws and catches elsewhere,
# [s].
_MEANWHILE = 0.6

# Where a hand waits in a long gap, and how far from both ends, as a share of it and at most,
# [beats].
_WAITING = (0.18, 0.08, 0.03)
_FROM_ENDS = 0.35
_MOST_FROM_ENDS = 0.6

# Likewise for a hand that makes room for the other one: the longer it has from there to a usual
# throw, the farther it swings down for it, [beats].
_ASIDE_FROM_ENDS = 0.4


@dataclass(frozen=True)
class HandWaypoint:
    """A point that a hand passes.

    Args:
        time: in units of the pattern, in any loop.
        hand: 2 · juggler + side.
        point: where.
    """

    time: float
    hand: int
    point: Point


@dataclass(frozen=True)
class HandSpan:
    """The time of a hand from one of its turns to the next, in units of the pattern.

    Args:
        turn: the hand and the beat of the turn with which it begins.
        following: those of the next.
        throws: when it throws, or would throw, on that beat.
        catches: when it catches, or would catch, what it throws on the next, in order.
        again: when it throws then.
    """

    turn: Site
    following: Site
    throws: float
    catches: tuple[float, ...]
    again: float


class Around(NamedTuple):
    """The turns, hands and beats, that have to do with what is done around the body.

    Attributes:
        throws: on which is thrown so.
        catches: on which what was caught so is thrown.
        from_behind: on which is thrown what came from behind the body, and comes down where such
            throws do.
    """

    throws: Set[Site] = frozenset()
    catches: Set[Site] = frozenset()
    from_behind: Set[Site] = frozenset()


_NOTHING = Around()


@dataclass(frozen=True)
class HandPoints:
    """The paths of hands, assigned to the turns of a pattern in order.

    Args:
        pattern: what is juggled.
        moves: the paths.
        around: what is done around the body.
    """

    pattern: Pattern
    moves: HandMoves
    around: Around = _NOTHING

    def thrown_from(self, site: Site) -> Point | None:
        """Return where a hand throws on a beat; None if the text does not say."""
        path = self.held_beats.get(site)
        return path.points[0] if path else None

    def caught_at(self, site: Site) -> Point | None:
        """Return where the throw that a hand makes on a beat is caught; None if the text does not
        say.
        """
        path = (
            self.held_beats.get(self._previous_turns[site])
            if site in self._previous_turns
            else None
        )
        return path.points[path.catch] if path else None

    def spans(
        self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]
    ) -> Iterator[HandSpan]:
        """Yield the time from each turn of a hand to its next; arguments as of `waypoints`."""
        period = self.pattern.period
        for site, (hand, beat) in self._previous_turns.items():
            # A hand's only turn follows itself one loop later.
            loop = period if site[1] <= beat else 0
            catches = tuple(time + loop for time in caught(site))
            yield HandSpan((hand, beat), site, leave((hand, beat)), catches, leave(site) + loop)

    def waypoints(
        self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]
    ) -> Iterator[HandWaypoint]:
        """Yield all points of the paths, evenly spaced in time from throw to catch and from catch
        to throw.

        Args:
            leave: gives when a hand throws, or would throw, on a beat.
            caught: gives when it catches, or would catch, what it throws on a beat, in order.
        """
        for span in self.spans(leave, caught):
            path = self.held_beats[span.turn]
            hand = span.turn[0]
            start = span.throws
            catches = span.catches
            for number, point in enumerate(path.points):
                if point is None:
                    continue
                if number <= path.catch:
                    share = number / path.catch if path.catch else 0.0
                    yield HandWaypoint(start + share * (catches[0] - start), hand, point)
                else:
                    share = (number - path.catch) / (len(path.points) - path.catch)
                    yield HandWaypoint(
                        catches[-1] + share * (span.again - catches[-1]), hand, point
                    )

    @cached_property
    def hand_beats(self) -> dict[Site, HandBeat]:
        """The path of each hand from each of its turns on."""
        hand_beats: dict[Site, HandBeat] = {}
        counts = [0] * self.pattern.jugglers
        for beat, juggler, side in self.pattern.turns:
            mine = self.moves.beats[juggler % len(self.moves.beats)]
            hand_beats[2 * juggler + side, beat] = mine[counts[juggler] % len(mine)]
            counts[juggler] += 1
        if self.pattern.mirrored:
            half = self.pattern.period // 2
            mirrored = {
                (hand ^ 1, beat + half): path
                for (hand, beat), path in hand_beats.items()
                if beat < half
            }
            hand_beats |= {site: mirrored[site] for site in hand_beats if site in mirrored}
        return hand_beats

    @cached_property
    def held_beats(self) -> dict[Site, HandBeat]:
        """The same without what does not hold about throws and catches around the body."""
        if not any(self.around):
            return self.hand_beats
        following = {turn: site for site, turn in self._previous_turns.items()}
        return {
            turn: held_path(path, turn, following[turn], self.around)
            for turn, path in self.hand_beats.items()
        }

    @cached_property
    def _previous_turns(self) -> dict[Site, Site]:
        """For each turn of a hand, its turn before."""
        by_hand: dict[int, list[int]] = {}
        for beat, juggler, side in self.pattern.turns:
            by_hand.setdefault(2 * juggler + side, []).append(beat)
        return {
            (hand, beat): (hand, beats[place - 1])
            for hand, beats in by_hand.items()
            for place, beat in enumerate(beats)
        }


def held_path(path: HandBeat, turn: Site, following: Site, around: Around) -> HandBeat:
    """What holds of a path: if it does not hold around the body, nothing at throws and catches
    there, or beside them.

    Args:
        path: from a turn of a hand to its next.
        turn, following: those turns.
        around: as in `HandPoints`.
    """
    thrown = turn in around.throws
    caught = following in around.catches
    again = following in around.throws
    lands = caught or following in around.from_behind
    if path.around or not (thrown or lands or again):
        return path
    empty = path.catch - 1
    loaded = len(path.points) - path.catch - 1
    away = (thrown, *(thrown or caught,) * empty, lands, *(caught or again,) * loaded)
    return replace(
        path,
        points=tuple(None if off else point for point, off in zip(path.points, away, strict=True)),
    )


def paths_around_bodies(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> Iterator[tuple[float, int, Point]]:
    """Yield the times, hands and points of the paths to and from body throws and catches.

    Args:
        spans: from turn to turn of each hand.
        thrown, caught: rows of `BODY_THROWS` counted from 1, 0 for none, of what is thrown on a
            turn, and of the catch of what is thrown on a turn.
        beat: how long it is.
    """
    for hand, start, end, before, after in _gaps(spans, thrown, caught):
        # Two paths share the time: their points would stand among each other.
        lasts = (end - start) / _shares(before, after)
        yield from ((time, hand, point) for time, point in path_after(before, start, lasts, beat))
        yield from ((time, hand, point) for time, point in path_before(after, end, lasts, beat))


def path_after(
    row: int | None, start: float, lasts: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes after its event around the body, and before its
    next event.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for no event around the body.
        start: when it is.
        lasts: how long until the next.
        beat: how long a beat is.
    """
    lasts = min(lasts, LONGEST_PATH * beat)
    yield from (
        (start + share * lasts, point)
        for share, point in (BODY_THROWS[row - 1].goes if row else ())
    )


def path_before(
    row: int | None, end: float, lasts: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield what a hand passes before its event around the body, likewise, after the event
    before.
    """
    lasts = min(lasts, LONGEST_PATH * beat)
    yield from (
        (end - (1.0 - share) * lasts, point)
        for share, point in (BODY_THROWS[row - 1].comes if row else ())
    )


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
        after, before = (
            min(((sign * (passes - each)) % period for each in busy), default=period)
            for sign in (1, -1)
        )
        if after > _SOON_AFTER * beat and before > _SOON_BEFORE * beat:
            yield passes, point


def offsets_meanwhile(
    time: Floats, hand: Integers, kind: Integers, rows: Integers, loop: float
) -> Floats:
    """How far from its usual places a hand throws and catches while the other one is around the
    body.

    Args:
        time, hand, kind: of all events, each of shape (E,), as in `Events`, [s].
        rows: of `BODY_THROWS`, counted from 1; 0 for no event around the body.
        loop: how long it is, [s].

    Returns:
        Shape (E, 3), outward, up and forward, [m].
    """
    moved = np.zeros((len(time), 3))
    shares = np.zeros(len(time))
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
    """The highest tempo at which hands have time for their paths, [beats/s]; arguments as of
    `paths_around_bodies`.
    """
    fastest = math.inf
    for _, start, end, before, after in _gaps(spans, thrown, caught):
        needs = BODY_THROWS[before - 1].takes[1] if before else 0.0
        needs = max(needs, BODY_THROWS[after - 1].takes[0] if after else 0.0) * _shares(
            before, after
        )
        if needs:
            fastest = min(fastest, (end - start) / beat / needs)
    return fastest


def _shares(before: int | None, after: int | None) -> int:
    """How many paths, of the rows of the events at both ends, a gap has time for: two, or one that
    has all of it.
    """
    return (
        2
        if before and after and BODY_THROWS[before - 1].goes and BODY_THROWS[after - 1].comes
        else 1
    )


def _gaps(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int]
) -> Iterator[tuple[int, float, float, int | None, int | None]]:
    """Yield hands, starts and ends of times between throws and catches, and the rows of the events
    at both ends.
    """
    for span in spans:
        hand = span.turn[0]
        rows = (thrown.get(span.turn), caught.get(span.following), thrown.get(span.following))
        yield hand, span.throws, span.catches[0], rows[0], rows[1]
        yield hand, span.catches[-1], span.again, rows[1], rows[2]


def waits_in_gaps(
    times: Mapping[int, Collection[float]],
    around: Set[tuple[float, int]],
    aside: Set[tuple[float, int]],
    period: float,
    beat: float,
) -> Iterator[tuple[float, int, Point]]:
    """Yield when and where hands wait that have long until they go around, and would swing out
    before.

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
            if ends and lasts > _LONG * beat:
                usual = _ASIDE_FROM_ENDS if ends <= aside else _MOST_FROM_ENDS
                first, last = (
                    min(
                        _FROM_ENDS * lasts,
                        (_MOST_FROM_ENDS if (time, hand) in ends else usual) * beat,
                    )
                    for time in (start, end)
                )
                yield start + first, hand, _WAITING
                yield start + lasts - last, hand, _WAITING
