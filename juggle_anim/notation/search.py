"""A search of named patterns by words, which may be mistyped, in English or the present
language.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, takewhile

import numpy as np

from juggle_anim.arrays import Shorts
from juggle_anim.errors import counted
from juggle_anim.language import language, pgettext
from juggle_anim.notation.library import LibraryPattern, any_props, folded_text, library, name_key

_PROPS = ("ball", "club", "ring")
_LONGEST_WITHOUT_ENDING = 2  # letters; longer words may have an ending
_LONGEST_ENDING = 2  # letters
_NUMBERS_OF_FORMS = (1, 2)  # a number for each form of a word


# How well a word fits: as a whole, as the beginning of a word, within one, or mistyped; "5 clubs"
# fits five props, too.
_WHOLE_WORD = 8.0
_BEGINNING = 4.0
_OTHER_PROPS = 3.0
_WITHIN = 2.0
_MISTYPED = 1.0

# Better than any of these are a whole name, without its spaces if need be, the throws, best of a
# pattern that has no other settings, and a name with one typing error.
_EQUAL_NAME = 1000.0
_JOINED_NAME = 950.0
_EQUAL_THROWS = 900.0
_NEAR_NAME = 800.0

# What follows a number that belongs to it: 3 balls are not a 3 here and a ball there.
_KINDS = ("club", "ring")
_COUNTED = ("ball", *_KINDS, "prop", "juggler")
_COUNT = re.compile(rf"\b(\d+) ({'|'.join(_COUNTED)})s?\b")

# How much a word counts by where a pattern has it: in its name, in its tags, throws or other names,
# or in its description.
_NAME_WEIGHT = 2.0
_TAG_WEIGHT = 1.5
_DESCRIPTION_WEIGHT = 0.25
_MIN_BEGINNING = 3  # letters by which a word of a description is found

_MIN_LIKENESS = 0.75  # difflib's ratio from which a word counts as another, mistyped

# A word is compared with those of similar length, as shares of its own, that have most of its
# letters, as a share of the different ones.
_MIN_RELATIVE_LENGTH = 0.6
_MAX_RELATIVE_LENGTH = 1.7
_MIN_SHARED_LETTERS = 0.6

_BINS = 64  # in which characters are counted

_LONGEST_QUERY = 500  # characters; the rest is cut, since comparing takes time
_MIN_MISTYPED = 3  # letters of a name that may be mistyped

_NO_WORD = re.compile(r"[\W_]+")

# Without one, a text cannot be a mistyped name.
_WORD = re.compile(r"[^\W\d_]{3}")


def tag_words(tag: str) -> str:
    """Return a tag of the library in the present language; one of other files stays unchanged."""
    number, _space, thing = tag.partition(" ")
    if number.isdecimal() and thing.removesuffix("s") in ("prop", "juggler"):
        return counted(int(number), thing.removesuffix("s"))
    return pgettext("tag", tag)


def english_query(text: str) -> str:
    """Translate a query from the user's language to English words: `5 Bälle` to `5 balls`.

    Args:
        text: words in any order; unknown words stay unchanged, and words that only join others
            are left out. A text in English is returned unchanged.
    """
    english_by_phrase = _english_words(language())
    joining_words = _empty_words(language())
    words = folded_text(text).split()
    if not english_by_phrase or not words:
        return text
    # A query of nothing but joining words is kept, so that there is something to search for.
    words = [word for word in words if word not in joining_words] or words

    longest = max(len(phrase) for phrase in english_by_phrase)
    english: list[str] = []
    index = 0
    while index < len(words):
        # The longest known phrase that begins at this word; empty if there is none.
        phrases = (tuple(words[index : index + length]) for length in range(longest, 0, -1))
        phrase = next((phrase for phrase in phrases if phrase in english_by_phrase), ())
        if phrase:
            english.append(english_by_phrase[phrase])
        else:
            english.append(_kind_of(words[index]) or words[index])
        index += max(len(phrase), 1)
    return " ".join(english)


def named_pattern(text: str) -> LibraryPattern | None:
    """Return the library's pattern with a name in the user's language, such as `Kaskade`.

    The words may stand in any order. The result is None if the library has no such pattern, or the
    text is English.
    """
    query = english_query(text)
    words = sorted(name_key(query).split())
    # English names are found by `find_pattern`.
    if query == text or not words:
        return None
    for pattern in library():
        if sorted(name_key(pattern.name).split()) == words:
            return pattern
    return None


def begins_name(letters: str) -> bool:
    """Return whether any word of the library's names, in the present language, begins so."""
    words = _words_of_names(language())
    return any(_beginning_with(folded_text(letters), words))


