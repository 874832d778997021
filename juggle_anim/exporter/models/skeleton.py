"""The skeleton of models: rigid segments, each turning about the joint where it begins; rest pose
and rotations.

A segment's rotation follows from two directions: one along it, and one to its side, which are never
parallel. Both are weighted sums of joints, so those of all segments are one matrix product. At rest
a person stands upright, faces +z and spreads the arms, palms down and fingers straight.

Names of bones in models: ours, or those by which other programs know a person, and on what each
bone hangs.

Mixamo's names are those of the characters at mixamo.com; VRM's are the humanoid bones of the VRM
Consortium ("VRM 1.0", `humanoid.md`). Both hang the shoulders on the chest. Poses do not depend on
names: bones begin and end at the same places, and only what a shoulder's turn is told against
differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body import skeleton as bones
from juggle_anim.vectors import cross, dot, unit

_WEIGHTS = np.eye(JOINTS + 1)
_UPRIGHT = _WEIGHTS[JOINTS]
_X = (1.0, 0.0, 0.0)
_Y = (0.0, 1.0, 0.0)
_Z = (0.0, 0.0, 1.0)

ENDS = {
    Joint.FACE: "head",
    **{Joint[f"{side.upper()}_TIPS"]: f"{side}_fingers" for side in ("left", "right")},
    **{Joint[f"{side.upper()}_THUMB_TIP"]: f"{side}_thumb" for side in ("left", "right")},
    **{Joint[f"{side.upper()}_TOES"]: f"{side}_ankle" for side in ("left", "right")},
}
"""The end joints, where no segment begins, and the segments that carry them."""

THUMB_AWAY = 0.8, 0.6
"""Direction of the thumb: its parts along the fingers and ahead."""

TOES = -(bones.ANKLE_HEIGHT - 0.03) / bones.FOOT
"""Rise of the toes above the ankle, as a share of the foot's length."""

_UP = np.array([0.0, 1.0, 0.0])


MIXAMO = "mixamo"
VRM = "vrm"

BONES = (MIXAMO, VRM)
"""The programs whose names of bones can be chosen."""


@dataclass(frozen=True)
class Segment:
    """A rigid part of the body.

    Args:
        name: in files.
        parent: the name of its parent segment; empty for the first.
        joint: the joint where it begins.
        along: shape (`JOINTS` + 1,), weights of joints and of up, whose sum points along the
            segment.
        aside: likewise, to its side.
        rest_along, rest_aside: these directions at rest, at right angles.
    """

    name: str
    parent: str
    joint: Joint
    along: Floats
    aside: Floats
    rest_along: tuple[float, float, float]
    rest_aside: tuple[float, float, float]


def _trunk() -> list[Segment]:
    across = _from("RIGHT_HIP", "LEFT_HIP")
    spine = _from("PELVIS", "CHEST")
    neck = _from("NECK", "HEAD")
    face = _from("HEAD", "FACE")
    return [
        Segment("pelvis", "", Joint.PELVIS, across, _UPRIGHT, _X, _Y),
        Segment("spine", "pelvis", Joint.PELVIS, spine, across, _Y, _X),
        Segment("chest", "spine", Joint.CHEST, _from("CHEST", "NECK"), across, _Y, _X),
        Segment("neck", "chest", Joint.NECK, neck, face, _Y, _Z),
        Segment("head", "neck", Joint.HEAD, face, neck, _Z, _Y),
    ]


