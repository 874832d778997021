import io
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from headless_browser import Page
from long_cases import sampled
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.arrays import Bytes
from juggle_anim.exporter import animated
from juggle_anim.exporter.animated import frames_per_part
from juggle_anim.exporter.options import Quality, WriteOptions
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest


@pytest.mark.parametrize("fps", [29.97, 60])
def test_pauses_are_whole_thousandths_whose_sum_is_that_of_the_loop(
    tmp_path: Path, fps: float
) -> None:
    shots = FrameRequest(animate("531"), (32, 24), fps)
    with Image.open(write_video(shots, tmp_path / "a.webp")) as read:
        assert (read.info["loop"], read.n_frames) == (0, shots.frames)  # type: ignore[attr-defined]
        pauses = []
        for each in ImageSequence.Iterator(read):
            each.load()
            pauses.append(each.info["duration"])
    assert abs(sum(pauses) - 1000 * shots.duration) <= 0.5
    assert max(pauses) - min(pauses) <= 1


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library gets five pictures at once."""
    monkeypatch.setattr(animated, "FRAMES_PER_PART", 5)


def test_the_library_never_holds_many_large_pictures_that_are_transparent() -> None:
    small, large = (
        FrameRequest(animate("3"), size, 30, transparent=True)
        for size in ((320, 240), (1920, 1080))
    )
    assert frames_per_part(small) == 256
    assert frames_per_part(large) * 1920 * 1080 * 4 < 300e6


def pictures(path: Path) -> Iterator[tuple[Bytes, float]]:
    """Each picture and how long it is shown, [ms]."""
    with Image.open(path) as read:
        for each in ImageSequence.Iterator(read):
            picture = np.array(each.convert("RGBA"))
            yield picture, each.info["duration"]


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize(("frames", "transparent"), [(5, True), (6, False), (11, True)])
def test_a_long_one_has_every_picture_for_its_time_though_it_is_made_of_short_ones(
    tmp_path: Path, frames: int, transparent: bool
) -> None:
    shots = FrameRequest(animate("531"), (64, 48), 30, seconds=frames / 30, transparent=transparent)
    best = WriteOptions(quality=Quality.BEST)
    found = list(pictures(write_video(shots, tmp_path / "a.webp", options=best)))
    assert len(found) == frames
    assert sum(pause for _, pause in found) == pytest.approx(1000 * frames / 30, abs=0.5)
    for (picture, _), wanted in zip(found, DrawnFrames(shots).images(), strict=True):
        assert (picture[..., 3] == (wanted[..., 3] if transparent else 255)).all()
        seen = picture[..., 3] > 0
        assert (picture[seen][:, :3] == wanted[seen][:, :3]).all()


@pytest.mark.usefixtures("short_parts")
def test_pictures_that_are_all_alike_are_shown_as_long_as_they_would_be(tmp_path: Path) -> None:
    shots = FrameRequest(animate("0", body_motion=0.0), (64, 48), 10, seconds=1.2)
    found = list(pictures(write_video(shots, tmp_path / "a.webp")))
    assert sum(pause for _, pause in found) == pytest.approx(1200, abs=0.5)
    assert all((picture == found[0][0]).mean() > 0.9 for picture, _ in found)


def jumping_square(frames: DrawnFrames) -> Iterator[Bytes]:
    """Pictures of a square that jumps from corner to corner, and leaves nothing behind."""
    for number in range(frames.request.frames):
        picture = np.zeros((48, 64, 4), dtype=np.uint8)
        up, left = divmod(number % 4, 2)
        picture[40 * up : 40 * up + 8, 56 * left : 56 * left + 8] = 200, 50 + number, 0, 255
        yield picture


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize("quality", Quality)
def test_nothing_is_left_behind_where_a_picture_covers_little(
    tmp_path: Path, quality: Quality, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DrawnFrames, "images", jumping_square)
    shots = FrameRequest(animate("531"), (64, 48), 30, seconds=12 / 30, transparent=True)
    found = pictures(write_video(shots, tmp_path / "a.webp", options=WriteOptions(quality=quality)))
    for (picture, _), wanted in zip(found, DrawnFrames(shots).images(), strict=True):
        assert (picture[..., 3] == wanted[..., 3]).all()


@pytest.mark.parametrize(
    ("quality", "transparent"), [(Quality.GOOD, False), (Quality.BEST, False), (Quality.GOOD, True)]
)
def test_programs_that_check_files_find_nothing_wrong(
    tmp_path: Path, quality: Quality, transparent: bool
) -> None:
    shots = FrameRequest(animate("531"), (160, 120), 30, seconds=0.5, transparent=transparent)
    path = write_video(shots, tmp_path / "a.webp", options=WriteOptions(quality=quality))
    for command in (["webpinfo", "-quiet", path], ["webpmux", "-info", path]):
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        assert "error" not in (told.stdout + told.stderr).casefold()
        assert "warning" not in (told.stdout + told.stderr).casefold()


def is_magenta(picture: np.ndarray) -> np.ndarray:
    """Which pixels have about the colour of the page behind."""
    red, green, blue = np.moveaxis(picture[..., :3], -1, 0)
    return (red > 200) & (green < 100) & (blue > 200)


@pytest.mark.parametrize("quality", sampled([Quality.GOOD, Quality.BEST], Quality.GOOD))
def test_a_browser_fills_what_a_picture_leaves_with_the_one_before(
    tmp_path: Path, page: Page, quality: Quality
) -> None:
    size = 320, 240
    shots = FrameRequest(animate("531"), size, 30, seconds=0.6)
    write_video(shots, tmp_path / "a.webp", options=WriteOptions(quality=quality))
    path = tmp_path / "page.html"
    path.write_text("<body style='margin: 0; background: magenta'><img src='a.webp'>")
    assert not any(is_magenta(image).any() for image in DrawnFrames(shots).images())
    page("Page.navigate", url=path.as_uri())
    page.wait_for("document.readyState === 'complete' && document.querySelector('img') !== null")
    for _ in range(6):
        seen = np.array(Image.open(io.BytesIO(page.picture())).convert("RGB"))[: size[1], : size[0]]
        assert not is_magenta(seen).any()
