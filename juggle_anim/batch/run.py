"""Running a batch, on this machine or on a cluster, and estimating its cost from a few of its
patterns.

Running a batch on all cores: a pool of worker processes, each with one task at a time and its
own OpenGL context.

Running a batch on a Dask cluster, whose workers share the output folder.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from juggle_anim.animation import animated
from juggle_anim.atomic_file import cannot_write, remove_stale_partials
from juggle_anim.batch.plan import Outcome, Plan, State, Task, run_task, write_trial
from juggle_anim.errors import ExportError, JuggleError, ParameterError, printable, require_library
from juggle_anim.exporter import Job, Trial, WriteOptions, export_jobs, read_template, run_trial
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from distributed import Client


_MAX_DEATHS_PER_TASK = 1  # of processes with a task that is tried again; one more gives it up
_MAX_FAILED_STARTS = 3  # of processes in all

TERMINATE_SECONDS = 3.0
"""A worker that does not end within this time is killed, [s]."""

# Thread counts of Mesa's software driver, of OpenMP and of the libraries below numpy.
_THREAD_COUNT_VARIABLES = (
    "LP_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)

TERMINATED = 143
"""The exit code of a worker that was ended by SIGTERM."""

_PARTIAL_FILE_NAME = re.compile(r"\.(.+)\.\d{1,9}\.part(\.[^.]+)(?:\.bare)?")


def run_in_pool(tasks: Sequence[Task], workers: int) -> Iterator[Outcome]:
    """Yield the outcome of each task when it is done.

    A task whose process dies is tried once more before it fails. All processes end with the
    iterator.

    Args:
        tasks: the tasks, with different numbers.
        workers: number of processes; no more are started than there are tasks.

    Raises:
        ParameterError, RenderError: no pattern can be written here with these options.
        ExportError: likewise, or no process can be started.
    """
    if not tasks:
        return
    with WorkerPool(min(workers, len(tasks))) as pool:
        pool.fill()
        # While the workers start: an error of the options is raised before any pattern is written.
        write_trial(tasks[0])
        yield from _TaskQueue(pool, tasks).outcomes()


class _TaskQueue:
    """The tasks of a batch that are not done yet."""

    def __init__(self, pool: WorkerPool, tasks: Sequence[Task]) -> None:
        self._pool = pool
        self._waiting = deque(tasks)
        self._left = len(tasks)
        self._deaths: Counter[int] = Counter()
        self._failed_starts = 0

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each task when it is done, and give idle workers the next tasks."""
        while self._left:
            # Start workers in place of those that died.
            self._pool.fill()
            for worker in self._pool.wait():
                # None if the worker is ready now, or has died and its task is to be done again.
                outcome = self._receive(worker)
                if outcome:
                    self._left -= 1
                    yield outcome
                # Only if it lives and is idle.
                if worker in self._pool.workers and worker.task is None and self._waiting:
                    worker.send(self._waiting.popleft())

    def _receive(self, worker: Worker) -> Outcome | None:
        """Return the outcome that a worker has sent, if it is one."""
        try:
            outcome = worker.receive()
        except EOFError:
            return self._handle_dead_worker(worker)
        worker.task = None
        return outcome

    def _handle_dead_worker(self, worker: Worker) -> Outcome | None:
        """Remove a worker that died, and try its task again or give it up.

        Args:
            worker: worker whose pipe has ended.

        Returns:
            The failed outcome of a task that is given up, after `_MAX_DEATHS_PER_TASK` deaths; None
            if another worker tries it, or if the worker had no task.

        Raises:
            ExportError: too many workers died before they were ready.
        """
        task = worker.task
        ending = self._pool.remove(worker)  # in words, how its process ended
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts > _MAX_FAILED_STARTS:
                raise ExportError(_("cannot start a worker process: it {how}", how=ending))
        if task is None:
            return None

        # It could not remove its partial files itself.
        remove_partials_of(task.path)
        self._deaths[task.number] += 1
        if self._deaths[task.number] > _MAX_DEATHS_PER_TASK:
            return Outcome(
                task.number,
                State.FAILED,
                reason=_("the process writing it {how}, and so did a second one", how=ending),
            )
        # Another worker tries the task next, before all others that wait.
        self._waiting.appendleft(task)
        return None


