"""Drawing one juggler at 640×480 with whatever OpenGL is here."""

import itertools

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.render import Offscreen, gl

SIZE = 640, 480


@pytest.fixture
def scenes():
    animation = ja.animate("531")
    return itertools.cycle(animation.scenes(np.arange(64) / 60, animation.camera(4 / 3)))


def test_draw_a_frame(benchmark, report, scenes) -> None:
    with Offscreen(*SIZE) as offscreen:

        def draw() -> None:
            offscreen.draw(next(scenes))
            with offscreen._context:
                gl.glFinish()

        benchmark.pedantic(draw, rounds=300, warmup_rounds=20)
    report(frames_per_second=1 / benchmark.stats["median"])


def test_draw_and_read_a_frame(benchmark, report, scenes) -> None:
    with Offscreen(*SIZE) as offscreen:
        picture = np.empty((SIZE[1], SIZE[0], 3), dtype=np.uint8)

        def draw() -> None:
            offscreen.draw(next(scenes))
            offscreen.read(picture)

        benchmark.pedantic(draw, rounds=300, warmup_rounds=20)
    report(frames_per_second=1 / benchmark.stats["median"])
