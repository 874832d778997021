"""The short run: one export is killed. `make kills` does all, at 20 moments each, and fills up
disks.
"""

from pathlib import Path
from random import Random

from kills import stop_and_resume, undisturbed


def test_a_stopped_export_has_no_half_file_and_is_completed(tmp_path: Path) -> None:
    whole = undisturbed("folder of frames", tmp_path / "whole")
    assert stop_and_resume(whole, "SIGINT", Random("folder of frames SIGINT"), tmp_path / "out")
