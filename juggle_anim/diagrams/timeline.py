"""The course of a pattern over some time: who holds what when, what is thrown where, and what to write at it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import performed
from juggle_anim.choreography.dwell import hand_of, holds
from juggle_anim.errors import ParameterError
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern, Throw

NO_ORBIT = -1

MOST_THROWS = 5_000
"""A diagram of more throws nobody reads."""


def loops_to_show(choreography: Choreography, asked: int | None, throws: int) -> int:
    """How many loops a diagram is to show.

    Args:
        choreography: what happens in one.
        asked: how many somebody wants; None for as many as give so many throws.
        throws: that are enough.

    Raises:
        ParameterError: it cannot be so many.
    """
    in_loop = max(1, len(choreography.flights.throw))
    if asked is None:
        asked = max(1, min(_MOST_LOOPS, ceil(throws / in_loop)))
    if asked < 1:
        raise ParameterError(f"loops is {asked}, but must be a whole number from 1 up")
    if asked * in_loop > MOST_THROWS:
        raise ParameterError(
            f"that makes {asked * in_loop:,} throws, and {MOST_THROWS:,} is the most that a diagram has"
        )
    return asked


@dataclass(frozen=True)
class Flight:
    """A prop in the air.

    Args:
        thrown, caught: when, [s].
        hand, to_hand: from which hand to which, 2 · juggler + side.
        orbit: of the prop.
        prop: its number.
        text: the throw as one writes it; empty where nobody counted beats.
        lane: how many props lie in the hand before this one.
        to_lane: likewise in the hand that catches.
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
    """A beat on which a hand throws nothing: it holds a prop, or has none.

    Args:
        time: [s].
        hand: 2 · juggler + side.
        text: as one writes it.
        orbit: of the prop; `NO_ORBIT` of an empty hand.
        lane: as of the stay.
    """

    time: float
    hand: int
    text: str
    orbit: int
    lane: int = 0


