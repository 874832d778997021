"""The figure: a person of round limbs around the joints of a pose, in full and in low detail.

Every point of the figure is a weighted sum of joints and the direction up, so the end of a limb is
a row of weights, and the whole figure is one matrix product.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.skeleton import (
    BELT_RADIUS,
    CHEST_RADIUS,
    COLLAR_RADIUS,
    FACE,
    FACE_ENDS,
    FACE_RADII,
    FINGER_RADII,
    FINGERTIP_RADIUS_LOSS,
    FOOT,
    FOREARM_RADII,
    HAIR_ENDS,
    HAIR_RADII,
    HEAD,
    HIP,
    INSTEP_RADII,
    KNUCKLE_RADIUS_GAIN,
    LOW_DETAIL_COLLAR_RADIUS,
    LOW_DETAIL_FACE_RADII,
    LOW_DETAIL_SHOE_RADII,
    LOW_DETAIL_YOKE_RADIUS,
    MIDDLE_ACROSS,
    MITTEN_RADII,
    NECK_RADII,
    NOSE_ENDS,
    NOSE_RADII,
    OTHER_FINGERS,
    PALM,
    PALM_INNER_RADII,
    PALM_OUTER_RADII,
    SEAT_RADIUS,
    SHANK_RADII,
    SHOULDER,
    SHOULDER_LINE_RADIUS,
    SOLE_RADII,
    SPINE,
    THIGH_RADII,
    THUMB_BACK,
    THUMB_JOINT_BACK,
    THUMB_OUT,
    THUMB_RADII,
    UPPER_ARM_RADII,
    YOKE_FROM_CHEST,
    YOKE_RADII,
    Radii,
    outer_joint,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.people import SAME, people_paint, people_worn
from juggle_anim.scene.scene import Cone, Stage, cones, no_rows
from juggle_anim.scene.skin import COVERS, worn_number

PERSON = "person"
MANNEQUIN = "mannequin"
SEE_THROUGH = "see-through"
SEE_THROUGH_OPACITY = 0.35

_STICK_GLOSS = 0.12
# Factor of the radii of every second translucent limb. Where two limbs share an end, their surfaces
# would coincide, and it would be left to rounding which of them is drawn as the nearer.
_SLIMMER = 0.99
_DARK_FLOOR = 0.4  # a floor with no channel above this is dark, sRGB

# Share of white in the colours of figures on a dark stage.
_LIGHTENING = {"solid": 0.16, "stick": 0.45, SEE_THROUGH: 0.85}

_STICK_COLOUR = (0.42, 0.48, 0.56)  # sRGB
_STICK_RADIUS = 0.016  # m
_STICK_HEAD_RADIUS = 0.10  # m
_HAVE_LOW_DETAIL = "solid", PERSON, MANNEQUIN
_FIRST_PERSON = people_paint(SAME, 1)
_FIRST_WORN = people_worn(SAME, 1)

UNSEEN_JOINTS = frozenset({*range(Joint.LEFT_ELBOW), *range(Joint.LEFT_HIP, Joint.LEFT_INDEX)})
"""Joints of all that is not drawn of a juggler through whose eyes the scene is seen: forearms and
hands are left.
"""

_WEIGHTS = np.eye(JOINTS + 1)
_UP = _WEIGHTS[JOINTS]
_SOLE_BELOW_ANKLE = 0.034  # m


def figure_capsules(
    joints: Floats, figure: str = "solid", paint: Singles = _FIRST_PERSON
) -> Singles:
    """Return the round limbs of every juggler, in full detail.

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), in the world, [m].
        figure: how people are drawn, an option of the parameter `figure`; "hidden" has no limbs.
        paint: shape (J, covers, 4), sRGB and gloss of the covers of limbs, such as skin and shirt;
            by default all are the first person.

    Returns:
        Shape (T, J · limbs, `Cone.WIDTH`), rows of `Cone`, juggler by juggler.
    """
    time_count = len(joints)
    if figure == "hidden":
        return no_rows(time_count, 0, Cone.WIDTH)
    if figure == "stick":
        return _stick_figure(joints)
    capsules = _painted_capsules(joints, _limbs_of(figure), paint, _FIRST_WORN)
    # Limbs that share an end mostly follow each other, so slimming every second one keeps their
    # surfaces apart.
    if figure == SEE_THROUGH:
        capsules[:, :, 1::2, Cone.RADII] *= _SLIMMER
    return capsules.reshape(time_count, -1, Cone.WIDTH)


def unseen_limbs(figure: str) -> tuple[int, ...]:
    """Return the limbs that jugglers do not see of themselves, such as those of the head.

    They are left out where a camera is in a juggler's eyes.

    Args:
        figure: how people are drawn, an option of the parameter `figure` such as "stick".

    Returns:
        Indices among the limbs that `figure_capsules` makes for one juggler, ascending.
    """
    if figure == "stick":
        return tuple(
            limb_index
            for limb_index, ends in enumerate(_STICKS)
            if not UNSEEN_JOINTS.isdisjoint(ends)
        )
    # Each end of a limb is a weighted sum of joints. Weights have a row for each end; reshaped, a
    # row holds both ends of one limb.
    weights = _limbs_of(figure).weights[:, sorted(UNSEEN_JOINTS)]
    weights = weights.reshape(-1, 2 * len(UNSEEN_JOINTS))
    return tuple(np.flatnonzero(weights.any(axis=1)).tolist())


def limb_shapes(joints: Floats) -> Floats:
    """Return the shapes of `figure_capsules`, shape (T, J, limbs, 8) for T times and J jugglers,
    columns `Cone.SHAPE`.
    """
    return _LIMBS.shapes_of(joints)


def low_detail_capsules(
    joints: Floats,
    figure: str = "solid",
    paint: Singles = _FIRST_PERSON,
    worn: Integers = _FIRST_WORN,
) -> Singles:
    """Return the round limbs of every juggler in low detail, for where they are small in a picture.

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), in the world, [m].
        figure: how people are drawn, an option of the parameter `figure` such as "stick".
        paint: shape (J, covers, 4), sRGB and gloss of the covers of limbs, such as skin and shirt;
            by default all are the first person.
        worn: what each juggler wears, such as long sleeves, shape (J,), numbers whose bit n is set
            for part n of `skin.PARTS`; by default all wear what the first person does.

    Returns:
        Shape (T, J, limbs, `Cone.WIDTH`), rows of `Cone`; (T, 0, limbs, `Cone.WIDTH`) for a figure
        that is never drawn in low detail.
    """
    limbs = {PERSON: _DRESSED, MANNEQUIN: _LOW_DETAIL_MANNEQUIN}.get(figure, _LOW_DETAIL)
    # Either all jugglers have limbs, or nobody has: then a slice of no jugglers keeps the other
    # axes.
    drawn = slice(None) if figure in _HAVE_LOW_DETAIL else slice(0)
    return _painted_capsules(joints[:, drawn], limbs, paint[drawn], worn[drawn])


def smooth_bodies(
    joints: Floats, figure: str, paint: Singles = _FIRST_PERSON
) -> tuple[Floats, Singles]:
    """Return joints and paint of the jugglers that are drawn as smooth bodies.

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), in the world, [m].
        figure: how people are drawn, such as "person" or "stick"; only a person is a smooth body.
        paint: shape (J, covers, 4), sRGB and gloss of the covers of bodies, such as skin and shirt.

    Returns:
        Joints, shape (T, F, `JOINTS`, 3), [m], and paint, shape (T, F, covers, 4), the same at all
        times. F is J for a person, and 0 for any other figure.
    """
    # Either all jugglers are smooth bodies, or nobody is: then a slice of no jugglers keeps the
    # other axes.
    smooth = slice(None) if figure == PERSON else slice(0)
    joints = joints[:, smooth]
    paint = paint[smooth]
    return joints, np.broadcast_to(paint, (*joints.shape[:2], *paint.shape[1:]))


def lighten_on_dark_stage(stage: Stage, limbs: Singles, figure: str = SEE_THROUGH) -> Singles:
    """Mix the colours of limbs with white, so that they are visible on a dark stage.

    Args:
        stage: stage around the figure; on a light one the limbs are returned unchanged.
        limbs: shape (…, `Cone.WIDTH`), rows of `Cone`; not changed in place.
        figure: how people are drawn, such as "stick". `_LIGHTENING` has the share of white for some
            figures; limbs of others are returned unchanged.
    """
    white_share = _LIGHTENING.get(figure, 0.0)
    if not white_share or max(stage.floor) > _DARK_FLOOR:
        return limbs
    lightened = limbs.copy()
    lightened[..., Cone.COLOUR] += white_share * (1.0 - lightened[..., Cone.COLOUR])
    return lightened


@dataclass(frozen=True)
class Limb:
    """A round cone of the figure.

    Args:
        start, end: shape (`JOINTS` + 1,), weights of the places of the joints and of the unit
            vector up; each end is the weighted sum.
        radii: radii at start and end, [m].
        cover: one of `skin.COVERS`.
        part, part_cover: one of `skin.PARTS`, and the cover of those who wear it; "" where the
            cover is the same for all.
    """

    start: Floats
    end: Floats
    radii: Radii
    cover: str
    part: str = ""
    part_cover: str = ""


def weights_of(joint: str) -> Floats:
    """Return the weights of a joint."""
    return _WEIGHTS[Joint[joint]]


def _interpolated(first: Floats, second: Floats, share: float) -> Floats:
    """Weights of a point between two points: share 0 is the first, 1 the second."""
    return (1 - share) * first + share * second


def _between_joints(first: str, second: str, share: float) -> Floats:
    """Weights of a point between two joints, see `_interpolated`."""
    return _interpolated(weights_of(first), weights_of(second), share)


def _trunk(column_count: int, collar_radius: float) -> list[Limb]:
    """Return a flat trunk of upright columns side by side, with trousers over the hem of the shirt.

    A limb is given by its ends (weights of joints), the radii there, [m], and its cover, such as
    skin or shirt.

    Args:
        column_count: number of columns from shoulder to shoulder, 2 or more.
        collar_radius: radius of the columns at their tops, [m].

    Returns:
        The line of the shoulders, the seat, and two limbs for each column: from collar to chest,
        and on to the belt.
    """
    # Weights of joints. Shoulders and hips both from left to right, so that a share of the way from
    # one end to the other, 0 to 1, is the same side of the body for both.
    hips = weights_of("LEFT_HIP"), weights_of("RIGHT_HIP")
    shoulders = weights_of("LEFT_SHOULDER"), weights_of("RIGHT_SHOULDER")
    shoulder_line = (SHOULDER_LINE_RADIUS, SHOULDER_LINE_RADIUS)
    trunk = [
        Limb(*shoulders, shoulder_line, "shirt"),
        Limb(
            _interpolated(*hips, 0.10),
            _interpolated(*hips, 0.90),
            (SEAT_RADIUS, SEAT_RADIUS),
            "trousers",
        ),
    ]
    for share in np.linspace(0.0, 1.0, column_count):
        # Each point is at a share of the way up the spine, moved to the side by a factor of how far
        # the shoulder line is from the chest at this column. The factors shrink from 0.52 at the
        # collar to 0.33 at the belt, so the trunk is narrower farther down.
        sideways = _interpolated(*shoulders, share) - weights_of("CHEST")
        collar = _between_joints("PELVIS", "CHEST", 0.95) + 0.52 * sideways
        chest = _between_joints("PELVIS", "CHEST", 0.74) + 0.47 * sideways
        belt = _between_joints("PELVIS", "CHEST", 0.09) + 0.33 * sideways
        trunk += [
            Limb(collar, chest, (collar_radius, CHEST_RADIUS), "shirt"),
            Limb(chest, belt, (CHEST_RADIUS, BELT_RADIUS), "shirt"),
        ]
    return trunk


def _detailed_trunk() -> list[Limb]:
    """A trunk of seven columns, and two limbs from the collar to the shoulders."""
    yoke = _between_joints("CHEST", "NECK", YOKE_FROM_CHEST)
    shoulders = (weights_of("LEFT_SHOULDER"), weights_of("RIGHT_SHOULDER"))
    yokes = [Limb(yoke, _interpolated(yoke, end, 0.82), YOKE_RADII, "shirt") for end in shoulders]
    return [*yokes, *_trunk(7, COLLAR_RADIUS)]


def _low_detail_trunk() -> list[Limb]:
    """Three columns, as wide, as thick and with as dark a shadow as the seven in full detail."""
    yoke = _between_joints("CHEST", "NECK", YOKE_FROM_CHEST)
    left, right = (
        _interpolated(yoke, weights_of(f"{side}_SHOULDER"), 0.45) for side in ("LEFT", "RIGHT")
    )
    radii = (LOW_DETAIL_YOKE_RADIUS, LOW_DETAIL_YOKE_RADIUS)
    return [Limb(left, right, radii, "shirt"), *_trunk(3, LOW_DETAIL_COLLAR_RADIUS)]


def _head_axes() -> tuple[Floats, Floats, Floats]:
    """Weights of the head's middle, and of the unit vectors up and ahead of it."""
    head = weights_of("HEAD")
    return head, (head - weights_of("NECK")) / HEAD, (weights_of("FACE") - head) / FACE


