"""Places as settings: the texts of `hands`, `catches` and `body` that put hands and bodies where
they are wanted.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import BodyKeyframes, Choreography, Events, Score, Staging
from juggle_anim.choreography.choreograph import repeat_to_full_loop, timed_events
from juggle_anim.choreography.choreography import HOLD
from juggle_anim.choreography.dwell import Site, holds
from juggle_anim.choreography.hand_points import HandPoints, HandSpan, path_without_body_throws
from juggle_anim.choreography.manners import catch_word
from juggle_anim.choreography.places import OVERHEAD, STYLES, HandStyle, body_keyframes
from juggle_anim.choreography.score import (
    USUAL_PATH,
    BodyPlace,
    Catches,
    HandBeat,
    HandMoves,
    Point,
)
from juggle_anim.editing.symmetry import SAME_TIME, matching_events, outward_places, time_apart
from juggle_anim.notation.settings.staging import shortest_period, write_body, write_hands
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import hand_of

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
    """For each flight the hand and beat that throw it, and those that throw its prop next."""
    throws = pattern.throws
    return [
        (
            (hand_of(throws[index]), throws[index].beat),
            (hand_of(throws[landing]), throws[landing].beat),
        )
        for index, (landing, held) in enumerate(zip(pattern.landings, holds(pattern), strict=True))
        if not held
    ]


def next_turns(pattern: Pattern) -> dict[Site, Site]:
    """For each turn of a hand, given as hand and beat, the next turn of that hand in the loop."""
    sites = sorted((2 * juggler + side, beat) for beat, juggler, side in pattern.turns)
    sites_by_hand = [list(sites_of_hand) for _, sites_of_hand in groupby(sites, lambda s: s[0])]
    return {
        site: sites_of_hand[(index + 1) % len(sites_of_hand)]
        for sites_of_hand in sites_by_hand
        for index, site in enumerate(sites_of_hand)
    }


def paths_by_turn(pattern: Pattern, hands: HandMoves | None) -> dict[Site, HandBeat]:
    """For each turn of a hand, its path from there on as the settings have it."""
    return HandPoints(pattern, hands or HandMoves("", ((USUAL_PATH,),))).paths


def lowered(style: HandStyle, point: Sequence[float] | Floats) -> Point:
    """The point that `HandStyle.raised_point` takes to another one: its inverse.

    A style lifts hands by some height; towards `OVERHEAD` by less and less.

    Args:
        style: of the hands.
        point: outward, up and forward, [m].
    """
    outward, up, forward = point
    lift = style.hands_up
    if lift and up < OVERHEAD:
        up = up - lift if up <= lift else (up - lift) / (1 - lift / OVERHEAD)
    return outward, up, forward


def write_paths(
    pattern: Pattern, paths: Mapping[Site, HandBeat], digits: int = DIGITS
) -> HandMoves | None:
    """The moves of hands with the shortest text that says some paths; None if they say nothing.

    Args:
        pattern: of a full loop.
        paths: from each turn of a hand, a hand and a beat; the mirrored half of a loop follows the
            first.
        digits: of a centimetre.
    """

    def as_written(path: HandBeat) -> HandBeat:
        """The path with rounded points."""
        if not any(path.points):
            return USUAL_PATH
        return replace(
            path, points=tuple(point and rounded(point, digits) for point in path.points)
        )

    # The paths of each juggler, in the order of turns.
    paths_of_jugglers: list[list[HandBeat]] = [[] for _ in range(pattern.jugglers)]
    for beat, juggler, side in pattern.turns:
        if not pattern.mirrored or beat < pattern.period // 2:
            paths_of_jugglers[juggler].append(as_written(paths[2 * juggler + side, beat]))
    if all(path == USUAL_PATH for of_juggler in paths_of_jugglers for path in of_juggler):
        return None
    return write_hands(paths_of_jugglers)


def rounded(point: Sequence[float], digits: int = DIGITS) -> Point:
    """A point [m] rounded to some digits of a centimetre."""
    outward, up, forward = (round(100 * coordinate, digits) / 100 for coordinate in point)
    return outward, up, forward


class UsualPlaces:
    """Where hands of a pattern throw and catch if `hands` says nothing, and what it says.

    Args:
        score: with a pattern.
        parameters: of the score.
    """

    def __init__(self, score: Score, parameters: Parameters) -> None:
        """Time the throws and catches of the score as if `hands` said nothing."""
        assert score.pattern is not None, "only patterns have settings"
        self.score = score
        self.parameters = parameters
        self.pattern = repeat_to_full_loop(score.pattern, score.staging)
        self.style = STYLES[score.staging.style].shaped(parameters)
        self.table = timed_events(self.pattern, replace(score.staging, hands=None), parameters)[0]
        self.spans = self.table.spans()
        # What `hands` says: all of it, and what of it holds beside throws around the body.
        self.paths = paths_by_turn(self.pattern, score.staging.hands)
        self.held = {span.site: self.holding(self.paths[span.site], span) for span in self.spans}
        self.sites = flight_sites(self.pattern)
        self._last: Choreography | None = None  # the last result of `events`

    def holding(self, path: HandBeat, span: HandSpan) -> HandBeat:
        """What holds of a path over a span, where throws and catches may be around the body."""
        return path_without_body_throws(
            path, span.site, span.next_site, self.table.body_throw_sites
        )

    def events(self, wanted: Choreography) -> Choreography:
        """The usual throws and catches alone, without points, at the tempo of other events.

        The last result is kept.

        Args:
            wanted: other events of the same throws.
        """
        if self._last is None or self._last.duration != wanted.duration:
            rate = self.pattern.period / wanted.duration
            rank, events = self.table.events(rate)
            flights = self.table.flights(rank, rate)
            self._last = replace(wanted, events=events, flights=flights, orbits=self.table.orbits())
        return self._last


def nearest_settings(usual: UsualPlaces, wanted: Choreography) -> Score:
    """The score with hands, catches and bodies as near to the wanted ones as settings come, at its
    own times.

    What is not said in other words already stays in the words of the score.

    Args:
        usual: of the score.
        wanted: other events of the same throws and catches.
    """
    score = usual.score
    if wanted.jugglers != usual.pattern.jugglers:
        return score
    match = matching_events(wanted, usual.events(wanted))
    if match is None:
        return score
    catches = _catch_words(usual, wanted, match)
    if catches != score.staging.catches:
        # Hands catch claws and penguins elsewhere, and may take longer to repeat.
        with_new_catches = UsualPlaces(
            replace(score, staging=replace(score.staging, catches=catches)), usual.parameters
        )
        new_match = matching_events(wanted, with_new_catches.events(wanted))
        if new_match is not None:
            usual, match = with_new_catches, new_match
    staging = replace(usual.score.staging, hands=_HandWriter(usual, wanted, match).moves())
    rate = usual.pattern.period / wanted.duration
    return replace(score, staging=_with_bodies(usual.pattern, staging, rate, wanted.bodies))


def with_catches(score: Score, parameters: Parameters, wanted: Choreography) -> Score:
    """The score that says how hands catch, as far as all hands of one side do so alike.

    Args:
        score: with a pattern.
        parameters: of the score.
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
    """The words for catches of left and right hands that come nearest to the wanted catches.

    Args:
        usual: of the score.
        wanted: other events of the same throws and catches.
        match: for each usual event the row of the wanted one.
    """
    usual_choreography = usual.events(wanted)
    caught = np.unique(usual_choreography.flights.catch)
    manners = wanted.events.manners
    # The words stay if all is caught so already.
    if (manners[match[caught]] == usual_choreography.events.manners[caught]).all():
        return usual.score.staging.catches
    hands = usual_choreography.events.hand
    words: list[tuple[str, ...]] = []
    for side in (0, 1):
        # All hands of a side share their words: those of the first juggler who catches with it.
        of_side = caught[hands[caught] % 2 == side]
        first_hand = hands[of_side].min(initial=len(wanted.rest))
        of_first_hand = of_side[hands[of_side] == first_hand]
        names = [catch_word(*manners[match[event]].tolist()) for event in of_first_hand]
        words.append(shortest_period(names) or ("palm",))
    return words[0], words[1]


