"""Editing by hand: whether it is on, what is chosen, and changes, of which a drag makes many for one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.editing.editor import Editor
from juggle_anim.viewer.state.model import Model


class EventHandle(NamedTuple):
    """A throw or catch of a hand, or a point of its path: a row of `choreography.events`."""

    event: int


class ThrowHandle(NamedTuple):
    """A throw of the full loop, by its number."""

    throw: int


class BodyHandle(NamedTuple):
    """A keyframe of a body: the juggler, and the number of the keyframe among this juggler's."""

    juggler: int
    key: int


Handle = EventHandle | ThrowHandle | BodyHandle

Change = Callable[[Editor[Animation]], Animation]
"""Calls one operation of an editor."""


class EditController:
    """Changes the pattern of a model by hand.

    Args:
        model: whose pattern is changed.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.shown = False
        """Whether handles are shown."""
        self.symmetric = True
        """Whether the mirror images of what is moved move along."""
        self.selection: tuple[Handle, ...] = ()
        self._dragged: Animation | None = None
        self._name = ""

    @property
    def is_dragging(self) -> bool:
        """Whether a handle is being dragged."""
        return self._dragged is not None

    def toggle(self) -> None:
        """Show handles or hide them."""
        self.shown, self.selection = not self.shown, ()

    def apply(self, change: Change, name: str) -> bool:
        """Change the pattern, as one step of undo; if the change is refused, the model says why.

        Args:
            change: what to do.
            name: of the change.

        Returns:
            Whether it was changed.
        """
        self._model.undo.seal()
        before = self._model.animation
        self._model.change(lambda animation: change(animation.edit()), f"edit: {name}")
        self._model.undo.seal()
        return self._model.animation is not before

    def begin_drag(self, name: str) -> None:
        """Begin to drag."""
        self._model.undo.seal()
        self._dragged, self._name = self._model.animation, f"edit: {name}"

    def drag(self, change: Change) -> None:
        """Let the pattern be as it was when the drag began, but for a change; a refused change leaves the last one."""
        if (start := self._dragged) is not None:
            self._model.change(lambda _: change(start.edit()), self._name)

    def end_drag(self) -> None:
        """Keep what was dragged, as one step of undo."""
        self._dragged = None
        self._model.undo.seal()

    def cancel_drag(self) -> None:
        """Let everything be as it was when the drag began."""
        if (start := self._dragged) is not None:
            self._model.change(lambda _: start, self._name)
            self.end_drag()
