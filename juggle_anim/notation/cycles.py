"""Permutations of numbers from 0, taken apart into cycles."""

from __future__ import annotations

Permutation = tuple[int, ...]
"""For each number the one that it becomes."""


def cycles(step: Permutation) -> list[list[int]]:
    """The cycles, each from its smallest number on."""
    found: list[list[int]] = []
    seen = [False] * len(step)
    for start in range(len(step)):
        if seen[start]:
            continue
        cycle, number = [start], step[start]
        while number != start:
            cycle.append(number)
            number = step[number]
        for number in cycle:
            seen[number] = True
        found.append(cycle)
    return found


def inverse(step: Permutation) -> Permutation:
    """The permutation that undoes another."""
    found = [0] * len(step)
    for number, to in enumerate(step):
        found[to] = number
    return tuple(found)


class Powers:
    """A permutation applied any number of times; numbers beyond it stay what they are.

    Attributes:
        place: of each number, its cycle and where in that it stands.
    """

    def __init__(self, step: Permutation) -> None:
        self.place = {number: (cycle, index) for cycle in cycles(step) for index, number in enumerate(cycle)}

    def of(self, number: int, times: int) -> int:
        """What a number becomes after some times, which may be less than none."""
        if number not in self.place:
            return number
        cycle, index = self.place[number]
        return cycle[(index + times) % len(cycle)]
