"""Parts that cards share: the window that a card is to the library, buttons and fields, and words to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme

_FIXED = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
)  # a card stands where we put it


def begin_card(name: str, place: Rectangle, flags: int = imgui.WindowFlags_.no_scrollbar) -> None:
    """Begin a card in a place, [pixels]; `imgui.end` ends it."""
    imgui.set_next_window_pos(place.low)
    imgui.set_next_window_size((place.width, place.height))
    imgui.begin(name, None, _FIXED | flags)


def place_button(name: str, place: Rectangle) -> bool:
    """Make a place, [pixels], one that can be clicked; returns whether it was. It is the library's last item then."""
    imgui.set_cursor_screen_pos(place.low)
    return imgui.invisible_button(name, (place.width, place.height))


def begin_field(look: Theme, place: Rectangle, wanted: bool, size: float = theme.TEXT, inset: float = 10.0) -> None:
    """Make ready for a text field in a place, [pixels]; once that is drawn, `imgui.pop_style_var` ends it.

    Args:
        look: fonts and sizes.
        place: of the field, [pixels].
        wanted: whether it is to take the keyboard.
        size: of the text, at scale 1.
        inset: from the left edge to the text, at scale 1.
    """
    padding = imgui.ImVec2(look.size(inset), (place.height - look.size(size)) / 2)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    imgui.set_cursor_screen_pos(place.low)
    imgui.set_next_item_width(place.width)
    if wanted:
        imgui.set_keyboard_focus_here()


def draw_tabs(look: Theme, names: Sequence[str], words: Sequence[str], chosen: str, x: float, y: float) -> str:
    """Draw words to choose from beside each other, the chosen ones filled.

    Args:
        look: fonts and sizes.
        names: of what can be chosen.
        words: that stand for each.
        chosen: the name of what is.
        x, y: upper left corner, [pixels].

    Returns:
        The name of what was clicked, or nothing.
    """
    clicked = ""
    for name, shown in zip(names, words, strict=True):
        lit = name == chosen
        wide = look.measure(shown, theme.SMALL, strong=lit)[0] + look.size(12)
        imgui.set_cursor_screen_pos((x, y))
        if imgui.invisible_button(name, (wide, look.size(20))):
            clicked = name
        if lit:
            draw = imgui.get_window_draw_list()
            draw.add_rect_filled((x, y), (x + wide, y + look.size(20)), theme.FILL, look.size(5))
        tint = theme.ACCENT if lit or imgui.is_item_hovered() else theme.MUTED
        look.text(x + look.size(6), y + look.size(3), shown, tint, theme.SMALL, strong=lit)
        x += wide
    return clicked
