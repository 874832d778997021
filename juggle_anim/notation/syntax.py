"""The syntax tree of a siteswap: what was written, before it is known which hand throws when."""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.notation.modifier import PLAIN, Modifier

NEXT_JUGGLER = 0
"""The receiver of a pass that names none."""

VALUES = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The characters that stand for a value each, from 0."""

OPEN = -2
"""The value of a `?`. It is even, so that the throw is placed as a 0 would be: an odd value turns the hand round."""


class WrittenThrow(NamedTuple):
    """One value, or `OPEN`, with its flags, and the index in the text of its first character.

    `receiver` is None for a throw to oneself, `NEXT_JUGGLER`, or the juggler's number, counted from 1.
    """

    value: int
    crossing: bool
    start: int
    receiver: int | None = None
    modifier: Modifier = PLAIN


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


class Start(NamedTuple):
    """A hand specifier without a throw: the hand that throws next."""

    hand: int


class Group(NamedTuple):
    """Items one after another, `times` over; `swaps` appends them once more with the hands swapped before that."""

    items: Items
    swaps: bool
    times: int


class Passing(NamedTuple):
    """What each juggler throws at the same time; all sides take as many beats."""

    sides: tuple[Items, ...]


Items = tuple[Single | Pair | Start | Group | Passing, ...]
"""What is thrown one after another."""


def leaves_of(items: Items) -> list[Single | Pair | Start]:
    """What stands in groups and sides as well, each as often as it is written."""
    found: list[Single | Pair | Start] = []
    for item in items:
        if isinstance(item, Group):
            found.extend(leaves_of(item.items))
        elif isinstance(item, Passing):
            for side in item.sides:
                found.extend(leaves_of(side))
        else:
            found.append(item)
    return found


def beats_of(items: Items) -> int:
    """How many beats items take, repeats written out."""
    return sum(_beats(item) for item in items)


def _beats(item: Single | Pair | Start | Group | Passing) -> int:
    match item:
        case Pair():
            return item.beats
        case Group():
            return beats_of(item.items) * (1 + item.swaps) * item.times
        case Passing():
            return beats_of(item.sides[0])
        case Start():
            return 0
    return 1
