"""Frames: a file for each, such as `shot_00042.png`, written by other threads while the next ones
are drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import (
    already_there,
    atomic_file,
    cannot_write,
    is_running,
    sync_folder,
)
from juggle_anim.errors import ExportError
from juggle_anim.exporter.drawn_frames import DrawnFrames
from juggle_anim.exporter.file_names import Template, in_folder
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.overlapped import WRITERS, overlapped
from juggle_anim.exporter.resume import frame_metadata, is_finished
from juggle_anim.exporter.stills import check_still, encode_still
from juggle_anim.language import _


def write_frames(
    request: FrameRequest,
    place: Path | Template,
    force: bool,
    progress: Progress | None,
    options: WriteOptions = DEFAULT_OPTIONS,
) -> list[Path]:
    """Write each frame as a file of its own; an interrupted export leaves complete files.

    Args:
        request: the frames.
        place: a folder for `frame_00000.png` and so on, or a template; the folder and its parents
            are created.
        force: whether the folder may hold files already, or frames of these names; the frames are
            removed first.
        progress: called with the number of frames written and of all frames to write.
        options: how to write; with `resume`, existing frames of this same export are kept.

    Returns:
        All files, including those that existed.

    Raises:
        ParameterError: the format allows no transparency or not this size.
        ExportError: files exist and `force` is not set, an existing frame is of another export, or
            a file cannot be written.
    """
    last = options.first + request.frames - 1
    names = in_folder(place, ".png", last) if isinstance(place, Path) else place
    check_still(names.suffix, request.size, request.transparent)
    if not options.resume:
        _refuse_existing(names, force, own_folder=isinstance(place, Path))
    paths = [names.path(options.first + number) for number in range(request.frames)]
    record = request.record(options)

    def metadata(number: int) -> str:
        return frame_metadata(record, number)

    wanted = [
        n
        for n in range(request.frames)
        if not (options.resume and is_finished(paths[n], metadata(n)))
    ]

    def prepare() -> None:
        if not options.resume:
            _refuse_existing(
                names, force, own_folder=isinstance(place, Path)
            )  # another export may have begun by now
        _clear_folder(names, options.resume)

    def write(job: tuple[int, Bytes]) -> None:
        number, image = job
        with atomic_file(
            paths[number], sync_name=False, replaces=force or options.resume
        ) as partial:
            partial.write_bytes(
                encode_still(image, names.suffix, options.quality, metadata(number))
            )

    for done, _unused in enumerate(_written(write, _jobs(request, wanted, prepare)), 1):
        if progress:
            progress(done, len(wanted))
    sync_folder(names.folder)
    return paths


def _refuse_existing(names: Template, force: bool, own_folder: bool) -> None:
    folder = names.folder
    with cannot_write(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ExportError(_("{folder}: is a file, and frames need a folder", folder=folder))
        there = [each.name for each in folder.iterdir() if own_folder or names.is_frame(each.name)]
    if there and not force:
        raise already_there(folder, "files" if own_folder else _("such frames"))


def _written(
    write: Callable[[tuple[int, Bytes]], None], jobs: Iterator[tuple[int, Bytes]]
) -> Iterator[None]:
    """Write the frames in the background; each step of this iterator is one more file."""
    # The first one alone: of two exports that begin at the same time, one is refused before it has
    # written any.
    for first in itertools.islice(jobs, 1):
        write(first)
        yield
    yield from overlapped(write, jobs, WRITERS)


def _jobs(
    request: FrameRequest, wanted: list[int], prepare: Callable[[], None]
) -> Iterator[tuple[int, Bytes]]:
    if not wanted:
        return
    drawn = DrawnFrames(request)
    images = drawn.images() if len(wanted) == request.frames else drawn.images(wanted)
    for index, (number, image) in enumerate(zip(wanted, images, strict=True)):
        # Only once a frame is drawn: an export that cannot start must not delete the frames of the
        # last one.
        if index == 0:
            prepare()
        yield number, image


def _clear_folder(names: Template, keep: bool) -> None:
    folder = names.folder
    with cannot_write(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            left = names.is_partial(old.name) and not is_running(
                int(old.name.rpartition(".part")[0].rpartition(".")[2])
            )
            if left or (not keep and names.is_frame(old.name)):
                old.unlink(missing_ok=True)
