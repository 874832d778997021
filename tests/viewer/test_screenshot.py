import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from PIL import Image

from juggle_anim.animation import animate, animated
from juggle_anim.errors import ExportError
from juggle_anim.notation import open_pattern
from juggle_anim.viewer.screenshot import Numbers, Saving, Screen, picture_folder, save_picture


def test_a_key_turns_through_all_of_them() -> None:
    turned = [Numbers.NONE]
    for _ in range(4):
        turned.append(turned[-1].next)
    assert turned == [Numbers.NONE, Numbers.PROPS, Numbers.THROWS, Numbers.BOTH, Numbers.NONE]
    assert [(each.of_props, each.of_throws) for each in turned[:4]] == [
        (False, False), (True, False), (False, True), (True, True),
    ]  # fmt: skip


def test_none_is_nothing() -> None:
    assert not Numbers.NONE
    assert all([Numbers.PROPS, Numbers.THROWS, Numbers.BOTH])
    assert json.dumps(Numbers.BOTH) == '"both"'


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
    with pytest.raises(ExportError, match="cannot save"):
        save_picture(PICTURE, animate("3"), 0.0, tmp_path / "none")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_PICTURES_DIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_pictures_go_to_the_users_own_if_there_are_any(home: Path) -> None:
    assert picture_folder() == Path.cwd()
    (home / "Pictures").mkdir()
    assert picture_folder() == home / "Pictures"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="desktops there keep no such file")
def test_pictures_go_to_the_folder_that_the_desktop_names(home: Path) -> None:
    names = home / ".config" / "user-dirs.dirs"
    names.parent.mkdir()
    names.write_text('XDG_PICTURES_DIR="$HOME/Bilder"\n')
    (home / "Pictures").mkdir()
    assert picture_folder() == home / "Pictures"
    (home / "Bilder").mkdir()
    assert picture_folder() == home / "Bilder"
    # So a desktop says that there is none.
    names.write_text('XDG_PICTURES_DIR="$HOME/"\n')
    assert picture_folder() == home / "Pictures"
    for broken in (b"\xff\xfe\x00", b"XDG_PICTURES_DIR=", b'XDG_PICTURES_DIR="%(x)s"'):
        names.write_bytes(broken)
        assert picture_folder() == home / "Pictures"


def test_a_screen_is_filled_and_left() -> None:
    screen = Screen()
    screen.toggle()
    assert screen.full
    screen.toggle()
    assert not screen.full


def test_a_file_being_written_tells_its_time_then_its_frames_then_what_is_left() -> None:
    saving = Saving("a.gif", perf_counter() - 3.2)
    assert saving.words == "Saving a.gif … 3 s"
    saving.done, saving.total = 2, 8
    assert saving.words == "Saving a.gif: 2 of 8"
    saving.remaining = 4.5
    assert saving.words == "Saving a.gif: 25%, 5 s left"
