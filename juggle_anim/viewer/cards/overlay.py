"""The overlay: all cards, drawn over the picture with Dear ImGui."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from imgui_bundle import imgui

from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.focus import focus
from juggle_anim.viewer.cards.panel import pattern_facts
from juggle_anim.viewer.cards.registry import LAYERS, Card, CardRow, Frame
from juggle_anim.viewer.cards.theme import (
    THEME_LINE_SCALE,
    THEME_SCALE,
    Theme,
    ThemeColours,
    load_theme,
    theme_colours,
)
from juggle_anim.viewer.diagrams.diagrams import LADDER
from juggle_anim.viewer.footage.controls import BESIDE
from juggle_anim.viewer.frame_pacing import KeptPixels
from juggle_anim.viewer.input import Input
from juggle_anim.viewer.layout import HINTS_HEIGHT, Layout, Rectangle, arrange
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import CARD_HEIGHT
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import FACTS, PLOTS, VARIATIONS

_MAX_GL_ERRORS = 100  # reported at most after a context was lost


class Overlay:
    """Draws all cards over the picture. The window's OpenGL context must be current.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        imgui.get_io().set_ini_filename("")
        self.input = Input(window)
        imgui.backends.opengl3_init("#version 330")
        self._cards: dict[str, Card] = {}
        self._theme: Theme | None = None
        self._tints: ThemeColours | None = None
        self._kept = KeptPixels()

    @staticmethod
    def layout(controller: Controller, size: tuple[int, int], scale: float) -> Layout:
        """Return the layout of the cards that are shown.

        Args:
            controller: of the viewer.
            size: of the window, [pixels].
            scale: of its screen; some themes are larger.
        """
        model = controller.model
        cards = model.cards
        sheet = cards.panel == VARIATIONS
        beats = model.beat_line.is_visible(model.animation) and not sheet
        lab = model.lab is not None
        diagrams = model.diagrams
        strip = (lab or cards.strip is not None) and not sheet
        hints = HINTS_HEIGHT if controller.editor.shown and diagrams.kind == LADDER else 0.0
        # Plots and the card of a goal take the usual height.
        heights = {FACTS: CARD_HEIGHT, PLOTS: 0.0}
        deep = 0.0 if lab else heights.get(cards.strip or "", diagrams.card_height + hints)
        width, height = (max(extent, 1) for extent in size)
        scale = max(scale, 1.0) * THEME_SCALE.get(model.animation.parameters.theme, 1.0)
        scale *= model.window_controls.text_scale
        layout = arrange(width, height, scale, model.cards.panel_shown, strip, beats, deep)
        return (
            layout.with_film()
            if controller.footage.place == BESIDE and not (sheet or lab)
            else layout
        )

    def card(self, row: CardRow) -> Card:
        """Return the card of a row of the registry."""
        if row.path not in self._cards:
            self._cards[row.path] = row.load()
        return self._cards[row.path]

    def _shown_cards(self, frame: Frame) -> Iterator[tuple[Card, Rectangle]]:
        """Yield the cards that are shown and their places, from back to front.

        A click in a card takes effect while the card is drawn, so that the next cards show it.
        """
        for layer in LAYERS:
            row = next((row for row in layer if row.is_shown(frame)), None)
            card = self.card(row) if row else None
            place = card.place_in(frame) if card else None
            if card and place:
                yield card, place

    def _frame(self, controller: Controller, layout: Layout, painted: bool = True) -> Frame:
        """Return a frame with imgui's present mouse position."""
        x, y = imgui.get_mouse_pos()
        return Frame(controller, layout, (x, y), painted, keeps_strip=bool(self._kept.rows))

    def covers(self, controller: Controller, layout: Layout, x: float, y: float) -> bool:
        """Whether a point, [pixels] from the upper left corner, is over a card."""
        frame = Frame(controller, layout, (x, y))
        return any(place.covers(x, y) for _, place in self._shown_cards(frame))

    @property
    def is_waiting(self) -> bool:
        """Whether a tooltip is about to come, or a list of options to open."""
        return focus.is_waiting

    def covers_gizmo(self, model: Model, layout: Layout, x: float, y: float) -> bool:
        """Whether a point, [pixels] from the upper left corner, is over the gizmo of a goal."""
        if model.lab is None or layout.strip is None:
            return False
        from juggle_anim.viewer.arms.lab_card import gizmo_covers

        return gizmo_covers(model.lab, layout, model.rig.camera, x, y)

    def draw(self, controller: Controller, layout: Layout, elapsed: float) -> None:
        """Draw all cards over the picture, but those whose pixels are kept."""
        imgui.set_current_context(self._context)
        self._theme = self._theme_for(controller.model, layout.scale)
        self.input.begin_frame(layout.width, layout.height, elapsed)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        controller.picture.is_drawn = False
        drawn = False
        self._theme.spots.clear()
        focus.begin_frame(controller.model.focus)
        frame = self._frame(controller, layout)
        for card, place in self._shown_cards(frame):
            if place == layout.strip or not self._kept.covers(place):
                card.draw(frame, self._theme, place)
                drawn = True
        focus.end_frame(self._theme, layout, elapsed)
        imgui.render()
        if drawn:
            imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        self.input.show_cursor()

    def take_input(self, controller: Controller, layout: Layout) -> None:
        """Let all cards act on the next input, as if a frame had been drawn, without painting."""
        imgui.set_current_context(self._context)
        self._theme = self._theme_for(controller.model, layout.scale)
        self.input.begin_frame(layout.width, layout.height, 0.0)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        focus.begin_frame(controller.model.focus)
        frame = self._frame(controller, layout, painted=False)
        for card, place in self._shown_cards(frame):
            card.draw(frame, self._theme, place)
        imgui.end_frame()

    def keep(self, controller: Controller, layout: Layout, late: bool) -> tuple[int, int]:
        """Decide which pixels of the window the next picture keeps while a handle is dragged.

        Then the mouse does nothing else, and the panel says the same most of the time. Where frames
        are `late`, the panel, the ladder and what is below are drawn in some of them only.

        Returns:
            How many columns from the left, and how many rows from below.
        """
        panel = layout.panel
        strip = layout.strip
        model = controller.model
        dragging = (
            controller.editor.is_dragging
            and model.cards.panel != VARIATIONS
            and not controller.footage.place
        )
        panel_texts = (
            (model.text, model.line, model.error, pattern_facts(model)) if dragging else None
        )
        ladder = dragging and late and model.diagrams.kind == LADDER and not model.notice.text
        rows = layout.height - math.floor(strip.top) + 1 if strip and ladder else 0
        return self._kept.follow(
            layout, panel_texts, math.ceil(panel.right) if panel else 0, rows, late
        )

    def _theme_for(self, model: Model, scale: float) -> Theme:
        """Return the theme that the model wants."""
        parameters = model.animation.parameters
        tints = theme_colours(parameters.theme, parameters.stage)
        bold = THEME_LINE_SCALE.get(parameters.theme, 1.0)
        if self._theme and (self._theme.scale, self._theme.bold, self._tints) == (
            scale,
            bold,
            tints,
        ):
            return self._theme
        theme.use_colours(tints)
        self._tints = tints
        return load_theme(scale, bold)

    def close(self) -> None:
        """Release everything."""
        imgui.set_current_context(self._context)
        for card in self._cards.values():
            card.close()
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    def close_lost(self) -> None:
        """Release everything after the OpenGL context was lost."""
        from juggle_anim.render import gl

        self.close()
        # OpenGL reports names that it does not know any more, perhaps endlessly.
        for _ in range(_MAX_GL_ERRORS):
            if not gl.glGetError():
                break
