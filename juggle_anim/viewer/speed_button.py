"""The speed in the bar: a click leads to its slider and lets a number be typed, a right click resets it."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.parameters import quantity_named
from juggle_anim.viewer import theme, wording
from juggle_anim.viewer.actions import Controller
from juggle_anim.viewer.keycap import draw_keycap
from juggle_anim.viewer.keys import Action, caption
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme

_PAD, _GAP, _TALL = 8.0, 6.0, 28.0
_WIDEST = "0.75×"


def draw_speed(controller: Controller, look: Theme, bar: Rectangle) -> float:
    """Draw it at the right end of the bar; returns where it begins, [pixels]."""
    model, speed = controller.model, quantity_named("speed")
    pad, label = look.size(_PAD), look.measure(speed.label, theme.SMALL)[0]
    wide = 2 * pad + label + look.size(_GAP) + look.measure(_WIDEST, theme.SMALL, strong=True)[0]
    place = Rectangle(bar.right - look.size(8) - wide, 0.0, wide, look.size(_TALL))
    low = place.left, bar.top + (bar.height - place.height) / 2
    high = low[0] + wide, low[1] + place.height
    imgui.set_cursor_screen_pos(low)
    if imgui.invisible_button("speed", (wide, place.height)):
        controller.desk.browser.shown = False
        model.open_entry(speed)
    hovered = imgui.is_item_hovered()
    if hovered:
        fill = theme.FILL if imgui.is_item_active() else theme.TRACK_HOVERED
        imgui.get_window_draw_list().add_rect_filled(low, high, fill, look.size(7))
        _draw_hint(look, bar, model.is_default(speed))
        if imgui.is_mouse_clicked(imgui.MouseButton_.right):
            model.reset(speed)
    value, y = wording.written(speed, model.animation.parameters.speed), low[1] + look.size(7)
    tint = theme.INK if model.is_default(speed) and not hovered else theme.ACCENT
    x = high[0] - pad - look.measure(value, theme.SMALL, strong=True)[0]
    look.text(x, y, value, tint, theme.SMALL, strong=True)
    look.text(x - look.size(_GAP) - label, y, speed.label, theme.ACCENT if hovered else theme.MUTED, theme.SMALL)
    return low[0]


def _draw_hint(look: Theme, bar: Rectangle, usual: bool) -> None:
    """Above the bar: the keys for it, and what a right click does."""
    keys = [caption(Action.SLOWER), caption(Action.FASTER)]
    words = "slower, faster" + ("" if usual else "  ·  right click: as usual")
    caps = [look.measure(key, theme.SMALL, strong=True)[0] + look.size(10) for key in keys]
    pad, gap = look.size(8), look.size(4)
    wide = 2 * pad + sum(caps) + gap * (len(caps) + 0.5) + look.measure(words, theme.SMALL)[0]
    left, top = round(bar.right - wide), round(bar.top - look.size(38))
    draw, high = imgui.get_foreground_draw_list(), (left + wide, top + look.size(32))
    draw.add_rect_filled((left, top), high, theme.SHEET, look.size(6))
    draw.add_rect((left, top), high, theme.FAINT, look.size(6), look.size(1))
    x = left + pad
    for key in keys:
        x += draw_keycap(look, key, x, top + look.size(6), draw=draw) + gap
    place = round(x + gap / 2), round(top + look.size(9))
    draw.add_text(look.medium, look.size(theme.SMALL), place, theme.MUTED, words)
