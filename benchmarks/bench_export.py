"""Exporting one juggler: drawing alone, encoding alone, and both at once, which should take as long
as the slower.

On a software OpenGL both want all cores. What cores allow then is less than the slower: the sum of
their CPU time over all cores. So it is measured twice: with all that a machine has, and with
drawing on a core of its own.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import median

import pytest
from PIL import Image

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.batch.run import available_cores
from juggle_anim.exporter.stills import DrawnFrames, write_frames
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest, loops_until_props_return

ANIMATION = ja.animate("531")
SIZES = {"640x480": (640, 480), "1280x720": (1280, 720)}
KINDS = ("frames", "a.gif", "a.mp4", "a.webm", "a.apng", "a.webp")

_drawn: dict[tuple[int, int], list[Bytes]] = {}


_draw = DrawnFrames.images


def _images_from_memory(
    frames: DrawnFrames, numbers: Sequence[int] | None = None
) -> Iterator[Bytes]:
    """Pictures that were drawn before; those that a palette is made of are drawn again."""
    return _draw(frames, numbers) if numbers is not None else iter(_drawn[frames.request.size])


class Timed:
    """How long something takes: `seconds` by the clock, `busy` of all cores together."""

    def __enter__(self) -> "Timed":
        self.seconds, self.busy = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds, self.busy = (
            time.perf_counter() - self.seconds,
            time.process_time() - self.busy,
        )


_folders = count()


def write(shots: FrameRequest, folder: Path, name: str) -> None:
    # Some file systems are slow where files were removed a moment ago.
    place = folder / f"{next(_folders)}" / name
    if name == "frames":
        write_frames(shots, place)
    else:
        place.parent.mkdir()
        write_video(shots, place)


def shots_of(name: str, size: str) -> FrameRequest:
    """What is written where nothing is said of it, but the rate."""
    loops = 1 if name == "frames" else loops_until_props_return(ANIMATION)
    return FrameRequest(ANIMATION, SIZES[size], 50 if name == "a.gif" else 60, loops)


def alone(shots: FrameRequest, folder: Path, name: str) -> tuple[Timed, Timed]:
    """Drawing, and then encoding what was drawn."""
    list(DrawnFrames(shots).images([0]))
    with Timed() as drawn:
        for _ in DrawnFrames(shots).images():
            pass
    _drawn[shots.size] = list(DrawnFrames(shots).images())
    with pytest.MonkeyPatch.context() as patch, Timed() as encoded:
        patch.setattr(DrawnFrames, "images", _images_from_memory)
        write(shots, folder, name)
    return drawn, encoded


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", KINDS)
def test_export(benchmark, report, tmp_path, name: str, size: str) -> None:
    shots = shots_of(name, size)
    drawn, encoded = alone(shots, tmp_path, name)
    benchmark.pedantic(write, (shots, tmp_path, name), rounds=3, warmup_rounds=1)
    both = benchmark.stats["median"]
    slower = max(drawn.seconds, encoded.seconds)
    allowed = max(slower, (drawn.busy + encoded.busy) / available_cores())
    report(
        drawing=shots.frames / drawn.seconds,
        encoding=shots.frames / encoded.seconds,
        both=shots.frames / both,
        share_of_the_slower=slower / both,
        share_of_what_cores_allow=allowed / both,
        cpu_ms_of_drawing=1e3 * drawn.busy / shots.frames,
        cpu_ms_of_encoding=1e3 * encoded.busy / shots.frames,
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", KINDS)
def test_drawing_on_one_core(benchmark, report, tmp_path, name: str, size: str) -> None:
    """As where a graphics card draws: what encodes has cores that drawing does not want."""

    def measure() -> dict[str, float]:
        (folder := tmp_path / "alone").mkdir()
        command = [sys.executable, __file__, name, size, str(folder)]
        told = subprocess.run(
            command, env={**os.environ, "LP_NUM_THREADS": "1"}, check=True, stdout=subprocess.PIPE
        )
        figures: dict[str, float] = json.loads(told.stdout)
        return figures

    report(**benchmark.pedantic(measure, rounds=1))


def tell(name: str, size: str, folder: Path) -> None:
    """Print the figures of this process."""
    shots = shots_of(name, size)
    times = []
    write(shots, folder, name)
    for _ in range(3):
        drawn, encoded = alone(shots, folder, name)
        with Timed() as both:
            write(shots, folder, name)
        times.append((drawn.seconds, encoded.seconds, both.seconds))
    drawing, encoding, together = map(median, zip(*times, strict=True))
    rates = {"drawing": drawing, "encoding": encoding, "both": together}
    figures = {each: shots.frames / seconds for each, seconds in rates.items()}
    print(json.dumps({**figures, "share_of_the_slower": max(drawing, encoding) / together}))


@pytest.mark.parametrize("text", ["531", "3", "97531"])
def test_a_small_gif(benchmark, report, tmp_path, text: str) -> None:
    """From the text to the file, as a server writes it."""

    def gif() -> None:
        ja.export(ja.animate(text), tmp_path / "a.gif", size=(400, 450), fps=100 / 3, force=True)

    benchmark.pedantic(gif, rounds=3, warmup_rounds=1)
    with Image.open(tmp_path / "a.gif") as made:
        report(frames_per_second=made.n_frames / benchmark.stats["median"])


if __name__ == "__main__":
    tell(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
