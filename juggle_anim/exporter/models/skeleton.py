"""The skeleton of models: rigid segments, each turning about the joint where it begins; rest pose,
rotations, and names of bones.

A segment's rotation follows from two directions: one along it, and one to its side, which are never
parallel. Both are weighted sums of joints, so those of all segments are one matrix product. At rest
a person stands upright, faces +z and spreads the arms, palms down and fingers straight.

Bones have our names, or those by which other programs know a person; a rig also says on what each
bone hangs. Mixamo's names are those of the characters at mixamo.com; VRM's are the humanoid bones
of the VRM Consortium ("VRM 1.0", `humanoid.md`). Both hang the shoulders on the chest. Poses do not
depend on names: bones begin and end at the same points, and only the parent that a shoulder's
rotation is relative to differs.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial

import numpy as np

from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body import skeleton as bones
from juggle_anim.body.skeleton import DIGIT_JOINTS
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.vectors import orthonormal_frames

# Rows of weights: one for each joint, and a last one for the direction up.
_WEIGHTS = np.eye(JOINTS + 1)
_UPRIGHT = _WEIGHTS[JOINTS]
_UP = np.array([0.0, 1.0, 0.0])

_X = (1.0, 0.0, 0.0)
_Y = (0.0, 1.0, 0.0)
_Z = (0.0, 0.0, 1.0)
_BACK = (0.0, 0.0, -1.0)

ENDS = {
    Joint.FACE: "head",
    **{Joint[f"{side.upper()}_TIPS"]: f"{side}_fingers" for side in ("left", "right")},
    **{Joint[f"{side.upper()}_THUMB_TIP"]: f"{side}_thumb" for side in ("left", "right")},
    **{
        Joint[f"{side.upper()}_{finger}_TIP"]: f"{side}_{finger.lower()}_middle"
        for side in ("left", "right")
        for finger in bones.OTHER_FINGERS
    },
    **{Joint[f"{side.upper()}_TOES"]: f"{side}_ankle" for side in ("left", "right")},
}
"""The end joints, where no segment begins, and the segments that carry them."""

THUMB_AWAY = 0.8, 0.6
"""Direction of the thumb: its parts along the fingers and ahead."""

_SOLE = 0.03  # m, height of the toes' joint above the ground

TOES = -(bones.ANKLE_HEIGHT - _SOLE) / bones.FOOT
"""Rise of the toes above the ankle, as a share of the foot's length."""

_TOES_AHEAD = float(np.sqrt(1 - TOES**2))  # likewise, how far they are ahead of the ankle

_ARM_BEND = 1e-6  # m, by which wrists are ahead of straight arms, which would have no plane

MIXAMO = "mixamo"
VRM = "vrm"

BONES = (MIXAMO, VRM)
"""The programs whose names of bones can be chosen."""


@dataclass(frozen=True)
class Segment:
    """A rigid part of the exported skeleton, such as a forearm.

    Args:
        name: name in files.
        parent: the name of its parent segment; empty for the first.
        joint: the joint where it begins.
        along: shape (`JOINTS` + 1,), weights of the joints' positions and, last, of the direction
            up, whose weighted sum points along the segment; of any length.
        aside: weights of the same form, whose sum points to its side; never parallel to `along`
            but in the rest pose, and not always at right angles.
        rest_aside: the direction to its side in the rest pose, where that sum may be parallel; only
            its part at right angles to the segment counts.
    """

    name: str
    parent: str
    joint: Joint
    along: Floats
    aside: Floats
    rest_aside: tuple[float, float, float]


def _trunk() -> list[Segment]:
    """Return the segments from pelvis to head, parents first.

    The pelvis turns with the line of the hips, the head with the line from its middle to the face.

    A segment is a rigid part of the exported skeleton, such as a forearm.
    """
    # A direction is given by weights of the joints' positions, whose weighted sum is the vector
    # from one joint to another.
    across = _from("RIGHT_HIP", "LEFT_HIP")
    spine = _from("PELVIS", "CHEST")
    neck = _from("NECK", "HEAD")
    face = _from("HEAD", "FACE")
    # A segment: its name, that of its parent, and the joint where it begins; then `along` and
    # `aside`, the vectors that fix its rotation, the second one as nearly as the first lets it, and
    # the axis (`_X` left, `_Y` up, `_Z` forward) along which the second one is at rest.
    return [
        Segment("pelvis", "", Joint.PELVIS, along=across, aside=_UPRIGHT, rest_aside=_Y),
        Segment("spine", "pelvis", Joint.PELVIS, along=spine, aside=across, rest_aside=_X),
        Segment(
            "chest", "spine", Joint.CHEST, along=_from("CHEST", "NECK"), aside=across, rest_aside=_X
        ),
        Segment("neck", "chest", Joint.NECK, along=neck, aside=face, rest_aside=_Z),
        Segment("head", "neck", Joint.HEAD, along=face, aside=neck, rest_aside=_Y),
    ]


