"""What kills the process that is handed it, as a crash in a library would."""

import os
import signal
from pathlib import Path


class Deadly(dict[str, object]):
    """Nothing given, but so many processes die of it, one after the other, before it does no
    harm.
    """

    def __init__(self, folder: Path, deaths: int) -> None:
        super().__init__()
        self.folder, self.deaths = folder, deaths

    def __reduce__(self) -> tuple[object, tuple[Path, int]]:
        return _taken, (self.folder, self.deaths)


def _taken(folder: Path, deaths: int) -> dict[str, object]:
    died = len(list(folder.iterdir()))
    if died < deaths:
        (folder / str(died)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {}
