"""The command `batch`: a file for each of many patterns."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from juggle_anim.cli.command import FAILED, Command, argument, option
from juggle_anim.cli.export import file_size, take_export_options
from juggle_anim.cli.options import (
    DryRun,
    Force,
    duration,
    lines_of_input,
    print_notes,
    print_table,
    progress,
    say,
    take_parameters,
)
from juggle_anim.errors import counted, printable
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.batch import BatchItem, Outcome, Plan


@click.command("batch", cls=Command)
@take_parameters
@take_export_options
def batch(
    sources: Annotated[
        list[str],
        argument(metavar="LIST", help=_("Pattern files, or the word library.")),
    ],
    out: Annotated[Path, argument(metavar="OUT", help=_("Output folder."))],
    output_kind: Annotated[
        str,
        option(
            "--format",
            metavar="ENDING",
            help=_("File extension as for export, frames, or a name such as ####.jpg."),
        ),
    ] = "gif",
    workers: Annotated[
        int | None,
        option(metavar="N", help=_("Number of processes."), show_default=_("one for each core")),
    ] = None,
    scheduler: Annotated[
        str | None,
        option(metavar="ADDRESS", help=_("Use a Dask cluster instead.")),
    ] = None,
    json: Annotated[
        bool,
        option("--json", help=_("Print the summary as JSON, an object for each pattern.")),
    ] = False,
    force: Force = False,
    resume: Annotated[bool, option("--resume", help=_("Continue an interrupted batch."))] = False,
    dry_run: DryRun = False,
    quiet: Annotated[bool, option("--quiet", "-q", help=_("Print failures only."))] = False,
    *,
    options: ExportOptions,
    **overrides: Any,
) -> None:
    """Save many patterns, a file each, on all cores.

    Files are named after their patterns. If some fail, the others are still saved; the failures are
    listed at the end, and the exit code is 1.
    """
    from juggle_anim.batch import batch_items, plan, run

    texts = [text for word in sources for text in (lines_of_input() if word == "-" else [word])]
    items = batch_items(texts)
    for item in items:
        # The source of an item is the file, a # and the number of the pattern.
        print_notes(item.source.rpartition("#")[0], () if quiet else item.notes)

    # The parameters that were typed on the command line override those of each pattern.
    export_options = replace(options, force=force, resume=resume)
    planned = plan(items, out, output_kind, overrides=overrides, options=export_options)
    if dry_run:
        _print_cost(planned, workers)
        return

    batch_report = _BatchReport(items, out, quiet=quiet)
    batch_report.collect(run(planned, workers=workers, scheduler=scheduler))
    if json:
        say(batch_report.as_json())
    else:
        batch_report.print_summary()
    if batch_report.failed:
        sys.exit(FAILED)


class _BatchReport:
    """The progress of a batch while it runs, and its summary."""

    def __init__(self, items: Sequence[BatchItem], out: Path, *, quiet: bool) -> None:
        self._items = items
        self._out = out
        self._quiet = quiet
        self._outcomes: dict[int, Outcome] = {}
        self._seconds = 0.0

    def collect(self, outcomes: Iterable[Outcome]) -> None:
        """Collect the outcomes as they come, show progress, and store the time it took, [s].

        After Ctrl-C, say how many are done, and raise `KeyboardInterrupt` again.

        Args:
            outcomes: outcomes of patterns: written, kept from before, or failed.
        """
        import time

        began = time.perf_counter()
        with progress(quiet=self._quiet, counted="patterns") as report:
            try:
                for outcome in outcomes:
                    self._outcomes[outcome.number] = outcome
                    if report and outcome.state != "kept":
                        # Kept files took no time, and would make the rate look too high.
                        kept_count = self._count("kept")
                        report(len(self._outcomes) - kept_count, len(self._items) - kept_count)
            except KeyboardInterrupt:
                say(
                    _(
                        "stopped: {counts} of {count}; --resume goes on from here",
                        counts=self._counts(),
                        count=len(self._items),
                    ),
                    err=True,
                )
                raise
            finally:
                self._seconds = time.perf_counter() - began

    @property
    def failed(self) -> list[Outcome]:
        """The outcomes that failed, in the order of the patterns."""
        failures = (outcome for outcome in self._outcomes.values() if outcome.state == "failed")
        return sorted(failures, key=lambda outcome: outcome.number)

    def print_summary(self) -> None:
        """Print a line with the counts, and a table of failures; if quiet, only the failures.

        The table has the first `_MAX_ROWS` failures.
        """
        if not self._quiet:
            say(
                _(
                    "{out}: {counts}, in {seconds}",
                    out=self._out,
                    counts=self._counts(),
                    seconds=duration(self._seconds),
                )
            )
        if self.failed:
            click.echo("")
            print_table(
                (_("Pattern"), _("Name"), _("Reason")), map(self._row, self.failed[:_MAX_ROWS])
            )
        if len(self.failed) > _MAX_ROWS:
            say(
                _(
                    "\n{count} more failed; --json shows them all",
                    count=len(self.failed) - _MAX_ROWS,
                )
            )

    def as_json(self) -> str:
        """Return the summary as JSON, with all patterns."""
        import json

        counts = {name: self._count(name) for name in _STATES}
        patterns = [self._data(self._outcomes[number]) for number in sorted(self._outcomes)]
        return json.dumps(
            {**counts, "seconds": round(self._seconds, 3), "patterns": patterns}, indent=1
        )

    def _count(self, state: str) -> int:
        return sum(outcome.state == state for outcome in self._outcomes.values())

    def _counts(self) -> str:
        return ", ".join(
            f"{self._count(name)} {name}"
            for name in _STATES
            if self._count(name) or name == "written"
        )

    def _row(self, outcome: Outcome) -> tuple[str, str, str]:
        item = self._items[outcome.number]
        return (
            printable(item.source),
            printable(item.name, _MAX_NAME),
            printable(outcome.reason.split("\n")[0]),
        )

    def _data(self, outcome: Outcome) -> dict[str, Any]:
        """Return the outcome of a pattern as JSON values: its files, or the error.

        Args:
            outcome: outcome of a pattern.
        """
        item = self._items[outcome.number]
        why = {"error": outcome.reason} if outcome.reason else {"files": list(outcome.files)}
        state = str(outcome.state)
        seconds = round(outcome.seconds, 3)
        return {
            "pattern": item.source,
            "name": item.name,
            "state": state,
            **why,
            "seconds": seconds,
        }


def _print_cost(planned: Plan, workers: int | None) -> None:
    """Print an estimate of a batch: files, size and time.

    Args:
        planned: the batch.
        workers: how many processes work; None for one on each core.
    """
    from juggle_anim.batch import cost
    from juggle_anim.batch.run import available_cores

    # The estimated time is that of one worker.
    estimated = cost(planned)
    worker_count = workers or available_cores()
    bad = (
        _(", {count} that cannot be read", count=len(planned.unreadable))
        if planned.unreadable
        else ""
    )
    say(
        _(
            "{patterns}{bad}; about {size}, about {seconds} to write with {workers}",
            patterns=counted(estimated.patterns, "pattern"),
            bad=bad,
            size=file_size(estimated.size),
            seconds=duration(estimated.seconds / worker_count),
            workers=counted(worker_count, "worker"),
        )
    )


_STATES = ("written", "kept", "failed")
_MAX_ROWS = 200  # of patterns that failed
_MAX_NAME = 40  # characters
