"""Make `assets/figure.npz`, the skin of the figure, from the description below: `python scripts/build_figure.py`.

Each piece, such as the shirt, is a smooth union of signed distances: round cones, ellipsoids and lofts, which are tubes
whose outline changes along them. Marching cubes turns it into triangles, of which quadric simplification leaves as many
as each level of detail needs. What a piece of skin weighs for a bone follows from the shapes that it is near to, and
from where along the limb it lies. The same script gives the same bytes again.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import fast_simplification
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from skimage.measure import marching_cubes

from juggle_anim.body import JOINTS, Joint
from juggle_anim.body import skeleton as lengths
from juggle_anim.body.arm import OPEN
from juggle_anim.body.legs import ANKLES, stand
from juggle_anim.body.trunk import pose_head, pose_trunk
from juggle_anim.scene.skin import COVERS, NAMES, UNIT

Floats = NDArray[np.float64]
Chain = Callable[[Floats], Floats]

TARGET = Path(__file__).parents[1] / "assets" / "figure.npz"
MIRROR = np.array([-1.0, 1.0, 1.0])

# ---------------------------------------------------------------------------------------------------------------------
# The pose in which the figure is made: at ease, arms 40° out and a little bent, palms ahead.


def rest_joints() -> Floats:
    """The joints of that pose, shape (`JOINTS`, 3), [m]."""
    joints = np.zeros((JOINTS, 3))
    hands = np.array([[[[0.5, 0.95, 0.0], [-0.5, 0.95, 0.0]]]])
    trunk = pose_trunk(hands, 0.0, np.zeros((1, 1, 3, 3)))
    head, face = pose_head(trunk.neck, trunk.upright, None)
    for joint, place in (
        (Joint.PELVIS, trunk.pelvis), (Joint.CHEST, trunk.chest), (Joint.NECK, trunk.neck), (Joint.HEAD, head),
        (Joint.FACE, face),
    ):  # fmt: skip
        joints[joint] = place[0, 0]
    for name, places in zip(("HIP", "KNEE", "ANKLE", "TOES"), stand(trunk.pelvis, ANKLES), strict=True):
        for side, which in enumerate(("LEFT", "RIGHT")):
            joints[Joint[f"{which}_{name}"]] = places[0, 0, side]
    arm = _rest_arm(trunk.shoulders[0, 0, 0])
    for name, place in arm.items():
        joints[Joint[f"LEFT_{name}"]] = place
        joints[Joint[f"RIGHT_{name}"]] = place * MIRROR
    return joints


def _rest_arm(shoulder: Floats) -> dict[str, Floats]:
    out, bend = np.radians(38.0), np.radians(32.0)
    upper = np.array([np.sin(out), -np.cos(out), 0.0])
    ahead = np.array([0.0, 0.0, 1.0])
    lower = np.cos(bend) * upper + np.sin(bend) * ahead
    palm = np.cos(bend) * ahead - np.sin(bend) * upper
    thumb = np.cross(palm, lower)
    thumb *= np.sign(thumb[0])
    along, into = np.cos(OPEN), np.sin(OPEN)
    places = {"SHOULDER": shoulder, "ELBOW": shoulder + lengths.UPPER_ARM * upper}
    places["WRIST"] = places["ELBOW"] + lengths.FOREARM * lower
    places["PALM"] = places["WRIST"] + lengths.PALM * lower
    places["FINGERS"] = places["PALM"] + lengths.FINGERS * (along[0] * lower + into[0] * palm)
    places["TIPS"] = places["FINGERS"] + lengths.TIPS * (along[1] * lower + into[1] * palm)
    places["THUMB"] = places["PALM"] - lengths.THUMB_BACK * lower + lengths.THUMB_OUT * thumb
    way = np.array([0.80, 0.55, 0.22])
    way /= np.linalg.norm(way)
    places["THUMB_TIP"] = places["THUMB"] + lengths.THUMB * (way[0] * lower + way[1] * thumb + way[2] * palm)
    return places


REST = rest_joints()


def at(joint: str) -> Floats:
    """The place of a joint in that pose."""
    return REST[Joint[joint]]


# ---------------------------------------------------------------------------------------------------------------------
# Shapes: signed distances, negative inside.


@dataclass(frozen=True)
class Shape:
    """One shape of a piece.

    Args:
        distance: of points, shape (N, 3) to (N,), [m].
        chain: weights of bones at points, shape (N, 3) to (N, bones).
        blend: width over which it flows into the shapes before it, [m].
        cut: whether it is cut away from them.
    """

    distance: Callable[[Floats], Floats]
    chain: Chain | None = None
    blend: float = 0.0
    cut: bool = False


def ellipsoid(
    centre: Sequence[float], radii: Sequence[float], frame: Floats | None = None
) -> Callable[[Floats], Floats]:
    """An ellipsoid whose axes are the columns of a frame."""
    middle, sizes = np.asarray(centre, dtype=float), np.asarray(radii, dtype=float)

    def distance(points: Floats) -> Floats:
        place = points - middle if frame is None else (points - middle) @ frame
        inner = np.linalg.norm(place / sizes, axis=-1)
        slope = np.linalg.norm(place / sizes**2, axis=-1)
        return np.maximum(inner * (inner - 1.0) / np.maximum(slope, 1e-9), -sizes.min())

    return distance


def cone(start: Floats, first: float, end: Floats, last: float) -> Callable[[Floats], Floats]:
    """A round cone, as the convex hull of two balls."""
    step = np.asarray(end) - start
    size = np.linalg.norm(step)
    axis, slope = step / size, (first - last) / size

    def distance(points: Floats) -> Floats:
        away = points - start
        along = away @ axis
        across = np.sqrt(np.maximum((away**2).sum(-1) - along**2, 0.0))
        place = np.clip(along + across * slope / np.sqrt(1.0 - slope**2), 0.0, size)
        return np.hypot(along - place, across) - (first - slope * place)

    return distance


def loft(
    origin: Floats,
    axis: Floats,
    left: Floats,
    table: Sequence[Sequence[float]],
    power: float = 2.0,
    ends: tuple[float | None, float | None] = (None, None),
) -> Callable[[Floats], Floats]:
    """A tube along an axis.

    Args:
        origin, axis, left: its start, and unit directions along it and to its left.
        table: rows of a place along the axis and of the extents there to the left, right, front and back, [m].
        power: of the superellipses that its outlines are made of: 2 is round, more is squarer.
        ends: where it is cut off flat; None leaves it at the ends of the table.
    """
    rows = np.array(table)
    profile = PchipInterpolator(rows[:, 0], rows[:, 1:], axis=0)
    axis = axis / np.linalg.norm(axis)
    left = left - (left @ axis) * axis
    left /= np.linalg.norm(left)
    front = np.cross(left, axis)
    low, high = (rows[0, 0] if ends[0] is None else ends[0]), (rows[-1, 0] if ends[1] is None else ends[1])

    def distance(points: Floats) -> Floats:
        away = points - origin
        along, x, z = away @ axis, away @ left, away @ front
        extents = profile(np.clip(along, rows[0, 0], rows[-1, 0]))
        a = np.where(x > 0, extents[:, 0], extents[:, 1])
        b = np.where(z > 0, extents[:, 2], extents[:, 3])
        x, z = np.abs(x) / a, np.abs(z) / b
        inner = (x**power + z**power) ** (1 / power)
        slope = np.hypot(x ** (power - 1) / a, z ** (power - 1) / b) * np.maximum(inner, 1e-6) ** (1 - power)
        around = np.maximum((inner - 1.0) / np.maximum(slope, 1e-6), -np.minimum(a, b))
        return rounded(around, np.maximum(low - along, along - high))

    return distance


HEM = 0.009
"""Over this width an edge of cloth is rounded: a sharp one would come out of the grid ragged, [m]."""


def rounded(one: Floats, other: Floats) -> Floats:
    """The distance of what two shapes have in common, with a rounded edge."""
    h = np.maximum(HEM - np.abs(one - other), 0.0) / HEM
    return np.maximum(one, other) + h * h * HEM / 4


def jointed(
    first: Callable[[Floats], Floats], second: Callable[[Floats], Floats], joint: Floats, axis: Floats, width: float
) -> Callable[[Floats], Floats]:
    """Two tubes as one: the second takes over from the first where its joint is passed along an axis."""

    def distance(points: Floats) -> Floats:
        share = np.clip((points - joint) @ axis / (2 * width) + 0.5, 0.0, 1.0)
        share = share * share * (3 - 2 * share)
        return (1 - share) * first(points) + share * second(points)

    return distance


def union(shapes: Sequence[Shape], points: Floats) -> Floats:
    """The signed distance of shapes, each blended into those before it (I. Quilez, "Smooth minimum": polynomial)."""
    total = shapes[0].distance(points)
    for shape in shapes[1:]:
        d = shape.distance(points)
        if shape.cut:
            total, d = -total, d
        if shape.blend:
            h = np.maximum(shape.blend - np.abs(total - d), 0.0) / shape.blend
            total = np.minimum(total, d) - h * h * shape.blend / 4
        else:
            total = np.minimum(total, d)
        if shape.cut:
            total = -total
    return total


# ---------------------------------------------------------------------------------------------------------------------
# Weights along limbs.


def _tents(place: Floats, knots: Mapping[str, float] | Sequence[tuple[str, float]]) -> Floats:
    """Weights of bones at places along a limb: 1 at a bone's knot, and smoothly 0 at the next."""
    pairs = list(knots.items()) if isinstance(knots, Mapping) else list(knots)
    numbers = [NAMES.index(name) for name, _ in pairs]
    where = np.array([each for _, each in pairs])
    weights = np.zeros((len(place), len(NAMES)))
    index = np.clip(np.searchsorted(where, place) - 1, 0, len(where) - 2)
    share = np.clip((place - where[index]) / (where[index + 1] - where[index]), 0.0, 1.0)
    rows = np.arange(len(place))
    np.add.at(weights, (rows, np.array(numbers)[index]), 1 - share)
    np.add.at(weights, (rows, np.array(numbers)[index + 1]), share)
    return weights


