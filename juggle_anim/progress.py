"""A progress bar for work that writes many frames."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A function that shows how far the work is, given the frames done and all frames; on standard error.

    Args:
        quiet: whether nothing is to be shown; then there is no function.
    """
    if quiet:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("frames"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True))
    task = bar.add_task("frames")

    def report(done: int, total: int) -> None:
        # The bar appears with the first frame: an error before it needs no empty bar above.
        bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if bar.finished or bar.tasks[task].completed:
            bar.stop()
