"""Head, neck and ears."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from figure.clothes import within_collar, yoke
from figure.piece import Piece
from figure.rest_pose import LEFT, at
from figure.shapes import Shape, both, cone, ellipsoid, in_both, loft, outward, rise, union
from figure.weights import face_chain, neck_chain, only, trunk_chain
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import EYE


def place(x: float, y: float, z: float) -> Floats:
    """A point by its distance to the left of, above, and in front of the middle of the head,
    [m].
    """
    return at("HEAD") + (x, y, z)


def ball(
    x: float, y: float, z: float, *radii: float, blend: float = 0.02, cut: bool = False
) -> Shape:
    """An ellipsoid in the head."""
    return Shape(
        ellipsoid(place(x, y, z), radii if len(radii) == 3 else radii * 3), face_chain, blend, cut
    )


def rod(
    start: Sequence[float], first: float, end: Sequence[float], last: float, blend: float
) -> Shape:
    """A round cone in the head."""
    return Shape(cone(place(*start), first, place(*end), last), face_chain, blend)


def turned_out(angle: float) -> Floats:
    """Axes turned to the left about the upright, [rad]: to the side, up and ahead, as columns."""
    side = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    up = np.array([0.0, 1.0, 0.0])
    return np.stack([side, up, np.cross(side, up)], axis=1)


def skull() -> list[Shape]:
    """Head and neck without eyes, nose, mouth and ears."""
    root = at("CHEST") + (0.0, -0.03, -0.018)
    top = place(0.0, -0.02, -0.027)
    neck = loft(
        root, top - root, LEFT,
        [
            (0.0, 0.066, 0.066, 0.056, 0.048),
            (0.05, 0.054, 0.054, 0.052, 0.049),
            (0.10, 0.0445, 0.0445, 0.047, 0.050),
            (0.16, 0.0400, 0.0400, 0.0445, 0.050),
            (0.22, 0.0395, 0.0395, 0.0435, 0.052),
        ],
    )  # fmt: skip
    chest = yoke()
    base = ellipsoid(at("CHEST") + (0.0, 0.015, -0.012), (0.100,) * 3)

    def under_collar(points: Floats) -> Floats:
        below = UNDER_CLOTH + UNDER_SHIRT * np.maximum(-within_collar(points), 0.0)
        return in_both(union(chest, points) + below, base(points), 0.02)

    def through_cloth(points: Floats) -> Floats:
        above = -(union(chest, points) + UNDER_CLOTH)
        below_neck = points[:, 1] - at("CHEST")[1] - CLOTH_HIGH
        return np.maximum(np.maximum(above, within_collar(points)), below_neck)

    return [
        Shape(cranium_and_face, face_chain),
        # The floor of the mouth goes back from within the chin to the throat.
        rod((0.0, -0.0810, 0.0560), 0.0165, (0.0, -0.0840, 0.0150), 0.0230, 0.024),
        Shape(neck, neck_chain, 0.024),
        # The bone behind the ears.
        *both(Shape(ellipsoid(place(0.0430, -0.0350, -0.0300), (0.0210,) * 3), only("head"), 0.03)),
        # Muscles from behind the ears to the breast bone, and what shows in the collar.
        *both(
            Shape(
                cone(place(0.0445, -0.0400, -0.0330), 0.0105,
                    at("CHEST") + (0.0150, 0.0120, 0.0460), 0.0080),
                neck_chain, 0.024,
            )
        ),
        Shape(under_collar, trunk_chain, 0.024),
        Shape(through_cloth, blend=0.004, cut=True),
    ]  # fmt: skip


def cranium_and_face(points: Floats) -> Floats:
    """The distance from the head without the neck, which the lower jaw ends below in a clear edge
    from ear to chin.
    """
    return in_both(union(_without_jaw_edge(), points), below_jaw(points), JAW_EDGE)


def _without_jaw_edge() -> list[Shape]:
    """Cranium and face as one round form, which goes on below the jaw."""
    return [
        ball(0.0, 0.027, -0.012, 0.0760, 0.0895, 0.0945),
        ball(0.0, -0.020, 0.035, 0.0585, 0.0700, 0.0540, blend=0.04),
        # The forehead is upright.
        ball(0.0, 0.056, 0.0270, 0.0500, 0.0400, 0.0530, blend=0.03),
        # The jaw is one plane from ear to chin, with a corner under the ear.
        *both(
            rod((0.0405, -0.0480, -0.0040), 0.0180, (0.0280, -0.0755, 0.0350), 0.0185, 0.042),
            rod((0.0280, -0.0755, 0.0350), 0.0185, (0.0150, -0.0890, 0.0660), 0.0175, 0.020),
        ),
        # Cheekbones, and the cheeks below.
        *both(ball(0.0450, -0.0150, 0.0545, 0.0160, 0.0140, 0.0160, blend=0.035)),
        *both(ball(0.0370, -0.0330, 0.0320, 0.0150, 0.0190, 0.0250, blend=0.035)),
        *both(rod((0.012, 0.0335, 0.0782), 0.0100, (0.046, 0.030, 0.0615), 0.009, 0.018)),
        # Around the mouth, and the chin.
        ball(0.0, -0.053, 0.0810, 0.027, 0.020, 0.0135, blend=0.02),
        ball(0.0, -0.0885, 0.0770, 0.0200, 0.0160, 0.0200, blend=0.03),
    ]


def below_jaw(points: Floats) -> Floats:
    """How far points are below the plane of the lower edge of the jaw, [m]."""
    slope = np.array([0.0, 1.0, JAW_SLOPE]) / np.hypot(1.0, JAW_SLOPE)
    return (place(*JAW_CORNER) - points) @ slope


JAW_CORNER = 0.0, -0.0690, -0.0020
"""On the lower edge of the jaw below the ear, [m]."""

JAW_SLOPE = 0.34
"""How far that edge falls toward the chin, as a share of the way ahead."""

JAW_EDGE = 0.0150
"""Over this width it is rounded, [m]."""


UNDER_CLOTH = 0.0040
"""How far skin is under the cloth around the collar, [m]."""

CLOTH_HIGH = 0.095
"""How far above the upper end of the spine cloth is at most, [m]."""

UNDER_SHIRT = 0.35
"""How much deeper it is farther from the opening, as a share of the way: cloth moves on it."""


def head() -> Piece:
    """Head and neck; eyes and lids lie on it."""
    sockets = both(
        Shape(
            ellipsoid(place(0.0430, 0.003, 0.0980), (0.034, 0.0165, 0.0145), turned_out(ORBIT)),
            blend=0.018,
            cut=True,
        ),
        ball(*EYE.tolist(), EYEBALL - 0.0010, blend=0.008),
    )
    openings = both(Shape(lambda points: eye_opening(points) - 0.0004, cut=True))
    rest = [
        # Below the brow the nose begins in a hollow.
        ball(0.0, 0.0120, 0.1020, 0.0200, 0.0110, 0.0115, blend=0.012, cut=True),
        nose(),
        # Both lips stand out, the upper one a little farther.
        ball(0.0, -0.0503, 0.0880, 0.0190, 0.0060, 0.0115, blend=0.010),
        ball(0.0, -0.0606, 0.0872, 0.0175, 0.0064, 0.0110, blend=0.008),
        # The crease between chin and lower lip.
        ball(0.0, -0.0735, 0.1060, 0.0240, 0.0045, 0.0120, blend=0.012, cut=True),
    ]
    whole = [*skull(), *sockets, *openings, *rest]
    # As an illustrator simplifies a face: an egg, and on it a little of its own form.
    egg = [
        ball(0.0, 0.027, -0.012, 0.0760, 0.0895, 0.0945),
        ball(0.0, -0.020, 0.0150, 0.0660, 0.1600, 0.0780, blend=0.06),
    ]
    face = [*_without_jaw_edge(), *rest]
    other = [*skull(), *rest]
    wings = nose().distance

    def facing(points: Floats) -> Floats:
        # Light falls on lids and the face around them as on one form without eyes and sockets,
        # which would be in shade, and look like bruises on the cheeks. The nose, and what is below
        # and behind the jaw, face as they do, so that planes meet in clear edges.
        behind = rise(-(points - at("HEAD"))[:, 2], *NAPE)
        shares = (
            (FORM, face, SOFT),
            (np.maximum(JAW_LIT * rise(below_jaw(points), *JAW_TURNS), behind), other, SOFT),
            (NOSE_LIT * rise(-wings(points), *NOSE_TURNS), other, CLEAR),
        )
        ways = outward(partial(union, egg), points, SOFT)
        for share, shapes, step in shares:
            others = outward(partial(union, shapes), points, step)
            ways += np.expand_dims(share, -1) * (others - ways)
        # The jaw shades what is below it, and so has an edge also where a head looks up.
        below = below_jaw(points)
        shaded = rise(below, *JAW_TURNS) * rise(-below, *JAW_SHADE_ENDS) * (1.0 - behind)
        ways += JAW_SHADE * shaded[:, None] * SHADE_FACES
        return ways / np.linalg.norm(ways, axis=-1, keepdims=True)

    return Piece(
        "skin", whole, (-0.115, 1.36, -0.14), (0.115, 1.80, 0.21), 0.0019, (5600, 1160, 500),
        facing=facing,
    )  # fmt: skip


FORM = 0.35
"""Share of a face's own form in how light falls on it."""