def only(bone: str) -> Chain:
    """Weights of what one bone carries."""

    def weights(points: Floats) -> Floats:
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index(bone)] = 1.0
        return rows

    return weights


def _bent(first: str, middle: str, last: str) -> tuple[Floats, Floats, float, float]:
    """The joint in the middle, the axis across its bend, the first bone's length, and the cosine of half the bend."""
    upper, lower = at(middle) - at(first), at(last) - at(middle)
    size = float(np.linalg.norm(upper))
    upper, lower = upper / size, lower / np.linalg.norm(lower)
    axis = upper + lower
    return at(middle), axis / np.linalg.norm(axis), size, float(np.linalg.norm(axis) / 2)


def arm_chain(points: Floats) -> Floats:
    """Weights along the left arm."""
    elbow, axis, size, cosine = _bent("LEFT_SHOULDER", "LEFT_ELBOW", "LEFT_WRIST")
    place = size + (points - elbow) @ axis / cosine
    whole = size + lengths.FOREARM
    return _tents(
        place,
        [
            ("left collar", -0.075), ("left deltoid", 0.0), ("left upper arm, untwisted", 0.075),
            ("left upper arm", 0.19), ("left upper arm", size - 0.055), ("left elbow, upper", size - 0.017),
            ("left elbow, lower", size + 0.017), ("left forearm", size + 0.055),
            ("left forearm, half twisted", size + 0.15), ("left forearm, twisted", whole - 0.03),
            ("left wrist", whole), ("left hand", whole + 0.03),
        ],
    )  # fmt: skip


