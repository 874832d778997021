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
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    draw_chevron,
    draw_default_mark,
    draw_field,
    draw_text,
    draw_text_before,
    ellipsize,
    fill_box,
    measure,
    place_button,
    place_opener,
    px,
)
from juggle_anim.viewer.footage.footage import FilmControls
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.learning.welcome import SLIDER
from juggle_anim.viewer.panel import values
from juggle_anim.viewer.panel.controls import DefaultValues, chosen_value
from juggle_anim.viewer.panel.values import ValueEntry, fraction, option_words
from juggle_anim.viewer.state.keymap import Tip, option_tip, row_tip, term_tip
from juggle_anim.viewer.state.model import Model

_CLICK_DISTANCE = 3.0  # that the mouse may move in a click, at scale 1, [pixels]

SliderModel = Model | FilmControls
"""What sliders turn."""

INSET = 10.0
"""From the edge of a row to the end of its groove, at scale 1, [pixels]."""


class SliderMouse:
    """Follows the mouse over all sliders, and remembers what a double click has to undo."""

    def __init__(self) -> None:
        self._drag_target = _DragTarget.NOTHING
        self._last_mouse_x = 0.0  # its x when it turned something last, [pixels]
        self._pressed_row: Row | None = None
        # The animation after the last press, if that turned something.
        self._animation_after_press: Animation | None = None

    def act(
        self, model: SliderModel, quantity: Row, row: Rectangle, value_place: Rectangle
    ) -> None:
        """Handle the mouse on a slider, whose button must be the item that imgui has just placed.

        A drag moves the slider, a click on its value opens a field to type another, and a right
        click resets it. Called for each slider in every frame.

        Args:
            model: the model with the parameter.
            quantity: the parameter of the slider.
            row: place of the slider, [pixels].
            value_place: place of its value, [pixels].
        """
        hovered = imgui.is_item_hovered()
        is_released = imgui.is_item_deactivated()  # in this frame
        is_holding = self._drag_target is not _DragTarget.NOTHING
        if imgui.is_item_activated():
            self._press(model, quantity, row, value_place)
        elif is_holding and self._dragged():
            self._drag(model, quantity, row)
        elif is_released and hovered and self._drag_target is _DragTarget.VALUE:
            model.open_entry(quantity)
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            model.choose(quantity)
            with model.undo.own_step():
                model.reset(quantity)
        if is_released:
            # All changes of a drag have joined one step of undo, which ends here.
            model.undo.end_step()

    def _press(
        self, model: SliderModel, quantity: Row, row: Rectangle, value_place: Rectangle
    ) -> None:
        """Handle a press of the mouse on a row: choose the row, and note what a drag would move.

        With Ctrl, a press opens the field to type a value. A double click resets the slider. A
        press on the bar moves the knob there at once, and one on the label only chooses the row.

        Args:
            model: the model with the parameter.
            quantity: the parameter of the row.
            row: place of the row, [pixels].
            value_place: place of its value, [pixels].
        """
        io = imgui.get_io()
        # imgui counts quick clicks: with a third one, the last two are a double click again. Both
        # clicks have to be on this row.
        is_double_click = (
            imgui.get_mouse_clicked_count(imgui.MouseButton_.left) > 1
            and self._pressed_row is quantity
        )
        model.choose(quantity)
        self._last_mouse_x = io.mouse_pos.x
        self._pressed_row = quantity
        self._drag_target = _DragTarget.NOTHING
        if io.key_ctrl:
            model.open_entry(quantity)
        elif value_place.covers(io.mouse_pos.x, io.mouse_pos.y):
            # The field opens only when the mouse is released: until then this may become a drag.
            self._drag_target = _DragTarget.VALUE
        elif is_double_click:
            self._reset(model, quantity)
        else:
            self._drag_target = _DragTarget.SLIDER
            self._animation_after_press = None
            # A choice cannot be dragged. A slider has its label in the upper half of the row, where
            # a press only chooses, and its bar in the lower half, where it turns at once.
            if isinstance(quantity, Choice):
                self._drag_target = _DragTarget.NOTHING
            elif io.mouse_pos.y > row.middle:
                before = model.animation
                _turn(model, quantity, row)
                self._animation_after_press = (
                    model.animation if model.animation is not before else None
                )

    def _reset(self, model: SliderModel, quantity: Row) -> None:
        """Reset a parameter to its default, on the second press of a double click."""
        # The first press may have turned the parameter. If nothing has changed since, its step of
        # undo is opened again, so that undo takes back both at once.
        if self._animation_after_press is model.animation:
            model.undo.reopen(quantity.name)
        model.reset(quantity)
        model.undo.end_step()

    def _drag(self, model: SliderModel, quantity: Row, row: Rectangle) -> None:
        """Turn a parameter to the value under the mouse, if that has moved since the last time."""
        # A mouse that is held down but rests turns nothing: otherwise it would at once turn the
        # slider back after an undo by a key.
        mouse_x = imgui.get_io().mouse_pos.x
        self._drag_target = (
            _DragTarget.SLIDER
        )  # a drag that began on the value is one of the slider, too
        if model.entry.typed is None and mouse_x != self._last_mouse_x:
            self._last_mouse_x = mouse_x
            _turn(model, quantity, row)

    def _dragged(self) -> bool:
        """Return whether the mouse has moved far enough for a drag."""
        return imgui.is_item_active() and imgui.is_mouse_dragging(
            imgui.MouseButton_.left, px(_CLICK_DISTANCE)
        )


