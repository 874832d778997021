"""Exporting at 640×480: frames in a folder, and a video."""

import pytest

import juggle_anim as ja
from juggle_anim.public import export


@pytest.mark.parametrize("name", ["frames", "video.mp4"])
def test_export(benchmark, report, tmp_path, name: str) -> None:
    animation = ja.animate("531")
    done = []

    def write() -> None:
        export(animation, tmp_path / name, size=(640, 480), fps=60, loops=4, force=True, progress=watch)

    def watch(frame: int, frames: int) -> None:
        done[:] = [frames]

    benchmark.pedantic(write, rounds=3, warmup_rounds=1)
    report(frames_per_second=done[0] / benchmark.stats["median"])
