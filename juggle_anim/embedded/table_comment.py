"""Words in tables: the first line of a CSV behind its #, the first member of a JSON, and an array of an NPZ."""

from __future__ import annotations

import ast
import struct
from typing import BinaryIO

CSV, JSON = b"# {", b'{"made": {'
"""How those that juggle-anim writes begin."""

NPZ = b"PK\3\4"

_MEMBER = struct.Struct("<4s5H3I2H")
_NAME = b"comment.npy"
_ARRAY = b"\x93NUMPY\1\0"


def read_csv_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a CSV of which at most so many bytes are read; None where it has none."""
    line = file.readline(most)
    return _ascii(line[len("# ") : -1]) if line.endswith(b"\n") else None


def read_json_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a JSON."""
    line = file.readline(most)
    return _ascii(line[len('{"made": ') : -2]) if line.endswith(b",\n") else None


def read_npz_comment(file: BinaryIO, most: int) -> str | None:
    """The same for an NPZ, of whose members the first holds the words as they are, unpacked."""
    head = file.read(_MEMBER.size)
    if len(head) < _MEMBER.size:
        return None
    _, _, _, packed, *_, name, more = _MEMBER.unpack(head)
    if packed or file.read(name) != _NAME:
        return None
    file.seek(more, 1)
    return _array(file, most)


def _array(file: BinaryIO, most: int) -> str | None:
    """An array of NumPy that is one text: its letters have four bytes each."""
    if file.read(len(_ARRAY)) != _ARRAY:
        return None
    try:
        about = ast.literal_eval(file.read(struct.unpack("<H", file.read(2))[0]).decode("latin-1").strip())
        length = 4 * int(about["descr"].removeprefix("<U"))
        content = file.read(length) if 0 <= length <= most else b""
        return content.decode("utf-32-le") if content and len(content) == length else None
    except (ValueError, SyntaxError, TypeError, KeyError, AttributeError, RecursionError, MemoryError, struct.error):
        return None


def _ascii(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None
