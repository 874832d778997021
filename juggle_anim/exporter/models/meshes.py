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
from functools import lru_cache

import numpy as np

from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.skeleton import ENDS, NAMES, OFFSETS, PARENTS, REST, SEGMENTS
from juggle_anim.scene.figure import LIMBS, figure_capsules
from juggle_anim.scene.scene import STUDIO, Cone

CORNERS_AROUND = 20
"""Corners of a circle."""

CAP_RINGS = 4
"""Rings of corners from the pole of a round end to its side."""

_ANGLES = np.linspace(0.0, 2 * np.pi, CORNERS_AROUND, endpoint=False)
_ONTO_X = [1, 2, 0]
_POSES = 64
_TURN = 0.4
_LEAST_SHARE = 0.1
_RIGID_TOLERANCE = 0.006  # a limb that stays this near to a segment moves rigidly with it, [m]
_YAW = (0.0, 1.0, 0.0)
_HINGE = (0.0, 0.0, 1.0)
_NONE = (0.0, 0.0, 0.0)

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


@lru_cache(maxsize=1)
def skin_weights() -> tuple[Integers, Floats]:
    """The two segments that carry each limb's start and end, and their weights; each of shape
    (limbs, 2, 2).
    """
    rotations = _random_rotations()
    begins, joints = _joint_positions(rotations)
    at_rest = _ends(REST)
    wanted = _ends(joints)
    seen = at_rest[:, :, None] - np.array([REST[each.joint] for each in SEGMENTS])
    carried = np.einsum("ksab,lesb->klesa", rotations, seen) + begins[:, None, None]
    missed = np.linalg.norm(carried - wanted[:, :, :, None], axis=-1).max(axis=0)
    whole = missed.max(axis=1)
    best = np.where(
        whole.min(axis=1, keepdims=True) < _RIGID_TOLERANCE,
        whole.argmin(axis=1)[:, None],
        missed.argmin(axis=2),
    )
    second, share = _second_segments(carried, wanted, best)
    # A limb that moves with one segment stays rigid.
    share[whole.min(axis=1) < _RIGID_TOLERANCE] = 0.0
    return np.stack([best, np.where(share > 0, second, 0)], axis=-1), np.stack(
        [1 - share, share], axis=-1
    )


def sample_bodies() -> Floats:
    """Return bodies in random poses, shape (poses, `JOINTS`, 3), [m]."""
    return _joint_positions(_random_rotations())[1]


def _second_segments(carried: Floats, wanted: Floats, best: Integers) -> tuple[Integers, Floats]:
    """The best second segments and their weights by least squares, each of shape (limbs, 2)."""
    first = np.take_along_axis(carried, best[None, :, :, None, None], axis=3)
    along = carried - first
    missing = wanted[:, :, :, None] - first
    square = np.einsum("klesa,klesa->les", along, along)
    share = np.clip(
        np.einsum("klesa,klesa->les", along, missing) / np.maximum(square, 1e-12), 0.0, 1.0
    )
    left = ((share[..., None] * along - missing) ** 2).sum(axis=(0, 4))
    second = left.argmin(axis=2)
    chosen: Floats = np.take_along_axis(share, second[..., None], axis=2)[..., 0]
    return second, np.where(chosen > _LEAST_SHARE, chosen, 0.0)


def _ends(joints: Floats) -> Floats:
    """Starts and ends of limbs, shape (..., limbs, 2, 3)."""
    rows = figure_capsules(joints.reshape(-1, 1, JOINTS, 3)).reshape(
        *joints.shape[:-2], -1, Cone.WIDTH
    )
    return np.stack([rows[..., Cone.START], rows[..., Cone.END]], axis=-2).astype(float)


def _random_rotations() -> Floats:
    """Random rotations of the segments in the world, shape (poses, S, 3, 3)."""
    turns = np.random.default_rng(0).uniform(-_TURN, _TURN, (_POSES, len(SEGMENTS), 3)) * [
        _free_axes(n) for n in NAMES
    ]
    local = _rotations(turns)
    world = np.empty_like(local)
    for number, parent in enumerate(PARENTS):
        above = world[:, parent] if parent >= 0 else np.eye(3)
        world[:, number] = above @ local[:, number]
        if NAMES[number].endswith("ankle"):
            world[:, number] = _rotations(turns[:, number] * (0.0, 1.0, 0.0))  # soles stay level
    return world


def _free_axes(name: str) -> tuple[float, float, float]:
    """The axes of the rest pose about which a segment can turn."""
    part = name.split("_")[-1]
    return {"pelvis": _YAW, "head": _NONE, "palm": _HINGE, "fingers": _HINGE}.get(
        part, (1.0, 1.0, 1.0)
    )


def _joint_positions(rotations: Floats) -> tuple[Floats, Floats]:
    """Starts of segments, shape (poses, S, 3), and all joints, shape (poses, `JOINTS`, 3), [m]."""
    begins = np.empty(rotations.shape[:-1])
    joints = np.empty((len(rotations), JOINTS, 3))
    begins[:, 0] = OFFSETS[0]
    for number, segment in enumerate(SEGMENTS):
        if number:
            parent = PARENTS[number]
            begins[:, number] = begins[:, parent] + rotations[:, parent] @ OFFSETS[number]
        joints[:, segment.joint] = begins[:, number]
    for joint, name in ENDS.items():
        number = NAMES.index(name)
        joints[:, joint] = begins[:, number] + rotations[:, number] @ (
            REST[joint] - REST[SEGMENTS[number].joint]
        )
    return begins, joints


def _rotations(vectors: Floats) -> Floats:
    """Rotations from rotation vectors by Rodrigues' formula, shape (..., 3, 3)."""
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)[..., None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = 0 * x
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    return (
        np.eye(3)
        + np.sinc(angle / np.pi) * cross
        + np.sinc(angle / (2 * np.pi)) ** 2 / 2 * (cross @ cross)
    )


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


@dataclass(frozen=True)
class BodyPart:
    """A part of a body at rest, with the joints and weights of each corner, both of shape (V, 2) or
    (V, 4).
    """

    part: Part
    joints: Integers
    shares: Floats


@lru_cache(maxsize=1)
def body_parts() -> tuple[BodyPart, ...]:
    """A person at rest, one part for each cover such as skin or trousers."""
    rows = figure_capsules(REST.reshape(1, 1, JOINTS, 3))[0].astype(float)
    segments, shares = skin_weights()
    segments = segments.reshape(-1, 2)
    shares = shares.reshape(-1, 2)
    covers = [limb.cover for limb in LIMBS]
    parts = []
    for cover in dict.fromkeys(covers):
        some = np.flatnonzero(np.array(covers) == cover)
        mesh, end = round_cones(rows[some, Cone.SHAPE])
        end = 2 * some[end // 2] + end % 2
        colour = colour_of(rows[some[0], Cone.COLOUR])
        gloss = float(rows[some[0], Cone.GLOSS])
        parts.append(BodyPart(Part(mesh, colour, gloss, cover), segments[end], shares[end]))
    return tuple(parts)


def floor_part(pelvises: Singles) -> Part:
    """The floor, large enough for people who move; pelvises have shape (..., 3), [m]."""
    farthest = float(np.abs(pelvises[..., [0, 2]]).max())
    return Part(floor(farthest + _FLOOR), STUDIO.floor, 0.0, "floor")


def colour_of(values: Floats) -> Colour:
    """A colour from an array."""
    return float(values[0]), float(values[1]), float(values[2])
