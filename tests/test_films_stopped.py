"""What is left of a moving picture whose export was killed, or for which the disk had no room."""

import subprocess
import sys
from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.video import write_video
from juggle_anim.formats import VIDEOS

SHOTS = FrameRequest(animate("531"), (96, 72), 12)

START = """
import os, resource, signal, sys
from pathlib import Path
from juggle_anim.animation import animate
from juggle_anim.errors import ExportError
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.video import write_video
shots, path = Shots(animate("531"), (96, 72), 12), Path(sys.argv[1])
"""

KILLED = """
def progress(done, total):
    if done == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
write_video(shots, path, False, progress)
"""

# Files may not grow beyond so many bytes, as on a full disk.
FULL = """
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    write_video(shots, path, False, None)
except ExportError as error:
    print(error)
"""


def run(script: str, path: Path, number: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", START + script, path, str(number)], capture_output=True, text=True)


@pytest.mark.parametrize("ending", VIDEOS)
def test_a_killed_export_has_no_file_and_the_next_one_clears_up(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    assert run(KILLED, path, 9).returncode == -9
    left = [each.name for each in tmp_path.iterdir()]
    assert all(name.startswith(".a.") for name in left)
    write_video(SHOTS, path, False, None)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("ending", VIDEOS)
def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path, ending: str, share: float) -> None:
    whole = write_video(SHOTS, tmp_path / f"whole{ending}", False, None).stat().st_size
    path = tmp_path / "full" / f"a{ending}"
    ran = run(FULL, path, int(share * whole))
    assert (ran.returncode, ran.stdout) == (0, f"{path}: cannot be written: File too large\n"), ran.stderr
    assert list(path.parent.iterdir()) == []
