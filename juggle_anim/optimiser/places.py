"""Places of throws and catches as variables: which of them move together, and the score in which they have moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, EventKind, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import hand_of, holds
from juggle_anim.choreography.places import OVERHEAD, STYLES, to_body_frame
from juggle_anim.choreography.score import HandBeat, HandMoves, Point
from juggle_anim.motion import Motion
from juggle_anim.notation.settings.moves import read_hands
from juggle_anim.pattern import Pattern

_SAME_TIME, _SAME_PLACE = 1e-6, 1e-4  # s, m

_Site = tuple[int, int]
"""A hand, and a beat on which it throws."""


@dataclass(frozen=True)
class FreePlaces:
    """The places of a score that may move, G rows: those of throws and catches that symmetry makes alike are one.

    Places are outward, up and forward of the middle between the hands, as in settings, [m].

    Args:
        score: the pattern, or its events.
        choreography: of the score, E events.
        row: shape (E,), which place each event has; −1 where a hand only passes.
        start: shape (G, 3), where they are.
    """

    score: Score
    choreography: Choreography
    row: Integers
    start: Floats

    @classmethod
    def of(cls, animation: Animation, *, mirror_only: bool = False) -> FreePlaces:
        """Return the places of an animation.

        Args:
            animation: what is juggled, and its parameters.
            mirror_only: whether places are alike only where the second half of the loop mirrors the first, as in
                Juggling Lab; otherwise jugglers who do the same at other times move theirs alike, too.
        """
        score, choreography = animation.score, animation.choreography
        events = choreography.events
        outward = _outward(choreography)
        free = (events.kind == EventKind.THROW) | (events.kind == EventKind.CATCH)
        row = np.arange(len(free))
        for image in _symmetries(choreography, outward, mirror_only):
            _unite(row, enumerate(image.tolist()))
        if score.pattern:
            for together in _landing_together(score, choreography):
                _unite(row, pairwise(together))
        firsts, numbers = np.unique(row[free], return_inverse=True)
        found = np.full(len(free), -1)
        found[free] = numbers
        return cls(score, choreography, found, outward[firsts])

    @cached_property
    def first_event(self) -> Integers:
        """For each place the first event that has it, shape (G,)."""
        return np.array([int(np.flatnonzero(self.row == row)[0]) for row in range(len(self.start))], dtype=np.intp)

    @cached_property
    def side_sign(self) -> Floats:
        """For each event, 1 if outward is to the body's left, −1 if it is to the right, shape (E,)."""
        return np.where(self.choreography.events.hand % 2 == 0, 1.0, -1.0)

    def follow(self, motion: Motion, prop: Integers, times: Floats, direction: Floats) -> Floats:
        """How far each prop goes in a direction as places move, in the motion of whatever places.

        In flight it goes with the places of its throw and its catch, in a hand with that hand.

        Args:
            motion: of the moved places.
            prop, times: shape (K,); the props, and the times [s].
            direction: shape (K, 3), in the world.

        Returns:
            Shape (K, 3G): the share of each place, outward, up and forward of each.
        """
        flights, last = motion.choreography.flights, motion.last_throws
        piece, since = last.paths.locate(motion.props.orbit[prop], times + motion.props.lead[prop])
        flight, share = last.flight[piece], np.minimum(since / last.duration[piece], 1.0)
        weights = self._shares(motion, flights.throw[flight], flights.catch[flight], share, direction)
        holder = motion.props.holder[motion.locate(prop, times)[0]]
        held = holder >= 0
        weights[held] = self.follow_hand(motion, holder[held], times[held], direction[held])
        return weights

    def follow_hand(self, motion: Motion, hand: Integers, times: Floats, direction: Floats) -> Floats:
        """How far each hand goes in a direction, as `follow`: with its places before and after each time."""
        events = motion.choreography.events
        before, after, share = np.zeros_like(hand), np.zeros_like(hand), np.zeros(len(hand))
        stays = np.zeros(len(hand), dtype=bool)
        for each in np.unique(hand):
            rows, mine = np.flatnonzero(hand == each), np.flatnonzero((events.hand == each) & (self.row >= 0))
            if not len(mine):
                # A hand that only holds.
                stays[rows] = True
                continue
            when = times[rows] % motion.duration
            place = np.searchsorted(events.time[mine], when, side="right")
            before[rows], after[rows] = mine[place - 1], mine[place % len(mine)]
            gap = (events.time[after[rows]] - events.time[before[rows]]) % motion.duration
            past = (when - events.time[before[rows]]) % motion.duration
            share[rows] = past / np.where(gap > 0, gap, motion.duration)
        return np.where(stays[:, None], 0.0, self._shares(motion, before, after, share, direction))

    def _shares(self, motion: Motion, before: Integers, after: Integers, share: Floats, direction: Floats) -> Floats:
        """As `follow`, of what is between two events."""
        events = motion.choreography.events
        turn = motion.bodies.facing(events.hand // 2, events.time)
        weights, rows = np.zeros((len(share), len(self.start), 3)), np.arange(len(share))
        for event, part in ((before, 1 - share), (after, share)):
            sine, cosine = np.sin(turn[event]), np.cos(turn[event])
            left = direction[:, 0] * cosine - direction[:, 2] * sine
            ahead = direction[:, 0] * sine + direction[:, 2] * cosine
            seen = np.stack([left * self.side_sign[event], direction[:, 1], ahead], axis=-1)
            np.add.at(weights, (rows, self.row[event]), part[:, None] * seen)
        return weights.reshape(len(share), 3 * len(self.start))

    def moved(self, places: Floats, digits: int = 1) -> Score:
        """Return the score with other places, shape (G, 3), rounded to `digits` places of a centimetre.

        A pattern stays one: `hands` says where its hands go. Points that hands pass move along with those beside them.
        """
        steps = places - self.start
        if self.score.pattern is None:
            step = self._event_steps(steps)
            events = self.choreography.events
            step[:, 0] *= self.side_sign
            placed = replace(events, position=events.position + np.round(step, digits + 2))
            return replace(self.score, placed=replace(self.choreography, events=placed))
        text = _HandsText(self, places, digits).write()
        return replace(self.score, staging=replace(self.score.staging, hands=read_hands(text)))

    def _event_steps(self, steps: Floats) -> Floats:
        """By how much each event moves, shape (E, 3); points that a hand only passes go along with its others."""
        events, loop = self.choreography.events, self.choreography.duration
        found = np.where(self.row[:, None] >= 0, steps[self.row], 0.0)
        for hand in np.unique(events.hand[self.row < 0]):
            mine = np.flatnonzero(events.hand == hand)
            known, passed = mine[self.row[mine] >= 0], mine[self.row[mine] < 0]
            for axis in range(3) if len(known) else ():
                found[passed, axis] = np.interp(
                    events.time[passed], events.time[known], found[known, axis], period=loop
                )
        return found


def _outward(choreography: Choreography) -> Floats:
    """Places of events outward, up and forward of the middle between the hands, shape (E, 3), [m]."""
    events = choreography.events
    seen = events.position - to_body_frame([(0.0, 0.0, 0.0)] * len(events.hand), events.hand)
    seen[:, 0] *= np.where(events.hand % 2 == 0, 1.0, -1.0)
    return seen


def _symmetries(choreography: Choreography, outward: Floats, mirror_only: bool) -> Iterator[Integers]:
    """For each symmetry of the loop, which event becomes which, shape (E,).

    A symmetry delays, exchanges left and right or not, and goes on by so many jugglers.
    """
    events, loop, jugglers = choreography.events, choreography.duration, choreography.jugglers
    if not len(events.time):
        return
    code = (events.hand, events.kind)
    candidates = {
        (round(float(time - events.time[0]) % loop, 9), int(hand // 2 - events.hand[0] // 2) % jugglers, int(swap))
        for time, hand, kind, swap in zip(events.time, *code, (events.hand ^ events.hand[0]) & 1, strict=True)
        if kind == events.kind[0]
    }
    for delay, turn, swap in sorted(candidates):
        half = abs(delay - loop / 2) < _SAME_TIME and swap and not turn
        if (delay or turn or swap) and (half or not mirror_only):
            image = _image(choreography, outward, delay, turn, swap)
            if image is not None:
                yield image


def _image(choreography: Choreography, outward: Floats, delay: float, turn: int, swap: int) -> Integers | None:
    """Which event each becomes, or None where this is no symmetry."""
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    # Far from where the loop ends, so that rounding cannot tear a moment apart.
    when = np.round((events.time + delay + _SAME_TIME / 2) % loop / _SAME_TIME).astype(np.int64)
    hand = 2 * ((events.hand // 2 + turn) % choreography.jugglers) + (events.hand % 2 ^ swap)
    now = np.round((events.time + _SAME_TIME / 2) % loop / _SAME_TIME).astype(np.int64)
    there, here = np.lexsort((events.kind, hand, when)), np.lexsort((events.kind, events.hand, now))
    same = (np.abs(when[there] - now[here]) <= 1) & (hand[there] == events.hand[here])
    same &= events.kind[there] == events.kind[here]
    same &= np.abs(outward[there] - outward[here]).max(axis=1) < _SAME_PLACE
    if not same.all():
        return None
    image = np.empty(len(here), dtype=np.intp)
    image[there] = here
    ends = [(flights.throw, flights.catch), (image[flights.throw], image[flights.catch])]
    milliseconds = np.round(flights.duration * 1e3).astype(np.int64).tolist()
    some, others = (sorted(zip(*each.tolist(), milliseconds, strict=True)) for each in map(np.array, ends))
    return image if some == others else None


def _unite(row: Integers, pairs: Iterable[tuple[int, int]]) -> None:
    """Let both events of each pair have one place."""
    for one, other in pairs:
        low, high = sorted((int(row[one]), int(row[other])))
        if low != high:
            row[row == high] = low


def _landing_together(score: Score, choreography: Choreography) -> list[list[int]]:
    """Events at which a hand catches what it throws on one beat: `hands` has one place for them."""
    found: dict[_Site, list[int]] = {}
    for (_, site), event in zip(_sites(score, choreography), choreography.flights.catch.tolist(), strict=True):
        found.setdefault(site, []).append(event)
    return [events for events in found.values() if len(events) > 1]


def _sites(score: Score, choreography: Choreography) -> list[tuple[_Site, _Site]]:
    """For each flight the hand and beat that throw it, and those that throw its prop next."""
    assert score.pattern is not None, "placed events have no beats"
    pattern = repeat_to_full_loop(score.pattern, score.staging)
    throws = pattern.throws
    return [
        ((hand_of(throws[index]), throws[index].beat), (hand_of(throws[landing]), throws[landing].beat))
        for index, (landing, held) in enumerate(zip(pattern.landings, holds(pattern), strict=True))
        if not held
    ]


class _HandsText:
    """The text of `hands` for other places: for each turn of a hand where it throws, and where it then catches."""

    def __init__(self, free: FreePlaces, places: Floats, digits: int) -> None:
        assert free.score.pattern is not None, "placed events have no turns"
        self.digits, self.style = digits, STYLES[free.score.staging.style]
        self.pattern: Pattern = repeat_to_full_loop(free.score.pattern, free.score.staging)
        flights, sites = free.choreography.flights, _sites(free.score, free.choreography)
        self.thrown = {site: free.row[event] for (site, _), event in zip(sites, flights.throw, strict=True)}
        self.caught = {site: free.row[event] for (_, site), event in zip(sites, flights.catch, strict=True)}
        self.places, self.steps = places, places - free.start
        self.old = free.score.staging.hands

    def write(self) -> str:
        """The shortest text; turns that repeat are written once, and so are jugglers who do the same."""
        turns: list[list[str]] = [[] for _ in range(self.pattern.jugglers)]
        written: list[list[_Site]] = [[] for _ in turns]
        for beat, juggler, side in self.pattern.turns:
            written[juggler].append((2 * juggler + side, beat))
        following = self._next_turns()
        for juggler, sites in enumerate(written):
            for number, site in enumerate(sites):
                # The mirrored half of a loop follows the first.
                if not self.pattern.mirrored or site[1] < self.pattern.period // 2:
                    turns[juggler].append(self._beat(site, following[site], self._old_beat(juggler, number)))
        shortest = [_shortest_period(mine) for mine in turns]
        count = 1 if all(mine == shortest[0] for mine in shortest) else len(shortest)
        return "|".join("".join(f"{beat}." for beat in mine) for mine in shortest[:count])

    def _next_turns(self) -> dict[_Site, _Site]:
        sites = sorted((2 * juggler + side, beat) for beat, juggler, side in self.pattern.turns)
        by_hand = [list(mine) for _, mine in groupby(sites, lambda site: site[0])]
        return {site: mine[(place + 1) % len(mine)] for mine in by_hand for place, site in enumerate(mine)}

    def _old_beat(self, juggler: int, number: int) -> HandBeat:
        if self.old is None:
            return HandBeat((None, None), 1)
        mine = self.old.beats[juggler % len(self.old.beats)]
        return mine[number % len(mine)]

    def _beat(self, site: _Site, following: _Site, old: HandBeat) -> str:
        throw, catch, after = self.thrown.get(site), self.caught.get(following), self.thrown.get(following)
        points = []
        for number, point in enumerate(old.points):
            row = {0: throw, old.catch: catch}.get(number)
            if row is not None:
                points.append(self._written(tuple(self.places[row])))
            elif point is None or number in (0, old.catch):
                points.append("-" if point is None else _point_text(point, self.digits))
            else:
                # On the way from the throw to the catch, or from the catch to the next throw.
                before = number < old.catch
                share = number / old.catch if before else (number - old.catch) / (len(old.points) - old.catch)
                one, other = (self._step(row) for row in ((throw, catch) if before else (catch, after)))
                raised = self.style.raised(HandMoves("", ((HandBeat((point, point), 1),),))).beats[0][0].points[0]
                assert raised is not None, "a point that is given stays one"
                points.append(self._written(tuple(np.array(raised) + (1 - share) * one + share * other)))
        if set(points) == {"-"}:
            return ""
        if old.catch < len(points) - 1:
            points[old.catch] = f"c{points[old.catch]}"
        return "".join(points)

    def _step(self, row: int | None) -> Floats:
        return np.zeros(3) if row is None else self.steps[row]

    def _written(self, point: tuple[float, ...]) -> str:
        """A point as a text has it, which the hand style may raise when it is read."""
        outward, up, forward = point
        lift = self.style.hands_up
        if lift and up < OVERHEAD:
            up = up - lift if up <= lift else (up - lift) / (1 - lift / OVERHEAD)
        return _point_text((outward, up, forward), self.digits)


def _point_text(point: Point, digits: int) -> str:
    numbers = [f"{round(100 * part, digits) + 0.0:g}" for part in point]
    while len(numbers) > 1 and numbers[-1] == "0":
        numbers.pop()
    return f"({','.join(numbers)})"


def _shortest_period(beats: list[str]) -> list[str]:
    """The shortest list that repeats as this one."""
    lengths = (length for length in range(1, len(beats) + 1) if len(beats) % length == 0)
    return next(beats[:length] for length in lengths if beats == beats[:length] * (len(beats) // length))
