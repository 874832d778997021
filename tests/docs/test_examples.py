import runpy
from pathlib import Path

import pytest
from paths import ROOT
from PIL import Image

EXAMPLES = ROOT / "examples"

WRITES = {
    "chicken_wing_sheet": ["out/chicken-wing.png"],
    "elbow_speed": [],
    "export_frames": ["out/531/frame_00000.png", "out/531-raised.mp4"],
    "hand_speed": [],
    "manim_juggler": [],
}


def test_there_is_an_entry_for_each_example() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(WRITES)


@pytest.mark.usefixtures("own_solvers")
@pytest.mark.parametrize("name", WRITES)
def test_an_example_runs_as_it_stands(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    told = capsys.readouterr()
    assert told.out
    assert told.err == ""
    for written in WRITES[name]:
        assert (tmp_path / written).stat().st_size > 1000
    if name == "chicken_wing_sheet":
        with Image.open(tmp_path / "out/chicken-wing.png") as sheet:
            assert sheet.size == (1800, 400)
