"""The model of a viewer: what is shown, and all that keys, mouse and panel can do to it. No window, no OpenGL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.notation import open_pattern
from juggle_anim.parameters import ROWS, Quantity, Row
from juggle_anim.viewer import wording
from juggle_anim.viewer.arm_choice import ArmChoice
from juggle_anim.viewer.arm_curves import TITLES
from juggle_anim.viewer.camera_rig import CameraRig
from juggle_anim.viewer.keys import Action
from juggle_anim.viewer.pages import Pages
from juggle_anim.viewer.playback import Playback, faster, slower
from juggle_anim.viewer.turning import FINE, turned, value_at

if TYPE_CHECKING:
    from juggle_anim.viewer.arm_lab import ArmLab


@dataclass
class Entry:
    """A number that is being typed for a quantity.

    Args:
        quantity: the row of the table.
        text: what was typed.
        error: what is wrong with it.
    """

    quantity: Row
    text: str
    error: str = ""


class Model:
    """The state of a viewer.

    Args:
        animation: what is shown first.
        time: where it starts, [s].
        paused: whether it stands still.
    """

    def __init__(self, animation: Animation, time: float = 0.0, paused: bool = False) -> None:
        self.animation = animation
        self.playback = Playback(time, paused)
        self.rig = CameraRig()
        self.chosen = 0
        self.entry: Entry | None = None
        self.shown = self.line = animation.text
        """The text that stands for what is juggled, and the one in the pattern line."""
        self.pattern_error: JuggleError | None = None
        self.trouble = ""
        """Why the last turn of a quantity was refused."""
        self.line_wanted = self.entry_wanted = False
        """Whether the pattern line, or the number, is to take the keyboard as soon as it is drawn."""
        self.panel_shown, self.help_shown, self.leaving = True, False, False
        self.arm = ArmChoice()
        self.plots = Pages(len(TITLES))
        self.lab: ArmLab | None = None
        self._actions = self._table()

    @property
    def quantity(self) -> Row:
        """The chosen row of the table."""
        return ROWS[self.chosen]

    def perform(self, action: Action) -> None:
        """Do what a key says."""
        self._actions[action]()

    def value(self, quantity: Row) -> float | str:
        """The present value of a quantity, also where it follows from another or from the pattern."""
        value: float | str | None = getattr(self.animation.parameters, quantity.name)
        if value is None and isinstance(quantity, Quantity) and quantity.follows:
            value = getattr(self.animation.parameters, quantity.follows)
        return self.animation.choreography.bps if value is None else value

    def is_default(self, quantity: Row) -> bool:
        """Whether nobody has changed a quantity."""
        return bool(getattr(self.animation.parameters, quantity.name) == quantity.default)

    def type_pattern(self, text: str) -> bool:
        """Juggle another pattern; where it is none, keep its error and the old. Returns whether it is one."""
        self.line = text
        # The name of events, by which nothing would open them again.
        if text == self.shown and self.animation.pattern is None:
            self.drop_pattern()
            return True
        try:
            settings = open_pattern(text)
            animation = _ready(Animation(settings.score, settings.applied_to(self.animation.parameters)))
        except JuggleError as error:
            self.pattern_error = error
            return False
        self.pattern_error, self.trouble = None, ""
        self.shown = self.line = animation.text if animation.pattern else text
        self.animation, self.playback.time = animation, 0.0
        self.arm = self.arm.within(animation.jugglers)
        return True

    def drop_pattern(self) -> None:
        """Give up typing: the line shows the pattern that is juggled."""
        self.line, self.pattern_error = self.shown, None

    def choose(self, number: int) -> None:
        """Choose a row of the table, counted from 0 and around its ends."""
        self.chosen = number % len(ROWS)
        self.trouble = ""

    def turn(self, steps: float) -> None:
        """Turn the chosen quantity by some steps."""
        self.set_value(self.quantity, turned(self.quantity, self.value(self.quantity), steps))

    def drag(self, quantity: Row, place: float, fine: bool = False) -> None:
        """Turn a quantity to a place on its slider, 0 to 1."""
        self.set_value(quantity, value_at(quantity, place, fine))

    def reset(self, quantity: Row) -> None:
        """Give a quantity its default."""
        self.set_value(quantity, quantity.default)

    def set_value(self, quantity: Row, value: float | str | None) -> None:
        """Give a quantity a value; where the pattern cannot be juggled with it, the old one stays."""
        if getattr(self.animation.parameters, quantity.name) == value:
            return
        try:
            animation = _ready(self.animation.replace(**{quantity.name: value}))
        except JuggleError as error:
            self.trouble = str(error)
            return
        self.playback.stretch(self.animation.duration, animation.duration)
        self.animation, self.trouble = animation, ""

    def open_entry(self, quantity: Row) -> None:
        """Begin to type a number."""
        self.chosen = ROWS.index(quantity)
        given = getattr(self.animation.parameters, quantity.name)
        text = wording.AUTOMATIC if given is None else wording.plain(quantity, given)
        self.entry, self.entry_wanted = Entry(quantity, text), True
        self.panel_shown, self.help_shown = True, False

    def apply_entry(self, text: str) -> None:
        """Take the number that was typed; where it is none, say so and keep asking."""
        if self.entry is None:
            return
        try:
            value = wording.read(self.entry.quantity, text)
        except JuggleError as error:
            self.entry.text, self.entry.error, self.entry_wanted = text, str(error), True
            return
        quantity, self.entry = self.entry.quantity, None
        self.set_value(quantity, value)

    def close_entry(self) -> None:
        """Give up typing a number."""
        self.entry = None

    def _other_arm(self) -> None:
        self.arm = self.arm.next(self.animation.jugglers)
        if self.lab:
            self.lab.take(self.arm)

    def _turn_plots(self) -> None:
        self.panel_shown = True
        self.plots.turn()

    def _toggle_lab(self) -> None:
        # It brings solvers that few want, and a program starts sooner without.
        from juggle_anim.viewer.arm_lab import ArmLab

        self.lab = None if self.lab else ArmLab(self.animation, self.playback.time, self.arm)
        self.playback.paused, self.panel_shown, self.help_shown = True, True, False

    def _in_lab(self, change: Callable[[ArmLab], None]) -> Callable[[], None]:
        """What to do where there is a goal, and nothing where there is none."""
        return lambda: change(self.lab) if self.lab else None

    def _move_goal(self, right: int, up: int, away: int) -> Callable[[], None]:
        return self._in_lab(lambda lab: lab.move(self.rig.camera, right, up, away))

    def _back(self) -> None:
        if self.help_shown:
            self.help_shown = False
        elif self.entry is not None:
            self.entry = None
        elif self.pattern_error is not None or self.line != self.shown:
            self.drop_pattern()
        elif self.lab is not None:
            self.lab = None
        else:
            self.leaving = True

    def _edit_pattern(self) -> None:
        self.panel_shown, self.help_shown, self.line_wanted = True, False, True

    def _change_speed(self, change: Callable[[float], float]) -> None:
        speed = next(quantity for quantity in ROWS if quantity.name == "speed")
        self.set_value(speed, change(self.animation.parameters.speed))

    def _toggle_panel(self) -> None:
        self.panel_shown, self.entry = not self.panel_shown, None

    def _toggle_help(self) -> None:
        self.help_shown = not self.help_shown

    def _leave(self) -> None:
        self.leaving = True

    def _table(self) -> dict[Action, Callable[[], None]]:
        return {
            Action.PAUSE: self.playback.toggle,
            Action.STEP_BACK: lambda: self.playback.step(-1),
            Action.STEP_ON: lambda: self.playback.step(1),
            Action.SLOWER: lambda: self._change_speed(slower),
            Action.FASTER: lambda: self._change_speed(faster),
            Action.EDIT_PATTERN: self._edit_pattern,
            Action.CHOOSE_PREVIOUS: lambda: self.choose(self.chosen - 1),
            Action.CHOOSE_NEXT: lambda: self.choose(self.chosen + 1),
            Action.TURN_DOWN: lambda: self.turn(-1),
            Action.TURN_UP: lambda: self.turn(1),
            Action.TURN_DOWN_FINE: lambda: self.turn(-FINE),
            Action.TURN_UP_FINE: lambda: self.turn(FINE),
            Action.TYPE_VALUE: lambda: self.open_entry(self.quantity),
            Action.RESET_VALUE: lambda: self.reset(self.quantity),
            Action.FRAME: self.rig.release,
            Action.PLOTS: self._turn_plots,
            Action.OTHER_ARM: self._other_arm,
            Action.GOAL: self._toggle_lab,
            Action.WAY: self._in_lab(lambda lab: lab.choose(lab.way.next)),
            Action.ITERATE: self._in_lab(lambda lab: lab.ask()),
            Action.HOLD: self._in_lab(lambda lab: lab.toggle_held()),
            Action.TURN_GOAL: self._in_lab(lambda lab: lab.toggle_turning()),
            Action.GOAL_LEFT: self._move_goal(-1, 0, 0),
            Action.GOAL_RIGHT: self._move_goal(1, 0, 0),
            Action.GOAL_UP: self._move_goal(0, 1, 0),
            Action.GOAL_DOWN: self._move_goal(0, -1, 0),
            Action.GOAL_AWAY: self._move_goal(0, 0, 1),
            Action.GOAL_NEARER: self._move_goal(0, 0, -1),
            Action.TOGGLE_PANEL: self._toggle_panel,
            Action.TOGGLE_HELP: self._toggle_help,
            Action.BACK: self._back,
            Action.LEAVE: self._leave,
        }


def _ready(animation: Animation) -> Animation:
    """The animation with its motion computed, so that what cannot be juggled is found before it is shown."""
    animation.motion  # noqa: B018 - it is kept
    return animation
