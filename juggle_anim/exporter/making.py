"""The record of an export, which is written into its files, and told again from them when it is resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from juggle_anim.embedded import Record, read_record, read_words
from juggle_anim.errors import ExportError
from juggle_anim.exporter.complete import is_complete
from juggle_anim.exporter.manner import Manner
from juggle_anim.exporter.shots import Shots
from juggle_anim.notation import record_of
from juggle_anim.whole_file import cannot_write


def making(shots: Shots, manner: Manner) -> Record:
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


def frame_words(record: Record, number: int) -> str:
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
        found = read_words(path)
        complete = found == words and is_complete(path)
    if found != words:
        what = "of another export" if read_record(found or "") else "nothing that juggle-anim wrote whole"
        raise ExportError(f"{path}: is {what}; choose another name, or --force in place of --resume replaces it")
    return complete
