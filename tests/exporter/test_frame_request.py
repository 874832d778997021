import dataclasses

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.view import (
    MAX_CYCLE_SECONDS,
    MIN_VIDEO_SECONDS,
    FrameRequest,
    loops_until_props_return,
    read_view,
)
from juggle_anim.render import Offscreen

SMALL = (48, 36)


@pytest.mark.parametrize("fps", [60, 25, 29.97, 7.3])
@pytest.mark.parametrize("loops", [1, 3])
def test_pictures_divide_the_loop_evenly_so_that_the_last_is_followed_by_the_first(
    fps: float, loops: int
) -> None:
    shots = FrameRequest(animate("531"), SMALL, fps, loops)
    whole = loops * shots.animation.duration
    assert shots.frames == round(whole * fps)
    np.testing.assert_allclose(
        shots.times, [number * whole / shots.frames for number in range(shots.frames)]
    )
    np.testing.assert_allclose(np.diff([*shots.times, whole]), whole / shots.frames)


def test_playing_at_half_speed_takes_twice_the_pictures_of_the_same_loop() -> None:
    normal, slow = (
        FrameRequest(animate("3", bps=4, speed=speed), SMALL, 50) for speed in (1.0, 0.5)
    )
    assert slow.frames == 2 * normal.frames
    np.testing.assert_allclose(slow.times[::2], normal.times)


def test_a_loop_shorter_than_a_frame_is_one_picture() -> None:
    assert list(FrameRequest(animate("3", bps=200), SMALL, 0.01).times) == [0.0]


def test_a_picture_is_the_scene_of_its_time_seen_by_the_camera_of_the_pattern() -> None:
    animation = animate("(6x,4)*", chicken_wing=60)
    # More pictures than are posed at once.
    shots = FrameRequest(animation, (96, 54), 130)
    images = list(DrawnFrames(shots).images())
    assert len(images) == shots.frames > 70
    camera = animation.camera(96 / 54)
    with Offscreen(96, 54) as offscreen:
        for number in (0, 1, 63, 64, 65, shots.frames - 1):
            expected = offscreen.image(shots.closing_animation.scene(shots.times[number], camera))
            assert (images[number] == expected).all(), number


@pytest.mark.parametrize("figure", ["solid", "person", "mannequin", "stick", "see-through"])
def test_a_juggler_sees_own_hands_and_nothing_of_the_own_head(figure: str) -> None:
    def picture(figure: str) -> Bytes:
        shots = FrameRequest(
            animate("3", figure=figure),
            (96, 72),
            10,
            start=0.3,
            seconds=0.1,
            view=read_view("eyes"),
        )
        return next(iter(DrawnFrames(shots).images()))

    hands = (np.abs(picture(figure).astype(int) - picture("hidden")).max(axis=2) > 12).mean(axis=1)
    assert hands[:36].max() == 0
    assert 0 < hands[36:].mean() < 0.3


def test_eyes_move_and_so_have_no_model() -> None:
    shots = FrameRequest(animate("3"), (64, 48), 10, view=read_view("eyes"))
    cameras = [scene.camera for scene in DrawnFrames(shots)._scenes(shots.times)]
    assert len({camera.eye for camera in cameras}) == len(cameras)
    with pytest.raises(ParameterError, match="camera eyes moves with a head"):
        shots.view.camera(shots.animation, 1.0)


