"""The pattern library: named patterns that come with the program as TOML files in `patterns/`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from juggle_anim.errors import LibraryError
from juggle_anim.language import _, library_text
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import MAX_JUGGLERS, MAX_PROPS, NUMBER_WORDS
from juggle_anim.notation.settings.syntax import escaped
from juggle_anim.parameters import HAND_STYLES
from juggle_anim.resources import resource


@dataclass(frozen=True)
class LibraryPattern:
    """One named pattern.

    Args:
        name: what jugglers call it, or its siteswap if they just say that.
        siteswap: the throws as one would type them.
        tags: words to find it by, the numbers of props and of several jugglers, clubs and rings
            among them.
        difficulty: 1 (learnt in an hour) to 10 (years of practice).
        description: a sentence or two about it, in English; `shown_description` is what people
            read.
        aliases: other names; no two patterns share a name, as `name_key` sees it.
        props: how many; 0 where unknown.
        jugglers: how many.
        settings: further keys and values of its settings string.
    """

    name: str
    siteswap: str
    tags: tuple[str, ...]
    difficulty: int
    description: str
    aliases: tuple[str, ...] = ()
    props: int = 0
    jugglers: int = 1
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and aliases, the name first."""
        return self.name, *self.aliases

    @property
    def shown_description(self) -> str:
        """Its description in the present language; one that is not of the library stays as it
        is.
        """
        return library_text(self.description)

    @cached_property
    def tag_keys(self) -> frozenset[str]:
        """Its tags, each as `tag_key` sees it."""
        return frozenset(map(tag_key, self.tags))

    @cached_property
    def settings_text(self) -> str:
        """The settings string of the pattern: throws, settings and title."""
        keys = {key for key, _ in self.settings}
        # Hands or dwell alone would mean Juggling Lab's style, whose hands are lower than people's.
        style = (
            [("style", HAND_STYLES[0])] if keys & {"hands", "dwell"} and "style" not in keys else []
        )
        pairs = ("pattern", self.siteswap), *self.settings, *style, ("title", escaped(self.name))
        return ";".join(f"{key}={value}" for key, value in pairs)


@cache
def library() -> tuple[LibraryPattern, ...]:
    """Return all patterns that come with the program, file after file in the order written there.

    Raises:
        LibraryError: a file is broken.
    """
    return read_library(resource("patterns"))


_COUNT_LAST = re.compile(r"(\D+)\s(\d+)(\s\D+)?")
"""The key of a name, then a number of props, and perhaps their kind."""


def find_pattern(name: str) -> LibraryPattern | None:
    """Return the pattern of the library with this name or alias; None if there is none.

    The name may differ in case, accents and hyphens. A number of balls, clubs, rings or props finds
    the pattern of other props where these have none of that name, and "machine" finds The machine,
    as "snatch" finds Snatches, "flats" Three-club flats and "cherrypicker" Cherry picker.
    """
    if len(name) > _MAX_NAME_LENGTH or _OF_NO_NAME.search(name):
        return None
    key = name_key(name)
    # The tables have the patterns by their whole names, by names without the kind of prop, then
    # also in the singular, and then also without the number of props. The first that has the name
    # counts.
    pattern = (
        _by_name().get(key)
        or _by_any_props().get(any_props(key))
        or _by_singular().get(_singular(key))
        or _without_count().get(_singular(key))
    )
    # The number may stand last, as in `cascade 5`.
    if pattern is None and (counted := _COUNT_LAST.fullmatch(key)):
        return find_pattern(f"{counted[2]}{counted[3] or ' prop'} {counted[1]}")
    # Last, the name may be written as one word, unless it is short, since then it may be a siteswap
    # of letters.
    if pattern is None and len(key) >= _MIN_JOINED_LETTERS:
        return _by_letters().get(_letters(key))
    return pattern


def name_key(name: str) -> str:
    """Normalize a name, as to case, accents, spaces, hyphens and how numbers are written."""
    spaced = _COUNTED_PROPS.sub(r"\1 \2 ", folded_text(name))
    return " ".join(_NORMAL_WORDS.get(word, word) for word in spaced.split())


def folded_text(text: str) -> str:
    """Return a text in lower case, without accents, apostrophes and hyphens between words."""
    plain = text.casefold().replace("×", "x")
    # Compatibility decomposition splits letters from their accents, which are dropped.
    if not plain.isascii():
        plain = "".join(
            c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c)
        )
    # A hyphen that joins no words is kept: -531 is not a name.
    return " ".join(_JOINED.sub(" ", plain).replace("'", "").replace("’", "").split())


def any_props(key: str) -> str:
    """Return a name's key with balls, clubs and rings replaced by props: `5 prop cascade`."""
    return _SOME_PROPS.sub(r"\1prop", key)


def tag_key(tag: str) -> str:
    """Normalize a tag as a name; `3 balls` are `3 props`."""
    return any_props(name_key(tag))


