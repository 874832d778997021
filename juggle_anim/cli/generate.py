"""The command `generate`: all patterns with some number of props, highest throw and period.

The command `transition`: the throws that lead from one pattern into another and back.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from juggle_anim.cli.command import ArgumentLine, argument, option, out_option
from juggle_anim.cli.options import Force, JsonList, json_list, say
from juggle_anim.errors import NotationError, ParameterError, PatternError, counted
from juggle_anim.language import _

if TYPE_CHECKING:
    from juggle_anim.generator import Generated, Search
    from juggle_anim.notation import JoinedPatterns, TransitionLine

    Steps = Iterator[list[Generated]]
    """The patterns that each step of a search has found."""


_Most = Annotated[
    int | None,
    option(
        metavar="N", help=_("Stop after N results."), type=click.IntRange(1), show_default=False
    ),
]

_BAR_DELAY = 0.5  # s; a shorter search shows no bar


@click.command("generate", cls=ArgumentLine)
def generate(
    words: Annotated[
        list[str] | None,
        argument(
            metavar="PROPS MAX PERIOD",
            help=_("Such as 5 7 5, 5 9 1-4 or 4 - 3, and options such as -prime."),
        ),
    ] = None,
    props: Annotated[
        str | None, option("--props", "-b", metavar="N", help=_("Number of props."))
    ] = None,
    highest: Annotated[str | None, option("--max", metavar="N", help=_("Highest throw."))] = None,
    period: Annotated[
        str | None, option("--period", "-p", metavar="N", help=_("Period, or a range such as 2-5."))
    ] = None,
    out: Annotated[
        Path | None,
        out_option(_("Save a list: .txt, .csv, .jml or .json.")),
    ] = None,
    most: _Most = None,
    json: JsonList = False,
    force: Force = False,
) -> None:
    """Find siteswaps with given props, highest throw and period.

    MAX is a number, a letter (a is 10) or - for as high as the period allows; PERIOD is a number, a
    range such as 2-5, or - for any. A pattern that does not start in the ground state is listed
    between the throws that lead into it and back.

    \b
    -f      also shorter ones joined: 423 is 42 and 3
    -prime  no state twice          -g     ground state only
    -ng     excited states only     -rot   every rotation
    -lame   no 11                   -s     synchronous
    -m N    multiplexes up to N     -mf    squeezed catches too
    -mc     no clusters like [33]   -mt    true multiplexes only
    -hsym   mirrored hands          -nostar  written without *
    -j N    number of jugglers      -cp    connected by passes
    -sym    all jugglers alike      -jp    every permutation
    -d N    usual throws for N beats, except those of the leader, -l N
    -x, -i  throws that a pattern must not, or must, contain; regular expressions
    -se     leave out the throws into patterns and back
    -n, -no print the count as well, or only the count
    """
    from juggle_anim.generator import Search, read_arguments

    # Beside a number of props by name, -m is the highest throw.
    if props and words and "-m" in words[:-1] and not highest:
        highest = words.pop(words.index("-m") + 1)
        words.remove("-m")
    words = words or []
    # What is given by name is put first in the line, among the numbers without a name.
    if props or highest or period:
        numbers = list(takewhile(lambda word: word == "-" or word[0] != "-", words))
        options = words[len(numbers) :]
        places = [name or (numbers.pop(0) if numbers else "-") for name in (props, highest, period)]
        words = [*places, *numbers, *options]
    line = " ".join(words)
    # A number behind -n, which takes none, is that of patterns.
    counted_line = re.fullmatch(r"(.*) -n (\d+)(.*)", line)
    if counted_line:
        before, count, after = counted_line.groups()
        line = before + after
        most = most or int(count)
    try:
        search_options, printed = read_arguments(line)
    except NotationError as error:
        raise ParameterError(str(error)) from error
    streams = out is None and not json and "-no" not in printed
    steps = _limited(_watched(Search(search_options), streams=streams), most)
    if out is not None:
        _write_list(steps, out, force=force)
    elif json:
        _print_json(steps)
    else:
        _print_patterns(steps, printed)


def _watched(search: Search, *, streams: bool) -> Steps:
    """Yield the patterns of each step of a search, and show a bar of progress meanwhile.

    The bar appears on standard error, once the search has taken `_BAR_DELAY` seconds.

    Args:
        search: the search for patterns.
        streams: whether patterns are printed while they are found.
    """
    # No bar outside a terminal, nor in one in which patterns are printed: it would stand between
    # them.
    if not sys.stderr or not sys.stderr.isatty() or (streams and sys.stdout.isatty()):
        yield from search.steps_with_passages()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn(_("period {task.description}")),
        BarColumn(),
        TextColumn(_("{task.fields[found]:,} found")),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    began = time.monotonic()
    count = 0
    task = bar.add_task("", total=1.0, found=0)
    try:
        for patterns in search.steps_with_passages():
            count += len(patterns)
            if time.monotonic() - began > _BAR_DELAY:
                bar.start()
                period = _(
                    "{period} of {last_period}",
                    period=search.period,
                    last_period=search.last_period,
                )
                bar.update(task, description=period, completed=search.done, found=count)
            yield patterns
    finally:
        bar.stop()


def _limited(steps: Steps, most: int | None) -> Steps:
    """Yield the patterns of steps until there are `most`; all if that is None."""
    for patterns in steps:
        yield patterns[:most]
        if most is not None:
            most -= len(patterns)
            if most <= 0:
                return


def _print_patterns(steps: Steps, options: frozenset[str]) -> None:
    """Print patterns while they are found, a line for each, or their number, or both.

    Patterns and the number go to standard output; the heading and a hint, if nothing is found, to
    standard error.

    Args:
        steps: patterns as they are found.
        options: options of the generator's command line that say what is printed: "-se" no throws
            into patterns and out of them, "-n" the number as well, "-no" the number alone.
    """
    count = 0
    has_lines = "-no" not in options
    has_count = not options.isdisjoint({"-n", "-no"})
    has_passages = has_lines and "-se" not in options  # the throws into a pattern and out of it
    needs_heading = has_passages
    try:
        for patterns in steps:
            count += len(patterns)
            # The heading stands once, above the first pattern with passages.
            if needs_heading and any(pattern.entry for pattern in patterns):
                needs_heading = False
                say(_("Throws into the pattern  Pattern  Throws out of it"), err=True)
            if patterns and has_lines:
                lines = [_pattern_line(pattern, passages=has_passages) for pattern in patterns]
                click.echo("\n".join(lines))
    finally:
        # Ctrl-C ends the search, and what was found by then is counted.
        if has_count:
            click.echo(counted(count, "pattern"))
    # A search that was interrupted might still have found a pattern.
    if not has_count and not count:
        say(_("nothing found; allow higher throws or another period"), err=True)


def _pattern_line(generated: Generated, *, passages: bool) -> str:
    if not generated.entry and not generated.exit:
        return generated.pattern
    return (
        f"{generated.entry}  {generated.pattern}  {generated.exit}".strip()
        if passages
        else f"* {generated.pattern} *"
    )


def _print_json(steps: Steps) -> None:
    """Print patterns as a JSON list at the end of the search."""
    all_patterns: list[Generated] = []
    try:
        for patterns in steps:
            all_patterns += patterns
    finally:
        # After Ctrl-C those that were found by then.
        click.echo(json_list(pattern._asdict() for pattern in all_patterns))


def _write_list(steps: Steps, path: Path, *, force: bool) -> None:
    from juggle_anim.notation import write_found

    write_found(chain.from_iterable(steps), path, force=force)
    say(str(path))


_DEFAULT_LIMIT = 1000  # at which Juggling Lab's transitioner stops without `-limits`


@click.command("transition", cls=ArgumentLine)
def transition(
    words: Annotated[
        list[str], argument(metavar="A B", help=_("Two siteswaps, and options such as -m 2."))
    ],
    shortest: Annotated[
        bool,
        option("--shortest", help=_("Only the shortest, from any beat of A to any beat of B.")),
    ] = False,
    max_throw: Annotated[
        int | None, option(metavar="N", help=_("Highest throw allowed."), show_default=False)
    ] = None,
    most: _Most = None,
    opened: Annotated[
        bool, option("--open", help=_("Open the first result in the viewer."))
    ] = False,
    json: Annotated[
        bool, option("--json", help=_("Print a JSON list, an object for each transition."))
    ] = False,
    out: Annotated[
        str | None,
        out_option(_("Export the first result."), metavar="OUT"),
    ] = None,
) -> None:
    """Find the throws that lead from one pattern into another.

    Each line is a siteswap that `show` opens, (A^2) T (B^2) T': A twice, the transition,
    B twice, and the transition back. The first is the shortest, after which B may begin with
    either hand. All transitions of Juggling Lab follow in its order, shortest first: from the
    start of A to the start of B, both with the right hand, and with throws to either hand.

    \b
    -m N     up to N props may land in one hand at once on the way
    -mf      they may be caught at once (squeezed)
    -mc      no clusters such as [33]
    -limits  do not stop after 1000
    """
    from juggle_anim.notation import find_pattern, read_transition_line

    named = {word: pattern.siteswap for word in words if (pattern := find_pattern(word))}
    words = [named.get(word, word) for word in words]
    line = read_transition_line(words[0] if len(words) == 1 else words)
    transitions = _transitions(line, shortest=shortest, max_throw=max_throw)
    limit = _DEFAULT_LIMIT if line.limited and most is None else most
    if opened:
        from juggle_anim.api import show

        show(next(transitions).pattern)
    elif out:
        from juggle_anim.api import export

        say("\n".join(map(str, export(next(transitions).pattern, out))))
    elif json:
        click.echo(json_list(joined.to_dict() for joined in islice(transitions, limit)))
    else:
        for joined in islice(transitions, limit):
            say(joined.pattern)
            if not (joined.throws or joined.back):
                say(_("No throws are needed between them."), err=True)
        if most is None and limit is not None and next(transitions, None):
            say(_("stopped after {limit}; -limits lists all", limit=limit), err=True)


def _transitions(
    line: TransitionLine, *, shortest: bool, max_throw: int | None
) -> Iterator[JoinedPatterns]:
    """Yield the transitions of an argument line.

    Args:
        line: the line as Juggling Lab's transitioner takes it: two patterns and rules.
        shortest: whether only the shortest ones are listed, between any two beats of the patterns,
            in which hands throw in turn.
        max_throw: the highest throw on the way; None for any.
    """
    import dataclasses

    from juggle_anim.notation import join_line, join_patterns

    rules = dataclasses.replace(line.rules, max_throw=max_throw)
    in_turn = dataclasses.replace(rules, any_hand=False)
    if shortest:
        return join_patterns(line.start, line.end, in_turn)
    listed = join_line(dataclasses.replace(line, rules=rules))
    try:
        first = next(join_patterns(line.start, line.end, in_turn, exits=[0], entries=[0]))
    except PatternError:  # it may take throws to either hand
        return listed
    return chain([first], (joined for joined in listed if joined.pattern != first.pattern))
