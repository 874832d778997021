import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from draft_writers import contents, stop_writer, wait_for_writer
from long_cases import sampled
from program import Program

from juggle_anim.batch import State, batch_items, cost, plan
from juggle_anim.batch.plan import run_task
from juggle_anim.exporter.options import ExportOptions

ALONE = ("--size", "32x24", "--fps", "10", "--loops", "1")
SMALL = (*ALONE, "--workers", "1")
TRICKS = "531\n532  # no pattern\n(6x,4)*\n531\npattern=441;title=Box & <co>\n"

WORDS = (
    '<?xml version="1.0"?><jml version="3"><patternlist><line '
    'display="words"></line></patternlist></jml>'
)


@pytest.fixture
def tricks(tmp_path: Path) -> str:
    (tmp_path / "tricks.txt").write_text(TRICKS)
    return "tricks.txt"


def begun(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """A batch in a process and a session of its own."""
    command = [sys.executable, "-m", "juggle_anim", "batch", *words]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, text=True, start_new_session=True, **streams)  # type: ignore[call-overload, no-any-return]


def test_each_pattern_has_its_file_that_is_kept_when_resumed_and_a_bad_one_stops_nothing(
    program: Program, tricks: str
) -> None:
    ran = program("batch", tricks, "out", *SMALL)
    assert ran.code == 1
    assert program.written() == ["531.gif", "531_2.gif", "6x,4.gif", "Box_co.gif"]
    assert ran.out.startswith("out: 4 written, 1 failed, in ")
    assert "tricks.txt#2" in ran.out
    assert "average 3⅓" in ran.out
    assert ran.err.splitlines()[-1].startswith("5/5 patterns")
    whole = contents(Path("out"))
    Path("out/531.gif").unlink()
    Path("out/6x,4.gif").write_bytes(whole["Box_co.gif"])
    Path("out/.Box_co.4194999.part.gif").write_bytes(b"half")
    before = Path("out/531_2.gif").stat().st_mtime_ns
    ran = program("batch", tricks, "out", *SMALL)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "add --resume" in ran.err
    told = json.loads(program("batch", tricks, "out", "--resume", "--json", *SMALL).out)
    assert Path("out/531_2.gif").stat().st_mtime_ns == before
    # JSON tells all of each pattern.
    assert (told["written"], told["kept"], told["failed"]) == (1, 2, 2)
    first, second, third, *_ = told["patterns"]
    assert (first["pattern"], first["state"]) == ("tricks.txt#1", "written")
    assert first["files"] == [str(program.folder / "out" / "531.gif")]
    assert "average" in second["error"]
    # A file from another export is told, and stays until forced.
    assert "from another export" in third["error"]
    found = contents(Path("out"))
    assert [name for name in whole if found[name] != whole[name]] == ["6x,4.gif"]
    assert found["6x,4.gif"] == whole["Box_co.gif"]
    assert program("batch", f"{tricks}#3", "out", "--force", *SMALL).code == 0
    forced = contents(Path("out"))
    assert {name: forced[name] for name in whole} == whole


def test_a_file_is_the_one_that_export_writes(program: Program, tricks: str) -> None:
    program("convert", "441", "events.jml", "--events")
    program(
        "batch",
        f"{tricks}#3",
        "531",
        "events.jml",
        "out",
        "--chicken-wing",
        "40",
        "--camera",
        "left",
        *SMALL,
    )
    assert program.written() == ["441.gif", "531.gif", "6x,4.gif"]
    for pattern, name in (("531", "531.gif"), ("(6x,4)*", "6x,4.gif"), ("events.jml", "441.gif")):
        program("export", pattern, name, "--chicken-wing", "40", "--camera", "left", *ALONE)
        assert Path(name).read_bytes() == Path("out", name).read_bytes()


@pytest.mark.parametrize(
    ("kind", "files"),
    sampled(
        [
            ("frames", ["3/frame_00000.png", "3/frame_00001.png"]),
            ("bvh", ["3-props.csv", "3.bvh"]),
        ],
        ("bvh", ["3-props.csv", "3.bvh"]),
        arguments=2,
    ),
)
def test_each_pattern_may_have_several_files(program: Program, kind: str, files: list[str]) -> None:
    words = (
        "--format",
        kind,
        "--size",
        "32x24",
        "--fps",
        "10",
        "--seconds",
        "0.2",
        "--workers",
        "1",
    )
    ran = program("batch", "3", "out", *words, "--json")
    assert sorted(contents(Path("out"))) == files
    assert ran.code == 0
    assert json.loads(ran.out)["written"] == 1


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("a#.jpg", "3/a#.jpg"),
        (".PNG", "3.png"),
        ("mp4", "3.mp4"),
        ("html", "3.html"),
        ("glb", "3.glb"),
    ],
)
def test_the_format_is_any_that_export_knows(tmp_path: Path, kind: str, name: str) -> None:
    (task,) = plan(
        batch_items(["3"]),
        tmp_path / "out",
        kind,
        overrides={},
        options=ExportOptions(size=(32, 24)),
    ).tasks
    assert task.path == tmp_path / "out" / name


