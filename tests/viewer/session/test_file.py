import json
import os
import pwd
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from juggle_anim.errors import ViewerError
from juggle_anim.viewer.panel.controls import PresetList
from juggle_anim.viewer.screenshot import picture_folder
from juggle_anim.viewer.session.file import (
    SessionState,
    directory_lock,
    open_default_session,
    open_session_file,
    read_session_state,
    session_path,
    settings_folder,
    write_session_state,
)


def test_a_memory_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "viewer.json"
    memory = SessionState(pattern="531", favourites=("441", "Mills mess – slowly"))
    file = open_session_file(path)
    assert (file.state, file.error) == (SessionState(), "")
    file.write(memory)
    assert open_session_file(path).state == memory
    assert [each.name for each in path.parent.iterdir()] == ["viewer.json"]


def test_nothing_is_written_where_nothing_has_changed(tmp_path: Path) -> None:
    file = open_session_file(tmp_path / "viewer.json")
    file.write(SessionState())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{broken",
        b"\xff\xfe\x00",
        b'["another program\'s"]',
        b"[" * 100_000,
        b'{"hats": %s}' % (b"[" * 99 + b"]" * 99),
    ],
)
def test_a_broken_file_is_kept_beside_and_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "viewer.json"
    path.write_bytes(content)
    file = open_session_file(path)
    assert file.state == SessionState()
    assert "Cannot read" in file.error
    assert "viewer.old.json" in file.error
    assert (tmp_path / "viewer.old.json").read_bytes() == content
    file.write(SessionState(pattern="3"))
    assert open_session_file(path).state == SessionState(pattern="3")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("favourites", 5),
        ("recent", "531"),
        ("keys", [1]),
        ("size", [1]),
        ("window", "big"),
        ("film", 0),
        ("panel", 2),
    ],
)
def test_a_file_with_a_field_that_makes_no_sense_is_copied_and_said(
    tmp_path: Path, name: str, value: object
) -> None:
    path = tmp_path / "viewer.json"
    content = json.dumps({"pattern": "531", name: value})
    path.write_text(content)
    file = open_session_file(path)
    assert file.state == SessionState(pattern="531")
    assert name in file.error
    assert "viewer.old.json" in file.error
    assert (tmp_path / "viewer.old.json").read_text() == content
    file.write(SessionState(pattern="3"))
    assert open_session_file(path).error == ""


