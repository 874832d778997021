"""The lesson in the viewer: steps toward the pattern that plays, and back to it.

Steps are patterns like any other, chosen by `Model.go_to`: where a transition leads from one to the
next they follow without a cut, and undo goes through them. Each is a document of its own, by which
the present one is known.
"""

from __future__ import annotations

from typing import NamedTuple

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, one_line, sentence
from juggle_anim.language import N_, language
from juggle_anim.notation import Lesson, LessonStep, lesson_of, without_length
from juggle_anim.parameters import DEFAULTS, ROWS, Stage, quantity_named
from juggle_anim.viewer.editor.documents import Document
from juggle_anim.viewer.state.keymap import BROWSER, LESSON, Action, Handlers
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import Step, step_of

_SPEED = quantity_named("speed")
_CHOOSE_PATTERN = N_("This is a routine. Choose one of its patterns to learn.")
_LESSONS_NEED_BEATS = N_(
    "Lessons need beats, and timed events have none. Choose a siteswap or a library pattern."
)


class _ShownRow(NamedTuple):
    """A row of the lesson that has been juggled.

    Attributes:
        document: document of its pattern.
        row: 0 for the pattern as it was, then the steps.
    """

    document: Document
    row: int


class LessonView:
    """The state of the lesson card: the steps of a lesson, and the present one.

    The first row of the card, 0, is the pattern before the lesson.

    Args:
        model: model of the viewer.
        library: its history is suspended during a lesson.
    """

    def __init__(self, model: Model, library: LibraryController) -> None:
        """Initialise without a lesson.

        A lesson is a list of patterns that lead to one to be learnt, with advice for each.

        Args:
            model: the state of the viewer, in which the pattern of a step is shown.
            library: lists the patterns that have lessons.
        """
        self._model = model
        self._library = library
        self.lesson: Lesson | None = None
        self.problem = ""
        """Why there is no lesson of this pattern."""
        self.start: Step | None = None
        """The pattern before the lesson; None while no lesson runs."""
        self.awaits_pattern = False
        """Whether the library is open to choose the pattern of the next lesson."""
        self._language = ""  # language of the words of the lesson
        self._shares: tuple[float, ...] = ()  # of the pattern's speed, for each step
        # Which row of the lesson each document of the viewer shows, by the id of the document.
        self._shown_rows: dict[int, _ShownRow] = {}

    @property
    def is_running(self) -> bool:
        """Whether a lesson runs, also while another card lies over it."""
        return self.start is not None

    @property
    def row(self) -> int:
        """The row that is juggled: 0 for the pattern as it was, then the steps."""
        present = self._present_row()
        return present.row if present else 0

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps of the lesson."""
        return self.lesson.steps if self.lesson else ()

    @property
    def step(self) -> LessonStep | None:
        """The step that is juggled; None for the pattern as it was."""
        return self.steps[self.row - 1] if self.row else None

    @property
    def offers(self) -> tuple[str, ...]:
        """The patterns of a routine that was to be learnt, which has no lesson as a whole."""
        routine = self.start.score.routine if self.start else None
        lines = [line.text.strip() for line in routine.lines] if routine else []
        return tuple(
            dict.fromkeys(
                without_length(line)[0] for line in lines if line and line.split()[0] != "stop"
            )
        )

    def learn(self, text: str) -> None:
        """Begin the lesson of another pattern."""
        self._end_lesson()
        if self._library.open_text(text):
            self.toggle()

    @property
    def speeds(self) -> tuple[float, ...]:
        """The playback speeds of the steps, 1 for real time.

        The present step has the speed that is set. The others keep their ratios to it, but are no
        faster than that speed and the pattern's.
        """
        if self.start is None:
            return ()
        present = self._model.live.chosen.animation.parameters.speed
        fastest = max(present, self.start.parameters.speed)
        at_full_speed = present / self._shares[self.row - 1] if self.row else present
        return tuple(max(min(share * at_full_speed, fastest), _SPEED.min) for share in self._shares)

    @property
    def is_last(self) -> bool:
        """Whether no step follows."""
        return self.row >= len(self.steps)

    def toggle(self) -> None:
        """Start a lesson of the present pattern, or end the lesson.

        If another card covers the card of a running lesson, only show that card again.
        """
        model = self._model
        if self.is_running and model.cards.is_visible(LESSON):
            self.end()
            return
        model.cards.open(LESSON)
        model.lab = None
        if not self.is_running:
            self._begin()

    def choose(self) -> None:
        """Open the whole library; a lesson of the chosen pattern begins when the library closes."""
        self._library.browser.list_library()
        self._library.browser.clear()
        self._library.browse()
        self.awaits_pattern = True

    def _begin(self) -> None:
        model = self._model
        self.start = model.chosen_step
        self.problem = ""
        self.lesson = None
        self._shown_rows.clear()
        self._note_row(model.documents.of(self.start), 0)
        if self.start.score.pattern is None:
            is_routine = self.start.score.routine is not None
            self.problem = _CHOOSE_PATTERN if is_routine else _LESSONS_NEED_BEATS
            return
        self._compute_steps()

    def _compute_steps(self) -> None:
        assert self.start is not None, "a lesson runs"
        try:
            # Slow motion is a matter of playback, so the steps themselves are at full speed.
            slowed = lesson_of(self.start.score, self.start.parameters)
            self._shares = tuple(step.speed / 100 for step in slowed.steps)
            self.lesson = lesson_of(self.start.score, self.start.parameters, first_gravity=100.0)
            self._language = language()
        except JuggleError as error:
            self.problem = sentence(one_line(error))

    def go_to(self, row: int) -> None:
        """Play a step of the lesson, or the pattern as it was before.

        Args:
            row: row of the list of the lesson: 0 for the pattern as it was, then the steps from 1.
                Beyond the first or last row, that row is taken.
        """
        row = min(max(row, 0), len(self.steps))
        if row == self.row or self.start is None:
            return
        model = self._model
        # Going back can be undone, like any choice of a pattern.
        if row == 0:
            model.undo.record(model.chosen_step, "pattern")
            model.undo.end_step()
            model.restore(self.start)
            return
        animation = self._animation(row)
        shown = self._add_document(animation, row)
        model.go_to(animation, shown.text)

    def go_on(self) -> None:
        """Go to the next step; after the last one, end the lesson."""
        if self.is_last:
            self.end()
        else:
            self.go_to(self.row + 1)

    def end(self) -> None:
        """Close the card, and go back to the pattern as it was."""
        self.go_to(0)
        self._end_lesson()

    def update(self) -> None:
        """Update the lesson after changes elsewhere; called in each frame.

        If another pattern is shown, the lesson ends; if the library was opened to choose that
        pattern, its lesson begins. If the language has changed, the texts are computed again.
        """
        present = self._present_row()
        if self.lesson and self._language != language():
            self._compute_steps()
        if self.is_running and present is None:
            self._end_lesson()
        cards = self._model.cards
        if self.awaits_pattern and not cards.is_visible(BROWSER):
            self.awaits_pattern = False
            if cards.panel is None:  # no other card was opened instead
                self.toggle()
        self._library.visited.is_suspended = self.is_running

    @property
    def card_actions(self) -> Handlers:
        """Functions that keys call while the card of lessons takes them, by action."""
        return {
            Action.CHOOSE_PREVIOUS: lambda: self.go_to(self.row - 1),
            Action.CHOOSE_NEXT: lambda: self.go_to(self.row + 1),
            Action.TURN_DOWN: lambda: self.go_to(self.row - 1),
            Action.TURN_UP: lambda: self.go_to(self.row + 1),
            Action.RESET_VALUE: lambda: self._model.reset(_SPEED),
            Action.TYPE_VALUE: self.go_on,
            Action.BACK: self.end,
        }

    def _animation(self, row: int) -> Animation:
        """Return the animation of a step, with the present looks, its speed and the metronome."""
        step = self.steps[row - 1]
        present = self._model.live.chosen.animation.parameters
        # Parameters of stages after the plan of bodies only change how things look.
        looks = {row.name: getattr(present, row.name) for row in ROWS if row.stage > Stage.PLAN}
        of_lesson = {"metronome": "on", _SPEED.name: self.speeds[row - 1]}
        parameters = step.settings.applied_to(DEFAULTS).replace(**{**looks, **of_lesson})
        animation = Animation(step.settings.score, parameters)
        animation.motion  # noqa: B018 - raises here if it cannot be juggled
        return animation

    def _add_document(self, animation: Animation, row: int) -> Step:
        """Add a document for the animation of a row; return the step of undo that shows it."""
        shown = step_of(animation, animation.text if animation.pattern else animation.title)
        document = Document(saved=shown, latest=shown)
        self._model.documents.add(document)
        self._note_row(document, row)
        return shown

    def _note_row(self, document: Document, row: int) -> None:
        self._shown_rows[id(document)] = _ShownRow(document, row)

    def _present_row(self) -> _ShownRow | None:
        """Return the row of the pattern that was chosen last; None if it is not of the lesson."""
        return self._row_of(self._model.chosen_step)

    def _row_of(self, step: Step) -> _ShownRow | None:
        """Return the row that a step of undo shows; None if it is not of the lesson."""
        document = self._model.documents.owner(step.score)
        return self._shown_rows.get(id(document)) if document else None

    def _is_lesson_step(self, step: Step) -> bool:
        """Whether a step of undo shows a step of the lesson, and not the pattern as it was."""
        shown = self._row_of(step)
        return shown is not None and shown.row > 0

    def _end_lesson(self) -> None:
        self._model.cards.close(LESSON)
        self._model.undo.forget(self._is_lesson_step)
        self.start = None
        self.lesson = None
        self._shown_rows.clear()
        self._library.visited.is_suspended = False
