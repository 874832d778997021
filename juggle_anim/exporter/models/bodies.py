"""Bodies in models: people as skinned meshes, and the joints of the model's skeleton that carry
them.

Solid figures are limbs, round cones whose ends are weighted sums of joints; those of a trunk or a
finger belong to no single segment. Skin weights therefore come from sample poses with random
rotations within each segment's range: a limb that moves rigidly with one segment is bound to it;
otherwise each of its ends is bound to the two segments that bring it nearest to its place.

The smooth body has bones of its own, those of `scene.skin`. A bone that moves with a segment of the
skeleton as one piece is that segment. The others, such as those of a bent elbow, are helper joints,
which hang on the segment that begins where they do.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import JOINTS
from juggle_anim.exporter.models.meshes import Mesh, Part, colour_of, round_cones
from juggle_anim.exporter.models.skeleton import (
    END_OFFSETS,
    END_SEGMENTS,
    ENDS,
    NAMES,
    OFFSETS,
    PARENTS,
    REST,
    SEGMENTS,
    world_rotations,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.scene.figure import LIMBS, PERSON, figure_capsules
from juggle_anim.scene.people import people_girths, people_indices, people_worn
from juggle_anim.scene.scene import Cone
from juggle_anim.scene.skin import BONES, COVERS, SkinLevel, load_skin, parts_worn
from juggle_anim.vectors import unit

FINEST_UP_TO = 2
FINER_UP_TO = 20
"""Models of at most so many jugglers have the finest, or the middle, level of detail."""

_SAMPLE_POSES = 64
_MAX_SAMPLE_TURN = 0.4  # rad, about each axis of a segment in a sample pose
_RIGID_TOLERANCE = 0.006  # m; a limb that stays this near to a segment moves rigidly with it
_STEADY_TOLERANCE = 1e-4  # m, and of rotations; a bone that moves less is one piece with a segment
_MIN_WEIGHT = 0.1  # of a second segment; less is not worth a joint

# Axes of the rest pose about which a segment turns in sample poses.
_ALL_AXES = (1.0, 1.0, 1.0)
_FREE_AXES = {
    "pelvis": (0.0, 1.0, 0.0),
    "head": (0.0, 0.0, 0.0),
    **dict.fromkeys(("palm", "fingers", "index", "ring", "little", "middle"), (0.0, 0.0, 1.0)),
}
_YAW_ONLY = (0.0, 1.0, 0.0)

_UP = (0.0, 1.0, 0.0)
_START_JOINTS = np.array([segment.joint for segment in SEGMENTS])
_END_JOINTS = np.array(list(ENDS))
_SKELETON_JOINTS = len(SEGMENTS) + len(ENDS)


@dataclass(frozen=True)
class Carriers:
    """The joints of a model that carry a surface: segments, then ends of the skeleton, then
    helpers.

    Args:
        inverse_binds: shape (N, 4, 4) for N joints, inverse bind matrices: each takes world points
            of the pose in which the surface was made to the frame of its joint.
        helpers: shape (H,), ascending indices into `scene.skin.BONES` of the bones that are
            joints of their own.
        parents: shape (H,), for each helper the index in `SEGMENTS` of the segment it hangs on.
        joint_of_bone: shape (bones,), for each bone of `scene.skin` the index from 0 to N − 1 of
            the joint that moves with it; empty where the surface is a solid figure.
    """

    inverse_binds: Floats
    helpers: Integers
    parents: Integers
    joint_of_bone: Integers

    @property
    def names(self) -> list[str]:
        """Names of the helpers, in their order, such as "left_elbow_upper_skin"."""
        return [
            f"{BONES[bone].name.replace(',', '').replace(' ', '_')}_skin" for bone in self.helpers
        ]

    def motion(self, joints: Floats, gaze: Floats, lids: Floats | float) -> tuple[Floats, Floats]:
        """Return rotations and positions of helpers, relative to the segments that they hang on.

        Args:
            joints: in the world, shape (..., `JOINTS`, 3), [m].
            gaze: direction in which the eyes look, in the world, shape (..., 3).
            lids: how far lids are closed, from 0 to 1, shape (...).

        Returns:
            Rotations, shape (..., H, 3, 3), and positions, shape (..., H, 3), [m].
        """
        # The inverse of a rotation is its transpose.
        to_parent = np.swapaxes(world_rotations(joints)[..., self.parents, :, :], -1, -2)
        rotations, starts = _bone_frames(joints, gaze, self.helpers, lids)
        offsets = starts - joints[..., _START_JOINTS[self.parents], :]
        return to_parent @ rotations, (to_parent @ offsets[..., None])[..., 0]


def _skeleton_carriers() -> Carriers:
    """Return the joints of the skeleton alone, which carry solid figures made in the rest pose."""
    inverse_binds = np.tile(np.eye(4), (_SKELETON_JOINTS, 1, 1))
    inverse_binds[:, :3, 3] = -REST[[*_START_JOINTS, *_END_JOINTS]]
    none = np.zeros(0, dtype=np.intp)
    return Carriers(inverse_binds, helpers=none, parents=none, joint_of_bone=none)


SKELETON_CARRIERS = _skeleton_carriers()
"""The joints that carry solid figures."""


@lru_cache(maxsize=1)
def smooth_carriers() -> Carriers:
    """Return the joints that carry the smooth body.

    A bone of the skin whose transform relative to some segment is the same in all sample poses
    needs no joint of its own: that segment carries its share of the surface.
    """
    bodies = sample_bodies()
    # Random gazes, so that no eye seems to be one piece with the head.
    gaze = np.random.default_rng(0).normal(size=(len(bodies), 3))
    rotations, starts = _bone_frames(bodies, gaze, np.arange(len(BONES)))
    to_segment = np.swapaxes(world_rotations(bodies), -1, -2)[:, :, None]
    offsets = starts[:, None] - bodies[:, _START_JOINTS, None]
    # Each bone in the frame of each segment, shape (poses, segments, bones, 3, 4).
    relative = np.concatenate(
        [to_segment @ rotations[:, None], to_segment @ offsets[..., None]], axis=-1
    )
    steady = np.ptp(relative, axis=0).max(axis=(-2, -1)) < _STEADY_TOLERANCE  # (segments, bones)

    # Bones that are steady in no segment become helpers, numbered behind the skeleton's joints.
    # `argmax` gives the first segment in which a bone is steady; its 0 for helpers is overwritten.
    helpers = np.flatnonzero(~steady.any(axis=0))
    joint_of_bone = steady.argmax(axis=0)
    joint_of_bone[helpers] = _SKELETON_JOINTS + np.arange(len(helpers))
    # A helper hangs on the first segment that begins at the helper's own joint.
    parents = np.array([_START_JOINTS.tolist().index(BONES[bone].joint) for bone in helpers])

    # Where each joint is in the pose in which the surface was made. Ends turn with the segments
    # that carry them; helpers keep the identity rotation, as the skin's bones are unturned there.
    rest = load_skin().skeleton.joints
    transforms = np.tile(np.eye(4), (_SKELETON_JOINTS + len(helpers), 1, 1))
    segment_rotations = world_rotations(rest)
    transforms[:_SKELETON_JOINTS, :3, :3] = segment_rotations[
        [*range(len(SEGMENTS)), *END_SEGMENTS]
    ]
    _rotations, helper_starts = _bone_frames(rest, None, helpers)
    transforms[:, :3, 3] = np.concatenate([rest[[*_START_JOINTS, *_END_JOINTS]], helper_starts])
    return Carriers(
        np.linalg.inv(transforms).astype(float),
        helpers=helpers,
        parents=parents,
        joint_of_bone=joint_of_bone,
    )


def _bone_frames(
    joints: Floats, gaze: Floats | None, bones: Integers, lids: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Return rotations of bones of `scene.skin`, and where they begin.

    Args:
        joints: in the world, shape (..., `JOINTS`, 3), [m].
        gaze: direction in which the eyes look, in the world, shape (..., 3); None for straight out
            of the head.
        bones: indices into `scene.skin.BONES`, shape (N,).
        lids: how far lids are closed, from 0 to 1, shape (...).

    Returns:
        Rotations from the skin at rest to the pose, in the world, shape (..., N, 3, 3).
        Start points in the world, shape (..., N, 3), [m].
    """
    skeleton = load_skin().skeleton
    transforms = skeleton.transforms(joints, gaze, lids=lids)[..., bones, :, :].astype(float)
    rotations = transforms[..., :3]
    starts = (rotations @ skeleton.starts[bones][..., None])[..., 0] + transforms[..., 3]
    return rotations, starts


