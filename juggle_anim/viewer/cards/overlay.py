"""The overlay: all cards, drawn over the picture with Dear ImGui."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from juggle_anim.viewer.arms.plots_card import PlotsCard
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.beats import draw_beat_card
from juggle_anim.viewer.cards.browser import BrowserCard
from juggle_anim.viewer.cards.focus import focus
from juggle_anim.viewer.cards.key_help import draw_key_help
from juggle_anim.viewer.cards.labels import draw_all_numbers, draw_split_labels
from juggle_anim.viewer.cards.menus import draw_drop_down
from juggle_anim.viewer.cards.notice import draw_notice, draw_prompt, draw_question, prompt_place
from juggle_anim.viewer.cards.panel import Panel, pattern_facts
from juggle_anim.viewer.cards.picture_buttons import place_buttons
from juggle_anim.viewer.cards.presets import (
    draw_panels_button,
    draw_preset_card,
    panels_button_place,
    preset_card_place,
)
from juggle_anim.viewer.cards.theme import (
    THEME_LINE_SCALE,
    THEME_SCALE,
    Theme,
    ThemeColours,
    load_theme,
    theme_colours,
)
from juggle_anim.viewer.cards.transport import draw_transport
from juggle_anim.viewer.diagrams.diagrams import LADDER, STATES
from juggle_anim.viewer.footage.controls import BESIDE
from juggle_anim.viewer.frame_pacing import KeptPixels
from juggle_anim.viewer.input import Input
from juggle_anim.viewer.layout import HINTS_HEIGHT, Layout, Rectangle, arrange
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.facts import CARD_HEIGHT
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.open_cards import (
    BROWSER,
    CAMERA_PATH,
    FACTS,
    FOOTAGE,
    GENERATOR,
    LESSON,
    PLOTS,
    ROUTINE,
    VARIATIONS,
)

if TYPE_CHECKING:
    from juggle_anim.viewer.diagrams.diagram_card import DiagramCard
    from juggle_anim.viewer.diagrams.state_graph_card import StateGraphCard
    from juggle_anim.viewer.footage.footage_card import FootageCard
    from juggle_anim.viewer.learning.lesson_card import LessonCard

_MAX_GL_ERRORS = 100
_NOWHERE = Rectangle(0.0, 0.0, 0.0, 0.0)  # of cards that leave the mouse to the picture

_Card = tuple[Rectangle, Callable[[Theme, Rectangle], None]]


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
        self._panel, self._plots, self._browser = Panel(), PlotsCard(), BrowserCard()
        self._theme: Theme | None = None
        self._tints: ThemeColours | None = None
        self._diagram: DiagramCard | None = None
        self._states: StateGraphCard | None = None
        self._footage: FootageCard | None = None
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
        deep = (
            0.0
            if lab or cards.strip == PLOTS
            else (CARD_HEIGHT if cards.strip == FACTS else diagrams.card_height + hints)
        )
        width, height = (max(each, 1) for each in size)
        scale = max(scale, 1.0) * THEME_SCALE.get(model.animation.parameters.theme, 1.0)
        scale *= model.window_controls.text_scale
        layout = arrange(width, height, scale, model.cards.panel_shown, strip, beats, deep)
        return (
            layout.with_film()
            if controller.footage.place == BESIDE and not (sheet or lab)
            else layout
        )

    def _cards(
        self, controller: Controller, layout: Layout, x: float, y: float, painted: bool = True
    ) -> Iterator[_Card]:
        """Yield the place and the drawing function of each card, those first that others cover.

        A click in a card takes effect while it is drawn, so that the next cards show it. In a frame
        that is not painted, what takes no input is left out.
        """
        model = controller.model
        library = controller.library
        panel = layout.panel
        sheet = model.cards.panel == VARIATIONS
        if sheet:
            yield _NOWHERE, lambda look, _: self._draw_sheet_numbers(controller, look, layout)
        elif painted:
            yield from self._cards_to_see(controller, layout)
        if controller.editor.shown and not sheet and not model.lab:
            yield _NOWHERE, lambda look, _: self._draw_handles(controller, look, layout)
        if not sheet:
            yield from place_buttons(controller, layout)
        if panel:
            yield self._panel_card(controller, panel)
        if layout.bar:
            yield layout.bar, lambda look, place: draw_transport(controller, look, place)
        if layout.head:
            yield layout.head, lambda look, place: draw_beat_card(controller, look, place)
        if layout.strip:
            yield (
                layout.strip,
                lambda look, place: self._draw_strip(controller, look, layout, place, painted),
            )
        if model.preset_list.shown and panel:
            yield (
                preset_card_place(model, layout),
                lambda look, place: draw_preset_card(model, look, place),
            )
        if library.prompt.purpose:
            yield (
                prompt_place(layout, library.prompt),
                lambda look, place: draw_prompt(library, look, place),
            )
        elif model.notice.text:
            yield _NOWHERE, lambda look, _: draw_notice(model.notice, look, layout)
        if model.cards.help_shown:
            yield (
                Rectangle(0, 0, layout.width, layout.height),
                lambda look, _: draw_key_help(controller, look, layout),
            )
        elif back := panels_button_place(model, layout, x, y):
            yield back, lambda look, place: draw_panels_button(controller, look, place)
        yield from self._cards_on_top(controller, layout)

    def _panel_card(self, controller: Controller, panel: Rectangle) -> _Card:
        """The card that lies in the place of the panel: the panel itself, unless another one is
        open.
        """
        card = controller.model.cards.panel
        if card == BROWSER:
            return panel, lambda look, place: self._browser.draw(
                controller.library, look, place, controller.perform
            )
        if card == GENERATOR:
            return panel, lambda look, place: self._draw_generator(controller.library, look, place)
        if card == VARIATIONS:
            return panel, lambda look, place: self._draw_variations(controller, look, place)
        if card == ROUTINE:
            return panel, lambda look, place: self._draw_routine(controller, look, place)
        if card == LESSON:
            return self._lesson_card.part_of(panel), lambda look, _: self._lesson_card.draw(
                controller, look, panel
            )
        if card == FOOTAGE:
            return panel, lambda look, place: self._draw_footage(controller, look, place)
        if card == CAMERA_PATH:
            return panel, lambda look, place: self._draw_camera_path(controller, look, place)
        return self._panel.part_of(panel), lambda look, _: self._panel.draw(controller, look, panel)

    def _cards_to_see(self, controller: Controller, layout: Layout) -> Iterator[_Card]:
        """Yield what lies over the picture and takes no input, as `_cards` does."""
        model = controller.model
        if model.screen.numbers:
            yield _NOWHERE, lambda look, _: draw_all_numbers(model, look, layout)
        if controller.lesson.running and not model.lab:
            yield _NOWHERE, lambda look, _: self._draw_next_throws(model, look, layout)
        if model.other and not model.lab:
            yield _NOWHERE, lambda look, _: draw_split_labels(model, look, layout)

    def _cards_on_top(self, controller: Controller, layout: Layout) -> Iterator[_Card]:
        """Yield the cards that lie over all others, as `_cards` does."""
        model = controller.model
        files = controller.library.files
        whole = Rectangle(0, 0, layout.width, layout.height)
        if files.question:
            yield whole, lambda look, _: draw_question(files, look, layout)
        if controller.welcome.shown:
            yield _NOWHERE, lambda look, _: self._draw_welcome(controller, look, layout)
        if drop_down := model.drop_downs.now:
            yield whole, lambda look, _: draw_drop_down(drop_down, look, layout)
        if controller.editor.menu:
            yield whole, lambda look, _: self._draw_menu(controller, look, layout)

    def covers(self, controller: Controller, layout: Layout, x: float, y: float) -> bool:
        """Whether a point, [pixels] from the upper left corner, is over a card."""
        return any(place.covers(x, y) for place, _ in self._cards(controller, layout, x, y))

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
        drawn = controller.picture.is_drawn = False
        self._theme.spots.clear()
        focus.begin_frame(controller.model.focus)
        for place, draw in self._cards(controller, layout, *imgui.get_mouse_pos()):
            if place == layout.strip or not self._kept.covers(place):
                draw(self._theme, place)
                drawn = True
        focus.end_frame(self._theme, layout, elapsed)
        imgui.render()
        if drawn:
            imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        self.input.show_cursor()

    def take_input(self, controller: Controller, layout: Layout) -> None:
        """Let all cards act on the next input without painting them, as if another frame had been
        drawn.
        """
        imgui.set_current_context(self._context)
        self._theme = self._theme_for(controller.model, layout.scale)
        self.input.begin_frame(layout.width, layout.height, 0.0)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        focus.begin_frame(controller.model.focus)
        x, y = imgui.get_mouse_pos()
        for place, draw in self._cards(controller, layout, x, y, painted=False):
            draw(self._theme, place)
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
        said = (model.text, model.line, model.error, pattern_facts(model)) if dragging else None
        ladder = dragging and late and model.diagrams.kind == LADDER and not model.notice.text
        rows = layout.height - math.floor(strip.top) + 1 if strip and ladder else 0
        return self._kept.follow(layout, said, math.ceil(panel.right) if panel else 0, rows, late)

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
        self._plots.close()
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

    def _draw_menu(self, controller: Controller, look: Theme, layout: Layout) -> None:
        from juggle_anim.viewer.cards.menus import draw_menu
        from juggle_anim.viewer.editor.edit_menu import EditMenu

        if isinstance(menu := controller.editor.menu, EditMenu):
            draw_menu(menu, look, layout)

    def _draw_handles(self, controller: Controller, look: Theme, layout: Layout) -> None:
        # Rarely needed, and the program starts faster without.
        from juggle_anim.viewer.editor.handle_marks import draw_handles

        draw_handles(controller.picture, controller.picture_keys, controller.model, look, layout)
        hovered = controller.picture.hovered
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            controller.picture.choose(hovered.handle)
            x, y = imgui.get_mouse_pos()
            controller.ladder.spot = x, y
            controller.perform(Action.EDIT_MENU)

    def _draw_generator(self, library: LibraryController, look: Theme, place: Rectangle) -> None:
        # Rarely needed, and the program starts faster without.
        from juggle_anim.viewer.cards.generator import draw_generator_card

        draw_generator_card(library, look, place)

    def _draw_footage(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        from juggle_anim.viewer.footage.footage_card import FootageCard

        self._footage = self._footage or FootageCard()
        self._footage.draw(controller, look, place)

    def _draw_camera_path(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        from juggle_anim.viewer.camera.camera_path_card import draw_camera_path_card

        draw_camera_path_card(controller, look, place)

    def _draw_routine(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        from juggle_anim.viewer.cards.routine import draw_routine_card

        draw_routine_card(controller, look, place)

    @cached_property
    def _lesson_card(self) -> LessonCard:
        # Rarely needed, and the program starts faster without.
        from juggle_anim.viewer.learning.lesson_card import LessonCard

        return LessonCard()

    def _draw_next_throws(self, model: Model, look: Theme, layout: Layout) -> None:
        from juggle_anim.viewer.learning.lesson_card import draw_next_throws

        draw_next_throws(model, look, layout)

    def _draw_welcome(self, controller: Controller, look: Theme, layout: Layout) -> None:
        from juggle_anim.viewer.learning.welcome_card import draw_welcome

        draw_welcome(controller.welcome, look, layout)

    def _draw_variations(self, controller: Controller, look: Theme, place: Rectangle) -> None:
        from juggle_anim.viewer.cards.variations import draw_variations_card

        draw_variations_card(controller, look, place)

    def _draw_sheet_numbers(self, controller: Controller, look: Theme, layout: Layout) -> None:
        from juggle_anim.viewer.cards.variations import draw_sheet_numbers

        x, y = imgui.get_mouse_pos()
        draw_sheet_numbers(controller.variations, look, layout, (x, y))

    def _draw_strip(
        self, controller: Controller, look: Theme, layout: Layout, strip: Rectangle, painted: bool
    ) -> None:
        model = controller.model
        if model.lab is not None:
            # Rarely needed, and the program starts faster without.
            from juggle_anim.viewer.arms.lab_card import draw_gizmo, draw_lab_card

            draw_gizmo(model.lab, look, layout, model.rig.camera)
            draw_lab_card(controller, model.lab, self._plots.plots, look, strip)
        elif model.diagrams.kind == STATES:
            from juggle_anim.viewer.diagrams.state_graph_card import StateGraphCard

            self._states = self._states or StateGraphCard()
            self._states.draw(controller, look, strip)
        elif model.diagrams.kind:
            from juggle_anim.viewer.diagrams.diagram_card import DiagramCard

            self._diagram = self._diagram or DiagramCard()
            if self._kept.rows:
                self._diagram.rest(controller, look, strip)
            else:
                self._diagram.draw(controller, look, strip, painted)
        elif model.cards.strip == FACTS:
            from juggle_anim.viewer.cards.facts import draw_fact_card

            draw_fact_card(controller, look, strip)
        else:
            self._plots.draw(controller, look, strip)
