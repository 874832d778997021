"""How long the last of many inputs waits that come 30 a second, also while loops keep all cores busy."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

import pytest

from juggle_anim.viewer.state.keymap import BINDINGS, Action

COUNT, RATE = 200, 30.0

# Shows one pattern at rest or at play, and tells when it has shown so many characters in the pattern line.
PROGRAM = """
import sys, time
from juggle_anim.animation import animate
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

class Watched(Viewer):
    def draw(self, elapsed):
        super().draw(elapsed)
        self.drawn = getattr(self, "drawn", 0) + 1
        if self.drawn == 20:
            self.controller.perform(Action.EDIT_PATTERN)
            self.model.line = ""
        if self.drawn == 40:
            print(self.window._window, flush=True)
        if len(self.model.line) >= int(sys.argv[2]):
            print(time.monotonic(), flush=True)
            self.exit()

Watched(animate("531"), paused=sys.argv[1] == "paused", size=(640, 480)).run()
"""


@pytest.fixture
def busy(request: pytest.FixtureRequest) -> Iterator[int]:
    """How many loops run beside the window: as many for each core."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(request.param * (os.cpu_count() or 1))
    ]
    yield len(loops)
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.mark.parametrize("busy", [0, 1, 2], indirect=True, ids=["quiet", "busy", "very busy"])
def test_the_last_of_many_characters(busy: int, display: str, benchmark, report) -> None:
    environment = {**os.environ, "DISPLAY": display}

    def type_all() -> float:
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "playing", str(COUNT)], stdout=subprocess.PIPE, text=True, env=environment
        ) as viewer:
            window = viewer.stdout.readline().strip()
            focus = ["xdotool", "windowmap", "--sync", window, "windowfocus", "--sync", window]
            subprocess.run(focus, check=True, env=environment)
            keys = ["xdotool", "key", "--delay", str(round(1000 / RATE)), *["3"] * COUNT]
            subprocess.run(keys, check=True, env=environment)
            typed = time.monotonic() - 1 / RATE  # it waits after the last key, too
            return float(viewer.stdout.readline()) - typed

    waits: list[float] = []
    benchmark.pedantic(lambda: waits.append(type_all()), rounds=1)
    report(seconds=max(*waits, 0.0), loops=busy)


# Tells when all keys have been handled, and a picture of that is drawn.
ANY_KEYS = """
import sys, time
from juggle_anim.animation import animate
from juggle_anim.viewer.window import Viewer

class Watched(Viewer):
    handled = drawn = 0

    def on_key_press(self, symbol, modifiers):
        kept = len(self._keyboard.deferred._kept)
        super().on_key_press(symbol, modifiers)
        self.handled += len(self._keyboard.deferred._kept) <= kept
        return True

    def draw(self, elapsed):
        super().draw(elapsed)
        self.drawn += 1
        if self.drawn == 40:
            print(self.window._window, flush=True)
        waiting = self._keyboard.deferred.waiting or self._overlay.input.pending
        if self.handled >= int(sys.argv[1]) and not waiting:
            print(time.monotonic(), flush=True)
            self.exit()

Watched(animate("531"), size=(640, 480)).run()
"""

ACTIONS, SEED = 1800, 5
# They end the program, show another window, write films, or wait for a dialog.
_OTHERS = {Action.LEAVE, Action.FULL_SCREEN, Action.RECORD, Action.KEEP_SESSION, Action.PICTURE, Action.OPEN_FILE}


@pytest.mark.parametrize("busy", [0, 2], indirect=True, ids=["quiet", "very busy"])
def test_the_last_of_many_random_keys(busy: int, display: str, benchmark, report, tmp_path) -> None:
    random = Random(SEED)
    usual = [
        key for binding in BINDINGS if binding.action not in _OTHERS for key in [_XDOTOOL.get(binding.chord)] if key
    ]
    keys = [random.choice(usual) for _ in range(ACTIONS)]
    environment = {**os.environ, "DISPLAY": display, "HOME": str(tmp_path)}

    def press_all() -> float:
        command = [sys.executable, "-c", ANY_KEYS, str(ACTIONS)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as viewer:
            window = viewer.stdout.readline().strip()
            focus = ["xdotool", "windowmap", "--sync", window, "windowfocus", "--sync", window]
            subprocess.run(focus, check=True, env=environment)
            subprocess.run(["xdotool", "key", "--delay", str(round(1000 / RATE)), *keys], check=True, env=environment)
            pressed = time.monotonic() - 1 / RATE
            return float(viewer.stdout.readline()) - pressed

    waits: list[float] = []
    benchmark.pedantic(lambda: waits.append(press_all()), rounds=1)
    report(seconds=max(*waits, 0.0), loops=busy)


_PLAIN = {"space": "space", "pageup": "Prior", "pagedown": "Next", "enter": "Return", "plus": "plus", "minus": "minus"}


def _keysym(chord: str) -> str:
    *held, last = chord.split("+")
    return "+".join([*held, _PLAIN.get(last, last.capitalize() if len(last) > 1 else last)])


_XDOTOOL = {binding.chord: _keysym(binding.chord) for binding in BINDINGS if binding.chord.replace("+", "").isalnum()}
