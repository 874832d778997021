"""What the mouse does to a slider: a drag turns it, a click on its value types, a double or a right click resets it."""

from __future__ import annotations

from enum import Enum, auto

from imgui_bundle import imgui

from juggle_anim.animation import Animation
from juggle_anim.parameters import Row
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.model import Model
from juggle_anim.viewer.theme import Theme

INSET = 10.0
"""From the edge of a row to the end of its groove, at scale 1, [pixels]."""


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


_STILL = 3.0  # a hand moves so far without meaning to, at scale 1, [pixels]


def _turn(model: Model, look: Theme, quantity: Row, row: Rectangle) -> None:
    """Turn a quantity to where the mouse is."""
    io, inset = imgui.get_io(), look.size(INSET)
    model.drag(quantity, (io.mouse_pos.x - row.left - inset) / (row.width - 2 * inset), fine=io.key_shift)