def leg_chain(points: Floats) -> Floats:
    """Weights along the left leg."""
    knee, axis, size, cosine = _bent("LEFT_HIP", "LEFT_KNEE", "LEFT_ANKLE")
    place = size + (points - knee) @ axis / cosine
    return _tents(
        place,
        [
            ("pelvis", -0.085), ("left groin, upper", -0.03), ("left groin, lower", 0.03), ("left thigh", 0.10),
            ("left thigh", size - 0.07), ("left knee, upper", size - 0.022), ("left knee, lower", size + 0.022),
            ("left shank", size + 0.07), ("left shank", size + 0.6),
        ],
    )  # fmt: skip


SPINE = at("CHEST") - at("PELVIS")
SPINE = SPINE / np.linalg.norm(SPINE)
LEFT = np.array([1.0, 0.0, 0.0])


def trunk_chain(points: Floats) -> Floats:
    """Weights of the trunk, whose upper corners go with the collar bones."""
    up = (points - at("PELVIS")) @ SPINE
    weights = _tents(up, [("pelvis", -0.02), ("spine", 0.20), ("spine", 0.50), ("throat", 0.56)])
    for side in ("left", "right"):
        away = np.linalg.norm((points - at(f"{side.upper()}_SHOULDER")) * (1.0, 0.8, 1.0), axis=-1)
        share = np.clip((0.17 - away) / 0.11, 0.0, 1.0)
        share = 0.85 * share * share * (3 - 2 * share)
        weights *= (1 - share)[:, None]
        weights[:, NAMES.index(f"{side} collar")] += share
    # The hem gives way to thighs that come forward.
    hem = 0.65 * np.clip((0.01 - up) / 0.09, 0.0, 1.0)
    left = np.clip(0.5 + points[:, 0] / 0.20, 0.0, 1.0)
    weights *= (1 - hem)[:, None]
    weights[:, NAMES.index("left groin, lower")] += hem * left
    weights[:, NAMES.index("right groin, lower")] += hem * (1 - left)
    return weights


def neck_chain(points: Floats) -> Floats:
    """Weights along the neck; below the collar they are those of the shirt."""
    up = (points - at("PELVIS")) @ SPINE
    return _tents(
        up, [("spine", 0.50), ("throat", 0.56), ("throat", 0.575), ("nape", 0.62), ("neck", 0.665), ("head", 0.70)]
    )


# ---------------------------------------------------------------------------------------------------------------------
# The pieces.


@dataclass(frozen=True)
class Piece:
    """A closed surface of one material.

    Args:
        cover: what it is made of.
        shapes: that it is the union of.
        low, high: corners of a box around it, [m].
        step: of the grid, [m].
        triangles: how many it has in each level of detail.
        mirrored: whether there is another on the right.
        whole: the distance of all of them together, if that is not their smooth union.
        over: distances of what it lies on: what is inside these is cut off.
        clear: how far above these it ends, so that its edge shows, [m].
        sharp: whether it has sharp edges.
    """

    cover: str
    shapes: Sequence[Shape]
    low: Sequence[float]
    high: Sequence[float]
    step: float
    triangles: tuple[int, int, int]
    mirrored: bool = False
    whole: Callable[[Floats], Floats] | None = None
    over: tuple[Callable[[Floats], Floats], ...] = ()
    clear: float = 0.0006
    sharp: bool = False

    def distance(self, points: Floats) -> Floats:
        """The signed distance of points."""
        return self.whole(points) if self.whole else union(self.shapes, points)


def shirt() -> Piece:
    """A shirt with short sleeves over the trousers."""
    origin = at("PELVIS")
    trunk = loft(
        origin, SPINE, LEFT,
        [
            # up, left, right, front, back
            (-0.10, 0.194, 0.194, 0.131, 0.150),
            (-0.02, 0.186, 0.186, 0.124, 0.142),
            (0.06, 0.170, 0.170, 0.115, 0.120),
            (0.14, 0.159, 0.159, 0.112, 0.104),
            (0.24, 0.163, 0.163, 0.118, 0.110),
            (0.33, 0.176, 0.176, 0.124, 0.124),
            (0.41, 0.184, 0.184, 0.117, 0.130),
            (0.47, 0.160, 0.160, 0.093, 0.116),
            (0.515, 0.112, 0.112, 0.070, 0.098),
            (0.555, 0.076, 0.076, 0.060, 0.082),
            (0.600, 0.068, 0.068, 0.058, 0.074),
        ],
        power=2.35, ends=(-0.095, 0.60),
    )  # fmt: skip
    shoulder, elbow = at("LEFT_SHOULDER"), at("LEFT_ELBOW")
    upper = (elbow - shoulder) / lengths.UPPER_ARM
    front = np.array([0.0, 0.0, 1.0])
    tube = loft(
        shoulder, upper, np.cross(upper, front),
        [
            (-0.05, 0.050, 0.050, 0.056, 0.058),
            (0.0, 0.050, 0.050, 0.056, 0.058),
            (0.05, 0.057, 0.056, 0.062, 0.063),
            (0.10, 0.060, 0.060, 0.063, 0.064),
            (0.20, 0.061, 0.061, 0.063, 0.063),
        ],
        ends=(-0.05, 0.185),
    )  # fmt: skip
    cap = ellipsoid(shoulder + (-0.006, -0.006, 0.0), (0.0500, 0.0505, 0.057))
    sleeve = jointed(cap, tube, shoulder + 0.012 * upper, upper, 0.025)
    collar = at("CHEST") + (0.0, 0.062, 0.0)
    tilt = np.array([0.0, 1.0, 0.50]) / np.hypot(1.0, 0.50)
    shapes = [
        Shape(trunk, trunk_chain),
        *both(
            Shape(ellipsoid(origin + 0.385 * SPINE + (0.078, 0.0, 0.060), (0.085, 0.070, 0.050)), trunk_chain, 0.07),
            Shape(ellipsoid(origin + 0.40 * SPINE + (0.085, 0.0, -0.066), (0.080, 0.100, 0.048)), trunk_chain, 0.07),
            Shape(
                cone(shoulder + (-0.035, -0.006, -0.008), 0.049, at("CHEST") + (0.050, 0.036, -0.03), 0.050),
                trunk_chain, 0.06,
            ),
            Shape(sleeve, arm_chain, 0.06),
        ),
    ]  # fmt: skip

    def open_at_the_neck(points: Floats) -> Floats:
        return rounded(union(shapes, points), (points - collar) @ tilt)

    return Piece(
        "shirt",
        shapes,
        (-0.42, 0.79, -0.20),
        (0.42, 1.60, 0.24),
        0.0036,
        (4600, 1400, 640),
        whole=open_at_the_neck,
        sharp=True,
    )


