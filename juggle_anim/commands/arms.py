"""The command `arms`: the elbows of all solvers beside each other."""

from __future__ import annotations

from functools import partial
from typing import Any

import typer

from juggle_anim.commands.measuring import USUAL_SIZE, AsJson, PlotFile, PlotSize, ReplacePlot, tell
from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.flags import take_parameters

arms = typer.Typer(help="Elbows: the solvers beside each other.", no_args_is_help=True)


@arms.command("compare")
@take_parameters
def compare(
    pattern: PatternText,
    json: AsJson = False,
    plot: PlotFile = None,
    size: PlotSize = USUAL_SIZE,
    force: ReplacePlot = False,
    **given: Any,
) -> None:
    """Pose a pattern with every solver, and say how far their elbows are apart."""
    from juggle_anim.analysis import arms_data, arms_text, compare_arms, write_arms

    def compared() -> tuple[Any, Any]:
        animation = open_animation(pattern, given)
        found = compare_arms(animation)
        return (arms_data if json else arms_text)(found), partial(write_arms, animation, found)

    tell(json, plot, size, force, compared)


@arms.callback()
def _arms() -> None:
    """Elbows: the solvers beside each other."""
