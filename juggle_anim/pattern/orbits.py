"""Orbits: the closed paths along which props go round a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from juggle_anim.pattern.throw import Throw


class Orbit(NamedTuple):
    """One closed path.

    Attributes:
        throws: indices of its throws, in the order in which a prop makes them, from the first of the loop.
        beats: how long a prop takes to go round once, a multiple of the period.
        props: how many props follow one another along it.
    """

    throws: tuple[int, ...]
    beats: int
    props: int


def find_orbits(throws: Sequence[Throw], landings: Sequence[int], period: int) -> tuple[Orbit, ...]:
    """The orbits of a pattern, ordered by their first throw; together they hold every throw once.

    Args:
        throws: all throws of one loop.
        landings: for each throw, the index of the throw that its prop makes next.
        period: length of the loop, in beats.
    """
    seen: set[int] = set()
    orbits = []
    for first in range(len(throws)):
        if first not in seen:
            cycle = _cycle(first, landings)
            seen.update(cycle)
            beats = sum(throws[index].value for index in cycle)
            orbits.append(Orbit(cycle, beats, beats // period))
    return tuple(orbits)


def _cycle(first: int, landings: Sequence[int]) -> tuple[int, ...]:
    cycle = [first]
    while (following := landings[cycle[-1]]) != first:
        cycle.append(following)
    return tuple(cycle)
