"""Routines laid out: patterns one after another for some time each, from props at rest in the hands until they are
collected, as one loop of events.

What a pattern throws keeps the beats and places that it has anyway. Between two patterns stand the throws of a
transition, at the faster of both tempi.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography, PropLook
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.choreography.dwell import hand_of
from juggle_anim.choreography.score import PropStyle
from juggle_anim.errors import ChoreographyError, PatternError
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.joining import Join, States, shortest_join
from juggle_anim.pattern.pattern import Throw
from juggle_anim.tosses.hand_times import HandTimes
from juggle_anim.tosses.loop import RingLayout
from juggle_anim.tosses.routine_joins import (
    entry_states,
    given_join,
    ground_states,
    hands_due,
    held_state,
    padded,
    sites_due,
)
from juggle_anim.tosses.segment import Length, Segment
from juggle_anim.tosses.toss import SLEWING, Clock, Toss, Waypoint, due
from juggle_anim.tosses.toss_ring import Present, TossRing

RESTING_BEFORE, RESTING_AFTER = 0.8, 1.2
"""How long props lie in hands before the first throw, and after the last catch, [s]."""

MAX_THROWS = 20_000
"""Limit of the throws of a routine."""

_LONG_AGO = 1_000  # beats
_SHORTEST_REST = 0.5  # s
_CROSSING = 3  # beats of a throw from hand to hand while nothing else is juggled


class Placed(NamedTuple):
    """When a part of a routine is juggled.

    Attributes:
        leaves: the part of a beat on which the throws to it begin.
        enters: on which it begins itself.
        until: on which what follows begins.
        throws: those that lead to it, one text for each beat.
    """

    leaves: int
    enters: int
    until: int
    throws: tuple[str, ...] = ()


class _Made(NamedTuple):
    """A toss, and the number of the segment by whose style it is timed."""

    toss: Toss
    segment: int


class RoutineLayout:
    """A routine while it is laid out, one part after another; beats are parts of one, as small as any pattern has.

    Args:
        segments: all that will be added, in order; they have as many props and jugglers.
        style: how props look.
    """

    def __init__(self, segments: Sequence[Segment], style: PropStyle) -> None:
        self.segments, self.style = segments, style
        self.division = math.lcm(*(segment.pattern.division for segment in segments))
        self.hands = 2 * segments[0].pattern.jugglers
        self.placed: list[Placed] = []
        self.flown: tuple[Throw, ...] = ()
        """The throws of the flights of the choreography, once that is made."""
        self.clock = Clock(0.0, 0.0, *2 * (self._rate(0),))
        self._made: list[_Made] = []
        self._shifts: list[tuple[int, int, int]] = []
        self._number = -1
        self._leave = self._first = math.ceil(RESTING_BEFORE * self._rate(0))
        self._resting = True
        self._sources: list[tuple[int, int]] = []
        self._sinks: list[tuple[int, int]] = []
        self._rests: list[tuple[int, int]] = []
        self._lying: list[Toss] = []
        self._still = 0

    def add(self, length: Length, throws: tuple[tuple[Throw, ...], int] | None = None) -> Placed:
        """Let the next of the segments follow.

        Args:
            length: how long.
            throws: what leads to it, from beat 0 on, and in how many beats; None for the shortest.

        Raises:
            PatternError: these throws do not lead there; its `throw` is the first that cannot be made.
            ChoreographyError: the routine is too long.
        """
        self._number += 1
        segment = self.segments[self._number]
        scale = self.division // segment.pattern.division
        join = self._join_to(segment, scale, throws)
        leaves, enters = self._leave, self._leave + join.length
        self._throw(join)
        self._change_tempo(leaves)
        shift = enters - join.entry
        beats = segment.beats(length, self.division, self.clock, enters, join.entry)
        pattern = segment.pattern
        if len(self._made) + beats * len(pattern.throws) // (scale * pattern.period) > MAX_THROWS:
            raise ChoreographyError(f"the routine has more than {MAX_THROWS} throws, the most that are laid out")
        self._play(segment, scale, join.entry, beats, shift)
        self._shifts.append((enters, enters + beats, shift))
        self._leave = enters + beats
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self.division)))
        return self.placed[-1]

    def stop(self, seconds: float | None = None) -> Placed:
        """Collect all props, and hold them still for some time, [s]."""
        segment, leaves = self.segments[self._number], self._leave
        scale = self.division // segment.pattern.division
        grounds = ground_states(segment.pattern, scale)
        last = self._number + 1 == len(self.segments)
        wanted = Counter(hand for _, hand in self._sinks)
        alike = [each for each in grounds if Counter(hands_due(each)) == wanted] if last else []
        chosen = alike or grounds
        old = self._present(self._deep(segment, scale))
        states = padded(chosen, old.due.shape[1])
        new = States(states, np.zeros((len(chosen), self.hands), dtype=np.intp))
        join = shortest_join(old, new, None, self.division, 1)
        assert join is not None, "once all has landed, any state can follow"
        self._throw(join)
        enters = leaves + join.length
        found = [(enters + beat, hand) for beat, hand in sites_due(chosen[join.entry])]
        caught = max(beat for beat, _ in found)
        rate = self.clock.later
        self._still = math.ceil(max(RESTING_AFTER if seconds is None else seconds, _SHORTEST_REST) * rate)
        self._sources, self._resting = found, True
        # There must be time for what another hand begins with.
        self._leave = caught + self._still + (0 if alike or not last else 2 * _CROSSING * self.division)
        self._rests.append((caught, self._leave))
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self.division)))
        return self.placed[-1]

    def choreography(self) -> Choreography:
        """All of it as a loop: what was collected in the end lies in the hands until the first throw."""
        assert self._resting, "it was stopped"
        period = self._leave
        self._hold(self._sources, [(beat + period, hand) for beat, hand in self._sinks])
        made = sorted(self._made, key=lambda each: each.toss.throw.beat)
        tosses = [each.toss for each in made]
        pattern = Pattern(
            "", tuple(toss.throw for toss in tosses), period, period, self.segments[0].pattern.jugglers, self.division
        )
        tosses = [self._retimed(toss) for toss in self._numbered(tosses, pattern)]
        ring = TossRing(tosses, pattern, 0, 0.0, self.clock.at(period))
        layout = RingLayout(ring)
        for number in range(len(self.segments)):
            joining = [
                place for place, each in enumerate(made) if each.segment == number and tosses[place].flown is None
            ]
            if any(not pattern.throws[place].held for place in joining):
                layout.time(self.clock, self.segments[number], len(tosses), joining)
        for placed in self.placed:
            ring.make_room(Present(placed.leaves, self.clock.at(placed.leaves)))
        ring.keep_order(Present(0, 0.0))
        looks = tuple(PropLook(*self.style.look(place), image=self.style.image) for place in range(pattern.props))
        hands = HandTimes.of(ring)
        points = list[Waypoint]()
        for segment, span in zip(self.segments, self._shifts, strict=True):
            points += hands.passing(segment, *span, self.division, self.clock)
        points += hands.resting(self._rest_times(), points)
        self.flown = tuple(toss.throw for place, toss in enumerate(ring.tosses) if ring.flies(place))
        return layout.loop(self.segments[0], self._bodies(), looks, points, len(tosses)).choreography

    def _rate(self, number: int) -> float:
        return self.segments[number].choreography.bps * self.division

    def _deep(self, segment: Segment, scale: int) -> int:
        """More beats than anything that is thrown flies or is held."""
        own = max((throw.value for throw in segment.pattern.throws), default=0) * scale
        made = max((toss.landing - self._leave for toss, _ in self._made), default=0)
        return max(own, made, 2 * self.division * segment.pattern.props) + self.division

    def _present(self, deep: int) -> States:
        """What surrounds the beat from which on something else is thrown."""
        since = np.full((1, self.hands), _LONG_AGO)
        tosses = [*self._lying, *(each.toss for each in self._made)]
        for toss in tosses:
            if toss.throw.beat < self._leave:
                hand = hand_of(toss.throw)
                since[0, hand] = min(since[0, hand], self._leave - toss.throw.beat)
        return States(due(tosses, self._leave, deep + 1, self.hands)[None], since)

    def _join_to(self, segment: Segment, scale: int, throws: tuple[tuple[Throw, ...], int] | None) -> Join:
        """The throws that lead to a segment, from what is thrown or from props at rest."""
        deep, pattern = self._deep(segment, scale), segment.pattern
        new = entry_states(pattern, scale, deep + 1)
        olds = [self._present(deep)] if not self._resting else list(self._from_rest(segment, scale, deep))
        if throws is not None:
            try:
                place, join = given_join(olds, new, *throws, self.division)
            except PatternError as error:
                shortest = " ".join(_shortest(olds, new, pattern, self.division)[1].written(self.division))
                instead = f"{shortest} would" if shortest else "none are needed"
                raise PatternError(f"{error}; {instead}", error.throw) from None
        else:
            place, join = _shortest(olds, new, pattern, self.division)
        self._leave_hands(olds[place])
        return join

    def _from_rest(self, segment: Segment, scale: int, deep: int) -> Iterator[States]:
        """States in which the hands have what they hold; at the start of the routine, any ground states."""
        wanted = Counter(hand for _, hand in self._sources)
        grounds = ground_states(segment.pattern, scale)
        since = np.full((1, self.hands), _LONG_AGO)
        alike = [each for each in grounds if not wanted or Counter(hands_due(each)) == wanted]
        for ground in alike or [held_state(wanted, self.hands, self.division)]:
            yield States(padded([ground], deep + 1), since)

    def _leave_hands(self, old: States) -> None:
        """Let what lies in hands be held until it is due in a state."""
        if not self._resting:
            return
        sinks = [(self._leave + beat, hand) for beat, hand in sites_due(old.due[0])]
        if self._sources:
            self._hold(self._sources, sinks)
        else:
            self._sinks = sinks
            self._rests.insert(0, (0, self._leave))
            # What lies in hands before all else counts as held until then.
            self._lying = [
                Toss(Throw(0, hand // 2, hand % 2, beat, hand // 2, hand % 2, held=True), -1, None)
                for beat, hand in sinks
            ]
        self._resting, self._sources = False, []

    def _hold(self, sources: Sequence[tuple[int, int]], sinks: Sequence[tuple[int, int]]) -> None:
        """Hold what was caught by some beats, in hands, until others; what another hand needs goes there by a throw."""
        left = sorted(sinks)
        over = []
        for beat, hand in sorted(sources):
            sink = next((each for each in left if each[1] == hand), None)
            if sink is None:
                over.append((beat, hand))
                continue
            left.remove(sink)
            self._add(beat, hand, sink[0] - beat, hand, held=True)
        for (beat, hand), (until, to) in zip(over, left, strict=True):
            # Thrown across in the middle of the rest.
            crossing = _CROSSING * self.division
            thrown = max(beat, min((beat + until - crossing) // 2, self._leave - crossing - self._still))
            if thrown > beat:
                self._add(beat, hand, thrown - beat, hand, held=True)
            lands = min(thrown + crossing, until)
            self._add(thrown, hand, lands - thrown, to)
            if lands < until:
                self._add(lands, to, until - lands, to, held=True)

    def _add(self, beat: int, hand: int, value: int, to: int, held: bool | None = None) -> None:
        throw = Throw(beat, hand // 2, hand % 2, value, to // 2, to % 2, held=held)
        self._made.append(_Made(Toss(throw, -1, None), max(self._number, 0)))

    def _throw(self, join: Join) -> None:
        for throw in join.throws:
            moved = throw._replace(beat=throw.beat + self._leave)
            self._made.append(_Made(Toss(moved, -1, None), self._number))

    def _change_tempo(self, leaves: int) -> None:
        """Go over to the tempo of the present segment: to a faster one before its first throw, to a slower one once all
        has landed that is in the air. So nothing is thrown higher than its own pattern has it."""
        rate, now = self._rate(self._number), self.clock.later
        if rate > now:
            beat = leaves - SLEWING * (rate + now) / 2
        else:
            beat = max([leaves, *(toss.landing for toss, _ in self._made if not toss.throw.held)])
        beat = max(beat, self.clock.steady[0])
        if rate != now:
            self.clock = Clock(beat, self.clock.at(beat), now, rate, self.clock)

    def _play(self, segment: Segment, scale: int, entry: int, beats: int, shift: int) -> None:
        """Make the throws of a pattern in some beats from one of its own on."""
        period = segment.pattern.period * scale
        for loop in range((entry + beats) // period + 1):
            for throw, flown, held in zip(segment.pattern.throws, segment.flown, segment.timing.held, strict=True):
                beat = throw.beat * scale + loop * period
                if entry <= beat < entry + beats:
                    moved = throw._replace(beat=beat + shift, value=throw.value * scale, held=held)
                    if flown:
                        later = loop * period + shift
                        flown = flown._replace(thrown=flown.thrown * scale + later, caught=flown.caught * scale + later)
                    self._made.append(_Made(Toss(moved, -1, flown), self._number))

    def _retimed(self, toss: Toss) -> Toss:
        """A toss with the times of its flight in seconds."""
        flown = toss.flown
        return toss._replace(
            flown=flown and flown._replace(thrown=self.clock.at(flown.thrown), caught=self.clock.at(flown.caught))
        )

    def _numbered(self, tosses: Sequence[Toss], pattern: Pattern) -> list[Toss]:
        """Tosses with the numbers of their props, in the order in which these are thrown first."""
        found = list(tosses)
        starts = [place for place, toss in enumerate(tosses) if toss.landing >= pattern.period]
        order = sorted(starts, key=lambda place: (tosses[place].landing, -hand_of(tosses[place].throw)))
        for prop, start in enumerate(order):
            place = start
            while True:
                place = pattern.landings[place]
                found[place] = found[place]._replace(prop=prop)
                if found[place].landing >= pattern.period:
                    break
        return found

    def _rest_times(self) -> list[tuple[float, float]]:
        """When props lie in hands, [s]; the end of the routine goes on at its start."""
        (_, first), *others = self._rests
        *middle, (last, end) = others
        whole = self.clock.at(last), self.clock.at(end) + self.clock.at(first)
        return [(self.clock.at(start), self.clock.at(until)) for start, until in middle] + [whole]

    def _bodies(self) -> BodyKeyframes:
        """Where jugglers stand: as each pattern has it, while it is juggled."""
        rows: list[tuple[int, float, Floats, float]] = []
        for segment, (enters, until, shift) in zip(self.segments, self._shifts, strict=True):
            keys, rate = segment.choreography.bodies, segment.choreography.bps * self.division
            loop = round(segment.choreography.duration * rate)
            still = len(keys.time) == len(np.unique(keys.juggler))
            for row in range(len(keys.time)):
                first = float(keys.time[row]) * rate + shift
                beats = [enters] if still else np.arange(first, until, loop).tolist()
                rows += [
                    (int(keys.juggler[row]), self.clock.at(beat), keys.position[row], float(keys.facing[row]))
                    for beat in beats
                    if enters <= beat
                ]
        rows.sort(key=lambda row: row[:2])
        begin = {row[0]: row for row in reversed(rows)}
        if all(np.array_equal(row[2], begin[row[0]][2]) and row[3] == begin[row[0]][3] for row in rows):
            rows = [(juggler, 0.0, *begin[juggler][2:]) for juggler in sorted(begin)]
        return BodyKeyframes(
            np.array([row[1] for row in rows]),
            np.array([row[0] for row in rows], dtype=np.intp),
            np.array([row[2] for row in rows]),
            np.array([row[3] for row in rows]),
        )


def _shortest(olds: Sequence[States], new: States, pattern: Pattern, division: int) -> tuple[int, Join]:
    """The shortest join into a pattern, and from which of some states."""
    joins = [shortest_join(old, new, pattern, division, 1) for old in olds]
    found = [(each.length, place, each) for place, each in enumerate(joins) if each]
    _, place, join = min(found, key=lambda each: each[:2])
    return place, join
