"""Card of a diagram of throws: a tape that scrolls by; a click goes to a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any

import numpy as np
from imgui_bundle import imgui

from juggle_anim.choreography import repeat_to_full_loop
from juggle_anim.diagrams.drawing import (
    WHITE,
    Label,
    Mark,
    Pill,
    Point,
    Stroke,
    arrow_head,
    node_width,
)
from juggle_anim.language import N_, _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    draw_text,
    draw_text_before,
    measure,
    pack_colour,
    paper_colour,
    px,
)
from juggle_anim.viewer.diagrams.diagrams import (
    CAUSAL,
    DEFAULT_SCALE,
    KINDS,
    LADDER,
    STATES,
    WHO_TO_WHOM,
    DiagramFit,
    DiagramView,
    LoopDiagram,
    ThrowInfo,
)
from juggle_anim.viewer.editor.handle_marks import picture_hints
from juggle_anim.viewer.editor.ladder_drawing import LadderDrawing, Tip, draw_hints
from juggle_anim.viewer.editor.ladder_editor import LadderEditor, TapeView
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action, term_tip
from juggle_anim.viewer.state.model import Model

_TABS = {
    LADDER: N_("Ladder"),
    WHO_TO_WHOM: N_("Who to whom"),
    CAUSAL: N_("Causal"),
    STATES: N_("States"),
}
_CAPTIONS = {
    WHO_TO_WHOM: N_(
        "Each arrow goes from a throw to where that prop is caught and thrown again. L and R are "
        "left and right hands."
    ),
    CAUSAL: N_(
        "Each arrow points from a throw to the throw that must empty the catching hand for it."
    ),
}
# Sizes of the card at scale 1, [pixels].
_PAD = 12.0
_HEAD_HEIGHT = 30.0
_FOOT_HEIGHT = 8.0
_HINTS_HEIGHT = 24.0  # below a ladder that is edited
_HINTS_MARGIN = 14.0  # from the edges of the picture to hints over it
_BUTTON_GAP = 14  # between the buttons of editing
_MENU_BELOW = 24  # from the upper edge of a button down to a menu below it
_MENU_ABOVE = 4  # from the upper edge of a button up to a menu above it
_FLAGS = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse


class DiagramCard(Card):
    """A ladder, or a diagram with arrows, along which time runs."""

    name = "diagram"
    slot = Slot.STRIP

    def __init__(self) -> None:
        self._pen: MarkPen | None = None
        self._drawn: TapeDrawing | None = None

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the card; if its pixels are kept from the last frame, only handle the mouse.

        While the pattern is edited, handles lie on the ladder and hints below it.

        Args:
            frame: the frame with the controller, and whether the pixels of the strip stay.
            place: place of the card in the window, [pixels].
        """
        controller = frame.controller
        if frame.keeps_strip:
            self._handle_mouse_only(controller, place)
            return
        ui.begin_card(self.name, place, _FLAGS)
        model = controller.model
        pad = px(_PAD)
        top = place.top + px(_HEAD_HEIGHT)
        if controller.editor.shown:
            # The mouse is handled first, so that this frame shows the result.
            _drag_on_ladder(controller)
        x, right = draw_diagram_head(controller, Action.DIAGRAM, place)
        if model.diagrams.kind == LADDER:
            _draw_edit_buttons(controller, x, right, place.top + px(8))
        # The paper of the diagram, and while it is edited hints below it.
        editing = controller.editor.shown and model.diagrams.kind == LADDER
        caption = _(_CAPTIONS.get(model.diagrams.kind, ""))
        width = place.width - 2 * pad
        hints_height = px(_HINTS_HEIGHT) if editing else _caption_height(caption, width)
        paper = Rectangle(
            place.left + pad,
            top,
            width,
            place.height - px(_HEAD_HEIGHT + _FOOT_HEIGHT) - hints_height,
        )
        hints = Rectangle(paper.left, paper.bottom, paper.width, hints_height)
        ui.fill_box(paper, ui.PAPER, rounding=6)
        # The diagram of one loop, which is repeated like a tape, or words on why there is none. In
        # a transition to another pattern, the moment's animation is that of the transition.
        moment = model.moment
        tape_or_words = model.diagrams.of(
            moment.animation, model.live.ahead(model.playback.clock), at_once=editing
        )
        # During a transition nothing can be edited.
        ladder = controller.ladder if editing and moment.animation is model.animation else None
        if isinstance(tape_or_words, LoopDiagram):
            drawing = TapeDrawing(model, tape_or_words, paper, pen=self._pen, ladder=ladder)
            self._drawn = drawing
            self._pen = drawing.pen
            drawing.draw(painted=frame.painted)
        else:
            draw_words(tape_or_words, paper)
        if editing:
            in_picture = None
            if controller.editor.is_in_picture:
                in_picture = picture_hints(controller.picture)
            draw_hints(controller.ladder, model, hints, in_picture)
        elif caption:
            draw_text(hints.left, hints.top + px(4), caption, ui.MUTED, wrap=hints.width)
        imgui.end()

    def _handle_mouse_only(self, controller: Controller, place: Rectangle) -> None:
        """Let the mouse go on with what it drags; the pixels are there already."""
        ui.begin_card(self.name, place, _FLAGS | imgui.WindowFlags_.no_background)
        _drag_on_ladder(controller)
        if self._drawn:
            self._drawn.place_tape()
            self._drawn.draw_tip()
        imgui.end()


