"""Editing by hand: what is chosen, how the pattern changes, the menu, and drags with undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from juggle_anim.animation import Animation
from juggle_anim.body import takes_long
from juggle_anim.edit_menu import UNCHANGED, Change, Entry
from juggle_anim.language import InLanguage
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.viewer.state.keymap import Action, Handlers
from juggle_anim.viewer.state.model import Model

if TYPE_CHECKING:
    from juggle_anim.body import BodyPlan

_LINE_STEPS = {Action.CHOOSE_PREVIOUS: -1, Action.CHOOSE_NEXT: 1}
_OPENS = (Action.TYPE_VALUE, Action.TURN_UP)
_CLOSES = (Action.BACK, Action.TURN_DOWN)


@dataclass
class EditMenu:
    """The open menu.

    Args:
        title: the title of what it is.
        lines: in it.
        place: where it was requested, [pixels].
        editor: makes the changes.
        index: the index of the chosen line.
        above: the menus from which this one was opened.
        fresh: whether the click that opened it may still be going on.
    """

    title: str
    lines: tuple[Entry, ...]
    place: tuple[float, float]
    editor: EditController
    index: int = 0
    above: list[tuple[str, tuple[Entry, ...], int]] = field(default_factory=list)
    fresh: bool = True

    def resume(self, before: EditMenu) -> None:
        """Open the submenu and choose the line that this menu had in the language before.

        A menu is built again where the language changes while it is open.

        Args:
            before: the menu in the language before, with the same lines in other words.
        """
        # Each item of `above` ends with the index of the line from which the next menu was opened.
        for _title, _lines, index in before.above:
            self.take(index)
        self.index = before.index
        self.fresh = before.fresh

    def handles(self, action: Action) -> bool:
        """Return whether a key acts on the menu."""
        return action in _LINE_STEPS or action in _OPENS or action in _CLOSES

    def perform(self, action: Action) -> None:
        """Do what a key does in the menu."""
        if action in _LINE_STEPS:
            self.index = (self.index + _LINE_STEPS[action]) % len(self.lines)
        elif action in _CLOSES:
            self.close()
        elif action is Action.TYPE_VALUE or self.lines[self.index].lines:
            self.take(self.index)

    def take(self, index: int) -> None:
        """Apply the change of a line and close the menu, or open the submenu of the line.

        A refused change does nothing; its line says why.

        Args:
            index: the index of `lines`.
        """
        line = self.lines[index]
        if line.lines:
            self.above.append((self.title, self.lines, index))
            self.title = line.words
            self.lines = line.lines
            self.index = 0
            # A line with a submenu and a result shows the present choice among options. The submenu
            # has the options: the one whose result is `UNCHANGED` is the present one.
            if line.result:
                self.index = [entry.result for entry in line.lines].index(UNCHANGED)
        elif line.change and not line.refused:
            self.editor.close_menu()
            self.editor.apply(line.change, line.words.lower())

    def close(self) -> None:
        """Go back to the menu from which this one was opened, or close it."""
        if self.above:
            self.title, self.lines, self.index = self.above.pop()
        else:
            self.editor.close_menu()


@dataclass(frozen=True)
class EventHandle:
    """A throw or catch of a hand, or a point of its path: a row of `choreography.events`."""

    event: int


@dataclass(frozen=True)
class ThrowHandle:
    """A throw: its index among the throws of the full loop, or of events among the flights."""

    throw: int


@dataclass(frozen=True)
class BodyHandle:
    """A keyframe of a body: the juggler, and the number of the keyframe among this juggler's."""

    juggler: int
    key: int


@dataclass(frozen=True)
class HoldHandle:
    """The dwell of all holds, dragged at the hold that follows one flight: the flight's index."""

    flight: int


Handle = EventHandle | ThrowHandle | BodyHandle | HoldHandle


class _Move(NamedTuple):
    """Signs of a step by which a key moves handles, and whether it is a small one."""

    right: int = 0
    up: int = 0
    fine: bool = False


_STEPS = {Action.HANDLE_BEFORE: -1, Action.HANDLE_AFTER: 1}
_MOVES = {
    Action.TURN_DOWN: _Move(right=-1),
    Action.TURN_UP: _Move(right=1),
    Action.TURN_DOWN_FINE: _Move(right=-1, fine=True),
    Action.TURN_UP_FINE: _Move(right=1, fine=True),
    Action.CHOOSE_PREVIOUS: _Move(up=1),
    Action.CHOOSE_NEXT: _Move(up=-1),
}
_OF_CHOSEN = {*_MOVES, Action.TYPE_VALUE}


