"""Bones that carry the skin of the figure: rigid frames that follow the joints of a pose.

A bone's frame follows from two directions, along it and to its side, which are weighted sums of
joints. Beside the parts of the body there are helpers. Where a joint bends, bones at a third and
two thirds of the bend keep the skin from collapsing; along upper arm and forearm, bones that take
half of the twist, or none of it, keep it from being wrung.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Booleans, Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body import skeleton as lengths
from juggle_anim.body.skeleton import (
    SHADING_FOREARM_RADIUS,
    SHADING_HEAD_RADIUS,
    SHADING_SHANK_RADIUS,
    SHADING_THIGH_RADIUS,
    SHADING_TRUNK_RADIUS,
    SHADING_UPPER_ARM_RADIUS,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.resources import resource
from juggle_anim.vectors import cross, dot, orthonormal_frames, unit

_WEIGHTS = np.eye(JOINTS + 1)
_UP = _WEIGHTS[JOINTS]
_SIDES = "left", "right"
_EYE_PARTS = "eye", "lid", "socket"  # bones that begin in the middle of an eye

# How far joints come out of a limb that is bent by 60°, [m]: without, the skin would cut the
# corner.
_ELBOW_OUT = 0.006
_KNEECAP_OUT = 0.021
_SEAT_OUT = 0.016

_NOSE_AHEAD = 0.085  # of the middle of the head, where a nose begins, [m]

EYE = np.array([0.0325, 0.004, 0.0680])
"""The middle of the left eye at rest, to the left of that of the head, above, and ahead, [m]."""

LID_FOLLOWS = 0.55
"""Share of an eye's turn in the head that its upper lid takes part in."""

BROWS_FOLLOW = 0.10
"""Rise of the brows, as a turn about the middle of the head, over the sine by which eyes look up
from where the face points, [rad].
"""

LIDS_CLOSE = np.radians(50.0)
"""How far a closing upper lid turns down, from the open eye's upper rim to its lower one, [rad]."""

EYES_BACK = 0.0020
"""How far eyes go back as lids close, [m]: muscles pull them by 1 to 2 mm (C. Evinger et al.,
"Blinking and associated eye movements in humans, guinea pigs, and rabbits", Journal of
Neurophysiology 52, 1984), and the lid, thin where it unfolds, is clear of them.
"""


@dataclass(frozen=True)
class Bone:
    """A rigid part of the body.

    Args:
        name: such as "left hand".
        joint: the joint at which it begins.
        along: shape (`JOINTS` + 1,), weights of the places of joints and of the unit vector up; the
            weighted sum points along the bone, and may have any length.
        aside: weights likewise, of a vector to the side of the bone, not parallel to it.
        twist: names of two other bones, for a bone that is twisted half way between them: its side
            at rest is `aside`, and moves as the mean of how the two would turn it. None for a bone
            whose side is always `aside`.
        shift: weights likewise, of a vector from the joint to where the bone begins, [m]; None for
            one that begins at the joint.
        twist_middle: middle of the range in which people turn the second of the two bones of
            `twist` against the first, about this bone, [rad]. At 180° from it, which nobody
            reaches, half the twist jumps.
    """

    name: str
    joint: Joint
    along: Floats
    aside: Floats
    twist: tuple[str, str] | None = None
    shift: Floats | None = None
    twist_middle: float = 0.0


# Who bends down tilts the pelvis by about half of it, and bends in the hips for the rest.
_PELVIS_UP = 0.5 * (_UP + (_WEIGHTS[Joint.CHEST] - _WEIGHTS[Joint.PELVIS]) / lengths.SPINE)

# Upper arms turn farther outward than inward, from where a bent elbow points ahead: in tricks of
# the library from 180° outward (albert) to 133° inward (lazy); this is the middle, [rad].
_OUTWARD_TWIST = np.radians(25)


def _trunk() -> list[Bone]:
    """Bones of trunk, neck, head, eyes, upper lids and the face around them.

    A bone is given by its name, the joint where it begins, and the directions along it and to its
    side. A direction is an array of weights, shape (`JOINTS` + 1,): in any pose, it is the weighted
    sum of the positions of all joints, and of the unit vector up.

    The throat goes from the chest to the neck; the nape is a helper that takes half of the twist
    between throat and neck.
    """
    # Weights of the directions along the bones, and of the one from right to left hip, `across`.
    across = _vector_between("RIGHT_HIP", "LEFT_HIP")
    spine = _vector_between("PELVIS", "CHEST")
    collars = _vector_between("CHEST", "NECK")
    neck = _vector_between("NECK", "HEAD")
    face = _vector_between("HEAD", "FACE")
    return [
        Bone("pelvis", Joint.PELVIS, across, _PELVIS_UP),
        Bone("spine", Joint.PELVIS, spine, across),
        Bone("throat", Joint.CHEST, collars, across),
        Bone("neck", Joint.NECK, neck, face),
        Bone("head", Joint.HEAD, face, neck),
        Bone("nape", Joint.NECK, neck, across, twist=("throat", "neck")),
        *(Bone(f"{side} {part}", Joint.HEAD, face, neck) for part in _EYE_PARTS for side in _SIDES),
    ]


