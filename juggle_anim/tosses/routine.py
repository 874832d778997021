"""Routines laid out: patterns one after another for some time each, from props at rest in the hands
until they are collected, as one loop of events.

What a pattern throws keeps the beats and places that it has anyway. Between two patterns stand the
throws of a transition, at the faster of both tempi; what goes around a body waits until a slower
one holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import Choreography, PropLook
from juggle_anim.choreography.choreography import BodyKeyframes
from juggle_anim.choreography.score import PropStyle
from juggle_anim.errors import ChoreographyError, PatternError, hand_in_words
from juggle_anim.language import _, ngettext
from juggle_anim.pattern import RIGHT, Pattern
from juggle_anim.pattern.cycle import rows_of
from juggle_anim.pattern.ground_state import ground_state
from juggle_anim.pattern.joining import Join, States, shortest_join
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.pattern.states import states_of
from juggle_anim.tosses.hand_times import HandTimes
from juggle_anim.tosses.segment import Length, Segment
from juggle_anim.tosses.stands import (
    STAND_REACH,
    lying_more,
    pick_up,
    put_down,
    settle_stands,
    unevenness,
    with_landings,
)
from juggle_anim.tosses.toss import TEMPO_CHANGE, Clock, Toss, Waypoint, states_before
from juggle_anim.tosses.toss_ring import Present, TossRing

RESTING_BEFORE = 0.8
"""How long props lie in hands before the first throw, [s]."""

RESTING_AFTER = 1.2
"""How long props lie in hands after the last catch, [s]."""

MAX_THROWS = 20_000
"""Limit of the throws of a routine."""

_LONG_AGO = 1_000  # beats since a hand threw, after a rest
_SHORTEST_REST = 0.5  # s
_CROSSING = 3  # beats of a throw from hand to hand while nothing else is juggled


class Placed(NamedTuple):
    """When a line of a routine is juggled, in parts of a beat.

    Attributes:
        leaves: when the throws to it begin.
        enters: when it begins itself.
        until: when what follows begins.
        throws: those that lead to it, one text for each beat.
        more: how many props come to those that are juggled before; below 0, how many are put down.
    """

    leaves: int
    enters: int
    until: int
    throws: tuple[str, ...] = ()
    more: int = 0


class GivenThrows(NamedTuple):
    """Throws that a text names to lead to a pattern.

    Attributes:
        throws: from beat 0 on.
        length: beats.
    """

    throws: tuple[Throw, ...]
    length: int


class _LaidToss(NamedTuple):
    """A toss, and the index of the segment by whose style it is timed."""

    toss: Toss
    segment: int


class _Stretch(NamedTuple):
    """When a segment is juggled, in parts of a beat.

    Attributes:
        enters: the first part.
        until: that after the last one.
        shift: that of the segment's own beat 0.
    """

    enters: int
    until: int
    shift: int


class _Held(NamedTuple):
    """A prop that a hand has from a beat on, or up to one; or on its stand then."""

    beat: int
    hand: int
    on_stand: bool = False


class _Pause(NamedTuple):
    """When props lie in hands, in parts of a beat.

    Attributes:
        starts: once all are caught.
        until: when the next throw may be made.
        crossing: how long a throw from hand to hand takes.
        still: how long nothing moves before `until`, if there is time.
    """

    starts: int
    until: int
    crossing: int
    still: int


class RoutineLayout:
    """A routine while it is laid out, one line after another; beats are counted in parts.

    Args:
        segments: all that will be added, in order; they have as many jugglers.
        style: how props look.

    Attributes:
        placed: the lines so far.
        clock: when parts of a beat are.
        flown: the tosses that fly, one for each flight of the choreography once that is made.
        parts: into how many parts the beats of `flown` are divided.
    """

    def __init__(self, segments: Sequence[Segment], style: PropStyle) -> None:
        self.placed: list[Placed] = []
        self.flown: tuple[Toss, ...] = ()
        self._segments = segments
        self._style = style
        self._division = math.lcm(*(segment.pattern.division for segment in segments))
        self.parts = self._division
        self._hands = 2 * segments[0].pattern.jugglers
        self.clock = Clock.steady(self._rate(segments[0]))
        self._tosses: list[_LaidToss] = []
        self._stretches: list[_Stretch] = []
        self._current = -1  # index of the segment that was added last
        self._leave = math.ceil(RESTING_BEFORE * self._rate(segments[0]))  # first free beat
        self._is_resting = True
        self._sources: list[_Held] = []  # what hands have when a rest begins
        self._first_held: list[_Held] = []  # what hands have until the first throws
        self._rests: list[tuple[int, int]] = []
        self._held_before: list[Toss] = []
        self._still = 0

    @property
    def _segment(self) -> Segment:
        """The segment that was added last."""
        return self._segments[self._current]

    def add(self, length: Length, given: GivenThrows | None = None) -> Placed:
        """Let the next of the segments follow.

        Args:
            length: how long.
            given: throws that lead to it; None for the shortest.

        Raises:
            PatternError: these throws do not lead there; its `throw` is the first that cannot be
                made.
            ChoreographyError: the routine is too long, or props cannot be picked up or put down.
        """
        before = self._segments[max(self._current, 0)]
        self._current += 1
        segment = self._segment
        more = segment.pattern.props - before.pattern.props
        if more and not all(other.stays for other in self._segments):
            reason = _("props lie on stands only beside jugglers who stay where they are")
            raise ChoreographyError(
                _(
                    "{reason}, and some of these go elsewhere; juggle as many props in all lines",
                    reason=reason,
                )
            )
        join = self._join_to(segment, given)
        leaves = self._leave
        enters = self._leave + join.length
        self._lay_join(join)
        self._change_tempo(leaves)
        shift = enters - join.entry
        beats = segment.beats(length, self._division, self.clock, enters, join.entry)
        beats = self._lay_segment(segment, join.entry, enters, beats)
        self._leave = enters + beats
        self._stretches.append(_Stretch(enters, self._leave, shift))
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self._division), more))
        return self.placed[-1]

    def _lay_segment(self, segment: Segment, entry: int, enters: int, beats: int) -> int:
        """Lay out the throws of a segment.

        Args:
            segment: what is juggled.
            entry: the first of its own beats, which is the beat `enters`.
            enters: the first beat.
            beats: how many, at least.

        Returns:
            How many beats they are; more than asked for where plain loops come first.
        """
        scale = self._division // segment.pattern.division
        pattern = segment.pattern
        count = beats * len(pattern.throws) // (scale * pattern.period)
        if len(self._tosses) + count > MAX_THROWS:
            raise ChoreographyError(
                _(
                    "the routine has more than {max_throws} throws, the most that are laid out",
                    max_throws=MAX_THROWS,
                )
            )
        shift = enters - entry
        lead = 0
        tosses = self._unhurried(segment.tosses(self._division, entry, beats, shift))
        while any(
            self.clock.hurries(toss, self._division)
            for toss in tosses
            if toss.throw.beat >= enters + lead
        ):
            # Plain loops come first, until the tempo is that in which hands have time to go around
            # the body.
            lead += segment.loop * scale
            tosses = segment.tosses(self._division, entry, beats + lead, shift)
        self._lay(toss.plain if toss.throw.beat < enters + lead else toss for toss in tosses)
        return beats + lead

    def stop(self, seconds: float | None = None) -> Placed:
        """Collect all props, and hold them still for some time, [s]."""
        segment = self._segment
        leaves = self._leave
        is_last = self._current + 1 == len(self._segments)
        grounds = ground_states(segment.pattern, self._division // segment.pattern.division)
        # At the end, hands should have what they began with.
        wanted = Counter(held.hand for held in self._first_held)
        alike = [ground for ground in grounds if Counter(hands_due(ground)) == wanted]
        ends_as_begun = is_last and bool(alike)
        states = alike if ends_as_begun else grounds
        old = self._present(self._depth(segment))
        due = padded(states, old.due.shape[1])
        new = States(due, np.zeros((len(states), self._hands), dtype=np.intp))
        join = shortest_join(old, new, None, self._division, 1)
        assert join is not None, "once all has landed, any state can follow"
        self._lay_join(join)
        enters = leaves + join.length
        self._sources = [_Held(enters + beat, hand) for beat, hand in sites_due(states[join.entry])]
        caught = max(held.beat for held in self._sources)
        lasts = max(RESTING_AFTER if seconds is None else seconds, _SHORTEST_REST)
        self._still = math.ceil(lasts * self.clock.later)
        self._is_resting = True
        self._leave = caught + self._still
        if is_last and not ends_as_begun:
            self._leave += self._crossing_time()
        self._rests.append((caught, self._leave))
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self._division)))
        return self.placed[-1]

    def choreography(self) -> Choreography:
        """Return all of it as a loop.

        What was collected in the end lies in the hands until the first throw.

        Raises:
            ChoreographyError: more props lie beside a hand than there is room for.
        """
        assert self._is_resting, "it was stopped"
        self._close()
        ring, segment_of = self._ring()
        self._time(ring, segment_of)
        looks = tuple(
            PropLook(*self._style.look(prop), image=self._style.image)
            for prop in range(ring.pattern.props)
        )
        bodies = standing_places(self._segments, self._stretches, self._division, self.clock)
        waypoints = self._waypoints(HandTimes.from_ring(ring))
        self.flown = tuple(toss for index, toss in enumerate(ring.tosses) if ring.flies(index))
        self.parts = ring.pattern.division
        loop = ring.loop(self._segments[0], bodies, looks, waypoints, len(ring.tosses))
        return loop.choreography

    def _close(self) -> None:
        """Lay out the last rest, from what was collected to what hands begin with."""
        lying = self._lying_more()
        self._extend_rest(+lying, -lying)
        period = self._leave
        sinks = [held._replace(beat=held.beat + period) for held in self._first_held]
        pause = self._pause()
        self._lay(hold(*with_all_back(self._sources, sinks, pause, lying), pause))
        more = self._segments[0].pattern.props - self._segments[-1].pattern.props
        self.placed[-1] = self.placed[-1]._replace(until=period, more=more)

    def _ring(self) -> tuple[TossRing, list[int]]:
        """All tosses as a ring, and for each the index of the segment whose style holds for it."""
        period = self._leave
        parts = self._division
        clock = self.clock
        laid = sorted(self._tosses, key=lambda item: item.toss.throw.beat)
        tosses = [in_seconds(item.toss, clock, parts) for item in laid]
        if any(toss.rests for toss in tosses):
            kind = self._style.kinds[0]
            tosses = with_landings(tosses, period, clock.at(period), kind)
            parts *= 2
            period *= 2
            clock = clock.scaled(2)
        order = sorted(range(len(tosses)), key=lambda index: tosses[index].throw.beat)
        ring = TossRing(
            [tosses[index] for index in order],
            period,
            parts,
            self._hands // 2,
            first=0,
            start=0.0,
            lasts=clock.at(period),
        )
        ring.number_props()
        return ring, [laid[index].segment for index in order]

    def _time(self, ring: TossRing, segment_of: Sequence[int]) -> None:
        """Give flights to the throws between patterns, and times to all that is put down."""
        parts = ring.pattern.division
        clock = self.clock.scaled(parts // self._division)
        for number, segment in enumerate(self._segments):
            joining = [
                index
                for index, toss in enumerate(ring.tosses)
                if segment_of[index] == number and toss.flown is None
            ]
            if any(not ring.pattern.throws[index].held for index in joining):
                ring.time_flights(clock, segment, len(ring.tosses), joining)
        for placed in self.placed:
            beat = placed.leaves * parts // self._division
            ring.make_room(Present(beat, self.clock.at(placed.leaves)))
        ring.keep_order(Present(0, 0.0))
        settle_stands(ring)

    def _waypoints(self, hands: HandTimes) -> list[Waypoint]:
        """The points that hands pass between events, and where they rest."""
        points = list[Waypoint]()
        for segment, stretch in zip(self._segments, self._stretches, strict=True):
            points += hands.fitting(segment.waypoints(*stretch, self._division, self.clock), 0.0)
        # Nor does a hand swing that has nothing to do for long while one pattern goes over into
        # another.
        goes_over = {
            beat
            for placed in self.placed
            for beat in (placed.leaves - self._division, placed.leaves)
        }
        moments = [self.clock.at(beat) for beat in sorted(goes_over)]
        rests = [*rest_times(self._rests, self.clock), *((time, time) for time in moments)]
        return points + hands.resting(rests, points)

    def _rate(self, segment: Segment) -> float:
        """The tempo of a segment, in parts of a beat per second."""
        return segment.choreography.bps * self._division

    def _lying_more(self) -> Counter[int]:
        """How many more props lie beside each hand than in the beginning."""
        return lying_more(item.toss for item in self._tosses)

    def _depth(self, segment: Segment) -> int:
        """More beats than anything that is thrown flies or is held."""
        scale = self._division // segment.pattern.division
        highest = max((throw.value for throw in segment.pattern.throws), default=0) * scale
        longest = max(
            (item.toss.landing - self._leave for item in self._tosses if not item.toss.puts_down),
            default=0,
        )
        all_held = 2 * self._division * segment.pattern.props
        return max(highest, longest, all_held) + self._division

    def _present(self, depth: int) -> States:
        """The state before the beat from which on something else is thrown."""
        tosses = [*self._held_before, *(item.toss for item in self._tosses)]
        return states_before(tosses, [self._leave], depth + 1, self._hands)

    def _join_to(self, segment: Segment, given: GivenThrows | None) -> Join:
        """The throws that lead to a segment, from what is thrown or from props at rest."""
        depth = self._depth(segment)
        scale = self._division // segment.pattern.division
        new = entry_states(segment.pattern, scale, depth + 1)
        if self._is_resting:
            olds = list(self._from_rest(segment, scale, depth))
        else:
            olds = [self._present(depth)]
        if given is None:
            chosen, join = self._shortest(olds, new)
        else:
            chosen, join = self._given(olds, new, given)
        self._leave_hands(olds[chosen])
        return join

    def _given(self, olds: Sequence[States], new: States, given: GivenThrows) -> tuple[int, Join]:
        """The join that a text gives, and the index of the state from which it leads."""
        if any(old.due.sum() != self._segment.pattern.props for old in olds):
            reason = _(
                "these throws lead to a pattern with other props, which are picked up or put "
                "down on the way"
            )
            raise PatternError(reason)
        try:
            return given_join(olds, new, given, self._division)
        except PatternError as error:
            shortest = " ".join(self._shortest(olds, new)[1].written(self._division))
            instead = _("{shortest} would", shortest=shortest) if shortest else _("none are needed")
            raise PatternError(f"{error}; {instead}", error.throw) from None

    def _from_rest(self, segment: Segment, scale: int, depth: int) -> Iterator[States]:
        """States in which the hands have what they hold; at the start of the routine, any ground
        states.
        """
        held = Counter(source.hand for source in self._sources)
        grounds = ground_states(segment.pattern, scale)
        if not held:
            chosen = grounds
        elif held.total() == segment.pattern.props:
            chosen = [ground for ground in grounds if Counter(hands_due(ground)) == held]
        else:
            chosen = [min(grounds, key=self._effort)]
        since = np.full((1, self._hands), _LONG_AGO)
        for ground in chosen or [held_state(held, self._hands, self._division)]:
            yield States(padded([ground], depth + 1), since)

    def _effort(self, ground: Integers) -> tuple[int, int]:
        """How many props go from hand to hand before a state that follows a rest, and how uneven
        stands are then.
        """
        have = Counter(source.hand for source in self._sources)
        need = Counter(hands_due(ground))
        missing = need - have
        over = have - need
        lying = self._lying_more()
        lying.subtract(missing)
        lying.update(over)
        return min(missing.total(), over.total()), unevenness(lying)

    def _leave_hands(self, old: States) -> None:
        """End a rest: what lies in hands is held until it is due in a state."""
        if not self._is_resting:
            return
        due = sites_due(old.due[0])
        if self._sources:
            lying = self._lying_more()
            have = Counter(source.hand for source in self._sources)
            need = Counter(hand for _beat, hand in due)
            if have.total() != need.total():
                self._extend_rest(need - have, have - need)
            sinks = [_Held(self._leave + beat, hand) for beat, hand in due]
            pause = self._pause()
            self._lay(hold(*with_stands(self._sources, sinks, pause, lying), pause))
        else:
            self._first_held = [_Held(self._leave + beat, hand) for beat, hand in due]
            self._rests.insert(0, (0, self._leave))
            # What lies in hands before all else counts as held until then.
            self._held_before = [
                Toss(_throw(0, held.hand, held.beat, held.hand, held=True), -1, None)
                for held in self._first_held
            ]
        self._is_resting = False
        self._sources = []

    def _pause(self) -> _Pause:
        """The rest that ends where the next line may begin."""
        return _Pause(
            max(source.beat for source in self._sources),
            self._leave,
            _CROSSING * self._division,
            self._still,
        )

    def _extend_rest(self, missing: Counter[int], over: Counter[int]) -> None:
        """Lengthen the last rest so that hands can pick up, put down and exchange props.

        It changes when the next pattern may begin, and where the rest and its line end.

        Args:
            missing: how many props each hand lacks.
            over: how many each hand has too many.
        """
        if not missing and not over:
            return
        starts = self._pause().starts
        # A way of the hand for each prop, and two more.
        reaches = max((missing + over).values()) + 2
        beats = math.ceil(STAND_REACH * reaches * self.clock.later)
        if missing and over:
            beats += self._crossing_time()
        self._leave = max(self._leave, starts + beats)
        self._rests[-1] = starts, self._leave
        self.placed[-1] = self.placed[-1]._replace(until=self._leave)

    def _crossing_time(self) -> int:
        """Time for what another hand begins with."""
        return 2 * _CROSSING * self._division

    def _unhurried(self, tosses: list[Toss]) -> list[Toss]:
        """Tosses of the present segment, plain ones in place of those around a body that a quicker
        tempo would hurry.

        Those that are not made again later stay: they are what the line is for.
        """
        pattern = self._segment.pattern
        period = pattern.period * self._division // pattern.division
        hurried = [self.clock.hurries(toss, self._division) for toss in tosses]
        made_again = {
            toss.throw.beat % period
            for toss, is_hurried in zip(tosses, hurried, strict=True)
            if not is_hurried
        }
        return [
            toss.plain if is_hurried and toss.throw.beat % period in made_again else toss
            for toss, is_hurried in zip(tosses, hurried, strict=True)
        ]

    def _lay(self, tosses: Iterable[Toss]) -> None:
        self._tosses += [_LaidToss(toss, max(self._current, 0)) for toss in tosses]

    def _lay_join(self, join: Join) -> None:
        """Lay out the throws of a join, from the first free beat on."""
        leave = self._leave
        self._lay(Toss(throw._replace(beat=throw.beat + leave), -1, None) for throw in join.throws)
        self._lay(put_down(leave + beat, hand) for beat, hand in join.put_down)
        self._lay(pick_up(leave, hand, leave + beat) for beat, hand in join.picked)

    def _shortest(self, olds: Sequence[States], new: States) -> tuple[int, Join]:
        """The shortest join into the present segment, and the index of the state it leads from."""
        pattern = self._segment.pattern
        lying = self._lying_more()

        def drawback(join: Join) -> int:
            """Twice how many props would lie on the other stand than in the beginning."""
            after = Counter(lying)
            after.update(hand for _beat, hand in join.put_down)
            after.subtract(hand for _beat, hand in join.picked)
            return unevenness(after)

        best: tuple[int, Join] | None = None
        for index, old in enumerate(olds):
            join = shortest_join(old, new, pattern, self._division, 1, drawback=drawback)
            if join and (best is None or join.length < best[1].length):
                best = index, join
        assert best is not None, "once all has landed, any pattern can follow"
        return best

    def _change_tempo(self, leaves: int) -> None:
        """Go over to the tempo of the present segment: to a faster one before its first throw, to a
        slower one once all has landed that is in the air. So nothing is thrown higher than its own
        pattern has it.
        """
        rate = self._rate(self._segment)
        present_rate = self.clock.later
        if rate == present_rate:
            return
        if rate > present_rate:
            beat = leaves - TEMPO_CHANGE * (rate + present_rate) / 2
        else:
            landings = (
                item.toss.landing
                for item in self._tosses
                if not item.toss.throw.held and not item.toss.rests
            )
            beat = max([leaves, *landings])
        self.clock = self.clock.changing(max(beat, self.clock.settled[0]), rate)


def in_seconds(toss: Toss, clock: Clock, division: int) -> Toss:
    """Return a toss with the times of its flight in seconds.

    What is put down or picked up is so about its beat; `settle_stands` finds when.

    Args:
        toss: with times in parts of a beat.
        clock: when these are.
        division: parts of a beat.
    """
    if toss.rests and toss.flown:
        thrown = clock.at(toss.throw.beat)
        caught = clock.at(toss.landing - division / 2)
        return toss._replace(flown=toss.flown._replace(thrown=thrown, caught=caught))
    return toss.retimed(clock.at)


def ground_states(pattern: Pattern, scale: int) -> list[Integers]:
    """Return the ground states of a pattern, begun by either hand.

    Args:
        pattern: whose props are in hands at first.
        scale: parts of each of its own parts of a beat.

    Returns:
        Props due on each coming part of a beat in each hand, each of shape (depth, H).
    """
    rows = rows_of(pattern)
    states: list[Integers] = []
    for beat in range(2 * math.lcm(*(row.step for row in rows))):
        if not any(row.throws_on(beat) for row in rows):
            continue
        ground = ground_state(rows, pattern.props, beat)
        due = np.zeros((len(ground) * scale, 2 * pattern.jugglers), dtype=np.intp)
        for later, counts in enumerate(ground):
            for row, count in zip(rows, counts, strict=True):
                if count:
                    hand = 2 * row.juggler + row.hand_on(beat + later)
                    due[later * scale, hand] += count
        if not any(np.array_equal(due, state) for state in states):
            states.append(due)
    return states


def entry_states(pattern: Pattern, scale: int, depth: int) -> States:
    """Return the states before each part of a beat of a pattern.

    Args:
        pattern: whose hands throw.
        scale: parts of each of its own parts of a beat.
        depth: how far the states reach; farther than anything flies.
    """
    period = pattern.period * scale
    hands = 2 * pattern.jugglers
    states = [np.array(state).reshape(-1, hands) for state in states_of(pattern)]
    due = np.zeros((period, depth, hands), dtype=np.intp)
    for beat in range(period):
        # Up to the next whole beat of the pattern nothing is due.
        until_whole = -beat % scale
        state = states[(beat + until_whole) // scale % pattern.period]
        due[beat, until_whole : until_whole + len(state) * scale : scale] = state
    since = np.full((period, hands), period, dtype=np.intp)
    for throw in pattern.throws:
        hand = hand_of(throw)
        beats_ago = (np.arange(period) - throw.beat * scale - 1) % period + 1
        since[:, hand] = np.minimum(since[:, hand], beats_ago)
    return States(due, since)


def sites_due(due: Integers) -> list[tuple[int, int]]:
    """Return the beat and the hand of each prop that is due.

    Args:
        due: counts, shape (beats, H).
    """
    return [
        (beat, hand)
        for beat, hand in np.argwhere(due > 0).tolist()
        for _ in range(int(due[beat, hand]))
    ]


def hands_due(due: Integers) -> list[int]:
    """Return the hand of each prop that is due, from counts of shape (beats, H)."""
    return [hand for _beat, hand in sites_due(due)]


def padded(states: Sequence[Integers], depth: int) -> Integers:
    """Return states with as many beats each, shape (N, depth, H)."""
    return np.stack([np.pad(state, ((0, depth - len(state)), (0, 0))) for state in states])


def held_state(held: Counter[int], hands: int, division: int) -> Integers:
    """Return a state in which each hand throws what it holds on every second beat, right hands
    first.

    Args:
        held: how many props each hand has.
        hands: how many there are.
        division: parts of a beat.
    """
    step = 2 * division
    due = np.zeros((step * max(held.values()), hands), dtype=np.intp)
    for hand, count in held.items():
        first = 0 if hand % 2 == RIGHT else division
        due[first : first + step * count : step, hand] = 1
    return due


class _Misfit(NamedTuple):
    """Why throws do not lead from one state to another.

    Attributes:
        beat: the first on which they do not fit.
        reason: a message.
        throw: the index of the first throw that cannot be made; None if that is none of them.
    """

    beat: int
    reason: str
    throw: int | None


def given_join(
    olds: Sequence[States], new: States, given: GivenThrows, division: int
) -> tuple[int, Join]:
    """Return the join that given throws make, by either hand, and the index of the state it leads
    from.

    Raises:
        PatternError: they lead from none of the states into the new ones; its `throw` is the first
            that cannot be made.
    """
    length = given.length * division
    farthest = _Misfit(-1, _("there are no throws"), None)
    for index, old in enumerate(olds):
        for swap in (0, 1):
            throws = [
                throw._replace(
                    beat=throw.beat * division,
                    value=throw.value * division,
                    hand=throw.hand ^ swap,
                    to_hand=throw.to_hand ^ swap,
                )
                for throw in given.throws
            ]
            highest = max((throw.value for throw in throws), default=0)
            depth = max(old.due.shape[1], new.due.shape[1]) + highest + length
            due = padded([old.due[0]], depth)[0]
            misfit = _throw_all(due, throws, length)
            if misfit is None:
                ahead = due[length:][: new.due.shape[1]]
                is_same = (new.due == ahead[None]).all(axis=(1, 2))
                if is_same.any():
                    return index, Join(0, int(is_same.argmax()), length, tuple(throws), (), ())
                misfit = _Misfit(length, _("these throws do not lead into it"), None)
            if misfit.beat > farthest.beat:
                farthest = misfit
    raise PatternError(farthest.reason, farthest.throw)


def _throw_all(due: Integers, throws: Sequence[Throw], length: int) -> _Misfit | None:
    """Make throws where props are due, and add where they land to what is due.

    Args:
        due: props due on each beat in each hand, shape (beats, H); carried on in place.
        throws: in order.
        length: beats in which they are made.

    Returns:
        The first beat whose throws are not as many as props are due; None if all fit.
    """
    for beat in range(length):
        for hand in range(due.shape[1]):
            made = [
                index
                for index, throw in enumerate(throws)
                if (throw.beat, hand_of(throw)) == (beat, hand)
            ]
            if len(made) != due[beat, hand]:
                later = (index for index, throw in enumerate(throws) if throw.beat >= beat)
                first = made[0] if made else next(later, None)
                return _Misfit(beat, _misfit_reason(hand, len(made), int(due[beat, hand])), first)
            for index in made:
                due[beat + throws[index].value, catching_hand(throws[index])] += 1
    return None


def _misfit_reason(hand: int, count: int, due: int) -> str:
    needs = (
        _("no prop comes down then")
        if not due
        else ngettext("{number} comes down then", "{number} come down then", due)
    )
    return _(
        "the {hand} throws {count} here, but {needs}",
        hand=hand_in_words(hand),
        count=count,
        needs=needs,
    )


def with_stands(
    sources: Sequence[_Held], sinks: Sequence[_Held], pause: _Pause, lying: Counter[int]
) -> tuple[list[_Held], list[_Held]]:
    """Add what hands pick up and put down in a rest, so that as many props begin it as end it.

    Args:
        sources: what hands have at its start.
        sinks: what they need at its end.
        pause: the rest.
        lying: how many more props than in the beginning lie beside each hand; these are taken
            first.

    Returns:
        Sources and sinks, as many.
    """
    more = len(sinks) - len(sources)
    have = Counter(source.hand for source in sources)
    need = Counter(sink.hand for sink in sinks)
    missing = sorted((need - have).elements(), key=lambda hand: -lying[hand])
    over = sorted((have - need).elements(), key=lambda hand: lying[hand])
    return _with_stands(sources, sinks, pause, missing[: max(more, 0)], over[: max(-more, 0)])


def with_all_back(
    sources: Sequence[_Held], sinks: Sequence[_Held], pause: _Pause, lying: Counter[int]
) -> tuple[list[_Held], list[_Held]]:
    """Add what hands pick up and put down in the last rest, so that props lie as in the beginning.

    Arguments and result are those of `with_stands`.
    """
    return _with_stands(sources, sinks, pause, (+lying).elements(), (-lying).elements())


def _with_stands(
    sources: Sequence[_Held],
    sinks: Sequence[_Held],
    pause: _Pause,
    picking: Iterable[int],
    putting: Iterable[int],
) -> tuple[list[_Held], list[_Held]]:
    """Sources and sinks with those of hands that pick a prop up or put one down."""
    picked = [_Held(pause.starts, hand, on_stand=True) for hand in picking]
    put = [_Held(pause.until, hand, on_stand=True) for hand in putting]
    return [*sources, *picked], [*sinks, *put]


def hold(sources: Sequence[_Held], sinks: Sequence[_Held], pause: _Pause) -> list[Toss]:
    """Return the tosses of a rest: hands hold what they have until they need it.

    What another hand needs is thrown across in the middle of the pause.

    Args:
        sources: what hands have.
        sinks: what they need; as many.
        pause: between.
    """
    tosses = list[Toss]()
    over = list[_Held]()
    open_sinks = sorted(sinks)
    for source in sorted(sources):
        sink = next((sink for sink in open_sinks if sink.hand == source.hand), None)
        if sink is None:
            over.append(source)
            continue
        open_sinks.remove(sink)
        tosses += _hold_until(source, sink.beat, pause, sink)
    for source, sink in zip(over, open_sinks, strict=True):
        middle = (source.beat + sink.beat - pause.crossing) // 2
        latest = pause.until - pause.crossing - pause.still
        thrown = max(source.beat, min(middle, latest))
        lands = min(thrown + pause.crossing, sink.beat)
        tosses += _hold_until(source, thrown, pause)
        tosses.append(Toss(_throw(thrown, source.hand, lands, sink.hand), -1, None))
        tosses += _hold_until(_Held(lands, sink.hand), sink.beat, pause, sink)
    return tosses


def _hold_until(source: _Held, until: int, pause: _Pause, sink: _Held | None = None) -> list[Toss]:
    """What a hand does with a prop until a beat: it holds it, picks it up before that in the pause,
    or puts it down.
    """
    if source.on_stand:
        picked_up = min(until, pause.until - 1)
        return [
            pick_up(source.beat, source.hand, picked_up),
            *_hold_until(_Held(picked_up, source.hand), until, pause),
        ]
    if sink and sink.on_stand:
        return [put_down(source.beat, source.hand)]
    if source.beat == until:
        return []
    return [Toss(_throw(source.beat, source.hand, until, source.hand, held=True), -1, None)]


def _throw(beat: int, hand: int, lands: int, to: int, held: bool | None = None) -> Throw:
    return Throw(beat, hand // 2, hand % 2, lands - beat, to // 2, to % 2, held=held)


def rest_times(rests: Sequence[tuple[int, int]], clock: Clock) -> list[tuple[float, float]]:
    """Return when props lie in hands, [s]; the rest at the end goes on at the start of the routine.

    Args:
        rests: the first and last part of a beat of each, that at the start first.
        clock: when these are.
    """
    (_start, first_throw), *others = rests
    *between, (last_catch, end) = others
    over_the_end = clock.at(last_catch), clock.at(end) + clock.at(first_throw)
    return [(clock.at(start), clock.at(until)) for start, until in between] + [over_the_end]


class _Standing(NamedTuple):
    """A keyframe of a body: juggler, time [s], position [m] and facing [rad]."""

    juggler: int
    time: float
    position: Floats
    facing: float


def standing_places(
    segments: Sequence[Segment], stretches: Sequence[_Stretch], division: int, clock: Clock
) -> BodyKeyframes:
    """Return where jugglers stand: as each pattern has it, while it is juggled.

    Args:
        segments: the patterns.
        stretches: when each of them is juggled.
        division: parts of a beat.
        clock: when these are.
    """
    rows: list[_Standing] = []
    for segment, (enters, until, shift) in zip(segments, stretches, strict=True):
        keys = segment.choreography.bodies
        rate = segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        for juggler, time, position, facing in zip(
            keys.juggler.tolist(),
            keys.time.tolist(),
            keys.position,
            keys.facing.tolist(),
            strict=True,
        ):
            if segment.stays:
                beats = [float(enters)]
            else:
                beats = np.arange(time * rate + shift, until, loop).tolist()
            rows += [
                _Standing(juggler, clock.at(beat), position, facing)
                for beat in beats
                if enters <= beat
            ]
    rows.sort(key=lambda row: (row.juggler, row.time))
    first = {row.juggler: row for row in reversed(rows)}
    if all(
        np.array_equal(row.position, first[row.juggler].position)
        and row.facing == first[row.juggler].facing
        for row in rows
    ):
        # Nobody ever moves: one keyframe each.
        rows = [first[juggler]._replace(time=0.0) for juggler in sorted(first)]
    return BodyKeyframes(
        np.array([row.time for row in rows]),
        np.array([row.juggler for row in rows], dtype=np.intp),
        np.array([row.position for row in rows]),
        np.array([row.facing for row in rows]),
    )
