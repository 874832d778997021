"""Patterns of the library or of a file as rows of a list, which can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from juggle_anim.choreography import Score
from juggle_anim.notation.difficulty import difficulty
from juggle_anim.notation.library import LibraryPattern, count_tags, library
from juggle_anim.notation.open import FileReference, find_file_reference
from juggle_anim.notation.pattern_list import Entry, Note
from juggle_anim.notation.search import search


@dataclass(frozen=True)
class ListedPattern:
    """One row of a list of patterns.

    Args:
        pattern: its names and what else it is found by; the difficulty is 0 for events, where it is unknown.
        text: a settings string; empty for events.
        number: by which `file#3` opens it, from 1; 0 in the library.
        reason: why it is not valid, if it is not.
        file: that holds it, where a list is made of several.
        notes: what in its file is not read; only the first pattern of a file has them.
    """

    pattern: LibraryPattern
    text: str
    number: int = 0
    reason: str = ""
    file: str = ""
    notes: tuple[Note, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON knows it."""
        pattern = self.pattern
        counts = {"error": self.reason} if self.reason else {"props": pattern.props, "jugglers": pattern.jugglers}
        return {
            **({"number": self.number} if self.number else {}),
            "name": pattern.name,
            "aliases": list(pattern.aliases),
            "siteswap": pattern.siteswap,
            "settings": self.text,
            **counts,
            "tags": list(pattern.tags),
            "difficulty": pattern.difficulty or None,
            "description": pattern.description,
        }


@cache
def listed_in_library() -> tuple[ListedPattern, ...]:
    """The patterns that come with the program, few props and easy ones first."""
    ordered = sorted(library(), key=lambda pattern: (pattern.props, pattern.difficulty))
    return tuple(ListedPattern(pattern, pattern.settings_text) for pattern in ordered)


def listed_in_file(path: str | Path) -> tuple[ListedPattern, ...]:
    """The patterns of a file in its order, or the one of them that `tricks.jml#3` names.

    Raises:
        FileError: it cannot be read, or holds no such pattern.
    """
    place = find_file_reference(str(path)) or FileReference(Path(path))
    numbered, notes = place.numbered()
    rows = [_of_file(entry, number) for number, entry in numbered]
    return (replace(rows[0], notes=notes), *rows[1:])


def search_listed(text: str, among: Sequence[ListedPattern]) -> tuple[ListedPattern, ...]:
    """Return the patterns that match every word of a text, best first; without words all, in their order."""
    if not text.strip():
        return tuple(among)
    # Two lines of a file may be equal in all that is searched.
    by_pattern: dict[LibraryPattern, list[ListedPattern]] = {}
    for each in among:
        by_pattern.setdefault(each.pattern, []).append(each)
    return tuple(each for pattern in search(text, list(by_pattern)) for each in by_pattern[pattern])


def listed_score(score: Score, text: str, name: str = "", number: int = 0) -> ListedPattern:
    """A score that a text opens, as a row; `name` stands for the score's own where it is given."""
    pattern = LibraryPattern(
        name=name or score.name,
        siteswap=score.pattern.text if score.pattern else "",
        tags=(*count_tags(score.props, score.jugglers), *score.tags),
        difficulty=difficulty(score),
        description=score.about,
        aliases=(score.title,) if score.title not in ("", name) else (),
        props=score.props,
        jugglers=score.jugglers,
    )
    return ListedPattern(pattern, text, number)


def _of_file(entry: Entry, number: int) -> ListedPattern:
    name = entry.display.strip()
    if entry.settings:
        return listed_score(entry.settings.score, entry.text, name, number)
    pattern = LibraryPattern(name or entry.text, entry.text, tags=(), difficulty=0, description="")
    return ListedPattern(pattern, entry.text, number, reason=str(entry.error).splitlines()[0])
