"""The library: opens, saves, stars and copies patterns, and keeps the visited ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError, NotationError, sentence
from juggle_anim.language import _
from juggle_anim.notation import ListedPattern, find_file_reference, note_sentences
from juggle_anim.viewer.editor.files import FileController
from juggle_anim.viewer.layout import Rectangle
from juggle_anim.viewer.panel.overrides import (
    full_text,
    path_of,
    split_overrides,
    with_overrides_of,
)
from juggle_anim.viewer.panel.values import DropDown, Option
from juggle_anim.viewer.state.browser import (
    ALL_PATTERNS,
    MAX_FILES,
    Browser,
    listed_by_text,
    representative_file,
)
from juggle_anim.viewer.state.generator import GeneratorView
from juggle_anim.viewer.state.keymap import (
    BROWSER,
    GENERATOR,
    PATTERN_LISTS,
    Action,
    Handler,
    Handlers,
    caption,
)
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import PathPrompt, Purpose, error_lines, home_path, local_path
from juggle_anim.viewer.state.undo import History, Step

# s; while patterns are looked through, one that is shown for less is not added to the history
_MIN_VISIT = 1.5


class VisitedPatterns:
    """Follows which patterns are shown, and goes back to them.

    Args:
        model: model of the viewer.
        browser: browser whose recent patterns it keeps.
        files: files of the viewer.
    """

    def __init__(self, model: Model, browser: Browser, files: FileController) -> None:
        """Begin with an empty history.

        Args:
            model: state of the viewer, whose patterns are followed.
            browser: the list of the library, which has the recent patterns.
            files: tells which patterns are not saved.
        """
        self._model = model
        self._browser = browser
        self._files = files
        self.history = History()
        self.is_suspended = False
        """Whether shown patterns are not added to the history, as during a lesson."""
        # Identities of the present pattern of the history and of the shown one, which may be a
        # preview; and the time for which the latter has been shown, s.
        self._current: object = None
        self._shown: object = None
        # The animation that was written last, its text in the pattern line, and its whole text.
        self._written: tuple[Animation, str, str] | None = None
        self._time_shown = 0.0

    def update(self, elapsed: float, *, browsing: bool) -> None:
        """Add the shown pattern to the history, or update its entry; called in each frame.

        Args:
            elapsed: time since the last call, [s].
            browsing: whether a list of patterns is open, which plays previews: then only patterns
                that are shown for longer than `_MIN_VISIT` are added.
        """
        if self.is_suspended:
            return
        # A step is the pattern with its parameters. Its identity is an object that differs between
        # patterns. `_shown` is the identity of the pattern that was shown in the last frame, and
        # `_current` that of the pattern of the present entry of the history.
        step = self._model.chosen_step
        shown = step.identity
        if shown is not self._shown:
            self._shown = shown
            self._time_shown = 0.0
        self._time_shown += elapsed

        # A document is an opened pattern with its edits. An edit changes the identity of the
        # pattern, but not its document: then its entry, whose score is the pattern as it was stored
        # last, is updated.
        documents = self._model.documents
        document = documents.of(step)
        entry = self.history.now
        is_same_document = entry is not None and documents.owner(entry.score) is document
        if shown is self._current or is_same_document:
            self._current = shown
            self.history.keep(step)
        # The first pattern, before which there is no present entry, is added at once.
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
        self._go_to(self.history.back(), _("This is the first pattern"))

    def go_forward(self) -> None:
        """Show the next pattern of the history."""
        self.note_recent()
        self._go_to(self.history.forward(), _("This is the last pattern"))

    def use(self, history: History) -> None:
        """Continue with another history, whose present step is the shown pattern."""
        self._update_recent()
        step = self._model.chosen_step
        self.history = history
        self._current = step.identity
        self.history.recent_text = self.history.recent_text or (step, self.text())

    def text(self) -> str:
        """Return the text that opens what was chosen; empty for events that are in no file."""
        chosen = self._model.live.chosen
        animation = chosen.animation
        if animation.pattern is None and self._files.shown.is_unsaved:
            return ""
        # Writing costs milliseconds, and the star beside the name asks in each frame.
        written = self._written
        if written is None or written[0] is not animation or written[1] != chosen.text:
            written = animation, chosen.text, full_text(animation, chosen.text)
            self._written = written
        return written[2]

    def _update_recent(self) -> None:
        """Update the list of recent patterns with the changes made to the present one.

        `history.recent_text` remembers which state of it was listed last, and its text there, which
        the new text replaces.
        """
        step = self.history.now
        if step is None:
            return
        stored_text = ""
        if stored := self.history.recent_text:
            stored_step, stored_text = stored
            if stored_step.parameters is step.parameters and stored_step.score is step.score:
                return  # nothing has changed since; identity is enough, as both are immutable
        text = full_text(Animation(step.score, step.parameters), step.text)
        if text:  # timed events without a file have no text to open them by
            self._browser.update_recent(text, stored_text)
        self.history.recent_text = step, text

    def _go_to(self, step: Step | None, message_if_none: str) -> None:
        if step is None:
            self._model.notice.say(message_if_none)
            return
        model = self._model
        model.undo.record(model.chosen_step, "pattern")
        model.undo.end_step()
        model.restore(step)
        self._current = step.identity
        self.history.recent_text = step, self.text()

    def _visit(self, step: Step) -> None:
        """Add a pattern to the history and the recent ones.

        A notice warns if the pattern before it is not saved.

        Args:
            step: the pattern, its parameters and the text that opens it.
        """
        self._update_recent()
        step_before = self.history.now
        document_before = None
        if step_before:
            document_before = self._model.documents.owner(step_before.score)
        if document_before and document_before.needs_file:
            self._model.notice.say(
                _(
                    "{name} is not saved; {key} goes back to it",
                    name=document_before.name,
                    key=caption(Action.PATTERN_BEFORE),
                ),
                offer=(_("Go back"), self.go_back),
            )
        self._current = step.identity
        self.history.visit(step)
        text = self.text()
        self.history.recent_text = step, text
        if text:  # timed events without a file have no text to open them by
            self._browser.add_recent(text)


_PAGE_SIZE = 8  # results that page up and page down skip


class LibraryController:
    """Opens, saves, copies and stars patterns.

    Args:
        model: model of the viewer.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.browser = Browser()
        self.generator = GeneratorView(model, self.browser)
        self.prompt = PathPrompt()
        self.files = FileController(model, self.prompt)
        self.read_clipboard: Callable[[], str] = str
        self.write_clipboard: Callable[[str], None] = lambda text: None
        self.open_film: Callable[[str], None] = lambda path: None
        self.is_film: Callable[[str], bool] = lambda path: False
        self.visited = VisitedPatterns(model, self.browser, self.files)
        self._juggled_apart = model.juggles_apart

    def handler(self, action: Action) -> Handler | None:
        """Return the handler of an action in the open prompt, browser or generator.

        None if none of them is open, or the open one does not know the action.
        """
        prompt = self.prompt
        cards = self._model.cards
        # The prompt for a path is open if it has a `purpose`. It lies over the lists, and only the
        # action Back means something there. A dialog of the desktop (`dialog_purpose`) is a window
        # of its own, which takes its own keys; Back closes it from here, and other actions go on as
        # usual.
        if action is Action.BACK and (prompt.purpose or prompt.dialog_purpose):
            return prompt.close
        if prompt.purpose:
            return None
        if cards.takes_keys(BROWSER):
            return self._browser_actions.get(action)
        if cards.takes_keys(GENERATOR):
            return self.generator.card_actions.get(action)
        return None

    @property
    def is_browsing(self) -> bool:
        """Whether the browser is open."""
        return self._model.cards.panel == BROWSER

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s], and update the history; returns whether to redraw."""
        if path := self.prompt.answer():
            self.apply_prompt(path)
            return True
        self.visited.update(elapsed, browsing=self._model.cards.panel in PATTERN_LISTS)
        self._offer_passing()
        notice_went = self._model.notice.advance(elapsed)
        search_went_on = self.generator.advance()
        return notice_went or search_went_on

    def _offer_passing(self) -> None:
        """Say that each juggles alone, once several do, and offer patterns in which they pass."""
        juggled_apart = self._juggled_apart
        self._juggled_apart = self._model.juggles_apart
        if self._juggled_apart and not juggled_apart:
            offer = _("Passing patterns"), self.find_passing
            self._model.notice.say(_("Each juggles alone."), offer=offer)

    def find_passing(self) -> None:
        """Open the list of patterns in which people throw to each other."""
        if not self.is_browsing:
            self.browse()
        self.browser.search_unfiltered("passing")

    def play(self, listed: ListedPattern | None) -> bool:
        """Play a listed pattern; returns whether it is valid."""
        if listed is None:
            return False
        if listed.reason:
            self._model.notice.say(_("Invalid: {reason}", reason=listed.reason), bad=True)
            return False
        return self._show(self.browser.text_of(listed))

    def open_text(self, text: str) -> bool:
        """Play a pattern or a file; if a file has several patterns, list them and play the first.

        Args:
            text: a pattern, or the path of a file.

        Returns:
            Whether it is valid. If not, the old pattern plays on, and the model keeps the error.
        """
        if self.open_list(text):
            return True
        if not self._model.type_pattern(text):
            return False
        if reference := find_file_reference(text):
            self.files.opened(reference)
        # The user's own props are kept, even for a pattern such as "Three balls".
        chosen = self._model.live.chosen.animation
        if "ball" in chosen.title.casefold() and "ball" not in chosen.score.staging.props.kinds:
            self._model.say_other_props()
        return True

    def open_list(self, text: str) -> bool:
        """List the patterns of a file in the browser, and play the first, if there are several.

        Args:
            text: the path of a file, or any other text.

        Returns:
            Whether it names a file of several patterns.
        """
        reference = find_file_reference(text)
        # A reference with a choice (`file#2`) opens that pattern alone.
        if reference is None or reference.choice is not None:
            return False
        path = reference.path.absolute()
        try:
            if not self.browser.list_file(str(path)):
                return False
        except JuggleError:
            return False  # the caller opens it next, and reports the error
        self.files.note(path)
        self._play_first()
        return True

    def name_file(self, text: str) -> None:
        """Note that the shown pattern is the one that a text opens.

        If that is a file of several, list them.
        """
        if not self.open_list(text):
            self._model.name_events(text)
            if reference := find_file_reference(text):
                self.files.opened(reference)

    def take_files(self, paths: Sequence[str]) -> None:
        """Open files dropped on the window; several files or patterns are listed."""
        self.files.ask_before(lambda: self._take_files(paths))

    def _take_files(self, paths: Sequence[str]) -> None:
        """Open one file, or list the patterns of several in the browser.

        Args:
            paths: the paths as dropped on the window: paths or file addresses.
        """
        if len(paths) == 1:
            # A folder of exported frames is opened by one of them.
            self._show(str(representative_file(local_path(paths[0]))))
        elif paths:
            self.browser.list_files([local_path(path) for path in paths])
            self._play_first()
            if len(paths) > MAX_FILES:
                self._model.notice.say(
                    _(
                        "Showing the first {max_files} of {count} files",
                        max_files=MAX_FILES,
                        count=len(paths),
                    )
                )

    def _play_first(self) -> None:
        """Show a new list in the browser, and play its first valid pattern.

        If none is valid, a notice says so, and the old pattern plays on.
        """
        self._model.cards.open(BROWSER)
        # `reason` says why a listed pattern is not valid; it is empty for valid ones.
        first_valid_index = next(
            (index for index, listed in enumerate(self.browser.entries) if not listed.reason),
            None,
        )
        if first_valid_index is None:
            self._model.notice.say(_("No valid patterns"), bad=True)
            return
        self.browser.index = first_valid_index
        self.play(self.browser.chosen)
        self._say_what_is_not_read()

    def _say_what_is_not_read(self) -> None:
        """Show a notice of the first part of the listed files that could not be read, and a count.

        Nothing is said if all was read.
        """
        sentences = note_sentences(note for listed in self.browser.entries for note in listed.notes)
        if not sentences:
            return
        first, *others = sentences
        text = sentence(first)
        if others:
            text += _(
                "; and {count} more; run `juggle-anim check` to see them",
                count=len(others),
            )
        self._model.notice.say(text)

    def take_text(self, text: str) -> None:
        """Open pasted text: settings, a pattern, or the path or address of a file."""
        model = self._model
        text = local_path(text)
        if not text:
            self._model.notice.say(_("Nothing to paste: the clipboard has no text"), bad=True)
        elif not self.open_text(text):
            # The pattern line marks the mistake, and the user can correct it.
            model.cards.close(BROWSER)
            model.cards.reveal()

    def apply_prompt(self, text: str) -> None:
        """Open or save to the typed path; if that fails, show why and keep asking.

        Args:
            text: a path or file address, as typed or dropped.
        """
        path = local_path(text)
        purpose = self.prompt.purpose
        try:
            if not path:
                self.prompt.refuse(text, _("type the path of a file"))
            elif purpose is Purpose.SAVE:
                self.files.save_to(home_path(path), path)
            elif purpose is Purpose.SAVE_LIST:
                self._save_list(home_path(path), path)
            # A film does not replace the pattern: it is shown beside it, even if a file of any kind
            # was requested.
            elif purpose is Purpose.FILM or self.is_film(path):
                self.open_film(path)
                self.prompt.close()
            elif purpose is Purpose.OPEN:
                self._open(path)
        except (JuggleError, OSError) as error:
            self.prompt.refuse(text, error_lines(error))

    @property
    def is_favourite(self) -> bool:
        """Whether the pattern that is shown is a favourite."""
        # Without favourites its text need not be written, which costs much.
        return bool(self.browser.favourites) and self.browser.is_favourite(self._starred_text())

    def _starred_text(self) -> str:
        """Return the text of the shown pattern among the favourites, or that which it would have.

        A pattern that was starred in the list of the library is kept without the settings with
        which it is shown, such as another prop, and without more jugglers.
        """
        chosen = self._model.live.chosen
        texts = chosen.text, self._model.solo_text.of(chosen.animation)
        starred_texts = filter(self.browser.is_favourite, texts)
        return next(starred_texts, None) or self.visited.text()

    def star(self) -> None:
        """Add a pattern to the favourites, or remove it if it is one.

        The pattern is the one chosen in the list of the library, if the list is open, or else the
        one shown. Favourites are kept as texts; for timed events that is the path of a saved file.
        """
        chosen = self.browser.chosen if self.is_browsing else None
        text = self.browser.text_of(chosen) if chosen else self._starred_text()
        if not text:
            self._model.notice.say(
                _("Cannot star unsaved timed events; press Ctrl+S to save them first"), bad=True
            )
            return
        self.star_text(text)

    def star_text(self, text: str) -> None:
        """Add the pattern that a text opens to the favourites, or remove it; a notice says so."""
        name = listed_by_text(text).pattern.name
        favourites_before = [*self.browser.favourites]

        def put_back() -> None:
            self.browser.favourites = favourites_before

        if self.browser.star(text):
            self._model.notice.say(_("★ {name} added to favourites", name=name))
        else:
            self._model.notice.say(
                _("{name} removed from favourites", name=name), offer=(_("Undo"), put_back)
            )

    def copy(self) -> None:
        """Copy the pattern and its changed parameters, as a line of text, to the clipboard."""
        try:
            text = self._model.animation.settings
        except NotationError as error:  # timed events, which no line of text can hold
            self._model.notice.say(
                _("Not copied: {reason}; press Ctrl+S to save to a file", reason=error.reason),
                bad=True,
            )
            return
        self.write_clipboard(text)
        self._model.notice.say(_("Copied: {text}", text=text))

    def paste(self) -> None:
        """Open the text of the clipboard."""
        self.take_text(self.read_clipboard())

    def browse(self) -> None:
        """Close the browser, or open it with the present pattern chosen."""
        browser = self.browser
        model = self._model
        if self.is_browsing:
            model.cards.close(BROWSER)
            return
        model.cards.open(BROWSER)
        self.visited.note_recent()
        browser.open()
        # The list of all patterns has their texts alone; favourites and recent patterns also have
        # the parameters that the user has changed. If another pattern than the shown one is chosen
        # in the list, the shown one is chosen.
        lists_all = browser.shelf.option == ALL_PATTERNS
        text = model.text if lists_all else self.visited.text()
        if browser.chosen is None or browser.text_of(browser.chosen) != text:
            browser.choose_text(text)

    def close_browser(self) -> None:
        """Close the browser; its field gives the keyboard back."""
        self._model.cards.close(BROWSER)
        self.browser.wants_focus = False

    def ask_to_open(self) -> None:
        """Ask for the path of a file to open, after asking about unsaved work."""
        self._model.cards.help_shown = False
        recent = [path for path in self.files.recent if Path(path).is_file()]
        self.files.ask_before(lambda: self.prompt.ask(Purpose.OPEN, "", recent))

    def ask_to_save(self) -> None:
        """Save the pattern, or ask for a path to save what the generator lists."""
        if self._model.cards.panel != GENERATOR:
            self.files.save()
            return
        self._model.cards.help_shown = False
        name = "stars.txt" if self.generator.only_stars else "found.txt"
        self.prompt.ask(Purpose.SAVE_LIST, str(self.files.folder.absolute() / name))

    @property
    def _browser_actions(self) -> Handlers:
        return {
            Action.CHOOSE_PREVIOUS: lambda: self._move(-1),
            Action.CHOOSE_NEXT: lambda: self._move(1),
            Action.PAGE_UP: lambda: self._move(-_PAGE_SIZE),
            Action.PAGE_DOWN: lambda: self._move(_PAGE_SIZE),
            Action.TYPE_VALUE: self._enter,
            Action.BACK: self._leave,
        }

    def place_drop_down(self, name: str, place: Rectangle) -> None:
        """Let the list of options of a control be below it, [pixels], if that is open."""
        if (opened := self._model.drop_downs.now) and opened.name == name:
            opened.anchor = place

    def open_filter(self, number: int) -> None:
        """Open the list of options of one of the browser's filters, and the browser if needed."""
        if not self.is_browsing:
            self.browse()
        self._model.drop_downs.open(lambda: self._filter_options(number))

    def _filter_options(self, number: int) -> DropDown:
        """Return the drop-down list of a filter: its options, each with its number of patterns.

        Args:
            number: which filter, an index of `Browser.filters`.
        """
        browser = self.browser
        opened_filter = browser.filters[number]
        labels = [opened_filter.words(option) for option in opened_filter.options]
        pattern_counts = browser.counts(number)
        options = [
            Option(label, f"{count:,}") for label, count in zip(labels, pattern_counts, strict=True)
        ]

        def choose(label: str) -> str:
            """Choose an option by its label; return why it is refused, empty if it is not."""
            if label not in labels:
                return _("No option “{option}”", option=label)
            browser.choose_filter(number, labels.index(label))
            return ""

        def close() -> None:
            """Close the list; keys go back to the search field of the library if that is shown."""
            self._model.drop_downs.close()
            browser.wants_focus = self.is_browsing

        return DropDown(
            f"filter {number}",
            options,
            present=labels[opened_filter.index],
            choose=choose,
            close=close,
        )

    def _move(self, steps: int) -> None:
        self.play(self.browser.move(steps if self.browser.chosen else max(steps, 1)))

    def _enter(self) -> None:
        """Play the first result or the typed text, and close the browser.

        A chosen result plays already. The first one is played if none is chosen and something was
        searched for. If there are no results, the typed text is opened as a pattern or file, and if
        it is not valid, the browser stays open.
        """
        browser = self.browser
        if browser.chosen is None and browser.results and browser.is_filtered:
            self.play(browser.move(1))
        elif not browser.results and browser.query.strip():
            is_valid = self._show(browser.query)
            if not is_valid:
                return
        browser.clear()  # so that all patterns are listed when it opens again
        self.close_browser()

    def _leave(self) -> None:
        if self.browser.is_filtered:
            self.browser.clear()
            self.browser.choose_text(self._model.text)
        else:
            self.close_browser()

    def _show(self, text: str) -> bool:
        """Play a pattern or a file with the parameters that a text gives after it.

        Args:
            text: a pattern or the path of a file, perhaps with overrides: parameters with values
                other than those of the pattern.

        Returns:
            Whether the pattern or file is valid. If not, a notice says why, and the old pattern
            plays on.
        """
        model = self._model
        pattern_text, overrides = split_overrides(text)
        if not self.open_text(pattern_text):
            model.notice.say(error_lines(model.pattern_error), bad=True)
            # Only the text that was refused is discarded.
            model.drop_pattern()
            return False
        if overrides:
            # Events of a file keep no earlier overrides: by its path, its own values are found.
            path = path_of(pattern_text)
            model.adjust(lambda animation: with_overrides_of(animation, path, overrides))
        return True

    def _open(self, path: str) -> None:
        reference = find_file_reference(path)
        model = self._model
        if reference and not home_path(str(reference.path)).exists():
            self.prompt.refuse(path, _("{path} does not exist", path=path))
        elif self.open_text(path):
            self.prompt.close()
        else:
            self.prompt.refuse(path, error_lines(model.pattern_error))
            model.drop_pattern()

    def _save_list(self, path: Path, typed: str) -> None:
        if self.files.may_write(path, typed):
            self.files.say_saved(path, self.generator.save(path, force=path.exists()))
