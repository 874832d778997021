"""The way back: where the panels are hidden, a button that shows them again comes when the mouse is near its corner."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer.keycap import draw_key_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.panel import CARD_FLAGS
from juggle_anim.viewer.theme import Theme

_NEAR, _MARGIN, _WIDE, _TALL = 150.0, 14.0, 112.0, 36.0


def way_back(model: Model, layout: Layout, x: float, y: float) -> Rectangle | None:
    """Where the button stands when the mouse is at a place, [pixels]; None where there is no need of one."""
    if model.panel_shown or layout.panel:
        return None
    near, margin = _NEAR * layout.scale, _MARGIN * layout.scale
    wide, tall = _WIDE * layout.scale, _TALL * layout.scale
    if not Rectangle(0.0, layout.height - near, near, near).covers(x, y):
        return None
    return Rectangle(margin, layout.height - margin - tall, wide, tall)


def draw_way_back(model: Model, look: Theme, place: Rectangle) -> None:
    """Draw the button, and do what it says where it is clicked."""
    imgui.set_next_window_pos((place.left, place.top))
    imgui.set_next_window_size((place.width, place.height))
    imgui.begin("way back", None, CARD_FLAGS | imgui.WindowFlags_.no_scrollbar)
    _, pressed = draw_key_button(
        look, Action.TOGGLE_PANEL, "Panels", place.left + look.size(10), place.top + look.size(8)
    )
    imgui.end()
    if pressed:
        model.perform(Action.TOGGLE_PANEL)