def _hair() -> Limb:
    return _limb_on_head(HAIR_ENDS, HAIR_RADII, "hair")


def _limb_on_head(ends: Sequence[tuple[float, float]], radii: Radii, cover: str) -> Limb:
    """A limb whose ends are so far up and ahead of the head's middle, along its axes, [m]."""
    head, up, ahead = _head_axes()
    first, last = (head + rise * up + forward * ahead for rise, forward in ends)
    return Limb(first, last, radii, cover)


def _detailed_head() -> list[Limb]:
    """Return the limbs of neck, face, nose and hair.

    A limb is given by its ends (weights of joints), the radii there, [m], and its cover, such as
    skin or shirt.
    """
    collar = _between_joints("CHEST", "NECK", 0.75)
    head, up, _ahead = _head_axes()
    return [
        Limb(collar, head - 0.05 * up, NECK_RADII, "skin"),
        _limb_on_head(FACE_ENDS, FACE_RADII, "skin"),
        _limb_on_head(NOSE_ENDS, NOSE_RADII, "skin"),
        _hair(),
    ]


def _low_detail_head() -> list[Limb]:
    """Neck and face in one limb, and hair."""
    head, up, ahead = _head_axes()
    throat = head - 0.10 * up + 0.015 * ahead
    return [Limb(throat, head + 0.034 * up, LOW_DETAIL_FACE_RADII, "skin"), _hair()]


