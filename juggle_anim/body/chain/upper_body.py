"""The chain of the upper body: a spine and two arms, redundant for the positions of the hands."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

import numpy as np

from juggle_anim.arrays import Floats
from juggle_anim.body.chain.chain import Chain, Frame, Revolute, Triple
from juggle_anim.body.skeleton import FOREARM, HIP_HEIGHT, PALM, SHOULDER, SPINE, UPPER_ARM
from juggle_anim.body.trunk_and_legs import EASY_LEAN

SIDES = ("left", "right")

LIMITS = {
    "spine flexion": (-25.0, 80.0),
    "spine bending": (-35.0, 35.0),
    "spine rotation": (-45.0, 45.0),
    "clavicle elevation": (-10.0, 45.0),
    "clavicle protraction": (-25.0, 25.0),
    "shoulder flexion": (-60.0, 180.0),
    "shoulder abduction": (-45.0, 120.0),
    "shoulder rotation": (-90.0, 70.0),
    "elbow flexion": (0.0, 150.0),
    "wrist flexion": (-70.0, 80.0),
    "wrist deviation": (-30.0, 20.0),
}
"""Ranges of motion of the joints, [°].

Source: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording"
(1965), for spine, shoulder, elbow and wrist; D. A. Neumann, "Kinesiology of the Musculoskeletal
System", for the clavicle and for the abduction of the upper arm alone, since the clavicle has
joints of its own here. Positive directions, in order: forward, to the left, turned to the left; up,
forward; forward, outward, inward; bent; toward palm, toward thumb.
"""

AT_EASE = {
    "spine flexion": np.degrees(EASY_LEAN),
    "shoulder abduction": 20.0,
    "shoulder flexion": 5.0,
    "elbow flexion": 90.0,
}
"""Joint angles of the default posture, [°]; the others are 0."""

_LAST_OF_SPINE = 2  # index of the last joint of the spine, which has three

_SAME_PLACE = (0.0, 0.0, 0.0)  # offset of a joint that is where the one before it is
_LEFT = (1.0, 0.0, 0.0)
_UP = (0.0, 1.0, 0.0)


def upper_body(sides: Sequence[int] = (0, 1)) -> Chain:
    """Build the chain of a spine and arms, which hang at angles 0.

    Jugglers face +z, with +y up and the left at +x. Joints are, in this order, those of the spine
    (3), and for each side clavicle (2), shoulder (3), elbow (1) and wrist (2); a joint with several
    axes is a chain of revolute joints at the same place.

    Args:
        sides: which arms, in this order along the chain: 0 for the left one, 1 for the right one.
    """
    # Name, offset and axis; right-handed turns about these axes go forward, to the left side, and
    # to the left, as `LIMITS` counts them.
    spine = [
        ("spine flexion", (0.0, HIP_HEIGHT, 0.0), _LEFT),
        ("spine bending", _SAME_PLACE, (0.0, 0.0, -1.0)),
        ("spine rotation", _SAME_PLACE, _UP),
    ]
    # Each joint of the spine is carried by the one before, and the first by the ground, −1.
    joints = [
        _joint(name, name, index - 1, offset, axis)
        for index, (name, offset, axis) in enumerate(spine)
    ]
    for side in sides:
        joints += _arm(side, len(joints))
    return Chain(tuple(joints))


def palm(chain: Chain, side: int) -> Frame:
    """The frame of a palm, where a hand holds a prop, at the last joint of an arm.

    Args:
        chain: of the upper body, with this arm.
        side: 0 for the left arm, 1 for the right one.
    """
    return Frame(chain.index(f"{SIDES[side]} wrist deviation"), (0.0, -PALM, 0.0))


def posture_at_ease(chain: Chain) -> Floats:
    """Joint angles of the default posture, shape (n,), [rad]."""
    kinds = [joint.name.removeprefix("left ").removeprefix("right ") for joint in chain.joints]
    return np.radians([AT_EASE.get(kind, 0.0) for kind in kinds])


def _arm(side: int, first: int) -> list[Revolute]:
    """The eight joints of one arm, from the clavicle to the wrist.

    Args:
        side: 0 for the left arm, 1 for the right one.
        first: index that the arm's first joint will have in the chain.
    """
    # The arms are mirror images. A reflection from left to right keeps the sense of rotations about
    # the lateral axis x and reverses that about y and z, hence `out` in the axes along these. The
    # names say where a right-handed turn about the axis moves a hanging arm.
    out = 1.0 if side == 0 else -1.0
    raised = (0.0, 0.0, out)
    inward = (0.0, -out, 0.0)
    forward = (-1.0, 0.0, 0.0)
    # Name without the side, offset from the joint before, and axis.
    kinds: list[tuple[str, Triple, Triple]] = [
        ("clavicle elevation", (0.0, SPINE, 0.0), raised),
        ("clavicle protraction", _SAME_PLACE, inward),
        ("shoulder flexion", (out * SHOULDER, 0.0, 0.0), forward),
        ("shoulder abduction", _SAME_PLACE, raised),
        ("shoulder rotation", _SAME_PLACE, inward),
        ("elbow flexion", (0.0, -UPPER_ARM, 0.0), forward),
        ("wrist flexion", (0.0, -FOREARM, 0.0), forward),
        ("wrist deviation", _SAME_PLACE, raised),
    ]
    # The last joint of the spine carries the first of the arm; each other one is carried by the
    # joint before it.
    parents = [_LAST_OF_SPINE, *range(first, first + len(kinds) - 1)]
    return [
        _joint(f"{SIDES[side]} {kind}", kind, parent, offset, axis)
        for parent, (kind, offset, axis) in zip(parents, kinds, strict=True)
    ]


def _joint(name: str, kind: str, parent: int, offset: Triple, axis: Triple) -> Revolute:
    """A joint with the limits of its kind, a key of `LIMITS`; the rest as in `Revolute`."""
    lower, upper = LIMITS[kind]
    return Revolute(name, parent, offset, axis, lower=radians(lower), upper=radians(upper))