@dataclass(eq=False)
class Worker:
    """One process.

    Args:
        process: the process.
        pipe: the connection with the process.
        ready: whether the worker has reported that it is ready.
        task: the task that it works on.
    """

    process: SpawnProcess
    pipe: Connection
    ready: bool = False
    task: Task | None = None

    def send(self, task: Task) -> None:
        """Send a task to the process."""
        self.task = task
        with contextlib.suppress(ConnectionError):  # it has died, which `receive` reports
            self.pipe.send(task)

    def receive(self) -> Outcome | None:
        """Receive the next message: None when the process is ready, or an outcome.

        Raises:
            EOFError: the process has died.
        """
        try:
            outcome: Outcome | None = self.pipe.recv()
        except OSError as error:
            raise EOFError from error
        self.ready = True
        return outcome


class WorkerPool:
    """Worker processes, all of which end with the context."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.workers: list[Worker] = []

    def fill(self) -> None:
        """Start processes until the pool is full."""
        while len(self.workers) < self.size:
            with _signals_deferred(), _interrupts_blocked(), _one_library_thread_each(self.size):
                self.workers.append(_start_worker())

    def wait(self) -> list[Worker]:
        """Wait until a worker has sent a message or died; return all such workers."""
        readable = wait([worker.pipe for worker in self.workers])
        return [worker for worker in self.workers if worker.pipe in readable]

    def remove(self, worker: Worker) -> str:
        """Remove a worker that has died, wait for its process, and say how it ended."""
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode or 0
        # A negative code is that of a signal.
        if code < 0:
            return _("was killed by {signal_name}", signal_name=_signal_name(-code))
        return _("exited with code {code}", code=code)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        """End all workers at the same time; each removes its partial files."""
        # All are asked to end before any is waited for; those that do not within
        # `TERMINATE_SECONDS` are killed.
        for worker in self.workers:
            worker.process.terminate()
        try:
            for worker in self.workers:
                worker.process.join(TERMINATE_SECONDS)
        finally:
            for worker in self.workers:
                worker.process.kill()
                worker.process.join()
                worker.pipe.close()


def _start_worker() -> Worker:
    """Start a process, and return it with our end of the pipe."""
    ours, theirs = multiprocessing.Pipe()
    # A fork would inherit the state of OpenGL and of locks.
    process = multiprocessing.get_context("spawn").Process(
        target=worker_main, args=(theirs,), daemon=True
    )
    # The process would first run the script of the user once more, if it knew it.
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = script
    theirs.close()  # so that the pipe ends with that process
    return Worker(process, ours)


@contextlib.contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defer signals that end this program while it starts a process.

    A new process that is interrupted before it handles signals would end in a traceback. Signals
    that arrive in the `with` block are raised again at its end, in their order.
    """
    # Only the main thread may change handlers, and receives signals.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    # Record signals instead. A mask is not enough, as a thread of some library may take the signal.
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ending_signals())}
    # Ignored signals stay ignored. None stands for a handler that was not set by Python, which
    # could not be put back.
    deferred = {
        number: handler
        for number, handler in handlers.items()
        if handler not in (None, signal.SIG_IGN)
    }
    for number in deferred:
        signal.signal(number, lambda received_number, _frame: received.append(received_number))
    try:
        yield
    finally:
        for number, handler in deferred.items():
            signal.signal(number, handler)
        for received_number in received:
            signal.raise_signal(received_number)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for processes started here, which inherit the mask.

    A terminal sends it to all processes, and this one ends the others.
    """
    # Windows has no masks of signals.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # The tracker, a process of `multiprocessing`, would start with the first worker, and unblock
    # interrupts in this process then: start it before.
    resource_tracker.ensure_running()
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)


def _ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals beside Ctrl-C by which people and systems end a program."""
    if sys.platform == "win32":
        return (signal.SIGTERM,)
    return (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def _one_library_thread_each(processes: int) -> Iterator[None]:
    """Limit numeric libraries of processes started here to one thread, if several processes share
    the cores; values that users have set are kept.
    """
    unset = [name for name in _THREAD_COUNT_VARIABLES if processes > 1 and name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return _("signal {number}", number=number)


def worker_main(pipe: Connection) -> None:
    """Run as a worker: send None when ready, then an outcome for each task received."""
    for number in _ending_signals():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _exit_on_signal)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, ConnectionError):
        pipe.send(None)
        while True:
            pipe.send(run_task(pipe.recv()))


