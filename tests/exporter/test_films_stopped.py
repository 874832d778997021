"""What is left of a moving picture whose export was killed, or for which the disk had no room."""

import subprocess
import sys
from pathlib import Path

import pytest

from juggle_anim.animation import animate
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.formats import VIDEOS

SHOTS = FrameRequest(animate("531"), (48, 36), 12, seconds=0.6)

START = """
import os, resource, signal, sys
from pathlib import Path
from juggle_anim.animation import animate
from juggle_anim.errors import ExportError
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.exporter.video import write_video
shots, path = FrameRequest(animate("531"), (48, 36), 12, seconds=0.6), Path(sys.argv[1])
"""

# One process for each kind, which kills itself.
KILLED = """
def progress(done, total):
    if done == 5:
        os.kill(os.getpid(), signal.SIGKILL)
import juggle_anim.render  # once, and not in each process
shots.animation.plan
for ending in sys.argv[2:]:
    if not os.fork():
        write_video(shots, path / ending / f"a{ending}", progress=progress)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""

# Files may not grow beyond so many bytes, as on a full disk.
FULL = """
for name in sys.argv[2:]:
    ending, size = name.split()
    whole = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), whole[1]))
    try:
        write_video(shots, path / name / f"a{ending}")
    except ExportError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, whole)
"""


def run(script: str, folder: Path, *words: str) -> list[str]:
    command = [sys.executable, "-c", START + script, str(folder), *words]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.long
def test_a_killed_export_has_no_file_and_the_next_one_clears_up(tmp_path: Path) -> None:
    assert run(KILLED, tmp_path, *VIDEOS) == ["-9"] * len(VIDEOS)
    for ending in VIDEOS:
        path = tmp_path / ending / f"a{ending}"
        assert all(each.name.startswith(".a.") for each in path.parent.iterdir()), ending
        write_video(SHOTS, path)
        assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    sizes = {
        ending: write_video(SHOTS, tmp_path / f"a{ending}").stat().st_size for ending in VIDEOS
    }
    names = [
        f"{ending} {int(share * size)}" for ending, size in sizes.items() for share in (0.0, 0.9)
    ]
    paths = [tmp_path / "full" / name / f"a{name.split()[0]}" for name in names]
    assert run(FULL, tmp_path / "full", *names) == [
        f"{path}: cannot save: File too large" for path in paths
    ]
    assert [path for path in paths if list(path.parent.iterdir())] == []
