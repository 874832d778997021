from pathlib import Path

import pytest

from juggle_anim.errors import ParameterError
from juggle_anim.exporter.resume import folder_template, read_template


@pytest.mark.parametrize(
    ("text", "number", "name"),
    [
        ("a/shot_####.png", 7, "a/shot_0007.png"),
        ("shot_####.png", 123456, "shot_123456.png"),
        ("#.jpg", 12, "12.jpg"),
        ("%05d.tif", 12, "00012.tif"),
        ("f%d_left.WEBP", 12, "f12_left.WEBP"),
        ("f%3d.png", 2, "f002.png"),
    ],
)
def test_the_number_of_a_frame_fills_the_place(text: str, number: int, name: str) -> None:
    template = read_template(Path(text))
    assert template is not None
    assert template.path(number) == Path(name)
    assert template.suffix == Path(text).suffix.lower()
    assert template.is_frame(template.path(number).name)


@pytest.mark.parametrize("text", ["frames", "a/video.mp4", "100%.png", "%s.png"])
def test_a_path_without_a_place_is_no_template(text: str) -> None:
    assert read_template(Path(text)) is None


@pytest.mark.parametrize(
    ("text", "said"), [("#_#.png", "has 2 places"), ("a##/b.png", "must be in the file name")]
)
def test_a_place_too_many_is_refused(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        read_template(Path(text))


def test_frames_and_drafts_are_told_from_other_files() -> None:
    template = read_template(Path("a(1)_###_x.png"))
    assert template is not None
    for name in ("a(1)_000_x.png", "a(1)_1234_x.png"):
        assert template.is_frame(name)
    for name in (
        "a(1)_00_x.png",
        "a1_000_x.png",
        "a(1)_000_x.jpg",
        "a(1)_000_x.png.bak",
        ".a(1)_000_x.7.part.png",
    ):
        assert not template.is_frame(name)
    assert template.is_partial(".a(1)_000_x.4711.part.png")
    assert not template.is_partial("a(1)_000_x.png")


def test_a_folder_has_room_for_the_highest_number() -> None:
    assert folder_template(Path("f"), ".png", 10).path(3) == Path("f/frame_00003.png")
    assert folder_template(Path("f"), ".png", 123_456).path(3) == Path("f/frame_000003.png")
