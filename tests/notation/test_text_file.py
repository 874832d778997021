import errno
import os
import threading
from pathlib import Path

import pytest

from juggle_anim.errors import FileError
from juggle_anim.notation.files import read_text_file, shown_path
from juggle_anim.notation.formats import (
    JIF,
    JML,
    JOEPASS,
    TEXT,
    PatternFormat,
    format_of_name,
    format_of_text,
)
from juggle_anim.notation.limits import MAX_FILE_SIZE


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jml", JML),
        ("A.JML", JML),
        ("a.xml", JML),
        ("a.jif", JIF),
        ("a.json", JIF),
        ("a.pass", JOEPASS),
        ("a.txt", TEXT),
        ("a", None),
        ("a.md", TEXT),
        ("a.docx", None),
        (".jml", None),
    ],
)
def test_the_ending_of_a_name_promises_a_kind(name: str, kind: PatternFormat | None) -> None:
    assert format_of_name(Path(name)) == kind


def test_what_a_text_shows_beyond_doubt_wins_over_its_name() -> None:
    for name in ["a.jml", "a.txt", "a.json", "a"]:
        for text, kind in [
            ("<?xml version='1.0'?>", JML),
            ("\ufeff \n<!DOCTYPE jml>", JML),
            ("<!-- words -->", JML),
            ("<jml version='3'>", JML),
            ("<pattern>", JML),
            ('{"jugglers": []}', JIF),
            ("{ }", JIF),
            ("{\n", JIF),
            ('[{"throws": []}]', JIF),
        ]:
            assert format_of_text(text, Path(name)) == kind, (name, text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "#sx\n<3p|3p>",
        "! a\n #s x ! b\n3",
        "#D -\n3",
        "#mhn*\n3",
        "#jugglerDelay 2 0.5\n3",
        "#objectCount 3\n3",
    ],
)
def test_commands_that_begin_lines_are_those_of_joepass(text: str) -> None:
    for name in ("a.pass", "a.txt", "a"):
        assert format_of_text(text, Path(name)) == JOEPASS


@pytest.mark.parametrize(
    "text", ["# D - hard ones\n3", "#sexy\n3", "531  # x\n#x", "# object\n3", "#s: x\n3"]
)
def test_words_in_a_list_are_no_commands(text: str) -> None:
    assert format_of_text(text, Path("a.txt")) == TEXT


@pytest.mark.parametrize(
    "text", ["<3p 3|3p 3>", "<R|L><4xp|3>", "[34]23", "[{12}0]", "{12}0", "531", ""]
)
def test_a_siteswap_is_not_taken_for_xml_or_json(text: str) -> None:
    assert format_of_text(text, Path("a")) == TEXT
    assert format_of_text(text, Path("a.txt")) == TEXT
    assert format_of_text(text, Path("a.jml")) == JML


UMLAUT = "<?xml version='1.0' encoding='ISO-8859-1'?><jml>Jürgen</jml>"


def refusal(path: Path) -> str:
    with pytest.raises(FileError) as caught:
        read_text_file(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        "3 # ü".encode(),
        b"\xef\xbb\xbf" + "3 # ü".encode(),
        b"\xff\xfe" + "3 # ü".encode("utf-16-le"),
        b"\xfe\xff" + "3 # ü".encode("utf-16-be"),
        b"\xff\xfe\0\0" + "3 # ü".encode("utf-32-le"),
        "3 # ü".encode("latin-1"),
        "3 # ü".encode() + b"\x1a",
    ],
)
def test_a_text_is_the_same_however_it_is_encoded(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "list.txt").write_bytes(data)
    assert read_text_file(tmp_path / "list.txt") == "3 # ü"


def test_what_is_not_utf_8_is_windows_1252(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"\x93 5 \x96 \x80")
    assert read_text_file(tmp_path / "list.txt") == "“ 5 – €"


@pytest.mark.parametrize("named", ["ISO-8859-1", "latin1", "windows-1252"])
def test_an_xml_declaration_says_how_it_is_encoded(tmp_path: Path, named: str) -> None:
    text = UMLAUT.replace("ISO-8859-1", named)
    (tmp_path / "list.jml").write_bytes(text.encode("latin-1"))
    assert read_text_file(tmp_path / "list.jml") == text