def _side(side: str, sign: float) -> list[Segment]:
    """An arm and a leg."""
    collar, shoulder, elbow, wrist, palm, fingers, thumb, hip, knee, ankle = (
        f"{side}_{part}"
        for part in (
            "collar",
            "shoulder",
            "elbow",
            "wrist",
            "palm",
            "fingers",
            "thumb",
            "hip",
            "knee",
            "ankle",
        )
    )
    joint = {part.name.removeprefix(f"{side.upper()}_"): part.name for part in Joint}
    out = (sign, 0.0, 0.0)
    behind = (0.0, 0.0, -1.0)
    # An arm is never fully straight, so shoulder to wrist lies in the elbow's plane, beside the
    # upper arm.
    reach = _from(joint["SHOULDER"], joint["WRIST"])
    # Fingers bend about the line towards the thumb's side.
    hinge = _from(joint["PALM"], joint["THUMB"]) + bones.THUMB_BACK / bones.PALM * _from(
        joint["WRIST"], joint["PALM"]
    )
    foot = _from(joint["ANKLE"], joint["TOES"])
    thumb_away = (sign * THUMB_AWAY[0], 0.0, THUMB_AWAY[1])
    thumb_aside = (-sign * THUMB_AWAY[1], 0.0, THUMB_AWAY[0])
    toes = (0.0, TOES, float(np.sqrt(1 - TOES**2)))
    instep = (0.0, float(np.sqrt(1 - TOES**2)), -TOES)

    def segment(
        name: str,
        parent: str,
        start: str,
        end: str,
        aside: Floats,
        *rest: tuple[float, float, float],
    ) -> Segment:
        return Segment(
            name,
            parent,
            Joint[joint[start]],
            _from(joint[start], joint[end]),
            aside,
            rest[0],
            rest[1],
        )

    return [
        segment(collar, "spine", "CHEST", "SHOULDER", _from("PELVIS", "CHEST"), out, _Y),
        segment(shoulder, collar, "SHOULDER", "ELBOW", reach, out, _Z),
        segment(elbow, shoulder, "ELBOW", "WRIST", reach, out, behind),
        segment(wrist, elbow, "WRIST", "PALM", hinge, out, _Z),
        segment(palm, wrist, "PALM", "FINGERS", hinge, out, _Z),
        segment(fingers, palm, "FINGERS", "TIPS", hinge, out, _Z),
        segment(thumb, wrist, "THUMB", "THUMB_TIP", hinge, thumb_away, thumb_aside),
        segment(hip, "pelvis", "HIP", "KNEE", foot, (0.0, -1.0, 0.0), _Z),
        segment(knee, hip, "KNEE", "ANKLE", foot, (0.0, -1.0, 0.0), _Z),
        segment(ankle, knee, "ANKLE", "TOES", _UPRIGHT, toes, instep),
    ]


def _from(start: str, end: str) -> Floats:
    return _WEIGHTS[Joint[end]] - _WEIGHTS[Joint[start]]


SEGMENTS = (*_trunk(), *_side("left", 1.0), *_side("right", -1.0))
"""All segments, each after its parent."""

NAMES = tuple(segment.name for segment in SEGMENTS)

PARENTS = np.array(
    [NAMES.index(segment.parent) if segment.parent else -1 for segment in SEGMENTS], dtype=np.intp
)
"""The number of each segment's parent; −1 for the first."""


def _rest() -> Floats:
    joints = np.zeros((JOINTS, 3))
    joints[Joint.PELVIS] = 0.0, bones.HIP_HEIGHT, 0.0
    joints[Joint.CHEST] = joints[Joint.PELVIS] + (0.0, bones.SPINE, 0.0)
    joints[Joint.NECK] = joints[Joint.CHEST] + (0.0, bones.NECK, 0.0)
    joints[Joint.HEAD] = joints[Joint.NECK] + (0.0, bones.HEAD, 0.0)
    joints[Joint.FACE] = joints[Joint.HEAD] + (0.0, 0.0, bones.FACE)
    _spread(joints, "LEFT", 1.0)
    _spread(joints, "RIGHT", -1.0)
    return joints


