"""Which diagram or state graph is shown, and the threads that draw them beside the pictures."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, comb, floor
from threading import Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, sentence
from juggle_anim.language import N_, _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.pattern import LEFT
from juggle_anim.viewer.diagrams.loop_diagram import DiagramView, LoopDiagram, preferred_height
from juggle_anim.viewer.state.beats import uneven_beat
from juggle_anim.viewer.state.open_cards import OpenCards

if TYPE_CHECKING:
    from juggle_anim.diagrams.state_diagram import StateDiagram
    from juggle_anim.pattern import Pattern
    from juggle_anim.pattern.state_graph import StateEdge, StateGraph

LADDER = "ladder"
CAUSAL = "causal"

KINDS = (LADDER, CAUSAL)
"""Kinds of diagrams, in the order of the key."""

STATES = "states"
"""The state graph, which has a key of its own."""

DRAWING = N_("Drawing diagram …")


class Diagrams:
    """Which diagram is shown, and its drawing as soon as it is made.

    Args:
        cards: of the window, of which one in the strip shows the diagram.
    """

    def __init__(self, cards: OpenCards) -> None:
        self._cards = cards
        self.view = DiagramView()
        self.graphs = StateGraphs()
        self.clicked = ClickedThrows()
        self.keeps_height = False
        """Whether the card stays as high as it is, as while something in it is dragged."""
        self._height = _DEFAULT_HEIGHT
        self._job: _Job | None = None
        self._done: tuple[_Job, ...] = ()

    @property
    def kind(self) -> str:
        """The diagram in the strip, one of `KINDS` or `STATES`; empty if none is there."""
        card = self._cards.strip
        return card if card in (*KINDS, STATES) else ""

    @property
    def is_waiting(self) -> bool:
        """Whether a diagram is being drawn."""
        return (
            self.graphs.is_waiting
            if self.kind == STATES
            else bool(self.kind) and self._job is not None
        )

    @property
    def card_height(self) -> float:
        """Preferred height of the card at scale 1, [pixels]; 0 if no diagram is shown."""
        if self.kind == STATES:
            return _GRAPH_HEIGHT
        return _CARD_MARGIN + self._height if self.kind else 0.0

    @property
    def next_kind(self) -> str | None:
        """The kind that a key shows next: the first, the next, and after the last one none."""
        following = {"": KINDS[0], STATES: KINDS[0], **dict(pairwise(KINDS))}
        return following.get(self.kind)

    def show(self, kind: str) -> None:
        """Show one of `KINDS` or `STATES` in the strip."""
        self._cards.strip = kind
        self.restart()

    def restart(self) -> None:
        """Scroll to the start of the diagram that is now in the strip; forget them if none is."""
        self.view.scrolled = 0.0
        if not self.kind:
            self._done = ()  # frees memory: a diagram of a hundred jugglers is large

    def of(
        self, animation: Animation, ahead: Sequence[Animation] = (), *, at_once: bool = False
    ) -> LoopDiagram | str:
        """Diagram of an animation, or a message; starts to draw it where it is missing.

        A thread draws diagrams, one at a time, which may take seconds each. Meanwhile this is the
        last diagram of the same score, if there is one.

        Args:
            animation: that is juggled now.
            ahead: animations that follow; their diagrams are drawn before they are needed.
            at_once: whether to draw in the calling thread, as while the pattern is edited.
        """
        # Newest first; the oldest ones are dropped.
        if self._job and not self._job.is_alive():
            self._done = (self._job, *self._done[: _MAX_DRAWN - 1])
            self._job = None
        missing = [
            candidate
            for candidate in (animation, *ahead)
            if not any(done.is_for(self.kind, candidate) for done in self._done)
        ]
        if missing and at_once:
            job = _Job(self.kind, missing[0])
            job.run()
            self._done = job, *self._done[: _MAX_DRAWN - 1]
        elif missing and self._job is None:
            self._job = _Job(self.kind, missing[0])
            self._job.start()
        # The diagram itself, or else one of the same score.
        for matches in (_Job.is_for, _Job.is_like):
            for done in self._done:
                if matches(done, self.kind, animation):
                    # A diagram that could not be drawn has no height.
                    if not self.keeps_height:
                        self._height = done.height or _DEFAULT_HEIGHT
                    return done.result
        return DRAWING


_MAX_DRAWN = 3  # diagrams: of a pattern, of the transition to another one, and of that
_CARD_MARGIN = 38.0  # above and below the diagram, [pixels]
_DEFAULT_HEIGHT = 130.0  # of the diagram, [pixels]


class _Job(Thread):
    """Draws a diagram."""

    def __init__(self, kind: str, animation: Animation) -> None:
        super().__init__(daemon=True)
        self.result: LoopDiagram | str = _("Cannot draw this diagram")
        self.height = 0.0
        self._kind = kind
        self._animation = animation
        self._drawn = animation.choreography, animation.palette
        self._language = language()

    def is_for(self, kind: str, animation: Animation) -> bool:
        """Whether it shows the animation as it would be drawn now."""
        choreography, palette = self._drawn
        same = animation.choreography is choreography and animation.palette == palette
        return same and kind == self._kind and language() == self._language

    def is_like(self, kind: str, animation: Animation) -> bool:
        """Whether it shows the same score, perhaps with another tempo, hand or colours."""
        return kind == self._kind and animation.score is self._animation.score

    def run(self) -> None:
        """Draw the diagram, or tell why that is impossible."""
        try:
            diagram = LoopDiagram.from_animation(self._kind, self._animation)
            self.result = diagram
            self.height = preferred_height(diagram)
        except JuggleError as error:
            self.result = sentence(str(error))


_GRAPH_HEIGHT = 300.0  # of the card of the state graph, [pixels]
_MIN_EXTRA_HEIGHT = 2  # beats by which throws of an asynchronous graph exceed its props, at least
_MAX_CAREFUL_STATES = 60  # of a graph that is laid out by stress, which takes longer
_MIN_LETTER_SIZE = 8.5  # of states that are written, at scale 1, [pixels]


@dataclass(frozen=True, eq=False)
class ShownStates:
    """A state graph, and what the running pattern does in it.

    Args:
        graph: with the states of the pattern; of all its props' states unless it is of a kind of
            its own.
        diagram: its layout.
        walk: the states of the pattern, one after another, in a circle.
    """

    graph: StateGraph
    diagram: StateDiagram
    walk: tuple[int, ...]


class Step(NamedTuple):
    """What happens in a state graph at one time.

    Attributes:
        state, next_state: before and after the present throws; -1 where they are not in the graph.
        share_passed: of the time between the two, 0 to 1.
    """

    state: int
    next_state: int
    share_passed: float


NO_STEP = Step(state=-1, next_state=-1, share_passed=0.0)
"""Where a pattern is not in the graph."""


def round_text(throws: Sequence[StateEdge]) -> str:
    """Return throws that lead back to where they begin as a siteswap.

    It begins in the state nearest to the ground state.
    """
    first = min(range(len(throws)), key=lambda index: throws[index].source, default=0)
    return "".join(throw.throws for throw in (*throws[first:], *throws[:first]))


class ClickedThrows:
    """Throws of a state graph that are clicked one after another, and the pattern they make.

    It begins with the throw that was clicked last and goes back by the fewest throws to where the
    first one began, so it is legal and endless. A throw from the state in which the last one ended
    goes on from there; others begin anew.
    """

    def __init__(self) -> None:
        self._clicked: tuple[StateEdge, ...] = ()
        self._graph: StateGraph | None = None
        self._chosen = ""

    def text(self, graph: StateGraph, throw: StateEdge, chosen: Animation) -> str:
        """Siteswap that a click on a throw would make.

        It begins with the hand that throws there in the chosen pattern, where the siteswap is
        different for the two hands and the pattern tells the hand.

        Args:
            graph: the state graph.
            throw: the edge of the graph that is pointed at.
            chosen: the pattern that is juggled, or will be next.
        """
        clicked = (*self._throws_before(graph, throw, chosen), throw)
        throws = (*graph.shortest_round(clicked[0].source, throw), *clicked[:-1])
        siteswap = "".join(edge.throws for edge in throws)
        # A synchronous pattern, or one of odd length, is the same from either hand.
        is_same_from_either_hand = graph.rows > 1 or len(throws) % 2 == 1
        if is_same_from_either_hand or chosen.pattern is None:
            return siteswap
        starts_left = _hands_in_state(graph, throw.source, chosen) == {LEFT}
        return f"L{siteswap}" if starts_left else siteswap

    def click(self, graph: StateGraph, throw: StateEdge, chosen: Animation) -> None:
        """Go on with a throw."""
        self._clicked = (*self._throws_before(graph, throw, chosen), throw)
        self._graph = graph

    def followed_by(self, chosen: Animation) -> None:
        """Note the pattern that was chosen by the last click."""
        self._chosen = chosen.text

    def _throws_before(
        self, graph: StateGraph, throw: StateEdge, chosen: Animation
    ) -> tuple[StateEdge, ...]:
        """Return the throws clicked before, if a throw goes on from them."""
        if self._graph is not graph or chosen.text != self._chosen or throw.source == throw.target:
            return ()
        last = self._clicked[-1]
        goes_on = last.target == throw.source and last.target != last.source
        return self._clicked if goes_on else ()


def _hands_in_state(graph: StateGraph, state: int, animation: Animation) -> set[int]:
    """Hands whose turn it is to throw when an asynchronous pattern is in a state, as a set.

    Args:
        graph: the state graph.
        state: index of the state.
        animation: of an asynchronous pattern.
    """
    pattern = animation.pattern
    assert pattern is not None
    first = min(pattern.throws, key=lambda throw: throw.beat)
    return {
        (first.hand + beat - first.beat) % 2
        for beat, visited in graph.visits(pattern)
        if visited == state
    }


class StateGraphs:
    """The state graph of the pattern, laid out once for each graph and room, by a thread."""

    def __init__(self) -> None:
        self._job: _GraphJob | None = None
        self._done: _GraphJob | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether a graph is being laid out."""
        return self._job is not None

    def of(self, pattern: Pattern | None, room: tuple[float, float]) -> ShownStates | str:
        """State graph of a pattern, the last one while it is laid out, or a message.

        A thread lays graphs out, one at a time. A graph that holds the states of the next pattern,
        too, stays.

        Args:
            pattern: that is juggled; None for events.
            room: width and height of the card's paper at scale 1, [pixels].
        """
        if self._job and not self._job.is_alive():
            self._done = self._job
            self._job = None
        done = self._done
        # Another pattern, room or language needs another layout, perhaps of the same graph.
        if self._job is None and (done is None or not done.is_for(pattern, room)):
            graph_before = (
                done.result.graph if done and isinstance(done.result, ShownStates) else None
            )
            self._job = _GraphJob(pattern, room, graph_before)
            self._job.start()
        return done.result if done else DRAWING


