"""Segments of routines: a pattern that is juggled for some time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.choreography.choreograph import choreograph, repeat_to_full_loop, timing_of
from juggle_anim.choreography.choreography import AIR
from juggle_anim.choreography.dwell import Timing
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern
from juggle_anim.tosses.toss import Clock, Flown, Toss, manners_of


class Length(NamedTuple):
    """How long a pattern of a routine is juggled: an amount of "catches", "loops", "beats" or
    "s".
    """

    amount: float
    unit: str


@dataclass(frozen=True)
class Segment:
    """A pattern of a routine.

    Args:
        score: on beats.
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
        """Parts of a beat that are once through: what is written, or more until hands and bodies
        repeat.
        """
        written = self.score.pattern
        staging = self.score.staging
        assert written is not None, "events with their own times have no beats"
        said = (
            staging.hands,
            staging.body,
            *staging.throws,
            *staging.spins,
            *(each[1:] for each in staging.catches),
        )
        plain = not any(said) and self.pattern.period == written.period
        return written.written_period if plain else self.pattern.period

    @cached_property
    def timing(self) -> Timing:
        """When its throws leave hands and are caught."""
        return timing_of(self.pattern, self.score.staging, self.parameters)

    @cached_property
    def flown(self) -> tuple[Flown | None, ...]:
        """For each throw its flight, with times in parts of a beat; None for a hold."""
        events = self.choreography.events
        flights = self.choreography.flights
        found = list[Flown | None]()
        flight = 0
        for index, held in enumerate(self.timing.held):
            if held:
                found.append(None)
                continue
            ends = int(flights.throw[flight]), int(flights.catch[flight])
            places = events.position[ends[0]], events.position[ends[1]]
            style = flights.style[flight] if flights.style else AIR
            times = (self.timing.throw[index], self.timing.catch[index])
            manners = manners_of(events, *ends)
            found.append(Flown(*times, *places, manners, style))
            flight += 1
        return tuple(found)

    @property
    def stays(self) -> bool:
        """Whether jugglers stay where they are."""
        keys = self.choreography.bodies
        return len(keys.time) == len(np.unique(keys.juggler))

    def tosses(self, division: int, entry: int, beats: int, shift: int) -> list[Toss]:
        """Its throws in some beats from one of its own on, whose times are in parts of a beat.

        Args:
            division: parts of a beat; all others count them.
            entry: the first of its own.
            beats: how many.
            shift: when its own beat 0 is.
        """
        scale = division // self.pattern.division
        found = list[Toss]()
        period = self.pattern.period * scale
        for loop in range((entry + beats) // period + 1):
            later = loop * period + shift
            for throw, flown, held in zip(
                self.pattern.throws, self.flown, self.timing.held, strict=True
            ):
                beat = throw.beat * scale + loop * period
                if entry <= beat < entry + beats:
                    moved = throw._replace(beat=beat + shift, value=throw.value * scale, held=held)
                    if flown:
                        flown = flown._replace(
                            thrown=flown.thrown * scale + later, caught=flown.caught * scale + later
                        )
                    found.append(Toss(moved, -1, flown))
        return found

    def beats(self, length: Length, division: int, clock: Clock, enters: int, entry: int) -> int:
        """How many parts of a beat it is juggled.

        Args:
            length: as it is said.
            division: parts of a beat; `entry` and what is returned count them.
            clock: when they are.
            enters: the first of them.
            entry: which of the pattern's own that is.

        Raises:
            ChoreographyError: catches are counted where none are made.
        """
        scale = division // self.pattern.division
        if length.unit == "loops":
            return round(length.amount) * self.loop * scale
        if length.unit == "beats":
            return round(length.amount) * division
        if length.unit == "s":
            end = clock.beat_at(clock.at(enters) + length.amount)
            return max(round((end - enters) / division), 1) * division
        thrown = [
            throw.beat * scale
            for throw, flown in zip(self.pattern.throws, self.flown, strict=True)
            if flown
        ]
        if not thrown:
            raise ChoreographyError(
                _("nothing is thrown in it, so nothing is caught; say how many beats or seconds")
            )
        rounds, place = divmod(
            sum(beat < entry for beat in thrown) + round(length.amount) - 1, len(thrown)
        )
        last = rounds * self.pattern.period * scale + sorted(thrown)[place]
        return last + scale - entry
