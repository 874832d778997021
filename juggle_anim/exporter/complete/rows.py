"""Tables as text: they tell how many rows they have, and each ends with the end of a line."""

from __future__ import annotations

from typing import BinaryIO

from juggle_anim.embedded import MOST_WORDS, read_record
from juggle_anim.embedded.table_comment import read_csv_comment

_AT_ONCE = 1 << 20


def csv_has_its_rows(file: BinaryIO) -> bool:
    """CSV: the words it begins with tell the number of frames, each of which is a row under that of names."""
    record = read_record(read_csv_comment(file, MOST_WORDS) or "")
    return record is not None and _has_rows(file, record.picture.get("frames", 0) + 1)


def bvh_has_its_rows(file: BinaryIO) -> bool:
    """BVH: the number of frames stands after the skeleton, and after that their time."""
    for line in file:
        if line.startswith(b"Frames:"):
            return _has_rows(file, int(line.removeprefix(b"Frames:")) + 1)
    return False


def _has_rows(file: BinaryIO, wanted: int) -> bool:
    found, last = 0, b""
    while part := file.read(_AT_ONCE):
        found, last = found + part.count(b"\n"), part
    return found == wanted and last.endswith(b"\n")
