"""Search: library patterns by what people remember of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from juggle_anim.notation.library import LibraryPattern, library, name_key

# How well a word fits: as a whole, as the beginning of a word, within one, or mistyped.
_WHOLE, _BEGINNING, _WITHIN, _MISTYPED = 8.0, 4.0, 2.0, 1.0

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
        return _WHOLE
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
    return sum(fits) + _WHOLE * said / len(name)
