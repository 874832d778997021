"""The card of the diagram: a ladder or causal diagram along which time runs; a click goes to a
time.
"""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import imgui

from juggle_anim.language import N_
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.diagrams.diagrams import CAUSAL, KINDS, LADDER, STATES
from juggle_anim.viewer.diagrams.loop_diagram import LoopDiagram
from juggle_anim.viewer.diagrams.mark_pen import MarkPen
from juggle_anim.viewer.diagrams.tape_drawing import TapeDrawing
from juggle_anim.viewer.editor.editor import PICTURE
from juggle_anim.viewer.editor.handle_words import picture_hints
from juggle_anim.viewer.editor.ladder_drawing import draw_hints
from juggle_anim.viewer.layout import HINTS_HEIGHT, Rectangle
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import Action

_TABS = {LADDER: N_("Ladder"), CAUSAL: N_("Causal"), STATES: N_("States")}
_PAD = 12.0
_HEAD = 30.0
_FOOT = 8.0
_FLAGS = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse


class DiagramCard:
    """Draws the card of the diagram."""

    def __init__(self) -> None:
        self._pen: MarkPen | None = None
        self._drawn: TapeDrawing | None = None

    def draw(
        self, controller: Controller, look: Theme, place: Rectangle, painted: bool = True
    ) -> None:
        """Draw it in the place that the layout gives it, [pixels]; if that is not `painted`, only
        let the mouse act.
        """
        widgets.begin_card("diagram", place, _FLAGS)
        model = controller.model
        pad = look.size(_PAD)
        top = place.top + look.size(_HEAD)
        if controller.editor.shown:
            # Before all else, so that this frame shows what comes of it.
            _drag(controller, look)
        model.diagrams.keeps_height = controller.editor.is_dragging
        x = draw_diagram_tabs(
            controller, look, Action.DIAGRAM, place.left + pad, place.top + look.size(8)
        )
        if model.diagrams.kind == LADDER:
            _draw_edit_buttons(controller, look, x, place.right - pad, place.top + look.size(8))
        paper = Rectangle(
            place.left + pad, top, place.width - 2 * pad, place.height - look.size(_HEAD + _FOOT)
        )
        editing = controller.editor.shown and model.diagrams.kind == LADDER
        moment = model.moment
        if editing:
            hint = Rectangle(
                paper.left,
                paper.bottom - look.size(HINTS_HEIGHT),
                paper.width,
                look.size(HINTS_HEIGHT),
            )
            paper = replace(paper, height=paper.height - hint.height)
        widgets.fill_box(look, paper, theme.PAPER, 6)
        tape = model.diagrams.of(moment.animation, model.live.ahead(model.playback.clock), editing)
        # On the way to another pattern there is nothing to edit.
        ladder = controller.ladder if editing and moment.animation is model.animation else None
        if isinstance(tape, LoopDiagram):
            self._drawn = drawn = TapeDrawing(model, look, tape, paper, self._pen, ladder)
            self._pen = drawn.pen
            drawn.draw(painted)
        else:
            draw_words(look, tape, paper)
        if editing:
            in_picture = (
                picture_hints(controller.picture) if controller.editor.place == PICTURE else None
            )
            draw_hints(controller.ladder, model, look, hint, in_picture)
        imgui.end()

    def rest(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        """Let the mouse go on with what it drags; the pixels of the last picture are there
        already.
        """
        widgets.begin_card("diagram", place, _FLAGS | imgui.WindowFlags_.no_background)
        _drag(controller, look)
        if self._drawn:
            self._drawn.place_tape()
            self._drawn.draw_tip()
        imgui.end()


def _drag(controller: Controller, look: Theme) -> None:
    """Let what the mouse holds on the ladder follow it."""
    io = imgui.get_io()
    controller.ladder.drag((io.mouse_pos.x, io.mouse_pos.y), io.key_shift, look.scale)


def draw_words(look: Theme, words: str, paper: Rectangle) -> None:
    """Draw words instead of a diagram."""
    pad = look.size(_PAD)
    room = paper.width - 2 * pad
    tall = look.measure(words, theme.TEXT, wrap=room)[1]
    look.text(
        paper.left + pad, paper.top + (paper.height - tall) / 2, words, theme.PAPER_INK, wrap=room
    )


def draw_diagram_tabs(
    controller: Controller, look: Theme, action: Action, x: float, y: float
) -> float:
    """Draw a key, and tabs of all kinds of diagrams; return where they end, [pixels]."""
    x += widgets.draw_key_button(look, action, "", x, y, None, controller.perform) + look.size(6)
    diagrams = controller.model.diagrams
    kinds = (*KINDS, STATES)
    words = [_TABS[kind] for kind in kinds]
    if clicked := widgets.draw_tabs(look, kinds, words, diagrams.kind, x, y):
        diagrams.show(clicked)
    return x + sum(
        look.measure(each, theme.SMALL, strong=True)[0] + look.size(12) for each in words
    )


def _draw_edit_buttons(
    controller: Controller, look: Theme, left: float, right: float, y: float
) -> None:
    """Draw the buttons that begin and end editing, and that open its menu, as far as there is
    room.
    """
    editing = controller.editor.shown
    buttons = [(Action.EDIT, N_("Edit")), *([(Action.EDIT_MENU, N_("Menu"))] if editing else [])]
    for action, words in reversed(buttons):
        right -= widgets.key_button_width(look, action, words)
        if right < left:
            break
        tint = theme.ACCENT if action is Action.EDIT and editing else theme.MUTED

        def perform(action: Action, left: float = right) -> None:
            # The menu opens where it was asked for, below the button, or above it.
            below = y < imgui.get_io().display_size.y / 2
            controller.ladder.spot = left, y + look.size(24 if below else -4)
            controller.perform(action)

        widgets.draw_key_button(look, action, words, right, y, tint, perform)
        right -= look.size(14)
