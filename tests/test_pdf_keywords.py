import io
import subprocess
from pathlib import Path

import pytest

from juggle_anim.diagrams import Drawing
from juggle_anim.metadata.documents import read_pdf_keywords
from juggle_anim.prints.paper import write_drawing

WORDS = '{"a": "<b> & \\"c\\" (d)) (\\\\"}'


def test_it_reads_what_another_reader_of_pdf_reads(tmp_path: Path) -> None:
    path = write_drawing(Drawing(10.0, 10.0, (), "title"), tmp_path / "a.pdf", None, WORDS)
    with path.open("rb") as file:
        assert read_pdf_keywords(file, 100_000) == WORDS
    said = subprocess.run(["pdfinfo", path], capture_output=True, text=True).stdout
    assert f"Keywords:        {WORDS}\n" in said
    assert "Title:           title\n" in said


@pytest.mark.parametrize(
    "text", [b"", b"%PDF-1.4", b"%PDF-1.4 /Keywords (a", b"%PDF-1.4 /Keywords (a\\)", b"/Keywords" * 99]
)
def test_a_broken_one_has_none(text: bytes) -> None:
    assert read_pdf_keywords(io.BytesIO(text), 1_000) is None


def test_it_reads_no_more_than_it_may_from_the_end() -> None:
    text = b"%PDF-1.4 " + b" " * 1000 + b"/Keywords (words)"
    assert read_pdf_keywords(io.BytesIO(text), 100) == "words"
    assert read_pdf_keywords(io.BytesIO(text + b" " * 1000), 100) is None
