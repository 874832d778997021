"""The one table of keys: what a chord does, and how the help names it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Action(Enum):
    """What a key can do."""

    PAUSE = auto()
    STEP_BACK = auto()
    STEP_ON = auto()
    SLOWER = auto()
    FASTER = auto()
    EDIT_PATTERN = auto()
    BROWSE = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()
    SHELF = auto()
    PROPS = auto()
    LEVEL = auto()
    TAG = auto()
    STAR = auto()
    PATTERN_BEFORE = auto()
    PATTERN_AFTER = auto()
    OPEN_FILE = auto()
    SAVE_FILE = auto()
    COPY = auto()
    PASTE = auto()
    CHOOSE_PREVIOUS = auto()
    CHOOSE_NEXT = auto()
    TURN_DOWN = auto()
    TURN_UP = auto()
    TURN_DOWN_FINE = auto()
    TURN_UP_FINE = auto()
    TYPE_VALUE = auto()
    RESET_VALUE = auto()
    RESET_ALL = auto()
    FIND = auto()
    UNDO = auto()
    REDO = auto()
    PRESETS = auto()
    BEATS = auto()
    DIAGRAM = auto()
    FRAME = auto()
    FROM_FRONT = auto()
    FROM_LEFT = auto()
    FROM_RIGHT = auto()
    FROM_BACK = auto()
    FROM_TOP = auto()
    FROM_EYES = auto()
    FOLLOW = auto()
    BACKWARDS = auto()
    THROW_BEFORE = auto()
    THROW_AFTER = auto()
    FULL_SCREEN = auto()
    PICTURE = auto()
    RECORD = auto()
    NUMBERS = auto()
    SPLIT = auto()
    OTHER_HALF = auto()
    SOUND = auto()
    PLOTS = auto()
    OTHER_ARM = auto()
    GOAL = auto()
    WAY = auto()
    ITERATE = auto()
    HOLD = auto()
    TURN_GOAL = auto()
    GOAL_LEFT = auto()
    GOAL_RIGHT = auto()
    GOAL_UP = auto()
    GOAL_DOWN = auto()
    GOAL_AWAY = auto()
    GOAL_NEARER = auto()
    TOGGLE_PANEL = auto()
    TOGGLE_HELP = auto()
    BACK = auto()
    LEAVE = auto()


@dataclass(frozen=True)
class Binding:
    """A row of the table.

    Args:
        chord: one character as typed, or the name of a key with `ctrl+`, `shift+` or `alt+` before it.
        action: what it does.
        repeats: whether it does so again and again while it is held.
    """

    chord: str
    action: Action
    repeats: bool = False


BINDINGS: tuple[Binding, ...] = (
    Binding("space", Action.PAUSE),
    Binding(",", Action.STEP_BACK, repeats=True),
    Binding(".", Action.STEP_ON, repeats=True),
    Binding("-", Action.SLOWER),
    Binding("+", Action.FASTER),
    Binding("/", Action.EDIT_PATTERN),
    Binding("ctrl+l", Action.EDIT_PATTERN),
    Binding("e", Action.BROWSE),
    Binding("ctrl+f", Action.BROWSE),
    Binding("pageup", Action.PAGE_UP, repeats=True),
    Binding("pagedown", Action.PAGE_DOWN, repeats=True),
    Binding("ctrl+1", Action.SHELF),
    Binding("ctrl+2", Action.PROPS),
    Binding("ctrl+3", Action.LEVEL),
    Binding("ctrl+4", Action.TAG),
    Binding("ctrl+d", Action.STAR),
    Binding("alt+left", Action.PATTERN_BEFORE),
    Binding("alt+right", Action.PATTERN_AFTER),
    Binding("ctrl+o", Action.OPEN_FILE),
    Binding("ctrl+s", Action.SAVE_FILE),
    Binding("ctrl+c", Action.COPY),
    Binding("ctrl+v", Action.PASTE),
    Binding("up", Action.CHOOSE_PREVIOUS, repeats=True),
    Binding("down", Action.CHOOSE_NEXT, repeats=True),
    Binding("left", Action.TURN_DOWN, repeats=True),
    Binding("right", Action.TURN_UP, repeats=True),
    Binding("shift+left", Action.TURN_DOWN_FINE, repeats=True),
    Binding("shift+right", Action.TURN_UP_FINE, repeats=True),
    Binding("enter", Action.TYPE_VALUE),
    Binding("home", Action.RESET_VALUE),
    Binding("shift+home", Action.RESET_ALL),
    Binding("q", Action.FIND),
    Binding("ctrl+p", Action.PRESETS),
    Binding("z", Action.BEATS),
    Binding("y", Action.DIAGRAM),
    Binding("ctrl+z", Action.UNDO, repeats=True),
    Binding("ctrl+shift+z", Action.REDO, repeats=True),
    Binding("f", Action.FRAME),
    Binding("f1", Action.FROM_FRONT),
    Binding("f2", Action.FROM_LEFT),
    Binding("f3", Action.FROM_RIGHT),
    Binding("f4", Action.FROM_BACK),
    Binding("f5", Action.FROM_TOP),
    Binding("f6", Action.FROM_EYES),
    Binding("v", Action.FOLLOW),
    Binding("r", Action.BACKWARDS),
    Binding("ctrl+left", Action.THROW_BEFORE, repeats=True),
    Binding("ctrl+right", Action.THROW_AFTER, repeats=True),
    Binding("f11", Action.FULL_SCREEN),
    Binding("f12", Action.PICTURE),
    Binding("f9", Action.RECORD),
    Binding("m", Action.SOUND),
    Binding("x", Action.NUMBERS),
    Binding("s", Action.SPLIT),
    Binding("d", Action.OTHER_HALF),
    Binding("p", Action.PLOTS),
    Binding("a", Action.OTHER_ARM),
    Binding("g", Action.GOAL),
    Binding("c", Action.WAY),
    Binding("n", Action.ITERATE, repeats=True),
    Binding("w", Action.HOLD),
    Binding("t", Action.TURN_GOAL),
    Binding("j", Action.GOAL_LEFT, repeats=True),
    Binding("l", Action.GOAL_RIGHT, repeats=True),
    Binding("i", Action.GOAL_UP, repeats=True),
    Binding("k", Action.GOAL_DOWN, repeats=True),
    Binding("u", Action.GOAL_AWAY, repeats=True),
    Binding("o", Action.GOAL_NEARER, repeats=True),
    Binding("tab", Action.TOGGLE_PANEL),
    Binding("h", Action.TOGGLE_HELP),
    Binding("?", Action.TOGGLE_HELP),
    Binding("escape", Action.BACK),
    Binding("ctrl+q", Action.LEAVE),
)


@dataclass(frozen=True)
class Fixed:
    """A key that is no row of the table, as it counts in one place only.

    Args:
        name: of the key, as on screen.
    """

    name: str


HelpLine = tuple[tuple[Action, ...] | Fixed | str, str]

HELP: tuple[tuple[str, tuple[HelpLine, ...]], ...] = (
    (
        "Pattern",
        (
            ((Action.EDIT_PATTERN,), "Type a pattern; so do 5 ( [ <"),
            ((Action.BEATS,), "Its beats, state and orbits"),
            ((Action.DIAGRAM,), "Its ladder, or causal diagram"),
            ((Action.BROWSE,), "Patterns to look through"),
            ((Action.PAGE_UP, Action.PAGE_DOWN), "Eight up or down in them"),
            ((Action.SHELF, Action.PROPS, Action.LEVEL, Action.TAG), "Starred; props; level; tag"),
            ("Right click", "On one of those: turn it back"),
            ((Action.STAR,), "Favourite or not"),
            ((Action.PATTERN_BEFORE, Action.PATTERN_AFTER), "The pattern before or after"),
            ((Action.OPEN_FILE,), "Open a file; or drop one here"),
            ((Action.SAVE_FILE,), "Save to a file"),
            ((Action.COPY, Action.PASTE), "Copy or paste all settings"),
        ),
    ),
    (
        "Quantities",
        (
            ((Action.CHOOSE_PREVIOUS, Action.CHOOSE_NEXT), "Choose"),
            ((Action.TURN_DOWN, Action.TURN_UP), "Turn; fold or unfold a group"),
            ((Action.TURN_DOWN_FINE, Action.TURN_UP_FINE), "Turn finely"),
            ((Action.TYPE_VALUE,), "Type a number"),
            ((Action.RESET_VALUE,), "Back to the default"),
            ((Action.RESET_ALL,), "All back to their defaults"),
            ((Action.FIND,), "Find by name, or “changed”"),
            ((Action.UNDO,), "Undo, also another pattern"),
            ((Action.REDO,), "Do it again"),
            ((Action.PRESETS,), "Presets: save and apply"),
            (Fixed("Delete"), "Forget the chosen preset"),
            ("Shift drag", "Turn finely"),
            ("Click a number", "Type another"),
            ("Ctrl click", "Type one, anywhere on it"),
            ("Double click", "Back to the default"),
            ("Right click", "Back to the default"),
        ),
    ),
    (
        "Camera",
        (
            ("Drag", "Turn around"),
            ("Right drag", "Move sideways"),
            ("Shift drag", "Move sideways, too"),
            ("Wheel", "Nearer or farther"),
            ((Action.FRAME,), "Frame the pattern"),
            ((Action.FROM_FRONT, Action.FROM_LEFT, Action.FROM_RIGHT), "Front, left, right"),
            ((Action.FROM_BACK, Action.FROM_TOP), "Behind, top"),
            ((Action.FROM_EYES,), "What a juggler sees"),
            ((Action.FOLLOW,), "Follow a juggler, the next, all"),
        ),
    ),
    (
        "Play",
        (
            ((Action.PAUSE,), "Pause or go on"),
            ((Action.BACKWARDS,), "Play backwards"),
            ((Action.SOUND,), "Sound on or off"),
            ((Action.STEP_BACK, Action.STEP_ON), "One frame back or on"),
            ((Action.THROW_BEFORE, Action.THROW_AFTER), "To the throw before, or next"),
            ((Action.SLOWER, Action.FASTER), "Slower or faster"),
            ("Right click", "On Speed: as usual again"),
        ),
    ),
    (
        "Arms",
        (
            ((Action.PLOTS,), "Plots of an arm, and more"),
            ((Action.OTHER_ARM,), "The other arm"),
            ((Action.GOAL,), "A goal that its hand follows"),
            ((Action.WAY,), "By solver, arm or body chain"),
            ((Action.ITERATE, Action.HOLD), "One iteration; wait for them"),
            ((Action.TURN_GOAL,), "A goal that turns the hand"),
            ((Action.GOAL_LEFT, Action.GOAL_RIGHT, Action.GOAL_UP, Action.GOAL_DOWN), "Move it in the picture"),
            ((Action.GOAL_AWAY, Action.GOAL_NEARER), "Away, or nearer"),
        ),
    ),
    (
        "Window",
        (
            ((Action.TOGGLE_PANEL,), "Picture alone"),
            ((Action.NUMBERS,), "Numbers: props, throws, both"),
            ((Action.SPLIT, Action.OTHER_HALF), "Two side by side; the other"),
            ((Action.FULL_SCREEN,), "Full screen"),
            ((Action.PICTURE, Action.RECORD), "Keep a picture; or film it"),
            ((Action.TOGGLE_HELP,), "These keys"),
            ((Action.BACK,), "Go back or leave"),
            ((Action.LEAVE,), "Leave"),
        ),
    ),
)
"""The help: groups of lines; a line is the actions whose keys it names, another key, or a way of the mouse, and what
they do.
"""


class _Table:
    """The keys that count now."""

    def __init__(self) -> None:
        self.bindings: tuple[Binding, ...] = ()
        self.by_chord: dict[str, Binding] = {}

    def use(self, bindings: tuple[Binding, ...]) -> None:
        self.bindings, self.by_chord = bindings, {binding.chord: binding for binding in bindings}


_table = _Table()
_table.use(BINDINGS)
_BEGINNINGS = "0123456789([<"
_NAMES = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "escape": "Esc", "shift": "Shift", "ctrl": "Ctrl",
    "space": "Space", "tab": "Tab", "home": "Home", "enter": "Enter", "alt": "Alt", "pageup": "PgUp",
    "pagedown": "PgDn",
}  # fmt: skip


def use_bindings(bindings: tuple[Binding, ...]) -> None:
    """Let another table count from now on; every action has a key in it."""
    _table.use(bindings)


def binding_for(chord: str) -> Binding | None:
    """The row for a chord, or None where it does nothing."""
    return _table.by_chord.get(chord)


def begins_pattern(text: str) -> bool:
    """Whether what is typed where nobody types begins a pattern: a digit, bracket or letter that is no key itself."""
    begins = len(text) == 1 and (text in _BEGINNINGS or (text.isascii() and text.isalpha()))
    return begins and text.lower() not in _table.by_chord


def caption(action: Action) -> str:
    """How the first key of an action is named on screen: `Shift ←`."""
    return " ".join(chords(action)[0])


def chords(action: Action) -> list[list[str]]:
    """How all chords of an action are named on screen, each key of them by itself: `["Shift", "←"]`."""
    return [_names(binding.chord) for binding in _table.bindings if binding.action is action]


def _names(chord: str) -> list[str]:
    parts = chord.split("+") if len(chord) > 1 else [chord]
    return [_NAMES.get(part, part.upper()) for part in parts]
