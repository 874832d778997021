"""A soak: the real viewer at 20 times speed, with random inputs for a long time; it must bear all
of them.

How the memory is measured: as what each process holds that is its own (see `held_memory`), after a
garbage collection, as the median over the last second of a rest. In each rest the same small
pattern plays in a window of the same size.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from paths import SUPPORT

MOST_GROWTH = 20.0
"""Memory that may be gained after the first minutes, [MB]."""

_COMPARED = 5  # rests at the beginning and at the end, of which the medians are compared

_LATE = 120.0  # s after its end until a soak is given up


@dataclass
class Soaked:
    """What came of a soak.

    Args:
        rests: what was measured at each rest: `seconds`, `inputs`, `memory` and, with what may be
            shared, `whole` [MB], `beside` of the process that prepares changes [MB], `files`,
            `threads`, `frames`, `changes`.
        faults: what went wrong.
        made: how many inputs there were, of each kind.
    """

    rests: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    made: dict[str, int] = field(default_factory=dict)

    def judge(self, settled: float, most_growth: float = MOST_GROWTH) -> None:
        """Add to the faults what has grown from the first rests to the last ones: memory from those
        after `settled` seconds, files and threads from the most that were open until then.

        Args:
            settled: after which time it may not grow any more, [s].
            most_growth: of memory, [MB]: a few more or less are a matter of where free memory lies.
        """
        late = [rest for rest in self.rests if rest["seconds"] >= settled - 1]
        count = min(_COMPARED, len(late) // 2)
        if not count:
            self.faults.append(
                f"it was over before anything could be compared: {len(self.rests)} rests"
            )
            return
        last = late[-1]
        early = self.rests[: len(self.rests) - len(late) + 1]
        for what in ("memory", "beside"):
            before, after = (
                median(rest[what] for rest in rests) for rests in (late[:count], late[-count:])
            )
            if after - before > most_growth:
                self.faults.append(f"{what} grew from {before} MB to {after} MB")
        # Rests in which a file was just closed say less than the window has open as a rule.
        for what in ("files", "threads"):
            before = max(rest[what] for rest in early)
            if last[what] > before:
                self.faults.append(f"{what} grew from {before} to {last[what]}")


def soak(
    seed: str, seconds: float, rest: float, tell: Callable[[dict[str, Any]], None] = lambda _: None
) -> Soaked:
    """Soak a viewer.

    Args:
        seed: of the inputs.
        seconds: how long.
        rest: from one rest to the next, [s].
        tell: called with what is measured at each rest.
    """
    soaked = Soaked()
    with tempfile.TemporaryDirectory(prefix="soak") as name, _display() as display:
        folder = Path(name)
        (folder / "Pictures").mkdir()
        command = [
            sys.executable,
            str(Path(__file__).with_name("soaked_viewer.py")),
            seed,
            str(seconds),
            str(rest),
        ]
        with (folder / "stderr").open("w") as errors:
            viewer = subprocess.Popen(
                [*command, name], cwd=name, env={**_environment(folder, display),
                    "PYTHONPATH": str(SUPPORT)},
                text=True, stderr=errors, stdout=subprocess.PIPE,
            )  # fmt: skip
            try:
                _listen(viewer, soaked, tell)
                viewer.wait(_LATE)
            finally:
                viewer.kill()
                viewer.wait()
        if viewer.returncode:
            soaked.faults.append(f"the viewer ended with {viewer.returncode}")
        if said := (folder / "stderr").read_text():
            soaked.faults.append(f"standard error: {said[-20_000:]}")
    return soaked


def _listen(
    viewer: subprocess.Popen[str], soaked: Soaked, tell: Callable[[dict[str, Any]], None]
) -> None:
    assert viewer.stdout
    ended = False
    for line in viewer.stdout:
        told = json.loads(line)
        if "end" in told:
            ended, end = True, told["end"]
            soaked.made = end["kinds"]
            soaked.faults += end["faults"]
            if end["faults"]:
                soaked.faults.append(f"after input {end['made']}; the last ones: {end['last']}")
        else:
            soaked.rests.append(told)
            tell(told)
    if not ended:
        soaked.faults.append("it ended before its time")


def _environment(folder: Path, display: str) -> dict[str, str]:
    """A home of its own, and every call of OpenGL checked."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "WAYLAND", "PYOPENGL"))
    }
    own = {
        "HOME": folder,
        "XDG_CONFIG_HOME": folder / "config",
        "XDG_CACHE_HOME": folder / "cache",
        "TMPDIR": folder,
    }
    return {
        **kept, **{name: str(path) for name, path in own.items()}, "DISPLAY": display,
        "PYOPENGL_ERROR_CHECKING": "1",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": "1", "PYTHONWARNINGS": "default",
    }  # fmt: skip


@contextmanager
def _display() -> Iterator[str]:
    assert shutil.which("Xvfb"), "needs Xvfb: apt-get install xvfb"
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        yield f":{server.stdout.readline().strip()}"
        server.terminate()
