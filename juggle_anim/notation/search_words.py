"""Words of a search in the present language: tags of the library as people read them, and queries made of these."""

from __future__ import annotations

from functools import cache

from juggle_anim.errors import counted
from juggle_anim.language import language, pgettext
from juggle_anim.notation.library import folded_text, library

_KINDS = ("ball", "club", "ring", "prop", "juggler")
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
    known = _english_words(language())
    words, found = folded_text(text).split(), list[str]()
    if not known or not words:
        return text
    longest = max(len(phrase) for phrase in known)
    at = 0
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if tuple(words[at : at + n]) in known), 0)
        found.append(known[tuple(words[at : at + length])] if length else words[at])
        at += max(length, 1)
    return " ".join(found)


@cache
def _english_words(code: str) -> dict[tuple[str, ...], str]:
    """By the words of a phrase in a language, what it is in English; the language is the present one."""
    if code == "en":
        return {}
    tags = {tag for pattern in library() for tag in pattern.tags if not tag[:1].isdigit()}
    phrases = {tag_words(tag): tag for tag in sorted(tags)}
    phrases |= {counted(few, kind).partition(" ")[2]: f"{kind}{'s' * (few > 1)}" for kind in _KINDS for few in _FEW}
    return {tuple(folded_text(phrase).split()): english for phrase, english in phrases.items()}
