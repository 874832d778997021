"""The pattern library: named patterns that come with the program as TOML files in `patterns/`, and a search of them."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from juggle_anim.errors import LibraryError
from juggle_anim.notation.limits import MAX_JUGGLERS, MAX_PROPS
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.resources import resource
from juggle_anim.text_settings import HAND_STYLES

# How well a word fits: as a whole, as the beginning of a word, within one, or mistyped.
_WHOLE_WORD, _BEGINNING, _WITHIN, _MISTYPED = 8.0, 4.0, 2.0, 1.0

# Better than any of these are a whole name, and then the throws, best of a pattern that is nothing but them.
_EQUAL_NAME, _EQUAL_THROWS = 1000.0, 900.0

# What follows a number that belongs to it; name_key makes props of balls, clubs and rings.
_COUNTED = ("prop", "juggler")

# Similarity from which a word counts as a typing error of another.
_ALIKE = 0.75

# Longer queries are cut, since comparing takes time.
_LONGEST = 500

# Without one, a text is no mistyped name.
_WORD = re.compile(r"[^\W\d_]{3}")


@dataclass(frozen=True)
class LibraryPattern:
    """One named pattern.

    Args:
        name: what jugglers call it, or its siteswap if they just say that.
        siteswap: the throws as one would type them.
        tags: words to find it by, the numbers of props and of several jugglers among them.
        difficulty: 1 (learnt in an hour) to 10 (years of practice).
        description: a sentence or two about it.
        aliases: other names; no two patterns share a name, as `name_key` sees it.
        props: how many; 0 where unknown.
        jugglers: how many.
        settings: further keys and values of its settings string.
    """

    name: str
    siteswap: str
    tags: tuple[str, ...]
    difficulty: int
    description: str
    aliases: tuple[str, ...] = ()
    props: int = 0
    jugglers: int = 1
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and aliases, the name first."""
        return self.name, *self.aliases

    @cached_property
    def tag_keys(self) -> frozenset[str]:
        """Its tags, each as `name_key` sees it."""
        return frozenset(map(name_key, self.tags))

    @cached_property
    def settings_text(self) -> str:
        """The settings string that stands for it."""
        keys = {key for key, _ in self.settings}
        # Hands or dwell alone would mean Juggling Lab's style, whose hands are lower than people's.
        style = [("style", HAND_STYLES[0])] if keys & {"hands", "dwell"} and "style" not in keys else []
        pairs = ("pattern", self.siteswap), *self.settings, *style, ("title", escaped(self.name))
        return ";".join(f"{key}={value}" for key, value in pairs)


@cache
def library() -> tuple[LibraryPattern, ...]:
    """All patterns that come with the program, file after file in the order written there.

    Raises:
        LibraryError: a file is broken.
    """
    return read_library(resource("patterns"))


def find_pattern(name: str) -> LibraryPattern | None:
    """The pattern of the library with this name or alias, as `name_key` sees it; None if there is none."""
    return _by_name().get(name_key(name))


def name_key(name: str) -> str:
    """Normalize a name, so that case, accents, spaces, hyphens and how numbers are written do not matter."""
    folded = unicodedata.normalize("NFKD", name.casefold().replace("×", "x"))
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    # A hyphen that joins no words is kept: -531 is no name.
    words = _JOINED.sub(" ", plain).replace("'", "").split()
    return " ".join(_SAME.get(word, word) for word in words)


def count_tags(props: int, jugglers: int) -> tuple[str, ...]:
    """The tags that follow from numbers: `3 props`, and `2 jugglers` where there are several."""
    counted = f"{props} prop" + "s" * (props != 1)
    return (counted, f"{jugglers} jugglers") if jugglers > 1 else (counted,)


def read_library(folder: Path) -> tuple[LibraryPattern, ...]:
    """All patterns in the `.toml` files of a folder.

    Raises:
        LibraryError: a file is no TOML, a pattern lacks a field or has one of the wrong kind, or two share a name.
    """
    patterns: list[LibraryPattern] = []
    taken: set[str] = set()
    for path in sorted(folder.glob("*.toml")):
        for number, entry in enumerate(_entries(path), start=1):
            pattern = _pattern(entry, f"{path}: pattern {number}")
            for name in pattern.names:
                if name_key(name) in taken:
                    raise LibraryError(f"{path}: pattern {number}: there is another pattern named {name!r}")
                taken.add(name_key(name))
            patterns.append(pattern)
    return tuple(patterns)


