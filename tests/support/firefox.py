"""Firefox, for tests of web pages in a second browser. It is told what to do in Marionette, its own
protocol.

A command is `[0, number, name, arguments]` as JSON behind its length and a colon; an answer is `[1,
number, error, result]`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

_LONGEST = 120.0

_SETTINGS = {
    "marionette.port": 0,  # any that is free
    "webgl.force-enabled": True,
    "ui.prefersReducedMotion": 1,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}


class FirefoxPage:
    """The one page of Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._answers = connection, connection.makefile("rb")
        self._number = 0
        _message(self._answers)  # it says what it is
        self("WebDriver:NewSession")

    def open(self, path: Path) -> None:
        """Open a file."""
        self("WebDriver:Navigate", url=path.resolve().as_uri())

    def value(self, expression: str) -> Any:
        """What an expression in JavaScript is, as JSON can hold it."""
        return self(
            "WebDriver:ExecuteScript", script=f"return {expression}", args=[], sandbox=None
        )["value"]

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _LONGEST
        while not self.value(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.05)

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""
        return base64.b64decode(self("WebDriver:TakeScreenshot", full=False)["value"])

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Send a command and wait for the answer."""
        self._number += 1
        sent = json.dumps([0, self._number, command, arguments]).encode()
        self._connection.sendall(b"%d:%b" % (len(sent), sent))
        _kind, number, error, result = _message(self._answers)
        assert (number, error) == (self._number, None), f"{command}: {error}"
        return result


@contextlib.contextmanager
def firefox(folder: Path, display: dict[str, str]) -> Iterator[FirefoxPage]:
    """Firefox on a display, with its own files in a folder; it ends with the context."""
    program = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
    assert program, "needs Firefox, which `make firefox` installs"
    settings = (
        f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
        for name, value in _SETTINGS.items()
    )
    (folder / "user.js").write_text("".join(settings))
    command = [program, "--marionette", "--no-remote", "--profile", str(folder), "about:blank"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env={**display, "HOME": str(folder)}, stdout=log, stderr=log
        )
    try:
        with socket.create_connection(("127.0.0.1", _port(folder)), _LONGEST) as connection:
            page = FirefoxPage(connection)
            yield page
            page("Marionette:Quit", flags=["eForceQuit"])
            process.wait(_LONGEST)
    finally:
        process.kill()
        process.wait()


def _port(folder: Path) -> int:
    """Where it listens, which it writes into a file once it does."""
    told, end = folder / "MarionetteActivePort", time.monotonic() + _LONGEST
    while not (told.exists() and told.read_text()):
        assert time.monotonic() < end, "Firefox never listened"
        time.sleep(0.05)
    return int(told.read_text())


def _message(answers: IO[bytes]) -> Any:
    length = b""
    while not length.endswith(b":"):
        letter = answers.read(1)
        assert letter, "Firefox has ended"
        length += letter
    return json.loads(answers.read(int(length[:-1])))
