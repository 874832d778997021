"""Routines laid out: patterns one after another, each for a given time, from props at rest in the
hands until they are collected, as one loop of events.

Throws of a pattern keep their usual beats and places. Between two patterns stand the throws of a
transition, at the faster of both tempi; what goes around a body waits until a slower one holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography import BodyKeyframes, Choreography, PropLook, PropStyle
from juggle_anim.errors import ChoreographyError, PatternError, hand_in_words
from juggle_anim.language import _, ngettext
from juggle_anim.pattern import (
    RIGHT,
    Join,
    Pattern,
    States,
    Throw,
    catching_hand,
    ground_state,
    hand_number,
    hand_of,
    rows_of,
    shortest_join,
    side_of_hand,
    sites_due,
    states_of,
    throw_between,
)
from juggle_anim.tosses.hand_times import HandTimes
from juggle_anim.tosses.loop import Length, Segment
from juggle_anim.tosses.stands import (
    STAND_REACH,
    count_stand_surplus,
    pick_up,
    put_down,
    time_stand_moves,
    unevenness,
    with_stand_rests,
)
from juggle_anim.tosses.toss_ring import (
    TEMPO_CHANGE,
    Clock,
    Present,
    Toss,
    TossRing,
    Waypoint,
    states_before,
)

PAUSE_BEFORE = 0.8
"""How long props lie in hands before the first throw, [s]."""

PAUSE_AFTER = 1.2
"""How long props lie in hands after the last catch, [s]."""

MAX_THROWS = 20_000
"""Limit of the throws of a routine."""

_LONG_AGO = 1_000  # ticks, taken as the time since a hand's last throw after a pause
_SHORTEST_PAUSE = 0.5  # s
_CROSSING_BEATS = 3  # beats of a throw from hand to hand while nothing else is juggled


class Placed(NamedTuple):
    """When a line of a routine is juggled, in ticks: parts of a beat as `RoutineLayout` divides it.

    The join is the throws that lead from the line before to this one.

    Attributes:
        join_tick: first tick of the join.
        enter_tick: first tick of the line itself.
        end_tick: first tick of the next line's join.
        join_throws: throws of the join as siteswap, one text for each beat.
        props_added: how many props are picked up during the join; below 0, how many are put down.
    """

    join_tick: int
    enter_tick: int
    end_tick: int
    join_throws: tuple[str, ...] = ()
    props_added: int = 0


class GivenThrows(NamedTuple):
    """Throws that a text states as the transition to a pattern.

    Attributes:
        throws: the throws, from beat 0 on.
        beats: duration of the transition, [beats].
    """

    throws: tuple[Throw, ...]
    beats: int


class _LaidToss(NamedTuple):
    """A toss, and the index of the segment whose style times it."""

    toss: Toss
    segment: int


class _Stretch(NamedTuple):
    """When a segment is juggled, in ticks: parts of a beat.

    Attributes:
        first_tick: the first tick.
        end_tick: the tick after the last one.
        origin_tick: the tick of beat 0 of the segment's pattern.
    """

    first_tick: int
    end_tick: int
    origin_tick: int


class _PropAtHand(NamedTuple):
    """A prop that a hand has at the start of a pause (a source) or needs at its end (a sink).

    Sorts by tick, then by hand. A stand is a place beside the hand where props lie.

    Attributes:
        tick: the tick on which the hand gets the prop (a source), or needs it (a sink).
        hand: 2 · juggler + side.
        on_stand: whether the prop then lies on the hand's stand; if not, in the hand.
    """

    tick: int
    hand: int
    on_stand: bool = False


class _Pause(NamedTuple):
    """The ticks of a pause, in which props lie in hands; a tick is a part of a beat.

    Attributes:
        start_tick: the tick of the last catch.
        end_tick: the first tick on which a prop may be thrown again.
        crossing_ticks: duration of a throw from hand to hand.
        still_ticks: for how long before `end_tick` nothing moves, if the pause is long enough.
    """

    start_tick: int
    end_tick: int
    crossing_ticks: int
    still_ticks: int


class RoutineLayout:
    """A routine while it is laid out, one line after another.

    Time is counted in ticks: equal parts of a beat, the fewest that suit all patterns.

    Args:
        segments: the patterns that will be added, in order, all with the same number of jugglers.
        style: how props look.

    Attributes:
        placed: the lines so far.
        clock: converts ticks to seconds.
        flying: the tosses that fly, one for each flight; empty until `choreography` is called.
        flying_ticks_per_beat: number of ticks in a beat in `flying`.
    """

    def __init__(self, segments: Sequence[Segment], style: PropStyle) -> None:
        """Begin with an empty routine: a pause, of `PAUSE_BEFORE` seconds, before any throw.

        In a pause, hands hold their props.

        Args:
            segments: the patterns of the routine in order, all with the same number of jugglers.
            style: kinds, sizes and colours of the props.
        """
        self._segments = segments
        self._style = style
        self._hands = 2 * segments[0].pattern.jugglers
        # A tick is the largest part of a beat of which all patterns count whole numbers.
        self._ticks_per_beat = math.lcm(*(segment.pattern.division for segment in segments))
        self.clock = Clock.steady(self._rate(segments[0]))

        # What is laid out so far: when each segment and pause is juggled, as texts tell it and in
        # ticks, and all tosses (throws, holds and moves at stands, of one prop on one tick). The
        # next line begins with the first free tick, after the pause at the start.
        self.placed: list[Placed] = []
        self._stretches: list[_Stretch] = []
        self._tosses: list[_LaidToss] = []
        self._current_index = -1  # of the segment that was added last; −1 before the first
        self._first_free_tick = math.ceil(PAUSE_BEFORE * self._rate(segments[0]))

        # Pauses: first and last tick of each; which props hands hold as the present one begins, and
        # for how many ticks nothing moves at its end. In the first pause hands hold their props
        # until the first throws.
        self._pauses: list[tuple[int, int]] = []
        self._is_paused = True
        self._sources: list[_PropAtHand] = []
        self._still_ticks = 0
        self._first_props: list[_PropAtHand] = []
        self._initial_holds: list[Toss] = []

        # The tosses that fly, once `choreography` is called.
        self.flying: tuple[Toss, ...] = ()
        self.flying_ticks_per_beat = self._ticks_per_beat

    @property
    def _current_segment(self) -> Segment:
        """The segment that was added last."""
        return self._segments[self._current_index]

    def add(self, length: Length, given_throws: GivenThrows | None = None) -> Placed:
        """Lay out the next segment: the throws that lead to it, its tempo and its own throws.

        A segment is a pattern of the routine, juggled for some time. The first call lays out the
        first of the segments given to the class, and so on. If the routine pauses, that is, hands
        hold all props, the throws that lead to the segment end the pause. Ticks are equal parts of
        a beat that suit all patterns.

        Args:
            length: duration of the segment.
            given_throws: throws that lead to it; None for the shortest.

        Returns:
            When the segment and the throws to it begin and end; also appended to `placed`.

        Raises:
            PatternError: the given throws do not lead to the segment; the error's `throw` is the
                first one that cannot be made.
            ChoreographyError: the routine is too long, or props cannot be picked up or put down.
        """
        # The first segment is compared with itself: its props lie in the hands at the start, so
        # none are added.
        segment_before = self._segments[max(self._current_index, 0)]
        self._current_index += 1
        segment = self._current_segment
        props_added = segment.pattern.props - segment_before.pattern.props
        if props_added:
            self._check_stands_are_in_reach()

        # The join is the throws into the segment, and `exit_state` tells which props come down when
        # as they begin.
        exit_state, join = self._join_to(segment, given_throws)
        # End a pause, if there is one. Its props may need more time to get where they must be,
        # which moves the first free tick: the join begins on what is the first free tick then.
        self._end_pause(exit_state)
        join_tick = self._first_free_tick
        enter_tick = join_tick + join.length
        self._lay_join(join)
        self._change_tempo(join_tick)

        # The join may lead into the middle of the loop of the segment's pattern: it enters at the
        # tick `join.entry` of that loop. The segment lasts as long as requested; it is longer only
        # if it comes after a faster pattern, as hands must not hurry around the body.
        requested_ticks = segment.duration_ticks(
            length,
            self._ticks_per_beat,
            self.clock,
            first_tick=enter_tick,
            first_pattern_tick=join.entry,
        )
        segment_ticks = self._lay_segment(
            segment, first_pattern_tick=join.entry, enter_tick=enter_tick, ticks=requested_ticks
        )
        self._first_free_tick = enter_tick + segment_ticks
        self._stretches.append(
            _Stretch(
                first_tick=enter_tick,
                end_tick=self._first_free_tick,
                origin_tick=enter_tick - join.entry,
            )
        )
        self.placed.append(
            Placed(
                join_tick=join_tick,
                enter_tick=enter_tick,
                end_tick=self._first_free_tick,
                join_throws=join.written(self._ticks_per_beat),
                props_added=props_added,
            )
        )
        return self.placed[-1]

    def _check_stands_are_in_reach(self) -> None:
        """Check that jugglers stay in place: props are added from stands, and put down on them.

        Raises:
            ChoreographyError: some walk; stands have fixed places, and would be out of reach.
        """
        if not all(segment.is_stationary for segment in self._segments):
            reason = _("props can lie on stands only beside jugglers who stay in place")
            raise ChoreographyError(
                _(
                    "{reason}, and some of these go elsewhere; juggle as many props in all lines",
                    reason=reason,
                )
            )

    def _lay_segment(
        self, segment: Segment, first_pattern_tick: int, enter_tick: int, ticks: int
    ) -> int:
        """Lay out the throws of a segment: a pattern of the routine, juggled for some time.

        A tick is the part of a beat in which all patterns are counted. After a faster pattern the
        tempo slows down only gradually, and hands would have to hurry around the body. A hurried
        throw around the body becomes a plain one if the segment makes it without hurry in a later
        loop. If hurried ones remain, the segment is prolonged: it begins with loops in which all
        throws are plain.

        Args:
            segment: the pattern that is juggled.
            first_pattern_tick: the tick of the pattern's loop on which the segment begins.
            enter_tick: the tick of the routine on which it begins.
            ticks: requested duration of the segment, [ticks].

        Returns:
            Actual duration of the segment, [ticks]: the requested one plus the loops of plain
            throws.

        Raises:
            ChoreographyError: the routine has more than `MAX_THROWS` throws.
        """
        pattern = segment.pattern
        ticks_per_part = self._ticks_per_beat // pattern.division
        # Loops of the pattern in that time, each with all its throws.
        throw_count = ticks * len(pattern.throws) // (ticks_per_part * pattern.period)
        if len(self._tosses) + throw_count > MAX_THROWS:
            raise ChoreographyError(
                _(
                    "the routine has more than the limit of {max_throws} throws",
                    max_throws=MAX_THROWS,
                )
            )

        def tosses_of(duration_ticks: int) -> list[Toss]:
            """The throws and holds of the segment, if it is juggled for that many ticks."""
            origin_tick = enter_tick - first_pattern_tick
            return segment.tosses(
                self._ticks_per_beat, first_pattern_tick, duration_ticks, origin_tick
            )

        # A throw that is hurried at first and not in a later loop is plain until then. Those that
        # remain hurried are so in every loop of a segment of this length.
        plain_ticks = 0
        tosses = self._without_hurried_tosses(tosses_of(ticks))
        while any(
            self.clock.is_hurried(toss, self._ticks_per_beat)
            for toss in tosses
            if toss.throw.beat >= enter_tick + plain_ticks
        ):
            # Put another loop of plain throws at the start, until no toss after them is hurried,
            # as must be once the tempo has slowed down. These loops take the place of the
            # replacements above.
            plain_ticks += segment.loop_parts * ticks_per_part
            tosses = tosses_of(ticks + plain_ticks)
        first_around_body = enter_tick + plain_ticks
        self._lay_tosses(
            toss.plain if toss.throw.beat < first_around_body else toss for toss in tosses
        )
        return ticks + plain_ticks

    def stop(self, seconds: float | None = None) -> Placed:
        """Lay out the throws that collect all props in the hands, and the pause that follows.

        The throws lead from the last segment (pattern) to a ground state, in which all props are in
        hands. The routine repeats, so after its very last segment each hand should have the number
        of props that it began with, if such a ground state exists. Ticks are parts of a beat.

        Args:
            seconds: how long nothing moves in the pause, [s], raised to `_SHORTEST_PAUSE` if it is
                less; None for `PAUSE_AFTER`.

        Returns:
            When these throws and the pause begin and end; also appended to `placed`. The layout is
            then paused: its next segment begins with the props in the hands (`_sources`).
        """
        join_tick = self._first_free_tick
        goal_states, needs_crossing = self._ground_states_to_stop_in()

        # The shortest throws to one of the goals. `since`, the ticks since each hand's last throw,
        # keeps hands from throwing twice in a row. In the goals props are held and not thrown, and
        # 0 demands no time for a throw before.
        present_state = self._present_state(self._state_depth(self._current_segment))
        goals_due = padded(goal_states, present_state.due.shape[1])
        goals = States(goals_due, since=np.zeros((len(goal_states), self._hands), dtype=np.intp))
        join = shortest_join(present_state, goals, None, self._ticks_per_beat, exit_step=1)
        assert join is not None, "once all has landed, any state can follow"
        self._lay_join(join)

        # The pause, from the last catch on. A prop that is due in a hand on a tick of the reached
        # state is caught then and stays in that hand.
        enter_tick = join_tick + join.length
        self._sources = [
            _PropAtHand(enter_tick + tick, hand)
            for tick, hand in sites_due(goal_states[join.entry])
        ]
        last_catch = max(held.tick for held in self._sources)
        still_s = max(PAUSE_AFTER if seconds is None else seconds, _SHORTEST_PAUSE)
        self._still_ticks = math.ceil(still_s * self.clock.final_rate)  # s · ticks/s
        self._is_paused = True
        self._first_free_tick = last_catch + self._still_ticks
        if needs_crossing:
            # Add the time to throw props across to the hands that begin with them.
            self._first_free_tick += self._crossing_time()
        self._pauses.append((last_catch, self._first_free_tick))
        self.placed.append(
            Placed(
                join_tick,
                enter_tick,
                end_tick=self._first_free_tick,
                join_throws=join.written(self._ticks_per_beat),
            )
        )
        return self.placed[-1]

    def _ground_states_to_stop_in(self) -> tuple[list[Integers], bool]:
        """Return the ground states in which the present segment, a pattern, may be stopped.

        In a ground state all props are in hands. After the last segment each hand should have the
        number of props that it began with, as the routine repeats.

        Returns:
            For each state the number of props due on each coming tick (part of a beat) in each
            hand, shape (ticks, H) for H hands; and whether props must be thrown from hand to hand
            in the pause. They must after the last segment, if no state has the numbers of props
            that the hands began with.
        """
        pattern = self._current_segment.pattern
        grounds = ground_states(pattern, self._ticks_per_beat // pattern.division)
        is_last = self._current_index + 1 == len(self._segments)
        if not is_last:
            return grounds, False
        first_counts = Counter(held.hand for held in self._first_props)  # of props, by hand
        as_at_first = [ground for ground in grounds if Counter(hands_due(ground)) == first_counts]
        if as_at_first:
            return as_at_first, False
        return grounds, True

    def choreography(self) -> Choreography:
        """Complete the layout, and return the whole routine as a loop.

        A routine is patterns one after another, its segments. The props caught at the end lie in
        the hands until the loop begins again with the first throw. Call this once, after the last
        segment was added and then `stop`. It lays out the last pause, and sets the attributes
        `flying` and `flying_ticks_per_beat`.

        Raises:
            ChoreographyError: more props lie beside a hand than there is room for.
        """
        assert self._is_paused, "`stop` must be called first"
        # With the last pause, all tosses (throws, holds and moves at stands) form a closed ring,
        # whose end leads to its start.
        self._lay_last_pause()
        ring, segment_of_toss = self._ring()
        # Give each toss its times in seconds, by the parameters of its own segment.
        self._time_tosses(ring, segment_of_toss)
        looks = tuple(
            PropLook(*self._style.look(prop), image=self._style.image)
            for prop in range(ring.pattern.props)
        )
        bodies = standing_places(self._segments, self._stretches, self._ticks_per_beat, self.clock)
        waypoints = self._waypoints(HandTimes.from_ring(ring))
        self.flying = tuple(
            toss for toss_index, toss in enumerate(ring.tosses) if ring.flies(toss_index)
        )
        # The ring may have more ticks per beat than the routine: twice as many if props lie on
        # stands, since hands reach there between two ticks.
        self.flying_ticks_per_beat = ring.pattern.division
        # Gravity and bounces are those of the first segment. No toss is a return throw: the ring is
        # closed without throws made for that alone.
        loop = ring.loop(self._segments[0], bodies, looks, waypoints, return_start=len(ring.tosses))
        return loop.choreography

    def _lay_last_pause(self) -> None:
        """Lay out the last pause, so that hands and stands end with the props they began with.

        In a pause, hands hold their props; a stand is the place beside a hand where props lie that
        are not juggled. Each hand picks up the props that its stand has too many, and puts back
        the props that its stand lacks. The pause is extended if that takes longer. The last line in
        `placed` is completed: its `end_tick` is the length of the whole routine, and its
        `props_added` the change of props to the first segment, which follows it in a loop.
        """
        # A hand picks up each prop that its stand has too many, even if it already holds the props
        # that it needs: one of these is then thrown across. For a `Counter`, unary + keeps the
        # positive counts; unary − negates, and keeps what was negative.
        stand_surplus = self._stand_surplus()  # by hand; below 0 where props are lacking
        picked_up = +stand_surplus
        put_down = -stand_surplus
        self._extend_pause(picked_up, put_down)

        # The pause now has its final end, where the routine begins again. The holds end on the
        # first throws of the next round, one period later.
        period = self._first_free_tick
        pause = self._present_pause()
        first_throws = [held._replace(tick=held.tick + period) for held in self._first_props]
        sources, sinks = _with_moves_at_stands(
            self._sources,
            first_throws,
            pause,
            picking_hands=picked_up.elements(),
            putting_hands=put_down.elements(),
        )
        self._lay_tosses(tosses_of_pause(sources, sinks, pause))
        props_added = self._segments[0].pattern.props - self._segments[-1].pattern.props
        self.placed[-1] = self.placed[-1]._replace(end_tick=period, props_added=props_added)

    def _ring(self) -> tuple[TossRing, list[int]]:
        """Return all tosses as a ring, and for each the index of the segment that styles it.

        A toss is a throw, a hold or a stay on a stand (a place beside the hand where props lie), of
        one prop on one tick, a part of a beat. A ring is the tosses of one loop, which repeats. A
        segment is one pattern of the routine, juggled for some time. The tosses of the ring are
        sorted by beat, have flight times in seconds, and know their props. If props lie on stands,
        the ring has twice as many ticks in a beat as the routine, as hands reach there between two
        ticks.
        """
        laid_tosses = sorted(self._tosses, key=lambda laid: laid.toss.throw.beat)
        tosses = [in_seconds(laid.toss, self.clock, self._ticks_per_beat) for laid in laid_tosses]
        # The next round begins with the first free tick.
        period = self._first_free_tick
        duration = self.clock.time_at(period)
        ring_ticks_per_tick = 1
        if any(toss.rests for toss in tosses):
            # The beats of the tosses that this returns are in half ticks. It returns one for each,
            # in the same order, so that indices stay those of `laid_tosses`. How much room a prop
            # takes on a stand depends on its kind; of several kinds the first counts for all.
            tosses = with_stand_rests(tosses, period, duration, self._style.kinds[0])
            ring_ticks_per_tick = 2
        # Stands have shifted the beats of props that are picked up, so the tosses are sorted again.
        order = sorted(range(len(tosses)), key=lambda index: tosses[index].throw.beat)
        ring = TossRing(
            [tosses[index] for index in order],
            period=ring_ticks_per_tick * period,
            ticks_per_beat=ring_ticks_per_tick * self._ticks_per_beat,
            jugglers=self._hands // 2,
            first_tick=0,
            start_time=0.0,
            duration=duration,
        )
        # The tosses of segments know only throws; which prop makes each follows from the ring.
        ring.number_props()
        return ring, [laid_tosses[index].segment for index in order]

    def _time_tosses(self, ring: TossRing, segment_of_toss: Sequence[int]) -> None:
        """Set the flights of the throws between patterns, and the times of moves at stands.

        A toss is a throw, a hold or a stay on a stand (a place beside the hand where props lie), of
        one prop. A ring is the tosses of one loop, which repeats. A segment is one pattern of a
        routine. Throws of the patterns themselves have their flights already. If two events of a
        hand would be too close in time, later throws are moved.

        Args:
            ring: all tosses; changed in place.
            segment_of_toss: for each toss the index of the segment that styles it.
        """
        # The ring may count more ticks in a beat than the routine.
        ticks_per_beat = ring.pattern.division
        clock = self.clock.scaled(ticks_per_beat // self._ticks_per_beat)
        # Throws of a join, which leads from one segment to the next, have no flights yet. They fly
        # in the style of the segment that they lead to.
        for segment_index, segment in enumerate(self._segments):
            join_tosses = [
                toss_index
                for toss_index, toss in enumerate(ring.tosses)
                if segment_of_toss[toss_index] == segment_index and toss.flight is None
            ]
            if any(not ring.pattern.throws[toss_index].held for toss_index in join_tosses):
                ring.time_flights(clock, segment, len(ring.tosses), join_tosses)
        # Where patterns meet, events of a hand may be too close in time. Props thrown before the
        # join begins keep their catches; throws from its first tick on are moved.
        for placed in self.placed:
            tick = placed.join_tick * ticks_per_beat // self._ticks_per_beat
            ring.advance_crowded_throws(Present(tick, self.clock.time_at(placed.join_tick)))
        # No prop may be thrown before it is caught. The present is tick 0, so any throw may be
        # delayed.
        ring.delay_early_throws(Present(tick=0, time=0.0))
        # Moves at stands go between the other events of the hand.
        time_stand_moves(ring)

    def _waypoints(self, hands: HandTimes) -> list[Waypoint]:
        """Return the waypoints of all hands: points that they pass between throws and catches.

        Times count from the start of the routine, [s]; the points are in no order.

        Args:
            hands: when each hand throws and catches in the routine, and how many props it holds.
        """
        # A segment is one pattern of the routine, and its stretch says when it is juggled, in
        # ticks, which are parts of a beat; the pattern's own beat 0 is on `origin_tick`. Its
        # waypoints apply wherever hands make the same throws and catches here as in the pattern
        # alone.
        points = list[Waypoint]()
        for segment, stretch in zip(self._segments, self._stretches, strict=True):
            points_of_segment = segment.waypoints(
                first_tick=stretch.first_tick,
                end_tick=stretch.end_tick,
                origin_tick=stretch.origin_tick,
                ticks_per_beat=self._ticks_per_beat,
                clock=self.clock,
            )
            points += hands.feasible_waypoints(points_of_segment, start_time=0.0)

        # Waypoints at rest keep idle hands from swinging. They are added in each pause, and around
        # each change of pattern for hands that neither throw nor catch then: when the throws that
        # lead into the pattern begin, on `join_tick`, and a beat before. Each of these two moments
        # is passed as a pause without duration.
        change_ticks = set[int]()
        for placed in self.placed:
            change_ticks |= {placed.join_tick - self._ticks_per_beat, placed.join_tick}
        moments = [self.clock.time_at(tick) for tick in sorted(change_ticks)]
        pauses = [*pause_times(self._pauses, self.clock), *((time, time) for time in moments)]
        return points + hands.rest_waypoints(pauses, points)

    def _rate(self, segment: Segment) -> float:
        """The tempo of a segment, [ticks/s]."""
        return segment.choreography.bps * self._ticks_per_beat

    def _stand_surplus(self) -> Counter[int]:
        """How many more props lie on each hand's stand than in the beginning; below 0, fewer."""
        return count_stand_surplus(laid.toss for laid in self._tosses)

    def _state_depth(self, segment: Segment) -> int:
        """Return how many ticks ahead states must reach, with a beat to spare.

        A state tells on which of the coming ticks (parts of a beat) each prop lands. It reaches as
        far as the throws of the next pattern, the last landing, and the last throw of a hand that
        holds all props.

        Args:
            segment: the next pattern of the routine.
        """
        ticks_per_part = self._ticks_per_beat // segment.pattern.division
        highest = max((throw.value for throw in segment.pattern.throws), default=0) * ticks_per_part
        # The longest time from now to a landing. Props that are put down are left out: their
        # landing stands for "never", far after the routine.
        longest = max(
            (
                laid.toss.landing - self._first_free_tick
                for laid in self._tosses
                if not laid.toss.puts_down
            ),
            default=0,
        )
        # A hand that holds all props throws one on every second beat, until the last is gone.
        all_in_one_hand = 2 * self._ticks_per_beat * segment.pattern.props
        return max(highest, longest, all_in_one_hand) + self._ticks_per_beat

    def _present_state(self, depth: int) -> States:
        """The state before the first free tick, up to `depth` ticks after it."""
        tosses = [*self._initial_holds, *(laid.toss for laid in self._tosses)]
        return states_before(tosses, [self._first_free_tick], depth + 1, self._hands)

    def _join_to(self, segment: Segment, given_throws: GivenThrows | None) -> tuple[States, Join]:
        """Return the throws into the next segment, a join, and the state in which they begin.

        A state tells on which of the coming ticks (parts of a beat) a prop is due in which hand.
        After another segment (pattern) the state follows from its throws; after a pause, in which
        hands hold all props, any state fits that is made of these props.

        Args:
            segment: the next segment.
            given_throws: the throws of the join; None for the shortest join.

        Returns:
            The state, as `States` with a single row; and the join.

        Raises:
            PatternError: the given throws do not lead to the segment.
        """
        # A state of the present tick and `depth` ticks ahead has depth + 1 ticks.
        depth = self._state_depth(segment)
        ticks_per_part = self._ticks_per_beat // segment.pattern.division
        entries = entry_states(segment.pattern, ticks_per_part, depth + 1)
        if self._is_paused:
            exits = list(self._from_pause(segment, ticks_per_part, depth))
        else:
            exits = [self._present_state(depth)]
        if given_throws is None:
            exit_index, join = self._shortest_join_from(exits, entries)
        else:
            exit_index, join = self._join_of_given_throws(exits, entries, given_throws)
        return exits[exit_index], join

    def _join_of_given_throws(
        self, exits: Sequence[States], entries: States, given_throws: GivenThrows
    ) -> tuple[int, Join]:
        """Return the join of given throws into the present segment, and the index of its exit.

        A join is the throws that lead from one pattern (segment) to the next; its exit is the state
        in which they begin.

        Args:
            exits: states in which the throws may begin, each as `States` of a single row.
            entries: states of the present segment in which they may end.
            given_throws: the throws that a text states.

        Returns:
            The index of the first of `exits` from which they lead to the segment; and the join.

        Raises:
            PatternError: they lead there from none of the exits; the message tells throws that do.
        """
        # Throws alone neither pick props up nor put them down, so the numbers of props must agree.
        if any(state.due.sum() != self._current_segment.pattern.props for state in exits):
            reason = _(
                "these throws lead to a pattern with other props, which must be picked up or "
                "put down on the way"
            )
            raise PatternError(reason)
        try:
            return join_of_given_throws(exits, entries, given_throws, self._ticks_per_beat)
        except PatternError as error:
            _exit_index, join = self._shortest_join_from(exits, entries)
            shortest = " ".join(join.written(self._ticks_per_beat))
            instead = _("{shortest} would", shortest=shortest) if shortest else _("none are needed")
            raise PatternError(f"{error}; {instead}", error.throw) from None

    def _from_pause(self, segment: Segment, ticks_per_part: int, depth: int) -> Iterator[States]:
        """Yield the states in which throws to a segment, a pattern, may begin after a pause.

        In a pause, hands hold their props. A state tells on which ticks (parts of a beat) after the
        pause a prop is thrown from which hand, as if it were due there then. In a ground state each
        hand throws its props one after another, at each of its turns.

        Args:
            segment: the next segment.
            ticks_per_part: number of ticks in a part of a beat of the segment's pattern.
            depth: how many ticks beyond the present one the states reach.
        """
        held_by_hand = Counter(source.hand for source in self._sources)  # props that each hand has
        grounds = ground_states(segment.pattern, ticks_per_part)
        if not held_by_hand:
            # No props were collected, so this is the start of the routine: any ground state of the
            # first pattern will do.
            chosen_states = grounds
        elif held_by_hand.total() == segment.pattern.props:
            chosen_states = [
                ground for ground in grounds if Counter(hands_due(ground)) == held_by_hand
            ]
        else:
            # The number of props changes, so hands pick props up or put them down, and any ground
            # state can be prepared. Take the one that needs the fewest changes.
            chosen_states = [min(grounds, key=self._cost_of_ground_state)]
        since = np.full((1, self._hands), _LONG_AGO)
        # If no ground state has these numbers of props in the hands, throw them as if it had.
        for due in chosen_states or [
            state_of_held_props(held_by_hand, self._hands, self._ticks_per_beat)
        ]:
            yield States(padded([due], depth + 1), since)

    def _cost_of_ground_state(self, ground: Integers) -> tuple[int, int]:
        """Sort key of ground states: how much hands have to do in a pause to prepare one.

        In a pause, hands hold their props; a stand is the place beside a hand where other props
        lie. In a ground state all props are in hands, and each hand throws its own one after
        another.

        Args:
            ground: number of props due on each tick (part of a beat) in each hand, shape (ticks, H)
                for H hands.

        Returns:
            The number of props thrown from hand to hand, and then, to decide between equal numbers,
            how unevenly the props are spread over the stands.
        """
        # How many props each hand holds before the pause, and how many it needs after it.
        # `_sources` has an item for each held prop, `hands_due` gives a hand for each prop due.
        held = Counter(source.hand for source in self._sources)
        needed = Counter(hands_due(ground))
        missing = needed - held
        surplus = held - needed
        # A hand takes the props it lacks from its stand, and puts its surplus there.
        stand_surplus = self._stand_surplus()
        stand_surplus.subtract(missing)
        stand_surplus.update(surplus)
        # Each prop that a hand has too many is thrown to a hand that lacks one, as far as both go.
        thrown_across = min(missing.total(), surplus.total())
        return thrown_across, unevenness(stand_surplus)

    def _end_pause(self, state: States) -> None:
        """End the present pause, if there is one, with the props where the next throws need them.

        In a pause, hands hold their props. A pause between two segments (patterns) gets its tosses
        now: throws, holds and moves at stands, of one prop each. The pause at the start of the
        routine continues the last one, as the routine is a loop; it is only noted, until the last
        one is laid out.

        Args:
            state: the state, as `States` of a single row, in which the next throws begin: on which
                ticks (parts of a beat) from the first free tick on a prop is due in which hand.
        """
        if not self._is_paused:
            return
        # Tick, from the first free one on, and hand of each prop.
        due = sites_due(state.due[0])
        # `_sources`, the props in hands when the pause began, is empty at the start of the routine.
        if self._sources:
            self._lay_pause(due)
        else:
            self._note_first_pause(due)
        self._is_paused = False
        self._sources = []

    def _lay_pause(self, due: Sequence[tuple[int, int]]) -> None:
        """Add the tosses by which hands rearrange their props in a pause between two patterns.

        A toss is a throw, a hold or a move at a stand (the place beside a hand where props lie), of
        one prop; a tick is a part of a beat. Hands pick props up from stands if the next pattern
        has more, put some down there if it has fewer, and throw them across to hands that need
        them. If that takes longer than the pause, the pause is extended, and with it the end of the
        line before it in `placed`.

        Args:
            due: where each prop is needed after the pause: the tick, counted from the end of the
                pause on, and the hand.
        """
        stand_surplus = self._stand_surplus()
        # How many props each hand holds before the pause, and how many it needs after it.
        held = Counter(source.hand for source in self._sources)
        needed = Counter(hand for _tick, hand in due)
        # If the number of props stays the same, `_from_pause` chose a state in which each hand has
        # the props that it holds. Nothing moves, and the pause need not be longer.
        if held.total() != needed.total():
            self._extend_pause(picked_up=needed - held, put_down=held - needed)
        # From where each prop is at the start of the pause to where it is needed at its end, which
        # `_extend_pause` may have moved.
        sinks = [_PropAtHand(self._first_free_tick + tick, hand) for tick, hand in due]
        pause = self._present_pause()
        sources, sinks = with_stand_moves(self._sources, sinks, pause, stand_surplus)
        self._lay_tosses(tosses_of_pause(sources, sinks, pause))

    def _note_first_pause(self, due: Sequence[tuple[int, int]]) -> None:
        """Note the pause at the start of the routine, and which hands hold props in it.

        In a pause, hands hold their props; a hold is one kind of toss, and a tick is a part of a
        beat. The routine is a loop: its last pause goes on into this one, and the holds of both are
        laid out together at the end. Until then, states are also counted from `_initial_holds`:
        holds from tick 0 to the first throws, which never become tosses of the routine.

        Args:
            due: where each prop is needed after the pause: the tick, counted from the end of the
                pause on, and the hand.
        """
        self._first_props = [_PropAtHand(self._first_free_tick + tick, hand) for tick, hand in due]
        self._pauses.insert(0, (0, self._first_free_tick))
        self._initial_holds = [
            Toss(throw_between(0, held.hand, held.tick, held.hand, held=True))
            for held in self._first_props
        ]

    def _present_pause(self) -> _Pause:
        """The present pause: from the last catch to the first free tick.

        `_sources` must have at least one prop.
        """
        return _Pause(
            start_tick=max(source.tick for source in self._sources),
            end_tick=self._first_free_tick,
            crossing_ticks=_CROSSING_BEATS * self._ticks_per_beat,
            still_ticks=self._still_ticks,
        )

    def _extend_pause(self, picked_up: Counter[int], put_down: Counter[int]) -> None:
        """Lengthen the present pause if hands need more time to move props.

        They pick props up from stands (places beside the hands where props lie), put them down
        there and throw them across. The first free tick (part of a beat) moves, and with it the end
        of the last pause in `_pauses` and of the last line of the routine's text in `placed`. A
        pause is never shortened.

        Args:
            picked_up: how many props each hand takes from its stand, or gets from another hand
                that has too many; only hands that need any.
            put_down: how many props each hand puts on its stand, or gives to another hand; only
                hands that have any to give.
        """
        if not picked_up and not put_down:
            return
        # The pause begins with the last catch.
        last_catch = self._present_pause().start_tick
        # The busiest hand reaches to its stand once for each prop; two more reaches are allowance.
        reaches = max((picked_up + put_down).values()) + 2
        ticks = math.ceil(STAND_REACH * reaches * self.clock.final_rate)
        if picked_up and put_down:
            # One hand lacks props while another has too many: allow time to throw some across.
            ticks += self._crossing_time()
        self._first_free_tick = max(self._first_free_tick, last_catch + ticks)
        self._pauses[-1] = last_catch, self._first_free_tick
        self.placed[-1] = self.placed[-1]._replace(end_tick=self._first_free_tick)

    def _crossing_time(self) -> int:
        """Ticks for a throw across to another hand, and the same number as allowance."""
        return 2 * _CROSSING_BEATS * self._ticks_per_beat

    def _without_hurried_tosses(self, tosses: list[Toss]) -> list[Toss]:
        """Replace hurried tosses around the body by plain ones, except where all are hurried.

        A tick is a part of a beat. A toss is a throw or a hold of one prop. It is hurried if it has
        too little time, as the faster tempo of the pattern before still lasts. If a throw of the
        pattern is hurried in every loop of the present segment (pattern), its tosses stay:
        otherwise the audience would never see that throw around the body.

        Args:
            tosses: all tosses of the present segment, with flight times in ticks.
        """
        pattern = self._current_segment.pattern
        period = pattern.period * self._ticks_per_beat // pattern.division  # ticks
        hurried = [self.clock.is_hurried(toss, self._ticks_per_beat) for toss in tosses]
        # Ticks of the pattern's loop on which there is an unhurried toss.
        unhurried_ticks = {
            toss.throw.beat % period
            for toss, is_hurried in zip(tosses, hurried, strict=True)
            if not is_hurried
        }
        return [
            toss.plain if is_hurried and toss.throw.beat % period in unhurried_ticks else toss
            for toss, is_hurried in zip(tosses, hurried, strict=True)
        ]

    def _lay_tosses(self, tosses: Iterable[Toss]) -> None:
        """Add tosses in the style of the present segment; before the first segment, of that one."""
        self._tosses += [_LaidToss(toss, max(self._current_index, 0)) for toss in tosses]

    def _lay_join(self, join: Join) -> None:
        """Lay out the throws of a join, and what it puts down and picks up, from the first free
        tick on.
        """
        start = self._first_free_tick
        self._lay_tosses(Toss(throw._replace(beat=throw.beat + start)) for throw in join.throws)
        self._lay_tosses(put_down(start + tick, hand) for tick, hand in join.put_down)
        self._lay_tosses(pick_up(start, hand, start + tick) for tick, hand in join.picked_up)

    def _shortest_join_from(self, exits: Sequence[States], entries: States) -> tuple[int, Join]:
        """Return the shortest throws into the present segment: the index of their exit, and a join.

        A join is the throws that lead into the pattern of the segment from an exit, one of the
        states in which they may begin. A state says how many props come down in each hand on each
        coming tick (part of a beat). A join may also put props down on stands, places beside the
        jugglers, or pick some up there; it counts as longer if they then lie unevenly.

        Of equally short joins, that one is taken which enters the pattern nearest to its beginning,
        so that it begins with the hand that its text names.

        Args:
            exits: states in which the throws may begin, one or more, as `States` of one row each.
                There are several only where the segment has as many props as are in hands.
            entries: states of the segment's pattern in which they may end, a row for each.
        """
        pattern = self._current_segment.pattern
        stand_surplus = self._stand_surplus()

        def unevenness_after(join: Join) -> int:
            """Twice how many props must change stands after a join to lie as in the beginning."""
            surplus_after = Counter(stand_surplus)
            surplus_after.update(hand for _tick, hand in join.put_down)
            surplus_after.subtract(hand for _tick, hand in join.picked_up)
            return unevenness(surplus_after)

        join_of_exit = dict[int, Join]()
        for exit_index, state in enumerate(exits):
            # A search over a single exit: the step to the next one has no effect.
            join = shortest_join(
                state,
                entries,
                pattern,
                self._ticks_per_beat,
                exit_step=1,
                drawback=unevenness_after,
            )
            if join:
                join_of_exit[exit_index] = join
        assert join_of_exit, "once all props have landed, any pattern can follow"
        # Lengths alone decide between exits: where there are several, no prop is put down or picked
        # up, so all joins leave the stands equally uneven.
        best_exit = min(
            join_of_exit, key=lambda index: (join_of_exit[index].length, join_of_exit[index].entry)
        )
        return best_exit, join_of_exit[best_exit]

    def _change_tempo(self, join_tick: int) -> None:
        """Append the change to the tempo of the present segment, a pattern, to the clock.

        A faster tempo is reached before the segment's first throw; a slower one begins once all
        props in the air have landed. So no prop is thrown higher than in its own pattern. Ticks are
        parts of a beat.

        Args:
            join_tick: the tick on which the throws to the segment begin.
        """
        rate = self._rate(self._current_segment)
        present_rate = self.clock.final_rate
        if rate == present_rate:
            return
        if rate > present_rate:
            # The change begins early enough to be over on `join_tick`. It takes `TEMPO_CHANGE`
            # seconds at the mean of both tempi.
            change_tick = join_tick - TEMPO_CHANGE * (rate + present_rate) / 2
        else:
            # Landings of flying props. A prop that is held, or lies on a stand, can stay longer.
            landings = (
                laid.toss.landing
                for laid in self._tosses
                if not laid.toss.throw.held and not laid.toss.rests
            )
            change_tick = max([join_tick, *landings])
        # Changes must not overlap: this one begins after the last one has ended.
        settled_tick, _settled_time = self.clock.change_end
        self.clock = self.clock.changing(max(change_tick, settled_tick), rate)