def _bones_of_widened_parts() -> list[Bone]:
    """Return additional bones, so that people can have more or less of some parts of the body.

    The skin of each such part hangs on a bone of its own, which can be scaled alone. Those of
    waist, belly, bust and back move rigidly with the spine, those of jaw, mouth, brow and nose with
    the head.

    A bone is given by its name, the joint where it begins, and the directions along it and to its
    side. A direction is an array of weights, shape (`JOINTS` + 1,): in any pose, it is the weighted
    sum of the positions of all joints, and of the unit vector up.
    """
    face = _vector_between("HEAD", "FACE")
    neck = _vector_between("NECK", "HEAD")
    across = _vector_between("RIGHT_HIP", "LEFT_HIP")
    # Weights of the vector from the middle of the head to where the nose begins.
    to_nose = _NOSE_AHEAD / lengths.FACE * face
    spine = _vector_between("PELVIS", "CHEST")
    return [
        *(Bone(name, Joint.PELVIS, spine, across) for name in ("waist", "belly", "bust", "back")),
        *(Bone(name, Joint.HEAD, face, neck) for name in ("jaw", "mouth", "brow")),
        Bone("nose", Joint.HEAD, face, neck, shift=to_nose),
    ]


class _Side(NamedTuple):
    """One side of the body; names of its joints and bones are given without the side.

    Attributes:
        name: "left" or "right".
    """

    name: str

    def joint(self, name: str) -> Joint:
        """The joint of this side with a name such as "ELBOW"."""
        return Joint[f"{self.name}_{name}".upper()]

    def weights(self, name: str) -> Floats:
        """Weights of the place of a joint."""
        return _WEIGHTS[self.joint(name)]

    def bone(
        self,
        name: str,
        start: str,
        along: Floats,
        aside: Floats,
        *,
        twist: tuple[str, str] | None = None,
        shift: Floats | None = None,
        twist_middle: float = 0.0,
    ) -> Bone:
        """A bone of this side.

        Args:
            name: name of the bone, such as "hand".
            start: name of the joint where it begins, such as "WRIST".
            along, aside: weights of the directions along the bone and to its side.
            twist: names of the two bones between which this one is twisted half way, if any.
            shift: weights of the vector from the joint to where the bone begins, [m]; None if it
                begins at the joint.
            twist_middle: middle of the range in which people twist the second bone of `twist`
                against the first, [rad].
        """
        if twist:
            first, second = twist
            twist = f"{self.name} {first}", f"{self.name} {second}"
        return Bone(
            f"{self.name} {name}",
            self.joint(start),
            along,
            aside,
            twist=twist,
            shift=shift,
            twist_middle=twist_middle,
        )


def _arm(side: str) -> list[Bone]:
    """Bones of an arm, from the collar to the fingertips.

    A bone is given by its name, the joint where it begins, and the directions along it and to its
    side. A direction is an array of weights, shape (`JOINTS` + 1,): in any pose, it is the weighted
    sum of the positions of all joints, and of the unit vector up.

    At shoulder, elbow and wrist there are helper bones, turned part of the way, so that the skin,
    which follows several of them, bends and twists gradually. `twist` names the two bones whose
    turns about a helper are averaged: with forearm and hand it is half twisted, with one that is
    half twisted already, it takes a quarter or three quarters.

    Args:
        side: "left" or "right".
    """

    limb = _Side(side)
    bone = limb.bone
    weights = limb.weights
    # Directions, as weights: unit vectors along the bones; `bend`, from the elbow into its bend;
    # and `thumbward`, across the palm toward the thumb, whose root lies back along the palm.
    collar = (weights("SHOULDER") - _WEIGHTS[Joint.CHEST]) / lengths.SHOULDER
    upper = (weights("ELBOW") - weights("SHOULDER")) / lengths.UPPER_ARM
    lower = (weights("WRIST") - weights("ELBOW")) / lengths.FOREARM
    palm = (weights("PALM") - weights("WRIST")) / lengths.PALM
    spine = _vector_between("PELVIS", "CHEST")
    bend = lower - upper
    thumb = weights("THUMB")
    thumb_tip = weights("THUMB_TIP")
    thumbward = thumb - weights("PALM") + lengths.THUMB_BACK * palm
    thumb_joint = (thumb + thumb_tip) / 2 - lengths.THUMB_JOINT_BACK * palm
    # A finger has three bones. The outer one lies along the way from the outer joint to the tip;
    # that way grows a little as the finger bends, and the bone stays with the tip.
    fingers: list[Bone] = []
    for finger, *names in (
        ("finger", "PALM", "FINGERS", "TIPS"),
        *((name.lower(), name, f"{name}_MIDDLE", f"{name}_TIP") for name in lengths.OTHER_FINGERS),
    ):
        root, middle, tip = map(weights, names)
        outer = lengths.outer_joint(root, middle, tip)
        fingers += [
            bone(finger, names[0], middle - root, thumbward),
            bone(f"{finger} middle", names[1], outer - middle, thumbward),
            bone(f"{finger} tip", names[1], tip - outer, thumbward, shift=tip - middle),
        ]
    # Helpers lie along sums of such unit vectors: with equal weights half way through the bend of a
    # joint, and with weights 2 and 1 about a third of the way.
    return [
        bone("collar", "SHOULDER", collar, spine),
        bone("deltoid", "SHOULDER", collar + upper, spine),
        bone("upper arm", "SHOULDER", upper, bend),
        bone(
            "upper arm, untwisted",
            "SHOULDER",
            upper,
            bend,
            twist=("deltoid", "upper arm"),
            twist_middle=-_OUTWARD_TWIST if side == "left" else _OUTWARD_TWIST,
        ),
        bone("elbow, upper", "ELBOW", 2 * upper + lower, bend, shift=-_ELBOW_OUT * bend),
        bone("elbow, lower", "ELBOW", upper + 2 * lower, bend, shift=-_ELBOW_OUT * bend),
        bone("forearm", "ELBOW", lower, bend),
        bone("forearm, half twisted", "ELBOW", lower, bend, twist=("forearm", "hand")),
        bone("forearm, twisted", "WRIST", lower, thumbward),
        bone(
            "forearm, a quarter twisted",
            "ELBOW",
            lower,
            bend,
            twist=("forearm", "forearm, half twisted"),
        ),
        bone(
            "forearm, three quarters twisted",
            "ELBOW",
            lower,
            bend,
            twist=("forearm, half twisted", "forearm, twisted"),
        ),
        bone("wrist", "WRIST", lower + palm, thumbward),
        bone("hand", "WRIST", palm, thumbward),
        bone("thumb", "THUMB", thumb_joint - thumb, palm),
        bone("thumb tip", "THUMB", thumb_tip - thumb_joint, palm, shift=thumb_tip - thumb),
        *fingers,
    ]


