"""Cuts of hair: what lies within some distance of the skull behind a hairline, and what hangs down
or is tied up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from figure.head import ear, head, place, skull
from figure.piece import Piece
from figure.rest_pose import LEFT, at
from figure.shapes import (
    Distance,
    Shape,
    above_line,
    cone,
    ellipsoid,
    in_both,
    jointed,
    locks,
    loft,
    outward,
    rise,
    union,
)
from figure.surfaces import bone_weights
from figure.weights import neck_chain, only
from juggle_anim.arrays import Floats

UP = np.array([0.0, 1.0, 0.0])

# Heights of the hairline over the middle of the head, by the angle from straight ahead, [°, m].
_NATURAL = (
    (0.0, 0.078), (22.0, 0.079), (40.0, 0.074), (54.0, 0.058), (64.0, 0.024), (70.0, -0.002),
    (74.0, -0.008), (78.0, 0.008), (83.0, 0.026), (98.0, 0.027), (105.0, 0.012),
    (111.0, -0.014), (126.0, -0.042), (150.0, -0.050), (180.0, -0.053),
)  # fmt: skip
_TIED_BACK = (
    (0.0, 0.074), (22.0, 0.076), (40.0, 0.070), (54.0, 0.050), (64.0, 0.024), (70.0, 0.008),
    (75.0, 0.004), (80.0, 0.022), (86.0, 0.027), (98.0, 0.027), (105.0, 0.012),
    (111.0, -0.014), (126.0, -0.037), (150.0, -0.045), (180.0, -0.047),
)  # fmt: skip


def cuts() -> list[Piece]:
    """All cuts."""
    made = short, crop, bob, ponytail, curly, long, bun, balding, afro
    skin = head().distance
    pinna = ear().distance
    return [
        replace(
            cut(1.0),
            over=(skin, pinna, *cut(1.0).over),
            laid_on=skin,
            lit=cut(LIT_LOCKS).distance,
            lit_over=LIT_OVER,
        )
        for cut in made
    ]


LIT_OVER = 0.4
"""How far to either side hair is lit as one form, as a share of the sides of its triangles."""

LIT_LOCKS = 1.5
"""How much deeper light falls between locks than these are: hair is dark in between, not one smooth
form.
"""


def short(deep: float) -> Piece:
    """Close at the sides and the nape, and tousled on top, with a fringe that is brushed across.

    Here and below locks are so deep, as a multiple.
    """

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        return 0.0035 + 0.0075 * rise(y, 0.000, 0.090)

    return _tufted("short", thickness, _TOUSLED, deep, triangles=(3800, 1150, 180))


# From the whorl, which is behind the top of the head, each tuft goes outward: how far it is around
# from straight ahead to the left at its root and at its tip, how far both are from the whorl, [°],
# how wide it is, and how high, [m].
_TOUSLED = (
    # The fringe, brushed to the right.
    (66, 56, 40, 87, 0.0150, 0.0150), (54, 36, 34, 94, 0.0190, 0.0205),
    (40, 14, 32, 98, 0.0205, 0.0235), (22, -8, 32, 97, 0.0205, 0.0240),
    (4, -30, 34, 93, 0.0195, 0.0215), (-22, -54, 38, 87, 0.0175, 0.0175),
    # The sides, back and down.
    (70, 86, 38, 84, 0.0160, 0.0110), (92, 104, 30, 92, 0.0170, 0.0140),
    (114, 124, 34, 97, 0.0165, 0.0110), (136, 144, 30, 103, 0.0170, 0.0140),
    (158, 164, 34, 106, 0.0165, 0.0110), (-178, -176, 30, 107, 0.0170, 0.0140),
    (-68, -84, 38, 84, 0.0160, 0.0110), (-90, -102, 30, 92, 0.0170, 0.0140),
    (-112, -122, 34, 97, 0.0165, 0.0110), (-134, -142, 30, 103, 0.0170, 0.0140),
    (-156, -162, 34, 106, 0.0165, 0.0110),
    # Around the whorl.
    (88, 66, 4, 58, 0.0200, 0.0195), (58, 28, 4, 64, 0.0200, 0.0240),
    (30, -6, 4, 66, 0.0200, 0.0215), (-4, -40, 4, 66, 0.0200, 0.0245),
    (-40, -72, 4, 60, 0.0200, 0.0200), (128, 114, 4, 54, 0.0210, 0.0185),
    (176, 164, 4, 56, 0.0210, 0.0160), (-92, -118, 4, 54, 0.0210, 0.0185),
)  # fmt: skip


def _tufted(
    cut: str,
    thickness: Callable[[Floats, Floats, Floats], Floats],
    rows: Sequence[Sequence[float]],
    deep: float,
    triangles: tuple[int, int, int],
) -> Piece:
    """Hair that lies in tufts on the skull, over hair of a thickness that is cut close."""
    bare = skull()
    natural = _behind(_NATURAL)
    tufts = _tufts(rows)

    def tufted(points: Floats) -> Floats:
        inside, high = tufts(points)
        # Strands run outward from the whorl.
        left, ahead = ((points - WHORL) @ axis for axis in (LEFT, WHORL_AHEAD))
        around = np.degrees(np.arctan2(left, ahead))
        out = np.hypot(left, ahead) / SPREAD
        down = np.degrees(np.arctan2(out * SPREAD, (points - WHORL) @ WHORL_UP))
        high *= 1.0 - THINNED * rise(down, 60.0, 100.0)
        strands = 1.0 - locks(around + 5.0 * np.sin(around / 20.0) - 25.0 * out, 12.0)
        thick = TUFT_EDGE + high - deep * STRANDS * np.minimum(high / 0.010, 1.0) * out * strands
        return in_both(union(bare, points) - thick, -inside, 0.001)

    def distance(points: Floats) -> Floats:
        close = _cap(thickness, natural, 0.034)(points)
        return -in_both(-close, -tufted(points), SOFT_LOCKS)

    def faded(points: Floats) -> Floats:
        return np.maximum(_faded(natural)(points), tufts(points)[0])

    def facing(points: Floats) -> Floats:
        # In grooves light falls partly as on the head: their walls would be pale or black lines.
        ways = outward(distance, points, LOCKS_LIT)
        ways += ROUND_LIT * outward(partial(union, bare), points, SPREAD / 8)
        return ways / np.linalg.norm(ways, axis=-1, keepdims=True)

    return _piece(
        cut, [Shape(distance, _of_skin)], high=(0.13, 0.17, 0.15), triangles=triangles,
        over=(lambda points: np.maximum(natural(points), tufts(points)[0] + TUFT_WALL),),
        dyed=(("stubble", faded),), facing=facing,
    )  # fmt: skip


THINNED = 0.40
"""How much less high tufts are at the hairline than at the whorl, as a share."""

TUFT_EDGE = 0.0018
"""How thick tufts are at their outlines, [m]."""

TUFT_WALL = 0.0008
"""How far from their outlines tufts are cut off below the hairline, [m]."""

SOFT_LOCKS = 0.0040
"""How round the grooves between tufts are, [m]."""

LOCKS_LIT = 0.0034
"""How far to either side tufts are lit as one form, [m]."""

ROUND_LIT = 0.5
"""How much the form of the head counts for the light on them, over their own."""

FADE = 0.0170
TIED_FADE = 0.0050
"""How wide skin is seen between the roots of hair at the sides and the nape, of short hair and of
tied, [m].
"""


def _faded(behind: Distance, fade: float = FADE) -> Distance:
    """How far points are outside of where skin is seen between the roots of hair."""

    def distance(points: Floats) -> Floats:
        x, _, z = (points - at("HEAD")).T
        angle = np.degrees(np.arctan2(np.abs(x), z + 0.012))
        wide = (fade + 0.0015 * locks(angle, 7.0)) * rise(angle, 50.0, 120.0) - 0.0010
        return behind(points) - wide

    return distance


WHORL = place(0.0, 0.020, -0.012)
"""In the head, below the whorl: tufts are seen from there."""

WHORL_BACK = np.radians(28.0)
"""How far behind the top of the head the whorl is."""

WHORL_UP = np.array([0.0, np.cos(WHORL_BACK), -np.sin(WHORL_BACK)])
WHORL_AHEAD = np.array([0.0, np.sin(WHORL_BACK), np.cos(WHORL_BACK)])
"""The way to the whorl, and across it ahead."""

STRANDS = 0.0020
"""How deep grooves between strands of a tuft are, [m]."""

TIP = 0.0026
"""How wide tufts are at their tips, [m]."""

SPREAD = 0.095
"""How far from there tufts are measured, [m]."""


def _tufts(rows: Sequence[Sequence[float]]) -> Callable[[Floats], tuple[Floats, Floats]]:
    """How far in from the outline of the nearest tuft points are, [m], and how high the highest
    tuft is there, [m].

    Args:
        rows: as those of `_TOUSLED`.
    """

    def on_sphere(around: float, down: float) -> Floats:
        a, b = np.radians((around, down))
        side = np.cos(a) * WHORL_AHEAD + np.sin(a) * LEFT
        return WHORL + SPREAD * (np.cos(b) * WHORL_UP + np.sin(b) * side)

    parts: list[tuple[list[Shape], float, float]] = []
    for first, last, start, end, wide, high in rows:
        shares = (0.0, 0.45, 0.8, 1.0)
        widths = (0.75 * wide, wide, 0.62 * wide, TIP)
        knots = [
            on_sphere(first + s**1.3 * (last - first), start + s * (end - start)) for s in shares
        ]
        pairs = zip(pairwise(knots), pairwise(widths), strict=True)
        cones = [Shape(cone(a, u, b, v), blend=0.004) for (a, b), (u, v) in pairs]
        parts.append((cones, wide, high))

    def measured(points: Floats) -> tuple[Floats, Floats]:
        away = points - WHORL
        away = SPREAD * away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-6)
        inside = np.full(len(points), -1.0)
        highest = np.zeros(len(points))
        for cones, wide, high in parts:
            depth = -union(cones, WHORL + away)
            inside = np.maximum(inside, depth)
            highest = np.maximum(highest, high * grown(depth / wide))
        return inside, highest

    return measured


def crop(deep: float) -> Piece:
    """Cropped short at the sides and less so on top, in small coils."""

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        return 0.0034 + 0.0110 * rise(y, 0.015, 0.095) + 0.0009 * deep * _coils(x, y, z, 320.0)

    behind = _behind(_NATURAL)
    return _piece(
        "crop", [Shape(_cap(thickness, behind, 0.042), _of_skin)], triangles=(2300, 800, 170),
        over=(behind,), dyed=(("stubble", _faded(behind)),),
    )  # fmt: skip


def _coils(x: Floats, y: Floats, z: Floats, often: float) -> Floats:
    """Small coils, which come so often, [rad/m]: from about -1 to 1."""
    bent = np.sin(0.6 * often * z), np.sin(0.55 * often * x)
    return np.tanh(
        np.sin(often * x + 1.2 * bent[0]) * np.sin(often * z)
        + np.sin(often * y + 1.4 * bent[1]) * np.cos(0.8 * often * z)
    )


def afro(deep: float) -> Piece:
    """A round afro, whose coils make its outline."""

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        mass = 0.016 + 0.040 * rise(y, -0.035, 0.075) * (1.0 - 0.30 * rise(z, 0.0, 0.08))
        return mass + 0.0034 * (0.6 + 0.4 * deep) * _coils(x, y, z, 200.0)

    behind = _behind(_NATURAL)
    return _piece(
        "afro", [Shape(_cap(thickness, behind, 0.036), _of_skin)],
        low=(-0.16, -0.12, -0.19), high=(0.16, 0.20, 0.17), triangles=(2300, 850, 170),
        over=(behind,),
    )  # fmt: skip


def balding(deep: float) -> Piece:
    """Hair around a bald crown."""

    natural = _behind(_NATURAL)

    def behind(points: Floats) -> Floats:
        # The crown begins lower ahead than behind, and hair thins out toward it.
        x, y, z = (points - at("HEAD")).T
        below_crown = (0.052 - y - 0.30 * (z + 0.02)) / np.hypot(1.0, 0.30)
        around = np.degrees(np.arctan2(x, z))
        return -in_both(-natural(points), -below_crown - 0.003 * locks(around, 16.0), 0.006)

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        across = np.degrees(np.arctan2(x, z)) / 180.0 * np.pi * 0.085
        return 0.0085 + 0.0030 * deep * locks(y + 0.4 * z + 0.006 * np.sin(60.0 * across), 0.022)

    mass = _cap(thickness, behind, 0.045)
    return _piece(
        "balding", [Shape(mass, _of_skin)], triangles=(1600, 700, 170), over=(behind,),
        dyed=(("stubble", lambda points: behind(points) - 0.011),),
    )  # fmt: skip


def bob(deep: float) -> Piece:
    """To the chin, with a fringe."""
    fall = [
        (-0.118, 0.080, 0.080, 0.090, 0.082), (-0.090, 0.091, 0.091, 0.099, 0.096),
        (-0.040, 0.096, 0.096, 0.107, 0.104), (0.020, 0.0955, 0.0955, 0.112, 0.106),
        (0.055, 0.0900, 0.0900, 0.1130, 0.1030), *_CROWN,
    ]  # fmt: skip
    whole = [
        Shape(loft(place(0.0, 0.0, -0.018), UP, LEFT, fall, 2.2, (-0.112, 0.1285)), only("head"))
    ]
    return _piece(
        "bob",
        [Shape(_loose(whole, deep, 0.060, 0.053, -0.098, 0.0, 0.04, 0.0085), only("head"))],
        low=(-0.12, -0.135, -0.15),
        clear=-WITHIN,
    )


def long(deep: float) -> Piece:
    """Down to the shoulder blades, parted in the middle."""
    fall = [
        (-0.090, 0.093, 0.093, 0.096, 0.106), (-0.040, 0.098, 0.098, 0.108, 0.106),
        (0.020, 0.097, 0.097, 0.111, 0.106), (0.055, 0.0905, 0.0905, 0.1130, 0.1030), *_CROWN,
    ]  # fmt: skip
    # From the chin on it goes back, behind the shoulders.
    behind = [
        (-0.255, 0.050, 0.050, 0.006, 0.030), (-0.230, 0.074, 0.074, 0.020, 0.045),
        (-0.150, 0.090, 0.090, 0.046, 0.058),
        (-0.080, 0.095, 0.095, 0.076, 0.068),
        (0.000, 0.097, 0.097, 0.096, 0.104), (0.060, 0.090, 0.090, 0.100, 0.120),
    ]  # fmt: skip
    back = np.array([0.0, 1.0, 0.5])
    whole = jointed(
        loft(place(0.0, -0.03, -0.018), back, LEFT, behind, 2.2),
        loft(place(0.0, 0.0, -0.018), UP, LEFT, fall, 2.2, (-0.085, 0.1285)),
        place(0.0, -0.035, 0.0), UP, 0.03,
    )  # fmt: skip
    return _piece(
        "long",
        [Shape(_loose([Shape(whole)], deep, 0.057, 0.086, -0.26, 0.012, 0.30, 0.0015), _hanging)],
        low=(-0.12, -0.30, -0.21),
        clear=-WITHIN,
    )


def _hanging(points: Floats) -> Floats:
    """Weights of the head down to the chin, and from there those along the neck."""
    return neck_chain(points + (0.0, 0.06, 0.0))


# Above the ears of loose hair.
_CROWN = (
    (0.070, 0.0850, 0.0850, 0.1080, 0.0980), (0.090, 0.0725, 0.0725, 0.0950, 0.0860),
    (0.106, 0.0580, 0.0580, 0.0780, 0.0710), (0.118, 0.0415, 0.0415, 0.0560, 0.0520),
    (0.126, 0.0240, 0.0240, 0.0330, 0.0310), (0.130, 0.0170, 0.0170, 0.0230, 0.0220),
)  # fmt: skip


WITHIN = 0.012
"""How far into the skin loose hair goes on, [m]: the jaws of some people are narrower."""

ROUND = 0.030
"""How round the edge of loose hair is above the forehead, at its highest place, [m]."""


def _loose(
    whole: Sequence[Shape],
    deep: float,
    half: float,
    top: float,
    end: float,
    parting: float,
    slope: float,
    tips: float,
) -> Distance:
    """Hair that hangs down to an end, around the face: an opening half as wide as given, up to a
    height at the parting, which is so far to the right, [m]; from there its edge falls by a slope,
    and ends in tips that reach so far down, [m].
    """

    def distance(points: Floats) -> Floats:
        x, y, z = (points - at("HEAD")).T
        # Locks fall from the parting, and end one lower than the other.
        around = np.arctan2(x, z + 0.018)
        uneven = 0.11 * np.sin(3.0 * around + 0.7) + 0.06 * np.sin(7.0 * around)
        falling = locks(around + uneven + 2.0 * y, 0.42)
        mass = union(whole, points) + 0.0075 * deep * (1.0 - falling) * rise(-y, -0.128, -0.070)
        # Toward their ends they are thinner.
        ends = end + 0.004 - 0.016 * falling - y
        mass = in_both(mass + 0.009 * rise(ends, -0.055, 0.0), ends, 0.004)
        edge = top - slope * (np.hypot(x + parting, ROUND) - ROUND)
        edge -= tips * locks(x + 0.007 + 0.004 * np.sin(90.0 * x), 0.024)
        return in_both(mass, -_opening(points, half, edge), 0.014)

    return distance


NEAR_TAIL = 0.010
"""Hair this near to a tail is part of it, [m]: farther than any level of detail is moved out."""


def ponytail(deep: float) -> Piece:
    """Tied back, with a tail that is seen from all sides."""
    chain = only("head")
    knots = [
        (0.020, 0.040, -0.108, 0.018), (0.055, 0.038, -0.122, 0.026),
        (0.080, 0.010, -0.130, 0.031), (0.086, -0.040, -0.126, 0.031),
        (0.086, -0.080, -0.112, 0.025), (0.082, -0.108, -0.098, 0.016),
        (0.078, -0.126, -0.089, 0.008),
    ]  # fmt: skip
    cones = [
        Shape(cone(place(*a), s, place(*b), e), blend=0.010) for (*a, s), (*b, e) in pairwise(knots)
    ]

    def tail(points: Floats) -> Floats:
        x, y, z = (points - place(0.082, 0.0, -0.116)).T
        falling = locks(np.arctan2(x, z) + 2.0 * y, 0.7) * rise(-y, 0.0, 0.04)
        return union(cones, points) - 0.0024 * deep * falling

    behind = _behind(_TIED_BACK)
    roots = _faded(behind, TIED_FADE)
    return _piece(
        "ponytail",
        [Shape(_tied_back(deep), _of_skin), Shape(tail, chain, 0.003)],
        low=(-0.12, -0.17, -0.17),
        high=(0.14, 0.16, 0.14),
        triangles=(2300, 1100, 220),
        # The tail hangs below the hairline.
        over=(lambda points: np.maximum(behind(points), NEAR_TAIL - tail(points)),),
        dyed=(("stubble", lambda points: np.maximum(roots(points), NEAR_TAIL - tail(points))),),
    )


def bun(deep: float) -> Piece:
    """Tied up in a bun."""
    chain = only("head")
    knot = Shape(ellipsoid(place(0.0, 0.128, -0.058), (0.041, 0.036, 0.039)), chain, 0.004)
    return _piece(
        "bun",
        [Shape(_tied_back(deep), _of_skin), knot],
        high=(0.12, 0.18, 0.14),
        over=(_behind(_TIED_BACK),),
        dyed=(("stubble", _faded(_behind(_TIED_BACK), TIED_FADE)),),
    )


def curly(deep: float) -> Piece:
    """Round and curly."""

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        curls = np.sin(140 * x + 1.1 * np.sin(66 * z)) + np.sin(140 * y + 1.3 * np.sin(74 * x))
        curls += np.sin(140 * z + 1.2 * np.sin(70 * y))
        mass = 0.012 + 0.024 * rise(y, -0.01, 0.09) * (1.0 - 0.45 * rise(z, 0.0, 0.08))
        return mass + 0.0075 * (0.75 + 0.25 * deep) * np.tanh(0.5 * curls)

    behind = _behind(_NATURAL)
    return _piece(
        "curly", [Shape(_cap(thickness, behind, 0.050), _of_skin)],
        low=(-0.14, -0.12, -0.18), high=(0.14, 0.18, 0.16), triangles=(2700, 1000, 200),
        over=(behind,), dyed=(("stubble", _faded(behind, TIED_FADE)),),
    )  # fmt: skip


def _tied_back(deep: float) -> Distance:
    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        # Strands run from the hairline back to the knot.
        around = np.arctan2(x, y - 0.02)
        strands = locks(
            around + 0.10 * np.sin(3.0 * around + 1.0) + 0.05 * np.sin(8.0 * around), 0.29
        )
        strands *= rise(np.hypot(x, y - 0.02), 0.015, 0.050)
        # At the sides hair is pulled flat.
        strands *= 0.4 + 0.6 * rise(y, 0.02, 0.09)
        return 0.0066 + 0.0080 * rise(y, 0.03, 0.10) + 0.0048 * deep * strands

    return _cap(thickness, _behind(_TIED_BACK), 0.058)


TUFT = 0.0009
"""How far tufts at the hairline reach down, [m]."""

LEAST = 0.0008
"""How thick hair is where it begins, [m]."""

MARGIN = 0.008
"""How far hair goes on beyond the hairline until it is cut off there, [m]."""

OVER_SKIN = (0.0008, 0.0018, 0.0056)
"""How far out hair is moved in each level of detail, so that no skin of few triangles comes through
it, [m].
"""


def _behind(hairline: Sequence[tuple[float, float]], fringe: float = 0.0) -> Distance:
    """How far points are behind a hairline, which ends in tufts, and over the forehead in locks
    that reach down by so much of a fringe, [m].
    """
    above = above_line(hairline)

    def distance(points: Floats) -> Floats:
        x, y, z = (points - at("HEAD")).T
        angle = np.degrees(np.arctan2(np.abs(x), z + 0.012))
        # Squared, locks have no edge between them.
        tufts = TUFT * locks(angle, 15.0) ** 2
        tufts += fringe * locks(x - 0.35 * z + 0.008, 0.050) ** 2 * rise(60.0 - angle, 0.0, 30.0)
        return above(angle, y) + tufts

    return distance


def _cap(
    thickness: Callable[[Floats, Floats, Floats], Floats], behind: Distance, taper: float
) -> Distance:
    """Hair that lies on the skull: so thick, but rising from the skin where it begins, over a
    width, [m].

    It is cut off where it begins by the piece that it becomes part of.
    """
    bare = skull()

    def distance(points: Floats) -> Floats:
        share = grown(behind(points) / taper)
        thick = LEAST + (thickness(*(points - at("HEAD")).T) - LEAST) * share
        return in_both(union(bare, points) - thick, -MARGIN - behind(points), 0.0030)

    return distance


def grown(share: Floats) -> Floats:
    """How thick hair is, from 0 to 1, so far in from where it begins, at an angle to the skin: no
    gap is seen below its edge.
    """
    return 1.0 - (1.0 - np.clip(share, 0.0, 1.0)) ** 2


def _of_skin(points: Floats) -> Floats:
    """Weights of the skin below, so that hair lies on it however the head turns."""
    return bone_weights(head(), points)


BESIDE_CHEEKS = 0.035
"""How much wider, to either side, the opening of loose hair is in front of cheeks, [m]."""


def _opening(points: Floats, half: float, top: Floats) -> Floats:
    """A tunnel from the face to the front: half as wide, and up to heights, shape (N,), [m].

    In front of the cheeks it is wider, so that faces are seen from the side.
    """
    x, y, z = (points - at("HEAD")).T
    half = half + BESIDE_CHEEKS * rise(z - 0.25 * y, 0.030, 0.075)
    # Below the jaw it goes on beside the neck, so that no hair fills the space before it.
    back = 0.010 - 0.040 * rise(-y, 0.035, 0.080)
    return np.maximum(
        np.hypot(np.maximum(np.abs(x) - half + 0.03, 0), np.maximum(y - top + 0.03, 0)) - 0.03,
        back - z,
    )


def _piece(
    cut: str,
    shapes: Sequence[Shape],
    low: tuple[float, float, float] = (-0.12, -0.09, -0.15),
    high: tuple[float, float, float] = (0.12, 0.16, 0.14),
    triangles: tuple[int, int, int] = (2100, 900, 190),
    over: tuple[Distance, ...] = (),
    clear: float = 0.0001,
    **others: Any,
) -> Piece:
    return Piece(
        *("hair", shapes, place(*low), place(*high), 0.0024, triangles),
        over=over,
        clear=clear,
        lift=OVER_SKIN,
        part=cut,
        **others,
    )
