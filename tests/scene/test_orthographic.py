"""Without a perspective, pictures are parallel projections: what is farther looks no smaller."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn_scenes import CAMERA as PERSPECTIVE
from drawn_scenes import PLAIN, RED, WHITE, capsule, reddish, scene, seen, sphere
from framed_views import ASPECTS, AZIMUTHS, ELEVATIONS, POINTS, RADII, VIEWS
from glb_reader import read_glb
from hypothesis import given
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.arrays import Booleans, Bytes, Floats
from juggle_anim.diagrams.line_drawing import PaperProjection
from juggle_anim.exporter.view import read_view
from juggle_anim.motion import RING_HOLE
from juggle_anim.render import Offscreen
from juggle_anim.scene import STUDIO, Camera, Framing, Scene, frame_points
from juggle_anim.scene.framing import MARGIN

CAMERA = replace(PERSPECTIVE, orthographic=True)
SIZE = 320, 240


def draw(shown: Scene) -> Bytes:
    with Offscreen(*SIZE) as offscreen:
        return offscreen.image(shown).copy()


def lines(camera: Camera) -> Floats:
    """Where each pixel's line of sight crosses the plane of the eye, in its axes, shape (height,
    width, 2), [m].
    """
    x, y = (
        (np.arange(SIZE[0]) + 0.5) / SIZE[0] * 2 - 1,
        1 - (np.arange(SIZE[1]) + 0.5) / SIZE[1] * 2,
    )
    high = camera.distance * np.tan(camera.field_of_view / 2)
    return np.stack(np.broadcast_arrays(x * high * SIZE[0] / SIZE[1], y[:, None] * high), axis=-1)


def in_axes(camera: Camera, points: Floats) -> Floats:
    return np.asarray(points) @ camera.view()[:3, :3].T + camera.view()[:3, 3]


def covered_by_balls(camera: Camera, centres: Floats, radii: Floats) -> Booleans:
    hit = np.zeros(SIZE[::-1], dtype=bool)
    for centre, radius in zip(in_axes(camera, centres), radii, strict=True):
        hit |= np.linalg.norm(lines(camera) - centre[:2], axis=-1) <= radius
    return hit


def covered_by_corners(camera: Camera, corners: Floats) -> Booleans:
    """Pixels within the hull of some corners, which are those within in every direction."""
    turn = np.linspace(0.0, 2 * np.pi, 180, endpoint=False)
    normals = np.stack([np.cos(turn), np.sin(turn)])
    reach = (in_axes(camera, corners)[:, :2] @ normals).max(axis=0)
    inside: Booleans = (lines(camera) @ normals <= reach).all(axis=-1)
    return inside


def assert_alike(picture: Bytes, expected: Booleans) -> None:
    shown = reddish(picture)
    assert expected.sum() > 300
    assert np.abs((shown > 0.5).astype(int) - expected).sum() < 0.02 * expected.sum()
    assert shown.sum() == pytest.approx(expected.sum(), rel=0.02)


CONES = [
    capsule((-0.6, 0.6, 0.3), 0.10, (0.5, 1.6, -0.6), 0.30),
    capsule((-0.1, 1.0, -1.0), 0.12, (0.1, 1.2, 1.2), 0.25),
    capsule(
        (0.0, 1.1, 0.0),
        0.2,
        tuple(np.add((0.0, 1.1, 0.0), 0.4 * np.subtract(CAMERA.eye, CAMERA.target))),
        0.2,
    ),
    capsule((0.0, 1.1, 0.0), 0.1, (0.1, 1.1, 0.0), 0.35),
    capsule((-0.3, 1.4, 9.0), 0.2, (0.4, 1.2, 8.0), 0.15),  # behind the eye
]


@pytest.mark.parametrize(
    ("cone", "mirrored"),
    sampled(
        [*((cone, False) for cone in CONES), (CONES[0], True)],
        (CONES[1], False),
        (CONES[0], True),
        arguments=2,
    ),
)
def test_round_cones_cover_what_their_balls_cover_along_parallel_lines(
    cone: list[float], mirrored: bool
) -> None:
    share = np.linspace(0.0, 1.0, 100)
    centres = np.array(cone[:3]) + share[:, None] * np.subtract(cone[4:7], cone[:3])
    expected = covered_by_balls(CAMERA, centres, cone[3] + share * (cone[7] - cone[3]))
    camera = replace(CAMERA, mirrored=mirrored)
    assert_alike(
        draw(scene(capsules=[cone], camera=camera, stage=PLAIN)),
        expected[:, :: -1 if mirrored else 1],
    )


@pytest.mark.parametrize("away", [-30.0, 0.0, 20.0])
def test_a_ball_looks_as_large_however_far_away(away: float) -> None:
    back = np.subtract(CAMERA.eye, CAMERA.target) / CAMERA.distance
    centre = np.array([0.2, 1.3, 0.1]) - away * back
    drawn = draw(scene([sphere(centre, 0.3)], camera=CAMERA, stage=PLAIN))
    assert_alike(drawn, covered_by_balls(CAMERA, centre[None], np.array([0.3])))


@pytest.mark.parametrize("place", [(0.0, 1.1, 0.0), (0.9, 1.6, 2.0), (-0.7, 0.7, -9.0)])
def test_cubes_and_rings_are_seen_along_parallel_lines(place: tuple[float, float, float]) -> None:
    corners = np.array(place) + 0.3 * np.array(list(itertools.product((-1, 1), repeat=3)))
    cube = replace(
        scene(camera=CAMERA, stage=PLAIN), boxes=np.array([[*place, 0.3, *RED]], dtype=np.float32)
    )
    assert_alike(draw(cube), covered_by_corners(CAMERA, corners))
    normal = np.array([0.4, 0.0, 1.0]) / np.hypot(0.4, 1.0)
    ring = np.array([[*place, 0.5, *normal, RING_HOLE * 0.5, *RED]], dtype=np.float32)
    turn = np.linspace(0.0, 2 * np.pi, 200)[:, None]
    rim = np.cos(turn) * (0.0, 1.0, 0.0) + np.sin(turn) * np.cross(normal, (0.0, 1.0, 0.0))
    outer, hole = (
        covered_by_corners(CAMERA, np.array(place) + radius * rim)
        for radius in (0.5, RING_HOLE * 0.5)
    )
    drawn, expected = (
        reddish(draw(replace(scene(camera=CAMERA, stage=PLAIN), rings=ring))),
        outer & ~hole,
    )
    assert expected.sum() > 1000
    assert np.abs(drawn - expected).mean() < 0.01
    assert drawn.sum() == pytest.approx(expected.sum(), rel=0.05)


def test_what_is_nearer_hides_what_is_farther() -> None:
    back = np.subtract(CAMERA.eye, CAMERA.target) / CAMERA.distance
    blue = (0.1, 0.1, 0.9, 0.0)
    for nearer in (-8.0, 0.0, 2.0):
        balls = [
            sphere(CAMERA.target + nearer * back, 0.3),
            sphere(CAMERA.target + (nearer - 0.7) * back, 0.4, blue),
        ]
        middle = draw(scene(balls, camera=CAMERA))[120, 160].astype(int)
        assert middle[0] > middle[2] + 80


def test_the_target_is_as_large_as_in_the_perspective() -> None:
    for point in ((0.3, 1.4, 0.0), (-0.5, 0.7, 0.0)):
        across = np.array(point)
        back = np.subtract(CAMERA.eye, CAMERA.target) / CAMERA.distance
        level = across - ((across - CAMERA.target) @ back) * back  # as far away as the target
        np.testing.assert_allclose(
            seen(CAMERA, *SIZE, level), seen(PERSPECTIVE, *SIZE, level), atol=1e-9
        )


def test_shadows_lie_on_the_floor_below() -> None:
    stage = replace(PLAIN, light=(0.0, 1.0, 0.0))
    camera = Camera((0.0, 3.0, 4.0), (0.0, 0.5, 0.0), orthographic=True)
    ball = sphere((0.4, 0.5, -0.3), 0.15)
    floor = draw(scene([ball], camera=camera, stage=stage)).astype(int)
    column, row = seen(camera, *SIZE, (0.4, 0.0, -0.3)).round().astype(int)
    assert floor[row, column].max() < 200
    assert floor[10, 10].min() > 250


def test_the_floor_fills_the_picture_from_above_and_is_not_seen_from_below() -> None:
    above = Camera((0.0, 3.0, 4.0), (0.0, 1.0, 0.0), orthographic=True)
    below = Camera((0.0, 0.4, 4.0), (0.0, 1.0, 0.0), orthographic=True)
    stage = replace(PLAIN, floor=(1.0, 0.0, 0.0), line=(1.0, 0.0, 0.0))
    shown = reddish(draw(scene(camera=above, stage=stage)))
    assert shown[::8, ::8].min() > 0.2
    assert reddish(draw(scene(camera=below, stage=stage))).max() == 0.0
    assert stage.backdrop_top == WHITE


def test_parallel_lines_of_the_floor_stay_parallel() -> None:
    camera = Camera((0.0, 4.0, 4.0), (0.0, 0.0, 0.0), orthographic=True)
    dark = (
        draw(scene(camera=camera, stage=replace(STUDIO, line=(0.0, 0.0, 0.0))))
        .astype(int)
        .sum(axis=2)
    )
    near, far = (dark[rows].mean(axis=0) for rows in (slice(150, 160), slice(80, 90)))
    near, far = (np.flatnonzero(each < 0.8 * np.median(each)) for each in (near, far))
    np.testing.assert_array_equal(near, far)
    assert len(near) > 4


@given(POINTS, RADII, ASPECTS, AZIMUTHS, ELEVATIONS, VIEWS)
def test_every_ball_is_framed_and_none_is_larger_than_in_the_perspective(
    points: Floats, radius: float, aspect: float, azimuth: float, elevation: float, view: float
) -> None:
    usual = frame_points(points, radius, Framing(aspect, azimuth, elevation, view))
    camera = frame_points(
        points, radius, Framing(aspect, azimuth, elevation, view, orthographic=True)
    )
    at = in_axes(camera, points)
    high = camera.distance * np.tan(view / 2) * (1 - 2 * MARGIN)
    assert (np.abs(at[:, 1]) + radius).max() <= high * (1 + 1e-9)
    assert (np.abs(at[:, 0]) + radius).max() <= high * aspect * (1 + 1e-9)
    assert camera.distance >= usual.distance - 1e-9


def test_the_setting_reaches_pictures_and_keeps_their_scale() -> None:
    usual = ja.animate("531")
    flat = ja.animate("pattern=531;projection=orthographic")
    assert usual.parameters.projection == "perspective"
    assert "projection=orthographic" in flat.settings
    assert not usual.camera(4 / 3).orthographic
    perspective, camera = usual.camera(4 / 3), flat.camera(4 / 3)
    assert camera.orthographic
    assert camera.target == pytest.approx(perspective.target, abs=0.05)
    # It is moved back only by what would be cut.
    assert perspective.distance <= camera.distance < 1.03 * perspective.distance


def test_outlines_on_paper_are_those_of_parallel_lines() -> None:
    lens = PaperProjection(CAMERA, 400.0, 300.0)
    for away in (0.0, -7.0):
        centre = in_axes(CAMERA, np.array([[0.2, 1.0, away]]))
        outline = lens.balls(centre, np.array([0.2]))[0]
        middle = lens.to_paper(centre)[0]
        radius = 0.2 * 150 / (CAMERA.distance * np.tan(CAMERA.field_of_view / 2))
        assert np.linalg.norm(outline - middle, axis=1) == pytest.approx(radius)


def test_a_model_has_a_camera_without_perspective(tmp_path: Path) -> None:
    animation = ja.animate("3", projection="orthographic")
    (path,) = ja.export(animation, tmp_path / "a.glb", fps=5, size=(400, 300), cameras=("30,10",))
    glb, camera = read_glb(path), read_view("30,10").camera(animation, 4 / 3)
    (lens,) = glb.document["cameras"]
    assert lens["type"] == "orthographic"
    assert lens["orthographic"]["ymag"] == pytest.approx(
        camera.distance * np.tan(camera.field_of_view / 2)
    )
    assert lens["orthographic"]["xmag"] == pytest.approx(4 / 3 * lens["orthographic"]["ymag"])
    depths = -in_axes(camera, animation.extent[0])[:, 2]
    assert (
        0
        <= lens["orthographic"]["znear"]
        < depths.min()
        < depths.max()
        < lens["orthographic"]["zfar"]
    )
