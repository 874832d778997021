"""Bridges: what leads from what plays into another pattern.

A bridge holds the last throws of the first pattern, those of the join, and some beats of the second
one, with the events that these have anyway: only throws of the join get times and places of their
own. So motion through it is that of the first pattern before, and that of the second after.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import BodyKeyframes, EventKind, PropLook
from juggle_anim.motion import Motion, move
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.joining import Join, shortest_join
from juggle_anim.routine.playing import Line, Playing
from juggle_anim.tosses.hand_times import HandEvent, points_of_loop
from juggle_anim.tosses.loop import closed_loop, numbered, sampled_keyframes, with_occurrences
from juggle_anim.tosses.stands import Rest, TableMoves, begin_of, settled_rests
from juggle_anim.tosses.toss import HURRIED_SHARE, Clock, Toss, Waypoint, states_before
from juggle_anim.tosses.toss_ring import Loop, Present
from juggle_anim.vectors import rotate_about_y

LEAD = 0.15
"""How long after a change is asked for the first throw may be another one, at the earliest, [s]."""

SETTLING = 6
"""Beats of the second pattern after which its motion no longer shows how it began."""

_SHOWN_AROUND = 1.6  # s laid out before and after all that is shown: heads and bodies move slowly
_REMEMBERED = 60.0  # s of tempi; nothing looks further back
_EVENT_DURATION = 0.02  # s; a moment so soon after a throw or catch counts as that
_CALM_MOMENTS = 40  # that are compared for where a bridge ends
_EXIT_BEATS = 8  # beats within which a pattern is left
# A flight in a tempo that still rises takes at most so much of the time of the highest throw in the
# final tempo; so nothing is thrown much higher.
_LONGEST_FLIGHT = 1.04
_TEMPO_BEATS = 100  # beats within which a tempo is reached


@dataclass(frozen=True, eq=False)
class Bridge:
    """The throws that lead from one line into a pattern; beats are parts of those of the line
    before.

    Args:
        before: what played.
        after: the pattern, its props numbered as those before.
        join: the throws between.
        clock: when beats are.
        scale: parts of each beat of `before`.
        exit: the first beat on which something else is thrown than before.
        entry: the first beat of the second pattern, and the number of that beat there, in parts,
            too.
        changes: the first beat on which something is thrown at another time than before, or
            differently.
        settled: when the second pattern goes on alone, [s].
        span: the first beat laid out, and that after the last.
        loop: what is laid out.
        rests: props that lie on tables.
        requested: when it is asked for, [s].
        looks: of all props by their numbers.
    """

    before: Line
    after: Playing
    join: Join
    clock: Clock
    scale: int
    exit: int
    entry: tuple[int, int]
    changes: int
    settled: float
    span: tuple[int, int]
    loop: Loop
    rests: tuple[Rest, ...]
    requested: float
    looks: tuple[PropLook, ...]

    def __post_init__(self) -> None:
        # Once and for all: what was before that may be long ago, and in another process.
        self.division, self.highest  # noqa: B018 - cached

    @cached_property
    def division(self) -> int:
        """Parts of a beat."""
        return self.before.division * self.scale

    @property
    def props(self) -> tuple[int, ...]:
        """For each prop of its motion the number that it has among all."""
        return self.loop.props

    @property
    def origin(self) -> float:
        """When its own time 0 is, [s]."""
        return self.loop.start

    @cached_property
    def highest(self) -> int:
        """The greatest value of a throw, in parts of a beat: before, in the join and after."""
        highest_of_join = max((throw.value for throw in self.join.throws), default=0)
        return max(
            self.before.highest * self.scale,
            self.after.highest * (self.division // self.after.division),
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

    def repeats(self, beat: int) -> int:
        """The first beat, from a given one on, that begins a loop of the second pattern.

        Args:
            beat: in parts of a beat, as all of the bridge.
        """
        period = self.after.pattern.period * (self.division // self.after.division)
        first_beat, own_beat = self.entry
        return beat + (first_beat - own_beat - beat) % period

    @cached_property
    def lying(self) -> tuple[Rest, ...]:
        """The rests on tables at the end, with the true positions of their props.

        Of several props in a hand each has a position of its own, so the motion says where a prop
        is put down or picked up.
        """
        begin_and_end = np.array([self.requested, self.settled]) - self.origin
        frames = self.motion.sample(begin_and_end)
        bodies = self.motion.bodies.places(begin_and_end)
        lying = []
        for rest in self.rests:
            appears = rest.shown == self.requested and not math.isfinite(rest.since)
            # Rests that have ended stay as they are; props not juggled here have no motion.
            if (appears or rest.until == math.inf) and rest.prop in self.props:
                # A prop that appears lies there from the beginning.
                row = 0 if appears else 1
                prop = self.props.index(rest.prop)
                body = bodies[row, rest.juggler]
                # From the world to the frame of the body.
                offset = (frames.props[row, prop] - body[:3])[None]
                position = rotate_about_y(offset, -body[3:])[0]
                aim = (0.0, 0.0)
                if frames.aims is not None:
                    yaw, pitch = frames.aims[row, prop].tolist()
                    aim = (yaw, pitch)
                rest = rest._replace(position=position, aim=aim, stand=body)
            lying.append(rest)
        return tuple(lying)

    def tosses(self, first: int, last: int) -> list[Toss]:
        """All tosses from one beat up to another, in order: before, in and after the bridge.

        Args:
            first: in parts of a beat, as all of the bridge.
            last: the beat after the last.
        """
        start, end = self.span
        tosses = [toss for toss in self.loop.tosses if first <= toss.throw.beat < last]
        # Beats of the other lines, in their own parts, are rounded up.
        if first < start:
            low = -(-first // self.scale)
            high = -(-min(last, start) // self.scale)
            tosses = [toss.scaled(self.scale) for toss in self.before.tosses(low, high)] + tosses
        if last > end:
            first_beat, own_beat = self.entry
            shift = first_beat - own_beat
            scale = self.division // self.after.division
            low = -(-(max(first, end) - shift) // scale)
            high = -(-(last - shift) // scale)
            tosses += [toss.scaled(scale, shift) for toss in self.after.tosses(low, high)]
        return tosses

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, from a time up to another, [s].

        Those of the first pattern come first, then those between, then those of the second.
        """
        # The first pattern is left with its throws or with its tempo, whichever is sooner.
        leaves = min(self.clock.time_at(min(self.exit, self.clock.change_beat)), last)
        before = self.before.waypoints(first, leaves) if first < leaves else []
        return (
            before
            + self._waypoints_between(max(leaves, first), last)
            + self.after.waypoints(max(self.settled, first), last)
        )

    def _waypoints_between(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between the two patterns, from a time up to another, [s]."""
        points = []
        for own in points_of_loop(self.loop.choreography):
            time = self.origin + own.point.time
            if first <= time < min(last, self.settled):
                points.append(own.point._replace(time=time))
        return points

    def places(self, times: Floats) -> Floats:
        """Where bodies are, as `Bodies.places`, at absolute times."""
        return self.motion.bodies.places(times - self.origin)


def bridge_to(
    before: Line,
    time: float,
    animation: Animation,
    rests: Sequence[Rest],
    looks: Sequence[PropLook],
    at_start: bool = False,
) -> Bridge:
    """Lay out the throws that lead into a pattern.

    Args:
        before: what plays.
        time: before which nothing changes, [s].
        animation: of the pattern, on beats, with as many jugglers.
        rests: what lies on tables, and is planned to be put down or picked up.
        looks: of all props by their numbers.
        at_start: whether it begins with its first throw, by either hand if it goes on alike then.
    """
    return _Layout(before, time, animation, rests, list(looks), at_start).bridge()


class _Layout:
    """A bridge while it is laid out; arguments as of `bridge_to`."""

    def __init__(
        self,
        before: Line,
        time: float,
        animation: Animation,
        rests: Sequence[Rest],
        looks: list[PropLook],
        at_start: bool,
    ) -> None:
        """Prepare both patterns and the division of beats that suits both."""
        self.requested = time
        self.time = time + LEAD  # before which nothing changes
        self.animation = animation
        self.looks = looks
        self.old = before
        self.new = Playing(animation, 0.0)
        # Beats are counted in ticks that suit both patterns, `division` to a beat; `scale` of them
        # are a part of a beat of the first, `new_scale` of the second pattern.
        division = math.lcm(before.division, self.new.division)
        self.scale = division // before.division
        self.new_scale = division // self.new.division
        self.division = division
        self.hands = 2 * animation.jugglers
        self.old_clock = before.clock.since(time - _REMEMBERED).scaled(self.scale)
        self.rests = list(rests)
        self.at_start = at_start

    def old_tosses(self, first: int, last: int) -> list[Toss]:
        """Tosses of what plays, from a tick up to another, with beats in ticks."""
        # In the line's own parts of a beat, rounded up.
        low = -(-first // self.scale)
        high = -(-last // self.scale)
        return [toss.scaled(self.scale) for toss in self.old.tosses(low, high)]

    def new_tosses(self, first: int, last: int) -> list[Toss]:
        """Tosses of the pattern that follows, from a tick of its own up to another, in ticks."""
        low = -(-first // self.new_scale)
        high = -(-last // self.new_scale)
        return [toss.scaled(self.new_scale) for toss in self.new.tosses(low, high)]

    @cached_property
    def rate(self) -> float:
        """The tempo of the pattern that follows, in parts of a beat per second."""
        return self.animation.choreography.bps * self.division

    @cached_property
    def quickened(self) -> Clock | None:
        """The clock in ticks if the tempo rises before the change; else None.

        It does so if the pattern that follows is quicker: what plays goes over to its tempo once
        all props have landed that are in the air.
        """
        if self.rate <= self.old_clock.final_rate:
            return None
        first = self.unbound
        depth = 3 * max(self.old.highest, self.old.division) * self.scale
        past = self.old_tosses(first - depth, first)
        # Hands on their way around a body would hurry.
        if any(toss.is_around_body for toss in past):
            return None
        landings = [toss.landing for toss in past if not toss.rests]
        # The tempo also stays while props are put down or picked up.
        table_times = [
            time
            for rest in self.rests
            for time in (rest.since, rest.until)
            if self.time < time < math.inf
        ]
        table_beats = [self.old_clock.beat_at(time) + self.division for time in table_times]
        settled_beat, _settled_time = self.old_clock.settled
        last_table_or_change = math.ceil(max([settled_beat, *table_beats]))
        return self.old_clock.changing(max(first, *landings, last_table_or_change), self.rate)

    def first_exit(self) -> int:
        """The first tick on which the pattern that plays may be left.

        From then on every throw comes later than the change, and none is higher than in its pattern
        because beats are still slow.
        """
        first = self.unbound
        clock = self.quickened
        highest = self.new.highest * self.new_scale
        if clock is None or not highest:
            return first
        # The first tick on which the highest throw takes about as long as in the final tempo.
        longest = _LONGEST_FLIGHT * highest / clock.final_rate
        exits = range(first, first + _TEMPO_BEATS * self.division, self.scale)
        for beat in exits:
            if clock.time_at(beat + highest) - clock.time_at(beat) <= longest:
                return beat
        return exits[-1]

    @cached_property
    def unbound(self) -> int:
        """The first tick from which on every throw of what plays comes later than the change."""
        beat = math.ceil(self.old.clock.beat_at(self.time))
        # A throw may be made before its beat.
        ahead = self.old.tosses(beat, beat + 3 * self.old.division)
        early = [
            toss.throw.beat for toss in ahead if toss.flight and begin_of(toss.flight) < self.time
        ]
        return self.scale * max([beat, *(early_beat + 1 for early_beat in early)])

    def join(self) -> tuple[int, Join]:
        """The tick on which the join begins, and the join: the shortest that begins soon."""
        # States before each beat on which the first pattern may be left, and of one loop of the
        # second, as far ahead as anything flies.
        first = self.first_exit()
        depth = max(self.old.highest * self.scale, self.new.highest * self.new_scale)
        period = self.new.pattern.period * self.new_scale
        exits = [first + wait * self.scale for wait in range(_EXIT_BEATS * self.old.division)]
        past = self.old_tosses(first - 3 * depth, exits[-1] + 1)
        coming = self.new_tosses(-depth - 1, period)
        old = states_before(past, exits, depth + 1, self.hands)
        new = states_before(coming, range(period), depth + 1, self.hands)
        entries = _beginning_beats(self.new.pattern, self.new_scale) if self.at_start else None
        join = shortest_join(old, new, self.new.pattern, self.division, self.scale, entries)
        assert join is not None, "once all has landed, any pattern can follow"
        return exits[join.exit], join

    def bridge(self) -> Bridge:
        """Lay out the bridge: join, tempo, tosses, tables, waypoints and bodies."""
        leave, join = self.join()
        start = self.first_beat()

        # The tosses: of the pattern before, of the join, and of the pattern that follows.
        past = self.past(leave)
        joining = [Toss(throw._replace(beat=throw.beat + leave)) for throw in join.throws]
        clock = self.clock(past, leave)
        alone, end = self.last_beats(leave, join, clock, [*past, *joining])
        second = _Second(self.new, self.new_scale, clock, leave + join.length - join.entry)
        coming = [
            self.unhurried(toss, second).retimed(second.time)
            for toss in second.tosses(join.entry, end)
        ]

        # What is put down and picked up fits between these.
        tables = TableMoves(
            self.rests,
            self.looks,
            self.animation,
            self.division,
            request_time=self.requested,
            first_change_time=self.time,
        )
        resting = tables.tosses([*past, *joining, *coming], join, leave, clock)
        tosses = numbered([*past, *joining, *resting, *coming], len(past))
        rests = tables.numbered(tosses)

        # The points that hands pass: as in each pattern by itself, and as far as they fit between.
        leaves = clock.time_at(min(leave, clock.change_beat))
        enters = second.playing.origin + join.entry / clock.final_rate
        points = [
            *self.old.waypoints(clock.time_at(start), leaves),
            *second.playing.waypoints(clock.time_at(alone), clock.time_at(end)),
        ]
        bodies = self.bodies(
            clock.time_at(start),
            clock.time_at(clock.change_beat),
            clock.time_at(alone),
            clock.time_at(end),
            second.playing,
        )
        loop = closed_loop(
            tosses,
            (start, end),
            self.division,
            clock,
            self.animation,
            bodies,
            self.looks,
            points,
            Present(leave, self.time),
            self.passed(second, leaves, enters, clock.time_at(alone)),
        )
        return Bridge(
            before=self.old,
            after=replace(second.playing, props=self.prop_indices(coming, tosses)),
            join=join,
            clock=clock,
            scale=self.scale,
            exit=leave,
            entry=(leave + join.length, join.entry),
            # With a rising tempo, throws have other times before the join.
            changes=min(leave, self.unbound) if self.quickened else leave,
            settled=_calm_moment(
                loop, clock.time_at(alone), clock.time_at(alone + 2 * self.division)
            ),
            span=(start, end),
            loop=loop,
            rests=settled_rests(rests, tosses, loop.tosses),
            requested=self.requested,
            looks=tuple(self.looks),
        )

    def past(self, leave: int) -> list[Toss]:
        """The tosses of what plays that are laid out, up to a beat."""
        return [self.hastened(toss) for toss in self.old_tosses(self.first_beat(), leave)]

    def last_beats(
        self, leave: int, join: Join, clock: Clock, tosses: Sequence[Toss]
    ) -> tuple[int, int]:
        """The tick from which on the second pattern goes on alone, and the last that is laid out.

        Args:
            leave: the tick on which the join begins.
            join: the throws between.
            clock: times of ticks, [s].
            tosses: all before the second pattern.
        """
        # All that differs from the pattern: the tempo, props in the air, moves at tables.
        enter = leave + join.length
        landings = [toss.landing for toss in tosses if not toss.rests]
        table_beats = [beat + leave for beat, _hand in (*join.picked_up, *join.put_down)]
        settled_beat, _settled_time = clock.settled
        last_change = max((settled_beat, *landings, *table_beats))
        alone = math.ceil(max(enter + SETTLING * self.division, last_change + 4 * self.division))
        # Laid out is more than is shown, as motion depends on what comes.
        shown = alone + SETTLING * self.division + math.ceil(_SHOWN_AROUND * clock.final_rate)
        return alone, max(shown, enter + self.new.highest * self.new_scale + 1)

    def passed(
        self, second: _Second, leaves: float, enters: float, alone: float
    ) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The points of both patterns near the join, each with the neighbouring events of its hand
        in its pattern.

        Args:
            second: the second pattern.
            leaves: when the first one is left, [s].
            enters: when the second one begins by its own time, [s].
            alone: when it goes on alone, [s].
        """
        points = []
        # What plays may be a bridge itself, which has no points of a pattern.
        if isinstance(self.old, Playing):
            for point, neighbours in self.old.passed(leaves, alone):
                events = [event._replace(time=self.sooner(event.time)) for event in neighbours]
                points.append((point._replace(time=self.sooner(point.time)), events))
        for point, neighbours in second.playing.passed(enters, alone):
            time = second.time(point.time)
            # In a tempo that is not yet the pattern's own, a point may come later.
            if time < alone:
                events = [event._replace(time=second.time(event.time)) for event in neighbours]
                points.append((point._replace(time=time), events))
        return points

    def sooner(self, time: float) -> float:
        """When what plays does something that it would do at a time, [s]."""
        clock = self.quickened
        if clock is None or time <= clock.change_time:
            return time
        return clock.time_at(self.old_clock.beat_at(time))

    def hastened(self, toss: Toss) -> Toss:
        """A toss of what plays with its times in the rising tempo.

        A toss around a body that would be hurried becomes a plain one.
        """
        clock = self.quickened
        # Without a rising tempo, or before it rises, nothing changes.
        if clock is None or toss.landing <= clock.change_beat or toss.flight is None or toss.rests:
            return toss
        usual_time = (toss.landing - toss.throw.beat) / clock.initial_rate
        time = clock.time_at(toss.landing) - clock.time_at(toss.throw.beat)
        is_hurried = usual_time > time / HURRIED_SHARE
        return toss.plain if is_hurried and toss.is_around_body else toss.retimed(self.sooner)

    def unhurried(self, toss: Toss, second: _Second) -> Toss:
        """A toss of the pattern, a plain one in place of one around a body that the tempo before
        would hurry.
        """
        in_beats = toss.retimed(second.beat)
        return toss.plain if second.clock.hurries(in_beats, self.division) else toss

    def first_beat(self) -> int:
        """The first tick that is laid out: so long before the change that it no longer matters."""
        now = self.old.clock.beat_at(self.time)
        # The tempo just before, in the line's own parts of a beat per second.
        rate = (now - self.old.clock.beat_at(self.time - 0.1)) / 0.1
        before = max(self.old.highest, SETTLING * self.old.division, _SHOWN_AROUND * rate)
        return self.scale * math.floor(now - before - self.old.division)

    def clock(self, past: Sequence[Toss], leave: int) -> Clock:
        """The clock of the bridge, in ticks.

        A quicker tempo is reached before the join. A slower one begins once all that is in the air
        has landed.

        Args:
            past: the tosses of what plays.
            leave: the tick on which the join begins.
        """
        if self.quickened:
            return self.quickened
        landings = [toss.landing for toss in past if not toss.rests]
        settled_beat, _settled_time = self.old_clock.settled
        beat = max(leave, *landings, math.ceil(settled_beat))
        return self.old_clock.changing(beat, self.rate)

    def prop_indices(self, coming: Sequence[Toss], tosses: Sequence[Toss]) -> tuple[int, ...]:
        """For each prop of the pattern the index that it has among all.

        Args:
            coming: the tosses of the pattern, with its own props.
            tosses: all, with the indices among all.
        """
        # Equal throws of a multiplex are told apart by their order.
        own_prop = {
            (toss.throw, occurrence): toss.prop for occurrence, toss in with_occurrences(coming)
        }
        indices = [-1] * self.animation.choreography.props
        for occurrence, toss in with_occurrences(tosses):
            if (toss.throw, occurrence) in own_prop:
                indices[own_prop[toss.throw, occurrence]] = toss.prop
        return tuple(indices)

    def bodies(
        self, start: float, leaves: float, arrives: float, end: float, playing: Playing
    ) -> BodyKeyframes:
        """Keyframes of where jugglers stand: as before, on their way, and as in the pattern.

        Args:
            start: of what is laid out, [s].
            leaves: when they set out, once all that is in the air has landed, [s].
            arrives: when they stand as the pattern has it, [s].
            end: of what is laid out, [s].
            playing: the pattern.
        """
        before = self.old.places(np.array([start, leaves]))
        after = playing.places(np.array([arrives, end]))
        rows = np.concatenate([before, after])
        return sampled_keyframes(np.array([start, leaves, arrives, end]), rows)


@dataclass(frozen=True)
class _Second:
    """The second pattern as it is laid out: beats are in parts, times those of the bridge.

    Args:
        pattern: by itself, its own time 0 at 0 s.
        scale: how many parts each of its own parts of a beat has.
        clock: when beats are.
        shift: the number of its own beat 0.
    """

    pattern: Playing
    scale: int
    clock: Clock
    shift: int

    @cached_property
    def playing(self) -> Playing:
        """The pattern as it plays once all is in its own tempo."""
        return replace(self.pattern, origin=self.own_time(self.shift))

    def own_time(self, beat: float) -> float:
        """When a beat would be if the pattern had always had its own tempo, [s]."""
        settled, then = self.clock.settled
        return then + (beat - settled) / self.clock.final_rate

    def beat(self, time: float) -> float:
        """The beat of a time at which the pattern would do something, if it had always had its own
        tempo.
        """
        return (time - self.playing.origin) * self.clock.final_rate + self.shift

    def time(self, own: float) -> float:
        """When the pattern does what it would do at a time of its own tempo, [s]."""
        return self.clock.time_at(self.beat(own))

    def tosses(self, entry: int, end: int) -> list[Toss]:
        """Its tosses in its own tempo.

        Args:
            entry: the first beat, as the pattern itself counts its parts.
            end: the beat of the bridge after the last.
        """
        low = -(-entry // self.scale)
        high = -(-(end - self.shift) // self.scale)
        return [toss.scaled(self.scale, self.shift) for toss in self.playing.tosses(low, high)]


def _calm_moment(loop: Loop, first: float, last: float) -> float:
    """The moment, [s], from which on no hand throws or catches for the longest time.

    Args:
        loop: what is laid out.
        first: the earliest moment, [s].
        last: the latest, [s].
    """
    events = loop.choreography.events
    # Waypoints are no throws and catches.
    times = np.sort(events.time[events.kind <= EventKind.CATCH]) + loop.start
    moments = np.linspace(first, last, _CALM_MOMENTS)
    # For each moment the time until the next event, and since the last.
    following = np.searchsorted(times, moments)
    until = np.append(times, np.inf)[following] - moments
    since = moments - np.append(-np.inf, times)[following]
    calm = np.where(since > _EVENT_DURATION, until, 0.0)
    return float(moments[calm.argmax()])


def _beginning_beats(pattern: Pattern, scale: int) -> list[int]:
    """The ticks of a pattern's loop on which it begins: 0, and where the other hand does the same.

    Args:
        pattern: the pattern.
        scale: ticks for each part of a beat of the pattern.
    """
    half, odd = divmod(pattern.period, 2)
    # The second begin is there if, half a loop later, all throws are their mirror images.
    throws = {throw[:6] for throw in pattern.throws}
    mirrored = {
        ((beat + half) % pattern.period, juggler, 1 - hand, value, to_juggler, 1 - to_hand)
        for beat, juggler, hand, value, to_juggler, to_hand in throws
    }
    return [0] if odd or mirrored != throws else [0, half * scale]