class _DragTarget(Enum):
    """The part of a slider that a drag began on."""

    NOTHING = auto()  # nothing that a drag turns
    SLIDER = auto()
    VALUE = auto()


def _turn(model: SliderModel, quantity: Row, row: Rectangle) -> None:
    """Set a parameter to the value under the mouse; while Shift is down, in fine steps.

    Args:
        model: the model with the parameter.
        quantity: the parameter.
        row: place of the slider, [pixels]; its groove is shorter by an inset at each end.
    """
    io = imgui.get_io()
    inset = px(INSET)
    share = (io.mouse_pos.x - row.left - inset) / (row.width - 2 * inset)
    model.drag(quantity, share, fine=io.key_shift)


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
_CHIP_TEXT_TOP = 3.0  # from the top of a chip to that of its words
_RESET_WIDTH = 22.0  # of the arrow before a value that resets it, at scale 1, [pixels]
_CHIP_PAD = 8.0
# of a row: width of a list that opens, and of one whose option is long
_LIST_SHARE = 0.52
_MAX_CHIPS_SHARE = 0.7


class Sliders:
    """Draws sliders of a panel or a card."""

    def __init__(self) -> None:
        self._mouse = SliderMouse()
        self._defaults = DefaultValues()

    def draw(self, model: SliderModel, quantity: Row, row: Rectangle) -> None:
        """Draw the control of a parameter and let the mouse act on it.

        What is drawn is, in this order of precedence: a field while its value is typed, a pale row
        if it is fixed, options of a choice, or else a slider.

        Args:
            model: the model with the parameter.
            quantity: the parameter.
            row: place of the control, [pixels].
        """
        entry = model.entry
        if entry.typed and entry.typed.quantity is quantity and not entry.in_bar:
            draw_entry(entry, row)
            return
        tip = row_tip(quantity, self._defaults.of(model.animation, quantity))
        if model.chosen is quantity and imgui.is_rect_visible(row.low, row.high):
            ui.spots[SLIDER] = row
        if model.fixed(quantity):
            draw_fixed(model, quantity, row)
            return
        if isinstance(quantity, Choice):
            self._draw_choice(model, quantity, row, tip)
            return
        if not model.is_default(quantity):
            # The button that resets the value lies on the row of the slider, and comes first: of
            # two buttons that overlap, imgui gives the mouse to the first.
            value_width = measure(_value_text(model, quantity, row), ui.TEXT, strong=True).width
            reset_left = row.right - px(INSET + _RESET_WIDTH) - value_width
            _reset_button(model, quantity, reset_left, row.top + px(2))
        place_button(f"slider {quantity.name}", row, tip, tab_stop=False)
        hovered = imgui.is_item_hovered()
        is_pressed = imgui.is_item_active()
        value_place = _value_place(model, quantity, row)
        self._mouse.act(model, quantity, row, value_place)

        # Drawn after the mouse has acted, so that it shows the new value in this frame.
        ui.mark_row(row, chosen=model.chosen is quantity, lit=hovered or is_pressed)
        if hovered and not is_pressed and value_place.covers(*imgui.get_mouse_pos()):
            _draw_value_field(value_place)
        self._draw_bar(model, quantity, row, lit=hovered or is_pressed)
        value = _value_text(model, quantity, row)
        _draw_name_and_value(quantity, row, value, changed=not model.is_default(quantity))

    def _draw_choice(self, model: SliderModel, choice: Choice, row: Rectangle, tip: Tip) -> None:
        """Draw a choice: its options beside each other if there is room, or a list to be opened.

        Args:
            model: the model with the parameter.
            choice: the parameter.
            row: place of the control, [pixels].
            tip: tooltip of the choice.
        """
        is_changed = not model.is_default(choice)
        value = str(model.value(choice))
        inset = px(INSET)
        box, has_chips = _choice_box(model, choice, value, row)
        is_hovered = ui.is_mouse_over(row)
        ui.mark_row(row, chosen=model.chosen is choice, lit=is_hovered)
        # If the list of options is open, it hangs at this box. The panel may scroll meanwhile, so
        # its place is set again in each frame.
        drop_down = model.drop_downs.now
        if drop_down and drop_down.name == choice.name:
            drop_down.anchor = box

        # These lie on the row, and come first: of two buttons that overlap, imgui gives the mouse
        # to the first.
        if is_changed:
            _reset_button(model, choice, box.left - px(_RESET_WIDTH), row.middle - px(10))
        if has_chips:
            _draw_chips(model, choice, value, box)
        else:
            _draw_list(model, choice, value, box, tip)
        place_button(f"slider {choice.name}", row, tip, tab_stop=False)
        # A choice has no value that is typed: the place of its value is empty, so no click opens a
        # field.
        self._mouse.act(model, choice, row, Rectangle(box.left, row.top, 0.0, 0.0))
        reset_width = 20 if is_changed else 0
        name_room = box.left - row.left - inset - px(_BETWEEN + reset_width)
        name = ellipsize(choice.label, name_room, ui.TEXT)
        draw_text(row.left + inset, _name_top(row), name, text_size=ui.TEXT)

    def _draw_bar(self, model: SliderModel, quantity: Row, row: Rectangle, *, lit: bool) -> None:
        """Draw the groove of a slider with its value, a mark at the default, and the knob.

        Args:
            model: the model with the parameter.
            quantity: the parameter.
            row: place of the slider, [pixels].
            lit: whether the mouse is on it or drags it.
        """
        draw = imgui.get_window_draw_list()
        inset = px(INSET)
        left = row.left + inset
        right = row.right - inset
        middle = row.bottom - px(9)
        share = fraction(quantity, model.value(quantity))
        knob_x = ui.draw_groove(left, right, middle, share)
        default = self._defaults.of(model.animation, quantity)
        if default is not None:
            draw_default_mark(left + (right - left) * fraction(quantity, default), middle)
        draw.add_circle_filled((knob_x, middle), px(5.5 if lit else 4.5), ui.ACCENT)


