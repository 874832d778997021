"""Lids, brows, mouth, beard and glasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.interpolate import PchipInterpolator

from figure.hair import LEAST, MARGIN, OVER_SKIN, grown
from figure.head import EYEBALL, LID, eye_opening, head, in_orbit, place, turned_out
from figure.piece import Piece
from figure.shapes import (
    Distance,
    Shape,
    above_line,
    both,
    cone,
    ellipsoid,
    in_both,
    locks,
    rise,
    union,
)
from figure.surfaces import bone_weights
from figure.weights import face_chain, only
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import EYE, NAMES


def face() -> list[Piece]:
    """Lids, lashes, brows and lips; what has two sides is on the left."""
    skin = head().distance
    return [
        replace(lids(), over=(skin, _sphere(EYEBALL - 0.0003)), clear=0.0002),
        replace(lid_stroke(), over=(skin, _sphere(LID - 0.0004)), clear=0.0002),
        replace(lower_rim(), over=(skin, _sphere(EYEBALL)), clear=0.0002),
        *(
            replace(piece, over=(skin,), clear=0.0003)
            for piece in (*brows(), *nostrils_and_their_shade())
        ),
        beard(),
        *(piece for name, drawn in _MOUTHS.items() for piece in mouth(name, drawn)),
        glasses(),
    ]


def lids() -> Piece:
    """The lids around the opening."""

    def distance(points: Floats) -> Floats:
        _, y, z = in_orbit(points)
        # The lower one is thinner.
        solid = np.maximum(
            _sphere(LID)(points) + 0.0006 * np.clip(-y / 0.004, 0.0, 1.0), -0.002 - z
        )
        return in_both(solid, -eye_opening(points), 0.0012)

    box = np.full(3, 0.024)
    return Piece(
        "skin",
        [Shape(distance, _lid_chain)],
        place(*EYE) - box,
        place(*EYE) + box,
        0.0006,
        (1200, 200, 0),
        True,
        facing=head().facing,
    )


def lid_stroke() -> Piece:
    """The dark rim of the upper lid: one stroke, thicker in the middle."""

    def distance(points: Floats) -> Floats:
        x, y, _ = in_orbit(points)
        width = 0.0011 + 0.0009 * np.clip(1.0 - (x / 0.017) ** 2, 0.0, 1.0)
        # It is flat, so that it is thin in profile too.
        rim = np.hypot(FLAT * _sphere(LID)(points), eye_opening(points)) - width
        return np.maximum(rim, 0.0012 - y)

    box = np.full(3, 0.024)
    return Piece(
        "pupils",
        [Shape(distance, _lid_chain)],
        place(*EYE) - box,
        place(*EYE) + box,
        0.0005,
        (300, 80, 0),
        True,
    )


FLAT = 1.6
"""How many times wider the rim of a lid is than it stands out."""


def lower_rim() -> Piece:
    """The rim of the lower lid, in the colour of lips, which ends the white of the eye."""

    def distance(points: Floats) -> Floats:
        _, y, _ = in_orbit(points)
        rim = np.hypot(_sphere(LID - 0.0008)(points), eye_opening(points)) - 0.0008
        return np.maximum(rim, y + 0.0004)

    return replace(
        lid_stroke(),
        cover="lips",
        shapes=[Shape(distance, only("left socket"))],
        triangles=(300, 60, 0),
        facing=head().facing,
    )


FAR = 1.5
"""How much thicker features are from afar, where a head is 24 pixels high: a brow is one then."""


def brows() -> list[Piece]:
    """The left brow, nearby and from afar."""
    knots = np.array([
        (0.0155, 0.0318, 0.0040), (0.0240, 0.0350, 0.0046), (0.0335, 0.0358, 0.0043),
        (0.0420, 0.0332, 0.0034),
        (0.0470, 0.0304, 0.0020),
    ])  # fmt: skip
    near = Piece(
        "hair", [Shape(_raised(_stroke(knots), 0.0013, 0.0030), only("brow"))],
        place(0.005, 0.015, 0.040), place(0.06, 0.048, 0.115), 0.0009, (520, 90, 0), True,
    )  # fmt: skip
    far = _raised(_stroke(knots * (1.0, 1.0, FAR)), 0.0020, 0.0030)
    return [near, replace(near, shapes=[Shape(far, only("brow"))], triangles=(0, 0, 24))]


def nostrils_and_their_shade() -> list[Piece]:
    """The left nostril, and for the whole of the underside of the nose what is seen from afar."""
    skin = head()

    def within(outline: Distance) -> list[Shape]:
        def distance(points: Floats) -> Floats:
            return np.maximum(skin.distance(points) - 0.0006, outline(points))

        return [Shape(distance, lambda points: bone_weights(skin, points))]

    inward = turned_out(np.radians(-25.0))
    # In the colour of lips: darker ones would be a snout, and from afar a moustache.
    opening = ellipsoid(place(0.0070, -0.0290, 0.1015), (0.0026, 0.0060, 0.0050), inward)
    left = Piece(
        *("lips", within(opening), place(0.0, -0.04, 0.08), place(0.02, -0.015, 0.125)),
        *(0.0006, (70, 24, 0), True),
        facing=skin.facing,
    )
    shade = ellipsoid(place(0.0, -0.0300, 0.1010), (0.0160, 0.0065, 0.0155))
    low = place(-0.02, -0.04, 0.08)
    far = replace(left, shapes=within(shade), low=low, triangles=(0, 0, 20), mirrored=False)
    return [left, far]


@dataclass(frozen=True)
class Mouth:
    """How a mouth is drawn, [m].

    Args:
        half: half of its width.
        rise: how far its corners are above its middle.
        full: half the height of its lips.
        aside: how far its left corner is above the right one.
    """

    half: float
    rise: float
    full: float
    aside: float = 0.0


_MOUTHS = {
    "smile": Mouth(0.0265, 0.0070, 0.0044, aside=0.0012),
    "grin": Mouth(0.0290, 0.0098, 0.0046),
    "calm": Mouth(0.0240, 0.0050, 0.0046),
    "intent": Mouth(0.0240, 0.0046, 0.0042, aside=-0.0014),
}
"""Those of `skin.MOUTHS`."""
_MOUTH_HEIGHT = -0.0545
"""Of the middle of the line between the lips over the middle of the head, [m]."""


def mouth(name: str, drawn: Mouth) -> list[Piece]:
    """Lips, and the dark line between them."""
    skin = head()
    half = drawn.half
    across = np.linspace(-1.0, 1.0, 9)
    rise = drawn.rise * across**2 + 0.5 * drawn.aside * across + _MOUTH_HEIGHT
    low = place(-0.035, -0.078, 0.05)
    high = place(0.035, -0.035, 0.12)

    def stroke(width: float, lower: Floats, wide: Floats) -> Distance:
        knots = zip(half * width * across, rise - lower, wide, strict=True)
        return _stroke(list(knots))

    arch = 1.0 - across**2
    # Both lips end in soft corners, and so does the line between them.
    thin = LINE * np.sqrt(arch) + CORNER

    def closed(bolder: float, counts: Sequence[tuple[int, int, int]]) -> list[Piece]:
        """Lips and what is between them, with a line that is so much bolder."""
        wide = bolder * thin
        edge = stroke(0.97, LOWER_LIP * drawn.full * arch, drawn.full * arch + wide)
        line = stroke(1.0, 0.0 * arch, wide)

        def around(points: Floats) -> Floats:
            return np.maximum(edge(points), 0.0003 - line(points))

        lips = Piece(
            "lips",
            [Shape(_raised(around, LIPS_HIGH, 0.0030), face_chain)],
            *(low, high, 0.0007),
            triangles=counts[0],
            over=(skin.distance,),
            facing=skin.facing,
            part=name,
        )
        between = replace(
            lips,
            cover="mouth",
            shapes=[Shape(_raised(line, 0.0002, 0.0010), face_chain)],
            triangles=counts[1],
            clear=0.0001,
        )
        return [lips, between]

    made = closed(1.0, [(440, 0, 0), (300, 0, 0)]) + closed(BOLDER, [(0, 150, 0), (0, 110, 0)])
    between = made[1]
    # From afar the mouth is one dark stroke.
    bold = _stroke(
        [
            (FAR_MOUTH * half * a, FAR_SMILE * (up - _MOUTH_HEIGHT) + _MOUTH_HEIGHT, wide)
            for a, up, wide in zip(across, rise, FAR_LINE * (thin + CORNER), strict=True)
        ]
    )
    far = replace(
        between,
        shapes=[Shape(_raised(bold, 0.0010, 0.0016), face_chain)],
        triangles=(0, 0, 40),
    )
    return [*made, far]


LIPS_HIGH = 0.0006
"""How far lips stand out over what the head has of them, [m]: in profile no edge of them shows."""

CORNER = 0.0003
"""Half of how high lips and the line between them are at the corners of a mouth, [m]."""

LINE = 0.0005
"""How much more half of that line's height is in its middle, [m]."""

