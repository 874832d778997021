"""The command line: `juggle-anim`."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from juggle_anim.errors import ParameterError
from juggle_anim.exit_codes import BAD_INPUT, FAILED, exit_codes
from juggle_anim.flags import take_parameters

if TYPE_CHECKING:
    from juggle_anim.notation import Check, LibraryPattern

# Below this width, in characters, descriptions would be a column of single words.
_ROOM_TO_DESCRIBE = 110

# \b keeps the lines as they are.
_EXAMPLES = """\b
Examples:
  juggle-anim 531                             watch the pattern 531
  juggle-anim "(6x,4)*" --chicken-wing 45     brackets and stars want quotes
  juggle-anim export 531 out/frames --size 1280x720 --fps 60
                                              one loop as PNG frames
  juggle-anim export b97531 out/video.mp4     a video
  juggle-anim list shower --props 4           patterns by name, tag and props
  juggle-anim check 531 532                   valid or why not
"""


class _PatternFirst(TyperGroup):
    """A group whose first word may also be a pattern to show, or a flag of show."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in (*ctx.help_option_names, "--version"):
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0]
        if self.get_command(ctx, word) is None:
            near = difflib.get_close_matches(word, [*self.list_commands(ctx), "--help"], n=1, cutoff=0.7)
            if near:
                ctx.fail(f"There is no command {word}. Did you mean {near[0]}?")
            args = ["show", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_PatternFirst,
    name="juggle-anim",
    help="Type a siteswap, and a person in 3D juggles it.",
    epilog=_EXAMPLES,
    rich_markup_mode=None,  # plain help is quick to print, and any terminal shows it
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_Pattern = Annotated[
    str, typer.Argument(metavar="PATTERN", help="A siteswap, a name from `list`, or pattern=531;dwell=1.")
]


@app.command()
@take_parameters
def show(pattern: _Pattern, **parameters: float | None) -> None:
    """Open the viewer; the word show may be left out."""
    from juggle_anim.animation import animate
    from juggle_anim.public import show as open_viewer

    open_viewer(animate(pattern, **parameters))


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
    from juggle_anim.animation import animate
    from juggle_anim.progress import progress
    from juggle_anim.public import export as write

    animation = animate(pattern, **parameters)
    with progress(quiet) as report:
        paths = write(animation, path, size=_size(size), fps=fps, loops=loops, force=force, progress=report)
    if not quiet:
        typer.echo(f"{path}: {len(paths)} frames" if len(paths) > 1 or path.is_dir() else str(path))


@app.command(name="list")
def list_patterns(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="Parts of a name, tag or siteswap.", show_default=False)
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only with this tag; may be repeated.")] = None,
    props: Annotated[int | None, typer.Option(metavar="N", help="Only with this many props.")] = None,
) -> None:
    """Show patterns that come with the program.

    Words may be mistyped; the best match comes first. Exits with 1 when nothing is found, as grep does.
    """
    from juggle_anim.notation import library, search

    text = " ".join(words or [])
    keys = [_known_tag(each) for each in tag or []]
    fit = search(text) if text.strip() else sorted(library(), key=lambda each: (_props(each), each.difficulty))
    found = [each for each in fit if props in (None, _props(each)) and each.tag_keys.issuperset(keys)]
    if not found:
        typer.echo(_nothing_found(text, fit), err=True)
        raise typer.Exit(FAILED)
    _print_table(found)


@app.command(name="check")
def check_patterns(
    patterns: Annotated[list[str], typer.Argument(metavar="PATTERN", help="Siteswaps, or names from `list`.")],
    json: Annotated[bool, typer.Option("--json", help="A JSON list with one object for each pattern.")] = False,
) -> None:
    """Say whether patterns are valid, or why not.

    A valid one is shown with its props, period, orbits and state. Exits with 2 when any is not valid.
    """
    from juggle_anim.notation import check

    checks = [check(text) for text in patterns]
    typer.echo(_as_json(checks) if json else "\n\n".join(map(_as_text, checks)))
    if not all(each.pattern for each in checks):
        raise typer.Exit(BAD_INPUT)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    if version:
        from juggle_anim import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line and exit: 0, 2 for bad input, 1 for a failed run, 130 for Ctrl-C."""
    with exit_codes():
        app()


def _size(text: str) -> tuple[int, int]:
    edges = re.fullmatch(r"([0-9]{1,5}) *[x×] *([0-9]{1,5})", text.strip().lower())
    if not edges:
        raise ParameterError(f"--size is {text!r}, but must be width x height in pixels, as 1280x720")
    return int(edges[1]), int(edges[2])


def _print_table(patterns: Sequence[LibraryPattern]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    wide = console.width >= _ROOM_TO_DESCRIBE
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Name", "Siteswap", "Props", "Difficulty"):
        table.add_column(heading, justify="right" if heading in ("Props", "Difficulty") else "left")
    if wide:
        table.add_column("What it is")
    for pattern in patterns:
        about = [pattern.description] if wide else []
        table.add_row(pattern.name, pattern.siteswap, str(_props(pattern)), str(pattern.difficulty), *about)
    console.print(table)


@cache
def _props(pattern: LibraryPattern) -> int:
    from juggle_anim.notation import read_siteswap

    return read_siteswap(pattern.siteswap).props


def _nothing_found(text: str, fit: Sequence[LibraryPattern]) -> str:
    from juggle_anim.notation import library, nearest_names

    if fit:
        some = ", ".join(each.name for each in fit[:3])
        return f"nothing is found with this --tag and --props{f', but without them {some}' if text else ''}"
    names = [name for each in library() for name in (*each.names, each.siteswap)]
    near = ", ".join(nearest_names(text, names, count=3, alike=0.4))
    return f"nothing is found; {f'the nearest are {near}' if near else 'try fewer words'}"


def _known_tag(tag: str) -> str:
    """The key of a tag of the library, so that a mistyped one is not taken for a rare one."""
    from juggle_anim.notation import library
    from juggle_anim.notation.library import name_key

    known = {name_key(each): each for pattern in library() for each in pattern.tags}
    if name_key(tag) in known:
        return name_key(tag)
    near = difflib.get_close_matches(name_key(tag), known, n=1, cutoff=0.6)
    others = f"did you mean {known[near[0]]}?" if near else f"there are {', '.join(sorted(known.values()))}"
    raise ParameterError(f"--tag is {tag!r}, which no pattern has: {others}")


def _as_json(checks: Sequence[Check]) -> str:
    import json

    return "[\n" + ",\n".join(json.dumps(each.as_data()) for each in checks) + "\n]"


def _as_text(check: Check) -> str:
    text = "".join(character if character.isprintable() else " " for character in check.text)
    if check.pattern is None:
        return f"{text}: not valid\n{textwrap.indent(str(check.error), '  ')}"
    data = check.as_data()
    known = {name: data[name] for name in ("siteswap", "jugglers", "props") if data[name] != check.text}
    known["period"] = f"{data['period']} beats"
    known["orbits"] = ", ".join(" ".join(map(str, orbit["throws"])) for orbit in data["orbits"]) or "none"
    known["state"] = data["state"] + {True: " (ground)", False: " (excited)", None: ""}[data["ground"]]
    return "\n".join([f"{text}: valid", *(f"  {name:<10}{value}" for name, value in known.items())])
