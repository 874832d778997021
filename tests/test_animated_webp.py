from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.exporter.shots import Shots
from juggle_anim.exporter.video import write_video


@pytest.mark.parametrize("fps", [12, 29.97, 60])
def test_pauses_are_whole_thousandths_whose_sum_is_that_of_the_loop(tmp_path: Path, fps: float) -> None:
    shots = Shots(animate("531"), (32, 24), fps)
    with Image.open(write_video(shots, tmp_path / "a.webp", False, None)) as read:
        assert (read.info["loop"], read.n_frames) == (0, shots.frames)  # type: ignore[attr-defined]
        pauses = []
        for each in ImageSequence.Iterator(read):
            each.load()
            pauses.append(each.info["duration"])
    assert abs(sum(pauses) - 1000 * shots.duration) <= 0.5
    assert max(pauses) - min(pauses) <= 1
