"""Frames: a file for each, such as `shot_00042.png`, written by other threads while the next ones are drawn."""

from __future__ import annotations

import itertools
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from juggle_anim.arrays import Bytes
from juggle_anim.atomic_file import already_there, atomic_file, cannot_write, is_running, sync_folder
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.options import DEFAULT_OPTIONS, Progress, WriteOptions
from juggle_anim.exporter.resume import frame_metadata, is_finished, provenance
from juggle_anim.exporter.stills import check_still, encode_still
from juggle_anim.language import _

# Compressing and writing release Python's lock, so they run in parallel with drawing.
WRITERS = 2
"""Threads that write frames of their own files."""

Item = TypeVar("Item")

Done = TypeVar("Done")

WAITING = 2
"""Items queued for each thread: enough to keep the threads busy when one item takes long."""

CAMERA = "{camera}"
"""The placeholder for the camera's name in a path."""

_DIGITS = 5
_NUMBER = re.compile(r"#+|%(?:0?([1-9]))?d")


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
        place: a folder for `frame_00000.png` and so on, or a template; the folder and its parents are created.
        force: whether the folder may hold files already, or frames of these names; the frames are removed first.
        progress: called with the number of frames written and of all frames to write.
        options: how to write; with `resume`, existing frames of this same export are kept.

    Returns:
        All files, including those that existed.

    Raises:
        ParameterError: the format allows no transparency or not this size.
        ExportError: files exist and `force` is not set, an existing frame is of another export, or a file cannot be
            written.
    """
    last = options.first + request.frames - 1
    names = in_folder(place, ".png", last) if isinstance(place, Path) else place
    check_still(names.suffix, request.size, request.transparent)
    if not options.resume:
        _refuse_existing(names, force, own_folder=isinstance(place, Path))
    paths = [names.path(options.first + number) for number in range(request.frames)]
    record = provenance(request, options)

    def metadata(number: int) -> str:
        return frame_metadata(record, number)

    wanted = [n for n in range(request.frames) if not (options.resume and is_finished(paths[n], metadata(n)))]

    def prepare() -> None:
        if not options.resume:
            _refuse_existing(names, force, own_folder=isinstance(place, Path))  # another export may have begun by now
        _clear_folder(names, options.resume)

    def write(job: tuple[int, Bytes]) -> None:
        number, image = job
        with atomic_file(paths[number], sync_name=False, replaces=force or options.resume) as partial:
            partial.write_bytes(encode_still(image, names.suffix, options.quality, metadata(number)))

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


def _written(write: Callable[[tuple[int, Bytes]], None], jobs: Iterator[tuple[int, Bytes]]) -> Iterator[None]:
    """Write the frames in the background; each step of this iterator is one more file."""
    # The first one alone: of two exports that begin at the same time, one is refused before it has written any.
    for first in itertools.islice(jobs, 1):
        write(first)
        yield
    yield from overlapped(write, jobs, WRITERS)


def _jobs(request: FrameRequest, wanted: list[int], prepare: Callable[[], None]) -> Iterator[tuple[int, Bytes]]:
    if not wanted:
        return
    images = request.images() if len(wanted) == request.frames else request.images(wanted)
    for index, (number, image) in enumerate(zip(wanted, images, strict=True)):
        # Only once a frame is drawn: an export that cannot start must not delete the frames of the last one.
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


def overlapped(work: Callable[[Item], Done], items: Iterable[Item], threads: int = 1) -> Iterator[Done]:
    """The results of `work` on each item, in order, computed by other threads while this one produces the next items.

    With one thread the work is done in order too. Only a few items exist at a time; an error ends both sides.

    Args:
        work: the function; it should release Python's lock most of the time.
        items: its arguments; they are produced in this thread.
        threads: how many threads work.
    """
    waiting: deque[Future[Done]] = deque()
    failed, at_work = threading.Event(), threading.Semaphore(threads)

    def do(item: Item) -> Done:
        with at_work:
            # After a failure the next item must not be tried: a library may crash then.
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
                if len(waiting) > WAITING * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            failed.set()
            # The pool does not wait for a thread whose very start was interrupted, as by Ctrl-C.
            for _ in range(threads):
                at_work.acquire()
            at_work.release(threads)  # to those who find that they are cancelled


@dataclass(frozen=True)
class Template:
    """The file names of frames.

    Args:
        folder: the folder of all frames.
        before, after: the text around the number; `after` holds the ending.
        digits: the least number of digits, filled with zeros.
    """

    folder: Path
    before: str
    after: str
    digits: int

    def path(self, number: int) -> Path:
        """The file of the frame with this number."""
        return self.folder / f"{self.before}{number:0{self.digits}}{self.after}"

    @property
    def suffix(self) -> str:
        """The ending, in lower case, which decides the format."""
        return Path(f"0{self.after}").suffix.casefold()

    def is_frame(self, name: str) -> bool:
        """Whether a file of this name is a frame."""
        return bool(re.fullmatch(rf"{re.escape(self.before)}{self._number}{re.escape(self.after)}", name))

    def is_partial(self, name: str) -> bool:
        """Whether a file of this name is a partial frame, left behind by a killed export."""
        ending = Path(f"0{self.after}").suffix
        within = self.after.removesuffix(ending)
        partial = rf"\.{re.escape(self.before)}{self._number}{re.escape(within)}\.\d+\.part{re.escape(ending)}"
        return bool(re.fullmatch(partial, name))

    @property
    def _number(self) -> str:
        return rf"\d{{{self.digits},}}"


def read_template(path: Path) -> Template | None:
    """The template in the file name of a path: a run of #, or %05d; None where it has neither.

    Raises:
        ParameterError: there are several places for the number, or one is in the name of a folder.
    """
    places = list(_NUMBER.finditer(path.name))
    if _NUMBER.search(str(path.parent)):
        raise ParameterError(_("{path}: the number of a frame can stand in the name of the file only", path=path))
    if not places:
        return None
    if len(places) > 1:
        raise ParameterError(
            _("{path}: has {count} places for the number of a frame; leave one", path=path, count=len(places))
        )
    found = places[0]
    digits = len(found[0]) if found[0].startswith("#") else int(found[1] or 1)
    return Template(path.parent, path.name[: found.start()], path.name[found.end() :], max(digits, 1))


def in_folder(folder: Path, ending: str, last: int) -> Template:
    """The template of frames that have a folder of their own: `frame_00000.png` and so on.

    Args:
        folder: the folder.
        ending: of the names, with its dot.
        last: the highest number, which must fit the digits.
    """
    return Template(folder, "frame_", ending, max(_DIGITS, len(str(last))))
