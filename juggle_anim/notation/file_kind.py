"""Kinds of files of patterns: JML, JIF and plain text."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path


class FileKind(Enum):
    """How patterns are written in a file."""

    JML = "JML"
    JIF = "JIF"
    TEXT = "plain text"


def kind_of_name(path: Path) -> FileKind | None:
    """The kind that the ending of a file's name promises; None where it promises nothing."""
    return KINDS.get(path.suffix.casefold())


def kind_of_text(text: str, path: Path) -> FileKind:
    """The kind of a text: what its beginning shows beyond doubt, or else what the file's name promises."""
    start = text.lstrip("\ufeff \t\r\n")[:200]
    if _XML.match(start):
        return FileKind.JML
    if _JSON.match(start):
        return FileKind.JIF
    return kind_of_name(path) or FileKind.TEXT


KINDS = {
    ".jml": FileKind.JML,
    ".xml": FileKind.JML,
    ".jif": FileKind.JIF,
    ".json": FileKind.JIF,
    ".txt": FileKind.TEXT,
}
"""By the ending of the name, in small letters."""

# A passing siteswap begins with < too, and a multiplex or a throw in braces as JSON does.
_XML = re.compile(r"<(\?xml|!--|!DOCTYPE|(jml|pattern|patternlist|html|svg|rss)[\s/>])", re.IGNORECASE)
_JSON = re.compile(r'\{\s*("|\}|$)|\[\s*(\{\s*"|")')
