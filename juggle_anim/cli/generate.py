"""The command `generate`: all patterns with some number of props, highest throw and period."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from juggle_anim.cli.output import json_list
from juggle_anim.errors import ParameterError

if TYPE_CHECKING:
    from juggle_anim.generator import Generated

_WITH_VALUES = "--out", "--most"


class ArgumentLine(TyperCommand):
    """A command whose words with one dash, such as `-m 2` and `-prime`, belong to its line of arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options, which have two dashes, and leave all else to the line."""
        options, line, words = [], [], iter(args)
        for word in words:
            if word.startswith("--") or word == "-h":
                options += [word, *islice(words, word in _WITH_VALUES)]
            else:
                line.append(word)
        return super().parse_args(ctx, [*options, "--", *line])


def generate(
    words: Annotated[
        list[str],
        typer.Argument(metavar="PROPS MAX PERIOD", help="As 5 7 5, 5 9 1-4 or 4 - 3, and then what is below."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a list that ends in .txt, .jml or .json.", show_default=False),
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after so many.", min=1, show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A JSON list with one object for each pattern.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Find all patterns with so many props, throws up to MAX and a period.

    MAX is a number, a letter (a is 10) or - for as high as the period allows; PERIOD is a number, several as 2-5, or -
    for any. A pattern that does not start in the ground state stands between the throws into it and out of it.

    \b
    -f      those too that are back at their start before their end
    -prime  no state twice        -g      ground state only     -ng  excited states only
    -rot    every rotation        -lame   no 11                 -s   synchronous
    -m N    multiplexes of N      -mf     squeezed catches too  -mc  no clusters such as [33]
    -mt     true multiplexes      -hsym   hands mirrored        -nostar  written without *
    -j N    jugglers              -cp     connected by passes   -sym all alike
    -jp     every permutation     -d N    usual throws for N beats, but of the leader -l N
    -x, -i  words that must not stand in a pattern, or must; regular expressions
    -se     no throws into patterns and out of them             -n, -no  the count too, or alone
    """
    from juggle_anim.generator import find_with_passages, read_arguments

    options, printed = read_arguments(" ".join(words))
    found = islice(find_with_passages(options), most)
    if out is not None:
        _write(found, out, force)
    elif json:
        typer.echo(json_list(each._asdict() for each in found))
    else:
        _print(found, printed)


def _print(found: Iterator[Generated], printed: frozenset[str]) -> None:
    count = 0
    for each in found:
        count += 1
        if "-no" not in printed:
            typer.echo(_line(each, passages="-se" not in printed))
    if printed & {"-n", "-no"}:
        typer.echo(f"{count} pattern{'s' * (count != 1)}")


def _line(found: Generated, passages: bool) -> str:
    if not found.entry and not found.exit:
        return found.pattern
    return f"{found.entry}  {found.pattern}  {found.exit}".strip() if passages else f"* {found.pattern} *"


def _write(found: Iterator[Generated], path: Path, force: bool) -> None:
    from juggle_anim.atomic_file import atomic_file, prepare_folder, refuse_existing

    ending = path.suffix.casefold()
    if ending not in (".txt", ".jml", ".json"):
        raise ParameterError(f"--out is {str(path)!r}, but must end in .txt, .jml or .json")
    refuse_existing(path, force)
    if ending == ".jml":
        from juggle_anim.notation.files import write_file
        from juggle_anim.notation.text_list import read_text_list

        lines = "".join(f"{each.pattern}\n" for each in found)
        write_file(read_text_list(lines, path.name), path, force)
        return
    prepare_folder(path)
    with atomic_file(path) as partial:
        if ending == ".json":
            partial.write_text(json_list(each._asdict() for each in found) + "\n", encoding="utf-8")
        else:
            with partial.open("w", encoding="utf-8") as file:
                file.writelines(f"{each.pattern}\n" for each in found)