def test_the_library_is_a_list_of_all_its_patterns() -> None:
    asked = batch_items(["library"])
    assert len(asked) > 400
    assert all(each.settings for each in asked)
    assert "Mills mess" in {each.name.capitalize() for each in asked}


def test_a_dry_run_tells_size_and_time_and_writes_nothing(program: Program, tricks: str) -> None:
    ran = program("batch", tricks, "out", "--dry-run", *SMALL)
    assert ran.code == 0
    assert ran.out.startswith("4 patterns, 1 that cannot be read; about ")
    assert ran.out.endswith(" to write with 1 worker\n")
    assert not Path("out").exists()


def test_the_cost_grows_with_the_number_of_patterns(tmp_path: Path) -> None:
    options = ExportOptions(size=(32, 24), fps=10.0, loops=1)

    def size(count: int) -> float:
        return cost(
            plan(
                batch_items(["531"] * count), tmp_path / "out", "gif", overrides={}, options=options
            )
        ).size

    assert size(3) == pytest.approx(3 * size(1))


@pytest.mark.parametrize("kind", sampled(["gif", "webp"], "gif"))
@pytest.mark.long
def test_the_cost_is_near_what_the_batch_comes_to(tmp_path: Path, kind: str) -> None:
    texts = ["3"] * 2 + ["97531"] * 2 + ["<3p 3|3p 3>"]
    options = ExportOptions(size=(64, 48), fps=15.0)
    planned = plan(batch_items(texts), tmp_path / "out", kind, overrides={}, options=options)
    expected = cost(planned).size
    assert {run_task(task).state for task in planned.tasks} == {State.WRITTEN}
    assert expected == pytest.approx(
        sum(path.stat().st_size for path in tmp_path.rglob("*.*")), rel=0.25
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("3 out --format doc", "cannot save .doc files"),
        ("3 out --format ../a.gif", "--format is '../a.gif'"),
        ("3 out --workers 0", "--workers is 0"),
        ("3 out --workers 2 --scheduler tcp://127.0.0.1:9", "a cluster has its own workers"),
        ("3 out --force --resume", "use either --force"),
        ("3 out --sound", "GIF has no sound"),
        ("3 out --format mp4 --size 33x33", "must be even"),
        ("3 out --chicken-wing 1000", "1000"),
        ("3 file", "is a file"),
        ("543 out", "two props would land in the same hand at once"),
        ("none.jml out", "none.jml"),
        ("empty.txt out", "empty.txt is empty"),
        ("words.jml out", "words.jml has no patterns"),
    ],
)
def test_what_cannot_be_for_any_pattern_is_one_clear_error(
    program: Program, words: str, said: str
) -> None:
    Path("file").touch()
    Path("empty.txt").touch()
    Path("words.jml").write_text(WORDS)
    ran = program("batch", *words.split())
    assert ran.code in (1, 2)
    assert said in ran.err
    assert not Path("out").exists()


@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    with begun(
        tmp_path, "531", "51", "out", "--loops", "5", "--size", "64x48", "--workers", "1"
    ) as running:
        os.kill(stop_writer(tmp_path / "out", whole=0), signal.SIGKILL)
        out, err = running.communicate()
    assert running.returncode == 0, err
    assert out.startswith("out: 2 written, in ")
    assert sorted(contents(tmp_path / "out")) == ["51.gif", "531.gif"]


def test_ctrl_c_stops_at_once_and_keeps_what_is_whole(tmp_path: Path) -> None:
    # The first is done soon, the other takes its time.
    words = ("4", "(531^20)", "out", "--loops", "1", "--size", "400x300", "--workers", "1")
    with begun(tmp_path, *words) as running:
        wait_for_writer(tmp_path / "out", "531")
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=300)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert "--resume goes on from here" in err
    assert list(contents(tmp_path / "out")) == ["4.gif"]


def test_workers_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    with begun(
        tmp_path, "531", "441", "out", "--loops", "500", "--size", "200x150", "--workers", "2"
    ) as running:
        wait_for_writer(tmp_path / "out")
        running.kill()
    deadline = time.monotonic() + 300
    while contents(tmp_path / "out") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert contents(tmp_path / "out") == {}
