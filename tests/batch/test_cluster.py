"""A batch on a real Dask cluster: a scheduler and two workers, each a process of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest
from draft_writers import contents, stop_writer
from program import Program

from juggle_anim.batch import State, batch_items, plan, run
from juggle_anim.batch.plan import run_task
from juggle_anim.exporter.options import ExportOptions

PATTERNS = ("531", "441", "3", "51")
OPTIONS = ExportOptions(size=(64, 48), fps=10.0, loops=5)


@contextlib.contextmanager
def dask(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "dask", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, str]]:
    """The address of a scheduler, and the file by which workers find it."""
    file = folder / "scheduler.json"
    with dask(
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ):
        deadline = time.monotonic() + 300
        while not file.exists() or not file.read_text().endswith("}"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        yield address, str(file)


@contextlib.contextmanager
def worker(file: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    # Without a nanny, one that is killed stays away.
    words = ("--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with dask("worker", *words, "--local-directory", str(folder)) as process:
        yield process


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster; one of its two workers may have been killed by a test."""
    folder = tmp_path_factory.mktemp("dask")
    with scheduler(folder) as (address, file), worker(file, folder), worker(file, folder):
        wait_for_both(address)
        yield address


def wait_for_both(address: str) -> None:
    from distributed import Client

    with Client(address, timeout=300) as client:
        client.wait_for_workers(2, timeout=300)


@pytest.mark.long
def test_a_worker_that_is_killed_midway_loses_nothing_and_nothing_is_done_twice(
    tmp_path: Path, cluster: str
) -> None:
    out, alone = tmp_path / "out", tmp_path / "alone"
    out.mkdir()
    # The killer waits from the beginning, since outcomes may come late, when everything is done.
    with ThreadPoolExecutor(1) as killer:
        killed = killer.submit(kill_a_writer, out)
        outcomes = list(
            run(
                plan(batch_items(PATTERNS), out, "gif", overrides={}, options=OPTIONS),
                scheduler=cluster,
            )
        )
        before = killed.result()
    assert sorted(outcome.number for outcome in outcomes) == list(range(len(PATTERNS)))
    assert {outcome.state for outcome in outcomes} <= {State.WRITTEN, State.KEPT}
    assert len(before) >= 2
    assert {path: path.stat().st_mtime_ns for path in before} == before
    for task in plan(batch_items(PATTERNS), alone, "gif", overrides={}, options=OPTIONS).tasks:
        run_task(task)
    assert contents(out) == contents(alone)


def kill_a_writer(folder: Path) -> dict[Path, int]:
    """Kill a process that is in the midst of writing; which files are whole then, and from when."""
    thread = stop_writer(folder, whole=2)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("[!.]*")}
    os.kill(thread, signal.SIGKILL)
    return before


@pytest.mark.long
def test_a_cluster_makes_the_files_that_the_pool_makes_and_tells_what_fails(
    program: Program, cluster: str
) -> None:
    Path("tricks.txt").write_text("531\n532\n441\n")
    words = ("batch", "tricks.txt", "out", "--size", "32x24", "--fps", "10", "--scheduler", cluster)
    ran = program(*words)
    assert ran.code == 1
    assert ran.out.startswith("out: 2 written, 1 failed")
    assert program.written() == ["441.gif", "531.gif"]
    assert program(*words, "--resume").out.startswith("out: 0 written, 2 kept, 1 failed")
    ran = program(
        "batch", "531", "other", "--format", "mp4", "--size", "33x33", "--scheduler", cluster
    )
    assert (ran.code, ran.err) == (
        2,
        "33x33: width and height of a video must be even, such as 34x34\n",
    )


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "no address"])
def test_where_no_scheduler_answers_that_is_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(import_module("juggle_anim.batch.run"), "CONNECT_SECONDS", 0.5)
    ran = program("batch", "531", "out", "--scheduler", address)
    assert ran.code == 1
    assert ran.err.startswith(f"{address}: no Dask scheduler responds: ")
    assert ran.err.count("\n") == 1


def test_a_scheduler_without_workers_is_told(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    how = {
        "host": "127.0.0.1",
        "protocol": "tcp",
        "processes": False,
        "dashboard_address": "127.0.0.1:0",
    }
    with LocalCluster(n_workers=0, **how) as cluster:
        monkeypatch.setattr(import_module("juggle_anim.batch.run"), "CONNECT_SECONDS", 2)
        ran = program("batch", "531", "out", "--scheduler", cluster.scheduler_address)
    assert (ran.code, ran.err) == (
        1,
        f"{cluster.scheduler_address}: this Dask scheduler has no workers\n",
    )


def test_without_dask_it_is_told_how_to_install_it(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = program("batch", "531", "out", "--scheduler", "tcp://127.0.0.1:9")
    assert (ran.code, ran.err) == (
        2,
        'Batches on a cluster need the library distributed: pip install "juggle-anim[cluster]"\n',
    )
