"""Patterns that were visited: the history that one goes back and forward in, and the recent ones of
the browser.
"""

from __future__ import annotations

from juggle_anim.animation import Animation
from juggle_anim.language import _
from juggle_anim.viewer.editor.files import FileController
from juggle_anim.viewer.panel.overrides import full_text
from juggle_anim.viewer.state.browser import Browser
from juggle_anim.viewer.state.keymap import Action, caption
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.undo import History, Step

# s; while patterns are looked through, one that is shown for less is not added to the history
_MIN_VISIT = 1.5


class VisitedPatterns:
    """Follows which patterns are shown, and goes back to them.

    Args:
        model: of the viewer.
        browser: whose recent patterns it keeps.
        files: of the viewer.
    """

    def __init__(self, model: Model, browser: Browser, files: FileController) -> None:
        self._model = model
        self._browser = browser
        self._files = files
        self.history = History()
        self.rests = False
        """Whether what is shown is for a while only, as the steps of a lesson: no pattern of the
        history.
        """
        self._current: object = None
        self._shown: object = None
        self._time_shown = 0.0

    def follow(self, elapsed: float, browsing: bool) -> None:
        """Let time pass, [s], and add the shown pattern to the history.

        Args:
            elapsed: since the last call.
            browsing: whether patterns are looked through, one after another.
        """
        if self.rests:
            return
        step = self._model.chosen_step
        seen = step.identity
        if seen is not self._shown:
            self._shown = seen
            self._time_shown = 0.0
        self._time_shown += elapsed
        documents = self._model.documents
        now = self.history.now
        document = documents.of(step)
        if seen is self._current or (now and documents.owner(now.score) is document):
            self._current = seen  # what is edited stays one pattern of the history
            self.history.keep(step)
        elif not browsing or self._time_shown > _MIN_VISIT or self._current is None:
            self._visit(step)

    def note_recent(self) -> None:
        """Store the shown pattern, with its present changes, among the recent ones."""
        step = self._model.chosen_step
        if step.identity is self._current:
            self.history.keep(step)
        self._update_recent()

    def go_back(self) -> None:
        """Show the previous pattern of the history."""
        self.note_recent()
        self._go_to(self.history.back(), _("There is no pattern before this one"))

    def go_forward(self) -> None:
        """Show the next pattern of the history."""
        self.note_recent()
        self._go_to(self.history.forward(), _("There is no pattern after this one"))

    def use(self, history: History) -> None:
        """Continue with another history, whose present step is the shown pattern."""
        self._update_recent()
        step = self._model.chosen_step
        self.history = history
        self._current = step.identity
        self.history.recent_text = self.history.recent_text or (step, self.text())

    def text(self) -> str:
        """The text that opens exactly what was chosen; empty for events that are in no file."""
        chosen = self._model.live.chosen
        if chosen.animation.pattern is None and self._files.shown.is_unsaved:
            return ""
        return full_text(chosen.animation, chosen.text)

    def _update_recent(self) -> None:
        """Store the present step of the history among the recent patterns."""
        step = self.history.now
        noted = self.history.recent_text
        if step is None or (
            noted and noted[0].parameters is step.parameters and noted[0].score is step.score
        ):
            return
        text = full_text(Animation(step.score, step.parameters), step.text)
        if text:
            self._browser.update_recent(text, noted[1] if noted else "")
        self.history.recent_text = step, text

    def _go_to(self, step: Step | None, otherwise: str) -> None:
        if step is None:
            self._model.notice.say(otherwise)
            return
        model = self._model
        model.undo.record(model.chosen_step, "pattern")
        model.undo.seal()
        model.restore(step)
        self._current = step.identity
        self.history.recent_text = step, self.text()

    def _visit(self, step: Step) -> None:
        self._update_recent()
        before = self._model.documents.owner(self.history.now.score) if self.history.now else None
        if before and before.is_unsaved:
            self._model.notice.say(
                _(
                    "{name} is not saved; {key} leads back to it",
                    name=before.name,
                    key=caption(Action.PATTERN_BEFORE),
                )
            )
        self._current = step.identity
        self.history.visit(step)
        self.history.recent_text = step, self.text()
        if text := self.history.recent_text[1]:
            self._browser.add_recent(text)
