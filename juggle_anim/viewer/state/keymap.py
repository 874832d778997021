"""Keys, actions, and the words for both: bindings, the help, tooltips, and which cards are open.

Parameters explain themselves in their own table; here are the words of the field, the parts of
cards, and what buttons do.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from enum import Enum
from functools import cache, lru_cache

from juggle_anim.language import _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Choice, Group, ParameterValue, Row
from juggle_anim.viewer.panel.values import (
    AUTOMATIC,
    format_value,
    option_help,
    option_words,
    plain_text,
)

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
    PRINT = "ctrl+p"
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
    PRESETS = "ctrl+shift+p"
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


Handler = Callable[[], object]
"""What performs an action."""

Handlers = dict[Action, Handler]
"""By an action, what performs it."""


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
    "Most used": (
        ((Action.EDIT_PATTERN,), "Type a pattern"),
        ((Action.PAUSE,), "Play or pause"),
        ((Action.SLOWER, Action.FASTER), "Slower or faster"),
        ((Action.BROWSE,), "Browse patterns"),
        ((Action.LEARN,), "Learn it step by step"),
        ((Action.CHOOSE_PREVIOUS, Action.CHOOSE_NEXT), "Choose a setting"),
        ((Action.TURN_DOWN, Action.TURN_UP), "Change it; expand a group"),
        ((Action.FIND,), "Search settings, or “changed”"),
        ((Action.UNDO,), "Undo"),
        ((Action.REDO,), "Redo"),
        ((Action.DIAGRAM,), "Ladder or causal diagram"),
        ((Action.FROM_FRONT, Action.FROM_LEFT, Action.FROM_RIGHT), "From front, left, right"),
        ((Action.FRAME,), "Fit the pattern"),
        ((Action.FRAMING,), "Fit all throws, or people larger"),
        ((Action.SOUND,), "Sound on or off"),
        ((Action.SAVE_FILE,), "Save"),
        ((Action.TOGGLE_PANEL,), "Hide panels"),
        ((Action.FULL_SCREEN,), "Full screen"),
        ((Action.PALETTE,), "Search all actions"),
        ((Action.TOGGLE_HELP,), "Keyboard shortcuts"),
    ),
    "Pattern": (
        ((Action.BEATS,), "Beats, state and orbits"),
        ((Action.STATE_GRAPH,), "States and throws"),
        ((Action.FACTS,), "States, collisions and more"),
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
        ((Action.LIVE,), "Transition throws on or off"),
        ((Action.OPEN_FILE,), "Open a file; or drop one"),
        ((Action.SAVE_AS,), "Save as pattern, GIF or video"),
        ((Action.PRINT,), "Sheet with moments of the loop"),
        ((Action.COPY, Action.PASTE), "Copy or paste all settings"),
    ),
    "Settings": (
        ((Action.TURN_DOWN_FINE, Action.TURN_UP_FINE), "Change in fine steps"),
        ((Action.TYPE_VALUE,), "Type a number"),
        ((Action.RESET_VALUE,), "Reset to default"),
        ((Action.RESET_ALL,), "Reset all"),
        ((Action.WING,), "Elbow lift: chicken wings"),
        ((Action.PRESETS,), "Save or apply presets"),
        (FixedKey("Del"), "Delete the selected preset"),
        ("Shift drag", "Change in fine steps"),
        ("Click a number", "Type a new value"),
        ("Ctrl click", "Type a value for a setting"),
        ("Double click", "Reset to default"),
        ("Right click", "Reset to default"),
    ),
    "Camera": (
        ("Drag", "Rotate"),
        ("Right drag", "Pan"),
        ("Shift drag", "Pan"),
        ("Wheel", "Zoom to the pointer"),
        ((Action.ZOOM_IN, Action.ZOOM_OUT), "Zoom in or out"),
        ((Action.FROM_BACK, Action.FROM_TOP), "Behind, top"),
        ((Action.FROM_EYES,), "First person"),
        ((Action.FOLLOW,), "Follow a juggler, or all"),
        ((Action.CAMERA_PATH,), "Camera path for videos"),
    ),
    "Play": (
        ((Action.BACKWARDS,), "Play backwards"),
        ((Action.STEP_BACK, Action.STEP_ON), "One frame back or forward"),
        ((Action.THROW_BEFORE, Action.THROW_AFTER), "Previous or next throw"),
        ("Right click", "Reset the speed"),
    ),
    "Edit": (
        ((Action.EDIT,), "Start or stop editing"),
        ((Action.EVENTS,), "Free the timing of each throw"),
        ((Action.HANDLE_BEFORE, Action.HANDLE_AFTER), "Select; then arrows move it"),
        ((Action.EDIT_MENU,), "More actions"),
        ("Right click", "More actions for a handle"),
        ((Action.HANDLE_PLACE,), "Switch picture and ladder"),
        ((Action.UP_FINE, Action.DOWN_FINE), "Move in fine steps"),
        ((Action.AWAY_FINE,), "Move farther (PgUp: big steps)"),
        ((Action.NEARER_FINE,), "Move nearer (PgDn: big steps)"),
        ((Action.ADD_POINT, Action.REMOVE_POINT), "Add or remove a point"),
        ((Action.SYMMETRIC,), "Mirror images move too"),
        ((Action.COPY_PATH, Action.PASTE_PATH), "Copy or paste a hand's path"),
    ),
    "Window": (
        ((Action.FOCUS_AFTER,), "Next button; Enter to press"),
        ((Action.FOCUS_BEFORE,), "Previous button"),
        ((Action.NUMBERS,), "Show prop or throw numbers"),
        ((Action.SPLIT, Action.OTHER_HALF), "Side by side; other pattern"),
        ((Action.PICTURE, Action.RECORD), "Save a picture; record video"),
        ((Action.KEEP_SESSION,), "Save all patterns as a video"),
        ((Action.LARGER_TEXT, Action.SMALLER_TEXT), "Larger or smaller text"),
        ((Action.USUAL_TEXT,), "Default text size"),
        ((Action.WELCOME,), "Welcome tour"),
        ((Action.BACK,), "Close"),
        ((Action.LEAVE,), "Quit"),
    ),
    "Arms": (
        ((Action.PLOTS,), "Arm plots and more"),
        ((Action.OTHER_ARM,), "Other arm"),
        ((Action.GOAL,), "A goal for the hand to follow"),
        ((Action.METHOD,), "How the arm follows the goal"),
        ((Action.ITERATE, Action.HOLD), "One step; pause after each"),
        ((Action.TURN_GOAL,), "Turn the hand with the goal"),
        (
            (Action.GOAL_LEFT, Action.GOAL_RIGHT, Action.GOAL_UP, Action.GOAL_DOWN),
            "Move the goal in the picture",
        ),
        ((Action.GOAL_AWAY, Action.GOAL_NEARER), "Move it away or nearer"),
    ),
    "Video": (
        ((Action.FOOTAGE,), "Video to juggle along with"),
        ((Action.REMOVE_FILM,), "Remove the video"),
        ((Action.MARK_BEAT,), "Mark a throw, tapped or held"),
        ((Action.UNMARK,), "Remove the last mark"),
        ((Action.USE_MARKS,), "Juggle at the marked tempo"),
        ((Action.SHIFT_BEAT,), "Swap hands of the marks"),
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
    """Return whether a character that is typed outside of any field begins a pattern.

    Args:
        text: the character.
        idle: actions that have no use now, so that their keys are free.
    """
    may_begin = len(text) == 1 and (text in _PATTERN_STARTS or (text.isascii() and text.isalpha()))
    binding = _by_chord.get(text.lower())
    is_free = binding is None or binding.action in idle
    return may_begin and is_free


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


@dataclass(frozen=True)
class Tip:
    """A tooltip.

    Args:
        title: what it is called; a tooltip without one is not shown.
        text: what it is, and what it does to the picture.
        notes: its range and default.
        keys: its keys, as they are shown.
    """

    title: str
    text: str = ""
    notes: str = ""
    keys: str = ""


NO_TIP = Tip("")
"""For what needs no words, as the veil behind a card."""

TERMS: dict[str, tuple[str, str]] = {
    "pattern": (
        "Pattern",
        "A siteswap has one digit for each throw: the higher the digit, the higher the throw. "
        "3 goes to the other hand, 4 to the same hand. You can also type a name or a file.",
    ),
    "palette": (
        "All actions",
        "Type a word. ↑ and ↓ choose, Enter runs the action.",
    ),
    "find": (
        "Search settings",
        "Type a name or what a setting does, and press ↓ to go to what is found. Type “changed” to "
        "list the settings you changed.",
    ),
    "group": (
        "Group of settings",
        "Click to collapse or expand. The number shows how many settings are changed.",
    ),
    "reset": ("Reset to default", "You can also double-click the name, or right-click."),
    "back to settings": (
        "Back to settings",
        "Discard your edits to the events and go back to settings",
    ),
    "throws": (
        "Throws of the pattern",
        "The throws on this beat are lit. Click a throw to go to its time.",
    ),
    "orbits": (
        "Orbits",
        "Each colour is a group of props that take turns in making these throws, one after the "
        "other, and then begin again.",
    ),
    "collisions": (
        "Collisions",
        "Whether props hit each other or a body, and where, or where they come closest. Click to "
        "go there.",
    ),
    "facts": ("Facts", "Facts about the throws of the pattern"),
    "parts": (
        "Made of",
        "A state is when the props in the air will land. A pattern is prime if no "
        "state occurs twice. A composite pattern is made of shorter "
        "patterns juggled one after another.",
    ),
    "entry": (
        "Entry",
        "Throws that lead from the cascade or fountain into the pattern. None are needed if it "
        "starts in the ground state.",
    ),
    "exit": (
        "Exit",
        "Throws that lead from the pattern back to the cascade or fountain",
    ),
    "inverse": (
        "Inverse",
        "The pattern in reverse, like a video played backwards. Click to juggle it.",
    ),
    "dual": (
        "Dual",
        "The pattern of the gaps: wherever no prop lands, one is thrown, in reverse. Click to "
        "juggle it.",
    ),
    "mirror": ("Mirror", "The pattern with left and right swapped. Click to juggle it."),
    "bounces": (
        "Bounces",
        "What jugglers do when a throw is too low to bounce as written",
    ),
    "hand load": (
        "In each hand",
        "How many props a hand keeps going, from the least busy hand to the busiest, and how "
        "many it holds at once",
    ),
    "repeats": (
        "Repeats",
        "Beats until the hands repeat, and until every prop is back where it started",
    ),
    "ladder": (
        "Ladder",
        "Time runs to the right, and each hand has a line. A throw is an arc from the throwing "
        "hand to the catching hand. Numbers stand on their beats; a tick before a number, such as "
        "a 1, is where that throw leaves early. Click or drag to change the time.",
    ),
    "who to whom": (
        "Who throws to whom",
        "Time runs to the right, and each juggler has a line. An arrow leads from a throw to the "
        "next throw of that prop, which is where it is caught. Click or drag to change the time.",
    ),
    "causal": (
        "Causal diagram",
        "Each arrow leads from a throw to the throw that must empty the catching hand for it. "
        "Passers use it to see who makes whom throw.",
    ),
    "states": (
        "State graph",
        "All states for this number of props, and the throws that lead from one to the next. A "
        "pattern is a closed path.",
    ),
    "split scale": (
        "Scale",
        "Use one scale for both halves to compare heights, or fit each pattern to its half",
    ),
    "scrollbar": ("Scroll", "Drag to see more lines. The wheel scrolls too."),
    "plot": ("Plot", "What the arm does over one loop. Drag to change the time."),
    "plots": ("Plots", "Click to show this plot and the ones beside it"),
    "clock": (
        "Time",
        "Time in the loop, in beats and in seconds at normal speed",
    ),
    "loop": (
        "Reverse",
        "Play backwards or forward",
    ),
    "unsaved": ("Changed", "This pattern has unsaved changes. Click to save."),
    "time line": (
        "Time in the loop",
        "Drag to change the time, which pauses. Each tick below is a throw: click it to go there.",
    ),
    "gizmo": (
        "Goal",
        "The hand follows the goal. Drag an arrow to move along a line, a square to move in a "
        "plane, or a ring to turn.",
    ),
    "Solver": ("Solver", "The solver set under Arms places the arm at once"),
    "Arm chain": (
        "Arm chain",
        "The arm's joints turn step by step until the hand reaches the goal",
    ),
    "Whole body": (
        "Whole body",
        "The whole body's joints turn step by step until the hand reaches the goal",
    ),
    "search": (
        "Search",
        "Type a name, a tag, throws, or a number of props, such as 3 props",
    ),
    "suggestion": ("Did you mean", "Click to juggle it"),
    "passing": (
        "Passing patterns",
        "Find patterns in which people throw to each other",
    ),
    "shelf": ("List", "All patterns, your favourites, or recent patterns"),
    "props": ("Number of props", "Show only patterns with this many props"),
    "level": (
        "Difficulty",
        "Show only patterns of this difficulty, judged by props, throws and hands",
    ),
    "tag": ("Tag", "Show only one kind of pattern, such as messes, columns or passing"),
    "row": ("Pattern", "Click to juggle it"),
    "star": ("Favourite", "Click to add to or remove from favourites"),
    "library": ("Library", "Show the built-in patterns"),
    "generate": (
        "Generate",
        "Find all patterns with a given number of props, highest throw and period",
    ),
    "found": ("Found", "All patterns found"),
    "starred": ("Starred", "Starred patterns. They stay while you keep searching."),
    "option": ("Search for", "Press the arrow keys to change it; the list updates at once"),
    "max_throw": ("Highest throw", "No throw in the patterns is higher"),
    "period": ("Period", "Number of beats before the pattern repeats"),
    "shorter": ("Shorter ones", "Include patterns with a shorter period"),
    "kind": (
        "Kind",
        "Prime patterns repeat no state. By default, patterns made of shorter ones with the "
        "same start are left out.",
    ),
    "start": (
        "Start",
        "Whether a pattern can start straight from a cascade or fountain, or needs throws first",
    ),
    "multiplex": ("Multiplex", "Whether a hand throws two or three props at once"),
    "synchronous": ("Sync", "Whether both hands throw at the same time"),
    "jugglers": ("Jugglers", "How many people pass to each other"),
    "connected": ("Connected", "Whether everyone passes with everyone, directly or through others"),
    "symmetric_jugglers": ("All alike", "Whether all jugglers do the same"),
    "true_multiplex": (
        "No holds",
        "Whether a multiplex must throw all its props and hold none",
    ),
    "squeezes": ("Squeezes", "Whether several props may land in a hand at once"),
    "clusters": ("Clusters", "Whether a multiplex may throw several props the same way"),
    "symmetric_hands": ("Mirrored", "Whether one hand repeats what the other does"),
    "neighbouring_ones": ("1 after 1", "Whether a 1 may follow a 1"),
    "what varies": ("What varies", "Vary throws, hands and arms, looks, or everything"),
    "amount": ("How much", "How different the variations are from the pattern in the centre"),
    "version": ("Variation", "Click to choose it and vary it again"),
    "routine": (
        "Routine",
        "A list of patterns, each for a number of catches, loops, beats or seconds",
    ),
    "line": ("Line of the routine", "Click to go there. Double-click to edit the line."),
    "high throw": (
        "Above the picture",
        "The time until this prop is caught. The key shows the whole pattern.",
    ),
    "view": (
        "View",
        "Click to look from here. Press ← and → to change when the camera gets here.",
    ),
    "view ×": ("Remove", "Remove this view"),
    "view +": ("Later", "Reach this view half a second later"),
    "view −": ("Sooner", "Reach this view half a second sooner"),
    "begin": ("Start a routine", "The current pattern becomes the first line"),
    "×": ("Remove", "Remove this line"),
    "+": ("Longer", "Juggle this line one more time"),
    "−": ("Shorter", "Juggle this line one time less"),
    "lesson step": (
        "Step",
        "Click to juggle this step at the speed shown. Slow motion makes throws easier to follow.",
    ),
    "other lessons": ("Other lessons", "Choose a pattern in the library; its lesson begins"),
    "film time": (
        "Video time",
        "Drag to change the time. Each tick is a marked throw.",
    ),
    "path": ("File path", "Press Tab to complete"),
    "cancel saving": ("Cancel", "Stop saving this file"),
    "cancel building": ("Cancel", "Drop this routine"),
    "recent file": ("Recent file", "Click to open it"),
    "preset name": ("Name", "Press Enter to save all current settings under this name"),
    "preset": ("Preset", "Click to apply the saved settings"),
    "delete preset": ("Delete", "Delete this preset for good"),
    "numbers": ("Place", "Type the handle's position in cm"),
    "entry field": ("Value", "Press Enter to set it, Esc to cancel"),
    "close": ("Close", "Close this card"),
    "clear": ("Clear", "Clear the search, so that all settings are shown"),
    "answer": ("Answer", "Click to answer"),
    "menu": ("Menu", "Click to apply. The result is shown beside it."),
    "choose": ("Choose", "Click to choose it, Esc to cancel"),
    "key": ("Key", "Click to use this shortcut"),
    "panels": ("Panels", "Show the panels again"),
}
"""By the name of a word or part: its title, and what it is."""

ACTIONS: dict[Action | tuple[Action, str], tuple[str, str]] = {
    Action.PALETTE: (
        "All actions",
        "Search actions, settings and patterns by name, and see their keys",
    ),
    Action.TOGGLE_HELP: ("Keyboard shortcuts", "See what each key does. Click a line to use it."),
    Action.BROWSE: (
        "Library",
        "Browse and search more than 600 patterns",
    ),
    Action.PLOTS: (
        "Plots",
        "Show how an arm moves over a loop: height, speed, force and joints",
    ),
    Action.PRESETS: (
        "Presets",
        "Save all settings under a name, or apply saved ones",
    ),
    Action.COPY: (
        "Copy settings",
        "Copy the pattern and its settings as text",
    ),
    Action.OPTIMISE: (
        "More room",
        "Move throws and catches slightly so that props pass farther apart",
    ),
    Action.EDIT: (
        "Edit",
        "Drag throws and catches on the ladder",
    ),
    Action.HANDLE_PLACE: (
        "Handles in the picture",
        "Drag throws, catches and paths in the picture in place of the ladder",
    ),
    Action.GOAL: (
        "Goal",
        "Pause and drag a hand to see how the arm follows",
    ),
    Action.SPLIT: ("Split", "Compare two patterns side by side, in step"),
    Action.DIAGRAM: ("Diagram", "Show who throws to whom and when, as a ladder or causal diagram"),
    Action.LIVE: (
        "Transitions",
        "Change patterns with transition throws, or with a cut",
    ),
    Action.RECORD: (
        "Record",
        "Record the window until pressed again. The video is saved to your pictures folder.",
    ),
    Action.FOOTAGE: (
        "Video",
        "Show a video of a juggler beside the animation, to compare or juggle along with",
    ),
    Action.FRAME: ("Fit", "Move the camera to show the whole pattern"),
    Action.NUMBERS: (
        "Numbers",
        "Show prop numbers, throw values, or both",
    ),
    Action.TOGGLE_PANEL: (
        "Hide panels",
        "Show only the picture. Press the key again to bring the panels back.",
    ),
    Action.BACK: ("Close", "Close what is open"),
    Action.UNDO: (
        "Undo",
        "Undo the last change",
    ),
    Action.REDO: ("Redo", "Redo the last undone change"),
    Action.OTHER_ARM: ("Which arm", "Switch to the other arm, then to the next juggler"),
    Action.METHOD: (
        "Follow with",
        "Follow by the solver set under Arms, the arm's joints, or the whole body",
    ),
    Action.ITERATE: ("Step", "Take one step towards the goal"),
    Action.HOLD: ("Wait", "Wait for you before each step"),
    Action.TURN_GOAL: ("Turn", "Let the goal turn the hand too"),
    Action.FACTS: (
        "Facts",
        "Show collisions, states, parts, ways in and out, inverse, dual and mirror image",
    ),
    Action.STAR: ("Favourite", "Add to or remove from favourites"),
    Action.SAVE_FILE: ("Save", "Save as pattern, GIF, video or picture"),
    Action.PRINT: (
        "Sheet to print as PDF",
        "Save a page with moments of the loop side by side",
    ),
    Action.OPEN_FILE: ("Open", "Open a file. You can also drop a file on the window."),
    (Action.TYPE_VALUE, "Next step"): (
        "Next step",
        "Go to the next step. Use the arrow keys for other steps.",
    ),
    (Action.TYPE_VALUE, "Start lesson"): ("Start lesson", "Go to the first step"),
    (Action.TYPE_VALUE, "End lesson"): ("End lesson", "Go back to the pattern as it was"),
    (Action.TYPE_VALUE, "Shuffle"): (
        "Shuffle",
        "Show nine other variations of the pattern in the centre",
    ),
    (Action.BACK, "Stop"): ("Stop", "Stop the search and keep the results"),
    Action.SOUND: ("Metronome", "Tick on each beat and sound each catch"),
    Action.TYPE_VALUE: ("Edit", "Edit the selected line"),
    Action.ADD_POINT: ("Add", "Add a line below"),
    Action.REMOVE_POINT: ("Remove", "Remove the selected line"),
    Action.HANDLE_BEFORE: ("Up", "Move the selected line up"),
    Action.HANDLE_AFTER: ("Down", "Move the selected line down"),
    Action.CAMERA_PATH: (
        "Camera path",
        "Show or hide the camera views of a video",
    ),
    (Action.TYPE_VALUE, "Preview"): (
        "Preview",
        "Preview the camera path as a video will show it",
    ),
    (Action.TYPE_VALUE, "Stop"): ("Stop", "Stop the preview"),
    (Action.SAVE_AS, "Save"): ("Save", "Save. A video can follow the camera path."),
    Action.ROUTINE: (
        "Routine",
        "Show or hide a list of patterns to juggle one after another",
    ),
    Action.REMOVE_FILM: ("Remove", "Remove the video"),
    Action.UNMARK: ("Unmark", "Remove the last mark"),
    Action.USE_MARKS: ("Apply", "Use the tempo and dwell of the marks"),
    Action.SHIFT_BEAT: ("Other hand", "Assign the marks to the other hand"),
    Action.STEP_BACK: ("One frame back", "Pause and step back 1/60 s"),
    Action.PAUSE: ("Play or pause", "Pause or continue"),
    Action.STEP_ON: ("One frame forward", "Pause and step forward 1/60 s"),
    Action.EDIT_MENU: ("Menu", "More actions for the selected handle"),
    Action.STATE_GRAPH: (
        "State graph",
        "Show all states for this number of props, and the pattern's path through them",
    ),
    Action.VARY: ("Nine variations", "Choose among small changes of the pattern"),
    Action.LEARN: (
        "Learn",
        "Learn the pattern in steps, from one prop to all of them, slowly at first",
    ),
    Action.GENERATE: (
        "Generate",
        "Find all patterns with a given number of props, highest throw and period",
    ),
}
"""By a button's action, in some cards with its words: its title, and what it does."""