def both(*shapes: Shape) -> list[Shape]:
    """Shapes of the left side, and the same on the right."""
    return [each for shape in shapes for each in (shape, mirrored(shape))]


def mirrored(shape: Shape) -> Shape:
    """The shape on the other side."""
    chain = shape.chain
    return replace(
        shape,
        distance=lambda points: shape.distance(points * MIRROR),
        chain=(lambda points: chain(points * MIRROR)[:, SWAP]) if chain else None,
    )


def _other(name: str) -> str:
    return name.replace("left", "right") if "left" in name else name.replace("right", "left")


SWAP = np.array([NAMES.index(_other(name)) for name in NAMES])


def trousers() -> Piece:
    """Trousers from the waist, which the shirt hides, to the shoes."""
    hip, knee, ankle = at("LEFT_HIP"), at("LEFT_KNEE"), at("LEFT_ANKLE")
    thigh, shank = knee - hip, ankle - knee
    thigh, shank = thigh / np.linalg.norm(thigh), shank / np.linalg.norm(shank)
    knee_out = np.array([np.cos(np.radians(12.4)), 0.0, -np.sin(np.radians(12.4))])
    size = lengths.THIGH
    upper = loft(
        hip, thigh, -knee_out,
        [
            # along, inward, outward, front, back
            (-0.10, 0.050, 0.050, 0.060, 0.070),
            (0.0, 0.078, 0.070, 0.074, 0.084),
            (0.10, 0.086, 0.082, 0.083, 0.094),
            (0.22, 0.080, 0.080, 0.085, 0.088),
            (0.36, 0.068, 0.066, 0.075, 0.074),
            (size, 0.0625, 0.0615, 0.070, 0.069),
            (size + 0.06, 0.060, 0.060, 0.068, 0.069),
        ],
        power=2.1,
    )  # fmt: skip
    lower = loft(
        knee, shank, -knee_out,
        [
            (-0.06, 0.064, 0.063, 0.072, 0.069),
            (0.0, 0.0625, 0.0615, 0.070, 0.069),
            (0.10, 0.060, 0.060, 0.063, 0.076),
            (0.18, 0.059, 0.059, 0.060, 0.077),
            (0.30, 0.056, 0.056, 0.058, 0.070),
            (0.405, 0.055, 0.055, 0.062, 0.066),
        ],
        power=2.1, ends=(-0.06, 0.398),
    )  # fmt: skip
    hips = loft(
        at("PELVIS"), np.array([0.0, 1.0, 0.0]), LEFT,
        [
            (-0.12, 0.130, 0.130, 0.080, 0.090),
            (-0.07, 0.158, 0.158, 0.098, 0.108),
            (-0.02, 0.156, 0.156, 0.098, 0.108),
            (0.05, 0.135, 0.135, 0.085, 0.085),
        ],
        power=2.3,
    )  # fmt: skip
    leg = jointed(upper, lower, knee, _bent("LEFT_HIP", "LEFT_KNEE", "LEFT_ANKLE")[1], 0.06)
    return Piece(
        "trousers",
        [
            Shape(hips, only("pelvis")),
            *both(
                Shape(leg, leg_chain, 0.03),
                Shape(ellipsoid(hip + (-0.012, -0.050, -0.050), (0.074, 0.082, 0.060)), leg_chain, 0.04),
            ),
        ],
        (-0.26, 0.03, -0.22), (0.26, 1.0, 0.22), 0.0042, (2800, 900, 380), sharp=True,
    )  # fmt: skip


def arm() -> Piece:
    """Bare arm and hand."""
    shoulder, elbow, wrist = (at(f"LEFT_{name}") for name in ("SHOULDER", "ELBOW", "WRIST"))
    upper, lower = (elbow - shoulder) / lengths.UPPER_ARM, (wrist - elbow) / lengths.FOREARM
    front = np.array([0.0, 0.0, 1.0])
    out = np.cross(upper, front)  # left of a tube that runs down, seen from its front, is inward
    bicep = loft(
        shoulder, upper, out,
        [
            (0.09, 0.040, 0.040, 0.044, 0.044),
            (0.16, 0.044, 0.044, 0.049, 0.048),
            (0.24, 0.043, 0.043, 0.047, 0.044),
            (0.30, 0.043, 0.043, 0.041, 0.040),
            (0.345, 0.042, 0.042, 0.038, 0.040),
        ],
    )  # fmt: skip
    size = lengths.FOREARM
    forearm = loft(
        elbow, lower, out,
        [
            (-0.03, 0.041, 0.041, 0.037, 0.041),
            (0.02, 0.044, 0.045, 0.039, 0.041),
            (0.06, 0.045, 0.046, 0.040, 0.040),
            (0.12, 0.040, 0.041, 0.036, 0.035),
            (0.19, 0.033, 0.033, 0.027, 0.027),
            (size - 0.015, 0.0285, 0.0285, 0.0205, 0.0205),
            (size + 0.02, 0.029, 0.029, 0.019, 0.019),
        ],
        power=2.15,
    )  # fmt: skip
    back, shapes = hand()
    bare = jointed(bicep, forearm, elbow, _bent("LEFT_SHOULDER", "LEFT_ELBOW", "LEFT_WRIST")[1], 0.03)
    return Piece(
        "skin",
        [Shape(jointed(bare, back, wrist, lower, 0.025), arm_chain), *shapes],
        (0.24, 0.62, -0.10), (0.75, 1.36, 0.40), 0.0021, (4400, 1000, 330), True,
    )  # fmt: skip


