"""Looks: what people and props are made of in a model, each a mesh in one paint."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.mesh import Mesh, ball, cube, floor, ring, round_cones
from juggle_anim.exporter.models.rest_pose import REST
from juggle_anim.exporter.models.skin import skin
from juggle_anim.motion import RING_HOLE
from juggle_anim.scene.club import club_capsules
from juggle_anim.scene.figure import COVERS, figure_capsules
from juggle_anim.scene.limbs import LIMBS
from juggle_anim.scene.rows import Cone
from juggle_anim.scene.stage import STUDIO

RING_THICKNESS = 0.003
"""[m]."""

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Part:
    """A mesh in one paint.

    Args:
        mesh: its triangles.
        colour: sRGB, 0 to 1.
        gloss: from 0 dull to 1 polished.
        name: of the paint; empty where it has none.
    """

    mesh: Mesh
    colour: Colour
    gloss: float
    name: str = ""

    @property
    def light(self) -> Colour:
        """The colour as shares of light (IEC 61966-2-1)."""
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in self.colour)
        return red, green, blue


@dataclass(frozen=True)
class BodyPart:
    """A part of a body at rest, and for each of its corners the segments that carry it and their shares, (V, 2)."""

    part: Part
    segments: Integers
    shares: Floats


@lru_cache(maxsize=1)
def body_parts() -> tuple[BodyPart, ...]:
    """A person at rest, each cover a part."""
    rows = figure_capsules(REST.reshape(1, 1, JOINTS, 3))[0].astype(float)
    segments, shares = skin()
    segments, shares = segments.reshape(-1, 2), shares.reshape(-1, 2)
    covers = np.array([limb.cover for limb in LIMBS])
    parts = []
    for cover, colour in COVERS.items():
        some = np.flatnonzero(covers == cover)
        mesh, end = round_cones(rows[some, Cone.SHAPE])
        end = 2 * some[end // 2] + end % 2
        gloss = float(rows[some[0], Cone.GLOSS])
        parts.append(BodyPart(Part(mesh, colour, gloss, cover), segments[end], shares[end]))
    return tuple(parts)


def prop_parts(kind: str, size: float, colour: Colour) -> tuple[Part, ...]:
    """A prop around the place where it balances, that points to +z as `juggle_anim.motion.aim` has it.

    Args:
        kind: "ball", "square", "ring" or "club".
        size: diameter, or edge, or diameter of a club's body, [m].
        colour: sRGB.
    """
    match kind:
        case "club":
            return _club(size, colour)
        case "ring":
            return (Part(ring(size, RING_HOLE * size, RING_THICKNESS), colour, 0.25),)
        case "square":
            return (Part(cube(size), colour, 0.2),)
    return (Part(ball(size / 2), colour, 0.6),)


def floor_part(pelvises: Singles) -> Part:
    """The floor, which reaches farther than people who move about; pelvises have the shape (..., 3), [m]."""
    farthest = float(np.abs(pelvises[..., [0, 2]]).max())
    return Part(floor(farthest + _FLOOR), STUDIO.floor, 0.0, "floor")


def _club(width: float, colour: Colour) -> tuple[Part, ...]:
    ahead = np.array([[[0.0, 0.0, 1.0]]])
    colours: Singles = np.array([colour], dtype=np.float32)
    rows = club_capsules(0 * ahead, ahead, np.array([width]), colours)[0].astype(float)
    paints, paint = np.unique(rows[:, Cone.PAINT], axis=0, return_inverse=True)
    paint = paint.ravel()
    return tuple(
        Part(round_cones(rows[paint == number, Cone.SHAPE])[0], _colour(each[:3]), float(each[3]))
        for number, each in enumerate(paints)
    )


def _colour(values: Floats) -> Colour:
    return float(values[0]), float(values[1]), float(values[2])


_FLOOR = 2.0  # so much floor is around people, [m]
