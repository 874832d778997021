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
from juggle_anim.exporter.models.meshes import BodyPart, Mesh, Part, body_parts, sample_bodies
from juggle_anim.exporter.models.skeleton import ENDS, NAMES, REST, SEGMENTS, world_rotations
from juggle_anim.scene.figure import PERSON
from juggle_anim.scene.people import people_girths, people_hair, people_numbers
from juggle_anim.scene.skin import BONES, COVERS, SkinLevel, load_skin
from juggle_anim.vectors import unit

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
