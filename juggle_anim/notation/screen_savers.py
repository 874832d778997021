"""Lists of screen savers: those of JuggleSaver, and the tables of patterns in the sources of
xscreensaver.

JuggleSaver writes `"name" 4b@(-2,1)>(1,1) 2b 3b;`. The table of juggle.c (Tim Auckland, 2002) is in
Adam notation, where a throw says how many props are thrown at least as high before it comes down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from juggle_anim.errors import JuggleError, NotationError, printable
from juggle_anim.language import N_, _
from juggle_anim.notation.juggle_saver import (
    UNNAMED,
    plain_throws,
    read_throws,
    settings_text,
    values_text,
)
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    lines_of,
    within_budget,
    without_traceback,
)
from juggle_anim.notation.settings.settings import read_settings
from juggle_anim.notation.settings.syntax import escaped

_STATEMENT = re.compile(
    r'^\$(?P<words>[^\n]*)|^[^\S\n]*"(?P<name>[^"\n]*)"(?P<throws>[^;"]*);'
    rf"|^[^\S\n]*(?P<unnamed>{UNNAMED});[^\S\n]*$"
    r'|(?P<rest>\S[^\n"]*)',
    re.MULTILINE,
)
_DECORATION = re.compile(r"[\s$=-]*|\(\d+ entries\)")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
# possessive, as blanks could else be shared in many ways
_REMARK = r"\s{0,40}+(?:/\*[^*\n]{0,200}\*/\s{0,40}+){0,2}+"
_TABLE_ROW = re.compile(
    rf"[{{(]\s*+{_STRING}{_REMARK}(?:,{_REMARK}(?:{_STRING})?)?{_REMARK},?\s*+[}})]"
)
_STRING_OR_END = re.compile(rf"{_STRING}|[,}}]")
_ADAM = re.compile(r"\[([^\[\]]*)\]")
_ADAM_THROW = re.compile(r"([^\s\d]*)(\d{1,2})(?!\d)")

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHOWN = 60
# in Adam notation
_MOST_THROWS = 100
_MOST_PROPS = 35

_ANGLES = N_("angles of props, speeds of hands and turns of single throws are not read")
_MEANINGS = {"_": "B", "": ""}
_SIGNS = N_(
    "+ and - before a throw, which say how the arm goes, = and &, which say under the arm, and "
    "the like are not read"
)


def read_screen_saver(text: str, name: str) -> PatternList:
    """Read a list of JuggleSaver, or the patterns in the source of a screen saver.

    Args:
        text: the whole file.
        name: of the file, for errors.

    Raises:
        FileError: there are too many lines or throws, or nothing among many of them is a pattern.
    """
    lines = lines_of(text, name)
    notes: list[Note] = []
    joined = "\n".join(lines)
    read = (
        _of_strings
        if "PatternText" in joined
        else _of_table
        if _TABLE_ROW.search(joined)
        else _of_list
    )
    entries = tuple(within_budget(read(joined, notes), name, lines, notes))
    return PatternList(entries, notes=tuple(notes))


def _of_list(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The statements of a JuggleSaver list; what begins with a $ is words."""
    line = 1
    place = 0
    for found in _STATEMENT.finditer(text):
        line = line + text.count("\n", place, found.start())
        place = found.start()
        if found["words"] is not None:
            if not _DECORATION.fullmatch(words := found["words"].strip(" $")):
                yield Entry(words.rstrip(":"), line=line)
        elif found["throws"] is not None:
            yield _entry(found["name"].strip(), found["throws"].strip(), line, notes)
        elif found["unnamed"] is not None:
            yield _entry("", found["unnamed"].strip(), line, notes)
        else:
            notes.append(
                Note(
                    line,
                    _(
                        "no pattern is in it, so it is skipped: {found}",
                        found=printable(found["rest"], _SHOWN),
                    ),
                )
            )


