"""Notation: patterns read from texts and files, written, searched and checked."""

from juggle_anim.notation.check import Check, check, check_all, check_completions, orbit_values
from juggle_anim.notation.files import read_file, record_of, write_file
from juggle_anim.notation.library import LibraryPattern, find_pattern, library
from juggle_anim.notation.open import open_first, open_pattern, open_patterns
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.prechac import read_prechac
from juggle_anim.notation.search import nearest_names, search
from juggle_anim.notation.settings.settings import (
    Settings,
    read_settings,
    with_settings,
    write_settings,
)
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.wildcard import completions

__all__ = [
    "Check",
    "Entry",
    "LibraryPattern",
    "PatternList",
    "Settings",
    "check",
    "check_all",
    "check_completions",
    "completions",
    "find_pattern",
    "library",
    "nearest_names",
    "open_first",
    "open_pattern",
    "open_patterns",
    "orbit_values",
    "read_file",
    "read_prechac",
    "read_settings",
    "read_siteswap",
    "record_of",
    "search",
    "with_settings",
    "write_file",
    "write_settings",
]
