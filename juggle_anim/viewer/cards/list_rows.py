"""Rows of a list that keys and clicks choose from, and the keys below: what routine and camera path
have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import imgui

from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.terms import term_tip

_SIDE = 18.0
# of the keys below a list
_PAD = 7.0
_LINE = 25.0
_GAP = 7.0

Keys = Sequence[tuple[Action, str]]
"""Actions, and what is said beside the key of each."""

RowButton = tuple[str, str, Callable[[], None]]
"""What a button says, the term that its tooltip explains, and what it does."""


def scroll_to_row(number: int, tall: float, room: float) -> None:
    """Scroll the present list to a row that is out of sight; rows are so tall, and the list as high
    as the room.
    """
    scrolled = imgui.get_scroll_y()
    top = number * tall
    if not scrolled <= top <= scrolled + room - tall:
        imgui.set_scroll_y(max(top - (room - tall) / 2, 0.0))


def draw_row_buttons(
    look: Theme, row: Rectangle, number: int, buttons: Sequence[RowButton]
) -> tuple[float, bool]:
    """Draw the buttons of a row from right to left; return where what is left of them ends, and
    whether one acted.

    Args:
        look: of the cards.
        row: in the window, [pixels].
        number: of the row, which tells its buttons from those of others.
        buttons: the rightmost first.
    """
    side = look.size(_SIDE)
    right = row.right - look.size(4)
    acted = False
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


def foot_height(look: Theme, keys: Keys, width: float) -> float:
    """Return how high the keys below a list are, at least two lines, [pixels]."""
    lines = max((line for line, _across in _key_places(look, keys, width)), default=0) + 1
    return look.size(max(lines, 2) * _LINE + _PAD + 3)


def draw_foot(
    look: Theme, keys: Keys, left: float, top: float, width: float, do: Callable[[Action], None]
) -> None:
    """Draw a line and the keys below a list, as buttons, in as many lines as they need,
    [pixels].
    """
    imgui.get_window_draw_list().add_line(
        (left, top), (left + width, top), theme.LINE, look.size(1)
    )
    for (action, words), (line, across) in zip(keys, _key_places(look, keys, width), strict=True):
        y = top + look.size(_PAD + line * _LINE)
        widgets.draw_key_button(look, action, words, left + across, y, theme.MUTED, do)


def _key_places(look: Theme, keys: Keys, width: float) -> list[tuple[int, float]]:
    """In which line each key is, and how far from the left, [pixels]."""
    places = list[tuple[int, float]]()
    line = 0
    across = 0.0
    for action, words in keys:
        wide = widgets.key_button_width(look, action, words)
        if across and across + wide > width:
            line = line + 1
            across = 0.0
        places.append((line, across))
        across += wide + look.size(_GAP)
    return places
