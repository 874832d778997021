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

_LONG_GAP = 1.5
"""In a gap of more beats beside a point around its body, a hand waits before the body."""

SLOWEST_BEAT = 0.7
"""At a slower tempo paths take no longer than at this one, and hands wait for the rest of the time,
[s].
"""

LONGEST_PATH = 1.4
"""The longest time that a path takes before or after its throw or catch, [beats]."""

# Least time from an event of a hand to a point that it passes for the other hand, and from such a
# point to its next event, [beats].
_MIN_TIME_AFTER_EVENT = 0.25
_MIN_TIME_BEFORE_EVENT = 0.39

CLOSE = 0.15
"""A hand passes no point for what the other one does so soon before or after a point of its own
path, [beats].
"""

# For this long before and after an event around the body, the other hand throws and catches
# elsewhere, [s].
_MEANWHILE_REACH = 0.6

# Where a hand waits in a long gap: outward, up and forward, [m]; and how far in time from both ends
# of the gap: as a share of it, and at most, [beats].
_WAITING_POINT = (0.18, 0.08, 0.03)
_WAIT_SHARE_FROM_END = 0.35
_MAX_WAIT_FROM_END = 0.6

# Likewise for a hand that makes room for the other one: the longer it has from there to a usual
# throw, the farther it swings down for it, [beats].
_MAX_WAIT_FROM_ASIDE = 0.4


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
            leave: gives the time at which a hand throws, or would throw, on a beat.
            caught: gives the times at which it catches, or would catch, the props that it throws
                on a beat, ascending.
        """
        for span in self.spans(leave, caught):
            path = self.held_beats[span.turn]
            hand = span.turn[0]
            for number, point in enumerate(path.points):
                # None stands for a point at which the hand goes where it usually would.
                if point is None:
                    continue
                if number <= path.catch:
                    # Empty, from the throw to the first catch. A path may begin with the catch.
                    start, end = span.throws, span.catches[0]
                    share = number / path.catch if path.catch else 0.0
                else:
                    # Carrying, from the last catch to the next throw.
                    start, end = span.catches[-1], span.again
                    share = (number - path.catch) / (len(path.points) - path.catch)
                yield HandWaypoint(start + share * (end - start), hand, point)

    @cached_property
    def hand_beats(self) -> dict[Site, HandBeat]:
        """The path of each hand from each of its turns on, by hand and beat.

        A juggler's turns take the juggler's paths one after another, and begin again at the end.
        """
        hand_beats: dict[Site, HandBeat] = {}
        turns_before = [0] * self.pattern.jugglers
        for beat, juggler, side in self.pattern.turns:
            paths = self.moves.beats[juggler % len(self.moves.beats)]
            hand_beats[2 * juggler + side, beat] = paths[turns_before[juggler] % len(paths)]
            turns_before[juggler] += 1

        # The second half of a mirrored pattern has the paths of the first, with hands exchanged.
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
        """For each turn of a hand, its turn before, around the loop; a single turn is its own."""
        by_hand: dict[int, list[int]] = {}
        for beat, juggler, side in self.pattern.turns:
            by_hand.setdefault(2 * juggler + side, []).append(beat)
        return {
            (hand, beat): (hand, beats[index - 1])
            for hand, beats in by_hand.items()
            for index, beat in enumerate(beats)
        }


def held_path(path: HandBeat, turn: Site, following: Site, around: Around) -> HandBeat:
    """Return a path with None for the points that throws and catches around the body replace.

    A path that is itself around the body stays whole. Of another one, throws and catches around the
    body are left out, and the points between them and the next throw or catch.

    Args:
        path: from a turn of a hand to its next.
        turn: hand and beat with which the path begins.
        following: hand and beat of the next turn of this hand.
        around: as in `HandPoints`.
    """
    thrown = turn in around.throws
    caught = following in around.catches
    thrown_next = following in around.throws
    lands_elsewhere = caught or following in around.from_behind
    if path.around or not (thrown or lands_elsewhere or thrown_next):
        return path

    # The points are: throw, points of the empty hand, catch, points of the carrying hand.
    empty = path.catch - 1
    carrying = len(path.points) - path.catch - 1
    is_replaced = (
        thrown,
        *(thrown or caught,) * empty,
        lands_elsewhere,
        *(caught or thrown_next,) * carrying,
    )
    return replace(
        path,
        points=tuple(
            None if replaced else point
            for point, replaced in zip(path.points, is_replaced, strict=True)
        ),
    )


def paths_around_bodies(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> Iterator[tuple[float, int, Point]]:
    """Yield the points of hands on their way to and from body throws and catches.

    Args:
        spans: from turn to turn of each hand.
        thrown: row of `BODY_THROWS`, counted from 1, 0 for none, of the throw at each site.
        caught: likewise of the catch of the prop that is thrown at each site.
        beat: duration of a beat, in units of the pattern.

    Yields:
        Time in units of the pattern, hand, and point: outward, up, forward, [m].
    """
    for hand, start, end, row_before, row_after in _gaps_between_events(spans, thrown, caught):
        # Two paths share the time: otherwise their points would stand among each other.
        duration = (end - start) / _paths_in_gap(row_before, row_after)
        for time, point in path_after(row_before, start, duration, beat):
            yield time, hand, point
        for time, point in path_before(row_after, end, duration, beat):
            yield time, hand, point


def path_after(
    row: int | None, start: float, lasts: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes after its event around the body, and before its
    next event.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for no event around the body.
        start: time of the event, in units of the pattern.
        lasts: time until the next event, likewise.
        beat: duration of a beat, likewise; a path takes `LONGEST_PATH` beats at most.
    """
    duration = min(lasts, LONGEST_PATH * beat)
    for share, point in BODY_THROWS[row - 1].goes if row else ():
        yield start + share * duration, point