def step_of(
    shown: ShownStates, animation: Animation, time: float, *, has_uneven_tempo: bool = False
) -> Step:
    """Find the two states between which a pattern is at a time, and the share of the way.

    Args:
        shown: the state graph.
        animation: that is juggled; a transition is one, too.
        time: in the animation, [s].
        has_uneven_tempo: whether its tempo changes, as in a transition, so that beats follow from
            the times of its throws.

    Returns:
        The step; `NO_STEP` if the animation is not in the graph.
    """
    pattern = animation.pattern
    visits = _visits(shown.graph, pattern) if pattern else ()
    if pattern is None or not visits:
        return NO_STEP
    period = pattern.period
    beat = (
        uneven_beat(animation, pattern, time)
        if has_uneven_tempo
        else time * animation.choreography.bps * pattern.division
    )
    # A throw at exactly this time counts as made, despite rounding.
    beat = (beat + _EPSILON) % period
    # The last visit that began by now, and the next one, perhaps in the next loop. Visits are pairs
    # of beat and state; the highest state sorts the present beat after all visits at it.
    index = (bisect_right(visits, (floor(beat), len(shown.graph.states))) - 1) % len(visits)
    start_beat, state = visits[index]
    end_beat, next_state = visits[(index + 1) % len(visits)]
    if index + 1 == len(visits):
        end_beat += period
    share_passed = (beat - start_beat) % period / (end_beat - start_beat)
    return Step(state, next_state, min(share_passed, 1.0))


