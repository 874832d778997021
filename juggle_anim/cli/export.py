"""The command `export`: frames, videos, animated pictures, stills, web pages, models and tables."""

from __future__ import annotations

import functools
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from juggle_anim.cli.command import Command, Description, argument, option
from juggle_anim.cli.options import (
    DryRun,
    Force,
    PatternText,
    Quiet,
    duration,
    flag_parameter,
    open_animation,
    progress,
    say,
    take_parameters,
)
from juggle_anim.errors import ExportError, ParameterError, counted, joined_names
from juggle_anim.exporter import (
    ALL_PROPS,
    SIZES,
    TURNTABLE,
    ExportOptions,
    Quality,
    picture_size,
    read_file_size,
)
from juggle_anim.formats import EXPORTS, MODELS, PAGES, STILLS, SUBTITLES, VIDEOS, main_endings
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.animation import Animation


_OUT = argument(
    metavar="OUT",
    help=_(
        "A file: {endings}; or a folder for PNG frames, a name for frames such "
        "as a_####.jpg, or - for raw frames in a pipe.",
        endings="; ".join(map(main_endings, (VIDEOS, STILLS, PAGES, MODELS, SUBTITLES))),
    ),
)

_SOUND = main_endings({ending: row for ending, row in VIDEOS.items() if row.sound})


def _default_rates() -> str:
    """Return the default frame rates: the common one, then the others with their formats."""
    rates: dict[float, list[str]] = {}
    for ending, row in VIDEOS.items():
        rates.setdefault(row.fps, []).append(ending)
    common, *others = sorted(rates, reverse=True)
    return f"{common:.3g}; " + ", ".join(
        _("{rate:.3g} for {rates}", rate=rate, rates=joined_names(rates[rate])) for rate in others
    )


_FLAGS: dict[str, Description] = {
    "size": option(
        "--size",
        "--preset",
        metavar="WxH",
        help=_("Size in pixels, or {sizes}.", sizes=", ".join(SIZES)),
    ),
    "fps": option(
        metavar="RATE",
        help=_("Frames per second, such as 25 or 24000/1001."),
        show_default=_default_rates(),
    ),
    "loops": option(
        metavar="N|all",
        help=_("Number of loops; all runs until every prop is back where it started."),
        show_default=_("1 for frames, otherwise all"),
    ),
    "start": option(
        metavar="SECONDS",
        help=_("Start time."),
        show_default=_("0, or the best moment for a picture"),
    ),
    "seconds": option(
        metavar="SECONDS", help=_("Duration, instead of whole loops."), show_default=False
    ),
    "at": option(metavar="beats|throws|catches", help=_("Pictures at these events only.")),
    "cameras": option(
        "--camera",
        metavar="VIEW",
        help=_(
            "front, left, right, back, top, eyes, azimuth,elevation, turntable, or "
            "a path: 'front@0 left@2'. Repeat for several files."
        ),
        show_default=False,
    ),
    "max_size": option(
        metavar="2MB",
        help=_("Maximum file size of a video; frame rate, then resolution are reduced to fit."),
        show_default=False,
    ),
    "transparent": option("--transparent", help=_("Transparent background.")),
    "background": option(
        metavar="COLOUR",
        help=_("Plain background, such as white or #ff8c00."),
        show_default=False,
    ),
    "supersampling": option(metavar="N", help=_("Antialiasing: N by N samples per pixel.")),
    "blur": option(metavar="N", help=_("Motion blur: N samples per frame.")),
    "quality": option(metavar="draft|good|best", help=_("Quality for lossy formats.")),
    "dither": option("--dither", help=_("Dither the colours of a GIF.")),
    "sound": option("--sound", help=_("Add the sound of catches, in {sound}.", sound=_SOUND)),
    "depth": option(metavar="8|16", help=_("Bits per channel of PNG pictures (EXR has 16).")),
    "captions": option("--captions", help=_("Show the throws of each beat in the picture.")),
    "subtitles": option(
        metavar="srt|vtt", help=_("Save the captions as a subtitle file."), show_default=False
    ),
    "bones": option(
        metavar="mixamo|vrm",
        help=_("Naming scheme for the bones of a model."),
        show_default=False,
    ),
    "scale": option(metavar="N", help=_("Units per metre in BVH: 100 for centimetres.")),
    "first": option(metavar="N", help=_("Number of the first frame.")),
}
"""By the name of the option, in the order of the help; `force`, `resume` and `progress` are each
command's own.
"""

_TYPED_AS: dict[str, Any] = {
    "size": str,
    "fps": str | None,
    "loops": str | None,
    "cameras": list[str] | None,
    "max_size": str | None,
}
"""Types of options as they are typed, where those are not the types of the options."""

_TYPED_DEFAULTS: dict[str, object] = {
    "size": "1280x720",
    "cameras": None,
    "quality": Quality.GOOD.value,
}
"""Defaults as they are typed, where that is not how the options have them."""