@cache
def _by_name() -> Mapping[str, LibraryPattern]:
    return MappingProxyType({name_key(name): pattern for pattern in library() for name in pattern.names})


def _entries(path: Path) -> list[Any]:
    # Imported here, since reading a siteswap needs no library.
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise LibraryError(f"{path}: this file cannot be read as TOML: {error}") from error
    entries = data.pop("pattern", None)
    if data or not isinstance(entries, list):
        raise LibraryError(f"{path}: a pattern file holds [[pattern]] tables and nothing else")
    return entries


def _pattern(entry: Any, where: str) -> LibraryPattern:
    if not isinstance(entry, dict) or not entry.keys() >= _REQUIRED or not entry.keys() <= _ALLOWED:
        found = ", ".join(entry) if isinstance(entry, dict) else repr(entry)
        must, may = (", ".join(name for name in _ORDER if (name in _REQUIRED) == needed) for needed in (True, False))
        raise LibraryError(f"{where}: it has {found or 'nothing'}, but must have {must}, and may have {may}")
    for name in ("name", "siteswap", "description"):
        _expect(isinstance(entry[name], str) and entry[name].strip() != "", where, name, "a text")
    lists = {name: entry.get(name, []) for name in ("tags", "aliases")}
    for name, each in lists.items():
        good = isinstance(each, list) and all(isinstance(text, str) and text.strip() for text in each)
        _expect(good, where, name, "a list of texts")
    for name, (low, high) in _WHOLE.items():
        number = entry.get(name, low)
        good = type(number) is int and low <= number <= high
        _expect(good, where, name, f"a whole number from {low} to {high}")
    settings = _settings(entry.get("settings", {}), where)
    texts = {
        "tags": (*count_tags(entry["props"], entry.get("jugglers", 1)), *lists["tags"]),
        "aliases": tuple(lists["aliases"]),
    }
    return LibraryPattern(**{**entry, **texts, "settings": settings})


def _settings(entry: Any, where: str) -> tuple[tuple[str, str], ...]:
    good = isinstance(entry, dict) and all(isinstance(value, str | int | float) for value in entry.values())
    _expect(good, where, "settings", "a table of texts, numbers and true or false")
    # TOML and settings strings write true and false alike, Python does not.
    return tuple((key, str(value).lower() if isinstance(value, bool) else str(value)) for key, value in entry.items())


def _expect(holds: bool, where: str, name: str, accepted: str) -> None:
    if not holds:
        raise LibraryError(f"{where}: its {name} must be {accepted}")


_JOINED = re.compile(r"(?<=[^\W_])[-‐‑–_](?=[^\W_])")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PROPS = ("ball", "balls", "club", "clubs", "props", "ring", "rings")  # any of them will do
_SAME = {word: str(number) for number, word in enumerate(_NUMBERS)} | dict.fromkeys(_PROPS, "prop")
_WHOLE = {"difficulty": (1, 10), "props": (1, MAX_PROPS), "jugglers": (1, MAX_JUGGLERS)}
_FIELDS = fields(LibraryPattern)
_ORDER = tuple(field.name for field in _FIELDS)
_ALLOWED = frozenset(_ORDER)
_REQUIRED = frozenset(field.name for field in _FIELDS if field.default is MISSING) | {"props"}


def search(text: str, patterns: Sequence[LibraryPattern] | None = None) -> tuple[LibraryPattern, ...]:
    """The patterns that fit every word of a text, best first, easy before difficult where they fit alike.

    A word fits a pattern that has it, or a word that begins with it, in a name, a tag or the siteswap. A word that no
    pattern has may stand within others, or is taken for the most similar ones; some throws fit all that hold them, and
    are never taken for others. Case, accents and hyphens do not matter.

    Args:
        text: words in any order; none fits everything.
        patterns: where to look; the library by default.
    """
    wanted = _key(text[:_LONGEST])
    among = library() if patterns is None else patterns
    fields = [_fields(pattern) for pattern in among]
    vocabulary = {word for each in fields for word in each.words}
    alternatives = [_alternatives(word, vocabulary) for word in wanted.split()]
    scores = [_score(wanted, alternatives, each) for each in fields]
    found = [index for index, score in enumerate(scores) if score > 0 or not alternatives]
    return tuple(among[index] for index in sorted(found, key=lambda index: (-scores[index], among[index].difficulty)))


