from pathlib import Path
from typing import Any

import pytest
from small_exports import ENDINGS, SMALL

import juggle_anim as ja
from juggle_anim.errors import ExportError
from juggle_anim.exporter.resume import is_complete
from juggle_anim.formats import EXPORTS

WORDS_LAST = (".mov", ".tif", ".tiff", ".webp", ".usdc", ".usdz", ".npz")
"""Behind the pictures, or what tells where they are; a file that breaks off has none."""

OTHERS: dict[str, dict[str, Any]] = {
    "sound.mp4": {"sound": True},
    "sound.webm": {"sound": True, "transparent": True},
    "sound.mov": {"sound": True, "transparent": True},
    "clear.gif": {"transparent": True, "size": (120, 90)},
    "clear.webp": {"transparent": True, "quality": "best"},
    "strips.tif": {"size": (200, 150)},
    "clear.tif": {"size": (200, 150), "transparent": True},
    "rough.jpg": {"quality": "draft", "size": (97, 55)},
    "long.bvh": {"seconds": 60},
    "clubs.csv": {"prop": "club", "seconds": 20},
    "two.gltf": {"pattern": "<3p|3p>", "transparent": True},
    "two.usda": {"pattern": "<3p|3p>"},
    "two.json": {"pattern": "<3p|3p>"},
    "two.npz": {"pattern": "<3p|3p>"},
}
"""More than the plain files of each kind: what they are made with."""


@pytest.fixture(scope="module")
def exported(
    tmp_path_factory: pytest.TempPathFactory, small_files: dict[str, list[Path]]
) -> dict[str, bytes]:
    """Small files of each kind, by their names."""
    folder = tmp_path_factory.mktemp("files")
    plain = {f"a{ending}": first.read_bytes() for ending, (first, *_) in small_files.items()}
    return plain | {
        name: _export(folder / name, **given).read_bytes() for name, given in OTHERS.items()
    }


def _export(path: Path, pattern: str = "531", prop: str = "ball", **given: Any) -> Path:
    return ja.export(ja.animate(pattern, prop=prop), path, **{**SMALL, **given})[0]


def test_every_kind_of_file_that_an_export_writes_is_known() -> None:
    assert all(EXPORTS[ending].complete for ending in ENDINGS)


@pytest.mark.parametrize("name", [*(f"a{ending}" for ending in ENDINGS), *OTHERS])
def test_a_whole_file_is_complete_and_one_that_breaks_off_anywhere_is_not(
    tmp_path: Path, exported: dict[str, bytes], name: str
) -> None:
    whole = exported[name]
    path = tmp_path / name
    path.write_bytes(whole)
    assert is_complete(path)
    shares = {int(share * len(whole)) for share in (0.3, 0.7, 0.99)}
    lengths = {
        *range(0, len(whole), max(1, len(whole) // 7)),
        *range(len(whole) - 100, len(whole), 9),
        len(whole) - 1,
        *shares,
    }
    for length in sorted(lengths, reverse=True):
        with path.open("r+b") as file:
            file.truncate(max(0, length))
        assert not is_complete(path), f"{length} of {len(whole)} bytes"


@pytest.mark.parametrize("name", [f"a{ending}" for ending in ENDINGS])
def test_a_file_with_more_behind_it_is_not_what_was_written(
    tmp_path: Path, exported: dict[str, bytes], name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(exported[name] + b"more")
    # A TIFF may have anything between and behind the places that it names.
    assert is_complete(path) == name.endswith((".tif", ".tiff"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_breaks_off_behind_its_words_is_written_anew_and_what_has_none_stays(
    tmp_path: Path, small_files: dict[str, list[Path]], ending: str
) -> None:
    path = tmp_path / f"a{ending}"
    whole = {tmp_path / each.name: each.read_bytes() for each in small_files[ending]}
    for each, content in whole.items():
        each.write_bytes(content)
    broken = whole[path][: int(0.99 * len(whole[path]))]
    path.write_bytes(broken)
    if ending in WORDS_LAST:
        with pytest.raises(ExportError, match="is not a complete juggle-anim export"):
            ja.export("531", path, resume=True, **SMALL)
        assert path.read_bytes() == broken
        return
    with pytest.raises(ExportError, match="is from another export"):
        ja.export("51", path, resume=True, **SMALL)
    assert path.read_bytes() == broken
    ja.export("531", path, resume=True, **SMALL)
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == whole


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_so_are_frames_and_only_those(tmp_path: Path, ending: str) -> None:
    paths = ja.export("3", tmp_path / f"##{ending}", **SMALL)
    whole = [path.read_bytes() for path in paths]
    paths[2].write_bytes(whole[2][:-1])
    seen: list[tuple[int, int]] = []
    ja.export(
        "3",
        tmp_path / f"##{ending}",
        resume=True,
        progress=lambda *step: seen.append(step),
        **SMALL,
    )
    assert seen == [(1, 1)]
    assert [path.read_bytes() for path in paths] == whole


def test_a_table_that_breaks_off_proves_the_skeletons_beside_it_and_all_are_written_anew(
    tmp_path: Path,
) -> None:
    paths = ja.export("<3|3>", tmp_path / "a.bvh", fps=10)
    whole = [path.read_bytes() for path in paths]
    for path, content in zip(paths, whole, strict=True):
        path.write_bytes(content[:-1])
    ja.export("<3|3>", tmp_path / "a.bvh", fps=10, resume=True)
    assert [path.read_bytes() for path in paths] == whole
