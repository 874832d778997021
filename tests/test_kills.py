"""The short run: one export of a few kinds is stopped in each way. `make kills` does all, at 20 moments each."""

from pathlib import Path
from random import Random

import pytest
from kills import WAYS, Undisturbed, stop_and_resume, undisturbed


@pytest.fixture(scope="module", params=["film .gif", "folder of frames", "batch"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return undisturbed(request.param, tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("way", WAYS)
def test_a_stopped_export_has_no_half_file_and_is_completed(tmp_path: Path, whole: Undisturbed, way: str) -> None:
    assert stop_and_resume(whole, way, Random(f"{whole.kind} {way}"), tmp_path / "out")
