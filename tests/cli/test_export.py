import re
from pathlib import Path

import pytest
from long_cases import sampled
from PIL import Image
from program import Program

import juggle_anim as ja
from juggle_anim.errors import ParameterError

SMALL = ("--size", "32x24", "--fps", "10", "--bps", "2")
"""One loop of 3 is then 1 second, and so 10 frames."""


def test_a_file_for_each_kind_is_written_by_its_ending(program: Program) -> None:
    for name in ("a.mov", "a.gif", "a.webp", "a.jpg"):
        ran = program("export", "3", f"out/{name}", *SMALL)
        assert (ran.code, ran.out) == (0, f"out/{name}\n")
    assert len(program.written()) == 4


@pytest.mark.parametrize(
    ("flag", "name", "size"),
    [
        ("--preset", "square", (1080, 1080)),
        ("--preset", "story", (1080, 1920)),
        ("--size", "1080p", (1920, 1080)),
    ],
)
def test_sizes_have_names(program: Program, flag: str, name: str, size: tuple[int, int]) -> None:
    assert program("export", "3", "a.png", flag, name, "-q").code == 0
    with Image.open("a.png") as read:
        assert read.size == size
    assert "or square, story, 1080p, 4k" in program("export", "3", "b.png", flag, "tall").err


def test_several_cameras_are_one_export(program: Program) -> None:
    ran = program("export", "3", "out/a.gif", "--camera", "front", "--camera", "left", *SMALL)
    assert (ran.code, ran.out) == (0, "out/a-front.gif\nout/a-left.gif\n")
    last = ran.err.splitlines()[-1].split()[0]
    frames = 0
    for name in program.written():
        with Image.open(f"out/{name}") as read:
            frames += read.n_frames  # type: ignore[attr-defined]
    assert last == f"{frames}/{frames}"
    ran = program("export", "3", "out/frames", "--camera", "front", "--camera", "left", *SMALL)
    assert ran.out.splitlines() == ["out/frames/front: 10 frames", "out/frames/left: 10 frames"]


def test_names_follow_a_template(program: Program) -> None:
    ran = program("export", "3", "out/a_##.jpg", "--first", "8", *SMALL)
    assert (ran.code, ran.out) == (0, "out: 10 frames\n")
    assert program.written() == [f"a_{number:02}.jpg" for number in range(8, 18)]


def test_a_span_of_time_and_all_loops(program: Program) -> None:
    assert (
        program("export", "51", "a", "--seconds", "0.5", "--start", "1", *SMALL).out
        == "a: 5 frames\n"
    )
    one = ja.export(ja.animate("51", bps=2), "one", size=(32, 24), fps=10)
    assert (
        program("export", "51", "b", "--loops", "all", *SMALL).out == f"b: {len(one) * 3} frames\n"
    )


def test_a_dry_run_writes_nothing_and_tells_frames_size_and_time(program: Program) -> None:
    ran = program("export", "3", "out/a.gif", "--dry-run", *SMALL)
    assert ran.code == 0
    assert re.match(r"out/a\.gif: 30 frames, 3\.00 s; about \d+ kB, about \d+ s to write", ran.out)
    assert list(program.folder.iterdir()) == []


def test_a_dry_run_of_a_page_tells_its_loop_and_of_a_still_no_time(program: Program) -> None:
    assert program("export", "3", "a.html", "--dry-run", "--bps", "2").out.startswith(
        "a.html: 1 page, 1.00 s; about 1"
    )
    assert program("export", "3", "a.png", "--dry-run", *SMALL).out.startswith(
        "a.png: 1 picture; about "
    )


