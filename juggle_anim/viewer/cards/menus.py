"""Menus: the list of a drop-down, and the menu of editing with the results of its lines."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui

from juggle_anim.edit_menu import Entry
from juggle_anim.language import _
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    Card,
    Frame,
    Slot,
    draw_text,
    draw_text_before,
    measure,
    pack_colour,
    px,
)
from juggle_anim.viewer.editor.editor import EditMenu
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.panel.values import DropDown, Option
from juggle_anim.viewer.state.keymap import term_tip

# Sizes of the card at scale 1, [pixels].
_OPTION_HEIGHT = 24.0
_HELP_HEIGHT = 16.0  # of a line about what an option does, below it
_HELP_GAP = 2.0
_MAX_HELP_LINES = 2
_LIST_PAD = 5.0
_TYPED_HEIGHT = 22.0
_MAX_OPTIONS = 14


_LINE_HEIGHT = 24.0
_MENU_PAD = 8.0
_TITLE_HEIGHT = 26.0
_MAX_RESULT_WIDTH = 190.0
_DOT_RADIUS = 4.5
_MAX_DOTS = 12
_SUBMENU_SIGN = "→"


class DropDownList(Card):
    """The list of a drop-down; a click beside it closes it."""

    name = "choose"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the open list of options; a click elsewhere closes the list.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        drop_down = frame.model.drop_downs.now
        if drop_down is None or drop_down.anchor is None:
            return  # no list is open, or its control, at which it hangs, has not been drawn since
        ui.begin_cover(self.name, place)
        box = _list_place(drop_down, frame.layout, drop_down.anchor)
        ui.fill_box(box, ui.SHEET, edge=ui.FAINT, rounding=8, thickness=1)

        # Above the options: what is typed, or why it fits none of them.
        message = drop_down.error or drop_down.typed
        top = box.top + px(_LIST_PAD)
        if message:
            tint = ui.ERROR if drop_down.error else ui.MUTED
            words = ui.ellipsize(message, box.width - px(20))
            draw_text(box.left + px(10), top + px(3), words, tint)
            top += px(_TYPED_HEIGHT)
        _draw_options(
            drop_down,
            Rectangle(box.left, top, box.width, box.bottom - px(_LIST_PAD) - top),
        )

        # A press beside the list closes it; but not the press that has opened it, in the frame of
        # which it is `fresh`, nor the second of two quick clicks on the control.
        pressed = ui.is_mouse_pressed()
        x, y = imgui.get_mouse_pos()
        is_double_click = imgui.is_mouse_double_clicked(imgui.MouseButton_.left)
        opened_again = is_double_click and drop_down.anchor.covers(x, y)
        if pressed and not drop_down.fresh and not opened_again and not box.covers(x, y):
            drop_down.close()
        drop_down.fresh = False
        ui.end_cover()


def _draw_options(drop_down: DropDown, place: Rectangle) -> None:
    """Draw the visible options; a click chooses one, and mouse movement highlights one.

    An option is also chosen by pressing the control, dragging to the option, and releasing there.
    The choice takes effect after the loop, as it may close or change the list.

    Args:
        drop_down: the open list.
        place: place of the options, [pixels].
    """
    options = drop_down.options
    is_dragged_from_control = _is_dragged_from(drop_down.anchor)
    inset = px(4)
    taken: int | None = None
    for index, room in _option_rows(drop_down, place):
        option = options[index]
        # No bar lies beside the rows, as the mouse wheel scrolls them.
        row = Rectangle(place.left + inset, room.top, place.width - 2 * inset, room.height)
        tip = None if option.help else term_tip("choose", option.words)
        clicked = ui.place_button(f"option {index}", row, tip, tab_stop=False)
        # While the mouse button is held that was pressed on the control, imgui reports nothing else
        # as hovered, so that the option under the mouse is found by its place.
        is_dragged_over = is_dragged_from_control and row.covers(*imgui.get_mouse_pos())
        released = is_dragged_over and imgui.is_mouse_released(imgui.MouseButton_.left)
        if clicked or released:
            taken = index
            continue
        # Only as the mouse moves: one that rests must not undo what arrow keys choose.
        if (imgui.is_item_hovered() or is_dragged_over) and ui.is_mouse_moving():
            drop_down.index = index
        is_present = option.words == drop_down.present
        _draw_option(option, row, present=is_present, lit=index == drop_down.index)
    if taken is not None:
        drop_down.take(taken)


def _option_rows(drop_down: DropDown, place: Rectangle) -> Iterator[tuple[int, Rectangle]]:
    """Yield the rows of a list of options: each as high as its words, or equal ones that scroll.

    Args:
        drop_down: the open list.
        place: place of the options, [pixels].

    Yields:
        The index of an option, and its place, [pixels].
    """
    heights = _row_heights(drop_down, place.width)
    count = len(heights)
    if sum(heights) > place.height + 1:
        yield from ui.list_rows(
            "options", drop_down, drop_down.index, count, place, max(heights), by_rows=True
        )
        return
    top = place.top
    for index, height in enumerate(heights):
        yield index, Rectangle(place.left, top, place.width, height)
        top += height


def _is_dragged_from(control: Rectangle | None) -> bool:
    """Return whether the mouse went down on the control of the list and has moved since.

    Args:
        control: its place, [pixels]; None if it is not known, which gives False.
    """
    x, y = imgui.get_mouse_pos()
    moved = imgui.get_mouse_drag_delta(imgui.MouseButton_.left)
    return bool(control and (moved.x or moved.y) and control.covers(x - moved.x, y - moved.y))


def _draw_option(option: Option, row: Rectangle, *, present: bool, lit: bool) -> None:
    """Draw an option of a list: its words, its note at the right, and its help below both.

    Args:
        option: the option.
        row: place of both, [pixels].
        present: whether it is the option in force.
        lit: whether it is highlighted: Enter would choose it.
    """
    if lit:
        ui.fill_box(row, ui.FILL, rounding=5)
    y = row.middle - px(ui.SMALL / 2 + 2)
    if option.help:
        help_lines = ui.wrap(option.help, row.width - px(16), _MAX_HELP_LINES)
        y -= px(_HELP_HEIGHT / 2 * len(help_lines))
        for number, about in enumerate(help_lines, start=1):
            draw_text(row.left + px(8), y + px(number * _HELP_HEIGHT), about, ui.MUTED)
    tint = ui.ACCENT if present else ui.INK
    right = draw_text_before(row.right - px(8), y, option.note, ui.MUTED)
    room = right - row.left - px(14)
    words = ui.ellipsize(option.words, room, strong=present)
    draw_text(row.left + px(8), y, words, tint, strong=present)


def _row_heights(drop_down: DropDown, width: float) -> list[float]:
    """Return the height of each option with its help, [pixels].

    Args:
        drop_down: the list with the options.
        width: width of the list, [pixels].
    """
    room = width - 2 * px(4) - px(16)
    has_help = any(option.help for option in drop_down.options)
    heights = []
    for option in drop_down.options:
        line_count = len(ui.wrap(option.help, room, _MAX_HELP_LINES)) if option.help else 0
        # Options with help have a gap below it.
        gap = _HELP_GAP if has_help else 0.0
        heights.append(px(_OPTION_HEIGHT + gap + _HELP_HEIGHT * line_count))
    return heights


def _list_place(drop_down: DropDown, layout: Layout, anchor: Rectangle) -> Rectangle:
    """Return the place of a list of options, [pixels]: below or above its control, in the window.

    Args:
        drop_down: the open list.
        layout: layout of the window.
        anchor: place of the control to which the list belongs, [pixels].
    """
    gap = px(3)
    pad = px(_LIST_PAD)

    # Wide enough for all options with their notes, and at least as wide as the control; wider still
    # for an error that needs it. The list of a control in the panel stays within the panel.
    room = Rectangle(0.0, 0.0, layout.width, layout.height).inset(2 * gap)
    if layout.panel and layout.panel.left <= anchor.left < layout.panel.right:
        room = layout.panel.inset(px(8))
    max_width = room.width
    words_width = max(measure(option.words, strong=True).width for option in drop_down.options)
    notes_width = max(measure(option.note).width for option in drop_down.options)
    help_width = max(measure(option.help).width for option in drop_down.options)
    width = max(words_width + notes_width + px(48), help_width + px(26), anchor.width)
    width = min(width, max_width)
    if drop_down.error:
        error_width = measure(drop_down.error).width + px(24)
        width = min(max(width, error_width), max_width)

    # As high as all options, up to a limit; if neither side of the control has room for that, as
    # many equal rows as fit on the side with more room.
    row_heights = _row_heights(drop_down, width)
    row_height = max(row_heights)  # of all rows if they scroll
    typed_height = px(_TYPED_HEIGHT) if drop_down.error or drop_down.typed else 0.0
    rows_height = sum(row_heights)
    if len(row_heights) > _MAX_OPTIONS:
        rows_height = _MAX_OPTIONS * row_height
    full_height = rows_height + typed_height + 2 * pad
    room_below = layout.height - anchor.bottom - 2 * gap
    room_above = anchor.top - 2 * gap
    frame_height = typed_height + 2 * pad  # without rows
    fitting_rows = max(int((max(room_below, room_above) - frame_height) / row_height), 1)
    height = min(full_height, fitting_rows * row_height + frame_height)

    top = anchor.bottom + gap if height <= room_below else anchor.top - gap - height
    left = min(max(anchor.right - width, room.left), room.right - width)
    return Rectangle(round(left), round(top), round(width), round(height))


class EditMenuCard(Card):
    """The menu of editing, over all else; a click beside it closes it."""

    name = "edit menu"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw the menu of the editor; a click on a line applies it, one elsewhere closes the menu.

        Args:
            frame: the controller, its model and the layout of the window.
            place: area to draw into, [pixels] in the window.
        """
        menu = frame.controller.editor.menu
        layout = frame.layout
        if not isinstance(menu, EditMenu):
            return
        imgui.set_next_window_focus()
        ui.begin_card(self.name, place, imgui.WindowFlags_.no_background)
        box = _menu_place(menu, layout)
        draw = imgui.get_window_draw_list()
        ui.fill_box(box, ui.SHEET, edge=ui.FAINT, rounding=8, thickness=1)
        pad = px(_MENU_PAD)
        title = ui.ellipsize(menu.title, box.width - 2 * pad, strong=True)
        draw_text(box.left + pad, box.top + px(7), title, ui.MUTED, strong=True)

        top = box.top + px(_TITLE_HEIGHT)
        line_height = px(_LINE_HEIGHT)
        for index, line in enumerate(menu.lines):
            row = Rectangle(box.left, top + index * line_height, box.width, line_height)
            name = f"{index} {line.words}"
            if ui.place_button(name, row, term_tip("menu", line.words), tab_stop=False):
                menu.take(index)
                break  # the menu has other lines now, or is closed
            # Only as the mouse moves: one that rests must not undo what arrow keys choose.
            if imgui.is_item_hovered() and ui.is_mouse_moving():
                menu.index = index
            if index == menu.index:
                draw.add_rect_filled(row.low, row.high, ui.FILL)
            _draw_line(line, row, lit=index == menu.index)
        else:  # no line was taken, so that the menu is still the same
            refusal = menu.lines[menu.index].refused
            if refusal:
                _draw_reason(refusal, box, layout)
            # Not on the press that has opened the menu: it is `fresh` then.
            if ui.is_mouse_pressed() and not menu.fresh and not box.covers(*imgui.get_mouse_pos()):
                menu.editor.close_menu()
            menu.fresh = False
        imgui.end()


