"""The table of pattern file formats: their endings, how a text of each is recognised, the functions
that read and write them, and what each cannot hold.

Readers, writers and the like are named as "module:function", relative to the package, and imported
on first use, so that reading one format loads no other. A new format is a row here and the module
that reads it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path

from juggle_anim.formats import BY_ENDING as EXPORTED
from juggle_anim.formats import load
from juggle_anim.language import N_
from juggle_anim.lazy_dataclass import dataclass


class Loss(Enum):
    """Losses of a format: what it cannot hold."""

    LISTS = auto()  # several patterns, and words around one
    EVENTS = auto()  # times and places of hands
    PARAMETERS = auto()  # of the motion, such as how high elbows are
    REMARKS = auto()  # description and tags, or how another program shows a pattern
    SOME_PATTERNS = auto()  # of which there is no file at all
    ALL_BUT_ROUTINES = auto()
    PROPS_ELSEWHERE = auto()  # kinds of props as other programs show them; juggle-anim reads them


@dataclass(frozen=True)
class Sign:
    """Signs by which the text of a format is recognised; all given ones must hold.

    Args:
        start: a regular expression for the beginning of the text, behind blanks; with its flags.
        within: a regular expression for a part of the text, with its flags.
        reach: characters of the text in which that part is searched; None for all.
        judge: the function that decides where regular expressions cannot.
        outweighs_ending: whether it counts more than the ending of the file's name, and not just
            where the name promises nothing else.
    """

    start: str = ""
    within: str = ""
    reach: int | None = None
    judge: str = ""
    outweighs_ending: bool = False

    def is_in(self, text: str) -> bool:
        """Return whether a text has the sign."""
        start = text.lstrip("\ufeff \t\r\n")[:_START_LENGTH]
        if not re.match(self.start, start):
            return False
        # Compiled when first needed, since most runs read siteswaps only; `re` keeps the result.
        reach = len(text) if self.reach is None else self.reach
        if not re.compile(self.within).search(text, 0, reach):
            return False
        return not self.judge or load(self.judge)(text)


@dataclass(frozen=True)
class PatternFormat:
    """A format of pattern files.

    Args:
        name: the usual name, in English.
        endings: the endings of the names of files that are read as it, in lower case.
        reader: makes a `PatternList` of a text and the name of its file, which begins errors.
        sign: how its text is recognised; None where only the ending of the name tells.
        written: endings of the names to which it is written; empty if it is only read.
        rewrite: makes patterns such as the format can hold of others, and a sentence for each loss.
        writer: makes a text, or a `WrittenText`, of a `PatternList`.
        cannot_hold: the kinds of losses.
    """

    name: str
    endings: tuple[str, ...]
    reader: str
    sign: Sign | None = None
    written: tuple[str, ...] = ()
    rewrite: str = ""
    writer: str = ""
    cannot_hold: frozenset[Loss] = frozenset()

    def claims(self, text: str) -> bool:
        """Return whether a text has the sign of the format."""
        return self.sign is not None and self.sign.is_in(text)

    @property
    def is_complete(self) -> bool:
        """Whether juggle-anim reads back all that is written to it."""
        return self.cannot_hold <= {Loss.PROPS_ELSEWHERE}


_START_LENGTH = 200  # characters of a text, behind blanks, that count as its beginning

# A multiplex, or a throw in braces, begins as JSON does.
_JSON_START = r'\{\s*("|\}|$)|\[\s*(\{\s*"|(?:\[\s*)?")'

TAGGED_TEXT = PatternFormat(
    name=N_("plain text"),
    endings=(),
    reader="notation.text_list:read_text_list",
    sign=Sign(
        # Throws between tags that say so; the pattern of a JML file holds elements.
        start=rf"(?!<jml|{_JSON_START})",
        within=r"(?i)<(siteswap|ss|notation)(\s[^<>]*)?>[^<]+</\1\s*>|<pattern>\s*[^<\s]",
        reach=100_000,
        outweighs_ending=True,
    ),
)
"""Texts in which throws stand between tags, as on pages of the web."""

JML = PatternFormat(
    name="JML",
    endings=(".jml", ".xml"),
    reader="notation.jml:read_jml",
    sign=Sign(
        # A passing siteswap begins with < too.
        start=r"(?i)<(\?xml|!--|!DOCTYPE|(jml|pattern|patternlist|html|svg|rss)[\s/>])",
        outweighs_ending=True,
    ),
    written=(".jml", ".xml"),
    rewrite="notation.rewriting:for_jml",
    writer="notation.jml:write_jml",
    cannot_hold=frozenset({Loss.PROPS_ELSEWHERE}),
)

JIF = PatternFormat(
    name="JIF",
    endings=(".jif", ".json"),
    reader="notation.json_list:read_json",
    sign=Sign(start=_JSON_START, outweighs_ending=True),
    written=(".jif", ".json"),
    rewrite="notation.rewriting:for_jif",
    writer="notation.jif:write_jif",
    cannot_hold=frozenset({Loss.LISTS, Loss.REMARKS}),
)
"""JIF, and lists of patterns in JSON, which are only read."""

JOEPASS = PatternFormat(
    name="JoePass!",
    endings=(".pass",),
    reader="notation.joepass:read_joepass",
    sign=Sign(
        # Commands that begin lines; in a list, lines that begin with # are words.
        within=r"(?ma)^[^\S\n]*#[^\S\n]*((s[^\S\n]*[xb]|mhn\*|D[^\S\n]*[-+])[^\S\n]*(!|$)"
        r"|(juggler(StartLeft|Delay|Position)|object(Count|Color|Kind))[^\S\n]+\d)",
        reach=5_000,
        outweighs_ending=True,
    ),
    written=(".pass",),
    rewrite="notation.rewriting:for_joepass",
    writer="notation.joepass:write_joepass",
    cannot_hold=frozenset(
        {Loss.LISTS, Loss.EVENTS, Loss.PARAMETERS, Loss.REMARKS, Loss.SOME_PATTERNS}
    ),
)

TEXT = PatternFormat(
    name=N_("plain text"),
    endings=(".txt", ".jap", ".tsv", ".md"),
    reader="notation.text_list:read_text_list",
    written=(".txt",),
    rewrite="notation.rewriting:for_text_list",
    writer="notation.text_list:write_text_list",
    cannot_hold=frozenset({Loss.EVENTS, Loss.REMARKS}),
)
"""Lists with a pattern a line; what no other format claims is one."""

CSV = replace(
    TEXT,
    name="CSV",
    endings=(".csv",),
    written=(".csv",),
    writer="notation.text_list:write_csv_list",
)
"""Lists with a name and a pattern a row."""

JUGGLEMASTER = PatternFormat(
    name="JuggleMaster",
    endings=(".jm", ".jmp"),
    reader="notation.jugglemaster:read_jugglemaster",
    sign=Sign(
        # A height or dwell, or a row of a style.
        within=r"(?m)^(?:#(?:[HDG][RA]|height|dwell)\s*="
        r"|\{[-\d,.\x20]{3,20}\}\x20?\{[-\d,.\x20]{3,20}\}\s*$)",
    ),
)

SCREEN_SAVER = PatternFormat(
    name=N_("screen-saver lists"),
    endings=(),
    reader="notation.screen_savers:read_screen_saver",
    sign=Sign(
        # A named pattern that ends with a semicolon, or a row of a table of patterns in a source.
        within=r'(?m)^"[^"\n]{1,200}"\s{0,20}[0-9A-Za-z][^"\n]{0,500};\s*$'
        r'|\{\s{0,9}"\[[^"\[\]\n]{1,200}\]"|PatternText\[\]',
    ),
)

ROUTINE = PatternFormat(
    name=N_("routines"),
    endings=(".routine",),
    reader="notation.routine:read_routine",
    sign=Sign(judge="notation.routine:is_routine"),
    written=(".routine", ".txt"),
    writer="notation.files:write_routine",
    cannot_hold=frozenset({Loss.ALL_BUT_ROUTINES}),
)

FORMATS = (TAGGED_TEXT, JML, JIF, JOEPASS, TEXT, JUGGLEMASTER, SCREEN_SAVER, ROUTINE, CSV)
"""All formats, in the order in which their signs are looked for and messages name them."""

BY_ENDING = {ending: row for row in FORMATS for ending in row.endings}
"""The format of a file by the ending of its name."""

LISTS = {
    ending: row
    for row in FORMATS
    if Loss.ALL_BUT_ROUTINES not in row.cannot_hold
    for ending in row.written
}
"""The formats to which lists of patterns may be written, by ending."""

WRITTEN = {ending: row for ending, row in LISTS.items() if row is not CSV}
"""Those to which a single pattern is saved; one that is saved as CSV is a table of its motion."""


def format_of_name(path: Path) -> PatternFormat | None:
    """Return the format that the ending of a file's name promises; None for any other ending."""
    return BY_ENDING.get(path.suffix.casefold())


