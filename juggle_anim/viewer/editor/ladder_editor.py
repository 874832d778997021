"""Editing on the ladder: its handles, what mouse and keys do with them, and their descriptions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
from juggle_anim.editing.limits import MIN_FLIGHT, TimeLimits, event_at
from juggle_anim.errors import hand_in_words, sentence
from juggle_anim.language import N_, _
from juggle_anim.parameters import quantity_named
from juggle_anim.viewer.diagrams.loop_diagram import MARGIN_ABOVE, DiagramFit, LoopDiagram
from juggle_anim.viewer.editor.edit_menu import (
    EditMenu,
    Entry,
    body_lines,
    catch_lines,
    point_lines,
    throw_lines,
    whole_pattern,
)
from juggle_anim.viewer.editor.editor import (
    LADDER,
    BodyHandle,
    Change,
    EditController,
    EventHandle,
    Handle,
    HoldHandle,
    ThrowHandle,
)
from juggle_anim.viewer.panel import controls
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model

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


STEP = 0.01
FINE_STEP = 0.001
"""Steps of keys in time, and of a drag with Shift, [s]."""

# s; and how fast a drag with Shift is
_DRAG_STEP = 0.005
_SLOWLY = 0.2
_STILL = 3.0  # pixels that the mouse may move in a click, at scale 1
# beats
_DWELL_STEP = 0.05
_FINE_DWELL_STEP = 0.01


@dataclass
class LadderDrag:
    """A handle that is held by the mouse.

    Args:
        handle: as it was when the mouse went down.
        lap: the loop of its throw.
        start: of the mouse, [pixels].
        view: where the ladder was then; its scale stays while it is dragged.
        before: the animation then.
        moved: whether the mouse has moved.
        limits: of the events that are dragged, by their numbers.
        seconds: how much later they are now, [s].
        targets: where a throw may land.
        target: where it lands now.
        mouse: where the mouse was last, and whether it moved finely.
    """

    handle: LadderHandle
    lap: int
    start: Point
    view: TapeView
    before: Animation
    moved: bool = False
    limits: dict[int, TimeLimits] | None = None
    seconds: float = 0.0
    targets: tuple[Target, ...] = ()
    target: Target | None = None
    mouse: tuple[Point, bool] | None = None


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
        self.spot: Point = (0.0, 0.0)
        """Where the menu opens by a key, [pixels]."""
        self._known: tuple[Animation, LadderHandles] | None = None
        editor.actions[LADDER] = {Action.REMOVE_POINT: self.remove}

    def handles(self, tape: LoopDiagram | None = None) -> LadderHandles:
        """The handles of the present pattern.

        Args:
            tape: its ladder, if that is drawn already.
        """
        animation = self._model.animation
        if self._known is None or self._known[0] is not animation:
            self._known = (
                animation,
                LadderHandles.of(animation, tape or LoopDiagram.of(LADDER, animation)),
            )
        return self._known[1]

    @property
    def chosen(self) -> LadderHandle | None:
        """The handle on the ladder that was chosen last."""
        return self.handles().find(self.editor.selection[-1]) if self.editor.selection else None

    def press(self, view: TapeView, number: int, lap: int, mouse: Point, more: bool) -> None:
        """The mouse goes down on a handle.

        Args:
            view: where the ladder is.
            number: of the handle.
            lap: the loop in which it is.
            mouse: its place, [pixels].
            more: whether others stay chosen.
        """
        handle = self.handles().handles[number]
        if more or handle.handle not in self.editor.selection:
            self.editor.choose(handle.handle, LADDER, more)
        self.editor.place = LADDER
        self.held = LadderDrag(handle, lap - handle.laps, mouse, view, self._model.animation)

    def drag(self, mouse: Point, fine: bool, scale: float) -> None:
        """The mouse moves with a handle, if it holds one.

        Args:
            mouse: its place, [pixels].
            fine: whether it moves finely.
            scale: of the user interface.
        """
        held = self.held
        if held is None or (not held.moved and math.dist(mouse, held.start) < _STILL * scale):
            return
        if not held.moved:
            self._begin(held)
        if not self.editor.is_dragging or held.mouse == (mouse, fine):
            return
        held.mouse = mouse, fine
        away = (mouse[0] - held.start[0]) / held.view.second * (_SLOWLY if fine else 1.0)
        if held.handle.kind == HandleKind.LANDING:
            self._aim(held, nearest_target(held, self.handles(), self.view or held.view, mouse))
        elif held.handle.kind == HandleKind.HOLD:
            self.editor.drag(_dwell_change(held.before, -away * held.before.choreography.bps, fine))
        elif isinstance(held.handle.handle, BodyHandle):
            step = FINE_STEP if fine else _DRAG_STEP
            time = held.handle.time + round(away / step) * step
            symmetric = self.editor.symmetric
            self.editor.drag(_body_change(held.handle.handle, time, symmetric))
        elif held.limits:
            step = FINE_STEP if fine else _DRAG_STEP
            seconds = allowed_shift(held.before, held.limits, round(away / step) * step)
            if seconds == held.seconds and self._model.animation is not held.before:
                return
            held.seconds = seconds
            self.editor.drag(self._shift(held.before, tuple(held.limits), held.seconds))
            self._follow(held.before, held.limits, held.seconds)

    def release(self) -> None:
        """The mouse goes up: what was dragged is kept; a click goes to the time of the handle if
        time stands still.
        """
        held = self.held
        self.held = None
        if held is None:
            return
        if held.moved:
            self.editor.end_drag()
        else:
            self._go_to(held.handle)

    def _begin(self, held: LadderDrag) -> None:
        held.moved = True
        self.editor.begin_drag(held.handle.kind.name.lower())
        if isinstance(held.handle.handle, ThrowHandle):
            held.targets = landing_targets(
                held.before, held.handle.handle.throw, self.editor.symmetric
            )
        elif isinstance(held.handle.handle, EventHandle):
            held.limits = self._limits()

    def _limits(self) -> dict[int, TimeLimits]:
        """The limits of all chosen events, by number."""
        edit = self._model.animation.edit()
        symmetric = self.editor.symmetric
        chosen = [each.event for each in self.editor.selection if isinstance(each, EventHandle)]
        # After an undo there may be fewer.
        events = [
            event for event in chosen if event < len(self._model.animation.choreography.events.time)
        ]
        return {event: edit.time_limits(event, symmetric) for event in events}

    def _aim(self, held: LadderDrag, target: Target | None) -> None:
        """Let the throw that is dragged land somewhere else."""
        if target is not None and target != held.target:
            held.target = target
            self.editor.drag(target.change or (lambda _: held.before))

    def _shift(self, before: Animation, events: Sequence[int], seconds: float) -> Change:
        """The change that moves events in time."""
        symmetric = self.editor.symmetric
        if len(events) > 1:
            return lambda edit: edit.move_events(events, seconds, symmetric=symmetric)
        time = float(before.choreography.events.time[events[0]]) + seconds
        return lambda edit: edit.move_event(events[0], time, symmetric=symmetric)

    def _follow(
        self, before: Animation, events: Sequence[int] | dict[int, TimeLimits], seconds: float
    ) -> None:
        """Let events that were moved stay chosen, though they may have other numbers now."""
        old = before.choreography.events
        now = self._model.animation.choreography
        self.editor.selection = tuple(
            EventHandle(event_at(now, int(old.hand[event]), float(old.time[event]) + seconds))
            for event in events
        )

    # Keys.

    def step(self, steps: int) -> None:
        """Choose the handle so many further on; the first time, the next one from the present time
        on.
        """
        handles = self.handles().handles
        chosen = self.chosen
        if not handles:
            return
        if chosen is not None:
            number = (handles.index(chosen) + steps) % len(handles)
        else:
            _animation, time, _way = self._model.moment
            now = time % self._model.animation.choreography.duration
            later = [
                number for number, each in enumerate(handles) if each.time >= now - FINE_STEP
            ] or [0]
            number = later[0] if steps > 0 else later[0] - 1
        self.editor.choose(handles[number].handle, LADDER)
        self._go_to(handles[number])

    def move(self, right: int, up: int, fine: bool) -> None:
        """Move what is chosen in time, or the landing of a throw; up and down add and take a period
        of a throw.
        """
        chosen = self.chosen
        if chosen is None:
            return
        if isinstance(chosen.handle, ThrowHandle):
            self._move_landing(chosen.handle.throw, right, up)
        elif chosen.kind == HandleKind.HOLD:
            beats = (_FINE_DWELL_STEP if fine else _DWELL_STEP) * (up or -right)
            self.editor.apply(_dwell_change(self._model.animation, beats, fine), "dwell", held=True)
        elif isinstance(chosen.handle, BodyHandle) and right:
            time = chosen.time + right * (FINE_STEP if fine else STEP)
            self.editor.apply(
                _body_change(chosen.handle, time, self.editor.symmetric), "body", held=True
            )
        elif right:
            before = self._model.animation
            limits = self._limits()
            seconds = allowed_shift(before, limits, right * (FINE_STEP if fine else STEP))
            if self.editor.apply(self._shift(before, tuple(limits), seconds), "time", held=True):
                self._follow(before, limits, seconds)

    def remove(self) -> None:
        """Remove the chosen point of a hand, or key of a body."""
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
                "Points of hands and keys of bodies can be removed; throws go with their beat, by "
                "the menu"
            )
            return
        if not self._model.error:
            self.editor.selection = ()

    def open(self) -> None:
        """Open the menu of what is chosen, or of the whole pattern, beside its handle."""
        self.ask(self.chosen, self.spot)

    def ask(
        self, handle: LadderHandle | None, place: Point, hand: int = 0, time: float | None = None
    ) -> None:
        """Open the menu.

        Args:
            handle: of which; None for that of the whole pattern, or for a time at which there is no
                handle.
            place: where, [pixels].
            hand, time: on whose line and when the mouse asks, [s].
        """
        self.editor.open_menu(lambda: self._menu(handle, place, hand, time))

    def _menu(
        self, handle: LadderHandle | None, place: Point, hand: int, time: float | None
    ) -> EditMenu:
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
                *point_lines(before, hand, time, None, symmetric),
                *body_lines(before, hand // 2, time, None),
            )
        return EditMenu(title, whole_pattern(before, lines), place, self.editor)

    def _lines_of(self, handle: LadderHandle) -> tuple[Entry, ...]:
        """The lines of the menu of a handle."""
        before = self._model.animation
        symmetric = self.editor.symmetric
        if isinstance(handle.handle, ThrowHandle):
            return throw_lines(before, handle.handle.throw, symmetric)
        if handle.kind == HandleKind.THROW:
            same = (each for each in self.handles().handles if each.kind == HandleKind.LANDING)
            arrow = next(
                (each for each in same if (each.time, each.hand) == (handle.time, handle.hand)),
                None,
            )
            return self._lines_of(arrow) if arrow else ()
        if isinstance(handle.handle, BodyHandle):
            return body_lines(before, handle.handle.juggler, handle.time, handle.handle.key)
        if isinstance(handle.handle, EventHandle):
            event = handle.handle.event
            if handle.kind == HandleKind.POINT:
                return point_lines(before, handle.hand, handle.time, event, symmetric)
            return catch_lines(before, event, symmetric)
        return ()

    def _move_landing(self, throw: int, right: int, up: int) -> None:
        symmetric = self.editor.symmetric
        if up:
            self.editor.apply(
                lambda edit: edit.add_period(throw, up, symmetric=symmetric), "period"
            )
            return
        targets = landing_targets(self._model.animation, throw, symmetric)
        here = next((number for number, each in enumerate(targets) if each.change is None), -1)
        number = here + right
        if here < 0 or not 0 <= number < len(targets):
            self._model.error = _("There is no place to land further on")
        elif change := targets[number].change:
            self.editor.apply(change, "landing")

    def _go_to(self, handle: LadderHandle) -> None:
        """Go to the time of a handle, if time stands still."""
        playback = self._model.playback
        if playback.paused and handle.kind != HandleKind.LANDING:
            loop = self._model.animation.choreography.duration
            away = (handle.time - self._model.moment.time + loop / 2) % loop - loop / 2
            playback.pause_at(playback.time + away)


def allowed_shift(animation: Animation, limits: dict[int, TimeLimits], seconds: float) -> float:
    """By how much events may move in time together, [s], toward a wanted shift.

    Args:
        animation: whose events they are.
        limits: of each event.
        seconds: the wanted shift.
    """
    times = animation.choreography.events.time
    shifts = [
        each.nearest(float(times[event]) + seconds) - float(times[event])
        for event, each in limits.items()
    ]
    return min(shifts, key=abs, default=0.0)


def nearest_target(
    held: LadderDrag, handles: LadderHandles, view: TapeView, mouse: Point
) -> Target | None:
    """The place to land that is nearest to the mouse on the ladder.

    Args:
        held: a throw that is dragged.
        handles: of the ladder as it is now.
        view: where that is.
        mouse: its place, [pixels].
    """

    def away(target: Target) -> float:
        end, y = target_place(target, held, handles, view)
        begin = held.view.across_to(target.begin, held.lap)
        return math.hypot(mouse[0] - min(max(mouse[0], begin), end), mouse[1] - y)

    return min(held.targets, key=away, default=None)


def target_place(target: Target, held: LadderDrag, handles: LadderHandles, view: TapeView) -> Point:
    """Where a place to land is on the ladder, [pixels]; other arguments as for `nearest_target`."""
    return held.view.across_to(target.end, held.lap), view.down(handles.lines[target.hand])


def _dwell_change(before: Animation, beats: float, fine: bool) -> Change:
    """The change by which hands hold props so much longer, [beats]."""
    row = quantity_named("dwell")
    value = float(controls.value_of(before, row)) + beats
    step = _FINE_DWELL_STEP if fine else _DWELL_STEP
    value = min(max(round(value / step) * step, row.low), row.high)
    return lambda _: before.replace(dwell=value)


def _body_change(handle: BodyHandle, time: float, symmetric: bool) -> Change:
    """The change by which the key of a body comes at another time, [s]."""
    return lambda edit: edit.move_body(handle.juggler, handle.key, time=time, symmetric=symmetric)
