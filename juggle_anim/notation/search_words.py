"""Words of a search in the present language: tags of the library as people read them, and queries made of these."""

from __future__ import annotations

from functools import cache

from juggle_anim.errors import counted
from juggle_anim.language import language, pgettext
from juggle_anim.notation.library import LibraryPattern, folded_text, library, name_key

_KINDS = ("ball", "club", "ring", "prop", "juggler")
_PROPS = ("ball", "club", "ring")
_SHORT, _ENDING = 2, 2  # letters of words that are too short to have endings, and of endings
_FEW = (1, 2)  # a number for each form of a word


def tag_words(tag: str) -> str:
    """A tag of the library in the present language; one of other files stays as it is."""
    number, _space, thing = tag.partition(" ")
    if number.isdecimal() and thing.removesuffix("s") in ("prop", "juggler"):
        return counted(int(number), thing.removesuffix("s"))
    return pgettext("tag", tag)


def english_query(text: str) -> str:
    """A query in which words of the present language are those that patterns are found by: `5 Bälle`, `5 balls`.

    Args:
        text: words in any order; those that stand for nothing stay as they are.
    """
    known, empty = _english_words(language()), _empty_words(language())
    words, found = folded_text(text).split(), list[str]()
    if not known or not words:
        return text
    words = [word for word in words if word not in empty] or words
    longest = max(len(phrase) for phrase in known)
    at = 0
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if tuple(words[at : at + n]) in known), 0)
        found.append(known[tuple(words[at : at + length])] if length else _kind_of(words[at]) or words[at])
        at += max(length, 1)
    return " ".join(found)


def named_pattern(text: str) -> LibraryPattern | None:
    """The pattern of the library whose name is these words in the present language, in any order, as `Kaskade`."""
    query = english_query(text)
    words = sorted(name_key(query).split())
    if query == text or not words:
        return None
    return next((found for found in library() if sorted(name_key(found.name).split()) == words), None)


def pattern_and_props(text: str) -> tuple[str, str] | None:
    """A pattern and the props that follow it, in English or the present language: `531 clubs`, `Box mit Keulen`.

    Returns:
        The text of the pattern and the kind of props; None if no props are named.
    """
    words = text.split()
    kind = _kind_of(folded_text(words.pop())) if len(words) > 1 else None
    if kind and len(words) > 1 and words[-1].casefold() in ("with", word_for_with()):
        words.pop()
    return (" ".join(words), kind) if kind else None


def word_for_with() -> str:
    """The word of the present language between a pattern and its props."""
    return pgettext("531 with clubs", "with")


def is_form_of(word: str, one: str) -> bool:
    """Whether a word may be a plural of another one, or a case of it, as they end in European languages."""
    return len(one) > _SHORT and word.startswith(one) and len(word) <= len(one) + _ENDING


def _kind_of(word: str) -> str | None:
    """The kind of props that a word names, one or many."""
    return next((kind for one, kind in _kinds(language()).items() if word == one or is_form_of(word, one)), None)


@cache
def _kinds(_code: str) -> dict[str, str]:
    """Kinds of props by what one is called in English, and in a language; that is the present one."""
    named = {folded_text(counted(1, kind).partition(" ")[2]): kind for kind in _PROPS}
    also = {"ball": pgettext("also called", "ball"), "club": pgettext("also called", "club"),
            "ring": pgettext("also called", "ring")}  # fmt: skip
    return {kind: kind for kind in _PROPS} | {folded_text(word): kind for kind, word in also.items()} | named


@cache
def _empty_words(_code: str) -> frozenset[str]:
    """Words that join others and that no pattern is found by, in a language, which is the present one."""
    return frozenset(folded_text(pgettext("words that join others in a search", "with of for and the a")).split())


@cache
def _english_words(code: str) -> dict[tuple[str, ...], str]:
    """By the words of a phrase in a language, what it is in English; the language is the present one."""
    if code == "en":
        return {}
    tags = {tag for pattern in library() for tag in pattern.tags if not tag[:1].isdigit()}
    phrases = {tag_words(tag): tag for tag in sorted(tags)}
    phrases |= {counted(few, kind).partition(" ")[2]: f"{kind}{'s' * (few > 1)}" for kind in _KINDS for few in _FEW}
    counts = folded_text(pgettext("numbers as words", "one two three four five six seven eight nine ten")).split()
    phrases |= {word: str(number) for number, word in enumerate(counts, start=1)}
    return {tuple(folded_text(phrase).split()): english for phrase, english in phrases.items()}
