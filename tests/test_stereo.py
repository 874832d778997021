import numpy as np
import pytest
from drawn_scenes import seen
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.scene import Camera
from juggle_anim.scene.camera import EYE_SEPARATION, aspect_per_eye, side_by_side, stereo_cameras

SIZE = 600, 800
cameras = st.builds(
    Camera,
    eye=st.tuples(st.floats(-2, 2), st.floats(0.5, 4), st.floats(4, 9)),
    target=st.just((0.1, 1.2, 0.0)),
    mirrored=st.booleans(),
    orthographic=st.booleans(),
)
places = st.tuples(*[st.floats(-2, 2)] * 3)


def place_from(camera: Camera, right: float, up: float, ahead: float) -> np.ndarray:
    """The place so far right of, above and before the camera's eye, [m]."""
    turn = camera.view()[:3, :3]
    return np.asarray(camera.eye) + np.array([right, up, -ahead]) @ turn


@given(cameras, places)
def test_nothing_is_higher_for_one_eye_than_for_the_other(camera: Camera, place: tuple[float, ...]) -> None:
    left, right = (seen(eye, *SIZE, place) for eye in stereo_cameras(camera))
    # An orthographic camera goes around the target: what is beside it is as high from everywhere.
    assert left[1] == pytest.approx(right[1], abs=1e-6)


@given(cameras)
def test_what_is_as_far_as_the_target_lies_in_the_plane_of_the_picture(camera: Camera) -> None:
    across = 0.0 if camera.orthographic else 0.3  # which is not quite a plane where sight is parallel
    place = place_from(camera, across, 0.2, camera.distance)
    left, right = (seen(eye, *SIZE, place) for eye in stereo_cameras(camera))
    assert left == pytest.approx(right, abs=1e-6)


@given(cameras, st.floats(-0.4, 0.4), st.floats(0.3, 2.0))
def test_what_is_nearer_is_farther_right_for_the_left_eye(camera: Camera, across: float, nearer: float) -> None:
    near, far = (place_from(camera, across, 0.0, camera.distance + gap) for gap in (-nearer, nearer))
    left, right = stereo_cameras(camera)
    assert seen(left, *SIZE, near)[0] > seen(right, *SIZE, near)[0] + 1
    assert seen(left, *SIZE, far)[0] < seen(right, *SIZE, far)[0] - 1


@given(cameras.filter(lambda camera: not camera.orthographic))
def test_eyes_look_the_same_way_from_a_thirtieth_of_the_distance_apart(camera: Camera) -> None:
    left, right = stereo_cameras(camera)
    np.testing.assert_array_equal(left.view()[:3, :3], right.view()[:3, :3])
    apart = np.linalg.norm(np.subtract(left.position, right.position))
    assert apart == pytest.approx(EYE_SEPARATION * camera.distance)
    assert left.position[1] == pytest.approx(camera.eye[1])


@given(cameras)
def test_a_camera_stands_where_its_view_has_its_origin(camera: Camera) -> None:
    for eye in (camera, *stereo_cameras(camera)):
        np.testing.assert_allclose(eye.view() @ (*eye.position, 1.0), (0, 0, 0, 1), atol=1e-9)


def test_crossed_eyes_see_each_others_half() -> None:
    camera = Camera((0, 1, 5), (0, 1, 0))
    assert side_by_side(camera, "parallel") == stereo_cameras(camera)
    assert side_by_side(camera, "crossed") == stereo_cameras(camera)[::-1]


def test_of_two_pictures_side_by_side_each_is_half_as_wide() -> None:
    aspects = [aspect_per_eye(stereo, 1.5) for stereo in ("off", "parallel", "crossed", "anaglyph")]
    assert aspects == [1.5, 0.75, 0.75, 1.5]
