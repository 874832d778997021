import re
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import page, page_words
from long_cases import sampled
from PIL import Image

import juggle_anim as ja
from juggle_anim.arrays import Bytes
from juggle_anim.errors import ParameterError
from juggle_anim.exporter.view import read_view
from juggle_anim.prints import print_poster, print_sheet
from juggle_anim.prints.prints import POSTERS
from juggle_anim.render import Offscreen
from juggle_anim.scene import Scene
from juggle_anim.scene.scene import Flying


def found_in(sheet: Bytes, tile: Bytes) -> bool:
    """Whether a picture stands somewhere on a sheet, pixel by pixel."""
    height, width = tile.shape[:2]
    rows, columns = np.nonzero((sheet[: -height + 1, : -width + 1] == tile[0, 0]).all(axis=2))
    return any(
        np.array_equal(sheet[y : y + height, x : x + width], tile)
        for y, x in zip(rows, columns, strict=True)
    )


def test_it_shows_moments_of_one_loop_pixel_by_pixel(tmp_path: Path) -> None:
    animation = ja.animate("531")
    sheet = np.asarray(
        Image.open(print_sheet(animation, tmp_path / "a.png", frames=6, size=(640, 480))).convert(
            "RGB"
        )
    )
    assert sheet.shape[1:] == (640, 3)
    assert sheet.shape[0] <= 480
    white = (sheet == 255).all(axis=2)
    across = np.flatnonzero(np.diff(white[150].astype(int)))
    down = np.flatnonzero(np.diff(white[:, across[0] + 50].astype(int)))
    wide, high = across[1] - across[0], np.diff(down).max()
    with Offscreen(int(wide), int(high)) as offscreen:
        camera = animation.replace(framing="whole").camera(wide / high)
        for number in range(6):
            assert found_in(
                sheet, offscreen.image(animation.scene(number / 6 * animation.duration, camera))
            )


@pytest.mark.parametrize(("text", "tall"), [("531", True), ("<3p|3p>", False)])
def test_pictures_are_as_upright_or_wide_as_what_they_show(
    tmp_path: Path, text: str, tall: bool
) -> None:
    path = print_sheet(ja.animate(text), tmp_path / "a.png", size=(640, 452))
    white = (np.asarray(Image.open(path).convert("RGB")) == 255).all(axis=2)
    wide, high = (
        np.diff(np.flatnonzero(np.diff(line.astype(int)))).max()
        for line in (white[100], white[:, 60])
    )
    assert (high > 1.5 * wide) == tall


