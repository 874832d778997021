"""The command `export`: frames, videos, animated pictures, stills, web pages, models and tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juggle_anim.commands.export_options import take_export_options
from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.exporter.options import ExportOptions
from juggle_anim.flags import take_parameters
from juggle_anim.formats import FILMS, MODELS, PAGES, STILLS, usual_endings

if TYPE_CHECKING:
    from juggle_anim.animation import Animation


_OUT = typer.Argument(
    metavar="OUT",
    help="A folder for PNG frames, names such as a_####.jpg, or a file: "
    + "; ".join(map(usual_endings, (FILMS, STILLS, PAGES, MODELS)))
    + ".",
)


@take_parameters
@take_export_options
def export(
    pattern: PatternText,
    path: Annotated[Path, _OUT],
    *,
    options: ExportOptions,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Keep what this very export has written already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how much it would be.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    **given: Any,
) -> None:
    """Write frames, a video, a GIF, a still, a web page, a 3D model or a table, as OUT says.

    Frames are one seamless loop. Needs no display. Each file can be opened again in place of a pattern.
    """
    options = replace(options, force=force, resume=resume)
    animation = open_animation(pattern, given)
    if dry_run:
        _tell_cost(animation, path, options)
    else:
        _write(animation, path, options, quiet)


def _write(animation: Animation, path: Path, options: ExportOptions, quiet: bool) -> None:
    from juggle_anim.exporter.export import export as write
    from juggle_anim.exporter.template import read_template
    from juggle_anim.progress import progress

    with progress(quiet) as report:
        paths = write(animation, path, replace(options, progress=report))
    if quiet:
        return
    if path.is_dir() or read_template(path):
        counts = Counter(each.parent for each in paths)
        typer.echo("\n".join(f"{folder}: {_frames(count)}" for folder, count in counts.items()))
    else:
        typer.echo("\n".join(map(str, paths)))


def _tell_cost(animation: Animation, path: Path, options: ExportOptions) -> None:
    from juggle_anim.exporter.estimate import estimate
    from juggle_anim.exporter.jobs import jobs_for
    from juggle_anim.progress import duration

    for job in jobs_for(animation, path, options):
        cost = estimate(job, options)
        typer.echo(
            f"{job.name}: {_frames(cost.frames)}, {cost.duration:.2f} s; "
            f"about {file_size(cost.size)}, about {duration(cost.seconds)} to write"
        )


def _frames(count: int) -> str:
    return "1 frame" if count == 1 else f"{count} frames"


def file_size(size: float) -> str:
    """A size [bytes] as people read it."""
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
