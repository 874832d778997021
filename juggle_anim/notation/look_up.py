"""Whatever people type for a pattern: a siteswap, or the name of one in the library."""

from __future__ import annotations

from juggle_anim.errors import NotationError
from juggle_anim.notation.library import LibraryPattern, find_pattern
from juggle_anim.notation.search import nearest_names
from juggle_anim.notation.siteswap import read_siteswap
from juggle_anim.pattern import Pattern


def look_up(text: str) -> Pattern | LibraryPattern:
    """The throws that a text writes, or the pattern of the library that it names.

    Args:
        text: a siteswap, or a name or alias of the library in any case.

    Raises:
        NotationError: it is neither; a name that is nearly right is suggested.
    """
    if not isinstance(text, str):
        raise NotationError(
            str(text), 0, f"a pattern is text, not {type(text).__name__}", 'write it in quotes, as "531"'
        )
    # No name that begins with a digit or a bracket is some other siteswap, so the library need not be read for one.
    may_be_word = text.strip()[:1].isalpha()
    # A name that is the siteswap itself, as b97531, says no more than the throws.
    if may_be_word and (known := find_pattern(text)) and known.siteswap != text.strip():
        return known
    try:
        return read_siteswap(text)
    except NotationError as error:
        if not may_be_word and (known := find_pattern(text)):
            return known
        near = nearest_names(text)
        if not near:
            raise
        hint = f"{error.accepted}\nor did you mean {near[0]}, which `juggle-anim list` shows?"
        raise NotationError(text, error.index, error.reason, hint) from error