def _arm(side: str) -> list[Segment]:
    """Return the segments of an arm with its digits, parents first.

    A segment is a rigid part of the exported skeleton, such as a forearm. It has the name of the
    joint where it begins. Two directions fix its rotation: that along it, from its first joint to
    its second, and one to its side, `aside`, of which only the part across the first counts. In
    the rest pose, with arms spread, the second one is `rest_aside`; the rotation of the segment
    turns both from the rest pose into the pose.

    Args:
        side: "left" or "right".
    """
    joint = partial(_joint_name, side)
    segment = partial(_side_segment, side)
    # Directions of a pose are weights of its joints, as `_from` one joint to another. Those at rest
    # are axes, such as `_Y` up and `_Z` forward.
    spine = _from("PELVIS", "CHEST")
    # An arm is never fully straight, so shoulder to wrist lies in the elbow's plane, beside the
    # upper arm.
    reach = _from(joint("SHOULDER"), joint("WRIST"))
    # Fingers bend about the line across the palm, towards the thumb's side. The vector from the
    # palm's joint to the start of the thumb points there, and `THUMB_BACK` back along the palm: to
    # add as much along the palm leaves only the part across it.
    palm = _from(joint("WRIST"), joint("PALM"))
    hinge = _from(joint("PALM"), joint("THUMB")) + bones.THUMB_BACK / bones.PALM * palm
    segments = [
        segment("collar", "spine", "CHEST", "SHOULDER", aside=spine, rest_aside=_Y),
        segment("shoulder", "collar", "SHOULDER", "ELBOW", aside=reach, rest_aside=_Z),
        segment("elbow", "shoulder", "ELBOW", "WRIST", aside=reach, rest_aside=_BACK),
        segment("wrist", "elbow", "WRIST", "PALM", aside=hinge, rest_aside=_Z),
        segment("palm", "wrist", "PALM", "FINGERS", aside=hinge, rest_aside=_Z),
        segment("fingers", "palm", "FINGERS", "TIPS", aside=hinge, rest_aside=_Z),
        segment("thumb", "wrist", "THUMB", "THUMB_TIP", aside=hinge, rest_aside=_Z),
    ]
    # The other fingers have two segments each.
    for finger in bones.OTHER_FINGERS:
        for start, end, parent in (
            (finger, f"{finger}_MIDDLE", "wrist"),
            (f"{finger}_MIDDLE", f"{finger}_TIP", finger.lower()),
        ):
            segments.append(segment(start.lower(), parent, start, end, aside=hinge, rest_aside=_Z))
    return segments


def _leg(side: str) -> list[Segment]:
    """Return the segments of a leg, each named after the joint where it begins, parents first.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        side: "left" or "right".
    """
    segment = partial(_side_segment, side)
    foot = _from(_joint_name(side, "ANKLE"), _joint_name(side, "TOES"))
    return [
        segment("hip", "pelvis", "HIP", "KNEE", aside=foot, rest_aside=_Z),
        segment("knee", "hip", "KNEE", "ANKLE", aside=foot, rest_aside=_Z),
        segment("ankle", "knee", "ANKLE", "TOES", aside=_UPRIGHT, rest_aside=_Y),
    ]


def _joint_name(side: str, part: str) -> str:
    """Return the name of a joint: "ELBOW" of the "left" is "LEFT_ELBOW"; the trunk has no sides."""
    return part if part in ("CHEST", "PELVIS") else f"{side.upper()}_{part}"


