import io
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from juggle_anim.diagrams import Drawing
from juggle_anim.exporter.page.page import page_html
from juggle_anim.metadata.documents import Record, read_html_meta, read_pdf_keywords
from juggle_anim.prints.prints import write_drawing


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_come_back_whatever_is_in_them_and_in_the_title(settings: str, title: str) -> None:
    words = Record(settings).text
    page = page_html(title, words, {"title": title}).encode("utf-8", "replace")
    assert read_html_meta(io.BytesIO(page), len(page)) == words


def test_a_title_cannot_be_taken_for_the_words() -> None:
    title = '"><meta name="juggle-anim" content="other">'
    page = page_html(title, "mine", {"title": title}).encode()
    assert read_html_meta(io.BytesIO(page), len(page)) == "mine"


def test_a_page_of_others_and_one_that_breaks_off_say_nothing() -> None:
    page = page_html("3", "mine", {}).encode()
    assert (
        read_html_meta(io.BytesIO(b'<!doctype html><meta name="author" content="me">'), 1000)
        is None
    )
    assert read_html_meta(io.BytesIO(page[: page.index(b"mine") + 4]), 10_000) is None
    assert read_html_meta(io.BytesIO(page), 50) is None


WORDS = '{"a": "<b> & \\"c\\" (d)) (\\\\"}'


def test_it_reads_what_another_reader_of_pdf_reads(tmp_path: Path) -> None:
    path = write_drawing(Drawing(10.0, 10.0, (), "title"), tmp_path / "a.pdf", None, WORDS)
    with path.open("rb") as file:
        assert read_pdf_keywords(file, 100_000) == WORDS
    said = subprocess.run(["pdfinfo", path], capture_output=True, text=True).stdout
    assert f"Keywords:        {WORDS}\n" in said
    assert "Title:           title\n" in said


@pytest.mark.parametrize(
    "text",
    [b"", b"%PDF-1.4", b"%PDF-1.4 /Keywords (a", b"%PDF-1.4 /Keywords (a\\)", b"/Keywords" * 99],
)
def test_a_broken_one_has_none(text: bytes) -> None:
    assert read_pdf_keywords(io.BytesIO(text), 1_000) is None


def test_it_reads_no_more_than_it_may_from_the_end() -> None:
    text = b"%PDF-1.4 " + b" " * 1000 + b"/Keywords (words)"
    assert read_pdf_keywords(io.BytesIO(text), 100) == "words"
    assert read_pdf_keywords(io.BytesIO(text + b" " * 1000), 100) is None
