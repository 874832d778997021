"""A batch on one core and on two, each core with a worker of its own; and one worker that may use both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PATTERNS = ("531", "441", "423", "51", "522", "71", "3", "633", "4413", "552", "53", "64")

# On so many cores from the first moment on, so that libraries see no more of them.
BATCH = """
import os, sys
cores = sorted(os.sched_getaffinity(0))[:int(sys.argv.pop(1))]
os.sched_setaffinity(0, cores)
from juggle_anim.cli import main
main()
"""

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs two cores"
)

_rates: dict[tuple[str, int, int], float] = {}


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 1), (2, 2)])
@pytest.mark.parametrize("kind", ["gif", "mp4", "frames"])
def test_batch(benchmark, report, tmp_path: Path, kind: str, cores: int, workers: int) -> None:
    def write() -> None:
        command = [sys.executable, "-c", BATCH, str(cores), "batch", *PATTERNS, str(tmp_path / "out")]
        options = ["--format", kind, "--size", "400x450", "--workers", str(workers), "--force", "--quiet"]
        subprocess.run([*command, *options], check=True)

    benchmark.pedantic(write, rounds=3, warmup_rounds=1)
    rate = _rates[kind, cores, workers] = len(PATTERNS) / benchmark.stats["median"]
    alone = _rates.get((kind, 1, 1))
    report(patterns_per_second=rate, **({"times_one_core": rate / alone} if alone else {}))
