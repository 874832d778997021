from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import decoded
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.exporter.apng import changed_rectangle
from juggle_anim.exporter.frame_request import FrameRequest
from juggle_anim.exporter.png import encode_png
from juggle_anim.exporter.video import write_video


@pytest.mark.parametrize("transparent", [False, True])
def test_two_programs_read_every_pixel_as_it_was_drawn(tmp_path: Path, transparent: bool) -> None:
    shots = FrameRequest(animate("(6x,4)*"), (97, 61), 12, transparent=transparent)
    path = write_video(shots, tmp_path / "a.apng", False, None)
    drawn = np.array(list(shots.images()))
    assert (decoded(path, shots.size, "rgba" if transparent else "rgb24") == drawn).all()
    with Image.open(path) as read:
        frames = [np.asarray(each.convert("RGBA" if transparent else "RGB")) for each in ImageSequence.Iterator(read)]
        assert (np.array(frames) == drawn).all()


def test_the_pauses_are_those_of_the_loop_to_a_thousandth(tmp_path: Path) -> None:
    shots = FrameRequest(animate("531"), (16, 12), 29.97)
    with Image.open(write_video(shots, tmp_path / "a.apng", False, None)) as read:
        assert read.info["loop"] == 0
        pauses = [each.info["duration"] / 1000 for each in ImageSequence.Iterator(read)]
    assert sum(pauses) == pytest.approx(shots.duration, rel=1e-4)


def test_only_what_changes_is_written(tmp_path: Path) -> None:
    shots = FrameRequest(animate("531"), (160, 120), 12)
    path = write_video(shots, tmp_path / "a.apng", False, None)
    assert path.stat().st_size < 0.8 * sum(len(encode_png(image)) for image in shots.images())


def test_the_part_that_changes_is_the_smallest_that_holds_all_changes() -> None:
    before = np.zeros((5, 7, 3), dtype=np.uint8)
    after = before.copy()
    assert changed_rectangle(before, after) == (0, 0, 1, 1)
    after[1, 2, 0] = 1
    assert changed_rectangle(before, after) == (2, 1, 1, 1)
    after[4, 6, 2] = 9
    assert changed_rectangle(before, after) == (2, 1, 5, 4)


def test_a_pause_of_one_picture_is_a_fraction_that_the_format_can_hold(tmp_path: Path) -> None:
    shots = FrameRequest(animate("3", bps=0.05), (8, 6), 0.05)
    with Image.open(write_video(shots, tmp_path / "a.apng", False, None)) as read:
        assert Fraction(read.info["duration"]) / 1000 == pytest.approx(shots.duration / shots.frames, rel=1e-3)