def _exit_on_signal(_signal: int, _frame: FrameType | None) -> None:
    # An exception, so that partial files are removed on the way out.
    raise SystemExit(TERMINATED)


def _end_with_parent() -> None:
    """End this worker when its parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def remove_partials_of(path: Path) -> None:
    """Remove partial files of a file or a folder of frames, for all its cameras.

    Those of writers that still run stay.

    Args:
        path: path to which a task writes: a file, a folder of frames, or a template of their names.
    """
    folder = path.parent if read_template(path) else path
    with cannot_write(path):
        # Names of partial files begin with a dot.
        if folder.is_dir():
            hidden_files = list(folder.rglob(".*"))
        else:
            # With several cameras, names go on after the stem.
            hidden_files = [
                hidden_file
                for hidden_file in path.parent.glob(".*")
                if hidden_file.name.startswith(f".{path.stem}")
            ]
    _remove_partials(hidden_files)


def remove_partials_in(folder: Path) -> None:
    """Remove all partial files in a folder whose writers have died."""
    with cannot_write(folder):
        hidden_files = list(folder.glob(".*"))
    _remove_partials(hidden_files)


def _remove_partials(files: Iterable[Path]) -> None:
    for file in files:
        if match := _PARTIAL_FILE_NAME.fullmatch(file.name):
            remove_stale_partials(file.with_name(match[1] + match[2]))


_Item = TypeVar("_Item")

_Result = TypeVar("_Result")

_TRIAL_FRAMES = 6  # at least; of fewer the size of a later frame is mostly chance

# Patterns whose frames are counted, and groups of them, in each of which a few frames of one
# pattern are written; so few that an answer comes soon.
_MAX_COUNTED_PATTERNS = 100
_COST_GROUPS = 3


def run(
    plan: Plan, *, workers: int | None = None, scheduler: str | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of every pattern: first of unreadable ones, then of others when done.

    Closing the iterator, or an exception such as Ctrl-C, ends all work; complete files stay.

    Args:
        plan: the work.
        workers: number of processes on this machine; by default one for each core.
        scheduler: the address of a Dask cluster to use instead.

    Raises:
        ParameterError: the number of workers is below 1 or given with a scheduler; or no pattern
            can be written.
        ExportError, RenderError: likewise.
    """
    if workers is not None and (workers < 1 or scheduler):
        reason = (
            _("a cluster has its own workers")
            if scheduler
            else _("it must be a whole number, 1 or more")
        )
        raise ParameterError(
            _("workers is {workers}: {reason}", workers=workers, reason=reason), "workers"
        )
    yield from plan.unreadable
    if scheduler:
        yield from run_on_cluster(plan.tasks, scheduler)
    else:
        yield from run_in_pool(plan.tasks, workers or available_cores())


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Cost:
    """The estimated cost of a batch.

    Args:
        patterns: number of readable patterns.
        size: size of all files, [bytes].
        seconds: duration of the batch with a single worker, [s].
    """

    patterns: int
    size: float
    seconds: float


