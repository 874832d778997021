"""Rings of tosses: a closed pattern whose throws have times, and what must hold between these."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import catching_hand, hand_of
from juggle_anim.tosses.toss import Flown, Toss

MOST_CARRYING = 0.45
"""The longest time for a hand to go to a table or back, [s]."""

# s
_MIN_CARRY = 0.03
_MIN_FLIGHT = 0.08
# from a throw to the next catch, and from a catch to its throw, [s]
_ROOM = 0.14
_EASY_CARRY = 0.12
_APART = 1e-6  # s
_TOGETHER = 0.06  # s; throws so soon after one another are made on one beat
_GENTLY = 0.2  # s; from when on what is in a hand may be put down
_SOON = 1.0  # s; what is thrown later is held for a while first


class Present(NamedTuple):
    """What may no longer change: tosses before a beat, and all before a time [s]."""

    beat: int
    time: float


class TossRing:
    """Tosses of a closed pattern.

    Args:
        tosses: on beats from 0 on, one for each throw of the pattern; their times are of all time.
        pattern: that they make.
        first: the beat of all time that is 0 here.
        start: when that is, [s].
        lasts: the loop, [s].
    """

    def __init__(
        self, tosses: list[Toss], pattern: Pattern, first: int, start: float, lasts: float
    ) -> None:
        self.tosses = tosses
        self.pattern = pattern
        self.first = first
        self.start = start
        self.lasts = lasts

    def flies(self, index: int) -> bool:
        """Whether a throw begins a flight; what is picked up is held until it is thrown."""
        toss = self.tosses[index]
        return toss.flown is not None and not toss.throw.held

    def flown(self, index: int) -> Flown:
        """The flight of a throw that begins one."""
        flown = self.tosses[index].flown
        assert flown is not None, "it flies"
        return flown

    def following(self, index: int) -> tuple[int, int]:
        """The next throw of the same prop that flies, and how many loops later that is; of holds,
        too.
        """
        throws = self.pattern.throws
        period = self.pattern.period
        beat = throws[index].beat + throws[index].value
        here = self.pattern.landings[index]
        while not self.flies(here):
            beat = beat + throws[here].value
            here = self.pattern.landings[here]
        return here, (beat - throws[here].beat) // period

    def retime(self, index: int, thrown: float | None = None, caught: float | None = None) -> None:
        """Let a flight begin or end at another time, [s]."""
        flown = self.flown(index)
        if thrown is not None:
            flown = flown._replace(thrown=thrown)
        if caught is not None:
            flown = flown._replace(caught=caught)
        self.tosses[index] = self.tosses[index]._replace(flown=flown)

    def make_room(self, now: Present) -> None:
        """Throw earlier where the hand would catch at once what is already in the air, as far as
        its prop is there.
        """
        caught: dict[int, list[float]] = defaultdict(list)
        came: dict[int, float] = {}
        wanted: dict[tuple[int, int], float] = {}
        for index, toss in enumerate(self.tosses):
            if self.flies(index):
                after, laps = self.following(index)
                came[after] = self.flown(index).caught - laps * self.lasts
                if toss.throw.beat + self.first < now.beat:
                    caught[catching_hand(toss.throw)].append(self.flown(index).caught)
        for index, toss in enumerate(self.tosses):
            if self.flies(index) and not toss.rests and toss.throw.beat + self.first >= now.beat:
                thrown = self.flown(index).thrown
                soon = [
                    time for time in caught[hand_of(toss.throw)] if thrown < time < thrown + _ROOM
                ]
                if soon:
                    site = toss.throw.beat, hand_of(toss.throw)
                    least = max(came.get(index, thrown) + _EASY_CARRY, now.time)
                    wanted[site] = max(
                        wanted.get(site, 0.0), min(thrown, max(min(soon) - _ROOM, least))
                    )
        # What a hand throws together stays together.
        for index, toss in enumerate(self.tosses):
            earlier = wanted.get((toss.throw.beat, hand_of(toss.throw)))
            if earlier is not None and self.flies(index) and not toss.rests:
                self.retime(index, thrown=min(earlier, self.flown(index).thrown))

    def keep_order(self, now: Present) -> None:
        """Let no prop come after its rethrow, by throwing later and catching later what may be."""
        for index, toss in enumerate(self.tosses):
            if not self.flies(index):
                continue
            flown = self.flown(index)
            free = toss.throw.beat + self.first >= now.beat and not toss.rests
            if free and flown.thrown < now.time:
                self.retime(index, thrown=now.time)
                flown = self.flown(index)
            if free and flown.caught < flown.thrown + _MIN_FLIGHT:
                self.retime(index, caught=flown.thrown + _MIN_FLIGHT)
            after, laps = self.following(index)
            earliest = self.flown(index).caught + _MIN_CARRY
            late = not laps and self.flown(after).thrown < earliest
            if late and self.tosses[after].throw.beat + self.first >= now.beat:
                self.retime(after, thrown=earliest)

    def settle_tables(self, now: Present) -> None:
        """Put down and pick up in the middle between what else the hand does."""
        busy: dict[int, list[float]] = defaultdict(list)
        thrown_on: dict[tuple[int, int], list[float]] = defaultdict(list)
        came = {}
        for index, toss in enumerate(self.tosses):
            if not self.flies(index):
                continue
            after, laps = self.following(index)
            came[after] = self.flown(index).caught - laps * self.lasts
            if not toss.rests:
                thrown_on[toss.throw.beat, hand_of(toss.throw)].append(self.flown(index).thrown)
                busy[hand_of(toss.throw)].append(self.flown(index).thrown)
                busy[catching_hand(toss.throw)].append(self.flown(index).caught)
        for index, toss in enumerate(self.tosses):
            if not toss.rests or toss.throw.beat + self.first < now.beat:
                continue
            events = busy[hand_of(toss.throw)]
            site = (toss.throw.beat, hand_of(toss.throw))
            if toss.puts_down:
                until = self.flown(index).thrown - _APART
                comes = max(
                    [came[index], *(time for time in events if time < until), *thrown_on[site]]
                )
                then = min(
                    (time for time in events if time > max(comes, now.time) + _APART),
                    default=math.inf,
                )
                down = comes + min((then - comes) / 2, MOST_CARRYING)
                # What has been held for long goes down soon, but not at once.
                self.retime(
                    index, thrown=max(down, now.time, min(now.time + _GENTLY, then - _ROOM))
                )
            else:
                leaves, laps = self.following(index)
                thrown = self.flown(leaves).thrown + laps * self.lasts
                others = (time for time in events if time < thrown - _TOGETHER)
                before = max(others, default=thrown - 2 * MOST_CARRYING)
                if toss.flown and thrown < toss.flown.caught + _SOON:
                    self._pick(index, thrown - min((thrown - before) / 2, MOST_CARRYING))

    def _pick(self, index: int, time: float) -> None:
        """Let what is picked up lie until another time, [s]."""
        later = time - self.flown(index).caught
        self.retime(index, caught=time)
        for source, landing in enumerate(self.pattern.landings):
            if landing == index and self.flies(source):
                self.retime(source, caught=self.flown(source).caught + later)
