"""Paths of hands that a text gives, assigned to the turns of a pattern, and what of them holds around the body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from juggle_anim.choreography.dwell import Site
from juggle_anim.choreography.score import HandBeat, HandMoves, Point
from juggle_anim.pattern import Pattern


@dataclass(frozen=True)
class HandWaypoint:
    """A point that a hand passes.

    Args:
        time: in units of the pattern, in any loop.
        hand: 2 · juggler + side.
        point: where.
    """

    time: float
    hand: int
    point: Point


@dataclass(frozen=True)
class HandSpan:
    """The time of a hand from one of its turns to the next, in units of the pattern.

    Args:
        turn: the hand and the beat of the turn with which it begins.
        following: those of the next.
        throws: when it throws, or would throw, on that beat.
        catches: when it catches, or would catch, what it throws on the next, in order.
        again: when it throws then.
    """

    turn: Site
    following: Site
    throws: float
    catches: tuple[float, ...]
    again: float


class Around(NamedTuple):
    """The turns, hands and beats, that have to do with what is done around the body.

    Attributes:
        throws: on which is thrown so.
        catches: on which what was caught so is thrown.
        from_behind: on which is thrown what came from behind the body, and comes down where such throws do.
    """

    throws: Set[Site] = frozenset()
    catches: Set[Site] = frozenset()
    from_behind: Set[Site] = frozenset()


_NOTHING = Around()


@dataclass(frozen=True)
class HandPoints:
    """The paths of hands, assigned to the turns of a pattern in order.

    Args:
        pattern: what is juggled.
        moves: the paths.
        around: what is done around the body.
    """

    pattern: Pattern
    moves: HandMoves
    around: Around = _NOTHING

    def thrown_from(self, site: Site) -> Point | None:
        """Return where a hand throws on a beat; None if the text does not say."""
        path = self.held_beats.get(site)
        return path.points[0] if path else None

    def caught_at(self, site: Site) -> Point | None:
        """Return where the throw that a hand makes on a beat is caught; None if the text does not say."""
        path = self.held_beats.get(self._previous_turns[site]) if site in self._previous_turns else None
        return path.points[path.catch] if path else None

    def spans(self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]) -> Iterator[HandSpan]:
        """Yield the time from each turn of a hand to its next; arguments as of `waypoints`."""
        period = self.pattern.period
        for site, (hand, beat) in self._previous_turns.items():
            # A hand's only turn follows itself one loop later.
            loop = period if site[1] <= beat else 0
            catches = tuple(time + loop for time in caught(site))
            yield HandSpan((hand, beat), site, leave((hand, beat)), catches, leave(site) + loop)

    def waypoints(
        self, leave: Callable[[Site], float], caught: Callable[[Site], list[float]]
    ) -> Iterator[HandWaypoint]:
        """Yield all points of the paths, evenly spaced in time from throw to catch and from catch to throw.

        Args:
            leave: gives when a hand throws, or would throw, on a beat.
            caught: gives when it catches, or would catch, what it throws on a beat, in order.
        """
        for span in self.spans(leave, caught):
            path, hand, start, catches = self.held_beats[span.turn], span.turn[0], span.throws, span.catches
            for number, point in enumerate(path.points):
                if point is None:
                    continue
                if number <= path.catch:
                    share = number / path.catch if path.catch else 0.0
                    yield HandWaypoint(start + share * (catches[0] - start), hand, point)
                else:
                    share = (number - path.catch) / (len(path.points) - path.catch)
                    yield HandWaypoint(catches[-1] + share * (span.again - catches[-1]), hand, point)

    @cached_property
    def hand_beats(self) -> dict[Site, HandBeat]:
        """The path of each hand from each of its turns on."""
        hand_beats: dict[Site, HandBeat] = {}
        counts = [0] * self.pattern.jugglers
        for beat, juggler, side in self.pattern.turns:
            mine = self.moves.beats[juggler % len(self.moves.beats)]
            hand_beats[2 * juggler + side, beat] = mine[counts[juggler] % len(mine)]
            counts[juggler] += 1
        if self.pattern.mirrored:
            half = self.pattern.period // 2
            mirrored = {(hand ^ 1, beat + half): path for (hand, beat), path in hand_beats.items() if beat < half}
            hand_beats |= {site: mirrored[site] for site in hand_beats if site in mirrored}
        return hand_beats

    @cached_property
    def held_beats(self) -> dict[Site, HandBeat]:
        """The same without what does not hold about throws and catches around the body."""
        if not any(self.around):
            return self.hand_beats
        following = {turn: site for site, turn in self._previous_turns.items()}
        return {turn: held_path(path, turn, following[turn], self.around) for turn, path in self.hand_beats.items()}

    @cached_property
    def _previous_turns(self) -> dict[Site, Site]:
        """For each turn of a hand, its turn before."""
        by_hand: dict[int, list[int]] = {}
        for beat, juggler, side in self.pattern.turns:
            by_hand.setdefault(2 * juggler + side, []).append(beat)
        return {
            (hand, beat): (hand, beats[place - 1])
            for hand, beats in by_hand.items()
            for place, beat in enumerate(beats)
        }


def held_path(path: HandBeat, turn: Site, following: Site, around: Around) -> HandBeat:
    """What holds of a path: if it does not hold around the body, nothing at throws and catches there, or beside them.

    Args:
        path: from a turn of a hand to its next.
        turn, following: those turns.
        around: as in `HandPoints`.
    """
    thrown, caught, again = turn in around.throws, following in around.catches, following in around.throws
    lands = caught or following in around.from_behind
    if path.around or not (thrown or lands or again):
        return path
    empty, loaded = path.catch - 1, len(path.points) - path.catch - 1
    away = (thrown, *(thrown or caught,) * empty, lands, *(caught or again,) * loaded)
    return replace(path, points=tuple(None if off else point for point, off in zip(path.points, away, strict=True)))
