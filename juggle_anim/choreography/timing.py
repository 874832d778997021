"""When hands throw and catch: beats and dwell become moments.

The rules are those of Juggling Lab 1.7.7; all times here are in beats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from juggle_anim.pattern import Pattern, Throw

SHORTEST_EMPTY = 0.05
"""A hand catches no sooner than this after it threw."""

SHORTEST_CARRY = 0.02
"""A hand throws no sooner than this after it caught."""

SHORTEST_FLIGHT = 0.3
"""A prop is caught no sooner than this after it was thrown."""


SHORTEST_SQUEEZE = 0.01
"""Catches that would follow each other within less are made at once."""


@dataclass(frozen=True)
class Timing:
    """Moments of one loop, [beats].

    Args:
        throw: when each throw of the pattern leaves its hand; without meaning for a hold.
        catch: when the prop is caught again, later than `throw` and maybe in a later loop; likewise.
        held: which throws are never let go.
    """

    throw: tuple[float, ...]
    catch: tuple[float, ...]
    held: tuple[bool, ...]


def time_throws(pattern: Pattern, dwell: float, squeeze: float) -> Timing:
    """When each throw leaves its hand and is caught.

    Args:
        pattern: what is juggled.
        dwell: from a catch to that hand's next throw, [beats].
        squeeze: time over which several catches in one hand are spread, [beats].
    """
    return _Timer(pattern, dwell, squeeze).timing()


def holds(pattern: Pattern) -> tuple[bool, ...]:
    """For each throw, whether it is no throw at all but a prop that stays in its hand.

    Only a prop that comes back to its own hand can be held. It is where the pattern says so (`3H`, and not with `2T`);
    where it says nothing, a 1 is held, and a 2 unless that hand also throws on the beat between.
    """
    busy = {(throw.beat, hand_of(throw)) for throw in pattern.throws}

    def held(throw: Throw) -> bool:
        if (throw.juggler, throw.hand) != (throw.to_juggler, throw.to_hand):
            return False
        if throw.held is not None:
            return throw.held
        between = ((throw.beat + 1) % pattern.period, hand_of(throw))
        return throw.value == 1 or (throw.value == 2 and between not in busy)

    return tuple(held(throw) for throw in pattern.throws)


def hand_of(throw: Throw) -> int:
    """The number of the hand that throws: 2 · juggler + side."""
    return 2 * throw.juggler + throw.hand


def _rounded(beats: float) -> float:
    # Sums in another order differ in their last bit; events that are one must be one.
    return round(beats, 9)


class _Timer:
    """The working of `time_throws`: hands on beats are keyed (hand, beat)."""

    def __init__(self, pattern: Pattern, dwell: float, squeeze: float) -> None:
        self.pattern, self.dwell, self.squeeze = pattern, dwell, squeeze
        self.held = holds(pattern)

    def timing(self) -> Timing:
        throws = self.pattern.throws
        throw = tuple(self._leave(hand_of(thrown), thrown.beat) for thrown in throws)
        catch = [0.0] * len(throws)
        for (hand, beat), arrivals in self._arrivals.items():
            for index, moment in self._catches(hand, beat, arrivals, throw):
                # The moments are those of this loop; a throw may fly into a later one.
                catch[index] = moment + throws[index].beat + throws[index].value - beat
        return Timing(tuple(map(_rounded, throw)), tuple(map(_rounded, catch)), self.held)

    @cached_property
    def _arrivals(self) -> dict[tuple[int, int], list[int]]:
        arrivals: dict[tuple[int, int], list[int]] = {}
        for index, landing in enumerate(self.pattern.landings):
            if not self.held[index]:
                to = self.pattern.throws[landing]
                arrivals.setdefault((hand_of(to), to.beat), []).append(index)
        return arrivals

    @cached_property
    def _thrown_beats(self) -> dict[int, list[int]]:
        beats: dict[int, set[int]] = {}
        for throw, held in zip(self.pattern.throws, self.held, strict=True):
            if not held:
                beats.setdefault(hand_of(throw), set()).add(throw.beat)
        return {hand: sorted(found) for hand, found in beats.items()}

    @cached_property
    def _hurried(self) -> set[tuple[int, int]]:
        """The hands and beats that throw a 1: it must cross before its hand is due, so it leaves early."""
        pairs = zip(self.pattern.throws, self.held, strict=True)
        return {(hand_of(throw), throw.beat) for throw, held in pairs if throw.value == 1 and not held}

    def _leave(self, hand: int, beat: int) -> float:
        if (hand, beat % self.pattern.period) not in self._hurried:
            return float(beat)
        return beat - max(0.0, min(self.dwell, self._window(hand, beat)) + SHORTEST_FLIGHT - 1)

    def _previous(self, hand: int, beat: int) -> int | None:
        """The last beat before this one on which the hand throws, maybe in an earlier loop."""
        beats = self._thrown_beats.get(hand)
        if not beats:
            return None
        loop, within = divmod(beat, self.pattern.period)
        earlier = [other for other in beats if other < within]
        return earlier[-1] + loop * self.pattern.period if earlier else beats[-1] + (loop - 1) * self.pattern.period

    def _window(self, hand: int, beat: int) -> float:
        """The longest that the hand can dwell before this beat."""
        return (1.0 if self._previous(hand, beat) == beat - 1 else 2.0) - SHORTEST_EMPTY

    def _catches(self, hand: int, beat: int, arrivals: list[int], throw: tuple[float, ...]) -> list[tuple[int, float]]:
        throws = self.pattern.throws
        latest = self._leave(hand, beat) - SHORTEST_CARRY
        span = self.squeeze if len(arrivals) > 1 else 0.0
        first = beat - min(self.dwell, self._window(hand, beat))
        previous = self._previous(hand, beat)
        if previous is not None:
            first = max(first, self._leave(hand, previous) + SHORTEST_EMPTY)
        for index in arrivals:
            flown = throws[index].beat + throws[index].value - beat
            first = max(first, throw[index] - flown + SHORTEST_FLIGHT)
        first = min(first, latest)
        span = min(span, latest - first)
        span = span if span > SHORTEST_SQUEEZE else 0.0
        # The highest comes down first into a hand that catches several.
        ordered = sorted(arrivals, key=lambda index: -throws[index].value)
        return [(index, first + span * place / max(1, len(ordered) - 1)) for place, index in enumerate(ordered)]
