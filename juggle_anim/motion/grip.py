"""Where in a hand a prop lies: alone in the palm's middle, several side by side."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain, count

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.choreography import Choreography

Carry = tuple[int, float, float]
"""A hand, and the times from and to which one prop stays at one place in it, [s]."""


def grips(choreography: Choreography, carries: list[Carry], radius: float) -> Floats:
    """Offset of each carried prop from its hand, so that no two props in one hand overlap.

    Args:
        choreography: its hands and loop.
        carries: every stay of a prop at one place in a hand, once for all loops.
        radius: of a prop, [m].

    Returns:
        Shape (len(carries), 3), seen from the body, [m].
    """
    loop = choreography.duration
    # Seen within one loop and sorted, so that only neighbours have to be compared.
    carries = [(hand, start % loop, start % loop + until - start) for hand, start, until in carries]
    offsets = np.zeros((len(carries), 3))
    by_hand: dict[int, list[int]] = {}
    for index in sorted(range(len(carries)), key=lambda index: carries[index][1]):
        by_hand.setdefault(carries[index][0], []).append(index)
    for mine in by_hand.values():
        for cluster in _clusters([carries[index] for index in mine], loop):
            members = [mine[place] for place in cluster]
            slots = _slots([carries[index] for index in members], loop)
            places = _arrange(max(slots) + 1, radius)
            for index, slot in zip(members, slots, strict=True):
                offsets[index] = places[slot]
    return offsets


def _clusters(carries: list[Carry], loop: float) -> list[list[int]]:
    """Groups of stays that are linked by sharing moments, for stays sorted by their start within the loop."""
    groups: list[list[int]] = []
    reach = 0.0
    for index, (_, start, until) in enumerate(carries):
        if groups and start < reach:
            groups[-1].append(index)
        else:
            groups.append([index])
        reach = max(reach, until)
    # What lasts into the next loop meets there what comes first.
    while len(groups) > 1 and carries[groups[0][0]][1] < reach - loop:
        groups[-1] = sorted(groups.pop(0) + groups[-1])
    return groups


def _slots(carries: list[Carry], loop: float) -> list[int]:
    """For each stay, sorted likewise, the lowest slot that is free all the while."""
    slots: list[int] = []
    present: list[int] = []
    starts = [start for _, start, _ in carries]
    for index, (_, start, until) in enumerate(carries):
        present = [other for other in present if carries[other][2] > start]
        again = range(min(index, bisect_left(starts, until - loop)))
        taken = {slots[other] for other in chain(present, again)}
        slots.append(next(slot for slot in count() if slot not in taken))
        present.append(index)
    return slots


def _arrange(number: int, radius: float) -> list[tuple[float, float, float]]:
    """Places for some props in one hand, [m]: touching, three to a layer."""
    if number == 1:
        return [(0.0, 0.0, 0.0)]
    if number == 2:
        return [(-radius, 0.0, 0.0), (radius, 0.0, 0.0)]
    third = radius / np.sqrt(3.0)
    corners = ((-radius, -third), (radius, -third), (0.0, 2 * third))
    return [(x, 2 * radius * layer, z) for layer in range((number + 2) // 3) for x, z in corners][:number]
