"""The browser: patterns of the library or of a file, searched while one types. No window, no OpenGL.

MERGED: Several files at once, as one list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from juggle_anim.errors import JuggleError
from juggle_anim.notation.library import LibraryPattern, name_key
from juggle_anim.notation.listing import ListedPattern, listed_in_file, listed_in_library, search_listed
from juggle_anim.viewer.session.state import MOST_RECENT

LEVELS = (("any level", 0, 10), ("easy", 1, 3), ("medium", 4, 6), ("hard", 7, 10))
"""Difficulties that one can choose from: words, the lowest and the highest; nobody says one of a file's patterns."""

SHELVES = ("All", "Favourites", "Recent")
"""What can be looked through."""

_NONE = -1  # nothing is chosen

MOST_FILES = 200
"""So many are listed; to read more takes long."""


class Shelf:
    """A choice of one of several, which keys and mouse step through."""

    def __init__(self, options: Sequence[str]) -> None:
        self.options, self.at = tuple(options), 0

    @property
    def word(self) -> str:
        """The chosen one."""
        return self.options[self.at]

    def step(self, ways: int) -> None:
        """Choose one that is so many further, around the ends."""
        self.at = (self.at + ways) % len(self.options)


class Browser:
    """What is listed, looked for and chosen.

    Args:
        recent, favourites: texts of patterns, the last one first.
    """

    def __init__(self, recent: Sequence[str] = (), favourites: Sequence[str] = ()) -> None:
        self.shown = self.wanted = False
        """Whether it is shown, and whether its field is to take the keyboard as soon as it is drawn."""
        self.recent, self.favourites = list(recent), list(favourites)
        self.file = ""
        """The file whose patterns are listed; empty for the library."""
        self.words, self.at, self.follow = "", _NONE, True
        """What is looked for, which of the found is chosen, and whether the list is to scroll there."""
        self.emptied = 0
        """How often what was typed has been thrown away; the field is another one then."""
        self._among: tuple[ListedPattern, ...] | None = None
        self._found: tuple[object, tuple[ListedPattern, ...]] | None = None

    @property
    def among(self) -> tuple[ListedPattern, ...]:
        """All that is listed."""
        if self._among is None:
            self._among = listed_in_library()
        return self._among

    @cached_property
    def shelf(self) -> Shelf:
        """All of them, favourites or recent ones."""
        return Shelf(SHELVES)

    @cached_property
    def props(self) -> Shelf:
        """The numbers of props that there are."""
        counts = sorted({listed.pattern.props for listed in self.among} - {0})
        return Shelf(["any props", *(f"{count} prop{'s' * (count > 1)}" for count in counts)])

    @cached_property
    def level(self) -> Shelf:
        """How difficult."""
        return Shelf([words for words, _, _ in LEVELS])

    @cached_property
    def tag(self) -> Shelf:
        """The tags that there are, those of most patterns first; how many props is another choice."""
        count: dict[str, int] = {}
        for listed in self.among:
            for tag in listed.pattern.tags:
                count[tag] = count.get(tag, 0) + 1
        tags = [tag for tag in sorted(count, key=lambda tag: (-count[tag], tag)) if not tag[:1].isdigit()]
        return Shelf(["any tag", *tags])

    @property
    def filters(self) -> tuple[Shelf, Shelf, Shelf, Shelf]:
        """All four."""
        return self.shelf, self.props, self.level, self.tag

    @property
    def found(self) -> tuple[ListedPattern, ...]:
        """Those that fit what is looked for, best first."""
        state = (self.words, tuple(each.at for each in self.filters), self._shelved(), self.file)
        if self._found is None or self._found[0] != state:
            self._found = state, self._find()
        return self._found[1]

    @property
    def chosen(self) -> ListedPattern | None:
        """The one that was chosen to be played; None where nobody has chosen yet."""
        return self.found[self.at] if 0 <= self.at < len(self.found) else None

    def text_of(self, listed: ListedPattern) -> str:
        """The text that opens one of the listed."""
        if self.shelf.at:
            return listed.text
        file = listed.file or self.file
        return f"{file}#{listed.number}" if file else listed.pattern.name

    def open(self) -> None:
        """Show it, ready to be typed into."""
        self.shown = self.wanted = self.follow = True

    def list_library(self) -> None:
        """List what comes with the program."""
        self._list("", None)

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
        self._list(f"{len(paths)} files", listed_in_files(paths))
        self.open()

    def seek(self, words: str) -> None:
        """Look for other words."""
        if words != self.words:
            self.words, self.at, self.follow = words, _NONE, True

    def move(self, ways: int) -> ListedPattern | None:
        """Choose the one that is so many further down, not beyond the ends; returns it."""
        self.at = min(max(self.at + ways, 0), max(len(self.found) - 1, 0))
        self.follow = True
        return self.chosen

    def find(self, text: str) -> None:
        """Choose the one that a text opens, if it is among the found."""
        texts = [self.text_of(listed) for listed in self.found]
        self.at, self.follow = texts.index(text) if text in texts else _NONE, True

    def turn_filter(self, number: int, ways: int = 1) -> None:
        """Turn one of the filters."""
        self.filters[number].step(ways)
        self.at, self.follow = _NONE, True

    def clear(self) -> None:
        """Look for nothing, through everything."""
        self.seek("")
        self.emptied, self.wanted = self.emptied + 1, True
        for each in self.filters:
            each.at = 0

    @property
    def narrowed(self) -> bool:
        """Whether anything is looked for."""
        return bool(self.words.strip()) or any(each.at for each in self.filters)

    def visit(self, text: str) -> None:
        """A pattern was opened."""
        self.recent = [text, *(each for each in self.recent if each != text)][:MOST_RECENT]

    def note(self, text: str, instead: str) -> None:
        """A recent pattern is known by another text from now on, or is new among them where it was known by none."""
        if text in self.recent and (text == instead or instead not in self.recent):
            return
        if instead not in self.recent:
            self.visit(text)
        else:
            self.recent = list(dict.fromkeys(text if each == instead else each for each in self.recent))

    def is_favourite(self, text: str) -> bool:
        """Whether somebody starred a pattern."""
        return text in self.favourites

    def star(self, text: str) -> bool:
        """Make a pattern a favourite, or no longer; returns whether it is one now."""
        if text in self.favourites:
            self.favourites.remove(text)
            return False
        self.favourites.insert(0, text)
        return True

    def _list(self, file: str, among: tuple[ListedPattern, ...] | None) -> None:
        self.file, self._among = file, among
        for name in ("shelf", "props", "level", "tag"):
            self.__dict__.pop(name, None)
        self.words, self.at, self.follow = "", _NONE, True
        self.emptied += 1

    def _shelved(self) -> tuple[str, ...]:
        return tuple((self.favourites, self.recent)[self.shelf.at - 1]) if self.shelf.at else ()

    def _find(self) -> tuple[ListedPattern, ...]:
        among = tuple(map(listed_by_text, self._shelved())) if self.shelf.at else self.among
        keep = self._filter()
        return tuple(listed for listed in search_listed(self.words, among) if keep(listed))

    def _filter(self) -> Callable[[ListedPattern], bool]:
        props = int(self.props.word.split()[0]) if self.props.at else 0
        _, low, high = LEVELS[self.level.at]
        tag = name_key(self.tag.word) if self.tag.at else ""

        def keep(listed: ListedPattern) -> bool:
            pattern = listed.pattern
            fits = not props or pattern.props == props
            return fits and low <= pattern.difficulty <= high and (not tag or tag in pattern.tag_keys)

        return keep


