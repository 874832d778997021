"""Which path takes over whose part under a symmetry."""

from __future__ import annotations

from collections.abc import Sequence

from juggle_anim.notation.cycles import Powers, inverse
from juggle_anim.notation.jml.permutation import Paths

Part = tuple[int, object]
"""An event, and what happens there to a path."""


def match_paths(mine: Sequence[Sequence[Part]], theirs: Sequence[Sequence[Part]], paths: Paths) -> Paths | None:
    """A permutation of paths that gives to each path one with the same parts, in this loop and for ever after.

    Where several paths do the same for ever, the first ones go together; whole cycles of `paths` go to whole cycles.

    Args:
        mine: for each path its parts in a loop.
        theirs: for each path its parts in the image of that loop.
        paths: the path that takes over another's part a loop later.

    Returns:
        None where there is no such permutation.
    """
    return _paired(*_classes(mine, theirs, inverse(paths)), Powers(paths))


def _classes(
    mine: Sequence[Sequence[Part]], theirs: Sequence[Sequence[Part]], back: Paths
) -> tuple[list[int], list[int]]:
    """Numbers for paths, equal where two have the same parts for ever: as they are, and as images."""
    numbers: dict[object, int] = {}
    one, other = ([numbers.setdefault(frozenset(parts), len(numbers)) for parts in side] for side in (mine, theirs))
    count = 0
    while len(set(one)) > count:
        count = len(set(one))
        refined: dict[object, int] = {}
        one, other = (
            [refined.setdefault((side[path], side[back[path]]), len(refined)) for path in range(len(side))]
            for side in (one, other)
        )
    return one, other


def _paired(one: list[int], other: list[int], powers: Powers) -> Paths | None:
    """For each path one of the same number, whole cycles to whole cycles."""
    waiting: dict[int, list[int]] = {}
    for path, number in enumerate(other):
        waiting.setdefault(number, []).append(path)
    found = [-1] * len(one)
    taken: set[int] = set()
    for path, number in enumerate(one):
        if found[path] >= 0:
            continue
        length = len(powers.place[path][0])
        free = (to for to in waiting.get(number, []) if to not in taken and len(powers.place[to][0]) == length)
        to = next(free, None)
        if to is None:
            return None
        for loops in range(length):
            found[powers.of(path, loops)] = powers.of(to, loops)
            taken.add(powers.of(to, loops))
    return tuple(found)
