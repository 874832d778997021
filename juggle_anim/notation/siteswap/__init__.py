"""Siteswap: parsing, placing on beats, wildcards, and writing."""

from typing import TYPE_CHECKING

from juggle_anim.lazy_dataclass import imported_at_first_use

if TYPE_CHECKING:
    from juggle_anim.notation.siteswap.read import (
        check_average,
        read_siteswap,
    )
    from juggle_anim.notation.siteswap.syntax import (
        BOUNCE_STYLES,
        PLAIN,
        Group,
        Pair,
        Passing,
        PlacedThrow,
        Placement,
        Single,
        Start,
        Token,
        WrittenThrow,
        parse,
        place_throws,
        reads_without_end_mark,
        tokenize,
    )
    from juggle_anim.notation.siteswap.wildcard import completions, near_siteswaps
    from juggle_anim.notation.siteswap.write import (
        throw_text,
        write_siteswap,
        write_throws,
    )

__all__ = [
    "BOUNCE_STYLES",
    "PLAIN",
    "Group",
    "Pair",
    "Passing",
    "PlacedThrow",
    "Placement",
    "Single",
    "Start",
    "Token",
    "WrittenThrow",
    "check_average",
    "completions",
    "near_siteswaps",
    "parse",
    "place_throws",
    "read_siteswap",
    "reads_without_end_mark",
    "throw_text",
    "tokenize",
    "write_siteswap",
    "write_throws",
]

# Imported when first used: readers of other notations need the syntax alone.
__getattr__ = imported_at_first_use(
    __name__,
    {
        "read": (
            "check_average",
            "read_siteswap",
        ),
        "syntax": (
            "BOUNCE_STYLES",
            "PLAIN",
            "Group",
            "Pair",
            "Passing",
            "PlacedThrow",
            "Placement",
            "Single",
            "Start",
            "Token",
            "WrittenThrow",
            "parse",
            "place_throws",
            "reads_without_end_mark",
            "tokenize",
        ),
        "wildcard": ("completions", "near_siteswaps"),
        "write": (
            "throw_text",
            "write_siteswap",
            "write_throws",
        ),
    },
)
