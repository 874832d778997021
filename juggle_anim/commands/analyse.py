"""The command `analyse`: what a pattern asks of hands, arms and props."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.commands.picture_size import picture_size
from juggle_anim.flags import take_parameters


@take_parameters
def analyse(
    pattern: PatternText,
    json: Annotated[bool, typer.Option("--json", help="A JSON object with every figure; SI units.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write plots to a file that ends in .png, .svg or .pdf.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height of the plots, pixels.")] = "1280x1280",
    force: Annotated[bool, typer.Option("--force", help="Replace a file of plots that is there.")] = False,
    **given: Any,
) -> None:
    """Measure a pattern: throws, hands, reach, collisions, forces."""
    from juggle_anim.analysis import analyse as measure
    from juggle_anim.analysis import as_data, as_text, check_plots, write_plots

    edges = picture_size(size)
    if plot:
        check_plots(plot, edges, force)
    animation = open_animation(pattern, given)
    analysis = measure(animation)
    if json:
        from json import dumps

        typer.echo(dumps(as_data(analysis), indent=1))
    else:
        typer.echo(as_text(analysis))
    if plot:
        write_plots(animation, analysis, plot, edges, force)
        typer.echo(str(plot), err=json)
