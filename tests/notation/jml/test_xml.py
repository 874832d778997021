import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.errors import FileError
from juggle_anim.notation.jml.document import Location, read_number, read_tree, read_whole, unknown

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
