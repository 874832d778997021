"""What the commands that measure have in common: figures as text or for other programs, and plots of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from juggle_anim.commands.picture_size import picture_size

AsJson = Annotated[bool, typer.Option("--json", help="A JSON object with every figure; SI units.")]

PlotFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write plots to a file that ends in .png, .svg or .pdf.")
]

PlotSize = Annotated[str, typer.Option(metavar="WxH", help="Width and height of the plots, pixels.")]

ReplacePlot = Annotated[bool, typer.Option("--force", help="Replace a file of plots that is there.")]

USUAL_SIZE = "1280x1280"


def tell(
    json: bool,
    plot: Path | None,
    size: str,
    force: bool,
    measure: Callable[[], tuple[str | dict[str, Any], Callable[..., object]]],
) -> None:
    """Say what is measured, and write plots if wanted.

    Args:
        json, plot, size, force: as they are typed.
        measure: gives what is to be said, as text or as JSON can hold it, and what writes plots, when it is told where
            to, how large [pixels], and whether a file that is there is replaced.
    """
    from juggle_anim.analysis import check_plots

    edges = picture_size(size)
    if plot:
        check_plots(plot, edges, force)
    said, write = measure()
    if json:
        from json import dumps

        typer.echo(dumps(said, indent=1))
    else:
        typer.echo(said)
    if plot:
        write(plot, edges, force)
        typer.echo(str(plot), err=json)
