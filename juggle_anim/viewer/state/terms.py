"""What things in the window are called and what they are, in plain words: the texts of tooltips.

Parameters explain themselves in their own table; here are the words of the field, the parts of
cards, and what buttons do.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from juggle_anim.language import _, language
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.panel.values import AUTOMATIC, format_value, option_words, plain_text
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
        "A siteswap: one digit for each throw, and the higher the digit the higher the throw. 3 "
        "goes to the other "
        "hand, 4 to the same one. A name or a file does as well.",
    ),
    "palette": (
        "All commands",
        "Type a word. ↑ and ↓ choose, Enter runs the command.",
    ),
    "find": (
        "Find a slider",
        "Type a word of its name or of what it does. “changed” lists those that were turned.",
    ),
    "group": (
        "Group of sliders",
        "A click folds or unfolds it. The number says how many are not at their defaults.",
    ),
    "reset": ("Back to the default", "So does a double click on the name, or a right click."),
    "back to settings": (
        "Back to settings",
        "Leaves the events that were edited by hand, and what they alone hold.",
    ),
    "throws": (
        "The throws of the pattern",
        "Those of this beat are lit. A click on a throw goes to the time when it is made.",
    ),
    "state": (
        "State",
        "When the props in the air will land: in 1011, one comes now, none a beat later, and one "
        "on each of the two "
        "beats after that. A pattern can follow another one where their states are the same. A "
        "click shows all facts.",
    ),
    "orbits": (
        "Orbits",
        "Each is the path of some props: the throws that a prop of this colour gets in turn. In "
        "51 33 15, one prop is "
        "thrown as 5 and then as 1, another always as 3.",
    ),
    "collisions": (
        "Collisions",
        "Where props hit each other or a body, or else where they pass nearest. A click goes "
        "there.",
    ),
    "facts": ("Facts", "What follows from the throws of the pattern."),
    "parts": (
        "Parts",
        "A pattern is prime if no state comes twice in it. A composite one is made of shorter "
        "patterns, which can be "
        "juggled one after the other.",
    ),
    "entry": (
        "Way in",
        "The throws that lead into the pattern from the cascade or fountain of as many props. "
        "None are needed if it "
        "begins in the ground state.",
    ),
    "exit": (
        "Way out",
        "The throws that lead from the pattern back to the cascade or fountain of as many props.",
    ),
    "inverse": (
        "Inverse",
        "The pattern in reversed time, as a film that runs backwards. A click juggles it.",
    ),
    "dual": (
        "Dual",
        "The pattern of the empty places: where a prop could land and none does, one is thrown, "
        "in reversed time. A "
        "click juggles it.",
    ),
    "mirror": ("Mirror", "The pattern with left and right exchanged. A click juggles it."),
    "bounces": (
        "Bounces",
        "What jugglers do where a low throw has too little time to bounce as it is written.",
    ),
    "hand load": (
        "Hand load",
        "How many props a hand keeps going, for the hand with the fewest and the one with the "
        "most, and how many it "
        "holds at once.",
    ),
    "repeats": (
        "Repeats",
        "After how many beats the hands do the same again, and every prop is where it began.",
    ),
    "ladder": (
        "Ladder",
        "Time runs to the right, and each hand has a line. A throw is an arc from the line of the "
        "hand that throws to "
        "that of the hand that catches. Click or drag to go to another time.",
    ),
    "causal": (
        "Causal diagram",
        "Each arrow leads from a throw to the throw for which it makes room. Jugglers who pass "
        "read from it who makes "
        "whom throw.",
    ),
    "states": (
        "State graph",
        "All states of as many props, and the throws that lead from one to the next. A pattern is "
        "a way around in it.",
    ),
    "split scale": (
        "Scale",
        "Whether both halves are equally large, to compare heights, or each fills its half.",
    ),
    "scrollbar": ("Scroll", "More lines are above or below. The wheel scrolls as well."),
    "plot": ("Plot", "What the arm does over one loop. Drag to go to another time."),
    "plots": ("Plots", "A click shows this plot, and those beside it."),
    "clock": (
        "Time",
        "How far the loop is, in beats and in seconds of the pattern's own time, whatever the "
        "speed.",
    ),
    "loop": (
        "Reverse",
        "Plays backwards, or forward again.",
    ),
    "unsaved": ("Changed", "This pattern has changes that are in no file. A click saves it."),
    "time line": (
        "Time in the loop",
        "Drag it to go to another time, which pauses. Each tick below is a throw, and a click on "
        "it goes there.",
    ),
    "gizmo": (
        "Goal",
        "The hand follows it. Drag an arrow to move it along a line, a square to move it in a "
        "plane, and a ring to "
        "turn it.",
    ),
    "Solver": ("Solver", "The arm is placed by the solver of the slider Arms, at once."),
    "Arm chain": ("Arm chain", "The joints of the arm turn step by step until the hand is there."),
    "Whole body": (
        "Whole body",
        "The joints of the whole body turn step by step until the hand is there.",
    ),
    "search": (
        "Search",
        "Type words of a name, a tag, throws, or a number of props, such as 3 props.",
    ),
    "suggestion": ("Did you mean", "A click juggles it."),
    "shelf": ("List", "All patterns, those with a star, or those that were juggled last."),
    "props": ("Number of props", "Shows only patterns with so many props."),
    "level": (
        "Difficulty",
        "Shows only patterns that are so hard, by their props, throws and hands.",
    ),
    "tag": ("Tag", "Shows only patterns of one kind, such as messes, columns or passing."),
    "row": ("Pattern", "A click juggles it."),
    "star": ("Favourite", "A click adds it to the favourites, or takes it away."),
    "library": ("Library", "Lists the patterns that come along."),
    "generate": (
        "Generate",
        "Finds all patterns with some number of props, highest throw and period.",
    ),
    "found": ("Found", "All patterns that were found."),
    "starred": ("Starred", "Those with a star. They stay while you search on."),
    "option": ("Search for", "Arrows change it, and the list follows at once."),
    "max_throw": ("Highest throw", "No throw of the patterns is higher."),
    "period": ("Period", "After so many beats the pattern repeats."),
    "shorter": ("Shorter ones", "Whether patterns with a shorter period are listed, too."),
    "kind": (
        "Kind",
        "Prime patterns have no state twice. Those by default are not made of shorter ones that "
        "begin alike.",
    ),
    "start": (
        "Start",
        "Whether a pattern can begin right out of a cascade or fountain, or needs throws before.",
    ),
    "multiplex": ("Multiplex", "Whether a hand throws two or three props at once."),
    "synchronous": ("Sync", "Whether both hands throw at the same time."),
    "jugglers": ("Jugglers", "How many people pass to each other."),
    "connected": ("Connected", "Whether everybody passes, directly or by others, with everybody."),
    "symmetric_jugglers": ("All alike", "Whether all jugglers do the same."),
    "true_multiplex": (
        "No holds",
        "Whether a multiplex must throw several props, and not hold one of them.",
    ),
    "squeezes": ("Squeezes", "Whether several props may land in a hand at once."),
    "clusters": ("Clusters", "Whether a multiplex may throw several props alike."),
    "symmetric_hands": ("Mirrored", "Whether the other hand repeats what one hand does."),
    "neighbouring_ones": ("1 after 1", "Whether a 1 may follow a 1."),
    "what varies": ("What varies", "Throws, hands and arms, looks, or all of them."),
    "amount": ("How much", "How far the variations are from the pattern in the middle."),
    "version": ("Variation", "A click goes on with it, and varies it again."),
    "routine": ("Routine", "A list of patterns, each for some catches, loops, beats or seconds."),
    "line": ("Line of the routine", "A click goes there. A double click types another line."),
    "view": (
        "View",
        "A click looks from there. Arrow keys to the sides change when the camera is there.",
    ),
    "view ×": ("Remove", "Takes this view away."),
    "view +": ("Later", "The camera takes half a second more to it."),
    "view −": ("Sooner", "The camera takes half a second less to it."),
    "begin": ("Begin a routine", "Its first line is the pattern that is juggled now."),
    "×": ("Remove", "Takes this line away."),
    "+": ("Longer", "Juggles this line once more."),
    "−": ("Shorter", "Juggles this line once less."),
    "lesson step": (
        "Step",
        "A click juggles it. At its right is its gravity, in percent of the pattern's own.",
    ),
    "lesson gravity": (
        "Gravity to begin with",
        "With less, props rise and fall slowly, so that there is time to follow. Drag it; a right "
        "click resets it.",
    ),
    "film time": (
        "Time of the film",
        "Drag it to go to another time. Each tick is a throw that was marked.",
    ),
    "path": ("Path of a file", "Tab completes what is typed."),
    "recent file": ("Recent file", "A click opens it."),
    "preset name": ("Name", "Enter saves all sliders as they are now under this name."),
    "preset": ("Preset", "A click turns all sliders to what was saved."),
    "delete preset": ("Delete", "Removes the preset for good."),
    "numbers": ("Place", "Type where the handle is, in cm."),
    "entry field": ("Value", "Enter sets it, Esc leaves it as it was."),
    "close": ("Close", "Puts this card away."),
    "answer": ("Answer", "A click answers the question."),
    "menu": ("Menu", "A click does it. What would come of it stands beside it."),
    "choose": ("Choose", "A click chooses it, Esc leaves it as it was."),
    "key": ("Key", "A click does what the key does."),
    "panels": ("Panels", "Shows the panels again."),
}
"""By the name of a word or part: its title, and what it is."""

ACTIONS: dict[Action | tuple[Action, str], tuple[str, str]] = {
    Action.PALETTE: (
        "All commands",
        "Finds every action, setting and pattern by its name, and shows its key.",
    ),
    Action.TOGGLE_HELP: ("All keys", "Lists what each key does. A click on a line does it."),
    Action.BROWSE: (
        "Library",
        "Over 500 patterns to search and look through. A click juggles one.",
    ),
    Action.PLOTS: (
        "Plots",
        "Shows how one arm moves over a loop: height, speed, force and joints.",
    ),
    Action.PRESETS: (
        "Presets",
        "Saves how all sliders are turned under a name, or turns them so again.",
    ),
    Action.COPY: (
        "Copy settings",
        "Copies the pattern with all that was turned, as a line of text.",
    ),
    Action.OPTIMISE: (
        "More room",
        "Moves throws and catches a little, so that props pass each other farther apart.",
    ),
    Action.EDIT: (
        "Edit",
        "Shows handles at throws and catches, in the ladder and in the picture. Drag them.",
    ),
    Action.GOAL: (
        "Goal",
        "Stops time and lets you drag a hand, so that you see how the arm follows.",
    ),
    Action.SPLIT: ("Split", "Shows two patterns side by side, at the same time and speed."),
    Action.DIAGRAM: ("Diagram", "Shows who throws when to whom, as a ladder or a causal diagram."),
    Action.LIVE: (
        "Join",
        "Whether another pattern follows by throws that lead there, or begins with a cut.",
    ),
    Action.RECORD: (
        "Film",
        "Films the window, until it is pressed again. The film is in your folder of pictures.",
    ),
    Action.FOOTAGE: (
        "Footage",
        "Shows a film of a person beside the animation, to compare or to juggle along.",
    ),
    Action.FRAME: ("Frame", "Moves the camera back to where it sees the whole pattern."),
    Action.NUMBERS: (
        "Numbers",
        "Writes numbers on props, the values of throws beside them, or both.",
    ),
    Action.TOGGLE_PANEL: (
        "Hide panels",
        "Leaves the picture alone. The same key shows the panels again.",
    ),
    Action.BACK: ("Close", "Closes what is open, one after the other."),
    Action.UNDO: (
        "Undo",
        "Takes the last change back: of a slider, of an edit, or of the pattern.",
    ),
    Action.REDO: ("Redo", "Does again what was taken back."),
    Action.OTHER_ARM: ("Which arm", "Goes on to the other arm, and then to the next juggler."),
    Action.METHOD: (
        "Follow by",
        "By the solver of the slider Arms, by the joints of the arm, or by the whole body.",
    ),
    Action.ITERATE: ("Iterate", "Makes one step toward the goal."),
    Action.HOLD: ("Wait", "Steps wait until you make each of them."),
    Action.TURN_GOAL: ("Turn", "The goal turns the hand, too."),
    Action.FACTS: (
        "Facts",
        "Shows collisions, states, parts, ways in and out, inverse, dual and mirror image.",
    ),
    Action.STAR: ("Favourite", "Adds the pattern to the favourites, or takes it away."),
    Action.SAVE_FILE: ("Save", "Writes it to a file."),
    Action.OPEN_FILE: ("Open", "Opens a file by its path. You can drop a file on the window, too."),
    (Action.TYPE_VALUE, "Next step"): (
        "Next step",
        "Goes on to the next step. The arrow keys go to others.",
    ),
    (Action.TYPE_VALUE, "End"): ("End", "Ends the lesson, and goes on with the pattern."),
    (Action.TYPE_VALUE, "Others"): (
        "Others",
        "Shows nine other variations of the pattern in the middle.",
    ),
    (Action.BACK, "Stop"): ("Stop", "Stops the search. What was found stays."),
    Action.SOUND: ("Metronome", "Ticks on each beat, and sounds at each catch."),
    Action.TYPE_VALUE: ("Type", "Types what is chosen anew."),
    Action.ADD_POINT: ("Add", "Adds a line below."),
    Action.REMOVE_POINT: ("Remove", "Takes the chosen line away."),
    Action.HANDLE_BEFORE: ("Up", "Moves the chosen line up."),
    Action.HANDLE_AFTER: ("Down", "Moves the chosen line down."),
    Action.CAMERA_PATH: (
        "Camera path",
        "Shows or hides the views that the camera of a film passes.",
    ),
    (Action.TYPE_VALUE, "Preview"): (
        "Preview",
        "Moves the camera along the path, as a film will show it.",
    ),
    (Action.TYPE_VALUE, "Stop"): ("Stop", "Stops the preview."),
    (Action.SAVE_AS, "Save"): ("Save", "Writes it to a file. A film can go along the path."),
    Action.ROUTINE: (
        "Routine",
        "Shows or hides the list of patterns that are juggled one after the other.",
    ),
    Action.REMOVE_FILM: ("Away", "Takes the film away."),
    Action.UNMARK: ("Unmark", "Takes the last mark away."),
    Action.USE_MARKS: ("Use", "Juggles at the tempo, and with the dwell, of the marks."),
    Action.SHIFT_BEAT: ("Other hand", "Gives the marks to the other hand."),
    Action.STEP_BACK: ("One frame back", "Pauses, and goes a sixtieth of a second back."),
    Action.PAUSE: ("Play or pause", "Stops time, or lets it go on."),
    Action.STEP_ON: ("One frame on", "Pauses, and goes a sixtieth of a second on."),
    Action.EDIT_MENU: ("Menu", "All that can be done with the chosen handle."),
    Action.STATE_GRAPH: (
        "State graph",
        "Shows all states of as many props, and the pattern as a way around in them.",
    ),
    Action.LEARN: (
        "Learn it",
        "Takes the pattern apart into steps, from one prop to all of them, slowly first.",
    ),
    Action.GENERATE: (
        "Generate",
        "Finds all patterns with some number of props, highest throw and period.",
    ),
}
"""By a button's action, in some cards with its words: its title, and what it does."""

