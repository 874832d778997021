"""Editing in the picture: handles of hands and bodies are chosen, dragged, nudged and typed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats
from juggle_anim.edit_menu import Change
from juggle_anim.editing.limits import event_at
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene import Camera
from juggle_anim.viewer.editor.dragging import (
    Drag,
    KeyStep,
    View,
    depth_arrow,
    dragged_body,
    dragged_hand,
    hands_change,
    nudge_step,
    nudged_body,
    typed_change,
)
from juggle_anim.viewer.editor.editor import (
    LADDER,
    PICTURE,
    BodyHandle,
    EditController,
    EventHandle,
    Handle,
    carried_over,
)
from juggle_anim.viewer.editor.handles import (
    REACH,
    BodyFrame,
    HandlePoint,
    PictureHandles,
    hand_paths,
    nearest_on_paths,
    numbers_of,
    picture_handles,
    read_numbers,
    throw_before,
)
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model

_CLICK_DISTANCE = 3.0  # pixels at scale 1 that the mouse may move in a click
_TIME_TOLERANCE = 1e-6  # s, between an event and the same one in a changed pattern
_MOVEMENT_TOLERANCE = 1e-9  # m or rad; what differs by less has not moved
_QUICK_STEP = 0.004  # s; for each such time that a step of a drag takes, a picture skips steps
_MAX_SKIPPED = 2  # pictures without a step
_MAX_JUGGLERS = 2  # of more, only the juggler that was chosen last has handles at the hands


class _Shown(NamedTuple):
    """What the picture shows for editing.

    Attributes:
        animation: that is edited.
        jugglers: those whose hands have handles.
        handles: of these hands, and of all bodies.
        paths: of these hands, each shape (T, 3), in the world, [m].
    """

    animation: Animation
    jugglers: tuple[int, ...]
    handles: PictureHandles
    paths: list[Floats]


class PictureEditor:
    """Chooses and drags handles in the picture.

    Args:
        model: whose pattern is edited.
        editor: makes the changes.
    """

    def __init__(self, model: Model, editor: EditController) -> None:
        """Begin with nothing hovered or dragged."""
        self._model = model
        self._editor = editor
        self.view = View(
            Camera((0.0, 1.0, 5.0), (0.0, 1.0, 0.0)), Rectangle(0.0, 0.0, 1.0, 1.0), 1.0
        )
        """The picture with handles, as it was drawn last."""
        self.is_drawn = False
        """Whether handles are drawn; only then the mouse acts on them."""
        self.hovered: HandlePoint | None = None
        """The handle that the mouse is on."""
        self.guides: dict[int, str] = {}
        """As in `Snapped`, of the present drag."""
        self.band: tuple[tuple[float, float], tuple[float, float]] | None = None
        """Two corners of a frame that is drawn around handles, [pixels]."""
        self.arrow_hovered = False
        """Whether the mouse is on the arrow that drags in depth."""
        self.dragged: Drag | None = None
        self._frames_to_skip = 0  # frames before the next step of a drag
        # The next step of a drag: calls `drag` with the latest place of the mouse.
        self._next_step: Callable[[], None] | None = None
        self._juggler = 0  # the juggler of the handle that was chosen last
        # The animation and what was chosen when the drag began.
        self._start: tuple[Animation, tuple[Handle, ...]] = (model.animation, ())
        self._cached: _Shown | None = None

    @property
    def animation(self) -> Animation:
        """What is edited."""
        return self._model.animation

    @property
    def time(self) -> float:
        """The time of the picture in the loop, [s]."""
        return self._model.playback.time % self.animation.choreography.duration

    @property
    def jugglers(self) -> tuple[int, ...]:
        """The jugglers whose hands have handles."""
        count = self.animation.jugglers
        return tuple(range(count)) if count <= _MAX_JUGGLERS else (min(self._juggler, count - 1),)

    @property
    def handles(self) -> PictureHandles:
        """The handles that are shown."""
        return self._shown().handles

    @property
    def paths(self) -> list[Floats]:
        """The paths of hands that are shown, each shape (T, 3), in the world, [m]."""
        return self._shown().paths

    def _shown(self) -> _Shown:
        """Return what is shown, cached until the animation or the jugglers change."""
        animation = self.animation
        jugglers = self.jugglers
        cached = self._cached
        if cached is None or cached.animation is not animation or cached.jugglers != jugglers:
            handles = picture_handles(animation, jugglers)
            cached = _Shown(animation, jugglers, handles, hand_paths(animation, jugglers))
            self._cached = cached
        return cached

    @property
    def chosen(self) -> list[HandlePoint]:
        """The handles that are chosen and shown; bodies by their rings."""
        points = (self.handles.find(handle) for handle in self._editor.selection)
        return [point for point in points if point]

    @property
    def now(self) -> HandlePoint | None:
        """The handle that is dragged, as the drag has changed it; None without a drag.

        A change may renumber events, so that of a hand is found by its hand and time.
        """
        drag = self.dragged
        if drag is None:
            return None
        point = drag.point
        if not point.is_of_hand:
            return self.handles.find(point.handle, point.mark)
        event = event_at(self.animation.choreography, point.hand, point.time)
        return self.handles.find(EventHandle(event))

    def at_time(self, point: HandlePoint) -> HandlePoint | None:
        """Return a handle of a hand as it is numbered now; None if it no longer exists.

        A change may renumber events. It is found by its hand, its time and its mark.

        Args:
            point: the handle as it was before the change.
        """
        animation = self.animation
        event = event_at(animation.choreography, point.hand, point.time)
        # `event_at` returns the event of the hand that is nearest in time, which may be another.
        nearest = self.handles.find(EventHandle(event))
        if nearest is None or nearest.mark is not point.mark:
            return None
        return nearest if abs(nearest.time - point.time) < _TIME_TOLERANCE else None

    @property
    def lit(self) -> HandlePoint | None:
        """The handle that is dragged, or else that the mouse is on."""
        return self.now if self.dragged and self.dragged.has_moved else self.hovered

    @property
    def chosen_events(self) -> list[int]:
        """The events that are chosen and shown."""
        return [
            point.handle.event for point in self.chosen if isinstance(point.handle, EventHandle)
        ]

    @property
    def moved_along(self) -> int:
        """Number of mirror images that move along with what is dragged; 0 outside a drag.

        That is how many events have moved that are not dragged themselves, or of a body, how many
        other keys of bodies.
        """
        start, dragged = self._start
        drag = self.dragged
        before = start.choreography
        now = self.animation.choreography
        # Rows of events are compared before and after. If a change has inserted or removed some,
        # the same row is another event, so that nothing can be told.
        if drag is None or len(now.events.time) != len(before.events.time):
            return 0
        if not drag.point.is_of_hand:
            # Keys have moved if their place or their heading differs. One key is dragged at a time,
            # which is taken off.
            steps = now.bodies.position - before.bodies.position
            turns = now.bodies.facing - before.bodies.facing
            movements = np.abs(np.column_stack([steps, turns])).max(axis=1)
            return int((movements > _MOVEMENT_TOLERANCE).sum()) - 1
        dragged_events = {handle.event for handle in dragged if isinstance(handle, EventHandle)}
        movements = np.abs(now.events.position - before.events.position).max(axis=1)
        moved = np.flatnonzero(movements > _MOVEMENT_TOLERANCE).tolist()
        return len(set(moved) - dragged_events)

    def hover(self, x: float, y: float, *, is_over_picture: bool) -> None:
        """Note which handle the mouse is on; during a drag that does not change.

        Args:
            x, y: of the mouse, [pixels].
            is_over_picture: whether no card is under it.
        """
        if self._editor.is_dragging:
            return
        index = self._index_at(x, y) if is_over_picture else None
        self.hovered = None if index is None else self.handles.points[index]
        self.arrow_hovered = is_over_picture and self.on_arrow(x, y)

    def stack_of(self, point: HandlePoint) -> list[HandlePoint]:
        """Return the handles of hands that are seen at the place of one, itself among them.

        They are in the order of events. For a handle of a body, or one that is no longer shown, it
        is that handle alone.
        """
        handles = self.handles
        if not point.is_of_hand or point not in handles.points:
            return [point]
        index = handles.points.index(point)
        stack = handles.stack(index, self.view.to_window(handles.places), self.view.scale)
        return [handles.points[neighbour] for neighbour in stack]

    def arrow(self) -> Floats | None:
        """Return the tail and tip of the arrow that drags a hand in depth, shape (2, 2), [pixels].

        None unless exactly one handle is chosen, and that is of a hand.
        """
        chosen = self.chosen
        if len(chosen) != 1 or not chosen[0].is_of_hand:
            return None
        (point,) = chosen
        axes = BodyFrame.from_animation(self.animation, point.juggler, point.time).axes
        return depth_arrow(np.array(point.place), axes, self.view)

    def on_arrow(self, x: float, y: float) -> bool:
        """Whether a point of the window is on the tip of that arrow, [pixels]."""
        arrow = self.arrow()
        return arrow is not None and math.dist(arrow[1], (x, y)) <= REACH * self.view.scale

    def press(self, x: float, y: float, *, adds: bool = False) -> bool:
        """Take hold of a handle or begin a frame around handles, as the mouse goes down.

        Args:
            x, y: of the mouse, [pixels].
            adds: whether the handle is added to the selection, or taken out of it if it was chosen.
                Beside handles, whether a frame begins.

        Returns:
            Whether the press is used. If not, the caller may let it turn the camera.
        """
        if not (self.is_drawn and self._editor.shown and self.view.place.covers(x, y)):
            return False
        # The arrow of depth comes first, as its tip may cover handles.
        if self.on_arrow(x, y):
            self.dragged = self._new_drag(self.chosen[0], x, y, by_arrow=True)
            return True
        index = self._index_at(x, y)
        if index is None:
            self.band = ((x, y), (x, y)) if adds else None
            return adds
        point = self.handles.points[index]
        selection = self._editor.selection
        was_chosen = point.handle in selection
        if adds and was_chosen:
            self.choose(*(handle for handle in selection if handle != point.handle))
            return True
        # A press on a chosen handle keeps the selection, as it may begin a drag of all of it. A
        # press on another one replaces the selection, unless it adds to it. `choose` drops the
        # duplicate where the handle is in the selection already.
        self.choose(*(selection if adds or was_chosen else ()), point.handle)
        self.dragged = self._new_drag(point, x, y, was_chosen=was_chosen)
        return True

    def aim(self, x: float, y: float, *, in_depth: bool = False, snaps: bool = True) -> None:
        """Note where the mouse is while it is down; the next picture drags there as `drag` does."""
        self._next_step = partial(self.drag, x, y, in_depth=in_depth, snaps=snaps)

    def follow(self, last: bool = False) -> None:
        """Let what is dragged follow the mouse, by at most one step in each frame.

        Called in every frame. After a step that took long, up to `_MAX_SKIPPED` frames pass before
        the next one, so that pictures stay smooth.

        Args:
            last: whether the drag ends: then the step is made even if a frame was to be skipped.
        """
        if self._next_step is None:  # the mouse has not moved
            return
        if self._frames_to_skip > 0 and not last:
            self._frames_to_skip -= 1
            return
        make_step = self._next_step
        self._next_step = None
        began = perf_counter()
        make_step()
        self._frames_to_skip = min(int((perf_counter() - began) / _QUICK_STEP), _MAX_SKIPPED)

    def drag(self, x: float, y: float, *, in_depth: bool = False, snaps: bool = True) -> None:
        """Move what is dragged to the mouse, or the corner of a frame around handles.

        Does nothing before `press`, or before the mouse has moved farther than in a click.

        Args:
            x, y: of the mouse, which is down, [pixels].
            in_depth: whether a hand is dragged along the axis of depth, and not in the plane.
            snaps: whether places snap, as in `dragged_hand` and `dragged_body`.
        """
        if self.band:
            pressed_corner, _corner = self.band
            self.band = pressed_corner, (x, y)
        drag = self.dragged
        if drag is None:
            return
        is_body = not drag.point.is_of_hand
        if not drag.has_moved:
            if math.dist(drag.mouse, (x, y)) <= _CLICK_DISTANCE * self.view.scale:
                return  # still a click
            drag.has_moved = True
            drag.in_depth = (in_depth or drag.by_arrow) and not is_body
            self._editor.begin_drag("body" if is_body else "hand")
            self._start = self.animation, self._editor.selection
        elif not self._editor.is_dragging:
            self.dragged = None  # a key has cancelled the drag while the mouse is still down
            return

        in_depth = in_depth or drag.by_arrow
        if in_depth != drag.in_depth and not is_body:
            # Depth was switched on or off. Both kinds of drag measure from where they began, so the
            # drag begins anew from the present place of hand and mouse.
            if now := self.now:
                drag.place = np.array(now.place)
            drag.mouse = (x, y)
            drag.in_depth = in_depth

        # Each step changes the animation as it was when the drag began, so that steps do not add
        # up; the selection at that time names its events.
        start, start_selection = self._start
        symmetric = self._editor.symmetric
        if is_body:
            change = dragged_body(drag, (x, y), self.view, snaps=snaps, symmetric=symmetric)
        else:
            step, self.guides = dragged_hand(drag, (x, y), self.view, start, snaps=snaps)
            events = [handle.event for handle in start_selection if isinstance(handle, EventHandle)]
            change = hands_change(start, events, step, symmetric=symmetric)
        if change is not None:
            self._editor.drag(change)
            self._editor.selection = carried_over(start, start_selection, self.animation)

    def release(self) -> None:
        """Keep what was dragged, or choose what is in the frame, as the mouse comes up."""
        self.follow(last=True)
        drag = self.dragged
        self.dragged = None
        band = self.band
        self.band = None
        self.guides = {}
        if band:
            self._choose_within(*band)
        elif drag and drag.has_moved:
            self._editor.end_drag()
        elif drag and drag.was_chosen and len(self._editor.selection) == 1:
            # A click on the only chosen handle chooses the next one at the same place, so that all
            # handles that cover one another can be reached.
            stack = self.stack_of(drag.point)
            self.choose(stack[(stack.index(drag.point) + 1) % len(stack)].handle)

    def choose(self, *handles: Handle) -> None:
        """Choose handles and no others, in this order; of duplicates the first counts."""
        self._editor.selection = tuple(dict.fromkeys(handles))
        self._editor.place = PICTURE
        if (last := next(iter(reversed(self._editor.selection)), None)) is not None:
            self._juggler = self._juggler_of(last)

    def add_point_at(self, x: float, y: float) -> bool:
        """Add a point to the path of a hand that is drawn at a place of the window.

        Args:
            x, y: of the place, [pixels].

        Returns:
            Whether there is a path in reach and a point could be added to it.
        """
        paths = [self.view.to_window(path) for path in self.paths]
        nearest = nearest_on_paths(paths, x, y, REACH * self.view.scale)
        if nearest is None:
            return False
        # Paths are those of the left and right hand of each shown juggler in turn.
        index, phase = nearest
        juggler_index, side = divmod(index, 2)
        hand = 2 * self.jugglers[juggler_index] + side
        return self.add_point(hand, phase * self.animation.choreography.duration)

    def add_point(self, hand: int, time: float) -> bool:
        """Add a point to a hand's path at a time, [s]; return whether that was legal."""
        symmetric = self._editor.symmetric
        if not self.apply(
            lambda editor: editor.add_point(hand, time, symmetric=symmetric), "add point"
        ):
            return False
        self.choose(EventHandle(event_at(self.animation.choreography, hand, time)))
        return True

    def apply(self, change: Change, name: str) -> bool:
        """Make a change as `EditController.apply` does; what is chosen stays chosen."""
        before = self.animation
        chosen = self._editor.selection
        done = self._editor.apply(change, name)
        self._editor.selection = carried_over(before, chosen, self.animation)
        return done

    def _new_drag(self, point: HandlePoint, x: float, y: float, **flags: bool) -> Drag:
        frame = BodyFrame.from_animation(self.animation, point.juggler, point.time)
        place = np.array(point.place)
        normal = self.view.drag_normal(frame.axes, place)
        return Drag(point, frame, mouse=(x, y), place=place, normal=normal, **flags)

    def _index_at(self, x: float, y: float) -> int | None:
        handles = self.handles
        return handles.at(
            x, y, self.view.to_window, self.view.scale, self._editor.selection, self.time
        )

    def _choose_within(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        """Add all handles of hands in a frame to the selection.

        Args:
            one, other: opposite corners of the frame, [pixels].
        """
        corners = np.array([one, other])
        self.choose(*self._editor.selection, *self.handles.within(corners, self.view.to_window))

    def _juggler_of(self, handle: Handle) -> int:
        if isinstance(handle, BodyHandle):
            return handle.juggler
        if isinstance(handle, EventHandle) and handle.event < len(
            self.animation.choreography.events.hand
        ):
            return int(self.animation.choreography.events.hand[handle.event]) // 2
        return self._juggler


_OF_CHOSEN = Action.UP_FINE, Action.DOWN_FINE, Action.AWAY_FINE, Action.NEARER_FINE


@dataclass
class HandleEntry:
    """Numbers that are being typed for the chosen handle.

    Args:
        handle: the chosen handle.
        text: typed so far.
        error: why the text is refused; empty if it is not.
        wants_focus: whether the field takes the keyboard when it is next drawn.
    """

    handle: EventHandle | BodyHandle
    text: str
    error: str = ""
    wants_focus: bool = True


class PictureKeys:
    """What keys do with handles in the picture.

    Args:
        model: whose pattern is edited.
        editor: makes the changes.
        picture: holds the handles.
    """

    def __init__(self, model: Model, editor: EditController, picture: PictureEditor) -> None:
        """Register what keys do with handles in the picture."""
        self._model = model
        self._editor = editor
        self._picture = picture
        self.entry: HandleEntry | None = None
        self.copied: int | None = None
        """The throw from which a path was copied."""
        # The editor calls these while keys act on the picture.
        editor.handling[PICTURE] = self
        editor.actions[PICTURE] = {
            Action.PAGE_UP: lambda: self.nudge(away=1),
            Action.PAGE_DOWN: lambda: self.nudge(away=-1),
            Action.AWAY_FINE: lambda: self.nudge(away=1, fine=True),
            Action.NEARER_FINE: lambda: self.nudge(away=-1, fine=True),
            Action.UP_FINE: lambda: self.nudge(up=1, fine=True),
            Action.DOWN_FINE: lambda: self.nudge(up=-1, fine=True),
        }

    @property
    def actions(self) -> dict[Action, Callable[[], object]]:
        """Handlers of the window's actions about handles in the picture.

        Some need a chosen handle. While one is chosen, the editor performs these before the window
        does; if they come here, none is, and a notice says how to choose one.
        """
        return {
            Action.HANDLE_PLACE: self._switch_place,
            Action.ADD_POINT: lambda: self._if_shown(self.add_point),
            Action.REMOVE_POINT: lambda: self._if_shown(self.remove),
            Action.SYMMETRIC: lambda: self._if_shown(self._toggle_symmetric),
            Action.COPY_PATH: lambda: self._if_shown(self.copy),
            Action.PASTE_PATH: lambda: self._if_shown(self.paste),
            **dict.fromkeys(_OF_CHOSEN, self._say_how),
        }

    def step(self, steps: int) -> None:
        """Choose the handle a number of steps later, cyclically.

        Handles of hands come first, in the order of events, and then those of bodies. While none is
        chosen, the number of steps does not matter: it is the handle of a hand whose time is
        nearest to that of the picture, or without hands the first body.

        Args:
            steps: positive for later handles, negative for earlier ones.
        """
        picture = self._picture
        points = picture.handles.points
        # A body has two points, its ring and its arrow, but one handle.
        handles = list(dict.fromkeys(point.handle for point in points))
        if picture.chosen:
            last_chosen = picture.chosen[-1].handle
            picture.choose(handles[(handles.index(last_chosen) + steps) % len(handles)])
            return
        hand_points = [point for point in points if point.is_of_hand]
        if hand_points:
            nearest = min(hand_points, key=lambda point: abs(point.time - picture.time))
            picture.choose(nearest.handle)
        else:
            picture.choose(handles[0])

    def move(self, right: int, up: int, *, fine: bool) -> None:
        """Move the chosen handles by a step as the camera sees it.

        Args:
            right, up: signs of the step; one of them is not 0.
            fine: whether hands move by 1 mm and not 1 cm, and bodies, over the floor, by 1 cm and
                not 20 cm.
        """
        self.nudge(right, up, away=0, fine=fine)

    def nudge(self, right: int = 0, up: int = 0, away: int = 0, *, fine: bool = False) -> None:
        """Move the chosen handles by a step to the right, up or away, as the camera sees it.

        Bodies turn to the left instead of moving away, by 90° or 5°.

        Args:
            right, up, away: signs of the step; exactly one of them is not 0.
            fine: whether the step is a small one.
        """
        picture = self._picture
        key = KeyStep(right, up, away)
        if not picture.chosen:
            return
        # The handle that was chosen last decides: a body is moved alone; the step of a hand, along
        # an axis of its body, moves all chosen hands.
        point = picture.chosen[-1]
        frame = BodyFrame.from_animation(picture.animation, point.juggler, point.time)
        symmetric = self._editor.symmetric
        if isinstance(point.handle, BodyHandle):
            change = nudged_body(picture.view, point, frame, key, fine=fine, symmetric=symmetric)
            picture.apply(change, "body")
        else:
            step = nudge_step(picture.view, point, frame, key, fine=fine)
            events = picture.chosen_events
            change = hands_change(picture.animation, events, step, symmetric=symmetric)
            picture.apply(change, "hand")

    def open(self) -> None:
        """Begin to type the numbers of the chosen handle."""
        if chosen := self._picture.chosen:
            last = chosen[-1]
            self.entry = HandleEntry(last.handle, numbers_of(self._picture.animation, last))

    def apply_entry(self, text: str) -> None:
        """Move the handle to the typed numbers, and close the field.

        If the numbers are refused, the field stays open with the text and the reason.

        Args:
            text: as typed.
        """
        entry = self.entry
        self.entry = None
        picture = self._picture
        point = picture.handles.find(entry.handle) if entry else None
        if point is None:  # an edit has removed the handle
            return
        numbers = read_numbers(text, point)
        error = ""
        if isinstance(numbers, str):  # why they cannot be read
            error = numbers
        else:
            change = typed_change(
                picture.animation, point, numbers, symmetric=self._editor.symmetric
            )
            picture.apply(change, "typed numbers")
            error = self._model.error
        if error:
            self.entry = HandleEntry(point.handle, text, error)

    def add_point(self) -> None:
        """Add a point to the path of the hand that was chosen last, where the hand is now.

        If no hand is chosen, it is the hand of the first shown juggler on the side that the model
        has for the arm.
        """
        picture = self._picture
        hands = [point.hand for point in picture.chosen if point.is_of_hand]
        picture.add_point(
            hands[-1] if hands else 2 * picture.jugglers[0] + self._model.arm.side, picture.time
        )

    def remove(self) -> None:
        """Remove the chosen points of hands; the selection is empty afterwards.

        If one cannot be removed, those after it stay, and the model says why.
        """
        points = [point for point in self._picture.chosen if point.is_of_hand]
        for point in points:
            # Each removal renumbers events, and may have removed this point already, as the mirror
            # image of another.
            now = self._picture.at_time(point)
            if now is not None and not self._picture.apply(
                _remove(now.event, symmetric=self._editor.symmetric), "remove point"
            ):
                return
        self._editor.selection = ()

    def copy(self) -> None:
        """Remember the path of the chosen hand, from the throw before the event to the next throw.

        Only the number of the first throw is kept.
        """
        if events := self._picture.chosen_events:
            self.copied = throw_before(self._picture.animation, events[-1])
            self._model.notice.say(
                _("Copied this hand's path from throw to throw; select a hand and paste")
            )

    def paste(self) -> None:
        """Let the chosen hand follow the copied path, mirrored if copied from the other hand.

        The path begins at the last throw of the chosen hand up to the chosen event. Without a
        copied path a notice says so; without a chosen event nothing is done.
        """
        copied = self.copied
        events = self._picture.chosen_events
        if copied is None:
            self._model.notice.say(_("Copy a hand's path first"))
        elif events:
            symmetric = self._editor.symmetric
            target = throw_before(self._picture.animation, events[-1])
            self._picture.apply(
                lambda editor: editor.copy_path(copied, target, symmetric=symmetric), "paste path"
            )

    def _switch_place(self) -> None:
        """Let keys choose among the handles of the picture instead of the ladder, or back.

        Shows handles if they are hidden. Events have handles in both places, so that they stay
        chosen; anything else is let go, and in the picture a first handle is chosen.
        """
        if not self._editor.shown:
            self._editor.toggle()
        self._editor.place = LADDER if self._editor.place == PICTURE else PICTURE
        if not self._picture.chosen_events:
            self._editor.selection = ()
        if self._editor.place == PICTURE and not self._editor.selection:
            self.step(1)

    def _if_shown(self, act: Callable[[], object]) -> None:
        if self._editor.shown:
            act()
        else:
            self._say_how()

    def _say_how(self) -> None:
        self._model.notice.say(
            _("Press {key} to edit, then select a handle", key=caption(Action.EDIT))
        )

    def _toggle_symmetric(self) -> None:
        self._editor.symmetric = not self._editor.symmetric
        self._model.notice.say(
            _("Mirror images move too")
            if self._editor.symmetric
            else _("Only the selection moves, not its mirror images")
        )


def _remove(event: int, *, symmetric: bool) -> Change:
    return lambda editor: editor.remove_point(event, symmetric)
