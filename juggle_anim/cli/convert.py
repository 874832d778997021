"""The command `convert`: patterns from one format into another."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from juggle_anim.cli.command import Command, argument, option
from juggle_anim.cli.options import Force, print_notes, say
from juggle_anim.errors import ParameterError
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.notation import PatternFormat, PatternList


@click.command("convert", cls=Command)
def convert(
    sources: Annotated[
        list[str] | None,
        argument(
            metavar="IN",
            help=_(
                "Patterns, files, one of their patterns as tricks.jml#3, or - for standard input."
            ),
        ),
    ] = None,
    path: Annotated[
        str,
        argument(
            metavar="OUT",
            help=_("A .jml, .jif, .pass, .csv or .txt file, or - for standard output."),
        ),
    ] = "",
    to: Annotated[
        str | None,
        option(
            "--format",
            metavar="jml|jif|pass|csv|txt",
            help=_("Format for standard output."),
            show_default=False,
        ),
    ] = None,
    events: Annotated[
        bool,
        option("--events", help=_("Write out the time and place of every throw and catch.")),
    ] = False,
    force: Force = False,
) -> None:
    """Convert patterns to another file format.

    The ending of OUT chooses the format. What it cannot hold is listed.
    """
    from juggle_anim.notation import with_events, write_file, write_patterns

    # A single word is what is converted, and so is the last one if a format is given beside it.
    is_printed = to is not None and not Path(path).suffix and path != "-"
    words, out = (sources, path) if sources else ([path], "-")
    if sources and is_printed:
        words = [*sources, path]
        out = "-"
    if not words[0]:
        raise ParameterError(_("{name} is missing", name="IN"))
    printed = _printed_kind(out, to)
    patterns = _read(words)
    patterns, failed = with_events(patterns) if events else (patterns, ())

    # They go to standard output or a file, and all losses to standard error.
    if printed:
        text_and_losses = write_patterns(patterns, printed)
        click.echo(text_and_losses.text, nl=False)
        left_out = text_and_losses.left_out
    else:
        left_out = write_file(patterns, out, force)
        say(out)
    for sentence in (*failed, *left_out):
        say(sentence, err=True)


def _read(words: list[str]) -> PatternList:
    """Return the patterns of all words as one list, and print notes on what is not read."""
    from juggle_anim.notation import PatternList, find_pattern, open_patterns, read_stream

    # A name of several words, and passes as in 4p 2 3, need no quotes.
    line = " ".join(words)
    sources = [line] if find_pattern(line) or re.fullmatch(r"[\dp. ]+p[\dp. ]*", line) else words
    lists = []
    for source in sources:
        is_stream = source == "-"
        name = _("standard input") if is_stream else source
        patterns = read_stream(sys.stdin.buffer, name) if is_stream else open_patterns(source)
        print_notes(name, patterns.notes)
        lists.append(patterns)
    if len(lists) == 1:
        return lists[0]
    return PatternList(tuple(entry for patterns in lists for entry in patterns.entries))


def _printed_kind(path: str, to: str | None) -> PatternFormat | None:
    """Return the format in which patterns are printed; None if they are written to a file.

    Args:
        path: path of the file, whose ending decides; - for standard output.
        to: the ending of a format, as typed, with or without its point; None if none was given.

    Raises:
        ParameterError: a format is given beside a file; or the path is - and no format is given, or
            an unknown one.
    """
    from juggle_anim.notation import LISTS, ending_of

    if path != "-":
        if to is not None:
            raise ParameterError(
                _(
                    "--format is for standard output (-) only; the extension of {path} "
                    "sets its format",
                    path=path,
                )
            )
        return None
    if to is None:
        raise ParameterError(_("standard output needs --format jml|jif|pass|csv|txt"))
    # A point before the ending is optional, and `siteswap` means a text file.
    file_format = LISTS.get(ending_of(to.removeprefix(".").replace("siteswap", "txt")))
    if file_format is None:
        raise ParameterError.of("format", to, _("jml, jif, pass, csv or txt"))
    return file_format
