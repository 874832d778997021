import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from juggle_anim.diagrams import Drawing
from juggle_anim.metadata.documents import read_svg_description
from juggle_anim.prints.prints import write_drawing

WORDS = '{"a": "<b> & \\"c\\" (d) \\\\"}'


def test_it_reads_what_another_reader_of_xml_reads(tmp_path: Path) -> None:
    path = write_drawing(Drawing(10.0, 10.0, (), "title"), tmp_path / "a.svg", None, WORDS)
    with path.open("rb") as file:
        assert read_svg_description(file, 10_000) == WORDS
    found = [
        each.text for each in ElementTree.parse(path).iter() if each.tag.endswith("}description")
    ]
    assert found == [WORDS]


def test_it_reads_no_more_than_it_may() -> None:
    text = (
        b'<?xml version="1.0"?><svg>'
        + b" " * 1000
        + b"<dc:description>words</dc:description></svg>"
    )
    assert read_svg_description(io.BytesIO(text), 10_000) == "words"
    assert read_svg_description(io.BytesIO(text), 1_000) is None
    assert read_svg_description(io.BytesIO(text[:-20]), 10_000) is None
