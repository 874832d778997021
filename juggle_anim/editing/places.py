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
from juggle_anim.choreography.hand_points import HandPoints, HandSpan, held_path
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

_ANGLE_DECIMALS_OF_DEGREE = 4

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
    """Return, for each turn of a hand as (hand, beat), the next turn of the same hand.

    The last turn in the loop is followed by the first. Hands are 2 · juggler + side.
    """
    sites = sorted((2 * juggler + side, beat) for beat, juggler, side in pattern.turns)
    sites_by_hand = [
        list(sites_of_hand) for _, sites_of_hand in groupby(sites, lambda site: site[0])
    ]
    return {
        site: sites_of_hand[(index + 1) % len(sites_of_hand)]
        for sites_of_hand in sites_by_hand
        for index, site in enumerate(sites_of_hand)
    }


def paths_by_turn(pattern: Pattern, hands: HandMoves | None) -> dict[Site, HandBeat]:
    """For each turn of a hand, its path from there on as the settings have it."""
    return HandPoints(pattern, hands or HandMoves("", ((USUAL_PATH,),))).hand_beats


def lowered(style: HandStyle, point: Sequence[float] | Floats) -> Point:
    """The point that `HandStyle.raised_point` takes to this one."""
    outward, up, forward = point
    lift = style.hands_up
    if lift and up < OVERHEAD:
        up = up - lift if up <= lift else (up - lift) / (1 - lift / OVERHEAD)
    return outward, up, forward


def write_paths(
    pattern: Pattern, paths: Mapping[Site, HandBeat], digits: int = DIGITS
) -> HandMoves | None:
    """Write paths of hands as the shortest text; None if all of them are as usual.

    Args:
        pattern: pattern of a full loop.
        paths: path from each turn on, by (hand, beat). In a mirrored pattern only those of the
            first half of the loop are read, since the text repeats them for the other hands.
        digits: decimals of a centimetre.
    """

    def rounded_path(path: HandBeat) -> HandBeat:
        if not any(path.points):
            return USUAL_PATH
        return replace(
            path, points=tuple(point and rounded(point, digits) for point in path.points)
        )

    paths_by_juggler: list[list[HandBeat]] = [[] for _ in range(pattern.jugglers)]
    for beat, juggler, side in pattern.turns:
        if not pattern.mirrored or beat < pattern.period // 2:
            paths_by_juggler[juggler].append(rounded_path(paths[2 * juggler + side, beat]))
    all_usual = all(
        path == USUAL_PATH for juggler_paths in paths_by_juggler for path in juggler_paths
    )
    return None if all_usual else write_hands(paths_by_juggler)


def rounded(point: Sequence[float], digits: int = DIGITS) -> Point:
    """A point [m] to some digits of a centimetre."""
    outward, up, forward = (round(100 * part, digits) / 100 for part in point)
    return outward, up, forward


class UsualPlaces:
    """Where hands of a pattern throw and catch if `hands` says nothing, and what it says.

    Args:
        score: with a pattern.
        parameters: of the score.
    """

    def __init__(self, score: Score, parameters: Parameters) -> None:
        """Compute events without `hands`, and the paths that `hands` says, by turns of hands."""
        assert score.pattern is not None, "only patterns have settings"
        self.score = score
        self.parameters = parameters
        self.pattern = repeat_to_full_loop(score.pattern, score.staging)
        self.style = STYLES[score.staging.style].shaped(parameters)
        self.table = timed_events(self.pattern, replace(score.staging, hands=None), parameters)[0]
        self.spans = self.table.spans()
        self.paths = paths_by_turn(self.pattern, score.staging.hands)
        self.held = {span.turn: self.holding(self.paths[span.turn], span) for span in self.spans}
        self.sites = flight_sites(self.pattern)
        self._last_events: Choreography | None = None

    def holding(self, path: HandBeat, span: HandSpan) -> HandBeat:
        """What holds of a path over a span, where throws and catches may be around the body."""
        return held_path(path, span.turn, span.following, self.table.around)

    def events(self, wanted: Choreography) -> Choreography:
        """The throws and catches alone, at the tempo of other events."""
        if self._last_events is None or self._last_events.duration != wanted.duration:
            rate = self.pattern.period / wanted.duration
            rank, events = self.table.events(rate)
            flights = self.table.flights(rank, rate)
            self._last_events = replace(
                wanted, events=events, flights=flights, orbits=self.table.orbits()
            )
        return self._last_events


