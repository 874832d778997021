"""One move of the joints: toward the goal by the pseudoinverse, toward a posture in its null space, within limits."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Booleans, Floats
from juggle_anim.body.chain.pseudoinverse import pseudoinverse

# Joints that would pass their limit stop there, and the others share what is left, this many times.
_SHARINGS = 3


def move_joints(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats, room: tuple[Floats, Floats]) -> Floats:
    """dθ = J⁺ dX + (1 − J⁺ J) g, with no joint beyond its limits.

    Args:
        jacobian: J, shape (m, n, B), [m/rad].
        wanted: dX, shape (m, B), [m].
        pull: g, shape (n, B), where the joints would go if there were no goal, [rad].
        damping: λ², shape (B,), [m²/rad²].
        room: how far down and up each joint may turn, each of shape (n, B), [rad].

    Returns:
        Shape (n, B), [rad].

    Source: D. E. Whitney, "Resolved motion rate control of manipulators and human prostheses", 1969; the null space
    after A. Liégeois, "Automatic supervisory control of the configuration and behavior of multibody mechanisms", 1977.
    """
    down, up = room
    free = np.ones(pull.shape, dtype=bool)
    move = _free_move(jacobian, wanted, pull, damping)
    for _ in range(_SHARINGS):
        bounded = np.minimum(np.maximum(move, down), up)
        stopped = free & (bounded != move)
        some = stopped.any(axis=0)
        if not some.any():
            break
        move = bounded
        free &= ~stopped
        move[:, some] = _shared(
            jacobian[..., some], wanted[:, some], pull[:, some], damping[some], free[:, some], move[:, some]
        )
    return np.minimum(np.maximum(move, down), up)


def _shared(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats, free: Booleans, stopped: Floats) -> Floats:
    """The move when some joints go as far as they are told and only the free ones can make up for it."""
    stopped = np.where(free, 0.0, stopped)
    left = wanted - np.einsum("inb,nb->ib", jacobian, stopped)
    return stopped + _free_move(jacobian * free, left, pull * free, damping)


def _free_move(jacobian: Floats, wanted: Floats, pull: Floats, damping: Floats) -> Floats:
    # J⁺ dX + (1 − J⁺ J) g = J⁺ (dX − J g) + g
    inverse = pseudoinverse(jacobian, damping)
    return pull + np.einsum("nib,ib->nb", inverse, wanted - np.einsum("inb,nb->ib", jacobian, pull))