def test_a_safe_start_forgets_but_destroys_nothing(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    cards = SessionState(
        beats=False, plots=2, numbers="both", sound=True, folded=("Look",), juggler=1
    )
    open_session_file(path).write(
        replace(cards, pattern="531", favourites=("441",), keys={"pause": ("x",)})
    )
    assert open_session_file(path, safe=True).state == SessionState(favourites=("441",))
    (tmp_path / "viewer.json").write_text("{broken")
    assert open_session_file(path, safe=True).state == SessionState()
    (tmp_path / "viewer.json").write_text('{"pattern": "531"}')
    open_session_file(path, safe=True)
    assert read_session_state((tmp_path / "viewer.old.json").read_text()).pattern == "531"


def test_where_nothing_can_be_written_the_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = open_session_file(tmp_path / "file" / "viewer.json")
    file.write(SessionState(pattern="3"))
    assert "cannot save" in file.error
    (tmp_path / "viewer.json").mkdir()
    assert "Cannot read" in open_session_file(tmp_path / "viewer.json").error


def test_its_place_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert session_path().name == "viewer.json"
    assert session_path().parent.name == "juggle-anim"


def test_two_windows_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    first, second = open_session_file(path), open_session_file(path)
    first.write(SessionState(pattern="531", favourites=("531",), recent=("531",)))
    second.write(SessionState(pattern="441", favourites=("441",), recent=("441", "3")))
    assert second.state.favourites == ("441", "531")
    first.write(replace(first.state, favourites=("b97531", "531"), recent=("b97531", "531")))
    there = open_session_file(path).state
    assert (set(there.favourites), set(there.recent)) == (
        {"531", "441", "b97531"},
        {"531", "441", "3", "b97531"},
    )


def test_the_window_that_is_closed_last_decides_where_the_next_one_opens(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    first, second = open_session_file(path), open_session_file(path)
    first.write(SessionState(pattern="531"))
    second.write(SessionState(pattern="441"))
    assert not first.write(SessionState(pattern="531"))
    assert first.write(SessionState(pattern="531"), closing=True)
    assert open_session_file(path).state.pattern == "531"


def test_keys_that_somebody_writes_into_it_while_a_window_is_open_stay(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    file = open_session_file(path)
    path.write_text('{"keys": {"pause": "x"}, "hats": 3}')
    file.write(SessionState(pattern="531"))
    there = open_session_file(path).state
    assert (there.pattern, there.keys, there.other) == ("531", {"pause": ("x",)}, {"hats": 3})


def test_a_file_that_breaks_while_a_window_is_open_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    file = open_session_file(path)
    path.write_text('{"keys": {"pause": "x"')
    file.write(SessionState(pattern="531"))
    assert open_session_file(path).state == SessionState(pattern="531")
    assert "pause" in (tmp_path / "viewer.old.json").read_text()


def test_a_safe_start_does_not_get_its_keys_back(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    open_session_file(path).write(SessionState(pattern="531", favourites=("441",)))
    path.write_text('{"keys": {"pause": "x"}, "favourites": ["441"]}')
    open_session_file(path, safe=True).write(SessionState(pattern="3", favourites=("441",)))
    assert open_session_file(path).state == SessionState(pattern="3", favourites=("441",))


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    os.mkfifo(path)
    assert "not a file" in open_session_file(path).error


def test_a_file_that_is_cut_off_or_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    whole = write_session_state(SessionState(pattern="531", favourites=("441",))).encode()
    for end in range(1, len(whole) - 2):
        path.write_bytes(whole[:end])
        assert open_session_file(path).state == SessionState()
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert "the file is too long" in open_session_file(path).error
    path.write_text(f'{{"time": {"9" * 5_000}}}')
    assert open_session_file(path).state == SessionState()


def test_where_no_folder_can_be_made_the_reason_is_said_and_nothing_else_happens() -> None:
    file = open_session_file(Path("/proc/juggle-anim/viewer.json"))
    assert file.error == ""
    assert not file.write(SessionState(pattern="3"))
    assert "cannot save" in file.error


HOLDS = """
import sys
from pathlib import Path
from juggle_anim.viewer.session.file import directory_lock
with directory_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


ADDS = """
import sys
from pathlib import Path
from juggle_anim.viewer.session.file import directory_lock
path = Path(sys.argv[1], "count")
for _ in range(100):
    with directory_lock(path.parent, timeout=300):
        path.write_text(str(int(path.read_text()) + 1))
"""


def test_programs_take_turns(tmp_path: Path) -> None:
    (tmp_path / "count").write_text("0")
    running = [subprocess.Popen([sys.executable, "-c", ADDS, str(tmp_path)]) for _ in range(2)]
    assert [each.wait(60) for each in running] == [0, 0]
    assert (tmp_path / "count").read_text() == "200"


def test_a_program_that_is_stuck_holds_nobody_up_for_long(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == "held\n"
        begun = time.monotonic()
        with directory_lock(tmp_path):
            assert 0.1 < time.monotonic() - begun < 5
        other.stdin.close()


def test_a_folder_that_is_not_there_stands_in_nobodys_way(tmp_path: Path) -> None:
    with directory_lock(tmp_path / "gone"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user whom the system does not know, without HOME, as in some containers; in a folder of
    their own.
    """

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
    assert file.error.startswith("Settings cannot be saved")
    assert not file.write(SessionState(pattern="531"), closing=True)
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
