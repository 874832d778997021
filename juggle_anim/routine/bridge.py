"""Bridges: the throws that lead from a line that plays into another pattern.

A bridge holds the last throws of the old pattern, those of the join, and some beats of the new
one, with their usual events: only throws of the join get times and places of their own. So motion
through it is that of the old pattern before, and that of the new pattern after.

Patterns that play for ever: their tosses, with the times, places and props of an animation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind, PropLook
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import Motion, move
from juggle_anim.pattern import Join, Pattern, shortest_join
from juggle_anim.tosses import (
    HURRIED_SHARE,
    UNKNOWN_PROP,
    Clock,
    FlightProps,
    Loop,
    Present,
    Segment,
    TableMoves,
    TableRest,
    Toss,
    TossFlight,
    Waypoint,
    action_time,
    closed_loop,
    enumerate_equal_throws,
    prop_of_held_orbit,
    sampled_keyframes,
    states_before,
    with_final_times,
    with_prop_indices,
)
from juggle_anim.tosses.hand_times import HandEvent, points_of_loop
from juggle_anim.vectors import rotate_about_y

_IDLE_STEP = 0.3  # s, between points of a hand that does nothing


@dataclass(frozen=True, eq=False)
class Playing:
    """A pattern that plays for ever.

    Args:
        animation: the animation of a pattern on beats.
        origin: time of the session at the line's own time 0, [s].
        props: for each of its P props its index among all; None if they have their own.
    """

    animation: Animation
    origin: float
    props: tuple[int, ...] | None = None

    @cached_property
    def segment(self) -> Segment:
        """The pattern by itself, without the variation of people."""
        return Segment(self.animation.score, self.animation.parameters)

    @property
    def division(self) -> int:
        """Parts of a beat."""
        return self.pattern.division

    @property
    def pattern(self) -> Pattern:
        """One loop, until hands, catches and bodies repeat."""
        return self.segment.pattern

    @cached_property
    def highest_value(self) -> int:
        """The greatest value of a throw."""
        return max((throw.value for throw in self.pattern.throws), default=0)

    @cached_property
    def clock(self) -> Clock:
        """A steady tempo."""
        return Clock.steady(self._rate, self.origin)

    @property
    def motion(self) -> Motion:
        """Paths of hands and props."""
        return self.animation.motion

    @property
    def _rate(self) -> float:
        """The tempo, in parts of a beat per second."""
        return self.animation.choreography.bps * self.division

    def tosses(self, first: int, end: int) -> list[Toss]:
        """All tosses from one beat up to another, in order; beats are in parts of a beat.

        A toss is a throw or a hold of one prop on one beat. Each has the times of its flight, [s],
        absolute, and the index of its prop among all, or the pattern's own index if `props` is
        None.

        Args:
            first: the first beat, counted from the pattern's own beat 0.
            end: the beat after the last.
        """
        tosses = []
        # For each throw the loop of the pattern in which it is made, and its index there.
        for loop, throw_index, throw in self.segment.throws(first, end):
            prop = self._prop_of_throw(throw_index, loop)
            if self.props:
                # Map the pattern's own index of a prop to that among all.
                prop = self.props[prop]
            tosses.append(Toss(throw, prop, self._flight(throw_index, loop)))
        return sorted(tosses, key=lambda toss: toss.throw.beat)

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, at absolute times, in no order of time.

        Hands that throw and catch nothing are at rest, at a point every `_IDLE_STEP` seconds.

        Args:
            first: the earliest time, [s].
            last: the time up to which points are passed, [s].
        """
        points = [point for point, _neighbours in self.points_with_neighbours(first, last)]
        return points + self._waypoints_of_idle_hands(first, last)

    def points_with_neighbours(
        self, first: float, last: float
    ) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The waypoints of hands, each with the throw or catch of its hand before and after it.

        A waypoint is a point that a hand passes between throws and catches. Hands that throw and
        catch nothing are left out. All times are absolute, [s].

        Args:
            first: the earliest time, [s].
            last: the time up to which points are passed, [s].
        """
        # The performance may be several loops of the pattern, as people vary.
        performance = self.animation.performance
        loop_duration = performance.duration
        points = []
        # Points are given at times in the loop, their neighbours at times since the point.
        for point, neighbours, _time_to_throw in points_of_loop(performance):
            time_in_loop_0 = self.origin + point.time
            # All loops in which its time is from `first` up to `last`.
            first_loop = math.ceil((first - time_in_loop_0) / loop_duration)
            end_loop = math.ceil((last - time_in_loop_0) / loop_duration)
            for loop in range(first_loop, end_loop):
                time = time_in_loop_0 + loop * loop_duration
                events = [event._replace(time=time + event.time) for event in neighbours]
                points.append((point._replace(time=time), events))
        return points

    def _waypoints_of_idle_hands(self, first: float, last: float) -> list[Waypoint]:
        """Waypoints at rest for hands without events, one every `_IDLE_STEP` seconds."""
        performance = self.animation.performance
        hands = np.arange(len(performance.rest))
        idle_hands = np.setdiff1d(hands, performance.events.hand).tolist()
        times = np.arange(first, last - _IDLE_STEP, _IDLE_STEP).tolist()
        return [
            Waypoint(time, hand, int(EventKind.HOLD), performance.rest[hand])
            for hand in idle_hands
            for time in times
        ]

    def places(self, times: Floats) -> Floats:
        """Places of the bodies at given times, shape (T, J, 4) for T times and J jugglers, in the
        form of `Bodies.places`.
        """
        return self.animation.motion.bodies.places(times - self.origin)

    def _performed_flight(self, throw_index: int, loop: int) -> tuple[int, float]:
        """The flight of a throw as it is performed, and when it begins.

        The throw must not be a hold. The performance holds one or several loops of the pattern,
        each a little different as people vary, and repeats after these.

        Args:
            throw_index: index of the throw in the pattern.
            loop: number of the loop of the pattern, from 0 on; below 0 before its first.

        Returns:
            The row of the flight in the performance, and the time of its throw in the animation's
            own time, [s].
        """
        performance = self.animation.performance
        performed_loops = round(performance.duration / self.animation.choreography.duration)
        # By index of a throw, the row of its flight in one loop; holds are left out. The rows of
        # the performance are those of its loops one after another.
        flight_row_of = self.segment.flight_row_of
        loop_in_performance = loop % performed_loops
        flight_row = loop_in_performance * len(flight_row_of) + flight_row_of[throw_index]
        throw_time = float(performance.events.time[performance.flights.throw[flight_row]])
        # The repeat of the performance in which the throw is nearest to its nominal time.
        nominal_beat = self.segment.timing.throw[throw_index] + loop * self.pattern.period
        nominal_time = nominal_beat / self._rate
        repeats = round((nominal_time - throw_time) / performance.duration)
        return flight_row, throw_time + performance.duration * repeats

    def _flight(self, throw_index: int, loop: int) -> TossFlight | None:
        """The flight of a throw at absolute times; None for a hold.

        Args:
            throw_index: index of the throw in the pattern.
            loop: number of the loop of the pattern, from 0 on; below 0 before its first.
        """
        if throw_index not in self.segment.flight_row_of:
            return None
        # What is performed may differ a little from loop to loop, as people vary. Times of the
        # animation start at `origin`.
        performance = self.animation.performance
        flight_row, throw_time = self._performed_flight(throw_index, loop)
        catch_time = throw_time + float(performance.flights.duration[flight_row])
        return TossFlight.from_choreography(
            performance,
            flight_row,
            throw_time=self.origin + throw_time,
            catch_time=self.origin + catch_time,
        )

    @cached_property
    def _flight_props(self) -> FlightProps:
        return FlightProps(self.animation.performance)

    def _prop_of_throw(self, throw_index: int, loop: int) -> int:
        """Return the index in the animation of the prop that is thrown or held by a throw.

        An orbit is the closed path that some props share, one loop apart. For each flight it is
        known which prop makes it. A prop that is held is followed through its holds to its next
        flight. In an orbit without flights, the order of its holds decides.

        Args:
            throw_index: index of the throw in the pattern.
            loop: number of the loop of the pattern, from 0 on; below 0 before its first.
        """
        throws = self.pattern.throws
        flight_row_of = self.segment.flight_row_of
        # The throw that the prop makes next, and the beat of it, counted on beyond the loop.
        next_throw = throw_index
        beat = throws[throw_index].beat + loop * self.pattern.period
        while next_throw not in flight_row_of:
            beat += throws[next_throw].value
            next_throw = self.pattern.landings[next_throw]
            if next_throw == throw_index:  # once around the orbit, without a flight
                performance = self.animation.performance
                return prop_of_held_orbit(
                    performance, self.pattern, flight_row_of, throw_index, loop
                )
        loop_of_flight = (beat - throws[next_throw].beat) // self.pattern.period
        flight_row, throw_time = self._performed_flight(next_throw, loop_of_flight)
        return self._flight_props.prop(flight_row, throw_time)


LEAD = 0.15
"""How long after a change is asked for the first throw may be another one, at the earliest, [s]."""

SETTLING = 6
"""Beats of the new pattern after which its motion no longer shows how it began."""

_SHOWN_AROUND = 1.6  # s laid out before and after all that is shown: heads and bodies move slowly
_REMEMBERED = 60.0  # s of tempi; nothing looks further back
_EVENT_DURATION = 0.02  # s; a moment so soon after a throw or catch counts as that
_CALM_MOMENTS = 40  # that are compared for where a bridge ends
_EXIT_BEATS = 8  # beats within which a pattern is left
# A flight in a tempo that still rises takes at most so much of the time of the highest throw in the
# final tempo; so nothing is thrown much higher.
_LONGEST_FLIGHT = 1.04
_TEMPO_BEATS = 100  # beats within which a tempo is reached
_TEMPO_SAMPLE = 0.1  # s over which the tempo is measured
_BEATS_AFTER_LAST_CHANGE = 4  # beats from the last change of anything until a pattern is alone


@dataclass(frozen=True, eq=False)
class Bridge:
    """The throws that lead from one line into a pattern.

    All beats are in ticks: parts of a beat that suit both, counted as the old line does.

    Args:
        before: the old line, which played until then.
        after: the new pattern, its props numbered as those of the old line.
        join: the throws that lead from one into the other.
        clock: times of ticks, [s].
        ticks_per_part: ticks in each part of a beat of the old line.
        exit_tick: the first tick of the join.
        entry_tick: the first tick of the new pattern.
        pattern_entry_tick: the same tick, counted from beat 0 of the new pattern.
        first_changed_tick: the first tick with a throw that the old line would have made at another
            time, or in another way.
        settled_time: time from which on the new pattern goes on alone, [s].
        first_tick: the first tick that is laid out.
        end_tick: the tick after the last that is laid out.
        loop: the tosses and motion from `first_tick` to `end_tick`, closed to a loop.
        rests: the times in which props lie on tables.
        request_time: time of the request, [s].
        looks: the looks of all props by index.
    """

    before: Line
    after: Playing
    join: Join
    clock: Clock
    ticks_per_part: int
    exit_tick: int
    entry_tick: int
    pattern_entry_tick: int
    first_changed_tick: int
    settled_time: float
    first_tick: int
    end_tick: int
    loop: Loop
    rests: tuple[TableRest, ...]
    request_time: float
    looks: tuple[PropLook, ...]

    def __post_init__(self) -> None:
        # Computed only once: the spans before may be long ago, and in another process.
        self.division, self.highest_value  # noqa: B018 - cached

    @cached_property
    def division(self) -> int:
        """Ticks in a beat."""
        return self.before.division * self.ticks_per_part

    @property
    def origin_tick(self) -> int:
        """The tick of beat 0 of the new pattern."""
        return self.entry_tick - self.pattern_entry_tick

    @property
    def _ticks_per_part_after(self) -> int:
        """Ticks in each part of a beat of the new pattern."""
        return self.division // self.after.division

    @property
    def props(self) -> tuple[int, ...]:
        """The index among all props of each prop of its motion."""
        return self.loop.props

    @property
    def origin(self) -> float:
        """When its own time 0 is, [s]."""
        return self.loop.start

    @cached_property
    def highest_value(self) -> int:
        """The greatest value of a throw, in ticks: before, in the join and after."""
        highest_of_join = max((throw.value for throw in self.join.throws), default=0)
        return max(
            self.before.highest_value * self.ticks_per_part,
            self.after.highest_value * self._ticks_per_part_after,
            highest_of_join,
        )

    @cached_property
    def motion(self) -> Motion:
        """Paths of hands and props."""
        return move(self.loop.choreography, self.after.animation.parameters)

    @property
    def written(self) -> tuple[str, ...]:
        """The throws of each beat of the transition, as digits."""
        return self.join.written(self.division)

    def next_loop_start(self, tick: int) -> int:
        """The first tick, from a given one on, that begins a loop of the new pattern."""
        period = self.after.pattern.period * self._ticks_per_part_after
        return tick + (self.origin_tick - tick) % period

    @cached_property
    def table_rests(self) -> tuple[TableRest, ...]:
        """The rests of props on tables, with exact positions of the props that the motion shows.

        A rest is the time, from `since` to `until`, in which a prop lies on a table. It is planned
        for a slot of the table, but a hand that puts several props down holds each at a place of
        its own, which may be beside the slot. Two kinds of rests, of props that this bridge moves,
        therefore get the position [m] and aim [rad] of the prop in the motion, in the frame of the
        juggler's body, and the place of that body (`stand`):

        - a rest without an end: those at the settled time, from which on the new pattern goes on
          alone;
        - a rest on a table that rises at the request, which begins the bridge: those at that time.
          It may have an end.

        All other rests stay as planned.
        """
        # Rows of the frames below.
        at_request = 0
        when_settled = 1
        times = np.array([self.request_time, self.settled_time]) - self.origin
        frames = self.motion.sample(times)
        bodies = self.motion.bodies.places(times)
        exact_rests = []
        for rest in self.rests:
            # A prop that appears with its table was never put down on it (`since` is −∞), and the
            # table begins to rise (`shown`) at the request.
            was_put_down = math.isfinite(rest.since)
            appears = not was_put_down and rest.shown == self.request_time
            has_end = rest.until != math.inf
            if (has_end and not appears) or rest.prop not in self.props:
                exact_rests.append(rest)
                continue
            frame_row = at_request if appears else when_settled
            prop = self.props.index(rest.prop)
            body = bodies[frame_row, rest.juggler]
            position = in_body_frame(frames.props[frame_row, prop], body)
            aim = (0.0, 0.0)
            if frames.aims is not None:
                yaw, pitch = frames.aims[frame_row, prop].tolist()
                aim = (yaw, pitch)
            exact_rests.append(rest._replace(position=position, aim=aim, stand=body))
        return tuple(exact_rests)

    def tosses(self, first: int, end: int) -> list[Toss]:
        """Return all tosses from one tick up to another, in order: before, in and after the bridge.

        A bridge is what is juggled between two patterns, from the old line (a pattern or an earlier
        bridge) into the new pattern. A toss is a throw or a hold of one prop. A tick is the common
        unit of time of both: each divides its beats into parts, of some ticks each
        (`ticks_per_part`). Ticks count on from those of the old line; the new pattern's beat 0 is
        on `origin_tick`.

        The bridge has its own tosses from its `first_tick` up to its `end_tick`. Earlier ones come
        from the old line, later ones from the new pattern, both with their beats in ticks.

        Args:
            first: the first tick.
            end: the tick after the last.
        """
        tosses = [toss for toss in self.loop.tosses if first <= toss.throw.beat < end]
        if first < self.first_tick:
            earlier = _tosses_in_ticks(
                self.before,
                first=first,
                end=min(end, self.first_tick),
                ticks_per_part=self.ticks_per_part,
            )
            tosses = earlier + tosses
        if end > self.end_tick:
            tosses += _tosses_in_ticks(
                self.after,
                first=max(first, self.end_tick),
                end=end,
                ticks_per_part=self._ticks_per_part_after,
                origin_tick=self.origin_tick,
            )
        return tosses

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between throws and catches, from a time up to another.

        Up to the first changed throw or the change of tempo they are those of the old line, which
        is a pattern or an earlier bridge; then those of this bridge; and from the settled time on,
        when the new pattern goes on alone, those of the new pattern. A bridge is what is juggled
        between two patterns, to get from one into the other.

        Args:
            first: the earliest time, [s].
            last: the time up to which points are passed, [s].
        """
        # The old line is left with its throws or with its tempo, whichever is sooner.
        leave_tick = min(self.exit_tick, self.clock.change_tick)
        leave_time = min(self.clock.time_at(leave_tick), last)
        before = self.before.waypoints(first, leave_time) if first < leave_time else []
        between = self._waypoints_between(max(leave_time, first), last)
        after = self.after.waypoints(max(self.settled_time, first), last)
        return before + between + after

    def _waypoints_between(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between the two patterns, from a time up to another, [s]."""
        points = []
        for point, _neighbours, _time_to_throw in points_of_loop(self.loop.choreography):
            time = self.origin + point.time
            if first <= time < min(last, self.settled_time):
                points.append(point._replace(time=time))
        return points

    def places(self, times: Floats) -> Floats:
        """Where bodies are, as `Bodies.places`, at absolute times."""
        return self.motion.bodies.places(times - self.origin)


Line: TypeAlias = Playing | Bridge
"""What plays from a given time on, a pattern or a bridge to one: tosses on beats of a clock."""


def in_body_frame(position: Floats, body: Floats) -> Floats:
    """A position in the world, shape (3,), in the frame of a juggler's body.

    Args:
        position: [m].
        body: x, y, z under the juggler's feet [m] and turn about +y [rad], shape (4,).
    """
    offset: Floats = rotate_about_y((position - body[:3])[None], -body[3:])[0]
    return offset


def _tosses_in_ticks(
    line: Line, first: int, end: int, ticks_per_part: int, origin_tick: int = 0
) -> list[Toss]:
    """Tosses of a line from a tick up to another, with beats in ticks.

    A toss is a throw or a hold of one prop; a tick is a part of a beat that suits all that plays.

    Args:
        line: the line that plays; it counts beats in parts of its own, which may be longer than a
            tick.
        first: the first tick.
        end: the tick after the last.
        ticks_per_part: ticks in each of these parts.
        origin_tick: the tick of the line's own beat 0.
    """
    # In the line's own parts of a beat, rounded up. So a part that begins on the tick `first`
    # belongs here, and one that begins on the tick `end` does not.
    first_part = math.ceil((first - origin_tick) / ticks_per_part)
    end_part = math.ceil((end - origin_tick) / ticks_per_part)
    return [toss.scaled(ticks_per_part, origin_tick) for toss in line.tosses(first_part, end_part)]


def bridge_to(
    before: Line,
    time: float,
    animation: Animation,
    rests: Sequence[TableRest],
    looks: Sequence[PropLook],
    *,
    at_start: bool = False,
) -> Bridge:
    """Lay out the bridge from the line that plays into a pattern.

    A bridge is the throws between two patterns, with the change of tempo and all motion.

    Args:
        before: the line that plays, a pattern or an earlier bridge.
        time: time of the request, [s]; nothing changes before it.
        animation: animation of the pattern, on beats, with the same number of jugglers.
        rests: the times in which props lie on tables, those planned for later too.
        looks: looks (kind, size and colour) of all props, by index.
        at_start: whether the pattern has to begin with its first throw, or with the same throw by
            the other hand where the pattern goes on alike from there. If not, it begins wherever
            that makes the join shortest.
    """
    return _BridgeLayout(before, time, animation, rests, list(looks), at_start=at_start).bridge()


class _BridgeLayout:
    """The steps that lay out a bridge, from the old line, which plays, to the new pattern.

    What is laid out goes from `first_tick` up to `end_tick`, which is more than is shown: the old
    pattern up to `exit_tick`, the join up to `entry_tick`, then the new pattern, which from
    `alone_tick` on is juggled as by itself. The join is the throws that lead from one into the
    other. Ticks are parts of a beat that suit both patterns. A toss is one action of a hand with
    one prop on a tick: throw it, hold it, or put it on a table or pick it up there.
    """

    def __init__(
        self,
        old: Line,
        time: float,
        animation: Animation,
        rests: Sequence[TableRest],
        looks: list[PropLook],
        *,
        at_start: bool,
    ) -> None:
        """Prepare both patterns and the division of beats that suits both.

        Args:
            old: the line that plays: a pattern, or an earlier bridge.
            time: time of the request, [s]; the first changed throw is `LEAD` seconds later or more.
            animation: animation of the new pattern, the one that follows.
            rests: the times in which props lie on tables, those planned for later too; copied.
            looks: looks (kind, size and colour) of all props, by index; not copied, and the looks
                of props that are picked up are appended.
            at_start: whether the new pattern must be entered at its first throw; if not, wherever
                the way is shortest.
        """
        self.request_time = time
        self.first_change_time = time + LEAD
        self.animation = animation
        self.looks = looks
        self.old = old
        # The new pattern counts its own times from 0 s on until it is known when it enters.
        self.new = Playing(animation, origin=0.0)
        # Each pattern divides its beats into parts; a tick is a part that suits both.
        self.ticks_per_beat = math.lcm(old.division, self.new.division)
        self.old_ticks_per_part = self.ticks_per_beat // old.division
        self.new_ticks_per_part = self.ticks_per_beat // self.new.division
        self.hand_count = 2 * animation.num_jugglers
        # In ticks, and without changes of tempo that are over since `_REMEMBERED` seconds or more.
        self.old_clock = old.clock.since(time - _REMEMBERED).scaled(self.old_ticks_per_part)
        self.rests = list(rests)
        self.at_start = at_start

    def old_tosses(self, first: int, end: int) -> list[Toss]:
        """Tosses of the old line from a tick up to another, with beats in ticks."""
        return _tosses_in_ticks(self.old, first, end, self.old_ticks_per_part)

    @cached_property
    def new_rate(self) -> float:
        """The tempo of the new pattern, [ticks/s]."""
        return self.animation.choreography.bps * self.ticks_per_beat

    @cached_property
    def rising_clock(self) -> Clock | None:
        """The clock of a tempo that rises before the join; None if it does not rise before it.

        A clock gives the times of ticks, parts of a beat. A join is the throws that lead from the
        old line (a pattern, or an earlier bridge) into the new pattern. If the new pattern is
        faster, the old line takes over its tempo before the join, so that no throw of the new
        pattern is made too high. (If one of the last throws goes around a body, the tempo does not
        rise before the join, as the hand would have to hurry.) The tempo begins to rise on the last
        of these ticks:

        - the first free one, from which on all throws come after the change was asked for,
        - the landings of the props in the air,
        - the end of an earlier change of tempo,
        - a beat after the last move at a table.
        """
        if self.new_rate <= self.old_clock.final_rate:
            return None
        first_free_tick = self.first_free_tick
        # All tosses whose props may still be in the air: none flies for longer than the highest
        # throw, and three times that is more than enough for props that are held as well. The old
        # line counts in parts of a beat; ticks may be shorter.
        depth = 3 * max(self.old.highest_value, self.old.division) * self.old_ticks_per_part
        tosses_in_air = self.old_tosses(first_free_tick - depth, first_free_tick)
        if any(toss.is_around_body for toss in tosses_in_air):
            return None
        landings = [toss.landing for toss in tosses_in_air if not toss.rests]
        # When props are still to be put down on tables (`since`) or picked up there (`until`), [s].
        table_times = [
            time
            for rest in self.rests
            for time in (rest.since, rest.until)
            if self.first_change_time < time < math.inf
        ]
        table_ticks = [self.old_clock.tick_at(time) + self.ticks_per_beat for time in table_times]
        # When an earlier change of tempo is over.
        settled_tick, _settled_time = self.old_clock.change_end
        last_table_or_change = math.ceil(max([settled_tick, *table_ticks]))
        return self.old_clock.changing(
            max(first_free_tick, *landings, last_table_or_change), self.new_rate
        )

    def first_exit(self) -> int:
        """The first tick, a part of a beat, on which the old pattern may be left.

        Without a rising tempo that is the first tick from which on all throws come after the
        change. With one, the pattern plays on until the highest throw of the new pattern takes
        about as long as in the final tempo (`_LONGEST_FLIGHT`, 1.04, times as long at most): while
        beats are still slow, that throw would be much higher. If no tick within `_TEMPO_BEATS`
        (100) beats is late enough, the last of them is returned.
        """
        first = self.first_free_tick
        clock = self.rising_clock
        highest_value = self.new.highest_value * self.new_ticks_per_part
        if clock is None or not highest_value:
            return first
        longest_flight = _LONGEST_FLIGHT * highest_value / clock.final_rate  # s
        exits = range(first, first + _TEMPO_BEATS * self.ticks_per_beat, self.old_ticks_per_part)
        for tick in exits:
            if clock.time_at(tick + highest_value) - clock.time_at(tick) <= longest_flight:
                return tick
        return exits[-1]

    @cached_property
    def first_free_tick(self) -> int:
        """The first tick from which on every throw of the old line comes later than the change.

        That is the first beat at or after `first_change_time`, or a later one if throws of the
        coming beats leave the hand before that time. A tick is the part of a beat in which all
        patterns are counted; the old line is a pattern or an earlier bridge. A bridge is what is
        juggled between two patterns, to get from one into the other.
        """
        # The old line counts beats in parts of its own, which are some ticks long.
        first_part = math.ceil(self.old.clock.tick_at(self.first_change_time))
        # A throw may be made before its beat, though never three beats before.
        coming = self.old.tosses(first_part, first_part + 3 * self.old.division)
        after_early_throws = [
            toss.throw.beat + 1
            for toss in coming
            if toss.flight and action_time(toss.flight) < self.first_change_time
        ]
        return self.old_ticks_per_part * max([first_part, *after_early_throws])

    @cached_property
    def exit_and_join(self) -> tuple[int, Join]:
        """The shortest join that begins within `_EXIT_BEATS` (8) beats of the first exit.

        A join is the throws that lead from the old line into the new pattern; its exit is the tick
        (part of a beat) on which they begin. The old line is a pattern, or an earlier bridge.

        Returns:
            The tick on which the join begins, and the join. The ticks of the join count from there,
            and its `entry` is a tick of one loop of the new pattern.
        """
        # A state says how many props land in each hand on each coming tick, as far ahead as
        # anything flies. Exits are the states before each part of a beat on which the old line may
        # be left, entries those before each tick of one loop of the new pattern.
        first_exit_tick = self.first_exit()
        depth = max(
            self.old.highest_value * self.old_ticks_per_part,
            self.new.highest_value * self.new_ticks_per_part,
        )
        period = self.new.pattern.period * self.new_ticks_per_part
        exit_ticks = [
            first_exit_tick + wait * self.old_ticks_per_part
            for wait in range(_EXIT_BEATS * self.old.division)
        ]
        # The tosses whose landings make up these states: those of the old line, from long enough
        # before (three times the highest throw, as props may also be held), and of the new
        # pattern, counted from its own beat 0.
        tosses_before_exits = self.old_tosses(first_exit_tick - 3 * depth, exit_ticks[-1] + 1)
        tosses_of_new_pattern = _tosses_in_ticks(
            self.new, -depth - 1, period, self.new_ticks_per_part
        )
        exits = states_before(tosses_before_exits, exit_ticks, depth + 1, self.hand_count)
        entries = states_before(tosses_of_new_pattern, range(period), depth + 1, self.hand_count)
        allowed_entries = None
        if self.at_start:
            # Where the pattern begins, or does the same with the other hand.
            allowed_entries = _beginning_ticks(self.new.pattern, self.new_ticks_per_part)
        join = shortest_join(
            exits,
            entries,
            self.new.pattern,
            self.ticks_per_beat,
            exit_step=self.old_ticks_per_part,
            allowed_entries=allowed_entries,
        )
        assert join is not None, "once all has landed, any pattern can follow"
        return exit_ticks[join.exit], join

    def bridge(self) -> Bridge:
        """Return the bridge, with the choreography of its tosses, waypoints and bodies.

        A bridge is what is juggled between two patterns, to get from one into the other. A toss is
        a throw, a hold or a rest on a table, of one prop; a waypoint is a point that a hand passes
        between throws and catches.
        """
        exit_tick, join = self.exit_and_join
        alone_tick, end_tick = self.alone_and_end_ticks
        tosses, rests = self.tosses_and_rests
        # Times, [s]: of the start, when the old pattern is left with its throws or with its tempo,
        # when the new one goes on alone, and of the end.
        clock = self.clock
        start_time = clock.time_at(self.first_tick)
        leave_time = clock.time_at(min(exit_tick, clock.change_tick))
        alone_time = clock.time_at(alone_tick)
        end_time = clock.time_at(end_tick)
        # Bodies move as before up to the change of tempo, when all that was in the air has landed.
        # From `alone_time` on they move as in the new pattern; in between they go to their places.
        new_pattern = self.retimed.playing
        times = np.array([start_time, clock.time_at(clock.change_tick), alone_time, end_time])
        places = np.concatenate([self.old.places(times[:2]), new_pattern.places(times[2:])])
        # The points that hands pass in each pattern by itself. Between these times, hands pass
        # those of both patterns for which they have time.
        waypoints = [
            *self.old.waypoints(start_time, leave_time),
            *new_pattern.waypoints(alone_time, end_time),
        ]
        candidates = self.points_near_join(leave_time, alone_time)
        # Throws that lead from the end back to the start are added, as a motion is always that of a
        # loop; they are never shown. Nothing before `now` may still change.
        loop = closed_loop(
            tosses,
            first_tick=self.first_tick,
            end_tick=end_tick,
            ticks_per_beat=self.ticks_per_beat,
            clock=clock,
            juggled=self.animation,
            bodies=sampled_keyframes(times, places),
            looks=self.looks,
            waypoints=waypoints,
            now=Present(exit_tick, self.first_change_time),
            candidate_waypoints=candidates,
        )
        # Within two beats from `alone_time` a moment is chosen at which hands are calm.
        latest_settled_time = clock.time_at(alone_tick + 2 * self.ticks_per_beat)
        # With a rising tempo, throws have other times even before the join.
        first_changed_tick = exit_tick
        if self.rising_clock:
            first_changed_tick = min(exit_tick, self.first_free_tick)
        return Bridge(
            before=self.old,
            after=replace(new_pattern, props=self.prop_indices(tosses)),
            join=join,
            clock=clock,
            ticks_per_part=self.old_ticks_per_part,
            exit_tick=exit_tick,
            entry_tick=exit_tick + join.length,
            pattern_entry_tick=join.entry,
            first_changed_tick=first_changed_tick,
            settled_time=_calm_moment(loop, alone_time, latest_settled_time),
            first_tick=self.first_tick,
            end_tick=end_tick,
            loop=loop,
            rests=with_final_times(rests, tosses, loop.tosses),
            request_time=self.request_time,
            looks=tuple(self.looks),
        )

    @cached_property
    def past(self) -> list[Toss]:
        """The tosses of the old pattern, in a tempo that may rise already."""
        exit_tick, _join = self.exit_and_join
        return [self.in_rising_tempo(toss) for toss in self.old_tosses(self.first_tick, exit_tick)]

    @cached_property
    def joining(self) -> list[Toss]:
        """The tosses of the join, which have no flights yet."""
        exit_tick, join = self.exit_and_join
        return [Toss(throw._replace(beat=throw.beat + exit_tick)) for throw in join.throws]

    @cached_property
    def coming(self) -> list[Toss]:
        """The tosses of the new pattern, with its own indices of props.

        A toss is a throw or a hold of one prop. Its nominal times are those that it would have if
        the pattern had always had its own tempo, [s]. A throw around the body for which the tempo
        leaves too little time becomes a plain one. That can be so as long as the quicker tempo of
        the old pattern still holds.
        """
        _exit_tick, join = self.exit_and_join
        _alone_tick, end_tick = self.alone_and_end_ticks
        tosses = []
        for nominal_toss in self.retimed.tosses(join.entry, end_tick):
            toss_in_ticks = nominal_toss.retimed(self.retimed.tick_at_nominal)
            is_hurried = self.clock.is_hurried(toss_in_ticks, self.ticks_per_beat)
            toss = nominal_toss.plain if is_hurried else nominal_toss
            tosses.append(toss.retimed(self.retimed.real_time))
        return tosses

    @cached_property
    def retimed(self) -> _RetimedPattern:
        """The new pattern from its entry on, with a map from its nominal to real times."""
        exit_tick, join = self.exit_and_join
        origin_tick = exit_tick + join.length - join.entry
        return _RetimedPattern(self.new, self.new_ticks_per_part, self.clock, origin_tick)

    @cached_property
    def tosses_and_rests(self) -> tuple[list[Toss], tuple[TableRest, ...]]:
        """All tosses, with the indices of their props, and the times in which props lie on tables.

        A toss is a throw, a hold or a move at a table, of one prop on one beat. It belongs to the
        past (the old pattern), the join between both patterns, the table, or what comes (the new
        pattern). All indices follow from the tosses of the past, whose props are known.

        As a side effect, the looks (kind, size and colour) of props that appear on tables are
        appended to `looks`.
        """
        exit_tick, join = self.exit_and_join
        tables = TableMoves(
            self.rests,
            self.looks,
            self.animation,
            self.ticks_per_beat,
            request_time=self.request_time,
            first_change_time=self.first_change_time,
        )
        thrown = [*self.past, *self.joining, *self.coming]
        # This also appends to `looks`; it comes before the rests, which follow from its tosses.
        at_tables = tables.tosses(thrown, join, exit_tick, self.clock)
        tosses = with_prop_indices(
            [*self.past, *self.joining, *at_tables, *self.coming], len(self.past)
        )
        return tosses, tables.rests_with_props(tosses)

    @cached_property
    def alone_and_end_ticks(self) -> tuple[int, int]:
        """The tick from which on the new pattern is alone, and the tick at which the layout ends.

        A tick is the part of a beat in which all patterns are counted. The new pattern is alone
        where nothing of the old one shows any more. That is on the later of these ticks:

        - `SETTLING` (6) beats after its entry, the tick on which it begins,
        - `_BEATS_AFTER_LAST_CHANGE` (4) beats after the last thing that it would not do by itself:
          a change of tempo, a landing of a prop thrown before the entry, or a move at a table.
        """
        exit_tick, join = self.exit_and_join
        clock = self.clock
        entry_tick = exit_tick + join.length
        # Ticks on which props land that are thrown before the entry, on which props are moved at
        # tables, and from which on the last tempo holds.
        landings = [toss.landing for toss in (*self.past, *self.joining) if not toss.rests]
        table_ticks = [exit_tick + tick for tick, _hand in (*join.picked_up, *join.put_down)]
        settled_tick, _settled_time = clock.change_end
        last_change = max((settled_tick, *landings, *table_ticks))
        settling = SETTLING * self.ticks_per_beat
        margin = _BEATS_AFTER_LAST_CHANGE * self.ticks_per_beat
        alone_tick = math.ceil(max(entry_tick + settling, last_change + margin))
        # Motion depends on later throws, so more is laid out than is shown: the beats after which
        # the end no longer matters, and the time over which bodies move slowly. The highest throw
        # on the entry has to land within it.
        shown = alone_tick + settling + math.ceil(_SHOWN_AROUND * clock.final_rate)
        highest_value = self.new.highest_value * self.new_ticks_per_part
        return alone_tick, max(shown, entry_tick + highest_value + 1)

    def points_near_join(
        self, leave_time: float, alone_time: float
    ) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The waypoints of hands in both patterns near the join, as candidates for the bridge.

        A bridge is what is juggled between two patterns, to get from one into the other. A waypoint
        is a point that a hand passes between throws and catches; the join is the throws that lead
        from one pattern into the other.

        Args:
            leave_time: time at which the old pattern is left, [s].
            alone_time: time from which on the new one goes on alone, [s].

        Returns:
            Each waypoint, with the last throw or catch of its hand before it and the next one after
            it in its pattern; the bridge takes the waypoint only if these are about the same there.
        """
        retimed = self.retimed
        _exit_tick, join = self.exit_and_join
        # When the new pattern begins, in its nominal time.
        enter_time = retimed.playing.origin + join.entry / self.clock.final_rate
        points = []
        # The old line may be a bridge itself, which has no points of a pattern.
        if isinstance(self.old, Playing):
            for point, neighbours in self.old.points_with_neighbours(leave_time, alone_time):
                points.append(_retimed_point(point, neighbours, self.time_in_rising_tempo))
        for point, neighbours in retimed.playing.points_with_neighbours(enter_time, alone_time):
            # Nominal times are those in the pattern's own tempo. While the tempo is another, the
            # point may really come after `alone_time`: then the pattern by itself has it.
            if retimed.real_time(point.time) < alone_time:
                points.append(_retimed_point(point, neighbours, retimed.real_time))
        return points

    def time_in_rising_tempo(self, time: float) -> float:
        """Map a time of the old line in its own tempo to the same beat in the rising tempo, [s].

        Up to the rise of the tempo, and without one, it is the same time.
        """
        clock = self.rising_clock
        if clock is None or time <= clock.change_time:
            return time
        return clock.time_at(self.old_clock.tick_at(time))

    def in_rising_tempo(self, toss: Toss) -> Toss:
        """Return a toss of the old line with its times mapped to the rising tempo.

        A toss is a throw or a hold of one prop, or its rest on a table; the old line is what plays
        until the change.

        - A toss around a body that would have less than `HURRIED_SHARE` (0.95) of its usual time
          becomes a plain one, in front of the body.
        - A toss is returned unchanged if the tempo does not rise, or the toss lands before the
          rise, has no flight (a hold), or is a rest on a table.

        Args:
            toss: the toss, with its beats in ticks: parts of a beat.
        """
        clock = self.rising_clock
        if clock is None or toss.landing <= clock.change_tick or toss.flight is None or toss.rests:
            return toss
        # From the beat of the throw to that of the landing: in the old tempo, and as it rises.
        usual_duration = toss.throw.value / clock.initial_rate
        duration = clock.time_at(toss.landing) - clock.time_at(toss.throw.beat)
        is_hurried = usual_duration > duration / HURRIED_SHARE
        if is_hurried and toss.is_around_body:
            return toss.plain
        return toss.retimed(self.time_in_rising_tempo)

    @cached_property
    def first_tick(self) -> int:
        """The first tick that is laid out, early enough that this beginning does not show later.

        It is earlier than the change by one beat, and by the longest of three times: the flight of
        the highest throw, the beats after which a beginning no longer shows (`SETTLING`), and the
        seconds in which slow heads and bodies catch up (`_SHOWN_AROUND`). A tick is the part of a
        beat in which all patterns are counted.
        """
        # In parts of a beat, as the old line counts them. The tempo just before the change turns
        # `_SHOWN_AROUND`, [s], into such parts.
        change_part = self.old.clock.tick_at(self.first_change_time)
        earlier_part = self.old.clock.tick_at(self.first_change_time - _TEMPO_SAMPLE)
        rate = (change_part - earlier_part) / _TEMPO_SAMPLE  # parts of a beat per second
        parts_before = max(
            self.old.highest_value, SETTLING * self.old.division, _SHOWN_AROUND * rate
        )
        first_part = math.floor(change_part - parts_before - self.old.division)
        return self.old_ticks_per_part * first_part

    @cached_property
    def clock(self) -> Clock:
        """The clock that changes from the old tempo to the new one: it maps ticks to times, [s].

        A tick is the part of a beat that both patterns count in. A higher tempo is reached before
        the old pattern is left, by `rising_clock`. A lower or equal one begins on the last of these
        ticks:

        - the exit, on which the old pattern is left and the join (the throws between) begins,
        - the landings of all props of the old pattern, whose flights keep their durations,
        - the end of an earlier change of tempo.
        """
        if self.rising_clock:
            return self.rising_clock
        exit_tick, _join = self.exit_and_join
        # Props that rest on a table do not land.
        landings = [toss.landing for toss in self.past if not toss.rests]
        settled_tick, _settled_time = self.old_clock.change_end
        change_tick = max(exit_tick, *landings, math.ceil(settled_tick))
        return self.old_clock.changing(change_tick, self.new_rate)

    def prop_indices(self, tosses: Sequence[Toss]) -> tuple[int, ...]:
        """For each prop of the new pattern its index among all props.

        A toss is a throw or a hold of one prop. The tosses of the new pattern are in `coming` with
        the pattern's own indices of props, and in `tosses` with those among all. So each throw
        tells which index is which.

        Args:
            tosses: all tosses, with the indices among all.

        Returns:
            One index for each prop of the pattern; `UNKNOWN_PROP` for a prop that makes no throw.
        """
        # Equal throws of a multiplex are told apart by their order, the same in both lists.
        own_prop_of_throw = {
            (toss.throw, occurrence): toss.prop
            for occurrence, toss in enumerate_equal_throws(self.coming)
        }
        indices = [UNKNOWN_PROP] * self.animation.choreography.props
        for occurrence, toss in enumerate_equal_throws(tosses):
            if (toss.throw, occurrence) in own_prop_of_throw:
                indices[own_prop_of_throw[toss.throw, occurrence]] = toss.prop
        return tuple(indices)


def _retimed_point(
    point: Waypoint, neighbours: Sequence[HandEvent], new_time: Callable[[float], float]
) -> tuple[Waypoint, list[HandEvent]]:
    """A point and the neighbouring events of its hand, with their times mapped by a function."""
    events = [event._replace(time=new_time(event.time)) for event in neighbours]
    return point._replace(time=new_time(point.time)), events


@dataclass(frozen=True)
class _RetimedPattern:
    """The new pattern, with a map from its nominal times to real times.

    Nominal times are those at which it would do something if it had always had its own tempo. They
    agree with real times from when its tempo holds.

    Args:
        pattern: the pattern by itself, its own time 0 at 0 s.
        ticks_per_part: ticks in each of its own parts of a beat.
        clock: real times of ticks, [s].
        origin_tick: the tick of its own beat 0.
    """

    pattern: Playing
    ticks_per_part: int
    clock: Clock
    origin_tick: int

    @cached_property
    def playing(self) -> Playing:
        """The pattern as it plays once all is in its own tempo."""
        return replace(self.pattern, origin=self.nominal_time(self.origin_tick))

    def nominal_time(self, tick: float) -> float:
        """The nominal time of a tick, [s]."""
        settled_tick, settled_time = self.clock.change_end
        return settled_time + (tick - settled_tick) / self.clock.final_rate

    def tick_at_nominal(self, nominal_time: float) -> float:
        """The tick, a fraction, at a nominal time [s]: the inverse of `nominal_time`."""
        return (nominal_time - self.playing.origin) * self.clock.final_rate + self.origin_tick

    def real_time(self, nominal_time: float) -> float:
        """The actual time of a nominal time of the pattern, [s]."""
        return self.clock.time_at(self.tick_at_nominal(nominal_time))

    def tosses(self, first_pattern_tick: int, end_tick: int) -> list[Toss]:
        """The tosses of the new pattern on ticks of the bridge, with nominal times.

        A bridge is what is juggled between two patterns, to get from one into the other. A toss is
        a throw or a hold of one prop; ticks are parts of a beat. Nominal times are those in the
        pattern's own tempo, [s].

        Args:
            first_pattern_tick: the first tick, counted from beat 0 of the pattern, which is at
                `origin_tick` of the bridge.
            end_tick: the tick after the last, counted as all ticks of the bridge.
        """
        return _tosses_in_ticks(
            self.playing,
            first=self.origin_tick + first_pattern_tick,
            end=end_tick,
            ticks_per_part=self.ticks_per_part,
            origin_tick=self.origin_tick,
        )


def _calm_moment(loop: Loop, first: float, last: float) -> float:
    """Return the moment, [s], after which no hand throws or catches for the longest time.

    It is the best of `_CALM_MOMENTS` (40) evenly spaced moments; of equally good ones the first. A
    moment within `_EVENT_DURATION` (0.02 s) after a throw or catch is not calm at all.

    Args:
        loop: what is laid out.
        first: the earliest moment, [s].
        last: the latest moment, [s].
    """
    events = loop.choreography.events
    times = np.sort(events.time[events.is_throw_or_catch]) + loop.start
    moments = np.linspace(first, last, _CALM_MOMENTS)
    # For each moment the time until the next event, and since the last one.
    next_event = np.searchsorted(times, moments)
    until_next = np.append(times, np.inf)[next_event] - moments
    since_last = moments - np.append(-np.inf, times)[next_event]
    calm_duration = np.where(since_last > _EVENT_DURATION, until_next, 0.0)
    return float(moments[calm_duration.argmax()])


def _beginning_ticks(pattern: Pattern, ticks_per_part: int) -> list[int]:
    """The ticks of a pattern's loop on which it begins: 0, and where the other hand does the same.

    The other hand does the same half a loop later if all throws there are the mirror images of
    those before: left and right hands swapped, with the same beats, values and jugglers. Bounces
    and holds are not compared.

    Args:
        pattern: the pattern.
        ticks_per_part: ticks in each part of a beat of the pattern.

    Returns:
        One tick or two, in ascending order.
    """
    half, odd = divmod(pattern.period, 2)
    throws = {throw._replace(bounces=0, bounce_style="", held=None) for throw in pattern.throws}
    half_later_mirrored = {
        throw.mirrored._replace(beat=(throw.beat + half) % pattern.period) for throw in throws
    }
    is_symmetric = not odd and half_later_mirrored == throws
    return [0, half * ticks_per_part] if is_symmetric else [0]