_HINTS = {
    "number": "{down} {up} to change, {fine} for fine steps, {home} to reset, {enter} to type",
    "choice": "{down} {up} to change, {home} to reset, {enter} to list all",
    "group": "{down} {up} to collapse or expand",
}
"""What keys do with the chosen line of the panel, by its kind."""

_SHORT_HINTS = {
    "number": "{down} {up}: change, {fine}: fine, {enter}: type",
    "choice": "{down} {up}: change, {home}: reset, {enter}: list",
    "group": "{down} {up} to collapse or expand",
}
"""The same in a line of a low panel."""

_ROW_KEYS: dict[str, tuple[Action, ...]] = {
    "chicken_wing": (Action.WING,),
    "speed": (Action.SLOWER, Action.FASTER),
    "view": (
        Action.FROM_FRONT,
        Action.FROM_LEFT,
        Action.FROM_RIGHT,
        Action.FROM_BACK,
        Action.FROM_TOP,
    ),
    "framing": (Action.FRAMING,),
    "text_size": (Action.LARGER_TEXT, Action.SMALLER_TEXT),
}


def term_tip(name: str, title: str = "", action: Action | None = None) -> Tip:
    """Return the tooltip of a term.

    Args:
        name: name of the term, a key of `TERMS`.
        title: what is said instead of its title, as the name of a pattern.
        action: action whose key leads there.
    """
    usual, text = TERMS[name]
    return Tip(_(title or usual), _(text), keys=_keys((action,)) if action else "")