_HINTS = {
    "number": "{down} {up} turn it, {fine} finely. {home} resets it. {enter} takes a number.",
    "choice": "{down} {up} change it. {home} resets it. {enter} lists all.",
    "group": "{down} {up} fold and unfold it.",
}
"""What keys do with the chosen line of the panel, by its kind."""

_SHORT_HINTS = {
    "number": "{down} {up} turn, {fine} finely, {enter} types",
    "choice": "{down} {up} change, {home} resets, {enter} lists",
    "group": "{down} {up} fold and unfold it.",
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
        name: of the term, a key of `TERMS`.
        title: what is said instead of its title, as the name of a pattern.
        action: whose key leads there.
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
        "home": caption(Action.RESET_VALUE), "fine": caption(Action.TURN_UP_FINE).split()[0],
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
        row: of the control.
        default: its default in the present pattern; None where it is not known.
    """
    notes = _range_words(row, row.default if default is None else default, language())
    return Tip(row.label, row.help, notes=notes, keys=_keys(_ROW_KEYS.get(row.name, ())))


@lru_cache(1_000)
def _range_words(row: Row, default: float | str | None, _spoken: str) -> str:
    """Return the range of a control and its default, in words.

    Cached, as panels ask in every frame.

    Args:
        row: of the control.
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
    return replace(row_tip(choice), title=f"{choice.label}: {option_words(option)}")


def _keys(actions: tuple[Action, ...]) -> str:
    return "  ".join(map(caption, actions))