FAR_MOUTH = 1.1
FAR_SMILE = 1.6
FAR_LINE = 3.2
"""How many times wider a mouth, its smile and its line are from afar, where it is four pixels wide.
"""

BOLDER = 2.0
"""How many times bolder the line is in the middle level of detail, where it is hardly a pixel wide.
"""

LOWER_LIP = 0.35
"""How far the middle of both lips is below the line between them, as a share of half of their
height: the lower lip is the fuller one.
"""

# Heights of the upper edge of a beard above the middle of the head, by the angle from straight on,
# [°, m]: the moustache, the cheek, the ear.
_BEARD = (
    (0.0, -0.0345), (8.0, -0.0350), (15.0, -0.0375), (22.0, -0.0450), (34.0, -0.0465),
    (50.0, -0.0370), (62.0, -0.0200), (68.0, -0.0020), (71.0, 0.0080), (77.0, 0.0080),
    (81.0, -0.0120), (84.0, -0.0300), (100.0, -0.0360), (180.0, -0.0400),
)  # fmt: skip


def beard() -> Piece:
    """A short beard from ear to ear, around the mouth."""
    above_edge = above_line(_BEARD)
    lips = ellipsoid(place(0.0, 0.0, 0.0), (0.0315, 0.0130, 1.0))
    bare = head().distance

    def bald(points: Floats) -> Floats:
        x, y, z = (points - place(0.0, 0.0, 0.0)).T
        above = above_edge(np.degrees(np.arctan2(np.abs(x), z + 0.012)), y)
        below = (0.35 * (0.06 - z) - 0.100 - y) / np.hypot(1.0, 0.35)
        # Around the lips it is bare, as far up at the corners as these.
        bent = np.column_stack([x, y - _MOUTH_HEIGHT + 0.002 - 7.0 * x * x, 0.0 * z])
        bare_lips = lips(bent + place(0.0, 0.0, 0.0))
        ends = in_both(in_both(above, below, 0.012), -bare_lips, 0.002)
        return in_both(ends, -0.012 - z, 0.006)

    def distance(points: Floats) -> Floats:
        x, y, z = (points - place(0.0, 0.0, 0.0)).T
        angle = np.degrees(np.arctan2(np.abs(x), z + 0.012))
        around = bald(points)
        # It grows out of the skin, and is longest at the chin, where it falls in locks.
        wide = np.maximum(rise(angle, 25.0, 60.0), rise(-y, 0.055, 0.085))
        share = grown(-around / (0.008 + 0.012 * wide))
        chin = rise(-np.abs(x), -0.065, -0.005) * rise(-y, 0.050, 0.095)
        strands = locks(angle + 260.0 * (y + 0.06) * (angle / 90.0), 9.0)
        thick = LEAST + (0.0045 + 0.0062 * chin + (0.0005 + 0.0014 * chin) * strands) * share
        return in_both(bare(points) - thick, around - MARGIN, 0.0030)

    return Piece(
        *("hair", [Shape(distance, lambda points: bone_weights(head(), points))]),
        *(place(-0.10, -0.13, -0.02), place(0.10, 0.03, 0.14), 0.0017, (2400, 900, 150)),
        over=(bare, lambda points: -bald(points)),
        dyed=(("stubble", lambda points: -bald(points) - BEARD_ROOTS),),
        clear=0.0001,
        lift=OVER_SKIN,
        laid_on=bare,
        part="beard",
    )


