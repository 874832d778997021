"""The skin: which segments carry each end of each limb, and how much.

The ends of limbs are weighted sums of joints, and those of a trunk or a finger belong to no one segment. So some poses
are tried, in which each segment is turned a little at random, as far as it can be: a limb that goes along with one
segment is bound to it, and where none does, each of its ends is bound to the two that bring it nearest to its place.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.bone_rotations import OFFSETS
from juggle_anim.exporter.models.rest_pose import REST
from juggle_anim.exporter.models.segments import ENDS, NAMES, PARENTS, SEGMENTS
from juggle_anim.scene.figure import figure_capsules
from juggle_anim.scene.rows import Cone


@lru_cache(maxsize=1)
def skin() -> tuple[Integers, Floats]:
    """For each limb's start and end the segments that carry it, and their shares; each of shape (limbs, 2, 2)."""
    rotations = _tried()
    begins, joints = _placed(rotations)
    at_rest, wanted = _ends(REST), _ends(joints)
    seen = at_rest[:, :, None] - np.array([REST[each.joint] for each in SEGMENTS])
    carried = np.einsum("ksab,lesb->klesa", rotations, seen) + begins[:, None, None]
    missed = np.linalg.norm(carried - wanted[:, :, :, None], axis=-1).max(axis=0)
    whole = missed.max(axis=1)
    best = np.where(whole.min(axis=1, keepdims=True) < _ALONG, whole.argmin(axis=1)[:, None], missed.argmin(axis=2))
    second, share = _second(carried, wanted, best)
    # A limb that moves with one segment stays rigid.
    share[whole.min(axis=1) < _ALONG] = 0.0
    return np.stack([best, np.where(share > 0, second, 0)], axis=-1), np.stack([1 - share, share], axis=-1)


def _second(carried: Floats, wanted: Floats, best: Integers) -> tuple[Integers, Floats]:
    """The segments that help those best, and their shares, each of shape (limbs, 2), by least squares."""
    first = np.take_along_axis(carried, best[None, :, :, None, None], axis=3)
    along, missing = carried - first, wanted[:, :, :, None] - first
    square = np.einsum("klesa,klesa->les", along, along)
    share = np.clip(np.einsum("klesa,klesa->les", along, missing) / np.maximum(square, 1e-12), 0.0, 1.0)
    left = ((share[..., None] * along - missing) ** 2).sum(axis=(0, 4))
    second = left.argmin(axis=2)
    chosen: Floats = np.take_along_axis(share, second[..., None], axis=2)[..., 0]
    return second, np.where(chosen > _LEAST_SHARE, chosen, 0.0)


def _ends(joints: Floats) -> Floats:
    """Starts and ends of limbs, shape (..., limbs, 2, 3)."""
    rows = figure_capsules(joints.reshape(-1, 1, JOINTS, 3)).reshape(*joints.shape[:-2], -1, Cone.WIDTH)
    return np.stack([rows[..., Cone.START], rows[..., Cone.END]], axis=-2).astype(float)


def _tried() -> Floats:
    """Random rotations of the segments in the world, shape (poses, S, 3, 3)."""
    turns = np.random.default_rng(0).uniform(-_TURN, _TURN, (_POSES, len(SEGMENTS), 3)) * [_free(n) for n in NAMES]
    local = _rotations(turns)
    world = np.empty_like(local)
    for number, parent in enumerate(PARENTS):
        above = world[:, parent] if parent >= 0 else np.eye(3)
        world[:, number] = above @ local[:, number]
        if NAMES[number].endswith("ankle"):
            world[:, number] = _rotations(turns[:, number] * (0.0, 1.0, 0.0))  # soles stay level
    return world


def _free(name: str) -> tuple[float, float, float]:
    """About which axes of the rest pose a segment can turn."""
    part = name.split("_")[-1]
    return {"pelvis": _YAW, "head": _NONE, "palm": _HINGE, "fingers": _HINGE}.get(part, (1.0, 1.0, 1.0))


def _placed(rotations: Floats) -> tuple[Floats, Floats]:
    """Where segments begin, shape (poses, S, 3), and all joints, shape (poses, `JOINTS`, 3), [m]."""
    begins = np.empty(rotations.shape[:-1])
    joints = np.empty((len(rotations), JOINTS, 3))
    begins[:, 0] = OFFSETS[0]
    for number, segment in enumerate(SEGMENTS):
        if number:
            parent = PARENTS[number]
            begins[:, number] = begins[:, parent] + rotations[:, parent] @ OFFSETS[number]
        joints[:, segment.joint] = begins[:, number]
    for joint, name in ENDS.items():
        number = NAMES.index(name)
        joints[:, joint] = begins[:, number] + rotations[:, number] @ (REST[joint] - REST[SEGMENTS[number].joint])
    return begins, joints


def _rotations(vectors: Floats) -> Floats:
    """Rotations by vectors, whose length is the angle: the formula of Rodrigues; shape (..., 3, 3)."""
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)[..., None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = 0 * x
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + np.sinc(angle / np.pi) * cross + np.sinc(angle / (2 * np.pi)) ** 2 / 2 * (cross @ cross)


_POSES, _TURN = 64, 0.4
_LEAST_SHARE = 0.1
_ALONG = 0.006  # so near the right place a limb counts as moving with a segment, [m]
_YAW, _HINGE, _NONE = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
