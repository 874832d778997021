"""Where the skin is cut at the edges of clothes: what is within a shirt or trousers is not drawn in
line drawings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.body import Joint
from juggle_anim.scene.skin import COVERS, NAMES, UNIT, SkinLevel, load_skin
from juggle_anim.vectors import cross, unit

_SLEEVES = "deltoid", "upper arm", "upper arm, untwisted"
_CLOTHES = "shirt", "trousers"
_SMOOTH = 0.008  # what is so near to the nearest cloth counts as well, [m]
# room for a neck: its radius, and below and above its joint, [m]
_NECK_WIDE = 0.1
_NECK_LOW = 0.1
_NECK_HIGH = 0.12
_BESIDE = 0.25  # share of its width by which a collar hides a neck beside it
# of a collar, in which its top is looked for, and of the curve through these
_SECTORS = 24
_WAVES = 3


def cutting_values(level: SkinLevel) -> Floats:
    """Where the skin is cut: numbers that are negative on sleeves, and on what is within clothes,
    shape (V,).
    """
    points: Floats = level.points.astype(float) * float(UNIT)
    shirt = level.covers == COVERS.index("shirt")
    corners = points[level.triangles]
    middles = corners.mean(axis=1)
    covers = level.covers[level.triangles[:, 0]]
    normals = unit(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    values = np.ones(len(points))
    for number in (COVERS.index(each) for each in _CLOTHES):
        cloth = middles[covers == number]
        normal = normals[covers == number]
        low = cloth.min(axis=0)
        high = cloth.max(axis=0)
        others = np.flatnonzero(
            (level.covers != number) & ~shirt & ((points > low) & (points < high)).all(axis=1)
        )
        for some in np.array_split(others, len(others) // 500 + 1):
            squares = (
                (points[some] ** 2).sum(axis=1)[:, None]
                + (cloth**2).sum(axis=1)
                - 2 * points[some] @ cloth.T
            )
            near = np.exp((squares.min(axis=1, keepdims=True) - squares) / (2 * _SMOOTH**2))
            heights = points[some] @ normal.T - (cloth * normal).sum(axis=1)
            values[some] = np.minimum(values[some], (near * heights).sum(axis=1) / near.sum(axis=1))
    neck = _around_neck(points) & (level.covers == COVERS.index("skin"))
    values[neck] = Collar.of(level).heights(points[neck])
    arms = np.array([name.partition(" ")[2] in _SLEEVES for name in NAMES])
    values[shirt] = 0.5 - (level.shares * arms[level.bones])[shirt].sum(axis=1) / 255
    return values


@dataclass(frozen=True)
class Collar:
    """The top of a shirt's collar: a ring, whose normals say nothing of what is within it.

    Args:
        axis: its middle, (3,), [m].
        tops: numbers of points on it, in turn around the neck.
        curve: how high it is at a turn, see `_waves`, [m].
    """

    axis: Floats
    tops: Integers
    curve: Floats

    @classmethod
    def of(cls, level: SkinLevel) -> Collar:
        """The collar of a level of detail."""
        points: Floats = level.points.astype(float) * float(UNIT)
        ring = np.flatnonzero((level.covers == COVERS.index("shirt")) & _around_neck(points))
        near = points[ring]
        axis: Floats = near[near[:, 1] > np.median(near[:, 1])].mean(axis=0)
        turns = _turns(near, axis)
        sectors = ((turns / (2 * np.pi) + 0.5) * _SECTORS).astype(int) % _SECTORS
        of_sectors = (np.flatnonzero(sectors == each) for each in np.unique(sectors))
        tops = np.array([some[near[some, 1].argmax()] for some in of_sectors])
        return cls(axis, ring[tops], np.linalg.lstsq(_waves(turns[tops]), near[tops, 1])[0])

    def heights(self, points: Floats) -> Floats:
        """How high points at rest are above it, shapes (N, 3) to (N,), [m]."""
        found: Floats = points[:, 1] - _waves(_turns(points, self.axis)) @ self.curve
        return found

    def hides(self, points: Floats, scale: float) -> Floats:
        """Numbers that are negative where its nearer half hides what is seen.

        Args:
            points: all points of the skin, right and down on the sheet [mm], and their depths [m],
                shape (V, 3).
            scale: of the body, [mm on paper per metre].
        """
        seen = points[self.tops]
        half = seen[seen[:, 2] <= seen[:, 2].mean()]
        half = half[np.argsort(half[:, 0])]
        x, y, depths = points.T
        higher = np.interp(x, half[:, 0], half[:, 1]) - y
        nearer = scale * (np.interp(x, half[:, 0], half[:, 2]) - depths)
        margin = _BESIDE * (half[-1, 0] - half[0, 0])  # a neck is a little wider than its collar
        beside = np.maximum(half[0, 0] - x, x - half[-1, 0]) - margin
        return np.maximum(np.maximum(higher, nearer), beside)


def _around_neck(points: Floats) -> Booleans:
    joint = load_skin().skeleton.joints[Joint.NECK]
    inside: Booleans = np.hypot(points[:, 0] - joint[0], points[:, 2] - joint[2]) < _NECK_WIDE
    return inside & (points[:, 1] > joint[1] - _NECK_LOW) & (points[:, 1] < joint[1] + _NECK_HIGH)


def _turns(points: Floats, axis: Floats) -> Floats:
    return np.arctan2(points[:, 0] - axis[0], points[:, 2] - axis[2])


def _waves(turns: Floats) -> Floats:
    """Cosines and sines of multiples of angles, shape (N, 2 · `_WAVES` + 1)."""
    several = turns[:, None] * np.arange(1, _WAVES + 1)
    return np.hstack([np.ones((len(turns), 1)), np.cos(several), np.sin(several)])


@dataclass(frozen=True)
class SkinCut:
    """Triangles after a cut.

    Args:
        triangles: shape (F, 3), numbers of points, of which there are more than before.
        sources: shape (F,), of which triangle each is a part.
        beyond: shape (F,), whether it lies on the negative side.
        between: shape (N, 2), the points between which each further point lies.
        shares: shape (N, 1), how far it is on the way to the second.
        places: shape (V + N,), one number for all points at one place.
    """

    triangles: Integers
    sources: Integers
    beyond: NDArray[np.bool_]
    between: Integers
    shares: Floats
    places: Integers

    def extended(self, points: Floats) -> Floats:
        """Return all points, from those before the cut; shapes (V, 3) and (V + N, 3)."""
        one, other = (points[self.between[:, end]] for end in range(2))
        return np.concatenate([points, one + self.shares * (other - one)])


def cut_skin(triangles: Integers, values: Floats, places: Integers) -> SkinCut:
    """Cut triangles where values at their corners change their sign.

    Args:
        triangles: shape (F, 3), numbers of points.
        values: of all points, shape (V,).
        places: shape (V,), one number for all points at one place.
    """
    negative = values[triangles] < 0
    count = negative.sum(axis=1)
    crossed = np.flatnonzero((count == 1) | (count == 2))
    whole = np.flatnonzero((count == 0) | (count == 3))
    # The corner that lies alone on its side comes first.
    alone = np.where(count[crossed, None] == 1, negative[crossed], ~negative[crossed]).argmax(
        axis=1
    )
    lone, second, third = (triangles[crossed, (alone + n) % 3] for n in range(3))
    between = np.concatenate([np.stack([lone, second], axis=-1), np.stack([lone, third], axis=-1)])
    share = values[between[:, 0]] / (values[between[:, 0]] - values[between[:, 1]])
    _, there = np.unique(np.sort(places[between], axis=1), axis=0, return_inverse=True)
    new = len(places) + np.arange(len(between)).reshape(2, -1)
    parts = [(lone, new[0], new[1]), (new[0], second, third), (new[0], third, new[1])]
    first = negative[crossed, alone]
    return SkinCut(
        np.concatenate([triangles[whole], *(np.stack(part, axis=-1) for part in parts)]),
        np.concatenate([whole, *[crossed] * 3]),
        np.concatenate([negative[whole, 0], first, ~first, ~first]),
        between,
        share[:, None],
        np.concatenate([places, places.max() + 1 + there.ravel()]),
    )
