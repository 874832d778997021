"""Sliders: rows of the panel with a label, a value, and a bar or a segmented control.

A drag turns a slider, a click on its value types another, and a double or right click resets it.
"""

from __future__ import annotations

from enum import Enum, auto

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.layout import Rectangle
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import draw_default_mark, draw_field, fill_box, outline_box, place_button
from juggle_anim.viewer.footage.controls import FilmControls
from juggle_anim.viewer.learning.welcome import SLIDER
from juggle_anim.viewer.state import values
from juggle_anim.viewer.state.controls import DefaultValues
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.values import fraction, value_at

HEIGHT = 36.0
"""The height of a row, at scale 1, [pixels]."""

_NARROWEST = 18.0
_MOST_LETTERS = 19  # of a value that is shown

INSET = 10.0
"""From the edge of a row to the end of its groove, at scale 1, [pixels]."""

_STILL = 3.0  # a mouse moves so far in a click, at scale 1, [pixels]


SliderModel = Model | FilmControls
"""What sliders turn."""


class Sliders:
    """Draws sliders of a panel or a card."""

    def __init__(self) -> None:
        self._mouse, self._usual = SliderMouse(), DefaultValues()

    def draw(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
        """Draw a slider and follow the mouse.

        Args:
            model: whose control it turns.
            look: fonts and sizes.
            quantity: the parameter.
            row: its place, [pixels].
        """
        if model.entry and model.entry.quantity is quantity:
            self._draw_entry(model, look, row)
            return
        if model.fixed(quantity):
            draw_fixed(model, look, quantity, row)
            return
        if not model.is_default(quantity):
            # Before the slider: if two buttons overlap, imgui gives the mouse to the first.
            _reset_button(model, look, quantity, row)
        place_button(f"slider {quantity.name}", row)
        hovered, held = imgui.is_item_hovered(), imgui.is_item_active()
        words = _place_of_words(model, look, quantity, row)
        self._mouse.act(model, look, quantity, row, words)
        chosen = model.chosen is quantity
        if chosen and imgui.is_rect_visible(row.low, row.high):
            look.spots[SLIDER] = row
        if chosen or hovered or held:
            fill_box(look, row, theme.FILL_CHOSEN if chosen else theme.TRACK)
        if chosen:
            outline_box(look, row, theme.ACCENT)
        if hovered and not held and words.covers(*imgui.get_mouse_pos()):
            _draw_field(look, words)
        if isinstance(quantity, Choice):
            _draw_choice(model, look, quantity, row, hovered)
        else:
            self._draw_bar(model, look, quantity, row, hovered or held)
            _draw_words(look, quantity, row, _words(model, quantity), not model.is_default(quantity))

    def _draw_bar(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle, lit: bool) -> None:
        draw, inset = imgui.get_window_draw_list(), look.size(INSET)
        left, right, middle = row.left + inset, row.right - inset, row.bottom - look.size(9)
        at, half = left + (right - left) * fraction(quantity, model.value(quantity)), look.size(1.5)
        draw.add_rect_filled((left, middle - half), (right, middle + half), theme.GROOVE, half)
        draw.add_rect_filled((left, middle - half), (at, middle + half), theme.ACCENT, half)
        usual = self._usual.of(model.animation, quantity)
        if usual is not None:
            draw_default_mark(look, left + (right - left) * fraction(quantity, usual), middle)
        draw.add_circle_filled((at, middle), look.size(5.5 if lit else 4.5), theme.ACCENT)

    def _draw_entry(self, model: SliderModel, look: Theme, row: Rectangle) -> None:
        entry = model.entry
        assert entry is not None
        fill_box(look, row, theme.FIELD, 6)
        outline_box(look, row, theme.ERROR if entry.error else theme.ACCENT, 6)
        middle = row.top + (row.height - look.size(theme.TEXT)) / 2 - look.size(1)
        look.text(row.left + look.size(INSET), middle, entry.quantity.label, theme.MUTED)
        width = look.measure(entry.quantity.label)[0]
        left = row.left + width + look.size(2 * INSET)
        place = Rectangle(left, row.top, row.right - left, row.height)
        wanted, model.entry_wants_focus = model.entry_wants_focus, False
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        done, entry.text = draw_field(look, "number", entry.text, place, wanted, flags=flags, inset=4)
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            _choose_all_typed()
        if done:
            model.apply_entry(entry.text)
        elif imgui.is_item_deactivated():
            model.entry = None


def draw_fixed(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Draw a row that cannot be turned; a click chooses it, and the panel says why below the chosen one."""
    if place_button(f"slider {quantity.name}", row):
        model.choose(quantity)
    chosen = model.chosen is quantity
    if chosen or imgui.is_item_hovered():
        fill_box(look, row, theme.FILL_CHOSEN if chosen else theme.TRACK)
    if chosen:
        look.spots[SLIDER] = row
        outline_box(look, row, theme.ACCENT)
    top, inset, middle = row.top + look.size(4), look.size(INSET), row.bottom - look.size(9)
    look.text(row.left + inset, top, quantity.label, theme.MUTED)
    look.text_before(row.right - inset, top, "fixed", theme.MUTED)
    imgui.get_window_draw_list().add_rect_filled(
        (row.left + inset, middle - look.size(0.5)), (row.right - inset, middle + look.size(0.5)), theme.GROOVE
    )


def _choose_all_typed() -> None:
    """Select the whole text of the field that is the last item; imgui alone takes digits after a point for a word."""
    state = imgui.internal.get_input_text_state(imgui.get_item_id())
    if state:
        state.select_all()
        state.selected_all_mouse_lock = True


def _draw_choice(model: SliderModel, look: Theme, choice: Choice, row: Rectangle, hovered: bool) -> None:
    inset, low = look.size(INSET), look.size(9)
    line = Rectangle(row.left + inset, row.bottom - low, row.width - 2 * inset, low)
    aimed = draw_segmented_control(look, choice, str(model.value(choice)), line, hovered)
    _draw_words(look, choice, row, aimed or _words(model, choice), not aimed and not model.is_default(choice))


def _draw_words(look: Theme, quantity: Row, row: Rectangle, words: str, changed: bool) -> None:
    top, right = row.top + look.size(4), row.right - look.size(INSET)
    look.text(row.left + look.size(INSET), top, quantity.label)
    look.text_before(right, top, words, theme.ACCENT if changed else theme.MUTED, strong=changed)


def _place_of_words(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> Rectangle:
    """Return where a click types a value: the written value and its surroundings, [pixels]."""
    width = look.measure(_words(model, quantity), strong=not model.is_default(quantity))[0]
    left = row.right - look.size(INSET + 5) - max(width, look.size(_NARROWEST))
    return Rectangle(left, row.top, row.right - left, row.height / 2)


def _draw_field(look: Theme, words: Rectangle) -> None:
    """Draw a field behind a value that a click would edit."""
    imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    back = Rectangle(words.left, words.top + look.size(3), words.width - look.size(INSET - 5), look.size(18))
    fill_box(look, back, theme.FIELD, 4)
    outline_box(look, back, theme.FAINT, 4, 1)


def _reset_button(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Draw a round arrow to the left of a changed value."""
    width = look.measure(_words(model, quantity), strong=True)[0]
    left, top = row.right - look.size(INSET + 22) - width, row.top + look.size(2)
    if place_button(f"reset {quantity.name}", Rectangle(left, top, look.size(20), look.size(20))):
        model.reset(quantity)
    look.text(left + look.size(4), top + look.size(2), "↺", theme.ACCENT if imgui.is_item_hovered() else theme.MUTED)


def _words(model: SliderModel, quantity: Row) -> str:
    words = values.format_value(quantity, model.value(quantity))
    # A list of words for each throw or catch would lie over the label.
    words = words if len(words) <= _MOST_LETTERS else f"{words[: _MOST_LETTERS - 1]}…"
    automatic = quantity.default is None and model.is_default(quantity)
    return f"{values.AUTOMATIC} {words}" if automatic else words


class SliderMouse:
    """Follows the mouse over all sliders, and remembers what a double click has to undo."""

    def __init__(self) -> None:
        self._held = _Held.NOTHING
        self._mouse = 0.0  # its x when it turned something last, [pixels]
        self._pressed: Row | None = None
        self._left: Animation | None = None  # the animation after the last press, if that turned something

    def act(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle, words: Rectangle) -> None:
        """Let the mouse act on the slider that is imgui's last item.

        Args:
            model: whose control it turns.
            look: sizes.
            quantity: the parameter.
            row: its place, [pixels].
            words: the place of its value, where a click types another, [pixels].
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
            # A whole drag is one step.
            model.undo.seal()

    def _press(self, model: SliderModel, quantity: Row, row: Rectangle, words: Rectangle, look: Theme) -> None:
        io = imgui.get_io()
        # Of three quick clicks the last two are a double click, too.
        again = imgui.get_mouse_clicked_count(imgui.MouseButton_.left) > 1 and self._pressed is quantity
        model.choose(quantity)
        self._mouse, self._pressed = io.mouse_pos.x, quantity
        self._held = _Held.NOTHING
        if io.key_ctrl:
            model.open_entry(quantity)
        elif words.covers(io.mouse_pos.x, io.mouse_pos.y):
            # Only on release: until then it may become a drag.
            self._held = _Held.WORDS
        elif again:
            self._reset(model, quantity)
        else:
            self._held, self._left = _Held.SLIDER, None
            # A click on the label only chooses; on the bar it turns at once.
            if io.mouse_pos.y > row.top + row.height / 2:
                before = model.animation
                _turn(model, look, quantity, row)
                self._left = model.animation if model.animation is not before else None

    def _reset(self, model: SliderModel, quantity: Row) -> None:
        # The first of the two clicks may have turned it: both are one step.
        if self._left is model.animation:
            model.undo.reopen(quantity.name)
        model.reset(quantity)
        model.undo.seal()

    def _drag(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
        # A resting mouse turns nothing, so that what was undone since stays undone.
        at, self._held = imgui.get_io().mouse_pos.x, _Held.SLIDER
        if model.entry is None and at != self._mouse:
            self._mouse = at
            _turn(model, look, quantity, row)

    def _dragged(self, look: Theme) -> bool:
        return imgui.is_item_active() and imgui.is_mouse_dragging(imgui.MouseButton_.left, look.size(_STILL))

    def _flicked(self, look: Theme) -> bool:
        """Whether the mouse moved on since it turned something, and was released within the same frame."""
        released = imgui.is_mouse_released(imgui.MouseButton_.left)
        return released and abs(imgui.get_io().mouse_pos.x - self._mouse) > look.size(_STILL)


class _Held(Enum):
    """The part of a slider that a drag began on."""

    NOTHING = auto()  # nothing that a drag turns
    SLIDER = auto()
    WORDS = auto()


def _turn(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Turn a parameter to the value under the mouse."""
    io, inset = imgui.get_io(), look.size(INSET)
    model.drag(quantity, (io.mouse_pos.x - row.left - inset) / (row.width - 2 * inset), fine=io.key_shift)


def draw_segmented_control(look: Theme, choice: Choice, value: str, line: Rectangle, hovered: bool) -> str:
    """Draw a choice as segments, the present one filled, with a mark at the default if that is another.

    Args:
        look: sizes.
        choice: the parameter, with a segment for each word.
        value: the present word.
        line: the segments are centred on its upper edge, [pixels].
        hovered: whether the mouse is over the row.

    Returns:
        The word that a click would choose; empty if the mouse is not over the line, or over the present word.
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