def _side_segment(
    side: str,
    name: str,
    parent: str,
    start: str,
    end: str,
    *,
    aside: Floats,
    rest_aside: tuple[float, float, float],
) -> Segment:
    """Return a segment of an arm or a leg.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        side: "left" or "right".
        name: without the side.
        parent: name of its parent without the side, or "spine" or "pelvis".
        start, end: names of the joints where it begins and to which it points, without side.
        aside: weights of joints, and of up, whose weighted sum points to the segment's side.
        rest_aside: direction to the segment's side in the rest pose, in which the person faces +z
            with arms spread along x.
    """
    start_name = _joint_name(side, start)
    return Segment(
        f"{side}_{name}",
        parent if parent in ("spine", "pelvis") else f"{side}_{parent}",
        Joint[start_name],
        along=_from(start_name, _joint_name(side, end)),
        aside=aside,
        rest_aside=rest_aside,
    )


def _from(start: str, end: str) -> Floats:
    """Return weights whose sum is the vector from one joint to another, shape (`JOINTS` + 1,)."""
    return _WEIGHTS[Joint[end]] - _WEIGHTS[Joint[start]]


SEGMENTS = (
    *_trunk(),
    *_arm("left"),
    *_leg("left"),
    *_arm("right"),
    *_leg("right"),
)
"""All segments, each after its parent."""

NAMES = tuple(segment.name for segment in SEGMENTS)

PARENTS = np.array(
    [NAMES.index(segment.parent) if segment.parent else -1 for segment in SEGMENTS], dtype=np.intp
)
"""The index of each segment's parent; −1 for the first."""


def _rest() -> Floats:
    """Return the joints of the rest pose, shape (`JOINTS`, 3), [m].

    The person stands over the origin, upright along +y and facing +z, with arms spread along x; the
    left hand is on the side of +x.
    """
    joints = np.zeros((JOINTS, 3))
    joints[Joint.PELVIS] = 0.0, bones.HIP_HEIGHT, 0.0
    joints[Joint.CHEST] = joints[Joint.PELVIS] + (0.0, bones.SPINE, 0.0)
    joints[Joint.NECK] = joints[Joint.CHEST] + (0.0, bones.NECK, 0.0)
    joints[Joint.HEAD] = joints[Joint.NECK] + (0.0, bones.HEAD, 0.0)
    joints[Joint.FACE] = joints[Joint.HEAD] + (0.0, 0.0, bones.FACE)
    _add_limbs(joints, "LEFT", sign=1.0)
    _add_limbs(joints, "RIGHT", sign=-1.0)
    return joints


def _add_limbs(joints: Floats, side: str, sign: float) -> None:
    """Fill in the joints of an arm and a leg at rest.

    Args:
        joints: shape (`JOINTS`, 3), [m], with those of the trunk; changed in place.
        side: "LEFT" or "RIGHT".
        sign: the sign of x on this side, 1 for the left and −1 for the right.
    """
    thumb = (sign * bones.THUMB * THUMB_AWAY[0], 0.0, bones.THUMB * THUMB_AWAY[1])
    foot = (0.0, bones.FOOT * TOES, bones.FOOT * _TOES_AHEAD)
    # Each joint, the joint from which its position is counted, and the step between them, [m]. The
    # second one must be filled in already.
    steps = [
        ("SHOULDER", "CHEST", (sign * bones.SHOULDER, 0.0, 0.0)),
        ("ELBOW", "SHOULDER", (sign * bones.UPPER_ARM, 0.0, 0.0)),
        ("WRIST", "ELBOW", (sign * bones.FOREARM, 0.0, 0.0)),
        ("PALM", "WRIST", (sign * bones.PALM, 0.0, 0.0)),
        ("FINGERS", "PALM", (sign * bones.FINGERS, 0.0, 0.0)),
        ("TIPS", "FINGERS", (sign * bones.TIPS, 0.0, 0.0)),
        ("THUMB", "PALM", (-sign * bones.THUMB_BACK, 0.0, bones.THUMB_OUT)),
        ("THUMB_TIP", "THUMB", thumb),
        ("HIP", "PELVIS", (sign * bones.HIP, 0.0, 0.0)),
        ("KNEE", "HIP", (0.0, -bones.THIGH, 0.0)),
        ("ANKLE", "KNEE", (0.0, -bones.SHANK, 0.0)),
        ("TOES", "ANKLE", foot),
    ]
    # The other fingers begin beside the middle one, [m] across, and their bones are as long as a
    # share of its bones.
    for finger, (across, share) in bones.OTHER_FINGERS.items():
        steps += [
            (finger, "PALM", (0.0, 0.0, across)),
            (f"{finger}_MIDDLE", finger, (sign * share * bones.FINGERS, 0.0, 0.0)),
            (f"{finger}_TIP", f"{finger}_MIDDLE", (sign * share * bones.TIPS, 0.0, 0.0)),
        ]
    for part, before, step in steps:
        joint = Joint[_joint_name(side, part)]
        joints[joint] = joints[Joint[_joint_name(side, before)]] + step


