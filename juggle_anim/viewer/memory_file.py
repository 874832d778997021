"""The file that keeps the viewer's memory."""

from __future__ import annotations

import contextlib
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.errors import ExportError, ViewerError
from juggle_anim.viewer.alone import alone_in
from juggle_anim.viewer.memory import Memory, read_memory, write_memory
from juggle_anim.viewer.merging import merged
from juggle_anim.viewer.settings_folder import settings_folder
from juggle_anim.whole_file import cannot_write, remove_left_drafts, whole_file

_OLD = "viewer.old.json"
_LARGEST = 5_000_000  # bytes; nobody's memory is larger


def usual_path() -> Path:
    """Where the file of this user is.

    Raises:
        ViewerError: nobody knows where the user is at home.
    """
    return settings_folder() / "viewer.json"


@dataclass
class MemoryFile:
    """A memory in a file.

    Args:
        path: of the file, there or not.
        memory: what it said when it was read or written last.
        trouble: why it could not be read, or written; empty where all is well.
        kept: whether there is a place for it at all.
    """

    path: Path
    memory: Memory
    trouble: str = ""
    kept: bool = True

    def write(self, memory: Memory, last: bool = False) -> bool:
        """Write a memory down, whole or not at all, if it is another; where that fails, the reason is the trouble.

        What another window has written meanwhile is kept, and is part of this memory then.

        Args:
            memory: what is to be known next time.
            last: whether the window closes, and so decides where the next one opens.

        Returns:
            Whether something was written.
        """
        if not self.kept or (memory == self.memory and not last):
            return False
        try:
            with cannot_write(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.path.parent):
                return self._write(memory)
        except (ExportError, ValueError) as error:
            self.trouble = str(error)
        return False

    def _present(self) -> Memory:
        """What the file says by now; where it says nothing, what it said before."""
        try:
            return _read(self.path)
        except FileNotFoundError:
            return self.memory
        except (OSError, ValueError):
            _set_aside(self.path)
            return self.memory

    def _write(self, memory: Memory) -> bool:
        present = self._present()
        self.memory = merged(self.memory, memory, present)
        if self.memory == present:
            return False
        self.replace(self.memory)
        return True

    def replace(self, memory: Memory) -> None:
        """Write a memory down in place of whatever is there.

        Raises:
            ExportError: the file cannot be written.
        """
        remove_left_drafts(self.path)
        with whole_file(self.path) as draft:
            draft.write_text(write_memory(memory), encoding="utf-8", newline="\n")


def open_usual_memory(safe: bool = False) -> MemoryFile:
    """The memory of this user, in a file where there is a place for one; `safe` as in `open_memory`."""
    try:
        return open_memory(usual_path(), safe)
    except ViewerError as error:
        return MemoryFile(Path(), Memory(), f"{error}"[:1].upper() + f"{error}"[1:], kept=False)


def open_memory(path: Path, safe: bool = False) -> MemoryFile:
    """The memory in a file, or an empty one where there is none or it is broken.

    A broken one is kept beside it under another name: somebody may have written keys into it by hand.

    Args:
        path: of the file.
        safe: whether to begin anew whatever the file says, but for patterns that somebody starred or opened; the file
            is kept in the same way.
    """
    try:
        memory = _read(path)
    except FileNotFoundError:
        return MemoryFile(path, Memory())
    except (OSError, ValueError) as error:
        aside = _set_aside(path)
        return MemoryFile(path, Memory(), f"The viewer's settings cannot be read ({_reason(error)}){aside}")
    if safe:
        with contextlib.suppress(OSError):
            shutil.copyfile(path, path.with_name(_OLD))
        memory = Memory(recent=memory.recent, favourites=memory.favourites, other=memory.other)
        # At once: what is written later is put together with what is there then.
        with contextlib.suppress(ExportError):
            MemoryFile(path, memory).replace(memory)
    return MemoryFile(path, memory)


def _read(path: Path) -> Memory:
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("they are no file")  # one may wait forever for what comes out of a pipe
    if about.st_size > _LARGEST:
        raise ValueError("they are too long")
    return read_memory(path.read_text(encoding="utf-8"))


def _set_aside(path: Path) -> str:
    with contextlib.suppress(OSError):
        path.replace(path.with_name(_OLD))
        return f"; they are kept as {_OLD}"
    return ""


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0]