@cache
def _words_of_names(code: str) -> Sequence[str]:
    """Return the words of all names in the library, in English and in a language, sorted."""
    words = {word for phrase in _english_words(code) for word in phrase}
    for pattern in library():
        words.update(_NO_WORD.sub(" ", folded_text(" ".join(pattern.names))).split())
    return sorted(words)


def pattern_and_props(text: str) -> tuple[str, str] | None:
    """Divide a text into a pattern and the props behind it: `531 clubs`, `Box mit Keulen`.

    Returns:
        The text of the pattern and the kind of props; None if no props are named.
    """
    words = text.split()
    kind = _kind_of(folded_text(words.pop())) if len(words) > 1 else None
    if kind and len(words) > 1 and words[-1].casefold() in ("with", word_for_with()):
        words.pop()
    return (" ".join(words), kind) if kind else None


def word_for_with() -> str:
    """Return the word of the present language between a pattern and its props."""
    return pgettext("531 with clubs", "with")


def is_form_of(word: str, singular: str) -> bool:
    """Return whether a word may be a plural or a case of another one in European languages."""
    return (
        len(singular) > _LONGEST_WITHOUT_ENDING
        and word.startswith(singular)
        and len(word) <= len(singular) + _LONGEST_ENDING
    )


def _kind_of(word: str) -> str | None:
    """Return the kind of props that a word names, one or many."""
    kinds = _kinds_by_singular(language()).items()
    return next(
        (kind for singular, kind in kinds if word == singular or is_form_of(word, singular)), None
    )


@cache
def _kinds_by_singular(_code: str) -> dict[str, str]:
    """Return kinds of props by what one is called in English and in the present language."""
    named = {folded_text(counted(1, kind).partition(" ")[2]): kind for kind in _PROPS}
    also = {"ball": pgettext("also called", "ball"), "club": pgettext("also called", "club"),
            "ring": pgettext("also called", "ring")}  # fmt: skip
    return (
        {kind: kind for kind in _PROPS}
        | {folded_text(word): kind for kind, word in also.items()}
        | named
    )


@cache
def _empty_words(_code: str) -> frozenset[str]:
    """Return words of the present language that join others, by which no pattern is found."""
    return frozenset(
        folded_text(pgettext("words that join others in a search", "with of for and the a")).split()
    )


@cache
def _english_words(code: str) -> dict[tuple[str, ...], str]:
    """Return the English translation of each known phrase, by the words of the phrase.

    Args:
        code: the code of the present language, so that each language has its own cached result.
    """
    if code == "en":
        return {}

    # Tags of the library, except those with a number of props. If two tags have the same
    # translation, the last counts; by sorting this is always the same one.
    tags = {tag for pattern in library() for tag in pattern.tags if not tag[:1].isdigit()}
    phrases = {tag_words(tag): tag for tag in sorted(tags)}

    # The nouns behind a number. A language may have several plurals, so each noun is translated
    # with one number for each form.
    phrases |= {
        counted(number, kind).partition(" ")[2]: kind + ("s" if number > 1 else "")
        for kind in _COUNTED
        for number in _NUMBERS_OF_FORMS
    }

    # Words for the numbers from 1 on.
    counts = folded_text(
        pgettext("numbers as words", "one two three four five six seven eight nine ten")
    ).split()
    phrases |= {word: str(number) for number, word in enumerate(counts, start=1)}
    return {tuple(folded_text(phrase).split()): english for phrase, english in phrases.items()}


def search(
    text: str, patterns: Sequence[LibraryPattern] | None = None
) -> tuple[LibraryPattern, ...]:
    """Return the patterns that match every word of a text, best first, then easy ones first.

    A full name, with up to one typing error (a letter wrong, missing, added or swapped), ranks
    highest. A word matches the beginnings of words in names, tags and the siteswap, and with a
    lower rank in the description, in English or the present language. If no pattern has a word, it
    matches parts of words, or else the most similar words; throws match all siteswaps that contain
    them, and no similar ones. Case, accents and hyphens are ignored.

    Args:
        text: words in any order; an empty text matches everything.
        patterns: patterns to search; the library by default.
    """
    index = _library_index(language()) if patterns is None else _index(tuple(patterns), language())
    return index.search(text[:_LONGEST_QUERY])