def test_pictures_show_the_highest_throws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And little air above them."""
    drawn = []

    def take(offscreen: Offscreen, scene: Scene) -> Bytes:
        drawn.append(scene)
        return np.full((offscreen.height, offscreen.width, 3), 255, np.uint8)

    monkeypatch.setattr(Offscreen, "image", take)
    print_sheet(ja.animate("97531"), tmp_path / "a.png", frames=8, size=(640, 480))
    assert drawn
    highest = []
    for scene in drawn:
        camera = scene.camera
        places = np.pad(scene.flying[:, Flying.CENTRE], ((0, 0), (0, 1)), constant_values=1.0)
        _across, up, _depth, away = camera.projection(1.0) @ camera.view() @ places.T
        assert (up < away).all()
        highest.append((up / away).max())
    assert max(highest) > 0.75


def test_each_picture_has_its_time(tmp_path: Path) -> None:
    animation = ja.animate("3", bps=2.0)
    words = page_words(print_sheet(animation, tmp_path / "a.pdf", frames=2, start=0.5))
    assert [f"{time:.2f} s" in words for time in (0.5, 1.0)] == [True] * 2
    assert page(tmp_path / "a.pdf").shape == (1123, 794, 3)


@pytest.mark.parametrize(("text", "across"), [("3", True), ("97531", False)])
def test_a_sheet_in_pdf_is_a_page_of_a4_upright_for_high_throws(
    tmp_path: Path, text: str, across: bool
) -> None:
    path = print_sheet(ja.animate(text), tmp_path / "a.pdf")
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", path.read_bytes())
    assert box
    size = tuple(25.4 / 72 * float(edge) for edge in box.groups())
    assert size == pytest.approx((297, 210) if across else (210, 297), abs=0.3)


@pytest.mark.parametrize("size", [None, (816, 1056)], ids=["A4", "letter"])
def test_a_page_is_empty_for_a_centimetre_at_its_edges(
    tmp_path: Path, size: tuple[int, int] | None
) -> None:
    print_sheet(ja.animate("531"), tmp_path / "a.pdf", size=size)
    is_drawn = (page(tmp_path / "a.pdf") < 250).any(axis=2)
    centimetre = int(96 / 2.54)
    rows = np.flatnonzero(is_drawn.any(axis=1))
    columns = np.flatnonzero(is_drawn.any(axis=0))
    assert min(rows[0], columns[0]) >= centimetre
    assert max(rows[-1] - is_drawn.shape[0], columns[-1] - is_drawn.shape[1]) < -centimetre


def test_each_picture_has_the_throws_of_its_beat(tmp_path: Path) -> None:
    words = page_words(print_sheet(ja.animate("531"), tmp_path / "a.pdf", frames=6))
    assert re.findall(r"\d s +[LR] (\d)\b", words) == list("531531")


def test_a_sheet_has_each_beat_of_a_loop_equally_often(tmp_path: Path) -> None:
    words = page_words(print_sheet(ja.animate("97531"), tmp_path / "a.pdf"))
    assert re.findall(r"\d s +[LR] (\d)\b", words) == list("9753197531")


def test_another_camera_gives_another_sheet(tmp_path: Path) -> None:
    animation = ja.animate("3")
    sheets = [
        print_sheet(
            animation, tmp_path / f"{name}.png", frames=2, size=(300, 200), view=read_view(name)
        ).read_bytes()
        for name in ("front", "left")
    ]
    assert sheets[0] != sheets[1]


@pytest.mark.parametrize("size", [(16, 16), (40, 300), (300, 40)])
def test_a_tiny_sheet_is_still_one(tmp_path: Path, size: tuple[int, int]) -> None:
    sheet = print_sheet(ja.animate("3"), tmp_path / "a.png", frames=12, size=size)
    width, height = Image.open(sheet).size
    assert width == size[0]
    assert 0.95 * size[1] <= height <= size[1]


@pytest.mark.parametrize("frames", [0, -1, 101])
def test_too_few_and_too_many_moments_are_refused(tmp_path: Path, frames: int) -> None:
    with pytest.raises(ParameterError, match="from 1 to 100"):
        print_sheet(ja.animate("3"), tmp_path / "a.png", frames=frames)


@pytest.mark.parametrize("layout", sampled(POSTERS, "landscape"))
def test_a_poster_shows_name_siteswap_ladder_and_strobe_on_its_paper(
    tmp_path: Path, layout: str
) -> None:
    path = print_poster(
        ja.animate("mills mess"), tmp_path / "a.pdf", layout=layout, frames=3, size=(300, 300)
    )
    text = page_words(path)
    assert all(words in text for words in ("Mills mess", "3 balls", "left", "right"))
    sheet = page(path)
    width, height = POSTERS[layout].paper
    assert sheet.shape[1] / sheet.shape[0] == pytest.approx(width / height, rel=0.02)
    # The picture fills its part of the sheet, and the rest is paper.
    left, top, across, down = POSTERS[layout].picture
    scale = sheet.shape[0] / height
    picture = sheet[
        round(scale * top) + 2 : round(scale * (top + down)) - 2,
        round(scale * left) + 2 : round(scale * (left + across)) - 2,
    ]
    assert (picture == 255).all(axis=-1).mean() < 0.01
    assert (sheet == 255).all(axis=-1).mean() > 0.15


def test_a_sheet_tells_how_many_pictures_are_done_and_which_hand_throws(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = tmp_path / "sheet.svg"
    print_sheet(
        ja.animate("531"), path, frames=3, size=(300, 200), progress=lambda *pair: told.append(pair)
    )
    assert told == [(0, 3), (1, 3), (2, 3)]
    texts = path.read_text(encoding="utf-8")
    assert "R 5" in texts
    assert "R 1" in texts
