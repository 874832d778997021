"""Kills: an export is stopped at a random moment, and what it left is looked at and completed."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from draft_writers import contents

from juggle_anim.cli.command import FAILED, INTERRUPTED
from juggle_anim.formats import MODELS, PAGES, STILLS, VIDEOS
from juggle_anim.prints import PRINTS

WAYS = ("SIGKILL", "SIGINT", "full disk")
"""How an export is stopped."""

KINDS = {
    **{f"film {ending}": f"a{ending}" for ending in VIDEOS},
    **{f"still {ending}": f"a{ending}" for ending in STILLS if ending not in VIDEOS},
    **{f"frames {ending}": f"a_##{ending}" for ending in STILLS},
    **{f"model {ending}": f"a{ending}" for ending in MODELS},
    **{f"page {ending}": f"a{ending}" for ending in PAGES},
    "folder of frames": "frames",
    "batch": "batch",
    **{f"draw {kind}": "a.pdf" for kind in PRINTS},
    "draw svg": "a.svg",
}
"""What is exported: a name for each kind, and that of the file or folder."""

_SMALL = ("--size", "120x90", "--fps", "25", "--loops", "3")
_PATTERNS = ("531", "441", "423", "51")
_PATIENCE = 120.0
_BREAK = 0.002
_AT_EXIT = re.compile(
    r"^Exception ignored in(: <module 'threading'| atexit callback)", re.MULTILINE
)
_IN_MAIN = re.compile(r"juggle_anim.__main__\.py\", line \d+, in main\b")


@dataclass(frozen=True)
class Undisturbed:
    """An export that nothing stopped.

    Args:
        kind: a key of `KINDS`.
        files: what it wrote, by names below its folder.
        began, ended: when the first file or draft was there and when the last file was whole, [s]
            after the start.
    """

    kind: str
    files: dict[str, bytes]
    began: float
    ended: float

    @property
    def size(self) -> int:
        """Of all files, [bytes]."""
        return sum(map(len, self.files.values()))


def undisturbed(kind: str, folder: Path) -> Undisturbed:
    """Export once, and take the time."""
    start = time.monotonic()
    running = _started(kind, folder)
    changes = [0.0]
    names: set[str] = set()
    while running.poll() is None:
        if names != _names(folder):
            names = _names(folder)
            changes.append(time.monotonic() - start)
        time.sleep(_BREAK)
    out = running.communicate()
    assert running.returncode == 0, out
    return Undisturbed(kind, contents(folder), changes[min(1, len(changes) - 1)], changes[-1])


def stop_and_resume(whole: Undisturbed, way: str, rng: Random, folder: Path) -> str:
    """Stop an export of this kind at a random moment, look at what is left, and complete it; how
    far it had come.

    Raises:
        AssertionError: there was half a file, or it was not completed to the bytes of an
            undisturbed export.
    """
    stop = _fill_up if way == "full disk" else _kill
    with stop(whole, way, rng, folder) as (code, said, place):
        left = contents(place)
        check_left(whole, way, code, said, left)
        found = len([name for name in left if not _is_hidden(name)])
        finishing = _started(whole.kind, place)
        out = finishing.communicate(timeout=_PATIENCE)
        assert finishing.returncode == 0, out
        _check_same(contents(place), whole.files)
    return f"{way}: {found} of {len(whole.files)} files, then all"


def check_left(whole: Undisturbed, way: str, code: int, said: str, left: dict[str, bytes]) -> None:
    """Look at what a stopped export said and left.

    Args:
        whole: what it would have written.
        way: how it was stopped, one of `WAYS`.
        code: its exit code, or less than 0 where a signal ended it.
        said: what it printed on standard error.
        left: its files and drafts, by names below its folder.

    Raises:
        AssertionError: a file is not whole, or a stop that can be noticed did not end quietly and
            without drafts.
    """
    for name, content in left.items():
        assert _is_hidden(name) or content == whole.files.get(name), (
            f"{name} is half a file after {way}"
        )
    if code == 0:
        _check_same(left, whole.files)
    if way == "SIGKILL":
        assert code in (0, -signal.SIGKILL), said
        return
    drafts = [name for name in left if _is_hidden(name)]
    assert not drafts, f"{drafts} are left after {way}"
    if way == "SIGINT" and _was_outside_main(code, said):
        if left:
            _check_same(left, whole.files)
        return
    assert "Traceback" not in said, said
    assert code in (0, INTERRUPTED if way == "SIGINT" else FAILED), (
        f"ended in {code} after {way}: {said}"
    )


def can_mount() -> bool:
    """Whether a small file system can be made, which fills up as a disk does."""
    return os.geteuid() == 0 and shutil.which("mount") is not None and _mounts()


Stopped = Iterator[tuple[int, str, Path]]


@contextlib.contextmanager
def _kill(whole: Undisturbed, way: str, rng: Random, folder: Path) -> Stopped:
    # Most of the time goes by before there is anything to spoil, so most kills come after that.
    early = rng.random() < 0.2
    delay = rng.uniform(0.0, whole.began if early else whole.ended - whole.began)
    folder.mkdir(exist_ok=True)
    running = _started(whole.kind, folder)
    deadline = time.monotonic() + _PATIENCE
    while (
        not early and not _names(folder) and running.poll() is None and time.monotonic() < deadline
    ):
        time.sleep(_BREAK)
    time.sleep(delay)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(running.pid, getattr(signal, way))
    _, said = running.communicate(timeout=_PATIENCE)
    yield running.returncode, said, folder


@contextlib.contextmanager
def _fill_up(whole: Undisturbed, _way: str, rng: Random, folder: Path) -> Stopped:
    room = rng.uniform(0.0, whole.size)
    with _disk(folder, room) as (limit, enlarge):
        running = _started(whole.kind, folder, limit)
        _, said = running.communicate(timeout=_PATIENCE)
        enlarge()
        yield running.returncode, said, folder


@contextlib.contextmanager
def _disk(folder: Path, room: float) -> Iterator[tuple[int | None, Callable[[], object]]]:
    """A disk with little room, mounted; else the largest size of a file; and what makes it large
    enough.
    """
    folder.mkdir(exist_ok=True)
    if not can_mount():
        yield int(room), lambda: None
        return
    pages = max(1, int(room) // resource.getpagesize())
    _run("mount", "-t", "tmpfs", "-o", f"nr_blocks={pages + 1}", "tmpfs", str(folder))
    try:
        yield None, lambda: _run("mount", "-o", "remount,size=64m", str(folder))
    finally:
        _run("umount", str(folder))


def _mounts() -> bool:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        if subprocess.run(
            ["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True
        ).returncode:
            return False
        _run("umount", folder)
        return True


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _started(kind: str, folder: Path, limit: int | None = None) -> subprocess.Popen[str]:
    """An export into a folder, which completes what is there; in a session of its own."""
    command = [sys.executable, "-m", "juggle_anim", *_words(kind, str(folder / KINDS[kind]))]

    def prepare() -> None:
        signal.signal(
            signal.SIGINT, signal.SIG_DFL
        )  # a shell's background jobs would not hear of Ctrl-C
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        command,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _words(kind: str, out: str) -> tuple[str, ...]:
    if kind.startswith("draw"):
        # A picture is drawn anew each time, so that it is replaced where an export would keep it.
        what = kind.removeprefix("draw ")
        return (
            "draw",
            what if what in PRINTS else "ladder",
            "531",
            out,
            "--size",
            "400x300",
            "--force",
        )
    if kind == "batch":
        return ("batch", *_PATTERNS, out, "--workers", "2", *_SMALL, "--resume")
    return ("export", "531", out, *_SMALL, "--resume")


def _was_outside_main(code: int, said: str) -> bool:
    """Whether Ctrl-C came before our `main` had begun or after it had ended: then Python itself
    answers.
    """
    if code == -signal.SIGINT:
        return _IN_MAIN.search(said) is None
    if code == 0:
        return _AT_EXIT.search(said) is not None and "juggle_anim" not in said
    return code == 1 and said.startswith("Fatal Python error: init_")


def _check_same(found: dict[str, bytes], wanted: dict[str, bytes]) -> None:
    assert found.keys() == wanted.keys(), f"found {sorted(found)}, not {sorted(wanted)}"
    differ = [name for name in wanted if found[name] != wanted[name]]
    assert not differ, f"{differ} differ from those of an undisturbed export"


def _names(folder: Path) -> set[str]:
    return {os.path.join(place, name) for place, _, names in os.walk(folder) for name in names}


def _is_hidden(name: str) -> bool:
    return Path(name).name.startswith(".")
