from pathlib import Path

import pytest

from juggle_anim.errors import ExportError
from juggle_anim.exporter.resume import claim


def test_a_new_place_is_made_ready(tmp_path: Path) -> None:
    assert claim(tmp_path / "new" / "er" / "a.gif", "words")
    assert (tmp_path / "new" / "er").is_dir()


def test_what_is_there_is_given_up_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(b"mine")
    with pytest.raises(ExportError, match="already exists"):
        claim(path, "words")
    with pytest.raises(ExportError, match="not a complete juggle-anim export"):
        claim(path, "words", resume=True)
    assert claim(path, "words", force=True)
    assert path.read_bytes() == b"mine"


def test_a_folder_is_never_given_up(tmp_path: Path) -> None:
    (tmp_path / "a.gif").mkdir()
    with pytest.raises(ExportError, match="is a folder"):
        claim(tmp_path / "a.gif", "words", force=True)


def test_a_place_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(ExportError, match="cannot save"):
        claim(tmp_path / "a" / "b.gif", "words")
