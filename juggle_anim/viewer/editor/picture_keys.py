"""Editing in the picture by keys: choosing, nudging and typing handles, adding and removing points,
copying paths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from juggle_anim.language import _
from juggle_anim.viewer.editor.dragging import moved_hands, nudge_step, nudged_body, typed_change
from juggle_anim.viewer.editor.editor import (
    LADDER,
    PICTURE,
    BodyHandle,
    Change,
    EditController,
    EventHandle,
)
from juggle_anim.viewer.editor.handles import BodyFrame, numbers_of, read_numbers, throw_before
from juggle_anim.viewer.editor.picture_editor import PictureEditor
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model

_OF_CHOSEN = Action.UP_FINE, Action.DOWN_FINE, Action.AWAY_FINE, Action.NEARER_FINE


@dataclass
class HandleEntry:
    """Numbers that are being typed for the chosen handle.

    Args:
        handle: it.
        text: typed so far.
        error: why the text is refused.
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
        self._model = model
        self._editor = editor
        self._picture = picture
        self.entry: HandleEntry | None = None
        self.copied: int | None = None
        """The throw from which a path was copied."""
        editor.handling[PICTURE] = self
        editor.actions[PICTURE] = {
            Action.PAGE_UP: lambda: self.nudge(0, 0, 1),
            Action.PAGE_DOWN: lambda: self.nudge(0, 0, -1),
            Action.AWAY_FINE: lambda: self.nudge(0, 0, 1, fine=True),
            Action.NEARER_FINE: lambda: self.nudge(0, 0, -1, fine=True),
            Action.UP_FINE: lambda: self.nudge(0, 1, 0, fine=True),
            Action.DOWN_FINE: lambda: self.nudge(0, -1, 0, fine=True),
        }

    @property
    def actions(self) -> dict[Action, Callable[[], object]]:
        """What keys do whether or not something is chosen."""
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
        """Choose the handle so many steps later, in the order of hands by time and then of bodies,
        cyclically.
        """
        picture = self._picture
        order = list(dict.fromkeys(point.handle for point in picture.handles.points))
        if held := picture.chosen[-1:]:
            picture.choose(order[(order.index(held[0].handle) + steps) % len(order)])
            return
        events = [point for point in picture.handles.points if point.hand >= 0]
        picture.choose(
            min(events, key=lambda point: abs(point.time - picture.time)).handle
            if events
            else order[0]
        )

    def move(self, right: int, up: int, fine: bool) -> None:
        """Move the chosen handles by a step as the camera sees it.

        Hands go by 1 cm, or finely by 1 mm; bodies over the floor by 20 cm, or by 1 cm.
        """
        self.nudge(right, up, 0, fine)

    def nudge(self, right: int, up: int, away: int, fine: bool = False) -> None:
        """Move the chosen handles as `move` does, or away; bodies turn to the left instead, by 90°
        or 5°.
        """
        picture = self._picture
        keys = (right, up, away)
        if not picture.chosen:
            return
        point = picture.chosen[-1]
        frame = BodyFrame.of(picture.animation, point.juggler, point.time)
        if isinstance(point.handle, BodyHandle):
            picture.apply(
                nudged_body(picture.view, point, frame, keys, fine, self._editor.symmetric), "body"
            )
        else:
            step = nudge_step(picture.view, point, frame, keys, fine)
            events = picture.chosen_events
            symmetric = self._editor.symmetric
            picture.apply(moved_hands(picture.animation, events, step, symmetric), "hand")

    def open(self) -> None:
        """Begin to type the numbers of the chosen handle."""
        if points := self._picture.chosen[-1:]:
            self.entry = HandleEntry(
                points[0].handle, numbers_of(self._picture.animation, points[0])
            )

    def apply_entry(self, text: str) -> None:
        """Use the typed numbers; if they are refused, say why and keep asking."""
        entry = self.entry
        self.entry = None
        picture = self._picture
        point = picture.handles.find(entry.handle) if entry else None
        if point is None:
            return
        numbers = read_numbers(text, point)
        error = ""
        if isinstance(numbers, str):
            error = numbers
        else:
            change = typed_change(picture.animation, point, numbers, self._editor.symmetric)
            picture.apply(change, "typed numbers")
            error = self._model.error
        if error:
            self.entry = HandleEntry(point.handle, text, error)

    def add_point(self) -> None:
        """Add a point to the path of the chosen hand, where the hand is now."""
        picture = self._picture
        hands = [point.hand for point in picture.chosen if point.hand >= 0]
        picture.add_point(
            hands[-1] if hands else 2 * picture.jugglers[0] + self._model.arm.side, picture.time
        )

    def remove(self) -> None:
        """Remove the chosen points of hands."""
        points = [point for point in self._picture.chosen if point.event >= 0]
        for point in points:
            # Each may have gone with another one, whose image it was, and numbers change.
            now = self._picture.at_time(point)
            if now is not None and not self._picture.apply(
                _remove(now.event, self._editor.symmetric), "remove point"
            ):
                return
        self._editor.selection = ()

    def copy(self) -> None:
        """Remember the path of the chosen hand, from the throw before the handle to the next."""
        if events := self._picture.chosen_events:
            self.copied = throw_before(self._picture.animation, events[-1])
            self._model.notice.say(
                _("Copied this hand's path from throw to throw; choose where to paste it")
            )

    def paste(self) -> None:
        """Let the chosen hand go as the copied one did, mirrored if it is the other one."""
        copied = self.copied
        events = self._picture.chosen_events
        if copied is None:
            self._model.notice.say(_("No path of a hand is copied yet"))
        elif events:
            symmetric = self._editor.symmetric
            target = throw_before(self._picture.animation, events[-1])
            self._picture.apply(
                lambda editor: editor.copy_path(copied, target, symmetric=symmetric), "paste path"
            )

    def _switch_place(self) -> None:
        """Choose by keys among the handles of the picture, or of the ladder."""
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
            _("{key} begins to edit by hand; then choose a handle", key=caption(Action.EDIT))
        )

    def _toggle_symmetric(self) -> None:
        self._editor.symmetric = not self._editor.symmetric
        self._model.notice.say(
            _("Mirror images move along")
            if self._editor.symmetric
            else _("Only what is chosen moves, not its mirror images")
        )


def _remove(event: int, symmetric: bool) -> Change:
    return lambda editor: editor.remove_point(event, symmetric)
