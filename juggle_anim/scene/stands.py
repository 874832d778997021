"""Tables and stands on which props lie: boards on four legs."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.choreography.stands import STAND_HEIGHT, lying_places
from juggle_anim.motion import Motion
from juggle_anim.motion.bodies import FACING, PLACE
from juggle_anim.scene.rows import Cone, cones, no_rows
from juggle_anim.vectors import rotate_about_y

_WOOD, _METAL, _GLOSS = (0.66, 0.52, 0.38), (0.42, 0.43, 0.45), 0.1
_BOARD = 0.03  # from board to board, [m]
_THICK, _LEG, _INSET = 0.016, 0.012, 0.03  # radii of boards and legs, and how far in legs stand, [m]

# How far a stand goes beyond the places on it: toward the body and away from it, back and ahead, [m].
_INWARD, _OUTWARD, _BACK, _AHEAD = 0.06, 0.14, 0.12, 0.12
_LONG_BACK, _LONG_AHEAD = 0.16, 0.42  # for clubs and rings, which point ahead


def board_table(sides: tuple[float, float], ahead: tuple[float, float], height: float, body: Floats) -> Singles:
    """Return round cones of a table.

    Args:
        sides: from where to where it goes to the left of a body, [m].
        ahead: likewise ahead.
        height: of its surface, [m].
        body: shape (4,), where the juggler stands, as `Bodies.places` has it.

    Returns:
        Shape (N, 12), rows of `Cone`.
    """
    rows = np.arange(ahead[0], ahead[1], _BOARD).tolist()
    boards = [((sides[0], height - _THICK, z), (sides[1], height - _THICK, z), _THICK) for z in rows]
    feet = [(x, z) for x in (sides[0] + _INSET, sides[1] - _INSET) for z in (rows[0], rows[-1])]
    legs = [((x, _LEG, z), (x, max(height - 2 * _THICK, _LEG + 1e-3), z), _LEG) for x, z in feet]
    start, end = (np.array([row[side] for row in boards + legs], dtype=float) for side in (0, 1))
    start, end = (rotate_about_y(each, body[FACING : FACING + 1]) + body[PLACE] for each in (start, end))
    radii = np.array([row[2] for row in boards + legs])
    colours = np.array([_WOOD] * len(boards) + [_METAL] * len(legs))
    return cones(start, radii, end, radii, colours, _GLOSS)


def prop_stands(motion: Motion) -> Singles:
    """Return the stands of all jugglers who put props down or pick some up, as rows of `Cone`, shape (N, 12)."""
    bodies, found = motion.bodies.places(np.zeros(1))[0], [no_rows(0, Cone.WIDTH)]
    back, ahead = (_LONG_BACK, _LONG_AHEAD) if motion.shapes.has_oriented else (_BACK, _AHEAD)
    height = STAND_HEIGHT - float(motion.shapes.size.max(initial=0.0)) / 2
    for hand, places in lying_places(motion.choreography).items():
        out = places[:, 0] * (1 - 2 * (hand % 2))
        across = sorted((1 - 2 * (hand % 2)) * np.array([out.min() - _INWARD, out.max() + _OUTWARD]))
        along = places[:, 2].min() - back, places[:, 2].max() + ahead
        found.append(board_table((across[0], across[1]), along, height, bodies[hand // 2]))
    return np.concatenate(found)
