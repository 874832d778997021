"""Where in a hand a prop lies: alone in the palm's middle, several side by side."""

from __future__ import annotations

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
        Shape (len(carries), 3), in the world, [m].
    """
    offsets = np.zeros((len(carries), 3))
    for hand in range(2 * choreography.jugglers):
        mine = sorted((index for index, carry in enumerate(carries) if carry[0] == hand), key=lambda i: carries[i][1])
        for cluster in _clusters([carries[index] for index in mine], choreography.duration):
            members = [mine[place] for place in cluster]
            slots = _slots([carries[index] for index in members], choreography.duration)
            places = _arrange(max(slots) + 1, radius)
            turn = choreography.facing[hand // 2]
            for index, slot in zip(members, slots, strict=True):
                x, y, z = places[slot]
                offsets[index] = x * np.cos(turn) + z * np.sin(turn), y, z * np.cos(turn) - x * np.sin(turn)
    return offsets


def _overlap(one: Carry, other: Carry, loop: float) -> bool:
    """Whether two stays share a moment, in any loop."""
    if one[2] - one[1] >= loop or other[2] - other[1] >= loop:
        return True
    return (other[1] - one[1]) % loop < one[2] - one[1] or (one[1] - other[1]) % loop < other[2] - other[1]


def _clusters(carries: list[Carry], loop: float) -> list[list[int]]:
    """Groups of stays that are linked by sharing moments; sorted by start, so that neighbours overlap first."""
    groups: list[list[int]] = []
    for index, carry in enumerate(carries):
        linked = [group for group in groups if any(_overlap(carry, carries[other], loop) for other in group)]
        groups = [group for group in groups if group not in linked]
        groups.append(sorted([*(member for group in linked for member in group), index]))
    return groups


def _slots(carries: list[Carry], loop: float) -> list[int]:
    slots: list[int] = []
    for index, carry in enumerate(carries):
        taken = {slots[other] for other in range(index) if _overlap(carry, carries[other], loop)}
        slots.append(next(slot for slot in range(len(carries)) if slot not in taken))
    return slots


def _arrange(count: int, radius: float) -> list[tuple[float, float, float]]:
    """Places for some props in one hand, [m]: touching, three to a layer."""
    if count == 1:
        return [(0.0, 0.0, 0.0)]
    if count == 2:
        return [(-radius, 0.0, 0.0), (radius, 0.0, 0.0)]
    third = radius / np.sqrt(3.0)
    corners = ((-radius, -third), (radius, -third), (0.0, 2 * third))
    return [(x, 2 * radius * layer, z) for layer in range((count + 2) // 3) for x, z in corners][:count]