def _joints_of_side(side: str, *names: str) -> list[Floats]:
    """Weights of given joints of one side, "LEFT" or "RIGHT"."""
    return [weights_of(f"{side}_{name}") for name in names]


def _detailed_side(side: str) -> list[Limb]:
    """Return an arm with a hand, and a leg with a shoe of two limbs.

    A limb is given by its ends (weights of joints and of the unit vector up), the radii there, [m],
    and what covers it.

    Args:
        side: "LEFT" or "RIGHT".
    """
    # Weights of joints.
    shoulder, elbow, wrist = _joints_of_side(side, "SHOULDER", "ELBOW", "WRIST")
    hip, knee, ankle, toes = _joints_of_side(side, "HIP", "KNEE", "ANKLE", "TOES")
    # `sole` is below the ankle. The heel is on the line from the toes to it, farther back: a share
    # below 0 is beyond the first point. Lengths along up are in metres.
    sole = ankle - _SOLE_BELOW_ANKLE * _UP
    heel = _interpolated(sole, toes - 0.004 * _UP, -0.28)
    return [
        Limb(shoulder, elbow, UPPER_ARM_RADII, "shirt"),
        Limb(elbow, wrist, FOREARM_RADII, "skin"),
        *_hand(side),
        Limb(hip, knee, THIGH_RADII, "trousers"),
        Limb(knee, ankle, SHANK_RADII, "trousers"),
        Limb(heel, toes, SOLE_RADII, "shoes"),
        Limb(ankle, _interpolated(sole, toes, 0.75), INSTEP_RADII, "shoes"),
    ]


