"""Cuts of hair: what lies within some distance of the skull behind a hairline, and what hangs down
or is tied up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

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
    (111.0, -0.016), (126.0, -0.052), (150.0, -0.062), (180.0, -0.066),
)  # fmt: skip
_TIED_BACK = (
    (0.0, 0.074), (22.0, 0.076), (40.0, 0.070), (54.0, 0.050), (64.0, 0.024), (70.0, 0.008),
    (75.0, 0.004), (80.0, 0.022), (86.0, 0.027), (98.0, 0.027), (105.0, 0.012),
    (111.0, -0.014), (126.0, -0.037), (150.0, -0.045), (180.0, -0.047),
)  # fmt: skip


def cuts() -> list[Piece]:
    """All cuts."""
    made = short, crop, bob, ponytail, curly, long, bun, balding
    skin = head().distance
    pinna = ear().distance
    pieces = [(cut(1.0), cut(LIT_LOCKS).distance) for cut in made]
    return [replace(piece, over=(skin, pinna, *piece.over), lit=lit) for piece, lit in pieces]


LIT_LOCKS = 1.5
"""How much deeper light falls between locks than these are: hair is dark in between, not one smooth
form.
"""


def short(deep: float) -> Piece:
    """Short sides, and longer hair on top, parted at the left and brushed across and back.

    Here and below locks are so deep, as a multiple.
    """

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        top = rise(y, 0.025, 0.085)
        # High beside the parting, and less toward the other side and the back.
        swept = rise(PARTING + 0.012 - x, 0.0, 0.045) * (1.0 - 0.30 * rise(-x, 0.0, 0.07))
        swept *= 0.55 + 0.45 * rise(z, -0.06, 0.03) - 0.75 * rise(z, 0.02, 0.085)
        waves = locks(0.85 * z - 0.50 * x, 0.040)
        return 0.0055 + (0.008 + 0.012 * swept + 0.0050 * deep * waves * swept) * top

    # Sides, back and top.
    planes = [
        ((1.0, 0.36, 0.03), 0.098), ((-1.0, 0.36, 0.03), 0.097), ((0.0, 0.45, -1.0), 0.123),
        ((0.08, 1.0, 0.10), 0.136),
    ]  # fmt: skip
    behind = _behind(_NATURAL, fringe=0.0025)
    mass = _planed(_cap(thickness, behind, 0.034), planes)
    return _piece("short", [Shape(mass, _of_skin)], triangles=(3400, 1300, 240), over=(behind,))


PARTING = 0.034
"""Of short hair, to the left of the middle of the head, [m]."""


def _planed(whole: Distance, planes: Sequence[tuple[Sequence[float], float]]) -> Distance:
    """Hair cut to planes with soft edges, each a direction and a distance from the head's middle
    along it, [m].
    """

    def distance(points: Floats) -> Floats:
        total = whole(points)
        for direction, size in planes:
            normal = np.array(direction) / np.linalg.norm(direction)
            total = in_both(total, (points - at("HEAD")) @ normal - size, 0.024)
        return total

    return distance


def crop(deep: float) -> Piece:
    """Cropped short at the sides and less so on top, in small coils."""

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        coils = np.sin(260.0 * x + 1.2 * np.sin(150.0 * z)) * np.sin(260.0 * z)
        coils += np.sin(260.0 * y + 1.4 * np.sin(140.0 * x))
        return 0.0028 + 0.0065 * rise(y, 0.02, 0.10) + 0.0004 * deep * coils

    behind = _behind(_NATURAL)
    return _piece("crop", [Shape(_cap(thickness, behind, 0.022), _of_skin)], over=(behind,))


def balding(deep: float) -> Piece:
    """Hair around a bald crown."""

    natural = _behind(_NATURAL)

    def behind(points: Floats) -> Floats:
        # The crown begins lower ahead than behind.
        _, y, z = (points - at("HEAD")).T
        below_crown = (0.052 - y - 0.30 * (z + 0.02)) / np.hypot(1.0, 0.30)
        return -in_both(-natural(points), -below_crown, 0.006)

    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        return 0.0075 + 0.0022 * deep * locks(y + 0.4 * z, 0.022)

    mass = _cap(thickness, behind, 0.034)
    return _piece("balding", [Shape(mass, _of_skin)], triangles=(1300, 640, 180), over=(behind,))


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
        [Shape(_loose(whole, deep, 0.060, 0.051, -0.096, 0.0, 0.04), only("head"))],
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
        [Shape(_loose([Shape(whole)], deep, 0.057, 0.086, -0.26, 0.012, 0.30), _hanging)],
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

TIPS = 0.0012
"""How far tips of loose hair at the forehead reach down, [m]."""


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
) -> Distance:
    """Hair that hangs down to an end, around the face: an opening half as wide as given, up to a
    height at the parting, which is so far to the right, [m]; from there its edge falls by a slope.
    """

    def distance(points: Floats) -> Floats:
        x, y, z = (points - at("HEAD")).T
        # Locks fall from the parting, and end one lower than the other.
        falling = locks(np.arctan2(x, z + 0.018) + 2.0 * y, 0.42)
        mass = union(whole, points) + 0.0050 * deep * (1.0 - falling) * rise(-y, -0.135, -0.05)
        # Toward their ends they are thinner.
        ends = end + 0.001 - 0.006 * falling - y
        mass = in_both(mass + 0.007 * rise(ends, -0.055, 0.0), ends, 0.004)
        edge = top - slope * (np.hypot(x + parting, ROUND) - ROUND) - TIPS * locks(x + 0.007, 0.027)
        return in_both(mass, -_opening(points, half, edge), 0.014)

    return distance


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
    return _piece(
        "ponytail",
        [Shape(_tied_back(deep), _of_skin), Shape(tail, chain, 0.003)],
        low=(-0.12, -0.17, -0.17),
        high=(0.14, 0.16, 0.14),
        triangles=(2600, 1600, 300),
        # The tail hangs below the hairline.
        over=(lambda points: np.maximum(behind(points), 0.004 - tail(points)),),
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
        low=(-0.14, -0.12, -0.18), high=(0.14, 0.18, 0.16), triangles=(3300, 1400, 280),
        over=(behind,),
    )  # fmt: skip


def _tied_back(deep: float) -> Distance:
    def thickness(x: Floats, y: Floats, z: Floats) -> Floats:
        # Strands run from the hairline back to the knot.
        strands = locks(np.arctan2(x, y - 0.02), 0.29)
        strands *= rise(np.hypot(x, y - 0.02), 0.015, 0.050)
        return 0.0072 + 0.0070 * rise(y, 0.03, 0.10) + 0.0026 * deep * strands

    return _cap(thickness, _behind(_TIED_BACK), 0.034)


TUFT = 0.0009
"""How far tufts at the hairline reach down, [m]."""

LEAST = 0.0008
"""How thick hair is where it begins, [m]."""

MARGIN = 0.008
"""How far hair goes on beyond the hairline until it is cut off there, [m]."""

OVER_SKIN = (0.0003, 0.0012, 0.0056)
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


def _opening(points: Floats, half: float, top: Floats) -> Floats:
    """A tunnel from the face to the front: half as wide, and up to heights, shape (N,), [m]."""
    x, y, z = (points - at("HEAD")).T
    # Below the jaw it goes on beside the neck, so that no hair fills the space before it.
    back = 0.010 - 0.080 * rise(-y, 0.035, 0.080)
    return np.maximum(
        np.hypot(np.maximum(np.abs(x) - half + 0.03, 0), np.maximum(y - top + 0.03, 0)) - 0.03,
        back - z,
    )


def _piece(
    cut: str,
    shapes: Sequence[Shape],
    low: tuple[float, float, float] = (-0.12, -0.09, -0.15),
    high: tuple[float, float, float] = (0.12, 0.16, 0.14),
    triangles: tuple[int, int, int] = (2200, 1000, 220),
    over: tuple[Distance, ...] = (),
    clear: float = 0.0001,
) -> Piece:
    return Piece(
        *("hair", shapes, place(*low), place(*high), 0.0024, triangles),
        over=over,
        clear=clear,
        lift=OVER_SKIN,
        part=cut,
    )
