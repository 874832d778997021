"""Loading a pattern: from its text to continuous paths, and to the plan of the bodies."""

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
