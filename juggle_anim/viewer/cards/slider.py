"""Sliders: rows of the panel with a label and a value, and a bar, or the options of a choice.

A drag turns a slider, a click on its value types another, and a double or right click resets it. A
few short options stand side by side; more are in a list, which a click opens.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.language import _
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.cards import theme
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.cards.widgets import (
    draw_chevron,
    draw_default_mark,
    draw_field,
    ellipsize,
    fill_box,
    outline_box,
    place_button,
    place_opener,
)
from juggle_anim.viewer.footage.controls import FilmControls
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.learning.welcome import SLIDER
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.controls import DefaultValues
from juggle_anim.viewer.panel.values import fraction, option_words
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.terms import Tip, option_tip, row_tip, term_tip

_CLICK_DISTANCE = 3.0  # that the mouse may move in a click, at scale 1, [pixels]

SliderModel = Model | FilmControls
"""What sliders turn."""

INSET = 10.0
"""From the edge of a row to the end of its groove, at scale 1, [pixels]."""


class SliderMouse:
    """Follows the mouse over all sliders, and remembers what a double click has to undo."""

    def __init__(self) -> None:
        self._held = _Held.NOTHING
        self._mouse = 0.0  # its x when it turned something last, [pixels]
        self._pressed: Row | None = None
        # The animation after the last press, if that turned something.
        self._left: Animation | None = None

    def act(
        self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle, words: Rectangle
    ) -> None:
        """Let the mouse act on the slider that is imgui's last item.

        Args:
            model: whose control it turns.
            look: sizes.
            quantity: the parameter.
            row: its place, [pixels].
            words: the place of its value, where a click types another, [pixels].
        """
        hovered = imgui.is_item_hovered()
        let_go = imgui.is_item_deactivated()
        if imgui.is_item_activated():
            self._press(model, quantity, row, words, look)
        elif self._held is not _Held.NOTHING and (
            self._dragged(look) or (let_go and self._flicked(look))
        ):
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

    def _press(
        self, model: SliderModel, quantity: Row, row: Rectangle, words: Rectangle, look: Theme
    ) -> None:
        """Choose a row as the mouse goes down, and begin what a drag or a release goes on with."""
        io = imgui.get_io()
        # Of three quick clicks the last two are a double click, too.
        again = (
            imgui.get_mouse_clicked_count(imgui.MouseButton_.left) > 1 and self._pressed is quantity
        )
        model.choose(quantity)
        self._mouse = io.mouse_pos.x
        self._pressed = quantity
        self._held = _Held.NOTHING
        if io.key_ctrl:
            model.open_entry(quantity)
        elif words.covers(io.mouse_pos.x, io.mouse_pos.y):
            # Only on release: until then it may become a drag.
            self._held = _Held.WORDS
        elif again:
            self._reset(model, quantity)
        else:
            self._held = _Held.SLIDER
            self._left = None
            # A click on the label only chooses, and so does one on a choice; on the bar it turns at
            # once.
            if isinstance(quantity, Choice):
                self._held = _Held.NOTHING
            elif io.mouse_pos.y > row.top + row.height / 2:
                before = model.animation
                _turn(model, look, quantity, row)
                self._left = model.animation if model.animation is not before else None

    def _reset(self, model: SliderModel, quantity: Row) -> None:
        """Reset a parameter to its default."""
        # The first of the two clicks may have turned it: both are one step.
        if self._left is model.animation:
            model.undo.reopen(quantity.name)
        model.reset(quantity)
        model.undo.seal()

    def _drag(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
        """Turn a parameter to the value under a mouse that has moved."""
        # A resting mouse turns nothing, so that what was undone since stays undone.
        at = imgui.get_io().mouse_pos.x
        self._held = _Held.SLIDER
        if model.entry.typed is None and at != self._mouse:
            self._mouse = at
            _turn(model, look, quantity, row)

    def _dragged(self, look: Theme) -> bool:
        """Whether the mouse has moved far enough for a drag."""
        return imgui.is_item_active() and imgui.is_mouse_dragging(
            imgui.MouseButton_.left, look.size(_CLICK_DISTANCE)
        )

    def _flicked(self, look: Theme) -> bool:
        """Whether the mouse has moved since it turned something, and was just released."""
        released = imgui.is_mouse_released(imgui.MouseButton_.left)
        return released and abs(imgui.get_io().mouse_pos.x - self._mouse) > look.size(
            _CLICK_DISTANCE
        )


class _Held(Enum):
    """The part of a slider that a drag began on."""

    NOTHING = auto()  # nothing that a drag turns
    SLIDER = auto()
    WORDS = auto()


def _turn(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Turn a parameter to the value under the mouse."""
    io = imgui.get_io()
    inset = look.size(INSET)
    model.drag(
        quantity, (io.mouse_pos.x - row.left - inset) / (row.width - 2 * inset), fine=io.key_shift
    )


