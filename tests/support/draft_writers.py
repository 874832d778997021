"""Who writes a draft: its name holds the number of a thread, by which a process can be killed."""

import os
import re
import signal
import time
from pathlib import Path


def wait_for_writer(folder: Path, among: str = "", patience: float = 60.0) -> int:
    """The number of a thread that is writing in a folder now; waits until there is one.

    Args:
        folder: that.
        among: with what the name of the file begins.
        patience: how long to wait, [s].
    """
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        for draft in sorted(folder.glob(".*")) if folder.is_dir() else ():
            found = re.match(rf"\.{re.escape(among)}.*\.(\d+)\.part\.", draft.name)
            if found:
                return int(found[1])
        time.sleep(0.005)
    raise AssertionError(f"nobody began to write in {folder}")


def stop_writer(folder: Path, whole: int, patience: float = 60.0) -> int:
    """The number of a thread that has been stopped in the midst of writing into a folder, once some
    files are whole.

    Args:
        folder: that.
        whole: how many files are whole by then, at least.
        patience: how long to wait, [s].
    """
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        thread = wait_for_writer(folder, patience=patience)
        if len(list(folder.glob("[!.]*"))) < whole:
            time.sleep(0.005)
            continue
        os.kill(thread, signal.SIGSTOP)
        # It may have finished its file before it was stopped, and be at no other.
        if list(folder.glob(f".*.{thread}.part.*")):
            return thread
        os.kill(thread, signal.SIGCONT)
    raise AssertionError(f"nobody was in the midst of writing in {folder}")


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
