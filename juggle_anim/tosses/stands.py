"""Stands and tables: where props of a routine lie while they are not juggled.

In a written routine each hand has a stand beside its juggler. Slots on it fill from the first one
on, and the last prop to be put there is the first to be taken: so props lie as in the beginning
once the same number were put down as picked up. In a live change each juggler has one table in
front, and both hands use its slots.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import STAND_HEIGHT, Grasp, PropLook, stand_places, stand_room
from juggle_anim.errors import ChoreographyError, hand_in_words
from juggle_anim.language import _
from juggle_anim.pattern import (
    LEFT,
    Join,
    Throw,
    catching_hand,
    hand_of,
    juggler_of_hand,
    side_of_hand,
    throw_between,
)
from juggle_anim.tosses.toss_ring import (
    FOREVER,
    RESTING,
    UNKNOWN_PROP,
    Clock,
    Juggled,
    Present,
    Technique,
    Toss,
    TossFlight,
    TossRing,
)

LYING_HEIGHT = STAND_HEIGHT
"""The height of props on tables, [m]."""

STAND_REACH = 0.5
"""How long a hand takes at most to the stand beside its juggler or back, [s]."""

_TABLE_REACH = 0.45  # s, likewise to the table in front, which is nearer
_GENTLE_REACH = 0.2  # s; a prop in a hand when a change is asked for goes down no sooner
_GAP_BEFORE_CATCH = 0.14  # s, from putting down to the next catch of the hand
_THROWN_TOGETHER = 0.06  # s; throws of a hand that are closer in time are made on one beat
_HELD_LONG = 1.0  # s; a prop thrown at least this long after it was picked up is held in between
_SAME_TIME = 1e-6  # s; events that are closer are one
_SAME_POSITION = 1e-6  # m

# Positions on a table, seen from the body: two rows, filled from the middle outwards, [m].
_TABLE_ROWS = (0.47, 0.57)
_TABLE_COLUMNS = (0.08, -0.08, 0.17, -0.17, 0.26, -0.26, 0.35, -0.35)
_TABLE_SLOTS = np.array([(x, LYING_HEIGHT, z) for z in _TABLE_ROWS for x in _TABLE_COLUMNS])
_HAND_OUTWARD = 0.2  # m, of a hand over the table

_CLAW: Technique = (int(Grasp.CLAW), 0)
_CLAWED = (_CLAW, _CLAW)  # from above, both when a prop is put down and when it is picked up


def put_down(beat: int, hand: int) -> Toss:
    """Return the toss that puts a prop down in place of a throw; its rest has no times yet."""
    return _resting_toss(_putting_down(beat, hand))


def pick_up(beat: int, hand: int, throw_beat: int) -> Toss:
    """Return the toss that picks a prop up on a beat or after it and holds it until its throw.

    Its rest, which ends when it is picked up, has no times yet.
    """
    return _resting_toss(throw_between(beat, hand, throw_beat, hand, held=True))


def _putting_down(beat: int, hand: int) -> Throw:
    """The throw that stands for putting a prop down: to the same hand, after `FOREVER` beats."""
    return throw_between(beat, hand, beat + FOREVER, hand)


def _resting_toss(throw: Throw) -> Toss:
    """The toss of a prop that rests on a stand or table; place and times are unknown yet (NaN)."""
    return Toss(throw, flight=_rest_flight(np.full(3, math.nan), since=math.nan, until=math.nan))


def _rest_flight(position: Floats, *, since: float, until: float) -> TossFlight:
    """The rest of a prop at a position, shape (3,), from a time to another [s], as its flight."""
    return TossFlight(since, until, start=position, end=position, techniques=_CLAWED, style=RESTING)


# Stands of written routines.


class _Move(NamedTuple):
    """A prop that is put down or picked up.

    Attributes:
        half_tick: the half tick of the move.
        toss_index: index of the toss that makes the move.
        puts_down: True if the prop is put down, False if it is picked up.
    """

    half_tick: int
    toss_index: int
    puts_down: bool


class _StandRest(NamedTuple):
    """A prop that lies in a slot of a stand.

    Attributes:
        slot: index of the slot, from 0 on.
        put_down: the move that puts it there.
        pick_up: the move that takes it, in the same loop or the next.
    """

    slot: int
    put_down: _Move
    pick_up: _Move


def count_stand_surplus(tosses: Iterable[Toss]) -> Counter[int]:
    """Count how many more props lie beside each hand than in the beginning; below 0, fewer.

    A toss is what a hand does with one prop on one beat: throw it, hold it, put it down or pick it
    up.

    Args:
        tosses: all tosses that were made so far.

    Returns:
        Counts by hand index, 2 · juggler + side (0 left, 1 right): props that the hand put down
        minus those it picked up. Hands that did neither are left out, which counts as 0.
    """
    surplus = Counter[int]()
    for toss in tosses:
        if toss.puts_down:
            surplus[hand_of(toss.throw)] += 1
        elif toss.picks_up:
            surplus[hand_of(toss.throw)] -= 1
    return surplus


def unevenness(stand_surplus: Counter[int]) -> int:
    """Twice the number of props that must change stands to lie as in the beginning.

    A surplus (or shortage) of all stands together does not count: moves between stands cannot
    remove it.

    Args:
        stand_surplus: how many more props lie on each hand's stand than in the beginning; below 0,
            fewer.
    """
    return sum(map(abs, stand_surplus.values())) - abs(stand_surplus.total())


def with_stand_rests(
    tosses: Sequence[Toss], period_ticks: int, loop_duration: float, prop_kind: str
) -> list[Toss]:
    """Pair the tosses that put props on stands with those that pick them up, all in half ticks.

    A stand is a place beside a hand where props lie; the last prop put there is the first to be
    taken. The time in which a prop lies on it is its rest: the toss that puts it down lands on the
    toss that picks it up, perhaps in the next loop, and both get the position of the slot.

    Args:
        tosses: throws, holds and moves at stands of one loop, in order of beats; each hand puts
            down the number of props that it picks up.
        period_ticks: length of the loop, in ticks (parts of a beat).
        loop_duration: duration of the loop, [s].
        prop_kind: kind of all props, which determines the room they take.

    Returns:
        All tosses, in the given order, with beats and values in half ticks: ordinary tosses are on
        even half ticks, and props are picked up on odd ones, where the hand does nothing else.
        This may change the order of beats, so the caller has to sort the tosses again.

    Raises:
        ChoreographyError: more props lie beside a hand than there is room for.
    """
    period = 2 * period_ticks  # in half ticks, as all beats and values are from here on
    paired = []
    moves_of_hand: dict[int, list[_Move]] = defaultdict(list)  # at the stand of each hand
    for toss_index, toss in enumerate(tosses):
        scaled = toss.scaled(2)
        if scaled.picks_up:
            scaled = _picked_up_before_throw(scaled, period, loop_duration)
        if scaled.rests:  # a move at a stand: a prop is put down or picked up
            moves_of_hand[hand_of(scaled.throw)].append(
                _Move(
                    half_tick=scaled.throw.beat, toss_index=toss_index, puts_down=scaled.puts_down
                )
            )
        paired.append(scaled)

    # A stand is a stack, and the slot of a rest is the height in it.
    for hand, moves in moves_of_hand.items():
        rests = list(_rests_on_stack(sorted(moves)))
        slot_count = 1 + max(rest.slot for rest in rests)
        _check_room(hand, slot_count, stand_room(prop_kind))
        positions = stand_places(prop_kind, side_of_hand(hand), slot_count)
        for rest in rests:
            putting = rest.put_down.toss_index
            picking = rest.pick_up.toss_index
            paired[putting], paired[picking] = _linked_by_rest(
                paired[putting], paired[picking], positions[rest.slot], period, loop_duration
            )
    return paired


def _picked_up_before_throw(toss: Toss, period: int, loop_duration: float) -> Toss:
    """Move the toss that picks a prop up to the half tick before the prop is thrown.

    A toss is a throw, a hold or a rest on a stand, of one prop. If that half tick is in another
    loop than the given beat, beat and time are moved into the first loop.

    Args:
        toss: the toss that picks up, with its beat and value in half ticks; it lands on the throw.
        period: length of the loop, in half ticks.
        loop_duration: duration of the loop, [s].
    """
    rest = toss.flight
    assert rest, "the flight of a toss that picks up is the prop's rest"
    loops_later, half_tick = divmod(toss.landing - 1, period)
    return toss._replace(
        throw=toss.throw._replace(beat=half_tick, value=1),
        flight=rest._replace(catch_time=rest.catch_time - loops_later * loop_duration),
    )


def _linked_by_rest(
    putting: Toss, picking: Toss, position: Floats, period: int, loop_duration: float
) -> tuple[Toss, Toss]:
    """Link two tosses by the rest of a prop on a stand: one puts it down, the other picks it up.

    A rest is the time in which a prop lies on a table or stand. A toss is a throw, a hold or a rest
    on a stand (the place beside a hand where props lie), of one prop.

    Args:
        putting: the toss that puts the prop down.
        picking: the toss that picks it up; if on an earlier beat, in the next loop.
        position: place on the stand, shape (3,): left, up and forward of the feet, [m].
        period: length of the loop, in the unit of the tosses' beats.
        loop_duration: duration of the loop, [s].

    Returns:
        Both tosses with the rest as their flight. The first lands on the second.
    """
    assert putting.flight, "the flight of a toss that puts down is the prop's rest"
    assert picking.flight, "the flight of a toss that picks up is the prop's rest"
    pick_up_time = picking.flight.catch_time
    value = picking.throw.beat - putting.throw.beat
    loops_later = 1 if value < 0 else 0
    rest = putting.flight._replace(
        catch_time=pick_up_time + loops_later * loop_duration, start=position, end=position
    )
    return (
        putting._replace(
            throw=putting.throw._replace(value=value + loops_later * period), flight=rest
        ),
        # In the toss that picks up, the rest ends at the time of that toss's own loop.
        picking._replace(flight=rest._replace(catch_time=pick_up_time)),
    )


def _check_room(hand: int, count: int, room: int) -> None:
    """Raise a `ChoreographyError` if more props would lie beside a hand than there is room for."""
    if count <= room:
        return
    reason = _(
        "{count} props would lie beside the {hand} of juggler {juggler}",
        count=count,
        hand=hand_in_words(hand),
        juggler=juggler_of_hand(hand) + 1,
    )
    raise ChoreographyError(_("{reason}, but there is room for {room}", reason=reason, room=room))


def _rests_on_stack(moves: Sequence[_Move]) -> Iterator[_StandRest]:
    """Yield the rests on one stand, where the last prop put there is the first to be taken.

    A rest is the time in which a prop lies on a table or stand. A stand is the place beside a hand
    where props lie. Every prop that is put down in the loop has a rest, which may end in the next
    loop. Rests that begin and end in the same loop are yielded twice.

    Args:
        moves: moves of one hand in a loop, in order of beats; equally many put down and pick up.
    """
    # If the stand began empty, `least` would be the lowest number of props on it, 0 or below. So it
    # begins with −`least` props, just enough never to run out.
    count = 0
    least = 0
    for move in moves:
        count += 1 if move.puts_down else -1
        least = min(least, count)
    assert count == 0, "as many are put down as are picked up"
    count = -least

    # The moves of the loop are gone through twice. At first, a prop that lay there from the start
    # has no known beginning, so its rest is not yielded; the same rest is yielded the second time,
    # as that of a prop put down at the end of the first. A rest within the loop is yielded both
    # times, with the same effect.
    put_down_in_slot: dict[int, _Move] = {}
    for move in (*moves, *moves):
        if move.puts_down:
            put_down_in_slot[count] = move
            count += 1
        else:
            count -= 1
            if count in put_down_in_slot:
                yield _StandRest(count, put_down_in_slot.pop(count), move)


def time_stand_moves(ring: TossRing) -> None:
    """Set the times of moves at stands, which put props down and pick them up, in a ring of tosses.

    A toss is what a hand does with one prop on one beat: throw it, hold it, put it down or pick it
    up. A ring is the tosses of one loop, which repeats. A stand is the place beside a hand where
    props lie. A gap is the time between two successive throws or catches of a hand. The moves in
    one gap are spread over it, evenly unless a hand would take longer than `STAND_REACH` (0.5 s)
    from one to the next. Then the leading moves that put down are made early in the gap, and all
    from the first that picks up on are made late in it, so that the hand is still in between.

    Args:
        ring: changed in place; each of its moves at stands has an approximate time, in the right
            gap. A hand with such moves must also throw or catch something.
    """
    # Throws and catches of each hand, [s] within the loop. A toss `rests` if it puts a prop down or
    # picks one up.
    event_times: dict[int, list[float]] = defaultdict(list)
    for toss_index, toss in enumerate(ring.tosses):
        if ring.flies(toss_index) and not toss.rests:
            flight = ring.flight(toss_index)
            event_times[hand_of(toss.throw)].append(flight.throw_time % ring.duration)
            event_times[catching_hand(toss.throw)].append(flight.catch_time % ring.duration)
    for times in event_times.values():
        times.sort()

    # The moves of each gap, by the hand and the index of the event that ends the gap.
    moves_of_gap: dict[tuple[int, int], list[_MoveInGap]] = defaultdict(list)
    for toss_index, toss in enumerate(ring.tosses):
        if toss.rests:
            hand = hand_of(toss.throw)
            times = event_times[hand]
            time = _planned_move_time(ring, toss_index)
            next_event = bisect_left(times, time % ring.duration) % len(times)
            moves_of_gap[hand, next_event].append(
                _MoveInGap(
                    since_event=(time - times[next_event - 1]) % ring.duration,
                    toss_index=toss_index,
                    time=time,
                )
            )

    for (hand, next_event), moves in moves_of_gap.items():
        times = event_times[hand]
        gap_duration = (times[next_event] - times[next_event - 1]) % ring.duration
        if gap_duration == 0:  # the hand's only event both begins and ends the gap: a whole loop
            gap_duration = ring.duration
        _spread_over_gap(ring, sorted(moves), gap_duration)


def _spread_over_gap(ring: TossRing, moves: Sequence[_MoveInGap], gap_duration: float) -> None:
    """Set the times of all moves at a stand in one gap, the time between two events of a hand.

    Args:
        ring: changed in place; its toss of each move puts a prop on the stand or picks one up.
        moves: the moves in the order of their planned times.
        gap_duration: duration of the gap, [s].
    """
    # Evenly from event to event, but no longer than the hand takes from one move to the next.
    step = min(gap_duration / (len(moves) + 1), STAND_REACH)
    goes_early = True  # whether all moves so far put props down
    for position, move in enumerate(moves):
        puts_down = ring.tosses[move.toss_index].puts_down
        goes_early = goes_early and puts_down
        # Early moves are counted from the start of the gap, late ones back from its end.
        if goes_early:
            since_gap_start = (position + 1) * step
        else:
            since_gap_start = gap_duration - (len(moves) - position) * step
        # The time at which the gap starts, in the loop in which the ring has the move.
        gap_start = move.time - move.since_event
        if puts_down:
            ring.retime(move.toss_index, throw_time=since_gap_start + gap_start)
        else:
            ring.pick_up_at(move.toss_index, since_gap_start + gap_start)


class _MoveInGap(NamedTuple):
    """A move at a stand, in the gap between two events of its hand; sorted by time in the gap.

    Attributes:
        since_event: time since the event before the gap, [s].
        toss_index: the index of the toss that does it.
        time: time of the move, [s]; unlike `since_event`, not taken modulo the loop.
    """

    since_event: float
    toss_index: int
    time: float


def _planned_move_time(ring: TossRing, toss_index: int) -> float:
    """The planned time at which a toss puts its prop on a stand or picks it up there, [s].

    It tells between which throws or catches of the hand the move belongs. So a prop is picked up no
    later than just before it is thrown, even if its planned time is later.

    Args:
        ring: all tosses of the loop.
        toss_index: index of a toss that `rests`: it puts a prop on a stand or picks one up there.
    """
    toss = ring.tosses[toss_index]
    assert toss.flight is not None, "the flight of a toss that rests is the prop's rest"
    if toss.puts_down:
        return toss.flight.throw_time
    # The planned time of picking up follows from beats, but the throw of the prop, `successor`, may
    # have been moved before it to make room for a catch.
    successor, loops_later = ring.next_flight(toss_index)
    throw_time = ring.flight(successor).throw_time + loops_later * ring.duration
    return min(toss.flight.catch_time, throw_time - _SAME_TIME)


# Tables of live changes.


class TableRest(NamedTuple):
    """A prop that lies on a juggler's table, and from when to when.

    Attributes:
        prop: index of the prop; `UNKNOWN_PROP` until it is known.
        juggler: index of the juggler whose table it is.
        position: the position of its centre, left, up and forward of the point under the body, [m].
        since: time at which it is put down, [s]; −∞ for a prop that appears there.
        until: time at which it is picked up, [s]; ∞ for never.
        shown: time at which its table begins to appear, [s].
        aim: yaw and pitch, as in `Frames`, [rad].
        stand: shape (4,), where the juggler stands then, in the form of `Bodies.places`; None while
            that is not yet known.
    """

    prop: int
    juggler: int
    position: Floats
    since: float
    until: float
    shown: float
    aim: tuple[float, float] = (0.0, 0.0)
    stand: Floats | None = None

    @property
    def appears(self) -> float:
        """Time at which it is first visible there, [s]."""
        return self.since if math.isfinite(self.since) else self.shown


class TableMoves:
    """Props put down on tables and picked up there in the throws from one pattern into another.

    Attributes:
        rests: the given rests; after `tosses` was called, all rests with the changes planned there.
    """

    def __init__(
        self,
        rests: Sequence[TableRest],
        looks: list[PropLook],
        juggled: Juggled,
        ticks_per_beat: int,
        request_time: float,
        first_change_time: float,
    ) -> None:
        """Start from the rests of props on tables, without any planned moves.

        A tick is a part of a beat. A rest is the time in which a prop lies on a table.

        Args:
            rests: the times in which props lie on tables: those of props that lie there now, and
                those that earlier changes planned.
            looks: looks (kind, size and colour) of all props, by their indices; changed in place,
                as those of new props are appended.
            juggled: the pattern that follows.
            ticks_per_beat: ticks in a beat; all beats of this class are in ticks.
            request_time: time of the request for the change, [s].
            first_change_time: the earliest time at which anything may change, [s].
        """
        self.rests = list(rests)
        self._looks = looks
        self._juggled = juggled
        self._ticks_per_beat = ticks_per_beat
        self._request_time = request_time
        self._first_change_time = first_change_time

    def tosses(
        self, other_tosses: Sequence[Toss], join: Join, join_tick: int, clock: Clock
    ) -> list[Toss]:
        """Plan the moves of a join at tables: return their tosses, and update `rests` and looks.

        A toss is a throw, a hold, or a move at a table, of one prop; a rest is the time in which a
        prop lies on a table. All props to be put down are planned before those to be picked up, so
        that a prop put down can be picked up again.

        Args:
            other_tosses: the tosses before, within and after the join, with earlier ones at tables.
            join: the throws between the patterns, and where props are put down and picked up.
            join_tick: the tick (parts of a beat) on which it begins.
            clock: times of ticks, [s].
        """
        # Drop rests that were only planned by an earlier change.
        self.rests = self._irrevocable_rests(other_tosses)
        event_times = self._event_times_of_hands(other_tosses, clock)
        return [
            plan_move(other_tosses, join_tick + beat, hand, event_times[hand], clock)
            for plan_move, sites in (
                (self._put_down, join.put_down),
                (self._pick_up, join.picked_up),
            )
            for beat, hand in sites
        ]

    def _event_times_of_hands(self, tosses: Sequence[Toss], clock: Clock) -> dict[int, list[float]]:
        """Return the times at which each hand throws and catches, [s], in no order.

        A toss is a throw, a hold or a move at a table, of one prop. Where a toss has no times yet,
        they are estimated from its beats.

        Args:
            tosses: all tosses except the new ones at tables.
            clock: times of ticks (parts of a beat), [s].
        """
        times: dict[int, list[float]] = defaultdict(list)
        dwell = self._juggled.parameters.dwell * self._ticks_per_beat
        for toss in tosses:
            # A prop that is held is neither thrown nor caught. `held` None is not yet decided, and
            # counts as thrown.
            if toss.throw.held is True:
                continue
            if toss.flight:
                throw_time = toss.flight.throw_time
                catch_time = toss.flight.catch_time
            else:
                throw_time = clock.time_at(toss.throw.beat)
                catch_time = clock.time_at(toss.landing - dwell)
            times[hand_of(toss.throw)].append(throw_time)
            times[catching_hand(toss.throw)].append(catch_time)
        return times

    def _put_down(
        self,
        other_tosses: Sequence[Toss],
        tick: int,
        hand: int,
        event_times: Sequence[float],
        clock: Clock,
    ) -> Toss:
        """Return the toss that puts a prop due in a hand on the table, and add its rest to `rests`.

        It is put down halfway between the moment from which the hand has it and the hand's next
        event, but at most `_TABLE_REACH` (0.45 s) after that moment, in the nearest free slot. Its
        rest, the time in which it lies there, has no end yet, and an unknown prop. A toss is a
        throw, a hold or a move at a table, of one prop on one tick, a part of a beat.

        Args:
            other_tosses: all tosses but the new ones at tables.
            tick: tick on which the prop is due.
            hand: 2 · juggler + side (0 left, 1 right).
            event_times: times at which the hand throws and catches, [s].
            clock: times of ticks, [s].
        """
        # The hand has the prop once it is caught. If no flight brings it on this beat, the hand
        # holds it already, from its last event that is more than a beat before. Nothing may change
        # before `first_change_time`, so the time in hand counts from there at the earliest.
        catches = [
            toss.flight.catch_time
            for toss in other_tosses
            if toss.flight and toss.landing == tick and catching_hand(toss.throw) == hand
        ]
        earlier = [
            time for time in event_times if time < clock.time_at(tick - self._ticks_per_beat)
        ]
        in_hand = max(catches, default=max([self._first_change_time, *earlier]))

        # Halfway, to give the hand the same time to go there and to come back. Without a next
        # event a default is so late that `_TABLE_REACH` decides.
        later = (time for time in event_times if time > in_hand + _SAME_TIME)
        next_event = min(later, default=in_hand + 2 * _TABLE_REACH)
        put_down_time = in_hand + min((next_event - in_hand) / 2, _TABLE_REACH)
        slot = self._free_slot(hand)
        self.rests.append(
            TableRest(
                UNKNOWN_PROP,
                juggler=juggler_of_hand(hand),
                position=slot,
                since=put_down_time,
                until=math.inf,
                shown=self._request_time,
            )
        )
        flight = _rest_flight(slot, since=put_down_time, until=math.inf)
        return Toss(_putting_down(tick, hand), flight=flight)

    def _pick_up(
        self,
        other_tosses: Sequence[Toss],
        throw_tick: int,
        hand: int,
        event_times: Sequence[float],
        clock: Clock,
    ) -> Toss:
        """Return the toss that picks up the prop that a hand throws on a beat, and end its rest.

        The prop is picked up halfway between the hand's event before the throw and the throw, but
        at most `_TABLE_REACH` (0.45 s) before the throw. The nearest rest that the hand can reach,
        the time in which a prop lies on the table, ends then; if there is none, a new prop appears
        on the table. Both change `rests`. A toss is a throw, a hold or a move at a table, of one
        prop on one tick, a part of a beat.

        Args:
            other_tosses: all tosses but the new ones at tables.
            throw_tick: tick on which the hand throws it.
            hand: 2 · juggler + side (0 left, 1 right).
            event_times: times at which the hand throws and catches, [s].
            clock: times of ticks, [s].
        """
        throws = [
            toss.flight.throw_time
            for toss in other_tosses
            if toss.flight and (toss.throw.beat, hand_of(toss.throw)) == (throw_tick, hand)
        ]
        throw_time = min(throws, default=clock.time_at(throw_tick))
        earlier = (time for time in event_times if time < throw_time - _SAME_TIME)
        previous_event = max(earlier, default=-math.inf)
        pick_up_time = throw_time - min((throw_time - previous_event) / 2, _TABLE_REACH)
        rest = self._end_nearest_rest(hand, pick_up_time)
        # The flight of a toss that picks up is the rest that ends then. Its beginning, here -∞, is
        # never used: the rest itself knows it.
        flight = _rest_flight(rest.position, since=-math.inf, until=pick_up_time)
        # In beats, the hand has the prop from one beat before the throw on.
        hold = throw_between(throw_tick - self._ticks_per_beat, hand, throw_tick, hand, held=True)
        return Toss(hold, rest.prop, flight)

    def _irrevocable_rests(self, tosses: Sequence[Toss]) -> list[TableRest]:
        """Return the rests on tables that a new change keeps: past ones, and those of kept tosses.

        A toss is a throw, a hold or a rest on a table, of one prop. A rest is the time in which a
        prop lies on a table; one toss puts the prop down, another picks it up.

        - A rest is kept if it begins before the first time that may change, or with a kept toss.
          Other rests were only planned by an earlier change, and are dropped.
        - The end of a rest is kept by the same rule. If it is not, the prop lies there without end.

        Args:
            tosses: all tosses that stay; a rest and its toss are matched by their equal times.
        """
        times_in_tosses = {
            time
            for toss in tosses
            if toss.rests and toss.flight
            for time in (toss.flight.throw_time, toss.flight.catch_time)
        }
        # A rest is kept or dropped by its beginning, and its end by the same rule.
        irrevocable = []
        for rest in self.rests:
            if rest.since < self._first_change_time or rest.since in times_in_tosses:
                is_picked_up = rest.until < self._first_change_time or rest.until in times_in_tosses
                irrevocable.append(rest if is_picked_up else rest._replace(until=math.inf))
        return irrevocable

    def _free_slot(self, hand: int) -> Floats:
        """Return the free slot of the table nearest to a hand; on a full table, the nearest of all.

        A slot is one of the places on a juggler's table where a prop can lie; `_TABLE_SLOTS` has
        them all. A rest is the time, up to `until`, in which a prop lies on the table. A slot also
        counts as free if the prop on it is already planned to be picked up.

        Args:
            hand: 2 · juggler + side (0 left, 1 right); the table is that of its juggler.

        Returns:
            The position of the slot, shape (3,), [m], in the frame of the body: x to the left, y
            up, z forward.
        """
        # Props lie for ever, up to `until` = inf, unless it is planned to pick them up.
        occupied = [
            rest.position
            for rest in self.rests
            if rest.juggler == juggler_of_hand(hand) and rest.until == math.inf
        ]
        free_slots = [
            slot
            for slot in _TABLE_SLOTS
            if all(np.abs(slot - position).max() > _SAME_POSITION for position in occupied)
        ]
        if not free_slots:
            free_slots = list(_TABLE_SLOTS)
        hand_x = _hand_offset_left(hand)
        first_row_z = _TABLE_ROWS[0]

        def distance(slot: Floats) -> float:
            # Manhattan distance of a slot from the point of the first row in front of the hand.
            x, _y, z = slot
            return float(abs(x - hand_x) + abs(z - first_row_z))

        return min(free_slots, key=distance)

    def _end_nearest_rest(self, hand: int, time: float) -> TableRest:
        """End the rest nearest to a hand sideways, as its prop is picked up, and return it.

        A rest is the time, from `since` to `until`, in which a prop lies on a table. Only rests
        without end (`until` is infinite) on the juggler's table count, whose props were put down
        more than `_TABLE_REACH` before, [s], so that the hand can be back for them. Without any, a
        new prop appears on the table, and its rest ends. Changes `rests`, and the looks if a prop
        appears.

        Args:
            hand: the hand that picks up, 2 · juggler + side (0 left, 1 right).
            time: time at which it does, [s].
        """
        reachable = [
            rest_index
            for rest_index, rest in enumerate(self.rests)
            if rest.juggler == juggler_of_hand(hand)
            and rest.until == math.inf
            and rest.since < time - _TABLE_REACH
        ]
        if not reachable:
            self.rests.append(self._appearing_rest(hand))
            reachable = [len(self.rests) - 1]
        # Positions are in the frame of the body, with x to the left.
        hand_x = _hand_offset_left(hand)
        nearest = min(
            reachable, key=lambda rest_index: abs(self.rests[rest_index].position[0] - hand_x)
        )
        self.rests[nearest] = self.rests[nearest]._replace(until=time)
        return self.rests[nearest]

    def _appearing_rest(self, hand: int) -> TableRest:
        """Return the rest of a new prop that appears on the table, and append its look.

        A rest is the time in which a prop lies on a table; a look is the kind, size and colour of a
        prop. The prop has the next free index, and its look is appended to the looks of all props.
        It has always lain there (`since` is -∞), and is seen (`shown`) from when the change was
        asked for.

        Args:
            hand: the hand that is to pick it up, 2 · juggler + side (0 left, 1 right).
        """
        looks = self._juggled.choreography.looks  # empty if all props have the default look
        prop = len(self._looks)
        self._looks.append(looks[prop % len(looks)] if looks else PropLook())
        return TableRest(
            prop,
            juggler=juggler_of_hand(hand),
            position=self._free_slot(hand),
            since=-math.inf,
            until=math.inf,
            shown=self._request_time,
        )

    def rests_with_props(self, tosses: Sequence[Toss]) -> tuple[TableRest, ...]:
        """Return the rests with the indices that tosses give to props that are put down.

        A rest is the time in which a prop lies on a table; a toss is a throw, a hold or a move at a
        table, of one prop on one beat.

        Args:
            tosses: tosses whose props are known. A rest belongs to the toss that puts a prop down
                in its slot of the juggler's table.
        """
        # By juggler and position of the slot.
        prop_in_slot = {
            (toss.throw.juggler, tuple(toss.flight.start)): toss.prop
            for toss in tosses
            if toss.puts_down and toss.flight
        }
        known_rests = []
        for rest in self.rests:
            if rest.prop == UNKNOWN_PROP:
                prop = prop_in_slot[rest.juggler, tuple(rest.position)]
                known_rests.append(rest._replace(prop=prop))
            else:
                known_rests.append(rest)
        return tuple(known_rests)


def _hand_offset_left(hand: int) -> float:
    """Offset of a hand over the table to the left of the body's middle, [m]."""
    return _HAND_OUTWARD if side_of_hand(hand) == LEFT else -_HAND_OUTWARD


