"""The command `export`: frames, videos, animated pictures, stills, web pages, models and tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from juggle_anim.commands.opening import PatternText, open_animation
from juggle_anim.commands.picture_size import picture_size
from juggle_anim.flags import take_parameters

if TYPE_CHECKING:
    from juggle_anim.animation import Animation


@take_parameters
def export(
    pattern: PatternText,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="A folder for PNG frames, names such as a_####.jpg, or a file: .mp4, .webm, .mov, .gif, .apng, .webp; "
            ".png, .jpg, .tif; .html; .glb, .gltf, .usdz, .usdc, .usda, .bvh; .csv, .json, .npz.",
        ),
    ],
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height, pixels.")] = "1280x720",
    fps: Annotated[
        float | None, typer.Option(help="Frames a second.", show_default="60; 33.3 for .gif, 30 for .apng and .webp")
    ] = None,
    loops: Annotated[
        str | None,
        typer.Option(
            metavar="N|all",
            help="How often to go through the pattern; all is until every prop is back.",
            show_default="1 for frames, or else all",
        ),
    ] = None,
    start: Annotated[float, typer.Option(metavar="SECONDS", help="Begin so late.")] = 0.0,
    seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long, in place of whole loops.", show_default=False)
    ] = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VIEW",
            help="front, left, right, back, top, or azimuth,elevation. Several give several files.",
            show_default=False,
        ),
    ] = None,
    transparent: Annotated[bool, typer.Option("--transparent", help="Nothing behind people and props.")] = False,
    supersampling: Annotated[int, typer.Option(metavar="N", help="Draw N by N pixels for each.")] = 1,
    blur: Annotated[int, typer.Option(metavar="N", help="Draw N moments for each frame: motion blur.")] = 1,
    quality: Annotated[str, typer.Option(metavar="draft|good|best", help="Where anything is lost.")] = "good",
    dither: Annotated[bool, typer.Option("--dither", help="Mix the colours of a GIF pixel by pixel.")] = False,
    sound: Annotated[bool, typer.Option("--sound", help="A sound for each catch, in .mp4, .webm and .mov.")] = False,
    first: Annotated[int, typer.Option(metavar="N", help="Number of the first frame.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Keep what this very export has written already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how much it would be.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    **given: Any,
) -> None:
    """Write frames, a video, a GIF, a still, a web page, a 3D model or a table, as OUT says.

    Frames are one seamless loop. Needs no display. Each file can be opened again in place of a pattern.
    """
    wanted = {
        "size": picture_size(size), "fps": fps, "loops": read_loops(loops), "start": start, "seconds": seconds,
        "cameras": camera or (), "transparent": transparent, "supersampling": supersampling, "blur": blur,
        "quality": quality, "dither": dither, "sound": sound, "first": first, "resume": resume,
    }  # fmt: skip
    animation = open_animation(pattern, given)
    if dry_run:
        _tell_cost(animation, path, wanted)
    else:
        _write(animation, path, wanted, force, quiet)


def _write(animation: Animation, path: Path, wanted: dict[str, Any], force: bool, quiet: bool) -> None:
    from juggle_anim.exporter.template import read_template
    from juggle_anim.progress import progress
    from juggle_anim.public import export as write

    with progress(quiet) as report:
        paths = write(animation, path, force=force, progress=report, **wanted)
    if quiet:
        return
    if path.is_dir() or read_template(path):
        counts = Counter(each.parent for each in paths)
        typer.echo("\n".join(f"{folder}: {_frames(count)}" for folder, count in counts.items()))
    else:
        typer.echo("\n".join(map(str, paths)))


def _tell_cost(animation: Animation, path: Path, wanted: dict[str, Any]) -> None:
    from juggle_anim.exporter.estimate import estimate
    from juggle_anim.exporter.export import planned
    from juggle_anim.progress import duration

    jobs, manner = planned(animation, path, **wanted)
    for job in jobs:
        cost = estimate(job, manner)
        typer.echo(
            f"{job.name}: {_frames(cost.frames)}, {cost.duration:.2f} s; "
            f"about {file_size(cost.size)}, about {duration(cost.seconds)} to write"
        )


def _frames(count: int) -> str:
    return "1 frame" if count == 1 else f"{count} frames"


def read_loops(text: str | None) -> int | str | None:
    """A number of loops from what is typed, or all."""
    from juggle_anim.errors import ParameterError

    if text is None or text.strip().casefold() == "all":
        return text and "all"
    if not (text.strip().removeprefix("-").isdecimal() and len(text) < 20):
        raise ParameterError(f"--loops is {text!r}, but must be a whole number from 1 up, or all")
    return int(text)


def file_size(size: float) -> str:
    """A size [bytes] as people read it."""
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
