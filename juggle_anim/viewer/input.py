"""Input of the panel: events of pyglet's window for Dear ImGui."""

from __future__ import annotations

from collections import deque
from typing import Any

from imgui_bundle import imgui
from pyglet.window import key, mouse

from juggle_anim.viewer.keyboard import BLINK_INTERVAL, Caret

_KEYS = {
    key.TAB: imgui.Key.tab,
    key.BACKSPACE: imgui.Key.backspace,
    key.DELETE: imgui.Key.delete,
    key.RETURN: imgui.Key.enter,
    key.NUM_ENTER: imgui.Key.enter,
    key.LINEFEED: imgui.Key.enter,
    key.ESCAPE: imgui.Key.escape,
    key.SPACE: imgui.Key.space,
    key.INSERT: imgui.Key.insert,
    key.LEFT: imgui.Key.left_arrow,
    key.RIGHT: imgui.Key.right_arrow,
    key.UP: imgui.Key.up_arrow,
    key.DOWN: imgui.Key.down_arrow,
    key.HOME: imgui.Key.home,
    key.END: imgui.Key.end,
    key.PAGEUP: imgui.Key.page_up,
    key.PAGEDOWN: imgui.Key.page_down,
    key.A: imgui.Key.a,
    key.C: imgui.Key.c,
    key.V: imgui.Key.v,
    key.X: imgui.Key.x,
    key.Y: imgui.Key.y,
    key.Z: imgui.Key.z,
}
"""Keys that a text field knows."""

_MODIFIERS = (
    (key.MOD_CTRL, imgui.Key.mod_ctrl),
    (key.MOD_SHIFT, imgui.Key.mod_shift),
    (key.MOD_ALT, imgui.Key.mod_alt),
    (key.MOD_COMMAND, imgui.Key.mod_super),
)

_MODIFIER_KEYS = {
    key.LCTRL: imgui.Key.mod_ctrl,
    key.RCTRL: imgui.Key.mod_ctrl,
    key.LSHIFT: imgui.Key.mod_shift,
    key.RSHIFT: imgui.Key.mod_shift,
    key.LALT: imgui.Key.mod_alt,
    key.RALT: imgui.Key.mod_alt,
}

_DOUBLE_CLICK = 0.5  # s, as on most desktops; of imgui's own 0.3 a few long frames would leave nothing

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}


class Input:
    """Passes the events of a window to the current imgui context.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._io = imgui.get_io()
        self._io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        self._io.mouse_double_click_time, self._io.mouse_single_click_delay = _DOUBLE_CLICK, 2 * _DOUBLE_CLICK
        self._cursor: int = imgui.MouseCursor_.arrow
        self._keys: deque[tuple[int, int, bool] | str] = deque()
        self.held = False
        """Whether keys wait for a field that has not got the keyboard yet."""
        self.caret = Caret()
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self._window.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _, text: self._window.set_clipboard_text(text)

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self._io.want_text_input)

    @property
    def pending(self) -> bool:
        """Whether imgui has not looked yet at all that was typed: it takes few events a frame."""
        return bool(self._keys) or len(imgui.get_current_context().input_events_queue) > 0

    def blink(self, elapsed: float) -> float:
        """Let time pass, [s], and return how much of it the frame advances that the caret needs; 0 if it needs none."""
        return BLINK_INTERVAL if self.typing and self.caret.due(elapsed) else 0.0

    def begin_frame(self, width: int, height: int, elapsed: float) -> None:
        """Begin a frame of a size, [pixels], some time after the last one, [s]."""
        self._io.display_size = imgui.ImVec2(width, height)
        self._io.delta_time = max(elapsed, 1e-4)
        self._io.config_input_text_cursor_blink = self.caret.blinks
        if not self.held:
            self._feed_keys()

    def key(self, symbol: int, modifiers: int, down: bool) -> None:
        """A key goes down or up."""
        self._keys.append((symbol, modifiers, down))

    def text(self, text: str) -> None:
        """Characters are typed."""
        self._keys.append(text)

    def point(self, x: float, y: float) -> None:
        """The mouse moves to a place, [pixels] from the upper left corner."""
        self._io.add_mouse_pos_event(x, y)

    def leave(self) -> None:
        """The mouse is no longer over the window."""
        self._io.add_mouse_pos_event(-1e30, -1e30)

    def button(self, number: int, down: bool) -> None:
        """A button of the mouse goes down or up."""
        if number in _BUTTONS:
            self._io.add_mouse_button_event(_BUTTONS[number], down)

    def wheel(self, across: float, up: float) -> None:
        """The wheel turns, in clicks."""
        self._io.add_mouse_wheel_event(across, up)

    def focus(self, gained: bool) -> None:
        """The window gains or loses the keyboard."""
        self._io.add_focus_event(gained)

    def show_cursor(self) -> None:
        """Give the mouse the shape that the panel wants."""
        wanted = imgui.get_mouse_cursor()
        if wanted != self._cursor:
            self._cursor = wanted
            text = wanted == imgui.MouseCursor_.text_input
            shape = self._window.CURSOR_TEXT if text else self._window.CURSOR_DEFAULT
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(shape))

    def _feed_keys(self) -> None:
        """Pass on what was typed since the last frame, up to the release of a modifier after a key.

        Imgui looks at the keys once a frame: a chord released within one would be a key without its modifier.
        """
        pressed = False
        while self._keys:
            event = self._keys[0]
            if isinstance(event, str):
                self._feed_text(event)
            else:
                symbol, modifiers, down = event
                if pressed and symbol in _MODIFIER_KEYS and not down:
                    return
                pressed = pressed or (down and symbol not in _MODIFIER_KEYS)
                self._feed_key(symbol, modifiers, down)
            self._keys.popleft()

    def _feed_key(self, symbol: int, modifiers: int, down: bool) -> None:
        for flag, name in _MODIFIERS:
            self._io.add_key_event(name, bool(modifiers & flag))
        if symbol in _MODIFIER_KEYS:
            self._io.add_key_event(_MODIFIER_KEYS[symbol], down)
        if symbol in _KEYS:
            self._io.add_key_event(_KEYS[symbol], down)

    def _feed_text(self, text: str) -> None:
        for character in text:
            if character.isprintable():
                self._io.add_input_character(ord(character))
