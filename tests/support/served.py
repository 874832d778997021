"""The program as a server, on a port of this machine."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple


class Served(NamedTuple):
    """A server that runs: the address of its page, and its process."""

    address: str
    pid: int


@contextlib.contextmanager
def served() -> Iterator[Served]:
    """A server, which Ctrl-C ends."""
    command = [sys.executable, "-m", "juggle_anim", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        assert said.startswith("Serving at http://127.0.0.1:"), said
        yield Served(said.split()[2], process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(60)
    assert code in (0, 130), code
