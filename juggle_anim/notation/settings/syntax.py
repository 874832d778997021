"""Settings syntax: strings and links split into keys and values; those of strings know their
position in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

from juggle_anim.errors import NotationError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import MAX_SETTINGS_LENGTH
from juggle_anim.parameters import FOREIGN_KEYS, left_out_note

Value = TypeVar("Value")

_PATTERN_KEYS = ("pattern", "siteswap", "throws", "p", "s")
_WINDOW_KEYS = ("width", "height")
_PASSIST = r"/(?:[a-z-]+-)?siteswap/([^/]+)"
_PASSIST_JUGGLERS = 2

_LINK_FORM = N_(
    "a link with pattern=, such as jugglinglab.org/anim?pattern=531;dwell=1, or "
    "passist.org/siteswap/726?jugglers=2"
)


class Setting(NamedTuple):
    """The value of one setting, or a part of it.

    Args:
        whole: the text that it is a part of.
        start: index in it of the first character of the value.
        text: the value.
    """

    whole: str
    start: int
    text: str

    @classmethod
    def of_text(cls, text: str) -> Setting:
        """Return a value that was given without a key, so that errors show it alone."""
        return cls(text, 0, text)

    def fields(self, separator: str) -> Iterator[Setting]:
        """Yield the parts of the value between separators, which are one character each."""
        start = self.start
        for field in self.text.split(separator):
            yield Setting(self.whole, start, field)
            start += len(field) + 1

    def read(self, reader: Callable[[str], Value]) -> Value:
        """Return the value, read by `reader`.

        Raises:
            NotationError: the error of `reader`, with the caret under the place in the whole text.
        """
        try:
            return reader(self.text)
        except NotationError as error:
            raise self.error(error.index, error.reason, error.accepted) from error

    def error(self, index: int, reason: str, accepted: str) -> NotationError:
        """Return the error for a mistake at an index of the value."""
        return NotationError(self.whole, self.start + index, reason, accepted)

    @property
    def indent(self) -> int:
        """The number of blanks before the value."""
        return indent(self.text)


def split_settings(
    text: str, known: Sequence[str], left_out: list[str] | None = None
) -> dict[str, Setting]:
    """Split a settings string into settings by key, in lower case and in their order.

    Args:
        text: `key=value;key=value`, keys in any case; a `;` within a value is written as backslash
            and `;`. The first value may be written without its key.
        known: the accepted keys; the first is that of a value without a key.
        left_out: list to which a note is appended for each key of `FOREIGN_KEYS`, which is skipped.
            If it is None, these keys are errors, like all unknown ones.

    Raises:
        NotationError: a key is unknown or given twice, or has no value; or the text is too long.
    """
    if len(text) > MAX_SETTINGS_LENGTH:
        accepted = _(
            "the limit for settings is {max_settings_length}",
            max_settings_length=MAX_SETTINGS_LENGTH,
        )
        raise NotationError(
            text,
            MAX_SETTINGS_LENGTH,
            _("this text is {count} characters long", count=len(text)),
            accepted,
        )
    by_key: dict[str, Setting] = {}
    # Pieces between semicolons; blank ones are skipped.
    for match in _PIECE.finditer(text):
        start = match.start()
        piece = match[0]
        if not piece.strip():
            continue
        key, equals, value = piece.partition("=")
        # Index in the text at which the piece begins without its blanks, for errors.
        piece_start = start + indent(piece)

        # Only the first value may be without a key; it belongs to the first known key.
        if not equals and not by_key:
            by_key[known[0]] = Setting(text, start, piece)
            continue
        if not equals:
            raise NotationError(
                text,
                piece_start,
                _("{piece} has no value", piece=_shortened(piece)),
                _("each setting is key=value"),
            )

        # Keys of older versions are renamed, and keys of other programs are skipped with a note.
        written_key = key.strip().casefold()
        name = _OTHER_NAMES.get(written_key, written_key)
        if name not in known:
            if name in FOREIGN_KEYS and left_out is not None:
                left_out.append(left_out_note(name))
                continue
            raise NotationError(
                text,
                piece_start,
                _("there is no setting {name!r}", name=_shortened(name)),
                did_you_mean(name, known),
            )
        if name in by_key:
            raise NotationError(
                text, piece_start, _("{name} is given twice", name=name), _("give each key once")
            )
        # A `dratio` is a share of two beats, and is converted to a dwell in beats.
        if written_key == "dratio":
            value = _dwell_of_ratio(value)
        # The value begins one character, the =, behind the key.
        by_key[name] = Setting(text, start + len(key) + 1, value)
    return by_key


def indent(text: str) -> int:
    """Return the number of blanks before a text."""
    return len(text) - len(text.lstrip())


def has_other_names(text: str) -> bool:
    """Return whether settings have a key of older Juggling Labs, which not every program knows."""
    return re.search(_OTHER_NAME, text) is not None


def escaped(value: str) -> str:
    """Return a value written so that no `;` in it ends it; `unescaped` gives it back."""
    return _TO_ESCAPE.sub(r"\\\g<0>", value)


def unescaped(value: str) -> str:
    """Return a value as it was before `escaped`; a backslash before other characters stays."""
    return _ESCAPED.sub(r"\1", value)


def _dwell_of_ratio(ratio: str) -> str:
    """Return a dwell, [beats], for a dwell ratio, its share of two beats, both as texts.

    A text that is not a number is returned unchanged.
    """
    try:
        return ratio[: indent(ratio)] + repr(2 * float(ratio))
    except ValueError:
        return ratio


def _shortened(text: str) -> str:
    stripped = text.strip()
    return stripped if len(stripped) <= 40 else f"{stripped[:40]}…"


# At first Juggling Lab had throws a second, and for the dwell the share of two beats in which a
# hand is not empty: its list of JuggleMaster's patterns says `dratio=0.5;tps=3.572` in JML 1.0, and
# `dwell=1.0;bps=3.572` since.
_OTHER_NAMES = {"colours": "colors", "tps": "bps", "dratio": "dwell"}
_OTHER_NAME = rf"(?i)(?:^|;)\s*(?:{'|'.join(_OTHER_NAMES)})\s*="
_PIECE = re.compile(r"(?:[^;\\]+|\\[;\\]?)+")
_ESCAPED = re.compile(r"\\([;\\])")
_TO_ESCAPE = re.compile(r"\\(?=[;\\]|\Z)|;")


def settings_of_link(text: str, keys: Collection[str], notes: list[str]) -> str:
    """Return the settings string in a link to an animator on the web.

    Settings are in the query or after a #. Sizes of the animator's window are ignored.

    Args:
        text: the link.
        keys: the keys of settings, in lower case; others are left out.
        notes: list to which a sentence is appended for each unknown key, other than sizes of the
            window.

    Returns:
        `pattern=…` and then all other settings; for a link to passist.org only the throws, with the
        number of jugglers if they share them.

    Raises:
        NotationError: the address is invalid, or there is no pattern in it.
    """
    try:
        link = urlsplit(text.strip())
        host = link.hostname or ""
    except ValueError as error:
        raise NotationError(text, 0, _("this is not a valid web address"), _LINK_FORM) from error
    fields = _query_fields(unquote(link.query or link.fragment))

    # On passist.org the siteswap is part of the path.
    if host.endswith("passist.org") and (named := re.match(_PASSIST, link.path)):
        return _shared_text(unquote(named[1]), fields.get("jugglers", ""))

    # Elsewhere the pattern is a field of the query, with one of several keys. The settings string
    # begins with it.
    pattern = next((fields[key] for key in _PATTERN_KEYS if fields.get(key, "").strip()), "")
    if not pattern:
        raise NotationError(text, 0, _("there is no pattern in this link"), _LINK_FORM)
    other_fields = {
        key: value for key, value in fields.items() if key not in (*_PATTERN_KEYS, *_WINDOW_KEYS)
    }
    known_fields = {key: value for key, value in other_fields.items() if key in keys}
    notes += [left_out_note(key) for key in other_fields if key not in keys]
    return ";".join(f"{key}={value}" for key, value in {"pattern": pattern, **known_fields}.items())


def _query_fields(query: str) -> dict[str, str]:
    """Return the values in the query of a link, by their keys in lower case.

    The pattern may stand first without a key. If a key occurs more than once, its first value
    counts. Other pieces without a = are left out.
    """
    fields: dict[str, str] = {}
    for index, piece in enumerate(re.split("[;&]", query.removeprefix("?"))):
        key, equals, value = piece.partition("=")
        if equals:
            fields.setdefault(key.strip().casefold(), value)
        elif index == 0:
            fields["pattern"] = piece
    return fields


def _shared_text(throws: str, jugglers: str) -> str:
    """Return a local siteswap as it is, and a global one for its number of jugglers."""
    if "p" in throws or "<" in throws:
        return throws
    return f"{throws} for {jugglers if jugglers.isdecimal() else _PASSIST_JUGGLERS}"