def _of_table(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The rows of a table in a source: throws in Adam notation and a name, in braces."""
    line = 1
    place = 0
    for found in _TABLE_ROW.finditer(text):
        line = line + text.count("\n", place, found.start())
        place = found.start()
        if adam := _ADAM.fullmatch(found[1].strip()):
            yield _of_adam(adam[1], (found[2] or "").replace('\\"', '"').strip(), line, notes)


def _of_strings(text: str, notes: list[Note]) -> Iterator[Entry]:
    """The patterns in a source that names none: throws of JuggleSaver in strings, which go on until
    a comma.
    """
    line = 1
    place = 0
    throws = ""
    begun = 1
    for found in _STRING_OR_END.finditer(text, text.find("PatternText")):
        line = line + text.count("\n", place, found.start())
        place = found.start()
        if found[1] is not None:
            throws, begun = throws + found[1], begun if throws else line
        elif throws:
            if "@" in throws:
                yield _entry("", throws, begun, notes)
            throws = ""


def _entry(name: str, throws: str, line: int, notes: list[Note]) -> Entry:
    """The pattern of a statement; letters that make no sense as kinds of props are values, as in
    DDD0003.
    """
    entry = _in_notation(name, throws, line, notes)
    plain = plain_throws(throws) if entry.error else []
    as_values = (
        _read(settings_text(plain, name), name or values_text(plain), line) if plain else entry
    )
    return entry if as_values.error else as_values


def _in_notation(name: str, throws: str, line: int, notes: list[Note]) -> Entry:
    read, rest = read_throws(throws)
    if rest:
        accepted = _("throws as 3, 5b or 7c@(-2,0)>(2,0), and a ; after the last")
        error = NotationError(
            throws,
            max(0, len(throws) - len(rest)),
            _("this is not a throw of JuggleSaver"),
            accepted,
        )
        return Entry(name or throws[:_SHOWN], error=error, text=" ".join(throws.split()), line=line)
    if any(character in throws for character in "/*") or re.search(r"\([^()]*,[^()]*,", throws):
        notes.append(Note(line, _ANGLES))
    values = values_text(read)
    text = settings_text(read, name)
    entry = _read(text, name or values, line)
    # The caret of an error stands in the throws, if they are wrong by themselves.
    alone = _read(values, name or values, line) if entry.error else entry
    return alone if alone.error else entry


def _read(text: str, name: str, line: int) -> Entry:
    try:
        return Entry(name, read_settings(text), text=text, line=line)
    except JuggleError as error:
        return Entry(name, error=without_traceback(error), text=text, line=line)


def _of_adam(adam: str, name: str, line: int, notes: list[Note]) -> Entry:
    found = _ADAM_THROW.findall(adam)
    values = [int(number) for _, number in found]
    heights = _heights(values)
    if heights is None or "".join(map("".join, found)) != "".join(adam.split()):
        reason = _("this is no pattern in Adam notation")
        error = NotationError(
            f"[{adam}]", 0, reason, _("numbers of props in brackets, as [3 2 1], which is 531")
        )
        return Entry(name or f"[{adam}]", error=error, text=f"[{adam}]", line=line)
    signs = [sign for sign, _ in found]
    if any(sign not in _MEANINGS for sign in signs):
        notes.append(Note(line, _SIGNS))
    text = "".join(
        (_DIGITS[height] if height < len(_DIGITS) and height not in (25, 33) else f"{{{height}}}")
        + ("B" if "_" in sign else "")
        for sign, height in zip(signs, heights, strict=True)
    )
    return _read(f"{text};title={escaped(name)}" if name else text, name or text, line)


def _heights(values: Sequence[int]) -> list[int] | None:
    """The siteswap of a pattern in Adam notation; None if a throw never comes down.

    A throw of n is in the air until n throws were made each of which reaches as high as what is
    left to wait for.
    """
    if len(values) > _MOST_THROWS or max(values, default=0) > _MOST_PROPS:
        return None
    heights = []
    for place, value in enumerate(values):
        left = value
        height = 0
        while left > 0:
            if height > len(values) * (value + 1):
                return None
            height += 1
            left -= values[(place + height) % len(values)] >= left
        heights.append(height)
    return heights or None
