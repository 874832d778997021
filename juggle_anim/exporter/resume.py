"""Resuming an export: the record that its files carry, and whether an existing file is complete and has this record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from juggle_anim.atomic_file import cannot_write, prepare_folder, refuse_existing
from juggle_anim.errors import ExportError
from juggle_anim.exporter.completeness import is_complete
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.metadata.record import Record, read_metadata, read_record
from juggle_anim.notation import record_of


def provenance(request: FrameRequest, options: WriteOptions) -> Record:
    """The record that the files of a request carry."""
    span = {"loops": request.loops} if request.seconds is None else {"seconds": request.seconds}
    picture = {
        "size": list(request.size),
        "fps": request.fps,
        "frames": request.frames,
        **span,
        "start": request.start,
        "camera": request.view.name,
        "transparent": request.transparent,
        "supersampling": request.supersampling,
        "blur": request.blur,
        "quality": options.quality,
        "dither": options.dither,
        "sound": options.sound,
    }
    return record_of(request.animation.score, request.animation.parameters, picture)


def frame_metadata(record: Record, number: int) -> str:
    """The metadata of the frame with this number, from 0."""
    return replace(record, picture={**record.picture, "frame": number}).text


def is_finished(path: Path, metadata: str) -> bool:
    """Whether a file exists that carries this metadata and is complete; an incomplete one may be written again.

    Raises:
        ExportError: a file exists with other metadata, or cannot be read.
    """
    with cannot_write(path):
        if not path.exists():
            return False
        found = read_metadata(path)
        complete = found == metadata and is_complete(path)
    if found != metadata:
        what = "of another export" if read_record(found or "") else "nothing that juggle-anim wrote whole"
        raise ExportError(f"{path}: is {what}; choose another name, or --force in place of --resume replaces it")
    return complete


def claim(path: Path, metadata: str, force: bool, resume: bool) -> bool:
    """Prepare to write a file and create its folder; return False where it is complete with this metadata already.

    Raises:
        ExportError: a file exists and `force` is not set, it is of another export, or the folder cannot be created.
    """
    # On resuming, an existing file must have this metadata; it is kept if complete, and written again otherwise.
    refuse_existing(path, force or resume)
    if resume and is_finished(path, metadata):
        return False
    prepare_folder(path)
    return True
