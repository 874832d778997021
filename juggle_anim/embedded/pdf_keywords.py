"""Words in a PDF: the keywords of its information dictionary (ISO 32000-1, 14.3.3), a string as we write it."""

from __future__ import annotations

import os
import re
from typing import BinaryIO

_KEYWORDS = re.compile(rb"/Keywords \(((?:[^\\()]|\\.)*)\)", re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


def read_pdf_keywords(file: BinaryIO, most: int) -> str | None:
    """The words of a PDF, of which at most so many bytes are read, from the end; None where it has none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - most))
    found = _KEYWORDS.findall(file.read(most))
    return _ESCAPED.sub(rb"\1", found[-1]).decode("latin-1") if found else None