def _flag_parameters() -> list[inspect.Parameter]:
    """Return the parameters from which flags for all export options are made, in their order."""
    fields = inspect.signature(ExportOptions, eval_str=True).parameters
    edge_help = _("Use instead of --size; alone, it keeps the aspect ratio.")
    return [
        *(
            flag_parameter(
                name,
                _TYPED_AS.get(name, fields[name].annotation),
                description,
                _TYPED_DEFAULTS.get(name, fields[name].default),
            )
            for name, description in _FLAGS.items()
        ),
        # Other ways to give one of the options.
        flag_parameter(
            TURNTABLE,
            bool,
            option(f"--{TURNTABLE}", help=_("Circle around once, like --camera turntable.")),
            False,
        ),
        *(
            flag_parameter(
                f"picture_{edge}",
                int | None,
                option(f"--{edge}", metavar="PIXELS", help=edge_help, show_default=False),
            )
            for edge in ("width", "height")
        ),
    ]


def take_export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command a flag for each of `ExportOptions` in place of its parameter `options`.

    When the command line calls the result, it makes the options from the flags, and calls the
    command with them.

    Args:
        command: the command with a parameter `options`.

    Returns:
        The command with flags, for the library that parses command lines.
    """

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        # Arguments are the command's own and those of all export options, which are taken out. Some
        # values are typed in another form than options have.
        typed = {name: arguments.pop(name) for name in _FLAGS}
        turns_once, width, height = map(
            arguments.pop, (TURNTABLE, "picture_width", "picture_height")
        )
        options = {
            name: _READERS[name](value) if name in _READERS else value
            for name, value in typed.items()
        }
        if turns_once:
            options["cameras"] += (TURNTABLE,)
        options["size"] = _with_edges(options["size"], width, height)
        command(options=ExportOptions(**options), **arguments)

    # The signature from which the library makes flags: a parameter for each option.
    entries: list[inspect.Parameter] = []
    signature = inspect.signature(command, eval_str=True)
    for name, entry in signature.parameters.items():
        entries += _flag_parameters() if name == "options" else [entry]
    wrapper.__signature__ = signature.replace(parameters=entries)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {entry.name: entry.annotation for entry in entries}
    return wrapper


def _with_edges(size: tuple[int, int], width: int | None, height: int | None) -> tuple[int, int]:
    """Return a size with another width or height, [pixels].

    If only one of them is given, the other follows from it so that the shape stays the same.

    Args:
        size: width and height before, [pixels].
        width: the width as typed, [pixels]; None if it was not typed.
        height: the height as typed, [pixels]; None if it was not typed.
    """
    shape = size[0] / size[1]
    if width is None and height is None:
        return size
    if width is None:
        assert height is not None
        # Rounded to an even number, which videos need.
        width = 2 * round(height * shape / 2)
    if height is None:
        height = 2 * round(width / shape / 2)
    return width, height


@click.command("export", cls=Command)
@take_parameters
@take_export_options
def export(
    pattern: PatternText,
    outs: Annotated[list[str] | None, _OUT] = None,
    *,
    options: ExportOptions,
    force: Force = False,
    resume: Annotated[bool, option("--resume", help=_("Continue an interrupted export."))] = False,
    form: Annotated[
        str | None,
        option(
            "--format",
            "-f",
            metavar="y4m|rgb24|rgba",
            help=_("Format of raw frames, for OUT -."),
            show_default="y4m",
        ),
    ] = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    **flags: Any,
) -> None:
    """Save as video, GIF, pictures, web page, 3D model or table.

    The ending of OUT chooses the format. Each file is one seamless loop, and can be opened again in
    place of a pattern. No display is needed.
    """
    options = replace(options, force=force, resume=resume)
    # Each is of a pattern that is read only once it is known where it goes.
    paths: Sequence[str | None] = outs or [None]
    for path in paths:
        _export_to(pattern, path, options, form, flags, dry_run=dry_run, quiet=quiet)


def _export_to(
    pattern: str,
    path: str | None,
    options: ExportOptions,
    form: str | None,
    flags: dict[str, Any],
    *,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Export a pattern to one place.

    Args:
        pattern: as typed.
        path: as typed; None for a file named after the pattern.
        options: options of the export.
        form: the typed format; None for none.
        flags: flags for parameters that were typed, by name.
        dry_run: whether only size and time are estimated.
        quiet: whether nothing is printed.
    """
    # Imported when first used: the help is there sooner.
    from juggle_anim.batch.plan import safe_name
    from juggle_anim.exporter import export as write
    from juggle_anim.exporter import export_path

    # - is standard output, which takes raw frames, or one file of a format of files.
    is_file = path is None or f".{form}" in EXPORTS
    path = path or f"{safe_name(pattern)}.{form or 'mp4'}"
    if form and is_file and path != "-" and not Path(path).suffix and f".{form}" not in STILLS:
        # The file has its usual name in the folder.
        path = str(Path(path, f"{safe_name(pattern)}.{form}"))
    if path == "-" and is_file:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            (file, *_others) = write(
                open_animation(pattern, flags), Path(folder, f"file.{form}"), options
            )
            sys.stdout.buffer.write(file.read_bytes())
        return
    if path == "-":
        _pipe(open_animation(pattern, flags), options, form or "y4m", quiet=quiet)
        return
    if form and not is_file:
        raise ParameterError(
            _(
                "format is for raw frames (OUT is -); otherwise the extension of OUT "
                "sets the format"
            ),
            "format",
        )
    animation = open_animation(pattern, flags)
    export_to = export_path(path)
    if dry_run:
        _print_cost(animation, export_to, options)
    else:
        _write_files(animation, export_to, options, quiet=quiet)


