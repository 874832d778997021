"""Head, neck and ears."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figure.clothes import within_collar, yoke
from figure.piece import Piece
from figure.rest_pose import LEFT, at
from figure.shapes import Shape, both, cone, ellipsoid, in_both, loft, union
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
            (0.0, 0.074, 0.074, 0.060, 0.062),
            (0.05, 0.063, 0.063, 0.057, 0.060),
            (0.10, 0.053, 0.053, 0.053, 0.055),
            (0.16, 0.048, 0.048, 0.052, 0.053),
            (0.22, 0.047, 0.047, 0.050, 0.053),
        ],
    )  # fmt: skip
    chest = yoke()
    base = ellipsoid(at("CHEST") + (0.0, 0.015, -0.012), (0.100,) * 3)

    def under_collar(points: Floats) -> Floats:
        below = UNDER_CLOTH + UNDER_SHIRT * np.maximum(-within_collar(points), 0.0)
        return in_both(union(chest, points) + below, base(points), 0.02)

    return [
        Shape(cranium_and_face, face_chain),
        # The floor of the mouth goes back from within the chin to the throat.
        rod((0.0, -0.0840, 0.0570), 0.0165, (0.0, -0.0905, 0.0130), 0.0215, 0.012),
        Shape(neck, neck_chain, 0.014),
        # Muscles from behind the ears to the breast bone, and what shows in the collar.
        *both(
            Shape(
                cone(place(0.0500, -0.0400, -0.0330), 0.0120,
                    at("CHEST") + (0.0150, 0.0120, 0.0460), 0.0080),
                neck_chain, 0.016,
            )
        ),
        Shape(under_collar, trunk_chain, 0.024),
    ]  # fmt: skip


def cranium_and_face(points: Floats) -> Floats:
    """The distance from the head without the neck, which the lower jaw ends below in a clear edge
    from ear to chin.
    """
    solid = [
        ball(0.0, 0.027, -0.012, 0.0760, 0.0895, 0.0945),
        ball(0.0, -0.020, 0.035, 0.0585, 0.0700, 0.0555, blend=0.04),
        # The jaw is one plane from ear to chin, with a corner under the ear.
        *both(rod((0.0450, -0.0490, -0.0020), 0.0190, (0.0120, -0.0885, 0.0670), 0.0180, 0.042)),
        # Cheekbones, and the cheeks below.
        *both(ball(0.0450, -0.0150, 0.0560, 0.0160, 0.0140, 0.0160, blend=0.035)),
        *both(ball(0.0395, -0.0330, 0.0300, 0.0140, 0.0180, 0.0240, blend=0.035)),
        *both(rod((0.012, 0.0335, 0.0810), 0.0100, (0.046, 0.030, 0.0625), 0.009, 0.018)),
    ]
    slope = np.array([0.0, 1.0, JAW_SLOPE]) / np.hypot(1.0, JAW_SLOPE)
    below = (place(*JAW_CORNER) - points) @ slope
    return in_both(union(solid, points), below, JAW_EDGE)


JAW_CORNER = 0.0, -0.0670, -0.0020
"""On the lower edge of the jaw below the ear, [m]."""

JAW_SLOPE = 0.39
"""How far that edge falls toward the chin, as a share of the way ahead."""

JAW_EDGE = 0.0080
"""Over this width it is rounded, [m]."""


UNDER_CLOTH = 0.0040
"""How far skin is under the cloth around the collar, [m]."""

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
        ball(0.0, -0.053, 0.0800, 0.025, 0.018, 0.0135, blend=0.02),
        # Both lips stand out, the upper one a little farther.
        ball(0.0, -0.0503, 0.0905, 0.0172, 0.0054, 0.0125, blend=0.006),
        ball(0.0, -0.0600, 0.0892, 0.0158, 0.0056, 0.0112, blend=0.005),
        # The chin, and the crease between it and the lower lip.
        ball(0.0, -0.0880, 0.0765, 0.0180, 0.0130, 0.0180, blend=0.018),
        ball(0.0, -0.0745, 0.1060, 0.0240, 0.0050, 0.0135, blend=0.012, cut=True),
        *both(*ears()),
    ]
    whole = [*skull(), *sockets, *openings, nose(), *rest]
    # Light falls on lids and the face around them as on one form without eyes and sockets, which
    # would be in shade, and look like bruises on the cheeks.
    noseless = [*skull(), *rest]
    nosed = [*skull(), nose(), *rest]

    def soft(points: Floats) -> Floats:
        return (1.0 - NOSE_LIT) * union(noseless, points) + NOSE_LIT * union(nosed, points)

    return Piece(
        "skin", whole, (-0.115, 1.36, -0.14), (0.115, 1.80, 0.21), 0.0019, (5600, 1160, 500),
        lit=soft, lit_over=SOFT,
    )  # fmt: skip


SOFT = 0.012
"""How far to either side a face is lit as one form, [m]: no dent looks like a smudge."""

NOSE_LIT = 0.90
"""Share of its own shape in how light falls on the nose; the rest is as if the face went on."""


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


def ears() -> list[Shape]:
    """The left ear."""
    middle = place(0.0780, -0.004, -0.014)
    rigid = only("head")
    turn = np.radians(32.0)
    tilt = np.radians(12.0)
    out = np.array([np.cos(turn), 0.0, -np.sin(turn)])
    up = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
    up -= (up @ out) * out
    up /= np.linalg.norm(up)
    frame = np.stack([out, up, np.cross(out, up)], axis=1)
    return [
        Shape(
            ellipsoid(middle, (0.0066, 0.0268, 0.0157), frame),
            rigid,
            0.006,
        ),
        Shape(
            ellipsoid(middle + 0.0085 * out + (0.0, 0.003, 0.004), (0.0060, 0.0170, 0.0090), frame),
            rigid,
            0.006,
            True,
        ),
    ]