REST = _rest()
"""The joints at rest, shape (`JOINTS`, 3), [m], with the same bone lengths as in every pose."""
REST.setflags(write=False)


def _near_rest() -> Floats:
    """Return the rest pose with arms bent forward by `_ARM_BEND`."""
    joints = REST.copy()
    for side in ("LEFT", "RIGHT"):
        joints[[Joint[f"{side}_WRIST"], Joint[f"{side}_PALM"]], 2] += _ARM_BEND
    joints[DIGIT_JOINTS, 2] += _ARM_BEND
    return joints


NEAR_REST = _near_rest()
"""The same but for arms that are bent forward by a micrometre: straight ones have no plane."""
NEAR_REST.setflags(write=False)


def _offsets(parents: Integers) -> Floats:
    """Return the start of each segment at rest, relative to the start of its parent, [m].

    That of the first segment, which has no parent, is relative to the origin.

    Args:
        parents: index of the parent of each of S segments, shape (S,).

    Returns:
        Shape (S, 3).
    """
    offsets = np.array([REST[segment.joint] for segment in SEGMENTS])
    # The right side is computed before anything is changed, so parents still have their starts.
    offsets[1:] -= offsets[parents[1:]]
    return offsets


OFFSETS = _offsets(PARENTS)
"""The start of each segment at rest, relative to its parent's start; shape (S, 3), [m]."""

END_SEGMENTS = [NAMES.index(name) for name in ENDS.values()]
"""The index of the segment that carries each of `ENDS`."""

END_OFFSETS = np.array(
    [
        REST[joint] - REST[SEGMENTS[segment].joint]
        for joint, segment in zip(ENDS, END_SEGMENTS, strict=True)
    ]
)
"""Each of `ENDS` at rest, relative to the start of its segment, shape (E, 3), [m]."""


def world_rotations(joints: Floats) -> Floats:
    """Return rotations of segments from the rest pose, in the world.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        joints: joints in the world, shape (..., `JOINTS`, 3), [m]; arms must be bent, if only
            slightly, as in `NEAR_REST`, since straight ones have no plane.

    Returns:
        Shape (..., S, 3, 3) for S segments, for column vectors, in the order of `SEGMENTS`.
    """
    # The rotation is a segment's frame in the pose times the inverse of its frame at rest. Weights
    # of the joints, and of the direction up, give the axes of the frame.
    along, aside = (
        weights[:, :JOINTS] @ joints + weights[:, JOINTS:] * _UP for weights in (_ALONG, _ASIDE)
    )
    return orthonormal_frames(along, aside) @ _TO_REST


def local_rotations(joints: Floats, parents: Integers = PARENTS) -> Floats:
    """Return rotations of segments from the rest pose, relative to their parents.

    A segment is a rigid part of the exported skeleton, such as a forearm.

    Args:
        joints: joints in the world, shape (..., `JOINTS`, 3), [m].
        parents: index of each segment's parent, shape (S,) for S segments; −1 for the first.

    Returns:
        Shape (..., S, 3, 3), for column vectors, in the order of `SEGMENTS`. The first segment has
        no parent: its rotation is that in the world.
    """
    world = world_rotations(joints)
    # local = parentᵀ · world, as world = parent · local. For the first segment the index −1 takes
    # some other segment for its parent, so its result is overwritten.
    local: Floats = world[..., parents, :, :].swapaxes(-1, -2) @ world
    local[..., 0, :, :] = world[..., 0, :, :]
    return local


_ALONG = np.array([segment.along for segment in SEGMENTS])
_ASIDE = np.array([segment.aside for segment in SEGMENTS])

# The inverse of a rotation is its transpose.
_REST_FRAMES = orthonormal_frames(
    _ALONG[:, :JOINTS] @ REST, np.array([segment.rest_aside for segment in SEGMENTS])
)
_TO_REST = _REST_FRAMES.swapaxes(-1, -2)