class Timeline:
    """What happens from 0 to some time.

    Args:
        score: what is juggled.
        choreography: of it.
        loops: how often it is gone through.
    """

    def __init__(self, score: Score, choreography: Choreography, loops: int) -> None:
        self.choreography, self.loops = choreography, loops
        self.pattern: Pattern | None = performed(score.pattern, score.staging) if score.pattern else None
        self.span = loops * choreography.duration
        self._held = holds(self.pattern) if self.pattern else ()
        self._flown = [index for index, held in enumerate(self._held) if not held]
        events, flights = choreography.events, choreography.flights
        self._thrown = events.time[flights.throw].tolist()
        self._hands = events.hand[flights.throw].tolist()
        self._to_hands = events.hand[flights.catch].tolist()
        self._lasts, self._carry = flights.duration.tolist(), flights.carry.tolist()
        self._orbit, self._next = {}, {}
        for number, orbit in enumerate(choreography.orbits):
            for flight, following in orbit.steps():
                self._orbit[flight], self._next[flight] = number, following

    @property
    def beat(self) -> float | None:
        """How long a beat is, [s]; None where nobody counted beats."""
        return 1 / self.choreography.bps if self.pattern else None

    @cached_property
    def flights(self) -> list[Flight]:
        """All flights that are in the air at some time of it."""
        lanes = {key: stay.lane for key, stay in self._stays.items()}
        before = {self._following(flight, lap): (flight, lap) for flight, lap in self._stays}
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
                )
            )
        return found

    @cached_property
    def holds(self) -> list[Hold]:
        """All stays in hands, and props that never leave theirs."""
        return [*self._kept, *self._stays.values()]

    @cached_property
    def rests(self) -> list[Rest]:
        """Holds and empty hands, where beats are counted."""
        pattern = self.pattern
        if pattern is None:
            return []
        orbit = {index: number for number, each in enumerate(pattern.orbits) for index in each.throws}
        busy = {throw[:3] for throw in pattern.throws}
        holding = [(t.beat, hand_of(t), self.text(t), orbit[i]) for i, t in enumerate(pattern.throws) if self._held[i]]
        empty = [(turn[0], 2 * turn[1] + turn[2], "0", NO_ORBIT) for turn in pattern.turns if turn not in busy]
        rate = self.choreography.bps * pattern.division
        return [
            Rest((lap * pattern.period + beat) / rate, hand, text, number, lane)
            for lap in range(self.loops)
            for (beat, hand, text, number) in holding + empty
            for lane in [self._lane_at((lap * pattern.period + beat) / rate, hand, number)]
        ]

    def text(self, throw: Throw) -> str:
        """A throw of the pattern as one writes it."""
        assert self.pattern is not None
        division = self.pattern.division
        if division == 1 and self.pattern.hand_siteswap is None:
            return throw_text(throw._replace(held=None), self.pattern.jugglers)
        passed = "p" if throw.juggler != throw.to_juggler and self.pattern.hand_siteswap is None else ""
        return f"{throw.value / division:g}{passed}"

    def _throw(self, flight: int) -> Throw:
        assert self.pattern is not None
        return self.pattern.throws[self._flown[flight]]

    @cached_property
    def _stays(self) -> dict[tuple[int, int], Hold]:
        """The stay after each flight of each loop, which it is found by."""
        found: dict[tuple[int, int], Hold] = {}
        for flight, lap in self._copies([lasts + carry for lasts, carry in zip(self._lasts, self._carry, strict=True)]):
            start = self._thrown[flight] + lap * self.choreography.duration + self._lasts[flight]
            end, hand = start + self._carry[flight], self._to_hands[flight]
            found[flight, lap] = Hold(start, end, hand, self._orbit[flight], self._prop(flight, lap))
        return _in_lanes(found, self._kept)

    @cached_property
    def _kept(self) -> list[Hold]:
        """Props that stay in one hand for ever, each in a lane of its own."""
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
        """Flights with the loop in which each begins, as far as they and what follows reach into the span."""
        duration = self.choreography.duration
        for flight, thrown in enumerate(self._thrown):
            # What ends just when it begins still tells where the next throw leaves.
            first = ceil(-(thrown + lasts[flight]) / duration - _HAIR)
            for lap in range(first, ceil((self.span - thrown) / duration)):
                yield flight, lap

    def _following(self, flight: int, lap: int) -> tuple[int, int]:
        """The next flight of the same prop, and the loop in which it begins."""
        following, duration = self._next[flight], self.choreography.duration
        ends = self._thrown[flight] + lap * duration + self._lasts[flight] + self._carry[flight]
        return following, round((ends - self._thrown[following]) / duration)

    def _prop(self, flight: int, lap: int) -> int:
        """Which prop makes a flight that begins in some loop: each is one loop ahead of the one before it."""
        first, props, own = self._loops_of_first[flight]
        return first + (own - lap) % props

    @cached_property
    def _loops_of_first(self) -> dict[int, tuple[int, int, int]]:
        """For each flight the first prop of its orbit, how many there are, and the loop in which the first makes it."""
        found: dict[int, tuple[int, int, int]] = {}
        prop = 0
        for orbit in self.choreography.orbits:
            lap = 0
            for flight in orbit.flights:
                found[flight] = prop, orbit.props, lap
                _, lap = self._following(flight, lap)
            prop += orbit.props
        return found

    def _lane_at(self, time: float, hand: int, orbit: int) -> int:
        mine = (each for each in self._stays_of.get((hand, orbit), ()) if each.start <= time + _HAIR <= each.end)
        return next((each.lane for each in mine), 0)

    @cached_property
    def _stays_of(self) -> dict[tuple[int, int], list[Hold]]:
        found: dict[tuple[int, int], list[Hold]] = {}
        for stay in self.holds:
            found.setdefault((stay.hand, stay.orbit), []).append(stay)
        return found


def _in_lanes(stays: dict[tuple[int, int], Hold], kept: list[Hold]) -> dict[tuple[int, int], Hold]:
    """Props that are in one hand at one time lie beside each other, those that never leave it first."""
    taken: dict[int, list[float]] = {}
    for stay in kept:
        taken.setdefault(stay.hand, []).append(stay.end)
    placed = {}
    for key, stay in sorted(stays.items(), key=lambda item: item[1].start):
        ends = taken.setdefault(stay.hand, [])
        lane = next((lane for lane, end in enumerate(ends) if end <= stay.start + _HAIR), len(ends))
        ends[lane : lane + 1] = [stay.end]
        placed[key] = replace(stay, lane=lane)
    return placed


_MOST_LOOPS = 12

_HAIR = 1e-9
"""Moments nearer to each other are one, [s]."""
