"""Matching: each pass to a place where a throw is made, one for one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

_P = TypeVar("_P", bound=Hashable)


@dataclass
class Effort:
    """The steps that are left to find who passes to whom; all tries for one text share them."""

    steps: int

    @property
    def spent(self) -> bool:
        """Whether the search was given up."""
        return self.steps < 0


def match(options: Sequence[Sequence[_P]], room: Counter[_P], effort: Effort) -> list[int] | None:
    """For each item, the number of the option that it takes; None where not all can have one.

    A maximum matching of a bipartite graph by augmenting paths (H. W. Kuhn, 1955), first options first.

    Args:
        options: for each item, the places that it may take, the best first.
        room: how many items each place takes.
        effort: the steps that this may take; where they do not suffice, there is no answer.
    """
    held: dict[_P, list[int]] = defaultdict(list)
    place_of: dict[int, _P] = {}
    for item in range(len(options)):
        if not _place(item, options, room, held, place_of, effort):
            return None
    return [list(options[item]).index(place_of[item]) for item in range(len(options))]


def _place(
    first: int,
    options: Sequence[Sequence[_P]],
    room: Counter[_P],
    held: dict[_P, list[int]],
    place_of: dict[int, _P],
    effort: Effort,
) -> bool:
    """Find a place for one more item, breadth first; those in its way move on."""
    wanted_by: dict[_P, int] = {}
    queue = [first]
    for item in queue:
        for place in options[item]:
            effort.steps -= 1
            if effort.spent:
                return False
            if place in wanted_by or not room[place]:
                continue
            wanted_by[place] = item
            if len(held[place]) < room[place]:
                _move_on(place, wanted_by, held, place_of)
                return True
            queue.extend(held[place])
    return False


def _move_on(place: _P, wanted_by: dict[_P, int], held: dict[_P, list[int]], place_of: dict[int, _P]) -> None:
    while True:
        item = wanted_by[place]
        left = place_of.get(item)
        held[place].append(item)
        place_of[item] = place
        if left is None:
            return
        held[left].remove(item)
        place = left