def test_a_declaration_wins_over_bytes_that_look_like_utf_8(tmp_path: Path) -> None:
    (tmp_path / "list.jml").write_bytes(
        "<?xml version='1.0' encoding='koi8-r'?><jml>ж</jml>".encode("koi8-r")
    )
    assert "ж" in read_text_file(tmp_path / "list.jml")


@pytest.mark.parametrize(
    "named", ["utf-8", "nothing-known", "utf-16", "zip", "idna", "unicode_escape", "rot13"]
)
def test_a_declaration_that_is_wrong_or_no_encoding_is_passed_over(
    tmp_path: Path, named: str
) -> None:
    text = UMLAUT.replace("ISO-8859-1", named)
    (tmp_path / "list.jml").write_bytes(text.encode("latin-1"))
    assert read_text_file(tmp_path / "list.jml") == text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\x89PNG\r\n\x1a\n", "is a picture"),
        (b"\xff\xd8\xff\xe0", "is a picture"),
        (b"\0\0\0\x20ftypisom", "is a video"),
        (b"\x1aE\xdf\xa3", "is a video"),
        (b"RIFF\x24\0\0\0WAVE", "is a sound"),
        (b"PK\x03\x04", "is a packed file"),
        (b"\x1f\x8b\x08", "is a packed file"),
        (b"%PDF-1.7", "is a PDF document"),
        (b"\x7fELF\x02", "is a program"),
        (b"531\0", "has no text"),
        (b"\x01\x02\x03", "has no text"),
        (b"\xff\xfe\0", "has no text"),
        (b"\x81\x8d", "has no text"),
        ("531".encode("utf-16-le"), "has no text"),
    ],
)
def test_a_file_without_text_is_told_for_what_it_is(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "list.jml"
    path.write_bytes(data)
    assert refusal(path).startswith(f"{path} {said}")


def test_a_missing_file_names_the_nearest_beside_it(tmp_path: Path) -> None:
    (tmp_path / "Tricks.jml").write_text("3")
    assert refusal(tmp_path / "trick.jml").endswith(
        f": there is no such file; did you mean {tmp_path}/Tricks.jml?"
    )
    assert refusal(tmp_path / "qqqqqqqqq").endswith(": there is no such file")
    assert refusal(tmp_path / "no" / "where").endswith(f": there is no folder {tmp_path}/no")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path).endswith(" is a folder; name a file in it")


def test_a_pipe_and_a_device_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    said: list[str] = []
    reader = threading.Thread(
        target=lambda: said.append(refusal(tmp_path / "pipe.txt")), daemon=True
    )
    reader.start()
    reader.join(timeout=60)
    assert said == [f"{tmp_path}/pipe.txt is not a regular file"]
    assert refusal(Path("/dev/zero")) == "/dev/zero is not a regular file"
    assert refusal(Path("/dev/null")) == "/dev/null is not a regular file"


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    assert refusal(path) == f"{path} is larger than the limit of 10 MB"
    path.write_bytes(b"3" * MAX_FILE_SIZE)
    assert len(read_text_file(path)) == MAX_FILE_SIZE


def test_a_file_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("juggle_anim.notation.files.os.open", refuse)
    assert (
        refusal(tmp_path / "list.txt")
        == f"{tmp_path}/list.txt: cannot read this file: Permission denied"
    )


@pytest.mark.parametrize(
    "name", ["a\0b", "\udcff.jml", "\ud800", "a" * 5000, "/dev/null/x", "\x1b[31m.jml"]
)
def test_a_name_that_no_file_has_is_one_line(name: str) -> None:
    said = refusal(Path(name))
    assert said.isprintable()
    assert len(said) < 500


def test_a_loop_of_links_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to(tmp_path / "a.txt")
    assert ": cannot read this file: " in refusal(tmp_path / "a.txt")


def test_a_shown_name_holds_nothing_that_steers_a_terminal() -> None:
    assert shown_path(Path("a\x1b[31m\n\udcffb")) == "a [31m  b"