def line_hint(line: Group | Row, *, short: bool = False) -> str:
    """Return what keys do with a line of the panel; in short for a low one."""
    kind = (
        "group" if isinstance(line, Group) else "choice" if isinstance(line, Choice) else "number"
    )
    return line_hints(short=short)[kind]


def line_hints(*, short: bool = False) -> dict[str, str]:
    """Return what keys do with the chosen line of the panel, by its kind."""
    keys = {
        "down": caption(Action.TURN_DOWN), "up": caption(Action.TURN_UP),
        "enter": caption(Action.TYPE_VALUE),
        "home": caption(Action.RESET_VALUE), "fine": caption(Action.TURN_UP_FINE).split("+")[0],
    }  # fmt: skip
    return {
        kind: _(words).format(**keys) for kind, words in (_SHORT_HINTS if short else _HINTS).items()
    }


def action_tip(action: Action, words: str = "") -> Tip | None:
    """Return the tooltip of a button for an action, with its words; None if the table lacks it."""
    entry = ACTIONS.get((action, words)) or ACTIONS.get(action)
    if entry is None:
        return None
    title, text = entry
    return Tip(_(title), _(text), keys=_keys((action,)))


def help_tip(action: Action, words: str) -> Tip:
    """Return the tooltip of a line of the help, with its words."""
    return action_tip(action) or Tip(_(words), _(TERMS["key"][1]), keys=_keys((action,)))


