"""The skin follows the joints: volumes are kept where limbs bend, nothing is wrung, and the whole
stays small.
"""

from itertools import pairwise, product

import numpy as np
import pytest
from life import without_life
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.arrays import Floats, Integers
from juggle_anim.body import Joint
from juggle_anim.body.skeleton import FOREARM, PALM, SHANK, THIGH
from juggle_anim.resources import resource
from juggle_anim.scene.skin import (
    BONES,
    COVERS,
    EYE,
    HAIR_CUTS,
    LEVELS,
    NAMES,
    PARTS,
    UNIT,
    SkinLevel,
    load_skin,
    parts_worn,
    worn_number,
)
from juggle_anim.vectors import cross, dot, unit

REST = load_skin().skeleton.joints
DRESSED = [
    level.wearing(worn_number("short", "short sleeves", "bare arms", "trousers"))
    for level in load_skin().levels
]
"""Somebody in each level of detail."""
BENDS = np.radians([0.0, 25.0, 45.0, 65.0, 90.0, 110.0, 130.0])
AROUND = 0.09
"""How far from a joint its volume is measured, along the limb, [m]."""


def carried(joints: Floats, level: SkinLevel) -> Floats:
    """The points of the skin for joints, shape (V, 3), as the vertex shader has them."""
    return level.carried(load_skin().skeleton.transforms(joints))


def volume(points: Floats, triangles: Integers, ends: Floats, which: Integers) -> float:
    """The volume within triangles, whose open ends are closed by fans from the point of `ends` of
    each corner.
    """
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    total = dot(a, cross(b, c)).sum()
    edges = {
        (i, j)
        for triangle in triangles
        for i, j in pairwise([*triangle.tolist(), int(triangle[0])])
    }
    for i, j in edges:
        if (j, i) not in edges:
            total += ends[which[i]] @ np.cross(points[j], points[i])
    return float(total / 6)


def bent(limb: str, angle: float) -> Floats:
    """The joints at rest but for one limb, bent by an angle."""
    joints = REST.copy()
    if limb == "ELBOW":
        upper = unit(joints[Joint.LEFT_ELBOW] - joints[Joint.LEFT_SHOULDER])
        lower = unit(joints[Joint.LEFT_WRIST] - joints[Joint.LEFT_ELBOW])
        ahead = unit(lower - dot(lower, upper) * upper)
        # An arm is never quite straight.
        angle = max(angle, 0.02)
        before = np.stack([lower, ahead_of(lower, upper)])
        lower = np.cos(angle) * upper + np.sin(angle) * ahead
        turn(
            joints,
            "ELBOW",
            ("WRIST", "PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP"),
            before,
            lower,
            upper,
        )
        assert np.linalg.norm(joints[Joint.LEFT_WRIST] - joints[Joint.LEFT_ELBOW]) == pytest.approx(
            FOREARM
        )
        assert np.linalg.norm(joints[Joint.LEFT_PALM] - joints[Joint.LEFT_WRIST]) == pytest.approx(
            PALM
        )
        return joints
    down, ahead = np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    thigh, shank = down, down
    if limb == "KNEE":
        shank = np.cos(angle) * down - np.sin(angle) * ahead
    else:
        thigh = np.cos(angle) * down + np.sin(angle) * ahead
        shank = thigh
    toes = joints[Joint.LEFT_TOES] - joints[Joint.LEFT_ANKLE]
    joints[Joint.LEFT_KNEE] = joints[Joint.LEFT_HIP] + THIGH * thigh
    joints[Joint.LEFT_ANKLE] = joints[Joint.LEFT_KNEE] + SHANK * shank
    # The sole stays at a right angle to the shank.
    across = np.array([1.0, 0.0, 0.0])
    joints[Joint.LEFT_TOES] = joints[Joint.LEFT_ANKLE] + np.linalg.norm(toes) * cross(
        across, -shank
    )
    return joints


def ahead_of(lower: Floats, upper: Floats) -> Floats:
    return unit(upper - dot(upper, lower) * lower)


def turn(
    joints: Floats, root: str, names: tuple[str, ...], before: Floats, lower: Floats, upper: Floats
) -> None:
    """Turn joints about an elbow, so that the forearm comes to lie along `lower`."""
    frames = [
        np.stack([x, y, cross(x, y)], axis=1) for x, y in (before, (lower, ahead_of(lower, upper)))
    ]
    start = joints[Joint[f"LEFT_{root}"]]
    for name in names:
        place = Joint[f"LEFT_{name}"]
        joints[place] = start + frames[1] @ frames[0].T @ (joints[place] - start)


