"""The head: on the neck, with the face turned to where a juggler looks."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.skeleton import FACE, HEAD
from juggle_anim.vectors import dot, unit

# The middle of a head is a little forward of the top of its neck, [rad].
_FORWARD = np.radians(6.0)


def carry_head(neck: Floats, upright: Floats, gaze: Floats | None) -> tuple[Floats, Floats]:
    """The middle of the head, and of the face, for jugglers who face +z; each of shape (T, J, 3), [m].

    Args:
        neck: top of the neck, shape (T, J, 3), [m].
        upright: where the trunk has the head lean, shape (T, J, 3), never level.
        gaze: yaw, positive to the left, and pitch, positive up, shape (T, J, 2), [rad]; None to look straight ahead.
    """
    look = np.array([0.0, 0.0, 1.0]) if gaze is None else _direction(gaze[..., 0], gaze[..., 1])
    up = unit(upright - dot(upright, look) * look)
    head = neck + HEAD * (np.cos(_FORWARD) * up + np.sin(_FORWARD) * look)
    return head, head + FACE * look


def _direction(yaw: Floats, pitch: Floats) -> Floats:
    level = np.cos(pitch)
    return np.stack([np.sin(yaw) * level, np.sin(pitch), np.cos(yaw) * level], axis=-1)
