"""The optimiser: Juggling Lab's own problem, for each pattern whose figures are known, and ours for
some patterns.
"""

import csv
import time
from pathlib import Path

import pytest

import juggle_anim as ja
from juggle_anim.optimiser import optimise
from juggle_anim.optimiser.optimise import Margins

REFERENCE = Path(__file__).parents[1] / "tests" / "data" / "juggling_lab_margins.tsv"


def as_by_juggling_lab() -> list[ja.Animation]:
    lines = [line for line in REFERENCE.read_text().splitlines() if not line.startswith("#")]
    rows = (
        row
        for row in csv.DictReader(lines, delimiter="\t")
        if not row["variables"].startswith("ERROR")
    )
    return [ja.animate(f"{row['settings']};style=juggling-lab") for row in rows]


def test_widest_margins_as_juggling_lab(benchmark, report) -> None:
    """The slowest of all its patterns, in time of the processor."""
    animations = as_by_juggling_lab()

    def slowest() -> float:
        times = []
        for animation in animations:
            began = time.process_time()
            Margins.from_animation(animation).widest_places()
            times.append(time.process_time() - began)
        return max(times)

    slowest()
    report(slowest_ms=1e3 * benchmark.pedantic(slowest, rounds=3))


@pytest.mark.parametrize("pattern", ["561", "97531", "<3p|3p>", "3B"])
def test_more_room(benchmark, report, pattern: str) -> None:
    animation = ja.animate(pattern)
    found = benchmark.pedantic(lambda: optimise(animation), rounds=3, warmup_rounds=1)
    report(
        seconds=benchmark.stats["median"],
        cm_gained=100 * (found.after.clearance - found.before.clearance),
    )
