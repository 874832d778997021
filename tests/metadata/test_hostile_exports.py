"""Files that begin as exports and were made to do harm, or are broken: none has metadata, and
soon.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz_targets import MOST_MEMORY, memory
from work import LITTLE, ONE_SECOND, at_most

from juggle_anim.formats import FORMATS
from juggle_anim.metadata.documents import READERS, BoundedFile, Record, read_metadata, read_with

RECORD = Record("pattern=531", version="1").text


def npy(head: bytes, content: bytes = b"") -> bytes:
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + content


TEXT = npy(b"{'descr': '<U4', 'fortran_order': False, 'shape': (), }\n", "text".encode("utf-32-le"))


def packed(array: bytes, method: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as file:
        file.writestr("comment.npy", array)
    return content.getvalue()


def with_head(archive: bytes, in_member: int, in_directory: int, value: int) -> bytes:
    """An archive of one member with another number in both of its heads."""
    content = bytearray(archive)
    struct.pack_into("<H", content, in_member, value)
    struct.pack_into("<H", content, content.index(b"PK\1\2") + in_directory, value)
    return bytes(content)


def spoilt(archive: bytes) -> bytes:
    content = bytearray(archive)
    start = content.index(b"comment.npy") + len("comment.npy")
    content[start : start + 20] = b"\xff" * 20
    return bytes(content)


def shaped(shape: str, kind: str = "<U4") -> bytes:
    return packed(
        npy(
            f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode(),
            b"\0" * 99,
        )
    )


BROKEN = {
    "encrypted.npz": with_head(packed(TEXT), 6, 8, 1),
    "unknown method.npz": with_head(packed(TEXT), 8, 10, 97),
    "deflate.npz": spoilt(packed(TEXT * 20, zipfile.ZIP_DEFLATED)),
    "lzma.npz": spoilt(packed(TEXT * 20, zipfile.ZIP_LZMA)),
    "bzip2.npz": spoilt(packed(TEXT * 20, zipfile.ZIP_BZIP2)),
    "checksum.npz": spoilt(packed(TEXT)),
    "no comment.npz": packed(TEXT).replace(b"comment.npy", b"another.npy"),
    "unclosed.npz": packed(npy(b"{'descr': '<U4', 'fortran_order': False, 'shape': (")),
    "nested.npz": packed(npy(b"(" * 300)),
    "huge shape.npz": shaped("(99999999999,)"),
    "huge text.npz": shaped("()", "<U999999999"),
    "numbers.npz": shaped("()", "<f8"),
    "no letters.npz": shaped("()", "<U0"),
    "tEXt.png": b"\x89PNG\r\n\x1a\n"
    + struct.pack(">I4s", 20, b"zTXt")
    + b"Comment\0\0"
    + b"\xff" * 15,
    "position.usdc": b"PXR-USDC" + b"\0" * 8 + struct.pack("<q", -24),
    "no bytes.usdc": b"PXR-USDC" + b"\0" * 8 + struct.pack("<q", 2**62),
    "frames.webp": b"RIFF\0\0\0\0WEBPEXIF\x20\0\0\0II*\0\xff\xff\xff\xff",
    "rows.tif": b"II*\0\x08\0\0\0" + struct.pack("<H", 9) + b"\xff" * 90,
    "atoms.mp4": b"\0\0\0\x18ftypisom" + b"\xff" * 99,
}

MANY = 1_000_000
LARGE: dict[str, Callable[[], bytes]] = {
    "made.json": lambda: b'{"made": {' * 100_000,
    "made lists.json": lambda: b'{"made": {"a": [' + b"[]," * MANY,
    "comments.gltf": lambda: b"{" + b'"comment": "x",' * 250_000,
    "records.gltf": lambda: b"{" + b'"comment": "{}",' * 250_000,
    "attributes.exr": lambda: b"\x76\x2f\x31\x01\2\0\0\0" + b"a\0b\0\0\0\0\0" * MANY,
    "keywords.pdf": lambda: b"%PDF-/Keywords (" + b"a" * 4 * MANY,
    "bomb.npz": lambda: packed(b"\x93NUMPY\1\0" + b"\0" * 50_000_000, zipfile.ZIP_DEFLATED),
    "bomb.png": lambda: (
        b"\x89PNG\r\n\x1a\n"
        + (lambda text: struct.pack(">I4s", len(text), b"zTXt") + text)(
            b"Comment\0\0" + zlib.compress(b"a" * 50_000_000)
        )
    ),
    "rows.tif": lambda: (
        b"II*\0\x08\0\0\0"
        + struct.pack("<H", 65535)
        + b"".join(struct.pack("<HHII", tag, 2, MANY, 8) for tag in range(65535))
        + b"\0" * MANY
    ),
}
"""What makes each: together they are 50 MB, which most who collect tests do not need."""

REPEATED = {
    "fill bytes.jpg": (b"\xff\xd8\xff", b"\xff"),
    "segments.jpg": (b"\xff\xd8", b"\xff\xe0\0\2"),
    "comments.jpg": (b"\xff\xd8", b"\xff\xfe\0\x0ejuggle-anim\0"),
    "extensions.gif": (b"GIF89a" + b"\0" * 7, b"\x21\xff\1a\0"),
    "blocks.gif": (b"GIF89a" + b"\0" * 7 + b"\x21\xfe", b"\1a"),
    "chunks.png": (b"\x89PNG\r\n\x1a\n", b"\0\0\0\0aaaa\0\0\0\0"),
    "texts.png": (b"\x89PNG\r\n\x1a\n", b"\0\0\0\0tEXt\0\0\0\0"),
    "chunks.webp": (b"RIFF\0\0\0\0WEBP", b"aaaa\0\0\0\0"),
}
"""Beginnings of files, and what each reader looks at one after the other, as often as it stands
there.
"""


def test_every_format_that_carries_metadata_says_what_its_reader_may_read_and_raise() -> None:
    assert set(READERS) == {row.metadata_reader for row in FORMATS if row.metadata_reader}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_has_no_metadata(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    assert read_metadata(path) in (None, "")


def test_arrays_packed_in_any_way_have_their_metadata(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        path.write_bytes(packed(TEXT, method))
        assert read_metadata(path) == "text"


@pytest.mark.parametrize("name", REPEATED)
def test_no_reader_goes_on_beyond_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for reader, row in READERS.items():
        monkeypatch.setitem(READERS, reader, row._replace(max_bytes=100_000))
    path = tmp_path / name
    start, part = REPEATED[name]
    path.write_bytes(start + part * 1_000_000)
    with at_most(LITTLE // 10):
        assert not read_metadata(path)


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_given_up_soon(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(LARGE[name]())
    before = memory()
    with at_most(ONE_SECOND // 3):
        assert not read_metadata(path)
    assert memory() - before < MOST_MEMORY


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gltf", b'{"nodes": [' + b'{"comment": "a bone"},' * 1_000 + b'{"comment": %s}]}'),
        ("b.gltf", b'{"comment": "{\\"by\\": 1}", "extras": {"comment": %s}}'),
        ("c.gltf", b'{"comment": "{", "a": {"comment": "\\x", "b": {"comment": %s'),
    ],
)
def test_the_record_is_found_behind_comments_of_others(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content.replace(b"%s", b'"' + RECORD.replace('"', '\\"').encode() + b'"'))
    assert read_metadata(path) == RECORD


def test_no_part_of_a_json_is_decoded_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    nested = b'{"made": {"a": 1, "b": ' * 200
    path.write_bytes(nested + b"x" + b'{"made": {"juggle-anim": "1"}}')
    assert read_metadata(path) == '{"juggle-anim": "1"}'


@pytest.mark.parametrize(
    "read", [lambda file: file.read(), lambda file: b"".join(iter(lambda: file.read(3), b""))]
)
def test_a_bounded_file_ends_at_its_bound(
    tmp_path: Path, read: Callable[[BoundedFile], bytes]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789" * 1_000)
    with BoundedFile(path, 1_280) as file:
        # Short reads count as if they were of 128 bytes.
        assert len(read(file)) in (1_280, 30)
        assert file.read(1) == b""
        assert file.readline() == b""


def test_a_reader_may_raise_what_its_row_says_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(packed(TEXT))
    for error, escapes in ((lzma.LZMAError, False), (zlib.error, False), (NameError, True)):

        def failing(_file: object, _limit: int, error: type[Exception] = error) -> str:
            raise error("broken")

        monkeypatch.setattr("juggle_anim.metadata.documents.read_npz_comment", failing)
        if escapes:
            with pytest.raises(NameError):
                read_with("metadata.documents:read_npz_comment", path)
        else:
            assert read_with("metadata.documents:read_npz_comment", path) is None
