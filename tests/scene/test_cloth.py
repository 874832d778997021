"""Cloth holds however a body bends: nothing is torn, turned inside out, or seen through."""

from functools import lru_cache

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.arrays import Floats, Integers, Singles
from juggle_anim.scene.people import PEOPLE
from juggle_anim.scene.skin import COVERS, NAMES, UNIT, SkinLevel, load_skin
from juggle_anim.vectors import cross, dot, unit

# The throws that bend hips, trunk and shoulders the most.
THROWS = [
    *("albert", "backcross"),
    *(
        pytest.param(throw, marks=pytest.mark.long)
        for throw in ("underleg", "overhead", "underleg-other", "trebla")
    ),
]
VIEWS = (
    (0.0, 0.1, 1.0), (1.0, 0.1, 0.0), (0.0, 0.1, -1.0), (-1.0, 0.1, 0.0), (0.6, 0.8, 0.5),
    (0.5, -0.4, -0.8),
)  # fmt: skip
PIXEL = 0.006
"""In which the figure is seen, [m]."""
SHIRT = [COVERS.index(cover) for cover in ("shirt", "sleeves", "trim")]
CLOTHES = [*SHIRT, *(COVERS.index(cover) for cover in ("trousers", "socks", "shoes"))]
HEM_HEIGHT = 0.030
"""Above the edge of a shirt, [m]."""
FACES_ASIDE = 0.8
"""Sine of the greatest angle up or down of cloth around the hips."""
GROIN = 0.03
"""What is farther ahead at rest is pressed together as hips bend, [m]."""
SMALL = 2.5e-5
"""Twice the area of a triangle whose facing is that of rounding, [m²]."""
SKINNY = 0.0015
"""Triangles lower than this are lines, whose stretch is that of rounding, [m]."""


@lru_cache(maxsize=4)
def dressed(person: int) -> SkinLevel:
    return load_skin().levels[0].wearing(PEOPLE[person].worn)


def bones(throw: str, time: float, girths: Floats | None = None) -> Singles:
    """Transforms of bones at a share of the loop."""
    animation = ja.animate("3", throws=f"{throw},-")
    joints = animation.pose(np.array([time * animation.duration])).joints[0, 0]
    return load_skin().skeleton.transforms(joints, girths=girths)


