from dataclasses import replace

import numpy as np
import pytest
from colour_vision import difference, lab
from drawn_scenes import (
    BLUE,
    CAMERA,
    GREEN,
    PLAIN,
    RED,
    capsule,
    hits_round_cone,
    reddish,
    scene,
    seen,
    sphere,
)

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.models.bodies import prop_parts
from juggle_anim.exporter.models.tracks import aim_quaternions
from juggle_anim.render import Offscreen
from juggle_anim.scene.camera import Camera
from juggle_anim.scene.people import palette_of, prop_colours
from juggle_anim.scene.props import ball_rows
from juggle_anim.scene.scene import STAGES, Scene

WIDTH, HEIGHT = 320, 240


def draw(drawn: Scene, width: int = WIDTH, height: int = HEIGHT) -> Bytes:
    with Offscreen(width, height) as offscreen:
        return offscreen.image(drawn)


@pytest.mark.parametrize("centre", [(0.0, 1.1, 0.0), (-0.9, 1.8, -1.0), (0.7, 0.9, 1.5)])
def test_a_sphere_appears_where_the_projection_says(centre: tuple[float, float, float]) -> None:
    radius = 0.25
    shown = reddish(draw(scene([sphere(centre, radius)], stage=PLAIN)))
    rows, columns = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    middle = np.array([(shown * columns).sum(), (shown * rows).sum()]) / shown.sum()
    assert np.abs(middle - seen(CAMERA, WIDTH, HEIGHT, centre)).max() < 0.6

    depth = -(CAMERA.view() @ [*centre, 1.0])[2]
    pixels = radius / np.sqrt(depth**2 - radius**2) * HEIGHT / 2 / np.tan(CAMERA.field_of_view / 2)
    assert np.sqrt(shown.sum() / np.pi) == pytest.approx(pixels, abs=0.6)


@pytest.mark.parametrize(("yaw", "pitch"), [(0.5, 0.3), (-1.2, 0.9), (2.5, -0.4)])
def test_panels_of_a_ball_are_those_of_its_mesh_turned_by_the_same_angles(
    yaw: float, pitch: float
) -> None:
    middle, radius = np.array([0.0, 1.1, 0.0]), 0.5
    row = np.array([[*middle, radius, 1.0, 1.0, 1.0, 0.0, yaw, pitch, -1.0, 0.0]], dtype=np.float32)
    picture = draw(replace(scene([sphere((0, 0, 0), 0.1)], stage=PLAIN), spheres=row))
    parts = prop_parts("ball", 2 * radius, (1.0, 1.0, 1.0))
    x, y, z, w = aim_quaternions(np.array([yaw, pitch])).tolist()
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    for part, dark in zip(parts, (False, True), strict=True):
        places = part.mesh.points[part.mesh.triangles].mean(axis=1) @ turn.T
        local = part.mesh.points[part.mesh.triangles].mean(axis=1)
        toward = np.array(CAMERA.eye) - middle
        clear = (np.abs(local).min(axis=1) > 0.12 * radius) & (
            places @ toward > 0.5 * radius * np.linalg.norm(toward)
        )
        assert clear.any()
        for place in places[clear]:
            column, line = seen(CAMERA, WIDTH, HEIGHT, tuple(middle + place))
            assert (picture[int(line), int(column)].max() < 90) == dark


@pytest.mark.parametrize("stage", STAGES)
def test_balls_keep_their_colour(stage: str) -> None:
    radius = 0.2
    for colour in prop_colours(8, palette_of("standard", stage)).tolist():
        row = ball_rows(
            np.array([[CAMERA.target]]),
            np.array([[[0.4, 0.3]]]),
            np.array([2 * radius]),
            np.array([colour], dtype=np.float32),
        )
        ball = replace(scene([sphere((0, 0, 0), 0.1)], stage=STAGES[stage]), spheres=row[0])
        picture = draw(ball) / 255.0
        pixels = radius / np.linalg.norm(np.subtract(CAMERA.eye, CAMERA.target))
        pixels *= HEIGHT / 2 / np.tan(CAMERA.field_of_view / 2)
        rows, columns = np.mgrid[:HEIGHT, :WIDTH] + 0.5
        is_ball = np.hypot(rows - HEIGHT / 2, columns - WIDTH / 2) < 0.95 * pixels
        mean = np.sqrt(np.square(picture[is_ball]).mean(axis=0))
        assert difference(lab([mean]), lab([colour]))[0] <= 15.0