@pytest.mark.parametrize(
    "words",
    sampled(
        [
            "export 3 NAME.png --size 32x24",
            "export 3 NAME.xyz",
            "export 3 NAME --size 32x24 --fps 3",
            "export 3 NAME.mp4 --dry-run --size 32x24",
            "export NAME.jml a.png",
            "draw lines 3 NAME.svg",
            "check NAME",
            "analyse NAME",
            "list NAME",
            "convert NAME.jml a.jml",
            "batch NAME.txt out",
            "edit 3 NAME",
            "transition NAME 3",
            "generate NAME",
            "NAME",
            "--NAME",
        ],
        *(
            "export 3 NAME.png --size 32x24",
            "check NAME",
            "convert NAME.jml a.jml",
            "NAME",
            "--NAME",
        ),
    ),
)
def test_no_character_of_a_name_controls_the_terminal(program: Program, words: str) -> None:
    ran = program(*words.replace("NAME", "a\x1b[31m\x07\x9bb").split())
    assert not set(ran.out + ran.err) & {"\x1b", "\x07", "\x9b"}, ran


def test_resuming_completes_what_is_missing(program: Program) -> None:
    words = ("export", "3", "out", *SMALL)
    assert program(*words).code == 0
    before = {name: Path("out", name).read_bytes() for name in program.written()}
    Path("out/frame_00004.png").unlink()
    ran = program(*words, "--resume")
    assert (ran.code, ran.out, ran.err) == (0, "out: 10 frames\n", "1/1 frames\n")
    assert {name: Path("out", name).read_bytes() for name in program.written()} == before
    ran = program(*words, "--resume", "--quality", "best", "--chicken-wing", "10")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "is from another export" in ran.err


def test_a_video_that_is_there_whole_is_kept_when_resumed(program: Program) -> None:
    words = ("export", "3", "a.mp4", *SMALL)
    assert program(*words, "--resume").code == 0
    before = Path("a.mp4").stat().st_mtime_ns
    assert program(*words, "--resume") == (0, "a.mp4\n", "")
    assert Path("a.mp4").stat().st_mtime_ns == before
    assert program(*words, "--resume", "--dwell", "1").code == 1


def test_force_and_resume_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="use either force=True"):
        ja.export("3", tmp_path / "a", force=True, resume=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("out --loops many", "--loops is 'many'"),
        ("out --camera sideways", "--camera is 'sideways'"),
        ("out --quality god", "did you mean good"),
        ("out.mp4 --transparent", "MP4 cannot be transparent"),
        ("out.jpg --transparent", ".jpg pictures cannot be transparent"),
        ("out.gif --sound", "GIF has no sound"),
        ("out --sound", "out: pictures have no sound; use .mp4, .webm, .mov"),
        ("out --blur 0", "blur is 0"),
        ("out.mp4 --format y4m", "--format is for raw frames (OUT is -)"),
        ("out.png --max-size 2MB", "--max-size works only for a video in a single file"),
        ("out --first -1", "-1"),
        ("out --seconds -1", "--seconds is -1, but"),
        ("a_##_##.png", "2 places"),
        ("out.gif --size 70000x16", "--size is 70000x16, but the limit is 100 million pixels"),
        (
            "out.png --size 30000x30000",
            "--size is 30000x30000, but the limit is 100 million pixels",
        ),
        (
            "out.mp4 --size 1920x1080 --supersampling 8",
            "1920x1080 at supersampling 8, but the limit is 100 million pixels",
        ),
    ],
)
def test_what_cannot_be_is_one_line(program: Program, words: str, said: str) -> None:
    ran = program("export", "3", *words.split())
    assert ran.code == 2
    assert said in ran.err
    assert list(program.folder.iterdir()) == []


def test_a_path_that_ends_in_a_slash_is_a_folder(program: Program) -> None:
    assert program("export", "3", "v1.5/", *SMALL, "-q").code == 0
    assert sorted(Path("v1.5").iterdir())[0].name == "frame_00000.png"
    ja.export("3", "v1.6/", size=(32, 24), fps=10)
    assert len(list(Path("v1.6").iterdir())) > 1


def test_what_a_web_page_cannot_do_is_said(program: Program) -> None:
    ran = program("export", "3", "a.html", *SMALL, "--blur", "4")
    assert (ran.code, Path("a.html").exists()) == (2, False)
    assert "web pages have no supersampling or blur; leave them out" in ran.err
