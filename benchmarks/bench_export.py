"""Exporting one juggler: drawing alone, encoding alone, and both at once, which should take as long as the slower."""

import time
from collections.abc import Iterator, Sequence

import pytest

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.exporter.frames import write_frames
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.video import write_video

ANIMATION = ja.animate("531")
SIZES = {"640x480": (640, 480), "1280x720": (1280, 720)}

_drawn: dict[tuple[int, int], list[Bytes]] = {}


class Drawn(Shots):
    """Shots whose pictures are there already."""

    def images(self, numbers: Sequence[int] | None = None) -> Iterator[Bytes]:
        return super().images(numbers) if numbers is not None else iter(_drawn[self.size])


def drawing_rate(shots: Shots) -> float:
    """Frames drawn a second."""
    list(shots.images([0]))
    began = time.perf_counter()
    _drawn[shots.size] = list(shots.images())
    return shots.frames / (time.perf_counter() - began)


def write(shots: Shots, folder, name: str) -> None:
    if name == "frames":
        write_frames(shots, folder / name, True, None)
    else:
        write_video(shots, folder / name, True, None)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["frames", "a.gif", "a.mp4", "a.webm", "a.apng", "a.webp"])
def test_export(benchmark, report, tmp_path, name: str, size: str) -> None:
    fps = 50 if name == "a.gif" else 60
    shots = Shots(ANIMATION, SIZES[size], fps)
    drawing = drawing_rate(shots)
    began = time.perf_counter()
    write(Drawn(ANIMATION, SIZES[size], fps), tmp_path, name)
    encoding = shots.frames / (time.perf_counter() - began)
    benchmark.pedantic(write, (shots, tmp_path, name), rounds=3, warmup_rounds=1)
    both = shots.frames / benchmark.stats["median"]
    report(drawing=drawing, encoding=encoding, both=both, share_of_the_slower=both / min(drawing, encoding))


def test_a_small_gif(benchmark, report, tmp_path) -> None:
    shots = Shots(ANIMATION, (400, 450), 100 / 3, loops=3)
    benchmark.pedantic(write, (shots, tmp_path, "a.gif"), rounds=3, warmup_rounds=1)
    report(frames_per_second=shots.frames / benchmark.stats["median"])
