"""A slider: one row of the panel, with a quantity's label, its value, and a bar behind both.

MERGED: What the mouse does to a slider: a drag turns it, a click on its value types, a double or a right click
resets it.

MERGED: Stops: a choice as a line of segments, one for each word; there is no more or less among words.
"""

from __future__ import annotations

from enum import Enum, auto

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import begin_field, draw_default_mark, place_button
from juggle_anim.viewer.state import values
from juggle_anim.viewer.state.controls import UsualValues
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.values import fraction, value_at

HEIGHT = 36.0
"""Of a row, at scale 1, [pixels]."""

_NARROWEST = 18.0

INSET = 10.0
"""From the edge of a row to the end of its groove, at scale 1, [pixels]."""

_STILL = 3.0  # a hand moves so far without meaning to, at scale 1, [pixels]


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
    aimed = draw_segmented_control(look, choice, str(model.value(choice)), line, hovered)
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


def _draw_field(look: Theme, words: Rectangle) -> None:
    """Behind a value that a click would type."""
    imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    low = words.left, words.top + look.size(3)
    high = words.right - look.size(INSET - 5), words.top + look.size(21)
    draw, rounding = imgui.get_window_draw_list(), look.size(4)
    draw.add_rect_filled(low, high, theme.FIELD, rounding)
    draw.add_rect(low, high, theme.FAINT_INK, rounding=rounding, thickness=look.size(1))


def _reset_button(model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
    """A round arrow to the left of a value that was changed."""
    width = look.measure(_words(model, quantity), strong=True)[0]
    left, top = row.right - look.size(INSET + 22) - width, row.top + look.size(2)
    imgui.set_cursor_screen_pos((left, top))
    if imgui.invisible_button(f"reset {quantity.name}", (look.size(20), look.size(20))):
        model.reset(quantity)
    look.text(left + look.size(4), top + look.size(2), "↺", theme.ACCENT if imgui.is_item_hovered() else theme.MUTED)


def _words(model: Model, quantity: Row) -> str:
    words = values.written(quantity, model.value(quantity))
    automatic = quantity.default is None and model.is_default(quantity)
    return f"{values.AUTOMATIC} {words}" if automatic else words


class SliderMouse:
    """Follows the mouse over all sliders; remembers what a double click has to take back."""

    def __init__(self) -> None:
        self._held = _Held.NOTHING
        self._mouse = 0.0  # where it was across when it turned something last, [pixels]
        self._pressed: Row | None = None
        self._left: Animation | None = None  # what the last press left, if it turned something

    def act(self, model: Model, look: Theme, quantity: Row, row: Rectangle, words: Rectangle) -> None:
        """Do what the mouse asks of the slider that is imgui's last item.

        Args:
            model: what is turned.
            look: sizes.
            quantity: that the slider shows.
            row: its place, [pixels].
            words: the place in it of the value, where a click types another, [pixels].
        """
        hovered, let_go = imgui.is_item_hovered(), imgui.is_item_deactivated()
        if imgui.is_item_activated():
            self._press(model, quantity, row, words, look)
        elif self._held is not _Held.NOTHING and (self._dragged(look) or (let_go and self._flicked(look))):
            self._drag(model, look, quantity, row)
        elif let_go and hovered and self._held is _Held.WORDS:
            model.open_entry(quantity)
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            model.choose(quantity)
            model.undo.seal()
            model.reset(quantity)
            model.undo.seal()
        if let_go:
            # However long it was dragged, it was turned once.
            model.undo.seal()

    def _press(self, model: Model, quantity: Row, row: Rectangle, words: Rectangle, look: Theme) -> None:
        io = imgui.get_io()
        again = imgui.is_mouse_double_clicked(imgui.MouseButton_.left) and self._pressed is quantity
        model.choose(quantity)
        self._mouse, self._pressed = io.mouse_pos.x, quantity
        self._held = _Held.NOTHING
        if io.key_ctrl:
            model.open_entry(quantity)
        elif words.covers(io.mouse_pos.x, io.mouse_pos.y):
            # Only once it is let go: until then it may become a drag.
            self._held = _Held.WORDS
        elif again:
            self._reset(model, quantity)
        else:
            self._held, self._left = _Held.SLIDER, None
            # A click on the label only chooses; on the groove it turns at once.
            if io.mouse_pos.y > row.top + row.height / 2:
                before = model.animation
                _turn(model, look, quantity, row)
                self._left = model.animation if model.animation is not before else None

    def _reset(self, model: Model, quantity: Row) -> None:
        # The first of the two clicks may have turned it: both together are one step.
        if self._left is model.animation:
            model.undo.reopen(quantity.name)
        model.reset(quantity)
        model.undo.seal()

    def _drag(self, model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
        # A mouse that rests turns nothing: what was undone since stays undone.
        at, self._held = imgui.get_io().mouse_pos.x, _Held.SLIDER
        if model.entry is None and at != self._mouse:
            self._mouse = at
            _turn(model, look, quantity, row)

    def _dragged(self, look: Theme) -> bool:
        return imgui.is_item_active() and imgui.is_mouse_dragging(imgui.MouseButton_.left, look.size(_STILL))

    def _flicked(self, look: Theme) -> bool:
        """Whether the mouse went on since it turned something, and was let go within the same frame."""
        released = imgui.is_mouse_released(imgui.MouseButton_.left)
        return released and abs(imgui.get_io().mouse_pos.x - self._mouse) > look.size(_STILL)


class _Held(Enum):
    """What the button that is down was pressed on."""

    NOTHING = auto()  # that a drag would turn
    SLIDER = auto()
    WORDS = auto()


def _turn(model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Turn a quantity to where the mouse is."""
    io, inset = imgui.get_io(), look.size(INSET)
    model.drag(quantity, (io.mouse_pos.x - row.left - inset) / (row.width - 2 * inset), fine=io.key_shift)


def draw_segmented_control(look: Theme, choice: Choice, value: str, line: Rectangle, hovered: bool) -> str:
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
        tint = theme.ACCENT if option == value else theme.FAINT_INK if option == aimed else theme.GROOVE
        draw.add_rect_filled((left, line.top - half), (right, line.top + half), tint, half)
    if value != choice.default:
        draw_default_mark(look, line.left + line.width * fraction(choice, choice.default), line.top)
    return "" if aimed == value else aimed
