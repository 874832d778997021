"""Key bindings: chords, the actions that they trigger, the help, and the focused control."""

from __future__ import annotations

from collections.abc import Container
from enum import Enum
from functools import cache

from juggle_anim.language import _, language
from juggle_anim.lazy_dataclass import dataclass

_PATTERN_STARTS = "0123456789([<"

_NAMES = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "escape": "Esc", "shift": "Shift",
    "ctrl": "Ctrl",
    "space": "Space", "tab": "Tab", "home": "Home", "enter": "Enter", "alt": "Alt",
    "pageup": "PgUp",
    "pagedown": "PgDn", "delete": "Del", "insert": "Ins", "plus": "+", "minus": "−",
}  # fmt: skip


class Action(Enum):
    """A key binding: the action, its default chords, and whether it repeats while a key is held."""

    def __init__(self, chords: str, repeats: bool = False) -> None:
        self.chords = chords.split()
        self.repeats = repeats

    PAUSE = "space"
    STEP_BACK = ",", True
    STEP_ON = ".", True
    SLOWER = "-"
    FASTER = "+"
    EDIT_PATTERN = "/ ctrl+l"
    BROWSE = "e ctrl+f"
    GENERATE = "ctrl+g"
    VARY = "ctrl+n"
    OPTIMISE = "ctrl+r"
    ROUTINE = "ctrl+shift+r"
    LEARN = "ctrl+j"
    PAGE_UP = "pageup", True
    PAGE_DOWN = "pagedown", True
    SHELF = "ctrl+1"
    PROPS = "ctrl+2"
    LEVEL = "ctrl+3"
    TAG = "ctrl+4"
    STAR = "ctrl+d"
    PATTERN_BEFORE = "alt+left"
    PATTERN_AFTER = "alt+right"
    OPEN_FILE = "ctrl+o"
    SAVE_FILE = "ctrl+s"
    SAVE_AS = "ctrl+shift+s"
    COPY = "ctrl+c"
    PASTE = "ctrl+v"
    CHOOSE_PREVIOUS = "up", True
    CHOOSE_NEXT = "down", True
    TURN_DOWN = "left", True
    TURN_UP = "right", True
    TURN_DOWN_FINE = "shift+left", True
    TURN_UP_FINE = "shift+right", True
    TYPE_VALUE = "enter"
    RESET_VALUE = "home"
    RESET_ALL = "shift+home"
    FIND = "q"
    WING = "ctrl+w"
    LARGER_TEXT = "ctrl+plus", True
    SMALLER_TEXT = "ctrl+minus", True
    USUAL_TEXT = "ctrl+0"
    UNDO = "ctrl+z", True
    REDO = "ctrl+shift+z", True
    PRESETS = "ctrl+p"
    LIVE = "ctrl+t"
    BEATS = "z"
    DIAGRAM = "y"
    STATE_GRAPH = "ctrl+y"
    FACTS = "ctrl+i"
    EDIT = "ctrl+e"
    EVENTS = "ctrl+shift+e"
    HANDLE_BEFORE = "alt+up", True
    HANDLE_AFTER = "alt+down", True
    EDIT_MENU = "ctrl+enter"
    HANDLE_PLACE = "ctrl+h"
    UP_FINE = "shift+up", True
    DOWN_FINE = "shift+down", True
    AWAY_FINE = "shift+pageup", True
    NEARER_FINE = "shift+pagedown", True
    ADD_POINT = "insert"
    REMOVE_POINT = "delete"
    SYMMETRIC = "ctrl+shift+m"
    COPY_PATH = "ctrl+shift+c"
    PASTE_PATH = "ctrl+shift+v"
    FRAME = "f"
    FROM_FRONT = "f1"
    FROM_LEFT = "f2"
    FROM_RIGHT = "f3"
    FROM_BACK = "f4"
    FROM_TOP = "f5"
    FROM_EYES = "f6"
    FRAMING = "f8"
    CAMERA_PATH = "shift+f8"
    ZOOM_IN = "ctrl+up", True
    ZOOM_OUT = "ctrl+down", True
    FOLLOW = "v"
    BACKWARDS = "r"
    THROW_BEFORE = "ctrl+left", True
    THROW_AFTER = "ctrl+right", True
    FULL_SCREEN = "f11"
    PICTURE = "f12"
    RECORD = "f9"
    KEEP_SESSION = "shift+f9"
    NUMBERS = "x"
    SPLIT = "s"
    OTHER_HALF = "d"
    SOUND = "m"
    PLOTS = "p"
    OTHER_ARM = "a"
    GOAL = "g"
    METHOD = "c"
    ITERATE = "n", True
    HOLD = "w"
    TURN_GOAL = "t"
    GOAL_LEFT = "j", True
    GOAL_RIGHT = "l", True
    GOAL_UP = "i", True
    GOAL_DOWN = "k", True
    GOAL_AWAY = "u", True
    GOAL_NEARER = "o", True
    FOOTAGE = "ctrl+b"
    MARK_BEAT = "b"
    UNMARK = "ctrl+m", True
    USE_MARKS = "ctrl+u"
    SHIFT_BEAT = "ctrl+shift+u"
    REMOVE_FILM = "ctrl+shift+b"
    TOGGLE_PANEL = "tab"
    FOCUS_AFTER = "ctrl+tab", True
    FOCUS_BEFORE = "ctrl+shift+tab", True
    PALETTE = "ctrl+k ?"
    TOGGLE_HELP = "h"
    WELCOME = "shift+f1"
    BACK = "escape"
    LEAVE = "ctrl+q"


