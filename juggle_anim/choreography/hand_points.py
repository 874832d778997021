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
"""If one end of a gap is a point around the body, and the gap is longer than this, the hand waits
in front of the body meanwhile, [beats].
"""

SLOWEST_BEAT = 0.7
"""Longest beat by which the durations of paths are measured, [s]. Where beats are longer, paths
take no more time than with beats of this length, and hands wait for the rest of it.
"""

LONGEST_PATH = 1.4
"""The longest time that a path takes before or after its throw or catch, [beats]."""

# A hand passes points to make room for the other hand. Least time from its own event to such a
# point, and from such a point to its next event, [beats].
_MIN_TIME_AFTER_EVENT = 0.25
_MIN_TIME_BEFORE_EVENT = 0.39

CLOSE = 0.15
"""Least time between a point that a hand passes to make room for the other hand, and a point of its
own path; otherwise it does not make room, [beats].
"""

# For this long before and after an event around the body, the other hand throws and catches
# elsewhere, [s].
_MEANWHILE_REACH = 0.6

# Where a hand waits in a long gap: outward, up and forward, [m]. It waits there from some time
# after the start of the gap until as long before its end: this share of the gap, but no more than
# the number of beats after it.
_WAITING_POINT = (0.18, 0.08, 0.03)
_WAIT_SHARE_FROM_END = 0.35
_MAX_WAIT_FROM_END = 0.6

# The limit in beats at an end of the gap that is a usual event, if the hand only made room for the
# other one at the other end. It is lower because a hand swings farther down before a usual throw
# the longer it takes to get there.
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
    """The time of a hand from one of its turns to the next.

    Times are in units of the pattern, in one count that goes on beyond the end of the loop. A hand
    that throws or catches nothing at a turn has the times at which it would do so.

    Args:
        turn: hand and beat of the turn with which it begins.
        following: hand and beat of the next turn; the beat is within the loop.
        throws: when the hand throws at the first turn.
        catches: when it catches what it throws at the next turn, ascending; one or more.
        again: when it throws at the next turn.
    """

    turn: Site
    following: Site
    throws: float
    catches: tuple[float, ...]
    again: float


class Around(NamedTuple):
    """The turns (hand and beat) that have to do with throws and catches around the body.

    Attributes:
        throws: turns at which the hand throws around the body.
        catches: turns at which it throws what it caught around the body.
        from_behind: turns at which it throws what was thrown to it from behind a body; such throws
            come down elsewhere than usual ones.
    """

    throws: Set[Site] = frozenset()
    catches: Set[Site] = frozenset()
    from_behind: Set[Site] = frozenset()


_NOTHING = Around()