def in_seconds(toss: Toss, clock: Clock, ticks_per_beat: int) -> Toss:
    """Return a toss with the times of its flight in seconds.

    A toss is a throw, a hold, or a stay on a stand (the place beside a hand where props lie), of
    one prop. A stay on a stand has no times yet (NaN). It gets approximate ones, near its beats;
    `time_stand_moves` finds the exact ones.

    Args:
        toss: a toss with its beats and the times of its flight in ticks: parts of a beat.
        clock: times of ticks, [s].
        ticks_per_beat: ticks in a beat.
    """
    if toss.rests and toss.flight:
        throw_time = clock.time_at(toss.throw.beat)
        # A prop is picked up about half a beat before it is thrown.
        catch_time = clock.time_at(toss.landing - ticks_per_beat / 2)
        return toss._replace(
            flight=toss.flight._replace(throw_time=throw_time, catch_time=catch_time)
        )
    return toss.retimed(clock.time_at)


def ground_states(pattern: Pattern, ticks_per_part: int) -> list[Integers]:
    """Return the distinct ground states of a pattern, one for each beat that may come next.

    In a ground state all props are in hands, and each hand throws at each turn (beat on which it
    may throw) until it has no more props.

    Args:
        pattern: the pattern to start.
        ticks_per_part: number of ticks in a part of a beat of the pattern.

    Returns:
        For each ground state the number of props due on each coming tick in each hand, shape
        (ticks, H), up to the last prop; H hands, of index 2 · juggler + side (0 left, 1 right).
        Sorted by the beat that comes next.
    """
    rows = rows_of(pattern)  # hands, or pairs of hands that take turns
    states: list[Integers] = []
    # After two turns of every row (hands that take turns alternate), the states repeat.
    for beat in range(2 * math.lcm(*(row.step for row in rows))):
        if not any(row.throws_on(beat) for row in rows):
            continue
        counts_by_beat = ground_state(rows, pattern.props, beat)
        due_by_tick = np.zeros(
            (len(counts_by_beat) * ticks_per_part, 2 * pattern.jugglers), dtype=np.intp
        )
        for beats_ahead, counts in enumerate(counts_by_beat):
            for row, count in zip(rows, counts, strict=True):
                if count:
                    hand = hand_number(row.juggler, row.hand_on(beat + beats_ahead))
                    due_by_tick[beats_ahead * ticks_per_part, hand] += count
        if not any(np.array_equal(due_by_tick, state) for state in states):
            states.append(due_by_tick)
    return states


