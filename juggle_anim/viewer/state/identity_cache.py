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
        for cached_source, cached_language, result in self._entries:
            if cached_source is source and cached_language == present_language:
                return result
        result = self._compute(source)
        self._entries = [(source, present_language, result), *self._entries[: self._size - 1]]
        return result
