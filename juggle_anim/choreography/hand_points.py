"""Points that hands pass: those that a text gives to the turns of a pattern, and those before and
after body throws.

Times are in units of the pattern; points are outward, up and forward of the middle between the
hands, [m].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.body_throws import BodyThrow
from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.manners import body_throw_of_row, items_of_turns
from juggle_anim.choreography.score import CATCH, THROW, HandBeat, HandMoves, Point
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern import Pattern, hand_number

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

MIN_WAYPOINT_GAP = 0.15
"""Least time between a point that a hand passes to make room for the other hand, and a point of its
own path; otherwise it does not make room, [beats].
"""

# For this long before and after an event around the body, the other hand throws and catches
# elsewhere, [s].
_OTHER_HAND_REACH = 0.6

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


BodyThrowOfSite = Mapping[Site, BodyThrow | None]
"""How hands throw or catch around the body, by hand and beat; None for a usual throw or catch.

Hands and beats at which nothing is thrown or caught are left out.
"""


class HandWaypoint(NamedTuple):
    """A point that a hand passes.

    Attributes:
        time: in units of the pattern, in any loop.
        hand: 2 · juggler + side.
        point: outward, up and forward of the middle between the hands, [m].
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
        site: hand and beat of the turn with which it begins.
        next_site: hand and beat of the next turn; the beat is within the loop.
        throw_time: when the hand throws at the first turn.
        catch_times: when it catches what it throws at the next turn, ascending; one or more.
        next_throw_time: when it throws at the next turn.
    """

    site: Site
    next_site: Site
    throw_time: float
    catch_times: tuple[float, ...]
    next_throw_time: float


class BodyThrowSites(NamedTuple):
    """The turns (hand and beat) that have to do with throws and catches around the body.

    Attributes:
        throws: turns at which the hand throws around the body.
        catches: turns at which the hand throws a prop that it caught around the body.
        from_behind: turns at which the hand throws a prop that came to it from behind a body; such
            props come down elsewhere than usual ones.
    """

    throws: Set[Site] = frozenset()
    catches: Set[Site] = frozenset()
    from_behind: Set[Site] = frozenset()


_NO_BODY_THROWS = BodyThrowSites()


@dataclass(frozen=True)
class HandPoints:
    """The paths of hands that a text gives, assigned to the turns of a pattern in order.

    Args:
        pattern: the pattern that is juggled.
        moves: the paths, by juggler and turn; both lists repeat.
        body_throw_sites: the turns with throws and catches around the body.
    """

    pattern: Pattern
    moves: HandMoves
    body_throw_sites: BodyThrowSites = _NO_BODY_THROWS

    def thrown_from(self, site: Site) -> Point | None:
        """Return the point at which a hand throws on a beat; None if the text gives none."""
        path = self.paths_without_body_throws.get(site)
        return path.points[0] if path else None

    def caught_at(self, site: Site) -> Point | None:
        """Return the point of the catch before a throw; None if the text gives none.

        A path leads a hand from one of its turns to the next: from a throw through a catch. So the
        catch belongs to the path that began with the hand's turn before.

        Args:
            site: hand and beat of the throw after the catch.
        """
        # The text gives no paths for hands without turns.
        if site not in self._previous_sites:
            return None
        path = self.paths_without_body_throws[self._previous_sites[site]]
        return path.points[path.catch]  # `catch` is the index of its catch

    def spans(
        self, throw_time: Callable[[Site], float], catch_times: Callable[[Site], list[float]]
    ) -> Iterator[HandSpan]:
        """Yield the time spans from each turn of a hand to its next, ascending for each hand.

        A turn is a beat on which the hand may throw; it is given as a site, a hand and a beat. A
        unit of the pattern is a beat, or the part of one in which the pattern counts.

        Args:
            throw_time: gives for a site when the hand throws on that turn, or would throw if it
                had a prop, in units of the pattern.
            catch_times: gives for a site when the hand catches what it throws on that turn, or
                would catch; one or more times, ascending. Times are counted from the start of the
                loop of that turn, so that a catch in the loop before is below 0.

        Yields:
            For each turn the times of its throw, of the catches after it, and of the next throw,
            all counted from the start of the loop of the first throw. The later ones may be at or
            after its end.
        """
        for next_site, site in self._previous_sites.items():
            _hand, beat = site
            _hand, next_beat = next_site
            # If the next turn is not on a later beat, it is in the next loop. That includes a
            # hand's only turn, which follows itself.
            loop_start = self.pattern.period if next_beat <= beat else 0
            yield HandSpan(
                site=site,
                next_site=next_site,
                throw_time=throw_time(site),
                catch_times=tuple(time + loop_start for time in catch_times(next_site)),
                next_throw_time=throw_time(next_site) + loop_start,
            )

    def waypoints(
        self, throw_time: Callable[[Site], float], catch_times: Callable[[Site], list[float]]
    ) -> Iterator[HandWaypoint]:
        """Yield the points of all paths, those of throws and catches included, with their times.

        They are evenly spaced in time from the throw to the first catch, and from the last catch to
        the next throw.

        Args:
            throw_time, catch_times: give for a turn (hand and beat) when the hand throws then, and
                when it catches before that, in units of the pattern; see `spans`.
        """
        # A path has points for the time of a hand from one turn to its next: the first is where it
        # throws, and the one with the index `path.catch` where it catches.
        for span in self.spans(throw_time, catch_times):
            path = self.paths_without_body_throws[span.site]
            hand, _beat = span.site
            for point_index, point in enumerate(path.points):
                # None stands for a point at which the hand goes where it usually would.
                if point is None:
                    continue
                if point_index <= path.catch:
                    # Empty, from the throw (index 0) to the first catch. No text can put the catch
                    # at index 0; the condition only rules out a division by 0.
                    start = span.throw_time
                    end = span.catch_times[0]
                    share_of_time = point_index / path.catch if path.catch else 0.0
                else:
                    # Carrying, from the last catch to the next throw.
                    start = span.catch_times[-1]
                    end = span.next_throw_time
                    share_of_time = (point_index - path.catch) / (len(path.points) - path.catch)
                yield HandWaypoint(start + share_of_time * (end - start), hand, point)

    @cached_property
    def paths(self) -> dict[Site, HandBeat]:
        """The path of a hand from each of its turns to its next, by hand and beat of the turn.

        A juggler's turns, of both hands in the order of beats, take the juggler's paths one after
        another, and begin again after the last path.
        """
        paths = items_of_turns(self.pattern, self.moves.beats)
        return {
            (hand_number(juggler, side), beat): path
            for (beat, juggler, side), path in paths.items()
        }

    @cached_property
    def paths_without_body_throws(self) -> dict[Site, HandBeat]:
        """The paths of `paths` with None for points that body throws and catches replace."""
        if not any(self.body_throw_sites):
            return self.paths
        next_sites = {site: next_site for next_site, site in self._previous_sites.items()}
        return {
            site: path_without_body_throws(path, site, next_sites[site], self.body_throw_sites)
            for site, path in self.paths.items()
        }

    @cached_property
    def _previous_sites(self) -> dict[Site, Site]:
        """For each turn of a hand its previous turn around the loop, both as hand and beat.

        If a hand has only one turn in the loop, that is its own previous turn. Hands come one after
        another, each with its beats ascending.
        """
        # Index −1, before the first turn, is the last turn of the loop.
        return {
            (hand, beat): (hand, beats[index - 1])
            for hand, beats in self.pattern.beats_of_hands.items()
            for index, beat in enumerate(beats)
        }


def path_without_body_throws(
    path: HandBeat, site: Site, next_site: Site, body_throw_sites: BodyThrowSites
) -> HandBeat:
    """Return a hand's path with None for points that throws and catches around the body replace.

    - A path that the text marks as around the body stays whole.
    - In any other path the point of a throw or a catch around the body becomes None, and so do the
      points on the way to it and from it.
    - If a prop is thrown from behind a body, it comes down elsewhere than usual: then the point of
      its catch alone becomes None.

    Args:
        path: path of a hand from one of its turns to the next, whose `catch` is not 0.
        site: hand and beat with which the path begins.
        next_site: hand and beat of the next turn of this hand.
        body_throw_sites: the turns with throws and catches around the body.
    """
    is_thrown_around = site in body_throw_sites.throws
    is_caught_around = next_site in body_throw_sites.catches
    is_next_thrown_around = next_site in body_throw_sites.throws
    is_caught_elsewhere = is_caught_around or next_site in body_throw_sites.from_behind
    is_affected = is_thrown_around or is_caught_elsewhere or is_next_thrown_around
    if path.goes_around_body or not is_affected:
        return path

    # A path has one point for the throw, some for the empty hand, one for the catch, and some for
    # the carrying hand; the next throw is the first point of the next path.
    points: list[Point | None] = list(path.points)
    if is_thrown_around:
        points[0] = None
    if is_thrown_around or is_caught_around:
        points[1 : path.catch] = [None] * (path.catch - 1)
    if is_caught_elsewhere:
        points[path.catch] = None
    if is_caught_around or is_next_thrown_around:
        points[path.catch + 1 :] = [None] * (len(points) - path.catch - 1)
    return replace(path, points=tuple(points))


def waypoints_around_bodies(
    spans: Iterable[HandSpan], thrown: BodyThrowOfSite, caught: BodyThrowOfSite, beat_length: float
) -> Iterator[HandWaypoint]:
    """Yield the waypoints of hands on their way to and from body throws and catches.

    A waypoint is a point that a hand passes between throws and catches. A unit of the pattern is a
    beat, or the part of one in which the pattern counts.

    Args:
        spans: the times of hands from each of their turns to the next: throw, catches, next throw.
        thrown: how the hand throws at each site (hand and beat); None if not around the body.
        caught: how it catches the prop that it throws at each site; None if not around the body.
        beat_length: duration of a beat, in units of the pattern.
    """
    # A gap is the time of a hand from a throw to its next catch, or from there to its next throw.
    for gap in _hand_gaps(spans, thrown, caught):
        # Where one path leads away from the body and another to it again, each gets half of the
        # gap. With all of it, the points of the two would be interleaved.
        time_for_path = (gap.end - gap.start) / gap.path_count
        leaving = points_after_event(gap.body_throw_before, gap.start, time_for_path, beat_length)
        coming = points_before_event(gap.body_throw_after, gap.end, time_for_path, beat_length)
        for time, point in (*leaving, *coming):
            yield HandWaypoint(time, gap.hand, point)


def points_after_event(
    body_throw: BodyThrow | None, start: float, available: float, beat_length: float
) -> Iterator[tuple[float, Point]]:
    """Yield the path of a hand back from a throw or catch around the body, as times and points.

    A unit of the pattern is a beat, or the part of one in which the pattern counts. Points are
    outward, up and forward of the midpoint between the hands at rest, [m].

    Args:
        body_throw: how the hand throws or catches around the body; None for a throw or catch in
            front of it, which has no such path.
        start: time of the throw or catch, in units of the pattern.
        available: time that the path may take, in the same units.
        beat_length: duration of a beat, in the same units; a path takes `LONGEST_PATH` beats at
            most.
    """
    if body_throw is None:
        return
    duration = min(available, LONGEST_PATH * beat_length)
    # `goes` has the points after the event, each with the share of the path's time until then.
    for share, point in body_throw.goes:
        yield start + share * duration, point


def points_before_event(
    body_throw: BodyThrow | None, end: float, available: float, beat_length: float
) -> Iterator[tuple[float, Point]]:
    """Yield the path of a hand to a throw or catch around the body, as times and points.

    A unit of the pattern is a beat, or the part of one in which the pattern counts. Points are
    outward, up and forward of the midpoint between the hands at rest, [m].

    Args:
        body_throw: how the hand throws or catches around the body; None for a throw or catch in
            front of it, which has no such path.
        end: time of the throw or catch, in units of the pattern.
        available: time that the path may take, in the same units.
        beat_length: duration of a beat, in the same units; a path takes `LONGEST_PATH` beats at
            most.
    """
    if body_throw is None:
        return
    duration = min(available, LONGEST_PATH * beat_length)
    # `comes` has the points before the event, each with the share of the path's time until then.
    for share, point in body_throw.comes:
        yield end - (1.0 - share) * duration, point


def other_hand_points(
    body_throw: BodyThrow | None,
    time: float,
    busy_times: Collection[float],
    period: float,
    beat_length: float,
) -> Iterator[tuple[float, Point]]:
    """Yield times and points by which a hand makes room for the other hand around the body.

    Points are left out that come too soon after an event of this hand or too soon before one; more
    time is needed before an event than after it. A unit of the pattern is a beat, or the part of
    one in which the pattern counts.

    Args:
        body_throw: what the other hand does; None for a usual event, for which there are no points.
        time: time of the other hand's event, in units of the pattern.
        busy_times: when this hand throws, catches, or passes points that the text gives,
            in the same units; in any order, may be empty.
        period: duration of the loop, in the same units.
        beat_length: duration of a beat, in the same units.

    Yields:
        Time in units of the pattern, in any loop, and point: outward, up, forward, [m].
    """
    if body_throw is None:
        return
    for beats_later, point in body_throw.other:
        passes_at = time + beats_later * beat_length
        # Times count around the loop. A hand without events counts as a whole period away from one.
        since_last = min(((passes_at - busy) % period for busy in busy_times), default=period)
        until_next = min(((busy - passes_at) % period for busy in busy_times), default=period)
        if (
            since_last > _MIN_TIME_AFTER_EVENT * beat_length
            and until_next > _MIN_TIME_BEFORE_EVENT * beat_length
        ):
            yield passes_at, point


def other_hand_offsets(
    time: Floats, hand: Integers, kind: Integers, body_throw_rows: Integers, loop: float
) -> Floats:
    """Displacements of throws and catches while the juggler's other hand is around the body.

    The body throw of the other hand gives the displacement, which fades with the time between the
    two events. Waypoints and events around the body are not displaced.

    Args:
        time: times of the E events, shape (E,), [s].
        hand: hands of the events, shape (E,), 2 · juggler + side (0 left, 1 right).
        kind: kinds of the events, shape (E,), of `EventKind`.
        body_throw_rows: for each event its row in the table of body throws, counted from 1, and 0
            for an event that is not around the body, shape (E,).
        loop: duration of the loop, [s].

    Returns:
        Displacement of each event from its usual place, shape (E, 3), outward, up and forward, [m].
    """
    is_displaceable = ((kind == THROW) | (kind == CATCH)) & (body_throw_rows == 0)
    offsets = np.zeros((len(time), 3))
    weights = np.zeros(len(time))
    for body_throw_event in np.flatnonzero(body_throw_rows):
        body_throw = body_throw_of_row(int(body_throw_rows[body_throw_event]))
        # `meanwhile` is the displacement of the other hand: outward, up and forward, [m].
        if body_throw is None or not any(body_throw.meanwhile):
            continue
        # The weight fades as cos² from 1 at the time of the event to 0 `_OTHER_HAND_REACH` before
        # and after it. Times between events are the shorter ones around the loop.
        time_apart = np.abs((time - time[body_throw_event] + loop / 2) % loop - loop / 2)
        weight = np.cos(np.minimum(time_apart / _OTHER_HAND_REACH, 1.0) * (np.pi / 2)) ** 2
        is_other_hand = hand == hand[body_throw_event] ^ 1  # of the same juggler
        weight *= is_other_hand & is_displaceable
        offsets += weight[:, None] * np.array(body_throw.meanwhile)
        weights += weight
    # Where events around the body overlap so that their weights sum to more than 1, the weighted
    # mean of their offsets, and not the sum. A smaller sum is kept, so that the offset fades.
    return offsets / np.maximum(weights, 1.0)[:, None]


def fastest_tempo(
    spans: Iterable[HandSpan], thrown: BodyThrowOfSite, caught: BodyThrowOfSite, beat_length: float
) -> float:
    """Return the highest tempo at which hands have time for their paths around bodies, [beats/s].

    A path leads from a usual throw or catch to one around the body, or back. Some paths need a
    least time in seconds; the pattern gives a path a number of beats, so the tempo may be that
    number per least time. Infinite if no path needs a least time. A unit of the pattern is a beat,
    or the part of one in which the pattern counts.

    Args:
        spans: the times of hands from each of their turns to the next: throw, catches, next throw;
            in units of the pattern.
        thrown: how the hand throws at each site (hand and beat); None if not around the body.
        caught: how it catches the prop that it throws at each site; None if not around the body.
        beat_length: duration of a beat, in units of the pattern.
    """
    fastest = math.inf
    # A gap is the time of a hand from a throw to its next catch, or from there to its next throw.
    for gap in _hand_gaps(spans, thrown, caught):
        # The gap begins with a path from the body throw before, and ends with one to the body throw
        # after, if there are such. `takes` has the least times of the paths to and from a throw.
        time_from = 0.0
        if gap.body_throw_before:
            _time_to, time_from = gap.body_throw_before.takes
        time_to = 0.0
        if gap.body_throw_after:
            time_to, _time_from = gap.body_throw_after.takes
        # Two paths share the gap evenly, so both get the time of the longer one.
        seconds_needed = max(time_from, time_to) * gap.path_count
        if seconds_needed:
            beats = (gap.end - gap.start) / beat_length
            fastest = min(fastest, beats / seconds_needed)
    return fastest


class _HandGap(NamedTuple):
    """The time of a hand from a throw or catch to its next one.

    Attributes:
        hand: 2 · juggler + side.
        start, end: times of both events, in units of the pattern.
        body_throw_before, body_throw_after: how the hand throws or catches at start and end; None
            for a usual event, or if there is none.
    """

    hand: int
    start: float
    end: float
    body_throw_before: BodyThrow | None
    body_throw_after: BodyThrow | None

    @property
    def path_count(self) -> int:
        """Number of paths that share the gap: 2 if one leads from the body and one to it, else 1.

        Some body throws have no points on the way there or back; then the other path has all the
        time.
        """
        before = self.body_throw_before
        after = self.body_throw_after
        return 2 if before and after and before.goes and after.comes else 1


def _hand_gaps(
    spans: Iterable[HandSpan], thrown: BodyThrowOfSite, caught: BodyThrowOfSite
) -> Iterator[_HandGap]:
    """Yield the gaps between throws and catches of hands, two for each span.

    A span is the time from one turn of a hand to its next. The first gap is from the throw to the
    first catch, while the hand is empty; the second from the last catch to the next throw, while it
    carries. Between several catches there is no gap.

    Args:
        spans: the times of hands from each of their turns to the next.
        thrown: how the hand throws at each site (hand and beat), by site; None for a usual throw.
        caught: how the hand catches the prop that it throws at each site; None if not around the
            body.
    """
    for span in spans:
        hand, _beat = span.site
        throw = thrown.get(span.site)
        catch = caught.get(span.next_site)
        next_throw = thrown.get(span.next_site)
        empty = _HandGap(
            hand=hand,
            start=span.throw_time,
            end=span.catch_times[0],
            body_throw_before=throw,
            body_throw_after=catch,
        )
        carrying = _HandGap(
            hand=hand,
            start=span.catch_times[-1],
            end=span.next_throw_time,
            body_throw_before=catch,
            body_throw_after=next_throw,
        )
        yield empty
        yield carrying


def waiting_points(
    times_of_hand: Mapping[int, Collection[float]],
    waypoints: Set[tuple[float, int]],
    waypoints_aside: Set[tuple[float, int]],
    period: float,
    beat_length: float,
) -> Iterator[HandWaypoint]:
    """Yield waypoints where hands wait in long gaps before and after waypoints around bodies.

    Without a place to wait in, hands would swing far out in long gaps. A gap is the time from one
    event or waypoint of a hand to the next; it is long if it takes more than `_LONG_GAP` (1.5)
    beats. A unit of the pattern is a beat, or the part of one in which the pattern counts.

    Args:
        times_of_hand: for each hand that has any, the times of all its events and waypoints within
            the loop, in units of the pattern, in any order.
        waypoints: times and hands of the waypoints around bodies; each time is also in
            `times_of_hand`.
        waypoints_aside: times and hands of those that a hand passes only to make room for the other
            hand; a subset of `waypoints`.
        period: duration of the loop, in the same units.
        beat_length: duration of a beat, in the same units.

    Yields:
        For each long gap the start and the end of the wait, at times that may be beyond the loop.
    """
    for hand in {hand for _, hand in waypoints}:
        times = sorted(times_of_hand[hand])
        for start, end in zip(times, [*times[1:], times[0]], strict=True):
            # From a hand's only event to itself the remainder is 0, but the gap is a whole loop.
            duration = (end - start) % period or period
            # Of the two ends of the gap those that are waypoints around the body.
            ends_at_waypoints = {(start, hand), (end, hand)} & waypoints
            if not ends_at_waypoints or duration <= _LONG_GAP * beat_length:
                continue

            # Between each end of the gap and the wait is time for the way: a share of the gap, up
            # to a limit in beats. If the waypoints at the ends only make room (a subset of
            # `waypoints_aside`), the way does not lead around the body, so the limit at a usual
            # throw or catch is lower.
            limit_at_waypoint = _MAX_WAIT_FROM_END
            limit_at_event = _MAX_WAIT_FROM_END
            if ends_at_waypoints <= waypoints_aside:
                limit_at_event = _MAX_WAIT_FROM_ASIDE
            limit_after_start = limit_at_waypoint if (start, hand) in waypoints else limit_at_event
            limit_before_end = limit_at_waypoint if (end, hand) in waypoints else limit_at_event
            share_of_gap = _WAIT_SHARE_FROM_END * duration
            after_start = min(share_of_gap, limit_after_start * beat_length)
            before_end = min(share_of_gap, limit_before_end * beat_length)
            yield HandWaypoint(start + after_start, hand, _WAITING_POINT)
            yield HandWaypoint(start + duration - before_end, hand, _WAITING_POINT)