class MarkHints(Card):
    """The hints for handles in the picture, at its lower edge, where no ladder has them."""

    name = "mark hints"

    def place_in(self, frame: Frame) -> Rectangle | None:
        """Return the place of the line, [pixels]."""
        free = frame.layout.free
        scale = frame.layout.scale
        margin = _HINTS_MARGIN * scale
        height = (_HINTS_HEIGHT + 8) * scale
        top = free.bottom - margin - height
        return Rectangle(free.left + margin, top, free.width - 2 * margin, height)

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the line: what the handles are, or what is chosen, and what keys do."""
        controller = frame.controller
        ui.begin_card(self.name, place, _FLAGS)
        line = Rectangle(
            place.left + px(_PAD), place.top + px(4), place.width - 2 * px(_PAD), px(_HINTS_HEIGHT)
        )
        draw_hints(controller.ladder, frame.model, line, picture_hints(controller.picture))
        imgui.end()


def _caption_height(caption: str, width: float) -> float:
    """Return the height of the words below a diagram with the gap above them, [pixels]."""
    return measure(caption, wrap=width).height + px(4) if caption else 0.0


def _drag_on_ladder(controller: Controller) -> None:
    """Let what the mouse holds on the ladder follow it."""
    io = imgui.get_io()
    mouse = (io.mouse_pos.x, io.mouse_pos.y)
    controller.ladder.drag(mouse, fine=io.key_shift, scale=ui.SCALE)


def draw_words(words: str, paper: Rectangle) -> None:
    """Draw a message in the place of a diagram, in the middle of its height.

    Args:
        words: words of the message, wrapped to the width.
        paper: place of the diagram, [pixels].
    """
    pad = px(_PAD)
    room = paper.width - 2 * pad
    text_height = measure(words, ui.TEXT, wrap=room).height
    draw_text(
        paper.left + pad,
        paper.middle - text_height / 2,
        words,
        ui.PAPER_INK,
        ui.TEXT,
        wrap=room,
    )


def draw_diagram_head(
    controller: Controller, action: Action, card: Rectangle
) -> tuple[float, float]:
    """Draw the head of a diagram's card: a key, tabs of all kinds of diagrams, and a cross.

    A click on a tab shows its kind; the key and the cross close the card.

    Args:
        controller: controller of the viewer.
        action: action of the key, which shows or hides the card.
        card: place of the card, [pixels].

    Returns:
        Left and right edge of the free part of the head, between the tabs and the cross, [pixels].
    """
    y = card.top + px(8)
    key_left = card.left + px(_PAD)
    key_width = ui.draw_key_button(action, "", key_left, y, tint=None, perform=controller.perform)
    tabs_left = key_left + key_width + px(6)
    diagrams = controller.model.diagrams
    kinds = (*KINDS, STATES)
    labels = [_TABS[kind] for kind in kinds]
    clicked_kind = ui.draw_tabs(kinds, labels, diagrams.kind, tabs_left, y)
    if clicked_kind:
        diagrams.show(clicked_kind)
    tabs_width = sum(measure(label, strong=True).width + px(12) for label in labels)
    cross_side = px(22)
    cross_left = card.right - px(8) - cross_side
    if ui.draw_cross(cross_left, card.top + px(6), cross_side):
        controller.perform(action)
    return tabs_left + tabs_width, cross_left - px(8)


def _draw_edit_buttons(controller: Controller, left: float, right: float, y: float) -> None:
    """Draw the buttons of editing from the right, as far as there is room.

    The Edit button, which begins and ends editing, is the rightmost one: so it stays in its place
    when it is pressed. While a pattern is edited, Picture (whether handles are in the picture) and
    Menu follow to its left.

    Args:
        controller: performs what a button is for.
        left, right: edges of the room for the buttons, [pixels].
        y: their upper edge, [pixels].
    """
    editing = controller.editor.shown
    buttons = [(Action.EDIT, N_("Edit"))]
    if editing:
        buttons += [(Action.HANDLE_PLACE, N_("Picture")), (Action.EDIT_MENU, N_("Menu"))]
    is_on = {
        Action.EDIT: editing,
        Action.HANDLE_PLACE: controller.editor.is_in_picture,
    }
    for action, words in buttons:
        right -= ui.key_button_width(action, words)
        if right < left:
            break
        tint = ui.ACCENT if is_on.get(action) else ui.MUTED

        # The default binds the present value of `right`, which changes with the next button.
        def perform(action: Action, button_left: float = right) -> None:
            # Every button sets the place of the menu, though only the Menu button opens it: below
            # the button, or from a little above it in the lower half of the window.
            is_in_upper_half = y < imgui.get_io().display_size.y / 2
            menu_y = y + px(_MENU_BELOW if is_in_upper_half else -_MENU_ABOVE)
            controller.ladder.menu_place = button_left, menu_y
            controller.perform(action)

        ui.draw_key_button(action, words, right, y, tint=tint, perform=perform)
        right -= px(_BUTTON_GAP)


LINE_PER_FONT_SIZE = 1.21
"""Height of a line of text over the size of its font."""

DrawCall = Callable[[Any, float, float], None]
"""Draws one shape into a draw list, with the tape's loop at a place in the window, [pixels]."""