LIMBS = {
    # Name of the joint, what covers it, the joint before it, and the joint after it.
    "ELBOW": ("skin", "LEFT_SHOULDER", "LEFT_WRIST"),
    "KNEE": ("trousers", "LEFT_HIP", "LEFT_ANKLE"),
}


@pytest.mark.parametrize("limb", LIMBS)
def test_elbows_and_knees_keep_their_volume(limb: str) -> None:
    cover, before, after = LIMBS[limb]
    level = DRESSED[0]
    points = level.points * UNIT
    joint, first, last = REST[Joint[f"LEFT_{limb}"]], REST[Joint[before]], REST[Joint[after]]
    axis = unit(unit(joint - first) + unit(last - joint))
    along, off = (points - joint) @ axis, np.linalg.norm(points - joint, axis=1)
    near = (np.abs(along) < AROUND) & (off < 0.2) & (level.covers == COVERS.index(cover))
    _, place = np.unique(level.points, axis=0, return_inverse=True)
    _, one = np.unique(place.ravel(), return_index=True)
    triangles = one[place.ravel()][level.triangles[near[level.triangles].all(axis=1)].astype(int)]
    sizes = []
    for angle in BENDS:
        joints = bent(limb, float(angle))
        middle = joints[Joint[f"LEFT_{limb}"]]
        ends = np.array(
            [middle + AROUND * unit(joints[Joint[each]] - middle) for each in (before, after)]
        )
        sizes.append(volume(carried(joints, level), triangles, ends, (along > 0).astype(int)))
    assert sizes[0] > 1e-4
    assert max(sizes) < 1.15 * sizes[0]
    assert min(sizes) > 0.85 * sizes[0]


def test_hips_keep_their_volume() -> None:
    level = DRESSED[0]
    points = level.points * UNIT
    depth = 0.17
    near = (points[:, 1] > REST[Joint.LEFT_HIP, 1] - depth) & (
        level.covers == COVERS.index("trousers")
    )
    _, place = np.unique(level.points, axis=0, return_inverse=True)
    _, one = np.unique(place.ravel(), return_index=True)
    triangles = one[place.ravel()][level.triangles[near[level.triangles].all(axis=1)].astype(int)]
    sizes = []
    for angle in BENDS:
        joints = bent("HIP", float(angle))
        ends = np.array([
            joints[hip] + depth * unit(joints[knee] - joints[hip])
            for hip, knee in ((Joint.RIGHT_HIP, Joint.RIGHT_KNEE),
                (Joint.LEFT_HIP, Joint.LEFT_KNEE))
        ])  # fmt: skip
        sizes.append(
            volume(carried(joints, level), triangles, ends, (points[:, 0] > 0).astype(int))
        )
    # One of two hips is bent.
    changes = 2 * (np.array(sizes) / sizes[0] - 1)
    assert np.abs(changes).max() < 0.15


@pytest.mark.parametrize("level", range(LEVELS))
def test_at_rest_every_point_is_where_it_was_made(level: int) -> None:
    skin = load_skin().levels[level]
    np.testing.assert_allclose(carried(REST, skin), skin.points * UNIT, atol=2e-6)
    assert (skin.shares.astype(int).sum(axis=1) == 255).all()
    assert skin.bones.max() < len(BONES)
    # Both sides are alike.
    assert {name.replace("left", "right") for name in NAMES} | {
        name.replace("right", "left") for name in NAMES
    } == set(NAMES)


@pytest.mark.parametrize("level", range(LEVELS))
def test_each_part_has_points_of_its_own_in_a_row(level: int) -> None:
    skin = load_skin().levels[level]
    points = [np.unique(part) for part in np.split(skin.triangles, skin.parts[:-1])]
    np.testing.assert_array_equal(np.concatenate(points), np.arange(len(skin.points)))


