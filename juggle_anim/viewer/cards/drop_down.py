"""The card of a drop-down list, below its control and over all other cards."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.viewer.cards import theme, widgets
from juggle_anim.viewer.cards.layout import Layout, Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.panel.drop_down import DropDown, Option
from juggle_anim.viewer.state.terms import term_tip

_LINE, _PAD, _HEAD = 24.0, 5.0, 22.0
_MOST_LINES = 14


def draw_drop_down(drop_down: DropDown, look: Theme, layout: Layout) -> None:
    """Draw the list; a click beside it closes it."""
    if drop_down.anchor is None:
        return  # its control is drawn first
    imgui.set_next_window_focus()
    whole = Rectangle(0, 0, layout.width, layout.height)
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
    widgets.begin_card("choose", whole, imgui.WindowFlags_.no_background | imgui.WindowFlags_.no_scrollbar)
    place = _list_place(drop_down, look, layout, drop_down.anchor)
    widgets.fill_box(look, place, theme.SHEET, 8)
    widgets.outline_box(look, place, theme.FAINT, 8, 1)
    said, top = drop_down.error or drop_down.typed, place.top + look.size(_PAD)
    if said:
        tint = theme.ERROR if drop_down.error else theme.MUTED
        words = widgets.ellipsize(look, said, place.width - look.size(20), theme.SMALL)
        look.text(place.left + look.size(10), top + look.size(3), words, tint, theme.SMALL)
        top += look.size(_HEAD)
    _draw_options(drop_down, look, Rectangle(place.left, top, place.width, place.bottom - look.size(_PAD) - top))
    pressed = imgui.is_mouse_clicked(imgui.MouseButton_.left) or imgui.is_mouse_clicked(imgui.MouseButton_.right)
    x, y = imgui.get_mouse_pos()
    # The second of two quick clicks on the control means the list, too.
    again = imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and drop_down.anchor.covers(x, y)
    if pressed and not drop_down.fresh and not again and not place.covers(x, y):
        drop_down.close()
    drop_down.fresh = False
    imgui.end()
    imgui.pop_style_var()


def _draw_options(drop_down: DropDown, look: Theme, place: Rectangle) -> None:
    tall = look.size(_LINE)
    imgui.set_cursor_screen_pos(place.low)
    place = widgets.whole_rows(place, tall)
    imgui.begin_child("options", place.size, 0, imgui.WindowFlags_.no_nav)
    if drop_down.scroll_to_chosen:
        drop_down.scroll_to_chosen = False
        top, scrolled = drop_down.index * tall, imgui.get_scroll_y()
        if not scrolled <= top <= scrolled + place.height - tall:
            imgui.set_scroll_y(max(top - tall * round((place.height - tall) / (2 * tall)), 0.0))
    from_control = _is_drawn_from(drop_down.anchor)
    origin, bar, first = imgui.get_cursor_screen_pos(), look.size(4), round(imgui.get_scroll_y() / tall)
    for number, option in enumerate(drop_down.options):
        row = Rectangle(place.left + bar, place.top + (number - first) * tall, place.width - 2 * bar, tall)
        if not place.top - 1 <= row.top <= place.bottom - tall + 1:
            continue
        pressed = widgets.place_button(f"option {number}", row, term_tip("choose", option.words), stop=False)
        drawn_on = from_control and row.covers(*imgui.get_mouse_pos())
        if pressed or (drawn_on and imgui.is_mouse_released(imgui.MouseButton_.left)):
            drop_down.take(number)
            break
        io = imgui.get_io()
        if (imgui.is_item_hovered() or drawn_on) and (io.mouse_delta.x or io.mouse_delta.y):
            drop_down.index = number
        _draw_option(look, option, row, option.words == drop_down.present, number == drop_down.index)
    imgui.set_cursor_screen_pos(origin)
    imgui.dummy((1, len(drop_down.options) * tall))
    imgui.end_child()


def _is_drawn_from(control: Rectangle | None) -> bool:
    """Whether the mouse went down on the control and was moved since; for imgui it then hovers over nothing else."""
    (x, y), moved = imgui.get_mouse_pos(), imgui.get_mouse_drag_delta(imgui.MouseButton_.left)
    return bool(control and (moved.x or moved.y) and control.covers(x - moved.x, y - moved.y))


def _draw_option(look: Theme, option: Option, row: Rectangle, present: bool, lit: bool) -> None:
    if lit:
        widgets.fill_box(look, row, theme.FILL, 5)
    y = row.middle - look.size(theme.SMALL / 2 + 2)
    tint = theme.ACCENT if present else theme.INK
    right = look.text_before(row.right - look.size(8), y, option.note, theme.MUTED, theme.SMALL)
    room = right - row.left - look.size(14)
    words = widgets.ellipsize(look, option.words, room, theme.SMALL, strong=present)
    look.text(row.left + look.size(8), y, words, tint, theme.SMALL, strong=present)


def _list_place(drop_down: DropDown, look: Theme, layout: Layout, anchor: Rectangle) -> Rectangle:
    """Return the place of the list: below its control, or above it, as wide as its words, and within the window."""
    gap, pad = look.size(3), look.size(_PAD)
    words = max(look.measure(option.words, theme.SMALL, strong=True)[0] for option in drop_down.options)
    notes = max(look.measure(option.note, theme.SMALL)[0] for option in drop_down.options)
    across = min(max(words + notes + look.size(48), anchor.width), layout.width - 4 * gap)
    said = look.size(_HEAD) if drop_down.error or drop_down.typed else 0.0
    if drop_down.error:
        across = min(max(across, look.measure(drop_down.error, theme.SMALL)[0] + look.size(24)), layout.width - 4 * gap)
    wanted = min(len(drop_down.options), _MOST_LINES) * look.size(_LINE) + said + 2 * pad
    below, above = layout.height - anchor.bottom - 2 * gap, anchor.top - 2 * gap
    around = said + 2 * pad
    tall = min(wanted, max(int((max(below, above) - around) / look.size(_LINE)), 1) * look.size(_LINE) + around)
    top = anchor.bottom + gap if tall <= below else anchor.top - gap - tall
    left = min(max(anchor.right - across, 2 * gap), layout.width - across - 2 * gap)
    return Rectangle(round(left), round(top), round(across), round(tall))
