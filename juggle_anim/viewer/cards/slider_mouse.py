"""What the mouse does to a slider: it drags it, types a value or resets it."""

from __future__ import annotations

from enum import Enum, auto

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.cards.theme import Theme
from juggle_anim.viewer.footage.controls import FilmControls
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.state.model import Model

_STILL = 3.0  # a mouse moves so far in a click, at scale 1, [pixels]

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
        self._left: Animation | None = (
            None  # the animation after the last press, if that turned something
        )

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
        # The first of the two clicks may have turned it: both are one step.
        if self._left is model.animation:
            model.undo.reopen(quantity.name)
        model.reset(quantity)
        model.undo.seal()

    def _drag(self, model: SliderModel, look: Theme, quantity: Row, row: Rectangle) -> None:
        # A resting mouse turns nothing, so that what was undone since stays undone.
        at = imgui.get_io().mouse_pos.x
        self._held = _Held.SLIDER
        if model.entry.typed is None and at != self._mouse:
            self._mouse = at
            _turn(model, look, quantity, row)

    def _dragged(self, look: Theme) -> bool:
        return imgui.is_item_active() and imgui.is_mouse_dragging(
            imgui.MouseButton_.left, look.size(_STILL)
        )

    def _flicked(self, look: Theme) -> bool:
        """Whether the mouse moved on since it turned something, and was released within the same
        frame.
        """
        released = imgui.is_mouse_released(imgui.MouseButton_.left)
        return released and abs(imgui.get_io().mouse_pos.x - self._mouse) > look.size(_STILL)


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
