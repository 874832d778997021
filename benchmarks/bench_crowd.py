"""A crowd: 825 jugglers with four props each, everybody with their own ways of hands and body."""

from random import Random

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.analysis import analyse

JUGGLERS = 825
FRAMES = 64


@pytest.fixture(scope="module")
def text() -> str:
    return crowd(JUGGLERS)


def crowd(jugglers: int) -> str:
    """Settings of so many jugglers, here and there in a square of 40 m."""
    rng = Random(1)

    def sides(form: str, ranges: list[tuple[float, float]]) -> str:
        numbers = (form.format(*(rng.uniform(*each) for each in ranges)) for _ in range(jugglers))
        return f"<{'|'.join(numbers)}>"

    hands = sides(
        "({:.1f})({:.1f},{:.1f})c({:.1f}).({:.1f})(32.5).",
        [(8, 15), (30, 40), (0, 10), (28, 34), (8, 15)],
    )
    place = [(0, 360), (0, 4000), (0, 4000)]
    body = sides("({:.0f},{:.0f},{:.0f}).({:.0f},{:.0f},{:.0f}).", place + place)
    return f"pattern={sides('4 4', [])};hands={hands};body={body};bps=4"


def test_load_a_crowd(benchmark, report, text: str) -> None:
    benchmark(lambda: ja.animate(text).motion)
    report(seconds=benchmark.stats["median"])


def test_sample_a_crowd(benchmark, report, text: str) -> None:
    animation = ja.animate(text)
    times = np.arange(FRAMES) / 60
    benchmark(animation.sample, times)
    report(frames_a_second=FRAMES / benchmark.stats["median"])


def test_pose_a_crowd(benchmark, report, text: str) -> None:
    animation = ja.animate(text)
    times = np.arange(8) / 60
    benchmark(animation.pose, times)
    report(frames_a_second=8 / benchmark.stats["median"])


def test_analyse_a_circle_of_300(benchmark, report) -> None:
    animation = ja.animate(f"<{'|'.join(['3p 3 3'] * 300)}>")
    benchmark.pedantic(analyse, args=(animation,), rounds=1)
    report(seconds=benchmark.stats["median"])
