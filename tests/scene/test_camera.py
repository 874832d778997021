"""A ball is inside the margins when it lies wholly on the near side of the planes through the eye
that bound them.
"""

import numpy as np
import pytest
from drawn_scenes import seen
from framed_views import ASPECTS, AZIMUTHS, ELEVATIONS, POINTS, RADII, VIEWS
from hypothesis import given
from hypothesis import strategies as st
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.arrays import Floats
from juggle_anim.body import Joint
from juggle_anim.scene import Camera, Framing, frame_points
from juggle_anim.scene.camera import (
    EYE_SEPARATION,
    EyeRange,
    aspect_per_eye,
    eye_camera,
    side_by_side,
    stereo_cameras,
)
from juggle_anim.scene.framing import FREE_BELOW, MARGIN, extreme_points

EYE, TARGET = (1.0, 2.0, 5.0), (0.0, 1.2, 0.0)


PLACES = st.tuples(*[st.floats(-5, 5)] * 3)
ASIDE = st.just((0.0, 0.0)) | st.tuples(*[st.floats(-1.5, 1.5)] * 2)


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
def test_the_view_keeps_distances_and_puts_the_eye_at_its_origin(
    one: tuple[float], other: tuple[float]
) -> None:
    view = Camera(EYE, TARGET).view()
    a, b = view @ (*one, 1.0), view @ (*other, 1.0)
    np.testing.assert_allclose(
        np.linalg.norm(a - b), np.linalg.norm(np.subtract(one, other)), atol=1e-9
    )
    np.testing.assert_allclose(view @ (*EYE, 1.0), (0, 0, 0, 1), atol=1e-12)
    np.testing.assert_allclose((view @ (*TARGET, 1.0))[:2], 0, atol=1e-12)
    assert (view @ (*TARGET, 1.0))[2] < 0


def test_depths_from_near_to_far_fill_the_range_of_opengl() -> None:
    camera = Camera(EYE, TARGET, near=0.5, far=50.0)
    depths = [
        clip[2] / clip[3] for clip in (camera.projection(1.5) @ (0, 0, -z, 1) for z in (0.5, 50.0))
    ]
    np.testing.assert_allclose(depths, (-1, 1))


def test_up_in_the_world_is_up_in_the_picture() -> None:
    column, row = seen(Camera(EYE, TARGET), 640, 480, (0.0, 1.5, 0.0))
    assert row < 240
    np.testing.assert_allclose(column, 320, atol=1e-9)


def test_a_mirror_exchanges_left_and_right_alone() -> None:
    plain, mirrored = (
        Camera(EYE, TARGET, mirrored=mirrored).projection(1.5) for mirrored in (False, True)
    )
    np.testing.assert_array_equal(mirrored, np.diag([-1.0, 1.0, 1.0, 1.0]) @ plain)


