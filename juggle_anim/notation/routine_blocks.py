"""Blocks of a routine: lines between `repeat` and `end` that are juggled several times, also one block in another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from juggle_anim.errors import NotationError
from juggle_anim.language import _

MOST_TIMES, MOST_DEEP = 1_000, 20
"""How often a block is repeated at most, and how many blocks may stand in one another."""

Line = TypeVar("Line")

_MOST_DIGITS = 9

_TIMES = re.compile(r"\s+([0-9]+)(?:\s+times?)?\s*$", re.IGNORECASE)


@dataclass
class _Block(Generic[Line]):
    """What is juggled several times; `number` and `line` are those of its `repeat`, which begins at an index."""

    times: int
    number: int = 0
    line: str = ""
    start: int = 0
    items: list[Line | _Block[Line]] = field(default_factory=list)

    def size(self) -> int:
        return self.times * sum(each.size() if isinstance(each, _Block) else 1 for each in self.items)

    def lines(self) -> Iterator[Line]:
        for _round in range(self.times):
            for each in self.items:
                if isinstance(each, _Block):
                    yield from each.lines()
                else:
                    yield each


class RoutineBlocks(Generic[Line]):
    """The lines of a routine, with blocks that are repeated, as they are read one after another."""

    def __init__(self) -> None:
        self._open: list[_Block[Line]] = [_Block(1)]
        self._last: Line | None = None

    @property
    def last(self) -> Line | None:
        """The line that was added last; None before the first."""
        return self._last

    @property
    def size(self) -> int:
        """How many lines they are with all repeats, without those of blocks that are still open."""
        return self._open[0].size()

    def add(self, line: Line) -> None:
        """Add a line to the block that is open."""
        self._open[-1].items.append(line)
        self._last = line

    def repeat(self, number: int, line: str, start: int) -> None:
        """Begin a block.

        Args:
            number: of the line.
            line: `repeat` and how often.
            start: the index of its first word.

        Raises:
            NotationError: it does not say how often, or too many blocks are open.
        """
        behind = start + len("repeat")
        found = _TIMES.match(line[behind:])
        times = int(found[1]) if found and len(found[1]) < _MOST_DIGITS else 0
        # A block that says it wrongly has its end, too.
        self._open.append(_Block(times, number, line, start))
        if found is None:
            accepted = _("how often, as repeat 3; then its lines, and end")
            raise NotationError(line, behind, _("this does not say how often the lines below are repeated"), accepted)
        if not 1 <= times <= MOST_TIMES:
            accepted = _("a number from 1 to {most_times}", most_times=MOST_TIMES)
            raise NotationError(
                line, behind + found.start(1), _("nothing is repeated {found} times", found=found[1][:9]), accepted
            )
        if len(self._open) > MOST_DEEP + 1:
            raise NotationError(
                line, start, _("too many blocks stand in one another"), _("at most {most_deep}", most_deep=MOST_DEEP)
            )

    def end(self, line: str, start: int) -> None:
        """End the block that was begun last.

        Args:
            line: `end`.
            start: its index.

        Raises:
            NotationError: no block is open, or there is nothing in it.
        """
        if len(self._open) == 1:
            raise NotationError(line, start, _("this ends no block"), _("a line repeat 3 before, or no end"))
        block = self._open.pop()
        self._open[-1].items.append(block)
        behind = start + len("end")
        if line[behind:].strip():
            raise NotationError(line, behind, _("nothing stands behind end"), _("end alone"))
        if not block.items:
            raise NotationError(line, start, _("there are no lines to repeat"), _("lines between repeat and end"))

    def unclosed(self) -> Iterator[tuple[int, NotationError]]:
        """The blocks without an end: the number of each `repeat`, and an error of it."""
        for block in self._open[1:]:
            accepted = _("a line end below the lines to repeat")
            yield block.number, NotationError(block.line, block.start, _("this block has no end"), accepted)

    def lines(self) -> list[Line]:
        """All lines in the order in which they are juggled."""
        return list(self._open[0].lines())
