"""A folder of frames: one PNG file for each picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from juggle_anim.arrays import Bytes
from juggle_anim.errors import ExportError
from juggle_anim.export.png import encode_png
from juggle_anim.export.shots import Shots
from juggle_anim.export.whole_file import cannot_write, whole_file

# Compressing and writing let go of Python's lock, so they run beside the drawing; a few frames may wait their turn.
_WRITERS = 2
_WAITING = 8


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
    _prepare(folder, force)
    digits = max(5, len(str(shots.frames - 1)))
    paths = [folder / f"frame_{number:0{digits}}.png" for number in range(shots.frames)]
    done = 0
    with ThreadPoolExecutor(_WRITERS) as writers:
        waiting: deque[Future[None]] = deque()
        try:
            for path, image in zip(paths, shots.images(), strict=True):
                waiting.append(writers.submit(_write, path, image))
                while len(waiting) > _WAITING or (waiting and waiting[0].done()):
                    waiting.popleft().result()
                    done += 1
                    if progress:
                        progress(done, shots.frames)
            for future in waiting:
                future.result()
                done += 1
                if progress:
                    progress(done, shots.frames)
        except BaseException:
            writers.shutdown(cancel_futures=True)
            raise
    return paths


def _write(path: Path, image: Bytes) -> None:
    with whole_file(path) as draft:
        draft.write_bytes(encode_png(image))


def _prepare(folder: Path, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{folder}: is a file, and frames need a folder")
    with cannot_write(folder):
        folder.mkdir(parents=True, exist_ok=True)
        holds = any(folder.iterdir())
        if holds and not force:
            raise ExportError(
                f"{folder}: holds files already; choose another folder, or add --force to replace its frames"
            )
        for old in folder.glob("frame_*.png"):
            old.unlink()
