"""The arms: from each shoulder to the prop that its hand holds.

MERGED: The axes of an arm's joints: how its upper arm, its forearm and its hand are turned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Floats, Rule
from juggle_anim.body.arms.arm import Arm, ArmPose
from juggle_anim.body.arms.solvers import Solver
from juggle_anim.body.hand import FREE_BEND, turn_hands
from juggle_anim.body.skeleton import FOREARM, PALM, THUMB_BACK, UPPER_ARM, Joint
from juggle_anim.vectors import cross, dot, norm, unit

FAR, FARTHEST = 0.94, 0.982
"""A wrist that is farther from its shoulder than the first share of the arm is brought within the second."""

NEAR, NEAREST = 0.38, 0.32
"""One that is nearer is kept beyond the second, where the elbow is bent by 145°: its muscles bend it no farther
(I. A. Kapandji, "The Physiology of the Joints", volume 1), and around a nearer wrist it would fly about."""

_BONES, _SIDES = Arm(UPPER_ARM, FOREARM), np.array([0, 1])

ARM_RULES: dict[str, Rule] = {
    "FREE_BEND": FREE_BEND, "FOREARM": FOREARM, "PALM": PALM, "UPPER_ARM": UPPER_ARM, "FAR": FAR, "FARTHEST": FARTHEST,
    "NEAR": NEAR, "NEAREST": NEAREST, "SIDES": _SIDES,
}  # fmt: skip
"""What a web page is told, by the names that its scripts have for it."""

_STRAIGHT = 1e-6  # sine of the bend below which an arm has no plane of its own


@dataclass(frozen=True)
class Arms:
    """Joints of both arms, each of shape (T, J, 2, 3), [m]; gaps (T, J, 2) by which palms miss their place, [m]."""

    elbows: Floats
    wrists: Floats
    palms: Floats
    fingers: Floats
    tips: Floats
    thumbs: Floats
    thumb_tips: Floats
    gaps: Floats


def reach_for(hands: Floats, turns: Floats, shoulders: Floats, solver: Solver, swivels: Floats) -> Arms:
    """Pose the arms so that each palm faces the point where its hand holds a prop, and lies against the prop.

    Args:
        hands: shape (T, J, 2, 3), where a held prop's centre is, for jugglers who face +z, [m].
        turns: shape (T, J, 2, `CHANNELS`), of the hands, as `juggle_anim.motion.palms` has them.
        shoulders: shape (T, J, 2, 3), [m].
        solver: that finds the elbows.
        swivels: that lift the elbows outward, shape (2,), [rad].
    """
    away = hands - shoulders
    turned = turn_hands(away, turns)
    wrists = turned.wrists(away)
    found = _solved(shoulders, wrists, solver, swivels)
    forearm = (found.wrist - found.elbow) / FOREARM
    if (dot(forearm, turned.fingers) < np.cos(FREE_BEND)).any():
        turned = turned.bent_less(forearm)
        wrists = turned.wrists(away)
        found = _solved(shoulders, wrists, solver, swivels)
    palms = found.wrist + PALM * turned.fingers
    missed = shoulders + wrists - found.wrist
    return Arms(found.elbow, found.wrist, palms, *turned.joints(palms), norm(missed)[..., 0])


def from_shoulders_to_wrists(hands: Floats, turns: Floats, shoulders: Floats) -> Floats:
    """Where wrists would have to be, seen from their shoulders, (T, J, 2, 3), if they could bend as they like, [m]."""
    away = hands - shoulders
    return turn_hands(away, turns).wrists(away)


def _solved(shoulders: Floats, away: Floats, solver: Solver, swivels: Floats) -> ArmPose:
    distance = norm(away)
    axis = away / np.maximum(distance, 1e-9)
    return solver(shoulders, shoulders + axis * _within(distance, UPPER_ARM + FOREARM), _BONES, _SIDES, swivels)


def _within(distance: Floats, length: float) -> Floats:
    """Distances that an arm of this length can span at ease: the last of it, far and near, is reached ever slower.

    A straight arm that bends does so with boundless speed, so no arm is ever quite straight. And around a wrist right
    at its shoulder the elbow would fly about, so no wrist ever is quite there.
    """
    far, near = FAR * length, NEAR * length
    beyond, short = np.maximum(distance - far, 0.0), np.maximum(near - distance, 0.0)
    last, first = (FARTHEST - FAR) * length, (NEAR - NEAREST) * length
    return distance + (last * np.tanh(beyond / last) - beyond) - (first * np.tanh(short / first) - short)


def arm_axes(joints: Floats) -> Floats:
    """Rotations of the shoulder, the elbow and the wrist of both arms.

    Those of shoulder and elbow are the `rotations` of the solvers' `ArmPose`: x along the bone, away from the body; z
    along the elbow's hinge; y = z × x. Of the wrist x is along the palm and z points to the side of the thumb.

    Args:
        joints: shape (..., `JOINTS`, 3), [m].

    Returns:
        Shape (..., 2, 3, 3, 3): side, joint, and the axes as columns.
    """
    shoulder, elbow, wrist, palm, thumb = (
        joints[..., [Joint[f"LEFT_{name}"], Joint[f"RIGHT_{name}"]], :]
        for name in ("SHOULDER", "ELBOW", "WRIST", "PALM", "THUMB")
    )
    upper, lower, fingers = unit(elbow - shoulder), unit(wrist - elbow), (palm - wrist) / PALM
    out = unit(thumb - palm + THUMB_BACK * fingers)
    across = cross(lower, upper)
    size = norm(across)
    # A straight arm has as good as any hinge; its hand's is the one that it would have.
    hinge = np.where(size > _STRAIGHT, across / np.maximum(size, _STRAIGHT), unit(out - dot(out, upper) * upper))
    bones = ((upper, hinge), (lower, hinge), (fingers, out))
    return np.stack([np.stack([x, cross(z, x), z], axis=-1) for x, z in bones], axis=-3)
