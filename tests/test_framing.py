"""A ball is inside the margins when it lies wholly on the near side of the planes through the eye that bound them."""

import numpy as np
import pytest
from framed_views import ASPECTS, AZIMUTHS, ELEVATIONS, POINTS, RADII, VIEWS
from hypothesis import given
from hypothesis import strategies as st

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.scene import Camera, frame_points
from juggle_anim.scene.camera import MARGIN


def room(camera: Camera, centres: Floats, radii: Floats | float, aspect: float, margin: float) -> Floats:
    """How far balls are inside the left, right, lower and upper edge of a margin, shape (4, N), [m]; < 0 is outside."""
    x, y, z = (camera.view() @ np.column_stack([centres, np.ones(len(centres))]).T)[:3]
    up = np.tan(camera.field_of_view / 2) * (1 - 2 * margin)
    across = up * aspect
    edges = [(-z * t - side * v) / np.hypot(1, t) for v, t in ((x, across), (y, up)) for side in (-1, 1)]
    return np.array(edges) - radii


@given(POINTS, RADII, ASPECTS, AZIMUTHS, ELEVATIONS, VIEWS)
def test_every_ball_is_inside_the_margins(
    points: Floats, radius: float, aspect: float, azimuth: float, elevation: float, view: float
) -> None:
    camera = frame_points(points, radius, aspect, azimuth, elevation, view)
    assert room(camera, points, radius, aspect, MARGIN).min() > -1e-6


@given(POINTS, RADII, ASPECTS, AZIMUTHS, ELEVATIONS, VIEWS)
def test_no_nearer_camera_sees_them_all(
    points: Floats, radius: float, aspect: float, azimuth: float, elevation: float, view: float
) -> None:
    camera = frame_points(points, radius, aspect, azimuth, elevation, view)
    left, right, lower, upper = room(camera, points, radius, aspect, MARGIN).min(axis=1)
    # Two opposite edges are touched: going nearer would cut one of them, whichever way the camera moved across.
    assert max(left, right) < 1e-6 or max(lower, upper) < 1e-6
    np.testing.assert_allclose((left, lower), (right, upper), atol=1e-6)


@given(POINTS, ASPECTS, AZIMUTHS, ELEVATIONS)
def test_the_camera_looks_from_where_it_was_asked_to(
    points: Floats, aspect: float, azimuth: float, elevation: float
) -> None:
    camera = frame_points(points, 0.1, aspect, azimuth, elevation, 0.5)
    back = np.subtract(camera.eye, camera.target)
    level = np.cos(elevation)
    wanted = np.array([np.sin(azimuth) * level, np.sin(elevation), np.cos(azimuth) * level])
    np.testing.assert_allclose(back / np.linalg.norm(back), wanted, atol=1e-6)


@given(POINTS, st.floats(0.1, 0.5), st.floats(np.radians(10), np.radians(60)))
def test_everything_lies_between_near_and_far(points: Floats, radius: float, view: float) -> None:
    camera = frame_points(points, radius, 1.5, 0.3, 0.1, view)
    depth = -(camera.view() @ np.column_stack([points, np.ones(len(points))]).T)[2]
    assert camera.near < depth.min() - radius
    assert depth.max() + radius < camera.far


def test_the_whole_pattern_is_in_the_picture_at_every_time_of_a_loop() -> None:
    for pattern in ("z", "531", "b97531", "(4x,2x)(2,4)", "1"):
        animation = ja.animate(pattern)
        # Times between those that the camera was made from.
        times = np.linspace(0, animation.duration, 61)
        for aspect in (640 / 480, 1920 / 1080, 480 / 640):
            assert smallest_room(animation, aspect, times, 0.0) > 0, (pattern, aspect)
            # Nor is the picture emptier than the margin explains.
            assert smallest_room(animation, aspect, times, 2 * MARGIN) < 0, (pattern, aspect)


@pytest.mark.parametrize(("pattern", "diameter"), [("(3^300)bbb00000000", 7), ("1", 60), ("531", 60)])
def test_neither_a_rare_high_throw_nor_a_huge_prop_is_cut(pattern: str, diameter: float) -> None:
    animation = ja.animate(pattern, prop_diameter=diameter)
    assert smallest_room(animation, 4 / 3, np.linspace(0, animation.duration, 3001), MARGIN / 2) > 0


def smallest_room(animation: ja.Animation, aspect: float, times: Floats, margin: float) -> float:
    camera = animation.camera(aspect)
    scenes = animation.scenes(times, camera)
    spheres, capsules = scenes.spheres.reshape(-1, 8), scenes.capsules.reshape(-1, 12)
    centres = np.concatenate([spheres[:, :3], capsules[:, :3], capsules[:, 4:7]]).astype(float)
    radii = np.concatenate([spheres[:, 3], capsules[:, 3], capsules[:, 7]])
    return float(room(camera, centres, radii, aspect, margin).min())