def with_final_times(
    rests: Sequence[TableRest], tosses: Sequence[Toss], final: Sequence[Toss]
) -> tuple[TableRest, ...]:
    """Return rests with the final times of the tosses that begin and end them.

    A toss is a throw, a hold or a rest on a table, of one prop. A rest is the time in which a prop
    lies on a table; it begins with the toss that puts it down, and ends with the toss that picks it
    up. Rests that none of the tosses begins or ends keep their times.

    Args:
        rests: rests with the times of the tosses as planned.
        tosses: the tosses as planned.
        final: the same tosses in the same order, with their final times.
    """
    # A rest and its toss are linked only by their equal planned times: `since` of the rest is when
    # the toss puts down, `until` when it picks up. So the final times are found by planned ones.
    final_time_of = {}
    for toss, final_toss in zip(tosses, final, strict=True):
        if toss.rests and toss.flight and final_toss.flight:
            final_time_of[action_time(toss.flight)] = action_time(final_toss.flight)
    return tuple(
        rest._replace(
            since=final_time_of.get(rest.since, rest.since),
            until=final_time_of.get(rest.until, rest.until),
        )
        for rest in rests
    )


def action_time(flight: TossFlight) -> float:
    """Time at which the prop of a toss is thrown, put down or picked up, [s]."""
    return flight.throw_time if math.isfinite(flight.throw_time) else flight.catch_time


