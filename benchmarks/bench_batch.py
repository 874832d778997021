"""A batch on one core and on two, each core with a worker of its own; and one worker that may use
both.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

PATTERNS = (
    *("531", "441", "423", "51", "522", "71", "3", "633", "4413", "552", "53", "64"),
    *(
        "7131",
        "5241",
        "612",
        "5511",
        "55514",
        "8040",
        "645",
        "744",
        "97531",
        "6424",
        "5551",
        "7333",
    ),
    *("66611", "75", "86", "534", "5304", "6051", "450", "40", "60", "80", "62", "7126"),
)
# Enough that starting counts for little.
COUNTS = {"gif": 12, "mp4": 12, "frames": 36}

# On so many cores from the first moment on, so that libraries see no more of them.
BATCH = """
import os, sys
cores = sorted(os.sched_getaffinity(0))[:int(sys.argv.pop(1))]
os.sched_setaffinity(0, cores)
from juggle_anim.__main__ import main
main()
"""

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs two cores",
)

_rates: dict[tuple[str, int, int], float] = {}


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("kind", COUNTS)
def test_batch(benchmark, report, tmp_path: Path, kind: str, cores: int, workers: int) -> None:
    patterns = PATTERNS[: COUNTS[kind]]
    folders = count()

    def write() -> None:
        # Some file systems are slow where files were removed a moment ago.
        command = [
            sys.executable,
            "-c",
            BATCH,
            str(cores),
            "batch",
            *patterns,
            str(tmp_path / f"{next(folders)}"),
        ]
        options = ["--format", kind, "--size", "400x450", "--workers", str(workers), "--quiet"]
        subprocess.run([*command, *options], check=True)

    benchmark.pedantic(write, rounds=3, warmup_rounds=1)
    rate = _rates[kind, cores, workers] = len(patterns) / benchmark.stats["median"]
    alone = _rates.get((kind, 1, 1))
    report(patterns_per_second=rate, **({"times_one_core": rate / alone} if alone else {}))


def test_dry_run_of_the_library(benchmark, report, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "juggle_anim",
        "batch",
        "library",
        str(tmp_path / "out"),
        "--dry-run",
    ]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True), rounds=3)
    report(seconds=benchmark.stats["median"])
