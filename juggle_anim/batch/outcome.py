"""What came of one pattern of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it ended."""

    WRITTEN = "written"
    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """What came of one pattern.

    Args:
        number: of the pattern, as in its task.
        state: how it ended; kept is what was there already, whole and of the very same export.
        files: those written or kept; for frames their folder.
        reason: why it failed.
        seconds: that it took, [s].
    """

    number: int
    state: State
    files: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0
