import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from long_cases import sampled

from juggle_anim.animation import animate
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import Quality, WriteOptions
from juggle_anim.exporter.resume import Template
from juggle_anim.exporter.stills import write_frames
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (48, 36), 12)
RESUME = WriteOptions(resume=True)

# Kills itself once some frames are done, in the middle of the work of its threads.
KILLED = """
import os, signal, sys
import juggle_anim as ja
def progress(done, total):
    if done == int(sys.argv[2]):
        os.kill(os.getpid(), getattr(signal, sys.argv[3]))
ja.export("531", sys.argv[1], size=(48, 36), fps=12, progress=progress)
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an export that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    write_frames(SHOTS, folder)
    return contents(folder)


@pytest.mark.parametrize("ending", sampled([".png", ".jpg", ".webp", ".tif"], ".png", ".tif"))
def test_only_what_is_missing_is_written(tmp_path: Path, ending: str) -> None:
    names = Template(tmp_path, "f", ending, 3)
    paths = write_frames(SHOTS, names)
    before = contents(tmp_path)
    for number in (0, 4, 5, 19):
        paths[number].unlink()
    old = {path: path.stat().st_mtime_ns for path in paths if path.exists()}
    done: list[tuple[int, int]] = []
    assert (
        write_frames(SHOTS, names, progress=lambda *step: done.append(step), options=RESUME)
        == paths
    )
    assert done == [(number, 4) for number in range(1, 5)]
    assert contents(tmp_path) == before
    assert {path: path.stat().st_mtime_ns for path in old} == old


@pytest.mark.parametrize(("kill", "after"), [("SIGKILL", 7), ("SIGINT", 1)])
def test_after_a_kill_it_is_completed_to_the_same_bytes(
    tmp_path: Path, whole: dict[str, bytes], kill: str, after: int
) -> None:
    folder = tmp_path / "out"
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, folder, str(after), kill], capture_output=True
    )
    assert ran.returncode != 0
    found = contents(folder)
    assert after <= len([name for name in found if not name.startswith(".")]) < SHOTS.frames
    assert all(found[name] == whole[name] for name in found if not name.startswith("."))
    write_frames(SHOTS, folder, options=RESUME)
    assert contents(folder) == whole


def test_where_all_is_there_nothing_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_frames(SHOTS, tmp_path)
    monkeypatch.setattr("juggle_anim.exporter.stills.Offscreen", None)
    assert write_frames(SHOTS, tmp_path, options=RESUME) == paths


OTHERS = [
    replace(SHOTS, animation=animate("531", chicken_wing=31)),
    replace(SHOTS, animation=animate("51")),
    replace(SHOTS, fps=13),
    replace(SHOTS, size=(36, 36)),
    replace(SHOTS, supersampling=2),
    replace(SHOTS, start=0.1),
]


@pytest.mark.parametrize("other", sampled(OTHERS, OTHERS[0], OTHERS[3], OTHERS[5]))
def test_frames_of_another_export_are_neither_kept_nor_lost(
    tmp_path: Path, other: FrameRequest
) -> None:
    write_frames(other, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(ExportError, match=r"frame_00000\.png is from another export"):
        write_frames(SHOTS, tmp_path, options=RESUME)
    assert contents(tmp_path) == before


def test_so_are_frames_of_another_quality_and_files_of_others(tmp_path: Path) -> None:
    names = Template(tmp_path, "f", ".jpg", 3)
    paths = write_frames(SHOTS, names, options=WriteOptions(Quality.DRAFT))
    with pytest.raises(ExportError, match="from another export"):
        write_frames(SHOTS, names, options=RESUME)
    for path in paths:
        path.unlink()
    paths[3].write_bytes(b"mine")
    with pytest.raises(ExportError, match=r"f003\.jpg is not a complete juggle-anim export"):
        write_frames(SHOTS, names, options=RESUME)
    assert contents(tmp_path) == {"f003.jpg": b"mine"}


def test_a_frame_without_content_is_drawn_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    paths = write_frames(SHOTS, tmp_path)
    paths[3].write_bytes(b"")
    write_frames(SHOTS, tmp_path, options=RESUME)
    assert contents(tmp_path) == whole


def test_a_frame_in_the_place_of_another_is_noticed(tmp_path: Path) -> None:
    first, second, *_ = write_frames(SHOTS, tmp_path)
    second.replace(first)
    with pytest.raises(ExportError, match="from another export"):
        write_frames(SHOTS, tmp_path, options=RESUME)


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".frame_00003.4711.part.png").write_text("half")
    write_frames(SHOTS, tmp_path, options=RESUME)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == SHOTS.frames + 1


def test_names_may_begin_at_another_number(tmp_path: Path) -> None:
    paths = write_frames(SHOTS, tmp_path, options=WriteOptions(first=990))
    assert [path.name for path in paths[9:11]] == ["frame_00999.png", "frame_01000.png"]
    with pytest.raises(ParameterError, match="-1"):
        WriteOptions(first=-1)


def test_frames_with_a_template_share_a_folder_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "b001.png").write_text("of another")
    names = Template(tmp_path, "a", ".png", 3)
    paths = write_frames(SHOTS, names)
    with pytest.raises(ExportError, match="already holds such frames"):
        write_frames(SHOTS, names)
    shorter = replace(SHOTS, fps=6)
    write_frames(shorter, names, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(path.name for path in paths[: shorter.frames]), "b001.png", "notes.txt",
    ]  # fmt: skip