def _leg(side: str) -> list[Bone]:
    """Bones of a leg, from the groin to the foot.

    A bone is given by its name, the joint where it begins, and the directions along it and to its
    side. A direction is an array of weights, shape (`JOINTS` + 1,): in any pose, it is the weighted
    sum of the positions of all joints, and of the unit vector up.

    Groin and knee have two helper bones each, turned by a third and two thirds of the bend, so that
    the skin there bends gradually. The lower one of the groin also takes half of the twist of the
    thigh against the upper one: `twist` names the two bones whose turns about it are averaged.

    Args:
        side: "left" or "right".
    """

    limb = _Side(side)
    bone = limb.bone
    weights = limb.weights
    # Directions, as weights: unit vectors along the bones.
    thigh = (weights("KNEE") - weights("HIP")) / lengths.THIGH
    shank = (weights("ANKLE") - weights("KNEE")) / lengths.SHANK
    foot = (weights("TOES") - weights("ANKLE")) / lengths.FOOT
    # The way that the knee points: for a straight leg that of the foot, and for a bent one also
    # out of the bend.
    front = foot + thigh - shank
    across = _vector_between("RIGHT_HIP", "LEFT_HIP")
    # Shifts of the helper bones from their joints: a bent knee stands out forward, a bent hip
    # backward. With the leg straight down, both are 0.
    knee_shift = _KNEECAP_OUT * (thigh - shank)
    seat_shift = -_SEAT_OUT * (thigh + _PELVIS_UP)
    # Helpers lie along weighted sums of the unit vectors before and after a bend: weights 2 and 1
    # give about a third of the bend, and 1 and 2 two thirds. In the groin the vector before it is
    # down the pelvis, minus `_PELVIS_UP`.
    return [
        bone("groin, upper", "HIP", thigh - 2 * _PELVIS_UP, across, shift=seat_shift),
        bone(
            "groin, lower",
            "HIP",
            2 * thigh - _PELVIS_UP,
            across,
            twist=("groin, upper", "thigh"),
            shift=seat_shift,
        ),
        bone("thigh", "HIP", thigh, front),
        bone("knee, upper", "KNEE", 2 * thigh + shank, front, shift=knee_shift),
        bone("knee, lower", "KNEE", thigh + 2 * shank, front, shift=knee_shift),
        bone("shank", "KNEE", shank, front),
        bone("foot", "ANKLE", foot, _UP),
    ]


def _vector_between(start: str, end: str) -> Floats:
    """Weights of the vector between two joints."""
    return _WEIGHTS[Joint[end]] - _WEIGHTS[Joint[start]]


BONES = (
    *_trunk(),
    *(bone for side in _SIDES for bone in (*_arm(side), *_leg(side))),
    *_bones_of_widened_parts(),
)
"""All bones."""

NAMES = tuple(bone.name for bone in BONES)
"""Their names."""

_STARTS = [_WEIGHTS[bone.joint] + (0.0 if bone.shift is None else bone.shift) for bone in BONES]
SUMS = np.array([*(bone.along for bone in BONES), *(bone.aside for bone in BONES), *_STARTS])
"""Weights of joints and of up in the directions along all bones, in those to their sides, and in
their starts.
"""

HEAD = NAMES.index("head")
BROW = NAMES.index("brow")
EYES = slice(NAMES.index("left eye"), NAMES.index("right eye") + 1)
LIDS = slice(NAMES.index("left lid"), NAMES.index("right lid") + 1)
AROUND_EYES = slice(EYES.start, NAMES.index("right socket") + 1)
"""Numbers of the head, of the brow, of the eyes, which turn in it toward what is looked at, of
their upper lids, and of all that begins in the middle of an eye.
"""

