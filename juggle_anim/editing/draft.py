"""The draft: what operations of editing take and return, a pattern with its settings or events with
their own times.

Places as settings: the texts of `hands`, `catches` and `body` that put hands and bodies where
they are wanted.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    CATCH,
    CATCHES,
    HOLD,
    MOVE,
    OVERHEAD,
    STYLES,
    THROW,
    USUAL_PATH,
    BodyKeyframes,
    BodyPlace,
    Catches,
    Choreography,
    Events,
    HandBeat,
    HandMoves,
    HandPoints,
    HandSpan,
    HandStyle,
    Point,
    PropLook,
    Score,
    Site,
    Staging,
    body_keyframes,
    catch_word,
    choreograph,
    holds,
    path_without_body_throws,
    repeat_to_full_loop,
    timed_events,
)
from juggle_anim.choreography.unroll import unroll
from juggle_anim.editing.symmetry import (
    SAME_TIME,
    Symmetry,
    matching_events,
    outward_places,
    repeat_time,
    time_apart,
    written_symmetries,
)
from juggle_anim.errors import ChoreographyError, EditError, JuggleError, counted, hand_in_words
from juggle_anim.language import N_, _
from juggle_anim.notation import (
    find_pattern,
    read_settings,
    shortest_period,
    write_body,
    write_hands,
    write_settings,
)
from juggle_anim.notation.jml.conversion import covered
from juggle_anim.parameters import BEAT_PARAMETERS, DEFAULTS, Parameters
from juggle_anim.pattern import Pattern, hand_of
from juggle_anim.vectors import inverse_permutation, times_in_loop

DIGITS = 3
"""Digits of a centimetre to which places by hand are written: a hundredth of a millimetre."""

SAME_PLACE = 1.5e-5
"""What differs by less is written alike, [m]."""

POINT_TIME = 5e-4
"""By how much a point of a path may come earlier or later in settings, which have it at even steps,
[s].
"""

_DIGITS_OF_DEGREES = 4

# Steps from a throw to a catch, from a catch to a throw, and within a beat of a body.
_STEP_COUNTS = range(1, 13)


def flight_sites(pattern: Pattern) -> list[tuple[Site, Site]]:
    """Return, for each flight, the site of its throw and the site of its prop's next throw.

    A site is a hand on one of its beats, (hand, beat); a hand is 2 · juggler + side. Throws whose
    prop stays in the hand begin no flight.
    """
    sites = [(hand_of(throw), throw.beat) for throw in pattern.throws]
    return [
        (site, sites[landing])
        for site, landing, held in zip(sites, pattern.landings, holds(pattern), strict=True)
        if not held
    ]


def next_turns(pattern: Pattern) -> dict[Site, Site]:
    """Return, for each turn of a hand (hand, beat), the next turn of that hand in the loop."""
    return {
        (hand, beat): (hand, next_beat)
        for hand, beats in pattern.beats_of_hands.items()
        for beat, next_beat in zip(beats, [*beats[1:], beats[0]], strict=True)
    }


def paths_by_turn(pattern: Pattern, hands: HandMoves | None) -> dict[Site, HandBeat]:
    """Return, for each turn of a hand (hand, beat), its path in the settings from there on."""
    return HandPoints(pattern, hands or HandMoves("", ((USUAL_PATH,),))).paths


def lowered(style: HandStyle, point: Sequence[float] | Floats) -> Point:
    """Return a point without the lift of a hand style: the inverse of `HandStyle.raised_point`.

    How far a style lifts a point depends on the height `up` of the point over the hands' usual
    places:

    - by `hands_up` at their height or below (up <= 0);
    - not at all at `OVERHEAD` or higher;
    - in between, by less in proportion.

    Args:
        style: the style of the hands.
        point: the lifted point: outward, up and forward of the usual places, [m].
    """
    outward, lifted_up, forward = point
    lift = style.hands_up
    if not lift or lifted_up >= OVERHEAD:
        up = lifted_up
    elif lifted_up <= lift:
        up = lifted_up - lift
    else:
        # lifted_up = up + lift · (1 − up / OVERHEAD), solved for up.
        up = (lifted_up - lift) / (1 - lift / OVERHEAD)
    return outward, up, forward


def write_paths(
    pattern: Pattern, paths: Mapping[Site, HandBeat], digits: int = DIGITS
) -> HandMoves | None:
    """Return the `HandMoves` with the shortest text for given paths; None if all are default paths.

    If the second half of the loop mirrors the first, only the first half is written.

    Args:
        pattern: the pattern of a full loop.
        paths: the path from each turn of a hand on, by hand and beat.
        digits: decimals of a centimetre to which points are rounded.
    """

    def as_written(path: HandBeat) -> HandBeat:
        """Return a path with its points rounded to `digits`."""
        if not any(path.points):
            return USUAL_PATH
        # None, a point that is left to the hand style, stays.
        points = [None if point is None else rounded(point, digits) for point in path.points]
        return replace(path, points=tuple(points))

    # The paths of each juggler, in the order of turns.
    paths_of_jugglers: list[list[HandBeat]] = [[] for _ in range(pattern.jugglers)]
    for beat, juggler, side in pattern.turns:
        if not pattern.mirrored or beat < pattern.period // 2:
            paths_of_jugglers[juggler].append(as_written(paths[2 * juggler + side, beat]))
    if all(path == USUAL_PATH for of_juggler in paths_of_jugglers for path in of_juggler):
        return None
    return write_hands(paths_of_jugglers)


def rounded(point: Sequence[float], digits: int = DIGITS) -> Point:
    """Return a point [m], rounded to some decimals of a centimetre."""
    outward, up, forward = (round(100 * coordinate, digits) / 100 for coordinate in point)
    return outward, up, forward


def points_coincide(
    time: Floats,
    position: Floats,
    other_time: Floats,
    other_position: Floats,
    loop: float,
    tolerance: float = POINT_TIME,
) -> Booleans:
    """Return whether points of hand paths coincide with others in time and place.

    Settings round times and places, so small differences are tolerated.

    Args:
        time, other_time: times of points, [s]; shapes that broadcast to that of the result.
        position, other_position: their places, with a last axis of 3, [m].
        loop: duration of the loop, [s].
        tolerance: how far their times may be apart, [s].
    """
    is_same_time = np.abs(time_apart(time, other_time, loop)) < tolerance
    is_same: Booleans = is_same_time & (np.abs(position - other_position).max(axis=-1) < SAME_PLACE)
    return is_same


class UsualPlaces:
    """Throws and catches of a pattern at the default places, which the setting `hands` changes.

    Args:
        score: the score with a pattern.
        parameters: the parameters of the score.
    """

    def __init__(self, score: Score, parameters: Parameters) -> None:
        """Time the throws and catches as if `hands` were unset, and read the paths that it sets.

        Args:
            score: the score of a pattern.
            parameters: the parameters of the pattern.
        """
        assert score.pattern is not None, "only patterns have settings"
        self.score = score
        self.parameters = parameters
        self.pattern = repeat_to_full_loop(score.pattern, score.staging)
        # The hand style with the heights and widths that the parameters set.
        self.style = STYLES[score.staging.style].shaped(parameters)
        # The timed events, which get their places in `events`. A span is the time of a hand from
        # one of its turns to the next; its site, (hand, beat), names the turn with which it begins.
        without_hands = replace(score.staging, hands=None)
        self.timed_events, _tempo = timed_events(self.pattern, without_hands, parameters)
        self.spans = self.timed_events.spans()
        # The path that the setting `hands` gives each turn, and what is left of it where throws
        # around the body replace points.
        self.paths = paths_by_turn(self.pattern, score.staging.hands)
        self.effective_paths = {
            span.site: self.effective_path(self.paths[span.site], span) for span in self.spans
        }
        # For each flight the sites of its throw and of its prop's next throw.
        self.sites_of_flight = flight_sites(self.pattern)
        self._last_events: Choreography | None = None  # the last result of `events`

    def effective_path(self, path: HandBeat, span: HandSpan) -> HandBeat:
        """Return a path over a span without the points that throws around the body replace."""
        return path_without_body_throws(
            path, span.site, span.next_site, self.timed_events.body_throw_sites
        )

    def events(self, wanted: Choreography) -> Choreography:
        """Return the default events: throws, catches and points of hands at their default places.

        Their loop has the duration of other events. The last result is cached, since that rarely
        changes.

        Args:
            wanted: other events of the same throws, whose duration and remaining fields are copied.
        """
        if self._last_events is None or self._last_events.duration != wanted.duration:
            rate = self.pattern.period / wanted.duration  # parts of a beat per second
            # By event in the order of the pattern, its row among the events sorted by time.
            row_of_event, events = self.timed_events.events(rate)
            self._last_events = replace(
                wanted,
                events=events,
                flights=self.timed_events.flights(row_of_event, rate),
                orbits=self.timed_events.orbits(),
            )
        return self._last_events


def nearest_settings(usual: UsualPlaces, wanted: Choreography) -> Score:
    """Return the score whose settings `hands`, `catches` and `body` come nearest to given events.

    Throws and catches keep the times that the score gives them, and only get places and manners of
    the events. Settings that need no change keep their text. If the events have other jugglers or
    throws than the score, the score is returned unchanged.

    Args:
        usual: the score, and its throws and catches at default places.
        wanted: the events to approach.
    """
    score = usual.score
    if wanted.jugglers != usual.pattern.jugglers:
        return score
    # For each default event the row of its counterpart in `wanted`; None if throws and catches
    # differ.
    match = matching_events(wanted, usual.events(wanted))
    if match is None:
        return score
    catches = _catch_words(usual, wanted, match)
    if catches != score.staging.catches:
        # Claws and penguins are caught at other default places, and the loop may have to be
        # repeated for the new words. So find the default places again, and match events with them.
        with_new_catches = UsualPlaces(
            replace(score, staging=replace(score.staging, catches=catches)), usual.parameters
        )
        new_match = matching_events(wanted, with_new_catches.events(wanted))
        if new_match is not None:
            usual = with_new_catches
            match = new_match
    staging = replace(usual.score.staging, hands=_HandWriter(usual, wanted, match).moves())
    rate = usual.pattern.period / wanted.duration  # parts of a beat per second
    return replace(score, staging=_with_bodies(usual.pattern, staging, rate, wanted.bodies))


def with_catches(score: Score, parameters: Parameters, wanted: Choreography) -> Score:
    """Return the score with the setting `catches` that comes nearest to the catches of some events.

    If the events have other throws and catches than the score, the score is returned unchanged.

    Args:
        score: the score with a pattern.
        parameters: the parameters of the score.
        wanted: other events of the same throws and catches.
    """
    usual = UsualPlaces(score, parameters)
    match = matching_events(wanted, usual.events(wanted))
    if match is None:
        return score
    return replace(
        score, staging=replace(score.staging, catches=_catch_words(usual, wanted, match))
    )


def _catch_words(usual: UsualPlaces, wanted: Choreography, match: Integers) -> Catches:
    """Return the setting `catches` that comes nearest to the wanted catches: (left, right) words.

    A word, such as "palm" or "claw", says how a hand catches. All hands of a side take the words of
    one list in turn, so the list is written for the first hand of that side. If the present setting
    already gives the wanted catches, it is returned.

    Args:
        usual: the score, with its default events.
        wanted: the events to approach, of the same throws and catches.
        match: for each default event the row of the wanted one.
    """
    default_events = usual.events(wanted)
    catch_rows = np.unique(default_events.flights.catch)
    # For each default event the wanted manner: a grasp, and a row in the table of throws and
    # catches around the body.
    wanted_manners = wanted.events.manners[match]
    if (wanted_manners[catch_rows] == default_events.events.manners[catch_rows]).all():
        return usual.score.staging.catches
    hands = default_events.events.hand
    words: list[tuple[str, ...]] = []
    for side in (0, 1):
        rows_of_side = catch_rows[hands[catch_rows] % 2 == side]
        # All hands of a side share one list, so it is written for the first hand that catches
        # anything. A side whose hands catch nothing has the default word.
        rows_of_first_hand = rows_of_side
        if len(rows_of_side):
            rows_of_first_hand = rows_of_side[hands[rows_of_side] == hands[rows_of_side].min()]
        names = [catch_word(*wanted_manners[row].tolist()) for row in rows_of_first_hand]
        words.append(shortest_period(names) or ("palm",))
    return words[0], words[1]


class _HandWriter:
    """Writes the setting `hands` that puts throws, catches and points where they are wanted."""

    def __init__(self, usual: UsualPlaces, wanted: Choreography, match: Integers) -> None:
        """Compare the wanted events with the default ones.

        Args:
            usual: the score with its default places, and the paths of its setting `hands`.
            wanted: the events to approach, of the same throws and catches.
            match: for each default event the row of the wanted one.
        """
        self.usual = usual
        self.wanted = wanted
        self.style = usual.style
        self.rate = usual.pattern.period / wanted.duration  # parts of a beat per second
        events = usual.events(wanted)
        self.times = wanted.events.time.tolist()
        self.places = outward_places(wanted)
        # Rows of wanted throws and catches that are at their default places.
        is_near = np.abs(outward_places(events) - self.places[match]).max(axis=1) < SAME_PLACE
        self.rows_in_usual_place = set(match[is_near].tolist())
        # By hand, the rows of the points that it passes; then which of these are default points,
        # and when default points are missing.
        points = np.flatnonzero(wanted.events.kind >= HOLD)
        self.points_of_hand = {
            hand: points[wanted.events.hand[points] == hand]
            for hand in set(wanted.events.hand[points])
        }
        self.usual_points, self.missing_point_times = self._usual_points(events.events)
        # By turn (hand, beat): the row of its wanted throw, and the rows of the wanted catches of
        # what it throws.
        self.throw_of_turn: dict[Site, int] = {}
        self.catches_of_turn: dict[Site, list[int]] = {}
        throws = match[events.flights.throw].tolist()
        catches = match[events.flights.catch].tolist()
        for (site, next_site), throw, catch in zip(
            usual.sites_of_flight, throws, catches, strict=True
        ):
            self.throw_of_turn[site] = throw
            self.catches_of_turn.setdefault(next_site, []).append(catch)

    def _usual_points(self, usual: Events) -> tuple[set[int], dict[int, Floats]]:
        """Match the points that hands pass with the default points.

        Args:
            usual: events with the default points.

        Returns:
            The rows of wanted points that are default points; and, by hand, the times of default
            points without a wanted one, [s].
        """
        wanted = self.wanted.events
        usual_rows = set[int]()
        missing = dict[int, list[float]]()
        for row in np.flatnonzero(usual.kind >= HOLD):
            hand = int(usual.hand[row])
            rows = self.points_of_hand.get(hand, np.array([], dtype=np.intp))
            is_near = points_coincide(
                wanted.time[rows],
                wanted.position[rows],
                usual.time[row],
                usual.position[row],
                self.wanted.duration,
            )
            usual_rows.update(rows[is_near].tolist())
            if not is_near.any():
                missing.setdefault(hand, []).append(float(usual.time[row]))
        return usual_rows, {hand: np.array(times) for hand, times in missing.items()}

    def moves(self) -> HandMoves | None:
        """Return the setting `hands` for the wanted paths; None if all of them are default paths.

        If no path changes, the present setting is returned with its text.
        """
        old_paths = self.usual.paths
        paths = {span.site: self._path(span, old_paths[span.site]) for span in self.usual.spans}
        if paths == old_paths:
            return self.usual.score.staging.hands
        return write_paths(self.usual.pattern, paths)

    def _path(self, span: HandSpan, old: HandBeat) -> HandBeat:
        """Return the path of a hand over one span: its throw, its catch, and the points between.

        A span is the time from a turn of a hand to its next turn; its site and `next_site` name
        these turns, (hand, beat). A path has points at even steps of time from the throw to the
        catch, and from the catch to the next throw; wanted points between steps are left out. Of
        several catches the first gives the place.

        Args:
            span: the span of the hand.
            old: the path before, which is returned if the new one is equal in effect.
        """
        throw = self.throw_of_turn.get(span.site)
        catches = self.catches_of_turn.get(span.next_site, [])
        hand, _beat = span.site
        points = self.points_of_hand.get(hand)
        steps = _Steps(1, 1, {}) if points is None else self._divide_into_steps(span, points)
        # A turn may throw or catch nothing: its step then has no event, and so no point.
        if throw is not None:
            steps.row_of_step[0] = throw
        if catches:
            steps.row_of_step[steps.to_catch] = catches[0]
        path = HandBeat(
            points=tuple(
                self._point(steps.row_of_step.get(step), steps.old_point(old, step))
                for step in range(steps.to_catch + steps.to_throw)
            ),
            catch=steps.to_catch,
        )
        if _points_by_share(path) == _points_by_share(self.usual.effective_paths[span.site]):
            return old
        # Throws around the body replace points of a path that is not marked to go around the body
        # itself. Mark the path if some of its points would be replaced.
        keeps_its_points = path == self.usual.effective_path(path, span)
        return path if keeps_its_points else replace(path, goes_around_body=True)

    def _divide_into_steps(self, span: HandSpan, rows: Integers) -> _Steps:
        """Choose the numbers of even steps of both parts of a span at which most points lie.

        The parts go from the throw to the first catch, with an empty hand, and from the last catch
        to the next throw, with the prop. If the hand passes exactly its default points, each part
        is one step.

        Args:
            span: from a turn of the hand to the next.
            rows: the rows of all points of the hand, in `wanted.events`.

        Returns:
            The numbers of steps, and by step the rows of the points on it, without throw and catch.
        """
        loop = self.wanted.duration
        throw_time, first_catch, last_catch, next_throw_time = self._times_of_span(span)

        # The points within the span, but not between its catches, where there are no steps. Times
        # are shifted by the tolerance before they are taken modulo the loop: otherwise a point that
        # rounding puts just before the throw would be nearly a loop after it.
        time_since_throw = (
            self.wanted.events.time[rows] - throw_time + SAME_TIME
        ) % loop - SAME_TIME
        is_inside = (time_since_throw < next_throw_time - throw_time - SAME_TIME) & (
            (time_since_throw <= first_catch - throw_time)
            | (time_since_throw >= last_catch - throw_time - SAME_TIME)
        )
        rows_in_span = rows[is_inside]
        time_since_throw = time_since_throw[is_inside]

        # The hand passes its default points if no other point is within the span, and none of the
        # default ones is missing there.
        hand, _beat = span.site
        missing_times = self.missing_point_times.get(hand, np.array([]))
        is_missing = (missing_times - throw_time) % loop < next_throw_time - throw_time
        if self.usual_points.issuperset(rows_in_span.tolist()) and not is_missing.any():
            return _Steps(1, 1, {})

        # The hand is empty before the first catch, and carries the prop after the last one. Steps
        # on which a throw or catch is are taken.
        is_hand_empty = time_since_throw <= first_catch - throw_time + SAME_TIME
        to_catch, empty_points = _even_steps(
            time_since_throw[is_hand_empty],
            first_catch - throw_time,
            start_is_taken=span.site in self.throw_of_turn,
            end_is_taken=span.next_site in self.catches_of_turn,
        )
        to_throw, carrying_points = _even_steps(
            time_since_throw[~is_hand_empty] - (last_catch - throw_time),
            next_throw_time - last_catch,
            start_is_taken=True,
            end_is_taken=True,
        )
        # Step 0 of the second part is the catch.
        empty_rows = rows_in_span[is_hand_empty].tolist()
        carrying_rows = rows_in_span[~is_hand_empty].tolist()
        row_of_step = {step: empty_rows[point] for step, point in empty_points.items()}
        row_of_step |= {
            to_catch + step: carrying_rows[point] for step, point in carrying_points.items()
        }
        return _Steps(to_catch, to_throw, row_of_step)

    def _times_of_span(self, span: HandSpan) -> tuple[float, float, float, float]:
        """Return when a hand throws and catches in a span, from one of its turns to the next.

        If the hand throws or catches nothing, its turn has the time at which it would.

        Returns:
            The times of the throw, the first catch, the last catch and the next throw, perhaps
            outside the loop, [s].
        """
        throw_time = self._time_of(self.throw_of_turn.get(span.site), span.throw_time)
        next_throw_time = self._time_of(
            self.throw_of_turn.get(span.next_site), span.next_throw_time
        )
        catches: Sequence[int | None] = self.catches_of_turn.get(span.next_site, [None])
        catch_times = [
            self._time_of(event, beat)
            for event, beat in zip(catches, span.catch_times, strict=True)
        ]
        return throw_time, min(catch_times), max(catch_times), next_throw_time

    def _time_of(self, event: int | None, beat: float) -> float:
        """Return the time of an event, [s], in the repeat of the loop nearest to a beat.

        It may be outside the loop. Without an event (None) it is the time of the beat.
        """
        beat_time = beat / self.rate
        if event is None:
            return beat_time
        loop = self.wanted.duration
        return beat_time + float(time_apart(self.times[event], np.array(beat_time), loop))

    def _point(self, row: int | None, old_point: Point | None) -> Point | None:
        """Return the point of a path for an event; None if it may be left to the hand style.

        Args:
            row: the row of the event; None if there is none on this step.
            old_point: the point before, which stays if it is the same place.
        """
        if row is None:
            return None
        place = self.places[row]
        if old_point is not None:
            distance = np.abs(place - self.style.raised_point(old_point)).max()
            if distance < SAME_PLACE:
                return old_point
        return None if row in self.rows_in_usual_place else rounded(lowered(self.style, place))


class _Steps(NamedTuple):
    """The even steps of time of a path, each of which may have a point.

    Attributes:
        to_catch: number of steps from the throw to the catch.
        to_throw: number of steps from the catch to the next throw.
        row_of_step: row of the event on each step that has one; step 0 is the throw.
    """

    to_catch: int
    to_throw: int
    row_of_step: dict[int, int]

    def old_point(self, old: HandBeat, step: int) -> Point | None:
        """Return the point of an old path at the time of a step; None if it has none then.

        The times of both paths are compared as shares of the way from the throw to the catch, or
        from the catch to the next throw.

        Args:
            old: the old path, which may have other numbers of steps.
            step: number of a step of the new path.
        """
        old_to_throw = len(old.points) - old.catch
        # The step of the old path at the same share of the way, perhaps between two whole steps.
        old_step = (
            step * old.catch / self.to_catch
            if step <= self.to_catch
            else old.catch + (step - self.to_catch) * old_to_throw / self.to_throw
        )
        return old.points[round(old_step)] if abs(old_step - round(old_step)) < 1e-9 else None


def _points_by_share(path: HandBeat) -> dict[float, Point]:
    """Return the points of a path by when the hand passes them, in a unit free of step counts.

    This time is 0 at the throw, 1 at the catch and 2 at the next throw, and steps between these are
    even. So paths with different numbers of steps can be compared. Points that are left to the hand
    style (None) are left out.
    """
    steps_to_throw = len(path.points) - path.catch
    points = {}
    for step, point in enumerate(path.points):
        if point is None:
            continue
        is_hand_empty = step <= path.catch
        share = step / path.catch if is_hand_empty else 1 + (step - path.catch) / steps_to_throw
        # Rounded, so that equal shares of different steps are equal.
        points[round(share, 9)] = point
    return points


def _even_steps(
    times: Floats, duration: float, *, start_is_taken: bool, end_is_taken: bool
) -> tuple[int, dict[int, int]]:
    """Choose into how many even steps to divide an interval, so that most points lie on steps.

    Steps are numbered from 0, the start of the interval, to their count, its end. A point lies on
    the nearest step if it is less than `POINT_TIME`, [s], away; several may lie on the same one.
    The result is the smallest of `_STEP_COUNTS` with the most points on steps; 1 for an interval
    without duration.

    Args:
        times: times of N points since the start of the interval, shape (N,), [s].
        duration: duration of the interval, [s].
        start_is_taken, end_is_taken: whether no point may lie on the start, or on the end.

    Returns:
        The number of steps, and by step the index of the last point on it; points between steps are
        left out.
    """
    if duration <= 0:
        # All points lie on the start, if they may.
        return 1, {0: len(times) - 1} if len(times) and not start_is_taken else {}
    best_count = 1
    point_of_step: dict[int, int] = {}
    most_on_steps = -1
    first_free = 1 if start_is_taken else 0
    for count in _STEP_COUNTS:
        # Times in steps, and the nearest whole step of each.
        exact = times / duration * count
        nearest = np.rint(exact).astype(np.intp)
        fits = np.abs(exact - nearest) * duration / count < POINT_TIME
        last_free = count - 1 if end_is_taken else count
        fits &= (nearest >= first_free) & (nearest <= last_free)
        if fits.sum() > most_on_steps:
            best_count = count
            points = np.flatnonzero(fits)
            point_of_step = dict(zip(nearest[points].tolist(), points.tolist(), strict=True))
            most_on_steps = fits.sum()
        # Once all points fall on steps, more steps cannot place more of them.
        if fits.all():
            break
    return best_count, point_of_step


def _with_bodies(pattern: Pattern, staging: Staging, rate: float, wanted: BodyKeyframes) -> Staging:
    """Return a staging whose setting `body` moves the jugglers as keyframes say.

    The setting `body` lists, beat by beat, where each juggler stands. It can only hold places on
    even steps of a beat, so other keyframes are lost.

    Args:
        pattern: the throws of a full loop.
        staging: the staging to change.
        rate: parts of a beat per second.
        wanted: where jugglers are to stand, and which way they face, at some times.

    Returns:
        The staging with its present setting, if that gives the wanted keyframes; without the
        setting, if the usual places do; else with a new setting. It is unchanged if no keyframe
        lies on a step.
    """
    loop = pattern.period / rate  # s
    # The radius of the circle on which jugglers stand as usual, [m].
    usual_circle = STYLES[staging.style].circle
    if staging.body is not None:
        present = body_keyframes(pattern, staging.body, rate)
        if not body_differences(wanted, present, loop):
            return staging
    usual = body_keyframes(pattern, None, rate, radius=usual_circle)
    if not body_differences(wanted, usual, loop):
        return replace(staging, body=None)
    places = [_body_beats(pattern, rate, wanted, juggler) for juggler in range(pattern.jugglers)]
    has_any_place = any(place for beats in places for beat in beats for place in beat)
    return replace(staging, body=write_body(places)) if has_any_place else staging


def body_differences(one: BodyKeyframes, other: BodyKeyframes, loop: float) -> dict[int, int]:
    """Count the keyframes in which two motions of bodies differ, by juggler.

    The first keyframe of a juggler is compared with the first of the same juggler in the other
    motion, and so on, by time, place and facing. If their numbers of keyframes differ, the
    difference of the numbers counts instead.

    Args:
        one, other: keyframes of the same jugglers, in order of time for each juggler.
        loop: duration of the loop, [s].

    Returns:
        The count by juggler, without jugglers whose keyframes are all equal.
    """
    differences = {}
    for juggler in sorted(set(one.juggler.tolist())):
        rows = np.flatnonzero(one.juggler == juggler)
        other_rows = np.flatnonzero(other.juggler == juggler)
        if len(rows) != len(other_rows):
            differences[juggler] = max(1, abs(len(rows) - len(other_rows)))
            continue
        # Metres and radians have the same tolerance.
        distance = np.abs(one.position[rows] - other.position[other_rows]).max(axis=1)
        angle = np.abs(time_apart(one.facing[rows], other.facing[other_rows], 2 * math.pi))
        differs = np.maximum(distance, angle) > SAME_PLACE
        # A single key holds at all times.
        if len(rows) > 1:
            differs |= np.abs(time_apart(one.time[rows], other.time[other_rows], loop)) > POINT_TIME
        if differs.any():
            differences[juggler] = int(differs.sum())
    return differences


def _body_beats(
    pattern: Pattern, rate: float, wanted: BodyKeyframes, juggler: int
) -> list[tuple[BodyPlace | None, ...]]:
    """Return, for each beat of the loop, the places of a body on even steps of the beat.

    A beat is divided into the fewest even steps on which most of its keys lie. Keys between steps
    are left out, and a step without a key is None. A body with a single key has one beat with one
    place, which settings repeat for all beats.

    Args:
        pattern: the pattern of a full loop.
        rate: parts of a beat per second.
        wanted: keyframes of all bodies.
        juggler: the juggler whose body it is.
    """
    key_rows = np.flatnonzero(wanted.juggler == juggler)
    places = [_body_place(wanted, row) for row in key_rows.tolist()]
    if len(key_rows) == 1:
        return [(places[0],)]
    beat_duration = pattern.division / rate
    beats: list[tuple[BodyPlace | None, ...]] = [()] * max(1, pattern.period // pattern.division)
    # Beats start a little early, so that rounding puts no key into the beat before.
    starts = np.arange(len(beats)) * beat_duration - POINT_TIME
    key_times = wanted.time[key_rows]
    beat_of_key = np.maximum(0, np.searchsorted(starts, key_times, side="right") - 1)
    for beat in np.unique(beat_of_key).tolist():
        keys_of_beat = np.flatnonzero(beat_of_key == beat).tolist()
        step_count, point_of_step = _even_steps(
            key_times[keys_of_beat] - beat * beat_duration,
            beat_duration,
            start_is_taken=False,
            end_is_taken=True,
        )
        place_of_step = {step: places[keys_of_beat[point]] for step, point in point_of_step.items()}
        beats[beat] = tuple(place_of_step.get(step) for step in range(step_count))
    return beats


def _body_place(bodies: BodyKeyframes, row: int) -> BodyPlace:
    """Return the place of a keyframe, rounded as settings write it."""
    angle = math.radians(round(math.degrees(float(bodies.facing[row])), _DIGITS_OF_DEGREES))
    return BodyPlace(angle, rounded(bodies.position[row].tolist()))


_NOTATION_OF_BASE = "siteswap"

# Where throws and catches have moved in time, points moved along with them: so far apart they count
# as the same, [s].
_POINT_TIME_AMONG_MOVED = 0.15


class Paths(Protocol):
    """Where hands and bodies are between events."""

    def hand_place(self, hand: int, time: float) -> Floats:
        """Return where a hand is at a time, in the frame of its body, shape (3,), [m].

        Args:
            hand: 2 · juggler + side.
            time: [s].
        """

    def body_place(self, juggler: int, time: float) -> Floats:
        """Return where a body stands at a time [s], and which way it faces, shape (4,).

        These are x, y and z of the point under its feet, [m], and its turn about +y, [rad].
        """


class Draft(NamedTuple):
    """What an operation of editing takes and returns: a pattern, or its events, with parameters.

    Attributes:
        score: the pattern, or its events.
        parameters: all adjustable values.
        paths: returns the motion before the change; None if there is none.
        stays_events: whether changed events stay events without a look at settings, as is quick
            while they are dragged.
    """

    score: Score
    parameters: Parameters
    paths: Callable[[], Paths] | None = None
    stays_events: bool = False


def kind(draft: Draft) -> str:
    """Return "settings" if a settings string can hold all edits, else "events"."""
    return "settings" if draft.score.pattern else "events"


def to_events(draft: Draft) -> Draft:
    """Return the same motion as timed events, with its settings as their base."""
    return (
        draft
        if draft.score.placed
        else _with_placed_events(draft, choreograph(draft.score, draft.parameters))
    )


def back_to_settings(draft: Draft) -> Draft:
    """Return the settings closest to timed events: those of their base, with their times.

    Raises:
        EditError: the events were not made from settings.
    """
    if draft.score.pattern:
        return draft
    known = _known(draft)
    if known.source is None:
        raise EditError(_("these events have no settings to go back to"))
    return known.nearest.draft


def losses(draft: Draft) -> tuple[str, ...]:
    """Return what `back_to_settings` would lose, such as "times of 2 throws"; empty if nothing."""
    return () if draft.score.pattern else _known(draft).nearest.differences


def with_events(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft with other events: as settings if they can express them, else as events.

    If settings could have expressed the events before the change already, they stay events, as the
    user has chosen events on purpose.

    Args:
        draft: the score and the parameters before the change.
        changed: the events after the change: throws and catches with times and places.
    """
    # The settings that the draft has, or that it had before it became events. To compare events
    # with them takes long, which is left out during a drag.
    source = None if draft.stays_events else _known(draft).source
    is_chosen = draft.score.placed and not losses(draft)
    if source is not None and not is_chosen:
        # One difference is enough to know that settings cannot express the events.
        nearest = _nearest(source, changed, max_differences=1)
        if not nearest.differences:
            return nearest.draft
    return _with_placed_events(draft, changed)


