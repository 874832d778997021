"""Claiming a file's place: may it be written, and is there anything left to write?"""

from __future__ import annotations

from pathlib import Path

from juggle_anim.errors import ExportError
from juggle_anim.exporter.making import is_made
from juggle_anim.whole_file import cannot_write, remove_left_drafts


def claim(path: Path, words: str, force: bool, resume: bool) -> bool:
    """Make the folder of a file that is to be written; False where it is there, complete, with these very words.

    Raises:
        ExportError: something is there and `force` is not given, or it is of another export, or no folder can be made.
    """
    with cannot_write(path):
        if path.is_dir():
            raise ExportError(f"{path}: is a folder, and this is written as one file; choose another name")
        if resume and is_made(path, words):
            return False
        # What is there when an export is resumed carries these words, and breaks off.
        if path.exists() and not (force or resume):
            raise ExportError(f"{path}: exists already; choose another name, or add --force to replace it")
        path.parent.mkdir(parents=True, exist_ok=True)
    remove_left_drafts(path)
    return True