def _low_detail_side(side: str) -> list[Limb]:
    """Return an arm with a mitten for a hand, and a leg with a one-piece shoe, in few limbs.

    A limb is given by its ends (weights of joints and of the unit vector up), the radii there, [m],
    and what covers it.

    Args:
        side: "LEFT" or "RIGHT".
    """
    # Weights of joints.
    shoulder, elbow, wrist = _joints_of_side(side, "SHOULDER", "ELBOW", "WRIST")
    hip, knee, ankle, toes = _joints_of_side(side, "HIP", "KNEE", "ANKLE", "TOES")
    # The heel is on the line from the toes to the sole below the ankle, farther back: a share below
    # 0 is beyond the first point. Lengths along up are in metres.
    heel = _interpolated(ankle - _SOLE_BELOW_ANKLE * _UP, toes, -0.2) + 0.008 * _UP
    return [
        Limb(shoulder, elbow, UPPER_ARM_RADII, "shirt"),
        Limb(elbow, wrist, FOREARM_RADII, "skin"),
        *_mitten(side),
        Limb(hip, knee, THIGH_RADII, "trousers"),
        Limb(knee, ankle, SHANK_RADII, "trousers"),
        Limb(heel, toes, LOW_DETAIL_SHOE_RADII, "shoes"),
    ]