def carriers_of(animation: Animation) -> Carriers:
    """Return the joints that carry the bodies of an animation."""
    return smooth_carriers() if animation.parameters.figure == PERSON else SKELETON_CARRIERS


@dataclass(frozen=True)
class BodyPart:
    """A part of a body at rest, with the joints that carry each corner.

    Args:
        part: the surface, with V corners.
        joints: indices into the joints of `Carriers`, shape (V, 2) in a solid figure and (V, 4) in
            a smooth one; 0 where the weight is 0.
        shares: weights of these joints, same shape; each row adds up to 1.
    """

    part: Part
    joints: Integers
    shares: Floats


def parts_of(animation: Animation, juggler: int) -> tuple[BodyPart, ...]:
    """Return the body of a juggler in parts of one material each.

    Jugglers who are the same person share their meshes (the same objects).

    Args:
        animation: whose figure, people and colours are used.
        juggler: index from 0.
    """
    # A row for each of `COVERS`: red, green, blue and gloss.
    paint = animation.look.paint(animation.jugglers)[juggler].astype(float)
    if animation.parameters.figure != PERSON:
        colours = {cover: colour_of(row) for cover, row in zip(COVERS, paint, strict=True)}
        return tuple(
            replace(body, part=replace(body.part, colour=colours[body.part.name]))
            for body in body_parts()
        )
    people = animation.parameters.people
    worn = int(people_worn(people, animation.jugglers)[juggler])
    person = int(people_indices(people, animation.jugglers)[juggler])
    # 0 is the finest level of detail; each limit that the number of jugglers exceeds adds 1.
    level = sum(animation.jugglers > limit for limit in (FINEST_UP_TO, FINER_UP_TO))
    return tuple(
        BodyPart(
            Part(
                mesh,
                colour=colour_of(paint[cover]),
                gloss=float(paint[cover, 3]),
                name=COVERS[cover],
            ),
            joints,
            shares,
        )
        for piece in (0, *(1 + part for part in parts_worn(worn)))  # the body first
        for cover, mesh, joints, shares in _smooth_meshes(level, piece=piece, person=person)
    )