HEIGHT = 36.0
CHOICE_HEIGHT = 30.0
"""The height of a row with a bar, and of one with options, at scale 1, [pixels]."""


def height(row: Row) -> float:
    """Return the height of the row of a control, at scale 1, [pixels]."""
    return CHOICE_HEIGHT if isinstance(row, Choice) else HEIGHT


# Sizes of the card at scale 1, [pixels].
_MIN_VALUE_WIDTH = 18.0
_BETWEEN = 8.0  # label and value

# height of options, and space beside words
_CHIP_HEIGHT = 22.0
_CHIP_PAD = 8.0
# of a row: width of a list that opens, and of one whose option is long
_LIST_SHARE = 0.52
_MAX_CHIPS_SHARE = 0.7


class Sliders:
    """Draws sliders of a panel or a card."""

    def __init__(self) -> None:
        self._mouse = SliderMouse()
        self._usual = DefaultValues()

    def draw(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
        """Draw a slider and follow the mouse.

        Args:
            model: whose control it turns.
            look: fonts and sizes.
            quantity: the parameter.
            row: its place, [pixels].
        """
        if model.entry.typed and model.entry.typed.quantity is quantity:
            self._draw_entry(model, look, row)
            return
        tip = row_tip(quantity, self._usual.of(model.animation, quantity))
        if model.chosen is quantity and imgui.is_rect_visible(row.low, row.high):
            look.spots[SLIDER] = row
        if model.fixed(quantity):
            draw_fixed(model, look, quantity, row)
            return
        if isinstance(quantity, Choice):
            self._draw_choice(model, look, quantity, row, tip)
            return
        if not model.is_default(quantity):
            # Before the slider: if two buttons overlap, imgui gives the mouse to the first.
            width = look.measure(_words(model, look, quantity, row), strong=True)[0]
            _reset_button(
                model,
                look,
                quantity,
                row.right - look.size(INSET + 22) - width,
                row.top + look.size(2),
            )
        place_button(f"slider {quantity.name}", row, tip, stop=False)
        hovered = imgui.is_item_hovered()
        held = imgui.is_item_active()
        words = _place_of_words(model, look, quantity, row)
        self._mouse.act(model, look, quantity, row, words)
        chosen = model.chosen is quantity
        if chosen or hovered or held:
            fill_box(look, row, theme.FILL_CHOSEN if chosen else theme.TRACK)
        if chosen:
            outline_box(look, row, theme.ACCENT)
        if hovered and not held and words.covers(*imgui.get_mouse_pos()):
            _draw_field(look, words)
        self._draw_bar(model, look, quantity, row, hovered or held)
        _draw_words(
            look, quantity, row, _words(model, look, quantity, row), not model.is_default(quantity)
        )

    def _draw_choice(
        self, model: SliderModel, look: Theme, choice: Choice, row: Rectangle, tip: Tip
    ) -> None:
        """Draw a choice: its options beside each other if there is room, or a list to be opened."""
        changed = not model.is_default(choice)
        value = str(model.value(choice))
        inset = look.size(INSET)
        label = look.measure(choice.label)[0]
        across = _chips_width(look, choice)
        room = row.width - 2 * inset - label - look.size(12 + 20)
        chips = across <= room and value in choice.options
        # The option is what one looks for, so it is whole where the name of the choice is not.
        needed = _list_width(look, model, choice, value)
        wide = (
            across
            if chips
            else max(min(row.width * _LIST_SHARE, room), min(needed, row.width * _MAX_CHIPS_SHARE))
        )
        box = Rectangle(
            row.right - inset - wide,
            row.middle - look.size(_CHIP_HEIGHT / 2),
            wide,
            look.size(_CHIP_HEIGHT),
        )
        hovered = row.covers(*imgui.get_mouse_pos()) and imgui.is_window_hovered()
        if model.chosen is choice or hovered:
            fill_box(look, row, theme.FILL_CHOSEN if model.chosen is choice else theme.TRACK)
        if model.chosen is choice:
            outline_box(look, row, theme.ACCENT)
        if model.drop_downs.now and model.drop_downs.now.name == choice.name:
            model.drop_downs.now.anchor = box
        # Before the row: if two buttons overlap, imgui gives the mouse to the first.
        if changed:
            _reset_button(model, look, choice, box.left - look.size(22), row.middle - look.size(10))
        if chips:
            _draw_chips(model, look, choice, value, box)
        else:
            _draw_list(model, look, choice, value, box, tip)
        place_button(f"slider {choice.name}", row, tip, stop=False)
        self._mouse.act(model, look, choice, row, Rectangle(box.left, row.top, 0.0, 0.0))
        name = ellipsize(
            look, choice.label, box.left - row.left - inset - look.size(_BETWEEN + 20 * changed)
        )
        look.text(row.left + inset, row.middle - look.size(theme.TEXT / 2 + 2), name)

    def _draw_bar(
        self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle, lit: bool
    ) -> None:
        """Draw the groove with the value, the default and the knob."""
        draw = imgui.get_window_draw_list()
        inset = look.size(INSET)
        left = row.left + inset
        right = row.right - inset
        middle = row.bottom - look.size(9)
        at = left + (right - left) * fraction(quantity, model.value(quantity))
        half = look.size(1.5)
        draw.add_rect_filled((left, middle - half), (right, middle + half), theme.GROOVE, half)
        draw.add_rect_filled((left, middle - half), (at, middle + half), theme.ACCENT, half)
        usual = self._usual.of(model.animation, quantity)
        if usual is not None:
            draw_default_mark(look, left + (right - left) * fraction(quantity, usual), middle)
        draw.add_circle_filled((at, middle), look.size(5.5 if lit else 4.5), theme.ACCENT)

    def _draw_entry(self, model: SliderModel, look: Theme, row: Rectangle) -> None:
        """Draw the field in which a value is typed."""
        entry = model.entry.typed
        assert entry is not None
        fill_box(look, row, theme.FIELD, 6)
        outline_box(look, row, theme.ERROR if entry.error else theme.ACCENT, 6)
        middle = row.top + (row.height - look.size(theme.TEXT)) / 2 - look.size(1)
        look.text(row.left + look.size(INSET), middle, entry.quantity.label, theme.MUTED)
        width = look.measure(entry.quantity.label)[0]
        left = row.left + width + look.size(2 * INSET)
        place = Rectangle(left, row.top, row.right - left, row.height)
        wanted = model.entry.wants_focus
        model.entry.wants_focus = False
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        tip = term_tip("entry field")
        done, entry.text = draw_field(
            look, "number", entry.text, place, wanted, flags=flags, inset=4, tip=tip
        )
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            _choose_all_typed()
        if done:
            model.entry.apply(entry.text)
        elif imgui.is_item_deactivated():
            model.entry.cancel()


def draw_fixed(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Draw a row that cannot be turned; a click chooses it.

    The panel says why it is fixed below the chosen row.
    """
    if place_button(
        f"slider {quantity.name}",
        row,
        replace(row_tip(quantity), notes=model.fixed(quantity)),
        stop=False,
    ):
        model.choose(quantity)
    chosen = model.chosen is quantity
    if chosen or imgui.is_item_hovered():
        fill_box(look, row, theme.FILL_CHOSEN if chosen else theme.TRACK)
    if chosen:
        outline_box(look, row, theme.ACCENT)
    top = row.top + look.size(4)
    inset = look.size(INSET)
    middle = row.bottom - look.size(9)
    if isinstance(quantity, Choice):
        top = row.middle - look.size(theme.TEXT / 2 + 2)
    look.text(row.left + inset, top, quantity.label, theme.MUTED)
    look.text_before(row.right - inset, top, _("fixed"), theme.MUTED)
    if isinstance(quantity, Choice):
        return
    imgui.get_window_draw_list().add_rect_filled(
        (row.left + inset, middle - look.size(0.5)),
        (row.right - inset, middle + look.size(0.5)),
        theme.GROOVE,
    )


def _choose_all_typed() -> None:
    """Select the whole text of the field that is the last item.

    A double click of imgui alone would take digits after a point for a word.
    """
    state = imgui.internal.get_input_text_state(imgui.get_item_id())
    if state:
        state.select_all()
        state.selected_all_mouse_lock = True


def _chips_width(look: Theme, choice: Choice) -> float:
    """Return how wide all options are beside each other, [pixels]."""
    words = (
        look.measure(option_words(option), theme.SMALL, strong=True)[0] for option in choice.options
    )
    return sum(words) + 2 * look.size(_CHIP_PAD) * len(choice.options)


def _draw_chips(
    model: SliderModel, look: Theme, choice: Choice, value: str, box: Rectangle
) -> None:
    """Draw all options beside each other, the present one filled; a click chooses one."""
    fill_box(look, box, theme.TRACK, 6)
    x = box.left
    top = box.top + look.size(3)
    for option in choice.options:
        shown = option_words(option)
        wide = look.measure(shown, theme.SMALL, strong=True)[0] + 2 * look.size(_CHIP_PAD)
        chip = Rectangle(x, box.top, wide, box.height)
        on = option == value
        if place_button(f"{choice.name} {option}", chip, option_tip(choice, option), stop=False):
            _choose(model, choice, option)
        lit = imgui.is_item_hovered()
        if imgui.is_item_hovered() and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            _choose(model, choice, choice.default)
        if on or lit:
            fill_box(look, chip, theme.FILL if on else theme.TRACK_HOVERED, 6)
        tint = theme.ACCENT if on else theme.INK if lit else theme.MUTED
        words = look.measure(shown, theme.SMALL, strong=on)[0]
        look.text(x + (wide - words) / 2, top, shown, tint, theme.SMALL, strong=on)
        x += wide


def _list_width(look: Theme, model: SliderModel, choice: Choice, value: str) -> float:
    """Return how wide the present option is with the sign of a list, [pixels]."""
    words = look.measure(
        values.format_value(choice, value), theme.SMALL, strong=not model.is_default(choice)
    )[0]
    return words + 2 * look.size(_CHIP_PAD) + look.size(13)


def _draw_list(
    model: SliderModel, look: Theme, choice: Choice, value: str, box: Rectangle, tip: Tip
) -> None:
    """Draw the present option with the sign of a list; a click opens the list."""
    if place_opener(f"list {choice.name}", box, tip, stop=False):
        model.choose(choice)
        model.open_entry(choice)
    lit = imgui.is_item_hovered()
    if lit and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        _choose(model, choice, choice.default)
    fill_box(look, box, theme.TRACK_HOVERED if lit else theme.TRACK, 6)
    changed = not model.is_default(choice)
    room = box.width - 2 * look.size(_CHIP_PAD) - look.size(12)
    words = ellipsize(look, values.format_value(choice, value), room, theme.SMALL, strong=changed)
    tint = theme.ACCENT if changed else theme.INK
    look.text(
        box.left + look.size(_CHIP_PAD),
        box.top + look.size(3),
        words,
        tint,
        theme.SMALL,
        strong=changed,
    )
    draw_chevron(
        look, box.right - look.size(_CHIP_PAD + 4), box.middle, theme.ACCENT if lit else theme.MUTED
    )


def _choose(model: SliderModel, choice: Choice, option: str) -> None:
    """Set a choice, as one step of undo."""
    model.choose(choice)
    model.undo.seal()
    model.set_value(choice, option)
    model.undo.seal()


def _draw_words(look: Theme, quantity: Row, row: Rectangle, words: str, changed: bool) -> None:
    """Draw the name of a row and its value."""
    top = row.top + look.size(4)
    right = row.right - look.size(INSET)
    # The value is what one looks for, so it is whole where its name is not.
    room = (
        row.width
        - look.size(2 * INSET + _BETWEEN + 22 * changed)
        - look.measure(words, strong=changed)[0]
    )
    look.text(row.left + look.size(INSET), top, ellipsize(look, quantity.label, room))
    look.text_before(right, top, words, theme.ACCENT if changed else theme.MUTED, strong=changed)


def _place_of_words(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> Rectangle:
    """Return where a click types a value: the written value and its surroundings, [pixels]."""
    width = look.measure(_words(model, look, quantity, row), strong=not model.is_default(quantity))[
        0
    ]
    left = row.right - look.size(INSET + 5) - max(width, look.size(_MIN_VALUE_WIDTH))
    return Rectangle(left, row.top, row.right - left, row.height / 2)


def _draw_field(look: Theme, words: Rectangle) -> None:
    """Draw a field behind a value that a click would edit."""
    imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    back = Rectangle(
        words.left, words.top + look.size(3), words.width - look.size(INSET - 5), look.size(18)
    )
    fill_box(look, back, theme.FIELD, 4)
    outline_box(look, back, theme.FAINT, 4, 1)


def _reset_button(model: SliderModel, look: Theme, quantity: Row, left: float, top: float) -> None:
    """Draw a round arrow to the left of a changed value, with its upper left corner, [pixels]."""
    place = Rectangle(left, top, look.size(20), look.size(20))
    if place_button(f"reset {quantity.name}", place, term_tip("reset"), stop=False):
        model.reset(quantity)
    look.text(
        left + look.size(4),
        top + look.size(2),
        "↺",
        theme.ACCENT if imgui.is_item_hovered() else theme.MUTED,
    )


def _words(model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> str:
    """Return the value, without its unit where there is no room beside the arrow that resets it."""
    words = values.format_value(quantity, model.value(quantity))
    changed = not model.is_default(quantity)
    room = row.width - look.size(2 * INSET + _BETWEEN + 22 * changed)
    beside = room - look.measure(quantity.label)[0]
    if quantity.default is None and not changed:
        labelled = f"{_(values.AUTOMATIC)}: {words}"
        words = labelled if look.measure(labelled)[0] <= beside else words
    if look.measure(words, strong=changed)[0] > beside:
        words = values.plain_text(quantity, model.value(quantity)).replace("-", "−")
    return ellipsize(look, words, room, strong=changed)