def _menu_place(menu: EditMenu, layout: Layout) -> Rectangle:
    """Return the place of the editor's menu, [pixels]: at the mouse, but within the window.

    It is as wide as its longest words beside its longest result, or its title.

    Args:
        menu: its lines, and where the mouse was when it opened, `place`, [pixels].
        layout: size of the window.
    """
    pad = px(_MENU_PAD)
    # Five pads: at both edges, and three between words and results.
    words_width = max(measure(line.words, ui.TEXT).width for line in menu.lines)
    results_width = max(_result_width(line) for line in menu.lines)
    title_width = measure(menu.title, strong=True).width
    width = max(words_width + results_width + 5 * pad, title_width + 2 * pad)
    width = min(width, layout.width - 2 * pad)
    height = px(_TITLE_HEIGHT) + len(menu.lines) * px(_LINE_HEIGHT) + pad

    # Below the mouse, or above it where there is no room.
    x, y = menu.place
    left = max(min(x, layout.width - width - pad), pad)
    top = y - height if y + height > layout.height - pad else y
    top = max(min(top, layout.height - height - pad), pad)
    return Rectangle(round(left), round(top), width, height)


def _result_width(line: Entry) -> float:
    """Return the width of what comes of a line, [pixels]."""
    if line.colours is not None:
        return px(3 * _DOT_RADIUS) * min(len(line.colours), _MAX_DOTS)
    return min(measure(_result(line), ui.TEXT, strong=True).width, px(_MAX_RESULT_WIDTH))


