"""The command `convert`: patterns from one format into another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from juggle_anim.cli.output import print_notes, say
from juggle_anim.errors import ParameterError
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.notation.formats import PatternFormat


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help=_("A file, one of its patterns, as tricks.jml#3, any pattern, or -.")
        ),
    ],
    path: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help=_("A file that ends in .jml, .jif, .pass or .txt, or -.")
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="jml|jif|pass|txt", help=_("What to print."), show_default=False
        ),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help=_("Write when and where hands throw and catch."))
    ] = False,
    force: Annotated[bool, typer.Option("--force", help=_("Replace what is there."))] = False,
) -> None:
    """Write patterns in another format, by the ending of OUT.

    What that format cannot hold is said, a line for each.
    """
    from juggle_anim.notation.files import read_stream, write_file, write_patterns
    from juggle_anim.notation.open import open_patterns
    from juggle_anim.notation.rewriting import with_events

    # OUT is checked first, before a long file is read.
    printed = _printed_format(path, to)
    patterns = (
        read_stream(sys.stdin.buffer, _("standard input"))
        if source == "-"
        else open_patterns(source)
    )
    print_notes(_("standard input") if source == "-" else source, patterns.notes)
    patterns, failed = with_events(patterns) if events else (patterns, ())
    if printed:
        written = write_patterns(patterns, printed)
        typer.echo(written.text, nl=False)
        left_out = written.left_out
    else:
        left_out = write_file(patterns, path, force)
    for sentence in (*failed, *left_out):
        say(sentence, err=True)


def _printed_format(path: str, to: str | None) -> PatternFormat | None:
    """Return the format to print; None where the ending of a file decides.

    Args:
        path: OUT as typed; - stands for standard output.
        to: ending of the format as typed, perhaps with a dot; None if it was not given.

    Raises:
        ParameterError: the format is unknown, is missing for -, or is given for a file.
    """
    from juggle_anim.notation.formats import WRITTEN

    if path != "-":
        if to is not None:
            raise ParameterError(
                _(
                    "--format goes with - only: the ending of {path} says how it is written",
                    path=path,
                )
            )
        return None
    if to is None:
        raise ParameterError(_("- needs --format jml|jif|pass|txt"))
    pattern_format = WRITTEN.get(f".{to.casefold().removeprefix('.')}")
    if pattern_format is None:
        raise ParameterError.of("format", to, _("jml, jif, pass or txt"))
    return pattern_format
