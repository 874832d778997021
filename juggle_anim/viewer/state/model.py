"""The model of a viewer: what is shown, and what can be done to the shown animation. No window, no OpenGL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, NotationError, ViewerError
from juggle_anim.notation import open_pattern
from juggle_anim.notation.open import find_file_reference
from juggle_anim.parameters import ROWS, Group, Row
from juggle_anim.viewer.screenshot import Screen
from juggle_anim.viewer.state import controls, values
from juggle_anim.viewer.state.arm_curves import TITLES
from juggle_anim.viewer.state.beats import BeatLine, ThrowValues
from juggle_anim.viewer.state.camera_rig import CameraRig
from juggle_anim.viewer.state.diagrams import Diagrams
from juggle_anim.viewer.state.listing import ArmChoice, HelpPages, Line, Listing, Pages
from juggle_anim.viewer.state.playback import LastThrows, Playback
from juggle_anim.viewer.state.presets import PresetList, with_preset
from juggle_anim.viewer.state.prompt import Notice
from juggle_anim.viewer.state.sound import Sound
from juggle_anim.viewer.state.undo import History, Step, Undo, step_of
from juggle_anim.viewer.state.values import turned, value_at

if TYPE_CHECKING:
    from juggle_anim.viewer.state.arm_lab import ArmLab


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


@dataclass
class Half:
    """What the half of a split view shows that panel and keys do not act on.

    Args:
        animation: what is juggled there.
        shown: the text that stands for it.
        undo, history: of that half.
        rig: its camera.
    """

    animation: Animation
    shown: str
    undo: Undo
    history: History
    rig: CameraRig


LEFT, RIGHT = 0, 1
"""The halves of a split view."""


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
        self.listing, self.undo, self.preset_list = Listing(), Undo(), PresetList()
        self.beat_line = BeatLine()
        self.chosen: Line = ROWS[0]
        """The line of the panel that keys turn."""
        self.entry: Entry | None = None
        self.shown = self.line = animation.text
        """The text that stands for what is juggled, and the one in the pattern line."""
        self.pattern_error: JuggleError | None = None
        self.trouble = ""
        """Why the last turn of a quantity was refused."""
        self.line_wanted = self.entry_wanted = False
        """Whether the pattern line, or the number, is to take the keyboard as soon as it is drawn."""
        self.panel_shown, self.help_shown, self.leaving = True, False, False
        self.help_pages, self.throws, self.screen = HelpPages(), LastThrows(), Screen()
        self.throw_values = ThrowValues()
        self.sound, self.notice = Sound(), Notice()
        self.other: Half | None = None
        """The half beside the model's own; None where there is one picture."""
        self.half = LEFT
        """Which half is the model's own, on which panel and keys act."""
        self.arm = ArmChoice()
        self.plots, self.diagrams = Pages(len(TITLES)), Diagrams()
        self.lab: ArmLab | None = None

    def value(self, quantity: Row) -> float | str:
        """The present value of a quantity, also where it follows from another or from the pattern."""
        return controls.value_of(self.animation, quantity)

    def is_default(self, quantity: Row) -> bool:
        """Whether nobody has changed a quantity."""
        return not controls.is_changed(self.animation, quantity)

    @property
    def lines(self) -> list[Line]:
        """What the panel lists now."""
        return self.listing.lines(lambda row: not self.is_default(row))

    def type_pattern(self, text: str) -> bool:
        """Juggle another pattern; where it is none, keep its error and the old. Returns whether it is one."""
        self.line = text
        # Opened again, a name would lose what was turned since, and the name of events would open nothing.
        if text == self.shown and (self.animation.pattern is None or find_file_reference(text) is None):
            self.drop_pattern()
            return True
        try:
            settings = open_pattern(text)
            animation = _ready(Animation(settings.score, settings.applied_to(self.animation.parameters)))
        except JuggleError as error:
            self.pattern_error = error
            return False
        self.undo.note(step_of(self.animation, self.shown), "pattern")
        self.undo.seal()
        self._juggle(animation, animation.text if animation.pattern else text)
        return True

    def name_events(self, text: str) -> None:
        """Let events be known by the text that opens them: their own name would open nothing."""
        if self.animation.pattern is None:
            self.shown = self.line = text

    def drop_pattern(self) -> None:
        """Give up typing: the line shows the pattern that is juggled."""
        self.line, self.pattern_error = self.shown, None

    def choose(self, line: Line) -> None:
        """Choose a line of the panel."""
        self.chosen, self.trouble = line, ""

    def choose_next(self, ways: int) -> None:
        """Choose the line that is so many further down, around the ends of the listing."""
        lines = self.lines
        if self.chosen in lines:
            self.choose(lines[(lines.index(self.chosen) + ways) % len(lines)])
        elif lines:
            self.choose(lines[0])

    def choose_found(self) -> None:
        """Choose the first knob of the listing, unless one of it is chosen already."""
        if self.chosen not in (lines := self.lines):
            self.choose(next((line for line in lines if not isinstance(line, Group)), self.chosen))

    def turn(self, steps: float) -> None:
        """Turn the chosen quantity by some steps; fold or unfold a chosen group."""
        if isinstance(self.chosen, Group):
            if (steps > 0) == (self.chosen in self.listing.folded):
                self.listing.toggle(self.chosen)
            return
        self.set_value(self.chosen, turned(self.chosen, self.value(self.chosen), steps))

    def drag(self, quantity: Row, place: float, fine: bool = False) -> None:
        """Turn a quantity to a place on its slider, 0 to 1."""
        self.set_value(quantity, value_at(quantity, place, fine))

    def reset(self, quantity: Row) -> None:
        """Give a quantity its default."""
        self.set_value(quantity, quantity.default)

    def reset_all(self) -> None:
        """Give all of them their defaults."""
        self.change(controls.with_defaults, "all")

    def set_value(self, quantity: Row, value: float | str | None) -> None:
        """Give a quantity a value; where the pattern cannot be juggled with it, the old one stays."""
        if controls.given(self.animation, quantity) != value:
            self.change(lambda animation: controls.with_value(animation, quantity, value), quantity.name)

    def change(self, make: Callable[[Animation], Animation], what: str) -> None:
        """Show what is made of the animation, the place in its loop kept; where nobody can juggle that, say why.

        Args:
            make: gives the new animation of the old.
            what: is changed, by which undo knows the steps that belong together.
        """
        before = step_of(self.animation, self.shown)
        try:
            animation = _ready(make(self.animation))
        except JuggleError as error:
            self.trouble = error.reason if isinstance(error, NotationError) else str(error)
            return
        self.undo.note(before, what)
        self.playback.stretch(self.animation.duration, animation.duration)
        self._take(animation, animation.text if animation.pattern else self.shown)

    def restore(self, step: Step | None) -> None:
        """Show what undo gives back, if anything."""
        if step is None:
            return
        animation = _ready(step.restored(self.animation))
        if step.score.pattern is self.animation.pattern:
            self.playback.stretch(self.animation.duration, animation.duration)
            self._take(animation, step.shown)
        else:
            self._juggle(animation, step.shown)

    def show(self, animation: Animation, shown: str) -> None:
        """Show an animation at the present time, as the other half of a split view is."""
        self.line, self.pattern_error = shown, None
        self._take(animation, shown)
        self.arm = self.arm.within(animation.jugglers)

    def _juggle(self, animation: Animation, shown: str) -> None:
        """Show another pattern, from its start."""
        self.show(animation, shown)
        self.playback.time = 0.0

    def _take(self, animation: Animation, shown: str) -> None:
        if self.line == self.shown:
            self.line = shown
        self.animation, self.shown, self.trouble = animation, shown, ""

    def apply_preset(self, name: str) -> None:
        """Turn everything as a preset says."""
        preset = self.preset_list.presets[name]
        self.undo.seal()
        self.change(lambda animation: with_preset(animation, preset), "preset")
        self.undo.seal()
        self.preset_list.trouble = self.trouble

    def open_entry(self, quantity: Row) -> None:
        """Begin to type a number."""
        self.chosen = quantity
        self.listing.show(quantity)
        given = controls.given(self.animation, quantity)
        text = values.AUTOMATIC if given is None else values.plain(quantity, given)
        self.entry, self.entry_wanted = Entry(quantity, text), True
        self.panel_shown, self.help_shown = True, False

    def apply_entry(self, text: str) -> None:
        """Take the number that was typed; where it is none, say so and keep asking."""
        if self.entry is None:
            return
        try:
            value = values.read(self.entry.quantity, text)
        except JuggleError as error:
            self.entry.text, self.entry.error, self.entry_wanted = text, str(error), True
            return
        quantity, self.entry = self.entry.quantity, None
        self.undo.seal()
        self.set_value(quantity, value)
        self.undo.seal()

    def close_entry(self) -> None:
        """Give up typing a number."""
        self.entry = None

    def hear(self) -> None:
        """Play what is heard up to the present time."""
        try:
            self.sound.follow(self.animation, self.playback.time)
        except ViewerError as error:
            self.complain(error)

    def complain(self, error: ViewerError) -> None:
        """Show what went wrong."""
        self.notice.say(_sentence(str(error)), bad=True)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _ready(animation: Animation) -> Animation:
    """The animation with its motion computed, so that what cannot be juggled is found before it is shown."""
    animation.motion  # noqa: B018 - it is kept
    return animation
