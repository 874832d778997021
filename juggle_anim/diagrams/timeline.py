"""The timeline of a pattern: which hand holds which prop when, all throws, and the labels of both.

The layout of a diagram: rows along which time runs, to the right or downward, and lines of hands
across them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from math import ceil, inf
from typing import NamedTuple, Self

import numpy as np

from juggle_anim.choreography import Choreography, Score, holds, repeat_to_full_loop
from juggle_anim.diagrams.drawing import (
    FAINT,
    GREY,
    PRINT_INK,
    Colour,
    Diagram,
    Drawing,
    Label,
    Mark,
    Pill,
    Point,
    Row,
    Stroke,
)
from juggle_anim.errors import ParameterError, hand_in_words, sentence
from juggle_anim.language import _, within_sentence
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import throw_text
from juggle_anim.pattern import Pattern, Throw, grouped, hand_of
from juggle_anim.scene import STANDARD, Palette

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
        throw_time, catch_time: times of throw and catch, [s].
        beat_time: time of the beat on which it counts, [s]: later than that of the throw if it
            leaves early, such as a 1; without beats, that of the throw.
        hand, to_hand: the hands that throw and catch, 2 · juggler + side.
        orbit: orbit of the prop.
        prop: its number.
        text: the throw in siteswap; empty for a pattern without beats.
        lane: number of props in the throwing hand before this one.
        to_lane: number of props in the catching hand before this one.
        index: index of the flight in the choreography.
    """

    throw_time: float
    catch_time: float
    beat_time: float
    hand: int
    to_hand: int
    orbit: int
    prop: int
    text: str
    lane: int
    to_lane: int
    index: int

    @property
    def is_off_beat(self) -> bool:
        """Whether it is thrown before, or after, its beat."""
        return abs(self.beat_time - self.throw_time) > _TIME_TOLERANCE


@dataclass(frozen=True)
class Hold:
    """A prop in a hand.

    Args:
        start, end: [s].
        hand: 2 · juggler + side.
        orbit: orbit of the prop.
        prop: its number.
        lane: number of props in that hand before it.
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
        props: number of props on the orbit.
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
        text: text in siteswap.
        orbit: orbit of the prop; `NO_ORBIT` for an empty hand.
        lane: as in `Hold`.
        throw: the number of the throw in the full loop; −1 for an empty hand.
        prop: prop that is held; `NO_PROP` for an empty hand.
    """

    time: float
    hand: int
    text: str
    orbit: int
    lane: int = 0
    throw: int = -1
    prop: int = NO_PROP


