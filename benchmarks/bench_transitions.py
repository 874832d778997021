"""Transitions: a short one, a list of 768 of Juggling Lab, long patterns from any beat to any, and
a hard search.
"""

import juggle_anim as ja
from juggle_anim.notation import read_siteswap
from juggle_anim.notation.transitions import join_line, read_transition_line
from juggle_anim.pattern.transitions import find_transitions


def test_short_transition(benchmark, report) -> None:
    start = read_siteswap("5")
    end = read_siteswap("91")
    assert benchmark(lambda: next(find_transitions(start, end))).length == 3
    report(ms=1e3 * benchmark.stats["median"])


def test_list_of_768_passing_transitions(benchmark, report) -> None:
    line = read_transition_line("<33|22> <55|00>")
    assert len(benchmark(lambda: list(join_line(line)))) == 768
    report(ms=1e3 * benchmark.stats["median"])


def test_any_beat_of_200_to_any_of_200(benchmark, report) -> None:
    """The shortest of 39,600 pairs of states."""
    start = read_siteswap("(5^100)(97531^20)")
    end = read_siteswap("(771^66)")
    found = benchmark(lambda: next(find_transitions(start, end)))
    assert found.length <= 2
    report(ms=1e3 * benchmark.stats["median"])


def test_rhythms_that_hardly_fit(benchmark, report) -> None:
    """What Juggling Lab does not find within a minute."""
    benchmark(lambda: next(ja.transitions("3", "R3R3xL3L3x")))
    report(ms=1e3 * benchmark.stats["median"])