@lru_cache(maxsize=4)
def _visits(graph: StateGraph, pattern: Pattern) -> tuple[tuple[int, int], ...]:
    """Return beats and states of a pattern, in order."""
    return graph.visits(pattern)


class _GraphJob(Thread):
    """Lays out the state graph of a pattern."""

    def __init__(
        self, pattern: Pattern | None, room: tuple[float, float], before: StateGraph | None
    ) -> None:
        super().__init__(daemon=True)
        self.result: ShownStates | str = _(
            "Events from a file have no beats, so there are no states"
        )
        self._pattern = pattern
        self._room = room
        self._before = before
        self._language = language()

    def is_for(self, pattern: Pattern | None, room: tuple[float, float]) -> bool:
        """Whether it shows a pattern in a room and in the present language."""
        return pattern is self._pattern and room == self._room and language() == self._language

    def run(self) -> None:
        """Lay out the graph, or tell why that is impossible.

        Meanwhile Python switches threads more often, so that pictures stay even.
        """
        if self._pattern is None:
            return
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        try:
            graph = _graph_of(self._pattern, self._before)
            walk = tuple(state for _, state in graph.walk(self._pattern))
            diagram = _layout_of(graph, self._room)
        except JuggleError as error:
            self.result = sentence(str(error))
        else:
            self.result = ShownStates(graph, diagram, walk)
        finally:
            sys.setswitchinterval(interval)


