"""Tables: where props lie while another pattern follows, before they are picked up and after they
are put down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import Grasp, PropLook
from juggle_anim.choreography.places import STAND_HEIGHT
from juggle_anim.pattern.joining import Join
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.tosses.toss import FOREVER, RESTING, Clock, Flown, Toss
from juggle_anim.tosses.toss_ring import MOST_CARRYING
from juggle_anim.vectors import smooth_step

LYING = STAND_HEIGHT
"""The height of props on tables, [m]."""

RISING = 0.4
"""How long a table takes to rise from the floor, [s], and to go back once nothing lies on it."""


SLOTS = np.array(
    [
        (x, LYING, z)
        for z in (0.47, 0.57)
        for x in (0.08, -0.08, 0.17, -0.17, 0.26, -0.26, 0.35, -0.35)
    ]
)
"""Where props lie on a table, seen from the body, [m]."""

_HAND_AT = 0.2  # how far out hands are, [m]
_APART = 1e-6
_CLAWED = ((int(Grasp.CLAW), 0),) * 2


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


def risen(rests: Sequence[Rest], times: Floats) -> Floats:
    """How far the table of these props has risen at some times, from 0 to 1, shape (T,)."""
    share = np.zeros_like(times)
    for rest in rests:
        # It is there in time, however soon that is.
        used = rest.since if np.isfinite(rest.since) else rest.until
        up = (times - rest.shown) / min(RISING, 0.9 * (used - rest.shown))
        down = (rest.until + RISING - times) / RISING
        share = np.maximum(share, smooth_step(up) * smooth_step(down))
    return share


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
        animation: Animation,
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