class Handling(Protocol):
    """What keys do with handles in one place."""

    def step(self, steps: int) -> None:
        """Choose the handle that is a number of steps further on."""

    def move(self, right: int, up: int, *, fine: bool) -> None:
        """Move what is chosen by a step along one of two axes."""

    def open(self) -> None:
        """Open what `Enter` opens for the chosen handle."""


LADDER = "ladder"
PICTURE = "picture"
"""Places with handles."""


class EditController:
    """Changes the pattern of a model by hand.

    Args:
        model: the model whose pattern is changed.
    """

    def __init__(self, model: Model) -> None:
        """Prepare to edit by hand; no handles are shown yet.

        Handles are marks that can be dragged or moved by keys. They are in two places: the ladder
        diagram, and the picture.

        Args:
            model: state of the viewer.
        """
        self.model = model
        self.shown = False
        """Whether handles are shown."""
        self.symmetric = True
        """Whether the mirror images of what is moved move along."""
        self.selection: tuple[Handle, ...] = ()
        self.place = LADDER
        """Where handles are chosen and moved by keys: the place in which one was chosen last."""
        self._menu: InLanguage[EditMenu] | None = None
        self.handling: dict[str, Handling] = {}
        """What keys do with handles, by place; the editors of the places add themselves."""
        self.actions: dict[str, Handlers] = {}
        """What more keys do with what is chosen, by place."""
        # Of the present drag: the animation when it began, its name for undo, and its last change
        # if that was made without trying whether settings of a pattern can express it.
        self._drag_start: Animation | None = None
        self._drag_name = ""
        self._quick_change: Change | None = None
        # The provisional plan of bodies that a draft shows, and the thread that plans them fully.
        self._draft_plan: BodyPlan | None = None
        self._settling: _Settling | None = None

    @property
    def menu(self) -> EditMenu | None:
        """The open menu."""
        return self._menu.now if self._menu else None

    def open_menu(self, make: Callable[[], EditMenu]) -> None:
        """Open a menu, which is made again where the language changes meanwhile."""
        self._menu = InLanguage(make)

    def close_menu(self) -> None:
        """Close the menu."""
        self._menu = None

    @property
    def is_dragging(self) -> bool:
        """Whether a handle is being dragged."""
        return self._drag_start is not None

    @property
    def is_settling(self) -> bool:
        """Whether pictures show bodies that are being planned."""
        return self._settling is not None

    @property
    def is_in_picture(self) -> bool:
        """Whether keys act in the picture, and not on the ladder."""
        return self.place == PICTURE

    def toggle(self) -> None:
        """Show handles or hide them."""
        self.cancel_drag()
        self.shown = not self.shown
        self.selection = ()
        self.close_menu()
        self.model.editing = self.shown

    def choose(self, handle: Handle, place: str, *, adds: bool = False) -> None:
        """Select a handle, which becomes the last of `selection`.

        Args:
            handle: handle to choose.
            place: where it was clicked, `LADDER` or `PICTURE`; keys act there from now on.
            adds: whether other handles stay selected; then a handle that is selected is unselected.
        """
        others: tuple[Handle, ...] = ()
        if adds:
            others = tuple(chosen for chosen in self.selection if chosen != handle)
        is_unselected = adds and handle in self.selection
        self.selection = others if is_unselected else (*others, handle)
        self.place = place
        self.model.error = ""

    def let_go(self) -> bool:
        """Take a drag back, or else choose nothing; return whether something was let go."""
        had_any = self.is_dragging or bool(self.selection)
        self.model.error = ""
        if self.is_dragging:
            self.cancel_drag()
        else:
            self.selection = ()
        return had_any

    def handles(self, action: Action) -> bool:
        """Return whether a key acts on handles, or on their open menu, now.

        Keys that choose a handle or open the menu need shown handles; others also a chosen one.
        """
        if self.menu:
            return self.menu.handles(action)
        needs_none_chosen = action in _STEPS or action is Action.EDIT_MENU
        acts_on_chosen = action in _OF_CHOSEN or action in self.actions.get(self.place, {})
        return self.shown and (needs_none_chosen or (bool(self.selection) and acts_on_chosen))

    def perform(self, action: Action) -> None:
        """Perform the action of a key on the chosen handles, or in their open menu."""
        if self.menu:
            self.menu.perform(action)
            return
        if action is Action.EDIT_MENU:
            # Wherever a handle was chosen, its menu is that of the ladder, which has all of them.
            self.handling[LADDER].open()
            return
        # Handles are in two places, the ladder diagram and the picture. Actions that the present
        # place has added come before those that both have.
        perform_here = self.actions.get(self.place, {}).get(action)
        if perform_here is not None:
            perform_here()
            return
        handling = self.handling.get(self.place)
        if handling is None:  # the editor of that place was not made yet
            return
        if action in _STEPS:
            handling.step(_STEPS[action])
        elif action in _MOVES:
            move = _MOVES[action]
            handling.move(move.right, move.up, fine=move.fine)
        elif action is Action.TYPE_VALUE:
            handling.open()

    def apply(self, change: Change, name: str, *, merges_undo: bool = False) -> bool:
        """Change the pattern, as one step of undo; if the change is refused, the model says why.

        Args:
            change: makes the changed animation from an editor of the present one.
            name: the name of the change, for undo.
            merges_undo: whether changes of one name are merged into one step of undo, as those of a
                key that is held down, until it is released.

        Returns:
            Whether the pattern has changed.
        """
        if not merges_undo:
            self.model.undo.end_step()
        before = self.model.animation
        self._change_model(lambda animation: change(animation.edit()), f"edit: {name}")
        if not merges_undo:
            self.model.undo.end_step()
        self.selection = carried_over(before, self.selection, self.model.animation)
        return self.model.animation is not before

    def _change_model(self, make: Callable[[Animation], Animation], name: str) -> None:
        """Change the animation; the picture stays at the same beat, even if the tempo changes.

        Args:
            make: returns the new animation from the old.
            name: the name of the change, for undo.
        """
        model = self.model
        beats = 0.0  # since the start of the pattern

        def changed(animation: Animation) -> Animation:
            # The beats are read in here, and not before: `model.change` may first switch to a
            # pattern that was about to follow, which has another clock.
            nonlocal beats
            beats = model.playback.time * animation.choreography.bps
            return make(animation)

        before = model.animation
        model.change(changed, name)
        if model.animation is not before and not model.error:
            model.playback.time = beats / model.animation.choreography.bps

    def begin_drag(self, name: str) -> None:
        """Begin to drag."""
        self.model.undo.end_step()
        self._drag_start = self.model.animation
        self._drag_name = f"edit: {name}"
        self._quick_change = None

    def drag(self, change: Change) -> None:
        """Show the result of a change to the pattern as it was when the drag began.

        Each step of a drag is a change from the start of the drag to the present position of the
        mouse. The result is a draft, an animation that is made quickly, as its bodies move as they
        did before the drag (`Animation.drafted`). If the change is refused, the result of the step
        before stays.

        Args:
            change: changes an editor of the pattern.
        """
        start = self._drag_start
        if start is None:  # the drag was taken back
            return
        edit = start.edit()
        # A changed pattern is written in settings if these can express it, and otherwise as events.
        # To try settings takes time, so once a drag has made events, its next steps make events
        # without trying; `end_drag` tries once more.
        present = self.model.animation
        is_made_of_events = present is not start and present.pattern is None
        if is_made_of_events:
            edit = edit.without_settings()
        self._change_model(lambda _: change(edit).drafted(start), self._drag_name)
        if not self.model.error:
            self._quick_change = change if is_made_of_events else None

    def end_drag(self) -> None:
        """Finish the drag, whose result becomes one step of undo.

        During the drag the model shows a draft, in which bodies move as before the drag. Now a
        thread plans the bodies of the result, and pictures show these when they are ready.
        """
        start = self._drag_start
        change = self._quick_change
        self._drag_start = self._quick_change = None
        if start is None:  # the drag was taken back
            return
        if change:
            # To be quick, the last step of the drag made timed events without trying whether
            # settings of a pattern can express its change. The change is made again to the
            # animation at the start of the drag, now with settings tried. It replaces the draft.
            self._change_model(lambda _draft: change(start.edit()).drafted(start), self._drag_name)
        # Later changes are another step of undo.
        self.model.undo.end_step()
        # If the animation is still that of the start, nothing was changed.
        if self.model.animation is not start:
            self._draft_plan = self.model.animation.plan
            self._settling = _Settling(self.model)
            if self.model.live.in_background:
                self._settling.start()
            else:
                # Threads are switched off, so plan here and show the result at once.
                self._settling.run()
                self.update()

    def update(self) -> bool:
        """Replace a draft by the animation with planned bodies, once a thread has planned them.

        A draft is an animation with provisional bodies. The result of a drag has those from before
        the drag; another pattern whose bodies take long to plan has them in a neutral posture (at
        ease). Called in every frame.

        Returns:
            Whether pictures are to be drawn again.
        """
        if self.is_dragging:
            return False
        model = self.model
        # A pattern that was not dragged may need a draft, too.
        shows_new_draft = self._needs_draft
        if shows_new_draft:
            model.take(model.animation.at_ease(), model.text)
            self._draft_plan = model.animation.plan
        job = self._settling
        if job and job.is_alive():
            return shows_new_draft
        self._settling = None
        # The thread has finished, or none was started for this draft yet. If what is shown does not
        # have the plan of the draft, it is another pattern by now, and the result is dropped.
        # `vars` looks the cached plan up without computing it, which would take long.
        if self._draft_plan is None or vars(model.animation).get("plan") is not self._draft_plan:
            self._draft_plan = None
            return False
        settled = job.settled if job and model.animation is job.draft else None
        if settled and not model.live.unplanned_soon(settled, model.playback.time):
            model.take(settled, model.text)
        else:
            # Either no thread has planned this very draft, as when colours were changed meanwhile,
            # or the pattern has played on to a part that is not planned: start a thread.
            self._settling = _Settling(model, settled)
            self._settling.start()
        return True

    @property
    def _needs_draft(self) -> bool:
        """Whether the next picture would wait long for a plan of bodies, which a thread can make.

        A plan has the postures of all bodies over the loop. A routine that is drawn in place of the
        pattern has plans of its own.
        """
        live = self.model.live
        animation = self.model.animation
        is_planned = "plan" in vars(animation)  # looked up without computing it
        return (
            live.in_background
            and live.drawn is animation
            and not is_planned
            and takes_long(animation.motion)
        )

    def cancel_drag(self) -> None:
        """Let everything be as it was when the drag began."""
        if (start := self._drag_start) is not None:
            self._quick_change = None
            self._change_model(lambda _: start, self._drag_name)
            self.end_drag()


