"""From places seen from the hands to places seen from the body.

MERGED: Where several jugglers stand: in a circle, all facing its middle.

MERGED: Where bodies are: in a circle, or where the staging says.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.choreography.choreography import BodyKeys
from juggle_anim.choreography.score import BodyMoves, Point
from juggle_anim.pattern import Pattern

HAND_HEIGHT = 1.0
"""Height of throws and catches above the floor, [m]."""

HAND_FORWARD = 0.3
"""How far in front of the body hands throw and catch, [m]."""

REST = 0.25
"""How far outward a hand rests that has nothing to do, [m]."""

SMALLEST_RADIUS = 0.70
"""Of the circle, [m]."""

HALF_SPACING = 0.65
"""Neighbours stand at least twice this apart, [m]."""


def mean_point(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    outward, up, forward = (sum(parts) / len(points) for parts in zip(*points, strict=True))
    return outward, up, forward


def place(points: Sequence[Point], hand: Integers) -> Floats:
    """Points seen from the hands, as they are seen from the bodies.

    Args:
        points: N of them.
        hand: shape (N,), 2 · juggler + side.

    Returns:
        Shape (N, 3): to the left, up and forward of the place under the feet, [m].
    """
    seen = np.array(points, dtype=float).reshape(-1, 3)
    seen[:, 0] *= np.where(hand % 2 == 0, 1.0, -1.0)
    return seen + (0.0, HAND_HEIGHT, HAND_FORWARD)


def at_rest(jugglers: int) -> Floats:
    """Where hands rest, shape (2 · jugglers, 3), as by `place`."""
    hands = np.arange(2 * jugglers)
    return place([(REST, 0.0, 0.0)] * len(hands), hands)


def circle(jugglers: int, smallest: float = SMALLEST_RADIUS) -> tuple[Floats, Floats]:
    """Places and turns of some jugglers: those of Juggling Lab 1.7.7, if `smallest` is its radius.

    A single juggler stands in the middle and faces +z. Of several, the first stands at −x, the others follow
    counter-clockwise as seen from above. `smallest` is the radius at least, [m].

    Returns:
        Shape (J, 3), the point on the floor under each, [m], and shape (J,), the turn of each about +y, [rad].
    """
    if jugglers == 1:
        return np.zeros((1, 3)), np.zeros(1)
    radius = max(smallest, HALF_SPACING / np.sin(np.pi / jugglers))
    angle = 2 * np.pi * np.arange(jugglers) / jugglers
    standing = radius * np.stack([-np.cos(angle), np.zeros(jugglers), np.sin(angle)], axis=-1)
    return standing, np.pi / 2 + angle


def body_keys(pattern: Pattern, moves: BodyMoves | None, rate: float, radius: float = SMALLEST_RADIUS) -> BodyKeys:
    """The places of all bodies in one loop; those of whom nothing is said stand in the circle.

    Args:
        pattern: its jugglers and its loop.
        moves: what is said.
        rate: beats of the pattern, or parts of them, a second.
        radius: of the circle at least, [m].
    """
    standing, facing = circle(pattern.jugglers, radius)
    rows: list[tuple[float, int, tuple[float, ...], float]] = []
    for juggler in range(pattern.jugglers):
        mine = list(_said(pattern, moves, juggler, rate)) if moves else []
        x, y, z = standing[juggler].tolist()
        mine = mine or [(0.0, (x, y, z), float(facing[juggler]))]
        rows += [(time, juggler, position, turn) for time, position, turn in mine]
    return BodyKeys(
        time=np.array([row[0] for row in rows]),
        juggler=np.array([row[1] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.array([row[3] for row in rows]),
    )


def _said(
    pattern: Pattern, moves: BodyMoves, juggler: int, rate: float
) -> list[tuple[float, tuple[float, float, float], float]]:
    way = moves.beats[juggler % len(moves.beats)]
    found = [
        ((beat + step / len(steps)) * pattern.division / rate, place.position, place.facing)
        for beat in range(-(-pattern.period // pattern.division))
        for steps in [way[beat % len(way)]]
        for step, place in enumerate(steps)
        if place is not None
    ]
    # One place for ever is no way: it is said once.
    return found[:1] if len({row[1:] for row in found}) == 1 else found
