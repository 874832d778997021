from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from juggle_anim.animation import animate
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.exporter.stills import DrawnFrames, write_still
from juggle_anim.exporter.view import FrameRequest

SHOTS = FrameRequest(animate("531"), (48, 36), 10, start=0.4, seconds=0.1)


def test_a_still_is_the_first_picture(tmp_path: Path) -> None:
    done: list[tuple[int, int]] = []
    path = write_still(SHOTS, tmp_path / "new" / "a.png", progress=lambda *step: done.append(step))
    with Image.open(path) as read:
        assert (np.asarray(read) == next(DrawnFrames(SHOTS).images())).all()
    assert done == [(1, 1)]


def test_one_that_is_there_is_replaced_by_force_and_kept_when_resumed(tmp_path: Path) -> None:
    path = write_still(SHOTS, tmp_path / "a.png")
    whole = path.read_bytes()
    with pytest.raises(ExportError, match="force=True"):
        write_still(SHOTS, path)
    done: list[tuple[int, int]] = []
    write_still(
        SHOTS, path, progress=lambda *step: done.append(step), options=WriteOptions(resume=True)
    )
    assert done == []
    path.write_bytes(b"old")
    write_still(SHOTS, path, force=True)
    assert path.read_bytes() == whole


def test_one_that_cannot_be_drawn_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    with pytest.raises(ParameterError):
        write_still(FrameRequest(animate("3"), (10**6, 8), 10), path, force=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
