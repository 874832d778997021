"""From places seen from the hands to places seen from the body.

MERGED: Where several jugglers stand: in a circle, all facing its middle.

MERGED: Where bodies are: in a circle, or where the staging says.

MERGED: Hand styles: where hands throw and catch, and how long they hold on, where nothing is said of it.

MERGED: Where the staging wants hands to be: at throws and catches, and on the way between.

MERGED: Grasps: which way up hands catch, and throw again, and where they do it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import BodyKeys, Grasp
from juggle_anim.choreography.dwell import after_holds
from juggle_anim.choreography.score import BodyMoves, Catches, HandBeat, HandMoves, Point
from juggle_anim.choreography.timing import Timing
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST = 0.25
"""How far outward a hand rests that has nothing to do, [m]."""

SMALLEST_RADIUS = 0.70
"""Of the circle, [m]."""

HALF_SPACING = 0.65
"""Neighbours stand at least twice this apart, [m]."""

Site = tuple[int, int]
"""A hand, 2 · juggler + side, and a beat of the loop."""

# How much higher than usual, and how far back, hands are: a claw comes from above, a penguin to the side. [m]
_CLAW_UP = 0.14

_PENGUIN_CATCH, _PENGUIN_THROW = (0.36, -0.08, -0.14), (0.26, -0.02, -0.04)

GRASPS = {grasp.name.lower(): grasp for grasp in Grasp}
"""Grasps by the words for them."""


def mean_point(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    outward, up, forward = (sum(parts) / len(points) for parts in zip(*points, strict=True))
    return outward, up, forward


def place(points: Sequence[Point], hand: Integers) -> Floats:
    """Points seen from the hands, as they are seen from the bodies.

    Args:
        points: N of them.
        hand: shape (N,), 2 · juggler + side.

    Returns:
        Shape (N, 3): to the left, up and forward of the place under the feet, [m].
    """
    seen = np.array(points, dtype=float).reshape(-1, 3)
    seen[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    return seen + (0.0, HAND_HEIGHT, HAND_FORWARD)


def at_rest(jugglers: int) -> Floats:
    """Where hands rest, shape (2 · jugglers, 3), as by `place`."""
    hands = np.arange(2 * jugglers)
    return place([(REST, 0.0, 0.0)] * len(hands), hands)


def circle(jugglers: int, smallest: float = SMALLEST_RADIUS) -> tuple[Floats, Floats]:
    """Places and turns of some jugglers: those of Juggling Lab 1.7.7, if `smallest` is its radius.

    A single juggler stands in the middle and faces +z. Of several, the first stands at −x, the others follow
    counter-clockwise as seen from above. `smallest` is the radius at least, [m].

    Returns:
        Shape (J, 3), the point on the floor under each, [m], and shape (J,), the turn of each about +y, [rad].
    """
    if jugglers == 1:
        return np.zeros((1, 3)), np.zeros(1)
    radius = max(smallest, HALF_SPACING / np.sin(np.pi / jugglers))
    angle = 2 * np.pi * np.arange(jugglers) / jugglers
    standing = radius * np.stack([-np.cos(angle), np.zeros(jugglers), np.sin(angle)], axis=-1)
    return standing, np.pi / 2 + angle


def body_keys(pattern: Pattern, moves: BodyMoves | None, rate: float, radius: float = SMALLEST_RADIUS) -> BodyKeys:
    """The places of all bodies in one loop; those of whom nothing is said stand in the circle.

    Args:
        pattern: its jugglers and its loop.
        moves: what is said.
        rate: beats of the pattern, or parts of them, a second.
        radius: of the circle at least, [m].
    """
    standing, facing = circle(pattern.jugglers, radius)
    rows: list[tuple[float, int, tuple[float, ...], float]] = []
    for juggler in range(pattern.jugglers):
        mine = list(_said(pattern, moves, juggler, rate)) if moves else []
        x, y, z = standing[juggler].tolist()
        mine = mine or [(0.0, (x, y, z), float(facing[juggler]))]
        rows += [(time, juggler, position, turn) for time, position, turn in mine]
    return BodyKeys(
        time=np.array([row[0] for row in rows]),
        juggler=np.array([row[1] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.array([row[3] for row in rows]),
    )


def _said(
    pattern: Pattern, moves: BodyMoves, juggler: int, rate: float
) -> list[tuple[float, tuple[float, float, float], float]]:
    way = moves.beats[juggler % len(moves.beats)]
    found = [
        ((beat + step / len(steps)) * pattern.division / rate, place.position, place.facing)
        for beat in range(-(-pattern.period // pattern.division))
        for steps in [way[beat % len(way)]]
        for step, place in enumerate(steps)
        if place is not None
    ]
    # One place for ever is no way: it is said once.
    return found[:1] if len({row[1:] for row in found}) == 1 else found


@dataclass(frozen=True)
class HandStyle:
    """Places by the value of a throw, 0 to 8 beats and more, outward from the middle of the body, [m].

    Args:
        same_hand: where it leaves the hand, if that will catch it again.
        crossing: where it leaves the hand, if the other will catch it.
        catch: where it is caught.
        throw_up: how much higher than the usual place of the hands they throw, [m].
        catch_up: how much higher they catch, [m].
        give: how the dwell follows what comes and what went, as `time_throws` takes it.
        circle: radius at least of the circle in which several jugglers stand, [m].
        width: by which all places are stretched outward.
    """

    same_hand: tuple[float, ...]
    crossing: tuple[float, ...]
    catch: tuple[float, ...]
    throw_up: float
    catch_up: float
    give: float
    circle: float
    width: float = 1.0

    def throw_point(self, value: float, crosses: bool) -> Point:
        """Where a throw of `value` beats leaves the hand; `crosses` when the other hand will catch it."""
        return self._place(value, self.crossing if crosses else self.same_hand, self.throw_up)

    def catch_point(self, value: float) -> Point:
        """Where a throw of `value` beats is caught."""
        return self._place(value, self.catch, self.catch_up)

    def shaped(self, parameters: Parameters) -> HandStyle:
        """This style, as wide and high as the parameters want it."""
        return replace(
            self,
            width=self.width * parameters.width / 100,
            throw_up=self.throw_up + parameters.throw_height / 100,
            catch_up=self.catch_up + parameters.catch_height / 100,
        )

    def _place(self, value: float, outward: tuple[float, ...], up: float) -> Point:
        return self.width * float(np.interp(value, range(len(outward)), outward)), up, 0.0


STYLES = {
    # Hands stay near each other and at the height of the elbows, and wait longer for what comes from high up: so they
    # need the least acceleration. Passers stand two steps apart, with room for clubs.
    "natural": HandStyle(
        same_hand=(0.0, 0.20, 0.20, 0.18, 0.15, 0.15, 0.15, 0.15, 0.15),
        crossing=(0.0, 0.17, 0.15, 0.12, 0.14, 0.15, 0.16, 0.16, 0.17),
        catch=(0.0, 0.17, 0.28, 0.28, 0.30, 0.30, 0.30, 0.30, 0.30),
        throw_up=0.06,
        catch_up=0.06,
        give=0.065,
        circle=1.0,
    ),
    # The geometry of Juggling Lab 1.7.7.
    "juggling-lab": HandStyle(
        same_hand=(0.0, 0.20, 0.25, 0.12, 0.07, 0.075, 0.05, 0.05, 0.05),
        crossing=(0.0, 0.17, 0.17, 0.07, 0.10, 0.14, 0.25, 0.24, 0.30),
        catch=(0.0, 0.17, 0.25, 0.30, 0.40, 0.45, 0.45, 0.50, 0.50),
        throw_up=0.0,
        catch_up=0.0,
        give=0.0,
        circle=SMALLEST_RADIUS,
    ),
}
"""All styles by name; the first is the usual one."""


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