def nearest_settings(usual: UsualPlaces, wanted: Choreography) -> Score:
    """Return the score whose hands, catches and bodies come nearest to some events.

    The score keeps its own times. Settings that say the same already keep their text.

    Args:
        usual: places in the score from which the events were made.
        wanted: events of the same throws and catches; for others the score is returned unchanged.
    """
    score = usual.score
    if wanted.jugglers != usual.pattern.jugglers:
        return score
    match = matching_events(wanted, usual.events(wanted))
    if match is None:
        return score
    catches = _catch_words(usual, wanted, match)
    if catches != score.staging.catches:
        # Claws and penguins are caught at other places, and may make the loop longer, so the usual
        # places are taken anew.
        usual_of_catches = UsualPlaces(
            replace(score, staging=replace(score.staging, catches=catches)), usual.parameters
        )
        new_match = matching_events(wanted, usual_of_catches.events(wanted))
        if new_match is not None:
            usual = usual_of_catches
            match = new_match
    staging = replace(usual.score.staging, hands=_HandWriter(usual, wanted, match).moves())
    rate = usual.pattern.period / wanted.duration  # parts of beats per second
    return replace(score, staging=_with_bodies(usual.pattern, staging, rate, wanted.bodies))


def with_catches(score: Score, parameters: Parameters, wanted: Choreography) -> Score:
    """Return the score that says how hands catch, as far as all hands of one side catch alike.

    Args:
        score: score with a pattern.
        parameters: parameters of the score.
        wanted: events of the same throws and catches, whose manners of catching are taken; for
            others the score is returned unchanged.
    """
    usual = UsualPlaces(score, parameters)
    match = matching_events(wanted, usual.events(wanted))
    if match is None:
        return score
    return replace(
        score, staging=replace(score.staging, catches=_catch_words(usual, wanted, match))
    )


def _catch_words(usual: UsualPlaces, wanted: Choreography, match: Integers) -> Catches:
    """Return the words of the setting `catches` for wanted events, left hands first.

    Args:
        usual: places in the score before.
        wanted: events whose manners of catching are taken.
        match: (E,), row of `wanted.events` for each usual event; -1 for points.
    """
    usual_events = usual.events(wanted)
    catch_rows = np.unique(usual_events.flights.catch)
    manners = wanted.events.manners
    if (manners[match[catch_rows]] == usual_events.events.manners[catch_rows]).all():
        return usual.score.staging.catches
    words: list[tuple[str, ...]] = []
    for side in (0, 1):
        # The setting has one list for each side, so that the first hand speaks for all.
        rows = catch_rows[usual_events.events.hand[catch_rows] % 2 == side]
        hands = usual_events.events.hand[rows]
        first_hand_rows = rows[hands == hands.min(initial=len(wanted.rest))]
        names = [catch_word(*manners[match[row]].tolist()) for row in first_hand_rows]
        words.append(shortest_period(names) or ("palm",))
    return words[0], words[1]