class _Settling(Thread):
    """Makes the animation of a draft, with all that pictures need first."""

    def __init__(self, model: Model, settled: Animation | None = None) -> None:
        """Prepare the thread, which is to plan the bodies of the animation that is shown.

        Args:
            model: shows a draft, an animation with provisional bodies, and has the time of the next
                pictures.
            settled: the same animation with a plan of its bodies that is computed in part already;
                None to begin a new one.
        """
        super().__init__(name="settling", daemon=True)
        self.draft = model.animation
        self.settled = settled or Animation(self.draft.score, self.draft.parameters)
        self._live = model.live
        self._time = model.playback.time

    def run(self) -> None:
        """Compute what pictures need; the animation caches it."""
        settled = self.settled
        # The bodies of a long loop are planned in blocks, and here only those that are shown soon,
        # as all of them may take minutes. If there are none to plan, the gaps are computed: how far
        # hands are from where the pattern wants them.
        if plan_blocks := self._live.unplanned_soon(settled, self._time):
            plan_blocks()
        else:
            settled.gaps  # noqa: B018 - cached
        settled.extent  # noqa: B018 - cached


def carried_over(
    before: Animation, chosen: tuple[Handle, ...], now: Animation
) -> tuple[Handle, ...]:
    """Return the handles of a changed animation that correspond to those of the one before.

    A change may insert or remove events, which are throws, catches and points that hands pass. So
    the handle of an event becomes that of the event of the same hand that is nearest in time. Other
    handles stay as they are.

    Args:
        before: the animation before the change.
        chosen: handles of that animation.
        now: the changed animation.

    Returns:
        Handles in the order of `chosen`, without those of hands that have no events left.
    """
    # Imported when first used: the program starts sooner.
    from juggle_anim.editing.symmetry import event_at

    if now is before:
        return chosen
    events_before = before.choreography.events
    hands_now = now.choreography.events.hand
    handles: list[Handle] = []
    for handle in chosen:
        if not isinstance(handle, EventHandle):
            handles.append(handle)  # throws and bodies keep their numbers
            continue
        # A handle of an older animation may have a number past the end.
        event = handle.event
        if event < len(events_before.hand) and events_before.hand[event] in hands_now:
            hand = int(events_before.hand[event])
            time = float(events_before.time[event])
            handles.append(EventHandle(event_at(now.choreography, hand, time)))
    return tuple(handles)
