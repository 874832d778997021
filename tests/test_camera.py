import numpy as np
from drawn_scenes import seen
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.scene import Camera

EYE, TARGET = (1.0, 2.0, 5.0), (0.0, 1.2, 0.0)
PLACES = st.tuples(*[st.floats(-5, 5)] * 3)


def test_the_target_is_in_the_middle_of_the_picture() -> None:
    np.testing.assert_allclose(seen(Camera(EYE, TARGET), 640, 480, TARGET), (320, 240), atol=1e-9)


def test_half_the_field_of_view_reaches_the_upper_edge_at_any_aspect() -> None:
    camera = Camera((0, 1, 10), (0, 1, 0), field_of_view=np.radians(40))
    top = (0, 1 + 10 * np.tan(np.radians(20)), 0)
    for width in (200, 640, 2000):
        np.testing.assert_allclose(seen(camera, width, 480, top), (width / 2, 0), atol=1e-9)


def test_pixels_are_square() -> None:
    camera = Camera((0, 1, 10), (0, 1, 0))
    right = seen(camera, 1920, 1080, (1, 1, 0)) - (960, 540)
    up = (960, 540) - seen(camera, 1920, 1080, (0, 2, 0))
    np.testing.assert_allclose(right[0], up[1])


def test_from_in_front_a_jugglers_left_is_on_the_right_of_the_picture() -> None:
    assert seen(Camera((0, 1, 10), (0, 1, 0)), 640, 480, (1, 1, 0))[0] > 320


@given(PLACES, PLACES)
def test_the_view_keeps_distances_and_puts_the_eye_at_its_origin(one: tuple[float], other: tuple[float]) -> None:
    view = Camera(EYE, TARGET).view()
    a, b = view @ (*one, 1.0), view @ (*other, 1.0)
    np.testing.assert_allclose(np.linalg.norm(a - b), np.linalg.norm(np.subtract(one, other)), atol=1e-9)
    np.testing.assert_allclose(view @ (*EYE, 1.0), (0, 0, 0, 1), atol=1e-12)
    np.testing.assert_allclose((view @ (*TARGET, 1.0))[:2], 0, atol=1e-12)
    assert (view @ (*TARGET, 1.0))[2] < 0


def test_depths_from_near_to_far_fill_the_range_of_opengl() -> None:
    camera = Camera(EYE, TARGET, near=0.5, far=50.0)
    depths = [clip[2] / clip[3] for clip in (camera.projection(1.5) @ (0, 0, -z, 1) for z in (0.5, 50.0))]
    np.testing.assert_allclose(depths, (-1, 1))


def test_up_in_the_world_is_up_in_the_picture() -> None:
    column, row = seen(Camera(EYE, TARGET), 640, 480, (0.0, 1.5, 0.0))
    assert row < 240
    np.testing.assert_allclose(column, 320, atol=1e-9)


def test_a_mirror_exchanges_left_and_right_alone() -> None:
    plain, mirrored = (Camera(EYE, TARGET, mirrored=mirrored).projection(1.5) for mirrored in (False, True))
    np.testing.assert_array_equal(mirrored, np.diag([-1.0, 1.0, 1.0, 1.0]) @ plain)
