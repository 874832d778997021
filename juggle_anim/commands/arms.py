"""The command `arms`: the elbows of all solvers beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.commands.picture_size import picture_size
from juggle_anim.flags import take_parameters

arms = typer.Typer(help="Elbows: the solvers beside each other.", no_args_is_help=True)


@arms.command("compare")
@take_parameters
def compare(
    pattern: PatternText,
    json: Annotated[bool, typer.Option("--json", help="A JSON object with every figure; SI units.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write plots to a file that ends in .png, .svg or .pdf.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height of the plots, pixels.")] = "1280x1280",
    force: Annotated[bool, typer.Option("--force", help="Replace a file of plots that is there.")] = False,
    **given: Any,
) -> None:
    """Pose a pattern with every solver, and say how far their elbows are apart."""
    from juggle_anim.analysis import arms_data, arms_text, check_plots, compare_arms, write_arms

    edges = picture_size(size)
    if plot:
        check_plots(plot, edges, force)
    found = compare_arms(open_animation(pattern, given))
    if json:
        from json import dumps

        typer.echo(dumps(arms_data(found), indent=1))
    else:
        typer.echo(arms_text(found))
    if plot:
        write_arms(found, plot, edges, force)
        typer.echo(str(plot), err=json)


@arms.callback()
def _arms() -> None:
    """Elbows: the solvers beside each other."""