def _pipe(animation: Animation, options: ExportOptions, form: str, *, quiet: bool) -> None:
    """Write raw frames of the first camera to standard output.

    Args:
        animation: the animation.
        options: options of the export.
        form: form of frames: y4m, rgb24 or rgba.
        quiet: whether to show no progress.

    Raises:
        ExportError: standard output is closed.
        ParameterError: standard output is a terminal.
    """
    from juggle_anim.exporter import export_jobs, write_raw

    # Before anything is drawn, see that somebody takes the frames.
    if sys.__stdout__ is None:
        raise ExportError(
            _(
                "standard output is closed; send raw frames to a program or file: | "
                "ffmpeg -i - a.mkv, or > a.y4m"
            )
        )
    if sys.stdout.isatty():
        raise ParameterError(
            _("send raw frames to a program or file: | ffmpeg -i - a.mkv, or > a.y4m")
        )
    (job,) = export_jobs(animation, Path("frames"), replace(options, cameras=options.cameras[:1]))
    with progress(quiet=quiet) as report:
        write_raw(job.request, form, sys.stdout.buffer, report)


def _write_files(animation: Animation, path: Path, options: ExportOptions, *, quiet: bool) -> None:
    """Write the files of an export, and print their names; of frames, only folders and numbers.

    Args:
        animation: what is shown.
        path: path of the file, or a folder or a name such as ####.png for frames.
        options: options of the export.
        quiet: whether nothing is printed, neither progress nor names.
    """
    from juggle_anim.exporter import export as write
    from juggle_anim.exporter import read_template

    with progress(quiet=quiet) as report:
        paths = write(animation, path, replace(options, progress=report))
    if quiet:
        return
    # Frames are too many to name.
    if path.is_dir() or read_template(path):
        counts = Counter(file.parent for file in paths)
        say("\n".join(f"{folder}: {_frames(count)}" for folder, count in counts.items()))
    else:
        say("\n".join(map(str, paths)))


def _print_cost(animation: Animation, path: Path, options: ExportOptions) -> None:
    """Print an estimate for each file of an export: frames, duration, size and time to write.

    Args:
        animation: what would be exported.
        path: path whose ending says the format.
        options: options of the export.
    """
    from juggle_anim.exporter import estimate, export_jobs, fit_to_max_size

    # With an option for the greatest size of a file, frame rate and pixels are reduced to fit it.
    options = fit_to_max_size(animation, path, options)
    for job in export_jobs(animation, path, options):
        cost = estimate(job, options)
        # Kinds of files that have no frames.
        count_text = {"page": "1 page", "still": "1 picture", "subtitles": "1 file"}.get(
            job.kind, _frames(cost.frames)
        )
        lasts = f", {cost.duration:.2f} s" if cost.duration else ""
        say(
            _(
                "{name}: {many}{lasts}; about {size}, about {seconds} to write",
                name=job.name,
                many=count_text,
                lasts=lasts,
                size=file_size(cost.size),
                seconds=duration(cost.seconds),
            )
        )


def _frames(count: int) -> str:
    return counted(count, "frame")


def file_size(size: float) -> str:
    """Format a file size [bytes]."""
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"


def read_loops(text: str | None) -> int | str | None:
    """Read a number of loops, or all."""
    if text is None or text.strip().casefold() == ALL_PROPS:
        return text and ALL_PROPS
    # A negative number is read, and refused with its range later on.
    if not (text.strip().removeprefix("-").isdecimal() and len(text) < 20):
        raise ParameterError.of("loops", text, _("a whole number of at least 1, or all"))
    return int(text)


def read_rate(text: str | None) -> float | None:
    """Read a frame rate, [frames/s]: a number, or a fraction as 24000/1001; None stays."""
    if text is None:
        return None
    numerator, slash, denominator = text.casefold().removesuffix("fps").partition("/")
    try:
        return float(numerator) / float(denominator) if slash else float(numerator)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ParameterError.of(
            "fps", text, _("a number such as 25, or a fraction such as 24000/1001")
        ) from None


_READERS: dict[str, Callable[[Any], Any]] = {
    "size": picture_size,
    "fps": read_rate,
    "loops": read_loops,
    "max_size": lambda text: None if text is None else read_file_size(text),
    "cameras": lambda texts: tuple(texts or ()),
}