def _hand(side: str) -> list[Limb]:
    """Return a palm of two limbs, a thumb of two, and four fingers of three limbs each.

    A limb is given by its ends (weights of joints), the radii there, [m], and its cover, such as
    skin or shirt.

    Args:
        side: "LEFT" or "RIGHT".
    """
    # Weights of joints. PALM is between the roots of middle and ring finger; FINGERS and TIPS are
    # on the line through it along the hand, as far as the middle joint and the tip of the middle
    # finger, which is drawn beside this line.
    wrist, palm, middle, tips = _joints_of_side(side, "WRIST", "PALM", "FINGERS", "TIPS")
    thumb, thumb_tip = _joints_of_side(side, "THUMB", "THUMB_TIP")
    # Weights of unit vectors: along the hand, and across it to the side of the thumb. Seen from
    # PALM, the thumb begins THUMB_OUT to this side and THUMB_BACK toward the wrist. Offsets along
    # both vectors are in metres.
    along = (palm - wrist) / PALM
    thumbward = (thumb - palm + THUMB_BACK * along) / THUMB_OUT
    thumb_joint = _interpolated(thumb, thumb_tip, 0.5) - THUMB_JOINT_BACK * along
    joint_radius = sum(THUMB_RADII) / 2
    hand = [
        Limb(wrist + 0.008 * thumbward, palm + 0.016 * thumbward, PALM_INNER_RADII, "skin"),
        Limb(wrist - 0.008 * thumbward, palm - 0.019 * thumbward, PALM_OUTER_RADII, "skin"),
        Limb(thumb, thumb_joint, (THUMB_RADII[0], joint_radius), "skin"),
        Limb(thumb_joint, thumb_tip, (joint_radius, THUMB_RADII[1]), "skin"),
    ]
    # Root, middle joint and tip of each finger; all but the middle one have joints of their own.
    beside = MIDDLE_ACROSS * thumbward
    fingers = {"MIDDLE": [palm + beside, middle + beside, tips + beside]}
    for name in OTHER_FINGERS:
        fingers[name] = _joints_of_side(side, name, f"{name}_MIDDLE", f"{name}_TIP")
    for name, radius in FINGER_RADII.items():
        root, knuckle, tip = fingers[name]
        outer = outer_joint(root, knuckle, tip)
        outer_radius = radius - FINGERTIP_RADIUS_LOSS / 2
        hand += [
            Limb(root, knuckle, (radius + KNUCKLE_RADIUS_GAIN, radius), "skin"),
            Limb(knuckle, outer, (radius, outer_radius), "skin"),
            Limb(outer, tip, (outer_radius, radius - FINGERTIP_RADIUS_LOSS), "skin"),
        ]
    return hand


def _trunk_axes() -> tuple[Floats, Floats, Floats, Floats]:
    """Weights of unit vectors: to the left along the shoulders and along the hips, up the spine,
    and ahead. The last is the mean direction of both feet, so it is shorter if they point apart.
    """
    across = (weights_of("LEFT_SHOULDER") - weights_of("RIGHT_SHOULDER")) / (2 * SHOULDER)
    aside = (weights_of("LEFT_HIP") - weights_of("RIGHT_HIP")) / (2 * HIP)
    up = (weights_of("CHEST") - weights_of("PELVIS")) / SPINE
    ahead = (
        weights_of("LEFT_TOES")
        - weights_of("LEFT_ANKLE")
        + weights_of("RIGHT_TOES")
        - weights_of("RIGHT_ANKLE")
    ) / (2 * FOOT)
    return across, aside, up, ahead


def _point_on_trunk(joint: str, left: Floats, rise: float, forward: float) -> Floats:
    """A point moved from a joint: by weights to the left, and by [m] up the spine and ahead."""
    _across, _aside, up, ahead = _trunk_axes()
    return weights_of(joint) + left + rise * up + forward * ahead


