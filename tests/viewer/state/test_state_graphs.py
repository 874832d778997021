import time

from juggle_anim.animation import animate
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import Pattern
from juggle_anim.viewer.state.actions import Controller
from juggle_anim.viewer.state.diagrams import DRAWING, STATES, ShownStates, StateGraphs
from juggle_anim.viewer.state.keymap import Action

ROOM = 368.0, 144.0


def laid_out(graphs: StateGraphs, pattern: Pattern | None) -> ShownStates | str:
    """What there is once nothing is in the making."""
    found = graphs.of(pattern, ROOM)
    for _ in range(4000):
        found = graphs.of(pattern, ROOM)
        if not graphs.is_waiting:
            break
        time.sleep(0.005)
    return found


def shown(graphs: StateGraphs, text: str) -> ShownStates:
    found = laid_out(graphs, read_siteswap(text))
    assert isinstance(found, ShownStates)
    return found


def test_the_graph_is_of_all_states_and_stays_while_patterns_are_in_it() -> None:
    graphs = StateGraphs()
    assert graphs.of(read_siteswap("531"), ROOM) == DRAWING
    first = shown(graphs, "531")
    assert (first.graph.props, first.graph.highest, [state for _, state in first.walk]) == (3, 5, [0, 2, 3])
    other = shown(graphs, "51")
    assert other.diagram is first.diagram
    assert [state for _, state in other.walk] == [1, 4]
    higher = shown(graphs, "630")
    assert higher.graph.highest == 6
    assert shown(graphs, "531").graph is higher.graph


def test_patterns_of_other_kinds_have_their_own_states() -> None:
    graphs = StateGraphs()
    pairs = shown(graphs, "(6x,4)*")
    assert (pairs.graph.rows, pairs.graph.highest, len(pairs.graph.states)) == (2, 6, 6)
    assert len(shown(graphs, "[34]23").graph.states) == 3
    assert shown(graphs, "<3p 3|3p 3>").graph.states == (("111", "111"),)
    assert "no beats" in str(laid_out(graphs, None))


def test_the_present_state_is_that_before_the_throw_of_a_beat() -> None:
    seen = shown(StateGraphs(), "531")
    assert [seen.walk[seen.step_at(beat)][1] for beat in range(7)] == [0, 2, 3, 0, 2, 3, 0]
    slow = shown(StateGraphs(), "(6x,4)*")
    assert [slow.step_at(beat) for beat in range(5)] == [0, 0, 1, 1, 0]


def test_a_key_shows_the_graph_in_the_place_of_the_diagrams() -> None:
    controller = Controller(animate("531"))
    model = controller.model
    controller.perform(Action.STATE_GRAPH)
    assert (model.diagrams.kind, model.diagrams.card_height > 0) == (STATES, True)
    controller.perform(Action.DIAGRAM)
    assert model.diagrams.kind == "ladder"
    controller.perform(Action.STATE_GRAPH)
    controller.perform(Action.STATE_GRAPH)
    assert model.diagrams.kind == ""


def test_a_click_juggles_the_shortest_pattern_through_a_state_or_a_throw() -> None:
    controller = Controller(animate("531"), paused=True)
    graph = shown(StateGraphs(), "531").graph
    state = graph.states.index(("10101",))
    controller.juggle_throws(graph.shortest_round(state))
    assert controller.model.line == "51"
    assert controller.model.animation.pattern is not None
    assert graph.walk(controller.model.animation.pattern)
    four = next(edge for edge in graph.leaving[0] if edge.throws == "4")
    controller.juggle_throws(graph.shortest_round(0, four))
    assert controller.model.line == "42"
