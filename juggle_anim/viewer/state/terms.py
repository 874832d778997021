"""What things in the window are called and what they are, in plain words: the texts of tooltips.

Parameters explain themselves in their own table; here are the words of the field, the parts of
cards, and what buttons do.

Which cards of the window are open: one in the place of the panel, and one in the strip.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from juggle_anim.language import _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.panel.values import (
    AUTOMATIC,
    format_value,
    option_help,
    option_words,
    plain_text,
)
from juggle_anim.viewer.state.keymap import Action, caption


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
        "Type a name or what a setting does. Type “changed” to list the settings you changed.",
    ),
    "group": (
        "Group of settings",
        "Click to fold or unfold. The number shows how many settings are changed.",
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
    "state": (
        "State",
        "When the props in the air will land: in 1011, one lands now, none on the next beat, and "
        "one on each of the two beats after that. Two patterns can follow each other where their "
        "states match. Click to show all facts.",
    ),
    "orbits": (
        "Orbits",
        "The throws that a prop of this colour makes in turn. In 51 33 15, one prop is thrown as "
        "5 and then as 1, and another always as 3.",
    ),
    "collisions": (
        "Collisions",
        "Where props hit each other or a body, or come closest. Click to go there.",
    ),
    "facts": ("Facts", "Facts about the throws of the pattern"),
    "parts": (
        "Parts",
        "A pattern is prime if no state occurs twice. A composite pattern is made of shorter "
        "patterns juggled one after another.",
    ),
    "entry": (
        "Way in",
        "Throws that lead from the cascade or fountain into the pattern. None are needed if it "
        "starts in the ground state.",
    ),
    "exit": (
        "Way out",
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
        "Hand load",
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
        "hand to the catching hand. Click or drag to change the time.",
    ),
    "causal": (
        "Causal diagram",
        "Each arrow leads from a throw to the throw it makes room for. Passers use it to see "
        "who makes whom throw.",
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
        "Click to juggle this step. The number on the right is its gravity, in percent of the "
        "pattern's.",
    ),
    "other lessons": ("Other lessons", "Choose a pattern in the library; its lesson begins"),
    "lesson gravity": (
        "Starting gravity",
        "With less gravity, props rise and fall slowly, so they are easier to follow. Drag to "
        "change, right-click to reset.",
    ),
    "film time": (
        "Video time",
        "Drag to change the time. Each tick is a marked throw.",
    ),
    "path": ("File path", "Press Tab to complete"),
    "cancel saving": ("Cancel", "Stop saving this file"),
    "recent file": ("Recent file", "Click to open it"),
    "preset name": ("Name", "Press Enter to save all current settings under this name"),
    "preset": ("Preset", "Click to apply the saved settings"),
    "delete preset": ("Delete", "Delete this preset for good"),
    "numbers": ("Place", "Type the handle's position in cm"),
    "entry field": ("Value", "Press Enter to set it, Esc to cancel"),
    "close": ("Close", "Close this card"),
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
        "Browse and search over 500 patterns",
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
        "Drag throws and catches in the ladder and in the picture",
    ),
    Action.GOAL: (
        "Goal",
        "Pause and drag a hand to see how the arm follows",
    ),
    Action.SPLIT: ("Split", "Compare two patterns side by side, in step"),
    Action.DIAGRAM: ("Diagram", "Show who throws to whom and when, as a ladder or causal diagram"),
    Action.LIVE: (
        "Join",
        "Change patterns with transition throws, or with a cut",
    ),
    Action.RECORD: (
        "Record",
        "Record the window until pressed again. The video is saved to your pictures folder.",
    ),
    Action.FOOTAGE: (
        "Footage",
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
    Action.ITERATE: ("Iterate", "Take one step towards the goal"),
    Action.HOLD: ("Wait", "Wait for you before each step"),
    Action.TURN_GOAL: ("Turn", "Let the goal turn the hand too"),
    Action.FACTS: (
        "Facts",
        "Show collisions, states, parts, ways in and out, inverse, dual and mirror image",
    ),
    Action.STAR: ("Favourite", "Add to or remove from favourites"),
    Action.SAVE_FILE: ("Save", "Save as pattern, GIF, video or picture"),
    Action.OPEN_FILE: ("Open", "Open a file. You can also drop a file on the window."),
    (Action.TYPE_VALUE, "Next step"): (
        "Next step",
        "Go to the next step. Use the arrow keys for other steps.",
    ),
    (Action.TYPE_VALUE, "End"): ("End", "End the lesson and keep the pattern"),
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
    "group": "{down} {up} to fold or unfold",
}
"""What keys do with the chosen line of the panel, by its kind."""

_SHORT_HINTS = {
    "number": "{down} {up} change, {fine} fine, {enter} types",
    "choice": "{down} {up} change, {home} resets, {enter} lists",
    "group": "{down} {up} to fold or unfold",
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


def row_tip(row: Row, default: float | str | None = None) -> Tip:
    """Return the tooltip of a control.

    Args:
        row: row of the control.
        default: its default in the present pattern; None if it is not known.
    """
    notes = _range_words(row, row.default if default is None else default, language())
    return Tip(row.label, row.help, notes=notes, keys=_keys(_ROW_KEYS.get(row.name, ())))


@lru_cache(1_000)
def _range_words(row: Row, default: float | str | None, _spoken: str) -> str:
    """Return the range of a control and its default, in words.

    Cached, as panels ask in every frame.

    Args:
        row: row of the control.
        default: in the unit of the row; None for automatic.
        _spoken: the present language; part of the cache key only.
    """
    usual = _(AUTOMATIC) if default is None else format_value(row, default)
    if isinstance(row, Choice):
        return _("Default: {usual}", usual=usual)
    low = plain_text(row, row.low)
    high = format_value(row, row.high)
    return _("{low} to {high}. Default: {usual}", low=low, high=high, usual=usual)


def option_tip(choice: Choice, option: str) -> Tip:
    """Return the tooltip of an option of a choice that stands beside the others."""
    tip = row_tip(choice)
    title = f"{choice.label}: {option_words(option)}"
    return replace(tip, title=title, text=option_help(option) or tip.text)


def _keys(actions: tuple[Action, ...]) -> str:
    return "  ".join(map(caption, actions))


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
        """Close a card that is to see in the place of the panel, or show it there.

        Returns:
            Whether it is shown now.
        """
        if self.is_visible(card):
            self.close(card)
            return False
        self.open(card)
        return True

    def is_visible(self, card: str) -> bool:
        """Return whether a card is to see in the place of the panel, or would be without help."""
        return self.panel == card and self.panel_shown

    def takes_keys(self, card: str) -> bool:
        """Return whether keys act on a card in the place of the panel."""
        on_top = self.is_visible(card) and not self.help_shown
        return on_top or (self.panel == card and card in _KEEP_KEYS)