@pytest.mark.parametrize("count", [1, 31, 256, 257, 20_000])
def test_outermost_points_reach_as_far_as_all_points_in_any_direction(count: int) -> None:
    points = np.cumsum(np.random.default_rng(count).normal(size=(count, 3)), axis=0)
    found = extreme_points(points)
    assert len(found) <= 256
    directions = np.random.default_rng(0).normal(size=(256, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    reach = np.ptp(points @ directions.T, axis=0).max()
    for direction in directions:
        missed = (points @ direction).max() - (found @ direction).max()
        assert missed <= 0.005 * reach


def test_outermost_points_are_some_of_the_points() -> None:
    points = np.random.default_rng(5).normal(size=(9000, 3))
    assert {tuple(point) for point in extreme_points(points)} <= {tuple(point) for point in points}


def room(
    camera: Camera,
    centres: Floats,
    radii: Floats | float,
    aspect: float,
    margin: float,
    aside: tuple[float, float] = (0.0, 0.0),
    below: float | None = None,
) -> Floats:
    """How far balls are inside the left, right, lower and upper edge of a margin, shape (4, N),
    [m]; < 0 is outside.

    The middle of the picture lies aside of what is straight ahead; the lower edge may have a margin
    of its own.
    """
    x, y, z = (camera.view() @ np.column_stack([centres, np.ones(len(centres))]).T)[:3]
    half = np.tan(camera.field_of_view / 2)
    x, y = (each + way * half * camera.distance for each, way in zip((x, y), aside, strict=True))
    up = half * (1 - 2 * margin)
    down = half * (1 - 2 * (margin if below is None else below))
    edges = [
        (-z * t - side * (v + z * way * half)) / np.hypot(1, t + side * way * half)
        for v, ends, way in ((x, (up * aspect, up * aspect), aside[0]), (y, (down, up), aside[1]))
        for side, t in zip((-1, 1), ends, strict=True)
    ]
    return np.array(edges) - radii


@given(POINTS, RADII, ASPECTS, AZIMUTHS, ELEVATIONS, VIEWS, ASIDE)
def test_every_ball_is_inside_the_margins(
    points: Floats,
    radius: float,
    aspect: float,
    azimuth: float,
    elevation: float,
    view: float,
    aside: tuple[float, float],
) -> None:
    camera = frame_points(points, radius, Framing(aspect, azimuth, elevation, view, aside=aside))
    assert room(camera, points, radius, aspect, MARGIN, aside).min() > -1e-6


@given(POINTS, RADII, ASPECTS, AZIMUTHS, ELEVATIONS, VIEWS, ASIDE)
def test_no_nearer_camera_sees_them_all(
    points: Floats,
    radius: float,
    aspect: float,
    azimuth: float,
    elevation: float,
    view: float,
    aside: tuple[float, float],
) -> None:
    camera = frame_points(points, radius, Framing(aspect, azimuth, elevation, view, aside=aside))
    below = MARGIN + np.cos(elevation) ** 2 * (FREE_BELOW - MARGIN)
    left, right, lower, upper = room(camera, points, radius, aspect, MARGIN, aside, below).min(
        axis=1
    )
    # Two opposite edges are touched: going nearer would cut one of them, whichever way the camera
    # moved across.
    assert max(left, right) < 1e-6 or max(lower, upper) < 1e-6
    if aside == (0.0, 0.0):
        assert left == pytest.approx(right, abs=1e-6)


@given(POINTS, RADII, ASPECTS, AZIMUTHS, VIEWS)
def test_feet_are_near_the_lower_edge_in_a_level_view(
    points: Floats, radius: float, aspect: float, azimuth: float, view: float
) -> None:
    camera = frame_points(points, radius, Framing(aspect, azimuth, 0.0, view))
    _left, _right, lower, _upper = room(
        camera, points, radius, aspect, MARGIN, below=FREE_BELOW
    ).min(axis=1)
    assert lower == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("pattern", ["3", "531", "97531", "b97531", "pattern=7;prop=club"])
def test_people_take_nearly_half_of_the_height_of_the_picture(pattern: str) -> None:
    animation = ja.animate(pattern)
    joints = animation.pose(np.linspace(0.0, animation.duration, 20)).joints[:, 0]
    for aspect in (4 / 3, 16 / 9):
        camera = animation.camera(aspect)
        crown = joints[:, Joint.HEAD].mean(axis=0) + (0.0, 0.12, 0.0)
        toes = joints[:, Joint.LEFT_TOES].mean(axis=0) * (1.0, 0.0, 1.0)
        to_picture = camera.projection(aspect) @ camera.view()
        _x, y, _z, away = to_picture @ np.column_stack([[crown, toes], np.ones(2)]).T
        head, feet = y / away / 2 + 0.5
        # Throws that leave the picture anyway leave more of it to people.
        are_too_high = animation.motion.flight_paths.parabolas.apexes()[:, 1].max() > 3.0
        assert head - feet >= (0.53 if are_too_high else 0.45)
        assert 0.12 <= feet <= 0.2


@pytest.mark.parametrize("pattern", ["531", "71", "pattern=71;prop=club", "(6x,4)*", "7"])
def test_throws_of_usual_heights_stay_in_the_picture(pattern: str) -> None:
    animation = ja.animate(pattern)
    camera = animation.camera(4 / 3)
    frames = animation.sample(np.linspace(0.0, animation.duration, 60))
    places = np.pad(frames.props.reshape(-1, 3), ((0, 0), (0, 1)), constant_values=1.0)
    _x, y, _z, away = camera.projection(4 / 3) @ camera.view() @ places.T
    assert (y / away).max() < 1.0


@given(POINTS, ASPECTS, AZIMUTHS, ELEVATIONS)
def test_the_camera_looks_from_where_it_was_asked_to(
    points: Floats, aspect: float, azimuth: float, elevation: float
) -> None:
    camera = frame_points(points, 0.1, Framing(aspect, azimuth, elevation, 0.5))
    back = np.subtract(camera.eye, camera.target)
    level = np.cos(elevation)
    wanted = np.array([np.sin(azimuth) * level, np.sin(elevation), np.cos(azimuth) * level])
    np.testing.assert_allclose(back / np.linalg.norm(back), wanted, atol=1e-6)


@given(POINTS, st.floats(0.1, 0.5), st.floats(np.radians(10), np.radians(60)))
def test_everything_lies_between_near_and_far(points: Floats, radius: float, view: float) -> None:
    camera = frame_points(points, radius, Framing(1.5, 0.3, 0.1, view))
    depth = -(camera.view() @ np.column_stack([points, np.ones(len(points))]).T)[2]
    assert camera.near < depth.min() - radius
    assert depth.max() + radius < camera.far


def test_the_whole_pattern_is_in_the_picture_at_every_time_of_a_loop() -> None:
    for pattern in ("z", "531", "b97531", "(4x,2x)(2,4)", "1"):
        animation = ja.animate(pattern, framing="whole")
        # Times between those that the camera was made from.
        times = np.linspace(0, animation.duration, 61)
        for aspect in (640 / 480, 1920 / 1080, 480 / 640):
            assert smallest_room(animation, aspect, times, 0.0) > 0, (pattern, aspect)
            # Nor is the picture emptier than the margin explains.
            assert smallest_room(animation, aspect, times, 2 * MARGIN) < 0, (pattern, aspect)


@pytest.mark.parametrize(
    ("pattern", "diameter"),
    sampled(
        [("(3^100)bbb00000000", 7), ("(3^8)bbb00000000", 7), ("1", 60), ("531", 60)],
        *(("(3^8)bbb00000000", 7), ("531", 60)),
        arguments=2,
    ),
)
def test_neither_a_rare_high_throw_nor_a_huge_prop_is_cut(pattern: str, diameter: float) -> None:
    animation = ja.animate(pattern, prop_diameter=diameter, framing="whole")
    assert smallest_room(animation, 4 / 3, np.linspace(0, animation.duration, 301), MARGIN / 2) > 0


def smallest_room(animation: ja.Animation, aspect: float, times: Floats, margin: float) -> float:
    camera = animation.camera(aspect)
    scenes = animation.scenes(times, camera)
    spheres, capsules = scenes.spheres.reshape(-1, 12), scenes.capsules.reshape(-1, 12)
    centres = np.concatenate([spheres[:, :3], capsules[:, :3], capsules[:, 4:7]]).astype(float)
    radii = np.concatenate([spheres[:, 3], capsules[:, 3], capsules[:, 7]])
    return float(room(camera, centres, radii, aspect, margin).min())


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
def test_nothing_is_higher_for_one_eye_than_for_the_other(
    camera: Camera, place: tuple[float, ...]
) -> None:
    left, right = (seen(eye, *SIZE, place) for eye in stereo_cameras(camera))
    # An orthographic camera goes around the target: what is beside it is as high from everywhere.
    assert left[1] == pytest.approx(right[1], abs=1e-6)


@given(cameras)
def test_what_is_as_far_as_the_target_lies_in_the_plane_of_the_picture(camera: Camera) -> None:
    across = (
        0.0 if camera.orthographic else 0.3
    )  # which is not quite a plane where sight is parallel
    place = place_from(camera, across, 0.2, camera.distance)
    left, right = (seen(eye, *SIZE, place) for eye in stereo_cameras(camera))
    assert left == pytest.approx(right, abs=1e-6)


@given(cameras, st.floats(-0.4, 0.4), st.floats(0.3, 2.0))
def test_what_is_nearer_is_farther_right_for_the_left_eye(
    camera: Camera, across: float, nearer: float
) -> None:
    near, far = (
        place_from(camera, across, 0.0, camera.distance + gap) for gap in (-nearer, nearer)
    )
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


def test_eyes_look_where_the_head_is_turned() -> None:
    head = np.array([0.2, 1.6, -0.4])
    seen_by_eyes = EyeRange(low=-0.6, high=0.9, pitch=0.1)
    for azimuth in np.linspace(-3.0, 3.0, 7):
        ahead = np.array([np.sin(azimuth), 0.0, np.cos(azimuth)])
        camera = eye_camera(head, head + 0.1 * ahead, seen_by_eyes, juggler=0, mirrored=False)
        gaze = np.subtract(camera.target, camera.eye)
        level = np.hypot(gaze[0], gaze[2])
        np.testing.assert_allclose(gaze[[0, 2]] / level, ahead[[0, 2]], atol=1e-6)
        assert camera.inside == 0