BEARD_ROOTS = 0.0030
"""How wide skin is seen between the roots of a beard at its edge, [m]."""


def glasses() -> Piece:
    """A round frame on the nose, an arched bridge, and temples that end above the ears."""
    top_of_bridge = place(0.0, 0.0100, 0.1040)
    hinge = place(0.0560, 0.0060, 0.0868)
    temple = place(0.0795, 0.0155, 0.0300)
    ear = place(0.0795, 0.0215, -0.0060)
    parts = both(
        Shape(_frame),
        Shape(cone(top_of_bridge, RIM, place(0.0115, 0.0050, 0.1000), RIM)),
        Shape(cone(hinge, RIM, temple, RIM)),
        Shape(cone(temple, RIM, ear, RIM)),
    )
    return Piece(
        *("pupils", [Shape(lambda points: union(parts, points), only("head"))]),
        *(place(-0.10, -0.04, -0.02), place(0.10, 0.05, 0.13), 0.0011, (1160, 560, 150)),
        part="glasses",
    )


RIM = 0.0020
"""Radius of what frames of glasses are made of, [m]."""


def _frame(points: Floats) -> Floats:
    x, y, z = (points - place(0.0335, -0.0005, 0.0)).T
    outline = (np.abs(x / 0.0225) ** 2.6 + np.abs(y / 0.0195) ** 2.6) ** (1 / 2.6)
    # It bends back around the face.
    ahead = z - 0.0945 + 0.30 * x + 2.5 * x * x
    return np.hypot(0.020 * (outline - 1.0), ahead) - RIM


