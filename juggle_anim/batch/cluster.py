"""Running a batch on a Dask cluster, whose workers share the output folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from juggle_anim.batch.plan import Outcome, State, Task, run_task, write_trial
from juggle_anim.batch.pool import remove_partials_in
from juggle_anim.errors import ExportError, JuggleError, printable, require_library
from juggle_anim.language import _

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 30.0
"""Timeout for the scheduler, and then for a first worker, [s]."""


def run_on_cluster(tasks: Sequence[Task], address: str) -> Iterator[Outcome]:
    """Yield the outcome of each task when it is done.

    A task whose worker is lost goes to another worker; after several losses it fails.

    Args:
        tasks: the tasks, with different numbers.
        address: of the scheduler, as tcp://10.0.0.1:8786.

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
        client: of the cluster.
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
                reason = _("the cluster gave up: {error}", error=_error_text(error))
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
        address: of the scheduler, as tcp://10.0.0.1:8786.

    Raises:
        ExportError: it does not answer, or has no workers.
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
        client: of the cluster.
        task: whose path and options are tried.

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
