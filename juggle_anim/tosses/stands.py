"""Stands beside jugglers: where props of a routine lie until they are picked up, and after they are
put down.

Each hand has a stand of its own. Places on it fill from the first one on, and the last one to be
put there is the first to be taken, so as many props lie in the same places again once as many were
put down as were picked up.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Grasp, PropLook
from juggle_anim.choreography.places import STAND_HEIGHT, stand_places, stand_room
from juggle_anim.errors import ChoreographyError, hand_in_words
from juggle_anim.language import _
from juggle_anim.pattern.joining import Join
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.toss import FOREVER, RESTING, Clock, Flown, Juggled, Toss
from juggle_anim.tosses.toss_ring import MOST_CARRYING, TossRing

REACHING = 0.5
"""How long a hand takes to its stand or back at most, [s]."""

_APART = 1e-6  # s
_CLAWED = ((int(Grasp.CLAW), 0),) * 2

LYING = STAND_HEIGHT
"""The height of props on tables, [m]."""

SLOTS = np.array(
    [
        (x, LYING, z)
        for z in (0.47, 0.57)
        for x in (0.08, -0.08, 0.17, -0.17, 0.26, -0.26, 0.35, -0.35)
    ]
)
"""Where props lie on a table, seen from the body, [m]."""

_HAND_AT = 0.2  # how far out hands are, [m]

_HAND_AT = 0.2  # how far out hands are, [m]


def put_down(beat: int, hand: int) -> Toss:
    """What is put down in place of a throw on a beat."""
    return _resting(Throw(beat, hand // 2, hand % 2, FOREVER, hand // 2, hand % 2))


def pick_up(beat: int, hand: int, until: int) -> Toss:
    """What is picked up after some beat, to be thrown on another one."""
    return _resting(Throw(beat, hand // 2, hand % 2, until - beat, hand // 2, hand % 2, held=True))


def _resting(throw: Throw) -> Toss:
    nowhere: Floats = np.full(3, math.nan)
    return Toss(throw, -1, Flown(math.nan, math.nan, nowhere, nowhere, _CLAWED, RESTING))


class _Move(NamedTuple):
    """What is put down or picked up: in order of beats, and its place among tosses."""

    beat: int
    place: int
    down: bool


def lying_more(tosses: Iterable[Toss]) -> Counter[int]:
    """How many more props lie beside each hand than in the beginning; below 0, fewer."""
    found = Counter[int]()
    for toss in tosses:
        if toss.rests:
            found[hand_of(toss.throw)] += 1 if toss.puts_down else -1
    return found


def unevenness(lying: Counter[int]) -> int:
    """Twice how many of the props that lie more beside some hands than in the beginning lie less
    beside others.
    """
    return sum(map(abs, lying.values())) - abs(lying.total())


def with_landings(tosses: Sequence[Toss], period: int, lasts: float, kind: str) -> list[Toss]:
    """Tosses on beats in halves; what is put down lands where it is picked up again, perhaps in the
    next loop.

    Args:
        tosses: of one loop, in order; for each hand as many are put down as are picked up.
        period: of the loop, in the beats of these.
        lasts: the loop, [s].
        kind: of the props.

    Raises:
        ChoreographyError: there is no room for so many beside a hand.
    """
    found = [toss.scaled(2) for toss in tosses]
    moves: dict[int, list[_Move]] = defaultdict(list)
    for place, toss in enumerate(found):
        if toss.picks_up:
            # A hand has something else to do on whole beats alone.
            laps, beat = divmod(toss.landing - 1, 2 * period)
            flown = toss.flown and toss.flown._replace(caught=toss.flown.caught - laps * lasts)
            found[place] = toss = toss._replace(
                throw=toss.throw._replace(beat=beat, value=1), flown=flown
            )
        if toss.rests:
            moves[hand_of(toss.throw)].append(_Move(toss.throw.beat, place, toss.puts_down))
    for hand, each in moves.items():
        stacked = list(_stacked(sorted(each)))
        count = 1 + max(slot for slot, _, _ in stacked)
        room = stand_room(kind)
        if count > room:
            reason = _(
                "{count} props would lie beside the {hand} of juggler {juggler}",
                count=count,
                hand=hand_in_words(hand),
                juggler=hand // 2 + 1,
            )
            raise ChoreographyError(
                _("{reason}, and there is room for {room}", reason=reason, room=room)
            )
        places = stand_places(kind, hand % 2, count)
        for slot, down, up in stacked:
            start = found[down.place]
            end = found[up.place]
            assert start.flown, "it lies"
            assert end.flown, "it lies"
            later = up.beat < down.beat
            caught = end.flown.caught + later * lasts
            throw = start.throw._replace(value=up.beat - down.beat + later * 2 * period)
            flown = start.flown._replace(caught=caught, start=places[slot], end=places[slot])
            found[down.place] = start._replace(throw=throw, flown=flown)
            found[up.place] = end._replace(flown=flown._replace(caught=end.flown.caught))
    return found


def _stacked(moves: Sequence[_Move]) -> Iterable[tuple[int, _Move, _Move]]:
    """The place on the stand of each prop, when it is put there and when it is taken, in this loop
    or the next.
    """
    lying: dict[int, _Move] = {}
    depth = least = 0
    for move in moves:
        depth += 1 if move.down else -1
        least = min(least, depth)
    assert depth == 0, "as many are put down as are picked up"
    count = -least
    for move in (*moves, *moves):
        if move.down:
            lying[count] = move
            count += 1
        else:
            count -= 1
            if count in lying:
                yield count, lying.pop(count), move


def settle_stands(ring: TossRing) -> None:
    """Put down and pick up between what else the hands do: in the middle, or soon after and shortly
    before.

    Args:
        ring: in which the times of these are some time between.
    """
    busy: dict[int, list[float]] = defaultdict(list)
    for index, toss in enumerate(ring.tosses):
        if ring.flies(index) and not toss.rests:
            flown = ring.flown(index)
            busy[hand_of(toss.throw)].append(flown.thrown % ring.lasts)
            busy[catching_hand(toss.throw)].append(flown.caught % ring.lasts)
    for times in busy.values():
        times.sort()
    gaps: dict[tuple[int, int], list[tuple[float, int, float]]] = defaultdict(list)
    for index, toss in enumerate(ring.tosses):
        if not toss.rests:
            continue
        hand = hand_of(toss.throw)
        time = _about(ring, index)
        place = bisect_left(busy[hand], time % ring.lasts) % len(busy[hand])
        gaps[hand, place].append(((time - busy[hand][place - 1]) % ring.lasts, index, time))
    for (hand, place), moves in gaps.items():
        last = busy[hand][place - 1]
        following = busy[hand][place]
        span = (following - last) % ring.lasts or ring.lasts
        step = min(span / (len(moves) + 1), REACHING)
        soon = True
        for number, (since, index, time) in enumerate(sorted(moves)):
            # What is put down before all else is so at once.
            soon = soon and ring.tosses[index].puts_down
            then = (number + 1) * step if soon else span - (len(moves) - number) * step
            _move(ring, index, time - since + then)


def _about(ring: TossRing, index: int) -> float:
    """A time between what a hand does before it puts down or picks up and what it does after that,
    [s].
    """
    toss = ring.tosses[index]
    assert toss.flown is not None, "it lies"
    if toss.puts_down:
        return toss.flown.thrown
    leaves, laps = ring.following(index)
    return min(toss.flown.caught, ring.flown(leaves).thrown + laps * ring.lasts - _APART)


def _move(ring: TossRing, index: int, time: float) -> None:
    """Let what is put down or picked up be so at a time, [s]."""
    toss = ring.tosses[index]
    if toss.puts_down:
        ring.retime(index, thrown=time)
        return
    assert toss.flown is not None, "it lies before"
    ring.tosses[index] = toss._replace(flown=toss.flown._replace(caught=time))
    for source, landing in enumerate(ring.pattern.landings):
        if landing == index and ring.flies(source):
            before = ring.tosses[source]
            laps = (before.landing - toss.throw.beat) // ring.pattern.period
            ring.retime(source, caught=time + laps * ring.lasts)


class Rest(NamedTuple):
    """A prop that lies on a juggler's table for some time.

    Attributes:
        prop: its number.
        juggler: whose table it is.
        place: as a position in `Events`, [m].
        since: when it is put down, [s]; −∞ for one that appears there.
        until: when it is picked up, [s]; or ∞.
        shown: when its table begins to appear, [s].
        aim: yaw and pitch, as in `Frames`, [rad].
        stand: shape (4,), where the juggler stands then, as `Bodies.places` has it; None while that
            is not yet known.
    """

    prop: int
    juggler: int
    place: Floats
    since: float
    until: float
    shown: float
    aim: tuple[float, float] = (0.0, 0.0)
    stand: Floats | None = None

    @property
    def appears(self) -> float:
        """From when on it lies there to be seen, [s]."""
        return self.since if math.isfinite(self.since) else self.shown


class TableMoves:
    """Puts props down and picks them up in the throws from one pattern into another.

    Args:
        rests: what lies on tables, and is planned to be put down or picked up.
        looks: of all props by their numbers; those that appear are added.
        animation: of the pattern that follows.
        division: parts of a beat.
        requested: when the change is asked for, [s].
        time: before which nothing changes, [s].

    Attributes:
        rests: what lies on tables in the end; a number below 0 for a prop that is put down.
    """

    def __init__(
        self,
        rests: Sequence[Rest],
        looks: list[PropLook],
        animation: Juggled,
        division: int,
        requested: float,
        time: float,
    ) -> None:
        self.rests = list(rests)
        self._looks = looks
        self._animation = animation
        self._division = division
        self._requested = requested
        self._time = time

    def tosses(self, others: Sequence[Toss], join: Join, leave: int, clock: Clock) -> list[Toss]:
        """The tosses that put props down and pick them up; `rests` and `looks` then tell what lies
        on tables.

        Args:
            others: all other tosses.
            join: the throws between, which says what is put down and picked up.
            leave: the beat on which it begins.
            clock: when beats are.
        """
        self.rests = self._committed(others)
        hands: dict[int, list[float]] = {}
        dwell = self._animation.parameters.dwell * self._division
        for toss in others:
            throw = toss.throw
            to = catching_hand(toss.throw)
            if throw.held is not True:
                thrown = clock.at(throw.beat)
                caught = clock.at(toss.landing - dwell)
                thrown, caught = (
                    (toss.flown.thrown, toss.flown.caught) if toss.flown else (thrown, caught)
                )
                hands.setdefault(hand_of(throw), []).append(thrown)
                hands.setdefault(to, []).append(caught)
        found = []
        for beat, hand in join.put_down:
            arrives = [
                toss for toss in others if toss.landing == leave + beat and _caught_by(toss, hand)
            ]
            held = [
                time
                for time in hands.get(hand, [])
                if time < clock.at(leave + beat - self._division)
            ]
            comes = max(
                (toss.flown.caught for toss in arrives if toss.flown),
                default=max([self._time, *held]),
            )
            events = (time for time in hands.get(hand, []) if time > comes + _APART)
            after = min(events, default=comes + 2 * MOST_CARRYING)
            down = comes + min((after - comes) / 2, MOST_CARRYING)
            slot = self._free_slot(hand)
            flown = Flown(down, math.inf, slot, slot, _CLAWED, RESTING)
            throw = Throw(leave + beat, hand // 2, hand % 2, FOREVER, hand // 2, hand % 2)
            found.append(Toss(throw, -1, flown))
            self.rests.append(Rest(-1, hand // 2, flown.start, down, math.inf, self._requested))
        for beat, hand in join.picked:
            throws = [
                toss
                for toss in others
                if (toss.throw.beat, hand_of(toss.throw)) == (leave + beat, hand)
            ]
            leaves = min(
                (toss.flown.thrown for toss in throws if toss.flown), default=clock.at(leave + beat)
            )
            before = max(
                (time for time in hands.get(hand, []) if time < leaves - _APART), default=-math.inf
            )
            up = leaves - min((leaves - before) / 2, MOST_CARRYING)
            rest = self._taken(hand, up)
            flown = Flown(-math.inf, up, rest.place, rest.place, _CLAWED, RESTING)
            start = leave + beat - self._division
            throw = Throw(
                start, hand // 2, hand % 2, self._division, hand // 2, hand % 2, held=True
            )
            found.append(Toss(throw, rest.prop, flown))
        return found

    def _committed(self, tosses: Sequence[Toss]) -> list[Rest]:
        """What lies on tables as far as it is done, or too late to be undone."""
        done = {
            time
            for toss in tosses
            if toss.rests and toss.flown
            for time in (toss.flown.thrown, toss.flown.caught)
        }
        found = []
        for rest in self.rests:
            if rest.since < self._time or rest.since in done:
                taken = rest.until < self._time or rest.until in done
                found.append(rest if taken else rest._replace(until=math.inf))
        return found

    def _free_slot(self, hand: int) -> Floats:
        """The place nearest to a hand where nothing lies."""
        lying = [
            rest.place
            for rest in self.rests
            if rest.juggler == hand // 2 and rest.until == math.inf
        ]
        free = [
            slot for slot in SLOTS if all(np.abs(slot - place).max() > _APART for place in lying)
        ]
        side = 1.0 if hand % 2 == 0 else -1.0
        slots = free or list(SLOTS)
        return min(
            slots, key=lambda slot: np.abs(slot - (side * _HAND_AT, slot[1], SLOTS[0, 2])).sum()
        )

    def _taken(self, hand: int, time: float) -> Rest:
        """What a hand picks up at a time: what lies nearest, or what appears in time."""
        side = 1.0 if hand % 2 == 0 else -1.0
        lying = [
            place
            for place, rest in enumerate(self.rests)
            if rest.juggler == hand // 2
            and rest.until == math.inf
            and rest.since < time - MOST_CARRYING
        ]
        if not lying:
            looks = self._animation.choreography.looks
            number = len(self._looks)
            self._looks.append(looks[number % len(looks)] if looks else PropLook())
            self.rests.append(
                Rest(number, hand // 2, self._free_slot(hand), -math.inf, math.inf, self._requested)
            )
            lying = [len(self.rests) - 1]
        place = min(lying, key=lambda each: abs(self.rests[each].place[0] - side * _HAND_AT))
        self.rests[place] = self.rests[place]._replace(until=time)
        return self.rests[place]

    def numbered(self, tosses: Sequence[Toss]) -> tuple[Rest, ...]:
        """What lies on tables, with the numbers that tosses give to props that are put down."""
        down = {
            (toss.throw.juggler, *toss.flown.start): toss.prop
            for toss in tosses
            if toss.puts_down and toss.flown
        }
        return tuple(
            rest if rest.prop >= 0 else rest._replace(prop=down[rest.juggler, *rest.place])
            for rest in self.rests
        )


def settled_rests(
    rests: Sequence[Rest], tosses: Sequence[Toss], final: Sequence[Toss]
) -> tuple[Rest, ...]:
    """What lies on tables, with the times that tosses have in the end."""
    times = {-math.inf: -math.inf, math.inf: math.inf}
    for toss, settled in zip(tosses, final, strict=True):
        if toss.rests and toss.flown and settled.flown:
            times[begin_of(toss.flown)] = begin_of(settled.flown)
    return tuple(
        rest._replace(
            since=times.get(rest.since, rest.since), until=times.get(rest.until, rest.until)
        )
        if rest.since in times or rest.until in times
        else rest
        for rest in rests
    )


def _caught_by(toss: Toss, hand: int) -> bool:
    return catching_hand(toss.throw) == hand and toss.flown is not None


def begin_of(flown: Flown) -> float:
    """When a toss first does something: it is thrown, put down or picked up, [s]."""
    return flown.thrown if math.isfinite(flown.thrown) else flown.caught