def _result(line: Entry) -> str:
    """Return what comes of a line, in words."""
    if line.lines:
        return f"{line.result}  {_SUBMENU_SIGN}".strip()
    return _("not available") if line.refused else line.result


def _draw_line(line: Entry, row: Rectangle, *, lit: bool) -> None:
    """Draw a line of the editor's menu, and at the right what it results in.

    The result is a text, or the colours of props as dots. A refused line, which is not possible
    now, is pale, and so is the sign of a submenu.

    Args:
        line: line to draw.
        row: its place, [pixels].
        lit: whether it is the chosen one.
    """
    pad = px(_MENU_PAD)
    right = row.right - 1.5 * pad
    y = ui.line_top(row, ui.TEXT)
    tint = ui.MUTED if line.refused else ui.INK
    room = row.width - _result_width(line) - 5 * pad
    words = ui.ellipsize(line.words, room, ui.TEXT)
    draw_text(row.left + 1.5 * pad, y, words, tint, ui.TEXT)

    if line.colours is not None:
        draw = imgui.get_window_draw_list()
        radius = px(_DOT_RADIUS)
        x = right - radius
        for red, green, blue in reversed(line.colours[:_MAX_DOTS].tolist()):  # from the right
            draw.add_circle_filled((x, row.middle), radius, pack_colour((red, green, blue)))
            x -= px(3 * _DOT_RADIUS)
        return
    result = ui.ellipsize(_result(line), px(_MAX_RESULT_WIDTH), ui.TEXT, strong=True)
    ink = ui.ACCENT if lit else ui.INK
    if line.refused or line.lines:
        ink = ui.MUTED
    draw_text_before(right, y, result, ink, ui.TEXT, strong=not line.refused)


def _draw_reason(reason: str, menu: Rectangle, layout: Layout) -> None:
    """Draw why the chosen line cannot be done, below the menu or above it."""
    pad = px(_MENU_PAD)
    gap = px(4)
    text_width = menu.width - 2 * pad
    height = measure(reason, wrap=text_width).height + 2 * pad
    has_room_below = menu.bottom + gap + height < layout.height
    top = menu.bottom + gap if has_room_below else menu.top - height - gap
    draw = ui.draw_tooltip_box(Rectangle(menu.left, top, menu.width, height))
    left = menu.left + pad
    draw_text(left, top + pad, reason, ui.ERROR, wrap=text_width, draw=draw)
