"""What `make bundle` puts together starts without any Python, and does what the program does."""

import json
import subprocess
import time
from pathlib import Path

import pytest
from paths import ROOT

PROGRAM = ROOT / "dist" / "bundle" / "juggle-anim" / "juggle-anim"


def run(folder: Path, *words: str) -> str:
    # No Python is on the path, and nothing of the shell that runs the tests is known.
    environment = {"HOME": str(folder), "PATH": "/nowhere"}
    ran = subprocess.run(
        [PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    "name", ["a.png", "a.mp4", "a.gif", "a.webp", "a.html", "a.glb", "a.csv", "a.bvh"]
)
def test_it_exports(name: str, tmp_path: Path) -> None:
    small = (
        ()
        if name.endswith((".html", ".glb", ".csv", ".bvh"))
        else ("--size", "64x48", "--fps", "5")
    )
    run(tmp_path, "export", "531", name, "--quiet", *small)
    assert (tmp_path / name).stat().st_size > 500


def test_it_draws_checks_optimises_and_works_in_several_processes(tmp_path: Path) -> None:
    run(tmp_path, "draw", "ladder", "531", "ladder.pdf")
    assert json.loads(run(tmp_path, "check", "531", "--json"))
    assert "hands=" in run(tmp_path, "optimise", "561")
    run(tmp_path, "batch", "531", "441", "out", "--size", "64x48", "--fps", "5")
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_it_opens_a_window(display: dict[str, str], tmp_path: Path) -> None:
    environment = {**display, "HOME": str(tmp_path)}
    with subprocess.Popen([PROGRAM, "531"], env=environment) as running:
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "juggle-anim"]
        assert subprocess.run(
            search, env=display, capture_output=True, text=True, timeout=120
        ).stdout.strip()
        time.sleep(3)  # helpers start a second after the first picture
        assert running.poll() is None
        running.kill()
