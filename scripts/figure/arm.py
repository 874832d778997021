"""The left arm and its hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from figure.piece import Piece
from figure.rest_pose import at
from figure.shapes import (
    Chain,
    Distance,
    Shape,
    cone,
    ellipsoid,
    jointed,
    loft,
    outward,
    rise,
    union,
)
from figure.weights import arm_chain, bend, only
from juggle_anim.arrays import Floats
from juggle_anim.body import skeleton as lengths
from juggle_anim.body.skeleton import FINGER_RADII, outer_joint
from juggle_anim.scene.skin import NAMES
from juggle_anim.vectors import unit

_ELBOW = at("LEFT_ELBOW")
_ELBOW_AXIS = bend("LEFT_SHOULDER", "LEFT_ELBOW", "LEFT_WRIST")[1]


def _upper_and_lower() -> tuple[Distance, Distance]:
    """Upper arm and forearm."""
    shoulder, elbow, wrist = (at(f"LEFT_{name}") for name in ("SHOULDER", "ELBOW", "WRIST"))
    upper = (elbow - shoulder) / lengths.UPPER_ARM
    lower = (wrist - elbow) / lengths.FOREARM
    front = np.array([0.0, 0.0, 1.0])
    out = np.cross(upper, front)  # left of a tube that runs down, seen from its front, is inward
    bicep = loft(
        shoulder, upper, out,
        [
            # along, inward, outward, front, back: biceps ahead, triceps behind and higher
            # Within a sleeve it is thinner, so that it does not come through.
            (0.100, 0.0340, 0.0350, 0.0380, 0.0380),
            (0.150, 0.0385, 0.0390, 0.0450, 0.0440),
            (0.185, 0.0412, 0.0410, 0.0485, 0.0465),
            (0.215, 0.0398, 0.0385, 0.0480, 0.0440),
            (0.265, 0.0375, 0.0365, 0.0425, 0.0405),
            (0.305, 0.0372, 0.0365, 0.0370, 0.0365),
            (0.345, 0.0385, 0.0378, 0.0352, 0.0345),
        ],
    )  # fmt: skip
    size = lengths.FOREARM
    forearm = loft(
        elbow, lower, out,
        [
            # The muscle on the side of the thumb is the higher and the fuller one.
            (-0.030, 0.0355, 0.0360, 0.0336, 0.0330),
            (0.015, 0.0373, 0.0395, 0.0354, 0.0350),
            (0.050, 0.0406, 0.0440, 0.0382, 0.0362),
            (0.085, 0.0392, 0.0402, 0.0358, 0.0338),
            (0.130, 0.0330, 0.0320, 0.0299, 0.0286),
            (0.185, 0.0275, 0.0268, 0.0242, 0.0237),
            (0.205, 0.0264, 0.0260, 0.0225, 0.0220),
            (size - 0.025, 0.0259, 0.0262, 0.0201, 0.0197),
            (size + 0.02, 0.029, 0.029, 0.0195, 0.0195),
        ],
        power=2.15,
    )  # fmt: skip
    return bicep, forearm


WITHIN_SLEEVE = 0.145
"""Where a bare arm begins, along it from the shoulder, [m]: just within the sleeve, so that it does
not come through where that is pulled at the armpit.
"""


def arm() -> Piece:
    """Bare arm and hand."""
    shoulder = at("LEFT_SHOULDER")
    wrist = at("LEFT_WRIST")
    upper = (at("LEFT_ELBOW") - shoulder) / lengths.UPPER_ARM
    lower = (wrist - at("LEFT_ELBOW")) / lengths.FOREARM
    back, shapes = hand()

    whole = [Shape(jointed(sleeved_arm(), back, wrist, lower, 0.025), arm_chain, reach=0.005)]
    whole += shapes
    distance = partial(union, whole)
    palm = at("LEFT_PALM")
    along = (palm - wrist) / lengths.PALM

    def shown(points: Floats) -> Floats:
        return (points - shoulder) @ upper - WITHIN_SLEEVE

    def facing(points: Floats) -> Floats:
        # Light falls on arm and back of the hand as on broad forms, whose knuckles are soft.
        fingers = rise((points - palm) @ along, *FINGERS_BEGIN)[:, None]
        broad = outward(distance, points, BROAD)
        return unit(broad + fingers * (outward(distance, points, SLIM) - broad))

    return Piece(
        "skin", whole, (0.24, 0.62, -0.10), (0.75, 1.36, 0.40), 0.0021, (4600, 1300, 290), True,
        over=(shown,), facing=facing, part="bare arms",
    )  # fmt: skip


BROAD = 0.0060
"""How far to either side light falls on an arm as on one form, [m]."""

SLIM = 0.0012
"""The same of fingers, [m]."""

FINGERS_BEGIN = -0.002, 0.014
"""Over these distances from their roots the one turns into the other, [m]."""


def hand_alone() -> Piece:
    """The hand that comes out of a long sleeve."""
    wrist = at("LEFT_WRIST")
    lower = (wrist - at("LEFT_ELBOW")) / lengths.FOREARM
    return replace(
        arm(), hems=(lambda points: (points - wrist) @ lower + 0.045,), part="bare hands"
    )


def sleeved_arm() -> Distance:
    """The arm without the hand, as a tube that goes on beyond the wrist."""
    tube = jointed(*_upper_and_lower(), _ELBOW, _ELBOW_AXIS, 0.03)
    # Behind is the end of the ulna, whose edge goes on along the forearm; inward and outward are
    # those of the upper arm.
    lower = (at("LEFT_WRIST") - _ELBOW) / lengths.FOREARM
    tip = _ELBOW + (0.001, 0.004, -0.0305)
    bones = (
        (cone(tip, 0.0125, tip + 0.085 * lower + (0.0, 0.0, 0.006), 0.0080), 0.014),
        (ellipsoid(_ELBOW + (-0.0290, 0.0040, -0.0090), (0.0115, 0.0150, 0.0115)), 0.016),
        (ellipsoid(_ELBOW + (0.0280, 0.0080, -0.0040), (0.0110, 0.0150, 0.0115)), 0.016),
    )
    return partial(union, (Shape(tube), *(Shape(bone, blend=blend) for bone, blend in bones)))


def hand() -> tuple[Distance, list[Shape]]:
    """The palm, which goes on from the forearm, and what is blended into it."""
    wrist, palm, middle, tips, root, tip = (
        at(f"LEFT_{name}") for name in ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
    )
    along = (palm - wrist) / lengths.PALM
    out = root - palm + lengths.THUMB_BACK * along
    out /= np.linalg.norm(out)
    face = np.cross(along, out)  # out of the palm, as the fingers bend
    face *= np.sign(face @ (tips - palm))

    def place(a: float, o: float, f: float) -> Floats:
        return wrist + a * along + o * out + f * face

    hand_bone = only("left hand")
    straight = np.stack([along, out, face], axis=1)
    turned = np.stack([along * 0.96 + out * 0.28, out * 0.96 - along * 0.28, face], axis=1)
    # Along, toward the thumb, away from it, on the side of the palm, on that of the back.
    table = [
        (-0.02, 0.0285, 0.0285, 0.0195, 0.0195),
        (0.02, 0.031, 0.031, 0.0175, 0.0195),
        (0.06, 0.039, 0.038, 0.0150, 0.0175),
        (0.095, 0.0405, 0.040, 0.0135, 0.0150),
        (0.112, 0.037, 0.037, 0.0105, 0.0110),
    ]
    if np.cross(out, along) @ face < 0:
        table = [(a, i, o, b, f) for a, i, o, f, b in table]
    back = loft(wrist, along, out, table, power=2.5)
    shapes = [
        Shape(ellipsoid(place(0.042, 0.024, 0.0075), (0.036, 0.017, 0.0145), turned), hand_bone,
            0.018, reach=0.005),
        Shape(ellipsoid(place(0.045, -0.024, 0.0055), (0.038, 0.013, 0.0125), straight), hand_bone,
            0.018, reach=0.005),
    ]  # fmt: skip
    beside = lengths.MIDDLE_ACROSS * out
    fingers = {"MIDDLE": (palm + beside, middle + beside, tips + beside)} | {
        name: tuple(at(f"LEFT_{name}{part}") for part in ("", "_MIDDLE", "_TIP"))
        for name in lengths.OTHER_FINGERS
    }
    for name, (start, knuckle, end) in fingers.items():
        thick = FINGER_RADII[name]
        finger = f"left {'finger' if name == 'MIDDLE' else name.lower()}"
        chain = _finger_chain(start, knuckle, end, along, finger)
        # The outer fingers begin nearer to the wrist.
        base = start - 0.010 * along * (1.0 if name in ("MIDDLE", "RING") else 1.6)
        last = (end - knuckle) / np.linalg.norm(end - knuckle)
        outer = outer_joint(start, knuckle, end)
        end = end + 0.0015 * last
        # A finger moves by itself, so its skin is hardly its neighbours'.
        # It is thick at its joints, and slim between.
        places = (
            (base, 0.0008), ((start + knuckle) / 2, -0.0005), (knuckle, 0.0004),
            ((knuckle + outer) / 2, -0.0009), (outer, -0.0004), (end, -0.0026),
        )  # fmt: skip
        for (joint, extra), (next_joint, next_extra) in pairwise(places):
            bone = cone(joint, thick + extra, next_joint, thick + next_extra)
            shapes.append(Shape(bone, chain, 0.003, reach=0.0006))
        # The head of the bone of the hand stands out a little on its back.
        knob = start - 0.012 * along - 0.0050 * face
        shapes.append(
            Shape(ellipsoid(knob, (0.015, 0.0085, 0.0088), straight), chain, 0.014, reach=0.002)
        )
    knuckle = (root + tip) / 2 - lengths.THUMB_JOINT_BACK * along
    first = unit(knuckle - root)
    last = unit(tip - knuckle)
    chain = _thumb_chain(root, knuckle, first, last)
    slim = (root + knuckle) / 2
    # The skin is tight over the outside of the joint.
    bent = knuckle + 0.0012 * unit(last - first)
    # The last bone is thick at its joint and its pad, and thin between.
    pad = knuckle + 0.72 * (tip - knuckle)
    # A web goes from the thumb to the root of the index finger, and moves with both.
    side = place(0.090, 0.032, 0.001)
    thumb = root + 0.66 * (knuckle - root) + 0.06 * (side - root)
    shapes += [
        Shape(cone(place(0.022, 0.016, 0.006), 0.0145, root + 0.006 * first, 0.0133), hand_bone,
            0.020, reach=0.002),
        Shape(cone(root, 0.0133, slim, 0.0104), chain, 0.010, reach=0.002),
        Shape(cone(slim, 0.0104, bent, 0.0090), chain, 0.002, reach=0.002),
        Shape(cone(bent, 0.0090, pad, 0.0092), chain, 0.001, reach=0.002),
        Shape(cone(pad, 0.0092, tip + 0.001 * last, 0.0082), chain, 0.001, reach=0.002),
        Shape(cone(thumb, 0.0086, side, 0.0085), _web_chain(side, thumb), 0.010, reach=0.004),
    ]  # fmt: skip
    return back, shapes


def _finger_chain(start: Floats, knuckle: Floats, end: Floats, along: Floats, finger: str) -> Chain:
    """Weights of the hand and the three bones of a finger, from its root to its tip."""
    first = unit(knuckle - start)
    last = unit(end - knuckle)
    # The outer joint moves along the bone as that bends; this is the middle of its way.
    outer = knuckle + 0.58 * (end - knuckle)

    def weights(points: Floats) -> Floats:
        one = np.clip(((points - start) @ unit(along + first) + 0.012) / 0.026, 0.0, 1.0)
        two = np.clip(((points - knuckle) @ unit(first + last) + 0.007) / 0.014, 0.0, 1.0)
        three = np.clip(((points - outer) @ last + 0.006) / 0.012, 0.0, 1.0)
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index("left hand")] = 1 - one
        rows[:, NAMES.index(finger)] = one * (1 - two)
        rows[:, NAMES.index(f"{finger} middle")] = one * two * (1 - three)
        rows[:, NAMES.index(f"{finger} tip")] = one * two * three
        return rows

    return weights


def _thumb_chain(root: Floats, knuckle: Floats, first: Floats, last: Floats) -> Chain:
    """Weights of the hand and the two bones of a thumb, which lie along `first` and `last`."""

    def weights(points: Floats) -> Floats:
        one = np.clip(((points - root) @ first + 0.012) / 0.026, 0.0, 1.0)
        two = np.clip(((points - knuckle) @ unit(first + last) + 0.007) / 0.014, 0.0, 1.0)
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index("left hand")] = 1 - one
        rows[:, NAMES.index("left thumb")] = one * (1 - two)
        rows[:, NAMES.index("left thumb tip")] = one * two
        return rows

    return weights


def _web_chain(side: Floats, thumb: Floats) -> Chain:
    """Weights of the hand and the thumb, from the side of the one to the middle of the other."""
    way = (thumb - side) / ((thumb - side) @ (thumb - side))

    def weights(points: Floats) -> Floats:
        share = np.clip((points - side) @ way, 0.0, 1.0)
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index("left hand")] = 1 - share
        rows[:, NAMES.index("left thumb")] = share
        return rows

    return weights