class Timeline:
    """Flights and holds from time 0 to the end of a number of loops.

    Hands are numbered 2·juggler + side. A loop is numbered from 0; the ones before it are negative.

    Args:
        score: the pattern or events.
        choreography: choreography of the score.
        loops: number of loops that are covered.

    Attributes:
        pattern: repeated to the full loop of the choreography; None for placed events.
        span: time that is covered, [s].
    """

    def __init__(self, score: Score, choreography: Choreography, loops: int) -> None:
        """Collect the times, hands and successors of all flights.

        Args:
            score: the pattern or events.
            choreography: choreography of the score.
            loops: number of loops that are covered.
        """
        self.choreography = choreography
        self.loops = loops
        self.pattern: Pattern | None = (
            repeat_to_full_loop(score.pattern, score.staging) if score.pattern else None
        )
        self.span = loops * choreography.duration
        # The throw of each flight, in order; held throws have no flight.
        self._is_held = holds(self.pattern) if self.pattern else ()
        self._throw_numbers = [index for index, held in enumerate(self._is_held) if not held]
        self._flight_of_throw = {throw: flight for flight, throw in enumerate(self._throw_numbers)}
        # For each flight: time of the throw [s], hands, duration [s], and duration of the carry
        # after it [s].
        events = choreography.events
        flights = choreography.flights
        self._throw_times = events.time[flights.throw].tolist()
        self._hands = events.hand[flights.throw].tolist()
        self._to_hands = events.hand[flights.catch].tolist()
        self._durations = flights.duration.tolist()
        self._carries = flights.carry.tolist()
        # For each flight its orbit (the flights that some props share), and the next flight of the
        # same prop.
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
            score, choreography: the arguments of the class.
            loops: number of loops; None for as many as have `enough` throws, up to `_MOST_LOOPS`.
            enough: number of throws that make a pattern clear.

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
            beat: the beat; in parts of beats if the pattern divides them.
        """
        assert self.pattern is not None, "timed events have no beats"
        period = self.pattern.period
        if self._times_of_beats is None:
            return beat / (self.choreography.bps * self.pattern.division)
        # Time is interpolated linearly between beats with throws.
        loop_index, beat_in_loop = divmod(beat, period)
        beats, times = self._times_of_beats
        time_in_loop = float(np.interp(beat_in_loop, beats, times))
        return loop_index * self.choreography.duration + time_in_loop

    @cached_property
    def _times_of_beats(self) -> tuple[list[float], list[float]] | None:
        """Return beats with throws and their times, if the tempo changes within the loop.

        Returns:
            Beats, ascending, in parts of beats, and the time of each, [s]; the last is the first
            throw of the next loop. None for a constant tempo, and for events without beats.
        """
        pattern = self.pattern
        if pattern is None:
            return None
        # The tempo is constant if the loop lasts as long as its beats would.
        duration = self.choreography.duration
        even_duration = pattern.period / (self.choreography.bps * pattern.division)
        if abs(even_duration - duration) < _TIME_TOLERANCE:
            return None
        time_of_beat = {
            pattern.throws[index].beat: time
            for index, time in zip(self._throw_numbers, self._throw_times, strict=True)
        }
        # The first throw of the next loop is added, for beats after the last throw.
        first = min(time_of_beat)
        time_of_beat[first + pattern.period] = time_of_beat[first] + duration
        beats = sorted(time_of_beat)
        return [float(beat) for beat in beats], [time_of_beat[beat] for beat in beats]

    @cached_property
    def flights(self) -> list[Flight]:
        """Return the flights that overlap the time shown, once for each loop in which they begin.

        Props that one hand holds at the same time have different lanes.
        """
        # For each (flight, loop) the lane of the hold after it, and that of the hold before it,
        # from which it is thrown.
        lanes_after = {copy: hold.lane for copy, hold in self._holds_after_flights.items()}
        lanes_before = {self._next_flight(*copy): lane for copy, lane in lanes_after.items()}
        flights = []
        for flight, loop_index in self._visible_copies(self._durations):
            throw_time = self._throw_times[flight] + loop_index * self.choreography.duration
            flights.append(
                Flight(
                    throw_time=throw_time,
                    catch_time=throw_time + self._durations[flight],
                    beat_time=throw_time + self._leads[flight],
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
    def _leads(self) -> list[float]:
        """Return how long before its beat each flight begins, negative after it, [s]."""
        if self.pattern is None:
            return [0.0] * len(self._throw_times)
        loop = self.choreography.duration
        leads = []
        for flight, throw_time in enumerate(self._throw_times):
            lead = self.time_of(self._throw(flight).beat) - throw_time
            # A throw just before the start of the loop has its time at the end of the loop.
            leads.append(lead - round(lead / loop) * loop)
        return leads

    @cached_property
    def holds(self) -> list[Hold]:
        """All holds, those of props that are never thrown first."""
        return [*self._never_thrown, *self._holds_after_flights.values()]

    @cached_property
    def rests(self) -> list[Rest]:
        """Return the held beats and empty hands of all loops; none for a pattern without beats.

        A held beat is a throw whose prop stays in the hand, such as a 2; an empty hand is a 0. Both
        are drawn as nodes, a held beat in the lane of its prop beside the line of the hand.
        """
        pattern = self.pattern
        if pattern is None:
            return []
        # Pairs of a beat and a rest, for one loop. The times, lanes and props of rests are set
        # below for each loop. An orbit is the closed path of throws that some props share.
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

    def prop_thrown(self, throw: int, loop_index: int) -> int:
        """Return the number of the prop that a throw of the full loop throws, or holds, in a loop.

        Without beats, the throws are the flights. NO_PROP for a held throw in a loop that is not
        shown.

        Args:
            throw: index of the throw.
            loop_index: number of the loop in which its beat is.
        """
        if self.pattern is None:
            return self._prop(throw, loop_index)
        if self._is_held[throw]:
            props = self._held_props[throw]
            return props[loop_index] if 0 <= loop_index < len(props) else NO_PROP
        flight = self._flight_of_throw[throw]
        # A flight that begins just before the first beat of a loop is counted in the loop before.
        lead = self.time_of(self.pattern.throws[throw].beat) - self._throw_times[flight]
        return self._prop(flight, loop_index + round(lead / self.choreography.duration))

    @cached_property
    def _held_props(self) -> dict[int, list[int]]:
        """For each held throw its prop in each loop that is shown."""
        props: dict[int, list[int]] = {}
        for rest in self.rests:
            props.setdefault(rest.throw, []).append(rest.prop)
        return props

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
        """Write a throw of any pattern in the style of `text`."""
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
        """Return the hold after each flight: from its catch until the next throw of the prop.

        A flight recurs in each loop. Props that a hand holds at the same time are in different
        lanes beside the line of the hand.

        Returns:
            Holds with their lanes, by flight and number of the loop in which it is thrown: those
            that overlap the time shown, by themselves or by the flight before them.
        """
        holds_by_flight: dict[tuple[int, int], Hold] = {}
        # Time from each throw to the next throw of the same prop, [s].
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
        """Return the holds of the props that are never thrown, each in a lane of its own.

        A hand that holds several props at a time has them drawn side by side in lanes, numbered
        from 0.
        """
        used_lanes: Counter[int] = Counter()  # number of lanes of each hand that are in use
        holds = []
        for orbit_index, (orbit, props) in enumerate(self.choreography.orbits_with_props):
            # Props of an orbit without flights stay in their hand all the time.
            if not orbit.flights:
                for prop in range(props.start, props.stop):
                    lane = used_lanes[orbit.hand]
                    holds.append(Hold(0.0, self.span, orbit.hand, orbit_index, prop, lane=lane))
                    used_lanes[orbit.hand] += 1
        return holds

    def _visible_copies(self, durations: list[float]) -> Iterator[tuple[int, int]]:
        """Yield the flights of all loops that overlap the time shown: row of the flight, and loop.

        A flight recurs in each loop; loops are counted from 0, and may be negative.

        Args:
            durations: time for which each flight counts, from its throw on, [s].
        """
        loop = self.choreography.duration
        latest = max(self._leads, default=0.0)  # s; until then it is drawn at its beat
        for flight, throw_time in enumerate(self._throw_times):
            # A hold that ends just when the span begins is included, since the next throw has its
            # lane. The tolerance allows for rounding.
            end = throw_time + max(durations[flight], latest)
            first = ceil(-end / loop - _TIME_TOLERANCE)
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
        """Return the prop that makes a flight in a loop."""
        # Props of an orbit follow each other one loop apart.
        turn = self._orbit_turns[flight]
        return turn.first_prop + (turn.loop_of_first - loop_index) % turn.props

    @cached_property
    def _orbit_turns(self) -> dict[int, _OrbitTurn]:
        """For each flight the props of its orbit, and when the first of them makes it."""
        turns: dict[int, _OrbitTurn] = {}
        for orbit, props in self.choreography.orbits_with_props:
            loop_index = 0
            for flight in orbit.flights:
                turns[flight] = _OrbitTurn(props.start, orbit.props, loop_of_first=loop_index)
                _next, loop_index = self._next_flight(flight, loop_index)
        return turns

    def _held_at(self, time: float, hand: int, orbit: int) -> tuple[int, int]:
        """Return the lane and number of the prop of an orbit that a hand holds at a time, [s].

        Lane 0 and NO_PROP if it holds none.
        """
        for hold in self._holds_of.get((hand, orbit), ()):
            if hold.start <= time + _TIME_TOLERANCE <= hold.end:
                return hold.lane, hold.prop
        return 0, NO_PROP

    @cached_property
    def _holds_of(self) -> dict[tuple[int, int], list[Hold]]:
        """All holds by hand and orbit."""
        return grouped(((hold.hand, hold.orbit), hold) for hold in self.holds)


def hand_name(hand: int, jugglers: int) -> str:
    """Return a hand in words: `left hand`, or `2's left hand` if there are several jugglers.

    Args:
        hand: 2 · juggler + side. Jugglers are counted from 0 here, and from 1 in the words.
        jugglers: number of jugglers.
    """
    words = hand_in_words(hand)
    if jugglers == 1:
        return words
    return _("{juggler}'s {hand}", juggler=hand // 2 + 1, hand=words)


def throw_in_words(hand: int, text: str, to_hand: int, jugglers: int) -> str:
    """Return a throw in plain words, such as `Right hand throws 5 to left hand`.

    Args:
        hand, to_hand: hands of the throw and of the catch, 2 · juggler + side.
        text: the throw in siteswap; empty if there is none.
        jugglers: number of jugglers.
    """
    return _(
        "{hand} throws{value} to {to_hand}",
        hand=sentence(hand_name(hand, jugglers)),
        value=f" {text}" if text else "",
        to_hand=hand_name(to_hand, jugglers),
    )


def phrase_of(pattern: Pattern, throw: Throw) -> str:
    """Return a throw of a pattern in plain words, or that a prop is held."""
    text = Timeline.text_of(pattern, throw)
    hand = hand_of(throw)
    to_hand = 2 * throw.to_juggler + throw.to_hand
    # `division` parts make a beat: a 2, or less, to the same hand is not thrown.
    if hand != to_hand or throw.value > 2 * pattern.division:
        return throw_in_words(hand, text, to_hand, pattern.jugglers)
    holder = sentence(hand_name(hand, pattern.jugglers))
    return _("{hand} holds{value}", hand=holder, value=f" {text}")


_MOST_TOLD = 24  # throws of a pattern in words


def pattern_in_words(pattern: Pattern) -> str:
    """Return the throws of a pattern in words, for one written period.

    An example is `Right hand throws 5 to left hand; left hand throws 3 to right hand.` After
    `_MOST_TOLD` throws only the number of further ones is given.

    Args:
        pattern: its written period may be half of its loop, which then repeats with hands
            exchanged.
    """
    round_end = pattern.written_period
    throws = sorted(
        (throw for throw in pattern.throws if throw.beat < round_end), key=lambda throw: throw.beat
    )
    phrases = [phrase_of(pattern, throw) for throw in throws[:_MOST_TOLD]]
    if len(throws) > _MOST_TOLD:
        phrases.append(_("{count} more", count=len(throws) - _MOST_TOLD))
    elif pattern.period == 2 * round_end:
        phrases.append(_("Then the same with hands swapped"))
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
    turns_with_throws = {throw.turn for throw in pattern.throws}
    for beat, juggler, side in pattern.turns:
        if (beat, juggler, side) not in turns_with_throws:
            yield beat, 2 * juggler + side


def _in_lanes(
    holds_by_flight: dict[tuple[int, int], Hold], never_thrown: list[Hold]
) -> dict[tuple[int, int], Hold]:
    """Return holds with lanes, so that props in a hand at the same time are drawn side by side.

    Each hold gets the first lane of its hand that is free when it starts.

    Args:
        holds_by_flight: holds by any key; their lanes are ignored.
        never_thrown: holds of the whole time, which have the first lanes of their hands.

    Returns:
        Copies with lanes, by the same keys, sorted by start.
    """
    # For each hand, the time at which each of its lanes becomes free, [s].
    free_from = grouped((hold.hand, hold.end) for hold in never_thrown)
    holds_in_lanes = {}
    for key, hold in sorted(holds_by_flight.items(), key=lambda item: item[1].start):
        lane_ends = free_from.setdefault(hold.hand, [])
        # Times nearer to each other than `_TIME_TOLERANCE`, [s], count as one.
        lane = next(
            (lane for lane, end in enumerate(lane_ends) if end <= hold.start + _TIME_TOLERANCE),
            len(lane_ends),
        )
        # This replaces the end of the lane, or appends a lane.
        lane_ends[lane : lane + 1] = [hold.end]
        holds_in_lanes[key] = replace(hold, lane=lane)
    return holds_in_lanes


TimePoint = tuple[float, float]
"""A place on a row: time [s], and distance across the row [mm]."""

LONGEST_ROW = 250.0
"""Longer rows are broken, [mm]: the printable width of A4 paper in landscape."""

MOST_ROWS = 40
"""The most rows of a diagram."""

TITLE = 4.6
SUBTITLE = 3.1
NAME = 3.2
"""Sizes of letters, [mm]."""

MARGIN = 6.0
HEADING = 15.0
"""Height of title and subtitle at the top of a diagram, [mm]."""

_BETWEEN = 9.0
_BESIDE = 7.0
_CLOSEST_NUMBERS = 5.0
_TO_NAME = 6.5
_NUMBER_SIZE = 2.5  # mm, of the letters of beats and times
_LETTER_WIDTH = 0.56 * _NUMBER_SIZE  # mm; digits of our fonts are 0.56 em wide at most
_RULED_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # s
_ROUNDING = 1e-7  # of times [s] and of parameters of curves


@dataclass(frozen=True)
class DiagramOptions:
    """Options of a ladder or causal diagram.

    Args:
        down: whether time runs down the page; otherwise it runs to the right.
        loops: number of loops that are shown; None for enough to make the pattern clear.
        longest: the greatest length of a row, [mm].
        palette: the colours of props without a colour of their own.
        headed: whether the title and facts of the pattern stand above the rows.
    """

    down: bool = False
    loops: int | None = None
    longest: float = LONGEST_ROW
    palette: Palette = STANDARD
    headed: bool = True


DEFAULT_OPTIONS = DiagramOptions()


@dataclass(frozen=True)
class TimeLayout:
    """Rows of paper for a stretch of time.

    Args:
        loop: duration of a loop, [s].
        loops: number of loops that are shown.
        scale: [mm/s].
        depth: depth of a row, [mm].
        beat: duration of a beat, [s]; None for a pattern without beats.
        names: names of the lines along a row, each with its distance across the row, [mm].
        down: whether time runs down.
        longest: the greatest length of a row, [mm].
        headed: whether there is room for a heading above the rows.

    Raises:
        ParameterError: there would be too many rows.
    """

    loop: float
    loops: int
    scale: float
    depth: float
    beat: float | None
    names: Sequence[tuple[float, str]]
    down: bool = False
    longest: float = LONGEST_ROW
    headed: bool = True

    def __post_init__(self) -> None:
        """Check that the rows are not too many; raises `ParameterError`."""
        if len(self.rows) > MOST_ROWS:
            raise ParameterError(
                _(
                    "a loop of {loop:.0f} s with this many throws needs {count} rows, but a "
                    "diagram can have at most {most_rows}",
                    loop=self.loop,
                    count=len(self.rows),
                    most_rows=MOST_ROWS,
                )
            )

    @classmethod
    def of_timeline(
        cls,
        timeline: Timeline,
        options: DiagramOptions,
        *,
        scale: float,
        depth: float,
        names: Sequence[tuple[float, str]],
    ) -> Self:
        """Return the rows of paper for a timeline.

        Args:
            timeline: its loops and beats are laid out.
            options: direction, and the greatest length of a row.
            scale: scale of time, [mm/s].
            depth: depth of a row, [mm].
            names: names of the lines along a row, each with its distance across the row, [mm].
        """
        return cls(
            loop=timeline.choreography.duration,
            loops=timeline.loops,
            scale=scale,
            depth=depth,
            beat=timeline.beat,
            names=names,
            down=options.down,
            longest=options.longest,
            headed=options.headed,
        )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows in which time is drawn; only the last may be shorter than the others.

        A row is from `start` to `end`, [s], and has a corner, a length and a depth across time,
        [mm].
        """
        # By the tolerance, rounding errors do not add an empty row.
        count = ceil(self.loops * self.loop / self._row_duration - 1e-9)
        rows = []
        for number in range(count):
            start = number * self._row_duration
            end = min((number + 1) * self._row_duration, self.loops * self.loop)
            rows.append(
                Row(
                    start=start,
                    end=end,
                    corner=self._corner(number),
                    length=self.scale * (end - start),
                    depth=self.depth,
                )
            )
        return tuple(rows)

    def curve(
        self, points: Sequence[TimePoint], colour: Colour, width: float, arrow: bool = False
    ) -> Iterator[Stroke]:
        """Yield the strokes of a straight line or a cubic Bézier curve, cut where rows end.

        Args:
            points: two or four points, time [s] and distance across the row [mm]; the times of the
                inner ones are evenly spaced between those of the outer ones, so that time is linear
                in the parameter of the curve.
            colour, width, arrow: the attributes of a `Stroke`.
        """
        start, _across = points[0]
        end, _across = points[-1]
        for row in self.rows:
            # The parameters at which the curve enters and leaves the row. A curve may run backward
            # in time.
            if end != start:
                entry, leave = sorted(
                    (edge - start) / (end - start) for edge in (row.start, row.end)
                )
            elif row.start <= start < row.end:
                entry = 0.0
                leave = 1.0
            else:
                continue
            first = max(0.0, entry)
            last = min(1.0, leave)
            # Skip pieces that are empty, or as short as rounding errors.
            if last - first > _ROUNDING:
                piece = tuple(
                    self.point_in_row(row, time, across)
                    for time, across in curve_piece(points, first, last)
                )
                # Only the last piece has the arrow head.
                yield Stroke(piece, colour, width, arrow=arrow and last == 1.0)

    def bar(
        self, start: float, end: float, across: float, colour: Colour, thickness: float
    ) -> Iterator[Pill]:
        """Yield the pieces of a bar along time, cut where rows end.

        Args:
            start, end: times, [s].
            across: distance of its centre line across the row, [mm].
            colour: colour of the bar.
            thickness: thickness of the bar, [mm].
        """
        for row in self.rows:
            first = max(start, row.start)
            last = min(end, row.end)
            # `_ROUNDING` allows for the rounding of times, [s].
            if last - first > _ROUNDING:
                length = self.scale * (last - first)
                centre = self.point_in_row(row, (first + last) / 2, across)
                width, height = (thickness, length) if self.down else (length, thickness)
                yield Pill(centre, width, height, colour, round_ends=False)

    def point_at(self, time: float, across: float) -> Point | None:
        """Return the point on the paper of a time [s] and a distance across the row [mm].

        None for a time that is not shown.
        """
        for row in self.rows:
            # A time just before the end of a row, by rounding, is at the start of the next one.
            if row.start - _ROUNDING <= time < row.end - _ROUNDING:
                return self.point_in_row(row, time, across)
        return None

    def point_in_row(self, row: Row, time: float, across: float) -> Point:
        """Return the point of a time [s] and a distance across [mm], as if in a given row."""
        x, y = row.corner
        along = self.scale * (time - row.start)
        return (x + across, y + along) if self.down else (x + along, y + across)

    def diagram(self, title: str, subtitle: str, marks: Sequence[Mark]) -> Diagram:
        """Return a diagram of a heading, a ruling and these marks, on a sheet just large enough.

        Args:
            title, subtitle: above the rows.
            marks: placed by this layout, from the back to the front.
        """
        right_edges = []
        lower_edges = []
        for row in self.rows:
            left, top = row.corner
            right_edges.append(left + (row.depth if self.down else row.length))
            # Below rows to the right stand the numbers of beats.
            lower_edges.append(top + (row.length if self.down else row.depth + _NUMBER_SIZE + 1.5))
        # Sizes and margins are in [mm].
        height = max(lower_edges) + MARGIN
        # The heading must fit as well: letters are about 0.6 of their size wide.
        width = max(
            max(right_edges) + MARGIN,
            2 * MARGIN + 0.62 * TITLE * len(title),
            2 * MARGIN + 0.55 * SUBTITLE * len(subtitle),
        )
        heading = [
            Label((MARGIN, MARGIN + 2.0), title, TITLE, PRINT_INK, align="start", bold=True),
            Label((MARGIN, MARGIN + 7.2), subtitle, SUBTITLE, GREY, align="start"),
        ]
        if not self.headed:
            width = max(right_edges) + MARGIN
            heading = []
        drawing = Drawing(width, height, (*heading, *self._ruling(), *marks), title)
        return Diagram(drawing, self.rows, down=self.down, lines=tuple(self.names))

    def _ruling(self) -> Iterator[Mark]:
        """Yield names of lines, ticks at beats or seconds, and the ends of loops, for all rows."""
        for row in self.rows:
            for across, name in self.names:
                x, y = self.point_in_row(row, row.start, across)
                beside = (x, y - _TO_NAME) if self.down else (x - _TO_NAME, y)
                yield Label(beside, name, NAME, PRINT_INK, align="middle" if self.down else "end")
            yield from self._ticks(row)

    def _ticks(self, row: Row) -> Iterator[Mark]:
        """Yield the ticks of a row: lines and numbers at beats or seconds, and ends of loops.

        Beats are numbered from 1 in each loop; some numbers are skipped if they would be too close.

        Args:
            row: part of the time line that is drawn in one row, from `start` to `end`, [s].
        """
        has_beats = bool(self.beat)
        step = self.beat or self._ruled_step
        # Numbers are at least `_CLOSEST_NUMBERS` apart, [mm]; `scale` is in [mm/s].
        numbered_every = ceil(_CLOSEST_NUMBERS / (step * self.scale))
        beats_per_loop = round(self.loop / step) if has_beats else 0
        for tick in range(ceil(row.start / step - _ROUNDING), ceil(row.end / step - _ROUNDING)):
            time = tick * step
            if tick % numbered_every == 0:
                text = f"{tick % beats_per_loop + 1}" if has_beats else _written_seconds(time)
                yield self._number(row, time, text)
            # At the first beat of a loop the line of the loop's end is drawn instead.
            if not (has_beats and tick % beats_per_loop == 0):
                yield Stroke(
                    (self.point_in_row(row, time, 0.0), self.point_in_row(row, time, self.depth)),
                    FAINT,
                    0.25,
                )
        for loop_index in range(self.loops + 1):
            time = loop_index * self.loop
            if row.start - _ROUNDING <= time <= row.end + _ROUNDING:
                ends = (self.point_in_row(row, time, across) for across in (0.0, self.depth))
                yield Stroke(tuple(ends), GREY, 0.35, dashed=True)

    def _number(self, row: Row, time: float, text: str) -> Label:
        x, y = self.point_in_row(row, time, -3.5 if self.down else self.depth + 2.4)
        return Label((x, y), text, _NUMBER_SIZE, GREY, align="end" if self.down else "middle")

    @property
    def _ruled_step(self) -> float:
        """Return the time between ruled lines for a pattern without beats: a round number, [s].

        It is the shortest of `_RULED_STEPS` with which the times written at the lines have gaps
        between them, half as wide as the letters are high; the longest step if none has.
        """
        for step in _RULED_STEPS:
            last_tick = int(self.loops * self.loop / step)
            # One of the last two times has the most digits: 10 s is shorter than 9.8 s.
            last_ticks = max(last_tick - 1, 0), last_tick
            letter_count = max(len(_written_seconds(tick * step)) for tick in last_ticks)
            if step * self.scale >= letter_count * _LETTER_WIDTH + _NUMBER_SIZE / 2:
                return step
        return _RULED_STEPS[-1]

    @property
    def _row_duration(self) -> float:
        """Duration of a row, [s]: whole loops if any fits, else whole beats, else ruled steps."""
        longest = self.longest / self.scale
        total = self.loops * self.loop
        if total <= longest * (1 + 1e-9):  # all in one row
            return total
        for step in (self.loop, self.beat or inf, self._ruled_step):
            if step <= longest:
                return step * int(longest / step + 1e-9)
        return longest

    def _corner(self, row_number: int) -> Point:
        """Return the upper left corner of a row, [mm]: below or beside the row before."""
        top = MARGIN + (HEADING if self.headed else 0.0)
        if self.down:
            # Room for the numbers of beats at the left of each row.
            numbers_width = _BESIDE + _NUMBER_SIZE * 2
            x = MARGIN + numbers_width + row_number * (self.depth + numbers_width)
            return x, top + 6.0
        # Room for the names of lines at the left.
        names_width = max((0.62 * NAME * len(name) for _, name in self.names), default=0.0)
        y = top + row_number * (self.depth + _BETWEEN)
        return MARGIN + _TO_NAME + names_width, y


