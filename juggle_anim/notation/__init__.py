"""Notation: patterns read from texts and files, written, searched and checked."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from juggle_anim.notation.facts import (
        Check,
        check,
        check_all,
        check_completions,
        orbit_values,
    )
    from juggle_anim.notation.files import (
        open_first,
        open_pattern,
        open_patterns,
        read_file,
        record_of,
        write_file,
    )
    from juggle_anim.notation.library import LibraryPattern, find_pattern
    from juggle_anim.notation.pattern_list import Entry, PatternList
    from juggle_anim.notation.prechac import read_prechac
    from juggle_anim.notation.search import nearest_names
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
    "with_settings",
    "write_file",
    "write_settings",
]

# Where each name lives; it is imported when first used, so that a siteswap is read without loading
# files, lists and checks.
_HOMES = {
    "facts": ("Check", "check", "check_all", "check_completions", "orbit_values"),
    "files": (
        "open_first",
        "open_pattern",
        "open_patterns",
        "read_file",
        "record_of",
        "write_file",
    ),
    "library": ("LibraryPattern", "find_pattern"),
    "pattern_list": ("Entry", "PatternList"),
    "prechac": ("read_prechac",),
    "search": ("nearest_names",),
    "settings.settings": ("Settings", "read_settings", "with_settings", "write_settings"),
    "siteswap.read": ("read_siteswap",),
    "siteswap.wildcard": ("completions",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"juggle_anim.notation.{home}"), name)
    raise AttributeError(f"module 'juggle_anim.notation' has no attribute {name!r}")
