"""Reading: from text to patterns."""

from juggle_anim.notation.check import Check, check, orbit_values
from juggle_anim.notation.library import LibraryPattern, find_pattern, library
from juggle_anim.notation.pattern_text import read_pattern
from juggle_anim.notation.search import nearest_names, search
from juggle_anim.notation.settings import Settings, read_settings, write_settings
from juggle_anim.notation.siteswap import read_siteswap
from juggle_anim.notation.wildcard import completions

__all__ = [
    "Check",
    "LibraryPattern",
    "Settings",
    "check",
    "completions",
    "find_pattern",
    "library",
    "nearest_names",
    "orbit_values",
    "read_pattern",
    "read_settings",
    "read_siteswap",
    "search",
    "write_settings",
]