def test_the_twist_of_a_hand_is_spread_along_the_forearm() -> None:
    joints = REST.copy()
    elbow, wrist = joints[Joint.LEFT_ELBOW], joints[Joint.LEFT_WRIST]
    axis, angle = unit(wrist - elbow), np.radians(160.0)
    for name in ("PALM", "FINGERS", "TIPS", "THUMB", "THUMB_TIP"):
        away = joints[Joint[f"LEFT_{name}"]] - wrist
        turned = (
            np.cos(angle) * away
            + np.sin(angle) * cross(axis, away)
            + (1 - np.cos(angle)) * dot(axis, away) * axis
        )
        joints[Joint[f"LEFT_{name}"]] = wrist + turned
    level = load_skin().levels[0]
    points = level.points * UNIT
    along = (points - elbow) @ axis
    lower = (
        (along > 0.07)
        & (along < 0.22)
        & (np.linalg.norm(points - elbow - along[:, None] * axis, axis=1) < 0.06)
    )
    lower &= level.covers == COVERS.index("skin")
    after = carried(joints, level)[lower]
    before = np.linalg.norm(points[lower] - elbow - along[lower, None] * axis, axis=1)
    now = np.linalg.norm(after - elbow - ((after - elbow) @ axis)[:, None] * axis, axis=1)
    assert lower.sum() > 100
    assert (now / before).min() > 0.7


@pytest.mark.parametrize("pattern", ["mills mess", "531", "b97531", "pattern=5;prop=club", "744"])
def test_forearms_and_hands_stay_out_of_the_trunk(pattern: str) -> None:
    # The depth in so coarse a surface jumps by more than breath and sway move it.
    animation = without_life(ja.animate(pattern))
    level = DRESSED[2]
    arms = [
        number for number, name in enumerate(NAMES)
        if "twisted" in name.partition("forearm")[2]
        or name.split(" ", 1)[-1] in ("wrist", "hand", "finger", "thumb")
    ]  # fmt: skip
    arm = np.isin(level.bones[:, 0], arms)
    trunk = np.flatnonzero(level.covers == COVERS.index("shirt"))
    for joints in animation.pose(np.linspace(0.0, animation.duration, 25)).joints[:, 0]:
        points = carried(joints, level)
        deep = depth_within(points[arm], points[trunk], joints)
        assert deep < 0.012


def depth_within(points: Floats, shirt: Floats, joints: Floats) -> float:
    """How deep points are within the outline of a shirt, [m]: along the level line from the
    spine.
    """
    spine = unit(joints[Joint.CHEST] - joints[Joint.PELVIS])
    deepest = 0.0
    heights, at = (points - joints[Joint.PELVIS]) @ spine, (shirt - joints[Joint.PELVIS]) @ spine
    for point, height in zip(points, heights, strict=True):
        if not 0.0 < height < 0.35:
            continue
        ring = shirt[np.abs(at - height) < 0.04]
        middle = joints[Joint.PELVIS] + height * spine
        away = point - middle
        size = float(np.linalg.norm(away))
        off = ring - middle
        sizes = np.linalg.norm(off, axis=1)
        # Not the sleeves.
        same = (off @ away / (sizes * size) > np.cos(0.12)) & (sizes < 0.22)
        if same.any():
            deepest = max(deepest, float(np.median(sizes[same])) - size)
    return deepest


def test_the_surface_is_a_small_file() -> None:
    assert resource("assets", "figure.npz").stat().st_size < 600_000


EAR = np.array([0.080, -0.004, -0.014])
"""The left ear, from the middle of the head, [m]."""


@pytest.mark.parametrize(
    ("cut", "level"),
    sampled(
        product(["short", "crop", "ponytail", "curly", "bun", "balding", "afro"], range(LEVELS)),
        *(("short", 1), ("ponytail", LEVELS - 1), ("balding", 1)),
        arguments=2,
    ),
)
def test_no_skin_comes_through_hair(cut: str, level: int) -> None:
    skin = load_skin().levels[level]
    points = UNIT * skin.points - REST[Joint.HEAD]
    parts = np.split(skin.triangles, skin.parts[:-1])
    body = points[parts[0][(skin.covers[parts[0]] == COVERS.index("skin")).all(axis=1)]]
    head = body[(np.abs(body) < 0.13).all(axis=(1, 2))]
    # Every third triangle is enough.
    for middle in points[parts[1 + PARTS.index(cut)]].mean(axis=1)[::3]:
        # An ear lies before hair.
        if np.linalg.norm(np.abs(middle[0]) * np.eye(3)[0] + middle * (0, 1, 1) - EAR) > 0.040:
            size = float(np.linalg.norm(middle))
            assert size > reach(head, middle / size) + 0.0004