def nearest_names(
    text: str, names: Iterable[str] | None = None, count: int = 1, alike: float = 0.7
) -> tuple[str, ...]:
    """Return the names that look most like a text, best first.

    Args:
        text: what was typed.
        names: names to compare with; by default those of the library that are made of words, so no
            bare siteswaps.
        count: greatest number of names.
        alike: least similarity, 0 to 1 (equal).
    """
    if names is None and not _WORD.search(text[:_LONGEST_QUERY]):
        return ()
    index = (
        _names_of_words() if names is None else _NameIndex({name_key(name): name for name in names})
    )
    return index.nearest(name_key(text[:_LONGEST_QUERY]), count, alike)


class _NameIndex:
    """Names that a mistyped one may mean.

    Args:
        by_key: each name by its key, as `name_key` gives it.
    """

    def __init__(self, by_key: Mapping[str, str]) -> None:
        self._by_key = by_key
        self._keys = list(by_key)
        self._lengths = np.array([len(key) for key in self._keys], dtype=np.int32)
        self._counts = np.zeros((len(self._keys), _BINS), dtype=np.int16)
        for counts, key in zip(self._counts, self._keys, strict=True):
            counts += _character_counts(key)

    def nearest(self, typed: str, count: int, alike: float) -> tuple[str, ...]:
        """Return the names whose keys are most like a typed text, best first.

        Args:
            typed: the text in lower case and without signs, like the keys of names.
            count: greatest number of names.
            alike: least ratio of difflib, 0 to 1 (equal).
        """
        # Difflib's ratio is 2·M/T, with M the number of characters that match and T the length of
        # both texts together. M is at most the number of characters that both have, in any order.
        # This upper bound is computed in a hundredth of the time, and leaves few keys to compare.
        shared = np.minimum(self._counts, _character_counts(typed)).sum(axis=1)
        greatest_likeness = 2.0 * shared / np.maximum(self._lengths + len(typed), 1)
        likely = [self._keys[index] for index in np.flatnonzero(greatest_likeness >= alike)]
        nearest_keys = difflib.get_close_matches(typed, likely, n=count, cutoff=alike)
        return tuple(self._by_key[key] for key in nearest_keys)


