"""A slider: one row of the panel, with a quantity's label, its value, and a bar behind both."""

from __future__ import annotations

from imgui_bundle import imgui

from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer import stops, theme, wording
from juggle_anim.viewer.card import begin_field, place_button
from juggle_anim.viewer.default_mark import draw_default_mark
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.slider_mouse import INSET, SliderMouse
from juggle_anim.viewer.theme import Theme
from juggle_anim.viewer.turning import fraction
from juggle_anim.viewer.usual import UsualValues

HEIGHT = 36.0
"""Of a row, at scale 1, [pixels]."""


class Sliders:
    """The rows of the panel."""

    def __init__(self) -> None:
        self._mouse, self._usual = SliderMouse(), UsualValues()

    def draw(self, model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
        """Draw a row and do what the mouse asks of it.

        Args:
            model: what is turned.
            look: fonts and sizes.
            quantity: that it shows.
            row: its place, [pixels].
        """
        if model.entry and model.entry.quantity is quantity:
            self._draw_entry(model, look, row)
            return
        if not model.is_default(quantity):
            # Before the slider: where two overlap, the library gives the mouse to the first.
            _reset_button(model, look, quantity, row)
        place_button(f"slider {quantity.name}", row)
        hovered, held = imgui.is_item_hovered(), imgui.is_item_active()
        words = _place_of_words(model, look, quantity, row)
        self._mouse.act(model, look, quantity, row, words)
        _draw_back(look, row, hovered or held, model.chosen is quantity)
        if hovered and not held and words.covers(*imgui.get_mouse_pos()):
            _draw_field(look, words)
        if isinstance(quantity, Choice):
            _draw_choice(model, look, quantity, row, hovered)
        else:
            self._draw_bar(model, look, quantity, row, hovered or held)
            _draw_words(look, quantity, row, _words(model, quantity), not model.is_default(quantity))

    def _draw_bar(self, model: Model, look: Theme, quantity: Row, row: Rectangle, lit: bool) -> None:
        draw, inset = imgui.get_window_draw_list(), look.size(INSET)
        left, right, middle = row.left + inset, row.right - inset, row.bottom - look.size(9)
        at, half = left + (right - left) * fraction(quantity, model.value(quantity)), look.size(1.5)
        draw.add_rect_filled((left, middle - half), (right, middle + half), theme.GROOVE, half)
        draw.add_rect_filled((left, middle - half), (at, middle + half), theme.ACCENT, half)
        usual = self._usual.of(model.animation, quantity)
        if usual is not None:
            draw_default_mark(look, left + (right - left) * fraction(quantity, usual), middle)
        draw.add_circle_filled((at, middle), look.size(5.5 if lit else 4.5), theme.ACCENT)

    def _draw_entry(self, model: Model, look: Theme, row: Rectangle) -> None:
        entry = model.entry
        assert entry is not None
        draw, rounding = imgui.get_window_draw_list(), look.size(6)
        low, high = row.low, row.high
        draw.add_rect_filled(low, high, theme.FIELD, rounding)
        tint = theme.ERROR if entry.error else theme.ACCENT
        draw.add_rect(low, high, tint, rounding=rounding, thickness=look.size(1.5))
        middle = row.top + (row.height - look.size(theme.TEXT)) / 2 - look.size(1)
        look.text(row.left + look.size(INSET), middle, entry.quantity.label, theme.MUTED)
        width = look.measure(entry.quantity.label)[0]
        left = row.left + width + look.size(2 * INSET)
        typed = _type_number(model, look, Rectangle(left, row.top, row.right - left, row.height))
        if typed is not None:
            model.apply_entry(typed)


def _type_number(model: Model, look: Theme, place: Rectangle) -> str | None:
    """The text field of an entry; returns the text once Enter is pressed."""
    entry = model.entry
    assert entry is not None
    begin_field(look, place, model.entry_wanted, inset=4)
    model.entry_wanted = False
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    done, entry.text = imgui.input_text("##number", entry.text, flags)
    imgui.pop_style_var()
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        _choose_all_typed()
    if not done and imgui.is_item_deactivated():
        model.close_entry()
    return entry.text if done else None


def _choose_all_typed() -> None:
    """Select the whole text of the field that is the last item; alone, it takes digits after a point for a word."""
    state = imgui.internal.get_input_text_state(imgui.get_item_id())
    if state:
        state.select_all()
        state.selected_all_mouse_lock = True


def _draw_back(look: Theme, row: Rectangle, lit: bool, chosen: bool) -> None:
    draw, rounding = imgui.get_window_draw_list(), look.size(7)
    low, high = row.low, row.high
    if chosen or lit:
        draw.add_rect_filled(low, high, theme.FILL_CHOSEN if chosen else theme.TRACK, rounding)
    if chosen:
        draw.add_rect(low, high, theme.ACCENT, rounding=rounding, thickness=look.size(1.5))


def _draw_choice(model: Model, look: Theme, choice: Choice, row: Rectangle, hovered: bool) -> None:
    inset, low = look.size(INSET), look.size(9)
    line = Rectangle(row.left + inset, row.bottom - low, row.width - 2 * inset, low)
    aimed = stops.draw_stops(look, choice, str(model.value(choice)), line, hovered)
    if aimed:
        _draw_words(look, choice, row, aimed, False)
    else:
        _draw_words(look, choice, row, _words(model, choice), not model.is_default(choice))


def _draw_words(look: Theme, quantity: Row, row: Rectangle, words: str, changed: bool) -> None:
    top, right = row.top + look.size(4), row.right - look.size(INSET)
    look.text(row.left + look.size(INSET), top, quantity.label)
    left = right - look.measure(words, strong=changed)[0]
    look.text(left, top, words, theme.ACCENT if changed else theme.MUTED, strong=changed)


def _place_of_words(model: Model, look: Theme, quantity: Row, row: Rectangle) -> Rectangle:
    """Where a click types a value: the written one, and what is beside it."""
    width = look.measure(_words(model, quantity), strong=not model.is_default(quantity))[0]
    left = row.right - look.size(INSET + 5) - max(width, look.size(_NARROWEST))
    return Rectangle(left, row.top, row.right - left, row.height / 2)


_NARROWEST = 18.0


def _draw_field(look: Theme, words: Rectangle) -> None:
    """Behind a value that a click would type."""
    imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    low = words.left, words.top + look.size(3)
    high = words.right - look.size(INSET - 5), words.top + look.size(21)
    draw, rounding = imgui.get_window_draw_list(), look.size(4)
    draw.add_rect_filled(low, high, theme.FIELD, rounding)
    draw.add_rect(low, high, theme.FAINT, rounding=rounding, thickness=look.size(1))


def _reset_button(model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
    """A round arrow to the left of a value that was changed."""
    width = look.measure(_words(model, quantity), strong=True)[0]
    left, top = row.right - look.size(INSET + 22) - width, row.top + look.size(2)
    imgui.set_cursor_screen_pos((left, top))
    if imgui.invisible_button(f"reset {quantity.name}", (look.size(20), look.size(20))):
        model.reset(quantity)
    look.text(left + look.size(4), top + look.size(2), "↺", theme.ACCENT if imgui.is_item_hovered() else theme.MUTED)


def _words(model: Model, quantity: Row) -> str:
    words = wording.written(quantity, model.value(quantity))
    automatic = quantity.default is None and model.is_default(quantity)
    return f"{wording.AUTOMATIC} {words}" if automatic else words
