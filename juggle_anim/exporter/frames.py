"""A folder of frames: one PNG file for each picture."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.shots import Shots
from juggle_anim.whole_file import cannot_write, whole_file

# Compressing and writing let go of Python's lock, so they run beside the drawing; a few frames may wait their turn.
_WRITERS = 2
_WAITING = 4

# Frames of an earlier export, and drafts that a killed one left behind.
_FRAME = re.compile(r"frame_\d{5,}\.png|\.frame_\d{5,}\.\d+\.part\.png")


def write_frames(shots: Shots, folder: Path, force: bool, progress: Callable[[int, int], None] | None) -> list[Path]:
    """Write each picture as `frame_00000.png` and on; an interrupted export leaves the whole ones.

    Args:
        shots: what to write.
        folder: where; it and its parents are made.
        force: whether the folder may hold something already; frames of an earlier export in it are removed first.
        progress: called with the number of frames written and of all frames.

    Raises:
        ExportError: the folder holds something and `force` is not given, or a file cannot be written.
    """
    _refuse(folder, force)
    digits = max(5, len(str(shots.frames - 1)))
    paths = [folder / f"frame_{number:0{digits}}.png" for number in range(shots.frames)]
    for done, _ in enumerate(_written(shots, folder, paths), 1):
        if progress:
            progress(done, shots.frames)
    return paths


def _refuse(folder: Path, force: bool) -> None:
    with cannot_write(folder):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ExportError(f"{folder}: is a file, and frames need a folder")
        if any(folder.iterdir()) and not force:
            raise ExportError(
                f"{folder}: holds files already; choose another folder, or add --force to replace its frames"
            )


def _written(shots: Shots, folder: Path, paths: list[Path]) -> Iterator[None]:
    """Write the pictures in the background; a step of this iterator is one file more."""
    with ThreadPoolExecutor(_WRITERS) as writers:
        waiting: deque[Future[None]] = deque()
        for path, image in zip(paths, shots.images(), strict=True):
            # Not before there is a picture: an export that cannot start must not cost the frames of the last one.
            if path is paths[0]:
                _make_room(folder)
            waiting.append(writers.submit(_write, path, image))
            if len(waiting) > _WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _make_room(folder: Path) -> None:
    with cannot_write(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if _FRAME.fullmatch(old.name):
                old.unlink()


def _write(path: Path, image: Bytes) -> None:
    with whole_file(path) as draft:
        draft.write_bytes(encode_png(image))
