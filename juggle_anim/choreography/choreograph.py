"""From beats to events: gives every throw and catch of a pattern its time and place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import Choreography, EventKind, Events, Flights, PropOrbit
from juggle_anim.choreography.formation import circle
from juggle_anim.choreography.geometry import REST, catch_offset, place, throw_offset
from juggle_anim.choreography.tempo import natural_tempo
from juggle_anim.choreography.timing import Timing, hand_of, time_throws
from juggle_anim.errors import ChoreographyError
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import Pattern, Throw


def choreograph(pattern: Pattern, parameters: Parameters) -> Choreography:
    """The events of one loop of a pattern.

    Args:
        pattern: what is juggled.
        parameters: tempo, dwell, squeeze and gravity are read.

    Raises:
        ChoreographyError: a throw bounces.
    """
    _refuse_bounces(pattern)
    timing = time_throws(pattern, parameters.dwell, parameters.squeeze_beats)
    bps = parameters.bps if parameters.bps is not None else natural_tempo(pattern, parameters.dwell)
    standing, facing = circle(pattern.jugglers)
    hands = np.arange(2 * pattern.jugglers)
    table = _EventTable(pattern, timing)
    time, hand, kind, outward = table.columns()
    order = np.lexsort((kind, hand, time))
    events = Events(
        time=(time / bps)[order],
        hand=hand[order],
        kind=kind[order],
        position=place(outward, hand, standing, facing)[order],
    )
    return Choreography(
        duration=pattern.period / bps,
        bps=bps,
        gravity=parameters.gravity / 100,
        standing=standing,
        facing=facing,
        rest=place(np.full(len(hands), REST), hands, standing, facing),
        events=events,
        flights=table.flights(np.argsort(order), bps),
        orbits=tuple(table.orbits()),
    )


@dataclass(frozen=True)
class _Event:
    time: float
    hand: int
    kind: EventKind


class _EventTable:
    """Events that are not yet sorted, found by what they are: throws that leave together are one event."""

    def __init__(self, pattern: Pattern, timing: Timing) -> None:
        self.pattern, self.timing = pattern, timing
        self.flown = [index for index, held in enumerate(timing.held) if not held]
        self.caught_at = _catch_offsets(pattern, self.flown)
        self.rows: dict[_Event, list[float]] = {}
        self.thrown = [self._add(index, EventKind.THROW) for index in self.flown]
        self.caught = [self._add(index, EventKind.CATCH) for index in self.flown]

    def _add(self, index: int, kind: EventKind) -> _Event:
        throw = self.pattern.throws[index]
        if kind is EventKind.THROW:
            beats, hand, outward = self.timing.throw[index], hand_of(throw), _thrown_from(throw)
        else:
            beats, hand = self.timing.catch[index], 2 * throw.to_juggler + throw.to_hand
            outward = self.caught_at[index]
        event = _Event(round(beats % self.pattern.period, 9) % self.pattern.period, hand, kind)
        self.rows.setdefault(event, []).append(outward)
        return event

    def columns(self) -> tuple[Floats, Integers, Integers, Floats]:
        """Time [beats], hand, kind and outward offset [m] of each event; a multiplex throws from the mean."""
        return (
            np.array([event.time for event in self.rows], dtype=float),
            np.array([event.hand for event in self.rows], dtype=np.intp),
            np.array([event.kind for event in self.rows], dtype=np.intp),
            np.array([sum(outward) / len(outward) for outward in self.rows.values()], dtype=float),
        )

    def flights(self, rank: Integers, bps: float) -> Flights:
        """The flights, where event number k has come to stand at `rank[k]`."""
        number = {event: rank[place] for place, event in enumerate(self.rows)}
        flown = [self.timing.catch[index] - self.timing.throw[index] for index in self.flown]
        return Flights(
            throw=np.array([number[event] for event in self.thrown], dtype=np.intp),
            catch=np.array([number[event] for event in self.caught], dtype=np.intp),
            duration=np.array(flown, dtype=float) / bps,
            carry=np.array([self._carry(index) for index in self.flown], dtype=float) / bps,
        )

    def _carry(self, index: int) -> float:
        """Beats from the catch of a throw to the next throw of the same prop that is not a hold."""
        throws, landings = self.pattern.throws, self.pattern.landings
        beat, following = throws[index].beat + throws[index].value, landings[index]
        while self.timing.held[following]:
            beat, following = beat + throws[following].value, landings[following]
        return beat + self.timing.throw[following] - throws[following].beat - self.timing.catch[index]

    def orbits(self) -> list[PropOrbit]:
        flight = {index: number for number, index in enumerate(self.flown)}
        return [
            PropOrbit(
                flights=tuple(flight[index] for index in orbit.throws if index in flight),
                props=orbit.props,
                hand=hand_of(self.pattern.throws[orbit.throws[0]]),
            )
            for orbit in self.pattern.orbits
        ]


def _refuse_bounces(pattern: Pattern) -> None:
    for throw in pattern.throws:
        if throw.bounces:
            raise ChoreographyError(
                f"{pattern.text}: the {throw.value} on beat {throw.beat + 1} bounces, and bounces are read, "
                "but not juggled yet; without its B or F it is thrown through the air"
            )


def _thrown_from(throw: Throw) -> float:
    # A pass from right to right is thrown as one would throw to oneself: the hand's side decides, not who catches.
    return throw_offset(throw.value, throw.hand != throw.to_hand)


def _catch_offsets(pattern: Pattern, flown: list[int]) -> dict[int, float]:
    """Where each flown throw is caught, outward; those that come to one hand for one beat are caught at their mean."""
    groups: dict[tuple[int, int], list[int]] = {}
    for index in flown:
        to = pattern.throws[pattern.landings[index]]
        groups.setdefault((hand_of(to), to.beat), []).append(index)
    offsets: dict[int, float] = {}
    for group in groups.values():
        mean = sum(catch_offset(pattern.throws[index].value) for index in group) / len(group)
        offsets.update(dict.fromkeys(group, mean))
    return offsets