def _stroke(knots: Sequence[tuple[float, float, float]]) -> Distance:
    """A line as seen from the front, of points to the left and above the middle of the head, with
    half widths.
    """
    rows = np.array(knots)
    middles = np.linspace(rows[0, 0], rows[-1, 0], 14)
    line = np.column_stack([middles, PchipInterpolator(rows[:, 0], rows[:, 1:])(middles)])
    parts = [
        cone(place(a, b, 0.0), first, place(c, d, 0.0), last)
        for (a, b, first), (c, d, last) in pairwise(line)
    ]

    def distance(points: Floats) -> Floats:
        flat = points * (1.0, 1.0, 0.0) + place(0.0, 0.0, 0.0) * (0.0, 0.0, 1.0)
        return union([Shape(part, blend=0.001) for part in parts], flat)

    return distance


def _raised(outline: Distance, height: float, width: float) -> Distance:
    """What lies on the face within an outline: so high, and less near its edge."""
    bare = head().distance

    def distance(points: Floats) -> Floats:
        edge = outline(points)
        share = np.clip(-edge / width, 0.0, 1.0)
        high = 0.0007 + height * np.sqrt(share * (2 - share))
        return np.maximum(np.maximum(bare(points) - high, edge), -0.003 - bare(points))

    return distance


def _sphere(radius: float) -> Distance:
    return ellipsoid(place(*EYE), (radius,) * 3)


def _lid_chain(points: Floats) -> Floats:
    """Weights of lids: the upper one closes down to the lower one, but for where it comes out of
    the face.

    That is a shorter way near the corners, of which the outer one is a little higher.
    """
    x, rise, z = in_orbit(points)
    share = np.clip(1 - (x / 0.0152) ** 2, 0.0, 1.0) * np.clip(rise / 0.002, 0.0, 1.0)
    share *= np.clip(head().distance(points) / 0.0007, 0.0, 1.0) * (z > 0)
    rows = np.zeros((len(points), len(NAMES)))
    rows[:, NAMES.index("left lid")] = share
    rows[:, NAMES.index("left socket")] = 1 - share
    return rows
