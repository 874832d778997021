"""Fades: where there is more to scroll to, what is seen of it fades toward the edge."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme

_DEEP = 26.0
_COLOUR = 0xFFFFFF


def draw_fades(look: Theme, place: Rectangle, clear_of: Rectangle | None = None) -> None:
    """Draw them over what the current child has drawn so far.

    Args:
        look: fonts and sizes.
        place: that the child has in the window, without its bar, [pixels].
        clear_of: a place in it that nothing is to fade in.
    """
    at, most = imgui.get_scroll_y(), imgui.get_scroll_max_y()
    bottom, deep, solid = place.bottom, look.size(_DEEP), theme.CARD
    clear, right = solid & _COLOUR, place.right
    upper, lower = place.top + min(deep, at), bottom - min(deep, most - at)
    if clear_of:
        upper, lower = min(upper, clear_of.top), max(lower, clear_of.bottom)
    draw = imgui.get_window_draw_list()
    if upper > place.top:
        draw.add_rect_filled_multi_color(place.low, (right, upper), solid, solid, clear, clear)
    if lower < bottom:
        draw.add_rect_filled_multi_color((place.left, lower), (right, bottom), clear, clear, solid, solid)
