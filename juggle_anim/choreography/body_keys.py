"""Where bodies are: in a circle, or where the staging says."""

from __future__ import annotations

import numpy as np

from juggle_anim.choreography.choreography import BodyKeys
from juggle_anim.choreography.formation import SMALLEST_RADIUS, circle
from juggle_anim.choreography.staging import BodyMoves
from juggle_anim.pattern import Pattern


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