_MIN_LETTER_SIZE = 12.0  # at scale 1, [pixels]
_DASH_LENGTH = 1.4  # mm
_LIT_THICKNESS = 1.7  # of strokes that are lit, over that of others
_LIT_DOT = 2.6  # mm; diameter of a lit throw without a word


class MarkPen:
    """Draws the marks of a tape in one size; the calls for each mark are made once.

    Args:
        tape: tape whose marks they are.
        fit: their scale.
    """

    def __init__(self, tape: LoopDiagram, fit: DiagramFit) -> None:
        self.theme = ui.loaded
        self.tape = tape
        self.fit = fit
        self._calls: dict[tuple[int, bool, int], list[DrawCall]] = {}

    def draw(
        self, draw: Any, index: int, left: float, top: float, *, lit: bool, loop_number: int = 0
    ) -> None:
        """Draw a mark of a diagram (a line, a dot or a text) into a draw list.

        imgui draws by function calls. The calls of a mark are cached: they depend only on the mark,
        whether it is lit, and its colour.

        Args:
            draw: imgui's draw list.
            index: index of the mark in the tape, the diagram of one loop.
            left, top: upper left corner of the loop in the window, [pixels].
            lit: whether the mark belongs to a present throw.
            loop_number: the loop in which it is drawn, as props exchange places from loop to loop.
        """
        # The props of an orbit follow each other from loop to loop. By how many places they have
        # moved on decides which of them, and so which colour, the mark has.
        shift = self.tape.orbit_shift(self.tape.prop_of[index], loop_number)
        key = index, lit, shift
        if key not in self._calls:
            self._calls[key] = self._calls_for(self.tape.mark_in(index, loop_number), lit=lit)
        for call in self._calls[key]:
            call(draw, left, top)

    def place(self, point: Point) -> Point:
        """Convert a place of the tape, [mm], to [pixels] from the start of its loop."""
        return self.fit.x_scale * point[0], self.fit.y_of(self.tape, point[1])

    def _calls_for(self, mark: Mark, *, lit: bool) -> list[DrawCall]:
        """Return the calls that draw a mark."""
        if isinstance(mark, Stroke):
            return self._stroke(mark, lit=lit)
        if isinstance(mark, Pill):
            return self._pill(mark, lit=lit)
        assert isinstance(mark, Label), "diagrams have nothing else"
        return [self._label(mark, lit=lit)]

    def _stroke(self, mark: Stroke, *, lit: bool) -> list[DrawCall]:
        """Return the calls that draw a line or curve, with its head if it is an arrow.

        Args:
            mark: the line or curve: two or four points in the loop, [mm].
            lit: whether it belongs to a present throw, and is thicker.
        """
        unit = self.fit.mark_scale  # pixels for 1 mm of marks
        tint = paper_colour(mark.colour)
        scaled_width = mark.width * unit * ui.LINE_SCALE
        thickness = max(scaled_width * (_LIT_THICKNESS if lit else 1.0), 1.0)
        points = [self.place(point) for point in mark.points]
        calls: list[DrawCall] = []
        if mark.arrow:
            # Along and across time the diagram has other scales than its marks. So that the head
            # has its size in millimetres of marks, the points are converted from pixels to these.
            in_millimetres = replace(mark, points=tuple((x / unit, y / unit) for x, y in points))
            shorter, head = arrow_head(in_millimetres)
            points = [(x * unit, y * unit) for x, y in shorter.points]
            corners = [(x * unit, y * unit) for x, y in head]
            calls.append(_shape_call("add_triangle_filled", corners, tint))
        if len(points) == 4:  # a Bézier curve
            calls.append(_shape_call("add_bezier_cubic", points, tint, thickness))
        elif mark.dashed:
            start, end = points
            calls.append(_dashed_line_call(start, end, _DASH_LENGTH * unit, tint, thickness))
        else:
            calls.append(_shape_call("add_line", points[:2], tint, thickness))
        return calls

    def _pill(self, mark: Pill, *, lit: bool) -> list[DrawCall]:
        """Return the imgui calls that draw a node, which is the mark of a throw, or a hold's bar.

        Args:
            mark: a node if its ends are round: a dot if it has no outline, else a frame for a text;
                with square ends the bar of a hold.
            lit: whether it belongs to a present throw: frames are filled then, and dots larger.
        """
        unit = self.fit.mark_scale  # pixels for 1 mm of marks
        centre = self.place(mark.centre)
        if not mark.round_ends:
            # The length of a bar is a time, which has a scale of its own.
            corners = _corners(centre, self.fit.x_scale * mark.width, unit * mark.height)
            return [_shape_call("add_rect_filled", corners, paper_colour(mark.fill))]
        is_dot = mark.outline is None and mark.fill != WHITE
        width = _LIT_DOT if lit and is_dot else mark.width
        height = _LIT_DOT if lit and is_dot else mark.height
        fill = ui.ACCENT if lit and mark.outline else paper_colour(mark.fill)
        corners = _corners(centre, unit * width, unit * height)
        radius = unit * height / 2  # of the round ends
        calls = [_shape_call("add_rect_filled", corners, fill, radius)]
        if mark.outline:
            thickness = unit * mark.line * ui.LINE_SCALE
            calls.append(
                _shape_call("add_rect", corners, paper_colour(mark.outline), radius, thickness)
            )
        return calls

    def _label(self, mark: Label, *, lit: bool) -> DrawCall:
        """Return the call that draws a text.

        Args:
            mark: the mark with its text, place [mm] and alignment.
            lit: whether it belongs to a present throw, and is in the colour on top of the accent.
        """
        is_in_node = mark.bold  # only the texts of throws, in their frames, are bold
        font = ui.font(strong=is_in_node)
        # Sizes are rounded to half pixels, so that imgui reuses the letters of few sizes.
        wanted_size = mark.size * self.fit.mark_scale * LINE_PER_FONT_SIZE
        size = max(round(2 * wanted_size) / 2, px(_MIN_LETTER_SIZE))
        imgui.push_font(font, size)
        width = imgui.calc_text_size(mark.text).x
        imgui.pop_font()
        # Vertically centred: the middle of capitals is the middle of a line of this font.
        anchor_x, anchor_y = self.place(mark.at)
        text_x = anchor_x - width * _ALIGNMENT[mark.align]
        text_y = anchor_y - size / 2
        tint = ui.ON_ACCENT if lit and is_in_node else paper_colour(mark.colour)

        def call(draw: Any, left: float, top: float) -> None:
            # Numbers below the tape are drawn only if all of them is visible. The texts of throws
            # may be cut off together with their frames.
            x = left + text_x
            is_whole = draw.get_clip_rect_min().x <= x and x + width <= draw.get_clip_rect_max().x
            if is_whole or is_in_node:
                draw.add_text(font, size, (x, top + text_y), tint, mark.text)

        return call


