"""From a command to its first result, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

COMMAND = [sys.executable, "-m", "juggle_anim"]

# Ends the viewer as soon as it has shown a frame.
LEAVE_AFTER_A_FRAME = """
import os, sys
from juggle_anim.__main__ import main
from juggle_anim.viewer.window import Viewer

def draw_and_leave(viewer, elapsed, draw=Viewer.draw):
    draw(viewer, elapsed)
    os.write(1, b"shown")
    os._exit(0)

Viewer.draw = draw_and_leave
sys.argv = ["juggle-anim", "531"]
main()
"""


def run(*command: str, **environment: str) -> str:
    finished = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    return finished.stdout


def siteswap(beats: int, seed: int) -> str:
    """A random siteswap of so many beats of three props: ones that begin and end as a cascade."""
    generator = Random(seed)
    throws = ""
    while len(throws) < beats:
        piece = generator.choice(["3", "42", "423", "441", "531"])
        if len(throws) + len(piece) <= beats:
            throws += piece
    return throws


COMMANDS = {
    "--version": "--version",
    "--help": "--help",
    "check 531": "check 531",
    "list cascade": "list cascade",
    "a still of 640 by 480 pixels": "export 531 a.png --size 640x480 --force --quiet",
}

POSED = "import juggle_anim; juggle_anim.animate({text!r}){draft}.pose(0)"
DIFFERENT = f"<{'|'.join(siteswap(10, seed) for seed in range(100))}>"
PROGRAMS = {
    "Python alone": "pass",
    "import": "import juggle_anim",
    "motion": "import juggle_anim; juggle_anim.animate('531').motion",
    "pose": POSED.format(text="531", draft=""),
    "pose of 1,000 beats": POSED.format(text=siteswap(1000, 0), draft=""),
    "draft of 100 different jugglers": POSED.format(text=DIFFERENT, draft=".at_ease()"),
    "pose of 100 different jugglers": POSED.format(text=DIFFERENT, draft=""),
}


def measure(benchmark, report, folder: Path, *command: str) -> None:
    """Report how long a command takes, by the clock and of the processor: at best, as others may
    be at work.
    """
    spent: list[float] = []

    def run_once() -> None:
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, timeout=60)
        after = os.times()
        user = after.children_user - before.children_user
        spent.append(user + after.children_system - before.children_system)

    benchmark.pedantic(run_once, rounds=7, warmup_rounds=1)
    report(seconds=benchmark.stats["min"], seconds_of_the_processor=min(spent))


@pytest.mark.parametrize("name", COMMANDS)
def test_command(benchmark, report, tmp_path: Path, name: str) -> None:
    measure(benchmark, report, tmp_path, *COMMAND, *COMMANDS[name].split())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(benchmark, report, tmp_path: Path, name: str) -> None:
    measure(benchmark, report, tmp_path, sys.executable, "-c", PROGRAMS[name])


def test_first_frame_of_an_export(benchmark, report, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    command = [
        *COMMAND,
        "export",
        "531",
        str(folder),
        "--size",
        "640x480",
        "--loops",
        "20",
        "--quiet",
    ]
    running: list[subprocess.Popen[bytes]] = []

    def until_the_first_file() -> None:
        running.append(subprocess.Popen(command))
        while not (folder / "frame_00000.png").exists():
            assert running[0].poll() is None
            time.sleep(0.002)

    def tidy() -> None:
        while running:
            with running.pop() as process:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)

    benchmark.pedantic(until_the_first_file, setup=tidy, rounds=5, warmup_rounds=1)
    tidy()
    report(seconds=benchmark.stats["median"])


def test_first_frame_of_the_viewer(benchmark, report, display: str) -> None:
    def until_shown() -> None:
        assert run(sys.executable, "-c", LEAVE_AFTER_A_FRAME, DISPLAY=display) == "shown"

    benchmark.pedantic(until_shown, rounds=5, warmup_rounds=1)
    report(seconds=benchmark.stats["median"])