TWISTED = np.array([index for index, bone in enumerate(BONES) if bone.twist])
TWISTED_BETWEEN = np.array([[*map(NAMES.index, bone.twist)] for bone in BONES if bone.twist])
"""The twisted bones, shape (N,), and the two that each of them lies between, shape (N, 2)."""

TWIST_MIDDLES = np.array([bone.twist_middle for bone in BONES if bone.twist])
"""The middle of the range of each twisted bone, shape (N,), [rad]."""

# Whether one of the two is twisted itself: such bones are turned after the others.
_LATER = np.isin(TWISTED_BETWEEN, TWISTED).any(axis=1)

GIRTHS = {
    "head": ("head", "jaw", "mouth", "brow", "nose", *_EYE_PARTS),
    "neck": ("throat", "neck", "nape"),
    "shoulders": ("collar", "deltoid"),
    "chest": ("spine", "bust", "back"),
    "waist": ("waist", "belly"),
    "belly": ("belly",),
    "bust": ("bust",),
    "back": ("back",),
    "jaw": ("jaw", "mouth"),
    "chin": ("jaw", "mouth"),
    "mouth": ("mouth",),
    "brow": ("brow",),
    "eyes": _EYE_PARTS,
    "nose": ("nose",),
    "nostrils": ("nose",),
    "hips": ("pelvis", "groin"),
    "arms": ("upper arm", "elbow", "forearm"),
    "legs": ("thigh", "knee", "shank"),
}
"""Parts of the body that people have more or less of, and the bones that widen for each."""

# The axes of a bone's frame along which a part widens it: those across it, but for some parts only
# the one ahead, from ear to ear, or up the face.
_ACROSS = {
    **dict.fromkeys(("belly", "bust", "back", "jaw", "mouth", "nostrils"), (2,)),
    **dict.fromkeys(("chin", "brow"), (1,)),
    **dict.fromkeys(("nose", "eyes"), (0, 1, 2)),
    "pelvis": (0, 2),
}


def _widened_axes() -> dict[str, Booleans]:
    """Return for each part of `GIRTHS` which axes of which bones it widens, shape (bones, 3)."""
    widened = {part: np.zeros((len(NAMES), 3), dtype=bool) for part in GIRTHS}
    for bone_index, name in enumerate(NAMES):
        # `GIRTHS` has one name for both sides, and for a bone with its helpers.
        common_name = name.removeprefix("left ").removeprefix("right ").partition(",")[0]
        for part, names in GIRTHS.items():
            if common_name in names:
                # Most bones lie along axis 0, so the axes across them are 1 and 2. Some parts widen
                # other axes of any bone, and some bones have other axes for any part.
                axes = _ACROSS.get(part, _ACROSS.get(name, (1, 2)))
                widened[part][bone_index, axes] = True
    return widened


_WIDENED_AXES = _widened_axes()


def bone_girths(**parts: float) -> Floats:
    """Return factors by which bones widen the skin along each axis of their frames.

    Args:
        parts: girth of each part of the body, a key of `GIRTHS` such as "waist", as a factor of
            that of the original skin; 1 for parts that are left out. A bone of several parts takes
            the product.

    Returns:
        Shape (bones, 3), in order of `BONES`; 1 along axes that are not widened.
    """
    girths = np.ones((len(BONES), 3))
    for part, girth in parts.items():
        girths[_WIDENED_AXES[part]] *= girth
    return girths