class _HandWriter:
    """What `hands` has to say for hands to throw, catch and pass where they are wanted."""

    def __init__(self, usual: UsualPlaces, wanted: Choreography, match: Integers) -> None:
        """Sort the wanted events by hands and turns, and find those at their usual places.

        Args:
            usual: places where hands are without a setting.
            wanted: events of the same throws and catches.
            match: (E,), row of `wanted.events` for each usual event; -1 for points.
        """
        self.before = usual
        self.wanted = wanted
        self.style = usual.style
        self.rate = usual.pattern.period / wanted.duration  # parts of beats per second
        usual_events = usual.events(wanted)
        self.times = wanted.events.time.tolist()
        self.places = outward_places(wanted)

        # Rows of wanted throws and catches at their usual places, and rows of points by hand.
        is_usual = (
            np.abs(outward_places(usual_events) - self.places[match]).max(axis=1) < SAME_PLACE
        )
        self.as_usual = set(match[is_usual].tolist())
        point_rows = np.flatnonzero(wanted.events.kind >= HOLD)
        self.points = {
            hand: point_rows[wanted.events.hand[point_rows] == hand]
            for hand in set(wanted.events.hand[point_rows])
        }
        self.usual_points, self.missing = self._usual_points(usual_events.events)

        # Rows of the throw and the catches that belong to each turn, by (hand, beat).
        self.thrown: dict[Site, int] = {}
        self.caught: dict[Site, list[int]] = {}
        throws = match[usual_events.flights.throw].tolist()
        catches = match[usual_events.flights.catch].tolist()
        for (site, landing), throw, catch in zip(usual.sites, throws, catches, strict=True):
            self.thrown[site] = throw
            self.caught.setdefault(landing, []).append(catch)

    def _usual_points(self, usual: Events) -> tuple[set[int], dict[int, Floats]]:
        """Compare the points that hands pass without a setting with the wanted ones.

        Returns:
            Rows of wanted points that hands pass anyway; and by hand the times, s, of usual points
            that are not wanted.
        """
        wanted = self.wanted.events
        passed_anyway = set[int]()
        missing_times = dict[int, list[float]]()
        for row in np.flatnonzero(usual.kind >= HOLD):
            hand = int(usual.hand[row])
            points = self.points.get(hand, np.array([], dtype=np.intp))
            is_same = (
                np.abs(time_apart(wanted.time[points], usual.time[row], self.wanted.duration))
                < POINT_TIME
            )
            is_same &= (
                np.abs(wanted.position[points] - usual.position[row]).max(axis=1, initial=0.0)
                < SAME_PLACE
            )
            passed_anyway.update(points[is_same].tolist())
            if not is_same.any():
                missing_times.setdefault(hand, []).append(float(usual.time[row]))
        return passed_anyway, {hand: np.array(times) for hand, times in missing_times.items()}

    def moves(self) -> HandMoves | None:
        """The paths; those of the text where it says the same, None where nothing needs to be
        said.
        """
        old = self.before.paths
        paths = {span.turn: self._path(span, old[span.turn]) for span in self.before.spans}
        return (
            self.before.score.staging.hands
            if paths == old
            else write_paths(self.before.pattern, paths)
        )

    def _path(self, span: HandSpan, old: HandBeat) -> HandBeat:
        """Return the path of a hand over one span: its throw, catch, and the points on even steps.

        Args:
            span: from a turn of the hand to its next one.
            old: path that the setting has for the span; returned where it says the same.
        """
        throw = self.thrown.get(span.turn)
        catches = self.caught.get(span.following, [])
        hand, _beat = span.turn
        point_rows = self.points.get(hand)
        # Steps before and after the catch, and the row of the event on each step.
        steps_before, steps_after, rows_by_step = (
            (1, 1, dict[int, int]()) if point_rows is None else self._steps(span, point_rows)
        )
        if throw is not None:
            rows_by_step[0] = throw
        if catches:
            rows_by_step[steps_before] = catches[0]
        path = HandBeat(
            tuple(
                self._point(rows_by_step.get(step), self._old(old, step, steps_before, steps_after))
                for step in range(steps_before + steps_after)
            ),
            steps_before,
        )
        if _points_by_share(path) == _points_by_share(self.before.held[span.turn]):
            return old
        # A path that throws and catches around the body would not hold must say so.
        return path if path == self.before.holding(path, span) else replace(path, around=True)

    def _steps(self, span: HandSpan, rows: Integers) -> tuple[int, int, dict[int, int]]:
        """Divide both parts of a span into even steps on which most points of the hand fall.

        Args:
            span: from a throw of the hand over its catches to its next throw.
            rows: rows in `wanted.events` of all points of the hand.

        Returns:
            Number of steps before the catch and after it, and the row of the point on each step,
            counted from the throw on.
        """
        loop = self.wanted.duration
        throw = self.thrown.get(span.turn)
        next_throw = self.thrown.get(span.following)
        catches: list[int | None] = [*self.caught.get(span.following, [])]

        # Times of the throw, the first and last catch, and the next throw, s.
        start = self._seconds(throw, span.throws)
        end = self._seconds(next_throw, span.again)
        catch_times = [
            self._seconds(event, units)
            for event, units in zip(catches or [None], span.catches, strict=True)
        ]
        first_catch = min(catch_times)
        last_catch = max(catch_times)

        # Points within the span, but not between catches, where no step can be.
        since = (self.wanted.events.time[rows] - start + SAME_TIME) % loop - SAME_TIME
        is_inside = (since < end - start - SAME_TIME) & (
            (since <= first_catch - start) | (since >= last_catch - start - SAME_TIME)
        )
        rows = rows[is_inside]
        since = since[is_inside]

        # Nothing is said where all points come by themselves and none is missing.
        hand, _beat = span.turn
        is_missing = (self.missing.get(hand, np.array([])) - start) % loop < end - start
        if self.usual_points.issuperset(rows.tolist()) and not is_missing.any():
            return 1, 1, {}

        # The hand is empty before the catch, and holds a prop after it.
        is_empty = since <= first_catch - start + SAME_TIME
        steps_before, empty_steps = _even_steps(
            since[is_empty], first_catch - start, throw is not None, bool(catches)
        )
        steps_after, full_steps = _even_steps(
            since[~is_empty] - (last_catch - start), end - last_catch, True, True
        )
        rows_by_step = {
            step: int(row)
            for row, step in zip(rows[is_empty], empty_steps, strict=True)
            if step >= 0
        }
        rows_by_step |= {
            steps_before + step: int(row)
            for row, step in zip(rows[~is_empty], full_steps, strict=True)
            if step > 0
        }
        return steps_before, steps_after, rows_by_step

    def _seconds(self, event: int | None, units: float) -> float:
        """When something happens: an event at its own time near that of the pattern, [s]."""
        usual = units / self.rate
        if event is None:
            return usual
        loop = self.wanted.duration
        return usual + (self.times[event] - usual + loop / 2) % loop - loop / 2

    def _old(self, old: HandBeat, number: int, count: int, parts: int) -> Point | None:
        """What the text says of a point that comes as early in the same part of a path."""
        behind = len(old.points) - old.catch
        place = (
            number * old.catch / count
            if number <= count
            else old.catch + (number - count) * behind / parts
        )
        return old.points[round(place)] if abs(place - round(place)) < 1e-9 else None

    def _point(self, row: int | None, said: Point | None) -> Point | None:
        if row is None:
            return None
        if (
            said is not None
            and np.abs(self.places[row] - self.style.raised_point(said)).max() < SAME_PLACE
        ):
            return said
        return None if row in self.as_usual else rounded(lowered(self.style, self.places[row]))