class _HandWriter:
    """What `hands` has to say for hands to throw, catch and pass where they are wanted."""

    def __init__(self, usual: UsualPlaces, wanted: Choreography, match: Integers) -> None:
        """Compare the wanted events with the usual ones.

        Args:
            usual: places of the score without a word, and what it says.
            wanted: other events of the same throws and catches.
            match: for each usual event the row of the wanted one.
        """
        self.before = usual
        self.wanted = wanted
        self.style = usual.style
        self.rate = usual.pattern.period / wanted.duration  # beats/s
        events = usual.events(wanted)
        self.times = wanted.events.time.tolist()
        self.places = outward_places(wanted)
        # Wanted throws and catches that are where they usually are.
        near = np.abs(outward_places(events) - self.places[match]).max(axis=1) < SAME_PLACE
        self.as_usual = set(match[near].tolist())
        # The points that each hand passes, and those of them that it passes anyway.
        passed = np.flatnonzero(wanted.events.kind >= HOLD)
        self.points = {
            hand: passed[wanted.events.hand[passed] == hand]
            for hand in set(wanted.events.hand[passed])
        }
        self.usual_points, self.missing = self._usual_points(events.events)
        # The wanted throw of each turn, and the catches of what is thrown in each turn.
        self.thrown: dict[Site, int] = {}
        self.caught: dict[Site, list[int]] = {}
        throws = match[events.flights.throw].tolist()
        catches = match[events.flights.catch].tolist()
        for (site, landing), throw, catch in zip(usual.sites, throws, catches, strict=True):
            self.thrown[site] = throw
            self.caught.setdefault(landing, []).append(catch)

    def _usual_points(self, usual: Events) -> tuple[set[int], dict[int, Floats]]:
        """Compare the points that hands pass with those that they usually pass.

        Args:
            usual: events with the usual points.

        Returns:
            The rows of wanted points that are usual; and, by hand, the times of usual points that
            are not wanted, [s].
        """
        wanted = self.wanted.events
        usual_rows = set[int]()
        missing = dict[int, list[float]]()
        for row in np.flatnonzero(usual.kind >= HOLD):
            hand = int(usual.hand[row])
            rows = self.points.get(hand, np.array([], dtype=np.intp))
            is_near = (
                np.abs(time_apart(wanted.time[rows], usual.time[row], self.wanted.duration))
                < POINT_TIME
            )
            is_near &= (
                np.abs(wanted.position[rows] - usual.position[row]).max(axis=1, initial=0.0)
                < SAME_PLACE
            )
            usual_rows.update(rows[is_near].tolist())
            if not is_near.any():
                missing.setdefault(hand, []).append(float(usual.time[row]))
        return usual_rows, {hand: np.array(times) for hand, times in missing.items()}

    def moves(self) -> HandMoves | None:
        """The moves of all hands, as `hands` has them; None where nothing needs to be said.

        Those of the score stay if all paths do.
        """
        old = self.before.paths
        paths = {span.site: self._path(span, old[span.site]) for span in self.before.spans}
        return (
            self.before.score.staging.hands
            if paths == old
            else write_paths(self.before.pattern, paths)
        )

    def _path(self, span: HandSpan, old: HandBeat) -> HandBeat:
        """The path of a hand over one span: its throw, its catch, and the points that fit into even
        steps.

        Args:
            span: from a turn of the hand to the next.
            old: the path before, which stays if it says the same.
        """
        throw = self.thrown.get(span.site)
        caught = self.caught.get(span.next_site, [])
        hand, _beat = span.site
        points = self.points.get(hand)
        # The steps from throw to catch, those from catch to throw, and the events on them.
        if points is None:
            count, count_after, row_of_step = 1, 1, dict[int, int]()
        else:
            count, count_after, row_of_step = self._divide_into_steps(span, points)
        if throw is not None:
            row_of_step[0] = throw
        if caught:
            row_of_step[count] = caught[0]
        path = HandBeat(
            tuple(
                self._point(row_of_step.get(step), self._said_before(old, step, count, count_after))
                for step in range(count + count_after)
            ),
            count,
        )
        if _points_by_share(path) == _points_by_share(self.before.held[span.site]):
            return old
        # Beside a throw around the body a path only holds if that is said.
        return (
            path
            if path == self.before.holding(path, span)
            else replace(path, goes_around_body=True)
        )

    def _divide_into_steps(self, span: HandSpan, rows: Integers) -> tuple[int, int, dict[int, int]]:
        """Divide both parts of a span into even steps, so that points fall on them.

        Args:
            span: from a turn of the hand to the next.
            rows: of all points of the hand.

        Returns:
            The number of steps from the throw to the catch, of those from the catch to the next
            throw, and the row of the point on each step that has one.
        """
        loop = self.wanted.duration
        throw = self.thrown.get(span.site)
        next_throw = self.thrown.get(span.next_site)
        caught: list[int | None] = [*self.caught.get(span.next_site, [])]

        # Times of the throw, of the first and the last catch, and of the next throw, [s].
        start = self._time_of(throw, span.throw_time)
        end = self._time_of(next_throw, span.next_throw_time)
        catches = [
            self._time_of(event, beat)
            for event, beat in zip(caught or [None], span.catch_times, strict=True)
        ]
        first_catch = min(catches)
        last_catch = max(catches)

        # The points within the span, but not between its catches, which have no steps. Those at the
        # very start count as 0 s since then, not as a loop.
        since = (self.wanted.events.time[rows] - start + SAME_TIME) % loop - SAME_TIME
        is_inside = (since < end - start - SAME_TIME) & (
            (since <= first_catch - start) | (since >= last_catch - start - SAME_TIME)
        )
        rows = rows[is_inside]
        since = since[is_inside]

        # If just the usual points are passed, nothing has to be said of them.
        hand, _beat = span.site
        missing = (self.missing.get(hand, np.array([])) - start) % loop < end - start
        if self.usual_points.issuperset(rows.tolist()) and not missing.any():
            return 1, 1, {}

        is_empty = since <= first_catch - start + SAME_TIME
        count, steps = _even_steps(
            since[is_empty], first_catch - start, throw is not None, bool(caught)
        )
        count_after, steps_after = _even_steps(
            since[~is_empty] - (last_catch - start), end - last_catch, True, True
        )
        row_of_step = {
            step: int(row) for row, step in zip(rows[is_empty], steps, strict=True) if step >= 0
        }
        row_of_step |= {
            count + step: int(row)
            for row, step in zip(rows[~is_empty], steps_after, strict=True)
            if step > 0
        }
        return count, count_after, row_of_step

    def _time_of(self, event: int | None, beat: float) -> float:
        """The time of an event near its beat in the pattern, [s]; without one, that of the beat.

        The time may be outside the loop.
        """
        usual = beat / self.rate
        if event is None:
            return usual
        loop = self.wanted.duration
        return usual + (self.times[event] - usual + loop / 2) % loop - loop / 2

    def _said_before(self, old: HandBeat, step: int, count: int, count_after: int) -> Point | None:
        """The point of an old path at the same share of the same part of a path; None if it has
        none there.

        Args:
            old: the path before.
            step: of the new path.
            count: steps from throw to catch of the new path.
            count_after: steps from catch to throw.
        """
        old_count_after = len(old.points) - old.catch
        old_step = (
            step * old.catch / count
            if step <= count
            else old.catch + (step - count) * old_count_after / count_after
        )
        return old.points[round(old_step)] if abs(old_step - round(old_step)) < 1e-9 else None

    def _point(self, row: int | None, said: Point | None) -> Point | None:
        """The point to be said of an event; None where nothing has to be said.

        Args:
            row: of the event; None if there is none on this step.
            said: the point before, which stays if it is the same place.
        """
        if row is None:
            return None
        if (
            said is not None
            and np.abs(self.places[row] - self.style.raised_point(said)).max() < SAME_PLACE
        ):
            return said
        return None if row in self.as_usual else rounded(lowered(self.style, self.places[row]))


