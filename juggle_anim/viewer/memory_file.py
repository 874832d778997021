"""The file that keeps the viewer's memory."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.errors import ExportError
from juggle_anim.viewer.memory import Memory, read_memory, write_memory
from juggle_anim.whole_file import cannot_write, remove_left_drafts, whole_file

_OLD = "viewer.old.json"
_LARGEST = 5_000_000  # bytes; nobody's memory is larger


def usual_path() -> Path:
    """Where the file of this user is."""
    from platformdirs import user_config_path

    return user_config_path("juggle-anim", appauthor=False) / "viewer.json"


@dataclass
class MemoryFile:
    """A memory in a file.

    Args:
        path: of the file, there or not.
        memory: what it said when it was read or written last.
        trouble: why it could not be read, or written; empty where all is well.
    """

    path: Path
    memory: Memory
    trouble: str = ""

    def write(self, memory: Memory) -> None:
        """Write a memory down, whole or not at all, if it is another; where that fails, the reason is the trouble."""
        if memory == self.memory:
            return
        try:
            with cannot_write(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            remove_left_drafts(self.path)
            with whole_file(self.path) as draft:
                draft.write_text(write_memory(memory), encoding="utf-8", newline="\n")
        except (ExportError, ValueError) as error:
            self.trouble = str(error)
        else:
            self.memory = memory


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
        return MemoryFile(path, Memory(recent=memory.recent, favourites=memory.favourites, other=memory.other))
    return MemoryFile(path, memory)


def _read(path: Path) -> Memory:
    if path.stat().st_size > _LARGEST:
        raise ValueError("they are too long")
    return read_memory(path.read_text(encoding="utf-8"))


def _set_aside(path: Path) -> str:
    with contextlib.suppress(OSError):
        path.replace(path.with_name(_OLD))
        return f"; they are kept as {_OLD}"
    return ""


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0]