@lru_cache(maxsize=64)
def _smooth_meshes(
    level_index: int, piece: int, person: int
) -> tuple[tuple[int, Mesh, Integers, Floats], ...]:
    """Return a piece of a person's smooth body, divided by covers.

    Args:
        level_index: level of detail, 0 is the finest.
        piece: 0 for the body, 1 + n for part n of `scene.skin.PARTS`.
        person: index from 0 in `PEOPLE`.

    Returns:
        For each cover of the piece, ascending: its index in `COVERS`, its mesh, and joints and
        shares as of `BodyPart`.
    """
    skin = load_skin()
    # `people_girths` reads people as typed text, in which numbers count from 1.
    build = people_girths(f"{person + 1}", 1)[0]
    level = skin.levels[level_index]
    points = level.carried(skin.skeleton.transforms(skin.skeleton.joints, girths=build))
    # `parts` has where each part begins and, last, where all end, which is no place to split.
    triangles = np.split(level.triangles, level.parts[:-1])[piece]
    covers = level.covers[triangles[:, 0]]  # a triangle has the cover of its first corner
    return tuple(
        (int(cover), *_smooth_mesh(level, points, triangles[covers == cover]))
        for cover in np.unique(covers)
    )


def _smooth_mesh(
    level: SkinLevel, points: Floats, triangles: Integers
) -> tuple[Mesh, Integers, Floats]:
    """Return the mesh of some triangles of a level of detail, with joints and shares.

    Args:
        level: whose normals, bones and weights are used.
        points: all points of the level, as the person is built, shape (V, 3), [m].
        triangles: indices of these points, shape (F, 3).

    Returns:
        The mesh, with only the points that the triangles use.
        Indices into the joints of `Carriers`, shape (points of the mesh, 4).
        Weights of these joints, same shape.
    """
    used, corner_index = np.unique(triangles, return_inverse=True)
    normals = unit(level.normals[used].astype(float))
    # Corners of triangles without area have a zero normal, but a file must hold unit vectors.
    normals[(normals == 0.0).all(axis=1)] = _UP
    joints = smooth_carriers().joint_of_bone[level.bones[used]]
    shares = level.shares[used] / 255
    # Several bones may have become one joint, but a corner must not name a joint twice: the first
    # column of each joint gets the sum of its weights.
    for column in range(1, joints.shape[1]):
        for earlier in range(column):
            same = joints[:, earlier] == joints[:, column]
            shares[same, earlier] += shares[same, column]
            shares[same, column] = 0.0
    joints[shares == 0.0] = 0  # as glTF asks for joints without weight
    return Mesh(points[used], normals, corner_index.reshape(-1, 3)), joints, shares