def _points_by_share(path: HandBeat) -> dict[float, Point]:
    """Return the points that a path says, by the share of the path at which they are passed.

    The share is 0 at the throw, 1 at the catch and 2 at the next throw, so that paths with
    different numbers of steps can be compared.
    """
    steps_after = len(path.points) - path.catch
    return {
        round(
            step / path.catch if step <= path.catch else 1 + (step - path.catch) / steps_after, 9
        ): point
        for step, point in enumerate(path.points)
        if point is not None
    }


def _even_steps(
    since: Floats, lasts: float, no_first: bool, no_last: bool
) -> tuple[int, list[int]]:
    """Divide a time into even steps, so that most points fall on one; the fewest steps win.

    Args:
        since: (P,), times of points from the beginning of the time, s.
        lasts: length of the time, s.
        no_first, no_last: whether step 0, or the last one, is taken by a throw or catch.

    Returns:
        Number of steps, and for each point the step that it falls on, or -1.
    """
    best_count = 1
    best_steps: list[int] = []
    for count in _STEP_COUNTS if lasts > 0 else (1,):
        exact = since / lasts * count if lasts > 0 else np.zeros(len(since))
        nearest = np.rint(exact).astype(np.intp)
        fits = np.abs(exact - nearest) * lasts / count < POINT_TIME
        fits &= (nearest >= no_first) & (nearest <= count - no_last)
        steps = np.where(fits, nearest, -1).tolist()
        if count == 1 or sum(fits) > sum(step >= 0 for step in best_steps):
            best_count = count
            best_steps = steps
        # Each point has a step of its own, so more steps bring nothing.
        if len(set(steps) - {-1}) == len(since):
            break
    return best_count, best_steps


