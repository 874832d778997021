"""Who writes a draft: its name holds the number of a thread, by which a process can be killed."""

import re
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


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
