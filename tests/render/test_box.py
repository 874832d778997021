"""Cubes: squares are drawn as them, and their pictures are held against rays that are traced one by
one.
"""

from dataclasses import replace

import numpy as np
import pytest
from drawn_scenes import CAMERA, PLAIN, RED, light_share, rays, reddish, scene

import juggle_anim as ja
from juggle_anim.analysis.collisions import find_collisions
from juggle_anim.arrays import Bytes, Floats
from juggle_anim.render import Offscreen
from juggle_anim.scene import STUDIO, Scene
from juggle_anim.scene.camera import Camera

SIZE = 200, 150
PLACES = [(0.0, 1.1, 0.0), (0.8, 1.9, -0.6), (-0.7, 0.5, 1.2), (0.4, 1.6, 0.5)]


def picture(shown: Scene, *cubes: list[float]) -> Bytes:
    with Offscreen(*SIZE) as offscreen:
        return offscreen.image(
            replace(shown, boxes=np.array(cubes, dtype=np.float32).reshape(-1, 8))
        ).copy()


def traced(centre: tuple[float, ...], half: float, camera: Camera, finer: int = 5) -> Floats:
    """Which share of each pixel shows a cube."""
    along = rays(camera, SIZE[0] * finer, SIZE[1] * finer)
    away = np.array(centre) - camera.eye
    ends = np.sort(np.stack([(away - half) / along, (away + half) / along]), axis=0)
    hit = ends[0].max(axis=-1) < ends[1].min(axis=-1)
    return hit.reshape(SIZE[1], finer, SIZE[0], finer).mean(axis=(1, 3))


@pytest.mark.parametrize(
    ("centre", "eye"),
    list(
        zip(PLACES, [CAMERA.eye, (3.0, 4.0, 2.0), (-2.0, 0.2, -4.0), (0.0, 1.1, 5.0)], strict=True)
    ),
)
def test_cubes_are_drawn_where_rays_meet_them_with_soft_edges(
    centre: tuple[float, ...], eye: tuple[float, float, float]
) -> None:
    camera = Camera(eye, (0.0, 1.1, 0.0))
    shown = replace(scene(camera=camera), boxes=np.array([[*centre, 0.25, *RED]], dtype=np.float32))
    with Offscreen(*SIZE, transparent=True, shadows=False) as offscreen:
        drawn = light_share(offscreen.image(shown), shown.stage)
    right = traced(centre, 0.25, camera)
    assert drawn[right == 0.0].max() < 0.25
    assert drawn[right == 1.0].min() > 0.75
    partly = (right > 0.05) & (right < 0.95)
    assert partly.sum() > 50
    assert np.abs(drawn[partly] - right[partly]).mean() < 0.10
    assert drawn.sum() == pytest.approx(right.sum(), rel=0.01)


def test_a_far_cube_keeps_its_weight_as_it_moves_by_parts_of_a_pixel() -> None:
    camera = Camera((0.0, 1.1, 60.0), (0.0, 1.1, 0.0))
    weights = [
        reddish(
            picture(
                scene(stage=PLAIN, camera=camera),
                [0.02 * step, 1.1 + 0.013 * step, 0.0, 0.05, *RED],
            )
        ).sum()
        for step in range(12)
    ]
    assert min(weights) > 0.2  # the cube fills 0.22 of a pixel
    assert max(weights) < 1.4 * min(weights)


def test_faces_are_lit_each_in_its_way() -> None:
    camera = Camera((3.0, 4.0, 2.0), (0.0, 1.1, 0.0))
    shown = picture(scene(stage=PLAIN, camera=camera), [0.0, 1.1, 0.0, 0.4, *RED])
    inside = traced((0.0, 1.1, 0.0), 0.38, camera) == 1.0
    levels, counts = np.unique(shown[..., 0][inside] // 8, return_counts=True)
    faces = levels[counts > 0.1 * inside.sum()]
    assert len(faces) >= 3
    assert np.ptp(faces) >= 3


def test_a_cube_and_a_ball_hide_each_other_by_their_distance() -> None:
    green = (0.1, 0.8, 0.1, 0.0)
    for z, seen in ((1.0, True), (-1.0, False)):
        place = np.array(CAMERA.eye) * (0.5 + 0.2 * np.sign(z)) + np.array((0.0, 1.1, 0.0)) * (
            0.5 - 0.2 * np.sign(z)
        )
        middle = np.array(CAMERA.eye) * 0.5 + np.array((0.0, 1.1, 0.0)) * 0.5
        shown = picture(scene([[*place, 0.1, *green]], stage=PLAIN), [*middle, 0.3, *RED]).astype(
            int
        )
        assert ((shown[..., 1] - shown[..., 0]) > 60).any() == seen


def test_a_cube_casts_a_shadow() -> None:
    empty, shaded = (
        picture(scene(stage=STUDIO), *cubes).astype(int)
        for cubes in ([], [[0.0, 0.2, 0.0, 0.2, *RED]])
    )
    darker = (empty - shaded).sum(axis=-1)
    grey = np.abs(np.ptp(shaded, axis=-1) - np.ptp(empty, axis=-1)) < 12
    assert ((darker > 20) & grey).sum() > 50


def test_squares_are_drawn_as_cubes_of_their_diameter_where_balls_would_be() -> None:
    squares, balls = (
        ja.animate("531", prop=kind, prop_diameter=9).scene(0.4) for kind in ("square", "ball")
    )
    assert squares.boxes[:, :7] == pytest.approx(balls.spheres[:, :7])
    assert squares.boxes[:, 3] == pytest.approx([0.045] * 3)
    assert not len(squares.spheres)
    assert not len(balls.boxes)


def test_each_kind_of_prop_is_drawn_once() -> None:
    shown = ja.animate("(6,6)", prop="ball,club,ring,square").scene(0.4)
    assert (len(shown.spheres), len(shown.rings), len(shown.boxes)) == (2, 1, 1)
    assert find_collisions(ja.animate("3", prop="square")).collisions == ()