NOSE_LIT = 0.65
"""The same of the nose."""

JAW_LIT = 0.65
"""The same of what is below the jaw."""

SOFT = 0.012
"""How far to either side a face is lit as one form, [m]: no dent looks like a smudge."""

CLEAR = 0.004
"""The same of the nose, [m]."""

JAW_TURNS = -0.0080, 0.0080
"""From the face above the edge of the jaw to what is below light turns between these distances from
the edge, [m].
"""

NOSE_TURNS = -0.0050, 0.0010
"""The same from the face to the nose, by how deep in it, [m]."""

JAW_SHADE = 0.27
"""How much what is below the jaw faces away from the light, over its own way."""

JAW_SHADE_ENDS = -0.100, -0.012
"""Between these heights over the edge of the jaw its shade on the neck begins, negative, [m]."""

SHADE_FACES = np.array([0.0, -1.0, 0.0])
"""Where that shade faces: ahead is positive."""

NAPE = 0.010, 0.035
"""The same toward the nape, by how far behind the middle of the head, [m]."""


def nose() -> Shape:
    """A bridge that begins below the brows and widens to a round tip between two wings, with a soft
    underside.
    """
    parts = [
        Shape(cone(place(0.0, 0.0150, 0.0835), 0.0054, place(0.0, -0.0170, 0.1080), 0.0082)),
        Shape(ellipsoid(place(0.0, -0.0205, 0.1085), (0.0108, 0.0096, 0.0106)), blend=0.008),
        *both(
            Shape(ellipsoid(place(0.0116, -0.0240, 0.0965), (0.0066, 0.0066, 0.0105)), blend=0.007)
        ),
    ]

    def distance(points: Floats) -> Floats:
        return in_both(union(parts, points), -above_nostrils(points), 0.007)

    return Shape(distance, only("nose"), 0.009)