def path_before(
    row: int | None, end: float, lasts: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes after its event before, on its way to an event
    around the body.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for no event around the body.
        end: time of the event around the body, in units of the pattern.
        lasts: time since the event before, likewise.
        beat: duration of a beat, likewise; a path takes `LONGEST_PATH` beats at most.
    """
    duration = min(lasts, LONGEST_PATH * beat)
    for share, point in BODY_THROWS[row - 1].comes if row else ():
        yield end - (1.0 - share) * duration, point


def path_of_other_hand(
    row: int, time: float, busy: Collection[float], period: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes while the juggler's other hand is around the
    body, without points too near in time to events of its own.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 for no event around the body.
        time: of the event around the body, in units of the pattern.
        busy: times at which this hand throws, catches, or passes points that the text gives.
        period: duration of the loop, in units of the pattern.
        beat: duration of a beat, likewise.
    """
    for beats, point in BODY_THROWS[row - 1].other if row else ():
        passes_at = time + beats * beat
        # Around the loop; a hand that does nothing is a whole period away from any event.
        since_last = min(((passes_at - event) % period for event in busy), default=period)
        until_next = min(((event - passes_at) % period for event in busy), default=period)
        if since_last > _MIN_TIME_AFTER_EVENT * beat and until_next > _MIN_TIME_BEFORE_EVENT * beat:
            yield passes_at, point


def offsets_meanwhile(
    time: Floats, hand: Integers, kind: Integers, rows: Integers, loop: float
) -> Floats:
    """Compute how far from its usual places a hand throws and catches while the juggler's other
    hand is around the body.

    Args:
        time: of all events, shape (E,), [s].
        hand: of all events, shape (E,), 2 · juggler + side.
        kind: of all events, shape (E,), of `EventKind`.
        rows: of `BODY_THROWS`, shape (E,), counted from 1; 0 for no event around the body.
        loop: duration of the loop, [s].

    Returns:
        Shape (E, 3), outward, up and forward, [m].
    """
    offsets = np.zeros((len(time), 3))
    weights = np.zeros(len(time))
    for event in np.flatnonzero(rows):
        offset = np.array(BODY_THROWS[rows[event] - 1].meanwhile)
        if not offset.any():
            continue
        # The weight fades as cos² from 1 at the event to 0, in time around the loop.
        distance = np.abs((time - time[event] + loop / 2) % loop - loop / 2)
        weight = np.cos(np.minimum(distance / _MEANWHILE_REACH, 1.0) * (np.pi / 2)) ** 2
        # Only usual throws and catches of the other hand; `CATCH` is the last kind of these.
        weight *= (hand == hand[event] ^ 1) & (kind <= CATCH) & (rows == 0)
        offsets += weight[:, None] * offset
        weights += weight
    # A mean where several events around the body overlap, so that offsets do not add up.
    return offsets / np.maximum(weights, 1.0)[:, None]


def fastest_tempo(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> float:
    """Return the highest tempo at which hands have time for their paths around bodies, [beats/s];
    infinite if there are none.

    Args:
        spans: from turn to turn of each hand.
        thrown: row of `BODY_THROWS`, counted from 1, 0 for none, of the throw at each site.
        caught: likewise of the catch of the prop that is thrown at each site.
        beat: duration of a beat, in units of the pattern.
    """
    fastest = math.inf
    for _hand, start, end, row_before, row_after in _gaps_between_events(spans, thrown, caught):
        # `takes` is the time of the paths to and from a body throw, [s].
        time_from = BODY_THROWS[row_before - 1].takes[1] if row_before else 0.0
        time_to = BODY_THROWS[row_after - 1].takes[0] if row_after else 0.0
        # Two paths share the gap evenly, so both get the time of the longer one.
        needed = max(time_from, time_to) * _paths_in_gap(row_before, row_after)
        if needed:
            fastest = min(fastest, (end - start) / beat / needed)
    return fastest


def _paths_in_gap(row_before: int | None, row_after: int | None) -> int:
    """Number of paths that share a gap: 2 if both its ends have one, else 1.

    Args:
        row_before, row_after: rows of `BODY_THROWS`, counted from 1, of the events at both ends; 0
            or None for an event that is not around the body.
    """
    both = (
        row_before
        and row_after
        and BODY_THROWS[row_before - 1].goes
        and BODY_THROWS[row_after - 1].comes
    )
    return 2 if both else 1


def _gaps_between_events(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int]
) -> Iterator[tuple[int, float, float, int | None, int | None]]:
    """Yield the gaps between throws and catches of hands.

    Args:
        spans: from turn to turn of each hand.
        thrown: row of `BODY_THROWS`, counted from 1, of the throw at each site.
        caught: likewise of the catch of the prop that is thrown at each site.

    Yields:
        Hand, start and end in units of the pattern, and the rows of the events at start and end.
    """
    for span in spans:
        hand = span.turn[0]
        throw_row = thrown.get(span.turn)
        catch_row = caught.get(span.following)
        next_throw_row = thrown.get(span.following)
        # Empty, then carrying.
        yield hand, span.throws, span.catches[0], throw_row, catch_row
        yield hand, span.catches[-1], span.again, catch_row, next_throw_row


def waits_in_gaps(
    times: Mapping[int, Collection[float]],
    around: Set[tuple[float, int]],
    aside: Set[tuple[float, int]],
    period: float,
    beat: float,
) -> Iterator[tuple[float, int, Point]]:
    """Yield points where hands wait in long gaps beside their points around bodies; without them
    they would swing far out on the way.

    Args:
        times: of all events of each hand, in units of the pattern.
        around: times and hands of those events that are points around bodies.
        aside: times and hands of those points that a hand passes to make room for the other hand;
            a subset of `around`.
        period: duration of the loop, in units of the pattern.
        beat: duration of a beat, likewise.

    Yields:
        Two per gap: time, hand, and point.
    """
    for hand in {hand for _, hand in around}:
        moments = sorted(times[hand])
        for start, end in zip(moments, [*moments[1:], moments[0]], strict=True):
            # A hand with a single event has the whole loop until the next.
            duration = (end - start) % period or period
            ends_around = {(start, hand), (end, hand)} & around
            if not ends_around or duration <= _LONG_GAP * beat:
                continue

            # How long after the start and before the end of the gap the hand waits, at most. A
            # hand that only made room is sooner back from, or for, a usual event.
            only_aside = ends_around <= aside
            at_usual_event = _MAX_WAIT_FROM_ASIDE if only_aside else _MAX_WAIT_FROM_END
            after_start, before_end = (
                min(
                    _WAIT_SHARE_FROM_END * duration,
                    (_MAX_WAIT_FROM_END if (time, hand) in ends_around else at_usual_event) * beat,
                )
                for time in (start, end)
            )
            yield start + after_start, hand, _WAITING_POINT
            yield start + duration - before_end, hand, _WAITING_POINT
