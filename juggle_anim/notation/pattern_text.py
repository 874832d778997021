"""Whatever people type for a pattern: a siteswap, or the name of one in the library."""

from __future__ import annotations

import difflib

from juggle_anim.errors import NotationError
from juggle_anim.notation.library import find_pattern, library
from juggle_anim.notation.siteswap import read_siteswap
from juggle_anim.pattern import Pattern

# Names this alike are suggested for one that is mistyped.
_ALIKE = 0.7


def read_pattern(text: str) -> Pattern:
    """The pattern that a text stands for.

    Args:
        text: a siteswap, or a name of the library in any case.

    Raises:
        NotationError: it is neither; a name that is nearly right is suggested.
    """
    if not isinstance(text, str):
        raise NotationError(
            str(text), 0, f"a pattern is text, not {type(text).__name__}", 'write it in quotes, as "531"'
        )
    known = find_pattern(text)
    if known:
        return read_siteswap(known.siteswap)
    try:
        return read_siteswap(text)
    except NotationError as error:
        # A pattern that is only known by its siteswap is no name to suggest.
        named = [pattern.name for pattern in library() if pattern.name != pattern.siteswap]
        names = {name.casefold(): name for name in named}
        near = difflib.get_close_matches(text.casefold()[:100], names, n=1, cutoff=_ALIKE)
        if not near:
            raise
        hint = f"{error.accepted}\nor did you mean {names[near[0]]}, which `juggle-anim list` shows?"
        raise NotationError(text, error.index, error.reason, hint) from error
