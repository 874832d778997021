"""Meshes of props: balls with panels in two tones, clubs, rings and cubes, each in parts of one
material.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Singles
from juggle_anim.exporter.models.meshes import (
    CORNERS_AROUND,
    Colour,
    Mesh,
    Part,
    ball,
    bands,
    colour_of,
    cube,
    ring,
    round_cones,
    surface_of_revolution,
)
from juggle_anim.motion import CLUB_CENTRE, CLUB_LENGTH, RING_HOLE
from juggle_anim.scene.props import (
    BALL_TONE,
    KNOB_END,
    PARTS,
    RING_STRIPE,
    RING_TONE,
    STRIPES,
    TAPE_END,
    TOP_START,
    club_capsules,
    toned,
)
from juggle_anim.scene.scene import Cone

RING_THICKNESS = 0.003
"""[m]."""

_ONTO_Z = [2, 0, 1]
# About the length of a club's bands from one circle of corners to the next [m], and balls in a
# round cone.
_BAND = 0.012
_BALLS = 65


def prop_parts(kind: str, size: float, colour: Colour) -> tuple[Part, ...]:
    """A prop around its centre of mass, pointing to +z as in `juggle_anim.motion.spin`.

    Args:
        kind: "ball", "square", "ring" or "club".
        size: diameter, edge, or diameter of a club's body, [m].
        colour: sRGB.
    """
    other = toned(colour, BALL_TONE)
    match kind:
        case "club":
            return _club(size, colour)
        case "ring":
            meshes = striped_ring(size, RING_HOLE * size, RING_THICKNESS)
            return tuple(
                Part(mesh, paint, 0.25)
                for mesh, paint in zip(meshes, (colour, toned(colour, RING_TONE)), strict=True)
            )
        case "square":
            return (Part(cube(size), colour, 0.2),)
    halves = zip(panels(ball(size / 2)), (colour, other), strict=True)
    return tuple(Part(mesh, paint, 0.6) for mesh, paint in halves)


def stand_parts(rows: Singles) -> tuple[Part, ...]:
    """What props lie on, where it stands, from rows of `Cone`: one part for each colour."""
    colours, which = np.unique(rows[:, Cone.COLOUR], axis=0, return_inverse=True)
    looks = [rows[which.ravel() == number].astype(float) for number in range(len(colours))]
    return tuple(
        Part(
            round_cones(some[:, Cone.SHAPE])[0],
            colour_of(some[0, Cone.COLOUR]),
            float(some[0, Cone.GLOSS]),
            "stand",
        )
        for some in looks
    )


def panels(mesh: Mesh) -> tuple[Mesh, Mesh]:
    """The panels of a ball in its colour, where the product of x, y and z is negative, and those in
    the other tone.
    """
    middles = mesh.points[mesh.triangles].mean(axis=1)
    first = middles.prod(axis=1) < 0
    return _part_of(mesh, first), _part_of(mesh, ~first)


def _part_of(mesh: Mesh, some: Booleans) -> Mesh:
    used, triangles = np.unique(mesh.triangles[some], return_inverse=True)
    return Mesh(mesh.points[used], mesh.normals[used], triangles.reshape(-1, 3))


def striped_ring(diameter: float, hole: float, thickness: float) -> tuple[Mesh, Mesh]:
    """A flat ring around the origin, in the plane x = 0, without its stripe, and the stripe; as for
    `meshes.ring`.
    """
    whole = ring(diameter, hole, thickness, RING_STRIPE)
    across = np.hypot(*np.moveaxis(whole.points[whole.triangles].mean(axis=1)[:, 1:], -1, 0))
    share = (across - hole / 2) / (diameter - hole) * 2
    flat = np.ptp(whole.points[whole.triangles][..., 0], axis=1) == 0
    stripe = flat & (share > RING_STRIPE[0]) & (share < RING_STRIPE[1])
    return _part_of(whole, ~stripe), _part_of(whole, stripe)


def _club(width: float, colour: Colour) -> tuple[Part, ...]:
    """The surface of a club's round cones as one, in bands of rubber, tape and colour, around its
    centre of mass.
    """
    ahead = np.array([[[0.0, 0.0, 1.0]]])
    colours: Singles = np.array([colour], dtype=np.float32)
    rows = club_capsules(CLUB_CENTRE * ahead, ahead, np.array([width]), colours)[0].astype(float)
    rubber, body, tape = (_look(rows[part]) for part in (0, PARTS // 2, 2))
    edges = [
        0.0,
        KNOB_END,
        TAPE_END,
        *(place for stripe in STRIPES for place in stripe),
        TOP_START,
        CLUB_LENGTH,
    ]
    looks = rubber, tape, body, tape, body, tape, body, rubber
    meshes: dict[tuple[Colour, float], list[Mesh]] = {}
    for (low, high), look in zip(pairwise(edges), looks, strict=True):
        meshes.setdefault(look, []).append(_turned_band(rows, low, high))
    return tuple(Part(_joined(some), *look) for look, some in meshes.items())


def _look(row: Floats) -> tuple[Colour, float]:
    return colour_of(row[Cone.COLOUR]), float(row[Cone.GLOSS])


def _turned_band(rows: Floats, low: float, high: float) -> Mesh:
    """The outer surface of round cones along +z between two heights, [m], about their centre of
    mass.
    """
    share = np.linspace(0.0, np.pi, max(3, round((high - low) / _BAND)))
    heights = low + (high - low) * (1 - np.cos(share)) / 2
    # Each round cone is a row of balls.
    along = np.linspace(0.0, 1.0, _BALLS)
    ends = rows[:, [2, 6]], rows[:, Cone.RADII]
    middles, radii = (end[:, :1] + along * (end[:, 1:] - end[:, :1]) for end in ends)
    step = 1e-4

    def outer(at: Floats) -> Floats:
        apart = at[:, None, None] - middles
        widest: Floats = np.sqrt(np.maximum(radii**2 - apart**2, 0.0)).max(axis=(1, 2))
        return widest

    wide = outer(heights)
    slopes = -np.arctan2(outer(heights + step) - outer(heights - step), 2 * step)
    poles = wide < 1e-6
    slopes[poles] = np.where(heights[poles] < CLUB_CENTRE, -np.pi / 2, np.pi / 2)
    lower, upper = bands(np.arange(len(heights) - 1))
    triangles = np.concatenate(
        [
            lower[CORNERS_AROUND * int(poles[0]) :],
            upper[: len(upper) - CORNERS_AROUND * int(poles[-1])],
        ]
    )
    upright = surface_of_revolution(wide, heights - CLUB_CENTRE, slopes, triangles)
    return Mesh(upright.points[:, _ONTO_Z], upright.normals[:, _ONTO_Z], upright.triangles)


def _joined(meshes: Sequence[Mesh]) -> Mesh:
    firsts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])[:-1]
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + first for mesh, first in zip(meshes, firsts, strict=True)]
        ),
    )
