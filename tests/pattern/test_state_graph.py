import csv
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from paths import ROOT
from siteswap_strategies import vanilla_siteswaps
from state_walks import cycle, vanilla

from juggle_anim.errors import ParameterError
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern.state_graph import MAX_STATES, SYNCHRONOUS, StateGraph
from juggle_anim.pattern.states import written_states

with (ROOT / "tests/data/state_graphs.tsv").open() as table:
    SIZES = list(csv.DictReader(table, delimiter="\t"))


@pytest.mark.parametrize("row", SIZES, ids=lambda row: f"{row['props']}-{row['max_throw']}")
def test_graphs_have_the_known_sizes(row: dict[str, str]) -> None:
    graph = StateGraph.of(int(row["props"]), int(row["max_throw"]))
    loops = sum(edge.source == edge.target for edge in graph.edges)
    assert [len(graph.states), len(graph.edges), loops] == [
        int(row[x]) for x in ("states", "edges", "self_loops")
    ]
    distances = [count for _, count in sorted(Counter(graph.distances).items())]
    assert distances == [int(count) for count in row["states_by_distance_from_ground"].split()]
    if row["simplified_states"]:
        simple = graph.simplified()
        assert [len(simple.states), len(simple.edges)] == [
            int(row[f"simplified_{x}"]) for x in ("states", "edges")
        ]


def test_the_simplified_graph_has_chains_of_throws() -> None:
    graph = StateGraph.of(3, 5).simplified()
    assert graph.codes == (7, 11, 13)
    assert graph.states == (("11100",), ("11010",), ("10110",))
    found = {
        (graph.codes[edge.source], graph.codes[edge.target], edge.throws) for edge in graph.edges
    }
    assert {(7, 7, "3"), (7, 7, "55500"), (7, 13, "551"), (13, 7, "40"), (11, 11, "51")} <= found


def test_closed_walks_are_the_siteswaps() -> None:
    graph = StateGraph.of(3, 6)
    written = set(vanilla(3, 6, 3))
    for states in product(range(len(graph.states)), repeat=3):
        steps = [edge for edge in graph.leaving[states[0]] if edge.target == states[1]]
        steps += [edge for edge in graph.leaving[states[1]] if edge.target == states[2]]
        steps += [edge for edge in graph.leaving[states[2]] if edge.target == states[0]]
        if len(steps) == 3:
            values = [step.value for step in steps]
            turned = max(values[first:] + values[:first] for first in range(3))
            written.discard("".join(f"{{{value}}}" for value in turned))
            assert sum(values) == 9
    assert not written


@settings(max_examples=60)
@given(vanilla_siteswaps())
def test_a_pattern_walks_along_its_own_throws(text: str) -> None:
    pattern = read_siteswap(text)
    walked = cycle(text)
    if not 0 < pattern.props < walked.highest < 10:
        return
    graph = StateGraph.of(pattern.props, walked.highest)
    states = [state for _, state in graph.walk(pattern)]
    values = [throws[0].value if throws else 0 for throws in walked.beats]
    for state, after, value in zip(states, [*states[1:], *states[:1]], values, strict=True):
        assert (after, value) in {(edge.target, edge.value) for edge in graph.leaving[state]}
    own = StateGraph.of_pattern(pattern)
    assert {graph.states[state] for state in states} == set(own.states)


def test_states_that_a_graph_has_not_are_told_by_a_number_of_their_own() -> None:
    graph = StateGraph.of(3, 5)
    beats = graph.visits(read_siteswap("612"))
    # After a 6, what is due is in no state of throws up to 5.
    assert [graph.states[state][0] if state >= 0 else "" for _, state in beats] == [
        *("11010", "", "11001"),
        *("11010", "", "11001"),
    ]
    assert graph.walk(read_siteswap("612")) == ()


def test_pairs_of_throws_have_a_row_for_each_hand() -> None:
    graph = StateGraph.of(4, 6, SYNCHRONOUS)
    assert (len(graph.states), len(graph.edges), graph.states[0]) == (15, 97, ("110", "110"))
    pattern = read_siteswap("(6x,4)*")
    assert StateGraph.of(5, 6, SYNCHRONOUS).walk(pattern) == ((0, 0), (2, 1))
    ways = {(edge.throws, graph.states[edge.target]) for edge in graph.leaving[0]}
    assert {
        ("(4,4)", ("110", "110")),
        ("(4x,4x)", ("110", "110")),
        ("(6,4)", ("101", "110")),
    } <= ways


@pytest.mark.parametrize(
    "text", ["[34]23", "<3p 3|3p 3>", "(2x,[44])*", "3.5p 3 3", "R3R3xL3L3x", "0", "2"]
)
def test_any_pattern_has_a_graph_of_its_own_states(text: str) -> None:
    pattern = read_siteswap(text) if text != "3.5p 3 3" else None
    if pattern is None:
        from juggle_anim.notation import open_pattern

        pattern = open_pattern(text).score.pattern
    assert pattern is not None
    graph = StateGraph.of_pattern(pattern)
    walk = [state for _, state in graph.walk(pattern)]
    assert set(walk) == set(range(len(graph.states)))
    steps = set(zip(walk, [*walk[1:], *walk[:1]], strict=True))
    assert steps == {edge[:2] for edge in graph.edges}


def test_the_own_states_of_a_pattern_are_those_that_are_written() -> None:
    pattern = read_siteswap("[34]23")
    assert {"".join(rows).rstrip("0") for rows in StateGraph.of_pattern(pattern).states} == set(
        written_states(pattern)
    )


@pytest.mark.parametrize(
    ("props", "highest", "rows", "mirrored"),
    [
        (3, 6, 1, True),
        (7, 8, 1, True),
        (3, 7, 1, False),
        (4, 6, SYNCHRONOUS, True),
        (4, 8, SYNCHRONOUS, True),
    ],
)
def test_what_mirrors_a_graph_keeps_its_links(
    props: int, highest: int, rows: int, mirrored: bool
) -> None:
    graph = StateGraph.of(props, highest, rows)
    links = {frozenset(edge[:2]) for edge in graph.edges}
    assert bool(graph.mirror) == mirrored
    if mirrored:
        assert [graph.mirror[image] for image in graph.mirror] == list(range(len(graph.states)))
        assert {frozenset(graph.mirror[end] for end in link) for link in links} == links


@pytest.mark.parametrize(
    ("props", "highest", "rows", "said"),
    [
        (0, 3, 1, "a state graph needs at least 1 prop, not 0"),
        (3, 2, 1, "a state graph of 3 props needs throws up to at least 3"),
        (
            5,
            4,
            SYNCHRONOUS,
            "a state graph of pairs of throws of 5 props needs throws up to at least 6",
        ),
        (4, 7, SYNCHRONOUS, "must be even, but 7 is odd"),
        (30, 99, 1, f"has over a billion states; the limit is {MAX_STATES:,}"),
    ],
)
def test_impossible_graphs_are_refused(props: int, highest: int, rows: int, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        StateGraph.of(props, highest, rows)


def test_too_long_patterns_and_too_many_chains_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("juggle_anim.pattern.state_graph.MAX_EDGES", 14)
    with pytest.raises(
        ParameterError, match="this state graph has more than the limit of 14 edges"
    ):
        StateGraph.of(3, 5).simplified()
    monkeypatch.setattr("juggle_anim.pattern.state_graph.MAX_STATES_SIZE", 10)
    with pytest.raises(
        ParameterError, match="a pattern of 3 beats with throws up to 5 has too many states to show"
    ):
        StateGraph.of_pattern(read_siteswap("531"))
