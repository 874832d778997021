"""Which numbers are written into the picture."""

from __future__ import annotations

from enum import StrEnum


class Numbers(StrEnum):
    """What is numbered; a key turns from each to the next, and then to the first."""

    NONE = ""
    PROPS = "props"
    THROWS = "throws"
    BOTH = "both"

    @property
    def next(self) -> Numbers:
        """The one after this."""
        every = list(Numbers)
        return every[(every.index(self) + 1) % len(every)]

    @property
    def of_props(self) -> bool:
        """Whether each prop has its number."""
        return self in (Numbers.PROPS, Numbers.BOTH)

    @property
    def of_throws(self) -> bool:
        """Whether each throw shows its value."""
        return self in (Numbers.THROWS, Numbers.BOTH)
