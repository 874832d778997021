"""What transitions and state graphs are refused with."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from error_rows_files import CallRow

from juggle_anim.errors import EditError, NotationError, ParameterError, PatternError
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.transitions import join_patterns, read_transition_line
from juggle_anim.pattern.cycle import state_cycle
from juggle_anim.pattern.state_graph import StateGraph
from juggle_anim.pattern.transitions import TransitionRules, find_transitions, find_transitions_from

_STATE = ((0, 1), (1, 0), (0, 0), (1, 0))


def _found(one: str, other: str, rules: TransitionRules | None = None, **how: int) -> object:
    return list(find_transitions(read_siteswap(one), read_siteswap(other), rules, **how))


def _with(name: str, value: int, call: Callable[[], object]) -> object:
    """Calls as if not so much could be tried or held."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"juggle_anim.pattern.{name}", value)
        return call()


CALLS = [
    CallRow(
        lambda: state_cycle(read_siteswap("531")).with_landings({1: (0, 0)}),
        EditError,
        "the prop would land before it is thrown; choose any later beat, or the",
    ),
    CallRow(
        lambda: read_transition_line('5 "771'),
        NotationError,
        "Cannot read the line: No closing quotation",
    ),
    CallRow(lambda: read_transition_line("5"), NotationError, "Give two patterns"),
    CallRow(
        lambda: read_transition_line("5 771 -m"),
        NotationError,
        "-m sets how many props a hand may throw at once",
    ),
    CallRow(lambda: read_transition_line("5 771 -q"), NotationError, "Unknown option -q"),
    CallRow(
        lambda: next(join_patterns("3", "51", repeats=0)),
        ParameterError,
        "repeats is 0; it must be at least 1",
    ),
    CallRow(
        lambda: next(join_patterns("<3.5p|2.5p>", "<3|3>")),
        PatternError,
        "throws on parts of beats have no siteswap",
    ),
    CallRow(
        lambda: next(join_patterns("3", "51", exits=[2])),
        ParameterError,
        "3 has no beat 2; its beats are 0 to 1",
    ),
    CallRow(
        lambda: TransitionRules(max_throw=0),
        ParameterError,
        "max_throw is 0, but must be at least 1",
    ),
    CallRow(
        lambda: TransitionRules(multiplex=0),
        ParameterError,
        "multiplex is 0, but must be at least 1",
    ),
    CallRow(
        lambda: _found("5", "b97531"),
        PatternError,
        "the first pattern has 5 props and the second 6 props",
    ),
    CallRow(
        lambda: _found("6", "<3|3>"),
        PatternError,
        "the first pattern has 1 juggler and the second 2",
    ),
    CallRow(
        lambda: find_transitions_from(_STATE, read_siteswap("5")),
        PatternError,
        "the first pattern has 3 props and",
    ),
    CallRow(
        lambda: find_transitions_from(_STATE, read_siteswap("<2|1>")),
        PatternError,
        "the state has 1 juggler, but",
    ),
    CallRow(
        lambda: _found("3", "801", TransitionRules(max_throw=1, multiplex=2)),
        PatternError,
        "no transition of up to 8 beats exists with throws up to 1; 38 throws",
    ),
    CallRow(
        lambda: _with(
            "transitions._MAX_TRIES_BETWEEN_TRANSITIONS", 0, lambda: _found("5", "744", longest=8)
        ),
        PatternError,
        "no more than 0 transitions were found after trying 0 throws; request fewer, or allow "
        "higher throws",
    ),
    CallRow(
        lambda: StateGraph.of(0, 3),
        ParameterError,
        "a state graph needs at least 1 prop, not 0",
    ),
    CallRow(
        lambda: StateGraph.of(3, 2),
        ParameterError,
        "a state graph of 3 props needs throws up to at least 3",
    ),
    CallRow(
        lambda: StateGraph.of(5, 4, 2),
        ParameterError,
        "a state graph of pairs of throws of 5 props needs throws",
    ),
    CallRow(
        lambda: StateGraph.of(4, 7, 2),
        ParameterError,
        "the highest throw of pairs must be even, but 7 is",
    ),
    CallRow(
        lambda: StateGraph.of(30, 99),
        ParameterError,
        "this state graph has over a billion states; ",
    ),
    CallRow(
        lambda: _with("state_graph.MAX_EDGES", 1, lambda: StateGraph.of(3, 5).simplified()),
        ParameterError,
        "this state graph has more than the limit of 1 edges",
    ),
    CallRow(
        lambda: _with(
            "state_graph.MAX_STATES_SIZE", 1, lambda: StateGraph.of_pattern(read_siteswap("531"))
        ),
        ParameterError,
        "a pattern of 3 beats with throws up to 5 has too many states to show",
    ),
]
