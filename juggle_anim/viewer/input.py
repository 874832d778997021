"""Events: what pyglet's window reports, told to the panel's library.

MERGED: The caret of a text field in a picture that rests.

MERGED: What is typed in haste: keys that come before a text field has let go of the keyboard.

MERGED: Repeating what a key does while it is held: keyboards repeat characters by themselves, but not arrows.

MERGED: Clicks: a button that goes down and up again at about the same place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from imgui_bundle import imgui
from pyglet.window import key, mouse

from juggle_anim.viewer.state.keymap import Action

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

_HELD = {
    key.LCTRL: imgui.Key.mod_ctrl,
    key.RCTRL: imgui.Key.mod_ctrl,
    key.LSHIFT: imgui.Key.mod_shift,
    key.RSHIFT: imgui.Key.mod_shift,
    key.LALT: imgui.Key.mod_alt,
    key.RALT: imgui.Key.mod_alt,
}

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}

_CHORD_NAMES = {"return": "enter", "num_enter": "enter", "linefeed": "enter", "num_home": "home"}

_OF_FIELDS = ("ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+y", "ctrl+z", "ctrl+shift+z")

_CLOSING = (imgui.Key.enter, imgui.Key.escape)

BLINK = 0.4
"""From one look at it to the next, [s]: Dear ImGui shows it for two of these, and hides it for one."""

_BLINKING = 10.0  # s; then it stays, so that a field that somebody forgot costs nothing

_FRAMES = 10  # at most until a field that closes has let go; one that stays open goes on then

_QUIET = 3  # frames without a field: one that takes over from another has the keyboard before

DELAY, INTERVAL = 0.35, 0.045
"""Before the first repeat, and between them, [s]."""

_STILL = 4  # pixels that a hand moves without meaning to


def chord(symbol: int, modifiers: int) -> str:
    """The name of a chord as the key table writes it: `shift+left`, `ctrl+q`."""
    name = key.symbol_string(symbol).lower()
    held = ("ctrl+" if modifiers & (key.MOD_CTRL | key.MOD_COMMAND) else "") + (
        "shift+" if modifiers & key.MOD_SHIFT else ""
    )
    held += "alt+" if modifiers & key.MOD_ALT else ""
    return held + _CHORD_NAMES.get(name, name.lstrip("_"))


def takes(name: str) -> bool:
    """Whether a text field in which somebody types has a use for a chord of its own."""
    return not name.startswith("ctrl+") or name in _OF_FIELDS


def closes(symbol: int) -> bool:
    """Whether a key may end the typing in a text field."""
    return _KEYS.get(symbol) in _CLOSING


class Input:
    """Feeds the current imgui context with what happens in a window.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._io = imgui.get_io()
        self._io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        self._cursor: int = imgui.MouseCursor_.arrow
        self._keys: deque[tuple[int, int, bool] | str] = deque()
        self.held = False
        """Whether keys wait, because the field that they are for has not got the keyboard yet."""
        self.caret = Caret()
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self._window.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _, text: self._window.set_clipboard_text(text)

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self._io.want_text_input)

    def blink(self, elapsed: float) -> float:
        """How long the picture that the caret of a text field wants now stands for, [s]; 0 where it wants none."""
        return BLINK if self.typing and self.caret.due(elapsed) else 0.0

    def begin_frame(self, width: int, height: int, elapsed: float) -> None:
        """Tell the size of the picture, [pixels], and the time since the last one, [s]."""
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
        """The mouse is somewhere, [pixels] from the upper left corner."""
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
        """Give the mouse the shape that the panel asks for."""
        wanted = imgui.get_mouse_cursor()
        if wanted != self._cursor:
            self._cursor = wanted
            text = wanted == imgui.MouseCursor_.text_input
            shape = self._window.CURSOR_TEXT if text else self._window.CURSOR_DEFAULT
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(shape))

    def _feed_keys(self) -> None:
        """Hand on what was typed since the last frame, up to a modifier's release that follows a key.

        Imgui looks at the keys once a frame: a chord that is let go within it would be a key without its modifier.
        """
        pressed = False
        while self._keys:
            event = self._keys[0]
            if isinstance(event, str):
                self._feed_text(event)
            else:
                symbol, modifiers, down = event
                if pressed and symbol in _HELD and not down:
                    return
                pressed = pressed or (down and symbol not in _HELD)
                self._feed_key(symbol, modifiers, down)
            self._keys.popleft()

    def _feed_key(self, symbol: int, modifiers: int, down: bool) -> None:
        for flag, name in _MODIFIERS:
            self._io.add_key_event(name, bool(modifiers & flag))
        if symbol in _HELD:
            self._io.add_key_event(_HELD[symbol], down)
        if symbol in _KEYS:
            self._io.add_key_event(_KEYS[symbol], down)

    def _feed_text(self, text: str) -> None:
        for character in text:
            if character.isprintable():
                self._io.add_input_character(ord(character))