def hand() -> tuple[Callable[[Floats], Floats], list[Shape]]:
    """The palm, which goes on from the forearm, and what is blended into it."""
    wrist, palm, middle, tips, root, tip = (
        at(f"LEFT_{name}") for name in ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP")
    )
    along = (palm - wrist) / lengths.PALM
    out = root - palm + lengths.THUMB_BACK * along
    out /= np.linalg.norm(out)
    face = np.cross(along, out)  # out of the palm, as the fingers bend
    face *= np.sign(face @ (tips - palm))
    fingers, ends = (middle - palm) / lengths.FINGERS, (tips - middle) / lengths.TIPS

    def place(a: float, o: float, f: float) -> Floats:
        return wrist + a * along + o * out + f * face

    hand_bone = only("left hand")
    straight = np.stack([along, out, face], axis=1)
    turned = np.stack([along * 0.96 + out * 0.28, out * 0.96 - along * 0.28, face], axis=1)
    back = loft(
        wrist, along, out,
        [
            (-0.02, 0.0285, 0.0285, 0.0195, 0.0195),
            (0.02, 0.031, 0.031, 0.0175, 0.0195),
            (0.06, 0.039, 0.038, 0.0150, 0.0175),
            (0.095, 0.0405, 0.040, 0.0135, 0.0150),
            (0.112, 0.037, 0.037, 0.0105, 0.0110),
        ],
        power=2.5,
    ) if np.cross(out, along) @ face > 0 else loft(
        wrist, along, out,
        [
            (-0.02, 0.0285, 0.0285, 0.0195, 0.0195),
            (0.02, 0.031, 0.031, 0.0195, 0.0175),
            (0.06, 0.039, 0.038, 0.0175, 0.0150),
            (0.095, 0.0405, 0.040, 0.0150, 0.0135),
            (0.112, 0.037, 0.037, 0.0110, 0.0105),
        ],
        power=2.5,
    )  # fmt: skip
    shapes = [
        Shape(ellipsoid(place(0.042, 0.024, 0.0075), (0.036, 0.017, 0.0145), turned), hand_bone, 0.018),
        Shape(ellipsoid(place(0.045, -0.024, 0.0055), (0.038, 0.013, 0.0125), straight), hand_bone, 0.018),
    ]  # fmt: skip
    chain = _finger_chain(palm, middle, along, fingers, ends)
    # Distance from the middle of the palm, length over the middle finger's, radius, and how far it leans outward.
    for shift, length, thick, lean in (
        (0.0280, 0.93, 0.0092, 0.075), (0.0092, 1.0, 0.0095, 0.02),
        (-0.0098, 0.95, 0.0091, -0.03), (-0.0275, 0.78, 0.0081, -0.10),
    ):  # fmt: skip
        base = palm + shift * out - 0.010 * along * (1.0 if abs(shift) < 0.02 else 1.6)
        knuckle = palm + shift * out + length * lengths.FINGERS * (fingers + lean * out)
        end = knuckle + length * (lengths.TIPS + 0.002) * (ends + 0.6 * lean * out)
        half = 0.5 * (knuckle + end) - 0.0012 * face
        shapes += [
            Shape(cone(base, thick + 0.0012, knuckle, thick - 0.0002), chain, 0.006),
            Shape(cone(knuckle, thick - 0.0001, half, thick - 0.0008), chain, 0.002),
            Shape(cone(half, thick - 0.0008, end, thick - 0.0022), only("left fingertips"), 0.002),
        ]  # fmt: skip
    way = (tip - root) / lengths.THUMB
    knuckle = root + 0.48 * lengths.THUMB * way
    shapes += [
        Shape(cone(place(0.022, 0.016, 0.006), 0.0145, root + 0.008 * way, 0.0140), hand_bone, 0.012),
        Shape(cone(root, 0.0138, knuckle, 0.0108), _thumb_chain(root, way), 0.010),
        Shape(cone(knuckle, 0.0110, tip + 0.001 * way, 0.0086), only("left thumb"), 0.003),
    ]
    return back, shapes


def _finger_chain(palm: Floats, middle: Floats, along: Floats, fingers: Floats, ends: Floats) -> Chain:
    first, second = along + fingers, fingers + ends
    first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)

    def weights(points: Floats) -> Floats:
        one = np.clip(((points - palm) @ first + 0.009) / 0.020, 0.0, 1.0)
        two = np.clip(((points - middle) @ second + 0.007) / 0.014, 0.0, 1.0)
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index("left hand")] = 1 - one
        rows[:, NAMES.index("left fingers")] = one * (1 - two)
        rows[:, NAMES.index("left fingertips")] = one * two
        return rows

    return weights


def _thumb_chain(root: Floats, way: Floats) -> Chain:
    def weights(points: Floats) -> Floats:
        share = np.clip(((points - root) @ way + 0.012) / 0.026, 0.0, 1.0)
        rows = np.zeros((len(points), len(NAMES)))
        rows[:, NAMES.index("left hand")] = 1 - share
        rows[:, NAMES.index("left thumb")] = share
        return rows

    return weights


