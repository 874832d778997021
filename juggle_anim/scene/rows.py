"""The columns of a scene's arrays. A row is one instance for the graphics card, made of vec4s.

All lengths are in [m]; colours are sRGB, and gloss is 0 (dull) to 1 (polished).
"""

from __future__ import annotations

import numpy as np

from juggle_anim.arrays import Floats, Singles

BALL = slice(0, 4)
"""Columns that every kind of row has: the centre or the start, and a radius."""


class Sphere:
    """Columns of a ball or a cube, of which the radius is half an edge; `WIDTH` of them."""

    CENTRE, RADIUS, COLOUR, GLOSS, WIDTH = slice(0, 3), 3, slice(4, 7), 7, 8


class Ball(Sphere):
    """Columns of a ball with panels: yaw and pitch as of a club, [rad], and the `TONE` of every other panel: from −1,
    black, through 0, the colour itself, to 1, white. The last column is not used.
    """

    AIM, TONE, WIDTH = slice(8, 10), 10, 12


class Cone:
    """Columns of a round cone: a limb, a part of a club, a tube. `SHAPE` are all but its `PAINT`."""

    START, START_RADIUS, END, END_RADIUS, COLOUR, GLOSS, WIDTH = slice(0, 3), 3, slice(4, 7), 7, slice(8, 11), 11, 12
    FIRST, LAST, RADII, SHAPE, PAINT = slice(0, 4), slice(4, 8), slice(3, 8, 4), slice(0, 8), slice(8, 12)


class Ring:
    """Columns of a ring: `AXIS` is the normal of its plane, `HOLE` the inner radius, `TONE` that of its stripe, as of
    a `Ball`. The last three columns are not used.
    """

    CENTRE, RADIUS, AXIS, HOLE, COLOUR, GLOSS, TONE, WIDTH = slice(0, 3), 3, slice(4, 7), 7, slice(8, 11), 11, 12, 16


class Bubble:
    """Columns of a bubble and of the point that it limits: how `NEAR` to the sphere the point is, 0 to 1, and whether
    it should be `BEYOND` it, 0 to 1.
    """

    CENTRE, RADIUS, PLACE, NEAR, COLOUR, BEYOND, WIDTH = slice(0, 3), 3, slice(4, 7), 7, slice(8, 11), 11, 12


def cones(
    start: Floats, first: Floats | float, end: Floats, last: Floats | float, colour: object, gloss: float
) -> Singles:
    """Return rows of round cones, shape (…, 12).

    Args:
        start, end: shape (…, 3).
        first, last: the radii there, any shape that broadcasts with (…).
        colour: any shape that broadcasts with (…, 3).
        gloss: of all.
    """
    rows = np.empty((*start.shape[:-1], Cone.WIDTH), dtype=np.float32)
    rows[..., Cone.START], rows[..., Cone.START_RADIUS] = start, first
    rows[..., Cone.END], rows[..., Cone.END_RADIUS] = end, last
    rows[..., Cone.COLOUR], rows[..., Cone.GLOSS] = np.asarray(colour), gloss
    return rows


def spheres(centres: Floats, diameters: Floats, colours: Singles, gloss: float) -> Singles:
    """Return rows of balls or cubes, shape (…, N, 8); centres (…, N, 3), diameters or edges (N,), colours (N, 3)."""
    rows = np.empty((*centres.shape[:-1], Sphere.WIDTH), dtype=np.float32)
    rows[..., Sphere.CENTRE], rows[..., Sphere.RADIUS] = centres, diameters / 2
    rows[..., Sphere.COLOUR], rows[..., Sphere.GLOSS] = colours, gloss
    return rows


def no_rows(*shape: int) -> Singles:
    """Return an empty array of rows; the last number of the shape is the width of a row."""
    none = np.zeros(shape, dtype=np.float32)
    none.setflags(write=False)
    return none
