"""List of a routine: its lines are changed, and a process beside the window lays it out again."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from juggle_anim.animation import USUAL_LENGTH, Animation
from juggle_anim.body import unplanned_blocks
from juggle_anim.choreography import RoutineLine, RoutineScript, Score
from juggle_anim.errors import EditError, FileError, RoutineError, sentence, without_command
from juggle_anim.language import _, ngettext
from juggle_anim.notation import (
    find_pattern,
    lengthened,
    lines_below,
    read_routine,
    suggested_patterns,
    with_length,
    with_lines,
    without_length,
    wrong_pattern,
)
from juggle_anim.parameters import Parameters
from juggle_anim.viewer.screenshot import Building
from juggle_anim.viewer.state.keymap import ROUTINE, Action, Handlers
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import Offer
from juggle_anim.viewer.state.undo import Step
from juggle_anim.worker_process import WorkerTask, step_back

# cached properties of an animation that take long to compute
_PLANNED = "choreography", "performance", "motion", "plan", "_outermost_points"
_MAX_KNOWN = 4  # routines that need not be planned again when undo leads back to them
_STOP = "stop"  # the line that ends a routine
_FIRST_TIMES = 0.0, 1.0, 2.0, 3.0  # s, for which bodies are planned before a routine is shown


class Row(NamedTuple):
    """A line of the list.

    Attributes:
        text: the text as it is written.
        number: number of the line in the whole text, from 1.
        begins, ends: when it is juggled, [s]; None for words, transitions, and what is not laid out
            yet.
        transition: how it is reached, as `RoutineLine.transition`.
        error: why it cannot be juggled; empty if it can.
        is_last_stop: whether it is the stop that ends the routine, which is no trick.
    """

    text: str
    number: int
    begins: float | None = None
    ends: float | None = None
    transition: str = ""
    error: str = ""
    is_last_stop: bool = False


class RoutineList:
    """The lines of the routine that is shown, and what its card and keys do.

    Args:
        model: model whose routine it is.
    """

    def __init__(self, model: Model) -> None:
        """Begin with a hidden list.

        A routine is a text whose lines are patterns, juggled one after another. A changed text is
        laid out (planned with its transitions) in the background, before it is juggled.

        Args:
            model: the state of the viewer, whose animation the routine becomes.
        """
        self._model = model
        self.chosen = 0
        """Index of the chosen row."""
        self.scroll_to_chosen = False
        """Whether the list scrolls to the chosen row when it is next drawn."""
        self.typing = False
        """Whether a line is typed."""
        self.wants_focus = False
        """Whether the field of that line takes the keyboard when it is next drawn."""
        self.moves_caret = False
        """Whether the caret then goes behind the text."""
        self.typed = ""
        """The text of that line so far."""
        self.adds = False
        """Whether the typed line is a new one, below the chosen one and above the last stop."""
        self.error = ""
        """Why lines cannot be juggled, in a few words."""
        self._text = ""  # of the whole routine, as the list shows it
        self._script: RoutineScript | None = None  # the routine from which the list took its text
        self._problems: dict[int, str] = {}  # by the numbers of lines
        self._job: _Layout | None = None  # lays changed lines out in a thread
        self._waiting = False  # whether lines have changed since that job began
        self._beginning: Score | None = None  # of the pattern from which a routine is made
        self._is_offered = False  # whether a notice has offered the routine that is ready
        self._known: list[Animation] = []  # planned routines, to which undo may lead back

    @property
    def field_row(self) -> int:
        """The row from the top at which a line is typed; −1 if none is."""
        if not self.typing:
            return -1
        return self._new_row if self.adds else self.chosen

    @property
    def _new_row(self) -> int:
        """The row of a new line: below the chosen one, but above the stop that ends the routine."""
        rows = self.rows
        return min(self.chosen + 1, len(rows) - (bool(rows) and rows[-1].is_last_stop))

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Names of the library that fit the typed pattern, with the props of the routine."""
        typed, _length = without_length(self.typed.strip())
        # A routine that is begun may get any number of props.
        props = None if self._beginning else self._model.animation.score.props
        return tuple(pattern.name for pattern in suggested_patterns(typed, props=props))

    def complete(self, name: str) -> None:
        """Put a name in place of the typed pattern, and go on typing behind it."""
        self.typed = self.completed(self.typed, name)
        self.wants_focus = True
        self.moves_caret = True

    def completed(self, typed: str, name: str) -> str:
        """Return a typed line with a name in place of its pattern; room for a length follows."""
        _pattern, length = without_length(typed.rstrip())
        return f"{name}{length or ' '}"

    @property
    def is_working(self) -> bool:
        """Whether changed lines are being laid out."""
        return self._job is not None

    @property
    def is_beginning(self) -> bool:
        """Whether a routine is to follow that is not juggled yet; its lines can change already."""
        return self._beginning is not None or self._is_coming

    @property
    def is_building(self) -> bool:
        """Whether a routine that is not juggled yet is being laid out, or about to be juggled."""
        return self.is_beginning and (self.is_working or self._is_coming)

    @property
    def is_listed(self) -> bool:
        """Whether there is a routine, juggled or about to be, whose lines are listed."""
        return self.script is not None or self.is_beginning

    @property
    def _is_coming(self) -> bool:
        """Whether a transition leads to a routine."""
        coming = self._model.live.coming
        return bool(coming and coming.animation.score.routine)

    @property
    def script(self) -> RoutineScript | None:
        """The routine that is juggled; None if that is no routine."""
        return _script(self._model)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines of the routine below its head, also comments and blank ones.

        The head of the text has the settings of the routine. Empty without a routine.
        """
        script = self._update_script()
        if not self.is_listed:
            return ()

        # When each line is juggled, by its number in the text. If the text has changed and is still
        # being laid out, times are not known.
        juggled_lines = script.lines if script and self._text == script.text else ()
        time = self.time
        juggled_by_number = dict[int, RoutineLine]()
        for line in juggled_lines:
            # A line that is repeated is juggled several times: the round at the present time
            # counts, or else the first one.
            if line.number not in juggled_by_number or line.begins <= time < line.ends:
                juggled_by_number[line.number] = line

        rows = []
        for number, text in lines_below(self._text):
            row = Row(text, number, error=self._problems.get(number, ""))
            juggled = juggled_by_number.get(number)
            if juggled:
                row = row._replace(
                    begins=juggled.begins, ends=juggled.ends, transition=juggled.transition
                )
            rows.append(row)
        # A last line that begins with the word `stop` ends the routine.
        if rows and rows[-1].text.split()[:1] == [_STOP]:
            rows[-1] = rows[-1]._replace(is_last_stop=True)
        return tuple(rows)

    @property
    def playing(self) -> int:
        """The index of the row that is juggled now; −1 if that is unknown, as in a transition."""
        time = self.time
        playing_indices = (
            index
            for index, row in enumerate(self.rows)
            if row.begins is not None and row.begins <= time < (row.ends or 0.0)
        )
        return next(playing_indices, -1)

    @property
    def time(self) -> float:
        """The time in the routine, [s]."""
        return self._model.playback.time % self._model.animation.duration

    def toggle(self) -> None:
        """Show or hide the list."""
        shown = self._model.cards.toggle(ROUTINE)
        self.scroll_to_chosen = True
        self.typing = False
        if shown and (playing := self.playing) >= 0:
            self.chosen = playing

    def begin(self) -> None:
        """Start a routine: the shown pattern with its props for 10 s, and then a stop.

        Another process lays it out, and once it is ready, `update` shows it. A notice says why if
        no routine can be made of the pattern, as of timed events.
        """
        if self._prepare():
            self._lay_out()

    def _prepare(self) -> bool:
        """List a new routine of the shown pattern; return whether one can be made of it."""
        self._update_script()  # the list of a routine from before is none now
        shown = self._model.animation
        try:
            self._text = shown.as_routine()
        except EditError as error:
            self._model.notice.say(str(error), bad=True)
            return False
        self._beginning = shown.score
        self._is_offered = False
        self._problems = {}
        self.chosen = 0
        return True

    def go_to(self, number: int) -> None:
        """Choose a row, and juggle from its beginning."""
        self.chosen = number
        row = self.rows[number]
        playback = self._model.playback
        duration = self._model.animation.duration
        if row.begins is not None:
            playback.seek(row.begins / duration, duration)

    def choose_next(self, steps: int) -> None:
        """Go a number of rows further."""
        rows = self.rows
        if rows:
            self.scroll_to_chosen = True
            self.go_to(min(max(self.chosen + steps, 0), len(rows) - 1))

    def type_line(self, *, adds: bool = False) -> None:
        """Begin to type the chosen line again, or one below it.

        Without a routine, the line is the first of a new one, which has only a stop so far.
        """
        if adds and not self.is_listed and self._prepare():
            self._text = with_lines(self._text, [_STOP])
        rows = self.rows
        if rows:
            self.adds = adds
            self.typing = True
            self.wants_focus = True
            self.scroll_to_chosen = True
            self.error = ""
            self.typed = "" if adds else rows[self.chosen].text.strip()

    def apply(self, typed: str) -> None:
        """Apply the typed line, in place of the chosen line or as a new one at `field_row`.

        An empty new line is not added; an empty line in place of another removes that. A pattern
        that is typed without a length, such as a number of catches, gets `USUAL_LENGTH`. A line
        that cannot be read is not applied: it is typed on, and `error` says what is wrong.

        Args:
            typed: text of the line.
        """
        lines = self._lines()
        row = self._new_row if self.adds else self.chosen
        text = _with_written_name(with_length(typed.strip(), USUAL_LENGTH)) if typed.strip() else ""
        if self.adds:
            if text:
                lines.insert(row, text)
        elif lines and typed.strip() != lines[row].strip():
            lines[row] = text

        changed_text = with_lines(self._text, lines)
        numbers = [number for number, _line in lines_below(changed_text)]
        problem = wrong_pattern(changed_text, numbers[row]) if text else ""
        if problem:
            self.error = sentence(without_command(problem))
            self.wants_focus = True
            return
        self.typing = False
        self.error = ""
        if text:
            self.chosen = row
        self._take(lines)

    def remove(self) -> None:
        """Remove the chosen line."""
        lines = self._lines()
        if lines:
            del lines[self.chosen]
            self._take(lines)

    def move(self, steps: int) -> None:
        """Move the chosen line up or down."""
        lines = self._lines()
        to = self.chosen + steps
        if 0 <= to < len(lines):
            lines.insert(to, lines.pop(self.chosen))
            self.chosen = to
            self.scroll_to_chosen = True
            self._take(lines)

    def lengthen(self, steps: int) -> None:
        """Juggle the chosen line for so many catches, loops, beats or seconds longer."""
        lines = self._lines()
        if lines:
            lines[self.chosen] = lengthened(lines[self.chosen], steps)
            self._take(lines)

    def close(self) -> None:
        """Stop laying out."""
        if self._job:
            self._job.stop()
            self._job = None

    def update(self) -> bool:
        """Play a changed routine once its layout in the background has ended, or show its errors.

        Layout plans the routine with its transitions. Called in every frame.

        Returns:
            Whether to redraw, as layout has just ended.
        """
        self._update_building()
        job = self._job
        result: Animation | _Problems | None = job.result() if job else None
        # No layout was started, or it has not ended yet, or a transition still leads to the routine
        # that it changes: then the result waits until that is juggled.
        if result is None or self._is_coming:
            return False
        if isinstance(result, Animation) and not self._waiting and self._is_aside:
            # It waits until its list is opened again.
            if not self._is_offered:
                self._is_offered = True
                self._report(result, (_("Play"), self.toggle))
            return False
        self._job = None
        if self._waiting:
            # Lines have changed meanwhile, so the result is out of date.
            self._lay_out()
            return True
        if isinstance(result, Animation):
            self._juggle(result)
            return True
        self.error, self._problems = result
        # A new routine that is wrong as a whole has no wrong lines that could be mended in the
        # list: it is given up.
        if self.is_beginning and not self._problems:
            self._beginning = None
            self._model.notice.say(sentence(" ".join(self.error.split())), bad=True)
        return True

    @property
    def _is_aside(self) -> bool:
        """Whether a new routine is not to be juggled when it is ready.

        Another pattern is shown than that with which it began, and its list is closed.
        """
        if self._beginning is None or self._beginning is self._model.animation.score:
            return False
        return self._model.cards.panel != ROUTINE

    def _update_building(self) -> None:
        """Show that a new routine is being built, and drop it if that is cancelled.

        Also drop one whose first line was not typed to its end.
        """
        screen = self._model.screen
        is_cancelled = screen.building is not None and screen.building.cancelled
        if self._beginning is not None and self._job is None and not self.typing:
            is_cancelled = self._lines() == [_STOP]
        if is_cancelled:
            self._drop_new()
        if self._beginning is None or self._job is None or self._job.result() is not None:
            screen.building = None
        elif screen.building is None:
            screen.building = Building("", perf_counter())

    def _drop_new(self) -> None:
        self.close()
        self._beginning = None

    @property
    def card_actions(self) -> Handlers:
        """Handlers of actions while the card of the routine takes keys.

        Actions choose a line, lengthen or shorten it, move it in the list, type into it, add and
        remove lines, and undo. Without a routine there is only the one that closes the card.
        """
        if not self.is_listed:
            return {Action.BACK: self._go_back}
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.choose_next(-1),
            Action.CHOOSE_NEXT: lambda: self.choose_next(1),
            Action.TURN_DOWN: lambda: self.lengthen(-1),
            Action.TURN_UP: lambda: self.lengthen(1),
            Action.HANDLE_BEFORE: lambda: self.move(-1),
            Action.HANDLE_AFTER: lambda: self.move(1),
            Action.TYPE_VALUE: self.type_line,
            Action.ADD_POINT: lambda: self.type_line(adds=True),
            Action.REMOVE_POINT: self.remove,
            Action.UNDO: lambda: self._restore(self._model.undo.undo),
            Action.REDO: lambda: self._restore(self._model.undo.redo),
            Action.BACK: self._go_back,
        }

    def _restore(self, step: Callable[[Step], Step | None]) -> None:
        """Undo or redo; bodies that were planned once are not planned again.

        Args:
            step: `undo` or `redo` of the model's undo: takes the present state, and returns the one
                to go to, or None if there is none.
        """
        model = self._model
        self._keep(model.animation)
        model.restore(step(model.chosen_step))
        restored = model.animation
        known = next((planned for planned in self._known if planned.score is restored.score), None)
        # The restored animation is a new object without cached results. Those of a known one of the
        # same score and parameters are valid for it, too: copy them, as far as they were computed.
        if known and known is not restored and known.parameters == restored.parameters:
            vars(restored).update(
                {name: vars(known)[name] for name in _PLANNED if name in vars(known)}
            )

    def _keep(self, animation: Animation) -> None:
        others = [known for known in self._known if known.score is not animation.score]
        self._known = [animation, *others][:_MAX_KNOWN]

    def _go_back(self) -> None:
        if self.typing:
            self.typing = False
            self.error = ""
        else:
            self._model.cards.close(ROUTINE)

    def _update_script(self) -> RoutineScript | None:
        """Return the juggled routine, or None; if it is another one, also update the list.

        The list then shows the lines of the new routine, without the problems of the old one.
        """
        script = self.script
        if script is not self._script:
            self._script = script
            if self._beginning is not None:  # another routine was opened meanwhile
                self._drop_new()
            self._text = script.text if script else ""
            self.error = ""
            self._problems = {}
            last_index = max(len(lines_below(self._text)) - 1, 0)
            self.chosen = min(self.chosen, last_index)
        return script

    def _lines(self) -> list[str]:
        return [row.text for row in self.rows]

    def _take(self, lines: Sequence[str]) -> None:
        """Let these be the lines below the head, and have them laid out if they have changed."""
        text = with_lines(self._text, lines)
        self.chosen = min(self.chosen, max(len(lines) - 1, 0))
        if text != self._text:
            self._text = text
            self.error = ""
            self._problems = {}
            self._lay_out()

    def _lay_out(self) -> None:
        """Have a process lay out the lines.

        A process that is at work already is not waited for: the lines are laid out after it.
        """
        self._waiting = self._job is not None
        if self._job is None:
            title = self._model.animation.score.title
            self._job = _Layout(self._text, title, self._model.animation.parameters, self._time_in)

    def _juggle(self, routine: Animation) -> None:
        """Replace the juggled routine by a changed one, at the same time within the same line.

        A new routine replaces the pattern from which it was made. The routine was laid out in the
        background: nothing happens if meanwhile the user has chosen another pattern.

        Args:
            routine: the changed routine, with its bodies planned.
        """
        model = self._model
        # If parameters have changed while the routine was laid out, use the present ones, in a new
        # animation without a plan.
        present_routine = routine
        if routine.parameters != model.animation.parameters:
            present_routine = Animation(routine.score, model.animation.parameters)
        is_new = self.is_beginning
        self._beginning = None
        if is_new:
            model.go_to(present_routine, present_routine.title)
            self._report(present_routine)
            return
        if self.script is None:  # another pattern was chosen meanwhile
            return
        time = self._time_in(present_routine)
        with model.undo.own_step():
            self._keep(model.animation)
            model.change(lambda _animation: present_routine, "routine")
        model.playback.time = time
        self._update_script()
        self._report(present_routine)

    def _report(self, routine: Animation, offer: Offer | None = None) -> None:
        """Say in a notice what the routine has become: how many patterns, and how long.

        Args:
            routine: the routine, laid out.
            offer: words on a button of the notice, and what that does; None for no button.
        """
        script = routine.score.routine
        lines = script.lines if script else ()
        patterns = sum(not line.text.strip().startswith(_STOP) for line in lines)
        words = ngettext(
            "Routine ready: {number} pattern, {seconds:.0f} s",
            "Routine ready: {number} patterns, {seconds:.0f} s",
            patterns,
            seconds=routine.duration,
        )
        self._model.notice.say(words, offer=offer)

    def _time_in(self, routine: Animation) -> float:
        """Return the time in a changed routine at which the animation goes on, [s].

        It is as long after the start of the line with the same number as the present time is after
        the start of the present line, but before the end of that line; 0 if no routine is juggled.

        Args:
            routine: the changed routine.
        """
        before = _script(self._model)
        after = routine.score.routine
        if before is None or after is None:
            return 0.0
        now = self.time
        # The index of the present line; −1 if there is none, as in a transition.
        present_index = next(
            (index for index, line in enumerate(before.lines) if line.begins <= now < line.ends),
            -1,
        )
        # The line of the same index in the changed routine, or its last line; without a present
        # line, the start of the first one. In a shorter line, the time is just before its end.
        elapsed = now - before.lines[present_index].begins if present_index >= 0 else 0.0
        line = after.lines[min(max(present_index, 0), len(after.lines) - 1)]
        return line.begins + min(elapsed, 0.99 * (line.ends - line.begins))


def _script(model: Model) -> RoutineScript | None:
    return model.animation.score.routine


def _with_written_name(line: str) -> str:
    """Return a line with the name of its pattern as the library writes it: `Mills mess 2 loops`."""
    pattern, length = without_length(line)
    known = find_pattern(pattern)
    is_name = known is not None and known.name.casefold() == pattern.casefold()
    return f"{known.name}{length}" if known and is_name else line


_Problems = tuple[str, dict[int, str]]
"""What is wrong in a few words, and by the number of each line."""


class _Layout(WorkerTask):
    """The layout of a routine by a worker.

    The thread that waits for it then plans bodies for the first pictures, which take a second with
    clubs.
    """

    def __init__(
        self,
        text: str,
        title: str,
        parameters: Parameters,
        time_in: Callable[[Animation], float],
    ) -> None:
        """Begin to lay out a routine in another process, since that takes seconds.

        Args:
            text: text of a routine file.
            title: title of the routine if the text has none.
            parameters: parameters of the animation.
            time_in: returns the time in the laid out routine at which it will be shown first, [s].
        """
        self._time_in = time_in
        # The worker calls `work` of this module. If it ends without an answer, this is the result.
        failure: _Problems = _("routines cannot be built here"), {}
        super().__init__(__name__, (text, title, parameters), failure)

    def run(self) -> None:
        """Hand over the lines, wait for the answer, and plan the first bodies."""
        super().run()
        if isinstance(self._answer, Animation):
            times = self._time_in(self._answer) + np.array(_FIRST_TIMES)
            if plan_blocks := unplanned_blocks(self._answer.plan, times):
                plan_blocks()


def work() -> None:
    """Read a text, a title and parameters, and write the animation of that routine; pickled.

    If the routine is wrong, its problems are written instead.
    """
    step_back()
    pickle.dump(laid_out(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)


def laid_out(text: str, title: str, parameters: Parameters) -> Animation | _Problems:
    """Read a routine, and compute all that its first picture needs, which takes seconds.

    Args:
        text: text of a routine file.
        title: title of the routine if the text has none.
        parameters: parameters of the animation.

    Returns:
        The animation, planned. If lines are wrong, the first problem, and the problems by the
        numbers of their lines; without numbers if the routine as a whole is wrong.
    """
    try:
        (entry,) = read_routine(text, title).patterns  # a routine counts as one pattern
        settings = entry.settings
        assert settings is not None, "a routine that cannot be read raises an error"
        routine = Animation(settings.score, parameters)
        routine.plan, routine.extent  # noqa: B018 - cached
    except RoutineError as error:
        problems = {number: without_command(problem) for number, problem in error.sentences.items()}
        return next(iter(problems.values())), problems
    except FileError as error:
        return str(error), {}
    return routine
