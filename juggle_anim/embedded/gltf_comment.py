"""Words in a glTF or GLB file: the member `comment` of the extras that its document begins with."""

from __future__ import annotations

import json
import re
import struct
from typing import BinaryIO

_HEADER = struct.Struct("<4sIIII")
_JSON = 0x4E4F534A


def read_glb_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a GLB file of which at most so many bytes are read; None where it has none."""
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return None
    _, _, _, length, kind = _HEADER.unpack(head)
    return _comment(file.read(min(length, most))) if kind == _JSON else None


def read_gltf_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a glTF file."""
    return _comment(file.read(most))


def _comment(document: bytes) -> str | None:
    found = _EXTRAS.match(document)
    if not found:
        return None
    try:
        words = json.loads(found[1])
    except ValueError:
        return None
    return words if isinstance(words, str) else None


# A string of JSON, of which a backslash hides the next letter.
_EXTRAS = re.compile(rb'\s*\{\s*"extras"\s*:\s*\{\s*"comment"\s*:\s*("(?:[^"\\]|\\.)*+")')
