"""Card of the state graph: the running pattern's cycle, its present state, clicks that go on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from imgui_bundle import imgui

from juggle_anim.arrays import Floats
from juggle_anim.diagrams import (
    LABEL_HEIGHT,
    LABEL_LETTERS,
    LETTERS,
    LINE_HEIGHT,
    PRINT_INK,
    Point,
    StateArrow,
    Stroke,
    arrow_head,
    samples,
    state_colour,
    value_colour,
)
from juggle_anim.errors import counted
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.pattern.state_graph import StateEdge, StateGraph
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    draw_text_before,
    measure,
    pack_colour,
    paper_colour,
    px,
)
from juggle_anim.viewer.diagrams.diagram_card import (
    LINE_PER_FONT_SIZE,
    draw_diagram_head,
    draw_words,
)
from juggle_anim.viewer.diagrams.diagrams import ShownStates, Step, round_text, step_of
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, term_tip
from juggle_anim.viewer.state.model import Model

# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_HEAD_HEIGHT = 30.0
_FOOT_HEIGHT = 8.0
_ROOM_STEP = 16.0  # pixels at scale 1; the room is rounded to it, so that small changes keep it
_BOLD_HEAD_FACTOR = 1.4  # of the heads of bold arrows, over those of thin ones
_MAX_UNIT = 5.2  # size of a millimetre, at scale 1, [pixels]
_MOUSE_REACH = 7.0  # pixels at scale 1, within which the mouse points at an arrow
_TOKEN_RADIUS = 4.5  # pixels at scale 1
_THIN_LINE = 1.1  # pixels at scale 1; all other arrows
_BOLD_LINE = 2.6  # pixels at scale 1; arrows of the pattern, and those pointed at
# Of graphs with more arrows, only those of the pattern and of the state pointed at are drawn.
_MAX_ARROWS = 450
_MAX_CURVED_ARROWS = 170  # with more, all others are straight lines without heads
_MAX_THROWS = 6  # out of a state that a tooltip lists
_MAX_EDGED_STATES = 60  # with more, dots have no edges


class StateGraphCard(Card):
    """The state graph; clicks lead to other states."""

    name = "states"
    slot = Slot.STRIP

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw tabs, the state graph or a message instead, and a summary where there is room.

        The graph has the states of juggling (on which coming beats props land) and the throws that
        lead from one to another.

        Args:
            frame: the frame with the controller.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        ui.begin_card(
            self.name,
            place,
            imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse,
        )
        model = controller.model
        pad = px(_PAD)
        top = place.top + px(_HEAD_HEIGHT)
        # The free part of the head, right of the tabs, goes from `head_left` to `head_right`.
        head_left, head_right = draw_diagram_head(controller, Action.STATE_GRAPH, place)
        paper = Rectangle(
            place.left + pad,
            top,
            place.width - 2 * pad,
            place.height - px(_HEAD_HEIGHT + _FOOT_HEIGHT),
        )
        ui.fill_box(paper, ui.PAPER, rounding=6)
        # Size of the paper at scale 1, [pixels]; rounded, so that small changes of the window do
        # not lay the graph out again.
        room = (
            round(paper.width / ui.SCALE / _ROOM_STEP) * _ROOM_STEP,
            round(paper.height / ui.SCALE / _ROOM_STEP) * _ROOM_STEP,
        )
        graph_or_words = model.diagrams.graphs.of(model.animation.pattern, room)
        if isinstance(graph_or_words, ShownStates):
            _draw_graph(controller, _sheet_of(graph_or_words, paper, ui.SCALE))
            summary = _summary(graph_or_words)
            if measure(summary).width < head_right - head_left - px(10):
                draw_text_before(head_right, place.top + px(11), summary, ui.MUTED)
        else:
            draw_words(graph_or_words, paper)
        imgui.end()


def _summary(shown: ShownStates) -> str:
    """Return in words how many states a graph has, of how many props and which throws."""
    graph = shown.graph
    if not graph.codes:  # only graphs of all states have codes
        return _("{states} of this pattern", states=counted(len(graph.states), "state"))
    # Synchronous throws, of two hands at once, may cross: an x after their value.
    most = f"{graph.highest}{'x' if graph.rows > 1 else ''}"
    return _(
        "{props}, throws up to {most}: {states}",
        props=counted(graph.props, "prop"),
        most=most,
        states=counted(len(graph.states), "state"),
    )


_Curve = tuple[Point, Point, Point, Point]
_Head = tuple[Point, Point, Point]


@dataclass(frozen=True, eq=False)
class _Sheet:
    """A state graph in pixels of the window.

    Args:
        shown: the graph.
        paper: where it is drawn.
        unit: size of a millimetre.
        nodes: centres, one for each state.
        half_size: half width and height of a node.
        curves: points of each arrow's curve without its head, and of the head.
        tracks: points along the arrows, shape (M, 33, 2).
        fills: colours of states by their distance from the ground state.
        ink: ink of the texts in states.
    """

    shown: ShownStates
    paper: Rectangle
    unit: float
    nodes: list[Point]
    half_size: Point
    curves: list[tuple[_Curve, _Head]]
    tracks: Floats
    fills: list[int]
    ink: int

    def pixel(self, point: Point) -> Point:
        """Convert a place of the diagram, [mm], to [pixels]."""
        # Measured from the first node, whose place is known in both.
        node_x, node_y = self.nodes[0]
        first_x, first_y = self.shown.diagram.places[0].tolist()
        x, y = point
        return node_x + (x - first_x) * self.unit, node_y + (y - first_y) * self.unit

    def node_at(self, mouse: Point) -> int | None:
        """Return the state under the mouse; None if there is none."""
        # How far the mouse is beside and above or below the box of each node, [pixels]; within the
        # box both are negative.
        half_size = np.maximum(self.half_size, px(_MOUSE_REACH))
        gaps = np.abs(np.array(self.nodes) - mouse) - half_size
        distances = gaps.max(axis=1)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] < 0 else None

    def arrow_at(self, mouse: Point) -> int | None:
        """Return the index of the arrow under the mouse; None if there is none."""
        distances = np.linalg.norm(self.tracks - mouse, axis=2).min(axis=1)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] < px(_MOUSE_REACH) else None


@lru_cache(maxsize=2)
def _sheet_of(shown: ShownStates, paper: Rectangle, scale: float) -> _Sheet:
    """Convert the layout of a graph to pixels of the window, scaled to the paper and centred.

    Cached, as the card is drawn in every frame.

    Args:
        shown: the graph and its layout, [mm].
        paper: where it is drawn, [pixels].
        scale: pixels of the screen for a pixel at scale 1.
    """
    diagram = shown.diagram
    # Pixels for 1 mm of the diagram, and the place of its upper left corner, [pixels].
    unit = min(paper.width / diagram.width, paper.height / diagram.height, _MAX_UNIT * scale)
    spare_width = paper.width - diagram.width * unit
    spare_height = paper.height - diagram.height * unit
    corner = np.array([paper.left + spare_width / 2, paper.top + spare_height / 2])
    # Each arrow as a Bézier curve that ends at its head, and the head.
    curves = []
    for arrow in diagram.arrows:
        stroke = Stroke(
            points=tuple((x, y) for x, y in arrow.points.tolist()),
            colour=PRINT_INK,
            width=_THIN_LINE * scale / unit,  # mm, as the points still are
            arrow=True,
        )
        shorter, head = arrow_head(stroke)
        start, control, second_control, end = _to_window(shorter.points, unit, corner)
        tip, left, right = _to_window(head, unit, corner)
        curves.append(((start, control, second_control, end), (tip, left, right)))
    arrow_points = np.array([arrow.points for arrow in diagram.arrows])
    # A colour for each distance from the ground state, in throws.
    max_distance = max(shown.graph.distances)
    return _Sheet(
        shown=shown,
        paper=paper,
        unit=unit,
        nodes=_to_window(diagram.places.tolist(), unit, corner),
        half_size=(diagram.shape.width * unit / 2, diagram.shape.height * unit / 2),
        curves=curves,
        tracks=samples(arrow_points) * unit + corner,
        fills=[
            pack_colour(state_colour(distance, max_distance))
            for distance in range(max_distance + 1)
        ],
        ink=pack_colour(PRINT_INK),
    )


def _to_window(points: Sequence[Sequence[float]], unit: float, corner: Floats) -> list[Point]:
    """Return places of the diagram, [mm], as places in the window, [pixels]."""
    left, top = corner.tolist()
    return [(left + x * unit, top + y * unit) for x, y in points]


def _draw_graph(controller: Controller, sheet: _Sheet) -> None:
    """Draw the state graph with the path of the pattern, and react to a click.

    A node of the graph is a state, on which coming beats props land; an arrow stands for the throws
    that lead from one state to another.

    Args:
        controller: controller of the viewer; a click changes the pattern, or goes to another time.
        sheet: the graph in pixels of the window.
    """
    shown = sheet.shown
    diagram = shown.diagram
    paper = sheet.paper
    clicked = ui.place_button("graph", paper, term_tip("states"), tab_stop=False)
    hovered = imgui.is_item_hovered()
    mouse = imgui.get_io().mouse_pos.x, imgui.get_io().mouse_pos.y
    pointed_node = sheet.node_at(mouse) if hovered else None
    pointed_arrow = sheet.arrow_at(mouse) if hovered and pointed_node is None else None
    # The steps of the pattern, from each state to the next one and from the last to the first, and
    # the present one, which may be part of a transition.
    states = shown.walk
    next_states = [*states[1:], *states[:1]]
    step = _present_step(controller.model, shown)
    steps_of_pattern = {
        *zip(states, next_states, strict=True),
        (step.state, step.next_state),
    }
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(paper.low, paper.high, True)
    # Indices of three kinds of arrows: the one under the mouse or those that leave the state under
    # it; those of the pattern; and all others.
    pointed_arrows = {
        index
        for index, arrow in enumerate(diagram.arrows)
        if arrow.source == pointed_node or index == pointed_arrow
    }
    pattern_arrows = {
        index
        for index, arrow in enumerate(diagram.arrows)
        if (arrow.source, arrow.target) in steps_of_pattern
    }
    other_arrows = {*range(len(diagram.arrows))} - pattern_arrows - pointed_arrows
    # With many arrows, the other ones are drawn as straight lines, or not at all.
    if len(diagram.arrows) <= _MAX_CURVED_ARROWS:
        for index in other_arrows:
            _draw_arrow(sheet, index, ui.FAINT, _THIN_LINE)
    elif len(diagram.arrows) <= _MAX_ARROWS:
        thickness = px(_THIN_LINE)
        for index in other_arrows:
            (start, *_controls, end), _head = sheet.curves[index]
            draw.add_line(start, end, ui.LINE, thickness)
    # Arrows under the mouse come last, over all others.
    for index in (*(pattern_arrows - pointed_arrows), *pointed_arrows):
        tint = paper_colour(value_colour(diagram.arrows[index].value, shown.graph.highest))
        _draw_arrow(sheet, index, tint, _BOLD_LINE)
    for state in range(len(sheet.nodes)):
        _draw_node(
            sheet,
            state,
            is_present=state == step.state,
            is_in_pattern=state in states,
            is_pointed=state == pointed_node,
        )
    for index, arrow in enumerate(diagram.arrows):
        if arrow.label:
            is_strong = index in pattern_arrows or index in pointed_arrows
            _draw_label(sheet, arrow, is_strong=is_strong)
    _draw_token(sheet, step)
    draw.pop_clip_rect()
    _draw_tooltip(controller, sheet, pointed_node, pointed_arrow, mouse)
    if clicked:
        _take_click(controller, sheet, pointed_node, pointed_arrow)


def _present_step(model: Model, shown: ShownStates) -> Step:
    """Return what happens in the graph now."""
    animation, time, transition_beats = model.moment
    return step_of(shown, animation, time, has_uneven_tempo=bool(transition_beats))


def _draw_arrow(sheet: _Sheet, index: int, tint: int, thickness: float) -> None:
    """Draw an arrow of the graph; the head of one that is not thin is enlarged from its tip.

    Args:
        sheet: the graph in pixels of the window.
        index: index of the arrow.
        tint: packed colour.
        thickness: thickness of the line, at scale 1, [pixels].
    """
    draw = imgui.get_window_draw_list()
    curve, (tip, *base) = sheet.curves[index]
    draw.add_bezier_cubic(*curve, tint, px(thickness) * ui.LINE_SCALE)
    scale = _BOLD_HEAD_FACTOR if thickness > _THIN_LINE else 1.0
    tip_x, tip_y = tip
    left, right = ((tip_x + (x - tip_x) * scale, tip_y + (y - tip_y) * scale) for x, y in base)
    draw.add_triangle_filled(tip, left, right, tint)


def _draw_node(
    sheet: _Sheet, state: int, *, is_present: bool, is_in_pattern: bool, is_pointed: bool
) -> None:
    """Draw a state as a box with its text, or as a dot.

    A state says on which coming beats props land. The ground state, that of the cascade or
    fountain, is in ink, others are coloured by their distance from it, and the present one has the
    accent.

    Args:
        sheet: the graph in pixels of the window.
        state: its index; 0 is the ground state.
        is_present: whether the pattern is in it now.
        is_in_pattern: whether the pattern goes through it.
        is_pointed: whether the mouse points at it.
    """
    draw = imgui.get_window_draw_list()
    graph = sheet.shown.graph
    x, y = sheet.nodes[state]
    half_width, half_height = sheet.half_size
    if is_present:
        fill = ui.ACCENT
        ink = ui.ON_ACCENT
    elif state == 0:
        fill = ui.PAPER_INK
        ink = ui.PAPER
    else:
        fill = sheet.fills[graph.distances[state]]
        ink = sheet.ink
    low = (x - half_width, y - half_height)
    high = (x + half_width, y + half_height)
    rounding = sheet.shown.diagram.shape.corner * sheet.unit
    # In large graphs most states are plain dots, which are drawn fast.
    if len(sheet.nodes) > _MAX_EDGED_STATES and not (is_present or is_in_pattern or is_pointed):
        draw.add_circle_filled((x, y), rounding, fill, 8)
        return
    draw.add_rect_filled(low, high, fill, rounding)
    edge = ui.PAPER_INK if is_in_pattern else ui.FAINT
    if is_pointed or is_present:
        edge = ui.ACCENT
    thickness = px(2.0 if is_in_pattern or is_pointed else 1.0)
    draw.add_rect(low, high, edge, rounding=rounding, thickness=thickness)
    # The state as text, a line for each row: a synchronous state has one for each hand.
    if sheet.shown.diagram.has_texts:
        lines = graph.states[state]
        size = LETTERS * sheet.unit * LINE_PER_FONT_SIZE
        for index, text in enumerate(lines):
            lines_below_middle = index - (len(lines) - 1) / 2
            middle = y + lines_below_middle * LINE_HEIGHT * sheet.unit
            _write_centred(text, (x, middle), size, ink, is_strong=is_in_pattern or is_present)


def _draw_label(sheet: _Sheet, arrow: StateArrow, *, is_strong: bool) -> None:
    """Draw the throws of an arrow, one below the other, at the place of its label.

    An arrow stands for the throws that lead from one state to another.

    Args:
        sheet: the graph in pixels of the window.
        arrow: the arrow with a label.
        is_strong: whether it belongs to the pattern or is pointed at; it is coloured then.
    """
    assert arrow.label
    draw = imgui.get_window_draw_list()
    unit = sheet.unit
    x, y = sheet.pixel(arrow.label)
    # A box of paper keeps the text apart from the arrow.
    width, height = arrow.label_size
    half_width = width * unit / 2
    half_height = height * unit / 2
    draw.add_rect_filled(
        (x - half_width, y - half_height),
        (x + half_width, y + half_height),
        ui.PAPER,
        half_height / 2,
    )
    tint = (
        paper_colour(value_colour(arrow.value, sheet.shown.graph.highest))
        if is_strong
        else ui.MUTED
    )
    size = LABEL_LETTERS * unit * LINE_PER_FONT_SIZE
    for index, text in enumerate(arrow.throws):
        lines_below_middle = index - (len(arrow.throws) - 1) / 2
        middle = y + lines_below_middle * LABEL_HEIGHT * unit
        _write_centred(text, (x, middle), size, tint, is_strong=is_strong)


def _write_centred(text: str, middle: Point, size: float, tint: int, *, is_strong: bool) -> None:
    """Write a text around a middle, [pixels]."""
    width = measure(text, size / ui.SCALE, strong=is_strong).width
    font = ui.font(strong=is_strong)
    x, y = middle
    corner = (x - width / 2, y - size / 2)
    imgui.get_window_draw_list().add_text(font, size, corner, tint, text)


def _draw_token(sheet: _Sheet, step: Step) -> None:
    """Draw a dot, the token, on the arrow on which the pattern is now.

    Args:
        sheet: the graph in pixels of the window.
        step: the states before and after the present throw, and the share of the time between them
            that has passed; nothing is drawn if no arrow joins them.
    """
    states = (step.state, step.next_state)
    index = next(
        (
            index
            for index, arrow in enumerate(sheet.shown.diagram.arrows)
            if (arrow.source, arrow.target) == states
        ),
        None,
    )
    if index is None:
        return
    # The arrow is sampled at equal shares of the way; the dot lies between two samples.
    track = sheet.tracks[index]
    shares = np.linspace(0.0, 1.0, len(track))
    x = float(np.interp(step.share_passed, shares, track[:, 0]))
    y = float(np.interp(step.share_passed, shares, track[:, 1]))
    draw = imgui.get_window_draw_list()
    radius = px(_TOKEN_RADIUS)
    draw.add_circle_filled((x, y), radius, ui.ACCENT)
    draw.add_circle((x, y), radius, ui.PAPER, thickness=px(1.2))


def _draw_tooltip(
    controller: Controller, sheet: _Sheet, node: int | None, arrow: int | None, mouse: Point
) -> None:
    """Draw the tooltip of a state or an arrow, which also says what a click does.

    An arrow stands for the throws that lead from one state to another.

    Args:
        controller: controller of the viewer.
        sheet: the graph in pixels of the window.
        node: index of the state under the mouse; None for none.
        arrow: index of the arrow under the mouse; None for none.
        mouse: position of the mouse in the window, [pixels].
    """
    graph = sheet.shown.graph
    # A graph of all states has codes; that of a single pattern has none, and leads nowhere else.
    leads_elsewhere = bool(graph.codes)
    # Each line has a text at the left and one at the right.
    if node is not None:
        lines = _state_lines(graph, node)
        if leads_elsewhere:
            siteswap = round_text(graph.shortest_round(node))
            lines.append((_("Click"), _("juggles {there}", there=siteswap)))
    elif arrow is not None:
        shown_arrow = sheet.shown.diagram.arrows[arrow]
        source = _state_text(graph.states[shown_arrow.source])
        target = _state_text(graph.states[shown_arrow.target])
        lines = [(_(" or ").join(shown_arrow.throws), f"{source} → {target}")]
        if leads_elsewhere:
            throw = _edge_of(graph, shown_arrow)
            chosen = controller.model.live.chosen.animation
            text = controller.model.diagrams.clicked.text(graph, throw, chosen)
            action = _(
                "throws {throws} next, then continues with {text}", throws=throw.throws, text=text
            )
            lines.append((_("Click"), action))
    else:
        return
    ui.draw_tooltip(lines, sheet.paper, mouse)


def _state_lines(graph: StateGraph, state: int) -> list[tuple[str, str]]:
    """Return what a tooltip says of a state: how far it is, and the throws that leave it.

    Args:
        graph: the states of juggling, and its edges: the throws that lead from one to another.
        state: index of the state; 0 is the ground state in a graph of all states.

    Returns:
        Lines, each of strong words and of muted ones; the first has the state itself.
    """
    distance = graph.distances[state]
    # A graph without codes has only the states of one pattern, of which the first need not be the
    # ground state.
    where = (
        _("the ground state")
        if graph.codes and not distance
        else _("{throws} away", throws=counted(distance, "throw"))
    )
    leaving_throws = [
        f"{edge.throws} → {_state_text(graph.states[edge.target])}" for edge in graph.leaving[state]
    ]
    if len(leaving_throws) > _MAX_THROWS:
        leaving_throws = [*leaving_throws[: _MAX_THROWS - 1], "…"]
    return [(_state_text(graph.states[state]), where), *(("", words) for words in leaving_throws)]


def _take_click(controller: Controller, sheet: _Sheet, node: int | None, arrow: int | None) -> None:
    """Do what a click on the graph does.

    A click on an arrow makes its throw next; a click on a state juggles the shortest pattern
    through that state. In a graph of a single pattern, which has no codes, a click on a state goes
    to the next time at which the pattern is in that state.

    Args:
        controller: performs what a click does.
        sheet: the graph in pixels of the window.
        node: index of the state under the mouse; None for none.
        arrow: index of the arrow under the mouse; None for none.
    """
    graph = sheet.shown.graph
    if node is not None and graph.codes:
        controller.juggle_throws(graph.shortest_round(node))
    elif node is not None:
        _go_to_state(controller.model, sheet.shown, node)
    elif arrow is not None and graph.codes:
        controller.throw_by_hand(graph, _edge_of(graph, sheet.shown.diagram.arrows[arrow]))


def _edge_of(graph: StateGraph, arrow: StateArrow) -> StateEdge:
    """Return the first edge of the graph that an arrow stands for."""
    return next(
        edge for edge in graph.edges if edge.source == arrow.source and edge.target == arrow.target
    )


def _go_to_state(model: Model, shown: ShownStates, state: int) -> None:
    """Go to the next time at which the pattern is in a state, and pause.

    Args:
        model: model of the viewer.
        shown: the state graph.
        state: index of the state; nothing happens if the pattern is never in it.
    """
    animation, time, _transition_beats = model.moment
    pattern = animation.pattern
    if pattern is None:
        return
    # The period and the visits of states are in ticks, `division` to a beat.
    ticks_per_second = animation.choreography.bps * pattern.division
    # Ticks from now to the next time at which each visit of the state recurs.
    ticks_ahead = [
        (tick - time * ticks_per_second) % pattern.period
        for tick, visited_state in shown.graph.visits(pattern)
        if visited_state == state
    ]
    if ticks_ahead:
        model.playback.pause_at(model.playback.time + min(ticks_ahead) / ticks_per_second)


def _state_text(rows: Sequence[str]) -> str:
    return ",".join(rows)
