"""The commands `analyse`, which measures a pattern, `optimise`, which gives its props more room,
and `arms`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from juggle_anim.cli.command import Command, CommandGroup, argument, option, out_option
from juggle_anim.cli.options import (
    Force,
    PatternText,
    PatternTexts,
    open_animation,
    refuse_existing,
    save_pattern,
    save_text,
    say,
    take_parameters,
    texts_of_words,
)
from juggle_anim.exporter.options import picture_size
from juggle_anim.language import _

arms = CommandGroup("arms", help=_("Compare the elbows of all solvers."))

_Json = Annotated[bool, option("--json", help=_("Print all measurements as JSON, in SI units."))]
_Plot = Annotated[
    Path | None,
    option(metavar="FILE", help=_("Save plots to a .png, .svg or .pdf file.")),
]
_Size = Annotated[str, option(metavar="WxH", help=_("Size of the plots in pixels."))]
_Force = Annotated[bool, option("--force", help=_("Overwrite an existing file of plots."))]
_DEFAULT_SIZE = "1280x1280"


@click.command("analyse", cls=Command)
@take_parameters
def analyse(
    patterns: PatternTexts,
    json: _Json = False,
    csv: Annotated[
        bool, option("--csv", help=_("Print a table as CSV, a row for each pattern."))
    ] = False,
    table: Annotated[
        bool, option("--table", help=_("Print a table, a column for each pattern."))
    ] = False,
    out: Annotated[
        Path | None,
        out_option(_("Save the report: .csv, .json or .txt.")),
    ] = None,
    plot: _Plot = None,
    size: _Size = _DEFAULT_SIZE,
    force: _Force = False,
    **flags: Any,
) -> None:
    """Measure throws, hands, reach, collisions and forces.

    Of several patterns, one report follows the other; as JSON, they are a list.
    """
    from juggle_anim.analysis import analyse, as_data, as_text, write_plots
    from juggle_anim.api import compare as compare_patterns

    if out is None and len(patterns) > 1 and Path(patterns[-1]).suffix in _REPORTS:
        out = Path(patterns.pop())
    ending = out.suffix.casefold() if out else ""
    if out and ending not in _REPORTS:
        # Plots are files, too.
        plot = out
        out = None
    json |= ending == ".json"
    csv |= ending == ".csv"
    with _saved(out, force=force):
        texts = texts_of_words(patterns)
        if (csv or table) and not (json or plot):
            measures = compare_patterns(*(open_animation(text, flags) for text in texts))
            result: Any = measures if table else measures.analyses
            say(_csv_text(result) if csv else str(measures))
        else:
            _print_report(
                texts,
                flags,
                json=json,
                plot=plot,
                size=size,
                force=force,
                measure=analyse,
                report=as_data if json else as_text,
                write=write_plots,
            )


@contextmanager
def _saved(out: Path | None, *, force: bool) -> Iterator[None]:
    """Save what is printed meanwhile to a file, if there is one; see `save_text`."""
    if out is None:
        yield
        return
    refuse_existing(out, force)
    file = io.StringIO()
    with redirect_stdout(file):
        yield
    save_text(file.getvalue(), out, force=force)


_REPORTS = (".csv", ".json", ".txt")
"""Endings of files for reports."""


@click.command("optimise", cls=Command)
@take_parameters
def optimise(
    pattern: PatternText,
    out: Annotated[
        Path | None,
        out_option(_("Save the result to a .jml, .jif or .txt file.")),
    ] = None,
    goal: Annotated[float, option(metavar="CM", help=_("Target clearance between props."))] = 10.0,
    budget: Annotated[
        float, option(metavar="CM", help=_("How far a throw or catch may move."))
    ] = 15.0,
    like_juggling_lab: Annotated[
        bool,
        option(
            "--like-juggling-lab",
            help=_("Move sideways only, by any distance, as Juggling Lab does."),
        ),
    ] = False,
    json: Annotated[
        bool, option("--json", help=_("Print the measurements as JSON, in SI units."))
    ] = False,
    force: Force = False,
    **flags: Any,
) -> None:
    """Move throws and catches so that props pass farther apart.

    Prints the clearance before and after, and the settings of the result.
    """
    from json import dumps

    from juggle_anim.api import optimise as move_places

    if out:
        refuse_existing(out, force)
    animation = open_animation(pattern, flags)
    result = move_places(
        animation, goal=goal / 100, budget=budget / 100, like_juggling_lab=like_juggling_lab
    )
    say(dumps(result.as_data(), indent=1) if json else result.as_text())
    if out:
        save_pattern(result.animation, out, force=force)
        say(str(out), err=json)  # standard output has only JSON then


@arms.command("compare")
@take_parameters
def compare(
    pattern: PatternText,
    out: Annotated[
        Path | None,
        argument(metavar="OUT", help=_("Save the report: .csv, .json or .txt.")),
    ] = None,
    solvers: Annotated[
        str,
        option(metavar="NAMES", help=_("Methods to compare, such as natural,two-link.")),
    ] = "",
    json: _Json = False,
    csv: Annotated[
        bool, option("--csv", help=_("Print a table as CSV, a row for each method."))
    ] = False,
    plot: _Plot = None,
    size: _Size = _DEFAULT_SIZE,
    force: _Force = False,
    **flags: Any,
) -> None:
    """Measure how far apart the elbows of different solvers are."""
    from juggle_anim.analysis import arms_data, arms_text, compare_arms, write_arms

    # Several methods may be typed as the setting.
    if "," in str(flags.get("arms")):
        solvers = solvers or flags.pop("arms")
    ending = out.suffix.casefold() if out else ""
    if out and ending not in _REPORTS:
        plot = out  # plots are files, too
        out = None
    json |= ending == ".json"
    csv |= ending == ".csv"
    with _saved(out, force=force):
        _print_report(
            [pattern],
            flags,
            json=json,
            plot=plot,
            size=size,
            force=force,
            measure=partial(compare_arms, solvers=solvers.split(",") if solvers else None),
            report=arms_data if json else _csv_text if csv else arms_text,
            write=write_arms,
        )


def _csv_text(result: Any) -> str:
    """Return a result as CSV without its last line end, as it is printed."""
    return str(result.to_csv()).rstrip()


def _print_report(
    patterns: Sequence[str], flags: dict[str, Any], *, json: bool, plot: Path | None, size: str,
    force: bool, measure: Callable[..., Any], report: Callable[[Any], Any],
    write: Callable[..., object],
) -> None:  # fmt: skip
    """Measure patterns, print a report of each, and write plots if a file is given.

    Args:
        patterns: the patterns as typed.
        flags: flags for parameters that were typed, by name.
        json: whether the report is JSON, not text.
        plot: the file of plots; None for none.
        size: size of plots, as typed: `1280x1280`.
        force: whether an existing file may be replaced.
        measure: measures an animation.
        report: makes a report of what `measure` returns, as JSON values if `json`, else as text.
        write: writes plots of what `measure` returns.

    Raises:
        click.UsageError: plots of several patterns are wanted.
    """
    from json import dumps

    from juggle_anim.analysis import check_plots

    # Errors about the file come before measuring, which takes a while.
    edges = picture_size(size)
    if plot:
        check_plots(plot, edges, force=force)
        if len(patterns) > 1:
            raise click.UsageError(_("plots show one pattern"))
    reports = []
    for pattern in patterns:
        animation = open_animation(pattern, flags)
        measured = measure(animation)
        reports.append(report(measured))
        if not json:
            # An empty line separates the reports.
            say(("\n" if len(reports) > 1 else "") + reports[-1])
    if json:
        say(dumps(reports if len(reports) > 1 else reports[0], indent=1))
    if plot:
        write(animation, measured, plot, edges, force=force)
        say(str(plot), err=json)  # standard output has only JSON then