def row_tip(row: Row, default: ParameterValue | None = None) -> Tip:
    """Return the tooltip of a control.

    Args:
        row: row of the control.
        default: its default in the present pattern; None if it is not known.
    """
    notes = _range_words(row, row.default if default is None else default, language())
    return Tip(row.label, row.help, notes=notes, keys=_keys(_ROW_KEYS.get(row.name, ())))


@lru_cache(1_000)
def _range_words(row: Row, default: ParameterValue | None, _spoken: str) -> str:
    """Return the range of a control's slider and its default, in words.

    Cached, as panels ask in every frame.

    Args:
        row: the setting that is controlled, a row of the table of settings.
        default: in the unit of the row; None for automatic.
        _spoken: the present language, which is part of the key of the cache.
    """
    default_words = _(AUTOMATIC) if default is None else format_value(row, default)
    if isinstance(row, Choice):
        return _("Default: {usual}", usual=default_words)
    low, high = row.slider
    return _(
        "Slider: {low} to {high}. Default: {usual}",
        low=plain_text(row, low),
        high=format_value(row, high),
        usual=default_words,
    )


def option_tip(choice: Choice, option: str) -> Tip:
    """Return the tooltip of an option of a choice that stands beside the others."""
    tip = row_tip(choice)
    title = f"{choice.label}: {option_words(option)}"
    return replace(tip, title=title, text=option_help(option) or tip.text)


