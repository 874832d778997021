"""Reading: from text to patterns."""

from juggle_anim.notation.check import Check, check, orbit_values
from juggle_anim.notation.library import LibraryPattern, find_pattern, library
from juggle_anim.notation.pattern_text import read_pattern
from juggle_anim.notation.search import nearest_names, search
from juggle_anim.notation.siteswap import read_siteswap

__all__ = [
    "Check",
    "LibraryPattern",
    "check",
    "find_pattern",
    "library",
    "nearest_names",
    "orbit_values",
    "read_pattern",
    "read_siteswap",
    "search",
]
