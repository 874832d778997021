"""The syntax tree of a siteswap: what was written, before it is known which hand throws when."""

from __future__ import annotations

from typing import NamedTuple


class WrittenThrow(NamedTuple):
    """One value with its crossing flag, and the index in the text of its first character."""

    value: int
    crossing: bool
    start: int


HandThrows = tuple[WrittenThrow, ...]
"""What one hand throws at once: a single throw, or several in a multiplex."""


class Single(NamedTuple):
    """A beat on which one hand throws; `hand` is None where it follows from the beat."""

    throws: HandThrows
    hand: int | None


class Pair(NamedTuple):
    """Both hands at once, taking two beats, or one with `!`."""

    left: HandThrows
    right: HandThrows
    beats: int


class Group(NamedTuple):
    """Items one after another, `times` over; `swaps` appends them once more with the hands swapped before that."""

    items: Items
    swaps: bool
    times: int


Items = tuple[Single | Pair | Group, ...]
"""What is thrown one after another."""
