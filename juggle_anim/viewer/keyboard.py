"""The keyboard: keys and text go to shortcuts, or to the text field that has the keyboard.

Fixes of pyglet under X: dropped files, destroyed windows, visibility, and the clipboard.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from juggle_anim.notation.search import begins_name
from juggle_anim.viewer.layout import Layout
from juggle_anim.viewer.panel.values import DropDown
from juggle_anim.viewer.state.controller import Controller
from juggle_anim.viewer.state.keymap import VARIATIONS, Action, begins_pattern, binding_for

_MORE_TYPES = 1  # flag of a program that offers more than three kinds of data
_CHARACTERS = range(0x20, 0x7F)  # symbols of keys that type a character
LEFT_TAB = 23 << 32
"""The symbol that pyglet gives Tab with Shift under X, by the number of the key: it does not know
`ISO_Left_Tab`.
"""

_FULLY_OBSCURED = 2  # VisibilityFullyObscured of X.h


def fix_file_drops(window: Any) -> Callable[[], None]:
    """Replace pyglet's handlers of drag and drop, so that a window copes with any drop.

    Pyglet 2.1 raises a TypeError if the program from which something is dragged offers three kinds
    of data or fewer, or if none of them are files. Nor does it tell that program that a drop is
    over, so that it waits. The protocol is XDND 5 (freedesktop.org/wiki/Specifications/XDND).

    Args:
        window: a window of pyglet.

    Returns:
        A function to call when dropped files have been taken.
    """
    if not hasattr(window, "_xdnd_atoms"):
        return lambda: None  # another system than X, which needs no fix
    handle_enter = window._event_drag_enter
    handle_drop = window._event_drag_drop

    def entered(event: Any) -> None:
        """Handle that a drag has entered the window."""
        # Pyglet manages only programs that offer more than three kinds of data.
        if event.xclient.data.l[1] & _MORE_TYPES:
            handle_enter(event)
        else:
            _note_offered_types(window, event)

    def dropped(event: Any) -> None:
        """Handle a drop; it is refused if it has no files."""
        if window._xdnd_format:
            handle_drop(event)
        else:
            _finish_drop(window, taken=False)

    window._event_drag_enter = entered
    window._event_drag_drop = dropped
    return lambda: _finish_drop(window, taken=True)


def _note_offered_types(window: Any, event: Any) -> None:
    """Note the source of a drag, and whether it offers files, as pyglet does for other programs.

    Args:
        window: a window of pyglet, whose attributes are set.
        event: the X event XdndEnter. The numbers in it are the window of the source, the version of
            the protocol (in the highest byte), and up to three kinds of data.
    """
    source, version_and_flags, *offered_types = event.xclient.data.l[:5]
    files = window._xdnd_atoms["text/uri-list"]
    window._xdnd_source = source
    window._xdnd_version = version_and_flags >> 24
    window._xdnd_format = files if files in offered_types else None


def _finish_drop(window: Any, taken: bool) -> None:
    """Tell the program from which a drag came that the drop is over (XdndFinished).

    XDND is the protocol of X11 for drag and drop. The numbers `l` of this message are the window
    that received the drop, whether it was taken, and what was done with it.

    Args:
        window: the window of pyglet on which the drag ended; nothing happens if no drag has entered
            it.
        taken: whether the data was accepted.
    """
    from ctypes import POINTER, byref, cast

    from pyglet.libs.x11 import xlib

    source = getattr(window, "_xdnd_source", None)
    if source is None:
        return
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.format = 32
    event.xclient.message_type = window._xdnd_atoms["XdndFinished"]
    event.xclient.display = cast(window._x_display, POINTER(xlib.Display))
    event.xclient.window = source
    event.xclient.data.l[0] = window._window
    event.xclient.data.l[1] = int(taken)
    event.xclient.data.l[2] = window._xdnd_atoms["XdndActionCopy"] if taken else 0
    xlib.XSendEvent(window._x_display, source, False, xlib.NoEventMask, byref(event))
    xlib.XFlush(window._x_display)


def on_window_destroyed(window: Any, callback: Callable[[], None]) -> None:
    """Call a function when another program has destroyed a window, which pyglet ignores.

    Does nothing on other systems than Linux with X.

    Args:
        window: a window of pyglet, whose table of handlers is changed.
        callback: called once; the window must not be used any more then.
    """
    # Pyglet's private table of handlers by the type of the X event.
    handlers = getattr(window, "_event_handlers", None)
    if not sys.platform.startswith("linux") or not isinstance(handlers, dict):
        return
    from pyglet.libs.x11 import xlib

    def handle(event: Any) -> None:
        if event.xdestroywindow.window == window._window:
            callback()

    handlers[xlib.DestroyNotify] = handle


def release_shifted_keys(window: Any, symbol: int) -> None:
    """Release keys whose symbol Shift has changed while they were down; call it at each release.

    If Shift is pressed or released meanwhile, pyglet 2.1 knows a key by another symbol when it
    comes up than when it went down, such as `=` and `+`. It keeps the first symbol among the
    pressed keys, and takes each further press of the key for a repeat.

    Args:
        window: a window of pyglet.
        symbol: symbol of the key that comes up.
    """
    pressed_symbols = getattr(window, "pressed_keys", None)
    # Under which symbol it went down is unknown: all keys that Shift could change are released.
    if pressed_symbols and symbol not in pressed_symbols:
        pressed_symbols.difference_update(
            [known for known in pressed_symbols if known in _CHARACTERS or known == LEFT_TAB]
        )


class WindowVisibility:
    """Whether a window is minimised or wholly covered, so that it need not be drawn.

    Pyglet ignores the latter.

    X reports it, unless a compositor keeps the pictures of all windows.

    Args:
        window: pyglet's.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self.shown = True
        self.covered = False
        """Whether it is on the screen, and whether other windows cover all of it."""
        handlers = getattr(window, "_event_handlers", None)
        if sys.platform.startswith("linux") and isinstance(handlers, dict):
            from pyglet.libs.x11 import xlib

            handlers[xlib.VisibilityNotify] = self._update

    @property
    def hidden(self) -> bool:
        """Whether nothing of it is visible."""
        return not self.shown or self.covered or 0 in self._window.get_framebuffer_size()

    def _update(self, event: Any) -> None:
        # It is redrawn once it is visible again: then X reports that it was exposed.
        self.covered = event.xvisibility.state == _FULLY_OBSCURED


