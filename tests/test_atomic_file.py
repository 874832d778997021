import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from juggle_anim.atomic_file import atomic_file, cannot_write, remove_stale_partials
from juggle_anim.errors import ExportError


def stop_halfway(path: Path, error: BaseException) -> None:
    with atomic_file(path) as draft:
        draft.write_bytes(b"half")
        raise error


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with atomic_file(path) as draft:
        draft.write_bytes(b"half")
        assert not path.exists()
        assert draft.name.startswith(".")
        assert draft.suffix == ".mp4"
    assert path.read_bytes() == b"half"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, SystemExit, ValueError])
def test_a_file_that_was_not_finished_leaves_nothing(
    tmp_path: Path, trouble: type[BaseException]
) -> None:
    with pytest.raises(trouble):
        stop_halfway(tmp_path / "a.png", trouble())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_there_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    with pytest.raises(ExportError, match="No space left on device"):
        stop_halfway(path, OSError(28, "No space left on device"))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755, 0o444])
def test_a_file_that_is_replaced_hands_on_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    path.chmod(mode)
    with atomic_file(path) as draft:
        draft.write_bytes(b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o7777 == mode


def test_two_threads_that_write_one_file_do_not_spoil_each_other(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    with ThreadPoolExecutor(1) as other, atomic_file(path) as draft:
        draft.write_bytes(b"mine")
        other.submit(write, path, b"theirs").result()
        assert path.read_bytes() == b"theirs"
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_came_meanwhile_is_not_replaced_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.png"
    with atomic_file(path, replaces=False) as draft:
        draft.write_bytes(b"first")
    with pytest.raises(
        ExportError, match=r"a\.png already exists; choose another name, or add force=True"
    ):
        write_anew(path, b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a" * 251 + ".png", "é" * 125 + ".png"])
def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path: Path, name: str) -> None:
    write_anew(tmp_path / name, b"whole")
    remove_stale_partials(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def write_anew(path: Path, content: bytes) -> None:
    with atomic_file(path, replaces=False) as draft:
        draft.write_bytes(content)


def write(path: Path, content: bytes) -> None:
    with atomic_file(path) as draft:
        draft.write_bytes(content)


def test_the_reason_of_the_system_is_one_line_with_the_name_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such" / "a.png"
    with pytest.raises(ExportError) as caught, atomic_file(path) as draft:
        draft.write_bytes(b"")
    assert str(caught.value) == f"{path}: cannot save: No such file or directory"


def test_an_error_of_ours_passes_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"^as it is$"), cannot_write(tmp_path):
        raise ExportError("as it is")


def test_what_a_killed_writer_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "film (1).gif"
    # No thread of a machine has so high a number.
    left = [".film (1).4194999.part.gif", ".film (1).4194999.part.gif.bare"]
    kept = [
        f".film (1).{os.getpid()}.part.gif",
        "film (1).gif",
        ".film 1.4194999.part.gif",
        ".film (1).x.part.gif",
    ]
    for name in left + kept:
        (tmp_path / name).write_bytes(b"")
    remove_stale_partials(path)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(kept)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere drafts of others are left alone"
)
def test_a_killed_writer_is_dead_also_before_anybody_has_asked_how_it_died(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as writer:
        draft = tmp_path / f".film.{writer.pid}.part.gif"
        draft.write_bytes(b"half")
        remove_stale_partials(tmp_path / "film.gif")
        assert draft.exists()
        writer.kill()
        os.waitid(os.P_PID, writer.pid, os.WEXITED | os.WNOWAIT)
        remove_stale_partials(tmp_path / "film.gif")
        assert not draft.exists()
