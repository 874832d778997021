"""State graphs: finding all states, simplifying, and laying them out."""

import pytest

from juggle_anim.diagrams.state_diagram import StateDiagram
from juggle_anim.pattern.state_graph import SYNCHRONOUS, StateGraph


def test_find_462_states(benchmark, report) -> None:
    graph = benchmark(StateGraph.of, 5, 11)
    report(states_a_second=len(graph.states) / benchmark.stats["median"])


def test_simplify_462_states(benchmark, report) -> None:
    graph = benchmark(StateGraph.of(5, 11).simplified)
    report(edges_a_second=len(graph.edges) / benchmark.stats["median"])


@pytest.mark.parametrize(
    ("props", "highest", "rows"), [(3, 5, 1), (3, 7, 1), (4, 6, SYNCHRONOUS), (5, 11, 1)]
)
def test_lay_out(benchmark, report, props: int, highest: int, rows: int) -> None:
    graph = StateGraph.of(props, highest, rows)
    benchmark.pedantic(StateDiagram.lay_out, (graph,), rounds=3, warmup_rounds=1)
    report(arrows_a_second=len(graph.edges) / benchmark.stats["median"])
