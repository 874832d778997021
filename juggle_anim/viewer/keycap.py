"""A keycap: the name of a key, drawn as one."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.theme import Theme


def draw_keycap(look: Theme, words: str, x: float, y: float, tint: int = theme.INK) -> float:
    """Draw a key with its name, 20 high at scale 1; returns its width, [pixels]."""
    wide, tall = look.measure(words, theme.SMALL, strong=True)[0] + look.size(10), look.size(20)
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((x, y), (x + wide, y + tall), theme.TRACK, look.size(5))
    draw.add_rect((x, y), (x + wide, y + tall), theme.LINE, rounding=look.size(5), thickness=look.size(1))
    look.text(x + look.size(5), y + look.size(3), words, tint, theme.SMALL, strong=True)
    return wide