def _points_by_share(path: HandBeat) -> dict[float, Point]:
    """The points that a path says, by when they are passed: from 0 at the throw over 1 at the catch
    up to 2 at the next throw.
    """
    count_after = len(path.points) - path.catch
    points = {}
    for step, point in enumerate(path.points):
        if point is None:
            continue
        is_empty = step <= path.catch
        share = step / path.catch if is_empty else 1 + (step - path.catch) / count_after
        # Rounded, so that equal shares of different steps are equal.
        points[round(share, 9)] = point
    return points


def _even_steps(
    since: Floats, lasts: float, no_first: bool, no_last: bool
) -> tuple[int, list[int]]:
    """Divide a time into even steps, so that most points fall on one.

    Args:
        since: times of the points since the start, [s].
        lasts: the time, [s].
        no_first, no_last: whether no point may fall on the start, or on the end.

    Returns:
        The number of steps, and the step on which each point falls, -1 for none.
    """
    best: tuple[int, list[int]] = 1, []
    for count in _STEP_COUNTS if lasts > 0 else (1,):
        exact = since / lasts * count if lasts > 0 else np.zeros(len(since))
        step = np.rint(exact).astype(np.intp)
        fits = np.abs(exact - step) * lasts / count < POINT_TIME
        fits &= (step >= no_first) & (step <= count - no_last)
        steps = np.where(fits, step, -1).tolist()
        _best_count, best_steps = best
        if count == 1 or sum(fits) > sum(step >= 0 for step in best_steps):
            best = count, steps
        # Each point has a step of its own: more steps cannot be better.
        if len(set(steps) - {-1}) == len(since):
            break
    return best