def above_nostrils(points: Floats) -> Floats:
    """How far points are above the underside of the nose, which rises toward the tip."""
    return (points - place(0.0, -0.0310, 0.095)) @ (np.array([0.0, 1.0, -0.25]) / 1.03)


EYEBALL = 0.0194
LID = 0.0211
"""Radii of the left eye and of its lids, [m]."""


ORBIT = np.radians(11.0)
"""How far outward the left orbit is open: the outer corner of the lids lies back at the side."""


def in_orbit(points: Floats) -> Floats:
    """Points from the middle of the left eye: outward, above the line between the corners of the
    lids, of which the outer one is a little higher, and out of the orbit, shape (3, N).
    """
    out, up, ahead = ((points - place(*EYE)) @ turned_out(ORBIT)).T
    return np.stack([out, up - 0.06 * out, ahead])


def eye_opening(points: Floats) -> Floats:
    """The distance of points from the opening between the left lids, which goes on out of the
    orbit.
    """
    half = 0.0174
    above = 0.0103
    below = 0.0068
    x, y, z = in_orbit(points)
    arcs = []
    for side, height in ((1, above), (-1, below)):
        low = (half**2 - height**2) / (2 * height)
        size = (half**2 + height**2) / (2 * height)
        arcs.append(np.hypot(x, side * y + low) - size)
    return np.maximum(np.maximum(*arcs), 0.002 - z)