_ALIGNMENT = {"start": 0.0, "middle": 0.5, "end": 1.0}


def _shape_call(method: str, points: Sequence[Point], *rest: float) -> DrawCall:
    """Return a call of a method of the draw list, with points and then all other arguments."""

    def call(draw: Any, left: float, top: float) -> None:
        getattr(draw, method)(*[(left + x, top + y) for x, y in points], *rest)

    return call


def _corners(centre: Point, width: float, height: float) -> list[Point]:
    """Return the corners of a box around a centre."""
    x, y = centre
    return [(x - width / 2, y - height / 2), (x + width / 2, y + height / 2)]


def _dashed_line_call(
    start: Point, end: Point, dash_length: float, tint: int, thickness: float
) -> DrawCall:
    """Return a function that draws a vertical dashed line of a diagram, once for each loop.

    The function is called with the place of a loop, from which the points count. It draws the
    visible part only, as with many jugglers most of the line is hidden.

    Args:
        start, end: upper and lower end of the line, from the corner of the loop, [pixels].
        dash_length: length of a dash and of a gap, [pixels].
        tint: packed colour.
        thickness: thickness of the line, [pixels].
    """
    x, upper = start
    _x, lower = end
    period = 2 * dash_length  # a dash and its gap

    def call(draw: Any, left: float, top: float) -> None:
        """Draw the line in the loop with this upper left corner, [pixels]."""
        # The visible range of y, from the corner of the loop as the points are.
        visible_top = draw.get_clip_rect_min().y - top
        visible_bottom = min(draw.get_clip_rect_max().y - top, lower)
        # Dashes are numbered from the upper end.
        first = max(floor((visible_top - upper) / period), 0)
        for number in range(first, ceil((visible_bottom - upper) / period)):
            dash_top = top + upper + period * number
            dash_bottom = min(dash_top + dash_length, top + lower)
            draw.add_line((left + x, dash_top), (left + x, dash_bottom), tint, thickness)

    return call


_HEAD_HEIGHT = 30.0
_NAME_SIZE = 13.0  # of letters of names of lines, at scale 1, [pixels]
_PROP_RADIUS = 4.6  # pixels at scale 1
_NEAR = 40.0  # pixels from the mouse along the tape, within which it may point at a throw
_BAR_WIDTH = 11.0  # of the scrollbar, at scale 1, [pixels]
_WHEEL_STEP = 40.0  # pixels at scale 1 for each click of the wheel


