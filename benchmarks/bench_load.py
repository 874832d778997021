"""Loading a pattern: from its text to continuous paths, and to the plan of the bodies."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import juggle_anim as ja
from juggle_anim.body import plan_bodies
from juggle_anim.motion import Motion

SPREAD = ["3", "531", "b97531", "744", "(6x,4)*", "(4x,2x)(2,4)", "[34]23", "1", "db97531", "z"]


def load(pattern: str) -> Motion:
    return ja.animate(pattern).motion


def test_load_531(benchmark, report) -> None:
    benchmark(load, "531")
    report(milliseconds=1e3 * benchmark.stats["median"])


def test_load_a_spread_of_patterns(benchmark, report) -> None:
    benchmark(lambda: [load(pattern) for pattern in SPREAD])
    report(milliseconds_each=1e3 * benchmark.stats["median"] / len(SPREAD))


def test_load_settings_strings_and_sample_each(benchmark, report) -> None:
    data = Path(__file__).parents[1] / "tests" / "data" / "juggling_lab_layouts.jsonl.gz"
    texts = [
        json.loads(line)["settings"]
        for line in gzip.decompress(data.read_bytes()).decode().splitlines()
    ]
    times = np.linspace(0.0, 1.0, 100)
    benchmark(lambda: [load(text).sample(times) for text in texts])
    report(milliseconds_each=1e3 * benchmark.stats["median"] / len(texts))


@pytest.mark.parametrize("side", ["3p", "b97531"])
def test_load_a_hundred_jugglers(benchmark, report, side: str) -> None:
    benchmark(load, f"<{'|'.join([side] * 100)}>")
    report(milliseconds=1e3 * benchmark.stats["median"])


@pytest.mark.parametrize("pattern", ["db97531", "z"])
def test_load_the_slowest(benchmark, report, pattern: str) -> None:
    benchmark(load, pattern)
    report(milliseconds=1e3 * benchmark.stats["median"])


@pytest.mark.parametrize("pattern", ["531", "<3p 3|3p 3>", "mills mess"])
def test_plan_bodies(benchmark, report, pattern: str) -> None:
    motion = load(pattern)
    parameters = ja.animate(pattern).parameters
    benchmark(plan_bodies, motion, parameters)
    report(milliseconds=1e3 * benchmark.stats["median"])