def _character_counts(text: str) -> Shorts:
    """Count how often each character stands in a text, shape (_BINS,); some share a bin."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    # `bincount` takes signed integers as wide as places in memory: 32 bits in browsers.
    return np.bincount((codes % _BINS).astype(np.intp), minlength=_BINS).astype(np.int16)


@cache
def _names_of_words() -> _NameIndex:
    """Return the names of the library that are made of words, by their keys."""
    by_key = {}
    for pattern in library():
        for name in pattern.names:
            key = name_key(name)
            if any(len(word) > 1 and word.isalpha() for word in key.split()):
                by_key[key] = name
    return _NameIndex(by_key)


# Descriptions are those of the present language, so each index is for one language.
@cache
def _library_index(_code: str) -> SearchIndex:
    return SearchIndex(library())


@lru_cache(maxsize=4)
def _index(patterns: tuple[LibraryPattern, ...], _code: str) -> SearchIndex:
    return SearchIndex(patterns)


class SearchIndex:
    """An index of patterns by their words, names and throws, each with scores by pattern index.

    Args:
        patterns: the patterns that are searched.
    """

    def __init__(self, patterns: Sequence[LibraryPattern]) -> None:
        """Index the words and names of all patterns of a library for searching.

        Names and tags are entered first and descriptions last, which weigh less.

        Args:
            patterns: patterns of the library; the index tells each by its place in this sequence.
        """
        self._patterns = patterns
        # All dictionaries below map the index of a pattern to a score or weight.
        self._words: dict[str, dict[int, float]] = defaultdict(dict)
        """For each word the patterns that have it, and its weight there."""
        self._scores_by_text: dict[str, dict[int, float]] = defaultdict(dict)
        """For each name and siteswap the score of the patterns that have it."""
        self._scores_by_name_length: dict[int, dict[str, dict[int, float]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        """By the length of a name without spaces, then by the name: the score of the patterns that
        have it.
        """
        self._words_of_first_name = [_key(pattern.name).split() for pattern in patterns]
        # A sort key for each pattern. Of patterns that fit alike, those for beginners come first,
        # then easy ones, and those with balls before those with clubs and rings.
        self._order = [
            (
                "starter" not in pattern.tag_keys,
                pattern.difficulty,
                any(kind in pattern.tag_keys for kind in _KINDS),
                index,
            )
            for index, pattern in enumerate(patterns)
        ]
        # The indexed words that a typed word may stand for; cached by the typed word.
        self._alternatives = lru_cache(maxsize=256)(self._find_alternatives)
        # Words are sorted for the search of beginnings; those of descriptions by themselves.
        for index, pattern in enumerate(patterns):
            self._add_words(index, pattern)
            self._add_names(index, pattern)
        self._name_words = sorted(self._words)
        for index, pattern in enumerate(patterns):
            self._add_description(index, pattern)
        self._description_words = sorted(self._words.keys() - self._name_words)
        """Words that only descriptions have; few of them are meant by a part, and none by a number.
        """
        self._words_with_digits = [word for word in self._name_words if any(map(str.isdigit, word))]

    def search(self, text: str) -> tuple[LibraryPattern, ...]:
        """Return the patterns that fit every word of a text, best first.

        Args:
            text: words in any order; without words all patterns fit alike.
        """
        # Scores by pattern index, for patterns that fit every word. Without words all have 0.
        key = _key(text)
        alternatives = [self._alternatives(word) for word in key.split()]
        if alternatives:
            scores = self._word_scores(alternatives)
        else:
            scores = dict.fromkeys(range(len(self._patterns)), 0.0)

        # If the whole text is a name, its score is above that of any words. Names with one typing
        # error are tried only if no name is equal; their scores are slightly lower.
        joined = key.replace(" ", "")
        name_scores: list[Mapping[int, float]] = [
            self._scores_by_text.get(key, {}),
            self._scores_by_text.get(joined, {}),
        ]
        if not any(name_scores):
            name_scores = list(self._near_names({joined, folded_text(text).replace(" ", "")}))
        for scores_of_name in name_scores:
            for index, score in scores_of_name.items():
                scores[index] = max(score, scores.get(index, 0.0))

        # Of equal scores, patterns for beginners and easy ones come first.
        ordered = sorted(scores, key=lambda index: (-scores[index], *self._order[index]))
        return tuple(self._patterns[index] for index in ordered)

    def _add_words(self, pattern_index: int, pattern: LibraryPattern) -> None:
        """Add the words of a pattern to the index; those of its name weigh most.

        Args:
            pattern_index: index of the pattern.
            pattern: pattern whose names, siteswap and tags are added.
        """
        first_name, *aliases = [_key(name) for name in pattern.names]
        weighted_texts = (
            (_NAME_WEIGHT, [first_name]),
            (_TAG_WEIGHT, [*aliases, _siteswap(pattern), *map(_key, pattern.tags)]),
        )
        # The texts with the greatest weight come first, and `setdefault` keeps the first weight of
        # a word.
        for weight, texts in weighted_texts:
            for word in " ".join(texts).split():
                self._words[word].setdefault(pattern_index, weight)
                # A number with a kind of prop, as `5ball`, is also found by `5prop`.
                if word[0].isdigit():
                    self._words[any_props(word)].setdefault(pattern_index, weight)
        self._words[f"{pattern.props}{_kind_in(pattern)}"].setdefault(pattern_index, _TAG_WEIGHT)

    def _add_description(self, pattern_index: int, pattern: LibraryPattern) -> None:
        """Add the words of a pattern's description to the index.

        These are the words in the present language, in English, and as a query in the present
        language is translated.
        """
        descriptions = pattern.shown_description, pattern.description
        shown, english = (_NO_WORD.sub(" ", folded_text(text)) for text in descriptions)
        for word in {*shown.split(), *english.split(), *english_query(shown).split()}:
            if word.isalpha():
                self._words[word].setdefault(pattern_index, _DESCRIPTION_WEIGHT)

    def _add_names(self, pattern_index: int, pattern: LibraryPattern) -> None:
        """Add the names and the siteswap of a pattern to the index, as whole texts.

        The index has, for each text that a user may type, the score with which it finds each
        pattern. The first name of a pattern has the best score, each alias one point less.

        Args:
            pattern_index: index of the pattern in the library.
            pattern: the pattern with its names and its throws.
        """
        # The throws alone come before the same throws with further settings.
        throws_score = _EQUAL_THROWS if pattern.settings else _EQUAL_THROWS + 1
        throws = _siteswap(pattern)
        self._scores_by_text[throws][pattern_index] = throws_score
        # With so many balls and nothing more, people mean this pattern of one juggler.
        if throws == str(pattern.props) and pattern.jugglers == 1:
            self._scores_by_text[f"{throws}{_kind_in(pattern)}"][pattern_index] = throws_score
        for rank, name in enumerate(pattern.names):
            key = _key(name)
            joined = key.replace(" ", "")
            # The name with and without its spaces. A text that occurs again keeps the best score.
            for text, score in ((key, _EQUAL_NAME), (joined, _JOINED_NAME)):
                scores = self._scores_by_text[text]
                scores[pattern_index] = max(score - rank, scores.get(pattern_index, 0.0))

            # Names to be compared with mistyped ones: one with numbers as digits, one as it is
            # written. Short names are left out, as too many texts are one letter away from them.
            for spelled in {joined, folded_text(name).replace(" ", "")}:
                if sum(map(str.isalpha, spelled)) >= _MIN_MISTYPED:
                    self._scores_by_name_length[len(spelled)][spelled].setdefault(
                        pattern_index, _NEAR_NAME - rank
                    )

    def _near_names(self, typed: Iterable[str]) -> Iterator[Mapping[int, float]]:
        """Yield the scores of patterns with a name that is one typing error away from a text."""
        for text in typed:
            for length in range(len(text) - 1, len(text) + 2):
                for name, scores in self._scores_by_name_length.get(length, {}).items():
                    if _one_letter_off(text, name):
                        yield scores

    def _find_alternatives(self, word: str) -> dict[str, float]:
        """Return the indexed words that match a typed word, each with a score.

        Looser kinds of matches are tried only if stricter ones find nothing.

        Args:
            word: one word of the query, in lower case and not empty.

        Returns:
            Score by indexed word, above 0, higher for a better match; empty without matches.
        """
        if any(map(str.isdigit, word)):
            # A word with a digit is a siteswap, or a number of props. A siteswap also matches
            # longer ones that contain it, as 531 in 45313, with a lower score.
            scores = {
                indexed: _fit(word, indexed) or _WITHIN
                for indexed in self._words_with_digits
                if _is_within(word, indexed)
            }
            return {any_props(word): _OTHER_PROPS} | scores

        # Words that begin with the typed one; for descriptions only if it is not too short.
        longer_words = _beginning_with(word, self._name_words)
        scores = {indexed: score for indexed in longer_words if (score := _fit(word, indexed))}
        if len(word) >= _MIN_BEGINNING:
            words = _beginning_with(word, self._description_words)
            scores |= {indexed: _fit(word, indexed) for indexed in words}

        # Words that contain the typed one, or differ by one typing error.
        if not scores and len(word) > 1:
            scores = {indexed: _WITHIN for indexed in self._name_words if word in indexed}
        if not scores and len(word) > _MIN_MISTYPED:
            scores = {
                indexed: _MISTYPED for indexed in self._name_words if _one_letter_off(word, indexed)
            }
        if scores:
            return scores

        # Last, the most similar words. To save time, only words of about the same length and with
        # most of the letters are compared.
        letters = set(word)
        candidates = [
            indexed
            for indexed in self._name_words
            if _MIN_RELATIVE_LENGTH * len(word) <= len(indexed) <= _MAX_RELATIVE_LENGTH * len(word)
            and len(letters.intersection(indexed)) >= _MIN_SHARED_LETTERS * len(letters)
        ]
        return dict.fromkeys(
            difflib.get_close_matches(word, candidates, n=3, cutoff=_MIN_LIKENESS), _MISTYPED
        )

    def _word_scores(self, alternatives: Sequence[Mapping[str, float]]) -> dict[int, float]:
        """Return the indices of the patterns that fit every word, with their scores.

        Args:
            alternatives: for each typed word the indexed words that it may stand for, and how well
                each fits; at least one typed word.
        """
        # For each typed word a dict, by pattern index, of the score of its best alternative there.
        best_scores: list[dict[int, float]] = []
        for fits in alternatives:
            best: dict[int, float] = {}
            for word, fit in fits.items():
                for index, weight in self._words.get(word, {}).items():
                    best[index] = max(fit * weight, best.get(index, 0.0))
            best_scores.append(best)
        fitting = [index for index in best_scores[-1] if all(index in best for best in best_scores)]

        # The sum over all words, and a bonus for the share of the name that was typed: of two names
        # that hold every word, the one that says little else is meant.
        scores = {}
        for index in fitting:
            name_words = self._words_of_first_name[index]
            typed_count = sum(any(word in fits for fits in alternatives) for word in name_words)
            scores[index] = sum(best[index] for best in best_scores)
            scores[index] += _WHOLE_WORD * typed_count / len(name_words)
        return scores


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    """Return a text with its numbers of things as single words: 5club."""
    return _COUNT.sub(r"\1\2", name_key(text))


def _kind_in(pattern: LibraryPattern) -> str:
    """Return the kind of props in a pattern by its tags; balls without any."""
    return next((kind for kind in _KINDS if kind in pattern.tag_keys), "ball")


def _siteswap(pattern: LibraryPattern) -> str:
    return name_key(pattern.siteswap).replace(" ", "")


def _fit(typed: str, indexed: str) -> float:
    """Return how well a typed word fits that of a pattern: as a whole, as its beginning, or not.

    Args:
        typed, indexed: the two words. A typed letter or digit alone is the beginning only of a
            count, as 5 of `5ball`.
    """
    if typed == indexed:
        return _WHOLE_WORD
    begins = indexed.startswith(typed) and (
        len(typed) > 1 or indexed.removeprefix(typed) in _COUNTED
    )
    return _BEGINNING if begins else 0.0


def _beginning_with(beginning: str, sorted_words: Sequence[str]) -> Iterator[str]:
    """Yield the words that begin with a text, from a sorted sequence of words."""
    first = bisect_left(sorted_words, beginning)
    return takewhile(lambda word: word.startswith(beginning), islice(sorted_words, first, None))


def _is_within(typed: str, indexed: str) -> bool:
    """Return whether a typed word fits that of a pattern, or is throws within longer ones."""
    is_throws = len(typed) > 1 and typed[0].isdigit()
    return _fit(typed, indexed) > 0 or (is_throws and typed in indexed)


def _one_letter_off(typed: str, meant: str) -> bool:
    """Return whether two different texts differ by a single typing error.

    A letter may be wrong, missing, too much, or exchanged with its neighbour (an edit distance of
    1, after Damerau and Levenshtein). Digits are never typing errors.

    Args:
        typed: what somebody typed.
        meant: a word that may have been meant; the order of the two does not matter.
    """
    # Two quick tests come first, as most texts differ in much more.
    if abs(len(typed) - len(meant)) > 1:
        return False
    # One error changes at most two letters, side by side. The first `half` letters and the last
    # `half` have two or more letters between them, so at least one of these parts is unchanged.
    half = max(min(len(typed), len(meant)) - 2, 0) // 2
    same_beginning = typed[:half] == meant[:half]
    same_end = typed[len(typed) - half :] == meant[len(meant) - half :]
    if not same_beginning and not same_end:
        return False

    # Cut off the common beginning and end, so that only the difference is left.
    begin = _shared_beginning(typed, meant)
    typed = typed[begin:]
    meant = meant[begin:]
    end = _shared_beginning(typed[::-1], meant[::-1])
    typed = typed[: len(typed) - end]
    meant = meant[: len(meant) - end]
    if any(map(str.isdigit, typed + meant)):
        return False  # other numbers mean other patterns
    exchanged = len(typed) == len(meant) == 2 and typed == meant[::-1]
    return exchanged or max(len(typed), len(meant)) == 1


def _shared_beginning(typed: str, meant: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = zip(typed, meant, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