class Skeleton:
    """The bones of a figure whose skin was made around given joints.

    Args:
        joints: shape (`JOINTS`, 3), [m].

    Attributes:
        joints: as given, shape (`JOINTS`, 3), [m].
        starts: start points of its bones, shape (bones, 3), [m].
    """

    def __init__(self, joints: Floats) -> None:
        """Compute the frames of all bones at rest, from which poses turn them.

        Args:
            joints: places of all joints of the figure at rest, shape (`JOINTS`, 3), [m].
        """
        self.joints = joints
        frames, starts = self._plain_frames(joints)
        # The transpose of a rotation is its inverse: from the world to the bones at rest.
        self._to_rest_frames = np.swapaxes(frames, -1, -2)
        # `_plain_frames` has eyes begin at the joint of the head. Here eyes, lids and sockets, left
        # and right in turn, get their own places; those on the right are mirrored in x.
        left_and_right = EYE * [(1.0, 1.0, 1.0), (-1.0, 1.0, 1.0)]
        from_head = np.tile(left_and_right, (len(_EYE_PARTS), 1))
        starts[AROUND_EYES] = joints[Joint.HEAD] + from_head
        self._from_head = starts[AROUND_EYES] - starts[HEAD]
        self.starts = starts
        """Where bones begin at rest, shape (bones, 3), [m]."""
        # The side of each twisted bone at rest, in the frames of the two bones that it is between:
        # shape (twisted bones, 2, 3). It is Rᵀ·s with the frame R of each of these and the side s,
        # which is axis 1 of the twisted bone.
        sides = frames[TWISTED][..., 1]
        self._twisted_sides = np.einsum("khij,ki->khj", frames[TWISTED_BETWEEN], sides)

    def transforms(
        self,
        joints: Floats,
        gaze: Floats | None = None,
        girths: Floats | None = None,
        lids: Floats | float = 0.0,
    ) -> Singles:
        """Return the transforms of all bones from the figure at rest to a pose.

        Args:
            joints: shape (..., `JOINTS`, 3), in the world, [m].
            gaze: shape (..., 3), direction in which the eyes look, in the world; None for straight
                out of the head.
            girths: shape (..., bones, 3), factors by which the skin is wider along the axes of each
                bone; None for the skin as it is.
            lids: shape (...), how far lids close over the eyes, from 0 to 1; with a gaze.

        Returns:
            Shape (..., bones, 3, 4): the product of a widening along the axes of the bone and a
            rotation, and a translation, [m]. They take a point of the skin at rest, (x, y, z, 1),
            into the world.
        """
        frames, starts = self._plain_frames(joints, gaze, lids)
        self._turn_twisted_bones(frames)
        if girths is not None:  # scale the columns, which are the axes
            frames *= girths[..., None, :]

        # The turn from rest to pose is F·F₀ᵀ, with the frames F of the pose, widened by `girths`,
        # and F₀ at rest. It is computed as a sum of outer products of their three axes, which is
        # faster than products of many small matrices.
        turns = frames[..., :1] * self._to_rest_frames[:, :1]
        for axis in (1, 2):
            turns += frames[..., axis, None] * self._to_rest_frames[:, axis, None]
        transforms: Singles = np.empty((*turns.shape[:-1], 4), dtype=np.float32)
        transforms[..., :3] = turns

        # Eyes turn with the gaze, but their starts move with the head, as do those of lids. Closing
        # lids draw the eyes back, against the way that the face looks.
        eyes_from_head = _product(turns[..., None, HEAD, :, :], self._from_head)
        starts[..., AROUND_EYES, :] = starts[..., HEAD, None, :] + eyes_from_head
        ahead = frames[..., HEAD, :, 0]
        back = EYES_BACK * np.asarray(lids)[..., None] * ahead
        starts[..., EYES, :] -= back[..., None, :]
        # The translation of a bone takes its start at rest to its start in the pose.
        transforms[..., 3] = starts - _product(turns, self.starts)
        return transforms

    def _turn_twisted_bones(self, frames: Floats) -> None:
        """Turn each twisted bone about its axis to half way between the two bones of its twist.

        A twisted bone keeps its direction. Its side, the second axis, is the mean of the two sides
        that it would have if it were fixed to one or the other of these bones.

        Args:
            frames: shape (..., bones, 3, 3), whose columns are the bones' axes in the world; those
                of twisted bones are changed.
        """
        # `_LATER` masks bones that lie between others that are twisted, so they come last.
        for selected in (~_LATER, _LATER):
            twisted = TWISTED[selected]
            axes_along = frames[..., 0]
            along = axes_along[..., twisted, :]
            # Each of the two bones carries the side that the twisted bone has at rest to the pose:
            # shape (..., twisted bones, 2, 3).
            between = frames[..., TWISTED_BETWEEN[selected], :, :]
            carried = _product(between, self._twisted_sides[selected])
            # As unit vectors at right angles to the twisted bone.
            along_both = along[..., None, :]
            sides = unit(carried - dot(carried, along_both) * along_both)
            first = sides[..., 0, :]
            second = sides[..., 1, :]
            # The mean of two sides jumps where they are opposite. So the first side is turned ahead
            # by the middle of the range of twists, where it then equals the second one, and the sum
            # of both is turned back by half of that.
            middle = TWIST_MIDDLES[selected, None]
            turned_first = np.cos(middle) * first + np.sin(middle) * cross(along, first)
            side = turned_first + second
            side = np.cos(middle / 2) * side - np.sin(middle / 2) * cross(along, side)
            frames[..., twisted, :, :] = orthonormal_frames(along, side)

    @staticmethod
    def _plain_frames(
        joints: Floats, gaze: Floats | None = None, lids: Floats | float = 0.0
    ) -> tuple[Floats, Floats]:
        """Frames of all bones before twisted ones are turned, and where the bones start.

        Args:
            joints: shape (..., `JOINTS`, 3), in the world, [m].
            gaze: shape (..., 3), direction in which the eyes look, in the world; None for straight
                out of the head.
            lids: shape (...), how far lids close over the eyes, from 0 to 1; with a gaze.

        Returns:
            Rotations, shape (..., bones, 3, 3), whose columns are the bones' axes in the world; and
            where the bones start, shape (..., bones, 3), in the world, [m].
        """
        # `SUMS` holds the weights of three vectors for each bone, one kind after the other: along
        # it, to its side, and its start; the sums have shape (..., 3 · bones, 3). Weights are for
        # the joints and, in the last column, for the unit vector up, along +y.
        sums = SUMS[:, :JOINTS] @ joints
        sums[..., 1] += SUMS[:, JOINTS]
        along, aside, starts = np.split(sums, 3, axis=-2)
        if gaze is not None:
            # The directions along eyes and lids are replaced by the gaze. An open lid follows the
            # gaze by the share `LID_FOLLOWS`; a closed one is turned down from the face. The head's
            # bone lies along the face, and its side is up.
            face = along[..., HEAD, :] / lengths.FACE
            up = aside[..., HEAD, :] / lengths.HEAD
            opened = face + LID_FOLLOWS * (gaze - face)
            closed = np.cos(LIDS_CLOSE) * face - np.sin(LIDS_CLOSE) * up
            lids = np.asarray(lids)[..., None]
            along[..., EYES, :] = gaze[..., None, :]
            along[..., LIDS, :] = (opened + lids * (closed - opened))[..., None, :]
            # Brows rise with eyes that look up.
            rise = np.maximum(dot(gaze, up), 0.0)
            along[..., BROW, :] = face + BROWS_FOLLOW * rise * up
        return orthonormal_frames(along, aside), starts


