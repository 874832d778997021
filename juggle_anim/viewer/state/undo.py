"""Undo, redo and the history of patterns, with limits that keep memory small.

A cache of what a function returns for the last objects, in the language in which it was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, TypeVar

from juggle_anim.animation import Animation
from juggle_anim.choreography import Score
from juggle_anim.language import language
from juggle_anim.parameters import ROWS, Parameters

MAX_STEPS = 200
"""Steps that are kept at most."""

MAX_THROWS = 20_000
"""Throws, or events of a file, of all kept patterns together: about 12 MB. The last step is always
kept.
"""


class Step(NamedTuple):
    """One state of the history, without its motion, which is large and quick to compute again.

    Attributes:
        score: score of the animation.
        parameters: parameters of the animation.
        text: text that opens it.
        change: name of the change between it and the step that follows in its stack; empty if it is
            in none.
    """

    score: Score
    parameters: Parameters
    text: str
    change: str = ""

    @property
    def identity(self) -> object:
        """An object that differs between patterns, but not with the looks of props."""
        return self.score.pattern or (self.score.placed.events if self.score.placed else self.score)

    def restored(self, now: Animation) -> Animation:
        """Its animation, which shares unchanged stages with the present one if that has the same
        score.
        """
        if self.score is not now.score:
            return Animation(self.score, self.parameters)
        return now.with_values(**{row.name: getattr(self.parameters, row.name) for row in ROWS})


def step_of(animation: Animation, text: str) -> Step:
    """Return the step that leads back to what is shown now."""
    return Step(animation.score, animation.parameters, text)


class Undo:
    """Stacks of steps to undo and redo.

    Successive changes of one name, such as those of a drag, are one step until it is ended.
    """

    def __init__(self) -> None:
        self._past: list[Step] = []
        self._future: list[Step] = []
        self._open_change = ""  # the name of the changes that the next one may join

    def record(self, before: Step, change_name: str) -> None:
        """Record a change as a step of undo; what was undone cannot be redone any more.

        Args:
            before: the state before the change.
            change_name: name of the change. A change of the same name as the one before joins its
                step, unless that was ended by `end_step`.
        """
        self._future.clear()
        if change_name != self._open_change:  # a new step, which undo leads back to
            self._past = latest([*self._past, before._replace(change=change_name)])
        self._open_change = change_name

    def end_step(self) -> None:
        """End the last step, as when the mouse is released: the next change is a new step."""
        self._open_change = ""

    @contextmanager
    def own_step(self) -> Iterator[None]:
        """Let a change be a step of its own: undo takes back this change alone."""
        self.end_step()
        yield
        self.end_step()

    def reopen(self, change_name: str) -> None:
        """Let the next change of this name join the last step again."""
        self._open_change = change_name

    def undo(self, present: Step) -> Step | None:
        """Undo: the step before this one, or None."""
        return self._move(self._past, self._future, present)

    def undo_all(self, present: Step) -> list[Step]:
        """Undo all that can be: the steps gone back through, the first of all at the end."""
        return list(self._moves(self._past, self._future, present))

    def redo(self, present: Step) -> Step | None:
        """Redo: the step that was undone last, or None."""
        return self._move(self._future, self._past, present)

    def redo_all(self, present: Step) -> list[Step]:
        """Redo all that was undone: the steps gone through, the last one at the end."""
        return list(self._moves(self._future, self._past, present))

    def forget(self, is_forgotten: Callable[[Step], bool]) -> None:
        """Drop steps that nobody wants to go back to, as those of a lesson that has ended."""
        self._past = [step for step in self._past if not is_forgotten(step)]
        self._future = [step for step in self._future if not is_forgotten(step)]

    def can_undo_and_redo(self, present: Step) -> tuple[bool, bool]:
        """Return whether there are steps to undo, and to redo."""
        back, forth = (
            any(not _show_the_same(step, present) for step in steps)
            for steps in (self._past, self._future)
        )
        return back, forth

    def _moves(self, source: list[Step], target: list[Step], present: Step) -> Iterator[Step]:
        """Yield the steps from the present one to the last that can be moved to."""
        while step := self._move(source, target, present):
            yield step
            present = step

    def _move(self, source: list[Step], target: list[Step], present: Step) -> Step | None:
        self.end_step()
        while source:
            step = source.pop()
            # A step in which a value was changed and changed back looks like the present one: it is
            # dropped, as going to it would seem to do nothing.
            if not _show_the_same(step, present):
                target.append(present._replace(change=step.change))
                return step
        return None


def _show_the_same(one: Step, other: Step) -> bool:
    """Return whether two steps show the same."""
    if one.parameters != other.parameters:
        return False
    a = one.score
    b = other.score
    # Events hold arrays, whose `==` is no single bool, so patterns and events are compared by
    # identity.
    return a is b or (a.pattern is b.pattern and a.placed is b.placed and a.staging == b.staging)


def latest(steps: list[Step]) -> list[Step]:
    """Return the last steps within the limits `MAX_STEPS` and `MAX_THROWS`, at least the last one.

    A step is a state of the viewer that can be undone. The limits bound memory. Steps with the same
    score (pattern and staging) count its throws once.

    Args:
        steps: the oldest first; they are returned in the same order.
    """
    throw_count = 0
    counted_scores = set[int]()  # ids; the steps keep these objects alive
    # From the newest step back. The count is of the steps that fitted so far.
    for fitting_count, step in enumerate(reversed(steps[-MAX_STEPS:])):
        if id(step.score) not in counted_scores:
            counted_scores.add(id(step.score))
            throw_count += _throw_count(step.score)
        if throw_count > MAX_THROWS and fitting_count:
            return steps[-fitting_count:]
    return steps[-MAX_STEPS:]


def _throw_count(score: Score) -> int:
    if score.pattern:
        return len(score.pattern.throws)
    return len(score.placed.events.time) if score.placed else 0


class History:
    """Patterns in the order in which they were opened, and the present one."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._index = -1
        self.recent_text: tuple[Step, str] | None = None
        """The present step as it was added to the recent patterns, and its text there."""

    @property
    def now(self) -> Step | None:
        """The present step."""
        return self._steps[self._index] if self._steps else None

    @property
    def before(self) -> Step | None:
        """The step before it, or None."""
        return self._steps[self._index - 1] if self._index > 0 else None

    def keep(self, step: Step) -> None:
        """Update the present step."""
        if self._steps:
            self._steps[self._index] = step

    def visit(self, step: Step) -> None:
        """Append another pattern; steps ahead are dropped."""
        self._steps = latest([*self._steps[: self._index + 1], step])
        self._index = len(self._steps) - 1

    def back(self) -> Step | None:
        """Go to the step before, if there is one."""
        return self._go(-1)

    def forward(self) -> Step | None:
        """Go to the step after, if there is one."""
        return self._go(1)

    def _go(self, steps: int) -> Step | None:
        if not 0 <= self._index + steps < len(self._steps):
            return None
        self._index += steps
        return self._steps[self._index]


Source = TypeVar("Source")
Result = TypeVar("Result")


class IdentityCache(Generic[Source, Result]):
    """Caches a function of the last objects, by identity and by the present language.

    Args:
        compute: the function.
        size: objects that are remembered; a split view shows two.
    """

    def __init__(self, compute: Callable[[Source], Result], size: int = 1) -> None:
        self._compute = compute
        self._size = size
        self._entries: list[tuple[Source, str, Result]] = []

    def of(self, source: Source) -> Result:
        """Return the function's value for an object, computed if it is not among the last ones.

        The cache keeps the objects alive, so that an identity is never reused meanwhile.
        """
        present_language = language()
        for cached_source, cached_language, cached_result in self._entries:
            if cached_source is source and cached_language == present_language:
                return cached_result
        result = self._compute(source)
        self._entries = [(source, present_language, result), *self._entries[: self._size - 1]]
        return result
