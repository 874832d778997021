"""Which diagram is shown, and the thread that draws it beside the pictures."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.viewer.state.loop_diagram import DiagramView

if TYPE_CHECKING:
    from juggle_anim.viewer.state.loop_diagram import LoopDiagram

KINDS = ("ladder", "causal")
"""Kinds of diagrams, in the order of the key."""

DRAWING = "The diagram is being drawn …"


class Diagrams:
    """Which diagram is shown, and its drawing as soon as it is made."""

    def __init__(self) -> None:
        self.kind = ""
        """One of `KINDS`, or empty."""
        self.view = DiagramView()
        self._height = _DEFAULT_HEIGHT
        self._job: _Job | None = None
        self._done: _Job | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether a diagram is being drawn."""
        return bool(self.kind) and self._job is not None

    @property
    def card_height(self) -> float:
        """Preferred height of the card at scale 1, [pixels]; 0 if no diagram is shown."""
        return _CARD_MARGIN + self._height if self.kind else 0.0

    def show_next(self) -> None:
        """Show the first diagram, then the next, and after the last one none."""
        kinds = ("", *KINDS)
        self.show(kinds[(kinds.index(self.kind) + 1) % len(kinds)])

    def show(self, kind: str) -> None:
        """Show one of `KINDS`, or none."""
        self.kind, self.view.scrolled = kind, 0.0
        if not kind:
            self._done = None  # frees memory: a diagram of a hundred jugglers is large

    def of(self, animation: Animation) -> LoopDiagram | str:
        """The diagram of an animation, or a message.

        While a thread draws it, which may take seconds, this is the last diagram of the same pattern, if any.
        """
        if self._job and not self._job.is_alive():
            self._done, self._job = self._job, None
        current = self._done is not None and self._done.is_for(self.kind, animation)
        if not current and self._job is None:
            self._job = _Job(self.kind, animation)
            self._job.start()
        if self._done and (current or self._done.is_like(self.kind, animation)):
            self._height = self._done.height or _DEFAULT_HEIGHT
            return self._done.result
        return DRAWING


_CARD_MARGIN = 38.0  # above and below the diagram, [pixels]
_DEFAULT_HEIGHT = 130.0  # of the diagram, [pixels]


class _Job(Thread):
    """Draws a diagram."""

    def __init__(self, kind: str, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.result: LoopDiagram | str = "This diagram cannot be drawn"
        self.height = 0.0
        self._kind, self._animation = kind, animation
        self._drawn = animation.choreography, animation.palette

    def is_for(self, kind: str, animation: Animation) -> bool:
        choreography, palette = self._drawn
        return kind == self._kind and animation.choreography is choreography and animation.palette == palette

    def is_like(self, kind: str, animation: Animation) -> bool:
        """Whether it shows the same score, perhaps with another tempo, hand or colours."""
        return kind == self._kind and animation.score is self._animation.score

    def run(self) -> None:
        # Imported when first used: the program starts sooner.
        from juggle_anim.viewer.state.loop_diagram import LoopDiagram, preferred_height

        try:
            diagram = LoopDiagram.of(self._kind, self._animation)
            self.result, self.height = diagram, preferred_height(diagram)
        except JuggleError as error:
            self.result = sentence(str(error))
