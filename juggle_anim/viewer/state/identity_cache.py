"""A cache of what a function returns for the last objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Source = TypeVar("Source")
Result = TypeVar("Result")


class IdentityCache(Generic[Source, Result]):
    """Remembers what a function returns for the last objects, told apart by identity.

    Args:
        find: the function.
        size: objects that are remembered; a split view shows two.
    """

    def __init__(self, find: Callable[[Source], Result], size: int = 1) -> None:
        self._find, self._size = find, size
        self._known: list[tuple[Source, Result]] = []

    def of(self, source: Source) -> Result:
        """Return the function's value for an object."""
        for known, result in self._known:
            if known is source:
                return result
        self._known = [(source, self._find(source)), *self._known[: self._size - 1]]
        return self._known[0][1]