def listed_by_text(text: str) -> ListedPattern:
    """A text that somebody opened once, as a list shows it: by the library, or by what it says itself."""
    from juggle_anim.errors import JuggleError
    from juggle_anim.notation import find_pattern, read_settings
    from juggle_anim.notation.library import count_tags
    from juggle_anim.viewer.state.overrides import describe, split_overrides

    known = find_pattern(text)
    if known:
        return ListedPattern(known, text)
    turned = describe(text)
    more, about = (f" · {turned}", f"With {turned}") if turned else ("", "")
    try:
        score = read_settings(text).score
    except JuggleError:
        # A file; it is read when it is opened.
        file, _ = split_overrides(text)
        path, _, number = file.rpartition("#")
        name = f"{Path(path).name} #{number}" if path else Path(file).name
        return ListedPattern(LibraryPattern(name + more, "", (), 0, about or text), text)
    siteswap = score.pattern.text if score.pattern else ""
    tags = count_tags(score.props, score.jugglers)
    about = about or score.about
    return ListedPattern(
        LibraryPattern(score.name + more, siteswap, tags, 0, about, props=score.props, jugglers=score.jugglers), text
    )


def listed_in_files(paths: Sequence[str]) -> tuple[ListedPattern, ...]:
    """All patterns of some files, one file after the other; a file that cannot be read is one that is not valid.

    Args:
        paths: of files, and of folders of frames, of which any frame stands for all.
    """
    return tuple(listed for path in paths[:MOST_FILES] for listed in _listed(what_tells(path)))


def what_tells(path: str) -> Path:
    """The file itself; of a folder of frames that were exported any, as each tells all."""
    place = Path(path).absolute()
    if not place.is_dir():
        return place
    return next((each for each in sorted(place.iterdir()) if each.is_file() and each.name[:1] != "."), place)


def _listed(path: Path) -> list[ListedPattern]:
    try:
        return [replace(listed, file=str(path)) for listed in listed_in_file(path)]
    except (JuggleError, OSError) as error:
        reason = str(error).splitlines()[0]
        return [ListedPattern(LibraryPattern(path.name, "", (), 0, ""), "", 1, reason, file=str(path))]