@dataclass(frozen=True)
class HandPoints:
    """The paths of hands that a text gives, assigned to the turns of a pattern in order.

    Args:
        pattern: what is juggled.
        moves: the paths, by juggler and turn; both lists repeat.
        around: the turns with throws and catches around the body.
    """

    pattern: Pattern
    moves: HandMoves
    around: Around = _NOTHING

    def thrown_from(self, site: Site) -> Point | None:
        """Return where a hand throws on a beat; None if the text does not say."""
        path = self.held_beats.get(site)
        return path.points[0] if path else None

    def caught_at(self, site: Site) -> Point | None:
        """Return where a hand catches what it throws on a beat; None if the text does not say.

        The catch belongs to the path that began with the hand's turn before.

        Args:
            site: hand and beat of the throw after the catch.
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
        """Yield the time from each turn of a hand to its next; each hand's in ascending order.

        Args:
            leave: as in `waypoints`.
            caught: as in `waypoints`.
        """
        period = self.pattern.period
        for site, (hand, beat) in self._previous_turns.items():
            # If the next turn is not on a later beat, it is in the next loop. That includes a
            # hand's only turn, which follows itself.
            loop = period if site[1] <= beat else 0
            catches = tuple(time + loop for time in caught(site))
            yield HandSpan((hand, beat), site, leave((hand, beat)), catches, leave(site) + loop)

    def waypoints(
        self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]
    ) -> Iterator[HandWaypoint]:
        """Yield the points of all paths with their times.

        They are evenly spaced in time from the throw to the first catch, and from the last catch to
        the next throw. Throws and catches are among them.

        Args:
            leave: gives, for a hand and a beat, when the hand throws or would throw, in units of
                the pattern.
            caught: gives, for a hand and a beat, when the hand catches or would catch what it
                throws on that beat; one or more times, ascending.
        """
        for span in self.spans(leave, caught):
            path = self.held_beats[span.turn]
            hand = span.turn[0]
            for number, point in enumerate(path.points):
                # None stands for a point at which the hand goes where it usually would.
                if point is None:
                    continue
                if number <= path.catch:
                    # Empty, from the throw (number 0) to the first catch. No text can put the catch
                    # at number 0; the condition only rules out a division by 0.
                    start = span.throws
                    end = span.catches[0]
                    share = number / path.catch if path.catch else 0.0
                else:
                    # Carrying, from the last catch to the next throw.
                    start = span.catches[-1]
                    end = span.again  # time of the next throw
                    share = (number - path.catch) / (len(path.points) - path.catch)
                yield HandWaypoint(start + share * (end - start), hand, point)

    @cached_property
    def hand_beats(self) -> dict[Site, HandBeat]:
        """The path of a hand from each of its turns to its next, by hand and beat of the turn.

        A juggler's turns, of both hands in the order of beats, take the juggler's paths one after
        another, and begin again after the last path.
        """
        hand_beats: dict[Site, HandBeat] = {}
        turns_before = [0] * self.pattern.jugglers
        for beat, juggler, side in self.pattern.turns:
            paths = self.moves.beats[juggler % len(self.moves.beats)]
            hand_beats[2 * juggler + side, beat] = paths[turns_before[juggler] % len(paths)]
            turns_before[juggler] += 1

        # The second half of a mirrored pattern has the paths of the first, with hands exchanged
        # (`hand ^ 1`).
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
        """The paths of `hand_beats` with None for points that body throws and catches replace."""
        if not any(self.around):
            return self.hand_beats
        following = {turn: site for site, turn in self._previous_turns.items()}
        return {
            turn: held_path(path, turn, following[turn], self.around)
            for turn, path in self.hand_beats.items()
        }

    @cached_property
    def _previous_turns(self) -> dict[Site, Site]:
        """For each turn, the turn before it of the same hand, around the loop.

        A hand's only turn is its own. Hands come one after another, each with its beats ascending.
        """
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

    A path that the text marks as around the body stays whole. In any other, a throw or a catch
    around the body becomes None, and so do the points on the way to it and from it. A catch also
    becomes None if the prop comes from behind a body, but the points around it then stay.

    Args:
        path: of a hand from one of its turns to the next, whose `catch` is not 0.
        turn: hand and beat with which the path begins.
        following: hand and beat of the next turn of this hand.
        around: the turns with throws and catches around the body.
    """
    thrown = turn in around.throws
    caught = following in around.catches
    thrown_next = following in around.throws
    lands_elsewhere = caught or following in around.from_behind
    if path.around or not (thrown or lands_elsewhere or thrown_next):
        return path

    # A path has one point for the throw, some for the empty hand, one for the catch, and some for
    # the carrying hand; the next throw is the first point of the next path. Whether each is
    # replaced, in this order:
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
        spans: from each turn of a hand to its next.
        thrown: for each site (hand and beat) with a throw, its row of `BODY_THROWS`, counted from
            1; 0 for a usual throw.
        caught: likewise for the catch of the prop that is thrown at each site.
        beat: duration of a beat, in units of the pattern.

    Yields:
        Time in units of the pattern, in any loop; hand, 2 · juggler + side; and point: outward, up,
        forward, [m].
    """
    for hand, start, end, row_before, row_after in _gaps_between_events(spans, thrown, caught):
        # Where one path leads away from the body and another to it again, each gets half of the
        # gap. With all of it, the points of the two would be interleaved.
        duration = (end - start) / _paths_in_gap(row_before, row_after)
        for time, point in path_after(row_before, start, duration, beat):
            yield time, hand, point
        for time, point in path_before(row_after, end, duration, beat):
            yield time, hand, point


def path_after(
    row: int | None, start: float, available: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes after its event around the body.

    The path begins with the event, and ends when the available time is over, or before.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for a usual event, which has no path.
        start: time of the event, in units of the pattern.
        available: time that the path may take, likewise.
        beat: duration of a beat, likewise; a path takes `LONGEST_PATH` beats at most.
    """
    duration = min(available, LONGEST_PATH * beat)
    for share, point in BODY_THROWS[row - 1].goes if row else ():
        yield start + share * duration, point


