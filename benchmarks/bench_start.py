"""From a command to its first result, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

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


def test_import(benchmark, report) -> None:
    benchmark.pedantic(
        lambda: run(sys.executable, "-c", "import juggle_anim"), rounds=5, warmup_rounds=1
    )
    report(seconds=benchmark.stats["median"])


def test_python_alone(benchmark, report) -> None:
    benchmark.pedantic(lambda: run(sys.executable, "-c", "pass"), rounds=5, warmup_rounds=1)
    report(seconds=benchmark.stats["median"])


def test_import_and_use(benchmark, report) -> None:
    code = "import juggle_anim; juggle_anim.animate('531').motion"
    benchmark.pedantic(lambda: run(sys.executable, "-c", code), rounds=5, warmup_rounds=1)
    report(seconds=benchmark.stats["median"])


def test_help(benchmark, report) -> None:
    benchmark.pedantic(lambda: run(*COMMAND, "--help"), rounds=5, warmup_rounds=1)
    report(seconds=benchmark.stats["median"])


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
