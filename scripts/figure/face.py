"""Lids, brows and mouth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from scipy.interpolate import PchipInterpolator

from figure.head import EYEBALL, LID, eye_opening, head, place
from figure.piece import Piece
from figure.shapes import Distance, Shape, cone, ellipsoid, in_both, union
from figure.weights import jaw_chain, only
from juggle_anim.arrays import Floats
from juggle_anim.scene.skin import EYE, NAMES


def face() -> list[Piece]:
    """Lids, lashes, brows and lips; what has two sides is on the left."""
    skin = head().distance
    return [
        replace(lids(), over=(skin, _sphere(EYEBALL - 0.0003)), clear=0.0002),
        replace(lid_stroke(), over=(skin, _sphere(LID - 0.0004)), clear=0.0002),
        replace(lower_rim(), over=(skin, _sphere(EYEBALL)), clear=0.0002),
        *(replace(piece, over=(skin,)) for piece in (brow(), lips())),
    ]


def lids() -> Piece:
    """The lids around the opening."""

    def distance(points: Floats) -> Floats:
        _, y, z = (points - place(*EYE)).T
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
        lit=head().lit,
    )


def lid_stroke() -> Piece:
    """The dark rim of the upper lid: one stroke, thicker in the middle."""

    def distance(points: Floats) -> Floats:
        x, y, _ = (points - place(*EYE)).T
        width = 0.0009 + 0.0008 * np.clip(1.0 - (x / 0.016) ** 2, 0.0, 1.0)
        rim = np.hypot(_sphere(LID)(points), eye_opening(points)) - width
        return np.maximum(rim, 0.0012 + 0.06 * x - y)

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


def lower_rim() -> Piece:
    """The rim of the lower lid, in the colour of lips, which ends the white of the eye."""

    def distance(points: Floats) -> Floats:
        x, y, _ = (points - place(*EYE)).T
        rim = np.hypot(_sphere(LID - 0.0008)(points), eye_opening(points)) - 0.0012
        return np.maximum(rim, y - 0.06 * x + 0.0004)

    return replace(
        lid_stroke(),
        cover="lips",
        shapes=[Shape(distance, only("head"))],
        triangles=(300, 60, 0),
        lit=head().lit,
    )


def brow() -> Piece:
    """The left brow."""
    knots = (
        (0.0155, 0.0318, 0.0040), (0.0240, 0.0350, 0.0046), (0.0335, 0.0358, 0.0043),
        (0.0420, 0.0332, 0.0034),
        (0.0470, 0.0304, 0.0020),
    )  # fmt: skip
    return Piece(
        "hair", [Shape(_raised(_stroke(knots), 0.0020, 0.0030), only("head"))],
        place(0.005, 0.015, 0.040), place(0.06, 0.048, 0.115), 0.0009, (520, 90, 20), True,
    )  # fmt: skip


def lips() -> Piece:
    """Closed lips whose corners are a little up."""
    knots = (
        (-0.0250, -0.0480, 0.0014),
        (-0.0100, -0.0535, 0.0068),
        (0.0100, -0.0535, 0.0068),
        (0.0250, -0.0480, 0.0014),
    )
    raised = _raised(_stroke(knots), 0.0016, 0.0050)

    def distance(points: Floats) -> Floats:
        x, y, _ = (points - place(0.0, 0.0, 0.0)).T
        parting = -0.0535 + 0.0048 * (x / 0.0250) ** 2
        # A groove that ends before the corners.
        return raised(points) + 0.0018 * np.exp(
            -(((y - parting) / 0.0015) ** 2) - (x / 0.0235) ** 6
        )

    low = place(-0.035, -0.075, 0.05)
    high = place(0.035, -0.040, 0.12)
    return Piece("lips", [Shape(distance, jaw_chain)], low, high, 0.0007, (900, 200, 30))


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
        high = 0.0004 + height * np.sqrt(share * (2 - share))
        return np.maximum(np.maximum(bare(points) - high, edge), -0.003 - bare(points))

    return distance


def _sphere(radius: float) -> Distance:
    return ellipsoid(place(*EYE), (radius,) * 3)


def _lid_chain(points: Floats) -> Floats:
    """Weights of lids: the upper one closes down to the lower one, but for where it comes out of
    the face.

    That is a shorter way near the corners, of which the outer one is a little higher.
    """
    x, y, z = (points - place(*EYE)).T
    rise = y - 0.06 * x
    share = np.clip(1 - (x / 0.0145) ** 2, 0.0, 1.0) * np.clip(rise / 0.002, 0.0, 1.0)
    share *= np.clip(head().distance(points) / 0.0007, 0.0, 1.0) * (z > 0)
    rows = np.zeros((len(points), len(NAMES)))
    rows[:, NAMES.index("left lid")] = share
    rows[:, NAMES.index("head")] = 1 - share
    return rows