def seen_from(points: Floats, triangles: Integers, view: Floats) -> Integers:
    """The triangle that is nearest in each pixel that shows any, as seen from a direction."""
    right = unit(cross(np.array([0.0, 1.0, 0.0]), view))
    flat = points @ np.stack([right, cross(view, right), view], axis=1)
    flat[:, :2] = (flat[:, :2] - flat[:, :2].min(axis=0)) / PIXEL
    corners = flat[triangles]
    low = np.ceil(corners[..., :2].min(axis=1)).astype(int)
    sizes = np.maximum(np.floor(corners[..., :2].max(axis=1)).astype(int) - low + 1, 0)
    counts = sizes.prod(axis=1)
    triangle = np.repeat(np.arange(len(triangles)), counts)
    number = np.arange(len(triangle)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = low[triangle, 0] + number % sizes[triangle, 0]
    y = low[triangle, 1] + number // sizes[triangle, 0]
    away = corners[triangle] - np.stack([x, y, np.zeros_like(x)], axis=-1)[:, None]
    # Twice the areas that the pixel spans with each side: the weights of the corner across it.
    ahead, behind = np.roll(away, -1, axis=1), np.roll(away, -2, axis=1)
    weights = ahead[..., 0] * behind[..., 1] - ahead[..., 1] * behind[..., 0]
    area = weights.sum(axis=1)
    within = (weights * np.sign(area)[:, None] >= 0).all(axis=1) & (np.abs(area) > 1e-9)
    depth = (weights * away[..., 2]).sum(axis=1)[within] / area[within]
    order = np.argsort(depth, kind="stable")
    picture = np.full((y.max() + 1, x.max() + 1), -1)
    picture[y[within][order], x[within][order]] = triangle[within][order]
    return picture[picture >= 0]


@pytest.mark.parametrize("person", [0, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("throw", THROWS)
def test_no_back_of_cloth_is_seen(throw: str, person: int) -> None:
    level = dressed(person)
    triangles = level.triangles.astype(np.intp)
    points = level.carried(bones(throw, 0.0))
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    facing = cross(b - a, c - a)
    for view in unit(np.array(VIEWS)):
        seen = seen_from(points, triangles, view)
        is_back = (facing[seen] @ view < 0) & np.isin(level.covers[triangles[seen, 0]], CLOTHES)
        assert is_back.mean() < 0.0025


@pytest.mark.parametrize("throw", THROWS)
def test_hardly_any_cloth_is_stretched_beyond_three_times(throw: str) -> None:
    level = dressed(0)
    triangles = level.triangles[np.isin(level.covers[level.triangles[:, 0]], CLOTHES)]
    rest = edges_of(level.points * UNIT, triangles)
    # What takes the edges at rest to unit vectors is about one over a triangle's least height.
    inverse = np.linalg.pinv(rest)
    thick = np.linalg.norm(inverse, axis=(1, 2)) < 1 / SKINNY
    for time in (0.0, 0.5):
        now = edges_of(level.carried(bones(throw, time)), triangles)
        # The greatest singular value of what takes the edges at rest to those now.
        stretch = np.linalg.norm((now @ inverse)[thick], ord=2, axis=(1, 2))
        assert (stretch > 3.0).mean() < 0.03


def edges_of(points: Floats, triangles: Integers) -> Floats:
    """Two edges of each triangle as columns, shape (F, 3, 2)."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    return np.stack([b - a, c - a], axis=-1)


@pytest.mark.parametrize("throw", THROWS)
def test_hems_are_not_turned_inside_out(throw: str) -> None:
    level = dressed(0)
    points = level.carried(bones(throw, 0.0))
    rest = level.points * UNIT
    # Around the hem of the shirt, which hangs from the pelvis.
    hem = rest[(level.covers == COVERS.index("shirt"))][:, 1].min()
    triangles = level.triangles[
        (level.covers[level.triangles[:, 0]] == COVERS.index("shirt"))
        & (rest[level.triangles, 1] < hem + 0.02).all(axis=1)
    ]
    before, after = (
        cross(*np.moveaxis(edges_of(places, triangles), -1, 0)) for places in (rest, points)
    )
    turn = bones(throw, 0.0)[NAMES.index("pelvis"), :, :3]
    assert len(triangles) > 50
    # By area: where cloth is cut, some triangles are hardly more than lines.
    area = np.linalg.norm(before, axis=1)
    assert area[(dot(after, before @ turn.T) > 0).ravel()].sum() > 0.99 * area.sum()


@pytest.mark.parametrize("throw", ["albert", "underleg", "backcross"])
def test_trousers_do_not_come_through_the_hem_of_a_shirt(throw: str) -> None:
    for person in PEOPLE:
        level = load_skin().levels[0].wearing(person.worn)
        rest = level.points * UNIT
        is_shirt = level.covers == COVERS.index("shirt")
        hem = rest[is_shirt, 1].min()
        triangles = level.triangles[
            is_shirt[level.triangles].all(axis=1)
            & (rest[level.triangles, 1] < hem + HEM_HEIGHT).all(axis=1)
        ]
        below = np.flatnonzero(
            (level.covers == COVERS.index("trousers"))
            & (np.abs(rest[:, 1] - hem - HEM_HEIGHT / 2) < HEM_HEIGHT / 2)
        )
        # Those that face outward, without the strip that is turned in at the edge, and lines.
        facing = cross(*np.moveaxis(edges_of(rest, triangles), -1, 0))
        area = np.linalg.norm(facing, axis=1)
        triangles = triangles[(np.abs(facing[:, 1]) < FACES_ASIDE * area) & (area > SMALL)]
        # Each point of the trousers stays within the cloth that is nearest to it at rest.
        away = rest[triangles].mean(axis=1) - rest[below, None]
        over = triangles[(away**2).sum(axis=-1).argmin(axis=1)]
        points = level.carried(bones(throw, 0.0, person.build.girths))
        out = unit(cross(*np.moveaxis(edges_of(points, over), -1, 0)))
        height = dot(points[below] - points[over[:, 0]], out)
        assert len(below) > 50
        # Cloth is pressed together in the groin of who bends.
        is_pressed = rest[below, 2] > GROIN
        assert not (height[~is_pressed] > 0.0).any()
