"""Causes: which throw forces which other throw, and arrows between them that stay clear of all
others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.diagrams.time_layout import TimePoint, curve_piece
from juggle_anim.diagrams.timeline import NO_ORBIT, Timeline
from juggle_anim.pattern.pattern import catching_hand, hand_of

_HAIR = 1e-7
_SHARE = np.linspace(0.0, 1.0, 121)[:, None]

_BASIS = np.hstack(
    [(1 - _SHARE) ** 3, 3 * (1 - _SHARE) ** 2 * _SHARE, 3 * (1 - _SHARE) * _SHARE**2, _SHARE**3],
)

# [mm]: the space around an arrow, before the frame at its end, between places that are one, and
# around a letter.
_FREE = 0.9
_BEFORE_EDGE = 0.35
_SAME = 0.1
_LETTER = 1.9


@dataclass(frozen=True)
class ThrowNode:
    """All that a hand throws at one time of the loop.

    Args:
        time: of the beat, [s]; without beats, of the throw.
        hand: 2 · juggler + side.
        text: in siteswap; empty for a pattern without beats.
        orbits: of the thrown props, each once; empty for an empty hand.
    """

    time: float
    hand: int
    text: str
    orbits: tuple[int, ...]


@dataclass(frozen=True)
class Cause:
    """A throw, and the throw that it causes: the one that empties the catching hand.

    Args:
        time, hand: of the throw.
        to_time, to_hand: of the throw that it causes, which may be in an earlier or a later loop.
        orbit: of the thrown prop.
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


def throw_nodes(timeline: Timeline) -> list[ThrowNode]:
    """Return all throws of one loop by hand and time, those of a multiplex together."""
    found: dict[tuple[int, float], list[_Throw]] = {}
    for throw in _throws(timeline):
        found.setdefault((throw.hand, throw.time), []).append(throw)
    return [
        ThrowNode(time, hand, _text(together), _orbits(together))
        for (hand, time), together in sorted(found.items())
    ]


def causes(timeline: Timeline) -> list[Cause]:
    """Return what each throw of one loop causes.

    A hand must throw before it can catch. So a throw causes the last throw that the catching hand
    makes before the catch. Where hands take turns this is `value` − 2 beats later. A throw that
    would cause itself is left out.
    """
    loop = timeline.choreography.duration
    sites: dict[int, list[float]] = {}
    for turn in throw_nodes(timeline):
        sites.setdefault(turn.hand, []).append(turn.time)
    found = []
    for throw in _throws(timeline):
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


def _throws(timeline: Timeline) -> Iterator[_Throw]:
    pattern = timeline.pattern
    choreography = timeline.choreography
    if pattern is None:
        for each in timeline.flights:
            if 0 <= each.thrown < choreography.duration:
                yield _Throw(each.thrown, each.hand, each.caught, each.to_hand, each.orbit, "")
        return
    orbit = {index: number for number, each in enumerate(pattern.orbits) for index in each.throws}
    for index, throw in enumerate(pattern.throws):
        lands = timeline.time_of(throw.beat + throw.value)
        to_hand = catching_hand(throw)
        yield _Throw(
            timeline.time_of(throw.beat),
            hand_of(throw),
            lands,
            to_hand,
            orbit[index],
            timeline.text(throw),
        )
    busy = {throw[:3] for throw in pattern.throws}
    for beat, juggler, side in pattern.turns:
        if (beat, juggler, side) not in busy:
            yield _Throw(timeline.time_of(beat), 2 * juggler + side, 0.0, 0, NO_ORBIT, "0")


def _last_before(times: list[float], moment: float, loop: float) -> float:
    """The last time before a moment, of times that repeat in every loop."""
    lap, within = divmod(moment - _HAIR, loop)
    place = bisect_left(times, within)
    return (times[place - 1] + lap * loop) if place else times[-1] + (lap - 1) * loop