@lru_cache(maxsize=1)
def body_parts() -> tuple[BodyPart, ...]:
    """Return a solid person at rest, one part for each cover such as skin or trousers.

    Covers come in the order in which `LIMBS` first names them. Colours are the figure's own
    defaults; `parts_of` replaces them by those of the juggler.
    """
    rows = figure_capsules(REST.reshape(1, 1, JOINTS, 3))[0].astype(float)
    segments, shares = skin_weights()
    # A row for each end of a limb: row 2 · limb is its start, and 2 · limb + 1 its end.
    segments = segments.reshape(-1, 2)
    shares = shares.reshape(-1, 2)
    covers = [limb.cover for limb in LIMBS]
    parts = []
    for cover in dict.fromkeys(covers):
        limbs = np.flatnonzero(np.array(covers) == cover)
        mesh, cone_end = round_cones(rows[limbs, Cone.SHAPE])
        # From the end of a cone among those of this cover to the end of a limb among all.
        limb_end = 2 * limbs[cone_end // 2] + cone_end % 2
        colour = colour_of(rows[limbs[0], Cone.COLOUR])
        gloss = float(rows[limbs[0], Cone.GLOSS])
        surface = Part(mesh, colour=colour, gloss=gloss, name=cover)
        parts.append(BodyPart(surface, segments[limb_end], shares[limb_end]))
    return tuple(parts)


@lru_cache(maxsize=1)
def skin_weights() -> tuple[Integers, Floats]:
    """Return the two segments that carry each limb's start and end, and their weights.

    Returns:
        Indices into `SEGMENTS`, shape (limbs, 2 ends, 2 segments), the main segment first; the
        second one is 0 where its weight is 0.
        Weights of these segments, same shape, which add up to 1 at each end.
    """
    rotations = _random_rotations()
    starts, joints = _joint_positions(rotations)
    true_ends = _limb_ends(joints)  # shape (poses, limbs, 2, 3)

    # Where each segment alone would carry each end, shape (poses, limbs, 2, S, 3). Indices of the
    # sum: pose k, segment s, limb l, end e, and coordinates a and b.
    local_ends = _limb_ends(REST)[:, :, None] - REST[_START_JOINTS]
    carried = np.einsum("ksab,lesb->klesa", rotations, local_ends) + starts[:, None, None]
    # The greatest distance from there to the true place in any pose, shape (limbs, 2, S), [m].
    misses = np.linalg.norm(carried - true_ends[:, :, :, None], axis=-1).max(axis=0)

    # A limb is rigid if one segment carries both of its ends within the tolerance: then both are
    # bound to that segment alone. Otherwise each end has the segment that is best for it.
    limb_misses = misses.max(axis=1)
    rigid = limb_misses.min(axis=1) < _RIGID_TOLERANCE
    best = np.where(rigid[:, None], limb_misses.argmin(axis=1)[:, None], misses.argmin(axis=2))
    second, second_weight = _second_segments(carried, true_ends, best)
    second_weight[rigid] = 0.0
    # A second segment without weight becomes 0, as glTF asks.
    segments = np.stack([best, np.where(second_weight > 0, second, 0)], axis=-1)
    return segments, np.stack([1 - second_weight, second_weight], axis=-1)


def sample_bodies() -> Floats:
    """Return bodies in random poses, the same on each call, shape (poses, `JOINTS`, 3), [m]."""
    return _joint_positions(_random_rotations())[1]


def _second_segments(carried: Floats, true_ends: Floats, best: Integers) -> tuple[Integers, Floats]:
    """Return the best second segment of each limb end and its weight.

    With weight w, an end is at first + w·(second − first); least squares over all poses give
    w = Σ d·m / Σ d·d, where d = second − first and m = true − first.

    Args:
        carried: where segments carry ends, shape (poses, limbs, 2, S, 3), [m].
        true_ends: where ends are, shape (poses, limbs, 2, 3), [m].
        best: index of the first segment of each end, shape (limbs, 2).

    Returns:
        Index in `SEGMENTS` of the second segment, shape (limbs, 2).
        Its weight, 0 or above `_MIN_WEIGHT` and at most 1, same shape.
    """
    # All candidates for the second segment at once, the first one itself among them: for it d is
    # 0, and the guard makes its weight 0. Indices: pose k, limb l, end e, segment s, coordinate a.
    first = np.take_along_axis(carried, best[None, :, :, None, None], axis=3)
    difference = carried - first
    offset = true_ends[:, :, :, None] - first
    square = np.einsum("klesa,klesa->les", difference, difference)
    product = np.einsum("klesa,klesa->les", difference, offset)
    weight = np.clip(product / np.maximum(square, 1e-12), 0.0, 1.0)
    residual = ((weight[..., None] * difference - offset) ** 2).sum(axis=(0, 4))
    second = residual.argmin(axis=2)
    chosen: Floats = np.take_along_axis(weight, second[..., None], axis=2)[..., 0]
    return second, np.where(chosen > _MIN_WEIGHT, chosen, 0.0)


def _limb_ends(joints: Floats) -> Floats:
    """Return starts and ends of limbs, shape (..., limbs, 2, 3), [m].

    Args:
        joints: shape (..., `JOINTS`, 3), [m].
    """
    rows = figure_capsules(joints.reshape(-1, 1, JOINTS, 3)).reshape(
        *joints.shape[:-2], -1, Cone.WIDTH
    )
    return np.stack([rows[..., Cone.START], rows[..., Cone.END]], axis=-2).astype(float)


def _random_rotations() -> Floats:
    """Return rotations of the segments in the world in random poses, shape (poses, S, 3, 3).

    The seed is fixed, so each call returns the same.
    """
    # By the last word of a name, so "left_palm" and "right_palm" have the axes of "palm".
    free_axes = [_FREE_AXES.get(name.split("_")[-1], _ALL_AXES) for name in NAMES]
    shape = (_SAMPLE_POSES, len(SEGMENTS), 3)
    random_angles = np.random.default_rng(0).uniform(-_MAX_SAMPLE_TURN, _MAX_SAMPLE_TURN, shape)
    vectors = random_angles * free_axes
    local = _rotations(vectors)
    world = np.empty_like(local)
    # Parents come before their children, so a parent's world rotation is known by then.
    for segment, parent in enumerate(PARENTS):
        above = world[:, parent] if parent >= 0 else np.eye(3)
        world[:, segment] = above @ local[:, segment]
        if NAMES[segment].endswith("ankle"):
            # Soles stay level: a foot only turns about +y, whatever the leg does.
            world[:, segment] = _rotations(vectors[:, segment] * _YAW_ONLY)
    return world


def _joint_positions(rotations: Floats) -> tuple[Floats, Floats]:
    """Return where segments and joints are, from the rotations of segments.

    Args:
        rotations: of segments in the world, from the rest pose, shape (poses, S, 3, 3).

    Returns:
        Starts of segments, shape (poses, S, 3), [m].
        Joints, shape (poses, `JOINTS`, 3), [m]; each is the start of a segment or one of `ENDS`.
    """
    starts = np.empty(rotations.shape[:-1])
    joints = np.empty((len(rotations), JOINTS, 3))
    starts[:, 0] = OFFSETS[0]
    # Parents come before their children. The first segment has none, and never leaves its place.
    for index, segment in enumerate(SEGMENTS):
        if index:
            parent = PARENTS[index]
            starts[:, index] = starts[:, parent] + rotations[:, parent] @ OFFSETS[index]
        joints[:, segment.joint] = starts[:, index]
    for joint, index, bone in zip(ENDS, END_SEGMENTS, END_OFFSETS, strict=True):
        joints[:, joint] = starts[:, index] + rotations[:, index] @ bone
    return starts, joints


def _rotations(vectors: Floats) -> Floats:
    """Return rotations from rotation vectors by Rodrigues' formula, shape (..., 3, 3).

    R = I + (sin θ / θ)·K + ((1 − cos θ) / θ²)·K², where K is the cross-product matrix of the vector
    and θ its length; (1 − cos θ) / θ² = ½·(sin(θ/2) / (θ/2))². NumPy's sinc(t) is
    sin(πt) / (πt), 1 at t = 0, so no angle needs a special case.

    Args:
        vectors: shape (..., 3), [rad].
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)[..., None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = 0 * x
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    return (
        np.eye(3)
        + np.sinc(angle / np.pi) * cross
        + np.sinc(angle / (2 * np.pi)) ** 2 / 2 * (cross @ cross)
    )
