"""Words in an SVG: a description in its metadata, in the terms of the Dublin Core."""

from __future__ import annotations

import html
import re
from typing import BinaryIO

_TAG = re.compile(rb"<dc:description>([^<>]*)</dc:description>")


def read_svg_description(file: BinaryIO, most: int) -> str | None:
    """The words of an SVG, of which at most so many bytes are read; None where it has none."""
    found = _TAG.search(file.read(most))
    return html.unescape(found[1].decode("utf-8", "replace")) if found else None
