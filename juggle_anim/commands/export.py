"""The command `export`: pictures and videos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.commands.picture_size import picture_size
from juggle_anim.flags import take_parameters


@take_parameters
def export(
    pattern: PatternText,
    path: Annotated[Path, typer.Argument(metavar="OUT", help="A folder for PNG frames, or a file that ends in .mp4.")],
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height, pixels.")] = "1280x720",
    fps: Annotated[float, typer.Option(help="Frames a second.")] = 60.0,
    loops: Annotated[int | None, typer.Option(help="How often to go through the pattern.", show_default="1")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    **given: Any,
) -> None:
    """Write one loop as PNG frames, or a video. Needs no display."""
    from juggle_anim.progress import progress
    from juggle_anim.public import export as write

    animation = open_animation(pattern, given)
    with progress(quiet) as report:
        paths = write(animation, path, size=picture_size(size), fps=fps, loops=loops, force=force, progress=report)
    if not quiet:
        typer.echo(f"{path}: {len(paths)} frames" if len(paths) > 1 or path.is_dir() else str(path))
