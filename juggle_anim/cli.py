"""The command line: `juggle-anim`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from juggle_anim.errors import ExportError, JuggleError, ParameterError, RenderError, ViewerError
from juggle_anim.flags import take_parameters

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
"""Exit codes."""

RUN_ERRORS = (ExportError, RenderError, ViewerError)
"""What goes wrong though the input is good."""

# Below this width, in characters, descriptions would be a column of single words.
_ROOM_TO_DESCRIBE = 110

_EXAMPLES = """
[bold]Examples[/bold]

juggle-anim 531 [dim]watch the pattern 531[/dim]

juggle-anim "(6x,4)*" --chicken-wing 45 [dim]brackets and stars want quotes[/dim]

juggle-anim export 531 out/frames --size 1280x720 --fps 60 [dim]one loop as PNG frames[/dim]

juggle-anim export b97531 out/video.mp4 [dim]a video[/dim]

juggle-anim list [dim]patterns to start from[/dim]
"""


class _PatternFirst(TyperGroup):
    """A group whose first word may also be a pattern to show, and whose errors are one message and an exit code."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            args = ["show", *args]
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except JuggleError as error:
            typer.echo(error, err=True)
            raise typer.Exit(FAILED if isinstance(error, RUN_ERRORS) else BAD_INPUT) from error
        except KeyboardInterrupt as stop:
            typer.echo("stopped", err=True)
            raise typer.Exit(INTERRUPTED) from stop


app = typer.Typer(
    cls=_PatternFirst,
    name="juggle-anim",
    help="Type a siteswap, and a person in 3D juggles it.",
    epilog=_EXAMPLES,
    rich_markup_mode="rich",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_Pattern = Annotated[
    str, typer.Argument(metavar="PATTERN", help="A siteswap, as 531 or (6x,4)*, or a name from `list`.")
]


@app.command()
@take_parameters
def show(pattern: _Pattern, **parameters: float | None) -> None:
    """Open the viewer; the word show may be left out."""
    from juggle_anim.public import show as open_viewer

    open_viewer(_animation(pattern, parameters))


@app.command()
@take_parameters
def export(
    pattern: _Pattern,
    path: Annotated[Path, typer.Argument(metavar="OUT", help="A folder for PNG frames, or a file that ends in .mp4.")],
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height, pixels.")] = "1280x720",
    fps: Annotated[float, typer.Option(help="Frames a second.")] = 60.0,
    loops: Annotated[int | None, typer.Option(help="How often to go through the pattern.", show_default="1")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    **parameters: float | None,
) -> None:
    """Write one loop as PNG frames, or a video. Needs no display."""
    from juggle_anim.progress import progress
    from juggle_anim.public import export as write

    animation = _animation(pattern, parameters)
    with progress(quiet) as report:
        paths = write(animation, path, size=_size(size), fps=fps, loops=loops, force=force, progress=report)
    if not quiet:
        typer.echo(f"{path}: {len(paths)} frames" if len(paths) > 1 or path.is_dir() else str(path))


@app.command(name="list")
def list_patterns() -> None:
    """Show the patterns that come with the program."""
    from rich.console import Console
    from rich.table import Table

    from juggle_anim.notation import library, read_siteswap

    console = Console(highlight=False, markup=False)
    wide = console.width >= _ROOM_TO_DESCRIBE
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Name", "Siteswap", "Props", "Difficulty"):
        table.add_column(heading, justify="right" if heading in ("Props", "Difficulty") else "left")
    if wide:
        table.add_column("What it is")
    for pattern in library():
        props = str(read_siteswap(pattern.siteswap).props)
        about = [pattern.description] if wide else []
        table.add_row(pattern.name, pattern.siteswap, props, str(pattern.difficulty), *about)
    console.print(table)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    if version:
        from juggle_anim import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line and exit: 0, 2 for bad input, 1 for a failed run, 130 for Ctrl-C."""
    app()


def _animation(text: str, parameters: dict[str, float | None]) -> Any:
    from juggle_anim.animation import animate
    from juggle_anim.notation import find_pattern

    named = find_pattern(text)
    return animate(named.siteswap if named else text, **parameters)


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.lower().replace("×", "x").partition("x")
    if not (times and width.strip().isdecimal() and height.strip().isdecimal()):
        raise ParameterError(f"--size is {text!r}, but must be width x height in pixels, as 1280x720")
    return int(width), int(height)