def _mannequin(hand_of: Callable[[str], list[Limb]]) -> list[Limb]:
    """Return the limbs of a jointed doll of wood: an egg for a head, blocks for chest and hips, and
    spindles between balls.

    Args:
        hand_of: limbs of the hand of a side, "LEFT" or "RIGHT".
    """
    across, aside, _up, _ahead = _trunk_axes()
    collar = _between_joints("CHEST", "NECK", 0.35)
    head, head_up, _head_ahead = _head_axes()
    # Blocks lie across: from a joint, to either side, up and ahead, and their radii, [m].
    blocks = (
        ("PELVIS", 0.030 * aside, 0.148, 0.006, 0.080),
        ("PELVIS", 0.055 * aside, 0.015, -0.006, 0.098),
    )
    chest = _point_on_trunk("CHEST", 0 * across, -0.070, -0.008)
    ribs = _point_on_trunk("CHEST", 0 * across, -0.205, 0.004)
    limbs = [
        _limb_on_head(((-0.060, 0.030), (0.026, 0.0)), (0.050, 0.092), "skin"),
        Limb(collar, head - 0.06 * head_up, (0.044, 0.040), "skin"),
        Limb(collar + 0.080 * across, collar - 0.080 * across, (0.050, 0.050), "skin"),
        Limb(chest, ribs, (0.108, 0.098), "skin"),
    ]
    for joint, left, rise, forward, radius in blocks:
        start, end = (_point_on_trunk(joint, sign * left, rise, forward) for sign in (1, -1))
        limbs.append(Limb(start, end, (radius, radius), "skin"))
    for side, sign in (("LEFT", 1), ("RIGHT", -1)):
        out = sign * across
        limbs += [
            Limb(chest + 0.060 * out, ribs + 0.046 * out, (0.101, 0.089), "skin"),
            *_jointed_limb(side, "SHOULDER", "ELBOW", 0.050, (0.036, 0.043, 0.032)),
            *_jointed_limb(side, "ELBOW", "WRIST", 0.0385, (0.030, 0.040, 0.023)),
            *_jointed_limb(side, "HIP", "KNEE", 0.084, (0.068, 0.078, 0.048)),
            *_jointed_limb(side, "KNEE", "ANKLE", 0.056, (0.042, 0.056, 0.032)),
            *hand_of(side),
        ]
        wrist, palm, ankle, toes = _joints_of_side(side, "WRIST", "PALM", "ANKLE", "TOES")
        sole = ankle - _SOLE_BELOW_ANKLE * _UP
        limbs += [
            Limb(wrist, _interpolated(wrist, palm, 0.05), (0.0275, 0.0275), "skin"),
            Limb(ankle, _interpolated(ankle, sole, 0.1), (0.040, 0.040), "skin"),
            Limb(_interpolated(sole, toes, -0.24), toes, SOLE_RADII, "skin"),
            Limb(_interpolated(sole, toes, 0.1), _interpolated(sole, toes, 0.75), INSTEP_RADII,
                "skin"),
        ]  # fmt: skip
    return limbs


def _jointed_limb(
    side: str, first: str, second: str, joint_radius: float, radii: tuple[float, float, float]
) -> list[Limb]:
    """Return a ball at a joint, and from it to the next joint a spindle, which ends before both.

    Args:
        side: "LEFT" or "RIGHT".
        first, second: the two joints.
        joint_radius: radius of the ball, [m].
        radii: of the spindle at its start, where it is thickest, and at its end, [m].
    """
    joint, following = _joints_of_side(side, first, second)
    start, thickest, end = (_interpolated(joint, following, share) for share in (0.13, 0.38, 0.91))
    return [
        Limb(joint, _interpolated(joint, following, 0.02), (joint_radius, joint_radius), "skin"),
        Limb(start, thickest, radii[:2], "skin"),
        Limb(thickest, end, radii[1:], "skin"),
    ]


def _mitten(side: str) -> list[Limb]:
    """A hand in low detail."""
    wrist, palm, tips = _joints_of_side(side, "WRIST", "PALM", "TIPS")
    ends = _interpolated(wrist, palm, 0.3), _interpolated(palm, tips, 0.6)
    return [Limb(*ends, MITTEN_RADII, "skin")]


def _smooth_body_limbs() -> list[Limb]:
    """Return the limbs that stand for a smooth body where it is small in the picture.

    A limb is given by its ends (weights of joints), the radii there, [m], and its cover, such as
    skin or shirt. The numbers were fitted to pictures of the smooth body from all around.
    """
    across, aside, _up, ahead = _trunk_axes()
    on_trunk = _point_on_trunk
    head, head_up, head_ahead = _head_axes()

    def on_head(rise: float, forward: float) -> Floats:
        """A point moved from the head's middle, [m] up and ahead along the head's own axes."""
        return head + rise * head_up + forward * head_ahead

    # The trunk: shoulders, hem of the shirt, and on each side a column and the top of the sleeve,
    # which is raglan and so begins at the collar; side 1 is left, −1 right.
    yoke = [on_trunk("CHEST", side * 0.080 * across, -0.029, -0.018) for side in (1, -1)]
    hem = [on_trunk("PELVIS", side * 0.058 * aside, -0.014, -0.007) for side in (1, -1)]
    limbs = [
        Limb(yoke[0], yoke[1], (0.090, 0.090), "shirt"),
        Limb(hem[0], hem[1], (0.125, 0.125), "shirt"),
    ]
    for side in (1, -1):
        chest = on_trunk("CHEST", side * 0.044 * across, -0.096, -0.005)
        belt = on_trunk("PELVIS", side * 0.057 * aside, 0.085, 0.012)
        sleeve_top = on_trunk("CHEST", side * 0.087 * across, -0.025, -0.015)
        limbs += [
            Limb(chest, belt, (0.126, 0.107), "shirt"),
            Limb(sleeve_top, sleeve_top, (0.0925, 0.0925), "sleeves"),
        ]
    # Neck, face and hair.
    collar = _between_joints("CHEST", "NECK", 0.2)
    limbs += [
        Limb(collar, on_head(-0.066, -0.019), (0.048, 0.055), "skin"),
        Limb(on_head(-0.060, 0.048), on_head(0.001, 0.005), (0.049, 0.096), "skin"),
        Limb(on_head(0.030, -0.030), on_head(0.043, -0.019), (0.095, 0.099), "hair"),
    ]
    return (
        limbs + _smooth_body_side("LEFT", aside, ahead) + _smooth_body_side("RIGHT", -aside, ahead)
    )


