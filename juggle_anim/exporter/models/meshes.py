"""Meshes of people and the floor, and of shapes of which props are made, as triangles, with skin
weights.

Pictures draw these shapes without triangles. The ends of limbs are weighted sums of joints, and
those of a trunk or a finger belong to no single segment. Skin weights therefore come from sample
poses with random rotations within each segment's range: a limb that moves rigidly with one segment
is bound to it; otherwise each of its ends is bound to the two segments that bring it nearest to its
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers, Singles
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
from juggle_anim.scene.scene import STUDIO, Cone

CORNERS_AROUND = 20
"""Corners of a circle."""

CAP_RINGS = 4
"""Rings of corners from the pole of a round end to its side."""

_ANGLES = np.linspace(0.0, 2 * np.pi, CORNERS_AROUND, endpoint=False)
_ONTO_X = [1, 2, 0]

Colour = tuple[float, float, float]

_FLOOR = 2.0  # floor around people, [m]


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh.

    Args:
        points: shape (V, 3), [m].
        normals: shape (V, 3), unit vectors.
        triangles: shape (F, 3), numbers of points, counterclockwise as seen from outside.
    """

    points: Floats
    normals: Floats
    triangles: Integers


def ball(radius: float) -> Mesh:
    """A ball around the origin."""
    slopes = np.linspace(-np.pi / 2, np.pi / 2, 3 * CAP_RINGS + 1)
    return surface_of_revolution(
        radius * np.cos(slopes), radius * np.sin(slopes), slopes, _between_poles(len(slopes))
    )


def cube(edge: float) -> Mesh:
    """An upright cube around the origin."""
    normals = np.concatenate([np.eye(3), -np.eye(3)])
    beside = np.roll(normals, 1, axis=1)
    above = np.cross(normals, beside)
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    points = normals[:, None] + corners[:, :1] * beside[:, None] + corners[:, 1:] * above[:, None]
    faces = np.array([(0, 1, 2), (0, 2, 3)]) + 4 * np.arange(6)[:, None, None]
    return Mesh(
        points.reshape(-1, 3) * edge / 2, np.repeat(normals, 4, axis=0), faces.reshape(-1, 3)
    )


def ring(diameter: float, hole: float, thickness: float, parted: Sequence[float] = ()) -> Mesh:
    """A flat ring around the origin, in the plane x = 0.

    Args:
        diameter: outer, [m].
        hole: inner, [m].
        thickness: [m].
        parted: where more circles of corners part its faces, from its inner edge to its outer one,
            0 to 1.
    """
    half = thickness / 2
    across = np.repeat((hole + (diameter - hole) * np.array([0.0, *parted, 1.0])) / 2, 2)[1:-1]
    # Each face has its own corners, since edges are sharp.
    radii = np.concatenate([across, across[[-1, -1]], across[::-1], across[[0, 0]]])
    levels = np.full(len(across), half)
    heights = np.concatenate([-levels, [-half, half], levels, [half, -half]])
    sides = np.full(len(across), np.pi / 2)
    slopes = np.concatenate([-sides, [0.0, 0.0], sides, [np.pi, np.pi]])
    triangles = np.concatenate(bands(np.arange(0, len(radii), 2)))
    upright = surface_of_revolution(radii, heights, slopes, triangles)
    return Mesh(upright.points[:, _ONTO_X], upright.normals[:, _ONTO_X], upright.triangles)


def floor(half_edge: float) -> Mesh:
    """A square of the floor around the origin."""
    corners = np.array([(-1.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.0, -1.0), (-1.0, 0.0, -1.0)])
    return Mesh(
        half_edge * corners, np.tile((0.0, 1.0, 0.0), (4, 1)), np.array([(0, 1, 2), (0, 2, 3)])
    )


