"""Starts viewers in copies of a process that has loaded the program: to load it takes most of the
time of a start.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

LONGEST = 300.0  # s until an answer; on a busy machine much may be waited for
_MOST_BYTES = 65_536  # of a request


class StartedProcess:
    """A process that a starter started, with what is needed here of `subprocess.Popen`."""

    def __init__(self, starter: WindowStarter, pid: int, ends: tuple[int, int, int]) -> None:
        self._starter, self.pid = starter, pid
        self.stdin: IO[str] = os.fdopen(ends[0], "w")
        self.stdout: IO[str] = os.fdopen(ends[1])
        self.stderr: IO[str] = os.fdopen(ends[2])
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        if self.returncode is None:
            self.returncode = cast("int | None", self._starter.ask({"poll": self.pid}))
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """How it ends, [s] from now at the latest."""
        end = time.monotonic() + timeout if timeout else None
        while (code := self.poll()) is None:
            if end and time.monotonic() > end:
                raise subprocess.TimeoutExpired("viewer", timeout or 0.0)
            time.sleep(0.01)
        return code

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it still writes until it ends, [s] from now at the latest; once told, nothing."""
        self.wait(timeout)
        if self.stdout.closed:
            return "", ""
        said = self.stdout.read(), self.stderr.read()
        for end in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                end.close()
        return said


class WindowStarter:
    """Starts viewers.

    Args:
        environment: for them all; each may have variables of its own.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = socket.socket()

    def start(self, words: list[str], environment: dict[str, str], folder: Path) -> StartedProcess:
        """Start one, with the words of its command line, in a folder."""
        (stdin, write), (read, stdout), (read_errors, stderr) = os.pipe(), os.pipe(), os.pipe()
        request = {"words": words, "environment": environment, "folder": str(folder)}
        pid = self.ask(request, [stdin, stdout, stderr])
        for end in (stdin, stdout, stderr):
            os.close(end)
        assert isinstance(pid, int)
        return StartedProcess(self, pid, (write, read, read_errors))

    def ask(self, request: dict[str, Any], ends: list[int] | None = None) -> Any:
        """Have a request answered, which comes with ends of pipes."""
        if self._process is None:
            self._begin()
        socket.send_fds(self._socket, [json.dumps(request).encode()], ends or [])
        answer = self._socket.recv(_MOST_BYTES)
        assert answer, "the process that starts windows has ended"
        return json.loads(answer)

    def _begin(self) -> None:
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(LONGEST)
        command = [
            sys.executable,
            str(Path(__file__).with_name("viewer_driver.py")),
            "start",
            str(other.fileno()),
        ]
        with other:
            self._process = subprocess.Popen(
                command, env=self._environment, pass_fds=[other.fileno()]
            )

    def close(self) -> None:
        """Start no more."""
        self._socket.close()
        if self._process:
            self._process.wait()


def started(number: int) -> list[str]:
    """Start copies of this process as a starter asks for them.

    Args:
        number: of the socket where it asks.

    Returns:
        In each copy, the words of its command line; this process ends with its starter.
    """
    gc.collect()
    gc.freeze()  # copies share what is loaded
    with socket.socket(fileno=number) as asked:
        while True:
            message, ends, *_ = socket.recv_fds(asked, _MOST_BYTES, 3)
            if not message:
                os._exit(0)  # it has opened nothing that it would have to close
            request = json.loads(message)
            if "poll" in request:
                answer = _ended(request["poll"])
            elif pid := os.fork():
                answer = pid
            else:
                break
            for end in ends:
                os.close(end)
            asked.send(json.dumps(answer).encode())
    for end, usual in zip(ends, range(3), strict=True):
        os.dup2(end, usual)
        os.close(end)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    return list(request["words"])


def _ended(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None
