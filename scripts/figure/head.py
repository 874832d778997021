"""Head, neck and ears."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figure.piece import Piece
from figure.rest_pose import LEFT, at
from figure.shapes import Shape, both, cone, ellipsoid, loft
from figure.weights import neck_chain, only
from juggle_anim.arrays import Floats

EYE = (0.0315, 0.004, 0.0740)


def place(x: float, y: float, z: float) -> Floats:
    """A point by its distance to the left of, above, and in front of the middle of the head, [m]."""
    return at("HEAD") + (x, y, z)


def ball(x: float, y: float, z: float, *radii: float, blend: float = 0.02, cut: bool = False) -> Shape:
    """An ellipsoid in the head."""
    return Shape(ellipsoid(place(x, y, z), radii if len(radii) == 3 else radii * 3), only("head"), blend, cut)


def rod(start: Sequence[float], first: float, end: Sequence[float], last: float, blend: float) -> Shape:
    """A round cone in the head."""
    return Shape(cone(place(*start), first, place(*end), last), only("head"), blend)


def skull() -> list[Shape]:
    """Head and neck without eyes, nose, mouth and ears."""
    root, top = at("CHEST") + (0.0, -0.03, -0.018), place(0.0, -0.02, -0.030)
    neck = loft(
        root, top - root, LEFT,
        [
            (0.0, 0.074, 0.074, 0.060, 0.062),
            (0.05, 0.063, 0.063, 0.057, 0.060),
            (0.10, 0.055, 0.055, 0.056, 0.056),
            (0.16, 0.052, 0.052, 0.058, 0.054),
            (0.22, 0.051, 0.051, 0.056, 0.054),
        ],
    )  # fmt: skip
    return [
        ball(0.0, 0.026, -0.012, 0.0735, 0.0905, 0.094),
        ball(0.0, -0.030, 0.034, 0.055, 0.066, 0.056, blend=0.04),
        *both(
            rod((0.054, -0.046, 0.000), 0.015, (0.018, -0.097, 0.066), 0.013, 0.04),
            ball(0.040, -0.020, 0.058, 0.024, 0.024, 0.022, blend=0.035),
        ),
        ball(0.0, -0.096, 0.073, 0.021, 0.016, 0.016, blend=0.025),
        *both(rod((0.012, 0.028, 0.0815), 0.0105, (0.046, 0.026, 0.064), 0.009, 0.018)),
        Shape(neck, neck_chain, 0.03),
    ]


def head() -> Piece:
    """Head and neck."""
    return Piece(
        "skin",
        [
            *skull(),
            *both(ball(0.033, 0.003, 0.097, 0.021, 0.013, 0.014, blend=0.018, cut=True)),
            *both(ball(*EYE, 0.0136, blend=0.005)),
            rod((0.0, 0.012, 0.0855), 0.0065, (0.0, -0.028, 0.1025), 0.0092, 0.013),
            *both(
                ball(0.0105, -0.0315, 0.0925, 0.0078, 0.0070, 0.0095, blend=0.008),
                ball(0.0073, -0.0385, 0.0985, 0.0028, 0.0035, 0.004, blend=0.002, cut=True),
            ),
            ball(0.0, -0.062, 0.080, 0.026, 0.015, 0.013, blend=0.012),
            *both(*ears()),
        ],
        (-0.115, 1.36, -0.14), (0.115, 1.80, 0.21), 0.0019, (3600, 900, 360),
    )  # fmt: skip


def ears() -> list[Shape]:
    """The left ear."""
    middle, rigid = at("HEAD"), only("head")
    turn, tilt = np.radians(22.0), np.radians(12.0)
    out = np.array([np.cos(turn), 0.0, -np.sin(turn)])
    up = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
    up -= (up @ out) * out
    up /= np.linalg.norm(up)
    frame = np.stack([out, up, np.cross(out, up)], axis=1)
    return [
        Shape(ellipsoid(middle + (0.0775, -0.002, -0.012), (0.0072, 0.0315, 0.0185), frame), rigid, 0.006),
        Shape(ellipsoid(middle + (0.0855, 0.003, -0.010), (0.0062, 0.0215, 0.0110), frame), rigid, 0.006, True),
    ]