def _keys(actions: tuple[Action, ...]) -> str:
    return " / ".join(map(caption, actions))


# Cards that can lie in the place of the panel.
BROWSER = "browser"
GENERATOR = "generator"
VARIATIONS = "variations"
ROUTINE = "routine"
LESSON = "lesson"
FOOTAGE = "footage"
CAMERA_PATH = "camera path"

# Cards that can lie in the strip, beside the kinds of diagrams.
PLOTS = "plots"
FACTS = "facts"

PATTERN_LISTS = (BROWSER, GENERATOR)
"""Cards that list patterns to play."""

_KEEP_KEYS = (*PATTERN_LISTS, VARIATIONS)  # what they choose is to see also without them


class OpenCards:
    """Which cards are open, and whether panel, strip and help are to see."""

    def __init__(self) -> None:
        self.panel: str | None = None
        """The card in the place of the panel; None for the panel itself."""
        self.covered: str | None = None
        """The card that was there before one began to type in the pattern line."""
        self.strip: str | None = None
        """The card in the strip, or the kind of diagram there; None without a strip."""
        self.panel_shown = True
        """Whether panel, strip and beats are to see at all."""
        self.help_shown = False
        """Whether the help on keys lies over everything."""

    def reveal(self) -> None:
        """Make the place of the panel visible: unfold it, and close the help over it."""
        self.panel_shown = True
        self.help_shown = False

    def open(self, card: str) -> None:
        """Show a card in the place of the panel, instead of any other one."""
        self.panel = card
        self.reveal()

    def close(self, card: str) -> None:
        """Show the panel itself again, if a card lies in its place; any other one stays."""
        if self.panel == card:
            self.panel = None

    def toggle(self, card: str) -> bool:
        """Close a card that is visible in the place of the panel, or show it there.

        Returns:
            Whether it is shown now.
        """
        if self.is_visible(card):
            self.close(card)
            return False
        self.open(card)
        return True

    def is_visible(self, card: str) -> bool:
        """Return whether a card is in the visible place of the panel, perhaps below the help."""
        return self.panel == card and self.panel_shown

    def takes_keys(self, card: str) -> bool:
        """Return whether keys act on a card in the place of the panel."""
        on_top = self.is_visible(card) and not self.help_shown
        return on_top or (self.panel == card and card in _KEEP_KEYS)