def set_full_screen(window: Any, *, full: bool) -> None:
    """Let a window fill the screen, or no longer."""
    window.set_fullscreen(full)
    # For X it is another window, which gets no release of a key that was down; pyglet would take
    # the next press for a repeat.
    getattr(window, "pressed_keys", set()).clear()


def write_clipboard(window: Any, text: str) -> None:
    """Copy a text to the clipboard of a window's display."""
    window.set_clipboard_text(_ByteLengthString(text))


class _ByteLengthString(str):
    """A text whose length is that of its bytes, as pyglet 2.1 needs it under X."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.encode())


DELAY = 0.35
INTERVAL = 0.045
"""Before the first repeat, and between repeats, [s]."""

_NAMES = {
    "return": "enter", "num_enter": "enter", "linefeed": "enter", "num_home": "home",
    "num_add": "plus",
    "num_subtract": "minus", "num_0": "0",
}  # fmt: skip
_FIELD_CHORDS = ("ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+y", "ctrl+z", "ctrl+shift+z")
# frames in which a field that closes lets go of the keyboard; a field that stays open goes on then
_MAX_DEFERRED_FRAMES = 6

BLINK_INTERVAL = 0.4
"""Time between two frames that show the caret, [s]: Dear ImGui shows it for two of these and hides
it for one.
"""

_BLINK_TIME = 10.0  # s; then the caret stays, so that a forgotten field costs nothing
LETTER_WAIT = 0.35
"""How long the action of a letter waits for another letter, which makes both of them text, [s].

