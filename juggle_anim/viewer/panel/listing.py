"""What the panel lists: groups of controls, pages of plots and help, and the chosen arm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.panel.controls import CONTROLS
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.panel.window_controls import WINDOW_CONTROLS

Line = Group | Row
"""A line of the panel: the head of a group, or a control."""

PANEL_CONTROLS: tuple[Row, ...] = tuple(
    sorted((*CONTROLS, *WINDOW_CONTROLS), key=lambda row: list(Group).index(row.group))
)
"""All controls of the panel, in its order: of the animation, and of the window."""

FOLDED_AT_FIRST = frozenset(Group) - {Group.BASICS}
"""Groups of which a new window shows the heads alone."""

CHANGED = N_("changed")
"""The word that finds changed controls."""

HelpGroup = TypeVar("HelpGroup")

_PACKING_STEP = 8.0


class Listing:
    """Which groups are folded, and the search text."""

    def __init__(self) -> None:
        self.folded: set[Group] = set(FOLDED_AT_FIRST)
        self.query = ""
        self.wants_focus = False
        """Whether the search field takes the keyboard focus when it is next drawn."""

    def lines(self, changed: Callable[[Row], bool]) -> list[Line]:
        """Lines of the panel to show, top to bottom: heads of groups, and controls below them.

        Without a search, folded groups show their heads alone. In a search, groups without a match
        are left out, and controls whose names fit come before those whose help does.

        Args:
            changed: tells whether a control differs from its default, which can be searched for.
        """
        query = self.query.strip()
        rows = list(PANEL_CONTROLS)
        if query:  # most frames are drawn without a search
            rows = [row for row in PANEL_CONTROLS if _matches(row, query, changed)]
            rows.sort(key=lambda row: not begin_in(query, [row.label, row.key]))
        lines: list[Line] = []
        for group in dict.fromkeys(row.group for row in rows):
            lines.append(group)
            if query or group not in self.folded:
                lines += [row for row in rows if row.group is group]
        return lines

    def toggle(self, group: Group) -> None:
        """Fold or unfold a group."""
        self.folded ^= {group}

    def show(self, row: Row) -> None:
        """Make a control visible: unfold its group, and clear a search that hides it."""
        self.folded.discard(row.group)
        if not _matches(row, self.query, lambda _: True):
            self.query = ""


def _matches(row: Row, query: str, changed: Callable[[Row], bool]) -> bool:
    """Return whether every word of a query begins a word that describes a row."""
    texts = [row.label, row.key, _(row.group.value), row.help]
    texts += (
        [*row.options, *map(option_words, row.options)]
        if isinstance(row, Choice)
        else [row.unit, _(row.unit)]
    )
    return begin_in(query, [*texts, CHANGED, _(CHANGED)] if changed(row) else texts)


def begin_in(query: str, texts: Sequence[str]) -> bool:
    """Return whether every word of a query begins a word of some texts."""
    words = " ".join(texts).casefold().replace("-", " ").split()
    return all(
        any(word.startswith(part) for word in words)
        for part in query.casefold().replace("-", " ").split()
    )


@dataclass
class Pages:
    """A list that is shown page by page.

    Args:
        count: length of the list when it was last drawn.
        first: index of the first item on the present page.
        capacity: items on a page when it was last drawn.
    """

    count: int = 1
    first: int = 0
    capacity: int = 1

    def turn(self, *, shown: bool) -> bool:
        """Go to the first page if none is shown, or to the next one.

        Returns:
            Whether there is one; after the last page there is none.
        """
        following = self.first + self.capacity if shown else 0
        exists = following < self.count
        self.first = following if exists else 0
        return exists

    def turn_to(self, index: int) -> None:
        """Go to the page with an item."""
        self.first = index - index % self.capacity

    @property
    def indices(self) -> range:
        """Indices of the shown items; the last page is as full as the others."""
        first = max(min(self.first, self.count - self.capacity), 0)
        return range(first, min(first + self.capacity, self.count))


def pack_groups(
    groups: Sequence[HelpGroup],
    height: Callable[[Sequence[HelpGroup]], float],
    room: float,
    across: int,
) -> list[list[list[HelpGroup]]]:
    """Pack groups in order into the fewest columns, as low as possible, and columns into pages.

    Args:
        groups: to be placed.
        height: returns the height of a column of these groups, [pixels].
        room: maximal height of a column, [pixels]; a higher group gets a column of its own.
        across: columns on a page.

    Returns:
        Pages of columns of groups.
    """
    columns = _columns(groups, height, room)
    # Lower columns, as long as there need not be more of them.
    while (
        len(lower := _columns(groups, height, room - _PACKING_STEP)) == len(columns)
        and room > _PACKING_STEP
    ):
        columns = lower
        room = room - _PACKING_STEP
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
class ArmSelection:
    """One arm.

    Args:
        juggler: counted from 0.
        side: 0 for the left arm, 1 for the right one.
    """

    juggler: int = 0
    side: int = 0

    def next(self, jugglers: int) -> ArmSelection:
        """Return the other arm, or the next juggler's first one, cyclically."""
        number = (2 * self.juggler + self.side + 1) % (2 * jugglers)
        return ArmSelection(number // 2, number % 2)

    def within(self, jugglers: int) -> ArmSelection:
        """Return the same arm, or the last juggler's if there are fewer jugglers."""
        return ArmSelection(min(self.juggler, jugglers - 1), self.side)

    def label(self, jugglers: int) -> str:
        """Return the arm's name: `Left arm`, or among several jugglers `Left arm of 2`."""
        name = (_("Left arm"), _("Right arm"))[self.side]
        return (
            name if jugglers == 1 else _("{name} of {juggler}", name=name, juggler=self.juggler + 1)
        )
