"""A cache of what a function returns for the last objects, in the language in which it was said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from juggle_anim.language import language

Source = TypeVar("Source")
Result = TypeVar("Result")


class IdentityCache(Generic[Source, Result]):
    """Caches a function of the last objects, by identity and by the present language.

    Args:
        find: the function.
        size: objects that are remembered; a split view shows two.
    """

    def __init__(self, find: Callable[[Source], Result], size: int = 1) -> None:
        self._find = find
        self._size = size
        self._known: list[tuple[Source, str, Result]] = []

    def of(self, source: Source) -> Result:
        """Return the function's value for an object, computed if it is not among the last ones.

        The cache keeps the objects alive, so that an identity is never reused meanwhile.
        """
        spoken = language()
        for known, said_in, result in self._known:
            if known is source and said_in == spoken:
                return result
        result = self._find(source)
        self._known = [(source, spoken, result), *self._known[: self._size - 1]]
        return result
