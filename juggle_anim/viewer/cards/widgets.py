"""A keycap: the name of a key, drawn as one.

MERGED: Fades: where there is more to scroll to, what is seen of it fades toward the edge.

MERGED: Fitting words into a width: what is too long ends in dots.

MERGED: The mark of a default: a stroke across the groove of a slider, which its knob hides while it stands there.

MERGED: Parts that cards share: the window that a card is to the library, buttons and fields, and words to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imgui_bundle import imgui

from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.state.keymap import Action, caption

_FADE_HEIGHT = 26.0

_RGB_MASK = 0xFFFFFF

_MAX_CACHED = 4_000  # words that are kept; then all are measured anew

_ellipsized: dict[tuple[str, float, float, bool, float], str] = {}

_CARD_FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_nav
)  # a card stands where we put it


def keycap_width(look: Theme, words: str) -> float:
    """How wide a key with a name is, [pixels]."""
    return look.measure(words, theme.SMALL, strong=True)[0] + look.size(10)


def draw_keycap(
    look: Theme, words: str, x: float, y: float, tint: int | None = None, draw: Any = None, lit: bool = False
) -> float:
    """Draw a key with its name, 20 high at scale 1, and return its width, [pixels].

    Args:
        look: fonts and sizes.
        words: its name.
        x, y: upper left corner, [pixels].
        tint: of its name.
        draw: the list to draw into, where it is not that of this card.
        lit: whether it stands out, as one that a click would press.
    """
    wide, tall = keycap_width(look, words), look.size(20)
    draw = draw or imgui.get_window_draw_list()
    fill, edge = (theme.FILL, theme.ACCENT) if lit else (theme.TRACK, theme.LINE)
    draw.add_rect_filled((x, y), (x + wide, y + tall), fill, look.size(5))
    draw.add_rect((x, y), (x + wide, y + tall), edge, rounding=look.size(5), thickness=look.size(1))
    place, ink = (round(x + look.size(5)), round(y + look.size(3))), theme.INK if tint is None else tint
    draw.add_text(look.strong, look.size(theme.SMALL), place, ink, words)
    return wide


def draw_key_button(
    look: Theme, action: Action, words: str, x: float, y: float, tint: int | None = None, draw: bool = True
) -> tuple[float, bool]:
    """Draw an action's key with words beside it, as a button.

    Args:
        look: fonts and sizes.
        action: that the key does.
        words: beside the key, or none.
        x, y: upper left corner, [pixels].
        tint: of key and words.
        draw: whether to draw it, or only to say how wide it is.

    Returns:
        Its width, [pixels], and whether it was clicked.
    """
    cap = caption(action)
    key = keycap_width(look, cap)
    wide = key + (look.size(6) + look.measure(words, theme.SMALL)[0] if words else 0.0)
    if not draw:
        return wide, False
    imgui.set_cursor_screen_pos((x, y))
    pressed = imgui.invisible_button(f"{action.name} {words}", (wide, look.size(20)))
    tint = theme.ACCENT if imgui.is_item_hovered() else tint
    draw_keycap(look, cap, x, y, tint)
    if words:
        look.text(x + key + look.size(6), y + look.size(3), words, tint, theme.SMALL)
    return wide, pressed


def draw_fades(look: Theme, place: Rectangle, clear_of: Rectangle | None = None) -> None:
    """Draw them over what the current child has drawn so far.

    Args:
        look: fonts and sizes.
        place: that the child has in the window, without its bar, [pixels].
        clear_of: a place in it that nothing is to fade in.
    """
    at, most = imgui.get_scroll_y(), imgui.get_scroll_max_y()
    bottom, deep, solid = place.bottom, look.size(_FADE_HEIGHT), theme.CARD
    clear, right = solid & _RGB_MASK, place.right
    upper, lower = place.top + min(deep, at), bottom - min(deep, most - at)
    if clear_of:
        upper, lower = min(upper, clear_of.top), max(lower, clear_of.bottom)
    draw = imgui.get_window_draw_list()
    if upper > place.top:
        draw.add_rect_filled_multi_color(place.low, (right, upper), solid, solid, clear, clear)
    if lower < bottom:
        draw.add_rect_filled_multi_color((place.left, lower), (right, bottom), clear, clear, solid, solid)


def ellipsize(look: Theme, words: str, room: float, points: float = theme.TEXT, strong: bool = False) -> str:
    """As much of some words as fits, with dots where something is missing.

    Args:
        look: fonts and sizes.
        words: in one line.
        room: the width, [pixels].
        points: size of the text at scale 1, [pixels].
        strong: whether in the strong font.
    """
    key = words, room, points, strong, look.scale
    if key not in _ellipsized:
        if len(_ellipsized) > _MAX_CACHED:
            _ellipsized.clear()
        _ellipsized[key] = _ellipsize(look, words, room, points, strong)
    return _ellipsized[key]


def _ellipsize(look: Theme, words: str, room: float, points: float, strong: bool) -> str:
    if look.measure(words[:400], points, strong)[0] <= room:
        return words[:400]
    low, high = 0, min(len(words), 400)
    while high - low > 1:
        middle = (low + high) // 2
        fits = look.measure(words[:middle].rstrip() + "…", points, strong)[0] <= room
        low, high = (middle, high) if fits else (low, middle)
    return words[:low].rstrip() + "…"


def draw_default_mark(look: Theme, x: float, middle: float) -> None:
    """Draw it across a groove whose middle is at a height, [pixels]."""
    half, tall = look.size(0.75), look.size(4.5)
    imgui.get_window_draw_list().add_rect_filled((x - half, middle - tall), (x + half, middle + tall), theme.MUTED)


def begin_card(name: str, place: Rectangle, flags: int = imgui.WindowFlags_.no_scrollbar) -> None:
    """Begin a card in a place, [pixels]; `imgui.end` ends it."""
    imgui.set_next_window_pos(place.low)
    imgui.set_next_window_size((place.width, place.height))
    imgui.begin(name, None, _CARD_FLAGS | flags)


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
