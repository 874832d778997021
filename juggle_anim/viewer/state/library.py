"""The desk: what lies around the animation – browser, history, clipboard and files – and what keys do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, NotationError
from juggle_anim.notation import Entry, PatternList, Settings, write_file
from juggle_anim.notation.listing import ListedPattern
from juggle_anim.notation.open import find_file_reference
from juggle_anim.parameters import ROWS
from juggle_anim.viewer.state.browser import MOST_FILES, Browser, listed_by_text, what_tells
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.overrides import full_text, path_of, split_overrides, with_overrides_of
from juggle_anim.viewer.state.prompt import PathPrompt, Purpose, guess, home_path, local_path
from juggle_anim.viewer.state.undo import History, Step, step_of

_PAGE = 8  # patterns that page up and page down go
_SKIMMED = 1.5  # s; a pattern that was shown for less while somebody goes through a list was not visited


class LibraryController:
    """Finds, opens, keeps and gives away patterns.

    Args:
        model: of the viewer.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.browser, self.history = Browser(), History()
        self.prompt = PathPrompt()
        self.read_clipboard: Callable[[], str] = str
        self.write_clipboard: Callable[[str], None] = lambda text: None
        self._seen: object = None
        self._watched = 0.0
        self._folder = Path()

    def takes(self, action: Action) -> bool:
        """Whether an action is for what is open here, also while somebody types into it."""
        if self.prompt.purpose:
            return action is Action.BACK
        return self.browser.shown and action in self._in_browser

    def perform(self, action: Action) -> None:
        """Do what a key says that `takes` accepts."""
        if self.prompt.purpose:
            self.prompt.close()
        else:
            self._in_browser[action]()

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and keep the history; returns whether something is to be drawn anew."""
        step = step_of(self._model.animation, self._model.shown)
        seen = step.juggled
        self._watched += elapsed
        if seen is self._seen:
            self.history.keep(step)
        elif not self.browser.shown or self._watched > _SKIMMED or self._seen is None:
            self._visit(step)
        return self._model.notice.advance(elapsed)

    def note_recent(self) -> None:
        """Let the recent patterns have the one that is shown as it is turned now."""
        step = step_of(self._model.animation, self._model.shown)
        if step.juggled is self._seen:
            self.history.keep(step)
        self._note()

    def _note(self) -> None:
        """Let the recent patterns have the present one of the history as it was kept last."""
        step, noted = self.history.now, self.history.noted
        if step is None or (noted and noted[0].parameters is step.parameters and noted[0].score is step.score):
            return
        text = full_text(Animation(step.score, step.parameters), step.shown)
        if text:
            self.browser.note(text, noted[1] if noted else "")
        self.history.noted = step, text

    def play(self, listed: ListedPattern | None) -> bool:
        """Show one of the listed patterns; returns whether it could be shown."""
        if listed is None:
            return False
        self._watched = 0.0
        if listed.reason:
            self._model.notice.say(f"Not valid: {listed.reason}", bad=True)
            return False
        return self._show(self.browser.text_of(listed))

    def open_text(self, text: str) -> bool:
        """Juggle what a text opens, the first pattern of a file that has several; returns whether it opens anything.

        Where it opens nothing, the model keeps its error and the old pattern.
        """
        return self.open_list(text) or self._model.type_pattern(text)

    def open_list(self, text: str) -> bool:
        """Where a text is a file of several patterns, list them and play the first; returns whether it is one."""
        place = find_file_reference(text)
        if place is None or place.choice is not None:
            return False
        try:
            if not self.browser.list_file(str(place.path.absolute())):
                return False
        except JuggleError:
            return False  # whoever opens it says why
        self._folder = place.path.absolute().parent
        self._play_first()
        return True

    def take_files(self, paths: Sequence[str]) -> None:
        """Open files that were dropped on the window; several files, or several patterns, are listed."""
        if len(paths) == 1:
            self._show(str(what_tells(local_path(paths[0]))))
        elif paths:
            self.browser.list_files([local_path(path) for path in paths])
            self._play_first()
            if len(paths) > MOST_FILES:
                self._model.notice.say(f"The first {MOST_FILES} of {len(paths)} files are listed")

    def _play_first(self) -> None:
        """Play the first of a new list that is valid."""
        self._model.panel_shown, self._model.help_shown = True, False
        good = next((number for number, listed in enumerate(self.browser.among) if not listed.reason), None)
        if good is None:
            self._model.notice.say("None of these patterns is valid", bad=True)
        else:
            self.browser.at = good
            self.play(self.browser.chosen)

    def take_text(self, text: str) -> None:
        """Open what was pasted: settings, a pattern, or the path or address of a file."""
        model, text = self._model, local_path(text)
        if not text:
            self._model.notice.say("Nothing to paste: the clipboard holds no text", bad=True)
        elif not self.open_text(text):
            # The line marks the place of the mistake, and can be mended.
            self.browser.shown, model.panel_shown, model.help_shown = False, True, False

    def apply_prompt(self, text: str) -> None:
        """Open or save to the path that was typed; where that fails, say why and ask on."""
        path, purpose = local_path(text), self.prompt.purpose
        try:
            if not path:
                self.prompt.refuse(text, "type the path of a file")
            elif purpose is Purpose.SAVE:
                self._save(home_path(path), path)
            elif purpose is Purpose.OPEN:
                self._open(path)
        except (JuggleError, OSError) as error:
            self.prompt.refuse(text, _said(error))

    def star(self) -> None:
        """Make the pattern that is shown a favourite, or no longer."""
        chosen = self.browser.chosen if self.browser.shown else None
        text = self.browser.text_of(chosen) if chosen else self._text()
        if not text:
            self._model.notice.say(
                "Nothing to star: nobody knows the file of these events; Ctrl S saves them", bad=True
            )
            return
        name = listed_by_text(text).pattern.name
        if self.browser.star(text):
            self._model.notice.say(f"★ {name} is a favourite")
        else:
            self._model.notice.say(f"{name} is no favourite any more")

    def go_back(self) -> None:
        """Show the pattern before this one."""
        self.note_recent()
        self._go(self.history.back(), "before")

    def go_forward(self) -> None:
        """Show the pattern after this one."""
        self.note_recent()
        self._go(self.history.forward(), "after")

    def turn_to(self, history: History) -> None:
        """Go on with another history, in which the pattern that is shown is the present one."""
        self._note()
        step = step_of(self._model.animation, self._model.shown)
        self.history, self._seen = history, step.juggled
        self.history.noted = self.history.noted or (step, self._text())

    def copy(self) -> None:
        """Put the settings of the animation into the clipboard."""
        try:
            text = self._model.animation.settings
        except NotationError as error:
            self._model.notice.say(f"Not copied: {error.reason}; Ctrl S saves them to a file", bad=True)
            return
        self.write_clipboard(text)
        self._model.notice.say(f"Copied: {text}")

    def paste(self) -> None:
        """Open what the clipboard holds."""
        self.take_text(self.read_clipboard())

    def browse(self) -> None:
        """Open the browser at the present pattern, or close it."""
        browser, model = self.browser, self._model
        if browser.shown:
            browser.shown = False
            return
        model.panel_shown, model.help_shown = True, False
        self.note_recent()
        browser.open()
        text = self._text() if browser.shelf.at else model.shown
        if browser.chosen is None or browser.text_of(browser.chosen) != text:
            browser.find(text)

    def ask_to_open(self) -> None:
        """Ask for the path of a file to open."""
        self._model.help_shown = False
        self.prompt.ask(Purpose.OPEN, "")

    def ask_to_save(self) -> None:
        """Ask for a path to save the pattern to."""
        self._model.help_shown = False
        self.prompt.ask(Purpose.SAVE, guess(self._model.animation.title, self._folder.absolute()))

    @property
    def _in_browser(self) -> dict[Action, Callable[[], None]]:
        return {
            Action.CHOOSE_PREVIOUS: lambda: self._move(-1),
            Action.CHOOSE_NEXT: lambda: self._move(1),
            Action.PAGE_UP: lambda: self._move(-_PAGE),
            Action.PAGE_DOWN: lambda: self._move(_PAGE),
            Action.TYPE_VALUE: self._enter,
            Action.BACK: self._leave,
        }

    def turn_filter(self, number: int) -> Callable[[], None]:
        """What turns one of the browser's filters, and opens it where it is closed."""

        def turn() -> None:
            if not self.browser.shown:
                self.browse()
            self.browser.turn_filter(number)

        return turn

    def _move(self, ways: int) -> None:
        self.play(self.browser.move(ways if self.browser.chosen else max(ways, 1)))

    def _enter(self) -> None:
        """Play what is chosen, the first that fits, or what was typed where nothing does, and close the browser."""
        browser = self.browser
        if browser.chosen is None and browser.found and browser.narrowed:
            self.play(browser.move(1))
        elif not browser.found and browser.words.strip() and not self._show(browser.words):
            return
        browser.shown = False

    def _leave(self) -> None:
        if self.browser.narrowed:
            self.browser.clear()
            self.browser.find(self._model.shown)
        else:
            self.browser.shown = self.browser.wanted = False

    def _show(self, text: str) -> bool:
        """Show what a text opens; where it is nothing, say why and go on."""
        model = self._model
        text, tuning = split_overrides(text)
        if self.open_text(text):
            if tuning:
                model.change(lambda animation: with_overrides_of(animation, path_of(text), tuning), "tuning")
                model.undo.seal()
            return True
        self._model.notice.say(_said(model.pattern_error), bad=True)
        model.drop_pattern()
        return False

    def _open(self, path: str) -> None:
        place = find_file_reference(path)
        model = self._model
        if place and not home_path(str(place.path)).exists():
            self.prompt.refuse(path, f"{path} is not there")
        elif self.open_text(path):
            self._folder = place.path.absolute().parent if place else self._folder
            self.prompt.close()
        else:
            self.prompt.refuse(path, _said(model.pattern_error))
            model.drop_pattern()

    def _save(self, path: Path, typed: str) -> None:
        there = path.exists()
        if there and self.prompt.replacing != typed:
            self.prompt.refuse(typed, f"{path.name} is there already; Enter again replaces it")
            self.prompt.replacing = typed
            return
        left_out = write_file(self._patterns(), path, force=there)
        self._folder = path.absolute().parent
        self.prompt.close()
        self._model.notice.say("; ".join([f"Saved to {path}", *left_out]))

    def _patterns(self) -> PatternList:
        """The present pattern with its parameters, as a file holds it."""
        animation = self._model.animation
        changed = {row.name: value for row in ROWS if (value := getattr(animation.parameters, row.name)) != row.default}
        settings = Settings(animation.score, changed, complete=True)
        text = animation.settings if animation.pattern else ""
        return PatternList((Entry(animation.title, settings, text=text),), single=True)

    def _go(self, step: Step | None, where: str) -> None:
        if step is None:
            self._model.notice.say(f"There is no pattern {where} this one")
            return
        model = self._model
        model.undo.note(step_of(model.animation, model.shown), "pattern")
        model.undo.seal()
        model.restore(step)
        self._seen = step.juggled
        self.history.noted = step, self._text()

    def _visit(self, step: Step) -> None:
        self._note()
        self._seen = step.juggled
        self.history.visit(step)
        self.history.noted = step, self._text()
        if text := self.history.noted[1]:
            self.browser.visit(text)

    def _text(self) -> str:
        """The text that opens what is shown just as it is; nothing for events of no file."""
        return full_text(self._model.animation, self._model.shown)


def _said(error: Exception | None) -> str:
    """An error in one line."""
    return " ".join((error.reason if isinstance(error, NotationError) else str(error)).split())
