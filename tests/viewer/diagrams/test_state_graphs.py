import time

from juggle_anim.animation import animate
from juggle_anim.notation import read_siteswap
from juggle_anim.pattern import Pattern
from juggle_anim.viewer.diagrams.diagrams import DRAWING, STATES, ShownStates, StateGraphs, step_of
from juggle_anim.viewer.state.controller import Controller
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
    assert (first.graph.props, first.graph.highest, first.walk) == (3, 5, (0, 2, 3))
    other = shown(graphs, "51")
    assert other.diagram is first.diagram
    assert other.walk == (1, 4)
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
    animation = animate("531", bps=4.0)
    seen = shown(StateGraphs(), "531")
    steps = [step_of(seen, animation, 0.125 + 0.25 * beat) for beat in range(4)]
    assert [step[:2] for step in steps] == [(0, 2), (2, 3), (3, 0), (0, 2)]
    assert all(abs(step.share_passed - 0.5) < 1e-5 for step in steps)
    pairs, animation = shown(StateGraphs(), "(6x,4)*"), animate("(6x,4)*", bps=4.0)
    assert [round(step_of(pairs, animation, 0.25 * beat).share_passed, 4) for beat in range(4)] == [
        0.0,
        0.5,
        0.0,
        0.5,
    ]


def test_on_the_way_to_another_pattern_the_present_state_is_lit() -> None:
    controller = Controller(animate("3"))
    model = controller.model
    graph = shown(StateGraphs(), "3")
    model.live.in_background = False
    assert model.type_pattern("51")
    seen = []
    for _ in range(150):
        model.playback.time += 0.02
        model.advance()
        animation, time, transition = model.moment
        step = step_of(graph, animation, time, has_uneven_tempo=bool(transition))
        if not seen or seen[-1] != step[:2]:
            seen.append(step[:2])
    edges = {edge[:2] for edge in graph.graph.edges}
    assert seen[0] == (0, 0)
    assert {(1, 4), (4, 1)} <= set(seen)
    assert set(seen) <= edges, "no state is left out"


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


def test_a_clicked_throw_is_the_next_that_its_state_allows_and_clicks_go_on_from_there() -> None:
    controller = Controller(animate("3"))
    model = controller.model
    graph = shown(StateGraphs(), "3").graph

    def click(throws: str, source: int) -> int:
        edge = next(edge for edge in graph.leaving[source] if edge.throws == throws)
        controller.throw_by_hand(graph, edge)
        for _ in range(12):
            model.playback.advance(0.1, 1.0)
            model.advance()
        return edge.target

    def joined() -> tuple[tuple[str, ...], int]:
        """The throws between, and which throw of the pattern comes then."""
        routine = model.live.last.routine
        assert routine
        return routine.parts[-1].throws, routine.spans[-2].line.pattern_entry_tick % len(model.text)

    high = click("5", 0)
    assert (model.text, joined()) == ("522", ((), 0))
    click("3", high)
    assert (model.text, joined()) == ("315", ((), 0))
    click("4", 0)
    assert (model.text[:1], joined()) == ("4", ((), 0)), (
        "what does not go on from there begins anew"
    )
    click("3", 0)
    assert (model.text, joined()) == ("3", ((), 0))


def test_a_clicked_throw_is_made_by_the_hand_whose_turn_it_is() -> None:
    controller = Controller(animate("51"))
    model = controller.model
    graph = shown(StateGraphs(), "51").graph
    pattern = model.animation.pattern
    assert pattern is not None
    (state,) = {state for beat, state in graph.visits(pattern) if beat == 1}
    for edge in graph.leaving[state]:
        controller.throw_by_hand(graph, edge)
        routine = model.live.last.routine
        if routine and edge.throws != "1":
            made = next(
                throw for throw in routine.span_animation(-1).pattern.throws if throw.beat == 0
            )
            assert routine.parts[-1].throws == ()
            assert str(made.value) == edge.throws
