"""Bone rotations: how each segment of a body is turned, from where its joints are."""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.rest_pose import REST
from juggle_anim.exporter.models.segments import PARENTS, SEGMENTS
from juggle_anim.vectors import cross, dot, unit

OFFSETS = np.array([REST[each.joint] for each in SEGMENTS])
OFFSETS[1:] -= OFFSETS[PARENTS[1:]]
"""Where each segment begins, seen from its parent at rest, and the first from the floor, shape (S, 3), [m]."""


def world_rotations(joints: Floats) -> Floats:
    """How segments are turned from the rest pose, in the world.

    Args:
        joints: shape (..., `JOINTS`, 3), [m].

    Returns:
        Shape (..., S, 3, 3), for column vectors, in the order of `SEGMENTS`.
    """
    along, aside = (weights[:, :JOINTS] @ joints + weights[:, JOINTS:] * _UP for weights in (_ALONG, _ASIDE))
    return _frames(along, aside) @ _TO_REST


def local_rotations(joints: Floats) -> Floats:
    """How segments are turned from the rest pose, seen from their parents; all else is as for `world_rotations`."""
    world = world_rotations(joints)
    local: Floats = np.swapaxes(world[..., PARENTS, :, :], -1, -2) @ world
    local[..., 0, :, :] = world[..., 0, :, :]
    return local


def _frames(along: Floats, aside: Floats) -> Floats:
    """Rotations whose columns are the first direction, the second made square to it, and their cross product."""
    x = unit(along)
    y = unit(aside - dot(aside, x) * x)
    return np.stack([x, y, cross(x, y)], axis=-1)


_UP = np.array([0.0, 1.0, 0.0])
_ALONG = np.array([each.along for each in SEGMENTS])
_ASIDE = np.array([each.aside for each in SEGMENTS])
_TO_REST = np.swapaxes(
    _frames(np.array([each.rest_along for each in SEGMENTS]), np.array([each.rest_aside for each in SEGMENTS])), -1, -2
)
