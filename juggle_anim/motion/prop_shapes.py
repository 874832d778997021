"""What shape each prop has, as far as it matters for how it is held and flies.

MERGED: Where in a hand a prop lies: alone in the palm's middle, several side by side.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import Choreography, PropLook

CLUB_LENGTH = 0.52
"""[m]."""

CLUB_WIDTH = 0.095
"""Of a club's body at its thickest, [m]."""

CLUB_CENTRE = 0.25
"""From the end of the knob to where a club balances, [m]."""

CLUB_HELD = 0.07
"""From there to where the hand has the handle, [m]."""

HANDLE_RADIUS = 0.0125
"""[m]."""

RING_DIAMETER = 0.32
"""Outer, [m]."""

RING_HOLE = 0.75
"""The inner diameter of a ring as a share of the outer."""

RIM_HELD = 0.010
"""How deep a hand holds a ring's rim, [m]."""

POINTED = ("club", "ring")
"""Kinds that look different when they turn."""

Carry = tuple[int, float, float]
"""A hand, and the times from and to which one prop stays at one place in it, [s]."""


@dataclass(frozen=True)
class PropShapes:
    """The shapes of P props.

    Args:
        kind: of each, "ball", "club" or "ring".
        size: shape (P,), diameter of balls and, outer, of rings; of clubs that of the body, [m].
        held: shape (P,), from where a hand has it to the palm's skin, [m].
        arm: shape (P,), from where a hand has it to its centre, [m]; 0 for balls.
    """

    kind: tuple[str, ...]
    size: Floats
    held: Floats
    arm: Floats

    @cached_property
    def points(self) -> Booleans:
        """Whether each looks different when it turns, shape (P,)."""
        return np.array([kind in POINTED for kind in self.kind], dtype=bool)

    @cached_property
    def pointed(self) -> bool:
        """Whether any does."""
        return bool(self.points.any())

    @property
    def clubs(self) -> bool:
        """Whether any is a club."""
        return "club" in self.kind

    @property
    def palm(self) -> float:
        """From the place of a hand to its palm's skin, [m]."""
        return float(self.held.max(initial=0.0))

    @cached_property
    def lower(self) -> Floats:
        """How far below the place of a hand it has each prop, so that all lie on its palm, shape (P,), [m]."""
        return np.where(self.points, self.palm - self.held, 0.0)

    @property
    def reach(self) -> Floats:
        """How far each prop reaches from its centre, shape (P,), [m]."""
        return np.where([kind == "club" for kind in self.kind], CLUB_LENGTH - CLUB_CENTRE, self.size / 2)

    @cached_property
    def variety(self) -> tuple[Integers, Integers]:
        """A prop of each sort that flies differently, and which sort each prop is, shape (P,)."""
        if not self.pointed:
            return np.zeros(min(1, len(self.kind)), dtype=np.intp), np.zeros(len(self.kind), dtype=np.intp)
        sorts: dict[tuple[str, float], int] = {}
        first: list[int] = []
        each = []
        for prop, sort in enumerate(zip(self.kind, self.arm.tolist(), strict=True)):
            if sort not in sorts:
                sorts[sort] = len(first)
                first.append(prop)
            each.append(sorts[sort])
        return np.array(first, dtype=np.intp), np.array(each, dtype=np.intp)


def prop_shapes(choreography: Choreography, usual: float) -> PropShapes:
    """The shapes of all props.

    Args:
        choreography: its looks.
        usual: diameter of balls that have none of their own, [m].
    """
    looks = choreography.looks or (PropLook(),) * choreography.props
    kind = tuple(look.kind if look.kind in POINTED else "ball" for look in looks)
    usually = {"ball": usual, "club": CLUB_WIDTH, "ring": RING_DIAMETER}
    size = np.array([look.diameter or usually[name] for look, name in zip(looks, kind, strict=True)], dtype=float)
    club, ring = (np.array([name == wanted for name in kind], dtype=bool) for wanted in POINTED)
    return PropShapes(
        kind=kind,
        size=size,
        held=np.where(club, HANDLE_RADIUS, np.where(ring, RIM_HELD, size / 2)),
        arm=np.where(club, CLUB_CENTRE - CLUB_HELD, np.where(ring, np.maximum(size / 2 - RIM_HELD, 0.0), 0.0)),
    )


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
