"""Nine variations: making them, and drawing a picture of each, as a window does in every frame."""

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.render import Offscreen
from juggle_anim.variants import vary

CELL = 312, 212  # of a window of 1280 by 720


def test_make_nine(benchmark, report) -> None:
    animation = animate("531")
    benchmark(lambda: vary(animation, "mixed"))
    report(ms=1e3 * benchmark.stats["median"])


def test_draw_nine(benchmark, report) -> None:
    """Nine pictures, and the scenes of nine frames of one version, as they are solved in turn."""
    versions = vary(animate("531"), "mixed")
    camera = versions[4].camera(CELL[0] / CELL[1])
    scenes = [version.scene(0.3, camera) for version in versions]
    times = 0.3 + np.arange(9) / 60
    with Offscreen(*CELL) as offscreen:

        def frame() -> None:
            versions[1].scenes(times, camera)
            for scene in scenes:
                offscreen.image(scene)

        benchmark(frame)
    report(ms=1e3 * benchmark.stats["median"])
