"""What a window costs that nobody looks at or touches: the share of a core, in a process of its
own.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Lets the window come to rest, and measures the time that the processor spends in the seconds after
# that.
PROGRAM = """
import sys, time
import pyglet
from pyglet.libs.x11 import xlib
from juggle_anim.animation import animate
from juggle_anim.viewer.state.keymap import Action
from juggle_anim.viewer.window import Viewer

mode = sys.argv[1]
viewer = Viewer(animate("531"), paused=mode != "hidden", size=(1280, 800))
spent = []

def begin(_):
    if mode == "typing":
        viewer.window.dispatch_event("on_activate")
        viewer.controller.perform(Action.EDIT_PATTERN)
        viewer.window.dispatch_event("on_expose")
    elif mode == "hidden":
        xlib.XUnmapWindow(viewer.window._x_display, viewer.window._window)

def measure(_):
    spent.append((time.process_time(), time.monotonic()))
    if len(spent) == 2:
        viewer.exit()

pyglet.clock.schedule_once(begin, 0.5)
pyglet.clock.schedule_once(measure, 13.0)
pyglet.clock.schedule_once(measure, 18.0)
viewer.run()
(first, begun), (last, ended) = spent
print((last - first) / (ended - begun))
"""


@pytest.mark.parametrize("mode", ["paused", "typing", "hidden"])
def test_a_window_at_rest(benchmark, report, display: str, mode: str) -> None:
    def rest() -> float:
        environment = {**os.environ, "DISPLAY": display}
        command = [sys.executable, "-c", PROGRAM, mode]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        return float(done.stdout)

    report(percent_of_a_core=100 * benchmark.pedantic(rest, rounds=1))