def count_tags(props: int, jugglers: int) -> tuple[str, ...]:
    """Return the tags of counts: `3 props`, and `2 jugglers` where there are several."""
    counted = f"{props} prop" if props == 1 else f"{props} props"
    return (counted, f"{jugglers} jugglers") if jugglers > 1 else (counted,)


def read_library(folder: Path) -> tuple[LibraryPattern, ...]:
    """Read all patterns in the TOML files of a folder, in the order of the files' names.

    Files in JSON with the same tables, which are read 20 times as fast, may replace them.

    Raises:
        LibraryError: a file is no TOML, a pattern lacks a field or has one of the wrong kind, or
            two share a name.
    """
    patterns: list[LibraryPattern] = []
    names: set[str] = set()  # keys of all names so far, to find doubled ones
    for path in sorted((*folder.glob("*.toml"), *folder.glob("*.json"))):
        for number, entry in enumerate(_read_tables(path), start=1):
            pattern = _read_pattern(entry, _("{path}: pattern {number}", path=path, number=number))
            for name in pattern.names:
                if name_key(name) in names:
                    raise LibraryError(
                        _(
                            "{path}: pattern {number}: there is another pattern named {name!r}",
                            path=path,
                            number=number,
                            name=name,
                        )
                    )
                names.add(name_key(name))
            patterns.append(pattern)
    return tuple(patterns)


@cache
def _by_name() -> Mapping[str, LibraryPattern]:
    return MappingProxyType(
        {name_key(name): pattern for pattern in library() for name in pattern.names}
    )


@cache
def _by_any_props() -> Mapping[str, LibraryPattern]:
    # Patterns for balls go before those for other props.
    ordered = sorted(_by_name().items(), key=lambda item: "prop" not in dict(item[1].settings))
    return MappingProxyType({any_props(key): pattern for key, pattern in ordered})


@cache
def _by_singular() -> Mapping[str, LibraryPattern]:
    return _by_short_name(_singular)


@cache
def _without_count() -> Mapping[str, LibraryPattern]:
    """Return patterns by their names without the count of props, in the singular: `cascade`.

    Of several such patterns, the one with the fewest props is meant.
    """
    # Patterns with the most props come first, so that those with fewer replace them in the dict.
    most_props_first = sorted(_by_any_props().items(), key=lambda item: -item[1].props)
    patterns = {}
    for key, pattern in most_props_first:
        if match := _COUNT.match(key):
            patterns[_singular(match[1])] = pattern
    return MappingProxyType(patterns)


@cache
def _by_letters() -> Mapping[str, LibraryPattern]:
    return _by_short_name(_letters)


def _by_short_name(shorten: Callable[[str], str]) -> Mapping[str, LibraryPattern]:
    """Return the patterns of the library by shortened names.

    A short name that two patterns share, as Slam and Slams do, stands for neither.

    Args:
        shorten: makes the short name of a name's key; empty if the key has none.
    """
    # None marks a short name that is shared, so that a third pattern does not get it either.
    patterns: dict[str, LibraryPattern | None] = {}
    for key, pattern in _by_any_props().items():
        short_name = shorten(key)
        is_shared = short_name in patterns and patterns[short_name] is not pattern
        patterns[short_name] = None if is_shared else pattern
    return MappingProxyType({key: pattern for key, pattern in patterns.items() if key and pattern})


def _letters(key: str) -> str:
    """Return a name's key as one word without a plural's s; empty if it has more than letters."""
    word = any_props(key).removeprefix("the ").replace(" ", "")
    return _PLURAL.sub("", word) if word.isalpha() else ""


def _singular(key: str) -> str:
    """Return a name's key without an article and the s of plurals."""
    words = any_props(key).removeprefix("the ").split()
    return " ".join(_PLURAL.sub("", word) for word in words)


def _read_tables(path: Path) -> list[Any]:
    """Read the tables of patterns in a file of TOML or JSON; their fields are not checked.

    Raises:
        LibraryError: the file is neither, or holds anything else.
    """
    # Imported here, since reading a siteswap needs no library.
    import json
    import tomllib

    loads: Callable[[str], Any] = json.loads if path.suffix == ".json" else tomllib.loads
    try:
        data = loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:  # errors of TOML, JSON and UTF-8 are ValueErrors
        raise LibraryError(
            _("{path}: cannot read this file as TOML: {error}", path=path, error=error)
        ) from error
    entries = data.pop("pattern", None)
    if data or not isinstance(entries, list):
        raise LibraryError(_("{path}: a pattern file has only [[pattern]] tables", path=path))
    return entries


def _read_pattern(entry: Any, where: str) -> LibraryPattern:
    """Return the pattern of a table of a TOML file; check all fields.

    Args:
        entry: the parsed table.
        where: the file and the number of the pattern, for errors.

    Raises:
        LibraryError: a field is missing, unknown or of the wrong kind.
    """
    _check_field_names(entry, where)
    _check_values(entry, where)
    fields = dict(entry)
    # Tags of the numbers and the kind of props are added, so that files need not repeat them.
    settings = _read_settings(entry.get("settings", {}), where)
    number_tags = count_tags(entry["props"], entry.get("jugglers", 1))
    kind_tags = _KIND_TAGS.get(dict(settings).get("prop", ""), ())
    fields["tags"] = (*number_tags, *kind_tags, *entry.get("tags", ()))
    fields["aliases"] = tuple(entry.get("aliases", ()))
    fields["settings"] = settings
    return LibraryPattern(**fields)