def time_table_moves(ring: TossRing, now: Present) -> None:
    """Set the final times of moves at tables, which put props down and pick them up, in a ring.

    Each move is timed from the throws and catches of its hand, by `_put_down_time` or
    `_pick_up_time`. Moves on beats that are past keep their times.

    A toss is a throw, a hold or a move at a table, of one prop on one beat. It `rests` if it is a
    move at a table, and `flies` if it begins a flight or puts a prop down. Its beat is a number of
    ticks, parts of a beat, since `ring.first_tick`; times are in [s]. Times do not wrap around the
    loop of the ring: a catch after its end, or a prop that came before its start, keeps its time.

    Args:
        ring: changed in place; all its other tosses have their times.
        now: the absolute tick and the time before which nothing may change any longer.
    """
    # Times of the tosses of one loop, [s]: throws and catches by hand, and throws alone by tick and
    # hand. Moves at tables are left out, as these are timed from them.
    event_times: dict[int, list[float]] = defaultdict(list)
    throw_times: dict[tuple[int, int], list[float]] = defaultdict(list)
    for toss_index, toss in enumerate(ring.tosses):
        if ring.flies(toss_index) and not toss.rests:
            flight = ring.flight(toss_index)
            hand = hand_of(toss.throw)
            throw_times[toss.throw.beat, hand].append(flight.throw_time)
            event_times[hand].append(flight.throw_time)
            event_times[catching_hand(toss.throw)].append(flight.catch_time)
    arrival_times = ring.arrival_times()  # by toss: when its prop came to the hand, [s]

    for toss_index, toss in enumerate(ring.tosses):
        # Only moves at tables on beats that are not past may change.
        if not toss.rests or toss.throw.beat + ring.first_tick < now.tick:
            continue
        hand = hand_of(toss.throw)
        planned = ring.flight(toss_index)
        if toss.puts_down:
            # The hand has the prop for the table once it has come, the hand's earlier events are
            # over, and it has made its other throws of the same beat. An event at the planned time
            # itself is no earlier one.
            earlier = [time for time in event_times[hand] if time < planned.throw_time - _SAME_TIME]
            in_hand = max(
                [arrival_times[toss_index], *earlier, *throw_times[toss.throw.beat, hand]]
            )
            # For a toss that puts down, `throw_time` is when the prop's stay on the table begins.
            ring.retime(toss_index, throw_time=_put_down_time(in_hand, event_times[hand], now.time))
        else:
            # The throw for which the prop is picked up, made perhaps some loops later.
            next_toss, loops_later = ring.next_flight(toss_index)
            throw_time = ring.flight(next_toss).throw_time + loops_later * ring.duration
            # A prop that is held for `_HELD_LONG` or more between being picked up and its throw was
            # not picked up just for that throw, so it keeps its planned time.
            if throw_time < planned.catch_time + _HELD_LONG:
                # This also ends the stay in the toss that put the prop down.
                ring.pick_up_at(toss_index, _pick_up_time(throw_time, event_times[hand]))