def _spread(joints: Floats, name: str, side: float) -> None:
    """Fill in an arm and a leg; `side` is 1 for the left."""
    foot = np.array([0.0, TOES, np.sqrt(1 - TOES**2)])
    steps = (
        ("SHOULDER", Joint.CHEST, (side * bones.SHOULDER, 0.0, 0.0)),
        ("ELBOW", "SHOULDER", (side * bones.UPPER_ARM, 0.0, 0.0)),
        ("WRIST", "ELBOW", (side * bones.FOREARM, 0.0, 0.0)),
        ("PALM", "WRIST", (side * bones.PALM, 0.0, 0.0)),
        ("FINGERS", "PALM", (side * bones.FINGERS, 0.0, 0.0)),
        ("TIPS", "FINGERS", (side * bones.TIPS, 0.0, 0.0)),
        ("THUMB", "PALM", (-side * bones.THUMB_BACK, 0.0, bones.THUMB_OUT)),
        (
            "THUMB_TIP",
            "THUMB",
            (side * bones.THUMB * THUMB_AWAY[0], 0.0, bones.THUMB * THUMB_AWAY[1]),
        ),
        ("HIP", Joint.PELVIS, (side * bones.HIP, 0.0, 0.0)),
        ("KNEE", "HIP", (0.0, -bones.THIGH, 0.0)),
        ("ANKLE", "KNEE", (0.0, -bones.SHANK, 0.0)),
        ("TOES", "ANKLE", tuple(bones.FOOT * foot)),
    )
    for joint, before, step in steps:
        start = before if isinstance(before, Joint) else Joint[f"{name}_{before}"]
        joints[Joint[f"{name}_{joint}"]] = joints[start] + step


REST = _rest()
"""The joints at rest, shape (`JOINTS`, 3), [m], with the same bone lengths as in every pose."""
REST.setflags(write=False)


def _bent_by_a_hair() -> Floats:
    joints = REST.copy()
    for side in ("LEFT", "RIGHT"):
        joints[
            [
                Joint[f"{side}_{part}"]
                for part in ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
            ],
            2,
        ] += 1e-6
    return joints


NEAR_REST = _bent_by_a_hair()
"""The same but for arms that are bent forward by a micrometre: quite straight ones have no plane.
"""
NEAR_REST.setflags(write=False)

OFFSETS = np.array([REST[each.joint] for each in SEGMENTS])
OFFSETS[1:] -= OFFSETS[PARENTS[1:]]
"""The start of each segment at rest, relative to its parent's start, or the origin; shape (S, 3),
[m].
"""


def world_rotations(joints: Floats) -> Floats:
    """Rotations of segments from the rest pose, in the world.

    Args:
        joints: shape (..., `JOINTS`, 3), [m].

    Returns:
        Shape (..., S, 3, 3), for column vectors, in the order of `SEGMENTS`.
    """
    along, aside = (
        weights[:, :JOINTS] @ joints + weights[:, JOINTS:] * _UP for weights in (_ALONG, _ASIDE)
    )
    return _frames(along, aside) @ _TO_REST


def local_rotations(joints: Floats, parents: Integers = PARENTS) -> Floats:
    """Rotations of segments from the rest pose, relative to `parents`; else as
    `world_rotations`.
    """
    world = world_rotations(joints)
    local: Floats = np.swapaxes(world[..., parents, :, :], -1, -2) @ world
    local[..., 0, :, :] = world[..., 0, :, :]
    return local


def _frames(along: Floats, aside: Floats) -> Floats:
    """Rotations whose columns are the first direction, the second made orthogonal to it, and their
    cross product.
    """
    x = unit(along)
    y = unit(aside - dot(aside, x) * x)
    return np.stack([x, y, cross(x, y)], axis=-1)


_ALONG = np.array([each.along for each in SEGMENTS])
_ASIDE = np.array([each.aside for each in SEGMENTS])

_TO_REST = np.swapaxes(
    _frames(
        np.array([each.rest_along for each in SEGMENTS]),
        np.array([each.rest_aside for each in SEGMENTS]),
    ),
    -1,
    -2,
)


