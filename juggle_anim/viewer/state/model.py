"""The viewer's model: what is shown, and how it can be changed. No window, no OpenGL."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, NotationError, ViewerError, printable, sentence
from juggle_anim.language import N_, _
from juggle_anim.notation import (
    LibraryPattern,
    find_file_reference,
    near_siteswaps,
    open_pattern,
    suggested_patterns,
)
from juggle_anim.parameters import ROWS, Choice, Group, ParameterValue, Row
from juggle_anim.viewer.arms.arm_lab import TITLES
from juggle_anim.viewer.camera.camera_rig import CameraKeys, CameraRig
from juggle_anim.viewer.diagrams.diagrams import Diagrams
from juggle_anim.viewer.editor.documents import Documents
from juggle_anim.viewer.panel import controls
from juggle_anim.viewer.panel.controls import (
    LANGUAGE,
    ArmSelection,
    Line,
    Listing,
    Pages,
    PresetList,
    WindowControls,
    with_preset,
)
from juggle_anim.viewer.panel.overrides import (
    OwnSettings,
    named_values,
    own_settings,
    with_settings_in_use,
)
from juggle_anim.viewer.panel.values import DropDowns, ValueEntry, stepped, value_at
from juggle_anim.viewer.screenshot import Screen
from juggle_anim.viewer.state.beats import BeatLine, throw_values
from juggle_anim.viewer.state.facts import FactsView
from juggle_anim.viewer.state.keymap import Action, FocusKeys, OpenCards, caption
from juggle_anim.viewer.state.live_change import LEFT, Half, LiveChange, Moment
from juggle_anim.viewer.state.playback import Playback, Sound, throw_times
from juggle_anim.viewer.state.prompt import Notice
from juggle_anim.viewer.state.undo import IdentityCache, Step, Undo, step_of

if TYPE_CHECKING:
    from juggle_anim.viewer.arms.arm_lab import ArmLab

_SHOWN_TITLE = 24
"""Characters of the title of a pattern in a notice; the end of a longer one is cut."""

_LONGEST_PREPARED = 60  # characters of the title in the notice that a pattern is being prepared

_PREPARATION_TOLD = 1.0
"""How long a pattern is prepared before a notice says so, [s]."""

_NAME = re.compile(r"(?=.*[^\W\d_]{2})[\w\s'’-]+")  # of a pattern, or its beginning

_PLURALS = {
    "ball": N_("balls"),
    "club": N_("clubs"),
    "ring": N_("rings"),
    "square": N_("cubes"),
    "image": N_("pictures"),
}
"""Words for several props of each kind."""

_MAX_LABELS = 4  # of changes that a notice names
_OTHER_LABELS = {"all": N_("Reset all"), "preset": N_("Preset"), "routine": N_("Routine")}


class Model:
    """The state of a viewer.

    Args:
        animation: shown first.
        time: time at which it starts, [s].
        paused: whether it starts paused.
    """

    def __init__(self, animation: Animation, time: float = 0.0, *, paused: bool = False) -> None:
        """Create the state of a viewer with an animation, all cards at their defaults.

        The model holds what the window shows; it draws nothing. Each part of the window has a part
        of the model, such as the camera (`rig`), the lines of the panel (`listing`) and the split
        view (`other` and `half`).

        Args:
            animation: the animation to show.
            time: the time of the picture, [s].
            paused: whether time stands still.
        """
        self.animation = animation
        self.playback = Playback(time, paused)
        self.cards = OpenCards()
        self.rig = CameraRig()
        self.camera_keys = CameraKeys(lambda: self.rig, self.cards)
        """The camera path of films."""
        self.listing = Listing()
        self.undo = Undo()
        self.preset_list = PresetList()
        self.beat_line = BeatLine()
        self.documents = Documents()
        self.chosen: Line = first_control(animation)
        """The line of the panel that keys change."""
        if self.chosen in ROWS:  # a chosen line is not hidden in a folded group
            self.listing.folded.discard(self.chosen.group)
        self.window_controls = WindowControls(lambda: self.rig, self.look_from)
        self.drop_downs = DropDowns()
        self.entry = ValueEntry(self.drop_downs, self._set_entered)
        self.focus = FocusKeys()
        """The control that keys have gone to, beside the lines of the panel."""
        self.text = animation.text
        """The text that opens the animation."""
        self.line = animation.text
        """The text in the pattern line."""
        self.is_typing = False
        """Whether the pattern line has the keyboard."""
        self.suggestion = ""
        """Name of the suggestion that is chosen by keys; empty for none."""
        self.live = LiveChange(animation, self.text)
        self.live_change = True
        """Whether another pattern that is chosen while one plays is reached by a transition."""
        self.editing = False
        """Whether handles are shown, so that other patterns begin with a cut."""
        self.pattern_error: JuggleError | None = None
        self.error = ""
        """Why the last change was refused."""
        self.line_wants_focus = False
        """Whether the pattern line takes the keyboard focus when it is next drawn."""
        self.leaving = False
        self.help_pages = Pages()
        self.throws = IdentityCache(throw_times)
        self.solo_text = IdentityCache(controls.solo_text)
        self.screen = Screen()
        self.throw_values = IdentityCache(throw_values, size=2)
        self.sound = Sound()
        self._own = OwnSettings()  # what the person had set when the present pattern or events came
        self.notice = Notice()
        self._keeps_props = False  # whether the person has chosen to keep props other than balls
        self._preparation = ""  # the notice of a pattern that is being prepared
        self.other: Half | None = None
        """The inactive half of a split view; None without a split."""
        self.half = LEFT
        """The active half, on which panel and keys act."""
        self.arm = ArmSelection()
        self.plots = Pages(len(TITLES), capacity=2)
        self.diagrams = Diagrams(self.cards)
        self.facts = FactsView()
        self.lab: ArmLab | None = None

    def value(self, quantity: Row) -> ParameterValue:
        """Return the present value of a control, also if it is automatic."""
        if self.window_controls.has(quantity):
            return self.window_controls.value(quantity)
        return controls.value_of(self.animation, quantity)

    def is_default(self, quantity: Row) -> bool:
        """Return whether a control is at its default, or as the library's pattern sets it."""
        if self.window_controls.has(quantity):
            return self.window_controls.value(quantity) == quantity.default
        named = self._named_values
        if quantity.name in named:
            return controls.chosen_value(self.animation, quantity) == named[quantity.name]
        return not controls.is_changed(self.animation, quantity)

    @property
    def _named_values(self) -> Mapping[str, ParameterValue | None]:
        """What the present pattern sets by itself, as it is in the library, by control."""
        return named_values(self.animation.score.title) if self.animation.pattern else {}

    def fixed(self, quantity: Row) -> str:
        """Return why a control cannot be turned; empty if it can."""
        return (
            ""
            if self.window_controls.has(quantity)
            else controls.fixed_reason(self.animation, quantity)
        )

    @property
    def juggles_apart(self) -> bool:
        """Whether the chosen control is the number of jugglers, and each juggles alone.

        Timed events, which cannot become passes, do not count.
        """
        animation = self.animation
        is_of_several = animation.pattern is not None and animation.num_jugglers > 1
        return self.chosen is controls.JUGGLERS and is_of_several and not animation.is_passing

    @property
    def lines(self) -> list[Line]:
        """The lines of the panel."""
        return self.listing.lines(lambda row: not self.is_default(row))

    @property
    def chosen_step(self) -> Step:
        """The step of undo of the pattern chosen last, also while another one is still juggled."""
        chosen = self.live.chosen
        return step_of(chosen.animation, chosen.text)

    @property
    def moment(self) -> Moment:
        """What is juggled now: the present pattern, the one before, or a transition."""
        return self.live.moment(self.playback.clock)

    def type_pattern(self, text: str, *, at_start: bool = False) -> bool:
        """Play the pattern of a text, as `go_to` does; if the text is invalid, store its error.

        Args:
            text: a pattern, settings, or the path of a file.
            at_start: whether a transition leads to the first throw of the pattern, and not to
                whichever throw is reached soonest.

        Returns:
            Whether the text is valid. If not, the old pattern plays on, and `pattern_error` says
            why.
        """
        self.line = text
        # If the text is that of the present pattern, nothing is opened: that would lose the changes
        # made since, and timed events may have a name that opens nothing. Only a file of a pattern
        # is read again, as it may have changed on disk.
        is_file_of_pattern = (
            self.animation.pattern is not None and find_file_reference(text) is not None
        )
        if text == self.chosen_step.text and not is_file_of_pattern:
            self.drop_pattern()
            return True
        try:
            settings = open_pattern(text)
            # The new pattern keeps what the user has set, such as colours and bodies.
            users_settings = own_settings(self.live.chosen.animation, self._own)
            animation = _with_motion(with_settings_in_use(settings, users_settings))
        except JuggleError as error:
            self.pattern_error = error
            return False
        self._own = users_settings
        # The text of a pattern is written anew; timed events are opened by the text as typed.
        self.go_to(animation, animation.text if animation.pattern else text, at_start=at_start)
        return True

    def go_to(self, animation: Animation, text: str, *, at_start: bool = False) -> None:
        """Play another pattern: by a transition while a pattern plays, otherwise by a cut.

        A transition is prepared first, so that `animation` changes some frames later, but
        `chosen_step` at once. After a cut the pattern begins at its start. This is a step of undo.

        Args:
            animation: animation of the pattern, its motion computed.
            text: the text that opens the pattern.
            at_start: whether the transition must lead to the first throw of the pattern, and not to
                whichever throw is reached soonest.
        """
        self.notice.text = ""  # about the pattern before
        self.undo.record(self.chosen_step, "pattern")
        self.undo.end_step()
        self._juggle(animation, text, at_start=at_start)

    def adjust(self, make: Callable[[Animation], Animation]) -> None:
        """Change the pattern that was chosen last, which may not be juggled yet.

        Args:
            make: returns the new animation from the old.
        """
        # The pattern to which a transition is being prepared; None if there is none.
        coming = self.live.coming
        if coming is None:
            self.change(make, "overrides")
            self.undo.end_step()
        else:
            self._juggle(_with_motion(make(coming.animation)), coming.text)

    def name_events(self, text: str) -> None:
        """Set the text that opens placed events, as their own name opens nothing."""
        if self.animation.pattern is None:
            self.take(self.animation, text)
            self.line = text

    @property
    def suggestions(self) -> tuple[LibraryPattern, ...]:
        """Patterns of the library that the name typed in the pattern line may become.

        Empty for what cannot be a name, and once it is entered.
        """
        is_pending = self.line != self.text and not self.pattern_error
        if not is_pending or not _NAME.fullmatch(self.line):
            return ()
        return suggested_patterns(self.line)

    @property
    def near_patterns(self) -> tuple[str, ...]:
        """Texts of patterns that may have been meant by the one that was refused."""
        error = self.pattern_error
        if not isinstance(error, NotationError):
            return ()
        return error.near or near_siteswaps(error.text)

    def drop_pattern(self) -> None:
        """Discard what was typed: the line shows the present pattern."""
        self.line = self.text
        self.pattern_error = None

    def choose(self, line: Line) -> None:
        """Choose a line of the panel."""
        self.chosen = line
        self.error = ""

    def choose_next(self, steps: int) -> None:
        """Choose the listed line a number of steps further down, cyclically; negative steps go up.

        If the chosen line is not listed, as while one searches, the first listed one is chosen.
        """
        lines = self.lines
        if self.chosen in lines:
            self.choose(lines[(lines.index(self.chosen) + steps) % len(lines)])
        elif lines:
            self.choose(lines[0])

    def reach(self, row: Row) -> None:
        """Choose a control and make it visible."""
        self.cards.reveal()
        self.entry.cancel()
        self.listing.show(row)
        self.choose(row)

    def choose_found(self) -> None:
        """Choose the first listed control, unless a listed line is chosen already."""
        if self.chosen not in (lines := self.lines):
            self.choose(next((line for line in lines if not isinstance(line, Group)), self.chosen))

    def step_value(self, steps: float) -> None:
        """Change the chosen control of the panel by some steps; fold or unfold a chosen group.

        Args:
            steps: number of steps of the control, perhaps a fraction. For a group of controls only
                the sign counts: positive unfolds it, negative folds it.
        """
        if isinstance(self.chosen, Group):
            is_folded = self.chosen in self.listing.folded
            unfolds = steps > 0
            if is_folded == unfolds:
                self.listing.toggle(self.chosen)
            return
        value = self.value(self.chosen)
        new_value = stepped(self.chosen, value, steps)
        if self.chosen.name == "ghost" and new_value == self.animation.parameters.arms:
            # A method is not compared with itself: go on to the next one, if there is one.
            beyond = stepped(self.chosen, new_value, math.copysign(1.0, steps))
            new_value = value if beyond == new_value else beyond
        self.set_value(self.chosen, new_value)

    def drag(self, quantity: Row, place: float, *, fine: bool = False) -> None:
        """Set a control to a position on its slider, 0 to 1."""
        self.set_value(quantity, value_at(quantity, place, fine=fine))

    def reset(self, quantity: Row) -> None:
        """Reset a control to its default, or to what the library's pattern sets."""
        self.set_value(quantity, self._named_values.get(quantity.name, quantity.default))

    def reset_all(self) -> None:
        """Reset all controls to their defaults, or to what the library's pattern sets."""
        if all(self.is_default(row) for row in controls.CONTROLS):
            return
        named = self._named_values

        def with_usual_values(animation: Animation) -> Animation:
            animation = controls.with_defaults(animation)
            for row in controls.CONTROLS:
                if row.name in named:
                    animation = controls.with_value(animation, row, named[row.name])
            return animation

        with self.undo.own_step():
            self.change(with_usual_values, "all")
        self.notice.say(_("All settings reset"), offer=(_("Undo"), self._undo_last))

    def set_value(self, quantity: Row, value: ParameterValue | None) -> None:
        """Set a control, unless it is fixed: it cannot be changed for the present pattern.

        If the pattern is impossible with this value, the old one stays.

        Args:
            quantity: the control, of the window or of the animation: a row of the table of
                settings.
            value: value in the unit of the control; None for automatic.
        """
        if self.window_controls.has(quantity):
            self.window_controls.set_value(quantity, value)
            if quantity is LANGUAGE:
                self._say_anew()
        elif not self.fixed(quantity) and controls.chosen_value(self.animation, quantity) != value:
            self.change(
                lambda animation: controls.with_value(animation, quantity, value), quantity.name
            )

    def look_from(self, view: str) -> None:
        """Move the camera to a view; cards are folded while it is in a juggler's eyes.

        Hands are at the lower edge of what a juggler sees, where cards would cover them.

        Args:
            view: name of a standpoint, or `EYE_VIEW` for a juggler's eyes.
        """
        was_in_eyes = self.rig.is_in_eyes
        self.rig.fly(view)
        if self.rig.is_in_eyes:
            self.cards.panel_shown = False
            self.notice.say(
                _(
                    "{view} leaves, {panels} shows the panels",
                    view=caption(Action.FRAME),
                    panels=caption(Action.TOGGLE_PANEL),
                )
            )
        elif was_in_eyes:
            self.cards.panel_shown = True

    def say_other_props(self) -> None:
        """Say that the person's own props are kept in a pattern of balls, and offer balls.

        Once they have chosen to keep their props, it is not said again.
        """
        if self._keeps_props:
            return
        kinds = self.live.chosen.animation.score.staging.props.kinds
        props = _(_PLURALS[kinds[0]]) if len(kinds) == 1 else _("other props")
        self.notice.say(
            _("You chose {props}; this is a ball pattern.", props=props),
            offer=(_("Use balls"), self._use_balls),
            refusal=(_("Keep {props}", props=props), self._keep_props),
        )

    def _keep_props(self) -> None:
        self._keeps_props = True

    def _use_balls(self) -> None:
        """Juggle balls in place of other props."""
        props = next(row for row in controls.CONTROLS if row.name == "prop")
        self.set_value(props, "ball")

    def _say_anew(self) -> None:
        """Translate the error of the typed pattern after a change of language.

        Other messages are dropped, as they cannot be made again in the new language.
        """
        self.notice.text = self.error = ""
        if self.pattern_error:
            # Reading the text once more raises the error again, with words of the new language.
            try:
                open_pattern(self.line)
            except JuggleError as error:
                self.pattern_error = error

    def change(self, make: Callable[[Animation], Animation], change_name: str) -> None:
        """Change the animation, as a step of undo, and stay at the same phase of the loop.

        If the new animation is impossible, the old one stays, and `error` says why.

        Args:
            make: returns the new animation from the old.
            change_name: name of the change; undo joins successive changes of one name.
        """
        # If another pattern was chosen and its transition is still being prepared, that pattern is
        # the one to change: wait until it is the present one.
        self._take_prepared(wait=True)
        step_before = step_of(self.animation, self.text)
        try:
            animation = _with_motion(make(self.animation))
        except JuggleError as error:
            self.error = error.reason if isinstance(error, NotationError) else str(error)
            return
        self.undo.record(step_before, change_name)
        self.playback.keep_phase(
            self.animation.choreography.duration, animation.choreography.duration
        )
        self.take(animation, animation.text if animation.pattern else self.text)

    def _undo_last(self) -> None:
        self.restore(self.undo.undo(self.chosen_step))

    def undo_all(self) -> None:
        """Go back to how the window began; a notice names what was undone, and offers a redo."""
        changed_step = self.chosen_step
        steps = self.undo.undo_all(changed_step)
        if not steps:
            self.notice.say(_("Nothing to undo"))
            return
        self.restore(steps[-1])
        self.chosen = first_control(self.animation)  # the panel scrolls there
        # A step is named after the change that led from it to the one gone through before it.
        changed_steps = [changed_step, *steps]
        labels = [
            change_label(step.change, changed.score.name) or _("Edits")
            for step, changed in zip(steps, changed_steps, strict=False)
        ]
        labels = list(dict.fromkeys(reversed(labels)))
        text = _("Undone: {change}", change=", ".join(labels))
        if len(labels) > _MAX_LABELS:
            text = _("Undone: everything, back to the start")
        self.notice.say(text, offer=(_("Redo"), self._redo_all))

    def _redo_all(self) -> None:
        steps = self.undo.redo_all(self.chosen_step)
        self.restore(steps[-1] if steps else None)

    def restore(self, step: Step | None) -> None:
        """Play the pattern of a step of undo or history; do nothing for None.

        The same pattern with other values goes on at the same place of its loop, a pattern whose
        throws are being edited goes on at the same beat, and another pattern is reached by a
        transition, if the user wants these.

        Args:
            step: the pattern, its parameters and the text that opens it.
        """
        if step is None:
            return
        self.notice.text = ""  # it was about what is undone
        animation = _with_motion(step.restored(self.animation))
        was_coming = self.live.coming is not None
        if step.score.pattern is self.animation.pattern:
            self.playback.keep_phase(
                self.animation.choreography.duration, animation.choreography.duration
            )
            self.take(animation, step.text)
            if was_coming:
                # The pattern line shows the pattern to which a transition was being prepared, which
                # has been dropped.
                self.drop_pattern()
        elif self.editing:
            # At the same beat the handles that are edited stay where they are in the picture.
            beats = self.playback.time * self.animation.choreography.bps
            self._cut(animation, step.text, time=beats / animation.choreography.bps)
            self.drop_pattern()
        else:
            self._juggle(animation, step.text)

    def use_live(self, live: LiveChange) -> None:
        """Show another row of patterns at the present time of the clock."""
        self.notice.text = ""
        self.live = live
        live.go_to_time(self.playback.clock)
        self._show_live()
        self.drop_pattern()

    def advance(self, elapsed: float = 0.0) -> bool:
        """Switch to the pattern that is due at the present time; called in every frame.

        A pattern that is chosen while another one plays is prepared in a thread, and reached by a
        transition: some beats of throws of their own. While throws are edited, this waits for the
        preparation instead, so that the shown pattern is always the edited one.

        Args:
            elapsed: real time since the last call, [s].

        Returns:
            Whether to redraw, as another pattern is shown, bodies of a long loop have been planned,
            or a notice says that a pattern is being prepared.
        """
        self.live.wait(elapsed)
        is_taken = self._take_prepared(wait=self.editing)
        is_told = self._tell_of_preparation()
        now = self.live.now
        if self.editing and now.routine is not None:
            # The pattern was reached by a transition. Throws of a transition cannot be edited, and
            # after it props are on other orbits than in the pattern alone: show the pattern alone.
            self.live.restart(now.animation, now.text, base=now.base)
            self._show_live()
        if self.live.go_to_time(self.playback.clock):
            self._show_live()
        has_planned = self.live.plan_ahead(self.playback.clock)
        if self.other:
            self.other.live.go_to_time(self.playback.clock)
            self.other.live.plan_ahead(self.playback.clock)
        return has_planned or is_taken or is_told

    def _tell_of_preparation(self) -> bool:
        """Say in a notice that a pattern is being prepared, if that takes long, until it is there.

        Returns:
            Whether the notice has just come or gone.
        """
        coming = self.live.coming
        notice = self.notice
        if coming and self.live.waited >= _PREPARATION_TOLD and not notice.text:
            title = printable(coming.animation.title, None)
            self._preparation = _("Preparing {name} …", name=title)
            if len(title) > _LONGEST_PREPARED:
                self._preparation = _("Preparing the pattern …")
            notice.say(self._preparation)
            return True
        if self._preparation and coming is None:
            if notice.text == self._preparation:
                notice.text = ""
            self._preparation = ""
            return True
        return False

    def _take_prepared(self, *, wait: bool = False) -> bool:
        """Switch to the pattern that is being prepared, if it is ready; return whether it is.

        Args:
            wait: whether to block until it is ready.
        """
        is_taken = self.live.take_prepared(
            self.playback.clock, self.animation.parameters.speed, wait=wait
        )
        if not is_taken:
            return False
        # A routine is drawn if a transition leads to the pattern. If the pattern alone is drawn, it
        # was reached by a cut, and begins at its start.
        last = self.live.last
        if self.live.drawn is last.animation:
            self._cut(last.animation, last.text)
        else:
            self._show_live()
        return True

    def _juggle(self, animation: Animation, text: str, *, at_start: bool = False) -> None:
        """Play another pattern: by a transition while one plays, otherwise from its start.

        Args:
            animation: animation of the pattern, its motion computed.
            text: the text that opens it.
            at_start: whether a transition leads to its first throw.
        """
        self.line = text
        self.pattern_error = None
        playback = self.playback

        # A transition needs time that runs forward, and beats in both patterns, which timed events
        # do not have.
        is_juggling = not (playback.paused or playback.backwards or self.lab or self.editing)
        has_transition = (
            self.live_change
            and is_juggling
            and animation.pattern is not None
            and self.moment.animation.pattern is not None
        )

        # Bodies take long to plan, those of a written routine seconds. If their plan is not cached,
        # `live` has another thread make it while pictures go on, although a cut leads there.
        is_planned_in_background = self.live.in_background and not (
            animation.is_planned or self.lab or self.editing
        )
        if is_planned_in_background or has_transition:
            self.live.go_to(
                animation,
                text,
                playback.clock,
                self.animation.parameters.speed,
                at_start=at_start,
                cuts=not has_transition,
            )
            self._take_prepared()
        else:
            self._cut(animation, text)

    def _cut(self, animation: Animation, text: str, time: float = 0.0) -> None:
        """Show a pattern from a time on, [s], by default its start."""
        self.live.restart(animation, text)
        self.playback.base = 0.0
        self.playback.time = time
        self._show_live()

    def take(self, animation: Animation, text: str) -> None:
        """Replace the present pattern by a changed one, without a step of undo.

        The time stays, as does the document to which the pattern belongs.

        Args:
            animation: the changed pattern.
            text: the text that opens it.
        """
        step_before = step_of(self.animation, self.text)
        self.documents.replace_step(step_before, step_of(animation, text))
        # What is juggled changes, and then what the viewer shows of it.
        self.live.edit(animation, text)
        self._show_live()

    def _show_live(self) -> None:
        """Copy the present animation, text and base time from `live`.

        The pattern line follows too, unless something else is typed there.
        """
        now = self.live.now
        self.playback.rebase(now.base)
        if self.line == self.text:
            self.line = now.text
        if now.animation.score.placed and self.animation.pattern:
            # Timed events replace a pattern. They do not say what the user has set, so that is
            # noted before.
            self._own = own_settings(self.animation, self._own)
        self.animation = now.animation
        self.text = now.text
        self.error = ""
        self.arm = self.arm.within(now.animation.num_jugglers)

    def apply_preset(self, name: str) -> None:
        """Apply a preset."""
        preset = self.preset_list.presets[name]
        with self.undo.own_step():
            self.change(lambda animation: with_preset(animation, preset), "preset")
        self.preset_list.error = self.error

    def open_entry(self, quantity: Row, *, in_bar: bool = False) -> None:
        """Open the entry of a control: a field to type a number, or a list of options.

        A control that cannot be changed is only chosen.

        Args:
            quantity: the control, a row of the table of settings.
            in_bar: whether the field is in the bar along the lower edge, and not in the panel.
        """
        self.chosen = quantity
        self.listing.show(quantity)
        if self.fixed(quantity):
            return
        if not in_bar:
            self.cards.reveal()
        # A list marks the option in effect; a field shows what was set, which may be automatic.
        has_options = isinstance(quantity, Choice)
        value = self.value(quantity) if has_options else self._chosen_value(quantity)
        self.entry.open(quantity, value, in_bar=in_bar)

    def _set_entered(self, quantity: Row, value: ParameterValue | None) -> None:
        """Set a control to what was typed or chosen, as a step of undo of its own."""
        with self.undo.own_step():
            self.set_value(quantity, value)

    def _chosen_value(self, quantity: Row) -> ParameterValue | None:
        if self.window_controls.has(quantity):
            return self.window_controls.value(quantity)
        return controls.chosen_value(self.animation, quantity)

    def play_sound(self) -> None:
        """Play the sounds up to the present time."""
        try:
            moment = self.moment
            self.sound.play_until(
                moment.animation, moment.time, base=self.playback.clock - moment.time
            )
        except ViewerError as error:
            self.show_error(error)

    def show_error(self, error: ViewerError) -> None:
        """Show an error as a notice."""
        self.notice.say(sentence(str(error)), bad=True)


def change_label(change: str, title: str) -> str:
    """Return what a change is called in a notice; empty for edits, which have no words.

    Args:
        change: name of the change, as in `Step`.
        title: title of the pattern to which it led.
    """
    if change == "pattern":
        return "{} {}".format(_("Pattern"), printable(title, _SHOWN_TITLE))
    row = next((row for row in controls.PANEL_CONTROLS if row.name == change), None)
    return row.label if row else _(_OTHER_LABELS.get(change, ""))


def first_control(animation: Animation) -> Row:
    """Return the first parameter that was given, or else the first control of the panel."""
    given = (row for row in ROWS if controls.is_changed(animation, row))
    return next(given, controls.CONTROLS[0])


def _with_motion(animation: Animation) -> Animation:
    """Return the animation with its motion computed, so that errors come up before it is shown."""
    animation.motion  # noqa: B018 - cached
    return animation
