"""How long the last of 1,800 random inputs waits until it is seen, also while loops keep all cores
busy twice over.

Keys of the help, typed words, clicks, drags and the wheel, over panel, ladder and picture, come
through the X server as a hand's would, some 13 a second. Now and then the mouse goes to the top
edge, and the viewer tells when that is shown.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import IO

import pytest
from driven_keys import key_of

from juggle_anim.viewer.state.keymap import BINDINGS

# inputs; inputs between two looks; s between inputs
COUNT = 1800
EVERY = 100
PAUSE = 0.033
# of window, panel, and what is below, [pixels]
WIDTH = 1280
HEIGHT = 800
PANEL = 330
CARDS = 250
PATIENCE = 60.0  # s
VIEWER = Path(__file__).with_name("watched_viewer.py")

KEYS = [key_of(binding.chord) for binding in BINDINGS]
WORDS = ("531", "clubs", "elbow", "'(6x,4)*'", "7", "mess", "1.5", "'<3p 3|3p 3>'", "441")


@pytest.mark.parametrize("busy", [0, 2], indirect=True, ids=["quiet", "very busy"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_last_of_many_random_inputs(
    seed: int, busy: int, display: str, benchmark, report, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "DISPLAY": display,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    waits: list[float] = []
    with (tmp_path / "errors").open("w+") as errors:
        benchmark.pedantic(
            lambda: waits.extend(_waits(Random(seed), environment, tmp_path, errors)), rounds=1
        )
        errors.seek(0)
        assert errors.read() == ""
    report(last=waits[-1], longest=max(waits), median=sorted(waits)[len(waits) // 2], loops=busy)


def _waits(
    random: Random, environment: dict[str, str], home: Path, errors: IO[str]
) -> Iterator[float]:
    """Make all inputs, and yield how long each look waited, [s]."""
    command = [sys.executable, str(VIEWER), str(WIDTH), str(HEIGHT)]
    with ExitStack() as stack:
        viewer = subprocess.Popen(
            command, env=environment, cwd=home, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        it = stack.enter_context(viewer)
        stack.callback(it.kill)
        assert it.stdout
        window = it.stdout.readline().strip()
        subprocess.run(["xdotool", "windowmap", "--sync", window], env=environment, check=True)
        shown = Shown(it.stdout)
        for number in range(COUNT // EVERY):
            # The keyboard is that of the window below the mouse: nobody else is there.
            place = 10 + 20 * number
            lines = [f"{_input(random)}\nsleep {PAUSE}" for _ in range(EVERY)]
            script = "\n".join([*lines, f"mousemove {place} 0", "getmouselocation", ""])
            subprocess.run(
                ["xdotool", "-"],
                input=script,
                text=True,
                env=environment,
                check=True,
                capture_output=True,
            )
            sent = time.monotonic()
            assert it.poll() is None, "the window ended"
            yield max(shown.when(place) - sent, 0.0)


class Shown:
    """Reads when the viewer has shown the mouse at a place of the top edge."""

    def __init__(self, told: IO[str]) -> None:
        self._times: dict[int, float] = {}
        self._told = told
        self._news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._told:
            place, moment = line.split()
            with self._news:
                self._times[round(float(place))] = float(moment)
                self._news.notify_all()

    def when(self, place: int) -> float:
        """When a place was shown, by the clock that all processes share, [s]."""
        with self._news:
            assert self._news.wait_for(lambda: place in self._times, PATIENCE), (
                "the last input was never shown"
            )
            return self._times[place]


def _input(random: Random) -> str:
    """Return a random input, in xdotool's words."""
    (kind,) = random.choices(("key", "type", "click", "wheel", "drag"), (50, 12, 18, 8, 12))
    place = _place(random)
    button = random.choice("11113")
    if kind == "key":
        return f"key {random.choice(KEYS)}"
    if kind == "type":
        return f"type {random.choice(WORDS)}"
    if kind == "click":
        return f"mousemove {place} click {button}"
    if kind == "wheel":
        return (
            f"mousemove {place} click --repeat {random.randrange(1, 6)} --delay 10 "
            f"{random.choice('45')}"
        )
    steps = " sleep 0.01 ".join(f"mousemove {_place(random)}" for _ in range(3))
    return f"mousemove {place} mousedown {button} {steps} mouseup {button}"


def _place(random: Random) -> str:
    """Return somewhere over the panel, over what is below the picture, or anywhere, but not at the
    top edge.
    """
    left, right, top = random.choice(
        ((0, PANEL, 2), (PANEL, WIDTH, HEIGHT - CARDS), (PANEL, WIDTH, 2))
    )
    return f"{random.randrange(left, right)} {random.randrange(top, HEIGHT)}"