@dataclass(frozen=True)
class Binding:
    """A chord and its action.

    Args:
        chord: one character as typed, or the name of a key, perhaps after `ctrl+`, `shift+` or
            `alt+`.
        action: action that it triggers.
    """

    chord: str
    action: Action


def chords(action: Action) -> list[list[str]]:
    """Return the chords of an action, each as a list of shown keys: `["Shift", "←"]`."""
    chords = [chord for chord, binding in _by_chord.items() if binding.action is action]
    parts = [chord.split("+") if len(chord) > 1 else [chord] for chord in chords]
    return [
        [_(_NAMES[part]) if part in _NAMES else part.upper() for part in keys] for keys in parts
    ]


BINDINGS = tuple(Binding(chord, action) for action in Action for chord in action.chords)
"""The default bindings."""


@dataclass(frozen=True)
class FixedKey:
    """A key in the help that cannot be rebound, as it works in one place only.

    Args:
        name: name of the key, as shown.
    """

    name: str


HelpLine = tuple[tuple[Action, ...] | FixedKey | str, str]


_by_chord = {binding.chord: binding for binding in BINDINGS}  # the present bindings

HELP: dict[str, tuple[HelpLine, ...]] = {
    "Pattern": (
        ((Action.EDIT_PATTERN,), "Type a pattern"),
        ((Action.BEATS,), "Beats, state and orbits"),
        ((Action.DIAGRAM,), "Ladder or causal diagram"),
        ((Action.STATE_GRAPH,), "States and throws"),
        ((Action.FACTS,), "States, collisions and more"),
        ((Action.BROWSE,), "Browse patterns"),
        ((Action.LEARN,), "Learn it step by step"),
        ((Action.GENERATE,), "Generate patterns"),
        ((Action.VARY,), "Nine variations"),
        (FixedKey("1 – 9"), "Choose a variation"),
        ((Action.ROUTINE,), "Build a routine"),
        ((Action.OPTIMISE,), "More room between props"),
        ((Action.PAGE_UP, Action.PAGE_DOWN), "Scroll up or down"),
        (
            (Action.SHELF, Action.PROPS, Action.LEVEL, Action.TAG),
            "Filter: stars, props, level, tag",
        ),
        ("Right click", "Clear a filter"),
        ((Action.STAR,), "Add or remove favourite"),
        ((Action.PATTERN_BEFORE, Action.PATTERN_AFTER), "Previous or next pattern"),
        ((Action.LIVE,), "Join patterns or cut"),
        ((Action.OPEN_FILE,), "Open a file; or drop one"),
        ((Action.SAVE_FILE,), "Save"),
        ((Action.SAVE_AS,), "Save as pattern, GIF or video"),
        ((Action.COPY, Action.PASTE), "Copy or paste all settings"),
    ),
    "Edit": (
        ((Action.EDIT,), "Edit on or off"),
        ((Action.EVENTS,), "Convert to events or back"),
        ((Action.HANDLE_BEFORE, Action.HANDLE_AFTER), "Select; arrows move it"),
        ((Action.EDIT_MENU,), "More actions"),
        ("Right click", "More actions for a handle"),
        ((Action.HANDLE_PLACE,), "Switch picture and ladder"),
        ((Action.UP_FINE, Action.DOWN_FINE), "Move in fine steps"),
        ((Action.AWAY_FINE,), "Farther, fine; PgUp coarse"),
        ((Action.NEARER_FINE,), "Nearer, fine; PgDn coarse"),
        ((Action.ADD_POINT, Action.REMOVE_POINT), "Add or remove a point"),
        ((Action.SYMMETRIC,), "Mirror images move too"),
        ((Action.COPY_PATH, Action.PASTE_PATH), "Copy or paste a hand's path"),
    ),
    "Settings": (
        ((Action.CHOOSE_PREVIOUS, Action.CHOOSE_NEXT), "Choose"),
        ((Action.TURN_DOWN, Action.TURN_UP), "Change; fold or unfold a group"),
        ((Action.TURN_DOWN_FINE, Action.TURN_UP_FINE), "Change in fine steps"),
        ((Action.TYPE_VALUE,), "Type a number"),
        ((Action.RESET_VALUE,), "Reset to default"),
        ((Action.RESET_ALL,), "Reset all"),
        ((Action.FIND,), "Search, or type “changed”"),
        ((Action.WING,), "Chicken wing: lift the elbows"),
        ((Action.UNDO,), "Undo"),
        ((Action.REDO,), "Redo"),
        ((Action.PRESETS,), "Save or apply presets"),
        (FixedKey("Del"), "Delete the selected preset"),
        ("Shift drag", "Change in fine steps"),
        ("Click a number", "Type a new value"),
        ("Ctrl click", "Type a value, anywhere on it"),
        ("Double click", "Reset to default"),
        ("Right click", "Reset to default"),
    ),
    "Camera": (
        ("Drag", "Rotate"),
        ("Right drag", "Pan"),
        ("Shift drag", "Pan"),
        ("Wheel", "Zoom to the pointer"),
        ((Action.ZOOM_IN, Action.ZOOM_OUT), "Zoom in or out"),
        ((Action.FRAME,), "Fit the pattern"),
        ((Action.FRAMING,), "Fit all throws, or people larger"),
        ((Action.FROM_FRONT, Action.FROM_LEFT, Action.FROM_RIGHT), "Front, left, right"),
        ((Action.FROM_BACK, Action.FROM_TOP), "Behind, top"),
        ((Action.FROM_EYES,), "First person"),
        ((Action.FOLLOW,), "Follow a juggler, or all"),
        ((Action.CAMERA_PATH,), "Camera path for videos"),
    ),
    "Play": (
        ((Action.PAUSE,), "Play or pause"),
        ((Action.BACKWARDS,), "Play backwards"),
        ((Action.SOUND,), "Sound on or off"),
        ((Action.STEP_BACK, Action.STEP_ON), "One frame back or forward"),
        ((Action.THROW_BEFORE, Action.THROW_AFTER), "Previous or next throw"),
        ((Action.SLOWER, Action.FASTER), "Slower or faster"),
        ("Right click", "Reset the speed"),
    ),
    "Arms": (
        ((Action.PLOTS,), "Arm plots and more"),
        ((Action.OTHER_ARM,), "Other arm"),
        ((Action.GOAL,), "A goal for the hand to follow"),
        ((Action.METHOD,), "Solver, arm or body chain"),
        ((Action.ITERATE, Action.HOLD), "One iteration; step by step"),
        ((Action.TURN_GOAL,), "Goal turns the hand too"),
        (
            (Action.GOAL_LEFT, Action.GOAL_RIGHT, Action.GOAL_UP, Action.GOAL_DOWN),
            "Move the goal in the picture",
        ),
        ((Action.GOAL_AWAY, Action.GOAL_NEARER), "Move it away or nearer"),
    ),
    "Video": (
        ((Action.FOOTAGE,), "Video to juggle along with"),
        ((Action.REMOVE_FILM,), "Remove the video"),
        ((Action.MARK_BEAT,), "Mark a throw; hold for dwell"),
        ((Action.UNMARK,), "Remove the last mark"),
        ((Action.USE_MARKS,), "Use tempo and dwell of marks"),
        ((Action.SHIFT_BEAT,), "Swap hands of the marks"),
    ),
    "Window": (
        ((Action.TOGGLE_PANEL,), "Hide panels"),
        ((Action.FOCUS_AFTER,), "Next button; Enter to press"),
        ((Action.FOCUS_BEFORE,), "Previous button"),
        ((Action.NUMBERS,), "Numbers: props, throws, both"),
        ((Action.SPLIT, Action.OTHER_HALF), "Side by side; other pattern"),
        ((Action.FULL_SCREEN,), "Full screen"),
        ((Action.PICTURE, Action.RECORD), "Save a picture; record video"),
        ((Action.KEEP_SESSION,), "Save all patterns as a video"),
        ((Action.LARGER_TEXT, Action.SMALLER_TEXT), "Larger or smaller text"),
        ((Action.USUAL_TEXT,), "Default text size"),
        ((Action.PALETTE,), "Search all actions"),
        ((Action.TOGGLE_HELP,), "Keyboard shortcuts"),
        ((Action.WELCOME,), "Welcome tour"),
        ((Action.BACK,), "Close"),
        ((Action.LEAVE,), "Quit"),
    ),
}
"""The help: groups of lines by title, each line with actions (shown by their keys), a fixed key or
a mouse gesture.
"""


