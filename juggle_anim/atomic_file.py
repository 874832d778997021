"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from juggle_anim.errors import ExportError


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; it takes the name `path` when all has gone well, and vanishes when not.

    What has the name is on the disk, so that not even a power cut leaves half a file.

    Raises:
        ExportError: something cannot be written, with the system's reason.
    """
    # The name keeps its ending, by which some libraries choose a format, and is hidden until it is whole.
    # No two threads of a machine have one number, so that two exports to one place don't spoil each other's draft.
    draft = path.with_name(f".{path.stem}.{threading.get_native_id()}.part{path.suffix}")
    try:
        with cannot_write(path):
            yield draft
            _sync(draft)
            draft.replace(path)
            _sync_names(path.parent)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def refuse_existing(path: Path, force: bool, name: str = "") -> None:
    """Refuse to write a file where something is that may not be replaced.

    Args:
        path: of the file.
        force: whether a file that is there may be replaced.
        name: of the file, as messages show it; the path if empty.

    Raises:
        ExportError: it is there and `force` is not given, or it is a folder.
    """
    with cannot_write(path):
        if path.is_dir():
            raise ExportError(f"{name or path}: is a folder, and this is written as one file; choose another name")
        if path.exists() and not force:
            raise already_there(name or path)


def already_there(place: object, holds: str = "", hint: str = "") -> ExportError:
    """The refusal to replace what is there.

    Args:
        place: a file; or a folder, as messages show it.
        holds: what is in the folder; empty for a file.
        hint: what else may be done.
    """
    what, other, it = (f"holds {holds}", "folder", "them") if holds else ("exists", "name", "it")
    return ExportError(
        f"{place}: {what} already; choose another {other}, or add --force to replace {it}{hint and f'; {hint}'}"
    )


def make_room(path: Path) -> None:
    """Make the folder of a file that is to be written, and remove drafts of it whose writers have died.

    Raises:
        ExportError: the folder cannot be made.
    """
    with cannot_write(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    remove_stale_drafts(path)


def remove_stale_drafts(path: Path) -> None:
    """Remove what a writer of `path` left behind when it was killed; a writer that lives keeps its draft."""
    draft = re.compile(rf"\.{re.escape(path.stem)}\.(\d{{1,9}})\.part{re.escape(path.suffix)}(\.bare)?")
    with cannot_write(path):
        for found in map(draft.fullmatch, os.listdir(path.parent)):
            if found and not _lives(int(found[1])):
                path.with_name(found[0]).unlink(missing_ok=True)


@contextlib.contextmanager
def cannot_write(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into one clear line."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error


def _sync(draft: Path) -> None:
    """Wait until a file is on the disk."""
    number = os.open(draft, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _sync_names(folder: Path) -> None:
    """The same for the names in a folder, where the system can be asked for that."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _lives(thread: int) -> bool:
    if not sys.platform.startswith("linux"):
        return True  # elsewhere there is no asking that harms nobody
    try:
        os.kill(thread, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return not _is_dying(thread)


def _is_dying(thread: int) -> bool:
    """Whether it will do nothing more: it is on its way out, or dead and nobody has asked how, as of orphans."""
    try:
        about = Path(f"/proc/{thread}/stat").read_text(errors="replace").rpartition(")")[2].split()
        state, flags = about[0], int(about[6])
    except (OSError, IndexError, ValueError):
        return False
    return state in ("Z", "X") or bool(flags & _EXITING)


_EXITING = 0x4  # PF_EXITING of Linux: its connections may be closed, which others notice, before it is gone