def _put_down_time(in_hand: float, event_times: Sequence[float], present: float) -> float:
    """The time at which a hand puts a prop down on a table, [s].

    That is halfway from when the hand has the prop to its next event, but at most `_TABLE_REACH`
    (0.45 s) after it has the prop. It is not before the present.

    Args:
        in_hand: the time from which the hand is free to put the prop down, [s].
        event_times: throws and catches of the hand in one loop, in any order, [s].
        present: the time before which nothing can happen any more, [s].
    """
    next_from = max(in_hand, present) + _SAME_TIME
    next_event = min((time for time in event_times if time > next_from), default=math.inf)
    halfway = in_hand + min((next_event - in_hand) / 2, _TABLE_REACH)
    # The moment halfway may be past if the prop has been held for long. Then it goes down soon, but
    # with `_GENTLE_REACH` for the way, unless the hand has to catch before.
    soonest = min(present + _GENTLE_REACH, next_event - _GAP_BEFORE_CATCH)
    return max(halfway, present, soonest)


def _pick_up_time(throw_time: float, event_times: Sequence[float]) -> float:
    """The time at which a hand picks a prop up from a table, [s].

    That is halfway between the hand's last event and the throw of the prop, but at most
    `_TABLE_REACH` (0.45 s) before the throw.

    Args:
        throw_time: time at which the hand throws the prop, [s].
        event_times: throws and catches of the hand in one loop, in any order, [s]. A throw in a
            later loop is after all of them, so the last one counts.
    """
    # Throws just before count as made together with this one, and are no earlier events.
    earlier_events = (time for time in event_times if time < throw_time - _THROWN_TOGETHER)
    previous_event = max(earlier_events, default=-math.inf)
    return throw_time - min((throw_time - previous_event) / 2, _TABLE_REACH)