People type a key 0.239 ± 0.112 s after the one before (mean and standard deviation of 168 000
people, Dhakal et al., Observations on typing from 136 million keystrokes, 2018).
"""

SLOW_TYPING = 1.2
"""How long after the action of a letter another one may still begin a name with it, [s]."""

_FIELD_ACTIONS = Action.FIND, Action.BROWSE
"""Actions of letters that open a field for text: what is typed next is for it."""

_MAX_FOCUS = 4  # frames in which a field that wants the keyboard gets it
_FRAMES_WITHOUT_FIELD = 3  # another field that takes over has the keyboard before that


class FieldInput(Protocol):
    """The part of the user interface that takes keys and characters for text fields."""

    waits_for_focus: bool
    """Whether keys are queued for a field that does not have the keyboard focus yet."""

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard."""

    @property
    def pending(self) -> bool:
        """Whether fields have not had all yet that was typed."""

    def key(self, symbol: int, modifiers: int, *, down: bool) -> None:
        """A key goes down or up."""

    def text(self, text: str) -> None:
        """A character is typed."""


class Keyboard:
    """Sends keys and text where they belong.

    Args:
        controller: gives the one that performs actions now.
        field_input: gives the input of text fields.
        layout: gives the places in the window.
    """

    def __init__(
        self,
        controller: Callable[[], Controller],
        field_input: Callable[[], FieldInput],
        layout: Callable[[], Layout],
    ) -> None:
        """Begin with no key pressed.

        Args:
            controller: returns the controller that performs actions now.
            field_input: returns the input of text fields.
            layout: returns the present layout of the window.
        """
        self._controller = controller
        self._field_input = field_input
        self._layout = layout
        self.repeat = KeyRepeat()
        self.deferred = DeferredKeys()
        self._character = ""  # the character typed last, while its key is held
        # Frames for which keys still wait for a field that wants the keyboard, and frames for which
        # a field has wanted it in vain.
        self._focus_frames = 0
        self._unmet_frames = 0
        self._symbol = 0  # of the key that went down last
        # A typed letter whose action waits for another letter, which would begin a name, and how
        # long it has waited, [s].
        self._letter = ""
        self._letter_age = 0.0
        # The letter whose action was performed as no other letter followed in time, how long ago,
        # [s], and whether it changed a setting.
        self._acted_letter = ""
        self._acted_age = 0.0
        self._acted_on_settings = False
        # Whether the last letter followed another one soon that stayed a shortcut: so did it.
        self._follows_shortcut = False
        self._held: dict[int, Action] = {}  # actions of keys that are down, by their symbols

    def press(self, symbol: int, modifiers: int) -> bool:
        """Send a key that goes down to what it is for.

        That is the first that takes it of the welcome tour, a question about a file, an open list
        of options, the focused control, a shortcut, and the text field.

        Args:
            symbol: pyglet's symbol of the key.
            modifiers: pyglet's flags of the pressed modifiers.

        Returns:
            Whether to redraw at once.
        """
        controller = self._controller()
        controller.model.focus.key_came = True
        name = chord_name(symbol, modifiers)
        # Keys of single characters come as text events, too, independent of the keyboard layout:
        # their actions are performed there.
        is_character = len(name) <= 1
        binding = None if is_character else binding_for(name)
        is_typing = self.typing
        self._symbol = symbol
        # The action of a letter that has waited for another letter is performed first.
        if binding:
            self.settle()
        if controller.welcome.press(name):
            return True
        question = controller.library.files.question
        if question:
            controller.library.files.answer(question.press(name))
            return True
        drop_down = self._drop_down
        if drop_down:
            if drop_down.press(name):
                return True
            if binding_for(name):
                drop_down.close()
        if self._focuses(name):
            return True
        # A text field takes all keys, except chords that it does not use, and keys that mean
        # something in the prompt, browser or generator to which it belongs.
        is_for_field = is_typing and (not name.startswith("ctrl+") or name in _FIELD_CHORDS)
        if binding and (not is_for_field or controller.library.handler(binding.action)):
            controller.perform(binding.action)
            self._held[symbol] = binding.action
            if binding.action.repeats:
                self.repeat.press(binding.action)
            elif is_typing:
                # The action may close the field, so that the next keys are not for it.
                self.deferred.wait()
        else:
            self._field_input().key(symbol, modifiers, down=True)
            # With any modifiers, these may close the field, too.
            if is_typing and chord_name(symbol, 0) in ("enter", "escape"):
                self.deferred.wait()
        return bool(binding) or (is_typing and not is_character)

    def release(self, symbol: int, modifiers: int) -> None:
        """A key comes up."""
        self.repeat.release()
        self._controller().model.undo.end_step()
        self._character = ""
        if symbol in self._held:
            self._controller().release(self._held.pop(symbol))
        self._field_input().key(symbol, modifiers, down=False)

    def text(self, text: str) -> None:
        """Send typed characters to what they are for.

        That is the first that is open or fits of a question about a file, a list of options, the
        text field, the sheet of variations (a digit chooses one), the pattern line if a pattern
        begins so, and a shortcut. A letter's shortcut waits for `LETTER_WAIT`, as two letters in a
        row begin the name of a pattern; the shortcut of a letter that a slow typist began with is
        taken back. If it opens a field, it waits only as long as what is typed
        may be such a name.

        Args:
            text: usually one character; an input method may send several.
        """
        files = self._controller().library.files
        if files.question:
            files.answer(files.question.type(text))
            return
        drop_down = self._drop_down
        if drop_down:
            drop_down.type(text)
            return
        if text.isprintable() and text != " ":
            self._controller().model.focus.leave()
        if self._letter and self._opens_field(self._letter, text):
            self.settle()
        if not (self.typing or self._letter):
            self._letter = self._taken_back(text)
        is_character = len(text) == 1
        shows_variations = self._controller().model.cards.panel == VARIATIONS
        if self.typing:
            self._field_input().text(text)
        elif shows_variations and is_character and text in "123456789":
            self._controller().variations.choose(int(text) - 1)
        elif self._begins_line(text):
            typed = self._letter + text
            self._letter = ""
            self._controller().begin_typing()
            self._field_input().text(typed)
        else:
            self.settle()
            binding = binding_for(text.lower()) if is_character else None
            # The system repeats the character of a held key; most actions are not to repeat.
            if binding and (binding.action.repeats or text != self._character):
                self._perform(binding.action, text)
            self._character = text

    def _taken_back(self, text: str) -> str:
        """Take back the action of the letter before, if a name begins with both letters.

        An action that changed a setting is undone. Others switch something, and do so once more.

        Args:
            text: the character after that letter.

        Returns:
            The letter before; empty if its action stays.
        """
        letter = self._acted_letter
        self._acted_letter = ""
        self._follows_shortcut = bool(letter) and self._acted_age < SLOW_TYPING
        # The same letter again is the same key once more, as in `_begins_line`.
        is_other_letter = text.isalpha() and text.lower() != letter.lower()
        is_name = letter and is_other_letter and begins_name(letter + text)
        binding = binding_for(letter.lower())
        if not (is_name and binding and self._acted_age < SLOW_TYPING):
            return ""
        self._controller().perform(Action.UNDO if self._acted_on_settings else binding.action)
        self._controller().model.notice.text = ""
        return letter

    def _begins_line(self, text: str) -> bool:
        """Return whether a character begins a pattern, or does so with the letter that waits."""
        # The same letter again is the same key once more, as no name begins with a letter twice.
        continues = self._letter and text.lower() != self._letter.lower() and text.isalpha()
        return bool(continues) or begins_pattern(text, self._controller().idle)

    @staticmethod
    def _opens_field(letter: str, text: str = "") -> bool:
        """Return whether a letter opens a field, and begins no name with the text after it."""
        binding = binding_for(letter.lower())
        is_bound_to_field = binding is not None and binding.action in _FIELD_ACTIONS
        return is_bound_to_field and not begins_name(letter + text)

    def _perform(self, action: Action, text: str) -> None:
        """Perform the action of a character; for a letter, only if no other letter follows soon.

        Some actions are performed at once: those that repeat while a key is down, the marking of a
        beat, whose time matters, and those that open a field.

        Args:
            action: action of the character.
            text: the character.
        """
        acts_at_once = action.repeats or action is Action.MARK_BEAT or self._opens_field(text)
        if text.isalpha() and not acts_at_once:
            self._letter = text
            self._letter_age = 0.0
        else:
            self._controller().perform(action)
            self._held[self._symbol] = action

    @property
    def waits(self) -> bool:
        """Whether the action of a letter waits."""
        return bool(self._letter)

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s]; return whether that has performed the action that waited."""
        self._letter_age += elapsed
        self._acted_age += elapsed
        letter = self._letter
        if not letter or self._letter_age < LETTER_WAIT:
            return False
        model = self._controller().model
        parameters_before = model.chosen_step.parameters
        has_acted = self.settle()
        self._acted_letter = "" if self._follows_shortcut else letter
        self._acted_age = 0.0
        self._acted_on_settings = model.chosen_step.parameters is not parameters_before
        return has_acted

    def settle(self) -> bool:
        """Perform the action that waits, if one does: what comes now is no other letter."""
        binding = binding_for(self._letter.lower())
        self._letter = ""
        if binding:
            self._controller().perform(binding.action)
            self._controller().model.undo.end_step()
        return bool(binding)

    @property
    def _drop_down(self) -> DropDown | None:
        """The list of options that has the keyboard; a window that is too small shows none."""
        return self._controller().model.drop_downs.now if self._layout().panel else None

    def _focuses(self, name: str) -> bool:
        """Let a key press the control that has the focus, or end the focus.

        Args:
            name: name of the key with its modifiers, such as `shift+tab`.

        Returns:
            Whether the key is used up by this, and has no other effect.
        """
        focus = self._controller().model.focus
        if not focus.chosen or self.typing or name.endswith("tab"):
            return False
        if name in ("enter", "space"):
            return focus.press()
        if binding_for(name):
            focus.leave()
        return name == "escape"

    def expect_typing(self) -> None:
        """Keep what is typed for a field that is about to have the keyboard.

        Call it before each frame.
        """
        if self._field_wanted:
            self._focus_frames = _MAX_FOCUS
        else:
            self._focus_frames = 0 if self._field_input().typing else max(self._focus_frames - 1, 0)
        self._field_input().waits_for_focus = self._focus_frames > 0

    def frame_drawn(self) -> None:
        """Send what need not wait any more; call it after each frame."""
        self._unmet_frames = self._unmet_frames + 1 if self._fields_wanting_focus else 0
        if self._unmet_frames > _MAX_FOCUS:
            # Another card has taken the place of a field before it got the keyboard. The field
            # would keep all keys for as long as that card is shown.
            for field, flag in self._fields_wanting_focus:
                setattr(field, flag, False)
        if not self._field_input().pending:
            self.deferred.frame_drawn(typing=self.typing)

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard, or is about to."""
        return self._field_input().typing or self._focus_frames > 0 or self._field_wanted

    @property
    def _field_wanted(self) -> bool:
        wanted = bool(self._fields_wanting_focus)
        if wanted and self._layout().panel is None:
            # A window that is too small shows no other field.
            controller = self._controller()
            return controller.library.prompt.wants_focus or controller.palette.wants_focus
        return wanted

    @property
    def _fields_wanting_focus(self) -> list[tuple[object, str]]:
        """The text fields that want the keyboard, each with the name of its flag that says so."""
        controller = self._controller()
        model = controller.model
        library = controller.library
        fields = (
            model.listing,
            model.preset_list,
            library.browser,
            library.prompt,
            controller.routine,
            controller.picture_keys.entry,
            model.entry,
            controller.footage.controls.entry,
            controller.palette,
        )
        flags: list[tuple[object, str]] = [(model, "line_wants_focus")]
        flags += [(field, "wants_focus") for field in fields if field]
        return [(field, flag) for field, flag in flags if getattr(field, flag)]


