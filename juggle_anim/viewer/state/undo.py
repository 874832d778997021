"""Undo: what was shown before each change, to go back to and forth again.

MERGED: How many steps are kept: as many as a person goes back, unless they are of patterns that would fill the memory.

MERGED: History: the patterns that were shown, to go back and forward through as in a browser.
"""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.parameters import ROWS, Parameters

MOST = 200
"""Steps that are kept."""

MOST_THROWS = 20_000
"""Throws of all kept patterns together, or events of a file: some 12 MB. The last step stays, whatever it is."""


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


def latest(steps: list[Step]) -> list[Step]:
    """The last of some steps, as many as are kept; those of one pattern share it."""
    throws, known = 0, set[int]()
    for number, step in enumerate(reversed(steps[-MOST:])):
        if id(step.score) not in known:
            known.add(id(step.score))
            throws += _throws(step.score)
        if throws > MOST_THROWS and number:
            return steps[-number:]
    return steps[-MOST:]


def _throws(score: Score) -> int:
    if score.pattern:
        return len(score.pattern.throws)
    return len(score.placed.events.time) if score.placed else 0


class History:
    """Patterns in the order in which they were opened, and which of them is shown."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._at = -1
        self.noted: tuple[Step, str] | None = None
        """What was noted of the one that is shown among the recent patterns, and the text of it there."""

    @property
    def now(self) -> Step | None:
        """The one that is shown."""
        return self._steps[self._at] if self._steps else None

    @property
    def before(self) -> Step | None:
        """The one before it; None where there is none."""
        return self._steps[self._at - 1] if self._at > 0 else None

    def keep(self, step: Step) -> None:
        """The pattern that is shown looks like this now."""
        if self._steps:
            self._steps[self._at] = step

    def visit(self, step: Step) -> None:
        """Another pattern is shown; what was ahead is forgotten."""
        self._steps = latest([*self._steps[: self._at + 1], step])
        self._at = len(self._steps) - 1

    def back(self) -> Step | None:
        """Go to the one before; None where there is none."""
        return self._go(-1)

    def forward(self) -> Step | None:
        """Go to the one after; None where there is none."""
        return self._go(1)

    def _go(self, ways: int) -> Step | None:
        if not 0 <= self._at + ways < len(self._steps):
            return None
        self._at += ways
        return self._steps[self._at]
