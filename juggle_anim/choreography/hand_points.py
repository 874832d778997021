"""Where the staging wants hands to be: at throws and catches, and on the way between.

MERGED: Grasps: which way up hands catch, and throw again, and where they do it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from juggle_anim.choreography.choreography import Grasp
from juggle_anim.choreography.holds import after_holds
from juggle_anim.choreography.score import Catches, HandBeat, HandMoves, Point
from juggle_anim.choreography.timing import Timing
from juggle_anim.pattern import Pattern

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""

# How much higher than usual, and how far back, hands are: a claw comes from above, a penguin to the side. [m]
_CLAW_UP = 0.14

_PENGUIN_CATCH, _PENGUIN_THROW = (0.36, -0.08, -0.14), (0.26, -0.02, -0.04)

GRASPS = {grasp.name.lower(): grasp for grasp in Grasp}
"""Grasps by the words for them."""


@dataclass(frozen=True)
class Passing:
    """A place that a hand passes.

    Args:
        time: [beats], any loop.
        hand: 2 · juggler + side.
        point: where.
    """

    time: float
    hand: int
    point: Point


@dataclass(frozen=True)
class HandPoints:
    """The ways of hands, given to the turns of a pattern one after the other.

    Args:
        pattern: what is juggled.
        moves: the ways.
    """

    pattern: Pattern
    moves: HandMoves

    def thrown_from(self, site: Site) -> Point | None:
        """Where a hand throws on a beat; None where nothing is said."""
        way = self._ways.get(site)
        return way.points[0] if way else None

    def caught_at(self, site: Site) -> Point | None:
        """Where a hand catches what it throws on a beat next; None where nothing is said."""
        way = self._ways.get(self._before[site]) if site in self._before else None
        return way.points[way.catch] if way else None

    def passings(self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]) -> Iterator[Passing]:
        """All places of the ways, at equal times between throw and catch, and between catch and throw.

        Args:
            leave: when a hand throws on a beat, or would, [beats].
            caught: when it catches what it throws on a beat next, or would, in order, [beats].
        """
        period = self.pattern.period
        for site, (hand, beat) in self._before.items():
            way = self._ways[hand, beat]
            # A hand's only turn follows itself one loop later.
            loop = period if site[1] <= beat else 0
            start, end = leave((hand, beat)), leave(site) + loop
            catches = [time + loop for time in caught(site)]
            for number, point in enumerate(way.points):
                if point is None:
                    continue
                if number <= way.catch:
                    share = number / way.catch if way.catch else 0.0
                    yield Passing(start + share * (catches[0] - start), hand, point)
                else:
                    share = (number - way.catch) / (len(way.points) - way.catch)
                    yield Passing(catches[-1] + share * (end - catches[-1]), hand, point)

    @cached_property
    def _ways(self) -> dict[Site, HandBeat]:
        ways: dict[Site, HandBeat] = {}
        counts = [0] * self.pattern.jugglers
        for beat, juggler, side in self.pattern.turns:
            mine = self.moves.beats[juggler % len(self.moves.beats)]
            ways[2 * juggler + side, beat] = mine[counts[juggler] % len(mine)]
            counts[juggler] += 1
        return ways

    @cached_property
    def _before(self) -> dict[Site, Site]:
        """For each turn, the one that the same hand had before it."""
        by_hand: dict[int, list[int]] = {}
        for beat, juggler, side in self.pattern.turns:
            by_hand.setdefault(2 * juggler + side, []).append(beat)
        return {
            (hand, beat): (hand, beats[place - 1])
            for hand, beats in by_hand.items()
            for place, beat in enumerate(beats)
        }


def grasps(pattern: Pattern, timing: Timing, catches: Catches) -> tuple[list[Grasp], list[Grasp]]:
    """For each throw of a pattern the grasp that it is thrown out of, and the one in which it is caught.

    The catches of each hand within a loop take those of its side in turn. What is caught at one time is caught alike,
    and what was caught is thrown out of the same grasp.

    Args:
        pattern: what is juggled.
        timing: when.
        catches: the words of `GRASPS` for left and for right hands.
    """
    caught = [Grasp.PALM] * len(pattern.throws)
    flown = [index for index, held in enumerate(timing.held) if not held]

    def moment(index: int) -> tuple[int, float]:
        throw = pattern.throws[index]
        return 2 * throw.to_juggler + throw.to_hand, timing.catch[index] % pattern.period

    for hand, mine in groupby(sorted(flown, key=moment), lambda index: moment(index)[0]):
        words = catches[hand % 2]
        for number, (_, together) in enumerate(groupby(mine, moment)):
            for index in together:
                caught[index] = GRASPS[words[number % len(words)]]
    thrown = [Grasp.PALM] * len(pattern.throws)
    for index in flown:
        thrown[after_holds(pattern, timing.held, index)[0]] = caught[index]
    return thrown, caught


def catch_counts(pattern: Pattern, held: Sequence[bool]) -> dict[int, int]:
    """How often each hand catches within a loop of the pattern; at one time is once."""
    sites = {
        (2 * throw.to_juggler + throw.to_hand, pattern.throws[landing].beat)
        for throw, landing, stays in zip(pattern.throws, pattern.landings, held, strict=True)
        if not stays
    }
    return {hand: sum(site[0] == hand for site in sites) for hand in {site[0] for site in sites}}


def grasped_at(point: Point, grasp: Grasp, throws: bool) -> Point:
    """Where a hand catches or throws in a grasp, where that would be at `point` with the palm up."""
    outward, up, forward = point
    if grasp is Grasp.CLAW:
        return outward, up + _CLAW_UP, forward
    if grasp is Grasp.PENGUIN:
        # Clear of the trunk.
        least, higher, ahead = _PENGUIN_THROW if throws else _PENGUIN_CATCH
        return max(outward, least), up + higher, forward + ahead
    return point
