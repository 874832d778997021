"""Undo: what was shown before each change, to go back to and forth again."""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.parameters import ROWS, Parameters
from juggle_anim.viewer.step_budget import latest


class Step(NamedTuple):
    """What was shown; not its motion, which is found again in no time and would fill the memory.

    Attributes:
        score: what was juggled.
        parameters: how.
        shown: the text that stood for it.
    """

    score: Score
    parameters: Parameters
    shown: str

    @property
    def juggled(self) -> object:
        """What tells it from other patterns, whatever its props look like."""
        return self.score.pattern or (self.score.placed.events if self.score.placed else self.score)

    def restored(self, now: Animation) -> Animation:
        """Its animation; where the pattern is the present one, it shares what has not changed."""
        if self.score is not now.score:
            return Animation(self.score, self.parameters)
        return now.replace(**{row.name: getattr(self.parameters, row.name) for row in ROWS})


def step_of(animation: Animation, shown: str) -> Step:
    """The step that leads back to what is shown now."""
    return Step(animation.score, animation.parameters, shown)


class Undo:
    """Two stacks of steps. All changes of one thing make a single step until they are sealed."""

    def __init__(self) -> None:
        self._back: list[Step] = []
        self._forth: list[Step] = []
        self._open = ""

    def note(self, before: Step, what: str) -> None:
        """A change was made.

        Args:
            before: what was shown until then.
            what: was changed; as long as nothing else is, and nothing seals the step, its changes are one.
        """
        self._forth.clear()
        if what != self._open:
            self._back = latest([*self._back, before])
        self._open = what

    def seal(self) -> None:
        """The mouse or key that was turning something is let go: what comes next is another step."""
        self._open = ""

    def reopen(self, what: str) -> None:
        """What comes next goes on with the step that was sealed last, which was a change of the same thing."""
        self._open = what

    def back(self, now: Step) -> Step | None:
        """The step before this one; None where there is none."""
        return self._move(self._back, self._forth, now)

    def forth(self, now: Step) -> Step | None:
        """The step that was undone last; None where there is none."""
        return self._move(self._forth, self._back, now)

    def can(self, now: Step) -> tuple[bool, bool]:
        """Whether there is a way back, and one forth."""
        back, forth = (any(not _same(step, now) for step in steps) for steps in (self._back, self._forth))
        return back, forth

    def _move(self, source: list[Step], target: list[Step], now: Step) -> Step | None:
        self.seal()
        while source:
            step = source.pop()
            # What was turned away and back again within one step has changed nothing.
            if not _same(step, now):
                target.append(now)
                return step
        return None


def _same(one: Step, other: Step) -> bool:
    """Whether two steps show the same, so that to go from one to the other changes nothing."""
    (a, b), here = (one.score, other.score), one.parameters == other.parameters
    # Events hold arrays, which have no answer to whether they are equal.
    return here and (a is b or (a.pattern is b.pattern and a.placed is b.placed and a.staging == b.staging))
