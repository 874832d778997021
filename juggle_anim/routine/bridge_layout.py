"""Layout of bridges: the choreography that leads from what plays into another pattern.

It holds the last throws of the first pattern, those of the join, and some beats of the second one, with the events that
these have anyway: only throws of the join get times and places of their own. So motion through it is that of the first
pattern before, and that of the second after.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import BodyKeyframes, EventKind, Grasp, PropLook
from juggle_anim.choreography.dwell import hand_of
from juggle_anim.pattern import Pattern
from juggle_anim.pattern.joining import Join, States, shortest_join
from juggle_anim.pattern.pattern import Throw
from juggle_anim.routine.bridge import Bridge
from juggle_anim.routine.playing import Line, Playing
from juggle_anim.routine.table import LYING, Rest
from juggle_anim.tosses.hand_times import HandEvent
from juggle_anim.tosses.loop import Loop, closed_loop, in_order, sampled_keyframes
from juggle_anim.tosses.toss import FOREVER, RESTING, Clock, Flown, Toss, Waypoint, due
from juggle_anim.tosses.toss_ring import MOST_CARRYING, Present

LEAD = 0.15
"""How long after a change is asked for the first throw may be another one, at the earliest, [s]."""

SETTLING = 6
"""Beats of the second pattern after which its motion no longer shows how it began."""

# What is looked at before and after all that is shown, [s]: heads and bodies move slowly.
_AROUND = 1.6

_REMEMBERED = 60.0  # s of tempi; nothing looks further back
_JUST_THEN = 0.02  # s; a moment so soon after a throw or catch counts as that
_MOMENTS = 40  # that are compared for where a bridge ends
_WAIT = 8  # beats within which a pattern is left
_LONGEST_FLIGHT = 1.04  # of the time of the highest throw in its own tempo; nothing is thrown much higher
_FIRST_FLIGHTS = 100  # beats within which a tempo is reached

SLOTS = np.array([(x, LYING, z) for z in (0.47, 0.57) for x in (0.08, -0.08, 0.17, -0.17, 0.26, -0.26, 0.35, -0.35)])
"""Where props lie on a table, seen from the body, [m]."""

_HAND_AT = 0.2  # how far out hands are, [m]
_APART = 1e-6
_CLAWED = ((int(Grasp.CLAW), 0),) * 2


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
        self.asked, self.time, self.animation, self.looks = time, time + LEAD, animation, looks
        self.old, self.new = before, Playing(animation, 0.0)
        division = math.lcm(before.division, self.new.division)
        self.scale, self.new_scale = division // before.division, division // self.new.division
        self.division, self.hands = division, 2 * animation.jugglers
        self.old_clock = before.clock.since(time - _REMEMBERED).scaled(self.scale)
        self.rests, self.at_start = list(rests), at_start

    def old_tosses(self, first: int, last: int) -> list[Toss]:
        """Tosses of what plays, on beats in parts."""
        low, high = -(-first // self.scale), -(-last // self.scale)
        return [toss.scaled(self.scale) for toss in self.old.tosses(low, high)]

    def new_tosses(self, first: int, last: int) -> list[Toss]:
        """Tosses of the pattern, on its own beats in parts."""
        low, high = -(-first // self.new_scale), -(-last // self.new_scale)
        return [toss.scaled(self.new_scale) for toss in self.new.tosses(low, high)]

    @cached_property
    def quickened(self) -> Clock | None:
        """When beats are, if the pattern is quicker: what plays goes over to its tempo once all has landed that is in
        the air; None if it is not."""
        rate = self.animation.choreography.bps * self.division
        if rate <= self.old_clock.later:
            return None
        first, deep = self.unbound, 3 * max(self.old.highest, self.old.division) * self.scale
        past = self.old_tosses(first - deep, first)
        if any(toss.is_around for toss in past):  # hands would hurry on their way there
            return None
        landed = [toss.landing for toss in past if not toss.rests]
        # Nor while props are still put down or picked up.
        tables = [time for rest in self.rests for time in (rest.since, rest.until) if self.time < time < math.inf]
        still = max([self.old_clock.steady[0], *(self.old_clock.beat_at(time) + self.division for time in tables)])
        beat = max(first, *landed, math.ceil(still))
        return Clock(beat, self.old_clock.at(beat), self.old_clock.later, rate, self.old_clock)

    def first_exit(self) -> int:
        """The first beat from which on every throw comes later than the change, and is not higher than in its pattern
        because beats are still slow."""
        first, clock = self.unbound, self.quickened
        highest = self.new.highest * self.new_scale
        if clock is None or not highest:
            return first
        longest = _LONGEST_FLIGHT * highest / clock.later
        exits = range(first, first + _FIRST_FLIGHTS * self.division, self.scale)
        return next((beat for beat in exits if clock.at(beat + highest) - clock.at(beat) <= longest), exits[-1])

    @cached_property
    def unbound(self) -> int:
        """The first beat from which on every throw comes later than the change."""
        beat = math.ceil(self.old.clock.beat_at(self.time))
        ahead = self.old.tosses(beat, beat + 3 * self.old.division)
        early = [toss.throw.beat for toss in ahead if toss.flown and _begins(toss.flown) < self.time]
        return self.scale * max([beat, *(each + 1 for each in early)])

    def join(self) -> tuple[int, Join]:
        """The first exit, and the join from there or from a later beat."""
        first, deep = self.first_exit(), max(self.old.highest * self.scale, self.new.highest * self.new_scale)
        period = self.new.pattern.period * self.new_scale
        exits = [first + wait * self.scale for wait in range(_WAIT * self.old.division)]
        old = self.states(self.old_tosses(first - 3 * deep, exits[-1] + 1), exits, deep)
        entries = list(range(period))
        new = self.states(self.new_tosses(-deep - 1, period), entries, deep)
        starts = _starts(self.new.pattern, self.new_scale) if self.at_start else None
        join = shortest_join(old, new, self.new.pattern, self.division, self.scale, starts)
        assert join is not None, "once all has landed, any pattern can follow"
        return exits[join.exit], join

    def states(self, tosses: Sequence[Toss], beats: Sequence[int], deep: int) -> States:
        """What surrounds some beats."""
        counts = np.stack([due(tosses, beat, deep + 1, self.hands) for beat in beats])
        since = np.full((len(beats), self.hands), 1_000)
        for toss in tosses:
            hand = hand_of(toss.throw)
            for place, beat in enumerate(beats):
                if toss.throw.beat < beat:
                    since[place, hand] = min(since[place, hand], beat - toss.throw.beat)
        return States(counts, since)

    def bridge(self) -> Bridge:
        """Lay it all out."""
        leave, join = self.join()
        enter, start = leave + join.length, self.first_beat()
        past = [self.hastened(toss) for toss in self.old_tosses(start, leave)]
        made = [Toss(throw._replace(beat=throw.beat + leave), -1, None) for throw in join.throws]
        clock = self.clock(past, leave)
        rate, shift = clock.later, enter - join.entry
        settled, then = clock.steady
        origin = then + (shift - settled) / rate
        busy = [toss.landing for toss in (*past, *made) if not toss.rests]
        tables = [beat + leave for beat, _ in (*join.picked, *join.put_down)]
        alone = math.ceil(
            max(enter + SETTLING * self.division, *(each + 4 * self.division for each in (settled, *busy, *tables)))
        )
        end = max(
            alone + SETTLING * self.division + math.ceil(_AROUND * rate), enter + self.new.highest * self.new_scale + 1
        )
        playing = replace(self.new, origin=origin)
        low, high = -(-join.entry // self.new_scale), -(-(end - shift) // self.new_scale)

        def beat(time: float) -> float:
            """The beat of a time at which the pattern would do something, if it had always had its own tempo."""
            return (time - origin) * rate + shift

        scaled = (toss.scaled(self.new_scale, shift) for toss in playing.tosses(low, high))
        own = [_retimed(self.unhurried(toss, clock, beat), lambda time: clock.at(beat(time))) for toss in scaled]
        kept = len(past)
        resting = self.tables([*past, *made, *own], join, leave, clock)
        tosses = _numbered([*past, *made, *resting, *own], kept)
        down = {(toss.throw.juggler, *toss.flown.start): toss.prop for toss in tosses if toss.puts_down and toss.flown}
        rests = tuple(
            rest if rest.prop >= 0 else rest._replace(prop=down[rest.juggler, *rest.place]) for rest in self.rests
        )
        after = replace(playing, props=self.numbers(own, tosses, origin))
        points = [
            *self.old.waypoints(clock.at(start), clock.at(min(leave, clock.beat))),
            *playing.waypoints(clock.at(alone), clock.at(end)),
        ]
        leaves = clock.at(min(leave, clock.beat))
        passed = self.passed(playing, (leaves, origin + (enter - shift) / rate, clock.at(alone)), clock, beat)
        bodies = self.bodies(clock.at(start), clock.at(clock.beat), clock.at(alone), clock.at(end), playing)
        now = Present(leave, self.time)
        loop = closed_loop(
            tosses, (start, end), self.division, clock, self.animation, bodies, self.looks, points, now, passed
        )
        rests = _settled(rests, tosses, loop.tosses)
        return Bridge(
            self.old,
            after,
            join,
            clock,
            self.scale,
            leave,
            (enter, join.entry),
            min(leave, self.unbound) if self.quickened else leave,
            _calm(loop, clock.at(alone), clock.at(alone + 2 * self.division)),
            (start, end),
            loop,
            rests,
            self.asked,
            tuple(self.looks),
        )

    def passed(
        self, playing: Playing, times: tuple[float, float, float], clock: Clock, beat: Callable[[float], float]
    ) -> list[tuple[Waypoint, list[HandEvent]]]:
        """The points of both patterns about the throws between, each with what its hand does beside it there.

        Args:
            playing: the second pattern.
            times: when the first one is left, the second one begins by its own time, and goes on alone, [s].
            clock, beat: when beats are, and the beat of a time of the second pattern.
        """
        leaves, enters, alone = times
        found = self.old.passed(leaves, alone) if isinstance(self.old, Playing) else []
        if self.quickened:
            found = [
                (
                    point._replace(time=self.sooner(point.time)),
                    [each._replace(time=self.sooner(each.time)) for each in beside],
                )
                for point, beside in found
            ]
        for point, beside in playing.passed(enters, alone):
            if (time := clock.at(beat(point.time))) < alone:
                events = [each._replace(time=clock.at(beat(each.time))) for each in beside]
                found.append((point._replace(time=time), events))
        return found

    def sooner(self, time: float) -> float:
        """When what plays does something that it would do at a time, [s]."""
        clock = self.quickened
        return time if clock is None or time <= clock.time else clock.at(self.old_clock.beat_at(time))

    def hastened(self, toss: Toss) -> Toss:
        """A toss of what plays as its tempo goes over to the other; plain, if that hurries it around a body."""
        clock = self.quickened
        if clock is None or toss.landing <= clock.beat or toss.flown is None or toss.rests:
            return toss
        haste = (toss.landing - toss.throw.beat) / clock.rate > (
            clock.at(toss.landing) - clock.at(toss.throw.beat)
        ) / 0.95
        return toss.plain if haste and toss.is_around else _retimed(toss, self.sooner)

    def unhurried(self, toss: Toss, clock: Clock, beat: Callable[[float], float]) -> Toss:
        """A toss of the pattern, a plain one in place of one around a body that the tempo before would hurry."""
        if toss.flown is None or not toss.is_around:
            return toss
        begins = min(toss.throw.beat, beat(toss.flown.thrown)) - self.division
        return toss.plain if clock.hurries(begins, beat(toss.flown.caught)) else toss

    def first_beat(self) -> int:
        """The first beat that is laid out."""
        now = self.old.clock.beat_at(self.time)
        rate = (now - self.old.clock.beat_at(self.time - 0.1)) / 0.1
        before = max(self.old.highest, SETTLING * self.old.division, _AROUND * rate)
        return self.scale * math.floor(now - before - self.old.division)

    def clock(self, past: Sequence[Toss], leave: int) -> Clock:
        """When beats are: as before until all that is in the air has landed, and then as the pattern has them."""
        if self.quickened:
            return self.quickened
        rate = self.animation.choreography.bps * self.division
        landed = [toss.landing for toss in past if not toss.rests]
        beat = max(leave, *landed, math.ceil(self.old_clock.steady[0]))
        return Clock(beat, self.old_clock.at(beat), self.old_clock.later, rate, self.old_clock)

    def tables(self, tosses: Sequence[Toss], join: Join, leave: int, clock: Clock) -> list[Toss]:
        """What is put down and picked up; it fills `rests` with what then lies on tables, and `looks`."""
        self.rests = self.committed(tosses)
        hands: dict[int, list[float]] = {}
        dwell = self.animation.parameters.dwell * self.division
        for toss in tosses:
            throw, to = toss.throw, 2 * toss.throw.to_juggler + toss.throw.to_hand
            if throw.held is not True:
                thrown, caught = clock.at(throw.beat), clock.at(toss.landing - dwell)
                thrown, caught = (toss.flown.thrown, toss.flown.caught) if toss.flown else (thrown, caught)
                hands.setdefault(hand_of(throw), []).append(thrown)
                hands.setdefault(to, []).append(caught)
        found = []
        for beat, hand in join.put_down:
            arrives = [toss for toss in tosses if toss.landing == leave + beat and _caught_by(toss, hand)]
            held = [time for time in hands.get(hand, []) if time < clock.at(leave + beat - self.division)]
            comes = max((toss.flown.caught for toss in arrives if toss.flown), default=max([self.time, *held]))
            events = (time for time in hands.get(hand, []) if time > comes + _APART)
            after = min(events, default=comes + 2 * MOST_CARRYING)
            down = comes + min((after - comes) / 2, MOST_CARRYING)
            slot = self.free_slot(hand)
            flown = Flown(down, math.inf, slot, slot, _CLAWED, RESTING)
            throw = Throw(leave + beat, hand // 2, hand % 2, FOREVER, hand // 2, hand % 2)
            found.append(Toss(throw, -1, flown))
            self.rests.append(Rest(-1, hand // 2, flown.start, down, math.inf, self.asked))
        for beat, hand in join.picked:
            throws = [toss for toss in tosses if (toss.throw.beat, hand_of(toss.throw)) == (leave + beat, hand)]
            leaves = min((toss.flown.thrown for toss in throws if toss.flown), default=clock.at(leave + beat))
            before = max((time for time in hands.get(hand, []) if time < leaves - _APART), default=-math.inf)
            up = leaves - min((leaves - before) / 2, MOST_CARRYING)
            rest = self.taken(hand, up)
            flown = Flown(-math.inf, up, rest.place, rest.place, _CLAWED, RESTING)
            start = leave + beat - self.division
            throw = Throw(start, hand // 2, hand % 2, self.division, hand // 2, hand % 2, held=True)
            found.append(Toss(throw, rest.prop, flown))
        return found

    def committed(self, tosses: Sequence[Toss]) -> list[Rest]:
        """What lies on tables as far as it is done, or too late to be undone."""
        done = {time for toss in tosses if toss.rests and toss.flown for time in (toss.flown.thrown, toss.flown.caught)}
        found = []
        for rest in self.rests:
            if rest.since < self.time or rest.since in done:
                taken = rest.until < self.time or rest.until in done
                found.append(rest if taken else rest._replace(until=math.inf))
        return found

    def free_slot(self, hand: int) -> Floats:
        """The place nearest to a hand where nothing lies."""
        lying = [rest.place for rest in self.rests if rest.juggler == hand // 2 and rest.until == math.inf]
        free = [slot for slot in SLOTS if all(np.abs(slot - place).max() > _APART for place in lying)]
        side = 1.0 if hand % 2 == 0 else -1.0
        slots = free or list(SLOTS)
        return min(slots, key=lambda slot: np.abs(slot - (side * _HAND_AT, slot[1], SLOTS[0, 2])).sum())

    def taken(self, hand: int, time: float) -> Rest:
        """What a hand picks up at a time: what lies nearest, or what appears in time."""
        side = 1.0 if hand % 2 == 0 else -1.0
        lying = [
            place
            for place, rest in enumerate(self.rests)
            if rest.juggler == hand // 2 and rest.until == math.inf and rest.since < time - MOST_CARRYING
        ]
        if not lying:
            looks = self.animation.choreography.looks
            number = len(self.looks)
            self.looks.append(looks[number % len(looks)] if looks else PropLook())
            self.rests.append(Rest(number, hand // 2, self.free_slot(hand), -math.inf, math.inf, self.asked))
            lying = [len(self.rests) - 1]
        place = min(lying, key=lambda each: abs(self.rests[each].place[0] - side * _HAND_AT))
        self.rests[place] = self.rests[place]._replace(until=time)
        return self.rests[place]

    def numbers(self, own: Sequence[Toss], tosses: Sequence[Toss], origin: float) -> tuple[int, ...]:
        """For each prop of the pattern the number that it has here; `own` say who they are there."""
        there = {(toss.throw, place): toss.prop for place, toss in _with_places(own)}
        found = [-1] * self.animation.choreography.props
        for place, toss in _with_places(tosses):
            if (toss.throw, place) in there:
                found[there[toss.throw, place]] = toss.prop
        return tuple(found)

    def bodies(self, start: float, leaves: float, arrives: float, end: float, playing: Playing) -> BodyKeyframes:
        """Where jugglers stand: as before until all that is in the air has landed, then as the pattern has it."""
        before = self.old.places(np.array([start, leaves]))
        after = playing.places(np.array([arrives, end]))
        rows = np.concatenate([before, after])
        return sampled_keyframes(np.array([start, leaves, arrives, end]), rows)


def _calm(loop: Loop, first: float, last: float) -> float:
    """The moment between two others, [s], from which on no hand throws or catches for the longest time."""
    events = loop.choreography.events
    times = np.sort(events.time[events.kind <= EventKind.CATCH]) + loop.start
    moments = np.linspace(first, last, _MOMENTS)
    following = np.searchsorted(times, moments)
    until = np.append(times, np.inf)[following] - moments
    since = moments - np.append(-np.inf, times)[following]
    return float(moments[np.where(since > _JUST_THEN, until, 0.0).argmax()])


def _settled(rests: Sequence[Rest], tosses: Sequence[Toss], final: Sequence[Toss]) -> tuple[Rest, ...]:
    """What lies on tables, with the times that tosses have in the end."""
    times = {-math.inf: -math.inf, math.inf: math.inf}
    for toss, settled in zip(tosses, final, strict=True):
        if toss.rests and toss.flown and settled.flown:
            times[_begins(toss.flown)] = _begins(settled.flown)
    return tuple(
        rest._replace(since=times.get(rest.since, rest.since), until=times.get(rest.until, rest.until))
        if rest.since in times or rest.until in times
        else rest
        for rest in rests
    )


def _starts(pattern: Pattern, scale: int) -> list[int]:
    """The beats, in parts, on which a pattern begins: its first, and that on which the other hand does the same."""
    half, odd = divmod(pattern.period, 2)
    throws = [
        (each.beat, each.juggler, each.hand, each.value, each.to_juggler, each.to_hand) for each in pattern.throws
    ]
    turned = {
        ((beat + half) % pattern.period, by, 1 - hand, value, to, 1 - other)
        for beat, by, hand, value, to, other in throws
    }
    return [0] if odd or turned != set(throws) else [0, half * scale]


def _caught_by(toss: Toss, hand: int) -> bool:
    return 2 * toss.throw.to_juggler + toss.throw.to_hand == hand and toss.flown is not None


def _begins(flown: Flown) -> float:
    """When a toss first does something: it is thrown, put down or picked up, [s]."""
    return flown.thrown if math.isfinite(flown.thrown) else flown.caught


def _retimed(toss: Toss, time: Callable[[float], float]) -> Toss:
    flown = toss.flown
    return toss._replace(flown=flown and flown._replace(thrown=time(flown.thrown), caught=time(flown.caught)))


def _numbered(tosses: Sequence[Toss], kept: int) -> list[Toss]:
    """The tosses in order of their beats, those after some with the props that land for them.

    Of several props that land on one beat in one hand, that thrown first makes the throw written first.
    """
    landing: dict[tuple[int, int], list[tuple[int, int]]] = {}
    found, early = [], {id(toss) for toss in tosses[:kept]}
    for toss in in_order(tosses):
        site = toss.throw.beat, hand_of(toss.throw)
        waiting = sorted(landing.get(site, []), key=lambda each: each[0])
        known = id(toss) in early or (toss.prop >= 0 and toss.rests)
        if known:
            landing[site] = [each for each in waiting if each[1] != toss.prop]
        else:
            landing[site] = waiting[1:]
            toss = toss._replace(prop=waiting[0][1])
        found.append(toss)
        to = toss.landing, 2 * toss.throw.to_juggler + toss.throw.to_hand
        landing.setdefault(to, []).append((toss.throw.beat, toss.prop))
    return found


def _with_places(tosses: Sequence[Toss]) -> Iterator[tuple[int, Toss]]:
    """Tosses, with the place of each among those that are written alike."""
    seen: Counter[Throw] = Counter()
    for toss in tosses:
        yield seen[toss.throw], toss
        seen[toss.throw] += 1
