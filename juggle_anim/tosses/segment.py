"""Segments: a pattern by itself, as tosses on beats that go on for ever."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timing_of
from juggle_anim.choreography.dwell import Timing
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.hand_times import HandEvent, points_of_loop
from juggle_anim.tosses.toss import Clock, Toss, TossFlight, Waypoint

_SAME_BEAT = 1e-6  # beats; a throw so little after a beat is on it


class Length(NamedTuple):
    """How long a pattern of a routine is juggled.

    Attributes:
        amount: how many of the unit, above 0; a whole number except for seconds.
        unit: "catches", "loops", "beats" or "s" (seconds).
    """

    amount: float
    unit: str


class LoopThrow(NamedTuple):
    """A throw of a pattern in one of its loops.

    Attributes:
        loop: counted from 0; below 0 before the first.
        throw_index: of the throw among those of the pattern.
        throw: on its absolute beat, with `held` as the pattern's timing has it.
    """

    loop: int
    throw_index: int
    throw: Throw


@dataclass(frozen=True)
class Segment:
    """A pattern of a routine.

    Args:
        score: of a pattern on beats.
        parameters: with which it is juggled.
    """

    score: Score
    parameters: Parameters

    @cached_property
    def choreography(self) -> Choreography:
        """Its throws and catches in seconds and metres."""
        return choreograph(self.score, self.parameters)

    @cached_property
    def pattern(self) -> Pattern:
        """One loop, until hands, catches and bodies repeat."""
        assert self.score.pattern is not None, "events with their own times have no beats"
        return repeat_to_full_loop(self.score.pattern, self.score.staging)

    @property
    def loop_parts(self) -> int:
        """Length of what counts as one loop, in parts of a beat (1 / `pattern.division`).

        That is the written period; where hands or bodies move in a cycle of their own it is the
        period after which these repeat, too.
        """
        written_pattern = self.score.pattern
        staging = self.score.staging
        assert written_pattern is not None, "events with their own times have no beats"
        movements = (
            staging.hands,
            staging.body,
            *staging.throws,
            *staging.spins,
            # Each row lists the ways in which a hand catches in turn. A single way is no cycle, so
            # only what comes after the first counts.
            *(row[1:] for row in staging.catches),
        )
        has_own_cycle = any(movements) or self.pattern.period != written_pattern.period
        return self.pattern.period if has_own_cycle else written_pattern.written_period

    @cached_property
    def timing(self) -> Timing:
        """When its throws leave hands and are caught, in parts of a beat."""
        return timing_of(self.pattern, self.score.staging, self.parameters)

    @cached_property
    def flight_row_of(self) -> dict[int, int]:
        """For the index of each throw that is no hold, the row of its flight."""
        flying = (index for index, held in enumerate(self.timing.held) if not held)
        return {index: row for row, index in enumerate(flying)}

    @property
    def stays(self) -> bool:
        """Whether all jugglers stay where they are: then each has a single keyframe."""
        keys = self.choreography.bodies
        return len(keys.time) == len(np.unique(keys.juggler))

    def throws(self, first_part: int, end_part: int) -> Iterator[LoopThrow]:
        """Yield all throws from one part of a beat up to another, loop by loop.

        Args:
            first_part: the first part, as the pattern divides its beats; below 0 before its first
                loop.
            end_part: the part after the last.
        """
        period = self.pattern.period
        end_loop = -(-end_part // period)  # rounded up
        for loop in range(first_part // period, end_loop):
            for index, throw in enumerate(self.pattern.throws):
                beat = throw.beat + loop * period
                if first_part <= beat < end_part:
                    held = self.timing.held[index]
                    yield LoopThrow(loop, index, throw._replace(beat=beat, held=held))

    def tosses(
        self, ticks_per_beat: int, first_own_tick: int, ticks: int, shift: int
    ) -> list[Toss]:
        """Return the tosses that are made in a given time, at absolute ticks.

        Here the times of their flights are in absolute ticks, too, and not in seconds.

        Args:
            ticks_per_beat: ticks in a beat, a multiple of the division of the pattern.
            first_own_tick: the first tick, counted from the pattern's own beat 0.
            ticks: for how many ticks throws are made.
            shift: the absolute tick on which the pattern's own beat 0 is.

        Returns:
            Tosses loop by loop, in each in the order of the pattern's throws. Holds have no
            flights, and no toss has a prop yet.
        """
        ticks_per_part = ticks_per_beat // self.pattern.division
        # In the pattern's own parts of a beat, both rounded up (ceil(a / b) = −floor(−a / b)): a
        # throw just before the first tick is left out, and one just before the end is kept.
        first_part = -(-first_own_tick // ticks_per_part)
        end_part = -(-(first_own_tick + ticks) // ticks_per_part)
        tosses = []
        for loop, throw_index, throw in self.throws(first_part, end_part):
            flight = None
            if throw_index in self.flight_row_of:
                loop_start_tick = loop * self.pattern.period * ticks_per_part + shift
                flight = TossFlight.from_choreography(
                    self.choreography,
                    self.flight_row_of[throw_index],
                    throw_time=self.timing.throw[throw_index] * ticks_per_part + loop_start_tick,
                    catch_time=self.timing.catch[throw_index] * ticks_per_part + loop_start_tick,
                )
            tosses.append(Toss(throw, flight=flight).scaled(ticks_per_part, shift))
        return tosses

    def waypoints(
        self, first_tick: int, end_tick: int, shift: int, ticks_per_beat: int, clock: Clock
    ) -> Iterator[tuple[Waypoint, list[HandEvent]]]:
        """Yield the points that hands pass, each with the neighbouring events of its hand.

        A point belongs to the throw of what the hand carries there, or has just thrown: it is
        yielded if that throw is made while the pattern is juggled. All times that are yielded are
        those of the clock, [s].

        Args:
            first_tick: the first tick on which the pattern is juggled.
            end_tick: the tick after the last.
            shift: the tick of the pattern's own beat 0.
            ticks_per_beat: ticks in a beat.
            clock: times of ticks, [s].
        """
        ticks_per_s = self.choreography.bps * ticks_per_beat
        loop_ticks = round(self.choreography.duration * ticks_per_s)
        for loop_point in points_of_loop(self.choreography):
            # From the loop before the first to one after the last, since a point may be far from
            # its throw; the condition below takes only those that belong here.
            for lap in range(-1, (end_tick - shift) // loop_ticks + 2):
                tick = loop_point.point.time * ticks_per_s + lap * loop_ticks + shift
                throw_tick = tick + loop_point.time_to_throw * ticks_per_s
                # A throw is made on its beat or less than a beat before.
                beat = math.ceil((throw_tick - shift) / ticks_per_beat - _SAME_BEAT)
                if first_tick <= beat * ticks_per_beat + shift < end_tick:
                    neighbours = [
                        event._replace(time=clock.time_at(tick + event.time * ticks_per_s))
                        for event in loop_point.neighbours
                    ]
                    yield loop_point.point._replace(time=clock.time_at(tick)), neighbours

    def duration_ticks(
        self,
        length: Length,
        ticks_per_beat: int,
        clock: Clock,
        first_tick: int,
        first_own_tick: int,
    ) -> int:
        """Return for how many ticks the pattern is juggled.

        Loops and beats are multiplied by their lengths, seconds are rounded to whole beats, at
        least one, and for catches it is juggled until as many throws have been made.

        Args:
            length: as it is written.
            ticks_per_beat: ticks in a beat, a multiple of the division of the pattern.
            clock: times of ticks, [s]; used for seconds only.
            first_tick: the first tick, absolute; used for seconds only.
            first_own_tick: the same tick, counted from the pattern's own beat 0; used for catches
                only. It must be within its first loop.

        Raises:
            ChoreographyError: catches are counted where none are made.
        """
        ticks_per_part = ticks_per_beat // self.pattern.division
        if length.unit == "loops":
            return round(length.amount) * self.loop_parts * ticks_per_part
        if length.unit == "beats":
            return round(length.amount) * ticks_per_beat
        if length.unit == "s":
            end = clock.beat_at(clock.time_at(first_tick) + length.amount)
            return max(round((end - first_tick) / ticks_per_beat), 1) * ticks_per_beat

        # Every throw is caught once, so throws are counted in place of catches. The beat of the
        # last of them is included, hence one more part of a beat.
        throws = self.pattern.throws
        throw_ticks = sorted(throws[index].beat * ticks_per_part for index in self.flight_row_of)
        if not throw_ticks:
            raise ChoreographyError(_("it has no catches; set its length in beats or seconds"))
        before_first = sum(tick < first_own_tick for tick in throw_ticks)
        last_throw = before_first + round(length.amount) - 1  # counted from the loop's first throw
        loops, index_in_loop = divmod(last_throw, len(throw_ticks))
        loop_ticks = self.pattern.period * ticks_per_part
        end_own_tick = loops * loop_ticks + throw_ticks[index_in_loop] + ticks_per_part
        return end_own_tick - first_own_tick
