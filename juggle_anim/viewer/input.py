"""Input of the panel: events of pyglet's window for Dear ImGui."""

from __future__ import annotations

from collections import deque
from typing import Any

from imgui_bundle import imgui
from pyglet.window import key, mouse

from juggle_anim.lazy_dataclass import dataclass
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

_TYPED_BY_CHORDS = frozenset({key.A, key.C, key.V, key.X, key.Y, key.Z})
"""Keys that a text field knows only with Ctrl: without, they come as text."""

_MODIFIERS = (
    (key.MOD_CTRL, imgui.Key.mod_ctrl),
    (key.MOD_SHIFT, imgui.Key.mod_shift),
    (key.MOD_ALT, imgui.Key.mod_alt),
    (key.MOD_COMMAND, imgui.Key.mod_super),
)

_ALL_MODIFIERS = key.MOD_CTRL | key.MOD_SHIFT | key.MOD_ALT | key.MOD_COMMAND

_MODIFIER_KEYS = {
    key.LCTRL: key.MOD_CTRL,
    key.RCTRL: key.MOD_CTRL,
    key.LSHIFT: key.MOD_SHIFT,
    key.RSHIFT: key.MOD_SHIFT,
    key.LALT: key.MOD_ALT,
    key.RALT: key.MOD_ALT,
}

_DOUBLE_CLICK = (
    0.5  # s, as on most desktops; of imgui's own 0.3 a few long frames would leave nothing
)

_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}


@dataclass(frozen=True)
class _Text:
    text: str


@dataclass(frozen=True)
class _Key:
    symbol: int
    modifiers: int  # that are held with it
    down: bool


@dataclass(frozen=True)
class _Modifiers:
    modifiers: int  # that are held from now on


@dataclass(frozen=True)
class _Point:
    x: float
    y: float


@dataclass(frozen=True)
class _Button:
    number: int
    down: bool


@dataclass(frozen=True)
class _Wheel:
    across: float
    up: float


@dataclass(frozen=True)
class _Focus:
    gained: bool


_Event = _Text | _Key | _Modifiers | _Point | _Button | _Wheel | _Focus

_KINDS_BEFORE: dict[type[_Event], set[type[_Event]]] = {
    _Text: {_Text},
    _Key: {_Key, _Point},
    _Point: {_Point},
    # Movement has to come a frame before: imgui looks for the card under the mouse among those of
    # the frame before, and a card whose pixels were kept was not among them.
    _Button: {_Button},
    _Wheel: {_Wheel},
    _Focus: set(),
}
"""For each kind of event the kinds that may come before it in one frame."""


