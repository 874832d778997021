"""The Python in a frame: all that `Renderer.draw` does apart from the graphics driver's own
work.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.render import Offscreen, Renderer, gl
from juggle_anim.render.gl_objects import RenderTarget
from juggle_anim.viewer.picture import ScenePrefetch

SIZE = 640, 480
TARGET = RenderTarget(SIZE)


@pytest.fixture
def idle_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every OpenGL call that a frame makes goes through ctypes as ever, to a C function that does
    nothing.
    """
    nothing = ctypes.CDLL(None).getpid
    for name, function in list(vars(gl).items()):
        if name.startswith("gl") and hasattr(function, "argtypes"):
            stub: Any = ctypes.cast(nothing, ctypes.CFUNCTYPE(None, *function.argtypes))
            monkeypatch.setattr(gl, name, stub)


@pytest.fixture
def renderer():
    """A renderer that has drawn once, so that every function it needs is loaded."""
    animation = ja.animate("531")
    scenes = itertools.cycle(animation.scenes(np.arange(64) / 60, animation.camera(4 / 3)))
    with Offscreen(*SIZE) as offscreen:
        offscreen.draw(next(scenes))
        yield offscreen._renderer, scenes


def test_python_of_drawing_a_frame(
    benchmark, report, renderer: tuple[Renderer, Any], idle_driver: None
) -> None:
    draws, scenes = renderer
    benchmark(lambda: draws.draw(next(scenes), TARGET))
    report(milliseconds=1e3 * benchmark.stats["median"])


def test_python_of_a_frame_of_an_export(
    benchmark, report, renderer: tuple[Renderer, Any], idle_driver: None
) -> None:
    draws, _ = renderer
    animation = ja.animate("531")
    camera = animation.camera(4 / 3)
    times = np.arange(64) / 60

    def frames() -> None:
        for scene in animation.scenes(times, camera):
            draws.draw(scene, TARGET)

    benchmark(frames)
    report(milliseconds_per_frame=1e3 * benchmark.stats["median"] / 64)


def test_python_of_a_frame_of_the_viewer_as_it_plays(
    benchmark, report, renderer: tuple[Renderer, Any], idle_driver: None
) -> None:
    draws, _ = renderer
    animation = ja.animate("531")
    ahead = ScenePrefetch()
    camera = animation.camera(4 / 3)
    ticks = itertools.count()

    def frames() -> None:
        for _ in range(64):
            draws.draw(ahead.scene(animation, next(ticks) / 60, 1 / 60, camera), *SIZE)

    benchmark(frames)
    report(milliseconds_per_frame=1e3 * benchmark.stats["median"] / 64)


def test_python_of_a_frame_of_the_viewer_after_a_turn(
    benchmark, report, renderer: tuple[Renderer, Any], idle_driver: None
) -> None:
    draws, _ = renderer
    animation = ja.animate("531")
    camera = animation.camera(4 / 3)
    ticks = itertools.count()
    benchmark(lambda: draws.draw(animation.scene(next(ticks) / 60, camera), *SIZE))
    report(milliseconds=1e3 * benchmark.stats["median"])
