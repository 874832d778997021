"""The pattern library: named patterns that come with the program, from the TOML files in `patterns/`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from juggle_anim.errors import LibraryError
from juggle_anim.resources import resource


@dataclass(frozen=True)
class LibraryPattern:
    """One named pattern.

    Args:
        name: what jugglers call it; no two patterns share one, whatever the case.
        siteswap: the pattern as one would type it.
        tags: words to find it by.
        difficulty: 1 (anyone in an hour) to 10 (years of practice).
        description: a sentence or two about it.
    """

    name: str
    siteswap: str
    tags: tuple[str, ...]
    difficulty: int
    description: str


@cache
def library() -> tuple[LibraryPattern, ...]:
    """All patterns that come with the program, file after file in the order written there.

    Raises:
        LibraryError: a file is broken.
    """
    return read_library(resource("patterns"))


def find_pattern(name: str) -> LibraryPattern | None:
    """The pattern of the library with this name, in any case and spacing; None if there is none."""
    wanted = _key(name)
    return next((pattern for pattern in library() if _key(pattern.name) == wanted), None)


def read_library(folder: Path) -> tuple[LibraryPattern, ...]:
    """All patterns in the `.toml` files of a folder.

    Raises:
        LibraryError: a file is no TOML, a pattern lacks a field or has one of the wrong kind, or two share a name.
    """
    patterns: dict[str, LibraryPattern] = {}
    for path in sorted(folder.glob("*.toml")):
        for number, entry in enumerate(_entries(path), start=1):
            pattern = _pattern(entry, f"{path}: pattern {number}")
            if _key(pattern.name) in patterns:
                raise LibraryError(f"{path}: pattern {number}: there is another pattern named {pattern.name!r}")
            patterns[_key(pattern.name)] = pattern
    return tuple(patterns.values())


def _entries(path: Path) -> list[Any]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise LibraryError(f"{path}: this file cannot be read as TOML: {error}") from error
    entries = data.pop("pattern", None)
    if data or not isinstance(entries, list):
        raise LibraryError(f"{path}: a pattern file holds [[pattern]] tables and nothing else")
    return entries


def _pattern(entry: Any, where: str) -> LibraryPattern:
    names = [field.name for field in fields(LibraryPattern)]
    if not isinstance(entry, dict) or sorted(entry) != sorted(names):
        found = ", ".join(entry) if isinstance(entry, dict) else repr(entry)
        raise LibraryError(f"{where}: it has {found or 'nothing'}, but must have {', '.join(names)}")
    for name in ("name", "siteswap", "description"):
        _expect(isinstance(entry[name], str) and entry[name].strip() != "", where, name, "a text")
    tags, difficulty = entry["tags"], entry["difficulty"]
    _expect(isinstance(tags, list) and all(isinstance(tag, str) for tag in tags), where, "tags", "a list of texts")
    _expect(type(difficulty) is int and 1 <= difficulty <= 10, where, "difficulty", "a whole number from 1 to 10")
    return LibraryPattern(**{**entry, "tags": tuple(tags)})


def _expect(holds: bool, where: str, name: str, accepted: str) -> None:
    if not holds:
        raise LibraryError(f"{where}: its {name} must be {accepted}")


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
