from pathlib import Path

import pytest
from foreign_programs import probed
from PIL import Image

import juggle_anim as ja
from juggle_anim.errors import ExportError, ParameterError
from juggle_anim.exporter.options import read_file_size


def test_a_gif_keeps_to_its_size_with_fewer_frames_and_pixels_of_the_same_shape(
    tmp_path: Path,
) -> None:
    (whole,) = ja.export("3", tmp_path / "a.gif", size=(320, 240))
    most = whole.stat().st_size // 3
    (path,) = ja.export("3", tmp_path / "b.gif", size=(320, 240), max_size=most)
    assert most / 2 < path.stat().st_size <= most
    with Image.open(path) as read:
        assert read.width < 320
        assert read.width / read.height == pytest.approx(4 / 3, abs=0.03)
    (stream,) = probed(path)["streams"]
    assert 15 < float(stream["nb_read_frames"]) / float(probed(whole)["format"]["duration"]) < 25
    assert (
        ja.export("3", tmp_path / "c.gif", size=(64, 48), fps=5, max_size=10**9)[0].stat().st_size
        < most
    )


def test_what_cannot_be_kept_is_said_and_nothing_written(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="even at 64 pixels the file is larger than 500 bytes"):
        ja.export("3", tmp_path / "a.gif", size=(80, 60), fps=5, max_size=500)
    with pytest.raises(ParameterError, match="max_size works only for a video in a single file"):
        ja.export("3", tmp_path / "a.png", size=(80, 60), max_size=500)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "size"),
    [("2MB", 2_000_000), ("500 kB", 500_000), ("1.5m", 1_500_000), ("12345", 12_345)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert read_file_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "0", "2 TB", "1e3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="a file size such as 2MB"):
        read_file_size(text)
