"""Segments: a pattern by itself, as tosses on beats that go on for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timing_of
from juggle_anim.choreography.dwell import Timing
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.hand_times import HandEvent, points_of_loop
from juggle_anim.tosses.toss import Clock, Flown, Toss, Waypoint


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
        row: of the throw among those of the pattern.
        throw: on its beat of all time, with `held` as the pattern's timing has it.
    """

    loop: int
    row: int
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
    def loop(self) -> int:
        """Length of what counts as one loop, in parts of a beat (1 / `pattern.division`).

        That is the written period; where hands or bodies move in a cycle of their own it is the
        period after which these repeat, too.
        """
        written = self.score.pattern
        staging = self.score.staging
        assert written is not None, "events with their own times have no beats"
        movements = (
            staging.hands,
            staging.body,
            *staging.throws,
            *staging.spins,
            # Each row lists the ways in which a hand catches in turn. A single way is no cycle, so
            # only what comes after the first counts.
            *(row[1:] for row in staging.catches),
        )
        has_own_cycle = any(movements) or self.pattern.period != written.period
        return self.pattern.period if has_own_cycle else written.written_period

    @cached_property
    def timing(self) -> Timing:
        """When its throws leave hands and are caught, in parts of a beat."""
        return timing_of(self.pattern, self.score.staging, self.parameters)

    @cached_property
    def flight_of(self) -> dict[int, int]:
        """For the index of each throw that is no hold, its flight in the choreography."""
        thrown = (index for index, held in enumerate(self.timing.held) if not held)
        return {index: flight for flight, index in enumerate(thrown)}

    @property
    def stays(self) -> bool:
        """Whether all jugglers stay where they are: then each has a single keyframe."""
        keys = self.choreography.bodies
        return len(keys.time) == len(np.unique(keys.juggler))

    def throws(self, first: int, last: int) -> Iterator[LoopThrow]:
        """Yield all throws from one beat up to another, loop by loop.

        Beats are those of the pattern itself, in its own parts of a beat; they are below 0 before
        its first loop.

        Args:
            first: the first beat.
            last: the beat after the last.
        """
        period = self.pattern.period
        loop_after = -(-last // period)  # rounded up
        for loop in range(first // period, loop_after):
            for index, throw in enumerate(self.pattern.throws):
                beat = throw.beat + loop * period
                if first <= beat < last:
                    held = self.timing.held[index]
                    yield LoopThrow(loop, index, throw._replace(beat=beat, held=held))

    def tosses(self, division: int, entry: int, beats: int, shift: int) -> list[Toss]:
        """Return the tosses of some time; beats and times of flights are in ticks of all time.

        Args:
            division: ticks in a beat, a multiple of the division of the pattern; all other
                arguments count ticks.
            entry: the first tick, counted from the pattern's own beat 0.
            beats: how many ticks.
            shift: the tick of all time on which the pattern's own beat 0 is.

        Returns:
            Tosses loop by loop, in each in the order of the pattern's throws. Holds have no
            flights, and no toss has a prop yet.
        """
        scale = division // self.pattern.division
        tosses = []
        # From ticks to the pattern's own beats. Both ends are rounded up: a throw just before
        # `entry` is left out, and one just before the end is kept.
        first = -(-entry // scale)
        last = -(-(entry + beats) // scale)
        for loop, index, throw in self.throws(first, last):
            flown = None
            if index in self.flight_of:
                loop_start = loop * self.pattern.period * scale + shift
                flown = Flown.from_choreography(
                    self.choreography,
                    self.flight_of[index],
                    self.timing.throw[index] * scale + loop_start,
                    self.timing.catch[index] * scale + loop_start,
                )
            tosses.append(Toss(throw, -1, flown).scaled(scale, shift))
        return tosses

    def waypoints(
        self, enters: int, until: int, shift: int, division: int, clock: Clock
    ) -> Iterator[tuple[Waypoint, list[HandEvent]]]:
        """Yield the points that hands pass, each with the neighbouring events of its hand.

        A point belongs to the throw of what the hand carries there, or has just thrown: it is
        yielded if that throw is made from `enters` on and before `until`. Times are those of the
        clock, [s].

        Args:
            enters: the first tick (1 / division of a beat) on which the pattern is juggled.
            until: the tick after the last.
            shift: the tick of its own beat 0.
            division: ticks in a beat.
            clock: times of ticks, [s].
        """
        rate = self.choreography.bps * division  # ticks/s
        loop = round(self.choreography.duration * rate)  # ticks
        for own in points_of_loop(self.choreography):
            # From the loop before the first to one after the last, since a point may be far from
            # its throw; the condition below takes only those that belong here.
            for lap in range(-1, (until - shift) // loop + 2):
                beat = own.point.time * rate + lap * loop + shift
                # A throw is made within half a beat before or after its beat. Half a beat is added,
                # so that a throw on beat `enters` counts even if it is made earlier.
                if enters <= beat + own.to_throw * rate + division / 2 < until:
                    neighbours = [
                        event._replace(time=clock.at(beat + event.time * rate))
                        for event in own.neighbours
                    ]
                    yield own.point._replace(time=clock.at(beat)), neighbours

    def beats(self, length: Length, division: int, clock: Clock, enters: int, entry: int) -> int:
        """Return for how many ticks (1 / division of a beat) the pattern is juggled.

        Args:
            length: as it is written.
            division: ticks in a beat, a multiple of the division of the pattern.
            clock: times of ticks, [s]; used for seconds only.
            enters: the first tick, counted in all time; used for seconds only.
            entry: the same tick, counted from the pattern's own beat 0; used for catches only. It
                must be within its first loop.

        Raises:
            ChoreographyError: catches are counted where none are made.
        """
        scale = division // self.pattern.division
        if length.unit == "loops":
            return round(length.amount) * self.loop * scale
        if length.unit == "beats":
            return round(length.amount) * division
        if length.unit == "s":
            # A whole number of beats, at least one.
            end = clock.beat_at(clock.at(enters) + length.amount)
            return max(round((end - enters) / division), 1) * division

        # Every throw is caught once, so throws are counted in place of catches, from the entry on.
        # The pattern is juggled up to the beat of the last of them, that one included (`scale`
        # ticks).
        throws = self.pattern.throws
        thrown = sorted(throws[index].beat * scale for index in self.flight_of)
        if not thrown:
            raise ChoreographyError(
                _("nothing is thrown in it, so nothing is caught; say how many beats or seconds")
            )
        before_entry = sum(beat < entry for beat in thrown)
        loops, last = divmod(before_entry + round(length.amount) - 1, len(thrown))
        return loops * self.pattern.period * scale + thrown[last] + scale - entry
