"""Stops: a choice as a line of segments, one for each word; there is no more or less among words."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.parameters import Choice
from juggle_anim.viewer import theme
from juggle_anim.viewer.default_mark import draw_default_mark
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.turning import fraction, value_at


def draw_stops(look: Theme, choice: Choice, value: str, line: Rectangle, hovered: bool) -> str:
    """Draw a choice's segments, the present one filled, with a mark at the default where that is another.

    Args:
        look: sizes.
        choice: whose words they stand for.
        value: the present word.
        line: of the segments, in the middle of its upper edge, [pixels].
        hovered: whether the mouse is over the row.

    Returns:
        The word that a click would choose; nothing where the mouse is not over the line, or is at the present word.
    """
    mouse = imgui.get_io().mouse_pos
    at = hovered and mouse.y > line.top - line.height
    aimed = str(value_at(choice, (mouse.x - line.left) / line.width)) if at else ""
    draw, gap, share = imgui.get_window_draw_list(), look.size(3), line.width / len(choice.options)
    for number, option in enumerate(choice.options):
        left = line.left + number * share + (gap / 2 if number else 0.0)
        right = line.left + (number + 1) * share - (gap / 2 if number < len(choice.options) - 1 else 0.0)
        half = look.size(2.5 if option == value else 1.5)
        tint = theme.ACCENT if option == value else theme.FAINT if option == aimed else theme.GROOVE
        draw.add_rect_filled((left, line.top - half), (right, line.top + half), tint, half)
    if value != choice.default:
        draw_default_mark(look, line.left + line.width * fraction(choice, choice.default), line.top)
    return "" if aimed == value else aimed
