"""History: the patterns that were shown, to go back and forward through as in a browser."""

from __future__ import annotations

from juggle_anim.viewer.step_budget import latest
from juggle_anim.viewer.undo import Step


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
