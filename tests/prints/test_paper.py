import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from foreign_programs import likeness, page, page_words, pdfium_page
from PIL import Image

import juggle_anim as ja
from juggle_anim.diagrams import Drawing, Label, Picture, Pill, Polygon, Stroke, causal, ladder
from juggle_anim.errors import ExportError
from juggle_anim.prints.prints import write_drawing

RED, BLUE, BLACK = (0.8, 0.0, 0.0), (0.0, 0.0, 0.8), (0.0, 0.0, 0.0)
SQUARE = np.array([(10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0)])
HOLE = np.array([(20.0, 20.0), (20.0, 30.0), (30.0, 30.0), (30.0, 20.0)])
PIXELS = np.zeros((20, 20, 3), dtype=np.uint8) + np.array([0, 160, 0], dtype=np.uint8)
MARKS = (
    Polygon((SQUARE, HOLE), RED),
    Stroke(((50.0, 10.0), (50.0, 40.0)), BLUE, 3.0),
    Stroke(((60.0, 10.0), (60.0, 20.0), (60.0, 30.0), (60.0, 40.0)), BLUE, 3.0),
    Pill((75.0, 25.0), 10.0, 30.0, RED, round_ends=False),
    Picture((85.0, 10.0), 10.0, 30.0, PIXELS),
    Label((10.0, 47.0), "Number 531", 6.0, BLACK, "start"),
)
SHEET = Drawing(100.0, 50.0, MARKS, "a sheet")
HOSTILE = '<script>alert("1")</script> & $x_1$ ]]> -- \x00\x1b[31m\ud800 三 é \\frac'


@pytest.mark.parametrize("kind", [".svg", ".pdf", ".png"])
def test_marks_stand_where_they_should_in_every_kind_of_file(tmp_path: Path, kind: str) -> None:
    path = write_drawing(SHEET, tmp_path / f"sheet{kind}", None, "")
    picture = np.asarray(Image.open(path).convert("RGB")) if kind == ".png" else page(path, 200.0)
    scale = 200 / 25.4
    assert picture.shape[1] == pytest.approx(100 * scale, abs=2)
    assert picture.shape[0] == pytest.approx(50 * scale, abs=2)

    def at(x: float, y: float) -> tuple[int, ...]:
        return tuple(picture[round(y * scale), round(x * scale)].tolist())

    red, blue, white = (204, 0, 0), (0, 0, 204), (255, 255, 255)
    found = [at(15, 15), at(25, 25), at(5, 5), at(50, 25), at(60, 25), at(75, 25), at(90, 25)]
    assert (
        np.abs(np.array(found) - np.array([red, white, white, blue, blue, red, (0, 160, 0)])).max()
        <= 3
    )
    assert (
        picture[round(45 * scale) : round(49 * scale), round(10 * scale) : round(40 * scale)].min()
        < 60
    )


def test_diagrams_look_the_same_in_svg_and_pdf(tmp_path: Path) -> None:
    for name, draw, text in (("ladder", ladder, "(6x,4)*"), ("causal", causal, "<3p 3|3p 3>")):
        animation = ja.animate(text)
        drawing = draw(animation.score, animation.choreography).drawing
        svg, pdf = (
            page(write_drawing(drawing, tmp_path / f"{name}{kind}", None, ""))
            for kind in (".svg", ".pdf")
        )
        height, width = (min(a, b) for a, b in zip(svg.shape[:2], pdf.shape[:2], strict=True))
        apart = np.abs(svg[:height, :width].astype(int) - pdf[:height, :width]).mean(axis=2)
        # Letters come from the fonts of the machine in one, and from the file in the other.
        assert (apart > 100).mean() < 0.02
        other = pdfium_page(tmp_path / f"{name}.pdf")
        high, wide = np.minimum(pdf.shape, other.shape)[:2]
        assert likeness(other[:high, :wide], pdf[:high, :wide]) > 20
        assert (svg.min(axis=2) < 200).mean() > 0.01


def test_text_stays_text(tmp_path: Path) -> None:
    svg = write_drawing(SHEET, tmp_path / "a.svg", None, "").read_text()
    assert "Number 531" in [
        element.text
        for element in ElementTree.fromstring(svg).iter()
        if element.tag.endswith("text")
    ]
    assert "Number 531" in page_words(write_drawing(SHEET, tmp_path / "a.pdf", None, ""))


@pytest.mark.parametrize("kind", [".svg", ".pdf"])
def test_any_title_is_only_text(tmp_path: Path, kind: str) -> None:
    animation = ja.animate("3")
    drawing = ladder(replace(animation.score, title=HOSTILE), animation.choreography).drawing
    path = write_drawing(drawing, tmp_path / f"a{kind}", None, "words")
    if kind == ".svg":
        read = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert not [element for element in read.iter() if element.tag.endswith("script")]
        assert any('<script>alert("1")' in (element.text or "") for element in read.iter())
    assert page(path).min() < 100


def test_the_same_drawing_is_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import juggle_anim as ja\n"
        "from juggle_anim.diagrams import ladder; from juggle_anim.prints.prints import "
        "write_drawing\n"
        "a = ja.animate('3'); drawing = ladder(a.score, a.choreography).drawing\n"
        "for kind in ('.svg', '.pdf', '.png'): write_drawing(drawing, Path(sys.argv[1] + kind), "
        "None, 'w')"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=True)
    animation = ja.animate("3")
    drawing = ladder(animation.score, animation.choreography).drawing
    for kind in (".svg", ".pdf", ".png"):
        write_drawing(drawing, tmp_path / f"b{kind}", None, "w")
    for kind in (".svg", ".pdf", ".png"):
        assert (tmp_path / f"a{kind}").read_bytes() == (tmp_path / f"b{kind}").read_bytes()


def test_a_size_is_what_it_fits_into(tmp_path: Path) -> None:
    png = Image.open(write_drawing(SHEET, tmp_path / "a.png", (400, 400), ""))
    assert png.size == (400, 200)
    svg = write_drawing(SHEET, tmp_path / "a.svg", (400, 400), "")
    assert page(svg).shape == (200, 400, 3)
    said = subprocess.run(
        ["pdfinfo", write_drawing(SHEET, tmp_path / "a.pdf", (400, 400), "")], capture_output=True
    )
    assert re.search(rb"Page size: +300 x 150 pts", said.stdout)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("no folder")
    with pytest.raises(ExportError, match="cannot save"):
        write_drawing(SHEET, tmp_path / "folder" / "a.svg", None, "")
    broken = Drawing(10.0, 10.0, (Label((0.0, 0.0), "x", 5.0, (2.0, 0.0, 0.0)),))
    with pytest.raises(ValueError, match="not a valid value for color"):
        write_drawing(broken, tmp_path / "a.svg", None, "")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.long
def test_a_full_disk_is_one_line_and_leaves_no_half_file(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"sheet{kind}") for kind in (".svg", ".pdf", ".png")]
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "from juggle_anim.__main__ import main\n"
        "for path in sys.argv[1:]:\n"
        "    sys.argv[1:] = 'draw', 'ladder', '531', path\n"
        "    try: main()\n"
        "    except SystemExit as ended: print(ended.code)\n"
    )
    told = subprocess.run(
        [sys.executable, "-B", "-c", program, *paths], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["1"] * 3
    lines = told.stderr.strip().splitlines()
    assert len(lines) == 3
    for line, path in zip(lines, paths, strict=True):
        assert line.endswith(f"{path}: cannot save: File too large")
    assert list(tmp_path.iterdir()) == []