def _written_seconds(time: float) -> str:
    """Return the text of a time, [s]; its ten digits hide the rounding of multiples of 0.1 s."""
    return f"{time:.10g} s"


def curve_piece(points: Sequence[TimePoint], first: float, last: float) -> Sequence[TimePoint]:
    """Return the piece of a Bézier curve between two parameters, by its blossom (L. Ramshaw, 1987).

    Args:
        points: points of the curve; two are a straight line.
        first, last: parameters from 0 to 1.

    Returns:
        As many points, of a Bézier curve of the same degree.
    """
    if (first, last) == (0.0, 1.0):
        return points
    degree = len(points) - 1
    return [_blossom(points, [first] * (degree - k) + [last] * k) for k in range(degree + 1)]


def _blossom(points: Sequence[TimePoint], parameters: Sequence[float]) -> TimePoint:
    """Return the blossom of a Bézier curve: de Casteljau's algorithm with a parameter each step."""
    current = list(points)
    for parameter in parameters:
        current = [
            (time + (next_time - time) * parameter, across + (next_across - across) * parameter)
            for (time, across), (next_time, next_across) in pairwise(current)
        ]
    return current[0]


def hand_names(jugglers: int) -> list[str]:
    """Return a name for each hand, left before right."""
    sides = (_("left"), _("right"))
    return [
        f"{juggler + 1} {side}" if jugglers > 1 else side
        for juggler in range(jugglers)
        for side in sides
    ]


@dataclass(frozen=True)
class HandLines:
    """Places of the lines of hands across a row, and the depth of the row, [mm]."""

    places: tuple[float, ...]
    depth: float


def hand_lines(outside: Sequence[float], between: float, apart: float) -> HandLines:
    """Place the lines of hands, juggler by juggler, the left hand first.

    Args:
        outside: for each hand, the space needed beyond its line, [mm].
        between: distance from the left hand of a juggler to the right one, [mm].
        apart: between the spaces of two jugglers, [mm].
    """
    places: list[float] = []
    # Where the space of the next juggler begins.
    edge = 0.0
    for left, right in zip(outside[::2], outside[1::2], strict=True):
        places += [edge + left, edge + left + between]
        edge = places[-1] + right + apart
    return HandLines(tuple(places), edge - apart)
