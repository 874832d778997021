"""The listing: which knobs the panel shows, in groups that fold, or those that somebody looks for.

MERGED: Pages: some things of a list that are shown at a time, as many as there is room for.

MERGED: The help's pages: groups of lines packed into columns, and columns into pages that fit the window.

MERGED: The arm that is looked at: of which juggler, and on which side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.state.controls import CONTROLS

Line = Group | Row
"""A line of the listing: the head of a group, or a knob."""

CHANGED = "changed"
"""What finds the knobs that were turned."""

HelpGroup = TypeVar("HelpGroup")

_STEP = 8.0


class Listing:
    """What is folded, and what is looked for."""

    def __init__(self) -> None:
        self.folded: set[Group] = set()
        self.sought = ""
        self.wanted = False
        """Whether the field that is typed in is to take the keyboard as soon as it is drawn."""

    def lines(self, changed: Callable[[Row], bool]) -> list[Line]:
        """The lines to be shown, top to bottom; a group of which nothing is found has none.

        Args:
            changed: whether a knob was turned away from its default.
        """
        found = [row for row in CONTROLS if not self.sought.strip() or _matches(row, self.sought, changed)]
        lines: list[Line] = []
        for group in dict.fromkeys(row.group for row in found):
            lines.append(group)
            if self.sought.strip() or group not in self.folded:
                lines += [row for row in found if row.group is group]
        return lines

    def toggle(self, group: Group) -> None:
        """Fold a group, or unfold it."""
        self.folded ^= {group}

    def show(self, row: Row) -> None:
        """Make sure that a knob is among the lines."""
        self.folded.discard(row.group)
        if not _matches(row, self.sought, lambda _: True):
            self.sought = ""


def _matches(row: Row, sought: str, changed: Callable[[Row], bool]) -> bool:
    """Whether every word that is sought begins a word that is said of a row."""
    said = [row.label, row.key, row.group.value, row.help]
    said += row.options if isinstance(row, Choice) else [row.unit]
    words = " ".join(said).casefold().replace("-", " ").split() + ([CHANGED] if changed(row) else [])
    return all(any(word.startswith(part) for word in words) for part in sought.casefold().replace("-", " ").split())


@dataclass
class Pages:
    """Which of a list are shown.

    Args:
        count: of the list.
        first: the first of those that are shown.
        shown: whether any are.
        room: for how many there was room when they were last drawn.
    """

    count: int
    first: int = 0
    shown: bool = False
    room: int = 2

    def turn(self) -> None:
        """Show the first page; then the next, and after the last one none."""
        following = self.first + self.room
        self.first = following if self.shown and following < self.count else 0
        self.shown = not self.shown or self.first > 0

    def open(self, number: int) -> None:
        """Show the page that has one of the list."""
        self.first, self.shown = number - number % self.room, True

    @property
    def numbers(self) -> range:
        """Those that are shown; the last page is as full as the others."""
        first = max(min(self.first, self.count - self.room), 0)
        return range(first, min(first + self.room, self.count))


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
    groups: Sequence[HelpGroup], height: Callable[[Sequence[HelpGroup]], float], room: float, across: int
) -> list[list[list[HelpGroup]]]:
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


def _columns(
    groups: Sequence[HelpGroup], height: Callable[[Sequence[HelpGroup]], float], room: float
) -> list[list[HelpGroup]]:
    columns: list[list[HelpGroup]] = [[]]
    for group in groups:
        if columns[-1] and height([*columns[-1], group]) > room:
            columns.append([])
        columns[-1].append(group)
    return columns


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
