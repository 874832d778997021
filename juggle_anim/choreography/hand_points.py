"""Where the staging wants hands to be: at throws and catches, and on the way between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from juggle_anim.choreography.staging import HandBeat, HandMoves, Point
from juggle_anim.pattern import Pattern

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""


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