@dataclass(frozen=True)
class Rig:
    """How the bones of a model are called, and on what they hang.

    Args:
        name: whose names these are; empty for ours.
        segments: the name of each of `SEGMENTS`.
        ends: the name of each of `ENDS`.
        parents: shape (S,), the number of each segment's parent; −1 for the first.
    """

    name: str
    segments: tuple[str, ...]
    ends: dict[Joint, str]
    parents: Integers
    offsets: Floats = field(init=False)
    """The start of each segment at rest, relative to its parent's start, or the origin; shape (S,
    3), [m].
    """

    def __post_init__(self) -> None:
        begins = np.array([REST[each.joint] for each in SEGMENTS])
        begins[1:] -= begins[self.parents[1:]]
        object.__setattr__(self, "offsets", begins)

    @property
    def is_humanoid(self) -> bool:
        """Whether other programs know its names; its nodes then rest in a T pose, from which such
        programs start.
        """
        return bool(self.name)

    def node(self, bone: str, juggler: int, jugglers: int) -> str:
        """The name of a bone in a file of several jugglers, for a juggler by number from 0."""
        if self.name == MIXAMO:
            return bone.replace(_MIXAMO, f"{_MIXAMO}{juggler + 1}", 1) if jugglers > 1 else bone
        return bone if self.name == VRM and jugglers == 1 else f"juggler_{juggler + 1}_{bone}"

    @property
    def paths(self) -> tuple[str, ...]:
        """The path of each segment, then of each end, as pelvis/spine/chest, without signs that USD
        has no use for.
        """
        paths: list[str] = []
        for name, parent in zip(self.segments, self.parents.tolist(), strict=True):
            paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
        paths += [f"{paths[NAMES.index(ENDS[joint])]}/{name}" for joint, name in self.ends.items()]
        return tuple(path.replace(":", "_") for path in paths)


@lru_cache(maxsize=8)
def rig_of(bones: str) -> Rig:
    """Return the names of one of `BONES`; ours where the text is empty."""
    if not bones:
        return Rig("", NAMES, {joint: joint.name.lower() for joint in ENDS}, PARENTS)
    names, prefix = (_MIXAMO_NAMES, f"{_MIXAMO}:") if bones == MIXAMO else (_VRM_NAMES, "")
    parents = PARENTS.copy()
    parents[[NAMES.index(f"{side}_collar") for side in _SIDES]] = NAMES.index("chest")

    def called(name: str) -> str:
        side, _, part = name.partition("_")
        if side not in _SIDES:
            return prefix + names[name]
        return prefix + (side.capitalize() if prefix else side) + names[part]

    ends = {joint: called(joint.name.lower()) for joint in ENDS}
    return Rig(bones, tuple(map(called, NAMES)), ends, parents)


_SIDES = "left", "right"
_MIXAMO = "mixamorig"

# Its chest is in three parts, on the last of which neck and shoulders hang.
_MIXAMO_NAMES = {
    "pelvis": "Hips",
    "spine": "Spine",
    "chest": "Spine2",
    "neck": "Neck",
    "head": "Head",
    "face": "Head_End",
    "collar": "Shoulder",
    "shoulder": "Arm",
    "elbow": "ForeArm",
    "wrist": "Hand",
    "palm": "HandMiddle1",
    "fingers": "HandMiddle2",
    "tips": "HandMiddle3",
    "thumb": "HandThumb1",
    "thumb_tip": "HandThumb2",
    "hip": "UpLeg",
    "knee": "Leg",
    "ankle": "Foot",
    "toes": "ToeBase",
}

_VRM_NAMES = {
    "pelvis": "hips",
    "spine": "spine",
    "chest": "chest",
    "neck": "neck",
    "head": "head",
    "face": "head_end",
    "collar": "Shoulder",
    "shoulder": "UpperArm",
    "elbow": "LowerArm",
    "wrist": "Hand",
    "palm": "MiddleProximal",
    "fingers": "MiddleIntermediate",
    "tips": "MiddleDistal",
    "thumb": "ThumbMetacarpal",
    "thumb_tip": "ThumbProximal",
    "hip": "UpperLeg",
    "knee": "LowerLeg",
    "ankle": "Foot",
    "toes": "Toes",
}
