from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from juggle_anim.animation import animate, animated
from juggle_anim.errors import ExportError
from juggle_anim.notation import open_pattern
from juggle_anim.viewer.screen import Screen, picture_folder, save_picture

PICTURE = np.random.default_rng(0).integers(0, 256, (40, 60, 3)).astype(np.uint8)


def test_a_picture_keeps_every_pixel_and_opens_the_same_animation_again(tmp_path: Path) -> None:
    animation = animate("531", chicken_wing=70, trails=0.5)
    path = save_picture(PICTURE, animation, 0.4, tmp_path)
    assert (np.array(Image.open(path)) == PICTURE).all()
    again = animated(open_pattern(str(path)))
    assert again.text == "531"
    assert again.parameters == animation.parameters


def test_no_picture_replaces_another(tmp_path: Path) -> None:
    first, second = (save_picture(PICTURE, animate("<3p|3p>"), 0.0, tmp_path) for _ in range(2))
    assert first != second
    assert {first.parent, second.parent} == {tmp_path}
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot be written"):
        save_picture(PICTURE, animate("3"), 0.0, tmp_path / "none")


def test_pictures_go_to_the_users_own_if_there_are_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert picture_folder() == Path.cwd()
    (tmp_path / "Pictures").mkdir()
    assert picture_folder() == tmp_path / "Pictures"


def test_a_screen_is_filled_and_left() -> None:
    screen = Screen()
    screen.toggle()
    assert screen.full
    screen.toggle()
    assert not screen.full