def _with_bodies(pattern: Pattern, staging: Staging, rate: float, wanted: BodyKeyframes) -> Staging:
    """The staging with bodies as they are wanted, as far as their keys fall on even steps of
    beats.

    Args:
        pattern: of a full loop.
        staging: with hands as wanted.
        rate: parts of a beat per second.
        wanted: keyframes of the bodies.
    """
    style = STYLES[staging.style]
    # The bodies of the staging, or as they stand without a word.
    for body in (staging.body, None):
        radius = {} if body else {"radius": style.circle}
        if not body_differences(
            wanted, body_keyframes(pattern, body, rate, **radius), pattern.period / rate
        ):
            return replace(staging, body=body)
    beats = [_body_beats(pattern, rate, wanted, juggler) for juggler in range(pattern.jugglers)]
    says_any = any(place for body_beats in beats for beat in body_beats for place in beat)
    return replace(staging, body=write_body(beats)) if says_any else staging


def body_differences(one: BodyKeyframes, other: BodyKeyframes, loop: float) -> dict[int, int]:
    """For each juggler that stands or turns otherwise, how many keys differ.

    Args:
        one, other: keyframes of the same jugglers.
        loop: duration of the loop, [s].
    """
    differences = {}
    for juggler in sorted(set(one.juggler.tolist())):
        rows = np.flatnonzero(one.juggler == juggler)
        other_rows = np.flatnonzero(other.juggler == juggler)
        if len(rows) != len(other_rows):
            differences[juggler] = max(1, abs(len(rows) - len(other_rows)))
            continue
        # Metres and radians have the same tolerance.
        away = np.abs(one.position[rows] - other.position[other_rows]).max(axis=1)
        away = np.maximum(
            away, np.abs(time_apart(one.facing[rows], other.facing[other_rows], 2 * math.pi))
        )
        differs = away > SAME_PLACE
        # A single key holds at all times.
        if len(rows) > 1:
            differs |= np.abs(time_apart(one.time[rows], other.time[other_rows], loop)) > POINT_TIME
        if differs.any():
            differences[juggler] = int(differs.sum())
    return differences