def draw_entry(entry: ValueEntry, row: Rectangle, *, size: float = ui.TEXT, name: str = "") -> None:
    """Draw the field in which a value is typed; Enter applies it, and leaving the field drops it.

    Args:
        entry: holds what is typed and takes the value; its `typed` must not be None.
        row: place of the control, [pixels].
        size: size of its name, at scale 1, [pixels].
        name: a shorter name; empty for its own.
    """
    typed = entry.typed
    assert typed is not None
    fill_box(row, ui.FIELD, edge=ui.ERROR if typed.error else ui.ACCENT, rounding=6)

    # The name of the parameter, and the field beside it.
    text_top = ui.line_top(row, size)
    label = name or typed.quantity.label
    draw_text(row.left + px(INSET), text_top, label, ui.MUTED, size)
    left = row.left + measure(label, size).width + px(2 * INSET)
    place = Rectangle(left, row.top, row.right - left, row.height)
    takes_focus = entry.wants_focus
    entry.wants_focus = False
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    tip = term_tip("entry field")
    if typed.error:
        tip = replace(tip, text=typed.error)
    is_entered, typed.text = draw_field(
        "number",
        typed.text,
        place,
        takes_focus=takes_focus,
        flags=flags,
        inset=4,
        tip=tip,
    )
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
        _select_all_typed()
    if is_entered:
        entry.apply(typed.text)
    elif imgui.is_item_deactivated():
        entry.cancel()