@dataclass(frozen=True)
class Rig:
    """Names of a model's bones, and the bones on which they hang.

    Args:
        name: name whose names these are; empty for ours.
        segments: the name of each of `SEGMENTS`.
        ends: the name of each of `ENDS`.
        parents: shape (S,) for S segments, the index of each segment's parent; −1 for the first.
    """

    name: str
    segments: tuple[str, ...]
    ends: dict[Joint, str]
    parents: Integers

    @cached_property
    def offsets(self) -> Floats:
        """The start of each segment at rest, relative to its parent's, shape (S, 3) for S segments,
        [m].
        """
        return _offsets(self.parents)

    @property
    def is_humanoid(self) -> bool:
        """Whether other programs know its names.

        Its nodes then rest in a T pose, from which such programs start.
        """
        return bool(self.name)

    def node(self, bone: str, juggler: int, jugglers: int) -> str:
        """Return the name of a juggler's bone in a file, in which each name is unique.

        A single juggler's bones of Mixamo and VRM keep the names by which other programs know
        them. Of several jugglers, Mixamo's prefix gets the juggler's number, as mixamorig2:Hips.
        All other bones are named after the juggler, such as juggler_1_pelvis.

        Args:
            bone: its name in the rig.
            juggler: index from 0.
            jugglers: number of jugglers in the file.
        """
        if self.is_humanoid and jugglers == 1:
            return bone
        if self.name == MIXAMO:
            return bone.replace(_MIXAMO, f"{_MIXAMO}{juggler + 1}", 1)
        return f"juggler_{juggler + 1}_{bone}"

    @property
    def paths(self) -> tuple[str, ...]:
        """The path of each segment, then of each end, such as pelvis/spine/chest.

        Both are in the order of the rig; colons, which USD does not allow, are underscores.
        """
        # Parents come before their children, so the path of a parent is in the list already.
        paths: list[str] = []
        for name, parent in zip(self.segments, self.parents.tolist(), strict=True):
            paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
        ends = zip(END_SEGMENTS, self.ends.values(), strict=True)
        paths += [f"{paths[segment]}/{name}" for segment, name in ends]
        return tuple(path.replace(":", "_") for path in paths)


@lru_cache(maxsize=8)
def rig_of(bones: str) -> Rig:
    """Return the rig with our bones under our own names, or under those of another program.

    A rig says how bones are named and which bone each hangs on. The rigs of Mixamo and VRM, unlike
    ours, hang the collar bones on the chest rather than on the spine.

    Args:
        bones: the naming convention, one of `BONES`; an empty text for our own names.
    """
    if not bones:
        return Rig(
            name="",
            segments=NAMES,
            ends={joint: joint.name.lower() for joint in ENDS},
            parents=PARENTS,
        )

    def bone_name(name: str) -> str:
        """Return the foreign name of one of our bones, such as "left_elbow" or "chest".

        Mixamo writes "mixamorig:LeftForeArm", and VRM "leftLowerArm".
        """
        side, _, part = name.partition("_")
        is_sided = side in _SIDES
        if bones == MIXAMO:
            own_name = side.capitalize() + _MIXAMO_NAMES[part] if is_sided else _MIXAMO_NAMES[name]
            return f"{_MIXAMO}:{own_name}"
        return side + _VRM_NAMES[part] if is_sided else _VRM_NAMES[name]

    parents = PARENTS.copy()
    parents[[NAMES.index(f"{side}_collar") for side in _SIDES]] = NAMES.index("chest")
    ends = {joint: bone_name(joint.name.lower()) for joint in ENDS}
    return Rig(name=bones, segments=tuple(map(bone_name, NAMES)), ends=ends, parents=parents)


def _finger_names(
    prefix: str, fingers: tuple[str, str, str], parts: tuple[str, str, str]
) -> dict[str, str]:
    """Return foreign names of the bones of `bones.OTHER_FINGERS`, by ours."""
    return {
        f"{ours.lower()}{suffix}": f"{prefix}{finger}{part}"
        for ours, finger in zip(bones.OTHER_FINGERS, fingers, strict=True)
        for suffix, part in zip(("", "_middle", "_tip"), parts, strict=True)
    }


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
    **_finger_names("Hand", ("Index", "Ring", "Pinky"), ("1", "2", "3")),
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
    **_finger_names("", ("Index", "Ring", "Little"), ("Proximal", "Intermediate", "Distal")),
    "hip": "UpperLeg",
    "knee": "LowerLeg",
    "ankle": "Foot",
    "toes": "Toes",
}