def _smooth_body_side(side: str, out: Floats, ahead: Floats) -> list[Limb]:
    """Return an arm with a short sleeve, and a leg, fitted to pictures of a smooth body.

    A limb is given by its ends (weights of joints and of the unit vector up), the radii there, [m],
    and what covers it; some limbs then have a part that people may wear, such as shorts, and what
    covers the limb of those who wear it.

    Args:
        side: "LEFT" or "RIGHT".
        out: weights of the unit vector from the body's middle to this side.
        ahead: weights of the unit vector forward.
    """
    # Weights of joints.
    shoulder, elbow, wrist = _joints_of_side(side, "SHOULDER", "ELBOW", "WRIST")
    palm, tips = _joints_of_side(side, "PALM", "TIPS")
    hip, knee, ankle, toes = _joints_of_side(side, "HIP", "KNEE", "ANKLE", "TOES")
    # Ends of limbs, near the joints: offsets along up, out and ahead are in metres; shares are of
    # the way from the first joint to the second, below 0 beyond the first.
    sole = ankle - _SOLE_BELOW_ANKLE * _UP
    thigh_start = hip - 0.008 * out - 0.011 * ahead
    sleeve_start = _interpolated(shoulder, elbow, 0.016)
    sleeve_end = _interpolated(shoulder, elbow, 0.426)
    mitten_start = _interpolated(wrist, palm, 0.337)
    mitten_end = _interpolated(palm, tips, 0.499)
    heel = _interpolated(sole, toes, -0.226) + 0.024 * _UP
    toe = _interpolated(sole, toes, 1.035) + 0.007 * _UP
    # The last arguments of `Limb` below a short sleeve: its cover is skin, or, on people who wear
    # the part "long sleeves", that of sleeves.
    bare = "skin", "long sleeves", "sleeves"
    return [
        Limb(sleeve_start, sleeve_end, (0.047, 0.063), "sleeves"),
        Limb(_interpolated(shoulder, elbow, 0.519), elbow, (0.047, 0.038), *bare),
        Limb(_interpolated(elbow, wrist, 0.032), wrist, (0.046, 0.026), *bare),
        Limb(mitten_start, mitten_end, (0.036, 0.042), "skin"),
        Limb(thigh_start, knee, (0.099, 0.062), "trousers"),
        Limb(knee, ankle + 0.059 * _UP, (0.065, 0.054), "trousers", "shorts", "skin"),
        Limb(heel, toe, (0.043, 0.024), "shoes"),
    ]


LIMBS = (
    *_detailed_trunk(),
    *_detailed_head(),
    *_detailed_side("LEFT"),
    *_detailed_side("RIGHT"),
)
"""The limbs of a figure in full detail."""

LOW_DETAIL_LIMBS = (
    *_low_detail_trunk(),
    *_low_detail_head(),
    *_low_detail_side("LEFT"),
    *_low_detail_side("RIGHT"),
)
"""The limbs of a figure in low detail."""

DRESSED_LIMBS = tuple(_smooth_body_limbs())
"""Those of a smooth body."""

MANNEQUIN_LIMBS = tuple(_mannequin(_hand))
"""Those of a mannequin in full detail."""