def entry_states(pattern: Pattern, ticks_per_part: int, depth: int) -> States:
    """Return the state before each tick of one loop of a pattern.

    A state says where props are due: those that are in the air or held.

    Args:
        pattern: the pattern that is entered.
        ticks_per_part: ticks for each part of a beat of the pattern.
        depth: ticks that the states reach ahead; farther than anything flies.

    Returns:
        `due`, the props due on each coming tick in each hand, of shape (period, depth, H); `since`,
        the ticks since each hand last threw, of shape (period, H), and the period for hands that
        never throw. H hands, of index 2 · juggler + side (0 left, 1 right); the period is in ticks.
    """
    period = pattern.period * ticks_per_part
    hands = 2 * pattern.jugglers
    states = [np.array(coming).reshape(-1, hands) for coming in states_of(pattern)]
    due = np.zeros((period, depth, hands), dtype=np.intp)
    for tick in range(period):
        # The pattern's own parts of a beat are some ticks apart. Up to the next one nothing is due;
        # from there on, every `ticks_per_part` ticks, the props due in the state before that beat.
        ticks_to_part = -tick % ticks_per_part
        coming = states[(tick + ticks_to_part) // ticks_per_part % pattern.period]
        due[tick, ticks_to_part : ticks_to_part + len(coming) * ticks_per_part : ticks_per_part] = (
            coming
        )
    since = np.full((period, hands), period, dtype=np.intp)
    for throw in pattern.throws:
        hand = hand_of(throw)
        # Ticks since this throw was last made, from 1 to the period. On the tick of the throw it is
        # not yet made, so the throw of the loop before counts, a period ago.
        ticks_ago = (np.arange(period) - throw.beat * ticks_per_part - 1) % period + 1
        since[:, hand] = np.minimum(since[:, hand], ticks_ago)
    return States(due, since)


def hands_due(due: Integers) -> list[int]:
    """Return the hand of each prop that is due, from counts of shape (beats, H)."""
    return [hand for _beat, hand in sites_due(due)]


def padded(states: Sequence[Integers], depth: int) -> Integers:
    """Return N states filled up with beats on which nothing is due, as one array (N, depth, H) for
    H hands.
    """
    return np.stack([np.pad(state, ((0, depth - len(state)), (0, 0))) for state in states])


def state_of_held_props(held: Counter[int], hand_count: int, ticks_per_beat: int) -> Integers:
    """Return a state in which each hand throws the props it holds on every second beat.

    Right hands throw first, left hands one beat later, as jugglers usually begin. Ticks are parts
    of a beat.

    Args:
        held: number of props in each hand, by hand index 2 · juggler + side (0 left, 1 right); at
            least one hand.
        hand_count: number of hands, H.
        ticks_per_beat: ticks in a beat.

    Returns:
        Props due on each coming tick in each hand, shape (ticks, H).
    """
    step = 2 * ticks_per_beat
    due = np.zeros((step * max(held.values()), hand_count), dtype=np.intp)
    for hand, count in held.items():
        first = 0 if side_of_hand(hand) == RIGHT else ticks_per_beat
        due[first : first + step * count : step, hand] = 1
    return due


class _Misfit(NamedTuple):
    """Why throws do not lead from one state to another.

    Attributes:
        tick: the first on which they do not fit.
        reason: a message.
        throw_index: the index of the first throw that cannot be made; None if that is none of
            them.
    """

    tick: int
    reason: str
    throw_index: int | None


def join_of_given_throws(
    exits: Sequence[States], entries: States, given_throws: GivenThrows, ticks_per_beat: int
) -> tuple[int, Join]:
    """Return the index of the first state from which given throws lead on, and their join.

    The throws are tried as given, and with left and right hands swapped. A join is the throws from
    one pattern into another. Ticks are parts of a beat.

    Args:
        exits: states from which they may lead; each has one row. `due`, shape (1, depth, H), has
            the props due on each coming tick in each of H hands.
        entries: states of the next pattern, one for each tick of its loop; `due` has a row for
            each.
        given_throws: throws on whole beats from 0 on, in the order of their beats, and the number
            of beats from the first pattern to the next.
        ticks_per_beat: ticks in a beat.

    Returns:
        The index of the state in `exits`; and a join that puts no props down and picks none up,
        whose `exit` is 0, the only row of that state.

    Raises:
        PatternError: the throws lead from none of the states into the next pattern. The message and
            `throw` are those of the attempt in which most beats fitted; of equally good attempts,
            of the first.
    """
    length = given_throws.beats * ticks_per_beat
    latest_misfit = _Misfit(-1, _("no throws"), throw_index=None)
    for exit_index, state in enumerate(exits):
        for swaps_hands in (False, True):
            throws = _throws_in_ticks(given_throws.throws, ticks_per_beat, swaps_hands=swaps_hands)
            join = _join_from_state(state.due[0], entries, throws, length)
            if isinstance(join, Join):
                return exit_index, join
            if join.tick > latest_misfit.tick:
                latest_misfit = join
    raise PatternError(latest_misfit.reason, latest_misfit.throw_index)


def _join_from_state(
    due: Integers, entries: States, throws: Sequence[Throw], length: int
) -> Join | _Misfit:
    """Return the join that throws make from a state into a pattern, or why they make none.

    Args:
        due: the state: props due on each coming tick in each of H hands, shape (depth, H).
        entries: states of the pattern, one for each tick of its loop.
        throws: throws in the order of their beats; beats and values are in ticks.
        length: ticks until the pattern begins.
    """
    # Add the landings. `due` reaches to the last one, so every index is within it.
    entry_depth = entries.due.shape[1]
    highest = max((throw.value for throw in throws), default=0)
    due = padded([due], max(len(due), entry_depth) + highest + length)[0]
    for throw in throws:
        due[throw.beat + throw.value, catching_hand(throw)] += 1
    misfit = _first_misfit(throws, due[:length])
    if misfit:
        return misfit
    # Compare the props due after the throws with all states of the pattern at once. It is entered
    # at the first equal one.
    due_after = due[length:][:entry_depth]
    is_same = (entries.due == due_after[None]).all(axis=(1, 2))
    if not is_same.any():
        return _Misfit(length, _("these throws do not lead into the pattern"), throw_index=None)
    return Join(
        exit=0,
        entry=int(is_same.argmax()),
        length=length,
        throws=tuple(throws),
        put_down=(),
        picked_up=(),
    )


def _throws_in_ticks(
    throws: Iterable[Throw], ticks_per_beat: int, *, swaps_hands: bool
) -> list[Throw]:
    """Return throws on whole beats with beats and values in ticks, equal parts of a beat.

    Args:
        throws: the throws; their values are in beats.
        ticks_per_beat: ticks in a beat.
        swaps_hands: whether left hands make the throws of right hands, and the other way round.
    """
    swap = int(swaps_hands)  # hands are 0 and 1, so an exclusive or with 1 gives the other one
    return [
        throw._replace(
            beat=throw.beat * ticks_per_beat,
            value=throw.value * ticks_per_beat,
            hand=throw.hand ^ swap,
            to_hand=throw.to_hand ^ swap,
        )
        for throw in throws
    ]


def _first_misfit(throws: Sequence[Throw], due: Integers) -> _Misfit | None:
    """Check that each hand makes as many throws on each tick as it has props due.

    Ticks are parts of a beat.

    Args:
        throws: throws in the order of their beats; beats are in ticks.
        due: props due on each tick in each hand, landings of these throws among them, shape
            (ticks, H) for H hands.

    Returns:
        The first tick and hand for which the numbers differ, with the index of the throw at which
        the error points: the hand's first throw on this tick; if there is none, the next throw of
        any hand, if any. None if all numbers agree.
    """
    thrown = np.zeros_like(due)
    for throw in throws:
        thrown[throw.beat, hand_of(throw)] += 1
    misfits = np.argwhere(thrown != due)  # sorted by tick, then by hand
    if not len(misfits):
        return None
    tick, hand = misfits[0].tolist()
    later_throws = [index for index, throw in enumerate(throws) if throw.beat >= tick]
    throws_of_hand = [
        index
        for index in later_throws
        if throws[index].beat == tick and hand_of(throws[index]) == hand
    ]
    reason = _misfit_reason(hand, int(thrown[tick, hand]), int(due[tick, hand]))
    return _Misfit(tick, reason, next(iter(throws_of_hand + later_throws), None))


def _misfit_reason(hand: int, count: int, due_count: int) -> str:
    """Return the message that a hand throws more or fewer props on a beat than land in it.

    Args:
        hand: 2 · juggler + side (0 left, 1 right); the message does not name the juggler.
        count: number of props that the hand throws.
        due_count: number of props that land in it.
    """
    needs = (
        _("no prop lands there then")
        if not due_count
        else ngettext("{number} comes down then", "{number} come down then", due_count)
    )
    return _(
        "the {hand} throws {count} here, but {needs}",
        hand=hand_in_words(hand),
        count=count,
        needs=needs,
    )


def with_stand_moves(
    sources: Sequence[_PropAtHand],
    sinks: Sequence[_PropAtHand],
    pause: _Pause,
    stand_surplus: Counter[int],
) -> tuple[list[_PropAtHand], list[_PropAtHand]]:
    """Add the props picked up or put down in a pause, so that there are as many sources as sinks.

    In a pause, hands hold their props; a stand is the place beside a hand where other props lie. A
    source is a prop that a hand or its stand has at the start of the pause; a sink is one that it
    needs at the end.

    A hand may still have a source too many and another a sink too many: such props are thrown
    across later.

    Args:
        sources: props in hands at the start of the pause, each with its tick (part of a beat) and
            hand.
        sinks: props that hands need at its end, each with its tick and hand.
        pause: first and last tick of the pause.
        stand_surplus: how many more props lie on each hand's stand than in the beginning; below 0,
            fewer.

    Returns:
        Two lists of the same length: the sources, with those that lie on stands to be picked up;
        and the sinks, with those that are put on stands.
    """
    props_added = len(sinks) - len(sources)
    held = Counter(source.hand for source in sources)
    needed = Counter(sink.hand for sink in sinks)
    # Hands that lack a prop, those with the fullest stands first; and hands with one too many,
    # those with the emptiest stands first. A hand is listed once for each such prop.
    lacking_hands = sorted((needed - held).elements(), key=lambda hand: -stand_surplus[hand])
    surplus_hands = sorted((held - needed).elements(), key=lambda hand: stand_surplus[hand])
    # Only as many props as the number changes by come from stands, or go there.
    return _with_moves_at_stands(
        sources,
        sinks,
        pause,
        picking_hands=lacking_hands[: max(props_added, 0)],
        putting_hands=surplus_hands[: max(-props_added, 0)],
    )


def _with_moves_at_stands(
    sources: Sequence[_PropAtHand],
    sinks: Sequence[_PropAtHand],
    pause: _Pause,
    picking_hands: Iterable[int],
    putting_hands: Iterable[int],
) -> tuple[list[_PropAtHand], list[_PropAtHand]]:
    """Return sources and sinks of a pause, including the props picked up and put down.

    A tick is a part of a beat.

    Args:
        sources: props in hands at the start of the pause.
        sinks: props that hands need at its end.
        pause: the ticks at which the pause begins and ends.
        picking_hands: the hand of each prop picked up; a hand may occur several times. Such a prop
            lies on the hand's stand, available from the start of the pause on.
        putting_hands: the hand of each prop put down, likewise. Such a prop must lie on the hand's
            stand by the end of the pause.
    """
    picked = [_PropAtHand(pause.start_tick, hand, on_stand=True) for hand in picking_hands]
    put = [_PropAtHand(pause.end_tick, hand, on_stand=True) for hand in putting_hands]
    return [*sources, *picked], [*sinks, *put]


def tosses_of_pause(
    sources: Sequence[_PropAtHand], sinks: Sequence[_PropAtHand], pause: _Pause
) -> list[Toss]:
    """Return the tosses of a pause, which bring each prop to the hand or stand that needs it.

    A toss is a throw, a hold, or a move from or to a stand (the place beside a hand where props
    lie), of one prop; a tick is a part of a beat. A hand keeps the props that it needs itself; a
    prop that another hand needs is thrown across, in the middle of the pause.

    Args:
        sources: where each prop is at the start of the pause: in a hand or on its stand, and from
            which tick on.
        sinks: where props are needed at its end, and from which tick on; as many as sources.
        pause: its first and last tick, how long a throw across takes (`crossing_ticks`), and for
            how long before the end nothing moves (`still_ticks`).

    Returns:
        Holds, throws across, and moves from and to stands, in no order of beats. The throws across
        have no flights yet.
    """
    tosses = list[Toss]()
    # Pair sources with sinks of the same hand, both sorted by tick. A source whose hand needs no
    # more props is surplus; there are as many of them as sinks without a source.
    surplus_sources = list[_PropAtHand]()
    open_sinks = sorted(sinks)
    for source in sorted(sources):
        sink = next((sink for sink in open_sinks if sink.hand == source.hand), None)
        if sink is None:
            surplus_sources.append(source)
            continue
        open_sinks.remove(sink)
        tosses += _tosses_until(source, sink.tick, pause, ends_on_stand=sink.on_stand)

    # Throw surplus props to the hands that still lack one.
    for source, sink in zip(surplus_sources, open_sinks, strict=True):
        # The tick of a throw whose flight is halfway between both ends of the pause of the prop.
        middle = (source.tick + sink.tick - pause.crossing_ticks) // 2
        # The latest tick of the throw that still lands before the time in which nothing moves. If
        # the hand gets the prop only later, it throws at once, and the prop lands in that time.
        latest = pause.end_tick - pause.crossing_ticks - pause.still_ticks
        throw_tick = max(source.tick, min(middle, latest))
        # A prop that is needed sooner flies for less than `crossing_ticks`.
        landing_tick = min(throw_tick + pause.crossing_ticks, sink.tick)
        tosses += _tosses_until(source, throw_tick, pause)
        tosses.append(Toss(throw_between(throw_tick, source.hand, landing_tick, sink.hand)))
        landed = _PropAtHand(landing_tick, sink.hand)
        tosses += _tosses_until(landed, sink.tick, pause, ends_on_stand=sink.on_stand)
    return tosses


def _tosses_until(
    source: _PropAtHand, needed_tick: int, pause: _Pause, *, ends_on_stand: bool = False
) -> list[Toss]:
    """Return what a hand does in a pause with one prop until it needs the prop.

    That is a list of tosses: moves from or to the hand's stand, a place beside the juggler where
    props lie, and holds. Ticks are parts of a beat.

    Args:
        source: the prop at the start of the pause, in the hand or on its stand. From a stand it is
            picked up.
        needed_tick: tick on which the hand throws the prop, in the pause or after it.
        pause: the ticks at which the pause begins and ends.
        ends_on_stand: whether the prop is put down on the stand instead, at once.

    Returns:
        One toss that picks up, puts down or holds; a toss that picks up and then a hold, if the
        prop is needed later; or none, if the hand needs the prop on the tick of `source`.
    """
    tosses = list[Toss]()
    held_from_tick = source.tick
    if source.on_stand:
        # Picked up within the pause, so at least one tick before its end.
        held_from_tick = min(needed_tick, pause.end_tick - 1)
        tosses.append(pick_up(source.tick, source.hand, held_from_tick))
    elif ends_on_stand:
        return [put_down(source.tick, source.hand)]
    if held_from_tick != needed_tick:
        hold = throw_between(held_from_tick, source.hand, needed_tick, source.hand, held=True)
        tosses.append(Toss(hold))
    return tosses


def pause_times(pauses: Sequence[tuple[int, int]], clock: Clock) -> list[tuple[float, float]]:
    """Return start and end of each pause of a routine, in which hands hold all props, [s].

    The routine is a loop, so its last pause continues in its first, up to the first throw. These
    two are returned as one pause, the last item, which ends after the end of the loop.

    Args:
        pauses: first and last tick (part of a beat) of each pause, in order; at least two. The
            first pause begins on tick 0, the last ends with the loop.
        clock: converts ticks to seconds; tick 0 is at 0 s.
    """
    times = [(clock.time_at(start), clock.time_at(end)) for start, end in pauses[1:-1]]
    _loop_start, first_throw = pauses[0]
    last_catch, loop_end = pauses[-1]
    until = clock.time_at(loop_end) + clock.time_at(first_throw)
    times.append((clock.time_at(last_catch), until))
    return times


class _Standing(NamedTuple):
    """A keyframe of a body: juggler, time [s], position [m] and facing [rad]."""

    juggler: int
    time: float
    position: Floats
    facing: float


def standing_places(
    segments: Sequence[Segment], stretches: Sequence[_Stretch], ticks_per_beat: int, clock: Clock
) -> BodyKeyframes:
    """Return keyframes of the bodies: jugglers stand and walk as in the pattern that is juggled.

    Keyframes are sorted by juggler and then by time. If nobody moves in the whole routine, each
    juggler has a single keyframe, at 0 s. Ticks are parts of a beat.

    Args:
        segments: the patterns of the routine, at least one.
        stretches: the ticks on which each segment is juggled, in the same order.
        ticks_per_beat: number of ticks in a beat.
        clock: converts ticks to seconds.
    """
    keyframes = sorted(
        (
            keyframe
            for segment, stretch in zip(segments, stretches, strict=True)
            for keyframe in _keyframes_of_segment(segment, stretch, ticks_per_beat, clock)
        ),
        key=lambda keyframe: (keyframe.juggler, keyframe.time),
    )
    bodies = BodyKeyframes.from_rows(keyframes)
    # The index of the first keyframe of each juggler, and for each keyframe the index of its
    # juggler among these.
    _jugglers, first, juggler_index = np.unique(
        bodies.juggler, return_index=True, return_inverse=True
    )
    places = np.column_stack([bodies.position, bodies.facing])
    if (places == places[first][juggler_index]).all():
        # Nobody ever moves.
        return replace(bodies.taken(first), time=np.zeros(len(first)))
    return bodies


def _keyframes_of_segment(
    segment: Segment, stretch: _Stretch, ticks_per_beat: int, clock: Clock
) -> Iterator[_Standing]:
    """Yield the keyframes of bodies while one pattern of a routine is juggled.

    A keyframe is where a body stands and faces at one time; a tick is a part of a beat. The
    keyframes of one loop of the pattern are repeated in every loop. If all jugglers stay in place,
    each has one keyframe, at the beginning.

    Args:
        segment: the pattern, with keyframes in its own time, [s].
        stretch: the ticks of the routine on which it is juggled.
        ticks_per_beat: number of ticks in a beat.
        clock: converts ticks of the routine to seconds.
    """
    keyframes = segment.choreography.bodies
    ticks_per_s = segment.choreography.bps * ticks_per_beat  # in the pattern's own tempo
    loop_ticks = round(segment.choreography.duration * ticks_per_s)
    for row, juggler in enumerate(keyframes.juggler.tolist()):
        if segment.is_stationary:
            ticks = [float(stretch.first_tick)]
        else:
            # `origin_tick` is the routine's tick of the pattern's own time 0.
            first = float(keyframes.time[row]) * ticks_per_s + stretch.origin_tick
            ticks = np.arange(first, stretch.end_tick, loop_ticks).tolist()
        for tick in ticks:
            if tick >= stretch.first_tick:
                yield _Standing(
                    juggler,
                    clock.time_at(tick),
                    keyframes.position[row],
                    float(keyframes.facing[row]),
                )
