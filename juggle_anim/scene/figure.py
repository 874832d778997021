"""The figure: a person of round limbs around the joints of a pose, in full and in low detail."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from juggle_anim.arrays import Floats, Singles
from juggle_anim.body import JOINTS, Joint
from juggle_anim.body.skeleton import FACE, FOOT, HEAD, HIP, SHOULDER, SPINE
from juggle_anim.scene.limbs import DIRECTIONS, LIMBS, UP, Limb, at, between, mix, trunk_columns
from juggle_anim.scene.people import SAME, people_paint
from juggle_anim.scene.scene import Cone, Stage, cones, no_rows
from juggle_anim.scene.skin import COVERS

PERSON = "person"
SEE_THROUGH = "see-through"

_GLOSS = 0.12
_SLIMMER = 0.99
_DARK_FLOOR = 0.4  # a floor with no channel above this is dark, sRGB
_LIGHTENING = {
    "solid": 0.16,
    PERSON: 0.06,
    "stick": 0.45,
    SEE_THROUGH: 0.85,
}  # share of white on a dark stage
_WOOD = (0.79, 0.62, 0.45)
_POLISH = 0.35
# sRGB, [m], [m]
_STICK_COLOUR = (0.42, 0.48, 0.56)
_STICK_RADIUS = 0.016
_STICK_HEAD_RADIUS = 0.10
_HAVE_LOW_DETAIL = "solid", PERSON, "mannequin"
_PAINT = people_paint(SAME, 1)


def figure_capsules(joints: Floats, figure: str = "solid", paint: Singles = _PAINT) -> Singles:
    """Return the round limbs of every juggler.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
        figure: an option of the parameter `figure`.
        paint: shape (J, covers, 4), as of `people_paint`; by default all are the first person.

    Returns:
        Shape (T, J · limbs, 12), rows of `Cone`.
    """
    times = len(joints)
    if figure == "hidden":
        return no_rows(times, 0, Cone.WIDTH)
    if figure == "stick":
        return _stick_figure(joints)
    capsules = _place_limbs(joints, _LIMBS, figure, paint)
    if figure == SEE_THROUGH:
        # Where two limbs share an end, one of them must be the nearer.
        capsules[:, :, 1::2, Cone.RADII] *= _SLIMMER
    return capsules.reshape(times, -1, Cone.WIDTH)


def head_limbs(figure: str) -> tuple[int, ...]:
    """Return which limbs of each juggler in `figure_capsules` are the head, counted from 0, in
    order.
    """
    if figure == "stick":
        return tuple(number for number, ends in enumerate(_STICKS) if Joint.HEAD in ends)
    some = _LIMBS.weights[:, [Joint.HEAD, Joint.FACE]].reshape(-1, 4)
    return tuple(np.flatnonzero(some.any(axis=1)).tolist())


def limb_shapes(joints: Floats) -> Floats:
    """Return the shapes of `figure_capsules`, shape (T, J, limbs, 8), columns `Cone.SHAPE`."""
    return _LIMBS.place(joints)


def low_detail_capsules(joints: Floats, figure: str = "solid", paint: Singles = _PAINT) -> Singles:
    """Return the same jugglers with fewer limbs, for where they are small in the picture.

    Args:
        joints, figure, paint: as of `figure_capsules`.

    Returns:
        Shape (T, J, limbs, 12), rows of `Cone`; no jugglers for a figure that has few limbs anyway.
    """
    limbs = _DRESSED if figure == PERSON else _LOW_DETAIL
    shown = slice(None if figure in _HAVE_LOW_DETAIL else 0)
    return _place_limbs(joints[:, shown], limbs, figure, paint[shown])


def smooth_bodies(
    joints: Floats, figure: str, stage: Stage, paint: Singles = _PAINT
) -> tuple[Floats, Singles]:
    """Return the jugglers that are drawn as smooth bodies, as `Scene.bodies` and `Scene.paint` at T
    times.

    Args:
        joints: shape (T, J, `JOINTS`, 3), [m].
        figure: an option of the parameter `figure`.
        stage: around them; on a dark one they are paler.
        paint: as of `figure_capsules`.
    """
    shown = slice(None if figure == PERSON else 0)
    bodies = joints[:, shown]
    paint = paint[shown]
    if max(stage.floor) <= _DARK_FLOOR:
        paint = paint.copy()
        paint[..., :3] += _LIGHTENING[PERSON] * (1.0 - paint[..., :3])
    return bodies, np.broadcast_to(paint, (*bodies.shape[:2], *paint.shape[1:]))


def lighten_on_dark_stage(stage: Stage, limbs: Singles, figure: str = SEE_THROUGH) -> Singles:
    """Return limbs mixed with white on a dark stage, in which they would hardly be seen; unchanged
    on others.

    Args:
        stage: around the figure.
        limbs: shape (…, 12), rows of `Cone`.
        figure: an option of the parameter `figure`.
    """
    share = _LIGHTENING.get(figure, 0.0)
    if not share or max(stage.floor) > _DARK_FLOOR:
        return limbs
    paler = limbs.copy()
    paler[..., Cone.COLOUR] += share * (1.0 - paler[..., Cone.COLOUR])
    return paler


class _LimbArrays:
    """Limbs as arrays."""

    def __init__(self, limbs: Sequence[Limb]) -> None:
        ends = [(*limb.start, limb.start_radius, *limb.end, limb.end_radius) for limb in limbs]
        self.weights = np.array(ends).reshape(2 * len(limbs), -1)
        """Of joints and directions in both ends of each limb, and their radii."""
        self.covers = [COVERS.index(limb.cover) for limb in limbs]

    def place(self, joints: Floats) -> Floats:
        """Return the shapes of limbs, shape (T, J, limbs, 8), columns `Cone.SHAPE`."""
        points = np.zeros((*joints.shape[:2], JOINTS + DIRECTIONS + 1, 4))
        points[..., :JOINTS, :3] = joints
        points[..., JOINTS, :3] = 0.0, 1.0, 0.0
        points[..., -1, 3] = 1.0
        return (self.weights @ points).reshape(*joints.shape[:2], len(self.covers), 8)


def _trunk() -> list[Limb]:
    """Three columns, as wide, as thick and with as dark a shadow as the seven in full detail."""
    yoke = between("CHEST", "NECK", 0.35)
    shoulders = (at("LEFT_SHOULDER"), at("RIGHT_SHOULDER"))
    ends = [mix(yoke, shoulder, 0.45) for shoulder in shoulders]
    return [Limb(ends[0], 0.058, ends[1], 0.058, "shirt"), *trunk_columns(3, 0.084)]


def _head() -> list[Limb]:
    """Neck and face in one limb."""
    head = at("HEAD")
    up = (at("HEAD") - at("NECK")) / HEAD
    ahead = (at("FACE") - at("HEAD")) / FACE
    crown = head + 0.034 * up
    return [
        Limb(head - 0.10 * up + 0.015 * ahead, 0.058, crown, 0.091, "skin"),
        Limb(
            head - 0.020 * up - 0.034 * ahead,
            0.066,
            crown + 0.010 * up - 0.010 * ahead,
            0.092,
            "hair",
        ),
    ]


def _side(side: str) -> list[Limb]:
    """An arm with a mitten for a hand, and a leg with a foot of one piece."""
    shoulder, elbow, wrist, palm, tips, hip, knee, ankle, toes = (
        at(f"{side}_{joint}")
        for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM", "TIPS", "HIP", "KNEE", "ANKLE", "TOES")
    )
    return [
        Limb(shoulder, 0.060, elbow, 0.044, "shirt"),
        Limb(elbow, 0.037, wrist, 0.026, "skin"),
        Limb(mix(wrist, palm, 0.3), 0.032, mix(palm, tips, 0.6), 0.030, "skin"),
        Limb(hip, 0.096, knee, 0.060, "trousers"),
        Limb(knee, 0.060, ankle, 0.044, "trousers"),
        Limb(mix(ankle - 0.034 * UP, toes, -0.2) + 0.008 * UP, 0.045, toes, 0.034, "shoes"),
    ]


def _dressed() -> list[Limb]:
    """The limbs of a smooth body; their numbers were fitted to pictures of it from all around."""
    shoulders = (at("LEFT_SHOULDER"), at("RIGHT_SHOULDER"))
    hips = (at("LEFT_HIP"), at("RIGHT_HIP"))
    across = (shoulders[0] - shoulders[1]) / (2 * SHOULDER)
    aside = (hips[0] - hips[1]) / (2 * HIP)
    up = (at("CHEST") - at("PELVIS")) / SPINE
    head = at("HEAD")
    ahead = (at("LEFT_TOES") - at("LEFT_ANKLE") + at("RIGHT_TOES") - at("RIGHT_ANKLE")) / (2 * FOOT)

    def trunk(joint: str, left: Floats, rise: float, forward: float) -> Floats:
        return at(joint) + left + rise * up + forward * ahead

    def on_head(rise: float, forward: float) -> Floats:
        return head + rise / HEAD * (head - at("NECK")) + forward / FACE * (at("FACE") - head)

    ends = [trunk("CHEST", side * 0.089 * across, -0.020, -0.021) for side in (1, -1)]
    hem = [trunk("PELVIS", side * 0.058 * aside, -0.023, -0.004) for side in (1, -1)]
    limbs = [
        Limb(ends[0], 0.094, ends[1], 0.094, "shirt"),
        Limb(hem[0], 0.136, hem[1], 0.136, "shirt"),
    ]
    for side in (1, -1):
        chest = trunk("CHEST", side * 0.053 * across, -0.105, -0.002)
        belt = trunk("PELVIS", side * 0.063 * aside, 0.079, 0.006)
        limbs.append(Limb(chest, 0.132, belt, 0.101, "shirt"))
    limbs += [
        Limb(between("CHEST", "NECK", 0.2), 0.045, on_head(-0.069, -0.028), 0.064, "skin"),
        Limb(on_head(-0.066, 0.054), 0.049, on_head(0.007, 0.005), 0.099, "skin"),
        Limb(on_head(0.027, -0.021), 0.099, on_head(0.040, -0.019), 0.100, "hair"),
    ]
    return limbs + _dressed_side("LEFT", aside, ahead) + _dressed_side("RIGHT", -aside, ahead)


def _dressed_side(side: str, out: Floats, ahead: Floats) -> list[Limb]:
    """An arm with a short sleeve, and a leg."""
    shoulder, elbow, wrist, palm, tips, hip, knee, ankle, toes = (
        at(f"{side}_{joint}")
        for joint in ("SHOULDER", "ELBOW", "WRIST", "PALM", "TIPS", "HIP", "KNEE", "ANKLE", "TOES")
    )
    sole = ankle - 0.034 * UP
    hip = hip - 0.011 * out - 0.002 * ahead
    return [
        Limb(mix(shoulder, elbow, 0.007), 0.056, mix(shoulder, elbow, 0.426), 0.069, "shirt"),
        Limb(mix(shoulder, elbow, 0.531), 0.050, elbow, 0.038, "skin"),
        Limb(mix(elbow, wrist, 0.035), 0.046, wrist, 0.026, "skin"),
        Limb(mix(wrist, palm, 0.373), 0.033, mix(palm, tips, 0.463), 0.033, "skin"),
        Limb(hip, 0.102, knee, 0.068, "trousers"),
        Limb(knee, 0.068, ankle + 0.050 * UP, 0.057, "trousers"),
        Limb(
            mix(sole, toes, -0.235) + 0.018 * UP,
            0.043,
            mix(sole, toes, 0.999) + 0.001 * UP,
            0.024,
            "shoes",
        ),
    ]


LOW_DETAIL_LIMBS = (*_trunk(), *_head(), *_side("LEFT"), *_side("RIGHT"))
"""The limbs of a figure in low detail."""

DRESSED_LIMBS = tuple(_dressed())
"""Those of a smooth body."""

_LIMBS, _LOW_DETAIL, _DRESSED = (
    _LimbArrays(limbs) for limbs in (LIMBS, LOW_DETAIL_LIMBS, DRESSED_LIMBS)
)


def _place_limbs(joints: Floats, limbs: _LimbArrays, figure: str, paint: Singles) -> Singles:
    capsules = np.empty((*joints.shape[:2], len(limbs.covers), Cone.WIDTH), dtype=np.float32)
    capsules[..., Cone.SHAPE] = limbs.place(joints)
    capsules[..., Cone.COLOUR] = _WOOD if figure == "mannequin" else paint[:, limbs.covers, :3]
    capsules[..., Cone.GLOSS] = _POLISH if figure == "mannequin" else _GLOSS
    return capsules


def _stick_figure(joints: Floats) -> Singles:
    """Lines from joint to joint, and a round head."""
    starts, ends = np.array(_STICKS).T
    radii = np.where(starts == ends, _STICK_HEAD_RADIUS, _STICK_RADIUS)
    rows = cones(joints[..., starts, :], radii, joints[..., ends, :], radii, _STICK_COLOUR, _GLOSS)
    return rows.reshape(len(joints), -1, Cone.WIDTH)


def _lines(*names: str) -> list[tuple[int, int]]:
    places = [int(Joint[name]) for name in names]
    return list(itertools.pairwise(places))


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