CONES = {
    "slanting": capsule((-0.6, 0.6, 0.3), 0.10, (0.5, 1.6, -0.6), 0.30),
    "even": capsule((-0.6, 1.6, 0.3), 0.2, (0.5, 0.8, -0.6), 0.2),
    "toward the eye, widening": capsule((-0.1, 1.0, -1.0), 0.12, (0.1, 1.2, 1.2), 0.25),
    "toward the eye, narrowing": capsule((-0.1, 1.0, -0.6), 0.30, (0.15, 1.25, 0.6), 0.06),
    "straight at the eye": capsule((0.0, 1.1, 0.0), 0.2, (0.2, 1.35, 2.5), 0.2),
    "nearly a sphere": capsule((0.0, 1.1, 0.0), 0.4, (0.3, 1.1, 0.0), 0.11),
    "a sphere": capsule((0.0, 1.1, 0.0), 0.3, (0.0, 1.1, 0.0), 0.3),
    "swallowed": capsule((0.0, 1.1, 0.0), 0.1, (0.1, 1.1, 0.0), 0.35),
}


@pytest.mark.parametrize("cone", CONES.values(), ids=CONES.keys())
def test_a_round_cone_covers_the_pixels_that_its_spheres_cover(cone: list[float]) -> None:
    shown = reddish(draw(scene(capsules=[cone], stage=PLAIN)))
    expected = hits_round_cone(CAMERA, WIDTH, HEIGHT, cone)
    assert expected.sum() > 500
    assert np.abs((shown > 0.5).astype(int) - expected).sum() < 0.02 * expected.sum()
    assert shown.sum() == pytest.approx(expected.sum(), rel=0.02)


@pytest.mark.parametrize("cone", [
    capsule((-0.05, 1.5, 4.55), 0.08, (0.3, 1.6, 3.6), 0.15),
    capsule((0.9, 1.0, 4.5), 0.1, (0.0, 2.2, 4.3), 0.05),
    capsule((0.1, 1.3, 3.0), 0.05, (0.5, 1.45, 5.5), 0.05),
])  # fmt: skip
def test_a_capsule_near_the_eye_is_not_cut(cone: list[float]) -> None:
    shown = reddish(draw(scene(capsules=[cone], stage=PLAIN)))
    expected = hits_round_cone(CAMERA, WIDTH, HEIGHT, cone)
    assert expected.sum() > 500
    assert np.abs((shown > 0.5).astype(int) - expected).sum() < 0.02 * expected.sum()


def test_a_sphere_near_the_eye_is_not_cut() -> None:
    near = sphere((0.55, 1.5, 4.6), 0.18)
    shown = reddish(draw(scene([near], stage=PLAIN)))
    expected = hits_round_cone(CAMERA, WIDTH, HEIGHT, capsule(near[:3], 0.18, near[:3], 0.18))
    assert np.abs((shown > 0.5).astype(int) - expected).sum() < 0.02 * expected.sum()


def test_the_nearer_solid_hides_the_farther_whatever_their_order() -> None:
    front, back = sphere((0.1, 1.1, 1.0), 0.3, GREEN), sphere((0.0, 1.1, 0.0), 0.3, RED)
    both = [draw(scene(order)) for order in ([front, back], [back, front])]
    assert (both[0] == both[1]).all()
    column, row = seen(CAMERA, WIDTH, HEIGHT, (0.1, 1.1, 1.0)).astype(int)
    red, green, _ = both[0][row, column].astype(int)
    assert green > red + 50


