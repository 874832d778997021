"""Lines of hands: where each runs across a row of a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def hand_names(jugglers: int) -> list[str]:
    """A name for each hand, left before right."""
    sides = ("left", "right")
    return [f"{juggler + 1} {side}" if jugglers > 1 else side for juggler in range(jugglers) for side in sides]


@dataclass(frozen=True)
class Lines:
    """Where the lines run, and how deep the row is that holds them, [mm]."""

    places: tuple[float, ...]
    depth: float


def lines(outside: Sequence[float], between: float, apart: float) -> Lines:
    """Lines of hands by pairs, the left one first.

    Args:
        outside: for each hand, how much room its pair needs beyond it, [mm].
        between: from the left hand of a juggler to the right one, [mm].
        apart: between the rooms of two jugglers, [mm].
    """
    places: list[float] = []
    edge = 0.0
    for left, right in zip(outside[::2], outside[1::2], strict=True):
        places += [edge + left, edge + left + between]
        edge = places[-1] + right + apart
    return Lines(tuple(places), edge - apart)