def with_grasps(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft whose catches have other manners: as settings if these can express them.

    The setting `catches` expresses words such as "claw"; settings then put hands in the usual
    places for the new manners. Otherwise the draft has the changed events.

    Args:
        draft: the score and the parameters before the change.
        changed: the events with the new manners.
    """
    if draft.score.pattern:
        score = with_catches(draft.score, draft.parameters, changed)
        if not _grasps_differ(changed, choreograph(score, draft.parameters)):
            return Draft(replace(score, title=own_title(score)), draft.parameters)
    return with_events(draft, changed)


def events_of(draft: Draft) -> Choreography:
    """Return the events of a draft, whether settings say them or not."""
    return _known(draft).events


def symmetries_of(draft: Draft) -> list[Symmetry]:
    """Return the symmetries of throws and catches of a draft, as it was written."""
    return _known(draft).symmetries


def base_of(draft: Draft) -> Draft | None:
    """Return the pattern with its settings that a draft is, or was before it became events; None if
    there is none.
    """
    source = _known(draft).source
    return source.draft if source else None


class _NearestSettings(NamedTuple):
    """Settings that come nearest to some events.

    Attributes:
        draft: the draft with the settings.
        differences: what they cannot say, in words such as "times of 2 throws".
    """

    draft: Draft
    differences: tuple[str, ...]


class _KnownDraft:
    """What follows from a draft before any change, computed once, as a drag makes many changes."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    @cached_property
    def events(self) -> Choreography:
        return choreograph(self.draft.score, self.draft.parameters)

    @cached_property
    def source(self) -> _KnownDraft | None:
        """The draft itself if it has settings, else the settings from which its events were made.

        None for events that were not made from settings, or whose base (the text of those settings)
        cannot be read.
        """
        score = self.draft.score
        if score.pattern:
            return self
        if score.base is None:
            return None
        notation, text = score.base
        if notation != _NOTATION_OF_BASE:
            return None
        try:
            base, parameters = _read_base(text)
        except JuggleError:
            return None
        # A draft of events has its parameters in beats at their defaults, so these are taken from
        # the base.
        beat_parameters = {name: getattr(parameters, name) for name in BEAT_PARAMETERS}
        # The text of the base says no style: events of Juggling Lab have its own.
        as_juggling_lab = score.placed is not None and score.placed.as_juggling_lab
        staging = replace(base.staging, style="juggling-lab" if as_juggling_lab else "natural")
        settings = replace(
            base, staging=staging, title=score.title, about=score.about, tags=score.tags
        )
        return _KnownDraft(Draft(settings, self.draft.parameters.replace(**beat_parameters)))

    @cached_property
    def usual(self) -> UsualPlaces:
        return UsualPlaces(self.draft.score, self.draft.parameters)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        base = self.source.draft.score if self.source else None
        return written_symmetries(self.events, repeat_time(base, self.events))

    @cached_property
    def nearest(self) -> _NearestSettings:
        """The settings that come nearest to the events."""
        if self.source is None:
            return _NearestSettings(self.draft, differences=(_("the pattern"),))
        return _nearest(self.source, self.events)


_recent: deque[_KnownDraft] = deque(maxlen=4)


def _known(draft: Draft) -> _KnownDraft:
    """Return what follows from a draft, computed before or to be computed when it is asked for.

    That of the last few drafts is kept.
    """
    for known in _recent:
        # Drafts are compared as objects, since to compare their values would take long.
        if known.draft.score is draft.score and known.draft.parameters is draft.parameters:
            return known
    new = _KnownDraft(Draft(draft.score, draft.parameters))
    _recent.append(new)
    return new


def in_order(choreography: Choreography) -> Choreography:
    """Return a choreography in normal form; events get other numbers.

    Times are taken modulo the loop, events are sorted by time, hand and kind, and points are marked
    as HOLD where the hand has a prop, else as MOVE. Props are numbered by the loop in which they
    are thrown, so where that changes for a throw, looks are reordered and each prop keeps its look.

    Args:
        choreography: events with times and places (throws, catches, points that hands pass),
            flights and orbits of props.
    """
    events = choreography.events
    flights = choreography.flights
    time, loops_later = times_in_loop(events.time, choreography.duration)
    # The old row of each event in the new order, and the new row of each event in the old one.
    order = np.lexsort((events.kind, events.hand, time))
    new_row = inverse_permutation(order)
    looks = choreography.looks and _looks_after(choreography, loops_later)
    changed = replace(
        choreography,
        events=replace(events, time=time).taken(order),
        flights=replace(flights, throw=new_row[flights.throw], catch=new_row[flights.catch]),
        looks=looks,
    )
    return replace(changed, events=replace(changed.events, kind=_kinds_of_events(changed)))


def _looks_after(choreography: Choreography, old_loops: Integers) -> tuple[PropLook, ...]:
    """Return the looks of props in their new order, after throws have moved into other loops.

    An orbit is the closed path that several props share, each exactly one loop apart from the
    next. Its props are numbered from the one that makes the orbit's first throw in this loop:
    prop k is k loops ahead of prop 0. The looks of all props are listed orbit by orbit.

    Args:
        choreography: flights and orbits of props, and looks in their old order.
        old_loops: for each event the number of its old loop, 0 for the loop itself; negative before
            it.
    """
    looks = list[PropLook]()
    for orbit, props in choreography.orbits_with_props:
        orbit_looks = choreography.looks[props]
        # Prop 0 made the first throw in loop `shift`, which now counts as loop 0. There the throw
        # was made by old prop `shift`, which is `shift` loops ahead: this one becomes prop 0, and
        # the numbers of all others shift alike, modulo the props of the orbit. An orbit without
        # flights is a prop that is never thrown, and keeps its number.
        shift = int(old_loops[choreography.flights.throw[orbit.flights[0]]]) if orbit.flights else 0
        looks += [orbit_looks[(prop + shift) % orbit.props] for prop in range(orbit.props)]
    return tuple(looks)


def _kinds_of_events(choreography: Choreography) -> Integers:
    """Return the kinds of all events, shape (E,), with points as HOLD or MOVE.

    A point is HOLD where the hand has a prop, else MOVE; throws and catches keep their kinds.

    Args:
        choreography: E events, with flights and orbits of props.
    """
    events = choreography.events
    flights = choreography.flights
    kind = choreography.events.kind.copy()
    # An orbit is the closed path of some props; one without flights is a prop that its hand holds
    # all the time.
    hands_that_never_throw = {orbit.hand for orbit in choreography.orbits if not orbit.flights}
    for hand in np.unique(events.hand[kind >= HOLD]).tolist():
        points = np.flatnonzero((events.hand == hand) & (kind >= HOLD))
        is_caught_by_hand = events.hand[flights.catch] == hand
        catch_times = events.time[flights.catch[is_caught_by_hand]]
        carry_durations = flights.carry[is_caught_by_hand]
        has_prop = covered(
            events.time[points], catch_times, carry_durations, choreography.duration
        ) | (hand in hands_that_never_throw)
        kind[points] = np.where(has_prop, HOLD, MOVE)
    return kind


def _with_placed_events(draft: Draft, changed: Choreography) -> Draft:
    """Return a draft whose score is a choreography of events instead of a pattern of throws.

    Title, description and tags are copied. A score with a pattern becomes the base of the new one:
    a pair of a notation and a text. A score with events keeps its base.

    Events have no beats. So parameters in beats are written into the text of the base, and are at
    their defaults in the new draft.

    Args:
        draft: the draft before, with a pattern or with events.
        changed: the new events.
    """
    score = draft.score
    base = score.base
    if score.pattern:
        # The text of the base has no title, description or tags, and only parameters in beats.
        beat_values = {name: getattr(draft.parameters, name) for name in BEAT_PARAMETERS}
        without_words = replace(score, title="", about="", tags=())
        text_of_base = write_settings(without_words, DEFAULTS.replace(**beat_values))
        base = (_NOTATION_OF_BASE, text_of_base)
    placed = Score(
        placed=changed, title=own_title(score), about=score.about, tags=score.tags, base=base
    )
    default_beat_values = {name: getattr(DEFAULTS, name) for name in BEAT_PARAMETERS}
    return Draft(placed, draft.parameters.replace(**default_beat_values))


def own_title(score: Score) -> str:
    """Return the title, unless it says that this is a pattern of the library as it stands there."""
    return "" if score.title and find_pattern(score.title) else score.title


@lru_cache(maxsize=8)
def _read_base(text: str) -> tuple[Score, Parameters]:
    """Return the score of a settings text, and the default parameters with those that it says."""
    settings = read_settings(text)
    return settings.score, settings.applied_to(DEFAULTS)


def _nearest(
    source: _KnownDraft, wanted: Choreography, max_differences: int | None = None
) -> _NearestSettings:
    """Return the settings whose events come nearest to given ones, and what still differs.

    Settings are a score and parameters, such as the tempo. If the nearest score cannot be juggled
    at any possible tempo, the old settings are returned, with "all positions" as the difference.

    Args:
        source: the old settings, and what follows from them.
        wanted: the events to approach: throws, catches and points of hands with times and places.
        max_differences: how many differences to look for, at least 1; None for all.
    """
    nearest: _NearestSettings | None = None
    old_score = source.draft.score
    # `usual` has the default places of the old settings; the score gets those of `wanted` that
    # differ from them.
    score = nearest_settings(source.usual, wanted)
    if score.staging != old_score.staging:
        # The pattern no longer is the one of the library that its title may name.
        score = replace(score, title=own_title(score))
    # Return the first tempo without differences; failing that, the first one that can be juggled.
    for parameters in _possible_tempos(score, source.draft.parameters, wanted):
        try:
            actual = choreograph(score, parameters)
        except ChoreographyError:
            continue
        differences = tuple(islice(_differences(wanted, actual), max_differences))
        candidate = _NearestSettings(Draft(score, parameters), differences)
        if not differences:
            return candidate
        nearest = nearest or candidate
    return nearest or _NearestSettings(
        Draft(old_score, source.draft.parameters), differences=(_("all positions"),)
    )


def _possible_tempos(
    score: Score, parameters: Parameters, wanted: Choreography
) -> Iterator[Parameters]:
    """Yield the parameters unchanged, and then, if that may differ, with the tempo of the events.

    The tempo may differ if it is automatic (`bps` is None) and depends on the places or manners of
    throws, which are edited.

    Args:
        score: the score with settings of hands, catches and bodies.
        parameters: parameters of the score.
        wanted: the events, with their tempo.
    """
    yield parameters
    # The automatic tempo depends on the heights of hands if throws bounce, and on the kinds of
    # throws and catches around the body.
    has_bounces = score.pattern is not None and any(throw.bounces for throw in score.pattern.throws)
    caught_words = {word for words in score.staging.catches for word in words}
    goes_around_body = score.staging.throws or CATCHES.keys() & caught_words
    if parameters.bps is None and (has_bounces or goes_around_body):
        yield parameters.replace(bps=wanted.bps)


def _differences(wanted: Choreography, actual: Choreography) -> Iterator[str]:
    """Yield the differences between two choreographies in words, such as "times of 2 throws".

    If loops, jugglers or throws differ, that is the only difference, as nothing else can be
    compared.

    Args:
        wanted: the wanted events.
        actual: the events of settings; their loop may be a whole fraction of the wanted one.
    """
    # How many loops of the settings are as long as one of the wanted events.
    loops = round(wanted.duration / actual.duration)

    if (
        loops < 1
        or abs(loops * actual.duration - wanted.duration) > SAME_TIME
        or wanted.jugglers != actual.jugglers
    ):
        yield _("all times")
        return
    actual = unroll(actual, loops) if loops > 1 else actual
    match = matching_events(wanted, actual)
    if match is None or len(wanted.flights.throw) != len(actual.flights.throw):
        yield _("the throws")
        return

    # Throws and catches, then flights.
    rows = np.flatnonzero(match >= 0)
    yield from _event_differences(wanted, actual, match, rows)
    yield from _flight_differences(wanted, actual, match)

    # Points move along with the throws and catches beside them. So if those have other times, which
    # is yielded already, the times of points may differ by more.
    gaps = np.abs(
        time_apart(wanted.events.time[match[rows]], actual.events.time[rows], wanted.duration)
    )
    has_same_times = gaps.max(initial=0.0) <= SAME_TIME
    tolerance = POINT_TIME + SAME_TIME if has_same_times else _POINT_TIME_AMONG_MOVED
    yield from _point_differences(wanted, actual, tolerance)

    # Bodies and looks.
    for juggler, keys in body_differences(wanted.bodies, actual.bodies, wanted.duration).items():
        of_juggler = _of_juggler(juggler, wanted.jugglers)
        yield _("{places} of the body{of}", places=counted(keys, "place"), of=of_juggler)
    if Counter(wanted.looks) != Counter(actual.looks):
        yield _("colours and kinds of props")
    if wanted.as_juggling_lab != actual.as_juggling_lab:
        yield _("the hand style")


def _of_juggler(juggler: int, jugglers: int) -> str:
    """Return the words " of juggler 1", counted from 1; empty if there is only one."""
    return _(" of juggler {juggler}", juggler=juggler + 1) if jugglers > 1 else ""


def _event_differences(
    wanted: Choreography, actual: Choreography, match: Integers, actual_rows: Integers
) -> Iterator[str]:
    """Yield in words how many throws and catches have other times, places or manners.

    Args:
        wanted: the wanted events.
        actual: the events of settings, over the same loop.
        match: for each event of `actual` the row of its counterpart in `wanted`; −1 for points.
        actual_rows: rows of the throws and catches of `actual`.
    """
    wanted_events = wanted.events
    events = actual.events
    loop = wanted.duration
    wanted_rows = match[actual_rows]
    # Events that differ by less than `SAME_TIME`, [s], and `SAME_PLACE`, [m], are written alike in
    # settings.
    delays = time_apart(wanted_events.time[wanted_rows], events.time[actual_rows], loop)
    differs_in_time = np.abs(delays) > SAME_TIME
    offsets = wanted_events.position[wanted_rows] - events.position[actual_rows]
    differs_in_place = np.abs(offsets).max(axis=1, initial=0.0) > SAME_PLACE
    for kind_of_event, word in ((THROW, "throw"), (CATCH, "catch")):
        is_of_kind = events.kind[actual_rows] == kind_of_event
        for message, differs in (
            (N_("times of {things}"), differs_in_time),
            (N_("positions of {things}"), differs_in_place),
        ):
            if count := int((is_of_kind & differs).sum()):
                yield _(message, things=counted(count, word))

    # A manner has two columns: the grasp, and the row of a throw or catch around the body.
    columns_differ = wanted_events.manners[wanted_rows] != events.manners[actual_rows]
    grasp_differs, body_throw_differs = columns_differ.T
    manner_differs = grasp_differs | body_throw_differs
    is_other_catch = manner_differs & (events.kind[actual_rows] == CATCH)
    # If catches differ, so do the grasps of the throws after them, which are not counted again.
    throw_differs = body_throw_differs if is_other_catch.any() else manner_differs
    is_other_throw = throw_differs & (events.kind[actual_rows] == THROW)
    for differs, word in ((is_other_throw, "throw"), (is_other_catch, "catch")):
        if differs.any():
            yield _("kinds of {things}", things=counted(int(differs.sum()), word))


def _grasps_differ(wanted: Choreography, actual: Choreography) -> bool:
    """Return whether any catch has another manner (grasp and place), or the throws differ.

    Args:
        wanted: the wanted events.
        actual: the events of settings.
    """
    match = matching_events(wanted, actual)
    if match is None:
        return True
    caught = np.unique(actual.flights.catch)
    return bool((wanted.events.manners[match[caught]] != actual.events.manners[caught]).any())


def _flight_differences(
    wanted: Choreography, actual: Choreography, match: Integers
) -> Iterator[str]:
    """Yield in words that flights connect other events, or how many flights have another style.

    The style of a flight says, for example, how often it bounces.

    Args:
        wanted: the wanted events.
        actual: the events of settings, over the same loop.
        match: for each event of `actual` the row of its counterpart in `wanted`; −1 for points.
    """

    def sorted_flights(
        choreography: Choreography, throw: Integers, catch: Integers
    ) -> list[tuple[object, ...]]:
        """Return sorted rows: throw, catch, loops in the air, half loops held, style of a flight.

        Args:
            choreography: with the flights.
            throw, catch: for each flight the rows of its events in `wanted`, so that the rows of
                both choreographies can be compared.
        """
        flights = choreography.flights
        times = choreography.events.time
        # The catch is listed in the loop, so what is left of the duration is whole loops.
        loops = np.rint(
            (times[flights.throw] + flights.duration - times[flights.catch]) / choreography.duration
        )
        half_loops_held = np.rint(flights.carry / choreography.duration * 2)
        # Styles as text, since they have no order.
        return sorted(
            zip(
                throw.tolist(),
                catch.tolist(),
                loops,
                half_loops_held,
                map(repr, flights.styles),
                strict=True,
            )
        )

    flights = actual.flights
    wanted_flights = sorted_flights(wanted, wanted.flights.throw, wanted.flights.catch)
    actual_flights = sorted_flights(actual, match[flights.throw], match[flights.catch])
    # If flights connect other events, their styles cannot be compared in pairs.
    if [flight[:2] for flight in wanted_flights] != [flight[:2] for flight in actual_flights]:
        yield _("the throws and their order")
        return
    count = sum(
        wanted_style != actual_style
        for (*_ends, wanted_style), (*_ends, actual_style) in zip(
            wanted_flights, actual_flights, strict=True
        )
    )
    if count:
        yield _("kinds of {things}", things=counted(count, "flight"))


def _point_differences(
    wanted: Choreography, actual: Choreography, tolerance: float
) -> Iterator[str]:
    """Yield in words how many points of each hand have no counterpart in the other choreography.

    A counterpart is at the same place at about the same time. Points may be missing from either
    choreography, so the greater of the two numbers of unmatched points is yielded.

    Args:
        wanted: the wanted events.
        actual: the events of settings, over the same loop.
        tolerance: greatest difference in time between counterparts, [s].
    """
    wanted_events = wanted.events
    events = actual.events
    hands_with_points = {
        int(hand) for table in (wanted_events, events) for hand in table.hand[table.kind >= HOLD]
    }
    for hand in sorted(hands_with_points):
        wanted_rows, rows = (
            np.flatnonzero((table.hand == hand) & (table.kind >= HOLD))
            for table in (wanted_events, events)
        )
        # Which of the wanted points (rows) are near which of the others (columns).
        is_near = points_coincide(
            wanted_events.time[wanted_rows, None],
            wanted_events.position[wanted_rows, None],
            events.time[rows],
            events.position[rows],
            wanted.duration,
            tolerance,
        )
        unmatched = max((~is_near.any(axis=1)).sum(), (~is_near.any(axis=0)).sum())
        if unmatched:
            of_juggler = _of_juggler(hand // 2, wanted.jugglers)
            yield _(
                "{points} of the {hand}{of}",
                points=counted(int(unmatched), "point"),
                hand=hand_in_words(hand),
                of=of_juggler,
            )
