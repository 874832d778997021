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
from juggle_anim.pattern.ground_state import ground_state
from juggle_anim.pattern.joining import Join, States, shortest_join
from juggle_anim.pattern.pattern import Throw, catching_hand, hand_of
from juggle_anim.pattern.states import rows_of, states_of
from juggle_anim.tosses.hand_times import HandTimes
from juggle_anim.tosses.loop import with_props
from juggle_anim.tosses.segment import Length, Segment
from juggle_anim.tosses.stands import (
    REACHING,
    lying_more,
    pick_up,
    put_down,
    settle_stands,
    unevenness,
    with_landings,
)
from juggle_anim.tosses.toss import SLEWING, Clock, Toss, Waypoint, due, in_seconds
from juggle_anim.tosses.toss_ring import Present, RingLayout, TossRing

RESTING_BEFORE = 0.8
RESTING_AFTER = 1.2
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
        more: how many props come to those that are juggled before; below 0, how many are put down.
    """

    leaves: int
    enters: int
    until: int
    throws: tuple[str, ...] = ()
    more: int = 0


class _Made(NamedTuple):
    """A toss, and the number of the segment by whose style it is timed."""

    toss: Toss
    segment: int


class RoutineLayout:
    """A routine while it is laid out, one part after another; beats are parts of one, as small as
    any pattern has.

    Args:
        segments: all that will be added, in order; they have as many jugglers.
        style: how props look.
    """

    def __init__(self, segments: Sequence[Segment], style: PropStyle) -> None:
        self.segments = segments
        self.style = style
        self.division = math.lcm(*(segment.pattern.division for segment in segments))
        self.hands = 2 * segments[0].pattern.jugglers
        self.placed: list[Placed] = []
        self.flown: tuple[Toss, ...] = ()
        """Those of the flights of the choreography, once that is made, with beats in so many parts.
        """
        self.parts = self.division
        self.clock = Clock(0.0, 0.0, *2 * (self._rate(0),))
        self._made: list[_Made] = []
        self._shifts: list[tuple[int, int, int]] = []
        self._number = -1
        self._leave = self._first = math.ceil(RESTING_BEFORE * self._rate(0))
        self._resting = True
        self._sources: list[Held] = []
        self._sinks: list[Held] = []
        self._rests: list[tuple[int, int]] = []
        self._lying: list[Toss] = []
        self._still = 0

    def add(self, length: Length, throws: tuple[tuple[Throw, ...], int] | None = None) -> Placed:
        """Let the next of the segments follow.

        Args:
            length: how long.
            throws: what leads to it, from beat 0 on, and in how many beats; None for the shortest.

        Raises:
            PatternError: these throws do not lead there; its `throw` is the first that cannot be
                made.
            ChoreographyError: the routine is too long, or props cannot be picked up or put down.
        """
        self._number += 1
        segment = self.segments[self._number]
        more = segment.pattern.props - self.segments[max(self._number - 1, 0)].pattern.props
        if more and not all(each.stays for each in self.segments):
            reason = _("props lie on stands only beside jugglers who stay where they are")
            raise ChoreographyError(
                _(
                    "{reason}, and some of these go elsewhere; juggle as many props in all lines",
                    reason=reason,
                )
            )
        scale = self.division // segment.pattern.division
        join = self._join_to(segment, scale, throws)
        leaves = self._leave
        enters = self._leave + join.length
        self._throw(join)
        self._change_tempo(leaves)
        shift = enters - join.entry
        beats = segment.beats(length, self.division, self.clock, enters, join.entry)
        pattern = segment.pattern
        loop = segment.loop * scale
        if len(self._made) + beats * len(pattern.throws) // (scale * pattern.period) > MAX_THROWS:
            raise ChoreographyError(
                _(
                    "the routine has more than {max_throws} throws, the most that are laid out",
                    max_throws=MAX_THROWS,
                )
            )
        lead = 0
        tosses = self._unhurried(segment.tosses(self.division, join.entry, beats, shift))
        while any(self._is_hurried(toss) for toss in tosses if toss.throw.beat >= enters + lead):
            # Plain loops come first, until the tempo is that in which hands have time to go around
            # the body.
            lead += loop
            tosses = segment.tosses(self.division, join.entry, beats + lead, shift)
        beats += lead
        self._keep(toss.plain if toss.throw.beat < enters + lead else toss for toss in tosses)
        self._shifts.append((enters, enters + beats, shift))
        self._leave = enters + beats
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self.division), more))
        return self.placed[-1]

    def stop(self, seconds: float | None = None) -> Placed:
        """Collect all props, and hold them still for some time, [s]."""
        segment = self.segments[self._number]
        leaves = self._leave
        scale = self.division // segment.pattern.division
        grounds = ground_states(segment.pattern, scale)
        last = self._number + 1 == len(self.segments)
        wanted = Counter(each.hand for each in self._sinks)
        alike = [each for each in grounds if Counter(hands_due(each)) == wanted] if last else []
        chosen = alike or grounds
        old = self._present(self._deep(segment, scale))
        states = padded(chosen, old.due.shape[1])
        new = States(states, np.zeros((len(chosen), self.hands), dtype=np.intp))
        join = shortest_join(old, new, None, self.division, 1)
        assert join is not None, "once all has landed, any state can follow"
        self._throw(join)
        enters = leaves + join.length
        found = [Held(enters + beat, hand) for beat, hand in sites_due(chosen[join.entry])]
        caught = max(each.beat for each in found)
        rate = self.clock.later
        self._still = math.ceil(
            max(RESTING_AFTER if seconds is None else seconds, _SHORTEST_REST) * rate
        )
        self._sources = found
        self._resting = True
        self._leave = caught + self._still + (0 if alike or not last else self._crossing_time())
        self._rests.append((caught, self._leave))
        self.placed.append(Placed(leaves, enters, self._leave, join.written(self.division)))
        return self.placed[-1]

    def choreography(self) -> Choreography:
        """All of it as a loop: what was collected in the end lies in the hands until the first
        throw.

        Raises:
            ChoreographyError: more props lie beside a hand than there is room for.
        """
        assert self._resting, "it was stopped"
        more = self.segments[0].pattern.props - self.segments[-1].pattern.props
        lying = lying_more(each.toss for each in self._made)
        self._wait(+lying, -lying)
        period = self._leave
        sinks = [each._replace(beat=each.beat + period) for each in self._sinks]
        pause = self._pause()
        self._keep(hold(*with_all_back(self._sources, sinks, pause, lying), pause))
        self.placed[-1] = self.placed[-1]._replace(until=period, more=more)
        parts = self.division
        clock = self.clock
        made = sorted(self._made, key=lambda each: each.toss.throw.beat)
        tosses = [in_seconds(each.toss, clock, parts) for each in made]
        if any(toss.rests for toss in tosses):
            tosses = with_landings(tosses, period, clock.at(period), self.style.kinds[0])
            parts = 2 * parts
            period = 2 * period
            clock = clock.scaled(2)
        order = sorted(range(len(tosses)), key=lambda place: tosses[place].throw.beat)
        made = [made[place] for place in order]
        tosses = [tosses[place] for place in order]
        throws = tuple(toss.throw for toss in tosses)
        pattern = Pattern("", throws, period, period, self.segments[0].pattern.jugglers, parts)
        tosses = with_props(tosses, pattern)
        ring = TossRing(tosses, pattern, 0, 0.0, clock.at(period))
        layout = RingLayout(ring)
        for number in range(len(self.segments)):
            joining = [
                place
                for place, each in enumerate(made)
                if each.segment == number and tosses[place].flown is None
            ]
            if any(not pattern.throws[place].held for place in joining):
                layout.time(clock, self.segments[number], len(tosses), joining)
        for placed in self.placed:
            ring.make_room(
                Present(placed.leaves * parts // self.division, self.clock.at(placed.leaves))
            )
        ring.keep_order(Present(0, 0.0))
        settle_stands(ring)
        looks = tuple(
            PropLook(*self.style.look(place), image=self.style.image)
            for place in range(pattern.props)
        )
        hands = HandTimes.of(ring)
        points = list[Waypoint]()
        for segment, span in zip(self.segments, self._shifts, strict=True):
            points += hands.passing(segment, *span, self.division, self.clock)
        # Nor does a hand swing that has nothing to do for long while one pattern goes over into
        # another.
        leaves = sorted(
            {
                beat
                for placed in self.placed
                for beat in (placed.leaves - self.division, placed.leaves)
            }
        )
        over = [(self.clock.at(beat),) * 2 for beat in leaves]
        points += hands.resting([*rest_times(self._rests, self.clock), *over], points)
        self.flown = tuple(toss for place, toss in enumerate(ring.tosses) if ring.flies(place))
        self.parts = parts
        bodies = standing_places(self.segments, self._shifts, self.division, self.clock)
        return layout.loop(self.segments[0], bodies, looks, points, len(tosses)).choreography

    def _rate(self, number: int) -> float:
        return self.segments[number].choreography.bps * self.division

    def _deep(self, segment: Segment, scale: int) -> int:
        """More beats than anything that is thrown flies or is held."""
        own = max((throw.value for throw in segment.pattern.throws), default=0) * scale
        made = max(
            (toss.landing - self._leave for toss, _ in self._made if not toss.puts_down), default=0
        )
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

    def _join_to(
        self, segment: Segment, scale: int, throws: tuple[tuple[Throw, ...], int] | None
    ) -> Join:
        """The throws that lead to a segment, from what is thrown or from props at rest."""
        deep = self._deep(segment, scale)
        pattern = segment.pattern
        new = entry_states(pattern, scale, deep + 1)
        olds = (
            [self._present(deep)]
            if not self._resting
            else list(self._from_rest(segment, scale, deep))
        )
        if throws is not None:
            if any(due.due.sum() != pattern.props for due in olds):
                reason = _(
                    "these throws lead to a pattern with other props, which are picked up or put "
                    "down on the way"
                )
                raise PatternError(reason)
            try:
                place, join = given_join(olds, new, *throws, self.division)
            except PatternError as error:
                shortest = " ".join(self._shortest(olds, new)[1].written(self.division))
                instead = (
                    _("{shortest} would", shortest=shortest) if shortest else _("none are needed")
                )
                raise PatternError(f"{error}; {instead}", error.throw) from None
        else:
            place, join = self._shortest(olds, new)
        self._leave_hands(olds[place])
        return join

    def _from_rest(self, segment: Segment, scale: int, deep: int) -> Iterator[States]:
        """States in which the hands have what they hold; at the start of the routine, any ground
        states.
        """
        wanted = Counter(each.hand for each in self._sources)
        grounds = ground_states(segment.pattern, scale)
        since = np.full((1, self.hands), _LONG_AGO)
        alike = [each for each in grounds if not wanted or Counter(hands_due(each)) == wanted]
        if wanted.total() != segment.pattern.props:
            alike = [min(grounds, key=self._trouble)] if wanted else grounds
        for ground in alike or [held_state(wanted, self.hands, self.division)]:
            yield States(padded([ground], deep + 1), since)

    def _trouble(self, ground: Integers) -> tuple[int, int]:
        """For a state that follows a rest: how many props go from hand to hand, and how uneven
        stands are then.
        """
        have = Counter(each.hand for each in self._sources)
        need = Counter(hands_due(ground))
        missing = need - have
        over = have - need
        lying = lying_more(each.toss for each in self._made)
        lying.subtract(missing)
        lying.update(over)
        return min(missing.total(), over.total()), unevenness(lying)

    def _leave_hands(self, old: States) -> None:
        """Let what lies in hands be held until it is due in a state."""
        if not self._resting:
            return
        if self._sources:
            due = sites_due(old.due[0])
            lying = lying_more(each.toss for each in self._made)
            have = Counter(each.hand for each in self._sources)
            need = Counter(hand for _, hand in due)
            if have.total() != need.total():
                self._wait(need - have, have - need)
            sinks = [Held(self._leave + beat, hand) for beat, hand in due]
            pause = self._pause()
            self._keep(hold(*with_stands(self._sources, sinks, pause, lying), pause))
        else:
            self._sinks = [Held(self._leave + beat, hand) for beat, hand in sites_due(old.due[0])]
            self._rests.insert(0, (0, self._leave))
            # What lies in hands before all else counts as held until then.
            self._lying = [
                Toss(Throw(0, hand // 2, hand % 2, beat, hand // 2, hand % 2, held=True), -1, None)
                for beat, hand, _ in self._sinks
            ]
        self._resting = False
        self._sources = []

    def _pause(self) -> Pause:
        """The rest that ends where the next line may begin."""
        return Pause(
            max(each.beat for each in self._sources),
            self._leave,
            _CROSSING * self.division,
            self._still,
        )

    def _wait(self, missing: Counter[int], over: Counter[int]) -> None:
        """Let the rest last long enough to pick up and put down what hands lack or have too much,
        or to exchange it.
        """
        if not missing and not over:
            return
        starts = self._pause().starts
        most = max((missing + over).values())
        beats = math.ceil(REACHING * (most + 2) * self.clock.later)
        beats += self._crossing_time() if missing and over else 0
        self._leave = max(self._leave, starts + beats)
        self._rests[-1] = starts, self._leave
        self.placed[-1] = self.placed[-1]._replace(until=self._leave)

    def _crossing_time(self) -> int:
        """Time for what another hand begins with."""
        return 2 * _CROSSING * self.division

    def _unhurried(self, tosses: list[Toss]) -> list[Toss]:
        """Tosses of the present segment, plain ones in place of those around a body that a quicker
        tempo would hurry.

        Those that are not made again later stay: they are what the line is for.
        """
        pattern = self.segments[self._number].pattern
        period = pattern.period * self.division // pattern.division
        hurried = {place for place, toss in enumerate(tosses) if self._is_hurried(toss)}
        again = {
            toss.throw.beat % period for place, toss in enumerate(tosses) if place not in hurried
        }
        plain = {place for place in hurried if tosses[place].throw.beat % period in again}
        return [toss.plain if place in plain else toss for place, toss in enumerate(tosses)]

    def _is_hurried(self, toss: Toss) -> bool:
        """Whether a toss of the present segment is around a body and has much less time than in its
        own tempo.
        """
        if toss.flown is None or not toss.is_around:
            return False
        begins = min(toss.throw.beat, toss.flown.thrown) - self.division
        ends = toss.flown.caught
        return self.clock.hurries(begins, ends)

    def _keep(self, tosses: Iterable[Toss]) -> None:
        self._made += [_Made(toss, max(self._number, 0)) for toss in tosses]

    def _throw(self, join: Join) -> None:
        for throw in join.throws:
            moved = throw._replace(beat=throw.beat + self._leave)
            self._made.append(_Made(Toss(moved, -1, None), self._number))
        self._keep([put_down(self._leave + beat, hand) for beat, hand in join.put_down])
        self._keep([pick_up(self._leave, hand, self._leave + beat) for beat, hand in join.picked])

    def _shortest(self, olds: Sequence[States], new: States) -> tuple[int, Join]:
        """The shortest join into the present segment, and from which of some states."""
        pattern = self.segments[self._number].pattern
        lying = lying_more(each.toss for each in self._made)

        def drawback(join: Join) -> int:
            """Twice how many props would lie on the other stand than in the beginning."""
            after = Counter(lying)
            after.update(hand for _, hand in join.put_down)
            after.subtract(hand for _, hand in join.picked)
            return unevenness(after)

        joins = [
            shortest_join(old, new, pattern, self.division, 1, drawback=drawback) for old in olds
        ]
        found = [(each.length, place, each) for place, each in enumerate(joins) if each]
        _unused, place, join = min(found, key=lambda each: each[:2])
        return place, join

    def _change_tempo(self, leaves: int) -> None:
        """Go over to the tempo of the present segment: to a faster one before its first throw, to a
        slower one once all has landed that is in the air. So nothing is thrown higher than its own
        pattern has it.
        """
        rate = self._rate(self._number)
        now = self.clock.later
        if rate > now:
            beat = leaves - SLEWING * (rate + now) / 2
        else:
            flying = (toss for toss, _ in self._made if not toss.throw.held and not toss.rests)
            beat = max([leaves, *(toss.landing for toss in flying)])
        beat = max(beat, self.clock.steady[0])
        if rate != now:
            self.clock = Clock(beat, self.clock.at(beat), now, rate, self.clock)


def ground_states(pattern: Pattern, scale: int) -> list[Integers]:
    """The ground states of a pattern, begun by either hand: props due on each coming beat in each
    hand.
    """
    hands = 2 * pattern.jugglers
    rows, _unused = rows_of(pattern)
    found: list[Integers] = []
    for beat in range(2 * math.lcm(*(row.step for row in rows))):
        if not any(row.throws_on(beat) for row in rows):
            continue
        state = ground_state(rows, pattern.props, beat)
        counts = np.zeros((len(state) * scale, hands), dtype=np.intp)
        for later, number in (
            (later, number) for later in range(len(state)) for number in range(len(rows))
        ):
            row = rows[number]
            if state[later][number]:
                hand = 2 * row.juggler + row.hand_on(beat + later)
                counts[later * scale, hand] += state[later][number]
        if not any(len(counts) == len(each) and (counts == each).all() for each in found):
            found.append(counts)
    return found


def entry_states(pattern: Pattern, scale: int, depth: int) -> States:
    """What surrounds each beat, or part of one, of a pattern, told for a number of beats ahead.

    Args:
        pattern: whose hands throw.
        scale: parts of each of its own parts of a beat.
        depth: more than anything flies.
    """
    period = pattern.period * scale
    hands = 2 * pattern.jugglers
    counts = [np.array(state).reshape(-1, hands) for state in states_of(pattern)]
    entries = np.zeros((period, depth, hands), dtype=np.intp)
    for beat in range(period):
        later = -beat % scale
        own = counts[(beat + later) // scale % pattern.period]
        entries[beat, later : later + len(own) * scale : scale] = own
    since = np.full((period, hands), period, dtype=np.intp)
    for throw in pattern.throws:
        ago = (np.arange(period) - throw.beat * scale - 1) % period + 1
        since[:, hand_of(throw)] = np.minimum(since[:, hand_of(throw)], ago)
    return States(entries, since)


def sites_due(counts: Integers) -> list[tuple[int, int]]:
    """The beat and the hand of each prop that is due, from counts of shape (beats, hands)."""
    return [
        (beat, hand)
        for beat, hand in np.argwhere(counts > 0).tolist()
        for _ in range(int(counts[beat, hand]))
    ]


def hands_due(counts: Integers) -> list[int]:
    """The hand of each prop that is due, likewise."""
    return [hand for _, hand in sites_due(counts)]


def padded(states: Sequence[Integers], depth: int) -> Integers:
    """States with as many beats each, shape (N, depth, H)."""
    return np.stack([np.pad(each, ((0, depth - len(each)), (0, 0))) for each in states])


def held_state(held: Counter[int], hands: int, division: int) -> Integers:
    """A state in which each hand throws what it holds on every second beat, right hands first."""
    found = np.zeros((2 * division * max(held.values()), hands), dtype=np.intp)
    for hand, count in held.items():
        first = 0 if hand % 2 == RIGHT else division
        found[first : first + 2 * division * count : 2 * division, hand] = 1
    return found


def given_join(
    olds: Sequence[States], new: States, throws: Sequence[Throw], length: int, division: int
) -> tuple[int, Join]:
    """The join that throws make, by either hand, and from which of some states.

    Raises:
        PatternError: they lead from none of these into the new ones; its `throw` is the first that
            cannot be made.
    """
    best = -1
    problem = PatternError(_("there are no throws"))
    for place, old in enumerate(olds):
        for turned in (0, 1):
            made = [
                throw._replace(
                    beat=throw.beat * division,
                    value=throw.value * division,
                    hand=throw.hand ^ turned,
                    to_hand=throw.to_hand ^ turned,
                )
                for throw in throws
            ]
            depth = max([old.due.shape[1], new.due.shape[1]]) + max(
                (each.value for each in made), default=0
            )
            due = padded([old.due[0]], depth + length * division)[0]
            wrong = _first_wrong(due, made, length * division)
            if wrong is None:
                rest = due[length * division :][: new.due.shape[1]]
                same = (new.due == rest[None, : new.due.shape[1]]).all(axis=(1, 2))
                if same.any():
                    return place, Join(
                        0, int(same.argmax()), length * division, tuple(made), (), ()
                    )
                wrong = (
                    length * division,
                    _("these throws do not lead into it"),
                    None,
                )
            if wrong[0] > best:
                best = wrong[0]
                problem = PatternError(wrong[1], wrong[2])
    raise problem


def _first_wrong(
    due: Integers, throws: Sequence[Throw], length: int
) -> tuple[int, str, int | None] | None:
    """The first beat whose throws do not fit what is due, why, and which throw it is; `due` is
    carried on.
    """
    for beat in range(length):
        for hand in range(due.shape[1]):
            made = [
                (number, each)
                for number, each in enumerate(throws)
                if (each.beat, hand_of(each)) == (beat, hand)
            ]
            if len(made) != due[beat, hand]:
                number = (
                    made[0][0]
                    if made
                    else next((n for n, each in enumerate(throws) if each.beat >= beat), None)
                )
                there = int(due[beat, hand])
                needs = (
                    _("no prop comes down then")
                    if not there
                    else ngettext("{number} comes down then", "{number} come down then", there)
                )
                return (
                    beat,
                    _(
                        "the {hand} throws {count} here, but {needs}",
                        hand=hand_in_words(hand),
                        count=len(made),
                        needs=needs,
                    ),
                    number,
                )
            for _unused, throw in made:
                due[beat + throw.value, catching_hand(throw)] += 1
    return None


class Held(NamedTuple):
    """A prop that a hand has from a beat on, or up to one; or on its stand then."""

    beat: int
    hand: int
    on_stand: bool = False


class Pause(NamedTuple):
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


def with_stands(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """What hands have at the start and at the end of a rest, with what they pick up and put down,
    as much in both.

    Args:
        sources, sinks: what hands have, and what they need.
        pause: between.
        lying: how many more props than in the beginning lie beside each hand; these are taken
            first.
    """
    more = len(sinks) - len(sources)
    have, need = (Counter(each.hand for each in ends) for ends in (sources, sinks))
    missing = sorted((need - have).elements(), key=lambda hand: -lying[hand])
    over = sorted((have - need).elements(), key=lambda hand: lying[hand])
    taken = [Held(pause.starts, hand, True) for hand in missing[: max(more, 0)]]
    left = [Held(pause.until, hand, True) for hand in over[: max(-more, 0)]]
    return [*sources, *taken], [*sinks, *left]


def with_all_back(
    sources: Sequence[Held], sinks: Sequence[Held], pause: Pause, lying: Counter[int]
) -> tuple[list[Held], list[Held]]:
    """The same for the end of a routine: as many props lie beside each hand as in the beginning;
    arguments alike.
    """
    taken = [Held(pause.starts, hand, True) for hand in (+lying).elements()]
    left = [Held(pause.until, hand, True) for hand in (-lying).elements()]
    return [*sources, *taken], [*sinks, *left]


def hold(sources: Sequence[Held], sinks: Sequence[Held], pause: Pause) -> list[Toss]:
    """Hold what hands have until they need it; what another hand needs is thrown across in the
    middle of the pause.

    Args:
        sources, sinks: as many.
        pause: between.
    """
    found = list[Toss]()
    over = list[Held]()
    left = sorted(sinks)
    for source in sorted(sources):
        sink = next((each for each in left if each.hand == source.hand), None)
        if sink is None:
            over.append(source)
            continue
        left.remove(sink)
        found += _kept(source, sink.beat, pause, sink)
    for source, sink in zip(over, left, strict=True):
        middle = (source.beat + sink.beat - pause.crossing) // 2
        thrown = max(source.beat, min(middle, pause.until - pause.crossing - pause.still))
        lands = min(thrown + pause.crossing, sink.beat)
        found += _kept(source, thrown, pause)
        found.append(Toss(_throw(thrown, source.hand, lands, sink.hand), -1, None))
        found += _kept(Held(lands, sink.hand), sink.beat, pause, sink)
    return found


def _kept(source: Held, until: int, pause: Pause, sink: Held | None = None) -> list[Toss]:
    """What a hand does with a prop until a beat: it holds it, picks it up before that in the pause,
    or puts it down.
    """
    if source.on_stand:
        there = min(until, pause.until - 1)
        return [
            pick_up(source.beat, source.hand, there),
            *_kept(Held(there, source.hand), until, pause),
        ]
    if sink and sink.on_stand:
        return [put_down(source.beat, source.hand)]
    if source.beat == until:
        return []
    return [Toss(_throw(source.beat, source.hand, until, source.hand, held=True), -1, None)]


def _throw(beat: int, hand: int, lands: int, to: int, held: bool | None = None) -> Throw:
    return Throw(beat, hand // 2, hand % 2, lands - beat, to // 2, to % 2, held=held)


def rest_times(rests: Sequence[tuple[int, int]], clock: Clock) -> list[tuple[float, float]]:
    """When props lie in hands, [s]; the end of the routine goes on at its start.

    Args:
        rests: likewise in parts of a beat, that at the start first.
        clock: when these are.
    """
    (_, first), *others = rests
    *middle, (last, end) = others
    whole = clock.at(last), clock.at(end) + clock.at(first)
    return [(clock.at(start), clock.at(until)) for start, until in middle] + [whole]


def standing_places(
    segments: Sequence[Segment], spans: Sequence[tuple[int, int, int]], division: int, clock: Clock
) -> BodyKeyframes:
    """Where jugglers stand: as each pattern has it, while it is juggled.

    Args:
        segments: the patterns.
        spans: for each the first part of a beat, that after the last one, and that of its own first
            beat.
        division: parts of a beat.
        clock: when these are.
    """
    rows: list[tuple[int, float, Floats, float]] = []
    for segment, (enters, until, shift) in zip(segments, spans, strict=True):
        keys = segment.choreography.bodies
        rate = segment.choreography.bps * division
        loop = round(segment.choreography.duration * rate)
        still = len(keys.time) == len(np.unique(keys.juggler))
        for row in range(len(keys.time)):
            first = float(keys.time[row]) * rate + shift
            beats = [enters] if still else np.arange(first, until, loop).tolist()
            rows += [
                (
                    int(keys.juggler[row]),
                    clock.at(beat),
                    keys.position[row],
                    float(keys.facing[row]),
                )
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
