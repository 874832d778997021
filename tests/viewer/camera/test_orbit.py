import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from juggle_anim.scene import Camera
from juggle_anim.scene.camera import LOWEST
from juggle_anim.viewer.camera.camera_rig import (
    MAX_DISTANCE,
    MAX_ELEVATION,
    MIN_DISTANCE,
    MIN_ELEVATION,
    Orbit,
)

orbits = st.builds(
    Orbit,
    target=st.tuples(*[st.floats(-3, 3)] * 3),
    distance=st.floats(1, 30),
    azimuth=st.floats(-3.1, 3.1),
    elevation=st.floats(MIN_ELEVATION, MAX_ELEVATION),
    field_of_view=st.just(math.radians(30)),
).map(Orbit.above_floor)


def seen(camera: Camera, point: tuple[float, float, float]) -> np.ndarray:
    """Where a point is in the picture, right and up, in half heights."""
    x, y, z, _ = camera.view() @ (*point, 1.0)
    return np.array([x, y]) / (-z * math.tan(camera.field_of_view / 2))


@given(orbits)
def test_a_camera_and_its_orbit_are_the_same_place(orbit: Orbit) -> None:
    camera = orbit.camera()
    again = Orbit.from_camera(camera).camera()
    assert again.eye == pytest.approx(camera.eye)
    assert again.target == pytest.approx(camera.target)


@given(orbits, st.floats(-1, 1), st.floats(-1, 1))
def test_a_shift_moves_the_target_within_the_picture(orbit: Orbit, right: float, up: float) -> None:
    camera = orbit.camera((right, up))
    assume(camera.eye[1] > LOWEST + 1e-6)
    assert seen(camera, orbit.target) == pytest.approx([right, up], abs=1e-6)


@given(orbits, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_the_target_follows_a_hand_that_moves_the_picture(
    orbit: Orbit, across: float, down: float
) -> None:
    moved = orbit.panned(across, down)
    assume(moved.camera().eye[1] > LOWEST + 1e-6)
    assert seen(moved.camera(), orbit.target) == pytest.approx([2 * across, -2 * down], abs=1e-6)


def test_dragging_to_the_right_turns_the_front_to_the_right() -> None:
    orbit = Orbit((0.0, 1.0, 0.0), 5.0, 0.0, 0.1, math.radians(30))
    front = (0.0, 1.0, 0.3)
    assert seen(orbit.rotated(0.1, 0.0).camera(), front)[0] > seen(orbit.camera(), front)[0]


@given(orbits, st.floats(-5, 5), st.floats(-5, 5), st.integers(-200, 200))
def test_no_drag_or_wheel_leaves_the_limits(
    orbit: Orbit, across: float, down: float, clicks: int
) -> None:
    after = orbit.rotated(across, down).zoomed(clicks)
    assert MIN_ELEVATION <= after.elevation <= MAX_ELEVATION
    assert MIN_DISTANCE <= after.distance <= MAX_DISTANCE
    assert after.panned(across, down).camera().eye[1] >= LOWEST - 1e-9


@given(orbits, orbits)
def test_the_way_to_another_orbit_ends_there_and_goes_the_short_way(
    start: Orbit, goal: Orbit
) -> None:
    assert start.toward(goal, 1.0).close_to(goal)
    assert start.toward(goal, 0.0).close_to(start)
    assert abs(start.toward(goal, 1.0).azimuth - start.azimuth) <= math.pi + 1e-9


def test_a_wider_angle_keeps_the_size_of_what_is_looked_at() -> None:
    orbit = Orbit((0.0, 1.0, 0.0), 5.0, 0.3, 0.1, math.radians(30.0))
    wide = orbit.widened(math.radians(90.0))
    assert wide.distance * math.tan(wide.field_of_view / 2) == pytest.approx(
        5.0 * math.tan(math.radians(15.0))
    )
    assert wide.camera().near < wide.distance - 1.0
    narrow = orbit.widened(math.radians(1.0))
    assert narrow.zoomed(1.0).distance == pytest.approx(0.9 * narrow.distance)
    assert 50.0 < narrow.camera().near < narrow.distance - 50.0


def test_who_looks_steeply_up_is_not_thrown_up_by_a_drag() -> None:
    low = Orbit((0.0, 1.0, 0.0), 0.5, 0.0, math.radians(-70.0), 1.0)
    assert low.rotated(0.1, 0.0).elevation == low.elevation
    assert low.rotated(0.0, -0.1).elevation == low.elevation
    assert low.rotated(0.0, 0.1).elevation > low.elevation
