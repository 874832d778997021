"""Editing by hand: whether it is on, what is chosen, and changes, of which a drag makes many for one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
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
        self._settling: _Settling | None = None
        self._name = ""

    @property
    def is_dragging(self) -> bool:
        """Whether a handle is being dragged."""
        return self._dragged is not None

    @property
    def is_settling(self) -> bool:
        """Whether what was dragged still has bodies that are not planned."""
        return self._settling is not None

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
        """Let the pattern be as it was when the drag began, but for a change; a refused change leaves the last one.

        It is a draft that is quickly made: see `Animation.drafted`.
        """
        if (start := self._dragged) is not None:
            self._model.change(lambda _: change(start.edit()).drafted(start), self._name)

    def end_drag(self) -> None:
        """Keep what was dragged, as one step of undo; a thread plans its bodies, and pictures show that when ready."""
        start, self._dragged = self._dragged, None
        self._model.undo.seal()
        if start is not None and self._model.animation is not start:
            self._settling = _Settling(self._model.animation)
            if self._model.live.beside:
                self._settling.start()
            else:
                self._settling.run()
                self.update()

    def update(self) -> bool:
        """Show what was dragged with its bodies planned, as soon as that is done.

        Returns:
            Whether pictures change.
        """
        job = self._settling
        if job is None or job.is_alive() or self.is_dragging:
            return False
        self._settling, model = None, self._model
        if vars(model.animation).get("plan") is not job.draft.plan:
            return False
        if model.animation is job.draft:
            model.take(job.settled, model.text)
        else:
            # It was recoloured, or the like, in the meantime.
            self._settling = _Settling(model.animation)
            self._settling.start()
        return True

    def cancel_drag(self) -> None:
        """Let everything be as it was when the drag began."""
        if (start := self._dragged) is not None:
            self._model.change(lambda _: start, self._name)
            self.end_drag()


class _Settling(Thread):
    """Makes the animation of a draft, with all that pictures need first."""

    def __init__(self, draft: Animation) -> None:
        super().__init__(name="settling", daemon=True)
        self.draft, self.settled = draft, Animation(draft.score, draft.parameters)

    def run(self) -> None:
        settled = self.settled
        settled.plan, settled.extent, settled.gaps  # noqa: B018 - cached
