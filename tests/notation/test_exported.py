from pathlib import Path

import numpy as np
import pytest
from program import Program

import juggle_anim as ja
from juggle_anim.errors import FileError
from juggle_anim.exporter.stills import encode_png
from juggle_anim.formats import BY_ENDING, MODELS, PAGES, STILLS, VIDEOS
from juggle_anim.language import speaking
from juggle_anim.metadata.documents import Record
from juggle_anim.notation import open_pattern
from juggle_anim.notation.files import read_exported

DRAWINGS = (".svg", ".pdf")
NOTHING = np.zeros((1, 1, 3), dtype=np.uint8)


def carrying(path: Path, record: Record) -> Path:
    path.write_bytes(encode_png(NOTHING, record.text))
    return path


def test_every_kind_of_file_that_is_exported_may_be_opened() -> None:
    # Drawings are written by another command.
    assert set(BY_ENDING) == {*VIDEOS, *STILLS, *PAGES, *MODELS, ".vtt", *DRAWINGS}


@pytest.mark.parametrize("ending", [ending for ending in BY_ENDING if ending not in DRAWINGS])
def test_an_exported_file_opens_as_the_same_animation(tmp_path: Path, ending: str) -> None:
    animation = ja.animate(
        "pattern=<3p 3|3p 3>;dwell=1.1;colors={red}{0,0,255};title=Bäll\\; \N{SNOWMAN}",
        chicken_wing=70,
        bps=3.3,
    )
    path, *_ = ja.export(animation, tmp_path / f"a{ending}", size=(32, 24), fps=2, seconds=1)
    assert ja.animate(str(path)) == animation


def test_a_bvh_whose_table_is_gone_says_where_the_pattern_was(tmp_path: Path) -> None:
    path, table = ja.export("531", tmp_path / "a.bvh", fps=2, seconds=1)
    table.unlink()
    with pytest.raises(FileError, match=r"a\.bvh is a BVH without the table \(…-props\.csv\)"):
        open_pattern(str(path))


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_events_with_times_and_places_come_back_with_the_parameters(
    program: Program, tmp_path: Path, ending: str
) -> None:
    assert program("convert", "531", "a.jml", "--events").code == 0
    animation = ja.animate("a.jml", chicken_wing=70, gravity=700)
    assert animation.score.placed
    ja.export(animation, f"a{ending}", size=(32, 24), fps=2, seconds=1)
    read = ja.animate(f"a{ending}")
    assert read.parameters == animation.parameters
    times = np.linspace(0.0, animation.duration, 7)
    np.testing.assert_allclose(read.pose(times).joints, animation.pose(times).joints, atol=1e-6)


def test_it_stands_wherever_a_pattern_can(program: Program) -> None:
    size = ("--size", "16x16", "--fps", "5", "-q")
    assert program("export", "531", "a.gif", "--chicken-wing", "70", *size).code == 0
    assert program("convert", "a.gif", "b.txt").code == 0
    assert Path("b.txt").read_text().startswith("pattern=531;chickenwing=70")
    assert program("check", "a.gif").code == 0
    assert program("export", "a.gif", "again.gif", *size).code == 0
    assert Path("again.gif").read_bytes() == Path("a.gif").read_bytes()


def test_a_flag_wins_over_what_the_file_says(tmp_path: Path) -> None:
    (path,) = ja.export(ja.animate("531", chicken_wing=70), tmp_path / "a.png", size=(16, 16))
    assert ja.animate(str(path), chicken_wing=10).parameters.chicken_wing == 10


def test_a_file_that_is_not_there_is_missed_as_a_file(program: Program) -> None:
    ran = program("export", "cascade.mp4", "out")
    assert (ran.code, ran.err) == (1, "cascade.mp4: there is no such file\n")


def test_a_picture_that_carries_nothing_is_no_file_of_patterns(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(encode_png(NOTHING))
    assert read_exported(path) is None
    with pytest.raises(FileError, match="is a picture with no pattern inside"):
        open_pattern(str(path))
    with speaking("de"), pytest.raises(FileError, match="ist ein Bild ohne Muster"):
        open_pattern(str(path))
    path.write_bytes(encode_png(NOTHING, "a holiday"))
    assert read_exported(path) is None


@pytest.mark.parametrize(
    "record",
    [
        Record(),
        Record("pattern=532"),
        Record(jml="<jml"),
        Record(jml="<jml version='3'><patternlist></patternlist></jml>"),
        Record(
            jml="<jml version='3'><patternlist><line "
            "display='a'>pattern=532</line></patternlist></jml>"
        ),
    ],
)
def test_an_animation_that_cannot_be_read_is_one_error_with_the_file(
    tmp_path: Path, record: Record
) -> None:
    with pytest.raises(
        FileError, match=r"a\.png has an animation that cannot be read: .+"
    ) as caught:
        read_exported(carrying(tmp_path / "a.png", record))
    assert "\n" not in str(caught.value)


def test_parameters_that_are_none_are_refused(program: Program, tmp_path: Path) -> None:
    assert program("convert", "3", "a.jml", "--events").code == 0
    jml = Path("a.jml").read_text()
    for parameters in (
        {"chiken": 3},
        {"chicken_wing": "wide"},
        {"chicken_wing": 1e9},
        {"bps": [3]},
    ):
        with pytest.raises(FileError, match="cannot be read"):
            read_exported(carrying(tmp_path / "a.png", Record(jml=jml, parameters=parameters)))