class TapeDrawing:
    """Draws a tape on its paper, for one frame."""

    def __init__(
        self,
        model: Model,
        tape: LoopDiagram,
        paper: Rectangle,
        *,
        pen: MarkPen | None,
        ladder: LadderEditor | None,
    ) -> None:
        """Fit the tape, the diagram of one loop that is repeated along time, to its paper.

        Args:
            model: the model with the present time.
            tape: the diagram of one loop.
            paper: the place in the window for the diagram, [pixels].
            pen: draws marks at one scale, and caches how; that of the last frame is used again if
                its scale is still right. None if there is none.
            ladder: edits the pattern; None while nothing is edited.
        """
        self._model = model
        self._tape = tape
        self._paper = paper
        self._ladder = ladder
        self._view: DiagramView = model.diagrams.view
        self._moment = model.moment
        # The names of lines stand to the left of the loop.
        self._names_width = self._measure_names()
        self._bar_width = 0.0
        # Margins beside the loop, so that throws at its start and end are seen whole.
        self._edge_width = px(DEFAULT_SCALE) * tape.reach + px(3)
        if not self._beats:
            self._edge_width = max(self._edge_width, measure("0 s").width / 2 + px(2))
        # While a handle is dragged, margin and scale stay as they were when it was pressed, so that
        # it stays under the mouse.
        self._kept_x_scale: float | None = None  # pixels/mm; None outside a drag
        if ladder and ladder.active_drag and ladder.active_drag.has_moved:
            drag_view = ladder.active_drag.view
            self._edge_width = drag_view.start - drag_view.left
            loop_length = drag_view.loop_length(self._duration, self._beats)
            self._kept_x_scale = loop_length / tape.length
        self._fit_tape()
        # A diagram that is higher than the paper needs a scrollbar, which leaves less width.
        if self._fit.height > paper.height + 1:
            self._bar_width = px(_BAR_WIDTH)
            self._fit_tape()
        if pen is None or pen.tape is not tape or pen.fit != self._fit or pen.theme != ui.loaded:
            pen = MarkPen(tape, self._fit)
        self.pen = pen
        # The present time, [loops]; its whole part is the number of the present loop.
        self._now_loops = self._moment.time / self._duration
        # The tooltip of a handle, and the x of the mouse, [pixels].
        self._tip: Tip = []
        self._tip_x = 0.0

    @property
    def _duration(self) -> float:
        """The duration of the loop of the tape, [s]."""
        return self._moment.animation.choreography.duration

    def _fit_tape(self) -> None:
        """Place the loop beside names and scrollbar, and find its scale."""
        paper = self._paper
        left = self._paper.left + self._names_width + self._edge_width
        width = paper.right - self._bar_width - self._edge_width - left
        self._room = Rectangle(left, paper.top, width, paper.height)
        self._fit = DiagramFit.for_area(self._tape, width, paper.height, ui.SCALE)
        if self._kept_x_scale:
            loops = width / (self._kept_x_scale * self._tape.length)
            self._fit = replace(self._fit, x_scale=self._kept_x_scale, loops=loops)

    def draw(self, *, painted: bool) -> None:
        """React to the mouse on the tape, and draw the tape.

        The wheel scrolls, a click on a throw seeks to its time, and a drag seeks to the time under
        the mouse. While the pattern is edited, its handles, marks that can be dragged, get the
        mouse first.

        Args:
            painted: whether to draw all; if not, only the mouse and the scrollbar are handled.
        """
        room = self._room
        fit = self._fit
        edge = self._edge_width
        self.place_tape()
        is_pressed = imgui.is_item_active()
        hovered = imgui.is_item_hovered()
        io = imgui.get_io()
        # The view scrolls with the present time, but not under a mouse that drags or edits.
        still = is_pressed or self._model.playback.paused or (self._ladder is not None and hovered)
        self._view.scroll_to_present(self._now_loops, fit, io.delta_time, still=still)
        wheel_step = -io.mouse_wheel * px(_WHEEL_STEP) if hovered else 0.0
        self._view.scroll(wheel_step, fit, room.height)
        self._scroll_to_followed()
        mouse = (io.mouse_pos.x, io.mouse_pos.y)
        handles = None
        is_on_handle = False
        if self._ladder:
            handles = LadderDrawing(self._ladder, self._model, self._tape_view())
            is_on_handle = handles.use_mouse(mouse, hovered=hovered, pressed=is_pressed)
        # A mouse on a handle does nothing else. Otherwise a press seeks to a throw or a time, and a
        # drag to the time under the mouse, also in the frame in which it ends.
        pointed_node = None
        if not is_on_handle:
            if hovered or is_pressed:
                pointed_node = self._node_at(mouse)
            if imgui.is_item_activated():
                self._go_to_time(mouse, pointed_node)
            elif (is_pressed or imgui.is_item_deactivated()) and self._dragged:
                self._go_to_time(mouse, None)
        if not painted:
            self._draw_bar()
            return
        draw = imgui.get_window_draw_list()
        paper = self._paper
        # Nothing is drawn over names and scrollbar.
        low = (room.left - edge, paper.top)
        draw.push_clip_rect(low, (paper.right - self._bar_width, paper.bottom), True)
        self._draw_tape()
        self._draw_collisions()
        self._draw_props()
        if handles:
            handles.draw()
        draw.pop_clip_rect()
        self._draw_names()
        self._draw_bar()
        self._tip = handles.tip() if handles else []
        self._tip_x = mouse[0]
        if self._tip:
            self.draw_tip()
        elif pointed_node is not None and not is_pressed:
            self._draw_tooltip(pointed_node, mouse)

    def place_tape(self) -> None:
        """Place an invisible button over the tape, which becomes imgui's last item."""
        room = self._room
        edge = self._edge_width
        imgui.set_next_item_allow_overlap()
        place = Rectangle(room.left - edge, room.top, room.width + 2 * edge, room.height)
        ui.place_button("tape", place, term_tip(self._model.diagrams.kind), tab_stop=False)

    def draw_tip(self) -> None:
        """Draw the words about a handle above the card, whose tabs stay free."""
        y = self._paper.top - px(_HEAD_HEIGHT)
        if self._tip:
            ui.draw_tooltip(self._tip, self._paper, (self._tip_x, y), above=True)

    @property
    def _beats(self) -> int:
        """The beats of the loop of the tape; 0 for events."""
        score = self._moment.animation.score
        return repeat_to_full_loop(score.pattern, score.staging).period if score.pattern else 0

    def _tape_view(self) -> TapeView:
        """Return place and scale of the ladder in the window.

        The handles by which throws are edited are placed by it.
        """
        start = self._room.left  # where a loop begins if whole loops are shown
        return TapeView(
            tape=self._tape,
            fit=self._fit,
            top=self._top,
            loop_lefts={
                loop_number: self._left(loop_number) for loop_number in self._visible_loops()
            },
            duration=self._duration,
            beats=self._beats,
            left=start - self._edge_width,
            start=start,
        )

    def _scroll_to_followed(self) -> None:
        """Scroll vertically to the lines of the juggler whom the camera follows."""
        juggler = self._model.rig.following  # None for all, for whom `center_on` does nothing
        lines = self._tape.lines
        # A ladder has a line for each hand, a causal diagram one for each juggler, in their order.
        lines_per_juggler = len(lines) // self._model.animation.num_jugglers
        first = (juggler or 0) * lines_per_juggler
        # The diagram may still be that of a pattern before, with fewer jugglers.
        lines_of_juggler = lines[first : first + lines_per_juggler] or lines[:1]
        ys = [self._fit.y_of(self._tape, line_y) for line_y, _name in lines_of_juggler]
        middle = sum(ys) / len(ys)
        self._view.center_on(juggler, middle, self._fit, self._room.height)

    @property
    def _dragged(self) -> bool:
        """Whether the mouse moved since the press, also if it was released in this frame."""
        moved = imgui.get_mouse_drag_delta(imgui.MouseButton_.left, px(3))
        return bool(moved.x or moved.y)

    @property
    def _top(self) -> float:
        spare = max(self._room.height - self._fit.height, 0.0)
        return self._room.top + spare / 2 - self._view.scrolled

    def _left(self, loop_number: int) -> float:
        """Return where a loop begins, [pixels]."""
        return (
            self._room.left
            + (loop_number - self._view.start) * self._fit.x_scale * self._tape.length
        )

    def _place(self, point: Point, loop_number: int) -> Point:
        """Return the place in the window, [pixels], of a place in a loop, [mm]."""
        x, y = self.pen.place(point)
        return self._left(loop_number) + x, self._top + y

    def _visible_loops(self) -> range:
        """Return the numbers of the loops that are visible."""
        edge = self._edge_width / (self._fit.x_scale * self._tape.length)
        return range(
            floor(self._view.start - edge - _LOOP_EPSILON),
            ceil(self._view.start + self._fit.loops + edge + _LOOP_EPSILON),
        )

    def _draw_tape(self) -> None:
        """Draw the visible marks of all loops, and under the throws the line of the present time.

        The tape is one loop of the diagram, which is repeated side by side. Marks are in drawing
        order; the line of the present is drawn before the first mark that is `above_present`.
        """
        tape = self._tape
        # A throw that is made right now counts as made on its beat.
        lit_time = self._model.beat_line.time_on_beat(self._moment.animation, self._moment.time)
        lit_loops = lit_time / self._duration
        present_loop = floor(lit_loops)
        phase = lit_loops - present_loop  # 0 to 1
        # The nodes (marks of throws) that are highlighted now, each with its loop: a node that is
        # later in the loop than the present was thrown in the loop before.
        lit_nodes = tape.lit(phase)
        is_in_loop_before = tape.nodes[lit_nodes, 0] > (phase + _LOOP_EPSILON) * tape.length
        loop_numbers = np.where(is_in_loop_before, present_loop - 1, present_loop)
        loop_by_lit_node = dict(zip(lit_nodes.tolist(), loop_numbers.tolist(), strict=True))
        draw = imgui.get_window_draw_list()
        # The left edge of each visible loop, [pixels].
        loop_lefts = {loop_number: self._left(loop_number) for loop_number in self._visible_loops()}
        is_present_drawn = False
        for index, loop_number in self._visible_marks(loop_lefts):
            if not is_present_drawn and tape.above_present[index]:
                self._draw_present()
                is_present_drawn = True
            node = tape.node_of[index]
            is_lit = loop_by_lit_node.get(node) == loop_number
            self.pen.draw(
                draw, index, loop_lefts[loop_number], self._top, lit=is_lit, loop_number=loop_number
            )
        if not is_present_drawn:
            self._draw_present()

    def _visible_marks(self, loop_lefts: dict[int, float]) -> list[tuple[int, int]]:
        """Return the visible marks in drawing order, each as its index and the number of its loop.

        A mark is a line, box or text of the diagram of one loop, which is drawn again in each loop.

        Args:
            loop_lefts: x of the start of each visible loop in the window, [pixels].
        """
        room = self._room
        x_scale = self._fit.x_scale
        # The visible range in the diagram, [mm]. Beside the room for the loops there are margins,
        # in which marks at the start and end of a loop are seen whole.
        min_y, max_y = self._visible_y_range()
        visible_marks = []
        for loop_number, left in loop_lefts.items():
            min_x = (room.left - self._edge_width - left) / x_scale
            max_x = min_x + (room.width + 2 * self._edge_width) / x_scale
            visible_marks += [
                (index, loop_number)
                for index in self._tape.marks_within(min_x, max_x, min_y, max_y).tolist()
            ]
        # Sorted by mark across all loops, so that no line of the next loop covers a throw of this
        # one.
        visible_marks.sort()
        return visible_marks

    def _draw_present(self) -> None:
        """Draw the line of the present across the diagram, with a triangle at its upper end.

        The diagram is a tape: the drawing of one loop, `length` long and `depth` high, [mm],
        repeated from left to right.
        """
        draw = imgui.get_window_draw_list()
        tape = self._tape
        # `_now_loops` is the present time counted in loops; its fraction is the place in the loop.
        loop_number = floor(self._now_loops)
        x_in_loop = (self._now_loops - loop_number) * tape.length  # mm
        x, top = self._place((x_in_loop, 0.0), loop_number)  # pixels in the window
        half_width = px(0.9)
        half_base = px(4.5)
        bottom = top + self._fit.y_scale * tape.depth
        draw.add_rect_filled((x - half_width, top), (x + half_width, bottom), ui.ACCENT)
        draw.add_triangle_filled(
            (x - half_base, top - half_base),
            (x + half_base, top - half_base),
            (x, top + half_base / 2),
            ui.ACCENT,
        )

    def _draw_collisions(self) -> None:
        """Draw a line at the time of each collision of props, and on a ladder rings around these.

        Both are drawn in every visible loop.
        """
        draw = imgui.get_window_draw_list()
        tape = self._tape
        thickness = px(1.5)
        bottom = self._top + self._fit.y_of(tape, tape.depth)
        for hit in self._model.facts.hits(self._moment.animation):
            collision_x = hit.time / self._duration * tape.length  # mm
            ring_places: list[Point] = []
            if tape.prop_curves:
                # The places of the colliding props on the ladder at that time.
                places, props = tape.prop_curves.at(collision_x)
                ring_places = [
                    (x, y)
                    for (x, y), prop in zip(places.tolist(), props.tolist(), strict=True)
                    if prop in hit.props
                ]
            for loop_number in self._visible_loops():
                x, top = self._place((collision_x, 0.0), loop_number)
                draw.add_line((x, top), (x, bottom), ui.ERROR, thickness)
                for place in ring_places:
                    centre = self._place(place, loop_number)
                    draw.add_circle(centre, px(1.6 * _PROP_RADIUS), ui.ERROR, thickness=thickness)

    def _draw_props(self) -> None:
        """Draw the present place of each prop on the ladder as a dot in its colour.

        Nothing is drawn on a causal diagram, which has no curves of props.
        """
        if not self._tape.prop_curves:
            return
        draw = imgui.get_window_draw_list()
        loop_number = floor(self._now_loops)
        places, props = self._tape.prop_curves.at(
            (self._now_loops - loop_number) * self._tape.length, loop_number
        )
        colours = self._tape.prop_curves.colours[props]
        # Dots above and below the visible part are left out; places are x and y.
        min_y, max_y = self._visible_y_range()
        is_visible = (places[:, 1] > min_y) & (places[:, 1] < max_y)
        for (x, y), (red, green, blue) in zip(
            places[is_visible].tolist(), colours[is_visible].tolist(), strict=True
        ):
            centre = self._place((x, y), loop_number)
            draw.add_circle_filled(centre, px(_PROP_RADIUS), pack_colour((red, green, blue)))
            draw.add_circle(centre, px(_PROP_RADIUS), ui.PAPER_INK, thickness=px(1.2))

    def _visible_y_range(self) -> tuple[float, float]:
        """Return the least and greatest visible y of the tape, with a margin, [mm]."""
        visible_top = (
            self._room.top - self._top - self.pen.place((0.0, 0.0))[1]
        ) / self._fit.y_scale
        margin = px(_NEAR) / 2 / self._fit.y_scale
        return visible_top - margin, visible_top + self._room.height / self._fit.y_scale + margin

    def _measure_names(self) -> float:
        """Return the width of the column for names of lines, [pixels]."""
        longest = max((name for _y, name in self._tape.lines), key=len)
        return measure(longest, _NAME_SIZE).width + px(14) if longest else px(4)

    def _draw_names(self) -> None:
        """Draw the names of the visible lines, such as hands, to the left of the diagram."""
        draw = imgui.get_window_draw_list()
        paper = self._paper
        draw.push_clip_rect(paper.low, paper.high, True)
        min_y, max_y = self._visible_y_range()
        for line_y, name in self._tape.lines:
            if name and min_y < line_y < max_y:
                y = self._top + self._fit.y_of(self._tape, line_y)
                right = paper.left + self._names_width - px(4)
                draw_text_before(right, y - px(_NAME_SIZE) / 2, name, ui.PAPER_INK, _NAME_SIZE)
        draw.pop_clip_rect()

    def _draw_bar(self) -> None:
        """Draw a scrollbar if the diagram is higher than the paper, and let the mouse drag it."""
        paper = self._paper
        fit = self._fit
        view = self._view
        bar_width = self._bar_width
        if not bar_width:
            return
        x = paper.right - bar_width
        ui.place_button(
            "bar",
            Rectangle(x, paper.top, bar_width, paper.height),
            term_tip("scrollbar"),
            tab_stop=False,
        )
        # The handle has the share of the bar that the visible part has of the diagram, but is not
        # too low for the mouse.
        handle_height = max(paper.height * paper.height / fit.height, px(16))
        travel = paper.height - handle_height
        hidden_height = fit.height - paper.height
        # In a drag the middle of the handle is at the mouse.
        if imgui.is_item_active():
            share = (imgui.get_io().mouse_pos.y - paper.top - handle_height / 2) / travel
            view.scroll(share * hidden_height - view.scrolled, fit, paper.height)
        lit = imgui.is_item_active() or imgui.is_item_hovered()
        y = paper.top + travel * view.scrolled / hidden_height
        side = px(2)
        low = (x + side, y)
        high = (x + bar_width - side, y + handle_height)
        tint = ui.ACCENT if lit else ui.MUTED
        imgui.get_window_draw_list().add_rect_filled(low, high, tint, bar_width / 2)

    def _node_at(self, mouse: Point) -> tuple[int, int] | None:
        """Return (index of the node, loop number) of the throw nearest to the mouse.

        Args:
            mouse: position of the mouse in the window, [pixels].

        Returns:
            None if no throw is within reach of the mouse.
        """
        # A throw is within reach if the mouse is no farther above or below its text than `reach`,
        # and no farther beside it than half of that.
        reach = px(10.0)
        mouse_x, mouse_y = mouse
        nearest = None
        least_distance = reach
        for loop_number in self._visible_loops():
            for node in self._nodes_near(loop_number, mouse_x):
                x, y = self._place(self._tape.nodes[node].tolist(), loop_number)
                half_width = self._fit.mark_scale * node_width(self._tape.texts[node]) / 2
                beside_text = abs(mouse_x - x) - half_width  # negative within its width
                distance = max(beside_text + reach / 2, abs(mouse_y - y))
                if distance < least_distance:
                    nearest = (node, loop_number)
                    least_distance = distance
        return nearest

    def _nodes_near(self, loop_number: int, mouse_x: float) -> list[int]:
        """Return the indices of the nodes of a loop whose x is near that of the mouse, [pixels]."""
        x_in_loop = (mouse_x - self._left(loop_number)) / self._fit.x_scale  # mm
        distances = np.abs(self._tape.nodes[:, 0] - x_in_loop)
        return np.flatnonzero(distances < px(_NEAR) / self._fit.x_scale).tolist()

    def _go_to_time(self, mouse: Point, node: tuple[int, int] | None) -> None:
        """Pause, and seek to the time of a throw, or to the time under the mouse.

        The diagram shows loops one after another from left to right, like a tape.

        Args:
            mouse: position of the mouse in the window, [pixels].
            node: (index of the node, loop number) of the throw; None for the time under the mouse.
        """
        playback = self._model.playback
        # Times on the tape are counted in loops.
        if node is not None:
            index, loop_number = node
            target_loops = loop_number + self._release(index) / self._duration
        else:
            # The mouse as a share of the visible width; never 1, which is in the next loop.
            mouse_x, _mouse_y = mouse
            share = min(max((mouse_x - self._room.left) / self._room.width, 0.0), 1.0 - 1e-9)
            target_loops = self._view.start + share * self._fit.loops
        playback.pause_at(playback.time + (target_loops - self._now_loops) * self._duration)
        self._now_loops = target_loops

    def _throws_at(self, node: int) -> list[ThrowInfo]:
        """Return the throws that a node shows, by its index; several for a multiplex throw."""
        tape = self._tape
        x, y = tape.nodes[node].tolist()
        time = x / tape.length * tape.throws.loop  # s; x and length are in [mm]
        return tape.throws.at_node(
            time, line=tape.line_near(y), line_count=len(tape.lines), text=tape.texts[node]
        )

    def _release(self, node: int) -> float:
        """Return when the throw of a node leaves the hand, [s] since the start of its loop."""
        beat_time = float(self._tape.nodes[node, 0]) / self._tape.length * self._duration
        throws = self._throws_at(node)
        return beat_time - (throws[0].time - throws[0].release) if throws else beat_time

    def _draw_tooltip(self, node: tuple[int, int], mouse: Point) -> None:
        """Draw a tooltip that describes the throws at a node.

        Args:
            node: (index of the node, loop number); the loop is not needed.
            mouse: position of the mouse in the window, [pixels].
        """
        index, _loop_number = node
        throws = self._throws_at(index)
        if throws:
            lines = [(throw.description, throw.times) for throw in throws]
            ui.draw_tooltip(lines, self._paper, mouse)


_LOOP_EPSILON = 1e-6  # loops