def _product(matrices: Floats, vectors: Floats) -> Floats:
    """Products of matrices, shape (..., 3, 3), with vectors, shape (..., 3)."""
    return dot(matrices, vectors[..., None, :])[..., 0]


# From joint to joint, and radii, [m].
_SHADING_CAPSULES = (
    (Joint.HEAD, Joint.NECK, SHADING_HEAD_RADIUS),
    (Joint.LEFT_SHOULDER, Joint.LEFT_ELBOW, SHADING_UPPER_ARM_RADIUS),
    (Joint.RIGHT_SHOULDER, Joint.RIGHT_ELBOW, SHADING_UPPER_ARM_RADIUS),
    (Joint.LEFT_ELBOW, Joint.LEFT_WRIST, SHADING_FOREARM_RADIUS),
    (Joint.RIGHT_ELBOW, Joint.RIGHT_WRIST, SHADING_FOREARM_RADIUS),
    (Joint.PELVIS, Joint.CHEST, SHADING_TRUNK_RADIUS),
    (Joint.LEFT_HIP, Joint.LEFT_KNEE, SHADING_THIGH_RADIUS),
    (Joint.RIGHT_HIP, Joint.RIGHT_KNEE, SHADING_THIGH_RADIUS),
    (Joint.LEFT_KNEE, Joint.LEFT_ANKLE, SHADING_SHANK_RADIUS),
    (Joint.RIGHT_KNEE, Joint.RIGHT_ANKLE, SHADING_SHANK_RADIUS),
)

OCCLUDERS = np.array([(start, end) for start, end, _radius in _SHADING_CAPSULES])
"""Joints between which limbs lie that keep light from the others, shape (N, 2)."""

OCCLUDER_RADII = np.array([radius for _start, _end, radius in _SHADING_CAPSULES])
"""Their radii, [m]."""

CASTING = 5
"""How many of them, from the first on, cast shadows on the body."""


def occluders(joints: Floats) -> Singles:
    """Return the limbs that shade the skin of each figure, as capsules for the shaders.

    Args:
        joints: joints of F figures in the world, shape (F, `JOINTS`, 3), [m].

    Returns:
        Shape (F, N, 2, 4): for each of the N capsules of `OCCLUDERS` two rows of four numbers: its
        start and radius², then the vector from start to end and 1 / length².
    """
    rows: Singles = np.empty((len(joints), len(OCCLUDERS), 2, 4), dtype=np.float32)
    starts = joints[:, OCCLUDERS[:, 0]]
    start_to_end = joints[:, OCCLUDERS[:, 1]] - starts
    rows[..., 0, :3] = starts
    rows[..., 0, 3] = OCCLUDER_RADII**2
    rows[..., 1, :3] = start_to_end
    # The limit, (1 mm)², avoids a division by 0 for a limb without length.
    rows[..., 1, 3] = 1.0 / np.maximum((start_to_end * start_to_end).sum(axis=-1), 1e-6)
    return rows


COVERS = (
    *("skin", "shirt", "trousers", "shoes", "hair", "eyes", "irises", "lips", "soles", "pupils"),
    *("socks", "mouth", "sleeves", "trim", "stubble"),
)
"""What the skin is made of, in the order of its numbers."""

HAIR_CUTS = "short", "crop", "bob", "ponytail", "curly", "long", "bun", "balding", "afro"
"""Cuts of hair."""

MOUTHS = "smile", "grin", "calm", "intent"
"""Mouths."""

PARTS = (
    *HAIR_CUTS,
    *("short sleeves", "long sleeves", "bare arms", "bare hands"),
    *("trousers", "shorts", "bare legs"),
    *("beard", "glasses"),
    *MOUTHS,
)
"""What some people wear or show and others do not, in the order of their numbers."""


def worn_number(*parts: str) -> int:
    """Return a number for some of `PARTS`: bit n is set for part n."""
    return sum(1 << PARTS.index(part) for part in parts)


def parts_worn(worn: int) -> list[int]:
    """Return the numbers of the parts that `worn_number` has put into a number, ascending."""
    return [part for part in range(len(PARTS)) if worn >> part & 1]


