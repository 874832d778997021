"""Names of bones in models: ours, or those by which other programs know a person, and on what each bone hangs.

Mixamo's names are those of the characters at mixamo.com; VRM's are the humanoid bones of the VRM Consortium ("VRM 1.0",
`humanoid.md`). Both hang the shoulders on the chest. Poses do not depend on names: bones begin and end at the same
places, and only what a shoulder's turn is told against differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import Joint
from juggle_anim.exporter.models.skeleton import ENDS, NAMES, PARENTS, REST, SEGMENTS

MIXAMO, VRM = "mixamo", "vrm"

BONES = (MIXAMO, VRM)
"""The programs whose names of bones can be chosen."""


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
    """The start of each segment at rest, relative to its parent's start, or the origin; shape (S, 3), [m]."""

    def __post_init__(self) -> None:
        begins = np.array([REST[each.joint] for each in SEGMENTS])
        begins[1:] -= begins[self.parents[1:]]
        object.__setattr__(self, "offsets", begins)

    @property
    def is_humanoid(self) -> bool:
        """Whether other programs know its names; its nodes then rest in a T pose, from which such programs start."""
        return bool(self.name)

    def node(self, bone: str, juggler: int, jugglers: int) -> str:
        """The name of a bone in a file of several jugglers, for a juggler by number from 0."""
        if self.name == MIXAMO:
            return bone.replace(_MIXAMO, f"{_MIXAMO}{juggler + 1}", 1) if jugglers > 1 else bone
        return bone if self.name == VRM and jugglers == 1 else f"juggler_{juggler + 1}_{bone}"

    @property
    def paths(self) -> tuple[str, ...]:
        """The path of each segment, then of each end, as pelvis/spine/chest, without signs that USD has no use for."""
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
