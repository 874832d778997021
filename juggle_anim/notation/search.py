"""Search: patterns of the library by what people remember of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from juggle_anim.notation.library import LibraryPattern, library, name_key

# How well a word fits: as a whole, as the beginning of a word, within one, or mistyped.
_WHOLE, _BEGINNING, _WITHIN, _MISTYPED = 8.0, 4.0, 2.0, 1.0

# What name_key makes of balls, clubs and rings.
_PROP = "prop"

# Words this alike are taken for one another, where no word fits better.
_ALIKE = 0.75

# Nobody types more than this to find a pattern, and comparing takes time.
_LONGEST = 100


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
    vocabulary = {word for _, words in fields for word in words}
    alternatives = [_alternatives(word, vocabulary) for word in wanted.split()]
    scores = [_score(wanted, alternatives, names, words) for names, words in fields]
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
    if names is None:
        names = [name for pattern in library() for name in pattern.names if _is_said(name)]
    by_key = {name_key(name): name for name in names}
    near = difflib.get_close_matches(name_key(text[:_LONGEST]), by_key, n=count, cutoff=alike)
    return tuple(by_key[key] for key in near)


def _is_said(name: str) -> bool:
    """Whether a name is made of words."""
    return any(word.isalpha() and len(word) > 1 for word in name_key(name).split())


def _key(text: str) -> str:
    """A text with its numbers of props as single words: three balls are not a three here and a ball there."""
    return re.sub(r"\b(\d+) prop\b", rf"\1{_PROP}", name_key(text))


@cache
def _fields(pattern: LibraryPattern) -> tuple[tuple[str, ...], dict[str, float]]:
    """The whole names, and the weight of each word: one of the name says more than a tag."""
    names = tuple(_key(name) for name in (pattern.name, *pattern.aliases, pattern.siteswap))
    weights: dict[str, float] = {}
    for weight, texts in ((1.0, map(_key, pattern.tags)), (1.5, names[1:]), (2.0, names[:1])):
        weights.update({word: weight for text in texts for word in text.split()})
    return names, weights


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
    if other.startswith(word) and (len(word) > 1 or other == word + _PROP):
        return _BEGINNING
    # Whoever types some throws wants all that hold them, but async is not what sync stands for.
    return _WITHIN if len(word) > 1 and word in other and word[0].isdigit() else 0.0


def _score(
    wanted: str, alternatives: Sequence[dict[str, float]], names: tuple[str, ...], words: dict[str, float]
) -> float:
    """How well a pattern fits; 0 if some word does not fit at all."""
    compact = wanted.replace(" ", "")
    if wanted in names or compact == names[-1]:
        return 1000.0 - names.index(wanted if wanted in names else compact)
    fits = [max((fit * words.get(word, 0.0) for word, fit in each.items()), default=0.0) for each in alternatives]
    if not all(fits):
        return 0.0
    # Of two names that hold every word, the one that says little else is meant.
    name = names[0].split()
    said = sum(any(word in each for each in alternatives) for word in name)
    return sum(fits) + _WHOLE * said / len(name)
