"""The generator: a large list, its first patterns, what a step takes after which it can be left,
and its memory.
"""

import time
import tracemalloc
from itertools import islice, pairwise

from juggle_anim.generator import Search, find_patterns, read_arguments

LARGE = read_arguments("5 11 9")[0]
PRIMES = read_arguments("3 8 - -prime")[0]


def test_list_146_387_patterns(benchmark, report) -> None:
    count = len(benchmark(lambda: list(find_patterns(LARGE))))
    assert count == 146_387
    began = time.process_time()
    list(find_patterns(LARGE))
    report(processor_time_ms=1e3 * (time.process_time() - began))


def test_first_patterns(benchmark, report) -> None:
    benchmark(lambda: list(islice(find_patterns(LARGE), 10)))
    report(ms=1e3 * benchmark.stats["median"])


def test_longest_step_of_many_primes(benchmark, report) -> None:
    """The time until a search can be left."""

    def search() -> float:
        times = [time.perf_counter()]
        for _ in islice(Search(PRIMES).steps(), 2_000):
            times.append(time.perf_counter())
        return max(after - before for before, after in pairwise(times))

    report(longest_step_ms=1e3 * benchmark.pedantic(search, rounds=3))


def test_memory_of_many_primes(benchmark, report) -> None:
    def search() -> int:
        tracemalloc.start()
        count = sum(len(found) for found in islice(Search(PRIMES).steps(), 2_000))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count > 100_000
        return peak

    report(peak_mb=benchmark.pedantic(search, rounds=1) / 1e6)