class Input:
    """Passes the events of a window to the current imgui context, in their order.

    Imgui looks at keys and buttons once a frame, so a frame takes as many events as it can tell
    apart: any length of text, or a key, or a button. While `crowded`, more frames are due before
    one is painted.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        """Prepare to take events, and let imgui use the clipboard of the window.

        Args:
            window: the window of pyglet.
        """
        self._window = window
        self._io = imgui.get_io()
        self._io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        # Both in seconds. A click counts as single once no second one can follow.
        self._io.mouse_double_click_time = _DOUBLE_CLICK
        self._io.mouse_single_click_delay = 2 * _DOUBLE_CLICK
        self._cursor: int = imgui.MouseCursor_.arrow
        self._events: deque[_Event] = deque()
        # Flags of the modifiers that are held, and of those that imgui knows of.
        self._modifiers = self._modifiers_sent = 0
        # Keys that imgui knows to be down, and those that are down for it once it has had all
        # queued events.
        self._down: set[int] = set()
        self._came_down: set[int] = set()
        self.waits_for_focus = False
        """Whether keys wait for a field that has not got the keyboard yet."""
        self.caret = Caret()
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: self._window.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _, text: self._window.set_clipboard_text(
            text
        )

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard."""
        return bool(self._io.want_text_input)

    @property
    def pending(self) -> bool:
        """Whether imgui has not looked yet at all that came."""
        return bool(self._events) or len(imgui.get_current_context().input_events_queue) > 0

    @property
    def crowded(self) -> bool:
        """Whether more waits than the next frame takes."""
        queued = len(imgui.get_current_context().input_events_queue)
        return queued > 0 or (
            bool(self._events) and (self.waits_for_focus or self._batch_size() < len(self._events))
        )

    @property
    def ctrl_and_shift(self) -> tuple[bool, bool]:
        """Whether Ctrl, and whether Shift is held."""
        return bool(self._io.key_ctrl), bool(self._io.key_shift)

    def blink(self, elapsed: float) -> float:
        """Let time pass, [s], and return how much of it the frame advances that the caret needs.

        0 if it needs none.
        """
        return BLINK_INTERVAL if self.typing and self.caret.due(elapsed) else 0.0

    def begin_frame(self, width: int, height: int, elapsed: float) -> None:
        """Begin a frame of a size, [pixels], some time after the last one, [s]."""
        self._io.display_size = imgui.ImVec2(width, height)
        self._io.delta_time = max(elapsed, 1e-4)
        self._io.config_input_text_cursor_blink = self.caret.blinks
        self._pass_on_batch()

    def key(self, symbol: int, modifiers: int, *, down: bool) -> None:
        """Queue a key that goes down or up; keys unknown to text fields are dropped.

        Args:
            symbol: pyglet's symbol of the key.
            modifiers: pyglet's flags of the modifiers that are held, such as Shift.
            down: whether it goes down, and not up.
        """
        held = modifiers & _ALL_MODIFIERS  # without those that lock, such as Num Lock
        if symbol in _MODIFIER_KEYS:
            # Pyglet's flags do not have the effect of this key itself yet.
            flag = _MODIFIER_KEYS[symbol]
            self._events.append(_Modifiers(held | flag if down else held & ~flag))
        elif symbol in _KEYS and (down or symbol in self._came_down):
            # A key that went down for a shortcut did not come here. Its release is dropped, as it
            # would take a frame of its own.
            if down:
                self._came_down.add(symbol)
            else:
                self._came_down.discard(symbol)
            self._events.append(_Key(symbol, held, down))

    def text(self, text: str) -> None:
        """Characters are typed."""
        self._events.append(_Text(text))

    def point(self, x: float, y: float) -> None:
        """Handle a move of the mouse to a place, [pixels] from the upper left corner."""
        if self._events and isinstance(self._events[-1], _Point):
            self._events.pop()
        self._events.append(_Point(x, y))

    def leave(self) -> None:
        """Handle that the mouse has left the window."""
        self.point(-1e30, -1e30)

    def button(self, number: int, *, down: bool) -> None:
        """A button of the mouse goes down or up."""
        if number in _BUTTONS:
            self._events.append(_Button(_BUTTONS[number], down))

    def wheel(self, across: float, up: float) -> None:
        """Handle a turn of the wheel, in clicks."""
        self._events.append(_Wheel(across, up))

    def focus(self, *, gained: bool) -> None:
        """Handle that the window gains or loses the keyboard."""
        self._events.append(_Focus(gained))

    def show_cursor(self) -> None:
        """Give the mouse the shape that the panel wants."""
        wanted = imgui.get_mouse_cursor()
        if wanted != self._cursor:
            self._cursor = wanted
            text = wanted == imgui.MouseCursor_.text_input
            shape = self._window.CURSOR_TEXT if text else self._window.CURSOR_DEFAULT
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(shape))

    def _batch_size(self) -> int:
        """Return how many waiting events imgui can tell apart within one frame."""
        batch = _Batch(self._modifiers_sent)
        for number, event in enumerate(self._events):
            if not batch.add(event):
                return number
        return len(self._events)

    def _pass_on_batch(self) -> None:
        """Send as many queued events of mouse and keyboard to imgui as it can take in one frame.

        If a text field is to get the keyboard focus but has not got it yet, keys and text, and all
        later events, stay queued.
        """
        has_text = False
        for _event in range(self._batch_size()):
            if self.waits_for_focus and isinstance(self._events[0], (_Text, _Key)):
                break
            event = self._events.popleft()
            has_text = has_text or isinstance(event, _Text)
            self._pass_on(event)
        # With text, modifiers need not be sent: Shift may be down only for a character.
        if not has_text:
            self._send_modifiers(self._modifiers)

    def _pass_on(self, event: _Event) -> None:
        """Pass an event on to imgui.

        Modifiers (Shift, Ctrl …) are only noted here. They are sent before the next key or button;
        without one, `_pass_on_batch` sends them after the last event of the frame.

        Args:
            event: the next event of the queue.
        """
        match event:
            case _Text(text):
                for character in text:
                    if character.isprintable():
                        self._io.add_input_character(ord(character))
            case _Key(symbol, modifiers, down):
                self._modifiers = modifiers
                self._send_key(symbol, down=down)
            case _Modifiers(modifiers):
                self._modifiers = modifiers
            case _Point(x, y):
                self._io.add_mouse_pos_event(x, y)
            case _Button(number, down):
                # Sent first, as they change what a click does: with Shift, sliders move finely.
                self._send_modifiers(self._modifiers)
                self._io.add_mouse_button_event(number, down)
            case _Wheel(across, up):
                self._io.add_mouse_wheel_event(across, up)
            case _Focus(gained):
                # Imgui takes all keys for released when the window gains or loses the keyboard.
                self._modifiers = 0
                self._modifiers_sent = 0
                self._down.clear()
                self._io.add_focus_event(gained)

    def _send_key(self, symbol: int, *, down: bool) -> None:
        """Pass a key on to imgui with the modifiers that are held, unless imgui has no use for it.

        Args:
            symbol: pyglet's symbol of a key in `_KEYS`.
            down: whether the key goes down, and not up.
        """
        # Letters that imgui knows from chords such as Ctrl+C come as text without Ctrl.
        has_ctrl = bool(self._modifiers & (key.MOD_CTRL | key.MOD_COMMAND))
        if symbol in _TYPED_BY_CHORDS and down and not has_ctrl:
            return
        if not down and symbol not in self._down:  # imgui was not told that it went down
            return
        self._send_modifiers(self._modifiers)
        if down:
            self._down.add(symbol)
        else:
            self._down.discard(symbol)
        self._io.add_key_event(_KEYS[symbol], down)

    def _send_modifiers(self, modifiers: int) -> None:
        for flag, name in _MODIFIERS:
            if (modifiers ^ self._modifiers_sent) & flag:
                self._io.add_key_event(name, bool(modifiers & flag))
        self._modifiers_sent = modifiers