def draw_fixed(model: SliderModel, quantity: Row, row: Rectangle) -> None:
    """Draw a row that cannot be turned; a click chooses it.

    The panel says why it is fixed below the chosen row.

    Args:
        model: the model with the parameter.
        quantity: the parameter.
        row: place of the control, [pixels].
    """
    tip = replace(row_tip(quantity), notes=model.fixed(quantity))  # with the reason
    if place_button(f"slider {quantity.name}", row, tip, tab_stop=False):
        model.choose(quantity)
    ui.mark_row(row, chosen=model.chosen is quantity, lit=imgui.is_item_hovered())

    # The name, and "fixed" in place of the value; a choice has one line, a slider also its groove.
    top = row.top + px(4)
    inset = px(INSET)
    if isinstance(quantity, Choice):
        top = _name_top(row)
    draw_text(row.left + inset, top, quantity.label, ui.MUTED, ui.TEXT)
    draw_text_before(row.right - inset, top, _("fixed"), ui.MUTED, ui.TEXT)
    if isinstance(quantity, Choice):
        return
    middle = row.bottom - px(9)
    imgui.get_window_draw_list().add_rect_filled(
        (row.left + inset, middle - px(0.5)),
        (row.right - inset, middle + px(0.5)),
        ui.GROOVE,
    )


def _name_top(row: Rectangle) -> float:
    """Return the upper edge of the name of a choice, level with its options, [pixels]."""
    options_top = row.middle - px(_CHIP_HEIGHT / 2 - _CHIP_TEXT_TOP)
    return ui.level_with(options_top, ui.SMALL, ui.TEXT)


def _select_all_typed() -> None:
    """Select the whole text of the field that is the last item.

    imgui itself selects the word under a double click, which in `12.34` would be the digits after
    the point alone.
    """
    state = imgui.internal.get_input_text_state(imgui.get_item_id())
    if state:
        state.select_all()
        state.selected_all_mouse_lock = True


def _chips_width(choice: Choice) -> float:
    """Return how wide all options are beside each other, [pixels]."""
    widths = (measure(option_words(option), strong=True).width for option in choice.options)
    return sum(widths) + 2 * px(_CHIP_PAD) * len(choice.options)


