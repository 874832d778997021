"""The diagram of the viewer: which one is shown, and the tape of it, which is made beside the pictures."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.viewer.state.tape import TapeView

if TYPE_CHECKING:
    from juggle_anim.viewer.state.tape import Tape

KINDS = ("ladder", "causal")
"""Of diagrams, in the order in which the key brings them."""

DRAWING = "The diagram is being drawn …"


class Diagrams:
    """Which diagram is shown, and what there is of it."""

    def __init__(self) -> None:
        self.kind = ""
        """One of `KINDS`, or nothing."""
        self.view = TapeView()
        self._height = _USUAL_HEIGHT
        self._job: _Job | None = None
        self._done: _Job | None = None

    @property
    def waiting(self) -> bool:
        """Whether one is in the making."""
        return bool(self.kind) and self._job is not None

    @property
    def deep(self) -> float:
        """How high its card would be, at scale 1, [pixels]; 0 where none is shown."""
        return _AROUND + self._height if self.kind else 0.0

    def turn(self) -> None:
        """Show the first, the next, and after the last one none."""
        kinds = ("", *KINDS)
        self.show(kinds[(kinds.index(self.kind) + 1) % len(kinds)])

    def show(self, kind: str) -> None:
        """Show one of `KINDS`, or none."""
        self.kind, self.view.scrolled = kind, 0.0
        if not kind:
            self._done = None  # those of a hundred jugglers are large, and hold all that is known of them

    def of(self, animation: Animation) -> Tape | str:
        """The tape of an animation, that of the same pattern before while its own is being made, or why there is none.

        Big ones take seconds; nothing waits for them.
        """
        if self._job and not self._job.is_alive():
            self._done, self._job = self._job, None
        current = self._done is not None and self._done.is_for(self.kind, animation)
        if not current and self._job is None:
            self._job = _Job(self.kind, animation)
            self._job.start()
        if self._done and (current or self._done.is_like(self.kind, animation)):
            self._height = self._done.height or _USUAL_HEIGHT
            return self._done.result
        return DRAWING


_AROUND = 38.0  # of the card around its paper
_USUAL_HEIGHT = 130.0  # of the paper


class _Job(Thread):
    """Makes a tape."""

    def __init__(self, kind: str, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.result: Tape | str = "This diagram cannot be drawn"
        self.height = 0.0
        self._kind, self._animation = kind, animation
        self._drawn = animation.choreography, animation.palette

    def is_for(self, kind: str, animation: Animation) -> bool:
        choreography, palette = self._drawn
        return kind == self._kind and animation.choreography is choreography and animation.palette == palette

    def is_like(self, kind: str, animation: Animation) -> bool:
        """Whether another tempo, another hand or other colours are all that makes it different."""
        return kind == self._kind and animation.score is self._animation.score

    def run(self) -> None:
        # They are for few, and a program starts sooner without.
        from juggle_anim.viewer.state.tape import Tape, wanted_height

        try:
            tape = Tape.of(self._kind, self._animation)
            self.result, self.height = tape, wanted_height(tape)
        except JuggleError as error:
            words = str(error)
            self.result = words[:1].upper() + words[1:]