def _graph_of(pattern: Pattern, before: StateGraph | None) -> StateGraph:
    """Choose the state graph in which a pattern is shown.

    It is the one before if the pattern's states are in it, else one of all states, with throws a
    little higher than those of the pattern if that is not too large, else one of the pattern alone.

    Args:
        pattern: that is juggled.
        before: the graph that was shown before; None for none.
    """
    from juggle_anim.pattern.cycle import state_cycle
    from juggle_anim.pattern.state_graph import ASYNCHRONOUS, SYNCHRONOUS, StateGraph

    cycle = state_cycle(pattern)
    # A graph of all states has codes, and a pattern that is not in it has no walk through it.
    if before and before.codes and before.props == cycle.props and before.walk(pattern):
        return before
    for rows, extra_height in ((ASYNCHRONOUS, _MIN_EXTRA_HEIGHT), (SYNCHRONOUS, 0)):
        # The number of props, rounded up to whole rows, and some beats more.
        least = max(cycle.highest, ceil(cycle.props / rows) * rows + extra_height)
        for highest in (least, cycle.highest):
            # A very small synchronous graph gets higher throws.
            if rows > 1 and comb(highest, cycle.props) < _MIN_SYNCHRONOUS_STATES:
                highest += SYNCHRONOUS
            fits = cycle.props and len(cycle.rows) == rows and highest % rows == 0
            if fits and comb(highest, cycle.props) <= _MAX_STATES:
                graph = StateGraph.of(cycle.props, highest, rows)
                if graph.walk(pattern):
                    return graph
    return StateGraph.of_pattern(pattern)


@lru_cache(maxsize=8)
def _layout_of(graph: StateGraph, room: tuple[float, float]) -> StateDiagram:
    """Lay out a state graph for some room.

    States are written into it if they are legible, else they are dots. Small graphs are laid out by
    stress, which is better and takes longer.

    Args:
        graph: to lay out.
        room: width and height, at scale 1, [pixels].
    """
    from juggle_anim.diagrams.state_diagram import LETTERS, StateDiagram, expected_letters

    width, height = room
    by_stress = len(graph.states) <= _MAX_CAREFUL_STATES
    if by_stress and expected_letters(graph, width * height) > _MIN_LETTER_SIZE:
        diagram = StateDiagram.lay_out(graph, width / height, pause=_PauseForPictures())
        if min(width / diagram.width, height / diagram.height) * LETTERS > _MIN_LETTER_SIZE:
            return diagram
    return StateDiagram.lay_out(
        graph, width / height, with_texts=False, careful=by_stress, pause=_PauseForPictures()
    )


class _PauseForPictures:
    """Leaves pictures more time than the thread takes that calls it between its steps."""

    def __init__(self) -> None:
        self._began = perf_counter()

    def __call__(self) -> None:
        sleep(min(_REST_SHARE * (perf_counter() - self._began), _MAX_REST))
        self._began = perf_counter()


_MIN_SYNCHRONOUS_STATES = 5  # with fewer, synchronous graphs have throws a beat higher
_MAX_STATES = 260  # of a graph of all states
_EPSILON = 1e-6  # beats; a throw at exactly this time counts, despite rounding
_REST_SHARE = 1.5  # times that a layout thread rests after a step, over the time of the step
_MAX_REST = 0.02  # s
_SWITCH_INTERVAL = 5e-4  # s; how soon pictures go on while a graph is laid out
