"""Files of ours as other programs save them: what they carry is still found, and where it is gone
that is said.
"""

import csv
import io
import json
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from PIL import Image

import juggle_anim as ja
from juggle_anim.errors import FileError
from juggle_anim.metadata.documents import read_metadata, read_record
from juggle_anim.metadata.images import read_png_text

Saving = Callable[[bytes], bytes]


def chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], 8
    while place < len(content):
        size, kind = struct.unpack_from(">I4s", content, place)
        found.append((kind, content[place + 8 : place + 8 + size]))
        place += size + 12
    return found


def png_of(parts: list[tuple[bytes, bytes]]) -> bytes:
    sums = (struct.pack(">I", zlib.crc32(kind + text)) for kind, text in parts)
    packed = (struct.pack(">I", len(text)) + kind + text for kind, text in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        part + check for part, check in zip(packed, sums, strict=True)
    )


def text_behind_the_pixels(kind: bytes, head: bytes, packs: bool) -> Saving:
    def saved(content: bytes) -> bytes:
        parts = chunks(content)
        (text,) = (text for name, text in parts if name == b"tEXt")
        words = text.partition(b"\0")[2]
        kept = [part for part in parts if part[0] not in (b"tEXt", b"IEND")]
        return png_of(
            [*kept, (kind, head + (zlib.compress(words) if packs else words)), (b"IEND", b"")]
        )

    return saved


def behind_words_of_others(content: bytes) -> bytes:
    """A PNG with a title, and a description longer than all that is read, before the comment."""
    head, *others = chunks(content)
    described = (b"tEXt", b"Description\0" + b"a" * 2_000_000)
    return png_of([head, (b"tEXt", b"Title\0Four balls"), described, *others])


def resaved_glb(content: bytes) -> bytes:
    document = pygltflib.GLTF2().load_from_bytes(content)
    assert document
    # As programs have it that know no extras of a document but those of a scene.
    document.scenes[0].extras, document.extras = {"other": 1, **document.extras}, {}
    saved: bytes = b"".join(document.save_to_bytes())
    return saved


def in_spreadsheet(delimiter: str, cut: str) -> Saving:
    def saved(content: bytes) -> bytes:
        rows = [line.split(cut) for line in content.decode().splitlines()]
        width = max(map(len, rows))
        file = io.StringIO()
        csv.writer(file, delimiter=delimiter).writerows(
            row + [""] * (width - len(row)) for row in rows
        )
        return b"\xef\xbb\xbf" + file.getvalue().encode()

    return saved


def formatted_anew(text: bytes) -> bytes:
    return json.dumps(json.loads(text), indent=2, sort_keys=True).encode()


def as_xhtml(page: bytes) -> bytes:
    return re.sub(rb'<meta name=("juggle.*?") (content=".*?")>', rb"<META \2 NAME=\1 />", page)


SAVED: dict[str, tuple[str, Saving]] = {
    "a zTXt behind the pixels": (
        "png",
        text_behind_the_pixels(b"zTXt", b"comment\0\0", packs=True),
    ),
    "an iTXt behind the pixels": (
        "png",
        text_behind_the_pixels(b"iTXt", b"Comment\0\0\0en\0\0", packs=False),
    ),
    "a packed iTXt": ("png", text_behind_the_pixels(b"iTXt", b"Comment\0\1\0\0\0", packs=True)),
    "a PNG with words of others": ("png", behind_words_of_others),
    "extras that have moved": ("glb", resaved_glb),
    "glTF formatted anew": ("gltf", formatted_anew),
    "JSON formatted anew": ("json", formatted_anew),
    "JSON with a mark": ("json", lambda text: b"\xef\xbb\xbf" + text),
    "CSV with a mark": ("csv", lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")),
    "CSV cut at commas": ("csv", in_spreadsheet(",", ",")),
    "CSV cut at commas, with semicolons": ("csv", in_spreadsheet(";", ",")),
    "CSV in one column": ("csv", in_spreadsheet(",", "\0")),
    "a page with capitals": (
        "html",
        lambda page: page.replace(b"<!doctype html>", b"<!DOCTYPE html>\n<!-- saved -->"),
    ),
    "a page as XHTML": ("html", as_xhtml),
}


@pytest.mark.parametrize("how", SAVED)
def test_what_a_file_carries_is_found_after_another_program_has_saved_it(
    small_files: dict[str, list[Path]], tmp_path: Path, how: str
) -> None:
    ending, save = SAVED[how]
    whole, saved = small_files[f".{ending}"][0], tmp_path / f"a.{ending}"
    saved.write_bytes(save(whole.read_bytes()))
    assert saved.read_bytes() != whole.read_bytes()
    assert read_record(read_metadata(saved) or "") == read_record(read_metadata(whole) or "")
    assert ja.animate(str(saved)).settings == ja.animate(str(whole)).settings


def without_record(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix in (".png", ".jpg"):
        file = io.BytesIO()
        with Image.open(path) as read:
            Image.fromarray(np.asarray(read)).save(file, read.format)
        return file.getvalue()
    return (
        content.partition(b"\n")[2]
        if path.suffix == ".csv"
        else content.replace(b"juggle-anim", b"other-words")
    )


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (".png", "picture"), (".jpg", "picture"), (".mp4", "video"), (".html", "web page"),
        (".glb", "3D model"),
        (".gltf", "3D model"), (".usda", "3D model"), (".csv", "table"), (".json", "table"),
    ],
)  # fmt: skip
def test_where_it_is_gone_that_is_said(
    small_files: dict[str, list[Path]], tmp_path: Path, ending: str, kind: str
) -> None:
    bare = tmp_path / f"a{ending}"
    bare.write_bytes(without_record(small_files[ending][0]))
    with pytest.raises(FileError, match=f"is a {kind} with no pattern inside; if"):
        ja.animate(str(bare))


@pytest.mark.parametrize(
    ("kind", "before"),
    [(b"tEXt", b""), (b"zTXt", b"\0"), (b"iTXt", b"\0\0\0\0"), (b"iTXt", b"\1\0\0\0")],
)
def test_a_text_longer_than_what_is_read_is_none_rather_than_cut(
    kind: bytes, before: bytes
) -> None:
    is_packed = before[:1] == b"\1" or kind == b"zTXt"
    for length, expected in ((300, "a" * 300), (301, None)):
        words = b"a" * length
        text = b"Comment\0" + before + (zlib.compress(words) if is_packed else words)
        assert read_png_text(io.BytesIO(png_of([(kind, text), (b"IEND", b"")])), 300) == expected
