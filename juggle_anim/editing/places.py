"""Places as settings: the texts of `hands`, `catches` and `body` that put hands and bodies where they are wanted."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import BodyKeyframes, Choreography, Grasp, Score, Staging
from juggle_anim.choreography.choreograph import event_table, repeat_to_full_loop
from juggle_anim.choreography.choreography import HOLD
from juggle_anim.choreography.dwell import Site, hand_of, holds
from juggle_anim.choreography.places import OVERHEAD, STYLES, HandPoints, HandSpan, HandStyle, body_keyframes
from juggle_anim.choreography.score import USUAL_PATH, BodyPlace, HandBeat, HandMoves, Point
from juggle_anim.editing.symmetry import outward_places
from juggle_anim.notation.settings.staging import shortest_period, write_body, write_hands
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern

DIGITS = 3
"""Digits of a centimetre to which places by hand are written: a hundredth of a millimetre."""

SAME_TIME, SAME_PLACE = 5e-6, 1.5e-5
"""What differs by less is written alike, [s] and [m]."""

POINT_TIME = 5e-4
"""By how much a point of a path may come earlier or later in settings, which have it at even steps, [s]."""

_ANGLE_DIGITS = 4

# Steps from a throw to a catch, from a catch to a throw, and within a beat of a body.
_STEPS = range(1, 13)


def flight_sites(pattern: Pattern) -> list[tuple[Site, Site]]:
    """For each flight the hand and beat that throw it, and those that throw its prop next."""
    throws = pattern.throws
    return [
        ((hand_of(throws[index]), throws[index].beat), (hand_of(throws[landing]), throws[landing].beat))
        for index, (landing, held) in enumerate(zip(pattern.landings, holds(pattern), strict=True))
        if not held
    ]


def next_turns(pattern: Pattern) -> dict[Site, Site]:
    """For each turn of a hand, a hand and a beat, its next."""
    sites = sorted((2 * juggler + side, beat) for beat, juggler, side in pattern.turns)
    by_hand = [list(mine) for _, mine in groupby(sites, lambda site: site[0])]
    return {site: mine[(place + 1) % len(mine)] for mine in by_hand for place, site in enumerate(mine)}


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


def write_paths(pattern: Pattern, paths: Mapping[Site, HandBeat], digits: int = DIGITS) -> HandMoves | None:
    """The moves of hands with the shortest text that says some paths; None if they say nothing.

    Args:
        pattern: of a full loop.
        paths: from each turn of a hand, a hand and a beat; the mirrored half of a loop follows the first.
        digits: of a centimetre.
    """

    def written(path: HandBeat) -> HandBeat:
        if not any(path.points):
            return USUAL_PATH
        return HandBeat(tuple(point and rounded(point, digits) for point in path.points), path.catch)

    turns: list[list[HandBeat]] = [[] for _ in range(pattern.jugglers)]
    for beat, juggler, side in pattern.turns:
        if not pattern.mirrored or beat < pattern.period // 2:
            turns[juggler].append(written(paths[2 * juggler + side, beat]))
    return write_hands(turns) if any(path != USUAL_PATH for mine in turns for path in mine) else None


def rounded(point: Sequence[float], digits: int = DIGITS) -> Point:
    """A point [m] to some digits of a centimetre."""
    outward, up, forward = (round(100 * part, digits) / 100 for part in point)
    return outward, up, forward


def nearest_settings(score: Score, parameters: Parameters, wanted: Choreography) -> Score:
    """The score with hands, catches and bodies as near to the wanted ones as settings come, at its own times.

    What is not said in other words already stays in the words of the score.

    Args:
        score: with a pattern.
        parameters: of the score.
        wanted: other events of the same throws and catches.
    """
    assert score.pattern is not None, "only patterns have settings"
    pattern, staging = repeat_to_full_loop(score.pattern, score.staging), score.staging
    if abs(wanted.jugglers - pattern.jugglers) or not len(wanted.events.time):
        return score
    rate = pattern.period / wanted.duration
    if matching_events(wanted, _usual(pattern, staging, parameters, rate, wanted)) is None:
        return score
    staging = with_catches(score, parameters, wanted).staging
    staging = replace(staging, hands=_HandWriter(pattern, staging, parameters, rate, wanted).moves())
    return replace(score, staging=_with_bodies(pattern, staging, rate, wanted.bodies))


def _usual(
    pattern: Pattern, staging: Staging, parameters: Parameters, rate: float, wanted: Choreography
) -> Choreography:
    """What the settings would be without `hands`, with nothing but throws and catches."""
    table = event_table(pattern, replace(staging, hands=None), parameters)
    rank, events = table.events(rate)
    return replace(wanted, events=events, flights=table.flights(rank, rate), orbits=table.orbits())


def matching_events(one: Choreography, other: Choreography) -> Integers | None:
    """For each event of another choreography, the throw or catch of the one that it is.

    Those of each hand are matched in their order, from where their times fit best.

    Returns:
        Shape (E,), of rows of `one`, −1 for points that are passed; None where hands throw and catch otherwise.
    """
    found = np.full(len(other.events.time), -1, dtype=np.intp)
    for hand in range(2 * other.jugglers):
        mine, theirs = (np.flatnonzero((each.events.hand == hand) & (each.events.kind < HOLD)) for each in (one, other))
        if len(mine) != len(theirs):
            return None
        mine, theirs = mine[np.argsort(one.events.time[mine])], theirs[np.argsort(other.events.time[theirs])]
        best = math.inf
        for shift in range(-1, 2) if len(mine) else ():
            rolled = np.roll(mine, shift)
            if (one.events.kind[rolled] != other.events.kind[theirs]).any():
                continue
            away = float(np.abs(time_apart(one.events.time[rolled], other.events.time[theirs], one.duration)).sum())
            if away < best - SAME_TIME:
                best, found[theirs] = away, rolled
        if len(mine) and best == math.inf:
            return None
    return found


def time_apart(one: Floats, other: Floats, loop: float) -> Floats:
    """How much later the one is than the other, the nearest way around the loop, [s]."""
    apart: Floats = (one - other + loop / 2) % loop - loop / 2
    return apart


def with_catches(score: Score, parameters: Parameters, wanted: Choreography) -> Score:
    """The score that says how hands catch, as far as all hands of one side do so alike.

    Args:
        score: with a pattern.
        parameters: of the score.
        wanted: other events of the same throws and catches.
    """
    assert score.pattern is not None, "only patterns have settings"
    pattern, staging = repeat_to_full_loop(score.pattern, score.staging), score.staging
    usual = _usual(pattern, staging, parameters, pattern.period / wanted.duration, wanted)
    match = matching_events(wanted, usual)
    grasp = wanted.events.grasp
    if match is None or _same_grasps(grasp, usual.events.grasp, match):
        return score
    words: list[tuple[str, ...]] = []
    for side in (0, 1):
        caught = sorted(set(usual.flights.catch.tolist()), key=lambda event: (usual.events.hand[event], event))
        mine = [event for event in caught if usual.events.hand[event] % 2 == side]
        first = [event for event in mine if usual.events.hand[event] == usual.events.hand[mine[0]]]
        names = [Grasp(0 if grasp is None else int(grasp[match[event]])).name.lower() for event in first]
        words.append(shortest_period(names) or ("palm",))
    return replace(score, staging=replace(staging, catches=(words[0], words[1])))


def _same_grasps(wanted: Integers | None, usual: Integers | None, match: Integers) -> bool:
    have = np.zeros(len(match)) if usual is None else usual
    want = np.zeros(len(match)) if wanted is None else wanted[match]
    return bool((have == want).all())


class _HandWriter:
    """What `hands` has to say for hands to throw, catch and pass where they are wanted."""

    def __init__(
        self, pattern: Pattern, staging: Staging, parameters: Parameters, rate: float, wanted: Choreography
    ) -> None:
        self.pattern, self.hands, self.wanted, self.rate = pattern, staging.hands, wanted, rate
        self.style = STYLES[staging.style].shaped(parameters)
        table = event_table(pattern, replace(staging, hands=None), parameters)
        self.spans, usual = table.spans(), _usual(pattern, staging, parameters, rate, wanted)
        match = matching_events(wanted, usual)
        assert match is not None, "these events match"
        self.places, self.usual = outward_places(wanted), outward_places(usual)
        self.usual_of = dict(zip(match.tolist(), range(len(match)), strict=True))
        self.thrown: dict[Site, int] = {}
        self.caught: dict[Site, list[int]] = {}
        for (site, landing), throw, catch in zip(
            flight_sites(pattern), usual.flights.throw, usual.flights.catch, strict=True
        ):
            self.thrown[site] = int(match[throw])
            self.caught.setdefault(landing, []).append(int(match[catch]))

    def moves(self) -> HandMoves | None:
        """The paths; those of the text where it says the same, None where nothing needs to be said."""
        old = paths_by_turn(self.pattern, self.hands)
        paths = {span.turn: self._path(span, old[span.turn]) for span in self.spans}
        if paths == old:
            return self.hands
        return write_paths(self.pattern, paths)

    def _path(self, span: HandSpan, old: HandBeat) -> HandBeat:
        """The path of a hand over one span: its throw, its catch, and the points that fit into even steps."""
        events, loop = self.wanted.events, self.wanted.duration
        throw, after = self.thrown.get(span.turn), self.thrown.get(span.following)
        caught: list[int | None] = [*self.caught.get(span.following, [])]
        start, end = (self._seconds(event, at) for event, at in ((throw, span.throws), (after, span.again)))
        catches = [self._seconds(event, at) for event, at in zip(caught or [None], span.catches, strict=True)]
        first, last = min(catches), max(catches)
        rows = np.flatnonzero((events.hand == span.turn[0]) & (events.kind >= HOLD))
        since = (events.time[rows] - start + SAME_TIME) % loop - SAME_TIME
        inside = (since < end - start - SAME_TIME) & ((since <= first - start) | (since >= last - start - SAME_TIME))
        rows, since = rows[inside], since[inside]
        empty = since <= first - start + SAME_TIME
        before = _steps(since[empty], first - start, bool(throw is not None), bool(caught))
        behind = _steps(since[~empty] - (last - start), end - last, True, True)
        count, parts = before[0], behind[0]
        rows_at = {step: int(row) for row, step in zip(rows[empty], before[1], strict=True) if step >= 0}
        rows_at |= {count + step: int(row) for row, step in zip(rows[~empty], behind[1], strict=True) if step > 0}
        if throw is not None:
            rows_at[0] = throw
        if caught:
            rows_at[count] = self.caught[span.following][0]
        points = (
            self._point(rows_at.get(number), self._old(old, number, count, parts)) for number in range(count + parts)
        )
        path = HandBeat(tuple(points), count)
        return old if _shares(path) == _shares(old) else path

    def _seconds(self, event: int | None, units: float) -> float:
        """When something happens: an event at its own time near that of the pattern, [s]."""
        usual = units / self.rate
        if event is None:
            return usual
        times = self.wanted.events.time[event : event + 1]
        return usual + float(time_apart(times, np.array([usual]), self.wanted.duration)[0])

    def _old(self, old: HandBeat, number: int, count: int, parts: int) -> Point | None:
        """What the text says of a point that comes as early in the same part of a path."""
        behind = len(old.points) - old.catch
        place = number * old.catch / count if number <= count else old.catch + (number - count) * behind / parts
        return old.points[round(place)] if abs(place - round(place)) < 1e-9 else None

    def _point(self, row: int | None, said: Point | None) -> Point | None:
        if row is None:
            return None
        place = self.places[row]
        if said is not None and _near(place, self.style.raised_point(said)):
            return said
        if row in self.usual_of and _near(place, self.usual[self.usual_of[row]]):
            return None
        return rounded(lowered(self.style, place))


def _shares(path: HandBeat) -> dict[float, Point]:
    """The points that a path says, by when they are passed: from 0 at the throw over 1 at the catch up to 2."""
    behind = len(path.points) - path.catch
    return {
        round(number / path.catch if number <= path.catch else 1 + (number - path.catch) / behind, 9): point
        for number, point in enumerate(path.points)
        if point is not None
    }


def _near(one: Floats, other: Sequence[float] | Floats) -> bool:
    return bool(np.abs(np.asarray(other) - one).max() < SAME_PLACE)


def _steps(since: Floats, lasts: float, no_first: bool, no_last: bool) -> tuple[int, list[int]]:
    """Into how many steps a time [s] is divided, so that most points fall on one, and which each falls on, or −1."""
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
    """The staging with bodies as they are wanted, as far as their keys fall on even steps of beats."""
    style = STYLES[staging.style]
    for body in (staging.body, None):
        radius = {} if body else {"radius": style.circle}
        if not body_differences(wanted, body_keyframes(pattern, body, rate, **radius), pattern.period / rate):
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
        away = np.maximum(away, np.abs(time_apart(one.facing[mine], other.facing[theirs], 2 * math.pi)))
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
        count, steps = _steps(wanted.time[mine[rows]] - which * beat, beat, False, True)
        at = {step: places[row] for row, step in zip(rows, steps, strict=True) if step >= 0}
        found[which] = tuple(at.get(step) for step in range(count))
    return found


def _body_place(bodies: BodyKeyframes, row: int) -> BodyPlace:
    angle = math.radians(round(math.degrees(float(bodies.facing[row])), _ANGLE_DIGITS))
    return BodyPlace(angle, rounded(bodies.position[row].tolist()))
