"""Shirt, trousers and shoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from scipy.spatial import KDTree

from figure.arm import sleeved_arm
from figure.mesh import Mesh
from figure.piece import Piece
from figure.rest_pose import LEFT, SPINE, at
from figure.shapes import (
    Chain,
    Distance,
    Shape,
    both,
    cone,
    ellipsoid,
    in_both,
    jointed,
    loft,
    outward,
    rise,
    union,
)
from figure.surfaces import evened, strongest, surface
from figure.weights import ankle_chain, arm_chain, bend, leg_chain, only, trunk_chain
from juggle_anim.arrays import Floats
from juggle_anim.body import skeleton as lengths
from juggle_anim.scene.skin import COVERS

SHIRT_HEM = -0.025
"""Height of the hem of the shirt over the hip joints, [m]: so high that thighs do not lift it."""


LOOSE = 0.0075
"""How far the shirt is from the trousers below, [m]."""

LEAST_LOOSE = 0.006
"""How far the hem of the shirt is from them at least, [m]."""

WITH_TROUSERS = -0.12, -0.03
"""Between these heights over the hip joints, negative, the shirt begins to move as the trousers
below it do, [m].
"""

MOST_WITH_TROUSERS = 0.9
"""The share by which it does so at the hem: in the groin of who bends down far, cloth that did so
wholly would turn over.
"""

NEAR_TROUSERS = -0.10, -0.05
"""So far from the trousers, negative, cloth does not move with them: cuffs of sleeves, [m]."""


def yoke() -> list[Shape]:
    """What cloth lies on from the hips to the neck, and from there to the shoulders."""
    trunk = loft(
        at("PELVIS"), SPINE, LEFT,
        [
            # up, left, right, front, back
            (-0.10, 0.161, 0.161, 0.099, 0.114),
            (-0.03, 0.162, 0.162, 0.102, 0.116),
            (0.05, 0.163, 0.163, 0.109, 0.116),
            (0.14, 0.161, 0.161, 0.113, 0.109),
            (0.24, 0.163, 0.163, 0.118, 0.111),
            (0.33, 0.165, 0.165, 0.119, 0.121),
            (0.40, 0.168, 0.168, 0.115, 0.126),
            (0.445, 0.150, 0.150, 0.100, 0.119),
            (0.485, 0.114, 0.114, 0.082, 0.107),
            (0.520, 0.087, 0.087, 0.069, 0.092),
            (0.555, 0.069, 0.069, 0.060, 0.078),
            (0.600, 0.060, 0.060, 0.058, 0.070),
        ],
        power=2.12, ends=(-0.08, 0.60),
    )  # fmt: skip
    slope = cone(
        at("LEFT_SHOULDER") + (-0.025, -0.017, -0.006), 0.042,
        at("CHEST") + (0.040, 0.041, -0.028), 0.046,
    )  # fmt: skip
    return [Shape(trunk, trunk_chain), *both(Shape(slope, trunk_chain, 0.05))]


def shirt(sleeves: str = "short") -> Piece:
    """A shirt over the trousers, with "short" or "long" sleeves."""
    is_long = sleeves == "long"
    origin = at("PELVIS")
    below = trousers().distance

    def over_trousers(points: Floats, far: float = LOOSE) -> Floats:
        return in_both(below(points) - far, SHIRT_HEM - 0.04 - (points - origin) @ SPINE, 0.02)

    def clear_of_trousers(points: Floats) -> Floats:
        return over_trousers(points, LEAST_LOOSE)

    shapes = [
        *yoke(),
        Shape(over_trousers, trunk_chain, 0.03),
        *both(
            Shape(ellipsoid(origin + 0.385 * SPINE + (0.078, 0.0, 0.060), (0.090, 0.075, 0.036)),
                trunk_chain, 0.09),
            Shape(ellipsoid(origin + 0.40 * SPINE + (0.085, 0.0, -0.066), (0.080, 0.100, 0.048)),
                trunk_chain, 0.07),
            Shape(long_sleeve() if is_long else sleeve(), arm_chain, 0.05, reach=0.02),
        ),
    ]  # fmt: skip

    def folded(points: Floats, deep: float = 1.0) -> Floats:
        x, y, z = (points - origin).T
        turn = np.arctan2(x, z)
        around = TRUNK_RADIUS * turn
        # Toward the hem cloth hangs in waves, whole ones around the trunk, clear of what is below.
        waves = np.sin(5 * turn) + 0.6 * np.sin(8 * turn + 1.0)
        hanging = HEM_WAVE * (1.0 + 0.4 * waves) * np.clip((0.10 - y) / 0.12, 0.0, 1.0)
        inward = HEM_IN * rise(SHIRT_HEM + HEM_IN_WIDTH - y, 0.0, HEM_IN_WIDTH)
        folds = creases(np.stack([around, y], axis=-1), SHIRT_FOLDS) + sleeve_folds(points)
        cloth = union(shapes, points) + deep * (folds - hanging) + inward
        return union([Shape(lambda _: cloth), Shape(clear_of_trousers, blend=0.006)], points)

    def with_trousers(points: Floats) -> Floats:
        near = rise(-below(points), *NEAR_TROUSERS)
        return MOST_WITH_TROUSERS * near * rise((origin - points) @ SPINE, *WITH_TROUSERS)

    return Piece(
        "shirt",
        shapes,
        (-0.60 if is_long else -0.44, 0.76, -0.20),
        (0.60 if is_long else 0.44, 1.60, 0.24),
        0.0036,
        (7200, 3000, 560) if is_long else (6600, 2800, 460),
        whole=folded,
        lift=(0.0, 0.0, 0.0025),
        evened=0.075,
        follows=(trouser_weights, with_trousers),
        lit=lambda points: folded(points, LIT_FOLDS),
        hems=(
            lambda points: (points - origin) @ SPINE - SHIRT_HEM,
            *(sleeve_hem(side, is_long=is_long) for side in (1.0, -1.0)),
        ),
        dyed=(
            ("sleeves", raglan),
            ("shirt", lambda points: STRIPE[1] - (points - origin) @ SPINE),
            ("trim", lambda points: STRIPE[0] - (points - origin) @ SPINE),
        ),
        part=f"{sleeves} sleeves",
    )


def raglan(points: Floats) -> Floats:
    """The distance from the sleeves, which begin at a line from the collar to the armpit."""
    return (0.075 - np.abs(points[:, 0])) * 0.885 + (1.475 - points[:, 1]) * 0.466


STRIPE = 0.310, 0.362
"""Heights between which there is a stripe across the chest, along the spine, [m]."""


FOLD = 0.013
"""Half the width of a fold in cloth, [m]."""

LIT_FOLDS = 1.5
"""How much deeper light falls into folds than these are: cloth is creased, not inflated."""

TRUNK_RADIUS = 0.15
"""Of the trunk, for lengths around it, [m]."""

HEM_WAVE = 0.0014
"""How far cloth at the hem of a shirt hangs out, in the mean of its waves, [m]."""

HEM_IN = 0.0032
"""How far the hem of a shirt is within the cloth above it, [m]."""

HEM_IN_WIDTH = 0.050
"""Over this width the cloth goes in to its hem, along the spine, [m]: a form that triangles of
the hem can draw.
"""

# Folds: both ends of each, [m], and its depth there, [m]. Of the shirt to the left of the breast
# bone, around the trunk, and up: from the armpits across the chest and the back, and where cloth is
# pushed together at the waist. Both sides differ a little, as cloth does.
SHIRT_FOLDS = (
    ((0.200, 0.360), (0.060, 0.290), 0.0038),
    ((0.205, 0.310), (0.095, 0.205), 0.0034),
    ((-0.200, 0.365), (-0.075, 0.310), 0.0038),
    ((-0.205, 0.315), (-0.085, 0.225), 0.0034),
    ((0.215, 0.150), (0.060, 0.110), 0.0030),
    ((0.235, 0.100), (0.110, 0.050), 0.0030),
    ((-0.210, 0.160), (-0.075, 0.135), 0.0030),
    ((-0.225, 0.105), (-0.050, 0.065), 0.0030),
    ((0.280, 0.350), (0.400, 0.285), 0.0036),
    ((-0.280, 0.345), (-0.390, 0.270), 0.0036),
    ((0.270, 0.160), (0.430, 0.130), 0.0030),
    ((-0.270, 0.140), (-0.420, 0.115), 0.0030),
    ((0.300, 0.090), (0.420, 0.060), 0.0035),
)
# Of a sleeve along the upper arm and around it from its front outward: at the inner side, where an
# elbow bends forward.
SLEEVE_FOLDS = (
    ((0.060, 0.060), (0.110, -0.060), 0.0035),
    ((0.100, -0.080), (0.150, 0.030), 0.0030),
    ((0.130, 0.120), (0.165, 0.030), 0.0030),
    ((0.235, 0.070), (0.245, -0.060), 0.0035),
    ((0.275, 0.060), (0.270, -0.050), 0.0035),
    ((0.315, 0.050), (0.300, -0.050), 0.0030),
)
# Of a leg along it and ahead: at the back of the knee, and on the shoe.
LEG_FOLDS = (
    ((0.010, 0.10), (0.095, 0.00), 0.0045),
    ((0.060, 0.10), (0.140, 0.03), 0.0040),
    ((0.395, -0.10), (0.420, 0.02), 0.0045),
    ((0.440, -0.10), (0.445, 0.03), 0.0050),
    ((0.485, -0.10), (0.468, 0.01), 0.0040),
    ((0.715, 0.10), (0.740, -0.03), 0.0035),
    ((0.750, -0.10), (0.770, 0.05), 0.0045),
    ((0.790, 0.10), (0.800, -0.02), 0.0045),
    ((0.820, -0.10), (0.822, 0.02), 0.0030),
)


def creases(
    places: Floats, folds: Sequence[tuple[tuple[float, float], tuple[float, float], float]]
) -> Floats:
    """How far folds go into cloth at places seen from one side, shape (N, 2) to (N,), [m].

    Each is a groove with a ridge beside it; it fades to its second end.
    """
    depth = np.zeros(len(places))
    for start, end, deep in folds:
        along = np.subtract(end, start)
        share = np.clip((places - start) @ along / (along @ along), 0.0, 1.0)
        across = (places - start) @ np.array([-along[1], along[0]]) / np.linalg.norm(along)
        off = np.hypot(across, np.linalg.norm(places - start - share[:, None] * along, axis=1))
        bell = np.exp(-((across / FOLD) ** 2)) - 0.6 * np.exp(-((across / FOLD - 1.7) ** 2))
        ends = np.exp(-np.maximum(off / np.sqrt(2) - np.abs(across), 0.0) / FOLD)
        depth += deep * bell * ends * (1.0 - 0.7 * share)
    return depth


def sleeve_folds(points: Floats) -> Floats:
    """How far folds go into both sleeves, shape (N, 3) to (N,), [m]."""
    shoulder = at("LEFT_SHOULDER")
    upper = (at("LEFT_ELBOW") - shoulder) / lengths.UPPER_ARM
    away = points * np.where(points[:, :1] < 0, -1.0, 1.0) * (1.0, 0.0, 0.0) + points * (0, 1, 1)
    away = away - shoulder
    along = away @ upper
    out = away @ np.cross(upper, (0.0, 0.0, -1.0))
    around = 0.06 * np.arctan2(out, away[:, 2])
    # They fade before the chest, where else light would fall into a dent.
    near = rise(-np.hypot(out, away[:, 2]), *SLEEVE_FOLDS_END)
    return near * creases(np.stack([along, around], axis=-1), SLEEVE_FOLDS)


SLEEVE_FOLDS_END = -0.090, -0.065
"""Between these distances from the middle of an upper arm folds of its sleeve fade, negative, [m].
"""


def sleeve(end: float = 0.22) -> Distance:
    """The left sleeve down to an end along the upper arm, [m], a little lower than its hem."""
    shoulder = at("LEFT_SHOULDER")
    elbow = at("LEFT_ELBOW")
    upper = (elbow - shoulder) / lengths.UPPER_ARM
    front = np.array([0.0, 0.0, 1.0])
    tube = loft(
        shoulder, upper, np.cross(upper, front),
        [
            # along, inward, outward, front, back: over the deltoid, then it hangs and widens
            (-0.05, 0.040, 0.034, 0.045, 0.047),
            (0.00, 0.041, 0.0385, 0.048, 0.050),
            (0.05, 0.0475, 0.0450, 0.0525, 0.0535),
            (0.10, 0.0500, 0.0480, 0.0535, 0.0540),
            (0.16, 0.0510, 0.0480, 0.0555, 0.0565),
            (0.20, 0.0525, 0.0490, 0.0570, 0.0590),
            (0.23, 0.0530, 0.0495, 0.0575, 0.0600),
        ],
        ends=(-0.05, end),
    )  # fmt: skip
    cap = ellipsoid(shoulder + (-0.014, -0.020, 0.0), (0.0430, 0.0385, 0.048))
    return jointed(cap, tube, shoulder + 0.012 * upper, upper, 0.025)


def long_sleeve() -> Distance:
    """The left sleeve down to the hand: from half way to the elbow on as loose as it hangs around
    an arm.
    """
    bare = sleeved_arm()
    shoulder = at("LEFT_SHOULDER")
    upper = (at("LEFT_ELBOW") - shoulder) / lengths.UPPER_ARM
    return jointed(
        sleeve(0.30), lambda points: bare(points) - 0.011, shoulder + 0.20 * upper, upper, 0.05
    )


def sleeve_hem(side: float, *, is_long: bool) -> Distance:
    """The height above the hem of the left sleeve, whose side is 1, or of the right one, −1."""
    start = at("LEFT_ELBOW") if is_long else at("LEFT_SHOULDER")
    end = at("LEFT_WRIST") if is_long else at("LEFT_ELBOW")
    axis = (end - start) / np.linalg.norm(end - start)
    hem = lengths.FOREARM - 0.025 if is_long else 0.185

    def height(points: Floats) -> Floats:
        away = (points - start * (side, 1.0, 1.0)) * (side, 1.0, 1.0)
        along = away @ axis
        # Only around the arm.
        return np.where((away**2).sum(-1) - along**2 < 0.10**2, hem - along, 1.0)

    return height


COLLAR = 0.081, 0.077
"""Half the width and half the depth of the opening for the neck, seen from above, [m]."""

COLLAR_AHEAD = -0.004
"""How far its middle is ahead of the upper end of the spine, [m]."""

COLLAR_DEEP = -0.025
"""How high it begins above there, within the skin, [m]."""

BAND = 0.0125
"""How wide the ribbed band around it is, [m]."""


def within_collar(points: Floats) -> Floats:
    """How far points are inside the opening for the neck."""
    x, y, z = (points - at("CHEST") - (0.0, 0.0, COLLAR_AHEAD)).T
    wide, deep = COLLAR
    across = wide * (1.0 - np.hypot(x / wide, z / deep))
    return np.minimum(across, y - COLLAR_DEEP)


@lru_cache(maxsize=1)
def _collar_line() -> tuple[Floats, Floats]:
    """Points along the line in which the shirt ends around the neck, to the left from straight
    ahead, and the directions there along the cloth away from the neck, shape (`COLLAR_POINTS`, 3)
    both.
    """
    around = np.linspace(0.0, 2 * np.pi, COLLAR_POINTS, endpoint=False)
    middle = at("CHEST") + (0.0, 0.0, COLLAR_AHEAD)
    wide, deep = COLLAR
    outline = np.stack([wide * np.sin(around), 0.0 * around, deep * np.cos(around)], axis=-1)
    # From above the shoulders down, half way each time to where the column enters the cloth.
    low = np.full(COLLAR_POINTS, -0.06)
    high = np.full(COLLAR_POINTS, 0.16)
    for _ in range(20):
        up = 0.5 * (low + high)
        inside = union(yoke(), middle + outline + up[:, None] * (0.0, 1.0, 0.0)) < 0.0
        low = np.where(inside, up, low)
        high = np.where(inside, high, up)
    line = middle + outline + high[:, None] * (0.0, 1.0, 0.0)
    along = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    away = np.cross(along, outward(lambda points: union(yoke(), points), line, 0.002))
    return line, away / np.linalg.norm(away, axis=1, keepdims=True)


COLLAR_POINTS = 672
"""A multiple of how many corners lie around the neckband in each level of detail."""


def from_collar(points: Floats) -> Floats:
    """How far points are outside of the line in which the shirt ends around the neck; toward the
    neck from it they are negative.
    """
    line, away = _collar_line()
    far, nearest = KDTree(line).query(points)
    is_outside = ((points - line[nearest]) * away[nearest]).sum(axis=-1) > 0.0
    return np.where(is_outside, far, -np.asarray(far))


# Across the neckband from its outer edge to within the collar: how far out from the line around
# the neck, and how high over the cloth, [m].
_BAND_PROFILE = (
    (BAND, 0.0006), (BAND - 0.0012, 0.0018), (0.70 * BAND, 0.0026), (0.20 * BAND, 0.0030),
    (-0.0006, 0.0021), (-0.0016, -0.0008), (-0.0014, -0.0060), (0.0, -0.0140),
)  # fmt: skip

_BAND_LEVELS = (96, 0.0003), (56, 0.0020), (28, 0.0045)
"""Corners around the neckband in each level of detail, and how far out they are moved, [m]."""


def neckband() -> list[list[Mesh]]:
    """The ribbed edge of the shirt around the neck, in each level of detail: a strip along the line
    where the shirt ends, which moves as its cloth does.
    """
    whole = replace(shirt(), step=WEIGHTS_STEP)
    weigh = evened(whole, *surface(whole))
    cloth = whole.lit or whole.distance
    line, away = _collar_line()
    made = []
    for around, lift in _BAND_LEVELS:
        step = COLLAR_POINTS // around
        rows = []
        for out, high in _BAND_PROFILE:
            points = line + out * away
            for _ in range(2):
                points = points - cloth(points)[:, None] * outward(cloth, points, 0.002)
            rows.append(points + (high + lift) * outward(cloth, points, 0.002))
        grid = np.stack(rows)
        across = np.gradient(grid, axis=0)
        onward = np.roll(grid, -1, axis=1) - np.roll(grid, 1, axis=1)
        slopes = np.cross(onward, across)
        slopes /= np.linalg.norm(slopes, axis=-1, keepdims=True)
        # Light falls on it nearly as on the cloth around: it is flat, not a cord.
        normals = slopes + BAND_FLAT * outward(cloth, grid.reshape(-1, 3), 0.002).reshape(
            grid.shape
        )
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        here = np.arange(len(rows) * around).reshape(len(rows), around)
        there = np.roll(here, -1, axis=1)
        quads = here[:-1], there[:-1], there[1:], here[1:]
        a, b, c, d = (each.ravel() for each in quads)
        triangles = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
        points = grid[:, ::step].reshape(-1, 3)
        made.append([
            Mesh(points, normals[:, ::step].reshape(-1, 3), strongest(weigh(points)), triangles,
                COVERS.index("trim"))
        ])  # fmt: skip
    return made


BAND_FLAT = 1.0
"""How much the way that the cloth around it faces counts for the light on a neckband, over its own
form.
"""

WEIGHTS_STEP = 0.0072
"""Of the grid on which weights of the shirt are found for its neckband, [m]."""

TROUSER_HEM = 0.385
"""How far below the knee trousers end, along the shank, [m]: where the ankle begins."""


def trousers() -> Piece:
    """Trousers from the waist, which the shirt hides, to the shoes."""
    hips = loft(
        at("PELVIS"), np.array([0.0, 1.0, 0.0]), LEFT,
        [
            (-0.135, 0.034, 0.034, 0.034, 0.040),
            (-0.11, 0.090, 0.090, 0.060, 0.070),
            (-0.06, 0.146, 0.146, 0.083, 0.090),
            (-0.02, 0.156, 0.156, 0.092, 0.106),
            (0.05, 0.135, 0.135, 0.085, 0.085),
        ],
        power=2.3,
    )  # fmt: skip
    hip = at("LEFT_HIP")
    knee = at("LEFT_KNEE")
    shank = at("LEFT_ANKLE") - at("LEFT_KNEE")
    shank /= np.linalg.norm(shank)

    def hem(points: Floats) -> Floats:
        return TROUSER_HEM - (np.column_stack([np.abs(points[:, 0]), points[:, 1:]]) - knee) @ shank

    return Piece(
        "trousers",
        [
            Shape(hips, trunk_chain, reach=0.02),
            *both(
                Shape(leg(), leg_chain, 0.04, reach=0.02),
                Shape(ellipsoid(hip + (-0.010, -0.055, -0.048), (0.070, 0.082, 0.060)), leg_chain,
                    0.045, reach=0.02),
            ),
        ],
        (-0.26, 0.02, -0.22), (0.26, 1.0, 0.22), 0.0042, (4800, 2200, 300), hems=(hem,),
        evened=0.04, part="trousers",
    )  # fmt: skip


@lru_cache(maxsize=1)
def trouser_weights() -> Chain:
    """Weights of bones on trousers, and at points near them those of the nearest place there."""
    whole = replace(trousers(), step=WEIGHTS_STEP)
    return evened(whole, *surface(whole))


SHORTS_HEM = 0.055
"""How far above the knee shorts end, [m]."""


def shorts() -> Piece:
    """Trousers that end above the knee."""
    bottom = at("LEFT_KNEE")[1] + SHORTS_HEM
    return replace(trousers(), hems=(lambda points: points[:, 1] - bottom,), part="shorts")


def bare_leg() -> Piece:
    """The left leg from within the shorts into the sock."""
    knee = at("LEFT_KNEE")
    shank = at("LEFT_ANKLE") - knee
    shank /= np.linalg.norm(shank)
    thigh = knee - at("LEFT_HIP")
    thigh /= np.linalg.norm(thigh)
    upper = loft(
        knee, thigh, -KNEE_OUT,
        [
            # along, inward, outward, front, back
            (-0.14, 0.060, 0.059, 0.065, 0.063),
            (-0.10, 0.057, 0.056, 0.062, 0.060),
            (-0.03, 0.050, 0.049, 0.056, 0.054),
            (0.00, 0.048, 0.047, 0.056, 0.052),
            (0.06, 0.045, 0.045, 0.048, 0.054),
        ],
    )  # fmt: skip
    lower = loft(
        knee, shank, -KNEE_OUT,
        [
            (-0.06, 0.049, 0.048, 0.056, 0.053),
            (0.00, 0.048, 0.047, 0.056, 0.052),
            (0.05, 0.046, 0.046, 0.047, 0.056),
            (0.12, 0.047, 0.049, 0.043, 0.065),
            (0.20, 0.042, 0.044, 0.040, 0.057),
            (0.30, 0.034, 0.035, 0.035, 0.043),
            (0.38, 0.031, 0.031, 0.034, 0.038),
        ],
        # Above where the sock goes with the foot.
        ends=(None, 0.347),
    )  # fmt: skip
    whole = jointed(upper, lower, knee, bend("LEFT_HIP", "LEFT_KNEE", "LEFT_ANKLE")[1], 0.05)
    low = knee + (-0.12, -0.42, -0.16)
    high = knee + (0.12, 0.24, 0.12)
    return Piece(
        *("skin", [Shape(whole, leg_chain)], low, high, 0.0035, (1900, 800, 130), True),
        part="bare legs",
    )


def sock() -> Piece:
    """The left sock, from within the trousers into the shoe."""
    ankle = at("LEFT_ANKLE")
    shank = ankle - at("LEFT_KNEE")
    shank /= np.linalg.norm(shank)
    tube = loft(
        ankle, -shank, KNEE_OUT,
        [
            # up, outward, inward, front, back: 3 mm more than the leg
            (-0.05, 0.028, 0.028, 0.040, 0.036),
            (0.0, 0.029, 0.029, 0.036, 0.037),
            (0.04, 0.0335, 0.0335, 0.0370, 0.0400),
            (0.10, 0.0365, 0.0360, 0.0380, 0.0440),
            (0.14, 0.0385, 0.0375, 0.0390, 0.0480),
        ],
    )  # fmt: skip
    low = ankle + (-0.07, -0.07, -0.09)
    high = ankle + (0.07, 0.17, 0.09)
    return Piece(
        *("socks", [Shape(tube, ankle_chain)], low, high, 0.0030, (520, 260, 60), True),
        hems=(lambda points: 0.095 - (ankle - points) @ shank,),
        over=(above_shoe,),
        clear=0.0002,
    )


TOE_CAP = 0.0016
"""How far the cap over the toes stands out of the shoe, [m]."""

KNEE_OUT = np.array([np.cos(np.radians(12.4)), 0.0, -np.sin(np.radians(12.4))])
"""The direction outward at the left knee."""


def leg() -> Distance:
    """The left leg, a little longer than its hem."""
    hip = at("LEFT_HIP")
    knee = at("LEFT_KNEE")
    ankle = at("LEFT_ANKLE")
    thigh = knee - hip
    shank = ankle - knee
    thigh = thigh / np.linalg.norm(thigh)
    shank = shank / np.linalg.norm(shank)
    size = lengths.THIGH
    upper = loft(
        hip, thigh, -KNEE_OUT,
        [
            # along, inward, outward, front, back
            (-0.10, 0.050, 0.050, 0.060, 0.070),
            (0.0, 0.086, 0.072, 0.074, 0.082),
            (0.08, 0.086, 0.083, 0.083, 0.090),
            (0.14, 0.082, 0.084, 0.086, 0.090),
            (0.20, 0.076, 0.082, 0.085, 0.087),
            (0.28, 0.070, 0.074, 0.081, 0.081),
            (0.36, 0.066, 0.065, 0.075, 0.073),
            (size, 0.0615, 0.0605, 0.070, 0.068),
            (size + 0.06, 0.060, 0.060, 0.068, 0.069),
        ],
        power=2.1,
    )  # fmt: skip
    lower = loft(
        knee, shank, -KNEE_OUT,
        [
            (-0.06, 0.063, 0.062, 0.072, 0.069),
            (0.0, 0.0615, 0.0605, 0.070, 0.068),
            (0.10, 0.060, 0.060, 0.063, 0.077),
            (0.18, 0.057, 0.058, 0.059, 0.077),
            (0.30, 0.053, 0.053, 0.056, 0.070),
            (0.405, 0.054, 0.054, 0.061, 0.069),
            (0.44, 0.054, 0.054, 0.061, 0.069),
        ],
        power=2.1, ends=(-0.06, 0.43),
    )  # fmt: skip
    whole = jointed(upper, lower, knee, bend("LEFT_HIP", "LEFT_KNEE", "LEFT_ANKLE")[1], 0.06)

    def folded(points: Floats) -> Floats:
        place = np.column_stack([size - (points - knee)[:, 1], (points - knee)[:, 2]])
        return whole(points) + creases(place, LEG_FOLDS)

    return folded


LACES = 0.019
"""From one lace to the next, [m]."""


def above_shoe(points: Floats) -> Floats:
    """How far points are above the opening of the left shoe, which is a little higher in front."""
    ahead = (at("LEFT_TOES") - at("LEFT_ANKLE")) * (1.0, 0.0, 1.0)
    ahead /= np.linalg.norm(ahead)
    return points[:, 1] - 0.086 - 0.30 * ((points - at("LEFT_ANKLE")) @ ahead)


def shoe() -> list[Piece]:
    """The left shoe and its sole."""
    ankle = at("LEFT_ANKLE")
    toes = at("LEFT_TOES")
    ahead = (toes - ankle) * (1.0, 0.0, 1.0)
    ahead /= np.linalg.norm(ahead)
    ground = ankle * (1.0, 0.0, 1.0)
    inward = np.cross(ahead, (0.0, 1.0, 0.0))
    inward = inward if inward[0] < 0 else -inward
    # Along, inward, outward, up, down.
    table = [
        (-0.088, 0.006, 0.006, 0.006, 0.006),
        (-0.082, 0.021, 0.021, 0.062, 0.020),
        (-0.064, 0.032, 0.032, 0.100, 0.024),
        (-0.020, 0.040, 0.041, 0.130, 0.026),
        (0.020, 0.040, 0.041, 0.110, 0.026),
        (0.060, 0.041, 0.043, 0.060, 0.026),
        (0.100, 0.044, 0.046, 0.038, 0.026),
        (0.140, 0.045, 0.047, 0.027, 0.026),
        (0.172, 0.038, 0.040, 0.022, 0.026),
        (0.190, 0.024, 0.026, 0.014, 0.020),
        (0.197, 0.006, 0.006, 0.006, 0.006),
    ]
    turned = np.cross(inward, ahead)[1] > 0
    rows = [(a, i, o, u, d) if turned else (a, i, o, d, u) for a, i, o, u, d in table]
    body = loft(ground + (0.0, 0.026, 0.0), ahead, inward, rows, power=2.3)
    heel = ground - 0.046 * ahead
    ball = ground + 0.152 * ahead - 0.003 * inward
    outline = cone(heel, 0.0405, ball, 0.0510)

    def across(points: Floats) -> Floats:
        return outline(points * (1.0, 0.0, 1.0))

    def upper(points: Floats) -> Floats:
        # At the bottom it is so much narrower than the sole that its soft edge stays within.
        up = points[:, 1]
        band = in_both(across(points) + 0.0045, np.abs(up - 0.020) - 0.012, 0.006)
        whole = in_both(body(points), across(points) + 0.0045, 0.004)
        shell = union([Shape(lambda _: whole), Shape(lambda _: band, blend=0.010)], points)
        return shell - TOE_CAP * rise(-before_toe_cap(points), 0.0, 0.004)

    def before_toe_cap(points: Floats) -> Floats:
        return 0.154 - (points - ground) @ ahead

    def sole(points: Floats) -> Floats:
        # Wider than the upper, up to its lower edge. Light falls on it as on its side: its edges
        # are round, and of few triangles.
        up = points[:, 1]
        return in_both(across(points) - 0.0042, np.abs(up - 0.0137) - 0.0133, 0.004)

    def laces(points: Floats) -> Floats:
        along = (points - ground) @ ahead
        nearest = np.clip(np.round((along - 0.063) / LACES), 0.0, 2.0) * LACES + 0.063
        bar = np.hypot(along - nearest, np.maximum(np.abs((points - ground) @ inward) - 0.016, 0.0))
        return in_both(body(points) - 0.0022, bar - 0.0034, 0.002)

    foot = only("left foot")
    low = ground + (-0.12, -0.02, -0.12)
    high = ground + (0.15, 0.12, 0.24)
    return [
        Piece(
            "shoes", [Shape(upper, foot)], low, high, 0.0028, (900, 460, 120), True,
            over=(sole,), clear=0.0002, hems=(lambda points: -above_shoe(points),),
            dyed=(("soles", before_toe_cap),),
        ),
        Piece(
            "soles", [Shape(sole, foot)], low, high, 0.0024, (480, 240, 56), True, lit=across,
        ),
        Piece(
            "soles", [Shape(laces, foot)], low, high, 0.0016, (520, 130, 0), True, over=(upper,),
            hems=(lambda points: points[:, 1] - 0.035,),
        ),
    ]  # fmt: skip
