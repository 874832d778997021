import json
import struct
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import probed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from juggle_anim.formats import MODELS, STILLS, VIDEOS
from juggle_anim.metadata.documents import read_metadata, read_record

ENDINGS = [ending for ending in dict.fromkeys([*VIDEOS, *STILLS, *MODELS]) if ending != ".bvh"]


@pytest.fixture
def exported(small_files: dict[str, list[Path]]) -> dict[str, Path]:
    """A small file of each kind."""
    return {ending: small_files[ending][0] for ending in ENDINGS}


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_kind_of_file_says_what_made_it(exported: dict[str, Path], ending: str) -> None:
    words = read_metadata(exported[ending])
    assert words is not None
    assert json.loads(words)["settings"] == "pattern=531"
    assert json.loads(words)["picture"]["size"] == [32, 24]


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".webm", ".gif"])
def test_another_program_finds_the_words_of_a_video(exported: dict[str, Path], ending: str) -> None:
    path = exported[ending]
    tags = {name.lower(): text for name, text in probed(path)["format"].get("tags", {}).items()}
    if ending == ".gif":  # FFmpeg tells no comment of a GIF, and Pillow does
        with Image.open(path) as read:
            assert read.info["comment"].decode() == read_metadata(path)
    else:
        assert tags["comment"] == read_metadata(path)


@pytest.mark.parametrize("ending", [".jpg", ".tif", ".webp"])
def test_another_program_finds_the_words_in_exif(exported: dict[str, Path], ending: str) -> None:
    with Image.open(exported[ending]) as read:
        assert read.getexif()[0x010E] == read_metadata(exported[ending])


@pytest.mark.parametrize("ending", [".png", ".apng"])
def test_another_program_finds_the_words_in_a_png(exported: dict[str, Path], ending: str) -> None:
    with Image.open(exported[ending]) as read:
        assert read.info["Comment"] == read_metadata(exported[ending])


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_breaks_off_anywhere_holds_the_whole_record_or_none(
    exported: dict[str, Path], ending: str, tmp_path: Path
) -> None:
    whole = exported[ending].read_bytes()
    words = read_metadata(exported[ending])
    broken = tmp_path / f"b{ending}"
    for length in {*range(0, len(whole), max(1, len(whole) // 40)), *range(60)}:
        broken.write_bytes(whole[:length])
        found = read_metadata(broken)
        assert found == words or read_record(found or "") is None


CRATE = (
    b"PXR-USDC" + b"\0" * 8 + struct.pack("<q", 24) + struct.pack("<Q16s2q", 1, b"TOKENS", 64, 80)
)
"""The beginning of a binary file of USD: where its contents are told, and that its texts come next.
"""

STARTS = [
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"\xff\xd8\xff\xe1\0\x20Exif\0\0II*\0",
    b"II*\0",
    b"MM\0*",
    b"RIFF\0\0\0\0WEBP",
    b"glTF\2\0\0\0\0\0\0\0\x20\0\0\0JSON",
    b'{"extras":{"comment":"',
    b"# {",
    b'{"made": {',
    b"PK\3\4" + b"\0" * 22 + b"\x0b\0\0\0comment.npy\x93NUMPY\1\0\x1a\0",
    b"#usda 1.0\nstring juggle-anim = '",
    CRATE,
    b"PK\3\4" + b"\0" * 22 + b"\x0a\0\0\0scene.usdc" + CRATE,
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.sampled_from(STARTS), rest=st.binary(max_size=80))
def test_whatever_follows_the_mark_of_a_format_ends_in_a_few_words_or_in_none(
    tmp_path: Path, start: bytes, rest: bytes
) -> None:
    path = tmp_path / "hostile"
    path.write_bytes(start + rest)
    assert len(read_metadata(path) or "") <= 80


@pytest.mark.parametrize("shape", ["-5", "9" * 30, "[" * 200, "1.5", ""])
def test_an_array_of_no_possible_size_says_nothing(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "a.npz"
    head = f"{{'descr': '<U{shape}'}}".encode()
    array = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + b"\0" * 400
    path.write_bytes(b"PK\3\4" + b"\0" * 22 + b"\x0b\0\0\0comment.npy" + array)
    assert read_metadata(path) is None


@pytest.mark.parametrize("ending", [".glb", ".gltf", ".csv", ".json", ".npz"])
def test_other_readers_find_the_words_of_models_and_tables(
    exported: dict[str, Path], ending: str
) -> None:
    content = exported[ending].read_bytes()
    match ending:
        case ".glb":
            found = json.loads(content[20 : 20 + struct.unpack_from("<I", content, 12)[0]])[
                "extras"
            ]["comment"]
        case ".gltf":
            found = json.loads(content)["extras"]["comment"]
        case ".csv":
            found = content.decode().splitlines()[0].removeprefix("# ")
        case ".json":
            found = json.dumps(json.loads(content)["made"])
        case ".npz":
            with np.load(exported[ending]) as read:
                found = str(read["comment"])
    assert found == read_metadata(exported[ending])


def test_files_of_other_programs_say_what_they_say(tmp_path: Path) -> None:
    image = Image.fromarray(np.zeros((4, 4, 3), dtype=np.uint8))
    for ending in (".png", ".jpg", ".gif", ".webp", ".tif"):
        path = tmp_path / f"a{ending}"
        image.save(path)
        assert read_metadata(path) is None, ending
    about = Image.Exif()
    about[0x010E] = "a holiday"
    image.save(tmp_path / "a.jpg", exif=about)
    assert read_metadata(tmp_path / "a.jpg") == "a holiday"
    image.save(tmp_path / "a.tif", tiffinfo={0x010E: "a concert"})
    assert read_metadata(tmp_path / "a.tif") == "a concert"


def test_numbers_may_have_their_high_byte_first(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    row = struct.pack(">HHHII", 1, 0x010E, 2, 9, 26)
    path.write_bytes(b"MM\0*" + struct.pack(">I", 8) + row + struct.pack(">I", 0) + b"a rocket\0")
    assert read_metadata(path) == "a rocket"


def test_no_picture_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in (b"", b"3", b"531 # Comment"):
        path.write_bytes(content)
        assert read_metadata(path) is None
