import multiprocessing
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from deadly import Deadly

from juggle_anim.batch.pool import run_in_pool
from juggle_anim.batch.task import State, Task
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.notation.settings.settings import read_settings

OPTIONS = ExportOptions(size=(32, 24), fps=10.0, loops=1)


def task(folder: Path, number: int, given: Mapping[str, Any] | None = None) -> Task:
    return Task(number, read_settings("531"), {} if given is None else given, folder / f"{number}.gif", OPTIONS)


@pytest.fixture(autouse=True)
def nobody_stays() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture
def deaths(tmp_path: Path) -> Path:
    folder = tmp_path / "deaths"
    folder.mkdir()
    return folder


def test_each_task_has_one_outcome_whoever_does_it(tmp_path: Path) -> None:
    tasks = [task(tmp_path, number) for number in range(5)]
    outcomes = list(run_in_pool(tasks, 2))
    assert sorted(outcome.number for outcome in outcomes) == list(range(5))
    assert {outcome.state for outcome in outcomes} == {State.WRITTEN}
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{number}.gif" for number in range(5)]


def test_a_task_whose_process_dies_is_done_by_another(tmp_path: Path, deaths: Path) -> None:
    tasks = [task(tmp_path, 0, Deadly(deaths, 1)), *(task(tmp_path, number) for number in (1, 2))]
    outcomes = list(run_in_pool(tasks, 2))
    assert sorted((outcome.number, outcome.state) for outcome in outcomes) == [(n, State.WRITTEN) for n in range(3)]
    assert len(list(deaths.iterdir())) == 1


def test_one_that_costs_two_processes_is_given_up_and_the_rest_goes_on(tmp_path: Path, deaths: Path) -> None:
    tasks = [task(tmp_path, 0, Deadly(deaths, 9)), *(task(tmp_path, number) for number in (1, 2))]
    outcomes = {outcome.number: outcome for outcome in run_in_pool(tasks, 2)}
    assert [outcomes[number].state for number in range(3)] == [State.FAILED, State.WRITTEN, State.WRITTEN]
    assert outcomes[0].reason == "the process that wrote it was killed by SIGKILL, and so did another"
    assert len(list(deaths.iterdir())) == 2


def test_what_nobody_foresaw_in_one_pattern_is_its_own_failure(tmp_path: Path) -> None:
    strange: Any = object()
    tasks = [Task(0, strange, {}, tmp_path / "0.gif", OPTIONS), task(tmp_path, 1)]
    outcomes = {outcome.number: outcome for outcome in run_in_pool(tasks, 1)}
    assert outcomes[0].state is State.FAILED
    assert outcomes[0].reason.startswith("AttributeError: ")
    assert outcomes[1].state is State.WRITTEN


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
    # In a program of its own, since the first process that is begun takes more with it than later ones.
    code = """
import signal
from pathlib import Path
from juggle_anim.batch.pool import WorkerPool
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