def test_solids_that_pass_through_each_other_meet_where_their_surfaces_do() -> None:
    camera = Camera(eye=(0.0, 1.0, 6.0), target=(0.0, 1.0, 0.0))
    left, right = sphere((-0.2, 1.0, 0.0), 0.5, RED), sphere((0.2, 1.0, 0.0), 0.5, BLUE)
    picture = draw(scene([left, right], camera=camera)).astype(int)
    red = picture[..., 0] > picture[..., 2] + 30
    blue = picture[..., 2] > picture[..., 0] + 30
    # Equal spheres meet in the plane halfway between them, which the camera looks along.
    assert not red[:, WIDTH // 2 + 1 :].any()
    assert not blue[:, : WIDTH // 2 - 1].any()
    assert red.sum() == pytest.approx(blue.sum(), rel=0.02)


def test_edges_are_smooth() -> None:
    shown = reddish(draw(scene([sphere((0.0, 1.1, 0.0), 0.4)], stage=PLAIN)))
    partly = ((shown > 0.1) & (shown < 0.9)).sum()
    around = 2 * np.pi * np.sqrt(shown.sum() / np.pi)
    assert 0.6 * around < partly < 1.5 * around


def test_no_backdrop_shines_through_the_joint_of_two_limbs_of_one_colour() -> None:
    dark = (0.1, 0.1, 0.1, 0.0)
    limbs = [
        capsule((-0.6, 1.3, 0.0), 0.15, (0.0, 1.0, 0.0), 0.15, dark),
        capsule((0.0, 1.0, 0.0), 0.15, (0.5, 1.5, 0.3), 0.12, dark),
    ]
    picture = draw(scene(capsules=limbs, stage=PLAIN))
    covered = hits_round_cone(CAMERA, WIDTH, HEIGHT, limbs[0]) | hits_round_cone(
        CAMERA, WIDTH, HEIGHT, limbs[1]
    )
    grown = np.pad(covered, 1, constant_values=True)
    neighbours = [
        grown[1 + y : HEIGHT + 1 + y, 1 + x : WIDTH + 1 + x] for y in (-1, 0, 1) for x in (-1, 0, 1)
    ]
    within = np.logical_and.reduce(neighbours)
    assert within.sum() > 1000
    assert picture[within].max() < 110


def test_a_far_ball_keeps_its_weight_as_it_moves_by_parts_of_a_pixel() -> None:
    camera = Camera(eye=(0.0, 1.0, 40.0), target=(0.0, 1.0, 0.0))
    weights = []
    with Offscreen(WIDTH, HEIGHT) as offscreen:
        for step in np.linspace(0.0, 0.2, 11):
            ball = sphere((step, 1.0 + 0.3 * step, 0.0), 0.06)
            weights.append(
                reddish(offscreen.image(scene([ball], camera=camera, stage=PLAIN))).sum()
            )
    assert min(weights) > 1
    assert max(weights) < 1.2 * min(weights)


def test_an_empty_scene_is_the_empty_studio() -> None:
    picture = draw(scene(stage=PLAIN))
    assert (picture == 255).all()


@pytest.mark.parametrize("stage", STAGES)
def test_a_mannequin_stands_out_from_what_is_behind_it(stage: str) -> None:
    seen_whole = animate("3", figure="mannequin", stage=stage, ground="on")
    pictures = [
        draw(seen_whole.replace(figure=figure, ground=ground).scene(0.3)) / 255.0
        for ground in ("off", "on")
        for figure in ("mannequin", "hidden")
    ]
    # Without the ground there is no shadow, so that only the figure differs.
    figure, bare, figure_on_ground, ground = pictures
    is_figure = np.abs(figure - bare).max(axis=2) > 0.04
    legs = is_figure & (np.arange(HEIGHT)[:, None] > HEIGHT / 2)
    apart = difference(lab(figure_on_ground[legs].tolist()), lab(ground[legs].tolist()))
    assert np.median(apart) >= 20.0
