"""Lines of sight, planes and snapping, with which things are dragged in the picture."""

import math

import numpy as np
import pytest

from juggle_anim.scene import Camera
from juggle_anim.scene.camera import stereo_cameras
from juggle_anim.viewer.editor.picture_editor import (
    FORWARD,
    LEFT,
    UP,
    facing_axis,
    nearest_on_line,
    ray_plane_intersection,
    snap,
    snap_to_grid,
    snap_turn,
    view_ray,
)
from juggle_anim.viewer.layout import Rectangle, project_points

PLACE = Rectangle(250.0, 40.0, 900.0, 600.0)
POINTS = np.array([(0.1, 1.2, 0.3), (-0.7, 0.4, -0.2), (0.0, 2.0, 0.0)])
CAMERA = Camera((1.0, 1.6, 4.0), (0.1, 1.1, 0.0))
CAMERAS = [
    CAMERA,
    Camera(CAMERA.eye, CAMERA.target, mirrored=True),
    Camera(CAMERA.eye, CAMERA.target, orthographic=True),
    *stereo_cameras(CAMERA),
]
NO_PARTNERS = np.zeros((0, 3))


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_line_of_sight_goes_through_what_is_seen_there(camera: Camera) -> None:
    for point, (x, y) in zip(POINTS, project_points(POINTS, camera, PLACE), strict=True):
        start, along = view_ray(x, y, camera, PLACE)
        assert np.linalg.norm(np.cross(point - start, along)) < 1e-9
        assert (point - start) @ along > 0


def test_a_place_on_a_plane_is_seen_where_the_mouse_is() -> None:
    point, normal = np.array([0.1, 1.2, 0.3]), np.array([0.0, 0.0, 1.0])
    found = ray_plane_intersection(view_ray(700.0, 300.0, CAMERA, PLACE), point, normal)
    assert found is not None
    assert found[2] == pytest.approx(0.3)
    np.testing.assert_allclose(project_points(found[None], CAMERA, PLACE)[0], (700.0, 300.0))


def test_a_plane_behind_the_camera_is_not_met() -> None:
    ray = view_ray(700.0, 300.0, CAMERA, PLACE)
    assert ray_plane_intersection(ray, np.array([0.0, 0.0, 9.0]), np.array([0.0, 0.0, 1.0])) is None
    assert (
        ray_plane_intersection(ray, np.zeros(3), np.cross(ray.direction, (0.0, 1.0, 0.0))) is None
    )


def test_along_a_line_the_place_follows_the_mouse() -> None:
    point, axis = np.array([0.1, 1.2, 0.3]), np.array([1.0, 0.0, 0.0])
    x, y = project_points((point + 0.35 * axis)[None], CAMERA, PLACE)[0]
    assert nearest_on_line(view_ray(x, y, CAMERA, PLACE), point, axis) == pytest.approx(0.35)


def test_along_a_line_that_points_at_the_camera_the_mouse_tells_nothing() -> None:
    point = np.array(CAMERA.target)
    axis = np.subtract(CAMERA.eye, point)
    ray = view_ray(*project_points(point[None], CAMERA, PLACE)[0], CAMERA, PLACE)
    assert nearest_on_line(ray, point, axis / np.linalg.norm(axis)) is None


@pytest.mark.parametrize(
    ("azimuth", "elevation", "normal"),
    [(10, 5, FORWARD), (170, 30, FORWARD), (80, 5, LEFT), (20, 75, UP)],
)
def test_a_hand_is_dragged_in_the_plane_that_faces_the_camera(
    azimuth: float, elevation: float, normal: int
) -> None:
    turn, tilt = math.radians(azimuth), math.radians(elevation)
    back = np.array(
        [math.sin(turn) * math.cos(tilt), math.sin(tilt), math.cos(turn) * math.cos(tilt)]
    )
    assert facing_axis(np.eye(3), -back) == normal


def test_coordinates_snap_to_the_body_to_the_other_hand_and_to_whole_centimetres() -> None:
    other = np.array([(0.184, 0.052, 0.0)])
    assert snap((0.029, 0.1234, 0.2), other, (0, 1)).place == pytest.approx((0.0, 0.12, 0.2))
    found = snap((0.19, 0.06, 0.031), other, (0, 1))
    assert found.place == pytest.approx((0.184, 0.052, 0.031))
    assert found.guides == {0: "partner", 1: "partner"}
    assert snap((0.0312, 0.0, 0.0), NO_PARTNERS, (0,)).guides == {}


def test_bodies_snap_to_the_grid_and_to_quarter_turns() -> None:
    assert snap_to_grid(0.37, -0.63) == pytest.approx((0.4, -0.6))
    assert snap_to_grid(0.313, 0.5049) == pytest.approx((0.31, 0.5))
    assert snap_turn(math.radians(94)) == pytest.approx(math.pi / 2)
    assert snap_turn(math.radians(-40.4)) == pytest.approx(math.radians(-40))