@dataclass(frozen=True)
class SkinLevel:
    """The surface of the figure in one level of detail.

    Args:
        points: shape (V, 3) for V points, at rest, in units of `UNIT`.
        normals: shape (V, 3), unit vectors times 127.
        shares: shape (V, 4), weights of four bones, which add up to 255.
        bones: shape (V, 4), the numbers of these bones.
        covers: shape (V,), numbers of `COVERS`.
        triangles: shape (F, 3) for F triangles, numbers of points, counterclockwise as seen from
            outside: those of all bodies, then those of each of `PARTS`, of which a figure shows
            some.
        parts: shape (parts + 1,), where the triangles of each part begin, and where the last end.
    """

    points: NDArray[np.int16]
    normals: NDArray[np.int8]
    shares: NDArray[np.uint8]
    bones: NDArray[np.uint8]
    covers: NDArray[np.uint8]
    triangles: NDArray[np.uint16]
    parts: NDArray[np.int32]

    def wearing(self, *worn: int) -> SkinLevel:
        """Return the body with the clothes that some people wear, and only the points in use.

        Args:
            worn: for each person a number whose bit n is set if they wear or show part n. Parts
                that none of them wears keep their numbers in the result, but have no triangles.
        """
        shown = {part for number in worn for part in parts_worn(number)}
        # Triangles are sorted: those of the body, then those of each part. `parts` is where each
        # part begins, and its last number is the end of all.
        body, *by_part = np.split(self.triangles, self.parts[:-1])
        shown_parts = [triangles for part, triangles in enumerate(by_part) if part in shown]
        triangles = np.concatenate([body, *shown_parts])
        # Points that no triangle uses any more are dropped, and the others get new numbers.
        used_points, new_indices = np.unique(triangles, return_inverse=True)
        # The number of triangles of each part in the result, 0 for parts that are not shown.
        is_shown = np.isin(np.arange(len(by_part)), list(shown))
        triangle_counts = np.where(is_shown, np.diff(self.parts), 0)
        return SkinLevel(
            points=self.points[used_points],
            normals=self.normals[used_points],
            shares=self.shares[used_points],
            bones=self.bones[used_points],
            covers=self.covers[used_points],
            triangles=new_indices.reshape(-1, 3).astype(np.uint16),
            parts=np.cumsum([self.parts[0], *triangle_counts]).astype(np.int32),
        )

    def carried(self, bones: Singles) -> Floats:
        """Return the points of the skin in a pose, by linear blend skinning.

        Args:
            bones: transforms of the bones from rest to the pose, shape (bones, 3, 4), as from
                `Skeleton.transforms`: they take (x, y, z, 1) at rest into the world.

        Returns:
            Shape (V, 3) for V points, in the world, [m].
        """
        # The mean transform of each point's four bones, weighted by their shares, which are bytes
        # that add up to 255.
        transforms = np.einsum("vk,vkab->vab", self.shares / 255, bones[self.bones])
        posed: Floats = (transforms[..., :3] @ (self.points * UNIT)[..., None])[
            ..., 0
        ] + transforms[..., 3]
        return posed


_THIN_BONES = [
    number
    for number, bone in enumerate(BONES)
    if bone.name.endswith(
        ("hand", "finger", "thumb", "index", "ring", "little", "middle", "tip")
        + ("head", "throat", "jaw", "mouth", "brow", "nose")
    )
]

# By how much the surface may be moved inward without turning inside out, [m].
_INWARD = 0.02
_INWARD_OF_THIN = 0.004
_INWARD_OF_FACE = 0.0006

_FACE_COVERS = [COVERS.index(name) for name in ("eyes", "irises", "pupils", "lips", "mouth")]
_EYE_BONES = np.arange(AROUND_EYES.start, AROUND_EYES.stop)


def outward(level: SkinLevel) -> NDArray[np.int8]:
    """Return for each point an outward direction, and how far it may be moved inward.

    Points at one place have several normals where covers meet. They share the direction of the mean
    of these, so that a surface whose points are moved along it stays closed. A cover is what a part
    of the figure is made of, such as skin or a shirt.

    Args:
        level: a level of detail with V points.

    Returns:
        Shape (V, 4): the direction times 127, and the distance by which the surface may be moved
        inward without turning inside out, of which 127 are 2 cm.
    """
    # The sum of all normals at each place, which has the direction of their mean.
    _, place_of_point = np.unique(level.points, axis=0, return_inverse=True)
    place_of_point = place_of_point.ravel()
    normal_sums = np.zeros((len(level.points), 3))
    np.add.at(normal_sums, place_of_point, level.normals.astype(float))
    # For each point the direction of the sum at its place, as a unit vector times 127.
    direction = normal_sums[place_of_point]
    direction *= 127 / np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-9)
    # The first of a point's bones tells whether it is on a thin part of the body, such as a finger.
    is_thin = np.isin(level.bones[:, 0], _THIN_BONES)
    inward = np.where(is_thin, _INWARD_OF_THIN, _INWARD)
    inward[_is_facial_feature(level)] = _INWARD_OF_FACE
    inward *= 127 / _INWARD
    return np.round(np.column_stack([direction, inward])).astype(np.int8)


