"""The throws alone of whatever people type for a pattern."""

from __future__ import annotations

from juggle_anim.notation.library import LibraryPattern
from juggle_anim.notation.look_up import look_up
from juggle_anim.notation.settings import read_settings
from juggle_anim.pattern import Pattern


def read_pattern(text: str) -> Pattern:
    """The throws that a text stands for; `read_settings` gives all else that the library says of a name.

    Args:
        text: a siteswap, or a name or alias of the library in any case.

    Raises:
        NotationError: it is neither; a name that is nearly right is suggested.
    """
    found = look_up(text)
    if not isinstance(found, LibraryPattern):
        return found
    pattern = read_settings(found.settings_text).score.pattern
    assert pattern is not None, "settings always hold a pattern"
    return pattern
