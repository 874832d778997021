"""The record of an export, which is written into its files, and told again from them when it is resumed.

MERGED: Claiming a file's place: may it be written, and is there anything left to write?
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from juggle_anim.atomic_file import cannot_write, make_room, refuse_existing
from juggle_anim.errors import ExportError
from juggle_anim.exporter.completeness import is_complete
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.metadata.read import read_metadata
from juggle_anim.metadata.record import Record, read_record
from juggle_anim.notation import record_of


def provenance(shots: FrameRequest, manner: WriteOptions) -> Record:
    """What a file made of these shots is to carry."""
    span = {"loops": shots.loops} if shots.seconds is None else {"seconds": shots.seconds}
    given = {
        "size": list(shots.size),
        "fps": shots.fps,
        "frames": shots.frames,
        **span,
        "start": shots.start,
        "camera": shots.view.name,
        "transparent": shots.transparent,
        "supersampling": shots.supersampling,
        "blur": shots.blur,
        "quality": manner.quality,
        "dither": manner.dither,
        "sound": manner.sound,
    }
    return record_of(shots.animation.score, shots.animation.parameters, given)


def frame_metadata(record: Record, number: int) -> str:
    """What the frame of this number, from 0, carries."""
    return replace(record, picture={**record.picture, "frame": number}).text


def is_made(path: Path, words: str) -> bool:
    """Whether a file is there that carries these very words, and is complete; one that breaks off may be written anew.

    Raises:
        ExportError: one is there that carries others, or it cannot be read.
    """
    with cannot_write(path):
        if not path.exists():
            return False
        found = read_metadata(path)
        complete = found == words and is_complete(path)
    if found != words:
        what = "of another export" if read_record(found or "") else "nothing that juggle-anim wrote whole"
        raise ExportError(f"{path}: is {what}; choose another name, or --force in place of --resume replaces it")
    return complete


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
