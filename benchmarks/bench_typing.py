"""How long the last of 200 characters waits that come 30 a second, also while loops keep all cores
busy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

COUNT = 200
RATE = 30.0

# Shows one pattern at rest or at play, and tells when it has shown so many characters in the
# pattern line.
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


@pytest.mark.parametrize("busy", [0, 1, 2], indirect=True, ids=["quiet", "busy", "very busy"])
def test_the_last_of_many_characters(busy: int, display: str, benchmark, report) -> None:
    environment = {**os.environ, "DISPLAY": display}

    def type_all() -> float:
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "playing", str(COUNT)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
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
