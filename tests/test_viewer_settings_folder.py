import pwd
from pathlib import Path

import pytest

from juggle_anim.errors import ViewerError
from juggle_anim.viewer.screenshot import picture_folder
from juggle_anim.viewer.session.file import open_default_session, settings_folder
from juggle_anim.viewer.session.state import SessionState
from juggle_anim.viewer.state.presets import PresetList


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user whom the system does not know, without HOME, as in some containers; in a folder of their own."""

    def nobody(_: int) -> None:
        raise KeyError("no such user")

    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_folder().name == "juggle-anim"


def test_without_a_home_it_is_said_that_nothing_is_remembered(homeless: Path) -> None:
    with pytest.raises(ViewerError, match="set HOME"):
        settings_folder()
    file = open_default_session()
    assert file.error.startswith("Nothing is remembered")
    assert not file.write(SessionState(pattern="531"), last=True)
    assert list(homeless.iterdir()) == [], "no folder called ~ is made"


def test_without_a_home_presets_say_why_there_are_none(homeless: Path) -> None:
    presets = PresetList()
    presets.open()
    assert "no home" in presets.error
    presets.name = "mine"
    presets.save("dwell=1")
    assert "no home" in presets.error
    assert list(homeless.iterdir()) == []


def test_without_a_home_pictures_go_to_the_current_folder(homeless: Path) -> None:
    assert picture_folder() == homeless