def round_cones(cones: Floats) -> tuple[Mesh, Integers]:
    """Round cones: each is the convex hull of two balls.

    Args:
        cones: shape (N, 8), their `Cone.SHAPE` [m]; the radii differ by less than the length.

    Returns:
        One mesh of all cones, and the limb end of each corner: 2 · cone, + 1 at the cone's end.
    """
    starts = cones[:, Cone.START]
    ends = cones[:, Cone.END]
    lengths = np.linalg.norm(ends - starts, axis=1)
    # The side is tangent to both balls where the normals rise by this angle.
    side = np.arcsin(
        np.clip((cones[:, Cone.START_RADIUS] - cones[:, Cone.END_RADIUS]) / lengths, -1.0, 1.0)
    )[:, None]
    share = np.linspace(0.0, 1.0, CAP_RINGS + 1)
    slopes = np.concatenate(
        [-np.pi / 2 + share * (side + np.pi / 2), side + share * (np.pi / 2 - side)], axis=1
    )
    ring_normals = (
        _ring_normals(slopes)
        @ np.swapaxes(_upright((ends - starts) / lengths[:, None]), -1, -2)[:, None]
    )
    radii = np.repeat(cones[:, Cone.RADII], CAP_RINGS + 1, axis=1)
    centres = np.repeat(np.stack([starts, ends], axis=1), CAP_RINGS + 1, axis=1)
    points = centres[:, :, None] + radii[:, :, None, None] * ring_normals
    number = np.arange(len(cones))
    rings = slopes.shape[1]
    triangles = _between_poles(rings) + (number * rings * CORNERS_AROUND)[:, None, None]
    owner = np.repeat(2 * number[:, None] + np.arange(2), (CAP_RINGS + 1) * CORNERS_AROUND, axis=1)
    return Mesh(
        points.reshape(-1, 3), ring_normals.reshape(-1, 3), triangles.reshape(-1, 3)
    ), owner.ravel()


def surface_of_revolution(
    radii: Floats, heights: Floats, slopes: Floats, triangles: Integers
) -> Mesh:
    """A profile revolved about +y: radii, heights and slopes of normals [rad], each (R,); triangles
    join the rings.
    """
    normals = _ring_normals(slopes)
    angles = _ANGLES[None, :]
    points = np.stack(
        [
            radii[:, None] * np.cos(angles),
            heights[:, None] + 0 * angles,
            -radii[:, None] * np.sin(angles),
        ],
        axis=-1,
    )
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def _ring_normals(slopes: Floats) -> Floats:
    """Normals around +y that rise by some slopes, shape (..., `AROUND`, 3)."""
    level = np.cos(slopes)[..., None]
    rise = np.sin(slopes)[..., None]
    return np.stack(
        [level * np.cos(_ANGLES), rise + 0 * _ANGLES, -level * np.sin(_ANGLES)], axis=-1
    )


def _between_poles(rings: int) -> Integers:
    """Triangles between successive rings from pole to pole, shape (F, 3)."""
    lower, upper = bands(np.arange(rings - 1))
    # At a pole all corners of the ring coincide.
    return np.concatenate([lower[CORNERS_AROUND:], upper[:-CORNERS_AROUND]])


def bands(rings: Integers) -> tuple[Integers, Integers]:
    """Lower and upper triangles between some rings and those next to them, each of shape (rings ·
    `AROUND`, 3).
    """
    low = (rings[:, None] * CORNERS_AROUND + np.arange(CORNERS_AROUND)).ravel()
    low_next = (
        rings[:, None] * CORNERS_AROUND + (np.arange(CORNERS_AROUND) + 1) % CORNERS_AROUND
    ).ravel()
    lower = np.stack([low, low_next, low_next + CORNERS_AROUND], axis=-1)
    return lower, np.stack([low, low_next + CORNERS_AROUND, low + CORNERS_AROUND], axis=-1)


def _upright(axes: Floats) -> Floats:
    """Rotations of +y onto unit vectors, shape (N, 3, 3)."""
    least = np.eye(3)[np.abs(axes).argmin(axis=1)]
    x = np.cross(axes, least)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, axes, np.cross(x, axes)], axis=-1)


@dataclass(frozen=True)
class Part:
    """A mesh of one material.

    Args:
        mesh: the triangles.
        colour: sRGB, 0 to 1.
        gloss: from 0 (dull) to 1 (polished).
        name: of the material; may be empty.
    """

    mesh: Mesh
    colour: Colour
    gloss: float
    name: str = ""

    @property
    def light(self) -> Colour:
        """The colour in linear light (IEC 61966-2-1)."""
        red, green, blue = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in self.colour
        )
        return red, green, blue


def floor_part(pelvises: Singles) -> Part:
    """The floor, large enough for people who move; pelvises have shape (..., 3), [m]."""
    farthest = float(np.abs(pelvises[..., [0, 2]]).max())
    return Part(floor(farthest + _FLOOR), STUDIO.floor, 0.0, "floor")


def colour_of(values: Floats) -> Colour:
    """A colour from an array."""
    return float(values[0]), float(values[1]), float(values[2])


RING_THICKNESS = 0.003
"""[m]."""

_ONTO_Z = [2, 0, 1]
# About the length of a club's bands from one circle of corners to the next [m], and balls in a
# round cone.
_BAND = 0.012
_BALLS = 65


def prop_parts(kind: str, size: float, colour: Colour) -> tuple[Part, ...]:
    """A prop around its centre of mass, pointing to +z as in `juggle_anim.motion.aim`.

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
