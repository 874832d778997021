"""The way back: where the panels are hidden, a button that shows them again comes when the mouse is near its corner."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.card import begin_card
from juggle_anim.viewer.keycap import draw_key_button
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.model import Model
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


def draw_way_back(controller: Controller, look: Theme, place: Rectangle) -> None:
    """Draw the button, and do what it says where it is clicked."""
    begin_card("way back", place)
    _, pressed = draw_key_button(
        look, Action.TOGGLE_PANEL, "Panels", place.left + look.size(10), place.top + look.size(8)
    )
    imgui.end()
    if pressed:
        controller.perform(Action.TOGGLE_PANEL)