class ArrowRouter:
    """Routes arrows around the frames of all throws, on endless paper.

    Args:
        frames: shape (N, 4): the centre of each, along and across time, and its length and depth,
            [mm].
        scale: [mm/s].
    """

    def __init__(self, frames: Floats, scale: float) -> None:
        self._frames = frames[np.argsort(frames[:, 0], kind="stable")]
        self._reach = float(frames[:, 2].max(initial=0.0)) + 2 * _FREE
        self._scale = scale

    def arrow(self, start: TimePoint, end: TimePoint, bows: Sequence[float]) -> Sequence[TimePoint]:
        """Return the curve from one throw to the edge of another's frame.

        Args:
            start, end: centres of their frames.
            bows: how far the curve may bend aside, in order of preference, [mm]; the first that
                stays clear of other throws is taken.
        """
        curves = [_bent(start, end, bow, self._scale) for bow in bows]
        return self._to_the_edge(
            curves[_first_clear([self._gap(self.sample(curve)) for curve in curves], _FREE)]
        )

    def sample(self, curve: Sequence[TimePoint]) -> Floats:
        """Return points of a cubic, shape (N, 2), along and across time, [mm]."""
        points = np.array(curve) * (self._scale, 1.0)
        return _BASIS @ points

    def _gap(self, points: Floats) -> float:
        """Return the least distance of a curve from all throws but its own two, [mm]."""
        near = self._near(points)
        others = near[(np.abs(near[:, None, :2] - points[[0, -1]]).max(axis=2) > _SAME).all(axis=1)]
        return float(_outside(points, others).min(initial=np.inf))

    def _to_the_edge(self, curve: Sequence[TimePoint]) -> Sequence[TimePoint]:
        """The curve up to the frame of the throw at its end."""
        points = self.sample(curve)
        near = self._near(points)
        target = near[np.abs(near[:, :2] - points[-1]).max(axis=1) < _SAME][:1]
        outside = np.flatnonzero((_outside(points, target) > _BEFORE_EDGE).all(axis=1))
        return curve_piece(curve, 0.0, outside[-1] / (len(points) - 1)) if len(outside) else curve

    def _near(self, points: Floats) -> Floats:
        edges = points[:, 0].min() - self._reach, points[:, 0].max() + self._reach
        first, last = np.searchsorted(self._frames[:, 0], edges)
        return self._frames[first:last]


class LabelPlacer:
    """Places letters where no arrows run.

    Args:
        arrows: points of each, shape (N, 2), along and across time, [mm].
    """

    def __init__(self, arrows: Sequence[Floats]) -> None:
        points = np.concatenate([np.zeros((0, 2)), *arrows])
        self._points = points[np.argsort(points[:, 0], kind="stable")]

    def clearest(self, places: Sequence[tuple[float, float]]) -> int:
        """Return the index of the first place [mm] with space for a letter, or of the one with most
        space.
        """
        return _first_clear([self._gap(place) for place in places], _LETTER)

    def _gap(self, place: tuple[float, float]) -> float:
        first, last = np.searchsorted(self._points[:, 0], (place[0] - _LETTER, place[0] + _LETTER))
        return float(np.linalg.norm(self._points[first:last] - place, axis=1).min(initial=np.inf))


def _first_clear(gaps: Sequence[float], enough: float) -> int:
    """The index of the first gap that is wide enough, or else of the widest."""
    return next((number for number, gap in enumerate(gaps) if gap > enough), int(np.argmax(gaps)))


def _bent(start: TimePoint, end: TimePoint, bow: float, scale: float) -> list[TimePoint]:
    """A cubic that bows by so much across its direction, [mm]; the times of its points are evenly
    spaced.
    """
    third = (end[0] - start[0]) / 3
    across = (end[1] - start[1]) / 3
    bend = bow * 4 / 3  # a cubic comes ¾ as far as its inner points
    if end[0] == start[0]:
        aside = start[0] + bend / scale
        return [start, (aside, start[1] + across), (aside, end[1] - across), end]
    return [
        start,
        (start[0] + third, start[1] + across + bend),
        (end[0] - third, end[1] - across + bend),
        end,
    ]


def _outside(places: Floats, frames: Floats) -> Floats:
    """Distances of places, shape (M, 2), from frames with round ends, shape (N, 4); shape (M, N),
    [mm].
    """
    thick = frames[:, 2:].min(axis=1)
    straight = (frames[:, 2:] - thick[:, None]) / 2
    beside = np.maximum(np.abs(places[:, None] - frames[:, :2]) - straight, 0.0)
    distance: Floats = np.linalg.norm(beside, axis=-1) - thick / 2
    return distance