EYE = (0.0315, 0.004, 0.0740)


def head() -> Piece:
    """Head and neck."""
    middle = at("HEAD")
    rigid = only("head")

    def place(x: float, y: float, z: float) -> Floats:
        return middle + (x, y, z)

    def ball(x: float, y: float, z: float, *radii: float, blend: float = 0.02, cut: bool = False) -> Shape:
        sizes = radii if len(radii) == 3 else radii * 3
        return Shape(ellipsoid(place(x, y, z), sizes), rigid, blend, cut)

    neck = loft(
        at("CHEST") + (0.0, -0.03, -0.018), at("HEAD") + (0.0, -0.02, -0.030) - at("CHEST") + (0.0, 0.03, 0.018), LEFT,
        [
            (0.0, 0.074, 0.074, 0.060, 0.062),
            (0.05, 0.063, 0.063, 0.057, 0.060),
            (0.10, 0.055, 0.055, 0.056, 0.056),
            (0.16, 0.052, 0.052, 0.058, 0.054),
            (0.22, 0.051, 0.051, 0.056, 0.054),
        ],
    )  # fmt: skip
    eyes = []
    for shape in (
        ball(0.033, 0.003, 0.097, 0.021, 0.013, 0.014, blend=0.018, cut=True),
        ball(*EYE, 0.0136, blend=0.005),
    ):
        eyes += both(shape)
    return Piece(
        "skin",
        [
            Shape(ellipsoid(place(0.0, 0.026, -0.012), (0.0735, 0.0905, 0.094)), rigid),
            ball(0.0, -0.030, 0.034, 0.055, 0.066, 0.056, blend=0.04),
            *both(
                Shape(cone(place(0.054, -0.046, 0.000), 0.015, place(0.018, -0.097, 0.066), 0.013), rigid, 0.04),
                ball(0.040, -0.020, 0.058, 0.024, 0.024, 0.022, blend=0.035),
            ),
            ball(0.0, -0.096, 0.073, 0.021, 0.016, 0.016, blend=0.025),
            *both(Shape(cone(place(0.012, 0.028, 0.0815), 0.0105, place(0.046, 0.026, 0.064), 0.009), rigid, 0.018)),
            Shape(neck, neck_chain, 0.03),
            *eyes,
            Shape(cone(place(0.0, 0.012, 0.0855), 0.0065, place(0.0, -0.028, 0.1025), 0.0092), rigid, 0.013),
            *both(
                ball(0.0105, -0.0315, 0.0925, 0.0078, 0.0070, 0.0095, blend=0.008),
                Shape(ellipsoid(place(0.0073, -0.0385, 0.0985), (0.0028, 0.0035, 0.004)), rigid, 0.002, True),
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


def hair() -> Piece:
    """Short hair."""
    middle, rigid = at("HEAD"), only("head")

    def place(x: float, y: float, z: float) -> Floats:
        return middle + (x, y, z)

    whole = [
        Shape(ellipsoid(place(0.0, 0.030, -0.014), (0.0810, 0.0985, 0.1015)), rigid),
        Shape(ellipsoid(place(0.008, 0.094, 0.024), (0.060, 0.029, 0.058)), rigid, 0.035),
        Shape(ellipsoid(place(0.0, 0.015, -0.060), (0.066, 0.075, 0.056)), rigid, 0.03),
    ]

    def hairline(points: Floats) -> Floats:
        x, y, z = (points - middle).T
        side = np.maximum(np.abs(x) - 0.030, 0.0)
        front = 0.062 + 1.1 * (z - 0.080) + 30.0 * side**2
        ear = 0.014 + 2.2 * np.minimum(z + 0.030, 0.0)
        nape = -0.062 + 0.2 * np.abs(x)
        mix = np.clip((z - 0.000) / 0.016, 0.0, 1.0)
        line = np.maximum(mix * np.maximum(front, -0.016) + (1 - mix) * ear, nape)
        return (line - y) / 1.8

    def distance(points: Floats) -> Floats:
        total, line = union(whole, points), hairline(points)
        # An edge that is rounded a little.
        h = np.maximum(0.006 - np.abs(total - line), 0.0) / 0.006
        return np.maximum(total, line) + h * h * 0.006 / 4

    return Piece(
        "hair", [Shape(distance, rigid)], (-0.12, 1.52, -0.14), (0.12, 1.82, 0.20), 0.0024, (1900, 640, 200)
    )  # fmt: skip


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


def shoe() -> list[Piece]:
    """The left shoe and its sole."""
    ankle, toes = at("LEFT_ANKLE"), at("LEFT_TOES")
    ahead = (toes - ankle) * (1.0, 0.0, 1.0)
    ahead /= np.linalg.norm(ahead)
    ground = ankle * (1.0, 0.0, 1.0)
    inward = np.cross(ahead, (0.0, 1.0, 0.0))
    inward = inward if inward[0] < 0 else -inward
    # Along, inward, outward, up, down.
    table = [
        (-0.088, 0.006, 0.006, 0.006, 0.006),
        (-0.080, 0.022, 0.022, 0.030, 0.020),
        (-0.060, 0.033, 0.033, 0.066, 0.024),
        (-0.020, 0.037, 0.038, 0.078, 0.026),
        (0.025, 0.038, 0.039, 0.072, 0.026),
        (0.060, 0.039, 0.041, 0.052, 0.026),
        (0.100, 0.043, 0.045, 0.036, 0.026),
        (0.140, 0.045, 0.047, 0.027, 0.026),
        (0.172, 0.038, 0.040, 0.022, 0.026),
        (0.190, 0.024, 0.026, 0.014, 0.020),
        (0.197, 0.006, 0.006, 0.006, 0.006),
    ]
    turned = np.cross(inward, ahead)[1] > 0
    rows = [(a, i, o, u, d) if turned else (a, i, o, d, u) for a, i, o, u, d in table]
    body = loft(ground + (0.0, 0.026, 0.0), ahead, inward, rows, power=2.3)
    heel, ball = ground - 0.046 * ahead, ground + 0.148 * ahead - 0.003 * inward
    outline = cone(heel, 0.0400, ball, 0.0515)

    def sole(points: Floats) -> Floats:
        slab = np.abs(points[:, 1] - 0.0125) - 0.0125
        edge = outline(points * (1.0, 0.0, 1.0))
        rounded = np.hypot(np.maximum(slab + 0.004, 0.0), np.maximum(edge + 0.004, 0.0)) - 0.004
        return np.where(np.maximum(slab, edge) > -0.004, rounded, np.maximum(slab, edge))

    foot = only("left foot")
    upper = lambda points: np.maximum(body(points), 0.019 - points[:, 1])  # noqa: E731
    low, high = ground + (-0.12, -0.01, -0.12), ground + (0.15, 0.12, 0.24)
    return [
        Piece("shoes", [Shape(upper, foot)], low, high, 0.0028, (800, 260, 180), True, sharp=True),
        Piece("soles", [Shape(sole, foot)], low, high, 0.0025, (500, 200, 150), True, sharp=True),
    ]


# ---------------------------------------------------------------------------------------------------------------------
# From pieces to triangles.


@dataclass(frozen=True)
class Mesh:
    """Triangles of one piece in one level of detail, with normals and weights."""

    points: Floats
    normals: Floats
    weights: Floats
    triangles: NDArray[np.int64]
    cover: int


def surface(piece: Piece) -> tuple[Floats, NDArray[np.int64]]:
    """The piece in fine triangles."""
    # Flat faces on a plane of the grid would make triangles without area.
    low = np.array(piece.low) - 0.37 * piece.step
    axes = [np.arange(a, b + piece.step, piece.step) for a, b in zip(low, piece.high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = np.concatenate([piece.distance(part.reshape(-1, 3)) for part in grid]).reshape(grid.shape[:3])
    corners, triangles, _, _ = marching_cubes(values, 0.0)
    points = low + corners.astype(float) * piece.step
    return points, triangles.astype(np.int64)


def on_surface(piece: Piece, points: Floats) -> tuple[Floats, Floats]:
    """Points moved onto the surface, and its normals there."""
    for _ in range(2):
        slope = gradient(piece, points)
        size2 = np.maximum((slope**2).sum(-1), 0.05)
        step = (piece.distance(points) / size2)[:, None] * slope
        far = np.linalg.norm(step, axis=-1, keepdims=True)
        points = points - step * np.minimum(1.0, 0.002 / np.maximum(far, 1e-12))
    slope = gradient(piece, points)
    return points, slope / np.linalg.norm(slope, axis=-1, keepdims=True)


def gradient(piece: Piece, points: Floats) -> Floats:
    """How fast the distance grows along each axis."""
    step = 0.4 * piece.step
    columns = [piece.distance(points + step * axis) - piece.distance(points - step * axis) for axis in np.eye(3)]
    return np.stack(columns, axis=-1) / (2 * step)


def simplified(points: Floats, triangles: NDArray[np.int64], count: int) -> tuple[Floats, NDArray[np.int64]]:
    """So many triangles in place of finer ones."""
    if count >= len(triangles):
        return points, triangles
    made, faces = fast_simplification.simplify(
        points.astype(np.float32), triangles.astype(np.int32), target_count=count, agg=4
    )
    return made.astype(float), faces.astype(np.int64)


SHARE = 0.011
"""Over this difference of distances the share of a shape falls by e, [m]."""


def bone_weights(piece: Piece, points: Floats) -> Floats:
    """Weights of the four bones that matter most, shape (N, bones)."""
    carrying = [shape for shape in piece.shapes if shape.chain and not shape.cut]
    distances = np.stack([shape.distance(points) for shape in carrying])
    shares = np.exp(-(distances - distances.min(axis=0)) / SHARE)
    shares /= shares.sum(axis=0)
    total = sum(
        share[:, None] * shape.chain(points) for share, shape in zip(shares, carrying, strict=True) if shape.chain
    )
    least = np.sort(total, axis=1)[:, -4, None]
    total = np.where(total >= least, total, 0.0)
    return total / total.sum(axis=1, keepdims=True)


def levels(piece: Piece) -> list[list[Mesh]]:
    """The piece, and its mirror image, in each level of detail."""
    fine, faces = surface(piece)
    made = []
    for count in piece.triangles:
        points, triangles = simplified(fine, faces, count)
        points, normals = on_surface(piece, points)
        for below in piece.over:
            points, triangles = trimmed(points, triangles, lambda places, b=below: b(places) - piece.clear)
        normals = on_surface(piece, points)[1]
        mesh = Mesh(points, normals, bone_weights(piece, points), triangles, COVERS.index(piece.cover))
        mesh = creased(mesh) if piece.sharp else mesh
        made.append([mesh, reflected(mesh)] if piece.mirrored else [mesh])
    return made


def reflected(mesh: Mesh) -> Mesh:
    """The mesh on the other side."""
    return replace(
        mesh,
        points=mesh.points * MIRROR,
        normals=mesh.normals * MIRROR,
        weights=mesh.weights[:, SWAP],
        triangles=mesh.triangles[:, ::-1],
    )


def trimmed(
    points: Floats, triangles: NDArray[np.int64], distance: Callable[[Floats], Floats]
) -> tuple[Floats, NDArray[np.int64]]:
    """Triangles cut along the line where a distance is 0; what is below it goes.

    Args:
        points, triangles: the mesh.
        distance: of points.
    """
    depth = distance(points)
    inside = depth < 0
    count = inside[triangles].sum(axis=1)
    kept = [triangles[count == 0]]
    made: dict[tuple[int, int], int] = {}
    added: list[Floats] = []

    def between(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in made:
            share = depth[a] / (depth[a] - depth[b])
            made[key] = len(points) + len(added)
            added.append(points[a] + share * (points[b] - points[a]))
        return made[key]

    rest = []
    for corners in triangles[(count == 1) | (count == 2)]:
        inner = inside[corners]
        turn = int(np.flatnonzero(inner)[0]) if inner.sum() == 1 else int(np.flatnonzero(~inner)[0])
        a, b, c = (int(each) for each in np.roll(corners, -turn))
        if inner.sum() == 1:
            first, last = between(a, b), between(c, a)
            rest += [(first, b, c), (first, c, last)]
        else:
            rest.append((a, between(a, b), between(c, a)))
    if rest:
        kept.append(np.array(rest))
        line = np.array(added)
        for _ in range(2):
            slope = np.stack(
                [distance(line + 1e-4 * axis) - distance(line - 1e-4 * axis) for axis in np.eye(3)], axis=-1
            )
            slope /= 2e-4
            off = distance(line) / np.maximum((slope**2).sum(-1), 0.2)
            line = line - np.clip(off, -0.002, 0.002)[:, None] * slope
        points = np.concatenate([points, line])
    return compact(points, np.concatenate(kept))


def compact(points: Floats, triangles: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Without points that no triangle uses."""
    used, numbers = np.unique(triangles, return_inverse=True)
    return points[used], numbers.reshape(-1, 3)


CREASE = np.cos(np.radians(42.0))
"""Cosine of the angle from which an edge is sharp."""


def creased(mesh: Mesh) -> Mesh:
    """The mesh with its points split along sharp edges, so that each side has a normal of its own."""
    corners = mesh.points[mesh.triangles]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-12)
    around: list[list[int]] = [[] for _ in mesh.points]
    for number, triangle in enumerate(mesh.triangles):
        for corner in triangle:
            around[corner].append(number)
    sources, normals, triangles = list(range(len(mesh.points))), list(mesh.normals), mesh.triangles.copy()
    for point, faces in enumerate(around):
        units = facing[faces] / area[faces]
        if len(faces) < 2 or (units @ units.T).min() > CREASE:
            continue
        groups: list[list[int]] = []
        for index in np.argsort(-area[faces, 0], kind="stable"):
            home = next((group for group in groups if units[group[0]] @ units[index] > CREASE), None)
            if home is None:
                groups.append([int(index)])
            else:
                home.append(int(index))
        for which, group in enumerate(groups):
            normal = facing[[faces[index] for index in group]].sum(axis=0)
            normal /= max(float(np.linalg.norm(normal)), 1e-12)
            number = point if which == 0 else len(sources)
            if which:
                sources.append(point)
                normals.append(normal)
            else:
                normals[point] = normal
            for index in group:
                triangle = triangles[faces[index]]
                triangle[mesh.triangles[faces[index]] == point] = number
    return replace(
        mesh, points=mesh.points[sources], normals=np.array(normals), weights=mesh.weights[sources], triangles=triangles
    )


def all_pieces() -> list[Piece]:
    """What the figure is made of."""
    bare_head, bare_arm, below = head(), arm(), trousers()
    upper, sole = shoe()
    other_arm = mirrored(Shape(bare_arm.distance)).distance
    features = face()
    skin = (bare_head.distance, bare_arm.distance, other_arm)
    return [
        replace(shirt(), over=(*skin, below.distance), clear=0.0018),
        below,
        bare_arm,
        bare_head,
        replace(hair(), over=(bare_head.distance,)),
        *(replace(piece, over=(bare_head.distance,)) for piece in features),
        upper,
        replace(sole, over=(upper.distance,)),
    ]


def packed(level: list[Mesh]) -> dict[str, NDArray[np.generic]]:
    """One level of detail as arrays of small numbers."""
    starts = np.cumsum([0] + [len(mesh.points) for mesh in level])
    weights = np.concatenate([mesh.weights for mesh in level])
    order = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    shares = np.round(np.take_along_axis(weights, order, axis=1) * 255).astype(int)
    shares[:, 0] += 255 - shares.sum(axis=1)
    triangles = np.concatenate([mesh.triangles + start for mesh, start in zip(level, starts[:-1], strict=True)])
    return {
        "points": np.round(np.concatenate([mesh.points for mesh in level]) / UNIT).astype(np.int16),
        "normals": np.round(np.concatenate([mesh.normals for mesh in level]) * 127).astype(np.int8),
        "bones": np.where(shares > 0, order, 0).astype(np.uint8),
        "shares": shares.astype(np.uint8),
        "covers": np.concatenate([np.full(len(mesh.points), mesh.cover) for mesh in level]).astype(np.uint8),
        "triangles": triangles.astype(np.uint16),
    }


def write(arrays: Mapping[str, NDArray[np.generic]], path: Path) -> None:
    """Write arrays as numpy does, but without the time of day."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
            file.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue(), zipfile.ZIP_DEFLATED
            )


def main(path: Path) -> None:
    """Make the file."""
    made: list[list[Mesh]] = [[], [], []]
    for piece in all_pieces():
        for total, part in zip(made, levels(piece), strict=True):
            total += part
        print(piece.cover, [sum(len(m.triangles) for m in part) for part in made], flush=True)
    arrays: dict[str, NDArray[np.generic]] = {"joints": REST}
    for number, level in enumerate(made):
        arrays |= {f"{name}{number}": array for name, array in packed(level).items()}
        print(number, len(arrays[f"points{number}"]), "corners", len(arrays[f"triangles{number}"]), "triangles")
    write(arrays, path)
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
