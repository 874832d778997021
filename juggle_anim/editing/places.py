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

_ANGLE_DIGITS = 4

# Steps from a throw to a catch, from a catch to a throw, and within a beat of a body.
_STEPS = range(1, 13)


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
    """For each turn of a hand, a hand and a beat, its next."""
    sites = sorted((2 * juggler + side, beat) for beat, juggler, side in pattern.turns)
    by_hand = [list(mine) for _, mine in groupby(sites, lambda site: site[0])]
    return {
        site: mine[(place + 1) % len(mine)] for mine in by_hand for place, site in enumerate(mine)
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
    """The moves of hands with the shortest text that says some paths; None if they say nothing.

    Args:
        pattern: of a full loop.
        paths: from each turn of a hand, a hand and a beat; the mirrored half of a loop follows the
            first.
        digits: of a centimetre.
    """

    def written(path: HandBeat) -> HandBeat:
        if not any(path.points):
            return USUAL_PATH
        return replace(
            path, points=tuple(point and rounded(point, digits) for point in path.points)
        )

    turns: list[list[HandBeat]] = [[] for _ in range(pattern.jugglers)]
    for beat, juggler, side in pattern.turns:
        if not pattern.mirrored or beat < pattern.period // 2:
            turns[juggler].append(written(paths[2 * juggler + side, beat]))
    return (
        write_hands(turns) if any(path != USUAL_PATH for mine in turns for path in mine) else None
    )


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
        assert score.pattern is not None, "only patterns have settings"
        self.score = score
        self.parameters = parameters
        self.pattern = repeat_to_full_loop(score.pattern, score.staging)
        self.style = STYLES[score.staging.style].shaped(parameters)
        self.table = timed_events(self.pattern, replace(score.staging, hands=None), parameters)[0]
        self.spans, self.paths = (
            self.table.spans(),
            paths_by_turn(self.pattern, score.staging.hands),
        )
        self.held = {span.turn: self.holding(self.paths[span.turn], span) for span in self.spans}
        self.sites = flight_sites(self.pattern)
        self._last: Choreography | None = None

    def holding(self, path: HandBeat, span: HandSpan) -> HandBeat:
        """What holds of a path over a span, where throws and catches may be around the body."""
        return held_path(path, span.turn, span.following, self.table.around)

    def events(self, wanted: Choreography) -> Choreography:
        """The throws and catches alone, at the tempo of other events."""
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
    catches = _catches(usual, wanted, match)
    if catches != score.staging.catches:
        # Hands catch claws and penguins elsewhere, and may take longer to repeat.
        caught = UsualPlaces(
            replace(score, staging=replace(score.staging, catches=catches)), usual.parameters
        )
        again = matching_events(wanted, caught.events(wanted))
        usual, match = (usual, match) if again is None else (caught, again)
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
    return replace(score, staging=replace(score.staging, catches=_catches(usual, wanted, match)))


def _catches(usual: UsualPlaces, wanted: Choreography, match: Integers) -> Catches:
    have = usual.events(wanted)
    caught = np.unique(have.flights.catch)
    manners = wanted.events.manners
    if (manners[match[caught]] == have.events.manners[caught]).all():
        return usual.score.staging.catches
    words: list[tuple[str, ...]] = []
    for side in (0, 1):
        mine = caught[have.events.hand[caught] % 2 == side]
        first = mine[have.events.hand[mine] == have.events.hand[mine].min(initial=len(wanted.rest))]
        names = [catch_word(*manners[match[event]].tolist()) for event in first]
        words.append(shortest_period(names) or ("palm",))
    return words[0], words[1]


class _HandWriter:
    """What `hands` has to say for hands to throw, catch and pass where they are wanted."""

    def __init__(self, usual: UsualPlaces, wanted: Choreography, match: Integers) -> None:
        self.before = usual
        self.wanted = wanted
        self.style = usual.style
        self.rate = usual.pattern.period / wanted.duration
        events = usual.events(wanted)
        self.times, self.places = wanted.events.time.tolist(), outward_places(wanted)
        near = np.abs(outward_places(events) - self.places[match]).max(axis=1) < SAME_PLACE
        self.as_usual = set(match[near].tolist())
        passed = np.flatnonzero(wanted.events.kind >= HOLD)
        self.points = {
            hand: passed[wanted.events.hand[passed] == hand]
            for hand in set(wanted.events.hand[passed])
        }
        self.usual_points, self.missing = self._usual_points(events.events)
        self.thrown: dict[Site, int] = {}
        self.caught: dict[Site, list[int]] = {}
        ends = (match[each].tolist() for each in (events.flights.throw, events.flights.catch))
        for (site, landing), throw, catch in zip(usual.sites, *ends, strict=True):
            self.thrown[site] = throw
            self.caught.setdefault(landing, []).append(catch)

    def _usual_points(self, usual: Events) -> tuple[set[int], dict[int, Floats]]:
        """Which points hands pass without being told, and, by hand, when there are others that they
        do not, [s].
        """
        wanted = self.wanted.events
        found = set[int]()
        missing = dict[int, list[float]]()
        for row in np.flatnonzero(usual.kind >= HOLD):
            hand = int(usual.hand[row])
            mine = self.points.get(hand, np.array([], dtype=np.intp))
            near = (
                np.abs(time_apart(wanted.time[mine], usual.time[row], self.wanted.duration))
                < POINT_TIME
            )
            near &= (
                np.abs(wanted.position[mine] - usual.position[row]).max(axis=1, initial=0.0)
                < SAME_PLACE
            )
            found.update(mine[near].tolist())
            if not near.any():
                missing.setdefault(hand, []).append(float(usual.time[row]))
        return found, {hand: np.array(times) for hand, times in missing.items()}

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
        """The path of a hand over one span: its throw, its catch, and the points that fit into even
        steps.
        """
        throw = self.thrown.get(span.turn)
        caught = self.caught.get(span.following, [])
        points = self.points.get(span.turn[0])
        count, parts, rows_at = (
            (1, 1, dict[int, int]()) if points is None else self._steps(span, points)
        )
        if throw is not None:
            rows_at[0] = throw
        if caught:
            rows_at[count] = caught[0]
        numbers = range(count + parts)
        path = HandBeat(
            tuple(
                self._point(rows_at.get(each), self._old(old, each, count, parts))
                for each in numbers
            ),
            count,
        )
        if _shares(path) == _shares(self.before.held[span.turn]):
            return old
        return path if path == self.before.holding(path, span) else replace(path, around=True)

    def _steps(self, span: HandSpan, rows: Integers) -> tuple[int, int, dict[int, int]]:
        """Into how many steps both parts of a span are divided, and which points of the hand fall
        on them.
        """
        loop = self.wanted.duration
        throw = self.thrown.get(span.turn)
        after = self.thrown.get(span.following)
        caught: list[int | None] = [*self.caught.get(span.following, [])]
        start = self._seconds(throw, span.throws)
        end = self._seconds(after, span.again)
        catches = [
            self._seconds(event, at)
            for event, at in zip(caught or [None], span.catches, strict=True)
        ]
        first = min(catches)
        last = max(catches)
        since = (self.wanted.events.time[rows] - start + SAME_TIME) % loop - SAME_TIME
        inside = (since < end - start - SAME_TIME) & (
            (since <= first - start) | (since >= last - start - SAME_TIME)
        )
        rows = rows[inside]
        since = since[inside]
        missing = (self.missing.get(span.turn[0], np.array([])) - start) % loop < end - start
        if self.usual_points.issuperset(rows.tolist()) and not missing.any():
            return 1, 1, {}
        empty = since <= first - start + SAME_TIME
        before = _even_steps(since[empty], first - start, throw is not None, bool(caught))
        behind = _even_steps(since[~empty] - (last - start), end - last, True, True)
        found = {
            step: int(row) for row, step in zip(rows[empty], before[1], strict=True) if step >= 0
        }
        found |= {
            before[0] + step: int(row)
            for row, step in zip(rows[~empty], behind[1], strict=True)
            if step > 0
        }
        return before[0], behind[0], found

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


def _shares(path: HandBeat) -> dict[float, Point]:
    """The points that a path says, by when they are passed: from 0 at the throw over 1 at the catch
    up to 2.
    """
    behind = len(path.points) - path.catch
    return {
        round(
            number / path.catch if number <= path.catch else 1 + (number - path.catch) / behind, 9
        ): point
        for number, point in enumerate(path.points)
        if point is not None
    }


def _even_steps(
    since: Floats, lasts: float, no_first: bool, no_last: bool
) -> tuple[int, list[int]]:
    """Into how many steps a time [s] is divided, so that most points fall on one, and which each
    falls on, or −1.
    """
    best: tuple[int, list[int]] = 1, []
    for count in _STEPS if lasts > 0 else (1,):
        exact = since / lasts * count if lasts > 0 else np.zeros(len(since))
        step = np.rint(exact).astype(np.intp)
        fits = np.abs(exact - step) * lasts / count < POINT_TIME
        fits &= (step >= no_first) & (step <= count - no_last)
        steps = np.where(fits, step, -1).tolist()
        if count == 1 or sum(fits) > sum(step >= 0 for step in best[1]):
            best = count, steps
        if len(set(steps) - {-1}) == len(since):
            break
    return best


def _with_bodies(pattern: Pattern, staging: Staging, rate: float, wanted: BodyKeyframes) -> Staging:
    """The staging with bodies as they are wanted, as far as their keys fall on even steps of
    beats.
    """
    style = STYLES[staging.style]
    for body in (staging.body, None):
        radius = {} if body else {"radius": style.circle}
        if not body_differences(
            wanted, body_keyframes(pattern, body, rate, **radius), pattern.period / rate
        ):
            return replace(staging, body=body)
    beats = [_body_beats(pattern, rate, wanted, juggler) for juggler in range(pattern.jugglers)]
    said = any(place for mine in beats for beat in mine for place in beat)
    return replace(staging, body=write_body(beats)) if said else staging


def body_differences(one: BodyKeyframes, other: BodyKeyframes, loop: float) -> dict[int, int]:
    """For each juggler that stands or turns otherwise, how many keys differ."""
    found = {}
    for juggler in sorted(set(one.juggler.tolist())):
        mine, theirs = (np.flatnonzero(each.juggler == juggler) for each in (one, other))
        if len(mine) != len(theirs):
            found[juggler] = max(1, abs(len(mine) - len(theirs)))
            continue
        away = np.abs(one.position[mine] - other.position[theirs]).max(axis=1)
        away = np.maximum(
            away, np.abs(time_apart(one.facing[mine], other.facing[theirs], 2 * math.pi))
        )
        differs = away > SAME_PLACE
        if len(mine) > 1:
            differs |= np.abs(time_apart(one.time[mine], other.time[theirs], loop)) > POINT_TIME
        if differs.any():
            found[juggler] = int(differs.sum())
    return found


def _body_beats(
    pattern: Pattern, rate: float, wanted: BodyKeyframes, juggler: int
) -> list[tuple[BodyPlace | None, ...]]:
    """The places of a body in each beat of the loop."""
    mine = np.flatnonzero(wanted.juggler == juggler)
    places = [_body_place(wanted, row) for row in mine.tolist()]
    if len(mine) == 1:
        return [(places[0],)]
    beat = pattern.division / rate
    found: list[tuple[BodyPlace | None, ...]] = [()] * max(1, pattern.period // pattern.division)
    starts = [number * beat - POINT_TIME for number in range(len(found))]
    number = [max(0, bisect_right(starts, time) - 1) for time in wanted.time[mine].tolist()]
    for which in set(number):
        rows = [row for row, each in enumerate(number) if each == which]
        count, steps = _even_steps(wanted.time[mine[rows]] - which * beat, beat, False, True)
        at = {step: places[row] for row, step in zip(rows, steps, strict=True) if step >= 0}
        found[which] = tuple(at.get(step) for step in range(count))
    return found


def _body_place(bodies: BodyKeyframes, row: int) -> BodyPlace:
    angle = math.radians(round(math.degrees(float(bodies.facing[row])), _ANGLE_DIGITS))
    return BodyPlace(angle, rounded(bodies.position[row].tolist()))
