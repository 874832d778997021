"""Arrow heads: a stroke that ends in a point."""

from __future__ import annotations

import dataclasses
from math import hypot

from juggle_anim.diagrams.drawing import Point, Stroke

_LONG, _WIDE = 2.3, 1.7


def arrow_head(stroke: Stroke) -> tuple[Stroke, tuple[Point, Point, Point]]:
    """The stroke, shorter by its head, and the corners of the head, whose first is the tip.

    Args:
        stroke: one with an arrow.
    """
    (x, y), before = stroke.points[-1], stroke.points[-2]
    length = hypot(x - before[0], y - before[1]) or 1.0
    ahead = (x - before[0]) / length, (y - before[1]) / length
    size = _SMALLEST + _MORE * stroke.width
    back = x - ahead[0] * _LONG * size, y - ahead[1] * _LONG * size
    across = -ahead[1] * _WIDE * size / 2, ahead[0] * _WIDE * size / 2
    corners = (x, y), (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1])
    # Under the head, so that no gap shows between the two.
    inside = x - ahead[0] * 0.6 * _LONG * size, y - ahead[1] * 0.6 * _LONG * size
    return dataclasses.replace(stroke, points=(*stroke.points[:-1], inside), arrow=False), corners


_SMALLEST, _MORE = 0.55, 0.7