class _LimbArrays:
    """Limbs as arrays.

    Attributes:
        weights: shape (2 · limbs, `JOINTS` + 2), a row for the start and one for the end of each
            limb: weights of the joints and of the unit vector up, and the radius, [m].
        covers: index of each limb's cover in `COVERS`.
        part_covers: cover of people who wear the limb's part.
        parts: a number with the bit of each limb's part set, see `worn_number`; 0 for no part.
    """

    def __init__(self, limbs: Sequence[Limb]) -> None:
        ends = [
            (*point, radius)
            for limb in limbs
            for point, radius in zip((limb.start, limb.end), limb.radii, strict=True)
        ]
        self.weights = np.array(ends)
        self.covers = [COVERS.index(limb.cover) for limb in limbs]
        self.part_covers = [COVERS.index(limb.part_cover or limb.cover) for limb in limbs]
        self.parts = np.array([worn_number(limb.part) if limb.part else 0 for limb in limbs])

    def covers_of(self, worn: Integers) -> Integers:
        """Return the index in `COVERS` of the cover of each limb, shape (J, limbs) for J jugglers.

        Args:
            worn: what each juggler wears, shape (J,), bit n set for part n.
        """
        return np.where(worn[:, None] & self.parts, self.part_covers, self.covers)

    def shapes_of(self, joints: Floats) -> Floats:
        """Return the shapes of limbs, both ends and radii of each, by one matrix product.

        Args:
            joints: shape (T, J, `JOINTS`, 3) for T times and J jugglers, in the world, [m].

        Returns:
            Shape (T, J, limbs, 8), columns `Cone.SHAPE`.
        """
        # For each juggler a matrix whose product with the weights gives x, y, z and radius of each
        # end: rows (x, y, z, 0) of the joints, a row (0, 1, 0, 0) for up, and (0, 0, 0, 1), which
        # copies the radius.
        points = np.zeros((*joints.shape[:2], JOINTS + 2, 4))
        points[..., :JOINTS, :3] = joints
        points[..., JOINTS, :3] = 0.0, 1.0, 0.0
        points[..., -1, 3] = 1.0
        return (self.weights @ points).reshape(*joints.shape[:2], len(self.covers), 8)


_LIMBS = _LimbArrays(LIMBS)
_LOW_DETAIL = _LimbArrays(LOW_DETAIL_LIMBS)
_DRESSED = _LimbArrays(DRESSED_LIMBS)
_MANNEQUIN = _LimbArrays(MANNEQUIN_LIMBS)
_LOW_DETAIL_MANNEQUIN = _LimbArrays(_mannequin(_mitten))


def _limbs_of(figure: str) -> _LimbArrays:
    """The limbs of a figure that is drawn with limbs, in full detail."""
    return _MANNEQUIN if figure == MANNEQUIN else _LIMBS


def _painted_capsules(
    joints: Floats, limbs: _LimbArrays, paint: Singles, worn: Integers
) -> Singles:
    """Return the capsules of all limbs: their shapes from the joints, and their paint.

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), in the world, [m].
        limbs: limbs of one level of detail.
        paint: shape (J, covers, 4), sRGB and gloss of the covers of limbs, such as skin and shirt.
        worn: what each juggler wears, such as long sleeves, as bits for `skin.PARTS`, shape (J,),
            or (1,) if all wear the same. It decides which cover a limb has.

    Returns:
        Shape (T, J, limbs, `Cone.WIDTH`), rows of `Cone`.
    """
    capsules = np.empty((*joints.shape[:2], len(limbs.covers), Cone.WIDTH), dtype=np.float32)
    capsules[..., Cone.SHAPE] = limbs.shapes_of(joints)
    # The paint of each limb of each juggler, shape (J, limbs, 4), the same at all times.
    juggler = np.arange(len(paint))[:, None]
    capsules[..., Cone.PAINT] = paint[juggler, limbs.covers_of(worn)]
    return capsules


def _stick_figure(joints: Floats) -> Singles:
    """Lines from joint to joint, and a round head: shape (T, J · lines, `Cone.WIDTH`).

    Args:
        joints: joints of J jugglers at T times, shape (T, J, `JOINTS`, 3), [m].
    """
    # The one line without length, from a joint to itself, is the head.
    starts, ends = np.array(_STICKS).T
    radii = np.where(starts == ends, _STICK_HEAD_RADIUS, _STICK_RADIUS)
    rows = cones(
        joints[..., starts, :], radii, joints[..., ends, :], radii, _STICK_COLOUR, _STICK_GLOSS
    )
    return rows.reshape(len(joints), -1, Cone.WIDTH)


def _lines(*names: str) -> list[tuple[int, int]]:
    """Pairs of joints that follow each other in a polyline."""
    return list(itertools.pairwise(int(Joint[name]) for name in names))


_STICKS = [
    *_lines("PELVIS", "CHEST", "NECK", "HEAD", "HEAD"),
    *_lines("LEFT_SHOULDER", "NECK", "RIGHT_SHOULDER"),
    *_lines("LEFT_HIP", "PELVIS", "RIGHT_HIP"),
    *(
        line
        for side in ("LEFT", "RIGHT")
        for limb in (("SHOULDER", "ELBOW", "WRIST", "PALM"), ("HIP", "KNEE", "ANKLE", "TOES"))
        for line in _lines(*(f"{side}_{joint}" for joint in limb))
    ),
]
"""The joints that each line joins; the head is a line without length."""