class Caret:
    """Tells when a picture in which nothing else moves is to be drawn anew, since the caret may come or go."""

    def __init__(self) -> None:
        self._rested = self._waited = 0.0

    @property
    def blinks(self) -> bool:
        """Whether it comes and goes; else it stays."""
        return self._rested < _BLINKING

    def stir(self) -> None:
        """Something else is drawn."""
        self._rested = self._waited = 0.0

    def due(self, elapsed: float) -> bool:
        """Let time pass, [s], in which somebody could type; returns whether to draw it."""
        if not self.blinks:
            return False
        self._rested += elapsed
        self._waited += elapsed
        if self._waited < BLINK and self.blinks:
            return False
        self._waited = 0.0
        return True


class DeferredKeys:
    """Keeps keys back, in their order, while nobody knows yet whether they are for a text field."""

    def __init__(self) -> None:
        self._kept: deque[Callable[[], object]] = deque()
        self._frames = self._quiet = 0

    @property
    def waiting(self) -> bool:
        """Whether keys are kept back now."""
        return self._frames > 0

    def wait(self) -> None:
        """Something happened by which a text field may close."""
        self._frames, self._quiet = _FRAMES, 0

    def keep(self, event: Callable[[], object]) -> bool:
        """Keep an event for later, where this is a time to wait; returns whether it is."""
        if self.waiting:
            self._kept.append(event)
        return self.waiting

    def drawn(self, typing: bool) -> None:
        """A frame was drawn; tell whether a text field has the keyboard, and what waited may go on."""
        self._quiet = 0 if typing else self._quiet + 1
        self._frames = max(self._frames - 1, 0) if self._quiet < _QUIET else 0
        while self._kept and not self.waiting:
            self._kept.popleft()()


class Repeat:
    """The action whose key is held now."""

    def __init__(self) -> None:
        self._action: Action | None = None
        self._wait = 0.0

    @property
    def active(self) -> bool:
        """Whether a key is held."""
        return self._action is not None

    def press(self, action: Action) -> None:
        """A key went down."""
        self._action, self._wait = action, DELAY

    def release(self) -> None:
        """It came up, or the window no longer has the keyboard."""
        self._action = None

    def due(self, elapsed: float) -> list[Action]:
        """What is to be done again after some more time, [s]; once at most, so that a slow frame doesn't overshoot."""
        self._wait -= elapsed
        if self._action is None or self._wait > 0:
            return []
        self._wait = INTERVAL
        return [self._action]


class Click:
    """Tells a click on the picture from the beginning of a drag."""

    def __init__(self) -> None:
        self._at: tuple[float, float] | None = None

    def press(self, x: float, y: float) -> None:
        """A button goes down on the picture, [pixels]."""
        self._at = x, y

    def move(self, x: float, y: float) -> None:
        """The mouse moves with the button down."""
        if self._at and max(abs(x - self._at[0]), abs(y - self._at[1])) > _STILL:
            self._at = None

    def release(self) -> bool:
        """The button comes up; returns whether that was a click."""
        clicked, self._at = self._at is not None, None
        return clicked
