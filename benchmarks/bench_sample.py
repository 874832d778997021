"""Sampling one loop at 60 frames a second."""

import numpy as np
import pytest

import juggle_anim as ja


def loop_of(pattern: str):
    animation = ja.animate(pattern)
    animation.motion  # noqa: B018 - it is kept
    return animation, np.arange(0.0, animation.duration, 1 / 60)


@pytest.mark.parametrize("pattern", ["531", "z"])
def test_sample_hands_and_props_of_a_loop(benchmark, report, pattern: str) -> None:
    animation, times = loop_of(pattern)
    benchmark(animation.sample, times)
    report(frames=len(times), microseconds_per_frame=1e6 * benchmark.stats["median"] / len(times))


@pytest.mark.parametrize("pattern", ["531", "z", "<3p 3|3p 3>", "<4p 3|3 4p>"])
def test_pose_every_joint_of_a_loop(benchmark, report, pattern: str) -> None:
    animation, times = loop_of(pattern)
    benchmark(animation.pose, times)
    report(frames=len(times), microseconds_per_frame=1e6 * benchmark.stats["median"] / len(times))


@pytest.mark.parametrize("pattern", ["531", "z", "<3p 3|3p 3>"])
def test_sample_many_times(benchmark, report, pattern: str) -> None:
    animation, _ = loop_of(pattern)
    times = np.linspace(0.0, 100.0, 50_000)
    frames = benchmark(animation.sample, times)
    positions = frames.hands.size // 3 + frames.props.size // 3
    report(million_positions_a_second=positions / benchmark.stats["median"] / 1e6)
