"""Editing on the ladder: its handles, what mouse and keys do with them, and their descriptions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from math import floor
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.choreography.score import CATCH, THROW
from juggle_anim.diagrams.drawing import NODE_HEIGHT, Point, node_width
from juggle_anim.diagrams.ladder import Lanes, throw_curve
from juggle_anim.diagrams.timeline import (
    NO_PROP,
    Flight,
    Timeline,
    hand_name,
    hand_names,
    throw_in_words,
)
from juggle_anim.edit_menu import (
    Change,
    Entry,
    body_lines,
    catch_lines,
    point_lines,
    throw_lines,
    whole_pattern,
)
from juggle_anim.editing.symmetry import MIN_FLIGHT, TimeLimits, event_at
from juggle_anim.errors import sentence
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import quantity_named
from juggle_anim.pattern import Pattern
from juggle_anim.viewer.diagrams.diagrams import MARGIN_ABOVE, DiagramFit, LoopDiagram
from juggle_anim.viewer.editor.edit_menu import EditMenu
from juggle_anim.viewer.editor.editor import (
    LADDER,
    BodyHandle,
    EditController,
    EventHandle,
    Handle,
    HoldHandle,
    ThrowHandle,
)
from juggle_anim.viewer.panel import controls
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model

_HEAD_DISTANCE = 5.2  # mm, from the end of an arrow to its handle
_MAX_HEAD_SHARE = 0.4  # of a short arrow, from its end to its handle
_MIN_HOLD_LENGTH = 7.0  # mm; a shorter bar has no handle
_GRIP_SHARE = 0.55  # of a bar, from its start to its handle
_ROUNDING = 1e-7  # loops, or seconds: a handle at exactly the start of a loop is in that loop
_MAX_TARGETS = 40  # catches to which a flight of events may be led
_AS_IT_WAS = N_("unchanged")


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


_EVENT_KINDS = {HandleKind.THROW: THROW, HandleKind.CATCH: CATCH}


class LadderHandle(NamedTuple):
    """A handle on the ladder of one loop.

    Attributes:
        kind: what it is.
        handle: what it moves.
        along, across: its place on the ladder, [mm]: in the direction of time from the start of the
            loop, and across it, downward in the window.
        time: of the throw, catch, point or key of a body; of an arrow, that of its throw; [s] from
            the start of the loop, perhaps past its end.
        hand: 2 · juggler + side, of the throw, catch or point; of a body, the left hand.
        to_hand: the hand that catches, for throws and arrows; else the same as `hand`.
        text: of the throw in siteswap; empty if it has none.
        prop: index of the prop that it moves, in the first loop; −1 for none.
        curve: of an arrow, four control points, [mm]; empty for all other kinds.
        hold_duration: how long a prop is held, [s]; 0 for all kinds but `HOLD`.
        laps: how many loops after that of its throw it lies.
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
    hold_duration: float = 0.0
    laps: int = 0

    def within(self, length: float) -> LadderHandle:
        """Return the handle shifted by whole loops into the one that begins at 0.

        Args:
            length: of a loop along the ladder, [mm].

        Returns:
            The handle with `along` from 0 up to `length`, its curve shifted alike, and `laps` the
            number of loops by which it was shifted back.
        """
        # The tolerance lets a handle at exactly the start of a loop be in that loop despite
        # rounding.
        laps = floor(self.along / length + _ROUNDING)
        curve = tuple((x - laps * length, y) for x, y in self.curve)
        return self._replace(along=self.along - laps * length, curve=curve, laps=laps)

    def on_curve(self, back: float) -> Point:
        """Return a point of the curve of the arrow, [mm] along and across the ladder.

        Only for arrows, whose curve is not empty.

        Args:
            back: how far the point is before the handle, measured along the ladder, [mm].
        """
        start_x, _start_y = self.curve[0]
        end_x, _end_y = self.curve[-1]
        x = self.along - back
        # A cubic Bézier curve with the parameter s, 0 to 1. Its four control points divide x
        # evenly, so that x is linear in s, and s follows from x without solving for it.
        s = (x - start_x) / (end_x - start_x)
        r = 1 - s
        weights = r**3, 3 * r**2 * s, 3 * r * s**2, s**3
        y = sum(weight * point_y for weight, (_x, point_y) in zip(weights, self.curve, strict=True))
        return x, y


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
    def from_animation(cls, animation: Animation, ladder: LoopDiagram) -> LadderHandles:
        """Return the handles of an animation on its ladder, sorted by time, hand and kind.

        Args:
            animation: with the events.
            ladder: its ladder diagram of one loop, in which time runs to the right.
        """
        timeline = Timeline(animation.score, animation.choreography, loops=1)
        lanes = Lanes(timeline, down=False)  # a line for each hand, one above the other
        # Some lie past the end of the loop, such as catches of throws late in it: they are drawn
        # back by the length of the ladder, [mm]. Their `time` stays as it is, so that they are
        # sorted after all others.
        handles = [
            handle.within(ladder.length) for handle in _handles(animation, timeline, lanes, ladder)
        ]
        handles.sort(key=lambda handle: (handle.time, handle.hand, handle.kind))
        names = tuple(hand_names(animation.jugglers))  # two for each juggler
        lines = tuple(lanes.lines.places)
        loop = animation.choreography
        return cls(tuple(handles), names, lines, loop.duration, loop.bps)

    @cached_property
    def places(self) -> Floats:
        """Places of the N handles along and across the ladder, shape (N, 2), [mm]."""
        places = [(handle.along, handle.across) for handle in self.handles]
        return np.array(places).reshape(-1, 2)

    @cached_property
    def reach(self) -> Floats:
        """Half of the width and height of the handles, shape (N, 2), [mm]."""
        half = np.full((len(self.handles), 2), NODE_HEIGHT / 2)
        half[:, 0] = [self.half_width(handle) for handle in self.handles]
        return half

    @staticmethod
    def half_width(handle: LadderHandle) -> float:
        """Return half of the width of a handle, [mm].

        Only a throw is as wide as its text; all others are round.
        """
        text = handle.text if handle.kind == HandleKind.THROW else ""
        return max(node_width(text), NODE_HEIGHT) / 2

    def find(self, handle: Handle) -> LadderHandle | None:
        """Return the handle that moves something; None if there is none."""
        return next((known for known in self.handles if known.handle == handle), None)

    def hand_name(self, hand: int) -> str:
        """Return a hand in words: `left hand`, or `2's left hand` if there are several jugglers.

        Args:
            hand: 2 · juggler + side. Jugglers are counted from 0 here, and from 1 in the words.
        """
        return hand_name(hand, len(self.names) // 2)

    def describe(self, handle: LadderHandle) -> str:
        """Return a description of a handle in plain words, such as `Left hand throws 5 at 0.30 s`.

        Times are taken modulo the loop, so that a catch past its end is described within it.

        Args:
            handle: a handle on the ladder: its place, and the event, throw or body that it moves.
        """
        if handle.kind == HandleKind.BODY:
            # `names` has two hands for each juggler, who is numbered only if there are several.
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
            # Without a curve the prop stays in the hand for a beat.
            return (
                throw_in_words(handle.hand, handle.text, handle.to_hand, len(self.names) // 2)
                if handle.curve
                else _("{hand} holds{value}", hand=hand, value=value)
            )
        if handle.kind == HandleKind.CATCH:
            return _("{hand} catches{value} {when}", hand=hand, value=value, when=when)
        if handle.kind == HandleKind.HOLD:
            return _(
                "{hand} holds for {lasts:.2f} beats",
                hand=hand,
                lasts=handle.hold_duration * self.bps,
            )
        return _("{hand} passes through a point {when}", hand=hand, when=when)


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
    def pixels_per_second(self) -> float:
        """The length of a second along the ladder, [pixels]."""
        return self.fit.along * self.tape.length / self.duration

    def loop_length(self, duration: float, beats: int) -> float:
        """Return how long the loop of another pattern is at the scale of this view, [pixels].

        If both loops have beats, a beat is equally long in both, even at another tempo; otherwise a
        second is.

        Args:
            duration: of the other loop, [s].
            beats: of the other loop, in parts of beats as in `Pattern`; 0 for events without beats.
        """
        share = beats / self.beats if beats and self.beats else duration / self.duration
        return self.fit.along * self.tape.length * share

    def place(self, along: float, across: float, lap: int) -> Point:
        """Return the place in the window, [pixels], of a place in a loop, [mm]."""
        return self._left(lap) + self.fit.along * along, self.y_of(across)

    def x_of(self, loops: float, lap: int) -> float:
        """Return the x of a time in loops after the start of a loop, [pixels]."""
        return self._left(lap) + self.fit.along * self.tape.length * loops

    def _left(self, lap: int) -> float:
        """Return the x at which a loop begins, also one that is not visible, [pixels]."""
        first = min(self.lefts, default=lap)
        length = self.fit.along * self.tape.length
        return self.lefts.get(first, self.start) + (lap - first) * length

    def y_of(self, across: float) -> float:
        """Return the y of a line across the ladder, [pixels]."""
        return self.top + self.fit.across * across + self.fit.unit * MARGIN_ABOVE

    def to_window(self, places: Floats, lap: int) -> Floats:
        """Return the places in the window, [pixels], of places in a loop, shape (N, 2), [mm]."""
        return places * (self.fit.along, self.fit.across) + (self._left(lap), self.y_of(0.0))

    def handle_at(self, handles: LadderHandles, x: float, y: float) -> tuple[int, int] | None:
        """Find the handle under the mouse, in all visible loops.

        Args:
            handles: of the ladder.
            x, y: of the mouse, [pixels].

        Returns:
            index: of the handle in `handles.handles`.
            lap: number of the visible loop in which it was hit, as the same handle appears in all.
            None if the mouse is on no handle.
        """
        nearest = None
        nearest_distance = 1.0  # in half widths: only handles that the mouse is inside are nearer
        half_widths = handles.reach * self.fit.unit + 1.0  # pixels; one more than is drawn
        for lap in self.lefts:
            # Handles are rectangles. The offset of the mouse from the middle of each is measured in
            # half widths and half heights; the larger of both is below 1 inside the rectangle.
            offsets = np.abs(self.to_window(handles.places, lap) - (x, y)) / half_widths
            # Without handles, a single distance of 1 stands for nothing that is hit.
            distances = offsets.max(axis=1) if len(offsets) else np.ones(1)
            index = int(distances.argmin())
            if distances[index] < nearest_distance:
                nearest = (index, lap)
                nearest_distance = float(distances[index])
        return nearest


def _handles(
    animation: Animation, timeline: Timeline, lanes: Lanes, tape: LoopDiagram
) -> Iterator[LadderHandle]:
    """Yield all handles of a loop, in no order, some of them past its end.

    Args:
        animation: with the events.
        timeline: flights and rests on the ladder, also those that begin before the loop.
        lanes: where hands are across the ladder.
        tape: the ladder of one loop.
    """
    choreography = animation.choreography
    events = choreography.events
    flights = choreography.flights
    scale = tape.length / choreography.duration  # mm/s along the ladder

    # Throws, catches, heads of arrows and holds of the flights that begin in this loop. The flights
    # of neighbouring loops, which the ladder shows, too, are repeats of these.
    done_events = set[int]()
    for flight in timeline.flights:
        # A handle at the very start of a loop belongs to that loop, despite rounding.
        if not -_ROUNDING <= flight.throw_time < timeline.span - _ROUNDING:
            continue
        throw = int(flights.throw[flight.index])
        catch = int(flights.catch[flight.index])
        carry = float(flights.carry[flight.index])
        for handle in _handles_of_flight(flight, throw, catch, carry, timeline, lanes, scale):
            if isinstance(handle.handle, EventHandle):
                # Each event has one handle. Props that are thrown or caught together share their
                # event. An event may also be the throw of one flight and the catch of another: its
                # kind is then THROW, and no handle of a catch is made for it.
                event = handle.handle.event
                if event in done_events or events.kind[event] != _EVENT_KINDS[handle.kind]:
                    continue
            yield handle._replace(prop=flight.prop)
        done_events |= {throw, catch}

    # Props that a hand keeps for a beat: landings without a curve.
    for rest in timeline.rests:
        if rest.throw >= 0:  # -1: the hand is empty, so that there is no throw to change
            yield LadderHandle(
                HandleKind.LANDING,
                ThrowHandle(rest.throw),
                along=scale * rest.time,
                across=lanes.across(rest.hand, rest.lane),
                time=rest.time,
                hand=rest.hand,
                to_hand=rest.hand,
                text=rest.text,
                prop=rest.prop,
            )

    # Points that hands pass.
    for row in np.flatnonzero((events.kind != THROW) & (events.kind != CATCH)).tolist():
        hand = int(events.hand[row])
        time = float(events.time[row])
        yield LadderHandle(
            HandleKind.POINT,
            EventHandle(row),
            along=scale * time,
            across=lanes.across(hand, 0),
            time=time,
            hand=hand,
            to_hand=hand,
        )
    yield from _handles_of_bodies(animation, lanes, scale)


def _handles_of_bodies(animation: Animation, lanes: Lanes, scale: float) -> Iterator[LadderHandle]:
    """Yield the handles of the keys on the paths of bodies, juggler by juggler in order of keys.

    A body with a single key stands still, so the time of that key does not matter, and it has no
    handle.

    Args:
        animation: with the bodies.
        lanes: where hands are across the ladder.
        scale: of time along the ladder, [mm/s].
    """
    bodies = animation.choreography.bodies
    for juggler in range(animation.jugglers):
        times = bodies.time[bodies.juggler == juggler].tolist()
        if len(times) < 2:
            continue
        # The handle is midway between the lines of both hands. A handle has to name a hand: that
        # of a body names the left one, from which its juggler follows.
        left_hand = 2 * juggler
        across = (lanes.across(left_hand, 0) + lanes.across(left_hand + 1, 0)) / 2
        for key, time in enumerate(times):
            yield LadderHandle(
                HandleKind.BODY,
                BodyHandle(juggler, key),
                along=scale * time,
                across=across,
                time=time,
                hand=left_hand,
                to_hand=left_hand,
            )


def _handles_of_flight(
    flight: Flight,
    throw: int,
    catch: int,
    carry: float,
    timeline: Timeline,
    lanes: Lanes,
    scale: float,
) -> Iterator[LadderHandle]:
    """Yield the handles of a flight and of the hold after it.

    In this order: its throw, its catch, the head of its arrow and, if there is room, the bar of the
    hold. They have no prop yet: the caller adds it.

    Args:
        flight: of the ladder.
        throw, catch: rows of its events in `choreography.events`.
        carry: how long the hand holds the prop after the catch, [s].
        timeline: flights and rests on the ladder.
        lanes: where hands are across the ladder.
        scale: of time along the ladder, [mm/s].
    """
    hand = flight.hand
    to_hand = flight.to_hand
    text = flight.text
    start = scale * flight.throw_time
    end = scale * flight.catch_time
    throw_across = lanes.across(hand, flight.lane)
    catch_across = lanes.across(to_hand, flight.to_lane)
    thrown = LadderHandle(
        HandleKind.THROW,
        EventHandle(throw),
        along=start,
        across=throw_across,
        time=flight.throw_time,
        hand=hand,
        to_hand=to_hand,
        text=text,
    )
    caught = LadderHandle(
        HandleKind.CATCH,
        EventHandle(catch),
        along=end,
        across=catch_across,
        time=flight.catch_time,
        hand=to_hand,
        to_hand=to_hand,
        text=text,
    )
    yield from (thrown, caught)

    # The head of the arrow, by which the landing is dragged. It lies some way before the end of the
    # curve, so that it does not cover the catch, but no more than a share of a short curve.
    curve = tuple((scale * time, across) for time, across in throw_curve(flight, lanes))
    # The handle of an arrow is `_HEAD_DISTANCE`, [mm], before its end.
    along = end - min(_HEAD_DISTANCE, _MAX_HEAD_SHARE * (end - start))
    throw_number = timeline.throw_number(flight.index) if timeline.pattern else flight.index
    arrow = thrown._replace(
        kind=HandleKind.LANDING, handle=ThrowHandle(throw_number), along=along, curve=curve
    )
    _x, arrow_across = arrow.on_curve(0.0)
    yield arrow._replace(across=arrow_across)

    # The bar of the hold after the catch, by which the dwell is dragged. Events without a pattern
    # have no dwell, and a short bar no room for a handle. The bar ends half a node before the next
    # throw, or before the first 2 for which the hand keeps the prop: their texts cover the rest. A
    # bar shorter than `_MIN_HOLD_LENGTH`, [mm], has no handle; else it is at `_GRIP_SHARE` of its
    # length.
    loop = timeline.choreography.duration
    free = scale * min(
        (
            (rest.time - flight.catch_time) % loop
            for rest in timeline.rests
            if rest.hand == to_hand and rest.throw >= 0
        ),
        default=carry,
    )
    length = min(scale * carry, free)
    if timeline.pattern and length > _MIN_HOLD_LENGTH:
        yield caught._replace(
            kind=HandleKind.HOLD,
            handle=HoldHandle(flight.index),
            along=end + _GRIP_SHARE * (length - NODE_HEIGHT / 2),
            hold_duration=carry,
        )


class Target(NamedTuple):
    """A place where a throw may land.

    Attributes:
        begin, end: the span of time in which the head of the arrow may be dropped to mean this
            target, in loops after the start of the loop in which it is thrown: while the prop that
            lands there now is held, from its catch to its throw.
        hand: that catches, 2 · juggler + side.
        text: siteswap of the pattern that results; empty for events.
        words: what becomes of the throw, for the tooltip.
        change: that lets the throw land there; None if it lands there already.
    """

    begin: float
    end: float
    hand: int
    text: str
    words: str
    change: Change | None


def landing_targets(animation: Animation, throw: int, *, symmetric: bool) -> tuple[Target, ...]:
    """Return the places where a throw may land, sorted by time.

    Args:
        animation: with the throw.
        throw: index into the throws of the full loop, in which the pattern is repeated until the
            cycles of hands, catches, spins and bodies repeat with it; for events without a pattern,
            index into the flights.
        symmetric: whether its repeats and mirror images change along.

    Returns:
        One target for each place. That of the present landing is among them, with None for its
        change.
    """
    if animation.pattern is None:
        targets = list(_catch_targets(animation, throw, symmetric=symmetric))
        targets.sort(key=lambda target: (target.end, target.hand))
        return tuple(targets)
    loop = repeat_to_full_loop(animation.pattern, animation.score.staging)
    # Beats and values of a pattern are whole numbers of parts of a beat, `division` of them to one.
    division = animation.pattern.division
    thrown = loop.throws[throw]
    # Where the throw lands now, as beat, juggler and hand, in parts of beats.
    present = thrown.beat + thrown.value, thrown.to_juggler, thrown.to_hand
    holds = _holds_by_landing(animation, loop)
    # Where no prop lands now, one would be held for about the dwell, which is in beats.
    free = -animation.parameters.dwell * division / loop.period, 0.0
    targets = []
    for landing in animation.edit().landings_of(throw, symmetric):
        place = landing[:3]  # beat, juggler and hand
        value = (landing.beat - thrown.beat) / division
        words = _("{now:g} instead of {before:g}", now=value, before=thrown.value / division)
        change: Change | None = _aim_change(throw, place, symmetric=symmetric)
        if place == present:
            words = _AS_IT_WAS
            change = None
        caught, gone = holds.get((landing.beat % loop.period, *place[1:]), free)
        target = Target(
            begin=landing.beat / loop.period + caught,
            end=landing.beat / loop.period + gone,
            hand=2 * landing.juggler + landing.hand,
            text=landing.siteswap,
            words=words,
            change=change,
        )
        targets.append(target)
    return tuple(targets)


def _holds_by_landing(
    animation: Animation, loop: Pattern
) -> dict[tuple[int, int, int], tuple[float, float]]:
    """Return from when to when each prop that lands is held, as the ladder shows it.

    Args:
        animation: of a pattern.
        loop: its full loop.

    Returns:
        The catch and the next throw, in loops after the beat of the landing, by that beat within
        the loop, in parts of beats, juggler and hand. Props that stay in a hand do not land.
    """
    choreography = animation.choreography
    timeline = Timeline(animation.score, choreography, loops=1)
    holds = {}
    for flight in timeline.flights:
        throw = loop.throws[timeline.throw_number(flight.index)]
        beat = throw.beat + throw.value
        hold = float(choreography.flights.carry[flight.index]) / choreography.duration
        # The next throw is less than half a loop away from its beat: by whole loops it is the one
        # of this beat.
        gone = flight.catch_time / choreography.duration + hold - beat / loop.period
        gone -= round(gone)
        holds[beat % loop.period, throw.to_juggler, throw.to_hand] = gone - hold, gone
    return holds


def _catch_targets(animation: Animation, throw: int, *, symmetric: bool) -> Iterator[Target]:
    """Yield the catches that a flight of events may have in place of its own.

    To land at the catch of another flight, it exchanges catches with that flight. Both must then
    last `MIN_FLIGHT` or more.

    Args:
        animation: of events, without a pattern.
        throw: index of the flight.
        symmetric: whether its mirror images change along.

    Yields:
        Targets, the nearest in time first; no more than `_MAX_TARGETS`, as each is drawn. Its own
        catch is the first, with None for its change.
    """
    choreography = animation.choreography
    flights = choreography.flights
    loop = choreography.duration  # s
    following = choreography.rounds.following
    throw_times = choreography.events.time[flights.throw]
    catch_times = throw_times + flights.duration
    own_throw_time = throw_times[throw]
    own_catch_time = catch_times[throw]

    # Each flight is repeated in every loop. Take the repeat whose catch is nearest in time to that
    # of this flight; it is `laps` loops later than in the list, or earlier if negative.
    laps = np.round((own_catch_time - catch_times) / loop)
    shifted_catch_times = catch_times + laps * loop

    # Once both have exchanged their catches, this flight lasts from its own throw to the other
    # catch, and the other from its throw to this catch. The shorter one decides; a negative
    # duration means a catch before the throw.
    shorter_duration = np.minimum(
        shifted_catch_times - own_throw_time, own_catch_time - throw_times - laps * loop
    )
    distances = np.abs(shifted_catch_times - own_catch_time)
    nearest = np.argsort(distances, kind="stable")[:_MAX_TARGETS]
    # Its own catch is always kept: it is the present landing.
    is_possible = (shorter_duration[nearest] >= MIN_FLIGHT) | (nearest == throw)
    for flight in nearest[is_possible].tolist():
        catch_time = float(shifted_catch_times[flight])
        words = _("{end:.2f} s in the air", end=catch_time - float(own_throw_time))
        # A catch is named by the flight that follows it, with which the caught prop is thrown next.
        change: Change | None = _aim_change(throw, int(following[flight]), symmetric=symmetric)
        if flight == throw:
            words = _AS_IT_WAS
            change = None
        # The mouse means this catch while it is between the catch and the end of the hold after it.
        hand = int(choreography.events.hand[flights.catch[flight]])
        hold = float(flights.carry[flight])
        yield Target(
            begin=catch_time / loop,
            end=(catch_time + hold) / loop,
            hand=hand,
            text="",
            words=words,
            change=change,
        )


def _aim_change(throw: int, at: int | tuple[int, int, int], *, symmetric: bool) -> Change:
    """Return the change by which a throw lands elsewhere.

    Args:
        throw: index as for `landing_targets`.
        at: of a pattern: beat in parts of beats, juggler and hand where the throw lands. Of events:
            index of the flight that follows the catch.
        symmetric: whether its repeats and mirror images change along.
    """
    return lambda edit: edit.aim_throw(throw, at, symmetric=symmetric)


STEP = 0.01
FINE_STEP = 0.001
"""Steps of keys in time, and of a drag with Shift, [s]."""

_DRAG_STEP = 0.005  # s
_FINE_DRAG_SPEED = 0.2  # of the speed of the mouse, with Shift
_CLICK_DISTANCE = 3.0  # pixels at scale 1 that the mouse may move in a click
_DWELL_STEP = 0.05  # beats
_FINE_DWELL_STEP = 0.01  # beats


@dataclass
class LadderDrag:
    """A handle that is held by the mouse.

    Args:
        handle: as it was when the mouse went down.
        lap: number of the loop of its throw, among those that are drawn.
        start: where the mouse went down, [pixels].
        view: where the ladder was then; its scale is used for the whole drag.
        before: the animation then.
        has_moved: whether the mouse has moved farther than in a click.
        limits: in time, of the events that are dragged, by their rows; None for other handles.
        seconds: how much later these events are now than before, [s].
        targets: where a throw may land; empty for other handles.
        target: where it lands now; None before the first change.
        last_input: where the mouse was last, [pixels], and whether it moved finely.
    """

    handle: LadderHandle
    lap: int
    start: Point
    view: TapeView
    before: Animation
    has_moved: bool = False
    limits: dict[int, TimeLimits] | None = None
    seconds: float = 0.0
    targets: tuple[Target, ...] = ()
    target: Target | None = None
    last_input: tuple[Point, bool] | None = None


class LadderEditor:
    """Edits the pattern of a model on its ladder.

    Args:
        model: with the pattern.
        editor: makes the changes.
    """

    def __init__(self, model: Model, editor: EditController) -> None:
        self._model = model
        self.editor = editor
        self.held: LadderDrag | None = None
        """The handle that the mouse holds."""
        self.view: TapeView | None = None
        """Where the ladder was drawn last."""
        self.menu_place: Point = (0.0, 0.0)
        """Where the menu opens by a key, [pixels]."""
        self._cached_handles: tuple[Animation, LadderHandles] | None = None
        editor.actions[LADDER] = {Action.REMOVE_POINT: self.remove}

    def handles(self, tape: LoopDiagram | None = None) -> LadderHandles:
        """Return the handles of the present pattern, cached until the animation changes.

        Args:
            tape: its ladder; None if it is not drawn, and is to be made here.
        """
        animation = self._model.animation
        if self._cached_handles:
            cached_animation, handles = self._cached_handles
            if cached_animation is animation:
                return handles
        handles = LadderHandles.from_animation(
            animation, tape or LoopDiagram.from_animation(LADDER, animation)
        )
        self._cached_handles = animation, handles
        return handles

    @property
    def chosen(self) -> LadderHandle | None:
        """The handle on the ladder that was chosen last."""
        return self.handles().find(self.editor.selection[-1]) if self.editor.selection else None

    def press(self, view: TapeView, index: int, lap: int, mouse: Point, *, adds: bool) -> None:
        """Choose a handle and take hold of it, as the mouse goes down on it.

        Args:
            view: place and scale of the ladder.
            index: of the handle in `handles().handles`.
            lap: number of the visible loop in which it was pressed.
            mouse: its place, [pixels].
            adds: whether other handles stay chosen; then a chosen handle is unselected instead.
        """
        handle = self.handles().handles[index]
        # A press on one of several chosen handles must not unselect the others, as it may begin a
        # drag of all of them.
        if adds or handle.handle not in self.editor.selection:
            self.editor.choose(handle.handle, LADDER, adds=adds)
        self.editor.place = LADDER
        # The handle lies `laps` loops after its throw, so its throw is in an earlier loop.
        self.held = LadderDrag(
            handle,
            lap=lap - handle.laps,
            start=mouse,
            view=view,
            before=self._model.animation,
        )

    def drag(self, mouse: Point, *, fine: bool, scale: float) -> None:
        """Let the handle that the mouse holds, if any, follow it.

        Changes the pattern: the landing of a throw, the dwell of all holds, or the times of keys of
        bodies or of all chosen events. Each call starts from the pattern as it was when the drag
        began, so changes do not add up.

        Args:
            mouse: its place, [pixels].
            fine: whether the handle moves more slowly than the mouse, in smaller steps.
            scale: of the user interface, by which the distance of a click is multiplied.
        """
        held = self.held
        if held is None:
            return
        if not held.has_moved:
            # `_CLICK_DISTANCE` pixels at scale 1 may be moved in a click.
            if math.dist(mouse, held.start) < _CLICK_DISTANCE * scale:
                return  # still a click
            self._begin(held)
        # The drag was cancelled by a key, or the mouse has not moved since the last frame.
        if not self.editor.is_dragging or held.last_input == (mouse, fine):
            return
        held.last_input = mouse, fine

        seconds_dragged = (mouse[0] - held.start[0]) / held.view.pixels_per_second
        if fine:
            # With Shift the handle moves at `_FINE_DRAG_SPEED` of the mouse's speed; steps are in
            # [s].
            seconds_dragged *= _FINE_DRAG_SPEED
        if held.handle.kind == HandleKind.LANDING:
            self._aim(held, nearest_target(held, self.handles(), self.view or held.view, mouse))
        elif held.handle.kind == HandleKind.HOLD:
            # The bar of a hold begins at the catch and ends at the throw, which stays. Dragged to
            # the right, the catch is later and the dwell shorter: hence the minus sign below.
            beats = seconds_dragged * held.before.choreography.bps
            self.editor.drag(_dwell_change(held.before, -beats, fine=fine))
        elif isinstance(held.handle.handle, BodyHandle):
            step = FINE_STEP if fine else _DRAG_STEP
            time = held.handle.time + round(seconds_dragged / step) * step
            symmetric = self.editor.symmetric
            self.editor.drag(_body_change(held.handle.handle, time, symmetric=symmetric))
        elif held.limits:
            step = FINE_STEP if fine else _DRAG_STEP
            seconds = allowed_shift(held.before, held.limits, round(seconds_dragged / step) * step)
            if seconds == held.seconds and self._model.animation is not held.before:
                return  # this shift is shown already; the first step of a drag is always made
            held.seconds = seconds
            self.editor.drag(self._shift_change(held.before, tuple(held.limits), seconds))
            self._keep_chosen(held.before, held.limits, seconds)

    def release(self) -> None:
        """Keep what was dragged, as the mouse comes up; does nothing if no handle is held.

        A click, without a drag, goes to the time of the handle if playback is paused.
        """
        held = self.held
        self.held = None
        if held is None:
            return
        if held.has_moved:
            self.editor.end_drag()
        else:  # a click
            self._go_to(held.handle)

    def _begin(self, held: LadderDrag) -> None:
        """Begin a drag: find the targets of a throw, or the limits in time of events.

        Handles of bodies and holds have neither.

        Args:
            held: the drag; its `targets` (places where a throw may land) or `limits` (times, [s])
                are filled in.
        """
        held.has_moved = True
        self.editor.begin_drag(held.handle.kind.name.lower())
        if isinstance(held.handle.handle, ThrowHandle):
            held.targets = landing_targets(
                held.before, held.handle.handle.throw, symmetric=self.editor.symmetric
            )
        elif isinstance(held.handle.handle, EventHandle):
            held.limits = self._limits()

    def _limits(self) -> dict[int, TimeLimits]:
        """Return between which times each chosen event can be moved.

        Returns:
            Limits by the row of the event in `events`.
        """
        edit = self._model.animation.edit()
        symmetric = self.editor.symmetric
        count = len(self._model.animation.choreography.events.time)
        # The selection may name events that an undo has removed since: their rows are past the end.
        events = [
            handle.event
            for handle in self.editor.selection
            if isinstance(handle, EventHandle) and handle.event < count
        ]
        return {event: edit.time_limits(event, symmetric) for event in events}

    def _aim(self, held: LadderDrag, target: Target | None) -> None:
        """Let the dragged throw land at a target, unless it does already; None does nothing."""
        if target is not None and target != held.target:
            held.target = target
            # A target without a change is the original landing: back to the pattern before.
            self.editor.drag(target.change or (lambda _: held.before))

    def _shift_change(self, before: Animation, events: Sequence[int], seconds: float) -> Change:
        """Return the change that moves events in time by a common shift.

        Args:
            before: the animation whose events these are.
            events: their rows, at least one.
            seconds: the shift, [s]; positive is later.
        """
        # The editor has two operations: several events are moved by a shift, one to a time.
        symmetric = self.editor.symmetric
        if len(events) > 1:
            return lambda edit: edit.move_events(events, seconds, symmetric=symmetric)
        time = float(before.choreography.events.time[events[0]]) + seconds
        return lambda edit: edit.move_event(events[0], time, symmetric=symmetric)

    def _keep_chosen(
        self, before: Animation, events: Sequence[int] | dict[int, TimeLimits], seconds: float
    ) -> None:
        """Let events that were moved stay chosen.

        Events are sorted by time, so their rows may have changed: each is found again by its hand
        and its new time.

        Args:
            before: the animation before the move.
            events: their rows in it.
            seconds: by which they were moved, [s].
        """
        old = before.choreography.events
        now = self._model.animation.choreography
        self.editor.selection = tuple(
            EventHandle(event_at(now, int(old.hand[event]), float(old.time[event]) + seconds))
            for event in events
        )

    def step(self, steps: int) -> None:
        """Choose the handle a number of steps further in time, cyclically, and go to its time.

        While none is chosen, it is the next one from the present time on if `steps` is positive, or
        the one before that if it is negative, however many steps these are.

        Args:
            steps: positive for later handles, negative for earlier ones.
        """
        handles = self.handles().handles
        chosen = self.chosen
        if not handles:
            return
        if chosen is not None:
            index = (handles.index(chosen) + steps) % len(handles)
        else:
            now = self._model.moment.time % self._model.animation.choreography.duration
            # The first handle from now on. The tolerance includes the one at which the picture
            # stands, up to rounding. Past the last handle it is the first of the loop, index 0;
            # the one before that has index -1, which is the last.
            next_indices = (
                index for index, handle in enumerate(handles) if handle.time >= now - FINE_STEP
            )
            next_index = next(next_indices, 0)
            index = next_index if steps > 0 else next_index - 1
        self.editor.choose(handles[index].handle, LADDER)
        self._go_to(handles[index])

    def move(self, right: int, up: int, *, fine: bool) -> None:
        """Move the chosen handles in time, or change the landing of a throw or the dwell.

        The handle that was chosen last decides what is done; only events are moved together. For
        events and bodies, up and down do nothing.

        Args:
            right: 1 for a step later, -1 for one earlier, 0 if `up` is not 0.
            up: of a throw, 1 adds a period to its value and -1 takes one away; of a hold, 1
                lengthens and -1 shortens it.
            fine: whether the step is a small one.
        """
        chosen = self.chosen
        if chosen is None:
            return
        if isinstance(chosen.handle, ThrowHandle):
            self._move_landing(chosen.handle.throw, right, up)
        elif chosen.kind == HandleKind.HOLD:
            # A step to the right moves the catch later, so that the dwell is shorter.
            beats = (_FINE_DWELL_STEP if fine else _DWELL_STEP) * (up or -right)
            self.editor.apply(
                _dwell_change(self._model.animation, beats, fine=fine), "dwell", merges_undo=True
            )
        elif isinstance(chosen.handle, BodyHandle) and right:
            time = chosen.time + right * (FINE_STEP if fine else STEP)
            self.editor.apply(
                _body_change(chosen.handle, time, symmetric=self.editor.symmetric),
                "body",
                merges_undo=True,
            )
        elif right:
            before = self._model.animation
            limits = self._limits()
            seconds = allowed_shift(before, limits, right * (FINE_STEP if fine else STEP))
            if self.editor.apply(
                self._shift_change(before, tuple(limits), seconds), "time", merges_undo=True
            ):
                self._keep_chosen(before, limits, seconds)

    def remove(self) -> None:
        """Remove the point of a hand or key of a body that was chosen last.

        For handles of other kinds, `error` of the model says why they cannot be removed. The
        selection is empty afterwards if the removal was legal.
        """
        chosen = self.chosen
        symmetric = self.editor.symmetric
        if chosen is None:
            return
        if chosen.kind == HandleKind.POINT and isinstance(point := chosen.handle, EventHandle):
            self.editor.apply(
                lambda edit: edit.remove_point(point.event, symmetric=symmetric), "remove point"
            )
        elif isinstance(key := chosen.handle, BodyHandle):
            self.editor.apply(lambda edit: edit.remove_body_key(key.juggler, key.key), "remove key")
        else:
            self._model.error = _(
                "Only hand points and body positions can be deleted here; use the menu to "
                "delete a throw's beat"
            )
            return
        # A refused change leaves the pattern as it is, and sets `error`.
        if not self._model.error:
            self.editor.selection = ()

    def open(self) -> None:
        """Open the menu of what is chosen, or of the whole pattern, beside its handle."""
        self.open_menu(self.chosen, self.menu_place)

    def open_menu(
        self, handle: LadderHandle | None, place: Point, hand: int = 0, time: float | None = None
    ) -> None:
        """Open the menu of a handle, of a time without one, or of the whole pattern.

        Args:
            handle: whose menu it is; None for a time, or for the whole pattern.
            place: of the menu, [pixels].
            hand: 2 · juggler + side of the hand whose line is nearest to the mouse; used only with
                a time.
            time: in the loop, at which the mouse is, [s]; None for the whole pattern. Unused if
                there is a handle.
        """
        self.editor.open_menu(lambda: self._menu(handle, place, hand, time))

    def _menu(
        self, handle: LadderHandle | None, place: Point, hand: int, time: float | None
    ) -> EditMenu:
        """Return the menu of a handle, of a time without a handle, or of the whole pattern.

        All menus end with the lines for the whole pattern.

        Args:
            handle: a handle on the ladder: its place, and the event, throw or body that it moves;
                None if none was clicked.
            place: of the mouse, [pixels].
            hand: on whose line the mouse is.
            time: of the mouse, [s]; None away from the lines.
        """
        before = self._model.animation
        symmetric = self.editor.symmetric
        title = _("Whole pattern")
        lines = tuple[Entry, ...]()
        if handle is not None:
            title = self.handles().describe(handle)
            lines = self._lines_of(handle)
        elif time is not None:
            title = sentence(
                _("{hand} at {time:.2f} s", hand=self.handles().hand_name(hand), time=time)
            )
            lines = (
                *point_lines(before, hand, time, None, symmetric=symmetric),
                *body_lines(before, hand // 2, time, None),
            )
        return EditMenu(title, whole_pattern(before, lines), place, self.editor)

    def _lines_of(self, handle: LadderHandle) -> tuple[Entry, ...]:
        """Return the lines of the menu of a handle; none for holds and throws without an arrow.

        Args:
            handle: on the ladder: of a throw, an event of a hand, or a place of a body.
        """
        before = self._model.animation
        symmetric = self.editor.symmetric
        if isinstance(handle.handle, ThrowHandle):
            return throw_lines(before, handle.handle.throw, symmetric=symmetric)
        if handle.kind == HandleKind.THROW:
            # The handle of a throw is an event, but its menu is about the throw of the pattern,
            # whose number only the arrow knows. The arrow has the same hand and, exactly, time.
            for arrow in self.handles().handles:
                is_thrown_here = (arrow.time, arrow.hand) == (handle.time, handle.hand)
                if arrow.kind == HandleKind.LANDING and is_thrown_here:
                    return self._lines_of(arrow)
            return ()
        if isinstance(handle.handle, BodyHandle):
            return body_lines(before, handle.handle.juggler, handle.time, handle.handle.key)
        if isinstance(handle.handle, EventHandle):
            event = handle.handle.event
            if handle.kind == HandleKind.POINT:
                return point_lines(before, handle.hand, handle.time, event, symmetric=symmetric)
            return catch_lines(before, event, symmetric=symmetric)
        return ()

    def _move_landing(self, throw: int, right: int, up: int) -> None:
        """Let a throw land at the next target to the right or left, or periods later or earlier.

        If there is no such target, `error` of the model says so.

        Args:
            throw: index into the throws of the full loop; for events without a pattern, into the
                flights.
            right: how many targets further on, in their order by time; negative for earlier ones.
            up: how many periods to add to the value of the throw, negative to take away. If it is
                not 0, `right` is ignored.
        """
        symmetric = self.editor.symmetric
        if up:
            self.editor.apply(
                lambda edit: edit.add_period(throw, periods=up, symmetric=symmetric), "period"
            )
            return
        targets = landing_targets(self._model.animation, throw, symmetric=symmetric)
        # The target of the present landing is the one without a change.
        present = next(
            (index for index, target in enumerate(targets) if target.change is None), None
        )
        if present is None or not 0 <= present + right < len(targets):
            self._model.error = _("There is no later place to land")
        elif change := targets[present + right].change:
            self.editor.apply(change, "landing")

    def _go_to(self, handle: LadderHandle) -> None:
        """Go to the time of a handle if playback is paused.

        Not for the head of an arrow, which stands for a throw and not for a time.

        Args:
            handle: a handle on the ladder: its place, and the event, throw or body that it moves.
        """
        playback = self._model.playback
        if playback.paused and handle.kind != HandleKind.LANDING:
            loop = self._model.animation.choreography.duration
            # The handle recurs in every loop: go to its nearest repeat, so that the shift is from
            # −loop/2 up to loop/2.
            shift = (handle.time - self._model.moment.time + loop / 2) % loop - loop / 2
            playback.pause_at(playback.time + shift)


def allowed_shift(animation: Animation, limits: dict[int, TimeLimits], seconds: float) -> float:
    """Limit a common shift of events in time to what each of them allows.

    Args:
        animation: with the events.
        limits: of each event that is to be moved, by its row in `events`.
        seconds: the wanted shift, [s]; positive is later.

    Returns:
        The smallest of the shifts that bring each event as near to its wanted time as its own
        limits allow, [s]; 0 without events.
    """
    times = animation.choreography.events.time
    shifts = [
        limit.nearest(float(times[event]) + seconds) - float(times[event])
        for event, limit in limits.items()
    ]
    # The event with the least room decides for all.
    return min(shifts, key=abs, default=0.0)


def nearest_target(
    held: LadderDrag, handles: LadderHandles, view: TapeView, mouse: Point
) -> Target | None:
    """Return the target that is nearest to the mouse on the ladder; None without targets.

    Args:
        held: a drag of a handle: where it began and what it has changed; here of a throw.
        handles: of the ladder as it is now.
        view: place and scale of that ladder.
        mouse: its place, [pixels].
    """

    def distance(target: Target) -> float:
        """Return the distance of the mouse from the span for dropping the head, [pixels].

        The span is a horizontal line at the height of the catching hand.
        """
        mouse_x, mouse_y = mouse
        begin, end, y = target_place(target, held, handles, view)
        distance = math.hypot(mouse_x - min(max(mouse_x, begin), end), mouse_y - y)
        # The head lies before the end of its arrow, and another hold may be nearer there: where it
        # was taken hold of means the present landing, too.
        return min(distance, math.dist(mouse, held.start)) if target.change is None else distance

    return min(held.targets, key=distance, default=None)


def target_place(
    target: Target, held: LadderDrag, handles: LadderHandles, view: TapeView
) -> tuple[float, float, float]:
    """Return where the span of a target begins and ends, and its height, [pixels].

    The arguments are those of `nearest_target`.
    """
    # Along the ladder at the scale of when the drag began: a changed throw may change the length of
    # the loop, and targets must not move away under the mouse. Across it as it is drawn now.
    begin = held.view.x_of(target.begin, held.lap)
    end = held.view.x_of(target.end, held.lap)
    return begin, end, view.y_of(handles.lines[target.hand])


def _dwell_change(before: Animation, beats: float, *, fine: bool) -> Change:
    """Return the change by which hands hold props longer, or shorter if `beats` is negative.

    Args:
        before: the animation to change.
        beats: to add to the dwell of all holds.
        fine: whether the new dwell is rounded to 0.01 beats, and not to 0.05.
    """
    row = quantity_named("dwell")
    value = float(controls.value_of(before, row)) + beats
    # Steps are in beats.
    step = _FINE_DWELL_STEP if fine else _DWELL_STEP
    value = min(max(round(value / step) * step, row.low), row.high)
    return lambda _: before.replace(dwell=value)


def _body_change(handle: BodyHandle, time: float, *, symmetric: bool) -> Change:
    """Return the change that moves the key of a body to another time, [s]."""
    return lambda edit: edit.move_body(handle.juggler, handle.key, time=time, symmetric=symmetric)
