"""The bulk of bodies: how thick trunk, neck and head are, for all that must not pass through them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Rule
from juggle_anim.vectors import cross

BELOW_HEADS = 0.36
"""Points that are so little above the pelvis are far from any head, [m]."""

# A trunk is all that is near to a flat board, which begins at the pelvis and widens upward; so does how near. [m]
_BOARD = 0.38
_HALF_WIDTH, _WIDENS = 0.064, 0.025
_HALF_DEPTH, _DEEPENS = 0.094, 0.014
# Neck and head are a round cone, which ends in the crown: so much farther from the neck's top than the head's middle.
_CROWN = 1.25
_NECK_RADIUS, _GROWS = 0.058, 0.038


@dataclass(frozen=True)
class Bulk:
    """Where trunks and heads of bodies are, of any leading shape.

    Args:
        pelvis, neck, head: shape (..., 3), joints, [m].
        axes: shape (..., 3, 3), columns across to the left, up along the spine, and ahead.
    """

    pelvis: Floats
    neck: Floats
    head: Floats
    axes: Floats

    @staticmethod
    def of(pelvis: Floats, across: Floats, up: Floats, neck: Floats, head: Floats) -> Bulk:
        """Of joints and unit directions at right angles to each other, each of shape (..., 3)."""
        axes = np.empty((*up.shape, 3))
        axes[..., 0], axes[..., 1], axes[..., 2] = across, up, cross(across, up)
        return Bulk(pelvis, neck, head, axes)

    def some(self, bodies: tuple[Integers | int, ...]) -> Bulk:
        """Of some of the bodies, by an index of their leading shape."""
        return Bulk(self.pelvis[bodies], self.neck[bodies], self.head[bodies], self.axes[bodies])

    def seen(self, points: Floats) -> Floats:
        """Points (..., N, 3) as they lie from the pelvis along the axes, [m]."""
        return (points - self.pelvis[..., None, :]) @ self.axes

    def heads(self, bodies: Integers) -> Floats:
        """The top of the neck and the middle of the head of some bodies, seen so; shape (2, 3, N), [m]."""
        joints = np.stack([self.neck, self.head], axis=-2).reshape(-1, 2, 3)[bodies]
        pelvis, axes = self.pelvis.reshape(-1, 1, 3)[bodies], self.axes.reshape(-1, 3, 3)[bodies]
        return ((joints - pelvis) @ axes).transpose(1, 2, 0)


def near_trunk_or_head(points: Floats, radii: Floats) -> Booleans:
    """Which balls may touch their body: all that do, and some more; quicker than to find out how deep they are.

    Args:
        points: shape (3, ...), as `Bulk.seen` has them, [m].
        radii: broadcasts over the points, [m].
    """
    x, y, z = points
    aside = np.maximum(np.abs(x) - (_WIDENS / _BOARD) * y - _HALF_WIDTH, 0.0)
    reach = (_DEEPENS / _BOARD) * y + (_HALF_DEPTH + radii)
    return (aside * aside + z * z < reach * reach) | (y > BELOW_HEADS)


def within_trunk(points: Floats) -> Floats:
    """How deep points (3, ...) are in their trunk, negative outside, [m]; as `Bulk.seen` has them."""
    x, y, z = points
    height = np.minimum(np.maximum(y, 0.0), _BOARD)
    aside = np.maximum(np.abs(x) - (_WIDENS / _BOARD) * height - _HALF_WIDTH, 0.0)
    beyond = y - height
    return (_DEEPENS / _BOARD) * height + _HALF_DEPTH - np.sqrt(aside * aside + beyond * beyond + z * z)


def within_head(points: Floats, heads: Floats) -> Floats:
    """How deep points (3, ..., N) are in their neck or head, negative outside, [m]; heads as `Bulk.heads` has them."""
    neck, line = heads[0], _CROWN * (heads[1] - heads[0])
    x, y, z = (point - start for point, start in zip(points, neck, strict=True))
    along = x * line[0] + y * line[1] + z * line[2]
    share = np.minimum(np.maximum(along / (line[0] ** 2 + line[1] ** 2 + line[2] ** 2), 0.0), 1.0)
    x, y, z = x - share * line[0], y - share * line[1], z - share * line[2]
    return _NECK_RADIUS + _GROWS * share - np.sqrt(x * x + y * y + z * z)


BULK_RULES: dict[str, Rule] = {
    "BELOW_HEADS": BELOW_HEADS, "BOARD": _BOARD, "HALF_WIDTH": _HALF_WIDTH, "WIDENS": _WIDENS,
    "HALF_DEPTH": _HALF_DEPTH, "DEEPENS": _DEEPENS, "CROWN": _CROWN, "NECK_RADIUS": _NECK_RADIUS, "GROWS": _GROWS,
}  # fmt: skip
"""What a web page is told, by the names that its scripts have for it."""
