"""Reading: from text to patterns."""

from juggle_anim.notation.library import LibraryPattern, find_pattern, library
from juggle_anim.notation.pattern_text import read_pattern
from juggle_anim.notation.siteswap import read_siteswap

__all__ = ["LibraryPattern", "find_pattern", "library", "read_pattern", "read_siteswap"]