def nearest_names(text: str, names: Iterable[str] | None = None, count: int = 1, alike: float = 0.7) -> tuple[str, ...]:
    """Names that look most like a text, best first.

    Args:
        text: what was typed.
        names: which to compare with; by default those of the library that are made of words, so no bare siteswaps.
        count: how many names at most.
        alike: from 0 to 1 (equal), how similar they must be.
    """
    if names is None and not _WORD.search(text[:_LONGEST]):
        return ()
    by_key = _said_names() if names is None else {name_key(name): name for name in names}
    near = difflib.get_close_matches(name_key(text[:_LONGEST]), by_key, n=count, cutoff=alike)
    return tuple(by_key[key] for key in near)


@cache
def _said_names() -> dict[str, str]:
    """The names of the library that are made of words, by their keys."""
    by_key = {name_key(name): name for pattern in library() for name in pattern.names}
    return {key: name for key, name in by_key.items() if any(len(word) > 1 and word.isalpha() for word in key.split())}


def _key(text: str) -> str:
    """A text with its numbers of things as single words: three balls are not a three here and a ball there."""
    return re.sub(rf"\b(\d+) ({'|'.join(_COUNTED)})s?\b", r"\1\2", name_key(text))


class _Fields(NamedTuple):
    """The search index of a pattern: whole names, throws without blanks, and the weight of each word."""

    names: tuple[str, ...]
    siteswap: str
    plain: bool
    words: Mapping[str, float]


@cache
def _fields(pattern: LibraryPattern) -> _Fields:
    names = tuple(map(_key, pattern.names))
    siteswap = name_key(pattern.siteswap).replace(" ", "")
    weights: dict[str, float] = {}
    # A word of the name says more than a tag.
    for weight, texts in ((1.0, map(_key, pattern.tags)), (1.5, (*names[1:], siteswap)), (2.0, names[:1])):
        weights.update({word: weight for text in texts for word in text.split()})
    return _Fields(names, siteswap, not pattern.settings, weights)


def _alternatives(word: str, vocabulary: Collection[str]) -> dict[str, float]:
    """The words of the library that a word may stand for, and how well each fits."""
    fits = {other: fit for other in vocabulary if (fit := _fit(word, other))}
    if any(character.isdigit() for character in word):
        return fits
    if not fits and len(word) > 1:
        fits = {other: _WITHIN for other in vocabulary if word in other}
    return fits or dict.fromkeys(difflib.get_close_matches(word, vocabulary, n=3, cutoff=_ALIKE), _MISTYPED)


def _fit(word: str, other: str) -> float:
    if word == other:
        return _WHOLE_WORD
    if other.startswith(word) and (len(word) > 1 or other.removeprefix(word) in _COUNTED):
        return _BEGINNING
    # Throws fit within others (531 in 45313), but words do not: sync is not async.
    return _WITHIN if len(word) > 1 and word in other and word[0].isdigit() else 0.0


def _score(wanted: str, alternatives: Sequence[dict[str, float]], fields: _Fields) -> float:
    """Return how well a pattern matches; 0 if some word does not match at all."""
    if wanted in fields.names:
        return _EQUAL_NAME - fields.names.index(wanted)
    if wanted.replace(" ", "") == fields.siteswap:
        return _EQUAL_THROWS + fields.plain
    fits = [
        max((fit * fields.words.get(word, 0.0) for word, fit in each.items()), default=0.0) for each in alternatives
    ]
    if not all(fits):
        return 0.0
    # Of two names that hold every word, the one that says little else is meant.
    name = fields.names[0].split()
    said = sum(any(word in each for each in alternatives) for word in name)
    return sum(fits) + _WHOLE_WORD * said / len(name)