def _body_beats(
    pattern: Pattern, rate: float, wanted: BodyKeyframes, juggler: int
) -> list[tuple[BodyPlace | None, ...]]:
    """The places of a body on even steps of each beat of the loop; None for a step without one.

    Keys that fall on no step are left out.

    Args:
        pattern: of a full loop.
        rate: parts of a beat per second.
        wanted: keyframes of all bodies.
        juggler: whose body it is.
    """
    keys = np.flatnonzero(wanted.juggler == juggler)
    places = [_body_place(wanted, row) for row in keys.tolist()]
    if len(keys) == 1:
        # One place for all beats.
        return [(places[0],)]
    beat_duration = pattern.division / rate
    beats: list[tuple[BodyPlace | None, ...]] = [()] * max(1, pattern.period // pattern.division)
    # A little early, so that rounding takes no key into the beat before.
    starts = [beat * beat_duration - POINT_TIME for beat in range(len(beats))]
    beat_of_key = [max(0, bisect_right(starts, time) - 1) for time in wanted.time[keys].tolist()]
    for beat in set(beat_of_key):
        rows = [row for row, key_beat in enumerate(beat_of_key) if key_beat == beat]
        count, steps = _even_steps(
            wanted.time[keys[rows]] - beat * beat_duration, beat_duration, False, True
        )
        place_of_step = {
            step: places[row] for row, step in zip(rows, steps, strict=True) if step >= 0
        }
        beats[beat] = tuple(place_of_step.get(step) for step in range(count))
    return beats


def _body_place(bodies: BodyKeyframes, row: int) -> BodyPlace:
    """The place of a keyframe, rounded as settings write it."""
    angle = math.radians(round(math.degrees(float(bodies.facing[row])), _DIGITS_OF_DEGREES))
    return BodyPlace(angle, rounded(bodies.position[row].tolist()))