def cost(plan: Plan) -> Cost:
    """Estimate the cost of a plan.

    The frames of many of its patterns are counted. These are sorted into groups of about equally
    many people and high throws, on which the cost of a frame depends, and some frames of one
    pattern of each group are written.

    Args:
        plan: the work.

    Raises:
        JuggleError: none of these can be written.
    """
    # At most `_MAX_COUNTED_PATTERNS` patterns, evenly spread over the plan. A pattern has a list of
    # jobs, one for each camera; sort them by what makes a frame costly.
    count = min(len(plan.tasks), _MAX_COUNTED_PATTERNS)
    sample = [plan.tasks[len(plan.tasks) * index // count] for index in range(count)]
    jobs = _results_without_failures(sample, _jobs_of_task)
    jobs.sort(key=_frame_complexity)

    # Groups of equal size; fewer patterns than groups leave some empty.
    bounds = [len(jobs) * index // _COST_GROUPS for index in range(_COST_GROUPS + 1)]
    groups = [jobs[first:last] for first, last in pairwise(bounds) if first < last]
    costs = _results_without_failures(
        groups, lambda group: _cost_of_group(group, plan.tasks[0].options)
    )

    # Scale up from the patterns of these groups to all. There are none if there are no tasks.
    scale = len(plan.tasks) / max(sum(group_cost.patterns for group_cost in costs), 1)
    size = sum(group_cost.size for group_cost in costs)
    seconds = sum(group_cost.seconds for group_cost in costs)
    return Cost(len(plan.tasks), size * scale, seconds * scale)


def _frame_complexity(jobs: Sequence[Job]) -> tuple[int, float]:
    """Return what the cost of a frame depends on: jugglers, and the height of throws."""
    animation = jobs[0].request.animation
    return animation.num_jugglers, -float(animation.choreography.flights.duration.max(initial=0.0))


def _cost_of_group(group: Sequence[list[Job]], options: WriteOptions) -> Cost:
    """Estimate the cost of patterns from trials with the one in the middle.

    Args:
        group: for each pattern its jobs, one for each camera; patterns are sorted by what makes a
            frame costly.
        options: how they are written.

    Returns:
        The cost of all patterns of the group: their number, bytes and seconds.
    """
    size = 0.0  # bytes
    seconds = 0.0
    typical_jobs = group[len(group) // 2]
    for camera, job in enumerate(typical_jobs):
        # Two frames more than wait to be written (`waiting`), to tell the cost of the first frame
        # from that of later ones, and to see one drawn while others are written. With fewer than
        # `_TRIAL_FRAMES` frames, the size of a later one would mostly be chance.
        frames = min(job.request.frames, max(job.waiting + 2, _TRIAL_FRAMES))
        trial = run_trial(job, options, frames)
        # Each pattern costs as much as the trial for as many frames as that has, and the cost of a
        # later frame for each of its others.
        frames_left = sum(jobs[camera].request.frames - frames for jobs in group)
        frame_size = _size_per_frame(job, options, trial, trial_frames=frames)
        size += len(group) * trial.size + frames_left * frame_size
        seconds += len(group) * trial.seconds + frames_left * trial.per_frame
    return Cost(len(group), size, seconds)


def _size_per_frame(job: Job, options: WriteOptions, trial: Trial, trial_frames: int) -> float:
    """Return the size of a frame after the first, from a trial of a few frames, [bytes]."""
    if trial.size_per_frame is not None or trial_frames == 1:
        return trial.size_per_frame or float(trial.size)
    fewer_frames = trial_frames // 2
    shorter_trial = run_trial(job, options, fewer_frames)
    return max(trial.size - shorter_trial.size, 0) / (trial_frames - fewer_frames)


def _results_without_failures(
    items: Sequence[_Item], function: Callable[[_Item], _Result]
) -> list[_Result]:
    """Return the results of a function for some items, leaving out those for which it fails.

    Args:
        items: arguments of the function, one after the other.
        function: function that may raise a JuggleError.

    Raises:
        JuggleError: the function fails for all items; this is the last error.
    """
    results: list[_Result] = []
    for count, item in enumerate(items, start=1):
        try:
            results.append(function(item))
        except JuggleError:
            # The last item, and none before it had a result.
            if not results and count == len(items):
                raise
    return results


def _jobs_of_task(task: Task) -> list[Job]:
    return export_jobs(animated(task.settings, **task.overrides), task.path, task.options)


CONNECT_SECONDS = 30.0
"""Timeout for the scheduler, and then for a first worker, [s]."""


def run_on_cluster(tasks: Sequence[Task], address: str) -> Iterator[Outcome]:
    """Yield the outcome of each task when it is done.

    A task whose worker is lost goes to another worker; after several losses it fails.

    Args:
        tasks: the tasks, with different numbers.
        address: address of the scheduler, as tcp://10.0.0.1:8786.

    Raises:
        ExportError: the scheduler does not answer, it has no workers, or these lack juggle-anim.
        ParameterError: Dask is not installed.
        ParameterError, RenderError: no pattern can be written there with these options.
    """
    if not tasks:
        return
    with _connected_client(address) as client:
        _write_trial(client, tasks[0])
        yield from _outcomes(client, tasks)
    # A lost worker may still have been running when another took over its task, and left partial
    # files.
    remove_partials_in(tasks[0].path.parent)


def _outcomes(client: Client, tasks: Sequence[Task]) -> Iterator[Outcome]:
    """Yield the outcome of each task when it is done; cancel tasks that are left at the end.

    Args:
        client: client of the cluster.
        tasks: the tasks, with different numbers.
    """
    from distributed import as_completed

    # Unique keys: two batches at once must not share results.
    batch = uuid4().hex
    futures = {
        client.submit(run_task, task, key=f"juggle-anim-{batch}-{task.number}"): task
        for task in tasks
    }
    try:
        for future in as_completed(list(futures), loop=client.loop):
            task = futures.pop(future)
            error = future.exception()  # of Dask: `run_task` itself raises none
            if error:
                reason = _("the cluster failed: {error}", error=_error_text(error))
                yield Outcome(task.number, State.FAILED, reason=reason)
            else:
                yield future.result()
            # So that the cluster forgets the result.
            future.release()
    finally:
        # Tasks are left if the iterator is closed, or an error ends it.
        client.cancel(list(futures))


def _connected_client(address: str) -> Client:
    """Connect to a scheduler, and wait for a first worker.

    Args:
        address: address of the scheduler, as tcp://10.0.0.1:8786.

    Raises:
        ExportError: the scheduler does not answer, or has no workers.
        ParameterError: Dask is not installed.
    """
    require_library("distributed", "cluster", _("Batches on a cluster"))
    from distributed import Client

    # Dask raises ValueError or TypeError for addresses that make no sense.
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ExportError(
            _(
                "{address}: no Dask scheduler responds: {error}",
                address=printable(address),
                error=_error_text(error),
            )
        ) from error
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError as error:
        client.close()
        raise ExportError(
            _("{address}: this Dask scheduler has no workers", address=printable(address))
        ) from error
    return client


def _write_trial(client: Client, task: Task) -> None:
    """Write one frame on a worker, to find errors that would happen to every pattern.

    Args:
        client: client of the cluster.
        task: task whose path and options are tried.

    Raises:
        ExportError: its workers cannot run this program.
        JuggleError: the frame cannot be written there.
    """
    try:
        client.submit(write_trial, task, key=f"juggle-anim-{uuid4().hex}").result()
    except (JuggleError, KeyboardInterrupt):
        raise
    except Exception as error:
        # Of any kind, as when juggle-anim cannot be imported there.
        raise ExportError(
            _(
                "the workers of this cluster cannot run juggle-anim: {error}",
                error=_error_text(error),
            )
        ) from error


def _error_text(error: BaseException) -> str:
    return printable(str(error) or type(error).__name__)
