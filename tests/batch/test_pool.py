import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from deadly import Deadly
from long_cases import sampled

from juggle_anim.batch.plan import State, Task
from juggle_anim.batch.run import TERMINATED, WorkerPool, run_in_pool
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation.settings.settings import read_settings

OPTIONS = ExportOptions(size=(32, 24), fps=10.0, loops=1)


def task(folder: Path, number: int, given: Mapping[str, Any] | None = None) -> Task:
    return Task(
        number,
        read_settings("531"),
        {} if given is None else given,
        folder / f"{number}.gif",
        OPTIONS,
    )


@pytest.fixture(autouse=True)
def nobody_stays() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def deadly(folder: Path, deaths: int) -> Deadly:
    folder.mkdir()
    return Deadly(folder, deaths)


def test_a_task_whose_process_dies_is_done_by_another_and_one_that_costs_two_is_given_up(
    tmp_path: Path,
) -> None:
    out, once, always = tmp_path / "out", tmp_path / "once", tmp_path / "always"
    strange: Any = object()
    tasks = [
        task(out, 0, deadly(once, 1)),
        task(out, 1, deadly(always, 9)),
        Task(2, strange, {}, out / "2.gif", OPTIONS),
        *(task(out, number) for number in (3, 4)),
    ]
    ended = list(run_in_pool(tasks, 1))
    outcomes = {outcome.number: outcome for outcome in ended}
    assert sorted(outcome.number for outcome in ended) == list(range(5))
    assert [number for number in range(5) if outcomes[number].state is State.WRITTEN] == [0, 3, 4]
    assert [number for number in range(5) if outcomes[number].state is State.FAILED] == [1, 2]
    assert (
        outcomes[1].reason
        == "the process writing it was killed by SIGKILL, and so did a second one"
    )
    assert outcomes[2].reason.startswith("AttributeError: ")
    assert [len(list(deaths.iterdir())) for deaths in (once, always)] == [1, 2]
    assert sorted(path.name for path in out.iterdir()) == ["0.gif", "3.gif", "4.gif"]


def test_whoever_stops_listening_ends_all_work(tmp_path: Path) -> None:
    outcomes = run_in_pool([task(tmp_path, number) for number in range(50)], 2)
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    found = sorted(path.name for path in tmp_path.iterdir())
    assert 1 <= len(found) < 20
    assert not any(name.startswith(".") for name in found)


def test_no_task_needs_no_process() -> None:
    assert list(run_in_pool([], 2)) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is no asking")
def test_no_worker_hears_of_ctrl_c_which_is_meant_for_the_batch() -> None:
    # In a program of its own, since the first process that is begun takes more with it than later
    # ones.
    code = """
import signal
from pathlib import Path
from juggle_anim.batch.run import WorkerPool
if __name__ == "__main__":
    with WorkerPool(2) as pool:
        pool.fill()
        for worker in pool.workers:
            status = Path(f"/proc/{worker.process.pid}/status").read_text()
            blocked = int(status.split("SigBlk:")[1].split()[0], 16)
            print(bool(blocked >> signal.SIGINT - 1 & 1))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals of POSIX")
@pytest.mark.parametrize("name", sampled(["SIGINT", "SIGTERM", "SIGHUP"], "SIGTERM"))
def test_a_signal_while_workers_start_ends_all_without_a_traceback(name: str) -> None:
    # It comes when the first process has been started, but has not been told what to do.
    code = f"""
import os, signal
from multiprocessing import popen_spawn_posix, resource_tracker
from juggle_anim.batch.run import WorkerPool
from juggle_anim.cli.command import exit_codes
start = popen_spawn_posix.util.spawnv_passfds
def start_and_stop(*words):
    process = start(*words)
    os.kill(os.getpid(), signal.{name})
    return process
if __name__ == "__main__":
    resource_tracker.ensure_running()
    popen_spawn_posix.util.spawnv_passfds = start_and_stop
    with exit_codes(), WorkerPool(2) as pool:
        pool.fill()
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130 if name == "SIGINT" else 143, "", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals of POSIX")
@pytest.mark.parametrize("name", sampled(["SIGTERM", "SIGHUP"], "SIGTERM"))
def test_a_worker_that_is_ready_hears_of_other_signals(name: str) -> None:
    with WorkerPool(1) as pool:
        pool.fill()
        (worker,) = pool.wait()
        assert worker.receive() is None
        assert worker.process.pid
        os.kill(worker.process.pid, getattr(signal, name))
        worker.process.join(60)
        assert worker.process.exitcode == TERMINATED
