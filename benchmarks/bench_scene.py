"""Building what is to be drawn: time to arrays of shapes."""

import itertools

import numpy as np

import juggle_anim as ja


def test_scene_of_a_single_time(benchmark, report) -> None:
    animation = ja.animate("531")
    camera = animation.camera(4 / 3)
    ticks = itertools.count()
    benchmark(lambda: animation.scene(next(ticks) / 60, camera))
    report(milliseconds=1e3 * benchmark.stats["median"])


def test_scenes_of_64_times_at_once(benchmark, report) -> None:
    animation = ja.animate("531")
    camera = animation.camera(4 / 3)
    times = np.arange(64) / 60
    benchmark(lambda: list(animation.scenes(times, camera)))
    report(milliseconds_per_frame=1e3 * benchmark.stats["median"] / 64)


def test_camera_of_a_pattern_first_seen(benchmark, report) -> None:
    def fresh():
        animation = ja.animate("531")
        animation.motion  # noqa: B018 - it is kept
        return (animation,), {}

    benchmark.pedantic(lambda animation: animation.camera(4 / 3), setup=fresh, rounds=50)
    report(milliseconds=1e3 * benchmark.stats["median"])