def _with_bodies(pattern: Pattern, staging: Staging, rate: float, wanted: BodyKeyframes) -> Staging:
    """Return the staging with bodies as they are wanted, as far as keys fall on steps of beats.

    Args:
        pattern: pattern of the full loop.
        staging: staging whose text for bodies stays if it says the same.
        rate: parts of beats per second, as in `Pattern`.
        wanted: keyframes of all bodies.
    """
    style = STYLES[staging.style]
    # The text as it is, then no text: either may say already what is wanted.
    for body in (staging.body, None):
        radius = {} if body else {"radius": style.circle}
        if not body_differences(
            wanted, body_keyframes(pattern, body, rate, **radius), pattern.period / rate
        ):
            return replace(staging, body=body)
    beats = [_body_beats(pattern, rate, wanted, juggler) for juggler in range(pattern.jugglers)]
    has_places = any(place for juggler_beats in beats for beat in juggler_beats for place in beat)
    return replace(staging, body=write_body(beats)) if has_places else staging


def body_differences(one: BodyKeyframes, other: BodyKeyframes, loop: float) -> dict[int, int]:
    """Return, for each juggler that stands or turns otherwise, how many keys differ.

    Args:
        one, other: keyframes of the same jugglers.
        loop: duration of the loop, s.
    """
    differing_keys = {}
    for juggler in sorted(set(one.juggler.tolist())):
        one_rows, other_rows = (np.flatnonzero(keys.juggler == juggler) for keys in (one, other))
        if len(one_rows) != len(other_rows):
            differing_keys[juggler] = max(1, abs(len(one_rows) - len(other_rows)))
            continue
        # Metres and radians share one tolerance.
        apart = np.abs(one.position[one_rows] - other.position[other_rows]).max(axis=1)
        turned = np.abs(time_apart(one.facing[one_rows], other.facing[other_rows], 2 * math.pi))
        differs = np.maximum(apart, turned) > SAME_PLACE
        # The time of a single key means nothing.
        if len(one_rows) > 1:
            differs |= (
                np.abs(time_apart(one.time[one_rows], other.time[other_rows], loop)) > POINT_TIME
            )
        if differs.any():
            differing_keys[juggler] = int(differs.sum())
    return differing_keys


def _body_beats(
    pattern: Pattern, rate: float, wanted: BodyKeyframes, juggler: int
) -> list[tuple[BodyPlace | None, ...]]:
    """Return the places of a body in each beat of the loop; None for a step without a place.

    Args:
        pattern: pattern of the full loop.
        rate: parts of beats per second, as in `Pattern`.
        wanted: keyframes of all bodies.
        juggler: whose body.
    """
    rows = np.flatnonzero(wanted.juggler == juggler)
    places = [_body_place(wanted, row) for row in rows.tolist()]
    if len(rows) == 1:
        return [(places[0],)]
    beat_length = pattern.division / rate  # s
    beats: list[tuple[BodyPlace | None, ...]] = [()] * max(1, pattern.period // pattern.division)
    # A key just before a beat, by rounding, belongs to that beat.
    starts = [beat * beat_length - POINT_TIME for beat in range(len(beats))]
    beat_of_key = [max(0, bisect_right(starts, time) - 1) for time in wanted.time[rows].tolist()]
    for beat in set(beat_of_key):
        keys = [key for key, its_beat in enumerate(beat_of_key) if its_beat == beat]
        count, steps = _even_steps(
            wanted.time[rows[keys]] - beat * beat_length, beat_length, False, True
        )
        place_by_step = {
            step: places[key] for key, step in zip(keys, steps, strict=True) if step >= 0
        }
        beats[beat] = tuple(place_by_step.get(step) for step in range(count))
    return beats


def _body_place(bodies: BodyKeyframes, row: int) -> BodyPlace:
    angle = math.radians(round(math.degrees(float(bodies.facing[row])), _ANGLE_DECIMALS_OF_DEGREE))
    return BodyPlace(angle, rounded(bodies.position[row].tolist()))
