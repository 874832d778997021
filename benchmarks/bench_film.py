"""A film of 3840 × 2160 pixels behind the animation: how many of its pictures are shown, and the
memory for that.
"""

from __future__ import annotations

import statistics
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from bench_viewer import viewer

from juggle_anim.viewer.footage.footage import Film

SIZE = 3840, 2160
RATE = 30
COUNT = 150
SECONDS = 8


@pytest.fixture(scope="module")
def large_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five seconds of a moving texture, with a key frame every two seconds."""
    path = tmp_path_factory.mktemp("film") / "large.mp4"
    wide, high = SIZE
    rows, columns = np.mgrid[:high, : 2 * wide].astype(np.float32)
    texture = (
        128 + 60 * np.sin(columns / 37) * np.sin(rows / 23) + 40 * np.sin((columns + rows) / 5)
    )
    picture = np.repeat(texture[..., None].astype(np.uint8), 3, axis=2)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width = wide
        stream.height = high
        stream.pix_fmt = "yuv420p"
        stream.gop_size = 2 * RATE
        stream.options = {"preset": "ultrafast"}
        for number in range(COUNT):
            moved = np.ascontiguousarray(picture[:, 12 * number : 12 * number + wide])
            container.mux(stream.encode(av.VideoFrame.from_ndarray(moved, "rgb24")))
        container.mux(stream.encode())
    return path


def test_pictures_of_a_large_film(benchmark, report, large_film: Path) -> None:
    """One after the other, as fast as they are decoded."""

    def decode() -> None:
        with closing(Film(large_film)) as film:
            for number in range(COUNT):
                film.frame((number + 0.5) / RATE, (1280, 720), 60.0)

    begun = time.perf_counter()
    benchmark.pedantic(decode, rounds=1)
    report(pictures_a_second=COUNT / (time.perf_counter() - begun))


def test_a_large_film_behind_an_animation(
    benchmark, report, display: str, large_film: Path
) -> None:
    """In a window of 1280 × 720 pixels."""
    told: dict[str, Any] = {}

    def play() -> None:
        with viewer(display, "film", str(large_film), str(SECONDS)) as lines:
            told.update(next(lines))

    benchmark.pedantic(play, rounds=1)
    report(
        frames_a_second=told["frames"] / told["seconds"],
        milliseconds_a_frame=1e3 * statistics.median(told["clock"]),
        pictures_of_the_film=told["shown"],
        megabytes=told["memory"] / 1e6,
    )