def test_each_picture_is_memory_of_its_own() -> None:
    first, second = list(DrawnFrames(FrameRequest(animate("3"), SMALL, 5)).images())[:2]
    assert not np.shares_memory(first, second)
    assert (first != second).any()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"fps": float("nan")}, "fps is nan"),
        ({"fps": float("inf")}, "fps is inf"),
        ({"fps": 0.0}, "from 0.01 to 1000"),
        ({"fps": -60.0}, "fps is -60"),
        ({"loops": 0}, "loops is 0"),
        ({"loops": 10**9}, "the limit is 1,000,000"),
        ({"size": (0, 10)}, "0x10"),
        ({"size": (10, -1)}, "10x-1"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_drawn(
    wrong: dict[str, object], named: str
) -> None:
    with pytest.raises(ParameterError, match=named):
        FrameRequest(**{"animation": animate("3"), "size": SMALL, "fps": 60.0, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["3", "531", "b97531", "(6x,4)*", "51", "1"])
def test_a_video_brings_every_prop_back_and_is_not_too_short(text: str) -> None:
    animation = animate(text)
    seconds = loops_until_props_return(animation) * animation.duration
    start, end = animation.sample(np.array([0.0, seconds])).props
    np.testing.assert_allclose(start, end, atol=1e-9)
    assert MIN_VIDEO_SECONDS <= seconds <= 2 * MAX_CYCLE_SECONDS


def test_a_video_whose_props_take_too_long_to_return_is_a_few_loops() -> None:
    animation = animate("{30}8", bps=0.5)
    # The orbits have 15 and 4 props: all are back after 60 loops of 4 seconds.
    assert loops_until_props_return(animation) == 1


def test_a_span_of_time_is_at_the_rate_given_and_begins_where_it_is_told() -> None:
    animation = animate("3", speed=2.0)
    shots = FrameRequest(animation, SMALL, 20, start=1.5, seconds=0.52)
    assert (shots.frames, shots.duration) == (10, 0.5)
    np.testing.assert_allclose(shots.times, 3.0 + np.arange(10) * 0.1)


def test_some_pictures_are_the_same_as_among_all() -> None:
    shots = FrameRequest(animate("531"), SMALL, 12, blur=2, supersampling=2)
    images = list(DrawnFrames(shots).images())
    for number, image in zip((5, 0, 17), DrawnFrames(shots).images([5, 0, 17]), strict=True):
        assert (image == images[number]).all()
    assert list(DrawnFrames(shots).images([])) == []


def test_a_view_is_another_picture_of_the_same_time() -> None:
    shots = FrameRequest(animate("531"), SMALL, 12)
    (usual,) = DrawnFrames(shots).images([3])
    (beside,) = DrawnFrames(dataclasses.replace(shots, view=read_view("left"))).images([3])
    assert (usual != beside).any()
    camera = read_view("left").camera(shots.animation, 48 / 36)
    with Offscreen(*SMALL) as offscreen:
        assert (
            offscreen.image(shots.closing_animation.scene(shots.times[3], camera)) == beside
        ).all()


def test_supersampling_changes_edges_and_little_else() -> None:
    shots = FrameRequest(animate("531"), (160, 120), 12)
    (plain,), (fine,) = (
        DrawnFrames(shots).images([0]),
        DrawnFrames(dataclasses.replace(shots, supersampling=3)).images([0]),
    )
    assert plain.shape == fine.shape
    apart = np.abs(plain.astype(int) - fine)
    assert apart.max() > 10
    assert apart.mean() < 1.3


def test_motion_blur_spreads_what_moves_and_leaves_what_rests() -> None:
    # Bodies are held still, so that only hands and props move.
    shots = FrameRequest(animate("3", body_motion=0), (160, 120), 12)
    (sharp,), (blurred,) = (
        DrawnFrames(shots).images([2]),
        DrawnFrames(dataclasses.replace(shots, blur=16)).images([2]),
    )
    changed = (np.abs(sharp.astype(int) - blurred) > 3).any(axis=2)
    assert 0.003 < changed.mean() < 0.2
    assert not changed[-20:].any()
    around = [
        dataclasses.replace(shots, fps=12 * 64, start=2 / 12 + shift / 768, seconds=1 / 768)
        for shift in (-12, 12)
    ]
    light = np.mean([next(DrawnFrames(each).images([0])).astype(float) for each in around])
    assert blurred.mean() == pytest.approx(light, abs=0.5)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"start": -1.0}, "start is -1"),
        ({"start": float("nan")}, "start is nan"),
        ({"seconds": 0.0}, "seconds is 0"),
        ({"seconds": float("inf")}, "seconds is inf"),
        ({"seconds": 1e308}, "at most 1,000,000"),
        ({"seconds": 1e6}, "the limit is 1,000,000"),
        ({"supersampling": 9}, "supersampling is 9"),
        ({"blur": 0}, "blur is 0"),
    ],
)
def test_times_and_samples_that_cannot_be_are_refused(wrong: dict[str, object], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        FrameRequest(**{"animation": animate("3"), "size": SMALL, "fps": 60.0, **wrong})  # type: ignore[arg-type]


def test_where_a_player_repeats_it_once_until_all_props_are_back_is_enough() -> None:
    animation = animate("51")
    assert loops_until_props_return(animation, 0.0) < loops_until_props_return(animation)
    seconds = loops_until_props_return(animation, 0.0) * animation.duration
    start, end = animation.sample(np.array([0.0, seconds])).props
    np.testing.assert_allclose(start, end, atol=1e-9)
