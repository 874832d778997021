"""The pattern browser: search and filter the library, a file or several files.

No window, no OpenGL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from juggle_anim.errors import JuggleError, counted, sentence
from juggle_anim.language import N_, _, language
from juggle_anim.notation import (
    DIFFICULTY_LEVELS,
    LibraryPattern,
    ListedPattern,
    difficulty_range,
    english_query,
    listed_in_file,
    listed_in_library,
    listed_score,
    name_key,
    nearest_names,
    search_listed,
    tag_key,
    tag_words,
)
from juggle_anim.viewer.session.file import MAX_RECENT

_ANY_LEVEL = N_("any level")

ALL_PATTERNS = N_("All")
"""The collection of all patterns of the library or of a file."""

SHELVES = (ALL_PATTERNS, N_("Favourites"), N_("Recent"))
"""Collections to search."""

SHELF_FILTER, PROPS_FILTER, LEVEL_FILTER, TAG_FILTER = range(4)
"""Numbers of filters: their indices in `Browser.filters`."""

_NOT_CHOSEN = -1

MAX_FILES = 200
"""Files that are listed at most; more take long to read."""


def level_words(difficulty: int) -> str:
    """Return the level of a difficulty in the present language; empty if it is not known."""
    levels = (level for level in DIFFICULTY_LEVELS if difficulty in difficulty_range(level))
    return next(map(_, levels), "")


class Filter:
    """One of several options, of which the first lets everything through.

    Args:
        options: options in English, or as they are written.
        words: says an option after the first in the present language.
    """

    def __init__(self, options: Sequence[str], words: Callable[[str], str] = _) -> None:
        self.options = tuple(options)
        self.index = 0
        self._words = words

    @property
    def option(self) -> str:
        """The chosen option."""
        return self.options[self.index]

    def words(self, option: str) -> str:
        """Return an option as it is shown, in the present language."""
        return sentence(_(option) if option == self.options[0] else self._words(option))


class Browser:
    """Lists patterns, searches and filters them, and holds the chosen one.

    Args:
        recent, favourites: texts of patterns, the newest first.
    """

    def __init__(self, recent: Sequence[str] = (), favourites: Sequence[str] = ()) -> None:
        """Show the library, unfiltered and with nothing chosen.

        Args:
            recent: texts that open the patterns played last, the latest first.
            favourites: texts that open starred patterns.
        """
        self.wants_focus = False
        """Whether its search field takes the keyboard focus when it is next drawn."""
        self.recent = list(recent)
        self.favourites = list(favourites)
        self.file = ""
        """Path of the listed file; empty for the library."""
        self.query = ""
        """The search text."""
        self.index = _NOT_CHOSEN
        """Index of the chosen result."""
        self.scroll_to_chosen = True
        """Whether the list scrolls to the chosen result when it is next drawn."""
        self.query_resets = 0
        """How often the query was cleared; each time the text field gets a new identity."""
        # Caches: patterns of the file, results with what they depend on, and a suggested name with
        # its query.
        self._entries: tuple[ListedPattern, ...] | None = None
        self._results: tuple[object, tuple[ListedPattern, ...]] = None, ()
        self._suggested = ""
        self._suggested_for = ""

    @property
    def entries(self) -> tuple[ListedPattern, ...]:
        """All patterns of the listed file, or the library."""
        if self._entries is None:
            self._entries = listed_in_library()
        return self._entries

    @cached_property
    def shelf(self) -> Filter:
        """All patterns, favourites or recent ones."""
        return Filter(SHELVES)

    @cached_property
    def props(self) -> Filter:
        """Filter by number of props."""
        counts = sorted({listed.pattern.props for listed in self.entries} - {0})
        return Filter(
            [N_("any props"), *map(str, counts)], lambda count: counted(int(count), "prop")
        )

    @cached_property
    def level(self) -> Filter:
        """Filter by difficulty."""
        return Filter([_ANY_LEVEL, *DIFFICULTY_LEVELS])

    @cached_property
    def tag(self) -> Filter:
        """Filter by tag: the most frequent tag first, equally frequent ones by name.

        Tags that begin with a digit, such as "3-ball", are left out: they count props, for which
        there is a filter of its own.
        """
        frequency_by_tag = Counter(tag for listed in self.entries for tag in listed.pattern.tags)
        sorted_tags = sorted(frequency_by_tag, key=lambda tag: (-frequency_by_tag[tag], tag))
        tags = [tag for tag in sorted_tags if not tag[:1].isdigit()]
        return Filter([N_("any tag"), *tags], tag_words)

    @property
    def filters(self) -> tuple[Filter, Filter, Filter, Filter]:
        """The four filters, in the order of their keys."""
        return self.shelf, self.props, self.level, self.tag

    @property
    def results(self) -> tuple[ListedPattern, ...]:
        """The patterns that match query and filters, best first.

        Drawn in every frame, so they are cached until something that they depend on changes.
        """
        # All that the results depend on; also the language, in which the query is read.
        key = (
            language(),
            self.query,
            tuple(chosen_filter.index for chosen_filter in self.filters),
            self._shelf_texts(),
            self.file,
        )
        if self._results[0] != key:
            self._results = key, self._search()
        return self._results[1]

    @property
    def suggestion(self) -> str:
        """The name of a pattern that a mistyped query probably means.

        Empty if the query is spelled like the first result, or no name is similar. The suggestion
        is cached for its query, as the card asks in every frame.
        """
        query = english_query(self.query)
        if not query.strip() or (self.results and _is_spelled(query, self.results[0].pattern)):
            return ""
        if self._suggested_for != self.query:
            # The search tolerates some typing errors: if it has results, one of the names of the
            # best one is meant. Without a result, it is the most similar of all names.
            candidates = self.results[:1] or self.entries
            names = [name for listed in candidates for name in listed.pattern.names]
            similar_names = nearest_names(query, names, alike=0.5)
            self._suggested = similar_names[0] if similar_names else ""
            self._suggested_for = self.query
        return self._suggested

    @property
    def chosen(self) -> ListedPattern | None:
        """The chosen result, or None."""
        return self.results[self.index] if 0 <= self.index < len(self.results) else None

    def text_of(self, listed: ListedPattern) -> str:
        """Return the text that opens a listed pattern."""
        if self.shelf.index:
            return listed.text
        file = listed.file or self.file
        return f"{file}#{listed.number}" if file else listed.pattern.name

    def open(self) -> None:
        """Take the keyboard focus, and scroll to the chosen result, as the browser opens."""
        self.wants_focus = True
        self.scroll_to_chosen = True
        # The first search prepares and caches an index of the entries, which takes a moment. This
        # search, whose result is not used, does so before the first letter is typed.
        search_listed("any", self.entries)

    def list_library(self) -> None:
        """List the library."""
        self._list("", entries=None)

    def list_file(self, path: str) -> bool:
        """List the patterns of a file, if it has several; returns whether it has.

        Raises:
            FileError: it cannot be read, or holds none.
        """
        listed = listed_in_file(path)
        if len(listed) > 1:
            self._list(path, listed)
            self.open()
        return len(listed) > 1

    def list_files(self, paths: Sequence[str]) -> None:
        """List the patterns of several files."""
        self._list(counted(len(paths), "file"), listed_in_files(paths))
        self.open()

    def search(self, words: str) -> None:
        """Search for a text."""
        if words != self.query:
            self.query = words
            self.index = _NOT_CHOSEN
            self.scroll_to_chosen = True

    def search_unfiltered(self, words: str) -> None:
        """Search for a text with no filter set."""
        for number in range(len(self.filters)):
            self.choose_filter(number, 0)
        self.search(words)

    def take_suggestion(self) -> ListedPattern | None:
        """Search for the suggested name, and choose and return what is found."""
        name = self.suggestion
        self.search(name)
        self.query_resets += 1
        self.wants_focus = True
        return self.move(1)

    def move(self, steps: int) -> ListedPattern | None:
        """Choose and return the result a number of steps further down, within the list."""
        self.index = min(max(self.index + steps, 0), max(len(self.results) - 1, 0))
        self.scroll_to_chosen = True
        return self.chosen

    def choose_text(self, text: str) -> None:
        """Choose the result that a text opens, if there is one."""
        texts = [self.text_of(listed) for listed in self.results]
        self.index = texts.index(text) if text in texts else _NOT_CHOSEN
        self.scroll_to_chosen = True

    def choose_filter(self, number: int, index: int) -> None:
        """Choose an option of one of the filters."""
        self.filters[number].index = index
        self.index = _NOT_CHOSEN
        self.scroll_to_chosen = True

    def counts(self, number: int) -> list[int]:
        """Return how many patterns would be listed with each option of a filter.

        The options of all other filters stay as they are chosen.

        Args:
            number: which filter, an index of `filters`.

        Returns:
            The number of patterns for each of the filter's options, in their order.
        """
        counted_filter = self.filters[number]
        chosen_index = counted_filter.index

        # The options are set one after another, and the chosen one is restored at the end. First
        # all patterns that this filter chooses from: option 0 lets everything through.
        counted_filter.index = 0
        candidates = self._search()

        counts = []
        for index in range(len(counted_filter.options)):
            counted_filter.index = index
            if counted_filter is self.shelf:
                # A shelf (all patterns, favourites or recent ones) does not choose from the
                # candidates: it has patterns of its own, which need not be in the library.
                counts.append(len(self._search()))
            else:
                passes = self._filter()
                counts.append(sum(1 for candidate in candidates if passes(candidate)))
        counted_filter.index = chosen_index
        return counts

    def clear(self) -> None:
        """Clear the query and all filters."""
        self.search("")
        self.query_resets += 1
        self.wants_focus = True
        for chosen_filter in self.filters:
            chosen_filter.index = 0

    @property
    def is_filtered(self) -> bool:
        """Whether a query or a filter is set."""
        return bool(self.query.strip()) or any(
            chosen_filter.index for chosen_filter in self.filters
        )

    def add_recent(self, text: str) -> None:
        """Put an opened pattern first among the recent ones."""
        self.recent = [text, *(recent for recent in self.recent if recent != text)][:MAX_RECENT]

    def update_recent(self, text: str, old_text: str) -> None:
        """Replace the text of a recent pattern in place; if it is not listed, add the new text.

        Args:
            text: the new text.
            old_text: the text that it replaces.
        """
        if old_text in self.recent:
            replaced = [text if recent == old_text else recent for recent in self.recent]
            # If the new text was also listed elsewhere, `dict.fromkeys` keeps the first of both.
            self.recent = list(dict.fromkeys(replaced))
        elif text not in self.recent:
            self.add_recent(text)

    def is_favourite(self, text: str) -> bool:
        """Return whether a pattern is a favourite."""
        return text in self.favourites

    def star(self, text: str) -> bool:
        """Add a pattern to the favourites or remove it; returns whether it is one now."""
        if text in self.favourites:
            self.favourites.remove(text)
            return False
        self.favourites.insert(0, text)
        return True

    def _list(self, file: str, entries: tuple[ListedPattern, ...] | None) -> None:
        self.file = file
        self._entries = entries
        for name in ("shelf", "props", "level", "tag"):
            self.__dict__.pop(name, None)  # cached; its options depend on the entries
        self.query = ""
        self.index = _NOT_CHOSEN
        self.scroll_to_chosen = True
        self.query_resets += 1

    def _shelf_texts(self) -> tuple[str, ...]:
        return (
            tuple((self.favourites, self.recent)[self.shelf.index - 1]) if self.shelf.index else ()
        )

    def _search(self) -> tuple[ListedPattern, ...]:
        candidates = (
            tuple(map(listed_by_text, self._shelf_texts())) if self.shelf.index else self.entries
        )
        keep = self._filter()
        return tuple(
            listed
            for listed in search_listed(english_query(self.query), candidates)
            if keep(listed)
        )

    def _filter(self) -> Callable[[ListedPattern], bool]:
        """Return a function that tells whether a pattern passes the filters but for the shelf.

        These are the filters by number of props, by level of difficulty and by tag.
        """
        # Option 0 of each filter lets everything through: 0 props and an empty tag stand for it.
        prop_count = int(self.props.option) if self.props.index else 0
        difficulties = difficulty_range(self.level.option if self.level.index else None)
        tag = tag_key(self.tag.option) if self.tag.index else ""

        def passes(listed: ListedPattern) -> bool:
            pattern = listed.pattern
            if prop_count and pattern.props != prop_count:
                return False
            if tag and tag not in pattern.tag_keys:
                return False
            return pattern.difficulty in difficulties

        return passes


def _is_spelled(query: str, pattern: LibraryPattern) -> bool:
    """Return whether each word of a query is found, as it is typed, in a pattern's names or tags.

    Words with a digit count as found, as they may be throws. A word may also be found across a
    space, as `boxflash` in `Box flash`.
    """
    names = name_key(" ".join([*pattern.names, *pattern.tags]))
    searched_text = names + names.replace(" ", "")
    return all(
        word in searched_text or any(map(str.isdigit, word)) for word in name_key(query).split()
    )


def listed_by_text(text: str) -> ListedPattern:
    """Return a favourite or recent text as a listed pattern.

    Args:
        text: the name of a pattern of the library; or a pattern or the path of a file, perhaps with
            overrides, which are parameters with other values. A path may end with "#" and the
            number of a pattern in the file.
    """
    from juggle_anim.notation import find_pattern, read_settings
    from juggle_anim.viewer.panel.overrides import describe, split_overrides

    library_pattern = find_pattern(text)
    if library_pattern:
        return ListedPattern(library_pattern, text)

    # Overridden parameters are named behind the name of the pattern, and described.
    overridden = describe(text)
    suffix = f" · {overridden}" if overridden else ""
    about = _("With {turned}", turned=overridden) if overridden else ""
    try:
        score = read_settings(text).score
    except JuggleError:
        # It is a file, which is only read when it is opened: its props and difficulty are not
        # known.
        file, _overrides = split_overrides(text)
        path, _hash, number = file.rpartition("#")  # without "#", the path is empty
        name = f"{Path(path).name} #{number}" if path else Path(file).name
        return ListedPattern(_unread_pattern(name + suffix, about or text), text)
    listed = listed_score(score, text)
    pattern = replace(listed.pattern, name=score.name + suffix, description=about or score.about)
    return replace(listed, pattern=pattern)


def listed_in_files(paths: Sequence[str]) -> tuple[ListedPattern, ...]:
    """Return all patterns of some files, in order.

    For a file that cannot be read there is one entry, which is not valid and says why.

    Args:
        paths: paths of files, and of folders of exported frames; only the first `MAX_FILES` are
            read.
    """
    return tuple(listed for path in paths[:MAX_FILES] for listed in _patterns_or_reason(path))


def representative_file(path: str) -> Path:
    """Return the absolute path of a file; for a folder of exported frames, that of its first frame.

    Each frame has the settings of its pattern in it. A folder without visible files is returned
    itself.
    """
    absolute = Path(path).absolute()
    if not absolute.is_dir():
        return absolute
    visible_files = (
        entry
        for entry in sorted(absolute.iterdir())
        if entry.is_file() and not entry.name.startswith(".")
    )
    return next(visible_files, absolute)


def _patterns_or_reason(path: str) -> list[ListedPattern]:
    """Return the patterns of a file or folder, or one entry with the reason if there are none."""
    file = Path(path).absolute()
    try:
        file = representative_file(path)
        return [replace(listed, file=str(file)) for listed in listed_in_file(file)]
    except (JuggleError, OSError) as error:
        reason = str(error).splitlines()[0]
        pattern = _unread_pattern(file.name)
        return [ListedPattern(pattern, text="", number=1, reason=reason, file=str(file))]


def _unread_pattern(name: str, description: str = "") -> LibraryPattern:
    """Return a pattern of which nothing else is known, as its file was not read."""
    return LibraryPattern(name, siteswap="", tags=(), difficulty=0, description=description)
