"""The help's pages: groups of lines packed into columns, and columns into pages that fit the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Group = TypeVar("Group")


@dataclass
class HelpPages:
    """Which page of the help is shown.

    Args:
        page: counted from 0.
        count: how many there were when it was last drawn.
    """

    page: int = 0
    count: int = 1

    def turn(self, shown: bool) -> bool:
        """Show the first page; then the next. Returns whether any is shown: after the last one none is."""
        self.page = self.page + 1 if shown else 0
        return self.page < self.count


def packed(
    groups: Sequence[Group], height: Callable[[Sequence[Group]], float], room: float, across: int
) -> list[list[list[Group]]]:
    """Groups in columns on pages, in their order, as low as so few columns can be.

    Args:
        groups: what is to be placed.
        height: of a column that holds these groups.
        room: how high a column may be; a group that is higher stands alone.
        across: columns on a page.
    """
    columns = _columns(groups, height, room)
    while len(lower := _columns(groups, height, room - _STEP)) == len(columns) and room > _STEP:
        columns, room = lower, room - _STEP
    return [columns[first : first + across] for first in range(0, len(columns), across)]


def _columns(groups: Sequence[Group], height: Callable[[Sequence[Group]], float], room: float) -> list[list[Group]]:
    columns: list[list[Group]] = [[]]
    for group in groups:
        if columns[-1] and height([*columns[-1], group]) > room:
            columns.append([])
        columns[-1].append(group)
    return columns


_STEP = 8.0