def _is_facial_feature(level: SkinLevel) -> NDArray[np.bool_]:
    """Return whether each point belongs to eyes, lids, mouth or brows: thin layers on the face.

    Args:
        level: a level of detail with V points.

    Returns:
        Shape (V,).
    """
    # Hairstyles are among the parts that some people wear, whose triangles begin at `parts[0]`. The
    # triangles before are those of all bodies, on which the only hair is brows.
    is_of_body = np.zeros(len(level.points), dtype=bool)
    is_of_body[level.triangles[: level.parts[0]]] = True
    is_brow = is_of_body & (level.covers == COVERS.index("hair"))
    # A point has up to four bones, the main one first.
    is_at_eye: NDArray[np.bool_] = np.isin(level.bones[:, 0], _EYE_BONES)
    return is_brow | np.isin(level.covers, _FACE_COVERS) | is_at_eye


FINER_FROM = 160.0, 600.0
"""Smooth bodies of at least these scales are drawn in the middle and in the finest of three levels
of detail, [pixels per metre].
"""

UNIT = 2.0 / 32767
"""Of the points of the skin, [m]."""


@dataclass(frozen=True)
class Skin:
    """The surface of the figure.

    Args:
        skeleton: the bones that carry it.
        levels: levels of detail, the finest first.
    """

    skeleton: Skeleton
    levels: tuple[SkinLevel, ...]


@lru_cache(maxsize=1)
def load_skin() -> Skin:
    """Read the surface of the figure from the file that `scripts/build_figure.py` makes.

    It is read once; later calls return the same object.
    """
    with np.load(resource("assets", "figure.npz")) as file:
        array_of_name = dict(file)
    names = [field.name for field in fields(SkinLevel)]

    # The file has the rest joints, and an array for each field of `SkinLevel` and each level, such
    # as "points0".
    levels = []
    for level_number in range(LEVELS):
        decoded = [_decoded(name, array_of_name[f"{name}{level_number}"]) for name in names]
        levels.append(SkinLevel(*decoded))
    return Skin(Skeleton(array_of_name["joints"]), tuple(levels))


def _decoded(name: str, stored: NDArray[Any]) -> NDArray[Any]:
    """Decode an array of the figure's file, which stores a field in one of three ways.

    - `shares`, of V points in their four bones, lack the first bone's, so they have shape (3, V).
    - Fields in `STORED_AS_DIFFERENCES` are encoded by `as_differences`.
    - All other fields are stored as they are.

    Args:
        name: of a field of `SkinLevel`.
        stored: the array as stored.
    """
    if name == "shares":
        # The four shares of a point add up to 255, which gives the first one.
        first = 255 - stored.sum(axis=0, dtype=np.uint8)
        return np.column_stack([first, *stored])
    if name in STORED_AS_DIFFERENCES:
        return _from_differences(stored, STORED_AS_DIFFERENCES[name])
    return stored


def as_differences(rows: NDArray[Any]) -> NDArray[np.uint8]:
    """Encode rows of integers as differences from row to row, which compress well.

    Differences of neighbouring rows are small, but of both signs. Zigzag coding moves the sign to
    the lowest bit (0, −1, 1, −2 become 0, 1, 2, 3), so that the higher bytes are mostly 0; and
    bytes of equal weight are put together, so that these zeros are in a row.

    Args:
        rows: shape (N, C) for N rows and C columns, of any integer type. Differences wrap around in
            this type, as do the sums that decode them, so nothing is lost.

    Returns:
        Shape (B, C, N), for a type of B bytes: the lowest byte of all differences first.
    """
    # The first row is kept as its difference from 0.
    steps = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1])).T
    bits = 8 * steps.itemsize
    signed = steps.astype(f"<i{steps.itemsize}")
    # The arithmetic shift gives −1, all bits set, for negative differences, and 0 for others.
    zigzag = (signed << 1) ^ (signed >> (bits - 1))
    planes = np.ascontiguousarray(zigzag).view(np.uint8).reshape(*steps.shape, steps.itemsize)
    return np.ascontiguousarray(np.moveaxis(planes, -1, 0))


def _from_differences(planes: NDArray[np.uint8], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Decode what `as_differences` has encoded.

    Args:
        planes: shape (B, C, N) for C columns and N rows, the bytes of the differences, the lowest
            first.
        dtype: the integer type of the rows, of B bytes.

    Returns:
        The rows, shape (N, C).
    """
    unsigned = np.dtype(f"<u{len(planes)}")
    # Put the B bytes of each number together again, as the last axis, and read them as one.
    zigzag = np.ascontiguousarray(np.moveaxis(planes, 0, -1)).view(unsigned)[..., 0]
    # The sign was in the lowest bit: 1 becomes all bits set (−1 in two's complement), 0 stays 0.
    steps = (zigzag >> 1) ^ (~(zigzag & 1) + unsigned.type(1))
    # Rows are the sums of the differences up to them; they wrap around as the differences did.
    return np.ascontiguousarray(np.cumsum(steps.astype(dtype), axis=1, dtype=dtype).T)


STORED_AS_DIFFERENCES: dict[str, np.dtype[Any]] = {
    "points": np.dtype(np.int16),
    "normals": np.dtype(np.int8),
    "triangles": np.dtype(np.uint16),
}
"""Fields of a level that the file holds by `as_differences`, and their types."""


LEVELS = 3
"""The number of levels of detail."""
