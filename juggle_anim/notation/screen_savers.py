"""Lists of screen savers: those of JuggleSaver, and the tables of patterns in the sources of
xscreensaver.

JuggleSaver writes `"name" 4b@(-2,1)>(1,1) 2b 3b;`. The table of juggle.c (Tim Auckland, 2002) is in
Adam notation, where a throw says how many props are thrown at least as high before it comes down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from juggle_anim.errors import NotationError, printable
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
    collect_entries,
    lines_of,
    try_settings,
)
from juggle_anim.notation.settings import escaped
from juggle_anim.pattern import value_text

_STATEMENT = re.compile(
    r'^\$(?P<words>[^\n]*)|^[^\S\n]*"(?P<name>[^"\n]*)"(?P<throws>[^;"]*);'
    rf"|^[^\S\n]*(?P<unnamed>{UNNAMED});[^\S\n]*$"
    r'|(?P<rest>\S[^\n"]*)',
    re.MULTILINE,
)
# Lines between parts of a list, which say nothing.
_DECORATION = re.compile(r"[\s$=-]*|\(\d+ entries\)")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
# possessive, as blanks could else be shared in many ways
_REMARK = r"\s{0,40}+(?:/\*[^*\n]{0,200}\*/\s{0,40}+){0,2}+"
_TABLE_ROW = re.compile(
    rf"[{{(]\s*+{_STRING}{_REMARK}(?:,{_REMARK}(?:{_STRING})?)?{_REMARK},?\s*+[}})]"
)
_STRING_OR_END = re.compile(rf"{_STRING}|[,}}]")
# Throws in Adam notation, in brackets.
_ADAM = re.compile(r"\[([^\[\]]*)\]")
# A throw in Adam notation: signs, and props thrown at least as high meanwhile.
_ADAM_THROW = re.compile(r"([^\s\d]*)(\d{1,2})(?!\d)")

_SHOWN_LENGTH = 60  # characters of skipped or malformed text
_MAX_ADAM_THROWS = 100
_MAX_ADAM_VALUE = 35  # props thrown at least as high before a throw comes down

_ANGLES = N_("angles of props, speeds of hands and turns of single throws are ignored")
_MODIFIERS = {"_": "B", "": ""}
"""What signs before a throw in Adam notation are in a siteswap: an underscore is a bounce."""
_SIGNS = N_("signs such as + and - (path of the arm) or = and & (under the arm) are ignored")


def read_screen_saver(text: str, name: str) -> PatternList:
    """Read a list of JuggleSaver, or the patterns in the source of a screen saver.

    Args:
        text: the whole file.
        name: the name of the file, for errors.

    Returns:
        The patterns, with their headings and errors, and notes on what is not read.

    Raises:
        FileError: there are too many lines or throws, or so many entries without any pattern that
            the file cannot be a list.
    """
    lines = lines_of(text, name)
    joined = "\n".join(lines)  # with line ends of one form
    if "PatternText" in joined:  # a C type in the source of JuggleSaver
        read_entries = _string_entries
    elif _TABLE_ROW.search(joined):  # the source of another screen saver
        read_entries = _table_entries
    else:
        read_entries = _list_entries
    notes: list[Note] = []  # the reader adds to it as it yields entries
    return collect_entries(read_entries(joined, notes), name, lines, notes)


def _list_entries(text: str, notes: list[Note]) -> Iterator[Entry]:
    """Yield the statements of a JuggleSaver list; lines that begin with a $ are headings.

    Args:
        text: the text of the list, with line ends as `\\n`.
        notes: gets a note for each line that is skipped or not fully read.
    """
    for match, line in _matches_with_lines(_STATEMENT, text):
        # A heading, a statement with or without a name, or anything else.
        if match["words"] is not None:
            words = match["words"].strip(" $")
            if not _DECORATION.fullmatch(words):
                yield Entry(words.rstrip(":"), line=line)
        elif match["throws"] is not None:
            yield _statement_entry(match["name"].strip(), match["throws"].strip(), line, notes)
        elif match["unnamed"] is not None:
            yield _statement_entry("", match["unnamed"].strip(), line, notes)
        else:
            shown = printable(match["rest"], _SHOWN_LENGTH)
            notes.append(Note(line, _("skipped, as it has no pattern: {found}", found=shown)))


def _table_entries(text: str, notes: list[Note]) -> Iterator[Entry]:
    """Yield the rows of a table in a source: throws in Adam notation and a name, in braces."""
    for match, line in _matches_with_lines(_TABLE_ROW, text):
        if adam := _ADAM.fullmatch(match[1].strip()):
            yield _adam_entry(adam[1], (match[2] or "").replace('\\"', '"').strip(), line, notes)


def _string_entries(text: str, notes: list[Note]) -> Iterator[Entry]:
    """Yield the patterns in JuggleSaver's source, which have no names.

    A pattern is a list of throws in a string literal of C. Literals beside each other are one
    string, which ends at a comma or brace.

    Args:
        text: the text of the source, with line ends as `\\n`.
        notes: gets a note for each pattern that is not fully read.
    """
    throws = ""
    first_line = 1
    for match, line in _matches_with_lines(_STRING_OR_END, text, text.find("PatternText")):
        if match[1] is not None:
            if not throws:
                first_line = line
            throws += match[1]
        # A comma or brace ends a pattern. In the source all patterns have positions, with an @;
        # other strings are not patterns.
        elif throws:
            if "@" in throws:
                yield _statement_entry("", throws, first_line, notes)
            throws = ""


def _matches_with_lines(
    pattern: re.Pattern[str], text: str, start: int = 0
) -> Iterator[tuple[re.Match[str], int]]:
    """Yield matches with the numbers of the lines, from 1, on which they begin.

    Args:
        pattern: the regular expression.
        text: the text of a file.
        start: the index in the text from which on matches are searched.
    """
    # Line ends are counted from each match to the next, since counting from the beginning of the
    # text for every match would take long.
    line = 1
    position = 0
    for match in pattern.finditer(text, start):
        line += text.count("\n", position, match.start())
        position = match.start()
        yield match, line


def _statement_entry(name: str, throws: str, line: int, notes: list[Note]) -> Entry:
    """Read the pattern of a statement as an entry, with the error if it is wrong.

    A letter behind a value names a kind of prop. If such letters make no sense, each digit and
    letter of the text is a value, as in DDD0003.

    Args:
        name: the name of the pattern; may be empty.
        throws: throws in the notation of JuggleSaver.
        line: the number of the line in the file, from 1.
        notes: gets a note on what is not read.
    """
    entry = _entry_in_notation(name, throws, line, notes)
    values = plain_throws(throws) if entry.error else []
    if not values:
        return entry
    as_values = _settings_entry(settings_text(values, name), name or values_text(values), line)
    return entry if as_values.error else as_values


def _entry_in_notation(name: str, throws: str, line: int, notes: list[Note]) -> Entry:
    """Read throws in the notation of JuggleSaver as an entry, with the error if they are wrong.

    Args:
        name: the name of the pattern; may be empty.
        throws: throws in the notation of JuggleSaver.
        line: the number of the line in the file, from 1.
        notes: gets a note if angles, snatches or spins are not read.
    """
    parsed_throws, unread = read_throws(throws)
    if unread:
        accepted = _("write throws such as 3, 5b or 7c@(-2,0)>(2,0), with a ; after the last")
        error = NotationError(
            throws,
            max(0, len(throws) - len(unread)),
            _("this is not a JuggleSaver throw"),
            accepted,
        )
        return Entry(
            name or throws[:_SHOWN_LENGTH], error=error, text=" ".join(throws.split()), line=line
        )
    # A / or *, which are snatches and spins, and a third number in a position, an angle, are noted.
    if any(character in throws for character in "/*") or re.search(r"\([^()]*,[^()]*,", throws):
        notes.append(Note(line, _ANGLES))
    values = values_text(parsed_throws)
    text = settings_text(parsed_throws, name)
    entry = _settings_entry(text, name or values, line)
    # If the throws are wrong by themselves, their own error is shown, whose index counts in them
    # and not in the settings.
    alone = _settings_entry(values, name or values, line) if entry.error else entry
    return alone if alone.error else entry


def _settings_entry(text: str, name: str, line: int) -> Entry:
    """Return the entry of settings, or of why they are wrong."""
    return Entry(name, *try_settings(text), text=text, line=line)


def _adam_entry(adam: str, name: str, line: int, notes: list[Note]) -> Entry:
    """Read a pattern in Adam notation as an entry, with the error if it is wrong.

    Args:
        adam: numbers of props with signs before them, without the brackets: `3 2 _1`.
        name: the name of the pattern; may be empty.
        line: the number of the line in the file, from 1.
        notes: gets a note if signs are not read.
    """
    signed_values = _ADAM_THROW.findall(adam)
    heights = _siteswap_values([int(value) for _sign, value in signed_values])
    # `findall` skips text that is not a throw, so all matches together must be the whole text.
    if heights is None or "".join(map("".join, signed_values)) != "".join(adam.split()):
        reason = _("this is not a pattern in Adam notation")
        error = NotationError(
            f"[{adam}]", 0, reason, _("write prop numbers in brackets: [3 2 1] is 531")
        )
        return Entry(name or f"[{adam}]", error=error, text=f"[{adam}]", line=line)

    signs = [sign for sign, _value in signed_values]
    if any(sign not in _MODIFIERS for sign in signs):
        notes.append(Note(line, _SIGNS))
    text = "".join(
        value_text(height, "px") + ("B" if "_" in sign else "")
        for sign, height in zip(signs, heights, strict=True)
    )
    return _settings_entry(f"{text};title={escaped(name)}" if name else text, name or text, line)


def _siteswap_values(values: Sequence[int]) -> list[int] | None:
    """Return the siteswap values, [beats], of a pattern in Adam notation.

    In this notation a throw of n stays in the air until n other throws have been made. Of these, a
    throw counts only if its own number is at least the number of throws that are still missing.

    Args:
        values: the values of one period in Adam notation.

    Returns:
        The values; None if a throw never comes down, or the pattern is too large or empty.
    """
    if len(values) > _MAX_ADAM_THROWS or max(values, default=0) > _MAX_ADAM_VALUE:
        return None
    heights = []
    for index, value in enumerate(values):
        missing_throws = value
        height = 0
        while missing_throws > 0:
            # Throws repeat with the period, so if none in a whole period counts, none ever does.
            # Otherwise each period has at least one that counts, so a longer wait never ends.
            if height > len(values) * (value + 1):
                return None
            height += 1
            if values[(index + height) % len(values)] >= missing_throws:
                missing_throws -= 1
        heights.append(height)
    return heights or None
