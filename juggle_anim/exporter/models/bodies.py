"""The smooth body in models: its surface as parts, and the joints of the model's skeleton that
carry it.

A bone of `scene.skin` that moves with a segment of the skeleton as one piece is that segment. The
others, such as those of a bent elbow, are joints of their own, which hang on the segment that
begins where they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.meshes import Mesh, Part, colour_of, round_cones
from juggle_anim.exporter.models.skeleton import (
    ENDS,
    NAMES,
    OFFSETS,
    PARENTS,
    REST,
    SEGMENTS,
    world_rotations,
)
from juggle_anim.scene.figure import PERSON, figure_capsules
from juggle_anim.scene.limbs import LIMBS
from juggle_anim.scene.people import people_girths, people_hair, people_numbers
from juggle_anim.scene.scene import Cone
from juggle_anim.scene.skin import BONES, COVERS, SkinLevel, load_skin
from juggle_anim.vectors import unit

_POSES = 64


_TURN = 0.4


_LEAST_SHARE = 0.1


_RIGID_TOLERANCE = 0.006  # a limb that stays this near to a segment moves rigidly with it, [m]


_YAW = (0.0, 1.0, 0.0)


_HINGE = (0.0, 0.0, 1.0)


_NONE = (0.0, 0.0, 0.0)


FINEST_UP_TO = 2
FINER_UP_TO = 20
"""Models of at most so many jugglers have the finest, or the middle, level of detail."""

_STEADY = 1e-4
_UP = (0.0, 1.0, 0.0)
_BEGINS = np.array([segment.joint for segment in SEGMENTS])
_ENDS = np.array(list(ENDS))
_ENDING = np.array([NAMES.index(name) for name in ENDS.values()])


@dataclass(frozen=True)
class Carriers:
    """The joints of a model that carry a surface: segments first, then the ends of the skeleton,
    then helpers.

    Args:
        binds: shape (joints, 4, 4), where joints are when the surface is as it was made, inverted.
        helpers: shape (H,), the bones in `scene.skin` that are joints of their own.
        parents: shape (H,), the segments that these hang on.
        joint_of_bone: shape (bones,).
    """

    binds: Floats
    helpers: Integers
    parents: Integers
    joint_of_bone: Integers

    @property
    def names(self) -> list[str]:
        """Names of the helpers, as "left_elbow_upper_skin"."""
        return [
            f"{BONES[bone].name.replace(',', '').replace(' ', '_')}_skin" for bone in self.helpers
        ]

    def motion(self, joints: Floats, gaze: Floats) -> tuple[Floats, Floats]:
        """Return how helpers turn and where they begin, as seen from the segments that they hang
        on.

        Args:
            joints: shape (..., `JOINTS`, 3), [m].
            gaze: shape (..., 3), where the eyes look.

        Returns:
            Rotations, shape (..., H, 3, 3), and places, shape (..., H, 3), [m].
        """
        back = np.swapaxes(world_rotations(joints)[..., self.parents, :, :], -1, -2)
        turns, starts = _frames(joints, gaze, self.helpers)
        away = starts - joints[..., _BEGINS[self.parents], :]
        return back @ turns, (back @ away[..., None])[..., 0]


PLAIN = Carriers(
    np.tile(np.eye(4), (len(SEGMENTS) + len(ENDS), 1, 1)),
    np.zeros(0, dtype=np.intp),
    np.zeros(0, dtype=np.intp),
    np.zeros(0, dtype=np.intp),
)
PLAIN.binds[:, :3, 3] = -REST[[*_BEGINS, *_ENDS]]


@lru_cache(maxsize=1)
def smooth_carriers() -> Carriers:
    """Return the joints that carry the smooth body."""
    bodies = sample_bodies()
    rest = load_skin().skeleton.joints
    every = np.arange(len(BONES))
    gaze = np.random.default_rng(0).normal(size=(len(bodies), 3))
    turns, starts = _frames(bodies, gaze, every)
    back = np.swapaxes(world_rotations(bodies), -1, -2)[:, :, None]
    away = starts[:, None] - bodies[:, _BEGINS, None]
    seen = np.concatenate([back @ turns[:, None], back @ away[..., None]], axis=-1)
    steady = np.ptp(seen, axis=0).max(axis=(-2, -1)) < _STEADY
    helpers = np.flatnonzero(~steady.any(axis=0))
    joint_of_bone = steady.argmax(axis=0)
    joint_of_bone[helpers] = len(SEGMENTS) + len(ENDS) + np.arange(len(helpers))
    parents = np.array([_BEGINS.tolist().index(BONES[bone].joint) for bone in helpers])
    places = np.tile(np.eye(4), (len(SEGMENTS) + len(ENDS) + len(helpers), 1, 1))
    rotations = world_rotations(rest)
    places[: len(SEGMENTS) + len(ENDS), :3, :3] = rotations[[*range(len(SEGMENTS)), *_ENDING]]
    places[:, :3, 3] = np.concatenate([rest[[*_BEGINS, *_ENDS]], _frames(rest, None, helpers)[1]])
    return Carriers(np.linalg.inv(places).astype(float), helpers, parents, joint_of_bone)


def _frames(joints: Floats, gaze: Floats | None, bones: Integers) -> tuple[Floats, Floats]:
    """How some bones turn the surface, shape (..., N, 3, 3), and where they begin, shape (..., N,
    3), [m].
    """
    skeleton = load_skin().skeleton
    moved = skeleton.transforms(joints, gaze)[..., bones, :, :].astype(float)
    starts = (moved[..., :3] @ skeleton.starts[bones][..., None])[..., 0] + moved[..., 3]
    return moved[..., :3], starts


def carriers_of(animation: Animation) -> Carriers:
    """Return the joints that carry the bodies of an animation."""
    return smooth_carriers() if animation.parameters.figure == PERSON else PLAIN


def parts_of(animation: Animation, juggler: int) -> tuple[BodyPart, ...]:
    """Return the body of a juggler; jugglers who are the same person share their meshes."""
    crowd = animation.parameters.people, animation.jugglers
    paint = animation.look.paint(animation.jugglers)[juggler].astype(float)
    if animation.parameters.figure != PERSON:
        colours = {cover: _colour(row) for cover, row in zip(COVERS, paint, strict=True)}
        return tuple(
            replace(each, part=replace(each.part, colour=colours[each.part.name]))
            for each in body_parts()
        )
    number = sum(animation.jugglers > most for most in (FINEST_UP_TO, FINER_UP_TO))
    cut = int(people_hair(*crowd)[juggler])
    person = int(people_numbers(*crowd)[juggler])
    return tuple(
        BodyPart(
            Part(mesh, _colour(paint[cover]), float(paint[cover, 3]), COVERS[cover]), joints, shares
        )
        for some in (0, 1 + cut)
        for cover, mesh, joints, shares in _meshes(number, some, person)
    )


@lru_cache(maxsize=64)
def _meshes(number: int, some: int, person: int) -> tuple[tuple[int, Mesh, Integers, Floats], ...]:
    """Of a person's body, or of the cut of hair some − 1, in a level: covers, meshes, and what
    carries these.
    """
    skin = load_skin()
    build = people_girths(f"{person + 1}", 1)[0]
    level = skin.levels[number]
    points = level.carried(skin.skeleton.transforms(skin.skeleton.joints, girths=build))
    shown = np.split(level.triangles, level.hair[:-1])[some]
    covers = level.covers[shown[:, 0]]
    return tuple(
        (int(cover), *_mesh(level, points, shown[covers == cover])) for cover in np.unique(covers)
    )


def _mesh(level: SkinLevel, points: Floats, triangles: Integers) -> tuple[Mesh, Integers, Floats]:
    used, numbers = np.unique(triangles, return_inverse=True)
    normals = unit(level.normals[used].astype(float))
    normals[(normals == 0.0).all(axis=1)] = _UP  # triangles without area have none
    joints = smooth_carriers().joint_of_bone[level.bones[used]]
    shares = level.shares[used] / 255
    for other in range(1, joints.shape[1]):
        # Several bones may be one joint.
        for first in range(other):
            same = joints[:, first] == joints[:, other]
            shares[same, first] += shares[same, other]
            shares[same, other] = 0.0
    joints[shares == 0.0] = 0
    return Mesh(points[used], normals, numbers.reshape(-1, 3)), joints, shares


def _colour(row: Floats) -> tuple[float, float, float]:
    red, green, blue = row[:3].tolist()
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
