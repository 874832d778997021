"""The timeline of a pattern: which hand holds which prop when, what is thrown where, and the labels
of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from math import ceil
from typing import NamedTuple, Self

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.dwell import holds
from juggle_anim.errors import ParameterError, hand_in_words, sentence
from juggle_anim.language import _, within_sentence
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.siteswap.write import throw_text
from juggle_anim.pattern import Pattern, Throw
from juggle_anim.pattern.pattern import hand_of

NO_ORBIT = NO_PROP = -1

MOST_THROWS = 5_000
"""The most throws of a diagram."""

_MOST_LOOPS = 12

_TIME_TOLERANCE = 1e-9
"""Times nearer to each other count as one, [s]."""


@dataclass(frozen=True)
class Flight:
    """A prop in the air.

    Args:
        throw_time, catch_time: when it is thrown and caught, [s].
        hand, to_hand: the hands that throw and catch, 2 · juggler + side.
        orbit: of the prop.
        prop: its number.
        text: the throw in siteswap; empty for a pattern without beats.
        lane: how many props lie in the throwing hand before this one.
        to_lane: likewise in the catching hand.
        index: of the flight in the choreography.
    """

    throw_time: float
    catch_time: float
    hand: int
    to_hand: int
    orbit: int
    prop: int
    text: str
    lane: int
    to_lane: int
    index: int


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


class _OrbitTurn(NamedTuple):
    """The props of a flight's orbit, and when the first of them makes the flight.

    Attributes:
        first_prop: number of the orbit's first prop.
        props: how many props are on the orbit.
        loop_of_first: number of the loop in which the first prop makes the flight.
    """

    first_prop: int
    props: int
    loop_of_first: int


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

    Hands are numbered 2·juggler + side. A loop is numbered from 0; the ones before it are negative.

    Args:
        score: what is juggled.
        choreography: of the score.
        loops: how many loops are covered.

    Attributes:
        pattern: repeated to the full loop of the choreography; None for placed events.
        span: time that is covered, [s].
    """

    def __init__(self, score: Score, choreography: Choreography, loops: int) -> None:
        """Collect the times, hands and successors of all flights.

        Args:
            score: what is juggled.
            choreography: of the score.
            loops: how many loops are covered.
        """
        self.choreography = choreography
        self.loops = loops
        self.pattern: Pattern | None = (
            repeat_to_full_loop(score.pattern, score.staging) if score.pattern else None
        )
        self.span = loops * choreography.duration
        # Held throws have no flight: the throw of each flight, in order.
        self._is_held = holds(self.pattern) if self.pattern else ()
        self._throw_numbers = [index for index, held in enumerate(self._is_held) if not held]
        # Of each flight: time of the throw and duration [s], hands, and for how long the prop is
        # carried after it [s].
        events = choreography.events
        flights = choreography.flights
        self._throw_times = events.time[flights.throw].tolist()
        self._hands = events.hand[flights.throw].tolist()
        self._to_hands = events.hand[flights.catch].tolist()
        self._durations = flights.duration.tolist()
        self._carries = flights.carry.tolist()
        # Of each flight: its orbit, and the next flight of the same prop.
        self._orbits = {}
        self._next_flights = {}
        for orbit_index, orbit in enumerate(choreography.orbits):
            for flight, next_flight in orbit.steps():
                self._orbits[flight] = orbit_index
                self._next_flights[flight] = next_flight

    @classmethod
    def for_diagram(
        cls, score: Score, choreography: Choreography, *, loops: int | None, enough: int
    ) -> Self:
        """Return the timeline that a diagram shows.

        Args:
            score, choreography: as of the class.
            loops: how many loops; None for as many as give enough throws.
            enough: how many throws are enough.

        Raises:
            ParameterError: the number of loops is below 1, or makes too many throws.
        """
        throws_per_loop = max(1, len(choreography.flights.throw))
        if loops is None:
            loops = max(1, min(_MOST_LOOPS, ceil(enough / throws_per_loop)))
        if loops < 1:
            raise ParameterError.of("loops", loops, _("a whole number, 1 or more"))
        throws = loops * throws_per_loop
        if throws > MOST_THROWS:
            raise ParameterError(
                _(
                    "this would be {throws:,} throws, but a diagram can have at most "
                    "{most_throws:,}",
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
        """Return the time of a beat of the pattern, of any loop, [s].

        Args:
            beat: in parts of beats where the pattern divides them.
        """
        assert self.pattern is not None, "events are on no beats"
        period = self.pattern.period
        if self._times_of_beats is None:
            return beat / (self.choreography.bps * self.pattern.division)
        # Between beats with throws, time is linear.
        loop_index, beat_in_loop = divmod(beat, period)
        beats, times = self._times_of_beats
        time_in_loop = float(np.interp(beat_in_loop, beats, times))
        return loop_index * self.choreography.duration + time_in_loop

    @cached_property
    def _times_of_beats(self) -> tuple[list[float], list[float]] | None:
        """Beats with throws, sorted, and their times [s], if the tempo changes within the loop.

        None for a constant tempo, and for placed events.
        """
        pattern = self.pattern
        if pattern is None:
            return None
        # The duration of the loop shows whether the tempo is constant.
        duration = self.choreography.duration
        even_duration = pattern.period / (self.choreography.bps * pattern.division)
        if abs(even_duration - duration) < _TIME_TOLERANCE:
            return None
        time_of_beat = {
            pattern.throws[index].beat: time
            for index, time in zip(self._throw_numbers, self._throw_times, strict=True)
        }
        # The first throw of the next loop, for beats behind the last throw.
        first = min(time_of_beat)
        time_of_beat[first + pattern.period] = time_of_beat[first] + duration
        beats = sorted(time_of_beat)
        return [float(beat) for beat in beats], [time_of_beat[beat] for beat in beats]

    @cached_property
    def flights(self) -> list[Flight]:
        """All flights that touch the time span, by flight and loop."""
        # By (flight, loop): the lane of the hold after it, and of the hold before it, from which it
        # is thrown.
        lanes_after = {copy: hold.lane for copy, hold in self._holds_after_flights.items()}
        lanes_before = {self._next_flight(*copy): lane for copy, lane in lanes_after.items()}
        flights = []
        for flight, loop_index in self._visible_copies(self._durations):
            throw_time = self._throw_times[flight] + loop_index * self.choreography.duration
            flights.append(
                Flight(
                    throw_time=throw_time,
                    catch_time=throw_time + self._durations[flight],
                    hand=self._hands[flight],
                    to_hand=self._to_hands[flight],
                    orbit=self._orbits[flight],
                    prop=self._prop(flight, loop_index),
                    text=self.text(self._throw(flight)) if self.pattern else "",
                    lane=lanes_before.get((flight, loop_index), 0),
                    to_lane=lanes_after.get((flight, loop_index), 0),
                    index=flight,
                )
            )
        return flights

    @cached_property
    def holds(self) -> list[Hold]:
        """All holds, those of props that are never thrown first."""
        return [*self._never_thrown, *self._holds_after_flights.values()]

    @cached_property
    def rests(self) -> list[Rest]:
        """Held beats and empty hands of all loops; none for a pattern without beats."""
        pattern = self.pattern
        if pattern is None:
            return []
        # Those of one loop, each with its beat; their times, lanes and props depend on the loop.
        orbits = orbit_of_throw(pattern)
        rests_of_loop = [
            (throw.beat, Rest(0.0, hand_of(throw), self.text(throw), orbits[index], throw=index))
            for index, throw in enumerate(pattern.throws)
            if self._is_held[index]
        ]
        rests_of_loop += [
            (beat, Rest(0.0, hand, "0", NO_ORBIT)) for beat, hand in empty_turns(pattern)
        ]
        rests = []
        for loop_index in range(self.loops):
            for beat, rest in rests_of_loop:
                time = self.time_of(loop_index * pattern.period + beat)
                lane, prop = self._held_at(time, rest.hand, rest.orbit)
                rests.append(replace(rest, time=time, lane=lane, prop=prop))
        return rests

    def throw_number(self, flight: int) -> int:
        """Index in the full loop of the throw of a flight; −1 for a pattern without beats."""
        # A performance has the flights of the pattern several times.
        return self._throw_numbers[flight % len(self._throw_numbers)] if self.pattern else -1

    def text(self, throw: Throw) -> str:
        """Write a throw of the pattern in siteswap; on divided beats, its value in beats."""
        assert self.pattern is not None
        return self.text_of(self.pattern, throw)

    @staticmethod
    def text_of(pattern: Pattern, throw: Throw) -> str:
        """Write a throw of some pattern as `text` does."""
        division = pattern.division
        # The order of hands of a hand siteswap says who catches, so there is no p then.
        if division == 1 and pattern.hand_siteswap is None:
            return throw_text(throw._replace(held=None), pattern.jugglers)
        is_pass = throw.juggler != throw.to_juggler and pattern.hand_siteswap is None
        return f"{throw.value / division:g}{'p' if is_pass else ''}"

    def _throw(self, flight: int) -> Throw:
        assert self.pattern is not None
        return self.pattern.throws[self.throw_number(flight)]

    @cached_property
    def _holds_after_flights(self) -> dict[tuple[int, int], Hold]:
        """The hold after each flight that touches the time span, by (flight, loop), with lanes."""
        holds_by_flight: dict[tuple[int, int], Hold] = {}
        until_next_throw = [
            duration + carry for duration, carry in zip(self._durations, self._carries, strict=True)
        ]
        for flight, loop_index in self._visible_copies(until_next_throw):
            throw_time = self._throw_times[flight] + loop_index * self.choreography.duration
            catch_time = throw_time + self._durations[flight]
            holds_by_flight[flight, loop_index] = Hold(
                start=catch_time,
                end=catch_time + self._carries[flight],
                hand=self._to_hands[flight],
                orbit=self._orbits[flight],
                prop=self._prop(flight, loop_index),
            )
        return _in_lanes(holds_by_flight, self._never_thrown)

    @cached_property
    def _never_thrown(self) -> list[Hold]:
        """Holds of the props that are never thrown, each in a lane of its own."""
        used_lanes: Counter[int] = Counter()  # of each hand
        holds = []
        first_prop = 0
        for orbit_index, orbit in enumerate(self.choreography.orbits):
            if not orbit.flights:
                for prop in range(first_prop, first_prop + orbit.props):
                    lane = used_lanes[orbit.hand]
                    holds.append(Hold(0.0, self.span, orbit.hand, orbit_index, prop, lane=lane))
                    used_lanes[orbit.hand] += 1
            first_prop += orbit.props
        return holds

    def _visible_copies(self, durations: list[float]) -> Iterator[tuple[int, int]]:
        """Yield (flight, loop) for all loops in which a flight touches the time span.

        Args:
            durations: for how long each flight counts, from its throw on, [s].
        """
        loop = self.choreography.duration
        for flight, throw_time in enumerate(self._throw_times):
            # A hold that ends just when the span begins still gives the lane of the next throw.
            first = ceil(-(throw_time + durations[flight]) / loop - _TIME_TOLERANCE)
            for loop_index in range(first, ceil((self.span - throw_time) / loop)):
                yield flight, loop_index

    def _next_flight(self, flight: int, loop_index: int) -> tuple[int, int]:
        """Return the next flight of the same prop, and the loop in which it begins.

        Args:
            flight: index of a flight.
            loop_index: the loop in which it begins.
        """
        next_flight = self._next_flights[flight]
        loop = self.choreography.duration
        throw_time = self._throw_times[flight] + loop_index * loop
        next_throw_time = throw_time + self._durations[flight] + self._carries[flight]
        return next_flight, round((next_throw_time - self._throw_times[next_flight]) / loop)

    def _prop(self, flight: int, loop_index: int) -> int:
        """The prop that makes a flight in a loop."""
        # Props of an orbit follow each other one loop apart.
        turn = self._orbit_turns[flight]
        return turn.first_prop + (turn.loop_of_first - loop_index) % turn.props

    @cached_property
    def _orbit_turns(self) -> dict[int, _OrbitTurn]:
        """For each flight the props of its orbit, and when the first of them makes it."""
        turns: dict[int, _OrbitTurn] = {}
        first_prop = 0
        for orbit in self.choreography.orbits:
            loop_index = 0
            for flight in orbit.flights:
                turns[flight] = _OrbitTurn(first_prop, orbit.props, loop_of_first=loop_index)
                _next, loop_index = self._next_flight(flight, loop_index)
            first_prop += orbit.props
        return turns

    def _held_at(self, time: float, hand: int, orbit: int) -> tuple[int, int]:
        """Lane and number of the prop of an orbit that a hand holds at a time, [s].

        Lane 0 and NO_PROP if it holds none.
        """
        for hold in self._holds_of.get((hand, orbit), ()):
            if hold.start <= time + _TIME_TOLERANCE <= hold.end:
                return hold.lane, hold.prop
        return 0, NO_PROP

    @cached_property
    def _holds_of(self) -> dict[tuple[int, int], list[Hold]]:
        """All holds by hand and orbit."""
        holds_of_orbit: dict[tuple[int, int], list[Hold]] = {}
        for hold in self.holds:
            holds_of_orbit.setdefault((hold.hand, hold.orbit), []).append(hold)
        return holds_of_orbit


def hand_name(hand: int, jugglers: int) -> str:
    """Return a hand in words: `left hand`, or `2's left hand` if there are several jugglers.

    Args:
        hand: 2 · juggler + side. Jugglers are counted from 0 here, and from 1 in the words.
        jugglers: how many there are.
    """
    words = hand_in_words(hand)
    if jugglers == 1:
        return words
    return _("{juggler}'s {hand}", juggler=hand // 2 + 1, hand=words)


def throw_in_words(hand: int, text: str, to_hand: int, jugglers: int) -> str:
    """Return a throw in plain words, such as `Right hand throws 5 to left hand`.

    Args:
        hand, to_hand: that throw and catch, 2 · juggler + side.
        text: the throw in siteswap; empty where there is none.
        jugglers: how many there are.
    """
    return _(
        "{hand} throws{value} to {to_hand}",
        hand=sentence(hand_name(hand, jugglers)),
        value=f" {text}" if text else "",
        to_hand=hand_name(to_hand, jugglers),
    )


_MOST_TOLD = 24  # throws of a pattern in words


def pattern_in_words(pattern: Pattern) -> str:
    """Return what hands do on each beat of a pattern, once through its text, in plain words.

    As `Right hand throws 5 to left hand; left hand throws 3 to right hand.`
    """
    division = pattern.division
    text_of = Timeline.text_of
    phrases = []
    round_end = pattern.written_period
    throws = sorted(
        (throw for throw in pattern.throws if throw.beat < round_end), key=lambda throw: throw.beat
    )
    for throw in throws[:_MOST_TOLD]:
        text = text_of(pattern, throw)
        hand = hand_of(throw)
        to_hand = 2 * throw.to_juggler + throw.to_hand
        is_held = throw.value <= 2 * division and hand == to_hand
        phrases.append(
            _(
                "{hand} holds{value}",
                hand=sentence(hand_name(hand, pattern.jugglers)),
                value=f" {text}",
            )
            if is_held
            else throw_in_words(hand, text, to_hand, pattern.jugglers)
        )
    if len(throws) > _MOST_TOLD:
        phrases.append(_("{count} more", count=len(throws) - _MOST_TOLD))
    elif pattern.period == 2 * round_end:
        phrases.append(_("Then the same with hands exchanged"))
    if not phrases:
        return ""
    first, *others = phrases
    return f"{'; '.join((first, *map(within_sentence, others)))}."


def orbit_of_throw(pattern: Pattern) -> dict[int, int]:
    """Return the number of the orbit that each throw of a pattern is on, by index of the throw."""
    return {
        throw_index: number
        for number, orbit in enumerate(pattern.orbits)
        for throw_index in orbit.throws
    }


def empty_turns(pattern: Pattern) -> Iterator[tuple[int, int]]:
    """Yield the turns without any throw: beats, and hands as 2 · juggler + side."""
    turns_with_throws = {(throw.beat, throw.juggler, throw.hand) for throw in pattern.throws}
    for beat, juggler, side in pattern.turns:
        if (beat, juggler, side) not in turns_with_throws:
            yield beat, 2 * juggler + side


def _in_lanes(
    holds_by_flight: dict[tuple[int, int], Hold], never_thrown: list[Hold]
) -> dict[tuple[int, int], Hold]:
    """Assign lanes to holds, so that props in a hand at the same time lie beside each other.

    Each hold gets the first lane of its hand that is free when it starts.

    Args:
        holds_by_flight: by any key; their lanes are ignored.
        never_thrown: holds of the whole time, which have the first lanes of their hands.

    Returns:
        Copies with lanes, by the same keys, sorted by start.
    """
    # For each hand, the time at which each of its lanes becomes free, [s].
    free_from: dict[int, list[float]] = {}
    for hold in never_thrown:
        free_from.setdefault(hold.hand, []).append(hold.end)
    holds_in_lanes = {}
    for key, hold in sorted(holds_by_flight.items(), key=lambda item: item[1].start):
        lane_ends = free_from.setdefault(hold.hand, [])
        lane = next(
            (lane for lane, end in enumerate(lane_ends) if end <= hold.start + _TIME_TOLERANCE),
            len(lane_ends),
        )
        # Replaces the end of this lane, or appends a lane.
        lane_ends[lane : lane + 1] = [hold.end]
        holds_in_lanes[key] = replace(hold, lane=lane)
    return holds_in_lanes
