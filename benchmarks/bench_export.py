"""Exporting one juggler: drawing alone, encoding alone, and both at once, which should take as long as the slower.

On a software OpenGL both want all cores. What cores allow then is less than the slower: the sum of their CPU time over
all cores.
"""

import time
from collections.abc import Iterator, Sequence

import pytest

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.batch.run import cores
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


class Timed:
    """How long something takes: `seconds` by the clock, `busy` of all cores together."""

    def __enter__(self) -> "Timed":
        self.seconds, self.busy = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds, self.busy = time.perf_counter() - self.seconds, time.process_time() - self.busy


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
    list(shots.images([0]))
    with Timed() as drawn:
        _drawn[shots.size] = list(shots.images())
    with Timed() as encoded:
        write(Drawn(ANIMATION, SIZES[size], fps), tmp_path, name)
    benchmark.pedantic(write, (shots, tmp_path, name), rounds=3, warmup_rounds=1)
    both, slower = benchmark.stats["median"], max(drawn.seconds, encoded.seconds)
    allowed = max(slower, (drawn.busy + encoded.busy) / cores())
    report(
        drawing=shots.frames / drawn.seconds,
        encoding=shots.frames / encoded.seconds,
        both=shots.frames / both,
        share_of_the_slower=slower / both,
        share_of_what_cores_allow=allowed / both,
        cpu_ms_of_drawing=1e3 * drawn.busy / shots.frames,
        cpu_ms_of_encoding=1e3 * encoded.busy / shots.frames,
    )


def test_a_small_gif(benchmark, report, tmp_path) -> None:
    shots = Shots(ANIMATION, (400, 450), 100 / 3, loops=3)
    benchmark.pedantic(write, (shots, tmp_path, "a.gif"), rounds=3, warmup_rounds=1)
    report(frames_per_second=shots.frames / benchmark.stats["median"])
