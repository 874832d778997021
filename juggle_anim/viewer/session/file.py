"""The session file in the user's settings folder: read, written atomically, and locked against other windows."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from juggle_anim.atomic_file import atomic_file, cannot_write, remove_stale_partials
from juggle_anim.errors import ExportError, ViewerError, sentence
from juggle_anim.viewer.session.state import SessionState, merged_sessions, read_session_state, write_session_state

_OLD = "viewer.old.json"
_LARGEST = 5_000_000  # bytes; nobody's memory is larger
_LOCK_TIMEOUT = 0.5  # s; who holds it for longer is stuck, and nobody waits for that


def session_path() -> Path:
    """Where the file of this user is.

    Raises:
        ViewerError: nobody knows where the user is at home.
    """
    return settings_folder() / "viewer.json"


@dataclass
class SessionFile:
    """A memory in a file.

    Args:
        path: of the file, there or not.
        state: what it said when it was read or written last.
        error: why it could not be read, or written; empty where all is well.
        has_place: whether there is a place for it at all.
    """

    path: Path
    state: SessionState
    error: str = ""
    has_place: bool = True

    def write(self, memory: SessionState, last: bool = False) -> bool:
        """Write a memory down, whole or not at all, if it is another; where that fails, the reason is the trouble.

        What another window has written meanwhile is kept, and is part of this memory then.

        Args:
            memory: what is to be known next time.
            last: whether the window closes, and so decides where the next one opens.

        Returns:
            Whether something was written.
        """
        if not self.has_place or (memory == self.state and not last):
            return False
        try:
            with cannot_write(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with directory_lock(self.path.parent):
                return self._write(memory)
        except (ExportError, ValueError) as error:
            self.error = str(error)
        return False

    def _present(self) -> SessionState:
        """What the file says by now; where it says nothing, what it said before."""
        try:
            return _read(self.path)
        except FileNotFoundError:
            return self.state
        except (OSError, ValueError):
            _set_aside(self.path)
            return self.state

    def _write(self, memory: SessionState) -> bool:
        present = self._present()
        self.state = merged_sessions(self.state, memory, present)
        if self.state == present:
            return False
        self.replace(self.state)
        return True

    def replace(self, memory: SessionState) -> None:
        """Write a memory down in place of whatever is there.

        Raises:
            ExportError: the file cannot be written.
        """
        remove_stale_partials(self.path)
        with atomic_file(self.path) as draft:
            draft.write_text(write_session_state(memory), encoding="utf-8", newline="\n")


def open_default_session(safe: bool = False) -> SessionFile:
    """The memory of this user, in a file where there is a place for one; `safe` as in `open_memory`."""
    try:
        return open_session_file(session_path(), safe)
    except ViewerError as error:
        return SessionFile(Path(), SessionState(), sentence(str(error)), has_place=False)


def open_session_file(path: Path, safe: bool = False) -> SessionFile:
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
        return SessionFile(path, SessionState())
    except (OSError, ValueError) as error:
        aside = _set_aside(path)
        return SessionFile(path, SessionState(), f"The viewer's settings cannot be read ({_reason(error)}){aside}")
    if safe:
        with contextlib.suppress(OSError):
            shutil.copyfile(path, path.with_name(_OLD))
        memory = SessionState(recent=memory.recent, favourites=memory.favourites, other=memory.other)
        # At once: what is written later is put together with what is there then.
        with contextlib.suppress(ExportError):
            SessionFile(path, memory).replace(memory)
    return SessionFile(path, memory)


def _read(path: Path) -> SessionState:
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("they are no file")  # one may wait forever for what comes out of a pipe
    if about.st_size > _LARGEST:
        raise ValueError("they are too long")
    return read_session_state(path.read_text(encoding="utf-8"))


def _set_aside(path: Path) -> str:
    with contextlib.suppress(OSError):
        path.replace(path.with_name(_OLD))
        return f"; they are kept as {_OLD}"
    return ""


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0]


@contextlib.contextmanager
def directory_lock(folder: Path, patience: float = _LOCK_TIMEOUT) -> Iterator[None]:
    """Let no other program be here at the same time, where the system can do that; else go on all the same.

    Args:
        folder: that others work in, too.
        patience: how long to wait for them, [s].
    """
    if sys.platform == "win32":
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            place = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, place)
            _try_lock(place, patience)
        yield


def _try_lock(place: int, patience: float) -> None:
    import fcntl

    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.005)
        else:
            return


def settings_folder() -> Path:
    """Where the settings of this user are.

    Raises:
        ViewerError: nobody knows where the user is at home.
    """
    from platformdirs import user_config_path

    try:
        folder = user_config_path("juggle-anim", appauthor=False)
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # as of a ~ that stands for nothing
        raise ViewerError("nothing is remembered: there is no home folder; set HOME or XDG_CONFIG_HOME")
    return folder
