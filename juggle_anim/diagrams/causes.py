"""Causes: which throw makes room for which prop, and so must be made because of which other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from juggle_anim.choreography.holds import hand_of
from juggle_anim.diagrams.course import NO_ORBIT, Course


@dataclass(frozen=True)
class Turn:
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


def turns(course: Course) -> list[Turn]:
    """All that hands throw in one loop, together what leaves a hand together, by hand and time."""
    found: dict[tuple[int, float], list[_Throw]] = {}
    for throw in _throws(course):
        found.setdefault((throw.hand, throw.time), []).append(throw)
    return [Turn(time, hand, _text(together), _orbits(together)) for (hand, time), together in sorted(found.items())]


def causes(course: Course) -> list[Cause]:
    """What causes what, for each throw of one loop.

    A hand has to throw before it can catch: so a throw causes the last one that the hand that catches it makes before.
    Where hands take turns this is `value` − 2 beats later. What a throw would cause is left out where that is itself.
    """
    loop = course.choreography.duration
    sites: dict[int, list[float]] = {}
    for turn in turns(course):
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


def _throws(course: Course) -> Iterator[_Throw]:
    pattern, choreography = course.pattern, course.choreography
    if pattern is None:
        for each in course.flown:
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


_HAIR = 1e-7
