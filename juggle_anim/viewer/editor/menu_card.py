"""The card of the menu of editing: words, and beside each the siteswap that comes of it."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import _
from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.cards.theme import Theme, pack_colour
from juggle_anim.viewer.editor.edit_menu import EditMenu, Entry
from juggle_anim.viewer.state.terms import term_tip

_LINE, _PAD, _TITLE = 24.0, 8.0, 26.0
_WIDEST_RESULT = 190.0
_DOT = 4.5
_MOST_DOTS = 12
_LEADS_ON = "→"


def draw_menu(menu: EditMenu, look: Theme, layout: Layout) -> None:
    """Draw the menu over all else; a click beside it closes it."""
    imgui.set_next_window_focus()
    widgets.begin_card("edit menu", Rectangle(0, 0, layout.width, layout.height), imgui.WindowFlags_.no_background)
    place = _menu_place(menu, look, layout)
    draw = imgui.get_window_draw_list()
    widgets.fill_box(look, place, theme.SHEET, 8)
    widgets.outline_box(look, place, theme.FAINT, 8, 1)
    pad = look.size(_PAD)
    title = widgets.ellipsize(look, menu.title, place.width - 2 * pad, theme.SMALL, strong=True)
    look.text(place.left + pad, place.top + look.size(7), title, theme.MUTED, theme.SMALL, strong=True)
    top = place.top + look.size(_TITLE)
    for index, line in enumerate(menu.lines):
        row = Rectangle(place.left, top + index * look.size(_LINE), place.width, look.size(_LINE))
        if widgets.place_button(f"{index} {line.words}", row, term_tip("menu", line.words), stop=False):
            menu.take(index)
            break
        io = imgui.get_io()
        if imgui.is_item_hovered() and (io.mouse_delta.x or io.mouse_delta.y):
            menu.index = index
        if index == menu.index:
            draw.add_rect_filled(row.low, row.high, theme.FILL)
        _draw_line(look, line, row, index == menu.index)
    else:
        if why := menu.lines[menu.index].refused:
            _draw_reason(look, why, place, layout)
        pressed = imgui.is_mouse_clicked(imgui.MouseButton_.left) or imgui.is_mouse_clicked(imgui.MouseButton_.right)
        if pressed and not menu.fresh and not place.covers(*imgui.get_mouse_pos()):
            menu.editor.close_menu()
        menu.fresh = False
    imgui.end()


def _menu_place(menu: EditMenu, look: Theme, layout: Layout) -> Rectangle:
    """Return the place of the menu: at the mouse, but within the window."""
    pad = look.size(_PAD)
    words = max(look.measure(line.words, theme.TEXT)[0] for line in menu.lines)
    results = max(_result_width(look, line) for line in menu.lines)
    wide = max(words + results + 5 * pad, look.measure(menu.title, theme.SMALL, strong=True)[0] + 2 * pad)
    wide = min(wide, layout.width - 2 * pad)
    tall = look.size(_TITLE) + len(menu.lines) * look.size(_LINE) + pad
    x, y = menu.place
    left = max(min(x, layout.width - wide - pad), pad)
    top = y - tall if y + tall > layout.height - pad else y
    return Rectangle(round(left), round(max(min(top, layout.height - tall - pad), pad)), wide, tall)


def _result_width(look: Theme, line: Entry) -> float:
    if line.colours is not None:
        return look.size(3 * _DOT) * min(len(line.colours), _MOST_DOTS)
    return min(look.measure(_result(line), theme.TEXT, strong=True)[0], look.size(_WIDEST_RESULT))


def _result(line: Entry) -> str:
    if line.lines:
        return f"{line.result}  {_LEADS_ON}".strip()
    return _("not possible") if line.refused else line.result


def _draw_line(look: Theme, line: Entry, row: Rectangle, lit: bool) -> None:
    pad, y = look.size(_PAD), row.top + (row.height - look.size(theme.TEXT)) / 2 - look.size(1)
    tint = theme.MUTED if line.refused else theme.INK
    wide = _result_width(look, line)
    room = row.width - wide - 5 * pad
    look.text(row.left + 1.5 * pad, y, widgets.ellipsize(look, line.words, room, theme.TEXT), tint)
    if line.colours is not None:
        draw, x = imgui.get_window_draw_list(), row.right - 1.5 * pad - look.size(_DOT)
        for red, green, blue in reversed(line.colours[:_MOST_DOTS].tolist()):
            draw.add_circle_filled((x, row.middle), look.size(_DOT), pack_colour((red, green, blue)))
            x -= look.size(3 * _DOT)
        return
    shown = widgets.ellipsize(look, _result(line), look.size(_WIDEST_RESULT), theme.TEXT, strong=True)
    ink = theme.MUTED if line.refused or line.lines else theme.ACCENT if lit else theme.INK
    look.text_before(row.right - 1.5 * pad, y, shown, ink, theme.TEXT, strong=not line.refused)


def _draw_reason(look: Theme, why: str, menu: Rectangle, layout: Layout) -> None:
    """Draw why the chosen line cannot be done, below the menu or above it."""
    pad, wide = look.size(_PAD), menu.width
    tall = look.measure(why, theme.SMALL, wrap=wide - 2 * pad)[1] + 2 * pad
    below = menu.bottom + look.size(4)
    top = below if below + tall < layout.height else menu.top - tall - look.size(4)
    draw = widgets.draw_tooltip_box(look, Rectangle(menu.left, top, wide, tall))
    place = round(menu.left + pad), round(top + pad)
    draw.add_text(look.medium, look.size(theme.SMALL), place, theme.ERROR, why, wide - 2 * pad)