def chord_name(symbol: int, modifiers: int) -> str:
    """Return the name of a chord as the key table writes it: `shift+left`, `ctrl+q`."""
    from pyglet.window import key  # it needs a system library

    name = "tab" if symbol == LEFT_TAB else key.symbol_string(symbol).lower()
    held = "ctrl+" if modifiers & (key.MOD_CTRL | key.MOD_COMMAND) else ""
    if held and name in ("equal", "plus"):
        return f"{held}plus"  # on most keyboards a plus is the equals sign with Shift
    held += "shift+" if modifiers & key.MOD_SHIFT else ""
    held += "alt+" if modifiers & key.MOD_ALT else ""
    return held + _NAMES.get(name, name.lstrip("_"))


def ctrl_and_shift(modifiers: int) -> tuple[bool, bool]:
    """Return whether Ctrl, and whether Shift is held, by pyglet's modifiers."""
    from pyglet.window import key

    return bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND)), bool(modifiers & key.MOD_SHIFT)


class KeyRepeat:
    """Repeats the action of a held key, as keyboards do for characters alone."""

    def __init__(self) -> None:
        self._action: Action | None = None
        self._time_left = 0.0

    @property
    def active(self) -> bool:
        """Whether a key is held."""
        return self._action is not None

    def press(self, action: Action) -> None:
        """Begin with an action whose key went down."""
        self._action = action
        self._time_left = DELAY

    def release(self) -> None:
        """End: the key came up, or the window lost the keyboard."""
        self._action = None

    def due(self, elapsed: float) -> list[Action]:
        """Let time pass, [s], and return the action to repeat: at most once a frame."""
        self._time_left -= elapsed
        if self._action is None or self._time_left > 0:
            return []
        self._time_left = INTERVAL
        return [self._action]


