"""Rows of a list that keys and clicks choose from: what routine and camera path have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.state.terms import term_tip

_SIDE = 18.0

RowButton = tuple[str, str, Callable[[], None]]
"""What a button says, the term that its tooltip explains, and what it does."""


def scroll_to_row(number: int, tall: float, room: float) -> None:
    """Scroll the present list to a row that is out of sight; rows are so tall, and the list as high as the room."""
    scrolled, top = imgui.get_scroll_y(), number * tall
    if not scrolled <= top <= scrolled + room - tall:
        imgui.set_scroll_y(max(top - (room - tall) / 2, 0.0))


def draw_row_buttons(look: Theme, row: Rectangle, number: int, buttons: Sequence[RowButton]) -> tuple[float, bool]:
    """Draw the buttons of a row from right to left; return where what is left of them ends, and whether one acted.

    Args:
        look: of the cards.
        row: in the window, [pixels].
        number: of the row, which tells its buttons from those of others.
        buttons: the rightmost first.
    """
    side, right, acted = look.size(_SIDE), row.right - look.size(4), False
    for words, term, do in buttons:
        right -= side
        spot = Rectangle(right, row.top, side, row.height)
        pressed = widgets.place_button(f"{words} {number}", spot, term_tip(term), stop=False)
        tint = theme.ACCENT if imgui.is_item_hovered() else theme.MUTED
        look.text(right + look.size(5), row.top + look.size(4), words, tint)
        if pressed:
            do()
            acted = True
    return right, acted
