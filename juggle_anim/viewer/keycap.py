"""A keycap: the name of a key, drawn as one."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from juggle_anim.viewer import theme
from juggle_anim.viewer.keys import Action, caption
from juggle_anim.viewer.theme import Theme


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
