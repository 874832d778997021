"""Rings: their rows, and their pictures against rays that are traced one by one."""

import numpy as np
import pytest
from drawn_scenes import CAMERA, PLAIN, RED, capsule, rays, reddish, scene

from juggle_anim.arrays import Bytes, Floats
from juggle_anim.motion import RING_HOLE
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.props import RING_STRIPE, ring_rows

SIZE = 200, 150
MIDDLE = np.array([0.0, 1.1, 0.0])


def ring(normal: tuple[float, float, float], radius: float = 0.5) -> list[float]:
    across = np.array(normal) / np.linalg.norm(normal)
    return [*MIDDLE, radius, *across, RING_HOLE * radius, *RED]


def picture(*rings: list[float], capsules: list[list[float]] = [], width: int = 12) -> Bytes:  # noqa: B006 never changed
    solids = scene(capsules=capsules, stage=PLAIN)
    shown = Scene(
        solids.spheres,
        solids.capsules,
        CAMERA,
        PLAIN,
        np.array(rings, dtype=np.float32).reshape(-1, width),
    )
    with Offscreen(*SIZE) as offscreen:
        return offscreen.image(shown).copy()


def traced(row: list[float], finer: int = 4) -> Floats:
    """Which share of each pixel shows a ring without thickness."""
    along = rays(CAMERA, SIZE[0] * finer, SIZE[1] * finer)
    normal, eye = np.array(row[4:7]), np.array(CAMERA.eye)
    distance = ((MIDDLE - eye) @ normal) / (along @ normal)
    radius = np.linalg.norm(eye + distance[..., None] * along - MIDDLE, axis=-1)
    hit = (radius < row[3]) & (radius > row[7]) & (distance > 0)
    return hit.reshape(SIZE[1], finer, SIZE[0], finer).mean(axis=(1, 3))


def test_a_ring_stands_upright_in_the_plane_of_its_yaw() -> None:
    centres = np.random.default_rng(1).normal(size=(2, 3, 3))
    yaws = np.array([[0.0, 0.5, np.pi / 2]] * 2)
    rows = ring_rows(centres, yaws, np.array([0.32, 0.32, 0.4]), np.ones((3, 3), dtype=np.float32))
    ahead = np.stack([np.sin(yaws), 0 * yaws, np.cos(yaws)], axis=-1)
    assert (rows[..., 4:7] * ahead).sum(axis=-1) == pytest.approx(np.zeros((2, 3)), abs=1e-6)
    assert rows[..., 5] == pytest.approx(np.zeros((2, 3)))
    assert rows[..., 3] / rows[..., 7] == pytest.approx(np.full((2, 3), 1 / RING_HOLE))


@pytest.mark.parametrize(
    "normal", [(0.1, 0.0, 1.0), (1.0, 0.0, 0.6), (0.3, 1.0, 0.4), (1.0, 0.2, 0.15)]
)
def test_rings_are_drawn_where_rays_meet_them_with_soft_edges(
    normal: tuple[float, float, float],
) -> None:
    row = ring(normal)
    drawn, right = reddish(picture(row)), traced(row)
    assert np.abs(drawn[right == 1.0] - 1.0).max() < 0.35
    away = traced([*row[:3], 1.02 * row[3], *row[4:7], 0.97 * row[7], *row[8:]]) == 0.0
    assert (drawn[away] > 0.02).mean() < 0.001
    assert np.abs(np.minimum(drawn, 1.0) - right).mean() < 0.01


def test_a_ring_has_a_stripe_in_another_tone_around_the_middle_of_its_face() -> None:
    row = ring((0.0, 0.3, 1.0))
    plain, striped = (
        picture([*row, tone, 0.0, 0.0, 0.0], width=16).astype(float) for tone in (0.0, 1.0)
    )
    low, high = (row[7] + share * (row[3] - row[7]) for share in RING_STRIPE)
    stripe = traced([*row[:3], high, *row[4:7], low, *row[8:]])
    changed = np.abs(striped - plain).max(axis=-1)
    assert changed[stripe == 1.0].min() > 40
    assert (changed[stripe == 0.0] > 25).mean() < 0.001
    assert np.abs(changed / np.median(changed[stripe == 1.0]) - stripe).mean() < 0.01


def test_a_ring_seen_from_its_edge_is_still_there_and_does_not_flicker() -> None:
    view = np.array(CAMERA.eye) - MIDDLE
    edge = np.cross(view, (0.0, 1.0, 0.0))
    amounts = []
    for tilt in np.radians([0.0, 0.05, 0.2, 0.5, 1.0]):
        normal = np.cos(tilt) * edge / np.linalg.norm(edge) + np.sin(tilt) * view / np.linalg.norm(
            view
        )
        amounts.append(reddish(picture(ring(tuple(normal)))).sum())
    assert min(amounts) > 17
    assert max(np.diff(amounts)) < 0.6 * max(amounts)
    assert (np.diff(amounts) > -0.1 * max(amounts)).all()


def test_what_is_in_the_hole_is_seen_and_what_is_behind_the_band_is_not() -> None:
    green = (0.1, 0.8, 0.1, 0.0)
    pole = capsule(MIDDLE + (-0.6, 0.0, -0.3), 0.03, MIDDLE + (0.6, 0.0, -0.3), 0.03, green)
    shown = picture(ring((0.0, 0.0, 1.0)), capsules=[pole]).astype(int)
    greenish = (shown[..., 1] - shown[..., 0]) > 60
    alone = picture(capsules=[pole]).astype(int)
    hidden = ((alone[..., 1] - alone[..., 0]) > 60) & ~greenish
    band = traced(ring((0.0, 0.0, 1.0))) == 1.0
    assert greenish[traced(ring((0.0, 0.0, 1.0))) == 0.0].sum() > 50
    assert hidden.sum() > 10
    assert not greenish[band].any()


def test_a_ring_casts_a_shadow_with_a_hole() -> None:
    low = [0.0, 0.30, 0.0, 0.8, 0.0, 1.0, 0.0, 0.6, *RED]
    with Offscreen(*SIZE) as offscreen:
        solids = scene()
        empty = offscreen.image(solids).astype(int)
        shown = Scene(
            solids.spheres, solids.capsules, CAMERA, solids.stage, np.array([low], dtype=np.float32)
        )
        shaded = offscreen.image(shown).astype(int)
    darker = (empty - shaded).sum(axis=-1)
    grey = np.abs(np.ptp(shaded, axis=-1) - np.ptp(empty, axis=-1)) < 12
    assert ((darker > 20) & grey).sum() > 100