def path_before(
    row: int | None, end: float, available: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes on its way to an event around the body.

    The path ends with the event, and begins as long before it as time is available, or later.

    Args:
        row: of `BODY_THROWS`, counted from 1; 0 or None for a usual event, which has no path.
        end: time of the event around the body, in units of the pattern.
        available: time that the path may take, likewise.
        beat: duration of a beat, likewise; a path takes `LONGEST_PATH` beats at most.
    """
    duration = min(available, LONGEST_PATH * beat)
    # `share` counts from the start of the path, as in `path_after`.
    for share, point in BODY_THROWS[row - 1].comes if row else ():
        yield end - (1.0 - share) * duration, point


def path_of_other_hand(
    row: int, time: float, busy: Collection[float], period: float, beat: float
) -> Iterator[tuple[float, Point]]:
    """Yield the times and points that a hand passes while the other hand is around the body.

    Points are left out that come too soon after an event of this hand or too soon before one; more
    time is needed before an event than after it.

    Args:
        row: of `BODY_THROWS`, counted from 1, of what the other hand does; 0 for a usual event, for
            which there are no points.
        time: of the other hand's event, in units of the pattern.
        busy: times at which this hand throws, catches, or passes points that the text gives,
            likewise; in any order, may be empty.
        period: duration of the loop, likewise.
        beat: duration of a beat, likewise.

    Yields:
        Time in units of the pattern, in any loop, and point: outward, up, forward, [m].
    """
    for beats, point in BODY_THROWS[row - 1].other if row else ():
        passes_at = time + beats * beat
        # Times count around the loop. A hand without events counts as a whole period away from one.
        since_last = min(((passes_at - event) % period for event in busy), default=period)
        until_next = min(((event - passes_at) % period for event in busy), default=period)
        if since_last > _MIN_TIME_AFTER_EVENT * beat and until_next > _MIN_TIME_BEFORE_EVENT * beat:
            yield passes_at, point


def offsets_meanwhile(
    time: Floats, hand: Integers, kind: Integers, rows: Integers, loop: float
) -> Floats:
    """Return how far hands move out of the way while the juggler's other hand is around the body.

    Only usual throws and catches are displaced, not waypoints, nor events around the body.

    Args:
        time: of the E events, shape (E,), [s].
        hand: of the events, shape (E,), 2 · juggler + side.
        kind: of the events, shape (E,), of `EventKind`.
        rows: of the events in `BODY_THROWS`, shape (E,), counted from 1; 0 for an event that is not
            around the body.
        loop: duration of the loop, [s].

    Returns:
        Displacement of each event from its usual place, shape (E, 3), outward, up and forward, [m].
    """
    offsets = np.zeros((len(time), 3))
    weights = np.zeros(len(time))
    for event in np.flatnonzero(rows):
        offset = np.array(BODY_THROWS[rows[event] - 1].meanwhile)
        if not offset.any():
            continue
        # The weight fades as cos² from 1 at the time of the event to 0 `_MEANWHILE_REACH` before
        # and after it. `distance` is the shorter time between two events around the loop.
        distance = np.abs((time - time[event] + loop / 2) % loop - loop / 2)
        weight = np.cos(np.minimum(distance / _MEANWHILE_REACH, 1.0) * (np.pi / 2)) ** 2
        # Only the other hand of the same juggler (`^ 1`), and only throws and catches: their kinds
        # are 0 and 1, and those of waypoints are above.
        weight *= (hand == hand[event] ^ 1) & (kind <= CATCH) & (rows == 0)
        offsets += weight[:, None] * offset
        weights += weight
    # Where several events around the body overlap and their weights sum to more than 1, divide by
    # that sum: the mean of their offsets. A smaller sum is no mean, as the offset is to fade.
    return offsets / np.maximum(weights, 1.0)[:, None]


def fastest_tempo(
    spans: Iterable[HandSpan], thrown: Mapping[Site, int], caught: Mapping[Site, int], beat: float
) -> float:
    """Return the highest tempo at which hands have time for their paths around bodies, [beats/s].

    It is infinite if there are no such paths.

    Args:
        spans: as in `paths_around_bodies`.
        thrown: as in `paths_around_bodies`.
        caught: as in `paths_around_bodies`.
        beat: duration of a beat, in units of the pattern.
    """
    fastest = math.inf
    for _hand, start, end, row_before, row_after in _gaps_between_events(spans, thrown, caught):
        # `takes` has the least times of the paths to and from a body throw, in this order, [s].
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
    # Some body throws have no points on the way there or back; then the other path has all the
    # time.
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
    """Yield the gaps between throws and catches of hands, two for each span.

    The first is from the throw to the first catch, while the hand is empty; the second from the
    last catch to the next throw, while it carries. Between several catches there are no paths.

    Args:
        spans: as in `paths_around_bodies`.
        thrown: as in `paths_around_bodies`.
        caught: as in `paths_around_bodies`.

    Yields:
        Hand, 2 · juggler + side; start and end in units of the pattern; and the rows of the events
        at start and end in `BODY_THROWS`, counted from 1, 0 for a usual event and None where
        nothing is thrown or caught.
    """
    for span in spans:
        hand = span.turn[0]
        throw_row = thrown.get(span.turn)
        catch_row = caught.get(span.following)
        next_throw_row = thrown.get(span.following)
        # While the hand is empty, and while it carries.
        yield hand, span.throws, span.catches[0], throw_row, catch_row
        yield hand, span.catches[-1], span.again, catch_row, next_throw_row


def waits_in_gaps(
    times: Mapping[int, Collection[float]],
    around: Set[tuple[float, int]],
    aside: Set[tuple[float, int]],
    period: float,
    beat: float,
) -> Iterator[tuple[float, int, Point]]:
    """Yield points where hands wait in long gaps before and after their points around bodies.

    Without these points, hands would swing far out on the way.

    Args:
        times: for each hand that has any, the times of all its events and waypoints within the
            loop, in units of the pattern, in any order.
        around: times and hands of the waypoints around bodies; each time is also in `times`.
        aside: times and hands of those that a hand passes only to make room for the other hand; a
            subset of `around`.
        period: duration of the loop, likewise.
        beat: duration of a beat, likewise.

    Yields:
        For each long gap two triples, for the start and the end of the wait: time, perhaps beyond
        the loop; hand; and point, outward, up and forward, [m].
    """
    for hand in {hand for _, hand in around}:
        moments = sorted(times[hand])
        for start, end in zip(moments, [*moments[1:], moments[0]], strict=True):
            # From a hand's only event to itself the remainder is 0, but the gap is a whole loop.
            duration = (end - start) % period or period
            ends_around = {(start, hand), (end, hand)} & around
            if not ends_around or duration <= _LONG_GAP * beat:
                continue

            # How long after the start of the gap the wait begins, and how long before its end it is
            # over. An end that is a usual event has the lower limit if the hand only makes room for
            # the other one at the other end; then it need not come from, or go, around the body.
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
