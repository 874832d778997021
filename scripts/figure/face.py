"""Eyes, irises, lids, brows and lips."""

from __future__ import annotations

import numpy as np

from figure.head import EYE
from figure.piece import Piece
from figure.rest_pose import at
from figure.shapes import Shape, cone, ellipsoid
from figure.weights import only
from juggle_anim.arrays import Floats


def face() -> list[Piece]:
    """Eyes, irises, brows and lips."""
    middle, rigid = at("HEAD"), only("head")
    eye, size = middle + EYE, 0.0143
    iris = eye + (0.0, 0.0, 0.0)
    ball, disc = ellipsoid(eye, (size,) * 3), ellipsoid(iris, (size + 0.0004,) * 3)
    almond = ellipsoid(eye + (0.0, -0.0004, 0.014), (0.0142, 0.0062, 0.02))
    round_iris = ellipsoid(eye + (0.0, 0.0, 0.014), (0.0061, 0.0061, 0.02))

    def white(points: Floats) -> Floats:
        return np.maximum(ball(points), almond(points))

    def dark(points: Floats) -> Floats:
        return np.maximum(np.maximum(disc(points), round_iris(points)), almond(points) + 0.0002)

    def lash(points: Floats) -> Floats:
        """The rim of the upper lid."""
        rim = np.abs(almond(points) - 0.0004) - 0.0008
        below = 0.0012 - (points - eye)[:, 1]
        return np.maximum(np.maximum(ellipsoid(eye, (size + 0.0007,) * 3)(points), rim), below)

    box = np.array([0.017, 0.010, 0.018])
    brow = [
        Shape(cone(middle + (0.016, 0.0265, 0.0905), 0.0030, middle + (0.034, 0.0305, 0.0835), 0.0034), rigid),
        Shape(cone(middle + (0.034, 0.0305, 0.0835), 0.0034, middle + (0.050, 0.0260, 0.0680), 0.0022), rigid, 0.004),
    ]
    lips = [
        Shape(ellipsoid(middle + (0.0075, -0.0585, 0.0885), (0.0155, 0.0042, 0.0066)), rigid),
        Shape(ellipsoid(middle + (-0.0075, -0.0585, 0.0885), (0.0155, 0.0042, 0.0066)), rigid, 0.004),
        Shape(ellipsoid(middle + (0.0, -0.0670, 0.0875), (0.0185, 0.0052, 0.0072)), rigid, 0.0008),
    ]
    mouth = middle + (0.0, -0.063, 0.088)
    return [
        Piece("eyes", [Shape(white, rigid)], eye - box, eye + box, 0.0008, (200, 60, 24), True),
        Piece("irises", [Shape(dark, rigid)], eye - box, eye + box, 0.0006, (160, 40, 20), True),
        Piece("hair", [Shape(lash, rigid)], eye - box, eye + box, 0.0006, (200, 40, 14), True),
        Piece("hair", brow, middle + (0.005, 0.015, 0.055), middle + (0.06, 0.045, 0.105), 0.0012, (240, 60, 20), True),
        Piece("lips", lips, mouth - (0.035, 0.02, 0.02), mouth + (0.035, 0.02, 0.02), 0.0014, (300, 60, 28)),
    ]  # fmt: skip
