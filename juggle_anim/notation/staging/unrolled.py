"""Repeats written out: `((10)(25).)^2` as the two beats that it stands for."""

from __future__ import annotations

from typing import Generic, TypeVar

from juggle_anim.errors import NotationError
from juggle_anim.notation.limits import MAX_NESTING, MAX_SETTINGS_LENGTH
from juggle_anim.notation.whole_number import whole_number

Item = TypeVar("Item")


class Unrolled(Generic[Item]):
    """What a text lists, where brackets with a count repeat a part of it.

    Args:
        text: all that is read, for errors.
        limit: how many items there may be, repeats written out.
        what: what an item is called, in the plural.
        example: of brackets with a count.

    Raises:
        NotationError: from here and from every method, where the text or the list is too long or a bracket is wrong.
    """

    def __init__(self, text: str, limit: int, what: str, example: str) -> None:
        self.text, self.limit, self.what, self.example = text, limit, what, example
        self._items: list[Item] = []
        self._outer: list[tuple[int, list[Item]]] = []
        # Items that wait in the parts around the open one count too, else many open brackets could hold many.
        self._waiting = 0
        if len(text) > MAX_SETTINGS_LENGTH:
            reason = f"this text is {len(text)} characters long"
            raise self._error(MAX_SETTINGS_LENGTH, reason, f"up to {MAX_SETTINGS_LENGTH}")

    def add(self, index: int, item: Item) -> None:
        """Append an item that stands at `index`."""
        self._items.append(item)
        self._check(index, len(self._items))

    def open(self, index: int) -> None:
        """Begin a part to be repeated, with the bracket at `index`."""
        if len(self._outer) >= MAX_NESTING:
            raise self._error(index, f"brackets are nested more than {MAX_NESTING} deep", "write it more simply")
        self._outer.append((index, self._items))
        self._waiting += len(self._items)
        self._items = []

    def close(self, index: int, count: str) -> None:
        """End the part that was opened last, and repeat it.

        Args:
            index: of the closing bracket.
            count: digits; empty where none follow the bracket.
        """
        if not self._outer:
            raise self._error(index, "nothing was opened that this ) could close", f"brackets repeat: {self.example}")
        if not count:
            raise self._error(index, "no count follows these brackets", "write how often to repeat them, as ^2")
        _, outer = self._outer.pop()
        self._waiting -= len(outer)
        times = whole_number(count, self.limit)
        if times == 0:
            raise self._error(index, "these brackets are repeated no times", "a count from 1")
        times = self.limit + 1 if times is None else times
        self._check(index, len(outer) + len(self._items) * times)
        self._items = outer + self._items * times

    def items(self) -> list[Item]:
        """All of them in their order; every part must have been closed."""
        if self._outer:
            raise self._error(self._outer[-1][0], "this ( is never closed", f"brackets repeat: {self.example}")
        return self._items

    def _check(self, index: int, count: int) -> None:
        if self._waiting + count > self.limit:
            raise self._error(index, f"these are more than {self.limit} {self.what}", "fewer of them")

    def _error(self, index: int, reason: str, accepted: str) -> NotationError:
        return NotationError(self.text, index, reason, accepted)
