"""The overlay: panel, transport and help, drawn over the picture with Dear ImGui."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.beat_card import draw_beat_card
from juggle_anim.viewer.browser_card import BrowserCard
from juggle_anim.viewer.events import Input
from juggle_anim.viewer.key_help import draw_key_help
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.notice_card import draw_notice, draw_prompt, prompt_place
from juggle_anim.viewer.panel import Panel
from juggle_anim.viewer.plots_card import PlotsCard
from juggle_anim.viewer.preset_card import draw_preset_card, place_of
from juggle_anim.viewer.prop_numbers import draw_all_numbers
from juggle_anim.viewer.split_labels import draw_split_labels
from juggle_anim.viewer.theme import Theme, load_theme
from juggle_anim.viewer.tints import BOLDER, Tints, tints_of
from juggle_anim.viewer.transport import draw_transport
from juggle_anim.viewer.way_back import draw_way_back, way_back

if TYPE_CHECKING:
    from juggle_anim.viewer.diagram_card import DiagramCard

_COMPLAINTS = 100


class Overlay:
    """Everything that is drawn over the picture. It needs the window's OpenGL context to be current.

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
        self._tints: Tints | None = None
        self._diagram: DiagramCard | None = None

    def covers(self, model: Model, layout: Layout, x: float, y: float) -> bool:
        """Whether the mouse, [pixels] from the upper left corner, is over a part of it."""
        if model.help_shown:
            return True
        back = way_back(model, layout, x, y)
        if back and back.covers(x, y):
            return True
        if model.preset_list.shown and place_of(model, layout).covers(x, y):
            return True
        if model.desk.prompt.purpose and prompt_place(layout).covers(x, y):
            return True
        card = self._browser if model.desk.browser.shown else self._panel
        on_panel = layout.panel is not None and card.covers(layout.panel, x, y)
        cards = (layout.bar, layout.strip, layout.head)
        return on_panel or any(card is not None and card.covers(x, y) for card in cards)

    def grips(self, model: Model, layout: Layout, x: float, y: float) -> bool:
        """Whether a place, [pixels] from the upper left corner, is one where the mouse can take hold of a goal."""
        if model.lab is None or layout.strip is None:
            return False
        from juggle_anim.viewer.gizmo import covers

        return covers(model.lab, layout, model.rig.camera, x, y)

    def draw(self, model: Model, layout: Layout, elapsed: float) -> None:
        """Draw it into the window."""
        imgui.set_current_context(self._context)
        self._theme = self._dressed(model, layout.scale)
        self.input.begin_frame(layout.width, layout.height, elapsed)
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()
        self._draw_cards(model, layout, self._theme)
        back = way_back(model, layout, *imgui.get_mouse_pos())
        if back and not model.help_shown:
            draw_way_back(model, self._theme, back)
        imgui.render()
        desk = model.desk
        behind = model.screen.numbers or (model.split.other and not model.lab)
        if behind or layout.panel or back or model.help_shown or desk.prompt.purpose or desk.notice.words:
            imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        self.input.show_cursor()

    def _dressed(self, model: Model, scale: float) -> Theme:
        """The theme that the model wants."""
        given = model.animation.parameters
        tints, bold = tints_of(given.theme, given.stage), BOLDER.get(given.theme, 1.0)
        if self._theme and (self._theme.scale, self._theme.bold, self._tints) == (scale, bold, tints):
            return self._theme
        theme.wear(tints)
        self._tints = tints
        return load_theme(scale, bold)

    def close(self) -> None:
        """Give everything back."""
        imgui.set_current_context(self._context)
        self._plots.close()
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self._context)

    def lose(self) -> None:
        """Give everything back where OpenGL has forgotten it."""
        from juggle_anim.render import gl

        self.close()
        # It complains of names that mean nothing to it any more, perhaps without end.
        for _ in range(_COMPLAINTS):
            if not gl.glGetError():
                break

    def _draw_cards(self, model: Model, layout: Layout, look: Theme) -> None:
        if model.screen.numbers:
            draw_all_numbers(model, look, layout)
        if model.split.other and not model.lab:
            draw_split_labels(model, look, layout)
        if layout.panel and model.desk.browser.shown:
            self._browser.draw(model.desk, look, layout.panel)
        elif layout.panel:
            self._panel.draw(model, look, layout.panel)
        if layout.bar:
            draw_transport(model, look, layout.bar)
        if layout.head:
            draw_beat_card(model, look, layout.head)
        if layout.strip:
            self._draw_strip(model, look, layout, layout.strip)
        if model.preset_list.shown and layout.panel:
            draw_preset_card(model, look, layout)
        if model.desk.prompt.purpose:
            draw_prompt(model.desk, look, layout)
        elif model.desk.notice.words:
            draw_notice(model.desk, look, layout)
        if model.help_shown:
            draw_key_help(model, look, layout)

    def _draw_strip(self, model: Model, look: Theme, layout: Layout, strip: Rectangle) -> None:
        if model.diagrams.kind and model.lab is None:
            from juggle_anim.viewer.diagram_card import DiagramCard

            self._diagram = self._diagram or DiagramCard()
            self._diagram.draw(model, look, strip)
            return
        if model.lab is None:
            self._plots.draw(model, look, strip)
            return
        # Few want them, and a program starts sooner without.
        from juggle_anim.viewer.gizmo import draw_gizmo
        from juggle_anim.viewer.lab_card import draw_lab_card

        draw_gizmo(model.lab, look, layout, model.rig.camera)
        draw_lab_card(model, model.lab, self._plots.plots, look, strip)
