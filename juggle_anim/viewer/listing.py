"""The listing: which knobs the panel shows, in groups that fold, or those that somebody looks for."""

from __future__ import annotations

from collections.abc import Callable

from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.knobs import KNOBS

Line = Group | Row
"""A line of the listing: the head of a group, or a knob."""

CHANGED = "changed"
"""What finds the knobs that were turned."""


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
        found = [row for row in KNOBS if not self.sought.strip() or _matches(row, self.sought, changed)]
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
