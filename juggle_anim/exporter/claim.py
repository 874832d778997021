"""Claiming a file's place: may it be written, and is there anything left to write?"""

from __future__ import annotations

from pathlib import Path

from juggle_anim.exporter.making import is_made
from juggle_anim.whole_file import make_room, refuse_existing


def claim(path: Path, words: str, force: bool, resume: bool) -> bool:
    """Make the folder of a file that is to be written; False where it is there, complete, with these very words.

    Raises:
        ExportError: something is there and `force` is not given, or it is of another export, or no folder can be made.
    """
    # What is there when an export is resumed must carry these words; then it is kept, or written anew if it breaks off.
    refuse_existing(path, force or resume)
    if resume and is_made(path, words):
        return False
    make_room(path)
    return True
