"""Frames: a file for each picture.

MERGED: Two things at once: pictures are drawn while those before them are written.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import already_there, atomic_file, cannot_write
from juggle_anim.errors import ExportError
from juggle_anim.exporter.file_names import Template, in_folder
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, WriteOptions
from juggle_anim.exporter.resume import frame_metadata, is_made, provenance
from juggle_anim.exporter.stills import check_still, encoded

# Compressing and writing let go of Python's lock, so they run beside the drawing.
_WRITERS = 2

Item = TypeVar("Item")

Done = TypeVar("Done")

_WAITING = 2
"""So many items for each thread may wait their turn: enough to bridge one that takes long."""


def write_frames(
    shots: FrameRequest,
    place: Path | Template,
    force: bool,
    progress: Callable[[int, int], None] | None,
    manner: WriteOptions = DEFAULT_OPTIONS,
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
    record = provenance(shots, manner)

    def words(number: int) -> str:
        return frame_metadata(record, number)

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
    shots: FrameRequest,
    names: Template,
    paths: list[Path],
    wanted: list[int],
    words: Callable[[int], str],
    manner: WriteOptions,
) -> Iterator[None]:
    """Write the pictures in the background; a step of this iterator is one file more."""

    def write(job: tuple[int, Bytes]) -> None:
        number, image = job
        with atomic_file(paths[number]) as draft:
            draft.write_bytes(encoded(image, names.suffix, manner.quality, words(number)))

    yield from overlapped(write, _jobs(shots, names, wanted, manner.resume), _WRITERS)


def _jobs(shots: FrameRequest, names: Template, wanted: list[int], keep: bool) -> Iterator[tuple[int, Bytes]]:
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


def overlapped(work: Callable[[Item], Done], items: Iterable[Item], threads: int = 1) -> Iterator[Done]:
    """What `work` makes of each item, in their order, done by other threads while this one makes the next items.

    With one thread the work is done in order too. However many items there are, only a few exist at a time; whatever
    goes wrong ends both sides.

    Args:
        work: what to do; it should let go of Python's lock most of the time.
        items: on what; they are made in this thread.
        threads: how many may work.
    """
    waiting: deque[Future[Done]] = deque()
    failed = threading.Event()

    def do(item: Item) -> Done:
        # What failed must not be tried again with the next item: a library may crash then.
        if failed.is_set():
            raise CancelledError
        try:
            return work(item)
        except BaseException:
            failed.set()
            raise

    with ThreadPoolExecutor(threads) as workers:
        try:
            for item in items:
                waiting.append(workers.submit(do, item))
                if len(waiting) > _WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            failed.set()
