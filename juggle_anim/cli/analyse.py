"""The commands `analyse`, which measures a pattern, and `arms`, which compares the elbows of all solvers."""

from __future__ import annotations

from functools import partial
from typing import Any

import typer

from juggle_anim.cli.options import (
    DEFAULT_PLOT_SIZE,
    AsJson,
    PatternText,
    PlotFile,
    PlotSize,
    ReplacePlot,
    open_animation,
    print_results,
    take_parameters,
)

arms = typer.Typer(help="Elbows: the solvers beside each other.", no_args_is_help=True)


@take_parameters
def analyse(
    pattern: PatternText,
    json: AsJson = False,
    plot: PlotFile = None,
    size: PlotSize = DEFAULT_PLOT_SIZE,
    force: ReplacePlot = False,
    **given: Any,
) -> None:
    """Measure a pattern: throws, hands, reach, collisions, forces."""
    from juggle_anim.analysis import analyse as measure
    from juggle_anim.analysis import as_data, as_text, write_plots

    def measured() -> tuple[Any, Any]:
        animation = open_animation(pattern, given)
        analysis = measure(animation)
        return (as_data if json else as_text)(analysis), partial(write_plots, animation, analysis)

    print_results(json, plot, size, force, measured)


@arms.command("compare")
@take_parameters
def compare(
    pattern: PatternText,
    json: AsJson = False,
    plot: PlotFile = None,
    size: PlotSize = DEFAULT_PLOT_SIZE,
    force: ReplacePlot = False,
    **given: Any,
) -> None:
    """Pose a pattern with every solver, and say how far their elbows are apart."""
    from juggle_anim.analysis import arms_data, arms_text, compare_arms, write_arms

    def compared() -> tuple[Any, Any]:
        animation = open_animation(pattern, given)
        found = compare_arms(animation)
        return (arms_data if json else arms_text)(found), partial(write_arms, animation, found)

    print_results(json, plot, size, force, compared)


@arms.callback()
def _arms() -> None:
    """Elbows: the solvers beside each other."""
