"""The card of the palette: a field over the window, and the commands that fit what is typed."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.language import N_
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import Card, Frame, Slot, draw_text, measure, px
from juggle_anim.viewer.layout import Layout, Rectangle
from juggle_anim.viewer.state.keymap import NO_TIP, term_tip
from juggle_anim.viewer.state.palette import Command, Palette

# Sizes of the card at scale 1, [pixels].
_WIDTH = 640.0
_PAD = 10.0
_FIELD_HEIGHT = 38.0
_ROW_HEIGHT = 30.0
_MAX_ROWS = 12
_EMPTY_ROWS = 2  # of the words where nothing is found
_KEY_GAP = 4.0

_EMPTY = N_("Nothing found. Try another word, or Esc to close.")


class PaletteCard(Card):
    """The palette over the window; a click beside it closes it."""

    name = "palette"
    slot = Slot.WINDOW

    def draw(self, frame: Frame, place: Rectangle) -> None:
        """Draw field and commands; Enter or a click runs one, arrow keys choose one.

        Args:
            frame: the controller, its model and the layout of the window.
            place: the whole window, [pixels]; a click beside the sheet closes the palette.
        """
        palette = frame.controller.palette
        ui.begin_cover(self.name, place)
        box = _place(frame.layout, len(palette.found) or _EMPTY_ROWS)
        pad = px(_PAD)
        ui.fill_box(box, ui.SHEET, edge=ui.FAINT, rounding=12, thickness=1)
        field = Rectangle(box.left + pad, box.top + pad, box.width - 2 * pad, px(_FIELD_HEIGHT))
        _draw_field(palette, field)
        top = field.bottom + px(6)
        rows = Rectangle(field.left, top, field.width, box.bottom - pad - top)
        _draw_rows(palette, rows)
        # After the buttons of the rows: of buttons that overlap, imgui gives the mouse to the
        # first.
        if ui.place_button("sheet", box, NO_TIP, tab_stop=False):
            palette.wants_focus = True
        if ui.place_button("beside", place, NO_TIP, tab_stop=False):
            palette.shown = False
        ui.end_cover()


def _place(layout: Layout, row_count: int) -> Rectangle:
    """Return the place of the palette in the upper part of the picture, [pixels].

    It covers neither the line of beats above nor the bar below.

    Args:
        layout: layout of the window; `free` is the part of the picture that no card covers.
        row_count: number of commands; the palette has room for so many, as far as they fit and up
            to `_MAX_ROWS`.
    """
    margin = px(_PAD)
    free = layout.free
    width = min(px(_WIDTH), free.width - 2 * margin)
    top = max(round(0.1 * layout.height), free.top + margin)
    frame_height = px(2 * _PAD + _FIELD_HEIGHT + 6)
    row_height = px(_ROW_HEIGHT)
    fitting = int((free.bottom - top - frame_height) / row_height)
    height = frame_height + min(max(fitting, 1), _MAX_ROWS, row_count) * row_height
    left = free.centre - width / 2
    return Rectangle(round(left), round(top), round(width), round(height))


def _draw_field(palette: Palette, place: Rectangle) -> None:
    """Draw the search field of the command palette, search, and act on keys typed in the field.

    Enter runs the chosen command, Escape closes the palette, arrow keys and Page Up and Down
    choose.

    Args:
        palette: what is typed, and the commands it finds.
        place: place of the field, [pixels].
    """
    ui.fill_box(place, ui.FIELD, rounding=8)
    takes_focus = palette.wants_focus
    palette.wants_focus = False
    is_entered, query = ui.draw_field(
        "command",
        palette.query,
        place,
        takes_focus=takes_focus,
        hint=N_("Search actions, settings and patterns"),
        flags=int(imgui.InputTextFlags_.enter_returns_true),
        text_size=ui.LARGE,
        tip=term_tip("palette"),
    )
    ui.outline_box(place, ui.ACCENT, rounding=8)
    palette.search(query)
    if is_entered:
        palette.do(palette.index)
    # Escape ends typing: in that frame the field is no longer active, but still the last item.
    elif imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
        palette.shown = False
    elif imgui.is_item_active():
        for key, steps in (
            (imgui.Key.up_arrow, -1),
            (imgui.Key.down_arrow, 1),
            (imgui.Key.page_up, -_MAX_ROWS),
            (imgui.Key.page_down, _MAX_ROWS),
        ):
            if imgui.is_key_pressed(key):
                palette.step(steps)


def _draw_rows(palette: Palette, place: Rectangle) -> None:
    """Draw the visible rows of the list of commands, which scrolls by whole rows; a click runs one.

    Without any, say so.

    Args:
        palette: the commands, and the index of the chosen one.
        place: place of the list, [pixels].
    """
    if not palette.found:
        draw_text(
            place.left + px(8),
            place.top + px(7),
            _EMPTY,
            ui.MUTED,
            ui.TEXT,
            wrap=place.width - px(16),
        )
        return
    row_height = px(_ROW_HEIGHT)
    commands = palette.found
    pressed: int | None = None
    for index, row in ui.list_rows(
        "commands", palette, palette.index, len(commands), place, row_height, by_rows=True
    ):
        if ui.place_button(f"command {index}", row, NO_TIP, tab_stop=False):
            pressed = index
        # Only as the mouse moves: one that rests must not undo what arrow keys choose.
        if imgui.is_item_hovered() and ui.is_mouse_moving():
            palette.index = index
        _draw_row(commands[index], row, lit=index == palette.index)
    if pressed is not None:
        # Only after the loop, as a command may change or close the list.
        palette.do(pressed)


def _draw_row(command: Command, row: Rectangle, *, lit: bool) -> None:
    """Draw a command: its name, what it does if there is room, and its keys at the right.

    Args:
        command: the command with its name, a description (`about`) and its keys.
        row: its place, [pixels].
        lit: whether it is the chosen command.
    """
    if lit:
        ui.fill_box(row, ui.FILL, rounding=6)
    right = row.right - px(8)
    for key in reversed(command.keys):
        right -= ui.keycap_width(key)
        ui.draw_keycap(key, right, row.middle - px(10))
        right -= px(_KEY_GAP)
    left = row.left + px(8)
    y = row.middle - px(ui.TEXT / 2 + 1.5)
    name = ui.ellipsize(command.name, right - left - px(8), ui.TEXT, strong=lit)
    draw_text(left, y, name, ui.INK, ui.TEXT, strong=lit)
    left += measure(name, ui.TEXT, strong=lit).width + px(12)
    room = right - left - px(8)
    # The description is left out where it does not fit whole.
    if measure(command.about).width <= room:
        draw_text(left, ui.line_top(row), command.about, ui.MUTED)
