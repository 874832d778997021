"""Words in a web page: a tag `meta` with the program's name, near its beginning."""

from __future__ import annotations

import html
import re
from typing import BinaryIO

from juggle_anim.embedded.record import PROGRAM

_TAG = re.compile(rb'<meta name="%s" content="([^"<>]*)">' % PROGRAM.encode())


def read_html_meta(file: BinaryIO, most: int) -> str | None:
    """The words of a web page, of which at most so many bytes are read; None where it has none."""
    found = _TAG.search(file.read(most))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None
