"""The other end of `viewer_driver.py`: a viewer in a subprocess, with real keys and a real
mouse.
"""

import itertools
import json
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
from PIL import ImageGrab
from window_starter import LONGEST, StartedProcess, WindowStarter

PATIENCE = 90.0  # s; on a busy machine a frame may take long

_CORNER = ("1919", "1199")  # of the screen
_SENT = ("getmouselocation",)  # the X server answers this once it has passed on all keys before

State = dict[str, Any]


class DrivenWindow:
    """A running viewer. Keys and mouse go through the X server, as a user's do."""

    def __init__(
        self,
        environment: dict[str, str],
        folder: Path,
        pattern: str = "531",
        at: float = 0.3,
        paused: bool = True,
        size: tuple[int, int] = (640, 480),
        starter: WindowStarter | None = None,
    ) -> None:
        self._environment, self._folder = environment, folder
        words = [pattern, str(at), "paused" if paused else "playing", *map(str, size)]
        self.process = (
            starter.start(words, environment, folder)
            if starter
            else _start(words, environment, folder)
        )
        self._read()
        self.state()
        self.window = ""
        self.find()
        self.park_pointer()

    def __enter__(self) -> "DrivenWindow":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def find(self) -> None:
        """Find the window and give it the keyboard: without a window manager nobody else does.

        Other tests may have left windows of theirs on the same screen, so it is the one that the
        viewer says.
        """
        self.window = str(self.state()["xid"])
        self._xdotool("windowmap", "--sync", self.window, "windowraise", self.window)
        self._xdotool("windowfocus", "--sync", self.window)

    def park_pointer(self) -> None:
        """Move the mouse to where it points at nothing that says something: another test may have
        left it on a card.
        """
        self._xdotool("mousemove", *_CORNER)

    def keys(self, *names: str) -> None:
        """Press keys, one after the other, by xdotool's names; letters as shortcuts, and not as the
        beginning of a name.
        """
        for is_letter, group in itertools.groupby(names, lambda name: len(name) == 1):
            for some in [[name] for name in group] if is_letter else [group]:
                self._xdotool("key", "--delay", "8", *some, *_SENT)
                if is_letter:
                    self.wait(lambda state: not state["letter_waits"])

    def burst(self, *names: str) -> None:
        """Press keys as fast as the X server takes them, so that several come within a frame."""
        self._xdotool("key", "--delay", "1", *names, *_SENT)

    def type(self, text: str) -> None:
        """Type text."""
        self._xdotool("type", "--args", "1", "--delay", "8", text, *_SENT)

    def mouse(self, *commands: str | float) -> None:
        """Move and press the mouse, in xdotool's words.

        Two more are `move` for a place within the window, and `drawn`, which waits as the method of
        this name does.
        """
        words: list[str] = []
        for word in map(str, commands):
            if word == "drawn":
                self._xdotool(*words, *_SENT)
                self.drawn()
                words.clear()
            else:
                words += self._placed(word)
        self._xdotool(*words, *_SENT)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: int = 1) -> None:
        """Drag the mouse."""
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        steps = [
            ("move", *start),
            ("mousedown", button),
            ("move", *middle),
            ("move", *end),
            ("mouseup", button),
        ]
        self.mouse(*(word for step in steps for word in (*step, "drawn")))

    def drawn(self) -> State:
        """The state once frames show what was done so far.

        The panel takes one step of the mouse in a frame, and on a busy machine frames are far
        apart. Where things stand is true only of frames that are drawn.
        """
        frames = self.state()["frames"] + 2
        return self.wait(lambda state: state["frames"] >= frames or not state["awake"])

    def drop(self, *paths: Path, listed: bool = False) -> bool:
        """Drop files as a file manager does, and return whether they were taken."""
        return self.drop_data(
            "text/uri-list", "".join(f"{path.as_uri()}\r\n" for path in paths), listed
        )

    def drop_data(self, kind: str, data: str, listed: bool = False) -> bool:
        """Drop data of a kind, named in a list or at once, and return whether they were taken."""
        from drag_source import DragSource  # only now: not every machine has the libraries of X

        with closing(DragSource(self._environment["DISPLAY"])) as source:
            return source.drop(int(self.window), kind, data.encode(), listed)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self._xdotool("windowsize", self.window, str(width), str(height))

    def window_command(self, name: str) -> None:
        """A command of xdotool's about the window."""
        self._xdotool(name, self.window)

    def ask_to_close(self) -> None:
        """What a window manager says when its cross is clicked; here is none to say it."""
        self._ask("close")

    def afresh(
        self,
        pattern: str = "531",
        at: float = 0.3,
        paused: bool = True,
        ear: bool = False,
        size: tuple[int, int] = (640, 480),
        chosen: str = "chicken_wing",
        folded: bool = False,
        language: str = "en",
    ) -> State:
        """Begin anew with a pattern, as if the window had just been opened, and come to rest.

        Args:
            pattern, at, paused, size: as for a new window.
            ear: whether what it plays is heard by an ear of ours, and not by an audio device.
            chosen: the slider that keys turn, as if its flag had been given; empty for that of a
                new window.
            folded: whether groups of sliders are folded as in a new window.
            language: that the window speaks.
        """
        how = {
            "pattern": pattern,
            "at": at,
            "paused": paused,
            "ear": ear,
            "chosen": chosen,
            "folded": folded,
            "language": language,
        }
        command = f"afresh {json.dumps(how)}"
        self.park_pointer()
        state = self.state()
        if state["fullscreen"]:
            self._ask(command)
            state = self.wait(lambda state: not state["fullscreen"])
            self.find()  # it is another one for the X server
        if state["size"] != list(size):
            self.resize(*size)
            self.wait(lambda state: state["size"] == list(size))
        drawn = self._ask(command)["frames"] + 2
        at_rest = self.wait(
            lambda state: state["frames"] >= drawn and state["settled"] and not state["typing"]
        )
        return self.wait(lambda state: not state["awake"]) if paused else at_rest

    def rest(self) -> None:
        """Pause, until another test begins afresh; a viewer that is just ending need not."""
        with suppress(BrokenPipeError, AssertionError):
            self._ask("rest")

    def edit(self, pattern: str) -> None:
        """Change the throws to those of a pattern, as by hand."""
        self._ask(f"edit {pattern}")

    def greet(self) -> None:
        """Do what the program does once its window is there: look around at the very first
        start.
        """
        self._ask("greet")

    def forget(self) -> None:
        """Lose all that OpenGL holds."""
        self._ask("forget")

    def state(self) -> State:
        """What the viewer shows now."""
        return self._ask("state")

    def wait(self, condition: Callable[[State], Any]) -> State:
        """The state as soon as it fulfils a condition."""
        end = time.monotonic() + PATIENCE
        while not condition(state := self.state()):
            assert time.monotonic() < end, f"never came: {state}"
            time.sleep(0.02)
        return state

    def is_focused(self) -> bool:
        """Whether keys come here, and nothing is in the way of the mouse."""
        return bool(self._ask("focused")["focused"])

    def pixels(self) -> np.ndarray:
        """What the window shows, shape (height, width, 3)."""
        path = self._folder / "grab.npy"
        self._ask(f"grab {path}")
        return np.load(path)

    def screen(self) -> np.ndarray:
        """What the X server shows in place of the window while it films, shape (height, width,
        3).
        """
        (left, top), (width, height) = self._ask("place")["place"], self.state()["size"]
        area = left, top, left + width, top + height
        return np.array(ImageGrab.grab(area, xdisplay=self._environment["DISPLAY"]))

    def exit_code(self) -> int:
        """How the viewer ended; what it wrote to its standard error must be nothing."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        assert not errors, errors
        return self.process.returncode

    def _ask(self, command: str) -> State:
        assert self.process.stdin
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> State:
        assert self.process.stdout
        assert self.process.stderr
        ready, _, _ = select.select([self.process.stdout], [], [], LONGEST)
        assert ready, "the viewer does not answer"
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        answer: State = json.loads(line)
        return answer

    def _placed(self, word: str) -> list[str]:
        return ["mousemove", "--window", self.window] if word == "move" else [word]

    def _xdotool(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if "BadWindow" in done.stderr and words[-1:] == _SENT and len(words) > 1:
            return self._xdotool(*_SENT)  # the window below the mouse ended by what was sent
        assert done.returncode == 0, done.stderr
        return done.stdout


def _start(
    words: list[str], environment: dict[str, str], folder: Path
) -> "subprocess.Popen[str] | StartedProcess":
    command = [sys.executable, str(Path(__file__).with_name("viewer_driver.py")), *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, env=environment, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )
