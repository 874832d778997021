"""Atomic files: written under a temporary name, and renamed when complete and on the disk."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from juggle_anim.errors import ExportError
from juggle_anim.language import _

_MAX_NAME = 255  # bytes, of a file
_TEMPORARY_PARTS = "..123456789.part.bare"  # of a temporary name, beside stem and ending

# PF_EXITING of Linux: a thread's connections may be closed, which others notice, before it has
# ended.
_EXITING = 0x4


@contextlib.contextmanager
def atomic_file(path: Path, sync_name: bool = True, replaces: bool = True) -> Iterator[Path]:
    """Yield a temporary path, whose file is renamed to `path` on success, and deleted on an error.

    The content is on the disk before the file takes its name, so not even a power cut leaves a torn
    file. A file that is replaced hands on its permissions.

    Args:
        path: the final path.
        sync_name: whether to wait until the new name is on the disk too; for many files,
            `sync_folder` once is faster.
        replaces: whether a file that has this name by then is replaced.

    Raises:
        ExportError: the file cannot be written, with the system's reason, or a file with this name
            exists and `replaces` is not set.
    """
    # The temporary name is hidden, and keeps the ending, from which some libraries choose a format.
    # Its number is the thread's, unique on a machine, so two exports to one path don't share a
    # partial file. Python in a browser has no other threads, and no such number.
    number = getattr(threading, "get_native_id", threading.get_ident)()
    partial = path.with_name(f".{_short_stem(path)}.{number}.part{path.suffix}")
    try:
        with cannot_write(path):
            yield partial
            # The content must be on the disk before the name is.
            _sync(partial, os.O_RDWR)
            _take_name(partial, path, replaces)
            if sync_name:
                sync_folder(path.parent)
    finally:
        # After success it has another name.
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _short_stem(path: Path) -> str:
    """Return the stem of a name, cut where the temporary name would be too long."""
    ending_size = len(path.suffix.encode(errors="surrogateescape"))
    room = _MAX_NAME - ending_size - len(_TEMPORARY_PARTS)
    return path.stem.encode(errors="surrogateescape")[:room].decode(errors="ignore")


def _take_name(partial: Path, path: Path, replaces: bool) -> None:
    """Rename a complete temporary file to its final name.

    Args:
        partial: the temporary file.
        path: the final name.
        replaces: whether a file that has this name is replaced; it hands on its permissions.

    Raises:
        ExportError: a file has this name, and is not to be replaced.
    """
    if replaces:
        with contextlib.suppress(OSError):  # there is none, or the disk knows no permissions
            shutil.copymode(path, partial)
        partial.replace(path)
        return
    # Another program may make a file of this name at the same time, so the system has to take the
    # name and check that it is free in one step, which a rename does not.
    try:
        try:
            os.link(partial, path)
        except FileExistsError:
            raise
        except OSError:
            # There are no links on this disk: claim the name with an empty file, then replace that.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            partial.replace(path)
    except FileExistsError:
        raise already_there(path) from None


def refuse_existing(path: Path, force: bool, name: str = "") -> None:
    """Refuse to write a file over something that may not be replaced.

    Args:
        path: the file.
        force: whether an existing file may be replaced.
        name: the file's name in messages; the path if empty.

    Raises:
        ExportError: the file exists and `force` is not set, or the path is a folder.
    """
    with cannot_write(path):
        if path.is_dir():
            raise ExportError(
                _(
                    "{name} is a folder; choose a file name",
                    name=name or path,
                )
            )
        if path.exists() and not force:
            raise already_there(name or path)


def already_there(place: object, holds: str = "", hint: str = "") -> ExportError:
    """Return the error for a path that exists already.

    Args:
        place: the file or folder as messages show it.
        holds: what the folder holds, in the plural; empty for a file.
        hint: what else the user may do; empty for nothing.
    """
    what = "exists"
    noun = "name"
    it = "it"
    if holds:
        what = _("holds {holds}", holds=holds)
        noun = "folder"
        it = "them"
    return ExportError(
        _(
            "{place} already {what}; choose another {other}, or add force=True to replace "
            "{it}{hint}",
            place=place,
            what=what,
            other=noun,
            it=it,
            hint=hint and f"; {hint}",
        )
    )


def prepare_folder(path: Path) -> None:
    """Create the folder of a file, and remove partial files of it whose writers have died.

    Raises:
        ExportError: the folder cannot be created.
    """
    with cannot_write(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    remove_stale_partials(path)


def remove_stale_partials(path: Path) -> None:
    """Remove partial files of `path` that killed writers left behind.

    Their names contain the number of the thread that writes them, and files of a thread that still
    runs are kept.

    Args:
        path: the final path of the file, whose own name stays.

    Raises:
        ExportError: the folder cannot be read, or a file in it cannot be removed.
    """
    # Names as `atomic_file` makes them.
    partial = re.compile(
        rf"\.{re.escape(_short_stem(path))}\.(\d{{1,9}})\.part{re.escape(path.suffix)}(\.bare)?"
    )
    with cannot_write(path):
        for match in map(partial.fullmatch, os.listdir(path.parent)):
            if match and not is_running(int(match[1])):
                path.with_name(match[0]).unlink(missing_ok=True)


@contextlib.contextmanager
def cannot_write(path: Path) -> Iterator[None]:
    """Raise an OSError as an ExportError of one clear line."""
    try:
        yield
    except OSError as error:
        raise ExportError(
            _("{path}: cannot save: {strerror}", path=path, strerror=error.strerror or error)
        ) from error


def _sync(path: Path, flags: int) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system supports this."""
    with contextlib.suppress(OSError):
        _sync(folder, os.O_RDONLY)


def is_running(thread: int) -> bool:
    """Return whether a thread with this number, native to the system, runs; True if in doubt."""
    if not sys.platform.startswith("linux"):
        return True  # elsewhere there is no safe way to ask
    try:
        os.kill(thread, 0)  # sends nothing, but fails where there is no such thread
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return not _is_dying(thread)


def _is_dying(thread: int) -> bool:
    """Return whether a thread is exiting, or a zombie, as Linux tells in /proc."""
    try:
        # Behind the name of the program, in brackets: the state first, and the flags as seventh.
        stat = Path(f"/proc/{thread}/stat").read_text(errors="replace").rpartition(")")[2].split()
        state = stat[0]
        flags = int(stat[6])
    except (OSError, IndexError, ValueError):
        return False
    return state in ("Z", "X") or bool(flags & _EXITING)