class _Batch:
    """Events that imgui can tell apart within one frame.

    Imgui itself keeps back what comes too soon, by the same rules; but only here is known how much
    waits.

    Args:
        modifiers: modifiers that are held before.
    """

    def __init__(self, modifiers: int) -> None:
        self._modifiers = modifiers
        # What is in the batch: kinds of events, all keys and mouse buttons that go down or up, and
        # whether a key goes down.
        self._kinds: set[type[_Event]] = set()
        self._keys: set[int] = set()
        self._buttons: set[int] = set()
        self._pressed = False

    def add(self, event: _Event) -> bool:
        """Add an event to the batch; return whether it may be in the same frame as those before.

        Imgui reads input once a frame: events of different kinds would lose their order, and of two
        changes of a key or button only one would be seen. Must not be called after the first False.

        Args:
            event: the next event of the queue.
        """
        kind = type(event)
        if isinstance(event, _Modifiers):
            return self._add_modifiers(event.modifiers)
        fits = self._kinds <= _KINDS_BEFORE[kind]
        match event:
            case _Key(symbol, modifiers, down):
                # A letter without Ctrl comes as text, and imgui is not told of its key.
                has_ctrl = bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND))
                is_text = symbol in _TYPED_BY_CHORDS and not has_ctrl
                if is_text and self._kinds.isdisjoint((_Key, _Focus)):
                    return True
                # Only one key may go down in a frame, so that their order is kept.
                is_late = symbol in self._keys or (down and self._pressed)
                fits = fits and not is_late and self._add_modifiers(modifiers)
                self._keys.add(symbol)
                self._pressed = self._pressed or down
            case _Button(number):
                fits = fits and number not in self._buttons
                self._buttons.add(number)
        self._kinds.add(kind)
        return fits

    def _add_modifiers(self, modifiers: int) -> bool:
        """Note the modifiers that are held, and return whether imgui can take them in this frame.

        They must not change between keys and buttons of one frame: of a chord that is released
        within the frame, imgui would see the key without its modifier.
        """
        fits = modifiers == self._modifiers or self._kinds.isdisjoint((_Key, _Button, _Focus))
        self._modifiers = modifiers
        return fits
