import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import FileError
from juggle_anim.notation.jml.document import Location, read_number, read_tree, read_whole, unknown
from juggle_anim.notation.limits import MAX_JML_CHARACTERS, MAX_XML_DEPTH, MAX_XML_ELEMENTS

SPOT = Location("f", 7)


@given(st.floats(-1e7, 1e7))
def test_a_number_is_read_as_it_is_written(value: float) -> None:
    assert read_number(SPOT, "x", f" {value!r} ") == value


@pytest.mark.parametrize(
    "text",
    ["", "nan", "inf", "-Infinity", "1_0", "0x1", "1,5", "--1", "1e", "1e99999", "1e308", "٣"],
)
def test_what_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(FileError, match=r"^f:7: x is "):
        read_number(SPOT, "x", text)


@pytest.mark.parametrize("text", ["", "0", "4", "-1", "1.5", "1e0", "²", "9" * 1000])
def test_what_is_no_whole_number_in_range_is_refused(text: str) -> None:
    with pytest.raises(FileError, match="a whole number from 1 to 3"):
        read_whole(SPOT, "path", text, 1, 3)


def test_an_unknown_word_names_the_nearest() -> None:
    assert (
        str(unknown(SPOT, "no bal", "bal", ["ball", "ring"])) == "f:7: no bal; did you mean ball?"
    )
    assert str(unknown(SPOT, "no x", "x", ["ball", "ring"])) == "f:7: no x; there is ball, ring"


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE jml [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><jml>&i;</jml>"
)


def test_elements_know_their_lines_texts_and_children() -> None:
    tree = read_tree('<jml>\n<Line Display="a">one\n<info/>two</Line>\n</jml>', "f")
    (line,) = tree.children
    assert (line.tag, line.attributes, line.text, line.location.line) == (
        "line",
        {"display": "a"},
        "one\ntwo",
        2,
    )
    assert line.children[0].location.line == 3


def test_the_document_type_of_juggling_lab_is_accepted() -> None:
    head = (
        '\ufeff<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE jml SYSTEM '
        '"file://jml.dtd">\n'
    )
    assert read_tree(head + "<jml>é</jml>", "f").text == "é"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "this is not JML; a JML file is XML"),
        ("531\n423", 1, "this is not JML"),
        ('<?xml version="1.0"?>', 1, "this is not JML"),
        ('{"jugglers": []}', 1, "this is not JML"),
        ("<!DOCTYPE html>\n<html><br></html>", 2, "this is not JML: it begins with <html>"),
        ("<jml>\n<pattern>\n", 3, "the file ends within <pattern>"),
        ("<jml>\n<pattern><setup paths=", 2, "the file ends within <pattern>"),
        ("<jml>\n</pattern>", 2, "this is not XML: mismatched tag"),
        ("<jml>\n3 & 4</jml>", 2, "this is not XML: not well-formed"),
        ("<jml/><jml/>", 1, "this is not XML: junk after document element"),
        ("<jml>\0</jml>", 1, "this is not XML"),
        ("<jml>\ud800</jml>", 1, "the file has characters that XML does not allow"),
        (LAUGHS, 1, "the file defines its own entities"),
        (
            '<!DOCTYPE jml [<!ENTITY a SYSTEM "file:///etc/passwd">]><jml>&a;</jml>',
            1,
            "the file defines its own entities",
        ),
        (
            '<!DOCTYPE jml [<!ENTITY % a SYSTEM "http://a/b"> %a;]><jml/>',
            1,
            "the file defines its own entities",
        ),
        (
            '<!DOCTYPE jml SYSTEM "file://jml.dtd"><jml>&b;</jml>',
            1,
            "this is not XML: undefined entity",
        ),
        ("<jml>" * 100, 1, f"elements are nested more than {MAX_XML_DEPTH} deep"),
        (
            "<jml>" + "<a/>" * (MAX_XML_ELEMENTS + 1),
            1,
            f"the file has more than {MAX_XML_ELEMENTS} elements",
        ),
        (" " * (MAX_JML_CHARACTERS + 1), 1, f"the file has {MAX_JML_CHARACTERS + 1} characters"),
    ],
)
def test_what_is_no_jml_is_refused_in_one_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_tree(text, "a.jml")
    assert str(caught.value).startswith(f"a.jml:{line}: {reason}")
    assert "; " in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
