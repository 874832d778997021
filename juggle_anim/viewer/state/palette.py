"""The palette: every action, setting and pattern by its name, with its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import search_listed, tag_words
from juggle_anim.parameters import Choice, Row
from juggle_anim.viewer.panel.controls import PANEL_CONTROLS, begin_in, other_names
from juggle_anim.viewer.panel.values import option_help, option_note, option_words
from juggle_anim.viewer.state.keymap import ACTIONS, FACTS, HELP, Action, chords
from juggle_anim.viewer.state.library import LibraryController
from juggle_anim.viewer.state.model import Model
from juggle_anim.viewer.state.prompt import SAVE_KINDS

_MAX_PATTERNS = 30
"""How many patterns are listed at most; the library lists all."""

_MIN_LETTERS = 4
"""Letters of a word that may mean a command where a pattern is typed."""

_NAMES = {
    Action.SHELF: N_("Filter: favourites or recent"),
    Action.PROPS: N_("Filter: number of props"),
    Action.LEVEL: N_("Filter: difficulty"),
    Action.TAG: N_("Filter: tag"),
    Action.PATTERN_BEFORE: N_("Previous pattern"),
    Action.PATTERN_AFTER: N_("Next pattern"),
    Action.PASTE: N_("Paste settings"),
    Action.ADD_POINT: N_("Add a point"),
    Action.REMOVE_POINT: N_("Remove a point"),
    Action.COPY_PATH: N_("Copy a hand's path"),
    Action.PASTE_PATH: N_("Paste a hand's path"),
    Action.FROM_FRONT: N_("View from the front"),
    Action.FROM_LEFT: N_("View from the left"),
    Action.FROM_RIGHT: N_("View from the right"),
    Action.FROM_BACK: N_("View from behind"),
    Action.FROM_TOP: N_("View from the top"),
    Action.SLOWER: N_("Slower"),
    Action.FASTER: N_("Faster"),
    Action.OTHER_HALF: N_("Switch to the other side"),
    Action.PICTURE: N_("Save a picture of the window"),
    Action.ZOOM_IN: N_("Zoom in"),
    Action.ZOOM_OUT: N_("Zoom out"),
    Action.THROW_BEFORE: N_("Previous throw"),
    Action.THROW_AFTER: N_("Next throw"),
    Action.LARGER_TEXT: N_("Larger text"),
    Action.SMALLER_TEXT: N_("Smaller text"),
    Action.SAVE_AS: N_("Save as"),
    Action.BACK: N_("Close"),
    Action.SOUND: N_("Sound"),
}
"""Names of actions that share a line of the help with others, or whose buttons are called after
the card that they are in.
"""

_WORDS = {
    Action.PICTURE: N_("screenshot image"),
    Action.SOUND: N_("mute audio"),
    Action.LEAVE: N_("exit"),
    Action.TOGGLE_HELP: N_("help hotkeys"),
    Action.LEARN: N_("lesson tutorial teach"),
    Action.SPLIT: N_("compare two patterns solvers"),
    Action.RESET_ALL: N_("undo all defaults"),
    Action.WELCOME: N_("tutorial introduction"),
    Action.LARGER_TEXT: N_("bigger font"),
    Action.STAR: N_("favorite bookmark"),
    Action.ROUTINE: N_("sequence of tricks"),
    Action.NUMBERS: N_("labels values"),
    Action.PRINT: N_("contact sheet"),
}
"""What people may call an action otherwise."""


@dataclass(frozen=True)
class Command:
    """A line of the palette.

    Args:
        name: what it is called.
        about: what it does, or else where it belongs.
        do: what it does.
        keys: keys that do the same, each as on its keycap.
        words: more words by which it is found.
    """

    name: str
    about: str
    do: Callable[[], object]
    keys: tuple[str, ...] = ()
    words: str = ""


class Palette:
    """What is typed into the palette, and what is found and chosen there.

    Args:
        model: model of the viewer.
        library: the library with the patterns.
        perform: performs an action.
    """

    def __init__(
        self, model: Model, library: LibraryController, perform: Callable[[Action], object]
    ) -> None:
        """Create the closed palette, in which all commands are found by typing.

        Commands are collected when it opens.

        Args:
            model: state of the viewer.
            library: opens, lists, plays and saves patterns.
            perform: performs an action, what a key or a button asks for.
        """
        self._model = model
        self._library = library
        self._perform = perform
        self._all: tuple[Command, ...] = ()
        self.shown = False
        self.wants_focus = False
        """Whether its field takes the keyboard when it is next drawn."""
        self.query = ""
        self.index = 0
        """The index of the chosen command."""
        self.scroll_to_chosen = True
        self.found: tuple[Command, ...] = ()
        """The commands that fit what is typed, best first; all without a query."""

    def toggle(self) -> None:
        """Open the palette with all commands, or close it."""
        self.shown = not self.shown
        self.wants_focus = self.shown
        if self.shown:
            self._model.cards.help_shown = False
            self._all = self._commands()
            self.query = ""
            self._choose_first(self._all)

    def commands_named(self, text: str) -> dict[str, Command]:
        """Return the commands, by name, that a user may have meant by typing a text as a pattern.

        Each word of the text begins a word of the name, and the longest has `_MIN_LETTERS` letters.
        """
        if max(map(len, text.split()), default=0) < _MIN_LETTERS:
            return {}
        return {
            command.name: command for command in self._commands() if begin_in(text, [command.name])
        }

    def search(self, query: str) -> None:
        """Find the commands and patterns that match a query, and choose the first of them.

        A command matches if each word of the query is the beginning of one of its words. The order
        is: commands by name, patterns by name, commands by description, and other patterns. An
        empty query finds all commands.

        Args:
            query: the text; nothing is done if it is unchanged.
        """
        if query == self.query:
            return
        self.query = query
        if not query.strip():
            self._choose_first(self._all)
            return

        def is_described(command: Command) -> bool:
            """Return whether name and description of a command together match the query."""
            return begin_in(query, [command.name, command.about, command.words])

        by_name = [command for command in self._all if begin_in(query, [command.name])]
        by_description = [
            command for command in self._all if command not in by_name and is_described(command)
        ]
        patterns = tuple(self._patterns(query))
        patterns_by_name = [command for command in patterns if begin_in(query, [command.name])]
        other_patterns = [command for command in patterns if command not in patterns_by_name]
        # The library also finds similar spellings: they are dropped if there are exact matches.
        if by_name or patterns_by_name or by_description:
            other_patterns = list(filter(is_described, other_patterns))
        matches = (*by_name, *patterns_by_name, *by_description, *other_patterns)
        # Those of exactly this name come first; sorting keeps the order of all others.
        exact_name = query.strip().casefold()
        self._choose_first(
            sorted(matches, key=lambda command: command.name.casefold() != exact_name)
        )

    def step(self, steps: int) -> None:
        """Choose the command a number of lines further down, within the list."""
        self.index = min(max(self.index + steps, 0), max(len(self.found) - 1, 0))
        self.scroll_to_chosen = True

    def do(self, index: int) -> None:
        """Close the palette, and do what a line of it says."""
        self.shown = False
        if index < len(self.found):
            self.found[index].do()
            # A click has no key that comes up and ends a step of undo.
            self._model.undo.end_step()

    def _commands(self) -> tuple[Command, ...]:
        """Return all commands: actions, kinds of files to save, the search for collisions, undoing
        all, and settings.
        """
        return (
            *self._actions(),
            *self._kinds_of_files(),
            self._collisions(),
            self._undo_all(),
            *self._settings(),
        )

    def _choose_first(self, commands: Iterable[Command]) -> None:
        self.found = tuple(commands)
        self.index = 0
        self.scroll_to_chosen = True

    def _actions(self) -> Iterable[Command]:
        """Return a command for each action, in the order of the help."""
        for title, lines in HELP.items():
            for actions, words in lines:
                if isinstance(actions, tuple):
                    for action in actions:
                        yield self._action(action, _(title), _(words), shared=len(actions) > 1)

    def _action(self, action: Action, group: str, words: str, *, shared: bool) -> Command:
        """Return the palette's entry for an action: its name, description, keys and search words.

        Args:
            action: action to perform.
            group: title of its group in the help.
            words: words of its line in the help.
            shared: whether other actions have the same line, so that it does not name this one.
        """
        # The title and the tooltip of the button for this action, if it has one.
        button, tooltip = ACTIONS.get(action, ("", ""))
        name = words
        explanation = ""
        if action in _NAMES:
            name = _(_NAMES[action])
        elif button and not action.repeats:
            name = _(button)
            explanation = _(tooltip)
        # The description is the first of these that does not repeat the name.
        notes = (explanation, "" if shared else words, group)
        about = next(note for note in notes if note and note != name)
        return Command(
            name,
            about,
            lambda: self._perform(action),
            tuple(chords(action)[0]),
            " ".join((group, words, _(tooltip), _(_WORDS.get(action, "")))),
        )

    def _kinds_of_files(self) -> Iterable[Command]:
        """Return a command for each kind of file that can be saved."""
        for kind in SAVE_KINDS:
            formats = " ".join(ending.removeprefix(".") for ending in kind.endings)
            words = _("export print draw") if kind.picture else _("export")
            yield Command(
                _("Save as: {kind}", kind=_(kind.name)),
                " ".join(kind.endings),
                partial(self._library.files.ask_for, kind),
                words=f"{words} {formats} {kind.picture} {_(kind.synonyms)}",
            )

    def _collisions(self) -> Command:
        """Return the command that goes to the deepest collision, or to the narrowest gap."""

        def find() -> None:
            self._model.facts.goes_to_collision = True
            if not (self._model.cards.strip == FACTS and self._model.cards.panel_shown):
                self._perform(Action.FACTS)

        return Command(_("Find collisions"), _("Facts"), find, words=_("Show where props collide"))

    def _undo_all(self) -> Command:
        """Return the command that goes back to how the window began."""
        return Command(
            _("Undo all"),
            _("Back to how this window started"),
            self._model.undo_all,
        )

    def _settings(self) -> Iterable[Command]:
        """Return a command for each setting, and for each option of a choice of one value."""
        for row in PANEL_CONTROLS:
            group = _(row.group.value)
            words = " ".join((group, row.key, *other_names(row)))
            yield Command(row.label, row.help, partial(self._reach, row), words=words)
            # Where several values may be chosen, options are only some of what can be typed.
            for option in row.options if isinstance(row, Choice) and not row.several else ():
                name = f"{row.label}: {option_words(option)}"
                words = f"{option} {option_note(option)}"
                about = option_help(option) or option_note(option) or group
                yield Command(name, about, partial(self._set, row, option), words=words)

    def _reach(self, row: Row) -> None:
        self._model.cards.panel = None
        self._model.reach(row)

    def _set(self, row: Row, option: str) -> None:
        self._reach(row)
        self._model.set_value(row, option)

    def _patterns(self, query: str) -> Iterable[Command]:
        """Return a command for each pattern of the library that fits."""
        for listed in search_listed(query, self._library.browser.entries)[:_MAX_PATTERNS]:
            pattern = listed.pattern
            yield Command(
                pattern.name,
                pattern.siteswap if pattern.siteswap != pattern.name else _("Pattern"),
                partial(self._library.play, listed),
                words=" ".join((pattern.shown_description, *map(tag_words, pattern.tags))),
            )
