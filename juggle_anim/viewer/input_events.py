"""Events of keyboard and mouse in a window, under the names by which pyglet finds them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from juggle_anim.viewer.cards.layout import Layout
from juggle_anim.viewer.frame_pacing import FramePacing
from juggle_anim.viewer.keyboard import Keyboard, ctrl_and_shift
from juggle_anim.viewer.mouse import PictureMouse
from juggle_anim.viewer.picture_parts import place_at
from juggle_anim.viewer.pyglet_fixes import release_shifted_keys
from juggle_anim.viewer.state.controller import Controller

if TYPE_CHECKING:
    from juggle_anim.viewer.cards.overlay import Overlay


class InputEvents:
    """Passes what keys and mouse do to the cards, or else to the picture.

    Args:
        window: pyglet's.
        controller: returns that of the viewer.
        overlay: returns the cards over the picture.
        layout: returns the present layout of the window.
        pacing: is woken by each event.
        draw_soon: called when a key or a character was handled.
    """

    def __init__(
        self,
        window: Any,
        controller: Callable[[], Controller],
        overlay: Callable[[], Overlay],
        layout: Callable[[], Layout],
        pacing: FramePacing,
        draw_soon: Callable[[], None],
    ) -> None:
        self.keyboard = Keyboard(controller, lambda: overlay().input, layout)
        self._window, self._controller = window, controller
        self._overlay, self._layout, self._pacing, self._draw_soon = overlay, layout, pacing, draw_soon
        self._mouse = PictureMouse(controller, layout)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position of pyglet, from the lower left, to pixels from the upper left corner."""
        ratio = self._window.get_framebuffer_size()[0] / max(self._window.width, 1)
        return x * ratio, (self._window.height - 1 - y) * ratio

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """A key goes down: a shortcut, or a key for the text field that is being edited."""
        self._pacing.wake()
        kept = self.keyboard.deferred.keep(partial(self.on_key_press, symbol, modifiers))
        if not kept and self.keyboard.press(symbol, modifiers):
            self._draw_soon()
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key comes up."""
        self._pacing.wake()
        release_shifted_keys(self._window, symbol)
        if not self.keyboard.deferred.keep(partial(self.on_key_release, symbol, modifiers)):
            self.keyboard.release(symbol, modifiers)

    def on_text(self, text: str) -> None:
        """A character is typed: for the text field, or a shortcut."""
        self._pacing.wake()
        if not self.keyboard.deferred.keep(partial(self.on_text, text)):
            self.keyboard.text(text)
            self._draw_soon()

    def on_mouse_motion(self, x: int, y: int, across: int, up: int) -> None:
        """The mouse moves."""
        self._pacing.wake()
        self._overlay().input.point(*self._place(x, y))

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button goes down: on a card, or to drag the camera."""
        from pyglet.window import mouse

        self._pacing.wake()
        place, overlay, layout = self._place(x, y), self._overlay(), self._layout
        self._controller().welcome.leave()
        overlay.input.point(*place)
        overlay.input.button(button, True)
        if not overlay.covers(self._controller(), layout(), *place):
            on_gizmo = overlay.covers_gizmo(self._controller().model, layout(), *place)
            self._mouse.press(*place, button == mouse.LEFT, ctrl_and_shift(modifiers)[1], on_gizmo)

    def on_mouse_drag(self, x: int, y: int, across: int, up: int, buttons: int, modifiers: int) -> None:
        """The mouse moves with a button down."""
        self._pacing.wake()
        place, height = self._place(x, y), max(self._window.height, 1)
        self._overlay().input.point(*place)
        self._mouse.move(*place, across / height, -up / height, *ctrl_and_shift(modifiers))

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button comes up."""
        self._pacing.wake()
        self._mouse.release(*self._place(x, y))
        self._overlay().input.button(button, False)

    def on_mouse_scroll(self, x: int, y: int, across: float, up: float) -> None:
        """The wheel turns, or two fingers scroll: over a card it scrolls, over the picture it zooms or turns."""
        self._pacing.wake()
        place, overlay = self._place(x, y), self._overlay()
        if overlay.covers(self._controller(), self._layout(), *place):
            overlay.input.wheel(across, up)
        else:
            half = place_at(self._controller().model, self._layout(), *place)
            self._mouse.scroll(across, up, half, *overlay.input.ctrl_and_shift)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """The mouse leaves the window."""
        self._pacing.wake()
        if not self._mouse.dragging:
            self._overlay().input.leave()

    def on_activate(self) -> None:
        """The window gets the keyboard."""
        self._overlay().input.focus(True)

    def on_deactivate(self) -> None:
        """The window loses the keyboard."""
        self.keyboard.repeat.release()
        self._overlay().input.focus(False)
