from pathlib import Path

import pytest

from juggle_anim.viewer.memory import Memory, read_memory
from juggle_anim.viewer.memory_file import open_memory, usual_path


def test_a_memory_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "viewer.json"
    memory = Memory(pattern="531", favourites=("441", "Mills mess – slowly"))
    file = open_memory(path)
    assert (file.memory, file.trouble) == (Memory(), "")
    file.write(memory)
    assert open_memory(path).memory == memory
    assert [each.name for each in path.parent.iterdir()] == ["viewer.json"]


def test_nothing_is_written_where_nothing_has_changed(tmp_path: Path) -> None:
    file = open_memory(tmp_path / "viewer.json")
    file.write(Memory())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{broken", b"\xff\xfe\x00", b'["another program\'s"]', b"[" * 100_000])
def test_a_broken_file_is_kept_beside_and_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "viewer.json"
    path.write_bytes(content)
    file = open_memory(path)
    assert file.memory == Memory()
    assert "cannot be read" in file.trouble
    assert "viewer.old.json" in file.trouble
    assert (tmp_path / "viewer.old.json").read_bytes() == content
    file.write(Memory(pattern="3"))
    assert open_memory(path).memory == Memory(pattern="3")


def test_a_safe_start_forgets_but_destroys_nothing(tmp_path: Path) -> None:
    path = tmp_path / "viewer.json"
    open_memory(path).write(Memory(pattern="531", paused=True, favourites=("441",), keys={"pause": ("x",)}))
    assert open_memory(path, safe=True).memory == Memory(favourites=("441",))
    (tmp_path / "viewer.json").write_text("{broken")
    assert open_memory(path, safe=True).memory == Memory()
    (tmp_path / "viewer.json").write_text('{"pattern": "531"}')
    open_memory(path, safe=True)
    assert read_memory((tmp_path / "viewer.old.json").read_text()).pattern == "531"


def test_where_nothing_can_be_written_the_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = open_memory(tmp_path / "file" / "viewer.json")
    file.write(Memory(pattern="3"))
    assert "cannot be written" in file.trouble
    (tmp_path / "viewer.json").mkdir()
    assert "cannot be read" in open_memory(tmp_path / "viewer.json").trouble


def test_its_place_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert usual_path().name == "viewer.json"
    assert usual_path().parent.name == "juggle-anim"
