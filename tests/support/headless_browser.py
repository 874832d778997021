"""A browser without a window, for tests of web pages: Chromium, which `make test` installs.

It is told what to do over two pipes (Chrome DevTools Protocol, `--remote-debugging-pipe`), a line
of JSON that ends in a zero byte for each command, answer and event.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_LONGEST = 180.0
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu-sandbox", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-first-run", "--disable-extensions", "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--remote-debugging-pipe",
    # Software draws what the graphics card would, and compiles what soon is gone.
    "--disable-gpu-rasterization", "--js-flags=--no-opt",
)  # fmt: skip


class Page:
    """A page of a browser. `events` holds all that it reported, with `method` and `params`."""

    def __init__(self, browser: Browser, session: str, all_frames: bool = False) -> None:
        self._browser, self._session = browser, session
        self.events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")
        if not all_frames:
            self("Page.addScriptToEvaluateOnNewDocument", source=_FEW_FRAMES)

    def open(self, path: Path, width: int = 1280, height: int = 720, still: bool = False) -> None:
        """Open a file in a window of this size, and wait until it plays; everything reported before
        is forgotten.
        """
        self.resize(width, height)
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        self("Emulation.setEmulatedMedia", features=[motion])
        self.events.clear()
        self("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("document.readyState === 'complete' && window.player?.frames > 2")

    def blank(self) -> None:
        """Show nothing: a page is drawn all the time, on the cores that others want."""
        self("Page.navigate", url="about:blank")

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, [pixels]."""
        mobile = width < 600
        self(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def value(self, expression: str) -> Any:
        """What an expression in JavaScript is, as JSON can hold it."""
        answer = self(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _LONGEST
        while not self.value(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.05)

    def press(self, key: str, shift: bool = False, control: bool = False) -> None:
        """Press a key and let it go."""
        typed = "\r" if key == "Enter" else key
        letter = {"text": typed} if len(typed) == 1 and not control else {}
        given = {
            "key": key,
            "modifiers": 8 * shift + 2 * control,
            "windowsVirtualKeyCode": _CODES.get(key, 0),
        }
        self("Input.dispatchKeyEvent", type="keyDown", **given, **letter)
        self("Input.dispatchKeyEvent", type="keyUp", **given)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag the mouse from one place to another, [pixels]."""
        for kind, place in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            self(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                buttons=1,
                clickCount=1,
            )

    def touch(self, start: tuple[float, float], end: tuple[float, float] | None = None) -> None:
        """Touch a place with a finger and lift it, or drag it to another place, [pixels].

        The page is not waited for in between: on a busy machine a tap would become a long press.
        """
        strokes: list[tuple[str, tuple[float, ...]]] = [("touchStart", start)]
        for share in (0.3, 0.6, 1.0) if end else ():
            place = tuple(a + share * (b - a) for a, b in zip(start, end or start, strict=True))
            strokes.append(("touchMove", place))
        self._browser.ask_all(
            [
                ("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [_point(place)]})
                for kind, place in strokes
            ]
            + [("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})],
            self,
        )

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element that is scrolled into view, [pixels]."""
        x, y = self.value(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({block: 'nearest'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        return x, y

    def tap(self, selector: str) -> None:
        """Touch the middle of an element with a finger, once it stays where it is."""
        before = None
        while (place := self.place(selector)) != before:
            before = place
            time.sleep(0.1)
        self.touch(place)

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""
        return base64.b64decode(self("Page.captureScreenshot", format="png")["data"])

    def complaints(self) -> list[Any]:
        """All errors and warnings since the page was opened."""
        found = [
            event["params"] for event in self.events if event["method"] == "Runtime.exceptionThrown"
        ]
        for event in self.events:
            told = event["params"]
            if event["method"] == "Log.entryAdded" and told["entry"]["level"] in (
                "error",
                "warning",
            ):
                found.append(told["entry"])
            if event["method"] == "Runtime.consoleAPICalled" and told["type"] in (
                "error",
                "warning",
                "assert",
            ):
                found.append(told)
        return found

    def requests(self) -> list[str]:
        """Addresses of all that the page asked for since it was opened."""
        asked = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in asked]

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for the answer."""
        return self._browser.ask(method, params, self)

    def report(self, message: dict[str, Any]) -> None:
        """Take what the browser reports, if it is about this page."""
        if message.get("sessionId") == self._session:
            self.events.append(message)

    @property
    def session(self) -> dict[str, str]:
        """What a command says that is for this page."""
        return {"sessionId": self._session}


class Browser:
    """A browser, with a page for whoever wants one."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._number, self._left = 0, b""

    @contextlib.contextmanager
    def page(self, all_frames: bool = False) -> Iterator[Page]:
        """A page, which is closed with the context; what it keeps, as compiled shaders, others
        have, too. It draws fewer and fewer pictures a second unless all frames are wanted.
        """
        target = self.ask("Target.createTarget", {"url": "about:blank"})
        session = self.ask("Target.attachToTarget", {**target, "flatten": True})["sessionId"]
        yield Page(self, session, all_frames)
        self.ask("Target.closeTarget", target)

    def ask(
        self, method: str, params: dict[str, Any] | None = None, page: Page | None = None
    ) -> dict[str, Any]:
        """Send a command, perhaps for a page, which hears what is reported until the answer
        comes.
        """
        (answer,) = self.ask_all([(method, params or {})], page)
        return answer

    def ask_all(
        self, commands: list[tuple[str, dict[str, Any]]], page: Page | None = None
    ) -> list[dict[str, Any]]:
        """Send commands at once and wait for all answers, in the order of the commands."""
        session = page.session if page else {}
        numbers = range(self._number + 1, self._number + 1 + len(commands))
        self._number += len(commands)
        lines = b"".join(
            json.dumps({"id": number, "method": method, "params": params, **session}).encode()
            + b"\0"
            for number, (method, params) in zip(numbers, commands, strict=True)
        )
        while lines:
            lines = lines[os.write(self._writes, lines) :]
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < len(commands):
            message = self._message()
            if message.get("id") in numbers:
                assert "error" not in message, f"{commands}: {message['error']}"
                answers[message["id"]] = message["result"]
            elif "method" in message and page:
                page.report(message)
        return [answers[number] for number in numbers]

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._reads], [], [], _LONGEST)
            assert ready, "the browser says nothing"
            more = os.read(self._reads, 1 << 20)
            assert more, "the browser has ended"
            self._left += more
        line, self._left = self._left.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        return message


def _point(place: tuple[float, ...]) -> dict[str, float]:
    return {"x": place[0], "y": place[1]}


@contextlib.contextmanager
def started_browser(folder: Path) -> Iterator[Browser]:
    """A browser that keeps its own files in a folder; it ends with the context."""
    program = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    reads, told = os.pipe()
    tells, writes = os.pipe()
    # The browser has its pipes as files 3 and 4.
    pipes = (
        f'exec chromium {" ".join(_FLAGS)} --user-data-dir="$1" about:blank 3<&{tells} 4>&{told}'
    )
    command = ["bash", "-c", pipes, "bash", str(folder)]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, pass_fds=(tells, told), stdout=log, stderr=log)
    os.close(tells)
    os.close(told)
    try:
        browser = Browser(reads, writes)
        yield browser
        browser.ask("Browser.close")
    finally:
        os.close(writes)
        os.close(reads)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


_FEW_FRAMES = """
{
    const draw = window.requestAnimationFrame.bind(window), asked = new Set();
    let last = 0;
    window.requestAnimationFrame = (each) => {
        const id = (last += 1);
        asked.add(id);
        setTimeout(draw, Math.min(400, 100 + 20 * id), (now) => asked.delete(id) && each(now));
        return id;
    };
    window.cancelAnimationFrame = (id) => asked.delete(id);
}
"""
"""Software draws pages here, on the cores that others want: a page has ten pictures a second at
first, and from the 15th on fewer than three.
"""

_CODES = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    " ": 32,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "f": 70,
}