def _check_field_names(entry: Any, where: str) -> None:
    """Check that a table has all required fields, and none that is unknown.

    Args:
        entry: the parsed table.
        where: the file and the number of the pattern, for errors.

    Raises:
        LibraryError: it is no table, or has other fields.
    """
    is_table = isinstance(entry, dict)
    if not (is_table and _REQUIRED_FIELDS <= entry.keys() <= _ALLOWED_FIELDS):
        names = ", ".join(entry) if is_table else repr(entry)
        required = [name for name in _FIELD_ORDER if name in _REQUIRED_FIELDS]
        optional = [name for name in _FIELD_ORDER if name not in _REQUIRED_FIELDS]
        raise LibraryError(
            _(
                "{where}: it has {found}, but must have {must}, and may have {may}",
                where=where,
                found=names or _("nothing"),
                must=", ".join(required),
                may=", ".join(optional),
            )
        )


def _check_values(entry: Mapping[str, Any], where: str) -> None:
    """Check kinds and ranges of all fields of a table except its settings.

    Args:
        entry: the parsed table, with all required fields.
        where: the file and the number of the pattern, for errors.

    Raises:
        LibraryError: a value is of the wrong kind or out of range.
    """
    for name in ("name", "siteswap", "description"):
        if not _is_text(entry[name]):
            raise _wrong_field(where, name, _("text"))
    # Optional fields that are absent pass the check: an empty list, and the lowest number.
    for name in ("tags", "aliases"):
        texts = entry.get(name, [])
        if not (isinstance(texts, list) and all(map(_is_text, texts))):
            raise _wrong_field(where, name, _("a list of texts"))
    for name, (low, high) in _WHOLE_NUMBER_RANGES.items():
        number = entry.get(name, low)
        # The type is compared, since `isinstance` would accept true and false as integers.
        if not (type(number) is int and low <= number <= high):
            accepted = _("a whole number from {low} to {high}", low=low, high=high)
            raise _wrong_field(where, name, accepted)


def _is_text(value: Any) -> bool:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and value.strip() != ""


def _read_settings(entry: Any, where: str) -> tuple[tuple[str, str], ...]:
    """Return the keys and values of a pattern's table of settings, as settings strings write them.

    Raises:
        LibraryError: the text is not such a table; the message begins with `where`.
    """
    is_table = isinstance(entry, dict) and all(
        isinstance(value, str | int | float) for value in entry.values()
    )
    if not is_table:
        raise _wrong_field(where, "settings", _("a table of texts, numbers and true or false"))
    # TOML and settings strings write true and false alike, Python does not.
    return tuple(
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in entry.items()
    )


def _wrong_field(where: str, name: str, accepted: str) -> LibraryError:
    """Return the error for a field whose value is not accepted there."""
    return LibraryError(
        _("{where}: its {name} must be {accepted}", where=where, name=name, accepted=accepted)
    )


_JOINED = re.compile(r"(?<=[^\W_])[-‐‑–_](?=[^\W_])")
_NORMAL_WORDS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)} | {
    "balls": "ball", "clubs": "club", "rings": "ring", "props": "prop"
}  # fmt: skip
_COUNTED_PROPS = re.compile(rf"\b({'|'.join(NUMBER_WORDS)}|\d+) ?(ball|club|ring|prop)(?:s\b)?")
"""A number of props, which may be joined to what follows: `4-ballshower`."""

_COUNT = re.compile(r"\d+\sprop\s(.+)")

_OF_NO_NAME = re.compile(r"[{}=;<>|]")  # signs of settings, sides and code
_MAX_NAME_LENGTH = 80  # characters; twice the longest, so that texts cost nothing
_MIN_JOINED_LETTERS = 4  # of names that are found as one word

_PLURAL = re.compile(r"(?<=[hx])es$|(?<=ss)es$|(?<=[^s]{2})s$")
_SOME_PROPS = re.compile(r"\b(\d+ ?)(ball|club|ring)\b")
_KIND_TAGS = {"club": ("clubs",), "ring": ("rings",)}
_WHOLE_NUMBER_RANGES = {
    "difficulty": (1, 10),
    "props": (1, MAX_PROPS),
    "jugglers": (1, MAX_JUGGLERS),
}
_PATTERN_FIELDS = fields(LibraryPattern)
_FIELD_ORDER = tuple(field.name for field in _PATTERN_FIELDS)
_ALLOWED_FIELDS = frozenset(_FIELD_ORDER)
_REQUIRED_FIELDS = frozenset(
    field.name for field in _PATTERN_FIELDS if field.default is MISSING
) | {"props"}
