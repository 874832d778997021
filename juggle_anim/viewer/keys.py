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
    CHOOSE_PREVIOUS = auto()
    CHOOSE_NEXT = auto()
    TURN_DOWN = auto()
    TURN_UP = auto()
    TURN_DOWN_FINE = auto()
    TURN_UP_FINE = auto()
    TYPE_VALUE = auto()
    RESET_VALUE = auto()
    FRAME = auto()
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
        chord: one character as typed, or the name of a key with `ctrl+` or `shift+` before it.
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
    Binding("[", Action.SLOWER),
    Binding("]", Action.FASTER),
    Binding("/", Action.EDIT_PATTERN),
    Binding("ctrl+l", Action.EDIT_PATTERN),
    Binding("up", Action.CHOOSE_PREVIOUS, repeats=True),
    Binding("down", Action.CHOOSE_NEXT, repeats=True),
    Binding("left", Action.TURN_DOWN, repeats=True),
    Binding("right", Action.TURN_UP, repeats=True),
    Binding("shift+left", Action.TURN_DOWN_FINE, repeats=True),
    Binding("shift+right", Action.TURN_UP_FINE, repeats=True),
    Binding("enter", Action.TYPE_VALUE),
    Binding("home", Action.RESET_VALUE),
    Binding("f", Action.FRAME),
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

HELP: tuple[tuple[str, tuple[tuple[tuple[Action, ...] | str, str], ...]], ...] = (
    ("Pattern", (((Action.EDIT_PATTERN,), "Type a siteswap"),)),
    (
        "Quantities",
        (
            ((Action.CHOOSE_PREVIOUS, Action.CHOOSE_NEXT), "Choose"),
            ((Action.TURN_DOWN, Action.TURN_UP), "Turn"),
            ((Action.TURN_DOWN_FINE, Action.TURN_UP_FINE), "Turn finely"),
            ((Action.TYPE_VALUE,), "Type a number"),
            ((Action.RESET_VALUE,), "Back to the default"),
            ("Double click", "Type a number"),
            ("Right click", "Back to the default"),
        ),
    ),
    (
        "Camera",
        (
            ("Drag", "Turn around"),
            ("Right drag", "Move sideways"),
            ("Wheel", "Nearer or farther"),
            ((Action.FRAME,), "Frame the pattern"),
        ),
    ),
    (
        "Play",
        (
            ((Action.PAUSE,), "Pause or go on"),
            ((Action.STEP_BACK, Action.STEP_ON), "One frame back or on"),
            ((Action.SLOWER, Action.FASTER), "Slower or faster"),
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
            ((Action.TOGGLE_HELP,), "These keys"),
            ((Action.BACK,), "Go back or leave"),
            ((Action.LEAVE,), "Leave"),
        ),
    ),
)
"""The help: groups of lines; a line is the actions whose keys it names, or a way of the mouse, and what they do."""

_BY_CHORD = {binding.chord: binding for binding in BINDINGS}
_NAMES = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "escape": "Esc", "shift": "Shift", "ctrl": "Ctrl",
    "space": "Space", "tab": "Tab", "home": "Home", "enter": "Enter",
}  # fmt: skip


def binding_for(chord: str) -> Binding | None:
    """The row for a chord, or None where it does nothing."""
    return _BY_CHORD.get(chord)


def caption(action: Action) -> str:
    """How the first key of an action is named on screen: `Shift ←`."""
    chord = next(binding.chord for binding in BINDINGS if binding.action is action)
    parts = chord.split("+") if len(chord) > 1 else [chord]
    return " ".join(_NAMES.get(part, part.upper()) for part in parts)