def _choice_box(
    model: SliderModel, choice: Choice, value: str, row: Rectangle
) -> tuple[Rectangle, bool]:
    """Return the place of the options of a choice at the right end of its row.

    Args:
        model: the model with the parameter.
        choice: the parameter.
        value: the present option, or words that are none of the options.
        row: place of the whole control, [pixels].

    Returns:
        box: place of the options, [pixels].
        has_chips: whether all options are drawn as chips beside each other: if they fit beside the
            label, and if the value is one of them, so that this one can be marked. Otherwise only
            the value is drawn.
    """
    inset = px(INSET)
    label_width = measure(choice.label, ui.TEXT).width
    chips_width = _chips_width(choice)
    room = row.width - 2 * inset - label_width - px(12 + 20)  # beside a gap and the reset button
    has_chips = chips_width <= room and value in choice.options
    if has_chips:
        box_width = chips_width
    else:
        # The box has its usual share of the row if there is room. It grows with a long option, up
        # to a greater share, at the cost of the name, as the option matters more.
        usual_width = min(row.width * _LIST_SHARE, room)
        needed_width = min(_list_width(model, choice, value), row.width * _MAX_CHIPS_SHARE)
        box_width = max(usual_width, needed_width)
    left = row.right - inset - box_width
    box = Rectangle(left, row.middle - px(_CHIP_HEIGHT / 2), box_width, px(_CHIP_HEIGHT))
    return box, has_chips


def _draw_chips(model: SliderModel, choice: Choice, value: str, box: Rectangle) -> None:
    """Draw all options of a choice beside each other, the present one filled.

    A click chooses one; a right click chooses the default.

    Args:
        model: the model with the parameter.
        choice: the parameter.
        value: the present option.
        box: place of all of them, [pixels].
    """
    fill_box(box, ui.TRACK, rounding=6)
    x = box.left
    top = box.top + px(_CHIP_TEXT_TOP)
    for option in choice.options:
        label = option_words(option)
        # The present option is in strong type, which is wider. All chips are as wide as that needs,
        # so that none moves when another one is chosen.
        chip_width = measure(label, strong=True).width + 2 * px(_CHIP_PAD)
        chip = Rectangle(x, box.top, chip_width, box.height)
        is_present = option == value
        if place_button(
            f"{choice.name} {option}", chip, option_tip(choice, option), tab_stop=False
        ):
            _set_choice(model, choice, option)
        is_hovered = imgui.is_item_hovered()
        if is_hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            _reset_choice(model, choice)
        ui.fill_row(chip, chosen=is_present, lit=is_hovered)
        tint = ui.INK if is_hovered else ui.MUTED
        if is_present:
            tint = ui.ACCENT
        label_width = measure(label, strong=is_present).width
        label_left = x + (chip_width - label_width) / 2
        draw_text(label_left, top, label, tint, strong=is_present)
        x += chip_width


def _list_width(model: SliderModel, choice: Choice, value: str) -> float:
    """Return how wide the present option is with the sign of a list, [pixels]."""
    words_width = measure(
        values.format_value(choice, value), strong=not model.is_default(choice)
    ).width
    return words_width + 2 * px(_CHIP_PAD) + px(13)


def _draw_list(model: SliderModel, choice: Choice, value: str, box: Rectangle, tip: Tip) -> None:
    """Draw the present option of a choice in a box, with a chevron that stands for a list.

    A click opens the list of options; a right click chooses the default.

    Args:
        model: the model with the parameter.
        choice: the parameter.
        value: the present option.
        box: place of the option, [pixels].
        tip: tooltip of the choice.
    """
    if place_opener(f"list {choice.name}", box, tip, tab_stop=False):
        model.choose(choice)
        model.open_entry(choice)
    is_hovered = imgui.is_item_hovered()
    if is_hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
        _reset_choice(model, choice)
    fill_box(box, ui.TRACK_HOVERED if is_hovered else ui.TRACK, rounding=6)
    is_changed = not model.is_default(choice)
    pad = px(_CHIP_PAD)
    room = box.width - 2 * pad - px(12)
    words = values.format_value(choice, value)
    words = ellipsize(words, room, strong=is_changed)
    tint = ui.ACCENT if is_changed else ui.INK
    draw_text(box.left + pad, box.top + px(_CHIP_TEXT_TOP), words, tint, strong=is_changed)
    sign_x = box.right - px(_CHIP_PAD + 4)
    draw_chevron(sign_x, box.middle, ui.ACCENT if is_hovered else ui.MUTED)


def _set_choice(model: SliderModel, choice: Choice, option: str) -> None:
    """Set a choice, as one step of undo."""
    model.choose(choice)
    with model.undo.own_step():
        model.set_value(choice, option)


