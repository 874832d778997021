"""Words in tables: the first line of a CSV behind its #, the first member of a JSON, and an array of an NPZ."""

from __future__ import annotations

import zipfile
from typing import BinaryIO


def read_csv_comment(file: BinaryIO, most: int) -> str | None:
    """The words of a CSV of which at most so many bytes are read; None where it has none."""
    line = file.readline(most)
    return _ascii(line[len("# ") : -1]) if line.endswith(b"\n") else None


def read_json_comment(file: BinaryIO, most: int) -> str | None:
    """The same for a JSON."""
    line = file.readline(most)
    return _ascii(line[len('{"made": ') : -2]) if line.endswith(b",\n") else None


def read_npz_comment(file: BinaryIO, most: int) -> str | None:
    """The same for an NPZ."""
    import numpy as np

    try:
        with np.load(file, allow_pickle=False) as arrays:
            member = arrays.zip.getinfo("comment.npy")
            return str(arrays["comment"]) if member.file_size <= most else None
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _ascii(line: bytes) -> str | None:
    try:
        return line.decode("ascii")
    except ValueError:
        return None
