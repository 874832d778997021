"""Editing on the ladder: its handles, what mouse and keys do with them, and their descriptions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from math import floor
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.choreography import CATCH, THROW, repeat_to_full_loop
from juggle_anim.diagrams import (
    NO_PROP,
    NODE_HEIGHT,
    Flight,
    Lanes,
    Point,
    Timeline,
    hand_name,
    hand_names,
    node_width,
    throw_curve,
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
from juggle_anim.viewer.editor.editor import (
    LADDER,
    BodyHandle,
    EditController,
    EditMenu,
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
        x, y: its place on the ladder, [mm]: x in the direction of time from the start of the loop,
            y downward.
        time: the time of the throw, catch, point or key of a body; of an arrow, that of its throw;
            [s] from the start of the loop, perhaps past its end.
        hand: 2 · juggler + side, of the throw, catch or point; of a body, the left hand.
        to_hand: the hand that catches, for throws and arrows; else the same as `hand`.
        text: the text of the throw in siteswap; empty if it has none.
        prop: index of the prop that it moves, in the first loop; −1 for none.
        curve: curve of an arrow, four control points, [mm]; empty for all other kinds.
        hold_duration: how long a prop is held, [s]; 0 for all kinds but `HOLD`.
        loops_after_throw: number of loops between the throw and the handle.
    """

    kind: HandleKind
    handle: Handle
    x: float
    y: float
    time: float
    hand: int
    to_hand: int
    text: str = ""
    prop: int = NO_PROP
    curve: tuple[Point, ...] = ()
    hold_duration: float = 0.0
    loops_after_throw: int = 0

    def within(self, length: float) -> LadderHandle:
        """Return the handle shifted by whole loops into the one that begins at 0.

        Args:
            length: the length of a loop along the ladder, [mm].

        Returns:
            The handle with `x` from 0 up to `length`, its curve shifted alike, and
            `loops_after_throw` set to the number of loops by which it was shifted back.
        """
        # The tolerance lets a handle at exactly the start of a loop be in that loop despite
        # rounding.
        loop_count = floor(self.x / length + _ROUNDING)
        shift = loop_count * length  # mm
        curve = tuple((x - shift, y) for x, y in self.curve)
        return self._replace(x=self.x - shift, curve=curve, loops_after_throw=loop_count)

    def on_curve(self, back: float) -> Point:
        """Return a point on the curve of the arrow that shows a throw: x and y, [mm].

        x is in the direction of time. Only for handles of arrows, whose curve is not empty.

        Args:
            back: how far the point is before the handle, measured along x, [mm].
        """
        start_x, _start_y = self.curve[0]
        end_x, _end_y = self.curve[-1]
        x = self.x - back
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
        names: the names of hands.
        lines: y of the line of each hand on the ladder, [mm].
        duration: the duration of the loop, [s].
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

        A handle is what the mouse can drag: a throw, a catch, an arrowhead, the bar of a hold, a
        point that a hand passes, or a key of a body.

        Args:
            animation: the animation with the throws, catches and points.
            ladder: its ladder diagram of one loop, in which time runs to the right.
        """
        timeline = Timeline(animation.score, animation.choreography, loops=1)
        lanes = Lanes(timeline, down=False)  # a line for each hand, one above the other
        # Some handles lie past the end of the loop, such as catches of throws late in it. `within`
        # moves them back by the length of the loop, [mm], but leaves their `time` as it is, so that
        # they are sorted after all others.
        handles = [
            handle.within(ladder.length) for handle in _handles(animation, timeline, lanes, ladder)
        ]
        handles.sort(key=lambda handle: (handle.time, handle.hand, handle.kind))
        names = tuple(hand_names(animation.num_jugglers))  # two for each juggler
        lines = tuple(lanes.lines.places)
        loop = animation.choreography
        return cls(tuple(handles), names, lines, loop.duration, loop.bps)

    @cached_property
    def places(self) -> Floats:
        """Places (x, y) of the N handles on the ladder, shape (N, 2), [mm]."""
        places = [(handle.x, handle.y) for handle in self.handles]
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
            handle: the handle, with what it moves: a throw, a catch, a landing, a hold, a point of
                a hand's path, or a key of a body, which says where it stands at a time.
        """
        juggler_count = len(self.names) // 2  # `names` has two hands for each juggler
        if handle.kind == HandleKind.BODY:
            # Jugglers are numbered only if there are several, and from 1 in words.
            who = _("Body")
            if juggler_count > 1:
                who = _("{juggler}'s body", juggler=handle.hand // 2 + 1)
            return _("{who} at {time:.2f} s", who=who, time=handle.time)
        when = _("at {time:.2f} s", time=handle.time % self.duration)
        value = f" {handle.text}" if handle.text else ""
        hand = sentence(self.hand_name(handle.hand))
        if handle.kind == HandleKind.THROW:
            return _("{hand} throws{value} {when}", hand=hand, value=value, when=when)
        if handle.kind == HandleKind.LANDING:
            if not handle.curve:  # the prop stays in the hand for a beat
                return _("{hand} holds{value}", hand=hand, value=value)
            return throw_in_words(handle.hand, handle.text, handle.to_hand, juggler_count)
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
        loop_lefts: where each visible loop begins, by its number, [pixels].
        duration: the duration of the loop, [s].
        beats: the beats of the loop, in parts of beats as in `Pattern`; 0 for events without beats.
        left: from where on it is visible, [pixels].
        start: where the first visible loop begins if loops are seen whole, [pixels].
    """

    tape: LoopDiagram
    fit: DiagramFit
    top: float
    loop_lefts: dict[int, float]
    duration: float
    beats: int
    left: float
    start: float

    @property
    def pixels_per_second(self) -> float:
        """The length of a second along the ladder, [pixels]."""
        return self.fit.x_scale * self.tape.length / self.duration

    def loop_length(self, duration: float, beats: int) -> float:
        """Return the length of the loop of another pattern at the scale of this view, [pixels].

        If both loops have beats, a beat has the same length in both, even at another tempo;
        otherwise a second has.

        Args:
            duration: the duration of the other loop, [s].
            beats: the length of the other loop, in the same parts of beats as `self.beats`; 0 for
                events without beats.
        """
        have_both_beats = beats > 0 and self.beats > 0
        ratio = beats / self.beats if have_both_beats else duration / self.duration
        return self.fit.x_scale * self.tape.length * ratio

    def place(self, x: float, y: float, loop_number: int) -> Point:
        """Return the place in the window, [pixels], of a place in a loop, [mm]."""
        return self._left(loop_number) + self.fit.x_scale * x, self.y_of(y)

    def x_of(self, loops: float, loop_number: int) -> float:
        """Return the x of a time in loops after the start of a loop, [pixels]."""
        return self._left(loop_number) + self.fit.x_scale * self.tape.length * loops

    def _left(self, loop_number: int) -> float:
        """Return the x at which a loop begins, also one that is not visible, [pixels]."""
        first = min(self.loop_lefts, default=loop_number)
        length = self.fit.x_scale * self.tape.length
        return self.loop_lefts.get(first, self.start) + (loop_number - first) * length

    def y_of(self, y: float) -> float:
        """Return the y in the window, [pixels], of a y on the ladder, [mm]."""
        return self.top + self.fit.y_scale * y + self.fit.mark_scale * MARGIN_ABOVE

    def to_window(self, places: Floats, loop_number: int) -> Floats:
        """Return the places in the window, [pixels], of places in a loop, shape (N, 2), [mm]."""
        return places * (self.fit.x_scale, self.fit.y_scale) + (
            self._left(loop_number),
            self.y_of(0.0),
        )

    def handle_at(self, handles: LadderHandles, x: float, y: float) -> tuple[int, int] | None:
        """Find the handle under the mouse, in all visible loops.

        Args:
            handles: the handles of the ladder.
            x, y: position of the mouse, [pixels].

        Returns:
            index: index of the handle in `handles.handles`.
            loop_number: number of the visible loop in which it was hit, as a handle appears in
            all of them. None if the mouse is on no handle.
        """
        nearest = None
        # Distances are measured in half sizes of handles, which are rectangles: 1 is at the edge.
        nearest_distance = 1.0
        half_sizes = handles.reach * self.fit.mark_scale + 1.0  # pixels; one more than is drawn
        for loop_number in self.loop_lefts:
            # The offset of the mouse from the middle of each handle in half widths and half
            # heights, shape (N, 2). The larger of both is below 1 inside the rectangle.
            offsets = np.abs(self.to_window(handles.places, loop_number) - (x, y)) / half_sizes
            # `argmin` needs an element: without handles it is one that is not hit.
            distances = offsets.max(axis=1) if len(offsets) else np.ones(1)
            index = int(distances.argmin())
            if distances[index] < nearest_distance:
                nearest = (index, loop_number)
                nearest_distance = float(distances[index])
        return nearest


def _handles(
    animation: Animation, timeline: Timeline, lanes: Lanes, ladder: LoopDiagram
) -> Iterator[LadderHandle]:
    """Yield all handles of a loop, unsorted; x of catches after the loop is beyond its length.

    A handle is what the mouse can drag on the ladder, the diagram of throws over time.

    Args:
        animation: the animation with the events: throws, catches and points that hands pass.
        timeline: flights and rests on the ladder, also those that begin before the loop. A rest is
            a beat on which a hand throws nothing: it holds a prop or is empty.
        lanes: the y of each hand on the ladder, [mm].
        ladder: the ladder of one loop.
    """
    choreography = animation.choreography
    events = choreography.events
    flights = choreography.flights
    scale = ladder.length / choreography.duration  # mm/s along the ladder

    # Throws, catches, heads of arrows and holds of the flights that begin in this loop. The flights
    # of neighbouring loops, which the ladder shows, too, are repeats of these.
    events_with_handle = set[int]()
    for flight in timeline.flights:
        # A handle at the very start of a loop belongs to that loop, despite rounding.
        if not -_ROUNDING <= flight.throw_time < timeline.span - _ROUNDING:
            continue
        # Rows of its events, and how long the prop is held after the catch, [s].
        throw_event = int(flights.throw[flight.index])
        catch_event = int(flights.catch[flight.index])
        carry = float(flights.carry[flight.index])
        for handle in _handles_of_flight(
            flight, throw_event, catch_event, carry, timeline, lanes, scale
        ):
            if isinstance(handle.handle, EventHandle):
                # Each event has one handle. Props that are thrown or caught together share their
                # event. An event may also be the throw of one flight and the catch of another: its
                # kind is then THROW, and no handle of a catch is made for it.
                event = handle.handle.event
                is_of_other_kind = events.kind[event] != _EVENT_KINDS[handle.kind]
                if event in events_with_handle or is_of_other_kind:
                    continue
            yield handle._replace(prop=flight.prop)
        events_with_handle.update((throw_event, catch_event))

    # Props that a hand keeps for a beat: landings without a curve.
    for rest in timeline.rests:
        if rest.throw >= 0:  # -1: the hand is empty, so that there is no throw to change
            yield LadderHandle(
                HandleKind.LANDING,
                ThrowHandle(rest.throw),
                x=scale * rest.time,
                y=lanes.across(rest.hand, rest.lane),
                time=rest.time,
                hand=rest.hand,
                to_hand=rest.hand,
                text=rest.text,
                prop=rest.prop,
            )

    # Points that hands pass.
    for event in np.flatnonzero((events.kind != THROW) & (events.kind != CATCH)).tolist():
        hand = int(events.hand[event])
        time = float(events.time[event])
        yield LadderHandle(
            HandleKind.POINT,
            EventHandle(event),
            x=scale * time,
            y=lanes.across(hand, 0),
            time=time,
            hand=hand,
            to_hand=hand,
        )
    yield from _handles_of_bodies(animation, lanes, scale)


def _handles_of_bodies(animation: Animation, lanes: Lanes, scale: float) -> Iterator[LadderHandle]:
    """Yield the handles of the keys on the paths of bodies, juggler by juggler in order of keys.

    A key says where a body stands and faces at a time, and its handle moves that time. A body with
    a single key stands still, so the time of that key does not matter, and it has no handle.

    Args:
        animation: the animation with the bodies.
        lanes: the y of each hand on the ladder, [mm].
        scale: millimetres of the ladder for a second, [mm/s].
    """
    bodies = animation.choreography.bodies
    for juggler in range(animation.num_jugglers):
        times = bodies.time[bodies.juggler == juggler].tolist()
        if len(times) < 2:
            continue
        # The handle is midway between the lines of both hands. As every handle has a hand, this one
        # has the left hand of the juggler.
        left_hand = 2 * juggler
        line_y = (lanes.across(left_hand, 0) + lanes.across(left_hand + 1, 0)) / 2
        for key, time in enumerate(times):
            yield LadderHandle(
                HandleKind.BODY,
                BodyHandle(juggler, key),
                x=scale * time,
                y=line_y,
                time=time,
                hand=left_hand,
                to_hand=left_hand,
            )


def _handles_of_flight(
    flight: Flight,
    throw_event: int,
    catch_event: int,
    carry: float,
    timeline: Timeline,
    lanes: Lanes,
    scale: float,
) -> Iterator[LadderHandle]:
    """Yield the handles of a flight: throw, catch, arrowhead, and the hold after the catch.

    A flight is drawn as an arrow on the ladder, the diagram of throws over time. The hold has no
    handle if its bar is too short. The field `prop` is left to the caller.

    Args:
        flight: flight of the ladder.
        throw_event, catch_event: rows of its throw and catch in `choreography.events`.
        carry: how long the hand holds the prop after the catch, [s].
        timeline: flights and rests on the ladder. A rest is a beat on which a hand throws nothing:
            it holds a prop, as in a 2, or is empty.
        lanes: the y of each hand on the ladder, [mm].
        scale: millimetres of the ladder for a second, [mm/s].
    """
    hand = flight.hand
    to_hand = flight.to_hand
    text = flight.text
    throw_x = scale * flight.throw_time
    catch_x = scale * flight.catch_time
    throw_y = lanes.across(hand, flight.lane)
    catch_y = lanes.across(to_hand, flight.to_lane)
    throw_handle = LadderHandle(
        HandleKind.THROW,
        EventHandle(throw_event),
        x=throw_x,
        y=throw_y,
        time=flight.throw_time,
        hand=hand,
        to_hand=to_hand,
        text=text,
    )
    catch_handle = LadderHandle(
        HandleKind.CATCH,
        EventHandle(catch_event),
        x=catch_x,
        y=catch_y,
        time=flight.catch_time,
        hand=to_hand,
        to_hand=to_hand,
        text=text,
    )
    yield from (throw_handle, catch_handle)

    # The arrowhead, by which the landing is dragged. It is `_HEAD_DISTANCE`, [mm], before the end
    # of the curve, so that it does not cover the catch, or less on a short curve. Throws of timed
    # events, which have no pattern, are counted as flights.
    curve = tuple((scale * time, y) for time, y in throw_curve(flight, lanes))
    head_x = catch_x - min(_HEAD_DISTANCE, _MAX_HEAD_SHARE * (catch_x - throw_x))
    throw_number = timeline.throw_number(flight.index) if timeline.pattern else flight.index
    head = throw_handle._replace(
        kind=HandleKind.LANDING, handle=ThrowHandle(throw_number), x=head_x, curve=curve
    )
    _x, head_y = head.on_curve(0.0)
    yield head._replace(y=head_y)

    # The bar of the hold after the catch, by which the dwell is dragged; timed events have none. It
    # ends at the next throw, or at the first 2 for which the hand keeps the prop, if that is
    # earlier. The rests with a throw are 2s; the others are empty hands.
    loop = timeline.choreography.duration
    times_to_twos = [
        (rest.time - flight.catch_time) % loop  # s after the catch, cyclically
        for rest in timeline.rests
        if rest.hand == to_hand and rest.throw >= 0
    ]
    bar_length = scale * min([carry, *times_to_twos])
    if timeline.pattern and bar_length > _MIN_HOLD_LENGTH:
        # The node at the end of the bar covers half of its own width of the bar.
        visible_length = bar_length - NODE_HEIGHT / 2
        yield catch_handle._replace(
            kind=HandleKind.HOLD,
            handle=HoldHandle(flight.index),
            x=catch_x + _GRIP_SHARE * visible_length,
            hold_duration=carry,
        )


class Target(NamedTuple):
    """A place where a throw may land: a hold, at whose start the prop is caught.

    Attributes:
        begin, end: times of the catch and of the next throw, in loops after the start of the loop
            of the throw. An arrowhead dropped between them chooses this target.
        hand: the hand that catches, 2 · juggler + side.
        text: siteswap of the pattern that results; empty for events.
        words: the change of the throw, for the tooltip.
        change: the change that lets the throw land there; None if it lands there already.
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
        animation: the animation with the throw.
        throw: index into the throws of the full loop, in which the pattern is repeated until the
            cycles of hands, catches, spins and bodies repeat with it; for events without a pattern,
            index into the flights.
        symmetric: whether the repeats and mirror images of the throw change along.

    Returns:
        One target for each place. That of the present landing is among them, with None for its
        change.
    """
    if animation.pattern is None:
        targets = list(_catch_targets(animation, throw, symmetric=symmetric))
        targets.sort(key=lambda target: (target.end, target.hand))
        return tuple(targets)
    loop = repeat_to_full_loop(animation.pattern, animation.score.staging)
    # Beats, values and periods of a pattern are whole numbers of ticks, `division` to one beat.
    division = animation.pattern.division
    edited_throw = loop.throws[throw]
    present_tick = edited_throw.beat + edited_throw.value
    present_place = present_tick, edited_throw.to_juggler, edited_throw.to_hand
    hold_by_place = _holds_by_landing(animation, loop)
    # A hold is given by the offsets of its catch and its throw from the tick of the landing, in
    # loops. Where no prop lands now, it ends at that tick, and lasts for the dwell, which is in
    # [beats].
    usual_hold = (-animation.parameters.dwell * division / loop.period, 0.0)
    targets = []
    for landing in animation.edit().landings_of(throw, symmetric):
        place = landing.beat, landing.juggler, landing.hand
        value_in_beats = (landing.beat - edited_throw.beat) / division
        words = _(
            "{now:g} instead of {before:g}",
            now=value_in_beats,
            before=edited_throw.value / division,
        )
        change: Change | None = _landing_change(throw, place, symmetric=symmetric)
        if place == present_place:
            words = _AS_IT_WAS
            change = None
        place_in_loop = landing.beat % loop.period, landing.juggler, landing.hand
        catch_offset, throw_offset = hold_by_place.get(place_in_loop, usual_hold)
        landing_in_loops = landing.beat / loop.period
        target = Target(
            begin=landing_in_loops + catch_offset,
            end=landing_in_loops + throw_offset,
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
    """Return the start and end of the hold after each landing, as the ladder shows them.

    A hold is the time from the catch of a prop to its next throw.

    Args:
        animation: animation of a pattern.
        loop: the pattern, repeated until its staging (positions of hands and bodies) repeats.

    Returns:
        For each landing (tick within the loop, which is a part of a beat; juggler; hand) the times
        of the catch and of the next throw, in loops after that tick. Props that stay in a hand do
        not land.
    """
    choreography = animation.choreography
    timeline = Timeline(animation.score, choreography, loops=1)
    hold_by_place = {}
    for flight in timeline.flights:
        throw = loop.throws[timeline.throw_number(flight.index)]
        landing_tick = throw.beat + throw.value
        # All in loops: the duration of the hold, and the time of the next throw after its tick.
        hold_duration = float(choreography.flights.carry[flight.index]) / choreography.duration
        next_throw = flight.catch_time / choreography.duration + hold_duration
        difference = next_throw - landing_tick / loop.period
        # Flights of the timeline may be counted from another loop than throws of the pattern. A
        # throw is less than half a loop away from its tick, so whole loops are dropped.
        throw_offset = difference - round(difference)
        hold_by_place[landing_tick % loop.period, throw.to_juggler, throw.to_hand] = (
            throw_offset - hold_duration,
            throw_offset,
        )
    return hold_by_place


def _catch_targets(animation: Animation, throw: int, *, symmetric: bool) -> Iterator[Target]:
    """Yield the catches at which a flight of timed events may end instead of its own.

    The flight exchanges catches with another one; both must then last at least `MIN_FLIGHT`.

    Args:
        animation: the animation of timed events, which has no pattern of throws on beats.
        throw: index of the flight.
        symmetric: whether its mirror images change along.

    Yields:
        Targets, the nearest in time first; no more than `_MAX_TARGETS`, as each is drawn. Its own
        catch is the first, with None for its change.
    """
    choreography = animation.choreography
    flights = choreography.flights
    loop = choreography.duration  # s
    next_flight = choreography.flight_links.next_flight  # of the same prop, by flight
    # By flight, [s]; catches may be past the end of the loop.
    throw_times = choreography.events.time[flights.throw]
    catch_times = throw_times + flights.duration
    own_throw_time = throw_times[throw]
    own_catch_time = catch_times[throw]

    # Each flight is repeated in every loop. Take the repeat whose catch is nearest in time to that
    # of this flight; it is `loops_later` loops later than in the list, or earlier if negative.
    loops_later = np.round((own_catch_time - catch_times) / loop)
    shifted_catch_times = catch_times + loops_later * loop

    # Once both have exchanged their catches, this flight lasts from its own throw to the other
    # catch, and the other from its throw to this catch. The shorter one decides; a negative
    # duration means a catch before the throw.
    own_durations = shifted_catch_times - own_throw_time
    other_durations = own_catch_time - throw_times - loops_later * loop
    shorter_duration = np.minimum(own_durations, other_durations)
    distances = np.abs(shifted_catch_times - own_catch_time)
    nearest = np.argsort(distances, kind="stable")[:_MAX_TARGETS]
    # Its own catch is always kept: it is the present landing.
    is_possible = (shorter_duration[nearest] >= MIN_FLIGHT) | (nearest == throw)
    for flight in nearest[is_possible].tolist():
        catch_time = float(shifted_catch_times[flight])
        words = _("{end:.2f} s in the air", end=catch_time - float(own_throw_time))
        # A catch is named by the flight that follows it, with which the caught prop is thrown next.
        flight_after = int(next_flight[flight])
        change: Change | None = _landing_change(throw, flight_after, symmetric=symmetric)
        if flight == throw:
            words = _AS_IT_WAS
            change = None
        # The mouse means this catch while it is between the catch and the end of the hold after it.
        hold_duration = float(flights.carry[flight])
        yield Target(
            begin=catch_time / loop,
            end=(catch_time + hold_duration) / loop,
            hand=int(choreography.events.hand[flights.catch[flight]]),
            text="",
            words=words,
            change=change,
        )


def _landing_change(throw: int, at: int | tuple[int, int, int], *, symmetric: bool) -> Change:
    """Return the edit that lets a throw land elsewhere.

    Args:
        throw: index into the throws of the full loop; for timed events, which have no pattern,
            index into the flights.
        at: where the throw lands: in a pattern the beat (in parts of beats), juggler and hand; in
            timed events the index of the flight that begins after the catch.
        symmetric: whether the repeats and mirror images of the throw change along.
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
    """A press of the mouse on a handle, which becomes a drag once the mouse has moved.

    Args:
        handle: the handle as it was when the mouse went down.
        loop_number: number of the loop of its throw, among those that are drawn.
        start: where the mouse went down, [pixels].
        view: place and scale of the ladder at the press; the scale is used for the whole drag.
        before: the animation at the press.
        has_moved: whether the mouse has moved farther than in a click.
        limits: allowed times of the dragged events, by their rows; None for other handles.
        seconds: present shift of these events in time, [s]; positive is later.
        targets: places where the dragged throw may land; empty for other handles.
        target: the present one of `targets`; None before the first change.
        last_input: position of the mouse in the last call, [pixels], and the flag `fine`.
    """

    handle: LadderHandle
    loop_number: int
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
        model: the model with the pattern.
        editor: makes the changes.
    """

    def __init__(self, model: Model, editor: EditController) -> None:
        self._model = model
        self.editor = editor
        self.active_drag: LadderDrag | None = None
        """The pressed or dragged handle; None while the mouse button is up."""
        self.view: TapeView | None = None
        """Where the ladder was drawn last."""
        self.menu_place: Point = (0.0, 0.0)
        """Where the menu opens by a key, [pixels]."""
        self._cached_handles: tuple[Animation, LadderHandles] | None = None
        editor.actions[LADDER] = {Action.REMOVE_POINT: self.remove}

    def handles(self, tape: LoopDiagram | None = None) -> LadderHandles:
        """Return the handles of the present pattern, cached until the animation changes.

        Args:
            tape: the ladder diagram of the pattern; None to make it here if it is needed.
        """
        animation = self._model.animation
        if self._cached_handles:
            cached_animation, cached_handles = self._cached_handles
            if cached_animation is animation:
                return cached_handles
        handles = LadderHandles.from_animation(
            animation, tape or LoopDiagram.from_animation(LADDER, animation)
        )
        self._cached_handles = animation, handles
        return handles

    @property
    def chosen(self) -> LadderHandle | None:
        """The handle on the ladder that was chosen last."""
        return self.handles().find(self.editor.selection[-1]) if self.editor.selection else None

    def press(
        self, view: TapeView, index: int, loop_number: int, mouse: Point, *, adds: bool
    ) -> None:
        """Select a handle as the mouse goes down on it, and set `active_drag`.

        Args:
            view: place and scale of the ladder.
            index: the index of the handle in `handles().handles`.
            loop_number: number of the visible loop in which it was pressed, as every loop shows a
                copy of the handle.
            mouse: position of the mouse, [pixels].
            adds: whether other handles stay selected; then a selected handle is deselected instead.
        """
        handle = self.handles().handles[index]
        # A press on one of several selected handles must not deselect the others, as it may begin a
        # drag of all of them.
        if adds or handle.handle not in self.editor.selection:
            self.editor.choose(handle.handle, LADDER, adds=adds)
        self.editor.place = LADDER
        # The drag notes the loop of the throw, which may be earlier than that of the handle.
        self.active_drag = LadderDrag(
            handle,
            loop_number=loop_number - handle.loops_after_throw,
            start=mouse,
            view=view,
            before=self._model.animation,
        )

    def drag(self, mouse: Point, *, fine: bool, scale: float) -> None:
        """Change the pattern as the pressed handle is dragged to the mouse; do nothing without one.

        The kind of the handle decides on the change: the landing of a throw, the dwell of all
        holds, or the times of a body key or of all selected events. Each call starts from the
        pattern at the press, so changes do not add up.

        Args:
            mouse: position of the mouse, [pixels].
            fine: whether the handle moves more slowly than the mouse, in smaller steps.
            scale: the scale of the user interface, by which the distance of a click is multiplied.
        """
        drag = self.active_drag
        if drag is None:
            return
        if not drag.has_moved:
            if math.dist(mouse, drag.start) < _CLICK_DISTANCE * scale:
                return  # still a click
            self._begin_drag(drag)
        # The drag was cancelled by a key, or the mouse has not moved since the last frame.
        if not self.editor.is_dragging or drag.last_input == (mouse, fine):
            return
        drag.last_input = mouse, fine

        mouse_x, _mouse_y = mouse
        start_x, _start_y = drag.start
        speed = _FINE_DRAG_SPEED if fine else 1.0
        seconds_dragged = speed * (mouse_x - start_x) / drag.view.pixels_per_second
        step = FINE_STEP if fine else _DRAG_STEP  # s
        rounded_seconds = round(seconds_dragged / step) * step
        if drag.handle.kind == HandleKind.LANDING:
            self._choose_target(
                drag, nearest_target(drag, self.handles(), self.view or drag.view, mouse)
            )
        elif drag.handle.kind == HandleKind.HOLD:
            # The bar of a hold begins at the catch and ends at the throw, which stays. Dragged to
            # the right, the catch is later and the dwell shorter: hence the minus sign below.
            beats = seconds_dragged * drag.before.choreography.bps
            self.editor.drag(_dwell_change(drag.before, -beats, fine=fine))
        elif isinstance(drag.handle.handle, BodyHandle):
            time = drag.handle.time + rounded_seconds
            self.editor.drag(
                _body_change(drag.handle.handle, time, symmetric=self.editor.symmetric)
            )
        elif drag.limits:  # events: throws, catches and points of hands' paths
            seconds = allowed_shift(drag.before, drag.limits, rounded_seconds)
            if seconds == drag.seconds and self._model.animation is not drag.before:
                return  # this shift is shown already; the first step of a drag is always made
            drag.seconds = seconds
            self.editor.drag(self._shift_change(drag.before, tuple(drag.limits), seconds))
            self._reselect_moved_events(drag.before, drag.limits, seconds)

    def release(self) -> None:
        """End the press or drag, as the mouse button comes up; a drag keeps its change.

        A click, without a drag, goes to the time of the handle if playback is paused.
        """
        drag = self.active_drag
        self.active_drag = None
        if drag is None:
            return
        if drag.has_moved:
            self.editor.end_drag()
        else:  # a click
            self._go_to(drag.handle)

    def _begin_drag(self, drag: LadderDrag) -> None:
        """Turn a press into a drag: set `has_moved`, and `targets` or `limits` of the handle.

        An arrowhead, the handle of a throw's landing, gets targets: the landings to which it can be
        dragged. An event (a throw, a catch or a point of a hand's path) gets limits: the times
        between which it can be dragged. Handles of bodies and holds have neither.

        Args:
            drag: the press, which is changed.
        """
        drag.has_moved = True
        self.editor.begin_drag(drag.handle.kind.name.lower())
        if isinstance(drag.handle.handle, ThrowHandle):
            drag.targets = landing_targets(
                drag.before, drag.handle.handle.throw, symmetric=self.editor.symmetric
            )
        elif isinstance(drag.handle.handle, EventHandle):
            drag.limits = self._time_limits()

    def _time_limits(self) -> dict[int, TimeLimits]:
        """Return the allowed times of each selected event, by its row in `events`."""
        edit = self._model.animation.edit()
        event_count = len(self._model.animation.choreography.events.time)
        # The selection may name events that an undo has removed since: their rows are past the end.
        events = [
            handle.event
            for handle in self.editor.selection
            if isinstance(handle, EventHandle) and handle.event < event_count
        ]
        return {event: edit.time_limits(event, self.editor.symmetric) for event in events}

    def _choose_target(self, drag: LadderDrag, target: Target | None) -> None:
        """Let the dragged throw land at a target, unless it lands there already or it is None."""
        if target is not None and target != drag.target:
            drag.target = target
            # A target without a change is the original landing: back to the pattern before.
            self.editor.drag(target.change or (lambda _: drag.before))

    def _shift_change(self, before: Animation, events: Sequence[int], seconds: float) -> Change:
        """Return the edit that moves events in time by a common shift.

        Args:
            before: the animation with the events.
            events: rows of the events, at least one.
            seconds: the shift, [s]; positive is later.
        """
        # The editor has two operations: it moves several events by a shift, or one to a time.
        symmetric = self.editor.symmetric
        if len(events) > 1:
            return lambda edit: edit.move_events(events, seconds, symmetric=symmetric)
        (event,) = events
        time = float(before.choreography.events.time[event]) + seconds
        return lambda edit: edit.move_event(event, time, symmetric=symmetric)

    def _reselect_moved_events(
        self, before: Animation, events: Iterable[int], seconds: float
    ) -> None:
        """Select the events that were moved, whose rows may have changed.

        Events are sorted by time; each is found again by its hand and its new time.

        Args:
            before: the animation before the move.
            events: rows of the events in `before`.
            seconds: the shift of the move, [s].
        """
        events_before = before.choreography.events
        self.editor.selection = tuple(
            EventHandle(
                event_at(
                    self._model.animation.choreography,
                    int(events_before.hand[event]),
                    float(events_before.time[event]) + seconds,
                )
            )
            for event in events
        )

    def step(self, steps: int) -> None:
        """Select the handle a number of places later in the loop, cyclically, and go to its time.

        Without a selection, select the next handle from the present time on if `steps` is positive,
        else the one before the present time.

        Args:
            steps: number of handles; negative for earlier ones.
        """
        handles = self.handles().handles
        if not handles:
            return
        chosen = self.chosen
        if chosen is not None:
            index = (handles.index(chosen) + steps) % len(handles)
        else:
            now = self._model.moment.time % self._model.animation.choreography.duration
            # The first handle from now on. The tolerance, [s], includes the one at which the
            # picture stands, despite rounding. Past the last handle it is the first of the loop,
            # index 0; the one before that has index −1, which is the last.
            next_index = next(
                (index for index, handle in enumerate(handles) if handle.time >= now - FINE_STEP),
                0,
            )
            index = next_index if steps > 0 else next_index - 1
        self.editor.choose(handles[index].handle, LADDER)
        self._go_to(handles[index])

    def move(self, right: int, up: int, *, fine: bool) -> None:
        """React to an arrow key: move the selected events, or change a throw, a hold or a body key.

        An event is a throw, a catch or a point that a hand passes, and a body key the time at which
        a body is at a place. The handle that was selected last decides on the change; only events
        are moved together.

        Args:
            right: 1 for a step later, -1 for one earlier, 0 if `up` is not 0.
            up: 1 adds a period to a throw and lengthens a hold, -1 does the reverse; ignored for
                events and bodies.
            fine: whether the step is a small one.
        """
        chosen = self.chosen
        if chosen is None:
            return
        time_step = FINE_STEP if fine else STEP  # s
        if isinstance(chosen.handle, ThrowHandle):
            self._move_landing(chosen.handle.throw, right, up)
        elif chosen.kind == HandleKind.HOLD:
            # A step to the right moves the catch later, so that the dwell is shorter.
            steps = up if up else -right
            beats = steps * (_FINE_DWELL_STEP if fine else _DWELL_STEP)
            self.editor.apply(
                _dwell_change(self._model.animation, beats, fine=fine), "dwell", merges_undo=True
            )
        elif isinstance(chosen.handle, BodyHandle) and right:
            time = chosen.time + right * time_step
            self.editor.apply(
                _body_change(chosen.handle, time, symmetric=self.editor.symmetric),
                "body",
                merges_undo=True,
            )
        elif right:
            before = self._model.animation
            limits = self._time_limits()
            seconds = allowed_shift(before, limits, right * time_step)
            if self.editor.apply(
                self._shift_change(before, tuple(limits), seconds), "time", merges_undo=True
            ):
                self._reselect_moved_events(before, limits, seconds)

    def remove(self) -> None:
        """Remove the point of a hand's path, or the key of a body, that was chosen last.

        If it is removed, nothing is selected afterwards. For handles of other kinds, `error` of the
        model says that they cannot be removed.
        """
        chosen = self.chosen
        if chosen is None:
            return
        symmetric = self.editor.symmetric
        handle = chosen.handle
        if isinstance(handle, EventHandle) and chosen.kind == HandleKind.POINT:
            self.editor.apply(
                lambda edit: edit.remove_point(handle.event, symmetric=symmetric), "remove point"
            )
        elif isinstance(handle, BodyHandle):
            self.editor.apply(
                lambda edit: edit.remove_body_key(handle.juggler, handle.key), "remove key"
            )
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
        """Open the menu of a handle, of a time at which there is none, or of the whole pattern.

        Args:
            handle: the handle whose menu it is; None for a time, or for the whole pattern.
            place: the place of the menu in the window, [pixels].
            hand: 2 · juggler + side of the hand whose line is nearest to the mouse; used only with
                a time.
            time: the time in the loop at which the mouse is, [s]; None for the whole pattern.
                Unused if there is a handle.
        """
        self.editor.open_menu(lambda: self._menu(handle, place, hand, time))

    def _menu(
        self, handle: LadderHandle | None, place: Point, hand: int, time: float | None
    ) -> EditMenu:
        """Return the menu of a handle, of a time without a handle, or of the whole pattern.

        Menus of handles and times end with a line that opens the menu for the whole pattern.

        Args:
            handle: the handle, with the event, throw or body key that it moves;
                None if none was clicked.
            place: position of the mouse, [pixels].
            hand: the hand on whose line the mouse is, 2 · juggler + side; used only with a time.
            time: time in the loop at which the mouse is, [s]; None away from the lines.
        """
        before = self._model.animation
        title = _("Whole pattern")
        entries = tuple[Entry, ...]()
        if handle is not None:
            title = self.handles().describe(handle)
            entries = self._menu_entries(handle)
        elif time is not None:
            title = sentence(
                _("{hand} at {time:.2f} s", hand=self.handles().hand_name(hand), time=time)
            )
            # Without an event or a key, these entries add a point and a body position at the time.
            entries = (
                *point_lines(before, hand, time, event=None, symmetric=self.editor.symmetric),
                *body_lines(before, juggler=hand // 2, time=time, key=None),
            )
        return EditMenu(title, whole_pattern(before, entries), place, self.editor)

    def _menu_entries(self, handle: LadderHandle) -> tuple[Entry, ...]:
        """Return the entries of the menu of a handle; none for holds and throws without an arrow.

        On the ladder (the diagram of throws over time) a throw is an arrow with two handles: its
        head stands for the throw of the pattern, and its beginning for the event, which is the
        throw at its time and place.

        Args:
            handle: a handle on the ladder: an arrowhead, an event of a hand (a throw, a catch or a
                point of its path), a hold, or a key of a body.
        """
        before = self._model.animation
        symmetric = self.editor.symmetric
        if isinstance(handle.handle, ThrowHandle):
            return throw_lines(before, handle.handle.throw, symmetric=symmetric)
        if handle.kind == HandleKind.THROW:
            # The handle is an event, but its menu is about the throw of the pattern, whose number
            # only the arrowhead knows. That has exactly the same time and hand, being made of this
            # handle.
            for arrowhead in self.handles().handles:
                is_thrown_here = (arrowhead.time, arrowhead.hand) == (handle.time, handle.hand)
                if arrowhead.kind == HandleKind.LANDING and is_thrown_here:
                    return self._menu_entries(arrowhead)
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
        """Let a throw land at a later or earlier target, or some periods of the pattern later.

        The targets are all places where it may land, in order of time. If there is no target there,
        `error` of the model is set.

        Args:
            throw: index into the throws of the full loop; for events without a pattern, into the
                flights.
            right: by how many targets it lands later; negative for earlier ones.
            up: by how many periods it lands later; negative for earlier. If it is not 0, `right` is
                ignored.
        """
        symmetric = self.editor.symmetric
        if up:
            self.editor.apply(
                lambda edit: edit.add_period(throw, periods=up, symmetric=symmetric), "period"
            )
            return
        targets = landing_targets(self._model.animation, throw, symmetric=symmetric)
        # The target of the present landing is the one without a change.
        present_index = next(
            (index for index, target in enumerate(targets) if target.change is None), None
        )
        if present_index is None or not 0 <= present_index + right < len(targets):
            self._model.error = _("There is no later place to land")
        elif change := targets[present_index + right].change:
            self.editor.apply(change, "landing")

    def _go_to(self, handle: LadderHandle) -> None:
        """Go to the time of a handle if playback is paused.

        An arrowhead is ignored, as it stands for a throw and not for a time.

        Args:
            handle: any handle on the ladder.
        """
        playback = self._model.playback
        if not playback.paused or handle.kind == HandleKind.LANDING:
            return
        loop = self._model.animation.choreography.duration
        # The handle recurs in every loop: go to its nearest repeat, so that the shift of time is
        # from −loop/2 up to loop/2.
        shift = (handle.time - self._model.moment.time + loop / 2) % loop - loop / 2
        playback.pause_at(playback.time + shift)


def allowed_shift(animation: Animation, limits: dict[int, TimeLimits], seconds: float) -> float:
    """Return the shift in time that is nearest to a wanted one and allowed for all events.

    Args:
        animation: the animation with the events: throws, catches and points that hands pass.
        limits: allowed times of each event that is moved, by its row in `events`.
        seconds: the wanted shift, [s]; positive is later.

    Returns:
        The shift, [s]; 0 without events.
    """
    times = animation.choreography.events.time
    allowed_shifts = [
        limits_of_event.nearest(float(times[event]) + seconds) - float(times[event])
        for event, limits_of_event in limits.items()
    ]
    # The event that may move least decides for all.
    return min(allowed_shifts, key=abs, default=0.0)


def nearest_target(
    drag: LadderDrag, handles: LadderHandles, view: TapeView, mouse: Point
) -> Target | None:
    """Return the target of a drag that is nearest to the mouse; None without targets.

    A target is a place where the dragged throw may land: a hold of a prop, on the line of a hand.

    Args:
        drag: the drag of an arrowhead.
        handles: the handles of the ladder as it is now.
        view: place and scale of that ladder.
        mouse: position of the mouse, [pixels].
    """

    def distance(target: Target) -> float:
        """Return the distance of the mouse from the horizontal span of a target, [pixels]."""
        mouse_x, mouse_y = mouse
        left, right, y = target_place(target, drag, handles, view)
        nearest_x = min(max(mouse_x, left), right)
        distance_to_span = math.hypot(mouse_x - nearest_x, mouse_y - y)
        if target.change is not None:
            return distance_to_span
        # The arrowhead is before the end of its arrow, perhaps nearer to another hold. So the
        # present landing, which has no change, is also chosen near the place of the press.
        return min(distance_to_span, math.dist(mouse, drag.start))

    return min(drag.targets, key=distance, default=None)


def target_place(
    target: Target, drag: LadderDrag, handles: LadderHandles, view: TapeView
) -> tuple[float, float, float]:
    """Return the horizontal span of a target in the window: left, right and y, [pixels].

    Args:
        target: one of the targets of the drag.
        drag: the drag of a throw.
        handles: the handles of the ladder as it is now.
        view: place and scale of that ladder.
    """
    # x at the scale of the press: a changed throw may change the length of the loop, and targets
    # must not move away under the mouse. y as the ladder is drawn now.
    left = drag.view.x_of(target.begin, drag.loop_number)
    right = drag.view.x_of(target.end, drag.loop_number)
    return left, right, view.y_of(handles.lines[target.hand])


def _dwell_change(before: Animation, beats: float, *, fine: bool) -> Change:
    """Return the change by which hands hold props longer, or shorter if `beats` is negative.

    Args:
        before: the animation to change.
        beats: beats to add to the dwell of all holds.
        fine: whether the new dwell is rounded to 0.01 beats, and not to 0.05.
    """
    quantity = quantity_named("dwell")  # the parameter, with its least and greatest value
    wanted = float(controls.value_of(before, quantity)) + beats
    step = _FINE_DWELL_STEP if fine else _DWELL_STEP  # beats
    dwell = min(max(round(wanted / step) * step, quantity.low), quantity.high)
    # A change is called with an editor of the animation, but the dwell is a setting and needs none.
    return lambda _edit: before.replace(dwell=dwell)


def _body_change(handle: BodyHandle, time: float, *, symmetric: bool) -> Change:
    """Return the change that moves the key of a body to another time, [s]."""
    return lambda edit: edit.move_body(handle.juggler, handle.key, time=time, symmetric=symmetric)
