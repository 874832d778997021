"""Bridges: what leads from what plays into another pattern."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import EventKind, PropLook
from juggle_anim.motion import Motion, move
from juggle_anim.pattern.joining import Join
from juggle_anim.routine.playing import Line, Playing
from juggle_anim.routine.table import Rest
from juggle_anim.tosses.ring_layout import Loop
from juggle_anim.tosses.toss import Clock, Toss, Waypoint
from juggle_anim.vectors import rotate_about_y


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
        """The greatest value of a throw."""
        own = max((throw.value for throw in self.join.throws), default=0)
        return max(
            self.before.highest * self.scale,
            self.after.highest * (self.division // self.after.division),
            own,
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
        """The first beat from one on that begins a loop of the pattern."""
        period = self.after.pattern.period * (self.division // self.after.division)
        return beat + (self.entry[0] - self.entry[1] - beat) % period

    @cached_property
    def lying(self) -> tuple[Rest, ...]:
        """What lies on tables in the end, where it really does: of several props in a hand each has
        a place.
        """
        local = np.array([self.requested, self.settled]) - self.origin
        frames = self.motion.sample(local)
        bodies = self.motion.bodies.places(local)
        found = []
        for rest in self.rests:
            appears = rest.shown == self.requested and not math.isfinite(rest.since)
            if (appears or rest.until == math.inf) and rest.prop in self.props:
                row = 0 if appears else 1
                number = self.props.index(rest.prop)
                body = bodies[row, rest.juggler]
                away = rotate_about_y((frames.props[row, number] - body[:3])[None], -body[3:])[0]
                yaw, pitch = (
                    (0.0, 0.0) if frames.aims is None else frames.aims[row, number].tolist()
                )
                rest = rest._replace(place=away, aim=(yaw, pitch), stand=body)
            found.append(rest)
        return tuple(found)

    def tosses(self, first: int, last: int) -> list[Toss]:
        """All tosses on beats from the first up to the last, in order."""
        start, end = self.span
        found = [toss for toss in self.loop.tosses if first <= toss.throw.beat < last]
        if first < start:
            low = -(-first // self.scale)
            high = -(-min(last, start) // self.scale)
            found = [toss.scaled(self.scale) for toss in self.before.tosses(low, high)] + found
        if last > end:
            shift = self.entry[0] - self.entry[1]
            scale = self.division // self.after.division
            low = -(-(max(first, end) - shift) // scale)
            high = -(-(last - shift) // scale)
            found += [toss.scaled(scale, shift) for toss in self.after.tosses(low, high)]
        return found

    def waypoints(self, first: float, last: float) -> list[Waypoint]:
        """The points that hands pass between events, from a time up to another, [s]."""
        leaves = min(self.clock.at(min(self.exit, self.clock.beat)), last)
        before = self.before.waypoints(first, leaves) if first < leaves else []
        return (
            before
            + self._own(max(leaves, first), last)
            + self.after.waypoints(max(self.settled, first), last)
        )

    def _own(self, first: float, last: float) -> list[Waypoint]:
        """The points between the two patterns, of some time, [s]."""
        events = self.loop.choreography.events
        return [
            Waypoint(time, int(events.hand[row]), int(events.kind[row]), events.position[row])
            for row in np.flatnonzero(events.kind >= EventKind.HOLD).tolist()
            if first <= (time := self.origin + float(events.time[row])) < min(last, self.settled)
        ]

    def places(self, times: Floats) -> Floats:
        """Where bodies are, as `Bodies.places`, at times of all time."""
        return self.motion.bodies.places(times - self.origin)
