"""The viewer in its window, on an X server without a screen: how long frames take, and keys, and
what a pause costs.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bench_crowd import crowd

SCRIPT = Path(__file__).with_name("driven_viewer.py")
PATTERNS = {
    1: ("531", 120),
    10: (f"<{'|'.join('a' * 10)}>", 60),
    100: (f"<{'|'.join('a' * 100)}>", 60),
    825: (crowd(825), 12),
}
"""By the number of jugglers: a pattern, and how many frames are looked at. Ten and a hundred have
ten props each.
"""

DRAGGED = {1: "531", 10: f"<{'|'.join(['3p'] * 10)}>"}
"""By the number of jugglers: a pattern that is edited."""

SIZES = {"640x480": (640, 480), "1280x800": (1280, 800), "1920x1080": (1920, 1080)}

PRESSES = 30
CHANGES = 50
SECONDS_OF_REST = 6
# X's names of the keys
LEFT = 0xFF51
RIGHT = 0xFF53
PATIENCE = 180.0  # s
LONG_FRAME = 0.05  # s


@contextmanager
def viewer(display: str, *words: str) -> Iterator[Iterator[dict[str, Any]]]:
    """What a viewer tells."""
    command = [sys.executable, str(SCRIPT), *words]
    environment = {**os.environ, "DISPLAY": display}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        lines: queue.Queue[str] = queue.Queue()

        def listen() -> None:
            for line in process.stdout or ():
                lines.put(line)
            lines.put("")  # it ended, and no more will come

        threading.Thread(target=listen, daemon=True).start()
        try:
            yield (json.loads(lines.get(timeout=PATIENCE)) for _ in itertools.count())
        finally:
            process.kill()


def once(benchmark, display: str, *words: str) -> dict[str, Any]:
    """What a viewer tells once it is through with a mode of the script."""
    told: dict[str, Any] = {}

    def run() -> None:
        with viewer(display, *words) as facts:
            told.update(next(facts))

    benchmark.pedantic(run, rounds=1)
    return told


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("jugglers", PATTERNS)
def test_frame_of_the_viewer(benchmark, report, display: str, jugglers: int, size: str) -> None:
    text, count = PATTERNS[jugglers]
    taken = once(benchmark, display, "frames", text, str(count), *map(str, SIZES[size]))
    middle = statistics.median(taken["clock"])
    report(
        milliseconds=1e3 * middle,
        frames_a_second=1 / middle,
        milliseconds_at_best=1e3 * min(taken["clock"]),
        milliseconds_of_the_processor=1e3 * statistics.median(taken["processor"]),
        milliseconds_of_the_processor_at_best=1e3 * min(taken["processor"]),
    )


@pytest.mark.parametrize("jugglers", [1, 10])
def test_frames_while_a_throw_is_dragged(benchmark, report, display: str, jugglers: int) -> None:
    """On a busy machine, processor time of the main thread tells more than the clock."""
    taken = once(benchmark, display, "drags", PATTERNS[jugglers][0], "120")
    clock = statistics.fmean(taken["clock"])
    processor = statistics.fmean(taken["processor"])
    report(
        milliseconds=1e3 * clock,
        frames_a_second=1 / clock,
        milliseconds_of_the_main_thread=1e3 * processor,
        frames_a_second_of_the_main_thread=1 / processor,
        milliseconds_of_the_main_thread_playing=1e3 * statistics.fmean(taken["playing"]),
    )


@pytest.mark.parametrize("jugglers", [1, 10])
def test_frames_while_edits_are_saved(benchmark, report, display: str, jugglers: int) -> None:
    """A thread keeps edited events on the disk every second."""
    taken = once(benchmark, display, "autosaved", PATTERNS[jugglers][0], "600")
    report(
        milliseconds=1e3 * statistics.median(taken["clock"]),
        milliseconds_at_worst=1e3 * max(taken["clock"]),
        milliseconds_of_saving=1e3 * statistics.median(taken["kept"]),
        milliseconds_of_saving_at_worst=1e3 * max(taken["kept"]),
    )


def test_frames_while_patterns_follow_one_another(benchmark, report, display: str) -> None:
    """Patterns are chosen while one plays; a process prepares their transitions meanwhile."""
    taken = once(benchmark, display, "changes", str(CHANGES))
    report(
        milliseconds=1e3 * statistics.median(taken["clock"]),
        milliseconds_at_worst=1e3 * max(taken["clock"]),
        milliseconds_of_the_main_thread_at_worst=1e3 * max(taken["thread"]),
        milliseconds_of_the_processor=1e3 * statistics.median(taken["processor"]),
        frames=len(taken["clock"]),
        frames_longer_than_50_milliseconds=sum(each > LONG_FRAME for each in taken["clock"]),
        changes=taken["followed"],
        megabytes=taken["memory"][0] / 1e6,
        megabytes_of_the_process_that_prepares_changes=taken["memory"][1] / 1e6,
        metres_a_second_at_most=taken["fastest"],
    )


@pytest.mark.parametrize("jugglers", [1, 10])
@pytest.mark.parametrize("kind", ["CATCH", "LANDING", "HOLD"])
def test_frames_while_a_handle_of_the_ladder_is_dragged(
    benchmark, report, display: str, kind: str, jugglers: int
) -> None:
    """In a window of 1280 × 720 pixels; those before show the same while nothing is dragged.

    Times are means: where frames are late, the ladder is drawn in every other one. On a busy
    machine, processor time tells more than the clock.
    """
    taken = once(benchmark, display, "ladder_drags", DRAGGED[jugglers], kind, "90")
    mean = statistics.fmean(taken["clock"])
    report(
        milliseconds=1e3 * mean,
        frames_a_second=1 / mean,
        milliseconds_before=1e3 * statistics.fmean(taken["before"]),
        milliseconds_of_the_main_thread=1e3 * statistics.fmean(taken["thread"]),
        milliseconds_of_the_main_thread_before=1e3 * statistics.fmean(taken["thread_before"]),
        milliseconds_at_worst_when_let_go=1e3 * max(taken["after"]),
        milliseconds_of_the_processor=1e3 * statistics.fmean(taken["processor"]),
        milliseconds_of_the_processor_before=1e3 * statistics.fmean(taken["processor_before"]),
        versions=taken["shown"],
    )


def test_key_to_changed_frame(benchmark, report, display: str) -> None:
    """A slider is turned, by keys that come through the X server as a keyboard's do, at any moment
    within a frame.
    """
    waits: list[float] = []
    processor: list[float] = []

    def press_keys() -> None:
        with viewer(display, "keys", "531") as told, Keyboard(display) as keyboard:
            next(told)
            time.sleep(2.0)
            keyboard.take(display)
            for number in range(PRESSES):
                time.sleep(0.1 + number * 0.0037)
                pressed = time.monotonic()
                keyboard.press(LEFT if number % 2 else RIGHT)
                changed = next(told)
                waits.append(changed["shown"] - pressed)
                processor.append(changed["processor"])

    benchmark.pedantic(press_keys, rounds=1)
    report(
        milliseconds=1e3 * statistics.median(waits),
        milliseconds_at_worst=1e3 * max(waits),
        milliseconds_at_best=1e3 * min(waits),
        milliseconds_of_the_processor=1e3 * statistics.median(processor),
    )


def test_processor_while_paused(benchmark, report, display: str) -> None:
    shares: list[float] = []

    def rest() -> None:
        with viewer(display, "paused", "531") as told:
            times = list(itertools.islice(told, 2, 3 + SECONDS_OF_REST))
        first = times[0]
        last = times[-1]
        shares.append((last["processor"] - first["processor"]) / (last["clock"] - first["clock"]))

    benchmark.pedantic(rest, rounds=1)
    report(percent_of_a_core=100 * shares[0])


class Keyboard:
    """Presses keys by the X server's test extension."""

    def __init__(self, display: str) -> None:
        try:
            self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        except OSError as error:
            pytest.skip(f"needs X's libraries: {error}")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(display.encode()))

    def __enter__(self) -> Keyboard:
        return self

    def __exit__(self, *_: object) -> None:
        self._x.XCloseDisplay(self._display)

    def take(self, display: str) -> None:
        """Give the window the keyboard: without a window manager nobody else does."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "juggle-anim"],
            env={**os.environ, "DISPLAY": display},
            capture_output=True,
            text=True,
            check=True,
        )
        self._x.XSetInputFocus(
            self._display, ctypes.c_ulong(int(found.stdout.split()[0])), 1, ctypes.c_ulong(0)
        )
        self._x.XFlush(self._display)
        time.sleep(0.5)

    def press(self, symbol: int) -> None:
        """Press a key and let it go."""
        code = self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(symbol)) & 0xFF
        for down in (1, 0):
            self._test.XTestFakeKeyEvent(self._display, code, down, ctypes.c_ulong(0))
            self._x.XFlush(self._display)
