from pathlib import Path

import pytest

from juggle_anim.notation.text_file import FileKind, kind_of_name, kind_of_text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jml", FileKind.JML),
        ("A.JML", FileKind.JML),
        ("a.xml", FileKind.JML),
        ("a.jif", FileKind.JIF),
        ("a.json", FileKind.JIF),
        ("a.txt", FileKind.TEXT),
        ("a", None),
        ("a.md", None),
        (".jml", None),
    ],
)
def test_the_ending_of_a_name_promises_a_kind(name: str, kind: FileKind | None) -> None:
    assert kind_of_name(Path(name)) == kind


def test_what_a_text_shows_beyond_doubt_wins_over_its_name() -> None:
    for name in ["a.jml", "a.txt", "a.json", "a"]:
        for text, kind in [
            ("<?xml version='1.0'?>", FileKind.JML),
            ("\ufeff \n<!DOCTYPE jml>", FileKind.JML),
            ("<!-- words -->", FileKind.JML),
            ("<jml version='3'>", FileKind.JML),
            ("<pattern>", FileKind.JML),
            ('{"jugglers": []}', FileKind.JIF),
            ("{ }", FileKind.JIF),
            ("{\n", FileKind.JIF),
            ('[{"throws": []}]', FileKind.JIF),
        ]:
            assert kind_of_text(text, Path(name)) == kind, (name, text, kind)


@pytest.mark.parametrize("text", ["<3p 3|3p 3>", "<R|L><4xp|3>", "[34]23", "[{12}0]", "{12}0", "531", ""])
def test_a_siteswap_is_not_taken_for_xml_or_json(text: str) -> None:
    assert kind_of_text(text, Path("a")) == FileKind.TEXT
    assert kind_of_text(text, Path("a.txt")) == FileKind.TEXT
    assert kind_of_text(text, Path("a.jml")) == FileKind.JML