def format_of_text(text: str, path: Path) -> PatternFormat:
    """Return the format of a text: by its signs where they are certain, or else by its name.

    Args:
        text: the text of the file.
        path: the path of the file, of which only the ending counts.

    Returns:
        The first of `FORMATS` whose sign the text has; else that of the ending, or plain text.
    """
    promised = format_of_name(path)
    # If the ending promises a format other than plain text, only signs that outweigh an ending
    # count.
    is_special = promised not in (None, TEXT, CSV)
    for row in FORMATS:
        if is_special and row.sign and not row.sign.outweighs_ending:
            continue
        if row.claims(text):
            return row
    return promised or TEXT


_KINDS = {
    "blender": ".glb", "data": ".csv", "dict": ".json", "film": ".mp4", "frame": ".png",
    "image": ".png", "model": ".glb", "movie": ".mp4", "page": ".html", "photo": ".png",
    "picture": ".png", "screenshot": ".png", "still": ".png", "table": ".csv",
    "thumbnail": ".png", "video": ".mp4", "web": ".html",
}  # fmt: skip
"""Endings of what people call by its kind."""


FILE_WORDS = (*_KINDS, *(ending[1:] for ending in {**EXPORTED, **WRITTEN}))
"""Words that stand for files: kinds, and endings without a point."""


def ending_of(word: str) -> str:
    """Return the ending of the files that a word stands for, a format or a kind; "" for none."""
    plain = word.casefold()
    return _KINDS.get(plain, f".{plain}" if plain in FILE_WORDS else "")
