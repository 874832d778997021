"""The tools over the knobs: a field to find one, and undo and redo."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.card import begin_field, place_button
from juggle_anim.viewer.keycap import draw_keycap
from juggle_anim.viewer.keys import Action, caption
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.undo import step_of

HEIGHT = 28.0
"""At scale 1, [pixels]."""


def draw_tools(controller: Controller, look: Theme, place: Rectangle) -> None:
    """Draw the tools, and do what the mouse asks of them."""
    side, gap = place.height, look.size(4)
    field = Rectangle(place.left, place.top, place.width - 2 * (side + gap), place.height)
    model = controller.model
    _draw_field(model, look, field)
    x = field.right + gap
    can = model.undo.can(step_of(model.animation, model.shown))
    for action, sign, possible in zip((Action.UNDO, Action.REDO), "↩↪", can, strict=True):
        _draw_button(controller, look, action, sign, possible, Rectangle(x, place.top, side, side))
        x += side + gap


def _draw_field(model: Model, look: Theme, place: Rectangle) -> None:
    draw, rounding = imgui.get_window_draw_list(), look.size(7)
    low, high = place.low, place.high
    draw.add_rect_filled(low, high, theme.TRACK, rounding)
    editing = _edit(model, look, place)
    if editing or model.listing.sought:
        draw.add_rect(low, high, theme.ACCENT, rounding=rounding, thickness=look.size(1.5))
    elif place.width > look.size(_NARROW):
        draw_keycap(look, caption(Action.FIND), place.right - look.size(25), low[1] + look.size(4))


_NARROW = 100.0


def _edit(model: Model, look: Theme, place: Rectangle) -> bool:
    listing = model.listing
    begin_field(look, place, listing.wanted)
    listing.wanted = False
    flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.escape_clears_all
    _, listing.sought = imgui.input_text_with_hint("##find", "Find a slider", listing.sought, flags)
    imgui.pop_style_var()
    if imgui.is_item_deactivated() and listing.sought:
        model.choose_found()
    return imgui.is_item_active()


def _draw_button(
    controller: Controller, look: Theme, action: Action, sign: str, possible: bool, place: Rectangle
) -> None:
    if place_button(action.name, place):
        controller.perform(action)
    hovered = imgui.is_item_hovered()
    if hovered and possible:
        draw, high = imgui.get_window_draw_list(), place.high
        draw.add_rect_filled(place.low, high, theme.TRACK_HOVERED, look.size(7))
    tint = theme.FAINT if not possible else theme.ACCENT if hovered else theme.MUTED
    wide = look.measure(sign, 16)[0]
    look.text(place.left + (place.width - wide) / 2, place.top + look.size(6), sign, tint, 16)
