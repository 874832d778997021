"""Frames: a file for each picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError
from juggle_anim.exporter.making import frame_words, is_made, making
from juggle_anim.exporter.manner import PLAIN, Manner
from juggle_anim.exporter.overlap import overlapped
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.stills import check_still, encoded
from juggle_anim.exporter.template import Template, in_folder
from juggle_anim.whole_file import already_there, cannot_write, whole_file

# Compressing and writing let go of Python's lock, so they run beside the drawing.
_WRITERS = 2


def write_frames(
    shots: Shots,
    place: Path | Template,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: Manner = PLAIN,
) -> list[Path]:
    """Write each picture as a file of its own; an interrupted export leaves the whole ones.

    Args:
        shots: what to write.
        place: a folder for PNGs named `frame_00000.png` and on, or a template; it and its parents are made.
        force: whether the folder may hold something already, or frames of these names; those are removed first.
        progress: called with the number of frames written and of all frames to write.
        manner: how; when resumed, frames that are there are kept once they have proved to be of this very export.

    Returns:
        All the files, also those that were there.

    Raises:
        ParameterError: the pictures are transparent or too large, and their format cannot have that.
        ExportError: something is there and `force` is not given, a frame that is there is of another export, or a file
            cannot be written.
    """
    last = manner.first + shots.frames - 1
    names = in_folder(place, ".png", last) if isinstance(place, Path) else place
    check_still(names.suffix, shots.size, shots.transparent)
    if not manner.resume:
        _refuse(names, force, own_folder=isinstance(place, Path))
    paths = [names.path(manner.first + number) for number in range(shots.frames)]
    record = making(shots, manner)

    def words(number: int) -> str:
        return frame_words(record, number)

    wanted = [n for n in range(shots.frames) if not (manner.resume and is_made(paths[n], words(n)))]
    for done, _ in enumerate(_written(shots, names, paths, wanted, words, manner), 1):
        if progress:
            progress(done, len(wanted))
    return paths


def _refuse(names: Template, force: bool, own_folder: bool) -> None:
    folder = names.folder
    with cannot_write(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ExportError(f"{folder}: is a file, and frames need a folder")
        there = [each.name for each in folder.iterdir() if own_folder or names.is_frame(each.name)]
    if there and not force:
        raise already_there(folder, "files" if own_folder else "such frames")


def _written(
    shots: Shots,
    names: Template,
    paths: list[Path],
    wanted: list[int],
    words: Callable[[int], str],
    manner: Manner,
) -> Iterator[None]:
    """Write the pictures in the background; a step of this iterator is one file more."""

    def write(job: tuple[int, Bytes]) -> None:
        number, image = job
        with whole_file(paths[number]) as draft:
            draft.write_bytes(encoded(image, names.suffix, manner.quality, words(number)))

    yield from overlapped(write, _jobs(shots, names, wanted, manner.resume), _WRITERS)


def _jobs(shots: Shots, names: Template, wanted: list[int], keep: bool) -> Iterator[tuple[int, Bytes]]:
    if not wanted:
        return
    images = shots.images() if len(wanted) == shots.frames else shots.images(wanted)
    for index, (number, image) in enumerate(zip(wanted, images, strict=True)):
        # Not before there is a picture: an export that cannot start must not cost the frames of the last one.
        if index == 0:
            _make_room(names, keep)
        yield number, image


def _make_room(names: Template, keep: bool) -> None:
    folder = names.folder
    with cannot_write(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if names.is_draft(old.name) or (not keep and names.is_frame(old.name)):
                old.unlink()
