"""The timeline of a pattern: which hand holds which prop when, what is thrown where, and the labels
of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Self

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import holds
from juggle_anim.errors import ParameterError
from juggle_anim.language import _
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.pattern import hand_of

NO_ORBIT = NO_PROP = -1

MOST_THROWS = 5_000
"""The most throws of a diagram."""

_MOST_LOOPS = 12

_HAIR = 1e-9
"""Times nearer to each other count as one, [s]."""


@dataclass(frozen=True)
class Flight:
    """A prop in the air.

    Args:
        thrown, caught: times of throw and catch, [s].
        hand, to_hand: the hands that throw and catch, 2 · juggler + side.
        orbit: of the prop.
        prop: its number.
        text: the throw in siteswap; empty for a pattern without beats.
        lane: how many props lie in the throwing hand before this one.
        to_lane: likewise in the catching hand.
        number: of the flight in the choreography.
    """

    thrown: float
    caught: float
    hand: int
    to_hand: int
    orbit: int
    prop: int
    text: str
    lane: int
    to_lane: int
    number: int


@dataclass(frozen=True)
class Hold:
    """A prop in a hand.

    Args:
        start, end: [s].
        hand: 2 · juggler + side.
        orbit: of the prop.
        prop: its number.
        lane: how many props lie in that hand before it.
    """

    start: float
    end: float
    hand: int
    orbit: int
    prop: int
    lane: int = 0


@dataclass(frozen=True)
class Rest:
    """A beat on which a hand throws nothing: it holds a prop, or is empty.

    Args:
        time: [s].
        hand: 2 · juggler + side.
        text: in siteswap.
        orbit: of the prop; `NO_ORBIT` for an empty hand.
        lane: as of a `Hold`.
        throw: the number of the throw in the full loop; −1 for an empty hand.
        prop: that is held; `NO_PROP` for an empty hand.
    """

    time: float
    hand: int
    text: str
    orbit: int
    lane: int = 0
    throw: int = -1
    prop: int = NO_PROP


class Timeline:
    """Flights and holds from time 0 to the end of some loops.

    Args:
        score: what is juggled.
        choreography: of the score.
        loops: how many loops are covered.
    """

    def __init__(self, score: Score, choreography: Choreography, loops: int) -> None:
        self.choreography = choreography
        self.loops = loops
        self.pattern: Pattern | None = (
            repeat_to_full_loop(score.pattern, score.staging) if score.pattern else None
        )
        self.span = loops * choreography.duration
        self._held = holds(self.pattern) if self.pattern else ()
        self._throw_numbers = [index for index, held in enumerate(self._held) if not held]
        events = choreography.events
        flights = choreography.flights
        self._thrown = events.time[flights.throw].tolist()
        self._hands = events.hand[flights.throw].tolist()
        self._to_hands = events.hand[flights.catch].tolist()
        self._lasts, self._carry = flights.duration.tolist(), flights.carry.tolist()
        self._orbit = {}
        self._next = {}
        for number, orbit in enumerate(choreography.orbits):
            for flight, following in orbit.steps():
                self._orbit[flight], self._next[flight] = number, following

    @classmethod
    def of(cls, score: Score, choreography: Choreography, loops: int | None, enough: int) -> Self:
        """Return the timeline that a diagram shows.

        Args:
            score, choreography: as of the class.
            loops: how many loops; None for as many as give enough throws.
            enough: how many throws are enough.

        Raises:
            ParameterError: the number of loops is below 1 or too large.
        """
        in_loop = max(1, len(choreography.flights.throw))
        if loops is None:
            loops = max(1, min(_MOST_LOOPS, ceil(enough / in_loop)))
        if loops < 1:
            raise ParameterError.of("loops", loops, _("a whole number from 1 up"))
        throws = loops * in_loop
        if throws > MOST_THROWS:
            raise ParameterError(
                _(
                    "that makes {throws:,} throws, and {most_throws:,} is the most that a diagram "
                    "has",
                    throws=throws,
                    most_throws=MOST_THROWS,
                )
            )
        return cls(score, choreography, loops)

    @property
    def beat(self) -> float | None:
        """Duration of a beat, [s]; None for a pattern without beats."""
        return 1 / self.choreography.bps if self.pattern else None

    def time_of(self, beat: int) -> float:
        """When a beat of the pattern is, or a part of one where it has such, [s]; also where the
        tempo changes.
        """
        assert self.pattern is not None, "events are on no beats"
        period = self.pattern.period
        if self._uneven is None:
            return beat / (self.choreography.bps * self.pattern.division)
        lap, within = divmod(beat, period)
        return lap * self.choreography.duration + float(np.interp(within, *self._uneven))

    @cached_property
    def _uneven(self) -> tuple[list[float], list[float]] | None:
        """Beats on which props are thrown, and when that is, [s], where the tempo changes within
        the loop.
        """
        pattern = self.pattern
        duration = self.choreography.duration
        if (
            pattern is None
            or abs(pattern.period / (self.choreography.bps * pattern.division) - duration) < _HAIR
        ):
            return None
        thrown = {
            pattern.throws[index].beat: time
            for index, time in zip(self._throw_numbers, self._thrown, strict=True)
        }
        first = min(thrown)
        thrown[first + pattern.period] = thrown[first] + duration
        beats = sorted(thrown)
        return [float(beat) for beat in beats], [thrown[beat] for beat in beats]

    @cached_property
    def flights(self) -> list[Flight]:
        """All flights that touch the time span."""
        lanes = {key: hold.lane for key, hold in self._thrown_holds.items()}
        before = {self._following(flight, lap): (flight, lap) for flight, lap in self._thrown_holds}
        found = []
        for flight, lap in self._copies(self._lasts):
            thrown = self._thrown[flight] + lap * self.choreography.duration
            found.append(
                Flight(
                    thrown,
                    thrown + self._lasts[flight],
                    self._hands[flight],
                    self._to_hands[flight],
                    self._orbit[flight],
                    self._prop(flight, lap),
                    self.text(self._throw(flight)) if self.pattern else "",
                    lanes.get(before.get((flight, lap), (-1, 0)), 0),
                    lanes.get((flight, lap), 0),
                    flight,
                )
            )
        return found

    @cached_property
    def holds(self) -> list[Hold]:
        """All holds, those of props that are never thrown included."""
        return [*self._kept, *self._thrown_holds.values()]

    @cached_property
    def rests(self) -> list[Rest]:
        """Held beats and empty hands; none for a pattern without beats."""
        pattern = self.pattern
        if pattern is None:
            return []
        orbit = {
            index: number for number, each in enumerate(pattern.orbits) for index in each.throws
        }
        busy = {throw[:3] for throw in pattern.throws}
        holding = [
            (t.beat, hand_of(t), self.text(t), orbit[i], i)
            for i, t in enumerate(pattern.throws)
            if self._held[i]
        ]
        empty = [
            (turn[0], 2 * turn[1] + turn[2], "0", NO_ORBIT, -1)
            for turn in pattern.turns
            if turn not in busy
        ]
        return [
            Rest(time, hand, text, number, *self._held_at(time, hand, number, throw))
            for lap in range(self.loops)
            for (beat, hand, text, number, throw) in holding + empty
            for time in [self.time_of(lap * pattern.period + beat)]
        ]

    def throw_number(self, flight: int) -> int:
        """The number in the full loop of the throw of a flight; −1 for a pattern without beats."""
        # A performance repeats the flights as written some times.
        return self._throw_numbers[flight % len(self._throw_numbers)] if self.pattern else -1

    def text(self, throw: Throw) -> str:
        """Write a throw of the pattern in siteswap."""
        assert self.pattern is not None
        division = self.pattern.division
        if division == 1 and self.pattern.hand_siteswap is None:
            return throw_text(throw._replace(held=None), self.pattern.jugglers)
        passed = (
            "p" if throw.juggler != throw.to_juggler and self.pattern.hand_siteswap is None else ""
        )
        return f"{throw.value / division:g}{passed}"

    def _throw(self, flight: int) -> Throw:
        assert self.pattern is not None
        return self.pattern.throws[self.throw_number(flight)]

    @cached_property
    def _thrown_holds(self) -> dict[tuple[int, int], Hold]:
        """The hold after each flight of each loop, by flight and loop."""
        found: dict[tuple[int, int], Hold] = {}
        for flight, lap in self._copies(
            [lasts + carry for lasts, carry in zip(self._lasts, self._carry, strict=True)]
        ):
            start = self._thrown[flight] + lap * self.choreography.duration + self._lasts[flight]
            end = start + self._carry[flight]
            hand = self._to_hands[flight]
            found[flight, lap] = Hold(
                start, end, hand, self._orbit[flight], self._prop(flight, lap)
            )
        return _in_lanes(found, self._kept)

    @cached_property
    def _kept(self) -> list[Hold]:
        """Props that are never thrown, each in a lane of its own."""
        lanes: dict[int, int] = {}
        kept = []
        prop = 0
        for number, orbit in enumerate(self.choreography.orbits):
            for ahead in range(0 if orbit.flights else orbit.props):
                lane = lanes[orbit.hand] = lanes.get(orbit.hand, -1) + 1
                kept.append(Hold(0.0, self.span, orbit.hand, number, prop + ahead, lane))
            prop += orbit.props
        return kept

    def _copies(self, lasts: list[float]) -> Iterator[tuple[int, int]]:
        """Flights with the loop in which each begins, where they last so long that they reach into
        the span.
        """
        duration = self.choreography.duration
        for flight, thrown in enumerate(self._thrown):
            # A hold that ends just when the span begins still gives the lane of the next throw.
            first = ceil(-(thrown + lasts[flight]) / duration - _HAIR)
            for lap in range(first, ceil((self.span - thrown) / duration)):
                yield flight, lap

    def _following(self, flight: int, lap: int) -> tuple[int, int]:
        """The next flight of the same prop, and the loop in which it begins."""
        following = self._next[flight]
        duration = self.choreography.duration
        ends = self._thrown[flight] + lap * duration + self._lasts[flight] + self._carry[flight]
        return following, round((ends - self._thrown[following]) / duration)

    def _prop(self, flight: int, lap: int) -> int:
        """The prop of a flight that begins in some loop: the props of an orbit follow each other
        one loop apart.
        """
        first, props, own = self._loops_of_first[flight]
        return first + (own - lap) % props

    @cached_property
    def _loops_of_first(self) -> dict[int, tuple[int, int, int]]:
        """For each flight the first prop of its orbit, their number, and the loop in which the
        first one flies.
        """
        found: dict[int, tuple[int, int, int]] = {}
        prop = 0
        for orbit in self.choreography.orbits:
            lap = 0
            for flight in orbit.flights:
                found[flight] = prop, orbit.props, lap
                _unused, lap = self._following(flight, lap)
            prop += orbit.props
        return found

    def _held_at(self, time: float, hand: int, orbit: int, throw: int) -> tuple[int, int, int]:
        """The lane of the prop of an orbit that a hand holds, the throw as given, and the number of
        the prop.
        """
        mine = (
            each
            for each in self._holds_of.get((hand, orbit), ())
            if each.start <= time + _HAIR <= each.end
        )
        return next(((each.lane, throw, each.prop) for each in mine), (0, throw, NO_PROP))

    @cached_property
    def _holds_of(self) -> dict[tuple[int, int], list[Hold]]:
        found: dict[tuple[int, int], list[Hold]] = {}
        for hold in self.holds:
            found.setdefault((hold.hand, hold.orbit), []).append(hold)
        return found


def _in_lanes(
    holds_by_flight: dict[tuple[int, int], Hold], kept: list[Hold]
) -> dict[tuple[int, int], Hold]:
    """Give props that are in one hand at one time lanes beside each other, those that are never
    thrown first.
    """
    taken: dict[int, list[float]] = {}
    for hold in kept:
        taken.setdefault(hold.hand, []).append(hold.end)
    placed = {}
    for key, hold in sorted(holds_by_flight.items(), key=lambda item: item[1].start):
        ends = taken.setdefault(hold.hand, [])
        lane = next((lane for lane, end in enumerate(ends) if end <= hold.start + _HAIR), len(ends))
        ends[lane : lane + 1] = [hold.end]
        placed[key] = replace(hold, lane=lane)
    return placed