def use_bindings(bindings: tuple[Binding, ...]) -> None:
    """Replace the present bindings; every action must have a key in them."""
    _by_chord.clear()
    _by_chord.update({binding.chord: binding for binding in bindings})
    _caption.cache_clear()


def present_bindings() -> tuple[Binding, ...]:
    """Return the present bindings."""
    return tuple(_by_chord.values())


def binding_for(chord: str) -> Binding | None:
    """Return the binding of a chord, or None."""
    return _by_chord.get(chord)


def begins_pattern(text: str, idle: Container[Action] = ()) -> bool:
    """Return whether a character typed outside of any field begins a pattern.

    Args:
        text: the character.
        idle: actions that have no use now, so that their keys are free.
    """
    begins = len(text) == 1 and (text in _PATTERN_STARTS or (text.isascii() and text.isalpha()))
    binding = _by_chord.get(text.lower())
    return begins and (binding is None or binding.action in idle)


def caption(action: Action) -> str:
    """Return the first chord of an action as it is shown: `Shift+←`."""
    return _caption(action, language())


@cache
def _caption(action: Action, _spoken: str) -> str:
    return "+".join(chords(action)[0])


class FocusKeys:
    """Goes from one control to the next."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The controls that keys can go to, in the order in which they are drawn."""
        self.chosen = ""
        """The name of the control that has the focus; empty if none has."""
        self.key_came = False
        """Whether a key of any kind has come since the last frame, which ends tooltips."""
        self._pressed = ""

    def move(self, steps: int) -> None:
        """Go to the control a number of places further on, cyclically; back if negative.

        If none has the focus, it goes to the first one, or to the last one if going back.
        """
        if not self.names:
            self.chosen = ""
        elif self.chosen in self.names:
            self.chosen = self.names[(self.names.index(self.chosen) + steps) % len(self.names)]
        else:
            self.chosen = self.names[0 if steps > 0 else -1]

    def press(self) -> bool:
        """Press the control that has the focus when it is next drawn; return whether one has it."""
        self._pressed = self.chosen
        return bool(self.chosen)

    def takes_press(self, name: str) -> bool:
        """Return whether a control is pressed now, which it is once."""
        if not self._pressed or name != self._pressed:
            return False
        self._pressed = ""
        return True

    def leave(self) -> None:
        """Let no control have the focus."""
        self.chosen = self._pressed = ""
