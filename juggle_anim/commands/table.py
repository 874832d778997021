"""Tables in a terminal, or in whatever stands in for it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Collection[str] = (),
    cut: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Print rows under headings.

    Args:
        headings: of the columns.
        rows: a text for each column.
        numbers: the columns that stand to the right and are never cut.
        cut: the columns that end in … in a terminal where they are wider than this; others go on in the next line.
    """
    from rich.table import Table
    from rich.text import Text

    console = _console()
    narrow = console.width < _ANY_LENGTH
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        number = heading in numbers
        widest = cut.get(heading) if narrow else None
        table.add_column(heading, justify="right" if number else "left", no_wrap=number, max_width=widest)
    for row in rows:
        cells = zip(headings, row, strict=True)
        table.add_row(*(Text(cell, no_wrap=heading in cut or None, overflow="ellipsis") for heading, cell in cells))
    console.print(table)


def table_width() -> int:
    """How wide a table may be, in characters."""
    return _console().width


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    # A file or another program takes lines of any length.
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _ANY_LENGTH
    return console


_ANY_LENGTH = 10_000
