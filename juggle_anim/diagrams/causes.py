"""Causes: which throw makes room for which prop, and so must be made because of which other.

MERGED: Arrows: curves from throw to throw that stay clear of other throws, and places that stay clear of arrows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography.dwell import hand_of
from juggle_anim.diagrams.time_layout import Moment, curve_piece
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline

_HAIR = 1e-7

_SHARE = np.linspace(0.0, 1.0, 121)[:, None]

_BASIS = np.hstack(
    [(1 - _SHARE) ** 3, 3 * (1 - _SHARE) ** 2 * _SHARE, 3 * (1 - _SHARE) * _SHARE**2, _SHARE**3],
)

_FREE, _BEFORE_EDGE, _SAME = 0.9, 0.35, 0.1

_LETTER = 1.9


@dataclass(frozen=True)
class ThrowNode:
    """What a hand throws at one moment of the loop.

    Args:
        time: [s]; a throw on a beat counts as made on it.
        hand: 2 · juggler + side.
        text: as one writes it; empty where nobody counted beats.
        orbits: of what is thrown, each once; none where nothing is.
    """

    time: float
    hand: int
    text: str
    orbits: tuple[int, ...]


@dataclass(frozen=True)
class Cause:
    """A throw, and the one that empties the hand that will catch it.

    Args:
        time, hand: of the throw.
        to_time, to_hand: of the throw that it causes, maybe in an earlier loop or a later one.
        orbit: of what is thrown.
    """

    time: float
    hand: int
    to_time: float
    to_hand: int
    orbit: int

    @property
    def passes(self) -> bool:
        """Whether it goes to another juggler."""
        return self.hand // 2 != self.to_hand // 2


def throw_nodes(course: Timeline) -> list[ThrowNode]:
    """All that hands throw in one loop, together what leaves a hand together, by hand and time."""
    found: dict[tuple[int, float], list[_Throw]] = {}
    for throw in _throws(course):
        found.setdefault((throw.hand, throw.time), []).append(throw)
    return [
        ThrowNode(time, hand, _text(together), _orbits(together)) for (hand, time), together in sorted(found.items())
    ]


def causes(course: Timeline) -> list[Cause]:
    """What causes what, for each throw of one loop.

    A hand has to throw before it can catch: so a throw causes the last one that the hand that catches it makes before.
    Where hands take turns this is `value` − 2 beats later. What a throw would cause is left out where that is itself.
    """
    loop = course.choreography.duration
    sites: dict[int, list[float]] = {}
    for turn in throw_nodes(course):
        sites.setdefault(turn.hand, []).append(turn.time)
    found = []
    for throw in _throws(course):
        if throw.orbit != NO_ORBIT and throw.to_hand in sites:
            before = _last_before(sites[throw.to_hand], throw.lands, loop)
            if (throw.to_hand, round(before - throw.time, 6)) != (throw.hand, 0.0):
                found.append(Cause(throw.time, throw.hand, before, throw.to_hand, throw.orbit))
    return found


@dataclass(frozen=True)
class _Throw:
    time: float
    hand: int
    lands: float
    to_hand: int
    orbit: int
    text: str


def _text(together: list[_Throw]) -> str:
    text = "".join(throw.text for throw in together)
    return f"[{text}]" if text and len(together) > 1 else text


def _orbits(together: list[_Throw]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(throw.orbit for throw in together if throw.orbit != NO_ORBIT))


def _throws(course: Timeline) -> Iterator[_Throw]:
    pattern, choreography = course.pattern, course.choreography
    if pattern is None:
        for each in course.flights:
            if 0 <= each.thrown < choreography.duration:
                yield _Throw(each.thrown, each.hand, each.caught, each.to_hand, each.orbit, "")
        return
    rate = choreography.bps * pattern.division
    orbit = {index: number for number, each in enumerate(pattern.orbits) for index in each.throws}
    for index, throw in enumerate(pattern.throws):
        lands, to_hand = (throw.beat + throw.value) / rate, 2 * throw.to_juggler + throw.to_hand
        yield _Throw(throw.beat / rate, hand_of(throw), lands, to_hand, orbit[index], course.text(throw))
    busy = {throw[:3] for throw in pattern.throws}
    for beat, juggler, side in pattern.turns:
        if (beat, juggler, side) not in busy:
            yield _Throw(beat / rate, 2 * juggler + side, 0.0, 0, NO_ORBIT, "0")


def _last_before(times: list[float], moment: float, loop: float) -> float:
    """The last of some times of a loop, repeated for ever, before a moment."""
    lap, within = divmod(moment - _HAIR, loop)
    place = bisect_left(times, within)
    return (times[place - 1] + lap * loop) if place else times[-1] + (lap - 1) * loop


class ArrowRouter:
    """The frames of all throws on endless paper.

    Args:
        frames: shape (N, 4): where the middle of each is, along time and across it, and how long and deep it is, [mm].
        scale: [mm/s].
    """

    def __init__(self, frames: Floats, scale: float) -> None:
        self._frames = frames[np.argsort(frames[:, 0], kind="stable")]
        self._reach = float(frames[:, 2].max(initial=0.0)) + 2 * _FREE
        self._scale = scale

    def arrow(self, start: Moment, end: Moment, bows: Sequence[float]) -> Sequence[Moment]:
        """The curve from one throw to the frame of another.

        Args:
            start, end: middles of their frames.
            bows: by how much it may bend aside [mm], in the order in which it would; the first that meets no other
                throw is taken.
        """
        curves = [_bent(start, end, bow, self._scale) for bow in bows]
        room = [self._room_beside(self.sample(curve)) for curve in curves]
        best = next((number for number, free in enumerate(room) if free > _FREE), int(np.argmax(room)))
        return self._to_the_edge(curves[best])

    def sample(self, curve: Sequence[Moment]) -> Floats:
        """Points of a cubic, shape (N, 2), along and across, [mm]."""
        points = np.array(curve) * (self._scale, 1.0)
        return _BASIS @ points

    def _room_beside(self, way: Floats) -> float:
        """How far it stays from any throw but its own two, [mm]."""
        near = self._near(way)
        others = near[(np.abs(near[:, None, :2] - way[[0, -1]]).max(axis=2) > _SAME).all(axis=1)]
        return float(_outside(way, others).min(initial=np.inf))

    def _to_the_edge(self, curve: Sequence[Moment]) -> Sequence[Moment]:
        """The curve as far as the frame of the throw at its end."""
        way = self.sample(curve)
        near = self._near(way)
        mine = near[np.abs(near[:, :2] - way[-1]).max(axis=1) < _SAME][:1]
        outside = np.flatnonzero((_outside(way, mine) > _BEFORE_EDGE).all(axis=1))
        return curve_piece(curve, 0.0, outside[-1] / (len(way) - 1)) if len(outside) else curve

    def _near(self, way: Floats) -> Floats:
        edges = way[:, 0].min() - self._reach, way[:, 0].max() + self._reach
        first, last = np.searchsorted(self._frames[:, 0], edges)
        return self._frames[first:last]


class LabelPlacer:
    """Where there are no arrows.

    Args:
        ways: points of each arrow, shape (N, 2), along time and across it, [mm].
    """

    def __init__(self, ways: Sequence[Floats]) -> None:
        points = np.concatenate([np.zeros((0, 2)), *ways])
        self._points = points[np.argsort(points[:, 0], kind="stable")]

    def clearest(self, places: Sequence[tuple[float, float]]) -> int:
        """The first of some places [mm] with room for a letter, or else the one with most."""
        room = [self._room(place) for place in places]
        return next((number for number, free in enumerate(room) if free > _LETTER), int(np.argmax(room)))

    def _room(self, place: tuple[float, float]) -> float:
        first, last = np.searchsorted(self._points[:, 0], (place[0] - _LETTER, place[0] + _LETTER))
        return float(np.linalg.norm(self._points[first:last] - place, axis=1).min(initial=np.inf))


def _bent(start: Moment, end: Moment, bow: float, scale: float) -> list[Moment]:
    """A cubic that bends by so much [mm] across its way; time of its inner points divides it evenly."""
    third, across = (end[0] - start[0]) / 3, (end[1] - start[1]) / 3
    bend = bow * 4 / 3  # a cubic reaches ¾ of the way to its inner points
    if end[0] == start[0]:
        aside = start[0] + bend / scale
        return [start, (aside, start[1] + across), (aside, end[1] - across), end]
    return [start, (start[0] + third, start[1] + across + bend), (end[0] - third, end[1] - across + bend), end]


def _outside(places: Floats, frames: Floats) -> Floats:
    """How far places, shape (M, 2), are outside of frames with round ends, shape (N, 4); shape (M, N), [mm]."""
    thick = frames[:, 2:].min(axis=1)
    straight = (frames[:, 2:] - thick[:, None]) / 2
    beside = np.maximum(np.abs(places[:, None] - frames[:, :2]) - straight, 0.0)
    distance: Floats = np.linalg.norm(beside, axis=-1) - thick / 2
    return distance
