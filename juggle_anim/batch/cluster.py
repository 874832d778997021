"""A Dask cluster: tasks on whatever machines its workers run, which all see the same folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from juggle_anim.batch.plan import try_out
from juggle_anim.batch.pool import remove_drafts_in
from juggle_anim.batch.task import Outcome, State, Task, carry_out
from juggle_anim.errors import ExportError, JuggleError, printable

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 30.0
"""So long a scheduler, and then a first worker, are waited for, [s]."""


def on_cluster(tasks: Sequence[Task], address: str) -> Iterator[Outcome]:
    """The outcome of each task, as they come.

    A task whose worker is lost goes to another; one that has cost several workers is given up.

    Args:
        tasks: what is to be done; each has its number for itself.
        address: of the scheduler, as tcp://10.0.0.1:8786.

    Raises:
        ExportError: there is no such scheduler, it has no workers, or those lack juggle-anim.
        ParameterError, RenderError: no pattern can be written there in this manner.
    """
    if not tasks:
        return
    with _client(address) as client:
        _try_out(client, tasks[0])
        yield from _outcomes(client, tasks)
    # A lost worker may have been dying still when another took over its task.
    remove_drafts_in(tasks[0].path.parent)


def _outcomes(client: Client, tasks: Sequence[Task]) -> Iterator[Outcome]:
    from distributed import as_completed

    # With keys of their own, two batches at once don't share what they do.
    batch = uuid4().hex
    futures = {client.submit(carry_out, task, key=f"juggle-anim-{batch}-{task.number}"): task for task in tasks}
    try:
        for future in as_completed(list(futures), loop=client.loop):
            task, error = futures.pop(future), future.exception()
            yield _lost(task, error) if error else future.result()
            future.release()
    finally:
        client.cancel(list(futures))


def _lost(task: Task, error: BaseException) -> Outcome:
    return Outcome(task.number, State.FAILED, reason=f"the cluster gave it up: {_reason(error)}")


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise ExportError('--scheduler needs Dask: pip install "juggle-anim[cluster]"') from error
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ExportError(f"{printable(address)}: no Dask scheduler answers there: {_reason(error)}") from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close()
        raise ExportError(f"{printable(address)}: this Dask scheduler has no workers") from error
    return client


def _try_out(client: Client, task: Task) -> None:
    try:
        client.submit(try_out, task, key=f"juggle-anim-{uuid4().hex}").result()
    except (JuggleError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise ExportError(f"the workers of this cluster cannot run juggle-anim: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    return printable(str(error) or type(error).__name__)
