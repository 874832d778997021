"""The arm that is looked at: of which juggler, and on which side."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ArmChoice:
    """One arm.

    Args:
        juggler: counted from 0.
        side: 0 for the left arm, 1 for the right one.
    """

    juggler: int = 0
    side: int = 0

    def next(self, jugglers: int) -> ArmChoice:
        """The other arm, or the next juggler's first one, and around."""
        number = (2 * self.juggler + self.side + 1) % (2 * jugglers)
        return ArmChoice(number // 2, number % 2)

    def within(self, jugglers: int) -> ArmChoice:
        """The same arm, or the last juggler's where there are fewer."""
        return ArmChoice(min(self.juggler, jugglers - 1), self.side)

    def words(self, jugglers: int) -> str:
        """What a reader calls it: `Left arm`, or among several jugglers `Left arm of 2`."""
        name = ("Left arm", "Right arm")[self.side]
        return name if jugglers == 1 else f"{name} of {self.juggler + 1}"