def reach(triangles: Floats, direction: Floats) -> float:
    """How far from the origin a ray last crosses triangles, shape (N, 3, 3); 0 if it does not."""
    first, second, third = triangles.transpose(1, 0, 2)
    # A point of the ray is first + share * (second - first) + other * (third - first).
    normal = cross(second - first, third - first)
    facing = normal @ direction
    along = dot(first, normal)[:, 0] / np.where(facing == 0.0, np.inf, facing)
    hits = along[:, None] * direction
    edges = (first, second), (second, third), (third, first)
    within = [dot(cross(b - a, hits - a), normal)[:, 0] >= 0.0 for a, b in edges]
    return float(along[np.all(within, axis=0)].max(initial=0.0))


@pytest.mark.parametrize("level", range(LEVELS))
def test_a_figure_shows_its_body_and_what_it_wears(level: int) -> None:
    skin = load_skin().levels[level]
    assert len(skin.parts) == len(PARTS) + 1
    assert skin.parts[-1] == len(skin.triangles)
    parts = np.split(skin.triangles, skin.parts[:-1])
    for number, name in enumerate(PARTS):
        worn = worn_number(name)
        assert parts_worn(worn) == [number]
        shown = skin.wearing(worn)
        assert len(parts[1 + number])
        expected = np.concatenate([parts[0], parts[1 + number]])
        np.testing.assert_array_equal(shown.points[shown.triangles], skin.points[expected])
        np.testing.assert_array_equal(shown.wearing(worn).triangles, shown.triangles)
        hair = COVERS.index("hair"), COVERS.index("stubble")
        is_hair = np.isin(skin.covers[parts[1 + number]], hair)
        assert (is_hair == (name in (*HAIR_CUTS, "beard"))).all()


@pytest.mark.parametrize("level", [0, 1])
def test_a_lid_closes_over_the_eye_as_it_is_told_to(level: int) -> None:
    skin = load_skin()
    gaze = unit(np.array([0.1, 0.3, 1.0]))
    rims = []
    for lids in (0.0, 0.5, 1.0):
        bones = skin.skeleton.transforms(REST, gaze, lids=lids)
        points = skin.levels[level].carried(bones) - REST[Joint.HEAD] - EYE
        covers = skin.levels[level].covers
        lashes = (covers == COVERS.index("pupils")) & (
            skin.levels[level].bones == NAMES.index("left lid")
        ).any(axis=1)
        middle = lashes & (np.abs(points[:, 0]) < 0.004)
        rims.append(points[middle, 1].mean())
        iris = (covers == COVERS.index("irises")) & (points[:, 0] > -EYE[0])
        radius = np.linalg.norm(points[iris], axis=1)
    assert rims[0] > 0.006
    assert rims[2] < -0.003
    assert rims[0] > rims[1] > rims[2]
    assert radius.max() < np.linalg.norm(points[middle], axis=1).min()  # the eye is behind it


@pytest.mark.parametrize("level", [0, 1])
def test_irises_are_seen_in_profile_also_where_eyes_look_aside(level: int) -> None:
    skin = load_skin()
    away = np.radians(20.0)
    gaze = np.array([np.sin(away), 0.0, np.cos(away)])
    points = skin.levels[level].carried(skin.skeleton.transforms(REST, gaze))
    is_iris = skin.levels[level].covers == COVERS.index("irises")
    right = points[is_iris & (points[:, 0] < REST[Joint.HEAD, 0])]
    behind = right[right[:, 0].argmin(), 2]
    assert right[:, 2].max() - behind > 0.0008


def test_eyes_turn_in_their_sockets_toward_what_is_looked_at() -> None:
    skin, level = load_skin(), load_skin().levels[0]
    joints = REST + (0.3, 0.1, -0.2)
    gaze = unit(np.array([0.3, -0.2, 1.0]))
    bones = skin.skeleton.transforms(joints, gaze).astype(float)
    for side, x in (("left", EYE[0]), ("right", -EYE[0])):
        number = NAMES.index(f"{side} eye")
        middle = REST[Joint.HEAD] + (x, *EYE[1:])
        turn, shift = bones[number, :, :3], bones[number, :, 3]
        np.testing.assert_allclose(turn @ middle + shift, middle + (0.3, 0.1, -0.2), atol=1e-6)
        np.testing.assert_allclose(turn @ (0.0, 0.0, 1.0), gaze, atol=1e-6)
        pupil = (
            (level.covers == COVERS.index("pupils"))
            & (level.bones[:, 0] == number)
            & (level.shares[:, 0] == 255)
        )
        np.testing.assert_allclose(
            (level.points[pupil] * UNIT).mean(axis=0)[:2], middle[:2], atol=2e-4
        )