def _reset_choice(model: SliderModel, choice: Choice) -> None:
    """Reset a choice, as one step of undo."""
    model.choose(choice)
    with model.undo.own_step():
        model.reset(choice)


def _draw_name_and_value(quantity: Row, row: Rectangle, value: str, *, changed: bool) -> None:
    """Draw the name of a slider and its value.

    Args:
        quantity: the parameter.
        row: place of the slider, [pixels].
        value: the value as text.
        changed: whether it is not the default: then it has an arrow that resets it.
    """
    top = row.top + px(4)
    right = row.right - px(INSET)
    # The value is always written whole; the name is cut if both do not fit.
    reset_width = _RESET_WIDTH if changed else 0.0
    value_width = measure(value, ui.TEXT, strong=changed).width
    name_room = row.width - px(2 * INSET + _BETWEEN + reset_width) - value_width
    draw_text(
        row.left + px(INSET), top, ellipsize(quantity.label, name_room, ui.TEXT), text_size=ui.TEXT
    )
    draw_text_before(right, top, value, ui.ACCENT if changed else ui.MUTED, ui.TEXT, strong=changed)


def _value_place(model: SliderModel, quantity: Row, row: Rectangle) -> Rectangle:
    """Return where a click types a value: the written value and its surroundings, [pixels]."""
    width = measure(
        _value_text(model, quantity, row), ui.TEXT, strong=not model.is_default(quantity)
    ).width
    left = row.right - px(INSET + 5) - max(width, px(_MIN_VALUE_WIDTH))
    return Rectangle(left, row.top, row.right - left, row.height / 2)


def _draw_value_field(value_place: Rectangle) -> None:
    """Draw a field behind a value that a click would edit."""
    imgui.set_mouse_cursor(imgui.MouseCursor_.text_input)
    box = Rectangle(
        value_place.left,
        value_place.top + px(3),
        value_place.width - px(INSET - 5),
        px(18),
    )
    fill_box(box, ui.FIELD, edge=ui.FAINT, rounding=4, thickness=1)


def _reset_button(model: SliderModel, quantity: Row, left: float, top: float) -> None:
    """Draw a round arrow to the left of a changed value, with its upper left corner, [pixels]."""
    place = Rectangle(left, top, px(20), px(20))
    if place_button(f"reset {quantity.name}", place, term_tip("reset"), tab_stop=False):
        model.reset(quantity)
    draw_text(
        left + px(4),
        top + px(2),
        "↺",
        ui.ACCENT if imgui.is_item_hovered() else ui.MUTED,
        ui.TEXT,
    )


def _value_text(model: SliderModel, quantity: Row, row: Rectangle) -> str:
    """Return the value of a slider as text that fits beside its name.

    A value that is automatic, as the user has not set one, is marked so if there is room for that.
    A value that does not fit loses its unit. If even that does not fit the row, it is cut.

    Args:
        model: the model with the value.
        quantity: the parameter.
        row: place of the slider, [pixels].
    """
    words = values.format_value(quantity, model.value(quantity))
    is_changed = not model.is_default(quantity)
    reset_width = _RESET_WIDTH if is_changed else 0.0
    room = row.width - px(2 * INSET + _BETWEEN + reset_width)
    room_beside_name = room - measure(quantity.label, ui.TEXT).width
    # Such parameters are automatic by default, but the library's pattern may set one.
    is_automatic = quantity.default is None and not is_changed
    if is_automatic and isinstance(model, Model):
        is_automatic = chosen_value(model.animation, quantity) is None
    if is_automatic:
        labelled = f"{_(values.AUTOMATIC)}: {words}"
        if measure(labelled, ui.TEXT).width <= room_beside_name:
            words = labelled
    if measure(words, ui.TEXT, strong=is_changed).width > room_beside_name:
        words = values.plain_text(quantity, model.value(quantity)).replace("-", "−")
    return ellipsize(words, room, ui.TEXT, strong=is_changed)
