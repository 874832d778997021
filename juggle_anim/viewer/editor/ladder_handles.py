"""Handles on the ladder: throws, catches, points that hands pass, heads of arrows, and what hands
hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from math import floor
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.choreography import CATCH, THROW
from juggle_anim.diagrams.drawing import NODE_HEIGHT, Point, node_width
from juggle_anim.diagrams.ladder import Lanes, throw_curve
from juggle_anim.diagrams.time_layout import hand_names
from juggle_anim.diagrams.timeline import NO_PROP, Flight, Timeline
from juggle_anim.editing.limits import MIN_FLIGHT
from juggle_anim.errors import hand_in_words, sentence
from juggle_anim.language import N_, _
from juggle_anim.viewer.diagrams.diagram_view import MARGIN_ABOVE, DiagramFit
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram
from juggle_anim.viewer.editor.editor import (
    BodyHandle,
    Change,
    EventHandle,
    Handle,
    HoldHandle,
    ThrowHandle,
)

_HEAD = 5.2  # mm, from the end of an arrow to its handle
_MOST_OF_ARROW = 0.4  # of a short one
_SHORTEST_HOLD = 7.0  # mm; a shorter bar has no handle
_MIDDLE = 0.55  # of a bar, where its handle is
_HAIR = 1e-7
_BEFORE_BEAT = (
    0.75  # beats before a throw, where the head of an arrow that ends there may be dropped, too
)
_MOST_TARGETS = 40
_AS_IT_WAS = N_("as it was")


class HandleKind(IntEnum):
    """What a handle on the ladder is, in the order in which keys go through those of one time."""

    THROW = 0
    LANDING = 1
    """The head of an arrow, or a prop that is kept for a beat."""
    CATCH = 2
    HOLD = 3
    POINT = 4
    BODY = 5
    """A key on the path of a body."""


_KINDS = {HandleKind.THROW: THROW, HandleKind.CATCH: CATCH}


class LadderHandle(NamedTuple):
    """A handle on the ladder of one loop.

    Attributes:
        kind: what it is.
        handle: what it moves.
        along, across: its place, [mm].
        time: of the throw, catch or point, or of the throw of an arrow, [s].
        hand: 2 · juggler + side, of the throw, catch or point.
        to_hand: that catches, for arrows.
        text: of the throw in siteswap.
        prop: that it moves, in the first loop; −1 for none.
        curve: of an arrow, four points, [mm].
        lasts: how long a prop is held, [s].
        laps: how many loops after the throw this is.
    """

    kind: HandleKind
    handle: Handle
    along: float
    across: float
    time: float
    hand: int
    to_hand: int
    text: str = ""
    prop: int = NO_PROP
    curve: tuple[Point, ...] = ()
    lasts: float = 0.0
    laps: int = 0

    def within(self, length: float) -> LadderHandle:
        """The same handle in the loop of a length, [mm], that begins at 0."""
        laps = floor(self.along / length + _HAIR)
        curve = tuple((x - laps * length, y) for x, y in self.curve)
        return self._replace(along=self.along - laps * length, curve=curve, laps=laps)

    def on_curve(self, back: float) -> Point:
        """The place on the arrow so many millimetres along the page before its handle."""
        first = self.curve[0]
        length = self.curve[-1][0] - self.curve[0][0]
        share = (self.along - back - first[0]) / length
        rest = 1 - share
        weights = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
        return self.along - back, sum(
            weight * point[1] for weight, point in zip(weights, self.curve, strict=True)
        )


@dataclass(frozen=True)
class LadderHandles:
    """All handles of a loop, in the order in which keys go through them.

    Args:
        handles: by time, and by kind at one time.
        names: of hands.
        lines: where the line of each hand is across the ladder, [mm].
        duration: of the loop, [s].
        bps: tempo, [beats/s].
    """

    handles: tuple[LadderHandle, ...]
    names: tuple[str, ...]
    lines: tuple[float, ...]
    duration: float
    bps: float

    @classmethod
    def of(cls, animation: Animation, tape: LoopDiagram) -> LadderHandles:
        """The handles of an animation on its tape."""
        timeline = Timeline(animation.score, animation.choreography, 1)
        lanes = Lanes(timeline, down=False)
        found = [each.within(tape.length) for each in _handles(animation, timeline, lanes, tape)]
        found.sort(key=lambda each: (each.time, each.hand, each.kind))
        names = tuple(hand_names(animation.jugglers))
        loop = animation.choreography
        return cls(tuple(found), names, tuple(lanes.lines.places), loop.duration, loop.bps)

    @cached_property
    def places(self) -> Floats:
        """Where they are, shape (N, 2), [mm]."""
        return np.array([(each.along, each.across) for each in self.handles]).reshape(-1, 2)

    @cached_property
    def reach(self) -> Floats:
        """Half of the width and height of each, shape (N, 2), [mm]."""
        half = np.full((len(self.handles), 2), NODE_HEIGHT / 2)
        half[:, 0] = [self.half_width(each) for each in self.handles]
        return half

    @staticmethod
    def half_width(handle: LadderHandle) -> float:
        """Half of the width of a handle, [mm]."""
        return (
            max(node_width(handle.text if handle.kind == HandleKind.THROW else ""), NODE_HEIGHT) / 2
        )

    def find(self, handle: Handle) -> LadderHandle | None:
        """The handle that moves something; None if there is none."""
        return next((each for each in self.handles if each.handle == handle), None)

    def hand_name(self, hand: int) -> str:
        """A hand in words: `left hand`, or `2's left hand` of several jugglers."""
        words = hand_in_words(hand)
        return (
            words
            if len(self.names) <= 2
            else _("{juggler}'s {hand}", juggler=hand // 2 + 1, hand=words)
        )

    def describe(self, handle: LadderHandle) -> str:
        """What a handle is, in plain words."""
        if handle.kind == HandleKind.BODY:
            who = (
                _("{juggler}'s body", juggler=handle.hand // 2 + 1)
                if len(self.names) > 2
                else _("Body")
            )
            return _("{who} at {time:.2f} s", who=who, time=handle.time)
        when = _("at {time:.2f} s", time=handle.time % self.duration)
        value = f" {handle.text}" if handle.text else ""
        hand = sentence(self.hand_name(handle.hand))
        if handle.kind == HandleKind.THROW:
            return _("{hand} throws{value} {when}", hand=hand, value=value, when=when)
        if handle.kind == HandleKind.LANDING:
            to_hand = self.hand_name(handle.to_hand)
            return (
                _("{hand} throws{value} to {to_hand}", hand=hand, value=value, to_hand=to_hand)
                if handle.curve
                else _("{hand} holds{value}", hand=hand, value=value)
            )
        if handle.kind == HandleKind.CATCH:
            return _("{hand} catches{value} {when}", hand=hand, value=value, when=when)
        if handle.kind == HandleKind.HOLD:
            return _("{hand} holds for {lasts:.2f} beats", hand=hand, lasts=handle.lasts * self.bps)
        return _("{hand} passes a point {when}", hand=hand, when=when)


@dataclass(frozen=True)
class TapeView:
    """Where the ladder is in the window.

    Args:
        tape: the ladder of one loop.
        fit: its scale.
        top: its upper edge, [pixels].
        lefts: where each visible loop begins, by its number, [pixels].
        duration: of the loop, [s].
        beats: of the loop, in parts of beats as in `Pattern`; 0 for events without beats.
        left: from where on it is visible, [pixels].
        start: where the first visible loop begins if loops are seen whole, [pixels].
    """

    tape: LoopDiagram
    fit: DiagramFit
    top: float
    lefts: dict[int, float]
    duration: float
    beats: int
    left: float
    start: float

    @property
    def second(self) -> float:
        """The length of a second, [pixels]."""
        return self.fit.along * self.tape.length / self.duration

    def loop_length(self, duration: float, beats: int) -> float:
        """The length of another loop at the same scale, by beats or else by the clock, [pixels].

        Args:
            duration, beats: of that loop, as of this one.
        """
        share = beats / self.beats if beats and self.beats else duration / self.duration
        return self.fit.along * self.tape.length * share

    def place(self, along: float, across: float, lap: int) -> Point:
        """Where a place of a loop, [mm], is in the window, [pixels]."""
        return self._left(lap) + self.fit.along * along, self.down(across)

    def across_to(self, loops: float, lap: int) -> float:
        """How far right something is so many loops after the start of a loop, [pixels]."""
        return self._left(lap) + self.fit.along * self.tape.length * loops

    def _left(self, lap: int) -> float:
        """Where a loop begins, also one that is not visible, [pixels]."""
        known = min(self.lefts, default=lap)
        return self.lefts.get(known, self.start) + (lap - known) * self.fit.along * self.tape.length

    def down(self, across: float) -> float:
        """How far down a line is, [pixels]."""
        return self.top + self.fit.across * across + self.fit.unit * MARGIN_ABOVE

    def seen(self, places: Floats, lap: int) -> Floats:
        """Where places of a loop, shape (N, 2), [mm], are in the window, [pixels]."""
        return places * (self.fit.along, self.fit.across) + (self._left(lap), self.down(0.0))

    def handle_at(self, handles: LadderHandles, x: float, y: float) -> tuple[int, int] | None:
        """The handle under the mouse, and its loop; None if there is none."""
        best = None
        nearest = 1.0
        for lap in self.lefts:
            away = np.abs(self.seen(handles.places, lap) - (x, y)) / (
                handles.reach * self.fit.unit + 1.0
            )
            apart = away.max(axis=1) if len(away) else np.ones(1)
            number = int(apart.argmin())
            if apart[number] < nearest:
                best = (number, lap)
                nearest = float(apart[number])
        return best


def _handles(
    animation: Animation, timeline: Timeline, lanes: Lanes, tape: LoopDiagram
) -> Iterator[LadderHandle]:
    choreography = animation.choreography
    events = choreography.events
    flights = choreography.flights
    scale = tape.length / choreography.duration
    seen = set[int]()
    for flight in timeline.flights:
        if -_HAIR <= flight.thrown < timeline.span - _HAIR:
            throw = int(flights.throw[flight.number])
            catch = int(flights.catch[flight.number])
            found = _of_flight(
                flight, throw, catch, float(flights.carry[flight.number]), timeline, lanes, scale
            )
            for handle in found:
                row = handle.handle.event if isinstance(handle.handle, EventHandle) else -1
                # Props that are thrown or caught together share an event; one that does both is a
                # throw.
                if row < 0 or (row not in seen and events.kind[row] == _KINDS[handle.kind]):
                    yield handle._replace(prop=flight.prop)
            seen |= {throw, catch}
    for rest in timeline.rests:
        if rest.throw >= 0:
            place = scale * rest.time, lanes.across(rest.hand, rest.lane)
            handle = LadderHandle(
                HandleKind.LANDING, ThrowHandle(rest.throw), *place, rest.time, rest.hand, rest.hand
            )
            yield handle._replace(text=rest.text, prop=rest.prop)
    for row in np.flatnonzero((events.kind != THROW) & (events.kind != CATCH)).tolist():
        hand = int(events.hand[row])
        time = float(events.time[row])
        place = scale * time, lanes.across(hand, 0)
        yield LadderHandle(HandleKind.POINT, EventHandle(row), *place, time, hand, hand)
    yield from _of_bodies(animation, lanes, scale)


def _of_bodies(animation: Animation, lanes: Lanes, scale: float) -> Iterator[LadderHandle]:
    """The handles of keys of bodies; that of a body that stands still means nothing."""
    bodies = animation.choreography.bodies
    for juggler in range(animation.jugglers):
        times = bodies.time[bodies.juggler == juggler].tolist()
        left = 2 * juggler
        across = (lanes.across(left, 0) + lanes.across(left + 1, 0)) / 2
        for key, time in enumerate(times if len(times) > 1 else ()):
            yield LadderHandle(
                HandleKind.BODY, BodyHandle(juggler, key), scale * time, across, time, left, left
            )


def _of_flight(
    flight: Flight,
    throw: int,
    catch: int,
    carry: float,
    timeline: Timeline,
    lanes: Lanes,
    scale: float,
) -> Iterator[LadderHandle]:
    """The handles of a flight between two events, and of what its hand then holds, [s]."""
    hand = flight.hand
    to_hand = flight.to_hand
    text = flight.text
    start = scale * flight.thrown
    end = scale * flight.caught
    low = lanes.across(hand, flight.lane)
    high = lanes.across(to_hand, flight.to_lane)
    yield LadderHandle(
        HandleKind.THROW, EventHandle(throw), start, low, flight.thrown, hand, to_hand, text
    )
    yield LadderHandle(
        HandleKind.CATCH, EventHandle(catch), end, high, flight.caught, to_hand, to_hand, text
    )
    curve = tuple((scale * time, across) for time, across in throw_curve(flight, lanes))
    along = end - min(_HEAD, _MOST_OF_ARROW * (end - start))
    handle = ThrowHandle(
        timeline.throw_number(flight.number) if timeline.pattern else flight.number
    )
    arrow = LadderHandle(
        HandleKind.LANDING, handle, along, 0.0, flight.thrown, hand, to_hand, text, curve=curve
    )
    yield arrow._replace(across=arrow.on_curve(0.0)[1])
    if timeline.pattern and scale * carry > _SHORTEST_HOLD:
        place = end + _MIDDLE * (scale * carry - NODE_HEIGHT / 2), high
        held = HoldHandle(flight.number)
        yield LadderHandle(
            HandleKind.HOLD, held, *place, flight.caught, to_hand, to_hand, text, lasts=carry
        )


class Target(NamedTuple):
    """A place where a throw may land.

    Attributes:
        begin, end: from where to where the head of its arrow may be dropped, in loops after the
            start of that in which it is thrown; the place is the end.
        hand: that catches, 2 · juggler + side.
        text: of the pattern that comes of it; empty for events.
        words: what becomes of the throw.
        change: the change; None where it lands already.
    """

    begin: float
    end: float
    hand: int
    text: str
    words: str
    change: Change | None


def landing_targets(animation: Animation, throw: int, symmetric: bool) -> tuple[Target, ...]:
    """The places where a throw of the full loop, or a flight of events, may land, by time.

    Args:
        animation: with the throw.
        throw: its number.
        symmetric: whether its repeats change along.
    """
    if animation.pattern is None:
        return tuple(
            sorted(
                _catch_targets(animation, throw, symmetric),
                key=lambda target: (target.end, target.hand),
            )
        )
    loop = repeat_to_full_loop(animation.pattern, animation.score.staging)
    division = animation.pattern.division
    made = loop.throws[throw]
    found = list[Target]()
    for landing in animation.edit().landings_of(throw, symmetric):
        place = landing[:3]
        value = (landing.beat - made.beat) / division
        same = place == (made.beat + made.value, made.to_juggler, made.to_hand)
        words = (
            _AS_IT_WAS
            if same
            else _("{now:g} in place of {before:g}", now=value, before=made.value / division)
        )
        change = None if same else _aimed(throw, place, symmetric)
        begin = (landing.beat - _BEFORE_BEAT * division) / loop.period
        end = landing.beat / loop.period
        found.append(
            Target(begin, end, 2 * landing.juggler + landing.hand, landing.siteswap, words, change)
        )
    return tuple(found)


def _catch_targets(animation: Animation, throw: int, symmetric: bool) -> Iterator[Target]:
    """The catches of other flights that a flight may exchange with its own."""
    choreography = animation.choreography
    flights = choreography.flights
    loop = choreography.duration
    following = choreography.rounds.following
    thrown = choreography.events.time[flights.throw]
    ends = thrown + flights.duration
    laps = np.round((ends[throw] - ends) / loop)
    late = np.minimum(ends + laps * loop - thrown[throw], ends[throw] - thrown - laps * loop)
    nearest = np.argsort(np.abs(ends + laps * loop - ends[throw]), kind="stable")[:_MOST_TARGETS]
    for flight in nearest[(late[nearest] >= MIN_FLIGHT) | (nearest == throw)].tolist():
        end = float(ends[flight] + laps[flight] * loop)
        same = flight == throw
        words = _AS_IT_WAS if same else _("{end:.2f} s in the air", end=end - float(thrown[throw]))
        change = None if same else _aimed(throw, int(following[flight]), symmetric)
        hand = int(choreography.events.hand[flights.catch[flight]])
        held = float(flights.carry[flight])
        yield Target(end / loop, (end + held) / loop, hand, "", words, change)


def _aimed(throw: int, at: int | tuple[int, int, int], symmetric: bool) -> Change:
    return lambda edit: edit.aim_throw(throw, at, symmetric=symmetric)