class DeferredKeys:
    """Keeps key events back, in order, while it is unknown whether they are for a text field."""

    def __init__(self) -> None:
        self._kept: deque[Callable[[], object]] = deque()
        self._frames_left = self._frames_without_field = 0

    @property
    def waiting(self) -> bool:
        """Whether keys are kept back now."""
        return self._frames_left > 0

    def wait(self) -> None:
        """Begin to keep keys back: something happened by which a text field may close."""
        self._frames_left = _MAX_DEFERRED_FRAMES
        self._frames_without_field = 0

    def keep(self, event: Callable[[], object]) -> bool:
        """Keep an event for later while keys are kept back; return whether it was kept."""
        if self.waiting:
            self._kept.append(event)
        return self.waiting

    def frame_drawn(self, *, typing: bool) -> None:
        """Count a frame, with or without a focused field, and send events that are due."""
        self._frames_without_field = 0 if typing else self._frames_without_field + 1
        if self._frames_without_field < _FRAMES_WITHOUT_FIELD:
            self._frames_left = max(self._frames_left - 1, 0)
        else:  # the field has closed, and no other has taken over
            self._frames_left = 0
        # An event that is sent may begin another wait, which keeps back the rest.
        while self._kept and not self.waiting:
            send = self._kept.popleft()
            send()


class Caret:
    """Decides when to redraw a still picture because the caret blinks."""

    def __init__(self) -> None:
        self._time_at_rest = self._time_since_blink = 0.0

    @property
    def blinks(self) -> bool:
        """Whether it blinks; otherwise it stays."""
        return self._time_at_rest < _BLINK_TIME

    def reset(self) -> None:
        """Something else is drawn: blink again."""
        self._time_at_rest = self._time_since_blink = 0.0

    def due(self, elapsed: float) -> bool:
        """Let time pass, [s], while a field could be typed into; return whether to draw it."""
        if not self.blinks:
            return False
        self._time_at_rest += elapsed
        self._time_since_blink += elapsed
        if self._time_since_blink < BLINK_INTERVAL and self.blinks:
            return False
        self._time_since_blink = 0.0
        return True
