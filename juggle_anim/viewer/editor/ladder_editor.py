"""Editing on the ladder: what the mouse and keys do with its handles, and what is said about
them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from juggle_anim.animation import Animation
from juggle_anim.diagrams.drawing import Point
from juggle_anim.editing.limits import TimeLimits, event_at
from juggle_anim.errors import sentence
from juggle_anim.language import _
from juggle_anim.parameters import quantity_named
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram
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
    ThrowHandle,
)
from juggle_anim.viewer.editor.ladder_handles import (
    HandleKind,
    LadderHandle,
    LadderHandles,
    TapeView,
    Target,
    landing_targets,
)
from juggle_anim.viewer.panel import controls
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model

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