def ear() -> Piece:
    """The left ear, which lies close to the head: a rim from the cheek around to the lobe, and a
    hollow within.
    """
    rigid = only("head")
    ahead = np.array([-np.sin(EAR_OUT), 0.0, np.cos(EAR_OUT)])
    up = np.array([EAR_LEAN, 1.0, -0.20])
    up -= (up @ ahead) * ahead
    up /= np.linalg.norm(up)
    frame = np.stack([ahead, up, np.cross(up, ahead)], axis=1)
    middle = place(0.0762, -0.0010, -0.0135)

    def at_ear(ahead: float, up: float, out: float) -> Floats:
        """A point by its place in the plane of the ear, and how far it is out of it, [m]."""
        return middle + frame @ (ahead, up, out)

    rim = [
        Shape(cone(at_ear(*a), first, at_ear(*b), last), rigid, 0.0010)
        for (*a, first), (*b, last) in pairwise(_EAR_RIM)
    ]
    plate = ellipsoid(at_ear(-0.0015, 0.0015, -0.0022), (0.0135, 0.0235, 0.0034), frame)
    root = ellipsoid(at_ear(0.0020, 0.0, -0.0070), (0.0115, 0.0190, 0.0070), frame)
    lobe = ellipsoid(at_ear(0.0022, -0.0225, -0.0010), (0.0072, 0.0078, 0.0038), frame)
    hollow = ellipsoid(at_ear(0.0002, -0.0005, 0.0030), (0.0082, 0.0150, 0.0060), frame)
    shapes = [
        Shape(plate, rigid),
        Shape(root, rigid, 0.006),
        Shape(lobe, rigid, 0.006),
        *rim,
        Shape(hollow, rigid, 0.0020, cut=True),
        # The flap before the hollow.
        Shape(ellipsoid(at_ear(0.0090, -0.0050, 0.0002), (0.0040, 0.0050, 0.0036)), rigid, 0.004),
    ]
    box = np.array([0.018, 0.040, 0.026])
    skin = head()
    in_hollow = ellipsoid(at_ear(0.0002, -0.0005, 0.0), (0.0080, 0.0142, 0.0200), frame)
    shade = frame @ HOLLOW_FACES

    def facing(points: Floats) -> Floats:
        # Light falls on an ear partly as on the head behind it: else its rim would be a dark line.
        ways = EAR_LIT * outward(partial(union, shapes), points, 0.0018) + skin.facing(points)
        # The hollow turns away from the light, more so toward its middle.
        dark = HOLLOW_SHADE * rise(-in_hollow(points), *HOLLOW_DARK)[:, None]
        ways = (1.0 - dark) * ways + dark * shade
        return ways / np.linalg.norm(ways, axis=-1, keepdims=True)

    return Piece(
        "skin", shapes, middle - box, middle + box, 0.0010, (490, 170, 30), True,
        over=(skin.distance,), clear=-0.0015, facing=facing,
    )  # fmt: skip


EAR_LIT = 0.7
"""How much an ear's own form counts for the light on it, over that of the head."""

HOLLOW_FACES = np.array([-0.35, -0.90, -0.25])
"""Where the hollow of an ear faces as light falls on it: ahead, up and out."""

HOLLOW_SHADE = 0.8
"""How far, as a share, it turns there at most."""

HOLLOW_DARK = -0.0005, 0.0070
"""Over these depths in it light turns away, [m]."""

EAR_OUT = np.radians(26.0)
"""How far the rear of an ear stands out from the head."""

EAR_LEAN = 0.13
"""How much farther out its top is than its lobe, as a share of its height."""

# From where the rim comes out of the cheek: how far ahead and above the middle of the ear, out of
# its plane, and the radius, [m].
_EAR_RIM = (
    (0.0070, 0.0030, -0.0020, 0.0018), (0.0098, 0.0135, 0.0002, 0.0026),
    (0.0058, 0.0232, 0.0010, 0.0030), (-0.0022, 0.0272, 0.0012, 0.0032),
    (-0.0106, 0.0228, 0.0012, 0.0032), (-0.0146, 0.0126, 0.0010, 0.0031),
    (-0.0140, 0.0000, 0.0008, 0.0029), (-0.0096, -0.0124, 0.0004, 0.0026),
    (-0.0036, -0.0202, 0.0000, 0.0024),
)  # fmt: skip
